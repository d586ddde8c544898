/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.c - races between the warps of a CTA and reads of shared memory that was never written:
 * what is reported, with the text for both sides, and correct programs that must not be reported.
 */
#include "tests/record/ptx/rig.h"

#define SHARED ".shared .align 4 .b8 sh[1024];\n"
/* %r10: my word; %r11: the word of the thread 32 further (of 64); %p1: first warp. */
#define BODY(body)                                                                                \
	HEAD SHARED BEGIN "mov.u32 %r12, sh; mad.lo.u32 %r10, %r3, 4, %r12; xor.b32 %r11, %r10, " \
			  "128; setp.lt.u32 %p1, %r3, 32; setp.lt.u32 %p2, %r3, 64;\n" body       \
			  "ret;\n}\n"

static void
good(struct rig *r, const char *what, uint32_t block, const char *text)
{
	if (rig_run(r, text, 3, block) != 0)
		ok(false, "%s: %s", what, r->e.msg);
	else
		ok(true, "%s", what);
}

static void
test_races(struct rig *r)
{
	r->checks = CHECK_RACES;
	FAILS(r, 64, 0, BODY("@%p1 st.shared.u32 [%r10], %r1;\n@!%p1 ld.shared.u32 %r4, [%r11];\n"),
	      "ld.shared.u32: race on the byte at shared address 0x0: no barrier since "
	      "st.shared.u32 of "
	      "thread 0,0,0 (line 11): kernel k, CTA 0,0,0, thread 32,0,0");
	good(r, "a barrier between", 64,
	     BODY("st.shared.u32 [%r10], %r1;\nbar.sync 0;\nld.shared.u32 %r4, [%r11];\n"));
	FAILS(r, 64, 0, BODY("@%p1 ld.shared.u32 %r4, [%r11];\n@!%p1 st.shared.u32 [%r10], %r1;\n"),
	      "st.shared.u32: race on the byte at shared address 0x80: no barrier since "
	      "ld.shared.u32 of "
	      "thread 0,0,0 (line 11)");
	FAILS(r, 64, 0, BODY("st.shared.u32 [%r12+8], %r1;\n"),
	      "st.shared.u32: race on the byte at shared address 0x8: no barrier since "
	      "st.shared.u32 of "
	      "thread 31,0,0 (line 11)");
	good(r, "a warp by itself", 32,
	     BODY("st.shared.u32 [%r12], %r1; ld.shared.u32 %r4, [%r12];\n"));
	good(r, "everybody reads", 128, BODY("ld.shared.u32 %r4, [%r12];\n"));
	good(r, "bytes of one word", 64,
	     BODY("add.u32 %r4, %r12, %r3; st.shared.u8 [%r4], %r3; ld.shared.u8 %r5, [%r4];\n"));
	good(r, "atomics", 64,
	     BODY("atom.shared.add.u32 %r4, [sh], 1; red.shared.max.u32 [sh], %r1;\n"));
	good(r, "relaxed, release and acquire", 64,
	     BODY("@%p1 st.release.cta.shared.u32 [sh], 1; ld.acquire.cta.shared.u32 %r4, [sh];\n"
		  "red.shared.add.u32 [sh], 1; ld.relaxed.cta.shared.u32 %r4, [sh];\n"));
	FAILS(r, 64, 0,
	      BODY("@%p1 red.shared.add.u32 [sh+4], 1;\n@!%p1 ld.shared.u16 %r4, [sh+6];\n"),
	      "ld.shared.u16: race on the byte at shared address 0x6: no barrier since "
	      "red.shared.u32 of "
	      "thread 31,0,0 (line 11)");
	FAILS(r, 64, 0,
	      BODY("cvta.shared.u64 %rd4, sh;\n@%p1 st.volatile.u32 [%rd4], %r3;\n"
		   "ld.volatile.u32 %r4, [%rd4];\n"),
	      "ld.u32: race on the byte at shared address 0x0: no barrier since st.u32 of thread "
	      "31,0,0 "
	      "(line 12)");
	/* two rounds of a loop: no barrier separates the read of one from the write of the next */
	FAILS(r, 64, 0,
	      BODY("mov.u32 %r6, 0;\nL: st.shared.u32 [%r10], %r1;\nbar.sync 0;\n"
		   "ld.shared.u32 %r4, [%r11];\nadd.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 2;\n"
		   "@%p3 bra L;\n"),
	      "ld.shared.u32: race on the byte at shared address 0x80: no barrier since "
	      "st.shared.u32 of "
	      "thread 32,0,0 (line 12)");
	good(r, "two barriers in a loop", 64,
	     BODY("mov.u32 %r6, 0;\nL: st.shared.u32 [%r10], %r1;\nbar.sync 0;\n"
		  "ld.shared.u32 %r4, [%r11];\nbar.sync 0;\nadd.u32 %r6, %r6, 1;\n"
		  "setp.lt.u32 %p3, %r6, 3; @%p3 bra L;\n"));
}

