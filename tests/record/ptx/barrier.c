/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * barrier.c - barriers of a CTA and of a warp: who waits for whom, also where the lanes of a warp
 * execute different instructions.
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
	FAILS(r, 64, 0, KERNEL("bar.arrive 3, 64; bar.sync 3, 64; ret;\n"), "has already arrived");
	FAILS(r, 64, 0, KERNEL("mov.u32 %r4, 16; bar.sync %r4; ret;\n"), "barrier 16");
	FAILS(r, 64, 0, KERNEL("bar.sync %r1; ret;\n"), "the barrier is 1 here");
	FAILS(r, 64, 0,
	      KERNEL("setp.lt.u32 %p1, %r1, 32; @%p1 bra L; bar.sync 1, 64; ret;\nL: bar.sync 1; "
		     "ret;\n"),
	      "this warp expects 64 threads");
}

/* ---------------------------------------------------------------- divergent barriers */

static char finding[500];

static void
on_finding(void *ctx ATTR_UNUSED, const struct ptx_finding *f)
{
	snprintf(finding, sizeof(finding), "%s, line %u", f->e.msg, (unsigned)f->e.line);
}

/* Runs 4 CTAs of 128 threads. want: the finding; NULL: none. */
static void
diverges(struct rig *r, const char *text, const char *want, const char *what)
{
	int rc;

	finding[0] = '\0';
	r->findings = ptx_findings_new(on_finding, NULL);
	rc = rig_run(r, text, 4, 128);
	ok(rc == 0 && (want ? strstr(finding, want) != NULL : !finding[0]) &&
		   ptx_findings_n(r->findings) == (want ? 1 : 0),
	   "%s", what);
	if (rc == 0 && want && !strstr(finding, want))
		diag("found: %s", finding);
	ptx_findings_free(r->findings);
	r->findings = NULL;
}

#define ODD "and.b32 %r4, %r3, 1; setp.eq.u32 %p1, %r4, 0; setp.lt.u32 %p2, %r3, 40;\n"

static void
test_divergence(struct rig *r)
{
	diverges(r, KERNEL(ODD "@!%p2 bra L;\nbar.sync 0;\n" STORE("%r3") "L: bar.sync 0;\nret;\n"),
		 "divergent barrier, whose result is undefined: lanes 0-7 of warp 1 are here, but "
		 "thread 40,0,0 of the same warp is at line",
		 "one barrier in a branch, another one after it");
	diverges(r, KERNEL(ODD "@%p1 bra L;\nbar.sync 0;\nL: " STORE("%r3") "ret;\n"),
		 "lanes 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31 of warp 0 are here, but thread "
		 "0,0,0 of the same warp has passed by it: kernel k, CTA 0,0,0, thread 1,0,0",
		 "a barrier that the even threads pass by");
	diverges(r, KERNEL(ODD "@!%p1 bar.sync 0;\n" STORE("%r3") "ret;\n"),
		 "thread 0,0,0 of the same warp has passed by it", "one that a guard switches off");
	diverges(r, KERNEL(ODD "@%p1 bra L;\nbar.sync 0; bra M;\nL: bar.sync 0;\nM: ret;\n"),
		 "is at line", "each side has its barrier");
	diverges(r,
		 KERNEL(ODD "@%p1 bra L;\nbarrier.sync 0; bra M;\nL: barrier.sync 0;\nM: ret;\n"),
		 NULL, "which barrier.sync without .aligned allows");
	diverges(r,
		 KERNEL(ODD "@!%p2 bra L;\n" STORE("%r3") "bar.sync 0;\n" STORE("%r3") "L: ret;\n"),
		 NULL, "an early return");
	diverges(r,
		 KERNEL(ODD "@%p2 bra M;\n" STORE("%r3") "bra L;\nM: bar.sync 0;\n" STORE(
			 "%r3") "L: ret;\n"),
		 NULL, "an early return after a store");
	diverges(r,
		 KERNEL(ODD "setp.lt.u32 %p3, %r3, 128; @%p1 bra B;\n@%p3 bra B; bra R;\n"
			    "B: bar.sync 0;\nR: " STORE("%r3") "ret;\n"),
		 NULL, "all threads reach it, by two ways: p || q");
	diverges(r,
		 KERNEL(ODD "@%p1 bra L;\nadd.u32 %r4, %r4, 1;\nL: bar.sync 0;\n" STORE(
			 "%r4") "ret;\n"),
		 NULL, "a barrier after a branch");
	diverges(r,
		 KERNEL("setp.lt.u32 %p1, %r3, 64; @%p1 bra L;\nbar.sync 0; bra M;\nL: bar.sync "
			"0;\nM: ret;\n"),
		 NULL, "whole warps at different barriers");
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

int
main(void)
{
	struct rig r = {.d = NULL};

	test_barriers(&r);
	test_divergence(&r);
	test_apart(&r);
	test_masks(&r);
	rig_end(&r);
	return done();
}
