/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.c - the policies by name, the host's own rules, and the sentence of an event.
 */
#include "cta/cta.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct rule host_rules[HR_RULES] = {
	[HR_KERNEL_START] = {"kernel-start",
			     "kernel {0} starts, {1} CTAs, N {2}",
			     {"id", "ctas", "n_max"}},
	[HR_KERNEL_END] = {"kernel-end", "kernel {0} ends after {1} cycles", {"id", "cycles"}},
	[HR_ISSUE] = {"issue",
		      "CTA {0} in slot {1}, {2} of {3} resident",
		      {"cta", "slot", "resident", "n_max"}},
	[HR_DONE] = {"done",
		     "CTA {0} leaves slot {1}, {2} resident, {3} to go",
		     {"cta", "slot", "resident", "left"}},
	[HR_RESUME_DONE] = {"resume-after-done",
			    "CTA {0} had the longest wait and a running one finished",
			    {"cta"}},
	[HR_SAMPLE] = {"sample", "sample {0} of {1} cycles", {"index", "cycles"}},
	[HR_POLICY] = {"policy-change", "the policy was changed to a limit of {0}", {"limit"}},
	[HR_NEW_KERNEL] = {"new-kernel", "a kernel starts: every core is on", {NULL}},
	[HR_NEW_STACK] = {"new-stack", "the policies were changed: every core is on", {NULL}},
};

static const struct cta_sched_ops *const known[] = {
#define POLICY(name) &cta_sched_##name,
#include "cta/policies.def"
};

const struct cta_sched_ops *const *
cta_sched_list(unsigned *n)
{
	*n = ARRAY_LEN(known);
	return known;
}

const struct rule *
cta_rule(const struct cta_stack *s, unsigned policy, unsigned rule)
{
	static const struct rule none = {"unknown", "", {NULL}};

	if (policy == POLICY_HOST)
		return rule < HR_RULES ? &host_rules[rule] : &none;
	if (policy >= s->n_seen || rule >= s->seen[policy]->n_rules)
		return &none;
	return &s->seen[policy]->rules[rule];
}

/* Copies fmt with {i} replaced by v[i]. */
static size_t
fill_in(const char *fmt, const int64_t *v, char *buf, size_t size)
{
	size_t n = 0;

	while (*fmt && n + 1 < size) {
		if (fmt[0] == '{' && fmt[1] >= '0' && fmt[1] < '0' + EVENT_VALUES &&
		    fmt[2] == '}') {
			int k = snprintf(buf + n, size - n, "%" PRId64, v[fmt[1] - '0']);

			n = MIN(n + (size_t)k, size - 1);
			fmt += 3;
		} else {
			buf[n++] = *fmt++;
		}
	}
	buf[n] = '\0';
	return n;
}

void
cta_event_text(const struct cta_stack *s, const struct event *ev, char *buf, size_t size)
{
	const struct rule *r = cta_rule(s, ev->policy, ev->rule);
	size_t n = 0;

	n += (size_t)snprintf(buf, size, "%s",
			      ev->kind < EV_KINDS ? event_rows[ev->kind].name : "?");
	if (ev->core >= 0 && n < size)
		n += (size_t)snprintf(buf + n, size - n, ", core %d", ev->core);
	if (n < size)
		n += (size_t)snprintf(buf + n, size - n, ", cycle %" PRIu64 ": ", ev->cycle);
	if (n >= size)
		return;
	n += fill_in(r->fmt, ev->v, buf + n, size - n);
	if (ev->policy == POLICY_HOST && ev->rule != HR_POLICY)
		return;
	if (ev->kind == EV_PAUSE)
		snprintf(buf + n, size - n, ", paused CTA %u (youngest of %" PRId64 ")", ev->cta,
			 ev->v[5]);
	else if (ev->kind == EV_RESUME)
		snprintf(buf + n, size - n, ", resumed CTA %u (paused the longest)", ev->cta);
	else if (ev->kind == EV_CREDIT || ev->kind == EV_CREDIT_EXHAUSTED)
		snprintf(buf + n, size - n, ", CTA %u %s", ev->cta,
			 ev->kind == EV_CREDIT ? "granted" : "refused");
}
