/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_loop.c - a race on the screen: keys in, frames out, and steps of all lanes in between.
 *
 * The lanes work in their own processes, so the loop only waits: for a key, a signal, or an answer.
 * It tells the lanes the next cycle when all have answered, the race is not paused and the pace
 * allows. Leaving the loop leaves the lanes where they stand; the caller ends them.
 */
#include "base/clock.h"
#include "lab/lab.h"
#include "tui/keys.h"
#include "tui/pace.h"
#include "tui/panes.h"
#include "tui/race_view.h"
#include "tui/stage.h"
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define FRAME_SECONDS 0.05
#define FRAME_BYTES 20e3 /* a second, on average, as for a run */

struct loop {
	struct stage *stage;
	struct race *race;
	struct race_view view;
	struct pace pace;
	bool mouse;
	cycle_t target; /* that steps by hand lead to */
	double due;	/* wall clock of the next step at a pace */
	bool asked;	/* how they stand where branches part: there is a run before it */
};

/* ---------------------------------------------------------------- frames */

static void
draw(struct loop *l)
{
	double processor = clock_processor(), clock = clock_seconds();
	struct stage *g = l->stage;
	uint64_t bytes = term_bytes(g->term);
	bool moves = l->view.running || !race_still(l->race);

	if (!stage_ready(g) || !(g->want_frame || (moves && pace_due(&l->pace, processor, clock))))
		return;
	race_stopped_text(l->race, l->view.stopped, sizeof(l->view.stopped));
	race_view_draw(&l->view, g->canvas);
	term_mouse(g->term, l->mouse);
	term_blit(g->term, g->canvas, &l->view.painter, -1, -1);
	g->want_frame = false;
	/* The lanes have processors of their own: only the line limits the frames. */
	pace_drew(&l->pace, 0, clock, 0, 1, term_bytes(g->term) - bytes, FRAME_BYTES);
	l->pace.clock = MAX(l->pace.clock, clock + FRAME_SECONDS);
}

/* ---------------------------------------------------------------- keys */

/* The first multiple of so many cycles behind the one that is to be reached. */
static cycle_t
behind(const struct loop *l, cycle_t cycles)
{
	return (MAX(l->target, race_view_now(l->race)) / cycles + 1) * cycles;
}

static void
by_hand(struct loop *l, cycle_t cycles)
{
	struct race_view *v = &l->view;

	if (v->running)
		snprintf(v->notice, sizeof(v->notice), "the race is on; Space pauses it");
	else if (race_ended(l->race))
		snprintf(v->notice, sizeof(v->notice), "the race has ended");
	else
		l->target = behind(l, cycles);
}

static void
carry_out(struct loop *l, const struct race_order *o)
{
	struct race_view *v = &l->view;

	switch (o->what) {
	case RACE_DO_RUN:
	case RACE_DO_PAUSE:
		v->running = o->what == RACE_DO_RUN && !race_ended(l->race);
		break;
	case RACE_DO_SAMPLE:
		by_hand(l, l->race->sample);
		break;
	case RACE_DO_PERIOD:
		by_hand(l, l->race->period ? l->race->period : l->race->sample);
		break;
	case RACE_DO_ADVANCE:
		by_hand(l, 1); /* says why not */
		if (!v->notice[0])
			l->target = o->cycle;
		if (!v->notice[0] && o->cycle <= race_view_now(l->race))
			snprintf(v->notice, sizeof(v->notice), "a race only goes forwards");
		break;
	case RACE_DO_QUIT:
		l->stage->leave = true;
		break;
	default:
		break;
	}
}

static void
do_line(struct loop *l, const char *line)
{
	struct race_order o;
	struct err e = {0};

	if (race_view_command(&l->view, line, &o, &e))
		snprintf(l->view.notice, sizeof(l->view.notice), "%.159s", e.msg);
	else
		carry_out(l, &o);
}

/* Keys that move where one looks; false: it is none. */
static bool
move_key(struct race_view *v, int key)
{
	static const struct {
		int key, cores, columns;
	} move[] = {{K_UP, -1, 0},   {'k', -1, 0}, {K_DOWN, 1, 0},  {'j', 1, 0},
		    {K_LEFT, 0, -1}, {'h', 0, -1}, {K_RIGHT, 0, 1}, {'l', 0, 1}};

	for (size_t i = 0; i < ARRAY_LEN(move); i++)
		if (move[i].key == key) {
			race_view_move(v, move[i].cores, move[i].columns);
			return true;
		}
	return false;
}

static void
type_key(struct loop *l, int key)
{
	char line[RACE_LINE];

	if (race_view_type(&l->view, key, line))
		do_line(l, line);
}

