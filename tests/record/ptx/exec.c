/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exec.c - kernels run as C would run each thread alone: branches, loops, tables, calls; the
 * faults; the checks of a launch; the calls of the sink.
 */
#include "tests/record/ptx/rig.h"

#include "record/ptx/exec/sink.h"

/* ---------------------------------------------------------------- divergence */

static uint32_t
nested(uint32_t i)
{
	uint32_t x = 1;

	if (i & 1) {
		x += 10;
		if (i & 2)
			x *= 3;
		else if (i & 4)
			x += 100;
		x += 1000;
	} else if (i & 8) {
		x = i;
	}
	return x + 7;
}

static const char nested_ptx[] = KERNEL(
	"mov.u32 %r10, 1; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; @%p1 bra EVEN;\n"
	"add.u32 %r10, %r10, 10; and.b32 %r4, %r1, 2; setp.eq.u32 %p1, %r4, 0; @%p1 bra NOT2;\n"
	"mul.lo.u32 %r10, %r10, 3; bra JOIN1;\n"
	"NOT2: and.b32 %r4, %r1, 4; setp.ne.u32 %p1, %r4, 0; @!%p1 bra JOIN1;\n"
	"add.u32 %r10, %r10, 100;\n"
	"JOIN1: add.u32 %r10, %r10, 1000; bra.uni JOIN;\n"
	"EVEN: and.b32 %r4, %r1, 8; setp.eq.u32 %p1, %r4, 0; @%p1 bra JOIN;\n"
	"mov.u32 %r10, %r1;\n"
	"JOIN: activemask.b32 %r20; add.u32 %r10, %r10, 7;\n" STORE(
		"%r10") "st.global.u32 [%rd2+4096], %r20; ret;\n");

static uint32_t
loops(uint32_t i)
{
	uint32_t s = 0, a, b;

	for (a = 0; a < i % 7; a++) {
		for (b = a; b < i % 5; b++) {
			if ((a + b) % 3 == 1)
				continue;
			if (b > 3)
				break;
			s += a * 10 + b;
		}
		s += 1000;
	}
	return s;
}

static const char loops_ptx[] = KERNEL(
	"mov.u32 %r10, 0; mov.u32 %r11, 0; rem.u32 %r12, %r1, 7; rem.u32 %r13, %r1, 5;\n"
	"OUTER: setp.ge.u32 %p1, %r11, %r12; @%p1 bra DONE;\n"
	"mov.u32 %r14, %r11;\n"
	"INNER: setp.ge.u32 %p2, %r14, %r13; @%p2 bra IDONE;\n"
	"add.u32 %r15, %r11, %r14; rem.u32 %r15, %r15, 3; setp.eq.u32 %p3, %r15, 1; @%p3 bra "
	"NEXT;\n"
	"setp.gt.u32 %p4, %r14, 3; @%p4 bra IDONE;\n"
	"mad.lo.u32 %r10, %r11, 10, %r10; add.u32 %r10, %r10, %r14;\n"
	"NEXT: add.u32 %r14, %r14, 1; bra INNER;\n"
	"IDONE: add.u32 %r10, %r10, 1000; add.u32 %r11, %r11, 1; bra OUTER;\n"
	"DONE: activemask.b32 %r20;\n" STORE("%r10") "st.global.u32 [%rd2+4096], %r20; ret;\n");

static uint32_t
table(uint32_t i)
{
	static const uint32_t v[] = {5, 50 + 500, 500, 7};

	return v[i % 4] + 1;
}

static const char table_ptx[] = KERNEL("and.b32 %r4, %r1, 3; mov.u32 %r10, 0;\n"
				       "T: .branchtargets A, B, C, D;\n"
				       "brx.idx %r4, T;\n"
				       "A: mov.u32 %r10, 5; bra J;\n"
				       "B: mov.u32 %r10, 50;\n" /* falls through */
				       "C: add.u32 %r10, %r10, 500; bra J;\n"
				       "D: mov.u32 %r10, 7;\n"
				       "J: add.u32 %r10, %r10, 1; activemask.b32 %r20;\n" STORE(
					       "%r10") "st.global.u32 [%rd2+4096], %r20; ret;\n");

/* Some lanes leave early; the others reconverge and may use a barrier. */
static uint32_t
early(uint32_t i)
{
	return i % 4 == 3 ? 0 : i % 4 == 1 ? 21 : 20;
}

