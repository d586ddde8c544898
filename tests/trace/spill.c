/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spill.c - thread blocks that are too long for memory: however few bytes the writer keeps, the
 * trace has the same bytes, and they are what was recorded.
 */
#include "tests/tap.h"

#include "trace/record_part.h"
#include "trace/spill.h"

#include <unistd.h>

#define WARPS 5u
#define LAST_LANES 0xfffu /* of the last warp, which is not full */
#define TURNS 4000u

enum { LOAD, STORE, GENERIC, ADD, END, ROWS };

static const struct trace_inst_desc desc[ROWS] = {
	[LOAD] = {.opcode = "LDG.E", .n_dst = 1, .dst = {4}, .n_src = 1, .src = {2}},
	[STORE] = {.pc = 16, .opcode = "STS", .n_src = 2, .src = {2, 4}},
	[GENERIC] = {.pc = 32, .opcode = "LD.E", .n_dst = 1, .dst = {6}, .n_src = 1, .src = {2}},
	[ADD] = {.pc = 48, .opcode = "IADD3", .n_dst = 1, .dst = {4}, .n_src = 1, .src = {4}},
	[END] = {.pc = 64, .opcode = "EXIT"}};

static uint64_t
next_random(uint64_t *x)
{
	return (*x = *x * 6364136223846793005u + 1442695040888963407u) >> 33;
}

/* Records something of a warp: each kind of access, with all, some, one and no lanes. */
static int
record_turn(struct trace_writer *w, const uint32_t *row, uint32_t warp, uint64_t *x, struct err *e)
{
	static const uint32_t masks[] = {UINT32_MAX, 0x55555555u, 0x0000f0f1u, 1u << 7, 0};
	uint32_t lanes = warp == WARPS - 1 ? LAST_LANES : UINT32_MAX;
	uint32_t mask = masks[next_random(x) % ARRAY_LEN(masks)] & lanes;
	uint32_t kind = (uint32_t)next_random(x) % 4, plain[3] = {row[ADD], row[ADD], row[ADD]};
	uint64_t base = next_random(x) << 4, lane[WARP_SIZE];

	for (uint32_t i = 0; i < WARP_SIZE; i++)
		lane[i] = kind == LOAD ? base + i * 4ull : base + next_random(x) % 4096 * 4;
	if (kind == ADD)
		return trace_writer_plain(w, warp, plain, 1 + (uint32_t)next_random(x) % 3,
					  mask ? mask : lanes, e);
	if (kind == GENERIC)
		for (uint32_t i = 0; i < WARP_SIZE; i++)
			lane[i] += next_random(x) % 2 ? 0 : 1ull << 40;
	return trace_writer_record(w, warp, row[kind], mask, lane, e);
}

static int
record_block(struct trace_writer *w, const uint32_t *row, uint32_t cta, struct err *e)
{
	uint64_t x = cta + 1;

	if (trace_writer_cta(w, (uint32_t[]){cta, 0, 0}, e))
		return -1;
	for (uint32_t i = 0; i < TURNS; i++) {
		uint32_t warp = (uint32_t)next_random(&x) % WARPS;

		/* warp 1 comes late, and warp 2 has nothing but its end */
		if (warp == 2 || (warp == 1 && i < TURNS / 2))
			continue;
		if (record_turn(w, row, warp, &x, e))
			return -1;
	}
	for (uint32_t warp = 0; warp < WARPS; warp++)
		if (trace_writer_record(w, warp, row[END],
					warp == WARPS - 1 ? LAST_LANES : UINT32_MAX, NULL, e))
			return -1;
	return trace_writer_end_cta(w, e);
}

static int
begin_kernel(struct trace_writer *w, uint32_t *row, struct err *e)
{
	const struct trace_kernel_desc k = {.name = "long",
					    .grid = {3},
					    .block = {WARPS * WARP_SIZE - 20},
					    .shmem_base = 1ull << 40};

	if (trace_writer_kernel(w, &k, e))
		return -1;
	for (uint32_t i = 0; i < ROWS; i++)
		if (trace_writer_inst(w, &desc[i], &row[i], e))
			return -1;
	return 0;
}

