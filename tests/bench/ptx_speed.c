/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ptx_speed.c - measures how fast the PTX emulator executes straight-line arithmetic, in warp
 * instructions per second, for one instruction repeated and for a mixture, in whole warps and in
 * warps with half of their lanes off; and how long it takes to parse a megabyte of PTX. It measures
 * processor time, without a sink. Nothing is judged here; the goals are 20 million for a mixture,
 * and a second.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "record/ptx/ptx.h"

#define REPEAT 64 /* copies of the text in a loop */

static const struct {
	const char *name, *text;
} codes[] = {
	{"add.u32", "add.u32 r1, r2, r1;"},
	{"mad.lo.u32", "mad.lo.u32 r1, r2, r3, r1;"},
	{"mul.wide.s32", "mul.wide.s32 d1, r2, r3;"},
	{"shl.b32", "shl.b32 r1, r2, 3;"},
	{"add.f32", "add.f32 f1, f2, f1;"},
	{"fma.rn.f32", "fma.rn.f32 f1, f2, f3, f1;"},
	{"fma.rn.ftz.f32", "fma.rn.ftz.f32 f1, f2, f3, f1;"},
	{"fma.rz.f32", "fma.rz.f32 f1, f2, f3, f1;"},
	{"div.rn.f32", "div.rn.f32 f1, f2, f3;"},
	{"sqrt.rn.f32", "sqrt.rn.f32 f1, f2;"},
	{"sin.approx.f32", "sin.approx.f32 f1, f2;"},
	{"ex2.approx.f32", "ex2.approx.f32 f1, f2;"},
	{"fma.rn.f64", "fma.rn.f64 g1, g2, g3, g1;"},
	{"fma.rn.f16x2", "fma.rn.f16x2 r1, r2, r3, r1;"},
	{"div.s32", "div.s32 r1, r2, r3;"},
	{"setp selp", "setp.lt.s32 p1, r1, r2; selp.b32 r1, r2, r3, p1;"},
	{"mixture", "add.u32 r1, r2, r1; fma.rn.f32 f1, f2, f3, f1; mad.lo.u32 r4, r2, r3, r1;"
		    "xor.b32 r5, r4, r1; shr.u32 r2, r5, 3; mul.f32 f4, f1, f2;"
		    "setp.lt.u32 p1, r2, r5; @p1 add.f32 f5, f4, f1;"},
};

/* Returns warp instructions per second, or a negative number with e. */
static double
measure(struct ptx_device *d, const char *code, bool half, struct err *e)
{
	static char text[1 << 16];
	int n = snprintf(text, sizeof(text),
			 ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
			 ".reg .b32 r<8>; .reg .b64 d<4>; .reg .f32 f<8>; .reg .f64 g<4>;\n"
			 ".reg .pred p<4>; .reg .b32 %%i, %%t;\n"
			 "mov.u32 r2, %%tid.x; or.b32 r2, r2, 0x3c003c00; add.u32 r3, r2, 12345;\n"
			 "mov.u32 r1, 0; mov.u32 r4, 0;\n"
			 "cvt.rn.f32.u32 f2, r2; mov.f32 f3, 0f3F000000; mov.f32 f1, f2;\n"
			 "cvt.f64.f32 g1, f2; mov.f64 g2, g1; mov.f64 g3, g1; mov.f32 f5, f1;\n"
			 "mov.u32 %%i, 0; and.b32 %%t, r2, 1; setp.eq.u32 p2, %%t, %s;\n"
			 "@p2 bra END;\nLOOP:\n",
			 half ? "1" : "2");
	struct ptx_launch l = {.grid = {4, 1, 1}, .block = {256, 1, 1}};
	struct ptx_counts count;
	struct ptx_module *m;
	double best = -1;

	for (unsigned i = 0; i < REPEAT; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n, "%s\n", code);
	n += snprintf(text + n, sizeof(text) - (size_t)n,
		      "add.u32 %%i, %%i, 1; setp.lt.u32 p2, %%i, 100; @p2 bra LOOP;\n"
		      "END: ret;\n}\n");
	m = ptx_parse("speed.ptx", text, (size_t)n, e);
	l.module = m;
	l.kernel = m && !ptx_load(d, m, e) ? ptx_kernel(m, "k", e) : NULL;
	for (unsigned i = 0; i < 3 && l.kernel; i++) {
		double start = clock_processor();

		if (ptx_run(d, &l, &count, e))
			break;
		best = MAX(best, (double)count.warp_insts / (clock_processor() - start));
	}
	ptx_unload(d, m, e);
	ptx_module_free(m);
	return best;
}

/* Returns the seconds to parse a straight kernel of a megabyte, like that of a solver of many
 * equations: every instruction has its own registers, every thirtieth is a branch. Negative with e.
 */
static double
load(struct err *e)
{
	enum { BYTES = 1 << 20, LINE = 64, REGS = 16000 };
	char *text = malloc(BYTES + LINE);
	struct ptx_module *m;
	double start;
	int n;

	if (!text)
		return err_set(e, "out of memory");
	n = snprintf(text, BYTES,
		     ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n"
		     ".reg .f32 f<%d>; .reg .pred p<2>;\n",
		     REGS);
	for (int i = 0; n < BYTES - LINE; i++) {
		n += snprintf(text + n, LINE, "fma.rn.f32 f%d, f%d, f%d, 0f3F000000;\n", i % REGS,
			      (i + REGS - 1) % REGS, (i + REGS - 77) % REGS);
		if (i % 30 == 0)
			n += snprintf(text + n, LINE,
				      "setp.lt.f32 p1, f%d, f1; @p1 bra L%d;\nL%d:\n", i % REGS, i,
				      i);
	}
	n += snprintf(text + n, LINE, "ret;\n}\n");
	start = clock_processor();
	m = ptx_parse("load.ptx", text, (size_t)n, e);
	start = m ? clock_processor() - start : -1;
	ptx_module_free(m);
	free(text);
	return start;
}

int
main(void)
{
	struct err e = {0};
	double seconds;
	struct ptx_device *d = ptx_device_new(0, &e);

	printf("%-16s %18s %18s\n", "instruction", "whole: Minstr/s", "half off");
	for (size_t i = 0; i < ARRAY_LEN(codes) && d; i++) {
		double whole = measure(d, codes[i].text, false, &e);
		double half = measure(d, codes[i].text, true, &e);

		if (whole < 0 || half < 0)
			break;
		printf("%-16s %18.1f %18.1f\n", codes[i].name, whole / 1e6, half / 1e6);
	}
	seconds = e.set ? -1 : load(&e);
	if (seconds >= 0)
		printf("1 MB of PTX read in %.2f s\n", seconds);
	if (e.set) {
		err_print(&e, "ptx_speed", stderr);
		return 1;
	}
	ptx_device_free(d);
	return 0;
}
