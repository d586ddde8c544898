/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warps.c - the policies that order warps (src/cta/sched_swl.c, src/cta/sched_ccws.c, and the
 * example examples/policy/youngest.c), asked about cores that consist of numbers only, against
 * orders worked out by hand; and how the host merges the answers of a stack.
 */
#include "tests/tap.h"
#include "tests/cta/numbers.h"

#include "examples/policy/youngest.c"

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

/* ---------------------------------------------------------------- ccws */

/* Warp `warp` brings a line into a place. */
static bool
miss(struct mock *m, unsigned warp, uint64_t line, uint64_t evicted, unsigned place)
{
	return cta_l1_miss(&m->s, 0,
			   &(struct cta_l1_miss){.line = line,
						 .evicted = evicted,
						 .place = (uint16_t)place,
						 .warp = (uint8_t)warp});
}

/* Warp `warp` loses a line to another warp and misses it again: the lines 0x1000 and up. */
static bool
lose(struct mock *m, unsigned warp, unsigned other, unsigned number)
{
	uint64_t line = 0x1000 + 0x100 * (uint64_t)number, of_other = line + 0x80000;

	miss(m, warp, line, CTA_NO_LINE, number);
	miss(m, other, of_other, line, number);
	return miss(m, warp, line, of_other, number);
}

static struct cta_warps
four_warps(uint64_t insts)
{
	static const uint8_t four[] = {3, 2, 1, 0, UINT8_MAX};
	struct cta_warps w = warps_of(four, 1, 0);

	w.warp_insts = insts;
	return w;
}

static void
ccws_victims(void)
{
	struct mock *m = mock_new("ccws", 1, 4, 2);

	order_of(m, four_warps(0));
	ok(!miss(m, 0, 0x1000, CTA_NO_LINE, 5), "ccws: the first miss on a line loses nothing");
	ok(!miss(m, 1, 0x2000, 0x1000, 5), "warp 1 evicts it, and loses nothing");
	ok(!miss(m, 2, 0x1000, CTA_NO_LINE, 6), "that warp 2 misses it is no loss of its own");
	ok(miss(m, 0, 0x1000, CTA_NO_LINE, 7), "that warp 0 does is one");
	ok(!miss(m, 0, 0x1000, CTA_NO_LINE, 8), "once: the line is in L1 again");
	ok(miss(m, 1, 0x3000, 0x2000, 5) == false && miss(m, 1, 0x2000, CTA_NO_LINE, 9),
	   "a line that its own warp evicts is lost, too");
	for (unsigned i = 0; i < 9; i++) { /* nine lines of one of the two sets */
		miss(m, 3, 0x10000 + 0x100 * i, CTA_NO_LINE, 20);
		miss(m, 2, 0x20000, 0x10000 + 0x100 * i, 20);
	}
	ok(!miss(m, 3, 0x10000, CTA_NO_LINE, 21), "eight tags fit into a set: the oldest is gone");
	ok(miss(m, 3, 0x10100, CTA_NO_LINE, 22), "the second is not");
	ok(miss(m, 3, 0x10800, CTA_NO_LINE, 23), "nor the last");
	miss(m, 3, 0x30080, CTA_NO_LINE, 30);
	miss(m, 2, 0x20000, 0x30080, 30);
	order_of(m, warps_of(six + 2, 1, 0)); /* the same hardware warps */
	ok(miss(m, 3, 0x30080, CTA_NO_LINE, 31), "the tags of a warp stay while it is there");
	miss(m, 2, 0x20000, 0x30080, 31);
	order_of(m, warps_of((const uint8_t[]){0, 1, 2, UINT8_MAX}, 1, 0));
	order_of(m, warps_of(six + 2, 1, 0));
	ok(!miss(m, 3, 0x30080, CTA_NO_LINE, 32), "the next warp in its place begins without");
	mock_free(m);
}

