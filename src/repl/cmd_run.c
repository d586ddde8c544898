/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_run.c - the commands that let the machine go on, and the line every stop prints.
 *
 * A run ends by a stop, the command's own goal, the end of the program, Ctrl-C, a limit
 * (run.max_*), a deadlock or damage. `run` comes back to cycle 0 by a snapshot taken there, so that
 * stops, displays and checkpoints stay what they are.
 */
#include "base/clock.h"
#include "repl/session_part.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_HITS 5

/* ---------------------------------------------------------------- saying how it ended */

static void
say_stop(struct session *s, const char *text)
{
	snprintf(s->last_stop, sizeof(s->last_stop), "stopped: %s", text);
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
	char ipc[HUMAN], ctas[HUMAN];

	snprintf(s->last_stop, sizeof(s->last_stop),
		 "done: cycle %" PRIu64 ", %u kernel%s, %s CTAs, IPC %s", sim_cycle(s->sim),
		 sim_kernels_started(s->sim), PLURAL(sim_kernels_started(s->sim)),
		 human_num(ctas, gpu_number(s->sim, "gpu.ctas_done")),
		 human_num(ipc, gpu_number(s->sim, "gpu.ipc")));
	say(s, SAY_STOP, "%s", s->last_stop);
}

static void
say_hits(struct session *s, const struct debug_result *r)
{
	unsigned shown = MIN(r->n_hits, SHOWN_HITS);

	for (unsigned i = 0; i < shown; i++) {
		if (i == 0)
			say_stop(s, r->hit[i].text);
		else if (strcmp(r->hit[i].text, r->hit[i - 1].text) != 0)
			say(s, SAY_STOP, "   also: %s", r->hit[i].text);
	}
	if (r->hits > shown)
		say(s, SAY_STOP, "   also: %" PRIu64 " more in this cycle", r->hits - shown);
}

void
session_show_displays(struct session *s)
{
	for (unsigned i = 0; i < s->n_displays; i++) {
		struct display *d = &s->display[i];
		struct value v;
		char text[600];

		if (!d->expr || expr_eval(d->expr, &v))
			continue;
		value_format(&v, d->fmt, text, sizeof(text));
		say(s, SAY_RESULT, "%u: %s = %s", d->id, d->text, text);
		value_free(&v);
	}
}

/* ---------------------------------------------------------------- running */

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

static bool
tick(void *ctx)
{
	struct session *s = ctx;

	if (s->want_stats) {
		s->want_stats = 0;
		session_say_stats(s, SAY_RESULT);
	}
	if (s->deadline > 0 && clock_seconds() >= s->deadline) {
		s->timed_out = true;
		return true;
	}
	return s->ui.tick && s->ui.tick(s->ui.ctx);
}

static void
take_commands(struct session *s, const struct debug_result *r)
{
	unsigned n;
	char **lines = debug_take_commands(s->debug, r, &n);

	if (n == 0) {
		free(lines);
		return;
	}
	/* commands still waiting belong to a stop that a command went on from */
	for (unsigned i = s->at_pending; i < s->n_pending; i++)
		free(s->pending[i]);
	free(s->pending);
	s->pending = lines;
	s->n_pending = n;
	s->at_pending = 0;
}

static enum session_status
say_limit(struct session *s, const char *key)
{
	char value[64] = "";
	struct err e = {0};

	session_get(s, key, value, sizeof(value));
	err_set(&e, "limit: %s %s reached, cycle %" PRIu64, key, value, sim_cycle(s->sim));
	snprintf(s->last_stop, sizeof(s->last_stop), "%s", e.msg);
	say_err(s, &e);
	return SESSION_LIMIT;
}

static enum session_status
say_interrupted(struct session *s)
{
	char text[80];

	if (s->timed_out)
		return say_limit(s, "run.max_seconds");
	s->interrupted = true;
	snprintf(text, sizeof(text), "interrupted, cycle %" PRIu64, sim_cycle(s->sim));
	say_stop(s, text);
	if (s->ui.interactive) {
		session_show_displays(s);
		return SESSION_OK;
	}
	return SESSION_INTERRUPTED;
}

