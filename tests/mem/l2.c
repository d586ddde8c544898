/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * l2.c - one L2 slice driven by hand (ctascope-model(7) 9): what a look-up does in each state of a
 * sector, what goes to DRAM and in which order, and what comes back.
 *
 * The test acts as network and DRAM: it pushes requests into the slice's input, takes sectors from
 * its reply queue, and answers DRAM reads at any time.
 */
#include "mem/mem_part.h"
#include "tests/tap.h"
#include "tests/mem/rig.h"

struct bench {
	struct rig r;
	struct slice_env *e;
	cycle_t now, before;
	uint32_t reply[256]; /* tokens in order */
	cycle_t reply_at[256];
	unsigned n_reply;
	uint32_t dram[256]; /* handles in order */
	cycle_t dram_at[256];
	unsigned n_dram, answered;
};

/* 4 sets of 2 ways of 128 bytes, so that evictions happen soon; none of the sets is hashed. */
static const char *const small[] = {"l2.sets",
				    "4",
				    "l2.assoc",
				    "2",
				    "l2.line",
				    "128",
				    "l1d.line",
				    "64",
				    "mem.rop_latency",
				    "5",
				    "ldst.sectored",
				    "off",
				    "ldst.unified",
				    "0",
				    "l2.poly_hash",
				    "off",
				    "mem.slice_hash",
				    "off",
				    NULL};

static struct bench *
bench_with(const char *machine, const char *const *options)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->r = rig_new(machine, options);
	b->e = &b->r.s->slice[0];
	return b;
}

static struct bench *
bench_new(const char *machine)
{
	return bench_with(machine, small);
}

/* The same with one quirk of the reference switched. */
static struct bench *
bench_odd(const char *machine, const char *oddity, bool on)
{
	const char *options[ARRAY_LEN(small) + 2] = {oddity, on ? "on" : "off"};

	memcpy(options + 2, small, sizeof(small));
	return bench_with(machine, options);
}

static void
bench_free(struct bench *b)
{
	rig_free(&b->r);
	free(b);
}

static void
tick(struct bench *b)
{
	slice_tick(b->e, b->now, b->before, b->e->request.q->n != 0);
	b->before = b->now;
	while (b->e->slice->to_dram.n) {
		b->dram_at[b->n_dram] = b->now;
		b->dram[b->n_dram++] = ring_pop(&b->e->slice->to_dram, b->e->to_dram);
	}
	while (b->e->slice->reply.n) {
		b->reply_at[b->n_reply] = b->now;
		b->reply[b->n_reply++] = slice_pop_reply(b->e);
	}
	b->now++;
}

static void
run(struct bench *b, unsigned n)
{
	while (n--)
		tick(b);
}

/* Line n of a set of this slice: sets are 4 lines apart in the slice's own addresses. */
static uint64_t
line_of(struct bench *b, unsigned set, unsigned n)
{
	uint64_t a = 0;

	for (unsigned seen = 0;; a += 128) {
		uint64_t local;

		if (addr_route(&b->r.s->map, a, &local) != 0 ||
		    tags_set(b->e->tags, addr_l2_index(&b->r.s->map, local)) != set)
			continue;
		if (seen++ == n)
			return a;
	}
}

static uint32_t
send(struct bench *b, enum req_kind kind, uint64_t line, unsigned sectors, uint32_t bytes)
{
	uint32_t i = rig_request(&b->r, kind, line, sectors, bytes);

	port_push(&b->e->request, i);
	return i;
}

/* DRAM answers all reads that it has received so far. */
static void
answer(struct bench *b)
{
	for (; b->answered < b->n_dram; b->answered++)
		if (!(b->dram[b->answered] & HANDLE_WRITE))
			ring_push(&b->e->slice->from_dram, b->e->from_dram, b->dram[b->answered]);
}

static unsigned
writes_to_dram(const struct bench *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->n_dram; i++)
		n += (b->dram[i] & HANDLE_WRITE) != 0;
	return n;
}

