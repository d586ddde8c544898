/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_slots.c - shows the CTA slots of the core in focus over time, with a bar for each CTA. `pane
 * slots all` has a row for each core.
 *
 * The bars come from the events that are still kept, as those of `dump csv ctas` do; earlier cycles
 * are shown as not kept. One slot is chosen: the cursor is drawn in its row, and Enter runs `why`
 * for the CTA there.
 */
#include "tui/cta_bars.h"
#include "tui/fmt.h"
#include "tui/panes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 3 /* most rows of a bar; more would show nothing new */

struct slots {
	struct cta_lifetimes lives;
	struct bar_cell *cell; /* the cells of one row */
	int size;
	bool all;	 /* one row for each core */
	unsigned chosen; /* the chosen slot */
	unsigned top;	 /* first visible row */
	int row_h;	 /* screen rows per row of the pane, in the last frame */
};

static int
open_slots(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e)
{
	struct slots *own;

	if (v->arg[0] && strcmp(v->arg, "all") != 0)
		return err_set(e,
			       "pane slots: expected all, or nothing for the core in focus; "
			       "found '%s'",
			       v->arg);
	own = v->own = calloc(1, sizeof(*own));
	if (!own)
		return err_nomem(e);
	own->all = v->arg[0] != '\0';
	return 0;
}

static void
close_slots(struct pane_view *v)
{
	struct slots *own = v->own;

	if (own) {
		lifetimes_free(&own->lives);
		free(own->cell);
	}
	free(own);
	v->own = NULL;
}

/* When the pane is hidden, forget the lifetimes; they are read again from the events when it is
 * shown. */
static void
forget_lifetimes(struct screen *s ATTR_UNUSED, struct pane_view *v)
{
	struct slots *own = v->own;

	if (own)
		lifetimes_free(&own->lives);
}

static void
each_word(void (*fn)(void *to, const char *word), void *to)
{
	fn(to, "all");
}

/* Returns the number of slots that held a CTA or may hold one of the running kernel. */
static unsigned
slots_in_use(const struct screen *s, struct slots *own)
{
	struct core_view v;
	unsigned n = 1;

	lifetimes_read(&own->lives, screen_sim(s));
	sim_core_view(screen_sim(s), 0, &v);
	n = MAX(n, v.n_max);
	for (size_t i = 0; i < own->lives.n; i++)
		n = MAX(n, (unsigned)own->lives.cta[i].slot + 1);
	return MIN(n, (unsigned)MAX_CTAS);
}

/* Returns the rows of the pane: slots and the limit below them, or cores, which take whole rows of
 * the screen. */
static unsigned
count_rows(const struct screen *s, const struct pane_view *v)
{
	struct slots *own = v->own;

	if (!own || !screen_sim(s))
		return 8;
	return own->all ? 2 * screen_cores(s) : slots_in_use(s, own) + 1;
}

/* ---------------------------------------------------------------- drawing */

static bool
make_cells(const struct screen *s, struct slots *own)
{
	struct bar_cell *p = own->cell;

	if (s->axis.w > own->size)
		p = realloc(own->cell, sizeof(*p) * (size_t)s->axis.w);
	if (!p)
		return false;
	own->cell = p;
	own->size = MAX(own->size, s->axis.w);
	return true;
}

static void
draw_label(const struct screen *s, struct canvas *c, int y, unsigned n, bool stop, bool is_chosen)
{
	int label = heat_label_width(screen_cores(s));
	char num[16];

	canvas_put(c, 0, y, ROLE_STOP, stop ? 0x25cf : ' ');
	snprintf(num, sizeof(num), "%u", n);
	canvas_right(c, 1, y, label - 2, is_chosen ? ROLE_FOCUS : ROLE_DIM, num);
	canvas_put(c, label - 1, y, ROLE_FOCUS, is_chosen ? 0x25b8 : ' ');
}

/* Draws the limit where it changes, a line while it stays, and the letter of the core's state while
 * it is not active. */
static void
draw_limit(const struct screen *s, struct canvas *c, int y, unsigned core)
{
	const struct sim *sim = screen_sim(s);
	int label = heat_label_width(screen_cores(s)), free = 0;
	double last = -1;

	canvas_text(c, label - 2, y, ROLE_DIM, "n");
	for (int x = 0; x < s->axis.w; x++) {
		cycle_t from = s->axis.t0 + s->axis.per * (cycle_t)x;
		int i = series_level_at(sim, MIN(from + s->axis.per, s->axis.now));
		double n, state;

		if (from >= s->axis.now)
			break;
		if (i < 0) /* the first sample has not ended yet */
			continue;
		n = series_core(sim, SC_LIMIT, core, (unsigned)i);
		state = series_core(sim, SC_STATE, core, (unsigned)i);
		if (x == axis_cursor_column(&s->axis)) {
			canvas_put(c, label + x, y, ROLE_CURSOR, 0x2502);
			free = MAX(free, x + 1);
		} else if (state > CORE_ACTIVE && state <= CORE_OFF) {
			canvas_put(c, label + x, y, state_role((unsigned)state),
				   state_glyph((unsigned)state));
			last = -1;
		} else if (n > last || n < last) {
			if (x >= free)
				free = x + canvas_printf(c, label + x, y, ROLE_VALUE, "%.0f", n);
			last = n;
		} else if (x >= free) {
			canvas_put(c, label + x, y, ROLE_FRAME, 0x2500);
		}
	}
}