static enum debug_end
run_machine(struct session *s, const struct debug_goal *g, struct debug_result *r, struct err *e)
{
	enum debug_end end;
	double seconds;

	limit_option(s, "run.max_seconds", &seconds);
	s->deadline = seconds > 0 ? clock_seconds() + seconds : 0;
	s->timed_out = false;
	s->running = true;
	sim_poll(s->sim, &s->poll);
	sim_every_ms(s->sim, 33, tick, s);
	end = debug_run(s->debug, g, r, e);
	sim_every_ms(s->sim, 0, NULL, NULL);
	sim_poll(s->sim, NULL);
	s->running = false;
	return end;
}

/* Runs to the goal or whatever comes first and says it. quiet: the caller says its own line when
 * the goal was reached, or there are more rounds to come. */
enum session_status
session_go(struct session *s, struct debug_goal *g, bool quiet)
{
	struct debug_result r;
	struct err e = {0};
	double unused;
	uint64_t max = limit_option(s, "run.max_cycles", &unused);
	bool limited = max && max < g->until;

	if (sim_done(s->sim))
		return fail(s, "the program has ended at cycle %" PRIu64 "; 'run' starts it again",
			    sim_cycle(s->sim));
	if (limited && sim_cycle(s->sim) >= max)
		return say_limit(s, "run.max_cycles");
	if (!s->start && sim_cycle(s->sim) == 0) {
		s->start = sim_save(s->sim, NULL); /* without one, run builds the machine again */
		snprintf(s->start_policy, sizeof(s->start_policy), "%s",
			 config_policy_text(sim_config(s->sim)));
	}
	if (limited)
		g->until = max;
	switch (run_machine(s, g, &r, &e)) {
	case DEBUG_STOP:
		say_hits(s, &r);
		take_commands(s, &r);
		break;
	case DEBUG_GOAL:
		if (limited && sim_cycle(s->sim) == max && !r.hits)
			return say_limit(s, "run.max_cycles");
		if (quiet)
			return SESSION_OK;
		say_hits(s, &r);
		break;
	case DEBUG_INTERRUPTED:
		g->count = 0;
		return say_interrupted(s);
	case DEBUG_DONE:
		break;
	case DEBUG_DEADLOCK:
		say_err(s, &e);
		return SESSION_DEADLOCK;
	case DEBUG_FAILED:
		return say_err(s, &e);
	}
	if (sim_done(s->sim))
		say_done(s);
	session_show_displays(s);
	g->count = 0; /* tells a caller with rounds that something was said */
	return SESSION_OK;
}

/* Rounds of the same goal, of which only the last one is said. Each stands at another cycle. */
static enum session_status
go_rounds(struct session *s, uint64_t rounds, uint64_t events, bool last_quiet, bool *reached)
{
	*reached = false;
	for (; rounds; rounds--) {
		struct debug_goal g = {.until = CYCLE_NEVER, .events = events, .count = 1};
		enum session_status status = session_go(s, &g, rounds > 1 || last_quiet);

		if (status != SESSION_OK || !g.count)
			return status;
	}
	*reached = true;
	return SESSION_OK;
}

static bool
has_periods(const struct session *s)
{
	struct core_view v;
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(sim_config(s->sim), &n);

	for (unsigned i = 0; i < n; i++)
		if (ops[i]->period)
			return true;
	sim_core_view(s->sim, 0, &v);
	return v.period_left != CYCLE_NEVER;
}

/* A policy with a period that only acts on the whole GPU publishes nothing at its end. */
static bool
cores_decide(const struct session *s)
{
	bool some_act = false;
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(sim_config(s->sim), &n);

	for (unsigned i = 0; i < n; i++) {
		if (ops[i]->decide)
			return true;
		some_act |= ops[i]->period != NULL;
	}
	return !some_act;
}

static enum session_status
no_periods(struct session *s)
{
	return fail(s,
		    "the policy %s decides at no period; 'step N', 'step event' or 'finish' go on",
		    config_policy_text(sim_config(s->sim)));
}

