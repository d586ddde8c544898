/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ldst32.c - accesses of 32 bytes (.v8, .v4 of 64 bits) and .b128: values, lanes, and the trace. */
#include "rig.h"
#include "record/ptx/ptx_record.h"
#include "trace/trace.h"

#define REGS ".reg .b32 %a<9>; .reg .b64 %b<9>; .reg .b128 %q<3>; .reg .b64 %rd30;\n"

/* Lane l writes words 100 l to 100 l + 7 at 32 l; the address of the first words. */
#define FILL                                                                                       \
	REGS "mad.wide.u32 %rd30, %r1, 32, %rd1; mul.lo.u32 %a0, %r1, 100;\n"                      \
	     "add.u32 %a1, %a0, 1; add.u32 %a2, %a0, 2; add.u32 %a3, %a0, 3; add.u32 %a4, %a0, 4;" \
	     "add.u32 %a5, %a0, 5; add.u32 %a6, %a0, 6; add.u32 %a7, %a0, 7;\n"

static const char eight_ptx[] =
	KERNEL(FILL "st.global.v8.b32 [%rd30], {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7};\n"
		    "and.b32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 2;\n"
		    /* those whose number is not 2 modulo 4; one result is not wanted */
		    "@!%p1 ld.global.v8.f32 {%a7,%a6,%a5,_,%a3,%a2,%a1,%a0}, [%rd30];\n"
		    "st.global.v8.u32 [%rd30+4096], {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}; ret;\n");

static const char four_ptx[] =
	KERNEL(FILL "st.global.v8.b32 [%rd30], {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7};\n"
		    "ld.global.v4.u64 {%rd30,%b1,%b2,%b3}, [%rd30];\n"
		    "mad.wide.u32 %rd2, %r1, 32, %rd1; mov.b64 %b0, %rd30;\n"
		    "st.global.v4.b64 [%rd2+4096], {%b3,%b2,%b1,%b0}; ret;\n");

static const char whole_ptx[] =
	KERNEL(FILL "st.global.v4.b32 [%rd30], {%a0,%a1,%a2,%a3}; ld.global.b128 %q0, [%rd30];\n"
		    "mov.b128 %q1, %q0; mov.b128 {%b0, %b1}, %q1; mov.b128 %q2, {%b1, %b0};\n"
		    "st.global.b128 [%rd30+4096], %q2; ret;\n");

static uint32_t
word_of(uint32_t lane, uint32_t i)
{
	return 100 * lane + i;
}

static void
test_eight(struct rig *r)
{
	uint32_t bad = 0;

	ok(rig_run(r, eight_ptx, 1, 32) == 0, ".v8 runs");
	for (uint32_t l = 0; l < 32; l++)
		for (uint32_t i = 0; i < 8; i++) {
			uint32_t want = word_of(l, l % 4 == 2 || i == 4 ? i : 7 - i);

			bad += r->v[8 * l + i] != word_of(l, i);
			bad += r->v[1024 + 8 * l + i] != want;
		}
	is_u64(bad, 0, "eight words a lane, of the lanes that execute it");
}

static void
test_four(struct rig *r)
{
	uint32_t bad = 0;

	ok(rig_run(r, four_ptx, 1, 32) == 0, ".v4 of 64 bits runs");
	for (uint32_t l = 0; l < 32; l++)
		for (uint32_t i = 0; i < 8; i++)
			bad += r->v[1024 + 8 * l + i] != word_of(l, (3 - i / 2) * 2 + i % 2);
	is_u64(bad, 0, "four of 64 bits, one of them into the register of the address");
}

static void
test_whole(struct rig *r)
{
	uint32_t bad = 0;

	ok(rig_run(r, whole_ptx, 1, 32) == 0, ".b128 runs");
	for (uint32_t l = 0; l < 32; l++)
		for (uint32_t i = 0; i < 4; i++)
			bad += r->v[1024 + 8 * l + i] != word_of(l, (i + 2) % 4);
	is_u64(bad, 0,
	       "a register of 128 bits is loaded, moved, taken apart, put together, stored");
}

/* Bytes that are out of bounds are 0, and nothing is written there. */
static void
test_outside(struct rig *r)
{
	r->go_on = CHECK_BOUNDS;
	ok(rig_run(r,
		   KERNEL(REGS "mad.wide.u32 %rd30, %r1, 65536, %rd1; mov.u32 %a0, 7;\n"
			       "ld.global.v8.b32 {%a0,%a1,%a2,%a3,%a4,%a5,%a6,%a7}, [%rd30];\n"
			       "add.u32 %a0, %a0, 5;\n" STORE("%a0") "ret;\n"),
		   1, 2) == 0 &&
		   r->v[0] == 5 && r->v[1] == 5,
	   "a load out of bounds is 0 where that is wanted");
	r->go_on = 0;
}

/* The accesses of a program in the trace: their number, the first lane's addresses, their width. */
static void
test_trace(void)
{
	struct err e = {0};
	struct ptx_module *m = ptx_parse("k.ptx", four_ptx, strlen(four_ptx), &e);
	struct ptx_device *d = ptx_device_new(0, &e);
	struct trace_writer *w = trace_writer_new(NULL, &e);
	struct ptx_recorder *r = ptx_recorder_new(w, &e);
	struct ptx_launch l = {.module = m, .sink = ptx_recorder_sink(r), .block = {32, 1, 1}};
	uint64_t out = d ? ptx_alloc(d, 65536, 0, "out", &e) : 0, lane[WARP_SIZE], seen[8] = {0};
	struct trace *t = NULL;
	const struct cta_trace *c;
	uint32_t n = 0;

	l.kernel = m ? ptx_kernel_at(m, 0) : NULL;
	l.params = &out;
	if (l.kernel && !ptx_load(d, m, &e) && !ptx_run(d, &l, NULL, &e)) {
		t = trace_writer_trace(w, &e);
		w = NULL;
	}
	ok(t != NULL, "a trace %s", e.msg);
	c = t ? trace_pin(t, 0, 0, NULL) : NULL;
	for (uint32_t i = 0; c && i < c->warp[0].n; i++) {
		const struct winst *x = &c->warp[0].rec[i];

		if (trace_info(t)->kernel->inst[x->inst].width == 16 &&
		    trace_lanes(c, x, lane) == UINT32_MAX && n < ARRAY_LEN(seen))
			seen[n++] = lane[1] - out;
	}
	ok(n == 6 && seen[0] == 32 && seen[1] == 48 && seen[2] == 32 && seen[3] == 48 &&
		   seen[4] == 4096 + 32 && seen[5] == 4096 + 48,
	   "each is two accesses of 16 bytes, one after the other: %u", n);
	if (c)
		trace_unpin(t, 0, c);
	trace_close(t);
	trace_writer_abort(w);
	ptx_recorder_free(r);
	ptx_device_free(d);
	ptx_module_free(m);
}

int
main(void)
{
	struct rig r = {.d = NULL};

	test_eight(&r);
	test_four(&r);
	test_whole(&r);
	test_outside(&r);
	test_trace();
	rig_end(&r);
	return done();
}
