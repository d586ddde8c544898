/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dram.c - one DRAM channel driven by hand: which commands it issues, and the distances between
 * them, in the names of the standard (ctascope-model(7) 11).
 *
 * Sequences for single situations are checked with the exact distance of each command. Then comes
 * random traffic, in which every pair of commands must keep every minimum distance, and in which a
 * channel that is visited only when it asks must do the same in the same cycles.
 */
#include "tests/mem/dram_rig.h"

/* ---------------------------------------------------------------- one situation each */

/* The number of banks is not a power of two: the bank is the bank bits modulo the banks; addresses
 * that share one are in different rows of it. */
static void
six_banks(void)
{
	struct bench b = bench_new("onac32", NULL);
	unsigned bits = (unsigned)__builtin_popcountll(b.k->bank_bits), seen = 0, wrong = 0;

	for (unsigned i = 0; i < 1u << bits; i++) {
		unsigned n = b.log->n;

		read_at(&b, i, 5, 0);
		run(&b, 300);
		seen |= 1u << i % 6;
		wrong += b.log->c[b.log->n - 1].bank != i % 6;
		wrong += (i < 6 ? 2u : 3u) != b.log->n - n; /* precharge, activate, read */
	}
	is_u64(b.k->banks, 6, "onac32: six banks");
	is_u64(seen, 0x3f, "onac32: all of them");
	is_u64(wrong, 0, "onac32: bank = number mod 6, and the rest of it tells rows apart");
	read_at(&b, 63, 5, 64);
	run(&b, 300);
	is_u64(b.e->c->st.row_hits, 1, "onac32: the same number again is a row hit");
	bench_free(&b);
}

#define WTR(k) ((k)->tWL + (k)->burst + (k)->tCDLR)
#define WTP(k) ((k)->tWL + (k)->burst + (k)->tWR)
#define RTW(k) ((k)->tCL + (k)->burst + 2 - (k)->tWL)

static void
single(const char *machine, const char *const *options)
{
	struct bench b = bench_new(machine, options);
	const struct mem_cfg *k = b.k;
	unsigned per = (SECTOR + k->atom - 1) / k->atom;
	uint64_t a;

	read_at(&b, 1, 5, 0);
	run(&b, 400);
	a = nth(&b, 'A', 0);
	is_u64(a, k->dram_latency + 1, "%s: accepted in cycle 0, activated %u + 1 cycles later",
	       machine, k->dram_latency);
	is_u64(nth(&b, 'R', 0) - a, k->tRCD, "%s: activate to read: tRCD %u", machine, k->tRCD);
	is_u64(b.e->c->st.reads, per, "%s: a sector takes %u read commands", machine, per);
	if (per > 1)
		is_u64(nth(&b, 'R', 1) - nth(&b, 'R', 0), MAX(k->tCCD, k->tCCDL),
		       "%s: read to read: tCCD", machine);
	is_u64(b.log->done_x[0] - last(&b, 'R', UINT64_MAX), k->tCL + 1,
	       "%s: read to data in L2's queue: tCL + 1", machine);
	is_u64(b.e->c->st.row_misses, 1, "%s: the bank was closed", machine);
	bench_free(&b);

	b = bench_new(machine, options);
	k = b.k;
	read_at(&b, 1, 5, 0);
	read_at(&b, 1, 6, 0);
	run(&b, 600);
	is_u64(nth(&b, 'P', 0),
	       MAX(nth(&b, 'A', 0) + k->tRAS,
		   last(&b, 'R', nth(&b, 'P', 0)) + MAX(k->burst, k->tRTPL)),
	       "%s: another row: precharge tRAS after the activate (or behind the reads)", machine);
	is_u64(nth(&b, 'A', 1), MAX(nth(&b, 'P', 0) + k->tRP, nth(&b, 'A', 0) + k->tRC),
	       "%s: activate tRP after that, tRC after the first activate", machine);
	is_u64(b.e->c->st.row_conflicts, 1, "%s: a conflict", machine);
	bench_free(&b);

	b = bench_new(machine, options);
	k = b.k;
	read_at(&b, 0, 5, 0);
	read_at(&b, 2, 5, 0);
	run(&b, 400);
	is_u64(nth(&b, 'A', 1) - nth(&b, 'A', 0), MAX(1, k->tRRD),
	       "%s: two banks: activates tRRD %u apart", machine, k->tRRD);
	bench_free(&b);

	b = bench_new(machine, options);
	k = b.k;
	write_at(&b, 1, 5, 0, 1);
	run(&b, k->dram_latency + 100);
	is_u64(nth(&b, 'W', 0) - nth(&b, 'A', 0), k->tRCD > k->tWL + 1 ? k->tRCD - k->tWL - 1 : 1,
	       "%s: activate to write: tRCD - (tWL + 1)", machine);
	read_at(&b, 1, 5, 1);
	write_at(&b, 1, 5, 2, 1);
	run(&b, 400);
	is_u64(b.e->c->st.activates, 1, "%s: the row is still open", machine);
	is_u64(nth(&b, 'W', last(&b, 'W', UINT64_MAX) ? per > 1 ? per : 1 : 0) -
		       last(&b, 'R', UINT64_MAX),
	       RTW(k), "%s: read to write: tCL + burst + 2 - tWL", machine);
	bench_free(&b);

	b = bench_new(machine, options);
	k = b.k;
	write_at(&b, 1, 5, 0, 1);
	read_at(&b, 1, 5, 1);
	read_at(&b, 1, 9, 1);
	run(&b, 700);
	is_u64(nth(&b, 'R', 0) - last(&b, 'W', UINT64_MAX), WTR(k),
	       "%s: write to read: tWL + burst + tCDLR", machine);
	bench_free(&b);

	b = bench_new(machine, options);
	k = b.k;
	write_at(&b, 1, 5, 0, 1);
	read_at(&b, 1, 9, 0);
	run(&b, 700);
	is_u64(nth(&b, 'P', 0), MAX(nth(&b, 'A', 0) + k->tRAS, last(&b, 'W', UINT64_MAX) + WTP(k)),
	       "%s: write to precharge: tWL + burst + tWR", machine);
	bench_free(&b);
}

