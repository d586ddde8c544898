/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stuck.c - launches that can never end are stopped soon, and launches in which other warps wait
 * long for slow ones are not.
 */
#include "rig.h"

#include <pthread.h>
#include <time.h>

#define SOON 30000000u /* warp instructions, of a limit of 10^10 */

static void
never_ends(struct rig *r, const char *what, const char *text, uint32_t grid, uint32_t block,
	   uint32_t line, const char *words)
{
	int rc = rig_run(r, text, grid, block);

	if (!ok(rc != 0 && strstr(r->e.msg, words) && r->e.line == line, "%s", what))
		diag("line %u: %s", (unsigned)r->e.line, r->e.msg);
	ok(r->n.warp_insts < SOON, "which is seen after %u instructions",
	   (unsigned)r->n.warp_insts);
}

#define NOBODY "waits for a value that nothing will write"
#define FLAG ".shared .align 4 .u32 flag; "
#define WAIT "L: ld.volatile.shared.u32 %r5, [flag];\nsetp.eq.u32 %p1, %r5, 0; @%p1 bra L;\n"

static void
test_never(struct rig *r)
{
	never_ends(r, "all warps wait for a flag", KERNEL(FLAG WAIT "ret;\n"), 1, 96, 9, NOBODY);
	never_ends(r, "some do, with a back-off, the others at a barrier",
		   KERNEL(FLAG "setp.gt.u32 %p2, %r1, 63; mov.u32 %r6, 32; @%p2 bra B;\n"
			       "L: nanosleep.u32 %r6; shl.b32 %r6, %r6, 1; min.u32 %r6, %r6, 512;\n"
			       "ld.acquire.gpu.shared.u32 %r5, [flag];\n"
			       "setp.eq.u32 %p1, %r5, 0; @%p1 bra L;\nB: bar.sync 0; ret;\n"),
		   1, 96, 11, NOBODY);
	never_ends(r, "lane 0 does, the others of its warp end",
		   KERNEL(FLAG "setp.ne.u32 %p2, %r1, 0; @%p2 bra B;\n" WAIT "B: ret;\n"), 1, 32,
		   10, NOBODY);
	never_ends(r, "a lock that is taken and not given back",
		   KERNEL(FLAG "L: atom.shared.cas.b32 %r5, [flag], 0, 1;\n"
			       "setp.ne.u32 %p1, %r5, 0; @%p1 bra L;\nret;\n"),
		   1, 40, 9, NOBODY);
	never_ends(r, "a store of what is there already changes nothing",
		   KERNEL("L: ld.volatile.global.u32 %r5, [%rd1+4096];\n"
			  "st.global.u32 [%rd2], %r5; setp.eq.u32 %p1, %r5, 0; @%p1 bra L; ret;\n"),
		   1, 64, 9, NOBODY);
	never_ends(r, "nothing is read at all", KERNEL("L:\nbra L;\n"), 1, 32, 10, "endless loop");
	never_ends(r, "no CTA after the first writes what it waits for",
		   KERNEL("mov.u32 %r4, %ctaid.x; setp.ne.u32 %p2, %r4, 0; @%p2 bra W;\n"
			  "L: ld.volatile.global.u32 %r5, [%rd1+4096];\n"
			  "setp.eq.u32 %p1, %r5, 0; @%p1 bra L;\nW: ret;\n"),
		   2, 32, 10, NOBODY);
	r->cooperative = true;
	never_ends(r, "both CTAs of a cooperative launch wait",
		   KERNEL("mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd3, %r4, 4;\n"
			  "add.u64 %rd3, %rd1, %rd3;\n"
			  "L: ld.volatile.global.u32 %r5, [%rd3+4096];\n"
			  "setp.eq.u32 %p1, %r5, 0; @%p1 bra L; ret;\n"),
		   2, 32, 11, NOBODY);
	r->cooperative = false;
}

