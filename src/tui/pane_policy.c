/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_policy.c - the policy at work on the core in focus: its counters against its thresholds, the
 * limit n, how far the period is, and its last decisions in its own words.
 */
#include "tui/fmt.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A counter on a scale of its own: the bar in one row, its thresholds named below. */
static int
scale(struct screen *s, struct canvas *c, int y, const char *name, double v, const char *low,
      const char *high)
{
	double tl = low ? screen_policy_number(s, low) : NAN, th = screen_policy_number(s, high);
	double max = th * 1.5; /* fixed, so that the thresholds stay where they are */
	int w = c->w - 2;
	char num[FMT_MAX], text[64];

	if (isnan(th) || w < 12)
		return y;
	canvas_text(c, 1, y, ROLE_DIM, name);
	canvas_right(c, 8, y, 7, ROLE_VALUE, fmt_num(num, v, 0));
	y++;
	draw_bar(c, 1, y, w, v, max, tl, th);
	if (v > max)
		canvas_put(c, w, y, ROLE_THRESHOLD, 0x25b8);
	y++;
	if (!isnan(tl)) {
		snprintf(text, sizeof text, "%s %s", low, fmt_num(num, tl, 0));
		canvas_text(c, MAX(1, 1 + (int)(tl / max * w + 0.5) - 2), y, ROLE_THRESHOLD, text);
	}
	snprintf(text, sizeof text, "%s %s", high, fmt_num(num, th, 0));
	int x = 1 + (int)(th / max * w + 0.5) - 2;
	canvas_text(c, MAX(1, MIN(x, 1 + w - text_width(text))), y, ROLE_THRESHOLD, text);
	return y + 1;
}

static int
draw_period(struct screen *s, struct canvas *c, int y, const struct core_view *v)
{
	double period = screen_policy_number(s, "period");
	char a[FMT_MAX], b[FMT_MAX];

	if (v->period_left == CYCLE_NEVER || !(period >= 1))
		return y;
	double done = period - (double)v->period_left;
	canvas_text(c, 1, y, ROLE_DIM, "period");
	canvas_right(c, 8, y, 7, ROLE_VALUE, fmt_num(a, done, 0));
	canvas_printf(c, 16, y, ROLE_DIM, "of %s", fmt_num(b, period, 0));
	int x = 20 + text_width(b);
	if (c->w - 1 - x >= 3)
		draw_bar(c, x, y, c->w - 1 - x, done, period, NAN, NAN);
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
		snprintf(index, sizeof index, ".%u", core);
	snprintf(path, sizeof path, "policy.%s.%s%s", o->name, f->name, index);
	if (sim_path(screen_sim(s), path, &id, NULL) != 1)
		return;
	v = sim_value(screen_sim(s), id, 0);
	word = sim_value_name(screen_sim(s), id, v);
	canvas_fit(c, 1, y, 13, ROLE_DIM, f->name);
	canvas_fit(c, 15, y, c->w - 16, ROLE_VALUE,
		   word ? word : fmt_num(num, v, v == floor(v) ? 0 : 3));
}

/* The state of the policies that decide which cores work; those on one core have scales. */
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
		sim_event_text(screen_sim(s), ev, text, sizeof text);
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
draw(struct screen *s, struct canvas *c)
{
	unsigned core = session_focus_core(s->session);
	struct sim *sim = screen_sim(s);
	struct core_view v;
	int y = 1, x;

	canvas_put(c, 0, 0, ROLE_FOCUS, s->pane == &pane_policy ? 0x25b8 : ' ');
	x = 1 + canvas_text(c, 1, 0, s->pane == &pane_policy ? ROLE_FOCUS : ROLE_TITLE, "policy") +
	    1;
	if (!sim || core >= screen_cores(s))
		return;
	canvas_fit(c, x, 0, c->w - x - 1, ROLE_TEXT, config_policy_text(sim_config(sim)));
	sim_core_view(sim, core, &v);
	if (screen_live(s))
		y = draw_period(s, c, y, &v);
	if (c->h >= 14 && screen_live(s)) {
		y = scale(s, c, y, "C_mem", (double)v.period_c_mem, "t_mem_l", "t_mem_h");
		y = scale(s, c, y, "C_idle", (double)v.period_c_idle, NULL, "t_idle");
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
	.help = "The policy and the core in focus: counters against thresholds, the limit n, the "
		"last decisions and "
		"why they were taken.",
	.min_w = 24,
	.min_h = 4,
	.draw = draw,
};
