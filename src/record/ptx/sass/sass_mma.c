/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sass_mma.c - the machine instructions of matrices, of copies in the background, and of surfaces.
 *
 * A Volta multiplies with HMMA.884, 256 products each for a warp (wmma.m16n16k16 is 16 of them, as
 * cuobjdump shows); bf16 and f8 are taken as f16, tf32 as half as fast. IMMA.8816 is 1024 products,
 * of 4 bits twice, of 1 bit eight times as many. f64 goes through DFMA, 32 products each. Those
 * have no machine instruction on a Volta but one of the same class. ldmatrix is one load of shared
 * memory, 16 bytes for each row. cp.async is the load and the store that machines before sm_80 make
 * of it.
 */
#include "record/ptx/sass/sass_part.h"

#include "record/ptx/alu/mma.h"
#include "record/ptx/mem/async.h"

/* Registers of a matrix, as far as there is room. */
static void
matrix(struct expand *x, struct sass *s, uint32_t mat, bool dst)
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

static void
product(struct expand *x)
{
	struct mma_shape s = mma_shape_of(x->in);
	uint32_t all = (uint32_t)s.m * s.n * s.k * (x->in->vec == MMA_QUARTERS ? 4 : 1), each = 256;
	const struct prog_more *m = &x->f->more[x->in->ext];
	const char *op = x->in->type == EL_F16 ? "HMMA.884.F16.F16" : "HMMA.884.F32.F32";
	uint32_t n;

	switch (x->in->sub) {
	case EL_TF32:
		each = 128;
		break;
	case EL_F64:
		each = 32;
		op = "DFMA";
		break;
	case EL_S8:
	case EL_U8:
		each = 1024;
		op = "IMMA.8816.S8.S8";
		break;
	case EL_S4:
	case EL_U4:
		each = 2048;
		op = "IMMA.8832.S4.S4";
		break;
	case EL_B1:
		each = 8192;
		op = "IMMA.88128.B1.B1";
		break;
	default:
		break;
	}
	n = MIN(MAX(all / each, 1u), (uint32_t)SASS_MAX);
	for (uint32_t i = 0; i < n; i++) {
		struct sass *one = sass_add(x, op);
		uint32_t d = i * m->n[MAT_D] / n;

		/* each makes a part of D, of all of A and B in turn */
		sass_add_dst(one, sass_reg(x, m->o[MAT_D][d], false));
		sass_add_src(one, sass_reg(x, m->o[MAT_A][i % m->n[MAT_A]], false));
		sass_add_src(one, sass_reg(x, m->o[MAT_B][i % m->n[MAT_B]], false));
		sass_add_src(one, sass_reg(x, m->o[i ? MAT_D : MAT_C][d], false));
	}
}

static void
fragment(struct expand *x)
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
		 shared ? "" : ".SYS");
	s = sass_add(x, op);
	s->memory = true;
	sass_all_sources(x, s, false);
	matrix(x, s, load ? MAT_D : MAT_C, load);
}

static void
copy(struct expand *x)
{
	const struct prog_inst *in = x->in;
	const char *wide = in->vec == 16 ? ".128" : in->vec == 8 ? ".64" : "";
	char op[SASS_TEXT];
	struct sass *s;

	bool bulk = in->fn == exec_bulk;

	if (in->fn != exec_cp_async && !bulk) {
		sass_add(x, "NOP");
		return;
	}
	if (bulk && in->sub != BULK_LOAD)
		snprintf(op, sizeof(op), "LDS%s", wide);
	else
		snprintf(op, sizeof(op), "LDG.E%s.SYS", wide);
	s = sass_add(x, op);
	s->memory = true;
	sass_add_src(s, sass_reg(x, in->src[1], false));
	if (bulk && in->sub == BULK_STORE)
		snprintf(op, sizeof(op), "STG.E%s.SYS", wide);
	else
		snprintf(op, sizeof(op), "STS%s", wide);
	s = sass_add(x, op);
	s->memory = true;
	sass_add_src(s, sass_reg(x, in->src[0], false));
}

static void
barrier(struct expand *x)
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
	s->memory = true;
	sass_all_sources(x, s, false);
	if (in->n_dst)
		sass_add_dst(s, sass_reg(x, in->dst[0], false));
	if (in->sub == MBAR_TEST)
		sass_add(x, "ISETP.NE.AND");
}

/* A surface lies in global memory. */
static void
surface(struct expand *x)
{
	const struct prog_inst *in = x->in;
	uint32_t bytes = ptx_type_bytes((enum ptx_type)in->type) * in->vec;
	bool load = in->op == PTX_suld;
	char op[SASS_TEXT];
	struct sass *s;

	snprintf(op, sizeof(op), "%s%s.SYS", load ? "LDG.E" : "STG.E",
		 bytes == 1    ? ".U8"
		 : bytes == 2  ? ".U16"
		 : bytes == 8  ? ".64"
		 : bytes == 16 ? ".128"
			       : "");
	s = sass_add(x, op);
	s->memory = true;
	sass_all_sources(x, s, false);
	for (uint32_t k = 0; k < in->n_dst; k++)
		sass_add_dst(s, sass_reg(x, in->dst[k], false));
	if (!load)
		matrix(x, s, MAT_C, false);
}

void
sass_matrix(struct expand *x)
{
	struct sass *s;

	switch (x->in->op) {
	case PTX_ldmatrix:
	case PTX_stmatrix:
		s = sass_add(x, x->in->op == PTX_ldmatrix ? "LDS.128" : "STS.128");
		s->memory = true;
		sass_all_sources(x, s, false);
		for (uint32_t k = 0; k < x->in->n_dst; k++)
			sass_add_dst(s, sass_reg(x, x->in->dst[k], false));
		break;
	case PTX_movmatrix:
		s = sass_add(x, "SHFL.IDX");
		sass_all_sources(x, s, false);
		sass_add_dst(s, sass_reg(x, x->in->dst[0], false));
		break;
	case PTX_cp:
		if (x->in->fn == exec_mbarrier)
			barrier(x);
		else
			copy(x);
		break;
	case PTX_suld:
	case PTX_sust:
		surface(x);
		break;
	case PTX_mbarrier:
		barrier(x);
		break;
	default:
		if (x->in->fn == exec_wmma_load || x->in->fn == exec_wmma_store)
			fragment(x);
		else
			product(x);
	}
}
