/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decision.c - defines which events are decisions, and when decisions of two runs are the same.
 *
 * A decision changes the machine: a CTA is issued or paused, a limit or a core's state changes, or
 * a branch forces an outcome. A period that ends without a change, a credit, and internal policy
 * events are not decisions. Two decisions are the same when they have the same kind, core, CTA and
 * slot in the same cycle, with the same outcome. The rule and its numbers are not compared: two
 * stacks never share them, and two branches rarely do after their first difference.
 */
#include "lab/race.h"

#include <string.h>

/* The new limit, or the result that a rule of the host names: a limit, or the core that takes a
 * CTA.
 */
static int64_t
outcome_of(const struct rule *r, const struct event *ev)
{
	static const char *const names[] = {"limit", "to"};

	if (ev->limit)
		return ev->limit;
	for (unsigned i = 0; i < ARRAY_LEN(names); i++) {
		int at = rule_find(r, names[i], strlen(names[i]));

		if (at >= 0)
			return ev->v[at];
	}
	return 0;
}

bool
decision_read(const struct sim *s, const struct event *ev, struct decision *d)
{
	if (!(EV_BIT(ev->kind) & DECISION_KINDS) || !sim_event_is_decision(ev))
		return false;
	*d = (struct decision){.cycle = ev->cycle,
			       .outcome = outcome_of(sim_event_rule(s, ev), ev),
			       .kind = ev->kind,
			       .forced = ev->kind == EV_FORCED ? ev->rule : 0,
			       .kernel = ev->kernel,
			       .cta = ev->cta,
			       .core = ev->core,
			       .slot = ev->slot};
	return true;
}

bool
decision_same(const struct decision *a, const struct decision *b)
{
	return a->cycle == b->cycle && a->kind == b->kind && a->forced == b->forced &&
	       a->kernel == b->kernel && a->core == b->core && a->cta == b->cta &&
	       a->slot == b->slot && a->outcome == b->outcome;
}
