/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * atom.c - every operation of atom and red compared with C: 32 threads on 4 cells, so that each
 * result depends on those before it; in global, shared and generic memory.
 */
#include <math.h>
#include "tests/record/ptx/rig.h"

struct op {
	const char *op, *type;
	uint32_t bytes;
};

static const struct op ops[] = {
	{"add", "u32", 4},	    {"add", "s32", 4},	      {"add", "u64", 8},
	{"add", "s64", 8},	    {"add", "f32", 4},	      {"add", "f64", 8},
	{"add.noftz", "f16", 2},    {"add.noftz", "bf16", 2}, {"add.noftz", "f16x2", 4},
	{"add.noftz", "bf16x2", 4}, {"min", "u32", 4},	      {"min", "s32", 4},
	{"min", "u64", 8},	    {"min", "s64", 8},	      {"max", "u32", 4},
	{"max", "s32", 4},	    {"max", "u64", 8},	      {"max", "s64", 8},
	{"inc", "u32", 4},	    {"dec", "u32", 4},	      {"and", "b32", 4},
	{"and", "b64", 8},	    {"or", "b32", 4},	      {"or", "b64", 8},
	{"xor", "b32", 4},	    {"xor", "b64", 8},	      {"exch", "b32", 4},
	{"exch", "b64", 8},	    {"cas", "b16", 2},	      {"cas", "b32", 4},
	{"cas", "b64", 8},
};

/* The operand of thread t; c is only for cas. They are small integers in the format of the floats.
 */
static uint64_t
operand_b(const struct op *o, uint32_t t)
{
	float f = (float)(int)(t * 7 % 13) - 5.0f;
	double d = f;
	uint64_t x;
	uint32_t w;

	memcpy(&w, &f, 4);
	if (strcmp(o->type, "f32") == 0)
		return w;
	if (strcmp(o->type, "bf16") == 0)
		return w >> 16;
	if (strcmp(o->type, "bf16x2") == 0)
		return w >> 16 | 0x40400000u; /* 3.0 */
	if (strncmp(o->type, "f16", 3) == 0) {
		/* 1.0 << t % 4, negative for odd t */
		x = 0x3c00u + (t % 4) * 0x400u + (t % 2 ? 0x8000u : 0);
		return o->bytes == 4 ? x | 0x38000000u /* 0.5 */ : x;
	}
	if (strcmp(o->type, "f64") == 0) {
		memcpy(&x, &d, 8);
		return x;
	}
	if (strcmp(o->op, "cas") == 0) /* what the cell holds, for every other of the threads */
		return t / 4 % 2 ? 77 : t / 4;
	if (strcmp(o->op, "inc") == 0 || strcmp(o->op, "dec") == 0)
		return t % 3 + 2;
	x = (t + 1) * 0x9e3779b97f4a7c15ull;
	return o->bytes == 8 ? x : (uint32_t)x;
}

static double
half_value(uint32_t h)
{
	double m = (h & 0x3ff) / 1024.0 + ((h >> 10 & 31) ? 1 : 0);

	return (h & 0x8000 ? -1 : 1) * ldexp(m, (int)(h >> 10 & 31) - ((h >> 10 & 31) ? 15 : 14));
}

/* Correct only for the exact results of this test. */
static uint32_t
half_bits(double x)
{
	int e;
	double m = frexp(fabs(x), &e);

	if (x == 0)
		return 0;
	return (x < 0 ? 0x8000u : 0) + ((uint32_t)(e + 14) << 10) + (uint32_t)((m * 2 - 1) * 1024);
}

static uint32_t
add_half(uint32_t a, uint32_t b)
{
	return half_bits(half_value(a) + half_value(b));
}

static uint32_t
add_brain(uint32_t a, uint32_t b)
{
	uint32_t x = a << 16, y = b << 16;
	float f, g;

	memcpy(&f, &x, 4);
	memcpy(&g, &y, 4);
	f += g;
	memcpy(&x, &f, 4);
	return x >> 16;
}

