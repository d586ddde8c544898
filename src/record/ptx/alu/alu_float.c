/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_float.c - f32 and f64: add sub mul fma div rcp sqrt with every rounding.
 *
 * Nearest is what the host computes (IEEE 754, correctly rounded, no contraction: each lane's
 * expression is one operation). The other roundings do not touch the host's rounding mode, which
 * compilers move code across and valgrind does not know: the nearest result is a neighbour of the
 * exact one, and the sign of (exact - nearest), found in a format of twice the digits, says whether
 * to step.
 *
 * The fused multiply-add is the processor's where it has one (alu_best). Elsewhere f32 goes through
 * double: the product is exact there, the sum is rounded to odd, and a number rounded to odd with
 * so many digits more rounds to f32 as the exact one does (Boldo, Melquiond 2008).
 *
 * NaN: every NaN computed is the canonical one, whatever the operands' were, so that results do not
 * depend on the order in which a compiler puts operands. Left out: the three-operand min and max.
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

/* r is the nearest number to an exact result; s: the sign of the exact one less r. */
static uint64_t
step(uint64_t bits, uint64_t sign, int s, uint8_t rnd)
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

/* The sign of (exact - r) for each operation; T: the type, W: one whose products of T are exact. A
 * sum of W may be inexact; rounding keeps order, so its own error decides only where it is equal to
 * r. */
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
		return of_bits(step(bits_of(r), SIGN, s, rnd));                                   \
	}

static inline float
of_bits_f32(uint64_t u)
{
	return bits_f32((uint32_t)u);
}

ROUND_FNS(float, double, f32, f32_bits, of_bits_f32, 0x80000000u)
ROUND_FNS(double, wide_t, f64, f64_bits, bits_f64, 0x8000000000000000ull)

/* ---- fused ---- */

float
alu_soft_fmaf(float a, float b, float c)
{
	return (float)alu_add_odd((double)a * b, c);
}

/* ---- the loops ---- */

/* expr is the nearest result of a, b, c. The first two loops are the usual ones. */
#define F32_LOOP(expr, ftz, sat, round)                                         \
	ALU_LOOP(l)                                                             \
	{                                                                       \
		const float a = f32_read(pa[l], ftz), b = f32_read(pb[l], ftz), \
			    c = f32_read(pc[l], ftz);                           \
		(void)b;                                                        \
		(void)c;                                                        \
		r[l] = f32_finish(round(expr), ftz, sat);                       \
	}

#define F32_ROUND(x) directed_f32(x, in->op, in->rnd, a, b, c)

#define F32_FN(name, attr, expr)                                         \
	attr ALU_FN(name)                                                \
	{                                                                \
		ALU_SRC(uint32_t, pa, 0);                                \
		ALU_SRC(uint32_t, pb, in->n_src > 1);                    \
		ALU_SRC(uint32_t, pc, in->n_src > 2 ? 2 : 0);            \
		uint32_t r[WARP_SIZE];                                   \
		bool ftz = in->flags & PF_FTZ, sat = in->flags & PF_SAT; \
		if (in->rnd > RND_RN)                                    \
			F32_LOOP(expr, ftz, sat, F32_ROUND)              \
		else if (!ftz && !sat)                                   \
			F32_LOOP(expr, false, false, )                   \
		else if (!sat)                                           \
			F32_LOOP(expr, true, false, )                    \
		else                                                     \
			F32_LOOP(expr, ftz, true, )                      \
		return alu_put_32(w, in->dst[0], r, mask);               \
	}

#define F64_FN(name, attr, expr)                                               \
	attr ALU_FN(name)                                                      \
	{                                                                      \
		ALU_SRC(uint64_t, pa, 0);                                      \
		ALU_SRC(uint64_t, pb, in->n_src > 1);                          \
		ALU_SRC(uint64_t, pc, in->n_src > 2 ? 2 : 0);                  \
		uint64_t r[WARP_SIZE];                                         \
		ALU_LOOP(l)                                                    \
		{                                                              \
			const double a = bits_f64(pa[l]), b = bits_f64(pb[l]), \
				     c = bits_f64(pc[l]);                      \
			double x = expr;                                       \
			if (in->rnd > RND_RN)                                  \
				x = directed_f64(x, in->op, in->rnd, a, b, c); \
			r[l] = f64_canon(f64_bits(x));                         \
		}                                                              \
		return alu_put_64(w, in->dst[0], r, mask);                     \
	}

#define PLAIN /* no attribute */

F32_FN(fadd_f32, PLAIN, a + b)
F32_FN(fsub_f32, PLAIN, a - b)
F32_FN(fmul_f32, PLAIN, a *b)
F32_FN(ffma_f32, PLAIN, alu_soft_fmaf(a, b, c))
F32_FN(fdiv_f32, PLAIN, a / b)
F32_FN(frcp_f32, PLAIN, 1.0f / a)
F32_FN(fsqrt_f32, PLAIN, sqrtf(a))
F64_FN(fadd_f64, PLAIN, a + b)
F64_FN(fsub_f64, PLAIN, a - b)
F64_FN(fmul_f64, PLAIN, a *b)
F64_FN(ffma_f64, PLAIN, fma(a, b, c))
F64_FN(fdiv_f64, PLAIN, a / b)
F64_FN(frcp_f64, PLAIN, 1.0 / a)
F64_FN(fsqrt_f64, PLAIN, sqrt(a))

#ifdef __x86_64__
#define FUSES __attribute__((target("avx2,fma")))
static exec_fn alu_ffma_f32_hw, alu_ffma_f64_hw;
static F32_FN(ffma_f32_hw, FUSES, __builtin_fmaf(a, b, c)) static F64_FN(ffma_f64_hw, FUSES,
									 __builtin_fma(a, b, c))
#endif

	exec_fn *alu_best(exec_fn *fn)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
		if (fn == alu_ffma_f32)
			return alu_ffma_f32_hw;
		if (fn == alu_ffma_f64)
			return alu_ffma_f64_hw;
	}
#endif
	return fn;
}
