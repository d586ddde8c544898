/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * quiz_policy.c - questions about what a policy decides.
 *
 * The run stops some cycles before each end of a period, where the state is noted, and again at
 * that end, where the decisions are there with their reasons. Decisions at other times, about
 * credits and estimates, are noted as they happen: their rule's own numbers are what was known.
 */
#include "teach/quiz_part.h"

#include "base/human.h"
#include "base/memory.h"
#include "debug/debug.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WITHOUT_PERIOD 256 /* cycles until it is asked again whether there is one */
#define NOTED \
	(EV_BIT(EV_PERIOD) | EV_BIT(EV_CREDIT) | EV_BIT(EV_CREDIT_EXHAUSTED) | EV_BIT(EV_ESTIMATE))

const char *const quiz_moves[QUIZ_MOVES] = {"up", "down", "stays"};

unsigned
quiz_move(unsigned before, unsigned after)
{
	return after > before ? 0 : after < before ? 1 : 2;
}

cycle_t
quiz_lead(enum quiz_level level)
{
	return level == QUIZ_EASY ? 128 : level == QUIZ_HARD ? 1024 : 512;
}

bool
quiz_moves_limit(const struct rule *r)
{
	return strstr(r->says, "{outcome}") != NULL;
}

/* ---------------------------------------------------------------- what is known */

void
quiz_look(const struct sim *s, unsigned core, struct quiz_state *st)
{
	struct core_view v;
	struct gauge_view g;

	sim_core_view(s, core, &v);
	*st = (struct quiz_state){.cycle = sim_cycle(s),
				  .limit = v.limit,
				  .n_max = v.n_max,
				  .resident = v.resident,
				  .warps_memory = v.warps_memory,
				  .n = MIN(sim_gauges(s), QUIZ_GAUGES)};
	sim_period(s, &st->period_done);
	for (unsigned i = 0; i < st->n; i++) {
		sim_gauge_view(s, i, core, &g);
		st->policy[i] = g.policy;
		st->gauge[i] = g.gauge;
		st->reading[i] = g.now;
	}
}

static void
add_threshold(struct strbuf *out, const char *before, const char *name, double v)
{
	char number[HUMAN];

	if (name && !isnan(v))
		sb_printf(out, "%s%s %s", before, name, human_num(number, v));
}

static void
add_gauges(const struct quiz_state *st, const struct cta_sched_ops *policy, bool per_core,
	   bool thresholds, struct strbuf *out)
{
	char number[HUMAN];

	for (unsigned i = 0; i < st->n; i++) {
		const struct cta_gauge *g = st->gauge[i];
		const struct cta_reading *r = &st->reading[i];
		bool low = g->low && !isnan(r->low), high = g->high && !isnan(r->high);

		if (st->policy[i] != policy || g->per_core != per_core || isnan(r->value))
			continue;
		sb_printf(out, ", %s %s", g->name, human_num(number, r->value));
		if (!thresholds || (!low && !high))
			continue;
		add_threshold(out, " (", g->low, r->low);
		add_threshold(out, low ? ", " : " (", g->high, r->high);
		sb_char(out, ')');
	}
}

void
quiz_facts(const struct quiz_state *st, const struct cta_sched_ops *policy, int core,
	   unsigned limit, cycle_t left, enum quiz_level level, struct strbuf *out)
{
	char number[HUMAN];

	sb_printf(out, "cycle %s", human(number, st->cycle));
	if (core >= 0)
		sb_printf(out, ", core %d", core);
	if (limit)
		sb_printf(out, ": n %u of %" PRIu32, limit, st->n_max);
	else
		sb_printf(out, ": %s", policy->name);
	add_gauges(st, policy, core >= 0, level != QUIZ_HARD, out);
	if (core >= 0)
		sb_printf(out, ", %" PRIu32 " warp%s for memory", st->warps_memory,
			  st->warps_memory == 1 ? " waits" : "s wait");
	sb_printf(out, ", %s cycle%s left", human(number, left), PLURAL(left));
}

/* ---------------------------------------------------------------- one run */

struct collector {
	struct quiz *q;
	struct sim *sim;
	unsigned n_cores;
	struct quiz_state *state; /* of each core, some cycles before the end of a period */
	cycle_t end;		  /* of that period */
	struct event *period;	  /* decisions in this cycle */
	unsigned n;
	bool has_credits;
	uint64_t global; /* path of the credits that all cores share */
};

