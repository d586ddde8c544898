/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_cvt.c - decodes mov, selp, slct, setp and set (cvt is in decode_conv.c).
 *
 * A mov from a .local variable computes its address: the start of the frame plus a displacement. A
 * mov also reads special registers; a special register of 64 bits may go to a register of 32, where
 * PTX 1.x had it so.
 */
#include "record/ptx/alu/cvt.h"
#include "record/ptx/decode/module.h"

/* ---- mov ---- */

static bool
is_mov_type(enum ptx_type t)
{
	uint32_t size = ptx_type_bytes(t);

	return t == TY_PRED || size == 2 || size == 4 || size == 8;
}

static exec_fn *
get_mov_fn(enum ptx_type t)
{
	uint32_t size = ptx_type_bytes(t);

	return t == TY_PRED ? cvt_mov_pred
	       : size == 8  ? cvt_mov_64
	       : size == 2  ? cvt_mov_16
			    : cvt_mov_32;
}

static int
decode_mov_pred(struct decode *d, struct prog_inst *in)
{
	bool negated;

	if (decode_dst(d, decode_opnd(d, 0), TY_PRED, false, &in->dst[0]) ||
	    decode_pred(d, decode_opnd(d, 1), &in->src[0], &negated))
		return -1;
	in->fn = negated ? cvt_mov_not_pred : cvt_mov_pred;
	return 0;
}

static int
decode_mov_sreg(struct decode *d, struct prog_inst *in, const struct ast_opnd *o, enum ptx_type t)
{
	uint32_t size = ptx_type_bytes(t), have = ptx_sreg_bytes((enum ptx_sreg)o->index);

	if (o->index >= SREG_CLOCK && o->index <= SREG_GLOBALTIMER_HI) {
		if (size != have)
			return decode_error(d, "this clock has %u bits", have * 8);
		in->sub = (uint8_t)o->index;
		in->n_src = 0;
		in->fn = cvt_mov_clock;
		return 0;
	}
	if (size == 4 && have == 8) { /* %gridid once had 32 bits */
		in->fn = cvt_mov_64_32;
		return decode_value(d, o, TY_B64, &in->src[0]);
	}
	return decode_value(d, o, t, &in->src[0]);
}

/* Decodes the address of a variable on the stack as a number of the size of t. */
static int
decode_mov_stack(struct decode *d, struct prog_inst *in, const struct ast_opnd *o, enum ptx_type t)
{
	bool wide = ptx_type_bytes(t) == 8;

	if (ptx_type_bytes(t) < 4)
		return decode_error(d, "an address has 32 or 64 bits");
	in->src[0] = (struct opnd){.off = SREG_STRIDE * (wide ? SREG_SP64 : SREG_SP32),
				   .base = BASE_SREG,
				   .bytes = wide ? 8 : 4,
				   .reg = 0xffff};
	in->imm = (int64_t)d->f->var_off[o->index] + o->bits;
	in->fn = wide ? cvt_mov_add_64 : cvt_mov_add_32;
	return 0;
}

/* Decodes the elements of {a, b, ..} or of a vector register, as values or destinations of type t.
 */
static int
decode_elements(struct decode *d, const struct ast_opnd *o, enum ptx_type t, uint32_t n, bool dst,
		struct opnd *out)
{
	bool list = o->kind == AST_VEC;

	if (!list && !(o->kind == AST_REG && !o->comp && d->f->ast->reg[o->index].vec == n))
		return decode_error(d, "expected %u elements in braces", n);
	for (uint32_t k = 0; k < n; k++) {
		struct ast_opnd part = *o;
		const struct ast_opnd *x = list ? decode_elem(d, o, k) : &part;

		part.comp = (uint8_t)(k + 1);
		if (!x)
			return decode_error(d, "expected %u elements in braces", n);
		if (dst ? decode_dst(d, x, t, false, &out[k]) : decode_value(d, x, t, &out[k]))
			return -1;
	}
	return list && o->n_elem > n ? decode_error(d, "expected %u elements in braces", n) : 0;
}

