/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_decisions.c - shows every decision of the policies over time: one row per core, with a glyph
 * for up, down or stays, coloured by its rule.
 *
 * Up means that the core may do more (a higher limit, switched on again), down that it may do less.
 * The decisions come from the events that are still kept, as those of `dump csv decisions` do.
 * Where several fall into one column, it shows the one that changed something, or a star if they go
 * both ways. A policy that orders warps stops some and lets others go, which is a star, too.
 */
#include "tui/fmt.h"
#include "tui/panes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RULES_MOST 24
#define RULES_FROM_H 8 /* rows of a pane in which the rules may have one of their own */

enum way { WAY_NONE, WAY_STAYS, WAY_UP, WAY_DOWN, WAY_BOTH };

/* The decisions of a core in a column. */
struct mark {
	bool stays, up, down;
	/* Index into rules: of the last decision that changed something, else of the last one. */
	uint8_t rule;
};

/* A rule that decided something in view; sorted by policy and number. */
struct rule_seen {
	uint8_t policy, rule;
	const char *name;
};

struct decision_map {
	struct mark *mark; /* [cores][axis.w] */
	size_t size;
	struct rule_seen rule[RULES_MOST];
	unsigned n_rules, top;
	int head; /* rows above those of the cores: the title, and maybe the rules */
	cycle_t kept_from;
};

/* What a mark means. */
enum sign { SIGN_STAYS, SIGN_UP, SIGN_DOWN, SIGN_BOTH, SIGN_LOST, SIGNS };
#define SIGNS_ALWAYS ((1u << SIGN_LOST) - 1) /* in a legend that has room */

static const struct {
	uint32_t glyph;
	const char *text;
} signs[SIGNS] = {
	{'=', "stays"}, {0x25b2, "up"}, {0x25bc, "down"}, {'*', "both"}, {0xb7, "not kept"}};

static int
open_decisions(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e)
{
	v->own = calloc(1, sizeof(struct decision_map));
	return v->own ? 0 : err_nomem(e);
}

static void
close_decisions(struct pane_view *v)
{
	struct decision_map *d = v->own;

	if (d)
		free(d->mark);
	free(d);
	v->own = NULL;
}

static unsigned
count_rows(const struct screen *s, const struct pane_view *v ATTR_UNUSED)
{
	return 2 * screen_cores(s); /* whole rows of the screen */
}

/* ---------------------------------------------------------------- events */

/* Returns the direction of a decision; WAY_NONE if it concerns neither a limit, nor the state of a
 * core, nor its warps. An order of warps lets some warps do more and others less. */
static enum way
way_of(const struct event *ev)
{
	if (ev->core < 0 || !sim_event_is_decision(ev) || ev->policy == POLICY_HOST)
		return WAY_NONE;
	switch (ev->kind) {
	case EV_GATE:
	case EV_DRAIN:
	case EV_THROTTLE:
	case EV_CORE_PAUSE:
		return WAY_DOWN;
	case EV_UNGATE:
	case EV_UNTHROTTLE:
	case EV_CORE_RESUME:
		return WAY_UP;
	case EV_WARPS:
		return WAY_BOTH;
	default:
		return !ev->limit		      ? WAY_NONE
		       : ev->limit > ev->limit_before ? WAY_UP
		       : ev->limit < ev->limit_before ? WAY_DOWN
						      : WAY_STAYS;
	}
}

static int
compare_rules(const struct rule_seen *r, const struct event *ev)
{
	return r->policy != ev->policy ? r->policy - ev->policy : r->rule - ev->rule;
}

/* Returns the rule's row, adding it if it is new. The last row stands for all rules beyond the
 * maximum. */
static unsigned
rule_row(const struct sim *sim, struct decision_map *d, const struct event *ev, bool add)
{
	unsigned i = 0;

	while (i < d->n_rules && compare_rules(&d->rule[i], ev) < 0)
		i++;
	if (!add || (i < d->n_rules && compare_rules(&d->rule[i], ev) == 0) ||
	    d->n_rules == RULES_MOST)
		return MIN(i, RULES_MOST - 1);
	memmove(&d->rule[i + 1], &d->rule[i], (d->n_rules++ - i) * sizeof(d->rule[0]));
	d->rule[i] = (struct rule_seen){ev->policy, ev->rule, sim_event_rule(sim, ev)->name};
	return i;
}

