/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * side.c - CTAs that run in parallel: every number of jobs gives the same memory, counts, message
 * and trace as sequential execution, whatever the CTAs do to each other; and CTAs run in parallel
 * unless something prevents it.
 *
 * Each kernel begins with a loop (WORK), because less work is not worth threads.
 */
#include "record/ptx/exec/sink.h"
#include "record/ptx/ptx_record.h"
#include "tests/record/ptx/rig.h"
#include "trace/trace.h"

#include <stdlib.h>

#define CTAS 120u
#define WORK                                                                             \
	"mov.u32 %r30, 0; W: add.u32 %r30, %r30, 1; mad.lo.u32 %r31, %r30, %r1, %r31;\n" \
	"setp.lt.u32 %p9, %r30, 200; @%p9 bra W;\n"

/* %rd3 = the beginning of the CTA's bytes. */
#define PLACE(bytes)                                                  \
	"mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd3, %r5, " #bytes "; " \
	"add.u64 %rd3, %rd3, %rd1;\n"
#define A8 "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}"
#define B8 "{%r20, %r21, %r22, %r23, %r24, %r25, %r26, %r27}"
#define D4 "{%r4, %r5, %r6, %r7}"
#define SHAPE "m16n16k16"
#define MATRICES_IN_GLOBAL                                                                      \
	KERNEL(WORK PLACE(512) "mul.wide.u32 %rd4, %r3, 8; add.u64 %rd4, %rd4, %rd3;\n"         \
			       "st.global.v2.u32 [%rd4], {%r31, %r1}; bar.sync 0;\n"            \
			       "wmma.load.a.sync.aligned.row." SHAPE ".global.f16 " A8          \
			       ", [%rd3], 16;\n"                                                \
			       "wmma.load.b.sync.aligned.col." SHAPE ".global.f16 " B8          \
			       ", [%rd3], 16;\n"                                                \
			       "wmma.mma.sync.aligned.row.col." SHAPE ".f16.f16 " D4 ", " A8    \
			       ", " B8 ", {%r10, %r11, %r12, %r13};\n"                          \
			       "wmma.store.d.sync.aligned.row." SHAPE ".global.f16 [%rd3], " D4 \
			       ", 16; ret;\n")
/* s = 256 bytes that every thread has written to; only the first thread continues. */
#define BULK_SHARED                                                            \
	".shared .align 16 .b8 s[256]; mov.u32 %r6, s; shl.b32 %r7, %r3, 2;\n" \
	"add.u32 %r7, %r7, %r6; st.shared.u32 [%r7], %r31; bar.sync 0;\n"      \
	"setp.ne.u32 %p1, %r3, 0; @%p1 ret;\n"

