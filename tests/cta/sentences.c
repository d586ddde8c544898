/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sentences.c - the sentences of rules are true: every name in a sentence has a value; the CTA that
 * a pause or resume names is the one described, among the number given, even if several are paused
 * at once; a value that an event lacks is not invented.
 */
#include "cta/cta.h"
#include "tests/sim/model.h"
#include "tests/tap.h"

/* ---------------------------------------------------------------- rules */

static void
check_rule(const char *whose, const struct rule *r)
{
	bool gap = false, names = true, named;

	for (unsigned i = 0; i < EVENT_VALUES; i++)
		gap |= i && r->value[i] && !r->value[i - 1];
	for (const char *p = strchr(r->says, '{'); p; p = strchr(p + 1, '{'))
		names &= rule_knows(r, p + 1, strcspn(p + 1, "{}"));
	named = strlen(r->says) > 0 &&
		strspn(r->name, "abcdefghijklmnopqrstuvwxyz-") == strlen(r->name);
	ok(!gap && names && named, "%s: %s says what it can: %s", whose, r->name, r->says);
}

static void
rules(void)
{
	unsigned n;
	const struct cta_sched_ops *const *o = cta_sched_list(&n);

	for (unsigned p = 0; p < n; p++)
		for (unsigned i = 0; i < o[p]->n_rules; i++)
			check_rule(o[p]->name, &o[p]->rules[i]);
	for (unsigned i = 0; i < HR_RULES; i++)
		check_rule("host", &host_rules[i]);
	ok(strcmp(cta_sched_example, o[0]->name) && strlen(cta_sched_example) > 4,
	   "there is an example of a stack: %s", cta_sched_example);
}

/* ---------------------------------------------------------------- a template */

static void
templates(void)
{
	static const struct rule r = {"x", "", .value = {"ab", "a", "core"}};
	struct event ev = {.v = {-5, 7, 9}, .core = 3, .slot = -1, .cta = UINT32_MAX};
	char buf[80];

	rule_fill("{a} {ab} {core}", &r, &ev, buf, sizeof(buf));
	is_str(buf, "7 -5 9", "a name is a whole one, and the rule's own goes first");
	rule_fill("{slot} {cta} {resident} {among}", &r, &ev, buf, sizeof(buf));
	is_str(buf, "? ? 0 ?", "what an event does not have is not known");
	rule_fill("{abc} {} {a", &r, &ev, buf, sizeof(buf));
	is_str(buf, "{abc} {} {a", "what means nothing stands as it is");
	is_u64(rule_fill("core {ab}", &r, &ev, buf, 7), 6, "too long a sentence is cut");
	is_str(buf, "core -", "at the end of the room");
}

/* Numbers as people read them. */
static void
numbers(void)
{
	static const struct rule r = {"x", "",
				      .value = {"c_mem", "next", "ipc_milli", "low_milli", "old",
						"new"}};
	struct event ev = {.v = {2048, 1024, 1293658, 9999, -1234567, 0}, .cta = 4096, .slot = -1};
	char buf[80];

	rule_fill("{c_mem} {old} {new}", &r, &ev, buf, sizeof(buf));
	is_str(buf, "2,048 -1,234,567 0", "values have thousands separators");
	rule_fill("{next} {cta}", &r, &ev, buf, sizeof(buf));
	is_str(buf, "1024 4096", "numbers of things have none");
	rule_fill("{ipc_milli} {low_milli}", &r, &ev, buf, sizeof(buf));
	is_str(buf, "1,293.7 9.999", "thousandths have a decimal point");
}

