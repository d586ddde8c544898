/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * build.c - traces made by calls: opcode classes of every architecture, random records that must
 * come back as they were emitted, the cache of decoded blocks, the size and the limits of the
 * encoding.
 */
#include "tests/tap.h"

#include "trace/trace.h"
#include "trace/trace_build.h"
#include "trace/trace_obj.h"

#include <malloc.h>

static struct inst
one_inst(uint32_t version, const char *opcode)
{
	struct tb *b = tb_new();
	struct inst in = {.cls = 255};
	struct err e = {0};
	struct trace *t;

	tb_kernel(b, "k", 1, 32, 8, 0, version);
	tb_inst(b, 0, opcode, "", "");
	t = tb_finish(b, &e);
	if (t && trace_info(t)->kernel[0].n_inst == 1)
		in = trace_info(t)->kernel[0].inst[0];
	trace_close(t);
	return in;
}

static void
test_classes(void)
{
	/* clang-format off */
	static const struct {
		const char *opcode;
		int cls[5]; /* 35 61 70 75 86; -1: unknown */
	} rows[] = {
		{"FFMA.FTZ", {OP_SP, OP_SP, OP_SP, OP_SP, OP_SP}},
		{"IMAD", {OP_INT, OP_INT, OP_INT, OP_INT, OP_INT}},
		{"XMAD.MRG", {-1, OP_INT, -1, -1, -1}},
		{"MUFU.RCP", {OP_SFU, OP_SFU, OP_SFU, OP_SFU, OP_SFU}},
		{"DFMA", {OP_DP, OP_DP, OP_DP, OP_DP, OP_DP}},
		{"HFMA2", {-1, OP_HALF, OP_HALF, OP_HALF, OP_HALF}},
		{"HMMA.884", {-1, -1, OP_TENSOR, OP_TENSOR, OP_TENSOR}},
		{"IMMA", {-1, OP_INT, OP_INT, OP_TENSOR, OP_TENSOR}},
		{"DMMA", {-1, -1, -1, -1, OP_TENSOR}},
		{"BRA", {OP_INT, OP_INT, OP_BRANCH, OP_BRANCH, OP_BRANCH}},
		{"CALL.REL", {-1, OP_INT, OP_BRANCH, OP_BRANCH, OP_BRANCH}},
		{"SSY", {OP_INT, OP_INT, -1, -1, -1}},
		{"TEX", {OP_ALU, OP_ALU, OP_TEX, OP_TEX, OP_TEX}},
		{"S2UR", {-1, -1, -1, OP_UNIFORM, OP_UNIFORM}},
		{"LDC.64", {OP_ALU, OP_ALU, OP_ALU, OP_ALU, OP_ALU}},
		{"LDG.E", {OP_LOAD, OP_LOAD, OP_LOAD, OP_LOAD, OP_LOAD}},
		{"LDSM.16.M88", {-1, -1, -1, OP_LOAD, OP_LOAD}},
		{"STS", {OP_STORE, OP_STORE, OP_STORE, OP_STORE, OP_STORE}},
		{"ATOMS.ADD", {-1, OP_LOAD, OP_LOAD, OP_LOAD, OP_LOAD}},
		{"ATOMG.ADD", {-1, OP_ATOMIC, OP_ATOMIC, OP_ATOMIC, OP_ATOMIC}},
		{"RED.E.ADD", {OP_ATOMIC, OP_ATOMIC, OP_ATOMIC, OP_ATOMIC, OP_ATOMIC}},
		{"BAR.SYNC", {OP_BARRIER, OP_BARRIER, OP_BARRIER, OP_BARRIER, OP_BARRIER}},
		{"MEMBAR.CTA", {OP_MEMBAR, OP_MEMBAR, OP_MEMBAR, OP_MEMBAR, OP_MEMBAR}},
		{"EXIT", {OP_EXIT, OP_EXIT, OP_EXIT, OP_EXIT, OP_EXIT}},
		{"DEPBAR.LE", {-1, OP_ALU, OP_ALU, OP_ALU, OP_DEPBAR}},
		{"NOP", {OP_ALU, OP_ALU, OP_ALU, OP_ALU, OP_ALU}},
	};
	/* clang-format on */
	static const uint32_t version[] = {35, 61, 70, 75, 86};
	size_t i, v;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (v = 0; v < 5; v++) {
			int got = one_inst(version[v], rows[i].opcode).cls;

			ok(got == (rows[i].cls[v] < 0 ? 255 : rows[i].cls[v]), "%s for %u: %s",
			   rows[i].opcode, version[v], op_class_name((enum op_class)got));
		}
}

