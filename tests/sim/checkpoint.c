/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * checkpoint.c - snapshots share equal pages, and each remains independent.
 *
 * Tests how much memory a snapshot adds that is 100,000 cycles after another; fifty snapshots,
 * taken on several ways through a run and restored in any order while others are deleted and the
 * run continues; and memory that runs out at every allocation of a snapshot and of the time series.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"
#include "tests/small/fault.h"

#define KIB 1024

struct state {
	uint64_t digest, cycle, events, generation;
	double series; /* the sum of all samples, which changes when one does */
};

static struct state
look(struct sim *s)
{
	struct state v = {.digest = sim_digest(s),
			  .cycle = sim_cycle(s),
			  .events = sim_events(s)->next};

	for (unsigned i = 0; i < series_count(s); i++)
		v.series += (double)series_end(s, i) * (series_gpu(s, SG_IPC, i) + 1) +
			    (double)series_span(s, i) * series_core(s, SC_STALL, 0, i);
	return v;
}

static bool
same(const struct state *a, const struct state *b)
{
	return a->digest == b->digest && a->cycle == b->cycle && a->events == b->events &&
	       a->series == b->series;
}

static struct snapshot *
save(struct sim *s)
{
	struct err e = {0};
	struct snapshot *k = sim_save(s, &e);

	if (!k)
		model_die("sim_save", &e);
	return k;
}

/* ---------------------------------------------------------------- sizes */

static void
sizes(const char *name)
{
	struct config *c = model_config("kayiran30", "rr");
	struct trace *t = model_reference(name);
	struct sim *s = model_sim(c, t);
	unsigned step = model_fast() ? 5000 : 20000;
	struct snapshot *k[8];
	size_t most = 0;

	k[0] = save(s);
	ok(snapshot_added(k[0]) < 1024 * KIB, "%s: one of the start takes %zu KiB", name,
	   snapshot_added(k[0]) / KIB);
	for (unsigned i = 1; i < 7; i++) {
		sim_run(s, i == 6 ? 6 * step + 100000 : i * step, NULL);
		k[i] = save(s);
		if (snapshot_added(k[i]) > most)
			most = snapshot_added(k[i]);
	}
	ok(most <= 1024 * KIB, "%s: to cycle %" PRIu64 ", one adds at most %zu KiB", name,
	   sim_cycle(s), most / KIB);
	ok(most >= 100 * KIB, "which is not nothing");
	k[7] = save(s);
	ok(snapshot_added(k[7]) < 32 * KIB, "the same again adds %zu KiB",
	   snapshot_added(k[7]) / KIB);
	ok(snapshot_bytes(k[7]) - snapshot_added(k[7]) > snapshot_added(k[6]) / 2,
	   "and shares the rest of %zu KiB", snapshot_bytes(k[7]) / KIB);
	for (unsigned i = 0; i < 8; i++)
		snapshot_free(k[i]);
	sim_free(s);
	trace_close(t);
	config_free(c);
}

/* ---------------------------------------------------------------- any order */

#define MANY 50
#define POLICY "dyncta:period=512+claso"

