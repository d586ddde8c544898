/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_half.c - executes add sub mul fma abs neg min max ex2 tanh of f16, bf16 and their pairs
 * f16x2, bf16x2.
 *
 * Sums and products are computed in f32, which has more than twice the digits of either format plus
 * two, so that rounding twice gives the same result as rounding once. fma has an exact product (in
 * f32, for bf16 in double) and a sum rounded to odd (alu_approx.h), which keeps the second rounding
 * correct. Rounding is to nearest, the only one of PTX for these types.
 */
#include "record/ptx/alu/alu.h"
#include "record/ptx/alu/alu_approx.h"

/* Lets the compiler see through the pointers of half_ops. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* The functions of a format: widening, narrowing, a * b + c rounded once; and its exponent bits. */
struct half_ops {
	float (*widen)(uint16_t h);
	uint16_t (*narrow)(float f);
	uint16_t (*fma)(float a, float b, float c);
	uint16_t exp;
};

static ALWAYS_INLINE float
widen_f16(uint16_t h)
{
	return half_to_float(h);
}

static ALWAYS_INLINE float
widen_bf16(uint16_t h)
{
	return bf16_to_float(h);
}

static ALWAYS_INLINE uint16_t
narrow_f16(float f)
{
	return float_to_half_rn(f);
}

static ALWAYS_INLINE uint16_t
narrow_bf16(float f)
{
	return float_to_bf16_rn(f);
}

/* The product of two f16 values is exact in f32. */
static ALWAYS_INLINE uint16_t
fma_f16(float a, float b, float c)
{
	float x = a * b, s = x + c, t = s - x, low = (x - (s - t)) + (c - t);
	uint32_t u = f32_bits(s);
	uint32_t even = ~u & 1 & ((uint32_t)(low > 0.0f) | (uint32_t)(low < 0.0f));
	uint32_t away = (f32_bits(low) ^ u) >> 31; /* as in alu_add_odd */

	return float_to_half_rn(bits_f32(u + even - (away & even) * 2));
}

static ALWAYS_INLINE uint16_t
fma_bf16(float a, float b, float c)
{
	double d = alu_add_odd((double)a * (double)b, (double)c);
	float f = (float)d;
	uint32_t u = f32_bits(f);
	bool exact = (double)f == d, over = d < 0.0 ? (double)f < d : (double)f > d;

	/* Rounds to odd again. */
	return float_to_bf16_rn(bits_f32(exact ? u : (u - over) | 1));
}

static const struct half_ops ops_f16 = {widen_f16, narrow_f16, fma_f16, 0x7c00};
static const struct half_ops ops_bf16 = {widen_bf16, narrow_bf16, fma_bf16, 0x7f80};

#define HALF_NAN 0x7fffu /* the NaN of both formats */

static inline bool
half_is_nan(uint16_t h, const struct half_ops *o)
{
	return (h & 0x7fff) > o->exp;
}

static uint16_t
half_flush(uint16_t h, const struct half_ops *o)
{
	return h & o->exp ? h : h & 0x8000;
}

/* Applies .sat or .relu, then .ftz, to a result. */
static ALWAYS_INLINE uint16_t
half_finish(uint16_t h, const struct half_ops *o, const struct prog_inst *in)
{
	if (in->flags & PF_SAT) {
		float f = o->widen(h);

		/* A NaN becomes 0. */
		h = o->narrow(f > 0.0f ? f < 1.0f ? f : 1.0f : 0.0f);
	} else if (in->sub && h & 0x8000 && !half_is_nan(h, o)) { /* .relu keeps a NaN */
		h = 0;
	}
	return in->flags & PF_FTZ ? half_flush(h, o) : h;
}

/* ---- one value ---- */

#define HALF_OP(name)                                                            \
	static ALWAYS_INLINE uint16_t name(uint16_t a, uint16_t b, uint16_t c,   \
					   const struct half_ops *o ATTR_UNUSED, \
					   const struct prog_inst *in ATTR_UNUSED)

HALF_OP(hadd)
{
	(void)c;
	return half_finish(o->narrow(o->widen(a) + o->widen(b)), o, in);
}

HALF_OP(hsub)
{
	(void)c;
	return half_finish(o->narrow(o->widen(a) - o->widen(b)), o, in);
}

HALF_OP(hmul)
{
	(void)c;
	return half_finish(o->narrow(o->widen(a) * o->widen(b)), o, in);
}

HALF_OP(hfma)
{
	return half_finish(o->fma(o->widen(a), o->widen(b), o->widen(c)), o, in);
}

HALF_OP(habs)
{
	(void)b;
	(void)c;
	return a & 0x7fff;
}

HALF_OP(hneg)
{
	(void)b;
	(void)c;
	return a ^ 0x8000;
}

static inline int
half_key(uint16_t h)
{
	return h & 0x8000 ? -1 - (h & 0x7fff) : h;
}

