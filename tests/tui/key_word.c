/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * key_word.c - a command typed without ':': its letters, typed as one word, open the command line,
 * and what they changed on the screen is put back; keys with pauses between them stay keys.
 */
#include "tests/tui/on_screen.h"

/* Types text, a key every 0.2 s, and does what the driver would. Returns the command of the last
 * key. */
static const char *
type_at(double seconds, const char *text)
{
	static char line[120];

	s.mode = MODE_KEYS;
	for (; *text; text++, seconds += 0.2) {
		s.key_at = seconds;
		const char *got = press(*text);
		snprintf(line, sizeof(line), "%s", got ? got : "(none)");
		if (got && *got)
			command(line);
	}
	return line;
}

/* Types letters that must open the command line, which then begins with them. */
static void
opens(double seconds, const char *text)
{
	s.prefill[0] = '\0';
	is_str(type_at(seconds, text), "prompt", text);
	is_str(s.prefill, text[strlen(text) - 1] == '\r' ? "run" : text, "is what it begins with");
	is_u64(s.mode, MODE_PROMPT, "and the user goes on typing there");
}

static void
test_words(void)
{
	char theme[32], *shown;
	uint64_t kinds = s.marks.kinds;
	cycle_t cursor = s.axis.cursor;

	snprintf(theme, sizeof(theme), "%s", s.theme.name);
	opens(10, "step");
	is_str(s.theme.name, theme, "t has changed the theme, which is put back,");
	ok(s.marks.kinds == kinds, "as are the marks of e");
	shown = screen_text();
	ok(strstr(shown, "'step' is read as a command"), "a message says so");
	free(shown);
	opens(20, "dump");
	ok(s.pane->ops->kind != PANE_OVER, "the pane that d opened is closed");
	command("core 2");
	opens(25, "back");
	ok(!session_core_has_stop(session, 2), "the stop that b set is deleted");
	is_u64(session_focus_core(session), 2, "the core that k left is in focus again");
	opens(30, "help");
	ok(s.axis.cursor == cursor, "the cursor that h moved is put back");
	opens(40, "goto");
	is_u64(s.prefix, 0, "nothing is left of the g");
	opens(50, "run ");
	opens(60, "run\r");
}

static void
test_keys(void)
{
	is_str(type_at(100, "ste"), "marks", "three letters are keys,");
	s.key_at = 101.5;
	ok(!press('p') && s.mode == MODE_KEYS, "and so is a fourth one after a while");
	is_str(type_at(110, "hhhh"), "cursor left", "no command begins like these");
	command("bind t print 1");
	is_str(type_at(120, "step"), "(none)", "a letter that the user has bound is a key");
	is_str(type_at(130, "ns "), "continue", "s is a command, but too short to be meant");
}

int
main(void)
{
	open_small_screen("dyncta", 3000, 80, 24);
	test_words();
	test_keys();
	close_screen();
	return done();
}
