/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp.c - barriers, and exchange between lanes, compared with plain C for random values and masks.
 */
#include "tests/record/ptx/rig.h"

/* ---------------------------------------------------------------- barriers */

/* Reverses 200 numbers through shared memory, with 7 warps. */
static uint32_t
reversed(uint32_t i)
{
	return (199 - i) * 3;
}

static const char reverse_ptx[] =
	KERNEL(".shared .align 4 .b8 s[800]; mov.u32 %r10, s; shl.b32 %r4, %r1, 2;\n"
	       "add.u32 %r5, %r10, %r4; mul.lo.u32 %r6, %r1, 3; st.shared.u32 [%r5], %r6;\n"
	       "bar.sync 0; sub.u32 %r7, 796, %r4; add.u32 %r7, %r10, %r7;\n"
	       "ld.shared.u32 %r8, [%r7];\n" STORE("%r8") "ret;\n");

/* Warp 1 produces for warp 0: arrive and sync on barrier 1 with a count; the warps after them leave
 * at once. */
static uint32_t
produced(uint32_t i)
{
	return i < 32 ? 100 + i : 0;
}

static const char arrive_ptx[] =
	KERNEL(".shared .align 4 .b8 s[256]; mov.u32 %r10, s; mov.u32 %r4, %warpid;\n"
	       "and.b32 %r5, %r1, 31; mad.lo.u32 %r6, %r5, 4, %r10; mov.u32 %r11, 64;\n"
	       "setp.gt.u32 %p1, %r4, 1; @%p1 bra OUT; setp.eq.u32 %p1, %r4, 1; @%p1 bra MAKE;\n"
	       "bar.sync 1, %r11; ld.shared.u32 %r7, [%r6];\n" STORE(
		       "%r7") "bra OUT;\n"
			      "MAKE: add.u32 %r7, %r5, 100; st.shared.u32 [%r6], %r7; "
			      "barrier.cta.arrive.aligned 1, "
			      "%r11;\nOUT: ret;\n");

static uint32_t
reduced(uint32_t i ATTR_UNUSED)
{
	return 14 * 1000 + 0 + 10 + 1; /* multiples of 7 below 96; not all; some; all below 96 */
}

static const char red_ptx[] =
	KERNEL("rem.u32 %r4, %r1, 7; setp.eq.u32 %p1, %r4, 0; mov.u32 %r10, 0;\n"
	       "bar.red.popc.u32 %r5, 0, %p1; bar.red.and.pred %p2, 0, %p1;\n"
	       "barrier.cta.red.or.aligned.pred %p3, 1, 96, %p1; setp.gt.u32 %p4, %r1, 95;\n"
	       "bar.red.and.pred %p5, 2, !%p4; mul.lo.u32 %r10, %r5, 1000;\n"
	       "@%p2 add.u32 %r10, %r10, 100; @%p3 add.u32 %r10, %r10, 10;\n"
	       "@%p5 add.u32 %r10, %r10, 1;\n" STORE("%r10") "ret;\n");

/* Warp 0 waits for warp 1 by reading memory: the warps take turns. */
static uint32_t
spun(uint32_t i)
{
	return i ? 0 : 7;
}

static const char spin_ptx[] =
	KERNEL(".shared .align 4 .b32 flag; setp.eq.u32 %p1, %r1, 32; setp.ne.u32 %p2, %r1, 0;\n"
	       "@%p1 st.volatile.shared.u32 [flag], 7; @%p2 bra OUT;\n"
	       "L: nanosleep.u32 20; ld.volatile.shared.u32 %r5, [flag]; setp.eq.u32 %p3, %r5, 0;\n"
	       "@%p3 bra L;\n" STORE("%r5") "OUT: ret;\n");

