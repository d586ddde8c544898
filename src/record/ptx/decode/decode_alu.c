/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_alu.c - decodes arithmetic instructions. A row of inst.def gives the function, the allowed
 * modifiers and the operands. Instructions whose operands have different types (dp4a, video) are
 * decoded here.
 *
 * Not supported, and reported by name: the packed 16-bit integers, f32x2, min and max of three
 * operands, selectors and masks of the SIMD video instructions.
 */
#include <stdio.h>
#include <string.h>

#include "record/ptx/alu/alu.h"

struct alu_row {
	uint8_t op;
	uint8_t word[2]; /* W_NONE: none */
	uint8_t sub;
	uint32_t types;	    /* a bit per enum ptx_type */
	exec_fn *fn, *wide; /* wide: used if alu_is_wide */
	char operands[8], options[6];
};

static const struct alu_row rows[] = {
#define ALU(op, word1, word2, types, fn, operands, options, sub) \
	{PTX_##op, {W_##word1, W_##word2}, sub, types, alu_##fn, WIDE(fn), operands, options},
#ifdef __x86_64__
#define WIDE(fn) alu_wide_##fn
#else
#define WIDE(fn) alu_##fn
#endif
#include "record/ptx/inst/inst.def"
};

/* Modifiers that have the same meaning in every instruction. */
static const struct {
	uint8_t word;
	uint16_t flag;
} word_flags[] = {
	{W_hi, PF_HI},	       {W_wide, PF_WIDE}, {W_approx, PF_APPROX}, {W_full, PF_APPROX},
	{W_wrap, PF_SHIFTAMT}, {W_cc, PF_CC_OUT}, {W_sat, PF_SAT},	 {W_ftz, PF_FTZ},
};

/* The options of a row: letters of inst.def. */
static const struct {
	char letter;
	uint8_t word;
	uint16_t flag;
	bool needed;
} options[] = {
	{'F', W_ftz, PF_FTZ, false},   {'f', W_ftz, PF_FTZ, true},
	{'S', W_sat, PF_SAT, false},   {'N', W_NaN, PF_NAN, false},
	{'C', W_cc, PF_CC_OUT, false}, {'A', W_shiftamt, PF_SHIFTAMT, false},
	{'D', W_rn, 0, false},	       {'d', W_rn, 0, true},
};

/* Unlike decode_has(), it does not mark the word as used. */
static bool
has_word(const struct ast_inst *a, uint8_t word)
{
	for (uint32_t i = 0; i < a->n_word; i++)
		if (a->word[i] == word)
			return true;
	return word == W_NONE;
}

/* ---- the row ---- */

static int
report_no_row(struct decode *d, enum ptx_type t)
{
	char list[160] = "";
	size_t n = 0;
	bool typed = false;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		typed |= rows[i].op == d->a->op && rows[i].types >> t & 1;
	for (size_t i = 0; i < ARRAY_LEN(rows) && typed; i++) {
		const struct alu_row *r = &rows[i];
		char word[40];

		if (r->op != d->a->op || !(r->types >> t & 1))
			continue;
		snprintf(word, sizeof(word), " .%s%s%s", ast_word_text((enum ptx_word)r->word[0]),
			 r->word[1] ? "." : "", ast_word_text((enum ptx_word)r->word[1]));
		if (!strstr(list, word) && n + strlen(word) < sizeof(list))
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s", word);
	}
	if (typed)
		return decode_error(d, "for .%s expected one of%s", ptx_type_name(t), list);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		for (unsigned k = TY_NONE + 1; k < PTX_TYPES && rows[i].op == d->a->op; k++) {
			char name[16];

			snprintf(name, sizeof(name), " .%s", ptx_type_name((enum ptx_type)k));
			if (rows[i].types >> k & 1 && !strstr(list, name))
				n += (size_t)snprintf(list + n, sizeof(list) - n, "%s", name);
		}
	}
	if (t == TY_NONE)
		return decode_error(d, "expected one of the types%s", list);
	return decode_error(d, "type .%s is not possible here, expected one of%s", ptx_type_name(t),
			    list);
}