/* A number of the event is the new limit; no word of a sentence means it. */
static void
outcomes(void)
{
	static const struct rule r = {"x", "", .value = {"a"}};
	struct event ev = {.v = {8}, .core = 3, .limit_before = 7, .limit = 6};
	char buf[80];

	rule_fill("{a} > 5, {outcome}: why", &r, &ev, buf, sizeof(buf));
	is_str(buf, "8 > 5, limit 7 -> 6: why", "an outcome stands where the sentence wants it");
	rule_fill_cause("{a} > 5, {outcome}: why", &r, &ev, buf, sizeof(buf));
	is_str(buf, "8 > 5: why", "the cause is the sentence without it");
	ev.limit = 7;
	rule_fill("{a}, {outcome}", &r, &ev, buf, sizeof(buf));
	is_str(buf, "8, limit stays 7", "a limit may stay");
	rule_fill_cause("all stays, limit {a} is mine", &r, &ev, buf, sizeof(buf));
	is_str(buf, "all stays, limit 8 is mine", "other words are free");
	ev.limit = 0;
	rule_fill("{outcome}", &r, &ev, buf, sizeof(buf));
	is_str(buf, "?", "an event about no limit has no outcome");
}

struct decided {
	struct sim *s;
	unsigned changed, stayed, wrong;
};

static void
look_at_limit(void *ctx, const struct event *ev)
{
	struct decided *d = ctx;
	const struct rule *r = sim_event_rule(d->s, ev);
	int old = rule_find(r, "old", 3), new = rule_find(r, "new", 3);
	char text[300], cause[300];

	sim_event_sentence(d->s, ev, text, sizeof(text));
	sim_event_cause(d->s, ev, cause, sizeof(cause));
	d->changed += ev->limit != ev->limit_before;
	d->stayed += ev->limit == ev->limit_before;
	d->wrong += !strstr(text, ", limit ") || strstr(cause, "limit ") || old < 0 ||
		    ev->v[old] != ev->limit_before || (new >= 0 && ev->v[new] != ev->limit);
}

static void
limits(void)
{
	struct trace *whole = model_reference("mixed-120x256"), *t = model_shorter(whole, 20, 40);
	struct config *c = model_config("kay30", "dyncta:period=512");
	struct decided d = {0};

	model_set(c, "gpu.clusters", "1");
	model_set(c, "gpu.balance", "off");
	d.s = model_sim(c, t);
	sim_listen(d.s, EV_BIT(EV_PERIOD) | EV_BIT(EV_LIMIT) | EV_BIT(EV_PAUSE), look_at_limit, &d);
	ok(model_run(d.s) && !d.wrong && d.changed > 4 && d.stayed > 4,
	   "of a run: %u decisions that changed a limit and %u that did not, %u told wrongly",
	   d.changed, d.stayed, d.wrong);
	sim_free(d.s);
	config_free(c);
	trace_close(t);
	trace_close(whole);
}

/* ---------------------------------------------------------------- pauses */

struct seen {
	struct sim *s;
	cycle_t cycle[MAX_CORES];
	uint32_t was[MAX_CORES];	       /* slots paused before the cycle */
	unsigned pauses, resumes, wrong, more; /* more: among more than one CTA */
};

static uint32_t
paused_slots(const struct core_view *v)
{
	uint32_t m = 0;

	for (unsigned i = 0; i < v->n_slots; i++)
		m |= (uint32_t)(v->slot[i].used && v->slot[i].paused) << i;
	return m;
}

/* Counts independently the CTAs it was chosen among: those that ran, or were paused, before the
 * cycle, and of which it is the youngest, or the least recently assigned. */
static unsigned
chosen_among(const struct core_view *v, uint32_t was, const struct event *ev)
{
	unsigned n = 0, mine = v->slot[ev->slot].order;
	bool pause = ev->kind == EV_PAUSE;

	for (unsigned i = 0; i < v->n_slots; i++)
		if (v->slot[i].used && (was >> i & 1) == !pause)
			n += pause ? v->slot[i].order <= mine : v->slot[i].order >= mine;
	return n;
}

/* At the end of every cycle, every paused CTA was assigned after every running one. */
static bool
in_order(void *ctx)
{
	struct seen *seen = ctx;

	for (unsigned c = 0; c < sim_instances(seen->s, "core"); c++) {
		struct core_view v;
		unsigned run = 0, paused = MAX_CTAS;

		sim_core_view(seen->s, c, &v);
		for (unsigned i = 0; i < v.n_slots; i++)
			if (v.slot[i].used && v.slot[i].paused)
				paused = MIN(paused, v.slot[i].order);
			else if (v.slot[i].used)
				run = MAX(run, v.slot[i].order);
		seen->wrong += v.paused && run > paused;
	}
	return false;
}