static const char early_ptx[] = KERNEL("and.b32 %r4, %r1, 3; mov.u32 %r10, 20;\n"
				       "setp.ne.u32 %p1, %r4, 1; @%p1 bra ELSE;\n"
				       "add.u32 %r10, %r10, 1; bra J;\n"
				       "ELSE: setp.eq.u32 %p2, %r4, 3; @%p2 bra OUT;\n"
				       "J: bar.sync 0; activemask.b32 %r20;\n" STORE(
					       "%r10") "st.global.u32 [%rd2+4096], %r20; ret;\n"
						       "OUT: exit;\n");

/* The text may end without a ret: a function returns at its end. */
static uint32_t
no_ret(uint32_t i)
{
	return i & 1 ? 9 : 0;
}

static const char no_ret_ptx[] = KERNEL(
	"and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; @%p1 bra END; mov.u32 %r10, 9;\n" STORE(
		"%r10") "END:\n");

/* Guards that are off everywhere or somewhere. */
static uint32_t
guarded(uint32_t i)
{
	return (i < 3 ? 100 : 0) + (i < 3 ? 0 : 1);
}

static const char guarded_ptx[] =
	KERNEL("setp.lt.u32 %p1, %r1, 3; setp.lt.u32 %p2, %r1, 0; mov.u32 %r10, 0;\n"
	       "@%p1 add.u32 %r10, %r10, 100; @!%p1 add.u32 %r10, %r10, 1; @%p2 trap;\n" STORE(
		       "%r10") "@%p1 exit; ret;\n");

static void
test_divergence(struct rig *r)
{
	uint32_t i;

	rig_equal(r, nested_ptx, 100, nested, "nested ifs");
	is_u64(r->v[1024], UINT32_MAX, "all lanes meet after them");
	is_u64(r->v[1024 + 97], 15, "those of the last warp too");
	rig_equal(r, loops_ptx, 128, loops, "loops with break and continue, trip counts per lane");
	is_u64(r->v[1024 + 40], UINT32_MAX, "all lanes meet after them");
	rig_equal(r, table_ptx, 64, table, "a switch by brx.idx, with fall through");
	is_u64(r->v[1024], UINT32_MAX, "all lanes meet after it");
	rig_equal(r, early_ptx, 64, early, "an early exit");
	is_u64(r->v[1024], 0x77777777, "the others meet");
	rig_equal(r, no_ret_ptx, 40, no_ret, "the end of the text is a ret");
	rig_equal(r, guarded_ptx, 40, guarded, "guards");
	rig_run(r, table_ptx, 3, 33);
	for (i = 0; i < 99 && r->v[i] == table(i); i++)
		;
	is_u64(i, 99, "three CTAs of 33 threads");
}

/* ---------------------------------------------------------------- calls */

