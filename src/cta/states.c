/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * states.c - the states of the cores: merges what the policies want, applies it and publishes it.
 *
 * Each policy has one want per core, "active" until it asks for something else. A core takes the
 * most restrictive state that a policy of the stack wants (ctascope-model(7) 16.5); "off" counts as
 * draining while CTAs are resident. Wants are merged once per cycle, after all policies have acted,
 * so a want that a policy revokes within the cycle has no effect. Every kernel starts with all
 * cores active.
 *
 * When a core goes off, policies that divide something among cores are notified (gated()), and
 * refusals are forgotten, because the credits that the core returned may be requested again. A
 * policy that starts while a core is off and stays off, at the next kernel or after a change of the
 * stack, is notified as well.
 */
#include "cta/cta_part.h"
#include <stdio.h>
#include <string.h>

const char *const core_state_names[] = {"active", "draining", "throttled", "paused", "off"};

/* ---------------------------------------------------------------- what policies call */

/* The reason of a policy that gives none. */
static const struct reason no_reason = {.rule = RULE_NONE};

static void
set_want(struct cta_ctx *x, unsigned core, enum core_state state, const struct reason *why)
{
	const struct cta_stack *s = x->host;
	struct cta_host *h = s->host;
	struct cta_want *w = &h->want[x->index][MIN(core, MAX_CORES - 1u)];

	if (core >= h->n_cores || (unsigned)state > CORE_OFF || w->state == state)
		return;
	why = why ? why : &no_reason;
	*w = (struct cta_want){.state = (uint8_t)state, .rule = why->rule};
	cta_take_values(cta_rule(s, s->policy[x->index].id, why->rule), why->v, w->v);
	h->moved_by[core] = (uint8_t)x->index;
	h->stale = 1;
}

static void
publish_event(struct cta_ctx *x, enum event_kind kind, int core, const struct reason *why)
{
	cta_emit(x->host, kind, core, -1, UINT32_MAX, x->index, why ? why : &no_reason);
}

static void
forget_runs(struct cta_ctx *x)
{
	struct cta_host *h = ((struct cta_stack *)x->host)->host;

	h->forget = 1;
	for (unsigned c = 0; c < h->n_cores; c++)
		h->core[c].mem_stall_run = 0;
}

static void
keep_gauges(struct cta_ctx *x)
{
	struct cta_stack *s = x->host;

	cta_keep_gauges(s, x->index, 0, false);
	for (unsigned c = 0; c < s->host->n_cores; c++)
		cta_keep_gauges(s, x->index, c, true);
}

static struct cta_look
look_at_core(const struct cta_ctx *x, unsigned core)
{
	const struct cta_stack *s = x->host;

	return core < s->host->n_cores ? s->eyes->core(s->emit_ctx, core) : (struct cta_look){0};
}

static struct cta_memory
look_at_memory(const struct cta_ctx *x)
{
	const struct cta_stack *s = x->host;

	return s->eyes->memory(s->emit_ctx);
}

static unsigned
list_ctas(const struct cta_ctx *x, unsigned core, struct cta_resident *r)
{
	const struct cta_stack *s = x->host;

	return core < s->host->n_cores ? s->eyes->list_ctas(s->emit_ctx, core, r) : 0;
}

static bool
was_issued(const struct cta_ctx *x, uint32_t cta)
{
	return cta_was_issued(x->host, cta);
}

const struct cta_calls cta_calls = {.look_at_core = look_at_core,
				    .look_at_memory = look_at_memory,
				    .list_ctas = list_ctas,
				    .was_issued = was_issued,
				    .want = set_want,
				    .publish = publish_event,
				    .forget_runs = forget_runs,
				    .keep_gauges = keep_gauges};

bool
cta_take_forget(struct cta_stack *s)
{
	bool forget = s->host->forget;

	s->host->forget = 0;
	return forget;
}

/* ---------------------------------------------------------------- act */

bool
cta_acts(const struct cta_stack *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->policy[i].ops->act)
			return true;
	return false;
}

bool
cta_decides_by_core(const struct cta_stack *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		const struct cta_sched_ops *o = s->policy[i].ops;

		if (o->act || o->may || o->request || o->next_cta || o->next_kernel || o->issued ||
		    o->done || o->warps || o->l1_miss)
			return false;
	}
	return true;
}

