/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bulk.c - cp.async.bulk: copies to and from shared memory, reductions, the bytes that an mbarrier
 * waits for, and the calls of a sink.
 */
#include "tests/record/ptx/sink.h"
#include "rig.h"

#undef HEAD
#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define ROOM ".shared .align 16 .b8 s[2048]; .shared .align 8 .b64 b; mov.u32 %r4, s;\n"

/* out[512 + i] = 3 * i, 256 words. Thread 0 copies 1 KiB of them, all wait and add one; then thread
 * 0 copies them back to the front and adds them to the bytes 1 KiB further on. */
static const char copy_ptx[] = KERNEL(
	ROOM
	"mul.lo.u32 %r5, %r1, 3; st.global.u32 [%rd2+2048], %r5; setp.ne.u32 %p1, %r1, 0;\n"
	"@%p1 bra W; mbarrier.init.shared::cta.b64 [b], 1;\n"
	"fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;\n"
	"W: bar.sync 0; @%p1 bra V;\n"
	"mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [b], 1024;\n"
	"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4+512], "
	"[%rd1+2048], 1024, [b];\n"
	"V: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [b], 0; @!%p2 bra V;\n"
	"shl.b32 %r6, %r1, 2; add.u32 %r6, %r6, %r4; ld.shared.u32 %r7, [%r6+512];\n"
	"add.u32 %r7, %r7, 1; st.shared.u32 [%r6+512], %r7; fence.proxy.async;\n"
	"bar.sync 0; @%p1 bra OUT;\n"
	"cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4+512], 1024;\n"
	"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1+3072], [%r4+512], 1024;\n"
	"cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%rd1+2048], [%r4+1520], 16;\n"
	"cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;\n"
	"cp.async.bulk.prefetch.L2.global [%rd1], 256; OUT: ret;\n");

static void
test_copy(struct rig *r)
{
	static const uint32_t most[4] = {252 * 3 + 1, 253 * 3 + 1, 254 * 3 + 1, 255 * 3 + 1};
	uint32_t bad = 0;

	ok(rig_run(r, copy_ptx, 1, 256) == 0, "bulk copies run");
	for (uint32_t i = 0; i < 256; i++) {
		bad += r->v[i] != 3 * i + 1;
		bad += r->v[768 + i] != 3 * i + 1;
		bad += r->v[512 + i] != (i < 4 ? most[i] : 3 * i);
	}
	is_u64(bad, 0, "there, back, added and the larger one");
}

/* Bytes that arrive before they are announced; a phase that waits for both arrivals and bytes. */
static const char order_ptx[] = KERNEL(
	ROOM "mbarrier.init.shared.b64 [b], 2; mov.u32 %r9, 0;\n"
	     "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r4], [%rd1], "
	     "32, [b];\n"
	     "mbarrier.arrive.shared.b64 %rd5, [b]; mbarrier.arrive.shared.b64 _, [b];\n"
	     "mbarrier.test_wait.shared.b64 %p1, [b], %rd5; selp.u32 %r5, 1, 0, %p1;\n"
	     "mbarrier.expect_tx.relaxed.cta.shared.b64 [b], 48;\n"
	     "mbarrier.test_wait.shared.b64 %p1, [b], %rd5; selp.u32 %r6, 10, 0, %p1;\n"
	     "mbarrier.complete_tx.shared.b64 [b], 16;\n"
	     "mbarrier.test_wait.shared.b64 %p1, [b], %rd5; selp.u32 %r7, 100, 0, %p1;\n"
	     "mbarrier.pending_count.b64 %r8, %rd5; add.u32 %r5, %r5, %r6;\n"
	     "mad.lo.u32 %r7, %r8, 1000, %r7; add.u32 %r5, %r5, %r7;\n" STORE("%r5") "ret;\n");

static uint32_t
ordered(uint32_t i ATTR_UNUSED)
{
	return 2000 + 100;
}

struct seen {
	uint32_t n, lanes[8];
	uint64_t from[8], to[8];
};

static int
on_inst(void *ctx, uint32_t warp ATTR_UNUSED, const struct prog_func *f ATTR_UNUSED,
	const struct prog_inst *in, uint32_t mask ATTR_UNUSED, const uint64_t *lane,
	uint32_t lane_mask, struct err *e ATTR_UNUSED)
{
	struct seen *s = ctx;

	if (in->op != PTX_cp || !lane || s->n == ARRAY_LEN(s->from))
		return 0;
	s->lanes[s->n] = lane_mask;
	s->from[s->n] = lane[0];
	s->to[s->n++] = lane[WARP_SIZE];
	return 0;
}

static void
test_told(struct rig *r)
{
	struct seen s = {0};
	struct ptx_sink sink = {.ctx = &s, SINK_QUIET, .inst = on_inst};

	r->sink = &sink;
	rig_run(r,
		KERNEL(ROOM "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 1040; "
			    "ret;\n"),
		1, 1);
	is_u64(s.n, 3, "1040 bytes are three times a warp's 16 bytes a lane");
	ok(s.lanes[1] == UINT32_MAX && s.lanes[2] == 1 && s.to[1] == r->out + 512 &&
		   s.from[2] == PTX_SHARED_BASE + 1024,
	   "with their addresses");
	r->sink = NULL;
}

#define LOAD(rest)                                                                                \
	ROOM "mbarrier.init.shared.b64 [b], 1; cp.async.bulk.shared::cluster.global" rest " ret;" \
	     "\n"

static void
test_faults(struct rig *r)
{
	FAILS(r, 1, 0, KERNEL(LOAD(".mbarrier::complete_tx::bytes [%r4], [%rd1], 24, [b];")),
	      "24 bytes are not a multiple of 16");
	FAILS(r, 1, 0, KERNEL(LOAD(".mbarrier::complete_tx::bytes [%r4], [%rd1+65520], 32, [b];")),
	      "outside of every allocation");
	FAILS(r, 1, 0, KERNEL(LOAD(".mbarrier::complete_tx::bytes [%r4], [%rd1+8], 32, [b];")),
	      "misaligned");
	FAILS(r, 1, 0, KERNEL(LOAD(".bulk_group [%r4], [%rd1], 16;")),
	      "expected .mbarrier::complete_tx::bytes");
	FAILS(r, 1, 0, KERNEL(LOAD(".tensor.2d.mbarrier::complete_tx::bytes [%r4], [%rd1], [b];")),
	      ".tensor");
	FAILS(r, 1, 0,
	      KERNEL(ROOM "mbarrier.init.shared.b64 [b], 1;\nmbarrier.expect_tx.shared.b64 [b], "
			  "1048576; ret;\n"),
	      "1048576 bytes are pending, expected at most 1048575");
	FAILS(r, 1, 0,
	      KERNEL(ROOM
		     "mbarrier.init.shared.b64 [b], 1;\n"
		     "mbarrier.arrive.expect_tx.shared.b64 _, [b], 16;\n"
		     "V: mbarrier.try_wait.parity.shared.b64 %p2, [b], 0; @!%p2 bra V; ret;\n"),
	      "waits for a value that nothing will write");
}

int
main(void)
{
	struct rig r = {.max_insns = 10000000};

	test_copy(&r);
	rig_equal(&r, order_ptx, 1, ordered, "bytes may come before they are announced");
	test_told(&r);
	test_faults(&r);
	rig_end(&r);
	return done();
}