static const struct alu_row *
find_row(struct decode *d, enum ptx_type t)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct alu_row *r = &rows[i];

		if (r->op != d->a->op || !(r->types >> t & 1) || !has_word(d->a, r->word[0]) ||
		    !has_word(d->a, r->word[1]))
			continue;
		for (unsigned k = 0; k < 2; k++)
			if (r->word[k] != W_NONE)
				decode_has(d, (enum ptx_word)r->word[k]);
		return r;
	}
	return NULL;
}

/* ---- its options ---- */

static int
decode_row_options(struct decode *d, struct prog_inst *in, const struct alu_row *r)
{
	for (size_t i = 0; i < ARRAY_LEN(word_flags); i++)
		if (r->word[0] == word_flags[i].word || r->word[1] == word_flags[i].word)
			in->flags |= word_flags[i].flag;
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		if (!strchr(r->options, options[i].letter))
			continue;
		if (decode_has(d, (enum ptx_word)options[i].word))
			in->flags |= options[i].flag;
		else if (options[i].needed)
			return decode_error(d, "expected .%s",
					    ast_word_text((enum ptx_word)options[i].word));
	}
	if (strchr(r->options, 'i'))
		in->flags |= PF_CC_IN;
	if (strchr(r->options, 'L') && decode_has(d, W_relu))
		in->sub = W_relu;
	if (strchr(r->options, 'X') && decode_has(d, W_xorsign)) {
		if (!decode_has(d, W_abs))
			return decode_error(d, "expected .xorsign.abs");
		in->flags |= PF_XORSIGN;
	}
	if (!strchr(r->options, 'R') && !strchr(r->options, 'r'))
		return 0;
	in->rnd = (uint8_t)decode_round(d);
	if (in->op == PTX_mad && in->rnd == RND_NONE && d->m->ast->sm < 20)
		in->rnd = RND_RN; /* for sm_13 and before it has no rounding modifier; it is
				     computed like fma, which those lack */
	if (in->rnd > RND_RP || (in->rnd == RND_NONE && strchr(r->options, 'r')))
		return decode_error(d, "expected a rounding: .rn, .rz, .rm or .rp");
	return 0;
}

/* ---- its operands ---- */

static enum ptx_type
get_double_width(enum ptx_type t)
{
	return (enum ptx_type)(t + 1); /* types.h lists them by size */
}

static int
decode_row_dst(struct decode *d, struct prog_inst *in, enum ptx_type t, char letter)
{
	const struct ast_opnd *o = decode_opnd(d, 0), *value = o;

	in->n_dst = 1;
	if (letter == 'P') {
		if (o->kind != AST_PAIR)
			return decode_error(d, "expected d|p as destination");
		value = decode_elem(d, o, 0);
		in->n_dst = 2;
		if (decode_dst(d, decode_elem(d, o, 1), TY_PRED, false, &in->dst[1]))
			return -1;
	}
	if (letter == 'w')
		in->type2 = (uint8_t)get_double_width(t);
	return decode_dst(d, value,
			  letter == 'w'	  ? get_double_width(t)
			  : letter == 'u' ? TY_U32
			  : letter == 'p' ? TY_PRED
					  : t,
			  false, &in->dst[0]);
}

static int
decode_row_src(struct decode *d, struct prog_inst *in, enum ptx_type t, char letter,
	       const struct ast_opnd *o)
{
	struct opnd *out = &in->src[in->n_src];
	bool negated = false;

	switch (letter) {
	case 'k':
		if (o->kind != AST_INT || o->bits < 0 || o->bits > 255)
			return decode_error(d, "expected a constant from 0 to 255");
		in->imm = o->bits;
		return 0;
	case 'p':
		in->n_src++;
		if (decode_pred(d, o, out, in->op == PTX_lop3 ? &negated : NULL))
			return -1;
		in->sub2 = negated;
		return 0;
	default:
		in->n_src++;
		return decode_value(d, o,
				    letter == 'w'   ? get_double_width(t)
				    : letter == 'u' ? TY_U32
						    : t,
				    out);
	}
}

