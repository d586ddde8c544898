/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coop.c - cooperative launches: the barrier of the grid as cooperative groups implement it, CTAs
 * that wait for later ones, and the calls of a sink with their order.
 */
#include "tests/record/ptx/sink.h"
#include "rig.h"

/* grid.sync() of CUDA 13, then every thread reads what its mirror image in the grid wrote. */
static const char sync_ptx[] = KERNEL(
	"mov.u32 %r4, %envreg2; cvt.u64.u32 %rd5, %r4; mov.u32 %r5, %envreg1;\n"
	"cvt.u64.u32 %rd6, %r5; bfi.b64 %rd7, %rd6, %rd5, 32, 32; mul.lo.u32 %r6, %r1, 7;\n"
	"st.global.u32 [%rd2], %r6; setp.ne.s64 %p1, %rd7, 0; @%p1 bra G; trap;\n"
	"G: barrier.sync 0; setp.ne.u32 %p2, %r3, 0; @%p2 bra D; mov.u32 %r7, %nctaid.x;\n"
	"mov.u32 %r8, %ctaid.x; setp.eq.u32 %p3, %r8, 0; mov.u32 %r9, -2147483647;\n"
	"sub.s32 %r10, %r9, %r7; selp.b32 %r11, %r10, 1, %p3; add.u64 %rd8, %rd7, 4;\n"
	"atom.add.release.gpu.u32 %r12, [%rd8], %r11;\n"
	"L: ld.acquire.gpu.u32 %r13, [%rd8]; xor.b32 %r14, %r13, %r12; setp.gt.s32 %p4, %r14, -1;\n"
	"@%p4 bra L;\n"
	"D: barrier.sync 0; mov.u32 %r15, %nctaid.x; mul.lo.u32 %r15, %r15, %r2; sub.u32 %r15, "
	"%r15, 1;\nsub.u32 %r16, %r15, %r1; mul.wide.u32 %rd9, %r16, 4; add.u64 %rd9, %rd9, %rd1;\n"
	"ld.global.u32 %r17, [%rd9]; st.global.u32 [%rd2+16384], %r17; ret;\n");

struct log {
	char text[4096];
	size_t n;
	uint32_t warp_insts;
};

static int
on_cta(void *ctx, const uint32_t xyz[3], struct err *e ATTR_UNUSED)
{
	struct log *l = ctx;

	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "cta%u ", xyz[0]);
	return 0;
}

static int
on_inst(void *ctx, uint32_t warp, const struct prog_func *f ATTR_UNUSED, const struct prog_inst *in,
	uint32_t mask ATTR_UNUSED, const uint64_t *lane, uint32_t lane_mask,
	struct err *e ATTR_UNUSED)
{
	struct log *l = ctx;

	l->warp_insts++;
	if (in->op == PTX_st && in->space == SP_GLOBAL)
		l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "%u:%u@%x ", warp,
					 lane_mask, (unsigned)(lane[1] & 0xfffff));
	return 0;
}

static int
on_cta_end(void *ctx, struct err *e ATTR_UNUSED)
{
	struct log *l = ctx;

	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "end ");
	return 0;
}

static int
run(struct rig *r, const char *text, uint32_t grid, uint32_t block, struct log *log)
{
	struct ptx_sink s = {.ctx = log,
			     .begin = sink_begin,
			     .cta = on_cta,
			     .inst = on_inst,
			     .cta_end = on_cta_end,
			     .end = sink_end};
	struct ptx_launch l = {.grid = {grid, 1, 1},
			       .block = {block, 1, 1},
			       .cooperative = true,
			       .max_insns = 10000000,
			       .sink = log ? &s : NULL};

	if (rig_load(r, text, &l))
		return -1;
	return ptx_run(r->d, &l, &r->n, &r->e);
}

int
main(void)
{
	struct rig r = {.d = NULL};
	struct log log = {.n = 0};
	uint32_t bad = 0;
	char want[200];

	ok(run(&r, sync_ptx, 40, 96, NULL) == 0, "a cooperative launch of 40 CTAs %s", r.e.msg);
	for (uint32_t i = 0; i < 40 * 96; i++)
		bad += r.v[i] != 7 * i || r.v[4096 + i] != 7 * (40 * 96 - 1 - i);
	is_u64(bad, 0, "all CTAs have written before any goes on");
	is_u64(ptx_used(r.d), OUT_BYTES, "the workspace is given back");
	ok(run(&r, sync_ptx, 3, 2, &log) == 0, "with a sink %s", r.e.msg);
	snprintf(want, sizeof(want),
		 "cta0 0:3@%x 0:3@%x end cta1 0:3@%x 0:3@%x end cta2 0:3@%x 0:3@%x end ",
		 (unsigned)((r.out + 4) & 0xfffff), (unsigned)((r.out + 16388) & 0xfffff),
		 (unsigned)((r.out + 12) & 0xfffff), (unsigned)((r.out + 16396) & 0xfffff),
		 (unsigned)((r.out + 20) & 0xfffff), (unsigned)((r.out + 16404) & 0xfffff));
	is_str(log.text, want, "it is told CTA after CTA, with addresses");
	is_u64(log.warp_insts, r.n.warp_insts, "and of every instruction");
	ok(run(&r, KERNEL("setp.eq.u32 %p1, %r1, 5; @%p1 trap; ret;\n"), 4, 2, NULL) &&
		   strstr(r.e.msg, "trap") && strstr(r.e.msg, "CTA 2,0,0"),
	   "a fault in one of them: %s", r.e.msg);
	/* this launch is not cooperative, so later CTAs are not waited for */
	FAILS(&r, 2, 0, sync_ptx, "trap");
	rig_end(&r);
	return done();
}