static void
waits_for_later(struct rig *r, const char *what, const char *text, uint32_t grid, uint32_t last)
{
	int rc = rig_run(r, text, grid, 32);

	if (!ok(rc == 0 && r->v[1024] == last, "%s", what))
		diag("%u, expected %u: %s", r->v[1024], last, r->e.msg);
	is_u64(r->n.at_once, grid, "all CTAs run at once");
	ok(r->n.warp_insts < SOON, "after %" PRIu64 " instructions", r->n.warp_insts);
}

/* %rd1+4096 counts the CTAs that have ended; all wait for those after them. */
#define FROM_LAST(poll)                                                                  \
	KERNEL("mov.u32 %r4, %ctaid.x; mov.u32 %r5, %nctaid.x; sub.u32 %r5, %r5, %r4;\n" \
	       "sub.u32 %r5, %r5, 1; mov.u32 %r7, 0;\n"                                  \
	       "L: " poll " setp.lt.u32 %p1, %r6, %r5; @%p1 bra L;\n"                    \
	       "setp.ne.u32 %p2, %r3, 0; @%p2 bra E;\n"                                  \
	       "atom.global.add.u32 %r8, [%rd1+4096], 1;\nE: ret;\n")

static void
test_later(struct rig *r)
{
	waits_for_later(r, "each CTA waits for all after it",
			FROM_LAST("ld.volatile.global.u32 %r6, [%rd1+4096];"), 5, 5);
	waits_for_later(r, "and counts while it waits",
			FROM_LAST("ld.acquire.gpu.u32 %r6, [%rd1+4096]; add.u32 %r7, %r7, 1;"), 5,
			5);
	waits_for_later(r, "or reads by an atomic operation",
			FROM_LAST("atom.global.add.u32 %r6, [%rd1+4096], 0;"), 5, 5);
	waits_for_later(
		r, "each lane at a place of its own",
		KERNEL("mov.u32 %r4, %ctaid.x; mul.wide.u32 %rd3, %r3, 4;\n"
		       "add.u64 %rd3, %rd1, %rd3; setp.eq.u32 %p2, %r4, 1; @%p2 bra W;\n"
		       "L: ld.volatile.global.u32 %r6, [%rd3+4096]; add.u32 %r7, %r6, %r3;\n"
		       "setp.ne.u32 %p1, %r6, 0; @%p1 bra E;\n"
		       "setp.gt.u32 %p1, %r7, 7; @%p1 bra L; bra L;\n"
		       "W: st.volatile.global.u32 [%rd3+4096], 9;\nE: ret;\n"),
		2, 9);
	ok(rig_run(r,
		   KERNEL("mov.u32 %r4, 0;\nL: ld.global.u32 %r5, [%rd1];\n"
			  "add.u32 %r4, %r4, 1; setp.lt.u32 %p1, %r4, 2000000; @%p1 bra L; ret;\n"),
		   2, 32) == 0,
	   "a long loop that only reads");
	is_u64(r->n.at_once, 0, "waits for nobody");
}

/* Warp 1 computes for six million instructions and then writes what all others wait for. */
#define LONG(work)                                                                                \
	KERNEL(FLAG ".shared .align 4 .u32 sum; mov.u32 %r8, %warpid;\n"                          \
		    "setp.ne.u32 %p2, %r8, 1; @%p2 bra L; mov.u32 %r6, 0; mov.u32 %r9, 0;\n" work \
		    "\nst.volatile.shared.u32 [flag], 5;\n" WAIT STORE("%r5") "ret;\n")

static uint32_t
five(uint32_t i ATTR_UNUSED)
{
	return 5;
}

