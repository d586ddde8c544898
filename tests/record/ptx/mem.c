/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.c - ld and st in every space, addresses between spaces, the calls of the sink, and every
 * fault of a memory access with its message. widths.c tests the types.
 */
#include "tests/record/ptx/rig.h"

#include "tests/record/ptx/sink.h"

/* ---------------------------------------------------------------- spaces */

static uint32_t
lane_id(uint32_t i)
{
	return i;
}

static uint32_t
lane_id3(uint32_t i)
{
	return 3 * i + 1;
}

static uint32_t
reversed(uint32_t i)
{
	return 63 - i;
}

/* Each lane has its own place, by registers, names and generic addresses. */
static uint32_t
local_want(uint32_t i)
{
	return i + (i + 5) + (i ^ 9);
}

static uint32_t
params_want(uint32_t i)
{
	return i % 4 * 10 + 4;
}

static uint32_t
func_want(uint32_t i)
{
	return i * 2 + (i + 7);
}

static uint32_t
mixed_want(uint32_t i)
{
	return i % 3 == 0 ? 100 + i : i % 3 == 1 ? 200 + i : 300 + i;
}

static uint32_t
guarded_want(uint32_t i)
{
	return i & 2 ? 5 + (i & 1) : i;
}

static void
test_spaces(struct rig *r)
{
	rig_equal(r,
		  HEAD ".shared .align 4 .b8 buf[256];\n" BEGIN
		       "mov.u32 %r4, buf; mad.lo.u32 %r5, %r1, 4, %r4; st.shared.u32 [%r5], %r1;\n"
		       "bar.sync 0; sub.u32 %r6, 63, %r1; mad.lo.u32 %r6, %r6, 4, %r4;\n"
		       "ld.shared.u32 %r7, [%r6];\n" STORE("%r7") "ret;\n}\n",
		  64, reversed, "shared memory through 32-bit addresses");
	rig_equal(r,
		  HEAD ".shared .align 4 .b32 pad[3]; .shared .align 4 .b32 buf[64];\n" BEGIN
		       "mov.u64 %rd4, buf; cvta.shared.u64 %rd4, %rd4;\n"
		       "mad.wide.u32 %rd5, %r1, 4, %rd4; st.u32 [%rd5], %r1;\n"
		       "bar.sync 0; cvta.to.shared.u64 %rd6, %rd4; sub.u32 %r6, 63, %r1;\n"
		       "mad.wide.u32 %rd6, %r6, 4, %rd6; ld.shared.u32 %r7, [%rd6];\n" STORE(
			       "%r7") "ret;\n}\n",
		  64, reversed, "shared memory through generic addresses");
	rig_equal(r,
		  HEAD BEGIN
		  ".local .align 8 .b8 depot[64];\n"
		  "mov.u64 %rd4, depot; cvta.local.u64 %rd5, %rd4; add.u32 %r4, %r1, 5;\n"
		  "st.local.u32 [depot], %r1; st.local.u32 [%rd4+4], %r4;\n"
		  "xor.b32 %r5, %r1, 9; st.u32 [%rd5+8], %r5;\n"
		  "ld.local.v2.u32 {%r6, %r7}, [%rd4]; ld.local.u32 %r8, [depot+8];\n"
		  "add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8;\n" STORE("%r6") "ret;\n}\n",
		  64, local_want, "local memory: each thread its own");
	rig_equal(r,
		  HEAD
		  ".const .u32 tab[4] = {4, 14, 24, 34};\n" BEGIN
		  "and.b32 %r4, %r1, 3; mul.wide.u32 %rd4, %r4, 4; mov.u64 %rd5, tab;\n"
		  "add.u64 %rd4, %rd4, %rd5; ld.const.u32 %r5, [%rd4];\n" STORE("%r5") "ret;\n}\n",
		  64, params_want, "constants");
	rig_equal(r,
		  HEAD ".func (.param .b32 res) twice(.param .b32 a, .param .b64 b)\n{\n"
		       ".reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
		       "ld.param.u32 %r1, [a]; ld.param.u64 %rd1, [b]; cvt.u32.u64 %r2, %rd1;\n"
		       "mad.lo.u32 %r3, %r1, 2, %r2; st.param.b32 [res+0], %r3; ret;\n}\n" BEGIN
		       "add.u32 %r4, %r1, 7; cvt.u64.u32 %rd4, %r4;\n"
		       "{ .param .b32 p0; st.param.b32 [p0+0], %r1;\n"
		       ".param .b64 p1; st.param.b64 [p1+0], %rd4;\n"
		       ".param .b32 rv; call.uni (rv), twice, (p0, p1);\n"
		       "ld.param.b32 %r5, [rv+0]; }\n" STORE("%r5") "ret;\n}\n",
		  64, func_want, "parameters of a function");
	rig_equal(r,
		  HEAD ".shared .u32 sh[64]; .global .u32 gl[64];\n" BEGIN
		       ".local .u32 lo; rem.u32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 0;\n"
		       "setp.eq.u32 %p2, %r4, 1; mul.wide.u32 %rd9, %r1, 4;\n"
		       "mov.u64 %rd4, sh; add.u64 %rd4, %rd4, %rd9; cvta.shared.u64 %rd4, %rd4;\n"
		       "mov.u64 %rd5, gl; add.u64 %rd5, %rd5, %rd9; cvta.global.u64 %rd5, %rd5;\n"
		       "mov.u64 %rd6, lo; cvta.local.u64 %rd6, %rd6;\n"
		       "add.u32 %r5, %r1, 300; selp.u32 %r6, 100, 200, %p1;\n"
		       "@%p1 add.u32 %r5, %r1, 100; @%p2 add.u32 %r5, %r1, 200;\n"
		       "@%p1 mov.u64 %rd6, %rd4; @%p2 mov.u64 %rd6, %rd5;\n"
		       "st.u32 [%rd6], %r5; ld.u32 %r7, [%rd6];\n" STORE("%r7") "ret;\n}\n",
		  64, mixed_want, "one instruction into three spaces");
	rig_equal(r,
		  HEAD
		  ".global .u32 a[7] = {0,3,6,9,12,15,18}; .global .u32 b[7] = "
		  "{1,2,4,8,16,32,64};\n" BEGIN
		  "mov.u64 %rd4, a; mov.u64 %rd5, b; and.b32 %r4, %r1, 1;\n"
		  "setp.ne.u32 %p1, %r4, 0; @%p1 mov.u64 %rd4, %rd5;\n"
		  "ld.global.u32 %r5, [%rd4+4]; ld.global.v2.u32 {%r6,%r7}, [%rd4+8];\n"
		  "mov.u32 %r8, 0; @!%p1 ld.global.u32 %r8, [%rd4+24];\n"
		  "setp.eq.u32 %p2, %r5, 3; setp.eq.and.u32 %p2, %r7, 9, %p2;\n"
		  "setp.eq.and.u32 %p2, %r8, 18, %p2; setp.eq.u32 %p3, %r5, 2;\n"
		  "setp.eq.and.u32 %p3, %r7, 8, %p3; setp.eq.and.u32 %p3, %r8, 0, %p3;\n"
		  "mov.u32 %r9, 99; @%p2 and.b32 %r9, %r1, -2; @%p3 or.b32 %r9, %r1, 1;\n" STORE(
			  "%r9") "ret;\n}\n",
		  64, lane_id, "lanes in different allocations; a guarded load leaves registers");
	rig_equal(r,
		  HEAD ".global .u64 a = 5; .global .u64 b = 6;\n" BEGIN
		       "mov.u64 %rd4, a; and.b32 %r4, %r1, 1; setp.ne.u32 %p1, %r4, 0;\n"
		       "@%p1 mov.u64 %rd4, b; cvt.u64.u32 %rd5, %r1; and.b32 %r4, %r1, 2;\n"
		       "setp.ne.u32 %p2, %r4, 0; @%p2 ld.global.u64 %rd5, [%rd4];\n"
		       "cvt.u32.u64 %r5, %rd5;\n" STORE("%r5") "ret;\n}\n",
		  64, guarded_want, "64-bit registers of lanes that are off stay");
	rig_equal(r,
		  KERNEL("mul.wide.u32 %rd4, %r1, 256; add.u64 %rd4, %rd4, %rd1;\n"
			 "mad.lo.u32 %r4, %r1, 3, 1; st.global.u32 [%rd4+256], %r4;\n"
			 "ld.global.u64 %rd4, [%rd4+256]; cvt.u32.u64 %r5, %rd4;\n" STORE(
				 "%r5") "ret;\n"),
		  64, lane_id3, "the register of the address is overwritten by its load");
}

