/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * help_page.c - draws the help page of `?` and the welcome text before the first sample.
 *
 * Both are made from the tables of panes, keys, states and commands, so that they are always up to
 * date.
 */
#include "base/ascii.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include <stdio.h>
#include <string.h>

/* A page that may be longer than its canvas: line y is drawn at y - top. */
struct help_text {
	struct canvas *canvas;
	int y, top;
};

static void
put_heading(struct help_text *p, const char *text)
{
	if (p->y)
		p->y++;
	canvas_text(p->canvas, 2, p->y++ - p->top, ROLE_TITLE, text);
}

static void
put_paragraph(struct help_text *p, int x, enum role role, const char *text)
{
	p->y += canvas_wrap(p->canvas, x, p->y - p->top, p->canvas->w - x - 2, p->canvas->h, role,
			    text);
}

static void
panes_help(struct help_text *p)
{
	put_heading(p, "Panes (Tab)");
	for (unsigned i = 0; pane_table[i]; i++) {
		if (!pane_is_of(pane_table[i], WHEN_ALWAYS))
			continue;
		canvas_text(p->canvas, 4, p->y - p->top, ROLE_KEY, pane_table[i]->name);
		put_paragraph(p, 14, ROLE_TEXT, pane_table[i]->help);
	}
}

static void
colours_help(struct screen *s, struct help_text *p)
{
	static const char *const what[HEAT_STATES] = {"active",
						      "draining: ends its CTAs, takes no new one",
						      "throttled: no memory access",
						      "paused: issues nothing",
						      "off: gated",
						      "empty: holds no CTA"};
	unsigned columns = p->canvas->w >= 80 ? 2 : 1;
	int y;

	put_heading(p, "Colours and glyphs");
	y = p->y - p->top;
	canvas_text(p->canvas, 4, y, ROLE_TEXT, "low");
	for (int i = 0; i < HEAT_LEVELS / 2; i++)
		canvas_heat(p->canvas, 8 + i, y, 2 * (unsigned)i + (i > 7),
			    2 * (unsigned)i + (i > 7), false);
	put_paragraph(p, 9 + HEAT_LEVELS / 2, ROLE_TEXT,
		      s->painter.half ? "high   two cores share a row: upper half, lower half"
				      : "high   where two cores share a row, their mean");
	y = p->y++ - p->top;
	canvas_heat(p->canvas, 4, y, HEAT_GATED, HEAT_GATED, false);
	canvas_text(p->canvas, 6, y, ROLE_TEXT, "core switched off");
	canvas_heat(p->canvas, 26, y, HEAT_UNKNOWN, HEAT_UNKNOWN, false);
	canvas_text(p->canvas, 28, y, ROLE_TEXT, "unknown value");
	for (unsigned i = 0; i < HEAT_STATES; i++) {
		int x = i % columns ? 34 : 4;

		y = p->y - p->top;
		canvas_heat(p->canvas, x, y, HEAT_STATE + i, HEAT_STATE + i, false);
		canvas_fit(p->canvas, x + 2, y, p->canvas->w - x - 3, ROLE_TEXT, what[i]);
		p->y += i % columns == columns - 1;
	}
}