static void
test_memory_rows(void)
{
	static const struct {
		const char *opcode;
		int space, width, flags;
	} rows[] = {
		{"LDG.E.SYS", SPACE_GLOBAL, 4, 0},
		{"LDG.E.64.SYS", SPACE_GLOBAL, 8, 0},
		{"LDG.E.128.SYS", SPACE_GLOBAL, 16, 0},
		{"LDG.E.U8", SPACE_GLOBAL, 1, 0},
		{"LDG.E.S8", SPACE_GLOBAL, 4, 0}, /* as the reference reads it */
		{"LDG.E.U16", SPACE_GLOBAL, 2, 0},
		{"LDS.U.128", SPACE_SHARED, 16, 0},
		{"LDL", SPACE_LOCAL, 4, 0},
		{"STL.64", SPACE_LOCAL, 8, 0},
		{"LDG.E.STRONG.GPU", SPACE_GLOBAL, 4, INST_BYPASS},
		{"LDG.E.STRONG.SYS", SPACE_GLOBAL, 4, 0},
		{"STG.E.STRONG.GPU", SPACE_GLOBAL, 4, 0},
		{"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU", SPACE_GLOBAL, 4, INST_ATOMIC | INST_BYPASS},
		{"RED.E.ADD.64", SPACE_GLOBAL, 8, INST_ATOMIC | INST_BYPASS},
		{"ATOMS.ADD", SPACE_SHARED, 4, INST_ATOMIC},
		{"LD.E", SPACE_GLOBAL, 4, 0},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct inst in = one_inst(70, rows[i].opcode);

		ok(in.space == rows[i].space && in.width == rows[i].width &&
			   in.flags == rows[i].flags,
		   "%s: space %u, %u bytes, flags %u", rows[i].opcode, in.space, in.width,
		   in.flags);
	}
}

/* ---- random records ---- */

static uint64_t
next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

#define N_CTA 5
#define N_WARP 3 /* 80 threads: the last warp has 16 */
#define N_REC 400

struct want {
	uint32_t inst, mask, access;
	uint64_t lane[WARP_SIZE];
};

static struct want want[N_CTA][N_WARP][N_REC];

static uint32_t
random_mask(uint64_t *s, uint32_t lanes, uint32_t last)
{
	switch (next(s) % 8) {
	case 0:
		return (uint32_t)next(s) & lanes;
	case 1:
		return lanes;
	case 2:
		return 0;
	case 3:
		return 1u << next(s) % 16;
	case 4:
		return 0xffffu >> next(s) % 16;
	default:
		return last;
	}
}

/* Emits records of all shapes and remembers them; loops and regular strides dominate. */
static struct trace *
random_trace(uint64_t seed)
{
	struct tb *b = tb_new();
	uint32_t cta, w, i, j, row[12], alu = 0;
	struct err e = {0};
	struct trace *t;
	uint64_t s = seed * 2654435761u + 1;

	tb_kernel(b, "random", N_CTA, 80, 32, 0, 70);
	for (i = 0; i < 12; i++)
		row[i] = i % 3 ? tb_inst(b, i * 16, "FADD", "R1", "R2 R3")
			       : tb_inst(b, i * 16, "LDG.E", "R4", "R2");
	for (w = 0; w < N_WARP; w++)
		for (cta = 0; cta < N_CTA; cta++) {
			uint32_t lanes = w == 2 ? 0xffff : UINT32_MAX, mask = lanes;

			for (i = 0; i < N_REC; i++) {
				struct want *x = &want[cta][w][i];
				uint64_t base = next(&s) % 4 ? UINT64_C(0x7fff00000000) + i * 512
							     : next(&s);
				int64_t stride = next(&s) % 4 ? 4 : (int64_t)next(&s);

				alu = next(&s) % 5 ? (alu + 1) % 12 : (uint32_t)(next(&s) % 12);
				mask = random_mask(&s, lanes, mask);
				*x = (struct want){.inst = row[alu], .mask = mask};
				if (alu % 3) {
					tb_emit(b, cta, w, row[alu], mask, ADDR_NONE, 0, 0);
				} else if (next(&s) % 2) {
					tb_emit(b, cta, w, row[alu], mask, ADDR_STRIDE, base,
						stride);
					for (j = mask ? (uint32_t)__builtin_ctz(mask) : 32;
					     j < 32 && mask >> j & 1;
					     j++, base += (uint64_t)stride) {
						x->lane[j] = base;
						x->access |= 1u << j;
					}
				} else {
					for (j = 0; j < 32; j++)
						if (mask >> j & 1)
							x->lane[j] = next(&s) % 3 ? base + j * 8
										  : next(&s);
					x->access = mask;
					tb_emit_lanes(b, cta, w, row[alu], mask, x->lane);
				}
			}
		}
	t = tb_finish(b, &e);
	if (!t)
		diag("%s", e.msg);
	return t;
}