static int
decode_row(struct decode *d, struct prog_inst *in)
{
	enum ptx_type t = decode_type(d, 0);
	const struct alu_row *r = find_row(d, t);
	uint32_t n;

	if (!r)
		return report_no_row(d, t);
	n = (uint32_t)strlen(r->operands);
	in->fn = alu_is_wide() ? r->wide : r->fn;
	in->type = (uint8_t)t;
	in->sub = r->sub;
	if (decode_row_options(d, in, r) || decode_count(d, n, n) ||
	    decode_row_dst(d, in, t, r->operands[0]))
		return -1;
	for (uint32_t i = 1; i < n; i++)
		if (decode_row_src(d, in, t, r->operands[i], decode_opnd(d, i)))
			return -1;
	return 0;
}

/* ---- dp4a, dp2a, video: the k-th type belongs to the k-th operand ---- */

/* The k-th type, which must be .u32 or .s32. */
static int
decode_word_type(struct decode *d, uint32_t k, uint8_t *out)
{
	*out = (uint8_t)decode_type(d, k);
	if (*out == TY_U32 || *out == TY_S32)
		return 0;
	return decode_error(d, "expected .u32 or .s32 as type %u", k + 1);
}

static int
decode_word_operands(struct decode *d, struct prog_inst *in, uint32_t n_src)
{
	in->n_dst = 1;
	in->n_src = (uint8_t)n_src;
	if (decode_dst(d, decode_opnd(d, 0), TY_U32, false, &in->dst[0]))
		return -1;
	for (uint32_t i = 0; i < n_src; i++)
		if (decode_value(d, decode_opnd(d, i + 1), TY_U32, &in->src[i]))
			return -1;
	return 0;
}

static int
decode_dot(struct decode *d, struct prog_inst *in)
{
	in->fn = in->op == PTX_dp4a ? alu_dp4a : alu_dp2a;
	if (in->op == PTX_dp2a) {
		bool hi = decode_has(d, W_hi);

		if (hi == decode_has(d, W_lo))
			return decode_error(d, "expected .lo or .hi");
		in->flags |= hi ? PF_HI : 0;
	}
	if (decode_word_type(d, 0, &in->type) || decode_word_type(d, 1, &in->type2) ||
	    decode_count(d, 4, 4))
		return -1;
	return decode_word_operands(d, in, 3);
}

static const enum ptx_word second_words[] = {W_add, W_min, W_max};
static const enum ptx_word compare_words[] = {W_eq, W_ne, W_lt, W_le, W_gt, W_ge};
static const enum ptx_word shift_words[] = {W_clamp, W_wrap};

/* In vmad {-}a, {-}b, {-}c at most one of product and c is negated, and then .po is not allowed. */
static int
decode_vmad_modes(struct decode *d, struct alu_video *v)
{
	bool product = decode_opnd(d, 1)->negate != decode_opnd(d, 2)->negate;
	bool c = decode_opnd(d, 3)->negate, po = decode_has(d, W_po);

	if (product + c + po > 1)
		return decode_error(
			d, "at most one is possible: a negated product, a negated c, or .po");
	v->negate = (uint8_t)(product | c << 1 | po << 2);
	v->mode = decode_has(d, W_shr7) ? 7 : decode_has(d, W_shr15) ? 15 : 0;
	return 0;
}

static int
decode_video_types(struct decode *d, struct prog_inst *in, struct alu_video *v)
{
	uint8_t dst = TY_U32;
	uint32_t k = 0;

	if (in->op != PTX_vset && decode_word_type(d, k++, &dst))
		return -1;
	v->d_signed = ptx_is_signed((enum ptx_type)dst);
	if (decode_word_type(d, k, &in->type) || decode_word_type(d, k + 1, &in->type2))
		return -1;
	if ((in->op == PTX_vshl || in->op == PTX_vshr) && in->type2 != TY_U32)
		return decode_error(d, "the amount of a shift is .u32");
	return 0;
}

