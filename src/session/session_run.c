/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_run.c - runs the machine to a goal, and prints the line of every stop.
 *
 * A run ends by a stop, the goal of its command, the end of the program, Ctrl-C, a limit
 * (run.max_*), a deadlock or an error. The command itself reports only that the goal was reached.
 */
#include "base/clock.h"
#include "session/session_file.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_HITS 5
#define TICK_MS 8 /* a part of the time between two frames, so that these are regular */

/* ---------------------------------------------------------------- how a run ended */

/* Keeps how a run ended, at the place where the machine is now. */
static void
keep_stop(struct session *s, const char *what, const char *text)
{
	snprintf(s->last_stop, sizeof(s->last_stop), "%s: %s", what, text);
	s->stopped_at = timeline_here(s->timeline);
}

void
session_say_stop(struct session *s, const char *text)
{
	keep_stop(s, "stopped", text);
	say(s, SAY_STOP, "%s", s->last_stop);
}

static double
gpu_number(const struct sim *sim, const char *path)
{
	uint64_t id;

	return sim_path(sim, path, &id, NULL) == 1 ? sim_value(sim, id, 0) : NAN;
}

static void
say_done(struct session *s)
{
	char cycle[HUMAN], ipc[HUMAN], ctas[HUMAN], text[200];

	snprintf(text, sizeof(text), "cycle %s, %u kernel%s, %s CTAs, IPC %s",
		 human(cycle, sim_cycle(s->sim)), sim_kernels_started(s->sim),
		 PLURAL(sim_kernels_started(s->sim)),
		 human_num(ctas, gpu_number(s->sim, "gpu.ctas_done")),
		 human_num(ipc, gpu_number(s->sim, "gpu.ipc")));
	keep_stop(s, "done", text);
	say(s, SAY_STOP, "%s", s->last_stop);
}

void
session_say_hits(struct session *s, const struct debug_result *r)
{
	unsigned shown = MIN(r->n_hits, SHOWN_HITS);

	for (unsigned i = 0; i < shown; i++) {
		if (i == 0)
			session_say_stop(s, r->hit[i].text);
		else if (strcmp(r->hit[i].text, r->hit[i - 1].text) != 0)
			say(s, SAY_STOP, "   also: %s", r->hit[i].text);
	}
	if (r->hits > shown)
		say(s, SAY_STOP, "   also: %" PRIu64 " more in this cycle", r->hits - shown);
}

void
session_show_displays(struct session *s)
{
	for (unsigned i = 0; i < s->view.n_displays; i++) {
		struct display *d = &s->view.display[i];
		struct value v;
		char text[600];

		if (!value_of_expr(s, d->expr, &v))
			continue;
		value_format(&v, d->fmt, text, sizeof(text));
		say(s, SAY_RESULT, "%u: %s = %s", d->id, d->text, text);
		value_free(&v);
	}
}

/* ---------------------------------------------------------------- running */

/* Puts the core of the stop in focus, as gdb does with the thread that hit a stop. */
void
session_follow_stop(struct session *s)
{
	int core = s->opts.follow_stop ? debug_stopped_core(s->debug) : -1;

	if (core >= 0)
		session_set_focus_core(s, (unsigned)core);
}

static uint64_t
limit_option(const struct session *s, const char *key, double *seconds)
{
	char text[64];

	*seconds = 0;
	if (session_get(s, key, text, sizeof(text)))
		return 0;
	*seconds = strtod(text, NULL);
	return strtoull(text, NULL, 10);
}

bool
session_tick(struct session *s)
{
	session_beside_say(s);
	session_autosave_tick(s);
	if (s->control.want_stats) {
		s->control.want_stats = 0;
		session_say_stats(s, SAY_RESULT);
	}
	if (s->control.deadline > 0 && clock_seconds() >= s->control.deadline) {
		s->control.timed_out = true;
		return true;
	}
	return s->ui.tick && s->ui.tick(s->ui.ctx);
}

static bool
run_tick(void *ctx)
{
	return session_tick(ctx);
}

/* Returns true if the commands begin with `silent`. */
static bool
take_commands(struct session *s)
{
	unsigned n;
	char **lines = debug_take_commands(s->debug, &n);
	struct block *b = n ? block_new(NULL) : NULL;
	struct err e = {0};

	for (unsigned i = 0; i < n; i++) {
		if (b && block_add(b, lines[i], 0, &e)) {
			block_free(b);
			b = NULL;
		}
		free(lines[i]);
	}
	free(lines);
	if (n && !b)
		fail(s, "the commands of the stops were not executed: %s",
		     e.set ? e.msg : "out of memory");
	if (!b)
		return false;
	/* Commands still waiting belong to a stop from which a command has continued. */
	script_drop_pending(s);
	s->script.pending = b;
	return strcmp(b->line[0].text, "silent") == 0;
}

void
session_print_stats_at_limit(struct session *s)
{
	s->control.stats_at_limit = true;
}

static enum session_status
say_limit(struct session *s, const char *key)
{
	char value[64] = "", cycle[HUMAN];
	struct err e = {0};

	session_get(s, key, value, sizeof(value));
	err_set(&e, "limit: %s %s reached, cycle %s", key, value, human(cycle, sim_cycle(s->sim)));
	snprintf(s->last_stop, sizeof(s->last_stop), "%s", e.msg);
	if (s->control.stats_at_limit)
		session_say_stats(s, SAY_RESULT);
	say_err(s, &e);
	return SESSION_LIMIT;
}

