/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_l1.c - shows the L1 data cache of the core in focus: a cell for each line, with the slot of
 * the CTA that loaded it. Lines of another CTA that the running one replaces are what a lower
 * limit of CTAs saves.
 *
 * A set is a row of cells. Short sets stand side by side in blocks, as many as the height needs; a
 * set with more ways than the width takes several rows.
 */
#include "tui/fmt.h"
#include "tui/panes.h"

#include <stdio.h>

#define HEAD 4 /* rows above the sets: title, counts, and two of the legend */
#define ENDED '+'

/* From generous to tight; the first with which all sets fit is taken. */
static const struct {
	unsigned label, gap; /* columns: of a set's number, and between blocks */
} spacing[] = {{4, 2}, {3, 1}, {0, 1}};

/* How the sets are folded into the space. */
struct folding {
	unsigned across;    /* cells in a row of a set */
	unsigned per_set;   /* rows of a set */
	unsigned per_block; /* sets below each other */
	unsigned label, gap;
};

static struct folding
fold_with(const struct l1_view *l1, int w, int h, unsigned label, unsigned gap)
{
	struct folding f = {.label = label, .gap = gap};
	unsigned room = (unsigned)MAX(w - (int)label - 1, 1), rows = (unsigned)MAX(h, 1), blocks;

	f.across = MAX(MIN(l1->ways, room), 1);
	f.per_set = (l1->ways + f.across - 1) / f.across;
	blocks = MAX(((unsigned)w + gap) / (label + f.across + gap), 1);
	f.per_block = (l1->sets + blocks - 1) / blocks;
	if (f.per_block * f.per_set < rows) /* no more blocks than needed */
		f.per_block = MIN(MAX(rows / f.per_set, f.per_block), l1->sets);
	return f;
}

static struct folding
fold_sets(const struct l1_view *l1, int w, int h)
{
	for (unsigned i = 0; i < ARRAY_LEN(spacing); i++) {
		struct folding f = fold_with(l1, w, h, spacing[i].label, spacing[i].gap);

		if (f.per_block * f.per_set <= (unsigned)MAX(h, 0))
			return f;
	}
	return fold_with(l1, w, h, spacing[0].label, spacing[0].gap); /* it scrolls */
}

/* ---------------------------------------------------------------- drawing */

/* Draws a line: the digit or letter of its slot on that slot's colour; without colour while it is
 * on its way; a plus if its CTA has ended, a dot if it is free. */
static void
draw_line(struct canvas *c, int x, int y, const struct l1_line_view *l, unsigned slots)
{
	char glyph[2] = {"0123456789abcdefghijklmnopqrstuv"[l->slot % MAX_CTAS], 0};
	unsigned level = l->slot * (HEAT_LEVELS - 1) / MAX(slots - 1, 1);

	if (!l->used) {
		canvas_put(c, x, y, ROLE_FRAME, 0xb7);
		return;
	}
	if (!l->resident)
		glyph[0] = ENDED;
	if (l->pending || !l->resident) {
		canvas_text(c, x, y, l->pending ? ROLE_VALUE : ROLE_DIM, glyph);
		return;
	}
	canvas_heat(c, x, y, level, level, false);
	canvas_heat_text(c, x, y, glyph);
}

static void
draw_sets(const struct sim *sim, unsigned core, const struct scroll *o, const struct l1_view *l1,
	  const struct folding *f, unsigned slots, struct canvas *c)
{
	for (unsigned set = 0; set < l1->sets; set++) {
		unsigned block = set / f->per_block, row = set % f->per_block * f->per_set;
		int x = (int)(block * (f->label + f->across + f->gap));
		char label[16];

		snprintf(label, sizeof(label), "%u", set);
		if (f->label && row >= o->top && row < o->top + o->shown)
			canvas_right(c, x, (int)(row - o->top), (int)f->label - 1, ROLE_DIM, label);
		for (unsigned way = 0; way < l1->ways; way++) {
			unsigned y = row + way / f->across;
			struct l1_line_view l;

			if (y < o->top || y >= o->top + o->shown)
				continue;
			sim_l1_line(sim, core, set, way, &l);
			draw_line(c, x + (int)(f->label + way % f->across), (int)(y - o->top), &l,
				  slots);
		}
	}
}

/* Writes how many lines each slot has: "lines by slot 0:31 1:20 + (ended):5 free:40". */
static void
count_lines(const struct sim *sim, unsigned core, const struct l1_view *l1, char *buf, size_t size)
{
	unsigned by_slot[MAX_CTAS] = {0}, ended = 0, free_lines = 0, n = 0;

	for (unsigned set = 0; set < l1->sets; set++)
		for (unsigned way = 0; way < l1->ways; way++) {
			struct l1_line_view l;

			sim_l1_line(sim, core, set, way, &l);
			if (!l.used)
				free_lines++;
			else if (!l.resident)
				ended++;
			else
				by_slot[l.slot]++;
		}
	n = (unsigned)snprintf(buf, size, "lines by slot ");
	for (unsigned i = 0; i < MAX_CTAS; i++)
		if (by_slot[i] && n + 16 < size)
			n += (unsigned)snprintf(buf + n, size - n, "%c:%u ",
						"0123456789abcdefghijklmnopqrstuv"[i], by_slot[i]);
	if (ended && n + 16 < size)
		n += (unsigned)snprintf(buf + n, size - n, "%c (ended):%u ", ENDED, ended);
	if (free_lines && n + 16 < size)
		snprintf(buf + n, size - n, "free:%u", free_lines);
}

