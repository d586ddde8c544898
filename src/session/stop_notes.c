/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stop_notes.c - notes on a new stop: what else may have been meant, and why it may never be hit;
 * and on the stops that were not hit, when the workload ends. Each stop is named once.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/ascii.h"
#include "base/plain_name.h"
#include "base/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A number alone is a cycle. gdb reads it as a source line, and it may be meant as a core, so where
 * it could be either, the note names both commands. */
static void
note_number_alone(struct session *s, const struct stop *p)
{
	bool core = s->sim && p->cycle < sim_instances(s->sim, "core");
	bool line = debug_has_line(s->debug, p->cycle);
	char of_core[80] = "", of_line[80] = "";

	if (core)
		snprintf(of_core, sizeof(of_core),
			 "; for core %" PRIu64 ": 'break cta-issue core %" PRIu64 "'", p->cycle,
			 p->cycle);
	if (line)
		snprintf(of_line, sizeof(of_line),
			 "; for source line %" PRIu64 ": 'break line %" PRIu64 "'", p->cycle,
			 p->cycle);
	if (core || line)
		say(s, SAY_NOTE, "a number alone is a cycle%s%s", of_core, of_line);
}

/* Forwards, a cycle that has passed never comes. */
static void
note_passed_cycle(struct session *s, const struct stop *p)
{
	char cycle[HUMAN];

	if (!s->sim || p->cycle > sim_cycle(s->sim) || sim_cycle(s->sim) == 0)
		return;
	say(s, SAY_NOTE,
	    "cycle %s has passed: 'run' from the start, or running backwards, reaches it",
	    human(cycle, p->cycle));
	debug_stop_take_unhit(s->debug, p->id);
}

/* A rule of a policy that does not run is not applied. */
static void
note_absent_rule(struct session *s, const struct stop *p)
{
	if (s->sim && *p->rule && !debug_stack_has_rule(s->debug, p)) {
		say(s, SAY_NOTE,
		    "no policy of this run has the rule %s; 'help policies' lists them", p->rule);
		debug_stop_take_unhit(s->debug, p->id);
	}
}

/* How often a kernel of that name starts in this trace. */
static unsigned
count_starts(const struct trace_info *t, const char *name)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < t->n_cmds; i++)
		n += t->cmd[i].kind == TRACE_KERNEL &&
		     is_plain_name(name, t->kernel[t->cmd[i].kernel].name);
	return n;
}

static bool
is_stop_of_kernel(const struct session *s, const struct stop *p, unsigned k)
{
	return (!p->kernel || p->kernel == k + 1) &&
	       (!p->kernel_name ||
		is_plain_name(p->kernel_name, sim_trace(s->sim)->kernel[k].name));
}

/* The first kernel starts at cycle 0, where every run begins and none can stop. */
static void
note_kernel_starts(struct session *s, const struct stop *p)
{
	unsigned n = 0, left = 0, started = s->sim ? sim_kernels_started(s->sim) : 0;
	char name[PLAIN_NAME];
	bool first;

	if (!started || strcmp(p->rule, "kernel-start") != 0)
		return;
	for (unsigned k = 0; k < sim_trace(s->sim)->n_kernels; k++)
		if (is_stop_of_kernel(s, p, k)) {
			n++;
			left += k >= started || sim_kernel_start(s->sim, k) == CYCLE_NEVER;
		}
	first = is_stop_of_kernel(s, p, 0) && sim_kernel_start(s->sim, 0) == 0;
	plain_name_shown(sim_kernel(s->sim, 0)->name, name, sizeof(name));
	if (first && n == 1)
		say(s, SAY_NOTE,
		    "kernel 1, %s, starts at cycle 0, where every run begins ('start'), and not "
		    "again: this stop is never hit",
		    name);
	else if (n && !left)
		say(s, SAY_NOTE,
		    "%s started: 'run' from the start, or running backwards, reaches this stop",
		    n == 1 ? "this kernel has" : "all these kernels have");
	else if (first && !p->cond_text)
		say(s, SAY_NOTE,
		    "kernel 1, %s, starts at cycle 0, where every run begins: this stop is hit at "
		    "later starts",
		    name);
	if (n && !left)
		debug_stop_take_unhit(s->debug, p->id);
}