static uint64_t
add(const struct op *o, uint64_t a, uint64_t b)
{
	uint32_t x = (uint32_t)a, y = (uint32_t)b;
	float f, g;
	double d, h;

	if (strcmp(o->type, "f32") == 0) {
		memcpy(&f, &x, 4);
		memcpy(&g, &y, 4);
		f += g;
		memcpy(&x, &f, 4);
		return x;
	}
	if (strcmp(o->type, "f64") == 0) {
		memcpy(&d, &a, 8);
		memcpy(&h, &b, 8);
		d += h;
		memcpy(&a, &d, 8);
		return a;
	}
	if (strcmp(o->type, "f16") == 0)
		return add_half(x, y);
	if (strcmp(o->type, "bf16") == 0)
		return add_brain(x, y);
	if (strcmp(o->type, "f16x2") == 0)
		return add_half(x & 0xffff, y & 0xffff) | add_half(x >> 16, y >> 16) << 16;
	if (strcmp(o->type, "bf16x2") == 0)
		return add_brain(x & 0xffff, y & 0xffff) | add_brain(x >> 16, y >> 16) << 16;
	return a + b;
}

/* Returns the new value of a cell. */
static uint64_t
apply(const struct op *o, uint64_t a, uint64_t b, uint64_t c)
{
	bool sign = o->type[0] == 's', less;

	less = a < b;
	if (sign)
		less = o->bytes == 8 ? (int64_t)a < (int64_t)b : (int32_t)a < (int32_t)b;
	switch (o->op[0] == 'm' ? o->op[1] : o->op[0]) {
	case 'i':
		if (o->op[0] == 'm')
			return less ? a : b; /* min */
		return a >= b ? 0 : a + 1;
	case 'a':
		if (o->op[0] == 'm')
			return less ? b : a; /* max */
		return o->op[1] == 'n' ? a & b : add(o, a, b);
	case 'd':
		return a == 0 || a > b ? b : a - 1;
	case 'o':
		return a | b;
	case 'x':
		return a ^ b;
	case 'e':
		return b;
	default:
		return a == b ? c : a;
	}
}

/* The kernel: thread t has the operands tab[2t] and tab[2t + 1] and the cell t % 4; cells go to
 * out[0..3], old values to out[8 + t]. */
static void
op_text(const struct op *o, const char *space, bool red, const char *tab, char *text, size_t size)
{
	const char *reg = o->bytes == 8 ? "%rd" : o->bytes == 2 ? "%h" : "%r", *cells = "%rd1";
	char inst[128], third[16] = "", keep[64] = "";

	if (strcmp(space, ".shared") == 0)
		cells = "sh";
	else if (strcmp(space, "") == 0)
		cells = "sh; cvta.shared.u64 %rd5, %rd5";
	if (strcmp(o->op, "cas") == 0)
		snprintf(third, sizeof(third), ", %s11", reg);
	if (red) {
		snprintf(inst, sizeof(inst), "red.relaxed.gpu%s.%s.%s [%%rd5], %s10;", space, o->op,
			 o->type, reg);
	} else {
		snprintf(inst, sizeof(inst), "atom%s.%s.%s %s9, [%%rd5], %s10%s;", space, o->op,
			 o->type, reg, reg, third);
		snprintf(keep, sizeof(keep), "st.global.b%u [%%rd6+64], %s9;", 8 * o->bytes, reg);
	}
	snprintf(text, size,
		 "%s.global .align 8 .u64 tab[64] = {%s};\n.shared .align 8 .u64 sh[4];\n%s"
		 ".reg .b16 %%h<12>;\n"
		 "mul.wide.u32 %%rd3, %%r1, 16; mov.u64 %%rd4, tab; add.u64 %%rd3, %%rd3, %%rd4;\n"
		 "ld.global.b%u %s10, [%%rd3]; ld.global.b%u %s11, [%%rd3+8];\n"
		 "mov.u64 %%rd5, %s; and.b32 %%r4, %%r1, 3; mad.wide.u32 %%rd5, %%r4, 8, %%rd5;\n"
		 "%s mad.wide.u32 %%rd6, %%r1, 8, %%rd1; %s\n"
		 "ld%s.b64 %%rd7, [%%rd5]; mad.wide.u32 %%rd6, %%r4, 8, %%rd1;\n"
		 "st.global.b64 [%%rd6], %%rd7; ret;\n}\n",
		 HEAD, tab, BEGIN, 8 * o->bytes, reg, 8 * o->bytes, reg, cells, inst, keep, space);
}

