/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_count.c - a number before a key: typed as one word it is a count and leaves the layout as it
 * was; a digit alone, and one with a pause behind it, chooses a layout.
 */
#include "tests/tui/on_screen.h"
#include "tui/layout.h"

/* Presses a key at a time, and does what the driver would. Returns the command. */
static const char *
press_at(double seconds, int key)
{
	static char line[120];
	const char *got;

	s.key_at = seconds;
	got = press(key);
	snprintf(line, sizeof(line), "%s", got ? got : "(none)");
	if (got && *got)
		command(line);
	return line;
}

static void
test_one_word(void)
{
	is_str(press_at(10.0, '3'), "layout 3", "a digit chooses a layout at once");
	is_str(press_at(10.2, 'j'), "cursor down 3", "a motion right behind it is repeated,");
	is_u64(session_focus_core(session), 3, "three cores down,");
	is_u64(s.want, 0, "and the layout is the one before");
	is_str(press_at(20.0, '2'), "layout 2", "a digit");
	is_str(press_at(22.0, 'k'), "cursor up", "and a key after a while are two things,");
	is_u64(s.want, 1, "and the layout stays");
	is_str(press_at(30.0, '1'), "layout 1", "the first digit of a number");
	is_str(press_at(30.1, '2'), "", "and its second");
	ok(strstr(s.notice, "12: h j k l") && s.want == 1,
	   "put the layout back and show the number: %s", s.notice);
	is_str(press_at(60.0, 'l'), "cursor right 12", "which waits for its key");
	is_str(press_at(70.0, 'l'), "cursor right", "and is used once");
}

static void
test_cores(void)
{
	press_at(100.0, '1');
	press_at(100.1, '2');
	is_str(press_at(100.2, '\r'), "core 12", "a number and Enter choose a core");
	is_u64(session_focus_core(session), 12, "that one");
	press_at(110.0, '1');
	press_at(110.1, '0');
	is_str(press_at(110.2, '0'), "", "three digits");
	is_str(press_at(110.9, K_ESCAPE), "", "Escape drops them,");
	is_str(press_at(111.0, 'j'), "cursor down", "so that the next key is a plain one");
	is_str(press_at(120.0, '0'), "zoom all", "0 without a digit before it shows the whole run");
	press_at(130.0, '4');
	is_str(press_at(130.1, 's'), "step 4", "steps are repeated, too");
	press_at(140.0, '9');
	is_str(press_at(140.1, 't'), "theme next",
	       "a key that takes no number has its own meaning,");
	is_u64(s.want, 8, "and the digit its layout");
}

static void
test_own_key(void)
{
	command("bind 5 print 1");
	is_str(press_at(200.0, '5'), "print 1", "a digit that the user has bound");
	is_str(press_at(200.1, 'j'), "cursor down", "is no count");
}

int
main(void)
{
	struct err e = {0};

	open_ascii_screen(80, 24, (struct stage_options){.samples = 39});
	command("layout 1");
	command("core 0");
	test_one_word();
	test_cores();
	test_own_key();
	ok(screen_command(&s, "cursor down x", &e) < 0 && strstr(e.msg, "'x' is no number"),
	   "cursor down x: %s", e.msg);
	close_screen();
	return done();
}
