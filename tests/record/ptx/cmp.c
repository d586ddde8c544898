/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmp.c - setp, set, selp, slct and mov. Comparisons are checked against a table of the outcomes
 * (less, equal, greater, unordered) that each relation accepts.
 */
#include "record/ptx/alu/half.h"
#include "tests/record/ptx/inst_rig.h"

static uint64_t seed = 88172645463325252u;

static uint64_t
rnd64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint64_t
low(uint64_t x, unsigned bits)
{
	return bits == 64 ? x : x & (((uint64_t)1 << bits) - 1);
}

/* ---- types, relations ---- */

enum { LT = 1, EQ = 2, GT = 4, UN = 8 };

static const struct type {
	const char *name;
	unsigned bits;
	char kind, reg;
} types[] = {
	{"b16", 16, 'x', 'h'},	{"b32", 32, 'x', 'r'}, {"b64", 64, 'x', 'd'}, {"u16", 16, 'u', 'h'},
	{"u32", 32, 'u', 'r'},	{"u64", 64, 'u', 'd'}, {"s16", 16, 's', 'h'}, {"s32", 32, 's', 'r'},
	{"s64", 64, 's', 'd'},	{"f16", 16, 'f', 'h'}, {"f32", 32, 'f', 'r'}, {"f64", 64, 'f', 'd'},
	{"bf16", 16, 'b', 'h'},
};

static const struct relation {
	const char *name, *kinds;
	unsigned accepts;
} relations[] = {
	{"eq", "xusfb", EQ},
	{"ne", "xusfb", LT | GT},
	{"lt", "usfb", LT},
	{"le", "usfb", LT | EQ},
	{"gt", "usfb", GT},
	{"ge", "usfb", GT | EQ},
	{"lo", "u", LT},
	{"ls", "u", LT | EQ},
	{"hi", "u", GT},
	{"hs", "u", GT | EQ},
	{"equ", "fb", EQ | UN},
	{"neu", "fb", LT | GT | UN},
	{"ltu", "fb", LT | UN},
	{"leu", "fb", LT | EQ | UN},
	{"gtu", "fb", GT | UN},
	{"geu", "fb", GT | EQ | UN},
	{"num", "fb", LT | EQ | GT},
	{"nan", "fb", UN},
};

/* Orders floats of one type, except NaNs: their bits as a signed number. */
static unsigned
outcome(const struct type *t, uint64_t a, uint64_t b, bool ftz)
{
	uint64_t top = (uint64_t)1 << (t->bits - 1);
	uint64_t inf = t->bits == 64	? 0x7ff0000000000000u
		       : t->bits == 32	? 0x7f800000u
		       : t->kind == 'b' ? 0x7f80u
					: 0x7c00u;
	int64_t x, y;

	if (t->kind == 'u' || t->kind == 'x')
		return a < b ? LT : a > b ? GT : EQ;
	if (t->kind == 's') {
		x = (int64_t)(a << (64 - t->bits));
		y = (int64_t)(b << (64 - t->bits));
		return x < y ? LT : x > y ? GT : EQ;
	}
	if ((a & ~top) > inf || (b & ~top) > inf)
		return UN;
	x = (int64_t)(a & ~top);
	y = (int64_t)(b & ~top);
	if (ftz && t->bits < 64) {
		int64_t normal = (int64_t)(inf & (0 - inf)); /* the lowest bit of the exponent */

		x = x < normal ? 0 : x;
		y = y < normal ? 0 : y;
	}
	x = a & top ? -x : x;
	y = b & top ? -y : y;
	return x < y ? LT : x > y ? GT : EQ;
}

static uint64_t
sample(const struct type *t)
{
	static const uint64_t f[] = {0,		 1u << 31,   1,		 0x80000001, 0x3f800000,
				     0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
				     0x007fffff, 0x00800000, 0x3f800001};
	static const uint64_t h[] = {0,	     0x8000, 1,	     0x8001, 0x3c00, 0xbc00,
				     0x7c00, 0xfc00, 0x7e00, 0x3ff,  0x400};
	uint64_t r = rnd64();

	if (t->kind != 'f' && t->kind != 'b') /* few values, so that some are equal */
		return low(r % 3 == 0	? r >> 8
			   : r % 3 == 1 ? r % 5 - 2
					: (uint64_t)1 << (t->bits - 1),
			   t->bits);
	if (r % 4 == 0)
		return low(r >> 8, t->bits);
	if (t->bits == 16)
		return t->kind == 'b' ? f[r % 13] >> 16 : h[r % 11];
	return t->bits == 32 ? f[r % 13]
			     : f64_bits((double)bits_f32((uint32_t)f[r % 13])) | (r % 5 == 0);
}

