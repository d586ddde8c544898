/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_page.c - a race as a page of the screen: steps of all lanes, and the commands that ask for
 * them.
 *
 * The lanes work in their own processes. The page tells them the next cycle when all have answered,
 * the race is not paused and the pace allows. Leaving it leaves the lanes where they are; the
 * caller ends them.
 */
#include "tui/race_page.h"

#include "base/clock.h"
#include "base/number.h"
#include "tui/screen_part.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

static struct race_page *
race_of(const struct page *p)
{
	return (struct race_page *)(uintptr_t)p;
}

/* ---------------------------------------------------------------- steps */

/* The first multiple of so many cycles after the one that is to be reached. */
static cycle_t
multiple_after(const struct race_page *p, cycle_t cycles)
{
	return (MAX(p->target, race_view_now(p->race)) / cycles + 1) * cycles;
}

/* Where the next step leads, when it is due: of a race that runs, or steps by hand. 0: nowhere. */
static cycle_t
next_goal(struct race_page *p)
{
	unsigned samples = MAX(p->view.pace / 30, 1u); /* more than a frame shows at a time */
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

	race_wait(p->race, 0); /* a lane that stands still may have been ended */
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
moves(const struct page *p)
{
	return race_of(p)->view.running || !race_still(race_of(p)->race);
}

static unsigned
descriptors(const struct page *p, struct pollfd *fds)
{
	return race_descriptors(race_of(p)->race, fds);
}

/* ---------------------------------------------------------------- what the screen asks */

static enum key_when
when(const struct page *p)
{
	if (race_ended(race_of(p)->race))
		return WHEN_RACE_OVER;
	return race_of(p)->view.running ? WHEN_RACE_RUNNING : WHEN_RACE_STOPPED;
}

static void
draw(struct page *p, const struct screen *s, struct canvas *c)
{
	struct race_view *v = &race_of(p)->view;

	v->painter = &s->painter;
	v->unicode = s->unicode;
	race_view_draw(v, c);
}

static int
help(const struct page *p, struct canvas *c)
{
	return race_help_draw(&race_of(p)->view, c);
}

static bool
stopped(struct page *p, char *buf, size_t size)
{
	char text[160];
	bool is = race_stopped_text(race_of(p)->race, text, sizeof(text));

	if (is)
		snprintf(buf, size, "%s", text);
	return is;
}

static void
aside(const struct page *p, char *buf, size_t size)
{
	if (!race_ended(race_of(p)->race))
		race_view_pace_text(&race_of(p)->view, buf, size);
}

static void
click(struct page *p, struct screen *s, int x, int y)
{
	struct race_view *v = &race_of(p)->view;

	if (race_view_click(v, x, y, s->canvas->w, s->canvas->h))
		race_view_focus_text(v, s->notice, sizeof(s->notice));
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
					    .when = when,
					    .draw = draw,
					    .help = help,
					    .stopped = stopped,
					    .aside = aside,
					    .cursor = move_cursor,
					    .click = click,
					    .descriptors = descriptors,
					    .moves = moves,
					    .go_on = go_on};

	*p = (struct race_page){.page.ops = &ops, .race = r};
	race_view_init(&p->view, r, workload);
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

/* Steps by hand are for a race that is paused and has not ended. */
static int
step_is_possible(const struct race_page *p, struct err *e)
{
	if (p->view.running)
		return err_set(e, "the race is on; Space pauses it");
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
		return err_set(e, "a race only goes forwards");
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
race_do_follow(struct screen *s, const char *arg ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	race_of(s->page)->view.focus = false;
	return 0;
}
