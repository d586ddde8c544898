/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cta_bars.c - composes and draws the bars of CTAs; see cta_bars.h. */
#include "tui/cta_bars.h"
#include "tui/canvas.h"
#include "tui/fmt.h"
#include "tui/screen.h"

#include <stdio.h>
#include <string.h>

#define GLYPH_RUNS 0x2586 /* a block with a gap above it, so that slots stay apart */
#define GLYPH_FULL 0x2588
#define GLYPH_PAUSED 0x2571 /* hatched */
#define GLYPH_HELD 0x2550   /* an outline */
#define GLYPH_UNKNOWN 0x254c
#define GLYPH_ISSUE 0x2590 /* a bar that begins in the right half of its cell */
#define GLYPH_END 0x258c
#define GLYPH_SEVERAL 0x22ee

/* ---------------------------------------------------------------- cells */

/* Finds the columns of cycles from..to, cut to the visible ones. Returns false if none is visible.
 */
static bool
columns_of(const struct axis *a, cycle_t from, cycle_t to, int *x0, int *x1)
{
	cycle_t end = a->t0 + a->per * (cycle_t)a->w;

	if (to <= a->t0 || from >= end)
		return false;
	*x0 = from <= a->t0 ? 0 : (int)((from - a->t0 - 1) / a->per);
	*x1 = to > end ? a->w - 1 : (int)((to - a->t0 - 1) / a->per);
	return *x1 >= *x0;
}

/* Whether an event of that cycle falls into a visible column. */
static bool
is_in_view(const struct axis *a, cycle_t cycle)
{
	return cycle != CYCLE_NEVER && (cycle > a->t0 || a->t0 == 0) &&
	       cycle <= a->t0 + a->per * (cycle_t)a->w;
}

static void
add_pauses(const struct cta_lifetimes *l, const struct axis *a, const struct cta_lifetime *c,
	   struct bar_cell *cell)
{
	cycle_t end = lifetime_end(l, c);
	int x0, x1;

	for (uint32_t i = c->first_pause; i != NO_PAUSE; i = l->pause[i].next) {
		const struct cta_pause *p = &l->pause[i];
		cycle_t from = MAX(p->from, lifetime_begin(l, c)), to = MIN(p->to, end);

		if (!columns_of(a, from, to, &x0, &x1))
			continue;
		cell[x0].pauses |= p->from > 0 && is_in_view(a, p->from);
		bool resumes = p->to < end && is_in_view(a, p->to);
		cell[x1].resumes |= resumes;
		for (int x = x0; x <= x1 - resumes; x++) {
			cell[x].state = p->held ? CTA_STATE_HELD : CTA_STATE_PAUSED;
			if (cell[x].running)
				cell[x].running--, cell[x].suspended++;
		}
	}
}

static void
add_cta(const struct cta_lifetimes *l, const struct axis *a, uint32_t i, struct bar_cell *cell)
{
	const struct cta_lifetime *c = &l->cta[i];
	cycle_t begin = lifetime_begin(l, c), end = lifetime_end(l, c);
	bool ends = c->done != CYCLE_NEVER && is_in_view(a, c->done);
	int x0, x1;

	if (!columns_of(a, begin, end, &x0, &x1))
		return;
	for (int x = x0; x <= x1; x++) {
		cell[x].cta = i;
		cell[x].state = CTA_STATE_RUNNING;
		cell[x].unknown = a->t0 + a->per * (cycle_t)(x + 1) <= l->kept_from;
		cell[x].running += !ends || x < x1;
	}
	cell[x0].issues += c->issued != CYCLE_NEVER && is_in_view(a, c->issued);
	cell[x1].ends |= ends;
	add_pauses(l, a, c, cell);
}

void
bars_compose(const struct cta_lifetimes *l, const struct axis *a, int core, int slot,
	     struct bar_cell *cell)
{
	for (int x = 0; x < a->w; x++)
		cell[x] = (struct bar_cell){.cta = BAR_NO_CTA,
					    .unknown = a->t0 + a->per * (cycle_t)(x + 1) <=
						       l->kept_from};
	for (size_t i = 0; i < l->n; i++)
		if (l->cta[i].core == core && (slot < 0 || l->cta[i].slot == slot))
			add_cta(l, a, (uint32_t)i, cell);
}

