/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_video.c - the scalar video instructions and vabsdiff4. A byte, half or word of each source is
 * extended according to its type; the operation is wide enough for every result; .sat clamps it to
 * the destination (or to the part that is written); then the result is combined with c or merged
 * into it.
 *
 * The SIMD instructions do this for each half (vadd2) or byte (vadd4) of the sources; .add sums the
 * results and adds c. Their selectors and masks are not supported.
 */
#include "record/ptx/alu/alu.h"

__extension__ typedef __int128 s128;

static int64_t
get_part(uint32_t x, uint8_t sel, bool sign)
{
	if (sel >= 5) {
		x >>= 16 * (sel - 5);
		return sign ? (int16_t)x : (uint16_t)x;
	}
	if (sel >= 1) {
		x >>= 8 * (sel - 1);
		return sign ? (int8_t)x : (uint8_t)x;
	}
	return sign ? (int64_t)(int32_t)x : (int64_t)x;
}

static unsigned
get_part_bits(uint8_t sel)
{
	return sel >= 5 ? 16 : sel >= 1 ? 8 : 32;
}

static int64_t
clamp_to_bits(int64_t x, unsigned bits, bool sign)
{
	int64_t lo = sign ? -((int64_t)1 << (bits - 1)) : 0;
	int64_t hi = ((int64_t)1 << (sign ? bits - 1 : bits)) - 1;

	return x < lo ? lo : x > hi ? hi : x;
}

static bool
compare_numbers(int64_t a, int64_t b, uint8_t cmp)
{
	switch (cmp) {
	case W_eq:
		return a == b;
	case W_ne:
		return a != b;
	case W_lt:
		return a < b;
	case W_le:
		return a <= b;
	case W_gt:
		return a > b;
	default:
		return a >= b;
	}
}

static int64_t
apply_operation(uint16_t op, int64_t a, int64_t b, uint8_t mode)
{
	switch (op) {
	case PTX_vadd:
		return a + b;
	case PTX_vsub:
		return a - b;
	case PTX_vabsdiff:
		return a < b ? b - a : a - b;
	case PTX_vmin:
		return MIN(a, b);
	case PTX_vmax:
		return MAX(a, b);
	case PTX_vset:
		return compare_numbers(a, b, mode);
	default:
		break;
	}
	b = mode == W_wrap ? b & 31 : MIN(b, 32); /* b is unsigned */
	return op == PTX_vshl ? (int64_t)((uint64_t)a << b) : a >> b;
}

static uint32_t
apply_second(uint8_t op, uint32_t x, uint32_t c, bool sign)
{
	bool less = sign ? (int32_t)x < (int32_t)c : x < c;

	switch (op) {
	case W_add:
		return x + c;
	case W_min:
		return less ? x : c;
	case W_max:
		return less ? c : x;
	default:
		return x;
	}
}

static uint32_t
merge_part(uint8_t sel, uint32_t x, uint32_t c)
{
	unsigned bits = get_part_bits(sel), shift = sel >= 5 ? 16 * (sel - 5u) : 8 * (sel - 1u);
	uint32_t m;

	if (!sel)
		return x;
	m = ((1u << bits) - 1) << shift;
	return (c & ~m) | (x << shift & m);
}

