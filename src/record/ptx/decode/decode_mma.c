/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_mma.c - decodes instructions on matrices in registers: mma wmma ldmatrix stmatrix
 * movmatrix. mma.h describes the fields for their functions.
 *
 * Supported: mma.sync of f16 (m8n8k4, m16n8k8, m16n8k16), bf16 (the last two), tf32 (m16n8k4,
 * m16n8k8), f64 (m8n8k4 and m16n8k4 to k16), e4m3 and e5m2 (m16n8k16, m16n8k32), s8 and u8
 * (m8n8k16, m16n8k16, m16n8k32), s4 and u4 (m8n8k32, m16n8k32, m16n8k64), b1 (m8n8k128, m16n8k128,
 * m16n8k256); all of wmma on f16, bf16, tf32, f64, s8 and u8. The size of a matrix gives its number
 * of registers.
 *
 * Not supported: wmma of 4 and 1 bits, e3m2 and smaller floats, scaled and sparse matrices; wgmma.
 */
#include "record/ptx/alu/alu.h"
#include "record/ptx/alu/mma.h"
#include "record/ptx/mem/mem.h"

#include <string.h>

static const struct {
	uint16_t word;
	struct mma_shape s;
} shapes[] = {
	{W_m8n8k4, {8, 8, 4}},	   {W_m8n8k16, {8, 8, 16}},	{W_m16n8k4, {16, 8, 4}},
	{W_m16n8k8, {16, 8, 8}},   {W_m16n8k16, {16, 8, 16}},	{W_m16n8k32, {16, 8, 32}},
	{W_m16n16k8, {16, 16, 8}}, {W_m16n16k16, {16, 16, 16}}, {W_m32n8k16, {32, 8, 16}},
	{W_m8n32k16, {8, 32, 16}}, {W_m8n8k32, {8, 8, 32}},	{W_m16n8k64, {16, 8, 64}},
	{W_m8n8k128, {8, 8, 128}}, {W_m16n8k128, {16, 8, 128}}, {W_m16n8k256, {16, 8, 256}},
};

static int
decode_shape(struct decode *d, struct prog_inst *in)
{
	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		struct mma_shape s = shapes[i].s;

		if (!decode_has(d, (enum ptx_word)shapes[i].word))
			continue;
		in->target = s.m | (uint32_t)s.n << 8 | (uint32_t)s.k << 16;
		return 0;
	}
	return decode_unsupported(d, "this shape");
}

/* Reads the element types among the modifiers, in order; returns how many there are. */
static uint32_t
decode_elems(struct decode *d, enum mma_elem to[4])
{
	static const struct {
		uint16_t word;
		uint8_t elem;
	} known[] = {{W_f16, EL_F16},  {W_bf16, EL_BF16}, {W_tf32, EL_TF32}, {W_f32, EL_F32},
		     {W_f64, EL_F64},  {W_s8, EL_S8},	  {W_u8, EL_U8},     {W_s32, EL_S32},
		     {W_s4, EL_S4},    {W_u4, EL_U4},	  {W_b1, EL_B1},     {W_e4m3, EL_E4M3},
		     {W_e5m2, EL_E5M2}};
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->a->n_word; i++)
		for (size_t k = 0; k < ARRAY_LEN(known); k++)
			if (d->a->word[i] == known[k].word && n < 4) {
				to[n++] = (enum mma_elem)known[k].elem;
				d->used |= 1u << i;
			}
	return n;
}

static struct prog_more *
more_new(struct decode *d, struct prog_inst *in)
{
	struct prog_more *m;

	in->ext = d->f->n_more++;
	m = &d->f->more[in->ext];
	memset(m, 0, sizeof(*m));
	return m;
}

