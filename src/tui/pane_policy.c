/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_policy.c - the policies at work on the core in focus: their gauges against their thresholds,
 * the limit n, how far the period is, and their last decisions in their own words.
 */
#include "tui/fmt.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SCALE_H 3 /* rows of a gauge */

/* Whole numbers as such, others with two places. */
static const char *
number(char *buf, double v)
{
	return fmt_num(buf, v, v == floor(v) || v >= 1000 ? 0 : 2);
}

/* The name of a threshold with its value, below its place at the bar. */
static void
threshold(struct canvas *c, int y, const char *name, double v, double max)
{
	char num[FMT_MAX], text[64];
	int w = c->w - 2, x;

	if (isnan(v))
		return;
	x = (int)(v / max * w + 0.5) - 1;
	snprintf(text, sizeof(text), "%.24s %s", name, number(num, v));
	canvas_text(c, MAX(1, MIN(x, 1 + w - text_width(text))), y, ROLE_THRESHOLD, text);
}

/* A gauge on a scale of its own: the bar in one row, its thresholds named below. */
static int
scale(struct canvas *c, int y, const struct gauge_view *v)
{
	double low = v->gauge->low ? v->now.low : NAN, high = v->gauge->high ? v->now.high : NAN;
	double max = 1.5 * fmax(low, high); /* fixed, so that the thresholds stay where they are */
	int w = c->w - 2;
	char num[FMT_MAX];

	if (w < 12)
		return y;
	if (!(max > 0))
		max = fmax(v->now.value, 1);
	canvas_fit(c, 1, y, 7, ROLE_DIM, v->gauge->name);
	canvas_right(c, 8, y, 7, ROLE_VALUE, number(num, v->now.value));
	y++;
	draw_bar(c, 1, y, w, v->now.value, max, low, high);
	if (v->now.value > max)
		canvas_put(c, w, y, ROLE_THRESHOLD, 0x25b8);
	y++;
	threshold(c, y, v->gauge->low, low, max);
	threshold(c, y, v->gauge->high, high, max);
	return y + 1;
}

/* Those of the core in focus and of the GPU, while half a screen of decisions stays. */
static int
draw_gauges(struct screen *s, struct canvas *c, int y, unsigned core)
{
	unsigned n = sim_gauges(screen_sim(s));
	struct gauge_view v;

	for (unsigned i = 0; i < n && y + SCALE_H + 6 <= c->h; i++) {
		sim_gauge_view(screen_sim(s), i, core, &v);
		y = scale(c, y, &v);
	}
	return y;
}

static int
draw_period(struct screen *s, struct canvas *c, int y)
{
	cycle_t done, period = sim_period(screen_sim(s), &done);
	char a[FMT_MAX], b[FMT_MAX];

	if (!period)
		return y;
	canvas_text(c, 1, y, ROLE_DIM, "period");
	canvas_right(c, 8, y, 7, ROLE_VALUE, fmt_u64(a, done));
	canvas_printf(c, 16, y, ROLE_DIM, "of %s", fmt_u64(b, period));
	int x = 20 + text_width(b);
	if (c->w - 1 - x >= 3)
		draw_bar(c, x, y, c->w - 1 - x, (double)done, (double)period, NAN, NAN);
	return y + 1;
}

/* One field of a policy's state: its name, then its value, that of the core in focus. */
static void
draw_field(struct screen *s, struct canvas *c, int y, const struct cta_sched_ops *o,
	   const struct cta_field *f, unsigned core)
{
	char path[96], num[FMT_MAX], index[16] = "";
	const char *word;
	uint64_t id;
	double v;

	if (f->per_core)
		snprintf(index, sizeof(index), ".%u", core);
	snprintf(path, sizeof(path), "policy.%s.%s%s", o->name, f->name, index);
	if (sim_path(screen_sim(s), path, &id, NULL) != 1)
		return;
	v = sim_value(screen_sim(s), id, 0);
	word = sim_value_name(screen_sim(s), id, v);
	canvas_fit(c, 1, y, 13, ROLE_DIM, f->name);
	canvas_fit(c, 15, y, c->w - 16, ROLE_VALUE,
		   word ? word : fmt_num(num, v, v == floor(v) ? 0 : 3));
}