/* Barriers of some of the warps order only these. */
static void
test_subsets(struct rig *r)
{
	r->checks = CHECK_RACES;
	good(r, "two of three warps meet", 96,
	     BODY("@!%p2 bra OUT;\nst.shared.u32 [%r10], %r1;\nbar.sync 1, 64;\n"
		  "ld.shared.u32 %r4, [%r11];\nOUT:\n"));
	FAILS(r, 96, 0,
	      BODY("@!%p2 st.shared.u32 [%r12], %r1;\n@!%p2 bra OUT;\nmov.u32 %r6, 0;\n"
		   "L: bar.sync 1, 64;\nadd.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 500; @%p3 bra "
		   "L;\n"
		   "ld.shared.u32 %r4, [%r12];\nOUT:\n"),
	      "ld.shared.u32: race on the byte at shared address 0x0: no barrier since "
	      "st.shared.u32 of "
	      "thread 95,0,0 (line 11)");
	FAILS(r, 96, 0,
	      BODY("@!%p1 bra B;\nst.shared.u32 [%r12], %r1;\nB: @!%p2 bra C;\nbar.sync 1, 64;\n"
		   "ld.shared.u32 %r4, [%r12]; bra OUT;\nC: ld.shared.u32 %r4, [%r12];\nOUT:\n"),
	      "ld.shared.u32: race on the byte at shared address 0x0: no barrier since "
	      "st.shared.u32 of "
	      "thread 31,0,0 (line 12): kernel k, CTA 0,0,0, thread 64,0,0");
	good(r, "order passed on from barrier to barrier", 96,
	     BODY("@!%p1 bra B;\nst.shared.u32 [%r12], %r1;\nbar.sync 1, 64; bra OUT;\n"
		  "B: @!%p2 bra C;\nbar.sync 1, 64;\nbar.sync 2, 64; bra OUT;\n"
		  "C: bar.sync 2, 64;\nld.shared.u32 %r4, [%r12];\nOUT:\n"));
	FAILS(r, 96, 0,
	      BODY("@!%p1 bra B;\nbar.sync 1, 64;\nst.shared.u32 [%r12], %r1; bra OUT;\n"
		   "B: @!%p2 bra C;\nbar.sync 1, 64;\nbar.sync 2, 64; bra OUT;\n"
		   "C: bar.sync 2, 64;\nld.shared.u32 %r4, [%r12];\nOUT:\n"),
	      "race on the byte at shared address 0x0");
}

static void
test_init(struct rig *r)
{
	r->checks = CHECK_INIT;
	FAILS(r, 64, 0, BODY("ld.shared.u32 %r4, [%r10];\n"),
	      "ld.shared.u32: the byte at shared address 0x0 was never written in this CTA: kernel "
	      "k, CTA "
	      "0,0,0, thread 0,0,0");
	FAILS(r, 32, 0, BODY("st.shared.u16 [%r10], %r1;\nld.shared.u32 %r4, [%r10];\n"),
	      "ld.shared.u32: the byte at shared address 0x2 was never written");
	FAILS(r, 32, 0, BODY("atom.shared.add.u32 %r4, [sh+4], 1;\n"),
	      "atom.shared.u32: the byte at shared address 0x4 was never written");
	FAILS(r, 32, 0, BODY("cvta.shared.u64 %rd4, sh; ld.u8 %r4, [%rd4+5];\n"),
	      "ld.u8: the byte at shared address 0x5 was never written");
	good(r, "written first", 64,
	     BODY("st.shared.u32 [%r10], %r1; bar.sync 0; ld.shared.v2.u32 {%r4, %r5}, [sh];\n"
		  "st.shared.u32 [%r11], 1; atom.shared.add.u32 %r4, [sh], 1;\n"));
	r->checks = CHECK_RACES | CHECK_INIT;
	good(r, "both checks", 64,
	     BODY("st.shared.u32 [%r10], %r1; bar.sync 0; ld.shared.u32 %r4, [%r11];\n"));
	r->checks = 0;
	good(r, "nothing is checked unless asked for", 64,
	     BODY("st.shared.u32 [%r12], %r1; ld.shared.u32 %r4, [%r12+512];\n"));
}