static uint32_t
roll(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Continues under another policy for a while, on the way to another future. */
static void
another_way(struct sim *s, unsigned cycles)
{
	sim_set_policy(s, "static:n=1", NULL, 0, NULL);
	sim_run(s, sim_cycle(s) + cycles, NULL);
	sim_set_policy(s, POLICY, NULL, 0, NULL);
}

/* Restores the remaining ones, each a few times, continues from some, and deletes some. */
static unsigned
restore_all(struct sim *s, struct snapshot *k[MANY], const struct state at[MANY], uint32_t *seed)
{
	unsigned bad = 0, left = MANY;
	struct err e = {0};

	while (left) {
		unsigned i = roll(seed) % MANY;
		struct state v;

		if (!k[i])
			continue;
		if (sim_restore(s, k[i], &e) < 0) {
			diag("restore: %s", e.msg);
			return bad + 1;
		}
		v = look(s);
		if (!same(&v, &at[i])) {
			diag("%u, of cycle %" PRIu64 ", is another", i, at[i].cycle);
			bad++;
		}
		if (roll(seed) % 2)
			another_way(s, roll(seed) % 900);
		if (roll(seed) % 4 == 0) {
			snapshot_free(k[i]);
			k[i] = NULL;
			left--;
		}
	}
	return bad;
}

static void
any_order(const char *name, const char *machine, uint32_t seed)
{
	struct config *c = model_config(machine, POLICY);
	struct trace *t = model_reference(name);
	struct snapshot *k[MANY], *start;
	struct state at[MANY], end, again;
	cycle_t last;
	struct sim *s;
	unsigned back = 0;

	model_set(c, "run.sample", "32");
	model_set(c, "run.samples", "40"); /* merged several times, and not at a block's end */
	model_set(c, "run.events", "256");
	s = model_sim(c, t);
	start = save(s);
	for (unsigned i = 0; i < MANY; i++) {
		sim_run(s, sim_cycle(s) + 1 + roll(&seed) % 800, NULL);
		k[i] = save(s);
		at[i] = look(s);
		if (roll(&seed) % 8 == 0) { /* there are several ways through the run */
			sim_restore(s, k[roll(&seed) % (i + 1)], NULL);
			another_way(s, roll(&seed) % 900);
			back++;
		}
	}
	last = sim_cycle(s);
	sim_restore(s, start, NULL);
	sim_run(s, last + 1000, NULL);
	end = look(s);
	ok(restore_all(s, k, at, &seed) == 0,
	   "%s on %s: %u of up to cycle %" PRIu64 ", %u times back, in any order", name, machine,
	   MANY, last, back);
	sim_restore(s, start, NULL);
	sim_run(s, last + 1000, NULL);
	again = look(s);
	ok(same(&end, &again), "and the end is the same");
	sim_free(s);
	snapshot_free(start); /* after the sim */
	trace_close(t);
	config_free(c);
}

/* ---------------------------------------------------------------- memory runs out */

static void
no_memory(void)
{
	struct config *c = model_config("gtx480", "rr");
	struct trace *t = model_reference("mixed-120x256");
	struct sim *s = model_sim(c, t);
	struct snapshot *first = save(s), *k = NULL;
	struct state was, is;
	struct err e = {0};
	unsigned n = 0, odd = 0;

	sim_run(s, 3000, NULL);
	was = look(s);
	for (; !k; n += n / 8 + 1) {
		e = (struct err){0};
		fault_allocations(n);
		k = sim_save(s, &e);
		fault_set(NULL);
		is = look(s);
		odd += !same(&was, &is) || (!k && !strstr(e.msg, "out of memory for a checkpoint"));
	}
	ok(n > 100 && !odd, "the last of up to %u allocations is refused: nothing changes", n);
	sim_run(s, 4000, NULL);
	ok(sim_restore(s, k, &e) == 0, "and the one that succeeds");
	is = look(s);
	ok(same(&was, &is), "is good");
	ok(sim_restore(s, first, &e) == 0, "as is the one before");
	snapshot_free(first);
	snapshot_free(k);
	sim_free(s);
	trace_close(t);
	config_free(c);
}

/* In the middle of a run: of a new block of samples, or of the merged ones. */
static void
no_memory_for_samples(void)
{
	struct config *c = model_config("gtx480", "rr");
	struct trace *t = model_reference("pchase-15x32"); /* all CTAs are there at once */
	struct snapshot *k;
	struct state was, is;
	struct sim *s;
	unsigned failed = 0, odd = 0;

	model_set(c, "run.sample", "16");
	model_set(c, "run.samples", "100");
	s = model_sim(c, t);
	sim_run(s, 100, NULL);
	k = save(s);
	sim_run(s, 6000, NULL);
	was = look(s);
	for (unsigned n = 0; n < 40; n++) {
		struct err e = {0};
		enum sim_stop how;

		odd += sim_restore(s, k, &e) < 0;
		fault_allocations(n);
		how = sim_run(s, 6000, &e);
		failed += how == SIM_FAILED;
		odd += how == SIM_FAILED ? !strstr(e.msg, "out of memory") : how != SIM_REACHED;
		for (unsigned i = 0; how == SIM_FAILED && i < 40; i++)
			/* The caller may continue in spite of it. */
			sim_run(s, sim_cycle(s) + 16, NULL);
		fault_set(NULL);
	}
	ok(failed > 5 && failed < 40 && !odd, "memory runs out for samples %u times", failed);
	odd = sim_restore(s, k, NULL) < 0;
	sim_run(s, 6000, NULL);
	is = look(s);
	ok(!odd && same(&was, &is), "after which a checkpoint is as good as ever");
	snapshot_free(k);
	sim_free(s);
	trace_close(t);
	config_free(c);
}

int
main(void)
{
	fault_set(NULL);
	sizes("stream-120x256");
	sizes("stride2-120x256");
	sizes("phase-120x256");
	any_order("phase-120x256", "kayiran30", 7);
	any_order("mixed-120x256", "gtx480", 11);
	any_order("stream-120x256", "mesh56", 5);
	no_memory();
	no_memory_for_samples();
	return done();
}
