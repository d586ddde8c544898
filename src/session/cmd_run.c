/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_run.c - the commands that run the machine: each sets a goal, runs to it (session_run.c) and
 * prints where the run stopped.
 *
 * `run` returns to cycle 0 of the branch (src/timeline), so that stops, displays and checkpoints
 * survive.
 */
#include "session/command.h"
#include "session/session_part.h"

#include <limits.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs to the event `rounds` times, each time in another cycle. Returns what session_reach()
 * returned for the last one. */
static bool
reach_events(struct session *s, uint64_t rounds, uint64_t events, enum session_status *status)
{
	struct debug_goal g = {.until = CYCLE_NEVER, .events = events, .count = 1};
	struct debug_result r;

	*status = SESSION_OK;
	for (; rounds; rounds--)
		if (!session_reach(s, g, &r, status))
			return false;
	return true;
}

bool
session_has_periods(const struct session *s)
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

/* A policy whose periods concern only the whole GPU has no decisions of cores at their ends. */
bool
session_cores_decide(const struct session *s)
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

enum session_status
session_no_periods(struct session *s)
{
	return fail(s, "policy %s has no period; use 'step N', 'step event' or 'finish'",
		    config_policy_text(sim_config(s->sim)));
}

/* Prints "period, cycle 63: 4 cores decided, 3 limits changed", then the core in focus. Where
 * several kernels run together, each decides about its own limits of every core. */
enum session_status
session_say_period(struct session *s)
{
	const struct event_ring *ring = sim_events(s->sim);
	const struct event *own = NULL;
	unsigned decisions = 0, changed = 0, kernels = 0, last = UINT_MAX;
	cycle_t at = sim_cycle(s->sim) - 1;
	char text[400], cycle[HUMAN], who[64];
	struct core_view v;

	sim_core_view(s->sim, s->view.core, &v);
	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (!ev || ev->cycle < at)
			break;
		at = ev->cycle;
		changed += ev->kind == EV_LIMIT;
		if (ev->kind != EV_PERIOD || ev->core < 0)
			continue;
		decisions++;
		kernels += ev->kernel != last;
		last = ev->kernel;
		if (ev->core == (int)s->view.core &&
		    (!sim_runs_together(s->sim) || ev->kernel + 1u == v.kernel))
			own = ev;
	}
	if (kernels > 1)
		snprintf(who, sizeof(who), "%u decisions about the limits of %u kernels", decisions,
			 kernels);
	else
		snprintf(who, sizeof(who), "%u core%s decided", decisions, PLURAL(decisions));
	snprintf(text, sizeof(text), "period, cycle %s: %s, %u limit%s changed", human(cycle, at),
		 who, changed, PLURAL(changed));
	session_say_stop(s, text);
	if (own) {
		sim_event_text(s->sim, own, text, sizeof(text));
		say(s, SAY_STOP, "   here: %s", text);
	}
	return session_say_here(s);
}

/* ---------------------------------------------------------------- the commands */

uint64_t
session_count_of(struct session *s, const struct cmd_args *a)
{
	uint64_t n = a->has_number[0] ? a->number[0] : 1;

	if (n == 0)
		fail(s, "%s: expected N of at least 1", a->name);
	return n;
}

static enum session_status
go_to_start(struct session *s)
{
	enum session_status status = session_start_again(s);

	if (status != SESSION_OK)
		return status;
	debug_restarted(s->debug);
	s->view.list_at = 0;
	return SESSION_OK;
}

enum session_status
cmd_run(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	if (sim_cycle(s->sim) > 0) {
		char was[HUMAN];
		enum session_status status;

		human(was, sim_cycle(s->sim));
		status = go_to_start(s);
		if (status != SESSION_OK)
			return status;
		say(s, SAY_NOTE, "run %u starts again at cycle 0; run %u was at cycle %s", s->run,
		    s->run - 1, was);
	}
	return session_go(s, (struct debug_goal){.until = CYCLE_NEVER});
}

/* Reports that a command reached its goal, where, and whether the run has ended. */
static enum session_status
say_stopped_at(struct session *s, const char *text)
{
	session_say_stop(s, text);
	return session_say_here(s);
}

enum session_status
cmd_start(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	enum session_status status = go_to_start(s);

	return status == SESSION_OK ? say_stopped_at(s, "cycle 0") : status;
}

enum session_status
cmd_continue(struct session *s, struct cmd_args *a)
{
	uint64_t n = session_count_of(s, a);
	enum session_status status = SESSION_OK;

	if (n == 0)
		return SESSION_ERROR;
	for (; n && status == SESSION_OK && !s->control.interrupted; n--) {
		status = session_go(s, (struct debug_goal){.until = CYCLE_NEVER});
		if (sim_done(s->sim))
			break;
	}
	return status;
}

static bool
reach_cycle(struct session *s, cycle_t until, enum session_status *status)
{
	struct debug_result r;

	return session_reach(s, (struct debug_goal){.until = until, .count = 1}, &r, status);
}