/* The next CTA must not read what one CTA wrote. */
static void
test_next_cta(struct rig *r)
{
	static const uint32_t grid[3] = {2, 1, 1}, block[3] = {8, 8, 1};
	int rc;

	r->checks = CHECK_INIT;
	rc = rig_run3(r,
		      BODY("mov.u32 %r7, %ctaid.x; setp.eq.u32 %p4, %r7, 0;\n"
			   "@%p4 st.shared.u32 [%r10], %r1;\nld.shared.u32 %r4, [%r10];\n"),
		      grid, block);
	ok(rc != 0 && strstr(r->e.msg, "0x0 was never written in this CTA: kernel k, CTA 1,0,0"),
	   "a CTA begins with nothing written");
	r->checks = CHECK_RACES;
	rc = rig_run3(r,
		      BODY("mov.u32 %r7, %tid.y; setp.eq.u32 %p4, %r7, 1;\n"
			   "@%p4 st.shared.u32 [sh], %r1;\nsetp.eq.u32 %p4, %r7, 5;\n"
			   "@%p4 ld.shared.u32 %r4, [sh];\n"),
		      grid, block);
	ok(rc != 0 &&
		   strstr(r->e.msg, "st.shared.u32 of thread 7,1,0 (line 12): kernel k, CTA 0,0,0, "
				    "thread 0,5,0"),
	   "threads by their three numbers: %s", r->e.msg);
}

/* Without test: 64 threads arrive at an mbarrier, and each reads what the other warp wrote. */
#define MBAR(test)                                                                             \
	HEAD ".shared .align 8 .b64 mb;\n" SHARED BEGIN                                        \
	     "mov.u32 %r12, sh; mad.lo.u32 %r10, %r3, 4, %r12; xor.b32 %r13, %r3, 32;\n"       \
	     "mad.lo.u32 %r11, %r13, 4, %r12;\n"                                               \
	     "setp.eq.u32 %p1, %r3, 0; @%p1 mbarrier.init.shared.b64 [mb], 64;\nbar.sync 0;\n" \
	     "mov.u32 %r6, 0;\nL: st.shared.u32 [%r10], %r1;\n"                                \
	     "mbarrier.arrive.shared.b64 %rd1, [mb];\n" test "ld.shared.u32 %r4, [%r11];\n"    \
	     "mbarrier.arrive.shared.b64 %rd1, [mb];\n"                                        \
	     "X: mbarrier.test_wait.shared.b64 %p3, [mb], %rd1; @!%p3 bra X;\n"                \
	     "add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 3; @%p3 bra L;\nret;\n}\n"

/* A warp writes its words, then the flag; the other waits for the flag, then reads. */
#define FLAG(write, read, after)                                           \
	BODY("@!%p1 bra R;\nst.shared.u32 [%r10], %r1;\n" write "bra E;\n" \
	     "R: " read " %r4, [sh+512];\n"                                \
	     "setp.eq.u32 %p3, %r4, 0; @%p3 bra R;\n" after "ld.shared.u32 %r4, [%r11];\nE:\n")

