/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * listings.c - readings of the papers' algorithms as they are printed, on a simulated GPU that
 * consists of numbers only (tests/cta/numbers.h): DYNCTA's counters of 11 bits, and what TCS sets
 * back.
 */
#include "cta/cta_part.h"
#include "cta/sched_tcs_core.h"
#include "tests/tap.h"
#include "tests/cta/numbers.h"

#include <inttypes.h>

/* Counters of 11 bits (Kayiran et al. 4.3): a period of 2,048 cycles of waiting shows as none. */
static void
counters_wrap(void)
{
	static const struct {
		const char *stack;
		uint64_t c_mem;
		int64_t shown;
		uint32_t n; /* from 3 of 6 */
	} row[] = {
		{"dyncta", 2048, 2048, 2},
		{"dyncta:counter_bits=11", 2047, 2047, 2},
		{"dyncta:counter_bits=11", 2048, 0, 4},
		{"dyncta:counter_bits=11", 2048 + 400, 400, 2},
		{"dyncta:counter_bits=12", 2048, 2048, 2},
	};

	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct mock *m = mock_new(row[i].stack, 1, 100, 6);

		mock_period(m, row[i].c_mem, 0);
		ok(m->ev[m->n_ev - 1].v[0] == row[i].shown && m->s.host->core[0].limit == row[i].n,
		   "%s: C_mem %" PRIu64 " shows as %" PRId64 ", n %u", row[i].stack, row[i].c_mem,
		   m->ev[m->n_ev - 1].v[0], m->s.host->core[0].limit);
		mock_free(m);
	}
}

/* What a core did in a window of TCS: its stalls in one run, and ten loads of 2,000 cycles. */
static void
stall_core(struct mock *m, unsigned core, uint64_t cycles)
{
	struct cta_core *v = &m->s.host->core[core];

	v->blocked += cycles;
	v->mem_stall += cycles;
	v->mem_stall_run = MAX(v->mem_stall_run, cycles);
	v->loads += 10;
	v->load_cycles += 20000;
}

/* reset=listing: stalls add up over tests until the core is bound, bound cores until one is
 * throttled. */
static void
tests_set_back(void)
{
	static const uint64_t stall[][2] = {{3000, 0}, {2000, 0}, {1, 5000}, {1, 0}};
	static const unsigned bound[2][4] = {{0, 0, 1, 0}, {0, 1, 0, 0}},
			      throttled[2][4] = {{0, 0, 0, 0}, {0, 0, 1, 1}};

	for (unsigned listing = 0; listing < 2; listing++) {
		struct mock *m = mock_new(listing ? "tcs:reset=listing" : "tcs", 4, 10000, 2);
		const struct tcs *k =
			(const struct tcs *)((const char *)m->s.host + m->s.policy[0].state);

		m->s.host->round_trip = 600;
		mock_rounds(m);
		for (unsigned i = 0; i < 4; i++) {
			stall_core(m, 0, stall[i][0]);
			stall_core(m, 1, stall[i][1]);
			do
				mock_due(m);
			while (m->s.host->core[0].mem_stall_run); /* forgotten by the test */
			ok(k->memory_bound == bound[listing][i] &&
				   k->throttled == throttled[listing][i],
			   "reset=%s, test %u: %u bound, %u throttled",
			   listing ? "listing" : "window", i, k->memory_bound, k->throttled);
		}
		mock_free(m);
	}
}

int
main(void)
{
	counters_wrap();
	tests_set_back();
	return done();
}