static void
keys_help(const struct screen *s, struct help_text *p)
{
	bool two = p->canvas->w >= 110;
	int col = two ? p->canvas->w / 2 : p->canvas->w, at = 0, rows = 0;

	put_heading(p, "Keys (bind KEY COMMAND changes them)");
	if (s->pane->ops->keys) {
		canvas_text(p->canvas, 4, p->y - p->top, ROLE_TEXT, "in the pane ");
		canvas_text(p->canvas, 16, p->y++ - p->top, ROLE_KEY, s->pane->ops->name);
		put_paragraph(p, 12, ROLE_TEXT, s->pane->ops->keys);
	}
	for (unsigned i = 0; i < n_key_rows; i++) {
		const struct key_row *k = &key_rows[i];
		int x = 4 + at * col;
		if (!k->help[0] || !(k->when & WHEN_ALWAYS))
			continue;
		canvas_text(p->canvas, x, p->y - p->top, ROLE_KEY, k->name);
		rows = MAX(rows, canvas_wrap(p->canvas, x + 10, p->y - p->top, col - 16,
					     p->canvas->h, ROLE_TEXT, k->help));
		at = two && !at;
		p->y += at ? 0 : rows;
		rows = at ? rows : 0;
	}
	p->y += rows;
	canvas_text(p->canvas, 4, p->y - p->top, ROLE_KEY, "Ctrl-C");
	canvas_text(p->canvas, 14, p->y++ - p->top, ROLE_TEXT,
		    "pause the model; at the prompt clear the line");
	canvas_text(p->canvas, 4, p->y - p->top, ROLE_KEY, "Ctrl-Z");
	canvas_text(p->canvas, 14, p->y++ - p->top, ROLE_TEXT, "suspend to the shell; fg returns");
}

static void
commands_help(struct help_text *p)
{
	const struct screen_row *r;

	put_heading(p, "Commands of the screen (type : and help for all others)");
	for (unsigned i = 0; (r = screen_row(i, WHEN_ALWAYS)); i++) {
		canvas_text(p->canvas, 4, p->y - p->top, ROLE_KEY, r->name);
		put_paragraph(p, 17, ROLE_TEXT, r->help);
	}
}

/* Prints a part of a page, in the order of ctascope-panes(7). */
static void
page_part(struct help_text *p, const char *name, const char *text)
{
	if (!text)
		return;
	canvas_text(p->canvas, 4, p->y - p->top, ROLE_KEY, name);
	put_paragraph(p, 13, ROLE_TEXT, text);
}

/* Explains the active pane, because the user is looking at it. */
static void
active_pane_help(const struct screen *s, struct help_text *p)
{
	char text[VIEW_ARG + 64];

	snprintf(text, sizeof(text), "The active pane: %s %s", s->pane->ops->name, s->pane->arg);
	put_heading(p, text);
	put_paragraph(p, 4, ROLE_TEXT, s->pane->ops->help);
	page_part(p, "read", s->pane->ops->read);
	page_part(p, "range", s->pane->ops->range);
	page_part(p, "also", s->pane->ops->also);
}

int
help_page(struct screen *s, struct canvas *c, int top)
{
	struct help_text p = {c, 0, top};
	char num[FMT_MAX], text[200];

	keys_help(s, &p);
	active_pane_help(s, &p);
	put_heading(&p, "What you see");
	snprintf(text, sizeof(text),
		 "Time runs to the right; one column is %s cycles. The cursor (h l) crosses all "
		 "panes: where it is in the past, every number is that of its cycle.",
		 fmt_u64(num, s->axis.per));
	put_paragraph(&p, 4, ROLE_TEXT, text);
	put_paragraph(&p, 4, ROLE_TEXT, heat_read);
	put_paragraph(&p, 4, ROLE_TEXT,
		      "Space runs the model and pauses it, s steps a cycle, n a period. Every key "
		      "is a command; type commands after  :  and  help  to list them.");
	panes_help(&p);
	colours_help(s, &p);
	commands_help(&p);
	return p.y;
}

/* Whether a row of the canvas contains the text, in upper or lower case. */
static bool
row_has(const struct canvas *c, int y, const char *text)
{
	char row[1000 * 4 + 1];
	size_t n = 0;

	for (int x = 0; x < c->w && n + 4 < sizeof(row); x++) {
		uint32_t wc = canvas_at(c, x, y)->wc;
		n += utf8_put(row + n, wc ? wc : ' ');
	}
	row[n] = '\0';
	return ascii_has(row, text);
}