struct result {
	struct trace *t;
	bool encoded, file; /* was something encoded early, and was it in the file? */
	size_t words;	    /* room for addresses */
};

static void
note_spilled(const struct trace_writer *w, struct result *r)
{
	r->words = MAX(r->words, w->b.cap_addr);
	r->encoded |= w->b.bytes_spilled != 0;
	r->file |= w->b.spill && spill_file_bytes(w->b.spill) != 0;
}

/* Records three blocks, the last one by a writer beside. bytes: kept in memory. */
static struct result
record(uint64_t bytes)
{
	struct err e = {0};
	struct result r = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e), *beside = NULL;
	struct trace_pack *pack = NULL;
	uint32_t row[ROWS];
	int rc = w ? 0 : -1;

	if (w)
		trace_writer_set_spill(w, NULL, bytes);
	rc = rc || begin_kernel(w, row, &e);
	for (uint32_t cta = 0; cta < 2 && !rc; cta++) {
		rc = record_block(w, row, cta, &e);
		note_spilled(w, &r);
	}
	if (!rc && (beside = trace_writer_beside(w, &e))) {
		rc = record_block(beside, row, 2, &e);
		note_spilled(beside, &r);
		pack = rc ? NULL : trace_writer_pack(beside, &e);
	}
	trace_writer_abort(beside);
	if (!pack || trace_writer_put(w, pack, &e) || trace_writer_end_kernel(w, &e)) {
		diag("%s", e.msg);
		trace_writer_abort(w);
		return r;
	}
	r.t = trace_writer_trace(w, &e);
	return r;
}

static bool
has_same_bytes(struct trace *a, struct trace *b)
{
	struct err e = {0};

	for (uint64_t cta = 0; cta < 3; cta++) {
		size_t n = 0, m = 0;
		const uint8_t *p = trace_bytes(a, 0, cta, &n, &e);
		const uint8_t *q = trace_bytes(b, 0, cta, &m, &e);

		if (!p || !q || n != m || memcmp(p, q, n) != 0)
			return false;
	}
	return memcmp(a->kern[0]->pub.class_warp_insts, b->kern[0]->pub.class_warp_insts,
		      sizeof(a->kern[0]->pub.class_warp_insts)) == 0 &&
	       a->kern[0]->pub.thread_insts == b->kern[0]->pub.thread_insts;
}

static void
test_same(void)
{
	static const uint64_t bytes[] = {1, 100, 4000, 200000};
	struct result whole = record(0);

	ok(whole.t && !whole.encoded, "short blocks stay in memory as they are");
	for (uint32_t i = 0; i < ARRAY_LEN(bytes); i++) {
		struct result r = record(bytes[i]);

		ok(r.t && r.encoded && whole.t && has_same_bytes(whole.t, r.t),
		   "the same bytes with %u bytes in memory", (unsigned)bytes[i]);
		ok(r.file == (bytes[i] < 200000), "%s", r.file ? "with a file" : "without a file");
		ok(r.words < whole.words, "and room for fewer addresses");
		trace_close(r.t);
	}
	trace_close(whole.t);
}

/* A block beyond the limit fails, also with its last record, however little is in memory. */
static void
test_limit(void)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	uint32_t row[ROWS], plain[64];
	int rc = -1;

	trace_writer_set_spill(w, NULL, 4096);
	trace_writer_set_cta_limit(w, 1 << 20);
	if (begin_kernel(w, row, &e) == 0)
		rc = trace_writer_cta(w, (uint32_t[]){0, 0, 0}, &e);
	for (uint32_t i = 0; i < 64; i++)
		plain[i] = row[ADD];
	for (uint32_t i = 0; i < 1024 && rc == 0; i++)
		rc = trace_writer_plain(w, 0, plain, 64, UINT32_MAX, &e);
	ok(rc == 0, "65,536 records are 1 MiB: %s", e.msg);
	rc = trace_writer_plain(w, 0, plain, 1, UINT32_MAX, &e);
	ok((rc || trace_writer_end_cta(w, &e)) && e.kind == ERR_TOO_LONG, "one more is too long");
	trace_writer_abort(w);
}

int
main(void)
{
	test_same();
	test_limit();
	return done();
}