static int
decode_video_modes(struct decode *d, struct prog_inst *in, struct alu_video *v)
{
	int k;

	if (in->op == PTX_vmad)
		return decode_vmad_modes(d, v);
	for (uint32_t i = 0; i < d->a->n_opnd; i++)
		if (decode_opnd(d, i)->negate)
			return decode_error(d, "only vmad can negate its operands");
	if (in->op == PTX_vset || in->op == PTX_vshl || in->op == PTX_vshr) {
		bool set = in->op == PTX_vset;
		const enum ptx_word *w = set ? compare_words : shift_words;

		k = decode_one_of(d, w, set ? ARRAY_LEN(compare_words) : ARRAY_LEN(shift_words));
		if (k < 0)
			return decode_error(d, set ? "expected a comparison such as .lt"
						   : "expected .clamp or .wrap");
		v->mode = (uint8_t)w[k];
	}
	k = decode_one_of(d, second_words, ARRAY_LEN(second_words));
	v->second = k < 0 ? W_NONE : (uint8_t)second_words[k];
	return 0;
}

static int
decode_video(struct decode *d, struct prog_inst *in)
{
	bool quad = in->op == PTX_vabsdiff4;
	bool mad = in->op == PTX_vmad;
	struct alu_video v = {0};
	uint32_t n = 4;

	if (decode_video_types(d, in, &v) || decode_count(d, mad || quad ? 4 : 3, 4) ||
	    decode_video_modes(d, in, &v))
		return -1;
	in->fn = mad ? alu_vmad : quad ? alu_vabsdiff4 : alu_video;
	in->flags |= in->op != PTX_vset && decode_has(d, W_sat) ? PF_SAT : 0;
	v.d_sel = decode_opnd(d, 0)->sel;
	v.a_sel = decode_opnd(d, 1)->sel;
	v.b_sel = decode_opnd(d, 2)->sel;
	if (quad && (v.d_sel || v.a_sel || v.b_sel))
		return decode_unsupported(d, "a selector or mask of vabsdiff4");
	if (!mad && !quad) {
		n = v.second || v.d_sel ? 4 : 3;
		if (v.second && v.d_sel)
			return decode_error(
				d, "a second operation and a part of d cannot be combined");
	} else if (v.d_sel || (quad && v.second && v.second != W_add)) {
		return decode_error(d, "this destination or second operation is not possible");
	}
	if (decode_count(d, n, n))
		return -1;
	memcpy(&in->imm, &v, sizeof(v));
	return decode_word_operands(d, in, n - 1);
}

/* Decodes vadd2 and so on: each half or byte of a is combined with that of b. */
static int
decode_simd(struct decode *d, struct prog_inst *in)
{
	bool set = in->op == PTX_vset2 || in->op == PTX_vset4;
	struct alu_video v = {.d_signed = false};
	uint32_t k = 0;
	uint8_t dst = TY_U32;
	int cmp;

	if ((!set && decode_word_type(d, k++, &dst)) || decode_word_type(d, k, &in->type) ||
	    decode_word_type(d, k + 1, &in->type2) || decode_count(d, 4, 4))
		return -1;
	v.d_signed = ptx_is_signed((enum ptx_type)dst);
	if (set) {
		cmp = decode_one_of(d, compare_words, ARRAY_LEN(compare_words));
		if (cmp < 0)
			return decode_error(d, "expected a comparison such as .lt");
		v.mode = (uint8_t)compare_words[cmp];
	} else if (decode_has(d, W_sat)) {
		in->flags |= PF_SAT;
	}
	v.second = decode_has(d, W_add) ? W_add : W_NONE;
	for (k = 0; k < 4; k++)
		if (decode_opnd(d, k)->sel || decode_opnd(d, k)->negate)
			return decode_unsupported(d, "a selector, mask or sign");
	in->fn = alu_simd;
	memcpy(&in->imm, &v, sizeof(v));
	return decode_word_operands(d, in, 3);
}

int
decode_alu(struct decode *d, struct prog_inst *in)
{
	if (in->op == PTX_dp4a || in->op == PTX_dp2a)
		return decode_dot(d, in);
	if (in->op >= PTX_vadd && in->op <= PTX_vabsdiff4)
		return decode_video(d, in);
	if (in->op >= PTX_vadd2 && in->op <= PTX_vabsdiff2)
		return decode_simd(d, in);
	return decode_row(d, in);
}