static bool
same_records(const struct cta_trace *c, uint32_t cta)
{
	uint64_t lane[WARP_SIZE];
	uint32_t w, i;

	for (w = 0; w < N_WARP; w++) {
		if (c->warp[w].n != N_REC)
			return false;
		for (i = 0; i < N_REC; i++) {
			const struct want *x = &want[cta][w][i];
			const struct winst *r = &c->warp[w].rec[i];

			if (r->inst != x->inst || r->mask != x->mask ||
			    trace_lanes(c, r, lane) != x->access ||
			    memcmp(lane, x->lane, sizeof(lane)) != 0)
				return false;
		}
	}
	return true;
}

static void
test_random(void)
{
	uint64_t seed;
	uint32_t cta, good = 0, n = 0;

	for (seed = 1; seed <= 20; seed++) {
		struct trace *t = random_trace(seed);

		if (!t)
			continue;
		for (cta = N_CTA; cta--; n++) { /* any order */
			const struct cta_trace *c = trace_pin(t, 0, cta, NULL);

			good += c && same_records(c, cta) && c->id == cta && c->xyz[0] == cta;
			trace_unpin(t, 0, c);
		}
		trace_close(t);
	}
	is_u64(n, 100, "hundred random thread blocks");
	is_u64(good, n, "come back as they were emitted");
}

static void
test_cache(void)
{
	struct trace *t = random_trace(99);
	const struct cta_trace *a, *b, *c;
	uint64_t one;

	if (!ok(t, "a trace of five blocks"))
		return;
	a = trace_pin(t, 0, 0, NULL);
	one = t->cached_bytes;
	is_u64(t->n_cached, 1, "one block is decoded");
	ok(one >= malloc_usable_size((void *)(uintptr_t)a) + sizeof(struct cta_trace *) * 8,
	   "all that it takes is counted, its entry as well");
	ok(trace_pin(t, 0, 0, NULL) == a, "pinned twice, decoded once");
	trace_unpin(t, 0, a);
	trace_set_cache(t, one + one / 2);
	b = trace_pin(t, 0, 1, NULL);
	c = trace_pin(t, 0, 2, NULL);
	is_u64(t->n_cached, 3, "pinned blocks stay, whatever the budget");
	trace_unpin(t, 0, b);
	is_u64(t->n_cached, 2, "an unpinned one goes when the budget is exceeded");
	trace_unpin(t, 0, c);
	is_u64(t->n_cached, 1, "so does the next");
	ok(same_records(a, 0), "the pinned one is untouched");
	trace_set_cache(t, one * 3 + one / 2);
	trace_unpin(t, 0, a);
	a = trace_pin(t, 0, 0, NULL);
	trace_unpin(t, 0, a);
	trace_unpin(t, 0, trace_pin(t, 0, 3, NULL));
	trace_unpin(t, 0, trace_pin(t, 0, 0, NULL)); /* used again: 3 is older now */
	trace_unpin(t, 0, trace_pin(t, 0, 4, NULL));
	trace_unpin(t, 0, trace_pin(t, 0, 1, NULL));
	trace_set_cache(t, one * 2 + one / 2);
	trace_unpin(t, 0, trace_pin(t, 0, 1, NULL));
	is_u64(t->n_cached, 2, "the budget shrinks the cache");
	ok(trace_pin(t, 0, 4, NULL) != NULL, "the youngest are kept");
	is_u64(t->n_cached, 2, "without decoding them again");
	ok(!trace_pin(t, 0, 5, NULL) && !trace_pin(t, 1, 0, NULL), "no such block, no such kernel");
	trace_close(t);
}