void
cta_act(struct cta_stack *s, bool ended)
{
	struct cta_host *h = s->host;
	cycle_t now = s->cycle(s->emit_ctx);
	struct cta_gpu g;

	for (unsigned i = 0; i < s->n; i++) {
		unsigned why = (ended ? ACT_ENDED : 0) | (h->changed ? ACT_CHANGED : 0);
		struct cta_ctx x = cta_context(s, i, &g);
		cycle_t next;

		if (!s->policy[i].ops->act)
			continue;
		if (h->fresh >> i & 1)
			why |= ACT_LAUNCH;
		if (h->period_over >> i & 1)
			why |= ACT_PERIOD;
		if (h->next_act[i] <= now)
			why |= ACT_DUE;
		if (!why)
			continue;
		next = s->policy[i].ops->act(&x, why);
		h->next_act[i] = MAX(now + 1, next);
	}
	h->period_over = h->fresh = h->changed = 0;
}

/* ---------------------------------------------------------------- merging */

void
cta_reset_wants(struct cta_stack *s, unsigned i)
{
	memset(s->host->want[i], 0, sizeof(s->host->want[i]));
	s->host->stale = 1;
}

static enum core_state
effective_want(const struct cta_host *h, unsigned i, unsigned core)
{
	enum core_state w = h->want[i][core].state;

	return w == CORE_OFF && h->core[core].resident ? CORE_DRAINING : w;
}

unsigned
cta_state_policy(const struct cta_stack *s, unsigned core)
{
	enum core_state most = CORE_ACTIVE;
	unsigned who = POLICY_HOST;

	for (unsigned i = 0; i < s->n; i++)
		if (effective_want(s->host, i, core) > most) {
			most = effective_want(s->host, i, core);
			who = i;
		}
	return who;
}

/* Publishes a change with the reason of the want that changed last, otherwise with a rule of the
 * host. */
static void
publish_state(struct cta_stack *s, enum event_kind kind, unsigned core)
{
	const struct cta_host *h = s->host;
	unsigned by = h->moved_by[core];
	struct reason why = {.rule = h->issued ? HR_NEW_STACK : HR_NEW_KERNEL};

	if (by < s->n) {
		why.rule = h->want[by][core].rule;
		memcpy(why.v, h->want[by][core].v, sizeof(why.v));
		by = h->want[by][core].forced ? POLICY_HOST : by;
	}
	cta_emit(s, kind, (int)core, -1, UINT32_MAX, by < s->n ? by : POLICY_HOST, &why);
}

static void
publish_change(struct cta_stack *s, unsigned core, enum core_state old, enum core_state now)
{
	static const uint8_t entered[] = {[CORE_ACTIVE] = EV_KINDS,
					  [CORE_DRAINING] = EV_DRAIN,
					  [CORE_THROTTLED] = EV_THROTTLE,
					  [CORE_PAUSED] = EV_CORE_PAUSE,
					  [CORE_OFF] = EV_GATE};
	static const uint8_t left[] = {[CORE_ACTIVE] = EV_KINDS,
				       [CORE_DRAINING] = EV_KINDS,
				       [CORE_THROTTLED] = EV_UNTHROTTLE,
				       [CORE_PAUSED] = EV_CORE_RESUME,
				       [CORE_OFF] = EV_UNGATE};
	enum event_kind leave = left[old];

	if (old == CORE_DRAINING && now == CORE_ACTIVE)
		leave = EV_UNGATE;
	if (leave != EV_KINDS)
		publish_state(s, leave, core);
	if (entered[now] != EV_KINDS)
		publish_state(s, entered[now], core);
}

static void
announce_gated(struct cta_stack *s, unsigned core, unsigned whom)
{
	struct cta_host *h = s->host;
	struct cta_gpu g;

	for (unsigned i = 0; i < s->n; i++) {
		struct cta_ctx x = cta_context(s, i, &g);

		if (whom >> i & 1 && s->policy[i].ops->gated)
			s->policy[i].ops->gated(&x, core);
	}
	memset(h->asked, 0, sizeof(h->asked));
}

/* Applies the state that the user forces: it replaces the wants of the policies until they
 * change them. Returns the policy whose want counts, like cta_state_policy(). */
static unsigned
force_state(struct cta_stack *s, unsigned core, enum core_state state)
{
	struct cta_host *h = s->host;
	struct reason why = {.rule = (uint8_t)(HR_FORCED_STATE + state)};
	unsigned by = MIN(h->moved_by[core], s->n - 1);
	struct cta_want own = {.state = (uint8_t)state, .rule = why.rule, .forced = 1};

	cta_emit(s, EV_FORCED, (int)core, -1, UINT32_MAX, POLICY_HOST, &why);
	for (unsigned i = 0; i < s->n; i++)
		if (h->want[i][core].state > state)
			h->want[i][core] = own;
	if (h->want[by][core].state != state)
		h->want[by][core] = own;
	h->moved_by[core] = (uint8_t)by;
	return cta_state_policy(s, core);
}

