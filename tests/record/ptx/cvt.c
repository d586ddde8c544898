/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt.c - cvt and half.h compared with independent scalar code: integers in 128 bits, floats in
 * long double and the processor's own rounding modes, 16-bit floats by search.
 */
#include <fenv.h>
#include <math.h>
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

/* ---- types ---- */

struct type {
	const char *name;
	unsigned bits;
	char kind; /* u s f, b: bf16 */
};

static const struct type types[] = {
	{"u8", 8, 'u'},	  {"s8", 8, 's'},    {"u16", 16, 'u'}, {"s16", 16, 's'},
	{"u32", 32, 'u'}, {"s32", 32, 's'},  {"u64", 64, 'u'}, {"s64", 64, 's'},
	{"f16", 16, 'f'}, {"bf16", 16, 'b'}, {"f32", 32, 'f'}, {"f64", 64, 'f'},
};

static bool
is_int(const struct type *t)
{
	return t->kind == 'u' || t->kind == 's';
}

static char
reg_of(const struct type *t)
{
	return t->bits == 64 ? 'd' : t->bits == 32 ? 'r' : 'h';
}

static uint64_t
low(uint64_t x, unsigned bits)
{
	return bits == 64 ? x : x & (((uint64_t)1 << bits) - 1);
}

static const struct parts {
	int man, bias, exps;
} f16 = {10, 15, 31}, bf16 = {7, 127, 255};

static long double
half_value(const struct parts *p, unsigned h)
{
	int e = (int)(h >> p->man) & p->exps;
	long double m = h & ((1u << p->man) - 1);
	long double v = e == p->exps ? (m != 0 ? (long double)NAN : (long double)INFINITY)
			: e	     ? ldexpl(m + (1 << p->man), e - p->bias - p->man)
				     : ldexpl(m, 1 - p->bias - p->man);

	return h >> 15 ? -v : v;
}

static long double
float_value(const struct type *t, uint64_t bits)
{
	if (t->bits == 16)
		return half_value(t->kind == 'b' ? &bf16 : &f16, (unsigned)bits & 0xffff);
	return t->bits == 32 ? (long double)bits_f32((uint32_t)bits) : (long double)bits_f64(bits);
}

static __int128
int_value(const struct type *t, uint64_t bits)
{
	__int128 v = low(bits, t->bits);

	return t->kind == 's' && v >> (t->bits - 1) ? v - ((__int128)1 << t->bits) : v;
}

/* ---- the reference ---- */

/* Finds the 16-bit float for x among all of them, on the side that the rounding asks for. */
static uint64_t
ref_half(const struct parts *p, long double x, enum prog_round rnd)
{
	long double m = fabsl(x), below, above;
	unsigned inf = (unsigned)p->exps << p->man, lo = 0, hi = inf,
		 sign = signbit(x) ? 0x8000 : 0;
	bool up;

	if (x != x)
		return 0x7fff;
	if (m == (long double)INFINITY)
		return sign | inf;
	while (hi - lo > 1) { /* value(lo) <= m < value(hi); infinity is above all */
		unsigned mid = (lo + hi) / 2;

		if (half_value(p, mid) <= m)
			lo = mid;
		else
			hi = mid;
	}
	below = half_value(p, lo);
	if (below == m)
		return sign | lo;
	/* Infinity counts as the number that would follow the largest one. */
	above = hi == inf ? ldexpl(1, p->exps - p->bias) : half_value(p, hi);
	up = rnd == RND_RZ	      ? false
	     : rnd == RND_RM	      ? sign != 0
	     : rnd == RND_RP	      ? sign == 0
	     : m - below == above - m ? (lo & 1)
				      : m - below > above - m;
	return sign | (up ? hi : lo);
}

static const int fe_mode[] = {[RND_NONE] = FE_TONEAREST,
			      [RND_RN] = FE_TONEAREST,
			      [RND_RZ] = FE_TOWARDZERO,
			      [RND_RM] = FE_DOWNWARD,
			      [RND_RP] = FE_UPWARD};

static uint64_t
ref_float(const struct type *to, long double x, enum prog_round rnd)
{
	volatile long double v = x;
	volatile float f;
	volatile double d;

	if (to->bits == 16)
		return ref_half(to->kind == 'b' ? &bf16 : &f16, x, rnd);
	if (x != x && to->bits == 32)
		return F32_NAN;
	fesetround(fe_mode[rnd <= RND_RP ? rnd : RND_RN]);
	f = (float)v;
	d = (double)v;
	fesetround(FE_TONEAREST);
	return to->bits == 32 ? f32_bits(f) : f64_bits(d);
}

