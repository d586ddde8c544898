/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta_keys.c - keys and clicks in the panes that draw CTAs: they lead to the slots of a core, to a
 * CTA or a block of the grid, and to its explanation.
 */
#include "tests/tui/on_screen.h"

#include <locale.h>

static void
test_slots_keys(void)
{
	const char *got;
	char name[80];

	open_ascii_screen(80, 24, (struct stage_options){.samples = 39});
	command("layout single");
	press('j');
	got = press('\r');
	is_str(got ? got : "", "pane slots", "Enter on a core of a strip shows its slots");
	command("pane slots");
	press(K_DOWN);
	press(K_DOWN);
	s.pane->ops->at(&s, s.pane, name, sizeof(name));
	ok(strncmp(name, "slot 2: CTA ", 12) == 0, "Down chooses a slot: %s", name);
	got = press('\r');
	ok(got && strncmp(got, "why cta ", 8) == 0 && atoi(got + 8) == atoi(name + 12) &&
		   strstr(got, " kernel 1"),
	   "Enter asks why about its CTA: %s", got ? got : "nothing");
	is_str(press('o'), "pane slots all", "o shows all cores");
	command("pane slots all");
	is_str(press('\r'), "pane slots", "Enter there shows one");
	command("pane back");
	is_str(s.pane->arg, "", "pane back: the pane before");
	command("pane map");
	is_str(press('\r'), "pane slots", "Enter in the map shows the slots");
	command("pane slots");
	screen_mouse(&s, &(struct mouse){.kind = MOUSE_PRESS, .x = 20, .y = 4});
	screen_draw(&s);
	s.pane->ops->at(&s, s.pane, name, sizeof(name));
	ok(strncmp(name, "slot 2: ", 8) == 0 && !screen_live(&s),
	   "a click chooses the slot and the cycle: %s", name);
	close_screen();
}

static bool
shows(const char *words)
{
	char *text = screen_text();
	bool found = strstr(text, words) != NULL;

	free(text);
	return found;
}

/* At cycle 0 the welcome text stands for the strip. It promises what Enter does. */
static void
test_slots_at_the_start(void)
{
	const char *got;

	open_small_screen("dyncta", 0, 80, 24);
	ok(shows("Nothing has run yet") && shows("pane slots: the CTAs of that core"),
	   "the welcome text is shown");
	got = press('\r');
	is_str(got ? got : "", "pane slots", "Enter at cycle 0 does what it says");
	command("pane slots");
	ok(shows("CTA slots of core 0") && shows("No CTA has been issued yet") &&
		   !shows("Nothing has run yet"),
	   "the slots are seen, which are empty");
	close_screen();
}

static void
test_grid_keys(void)
{
	const char *got;

	open_ascii_screen(80, 24, (struct stage_options){.samples = 86});
	command("layout single");
	command("pane grid");
	press(K_RIGHT);
	press(K_DOWN);
	got = press('\r');
	ok(got && strncmp(got, "why cta 74 kernel 2", 19) == 0,
	   "arrows choose two blocks, a cell of the grid 72 x 2, Enter explains it: %s",
	   got ? got : "");
	press(K_LEFT);
	press(K_LEFT);
	press(K_UP);
	press(K_UP);
	got = press('\r');
	ok(got && strncmp(got, "why cta 70 kernel 2", 19) == 0, "they stay in it: %s",
	   got ? got : "");
	session_set_focus_core(session, 29);
	is_str(press('c'), "pane slots", "c shows the slots of its core and runs nothing");
	ok(session_focus_core(session) != 29, "which is then in focus");
	is_str(press('o'), "sort", "o: other colours");
	command("sort");
	command("sort");
	command("sort finish");
	command("sort speed");
	command("sort core");
	close_screen();
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_slots_keys();
	test_slots_at_the_start();
	test_grid_keys();
	return done();
}