/* ---- setp and set ---- */

static void
fill(struct rig *r, const struct type *t, uint64_t v[3][WARP_SIZE])
{
	for (unsigned l = 0; l < WARP_SIZE; l++) {
		v[0][l] = sample(t);
		v[1][l] = l % 4 ? sample(t) : v[0][l];
		v[2][l] = rnd64() & 1;
	}
	rig_set(r, 1, v[0]);
	rig_set(r, 2, v[1]);
	rig_set(r, 3, v[2]);
}

static unsigned
try_setp(const struct type *t, const struct relation *rel, bool ftz)
{
	char inst[96];
	struct rig r;
	unsigned wrong = 0;

	snprintf(inst, sizeof(inst), "setp.%s%s.%s %%p0, %%%c1, %%%c2;", rel->name,
		 ftz ? ".ftz" : "", t->name, t->reg, t->reg);
	if (!strchr(rel->kinds, t->kind)) {
		if (!rig_open(&r, inst))
			return 0;
		diag("accepted: %s", inst);
		rig_close(&r);
		return 1;
	}
	if (!rig_open(&r, inst)) {
		diag("%s: %s", inst, r.e.msg);
		return 1;
	}
	for (unsigned k = 0; k < 6; k++) {
		uint32_t mask = k % 3 ? ~0u : (uint32_t)rnd64(), old = (uint32_t)rnd64();
		uint64_t v[3][WARP_SIZE];

		fill(&r, t, v);
		memcpy(rig_reg(&r, 'p', 0), &old, 4);
		rig_run(&r, mask);
		for (unsigned l = 0; l < WARP_SIZE; l++) {
			bool want = outcome(t, v[0][l], v[1][l], ftz) & rel->accepts;

			if (!(mask >> l & 1))
				want = old >> l & 1;
			if (rig_get(&r, 'p', 0, l) != want && wrong++ == 0)
				diag("%s of %#" PRIx64 ", %#" PRIx64 ": wanted %u", inst, v[0][l],
				     v[1][l], want);
		}
	}
	rig_close(&r);
	return wrong;
}

/* p|q with a combination, and set, use the general function. */
static unsigned
try_combined(const struct type *t, unsigned op, bool not_c, bool is_set)
{
	static const char *const name[] = {"", ".and", ".or", ".xor"};
	const struct relation *rel = &relations[rnd64() % 2];
	char inst[96], c[16];
	struct rig r;
	unsigned wrong = 0;
	uint64_t v[3][WARP_SIZE];

	snprintf(c, sizeof(c), "%s%s%s", op ? ", " : "", not_c ? "!" : "", op ? "%p3" : "");
	snprintf(inst, sizeof(inst), "%s.%s%s%s.%s %s, %%%c1, %%%c2%s;", is_set ? "set" : "setp",
		 rel->name, name[op], is_set ? ".s32" : "", t->name, is_set ? "%r0" : "%p0|%p4",
		 t->reg, t->reg, c);
	if (!rig_open(&r, inst)) {
		diag("%s: %s", inst, r.e.msg);
		return 1;
	}
	fill(&r, t, v);
	rig_run(&r, ~0u);
	for (unsigned l = 0; l < WARP_SIZE; l++) {
		bool x = outcome(t, v[0][l], v[1][l], false) & rel->accepts, k = v[2][l] ^ not_c;
		bool p = op == 1 ? x && k : op == 2 ? x || k : op == 3 ? x != k : x;
		bool q = op == 1 ? !x && k : op == 2 ? !x || k : op == 3 ? !x != k : !x;
		bool good = is_set ? rig_get(&r, 'r', 0, l) == (p ? UINT32_MAX : 0)
				   : rig_get(&r, 'p', 0, l) == p && rig_get(&r, 'p', 4, l) == q;

		if (!good && wrong++ == 0)
			diag("%s of %#" PRIx64 ", %#" PRIx64, inst, v[0][l], v[1][l]);
	}
	rig_close(&r);
	return wrong;
}