/* Atomics, fences and mbarriers order warps as barriers do. */
static void
test_order(struct rig *r)
{
	static const char wait[] = "no barrier since";

	r->checks = CHECK_RACES;
	good(r, "an mbarrier", 64,
	     MBAR("W: mbarrier.test_wait.shared.b64 %p3, [mb], %rd1; @!%p3 bra W;\n"));
	FAILS(r, 64, 0, MBAR(""), wait);
	good(r, "release and acquire", 64,
	     FLAG("st.release.cta.shared.u32 [sh+512], 1;\n", "ld.acquire.cta.shared.u32", ""));
	FAILS(r, 64, 0,
	      FLAG("st.relaxed.cta.shared.u32 [sh+512], 1;\n", "ld.acquire.cta.shared.u32", ""),
	      wait);
	FAILS(r, 64, 0,
	      FLAG("st.release.cta.shared.u32 [sh+512], 1;\n", "ld.relaxed.cta.shared.u32", ""),
	      wait);
	good(r, "relaxed accesses with fences", 64,
	     FLAG("membar.cta; st.relaxed.cta.shared.u32 [sh+512], 1;\n",
		  "ld.relaxed.cta.shared.u32", "fence.acq_rel.cta;\n"));
	good(r, "atomics", 64,
	     FLAG("atom.acq_rel.cta.shared.add.u32 %r4, [sh+512], 1;\n",
		  "ld.acquire.cta.shared.u32", ""));
	FAILS(r, 64, 0,
	      FLAG("atom.shared.add.u32 %r4, [sh+512], 1;\n", "ld.acquire.cta.shared.u32", ""),
	      wait);
}

/* 64 threads write a word each; the CTA that comes last, by a counter, reads those of all. */
#define SHARED_LAST(fence)                                                                         \
	HEAD SHARED BEGIN STORE(                                                                   \
		"%r1") "bar.sync 0;\n"                                                             \
		       "setp.ne.u32 %p1, %r3, 0; @%p1 bra W;\n" fence                              \
		       "atom.global.add.u32 %r4, [%rd1+4000], 1;\nst.shared.u32 [sh], %r4;\n"      \
		       "W: bar.sync 0; ld.shared.u32 %r4, [sh]; mov.u32 %r5, %nctaid.x;\n"         \
		       "sub.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r4, %r5; @%p1 bra E;\n"             \
		       "mul.wide.u32 %rd3, %r3, 4; add.u64 %rd3, %rd1, %rd3;\nld.global.u32 %r6, " \
		       "[%rd3];\n"                                                                 \
		       "ld.global.u32 %r6, [%rd3+256];\nE: ret;\n}\n"

static void
test_global(struct rig *r)
{
	static const uint32_t three[3] = {3, 1, 1}, block[3] = {32, 1, 1};
	struct ptx_finding const *f;

	r->checks = CHECK_RACES | CHECK_GLOBAL;
	FAILS(r, 64, 0,
	      KERNEL("ld.global.u32 %r4, [%rd1];\nadd.u32 %r4, %r4, 1;\n"
		     "st.global.u32 [%rd1], %r4;\nret;\n"),
	      "ld.global.u32: race on the word at global address 0x",
	      ": no barrier, or fence and atomic, since st.global.u32 of CTA 0,0,0, thread 31,0,0 "
	      "(line 11)");
	ok(rig_run3(r, KERNEL("st.global.u32 [%rd1], %r1;\nret;\n"), three, block) != 0 &&
		   strstr(r->e.msg, "since st.global.u32 of CTA 0,0,0, thread 31,0,0 (line 9)") &&
		   strstr(r->e.msg, "CTA 1,0,0, thread 0,0,0"),
	   "between CTAs: %s", r->e.msg);
	ok(rig_run3(r,
		    KERNEL("setp.lt.u32 %p1, %r1, 32;\n@%p1 st.global.u32 [%rd1+8], %r1;\n"
			   "@!%p1 atom.global.add.u32 %r4, [%rd1+8], 1;\nret;\n"),
		    three, block) != 0,
	   "an atomic and a plain write: %s", r->e.msg);
	good(r, "own words", 64, KERNEL(STORE("%r1") "ld.global.u32 %r4, [%rd2];\nret;\n"));
	good(r, "all read", 64, KERNEL("ld.global.u32 %r4, [%rd1];\nret;\n"));
	good(r, "atomics", 64,
	     KERNEL("red.global.add.u32 [%rd1], 1;\natom.global.add.u32 %r4, [%rd1], 1;\nret;\n"));
	good(r, "bytes of one word", 64,
	     KERNEL("cvt.u64.u32 %rd3, %r1; add.u64 %rd3, %rd3, %rd1;\n"
		    "st.global.u8 [%rd3], %r1;\nret;\n"));
	good(r, "a barrier between warps of a CTA", 64,
	     KERNEL(STORE("%r1") "bar.sync 0;\nxor.b32 %r4, %r1, 32; mul.wide.u32 %rd3, %r4, 4;\n"
				 "add.u64 %rd3, %rd3, %rd1; ld.global.u32 %r5, [%rd3];\nret;\n"));
	good(r, "the last CTA reads what others have fenced", 64, SHARED_LAST("membar.gl;\n"));
	ok(rig_run3(r, SHARED_LAST(""), three, (const uint32_t[3]){64, 1, 1}) != 0 &&
		   strstr(r->e.msg, "ld.global.u32: race on the word"),
	   "and what they have not: %s", r->e.msg);
	r->go_on = CHECK_RACES;
	r->findings = ptx_findings_new(NULL, NULL);
	ok(rig_run3(r, KERNEL("st.global.u32 [%rd1], %r1;\nret;\n"), three, block) == 0 &&
		   ptx_findings_n(r->findings) == 1,
	   "a report has a row for the place");
	f = ptx_findings_n(r->findings) ? ptx_findings_at(r->findings, 0) : NULL;
	ok(f && f->kind == CHECK_RACES && f->cta[0] == 1 && f->times > 1, "of the second CTA");
	ptx_findings_free(r->findings);
	r->findings = NULL;
	r->go_on = 0;
}