static void
test_params(struct rig *r)
{
	static const char text[] = HEAD
		".visible .entry k(.param .u64 out, .param .align 4 .b8 s[16], .param .f32 f)\n{\n"
		".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<3>;\n"
		"ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mad.wide.u32 %rd2, %r1, 4, %rd1;\n"
		"and.b32 %r2, %r1, 3; mul.wide.u32 %rd3, %r2, 4; mov.b64 %rd4, s;\n"
		"add.u64 %rd3, %rd3, %rd4; ld.param.u32 %r3, [%rd3];\n"
		"ld.param.v2.u32 {%r4, %r5}, [s+8]; ld.param.s8 %r6, [s+12]; ld.param.f32 %f1, "
		"[f];\n"
		"add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r6; cvt.rzi.u32.f32 %r7, %f1;\n"
		"add.u32 %r3, %r3, %r7; st.global.u32 [%rd2], %r3;\n"
		"cvta.param.u64 %rd5, s; ld.u32 %r8, [%rd5+4]; st.global.u32 [%rd2+256], %r8; "
		"ret;\n}\n";
	struct {
		uint64_t out;
		uint32_t s[4];
		float f;
	} p = {0, {10, 20, 30, 200}, 7.5f};
	struct ptx_launch l = {.grid = {1, 0, 0}, .block = {32, 1, 1}, .params = &p};
	uint32_t bad = 0;

	rig_end(r);
	r->m = ptx_parse("t.ptx", text, strlen(text), &r->e);
	r->d = ptx_device_new(0, &r->e);
	if (!r->m || ptx_load(r->d, r->m, &r->e) != 0) {
		ok(false, "parameters: %s", r->e.msg);
		return;
	}
	p.out = ptx_alloc(r->d, 4096, 0, "out", &r->e);
	r->v = ptx_host(r->d, p.out, 4096, NULL);
	l.module = r->m;
	l.kernel = ptx_kernel(r->m, "k", NULL);
	ok(ptx_run(r->d, &l, NULL, &r->e) == 0, "a kernel with a structure: %s", r->e.msg);
	for (uint32_t i = 0; i < 32; i++)
		bad += r->v[i] != p.s[i % 4] + 30 + (uint32_t)(int8_t)200 + 7 || r->v[64 + i] != 20;
	ok(!bad, "parameters by name, register, vector and generic address");
}