static void
hit_and_miss(const char *machine)
{
	struct bench *b = bench_new(machine);
	uint64_t line = line_of(b, 1, 0);
	uint32_t q = send(b, REQ_LINE, line, 0xf, 0);
	cycle_t first;

	run(b, 20);
	is_u64(b->n_dram, 4, "%s: a read of a line that is not there asks DRAM for 4 sectors",
	       machine);
	is_u64(b->dram_at[3] - b->dram_at[0], 3, "%s: one per cycle", machine);
	is_u64(b->dram_at[0], b->r.cfg->mem.rop_latency + 2, "%s: ROP delay, look-up, miss queue",
	       machine);
	is_u64(b->n_reply, 0, "%s: no reply yet", machine);
	first = b->now;
	answer(b);
	run(b, 10);
	is_u64(b->n_reply, 4, "%s: four sectors are answered", machine);
	is_u64(b->reply_at[0], first + 1, "%s: the cycle after the fill", machine);
	ok(b->reply[0] == req_token(q, 0) && b->reply[3] == req_token(q, 3),
	   "%s: with their tokens", machine);
	q = send(b, REQ_LINE, line, 0xf, 0);
	first = b->now;
	run(b, 20);
	is_u64(b->n_reply, 8, "%s: the next read hits", machine);
	is_u64(b->reply_at[4] - first, b->r.cfg->mem.rop_latency + 1, "%s: ROP delay, look-up",
	       machine);
	is_u64(b->n_dram, 4, "%s: and asks DRAM for nothing", machine);
	is_u64(b->e->slice->st.accesses, 8, "%s: 8 look-ups", machine);
	is_u64(b->e->slice->st.misses, 4, "%s: 4 misses", machine);
	bench_free(b);
}

static void
merge(const char *machine)
{
	struct bench *b = bench_new(machine);
	uint64_t line = line_of(b, 1, 0);
	unsigned most = b->r.cfg->l2.merge;

	for (unsigned i = 0; i < most + 1; i++)
		send(b, REQ_BYPASS, line, 1, 0);
	run(b, 30);
	is_u64(b->n_dram, 1, "%s: reads of a sector on its way ask once", machine);
	is_u64(b->e->slice->st.pending, most - 1, "%s: %u wait for it", machine, most - 1);
	ok(b->e->slice->st.fails > 0, "%s: one more than the entry holds is retried", machine);
	answer(b);
	run(b, 20);
	is_u64(b->n_reply, most + 1, "%s: all are answered", machine);
	bench_free(b);
}

static void
writes(const char *machine)
{
	struct bench *b = bench_new(machine);
	uint64_t line = line_of(b, 2, 0);

	send(b, REQ_WRITE, line, 0xf, UINT32_MAX);
	run(b, 20);
	is_u64(b->n_reply, 4, "%s: a write is acknowledged sector by sector", machine);
	is_u64(b->n_dram, 0, "%s: and fetches nothing", machine);
	send(b, REQ_LINE, line, 0xf, 0);
	run(b, 20);
	is_u64(b->n_reply, 8, "%s: what was written whole can be read", machine);
	is_u64(b->n_dram, 0, "%s: without DRAM", machine);

	line = line_of(b, 3, 0);
	send(b, REQ_WRITE, line, 1, 0xff);
	run(b, 20);
	is_u64(b->n_reply, 9, "%s: a write of 8 bytes is acknowledged", machine);
	send(b, REQ_BYPASS, line, 1, 0);
	run(b, 20);
	is_u64(b->n_dram, 1, "%s: reading that sector fetches the rest", machine);
	is_u64(b->n_reply, 9, "%s: and waits for it", machine);
	answer(b);
	run(b, 20);
	is_u64(b->n_reply, 10, "%s: then it is answered", machine);
	send(b, REQ_WRITE, line, 2, 0xffff);
	send(b, REQ_WRITE, line, 2, 0xffff0000u);
	send(b, REQ_BYPASS, line, 2, 0);
	run(b, 30);
	is_u64(b->n_reply, 13, "%s: two halves written make a readable sector", machine);
	is_u64(b->n_dram, 1, "%s: without DRAM", machine);
	bench_free(b);
}

