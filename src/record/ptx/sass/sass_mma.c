/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sass_mma.c - expands matrix instructions, asynchronous copies, and surfaces.
 *
 * A row of arch.def gives the products of one machine instruction (wmma.m16n16k16 is 16 HMMA.884 on
 * Volta, as cuobjdump shows); f8 is expanded as f16. ldmatrix is one load of shared memory, 16
 * bytes for each row. cp.async is LDGSTS since Ampere, and its groups are LDGDEPBAR and DEPBAR; on
 * earlier machines it is a load and a store.
 */
#include "record/ptx/sass/sass_part.h"

#include "record/ptx/alu/mma.h"
#include "record/ptx/mem/async.h"

#include <string.h>

/* Adds the registers of a matrix, as many as the instruction has room for. */
static void
add_matrix(struct expand *x, struct sass *s, uint32_t mat, bool dst)
{
	const struct prog_more *m = &x->f->more[x->in->ext];

	for (uint32_t k = 0; k < m->n[mat]; k++) {
		uint32_t reg = sass_reg(x, m->o[mat][k], false);

		if (dst)
			sass_add_dst(s, reg);
		else
			sass_add_src(s, reg);
	}
}

/* Writes the name of the instruction of a product; *each is the number of products it makes. */
static void
name_product(const struct expand *x, char op[SASS_TEXT], uint32_t *each)
{
	static const struct {
		uint8_t element;
		struct {
			const char *op;
			uint32_t each;
		} of[GENERATIONS];
	} rows[] = {
#define PRODUCT(element, volta, nv, turing, nt, ampere, na) \
	{EL_##element, {{volta, nv}, {turing, nt}, {ampere, na}}},
#include "record/ptx/arch.def"
	};
	const char *sum = x->in->type == EL_F16 ? "F16" : "F32", *from;
	uint32_t row = 0, n = 0;

	for (uint32_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].element == x->in->sub)
			row = i;
	*each = rows[row].of[x->generation].each;
	for (from = rows[row].of[x->generation].op; *from && n + 4 < SASS_TEXT; from++)
		if (from[0] == '%')
			n += (uint32_t)snprintf(op + n, SASS_TEXT - n, "%s", (from++, sum));
		else
			op[n++] = *from;
	op[n] = '\0';
}

/* Adds the registers of a matrix that instruction i of n reads: its part of D and C; its part of A
 * and B if there are enough registers, else one of them in turn. On Volta one register of each. */
static void
add_part(struct expand *x, struct sass *s, uint32_t mat, uint32_t i, uint32_t n)
{
	const struct prog_more *m = &x->f->more[x->in->ext];
	uint32_t all = m->n[mat], of_each = x->generation == GEN_VOLTA ? 1 : MAX(all / n, 1u);
	bool in_turn = (mat == MAT_A || mat == MAT_B) && (x->generation == GEN_VOLTA || n > all);
	uint32_t first = in_turn ? i % all : i * all / n;

	for (uint32_t k = first; k < MIN(first + of_each, all); k++)
		sass_add_src(s, sass_reg(x, m->o[mat][k], false));
}

static void
expand_product(struct expand *x)
{
	struct mma_shape s = mma_shape_of(x->in);
	uint32_t all = (uint32_t)s.m * s.n * s.k * (x->in->vec == MMA_QUARTERS ? 4 : 1), each, n;
	char op[SASS_TEXT];

	name_product(x, op, &each);
	n = MIN(MAX(all / each, 1u), (uint32_t)SASS_MAX);
	for (uint32_t i = 0; i < n; i++) {
		struct sass *one = sass_add(x, op);

		add_part(x, one, MAT_D, i, n);
		memcpy(one->dst, one->src, sizeof(one->dst));
		one->n_dst = MIN(one->n_src, (uint8_t)INST_MAX_DST);
		one->n_src = 0;
		add_part(x, one, MAT_A, i, n);
		add_part(x, one, MAT_B, i, n);
		add_part(x, one, i ? MAT_D : MAT_C, i, n);
	}
}

static void
expand_fragment(struct expand *x)
{
	const struct prog_inst *in = x->in;
	bool load = in->fn == exec_wmma_load, shared = in->space == SP_SHARED;
	uint32_t rows, cols, bytes;
	char op[SASS_TEXT];
	struct sass *s;

	mma_size(mma_shape_of(in), in->sub2, &rows, &cols);
	bytes = rows * cols * mma_elem_bits((enum mma_elem)in->sub) / 8 / WARP_SIZE;
	snprintf(op, sizeof(op), "%s%s%s",
		 shared			  ? (load ? "LDS" : "STS")
		 : in->space == SP_GLOBAL ? (load ? "LDG.E" : "STG.E")
		 : load			  ? "LD.E"
					  : "ST.E",
		 bytes >= 16  ? ".128"
		 : bytes == 8 ? ".64"
			      : "",
		 shared ? "" : sass_get_name(SASS_SYSTEM, x->generation));
	s = sass_add(x, op);
	s->accesses_memory = true;
	sass_all_sources(x, s, false);
	add_matrix(x, s, load ? MAT_D : MAT_C, load);
}

/* Expands cp.async.commit_group, wait_group N, and wait_all, which is both. For bulk copies they do
 * nothing. */
