/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * numbers.c - which numbers of events an expression may name ("$c_mem").
 *
 * The place of an expression decides. The condition of a stop is evaluated at events of one kind or
 * rule, so a number that none of their rules has would be unknown for ever. A watch and the
 * condition of `until` are evaluated at the end of cycles, where there is no event. Anything else
 * may speak of every policy, since it asks about the event stopped at, whichever that is.
 */
#include "debug/debug_part.h"

#include "cta/cta.h"

#include <string.h>

static const char *
each_value(const struct rule *r, debug_number_fn *fn, void *ctx)
{
	for (unsigned i = 0; i < EVENT_VALUES && r->value[i]; i++)
		if (fn(ctx, r->value[i]))
			return r->value[i];
	return NULL;
}

/* Does the host emit events of this kind with its rule? Left out are the rules of a change of
 * policy and of a branch, where the event is one of policies. */
static bool
is_host_rule_of(enum event_kind kind, unsigned rule)
{
	switch (kind) {
	case EV_KERNEL:
		return rule == HR_KERNEL_START || rule == HR_KERNEL_END;
	case EV_CTA_ISSUE:
		return rule == HR_ISSUE || rule == HR_CHOSEN;
	case EV_CTA_DONE:
		return rule == HR_DONE;
	case EV_SAMPLE:
		return rule == HR_SAMPLE;
	case EV_FORCED:
		return rule >= HR_FORCED_LIMIT && rule <= HR_FORCED_NO_ROOM;
	default:
		return false;
	}
}

static bool
is_host_only(enum event_kind kind)
{
	return kind == EV_KERNEL || kind == EV_CTA_DONE || kind == EV_SAMPLE;
}

static const char *
each_of_policies(const struct cta_sched_ops *const *ops, unsigned n, const struct stop *p,
		 debug_number_fn *fn, void *ctx)
{
	const char *found = NULL;

	for (unsigned i = 0; i < n && !found; i++) {
		if (p && *p->policy && strcmp(p->policy, ops[i]->name) != 0)
			continue;
		for (unsigned r = 0; r < ops[i]->n_rules && !found; r++)
			if (!p || strcmp(p->rule, ops[i]->rules[r].name) == 0)
				found = each_value(&ops[i]->rules[r], fn, ctx);
	}
	return found;
}

static bool
have_rules(const struct cta_sched_ops *const *ops, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (ops[i]->n_rules)
			return true;
	return false;
}

/* The numbers of the events at which a stop can be hit. A stack without rules decides nothing, so
 * such a stop waits for another one. */
static const char *
each_of_stop(const struct debug *d, const struct stop *p, debug_number_fn *fn, void *ctx)
{
	const enum event_kind kind = debug_is_kernel_rule(p->rule) ? EV_KERNEL : p->event;
	const struct cta_sched_ops *const *ops;
	const char *found = NULL;
	unsigned n = 0;

	if (*p->rule && !debug_is_kernel_rule(p->rule)) {
		ops = debug_known_policies(d, &n);
		return each_of_policies(ops, n, p, fn, ctx);
	}
	if (!is_host_only(kind)) {
		ops = d->sim ? config_stack(sim_config(d->sim), &n) : NULL;
		if (!have_rules(ops, n))
			ops = debug_known_policies(d, &n);
		found = each_of_policies(ops, n, NULL, fn, ctx);
	}
	for (unsigned r = 0; r < HR_RULES && !found; r++)
		if (is_host_rule_of(kind, r) &&
		    (!*p->rule || strcmp(host_rules[r].name, p->rule) == 0))
			found = each_value(&host_rules[r], fn, ctx);
	return found;
}

const char *
debug_each_number(const struct debug *d, debug_number_fn *fn, void *ctx)
{
	const struct cta_sched_ops *const *ops;
	const struct event *ev;
	const char *found;
	unsigned n;

	if (d->scope == SCOPE_STOP)
		return each_of_stop(d, d->parsed, fn, ctx);
	ops = debug_known_policies(d, &n);
	found = each_of_policies(ops, n, NULL, fn, ctx);
	ev = found ? NULL : debug_event(d);
	return ev ? each_value(sim_event_rule(d->sim, ev), fn, ctx) : found;
}

/* ---------------------------------------------------------------- a number that is not there */

#define NUMBERS 40

struct number_list {
	const char *name[NUMBERS];
	unsigned n;
};

static bool
add_number(void *ctx, const char *name)
{
	struct number_list *l = ctx;

	for (unsigned i = 0; i < l->n; i++)
		if (strcmp(l->name[i], name) == 0)
			return false;
	if (l->n < NUMBERS)
		l->name[l->n++] = name;
	return false;
}

/* Names what a condition of this stop can use in place of the unknown number. */
static int
refuse_number(const struct debug *d, const char *name, struct err *e)
{
	const struct stop *p = d->parsed;
	struct number_list l = {.n = 0};
	char text[400] = "";
	size_t used = 0;

	debug_each_number(d, add_number, &l);
	for (unsigned i = 0; i < l.n && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s$%s", i ? ", " : "",
					 l.name[i]);
	return err_set(
		e, "the %s %s has no number %s in this run%s%s; 'set %s = EXPR' makes a variable",
		*p->rule ? "rule" : "event", *p->rule ? p->rule : event_rows[p->event].name, name,
		l.n ? "; its numbers are " : "", text, name);
}

int
debug_refuse_number(const struct debug *d, const char *name, struct err *e)
{
	return d->scope == SCOPE_STOP
		       ? refuse_number(d, name, e)
		       : err_set(e,
				 "%s is a number of an event, and this is evaluated at the end of "
				 "cycles; only the condition of a stop at an event knows it, as "
				 "in: "
				 "break limit if %s > 0",
				 name, name);
}

static struct expr *
parse_in(struct debug *d, enum debug_scope scope, const struct stop *p, const char *text,
	 struct err *e)
{
	struct expr *x;

	d->scope = scope;
	d->parsed = p;
	d->bare = NULL;
	x = expr_parse(text, &d->names, e);
	d->scope = SCOPE_ANY;
	d->parsed = NULL;
	return x;
}

struct expr *
debug_parse_per_cycle(struct debug *d, const char *text, struct err *e)
{
	return parse_in(d, SCOPE_CYCLE, NULL, text, e);
}

struct expr *
debug_parse_condition(struct debug *d, const struct stop *p, const char *text, struct err *e)
{
	bool event = p->kind == STOP_EVENT || p->kind == STOP_TRACE;

	return parse_in(d, event ? SCOPE_STOP : SCOPE_CYCLE, p, text, e);
}

const char *
debug_bare_number(struct debug *d, const struct stop *p, unsigned *n, struct err *e)
{
	if (!p->cond)
		return NULL;
	expr_free(debug_parse_condition(d, p, p->cond_text, e));
	*n = d->bare_n;
	return d->bare;
}