static void
first_ready(const char *machine)
{
	struct bench b = bench_new(machine, NULL);
	uint32_t h[6];
	static const unsigned row[6] = {1, 2, 1, 3, 2, 1}, want[6] = {0, 2, 5, 1, 4, 3};
	bool same = true;

	for (unsigned i = 0; i < 6; i++)
		h[i] = read_at(&b, 3, row[i], i);
	run(&b, 1500);
	is_u64(b.log->n_done, 6, "%s: six reads of three rows of a bank come back", machine);
	for (unsigned i = 0; i < 6; i++)
		same &= b.log->done[i] == h[want[i]];
	ok(same, "%s: those of the open row first, then the oldest", machine);
	is_u64(b.e->c->st.activates, 3, "%s: each row is opened once", machine);
	is_u64(b.e->c->st.row_hits, 3, "%s: three found it open", machine);
	bench_free(&b);
}

static const char *const fcfs[] = {"mem.dram_sched", "fcfs", NULL};

/* With fcfs it does not matter which row is open. */
static void
first_come(const char *machine)
{
	struct bench b = bench_new(machine, fcfs);
	uint32_t h[6];
	static const unsigned row[6] = {1, 2, 1, 3, 3, 1};
	bool same = true;

	for (unsigned i = 0; i < 6; i++)
		h[i] = read_at(&b, 3, row[i], i);
	run(&b, 2000);
	is_u64(b.log->n_done, 6, "%s, fcfs: six reads of three rows of a bank come back", machine);
	for (unsigned i = 0; i < 6; i++)
		same &= b.log->done[i] == h[i];
	ok(same, "%s, fcfs: in the order in which they came", machine);
	is_u64(b.e->c->st.activates, 5, "%s, fcfs: each change of row opens one", machine);
	is_u64(b.e->c->st.row_hits, 1, "%s, fcfs: one found its row open", machine);
	bench_free(&b);
}

/* Three reads, the first two of bank 1. By hand, with the times of kayiran30 (latency line 100,
 * tRCD 12, tCCD 2, tRRD 8, tRAS 25, tRP 10, tRC 35, two column commands a sector): the first opens
 * its row in 101 and has its last column in 115, so the second has the bank from 116 on and waits
 * for tRAS until 126. With fcfs the third, to bank 2, is the oldest only then and opens its row in
 * 117; with frfcfs it does so in 109, tRRD behind the first. */