static uint32_t
factorial(uint32_t n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

static uint32_t
fibonacci(uint32_t n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint32_t
recursion(uint32_t i)
{
	return factorial(i % 9) + fibonacci(i % 11);
}

#define FAC                                                                               \
	".func (.param .b32 res) fac(.param .b32 n)\n{\n"                                 \
	".reg .b32 %r<8>; .reg .pred %p<2>;\n"                                            \
	"ld.param.u32 %r1, [n]; mov.u32 %r2, 1; setp.lt.u32 %p1, %r1, 2; @%p1 bra OUT;\n" \
	"sub.u32 %r3, %r1, 1;\n{\n.param .b32 a; .param .b32 b; st.param.b32 [a], %r3;\n" \
	"call.uni (b), fac, (a);\nld.param.b32 %r4, [b];\n}\nmul.lo.u32 %r2, %r1, %r4;\n" \
	"OUT: st.param.b32 [res], %r2; ret;\n}\n"

/* Arguments in registers, two returns. */
#define FIB                                                                       \
	".func (.reg .u32 %res) fib(.reg .u32 %n)\n{\n"                           \
	".reg .b32 %r<8>; .reg .pred %p<2>;\n"                                    \
	"setp.ge.u32 %p1, %n, 2; @%p1 bra MORE; mov.u32 %res, %n; ret;\n"         \
	"MORE: sub.u32 %r1, %n, 1; call (%r2), fib, (%r1); sub.u32 %r1, %n, 2;\n" \
	"call (%r3), fib, (%r1); add.u32 %res, %r2, %r3; ret;\n}\n"

static const char recursion_ptx[] = HEAD FAC FIB BEGIN
	"rem.u32 %r4, %r1, 9; rem.u32 %r5, %r1, 11;\n"
	"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r4; call (b), fac, (a);"
	" ld.param.b32 %r6, [b]; }\n"
	"call (%r7), fib, (%r5); add.u32 %r6, %r6, %r7;\n" STORE("%r6") "ret;\n}\n";

/* Lanes return from several places, some exit in the callee; the rest meet after the call. */
static uint32_t
returns(uint32_t i)
{
	return i % 8 == 7 ? 0 : (i % 8 == 2 ? 22 : i % 8 == 3 ? 33 : i) + 0x1000;
}

static const char returns_ptx[] =
	HEAD ".func (.reg .u32 %x) f(.reg .u32 %n)\n{\n.reg .b32 %r<4>; .reg .pred %p<4>;\n"
	     "and.b32 %r1, %n, 7; setp.eq.u32 %p1, %r1, 7; @%p1 exit;\n"
	     "setp.eq.u32 %p1, %r1, 2; @%p1 bra TWO; setp.eq.u32 %p2, %r1, 3; mov.u32 %x, 33; @%p2 "
	     "ret;\n"
	     "mov.u32 %x, %n; ret;\n"
	     "TWO: mov.u32 %x, 22; ret;\n}\n" BEGIN
	     "call (%r10), f, (%r1); activemask.b32 %r20; bar.sync 0; add.u32 %r10, %r10, "
	     "0x1000;\n" STORE("%r10") "st.global.u32 [%rd2+4096], %r20; ret;\n}\n";

static uint32_t
indirect(uint32_t i)
{
	return i % 3 == 0 ? i + 1 : i % 3 == 1 ? i * 2 : i - 1;
}

#define THREE                                                                            \
	".func (.param .b32 r) f0(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; " \
	"add.u32 %a, %a, 1; st.param.b32 [r], %a; ret; }\n"                              \
	".func (.param .b32 r) f1(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; " \
	"mul.lo.u32 %a, %a, 2; st.param.b32 [r], %a; ret; }\n"                           \
	".func (.param .b32 r) f2(.param .b32 x) { .reg .b32 %a; ld.param.b32 %a, [x]; " \
	"sub.u32 %a, %a, 1; st.param.b32 [r], %a; ret; }\n"
#define PICK                                                                                       \
	"rem.u32 %r4, %r1, 3; mov.u64 %rd4, f0; setp.eq.u32 %p1, %r4, 1; @%p1 mov.u64 %rd4, f1;\n" \
	"setp.eq.u32 %p1, %r4, 2; @%p1 mov.u64 %rd4, f2;\n"
#define VIA(how)                                                       \
	"{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n" how \
	"call (b), %rd4, (a), P;\nld.param.b32 %r6, [b]; }\n"

static const char indirect_ptx[] = HEAD THREE BEGIN PICK VIA(
	"P: .callprototype (.param .b32 _) _ (.param "
	".b32 _);\n") "activemask.b32 %r20;\n" STORE("%r6") "st.global.u32 [%rd2+4096], %r20; "
							    "ret;\n}\n";
static const char targets_ptx[] =
	HEAD THREE BEGIN PICK VIA("P: .calltargets f0, f1, f2;\n") STORE("%r6") "ret;\n}\n";

/* A struct by value, a callee that writes into the caller's local memory, and a guarded call. */
static uint32_t
memory(uint32_t i)
{
	return i & 1 ? 3 * i + 1 + 77 : 5;
}

static const char memory_ptx[] =
	HEAD ".func g(.param .align 8 .b8 s[16], .param .b64 p)\n{\n"
	     ".reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
	     "ld.param.u32 %r1, [s]; ld.param.u32 %r2, [s+12]; add.u32 %r1, %r1, %r2;\n"
	     "ld.param.u64 %rd1, [p]; st.u32 [%rd1], %r1; ret;\n}\n" BEGIN
	     ".local .align 4 .b32 v; mov.u64 %rd4, v; cvta.local.u64 %rd4, %rd4; mov.u32 %r5, 5;\n"
	     "st.local.u32 [v], %r5; and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 1;\n"
	     "{ .param .align 8 .b8 s[16]; .param .b64 p;\n"
	     "mad.lo.u32 %r7, %r1, 3, 1; mov.u32 %r8, 77; st.param.b32 [s], %r7; st.param.b32 "
	     "[s+12], %r8;\n"
	     "st.param.b64 [p], %rd4; @%p1 call g, (s, p); }\n"
	     "ld.local.u32 %r9, [v];\n" STORE("%r9") "ret;\n}\n";

static void
test_calls(struct rig *r)
{
	rig_equal(r, recursion_ptx, 70, recursion, "factorial and fibonacci of each lane");
	rig_equal(r, returns_ptx, 64, returns, "returns and exits under divergence");
	is_u64(r->v[1024], 0x7f7f7f7f, "who returned meets after the call");
	rig_equal(r, indirect_ptx, 50, indirect, "an indirect call, other functions per lane");
	is_u64(r->v[1024], UINT32_MAX, "all meet after it");
	rig_equal(r, targets_ptx, 50, indirect, "an indirect call with .calltargets");
	rig_equal(r, memory_ptx, 50, memory, "a struct by value, a pointer to a local, a guard");
}

/* ---------------------------------------------------------------- faults */

static void
test_faults(struct rig *r)
{
	FAILS(r, 32, 9, HEAD BEGIN "trap; ret; }\n", "trap", "kernel k", "CTA 0,0,0",
	      "thread 0,0,0");
	FAILS(r, 40, 0, KERNEL("setp.eq.u32 %p1, %r1, 37; @%p1 trap; ret;\n"), "trap",
	      "thread 37,0,0");
	r->max_insns = 5000;
	FAILS(r, 32, 0, KERNEL("L: add.u32 %r1, %r1, 1; bra L;\n"), "endless loop", "5000");
	FAILS(r, 32, 0, KERNEL("setp.eq.u32 %p1, %r1, 3;\nL: @%p1 bra L;\nret;\n"), "endless loop",
	      "thread 3,0,0", "lane 0 of the warp waits at line 11");
	r->max_insns = 0;
	FAILS(r, 32, 0, HEAD ".func f() { call f; ret; }\n" BEGIN "call f; ret; }\n",
	      "call stack overflow at f");
	FAILS(r, 32, 0,
	      HEAD ".extern .func ext(.param .b32 x);\n" BEGIN
		   "{ .param .b32 a; st.param.b32 [a], 1; call ext, (a); } ret; }\n",
	      "call of ext, which has no body");
	FAILS(r, 32, 0,
	      HEAD THREE BEGIN "mov.u64 %rd4, 16;\n" VIA(
		      "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n") "ret; }\n",
	      "where no function starts");
	FAILS(r, 32, 0,
	      HEAD THREE BEGIN "mov.u64 %rd4, f1; mov.u64 %rd5, 7;\n"
			       "{ .param .b64 a; .param .b32 b; st.param.b64 [a], %rd5;\n"
			       "P: .callprototype (.param .b32 _) _ (.param .b64 _);\n"
			       "call (b), %rd4, (a), P; } ret; }\n",
	      "indirect call of f1", "has 4 bytes, not 8");
	FAILS(r, 32, 0, KERNEL("T: .branchtargets A, A;\nbrx.idx %r1, T;\nA: ret;\n"),
	      "brx index 2", "2 targets");
}

static void
test_source_line(struct rig *r)
{
	/* Two functions of a header, inlined into each other and into the kernel; and one that is
	 * inlined elsewhere at the same line, which does not count. */
	FAILS(r, 32, 0,
	      HEAD
	      ".file 1 \"app.cu\"\n.file 2 \"lib.h\"\n" BEGIN
	      ".loc 2 5 2, function_name $L0, inlined_at 1 30 3\nmov.u32 %r5, 0;\n.loc 1 42 3\n"
	      "mov.u32 %r5, 1;\n.loc 2 5 2, function_name $L0, inlined_at 1 42 3\nmov.u32 %r5, 2;\n"
	      ".loc 2 9 4, function_name $L1 + 4, inlined_at 2 5 2\ntrap; ret; }\n",
	      "thread 0,0,0 (app.cu:42, inlined from lib.h:5, from lib.h:9)");
	FAILS(r, 32, 0,
	      HEAD ".file 1 \"app.cu\"\n.file 2 \"lib.h\"\n" BEGIN
		   ".loc 2 9 4, function_name $L1, inlined_at 1 7 1\nmov.u32 %r5, 2;\n.loc 1 8 1\n"
		   "trap; ret; }\n",
	      "thread 0,0,0 (app.cu:8)");
	FAILS(r, 32, 0, HEAD ".file 1 \"dir/app.cu\"\n" BEGIN ".loc 1 42 3\ntrap; ret; }\n",
	      "app.cu:42");
}

static void
test_launch(struct rig *r)
{
	static const char ptx[] = KERNEL("ret;\n");
	static const uint32_t one[3] = {1, 1, 1};
	static const struct {
		uint32_t grid[3], block[3];
		const char *words;
	} bad[] = {{{1, 1, 1}, {1025, 1, 1}, "more than 1024 threads in x"},
		   {{1, 1, 1}, {33, 32, 1}, "has 1056 threads, expected at most 1024"},
		   {{1, 1, 1}, {1, 1, 65}, "more than 64 threads in z"},
		   {{1, 65536, 1}, {1, 1, 1}, "more than 65535 CTAs in y"},
		   {{0x80000000u, 1, 1}, {1, 1, 1}, "CTAs in x"}};
	struct ptx_launch l;
	uint32_t i;

	for (i = 0; i < ARRAY_LEN(bad); i++) {
		int rc = rig_run3(r, ptx, bad[i].grid, bad[i].block);

		ok(rc && strstr(r->e.msg, bad[i].words), "refused: %s", bad[i].words);
	}
	r->shared = 300000;
	ok(rig_run3(r, ptx, one, one) && strstr(r->e.msg, "300000 bytes of dynamic"),
	   "too much shared memory");
	r->shared = 0;
	FAILS(r, 65, 0, HEAD ".entry k(.param .u64 out) .maxntid 64, 1, 1 { ret; }\n",
	      ".maxntid allows 64");
	FAILS(r, 65, 0, HEAD ".entry k(.param .u64 out) .reqntid 64 { ret; }\n",
	      ".reqntid demands 64");
	rig_run(r, ptx, 1, 1);
	l = (struct ptx_launch){.module = r->m,
				.kernel = ptx_kernel_at(r->m, 0),
				.block = {1, 1, 1}};
	ok(ptx_run(r->d, &l, NULL, &r->e) && strstr(r->e.msg, "parameters are missing"),
	   "parameters are missing");
	l.params = &r->out;
	ok(ptx_run(r->d, &l, NULL, &r->e) == 0, "with them it runs; a grid of 0 is 1");
	ptx_unload(r->d, r->m, &r->e);
	ok(ptx_run(r->d, &l, NULL, &r->e) && strstr(r->e.msg, "not loaded"), "module not loaded");
}

/* ---------------------------------------------------------------- sink and counts */

struct log {
	char text[4096];
	size_t n;
	uint32_t lines;
};

static int
on_begin(void *ctx, const struct run *run ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	struct log *l = ctx;

	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "begin ");
	return 0;
}

static int
on_cta(void *ctx, const uint32_t xyz[3], struct err *e ATTR_UNUSED)
{
	struct log *l = ctx;

	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "cta%u,%u,%u ", xyz[0],
				 xyz[1], xyz[2]);
	return 0;
}

