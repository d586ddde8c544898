/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_special.c - computes the .approx instructions of f32 and f64. The exact bits of the hardware
 * are not documented. These functions return the f32 nearest to a double-precision result
 * (alu_approx.h), which is within every error bound of the PTX ISA. Special values are those of the
 * ISA: div.approx by |b| >= 2^126 is 0, .ftz flushes operand and result, the .approx.ftz.f64 forms
 * have 20 fraction bits.
 */
#include <math.h>

#include "record/ptx/alu/alu.h"
#include "record/ptx/alu/alu_approx.h"

static inline float
div_approx(float a, float b)
{
	float m = bits_f32(f32_bits(b) & 0x7fffffffu);

	if (m > 0x1p126f && m <= 0x1.fffffep127f) /* it is a * (1/b), and 1/b is 0 */
		return a * bits_f32(f32_bits(b) & 0x80000000u);
	return a / b;
}

#define APPROX_FN(name, expr)                                                           \
	ALU_FN(name)                                                                    \
	{                                                                               \
		ALU_SRC(uint32_t, pa, 0);                                               \
		ALU_SRC(uint32_t, pb, in->n_src > 1);                                   \
		uint32_t r[WARP_SIZE], *to = alu_to_32(w, in->dst[0], r, mask);         \
		bool ftz = in->flags & PF_FTZ;                                          \
		ALU_APART ALU_LOOP(l)                                                   \
		{                                                                       \
			const float a = f32_read(pa[l], ftz), b = f32_read(pb[l], ftz); \
			(void)b;                                                        \
			to[l] = f32_finish((float)(expr), ftz, false);                  \
		}                                                                       \
		return alu_done_32(w, in->dst[0], to, r, mask);                         \
	}

APPROX_FN(div_approx_f32, div_approx(a, b))
APPROX_FN(div_full_f32, a / b)
APPROX_FN(rcp_approx_f32, 1.0f / a)
APPROX_FN(rsqrt_f32, 1.0 / sqrt((double)a))
APPROX_FN(sqrt_approx_f32, sqrtf(a))
APPROX_FN(sin_f32, alu_sin((double)a))
APPROX_FN(cos_f32, alu_cos((double)a))
APPROX_FN(lg2_f32, alu_log2((double)a))
APPROX_FN(ex2_f32, alu_exp2((double)a))
APPROX_FN(tanh_f32, alu_tanh((double)a))

/* Returns the upper word of a double, flushed: the .approx.ftz.f64 forms read and write only that.
 */
static inline uint64_t
get_upper_word(uint64_t x)
{
	x = f64_canon(x) & 0xffffffff00000000ull;
	return x & 0x7ff0000000000000ull ? x : x & (1ull << 63);
}

#define APPROX64_FN(name, read, write, expr)                    \
	ALU_FN(name)                                            \
	{                                                       \
		ALU_SRC(uint64_t, pa, 0);                       \
		uint64_t r[WARP_SIZE];                          \
		ALU_LOOP(l)                                     \
		{                                               \
			const double a = bits_f64(read(pa[l])); \
			r[l] = write(f64_bits(expr));           \
		}                                               \
		return alu_put_64(w, in->dst[0], r, mask);      \
	}

APPROX64_FN(rsqrt_f64, f64_canon, f64_canon, 1.0 / sqrt(a))
APPROX64_FN(rcp_approx_f64, get_upper_word, get_upper_word, 1.0 / a)
APPROX64_FN(rsqrt_approx_f64, get_upper_word, get_upper_word, 1.0 / sqrt(a))
