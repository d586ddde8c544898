/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_conv.c - decodes cvt. As in ptxas, a pair of types determines which modifiers are required
 * and allowed: a rounding if the result may be inexact, and none of the wrong kind. Not supported:
 * floats of 6 and 4 bits, .rs, and .relu and .satfinite for results of other sizes than 16 bits.
 */
#include "record/ptx/alu/cvt.h"
#include "record/ptx/decode/module.h"

enum kind { INTEGER, FLOATING, PAIR, OTHER };

static enum kind
get_kind(enum ptx_type t)
{
	if (t == TY_F16X2 || t == TY_BF16X2)
		return PAIR;
	return t >= TY_U8 && t <= TY_S64 ? INTEGER : ptx_is_float(t) ? FLOATING : OTHER;
}

/* Does one type hold all numbers of another? Neither of the 16-bit types holds the other, but ptxas
 * accepts such a conversion without a rounding and rounds to nearest. */
static bool
float_fits(enum ptx_type from, enum ptx_type to)
{
	if (ptx_type_bytes(from) == ptx_type_bytes(to) || to == TY_F64)
		return true;
	return to == TY_F32 && (from == TY_F16 || from == TY_BF16);
}

static int
check_round(struct decode *d, struct prog_inst *in, enum ptx_type to, enum ptx_type from)
{
	bool whole = in->rnd >= RND_RNI && in->rnd <= RND_RPI;
	enum kind kt = get_kind(to), kf = get_kind(from);

	if (in->rnd == RND_RNA)
		return decode_unsupported(d, ".rna");
	if (kt == INTEGER && kf == INTEGER)
		return in->rnd ? decode_error(d, "a conversion between integers does not round")
			       : 0;
	if (kt == INTEGER) {
		return whole ? 0 : decode_error(d, "expected a rounding: .rni .rzi .rmi .rpi");
	}
	if (kf == INTEGER) {
		/* also for s32 to f64, where it has no effect */
		return in->rnd && !whole ? 0
					 : decode_error(d, "expected a rounding: .rn .rz .rm .rp");
	}
	if (whole && to != from)
		return decode_error(d, "rounding to an integer needs the same type on both sides");
	if (!in->rnd && !float_fits(from, to))
		return decode_error(d, "expected a rounding: .rn .rz .rm .rp");
	return 0;
}

/* Functions for particular pairs of types; RND_NONE in a row means any rounding. Conversions from
 * int to float round to nearest. flags: those that the function obeys; no others may be set. */
static const struct fast {
	uint8_t to, from, rnd;
	uint16_t flags;
	exec_fn *fn;
} fast[] = {
	{TY_F32, TY_U8, RND_RN, PF_FTZ, cvt_u8_f32},
	{TY_F32, TY_S8, RND_RN, PF_FTZ, cvt_s8_f32},
	{TY_F32, TY_U16, RND_RN, PF_FTZ, cvt_u16_f32},
	{TY_F32, TY_S16, RND_RN, PF_FTZ, cvt_s16_f32},
	{TY_F32, TY_U32, RND_RN, PF_FTZ, cvt_u32_f32},
	{TY_F32, TY_S32, RND_RN, PF_FTZ, cvt_s32_f32},
	{TY_F32, TY_U64, RND_RN, PF_FTZ, cvt_u64_f32},
	{TY_F32, TY_S64, RND_RN, PF_FTZ, cvt_s64_f32},
	{TY_F64, TY_U8, RND_RN, 0, cvt_u8_f64},
	{TY_F64, TY_S8, RND_RN, 0, cvt_s8_f64},
	{TY_F64, TY_U16, RND_RN, 0, cvt_u16_f64},
	{TY_F64, TY_S16, RND_RN, 0, cvt_s16_f64},
	{TY_F64, TY_U32, RND_RN, 0, cvt_u32_f64},
	{TY_F64, TY_S32, RND_RN, 0, cvt_s32_f64},
	{TY_F64, TY_U64, RND_RN, 0, cvt_u64_f64},
	{TY_F64, TY_S64, RND_RN, 0, cvt_s64_f64},
	{TY_S32, TY_F32, RND_NONE, PF_FTZ | PF_SAT, cvt_f32_s32},
	{TY_U32, TY_F32, RND_NONE, PF_FTZ | PF_SAT, cvt_f32_u32},
	{TY_S32, TY_F64, RND_RZI, PF_SAT, cvt_f64_s32},
	{TY_F64, TY_F32, RND_NONE, 0, cvt_f32_f64},
	{TY_F32, TY_F64, RND_RN, 0, cvt_f64_f32},
	{TY_F32, TY_F16, RND_NONE, 0, cvt_f16_f32},
	{TY_F16, TY_F32, RND_RN, 0, cvt_f32_f16},
	{TY_F32, TY_F32, RND_RNI, PF_FTZ, cvt_f32_round},
	{TY_F32, TY_F32, RND_RZI, PF_FTZ, cvt_f32_round},
	{TY_F32, TY_F32, RND_RMI, PF_FTZ, cvt_f32_round},
	{TY_F32, TY_F32, RND_RPI, PF_FTZ, cvt_f32_round},
};