/* Reads all decisions in view: first which rules there are, then what each column shows. */
static bool
read_events(const struct screen *s, struct decision_map *d)
{
	const struct sim *sim = screen_sim(s);
	const struct event_ring *ring = sim_events(sim);
	size_t w = (size_t)s->axis.w, n = screen_cores(s) * w;
	struct mark *p = n > d->size ? realloc(d->mark, n * sizeof(*p)) : d->mark;
	const struct event *oldest = event_ring_get(ring, ring->first);

	if (!p)
		return false;
	d->mark = p;
	d->size = MAX(d->size, n);
	memset(p, 0, n * sizeof(*p));
	d->kept_from = ring->first && oldest ? oldest->cycle : 0;
	d->n_rules = 0;
	for (int round = 0; round < 2; round++)
		for (uint64_t seq = ring->first; seq < ring->next; seq++) {
			const struct event *ev = event_ring_get(ring, seq);
			enum way way = way_of(ev);
			int x = way == WAY_NONE ? -1 : axis_column(&s->axis, ev->cycle);
			unsigned rule;
			struct mark *m;

			if (x < 0 || x >= s->axis.w || (size_t)ev->core * w >= n)
				continue;
			rule = rule_row(sim, d, ev, round == 0);
			m = &p[(size_t)ev->core * w + (size_t)x];
			if (round == 0)
				continue;
			if (way != WAY_STAYS || (!m->up && !m->down))
				m->rule = (uint8_t)rule;
			m->stays |= way == WAY_STAYS;
			m->up |= way == WAY_UP || way == WAY_BOTH;
			m->down |= way == WAY_DOWN || way == WAY_BOTH;
		}
	return true;
}

/* ---------------------------------------------------------------- drawing */

static enum role
rule_role(unsigned rule)
{
	static const enum role roles[] = {ROLE_LINE1, ROLE_LINE2,    ROLE_LINE3,     ROLE_LINE4,
					  ROLE_STALL, ROLE_DRAINING, ROLE_THROTTLED, ROLE_PAUSED};

	return rule < ARRAY_LEN(roles) ? roles[rule] : ROLE_TEXT;
}

/* Returns the sign of a mark; SIGNS: none. */
static enum sign
mark_sign(const struct mark *m)
{
	return m->up && m->down ? SIGN_BOTH
	       : m->up		? SIGN_UP
	       : m->down	? SIGN_DOWN
	       : m->stays	? SIGN_STAYS
				: SIGNS;
}

static void
draw_row(const struct screen *s, const struct decision_map *d, struct canvas *c, int y,
	 unsigned core)
{
	int label = heat_label_width(screen_cores(s)), cursor = axis_cursor_column(&s->axis);
	bool focus = core == session_focus_core(s->session);
	char num[16];

	canvas_put(c, 0, y, ROLE_STOP, session_core_has_stop(s->session, core) ? 0x25cf : ' ');
	snprintf(num, sizeof(num), "%u", core);
	canvas_right(c, 1, y, label - 2, focus ? ROLE_FOCUS : ROLE_DIM, num);
	canvas_put(c, label - 1, y, ROLE_FOCUS, focus ? 0x25b8 : ' ');
	for (int x = 0; x < s->axis.w; x++) {
		const struct mark *m = &d->mark[(size_t)core * (size_t)s->axis.w + (size_t)x];
		enum sign sign = mark_sign(m);
		uint32_t glyph = sign < SIGNS ? signs[sign].glyph : 0;
		cycle_t end = s->axis.t0 + s->axis.per * (cycle_t)(x + 1);

		if (glyph && screen_dims(s, core))
			canvas_put(c, label + x, y, ROLE_DIM, 0xb7);
		else if (glyph)
			canvas_put(c, label + x, y, rule_role(m->rule), glyph);
		else if (end <= d->kept_from)
			canvas_put(c, label + x, y, ROLE_UNKNOWN, 0xb7);
		else if (x == cursor)
			canvas_put(c, label + x, y, ROLE_CURSOR, 0x2502);
		if (glyph && !screen_dims(s, core) &&
		    x == cursor) /* the mark stays visible under the cursor */
			canvas_attr(c, label + x, y, 1, ATTR_REVERSE);
	}
}

