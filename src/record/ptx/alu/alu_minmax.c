/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alu_minmax.c - executes the instructions of f32 and f64 that examine only bits: abs neg min max
 * testp copysign.
 *
 * Floats whose magnitude bits are inverted when the sign is set compare like integers, with -0
 * below +0 as in PTX. A NaN loses against a number or, with .NaN, wins and becomes canonical.
 */
#include "record/ptx/alu/alu.h"

/* U, I: the unsigned and signed type of the float's size; INF: the bits of infinity. */
#define BIT_FNS(bits, I, INF, NAN_BITS)                                                           \
	static inline bool is_nan_##bits(ALU_T(bits) x)                                           \
	{                                                                                         \
		return (I)(x << 1 >> 1) > (I)INF;                                                 \
	}                                                                                         \
	static inline I key_##bits(ALU_T(bits) x)                                                 \
	{                                                                                         \
		return (I)(x ^ ((ALU_T(bits))((I)x >> (bits - 1)) >> 1));                         \
	}                                                                                         \
	/* min where big is 0, max where it is all ones */                                        \
	static inline ALU_T(bits)                                                                 \
		pick_##bits(ALU_T(bits) a, ALU_T(bits) b, bool big, bool nan, bool xorsign)       \
	{                                                                                         \
		ALU_T(bits) top = (ALU_T(bits))1 << (bits - 1), sign = (a ^ b) & top, r;          \
		a = xorsign ? a & ~top : a;                                                       \
		b = xorsign ? b & ~top : b;                                                       \
		r = (key_##bits(a) < key_##bits(b)) != big ? a : b;                               \
		r = is_nan_##bits(a) ? (nan ? (ALU_T(bits))NAN_BITS : b) : r;                     \
		r = is_nan_##bits(b) ? (nan || is_nan_##bits(a) ? (ALU_T(bits))NAN_BITS : a) : r; \
		return xorsign && !is_nan_##bits(r) ? r | sign : r;                               \
	}                                                                                         \
	static inline ALU_T(bits) ftz_##bits(ALU_T(bits) x, bool ftz)                             \
	{                                                                                         \
		return ftz && !(x & INF) ? x >> (bits - 1) << (bits - 1) : x;                     \
	}                                                                                         \
	static inline int extreme_##bits(const struct prog_inst *in, struct warp *w,              \
					 uint32_t mask, bool big)                                 \
	{                                                                                         \
		ALU_SRC(ALU_T(bits), a, 0);                                                       \
		ALU_SRC(ALU_T(bits), b, 1);                                                       \
		ALU_T(bits) r[WARP_SIZE];                                                         \
		bool ftz = in->flags & PF_FTZ, nan = in->flags & PF_NAN,                          \
		     xorsign = in->flags & PF_XORSIGN;                                            \
		if (!ftz && !nan && !xorsign)                                                     \
			ALU_LOOP(l)                                                               \
			{                                                                         \
				r[l] = pick_##bits(a[l], b[l], big, false, false);                \
			}                                                                         \
		else                                                                              \
			ALU_LOOP(l)                                                               \
			{                                                                         \
				r[l] = pick_##bits(ftz_##bits(a[l], ftz), ftz_##bits(b[l], ftz),  \
						   big, nan, xorsign);                            \
			}                                                                         \
		return alu_put_##bits(w, in->dst[0], r, mask);                                    \
	}                                                                                         \
	ALU_FN(fmin_f##bits)                                                                      \
	{                                                                                         \
		return extreme_##bits(in, w, mask, false);                                        \
	}                                                                                         \
	ALU_FN(fmax_f##bits)                                                                      \
	{                                                                                         \
		return extreme_##bits(in, w, mask, true);                                         \
	}                                                                                         \
	ALU_FN(fabs_f##bits)                                                                      \
	{                                                                                         \
		ALU_SRC(ALU_T(bits), a, 0);                                                       \
		ALU_T(bits) r[WARP_SIZE];                                                         \
		bool ftz = in->flags & PF_FTZ;                                                    \
		ALU_LOOP(l)                                                                       \
		{                                                                                 \
			r[l] = ftz_##bits(a[l], ftz) << 1 >> 1;                                   \
		}                                                                                 \
		return alu_put_##bits(w, in->dst[0], r, mask);                                    \
	}                                                                                         \
	ALU_FN(fneg_f##bits)                                                                      \
	{                                                                                         \
		ALU_SRC(ALU_T(bits), a, 0);                                                       \
		ALU_T(bits) r[WARP_SIZE], top = (ALU_T(bits))1 << (bits - 1);                     \
		bool ftz = in->flags & PF_FTZ;                                                    \
		ALU_LOOP(l)                                                                       \
		{                                                                                 \
			r[l] = ftz_##bits(a[l], ftz) ^ top;                                       \
		}                                                                                 \
		return alu_put_##bits(w, in->dst[0], r, mask);                                    \
	}                                                                                         \
	/* the magnitude of b with the sign of a */                                               \
	ALU_FN(copysign_f##bits)                                                                  \
	{                                                                                         \
		ALU_SRC(ALU_T(bits), a, 0);                                                       \
		ALU_SRC(ALU_T(bits), b, 1);                                                       \
		ALU_T(bits) r[WARP_SIZE];                                                         \
		ALU_LOOP(l)                                                                       \
		{                                                                                 \
			r[l] = a[l] >> (bits - 1) << (bits - 1) | b[l] << 1 >> 1;                 \
		}                                                                                 \
		return alu_put_##bits(w, in->dst[0], r, mask);                                    \
	}                                                                                         \
	ALU_FN(testp_f##bits)                                                                     \
	{                                                                                         \
		ALU_SRC(ALU_T(bits), a, 0);                                                       \
		uint32_t r[WARP_SIZE];                                                            \
		ALU_LOOP(l)                                                                       \
		{                                                                                 \
			r[l] = has_property(a[l] << 1 >> 1, INF, INF & -INF, in->sub);            \
		}                                                                                 \
		return alu_put_pred(w, in->dst[0], alu_bits(r), mask);                            \
	}

/* x: the magnitude's bits; least: those of the smallest normal number. */
static inline bool
has_property(uint64_t x, uint64_t inf, uint64_t least, uint8_t what)
{
	switch (what) {
	case TESTP_FINITE:
		return x < inf;
	case TESTP_INFINITE:
		return x == inf;
	case TESTP_NUMBER:
		return x <= inf;
	case TESTP_NAN:
		return x > inf;
	case TESTP_NORMAL:
		return x >= least && x < inf;
	default:
		return x && x < least;
	}
}

BIT_FNS(32, int32_t, 0x7f800000u, F32_NAN)
BIT_FNS(64, int64_t, 0x7ff0000000000000ull, F64_NAN)