/* Draws the visible ones of n slots. Returns true if most CTAs are shorter than a column. */
static bool
draw_slots(struct screen *s, struct slots *own, struct canvas *c, unsigned n)
{
	unsigned core = session_focus_core(s->session);
	int label = heat_label_width(screen_cores(s)), left = c->h - 2, visible;
	bool dense = false;

	own->row_h = MAX(MIN(left / (int)n, ROWS_MOST), 1);
	visible = left / own->row_h;
	own->chosen = MIN(own->chosen, n - 1);
	own->top = MIN(own->top, own->chosen);
	if (own->chosen >= own->top + (unsigned)MAX(visible, 1))
		own->top = own->chosen - (unsigned)MAX(visible, 1) + 1;
	for (int i = 0; i < visible && own->top + (unsigned)i < n; i++) {
		unsigned slot = own->top + (unsigned)i;
		int y = 1 + i * own->row_h;

		bars_compose(&own->lives, &s->axis, (int)core, (int)slot, own->cell);
		dense |= bars_are_dense(own->cell, s->axis.w);
		draw_label(s, c, y, slot, false, slot == own->chosen);
		bars_draw_slot(s, &own->lives, own->cell, c, label, y, own->row_h);
	}
	draw_limit(s, c, 1 + MIN(visible, (int)(n - own->top)) * own->row_h, core);
	return dense;
}

static void
draw_cores(struct screen *s, struct slots *own, struct canvas *c)
{
	unsigned n = screen_cores(s), focus = session_focus_core(s->session);
	unsigned slots = slots_in_use(s, own), visible = (unsigned)MAX(c->h - 1, 1);
	int label = heat_label_width(n);

	own->row_h = 1;
	own->top = MIN(own->top, focus);
	if (focus >= own->top + visible)
		own->top = focus - visible + 1;
	if (own->top + visible > n)
		own->top = n > visible ? n - visible : 0;
	for (unsigned i = 0; i < visible && own->top + i < n; i++) {
		unsigned core = own->top + i;

		bars_compose(&own->lives, &s->axis, (int)core, -1, own->cell);
		draw_label(s, c, 1 + (int)i, core, session_core_has_stop(s->session, core),
			   core == focus);
		bars_draw_core(s, own->cell, c, label, 1 + (int)i, slots);
	}
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	struct slots *own = v->own;
	bool active = s->pane == v, dense = false;
	char title[48];
	int x;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	if (!own || !screen_sim(s) || !make_cells(s, own))
		return;
	if (own->all)
		draw_cores(s, own, c);
	else if (c->h > 2)
		dense = draw_slots(s, own, c, slots_in_use(s, own));
	if (sim_cycle(screen_sim(s)) == 0)
		canvas_wrap(
			c, heat_label_width(screen_cores(s)) + 3, c->h / 3, c->w - 8, c->h / 2,
			ROLE_DIM,
			"No CTA has been issued yet; Space runs the model, x closes this pane.");
	if (own->all && (int)screen_cores(s) > c->h - 1)
		snprintf(title, sizeof(title), "CTAs, cores %u-%u", own->top,
			 own->top + (unsigned)MAX(c->h - 1, 1) - 1);
	else if (own->all)
		snprintf(title, sizeof(title), "CTAs of every core");
	else
		snprintf(title, sizeof(title), "CTA slots of core %u",
			 session_focus_core(s->session));
	x = 1 + canvas_fit(c, 1, 0, c->w - 2, active ? ROLE_FOCUS : ROLE_TITLE, title) + 2;
	if (own->lives.no_memory)
		canvas_fit(c, x, 0, c->w - x, ROLE_TEXT, "out of memory: some CTAs are missing");
	else if (dense)
		canvas_fit(c, x, 0, c->w - x, ROLE_TEXT, "several CTAs in a column: + zooms in");
	else
		bars_legend(s, c, x, own->all);
}

/* ---------------------------------------------------------------- the CTA under the cursor */

