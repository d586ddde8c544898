/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_core.c - the inspector: shows the core in focus, now or at the time cursor.
 *
 * It reads the machine that the screen gives it, at the present or at the cursor's cycle. While
 * there is none of that cycle (replay.h), it shows the sample under the cursor, which holds less
 * (no slots, no warps): a value that is not recorded is left blank.
 */
#include "tui/cta_bars.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_W 8 /* columns of a row's name */

static void
draw_label(struct canvas *c, int y, const char *name)
{
	canvas_text(c, 1, y, ROLE_DIM, name);
}

/* Draws a small number, right-aligned in the first or second of two columns, and what it counts. */
static void
draw_amount(struct canvas *c, int place, int y, enum role role, double v, const char *what)
{
	int x = LABEL_W + 10 * place;
	char num[FMT_MAX];

	canvas_right(c, x, y, 3, role, fmt_num(num, v, 0));
	canvas_text(c, x + 4, y, role == ROLE_VALUE ? ROLE_TEXT : role, what);
}

static void
draw_ratio(struct canvas *c, int place, int y, double v, const char *what)
{
	int x = LABEL_W + 10 * place;
	char num[FMT_MAX];

	canvas_right(c, x, y, 5, ROLE_VALUE, fmt_num(num, v, 2));
	canvas_text(c, x + 6, y, ROLE_TEXT, what);
}

/* Draws a name, a number in a fixed column with a sign of its place among the thresholds, a bar
 * with their marks, and the upper one's number. */
static void
draw_counter(struct canvas *c, int y, const char *name, double v, double low, double high,
	     bool above)
{
	char num[FMT_MAX];
	double most = isnan(high) ? low : high, max = fmax(2 * most, 1);
	int bar = c->w - LABEL_W - 8 - 6;
	uint32_t sign;
	enum role role = gauge_role(v, low, high, above, &sign);

	canvas_fit(c, 1, y, LABEL_W - 1, ROLE_DIM, name);
	canvas_right(c, LABEL_W - 1, y, 7, role, fmt_num(num, v, 0));
	canvas_put(c, LABEL_W + 6, y, role, sign);
	if (isnan(most))
		return;
	if (bar > 2)
		draw_gauge_bar(c, LABEL_W + 7, y, bar, v, max, low, high);
	canvas_right(c, c->w - 6, y, 5, ROLE_THRESHOLD, fmt_num(num, most, 0));
}

/* Draws a character for each slot. Where several kernels run together, a running CTA has the last
 * digit of its kernel, in the colour that the kernel has in other panes. */
static void
draw_slots(struct canvas *c, int y, const struct core_view *v, bool together)
{
	int x = LABEL_W;

	draw_label(c, y, "slots");
	for (unsigned i = 0; i < v->n_slots && i < MAX_CTAS; i++) {
		const struct cta_slot_view *t = &v->slot[i];
		canvas_put(c, x++, y,
			   !t->used    ? ROLE_EMPTY
			   : t->paused ? ROLE_PAUSED
			   : together  ? kernel_role(t->kernel)
				       : ROLE_ACTIVE,
			   !t->used    ? 0xb7
			   : t->held   ? 'H'
			   : t->paused ? 'P'
			   : together  ? '0' + (t->kernel + 1) % 10
				       : 'R');
	}
}

#define GAUGES 2 /* most rows of gauges */

/* Draws what the policies compare on this core, or the machine's counters if they compare nothing.
 */
static int
draw_gauges(struct screen *s, struct canvas *c, int y, const struct core_view *v)
{
	unsigned drawn = 0, n = sim_gauges(screen_sim(s));
	struct gauge_view g;

	for (unsigned i = 0; i < n && drawn < GAUGES; i++) {
		sim_gauge_view(screen_sim(s), i, v->core, &g);
		if (!g.gauge->per_core)
			continue;
		draw_counter(c, ++y, g.gauge->name, g.shown.value, g.shown.low, g.shown.high,
			     g.gauge->above);
		drawn++;
	}
	if (drawn)
		return y;
	draw_counter(c, ++y, "C_mem", (double)v->period_c_mem, NAN, NAN, false);
	draw_counter(c, ++y, "C_idle", (double)v->period_c_idle, NAN, NAN, false);
	return y;
}

/* A request leaves the register one lower: from pa + pl on it is granted, below that it needs a
 * global credit as well, and below 0 it is refused (sched_claso.c). Returns the register from which
 * on the first is so; NaN: the policy has no such parameters. */
static double
free_credits(const struct sim *sim)
{
	static const char *const part[] = {"pa", "pl"};
	const struct config *cfg = sim_config(sim);
	const struct cta_sched_ops *o = config_credit_policy(cfg);
	double sum = 1;

	for (size_t i = 0; o && i < ARRAY_LEN(part); i++) {
		char key[64], value[64];
		struct err e = {0};

		snprintf(key, sizeof(key), "%s.%s", o->name, part[i]);
		if (opt_get(config_db_const(cfg), key, value, sizeof(value), &e) < 0)
			return (double)NAN;
		sum += strtod(value, NULL);
	}
	return o ? sum : (double)NAN;
}

