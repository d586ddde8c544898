/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * host.c - asks the stacked policies, merges their answers and publishes the decisions.
 */
#include "cta/cta_part.h"
#include <assert.h>
#include <math.h>
#include <string.h>

static void *
policy_state(const struct cta_stack *s, unsigned i)
{
	return (char *)s->host + s->policy[i].state;
}

/* The context that a policy is given for one call; *g lives on the caller's stack. */
struct cta_ctx
cta_context(const struct cta_stack *s, unsigned i, struct cta_gpu *g)
{
	const struct cta_host *h = s->host;

	*g = (struct cta_gpu){.cycle = s->cycle(s->emit_ctx),
			      .n_cores = h->n_cores,
			      .n_used = h->n_used,
			      .kernel = h->ordinal,
			      .n_max = h->n_max,
			      .n_cta = h->n_cta,
			      .issued = h->issued,
			      .done = h->done,
			      .round_trip = h->round_trip,
			      .core = h->core};
	return (struct cta_ctx){.state = policy_state(s, i),
				.opts = s->policy[i].opts,
				.gpu = g,
				.call = &cta_calls,
				.host = (void *)(uintptr_t)s,
				.index = i};
}

/* The number of a policy in events. The shipped policies have the same numbers in every run. */
static uint8_t
policy_id(struct cta_stack *s, const struct cta_sched_ops *o)
{
	unsigned i = 0;

	if (!s->n_seen) {
		const struct cta_sched_ops *const *shipped = cta_sched_list(&i);

		s->n_seen = MIN(i, CTA_SEEN);
		memcpy(s->seen, shipped, s->n_seen * sizeof(s->seen[0]));
	}
	i = 0;
	while (i < s->n_seen && s->seen[i] != o)
		i++;
	if (i == s->n_seen && i < CTA_SEEN)
		s->seen[s->n_seen++] = o;
	return (uint8_t)MIN(i, CTA_SEEN - 1);
}

void
cta_stack_layout(struct cta_stack *s, unsigned n_cores)
{
	size_t at = (sizeof(struct cta_host) + 15) & ~(size_t)15;

	for (unsigned i = 0; i < s->n; i++) {
		const struct cta_sched_ops *o = s->policy[i].ops;

		s->policy[i].id = policy_id(s, o);
		s->policy[i].state = at;
		at += (o->state_size + n_cores * o->core_size + 15) & ~(size_t)15;
		s->policy[i].kept = at;
		at += o->n_gauges * n_cores * sizeof(struct cta_reading);
		at = (at + 15) & ~(size_t)15;
	}
	s->bytes = at;
}

void
cta_stack_start(struct cta_stack *s, unsigned n_cores)
{
	s->host->n_cores = n_cores;
	for (unsigned i = 0; i < CTA_STACK; i++) {
		s->host->next_period[i] = CYCLE_NEVER;
		s->host->next_act[i] = CYCLE_NEVER;
		s->host->kept_at[i] = CYCLE_NEVER;
	}
	for (unsigned c = 0; c < MAX_CORES; c++)
		s->host->warps_due[c] = CYCLE_NEVER;
}

/* Publishes an event. A policy's arguments are not trusted: an invalid event is dropped. */
static void
emit_event(struct cta_stack *s, struct event *ev, unsigned policy, const struct reason *why)
{
	if (ev->kind >= EV_KINDS || ev->core < -1 || ev->core >= (int)s->host->n_cores)
		return;
	if (ev->core >= 0)
		ev->resident = (uint8_t)s->host->core[ev->core].resident;
	ev->policy = policy < CTA_STACK ? s->policy[policy].id : POLICY_HOST;
	ev->rule = why->rule;
	cta_take_values(cta_rule(s, ev->policy, ev->rule), why->v, ev->v);
	s->emit(s->emit_ctx, ev);
}