static const struct cta_sched_ops *
policy_of(const struct collector *c, const struct event *ev)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(sim_config(c->sim), &n);

	for (unsigned i = 0; i < n; i++)
		if (strcmp(ops[i]->name, sim_event_policy(c->sim, ev)) == 0)
			return ops[i];
	return NULL;
}

static bool
is_asked_about(const struct collector *c, const struct event *ev)
{
	return ev->policy != POLICY_HOST &&
	       (!c->q->kind || strcmp(c->q->kind, sim_event_policy(c->sim, ev)) == 0);
}

/* A question about the event, in its stratum; NULL: it is not kept. */
static struct quiz_item *
keep_event(struct collector *c, const struct cta_sched_ops *o, const struct event *ev,
	   unsigned part)
{
	const struct rule *r = sim_event_rule(c->sim, ev);
	struct quiz_item *it = quiz_keep(c->q, o, part, r->name, ev->rule);
	struct strbuf why = {0};

	if (!it)
		return NULL;
	debug_explain(c->sim, ev, &why);
	it->why = memory_kept(sb_take(&why));
	it->has_event = true;
	it->at = ev->cycle;
	it->core = ev->core;
	it->seq = ev->seq;
	it->old = ev->limit_before;
	it->new = ev->limit;
	it->rule = r->name;
	it->policy = o;
	it->asks = "which rule decides";
	it->n_choices = 1; /* the others are known at the end of the run */
	return it;
}

static bool
has_gpu_gauge(const struct quiz_state *st, const struct cta_sched_ops *o)
{
	for (unsigned i = 0; i < st->n; i++)
		if (st->policy[i] == o && !st->gauge[i]->per_core && !isnan(st->reading[i].value))
			return true;
	return false;
}

/* A decision at the end of a period. */
static void
take_period(struct collector *c, const struct event *ev)
{
	const struct cta_sched_ops *o = policy_of(c, ev);
	const struct quiz_state *st = &c->state[MAX(ev->core, 0)];
	bool moves = ev->core >= 0 && quiz_moves_limit(sim_event_rule(c->sim, ev));
	unsigned move = quiz_move(ev->limit_before, ev->limit);
	unsigned outcome = moves ? move : QUIZ_MOVES + ev->rule;
	cycle_t left = ev->cycle - st->cycle;
	struct strbuf text = {0};
	struct quiz_item *it;
	uint64_t facts = 0;

	if (!o || ev->cycle != c->end || (ev->core >= 0 && (!st->resident || !ev->resident)) ||
	    (ev->core < 0 && !has_gpu_gauge(st, o)))
		return;
	if (!quiz_facts_decide(st, c->sim, o, ev->core, left, c->q->level, &facts))
		return;
	quiz_count_facts(c->q, facts, outcome);
	it = keep_event(c, o, ev, ev->core >= 0 ? EV_PERIOD : EV_KINDS);
	if (!it)
		return;
	it->facts = facts;
	it->outcome = outcome;
	it->has_facts = true;
	quiz_facts(st, o, ev->core, moves ? ev->limit_before : 0, left, c->q->level, &text);
	it->text = memory_kept(sb_take(&text));
	if (!moves)
		return;
	it->asks = "what does n do";
	it->n_choices = QUIZ_MOVES;
	memcpy(it->choice, quiz_moves, QUIZ_MOVES * sizeof(quiz_moves[0]));
	it->right = move;
}

/* The value that the rule calls so; `otherwise` where it has none. */
static int64_t
value_called(const struct rule *r, const struct event *ev, const char *name, int64_t otherwise)
{
	int i = rule_find(r, name, strlen(name));

	return i >= 0 ? ev->v[i] : otherwise;
}

static void
add_parameters(const struct collector *c, const struct cta_sched_ops *o, struct strbuf *out)
{
	char key[128], value[80];

	for (unsigned i = 0; i < o->n_opts; i++) {
		snprintf(key, sizeof(key), "%s.%s", o->name, o->opts[i].name);
		if (opt_get(config_db_const(c->q->config), key, value, sizeof(value), NULL) == 0)
			sb_printf(out, ", %s %s", o->opts[i].name, value);
	}
}