static void
behind_a_busy_bank(void)
{
	static const struct cmd want[2][10] = {
		{{'A', 1, 101},
		 {'A', 2, 109},
		 {'R', 1, 113},
		 {'R', 1, 115},
		 {'R', 2, 121},
		 {'R', 2, 123},
		 {'P', 1, 126},
		 {'A', 1, 136},
		 {'R', 1, 148},
		 {'R', 1, 150}},
		{{'A', 1, 101},
		 {'R', 1, 113},
		 {'R', 1, 115},
		 {'A', 2, 117},
		 {'P', 1, 126},
		 {'R', 2, 129},
		 {'R', 2, 131},
		 {'A', 1, 136},
		 {'R', 1, 148},
		 {'R', 1, 150}},
	};

	for (unsigned m = 0; m < 2; m++) {
		struct bench b = bench_new("kayiran30", m ? fcfs : NULL);
		unsigned wrong = 0;

		read_at(&b, 1, 1, 0);
		read_at(&b, 1, 2, 0);
		read_at(&b, 2, 1, 0);
		run(&b, 400);
		is_u64(b.log->n, 10, "%s: three reads take ten commands", m ? "fcfs" : "frfcfs");
		for (unsigned i = 0; i < 10; i++) {
			const struct cmd *is = &b.log->c[i], *w = &want[m][i];

			if (is->what == w->what && is->bank == w->bank && is->x == w->x)
				continue;
			wrong++;
			diag("command %u: %c of bank %u in %" PRIu64
			     ", by hand %c of %u in %" PRIu64,
			     i, is->what, is->bank, is->x, w->what, w->bank, w->x);
		}
		is_u64(wrong, 0, "%s: in the cycles computed by hand", m ? "fcfs" : "frfcfs");
		bench_free(&b);
	}
}

/* A window of four activates, which no machine has, adds one more distance. */
static void
activate_window(const char *machine, bool lazy)
{
	struct bench b = bench_new(machine, NULL);
	unsigned bad = 0, tight = 0, n = 0;

	dram_timing_add(b.e->timing, b.k, DRAM_ACTIVATE, DRAM_ACTIVATE, DRAM_CHANNEL, 4, 150);
	b.lazy = lazy;
	for (unsigned i = 0; i < 40; i++)
		read_at(&b, i % b.k->banks, i, 0);
	run(&b, 4000);
	for (unsigned i = 0; i < b.log->n; i++)
		n += b.log->c[i].what == 'A';
	for (unsigned i = 4; i < n; i++) {
		uint64_t gap = nth(&b, 'A', i) - nth(&b, 'A', i - 4);

		bad += gap < 150;
		tight += gap == 150;
	}
	ok(n == 40 && b.log->n_done == 40 && !bad && tight > 30,
	   "%s: %u of %u activates come exactly 150 cycles behind the fourth before, none sooner%s",
	   machine, tight, n, lazy ? "; visited only when it asks" : "");
	ok(nth(&b, 'A', 3) - nth(&b, 'A', 0) < 150, "%s: the first four do not wait", machine);
	bench_free(&b);
}

static void
credits(const char *machine)
{
	static const char *const few[] = {"mem.sched_queue", "6", "mem.return_queue", "3", NULL};
	struct bench b = bench_new(machine, few);
	unsigned most = b.k->sched_queue + b.k->return_queue - (b.k->slices - 1) + 1;

	for (unsigned i = 0; i < 60; i++)
		read_at(&b, i % b.k->banks, i / 7, i);
	run(&b, 6000);
	is_u64(b.log->n_done, 60, "%s: with few credits 60 reads come back as well", machine);
	is_u64(b.log->most_inside, most,
	       "%s: but never more than 1 + the shared credits are in the channel: %u", machine,
	       most);
	ok(!b.e->c->uses_own_credit && !b.e->c->in_channel, "%s: all credits are back", machine);
	bench_free(&b);
}

static const char *const write_queue[] = {"mem.write_queue",
					  "8",
					  "mem.write_high",
					  "4",
					  "mem.write_low",
					  "2",
					  "mem.dram_latency",
					  "1",
					  NULL};

