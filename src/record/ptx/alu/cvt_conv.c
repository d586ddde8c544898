/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt_conv.c - executes cvt between integers, and between integers and floats.
 *
 * Integers are truncated to the narrower of both types, then extended to the destination register,
 * with their sign if the result's type is signed. A float is rounded to an integer in the direction
 * of the instruction. A value out of range becomes the nearest one in range. A NaN becomes 0, or
 * 2^(n - 1) if the source is f64 or the result has 64 bits (PTX ISA, cvt).
 */
#include "record/ptx/alu/cvt.h"

struct int_type {
	uint32_t bits;
	bool sign;
};

static struct int_type
int_type(uint32_t t)
{
	return (struct int_type){ptx_type_bytes((enum ptx_type)t) * 8,
				 ptx_is_signed((enum ptx_type)t)};
}

static uint64_t
low_bits(uint32_t n)
{
	return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
}

/* Returns the low bits of x as a 64-bit number. */
static inline uint64_t
extend_bits(uint64_t x, struct int_type t)
{
	uint32_t k = 64 - t.bits;

	return t.sign ? (uint64_t)((int64_t)(x << k) >> k) : x << k >> k;
}

/* Returns result x of the instruction's type as the destination register holds it. */
static inline uint64_t
extend_result(const struct prog_inst *in, uint64_t x)
{
	return extend_bits(x, int_type(in->type)) & low_bits(in->sub);
}

/* ---- integer to integer ---- */

int
cvt_int_32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct int_type from = int_type(in->type2), to = int_type(in->type);
	const uint32_t *a = vec32(w, in->src[0]), k1 = 32 - from.bits, k2 = 32 - to.bits;
	const uint32_t reg = (uint32_t)low_bits(in->sub);
	uint32_t r[WARP_SIZE];

	if (from.sign) {
		ALU_LOOP(l)
		{
			r[l] = (uint32_t)((int32_t)(a[l] << k1) >> k1);
		}
	} else {
		ALU_LOOP(l)
		{
			r[l] = a[l] << k1 >> k1;
		}
	}
	if (to.sign) {
		ALU_LOOP(l)
		{
			r[l] = (uint32_t)((int32_t)(r[l] << k2) >> k2) & reg;
		}
	} else {
		ALU_LOOP(l)
		{
			r[l] = (r[l] << k2 >> k2) & reg;
		}
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_int_64(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint64_t r[WARP_SIZE];

	for (uint32_t l = 0; l < WARP_SIZE; l++)
		r[l] = extend_result(in,
				     extend_bits(cvt_read(w, in->src[0], l), int_type(in->type2)));
	return cvt_put(w, in->dst[0], r, mask);
}

int
cvt_int_sat(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct int_type from = int_type(in->type2), to = int_type(in->type);
	const uint64_t max = low_bits(to.bits - to.sign), min = to.sign ? ~max : 0;
	uint64_t r[WARP_SIZE];

	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		uint64_t x = extend_bits(cvt_read(w, in->src[0], l), from);
		bool negative = from.sign && (int64_t)x < 0;

		if (negative && (!to.sign || (int64_t)x < (int64_t)min))
			x = min;
		else if (!negative && x > max)
			x = max;
		r[l] = extend_result(in, x);
	}
	return cvt_put(w, in->dst[0], r, mask);
}

int
cvt_u32_u64(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint64_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = a[l];
	}
	return alu_put_64(w, in->dst[0], r, mask);
}

int
cvt_s32_s64(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint64_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = (uint64_t)(int64_t)(int32_t)a[l];
	}
	return alu_put_64(w, in->dst[0], r, mask);
}

int
cvt_64_32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return cvt_mov_64_32(in, w, mask);
}

/* For cvt.pack.sat: a and b are clamped to 16 or 8 bits; a is above b, and the low half of c is
 * above them. */
int
cvt_int_pack(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct int_type to = int_type(in->type);
	const int64_t max = (int64_t)low_bits(to.bits - to.sign), min = to.sign ? -max - 1 : 0;
	const uint32_t *src[2] = {vec32(w, in->src[0]), vec32(w, in->src[1])};
	uint32_t r[WARP_SIZE];

	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		uint32_t part[2];

		for (uint32_t k = 0; k < 2; k++) {
			int64_t x = (int32_t)src[k][l];

			x = x > max ? max : x < min ? min : x;
			part[k] = (uint32_t)((uint64_t)x & low_bits(to.bits));
		}
		r[l] = part[0] << to.bits | part[1];
		if (in->n_src > 2)
			r[l] |= vec32(w, in->src[2])[l] << 16;
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

/* ---- integer to float ---- */

int
cvt_int_float(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct fp_format *f = in->type == TY_F16	  ? &fp_f16
				    : in->type == TY_BF16 ? &fp_bf16
				    : in->type == TY_F32  ? &fp_f32
							  : &fp_f64;
	const struct int_type from = int_type(in->type2);
	uint64_t r[WARP_SIZE];

	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		uint64_t x = extend_bits(cvt_read(w, in->src[0], l), from);
		bool negative = from.sign && (int64_t)x < 0;

		if (in->flags & PF_SAT) { /* clamp to 0 .. 1 */
			x = negative ? 0 : MIN(x, 1u);
			negative = false;
		}
		r[l] = fp_encode(f, negative, negative ? 0 - x : x, 0, (enum prog_round)in->rnd);
	}
	return cvt_put(w, in->dst[0], r, mask);
}