bool
cta_merge_states(struct cta_stack *s)
{
	struct cta_host *h = s->host;
	struct cta_forced f;
	enum core_state wanted;
	bool changed = false;

	if (!h->stale)
		return false;
	h->stale = 0;
	for (unsigned c = 0; c < h->n_cores; c++) {
		unsigned who = cta_state_policy(s, c);
		enum core_state old = h->core[c].state,
				now = who == POLICY_HOST ? CORE_ACTIVE : effective_want(h, who, c);

		wanted = who == POLICY_HOST ? CORE_ACTIVE : h->want[who][c].state;
		if (now != old && cta_take_forced(s, CTA_ASK_STATE, c, &f) && f.to != wanted) {
			who = force_state(s, c, f.to == CTA_STATE_STAY ? old : f.to);
			now = who == POLICY_HOST ? CORE_ACTIVE : effective_want(h, who, c);
		}
		if (now == CORE_OFF && now == old)
			announce_gated(s, c, h->gated_not_announced);
		if (now == old)
			continue;
		h->core[c].state = now;
		changed = true;
		publish_change(s, c, old, now);
		if (now == CORE_OFF)
			announce_gated(s, c, ~0u);
	}
	h->gated_not_announced = 0;
	return changed;
}

/* ---------------------------------------------------------------- hand-over */

static const struct cta_policy *
find_policy(const struct cta_stack *s, const struct cta_sched_ops *o, unsigned *index)
{
	for (*index = 0; *index < s->n; ++*index)
		if (s->policy[*index].ops == o)
			return &s->policy[*index];
	return NULL;
}

static void
name_list(char *buf, size_t size, const char *name)
{
	size_t n = strlen(buf);

	snprintf(buf + n, size - n, "%s%s", n ? ", " : "", name);
}

void
cta_hand_over(struct cta_stack *s, const struct cta_stack *old, char *note, size_t size)
{
	struct cta_host *h = s->host;
	char kept[160] = "", lost[160] = "", fresh[160] = "";
	unsigned j, not_active = 0;

	cta_mark_unused(s);
	h->fresh = h->period_over = h->gated_not_announced = 0;
	for (unsigned i = 0; i < s->n; i++) {
		const struct cta_sched_ops *o = s->policy[i].ops;
		const struct cta_policy *was = find_policy(old, o, &j);
		size_t bytes = o->state_size + h->n_cores * o->core_size;

		if (!was) {
			cta_start_policy(s, i);
			name_list(fresh, sizeof(fresh), o->name);
			continue;
		}
		memcpy((char *)h + s->policy[i].state, (const char *)old->host + was->state, bytes);
		memcpy(cta_kept(s, i, 0, 0), cta_kept(old, j, 0, 0),
		       o->n_gauges * h->n_cores * sizeof(struct cta_reading));
		h->kept_at[i] = old->host->kept_at[j];
		memcpy(h->limit[i], old->host->limit[j], sizeof(h->limit[i]));
		memcpy(h->want[i], old->host->want[j], sizeof(h->want[i]));
		h->next_period[i] = old->host->next_period[j];
		h->next_act[i] = old->host->next_act[j];
		if (bytes)
			name_list(kept, sizeof(kept), o->name);
	}
	for (unsigned i = 0; i < old->n; i++)
		if (!find_policy(s, old->policy[i].ops, &j) &&
		    old->policy[i].ops->state_size + old->policy[i].ops->core_size)
			name_list(lost, sizeof(lost), old->policy[i].ops->name);
	for (unsigned c = 0; c < h->n_cores; c++) {
		h->moved_by[c] = POLICY_HOST;
		h->asked[c] = 0;
		h->refused[c] = (struct cta_refused){0};
		not_active += h->core[c].state != CORE_ACTIVE;
		cta_refresh_limit(s, c);
	}
	h->stale = 1;
	h->changed = cta_acts(s);
	for (unsigned c = 0; c < h->n_cores; c++)
		not_active -= cta_state_policy(s, c) != POLICY_HOST && not_active;
	if (!note)
		return;
	snprintf(note, size, "kept the resident CTAs, all counters%s%s%s%s%s%s%s",
		 kept[0] ? ", the state of " : "", kept, lost[0] ? "; lost the state of " : "",
		 lost, fresh[0] ? "; " : "", fresh,
		 fresh[0] ? " starts as at a kernel launch" : "");
	if (not_active)
		snprintf(note + strlen(note), size - strlen(note), "; %u cores work again",
			 not_active);
}
