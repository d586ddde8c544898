/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_policy.c - shows the policies at work on the core in focus: what they compare with which
 * thresholds, in the last complete period and in the current one, the limit n, the progress of the
 * period, and their decisions.
 *
 * The last complete period led to the decisions, so it comes first: at the end of a period all
 * counters restart, and the current one would show 0. A decision that changed the limit is "7 -> 6"
 * and its reason; consecutive decisions that left it alone share one line.
 */
#include "tui/fmt.h"

#include "base/ascii.h"
#include "tui/panes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_W 7    /* columns of a gauge's name */
#define VALUE_W 8   /* columns of its value */
#define FOLDED 512  /* most decisions examined for one line */
#define DECISIONS 5 /* rows reserved for decisions */

/* Formats whole numbers without decimals and others with two. */
static const char *
number_text(char *buf, double v)
{
	return fmt_num(buf, v, v == floor(v) || v >= 1000 ? 0 : 2);
}

/* ---------------------------------------------------------------- gauges */

/* What is known of a gauge at the cursor; running is NaN if nothing is. */
struct gauge_shown {
	const struct cta_gauge *gauge;
	/* Of the last complete period, or of the current one if there is none. */
	struct cta_reading last;
	double running;
	double max; /* the end of the bars; fixed, so that thresholds keep their columns */
};

/* Reads from a decision the number named like the gauge, in lower case, and its thresholds. */
static bool
read_decision(const struct sim *sim, const struct event *ev, const struct cta_gauge *g,
	      struct cta_reading *r)
{
	const struct rule *rule = sim_event_rule(sim, ev);
	char name[32];
	size_t n = 0;
	int i;

	for (; g->name[n] && n + 1 < sizeof(name); n++)
		name[n] = ascii_lower(g->name[n]);
	if ((i = rule_find(rule, name, n)) < 0)
		return false;
	r->value = (double)ev->v[i];
	if (g->low && (i = rule_find(rule, g->low, strlen(g->low))) >= 0)
		r->low = (double)ev->v[i];
	if (g->high && (i = rule_find(rule, g->high, strlen(g->high))) >= 0)
		r->high = (double)ev->v[i];
	return true;
}

/* The decision before *seq about a core: where several kernels run together and the cursor is at
 * the newest cycle, one about the kernel that the core is shown with. Each kernel has limits of its
 * own, also on cores where it has no CTA. */
static const struct event *
previous_decision(struct screen *s, unsigned core, enum decisions which, uint64_t *seq)
{
	const bool one_kernel = sim_runs_together(screen_sim(s)) && screen_live(s);
	const struct event *ev;
	struct core_view v;

	if (one_kernel)
		sim_core_view(screen_sim(s), core, &v);
	do
		ev = screen_decision(s, (int)core, which, seq);
	while (ev && one_kernel && ev->kernel + 1u != v.kernel);
	return ev;
}

/* In the past, the decisions tell what was compared. What they do not name is unknown. */
static void
gauge_then(struct screen *s, unsigned core, struct gauge_shown *g)
{
	uint64_t seq = UINT64_MAX;
	const struct event *ev = previous_decision(s, core, DECISIONS_POLICY, &seq);

	g->last.value = NAN;
	if (ev)
		read_decision(screen_sim(s), ev, g->gauge, &g->last);
}

static void
gauge_at_cursor(struct screen *s, unsigned i, unsigned core, struct gauge_shown *g)
{
	struct gauge_view v;

	sim_gauge_view(screen_sim(s), i, core, &v);
	*g = (struct gauge_shown){.gauge = v.gauge, .last = v.last, .running = NAN};
	g->last.low = v.gauge->low ? v.now.low : NAN;
	g->last.high = v.gauge->high ? v.now.high : NAN;
	g->max = 1.5 * fmax(g->last.low, g->last.high);
	if (!(g->max > 0))
		g->max = fmax(fmax(v.now.value, isnan(v.last.value) ? 0 : v.last.value), 1);
	if (!screen_live(s))
		gauge_then(s, core, g);
	else if (v.last_end == CYCLE_NEVER)
		g->last.value = NAN, g->running = v.now.value; /* during the first period */
	else if (v.last_end != sim_cycle(screen_sim(s)))
		g->running = v.now.value;
}

