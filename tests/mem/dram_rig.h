/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dram_rig.h - one DRAM channel driven by hand: the test queues requests where its slices do, and a
 * log records the commands that it issues.
 */
#ifndef TESTS_MEM_DRAM_RIG_H
#define TESTS_MEM_DRAM_RIG_H

#include "mem/mem_part.h"
#include "tests/tap.h"
#include "tests/mem/rig.h"

struct cmd {
	char what; /* A, P, R, W */
	unsigned bank;
	uint64_t x;
};

struct log {
	struct cmd c[20000];
	unsigned n;
	uint32_t done[4096]; /* handles in the order of their completion */
	uint64_t done_x[4096], done_addr[4096];
	unsigned n_done, most_inside;
};

struct bench {
	struct rig r;
	struct channel_env *e;
	const struct mem_cfg *k;
	uint64_t x;
	uint64_t next, due;
	bool lazy; /* visited only when it asks to be */
	struct log *log;
};

static inline struct bench
bench_new(const char *machine, const char *const *options)
{
	struct bench b = {.r = rig_new(machine, options)};

	b.e = &b.r.s->channel[0];
	b.k = &b.r.s->cfg->mem;
	b.due = CYCLE_NEVER;
	b.log = calloc(1, sizeof(*b.log));
	return b;
}

static inline void
bench_free(struct bench *b)
{
	free(b->log);
	rig_free(&b->r);
}

static inline uint32_t
read_at(struct bench *b, unsigned bank, unsigned row, unsigned column)
{
	struct slice_env *s = b->e->slice;
	uint32_t entry = mshr_take(s->mshr, rig_address(&b->r, bank, row, column));

	slice_push_to_dram(s, entry);
	b->next = b->x;
	return entry;
}

static inline void
write_at(struct bench *b, unsigned bank, unsigned row, unsigned column, unsigned sectors)
{
	uint32_t i = rig_request(&b->r, REQ_WRBK, rig_address(&b->r, bank, row, column), sectors,
				 UINT32_MAX);

	b->r.s->req[i].left = 1;
	slice_push_to_dram(b->e->slice, HANDLE_WRITE | i);
	b->next = b->x;
}

static inline void
command(struct log *l, char what, unsigned bank, uint64_t x)
{
	if (l->n < ARRAY_LEN(l->c))
		l->c[l->n++] = (struct cmd){what, bank, x};
}

/* Returns the bank of a column command: the one whose current request lost a command, or left. */
static inline unsigned
column_bank(const struct channel *was, const struct channel *is, unsigned banks)
{
	for (unsigned j = 0; j < banks; j++) {
		const struct dram_bank *a = &was->bank[j], *b = &is->bank[j];

		if (a->cur != DRAM_NONE &&
		    (b->cur != a->cur || is->r[b->cur].columns < was->r[a->cur].columns))
			return j;
	}
	/* scheduled and commanded in the same cycle */
	for (unsigned j = 0; j < banks; j++) {
		unsigned first = was->late.head;
		const struct dram_bank *a = &was->bank[j], *b = &is->bank[j];

		unsigned came =
			first != DRAM_NONE && is->late.head != first && is->r[first].bank == j;

		if (a->cur == DRAM_NONE && b->cur == DRAM_NONE && b->n + 1u == a->n + came)
			return j;
	}
	for (unsigned j = 0; j < banks; j++)
		if (was->bank[j].cur == DRAM_NONE && is->bank[j].cur != DRAM_NONE)
			return j;
	return banks;
}

static inline void
tick(struct bench *b)
{
	static struct channel was;
	struct channel *c = b->e->c;
	struct slice_env *s = b->e->slice;

	if (!b->lazy || b->x >= b->next || b->x >= b->due) {
		was = *c;
		b->next = channel_tick(b->e, b->x, b->x, b->x - (b->x != 0), &b->due);
		if (b->due <= b->x)
			b->due = CYCLE_NEVER;
		for (unsigned j = 0; j < b->k->banks; j++) {
			if (!was.bank[j].open && c->bank[j].open)
				command(b->log, 'A', j, b->x);
			if (was.bank[j].open && !c->bank[j].open)
				command(b->log, 'P', j, b->x);
		}
		if (c->st.reads != was.st.reads)
			command(b->log, 'R', column_bank(&was, c, b->k->banks), b->x);
		if (c->st.writes != was.st.writes)
			command(b->log, 'W', column_bank(&was, c, b->k->banks), b->x);
	}
	b->log->most_inside = MAX(b->log->most_inside, c->in_channel);
	while (s->slice->from_dram.n) { /* L2 takes it at once */
		uint32_t entry = ring_pop(&s->slice->from_dram, s->from_dram);

		b->log->done[b->log->n_done] = entry;
		b->log->done_addr[b->log->n_done] = s->mshr->entry[entry].addr;
		b->log->done_x[b->log->n_done++] = b->x;
		mshr_add(s->mshr, entry, 0);
		mshr_mark_ready(s->mshr, entry);
		mshr_next_ready(s->mshr);
	}
	b->x++;
}

static inline void
run(struct bench *b, unsigned cycles)
{
	while (cycles--)
		tick(b);
}

/* Returns the cycle of the n-th command of a kind (0: the first). */
static inline uint64_t
nth(const struct bench *b, char what, unsigned n)
{
	for (unsigned i = 0; i < b->log->n; i++)
		if (b->log->c[i].what == what && n-- == 0)
			return b->log->c[i].x;
	return 0;
}

static inline uint64_t
last(const struct bench *b, char what, uint64_t before)
{
	uint64_t x = 0;

	for (unsigned i = 0; i < b->log->n; i++)
		if (b->log->c[i].what == what && b->log->c[i].x < before)
			x = b->log->c[i].x;
	return x;
}

#endif