/* Returns the signs that are on the screen, one bit each. */
static unsigned
signs_seen(const struct screen *s, const struct decision_map *d)
{
	unsigned seen = d->kept_from > s->axis.t0 ? 1u << SIGN_LOST : 0;
	size_t w = (size_t)s->axis.w;

	for (unsigned core = 0; core < screen_cores(s); core++)
		for (size_t x = 0; x < w && !screen_dims(s, core); x++)
			seen |= 1u << mark_sign(&d->mark[core * w + x]);
	return seen;
}

static int
signs_width(unsigned shown, int blanks)
{
	int w = 0;

	for (unsigned i = 0; i < SIGNS; i++)
		w += shown >> i & 1 ? 2 + text_width(signs[i].text) + blanks : 0;
	return w;
}

/* Draws "= stays  ^ up  v down". A narrow pane has only signs that are on the screen. Returns the
 * column after them. */
static int
draw_signs(struct canvas *c, int x, int end, unsigned seen)
{
	unsigned shown = seen | SIGNS_ALWAYS;
	int blanks = signs_width(shown, 2) <= end - x ? 2 : 1;

	if (signs_width(shown, blanks) > end - x)
		shown = seen;
	for (unsigned i = 0; i < SIGNS; i++) {
		const char *text = signs[i].text;

		if (!(shown >> i & 1) || x + 2 + text_width(text) > end)
			continue;
		canvas_put(c, x, 0, i == SIGN_LOST ? ROLE_UNKNOWN : ROLE_TEXT, signs[i].glyph);
		x += 2 + canvas_text(c, x + 2, 0, ROLE_DIM, text) + blanks;
	}
	return x;
}

static int
rules_width(const struct decision_map *d)
{
	int w = 5;

	for (unsigned i = 0; i < d->n_rules; i++)
		w += text_width(d->rule[i].name) + 1;
	return w;
}

/* Draws the names of the rules in their colours, as many as fit. Returns the column after them. */
static int
draw_rules(const struct decision_map *d, struct canvas *c, int x, int y, int end)
{
	x += canvas_text(c, x, y, ROLE_DIM, "rule") + 1;
	for (unsigned i = 0; i < d->n_rules; i++) {
		bool last = i + 1 == d->n_rules;

		if (x + text_width(d->rule[i].name) + (last ? 0 : 2) > end) {
			x += canvas_text(c, x, y, ROLE_DIM, CUT_MARK) + 1;
			break;
		}
		x += canvas_text(c, x, y, rule_role(i), d->rule[i].name) + 1;
	}
	return x;
}

/* Returns the rows above those of the cores. Where there are colours the rules need room: what the
 * title and the signs leave of the row, else one of their own. */
static int
head_rows(const struct screen *s, const struct decision_map *d, const struct canvas *c)
{
	enum { TITLE = 12, WHICH = 16 };
	int one = TITLE + signs_width(SIGNS_ALWAYS, 2) + rules_width(d) + WHICH;

	return d->n_rules && s->painter.depth > DEPTH_MONO && c->h >= RULES_FROM_H && one > c->w
		       ? 2
		       : 1;
}