/* Of a signature only the identifier counts, which several kernels can have. */
static void
note_types_not_compared(struct session *s, const struct stop *p, const char *text)
{
	const struct trace_info *t = s->sim ? sim_trace(s->sim) : NULL;
	const char *first = NULL;
	char word[NAME_TYPED];

	if (!t || !p->kernel_name || !next_word(&text, word, sizeof(word)) ||
	    strcmp(word, p->kernel_name) == 0)
		return;
	for (uint32_t k = 0; k < t->n_kernels; k++) {
		const char *name = t->kernel[k].name;

		if (!is_plain_name(p->kernel_name, name) || (first && strcmp(first, name) == 0))
			continue;
		if (first) {
			say(s, SAY_NOTE,
			    "this trace has several kernels named %s: the types in a signature "
			    "are not compared, so it is a stop at all of them",
			    p->kernel_name);
			return;
		}
		first = name;
	}
}

/* What a policy must do for an event to happen. */
enum doing { CHANGES_LIMITS, HAS_PERIODS, PAUSES_CTAS, ORDERS_WARPS, DOINGS };

static const struct {
	enum event_kind event;
	enum doing doing;
	const char *not_done; /* after the name of the policy */
} needs[] = {
	{EV_LIMIT, CHANGES_LIMITS, "never changes a limit"},
	{EV_PERIOD, HAS_PERIODS, "has no periods"},
	{EV_PAUSE, PAUSES_CTAS, "pauses no CTAs"},
	{EV_RESUME, PAUSES_CTAS, "pauses no CTAs"},
	{EV_WARPS, ORDERS_WARPS, "does not choose between warps"},
};

/* A policy that decides how many cores work uses done() for its own counts. */
static bool
stack_does(const struct session *s, enum doing doing)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(sim_config(s->sim), &n);

	for (unsigned i = 0; i < n; i++) {
		const struct cta_sched_ops *o = ops[i];
		bool limits = o->decide || (o->done && !(o->role & CTA_ROLE_CORES));
		bool does[DOINGS] = {limits, limits || o->period, o->pauses, o->warps != NULL};

		if (does[doing])
			return true;
	}
	return false;
}

void
session_note_no_event(struct session *s, const struct stop *p)
{
	bool is_event = (p->kind == STOP_EVENT || p->kind == STOP_TRACE) && !*p->rule;

	if (s->sim && is_event && count_starts(sim_trace(s->sim), event_rows[p->event].name))
		say(s, SAY_NOTE,
		    "%s is an event and a kernel of this trace: the event is meant; 'break "
		    "kernel-start' stops where kernels start",
		    event_rows[p->event].name);
	for (unsigned i = 0; s->sim && is_event && i < ARRAY_LEN(needs); i++) {
		if (needs[i].event != p->event || stack_does(s, needs[i].doing))
			continue;
		say(s, SAY_NOTE,
		    "policy %s %s, so the event %s will not happen unless you change the policy%s",
		    config_policy_text(sim_config(s->sim)), needs[i].not_done,
		    event_rows[p->event].name,
		    stack_does(s, ORDERS_WARPS)
			    ? "; 'break warps' stops at this policy's decisions"
			    : "; 'break cta-issue' stops when a core takes a CTA");
		debug_stop_take_unhit(s->debug, p->id);
	}
}

void
session_note_bare_number(struct session *s, const struct stop *p)
{
	struct err e = {0};
	unsigned n;
	const char *name = debug_bare_number(s->debug, p, &n, &e);

	s->log.lost |= e.kind == ERR_MEMORY;
	if (name && n > 1)
		say(s, SAY_NOTE,
		    "%s without $ has %u values, and the condition holds if it does for any of "
		    "them; $%s is the number of the event",
		    name, n, name);
	else if (name)
		say(s, SAY_NOTE,
		    "%s without $ is a value of the GPU; $%s is the number of the event", name,
		    name);
}

void
session_note_stop(struct session *s, const struct stop *p, const char *text)
{
	if (p->kind == STOP_CYCLE && ascii_is_digit(*skip_blanks(text)))
		note_number_alone(s, p);
	if (p->kind == STOP_CYCLE)
		note_passed_cycle(s, p);
	note_absent_rule(s, p);
	note_kernel_starts(s, p);
	note_types_not_compared(s, p, text);
	session_note_no_event(s, p);
	session_note_bare_number(s, p);
}

#define SHOWN_UNHIT 5

void
session_note_unhit(struct session *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < debug_stop_count(s->debug); i++) {
		const struct stop *p = debug_stop_at(s->debug, i);
		char text[300];

		if (!debug_stop_take_unhit(s->debug, p->id) || n++ >= SHOWN_UNHIT)
			continue;
		debug_stop_text(p, text, sizeof(text));
		say(s, SAY_NOTE, "stop %u was not hit: %s", p->id, text);
	}
	if (n > SHOWN_UNHIT)
		say(s, SAY_NOTE, "%u more stops were not hit; 'info breakpoints' lists them",
		    n - SHOWN_UNHIT);
}