/* Draws the credit registers; the local one with the sign of its place among the thresholds. */
static void
draw_credits(struct screen *s, struct canvas *c, int y, const struct core_view *v)
{
	struct sim *sim = screen_sim(s);
	unsigned n = series_count(sim);
	double from = free_credits(sim);
	uint32_t sign;
	enum role role =
		gauge_role((double)v->credits_local, isnan(from) ? from : 1, from, false, &sign);

	draw_label(c, y, "credits");
	draw_amount(c, 0, y, role, (double)v->credits_local, "");
	canvas_put(c, LABEL_W + 3, y, role, sign);
	canvas_text(c, LABEL_W + 4, y, ROLE_TEXT, "local");
	draw_amount(c, 1, y, ROLE_VALUE, n ? series_gpu(sim, SG_CREDITS, n - 1) : (double)NAN,
		    "global");
}

/* Orders the classes by their cycles, most first. */
static void
sort_classes(const uint64_t cycles[CC_CLASSES], int order[CC_CLASSES])
{
	for (int i = 0; i < CC_CLASSES; i++) {
		int k = i;

		for (; k > 0 && cycles[order[k - 1]] < cycles[i]; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

/* Draws the shares of the run's cycles, with one letter and colour per class. */
static void
draw_classes(struct canvas *c, int y, const uint64_t cycles[CC_CLASSES])
{
	double all = 0, sum = 0;
	int w = c->w - LABEL_W - 1, x = 0;

	for (int i = 0; i < CC_CLASSES; i++)
		all += (double)cycles[i];
	draw_label(c, y, "cycles");
	for (int i = 0; i < CC_CLASSES && all > 0; i++) {
		sum += (double)cycles[i];
		for (; x < (int)(sum / all * w + 0.5); x++)
			canvas_put(c, LABEL_W + x, y, class_role((unsigned)i),
				   class_glyph((unsigned)i));
	}
	/* The legend, without classes that do not occur; the largest first, as the last may have no
	 * room. */
	int lx = LABEL_W, order[CC_CLASSES];
	draw_label(c, y + 1, "of run");
	sort_classes(cycles, order);
	for (int k = 0; k < CC_CLASSES; k++) {
		char text[32];
		int i = order[k];
		if (!cycles[i])
			continue;
		snprintf(text, sizeof(text), "%-6s%3.0f%%", class_short_name((unsigned)i),
			 all > 0 ? 100 * (double)cycles[i] / all : 0);
		if (lx + text_width(text) > c->w) {
			lx = LABEL_W;
			y++;
		}
		/* The background of "off" would highlight this word like a warning. */
		canvas_text(c, lx, y + 1, i == CC_GATED ? ROLE_DIM : class_role((unsigned)i), text);
		lx += 11;
	}
}

/* The colour of what a core waits for is that of its class of cycles. */
static enum role
role_of_state(const struct core_view *v)
{
	static const uint8_t class_of[CORE_WAITS] = {
		[WAIT_POLICY] = CC_STALL, [WAIT_MEMORY] = CC_MEMORY, [WAIT_RESULT] = CC_DEPENDENCE,
		[WAIT_FETCH] = CC_IDLE,	  [WAIT_BARRIER] = CC_IDLE,  [WAIT_HELD] = CC_IDLE,
		[WAIT_END] = CC_IDLE};
	enum core_wait wait = core_wait_of(v);

	if (v->state != CORE_ACTIVE || wait == WAIT_NOTHING)
		return state_role((unsigned)v->state);
	return wait == WAIT_CTA ? state_role(5) : class_role(class_of[wait]);
}

static void
draw_live(struct screen *s, struct canvas *c, unsigned core)
{
	struct core_view v;
	int x, y = 0;

	sim_core_view(screen_sim(s), core, &v);
	canvas_text(c, 14, y, role_of_state(&v), core_state_text(&v));
	draw_label(c, ++y, "n");
	draw_amount(c, 0, y, ROLE_VALUE, v.limit, "");
	x = LABEL_W + 5 + canvas_printf(c, LABEL_W + 4, y, ROLE_TEXT, "of %u", v.n_max);
	if (sim_runs_together(screen_sim(s)))
		x += 1 + canvas_printf(c, x, y, ROLE_DIM, "k%u", v.kernel);
	draw_limiters(c, x, y, c->w - x, screen_sim(s), v.kernel);
	draw_label(c, ++y, "CTAs");
	draw_amount(c, 0, y, ROLE_VALUE, v.running, "run");
	draw_amount(c, 1, y, v.paused ? ROLE_PAUSED : ROLE_TEXT, v.paused, "paused");
	draw_label(c, ++y, "warps");
	draw_amount(c, 0, y, ROLE_VALUE, v.warps_ready, "ready");
	draw_amount(c, 1, y, ROLE_VALUE, v.warps_memory, "memory");
	y = draw_gauges(s, c, y, &v);
	if (v.has_credits)
		draw_credits(s, c, ++y, &v);
	draw_label(c, ++y, "RACT");
	draw_ratio(c, 0, y, v.ract_now, s->replay.given ? "then" : "now");
	draw_ratio(c, 1, y, v.ract, "run");
	draw_slots(c, ++y, &v, sim_runs_together(screen_sim(s)));
	if (c->h >= y + 3)
		draw_classes(c, ++y, v.class_cycles);
}

static void
draw_past(struct screen *s, struct canvas *c, unsigned core)
{
	char num[FMT_MAX];
	double running = screen_series(s, SC_RUNNING, core),
	       resident = screen_series(s, SC_RESIDENT, core);
	double state = screen_series(s, SC_STATE, core);
	int sample = screen_level_sample(s), y = 0;

	if (sample < 0)
		return;
	if (state >= 0 && state < HEAT_STATES)
		canvas_text(c, 14, y, state_role((unsigned)state),
			    state < 5 ? core_state_names[(unsigned)state] : "no CTA");
	draw_label(c, ++y, "n");
	draw_amount(c, 0, y, ROLE_VALUE, screen_series(s, SC_LIMIT, core), "");
	draw_label(c, ++y, "CTAs");
	draw_amount(c, 0, y, ROLE_VALUE, running, "run");
	draw_amount(c, 1, y, resident > running ? ROLE_PAUSED : ROLE_TEXT, resident - running,
		    "paused");
	draw_label(c, ++y, "then");
	canvas_text(c, LABEL_W + 1, y, ROLE_CURSOR, fmt_u64(num, axis_cursor(&s->axis)));
	canvas_text(c, LABEL_W + 2 + text_width(num), y, ROLE_DIM, "(f: now)");
	draw_counter(c, ++y, "C_mem", screen_series(s, SC_C_MEM, core), NAN, NAN, false);
	canvas_text(c, LABEL_W + 7, y, ROLE_DIM, "in the sample");
	draw_counter(c, ++y, "C_idle", screen_series(s, SC_C_IDLE, core), NAN, NAN, false);
	canvas_text(c, LABEL_W + 7, y, ROLE_DIM, "in the sample");
	if (!isnan(screen_series(s, SC_CREDITS, core))) {
		draw_label(c, ++y, "credits");
		draw_amount(c, 0, y, ROLE_VALUE, screen_series(s, SC_CREDITS, core), "local");
		draw_amount(c, 1, y, ROLE_VALUE,
			    series_gpu(screen_sim(s), SG_CREDITS, (unsigned)sample), "global");
	}
	draw_label(c, ++y, "RACT");
	draw_ratio(c, 0, y, screen_series(s, SC_RACT, core), "then");
}

static void
draw_pane(struct screen *s, struct pane_view *view, struct canvas *c)
{
	unsigned core = session_focus_core(s->session);
	bool active = s->pane == view;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	canvas_printf(c, 1, 0, active ? ROLE_FOCUS : ROLE_TITLE, "core %u", core);
	if (!screen_sim(s) || core >= screen_cores(s))
		return;
	if (screen_live(s))
		draw_live(s, c, core);
	else
		draw_past(s, c, core);
}

const struct pane_ops pane_core = {
	.name = "core",
	.help = "The core in focus (j k choose it): its limit n, CTAs, warps, counters and slots "
		"(R runs, P paused).",
	.read = "The state of the core in focus, or what it waits for while no warp is ready; its "
		"limit n of the most that fit and what "
		"limits these, its CTAs and warps, what the policy "
		"weighs with its thresholds as marks in a bar and the upper one at the right, "
		"credits (beside a number < is below the lower threshold, = between, > or its "
		"like at the upper or above: of local credits refused, granted with a "
		"global credit, granted), RACT of the last "
		"sample (now; then with the cursor in the past) and of the "
		"run, its slots (R running, or the kernel where several run together, P paused, H "
		"held, a dot free), and where its cycles "
		"went over the run, a letter per "
		"class, the letters of pane classes (idle includes barriers and fetches, which "
		"C_idle "
		"does not). With the cursor in the past it is the state "
		"at that cycle; while the model runs, what the sample there knows.",
	.keys = "j and k choose the core.",
	.also = "core, info core, info warps, pane warps, break core",
	.min_w = 24,
	.min_h = 10,
	.best_h = 13,
	.kind = PANE_SIDE,
	.looks = PANE_LOOKS_STATE,
	.draw = draw_pane,
};