static void
test_barriers(struct rig *r)
{
	r->max_insns = 1000000; /* an endless spin soon becomes a fault */
	rig_equal(r, reverse_ptx, 200, reversed, "bar.sync of 7 warps, the last one short");
	rig_equal(r, arrive_ptx, 128, produced, "arrive and sync with a thread count");
	rig_equal(r, red_ptx, 96, reduced, "bar.red popc, and, or");
	rig_equal(r, spin_ptx, 64, spun, "one warp spins until another one writes");
	FAILS(r, 64, 0,
	      KERNEL("setp.lt.u32 %p1, %r1, 40; @%p1 bra L;\nbar.sync 0;\nret;\nL: bar.sync 1; "
		     "ret;\n"),
	      "divergent barrier: thread 40,0,0", "thread 32,0,0", "at line 10");
	FAILS(r, 64, 0, KERNEL("setp.lt.u32 %p1, %r1, 40;\n@%p1 bar.arrive 0, 64; ret;\n"),
	      "divergent barrier: thread 40,0,0", "its guard");
	FAILS(r, 64, 0,
	      KERNEL("setp.lt.u32 %p1, %r1, 32; @%p1 bra L;\nbar.sync 1; ret;\nL: bar.sync 0; "
		     "ret;\n"),
	      "deadlock", "barrier 0 has 32 of 64 threads", "warp 0 at barrier 0, line 11",
	      "warp 1 at barrier 1, line 10");
	FAILS(r, 64, 0, KERNEL("mov.u32 %r4, 96;\nbar.sync 3, %r4; ret;\n"), "deadlock",
	      "barrier 3 has 64 of 96 threads");
	FAILS(r, 64, 0, KERNEL("bar.sync 3, 33; ret;\n"), "not a multiple of 32");
	FAILS(r, 64, 0, KERNEL("bar.arrive 3, 64; bar.sync 3, 64; ret;\n"), "has arrived already");
	FAILS(r, 64, 0, KERNEL("mov.u32 %r4, 16; bar.sync %r4; ret;\n"), "barrier 16");
	FAILS(r, 64, 0, KERNEL("bar.sync %r1; ret;\n"), "the barrier is 1 here");
	FAILS(r, 64, 0,
	      KERNEL("setp.lt.u32 %p1, %r1, 32; @%p1 bra L; bar.sync 1, 64; ret;\nL: bar.sync 1; "
		     "ret;\n"),
	      "64 threads expected here");
}

/* ---------------------------------------------------------------- lanes apart */

/* Threads 50 and above return first. The others put their number into shared memory and read that
 * of their mirror image, over two barriers, twice. */
static const char early_ptx[] =
	KERNEL(".shared .align 4 .b8 s[400]; setp.ge.u32 %p1, %r1, 50; mov.u32 %r4, s;\n"
	       "@%p1 bra OUT; shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r4; mov.u32 %r6, 0;\n"
	       "L: add.u32 %r7, %r1, %r6; st.shared.u32 [%r5], %r7; bar.sync 0;\n"
	       "sub.u32 %r8, 49, %r1; shl.b32 %r8, %r8, 2; add.u32 %r8, %r8, %r4;\n"
	       "ld.shared.u32 %r9, [%r8]; bar.sync 0; add.u32 %r6, %r6, 100;\n"
	       "setp.lt.u32 %p2, %r6, 200; @%p2 bra L;\n" STORE("%r9") "OUT: ret;\n");

static uint32_t
early(uint32_t i)
{
	return i < 50 ? 149 - i : 0;
}

/* Both sides of a branch have their own barrier; then all lanes shuffle. */
static const char sides_ptx[] = KERNEL(
	".shared .align 4 .b8 s[400]; mov.u32 %r4, s; shl.b32 %r5, %r1, 2;\n"
	"add.u32 %r5, %r5, %r4; st.shared.u32 [%r5], %r1; and.b32 %r6, %r1, 1;\n"
	"setp.eq.u32 %p1, %r6, 0; @%p1 bra E;\n"
	"bar.red.popc.u32 %r10, 0, %p1; ld.shared.u32 %r7, [%r5+-4]; bra J;\n"
	"E: bar.red.popc.u32 %r10, 0, %p1; ld.shared.u32 %r7, [%r5+4];\n"
	"J: shfl.sync.bfly.b32 %r8, %r7, 1, 31, -1; mad.lo.u32 %r8, %r10, 1000, %r8;\n" STORE(
		"%r8") "ret;\n");

static uint32_t
sides(uint32_t i)
{
	return 32 * 1000 + i;
}

/* Every thread of a warp takes a lock, adds its number to a sum without atomics, and releases it.
 */