static void
test_setp(void)
{
	for (unsigned i = 0; i < ARRAY_LEN(types); i++) {
		const struct type *t = &types[i];
		unsigned wrong = 0;

		for (unsigned k = 0; k < ARRAY_LEN(relations); k++) {
			wrong += try_setp(t, &relations[k], false);
			if (t->kind == 'f' && t->bits < 64)
				wrong += try_setp(t, &relations[k], true);
		}
		ok(wrong == 0, "setp.%s, every relation, and no other", t->name);
		wrong = 0;
		for (unsigned op = 0; op < 4; op++)
			for (unsigned k = 0; k < 4; k++)
				wrong += try_combined(t, op, op && k & 1, k & 2);
		ok(wrong == 0, "setp and set.%s, with and, or, xor, !c, p|q", t->name);
	}
}

/* ---- one value each ---- */

static const struct one {
	const char *inst;
	char reg;
	unsigned number;
	uint64_t a, b, c, want; /* %x1 %x2 %x3; the register named */
} ones[] = {
	/* halves */
	{"setp.lt.f16x2 %p0|%p4, %r1, %r2;", 'p', 0, 0x3c004000, 0x40003c00, 0, 0},
	{"setp.lt.f16x2 %p0|%p4, %r1, %r2;", 'p', 4, 0x3c004000, 0x40003c00, 0, 1},
	{"setp.eq.and.f16x2 %p0|%p4, %r1, %r2, %p3;", 'p', 4, 0x3c004000, 0x3c003c00, 1, 1},
	{"set.lt.u32.f16x2 %r0, %r1, %r2;", 'r', 0, 0x3c004000, 0x40003c00, 0, 0xffff0000},
	{"set.gt.f16x2.f16x2 %r0, %r1, %r2;", 'r', 0, 0x3c004000, 0x40003c00, 0, 0x00003c00},
	{"set.eq.bf16x2.bf16x2 %r0, %r1, %r2;", 'r', 0, 0x3c004000, 0x3c004000, 0, 0x3f803f80},
	{"set.eq.f32.s32 %r0, %r1, %r2;", 'r', 0, 5, 5, 0, 0x3f800000},
	{"set.eq.f32.s32 %r0, %r1, %r2;", 'r', 0, 5, 6, 0, 0},
	{"set.ne.f16.f32 %h0, %r1, %r2;", 'h', 0, 5, 6, 0, 0x3c00},
	{"set.lt.u16.f16 %h0, %h1, %h2;", 'h', 0, 0xbc00, 0x3c00, 0, 0xffff},
	{"set.eq.u32.f64 %r0, %d1, 0d3FF0000000000000;", 'r', 0, 0x3ff0000000000000, 0, 0,
	 0xffffffff},
	/* sinks and constants */
	{"setp.eq.s32 _|%p0, %r1, 7;", 'p', 0, 7, 0, 0, 0},
	{"setp.lt.s16 %p0, %h1, -1;", 'p', 0, 0x8000, 0, 0, 1},
	{"setp.eq.b16 %p0, %h1, 0xffff;", 'p', 0, 0xffff, 0, 0, 1},
	{"setp.gt.u64 %p0, %d1, -1;", 'p', 0, UINT64_MAX, 0, 0, 0},
	/* selection */
	{"selp.b32 %r0, %r1, %r2, %p3;", 'r', 0, 10, 20, 1, 10},
	{"selp.b32 %r0, %r1, %r2, %p3;", 'r', 0, 10, 20, 0, 20},
	{"selp.u16 %h0, %h1, 5, !%p3;", 'h', 0, 10, 0, 1, 5},
	{"selp.u16 %h0, %h1, 5, !%p3;", 'h', 0, 10, 0, 0, 10},
	{"selp.f64 %d0, %d1, %d2, %p3;", 'd', 0, 10, UINT64_MAX, 0, UINT64_MAX},
	{"selp.f32 %r0, 0f3F800000, %r2, 1;", 'r', 0, 0, 3, 0, 0x3f800000},
	{"slct.b32.s32 %r0, %r1, %r2, %r3;", 'r', 0, 10, 20, 0, 10},
	{"slct.b32.s32 %r0, %r1, %r2, %r3;", 'r', 0, 10, 20, 0xffffffff, 20},
	{"slct.u64.f32 %d0, %d1, %d2, %r3;", 'd', 0, 10, UINT64_MAX, 0x80000000, 10}, /* -0 */
	{"slct.u64.f32 %d0, %d1, %d2, %r3;", 'd', 0, 10, 20, 0x7fc00000, 20},	      /* NaN */
	{"slct.u64.f32 %d0, %d1, %d2, %r3;", 'd', 0, 10, 20, 0x80000001, 20},
	{"slct.ftz.u64.f32 %d0, %d1, %d2, %r3;", 'd', 0, 10, 20, 0x80000001, 10},
	/* moves */
	{"mov.u32 %r0, %r1;", 'r', 0, 0x12345678, 0, 0, 0x12345678},
	{"mov.b64 %d0, %d1;", 'd', 0, 0x123456789abcdef0, 0, 0, 0x123456789abcdef0},
	{"mov.u16 %h0, -2;", 'h', 0, 0, 0, 0, 0xfffe},
	{"mov.f32 %r0, 0fBF800000;", 'r', 0, 0, 0, 0, 0xbf800000},
	{"mov.f32 %r0, 0d3FF8000000000000;", 'r', 0, 0, 0, 0, 0x3fc00000},
	{"mov.f64 %d0, 0f3FC00000;", 'd', 0, 0, 0, 0, 0x3ff8000000000000},
	{"mov.b32 %r0, 1.5;", 'r', 0, 0, 0, 0, 0x3fc00000},
	{"mov.u32 %r0, WARP_SZ;", 'r', 0, 0, 0, 0, 32},
	{"mov.pred %p0, %p1;", 'p', 0, 1, 0, 0, 1},
	{"mov.pred %p0, !%p1;", 'p', 0, 1, 0, 0, 0},
	{"mov.pred %p0, -1;", 'p', 0, 0, 0, 0, 1},
	{"mov.b64 %d0, {%r1, %r2};", 'd', 0, 0x11111111, 0x22222222, 0, 0x2222222211111111},
	{"mov.b64 {%r0, %r4}, %d1;", 'r', 0, 0x2222222211111111, 0, 0, 0x11111111},
	{"mov.b64 {%r0, %r4}, %d1;", 'r', 4, 0x2222222211111111, 0, 0, 0x22222222},
	{"mov.b64 {_, %r0}, %d1;", 'r', 0, 0x2222222211111111, 0, 0, 0x22222222},
	{"mov.b64 %d0, {%h1, %h2, %h3, 7};", 'd', 0, 1, 2, 3, 0x0007000300020001},
	{"mov.b32 %r0, {%h1, %h2};", 'r', 0, 0xabcd, 0x1234, 0, 0x1234abcd},
	{"mov.b32 {%h0, %h4}, %r1;", 'h', 4, 0x1234abcd, 0, 0, 0x1234},
	{"mov.b32 %r0, {%c1, %c2, %c3, %c1};", 'r', 0, 1, 2, 3, 0x01030201},
	{"mov.b16 {%c0, %c4}, %h1;", 'c', 4, 0xabcd, 0, 0, 0xab},
	{"mov.v2.b32 %v, {%r1, %r2}; mov.b32 %r0, %v.y;", 'r', 0, 5, 6, 0, 6},
	{"mov.v2.b32 {%r1, %r2}, {%r2, %r1}; mov.b32 %r0, %r1;", 'r', 0, 5, 6, 0, 6},
	/* addresses and special registers: each holds 1000 + its number, see below */
	{"mov.u32 %r4, sh0; mov.u32 %r0, sh;", 'r', 0, 0, 0, 0, 12},
	{"mov.u32 %r4, sh0; mov.u64 %d0, sh+4;", 'd', 0, 0, 0, 0, 16},
	{"mov.u64 %d0, pb;", 'd', 0, 0, 0, 0, 8},
	{"mov.u64 %d0, k;", 'd', 0, 0, 0, 0, 0x10000000},
	{"mov.u64 %d0, lo2;", 'd', 0, 0, 0, 0, 1000 + SREG_SP64 + 24},
	{"mov.u32 %r0, lo2+4;", 'r', 0, 0, 0, 0, 1000 + SREG_SP32 + 28},
	{"mov.u32 %r0, %tid.y;", 'r', 0, 0, 0, 0, 1000 + SREG_TID_Y},
	{"mov.u16 %h0, %ctaid.x;", 'h', 0, 0, 0, 0, 1000 + SREG_CTAID_X},
	{"mov.u32 %r0, %gridid;", 'r', 0, 0, 0, 0, 1000 + SREG_GRIDID},
	{"mov.u32 %r0, %clock;", 'r', 0, 0, 0, 0, 0x55667788},
	{"mov.u32 %r0, %clock_hi;", 'r', 0, 0, 0, 0, 0x11223344},
	{"mov.u64 %d0, %clock64;", 'd', 0, 0, 0, 0, 0x1122334455667788},
	{"mov.u64 %d0, %globaltimer;", 'd', 0, 0, 0, 0, 0x1122334455667788},
};