static void
one_key(struct loop *l, int key)
{
	struct race_view *v = &l->view;

	v->notice[0] = '\0';
	if (v->typing) {
		type_key(l, key);
		return;
	}
	if (move_key(v, key))
		return;
	switch (key) {
	case 'q':
		l->stage->leave = !v->help;
		v->help = false;
		break;
	case '?':
	case K_F1:
		v->help = !v->help;
		break;
	case ':':
		v->typing = true;
		v->line[0] = '\0';
		break;
	case ' ':
		carry_out(l, &(struct race_order){v->running ? RACE_DO_PAUSE : RACE_DO_RUN, 0});
		break;
	case 's':
		do_line(l, "sample");
		break;
	case 'n':
		do_line(l, "period");
		break;
	case 'M':
		l->mouse = !l->mouse;
		snprintf(v->notice, sizeof(v->notice), "mouse %s", l->mouse ? "on" : "off");
		break;
	case 'f':
		v->focus = false;
		break;
	case '\t':
		v->series = (v->series + 1) % n_race_shown;
		break;
	case K_BACKTAB:
		v->series = (v->series + n_race_shown - 1) % n_race_shown;
		break;
	case '<':
	case '>':
		race_view_pace(v, key == '<' ? -1 : 1);
		break;
	case 't':
		do_line(l, "theme");
		break;
	case K_CTRL('l'):
		term_redraw(l->stage->term);
		break;
	default:
		snprintf(v->notice, sizeof(v->notice),
			 "this key has no meaning in a race; ? lists those that have");
	}
}

static void
read_keys(struct loop *l)
{
	struct term_key k;

	while (!l->stage->leave && term_read(l->stage->term, false, &k)) {
		if (k.code == TERM_MOUSE && k.mouse.kind == MOUSE_PRESS && k.mouse.button == 0)
			race_view_click(&l->view, k.mouse.x, k.mouse.y, l->stage->canvas->w,
					l->stage->canvas->h);
		else if (k.code < K_NONE || (k.code > K_NONE && k.code < TERM_PASTE))
			one_key(l, k.code);
		l->stage->want_frame = true;
	}
}

/* ---------------------------------------------------------------- the loop */

/* Where the next step leads, when it is due: of a race that runs, or steps by hand. 0: nowhere. */
static cycle_t
next_goal(struct loop *l)
{
	unsigned samples = MAX(l->view.pace / 30, 1u); /* more than a frame shows at a time */
	double now = clock_seconds();

	if (!l->view.running)
		return l->target > race_view_now(l->race) ? l->target : 0;
	if (!l->view.pace)
		return race_view_now(l->race) + race_step(l->race);
	if (now < l->due)
		return 0;
	l->due = now + (double)samples / l->view.pace;
	return behind(l, l->race->sample) + (samples - 1) * l->race->sample;
}

static void
go_on(struct loop *l)
{
	cycle_t goal;

	if (race_ended(l->race)) {
		l->stage->want_frame |= l->view.running;
		l->view.running = false;
		return;
	}
	if (!race_still(l->race))
		return;
	goal = l->race->branches && !l->asked ? l->race->from : next_goal(l);
	l->asked = true;
	if (goal)
		race_go(l->race, goal);
}

/* Waits for a key, a signal or an answer; while something moves not longer than a frame takes. */
static void
wait_a_bit(struct loop *l)
{
	struct pollfd p[2 + RACE_LANES];
	unsigned n = race_descriptors(l->race, p + 2);
	bool moves = l->view.running || !race_still(l->race) || term_busy(l->stage->term),
	     was_still;

	stage_wait(l->stage, p, n, moves ? (int)(1000 * FRAME_SECONDS) / 2 : 250);
	was_still = race_still(l->race);
	race_wait(l->race, 0); /* a lane that stands still may have been ended */
	l->stage->want_frame |= !l->view.running && !was_still && race_still(l->race);
}

void
race_loop(struct stage *g, struct race *r)
{
	struct loop l = {.stage = g, .race = r, .mouse = session_mouse(g->session)};
	char workload[64];

	workload_name(session_sim(g->session), workload, sizeof(workload));
	race_view_init(&l.view, r, workload, &g->theme, term_depth(g->term), term_unicode(g->term));
	snprintf(l.view.notice, sizeof(l.view.notice), "Space starts the race");
	while (!g->leave) {
		draw(&l);
		wait_a_bit(&l);
		stage_events(g);
		read_keys(&l);
		go_on(&l);
	}
}

int
tui_race(struct session *s, struct race *r, const struct tui_options *o, struct err *e)
{
	struct stage g;

	if (stage_open(&g, s, o, "the screen of a race", e))
		return -1;
	race_loop(&g, r);
	return stage_close(&g);
}