static const struct {
	const char *what, *text;
	uint32_t block;
	enum { NONE, SOME, ALL } beside; /* which of the CTAs after the first run in parallel */
	uint64_t max_insns;
} cases[] = {
	{"each CTA its own words", KERNEL(WORK STORE("%r31") "ret;\n"), 64, ALL, 0},
	{"and reads them again",
	 KERNEL(WORK STORE("%r31") "ld.global.u32 %r5, [%rd2]; add.u32 %r5, %r5, 7;\n" STORE(
		 "%r5") "ld.global.v2.u32 {%r6, %r7}, [%rd1+65000];\n"
			"add.u32 %r6, %r6, %r7; st.global.u32 [%rd2+32768], %r6; ret;\n"),
	 64, ALL, 0},
	{"bytes of one word are different CTAs'",
	 KERNEL(WORK "cvt.u64.u32 %rd3, %r1; add.u64 %rd3, %rd3, %rd1;\n"
		     "st.global.u8 [%rd3], %r1; ret;\n"),
	 33, SOME, 0},
	{"all write one word: the last one wins",
	 KERNEL(WORK "mov.u32 %r5, %ctaid.x; st.global.u32 [%rd1+4], %r5; ret;\n"), 64, SOME, 0},
	{"each reads what the one before wrote",
	 KERNEL(WORK "mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd3, %r5, 4; add.u64 %rd3, %rd3, %rd1;\n"
		     "ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 1;\n"
		     "bar.sync 0; st.global.u32 [%rd3+4], %r6; ret;\n"),
	 64, SOME, 0},
	{"each reads what the next one writes",
	 KERNEL(WORK "mov.u32 %r5, %ctaid.x; mul.wide.u32 %rd3, %r5, 4; add.u64 %rd3, %rd3, %rd1;\n"
		     "ld.global.u32 %r6, [%rd3+4]; add.u32 %r6, %r6, %r5;\n"
		     "bar.sync 0; st.global.u32 [%rd3], %r6; ret;\n"),
	 64, SOME, 0},
	{"only later CTAs write",
	 KERNEL(WORK "setp.lt.u32 %p1, %r1, 100; @%p1 ret;\n" STORE("%r31") "ret;\n"), 64, ALL, 0},
	{"atomics", KERNEL(WORK "atom.global.add.u32 %r5, [%rd1], 1;\n" STORE("%r5") "ret;\n"), 64,
	 NONE, 0},
	{"a clock", KERNEL(WORK "mov.u32 %r5, %clock;\n" STORE("%r5") "ret;\n"), 64, NONE, 0},
	{"a fault in the middle",
	 KERNEL(WORK "mov.u32 %r5, %ctaid.x; setp.eq.u32 %p1, %r5, 70; setp.eq.or.u32 %p1, %r5, "
		     "31, %p1;\n"
		     "st.global.u32 [%rd2], %r1; @%p1 st.global.u32 [%rd2+999999], %r1;\n" STORE(
			     "%r31") "ret;\n"),
	 64, SOME, 0},
	{"the limit of instructions", KERNEL(WORK STORE("%r31") "ret;\n"), 64, SOME, 80000},
	{"shared and local memory, barriers, divergence, calls",
	 HEAD
	 ".func (.reg .b32 %o) f(.reg .b32 %a) { .local .align 4 .b32 u; .reg .b32 %b;\n"
	 "ld.local.u32 %b, [u]; st.local.u32 [u], %a; ld.local.u32 %o, [u];\n"
	 "add.u32 %o, %o, %b; ret; }\n" BEGIN WORK
	 ".shared .align 4 .b8 s[256]; mov.u32 %r5, s; shl.b32 %r6, %r3, 2;\n"
	 "add.u32 %r6, %r6, %r5; call (%r7), f, (%r31); st.shared.u32 [%r6], %r7;\n"
	 "bar.sync 0; xor.b32 %r8, %r6, 4; ld.shared.u32 %r9, [%r8];\n"
	 "and.b32 %r10, %r3, 5; setp.eq.u32 %p1, %r10, 1; @%p1 bra ODD;\n"
	 "atom.shared.add.u32 %r11, [s], %r9; add.u32 %r9, %r9, %r11;\n"
	 "ODD: cvta.shared.u64 %rd5, %rd4; ld.u32 %r12, [%rd5]; add.u32 %r9, %r9, %r12;\n" STORE(
		 "%r9") "ret;\n}\n",
	 64, ALL, 0},
	{"matrices in registers and in shared memory",
	 KERNEL(WORK
		".shared .align 16 .b8 s[1024]; mov.u32 %r5, s; shl.b32 %r6, %r3, 4;\n"
		"add.u32 %r6, %r6, %r5; st.shared.v4.u32 [%r6], {%r1, %r31, %r3, %r31};\n"
		"bar.sync 0;\n"
		"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r6];\n"
		"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r14, %r15}, {%r10}, {%r11},\n"
		"{%r12, %r13};\n"
		"movmatrix.sync.aligned.m8n8.trans.b16 %r16, %r14;\n"
		"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r6], {%r16};\n"
		"bar.sync 0; ld.shared.u32 %r17, [%r6]; add.u32 %r17, %r17, %r15;\n" STORE(
			"%r17") "ret;\n"),
	 64, ALL, 0},
	{"matrices in global memory", MATRICES_IN_GLOBAL, 64, ALL, 0},
	{"textures and surfaces that are asked for their size",
	 HEAD ".global .texref T;\n.global .surfref S;\n" BEGIN WORK
	      ".reg .f32 %f<7>; and.b32 %r5, %r3, 15; cvt.rn.f32.u32 %f1, %r5;\n"
	      "cvt.rn.f32.u32 %f2, %r1; tld4.r.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, "
	      "[T, {%f1, %f2}];\n"
	      "add.f32 %f3, %f3, %f6; cvt.rzi.u32.f32 %r6, %f3; suq.width.b32 %r7, [S];\n"
	      "add.u32 %r6, %r6, %r7;\n" STORE("%r6") "ret;\n}\n",
	 64, ALL, 0},
	{"asynchronous copies and barriers in memory",
	 KERNEL(WORK ".shared .align 16 .b8 s[256]; .shared .align 8 .b64 b;\n"
		     "mov.u32 %r5, s; shl.b32 %r6, %r3, 2; add.u32 %r6, %r6, %r5;\n"
		     "setp.ne.u32 %p1, %r3, 0; @%p1 bra I; mbarrier.init.shared.b64 [b], 64;\n"
		     "I: bar.sync 0;\n" STORE(
			     "%r31") "cp.async.ca.shared.global [%r6], [%rd2], 4;\n"
				     "cp.async.wait_all; mbarrier.arrive.shared.b64 %rd5, [b];\n"
				     "L: mbarrier.test_wait.shared.b64 %p2, [b], %rd5;\n"
				     "@!%p2 bra L; xor.b32 %r6, %r6, 4; ld.shared.u32 %r7, [%r6];\n"
				     "add.u32 %r7, %r7, 1;\n" STORE("%r7") "ret;\n"),
	 64, ALL, 0},
	{"pieces of memory copied in bulk",
	 KERNEL(WORK PLACE(256) BULK_SHARED "cp.async.bulk.global.shared::cta.bulk_group "
					    "[%rd3], [s], 256; ret;\n"),
	 64, ALL, 0},
	{"added in bulk to the same place",
	 KERNEL(WORK BULK_SHARED
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [s], 256;\n"
		"ret;\n"),
	 64, SOME, 0},
	{"hints and clusters of one CTA",
	 KERNEL(WORK PLACE(512) "griddepcontrol.wait; setmaxnreg.inc.sync.aligned.u32 40;\n"
				"createpolicy.fractional.L2::evict_last.b64 %rd4, 0f3F800000;\n"
				"getctarank.shared::cluster.u32 %r5, %r3; mapa.u64 %rd5, %rd3, 0;\n"
				"applypriority.global.L2::evict_normal [%rd3], 128;\n"
				"discard.global.L2 [%rd3], 128; pmevent 1;\n"
				"add.u32 %r31, %r31, %r5; st.global.u32 [%rd5], %r31; ret;\n"),
	 64, ALL, 0},
};