static uint16_t
half_pick(uint16_t a, uint16_t b, bool big, const struct half_ops *o, const struct prog_inst *in)
{
	bool nan = in->flags & PF_NAN, xorsign = in->flags & PF_XORSIGN;
	uint16_t sign = (a ^ b) & 0x8000, r;

	if (half_is_nan(a, o) || half_is_nan(b, o)) {
		if (nan || (half_is_nan(a, o) && half_is_nan(b, o)))
			return HALF_NAN;
		r = half_is_nan(a, o) ? b : a;
		return xorsign ? (r & 0x7fff) | sign : r;
	}
	if (xorsign) {
		a &= 0x7fff;
		b &= 0x7fff;
	}
	r = (half_key(a) < half_key(b)) != big ? a : b;
	return xorsign ? r | sign : r;
}

HALF_OP(hmin)
{
	(void)c;
	return half_pick(a, b, false, o, in);
}

HALF_OP(hmax)
{
	(void)c;
	return half_pick(a, b, true, o, in);
}

HALF_OP(hex2)
{
	(void)b;
	(void)c;
	return half_finish(o->narrow((float)alu_exp2((double)o->widen(a))), o, in);
}

HALF_OP(htanh)
{
	(void)b;
	(void)c;
	return half_finish(o->narrow((float)alu_tanh((double)o->widen(a))), o, in);
}

/* ---- the lanes ---- */

typedef uint16_t half_fn(uint16_t a, uint16_t b, uint16_t c, const struct half_ops *o,
			 const struct prog_inst *in);

/* Computes one half of each lane. */
static ALWAYS_INLINE void
half_compute_row(const struct prog_inst *in, const uint16_t *a, const uint16_t *b,
		 const uint16_t *c, uint16_t *r, half_fn *fn, const struct half_ops *o)
{
	bool ftz = in->flags & PF_FTZ;

	ALU_LOOP(l)
	{
		uint16_t x = a[l], y = b[l], z = c[l];

		if (ftz) {
			x = half_flush(x, o);
			y = half_flush(y, o);
			z = half_flush(z, o);
		}
		r[l] = fn(x, y, z, o, in);
	}
}

/* Computes the halves at bit i; they are first copied into a separate row, so that the loop
 * vectorizes. */
static ALWAYS_INLINE void
half_compute_part(const struct prog_inst *in, const struct warp *w, uint32_t *r, half_fn *fn,
		  const struct half_ops *o, unsigned i)
{
	static const struct prog_inst plain; /* without options: a loop without branches */
	ALU_SRC(uint32_t, a, 0);
	ALU_SRC(uint32_t, b, in->n_src > 1);
	ALU_SRC(uint32_t, c, in->n_src > 2 ? 2 : 0);
	uint16_t x[WARP_SIZE], y[WARP_SIZE], z[WARP_SIZE], h[WARP_SIZE];

	ALU_LOOP(l)
	{
		x[l] = (uint16_t)(a[l] >> i);
		y[l] = (uint16_t)(b[l] >> i);
		z[l] = (uint16_t)(c[l] >> i);
	}
	if (likely(!(in->flags & (PF_FTZ | PF_SAT | PF_NAN | PF_XORSIGN)) && !in->sub))
		half_compute_row(&plain, x, y, z, h, fn, o);
	else
		half_compute_row(in, x, y, z, h, fn, o);
	ALU_LOOP(l)
	{
		r[l] |= (uint32_t)h[l] << i;
	}
}

static ALWAYS_INLINE int
half_compute_lanes(const struct prog_inst *in, struct warp *w, uint32_t mask, half_fn *fn,
		   const struct half_ops *o, unsigned n)
{
	uint32_t r[WARP_SIZE] = {0};

	half_compute_part(in, w, r, fn, o, 0);
	if (n == 2)
		half_compute_part(in, w, r, fn, o, 16);
	return alu_put_32(w, in->dst[0], r, mask);
}

#define HALF(name)                                                          \
	ALU_FN(name##_f16)                                                  \
	{                                                                   \
		return half_compute_lanes(in, w, mask, name, &ops_f16, 1);  \
	}                                                                   \
	ALU_FN(name##_f16x2)                                                \
	{                                                                   \
		return half_compute_lanes(in, w, mask, name, &ops_f16, 2);  \
	}                                                                   \
	ALU_FN(name##_bf16)                                                 \
	{                                                                   \
		return half_compute_lanes(in, w, mask, name, &ops_bf16, 1); \
	}                                                                   \
	ALU_FN(name##_bf16x2)                                               \
	{                                                                   \
		return half_compute_lanes(in, w, mask, name, &ops_bf16, 2); \
	}
#define FLOAT(name)
#define APPROX(name)
#define FN(name)
#include "record/ptx/alu/alu_float.def"