/* A core asks for a CTA: with which credit does it get it, if at all? */
static void
take_credit(struct collector *c, const struct event *ev)
{
	const struct cta_sched_ops *o = policy_of(c, ev);
	const struct rule *r = sim_event_rule(c->sim, ev);
	struct strbuf text = {0};
	struct core_view v;
	struct quiz_item *it;
	char number[HUMAN];

	if (!o || ev->core < 0 || ev->cta == UINT32_MAX || !c->has_credits)
		return;
	sim_core_view(c->sim, (unsigned)ev->core, &v);
	it = v.resident ? keep_event(c, o, ev, EV_CREDIT) : NULL;
	if (!it)
		return;
	sb_printf(&text,
		  "cycle %s, core %d: %" PRIu32 " CTAs resident, a slot is free and CTA %" PRIu32
		  " comes next, local credits %" PRId64,
		  human(number, ev->cycle), ev->core, v.resident, ev->cta,
		  value_called(r, ev, "old", v.credits_local));
	sb_printf(&text, ", global credits %" PRId64,
		  value_called(r, ev, "global_old", (int64_t)sim_value(c->sim, c->global, 0)));
	if (c->q->level != QUIZ_HARD)
		add_parameters(c, o, &text);
	it->text = memory_kept(sb_take(&text));
}

/* The policy estimates a number of cores from numbers that its rule names. */
static void
take_estimate(struct collector *c, const struct event *ev)
{
	const struct cta_sched_ops *o = policy_of(c, ev);
	const struct rule *r = sim_event_rule(c->sim, ev);
	int answer = rule_find(r, "estimate", strlen("estimate"));
	struct strbuf text = {0};
	struct quiz_item *it = o && answer >= 0 ? keep_event(c, o, ev, EV_ESTIMATE) : NULL;
	char number[HUMAN];

	if (!it)
		return;
	sb_printf(&text, "cycle %s: %s, rule %s", human(number, ev->cycle), o->name, r->name);
	for (int i = 0; i < EVENT_VALUES && r->value[i]; i++)
		if (i != answer)
			sb_printf(&text, ", %s %" PRId64, r->value[i], ev->v[i]);
	it->text = memory_kept(sb_take(&text));
	it->asks = "how many cores does it estimate";
	it->n_choices = 0;
	it->number = (uint32_t)ev->v[answer];
}

static void
on_event(void *ctx, const struct event *ev)
{
	struct collector *c = ctx;

	if (!is_asked_about(c, ev))
		return;
	if (ev->kind == EV_ESTIMATE) {
		take_estimate(c, ev);
	} else if (ev->kind != EV_PERIOD) {
		take_credit(c, ev);
	} else {
		c->period = array_grow(c->period, c->n, sizeof(*c->period));
		c->period[c->n++] = *ev;
	}
}

/* The end of the present period; CYCLE_NEVER: there is none now. */
static cycle_t
period_end(const struct sim *s)
{
	struct core_view v;

	sim_core_view(s, 0, &v);
	return v.period_left == CYCLE_NEVER ? CYCLE_NEVER : sim_cycle(s) + MAX(v.period_left, 1);
}

/* Runs over one end of a period, or some cycles where there is none. */
static enum sim_stop
run_period(struct collector *c, struct err *e)
{
	cycle_t now = sim_cycle(c->sim), end = period_end(c->sim), at;
	enum sim_stop stop;

	if (end == CYCLE_NEVER)
		return sim_run(c->sim, now + WITHOUT_PERIOD, e);
	at = end - now > quiz_lead(c->q->level) ? end - quiz_lead(c->q->level)
						: now + (end - now) / 2;
	stop = at > now ? sim_run(c->sim, at, e) : SIM_REACHED;
	if (stop != SIM_REACHED || period_end(c->sim) != end)
		return stop; /* a kernel ended, and with it the period */
	for (unsigned i = 0; i < c->n_cores; i++)
		quiz_look(c->sim, i, &c->state[i]);
	c->end = end;
	c->n = 0;
	stop = sim_run(c->sim, end, e);
	for (unsigned i = 0; i < c->n; i++)
		take_period(c, &c->period[i]);
	return stop;
}

int
quiz_collect_decisions(struct quiz *q, struct trace *t, struct err *e)
{
	struct collector c = {.q = q, .sim = sim_new(q->config, t, e)};
	enum sim_stop stop = SIM_REACHED;

	if (!c.sim)
		return -1;
	c.n_cores = sim_instances(c.sim, "core");
	c.state = memory_new(c.n_cores, sizeof(*c.state));
	c.has_credits = sim_path(c.sim, "credits.global", &c.global, NULL) == 1;
	sim_listen(c.sim, NOTED, on_event, &c);
	while (stop == SIM_REACHED)
		stop = run_period(&c, e);
	free(c.state);
	free(c.period);
	sim_free(c.sim);
	return stop == SIM_FAILED || stop == SIM_DEADLOCK ? -1 : 0;
}