static int
on_inst(void *ctx, uint32_t warp, const struct prog_func *f ATTR_UNUSED, const struct prog_inst *in,
	uint32_t mask, const uint64_t *lane, uint32_t lane_mask, struct err *e ATTR_UNUSED)
{
	struct log *l = ctx;

	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "%u:%s:%x", warp,
				 ptx_op_name((enum ptx_op)in->op), mask);
	if (lane)
		l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "@%x", lane_mask);
	l->text[l->n++] = ' ';
	l->text[l->n] = '\0';
	return 0;
}

static int
on_end(void *ctx, struct err *e ATTR_UNUSED)
{
	struct log *l = ctx;

	l->n += (size_t)snprintf(l->text + l->n, sizeof(l->text) - l->n, "end ");
	return 0;
}

/* As on_inst, with the number of calls. */
static int
on_line(void *ctx, uint32_t warp, const struct prog_func *f, const struct prog_inst *in, uint32_t n,
	uint32_t mask, struct err *e)
{
	struct log *l = ctx;

	for (l->lines++; n--; in++)
		on_inst(ctx, warp, f, in, mask, NULL, 0, e);
	return 0;
}

static int
on_inst_full(void *ctx ATTR_UNUSED, uint32_t warp ATTR_UNUSED,
	     const struct prog_func *f ATTR_UNUSED, const struct prog_inst *in ATTR_UNUSED,
	     uint32_t mask ATTR_UNUSED, const uint64_t *lane ATTR_UNUSED,
	     uint32_t lane_mask ATTR_UNUSED, struct err *e)
{
	return err_set(e, "disk full");
}

