/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * async.c - cp.async (what is copied, what is filled with zeros, what the sink gets), and mbarrier:
 * phases, states, parities, threads that leave, and warps that wait for each other.
 */
#include "tests/record/ptx/sink.h"
#include "rig.h"

/* Thread i copies 16 bytes from out + 16 * (63 - i), but only 4 * (i % 5) of them. */
static void
test_copy(struct rig *r)
{
	static const char ptx[] = KERNEL(
		".shared .align 16 .b8 s[1024]; mov.u32 %r4, s; shl.b32 %r5, %r1, 4;\n"
		"add.u32 %r6, %r5, %r4; mul.wide.u32 %rd3, %r1, 16; sub.u64 %rd4, %rd1, %rd3;\n"
		"add.u64 %rd5, %rd1, %rd3; rem.u32 %r7, %r1, 5; shl.b32 %r8, %r7, 2;\n"
		"st.global.v4.u32 [%rd5], {%r1, 1001, 1002, 1003}; bar.sync 0;\n"
		"cp.async.cg.shared.global.L2::128B [%r6], [%rd4+1008], 16, %r8;\n"
		"cp.async.commit_group; cp.async.wait_group 0; ld.shared.v4.u32 "
		"{%r10,%r11,%r12,%r13}, "
		"[%r6];\ncp.async.ca.shared.global [%r6+4], [%rd5], 4; cp.async.wait_all;\n"
		"ld.shared.u32 %r14, [%r6+4]; add.u32 %r13, %r13, %r14;\n"
		"st.global.v4.u32 [%rd5+4096], {%r10,%r11,%r12,%r13}; ret;\n");
	uint32_t bad = 0;

	ok(rig_run(r, ptx, 1, 64) == 0, "cp.async runs");
	for (uint32_t i = 0; i < 64; i++) {
		const uint32_t *v = r->v + 1024 + i * 4, want[4] = {63 - i, 1001, 1002, 1003};

		for (uint32_t k = 0; k < 4; k++)
			bad += v[k] != (k < i % 5 ? want[k] : 0) + (k == 3 ? i : 0);
	}
	is_u64(bad, 0, "cp.async copies 4 and 16 bytes, and fills with zeros");
	FAILS(r, 32, 0,
	      KERNEL(".shared .align 16 .b8 s[512]; cp.async.ca.shared.global [s], [%rd1], 4, 8; "
		     "ret;\n"),
	      "cp.async: it reads 8 bytes but writes only 4");
	FAILS(r, 32, 0,
	      KERNEL(".shared .align 16 .b8 s[512]; cp.async.ca.shared.global [s], [%rd1+65533], "
		     "4; "
		     "ret;\n"),
	      "cp.global", "outside of");
}

/* ---------------------------------------------------------------- what the sink sees */

struct seen {
	uint64_t from, to;
};

static int
on_inst(void *ctx, uint32_t warp ATTR_UNUSED, const struct prog_func *f ATTR_UNUSED,
	const struct prog_inst *in, uint32_t mask ATTR_UNUSED, const uint64_t *lane,
	uint32_t lane_mask ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	struct seen *s = ctx;

	if (in->op == PTX_cp && lane)
		*s = (struct seen){lane[3], lane[WARP_SIZE + 3]};
	return 0;
}

static void
test_told(struct rig *r)
{
	struct seen s = {0, 0};
	struct ptx_sink sink = {.ctx = &s, SINK_QUIET, .inst = on_inst};

	r->sink = &sink;
	rig_run(r,
		KERNEL(".shared .align 16 .b8 s[512]; mov.u32 %r4, s; shl.b32 %r5, %r1, 3;\n"
		       "add.u32 %r4, %r4, %r5; cp.async.ca.shared.global [%r4+16], [%rd2+8], 4; "
		       "ret;\n"),
		1, 32);
	ok(s.from == r->out + 12 + 8 && s.to == PTX_SHARED_BASE + 24 + 16,
	   "a copy is told with both addresses");
	r->sink = NULL;
}

