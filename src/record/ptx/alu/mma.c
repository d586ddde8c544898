/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mma.c - D = A B + C on matrices that lie in the registers of a warp: mma.sync, wmma.mma; and
 * movmatrix.
 *
 * The matrices are gathered from the lanes, multiplied, and D is put back (mma.h says which lane
 * holds what). Sums of f16, bf16 and tf32 are made in double and rounded once, to nearest even;
 * machines round in between and differ in the last bits, each kind in its own way. f64 is a chain
 * of fma in the order of k; integers are exact and wrap, or clamp with .satfinite.
 */
#include "record/ptx/alu/mma.h"

#include <math.h>
#include "record/ptx/alu/half.h"

#define MOST 512 /* elements of a matrix: 32 x 16 */

int
mma_all_here(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t off = ~mask;

	if (!off)
		return 0;
	return exec_fault(w, in, __builtin_ctz(mask), "%s: lane %d of the warp is not here",
			  ptx_op_name((enum ptx_op)in->op), __builtin_ctz(off));
}

/* ---------------------------------------------------------------- fragments */

/* Where element i of lane l of matrix mat lies. */
static uint32_t
place(const struct prog_inst *in, uint32_t mat, uint32_t per_reg, uint32_t n, uint32_t l,
      uint32_t i)
{
	struct mma_shape s = mma_shape_of(in);
	uint32_t g = l / 4, t = l % 4, r = i / per_reg, j = i % per_reg, rows, cols;

	mma_size(s, mat, &rows, &cols);
	if (in->op == PTX_wmma)
		return (l * n * per_reg + i) % (rows * cols);
	if (mat == MAT_A) {
		uint32_t low = s.m == 16 ? r % 2 : 0, high = s.m == 16 ? r / 2 : r;

		return (g + 8 * low) * cols + t * per_reg + j + 4 * per_reg * high;
	}
	if (mat == MAT_B)
		return (t * per_reg + j + 4 * per_reg * r) * cols + g;
	return (g + 8 * (i / 2)) * cols + t * 2 + i % 2;
}

static double
element(enum mma_elem e, uint32_t word, uint32_t j)
{
	switch (e) {
	case EL_F16:
		return (double)half_to_float((uint16_t)(word >> 16 * j));
	case EL_BF16:
		return (double)bf16_to_float((uint16_t)(word >> 16 * j));
	case EL_TF32:
		return (double)bits_f32(word & 0xffffe000u);
	case EL_F32:
		return (double)bits_f32(word);
	case EL_S8:
		return (double)(int8_t)(word >> 8 * j);
	case EL_U8:
		return (double)(uint8_t)(word >> 8 * j);
	default:
		return (double)(int32_t)word;
	}
}

static void
gather(const struct prog_inst *in, const struct warp *w, uint32_t mat, enum mma_elem e, double *to)
{
	const struct prog_more *m = &w->func->more[in->ext];
	uint32_t per_reg = mma_per_reg(e);

	for (uint32_t r = 0; r < m->n[mat]; r++) {
		for (uint32_t l = 0; l < WARP_SIZE; l++) {
			for (uint32_t j = 0; j < per_reg; j++) {
				uint32_t at =
					place(in, mat, per_reg, m->n[mat], l, r * per_reg + j);

				to[at] = e == EL_F64 ? bits_f64(vec64(w, m->o[mat][r])[l])
						     : element(e, vec32(w, m->o[mat][r])[l], j);
			}
		}
	}
}

static uint32_t
rounded(enum mma_elem e, double x)
{
	if (e == EL_F16)
		return double_to_half(x, RND_RN);
	if (e == EL_F32)
		return f32_bits(double_to_float(x, RND_RN));
	return (uint32_t)(int64_t)x;
}

static void
scatter(const struct prog_inst *in, struct warp *w, enum mma_elem e, const double *from)
{
	const struct prog_more *m = &w->func->more[in->ext];
	uint32_t per_reg = mma_per_reg(e), n = m->n[MAT_D];

	for (uint32_t r = 0; r < n; r++) {
		struct opnd o = m->o[MAT_D][r];

		for (uint32_t l = 0; o.bytes != OPND_NONE && l < WARP_SIZE; l++) {
			uint32_t at = place(in, MAT_D, per_reg, n, l, r * per_reg), word;

			if (e == EL_F64) {
				((uint64_t *)vec(w, o))[l] = f64_bits(from[at]);
				continue;
			}
			word = rounded(e, from[at]);
			if (per_reg == 2) {
				at = place(in, MAT_D, per_reg, n, l, r * per_reg + 1);
				word |= rounded(e, from[at]) << 16;
			}
			((uint32_t *)vec(w, o))[l] = word;
		}
	}
}

/* ---------------------------------------------------------------- the product */

/* An integer sum, which a double holds exactly, as 32 bits. */
static double
wrapped(const struct prog_inst *in, double sum)
{
	if (in->flags & PF_SAT)
		return fmin(fmax(sum, -2147483648.0), 2147483647.0);
	return (double)(int32_t)(uint32_t)(int64_t)sum;
}

static int
multiply(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	struct mma_shape s = mma_shape_of(in);
	enum mma_elem a_is = (enum mma_elem)in->sub;
	double a[MOST], b[MOST], c[MOST];

	if (mma_all_here(in, w, mask))
		return EXEC_FAULT;
	gather(in, w, MAT_A, a_is, a);
	gather(in, w, MAT_B, (enum mma_elem)in->sub2, b);
	gather(in, w, MAT_C, (enum mma_elem)in->type2, c);
	for (uint32_t i = 0; i < s.m; i++) {
		for (uint32_t j = 0; j < s.n; j++) {
			double sum = c[i * s.n + j];

			for (uint32_t k = 0; k < s.k; k++)
				sum = fma(a[i * s.k + k], b[k * s.n + j], sum);
			c[i * s.n + j] = in->type == EL_S32 ? wrapped(in, sum) : sum;
		}
	}
	scatter(in, w, (enum mma_elem)in->type, c);
	return EXEC_NEXT;
}

int
exec_mma(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return multiply(in, w, mask);
}

int
exec_wmma(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return multiply(in, w, mask);
}

/* The 8 x 8 matrix of 16 bits, two elements of a row in each lane, transposed. */
int
exec_movmatrix(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *from = vec32(w, in->src[0]);
	uint16_t x[64];
	uint32_t *to;

	if (mma_all_here(in, w, mask))
		return EXEC_FAULT;
	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		x[l * 2] = (uint16_t)from[l];
		x[l * 2 + 1] = (uint16_t)(from[l] >> 16);
	}
	if (in->dst[0].bytes == OPND_NONE)
		return EXEC_NEXT;
	to = vec(w, in->dst[0]);
	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		uint32_t row = l / 4, col = l % 4 * 2;

		to[l] = x[col * 8 + row] | (uint32_t)x[(col + 1) * 8 + row] << 16;
	}
	return EXEC_NEXT;
}