static const char lock_ptx[] =
	KERNEL(".shared .align 4 .u32 lock; .shared .align 4 .u32 sum;\n"
	       "L: atom.shared.cas.b32 %r5, [lock], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;\n"
	       "ld.volatile.shared.u32 %r6, [sum]; add.u32 %r6, %r6, %r1;\n"
	       "st.volatile.shared.u32 [sum], %r6; atom.shared.exch.b32 %r5, [lock], 0;\n"
	       "bar.sync 0; ld.shared.u32 %r7, [sum];\n" STORE("%r7") "ret;\n");

static uint32_t
locked(uint32_t i ATTR_UNUSED)
{
	return 40 * 39 / 2;
}

/* The same, and each thread counts its attempts, with longer and longer pauses: no two rounds of
 * the loop have the same registers. */
static const char counted_ptx[] =
	KERNEL(".shared .align 4 .u32 lock; .shared .align 4 .u32 sum; mov.u32 %r8, 8;\n"
	       "L: nanosleep.u32 %r8; add.u32 %r8, %r8, 3; atom.shared.cas.b32 %r5, [lock], 0, 1;\n"
	       "setp.ne.u32 %p1, %r5, 0; @%p1 bra L;\n"
	       "ld.volatile.shared.u32 %r6, [sum]; add.u32 %r6, %r6, %r1;\n"
	       "st.volatile.shared.u32 [sum], %r6; atom.shared.exch.b32 %r5, [lock], 0;\n"
	       "bar.sync 0; ld.shared.u32 %r7, [sum];\n" STORE("%r7") "ret;\n");

/* Lanes reach the same shfl.sync in two groups. */
static const char groups_ptx[] =
	KERNEL(".shared .align 4 .u32 flag; setp.lt.u32 %p1, %r1, 7; @!%p1 bra W;\n"
	       "st.volatile.shared.u32 [flag], 1; bra J;\n"
	       "W: ld.volatile.shared.u32 %r5, [flag]; setp.eq.u32 %p2, %r5, 0; @%p2 bra W;\n"
	       "J: shfl.sync.idx.b32 %r6, %r1, 31, 31, -1; vote.sync.ballot.b32 %r7, %p1, -1;\n"
	       "add.u32 %r6, %r6, %r7; @%p1 bra K; add.u32 %r6, %r6, 1;\n"
	       "K: add.u32 %r6, %r6, 2;\n" STORE("%r6") "ret;\n");

static uint32_t
grouped(uint32_t i)
{
	return 31 + 127 + 2 + (i >= 7);
}

/* The sum idiom of NVIDIA's reduction: four lanes add values from sixteen steps away. */
static const char sum_ptx[] =
	KERNEL("add.u32 %r4, %r1, 100; setp.ge.u32 %p1, %r1, 4; @%p1 bra OUT;\n"
	       "shfl.sync.down.b32 %r5, %r4, 16, 31, 15; add.u32 %r4, %r4, %r5;\n"
	       "shfl.sync.down.b32 %r5, %r4, 2, 31, 15; add.u32 %r4, %r4, %r5;\n"
	       "shfl.sync.down.b32 %r5, %r4, 1, 31, 15; add.u32 %r4, %r4, %r5;\n" STORE(
		       "%r4") "OUT: ret;\n");

static uint32_t
summed(uint32_t i)
{
	static const uint32_t want[4] = {406, 101 + 103 + 102, 102 + 103, 103};

	return i < 4 ? want[i] : 0;
}

/* Two sides of a branch exchange numbers through shared memory, with a bar.warp.sync each, twice.
 */
static const char phases_ptx[] = KERNEL(
	".shared .align 4 .b8 s[256]; mov.u32 %r4, s; shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r4;\n"
	"xor.b32 %r6, %r5, 64; setp.lt.u32 %p1, %r1, 16; @%p1 bra A;\n"
	"add.u32 %r7, %r1, 100; st.shared.u32 [%r5], %r7; bar.warp.sync -1; ld.shared.u32 %r8, "
	"[%r6];\n"
	"st.shared.u32 [%r5+128], %r8; bar.warp.sync -1; ld.shared.u32 %r9, [%r6+128]; bra J;\n"
	"A: add.u32 %r7, %r1, 200; st.shared.u32 [%r5], %r7; bar.warp.sync -1; ld.shared.u32 %r8, "
	"[%r6];\n"
	"add.u32 %r8, %r8, 1000; st.shared.u32 [%r5+128], %r8; bar.warp.sync -1;\n"
	"ld.shared.u32 %r9, [%r6+128];\nJ: add.u32 %r9, %r9, %r8;\n" STORE("%r9") "ret;\n");