static void
test_ones(void)
{
	for (unsigned i = 0; i < ARRAY_LEN(ones); i++) {
		const struct one *o = &ones[i];
		uint64_t v[3][WARP_SIZE];
		struct rig r;

		if (!ok(rig_open(&r, o->inst), "%s is accepted", o->inst)) {
			diag("%s", r.e.msg);
			continue;
		}
		r.run.n.warp_insts = 0x1122334455667788;
		for (unsigned s = 0; s < PTX_SREGS; s++)
			for (unsigned l = 0; l < WARP_SIZE; l++) {
				uint64_t u = 1000 + s;
				unsigned n = ptx_sreg_bytes((enum ptx_sreg)s);

				memcpy(r.sreg + s * SREG_STRIDE + l * n, &u, n);
			}
		for (unsigned l = 0; l < WARP_SIZE; l++) {
			v[0][l] = o->a;
			v[1][l] = o->b;
			v[2][l] = o->c;
		}
		for (unsigned k = 0; k < 3; k++)
			rig_set(&r, k + 1, v[k]);
		rig_run(&r, 0x80000001);
		is_u64(rig_get(&r, o->reg, o->number, 31), o->want, "%s", o->inst);
		is_u64(rig_get(&r, o->reg, o->number, 7), 0, "  and only where the mask says");
		rig_close(&r);
	}
}

