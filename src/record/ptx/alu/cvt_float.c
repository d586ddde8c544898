/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt_float.c - executes cvt between floats. The general way goes through a double, which holds
 * every value of every type exactly, so that there is only one rounding, at the end. The common
 * pairs have their own loops. .ftz flushes only f32 operands and results, as PTX specifies.
 */
#include "record/ptx/alu/cvt.h"
#include <math.h>

double
cvt_to_double(enum ptx_type t, uint64_t bits, bool ftz)
{
	switch (t) {
	case TY_F16:
		return (double)half_to_float((uint16_t)bits);
	case TY_BF16:
		return (double)bf16_to_float((uint16_t)bits);
	case TY_F32:
		return (double)f32_read((uint32_t)bits, ftz);
	default:
		return bits_f64(bits);
	}
}

double
cvt_round(double x, enum prog_round rnd)
{
	switch (rnd) {
	case RND_RNI:
		return rint(x);
	case RND_RZI:
		return trunc(x);
	case RND_RMI:
		return floor(x);
	case RND_RPI:
		return ceil(x);
	default:
		return x;
	}
}

/* Returns x as a float of type t; a NaN becomes canonical, except for f64. */
static uint64_t
from_double(enum ptx_type t, double x, enum prog_round rnd, bool ftz)
{
	uint32_t u;

	switch (t) {
	case TY_F16:
		return fp_from_double(&fp_f16, x, rnd);
	case TY_BF16:
		return fp_from_double(&fp_bf16, x, rnd);
	case TY_F32:
		u = (uint32_t)fp_from_double(&fp_f32, x, rnd);
		return ftz ? f32_flush(u) : u;
	default:
		return f64_bits(x);
	}
}

static uint64_t
convert_value(const struct prog_inst *in, enum ptx_type to, uint64_t bits)
{
	bool ftz = in->flags & PF_FTZ;
	double x = cvt_to_double((enum ptx_type)in->type2, bits, ftz);

	x = cvt_round(x, (enum prog_round)in->rnd);
	if (in->flags & PF_SAT) {
		x = x > 0.0 ? x : 0.0; /* a NaN becomes 0, too */
		x = x < 1.0 ? x : 1.0;
	}
	if (in->sub2 & CVT_RELU)
		x = x < 0.0 || x == 0.0 ? 0.0 : x; /* -0 becomes 0, a NaN stays */
	bits = from_double(to, x, (enum prog_round)in->rnd, ftz);
	if (in->sub2 & CVT_FINITE && (bits & 0x7fff) == (to == TY_F16 ? 0x7c00 : 0x7f80))
		bits--; /* infinity becomes the largest number */
	return bits;
}

int
cvt_float(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint64_t r[WARP_SIZE];

	for (uint32_t l = 0; l < WARP_SIZE; l++)
		r[l] = convert_value(in, (enum ptx_type)in->type, cvt_read(w, in->src[0], l));
	return cvt_put(w, in->dst[0], r, mask);
}

/* Converts two values into one register: the first is the upper half. */
int
cvt_float_x2(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	enum ptx_type to = in->type == TY_F16X2 ? TY_F16 : TY_BF16;
	uint64_t r[WARP_SIZE];

	for (uint32_t l = 0; l < WARP_SIZE; l++)
		r[l] = convert_value(in, to, cvt_read(w, in->src[0], l)) << 16 |
		       convert_value(in, to, cvt_read(w, in->src[1], l));
	return cvt_put(w, in->dst[0], r, mask);
}

/* ---- the common pairs ---- */

int
cvt_f32_f64(const struct prog_inst *in, struct warp *w, uint32_t mask) /* to f64 */
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint64_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = f64_bits((double)bits_f32(a[l]));
	}
	return alu_put_64(w, in->dst[0], r, mask);
}

int
cvt_f64_f32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint64_t *a = vec64(w, in->src[0]);
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = f32_canon(f32_bits((float)bits_f64(a[l])));
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_f16_f32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = f32_bits(half_to_float((uint16_t)a[l]));
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_f32_f16(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = float_to_half_rn(bits_f32(a[l]));
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

/* Applies .sat and .ftz to an f32, and makes NaNs canonical. */
int
cvt_f32_f32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	const bool ftz = in->flags & PF_FTZ, sat = in->flags & PF_SAT;
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = f32_finish(f32_read(a[l], ftz), ftz, sat);
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

/* From 2^23 on all numbers are integers. Below, conversion to int32 truncates, and adding and
 * subtracting 2^23 rounds to the nearest. The sign stays, also that of a zero. */
void
cvt_round_f32(const struct prog_inst *in, const uint32_t *a, uint32_t *r)
{
	const float big = 0x1p23f;
	const float down = in->rnd == RND_RMI ? 1.0f : 0.0f, up = in->rnd == RND_RPI ? 1.0f : 0.0f;
	const bool nearest = in->rnd == RND_RNI, ftz = in->flags & PF_FTZ;

	ALU_LOOP(l)
	{
		uint32_t x = ftz ? f32_flush(a[l]) : a[l], sign = x & 0x80000000u;
		float m = bits_f32(x & 0x7fffffffu), t;
		bool small = m < big;
		float y = small ? bits_f32(x) : 0.0f, ym = small ? m : 0.0f;

		t = (float)(int32_t)y;
		t = t - (t > y ? down : 0.0f) + (t < y ? up : 0.0f);
		t = nearest ? (ym + big) - big : t;
		r[l] = small ? (f32_bits(t) & 0x7fffffffu) | sign : f32_canon(x);
	}
}

int
cvt_f32_round(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t r[WARP_SIZE];

	cvt_round_f32(in, vec32(w, in->src[0]), r);
	return alu_put_32(w, in->dst[0], r, mask);
}

/* Converts f32 to tf32, which keeps 10 bits of the fraction; .relu and .satfinite are as for the
 * 16-bit floats. */
int
cvt_tf32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *from = vec32(w, in->src[0]);
	uint32_t *to = in->dst[0].bytes == OPND_NONE ? NULL : vec(w, in->dst[0]);

	for (uint32_t l = 0; to && l < WARP_SIZE; l++) {
		uint32_t x = from[l], r = x;

		if (!(mask >> l & 1))
			continue;
		if ((x & 0x7fffffffu) > 0x7f800000u) {
			to[l] = F32_NAN;
			continue;
		}
		if (in->rnd == RND_RNA)
			r = x + 0x1000u;
		else if (in->rnd == RND_RN)
			r = x + 0xfffu + (x >> 13 & 1);
		r &= 0xffffe000u;
		if ((x & 0x7fffffffu) == 0x7f800000u)
			r = x;
		if ((in->sub2 & CVT_FINITE) && (r & 0x7fffffffu) >= 0x7f800000u)
			r = (r & 0x80000000u) | 0x7f7fe000u;
		to[l] = (in->sub2 & CVT_RELU) && r >> 31 ? 0 : r;
	}
	return EXEC_NEXT;
}