static uint32_t
phased(uint32_t i)
{
	return i < 16 ? (i + 16 + 100 + 1000) + (i + 200) : (i - 16 + 200) + (i + 100 + 1000);
}

/* A spin has separated even from odd lanes. The odd lanes from 8 on have left, and the others will
 * meet them again, so that the two groups have different paths. They shuffle together. */
static const char unlike_ptx[] =
	KERNEL(".shared .align 4 .u32 flag; setp.lt.u32 %p1, %r1, 8; and.b32 %r6, %r1, 1;\n"
	       "setp.ne.u32 %p3, %r6, 0; @!%p1 bra W;\nst.volatile.shared.u32 [flag], 1; bra J;\n"
	       "W: ld.volatile.shared.u32 %r5, [flag]; setp.eq.u32 %p2, %r5, 0; @%p2 bra W;\n"
	       "J: mov.u32 %r7, 0; setp.ge.u32 %p1, %r1, 8; @%p1 bra K;\n"
	       "K: and.pred %p4, %p1, %p3; @%p4 bra OUT; mov.u32 %r10, 0x550000ff;\n"
	       "or.b32 %r10, %r10, 0x00555500;\n"
	       "shfl.sync.bfly.b32 %r7, %r1, 24, 31, %r10;\nOUT: " STORE("%r7") "ret;\n");

static uint32_t
unlike(uint32_t i)
{
	uint32_t from = i ^ 24;

	return i >= 8 && i % 2 ? 0 : from < 8 || from % 2 == 0 ? from : 0;
}

/* Each lane reads from those below it, and counts. */
static const char below_ptx[] = KERNEL(
	"setp.ge.u32 %p1, %r1, 3; mov.u32 %r5, %lanemask_lt;\n"
	"vote.sync.ballot.b32 %r6, %p1, %r5; popc.b32 %r6, %r6;\n"
	"redux.sync.add.u32 %r7, %r1, %r5; mad.lo.u32 %r6, %r7, 100, %r6;\n" STORE("%r6") "ret;\n");

static uint32_t
below(uint32_t i)
{
	return (i > 3 ? i - 3 : 0) + 100 * (i * (i - 1) / 2);
}

/* Lane 5 waits for all others, which are at a barrier or have ended. */
static const char never_ptx[] =
	KERNEL("setp.eq.u32 %p1, %r1, 5; setp.gt.u32 %p2, %r1, 7; mov.u32 %r6, 9; @%p2 bra OUT;\n"
	       "@!%p1 bra B;\nvote.sync.ballot.b32 %r6, %p1, -1;\nB: bar.sync 0;\n" STORE(
		       "%r6") "OUT: ret;\n");

static uint32_t
never(uint32_t i)
{
	return i > 7 ? 0 : i == 5 ? 32 : 9;
}

static void
test_masks(struct rig *r)
{
	r->max_insns = 10000000;
	rig_equal(r, phases_ptx, 32, phased, "two sides of a branch meet, a bar.warp.sync each");
	rig_equal(r, unlike_ptx, 32, unlike, "lanes that were parted shuffle at one instruction");
	rig_equal(r, below_ptx, 32, below, "a lane need not be in its own member mask");
	rig_equal(r, never_ptx, 64, never, "a lane that waits at a barrier is not waited for");
}

static void
test_apart(struct rig *r)
{
	r->max_insns = 10000000;
	rig_equal(r, early_ptx, 96, early,
		  "threads that return before a barrier are not waited for");
	rig_equal(r, sides_ptx, 64, sides, "barriers on both sides of a branch, a shuffle behind");
	rig_equal(r, lock_ptx, 40, locked, "a lock that lanes of one warp take in turn");
	r->max_insns = 20000000;
	rig_equal(r, counted_ptx, 40, locked, "a lock whose spinning lanes count their turns");
	rig_equal(r, groups_ptx, 32, grouped, "lanes that wait in a loop for others of their warp");
	rig_equal(r, sum_ptx, 32, summed, "shfl of lanes that are not here is 0");
	r->checks = CHECK_SHFL;
	FAILS(r, 32, 0, sum_ptx, "shfl: lane 0 reads lane 16", "which is at line");
	r->checks = 0;
}