static enum ptx_type
get_bit_type(uint32_t bytes)
{
	return bytes == 1 ? TY_B8 : bytes == 2 ? TY_B16 : bytes == 4 ? TY_B32 : TY_B64;
}

/* Decodes d = {a, b, ..}, or {a, b, ..} = d. */
static int
decode_mov_pack(struct decode *d, struct prog_inst *in, const struct ast_opnd *dst,
		const struct ast_opnd *src, enum ptx_type t)
{
	bool pack = src->kind == AST_VEC;
	uint32_t n = pack ? src->n_elem : dst->n_elem, size = ptx_type_bytes(t),
		 part = n ? size / n : 0;
	bool halves = n == 2 && part == 2, words = n == 2 && part == 4;

	if ((n != 2 && n != 4) || part * n != size || t == TY_PRED)
		return decode_error(d, "%u elements do not make a .%s", n, ptx_type_name(t));
	if (pack) {
		in->n_src = (uint8_t)n;
		in->fn = halves ? cvt_pack_2x16 : words ? cvt_pack_2x32 : cvt_pack;
		return decode_dst(d, dst, t, false, &in->dst[0]) ||
				       decode_elements(d, src, get_bit_type(part), n, false,
						       in->src)
			       ? -1
			       : 0;
	}
	in->n_dst = (uint8_t)n;
	in->fn = halves ? cvt_unpack_2x16 : words ? cvt_unpack_2x32 : cvt_unpack;
	return decode_elements(d, dst, get_bit_type(part), n, true, in->dst) ||
			       decode_value(d, src, t, &in->src[0])
		       ? -1
		       : 0;
}

static int
decode_mov_vec(struct decode *d, struct prog_inst *in, enum ptx_type t, uint32_t n)
{
	in->n_dst = in->n_src = (uint8_t)n;
	in->fn = cvt_mov_vec;
	if (t == TY_PRED)
		return decode_error(d, "predicates do not form vectors");
	return decode_elements(d, decode_opnd(d, 0), t, n, true, in->dst) ||
			       decode_elements(d, decode_opnd(d, 1), t, n, false, in->src)
		       ? -1
		       : 0;
}

static int
decode_mov(struct decode *d, struct prog_inst *in)
{
	enum ptx_type t = decode_type(d, 0);
	const struct ast_opnd *dst = decode_opnd(d, 0), *src = decode_opnd(d, 1);

	if (decode_count(d, 2, 2))
		return -1;
	in->type = (uint8_t)t;
	in->n_dst = in->n_src = 1;
	in->fn = get_mov_fn(t);
	if (decode_has(d, W_b128))
		return decode_mov_vec(d, in, TY_B64, 2);
	if (!is_mov_type(t))
		return decode_error(d, "expected a type of 16, 32 or 64 bits");
	if (decode_has(d, W_v2))
		return decode_mov_vec(d, in, t, 2);
	if (decode_has(d, W_v4))
		return decode_mov_vec(d, in, t, 4);
	if (t == TY_PRED)
		return decode_mov_pred(d, in);
	if (dst->kind == AST_VEC || src->kind == AST_VEC)
		return decode_mov_pack(d, in, dst, src, t);
	if (decode_dst(d, dst, t, false, &in->dst[0]))
		return -1;
	if (src->kind == AST_SREG)
		return decode_mov_sreg(d, in, src, t);
	if (src->kind == AST_VAR && decode_on_stack(d, src))
		return decode_mov_stack(d, in, src, t);
	return decode_value(d, src, t, &in->src[0]);
}

/* ---- selp, slct ---- */