static void
check_op(struct rig *r, const struct op *o, const char *space, bool red)
{
	uint64_t cell[4] = {0}, in[64], old[32], got, mask = UINT64_MAX >> (64 - 8 * o->bytes);
	char text[4096], tab[2048] = "";
	const uint8_t *out;
	uint32_t bad = 0;

	for (uint32_t t = 0; t < 32; t++) {
		size_t n = strlen(tab);

		in[2 * t] = operand_b(o, t);
		in[2 * t + 1] = strcmp(o->op, "cas") == 0 ? t / 4 + 1 : 0;
		snprintf(tab + n, sizeof(tab) - n, "%s0x%" PRIx64 ",%" PRIu64, t ? "," : "",
			 in[2 * t], in[2 * t + 1]);
	}
	op_text(o, space, red, tab, text, sizeof(text));
	for (uint32_t t = 0; t < 32; t++) {
		old[t] = cell[t % 4];
		cell[t % 4] = apply(o, cell[t % 4], in[2 * t], in[2 * t + 1]) & mask;
	}
	if (rig_run(r, text, 1, 32) != 0) {
		ok(false, "%s%s.%s.%s runs", red ? "red" : "atom", space, o->op, o->type);
		return;
	}
	out = (const uint8_t *)r->v;
	for (uint32_t t = 0; t < 4; t++) {
		memcpy(&got, out + 8 * t, 8);
		bad += got != cell[t];
	}
	for (uint32_t t = 0; t < 32 && !red; t++) {
		memcpy(&got, out + 64 + 8 * t, 8);
		bad += (got & mask) != old[t];
	}
	ok(!bad, "%s%s.%s.%s", red ? "red" : "atom", space, o->op, o->type);
}

static uint32_t
guarded(uint32_t i)
{
	return i < 40 ? i / 2 + 100 : 0;
}

/* Lanes execute in order, also those of the second warp; inactive lanes do nothing; without a
 * result. */
static void
test_lanes(struct rig *r)
{
	rig_equal(r,
		  HEAD
		  ".global .u32 c = 100;\n" BEGIN
		  "mov.u64 %rd4, c; and.b32 %r4, %r1, 1; setp.ne.u32 %p1, %r4, 0;\n"
		  "mov.u32 %r5, 0; @!%p1 atom.global.add.u32 %r5, [%rd4], 1;\n"
		  "@%p1 atom.global.add.u32 _, [%rd4], 0; shfl.sync.idx.b32 %r6, %r5, 0, 31, -1;\n"
		  "and.b32 %r7, %r1, -2; and.b32 %r8, %r7, 31;\n"
		  "shfl.sync.idx.b32 %r9, %r5, %r8, 31, -1;\n" STORE("%r9") "ret;\n}\n",
		  40, guarded, "lanes take turns in order");
}

static void
check_flush(struct rig *r, const char *where, uint32_t want, const char *what)
{
	char text[2048];

	snprintf(text, sizeof(text),
		 "%s.shared .f32 sh; .global .f32 gl;\n%s mov.u64 %%rd4, sh; mov.u64 %%rd5, gl;\n"
		 "mov.b32 %%r4, 0x00400000; %s\n ret;\n}\n",
		 HEAD, BEGIN, where);
	rig_run(r, text, 1, 1);
	ok(r->v[0] == want, "%s: 0x%x", what, r->v[0]);
}

static void
test_special(struct rig *r)
{
	check_flush(r,
		    "st.shared.b32 [%rd4], %r4; red.shared.add.f32 [%rd4], %r4; ld.shared.b32 %r5, "
		    "[%rd4]; st.global.b32 [%rd1], %r5;",
		    0x00800000, "shared memory keeps subnormal numbers");
	check_flush(r,
		    "st.global.b32 [%rd5], %r4; red.global.add.f32 [%rd5], %r4; ld.global.b32 %r5, "
		    "[%rd5]; st.global.b32 [%rd1], %r5;",
		    0, "global memory flushes them");
	check_flush(
		r,
		"st.shared.b32 [%rd4], %r4; cvta.shared.u64 %rd4, %rd4; red.add.f32 [%rd4], %r4; "
		"ld.b32 %r5, [%rd4]; st.global.b32 [%rd1], %r5;",
		0x00800000, "also through a generic address");
	check_flush(
		r,
		"mov.b32 %r5, 0x7f800000; mov.b32 %r6, 0xff800000; st.global.b32 [%rd5], %r5; "
		"red.global.add.f32 [%rd5], %r6; ld.global.b32 %r5, [%rd5]; st.global.b32 [%rd1], "
		"%r5;",
		0x7fffffff, "infinity minus infinity");
}

