/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * profile.c - the profile by instruction counts what the trace says was issued, and neither the
 * profile nor a listener for issues changes the machine.
 */
#include "tests/small/small.h"
#include "tests/tap.h"

#include <string.h>

enum { INSTS = SMALL_EXIT + 1 };

/* Counts what the warps of CTAs 0..n-1 issue in all, from tests/small/small.h. */
static void
expect(uint32_t n, uint64_t want[INSTS])
{
	for (uint32_t cta = 0; cta < n; cta++) {
		uint64_t loops = 1 + cta * 7 % 13 / 4;

		want[SMALL_TID] += 2;
		want[SMALL_EXIT] += 2;
		want[SMALL_COUNT] += 2 * loops * (cta % 2 ? 16 : 0);
		for (unsigned i = SMALL_LOAD; i <= SMALL_JUMP; i++)
			want[i] += 2 * loops;
	}
}

static struct sim *
open_small(struct trace **t, const char *policy)
{
	struct config *c = small_config(policy);
	struct err e = {0};
	struct sim *s;

	*t = small_trace();
	s = sim_new(c, *t, &e);
	if (!s)
		small_die("sim", &e);
	config_free(c);
	return s;
}

static unsigned
differ(struct sim *s, uint32_t kernel, uint32_t ctas)
{
	const struct inst_profile *p = sim_profile(s, kernel);
	uint64_t want[INSTS] = {0};
	unsigned bad = 0;

	expect(ctas, want);
	for (unsigned i = 0; p && i < INSTS; i++)
		bad += p[i].issued != want[i] || p[i].lanes != want[i] * WARP_SIZE;
	return p ? bad : INSTS;
}

static uint64_t
issued_in_all(struct sim *s)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k < 2; k++)
		for (unsigned i = 0; i < INSTS; i++)
			n += sim_profile(s, k)[i].issued;
	return n;
}

static double
value(struct sim *s, const char *path)
{
	struct err e = {0};
	uint64_t id;

	if (sim_path(s, path, &id, &e) != 1)
		small_die(path, &e);
	return sim_value(s, id, 0);
}

static void
test_counts(void)
{
	struct trace *t;
	struct sim *s = open_small(&t, "dyncta:period=256");
	struct err e = {0};
	unsigned bad = 0;
	cycle_t since = 1;

	ok(!sim_profile(s, 0) && !sim_profile_since(s, NULL), "off at first");
	is_u64((uint64_t)sim_profile_on(s, &e), 0, "on");
	ok(sim_profile_since(s, &since) && since == 0, "since cycle 0");
	/* reading it on the way or only at the end gives the same */
	for (cycle_t c = 300; !sim_done(s); c += 300) {
		sim_run(s, c, &e);
		bad += (double)issued_in_all(s) != value(s, "gpu.warp_insts");
	}
	is_u64(bad, 0, "at every stop it has counted what the GPU has issued");
	is_u64(differ(s, 0, 96), 0,
	       "of the first kernel every instruction as often as in its trace");
	is_u64(differ(s, 1, 48), 0, "and of the second");
	uint64_t stood = 0, paused = 0, memory = 0;
	for (unsigned i = 0; i < INSTS; i++) {
		const struct inst_profile *p = &sim_profile(s, 0)[i];
		for (unsigned w = 0; w < WARP_STATUSES; w++)
			stood += p->waits[w];
		paused += p->paused;
		memory += p->waits[WARP_MEMORY];
	}
	ok(paused > 0 && stood > 0, "warps stood, some of them paused");
	unsigned odd = 0, missed = 0;
	for (uint32_t k = 0; k < 2; k++)
		for (unsigned i = 0; i < INSTS; i++) {
			const struct inst_profile *p = &sim_profile(s, k)[i];
			odd += p->l1_accesses != (i == SMALL_LOAD ? p->issued : 0);
			missed += p->l1_misses > 0 && p->l1_misses <= p->l1_accesses;
		}
	is_u64(odd, 0, "each load looked up one line, nothing else any");
	is_u64(missed, 2, "some missed, in either kernel");
	ok(memory == sim_profile(s, 0)[SMALL_MUL].waits[WARP_MEMORY] && memory > 0,
	   "only the instruction that needs the load waits for memory");
	sim_free(s);
	trace_close(t);
}