struct got {
	int rc;
	char msg[600];
	struct ptx_counts n;
	uint64_t digest, insts; /* of the trace */
	uint8_t *out;
	unsigned beside, put;
};

/* ---- the recorder's sink, with its calls of beside and put counted ---- */

static unsigned n_beside, n_put;
static const struct ptx_sink *inner;

static int
count_put(void *ctx, void *pack, struct err *e)
{
	n_put++;
	return inner->put(ctx, pack, e);
}

static const struct ptx_sink *
count_beside(void *ctx, struct err *e)
{
	n_beside++;
	return inner->beside(ctx, e);
}

/* Binds the texture T and the surface S of a module that has them: 16 x 16 bytes. */
static void
bind_image(struct ptx_device *d, const struct ptx_module *m)
{
	struct ptx_texture t = {.width = 16,
				.height = 16,
				.depth = 1,
				.texel = TEXEL_U8,
				.channels = 1,
				.dims = 2,
				.as_integer = false};
	uint8_t *host;

	t.addr = ptx_alloc(d, 256, 0, "image", NULL);
	host = t.addr ? ptx_host(d, t.addr, 256, NULL) : NULL;
	for (unsigned i = 0; host && i < 256; i++)
		host[i] = (uint8_t)(i * 37);
	ptx_texref_bind(d, m, "T", &t, NULL);
	ptx_surfref_bind(d, m, "S", &t, NULL);
}