/* ---------------------------------------------------------------- lanes */

struct lanes {
	uint32_t a[32], b[32], c[32]; /* inputs */
	uint32_t mask;		      /* lanes that execute */
};

static uint64_t seed = 88172645463325252ull;

static uint32_t
next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 16);
}

/* Runs op on one warp for the lanes of x->mask: inputs %r11 %r12 %r13, member mask %r14; results
 * %r15 and predicate %p5. Lanes that do not execute have 0xabcd and false. */
static bool
run_op(struct rig *r, const char *op, const struct lanes *x, uint32_t d[32], uint32_t *p)
{
	char text[4000];
	uint32_t i;
	uint32_t *host;
	struct ptx_launch l = {.grid = {1, 1, 1}, .block = {32, 1, 1}};

	snprintf(text, sizeof(text), "%s%u%s%s%s",
		 HEAD BEGIN "ld.global.u32 %r11, [%rd2+1024]; ld.global.u32 %r12, [%rd2+2048];\n"
			    "ld.global.u32 %r13, [%rd2+3072]; mov.u32 %r14, ",
		 x->mask,
		 ";\nmov.b64 %rd11, {%r11, %r12}; shr.u32 %r16, %r14, %r1;\n"
		 "and.b32 %r16, %r16, 1; setp.ne.u32 %p1, %r16, 0; mov.u32 %r15, 0xabcd;\n"
		 "setp.lt.s32 %p2, %r11, 0; setp.ne.u32 %p5, %r1, %r1;\n@!%p1 bra SKIP;\n",
		 op,
		 "\nSKIP:\n" STORE("%r15") "selp.u32 %r17, 1, 0, %p5;\n"
					   "st.global.u32 [%rd2+4096], %r17; ret;\n}\n");
	rig_end(r);
	err_clear(&r->e);
	r->m = ptx_parse("op.ptx", text, strlen(text), &r->e);
	r->d = ptx_device_new(1 << 20, &r->e);
	if (!r->m || !r->d || ptx_load(r->d, r->m, &r->e)) {
		diag("%s: %s", op, r->e.msg);
		return false;
	}
	r->out = ptx_alloc(r->d, OUT_BYTES, 0, "out", &r->e);
	host = ptx_host(r->d, r->out, OUT_BYTES, &r->e);
	memcpy(host + 256, x->a, 128);
	memcpy(host + 512, x->b, 128);
	memcpy(host + 768, x->c, 128);
	l.module = r->m;
	l.kernel = ptx_kernel(r->m, "k", &r->e);
	l.params = &r->out;
	if (ptx_run(r->d, &l, &r->n, &r->e)) {
		diag("%s: %s", op, r->e.msg);
		return false;
	}
	memcpy(d, host, 128);
	for (*p = i = 0; i < 32; i++)
		*p |= host[1024 + i] << i;
	return true;
}

static void
random_lanes(struct lanes *x, uint32_t range)
{
	uint32_t i;

	for (i = 0; i < 32; i++) {
		x->a[i] = next_random() % range;
		x->b[i] = next_random() % 40;
		x->c[i] = (next_random() % 32) | (next_random() % 32) << 8;
	}
	x->mask = next_random() % 4 ? next_random() | 1 : UINT32_MAX;
}

/* What the ISA's pseudocode says, one lane after the other. */
static bool
shfl_isa(const char *mode, const struct lanes *x, uint32_t lane, uint32_t *d)
{
	int l = (int)lane, bval = (int)(x->b[lane] & 31), cval = (int)(x->c[lane] & 31);
	int mask = (int)(x->c[lane] >> 8 & 31), max_lane = (l & mask) | (cval & ~mask & 31);
	int min_lane = l & mask, j;
	bool p;

	if (!strcmp(mode, "up")) {
		j = l - bval;
		p = j >= max_lane;
	} else if (!strcmp(mode, "down")) {
		j = l + bval;
		p = j <= max_lane;
	} else if (!strcmp(mode, "bfly")) {
		j = l ^ bval;
		p = j <= max_lane;
	} else {
		j = min_lane | (bval & ~mask);
		p = j <= max_lane;
	}
	/* 0 for inactive lanes. */
	*d = x->mask >> (p ? j : l) & 1 ? x->a[p ? j : l] : 0;
	return p;
}