int
help_find(struct screen *s, const char *text, int from)
{
	struct canvas *all = canvas_new(s->canvas->w, 1);
	int found = -1;

	s->help_rows = help_page(s, all, 0); /* no frame may have shown the help yet */
	canvas_free(all);
	all = canvas_new(s->canvas->w, s->help_rows);
	help_page(s, all, 0);
	for (int i = 0; i < all->h && found < 0; i++)
		if (row_has(all, (from + i) % all->h, text))
			found = (from + i) % all->h;
	canvas_free(all);
	return found;
}

/* Lists the commands of a page below its keys, and returns the number of rows. */
static int
page_commands(struct canvas *c, int y, enum key_when now)
{
	const struct screen_row *r;
	int rows = 1, x = 9;

	for (unsigned i = 0; (r = screen_row(i, now)); i++) {
		if (x + text_width(r->name) > c->w - 2) {
			x = 9;
			rows++;
		}
		x += canvas_text(c, x, y + rows - 1, ROLE_KEY, r->name) + 1;
	}
	return rows;
}

void
page_help(const struct screen *s, struct canvas *c)
{
	enum key_when now = screen_when(s);
	int y = 0;

	canvas_fill(c, 0, 0, c->w, c->h, ROLE_TEXT, ' ');
	for (unsigned i = 0; i < n_key_rows; i++) {
		const struct key_row *k = &key_rows[i];

		if (!k->help[0] || !(k->when & now))
			continue;
		canvas_text(c, 2, y, ROLE_KEY, k->name);
		y += canvas_wrap(c, 9, y, c->w - 11, c->h, ROLE_TEXT, k->help);
	}
	y += page_commands(c, y, now) + 1;
	if (s->page->ops->help)
		y = s->page->ops->help(s->page, c, y);
	for (unsigned i = 0; i < s->layout.n_main; i++)
		y += canvas_wrap(c, 2, y, c->w - 4, c->h, ROLE_TEXT, s->main[i]->ops->help);
}

void
draw_welcome(struct screen *s, struct canvas *c)
{
	static const struct {
		const char *key, *text;
	} row[] = {
		{"Space", "run the model, or pause it"},
		{"s n", "step one cycle, one period"},
		{"h l", "move back and forth in time"},
		{"j k", "choose the core shown at the right"},
		{"Enter", "pane slots: the CTAs of that core"},
		{"d K", "panes decisions, knobs: turn them"},
		{"w", "what the core waits for, and why"},
		{"Tab", "next pane: ract, credits, gates"},
		{"Ctrl-P", "the palette: pane grid, and all else"},
		{":", "type a command, such as  break pause"},
		{"?", "all keys, panes and colours"},
	};
	int y = 1, x = heat_label_width(screen_cores(s));
	struct sim *sim = screen_sim(s);
	const char *intro =
		!sim ? "No workload is loaded. The command  load  opens the launcher, three lists "
		       "of workloads, policies and machines; or start with a name: ctascope phase. "
		       "ctascope lesson  teaches step by step."
		: sim_cycle(sim) == 0
			? "Nothing has run yet. Each row here will be a core, with time running to "
			  "the right.  ctascope lesson  teaches step by step."
			: "Each row here will be a core, with time running to the right, once the "
			  "first sample is complete.";

	y += canvas_wrap(c, x, y, c->w - x - 1, c->h, ROLE_TEXT, intro) + 1;
	for (size_t i = 0; i < ARRAY_LEN(row) && y < c->h; i++, y++) {
		canvas_text(c, x, y, ROLE_KEY, row[i].key);
		canvas_fit(c, x + 7, y, c->w - x - 8, ROLE_TEXT, row[i].text);
	}
	if (c->h - y >= 4)
		canvas_wrap(c, x, y + 1, c->w - x - 1, c->h - y - 1, ROLE_DIM,
			    "At the right: the core in focus and what its policy weighs. Below: "
			    "the last decision and "
			    "the log.");
}
