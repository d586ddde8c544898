/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pick.c - lists that typing filters: how letters match, the palette, the launcher. */
#include "tests/tui/on_screen.h"
#include "tui/pick.h"

#include <locale.h>

static char line[400];

/* Types keys; returns the last command line. */
static const char *
type(const char *keys)
{
	struct err e = {0};
	const char *command = "";

	for (; *keys; keys++) {
		screen_draw(&s);
		command = screen_key(&s, *keys, line, sizeof(line));
		if (command && *command && screen_command(&s, command, &e) < 0)
			ok(false, "%s: %s", command, e.msg);
	}
	screen_draw(&s);
	return command ? command : "";
}

static bool
shows(const char *what)
{
	char *text = screen_text();
	bool found = strstr(text, what) != NULL;

	if (!found)
		diag("%s", text);
	free(text);
	return found;
}

static void
test_scores(void)
{
	ok(pick_score("layout watch", "lw") > 0, "letters in their order match");
	ok(pick_score("layout watch", "wl") == 0, "in another order they do not");
	ok(pick_score("layout watch", "lay") > pick_score("pane delay", "lay"),
	   "the beginning counts more");
	ok(pick_score("break", "BR") == pick_score("break", "br"), "case does not count");
	ok(pick_score("pane map", "pane map") > 0 && pick_score("pane map", "panemap") > 0,
	   "blanks may be left out");
}

static void
test_palette(void)
{
	const struct pane_view *front = s.front;

	type("\020");
	ok(shows("type to search"), "Ctrl-P opens the palette");
	type("laywatch");
	ok(shows("▸layout watch") && shows("9  "), "letters find a layout and its key");
	ok(strcmp(type("\r"), "layout watch") == 0 && s.pane->ops != front->ops,
	   "Enter does it, and the palette is closed");
	type("\020ipc");
	ok(shows("gpu.ipc") && shows("core.ipc"), "series are found");
	type("\025dyncta.t_mem_h");
	ok(shows("▸set dyncta.t_mem_h"), "Ctrl-U begins anew: options are found");
	ok(strcmp(type("\r"), "prompt") == 0 && strcmp(s.prefill, "set dyncta.t_mem_h ") == 0,
	   "what needs a value waits at the command line");
	s.mode = MODE_KEYS;
	s.prefill[0] = '\0';
	type("\020qqqqq");
	ok(shows("0 of "), "letters that match nothing, q among them, are letters");
	type("\r");
	ok(s.pane == s.front, "then Enter closes");
	type("\020\033");
	ok(s.pane == s.front, "so does Escape");
	type("\020lesson");
	ok(shows("▸lesson "), "lessons are found");
	type("\033");
}

static void
test_launcher(void)
{
	struct err e = {0};

	ok(screen_command(&s, "pane launcher", &e) == 1, "the launcher opens");
	screen_draw(&s);
	ok(shows("workload") && shows("▸phase") && shows("▸dyncta"), "three lists");
	ok(shows("compute and memory phases"), "with a line on the chosen workload");
	ok(strcmp(type("l1reu\ttcs\t\r"), "workload l1reuse tcs ") != 0 &&
		   strncmp(line, "workload l1reuse tcs ", 21) == 0,
	   "letters and Tab choose, Enter loads: %s", line);
	screen_command(&s, "pane launcher", &e);
	type("zzz\r");
	ok(s.pane->ops->types && strstr(s.notice, "nothing matches 'zzz'"),
	   "Enter on nothing says so");
	type("\033");
	ok(s.pane->ops->types, "Escape deletes the letters,");
	type("\033");
	ok(s.pane == s.front, "and without letters leaves");
}

int
main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	test_scores();
	open_screen(100, 30, (struct stage_options){.samples = 20});
	test_palette();
	test_launcher();
	close_screen();
	return done();
}
