/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_tex.c - decodes tex on 1d, 2d, 3d and cube textures and their arrays, tld4, txq, and suq
 * of sizes. The texture is a .texref or a handle in a register, which includes the sampler.
 *
 *     tex   sub: dimensions; sub2: 1 for arrays; type: of the result; type2: of the coordinates
 *           src: handle, layer of arrays, coordinates; dst: four components; PF_WIDE: a cube
 *     tld4  as tex; rnd: the component
 *     txq   sub: the word that names the property
 *
 * .level and .grad select a mip map, of which there is only one: their operands are ignored. Not
 * supported: a separate sampler, multi-sample textures, offsets, depth comparison, 16-bit results,
 * sparse residency.
 */
#include "record/ptx/mem/tex.h"

/* Reads the two types of .dtype.ctype, the words after the geometry. */
static int
decode_types(struct decode *d, struct prog_inst *in)
{
	in->type = (uint8_t)decode_type(d, 0);
	in->type2 = (uint8_t)decode_type(d, 1);
	if (in->type == TY_F16 || in->type == TY_F16X2)
		return decode_unsupported(d, "a result of 16-bit floats");
	if (in->type != TY_U32 && in->type != TY_S32 && in->type != TY_F32)
		return decode_error(d, "expected a result of .u32, .s32 or .f32");
	if (in->type2 != TY_S32 && in->type2 != TY_F32)
		return decode_error(d, "expected coordinates of .s32 or .f32");
	return 0;
}

static int
decode_geometry(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word known[] = {W_1d, W_2d, W_3d, W_cube, W_a1d, W_a2d, W_acube};
	static const uint8_t dims[] = {1, 2, 3, 2, 1, 2, 2};
	static const enum ptx_word refused[] = {W_2dms, W_a2dms};
	int k;

	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		char what[16];

		if (!decode_has(d, refused[i]))
			continue;
		snprintf(what, sizeof(what), ".%s", ast_word_text(refused[i]));
		return decode_unsupported(d, what);
	}
	decode_has(d, W_base);
	k = decode_one_of(d, known, ARRAY_LEN(known));
	if (k < 0)
		return decode_error(d, "expected one of .1d .2d .3d .cube .a1d .a2d .acube");
	in->sub = dims[k];
	in->sub2 = k >= 4;
	if (known[k] == W_cube || known[k] == W_acube)
		in->flags |= PF_WIDE;
	return 0;
}

static int
decode_coordinates(struct decode *d, const struct ast_opnd *c, struct prog_inst *in)
{
	uint32_t n = (in->flags & PF_WIDE ? 3u : in->sub) + in->sub2;
	uint32_t have = c->kind == AST_VEC ? c->n_elem : 1;

	/* three coordinates are written {x, y, z, w}: vectors have 1, 2 or 4 elements */
	if (have != (n == 3 ? 4 : n))
		return decode_error(d, "expected %u coordinates, found %u", n == 3 ? 4 : n, have);
	for (uint32_t k = 0; k < n; k++) {
		const struct ast_opnd *x = c->kind == AST_VEC ? decode_elem(d, c, k) : c;
		bool layer = in->sub2 && !k;
		enum ptx_type t = layer ? TY_B32 : in->type2 == TY_S32 ? TY_B32 : TY_F32;

		if (decode_value(d, x, t, &in->src[1 + k]) != 0)
			return -1;
	}
	in->n_src = (uint8_t)(1 + n);
	return 0;
}

static int
decode_texture(struct decode *d, const struct ast_opnd *o, struct prog_inst *in)
{
	return decode_value(d, o, TY_U64, &in->src[0]);
}

static int
decode_fetch(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word component[] = {W_r, W_g, W_b, W_a};
	const struct ast_opnd *to = decode_opnd(d, 0), *at = decode_opnd(d, 1);
	uint32_t mips;

	in->fn = tex_fetch;
	in->space = SP_GLOBAL;
	in->vec = 4;
	mips = decode_has(d, W_level) ? 1 : decode_has(d, W_grad) ? 2 : 0;
	if (in->op == PTX_tld4) {
		int c = decode_one_of(d, component, ARRAY_LEN(component));

		if (c < 0)
			return decode_error(d, "expected one of .r .g .b .a");
		in->rnd = (uint8_t)c;
	}
	if (decode_geometry(d, in) != 0 || decode_types(d, in) != 0)
		return -1;
	if (in->op == PTX_tld4 && (in->sub != 2 || mips))
		return decode_unsupported(d, "anything but .2d and .a2d and cubes");
	if (!decode_has(d, W_v4))
		return decode_error(d, "expected .v4");
	if (d->a->n_opnd > 2 + mips)
		return decode_unsupported(d, "an offset or a depth to compare with");
	if (decode_count(d, 2 + mips, 2 + mips) != 0)
		return -1;
	for (uint32_t k = 0; k < mips; k++)
		decode_opnd(d, 2 + k);
	if (at->kind != AST_TEXADDR)
		return decode_error(d, "expected [texture, {coordinates}]");
	if (at->n_elem != 2)
		return decode_unsupported(d, "a sampler in addition to the texture");
	if (to->kind != AST_VEC || to->n_elem != 4)
		return decode_error(d, "expected four registers in braces");
	for (uint32_t k = 0; k < 4; k++)
		if (decode_dst(d, decode_elem(d, to, k), (enum ptx_type)in->type, false,
			       &in->dst[k]) != 0)
			return -1;
	in->n_dst = 4;
	if (decode_texture(d, decode_elem(d, at, 0), in) != 0)
		return -1;
	return decode_coordinates(d, decode_elem(d, at, 1), in);
}

int
decode_query(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word known[] = {
		W_width, W_height, W_depth, W_array_size, W_normalized_coords, W_num_mipmap_levels};
	const struct ast_opnd *o = decode_opnd(d, 1);
	int k = decode_one_of(d, known, ARRAY_LEN(known));

	if (k < 0)
		return decode_unsupported(d, "this query of a texture");
	in->sub = (uint8_t)known[k];
	in->fn = tex_query;
	in->type = (uint8_t)decode_type(d, 0);
	in->n_dst = in->n_src = 1;
	if (decode_count(d, 2, 2) != 0 ||
	    decode_dst(d, decode_opnd(d, 0), TY_B32, false, &in->dst[0]))
		return -1;
	if (o->kind == AST_ADDR && o->bits == 0)
		o = decode_elem(d, o, 0);
	return decode_texture(d, o, in);
}

int
decode_tex(struct decode *d, struct prog_inst *in)
{
	return in->op == PTX_txq ? decode_query(d, in) : decode_fetch(d, in);
}
