/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * force.c - names forced outcomes: converts text to the question and outcome for the host of the
 * policies, and an event to the name of its decision.
 *
 * The events of a cycle show which questions were asked in it, each by its first event: a limit by
 * `period`; an issue by the CTA that was issued or the credit that was lacking (a core is asked
 * once per cycle); a state by a sequence of events that leave one state and enter another.
 */
#include "base/human.h"
#include "base/number.h"
#include "sim/sim_priv.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const question_names[CTA_QUESTIONS] = {
	[CTA_ASK_LIMIT] = "limit", [CTA_ASK_ISSUE] = "issue", [CTA_ASK_STATE] = "state"};

#define STATES                                                                          \
	(EV_BIT(EV_GATE) | EV_BIT(EV_UNGATE) | EV_BIT(EV_DRAIN) | EV_BIT(EV_THROTTLE) | \
	 EV_BIT(EV_UNTHROTTLE) | EV_BIT(EV_CORE_PAUSE) | EV_BIT(EV_CORE_RESUME))
#define LIMITS (EV_BIT(EV_PERIOD) | EV_BIT(EV_LIMIT) | EV_BIT(EV_PAUSE) | EV_BIT(EV_RESUME))
#define ISSUES (EV_BIT(EV_CTA_ISSUE) | EV_BIT(EV_CREDIT) | EV_BIT(EV_CREDIT_EXHAUSTED))

/* ---------------------------------------------------------------- from text */

/* Where kernels run together, a decision ends in "/k2": it is one of the policies of that kernel.
 * Copies the rest, and finds the kernel's host; NULL with e set: it does not run. */
static struct cta_host *
read_kernel(const struct sim *s, const char *text, char *rest, size_t size, struct err *e)
{
	const char *slash = strchr(text, '/');
	struct cta_host *h;
	unsigned kernel;
	char extra;

	snprintf(rest, size, "%.*s", slash ? (int)(slash - text) : (int)size - 1, text);
	if (!s->concurrent && !slash)
		return s->stack.host;
	if (!s->concurrent || !slash || sscanf(slash, "/k%5u%c", &kernel, &extra) != 1) {
		err_set(e,
			s->concurrent ? "decision '%.60s': kernels run together; add /kN for that "
					"of kernel N"
				      : "decision '%.60s': /k is for kernels that run together",
			text);
		return NULL;
	}
	h = kernel_host(s, kernel - 1);
	if (!h)
		err_set(e, "decision '%.60s': kernel %u does not run now (info kernel)", text,
			kernel);
	return h;
}

static int
read_decision(const struct sim *s, const char *text, struct cta_forced *f, struct err *e)
{
	char word[8], core[8], cycle[24], ordinal[8] = "0", extra;
	int n = sscanf(text, "%7[a-z].%7[0-9]@%23[0-9]#%7[0-9]%c", word, core, cycle, ordinal,
		       &extra);
	char now[HUMAN];
	unsigned long long at;
	unsigned q = 0;

	while (n >= 3 && q < CTA_QUESTIONS && strcmp(question_names[q], word) != 0)
		q++;
	if (n < 3 || n > 4 || q == CTA_QUESTIONS || (n == 3) != !strchr(text, '#'))
		return err_set(e,
			       "decision '%.60s': expected limit.CORE@CYCLE, issue.CORE@CYCLE or "
			       "state.CORE@CYCLE, with #N for the N-th after the first",
			       text);
	if (sscanf(cycle, "%llu", &at) != 1 || strlen(cycle) > 19)
		return err_set(e, "decision '%.60s': the cycle is too large", text);
	f->cycle = at;
	f->core = (uint16_t)MIN(strtoul(core, NULL, 10), UINT16_MAX);
	f->question = (uint8_t)q;
	if (f->core >= s->n_cores)
		return err_set(e, "decision '%.60s': no core %s: this machine has cores 0..%u",
			       text, core, s->n_cores - 1);
	if (strtoul(ordinal, NULL, 10) > UINT8_MAX)
		return err_set(e, "decision '%.60s': #%s is too large", text, ordinal);
	f->ordinal = (uint8_t)strtoul(ordinal, NULL, 10);
	if (f->cycle <= s->machine->cycle)
		return err_set(e, "decision '%.60s' is in the past: the run is at cycle %s", text,
			       human(now, s->machine->cycle));
	return 0;
}

static void
list_outcomes(const struct sim *s, unsigned question, unsigned n_max, char *buf, size_t size)
{
	switch (question) {
	case CTA_ASK_LIMIT:
		snprintf(buf, size, "down, stay, up or a number from 1 to %u", n_max);
		break;
	case CTA_ASK_ISSUE:
		if (s->concurrent) { /* another core may have no room beside other kernels */
			snprintf(buf, size, "take or refuse");
			break;
		}
		snprintf(buf, size, "take, refuse or core N, 0 to %u", s->n_cores - 1);
		break;
	default:
		snprintf(buf, size, "stay, active, draining, throttled, paused or off");
	}
}

