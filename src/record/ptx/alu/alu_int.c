/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_int.c - executes integer arithmetic: the functions of alu_int.def and those with the carry.
 *
 * Signed sums are computed as unsigned ones, which cannot overflow, because PTX wraps. PTX leaves
 * the result of a division by zero open; here quotient and remainder are all ones, as in NVIDIA's
 * 32-bit code. The most negative number divided by -1 is itself, with remainder 0. Quotients of 32
 * bits and more are in alu_div.c.
 */
#include "record/ptx/alu/alu.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

#define U16(x) ((uint32_t)(x)&0xffffu)
#define S16(x) ((int32_t)(int16_t)(x))
#define U24(x) ((uint64_t)((x)&0xffffffu))
#define S24(x) ((int64_t)((int32_t)((x) << 8) >> 8))
#define S32(x) ((int64_t)(int32_t)(x))
#define S64(x) ((int64_t)(x))

const uint32_t alu_lane_bit[WARP_SIZE] = {
	1u << 0,  1u << 1,  1u << 2,  1u << 3,	1u << 4,  1u << 5,  1u << 6,  1u << 7,
	1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
	1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
	1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31,
};

static inline uint32_t
sat_s32(int64_t x)
{
	return (uint32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}

static inline uint64_t
hi_u64(uint64_t a, uint64_t b)
{
	return (uint64_t)((u128)a * b >> 64);
}

static inline uint64_t
hi_s64(uint64_t a, uint64_t b)
{
	return (uint64_t)((u128)((s128)S64(a) * S64(b)) >> 64);
}

/* Returns byte or half i of x, extended according to the type of the instruction. */
static inline int32_t
get_byte(uint32_t x, unsigned i, bool sign)
{
	uint8_t v = (uint8_t)(x >> 8 * i);

	return sign ? (int8_t)v : v;
}

static inline uint32_t
dp4(uint32_t a, uint32_t b, uint32_t c, bool sa, bool sb)
{
	for (unsigned i = 0; i < 4; i++)
		c += (uint32_t)(get_byte(a, i, sa) * get_byte(b, i, sb));
	return c;
}

static inline uint32_t
dp2(uint32_t a, uint32_t b, uint32_t c, bool sa, bool sb)
{
	for (unsigned i = 0; i < 2; i++) {
		uint16_t h = (uint16_t)(a >> 16 * i);

		c += (uint32_t)((sa ? (int16_t)h : h) * get_byte(b, i, sb));
	}
	return c;
}

/* clang-format off */
#define FN1 ALU_FN1
#define FN2 ALU_FN2
#define FN3 ALU_FN3
#define FN(name)
#include "record/ptx/alu/alu_int.def"
/* clang-format on */

/* ---- with the carry ---- */

static int
carry_out(const struct prog_inst *in, struct warp *w, uint32_t carry, uint32_t mask)
{
	if (in->flags & PF_CC_OUT)
		w->carry = (w->carry & ~mask) | (carry & mask);
	return EXEC_NEXT;
}

/* Adds a + b + (its bit of cin); sets the lane's bit of *cout if the sum carries. */
#define CARRY_FNS(bits)                                                                        \
	static inline ALU_T(bits) add_carry_##bits(ALU_T(bits) a, ALU_T(bits) b, uint32_t cin, \
						   unsigned l, uint32_t *cout)                 \
	{                                                                                      \
		ALU_T(bits) s = a + b, r = s + (cin & alu_lane_bit[l] ? 1 : 0);                \
		if (s < a || r < s)                                                            \
			*cout |= alu_lane_bit[l];                                              \
		return r;                                                                      \
	}                                                                                      \
	ALU_FN(add_cc_##bits)                                                                  \
	{                                                                                      \
		ALU_SRC(ALU_T(bits), a, 0);                                                    \
		ALU_SRC(ALU_T(bits), b, 1);                                                    \
		uint32_t cin = in->flags & PF_CC_IN ? w->carry : 0, cout = 0;                  \
		ALU_T(bits) r[WARP_SIZE];                                                      \
		ALU_LOOP(l)                                                                    \
		{                                                                              \
			r[l] = add_carry_##bits(a[l], b[l], cin, l, &cout);                    \
		}                                                                              \
		alu_put_##bits(w, in->dst[0], r, mask);                                        \
		return carry_out(in, w, cout, mask);                                           \
	}                                                                                      \
	/* CC.CF after a subtraction is the borrow. */                                         \
	ALU_FN(sub_cc_##bits)                                                                  \
	{                                                                                      \
		ALU_SRC(ALU_T(bits), a, 0);                                                    \
		ALU_SRC(ALU_T(bits), b, 1);                                                    \
		uint32_t cin = in->flags & PF_CC_IN ? ~w->carry : ~0u, cout = 0;               \
		ALU_T(bits) r[WARP_SIZE];                                                      \
		ALU_LOOP(l)                                                                    \
		{                                                                              \
			r[l] = add_carry_##bits(a[l], ~b[l], cin, l, &cout);                   \
		}                                                                              \
		alu_put_##bits(w, in->dst[0], r, mask);                                        \
		return carry_out(in, w, ~cout, mask);                                          \
	}                                                                                      \
	ALU_FN(mad_cc_##bits)                                                                  \
	{                                                                                      \
		ALU_SRC(ALU_T(bits), a, 0);                                                    \
		ALU_SRC(ALU_T(bits), b, 1);                                                    \
		ALU_SRC(ALU_T(bits), c, 2);                                                    \
		uint32_t cin = in->flags & PF_CC_IN ? w->carry : 0, cout = 0;                  \
		ALU_T(bits) r[WARP_SIZE];                                                      \
		ALU_LOOP(l)                                                                    \
		{                                                                              \
			ALU_T(bits)                                                            \
			p = !(in->flags & PF_HI)      ? a[l] * b[l]                            \
			    : ptx_is_signed(in->type) ? hi_s##bits(a[l], b[l])                 \
						      : hi_u##bits(a[l], b[l]);                \
			r[l] = add_carry_##bits(p, c[l], cin, l, &cout);                       \
		}                                                                              \
		alu_put_##bits(w, in->dst[0], r, mask);                                        \
		return carry_out(in, w, cout, mask);                                           \
	}

static inline uint32_t
hi_u32(uint32_t a, uint32_t b)
{
	return (uint32_t)((uint64_t)a * b >> 32);
}

static inline uint32_t
hi_s32(uint32_t a, uint32_t b)
{
	return (uint32_t)((uint64_t)(S32(a) * S32(b)) >> 32);
}

CARRY_FNS(32)
CARRY_FNS(64)