static void
write_backs(const char *machine)
{
	struct bench *b = bench_new(machine);
	uint32_t handle;
	unsigned before;
	cycle_t ack;

	/* a dirty line with 3 modified sectors and a clean one fill the set */
	send(b, REQ_WRITE, line_of(b, 1, 0), 7, UINT32_MAX);
	send(b, REQ_LINE, line_of(b, 1, 1), 0xf, 0);
	run(b, 30);
	answer(b);
	run(b, 10);
	before = b->n_dram;
	send(b, REQ_BYPASS, line_of(b, 1, 2), 1, 0);
	run(b, 20);
	is_u64(b->n_dram, before + 2, "%s: a read miss over a dirty line: a read and a write-back",
	       machine);
	ok(!(b->dram[before] & HANDLE_WRITE) && b->dram[before + 1] & HANDLE_WRITE,
	   "%s: the write-back goes behind the read", machine);
	handle = b->dram[before + 1] & ~HANDLE_WRITE;
	is_u64(b->r.s->req[handle].addr, line_of(b, 1, 0), "%s: it is the least recently used line",
	       machine);
	is_u64(b->r.s->req[handle].sectors, 7, "%s: with its modified sectors", machine);
	is_u64(b->r.s->req[handle].kind, REQ_WRBK, "%s: as a write-back", machine);
	is_u64(b->e->slice->port_busy, 0, "%s: a read miss costs no time at the data port",
	       machine);
	answer(b);
	run(b, 10);

	/* a write miss over a dirty line keeps the port busy, one cycle per modified sector */
	send(b, REQ_WRITE, line_of(b, 2, 0), 0xf, UINT32_MAX);
	send(b, REQ_WRITE, line_of(b, 2, 1), 0xf, UINT32_MAX);
	run(b, 30);
	before = b->n_reply;
	send(b, REQ_WRITE, line_of(b, 2, 2), 1, UINT32_MAX);
	send(b, REQ_BYPASS, line_of(b, 1, 1), 1, 0); /* a hit, right behind */
	run(b, 40);
	ack = b->reply_at[before];
	is_u64(b->n_reply, before + 2, "%s: both are answered", machine);
	is_u64(b->reply_at[before + 1] - ack, 4,
	       "%s: a write miss over 4 modified sectors holds up the next look-up", machine);
	is_u64(writes_to_dram(b), 2, "%s: and makes the second write-back", machine);
	bench_free(b);
}

/* All ways of a set wait for DRAM: the next miss there is retried, and blocks the requests after
 * it. */
static void
reserved(const char *machine)
{
	struct bench *b = bench_new(machine);
	unsigned before;

	send(b, REQ_BYPASS, line_of(b, 0, 9), 1, 0); /* for a later hit */
	run(b, 20);
	answer(b);
	run(b, 10);
	for (unsigned i = 0; i < 3; i++)
		send(b, REQ_BYPASS, line_of(b, 1, i), 1, 0);
	send(b, REQ_BYPASS, line_of(b, 0, 9), 1, 0);
	before = b->n_reply;
	run(b, 40);
	is_u64(b->n_dram, 3, "%s: two misses of a set of two ways are sent, the third is not",
	       machine);
	is_u64(b->n_reply, before, "%s: a hit behind it waits", machine);
	answer(b);
	run(b, 30);
	is_u64(b->n_dram, 4, "%s: with a way free again it is", machine);
	is_u64(b->n_reply, before + 3, "%s: the two and the hit are answered", machine);
	bench_free(b);
}