static int
on_line_long(void *ctx ATTR_UNUSED, uint32_t warp ATTR_UNUSED,
	     const struct prog_func *f ATTR_UNUSED, const struct prog_inst *in ATTR_UNUSED,
	     uint32_t n ATTR_UNUSED, uint32_t mask ATTR_UNUSED, struct err *e)
{
	return err_of(e, ERR_TOO_LONG, "too long");
}

/* Every CTA finds its local memory empty: what is declared, what no declaration covers, and that of
 * a function. */
static void
test_local_memory(struct rig *r)
{
	static const char ptx[] = HEAD
		".func (.reg .b32 %o) f() { .local .align 4 .b32 u; .reg .b32 %a;\n"
		"ld.local.u32 %o, [u]; mov.u32 %a, 5; st.local.u32 [u], %a; ret; }\n" BEGIN
		".local .align 4 .b32 v; .reg .b64 %g; ld.local.u32 %r10, [v];\n"
		"mov.u32 %r11, 7; st.local.u32 [v], %r11; mov.u64 %g, 0x7f1000000000;\n"
		"ld.u32 %r12, [%g+40000]; st.u32 [%g+40000], %r11; call (%r13), f, ();\n"
		"add.u32 %r10, %r10, %r12; add.u32 %r10, %r10, %r13;\n" STORE("%r10") "ret;\n}\n";

	ok(rig_run(r, ptx, 3, 40) == 0, "three CTAs with local memory: %s", r->e.msg);
	for (uint32_t i = 0; i < 120; i++)
		if (r->v[i]) {
			diag("thread %u found %u", i, r->v[i]);
			ok(false, "local memory starts as 0 in every CTA");
			return;
		}
	ok(true, "local memory starts as 0 in every CTA");
}

