/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * term_look.c - reads what the terminal can do from its description and from the locale, without
 * taking it over (ctascope doctor); and checks the options of a screen.
 */
#include "prompt/prompt.h"
#include "tui/sgr.h"
#include "tui/theme.h"
#include "tui/tui.h"

#include <curses.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

void
tui_look(struct cli_terminal *t)
{
	struct winsize ws;
	int error;

	*t = (struct cli_terminal){.name = getenv("TERM")};
	t->is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	t->is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	t->is_described = t->name && *t->name && setupterm(t->name, STDOUT_FILENO, &error) == OK;
	if (t->is_described) {
		int colors = tigetnum("colors");

		t->colors = colors < 0 ? 0 : colors;
		del_curterm(cur_term);
	}
	t->has_exact_colors = t->is_described && sgr_exact_wanted();
	if (t->is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) == 0) {
		t->width = ws.ws_col;
		t->height = ws.ws_row;
	}
}

int
tui_check(const struct tui_options *o, struct err *e)
{
	struct theme theme;

	return o->theme && theme_load(&theme, o->theme, e) < 0 ? -1 : 0;
}