static const struct cta_lifetime *
cta_at_cursor(const struct screen *s, struct slots *own)
{
	cycle_t at = axis_cursor(&s->axis);

	lifetimes_read(&own->lives, screen_sim(s));
	return bars_cta_at(&own->lives, (int)session_focus_core(s->session), (int)own->chosen, at);
}

/* Writes "slot 3: CTA 41 paused" for the line below the panes. */
static void
describe_cursor(struct screen *s, struct pane_view *v, char *buf, size_t size)
{
	struct slots *own = v->own;
	const struct cta_lifetime *c;
	cycle_t at = axis_cursor(&s->axis);
	char of[24] = "";

	buf[0] = '\0';
	if (!own || own->all || !screen_sim(s))
		return;
	c = cta_at_cursor(s, own);
	if (c && sim_runs_together(screen_sim(s)))
		snprintf(of, sizeof(of), " of k%" PRIu32, c->kernel + 1);
	if (c)
		snprintf(buf, size, "slot %u: CTA %" PRIu32 "%s %s", own->chosen, c->cta, of,
			 at < own->lives.kept_from
				 ? "resident"
				 : cta_state_names[lifetime_state(&own->lives, c, at)]);
	else
		snprintf(buf, size, "slot %u: %s", own->chosen,
			 at < own->lives.kept_from ? "dropped" : "free");
}

static const char *
ask_why(struct screen *s, struct slots *own, char *buf, size_t size)
{
	const struct cta_lifetime *c = cta_at_cursor(s, own);
	char num[FMT_MAX];

	if (!c) {
		screen_notice(s, "no CTA is known in slot %u at cycle %s; h l move the cursor",
			      own->chosen, fmt_u64(num, axis_cursor(&s->axis)));
		return "";
	}
	snprintf(buf, size, "why cta %" PRIu32 " kernel %" PRIu32, c->cta, c->kernel + 1);
	return buf;
}

static const char *
handle_key(struct screen *s, struct pane_view *v, int k, char *buf, size_t size)
{
	struct slots *own = v->own;

	if (!own || !screen_sim(s) || s->log_open)
		return NULL;
	if (k == 'o')
		return own->all ? "pane slots" : "pane slots all";
	if (k == '\r')
		return own->all ? "pane slots" : ask_why(s, own, buf, size);
	if (own->all || (k != K_UP && k != K_DOWN))
		return NULL;
	if (k == K_UP)
		own->chosen -= own->chosen > 0;
	else
		own->chosen = MIN(own->chosen + 1, slots_in_use(s, own) - 1);
	return "";
}

static void
choose_slot(struct screen *s, struct pane_view *v, int x ATTR_UNUSED, int y)
{
	struct slots *own = v->own;

	if (!own || !screen_sim(s) || y < 1 || own->row_h < 1)
		return;
	if (own->all)
		session_set_focus_core(s->session,
				       MIN(own->top + (unsigned)(y - 1), screen_cores(s) - 1));
	else
		own->chosen =
			MIN(own->top + (unsigned)((y - 1) / own->row_h), slots_in_use(s, own) - 1);
}

const struct pane_ops pane_slots = {
	.name = "slots",
	.help = "The CTA slots of the core in focus over time: a bar for each CTA, solid while it "
		"runs, hatched while it is paused. pane slots all: a row for each core. As the "
		"active pane: Up Down choose a slot, Enter explains its CTA, o changes to all "
		"cores and back.",
	.read = "A row is a slot, a bar is a CTA from its issue to its end with its number; where "
		"several kernels run, k2:41 is CTA 41 of kernel 2. It is "
		"solid while the CTA runs, hatched while it is paused, an outline while it is held "
		"(its warps do not issue at all). p and r mark pause and resume; a vertical dotted "
		"cell stands for several CTAs in one column, which + takes apart. The row n below "
		"is the limit of running CTAs where it changes, or the letter of the core's state "
		"while it is not active: d draining, t throttled, p paused, a cross off. With all, "
		"a cell is the higher the more CTAs of the core run; without Unicode it is their "
		"number. Only the newest events are kept (run.events): dots (dropped) are cycles "
		"before "
		"them, a dashed bar is a CTA that was there then.",
	.keys = "j and k choose the core, Up and Down the slot, h and l the cycle. Enter explains "
		"the CTA there (why cta). o changes between one core and all; there Enter shows "
		"the core.",
	.also = "why, info ctas, info core, dump csv ctas, pane grid, pane warps",
	.arg = "[all]",
	.min_w = 20,
	.min_h = 4,
	.kind = PANE_TIME,
	.looks = PANE_LOOKS_EVENTS,
	.words = each_word,
	.rows = count_rows,
	.open = open_slots,
	.close = close_slots,
	.hidden = forget_lifetimes,
	.draw = draw_pane,
	.at = describe_cursor,
	.click = choose_slot,
	.key = handle_key,
};
