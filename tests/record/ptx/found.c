/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * found.c - launches that continue after a finding: an access out of bounds reads 0 and does not
 * write, the other lanes work as usual, and each place is recorded once, with its number of
 * occurrences.
 */
#include "tests/record/ptx/rig.h"

static unsigned told;

static void
on_found(void *ctx ATTR_UNUSED, const struct ptx_finding *f ATTR_UNUSED)
{
	told++;
}

/* %rd4: the address of my word, counted from 16 words before the end of out. */
#define END(body) \
	KERNEL("add.u64 %rd3, %rd1, 65472; mad.wide.u32 %rd4, %r3, 4, %rd3;\n" body "ret;\n")
#define FLAG(body) END("mov.u32 %r4, 7;\n" body STORE("%r4"))

static void
begin(struct rig *r, uint32_t go_on)
{
	ptx_findings_free(r->findings);
	r->findings = ptx_findings_new(on_found, NULL);
	ptx_findings_launch(r->findings, 3);
	r->go_on = go_on;
	told = 0;
}

static uint32_t
count(const struct rig *r, uint32_t value)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < 32; i++)
		n += r->v[i] == value;
	return n;
}

static void
test_load(struct rig *r)
{
	const struct ptx_finding *f;

	begin(r, CHECK_BOUNDS);
	r->checks = 0;
	ok(rig_run(r, FLAG("ld.global.u32 %r4, [%rd4];\nadd.u32 %r4, %r4, 5;\n"), 2, 32) == 0,
	   "a load out of bounds does not end the launch");
	is_u64(count(r, 5), 32, "it reads 0, as do those that are in");
	is_u64(told, 1, "the place is told once");
	is_u64(ptx_findings_n(r->findings), 1, "and is one place");
	f = ptx_findings_at(r->findings, 0);
	is_u64(f->times, 32, "16 lanes of two CTAs");
	ok(strstr(f->e.msg, "ld.global.u32: 4 bytes at 0x") &&
		   strstr(f->e.msg, "outside of every allocation; nearest: 'out'") &&
		   strstr(f->e.msg, "kernel k, CTA 0,0,0, thread 16,0,0"),
	   "in the words that would have ended it: %s", f->e.msg);
	ok(f->launch == 3 && f->thread[0] == 16 && f->cta[0] == 0 && f->e.line == 11 &&
		   f->kind == CHECK_BOUNDS && strcmp(f->kernel, "k") == 0,
	   "launch, thread and line");
	ok(!r->e.set, "and no error is left behind");
	begin(r, 0);
	ok(rig_run3(r, FLAG("ld.global.u32 %r4, [%rd4];\n"), (uint32_t[]){1, 1, 1},
		    (uint32_t[]){32, 1, 1}) != 0,
	   "unless it was asked for it is an error");
}

static void
test_vector(struct rig *r)
{
	begin(r, CHECK_BOUNDS);
	ok(rig_run(r,
		   FLAG("mad.wide.u32 %rd4, %r3, 16, %rd3;\n"
			"ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd4];\n"
			"or.b32 %r4, %r4, %r7;\nadd.u32 %r4, %r4, 9;\n"),
		   1, 32) == 0,
	   "a vector");
	is_u64(count(r, 9), 32, "all of its elements read 0");
	ok(rig_run(r, FLAG("ld.global.s8 %rd5, [%rd4]; cvt.u32.u64 %r4, %rd5;\n"), 1, 32) == 0 &&
		   count(r, 0) == 32,
	   "a byte, sign-extended to 64 bits");
}