static enum session_status
go_to_cycle(struct session *s, cycle_t until)
{
	enum session_status status;
	char text[80], cycle[HUMAN];

	if (!reach_cycle(s, until, &status))
		return status;
	snprintf(text, sizeof(text), "cycle %s", human(cycle, sim_cycle(s->sim)));
	return say_stopped_at(s, text);
}

static enum session_status
step_cycles(struct session *s, uint64_t n)
{
	cycle_t now = sim_cycle(s->sim);

	return go_to_cycle(s, n > CYCLE_NEVER - now ? CYCLE_NEVER : now + n);
}

/* Runs to the ends of periods, computed from the cycle number. */
static enum session_status
next_by_cycle(struct session *s, uint64_t n)
{
	for (;; n--) {
		enum session_status status;
		struct core_view v;
		cycle_t until = CYCLE_NEVER;

		sim_core_view(s->sim, 0, &v);
		if (v.period_left != CYCLE_NEVER)
			until = sim_cycle(s->sim) + MAX(v.period_left, 1u);
		if (n == 1)
			return go_to_cycle(s, until);
		if (!reach_cycle(s, until, &status))
			return status;
	}
}

static enum session_status
next_periods(struct session *s, uint64_t n)
{
	enum session_status status;

	if (!session_has_periods(s))
		return session_no_periods(s);
	if (!session_cores_decide(s))
		return next_by_cycle(s, n);
	return reach_events(s, n, EV_BIT(EV_PERIOD), &status) ? session_say_period(s) : status;
}

enum session_status
cmd_next(struct session *s, struct cmd_args *a)
{
	uint64_t n = session_count_of(s, a);

	return n ? next_periods(s, n) : SESSION_ERROR;
}

/* Finds a unit by its name or, as in `step 5 cycles`, by its plural. */
static int
find_unit(const char *word, const char *const *names, unsigned n, struct err *e)
{
	size_t len = strlen(word);

	for (unsigned i = 0; i < n; i++)
		if (len && word[len - 1] == 's' && strlen(names[i]) == len - 1 &&
		    strncmp(names[i], word, len - 1) == 0)
			return (int)i;
	return pick_name("unit", word, names, n, e);
}

enum session_status
session_step(struct session *s, struct cmd_args *a, const struct step_way *way)
{
	static const char *const names[] = {"cycle", "event", "cta", "period", "kernel"};
	static const uint64_t events[ARRAY_LEN(names)] = {0, EV_ALL & ~EV_BIT(EV_SAMPLE),
							  EV_BIT(EV_CTA_ISSUE) |
								  EV_BIT(EV_CTA_DONE),
							  0, EV_BIT(EV_KERNEL)};
	struct err e = {0};
	uint64_t n;
	int unit = a->word[1] ? find_unit(a->word[1], names, ARRAY_LEN(names), &e) : 0;

	if (unit < 0)
		return say_err(s, &e);
	n = session_count_of(s, a);
	if (n == 0)
		return SESSION_ERROR;
	if (events[unit])
		return way->go(s, (struct debug_goal){.until = CYCLE_NEVER,
						      .events = events[unit],
						      .count = n});
	return unit == 0 ? way->cycles(s, n) : way->periods(s, n);
}

enum session_status
cmd_step(struct session *s, struct cmd_args *a)
{
	return session_step(s, a, &(struct step_way){step_cycles, next_periods, session_go});
}

/* Writes the text of the end of a kernel, which another may have followed in the same cycle; "" if
 * the event is not kept. */
static void
kernel_end_text(const struct session *s, unsigned kernel, char *text, size_t size)
{
	const struct event_ring *ring = sim_events(s->sim);

	*text = '\0';
	for (uint64_t seq = ring->next; seq > ring->first && !*text; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (ev->kind == EV_KERNEL && ev->kernel == kernel &&
		    ev->cycle == sim_kernel_end(s->sim, kernel))
			sim_event_text(s->sim, ev, text, size);
	}
}

enum session_status
cmd_finish(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	unsigned k = sim_kernel_shown(s->sim);
	enum session_status status;
	char text[400];

	/* between two kernels the next one is meant */
	if (k == 0 || sim_kernel_end(s->sim, k - 1) != CYCLE_NEVER)
		k++;
	do {
		if (!reach_events(s, 1, EV_BIT(EV_KERNEL), &status))
			return status;
	} while (sim_kernels_started(s->sim) < k || sim_kernel_end(s->sim, k - 1) == CYCLE_NEVER);
	kernel_end_text(s, k - 1, text, sizeof(text));
	return say_stopped_at(s, text);
}

void
session_say_early_end(struct session *s, cycle_t wanted)
{
	char end[HUMAN], cycle[HUMAN];

	if (sim_done(s->sim) && sim_cycle(s->sim) < wanted)
		say(s, SAY_NOTE, "the program ended at cycle %s, before cycle %s",
		    human(end, sim_cycle(s->sim)), human(cycle, wanted));
}

