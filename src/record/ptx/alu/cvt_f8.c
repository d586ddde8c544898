/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt_f8.c - converts to and from pairs of 8-bit floats: e4m3 (bias 7, no infinities, NaN 0x7f) and
 * e5m2 (the upper byte of an f16).
 *
 * Results are rounded to nearest, ties to even; a value that is too large becomes the largest
 * number, because these conversions always have .satfinite. A pair occupies a 16-bit register, with
 * the first operand in its upper half.
 */
#include "record/ptx/alu/cvt.h"

/* Rounds by adding a float whose last digit has the value of a subnormal's last digit. */
static inline uint32_t
encode_e4m3(uint32_t x)
{
	uint32_t a = x & 0x7fffffffu;
	uint32_t sub = f32_bits(bits_f32(a) + 0x1p14f) - 0x46800000u;
	uint32_t nor = ((a + 0x7ffffu + (a >> 20 & 1)) >> 20) - (120u << 3);
	uint32_t r = a < 0x3c800000u ? sub : nor;

	r = a >= 0x43e00000u || r > 0x7e ? 0x7e : r; /* 448 or more */
	return a > 0x7f800000u ? 0x7f : r | (x >> 24 & 0x80);
}

static inline uint32_t
encode_e5m2(uint32_t x)
{
	uint32_t a = x & 0x7fffffffu;
	uint32_t sub = f32_bits(bits_f32(a) + 0x1p7f) - 0x43000000u;
	uint32_t nor = ((a + 0xfffffu + (a >> 21 & 1)) >> 21) - (112u << 2);
	uint32_t r = a < 0x38800000u ? sub : nor;

	r = a >= 0x47600000u || r > 0x7b ? 0x7b : r; /* 57344 or more */
	return a > 0x7f800000u ? 0x7f : r | (x >> 24 & 0x80);
}

static uint32_t
encode_f8(const struct prog_inst *in, uint32_t x)
{
	if ((in->sub2 & CVT_RELU) && x >> 31 && (x & 0x7fffffffu) <= 0x7f800000u)
		x = 0;
	return in->sub == CVT_E4M3 ? encode_e4m3(x) : encode_e5m2(x);
}

int
cvt_f8_from(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	const uint32_t *b = in->n_src > 1 ? vec32(w, in->src[1]) : a;
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		uint32_t high = a[l], low = b[l];

		if (in->type2 == TY_F16X2) {
			low = f32_bits(half_to_float((uint16_t)high));
			high = f32_bits(half_to_float((uint16_t)(high >> 16)));
		}
		r[l] = encode_f8(in, high) << 8 | encode_f8(in, low);
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

/* Every such number is also an f16. */
static uint32_t
f8_to_half(const struct prog_inst *in, uint32_t x)
{
	uint32_t h = x << 8; /* e5m2 */

	if (in->sub == CVT_E4M3)
		h = float_to_half_rn(f8_e4m3_to_float(x));
	if ((h & 0x7fff) > 0x7c00)
		return F16_NAN;
	return (in->sub2 & CVT_RELU) && h >> 15 ? 0 : h;
}

int
cvt_f8_to(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = f8_to_half(in, a[l] >> 8 & 0xff) << 16 | f8_to_half(in, a[l] & 0xff);
	}
	return alu_put_32(w, in->dst[0], r, mask);
}