/* Device memory that neither the host nor a kernel has written. */
static void
test_written(struct rig *r)
{
	r->checks = CHECK_INIT;
	good(r, "memory that is not tracked", 32, KERNEL("ld.global.u32 %r4, [%rd2];\nret;\n"));
	r->tracked = true;
	FAILS(r, 32, 0, KERNEL("ld.global.u32 %r4, [%rd2];\nret;\n"),
	      "ld.global.u32: the 4 bytes at 0x",
	      "were never written, 0 bytes into 'out' of 65536 bytes: kernel k, CTA 0,0,0, thread "
	      "0,0,0");
	FAILS(r, 32, 0, KERNEL("atom.global.add.u32 %r4, [%rd1+8], 1;\nret;\n"),
	      "atom.global.u32: the 4 bytes at 0x", "8 bytes into 'out'");
	good(r, "a kernel wrote it", 32, KERNEL(STORE("%r1") "ld.global.u32 %r4, [%rd2];\nret;\n"));
	FAILS(r, 1, 0,
	      KERNEL("st.global.u32 [%rd1+2048], %r1;\nld.global.v2.u32 {%r4, %r5}, "
		     "[%rd1+2048];\nret;\n"),
	      "ld.global.v2.u32: the 4 bytes at 0x", "2052 bytes into 'out'");
	good(r, "an element of which a byte was written", 1,
	     KERNEL("st.global.u8 [%rd1+3000], %r1;\nld.global.u32 %r4, [%rd1+3000];\nret;\n"));
	r->wrote_at = 4096;
	r->wrote = 256;
	good(r, "the host wrote it", 32,
	     KERNEL("ld.global.v2.u32 {%r4, %r5}, [%rd1+4096];\nld.global.u32 %r4, "
		    "[%rd1+4348];\nret;\n"));
	FAILS(r, 1, 0, KERNEL("ld.global.u8 %r4, [%rd1+4352];\nret;\n"),
	      "ld.global.u8: the 1 byte at 0x", "was never written, 4352 bytes into 'out'");
	r->tracked = false;
	r->wrote = 0;
}

/* The source line of the other side is reported. */
static void
test_source(struct rig *r)
{
	r->checks = CHECK_RACES;
	FAILS(r, 64, 0,
	      HEAD ".file 1 \"hist.cu\"\n" SHARED BEGIN
		   "setp.lt.u32 %p1, %r3, 32;\n.loc 1 7 0\n@%p1 st.shared.u32 [sh], %r1;\n"
		   ".loc 1 9 0\n@!%p1 ld.shared.u32 %r4, [sh];\nret;\n}\n",
	      "no barrier since st.shared.u32 of thread 31,0,0 (line 13, hist.cu:7)",
	      "(hist.cu:9)");
}

int
main(void)
{
	struct rig r = {0};

	test_races(&r);
	test_subsets(&r);
	test_init(&r);
	test_next_cta(&r);
	test_order(&r);
	test_global(&r);
	test_written(&r);
	test_source(&r);
	rig_end(&r);
	return done();
}