static uint64_t
ref_int(const struct type *to, const struct type *from, long double x)
{
	long double top = ldexpl(1, (int)to->bits - (to->kind == 's'));
	uint64_t max = low(UINT64_MAX, to->bits) >> (to->kind == 's');

	if (x != x)
		return to->bits == 64 || (from->bits == 64 && !is_int(from))
			       ? (uint64_t)1 << (to->bits - 1)
			       : 0;
	if (x >= top)
		return max;
	if (to->kind == 'u')
		return x <= 0 ? 0 : (uint64_t)x;
	return x < -top ? max + 1 : low((uint64_t)(int64_t)x, to->bits);
}

static long double
ref_whole(long double x, enum prog_round rnd)
{
	switch (rnd) {
	case RND_RNI:
		return rintl(x);
	case RND_RZI:
		return truncl(x);
	case RND_RMI:
		return floorl(x);
	case RND_RPI:
		return ceill(x);
	default:
		return x;
	}
}

static uint64_t
ref_cvt(const struct type *to, const struct type *from, enum prog_round rnd, bool sat,
	uint64_t bits)
{
	long double x;

	if (is_int(from) && is_int(to)) {
		__int128 v = int_value(from, bits);
		__int128 max = low(UINT64_MAX, to->bits) >> (to->kind == 's');
		__int128 min = to->kind == 's' ? -max - 1 : 0;

		if (sat)
			v = v > max ? max : v < min ? min : v;
		return low((uint64_t)v, to->bits);
	}
	x = is_int(from) ? (long double)int_value(from, bits) : float_value(from, bits);
	x = ref_whole(x, rnd);
	if (is_int(to))
		return ref_int(to, from, x);
	if (sat)
		x = x != x || x <= 0 ? 0 : x > 1 ? 1 : x;
	return ref_float(to, x, rnd);
}

/* ---- values to try ---- */

static uint64_t
sample(const struct type *t, unsigned i)
{
	static const double edge[] = {
		0,	     -0.0,	   1,
		-1,	     0.5,	   -0.5,
		1.5,	     2.5,	   -2.5,
		0.49999997,  127.5,	   255.5,
		-128.5,	     32767.5,	   65504,
		65520,	     65519.99,	   65535.5,
		2147483647., 2147483648.,  4294967295.,
		4294967296., -2147483648., -2147483649.,
		9.3e18,	     1.9e19,	   -9.3e18,
		1e-7,	     6e-8,	   3e-8,
		2.98e-8,     1e-40,	   -1e-310,
		1e39,	     -1e300,	   NAN,
		INFINITY,    -INFINITY,	   8388607.5,
		-8388608.5,  0.3,	   3.4028235677973366e38,
	};
	uint64_t r = rnd64();

	if (is_int(t)) {
		if (i % 4 == 3)
			return low(r, t->bits);
		r = i % 4 == 0	 ? (uint64_t)1 << (r % t->bits)
		    : i % 4 == 1 ? r % 3 - 1
				 : r >> (r % 64);
		return low(i & 8 ? 0 - r : r, t->bits);
	}
	if (i % 3 == 2)
		return low(r, t->bits);
	if (i % 3 == 1) { /* numbers of moderate size */
		r = f64_bits(ldexp((double)(int64_t)r, -(int)(r >> 8 & 63) - 20));
		return ref_float(t, (long double)bits_f64(r), RND_RZ);
	}
	return ref_float(t, (long double)edge[r % ARRAY_LEN(edge)], RND_RN);
}

static bool
same(const struct type *t, uint64_t got, uint64_t want)
{
	bool nan = t->kind == 'f' && t->bits == 64 && bits_f64(want) != bits_f64(want);

	return got == want || (nan && bits_f64(got) != bits_f64(got)); /* f64 NaNs keep a payload */
}

/* ---- cvt ---- */

static const char *const rnd_name[] = {"",     ".rn",  ".rz",  ".rm", ".rp",
				       ".rni", ".rzi", ".rmi", ".rpi"};

