/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c - see replay.h. */
#include "tui/replay.h"

#include "base/clock.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/screen.h"

#include <stdio.h>
#include <string.h>

#define PROFILED 8192	  /* cycles before the cursor's that are profiled */
#define PROFILE_SAMPLE 64 /* cycles between two looks at what the warps wait for */

/* ---------------------------------------------------------------- what is wanted */

/* The `looks` of all panes that this frame shows. */
static unsigned
find_looks(const struct screen *s)
{
	unsigned looks = 0;

	for (unsigned i = 0; i < s->layout.n_main; i++)
		looks |= s->main[i]->ops->looks | (view_timed(s->main[i]) ? PANE_LOOKS_TIME : 0);
	for (unsigned i = 0; s->layout.sep_x >= 0 && i < s->n_side; i++)
		looks |= s->side[i]->ops->looks;
	if (s->layout.sep_x < 0 && s->pane->ops->kind == PANE_SIDE)
		looks |= s->pane->ops->looks;
	return looks;
}

/* True if the events at the cursor are not among those that the machine keeps. */
static bool
events_are_gone(const struct screen *s)
{
	const struct event_ring *r = sim_events(screen_machine(s));
	const struct event *first = r->next > r->first ? event_ring_get(r, r->first) : NULL;

	return r->first > 0 && first && axis_cursor(&s->axis) <= first->cycle;
}

/* True if the session's machine has not recorded what its warps did before now. */
static bool
lacks_past(const struct sim *sim)
{
	cycle_t now = sim_cycle(sim), first = now > PAST_CYCLES ? now - PAST_CYCLES + 1 : 1;

	return now > 0 && !sim_past(sim, first);
}

static bool
lacks_profile(const struct sim *sim)
{
	cycle_t since, now = sim_cycle(sim);

	return now > 0 && (!sim_profile_since(sim, &since) || since == now);
}

static cycle_t
cycles_before(cycle_t cycle, cycle_t n)
{
	return cycle > n ? cycle - n : 0;
}

static void
want_state(const struct screen *s, unsigned looks, struct replay *r)
{
	const struct sim *sim = screen_machine(s);
	cycle_t at = axis_cursor(&s->axis);
	bool records = looks & PANE_LOOKS_PAST, live = screen_live(s);

	r->look[LOOK_STATE].wanted =
		live ? records && lacks_past(sim)
		     : looks & (PANE_LOOKS_STATE | PANE_LOOKS_PAST) ||
				(looks & PANE_LOOKS_EVENTS && events_are_gone(s));
	r->look[LOOK_STATE].want =
		(struct look_back_want){.cycle = at,
					.from = records ? cycles_before(at, PAST_CYCLES) : at,
					.core = records ? (int)session_focus_core(s->session) : -1};
}

static void
want_profile(const struct screen *s, unsigned looks, struct replay *r)
{
	cycle_t at = axis_cursor(&s->axis);

	r->look[LOOK_PROFILE].wanted =
		looks & PANE_LOOKS_PROFILE && (!screen_live(s) || lacks_profile(screen_machine(s)));
	r->look[LOOK_PROFILE].want = (struct look_back_want){.cycle = at,
							     .from = cycles_before(at, PROFILED),
							     .core = -1,
							     .profile = true,
							     .sample = PROFILE_SAMPLE};
}

static void
want_samples(const struct screen *s, unsigned looks, struct replay *r)
{
	const struct axis *a = &s->axis;

	r->look[LOOK_SAMPLES].wanted =
		looks & PANE_LOOKS_TIME && !a->fit && a->per < a->base && a->t0 < a->now;
	/* The sample before the first column says how the machine was where that begins. */
	r->look[LOOK_SAMPLES].want =
		(struct look_back_want){.cycle = MIN(a->t0 + a->per * (cycle_t)a->w, a->now),
					.from = cycles_before(a->t0, a->per),
					.core = -1,
					.sample = (uint32_t)a->per};
}

static bool
is_same(const struct look_back_want *a, const struct look_back_want *b)
{
	return a->cycle == b->cycle && a->from == b->from && a->core == b->core &&
	       a->sample == b->sample;
}

/* ---------------------------------------------------------------- the work */

/* What the session's machine lacks becomes its own, so that it goes on with it. */
static void
take_records(struct screen *s, enum look_back look)
{
	if (!screen_live(s) || look == LOOK_SAMPLES)
		return;
	session_take_records(s->session, s->twin.side, look);
	s->replay.look[look].there = NULL;
}

static void
work_on_look(struct screen *s, enum look_back look, double seconds)
{
	struct replay *r = &s->replay;
	struct err e = {0};
	double done = 0;
	int rc = session_look_back(s->session, s->twin.side, look, &r->look[look].want, seconds,
				   &r->look[look].there, &done, &e);

	r->look[look].failed = rc < 0;
	if (rc < 0)
		screen_notice(s, "%s", e.msg);
	if (rc > 0)
		take_records(s, look);
	if (rc == 0) {
		r->on_way = true;
		r->done = done;
	}
}

static void
forget_machines(struct replay *r)
{
	for (unsigned i = 0; i < LOOKS; i++)
		r->look[i].there = NULL;
	r->on_way = false;
}