static exec_fn *
find_fast_function(const struct prog_inst *in)
{
	const uint16_t flags = in->flags & (PF_FTZ | PF_SAT);

	if (in->sub2)
		return NULL;
	if (in->type == TY_F32 && in->type2 == TY_F32 && !in->rnd)
		return cvt_f32_f32;
	for (uint32_t i = 0; i < ARRAY_LEN(fast); i++)
		if (fast[i].to == in->type && fast[i].from == in->type2 &&
		    !(flags & ~fast[i].flags) && (!fast[i].rnd || fast[i].rnd == in->rnd))
			return fast[i].fn;
	return NULL;
}

static exec_fn *
pick_function(const struct prog_inst *in)
{
	bool to_int = get_kind((enum ptx_type)in->type) == INTEGER;
	bool from_int = get_kind((enum ptx_type)in->type2) == INTEGER;
	uint32_t to = ptx_type_bytes((enum ptx_type)in->type);
	uint32_t from = ptx_type_bytes((enum ptx_type)in->type2);
	bool natural =
		in->dst[0].bytes == (to == 8 ? 8 : 4) && in->src[0].bytes == (from == 8 ? 8 : 4);
	exec_fn *fn = natural ? find_fast_function(in) : NULL;

	if (fn)
		return fn;
	if (!to_int || !from_int)
		return to_int ? cvt_float_int : from_int ? cvt_int_float : cvt_float;
	if (in->flags & PF_SAT)
		return cvt_int_sat;
	if (in->dst[0].bytes != 8 && in->src[0].bytes == 4)
		return cvt_int_32;
	if (natural && from == 4 && to == 8)
		return in->type2 == TY_S32 ? cvt_s32_s64 : cvt_u32_u64;
	return natural && from == 8 && to == 4 ? cvt_64_32 : cvt_int_64;
}

static int
decode_x2(struct decode *d, struct prog_inst *in)
{
	if (in->type2 != TY_F32)
		return decode_error(d, "expected two .f32 operands");
	if (in->rnd != RND_RN && in->rnd != RND_RZ)
		return decode_error(d, "expected a rounding: .rn .rz");
	in->n_src = 2;
	in->fn = cvt_float_x2;
	return decode_count(d, 3, 3) ||
			       decode_dst(d, decode_opnd(d, 0), (enum ptx_type)in->type, false,
					  &in->dst[0]) ||
			       decode_value(d, decode_opnd(d, 1), TY_F32, &in->src[0]) ||
			       decode_value(d, decode_opnd(d, 2), TY_F32, &in->src[1])
		       ? -1
		       : 0;
}

/* cvt.pack.sat.TYPE.s32 d, a, b and, for 8 bits, cvt.pack.sat.TYPE.s32.b32 d, a, b, c */
static int
decode_pack(struct decode *d, struct prog_inst *in)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type);
	bool with_c = decode_type(d, 2) == TY_B32;

	if (get_kind((enum ptx_type)in->type) != INTEGER || size > 2 || in->type2 != TY_S32)
		return decode_unsupported(d, "this packing (known are .u8 .s8 .u16 .s16 of .s32)");
	if (!(in->flags & PF_SAT))
		return decode_error(d, "expected .sat");
	if (with_c != (size == 1))
		return decode_error(d, "expected .b32 and a third operand for 8-bit parts only");
	in->n_src = with_c ? 3 : 2;
	in->fn = cvt_int_pack;
	if (decode_count(d, 3 + with_c, 3 + with_c) ||
	    decode_dst(d, decode_opnd(d, 0), TY_B32, false, &in->dst[0]))
		return -1;
	for (uint32_t k = 0; k < in->n_src; k++)
		if (decode_value(d, decode_opnd(d, k + 1), TY_B32, &in->src[k]))
			return -1;
	return 0;
}

/* Decodes cvt.rn.satfinite.F8x2.f32 d, a, b; cvt.rn.satfinite.F8x2.f16x2 d, a; and
 * cvt.rn.f16x2.F8x2 d, a. in->type is the type that does not have 8 bits. */