/* Tries one cvt on many values, with all lanes and with some; returns how many are wrong. */
static unsigned
try_cvt(const struct type *to, const struct type *from, enum prog_round rnd, bool sat)
{
	char inst[96];
	struct rig r;
	unsigned wrong = 0;

	snprintf(inst, sizeof(inst), "cvt%s%s.%s.%s %%%c0, %%%c1;", rnd_name[rnd],
		 sat ? ".sat" : "", to->name, from->name, reg_of(to), reg_of(from));
	if (!rig_open(&r, inst)) {
		diag("%s: %s", inst, r.e.msg);
		return 1;
	}
	for (unsigned k = 0; k < 12; k++) {
		uint32_t mask = k % 4 ? ~0u : (uint32_t)rnd64();
		uint64_t a[WARP_SIZE], old[WARP_SIZE];

		for (unsigned l = 0; l < WARP_SIZE; l++) {
			a[l] = sample(from, l + k);
			old[l] = low(0x5a5a5a5a5a5a5a5a, MAX(to->bits, 16u));
		}
		rig_set(&r, 0, old);
		rig_set(&r, 1, a);
		rig_run(&r, mask);
		for (unsigned l = 0; l < WARP_SIZE; l++) {
			uint64_t want = old[l], got = rig_get(&r, reg_of(to), 0, l);

			if (mask >> l & 1)
				want = ref_cvt(to, from, rnd, sat, a[l]);
			if (to->bits == 8 && to->kind == 's' && mask >> l & 1 && want >> 7)
				want |= 0xff00; /* the register has 16 bits */
			if (!same(to, got, want) && wrong++ == 0)
				diag("%s of %#" PRIx64 ": got %#" PRIx64 ", wanted %#" PRIx64, inst,
				     a[l], got, want);
		}
	}
	rig_close(&r);
	return wrong;
}

/* Tries all roundings that are allowed between two types. */
static unsigned
try_pair(const struct type *to, const struct type *from, bool sat)
{
	bool ti = is_int(to), fi = is_int(from);
	unsigned wrong = 0;

	if (ti && fi)
		return try_cvt(to, from, RND_NONE, sat);
	for (enum prog_round rnd = RND_RN; rnd <= RND_RPI; rnd++) {
		bool whole = rnd >= RND_RNI;

		if (ti ? whole : to == from ? whole : !whole)
			wrong += try_cvt(to, from, rnd, sat);
	}
	if (!ti && !fi && (to->bits > from->bits || to == from))
		wrong += try_cvt(to, from, RND_NONE, sat);
	return wrong;
}

static void
test_cvt(void)
{
	for (unsigned i = 0; i < ARRAY_LEN(types); i++) {
		unsigned wrong = 0, wrong_sat = 0;

		for (unsigned k = 0; k < ARRAY_LEN(types); k++) {
			wrong += try_pair(&types[i], &types[k], false);
			wrong_sat += try_pair(&types[i], &types[k], true);
		}
		ok(wrong == 0, "cvt to .%s from every type, every rounding", types[i].name);
		ok(wrong_sat == 0, "cvt.sat to .%s", types[i].name);
	}
}

/* ---- forms that are not a pair of types: one value each ---- */