static void
test_sink(struct rig *r)
{
	static const char ptx[] = HEAD
		".visible .entry k(.param .u64 out) { .reg .b32 %r<4>; .reg .pred %p<2>;\n"
		".reg .b64 %rd<3>; mov.u32 %r1, %laneid; setp.lt.u32 %p1, %r1, 3;\n"
		"@%p1 bra L; @%p1 trap; bar.sync 0; @!%p1 bra M;\nL: add.u32 %r1, %r1, 1;\n"
		"M: setp.eq.u32 %p1, %r1, 1; ld.param.u64 %rd1, [out]; @%p1 st.global.u32 [%rd1], "
		"%r1; ret; }\n";
	struct log l = {.n = 0};
	struct ptx_sink s = {.ctx = &l,
			     .begin = on_begin,
			     .cta = on_cta,
			     .inst = on_inst,
			     .cta_end = on_end,
			     .end = on_end};
	char each[sizeof(l.text)];
	const char *p;

	r->sink = &s;
	/* the branch diverges, so the barrier does too: the others run to the end first */
	ok(rig_run3(r, ptx, (uint32_t[3]){1, 1, 1}, (uint32_t[3]){4, 1, 1}) == 0 &&
		   strstr(l.text,
			  "0:bra:f 0:add:7 0:bar:8 0:setp:7 0:ld:7 0:st:1@1 0:ret:7 0:bra:8 "),
	   "a barrier of some lanes waits for the others: %s", l.text);
	l.n = 0;
	ok(rig_run3(r, ptx, (uint32_t[3]){2, 1, 1}, (uint32_t[3]){2, 1, 1}) == 0,
	   "without it: runs");
	diag("%s", l.text);
	p = "begin cta0,0,0 0:mov:3 0:setp:3 0:bra:3 0:add:3 0:setp:3 0:ld:3";
	ok(strncmp(l.text, p, strlen(p)) == 0, "the sink is told every instruction in order");
	ok(strstr(l.text, "0:st:1@1 0:ret:3 end cta1,0,0 ") != NULL,
	   "a store's lanes and addresses, ret, the next CTA");
	ok(!strstr(l.text, "trap"), "an instruction that no lane executes is not told");
	is_u64(r->n.warp_insts, 16, "warp instructions");
	is_u64(r->n.thread_insts, 30, "thread instructions");
	memcpy(each, l.text, sizeof(each));
	l.n = 0;
	s.line = on_line;
	ok(rig_run3(r, ptx, (uint32_t[3]){2, 1, 1}, (uint32_t[3]){2, 1, 1}) == 0 &&
		   strcmp(l.text, each) == 0,
	   "told line by line: the same");
	is_u64(l.lines, 6, "three lines a thread block: to the branch, to the store, to the end");
	s.inst = on_inst_full;
	ok(rig_run3(r, ptx, (uint32_t[3]){2, 1, 1}, (uint32_t[3]){2, 1, 1}) &&
		   strcmp(r->e.msg, "disk full") == 0,
	   "the sink ends the launch");
	s.line = on_line_long;
	ok(rig_run3(r, ptx, (uint32_t[3]){1, 1, 1}, (uint32_t[3]){2, 1, 1}) &&
		   strcmp(r->e.msg, "too long: kernel k, CTA 0,0,0, warp 0") == 0 && r->e.line == 5,
	   "a thread block that is too long for it is named: %s", r->e.msg);
	r->sink = NULL;
}