static int
decode_selp(struct decode *d, struct prog_inst *in)
{
	enum ptx_type t = decode_type(d, 0);
	bool negated;

	in->type = (uint8_t)t;
	in->n_dst = 1;
	in->n_src = 3;
	if (decode_count(d, 4, 4))
		return -1;
	if (t == TY_PRED || ptx_type_bytes(t) < 2)
		return decode_error(d, "expected a type of 16, 32 or 64 bits");
	if (decode_dst(d, decode_opnd(d, 0), t, false, &in->dst[0]) ||
	    decode_pred(d, decode_opnd(d, 3), &in->src[2], &negated))
		return -1;
	in->fn = ptx_type_bytes(t) == 8 ? cvt_selp_64 : cvt_selp_32;
	return decode_value(d, decode_opnd(d, 1), t, &in->src[negated ? 1 : 0]) ||
			       decode_value(d, decode_opnd(d, 2), t, &in->src[negated ? 0 : 1])
		       ? -1
		       : 0;
}

static int
decode_slct(struct decode *d, struct prog_inst *in)
{
	enum ptx_type t = decode_type(d, 0), tc = decode_type(d, 1);

	in->type = (uint8_t)t;
	in->type2 = (uint8_t)tc;
	in->n_dst = 1;
	in->n_src = 3;
	in->fn = cvt_slct;
	if (decode_has(d, W_ftz))
		in->flags |= PF_FTZ;
	if (decode_count(d, 4, 4))
		return -1;
	if (t == TY_PRED || ptx_type_bytes(t) < 2 || (tc != TY_S32 && tc != TY_F32))
		return decode_error(d, "expected the type of the result, then .s32 or .f32");
	if (in->flags & PF_FTZ && tc != TY_F32)
		return decode_error(d, ".ftz is for .f32");
	return decode_dst(d, decode_opnd(d, 0), t, false, &in->dst[0]) ||
			       decode_value(d, decode_opnd(d, 1), t, &in->src[0]) ||
			       decode_value(d, decode_opnd(d, 2), t, &in->src[1]) ||
			       decode_value(d, decode_opnd(d, 3), tc, &in->src[2])
		       ? -1
		       : 0;
}

/* ---- setp, set ---- */

/* The types that a relation is for. */
enum { ON_BITS = 1, ON_UNSIGNED = 2, ON_SIGNED = 4, ON_FLOAT = 8 };

static const struct relation {
	uint8_t word, cmp, on;
} relations[] = {
	{W_eq, CMP_eq, 15},	     {W_ne, CMP_ne, 15},	  {W_lt, CMP_lt, 14},
	{W_le, CMP_le, 14},	     {W_gt, CMP_gt, 14},	  {W_ge, CMP_ge, 14},
	{W_lo, CMP_lt, ON_UNSIGNED}, {W_ls, CMP_le, ON_UNSIGNED}, {W_hi, CMP_gt, ON_UNSIGNED},
	{W_hs, CMP_ge, ON_UNSIGNED}, {W_equ, CMP_equ, ON_FLOAT},  {W_neu, CMP_neu, ON_FLOAT},
	{W_ltu, CMP_ltu, ON_FLOAT},  {W_leu, CMP_leu, ON_FLOAT},  {W_gtu, CMP_gtu, ON_FLOAT},
	{W_geu, CMP_geu, ON_FLOAT},  {W_num, CMP_num, ON_FLOAT},  {W_nan, CMP_nan, ON_FLOAT},
};

/* Reads the relation, the combination and .ftz, for operands of type t. */
static int
decode_relation(struct decode *d, struct prog_inst *in, enum ptx_type t)
{
	static const enum ptx_word bools[] = {W_and, W_or, W_xor};
	const struct relation *r = NULL;
	uint32_t on = ptx_is_float(t)	 ? ON_FLOAT
		      : ptx_is_signed(t) ? ON_SIGNED
		      : t >= TY_U8	 ? ON_UNSIGNED
					 : ON_BITS;

	if (t == TY_PRED || ptx_type_bytes(t) < 2)
		return decode_error(d, "expected operands of 16, 32 or 64 bits");
	for (uint32_t i = 0; !r && i < ARRAY_LEN(relations); i++)
		if (decode_has(d, (enum ptx_word)relations[i].word))
			r = &relations[i];
	if (!r)
		return decode_error(d, "expected a comparison such as .eq or .lt");
	if (!(r->on & on))
		return decode_error(d, ".%s does not compare .%s",
				    ast_word_text((enum ptx_word)r->word), ptx_type_name(t));
	in->sub = r->cmp;
	in->sub2 = (uint8_t)(decode_one_of(d, bools, ARRAY_LEN(bools)) + 1);
	if (decode_has(d, W_ftz)) {
		in->flags |= PF_FTZ;
		if (t != TY_F32 && t != TY_F16 && t != TY_F16X2)
			return decode_error(d, ".ftz is for .f32, .f16 and .f16x2");
	}
	return 0;
}