static const struct one {
	const char *inst;
	char reg;
	uint64_t a, b, c, want; /* %x1 %x2 %x3, %x0 */
} ones[] = {
	/* tf32 keeps 10 bits of the fraction */
	{"cvt.rna.tf32.f32 %r0, %r1;", 'r', 0x3f801000, 0, 0, 0x3f802000},
	{"cvt.rn.tf32.f32 %r0, %r1;", 'r', 0x3f801000, 0, 0, 0x3f800000},
	{"cvt.rn.tf32.f32 %r0, %r1;", 'r', 0x3f803000, 0, 0, 0x3f804000},
	{"cvt.rz.tf32.f32 %r0, %r1;", 'r', 0xbf801fff, 0, 0, 0xbf800000},
	{"cvt.rna.tf32.f32 %r0, %r1;", 'r', 0x7fc12345, 0, 0, 0x7fffffff},
	{"cvt.rna.tf32.f32 %r0, %r1;", 'r', 0xff800000, 0, 0, 0xff800000},
	{"cvt.rna.tf32.f32 %r0, %r1;", 'r', 0x7f7fffff, 0, 0, 0x7f800000},
	{"cvt.rn.satfinite.tf32.f32 %r0, %r1;", 'r', 0x7f7fffff, 0, 0, 0x7f7fe000},
	{"cvt.rn.relu.tf32.f32 %r0, %r1;", 'r', 0xbf801fff, 0, 0, 0},
	/* .ftz concerns f32 */
	{"cvt.ftz.f32.f32 %r0, %r1;", 'r', 0x80000001, 0, 0, 0x80000000},
	{"cvt.f32.f32 %r0, %r1;", 'r', 0x80000001, 0, 0, 0x80000001},
	{"cvt.f32.f32 %r0, %r1;", 'r', 0xff800001, 0, 0, 0x7fffffff},
	{"cvt.rpi.ftz.s32.f32 %r0, %r1;", 'r', 1, 0, 0, 0},
	{"cvt.rpi.s32.f32 %r0, %r1;", 'r', 1, 0, 0, 1},
	{"cvt.rpi.ftz.f32.f32 %r0, %r1;", 'r', 0x007fffff, 0, 0, 0},
	{"cvt.rmi.f32.f32 %r0, %r1;", 'r', 0x80000001, 0, 0, 0xbf800000},
	{"cvt.rn.ftz.f32.f64 %r0, %d1;", 'r', 0xb800000000000000, 0, 0, 0x80000000},
	{"cvt.rn.f32.f64 %r0, %d1;", 'r', 0xb800000000000000, 0, 0, 0x80400000},
	{"cvt.ftz.f64.f32 %d0, %r1;", 'd', 0x80000001, 0, 0, 0x8000000000000000},
	{"cvt.rn.ftz.f16.f32 %h0, %r1;", 'h', 0x33800000, 0, 0, 1}, /* f16 keeps subnormals */
	/* with wider registers results are extended and operands truncated */
	{"cvt.s8.s32 %r0, %r1;", 'r', 0x1280, 0, 0, 0xffffff80},
	{"cvt.u8.s32 %r0, %r1;", 'r', 0x1280, 0, 0, 0x80},
	{"cvt.s16.u64 %d0, %d1;", 'd', 0x18000, 0, 0, 0xffffffffffff8000},
	{"cvt.u32.u8 %r0, %d1;", 'r', 0x123456789abcdef0, 0, 0, 0xf0},
	{"cvt.s32.s8 %r0, %h1;", 'r', 0x12f0, 0, 0, 0xfffffff0},
	{"cvt.sat.s8.s32 %h0, %r1;", 'h', 0xffff0000, 0, 0, 0xff80},
	{"cvt.sat.u16.s32 %d0, %r1;", 'd', 0x7fffffff, 0, 0, 0xffff},
	{"cvt.rzi.s8.f32 %r0, %r1;", 'r', 0xc3000000, 0, 0, 0xffffff80},
	{"cvt.rn.f16.f32 %r0, %r1;", 'r', 0x3f800000, 0, 0, 0x3c00},
	{"cvt.f32.f16 %d0, %h1;", 'd', 0xbc00, 0, 0, 0xbf800000},
	{"cvt.u8.u32 %c0, %r1;", 'c', 0x1ff, 0, 0, 0xff},
	/* constants */
	{"cvt.rn.f32.s32 %r0, -3;", 'r', 0, 0, 0, 0xc0400000},
	{"cvt.rn.f32.f64 %r0, 0d3FF8000000000000;", 'r', 0, 0, 0, 0x3fc00000},
	/* two halves: the first operand is the upper one */
	{"cvt.rn.f16x2.f32 %r0, %r1, %r2;", 'r', 0x3f800000, 0xc0000000, 0, 0x3c00c000},
	{"cvt.rz.f16x2.f32 %r0, %r1, %r2;", 'r', 0x477fffff, 0x3f801fff, 0, 0x7bff3c00},
	{"cvt.rn.bf16x2.f32 %r0, %r1, %r2;", 'r', 0x3f808000, 0x3f818000, 0, 0x3f803f82},
	{"cvt.rn.relu.f16x2.f32 %r0, %r1, %r2;", 'r', 0xbf800000, 0x7fc00000, 0, 0x00007fff},
	{"cvt.rn.satfinite.f16.f32 %h0, %r1;", 'h', 0xff800000, 0, 0, 0xfbff},
	{"cvt.rn.satfinite.relu.bf16x2.f32 %r0, %r1, %r2;", 'r', 0x7f7fffff, 0xff7fffff, 0,
	 0x7f7f0000},
	{"cvt.rn.satfinite.f16.f32 %h0, %r1;", 'h', 0x7fc00000, 0, 0, 0x7fff},
	{"cvt.rn.relu.f16.f32 %h0, %r1;", 'h', 0x80000000, 0, 0, 0},
	/* packing: a is above b, and the low half of c is above them */
	{"cvt.pack.sat.s16.s32 %r0, %r1, %r2;", 'r', 0x12345, 0xffff0000, 0, 0x7fff8000},
	{"cvt.pack.sat.u16.s32 %r0, %r1, %r2;", 'r', 0x12345, 0xffffffff, 0, 0xffff0000},
	{"cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3;", 'r', 200, -1, 0xabcd1234, 0x12347fff},
	{"cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3;", 'r', 300, 7, 0xabcd1234, 0x1234ff07},
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
		for (unsigned l = 0; l < WARP_SIZE; l++) {
			v[0][l] = o->a;
			v[1][l] = o->b;
			v[2][l] = o->c;
		}
		for (unsigned k = 0; k < 3; k++)
			rig_set(&r, k + 1, v[k]);
		rig_run(&r, 0x80000001);
		is_u64(rig_get(&r, o->reg, 0, 31), o->want, "%s", o->inst);
		is_u64(rig_get(&r, o->reg, 0, 7), 0, "  and only where the mask says");
		rig_close(&r);
	}
}