static void
test_shfl(struct rig *r)
{
	static const char *const mode[] = {"up", "down", "bfly", "idx"};
	struct lanes x;
	uint32_t d[32], want, p, k, i, bad = 0;
	char op[200];

	for (k = 0; k < 48; k++) {
		random_lanes(&x, UINT32_MAX);
		snprintf(op, sizeof(op),
			 k & 4 ? "shfl.sync.%s.b32 %%r15|%%p5, %%r11, %%r12, %%r13, %%r14;"
			       : "shfl.%s.b32 %%r15|%%p5, %%r11, %%r12, %%r13;",
			 mode[k % 4]);
		if (!run_op(r, op, &x, d, &p))
			break;
		for (i = 0; i < 32; i++) {
			bool here = x.mask >> i & 1, good = shfl_isa(mode[k % 4], &x, i, &want);

			if (d[i] != (here ? want : 0xabcd) || (p >> i & 1) != (here && good)) {
				if (!bad++)
					diag("%s lane %u: %x, want %x", op, i, d[i], want);
			}
		}
	}
	is_u64(k, 48, "shfl ran with all modes");
	is_u64(bad, 0, "shfl is what the ISA says, for random segments, clamps and lanes");
	x.mask = UINT32_MAX;
	for (i = 0; i < 32; i++)
		x.a[i] = i;
	run_op(r, "shfl.sync.down.b32 %r15, %r11, 16, 31, -1;", &x, d, &p);
	ok(d[3] == 19 && d[20] == 20, "shfl.down by 16 as __shfl_down_sync has it");
	run_op(r, "shfl.sync.up.b32 %r15, %r11, 1, 0, -1;", &x, d, &p);
	ok(d[0] == 0 && d[31] == 30, "shfl.up by 1 as __shfl_up_sync has it");
	run_op(r, "shfl.sync.bfly.b32 %r11, %r11, 1, 0x1f, -1; mov.u32 %r15, %r11;", &x, d, &p);
	ok(d[0] == 1 && d[31] == 30, "shfl.bfly in place");
}

static uint32_t
vote_want(const struct lanes *x, int mode)
{
	uint32_t p = 0, i;

	for (i = 0; i < 32; i++)
		p |= (x->a[i] >> 31 & x->mask >> i & 1) << i;
	switch (mode) {
	case 0:
		return p == x->mask;
	case 1:
		return p != 0;
	case 2:
		return p == x->mask || p == 0;
	default:
		return p;
	}
}

static void
test_vote(struct rig *r)
{
	static const char *const op[] = {"vote.sync.all.pred %p5, %p2, %r14;",
					 "vote.sync.any.pred %p5, %p2, %r14;",
					 "vote.sync.uni.pred %p5, %p2, %r14;",
					 "vote.sync.ballot.b32 %r15, %p2, %r14;",
					 "vote.all.pred %p5, %p2;",
					 "vote.any.pred %p5, %p2;",
					 "vote.uni.pred %p5, %p2;",
					 "vote.ballot.b32 %r15, %p2;"};
	struct lanes x;
	uint32_t d[32], p, k, i, bad = 0;

	for (k = 0; k < 48; k++) {
		uint32_t want;

		random_lanes(&x, UINT32_MAX);
		for (i = 0; k % 3 && i < 32; i++) /* all or none */
			x.a[i] = k % 3 == 1 ? UINT32_MAX : 0;
		want = vote_want(&x, k % 4);
		if (!run_op(r, op[k % 8], &x, d, &p))
			break;
		if (k % 4 == 3) {
			for (i = 0; i < 32; i++)
				bad += d[i] != (x.mask >> i & 1 ? want : 0xabcd);
		} else {
			bad += p != (want ? x.mask : 0);
		}
		if (bad)
			break;
	}
	is_u64(k, 48, "vote all, any, uni, ballot, with and without .sync");
	x.mask = 0x00ff00ff;
	run_op(r, "vote.sync.any.pred %p5, !%p2, %r14;", &x, d, &p);
	is_u64(p, vote_want(&x, 0) ? 0 : x.mask, "vote of a negated predicate");
	/* two halves of the warp as members at the same time */
	x.mask = UINT32_MAX;
	for (i = 0; i < 32; i++)
		x.a[i] = i < 16 || i == 20 ? UINT32_MAX : 0;
	run_op(r,
	       "setp.lt.u32 %p3, %r1, 16; selp.b32 %r14, 0xffff, 0xffff0000, %p3;\n"
	       "vote.sync.ballot.b32 %r15, %p2, %r14;",
	       &x, d, &p);
	ok(d[0] == 0xffff && d[31] == 1u << 20, "two sets of members at one instruction");
}