static uint32_t
spacep_want(uint32_t i)
{
	(void)i;
	return 8421;
}

static void
test_isspacep(struct rig *r)
{
	rig_equal(r,
		  HEAD ".shared .u32 sh; .const .u32 co; .global .u32 gl;\n" BEGIN
		       ".local .u32 lo; mov.u64 %rd4, sh; cvta.shared.u64 %rd4, %rd4;\n"
		       "mov.u64 %rd5, lo; cvta.local.u64 %rd5, %rd5; cvta.const.u64 %rd6, co;\n"
		       "cvta.global.u64 %rd7, gl; mov.u32 %r9, 0;\n"
		       "isspacep.shared %p1, %rd4; @%p1 add.u32 %r9, %r9, 1;\n"
		       "isspacep.shared %p1, %rd7; @%p1 add.u32 %r9, %r9, 10000;\n"
		       "isspacep.local %p1, %rd5; @%p1 add.u32 %r9, %r9, 20;\n"
		       "isspacep.local %p1, %rd4; @%p1 add.u32 %r9, %r9, 10000;\n"
		       "isspacep.const %p1, %rd6; @%p1 add.u32 %r9, %r9, 400;\n"
		       "isspacep.const %p1, %rd7; @%p1 add.u32 %r9, %r9, 10000;\n"
		       "isspacep.global %p1, %rd7; @%p1 add.u32 %r9, %r9, 8000;\n"
		       "isspacep.global %p1, %rd4; @%p1 add.u32 %r9, %r9, 10000;\n" STORE(
			       "%r9") "ret;\n}\n",
		  33, spacep_want, "isspacep");
	rig_equal(
		r,
		KERNEL("prefetch.global.L2 [%rd1]; prefetch.global.L1 [%rd1+65536]; prefetchu.L1 "
		       "[%rd1];\n"
		       "discard.global.L2 [%rd1+1024], 128; applypriority.global.L2::evict_normal "
		       "[%rd1], 128;\n"
		       "membar.gl; membar.cta; fence.acq_rel.gpu; fence.sc.cta;\n" STORE(
			       "%r1") "ret;\n"),
		32, lane_id, "prefetch, discard and fences change nothing");
}