const struct cta_lifetime *
bars_cta_at(const struct cta_lifetimes *l, int core, int slot, cycle_t cycle)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct cta_lifetime *c = &l->cta[i];

		if (c->core == core && c->slot == slot && cycle >= lifetime_begin(l, c) &&
		    cycle < c->done)
			return c;
	}
	return NULL;
}

bool
bars_are_dense(const struct bar_cell *cell, int w)
{
	int several = 0, held = 0;

	for (int x = 0; x < w; x++) {
		held += cell[x].cta != BAR_NO_CTA;
		several += cell[x].issues > 1;
	}
	return 2 * several > held;
}

/* ---------------------------------------------------------------- drawing */

static enum role
role_of(const struct bar_cell *k, enum core_state state)
{
	if (k->unknown)
		return ROLE_UNKNOWN;
	if (k->state != CTA_STATE_RUNNING)
		return ROLE_PAUSED;
	return state == CORE_DRAINING	 ? ROLE_DRAINING
	       : state == CORE_THROTTLED ? ROLE_THROTTLED
	       : state == CORE_PAUSED	 ? ROLE_PAUSED
					 : ROLE_ACTIVE;
}

/* Returns the glyph of what the CTA does, apart from its events. The gap between slots is in the
 * first row of each slot. */
static uint32_t
fill_glyph(const struct bar_cell *k, bool first_row)
{
	return k->cta == BAR_NO_CTA	      ? (k->unknown ? 0xb7 : ' ')
	       : k->issues > 1		      ? GLYPH_SEVERAL
	       : k->unknown		      ? GLYPH_UNKNOWN
	       : k->state == CTA_STATE_HELD   ? GLYPH_HELD
	       : k->state == CTA_STATE_PAUSED ? GLYPH_PAUSED
	       : first_row		      ? GLYPH_RUNS
					      : GLYPH_FULL;
}

static uint32_t
event_glyph(const struct bar_cell *k)
{
	return k->issues > 1 ? GLYPH_SEVERAL
	       : k->issues   ? GLYPH_ISSUE
	       : k->pauses   ? 'p'
	       : k->resumes  ? 'r'
	       : k->ends     ? GLYPH_END
			     : fill_glyph(k, true);
}

/* Returns the core's state at the end of a column, as the samples record it. */
static enum core_state
core_state_at(const struct screen *s, unsigned core, int x)
{
	const struct sim *sim = screen_sim(s);
	cycle_t end = s->axis.t0 + s->axis.per * (cycle_t)(x + 1);
	int i = series_level_at(sim, MIN(end, s->axis.now));
	double state = i < 0 ? 0 : series_core(sim, SC_STATE, core, (unsigned)i);

	return state >= 0 && state < CORE_OFF ? (enum core_state)(int)state : CORE_ACTIVE;
}

enum role
kernel_role(uint32_t kernel)
{
	static const enum role roles[] = {ROLE_LINE1, ROLE_LINE2, ROLE_LINE3, ROLE_LINE4};

	return roles[kernel % ARRAY_LEN(roles)];
}

/* The role of a cell of a slot: of a CTA that may issue that of its kernel, where several run. */
static enum role
slot_role(const struct screen *s, const struct cta_lifetimes *l, const struct bar_cell *k,
	  enum core_state state)
{
	if (k->cta != BAR_NO_CTA && k->state == CTA_STATE_RUNNING && state == CORE_ACTIVE &&
	    sim_runs_together(screen_sim(s)))
		return kernel_role(l->cta[k->cta].kernel);
	return role_of(k, state);
}

/* Draws the CTA's number, with that of its kernel if several run, after its first cell if the bar
 * is long enough and the cells hold no event. */
static void
draw_number(const struct bar_cell *cell, const struct cta_lifetime *life, bool together,
	    struct canvas *c, int x, int y, int from, int w)
{
	char text[32];
	int n = together ? snprintf(text, sizeof(text), "k%u:%u", life->kernel + 1, life->cta)
			 : snprintf(text, sizeof(text), "%u", life->cta);
	int at = from + (cell[from].issues == 1);

	for (int i = at; i < at + n; i++)
		if (i >= w || cell[i].cta != cell[from].cta || cell[i].issues > (i == from) ||
		    cell[i].pauses || cell[i].resumes || cell[i].ends)
			return;
	canvas_text(c, x + at, y, ROLE_VALUE, text);
}