ALU_FN(video)
{
	ALU_SRC(uint32_t, a, 0);
	ALU_SRC(uint32_t, b, 1);
	ALU_SRC(uint32_t, c, in->n_src > 2 ? 2 : 0);
	bool a_signed = ptx_is_signed(in->type), b_signed = ptx_is_signed(in->type2);
	struct alu_video v;
	uint32_t r[WARP_SIZE];

	memcpy(&v, &in->imm, sizeof(v));
	ALU_LOOP(l)
	{
		int64_t x = apply_operation(in->op, get_part(a[l], v.a_sel, a_signed),
					    get_part(b[l], v.b_sel, b_signed), v.mode);

		if (in->flags & PF_SAT)
			x = clamp_to_bits(x, get_part_bits(v.d_sel), v.d_signed);
		r[l] = apply_second(v.second, (uint32_t)x, c[l], v.d_signed);
		r[l] = merge_part(v.d_sel, r[l], c[l]);
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

/* Computes a * b + c, with one of them negated (as ~x + 1) or with plus one, then shifts right and
 * clamps. */
ALU_FN(vmad)
{
	ALU_SRC(uint32_t, a, 0);
	ALU_SRC(uint32_t, b, 1);
	ALU_SRC(uint32_t, c, 2);
	bool a_signed = ptx_is_signed(in->type), b_signed = ptx_is_signed(in->type2);
	struct alu_video v;
	uint32_t r[WARP_SIZE];
	bool sign;

	memcpy(&v, &in->imm, sizeof(v));
	sign = a_signed || b_signed || v.negate & 3;
	ALU_LOOP(l)
	{
		s128 p =
			(s128)get_part(a[l], v.a_sel, a_signed) * get_part(b[l], v.b_sel, b_signed);
		s128 z = get_part(c[l], 0, sign);

		p = v.negate & 1 ? -p : p;
		z = v.negate & 2 ? -z : z;
		p = (p + z + (v.negate & 4 ? 1 : 0)) >> v.mode;
		if (in->flags & PF_SAT)
			p = clamp_to_bits(p > INT64_MAX	  ? INT64_MAX
					  : p < INT64_MIN ? INT64_MIN
							  : (int64_t)p,
					  32, sign);
		r[l] = (uint32_t)p;
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

/* Computes the absolute differences of four bytes; each replaces its byte, or (second: W_add) their
 * sum is added to c. */
ALU_FN(vabsdiff4)
{
	ALU_SRC(uint32_t, a, 0);
	ALU_SRC(uint32_t, b, 1);
	ALU_SRC(uint32_t, c, 2);
	bool a_signed = ptx_is_signed(in->type), b_signed = ptx_is_signed(in->type2);
	struct alu_video v;
	uint32_t r[WARP_SIZE];

	memcpy(&v, &in->imm, sizeof(v));
	ALU_LOOP(l)
	{
		r[l] = v.second == W_add ? c[l] : 0;
		for (uint8_t i = 0; i < 4; i++) {
			int64_t x = apply_operation(PTX_vabsdiff, get_part(a[l], i + 1, a_signed),
						    get_part(b[l], i + 1, b_signed), 0);

			if (in->flags & PF_SAT)
				x = clamp_to_bits(x, 8, v.d_signed);
			r[l] += v.second == W_add ? (uint32_t)x : ((uint32_t)x & 0xff) << 8 * i;
		}
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

/* Computes the scalar operation of a SIMD instruction. */
static int64_t
simd_operate(uint16_t op, int64_t a, int64_t b, uint8_t mode)
{
	switch (op) {
	case PTX_vadd2:
	case PTX_vadd4:
		return a + b;
	case PTX_vsub2:
	case PTX_vsub4:
		return a - b;
	case PTX_vavrg2:
	case PTX_vavrg4: /* halves are rounded away from zero if the sum is positive, as in CUDA */
		return a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1;
	case PTX_vmin2:
	case PTX_vmin4:
		return MIN(a, b);
	case PTX_vmax2:
	case PTX_vmax4:
		return MAX(a, b);
	case PTX_vabsdiff2:
		return a < b ? b - a : a - b;
	default:
		return compare_numbers(a, b, mode);
	}
}

static bool
has_halves(uint16_t op)
{
	return op == PTX_vadd2 || op == PTX_vsub2 || op == PTX_vavrg2 || op == PTX_vmin2 ||
	       op == PTX_vmax2 || op == PTX_vset2 || op == PTX_vabsdiff2;
}

ALU_FN(simd)
{
	ALU_SRC(uint32_t, a, 0);
	ALU_SRC(uint32_t, b, 1);
	ALU_SRC(uint32_t, c, 2);
	bool a_signed = ptx_is_signed(in->type), b_signed = ptx_is_signed(in->type2);
	uint8_t n = has_halves(in->op) ? 2 : 4, first = n == 2 ? 5 : 1;
	unsigned bits = 32 / n;
	struct alu_video v;
	uint32_t r[WARP_SIZE];

	memcpy(&v, &in->imm, sizeof(v));
	ALU_LOOP(l)
	{
		r[l] = v.second == W_add ? c[l] : 0;
		for (uint8_t i = 0; i < n; i++) {
			int64_t x = simd_operate(in->op, get_part(a[l], first + i, a_signed),
						 get_part(b[l], first + i, b_signed), v.mode);

			if (in->flags & PF_SAT)
				x = clamp_to_bits(x, bits, v.d_signed);
			r[l] += v.second == W_add ? (uint32_t)x
						  : ((uint32_t)x & ((1u << bits) - 1)) << bits * i;
		}
	}
	return alu_put_32(w, in->dst[0], r, mask);
}