/* "period, cycle 63: 4 cores decided, 3 limits changed", then the core in focus. */
static void
say_period(struct session *s)
{
	const struct event_ring *ring = sim_events(s->sim);
	const struct event *own = NULL;
	unsigned cores = 0, changed = 0;
	cycle_t at = sim_cycle(s->sim) - 1;
	char text[400];

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (!ev || ev->cycle < at)
			break;
		at = ev->cycle;
		cores += ev->kind == EV_PERIOD && ev->core >= 0;
		changed += ev->kind == EV_LIMIT;
		if (ev->kind == EV_PERIOD && ev->core == (int)s->core)
			own = ev;
	}
	snprintf(text, sizeof(text),
		 "period, cycle %" PRIu64 ": %u core%s decided, %u limit%s changed", at, cores,
		 PLURAL(cores), changed, PLURAL(changed));
	say_stop(s, text);
	if (own) {
		sim_event_text(s->sim, own, text, sizeof(text));
		say(s, SAY_STOP, "   here: %s", text);
	}
	if (sim_done(s->sim))
		say_done(s);
	session_show_displays(s);
}

/* ---------------------------------------------------------------- the commands */

static enum session_status
to_the_start(struct session *s)
{
	struct err e = {0};

	if (!s->start || strcmp(s->start_policy, config_policy_text(sim_config(s->sim))) != 0 ||
	    sim_restore(s->sim, s->start, &e)) {
		enum session_status status = session_build(s);

		if (status != SESSION_OK)
			return status;
	}
	debug_restarted(s->debug);
	s->list_at = 0;
	s->run++;
	return SESSION_OK;
}

enum session_status
cmd_run(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	struct debug_goal g = {.until = CYCLE_NEVER};

	if (sim_cycle(s->sim) > 0) {
		enum session_status status = to_the_start(s);

		if (status != SESSION_OK)
			return status;
		if (s->ui.interactive)
			say(s, SAY_NOTE, "run %u, from the start", s->run);
	}
	return session_go(s, &g, false);
}

enum session_status
cmd_continue(struct session *s, struct cmd_args *a)
{
	uint64_t n = a->has_number[0] ? a->number[0] : 1;
	enum session_status status = SESSION_OK;

	if (n == 0)
		return fail(s, "continue: N is at least 1");
	for (; n && status == SESSION_OK && !s->interrupted; n--) {
		struct debug_goal g = {.until = CYCLE_NEVER};

		status = session_go(s, &g, false);
		if (sim_done(s->sim))
			break;
	}
	return status;
}

/* A command has come to its own end: says where, and that the run is over if it is. */
static enum session_status
stopped(struct session *s, const char *text)
{
	say_stop(s, text);
	if (sim_done(s->sim))
		say_done(s);
	session_show_displays(s);
	return SESSION_OK;
}

static enum session_status
go_to_cycle(struct session *s, struct debug_goal *g)
{
	enum session_status status = session_go(s, g, true);
	char text[80];

	if (status != SESSION_OK || !g->count)
		return status;
	snprintf(text, sizeof(text), "cycle %" PRIu64, sim_cycle(s->sim));
	return stopped(s, text);
}

enum session_status
cmd_step(struct session *s, struct cmd_args *a)
{
	static const char *const units[] = {"cycle", "event", "cta", "period", "kernel"};
	static const uint64_t kinds[] = {0, EV_ALL & ~EV_BIT(EV_SAMPLE),
					 EV_BIT(EV_CTA_ISSUE) | EV_BIT(EV_CTA_DONE),
					 EV_BIT(EV_PERIOD), EV_BIT(EV_KERNEL)};
	uint64_t n = a->has_number[0] ? a->number[0] : 1;
	struct debug_goal g = {.until = CYCLE_NEVER};
	struct err e = {0};
	int unit = a->word[1] ? pick_name("unit", a->word[1], units, ARRAY_LEN(units), &e) : 0;

	if (unit < 0)
		return say_err(s, &e);
	if (n == 0)
		return fail(s, "step: N is at least 1");
	if (unit == 3) {
		a->number[0] = n;
		a->has_number[0] = true;
		return cmd_next(s, a);
	}
	if (unit > 0) {
		g.events = kinds[unit];
		g.count = n;
		return session_go(s, &g, false);
	}
	g.count = 1;
	g.until = n > CYCLE_NEVER - sim_cycle(s->sim) ? CYCLE_NEVER : sim_cycle(s->sim) + n;
	return go_to_cycle(s, &g);
}

/* The ends of periods by the clock. */
static enum session_status
next_by_cycle(struct session *s, uint64_t n)
{
	for (;; n--) {
		struct debug_goal g = {.count = 1};
		enum session_status status;
		struct core_view v;

		sim_core_view(s->sim, 0, &v);
		g.until = v.period_left == CYCLE_NEVER ? CYCLE_NEVER
						       : sim_cycle(s->sim) + MAX(v.period_left, 1u);
		if (n == 1)
			return go_to_cycle(s, &g);
		status = session_go(s, &g, true);
		if (status != SESSION_OK || !g.count)
			return status;
	}
}

