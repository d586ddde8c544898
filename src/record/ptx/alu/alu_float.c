/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_float.c - executes add sub mul fma div rcp sqrt of f32 and f64, with every rounding.
 *
 * The host computes the nearest result (IEEE 754, correctly rounded, no contraction: each lane's
 * expression is one operation). The other roundings leave the host's rounding mode alone, because
 * compilers move code across changes of it and valgrind ignores it. Instead, the nearest result is
 * a neighbour of the exact one, and the sign of (exact - nearest), computed in a format of twice
 * the digits, tells whether to step.
 *
 * The fused multiply-add is the processor's if it has one (alu_is_wide). Otherwise f32 goes through
 * double: the product is exact there, the sum is rounded to odd, and a number rounded to odd with
 * that many extra digits rounds to f32 as the exact one does (Boldo, Melquiond 2008).
 *
 * Every computed NaN is the canonical one, whatever the operands are, so that results do not depend
 * on the order in which a compiler puts operands. Not supported: the three-operand min and max.
 */
#include <math.h>

#include "record/ptx/alu/alu.h"
#include "record/ptx/alu/alu_approx.h"

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide_t;
#else
typedef long double wide_t; /* binary128 where there is no __float128 */
#endif

/* ---- rounding other than to nearest ---- */

/* Steps from r, the nearest number to an exact result, to its neighbour if rnd requires it; s is
 * the sign of (exact - r). */
static uint64_t
step_to_neighbour(uint64_t bits, uint64_t sign, int s, uint8_t rnd)
{
	bool neg = bits & sign;

	if (s == 0 || rnd <= RND_RN)
		return bits;
	if (rnd == RND_RZ)
		rnd = neg ? RND_RP : RND_RM;
	if (rnd == RND_RM && s < 0)
		return neg ? bits + 1 : bits == 0 ? sign + 1 : bits - 1;
	if (rnd == RND_RP && s > 0)
		return !neg ? bits + 1 : bits == sign ? 1 : bits - 1;
	return bits;
}

/* Computes the sign of (exact - r) for each operation. T is the type, W one in which products of T
 * are exact. A sum of W may be inexact; rounding keeps the order, so its error matters only if it
 * equals r. */
#define ROUND_FNS(T, W, name, bits_of, of_bits, SIGN)                                             \
	static int sign_sum_##name(W x, W y, T r)                                                 \
	{                                                                                         \
		W s = x + y, t = s - x, low = (x - (s - t)) + (y - t);                            \
		return s > r ? 1 : s < r ? -1 : low > 0 ? 1 : low < 0 ? -1 : 0;                   \
	}                                                                                         \
	static T directed_##name(T r, uint16_t op, uint8_t rnd, T a, T b, T c)                    \
	{                                                                                         \
		W x = a, y = b, e;                                                                \
		int s;                                                                            \
		if (isnan(r))                                                                     \
			return r;                                                                 \
		switch (op) {                                                                     \
		case PTX_add:                                                                     \
		case PTX_sub:                                                                     \
			y = op == PTX_sub ? -y : y;                                               \
			goto sum;                                                                 \
		case PTX_fma:                                                                     \
		case PTX_mad:                                                                     \
			x = x * y;                                                                \
			y = c;                                                                    \
		sum:                                                                              \
			if (x == -y && !isinf(a) && !(x == 0 && signbit(x) == signbit(y)))        \
				return rnd == RND_RM ? -(T)0 : (T)0; /* exactly 0 */              \
			s = sign_sum_##name(x, y, r);                                             \
			break;                                                                    \
		case PTX_mul:                                                                     \
			e = x * y;                                                                \
			s = (e > r) - (e < r);                                                    \
			break;                                                                    \
		case PTX_rcp:                                                                     \
			y = x;                                                                    \
			x = 1;                                                                    \
			/* fallthrough */                                                         \
		case PTX_div: /* q = x/y against r as x against r * y */                          \
			if (y == 0 || isinf(x))                                                   \
				return r;                                                         \
			e = (W)r * y;                                                             \
			s = isinf(r) ? (r > 0 ? -1 : 1) : ((x > e) - (x < e)) * (y < 0 ? -1 : 1); \
			if (isinf(y))                                                             \
				s = 0;                                                            \
			break;                                                                    \
		default: /* sqrt */                                                               \
			e = (W)r * r;                                                             \
			s = isinf(r) ? 0 : (x > e) - (x < e);                                     \
		}                                                                                 \
		return of_bits(step_to_neighbour(bits_of(r), SIGN, s, rnd));                      \
	}

static inline float
of_bits_f32(uint64_t u)
{
	return bits_f32((uint32_t)u);
}

ROUND_FNS(float, double, f32, f32_bits, of_bits_f32, 0x80000000u)

/* Rounds a sum or product of f32 by rnd. exact: the exact result, or one rounded to odd, which is
 * on the same side of every f32; the nearest f32 is a neighbour. cancels: a sum whose terms differ
 * in sign. It has no branch, so it vectorizes. */
static inline float
f32_directed(double exact, bool cancels, uint8_t rnd)
{
	float r = (float)exact;
	double back = r;
	uint32_t u = f32_bits(r), neg = u >> 31, up = back<exact, down = back> exact, to;

	up &= (uint32_t)(rnd == RND_RP) | ((uint32_t)(rnd == RND_RZ) & neg);
	down &= (uint32_t)(rnd == RND_RM) | ((uint32_t)(rnd == RND_RZ) & (neg ^ 1));
	/* one step of the bits away from 0 or towards it; from 0 itself across it */
	to = u + (up & (neg ^ 1)) + (down & neg) - (up & neg) - (down & (neg ^ 1));
	to = (((u << 1) == 0) & (up | down)) ? down << 31 | 1 : to;
	to = (cancels & (exact == 0) & (rnd == RND_RM)) ? 0x80000000u : to;
	return bits_f32(to);
}

