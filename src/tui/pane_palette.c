/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_palette.c - everything that can be done or shown, in one list that typing searches:
 * commands, panes, layouts, series, options and themes, with the keys that do the same.
 */
#include "ctascope/decl.h"

#include "base/datadir.h"
#include "base/memory.h"
#include "session/session.h"
#include "tui/panes.h"
#include "tui/pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- rows */

/* Returns the name of the key that does what the line says; NULL: none. */
static const char *
key_of(const char *line)
{
	for (unsigned i = 0; i < n_key_rows; i++)
		if (key_rows[i].when & WHEN_ALWAYS && strcmp(key_rows[i].command, line) == 0)
			return key_rows[i].name;
	return NULL;
}

static void
add_row(struct pick *p, const char *line, const char *help, bool is_complete)
{
	pick_add(p, line, help, key_of(line), is_complete);
}

static void
add_command(void *p, const char *group ATTR_UNUSED, const char *name, const char *usage,
	    const char *help)
{
	add_row(p, name, help, !*usage || *usage == '[');
}

static void
add_panes(struct pick *p)
{
	char line[80];

	for (unsigned i = 0; pane_table[i]; i++) {
		if (!pane_is_of(pane_table[i], WHEN_ALWAYS) || pane_table[i]->types)
			continue;
		snprintf(line, sizeof(line), "pane %s", pane_table[i]->name);
		add_row(p, line, pane_table[i]->help, true);
	}
	for (unsigned i = 0; i < n_layout_rows; i++) {
		if (!(layout_rows[i].when & WHEN_ALWAYS))
			continue;
		snprintf(line, sizeof(line), "layout %s", layout_rows[i].name);
		add_row(p, line, layout_rows[i].help, true);
		if (i < 9)
			p->row[p->n - 1].key = &"1\0002\0003\0004\0005\0006\0007\0008\0009"[2 * i];
	}
}

static void
add_series(struct pick *p, const char *pane, const char *group, const struct series_row *rows,
	   unsigned n)
{
	char line[80];

	for (unsigned i = 0; i < n; i++) {
		snprintf(line, sizeof(line), "pane %s %s.%s", pane, group, rows[i].name);
		add_row(p, line, rows[i].help, true);
	}
}

static void
add_option(void *p, const char *key, const struct opt_group *g ATTR_UNUSED, const struct opt_row *r)
{
	char line[160];

	snprintf(line, sizeof(line), "set %s", key);
	add_row(p, line, r->help, false);
}

static int
add_theme(void *p, const char *name, const char *path ATTR_UNUSED)
{
	char line[80];

	snprintf(line, sizeof(line), "theme %.60s", name);
	add_row(p, line, "colours of the screen", true);
	return 0;
}

static void
fill_palette(struct screen *s, struct pick *p)
{
	add_panes(p);
	session_each_command(add_command, p);
	add_series(p, "heat", "core", series_core_rows, SC_FIELDS);
	add_series(p, "heat", "mem", series_mem_rows, SM_FIELDS);
	add_series(p, "plot", "gpu", series_gpu_rows, SG_FIELDS);
	opt_each(config_db_const(session_config(s->session)), add_option, p);
	datadir_each("themes", ".theme", add_theme, p);
	pick_match(p);
}

/* ---------------------------------------------------------------- the pane */

static int
open_palette(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e ATTR_UNUSED)
{
	v->own = memory_new(1, sizeof(struct pick));
	return 0;
}

static void
close_palette(struct pane_view *v)
{
	pick_free(v->own);
	free(v->own);
	v->own = NULL;
}

static int
height_of_palette(struct screen *s ATTR_UNUSED, struct pane_view *v ATTR_UNUSED)
{
	return 16;
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	struct pick *p = v->own;

	if (!p->n)
		fill_palette(s, p);
	pick_draw(p, c, MIN(MAX(c->w / 3, 16), 34), true);
}

/* Enter does the chosen line, or opens the command line with it where something is missing. */
static const char *
key_command(struct screen *s, struct pane_view *v, int key, char *buf, size_t size)
{
	struct pick *p = v->own;
	const struct pick_row *r;

	if (key != '\r' && key != K_ESCAPE && !pick_leaves(key)) {
		pick_key(p, key);
		return "";
	}
	r = key == '\r' ? pick_chosen(p) : NULL;
	snprintf(buf, size, "%s", !r ? "" : r->is_complete ? r->name : "prompt");
	if (r && !r->is_complete)
		snprintf(s->prefill, sizeof(s->prefill), "%s ", r->name);
	s->pane = s->front;
	pick_free(p);
	return buf;
}

const struct pane_ops pane_palette = {
	.name = "palette",
	.help = "Find a command, a pane, a series or an option by a few of its letters; Enter "
		"executes it.",
	.title = " type to search, arrows choose, Enter does it, Esc closes ",
	.read = "A row for each command, pane, layout, series, option and theme that has the "
		"letters typed in their order, the best first: the line that Enter executes, the "
		"key that does the same, what it does. A line that needs an argument is typed at "
		"the command line.",
	.keys = "Letters search, Backspace deletes one, Ctrl-U all; Up and Down choose, Enter "
		"does it, Escape closes.",
	.also = "help, apropos, explain, lesson",
	.min_w = 20,
	.min_h = 2,
	.kind = PANE_OVER,
	.types = true,
	.open = open_palette,
	.close = close_palette,
	.height = height_of_palette,
	.draw = draw_pane,
	.key = key_command,
};