static void
test_match(struct rig *r)
{
	struct lanes x;
	uint32_t d[32], p, k, i, j, bad = 0, want;

	for (k = 0; k < 12; k++) {
		random_lanes(&x, 5);
		for (i = 0; i < 32; i++)
			x.b[i] %= 2;
		if (!run_op(r,
			    k & 1 ? "match.any.sync.b64 %r15, %rd11, %r14;"
				  : "match.any.sync.b32 %r15, %r11, %r14;",
			    &x, d, &p))
			break;
		for (i = 0; i < 32; i++) {
			for (j = want = 0; j < 32; j++)
				want |= (uint32_t)(x.a[j] == x.a[i] &&
						   (!(k & 1) || x.b[j] == x.b[i]))
					<< j;
			bad += d[i] != (x.mask >> i & 1 ? want & x.mask : 0xabcd);
		}
	}
	ok(k == 12 && bad == 0, "match.any of 32 and 64 bits");
	for (k = 0; k < 6; k++) {
		random_lanes(&x, k & 1 ? 1 : 2);
		x.mask |= 0xff;
		x.a[3] = k & 1 ? x.a[4] : !x.a[4];
		run_op(r, "match.all.sync.b32 %r15|%p5, %r11, %r14;", &x, d, &p);
		bad += d[3] != (k & 1 ? x.mask : 0) || p != (k & 1 ? x.mask : 0);
	}
	is_u64(bad, 0, "match.all");
}

static void
test_redux(struct rig *r)
{
	static const char *const op[] = {"add.u32", "min.u32", "max.u32", "min.s32", "max.s32",
					 "and.b32", "or.b32",  "xor.b32", "add.s32"};
	struct lanes x;
	uint32_t d[32], p, k, i, bad = 0, n = 0;
	char text[100];

	for (k = 0; k < 2 * ARRAY_LEN(op); k++) {
		uint32_t o = k % ARRAY_LEN(op), sum = 0, low = UINT32_MAX, high = 0,
			 all = UINT32_MAX, any = 0, odd = 0;
		int32_t slow = INT32_MAX, shigh = INT32_MIN;

		random_lanes(&x, UINT32_MAX);
		for (i = 0; i < 32; i++) {
			if (!(x.mask >> i & 1))
				continue;
			sum += x.a[i];
			low = MIN(low, x.a[i]);
			high = MAX(high, x.a[i]);
			slow = MIN(slow, (int32_t)x.a[i]);
			shigh = MAX(shigh, (int32_t)x.a[i]);
			all &= x.a[i];
			any |= x.a[i];
			odd ^= x.a[i];
		}
		snprintf(text, sizeof(text), "redux.sync.%s %%r15, %%r11, %%r14;", op[o]);
		n += run_op(r, text, &x, d, &p);
		for (i = 0; i < 32; i++) {
			const uint32_t want[] = {
				sum, low, high, (uint32_t)slow, (uint32_t)shigh, all,
				any, odd, sum};

			bad += d[i] != (x.mask >> i & 1 ? want[o] : 0xabcd);
		}
	}
	ok(n == 2 * ARRAY_LEN(op) && bad == 0, "redux.sync, all operations");
	x.mask = 0xfff0;
	run_op(r, "elect.sync %r15|%p5, %r14;", &x, d, &p);
	ok(d[4] == 4 && d[15] == 4 && p == 16, "elect.sync: the lowest lane");
	run_op(r, "activemask.b32 %r15;", &x, d, &p);
	ok(d[4] == 0xfff0 && d[0] == 0xabcd, "activemask");
	ok(run_op(r, "bar.warp.sync %r14; pmevent 1; brkpt; elect.sync _|%p5, %r14;", &x, d, &p),
	   "bar.warp.sync of those that are here");
}

