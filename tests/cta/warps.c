/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warps.c - the policies that order warps, asked about cores that consist of numbers only, against
 * orders worked out by hand; and how the host merges the answers of a stack.
 */
#include "tests/tap.h"
#include "tests/cta/numbers.h"

#define BIT(w) (UINT64_C(1) << (w))

/* A core whose warps were launched in this order; UINT8_MAX ends it. */
static struct cta_warps
warps_of(const uint8_t *oldest, unsigned n_sched, uint64_t at_barrier)
{
	struct cta_warps w = {.at_barrier = at_barrier, .n_sched = n_sched};

	while (oldest[w.n] != UINT8_MAX) {
		w.oldest[w.n] = oldest[w.n];
		w.unfinished |= BIT(oldest[w.n]);
		w.n++;
	}
	return w;
}

static struct cta_warp_order
order_of(struct mock *m, struct cta_warps w)
{
	struct cta_warp_order o;

	cta_order_warps(&m->s, 0, &w, &o);
	return o;
}

static const char *
last_rule(const struct mock *m)
{
	return m->n_ev && m->ev[m->n_ev - 1].kind == EV_WARPS ? mock_rule(m, m->n_ev - 1) : "none";
}

/* ---------------------------------------------------------------- swl */

static const uint8_t six[] = {4, 5, 0, 1, 2, 3, UINT8_MAX}, three[] = {5, 2, 3, UINT8_MAX};

static void
swl(void)
{
	struct mock *m = mock_new("swl:n=2", 1, 4, 2);

	is_u64(order_of(m, warps_of(six, 1, 0)).stopped, 0x0f, "swl: the first two launched issue");
	is_str(last_rule(m), "limited", "and the rule that says so");
	is_u64((uint64_t)m->ev[m->n_ev - 1].v[0], 4, "four wait");
	is_u64(order_of(m, warps_of(six, 2, 0)).stopped, 0x0c, "two of each of two schedulers");
	is_u64(order_of(m, warps_of(six, 1, BIT(4))).stopped, 0x0e,
	       "a warp at a barrier gives up its place");
	is_u64(order_of(m, warps_of(six, 1, BIT(4) | BIT(0) | BIT(2))).stopped, BIT(3),
	       "so do three");
	m->n_ev = 0;
	is_u64(order_of(m, warps_of(three, 1, 0)).stopped, BIT(3), "the next one follows");
	is_u64(m->n_ev, 0, "some wait as before: nothing is published");
	is_u64(order_of(m, warps_of(three + 1, 1, 0)).stopped, 0, "nobody is left to wait");
	is_str(last_rule(m), "all-warps", "and the rule that says so");
	is_u64(m->s.host->warps_due[0], CYCLE_NEVER, "time alone changes nothing");
	mock_free(m);

	m = mock_new("swl:n=2,hold=memory", 1, 4, 2);
	is_u64(order_of(m, warps_of(six, 1, 0)).no_memory, 0x0f, "hold=memory: no access");
	is_u64(order_of(m, warps_of(six, 1, 0)).stopped, 0, "but they issue");
	mock_free(m);
}

/* ---------------------------------------------------------------- the host */

static cycle_t
order_low(struct cta_ctx *x, unsigned core, const struct cta_warps *w, struct cta_warp_order *o)
{
	(void)core;
	(void)w;
	o->stopped = BIT(0) | BIT(40);
	o->first = BIT(41);
	return x->gpu->cycle; /* in the past: asked in the next cycle */
}

static cycle_t
order_high(struct cta_ctx *x, unsigned core, const struct cta_warps *w, struct cta_warp_order *o)
{
	(void)core;
	(void)w;
	o->stopped = BIT(1);
	o->no_memory = BIT(2);
	o->first = BIT(3);
	return x->gpu->cycle + 7;
}

static void
merge(void)
{
	static const struct cta_sched_ops low = {.name = "low", .warps = order_low},
					  high = {.name = "high", .warps = order_high};
	struct mock *m = mock_new("rr+static", 1, 4, 2);
	struct cta_warp_order o;

	ok(!cta_orders_warps(&m->s), "no policy orders warps");
	m->s.policy[0].ops = &high;
	ok(cta_orders_warps(&m->s) && !cta_watches_l1(&m->s), "one does, and none watches L1");
	m->cycle = 100;
	o = order_of(m, warps_of(six, 1, 0));
	is_u64(cta_next_order(&m->s), 107, "it is asked again in the cycle that it named");
	m->s.policy[1].ops = &low;
	o = order_of(m, warps_of(six, 1, BIT(4)));
	is_u64(o.stopped, BIT(0) | BIT(1), "warps that one policy stops; those that exist");
	is_u64(o.no_memory, BIT(2), "or keeps from memory");
	is_u64(o.first, BIT(3), "first are those of the first policy");
	is_u64(cta_next_order(&m->s), 101, "the earliest cycle counts, not before the next");
	is_str(last_rule(m), "none", "an order without a rule is not published");
	ok(!cta_warps_changed(&m->s, 0, 0x3f, BIT(4)), "the same warps: nothing to ask");
	ok(cta_warps_changed(&m->s, 0, 0x3f, 0), "one left the barrier");
	ok(cta_warps_changed(&m->s, 0, 0x1f, BIT(4)), "one ended");
	mock_free(m);
}

int
main(void)
{
	swl();
	merge();
	return done();
}