/* Whether the terms of a sum differ in sign, so that they may cancel. */
static inline bool
signs_differ(double x, double y)
{
	return (f64_bits(x) ^ f64_bits(y)) >> 63;
}
ROUND_FNS(double, wide_t, f64, f64_bits, bits_f64, 0x8000000000000000ull)

/* ---- fused ---- */

float
alu_soft_fmaf(float a, float b, float c)
{
	return (float)alu_add_odd((double)a * b, c);
}

/* ---- the loops ---- */

/* expr is the nearest result of a, b, c. The first two loops are the common cases. */
#define F32_LOOP(expr, ftz, sat)                                                \
	ALU_APART ALU_LOOP(l)                                                   \
	{                                                                       \
		const float a = f32_read(pa[l], ftz), b = f32_read(pb[l], ftz), \
			    c = f32_read(pc[l], ftz);                           \
		(void)b;                                                        \
		(void)c;                                                        \
		to[l] = f32_finish(expr, ftz, sat);                             \
	}

/* directed: the result with another rounding. */
#define F32_BODY(expr, directed)                                                \
	{                                                                       \
		ALU_SRC(uint32_t, pa, 0);                                       \
		ALU_SRC(uint32_t, pb, in->n_src > 1);                           \
		ALU_SRC(uint32_t, pc, in->n_src > 2 ? 2 : 0);                   \
		uint32_t r[WARP_SIZE], *to = alu_to_32(w, in->dst[0], r, mask); \
		bool ftz = in->flags & PF_FTZ, sat = in->flags & PF_SAT;        \
		if (in->rnd > RND_RN)                                           \
			F32_LOOP(directed, ftz, sat)                            \
		else if (!ftz && !sat)                                          \
			F32_LOOP(expr, false, false)                            \
		else if (!sat)                                                  \
			F32_LOOP(expr, true, false)                             \
		else                                                            \
			F32_LOOP(expr, ftz, true)                               \
		return alu_done_32(w, in->dst[0], to, r, mask);                 \
	}

#define F64_LOOP(result)                                                                    \
	ALU_APART ALU_LOOP(l)                                                               \
	{                                                                                   \
		const double a = bits_f64(pa[l]), b = bits_f64(pb[l]), c = bits_f64(pc[l]); \
		(void)b;                                                                    \
		(void)c;                                                                    \
		to[l] = f64_canon(f64_bits(result));                                        \
	}

#define F64_BODY(expr)                                                          \
	{                                                                       \
		ALU_SRC(uint64_t, pa, 0);                                       \
		ALU_SRC(uint64_t, pb, in->n_src > 1);                           \
		ALU_SRC(uint64_t, pc, in->n_src > 2 ? 2 : 0);                   \
		uint64_t r[WARP_SIZE], *to = alu_to_64(w, in->dst[0], r, mask); \
		if (in->rnd > RND_RN)                                           \
			F64_LOOP(directed_f64(expr, in->op, in->rnd, a, b, c))  \
		else                                                            \
			F64_LOOP(expr)                                          \
		return alu_done_64(w, in->dst[0], to, r, mask);                 \
	}

#define SUM(x, y) f32_directed(alu_add_odd(x, y), signs_differ(x, y), in->rnd)
#define DIRECTED(expr) directed_f32(expr, in->op, in->rnd, a, b, c)

#define F32_FN(name, expr, directed) ALU_FN(name) F32_BODY(expr, directed)
#define F64_FN(name, expr) ALU_FN(name) F64_BODY(expr)
#define FUSED32(attr, name, expr) \
	attr int name(ALU_ARGS) F32_BODY(expr, SUM((double)a *b, (double)c))
#define FUSED64(attr, name, expr) attr int name(ALU_ARGS) F64_BODY(expr)

F32_FN(fadd_f32, a + b, SUM((double)a, (double)b))
F32_FN(fsub_f32, a - b, SUM((double)a, -(double)b))
F32_FN(fmul_f32, a *b, f32_directed((double)a *b, false, in->rnd))
F32_FN(fdiv_f32, a / b, DIRECTED(a / b))
F32_FN(frcp_f32, 1.0f / a, DIRECTED(1.0f / a))
F32_FN(fsqrt_f32, sqrtf(a), DIRECTED(sqrtf(a)))
F64_FN(fadd_f64, a + b)
F64_FN(fsub_f64, a - b)
F64_FN(fmul_f64, a *b)
F64_FN(fdiv_f64, a / b)
F64_FN(frcp_f64, 1.0 / a)
F64_FN(fsqrt_f64, sqrt(a))

#define ANY	      /* no attribute */
#ifdef __FP_FAST_FMAF /* every processor that this is compiled for has a fused multiply-add */
FUSED32(ANY, alu_ffma_f32, __builtin_fmaf(a, b, c))
#else
FUSED32(ANY, alu_ffma_f32, alu_soft_fmaf(a, b, c))
#endif
FUSED64(ANY, alu_ffma_f64, fma(a, b, c))
#ifdef __x86_64__
FUSED32(ALU_WIDE, alu_wide_ffma_f32, __builtin_fmaf(a, b, c))
FUSED64(ALU_WIDE, alu_wide_ffma_f64, __builtin_fma(a, b, c))
#endif

bool
alu_is_wide(void)
{
#ifdef __x86_64__
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
	return false;
#endif
}