/* One kernel of a module cannot run for each reason there is; the others can. */
static void
test_unsupported(struct rig *r)
{
	static const char ptx[] = HEAD
		".func helper() { .reg .b32 %r<2>; frob.sync.m1.u32 {%r1, %r1}, [%r1], 3; ret; }\n"
		".entry frob() { .reg .b32 %r<2>; add.frob.u32 %r1, %r1, 1; ret; }\n"
		".entry tensor() { .reg .b64 %r<2>; atom.exch.b128 %r1, [%r1], %r1; ret; }\n"
		".entry calls() { .reg .pred %p; @%p call helper; ret; }\n" BEGIN
		"add.u32 %r4, %r1, 7;\n" STORE("%r4") "ret;\n}\n";
	static const struct {
		const char *name, *why;
		uint32_t line;
	} bad[] = {{"frob", "modifier '.frob' is not supported", 5},
		   {"tensor", "atom.exch.b128: .b128 is not supported", 6},
		   {"calls", "instruction 'frob.sync.m1.u32' is not supported", 4}};

	ok(rig_run(r, ptx, 1, 32) == 0 && r->v[31] == 38,
	   "a kernel runs beside others that cannot");
	for (size_t i = 0; r->m && i < ARRAY_LEN(bad); i++) {
		struct ptx_launch l = {.module = r->m,
				       .kernel = ptx_kernel(r->m, bad[i].name, &r->e)};

		err_clear(&r->e);
		ok(l.kernel && ptx_run(r->d, &l, NULL, &r->e) == -1 &&
			   strstr(r->e.msg, bad[i].why) && r->e.line == bad[i].line,
		   "the launch of %s fails: %s", bad[i].name, r->e.msg);
	}
	ok(rig_run(r,
		   ".version 2.3\n.target sm_13\n.address_size 64\n" BEGIN
		   ".reg .f32 %f<4>; mov.f32 %f1, 0f40400000; mov.f32 %f2, 0f40000000;\n"
		   "mad.f32 %f3, %f1, %f2, %f1; mov.b32 %r4, %f3;\n" STORE("%r4") "ret;\n}\n",
		   1, 1) == 0 &&
		   r->v[0] == 0x41100000,
	   "mad.f32 of a target that knew no rounding");
	ok(r->m && !ptx_kernel(r->m, "k", &r->e)->bad, "and the one that runs has no such mistake");
}

int
main(void)
{
	struct rig r = {.d = NULL};

	test_divergence(&r);
	test_calls(&r);
	test_faults(&r);
	test_source_line(&r);
	test_launch(&r);
	test_local_memory(&r);
	test_sink(&r);
	test_unsupported(&r);
	rig_end(&r);
	return done();
}