/* Draws a row with the name, a bar that fills towards the thresholds, and the value. */
static void
gauge_bar(struct canvas *c, int y, const char *name, double value, const struct gauge_shown *g)
{
	int x = 1 + NAME_W + VALUE_W + 1, w = c->w - x - 1;
	char num[FMT_MAX];
	uint32_t mark;
	enum role role;

	canvas_fit(c, 1, y, NAME_W, ROLE_DIM, name);
	role = gauge_role(value, g->last.low, g->last.high, g->gauge->above, &mark);
	canvas_right(c, 1 + NAME_W, y, VALUE_W, role, number_text(num, value));
	canvas_put(c, 1 + NAME_W + VALUE_W, y, role, mark);
	if (w < 4)
		return;
	draw_gauge_bar(c, x, y, w, value, g->max, g->last.low, g->last.high);
	if (value > g->max)
		canvas_put(c, x + w - 1, y, role, 0x25b8);
}

/* Draws the names and values of the thresholds, each below its mark if there is room. */
static void
gauge_thresholds(struct canvas *c, int y, const struct gauge_shown *g)
{
	double v[2] = {g->last.low, g->last.high};
	const char *name[2] = {g->gauge->low, g->gauge->high};
	int bar = 1 + NAME_W + VALUE_W + 1, w = c->w - bar - 1, end = c->w - 1;

	for (int i = 1; i >= 0; i--) {
		char num[FMT_MAX], text[64];
		if (isnan(v[i]) || !name[i])
			continue;
		snprintf(text, sizeof(text), "%.24s %s", name[i], number_text(num, v[i]));
		int x = bar + (int)(v[i] / g->max * w + 0.5), n = text_width(text);
		x = MIN(x, end - n);
		if (x < 1)
			continue;
		canvas_text(c, x, y, ROLE_THRESHOLD, text);
		end = x - 1;
	}
}

/* Draws the gauges of the core in focus and of the GPU. A gauge gets 4 rows with name and
 * thresholds, 2 rows with the current period below the last complete one, or 1 row with only the
 * latter. */
static int
draw_gauges(struct screen *s, struct canvas *c, int y, unsigned core)
{
	int n = (int)sim_gauges(screen_sim(s)), room = c->h - y - 2 - DECISIONS;
	int rows = n * 4 <= room ? 4 : n * 2 <= room ? 2 : 1;

	for (int i = 0; i < n && y + rows + 2 <= c->h; i++) {
		struct gauge_shown g;
		gauge_at_cursor(s, (unsigned)i, core, &g);
		bool known = !isnan(g.last.value) || !screen_live(s);
		if (rows == 4) {
			canvas_fit(c, 1, y, NAME_W, ROLE_TITLE, g.gauge->name);
			gauge_thresholds(c, y++, &g);
			gauge_bar(c, y++, " last", g.last.value, &g);
			gauge_bar(c, y++, " now", g.running, &g);
			y++;
			continue;
		}
		gauge_bar(c, y++, g.gauge->name, known ? g.last.value : g.running, &g);
		if (rows == 2)
			gauge_bar(c, y++, known ? " now" : "", known ? g.running : NAN, &g);
	}
	return y;
}

/* ---------------------------------------------------------------- period, limit, state */

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

/* Draws one field of a policy's state: its name and its value for the core in focus. */
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

/* Draws the state of policies that decide which cores work. For a single core the limit n shows it.
 */
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

/* Draws "n 1 of 4", since when, as far back as samples are kept, and what limits the 4. */
static int
draw_limit(struct screen *s, struct canvas *c, int y, unsigned core)
{
	const struct sim *sim = screen_sim(s);
	int i = screen_level_sample(s), from = i;
	char num[FMT_MAX];
	struct core_view v;
	double n;

	sim_core_view(sim, core, &v);
	n = screen_live(s) || i < 0 ? v.limit : series_core(sim, SC_LIMIT, core, (unsigned)i);
	canvas_text(c, 1, y, ROLE_DIM, "n");
	canvas_right(c, 1 + NAME_W, y, VALUE_W, ROLE_VALUE, fmt_num(num, n, 0));
	int x = 2 + NAME_W + VALUE_W;
	x += 1 + canvas_printf(c, x, y, ROLE_DIM, "of %u", v.n_max);
	if (sim_runs_together(sim))
		x += 1 + canvas_printf(c, x, y, ROLE_DIM, "k%u", v.kernel);
	for (unsigned k = 0; k < v.n_max && x < c->w - 1; k++)
		canvas_put(c, x++, y, k < n ? ROLE_BAR : ROLE_FRAME, k < n ? 0x25a0 : 0xb7);
	if (i < 0 || series_core(sim, SC_LIMIT, core, (unsigned)i) != n)
		return y + 1;
	while (from > 0 && series_core(sim, SC_LIMIT, core, (unsigned)from - 1) == n)
		from--;
	char text[64];
	snprintf(text, sizeof(text), "since %s",
		 fmt_u64(num, from ? series_end(sim, (unsigned)from) : 0));
	if (c->w - 1 - x >= text_width(text) + 1)
		x += 1 + canvas_text(c, x + 1, y, ROLE_DIM, text);
	draw_limiters(c, x + 1, y, c->w - x - 2, sim, v.kernel);
	return y + 1;
}