/* Draws the title, the signs, the rules if there are colours, and which cores are visible. */
static void
draw_head(const struct screen *s, const struct decision_map *d, struct canvas *c, bool active,
	  const char *which)
{
	int x = 3 + canvas_fit(c, 1, 0, c->w - 2, active ? ROLE_FOCUS : ROLE_TITLE, "decisions"),
	    w = text_width(which), end = c->w;
	unsigned seen = signs_seen(s, d);

	if (w && x + signs_width(seen | SIGNS_ALWAYS, 1) + w < end) {
		end -= w + 1;
		canvas_text(c, end, 0, ROLE_DIM, which);
	}
	x = draw_signs(c, x, end, seen);
	if (d->head > 1)
		x = draw_rules(d, c, 1, 1, c->w);
	else if (d->n_rules && s->painter.depth > DEPTH_MONO)
		draw_rules(d, c, x, 0, end);
	if (d->head > 1 && end == c->w && x + w < end)
		canvas_right(c, x, 1, end - x - 1, ROLE_DIM, which);
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	struct decision_map *d = v->own;
	unsigned n = screen_cores(s), focus = session_focus_core(s->session), visible;
	bool active = s->pane == v;
	char which[40] = "";

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	if (!d || !screen_sim(s) || !read_events(s, d))
		return;
	d->head = head_rows(s, d, c);
	visible = (unsigned)MAX(c->h - d->head, 1);
	d->top = MIN(d->top, focus);
	if (focus >= d->top + visible)
		d->top = focus - visible + 1;
	if (d->top + visible > n)
		d->top = n > visible ? n - visible : 0;
	for (unsigned i = 0; i < visible && d->top + i < n; i++)
		draw_row(s, d, c, d->head + (int)i, d->top + i);
	if (s->spotlight >= 0)
		snprintf(which, sizeof(which), "only core %d", s->spotlight);
	else if (n > visible)
		snprintf(which, sizeof(which), "%u-%u of %u", d->top, d->top + visible - 1, n);
	draw_head(s, d, c, active, which);
	if (d->n_rules == 0)
		canvas_wrap(
			c, heat_label_width(n) + 2, c->h / 2, c->w - heat_label_width(n) - 4,
			c->h / 2, ROLE_DIM,
			"No policy has decided anything in these cycles. `set policy` changes the "
			"policy; help policies lists them.");
}

/* ---------------------------------------------------------------- keys */

/* Describes the decision of the core in focus at the cursor: "6 -> 5, mem-high". */
static void
describe_cursor(struct screen *s, struct pane_view *v ATTR_UNUSED, char *buf, size_t size)
{
	uint64_t seq = UINT64_MAX;
	const struct event *ev =
		screen_decision(s, (int)session_focus_core(s->session), DECISIONS_POLICY, &seq);

	buf[0] = '\0';
	if (ev && ev->limit)
		snprintf(buf, size, "n %u -> %u: %s", ev->limit_before, ev->limit,
			 sim_event_rule(screen_sim(s), ev)->name);
}

static const char *
handle_key(struct screen *s, struct pane_view *v ATTR_UNUSED, int k, char *buf, size_t size)
{
	if (k != '\r' || s->log_open || !screen_sim(s))
		return NULL;
	snprintf(buf, size, "why core %u at %" PRIu64, session_focus_core(s->session),
		 axis_cursor(&s->axis));
	return buf;
}

static void
focus_row(struct screen *s, struct pane_view *v, int x ATTR_UNUSED, int y)
{
	const struct decision_map *d = v->own;

	if (d && d->head && y >= d->head && d->top + (unsigned)(y - d->head) < screen_cores(s))
		session_set_focus_core(s->session, d->top + (unsigned)(y - d->head));
}

const struct pane_ops pane_decisions = {
	.name = "decisions",
	.help = "Every decision of the policies over time, a row for each core: up, stays or down "
		"at the end of each period, coloured by the rule. As the active pane: Enter "
		"explains the decision of the core in focus at the cursor.",
	.read = "A row is a core, a mark a decision in the cycles of its column: a triangle up "
		"where the core may do more from then on (a higher limit n, on again), a triangle "
		"down where it may do less (a lower limit, draining, throttled, paused, off), an "
		"equals sign where its limit stays, a star where several in a column go both ways, "
		"or where the policy stops some warps and lets others issue. "
		"Where there are colours, they are the rules, whose names are in the title or "
		"below it. Where rows differ, the policy "
		"treats cores differently; where only equals signs are left, it has settled. Dots "
		"are cycles whose events are no longer kept (run.events).",
	.keys = "j and k choose the core, h and l, [ and ] the time. Enter explains the last "
		"decision of the core up to the cursor (why core C at CYCLE).",
	.also = "why, pane policy, layout watch, dump csv decisions, break limit",
	.min_w = 20,
	.min_h = 3,
	.kind = PANE_TIME,
	.rows = count_rows,
	.open = open_decisions,
	.close = close_decisions,
	.draw = draw_pane,
	.at = describe_cursor,
	.click = focus_row,
	.key = handle_key,
};