/* Writes in their own queue wait for three others, and after that not for any read. */
static void
writes_wait(const char *machine)
{
	struct bench b = bench_new(machine, write_queue);
	unsigned per = (SECTOR + b.k->atom - 1) / b.k->atom;

	for (unsigned i = 0; i < 3; i++)
		write_at(&b, i, 5, 0, 1);
	run(&b, 500);
	is_u64(b.e->c->st.writes, 0, "%s, write queue: three writes wait for a fourth", machine);
	read_at(&b, 1, 6, 0);
	run(&b, 500);
	is_u64(b.log->n_done, 1, "%s, write queue: a read does not wait for them", machine);
	write_at(&b, 3, 5, 0, 1);
	run(&b, 500);
	is_u64(b.e->c->st.writes, 3 * per,
	       "%s, write queue: the fourth starts three: fewer than two wait then", machine);
	is_u64(channel_waiting(b.e), 1, "%s, write queue: the last one waits again", machine);
	bench_free(&b);
}

/* Four writes go to four banks; the third leaves one waiting. A fifth that arrives in the next
 * cycle still finds the channel writing, and the fourth is served; one that comes later does not.
 */
static void
late_write(const char *machine, bool lazy)
{
	static const unsigned served[] = {4, 4, 4, 3, 3};

	for (unsigned k = 0; k < ARRAY_LEN(served); k++) {
		struct bench b = bench_new(machine, write_queue);
		unsigned per = (SECTOR + b.k->atom - 1) / b.k->atom;

		b.lazy = lazy;
		for (unsigned i = 0; i < 4; i++)
			write_at(&b, i, 5, 0, 1);
		run(&b, 4 + k);
		write_at(&b, 0, 6, 0, 1);
		run(&b, 500);
		is_u64(b.e->c->st.writes, served[k] * per,
		       "%s, write queue: a fifth write %u cycles after the fourth%s", machine,
		       k + 1, lazy ? "; visited only when it asks" : "");
		bench_free(&b);
	}
}

/* A bank returns to the row whose reads it had begun, although writes have opened another row. */
static void
bank_keeps_its_row(const char *machine)
{
	struct bench b = bench_new(machine, write_queue);
	static const unsigned row[5] = {9, 1, 2, 1, 1}, want[5] = {0, 1, 3, 4, 2};
	uint32_t h[5];
	bool same = true;

	for (unsigned i = 0; i < 5; i++)
		h[i] = read_at(&b, 1, row[i], i);
	while (!b.e->c->bank[1].keeps[DRAM_READS])
		tick(&b);
	is_u64(b.log->n_done, 0, "%s, write queue: the first of row 1 is served", machine);
	for (unsigned i = 0; i < 4; i++)
		write_at(&b, 1, 2, i, 1);
	run(&b, 1500);
	is_u64(b.log->n_done, 5, "%s, write queue: five reads come back", machine);
	for (unsigned i = 0; i < 5; i++)
		same &= b.log->done[i] == h[want[i]];
	ok(same && last(&b, 'W', UINT64_MAX) < b.log->done_x[2],
	   "%s, write queue: the others of row 1 before that of row 2, which writes have opened",
	   machine);
	bench_free(&b);
}

/* ---------------------------------------------------------------- random traffic */