/* Decodes operand k, the registers of matrix mat with elements e. */
static int
decode_matrix(struct decode *d, uint32_t k, struct prog_inst *in, uint32_t mat, enum mma_elem e,
	      uint32_t as)
{
	const struct ast_opnd *o = decode_opnd(d, k);
	struct prog_more *m = &d->f->more[in->ext];
	uint32_t rows, cols, n, have;
	enum ptx_type t = e == EL_F64 ? TY_F64 : e == EL_F32 ? TY_F32 : TY_B32;

	mma_size(mma_shape_of(in), as, &rows, &cols);
	n = rows * cols / ((in->vec == MMA_QUARTERS ? 8u : WARP_SIZE) * mma_per_reg(e));
	have = !o ? 0 : o->kind == AST_VEC ? o->n_elem : 1;
	if (in->op == PTX_wmma && e == EL_F16 && as != MAT_C)
		n = MAT_REGS;
	if (!n || n > MAT_REGS)
		return decode_unsupported(d, "this shape with this type");
	if (have != n)
		return decode_error(d, "expected %u register%s in operand %u, found %u", n,
				    n == 1 ? "" : "s", k + 1, have);
	m->n[mat] = (uint8_t)n;
	for (uint32_t i = 0; i < n; i++) {
		const struct ast_opnd *x = o->kind == AST_VEC ? decode_elem(d, o, i) : o;
		struct opnd *to = &m->o[mat][i];

		if (mat == MAT_D ? decode_dst(d, x, t, false, to) : decode_value(d, x, t, to))
			return -1;
	}
	return 0;
}

/* ---------------------------------------------------------------- products */

/* A and B may have different types of one family: those with the same number of bits, but f16, bf16
 * and tf32 do not mix. */
enum { FAMILY_NONE, FAMILY_F64, FAMILY_FLOAT, FAMILY_F8, FAMILY_INT8, FAMILY_INT4, FAMILY_BIT };

static int
get_family(enum mma_elem e)
{
	static const uint8_t of[] = {
		[EL_F64] = FAMILY_F64,	  [EL_F16] = FAMILY_FLOAT, [EL_BF16] = FAMILY_FLOAT,
		[EL_TF32] = FAMILY_FLOAT, [EL_E4M3] = FAMILY_F8,   [EL_E5M2] = FAMILY_F8,
		[EL_S8] = FAMILY_INT8,	  [EL_U8] = FAMILY_INT8,   [EL_S4] = FAMILY_INT4,
		[EL_U4] = FAMILY_INT4,	  [EL_B1] = FAMILY_BIT,
	};

	return e < ARRAY_LEN(of) ? of[e] : FAMILY_NONE;
}

/* Whether the types of D, A, B and C are allowed together. */
static bool
types_match(const enum mma_elem e[MATS])
{
	int is = get_family(e[MAT_A]);
	bool half = e[MAT_A] == EL_F16 || is == FAMILY_F8; /* D and C may be f16 */

	if (is == FAMILY_NONE || get_family(e[MAT_B]) != is)
		return false;
	if (is == FAMILY_F64)
		return e[MAT_C] == EL_F64 && e[MAT_D] == EL_F64;
	if (is >= FAMILY_INT8)
		return e[MAT_C] == EL_S32 && e[MAT_D] == EL_S32;
	if (is == FAMILY_FLOAT && e[MAT_A] != e[MAT_B])
		return false;
	return (e[MAT_D] == EL_F32 || (half && e[MAT_D] == EL_F16)) &&
	       (e[MAT_C] == EL_F32 || (half && e[MAT_C] == EL_F16));
}

/* In m8n8k4 of f16, .row and .col describe A and B. */
static void
decode_quarters(struct decode *d, struct prog_inst *in)
{
	uint32_t n = 0;

	in->vec = MMA_QUARTERS;
	for (uint32_t i = 0; i < d->a->n_word; i++) {
		if (d->a->word[i] == W_col)
			in->flags |= n ? PF_HI : PF_WIDE;
		n += d->a->word[i] == W_col || d->a->word[i] == W_row;
	}
}

/* Checks the shape for A and B with elements e. A row of A fills 16 or 32 bytes of registers,
 * except for f64. */
static int
check_product(struct decode *d, struct prog_inst *in, enum mma_elem e)
{
	struct mma_shape s = mma_shape_of(in);
	uint32_t bits = s.k * mma_elem_bits(e);

	if (in->op == PTX_wmma)
		return get_family(e) >= FAMILY_INT4 || get_family(e) == FAMILY_F8
			       ? decode_unsupported(d, "a product of these types")
			       : 0;
	if (e == EL_F16 && s.k == 4 && s.m == 8) {
		decode_quarters(d, in);
		return 0;
	}
	if (s.n != 8 || (e != EL_F64 && bits != 128 && bits != 256) ||
	    (s.m == 8 && get_family(e) < FAMILY_INT8 && e != EL_F64))
		return decode_unsupported(d, "this shape with this type");
	return 0;
}