/* ---------------------------------------------------------------- the sink */

struct seen {
	uint32_t op, space, mask, lanes;
	uint64_t first, last;
};

struct log {
	struct seen s[32];
	uint32_t n, even;
};

static int
log_inst(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	 uint32_t mask, const uint64_t *lane, uint32_t lane_mask, struct err *e)
{
	struct log *l = ctx;

	(void)warp, (void)func, (void)e;
	if (in->op == PTX_ld || in->op == PTX_st || in->op == PTX_atom)
		l->s[l->n++ % 32] =
			(struct seen){in->op,	 in->space,	     mask,
				      lane_mask, lane ? lane[0] : 0, lane ? lane[31] : 0};
	return 0;
}

static int
log_even(void *ctx, uint32_t warp, const struct prog_func *func, const struct prog_inst *in,
	 uint64_t first, int32_t step, struct err *e)
{
	struct log *l = ctx;

	(void)warp, (void)func, (void)e;
	l->even++;
	l->s[l->n++ % 32] = (struct seen){in->op,     in->space, UINT32_MAX,
					  UINT32_MAX, first,	 first + 31 * (uint64_t)step};
	return 0;
}

static void
test_sink(struct rig *r)
{
	struct log l = {.n = 0};
	struct ptx_sink sink = {.ctx = &l, SINK_QUIET, .inst = log_inst};
	struct log each;
	const struct seen *s = l.s;
	static const char text[] = HEAD
		".shared .u32 sh[64]; .const .u32 co[2];\n" BEGIN
		"ld.const.u32 %r9, [co+4]; mov.u64 %rd6, co; and.b32 %r8, %r1, 1;\n"
		"mad.wide.u32 %rd6, %r8, 4, %rd6; ld.const.u32 %r9, [%rd6];\n"
		".local .b8 lo[32]; shl.b32 %r4, %r1, 2; mov.u32 %r5, sh; add.u32 %r5, %r5, %r4;\n"
		"mov.u64 %rd4, lo; st.global.u32 [%rd2], %r1; st.shared.u32 [%r5], %r1;\n"
		"st.local.u32 [%rd4+4], %r1; setp.ne.u32 %p1, %r1, 31;\n"
		"@%p1 ld.global.u32 %r7, [%rd2+64]; atom.shared.add.u32 %r8, [sh+8], 1;\n"
		"ret;\n}\n";

	r->sink = &sink;
	rig_run(r, text, 1, 32);
	each = l;
	l = (struct log){.n = 0};
	sink.even = log_even;
	rig_run(r, text, 1, 32);
	r->sink = NULL;
	is_u64(l.even, 3, "loads and stores of full warps by one step are told as such");
	ok(memcmp(l.s, each.s, sizeof(l.s)) == 0, "and are the same");
	is_u64(l.n, 8, "eight accesses are told");
	ok(s[0].op == PTX_ld && s[0].lanes == 0, "ld.param of a constant address has none");
	ok(s[1].lanes == 0, "nor has ld.const");
	ok(s[2].lanes == UINT32_MAX && s[2].last == s[2].first + 4, "but with an index it has");
	ok(s[3].lanes == UINT32_MAX && s[3].first == r->out && s[3].last == r->out + 124,
	   "global addresses");
	ok(s[4].first == PTX_SHARED_BASE && s[4].last == PTX_SHARED_BASE + 124, "shared addresses");
	ok(s[5].first == s[5].last && s[5].first - PTX_LOCAL_BASE < 64,
	   "local addresses count from the thread's own start");
	ok(s[6].lanes == 0x7fffffff && s[6].first == r->out + 64, "only lanes that are on");
	ok(s[7].first == PTX_SHARED_BASE + 8 && s[7].last == PTX_SHARED_BASE + 8, "atom");
}

/* ---------------------------------------------------------------- faults */