void
bars_draw_slot(const struct screen *s, const struct cta_lifetimes *l, const struct bar_cell *cell,
	       struct canvas *c, int x, int y, int h)
{
	int cursor = axis_cursor_column(&s->axis), w = s->axis.w;

	for (int i = 0; i < w; i++) {
		const struct bar_cell *k = &cell[i];
		enum core_state state =
			k->cta == BAR_NO_CTA ? CORE_ACTIVE
					     : core_state_at(s, (unsigned)l->cta[k->cta].core, i);

		for (int row = 0; row < h; row++)
			canvas_put(c, x + i, y + row, slot_role(s, l, k, state),
				   row == 0 || k->issues ? event_glyph(k) : fill_glyph(k, false));
	}
	for (int i = 0; i < w; i++)
		if (cell[i].cta != BAR_NO_CTA && cell[i].issues <= 1 &&
		    (i == 0 || cell[i].cta != cell[i - 1].cta))
			draw_number(cell, &l->cta[cell[i].cta], sim_runs_together(screen_sim(s)), c,
				    x, y, i, w);
	for (int row = 0; cursor >= 0 && row < h; row++)
		canvas_put(c, x + cursor, y + row, ROLE_CURSOR, 0x2502);
}

/* Returns a block whose height is the share of slots with running CTAs; in ASCII it is a digit. */
static uint32_t
share_glyph(const struct screen *s, unsigned running, unsigned slots)
{
	if (!s->unicode)
		return running > 9 ? '+' : '0' + running;
	return 0x2580 + MAX(MIN(8 * running / MAX(slots, 1u), 8u), 1u);
}

void
bars_draw_core(const struct screen *s, const struct bar_cell *cell, struct canvas *c, int x, int y,
	       unsigned slots)
{
	int cursor = axis_cursor_column(&s->axis);

	for (int i = 0; i < s->axis.w; i++) {
		const struct bar_cell *k = &cell[i];
		enum role role = k->unknown	? ROLE_UNKNOWN
				 : k->suspended ? ROLE_PAUSED
						: ROLE_ACTIVE;

		if (i == cursor)
			canvas_put(c, x + i, y, ROLE_CURSOR, 0x2502);
		else if (k->unknown)
			canvas_put(c, x + i, y, role, k->cta == BAR_NO_CTA ? 0xb7 : GLYPH_UNKNOWN);
		else if (k->pauses || k->resumes)
			canvas_put(c, x + i, y, role, k->pauses ? 'p' : 'r');
		else if (k->running)
			canvas_put(c, x + i, y, role, share_glyph(s, k->running, slots));
		else if (k->suspended)
			canvas_put(c, x + i, y, role, GLYPH_PAUSED);
	}
}

void
bars_legend(const struct screen *s, struct canvas *c, int x, bool of_core)
{
	static const struct {
		enum role role;
		uint32_t glyph;
		const char *text;
		bool of_slot, of_core;
	} item[] = {{ROLE_ACTIVE, GLYPH_RUNS, "runs", true, false},
		    {ROLE_ACTIVE, GLYPH_FULL, "all run", false, true},
		    {ROLE_PAUSED, GLYPH_PAUSED, "paused", true, false},
		    {ROLE_PAUSED, GLYPH_HELD, "held", true, false},
		    {ROLE_ACTIVE, GLYPH_ISSUE, "issued", true, false},
		    {ROLE_PAUSED, 'p', "pause", true, true},
		    {ROLE_ACTIVE, 'r', "resume", true, true},
		    {ROLE_ACTIVE, GLYPH_SEVERAL, "several", true, false},
		    {ROLE_UNKNOWN, 0xb7, "dropped", true, true}};

	for (size_t i = 0; i < ARRAY_LEN(item); i++) {
		bool digits = of_core && item[i].glyph == GLYPH_FULL && !s->unicode;
		const char *text = digits ? "CTAs run" : item[i].text;

		if (!(of_core ? item[i].of_core : item[i].of_slot))
			continue;
		if (x + 2 + text_width(text) > c->w)
			break;
		canvas_put(c, x, 0, item[i].role, digits ? '9' : item[i].glyph);
		x += 2 + canvas_text(c, x + 2, 0, ROLE_DIM, text) + 2;
	}
}