void
cta_emit(struct cta_stack *s, enum event_kind kind, int core, int slot, uint32_t cta,
	 unsigned policy, const struct reason *why)
{
	struct event ev = {.kind = (uint8_t)MIN((unsigned)kind, EV_KINDS),
			   .core = (int16_t)core,
			   .slot = (int8_t)slot,
			   .cta = cta};

	emit_event(s, &ev, policy, why);
}

void
cta_emit_limit(struct cta_stack *s, enum event_kind kind, unsigned core, uint32_t cta,
	       unsigned policy, const struct reason *why, uint32_t before, uint32_t limit)
{
	struct event ev = {.kind = (uint8_t)kind,
			   .core = (int16_t)core,
			   .slot = -1,
			   .cta = cta,
			   .limit_before = (uint8_t)before,
			   .limit = (uint8_t)limit};

	emit_event(s, &ev, policy, why);
}

/* ---------------------------------------------------------------- limits */

/* Books the areas up to now, before a limit changes or a CTA starts or ends. After the last CTA
 * was issued, limits no longer matter. */
static void
book_limits(struct cta_stack *s)
{
	struct cta_host *h = s->host;
	cycle_t now = s->cycle(s->emit_ctx);

	if (h->issued < h->n_cta) {
		h->n_area += (now - h->n_since) * h->n_sum;
		h->n_time += (now - h->n_since) * h->n_used;
		h->ctas_area += (now - h->n_since) * (h->issued - h->done);
		h->ctas_time += (now - h->n_since) * h->n_cores;
	}
	h->n_since = now;
}

struct cta_means
cta_means(const struct cta_stack *s)
{
	const struct cta_host *h = s->host;
	cycle_t d = h->issued < h->n_cta ? s->cycle(s->emit_ctx) - h->n_since : 0;

	return (struct cta_means){.n_area = h->n_area + d * h->n_sum,
				  .n_time = h->n_time + d * h->n_used,
				  .ctas_area = h->ctas_area + d * (h->issued - h->done),
				  .ctas_time = h->ctas_time + d * h->n_cores};
}

double
cta_mean_limit(struct cta_means m)
{
	return m.n_time ? (double)m.n_area / (double)m.n_time : (double)NAN;
}

double
cta_mean_resident(struct cta_means m)
{
	return m.ctas_time ? (double)m.ctas_area / (double)m.ctas_time : (double)NAN;
}

void
cta_refresh_limit(struct cta_stack *s, unsigned core)
{
	struct cta_core *c = &s->host->core[core];
	uint32_t n = s->host->n_max;

	for (unsigned i = 0; i < s->n; i++)
		n = MIN(n, s->host->limit[i][core]);
	book_limits(s);
	if (!c->unused)
		s->host->n_sum = s->host->n_sum - c->limit + n;
	c->limit = n;
}

struct cta_pauses
cta_to_pause(const struct cta_stack *s, unsigned core)
{
	const struct cta_host *h = s->host;
	uint32_t resident = h->core[core].resident;
	struct cta_pauses n = {0};
	struct cta_gpu g;

	for (unsigned i = 0; i < s->n; i++) {
		const struct cta_sched_ops *o = s->policy[i].ops;
		uint32_t limit = h->limit[i][core];
		struct cta_ctx x;

		if (!o->pauses || resident <= limit)
			continue;
		n.all = MAX(n.all, resident - limit);
		x = cta_context(s, i, &g);
		if (o->holds && o->holds(&x))
			n.held = MAX(n.held, resident - limit);
		if (o->defers && o->defers(&x))
			n.deferred = MAX(n.deferred, resident - limit);
	}
	return n;
}

void
cta_paused(struct cta_stack *s, unsigned core, uint32_t paused)
{
	struct cta_core *c = &s->host->core[core];

	c->paused = paused;
	c->running = c->resident - paused;
}