/* ---- half.h by itself ---- */

static void
test_half(void)
{
	const enum prog_round rnd[] = {RND_RN, RND_RZ, RND_RM, RND_RP};
	unsigned wrong = 0, back = 0;

	for (unsigned h = 0; h < 65536; h++) {
		long double want = half_value(&f16, h), want_b = half_value(&bf16, h);
		float got = half_to_float((uint16_t)h), got_b = bf16_to_float((uint16_t)h);

		wrong += !(got == want || (got != got && want != want));
		wrong += !(got_b == want_b || (got_b != got_b && want_b != want_b));
		back += float_to_half_rn(got) != (got == got ? h : F16_NAN);
		back += float_to_bf16_rn(got_b) != (got_b == got_b ? h : BF16_NAN);
	}
	ok(wrong == 0, "every f16 and bf16 as f32");
	ok(back == 0, "and back");
	wrong = 0;
	for (unsigned h = 0; h < 0x7c00; h++) { /* around the middle between neighbours */
		long double mid = h == 0x7bff ? 65520.0L
					      : (half_value(&f16, h) + half_value(&f16, h + 1)) / 2;

		for (int k = -1; k <= 1; k++) {
			uint32_t u = f32_bits((float)mid) + (uint32_t)k;

			for (unsigned i = 0; i < ARRAY_LEN(rnd); i++)
				wrong += float_to_half(bits_f32(u), rnd[i]) !=
					 ref_half(&f16, (long double)bits_f32(u), rnd[i]);
		}
	}
	ok(wrong == 0, "f32 to f16 about every tie, in four roundings");
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t u = rnd64();

		u = (u & 0x800fffffffffffff) | (u >> 52 & 0x7f) << 52 | (uint64_t)860 << 52;
		wrong += fp_from_double(&fp_f32, bits_f64(u), rnd[i % 4]) !=
			 ref_float(&types[10], (long double)bits_f64(u), rnd[i % 4]);
	}
	ok(wrong == 0, "f64 to f32 about the subnormals, in four roundings");
}

/* ---- what is refused ---- */

static void
test_refused(void)
{
	static const struct rig_bad bad[] = {
		{"cvt.f32.s32 %r0, %r1;", "expected a rounding: .rn .rz .rm .rp"},
		{"cvt.s32.f32 %r0, %r1;", "expected a rounding: .rni .rzi .rmi .rpi"},
		{"cvt.rn.s32.s16 %r0, %h1;", "a conversion between integers does not round"},
		{"cvt.rzi.f32.f16 %r0, %h1;",
		 "rounding to an integer needs the same type on both sides"},
		{"cvt.u32 %r0, %r1;", "expected the types of result and operand"},
		{"cvt.u32.u64 %r0, %r1;",
		 "expected a 64-bit register for .u64, found '%r1', a .b32"},
		{"cvt.u64.u32 %r0, %r1;",
		 "expected a 64-bit register for .u64, found '%r0', a .b32"},
		{"cvt.rm.tf32.f32 %r0, %r1;",
		 "anything but .rna, .rn or .rz of .f32 is not supported"},
		{"cvt.rn.satfinite.e4m3x2.f64 %h0, %d1, %d2;",
		 "with pairs of 8 bits is not supported"},
		{"cvt.ftz.f64.f16 %d0, %h1;", ".ftz is for .f32"},
		{"cvt.u32.u16.eq %r0, %h1;", "unknown modifier '.eq' here"},
	};

	rig_refused(bad, ARRAY_LEN(bad));
}

int
main(void)
{
	test_half();
	test_cvt();
	test_ones();
	test_refused();
	return done();
}