/* The state of the policies that decide which cores work; of one core the limit n says it. */
static int
draw_fields(struct screen *s, struct canvas *c, int y, unsigned core)
{
	unsigned n;
	const struct cta_sched_ops *const *o = config_stack(sim_config(screen_sim(s)), &n);

	for (unsigned i = 0; i < n; i++)
		for (unsigned f = 0;
		     o[i]->role & CTA_ROLE_CORES && f < o[i]->n_fields && y + 3 < c->h; f++)
			draw_field(s, c, y++, o[i], &o[i]->fields[f], core);
	return y;
}

/* The last decisions about the core, newest first, wrapped; the rule's own sentence. */
static void
draw_decisions(struct screen *s, struct canvas *c, int y, unsigned core)
{
	char text[320], num[FMT_MAX];

	uint64_t seq = UINT64_MAX;
	enum decisions which = screen_decision(s, (int)core, DECISIONS_POLICY, &seq)
				       ? DECISIONS_POLICY
				       : DECISIONS_ALL;

	seq = UINT64_MAX;
	for (unsigned i = 0; y < c->h; i++) {
		const struct event *ev = screen_decision(s, (int)core, which, &seq);
		if (!ev) {
			if (i == 0)
				canvas_text(c, 1, y, ROLE_DIM, "no decision yet");
			return;
		}
		sim_event_text(screen_sim(s), ev, text, sizeof(text));
		/* "pause, core 5, cycle 22528: why": core is the pane's, the cycle stands in
		 * front. */
		const char *why = strstr(text, ": ");
		int x = 1 + canvas_text(c, 1, y, ROLE_DIM, fmt_u64(num, ev->cycle));
		canvas_text(c, x + 1, y, i ? ROLE_TEXT : ROLE_VALUE, event_rows[ev->kind].name);
		y++;
		if (why)
			y += canvas_wrap(c, 2, y, c->w - 3, c->h - y, i ? ROLE_DIM : ROLE_TEXT,
					 why + 2);
	}
}

static void
draw(struct screen *s, struct pane_view *view, struct canvas *c)
{
	unsigned core = session_focus_core(s->session);
	struct sim *sim = screen_sim(s);
	struct core_view v;
	int y = 1, x;

	canvas_put(c, 0, 0, ROLE_FOCUS, s->pane == view ? 0x25b8 : ' ');
	x = 1 + canvas_text(c, 1, 0, s->pane == view ? ROLE_FOCUS : ROLE_TITLE, "policy") + 1;
	if (!sim || core >= screen_cores(s))
		return;
	canvas_fit(c, x, 0, c->w - x - 1, ROLE_TEXT, config_policy_text(sim_config(sim)));
	sim_core_view(sim, core, &v);
	if (screen_live(s))
		y = draw_period(s, c, y);
	if (c->h >= 14 && screen_live(s)) {
		y = draw_gauges(s, c, y, core);
		canvas_text(c, 1, y, ROLE_DIM, "n");
		canvas_printf(c, 8, y, ROLE_VALUE, "%7u", v.limit);
		canvas_printf(c, 16, y, ROLE_DIM, "of %u", v.n_max);
		for (unsigned i = 0; i < v.n_max && 23 + (int)i < c->w; i++)
			canvas_put(c, 22 + (int)i, y, i < v.limit ? ROLE_BAR : ROLE_FRAME,
				   i < v.limit ? 0x25a0 : 0xb7);
		y += 2;
	}
	if (screen_live(s))
		y = draw_fields(s, c, y, core);
	draw_decisions(s, c, y, core);
}

const struct pane_ops pane_policy = {
	.name = "policy",
	.help = "The policy and the core in focus: gauges against thresholds, the limit n, the "
		"last decisions and "
		"why they were taken.",
	.min_w = 24,
	.min_h = 4,
	.kind = PANE_SIDE,
	.draw = draw,
};
