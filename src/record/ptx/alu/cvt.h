/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt.h - private to the instructions of group cvt: mov, selp, slct, setp, set, cvt.
 *
 * What decode_cvt.c and decode_conv.c store in struct prog_inst, besides the operands:
 *     setp  sub enum cvt_cmp, sub2 enum cvt_bool; type; src a b [c], dst p [q]
 *     set   the same, imm: the 32 bits of true; type the result's, type2 the operands'
 *     cvt   type, type2, rnd, PF_FTZ, PF_SAT; sub: bits of the destination register (8 .. 64), to
 *           which a narrower result is extended; sub2 CVT_RELU | CVT_FINITE
 *     mov   imm: what is added to an address in the stack
 */
#ifndef PTX_CVT_H
#define PTX_CVT_H

#include "record/ptx/alu/alu.h"

enum cvt_cmp { /* The first six relations are for all types, the others are for floats. */
	       CMP_eq,
	       CMP_ne,
	       CMP_lt,
	       CMP_le,
	       CMP_gt,
	       CMP_ge,
	       CMP_equ,
	       CMP_neu,
	       CMP_ltu,
	       CMP_leu,
	       CMP_gtu,
	       CMP_geu,
	       CMP_num,
	       CMP_nan,
	       CVT_CMPS
};

enum cvt_bool { BOOL_none, BOOL_and, BOOL_or, BOOL_xor };

enum { CVT_RELU = 1, CVT_FINITE = 2 }; /* sub2 of cvt: .relu, .satfinite */
enum { CVT_E4M3, CVT_E5M2 };	       /* sub of cvt_f8_from, cvt_f8_to */
enum { CVT_NOT_C = 4 };		       /* added to enum cvt_bool: !c */

/* cvt_mov.c */
exec_fn cvt_mov_16, cvt_mov_32, cvt_mov_64, cvt_mov_64_32, cvt_mov_pred, cvt_mov_not_pred;
exec_fn cvt_mov_add_32, cvt_mov_add_64, cvt_mov_clock, cvt_mov_vec;
exec_fn cvt_pack_2x16, cvt_pack_2x32, cvt_pack, cvt_unpack_2x16, cvt_unpack_2x32, cvt_unpack;
exec_fn cvt_selp_32, cvt_selp_64, cvt_slct;

/* cvt_cmp.c */
exec_fn cvt_setp, cvt_set;
/* Returns the faster function of a setp without q and without a combination, else cvt_setp. */
exec_fn *cvt_setp_fn(enum ptx_type t, enum cvt_cmp cmp, bool ftz);

/* cvt_conv.c: conversions from and to integers */
exec_fn cvt_int_32, cvt_int_64, cvt_int_sat, cvt_u32_u64, cvt_s32_s64, cvt_64_32;
exec_fn cvt_int_float;
exec_fn cvt_u8_f32, cvt_s8_f32, cvt_u16_f32, cvt_s16_f32, cvt_u32_f32, cvt_s32_f32, cvt_u64_f32,
	cvt_s64_f32;
exec_fn cvt_u8_f64, cvt_s8_f64, cvt_u16_f64, cvt_s16_f64, cvt_u32_f64, cvt_s32_f64, cvt_u64_f64,
	cvt_s64_f64;
exec_fn cvt_float_int, cvt_f32_s32, cvt_f32_u32, cvt_f64_s32;
exec_fn cvt_int_pack, cvt_tf32;

/* cvt_float.c: conversions between floats */
exec_fn cvt_float, cvt_float_x2, cvt_f32_f64, cvt_f64_f32, cvt_f16_f32, cvt_f32_f16, cvt_f32_round,
	cvt_f32_f32;

/* cvt_f8.c: conversions of two floats, or an f16x2, to a pair of f8, and back */
exec_fn cvt_f8_from, cvt_f8_to;

/* decode_conv.c */
int cvt_decode(struct decode *d, struct prog_inst *in);

/* ---- shared by cvt_conv.c and cvt_float.c ---- */

/* Returns lane l of a vector of 4 or 8 bytes per lane. */
static inline uint64_t
cvt_read(const struct warp *w, struct opnd o, uint32_t l)
{
	return o.bytes == 8 ? vec64(w, o)[l] : vec32(w, o)[l];
}

/* Stores 32 results into a destination of 4 or 8 bytes per lane. */
static inline int
cvt_put(const struct warp *w, struct opnd o, const uint64_t *r, uint32_t mask)
{
	uint32_t r32[WARP_SIZE];

	if (o.bytes == 8)
		return alu_put_64(w, o, r, mask);
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		r32[l] = (uint32_t)r[l];
	return alu_put_32(w, o, r32, mask);
}

/* Returns a float of any type as a double, which holds all of them exactly. */
double cvt_to_double(enum ptx_type t, uint64_t bits, bool ftz);
/* Rounds 32 values to integers that stay f32; obeys .ftz. */
void cvt_round_f32(const struct prog_inst *in, const uint32_t *a, uint32_t *r);
/* Rounds x to an integer with rni rzi rmi rpi; returns x for another rounding. */
double cvt_round(double x, enum prog_round rnd);

#endif