static enum session_status
advance_to(struct session *s, const char *command, cycle_t cycle)
{
	enum session_status status;
	char wanted[HUMAN], here[HUMAN];

	if (cycle < sim_cycle(s->sim))
		return fail(s,
			    "%s: cycle %s has passed, this is cycle %s; 'goto %" PRIu64
			    "' goes back, 'run' starts again",
			    command, human(wanted, cycle), human(here, sim_cycle(s->sim)), cycle);
	if (cycle == sim_cycle(s->sim))
		return fail(s, "%s: this is already cycle %s", command, human(here, cycle));
	status = go_to_cycle(s, cycle);
	if (status == SESSION_OK)
		session_say_early_end(s, cycle);
	return status;
}

enum session_status
cmd_advance(struct session *s, struct cmd_args *a)
{
	return advance_to(s, a->name, a->number[0]);
}

/* The name of an event consists of letters and dashes; a path contains a dot. A rule whose name is
 * also that of a value, if there ever is one, stays the value. */
bool
session_is_event(struct session *s, const char *text)
{
	const char *at = text;
	struct err e = {0};
	char word[NAME_TYPED];
	bool letters = true;

	next_word(&at, word, sizeof(word));
	for (const char *c = word; *c; c++)
		letters &= ascii_is_lower(ascii_lower(*c)) || *c == '-';
	return (letters && event_find(word) >= 0) ||
	       (debug_knows_rule(s->debug, word) && session_check_expr(s, text, &e));
}

enum session_status
session_go_to_event(struct session *s, const char *text, session_go_fn *go)
{
	struct err e = {0};
	const struct stop *p = debug_stop_add(s->debug, STOP_EVENT, true, text, &e);
	enum session_status status;
	bool was_done, unknown;
	unsigned id;

	if (!p)
		return say_err(s, &e);
	id = p->id;
	was_done = sim_done(s->sim);
	session_note_no_event(s, p);
	session_note_bare_number(s, p);
	unknown = debug_stop_take_unhit(s->debug, id); /* no note said that it will not happen */
	status = go(s, (struct debug_goal){.until = CYCLE_NEVER});
	if (!debug_stop_find(s->debug, id))
		return status;
	debug_stop_delete(s->debug, id); /* something else ended the run */
	if (unknown && !was_done && sim_done(s->sim))
		say(s, SAY_NOTE, "until: %.200s did not happen", text);
	return status;
}

int
session_check_expr(struct session *s, const char *text, struct err *e)
{
	struct expr *x = debug_parse_per_cycle(s->debug, text, e);

	expr_free(x);
	return x ? 0 : -1;
}

/* A condition without names has one value for ever. One that does not hold is a mistake, since the
 * run would go to its end without a word; so is a number, which is meant as a cycle. */
static int
refuse_constant(const char *text, struct err *e)
{
	const char *fault = number_count_fault(text);
	struct expr *x;
	struct value v = {.n = 0};
	char value[64];

	if (fault)
		return err_set(e, "until: '%.60s' %s", text, fault);
	x = expr_parse(text, NULL, NULL);
	if (!x || expr_true(x) || expr_eval(x, &v)) {
		expr_free(x);
		return 0;
	}
	value_format(&v, 0, value, sizeof(value));
	expr_free(x);
	value_free(&v);
	return err_set(e,
		       "until: '%.60s' is always %s, so it never holds; name something that "
		       "changes, as in until core.0.n < 4",
		       text, value);
}

/* The run has ended, and the condition has never held. */
static void
say_never(struct session *s, const char *text)
{
	if (s->sim && sim_done(s->sim))
		say(s, SAY_NOTE, "until: %.200s never held", text);
}

enum session_status
cmd_until(struct session *s, struct cmd_args *a)
{
	const char *text = a->word[0];
	struct debug_goal g = {.until = CYCLE_NEVER, .count = 1};
	struct debug_result r;
	enum session_status status;
	struct err e = {0};
	bool reached, was_done;
	char line[400], here[HUMAN];
	cycle_t cycle;

	if (!*text) /* in gdb, too, until is next unless it has an argument */
		return next_periods(s, 1);
	if (number_count(text, &cycle) == 0)
		return advance_to(s, a->name, cycle);
	if (session_is_event(s, text))
		return session_go_to_event(s, text, session_go);
	g.converged = ascii_same(text, "converged");
	if (g.converged && !session_has_periods(s))
		return session_no_periods(s);
	if (!g.converged && (session_check_expr(s, text, &e) || refuse_constant(text, &e)))
		return say_err(s, &e);
	g.expr = g.converged ? NULL : text;
	was_done = sim_done(s->sim);
	reached = session_reach(s, g, &r, &status);
	if (!reached && g.expr && !was_done)
		say_never(s, text);
	if (!reached)
		return status;
	if (g.converged)
		snprintf(line, sizeof(line), "converged, cycle %s: no limit changed for %d periods",
			 human(here, sim_cycle(s->sim)), CONVERGED_PERIODS);
	else
		snprintf(line, sizeof(line), "cycle %s: %.300s", human(here, sim_cycle(s->sim)),
			 text);
	return say_stopped_at(s, line);
}