void
replay_forget(struct screen *s)
{
	forget_machines(&s->replay);
	forget_machines(&s->twin.replay);
}

void
replay_update(struct screen *s, double seconds)
{
	struct replay *r = &s->replay, before = *r;
	double until = clock_seconds() + seconds;
	unsigned looks;

	forget_machines(r);
	if (!screen_machine(s) || session_running(s->session) || s->axis.now == 0)
		return;
	looks = find_looks(s);
	want_state(s, looks, r);
	want_profile(s, looks, r);
	want_samples(s, looks, r);
	for (unsigned i = 0; i < LOOKS; i++)
		if (r->look[i].wanted &&
		    (!before.look[i].wanted || !is_same(&r->look[i].want, &before.look[i].want))) {
			r->look[i].failed = false;
			r->given_up = false;
		}
	for (unsigned i = 0; i < LOOKS && !r->on_way && !r->given_up; i++)
		if (r->look[i].wanted && !r->look[i].failed)
			work_on_look(s, i, until - clock_seconds());
}

static bool
give_up(struct replay *r)
{
	bool was = r->on_way;

	r->given_up |= was;
	r->on_way = false;
	return was;
}

bool
replay_give_up(struct screen *s)
{
	bool here = give_up(&s->replay);

	return give_up(&s->twin.replay) || here;
}

/* ---------------------------------------------------------------- what a view reads */

/* The purpose for which the view reads another machine than the session's; LOOKS: none. */
static enum look_back
look_of(const struct screen *s, const struct pane_view *v)
{
	unsigned looks = v->ops->looks;

	if (view_timed(v) && s->replay.look[LOOK_SAMPLES].wanted)
		return LOOK_SAMPLES;
	if (looks & PANE_LOOKS_EVENTS)
		return !screen_live(s) && events_are_gone(s) ? LOOK_STATE : LOOKS;
	if (looks & PANE_LOOKS_PROFILE)
		return s->replay.look[LOOK_PROFILE].wanted ? LOOK_PROFILE : LOOKS;
	if (looks & PANE_LOOKS_PAST)
		return s->replay.look[LOOK_STATE].wanted ? LOOK_STATE : LOOKS;
	return looks & PANE_LOOKS_STATE && !screen_live(s) ? LOOK_STATE : LOOKS;
}

struct replay_saved
replay_give_look(struct screen *s, enum look_back look)
{
	struct replay_saved saved = {s->replay.given, s->axis.cursor, s->axis.now};

	if (look < LOOKS && s->replay.look[look].there)
		s->replay.given = s->replay.look[look].there;
	return saved;
}

struct replay_saved
replay_give(struct screen *s, const struct pane_view *v)
{
	enum look_back look = screen_machine(s) ? look_of(s, v) : LOOKS;
	struct replay_saved saved = replay_give_look(s, look);

	if (look < LOOKS && s->replay.look[look].there && !view_timed(v)) {
		s->axis.now = axis_cursor(&s->axis);
		s->axis.cursor = CYCLE_NEVER;
	}
	return saved;
}

void
replay_return(struct screen *s, const struct replay_saved *saved)
{
	s->replay.given = saved->given;
	s->axis.cursor = saved->cursor;
	s->axis.now = saved->now;
}

/* The view shows something else than it should: how far the replay is, or what it shows. */
static void
draw_lack(const struct screen *s, const struct pane_view *v, struct canvas *c)
{
	bool has_other = !(v->ops->looks & (PANE_LOOKS_PAST | PANE_LOOKS_PROFILE));
	char text[80], num[FMT_MAX];
	int w;

	if (!s->replay.on_way && (has_other || screen_live(s)))
		return;
	if (s->replay.on_way)
		snprintf(text, sizeof(text), " replaying ... %.0f %%", 100 * s->replay.done);
	else
		snprintf(text, sizeof(text), " not the cursor's cycle, but %s",
			 fmt_u64(num, sim_cycle(screen_machine(s))));
	for (int y = 0; y < c->h; y++)
		canvas_attr(c, 0, y, c->w, ATTR_DIM);
	w = MIN(text_width(text), c->w);
	canvas_fit(c, c->w - w, 0, w, ROLE_NOTICE, text);
}

void
replay_draw(struct screen *s, struct pane_view *v, struct canvas *c)
{
	enum look_back look = screen_machine(s) && !s->page ? look_of(s, v) : LOOKS;
	struct replay_saved saved = replay_give_look(s, LOOKS);

	if (look < LOOKS)
		replay_give(s, v);
	v->ops->draw(s, v, c);
	replay_return(s, &saved);
	if (look < LOOKS && !s->replay.look[look].there)
		draw_lack(s, v, c);
}

bool
replay_window(const struct screen *s, char *buf, size_t size)
{
	const struct look_back_want *w = &s->replay.look[LOOK_SAMPLES].want;
	char from[FMT_MAX], to[FMT_MAX];

	if (!s->replay.look[LOOK_SAMPLES].there)
		return false;
	snprintf(buf, size, "replayed %s to %s", fmt_u64(from, s->axis.t0), fmt_u64(to, w->cycle));
	return true;
}
