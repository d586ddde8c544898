/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rule.c - stops at the decisions of a rule: "break mem-high", "break dyncta.mem-high"; and at the
 * start or the end of a kernel, "break kernel-start".
 *
 * A rule decides in events of several kinds: the end of a period, the change of the limit and the
 * pauses that follow are one decision. The stop is hit by the first of them, which is found in the
 * ring of events and not remembered, so that it is the same after going back in time.
 */
#include "debug/debug_part.h"

#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rules of the machine that one can stop at: all of the event `kernel`. */
static const char *const kernel_rules[] = {"kernel-start", "kernel-end"};

bool
debug_is_kernel_rule(const char *name)
{
	return strcmp(name, kernel_rules[0]) == 0 || strcmp(name, kernel_rules[1]) == 0;
}

const struct cta_sched_ops *const *
debug_known_policies(const struct debug *d, unsigned *n)
{
	return d->sim ? config_policies(sim_config(d->sim), n) : cta_sched_list(n);
}

bool
debug_names_policy(const struct debug *d, const char *word)
{
	const char *dot = strchr(word, '.');
	unsigned n;
	const struct cta_sched_ops *const *ops = debug_known_policies(d, &n);

	for (unsigned i = 0; dot && i < n; i++)
		if (span_is((struct span){word, (size_t)(dot - word)}, ops[i]->name))
			return true;
	return false;
}

bool
debug_find_rule(const struct debug *d, struct stop *p, const char *word)
{
	const char *dot = strchr(word, '.'), *name = dot ? dot + 1 : word;
	size_t of = dot ? (size_t)(dot - word) : 0;
	unsigned n;
	const struct cta_sched_ops *const *ops = debug_known_policies(d, &n);

	if (strcmp(name, "hold") == 0) /* what DYNCTA's rule keep was called before version 1.0 */
		name = "keep";
	if (debug_is_kernel_rule(word)) {
		snprintf(p->rule, sizeof(p->rule), "%s", word);
		*p->policy = '\0';
		return true;
	}
	for (unsigned i = 0; i < n; i++) {
		if (dot && !span_is((struct span){word, of}, ops[i]->name))
			continue;
		for (unsigned r = 0; r < ops[i]->n_rules; r++) {
			if (strcmp(ops[i]->rules[r].name, name) != 0)
				continue;
			snprintf(p->rule, sizeof(p->rule), "%s", name);
			snprintf(p->policy, sizeof(p->policy), "%s", dot ? ops[i]->name : "");
			return true;
		}
	}
	return false;
}

bool
debug_knows_rule(const struct debug *d, const char *word)
{
	struct stop p = {0};
	bool known = *word && (debug_find_rule(d, &p, word) || debug_find_kernel(d, &p, word));

	free(p.kernel_name);
	return known;
}

static bool
is_listed(const char *name, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

unsigned
debug_rule_names(const struct debug *d, const char **names, unsigned max)
{
	unsigned n_policies, n = 0;
	const struct cta_sched_ops *const *ops = debug_known_policies(d, &n_policies);

	for (unsigned i = 0; i < n_policies; i++)
		for (unsigned r = 0; r < ops[i]->n_rules && n < max; r++)
			if (!is_listed(ops[i]->rules[r].name, names, n))
				names[n++] = ops[i]->rules[r].name;
	return n;
}

bool
debug_stack_has_rule(const struct debug *d, const struct stop *p)
{
	unsigned n = 0;
	const struct cta_sched_ops *const *ops =
		d->sim ? config_stack(sim_config(d->sim), &n) : NULL;

	if (debug_is_kernel_rule(p->rule))
		return true;
	for (unsigned i = 0; i < n; i++)
		for (unsigned r = 0; r < ops[i]->n_rules; r++)
			if (!strcmp(ops[i]->rules[r].name, p->rule) &&
			    (!*p->policy || !strcmp(ops[i]->name, p->policy)))
				return true;
	return false;
}

static bool
same_decision(const struct event *a, const struct event *b)
{
	return a->core == b->core && a->kernel == b->kernel && a->policy == b->policy &&
	       a->rule == b->rule && memcmp(a->v, b->v, sizeof(a->v)) == 0;
}

bool
debug_rule_decides(const struct debug *d, const struct stop *p, const struct event *ev)
{
	const struct event_ring *ring = sim_events(d->sim);

	if (debug_is_kernel_rule(p->rule))
		return strcmp(sim_event_rule(d->sim, ev)->name, p->rule) == 0 &&
		       debug_starts_kernel(d, p, ev);
	if (ev->policy == POLICY_HOST || strcmp(sim_event_rule(d->sim, ev)->name, p->rule) != 0 ||
	    (*p->policy && strcmp(sim_event_policy(d->sim, ev), p->policy) != 0))
		return false;
	for (uint64_t seq = ev->seq; seq > ring->first; seq--) {
		const struct event *before = event_ring_get(ring, seq - 1);

		if (!before || before->cycle != ev->cycle)
			break;
		if (same_decision(before, ev))
			return false;
	}
	return true;
}

uint64_t
debug_stop_events(const struct stop *p)
{
	bool event = p->kind == STOP_EVENT || p->kind == STOP_TRACE;

	if (event && debug_is_kernel_rule(p->rule))
		return EV_BIT(EV_KERNEL);
	if (event && *p->rule)
		return EV_ALL & ~(EV_BIT(EV_SAMPLE) | EV_BIT(EV_KERNEL));
	return event ? EV_BIT(p->event) : 0;
}