enum session_status
cmd_next(struct session *s, struct cmd_args *a)
{
	uint64_t n = a->has_number[0] ? a->number[0] : 1;
	enum session_status status;
	bool reached;

	if (n == 0)
		return fail(s, "next: N is at least 1");
	if (!has_periods(s))
		return no_periods(s);
	if (!cores_decide(s))
		return next_by_cycle(s, n);
	status = go_rounds(s, n, EV_BIT(EV_PERIOD), true, &reached);
	if (reached)
		say_period(s);
	return status;
}

enum session_status
cmd_finish(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	unsigned k = sim_kernels_started(s->sim);
	bool reached;

	/* between two kernels the next one is meant */
	if (k == 0 || sim_kernel_end(s->sim, k - 1) != CYCLE_NEVER)
		k++;
	for (;;) {
		struct debug_goal g = {.until = CYCLE_NEVER,
				       .events = EV_BIT(EV_KERNEL),
				       .count = 1};
		enum session_status status;
		char text[400] = "";
		const struct event_ring *ring;

		status = session_go(s, &g, true);
		reached = sim_kernels_started(s->sim) >= k &&
			  sim_kernel_end(s->sim, k - 1) != CYCLE_NEVER;
		if (status != SESSION_OK || !g.count)
			return status;
		if (!reached)
			continue;
		ring = sim_events(s->sim);
		for (uint64_t seq = ring->next; seq > ring->first && !*text; seq--)
			if (event_ring_get(ring, seq - 1)->kind == EV_KERNEL)
				sim_event_text(s->sim, event_ring_get(ring, seq - 1), text,
					       sizeof(text));
		return stopped(s, text);
	}
}

enum session_status
cmd_advance(struct session *s, struct cmd_args *a)
{
	struct debug_goal g = {.until = a->number[0], .count = 1};

	if (a->number[0] <= sim_cycle(s->sim))
		return fail(s,
			    "advance: cycle %" PRIu64 " has passed, this is cycle %" PRIu64
			    "; 'run' starts again",
			    a->number[0], sim_cycle(s->sim));
	return go_to_cycle(s, &g);
}

/* Nothing but a word of letters and dashes can be an event; a path has a dot. */
static bool
starts_with_event(const char *text)
{
	char word[64];

	span_copy(word_next(&text), word, sizeof(word));
	return strspn(word, "abcdefghijklmnopqrstuvwxyz-") == strlen(word) && event_find(word) >= 0;
}

static enum session_status
until_event(struct session *s, const char *text)
{
	struct debug_goal g = {.until = CYCLE_NEVER};
	struct err e = {0};
	const struct stop *p = debug_stop_add(s->debug, STOP_EVENT, true, text, &e);
	enum session_status status;
	unsigned id;

	if (!p)
		return say_err(s, &e);
	id = p->id;
	status = session_go(s, &g, false);
	if (debug_stop_find(s->debug, id))
		debug_stop_delete(s->debug, id); /* something else came first */
	return status;
}

enum session_status
cmd_until(struct session *s, struct cmd_args *a)
{
	const char *text = a->word[0];
	struct debug_goal g = {.until = CYCLE_NEVER, .count = 1};
	enum session_status status;
	struct err e = {0};
	char line[400];

	if (starts_with_event(text))
		return until_event(s, text);
	g.converged = strcmp(text, "converged") == 0;
	if (g.converged && !has_periods(s))
		return no_periods(s);
	if (!g.converged && !(g.expr = expr_parse(text, debug_names(s->debug), &e)))
		return say_err(s, &e);
	status = session_go(s, &g, true);
	expr_free(g.expr);
	if (status != SESSION_OK || !g.count)
		return status;
	if (g.converged)
		snprintf(line, sizeof(line),
			 "converged, cycle %" PRIu64 ": no limit changed for %d periods",
			 sim_cycle(s->sim), CONVERGED_PERIODS);
	else
		snprintf(line, sizeof(line), "cycle %" PRIu64 ": %.300s", sim_cycle(s->sim), text);
	return stopped(s, line);
}