static void
atomics(const char *machine)
{
	struct bench *b = bench_new(machine);
	unsigned before;

	send(b, REQ_ATOMIC, line_of(b, 1, 0), 1, 0xf);
	run(b, 20);
	is_u64(b->n_dram, 1, "%s: an atomic reads its sector", machine);
	answer(b);
	run(b, 10);
	is_u64(b->n_reply, 1, "%s: and is answered", machine);
	send(b, REQ_LINE, line_of(b, 1, 1), 0xf, 0);
	run(b, 20);
	answer(b);
	run(b, 20);
	before = writes_to_dram(b);
	send(b, REQ_LINE, line_of(b, 1, 2), 1, 0);
	run(b, 20);
	is_u64(writes_to_dram(b), before + 1, "%s: its sector is modified: it is written back",
	       machine);
	bench_free(b);
}

static void
warm(const char *machine)
{
	struct bench *b = bench_new(machine);
	uint64_t line = line_of(b, 3, 1);

	slice_warm(b->e, line, 0);
	slice_warm(b->e, line + 32, 0);
	send(b, REQ_LINE, line, 3, 0);
	run(b, 20);
	is_u64(b->n_reply, 2, "%s: sectors a copy placed are hits", machine);
	is_u64(b->n_dram, 0, "%s: DRAM is not asked", machine);
	bench_free(b);
}

/* What the slice holds of a sector, whatever slice the line's address belongs to. */
static unsigned
holds(struct bench *b, uint64_t line, unsigned sector)
{
	uint64_t local;
	uint32_t index;

	addr_route(&b->r.s->map, line, &local);
	if (tags_probe(b->e->tags, tags_set(b->e->tags, addr_l2_index(&b->r.s->map, local)), line,
		       sector, true, &index) == PROBE_MISS)
		return SEC_INVALID;
	return line_sector(&b->e->tags->lines[index], sector);
}

/* Stores to every possible set of sectors, on a line whose next one belongs to this slice and on
 * one whose next one does not: checks where they go. */
static void
upper_half(const char *machine, bool on)
{
	static const uint8_t sectors[] = {1, 2, 4, 8, 3, 15, 12};
	unsigned wrong = 0, acks = 0;

	for (unsigned i = 0; i < 2 * ARRAY_LEN(sectors); i++) {
		struct bench *b = bench_odd(machine, "mem.upper_half_next", on);
		unsigned set = sectors[i / 2];
		bool moved = on && set == 12;
		bool every = b->r.s->map.slices == 1 || b->r.s->map.slice_bit > 7;
		uint64_t line = every ? i % 2 * 128 : 0,
			 local; /* otherwise all such lines are in other slices */

		while (addr_route(&b->r.s->map, line, &local) != 0)
			line += 256;
		send(b, REQ_WRITE, line, set, UINT32_MAX);
		run(b, 20);
		acks += b->n_reply;
		for (unsigned k = 0; k < 4; k++) {
			unsigned want = set >> k & 1 ? SEC_MODIFIED : SEC_INVALID;

			wrong += holds(b, line, k) != (moved ? SEC_INVALID : want);
			wrong += holds(b, line + 128, k) != (moved ? want : SEC_INVALID);
		}
		bench_free(b);
	}
	is_u64(wrong, 0, "%s: %s", machine,
	       on ? "a store of the upper half lands in the next line, others where they should"
		  : "stores land where they should");
	is_u64(acks, 2 * (1 + 1 + 1 + 1 + 2 + 4 + 2), "%s: each sector is acknowledged", machine);
}

