/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode_surf.c - decodes suld.b, sust.b and sust.p on surfaces of one to three dimensions and
 * their arrays, and suq.
 *
 * The decoder stores for suld and sust:
 *
 * - sub: the number of dimensions. sub2: 1 for arrays. rnd: enum surf_mode.
 * - type: the type of an element. vec: the number of elements.
 * - src: the handle, the layer of an array, the coordinates. The x coordinate counts bytes; of
 *   sust.p (PF_WIDE) it counts texels.
 * - dst: the elements of suld. The elements of sust are matrix C of prog_func.more.
 *
 * suq is decoded as txq. Not supported: sured.
 */
#include "record/ptx/mem/tex.h"

static int
decode_surf_geometry(struct decode *d, struct prog_inst *in)
{
	static const enum ptx_word known[] = {W_1d, W_2d, W_3d, W_a1d, W_a2d};
	static const uint8_t dims[] = {1, 2, 3, 1, 2};
	static const enum ptx_word modes[] = {W_trap, W_clamp, W_zero};
	int k = decode_one_of(d, known, ARRAY_LEN(known)),
	    mode = decode_one_of(d, modes, ARRAY_LEN(modes));

	if (k < 0)
		return decode_error(d, "expected one of .1d .2d .3d .a1d .a2d");
	if (mode < 0)
		return decode_error(d, "expected .trap, .clamp or .zero");
	in->sub = dims[k];
	in->sub2 = k >= 3;
	in->rnd = (uint8_t)mode;
	return 0;
}

/* Layer and coordinates. Three of them are written as a vector of four, whose last element is
 * ignored. */
static int
decode_surf_place(struct decode *d, const struct ast_opnd *at, struct prog_inst *in)
{
	uint32_t n = in->sub + in->sub2, have;
	const struct ast_opnd *c;

	if (!at || at->kind != AST_TEXADDR || at->n_elem != 2)
		return decode_error(d, "expected [surface, {coordinates}]");
	c = decode_elem(d, at, 1);
	have = c->kind == AST_VEC ? c->n_elem : 1;
	if (have != (n == 3 ? 4 : n))
		return decode_error(d, "expected %u coordinates, found %u", n == 3 ? 4 : n, have);
	if (decode_value(d, decode_elem(d, at, 0), TY_U64, &in->src[0]))
		return -1;
	for (uint32_t k = 0; k < n; k++)
		if (decode_value(d, c->kind == AST_VEC ? decode_elem(d, c, k) : c, TY_B32,
				 &in->src[1 + k]))
			return -1;
	in->n_src = (uint8_t)(1 + n);
	return 0;
}

/* The registers of the elements. */
static int
decode_surf_data(struct decode *d, const struct ast_opnd *o, struct prog_inst *in, bool load)
{
	enum ptx_type t = (enum ptx_type)in->type;
	struct prog_more *m = NULL;

	if (!o || (o->kind == AST_VEC ? o->n_elem : 1u) != in->vec)
		return decode_error(d, "expected %u registers in braces", in->vec);
	if (!load) {
		in->ext = d->f->n_more++;
		m = &d->f->more[in->ext];
		m->n[MAT_C] = in->vec;
	}
	for (uint32_t k = 0; k < in->vec; k++) {
		const struct ast_opnd *x = o->kind == AST_VEC ? decode_elem(d, o, k) : o;

		if (load ? decode_dst(d, x, t, true, &in->dst[k])
			 : decode_wider(d, x, t, &m->o[MAT_C][k]))
			return -1;
	}
	in->n_dst = load ? in->vec : 0;
	return 0;
}

static int
decode_access(struct decode *d, struct prog_inst *in)
{
	bool load = in->op == PTX_suld;

	if (!load && decode_has(d, W_p))
		in->flags |= PF_WIDE;
	else if (!decode_has(d, W_b))
		return decode_unsupported(d, load ? "anything but .b" : "anything but .b and .p");
	in->space = SP_GLOBAL;
	in->vec = decode_has(d, W_v4) ? 4 : decode_has(d, W_v2) ? 2 : 1;
	in->type = (uint8_t)decode_type(d, 0);
	decode_mem_hints(d);
	if (in->type < TY_B8 || in->type > TY_B64)
		return decode_error(d, "expected .b8, .b16, .b32 or .b64");
	if (in->flags & PF_WIDE && in->type != TY_B32)
		return decode_error(d, "sust.p is of .b32");
	if (in->vec * ptx_type_bytes((enum ptx_type)in->type) > 16)
		return decode_error(d, "more than 16 bytes");
	in->fn = load ? surf_load : in->flags & PF_WIDE ? surf_store_texel : surf_store;
	if (decode_surf_geometry(d, in) || decode_count(d, 2, 2) ||
	    decode_surf_place(d, decode_opnd(d, load ? 1 : 0), in))
		return -1;
	return decode_surf_data(d, decode_opnd(d, load ? 0 : 1), in, load);
}

int
decode_surf(struct decode *d, struct prog_inst *in)
{
	if (in->op == PTX_suq)
		return decode_query(d, in);
	return decode_access(d, in);
}