/* Rounds to nearest, as the processor does. */
#define INT_FLOAT(type, tname, ftype, fbits, bits)                                            \
	int cvt_##tname##_f##fbits(const struct prog_inst *in, struct warp *w, uint32_t mask) \
	{                                                                                     \
		const uint##bits##_t *a = vec##bits(w, in->src[0]);                           \
		uint##fbits##_t r[WARP_SIZE];                                                 \
		ALU_LOOP(l)                                                                   \
		{                                                                             \
			r[l] = f##fbits##_bits((ftype)(type)a[l]);                            \
		}                                                                             \
		return alu_put_##fbits(w, in->dst[0], r, mask);                               \
	}

#define INT_FLOATS(type, tname, bits)           \
	INT_FLOAT(type, tname, float, 32, bits) \
	INT_FLOAT(type, tname, double, 64, bits)

INT_FLOATS(uint8_t, u8, 32)
INT_FLOATS(int8_t, s8, 32)
INT_FLOATS(uint16_t, u16, 32)
INT_FLOATS(int16_t, s16, 32)
INT_FLOATS(uint32_t, u32, 32)
INT_FLOATS(int32_t, s32, 32)
INT_FLOATS(uint64_t, u64, 64)
INT_FLOATS(int64_t, s64, 64)

/* ---- float to integer ---- */

static uint64_t
to_int(double x, const struct int_type to, uint64_t nan)
{
	const uint64_t max = low_bits(to.bits - to.sign), min = to.sign ? ~max : 0;
	/* 2^bits or 2^(bits - 1), the first number that is too large; its negative is the smallest
	 * number of a signed type. */
	const double end = to.sign ? (double)((uint64_t)1 << (to.bits - 1))
				   : 2.0 * (double)((uint64_t)1 << (to.bits - 1));

	if (x != x)
		return nan;
	if (x >= end)
		return max;
	if (x < 0)
		return !to.sign || x < -end ? min : (uint64_t)(int64_t)x;
	return (uint64_t)x;
}

int
cvt_float_int(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct int_type to = int_type(in->type);
	const bool ftz = in->flags & PF_FTZ;
	uint64_t r[WARP_SIZE], nan = 0;

	if (in->type2 == TY_F64 || to.bits == 64)
		nan = (uint64_t)1 << (to.bits - 1);
	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		double x = cvt_to_double((enum ptx_type)in->type2, cvt_read(w, in->src[0], l), ftz);

		r[l] = extend_result(in, to_int(cvt_round(x, (enum prog_round)in->rnd), to, nan));
	}
	return cvt_put(w, in->dst[0], r, mask);
}

/* Rounds the operand as the instruction requires. Rounding towards zero is left to the
 * conversion. */
static const uint32_t *
round_operand(const struct prog_inst *in, const struct warp *w, uint32_t *r)
{
	const uint32_t *a = vec32(w, in->src[0]);

	if (in->rnd == RND_RZI)
		return a; /* .ftz is not needed either: subnormals become 0 */
	cvt_round_f32(in, a, r);
	return r;
}

int
cvt_f32_s32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t r[WARP_SIZE], whole[WARP_SIZE];
	const uint32_t *a = round_operand(in, w, whole);

	ALU_LOOP(l)
	{
		float x = bits_f32(a[l]);
		bool fits = x >= -0x1p31f && x < 0x1p31f;
		uint32_t y = (uint32_t)(int32_t)(fits ? x : 0.0f);

		y = x >= 0x1p31f ? 0x7fffffffu : y;
		r[l] = x < -0x1p31f ? 0x80000000u : y;
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_f32_u32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t r[WARP_SIZE], whole[WARP_SIZE];
	const uint32_t *a = round_operand(in, w, whole);

	ALU_LOOP(l)
	{
		float x = bits_f32(a[l]);
		/* Vectors of floats are converted only to signed integers, so both halves are
		 * computed. */
		float lo = x >= 0.0f && x < 0x1p31f ? x : 0.0f;
		float hi = x >= 0x1p31f && x < 0x1p32f ? x : 0x1p31f;
		uint32_t y = (uint32_t)(int32_t)lo;

		y = x >= 0x1p31f ? (uint32_t)(int32_t)(hi - 0x1p31f) + 0x80000000u : y;
		r[l] = x >= 0x1p32f ? UINT32_MAX : y;
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_f64_s32(const struct prog_inst *in, struct warp *w, uint32_t mask) /* towards zero */
{
	const uint64_t *a = vec64(w, in->src[0]);
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		double x = bits_f64(a[l]);
		bool fits = x > -0x1p31 - 1 && x < 0x1p31;
		/* A NaN becomes 2^31 too. */
		uint32_t y = (uint32_t)(int32_t)(fits ? x : -0x1p31);

		r[l] = x >= 0x1p31 ? 0x7fffffffu : y;
	}
	return alu_put_32(w, in->dst[0], r, mask);
}