/* Three blocks with the same content and one with more. */
static void
test_shared(void)
{
	struct tb *b = tb_new();
	struct err e = {0};
	const struct cta_trace *c[4];
	struct trace *t;
	uint64_t lane[WARP_SIZE], own;
	uint32_t ld;

	tb_kernel(b, "same", 4, 32, 8, 0, 70);
	ld = tb_inst(b, 0, "LDG.E", "R4", "R2");
	for (uint32_t cta = 0; cta < 4; cta++)
		for (uint32_t i = 0; i < (cta == 2 ? 30 : 20); i++)
			tb_emit(b, cta, 0, ld, 1, ADDR_STRIDE, 0x1000 * (cta + 1) + 256 * i, 4);
	t = tb_finish(b, &e);
	if (!ok(t, "blocks that do the same %s", e.msg))
		return;
	c[0] = trace_pin(t, 0, 0, NULL);
	own = t->cached_bytes;
	c[1] = trace_pin(t, 0, 1, NULL);
	ok(c[1]->warp[0].rec == c[0]->warp[0].rec && c[1]->warp[0].n == 20, "share the records");
	ok(t->cached_bytes < 2 * own, "which take room once");
	ok(trace_lanes(c[1], &c[1]->warp[0].rec[3], lane) == 1 && lane[0] == 0x2300,
	   "and have addresses of their own");
	c[2] = trace_pin(t, 0, 2, NULL);
	ok(c[2]->warp[0].rec != c[0]->warp[0].rec && c[2]->warp[0].n == 30, "another does not");
	trace_set_cache(t, 0);
	trace_unpin(t, 0, c[0]);
	is_u64(t->n_cached, 3, "the owner stays for those it shares with");
	ok(c[1]->warp[0].rec[3].inst == ld && c[1]->warp[0].rec[3].mask == 1, "who read on");
	trace_unpin(t, 0, c[2]);
	c[3] = trace_pin(t, 0, 3, NULL);
	ok(c[3]->warp[0].rec != c[1]->warp[0].rec, "the one before has gone: nothing to share");
	trace_unpin(t, 0, c[1]);
	trace_unpin(t, 0, c[3]);
	is_u64(t->n_cached, 0, "the owner goes behind them");
	is_u64(t->cached_bytes, 0, "with all its bytes");
	trace_close(t);
}

/* ---- sizes ---- */

static double
bytes_per_record(uint32_t mem_every, bool irregular)
{
	struct tb *b = tb_new();
	struct err e = {0};
	uint64_t lane[WARP_SIZE], s = 7;
	uint32_t add, ld, i, j, w, n = 4000;
	struct trace *t;
	double r = 0;

	tb_kernel(b, "size", 1, 256, 32, 0, 70);
	add = tb_inst(b, 0, "FADD", "R1", "R2 R3");
	ld = tb_inst(b, 16, "LDG.E", "R4", "R2");
	for (w = 0; w < 8; w++)
		for (i = 0; i < n; i++) {
			if (!mem_every || i % mem_every) {
				tb_emit(b, 0, w, add, UINT32_MAX, ADDR_NONE, 0, 0);
				continue;
			}
			for (j = 0; j < 32; j++) /* rows of 8 lanes, at random places */
				lane[j] = irregular
						  ? (j % 8 ? lane[j - 1] + 4
							   : 0x7f0000000000 + next(&s) % 65536 * 32)
						  : UINT64_C(0x7f0000000000) + i * 1024 + w * 128 +
							    j * 4;
			tb_emit_lanes(b, 0, w, ld, UINT32_MAX, lane);
		}
	t = tb_finish(b, &e);
	if (t)
		r = (double)t->kern[0]->off[1] / (8.0 * n);
	trace_close(t);
	return r;
}

static void
test_sizes(void)
{
	double plain = bytes_per_record(0, false), loads = bytes_per_record(1, false);
	double mixed = bytes_per_record(10, true), scattered = bytes_per_record(1, true);

	diag("bytes per record: arithmetic %.3f, coalesced loads %.3f, one scattered load in ten "
	     "%.3f, "
	     "scattered loads only %.3f",
	     plain, loads, mixed, scattered);
	ok(plain < 0.1, "runs of arithmetic cost nearly nothing");
	ok(loads < 1.5, "coalesced loads cost about a byte");
	ok(scattered < 32, "a load of four places costs less than their addresses");
	ok(mixed < 5, "and little in a mix");
}