static void
test_apart(void)
{
	struct trace *t, *u;
	struct sim *a = open_small(&t, "dyncta:period=256"),
		   *b = open_small(&u, "dyncta:period=256");
	struct err e = {0};
	struct snapshot *k;
	cycle_t since = 0;

	sim_run(a, 700, &e);
	sim_run(b, 700, &e);
	sim_profile_on(a, &e);
	is_u64(sim_profile(a, 0)[SMALL_TID].issued, 0, "what was issued before does not count");
	k = sim_save(a, &e);
	sim_run(a, 1500, &e);
	sim_run(b, 1500, &e);
	ok(sim_digest(a) == sim_digest(b), "the digest is that of a run without a profile");
	ok(issued_in_all(a) > 0, "it counts");
	sim_restore(a, k, &e);
	ok(sim_profile_since(a, &since) && since == 700 && issued_in_all(a) == 0,
	   "after a restore it begins anew");
	sim_run(a, CYCLE_NEVER, &e);
	sim_run(b, CYCLE_NEVER, &e);
	ok(sim_digest(a) == sim_digest(b), "to the end");
	sim_profile_off(a);
	ok(!sim_profile(a, 0), "and off");
	snapshot_free(k);
	sim_free(a);
	sim_free(b);
	trace_close(t);
	trace_close(u);
}

/* ---------------------------------------------------------------- told of issues */

static bool
of_loads(void *ctx, uint32_t kernel, const struct inst *i)
{
	(void)ctx;
	return kernel == 1 && i->cls == OP_LOAD;
}

static void
count(void *ctx, unsigned core, unsigned warp, const struct inst *i)
{
	uint64_t *n = ctx;

	*n += core < SMALL_CORES && warp < MAX_WARPS && i->cls == OP_LOAD;
}

static void
test_told(void)
{
	struct trace *t, *u;
	struct sim *a = open_small(&t, "rr"), *b = open_small(&u, "rr");
	struct err e = {0};
	uint64_t want[INSTS] = {0}, n = 0;

	expect(48, want);
	sim_on_issue(a, of_loads, count, &n);
	sim_run(a, CYCLE_NEVER, &e);
	sim_run(b, CYCLE_NEVER, &e);
	is_u64(n, want[SMALL_LOAD], "told of every load of the second kernel, and of nothing else");
	ok(sim_digest(a) == sim_digest(b), "which changes nothing");
	sim_free(a);
	sim_free(b);
	trace_close(t);
	trace_close(u);
}

/* ---------------------------------------------------------------- the past of a core */

static void
test_past(void)
{
	struct trace *t, *u;
	struct sim *a = open_small(&t, "dyncta:period=256"),
		   *b = open_small(&u, "dyncta:period=256");
	unsigned bad = 0, issued = 0, paused = 0;
	struct err e = {0};
	double before, after;
	uint64_t seen = 0;

	sim_run(a, 400, &e);
	ok(!sim_past(a, 400), "nothing is kept before somebody looks");
	sim_past_on(a, 1, &e);
	before = value(a, "core.1.warp_insts");
	sim_run(a, 400 + PAST_CYCLES, &e);
	after = value(a, "core.1.warp_insts");
	ok(!sim_past(a, 400) && sim_past(a, 401) && sim_past(a, 400 + PAST_CYCLES) &&
		   !sim_past(a, 401 + PAST_CYCLES),
	   "the cycles since, and no others");
	for (cycle_t c = 401; c <= 400 + PAST_CYCLES; c++)
		for (unsigned w = 0; w < sim_warps(a); w++)
			issued += (sim_past(a, c)[w] & PAST_ISSUED) != 0;
	is_u64(issued, (uint64_t)(after - before), "issues are those the core counted");
	/* The same cycles one by one, with another machine. */
	sim_run(b, 400, &e);
	for (cycle_t c = 401; c <= 400 + PAST_CYCLES; c++) {
		sim_run(b, c, &e);
		for (unsigned w = 0; w < sim_warps(b); w++) {
			struct warp_view v;
			unsigned what = sim_past(a, c)[w];

			sim_warp_view(b, 1, w, &v);
			bad += (what & PAST_STATUS) != v.status ||
			       (v.status != WARP_FREE && ((what & PAST_PAUSED) != 0) != v.paused);
			paused += v.paused;
			seen |= UINT64_C(1) << v.status;
		}
	}
	is_u64(bad, 0, "and every warp was in every cycle what it is when one stops there");
	ok(paused && seen >> WARP_MEMORY & 1 && seen >> WARP_READY & 1, "of several kinds");
	ok(sim_digest(a) == sim_digest(b), "which changes nothing");
	sim_run(a, 500 + PAST_CYCLES, &e);
	ok(!sim_past(a, 500) && sim_past(a, 501), "the oldest give way");
	sim_past_on(a, 2, &e);
	ok(!sim_past(a, 500 + PAST_CYCLES), "another core begins anew");
	sim_past_off(a);
	sim_free(a);
	sim_free(b);
	trace_close(t);
	trace_close(u);
}

int
main(void)
{
	test_counts();
	test_apart();
	test_told();
	test_past();
	return done();
}