static void
test_long(struct rig *r)
{
	rig_equal(r, LONG("M: add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 3000000; @%p3 bra M;"), 96,
		  five, "a warp counts");
	rig_equal(r,
		  LONG("M: atom.shared.add.u32 %r9, [sum], 1; setp.lt.u32 %p3, %r9, 48000000;\n"
		       "mov.u32 %r9, 0; @%p3 bra M;"),
		  96, five, "one that counts in memory, its registers the same");
	rig_equal(r,
		  LONG("M: mov.u64 %rd5, %clock64; setp.lt.u64 %p3, %rd5, 14000000;\n"
		       "mov.u64 %rd5, 0; @%p3 bra M;"),
		  96, five, "one looks at the clock");
	rig_equal(r,
		  LONG("N: mov.u32 %r7, 0;\nM: add.u32 %r7, %r7, 1; setp.lt.u32 %p3, %r7, 200;\n"
		       "@%p3 bra M; ld.volatile.shared.u32 %r9, [sum]; add.u32 %r9, %r9, 1;\n"
		       "st.volatile.shared.u32 [sum], %r9; setp.lt.u32 %p3, %r9, 10000;\n"
		       "mov.u32 %r9, 0; @%p3 bra N;"),
		  96, five, "one seldom writes");
	ok(r->n.warp_insts > 2 * (1u << 22), "long enough to have been looked at: %u",
	   (unsigned)r->n.warp_insts);
}

/* Writes what the kernel waits for when it has waited a while. */
static void *
write_later(void *p)
{
	const struct timespec t = {.tv_nsec = 700000000};

	nanosleep(&t, NULL);
	*(volatile uint32_t *)p = 1;
	return NULL;
}

/* Kernels may wait for memory that the host writes while they run, but not for ever. */
static void
test_host(struct rig *r)
{
	struct ptx_launch l = {.grid = {1, 1, 1}, .block = {64, 1, 1}};
	pthread_t thread;
	uint32_t *flag;

	rig_run(r,
		KERNEL("L: ld.volatile.global.u32 %r5, [%rd1];\nsetp.eq.u32 %p1, %r5, 0; @%p1 bra "
		       "L; "
		       "ret;\n"),
		1, 32);
	ok(strstr(r->e.msg, NOBODY), "memory of the device only");
	ptx_share(r->d, r->out);
	flag = ptx_host(r->d, r->out, 4, &r->e);
	l.module = r->m;
	l.kernel = ptx_kernel(r->m, "k", &r->e);
	l.params = &r->out;
	err_clear(&r->e);
	if (ok(pthread_create(&thread, NULL, write_later, flag) == 0, "a thread of the host")) {
		ok(ptx_run(r->d, &l, &r->n, &r->e) == 0, "writes what the kernel waits for %s",
		   r->e.msg);
		pthread_join(thread, NULL);
		ok(r->n.warp_insts < SOON, "which waits with few instructions: %" PRIu64,
		   r->n.warp_insts);
	}
	if (tap_is_fast()) /* it waits for 10 seconds */
		return;
	*flag = 0;
	ok(ptx_run(r->d, &l, &r->n, &r->e) && r->e.line == 9 &&
		   strstr(r->e.msg, "from the host or another kernel; nothing has written it"),
	   "nobody does: %s", r->e.msg);
	ok(r->n.warp_insts < SOON, "after %" PRIu64 " instructions", r->n.warp_insts);
}

static bool
on_progress(void *ctx, uint64_t done, uint64_t all, uint64_t insts)
{
	uint64_t *last = ctx;

	if (done == 0 && all == 3 && insts > *last)
		*last = insts;
	return false;
}

static void
test_progress(struct rig *r)
{
	uint64_t last = 0;
	struct ptx_launch l = {.grid = {3, 1, 1},
			       .block = {32, 1, 1},
			       .max_insns = 9000000,
			       .progress = on_progress,
			       .progress_ctx = &last};

	rig_run(r, KERNEL("mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1; bra L;\n"), 1, 0);
	l.module = r->m;
	l.kernel = ptx_kernel(r->m, "k", &r->e);
	l.params = &r->out;
	err_clear(&r->e);
	ok(ptx_run(r->d, &l, &r->n, &r->e) != 0, "a loop that counts ends at --max-insns");
	ok(last > 7000000, "while the first CTA runs it says how far it is: %" PRIu64, last);
}

int
main(void)
{
	struct rig r = {.max_insns = 1000000000};

	test_never(&r);
	test_later(&r);
	if (!tap_is_fast())
		test_long(&r);
	test_host(&r);
	r.max_insns = 100000;
	test_progress(&r);
	rig_end(&r);
	return done();
}