static int
decode_f8(struct decode *d, struct prog_inst *in, enum ptx_word f8)
{
	enum ptx_type t = (enum ptx_type)in->type;
	bool from = true;

	for (uint32_t i = 0; i < d->a->n_word && d->a->word[i] != f8; i++)
		from &= ast_word_type((enum ptx_word)d->a->word[i]) == TY_NONE;
	in->sub = f8 == W_e4m3x2 ? CVT_E4M3 : CVT_E5M2;
	if (t != TY_F16X2 && (t != TY_F32 || !from))
		return decode_unsupported(d, "anything but .f32 and .f16x2 with pairs of 8 bits");
	if (in->rnd != RND_RN || (from && !(in->sub2 & CVT_FINITE)))
		return decode_error(d, from ? "expected .rn.satfinite" : "expected .rn");
	in->type2 = (uint8_t)t;
	in->type = from ? TY_B16 : TY_F16X2;
	in->fn = from ? cvt_f8_from : cvt_f8_to;
	in->n_src = t == TY_F32 ? 2 : 1;
	if (decode_count(d, 1u + in->n_src, 1u + in->n_src) ||
	    decode_dst(d, decode_opnd(d, 0), from ? TY_B16 : TY_B32, false, &in->dst[0]))
		return -1;
	for (uint32_t k = 0; k < in->n_src; k++)
		if (decode_value(d, decode_opnd(d, 1 + k),
				 !from	       ? TY_B16
				 : t == TY_F32 ? TY_F32
					       : TY_B32,
				 &in->src[k]))
			return -1;
	return 0;
}

static int
refuse_formats(struct decode *d)
{
	static const enum ptx_word word[] = {W_f32x2, W_s16x2, W_u16x2, W_rs};
	int k = decode_one_of(d, word, ARRAY_LEN(word));
	char what[32];

	if (k < 0)
		return 0;
	snprintf(what, sizeof(what), ".%s", ast_word_text(word[k]));
	return decode_unsupported(d, what);
}

/* cvt.RND.tf32.f32: an f32 whose low 13 bits are 0. */
static int
decode_tf32(struct decode *d, struct prog_inst *in)
{
	if (in->type != TY_F32 || (in->rnd != RND_RNA && in->rnd != RND_RN && in->rnd != RND_RZ))
		return decode_unsupported(d, "anything but .rna, .rn or .rz of .f32");
	in->fn = cvt_tf32;
	in->type2 = TY_F32;
	if (decode_count(d, 2, 2) || decode_dst(d, decode_opnd(d, 0), TY_B32, false, &in->dst[0]))
		return -1;
	return decode_value(d, decode_opnd(d, 1), TY_F32, &in->src[0]);
}

int
cvt_decode(struct decode *d, struct prog_inst *in)
{
	enum ptx_type to = decode_type(d, 0), from = decode_type(d, 1);
	const struct ast_reg *r;
	const struct ast_opnd *o;

	in->type = (uint8_t)to;
	in->type2 = (uint8_t)from;
	in->rnd = (uint8_t)decode_round(d);
	in->flags |= (decode_has(d, W_ftz) ? PF_FTZ : 0) | (decode_has(d, W_sat) ? PF_SAT : 0);
	in->sub2 = (decode_has(d, W_relu) ? CVT_RELU : 0) |
		   (decode_has(d, W_satfinite) ? CVT_FINITE : 0);
	in->n_dst = in->n_src = 1;
	if (refuse_formats(d))
		return -1;
	if (decode_has(d, W_e4m3x2))
		return decode_f8(d, in, W_e4m3x2);
	if (decode_has(d, W_e5m2x2))
		return decode_f8(d, in, W_e5m2x2);
	if (decode_has(d, W_tf32))
		return decode_tf32(d, in);
	if (in->sub2 && to != TY_F16 && to != TY_BF16 && get_kind(to) != PAIR)
		return decode_error(d, ".relu and .satfinite are for 16-bit floats");
	if (decode_has(d, W_pack))
		return decode_pack(d, in);
	if (get_kind(to) == PAIR)
		return decode_x2(d, in);
	if (get_kind(to) == OTHER || get_kind(from) == OTHER || get_kind(from) == PAIR)
		return decode_error(d, "expected the types of result and operand");
	if (in->flags & PF_FTZ && to != TY_F32 && from != TY_F32)
		return decode_error(d, ".ftz is for .f32");
	if (check_round(d, in, to, from) || decode_count(d, 2, 2) ||
	    decode_dst(d, decode_opnd(d, 0), to, true, &in->dst[0]) ||
	    decode_wider(d, decode_opnd(d, 1), from, &in->src[0]))
		return -1;
	in->sub = (uint8_t)(ptx_type_bytes(to) * 8);
	o = decode_opnd(d, 0);
	if (o->kind == AST_REG) {
		r = &d->f->ast->reg[o->index];
		in->sub = (uint8_t)(ptx_type_bytes((enum ptx_type)r->type) * 8);
	}
	in->fn = in->dst[0].bytes == OPND_NONE ? exec_nop : pick_function(in);
	return 0;
}