/* A product of bits names its operations. */
static int
decode_bits(struct decode *d, struct prog_inst *in)
{
	bool differ = decode_has(d, W_xor), both = decode_has(d, W_and);

	if (differ == both || !decode_has(d, W_popc))
		return decode_error(d, "expected .xor.popc or .and.popc");
	in->flags |= differ ? PF_XORSIGN : 0;
	in->fn = exec_mma_bits;
	return 0;
}

static int
decode_product(struct decode *d, struct prog_inst *in)
{
	enum mma_elem e[4] = {EL_NONE, EL_NONE, EL_NONE, EL_NONE};
	uint32_t n;

	if (!decode_has(d, W_sync) || !decode_has(d, W_aligned))
		return decode_error(d, "expected .sync.aligned");
	if (decode_shape(d, in))
		return -1;
	decode_has(d, W_row);
	decode_has(d, W_col);
	decode_has(d, W_rn);
	if (decode_has(d, W_satfinite))
		in->flags |= PF_SAT;
	n = decode_elems(d, e);
	if (in->op == PTX_wmma && n == 2) { /* the types are those of D and C; A and B are f16 */
		e[MAT_C] = e[1];
		e[MAT_A] = e[MAT_B] = EL_F16;
		n = 4;
	}
	if (n != 4 || !types_match(e))
		return decode_unsupported(d, "a product of these types");
	if (check_product(d, in, e[MAT_A]))
		return -1;
	in->type = (uint8_t)e[MAT_D];
	in->sub = (uint8_t)e[MAT_A];
	in->sub2 = (uint8_t)e[MAT_B];
	in->type2 = (uint8_t)e[MAT_C];
	in->fn = alu_is_wide() ? exec_mma_wide : exec_mma;
	if (e[MAT_A] == EL_B1 && decode_bits(d, in))
		return -1;
	more_new(d, in);
	if (decode_count(d, 4, 4))
		return -1;
	for (uint32_t k = 0; k < MATS; k++)
		if (decode_matrix(d, k, in, k, e[k], k == MAT_D ? MAT_C : k))
			return -1;
	return 0;
}

/* ---------------------------------------------------------------- wmma.load, wmma.store */

static int
decode_wmma_memory(struct decode *d, struct prog_inst *in, bool load)
{
	static const enum ptx_word mats[] = {W_d, W_a, W_b, W_c};
	enum mma_elem e[4] = {EL_NONE, EL_NONE, EL_NONE, EL_NONE};
	int mat = decode_one_of(d, mats, ARRAY_LEN(mats));
	bool row = decode_has(d, W_row), col = decode_has(d, W_col);

	if (!decode_has(d, W_sync) || !decode_has(d, W_aligned) || row == col)
		return decode_error(d, "expected .sync.aligned and .row or .col");
	if (mat < 0 || (mat == MAT_D) == load)
		return decode_error(d, load ? "expected .a, .b or .c" : "expected .d");
	if (decode_shape(d, in))
		return -1;
	if (decode_elems(d, e) != 1 || mma_elem_bits(e[0]) < 8)
		return decode_unsupported(d, "this type");
	in->space = (uint8_t)decode_space(d);
	in->sub = (uint8_t)e[0];
	in->sub2 = (uint8_t)(mat == MAT_D ? MAT_C : mat);
	in->flags |= col ? PF_WIDE : 0;
	in->fn = load ? exec_wmma_load : exec_wmma_store;
	in->n_src = 2;
	more_new(d, in);
	if (in->space != SP_NONE && in->space != SP_GLOBAL && in->space != SP_SHARED)
		return decode_error(d, "expected .global or .shared");
	if (decode_count(d, 2, 3) || decode_mem_address(d, load ? 1 : 0, in) ||
	    decode_matrix(d, load ? 0 : 1, in, load ? MAT_D : MAT_C, e[0], in->sub2))
		return -1;
	return decode_opnd(d, 2) ? decode_value(d, decode_opnd(d, 2), TY_B32, &in->src[1]) : 0;
}