/* ---------------------------------------------------------------- decisions */

static bool
changes_limit(const struct event *ev)
{
	return ev->limit != ev->limit_before;
}

/* A decision as text. */
struct said {
	const struct event *ev;
	unsigned times; /* consecutive decisions with the same outcome */
	bool more;	/* there may be more before them */
	cycle_t since;
	bool stays;    /* the limit did not change */
	bool closed;   /* a change came after them, so that their policy decides no more */
	char what[64]; /* "7 -> 6", "limit stays 1", or the kind of event */
	char why[320]; /* "C_mem 1,203 >= t_mem_h 384" */
};

/* Writes what happened to the limit, or the kind of event, and the reason. */
static void
put_into_words(const struct sim *sim, struct said *d)
{
	const struct event *ev = d->ev;
	char of[16] = "";

	if (sim_runs_together(sim))
		snprintf(of, sizeof(of), "k%u ", ev->kernel + 1u);
	if (!ev->limit)
		snprintf(d->what, sizeof(d->what), "%s%s", of, event_rows[ev->kind].name);
	else if (changes_limit(ev))
		snprintf(d->what, sizeof(d->what), "%s%u -> %u", of, ev->limit_before, ev->limit);
	else
		snprintf(d->what, sizeof(d->what), "%slimit stays %u", of, ev->limit);
	d->stays = ev->limit && !changes_limit(ev);
	sim_event_cause(sim, ev, d->why, sizeof(d->why));
}

/* Whether neither event changed anything and the same rule decided both. */
static bool
same_outcome(const struct event *a, const struct event *b)
{
	return a->kind == EV_PERIOD && b->kind == EV_PERIOD && a->kernel == b->kernel &&
	       a->policy == b->policy && a->rule == b->rule && a->limit && a->limit == b->limit &&
	       !changes_limit(a) && !changes_limit(b);
}

/* Finds the newest change of the policy or its parameters between two cycles, the first excluded.
 */
static bool
find_change(const struct screen *s, cycle_t from, cycle_t to, struct session_change *found)
{
	struct session_change c;
	bool any = false;

	for (unsigned i = 0; session_change(s->session, i, &c); i++)
		if (c.cycle > from && c.cycle <= MIN(to, axis_cursor(&s->axis))) {
			*found = c;
			any = true;
		}
	return any;
}

/* Returns the decision at *next, together with the earlier ones that it stands for. *next is then
 * the decision before them. */
static struct said
fold_decisions(struct screen *s, unsigned core, enum decisions which, uint64_t *seq,
	       const struct event **next)
{
	struct said d = {.ev = *next, .times = 1, .since = (*next)->cycle};
	struct session_change change;

	while ((*next = previous_decision(s, core, which, seq))) {
		if (!same_outcome(d.ev, *next) ||
		    find_change(s, (*next)->cycle - 1, d.since - 1, &change))
			break;
		d.since = (*next)->cycle;
		if (++d.times == FOLDED) {
			*next = NULL;
			break;
		}
	}
	d.more = !*next && d.times > 1;
	put_into_words(screen_sim(s), &d);
	return d;
}

/* Draws "22,528 7 -> 6", or as much as fits of "20,480 limit stays 1, x 10 since 2,048". */
static void
decision_line(struct canvas *c, int y, const struct said *d, unsigned role)
{
	char num[FMT_MAX], text[160];
	int x = 1;

	fmt_u64(num, d->since);
	if (d->times > 1 && d->closed)
		snprintf(text, sizeof(text), "%s, x %u%s to %s", d->what, d->times,
			 d->more ? "+" : "", fmt_u64(num, d->ev->cycle));
	else if (d->times > 1)
		snprintf(text, sizeof(text), "%s, x %u%s since %s", d->what, d->times,
			 d->more ? "+" : "", num);
	else
		snprintf(text, sizeof(text), "%s", d->what);
	fmt_u64(num, d->closed ? d->since : d->ev->cycle);
	if (d->times == 1 || d->closed || text_width(num) + text_width(text) + 3 <= c->w)
		x += 1 + canvas_text(c, x, y, ROLE_DIM, num);
	bool cut = d->times > 1 && text_width(text) + x >= c->w && d->stays;
	if (cut) {
		char *limit = strstr(text, "limit ");
		memmove(limit, limit + 6, strlen(limit + 6) + 1);
	}
	canvas_fit(c, x, y, c->w - x - 1, role, text);
}