static void
ccws_scores(void)
{
	struct mock *m = mock_new("ccws", 1, 4, 2);

	m->cycle = 1000;
	is_u64(order_of(m, four_warps(500)).no_memory, 0,
	       "ccws: all at the base score: 400 <= 400");
	is_str(last_rule(m), "none", "which is no decision");
	ok(lose(m, 1, 0, 1), "warp 1 loses a line");
	is_u64(order_of(m, four_warps(600)).no_memory, 0,
	       "1 in 100 instructions: score 8 * 400 / 100 = 32, below the base score");
	lose(m, 1, 0, 2);
	/* 2 in 40: 8 * 2 * 400 / 40 = 160; 160 + 100 + 100 = 360, + 100 > 400 */
	is_u64(order_of(m, four_warps(540)).no_memory, BIT(0), "2 in 40: the youngest is out");
	is_str(last_rule(m), "throttled", "and the rule that says so");
	is_u64((uint64_t)m->ev[m->n_ev - 1].v[0], 460, "the scores together");
	is_u64(cta_next_order(&m->s), 1060, "the score falls to 100 in 60 cycles");
	m->cycle = 1059;
	is_u64(order_of(m, four_warps(540)).no_memory, BIT(0), "one cycle before it is 101");
	m->cycle = 1060;
	is_u64(order_of(m, four_warps(540)).no_memory, 0, "then all may again");
	is_str(last_rule(m), "released", "and the rule that says so");
	is_u64(cta_next_order(&m->s), CYCLE_NEVER, "time alone changes nothing any more");

	lose(m, 0, 3, 3);
	/* 3 in 32: 8 * 3 * 400 / 32 = 300; 300 + 100 (warp 3, the oldest), 500 > 400 */
	is_u64(order_of(m, four_warps(532)).no_memory, BIT(1) | BIT(2),
	       "warp 0 has 300 points: it and the oldest may");
	is_u64(cta_next_order(&m->s), 1160, "until 500 has fallen to 400");
	lose(m, 2, 3, 4);
	/* 4 in 64: 200, after 300 of warp 0: 500 > 400; both fall, by 2 points a cycle */
	is_u64(order_of(m, four_warps(564)).no_memory, BIT(1) | BIT(2) | BIT(3),
	       "a second one that lost comes next, and does not fit");
	is_u64(cta_next_order(&m->s), 1110, "until 500 has fallen to 400, by 2 a cycle");
	lose(m, 1, 3, 5);
	is_u64(order_of(m, four_warps(501)).no_memory, BIT(0) | BIT(2) | BIT(3),
	       "a score is at most the cutoff: the first warp always may");
	mock_free(m);
}

/* Asked when it wants to be, the policy orders as if it were asked in every cycle. */
static void
ccws_each_cycle(void)
{
	struct mock *m[2] = {mock_new("ccws", 1, 4, 2), mock_new("ccws", 1, 4, 2)};
	uint64_t random = 7, order[2] = {0, 0}, held = 0;
	unsigned differ = 0;

	for (unsigned cycle = 1; cycle < 20000; cycle++) {
		bool lost = false;

		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		for (unsigned i = 0; i < 2; i++) {
			m[i]->cycle = cycle;
			if ((random >> 50) % 150 == 0)
				lost = lose(m[i], random >> 33 & 3, random >> 36 & 3,
					    random >> 45 & 15);
			if (i || lost || cta_next_order(&m[i]->s) <= cycle || cycle == 1)
				order[i] = order_of(m[i], four_warps(cycle / 6)).no_memory;
		}
		differ += order[0] != order[1];
		held += order[0] != 0;
	}
	is_u64(differ, 0, "ccws: cycles with another order than a policy asked in each");
	ok(held > 1000 && held < 19000, "with and without warps held back: %u cycles",
	   (unsigned)held);
	mock_free(m[0]);
	mock_free(m[1]);
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
	mock_free(m);
}

/* ---------------------------------------------------------------- youngest */

static void
youngest(void)
{
	struct mock *m = mock_new("rr", 1, 4, 2);
	struct cta_warps w = warps_of(six, 2, 0);

	m->s.policy[0].ops = &ctascope_policy;
	m->cycle = 100;
	/* From the youngest: 3 cannot issue; 2 and 1 are of schedulers 0 and 1; 0, 5 and 4 are late. */
	w.ready = BIT(0) | BIT(1) | BIT(2) | BIT(4);
	is_u64(order_of(m, w).first, BIT(2) | BIT(1), "youngest: one warp of each scheduler");
	is_u64(cta_next_order(&m->s), 101, "it is asked in every cycle");
	w.ready = BIT(0) | BIT(4) | BIT(5);
	is_u64(order_of(m, w).first, BIT(0) | BIT(5), "0 is younger than 4, and 5 is alone");
	w.ready = BIT(4);
	is_u64(order_of(m, w).first, BIT(4), "a scheduler without a ready warp has none");
	w.ready = 0;
	is_u64(order_of(m, w).first, 0, "nor has any, if none is ready");
	mock_free(m);
}

int
main(void)
{
	youngest();
	swl();
	ccws_victims();
	ccws_scores();
	ccws_each_cycle();
	merge();
	return done();
}
