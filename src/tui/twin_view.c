/* SPDX-License-Identifier: GPL-3.0-or-later */
/* twin_view.c - the sides of a screen with two runs, and the command split; see twin_view.h. */
#include "tui/twin_view.h"

#include "tui/screen_part.h"

#include <stdlib.h>
#include <string.h>

#define RUN_SLICE 0.016 /* seconds of each pause of a run */

bool
twin_is_on(const struct screen *s)
{
	return !s->page && session_twin_name(s->session);
}

void
twin_free_view(struct screen *s)
{
	for (unsigned i = 0; i < SIDES; i++)
		work_free(&s->twin.work[i]);
}

/* ---------------------------------------------------------------- sides */

static void
swap_replays(struct screen *s)
{
	struct replay other = s->twin.replay;

	s->twin.replay = s->replay;
	s->replay = other;
}

struct twin_saved
twin_enter(struct screen *s, enum session_side side)
{
	struct twin_saved saved = {s->twin.side, s->axis.now, s->axis.cursor};
	const struct sim *sim;

	if (!twin_is_on(s))
		return saved;
	if (side != s->twin.side)
		swap_replays(s);
	s->twin.side = side;
	sim = screen_machine(s);
	s->axis.now = sim ? MIN(s->axis.now, sim_cycle(sim)) : 0;
	if (s->axis.cursor != CYCLE_NEVER && s->axis.cursor >= s->axis.now)
		s->axis.cursor = CYCLE_NEVER;
	return saved;
}

void
twin_leave(struct screen *s, const struct twin_saved *saved)
{
	if (s->twin.side != saved->side)
		swap_replays(s);
	s->twin.side = saved->side;
	s->axis.now = saved->now;
	s->axis.cursor = saved->cursor;
}

void
twin_follow(struct screen *s, double seconds)
{
	struct err e = {0};
	int rc;

	if (!twin_is_on(s)) {
		s->twin.on_way = false;
		return;
	}
	rc = session_twin_follow(s->session, seconds, &e);
	s->twin.on_way = rc == 0;
	if (rc < 0)
		screen_notice(s, "%s", e.msg);
}

void
twin_follow_run(struct screen *s)
{
	double done, left;

	if (!session_seeking(s->session, &done, &left, NULL))
		twin_follow(s, RUN_SLICE);
}

bool
twin_is_moving(const struct screen *s)
{
	return s->replay.on_way || (twin_is_on(s) && (s->twin.on_way || s->twin.replay.on_way));
}

/* ---------------------------------------------------------------- commands */

/* Whether there is another run; says so if not. */
static bool
has_twin(struct screen *s)
{
	bool has = twin_is_on(s) && session_twin(s->session);

	if (!has)
		screen_notice(s, "only one run is shown; 'split %s' shows another beside it",
			      screen_plain_policy());
	return has;
}

static void
swap_focus(struct screen *s)
{
	if (has_twin(s))
		s->twin.focus = s->twin.focus == SIDE_SESSION ? SIDE_TWIN : SIDE_SESSION;
}

static int
close_twin(struct screen *s, struct err *e)
{
	s->twin.focus = SIDE_SESSION;
	s->twin.replay = (struct replay){.slice = s->replay.slice};
	screen_notice(s, "only one run is shown again");
	return session_split(s->session, "", e);
}

/* The cursor goes to the first decision in which both runs differ. */
static void
go_to_difference(struct screen *s)
{
	struct session_difference d;

	if (!has_twin(s) || !session_twin_difference(s->session, &d))
		return;
	if (d.known)
		axis_goto(&s->axis, d.cycle);
	else
		screen_notice(s, "no different decision is known");
}

/* Explains the twin's last decision about the core in focus up to the cursor. */
static void
explain_twin(struct screen *s)
{
	struct twin_saved saved;

	if (!has_twin(s))
		return;
	saved = twin_enter(s, SIDE_TWIN);
	screen_before(s, "why, in the run beside");
	session_twin_why(s->session, session_focus_core(s->session), axis_cursor(&s->axis));
	screen_after(s);
	twin_leave(s, &saved);
}

int
screen_do_split(struct screen *s, const char *arg, struct err *e)
{
	static const struct {
		const char *word;
		void (*fn)(struct screen *s);
	} words[] = {{"swap", swap_focus}, {"first", go_to_difference}, {"why", explain_twin}};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(arg, words[i].word) == 0) {
			words[i].fn(s);
			return 0;
		}
	if (strcmp(arg, "off") == 0 || (!*arg && twin_is_on(s)))
		return close_twin(s, e);
	if (!*arg)
		return err_set(e, "split: expected a policy stack or a branch, such as %s",
			       screen_plain_policy());
	replay_forget(s);
	if (session_split(s->session, arg, e))
		return -1;
	s->twin.focus = SIDE_SESSION;
	s->twin.replay = (struct replay){.slice = s->replay.slice};
	s->log_open = false;
	if (s->pane->ops->kind == PANE_OVER)
		screen_close_over(s);
	screen_notice(s, "beside the run: %s; Tab the other side, w why there, x closes it",
		      session_twin_name(s->session));
	return 0;
}