/* ---------------------------------------------------------------- mbarrier */

/* Three warps and three phases: in each phase every thread reads what its mirror image wrote
 * before. */
static const char phases_ptx[] =
	KERNEL(".shared .align 8 .b64 b; .shared .align 4 .b8 s[384]; mov.u32 %r4, s;\n"
	       "setp.ne.u32 %p1, %r1, 0; @%p1 bra I; mbarrier.init.shared.b64 [b], 96;\n"
	       "I: bar.sync 0; shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r4; mov.u32 %r6, 0;\n"
	       "sub.u32 %r7, 95, %r1; shl.b32 %r7, %r7, 2; add.u32 %r7, %r7, %r4; mov.u32 %r9, 0;\n"
	       "L: mul.lo.u32 %r8, %r1, 3; add.u32 %r8, %r8, %r6; st.shared.u32 [%r5], %r8;\n"
	       "mbarrier.arrive.shared.b64 %rd5, [b];\n"
	       "W: mbarrier.test_wait.shared.b64 %p2, [b], %rd5; @!%p2 bra W;\n"
	       "ld.shared.u32 %r10, [%r7]; add.u32 %r9, %r9, %r10;\n"
	       "mbarrier.arrive.shared::cta.b64 _, [b]; and.b32 %r11, 1, 1;\n"
	       "V: mbarrier.try_wait.parity.shared.b64 %p2, [b], %r11; @!%p2 bra V;\n"
	       "add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 3; @%p3 bra L;\n" STORE("%r9") "ret;\n");

static uint32_t
phases(uint32_t i)
{
	return 3 * 3 * (95 - i) + 3;
}

/* Half of the lanes of one warp drop out, and the phase completes with the others; counts. */
static const char drop_ptx[] =
	KERNEL(".shared .align 8 .b64 b; mbarrier.init.shared.b64 [b], 40;\n"
	       "setp.lt.u32 %p1, %r1, 8; @%p1 bra D; mbarrier.arrive.shared.b64 %rd5, [b]; bra J;\n"
	       "D: mbarrier.arrive_drop.shared.b64 %rd5, [b], 2;\n"
	       "J: mbarrier.test_wait.shared.b64 %p2, [b], %rd5; selp.u32 %r4, 100, 0, %p2;\n"
	       "mbarrier.pending_count.b64 %r5, %rd5; mbarrier.arrive.shared.b64 %rd6, [b];\n"
	       "mbarrier.pending_count.b64 %r6, %rd6; add.u32 %r4, %r4, %r6;\n"
	       "mbarrier.inval.shared.b64 [b];\n" STORE("%r4") "ret;\n");

static uint32_t
dropped(uint32_t i)
{
	static const uint32_t order[2] = {24, 24};

	/* After that phase 24 threads are expected. Lanes arrive in order, then a new phase begins.
	 */
	return 100 + (i < 24 ? order[0] - i : 24 - (i - 24));
}

static void
test_mbarrier(struct rig *r)
{
	r->max_insns = 1000000;
	rig_equal(r, phases_ptx, 96, phases,
		  "mbarrier: three warps, phases by state and by parity");
	rig_equal(r, drop_ptx, 32, dropped, "mbarrier: arrive_drop, counts, pending_count");
	FAILS(r, 32, 0, KERNEL(".shared .align 8 .b64 b; mbarrier.init.shared.b64 [b], 0; ret;\n"),
	      "mbarrier: a count of 0");
	FAILS(r, 32, 0,
	      KERNEL(".shared .align 8 .b64 b; mbarrier.init.shared.b64 [b], 40; "
		     "mbarrier.arrive.shared.b64 _, [b], 41; ret;\n"),
	      "mbarrier: 41 threads arrive, but only 40 of 40 are pending");
}

int
main(void)
{
	struct rig r = {.d = NULL};

	test_copy(&r);
	test_told(&r);
	test_mbarrier(&r);
	rig_end(&r);
	return done();
}