static void
look(void *ctx, const struct event *ev)
{
	struct seen *seen = ctx;
	unsigned c = (unsigned)ev->core, n;
	char text[400], want[80];
	struct core_view v;

	sim_core_view(seen->s, c, &v);
	if (seen->cycle[c] != ev->cycle) {
		seen->cycle[c] = ev->cycle;
		seen->was[c] = paused_slots(&v) ^ 1u << ev->slot; /* this is the first change */
	}
	n = chosen_among(&v, seen->was[c], ev);
	sim_event_text(seen->s, ev, text, sizeof(text));
	if (ev->kind == EV_PAUSE)
		snprintf(want, sizeof(want),
			 n > 1 ? ", paused CTA %u, the youngest of %u running"
			       : ", paused CTA %u, the only one running",
			 ev->cta, n);
	else
		snprintf(want, sizeof(want),
			 n > 1 ? ", resumed CTA %u, the least recently assigned of %u paused"
			       : ", resumed CTA %u, the only one paused",
			 ev->cta, n);
	seen->pauses += ev->kind == EV_PAUSE;
	seen->resumes += ev->kind == EV_RESUME;
	seen->more += n > 1;
	if (strstr(text, want) && ev->resident == v.resident)
		return;
	diag("core %u, cycle %" PRIu64 ": '%s', not '%s'", c, ev->cycle, text, want);
	seen->wrong++;
}

static struct seen
watch(const char *stack, const char *then)
{
	struct trace *whole = model_reference("mixed-120x256"), *t = model_shorter(whole, 20, 40);
	struct config *c = model_config("kay30", stack);
	struct seen seen = {0};
	struct err e = {0};

	model_set(c, "gpu.clusters", "1");
	model_set(c, "gpu.balance", "off");
	seen.s = model_sim(c, t);
	memset(seen.cycle, 0xff, sizeof(seen.cycle));
	sim_listen(seen.s, EV_BIT(EV_PAUSE) | EV_BIT(EV_RESUME), look, &seen);
	sim_each_cycle(seen.s, in_order, &seen);
	if (then && (sim_run(seen.s, 3000, &e) != SIM_REACHED ||
		     sim_set_policy(seen.s, then, NULL, 0, &e) < 0))
		model_die(then, &e);
	ok(model_run(seen.s), "%s: runs to its end", stack);
	sim_free(seen.s);
	config_free(c);
	trace_close(t);
	trace_close(whole);
	return seen;
}

static void
pauses(void)
{
	struct seen a = watch("dyncta:period=512", NULL), b = watch("rr", "dyncta:n0=1");

	ok(!a.wrong && a.pauses > 4 && a.resumes > 3 && a.more > 4,
	   "one after the other: %u pauses and %u resumes, %u among several CTAs, %u told wrongly",
	   a.pauses, a.resumes, a.more, a.wrong);
	ok(!b.wrong && b.pauses > 4 && b.more > 2,
	   "several at once: %u pauses and %u resumes, %u among several CTAs, %u told wrongly",
	   b.pauses, b.resumes, b.more, b.wrong);
}

/* Credits that a core returns when it is switched off belong to no CTA. */
static void
returned(void)
{
	const struct cta_stack s = {0};
	struct event ev = {.kind = EV_CREDIT, .core = 2, .cta = UINT32_MAX, .policy = POLICY_HOST};
	char buf[200];

	ev.rule = HR_NEW_STACK;
	cta_event_text(&s, &ev, buf, sizeof(buf));
	is_str(buf, "credit, core 2, cycle 0: the policies were changed: every core is on",
	       "no CTA is granted where there is none");
	ev.cta = 7;
	cta_event_text(&s, &ev, buf, sizeof(buf));
	is_str(buf,
	       "credit, core 2, cycle 0: the policies were changed: every core is on, CTA 7 "
	       "granted",
	       "and else it is");
}

int
main(void)
{
	rules();
	templates();
	numbers();
	outcomes();
	limits();
	pauses();
	returned();
	return done();
}