uint32_t
cta_occupancy(const struct trace_kernel *k, uint32_t threads, uint32_t registers, uint32_t shmem,
	      uint32_t hard, struct cta_limits *out)
{
	uint32_t padded = (k->threads_per_cta + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
	uint32_t regs = (k->regs + 3) / 4 * 4;

	out->threads = threads / padded;
	out->warps = out->threads;
	out->registers = regs ? registers / (padded * regs) : UINT32_MAX;
	out->shmem = k->shmem ? shmem / k->shmem : UINT32_MAX;
	out->hard = hard;
	return MIN(MIN(out->threads, out->registers), MIN(out->shmem, out->hard));
}

/* ---------------------------------------------------------------- life of a kernel */

/* Recounts the used cores. Credits are divided among the cores that take part, because an unused
 * core would never spend its share. */
void
cta_mark_unused(struct cta_stack *s)
{
	struct cta_host *h = s->host;
	struct cta_gpu g;

	h->n_used = 0;
	for (unsigned c = 0; c < h->n_cores; c++) {
		h->core[c].unused = false;
		for (unsigned i = 0; i < s->n; i++) {
			struct cta_ctx x = cta_context(s, i, &g);

			if (s->policy[i].ops->unused && s->policy[i].ops->unused(&x, c))
				h->core[c].unused = true;
		}
		h->n_used += !h->core[c].unused;
	}
}

/* Starts policy i: at the launch of a kernel or, when CTAs were already issued, in the middle of
 * one. */
void
cta_start_policy(struct cta_stack *s, unsigned i)
{
	const struct cta_sched_ops *o = s->policy[i].ops;
	struct cta_host *h = s->host;
	struct cta_gpu g;
	struct cta_ctx x = cta_context(s, i, &g);

	memset(x.state, 0, o->state_size + h->n_cores * o->core_size);
	cta_reset_wants(s, i);
	if (o->kernel)
		o->kernel(&x);
	for (unsigned c = 0; c < h->n_cores; c++) {
		uint32_t n = o->limit ? o->limit(&x, c) : h->n_max;

		h->limit[i][c] = MAX(1, MIN(n, h->n_max));
	}
	h->next_period[i] = cta_period_end(o, &x);
	h->next_act[i] = CYCLE_NEVER;
	cta_forget_gauges(s, i);
	h->fresh |= (uint8_t)(1u << i);
	h->gated_not_announced |= (uint8_t)(1u << i);
}

void
cta_kernel(struct cta_stack *s, uint32_t kernel, uint32_t ordinal, uint64_t n_cta, uint32_t n_max)
{
	struct cta_host *h = s->host;

	book_limits(s);
	h->n_sum = 0;
	h->kernel = kernel;
	h->ordinal = ordinal;
	h->n_cta = n_cta;
	h->n_max = n_max;
	h->issued = h->done = 0;
	memset(s->order, 0, cta_order_bytes(n_cta));
	h->period_over = h->fresh = h->changed = 0;
	h->forget = 1;
	h->period_start = s->cycle(s->emit_ctx);
	for (unsigned c = 0; c < h->n_cores; c++) {
		struct cta_core *v = &h->core[c];

		v->n_max = n_max;
		v->limit = 0;
		v->resident = v->running = v->paused = 0;
		v->mem_stall_run = 0;
		h->asked[c] = 0;
		h->refused[c] = (struct cta_refused){0};
		h->base_c_mem[c] = v->c_mem;
		h->base_c_idle[c] = v->c_idle;
		h->moved_by[c] = POLICY_HOST;
		h->warps_due[c] = CYCLE_NEVER;
	}
	cta_mark_unused(s);
	for (unsigned i = 0; i < s->n; i++)
		cta_start_policy(s, i);
	for (unsigned c = 0; c < h->n_cores; c++)
		cta_refresh_limit(s, c);
}

/* ---------------------------------------------------------------- issue */

/* Refuses by a rule of the host. `of`: the policy that its text names, POLICY_HOST if none. */
static bool
refuse_by_host(const struct cta_stack *s, unsigned core, struct refusal_view *why, unsigned of,
	       struct reason r)
{
	if (why)
		cta_refuse(s, core, of, true, &r, why);
	return false;
}

/* Refuses by the rule kept as the last refusal of a policy. */
static bool
refuse_again(const struct cta_stack *s, unsigned core, struct refusal_view *why)
{
	const struct cta_refused *k = &s->host->refused[core];
	struct reason r = {.rule = k->rule};

	memcpy(r.v, k->v, sizeof(r.v));
	if (why)
		cta_refuse(s, core, s->policy[k->policy].id, false, &r, why);
	return false;
}

static bool
refuse_policy(struct cta_stack *s, unsigned core, struct refusal_view *why, unsigned i,
	      unsigned rule, const int64_t *v)
{
	struct cta_refused *k = &s->host->refused[core];

	*k = (struct cta_refused){.policy = (uint8_t)i, .rule = (uint8_t)rule};
	cta_take_values(cta_rule(s, s->policy[i].id, rule), v, k->v);
	return refuse_again(s, core, why);
}

/* Refuses because the core is not active, with the reason of the policy's want. */
static bool
refuse_state(struct cta_stack *s, unsigned core, struct refusal_view *why)
{
	unsigned i = cta_state_policy(s, core);
	const struct cta_want *w = &s->host->want[MIN(i, CTA_STACK - 1)][core];

	if (i != POLICY_HOST && w->forced)
		return refuse_by_host(s, core, why, POLICY_HOST, (struct reason){.rule = w->rule});
	if (i == POLICY_HOST) /* the states are merged at the end of this cycle */
		return refuse_by_host(s, core, why, POLICY_HOST, (struct reason){.rule = HR_ORDER});
	return refuse_policy(s, core, why, i, w->rule, w->v);
}

/* Checks the conditions of the policies that spend nothing. */
static bool
all_policies_allow(struct cta_stack *s, unsigned core, struct refusal_view *why)
{
	const struct cta_host *h = s->host;
	const struct cta_core *c = &h->core[core];
	struct cta_gpu g;

	for (unsigned i = 0; i < s->n; i++) {
		struct cta_ctx x = cta_context(s, i, &g);
		struct verdict v = {.allow = true, .event = EV_KINDS};

		if (s->policy[i].ops->pauses && c->paused)
			return refuse_by_host(s, core, why, POLICY_HOST,
					      (struct reason){HR_PAUSED, {c->paused, c->limit}});
		if (c->running >= h->limit[i][core])
			return refuse_by_host(s, core, why, s->policy[i].id,
					      (struct reason){HR_LIMIT,
							      {h->limit[i][core], c->running}});
		if (s->policy[i].ops->may)
			s->policy[i].ops->may(&x, core, &v);
		if (!v.allow)
			return refuse_policy(s, core, why, i, v.why.rule, v.why.v);
	}
	return true;
}

/* Asks every policy to spend what a CTA costs. */
static bool
all_policies_grant(struct cta_stack *s, unsigned core, struct refusal_view *why)
{
	struct cta_host *h = s->host;
	struct cta_gpu g;

	for (unsigned i = 0; i < s->n; i++) {
		struct cta_ctx x = cta_context(s, i, &g);
		struct verdict v = {.allow = true, .event = EV_KINDS};

		if (!s->policy[i].ops->request)
			continue;
		s->policy[i].ops->request(&x, core, &v);
		if (v.event != EV_KINDS)
			cta_emit(s, v.event, (int)core, -1, cta_next(s, core), i, &v.why);
		if (!v.allow) {
			h->asked[core]++;
			return refuse_policy(s, core, why, i, v.why.rule, v.why.v);
		}
	}
	return true;
}

/* Applies the user's outcome. It is published, and spent as if the policies had granted it. */
static bool
forced_issue(struct cta_stack *s, unsigned core, const struct cta_forced *f)
{
	struct cta_host *h = s->host;
	unsigned to = f->outcome == CTA_ELSEWHERE ? f->to : core;
	bool room = h->core[to].state == CORE_ACTIVE && h->core[to].resident < h->n_max;
	uint32_t cta = cta_next(s, to);
	struct reason r = {HR_FORCED_REFUSE, {cta, to}};

	if (f->outcome == CTA_TAKE)
		r.rule = HR_FORCED_TAKE;
	else if (f->outcome == CTA_ELSEWHERE)
		r.rule = room ? HR_FORCED_ELSEWHERE : HR_FORCED_NO_ROOM;
	cta_emit(s, EV_FORCED, (int)core, -1, cta, POLICY_HOST, &r);
	if (f->outcome == CTA_REFUSE || !room)
		return false;
	if (h->asked[to] < h->n_max - h->core[to].resident && all_policies_allow(s, to, NULL))
		all_policies_grant(s, to, NULL);
	h->asked[to] = MIN(h->asked[to], h->n_max - h->core[to].resident -
						 1); /* one of the free slots is being filled */
	if (to != core)
		s->elsewhere = to + 1;
	return to == core;
}

int
cta_take_elsewhere(struct cta_stack *s)
{
	unsigned to = s->elsewhere;

	s->elsewhere = 0;
	return (int)to - 1;
}

bool
cta_may_issue(struct cta_stack *s, unsigned core, bool consume, struct refusal_view *why)
{
	struct cta_forced f;
	const struct cta_host *h = s->host;
	const struct cta_core *c = &h->core[core];

	if (h->issued >= h->n_cta)
		return refuse_by_host(s, core, why, POLICY_HOST,
				      (struct reason){HR_NO_CTA, {(int64_t)h->n_cta}});
	if (c->resident >= h->n_max)
		return refuse_by_host(s, core, why, POLICY_HOST,
				      (struct reason){HR_HARD_LIMIT, {c->resident}});
	if (c->state != CORE_ACTIVE)
		return refuse_state(s, core, why);
	if (unlikely(consume && cta_take_forced(s, CTA_ASK_ISSUE, core, &f)))
		return forced_issue(s, core, &f);
	if (!all_policies_allow(s, core, why))
		return false;
	if (h->asked[core] >= h->n_max - c->resident)
		return refuse_again(s, core, why);
	if (consume && !all_policies_grant(s, core, why))
		return false;
	if (why)
		why->kind = REFUSE_NONE;
	return true;
}

void
cta_issued(struct cta_stack *s, unsigned core, unsigned slot, uint32_t cta)
{
	struct cta_host *h = s->host;
	struct cta_core *c = &h->core[core];
	struct cta_gpu g;
	struct reason why;
	unsigned by = cta_reason_of_issue(s, core, slot, cta, &why);

	book_limits(s);
	cta_mark_issued(s, cta);
	h->issued++;
	h->issued_to[core]++;
	c->resident++;
	c->running = c->resident - c->paused;
	cta_emit(s, EV_CTA_ISSUE, (int)core, (int)slot, cta, by, &why);
	for (unsigned i = 0; i < s->n; i++)
		if (s->policy[i].ops->issued) {
			struct cta_ctx x = cta_context(s, i, &g);

			s->policy[i].ops->issued(&x, core, cta);
		}
}

bool
cta_done(struct cta_stack *s, unsigned core, unsigned slot, const struct cta_resident *cta,
	 struct event *ev)
{
	struct cta_host *h = s->host;
	struct cta_core *c = &h->core[core];
	struct cta_gpu g;
	bool changed = false;

	book_limits(s);
	h->done++;
	h->done_on[core]++;
	c->resident--;
	if (c->state == CORE_DRAINING && !c->resident)
		h->stale = 1;
	cta_emit(s, EV_CTA_DONE, (int)core, (int)slot, cta->cta, POLICY_HOST,
		 &(struct reason){HR_DONE,
				  {cta->cta, slot, c->resident, (int64_t)(h->n_cta - h->done)}});
	for (unsigned i = 0; i < s->n; i++) {
		struct cta_ctx x = cta_context(s, i, &g);
		struct cta_decision d = cta_no_decision(s, i, core);

		if (!s->policy[i].ops->done)
			continue;
		s->policy[i].ops->done(&x, core, cta, &d);
		changed |= cta_apply_decision(s, i, core, cta->cta, &d, ev);
	}
	return changed;
}
