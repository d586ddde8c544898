/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * help_rows.c - the rows of keys, layouts and panes as the command help prints them.
 */
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/panes.h"
#include "tui/tui.h"

#include <string.h>

void
tui_help(const char *of, void (*line)(void *to, const char *name, const char *help), void *to)
{
	for (unsigned i = 0; i < n_key_rows && strcmp(of, "keys") == 0; i++)
		if (!(key_rows[i].when & WHEN_PAGE) && *key_rows[i].help)
			line(to, key_rows[i].name, key_rows[i].help);
	for (unsigned i = 0; i < n_layout_rows && strcmp(of, "layout") == 0; i++)
		line(to, layout_rows[i].name, layout_rows[i].help);
	for (unsigned i = 0; pane_table[i] && strcmp(of, "pane") == 0; i++)
		if (pane_is_of(pane_table[i], WHEN_ALWAYS))
			line(to, pane_table[i]->name, pane_table[i]->help);
}
