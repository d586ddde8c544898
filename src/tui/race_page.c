/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_page.c - shows a race as a page of the screen, steps all its lanes, and handles its
 * commands.
 *
 * The lanes run in their own processes. The page sends them the next cycle when all have answered,
 * the race is not paused and the pace allows it. Leaving the page leaves the lanes where they are;
 * the caller ends them.
 */
#include "tui/race_page.h"

#include "base/clock.h"
#include "base/number.h"
#include "session/session.h"
#include "tui/fmt.h"
#include "tui/screen_part.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

static struct race_page *
race_of(const struct page *p)
{
	return (struct race_page *)(uintptr_t)p;
}

struct race_view *
race_view_of(const struct screen *s)
{
	return &race_of(s->page)->view;
}

/* ---------------------------------------------------------------- steps */

/* Returns the first multiple of `cycles` after the cycle that the lanes are to reach. */
static cycle_t
multiple_after(const struct race_page *p, cycle_t cycles)
{
	return (MAX(p->target, race_view_now(p->race)) / cycles + 1) * cycles;
}

/* Returns the cycle that the next step leads to if it is due, in a running race or for a step by
 * hand; else 0. */
static cycle_t
next_goal(struct race_page *p)
{
	/* More samples than one frame shows. */
	unsigned samples = MAX(p->view.pace / 30, 1u);
	double now = clock_seconds();

	if (!p->view.running)
		return p->target > race_view_now(p->race) ? p->target : 0;
	if (!p->view.pace)
		return race_view_now(p->race) + race_step(p->race);
	if (now < p->due)
		return 0;
	p->due = now + (double)samples / p->view.pace;
	return multiple_after(p, p->race->sample) + (samples - 1) * p->race->sample;
}

static bool
go_on(struct page *page)
{
	struct race_page *p = race_of(page);
	bool was_still = race_still(p->race), ran = p->view.running;
	cycle_t goal;

	race_wait(p->race, 0); /* notice a lane whose process ended while it waited */
	if (race_ended(p->race)) {
		p->view.running = false;
		return ran || !was_still;
	}
	if (!race_still(p->race))
		return false;
	goal = p->race->branches && !p->asked ? p->race->from : next_goal(p);
	p->asked = true;
	if (goal)
		race_go(p->race, goal);
	return !ran && !was_still;
}

static bool
is_moving(const struct page *p)
{
	return race_of(p)->view.running || !race_still(race_of(p)->race);
}

static unsigned
add_descriptors(const struct page *p, struct pollfd *fds)
{
	return race_descriptors(race_of(p)->race, fds);
}

/* ---------------------------------------------------------------- the header */

/* Writes "one leads: 1.26x two" during the race, with names of at most `room` columns. The best
 * lane is compared with the first, or with the second best if it is the first. */
static void
put_verdict(const struct race *r, unsigned room, char *buf, size_t size)
{
	unsigned best = 0, second = r->n > 1;
	double most = 0;
	char a[POLICY_TEXT], b[POLICY_TEXT];

	buf[0] = '\0';
	for (unsigned i = 0; i < r->n; i++)
		if (race_speedup(r, i) > most) {
			most = race_speedup(r, i);
			best = i;
		}
	if (r->n < 2 || most <= 0)
		return;
	if (best != 0)
		second = 0;
	else
		for (unsigned i = 1; i < r->n; i++)
			if (race_speedup(r, i) > race_speedup(r, second))
				second = i;
	most /= race_speedup(r, second);
	if (most < 1.0005)
		snprintf(buf, size, "a draw so far");
	else
		snprintf(buf, size, most < 1.01 ? "%s %s: %.3fx %s" : "%s %s: %.2fx %s",
			 race_short_name(r, best, room, CUT_MARK, a),
			 race_ended(r) ? "wins" : "leads", most,
			 race_short_name(r, second, room, CUT_MARK, b));
	if (most < 1.0005 && race_ended(r))
		snprintf(buf, size, "a draw");
}

