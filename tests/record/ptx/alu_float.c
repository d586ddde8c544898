/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_float.c - floating-point instructions of the PTX emulator compared with C: every rounding
 * (the host's own, by fesetround, which nothing else uses), flushing, saturation, NaN rules; halves
 * compared with exact arithmetic on integers; approximations with the C library's double-precision
 * functions, to one unit in the last place.
 */
#include <fenv.h>
#include <math.h>

#include "record/ptx/alu/alu.h"
#include "record/ptx/alu/alu_approx.h"
#include "tests/record/ptx/alu.h"

__extension__ typedef __int128 i128;

/* ---- f32 ---- */

#define FA bits_f32((uint32_t)a)
#define FB bits_f32((uint32_t)b)
#define FC bits_f32((uint32_t)c)
#define DA bits_f64(a)
#define DB bits_f64(b)
#define DC bits_f64(c)

static uint64_t
single(float x)
{
	return isnan(x) ? 0x7fffffff : f32_bits(x);
}

static uint64_t
full(double x)
{
	return isnan(x) ? 0xfff8000000000000 : f64_bits(x);
}

static float
flush(float x)
{
	return fpclassify(x) == FP_SUBNORMAL ? copysignf(0.0f, x) : x;
}

static float
clamp(float x)
{
	return isnan(x) || x <= 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

/* One operation, in a rounding mode of the host. */
#define ROUNDED(T, name, fused, root)                   \
	static T name(int mode, char op, T x, T y, T z) \
	{                                               \
		volatile T a = x, b = y, c = z, r;      \
		fesetround(mode);                       \
		r = op == '+'	? a + b                 \
		    : op == '-' ? a - b                 \
		    : op == '*' ? a * b                 \
		    : op == '/' ? a / b                 \
		    : op == 'r' ? root(a)               \
				: fused(a, b, c);       \
		fesetround(FE_TONEAREST);               \
		return r;                               \
	}

ROUNDED(float, f32_op, fmaf, sqrtf)
ROUNDED(double, f64_op, fma, sqrt)

static uint64_t
extreme(float x, float y, bool big, bool nan, bool xorsign)
{
	bool sign = signbit(x) != signbit(y);
	float r;

	if (isnan(x) || isnan(y)) {
		r = nan || (isnan(x) && isnan(y)) ? NAN : isnan(x) ? y : x;
		r = xorsign ? fabsf(r) : r;
	} else {
		if (xorsign) {
			x = fabsf(x);
			y = fabsf(y);
		}
		if (x == y)
			r = (signbit(x) != 0) != big ? x : y; /* -0 is the smaller */
		else
			r = (x < y) != big ? x : y;
	}
	return isnan(r) ? 0x7fffffff : f32_bits(xorsign ? (sign ? -fabsf(r) : fabsf(r)) : r);
}

static uint64_t
extreme64(double x, double y, bool big)
{
	if (isnan(x) || isnan(y))
		return full(isnan(x) ? y : x);
	if (x == y)
		return f64_bits((signbit(x) != 0) != big ? x : y);
	return f64_bits((x < y) != big ? x : y);
}

static uint64_t
quick_div(float x, float y)
{
	return single(fabsf(y) > 0x1p126f && isfinite(y) ? x * copysignf(0.0f, y) : x / y);
}

static bool
one_ulp(uint64_t got, uint64_t want)
{
	int64_t d = (int64_t)(int32_t)(uint32_t)got - (int32_t)(uint32_t)want;

	return d >= -1 && d <= 1;
}

static bool
one_half_ulp(uint64_t got, uint64_t want)
{
	int64_t d = (int64_t)got - (int64_t)want;

	return d >= -1 && d <= 1;
}

static bool
pair_ulp(uint64_t got, uint64_t want)
{
	return one_half_ulp(got & 0xffff, want & 0xffff) && one_half_ulp(got >> 16, want >> 16);
}

static uint64_t
upper(double x)
{
	uint64_t u = full(x) & 0xffffffff00000000;

	return fpclassify(bits_f64(u)) == FP_SUBNORMAL ? u & 1ull << 63 : u;
}

#define ROUNDS(X, name, head, tail, op, FT, fn, R, out, p, q, s)                    \
	X(name##_rz, head ".rz" tail, out, R(fn(FE_TOWARDZERO, op, p, q, s)), NULL) \
	X(name##_rm, head ".rm" tail, out, R(fn(FE_DOWNWARD, op, p, q, s)), NULL)   \
	X(name##_rp, head ".rp" tail, out, R(fn(FE_UPWARD, op, p, q, s)), NULL)

#define DIRECTED(X)                                                                                \
	ROUNDS(X, add, "add", ".f32 r0, r1, r2;", '+', float, f32_op, single, 'r', FA, FB, FC)     \
	ROUNDS(X, sub, "sub", ".f32 r0, r1, r2;", '-', float, f32_op, single, 'r', FA, FB, FC)     \
	ROUNDS(X, mul, "mul", ".f32 r0, r1, r2;", '*', float, f32_op, single, 'r', FA, FB, FC)     \
	ROUNDS(X, fma, "fma", ".f32 r0, r1, r2, r3;", 'f', float, f32_op, single, 'r', FA, FB, FC) \
	ROUNDS(X, mad, "mad", ".f32 r0, r1, r2, r3;", 'f', float, f32_op, single, 'r', FA, FB, FC) \
	ROUNDS(X, div, "div", ".f32 r0, r1, r2;", '/', float, f32_op, single, 'r', FA, FB, FC)     \
	ROUNDS(X, rcp, "rcp", ".f32 r0, r1;", '/', float, f32_op, single, 'r', 1.0f, FA, FC)       \
	ROUNDS(X, sqrt, "sqrt", ".f32 r0, r1;", 'r', float, f32_op, single, 'r', FA, FB, FC)       \
	ROUNDS(X, add64, "add", ".f64 d0, d1, d2;", '+', double, f64_op, full, 'd', DA, DB, DC)    \
	ROUNDS(X, sub64, "sub", ".f64 d0, d1, d2;", '-', double, f64_op, full, 'd', DA, DB, DC)    \
	ROUNDS(X, mul64, "mul", ".f64 d0, d1, d2;", '*', double, f64_op, full, 'd', DA, DB, DC)    \
	ROUNDS(X, fma64, "fma", ".f64 d0, d1, d2, d3;", 'f', double, f64_op, full, 'd', DA, DB,    \
	       DC)                                                                                 \
	ROUNDS(X, div64, "div", ".f64 d0, d1, d2;", '/', double, f64_op, full, 'd', DA, DB, DC)    \
	ROUNDS(X, rcp64, "rcp", ".f64 d0, d1;", '/', double, f64_op, full, 'd', 1.0, DA, DC)       \
	ROUNDS(X, sqrt64, "sqrt", ".f64 d0, d1;", 'r', double, f64_op, full, 'd', DA, DB, DC)      \
	X(add_rp_ftz, "add.rp.ftz.f32 r0, r1, r2;", 'r',                                           \
	  single(flush(f32_op(FE_UPWARD, '+', flush(FA), flush(FB), 0))), NULL)                    \
	X(fma_rz_sat, "fma.rz.sat.f32 r0, r1, r2, r3;", 'r',                                       \
	  single(clamp(f32_op(FE_TOWARDZERO, 'f', FA, FB, FC))), NULL)

#define NEAREST(X)                                                                                 \
	X(add, "add.f32 r0, r1, r2;", 'r', single(FA + FB), NULL)                                  \
	X(add_rn, "add.rn.f32 r0, r1, r2;", 'r', single(FA + FB), NULL)                            \
	X(add_const, "add.f32 r0, r1, 0f3FC00000;", 'r', single(FA + 1.5f), NULL)                  \
	X(add_ftz, "add.ftz.f32 r0, r1, r2;", 'r', single(flush(flush(FA) + flush(FB))), NULL)     \
	X(add_sat, "add.sat.f32 r0, r1, r2;", 'r', single(clamp(FA + FB)), NULL)                   \
	X(add_both, "add.ftz.sat.f32 r0, r1, r2;", 'r',                                            \
	  single(flush(clamp(flush(FA) + flush(FB)))), NULL)                                       \
	X(sub, "sub.f32 r0, r1, r2;", 'r', single(FA - FB), NULL)                                  \
	X(sub_ftz, "sub.ftz.f32 r0, r1, r2;", 'r', single(flush(flush(FA) - flush(FB))), NULL)     \
	X(mul, "mul.f32 r0, r1, r2;", 'r', single(FA *FB), NULL)                                   \
	X(mul_ftz, "mul.ftz.f32 r0, r1, r2;", 'r', single(flush(flush(FA) * flush(FB))), NULL)     \
	X(mul_sat, "mul.rn.sat.f32 r0, r1, r2;", 'r', single(clamp(FA *FB)), NULL)                 \
	X(fma, "fma.rn.f32 r0, r1, r2, r3;", 'r', single(fmaf(FA, FB, FC)), NULL)                  \
	X(fma_ftz, "fma.rn.ftz.f32 r0, r1, r2, r3;", 'r',                                          \
	  single(flush(fmaf(flush(FA), flush(FB), flush(FC)))), NULL)                              \
	X(mad_sat, "mad.rn.sat.f32 r0, r1, r2, r3;", 'r', single(clamp(fmaf(FA, FB, FC))), NULL)   \
	X(div, "div.rn.f32 r0, r1, r2;", 'r', single(FA / FB), NULL)                               \
	X(div_ftz, "div.rn.ftz.f32 r0, r1, r2;", 'r', single(flush(flush(FA) / flush(FB))), NULL)  \
	X(div_full, "div.full.f32 r0, r1, r2;", 'r', single(FA / FB), one_ulp)                     \
	X(div_approx, "div.approx.f32 r0, r1, r2;", 'r', quick_div(FA, FB), one_ulp)               \
	X(rcp, "rcp.rn.f32 r0, r1;", 'r', single(1.0f / FA), NULL)                                 \
	X(rcp_approx, "rcp.approx.ftz.f32 r0, r1;", 'r', single(flush(1.0f / flush(FA))), one_ulp) \
	X(sqrt, "sqrt.rn.f32 r0, r1;", 'r', single(sqrtf(FA)), NULL)                               \
	X(sqrt_approx, "sqrt.approx.ftz.f32 r0, r1;", 'r', single(sqrtf(flush(FA))), one_ulp)      \
	X(add64, "add.f64 d0, d1, d2;", 'd', full(DA + DB), NULL)                                  \
	X(sub64, "sub.rn.f64 d0, d1, d2;", 'd', full(DA - DB), NULL)                               \
	X(mul64, "mul.f64 d0, d1, d2;", 'd', full(DA *DB), NULL)                                   \
	X(fma64, "fma.rn.f64 d0, d1, d2, d3;", 'd', full(fma(DA, DB, DC)), NULL)                   \
	X(mad64, "mad.rn.f64 d0, d1, d2, d3;", 'd', full(fma(DA, DB, DC)), NULL)                   \
	X(div64, "div.rn.f64 d0, d1, d2;", 'd', full(DA / DB), NULL)                               \
	X(rcp64, "rcp.rn.f64 d0, d1;", 'd', full(1.0 / DA), NULL)                                  \
	X(sqrt64, "sqrt.rn.f64 d0, d1;", 'd', full(sqrt(DA)), NULL)                                \
	X(rcp64_ftz, "rcp.approx.ftz.f64 d0, d1;", 'd', upper(1.0 / bits_f64(upper(DA))), NULL)    \
	X(rsqrt64, "rsqrt.approx.f64 d0, d1;", 'd', full(1.0 / sqrt(DA)), NULL)                    \
	X(rsqrt64_ftz, "rsqrt.approx.ftz.f64 d0, d1;", 'd',                                        \
	  upper(1.0 / sqrt(bits_f64(upper(DA)))), NULL)                                            \
	X(abs, "abs.f32 r0, r1;", 'r', (uint32_t)a & 0x7fffffff, NULL)                             \
	X(abs_ftz, "abs.ftz.f32 r0, r1;", 'r', f32_bits(flush(FA)) & 0x7fffffff, NULL)             \
	X(abs64, "abs.f64 d0, d1;", 'd', a &INT64_MAX, NULL)                                       \
	X(neg, "neg.f32 r0, r1;", 'r', a ^ 0x80000000, NULL)                                       \
	X(neg_ftz, "neg.ftz.f32 r0, r1;", 'r', f32_bits(flush(FA)) ^ 0x80000000, NULL)             \
	X(neg64, "neg.f64 d0, d1;", 'd', a ^ 1ull << 63, NULL)                                     \
	X(min, "min.f32 r0, r1, r2;", 'r', extreme(FA, FB, 0, 0, 0), NULL)                         \
	X(min_ftz, "min.ftz.f32 r0, r1, r2;", 'r', extreme(flush(FA), flush(FB), 0, 0, 0), NULL)   \
	X(min_nan, "min.NaN.f32 r0, r1, r2;", 'r', extreme(FA, FB, 0, 1, 0), NULL)                 \
	X(min_xor, "min.NaN.xorsign.abs.f32 r0, r1, r2;", 'r', extreme(FA, FB, 0, 1, 1), NULL)     \
	X(max, "max.f32 r0, r1, r2;", 'r', extreme(FA, FB, 1, 0, 0), NULL)                         \
	X(max_nan, "max.ftz.NaN.f32 r0, r1, r2;", 'r', extreme(flush(FA), flush(FB), 1, 1, 0),     \
	  NULL)                                                                                    \
	X(max_xor, "max.xorsign.abs.f32 r0, r1, r2;", 'r', extreme(FA, FB, 1, 0, 1), NULL)         \
	X(min64, "min.f64 d0, d1, d2;", 'd', extreme64(DA, DB, 0), NULL)                           \
	X(max64, "max.f64 d0, d1, d2;", 'd', extreme64(DA, DB, 1), NULL)                           \
	X(copysign, "copysign.f32 r0, r1, r2;", 'r', f32_bits(copysignf(FB, FA)), NULL)            \
	X(copysign64, "copysign.f64 d0, d1, d2;", 'd', f64_bits(copysign(DB, DA)), NULL)           \
	X(finite, "testp.finite.f32 p1, r1; selp.b32 r0, 1, 0, p1;", 'r', isfinite(FA), NULL)      \
	X(infinite, "testp.infinite.f32 p1, r1; selp.b32 r0, 1, 0, p1;", 'r', !!isinf(FA), NULL)   \
	X(number, "testp.number.f32 p1, r1; selp.b32 r0, 1, 0, p1;", 'r', !isnan(FA), NULL)        \
	X(notanumber, "testp.notanumber.f32 p1, r1; selp.b32 r0, 1, 0, p1;", 'r', isnan(FA), NULL) \
	X(normal, "testp.normal.f32 p1, r1; selp.b32 r0, 1, 0, p1;", 'r', isnormal(FA), NULL)      \
	X(subnormal, "testp.subnormal.f64 p1, d1; selp.b32 r0, 1, 0, p1;", 'r',                    \
	  fpclassify(DA) == FP_SUBNORMAL, NULL)                                                    \
	X(normal64, "testp.normal.f64 p1, d1; selp.b32 r0, 1, 0, p1;", 'r', isnormal(DA), NULL)    \
	X(rsqrt, "rsqrt.approx.f32 r0, r1;", 'r', single((float)(1.0 / sqrt((double)FA))),         \
	  one_ulp)                                                                                 \
	X(sin, "sin.approx.f32 r0, r1;", 'r', single((float)sin((double)FA)), one_ulp)             \
	X(cos, "cos.approx.f32 r0, r1;", 'r', single((float)cos((double)FA)), one_ulp)             \
	X(sin_ftz, "sin.approx.ftz.f32 r0, r1;", 'r',                                              \
	  single(flush((float)sin((double)flush(FA)))), one_ulp)                                   \
	X(lg2, "lg2.approx.f32 r0, r1;", 'r', single((float)log2((double)FA)), one_ulp)            \
	X(lg2_ftz, "lg2.approx.ftz.f32 r0, r1;", 'r', single((float)log2((double)flush(FA))),      \
	  one_ulp)                                                                                 \
	X(ex2, "ex2.approx.f32 r0, r1;", 'r', single((float)exp2((double)FA)), one_ulp)            \
	X(ex2_ftz, "ex2.approx.ftz.f32 r0, r1;", 'r', single(flush((float)exp2((double)FA))),      \
	  one_ulp)                                                                                 \
	X(tanh, "tanh.approx.f32 r0, r1;", 'r', single((float)tanh((double)FA)), one_ulp)

/* ---- halves: every finite f16 is an integer in units of 2^-24, a product of two in 2^-48 ---- */

static bool
h_nan(uint64_t h)
{
	return (h & 0x7fff) > 0x7c00;
}

static bool
h_inf(uint64_t h)
{
	return (h & 0x7fff) == 0x7c00;
}

static i128
h_int(uint64_t h)
{
	unsigned e = h >> 10 & 31;
	i128 m = e ? (i128)((h & 0x3ff) | 0x400) << (e - 1) : (i128)(h & 0x3ff);

	return h & 0x8000 ? -m : m;
}

/* Rounds v * 2^-48 to the nearest half, ties to even; zero gets the sign. */
static uint64_t
h_round(i128 v, bool zero_sign)
{
	i128 m = v < 0 ? -v : v, unit, n;
	unsigned e = 1;
	bool sign = v ? v < 0 : zero_sign;

	while (e < 31 && m >> 24 >= (i128)1 << (e + 10))
		e++;
	unit = (i128)1 << (e - 1 + 24);
	n = m / unit;
	m -= n * unit;
	if (2 * m > unit || (2 * m == unit && n % 2))
		n++;
	n += (i128)(e - 1) * 0x400; /* a carry increments the exponent */
	return (uint64_t)(n >= 0x7c00 ? 0x7c00 : n) | (uint64_t)sign << 15;
}

static uint64_t
h_fma(uint64_t a, uint64_t b, uint64_t c)
{
	bool s = (a ^ b) >> 15 & 1, t = c >> 15 & 1;

	a &= 0xffff;
	b &= 0xffff;
	c &= 0xffff;
	if (h_nan(a) || h_nan(b) || h_nan(c))
		return 0x7fff;
	if (h_inf(a) || h_inf(b)) {
		if (!h_int(a) || !h_int(b) || (h_inf(c) && s != t))
			return 0x7fff;
		return 0x7c00 | (uint64_t)s << 15;
	}
	if (h_inf(c))
		return c;
	if (!h_int(a) || !h_int(b))
		return h_int(c) ? c : (uint64_t)(s && t) << 15;
	return h_round(h_int(a) * h_int(b) + h_int(c) * ((i128)1 << 24), false);
}

static uint64_t
h_mul(uint64_t a, uint64_t b)
{
	return h_fma(a, b, ((a ^ b) & 0x8000)); /* a zero of the product's sign */
}

static uint64_t
h_flush(uint64_t h)
{
	return h & 0x7c00 ? h : h & 0x8000;
}

static uint64_t
h_clamp(uint64_t h)
{
	return h_nan(h) || h & 0x8000 ? 0 : h > 0x3c00 ? 0x3c00 : h;
}

static double
h_val(uint64_t h)
{
	if (h_nan(h))
		return (double)NAN;
	return h_inf(h) ? (h & 0x8000 ? -HUGE_VAL : HUGE_VAL)
			: copysign((double)h_int(h & 0xffff) * 0x1p-24, h & 0x8000 ? -1.0 : 1.0);
}

static uint64_t
h_of(double x) /* x below 2^17 is cut to 2^-48, which one_half_ulp forgives */
{
	if (isnan(x))
		return 0x7fff;
	if (fabs(x) >= 65536.0)
		return 0x7c00 | (uint64_t)(x < 0) << 15;
	return h_round((i128)(x * 0x1p48), signbit(x));
}

static uint64_t
h_pick(uint64_t a, uint64_t b, bool big, bool nan)
{
	uint64_t r = extreme((float)h_val(a & 0xffff), (float)h_val(b & 0xffff), big, nan, false);

	return r == 0x7fffffff ? 0x7fff : h_of((double)bits_f32((uint32_t)r));
}

/* bf16 inputs are near 1, so double is exact. */
static uint64_t
b_fma(uint64_t a, uint64_t b, uint64_t c)
{
	double x = (double)bits_f32((uint32_t)a & 0xffff0000) *
			   (double)bits_f32((uint32_t)b & 0xffff0000) +
		   (double)bits_f32((uint32_t)c & 0xffff0000);
	int e;

	frexp(x, &e);
	return f32_bits((float)ldexp(nearbyint(ldexp(x, 8 - e)), e - 8)) >> 16;
}

#define PAIR(fn, x, y, z) ((fn(x, y, z)) | (fn((x) >> 16, (y) >> 16, (z) >> 16)) << 16)
#define H_ADD(x, y, z) h_fma(0x3c00, x, y)
#define H_EX2(x, y, z) h_of(exp2(h_val((x)&0xffff)))

#define HALVES(X)                                                                               \
	X(hadd, "add.f16 h0, h1, h2;", 'h', h_fma(a, 0x3c00, b), NULL)                          \
	X(hadd_ftz, "add.rn.ftz.f16 h0, h1, h2;", 'h',                                          \
	  h_flush(h_fma(h_flush(a & 0xffff), 0x3c00, h_flush(b & 0xffff))), NULL)               \
	X(hadd_sat, "add.sat.f16 h0, h1, h2;", 'h', h_clamp(h_fma(a, 0x3c00, b)), NULL)         \
	X(hsub, "sub.f16 h0, h1, h2;", 'h', h_fma(0x3c00, a, b ^ 0x8000), NULL)                 \
	X(hmul, "mul.f16 h0, h1, h2;", 'h', h_mul(a, b), NULL)                                  \
	X(hfma, "fma.rn.f16 h0, h1, h2, h3;", 'h', h_fma(a, b, c), NULL)                        \
	X(hfma_relu, "fma.rn.relu.f16 h0, h1, h2, h3;", 'h',                                    \
	  h_fma(a, b, c) & 0x8000 ? 0 : h_fma(a, b, c), NULL)                                   \
	X(hadd2, "add.f16x2 r0, r1, r2;", 'r', PAIR(H_ADD, a & 0xffffffff, b & 0xffffffff, c),  \
	  NULL)                                                                                 \
	X(hfma2, "fma.rn.f16x2 r0, r1, r2, r3;", 'r',                                           \
	  PAIR(h_fma, a & 0xffffffff, b & 0xffffffff, c & 0xffffffff), NULL)                    \
	X(hneg, "neg.f16 h0, h1;", 'h', a ^ 0x8000, NULL)                                       \
	X(habs2, "abs.f16x2 r0, r1;", 'r', a & 0x7fff7fff, NULL)                                \
	X(hmin, "min.f16 h0, h1, h2;", 'h', h_pick(a, b, false, false), NULL)                   \
	X(hmax, "max.NaN.f16 h0, h1, h2;", 'h', h_pick(a, b, true, true), NULL)                 \
	X(hex2, "ex2.approx.f16 h0, h1;", 'h', h_of(exp2(h_val(a & 0xffff))), one_half_ulp)     \
	X(hex2x2, "ex2.approx.f16x2 r0, r1;", 'r', PAIR(H_EX2, a & 0xffffffff, b, c), pair_ulp) \
	X(htanh, "tanh.approx.f16 h0, h1;", 'h', h_of(tanh(h_val(a & 0xffff))), one_half_ulp)

#define UNPACK                                                                            \
	"shr.u32 r5, r1, 16; cvt.u16.u32 h5, r5; shr.u32 r5, r2, 16; cvt.u16.u32 h6, r5;" \
	"shr.u32 r5, r3, 16; cvt.u16.u32 h7, r5;"
#define BFLOATS(X)                                                                              \
	X(bfma, UNPACK "fma.rn.bf16 h0, h5, h6, h7;", 'h', b_fma(a, b, c), NULL)                \
	X(badd, UNPACK "add.rn.bf16 h0, h5, h6;", 'h', b_fma(a, 0x3f800000, b), NULL)           \
	X(bmul, UNPACK "mul.rn.bf16 h0, h5, h6;", 'h', b_fma(a, b, 0), NULL)                    \
	X(bmax, UNPACK "max.bf16 h0, h5, h6;", 'h',                                             \
	  extreme(bits_f32((uint32_t)a & 0xffff0000), bits_f32((uint32_t)b & 0xffff0000), 1, 0, \
		  0) >>                                                                         \
		  16,                                                                           \
	  NULL)                                                                                 \
	X(btiny,                                                                                \
	  "mov.b16 h5, 0x8d80; mov.b16 h6, 0x0d80; mov.b16 h7, 0; fma.rn.bf16 h0, h5, h6, h7;", \
	  'h', 0x8000, NULL)                                                                    \
	X(bfma2, "fma.rn.bf16x2 r5, r1, r2, r3; and.b32 r0, r5, 0xffff0000;", 'r',              \
	  b_fma(a, b, c) << 16, NULL)

#define FUNCTION(name, text, out, expr, same)                                       \
	static uint64_t want_##name(uint64_t a ATTR_UNUSED, uint64_t b ATTR_UNUSED, \
				    uint64_t c ATTR_UNUSED, uint64_t d ATTR_UNUSED) \
	{                                                                           \
		return (uint64_t)(expr);                                            \
	}
#define ENTRY(name, text, out, expr, same) {text, out, want_##name, same},

NEAREST(FUNCTION)
DIRECTED(FUNCTION)
HALVES(FUNCTION)
BFLOATS(FUNCTION)
static const struct alu_case nearest[] = {NEAREST(ENTRY) HALVES(ENTRY)};
static const struct alu_case directed[] = {DIRECTED(ENTRY)};
static const struct alu_case bfloats[] = {BFLOATS(ENTRY)};

/* The low words are floats to try, the high words the upper parts of doubles; the low quarters are
 * halves. */
static const uint64_t edge[] = {
	0x0000000000000000, 0x8000000080008000, 0x3ff000003f803c00, 0xbff00000bf800000,
	0x3ff800003f800000, 0x7ff000007f800000, 0xfff00000ff800000, 0x7ff800007fc07e00,
	0x7ff0000000000000, 0xfff0000000000000, 0x3ff0000000000000, 0xbff0000000000000,
	0x0000000000000001, 0x8000000000000001, 0x000fffffffffffff, 0x0010000000000000,
	0x7fefffffffffffff, 0xffefffffffffffff, 0x0000000100000001, 0x800000008000ffff,
	0x001000007f7fffff, 0x00200000ff7fffff, 0x000fffff00800000, 0x3fd0000000400000,
	0x4000000080800000, 0x7fe000007f800001, 0x7ff00001ffc00000, 0x4340000000007bff,
	0x3ca000007e800001, 0x400000003f80fc00, 0x0008000040490fdb, 0x7fd0000042fe0000,
	0xc0862000c2fc0000, 0x3fe000003f000001, 0x3fefffff3f7fffff, 0x0000000000000400,
	0x3ff0000080000000,
};

/* Numbers with similar exponents, some with mantissas of few digits, so that sums cancel and
 * products end in ties. */
static void
fill_near(struct alu_rig *g, uint64_t seed)
{
	for (unsigned i = 0; i < ALU_THREADS * 5; i++) {
		uint64_t x = alu_random(&seed), y = alu_random(&seed);
		uint64_t hi = (x >> 4 & 1) << 63 | (1023 - 6 + x / 32 % 12) << 52;
		uint64_t lo = (x >> 3 & 1) << 31 | (127 - 6 + x / 1024 % 12) << 23;

		hi |= x & 1 ? y >> 12 : (y >> 60) << 48;
		lo |= x & 2 ? y & 0x7fffff : (y & 0xfff) << 11;
		g->host_in[i] = (hi & ~0xffffffffull) | lo;
	}
}

static bool
host_rounds(void)
{
	return f64_op(FE_UPWARD, '/', 1.0, 3.0, 0) != f64_op(FE_DOWNWARD, '/', 1.0, 3.0, 0) &&
	       f32_op(FE_UPWARD, '+', 1.0f, 1e-9f, 0) != f32_op(FE_DOWNWARD, '+', 1.0f, 1e-9f, 0);
}

static void
run_all(struct alu_rig *g, const struct alu_case *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		alu_run(g, &c[i]);
}

/* The multiply-add without the processor's instruction, compared with the C library's: sums that
 * are nearly ties. */
static void
test_soft_fma(void)
{
	uint64_t seed = 7, bad = 0;

	for (unsigned i = 0; i < 300000; i++) {
		uint64_t x = alu_random(&seed), y = alu_random(&seed);
		float a = bits_f32((uint32_t)x), b = bits_f32((uint32_t)(x >> 32)),
		      c = bits_f32((uint32_t)y);

		if (i & 1) { /* a * b ends in half a unit; c is tiny, or a neighbour */
			a = 1.0f + ldexpf((float)(x & 0xfff), -12);
			b = 1.0f + ldexpf((float)(x >> 12 & 0xfff), -12);
			c = copysignf(ldexpf(1.0f, -(int)(y >> 8 & 0x7f)), y & 1 ? 1.0f : -1.0f);
		} else if (i & 2) {
			a = ldexpf(a, -1);
			c = ldexpf(-a * b, (int)(y & 3));
		}
		bad += single(alu_soft_fmaf(a, b, c)) != single(fmaf(a, b, c));
	}
	is_u64(bad, 0, "multiply-add in software");
	is_u64(single(alu_soft_fmaf(1.0f + 0x1p-12f, 1.0f + 0x1p-12f, 0x1p-100f)),
	       f32_bits(1.0f + 0x1p-11f + 0x1p-23f), "just above a tie");
	is_u64(single(alu_soft_fmaf(1.0f + 0x1p-12f, 1.0f + 0x1p-12f, -0x1p-100f)),
	       f32_bits(1.0f + 0x1p-11f), "just below a tie");
	is_u64(single(alu_soft_fmaf(0x1p-100f, 0x1p-50f, 0x1p-149f)), 2, "a tie of subnormals");
}

/* The exact bits of the approximations: changing them would change every recorded trace. */
static void
test_same_bits(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 4000; i++) {
		double x = (double)bits_f32(0x30000000u + i * 0x3a417u);

		sum = sum * 31 + f64_bits(alu_sin(x));
		sum = sum * 31 + f64_bits(alu_cos(x));
		sum = sum * 31 + f64_bits(alu_log2(x));
		sum = sum * 31 + f64_bits(alu_exp2(1.0 / x));
		sum = sum * 31 + f64_bits(alu_tanh(x));
	}
	is_u64(sum, 9277194238556104909ull, "the approximations give the bits they always gave");
}

int
main(void)
{
	struct alu_rig g;

	if (!alu_open(&g))
		return done();
	for (unsigned near = 0; near < 2; near++) {
		if (near)
			fill_near(&g, 3);
		else
			alu_fill(&g, edge, ARRAY_LEN(edge), 2);
		run_all(&g, nearest, ARRAY_LEN(nearest));
		if (host_rounds())
			run_all(&g, directed, ARRAY_LEN(directed));
		else
			diag("no rounding but to nearest here (valgrind?)");
	}
	run_all(&g, bfloats, ARRAY_LEN(bfloats));
	test_soft_fma();
	test_same_bits();
	alu_refused("fma.f32 r0, r1, r2, r3;", "expected a rounding");
	alu_refused("div.f32 r0, r1, r2;", "expected a rounding");
	alu_refused("mad.f32 r0, r1, r2, r3;", "expected a rounding");
	alu_refused("sin.f32 r0, r1;", "expected one of .approx");
	alu_refused("add.rni.f32 r0, r1, r2;", "expected a rounding");
	alu_refused("min.xorsign.f32 r0, r1, r2;", "expected .xorsign.abs");
	alu_refused("add.f32 r0, r1, 1;", "expected a float constant");
	alu_refused("rcp.approx.f64 d0, d1;", "expected .ftz");
	ptx_device_free(g.device);
	return done();
}