static void
expand_copy_group(struct expand *x)
{
	bool groups = x->generation >= GEN_AMPERE && !sass_has_word(x, W_bulk);

	if (groups && !sass_has_word(x, W_wait_group))
		sass_add(x, "LDGDEPBAR");
	if (groups && !sass_has_word(x, W_commit_group))
		sass_add(x, "DEPBAR.LE")->imm = (uint8_t)x->in->imm;
	if (!groups)
		sass_add(x, "NOP");
}

static void
expand_copy(struct expand *x)
{
	const struct prog_inst *in = x->in;
	const char *wide = in->vec == 16 ? ".128" : in->vec == 8 ? ".64" : "";
	char op[SASS_TEXT];
	struct sass *s;

	bool bulk = in->fn == exec_bulk;

	if (in->fn != exec_cp_async && !bulk) {
		expand_copy_group(x);
		return;
	}
	if (!bulk && x->generation >= GEN_AMPERE) {
		snprintf(op, sizeof(op), "LDGSTS.E%s%s", sass_has_word(x, W_cg) ? ".BYPASS" : "",
			 wide);
		s = sass_add(x, op);
		s->accesses_memory = true;
		sass_add_src(s, sass_reg(x, in->src[0], false));
		sass_add_src(s, sass_reg(x, in->src[1], false));
		return;
	}
	if (bulk && in->sub != BULK_LOAD)
		snprintf(op, sizeof(op), "LDS%s", wide);
	else
		snprintf(op, sizeof(op), "LDG.E%s%s", wide,
			 sass_get_name(SASS_SYSTEM, x->generation));
	s = sass_add(x, op);
	s->accesses_memory = true;
	sass_add_src(s, sass_reg(x, in->src[1], false));
	if (bulk && in->sub == BULK_STORE)
		snprintf(op, sizeof(op), "STG.E%s%s", wide,
			 sass_get_name(SASS_SYSTEM, x->generation));
	else
		snprintf(op, sizeof(op), "STS%s", wide);
	s = sass_add(x, op);
	s->accesses_memory = true;
	sass_add_src(s, sass_reg(x, in->src[0], false));
}

static void
expand_barrier(struct expand *x)
{
	const struct prog_inst *in = x->in;
	struct sass *s;

	if (in->sub == MBAR_PENDING) {
		s = sass_add(x, "SHF.R.U32.HI");
		sass_all_sources(x, s, false);
		sass_add_dst(s, sass_reg(x, in->dst[0], false));
		return;
	}
	s = sass_add(x, in->sub == MBAR_INIT || in->sub == MBAR_INVAL ? "STS.64"
			: in->sub == MBAR_TEST			      ? "LDS.64"
								      : "ATOMS.ADD.64");
	s->accesses_memory = true;
	sass_all_sources(x, s, false);
	if (in->n_dst)
		sass_add_dst(s, sass_reg(x, in->dst[0], false));
	if (in->sub == MBAR_TEST)
		sass_add(x, "ISETP.NE.AND");
}

/* Expands an access to a surface, which is in global memory. */
static void
expand_surface(struct expand *x)
{
	const struct prog_inst *in = x->in;
	uint32_t bytes = ptx_type_bytes((enum ptx_type)in->type) * in->vec;
	bool load = in->op == PTX_suld;
	char op[SASS_TEXT];
	struct sass *s;

	snprintf(op, sizeof(op), "%s%s%s", load ? "LDG.E" : "STG.E",
		 bytes == 1    ? ".U8"
		 : bytes == 2  ? ".U16"
		 : bytes == 8  ? ".64"
		 : bytes == 16 ? ".128"
			       : "",
		 sass_get_name(SASS_SYSTEM, x->generation));
	s = sass_add(x, op);
	s->accesses_memory = true;
	sass_all_sources(x, s, false);
	for (uint32_t k = 0; k < in->n_dst; k++)
		sass_add_dst(s, sass_reg(x, in->dst[k], false));
	if (!load)
		add_matrix(x, s, MAT_C, false);
}

static const char *
load_matrix(const struct expand *x, char op[SASS_TEXT])
{
	const char *name = sass_get_name(SASS_LDMATRIX, x->generation);

	snprintf(op, SASS_TEXT, "%s%s", name,
		 x->generation == GEN_VOLTA || x->in->n_dst < 2 ? ""
		 : x->in->n_dst == 2				? ".2"
								: ".4");
	return op;
}

void
sass_matrix(struct expand *x)
{
	char op[SASS_TEXT];
	struct sass *s;

	switch (x->in->op) {
	case PTX_ldmatrix:
	case PTX_stmatrix:
		s = sass_add(x, x->in->op == PTX_ldmatrix ? load_matrix(x, op) : "STS.128");
		s->accesses_memory = true;
		sass_all_sources(x, s, false);
		for (uint32_t k = 0; k < x->in->n_dst; k++)
			sass_add_dst(s, sass_reg(x, x->in->dst[k], false));
		break;
	case PTX_movmatrix:
		s = sass_add(x, sass_get_name(SASS_MOVMATRIX, x->generation));
		sass_all_sources(x, s, false);
		sass_add_dst(s, sass_reg(x, x->in->dst[0], false));
		break;
	case PTX_cp:
		if (x->in->fn == exec_mbarrier)
			expand_barrier(x);
		else
			expand_copy(x);
		break;
	case PTX_suld:
	case PTX_sust:
		expand_surface(x);
		break;
	case PTX_mbarrier:
		expand_barrier(x);
		break;
	default:
		if (x->in->fn == exec_wmma_load || x->in->fn == exec_wmma_store)
			expand_fragment(x);
		else
			expand_product(x);
	}
}