static void
test_store(struct rig *r)
{
	begin(r, CHECK_BOUNDS);
	ok(rig_run(r, END("st.global.u32 [%rd4], 77;\n"), 1, 32) == 0, "a store out of bounds");
	ok(r->v[16383] == 77 && r->v[16368] == 77, "the lanes that are in have written");
	is_u64(ptx_findings_at(r->findings, 0)->times, 16, "the others not");
	ok(rig_run(r, END("mov.u64 %rd4, 0;\nst.u32 [%rd4], 1;\nst.u32 [%rd4], 2;\n"), 1, 1) == 0,
	   "through a null pointer");
	is_u64(told, 3, "two places more");
	ok(rig_run(r, FLAG("atom.global.add.u32 %r4, [%rd4], 1;\n"), 1, 32) == 0 &&
		   r->v[16383] == 1 && count(r, 0) == 32,
	   "an atomic does nothing and gives 0");
	ok(rig_run(r,
		   HEAD ".shared .align 4 .b8 sh[64];\n" BEGIN
			"mad.lo.u32 %r10, %r3, 4, 0; mov.u32 %r11, sh; add.u32 %r10, %r10, %r11;\n"
			"st.shared.u32 [%r10], 3;\nld.shared.u32 %r4, [%r10];\n" STORE(
				"%r4") "ret;\n}\n",
		   1, 32) == 0 &&
		   count(r, 3) == 16 && count(r, 0) == 16,
	   "shared memory");
}

/* The other faults of an access still end the launch. */
static void
test_errors(struct rig *r)
{
	begin(r, CHECK_BOUNDS);
	FAILS(r, 1, 0, FLAG("ld.global.u32 %r4, [%rd1+2];\n"), "misaligned");
	is_u64(ptx_findings_n(r->findings), 0, "which is no finding");
	ptx_findings_free(r->findings);
	r->findings = NULL;
	ok(rig_run(r, FLAG("ld.global.u32 %r4, [%rd4];\n"), 1, 32) == 0 && count(r, 0) == 32,
	   "nobody needs to keep them");
}

#define SHARED_KERNEL(body) HEAD ".shared .align 4 .b8 sh[256];\n" BEGIN body "ret;\n}\n"

static void
test_checks(struct rig *r)
{
	static const char text[] = SHARED_KERNEL(
		"mad.lo.u32 %r10, %r3, 4, 0; xor.b32 %r11, %r10, 128;\n"
		"mov.u32 %r12, sh; add.u32 %r10, %r10, %r12; add.u32 %r11, %r11, %r12;\n"
		"ld.shared.u32 %r5, [%r10];\n"
		"st.shared.u32 [%r10], 4;\n"
		"ld.shared.u32 %r4, [%r11];\n" STORE("%r4"));

	begin(r, CHECK_RACES | CHECK_INIT);
	r->checks = CHECK_RACES | CHECK_INIT;
	ok(rig_run(r, text, 1, 64) == 0, "races and unwritten bytes do not end the launch");
	ok(ptx_findings_n(r->findings) >= 2 && ptx_findings_at(r->findings, 0)->kind == CHECK_INIT,
	   "both are kept");
	begin(r, CHECK_INIT);
	ok(rig_run3(r, text, (uint32_t[]){1, 1, 1}, (uint32_t[]){64, 1, 1}) != 0 &&
		   strstr(r->e.msg, "race"),
	   "of those asked for only: %s", r->e.msg);
}

static void
test_shfl(struct rig *r)
{
	static const char text[] = FLAG("setp.lt.u32 %p1, %r3, 16;\n"
					"@%p1 shfl.sync.down.b32 %r4, %r3, 8, 31, 65535;\n");

	begin(r, CHECK_SHFL);
	r->checks = CHECK_SHFL;
	ok(rig_run(r, text, 1, 32) == 0, "a shfl from a lane that takes no part does not end it");
	ok(ptx_findings_n(r->findings) == 1 &&
		   ptx_findings_at(r->findings, 0)->kind == CHECK_SHFL &&
		   ptx_findings_at(r->findings, 0)->times == 8,
	   "the lanes that read there are counted");
}

int
main(void)
{
	struct rig r = {0};

	test_load(&r);
	test_vector(&r);
	test_store(&r);
	test_errors(&r);
	test_checks(&r);
	test_shfl(&r);
	ptx_findings_free(r.findings);
	rig_end(&r);
	return done();
}