/* CHECK_SHFL reports what PTX leaves undefined. */
static void
test_missing(struct rig *r)
{
	r->checks = CHECK_SHFL;
	FAILS(r, 32, 0,
	      KERNEL("setp.eq.u32 %p1, %r1, 5; setp.eq.u32 %p2, %r1, 0; @%p1 bra L;\n"
		     "vote.sync.any.pred %p3, %p2, -1;\nret; L: bar.warp.sync -1; ret;\n"),
	      "lane 5 names lane 0 in its member mask 0xffffffff, which is at line 10",
	      "thread 5,0,0");
	FAILS(r, 32, 0, KERNEL("shfl.sync.idx.b32 %r5, %r1, 0, 31, 0xfffe; ret;\n"),
	      "lane 0 is not in its own member mask 0x0000fffe");
	FAILS(r, 32, 0,
	      KERNEL("setp.lt.u32 %p1, %r1, 4; selp.b32 %r5, 0xf, -1, %p1;\n"
		     "shfl.sync.idx.b32 %r5, %r1, 0, 31, %r5; ret;\n"),
	      "lane 0 has the member mask 0x0000000f", "lane 4 has 0xffffffff");
	ok(rig_run(r, KERNEL("shfl.sync.idx.b32 %r5, %r1, 3, 31, -1;\n" STORE("%r5") "ret;\n"), 1,
		   20) == 0 &&
		   r->v[19] == 3,
	   "lanes that do not exist need not come");
	r->checks = 0;
}

/* ---------------------------------------------------------------- special registers */

static void
test_sregs(struct rig *r)
{
	static const uint32_t grid[3] = {2, 3, 4}, block[3] = {5, 4, 3};
	static const char ptx[] = HEAD
		".visible .entry k(.param .u64 out) { .reg .b32 %r<20>; .reg .b64 %rd<5>;\n"
		"ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.z; mov.u32 %r2, %nctaid.y;\n"
		"mov.u32 %r3, %ctaid.y; mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %nctaid.x;\n"
		"mov.u32 %r3, %ctaid.x; mad.lo.u32 %r1, %r1, %r2, %r3; mov.u32 %r2, %ntid.z;\n"
		"mul.lo.u32 %r1, %r1, %r2; mov.u32 %r2, %ntid.y; mul.lo.u32 %r1, %r1, %r2;\n"
		"mov.u32 %r3, %tid.z; mul.lo.u32 %r3, %r3, %r2; mov.u32 %r4, %tid.y;\n"
		"add.u32 %r3, %r3, %r4; add.u32 %r1, %r1, %r3; mov.u32 %r2, %ntid.x;\n"
		"mov.u32 %r4, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r4;\n"
		"mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd1, %rd2;\n"
		"mov.u32 %r5, %laneid; mov.u32 %r6, %warpid; shl.b32 %r6, %r6, 8; add.u32 %r5, "
		"%r5, %r6;\n"
		"mov.u32 %r6, %lanemask_lt; popc.b32 %r6, %r6; shl.b32 %r6, %r6, 16; add.u32 %r5, "
		"%r5, "
		"%r6; add.u32 %r5, %r5, 1;\n"
		"st.global.u32 [%rd2], %r5; mov.u32 %r7, %clock; mov.u32 %r8, %clock; mov.u64 "
		"%rd3, "
		"%clock64; cvt.u32.u64 %r9, %rd3; sub.u32 %r9, %r9, %r7; sub.u32 %r8, %r8, %r7;\n"
		"shl.b32 %r8, %r8, 8; add.u32 %r8, %r8, %r9; st.global.u32 [%rd1+65532], %r8; ret; "
		"}\n";
	uint32_t i, bad = 0;

	ok(rig_run3(r, ptx, grid, block) == 0, "3-D grid and block ran %s", r->e.msg);
	for (i = 0; i < 24 * 60; i++) {
		uint32_t t = i % 60, want = t % 32 + (t / 32 << 8) + (t % 32 << 16) + 1;

		bad += r->v[i] != want;
	}
	is_u64(bad, 0, "tid, ctaid, laneid, warpid, lanemask of all threads");
	is_u64(r->v[16383], 0x102, "the clock ticks");
}

int
main(void)
{
	struct rig r = {.d = NULL};

	test_barriers(&r);
	test_apart(&r);
	test_masks(&r);
	test_shfl(&r);
	test_vote(&r);
	test_match(&r);
	test_redux(&r);
	test_missing(&r);
	test_sregs(&r);
	rig_end(&r);
	return done();
}
