/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mma.h - private to the matrix instructions: decode_mma.c, mma.c, matrix.c.
 *
 * The decoder stores in struct prog_inst: target the shape (mma_shape), sub the elements of A, sub2
 * those of B, type those of D, type2 those of C; PF_SAT: .satfinite; ext: the registers. For
 * wmma.load and wmma.store: sub the elements, sub2 the matrix, PF_WIDE: stored by columns; src[0]
 * the address, src[1] the stride in elements or none. vec is MMA_QUARTERS for m8n8k4 of f16, a
 * separate product of each quarter of the warp, lanes 4q to 4q + 3 and the same 16 lanes later;
 * there PF_WIDE and PF_HI mean that A and B are stored by columns. PF_XORSIGN: bits are compared by
 * xor, not by and.
 *
 * Fragments. Register r of lane l of mma.sync holds elements j = 0 .. e - 1 (as many as fit). The
 * tables of the PTX manual all follow this rule, with g = l / 4, t = l % 4:
 *
 *     A[g + 8 * (r % 2)][t * e + j + 4 * e * (r / 2)]    (8 rows: r / 2 and r % 2 are 0 and r)
 *     B[t * e + j + 4 * e * r][g]
 *     C[g + 8 * (i / 2)][t * 2 + i % 2], i = element of the lane
 *
 * The fragments of wmma are not specified: lane l holds the elements from l * n on, row after row,
 * and starts again at the end of the matrix (f16 has room for each element twice or more often).
 */
#ifndef PTX_MMA_H
#define PTX_MMA_H

#include "record/ptx/decode/prog.h"

enum mma_elem {
	EL_NONE,
	EL_F16,
	EL_BF16,
	EL_TF32,
	EL_F32,
	EL_F64,
	EL_S8,
	EL_U8,
	EL_S32,
	EL_E4M3,
	EL_E5M2,
	EL_S4,
	EL_U4,
	EL_B1
};

#define MMA_QUARTERS 4

struct mma_shape {
	uint8_t m, n;
	uint16_t k;
};

static inline struct mma_shape
mma_shape_of(const struct prog_inst *in)
{
	return (struct mma_shape){(uint8_t)in->target, (uint8_t)(in->target >> 8),
				  (uint16_t)(in->target >> 16)};
}

static inline uint32_t
mma_elem_bits(enum mma_elem e)
{
	switch (e) {
	case EL_F64:
		return 64;
	case EL_F16:
	case EL_BF16:
		return 16;
	case EL_S8:
	case EL_U8:
	case EL_E4M3:
	case EL_E5M2:
		return 8;
	case EL_S4:
	case EL_U4:
		return 4;
	case EL_B1:
		return 1;
	default:
		return 32;
	}
}

/* Returns the number of elements in a register. */
static inline uint32_t
mma_per_reg(enum mma_elem e)
{
	return e == EL_F64 ? 1 : 32 / mma_elem_bits(e);
}

/* Rows and columns of matrix mat (MAT_A ..). */
static inline void
mma_size(struct mma_shape s, uint32_t mat, uint32_t *rows, uint32_t *cols)
{
	*rows = mat == MAT_B ? s.k : s.m;
	*cols = mat == MAT_A ? s.k : s.n;
}

exec_fn exec_mma, exec_mma_wide, exec_mma_bits, exec_wmma_load, exec_wmma_store, exec_ldmatrix,
	exec_stmatrix, exec_movmatrix;
/* Checks that all 32 lanes execute the instruction: 0 or EXEC_FAULT. */
int mma_check_lanes(const struct prog_inst *in, struct warp *w, uint32_t mask);

#endif