static void
test_faults(struct rig *r)
{
	FAILS(r, 32, 0, KERNEL("add.u64 %rd2, %rd2, 65472; ld.global.f32 %r4, [%rd2]; ret;\n"),
	      "ld.global.f32: 4 bytes at 0x",
	      "are outside of every allocation; nearest: 'out' of 65536 bytes at 0x",
	      ", 0 bytes past its end", "kernel k, CTA 0,0,0, thread 16,0,0");
	FAILS(r, 1, 0, KERNEL("st.global.v4.u32 [%rd1+-32], {%r1,%r1,%r1,%r1}; ret;\n"),
	      "st.global.v4.u32: 16 bytes at 0x", ", 32 bytes before its start");
	FAILS(r, 1, 0, KERNEL("ld.global.u64 %rd4, [%rd1+65532]; ret;\n"),
	      "ld.global.u64: 8 bytes at 0x",
	      "are partly outside of an allocation: 'out' of 65536 bytes at 0x",
	      "which ends 4 bytes later");
	FAILS(r, 1, 0, KERNEL("mov.u64 %rd4, 8; ld.u32 %r4, [%rd4+4]; ret;\n"),
	      "ld.u32: 4 bytes at 0xc: a null pointer");
	FAILS(r, 1, 0, KERNEL("mov.u64 %rd4, 0x1fffffffff00; ld.global.u8 %r4, [%rd4]; ret;\n"),
	      "ld.global.u8: 1 byte at 0x1fffffffff00 are outside", "256 bytes before its start");
	FAILS(r, 32, 0,
	      HEAD ".const .u32 tab[32];\n" BEGIN
		   "mov.u64 %rd4, tab; mad.wide.u32 %rd4, %r1, 4, %rd4; st.global.u32 [%rd4], %r1; "
		   "ret;\n}\n",
	      "st.global.u32: write to constant memory at 0x", "'tab' of 128 bytes at 0x");
	FAILS(r, 32, 0, KERNEL("st.global.u32 [%rd2+2], %r1; ret;\n"), "st.global.u32: address 0x",
	      "is misaligned: not a multiple of 4");
	FAILS(r, 32, 0, KERNEL("ld.global.u32 %r4, [%rd2+1]; ret;\n"), "ld.global.u32: address 0x",
	      "is misaligned: not a multiple of 4");
	FAILS(r, 33, 0, KERNEL("add.u64 %rd2, %rd2, 2; ld.global.u32 %r4, [%rd2]; ret;\n"),
	      "ld.global.u32: address 0x", "is misaligned: not a multiple of 4", "thread 0,0,0");
	FAILS(r, 1, 0, KERNEL("st.global.v2.f32 [%rd1+4], {%r1, %r1}; ret;\n"),
	      "st.global.v2.f32: address 0x", "is misaligned: not a multiple of 8");
	FAILS(r, 1, 0,
	      HEAD ".const .u32 tab[4];\n" BEGIN
		   "mov.u64 %rd4, tab; cvta.const.u64 %rd4, %rd4; st.u32 [%rd4+4], %r1; ret;\n}\n",
	      "st.u32: write to constant memory at 0x", "'tab' of 16 bytes at 0x");
	FAILS(r, 1, 0,
	      HEAD ".const .u32 tab[4];\n" BEGIN
		   "mov.u64 %rd4, tab; red.global.add.u32 [%rd4+4], %r1; ret;\n}\n",
	      "red.global.u32: write to constant memory at 0x");
	FAILS(r, 33, 0,
	      HEAD
	      ".shared .u32 sh[16];\n" BEGIN
	      "mov.u32 %r4, sh; mad.lo.u32 %r4, %r1, 4, %r4; st.shared.u32 [%r4], %r1; ret;\n}\n",
	      "st.shared.u32: 4 bytes at shared address 0x40 are outside of the CTA's 64 bytes of "
	      "shared "
	      "memory",
	      "thread 16,0,0");
	FAILS(r, 1, 0,
	      HEAD ".shared .u32 sh[16];\n" BEGIN
		   "cvta.shared.u64 %rd4, sh; ld.u16 %r4, [%rd4+65]; ret;\n}\n",
	      "ld.u16: 2 bytes at shared address 0x41 are outside of the CTA's 64");
	FAILS(r, 2, 0,
	      KERNEL(".local .u32 lo; mov.u64 %rd4, 0x100000; ld.local.u32 %r4, [%rd4]; ret;\n"),
	      "ld.local.u32: 4 bytes at local address 0x100000 are outside of the thread's",
	      "bytes of local memory and stack");
	FAILS(r, 2, 0, KERNEL("mov.u64 %rd4, 12; ld.param.u32 %r4, [%rd4]; ret;\n"),
	      "ld.param.u32: 4 bytes at parameter address 0xc are outside of the kernel's 8 bytes "
	      "of "
	      "parameters");
	FAILS(r, 1, 0,
	      KERNEL(".local .u32 lo; mov.u64 %rd4, lo; cvta.local.u64 %rd4, %rd4;\n"
		     "atom.add.u32 %r4, [%rd4], 1; ret;\n"),
	      "atom.u32: atomic operation on local memory at 0x7f1000000000");
	FAILS(r, 1, 0, KERNEL("discard.global.L2 [%rd1+64], 128; ret;\n"),
	      "discard.global: address 0x", "is misaligned: not a multiple of 128");
}