static void
run(const char *text, uint32_t block, uint32_t jobs, uint64_t max_insns, struct got *g)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(NULL, &e);
	struct ptx_recorder *r = ptx_recorder_new(w, &e);
	struct ptx_module *m = ptx_parse("side.ptx", text, strlen(text), &e);
	struct ptx_device *d = ptx_device_new(1 << 24, &e);
	struct ptx_sink sink = *ptx_recorder_sink(r);
	struct ptx_launch l = {.module = m,
			       .grid = {CTAS, 1, 1},
			       .block = {block, 1, 1},
			       .jobs = jobs,
			       .max_insns = max_insns,
			       .sink = &sink};
	uint64_t out = 0;

	*g = (struct got){.rc = -1};
	inner = ptx_recorder_sink(r);
	sink.beside = count_beside;
	sink.put = count_put;
	n_beside = n_put = 0;
	if (m && d && !ptx_load(d, m, &e) && (out = ptx_alloc(d, OUT_BYTES, 0, "out", &e))) {
		l.kernel = ptx_kernel(m, "k", &e);
		l.params = &out;
		bind_image(d, m);
		g->rc = ptx_run(d, &l, &g->n, &e);
		g->out = malloc(OUT_BYTES);
		memcpy(g->out, ptx_host(d, out, OUT_BYTES, &e), OUT_BYTES);
	}
	snprintf(g->msg, sizeof(g->msg), "%u: %s", (unsigned)e.line, e.msg);
	g->beside = n_beside;
	g->put = n_put;
	ptx_recorder_free(r);
	if (g->rc == 0) {
		struct trace *t = trace_writer_trace(w, &e);

		g->digest = trace_info(t)->digest;
		g->insts = trace_info(t)->kernel[0].warp_insts;
		trace_close(t);
	} else {
		trace_writer_abort(w);
	}
	ptx_device_free(d);
	ptx_module_free(m);
}

static bool
same(const struct got *a, const struct got *b)
{
	if (a->rc == b->rc && strcmp(a->msg, b->msg) == 0 && a->n.warp_insts == b->n.warp_insts &&
	    a->n.thread_insts == b->n.thread_insts && a->digest == b->digest &&
	    a->insts == b->insts && a->out && b->out && memcmp(a->out, b->out, OUT_BYTES) == 0)
		return true;
	diag("%d %s, %llu, digest %llx", a->rc, a->msg, (unsigned long long)a->n.warp_insts,
	     (unsigned long long)a->digest);
	diag("%d %s, %llu, digest %llx", b->rc, b->msg, (unsigned long long)b->n.warp_insts,
	     (unsigned long long)b->digest);
	return false;
}

int
main(void)
{
	static const uint32_t jobs[] = {2, 4, 7};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct got one, more;

		run(cases[i].text, cases[i].block, 1, cases[i].max_insns, &one);
		if (one.rc)
			diag("%s", one.msg);
		ok(!one.beside && one.n.warp_insts, "%s: one job", cases[i].what);
		for (size_t k = 0; k < ARRAY_LEN(jobs); k++) {
			run(cases[i].text, cases[i].block, jobs[k], cases[i].max_insns, &more);
			ok(same(&one, &more), "%s: the same with %u", cases[i].what,
			   (unsigned)jobs[k]);
			ok(cases[i].beside == NONE  ? !more.beside
			   : cases[i].beside == ALL ? more.put == CTAS - 1
						    : more.beside && more.put < CTAS - 1,
			   "side by side: %u", more.put);
			free(more.out);
		}
		free(one.out);
	}
	return done();
}