static bool
read_limit(const char *text, struct cta_forced *f)
{
	static const char *const names[] = {
		[CTA_LIMIT_DOWN] = "down", [CTA_LIMIT_STAY] = "stay", [CTA_LIMIT_UP] = "up"};
	unsigned n;
	char extra;

	for (unsigned i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(text, names[i]) == 0) {
			f->outcome = (uint8_t)i;
			return true;
		}
	f->outcome = CTA_LIMIT_TO;
	if (strspn(text, "0123456789") != strlen(text) || sscanf(text, "%4u%c", &n, &extra) != 1)
		return false;
	f->to = (uint16_t)n;
	return n > 0;
}

static bool
read_issue(const struct sim *s, const char *text, struct cta_forced *f)
{
	unsigned core;
	char extra;

	f->outcome = strcmp(text, "take") == 0 ? CTA_TAKE : CTA_REFUSE;
	if (f->outcome == CTA_TAKE || strcmp(text, "refuse") == 0)
		return true;
	f->outcome = CTA_ELSEWHERE;
	if (s->concurrent || strncmp(text, "core ", 5) != 0 ||
	    sscanf(text + 5, "%3u%c", &core, &extra) != 1 || core >= s->n_cores)
		return false;
	f->to = (uint16_t)core;
	return true;
}

static bool
read_state(const char *text, struct cta_forced *f)
{
	f->outcome = CTA_STATE;
	f->to = CTA_STATE_STAY;
	for (unsigned i = 0; i <= CORE_OFF; i++)
		if (strcmp(text, core_state_names[i]) == 0)
			f->to = (uint16_t)i;
	return f->to != CTA_STATE_STAY || strcmp(text, "stay") == 0;
}

int
sim_force(struct sim *s, const char *decision, const char *outcome, struct err *e)
{
	struct cta_forced f = {0};
	char can[sizeof(((struct decision_view *)0)->can)];
	struct cta_stack stack = s->stack;
	char rest[80];
	bool good;

	stack.host = read_kernel(s, decision, rest, sizeof(rest), e);
	if (!stack.host || read_decision(s, rest, &f, e) < 0)
		return -1;
	if (f.question == CTA_ASK_LIMIT)
		good = read_limit(outcome, &f) &&
		       (f.outcome != CTA_LIMIT_TO || f.to <= s->cfg->core.max_ctas);
	else if (f.question == CTA_ASK_ISSUE)
		good = read_issue(s, outcome, &f);
	else
		good = read_state(outcome, &f);
	if (good)
		return cta_force(&stack, &f, e);
	list_outcomes(s, f.question, s->cfg->core.max_ctas, can, sizeof(can));
	return err_set(e, "outcome '%.40s' is not one of '%s': expected %s", outcome, decision,
		       can);
}

/* ---------------------------------------------------------------- from an event */

/* The previous event of the same cycle; NULL if there is none or it is no longer kept. */
static const struct event *
previous_event(const struct sim *s, const struct event *ev)
{
	const struct event *p = ev->seq ? event_ring_get(s->events, ev->seq - 1) : NULL;

	return p && p->cycle == ev->cycle ? p : NULL;
}

/* Did the period's decision lead to an event of that kind, a changed or a forced limit? */
static bool
led_to(const struct sim *s, const struct event *period, enum event_kind kind)
{
	for (uint64_t seq = period->seq + 1; seq < s->events->next; seq++) {
		const struct event *ev = event_ring_get(s->events, seq);

		if (ev->cycle != period->cycle || ev->kind == EV_PERIOD)
			return false; /* the next decision, of whichever kernel */
		if (ev->kind == kind && ev->core == period->core &&
		    (kind != EV_FORCED || ev->rule == HR_FORCED_LIMIT))
			return true;
	}
	return false;
}

/* Another outcome for the limit than the one decided. If the limit can move neither way, this is
 * `stay`, which changes nothing. */
static const char *
other_limit(const struct sim *s, const struct event *period)
{
	const struct cta_host *h = kernel_host(s, period->kernel);

	if (led_to(s, period, EV_LIMIT))
		return "stay";
	for (unsigned i = 0; h && i < s->stack.n; i++)
		if (s->stack.policy[i].id == period->policy &&
		    h->limit[i][period->core] >= h->n_max)
			return h->n_max > 1 ? "down" : "stay";
	return "up";
}