/* Draws the changes after `from` and before *until, newest first, among the decisions of what they
 * ended; *until is then the oldest of them. Returns the next free row. */
static int
draw_changes(const struct screen *s, struct canvas *c, int y, cycle_t from, cycle_t *until)
{
	struct session_change change;
	char num[FMT_MAX];

	while (y < c->h && find_change(s, from, *until - 1, &change)) {
		int x = 2 + canvas_text(c, 1, y, ROLE_DIM, fmt_u64(num, change.cycle));
		x += 1 + canvas_text(c, x, y, ROLE_STOP, "changed");
		canvas_fit(c, x, y++, c->w - x - 1, ROLE_STOP, change.label);
		*until = change.cycle;
	}
	return y;
}

/* Draws the last decisions about the core, newest first, with the rule's own reason. */
static void
draw_decisions(struct screen *s, struct canvas *c, int y, unsigned core)
{
	uint64_t seq = UINT64_MAX;
	enum decisions which = DECISIONS_POLICY;
	cycle_t until = CYCLE_NEVER;
	struct session_change change;
	const struct event *next = previous_decision(s, core, which, &seq);

	if (!next) {
		which = DECISIONS_ALL;
		seq = UINT64_MAX;
		next = previous_decision(s, core, which, &seq);
	}
	if (!next && y < c->h && !find_change(s, 0, CYCLE_NEVER, &change))
		canvas_text(c, 1, y, ROLE_DIM, "no decision yet");
	for (unsigned i = 0; y < c->h && next; i++) {
		struct said d = fold_decisions(s, core, which, &seq, &next);
		y = draw_changes(s, c, y, d.ev->cycle - 1, &until);
		d.closed = until != CYCLE_NEVER;
		if (y >= c->h)
			return;
		decision_line(c, y++, &d, i ? ROLE_TEXT : ROLE_VALUE);
		if (y < c->h)
			y += canvas_wrap(c, 2, y, c->w - 3, c->h - y, i ? ROLE_DIM : ROLE_TEXT,
					 d.why);
	}
	if (!next)
		draw_changes(s, c, y, 0, &until);
}

static void
draw_pane(struct screen *s, struct pane_view *view, struct canvas *c)
{
	unsigned core = session_focus_core(s->session);
	struct sim *sim = screen_sim(s);
	int y = 1, x;

	canvas_put(c, 0, 0, ROLE_FOCUS, s->pane == view ? 0x25b8 : ' ');
	x = 1 + canvas_text(c, 1, 0, s->pane == view ? ROLE_FOCUS : ROLE_TITLE, "policy") + 1;
	if (!sim || core >= screen_cores(s))
		return;
	canvas_fit(c, x, 0, c->w - x - 1, ROLE_TEXT, config_policy_text(sim_config(sim)));
	if (screen_live(s))
		y = draw_period(s, c, y);
	if (c->h >= 6 + (int)sim_gauges(sim)) {
		y = draw_gauges(s, c, y, core);
		y = draw_limit(s, c, y, core);
		y += c->h >= 16;
	}
	if (screen_live(s))
		y = draw_fields(s, c, y, core);
	draw_decisions(s, c, y, core);
}

const struct pane_ops pane_policy = {
	.name = "policy",
	.help = "The policy and the core in focus: the values that it compares with thresholds, in "
		"the last complete period and in the one that runs, the limit n, and the last "
		"decisions: 7 -> 6 and why.",
	.read = "Of the core in focus: each gauge the policy weighs, with its value in the last "
		"complete period, which "
		"has decided, and below it, now, in the one that runs. The sign beside the value "
		"and its colour say where it is: < below the lower threshold, = between the two, "
		"and at the upper one or above it a sign for that (> in ASCII). The bar fills "
		"towards the thresholds, which are upright lines in it; its colour changes at "
		"each of them, and an arrow says that it is longer than the pane. Then the limit "
		"n, since when, and decisions, newest first: 7 -> "
		"6 with its reason, "
		"x 10 for ten in a row that changed nothing. With the cursor in the past it shows "
		"that cycle; while the model runs, the numbers of the decision there.",
	.keys = "j and k choose the core.",
	.also = "why, why not, info policy, break period, layout watch",
	.min_w = 24,
	.min_h = 4,
	.kind = PANE_SIDE,
	.looks = PANE_LOOKS_STATE,
	.draw = draw_pane,
};