static void
test_mistakes(void)
{
	struct tb *b;
	struct err e = {0};

	b = tb_new();
	tb_kernel(b, "k", 1, 32, 8, 0, 70);
	tb_inst(b, 0, "FFNA", "R1", "R2");
	ok(!tb_finish(b, &e) && strstr(e.msg, "did you mean FFMA?"), "an unknown opcode");
	b = tb_new();
	tb_kernel(b, "k", 1, 32, 8, 0, 70);
	tb_emit(b, 0, 0, tb_inst(b, 0, "FADD", "R1 Rx", ""), 1, ADDR_NONE, 0, 0);
	ok(!tb_finish(b, &e) && strstr(e.msg, "bad registers"), "bad registers");
	b = tb_new();
	tb_kernel(b, "k", 1, 32, 8, 0, 70);
	tb_emit(b, 1, 0, tb_inst(b, 0, "EXIT", "", ""), 1, ADDR_NONE, 0, 0);
	ok(!tb_finish(b, &e) && strstr(e.msg, "thread block 1, but there are 1"),
	   "a block too many");
	b = tb_new();
	tb_kernel(b, "k", 1, 16, 8, 0, 70);
	tb_emit(b, 0, 0, tb_inst(b, 0, "EXIT", "", ""), UINT32_MAX, ADDR_NONE, 0, 0);
	ok(!tb_finish(b, &e) && strstr(e.msg, "lanes beyond"), "lanes that are not there");
	b = tb_new();
	tb_kernel(b, "k", 1, 32, 8, 0, 70);
	tb_emit(b, 0, 0, tb_inst(b, 0, "LDG.E", "R1", "R2"), UINT32_MAX, ADDR_NONE, 0, 0);
	ok(!tb_finish(b, &e) && strstr(e.msg, "needs addresses"), "a load without addresses");
	b = tb_new();
	tb_kernel(b, "k", 1, 32, 8, 0, 42);
	ok(!tb_finish(b, &e) && strstr(e.msg, "unknown binary version 42"),
	   "an unknown architecture");
}

static void
test_generic(void)
{
	struct tb *b = tb_new();
	struct err e = {0};
	struct trace *t;
	uint32_t ld;

	tb_copy(b, 0x1000, 64);
	tb_kernel(b, "generic", 1, 32, 8, 0, 70);
	tb_windows(b, 0x7f0000000000, 0x7f1000000000);
	tb_dims(b, (uint32_t[]){1, 2, 1}, (uint32_t[]){8, 4, 1});
	ld = tb_inst(b, 0, "LD.E", "R4", "R2");
	tb_emit(b, 1, 0, ld, UINT32_MAX, ADDR_STRIDE, 0x7f0000000080, 4);
	tb_emit(b, 0, 0, ld, UINT32_MAX, ADDR_STRIDE, 0x7f1000000080, 4);
	tb_emit(b, 0, 0, ld, UINT32_MAX, ADDR_STRIDE, 0x1000, 4);
	t = tb_finish(b, &e);
	if (ok(t, "generic loads %s", e.msg)) {
		const struct trace_kernel *k = &trace_info(t)->kernel[0];
		const struct cta_trace *c = trace_pin(t, 0, 0, NULL), *d = trace_pin(t, 0, 1, NULL);

		is_u64(k->n_cta, 2, "two blocks in y");
		is_u64(d->xyz[1], 1, "the second is 0,1,0");
		ok(k->inst[c->warp[0].rec[0].inst].space == SPACE_LOCAL &&
			   k->inst[c->warp[0].rec[1].inst].space == SPACE_GLOBAL &&
			   k->inst[d->warp[0].rec[0].inst].space == SPACE_SHARED,
		   "each goes where it points");
		ok(trace_info(t)->cmd[0].kind == TRACE_MEMCPY_H2D && trace_info(t)->n_cmds == 2,
		   "a copy before");
	}
	trace_close(t);
}

int
main(void)
{
	test_classes();
	test_memory_rows();
	test_random();
	test_cache();
	test_shared();
	test_sizes();
	test_mistakes();
	test_generic();
	return done();
}
