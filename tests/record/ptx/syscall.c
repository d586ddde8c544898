/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * syscall.c - functions that the machine provides for kernels: vprintf (its text is that of the
 * host's printf for the same arguments, in the order of CTAs and lanes), __assertfail, malloc and
 * free, the reserved shared memory.
 */
#include "rig.h"

static char printed[1 << 16];
static size_t n_printed;

static void
on_print(void *ctx ATTR_UNUSED, const char *text, size_t n)
{
	if (n_printed + n >= sizeof(printed))
		exit(99);
	memcpy(printed + n_printed, text, n);
	n_printed += n;
	printed[n_printed] = '\0';
}

/* Like rig_run, with a listener for printed text. */
static int
run(struct rig *r, const char *text, uint32_t grid, uint32_t block)
{
	struct ptx_launch l = {.grid = {grid, 1, 1}, .block = {block, 1, 1}, .print = on_print};
	int rc;

	n_printed = 0;
	printed[0] = '\0';
	if (rig_load(r, text, &l)) {
		diag("%s", r->e.msg);
		return -1;
	}
	rc = ptx_run(r->d, &l, &r->n, &r->e);
	if (rc)
		diag("%s", r->e.msg);
	return rc;
}

/* ---------------------------------------------------------------- printf */

#define PRINTF ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
#define CALL_PRINTF(format)                                                                 \
	"mov.u64 %rd10, " format "; cvta.global.u64 %rd10, %rd10; mov.u64 %rd11, args;\n"   \
	"cvta.local.u64 %rd11, %rd11; { .param .b64 p0; .param .b64 p1; .param .b32 ret;\n" \
	"st.param.b64 [p0], %rd10; st.param.b64 [p1], %rd11;\n"                             \
	"call.uni (ret), vprintf, (p0, p1); ld.param.b32 %r20, [ret]; }\n"

/* ".b8 name[] = {text};" */
static void
bytes_of(const char *name, const char *text, char *buf, size_t size)
{
	size_t n = (size_t)snprintf(buf, size, ".global .b8 %s[%zu] = {", name, strlen(text) + 1);

	for (; *text; text++)
		n += (size_t)snprintf(buf + n, size - n, "%u,", (unsigned char)*text);
	snprintf(buf + n, size - n, "0};\n");
}

static void
test_printf(struct rig *r)
{
	static const char format[] = "%d|%5u|%-6x|%#o|%c|%lld|%hd|%s|%8.3f|%e|%G|%*d|%.2s|%%|%p\n";
	static char text[8192], want[4096];
	char f[1024], s[256];
	uint64_t str = 0;
	size_t n = 0;

	bytes_of("fmt", format, f, sizeof(f));
	bytes_of("str", "text", s, sizeof(s));
	snprintf(text, sizeof(text), "%s%s%s%s%s%s%s", HEAD PRINTF, f, s, BEGIN,
		 ".local .align 8 .b8 args[128]; mov.u64 %rd5, str; cvta.global.u64 %rd5, %rd5;\n"
		 "neg.s32 %r5, %r1; cvt.rn.f64.s32 %rd6, %r1;\n"
		 "st.local.u32 [args], %r5; st.local.u32 [args+4], %r1; st.local.u32 [args+8], "
		 "%r1;\n"
		 "st.local.u32 [args+12], %r1; add.u32 %r6, %r1, 65; st.local.u32 [args+16], %r6;\n"
		 "cvt.s64.s32 %rd7, %r5; shl.b64 %rd7, %rd7, 33; st.local.u64 [args+24], %rd7;\n",
		 "or.b32 %r7, %r1, 0x18000; st.local.u32 [args+32], %r7; st.local.u64 [args+40], "
		 "%rd5;\n"
		 "st.local.u64 [args+48], %rd6; st.local.u64 [args+56], %rd6;\n"
		 "st.local.u64 [args+64], %rd6; st.local.u32 [args+72], 7; st.local.u32 [args+76], "
		 "%r1;\nst.local.u64 [args+80], %rd5; st.local.u64 [args+88], %rd5;\n",
		 "setp.eq.u32 %p1, %r3, 1; @%p1 bra L;\n" CALL_PRINTF("fmt")
			 STORE("%r20") "L: ret;\n}\n");
	if (!ok(run(r, text, 2, 3) == 0, "printf runs"))
		return;
	ptx_symbol(r->d, r->m, "str", &str, NULL, &r->e);
	for (int i = 0; i < 6; i++) {
		if (i % 3 == 1)
			continue;
		n += (size_t)snprintf(want + n, sizeof(want) - n, format, -i, (unsigned)i,
				      (unsigned)i, (unsigned)i, 65 + i,
				      (long long)((uint64_t)(int64_t)-i << 33), (short)(0x8000 | i),
				      "text", (double)i, (double)i, (double)i, 7, i, "text",
				      (void *)(uintptr_t)str);
	}
	is_str(printed, want, "its text is printf's, CTA after CTA, lane after lane");
	is_u64(r->v[0], 15, "it returns the number of arguments");
}

/* ---------------------------------------------------------------- the others */

static void
test_assert(struct rig *r)
{
	static char text[4096];
	char what[256], file[256], func[256];

	bytes_of("what", "i < 5", what, sizeof(what));
	bytes_of("file", "dir/k.cu", file, sizeof(file));
	bytes_of("func", "void k(int)", func, sizeof(func));
	snprintf(text, sizeof(text), "%s%s%s%s%s%s", HEAD, what, file, func,
		 ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param "
		 ".b64 "
		 "d, .param .b64 e);\n" BEGIN,
		 "setp.lt.u32 %p1, %r1, 5; @%p1 bra L; mov.u64 %rd3, what; mov.u64 %rd4, file;\n"
		 "mov.u64 %rd5, func; call.uni __assertfail, (%rd3, %rd4, 42, %rd5, 1);\n"
		 "L: ret;\n}\n");
	ok(run(r, text, 1, 5) == 0, "an assertion that holds");
	ok(run(r, text, 2, 4) && strstr(r->e.msg, "dir/k.cu:42: void k(int): block: [1,0,0], "
						  "thread: [1,0,0] Assertion `i < 5` failed"),
	   "one that fails: %s", r->e.msg);
}

static uint32_t
kept(uint32_t i)
{
	return i * 3;
}

static void
test_malloc(struct rig *r)
{
	uint64_t used;

	rig_equal(r,
		  HEAD
		  ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
		  ".extern .func free(.param .b64 p);\n" BEGIN
		  "mul.lo.u32 %r4, %r1, 3; call.uni (%rd3), malloc, (16);\n"
		  "st.u32 [%rd3+12], %r4; bar.sync 0; ld.u32 %r5, [%rd3+12];\n" STORE(
			  "%r5") "setp.lt.u32 %p1, %r1, 60; @%p1 call.uni free, (%rd3); ret;\n}\n",
		  64, kept, "malloc gives each thread memory of its own");
	used = ptx_used(r->d);
	ok(used >= OUT_BYTES + 4 * 16 && used < OUT_BYTES + 60 * 16 + 4 * 256,
	   "what is not freed stays: %u bytes", (unsigned)used);
	FAILS(r, 1, 0,
	      HEAD ".extern .func free(.param .b64 p);\n" BEGIN
		   "call.uni free, (0); call.uni free, (24); ret;\n}\n",
	      "free of 0x18");
	FAILS(r, 1, 0,
	      HEAD ".extern .func other(.param .b64 p);\n" BEGIN "call.uni other, (24); ret;\n}\n",
	      "call of other, which has no body in this module");
	FAILS(r, 1, 0,
	      HEAD ".extern .func __cuda_syscall_cnpv2LaunchDevice(.param .b64 p);\n"
		   ".func launch()\n{\n\tcall.uni __cuda_syscall_cnpv2LaunchDevice, (24); "
		   "ret;\n}\n" BEGIN "call.uni launch, (); ret;\n}\n",
	      "the kernel launches another kernel: dynamic parallelism is not supported");
}

static uint32_t
reserved(uint32_t i)
{
	return i ? 0 : 1024 + 128 + 9;
}

static void
test_reserved(struct rig *r)
{
	rig_equal(r,
		  KERNEL(".shared .b8 own[20]; mov.u32 %r4, own; mov.u32 %r5, "
			 "%reserved_smem_offset_begin;\n"
			 "mov.u32 %r6, %reserved_smem_offset_cap; mov.u32 %r7, "
			 "%reserved_smem_offset_1;\n"
			 "st.shared.u32 [%r4], 0; st.shared.u32 [%r7+1020], 9; ld.shared.u32 %r8, "
			 "[%r7+1020];\n"
			 "add.u32 %r8, %r8, %r6; add.u32 %r8, %r8, %r5;\n" STORE("%r8") "ret;\n"),
		  1, reserved, "reserved shared memory lies behind the CTA's own");
}

int
main(void)
{
	struct rig r = {.d = NULL};

	test_printf(&r);
	test_assert(&r);
	test_malloc(&r);
	test_reserved(&r);
	rig_end(&r);
	return done();
}