static unsigned
too_close(const struct bench *b)
{
	const struct mem_cfg *k = b->k;
	const struct log *l = b->log;
	unsigned bad = 0;

	for (unsigned i = 0; i < l->n; i++)
		for (unsigned j = i + 1; j < l->n && l->c[j].x < l->c[i].x + 256; j++) {
			const struct cmd *p = &l->c[i], *q = &l->c[j];
			bool bank = p->bank == q->bank,
			     group = p->bank % k->bank_groups == q->bank % k->bank_groups;
			bool col = (p->what == 'R' || p->what == 'W') &&
				   (q->what == 'R' || q->what == 'W');
			uint64_t gap = q->x - p->x, need = 0;

			if (col)
				need = MAX(k->tCCD, group ? k->tCCDL : 0);
			if (p->what == 'W' && q->what == 'R')
				need = MAX(need, WTR(k));
			if (p->what == 'R' && q->what == 'W')
				need = MAX(need, RTW(k));
			if (p->what == 'A' && q->what == 'A')
				need = MAX(k->tRRD, bank ? k->tRC : 0);
			if (bank && p->what == 'A')
				need = MAX(need, q->what == 'R'	  ? k->tRCD
						 : q->what == 'P' ? k->tRAS
						 : q->what == 'W' && k->tRCD > k->tWL + 1
							 ? k->tRCD - k->tWL - 1
							 : 0);
			if (bank && q->what == 'P')
				need = MAX(need, p->what == 'W'	  ? WTP(k)
						 : p->what == 'R' ? k->burst
								  : 0);
			if (group && p->what == 'R' && q->what == 'P')
				need = MAX(need, k->tRTPL);
			if (bank && p->what == 'P' && q->what == 'A')
				need = MAX(need, k->tRP);
			if (gap < need && !bad++)
				diag("%c bank %u at %" PRIu64 ", %c bank %u at %" PRIu64
				     ", needs %" PRIu64,
				     p->what, p->bank, p->x, q->what, q->bank, q->x, need);
		}
	return bad;
}

static void
at_random(const char *machine, const char *const *options)
{
	struct bench b[2];
	unsigned asked[2] = {0};

	for (unsigned m = 0; m < 2; m++) {
		uint32_t seed = 99;

		b[m] = bench_new(machine, options);
		b[m].lazy = m;
		for (unsigned i = 0; i < 30000; i++) {
			unsigned v = (seed = seed * 1664525 + 1013904223) >> 8;

			if (i < 20000 && v % (i / 2500 % 2 ? 5 : 23) == 0 &&
			    b[m].e->slice->slice->to_dram.n < 8 &&
			    b[m].e->slice->mshr->state->used < 128) {
				unsigned bank = v >> 5 & (b[m].k->banks - 1), row = v >> 10 & 3,
					 column = v >> 12 & 7;

				if (v >> 4 & 1 && i > 5000)
					write_at(&b[m], bank, row, column, 1 + (v >> 14 & 2));
				else
					asked[m]++, read_at(&b[m], bank, row,
							    column + 8 * (asked[m] & 15));
			}
			tick(&b[m]);
		}
		is_u64(b[m].log->n_done, asked[m], "%s: %u random reads come back%s", machine,
		       asked[m], m ? ", visited only when it asks" : "");
	}
	is_u64(too_close(&b[0]), 0, "%s: %u commands keep every distance to each other", machine,
	       b[0].log->n);
	ok(b[0].log->n == b[1].log->n &&
		   !memcmp(b[0].log->c, b[1].log->c, b[0].log->n * sizeof(struct cmd)),
	   "%s: visited only when it asks to be, the same commands in the same cycles", machine);
	ok(b[0].log->n > 2000 && nth(&b[0], 'W', 100), "%s: reads and writes enough", machine);
	bench_free(&b[0]);
	bench_free(&b[1]);
}

int
main(void)
{
	static const char *const odd[] = {"mem.tCL",  "9",  "mem.tRCD", "13", "mem.tRAS",  "31",
					  "mem.tRP",  "11", "mem.tRC",	"47", "mem.tRRD",  "5",
					  "mem.tCCD", "3",  "mem.tWL",	"5",  "mem.tCDLR", "7",
					  "mem.tWR",  "8",  NULL};

	for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
		if (m >= N_MODEL_FIRST && strcmp(model_machines[m], "onac32") != 0)
			continue; /* the others have the same kind of channels */
		single(model_machines[m], NULL);
		single(model_machines[m], odd);
		first_ready(model_machines[m]);
		first_come(model_machines[m]);
		activate_window(model_machines[m], false);
		activate_window(model_machines[m], true);
		credits(model_machines[m]);
		at_random(model_machines[m], NULL);
		at_random(model_machines[m], fcfs);
		writes_wait(model_machines[m]);
		late_write(model_machines[m], false);
		late_write(model_machines[m], true);
		bank_keeps_its_row(model_machines[m]);
		at_random(model_machines[m], write_queue);
	}
	behind_a_busy_bank();
	six_banks();
	return done();
}