static void
test_refused(struct rig *r)
{
	FAILS(r, 1, 0, KERNEL("ld.global.b128 %rd4, [%rd1]; ret;\n"), "'%rd4' has no element 2");
	FAILS(r, 1, 0, KERNEL(".reg .b128 %q<2>; ld.global.v2.b128 {%q0, %q1}, [%rd1]; ret;\n"),
	      "expected a type such as .u32");
	FAILS(r, 1, 0, KERNEL(".reg .b128 %q; mov.b64 %rd4, %q; ret;\n"), "'%q' is a vector");
	FAILS(r, 1, 0, KERNEL("ld.global.v8.f32 {%r4,%r5,%r6,%r7}, [%rd1]; ret;\n"),
	      "expected 8 registers in braces");
	FAILS(r, 1, 0, KERNEL("ld.global.v8.u8 {%r4,%r5,%r6,%r7,%r4,%r5,%r6,%r7}, [%rd1]; ret;\n"),
	      "a vector of 8 has elements of 32 bits");
	FAILS(r, 1, 0, KERNEL("ld.v4.u64 {%rd4,%rd5,%rd6,%rd7}, [%rd1]; ret;\n"),
	      "an access of 32 bytes is for .global");
	FAILS(r, 1, 0,
	      KERNEL("ld.global.v8.f32 {%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}, [%rd1+16]; ret;\n"),
	      "ld.global.v8.f32: address 0x", "is misaligned: not a multiple of 32");
	FAILS(r, 1, 0, KERNEL("st.global.v4.u64 [%rd1+65536], {%rd4,%rd5,%rd6,%rd7}; ret;\n"),
	      "st.global.v4.u64: 32 bytes at 0x");
	FAILS(r, 1, 0, KERNEL("st.const.u32 [%rd1], %r1; ret;\n"), "cannot access .const");
	FAILS(r, 1, 0, KERNEL("st.param.u32 [out], %r1; ret;\n"),
	      "cannot write the parameters of a kernel");
	FAILS(r, 1, 0, KERNEL("ld.global.u32 %r4, [%r1]; ret;\n"),
	      "a 32-bit address of global, constant or generic memory is not supported");
	FAILS(r, 1, 0, KERNEL("ld.global.u32 {%r4, %r5}, [%rd1]; ret;\n"), "expected 1 register");
	FAILS(r, 1, 0, KERNEL("ld.global.v2.u32 %r4, [%rd1]; ret;\n"), "ld.global.v2.u32");
	FAILS(r, 1, 0, HEAD ".shared .u32 sh;\n" BEGIN "ld.global.u32 %r4, [sh]; ret;\n}\n",
	      "variable 'sh' is in .shared, not in .global");
	FAILS(r, 1, 0, KERNEL("cvta.shared.u32 %r4, %r1; ret;\n"),
	      "a 32-bit generic address is not supported");
	FAILS(r, 1, 0, KERNEL("ld.global.u32 %r4, %rd1; ret;\n"), "must be an address in brackets");
	FAILS(r, 1, 0, KERNEL("ld.global %r4, [%rd1]; ret;\n"), "expected a type such as .u32");
	FAILS(r, 1, 0, KERNEL("ld.global.ftz.u32 %r4, [%rd1]; ret;\n"), "ftz");
	FAILS(r, 1, 0, KERNEL("prefetch.shared.L1 [%r1]; ret;\n"), "expected .global or .local");
	FAILS(r, 1, 0, KERNEL("discard.global.L2 [%rd1], 64; ret;\n"), "the size must be 128");
}

int
main(void)
{
	struct rig r = {0};

	test_spaces(&r);
	test_params(&r);
	test_isspacep(&r);
	test_sink(&r);
	test_faults(&r);
	test_refused(&r);
	rig_end(&r);
	return done();
}