enum session_status
session_end_interrupted(struct session *s)
{
	s->control.interrupted = true;
	return s->ui.interactive ? SESSION_OK : SESSION_INTERRUPTED;
}

static enum session_status
say_interrupted(struct session *s)
{
	char text[80], cycle[HUMAN];

	if (s->control.timed_out)
		return say_limit(s, "run.max_seconds");
	snprintf(text, sizeof(text), "interrupted, cycle %s", human(cycle, sim_cycle(s->sim)));
	session_say_stop(s, text);
	if (s->ui.interactive)
		session_show_displays(s);
	return session_end_interrupted(s);
}

static enum debug_end
run_machine(struct session *s, const struct debug_goal *g, struct debug_result *r, struct err *e)
{
	enum debug_end end;
	double seconds;

	limit_option(s, "run.max_seconds", &seconds);
	s->control.deadline = seconds > 0 ? clock_seconds() + seconds : 0;
	s->control.timed_out = false;
	s->control.running = true;
	session_time_begin(s);
	debug_prefer_core(s->debug, s->opts.follow_stop ? (int)s->view.core : -1);
	sim_poll(s->sim, &s->control.poll);
	sim_every_ms(s->sim, TICK_MS, run_tick, s);
	live_begin(s);
	end = debug_run(s->debug, g, r, e);
	debug_between(s->debug, NULL, NULL);
	tempo_end(s);
	sim_every_ms(s->sim, 0, NULL, NULL);
	sim_poll(s->sim, NULL);
	s->control.running = false;
	s->control.deadline = 0; /* the run is over */
	session_time_end(s);
	live_end(s);
	session_follow_stop(s);
	return end;
}

enum session_status
session_say_here(struct session *s)
{
	if (sim_done(s->sim))
		say_done(s);
	session_show_displays(s);
	return SESSION_OK;
}

/* The beginning of the stops' commands decides whether they are reported. */
static enum session_status
say_stopped(struct session *s, const struct debug_result *r)
{
	if (!take_commands(s)) {
		session_say_hits(s, r);
		return session_say_here(s);
	}
	if (r->n_hits)
		keep_stop(s, "stopped", r->hit[0].text);
	return SESSION_OK;
}

/* Checks that a run may begin. */
static enum session_status
check_start(struct session *s, uint64_t max)
{
	char cycle[HUMAN];

	if (sim_done(s->sim))
		return fail(s,
			    "the program has ended at cycle %s; 'start' returns to its "
			    "beginning, 'run' runs it again, 'goto CYCLE' goes back in time%s",
			    human(cycle, sim_cycle(s->sim)),
			    session_has_screen(s) ? ", and gh to the cursor" : "");
	if (max && sim_cycle(s->sim) >= max)
		return say_limit(s, "run.max_cycles");
	return SESSION_OK;
}

bool
session_ended(struct session *s, enum debug_end end, const struct debug_result *r,
	      const struct err *e, enum session_status *status)
{
	switch (end) {
	case DEBUG_STOP:
		*status = say_stopped(s, r);
		if (sim_done(s->sim))
			session_note_unhit(s);
		return false;
	case DEBUG_GOAL:
		return true;
	case DEBUG_LIMIT:
		*status = say_limit(s, "run.max_thread_insts");
		return false;
	case DEBUG_INTERRUPTED:
		*status = say_interrupted(s);
		return false;
	case DEBUG_DONE:
		*status = session_say_here(s);
		session_note_unhit(s);
		return false;
	case DEBUG_DEADLOCK:
		say_err(s, e);
		*status = SESSION_DEADLOCK;
		return false;
	case DEBUG_FAILED:
		*status = say_err(s, e);
		return false;
	}
	return false;
}

static bool
run_to_goal(struct session *s, struct debug_goal g, struct debug_result *r,
	    enum session_status *status)
{
	struct err e = {0};
	double unused;
	uint64_t max = limit_option(s, "run.max_cycles", &unused);
	bool limited = max && max < g.until;

	*status = check_start(s, limited ? max : 0);
	if (*status != SESSION_OK)
		return false;
	if (limited)
		g.until = max;
	if (!session_ended(s, run_machine(s, &g, r, &e), r, &e, status))
		return false;
	if (!limited || sim_cycle(s->sim) != max || r->hits)
		return true;
	*status = say_limit(s, "run.max_cycles");
	return false;
}

bool
session_reach(struct session *s, struct debug_goal g, struct debug_result *r,
	      enum session_status *status)
{
	bool reached = run_to_goal(s, g, r, status);

	if (session_log_events(s) == SESSION_OK)
		return reached;
	if (reached) /* the caller would have reported it */
		session_say_hits(s, r);
	*status = SESSION_ERROR;
	return false;
}

enum session_status
session_go(struct session *s, struct debug_goal g)
{
	struct debug_result r;
	enum session_status status;

	if (!session_reach(s, g, &r, &status))
		return status;
	session_say_hits(s, &r);
	return session_say_here(s);
}
