/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock.c - loops that wait for a clock take few instructions; those that measure are left alone.
 */
#include "rig.h"

#define TICKS 1000000000u

/* Runs the kernel; all threads store what they have waited, which must be what they asked for and
 * at most an eighth more, in few instructions. */
static void
waits(struct rig *r, const char *what, const char *text, uint32_t threads, uint32_t per_warp)
{
	uint32_t warps = (threads + 31) / 32, bad = 0;

	if (!ok(rig_run(r, text, 1, threads) == 0, "%s: runs", what))
		return;
	for (uint32_t i = 0; i < threads; i++)
		bad += r->v[i] < TICKS || r->v[i] > TICKS / 8 * 9 + 100000;
	is_u64(bad, 0, "%s: everybody waits as long as asked for: %u", what, r->v[0]);
	ok(r->n.warp_insts < (uint64_t)warps * per_warp, "%s: in %" PRIu64 " instructions", what,
	   r->n.warp_insts);
}

static void
test_waits(struct rig *r)
{
	static const char clock64[] = KERNEL(
		"mov.u64 %rd4, %clock64;\nL: mov.u64 %rd5, %clock64; sub.s64 %rd6, %rd5, %rd4;\n"
		"setp.lt.s64 %p1, %rd6, 1000000000; @%p1 bra L; cvt.u32.u64 %r4, %rd6;\n" STORE(
			"%r4") "ret;\n");
	static const char timer[] =
		KERNEL("mov.u64 %rd4, %globaltimer;\nL: nanosleep.u32 100; mov.u64 %rd5, "
		       "%globaltimer;\nsub.s64 %rd6, %rd5, %rd4; setp.ge.s64 %p1, %rd6, 1000000000;"
		       "\n@%p1 bra D; bra L;\nD: cvt.u32.u64 %r4, %rd6;\n" STORE("%r4") "ret;\n");
	/* lanes that wait for times of their own */
	static const char lanes[] = KERNEL(
		"mov.u32 %r4, %clock; mul.lo.u32 %r6, %r1, 100; add.u32 %r6, %r6, 1000000000;\n"
		"L: mov.u32 %r5, %clock; sub.u32 %r7, %r5, %r4; setp.lt.u32 %p1, %r7, %r6;\n"
		"@%p1 bra L;\n" STORE("%r7") "ret;\n");

	waits(r, "clock64", clock64, 32, 2000);
	waits(r, "four warps", clock64, 128, 5000);
	waits(r, "the timer, with a sleep", timer, 32, 2000);
	waits(r, "other lanes, other times", lanes, 32, 2000);
}

/* Loops in which the clock must count instructions and nothing else; %r10: the sum. */
static void
test_left(struct rig *r)
{
	int rc = rig_run(
		r,
		KERNEL("mov.u32 %r4, 0; mov.u32 %r10, 0;\nL: mov.u32 %r5, %clock;\n"
		       "add.u32 %r6, %r6, %r5; mov.u32 %r7, %clock; sub.u32 %r8, %r7, %r5;\n"
		       "add.u32 %r10, %r10, %r8; add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 500;\n"
		       "@%p1 bra L;\n" STORE("%r10") "ret;\n"),
		1, 1);

	ok(rc == 0 && r->v[0] == 1000, "a measurement, 500 times: two ticks each, %u", r->v[0]);
	rc = rig_run(r,
		     KERNEL("mov.u64 %rd4, %clock64;\nL: ld.volatile.global.u32 %r5, [%rd1];\n"
			    "mov.u64 %rd5, %clock64; sub.s64 %rd6, %rd5, %rd4;\n"
			    "setp.lt.s64 %p1, %rd6, 100000; @%p1 bra L; ret;\n"),
		     1, 1);
	ok(rc == 0 && r->n.warp_insts > 100000,
	   "a loop that reads memory lasts as long as it says: %" PRIu64, r->n.warp_insts);
	rc = rig_run(r,
		     KERNEL("mov.u64 %rd4, %clock64; mov.u32 %r4, 0;\nL: mov.u64 %rd5, %clock64;\n"
			    "add.u32 %r4, %r4, 1; setp.gt.u32 %p2, %r4, 20000; @%p2 bra E;\n"
			    "sub.s64 %rd6, %rd5, %rd4; setp.lt.s64 %p1, %rd6, 100000000;\n"
			    "@%p1 bra L;\nE: " STORE("%r4") "ret;\n"),
		     1, 1);
	ok(rc == 0 && r->v[0] == 20001, "one that also counts does, too: %u", r->v[0]);
	rc = rig_run(
		r,
		KERNEL("mov.u64 %rd4, %clock64;\nL: mov.u64 %rd5, %clock64; sub.s64 %rd6, %rd5, "
		       "%rd4;\nsetp.lt.s64 %p1, %rd6, 200; @%p1 bra L; cvt.u32.u64 %r4, "
		       "%rd6;\n" STORE("%r4") "ret;\n"),
		1, 1);
	ok(rc == 0 && r->v[0] < 205, "a short wait is exact: %u", r->v[0]);
}

int
main(void)
{
	struct rig r = {.max_insns = 10000000};

	test_waits(&r);
	test_left(&r);
	rig_end(&r);
	return done();
}