static void
draw_header(const struct page *page, struct canvas *c)
{
	static const unsigned name[] = {23, 14, 9}; /* columns of a name */
	const struct race_view *v = &race_of(page)->view;
	const struct race *r = v->race;
	const char *state = race_ended(r) ? "done" : v->running ? "running" : "stopped";
	char num[FMT_MAX], text[160];
	int x = 1, w;

	canvas_fill(c, 0, 0, c->w, 1, ROLE_HEADER, ' ');
	canvas_put(c, x, 0, ROLE_HEADER, v->running && !race_ended(r) ? 0x25b6 : 0x25a0);
	x += 2 + canvas_printf(c, x + 2, 0, ROLE_HEADER, "%-8s", state);
	w = canvas_fit(c, x, 0, MIN(16, c->w - x), ROLE_HEADER, v->workload);
	canvas_attr(c, x, 0, w, ATTR_BOLD);
	x += w + 2;
	snprintf(text, sizeof(text), "cycle %s", fmt_u64(num, race_view_now(r)));
	canvas_fit(c, x, 0, c->w - x, ROLE_HEADER, text);
	x += text_width(text) + 2;
	for (size_t i = 0; i < ARRAY_LEN(name) && (i == 0 || x + w + 1 > c->w); i++) {
		put_verdict(r, name[i], text, sizeof(text));
		w = text_width(text);
	}
	if (w && x + w + 1 <= c->w) {
		canvas_text(c, c->w - w - 1, 0, ROLE_HEADER, text);
		canvas_attr(c, c->w - w - 1, 0, w, ATTR_BOLD);
	}
}

/* ---------------------------------------------------------------- what the page answers to the
 * screen */

static enum key_when
when_of_race(const struct page *p)
{
	if (race_ended(race_of(p)->race))
		return WHEN_RACE_OVER;
	return race_of(p)->view.running ? WHEN_RACE_RUNNING : WHEN_RACE_STOPPED;
}

/* Adds to the help what the panes do not explain. */
static int
draw_notes(const struct page *p, struct canvas *c, int y)
{
	const struct race *r = race_of(p)->race;
	char name[POLICY_TEXT];

	if (r->branches)
		y += canvas_wrap(c, 2, y, c->w - 4, c->h, ROLE_TEXT,
				 "The lanes are branches of the run from where they part. Numbers "
				 "cover the whole run, including the cycles before they part.");
	for (unsigned i = 0; i < r->n; i++)
		if (r->lane[i].error[0]) {
			canvas_fit(c, 2, y, 20, ROLE_FOCUS,
				   race_short_name(r, i, 20, CUT_MARK, name));
			canvas_fit(c, 23, y++, c->w - 24, ROLE_ERROR, r->lane[i].error);
		}
	return y;
}

static bool
put_reason(struct page *p, char *buf, size_t size)
{
	char text[160];
	bool is = race_stopped_text(race_of(p)->race, text, sizeof(text));

	if (is)
		snprintf(buf, size, "%s", text);
	return is;
}

static void
put_pace(const struct page *p, char *buf, size_t size)
{
	if (!race_ended(race_of(p)->race))
		race_view_pace_text(&race_of(p)->view, buf, size);
}

static int
move_cursor(struct page *p, struct screen *s, const char *way, struct err *e)
{
	static const struct {
		const char *word;
		int cores, columns;
	} ways[] = {{"up", -1, 0}, {"down", 1, 0}, {"left", 0, -1}, {"right", 0, 1}};
	struct race_view *v = &race_of(p)->view;

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (strcmp(way, ways[i].word) == 0) {
			if (race_view_move(v, ways[i].cores, ways[i].columns))
				race_view_focus_text(v, s->notice, sizeof(s->notice));
			return 0;
		}
	return err_set(e, "cursor: expected up, down, left or right; found '%.40s'", way);
}

void
race_page_init(struct race_page *p, struct race *r, const char *workload)
{
	static const struct page_ops ops = {.name = "a race",
					    .when = when_of_race,
					    .header = draw_header,
					    .help = draw_notes,
					    .stopped = put_reason,
					    .aside = put_pace,
					    .cursor = move_cursor,
					    .descriptors = add_descriptors,
					    .moves = is_moving,
					    .go_on = go_on};

	*p = (struct race_page){.page.ops = &ops, .race = r};
	p->view.race = r;
	p->view.lane = r->n > 1; /* the first one is usually the session's */
	snprintf(p->view.workload, sizeof(p->view.workload), "%s", workload);
	axis_init(&p->view.axis);
}