/* Vectors: every lane adds to the same four floats, and to its own pairs of halves. */
static void
test_vectors(struct rig *r)
{
	static const char ptx[] = KERNEL(
		"mov.b32 %r4, 0f3F800000; mov.b32 %r5, 0f40000000; mov.b32 %r6, 0f40400000;\n"
		"mov.b32 %r7, 0f40800000; atom.global.relaxed.gpu.add.v4.f32 {%r8,%r9,_,%r10}, "
		"[%rd1+8192], {%r4,%r5,%r6,%r7};\n"
		"red.global.add.v2.f32 [%rd1+8192], {%r7, %r4};\n"
		"mad.wide.u32 %rd3, %r1, 8, %rd1; mov.b32 %r11, 0x40003C00; mov.b32 %r12, "
		"0x42004400;\n"
		"red.global.add.noftz.v2.f16x2 [%rd3+4096], {%r11, %r12};\n"
		"red.global.add.noftz.v2.f16x2 [%rd3+4096], {%r11, %r12};\n"
		"cvt.rzi.u32.f32 %r8, %r8; cvt.rzi.u32.f32 %r10, %r10; mad.lo.u32 %r8, %r10, 1000, "
		"%r8;\n" STORE("%r8") "ret;\n");
	static const float want[4] = {32 + 4 * 32, 64 + 32, 96, 128};
	uint32_t bad = 0;

	ok(rig_run(r, ptx, 1, 32) == 0, "additions of vectors run");
	ok(memcmp(r->v + 2048, want, sizeof(want)) == 0, "atom.v4.f32 and red.v2.f32");
	for (uint32_t l = 0; l < 32; l++) {
		bad += r->v[l] != l + 1000 * 4 * l; /* lanes in order */
		bad += r->v[1024 + 2 * l] != 0x44004000 || r->v[1025 + 2 * l] != 0x46004800;
	}
	is_u64(bad, 0, "what was there before, and halves");
}

static void
test_refused(struct rig *r)
{
	FAILS(r, 1, 0, KERNEL("atom.global.add.v2.u32 {%r4,%r5}, [%rd1], {%r4,%r5}; ret;\n"),
	      "expected .f32, .f16");
	FAILS(r, 1, 0, KERNEL("red.shared.add.v2.f32 [%rd1], {%r4,%r5}; ret;\n"),
	      "a vector must be in .global");
	FAILS(r, 1, 0, KERNEL("red.global.add.v4.f32 [%rd1], {%r4,%r5}; ret;\n"),
	      "expected 4 registers in braces");
	FAILS(r, 1, 0, KERNEL("red.global.add.v4.f32 [%rd1+8], {%r4,%r5,%r6,%r7}; ret;\n"),
	      "red.global.v4.f32: address 0x", "not a multiple of 16");
	FAILS(r, 1, 0, KERNEL("atom.global.min.f32 %r4, [%rd1], %r4; ret;\n"),
	      ".min of .f32 is not supported");
	FAILS(r, 1, 0, KERNEL("atom.global.u32 %r4, [%rd1], %r4; ret;\n"), "expected one of .add");
	FAILS(r, 1, 0, KERNEL("atom.local.add.u32 %r4, [%rd1], %r4; ret;\n"),
	      "expected .global or .shared");
	FAILS(r, 1, 0, KERNEL("atom.global.cas.b32 %r4, [%rd1], %r4; ret;\n"), "operand");
	FAILS(r, 1, 0, KERNEL("atom.global.add.u32 %rd4, [%rd1], %r4; ret;\n"),
	      "expected a 32-bit");
	FAILS(r, 1, 0, KERNEL("atom.global.add.u32 %r4, [%rd1+2], %r4; ret;\n"),
	      "atom.global.u32: address 0x", "is misaligned: not a multiple of 4");
	FAILS(r, 1, 0, KERNEL("red.global.add.u64 [%rd1+65536], %rd1; ret;\n"),
	      "red.global.u64: 8 bytes at 0x", "past its end");
}

int
main(void)
{
	static const char *const space[] = {".global", ".shared", ""};
	struct rig r = {0};

	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		check_op(&r, &ops[i], space[i % 3], false);
		check_op(&r, &ops[i], space[(i + 1) % 3],
			 strcmp(ops[i].op, "exch") != 0 && strcmp(ops[i].op, "cas") != 0);
	}
	test_lanes(&r);
	test_special(&r);
	test_vectors(&r);
	test_refused(&r);
	rig_end(&r);
	return done();
}