/* A copy onto a line that the slice holds: the older of two modified lines. */
static void
copy_onto(const char *machine, bool on)
{
	struct bench *b = bench_odd(machine, "mem.memcpy_cleans", on);
	uint64_t old = line_of(b, 1, 0), young = line_of(b, 1, 1), next = line_of(b, 1, 2);
	unsigned out = on ? 0 : 1; /* which line the next miss displaces */
	uint64_t gone[] = {old, young};

	send(b, REQ_WRITE, old, 3, UINT32_MAX);
	run(b, 20);
	send(b, REQ_WRITE, young, 1, UINT32_MAX);
	run(b, 20);
	slice_warm(b->e, old, b->now);
	is_u64(holds(b, old, 0), on ? SEC_VALID : SEC_MODIFIED, "%s: what a copy lands on is %s",
	       machine, on ? "clean" : "modified still");
	is_u64(holds(b, old, 1), SEC_MODIFIED, "%s: the sector beside it is modified", machine);
	slice_warm(b->e, old + 32, b->now);
	send(b, REQ_BYPASS, next, 1, 0);
	run(b, 20);
	is_u64(holds(b, gone[out], 0), SEC_INVALID, "%s: the copy %s a use", machine,
	       on ? "was no" : "was");
	ok(holds(b, gone[!out], 0) != SEC_INVALID, "%s: the other line stays", machine);
	is_u64(writes_to_dram(b), !on, "%s: what is clean is not written back", machine);
	bench_free(b);
}

/* What the channel brings unasked (mem.row_prefetch): a sector that nobody reads meanwhile, and one
 * that a core does read. */
static void
unasked(const char *machine)
{
	struct bench *b = bench_new(machine);
	uint64_t line = line_of(b, 1, 0);
	unsigned used = b->e->mshr->state->used, entry[2];

	for (unsigned k = 0; k < 2; k++) {
		entry[k] = slice_reserve(b->e, line, k, b->now);
		ok(entry[k] != MSHR_NONE && slice_reserve(b->e, line, k, b->now) == MSHR_NONE,
		   "%s: a sector is reserved, and that once", machine);
	}
	send(b, REQ_BYPASS, line, 2, 0);
	run(b, 20);
	is_u64(b->n_dram, 0, "%s: a read of one on its way asks DRAM for nothing", machine);
	is_u64(b->e->slice->st.pending, 1, "%s: it waits for it", machine);
	for (unsigned k = 0; k < 2; k++)
		ring_push(&b->e->slice->from_dram, b->e->from_dram, entry[k]);
	run(b, 20);
	is_u64(b->n_reply, 1, "%s: and is answered", machine);
	ok(holds(b, line, 0) == SEC_VALID && holds(b, line, 1) == SEC_VALID,
	   "%s: both sectors are there", machine);
	is_u64(b->e->mshr->state->used, used, "%s: the entries are free again", machine);
	ok(slice_reserve(b->e, line, 0, b->now) == MSHR_NONE, "%s: what is there is not reserved",
	   machine);
	send(b, REQ_BYPASS, line, 1, 0);
	run(b, 20);
	is_u64(b->n_reply, 2, "%s: the other one is a hit", machine);
	is_u64(b->e->slice->st.misses, 0, "%s: no miss", machine);
	bench_free(b);
}

/* A place for it is made as for any miss: a modified line goes to DRAM. */
static void
unasked_evicts(const char *machine)
{
	struct bench *b = bench_new(machine);

	for (unsigned n = 0; n < 2; n++) {
		send(b, REQ_WRITE, line_of(b, 1, n), 1, UINT32_MAX);
		run(b, 20);
	}
	ok(slice_reserve(b->e, line_of(b, 1, 2), 0, b->now) != MSHR_NONE,
	   "%s: a place is made for what nobody asked for", machine);
	run(b, 20);
	is_u64(writes_to_dram(b), 1, "%s: the older line, modified, is written back", machine);
	is_u64(holds(b, line_of(b, 1, 0), 0), SEC_INVALID, "%s: and gone", machine);
	bench_free(b);
}

int
main(void)
{
	for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
		hit_and_miss(model_machines[m]);
		merge(model_machines[m]);
		writes(model_machines[m]);
		write_backs(model_machines[m]);
		reserved(model_machines[m]);
		atomics(model_machines[m]);
		warm(model_machines[m]);
		unasked(model_machines[m]);
		unasked_evicts(model_machines[m]);
		for (unsigned on = 0; on < 2; on++) {
			upper_half(model_machines[m], on);
			copy_onto(model_machines[m], on);
		}
	}
	return done();
}