static int
view_limit(const struct sim *s, const struct event *ev, struct decision_view *v, unsigned *ordinal,
	   struct err *e)
{
	const struct event *p = ev;

	if (ev->policy == POLICY_HOST)
		return err_set(e,
			       "this %s is not a decision of a policy, but follows from another "
			       "event; 'why 1' shows the last decision",
			       event_rows[ev->kind].name);
	while (p && (p->kind != EV_PERIOD || p->core != ev->core || p->policy != ev->policy ||
		     p->kernel != ev->kernel))
		p = previous_event(s, p);
	if (!p)
		return err_set(e, "the decision behind this %s was taken in another cycle",
			       event_rows[ev->kind].name);
	if (led_to(s, p, EV_FORCED))
		return err_set(e, "this outcome is already forced");
	v->other = other_limit(s, p);
	while ((p = previous_event(s, p)) != NULL)
		*ordinal += p->kind == EV_PERIOD && p->core == ev->core && p->kernel == ev->kernel;
	return 0;
}

static int
view_issue(const struct sim *s, const struct event *ev, struct decision_view *v, struct err *e)
{
	if (ev->cta == UINT32_MAX)
		return err_set(e, "this %s neither grants nor refuses a CTA",
			       event_rows[ev->kind].name);
	for (const struct event *p = previous_event(s, ev); p; p = previous_event(s, p))
		if (p->kind == EV_FORCED && p->cta == ev->cta && p->kernel == ev->kernel)
			return err_set(e, "this outcome is already forced");
	v->other = ev->kind == EV_CREDIT_EXHAUSTED ? "take" : "refuse";
	return 0;
}

static bool
is_state(const struct event *ev, int core)
{
	return EV_BIT(ev->kind) & STATES && ev->core == core;
}

static void
view_state(const struct sim *s, const struct event *ev, struct decision_view *v, unsigned *ordinal)
{
	bool was = true; /* in the sequence of events of one change */

	for (const struct event *p = previous_event(s, ev); p; p = previous_event(s, p)) {
		bool is = is_state(p, ev->core);

		*ordinal += is && !was;
		was = is;
	}
	v->other = "stay";
}

int
sim_decision_view(const struct sim *s, const struct event *ev, struct decision_view *v,
		  struct err *e)
{
	static const uint64_t kinds[CTA_QUESTIONS] = {
		[CTA_ASK_LIMIT] = LIMITS, [CTA_ASK_ISSUE] = ISSUES, [CTA_ASK_STATE] = STATES};
	unsigned q = CTA_QUESTIONS, ordinal = 0;
	uint64_t bit = EV_BIT(ev->kind);

	*v = (struct decision_view){.cycle = ev->cycle,
				    .core = (unsigned)MAX(ev->core, 0),
				    .kernel = ev->kernel + 1u};
	if (ev->core < 0)
		return err_set(e,
			       "%s is about the whole GPU; flip what it does to a core instead: "
			       "gate, drain, throttle, core-pause ...",
			       event_rows[ev->kind].name);
	if (ev->kind == EV_FORCED)
		return err_set(e, "this outcome is already forced");
	if (bit & LIMITS) {
		q = CTA_ASK_LIMIT;
		if (view_limit(s, ev, v, &ordinal, e) < 0)
			return -1;
	} else if (bit & ISSUES) {
		q = CTA_ASK_ISSUE;
		if (view_issue(s, ev, v, e) < 0)
			return -1;
	} else if (bit & STATES) {
		q = CTA_ASK_STATE;
		view_state(s, ev, v, &ordinal);
	} else {
		return err_set(e,
			       "%s has no other outcome; only a limit, a pause, a CTA's issue or "
			       "refusal, and a core's state can be flipped",
			       event_rows[ev->kind].name);
	}
	v->kinds = kinds[q] | EV_BIT(EV_FORCED);
	if (q == CTA_ASK_LIMIT) {
		const struct cta_host *h = kernel_host(s, ev->kernel);

		v->n_max = h ? h->n_max : s->cfg->core.max_ctas;
	}
	list_outcomes(s, q, v->n_max, v->can, sizeof(v->can));
	snprintf(v->name, sizeof(v->name), "%s.%u@%" PRIu64, question_names[q], v->core, ev->cycle);
	if (ordinal)
		snprintf(v->name + strlen(v->name), sizeof(v->name) - strlen(v->name), "#%u",
			 ordinal);
	if (s->concurrent)
		snprintf(v->name + strlen(v->name), sizeof(v->name) - strlen(v->name), "/k%u",
			 v->kernel);
	if (ev->cycle == 0)
		return err_set(e,
			       "decisions of cycle 0 are part of the start and cannot be flipped");
	return 0;
}