/* Decodes a, b and, with a combination, c. */
static int
decode_compared(struct decode *d, struct prog_inst *in, enum ptx_type t)
{
	bool negated = false;

	in->n_src = in->sub2 ? 3 : 2;
	if (decode_count(d, 1u + in->n_src, 1u + in->n_src) ||
	    decode_value(d, decode_opnd(d, 1), t, &in->src[0]) ||
	    decode_value(d, decode_opnd(d, 2), t, &in->src[1]))
		return -1;
	if (in->sub2 && decode_pred(d, decode_opnd(d, 3), &in->src[2], &negated))
		return -1;
	in->sub2 |= negated ? CVT_NOT_C : 0;
	return 0;
}

static int
decode_setp(struct decode *d, struct prog_inst *in)
{
	enum ptx_type t = decode_type(d, 0);
	const struct ast_opnd *o = decode_opnd(d, 0);

	in->type = (uint8_t)t;
	if (decode_relation(d, in, t) || decode_compared(d, in, t))
		return -1;
	in->n_dst = o->kind == AST_PAIR ? 2 : 1;
	for (uint32_t k = 0; k < in->n_dst; k++)
		if (decode_dst(d, in->n_dst > 1 ? decode_elem(d, o, k) : o, TY_PRED, false,
			       &in->dst[k]))
			return -1;
	in->fn = in->n_dst > 1 || in->sub2
			 ? cvt_setp
			 : cvt_setp_fn(t, (enum cvt_cmp)in->sub, in->flags & PF_FTZ);
	return 0;
}

/* Returns what set writes if the comparison holds, 0 if set has no such result. */
static uint32_t
set_truth(enum ptx_type to, enum ptx_type from)
{
	bool x2 = from == TY_F16X2 || from == TY_BF16X2;
	bool half = from == TY_F16 || from == TY_BF16;

	switch (to) {
	case TY_U32:
	case TY_S32:
		return UINT32_MAX;
	case TY_F32:
		return x2 ? 0 : f32_bits(1.0f);
	case TY_U16:
	case TY_S16:
		return half ? 0xffff : 0;
	case TY_F16:
		return x2 ? 0 : 0x3c00;
	case TY_BF16:
		return x2 ? 0 : 0x3f80;
	case TY_F16X2:
		return from == to ? 0x3c003c00 : 0;
	case TY_BF16X2:
		return from == to ? 0x3f803f80 : 0;
	default:
		return 0;
	}
}

static int
decode_set(struct decode *d, struct prog_inst *in)
{
	enum ptx_type to = decode_type(d, 0), t = decode_type(d, 1);

	in->type = (uint8_t)to;
	in->type2 = (uint8_t)t;
	in->imm = set_truth(to, t);
	in->n_dst = 1;
	in->fn = cvt_set;
	if (!in->imm || t == TY_NONE)
		return decode_error(d,
				    "expected the types of result and operands, such as .u32.f32");
	if (decode_relation(d, in, t) || decode_compared(d, in, t))
		return -1;
	return decode_dst(d, decode_opnd(d, 0), to, false, &in->dst[0]);
}

int
decode_cvt(struct decode *d, struct prog_inst *in)
{
	switch (in->op) {
	case PTX_mov:
		return decode_mov(d, in);
	case PTX_selp:
		return decode_selp(d, in);
	case PTX_slct:
		return decode_slct(d, in);
	case PTX_setp:
		return decode_setp(d, in);
	case PTX_set:
		return decode_set(d, in);
	default:
		return cvt_decode(d, in);
	}
}