static void
test_refused(void)
{
	static const struct rig_bad bad[] = {
		{"setp.lt.b32 %p0, %r1, %r2;", ".lt does not compare .b32"},
		{"setp.f32 %p0, %r1, %r2;", "expected a comparison"},
		{"setp.eq.f32 %p0, %r1, 1;",
		 "expected a float constant such as 1.0, found an integer"},
		{"setp.eq.and.u32 %p0, %r1, %r2;", "expected 4 operands, found 3"},
		{"setp.eq.u32 %r0, %r1, %r2;",
		 "expected a predicate register for .pred, found '%r0'"},
		{"set.eq.u32 %r0, %r1, %r2;", "expected the types of result and operands"},
		{"set.eq.u16.f32 %h0, %r1, %r2;", "expected the types of result and operands"},
		{"selp.pred %p0, %p1, %p2, %p3;", "expected a type of 16, 32 or 64 bits"},
		{"selp.b32 %r0, %r1, %r2, %r3;", "expected a predicate, found '%r3', a .b32"},
		{"slct.b32.u32 %r0, %r1, %r2, %r3;", "then .s32 or .f32"},
		{"mov.u32 %r0, 1.5;", "a float is not a constant of type .u32"},
		{"mov.f32 %r0, 1;", "expected a float constant"},
		{"mov.u32 %r0, %d1;", "expected a 32-bit register for .u32, found '%d1', a .b64"},
		{"mov.u64 %d0, %tid.x;", "the special register has 32 bits, .u64 does not"},
		{"mov.u32 %r0, %clock64;", "this clock has 64 bits"},
		{"mov.b64 %d0, {%r1, %r2, %r1};", "3 elements do not make a .b64"},
		{"mov.v2.b32 %v, {%r1, %r2, %r1};", "expected 2 elements in braces"},
		{"mov.u32 %r0, %v;", "'%v' is a vector; expected an element such as %v.x"},
		{"mov.u32 %r0, !%r1;", "an operand cannot be negated here"},
	};

	rig_refused(bad, ARRAY_LEN(bad));
}

int
main(void)
{
	test_setp();
	test_ones();
	test_refused();
	return done();
}