static void
draw_title(struct screen *s, struct pane_view *v, struct canvas *c, unsigned core,
	   const struct l1_view *l1)
{
	bool active = s->pane == v;
	char num[FMT_MAX], text[80];
	int x = 1 + canvas_text(c, 1, 0, active ? ROLE_FOCUS : ROLE_TITLE, "L1") + 1;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	snprintf(text, sizeof(text), "of core %u: %u sets x %u ways", core, l1->sets, l1->ways);
	canvas_fit(c, x, 0, c->w - x, ROLE_TEXT, text);
	x = 1 + canvas_text(c, 1, 1, ROLE_DIM, "evicted by other CTAs") + 1;
	x += canvas_text(c, x, 1, ROLE_VALUE, fmt_u64(num, l1->evicted_by_others)) + 1;
	canvas_fit(c, x, 1, c->w - x, ROLE_DIM, "lines");
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	unsigned core = session_focus_core(s->session);
	struct sim *sim = screen_sim(s);
	struct scroll *o = v->own; /* of the rows of every block */
	struct l1_view l1;
	struct core_view cv;
	struct folding f;
	struct canvas area;
	char counts[(MAX_CTAS + 1) * 16];
	int head = c->h > HEAD + 2 ? HEAD : MIN(2, c->h - 1);

	canvas_put(c, 0, 0, ROLE_FOCUS, s->pane == v ? 0x25b8 : ' ');
	if (!sim || core >= screen_cores(s))
		return;
	sim_l1_view(sim, core, &l1);
	sim_core_view(sim, core, &cv);
	draw_title(s, v, c, core, &l1);
	count_lines(sim, core, &l1, counts, sizeof(counts));
	if (head == HEAD)
		canvas_wrap(c, 1, 2, c->w - 2, 2, ROLE_TEXT, counts);
	area = canvas_sub(c, 0, head, c->w, c->h - head);
	f = fold_sets(&l1, area.w, area.h);
	o->shown = (unsigned)MAX(area.h, 0);
	scroll_fit(o, f.per_block * f.per_set);
	draw_sets(sim, core, o, &l1, &f, cv.n_max, &area);
}

static void
describe_cursor(struct screen *s, struct pane_view *v ATTR_UNUSED, char *buf, size_t size)
{
	unsigned core = session_focus_core(s->session);
	struct l1_view l1;
	char num[FMT_MAX];

	buf[0] = '\0';
	if (!screen_sim(s) || core >= screen_cores(s))
		return;
	sim_l1_view(screen_sim(s), core, &l1);
	snprintf(buf, size, "core %u: %s L1 lines evicted by other CTAs", core,
		 fmt_u64(num, l1.evicted_by_others));
}

static const char *
key_command(struct screen *s ATTR_UNUSED, struct pane_view *v ATTR_UNUSED, int k,
	    char *buf ATTR_UNUSED, size_t size ATTR_UNUSED)
{
	return k == K_PGUP || k == K_PGDN ? keys_scroll(k) : NULL;
}

const struct pane_ops pane_l1 = {
	.name = "l1",
	.help = "The L1 data cache of the core in focus, a cell for each line: the slot of the CTA "
		"that loaded it. Lines that CTAs took from each other are counted (evicted by "
		"others). PgUp PgDn scroll.",
	.read = "A row of cells is a set, a cell is a way. Sets are numbered from the top down and "
		"block by block, at their left where there is room. The digit of a cell, or letter "
		"from 10 on, and its colour are the slot whose CTA loaded the line. Without "
		"colour the line is still on its way. A plus is a line whose CTA has ended, a dot "
		"a free one. Above are the lines of each slot, and how many lines of resident CTAs "
		"another CTA has replaced so far (core.5.l1_evicted_by_others): fewer CTAs would "
		"have kept these lines. A CTA that replaces its own line does not count, nor does "
		"a line whose CTA has ended, nor a write that drops a line. With the cursor in the "
		"past it is the cache at that cycle.",
	.keys = "j and k choose the core, PgUp and PgDn scroll.",
	.range = "The slots from 0 to N - 1 take the colours of the ramp.",
	.also = "explain thrashing, info core, pane slots, pane heat, layout memory",
	.min_w = 24,
	.min_h = 5,
	.kind = PANE_PAGE,
	.looks = PANE_LOOKS_STATE,
	.open = scroll_open,
	.close = scroll_close,
	.draw = draw_pane,
	.scroll = scroll_move,
	.at = describe_cursor,
	.key = key_command,
};