/* ---------------------------------------------------------------- ldmatrix, stmatrix, movmatrix */

/* Reads the shape, the type and how many matrices there are; vec: the registers of a lane, one for
 * each 8 rows. */
static int
decode_rows_shape(struct decode *d, struct prog_inst *in, bool load)
{
	bool trans = decode_has(d, W_trans), bytes = decode_has(d, W_b8);

	if (!decode_has(d, W_sync) || !decode_has(d, W_aligned) ||
	    !decode_has(d, !bytes ? W_m8n8
			   : load ? W_m16n16
				  : W_m16n8) ||
	    bytes > trans || (!bytes && !decode_has(d, W_b16)))
		return decode_unsupported(
			d,
			load ? "anything but .sync.aligned, .m8n8 of .b16 and .m16n16.trans of .b8"
			     : "anything but .sync.aligned, .m8n8 of .b16 and .m16n8.trans of .b8");
	in->type = bytes ? TY_B8 : TY_B16;
	in->flags |= trans ? PF_WIDE : 0;
	in->vec = decode_has(d, W_x4) ? 4 : decode_has(d, W_x2) ? 2 : 1;
	decode_has(d, W_x1);
	if (load && bytes)
		in->vec = (uint8_t)(2 * in->vec);
	return in->vec <= 4 ? 0 : decode_error(d, "at most two matrices of .m16n16");
}

static int
decode_rows(struct decode *d, struct prog_inst *in)
{
	bool load = in->op == PTX_ldmatrix;
	const struct ast_opnd *o = decode_opnd(d, load ? 0 : 1);

	if (decode_rows_shape(d, in, load))
		return -1;
	in->space = (uint8_t)decode_space(d);
	if (in->space != SP_NONE && in->space != SP_SHARED)
		return decode_error(d, "expected .shared");
	if (decode_count(d, 2, 2) || decode_mem_address(d, load ? 1 : 0, in))
		return -1;
	if ((o->kind == AST_VEC ? o->n_elem : 1u) != in->vec)
		return decode_error(d, "expected %u registers in braces", in->vec);
	for (uint32_t k = 0; k < in->vec; k++) {
		const struct ast_opnd *x = o->kind == AST_VEC ? decode_elem(d, o, k) : o;

		if (load ? decode_dst(d, x, TY_B32, false, &in->dst[k])
			 : decode_value(d, x, TY_B32, &in->src[1 + k]))
			return -1;
	}
	in->n_dst = load ? in->vec : 0;
	in->n_src = load ? 1 : 1 + in->vec;
	in->fn = load ? exec_ldmatrix : exec_stmatrix;
	return 0;
}

static int
decode_movmatrix(struct decode *d, struct prog_inst *in)
{
	if (!decode_has(d, W_sync) || !decode_has(d, W_aligned) || !decode_has(d, W_m8n8) ||
	    !decode_has(d, W_trans) || !decode_has(d, W_b16))
		return decode_unsupported(d, "anything but .sync.aligned.m8n8.trans.b16");
	in->n_dst = in->n_src = 1;
	in->fn = exec_movmatrix;
	if (decode_count(d, 2, 2) || decode_dst(d, decode_opnd(d, 0), TY_B32, false, &in->dst[0]))
		return -1;
	return decode_value(d, decode_opnd(d, 1), TY_B32, &in->src[0]);
}

int
decode_mma(struct decode *d, struct prog_inst *in)
{
	switch (in->op) {
	case PTX_ldmatrix:
	case PTX_stmatrix:
		return decode_rows(d, in);
	case PTX_movmatrix:
		return decode_movmatrix(d, in);
	case PTX_mma:
		return decode_product(d, in);
	default:
		if (decode_has(d, W_load))
			return decode_wmma_memory(d, in, true);
		if (decode_has(d, W_store))
			return decode_wmma_memory(d, in, false);
		if (!decode_has(d, W_mma))
			return decode_error(d, "expected wmma.load, wmma.store or wmma.mma");
		return decode_product(d, in);
	}
}