/* ---------------------------------------------------------------- commands */

int
race_do_run(struct screen *s, const char *arg ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	struct race_page *p = race_of(s->page);

	p->view.running = !race_ended(p->race);
	return 0;
}

int
race_do_pause(struct screen *s, const char *arg ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	race_of(s->page)->view.running = false;
	return 0;
}

/* A step by hand needs a paused race that has not ended. */
static int
step_is_possible(const struct race_page *p, struct err *e)
{
	if (p->view.running)
		return err_set(e, "the race is running; Space pauses it");
	return race_ended(p->race) ? err_set(e, "the race has ended") : 0;
}

int
race_do_sample(struct screen *s, const char *arg ATTR_UNUSED, struct err *e)
{
	struct race_page *p = race_of(s->page);

	if (step_is_possible(p, e))
		return -1;
	p->target = multiple_after(p, p->race->sample);
	return 0;
}

int
race_do_period(struct screen *s, const char *arg ATTR_UNUSED, struct err *e)
{
	struct race_page *p = race_of(s->page);

	if (step_is_possible(p, e))
		return -1;
	p->target = multiple_after(p, p->race->period ? p->race->period : p->race->sample);
	return 0;
}

int
race_do_advance(struct screen *s, const char *arg, struct err *e)
{
	struct race_page *p = race_of(s->page);
	struct number n;

	if (number_parse(arg, 1000, &n) || n.f < 1 || n.f > 1e15)
		return err_set(e, "advance: expected a cycle");
	if (step_is_possible(p, e))
		return -1;
	if ((cycle_t)n.f <= race_view_now(p->race))
		return err_set(e, "a race only runs forwards");
	p->target = (cycle_t)n.f;
	return 0;
}

int
race_do_pace(struct screen *s, const char *arg, struct err *e)
{
	struct race_view *v = &race_of(s->page)->view;

	if (race_view_set_pace(v, arg, e))
		return -1;
	race_view_pace_text(v, s->notice, sizeof(s->notice));
	return 0;
}

int
race_do_series(struct screen *s, const char *arg, struct err *e)
{
	return race_view_set_series(&race_of(s->page)->view, arg, e);
}

int
race_do_lane(struct screen *s, const char *arg, struct err *e)
{
	struct race_view *v = &race_of(s->page)->view;
	const struct lane *k;

	if (race_view_set_lane(v, *arg ? arg : "next", e))
		return -1;
	k = &v->race->lane[v->lane];
	screen_notice(s,
		      session_is_own_run(s->session, k->stack)
			      ? "lane %u: %s, the session's own run; Enter shows one of the others "
				"beside it"
			      : "lane %u: %s; Enter shows it beside the run",
		      v->lane + 1, k->stack);
	return 0;
}

/* The session's run goes to the cycle in focus, or if it is further the cursor does; then the lane
 * is shown beside it. These lines wait for the screen of the session. */
int
race_do_open(struct screen *s, const char *arg, struct err *e)
{
	struct race_view *v = &race_of(s->page)->view;
	cycle_t at = v->focus ? v->cycle : race_view_now(v->race);
	struct sim *sim = session_sim(s->session);
	const struct lane *k;
	char number[24];

	if (*arg && race_view_set_lane(v, arg, e))
		return -1;
	k = &v->race->lane[v->lane];
	if (!sim)
		return err_set(e, "open: no workload is loaded");
	if (session_is_own_run(s->session, k->stack))
		return err_set(e, "lane %u, %.60s, is the session's own run; 1 to %u mark another",
			       v->lane + 1, k->stack, v->race->n);
	if (k->state == LANE_FAILED)
		return err_set(e, "lane %u has failed: %.150s", v->lane + 1, k->error);
	snprintf(number, sizeof(number), "%" PRIu64, at);
	if (at > sim_cycle(sim) && !sim_done(sim))
		session_keep(s->session, "advance", number);
	session_keep(s->session, "split", k->stack);
	if (at < sim_cycle(sim))
		session_keep(s->session, "cursor", number);
	s->page->is_left = true;
	return 0;
}

int
race_do_follow(struct screen *s, const char *arg ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	race_of(s->page)->view.focus = false;
	return 0;
}
