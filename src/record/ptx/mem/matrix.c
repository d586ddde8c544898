/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * matrix.c - moves matrices between memory and the registers of a warp: wmma.load and wmma.store,
 * ldmatrix and stmatrix.
 *
 * ldmatrix: lanes 8i to 8i + 7 give the addresses of the rows of matrix i, 16 bytes each; every
 * lane gets two adjacent elements of a row (with .trans: of a column) of each matrix.
 *
 * With .b8 a row has 16 elements, and .trans is required. ldmatrix has matrices of 16 rows: lane l
 * gets elements l / 4 and l / 4 + 8 of the four rows 4 (l % 4) and following, two rows to a
 * register. stmatrix has matrices of 8 rows: of the two rows 2 (l % 4) and following. (The order of
 * the rows is that of CUTLASS, copy_traits_sm100.hpp.)
 *
 * Trace: for ldmatrix and stmatrix, the addresses of the rows; for wmma, the start of every lane's
 * share of the matrix, if each lane takes a contiguous part along its rows or columns.
 */
#include "record/ptx/alu/mma.h"
#include "record/ptx/mem/mem.h"

#include <string.h>

/* ---------------------------------------------------------------- ldmatrix, stmatrix */

/* Returns the offset, in the concatenated rows, of byte j of register i of lane l. */
static uint32_t
find_row_byte(const struct prog_inst *in, uint32_t i, uint32_t l, uint32_t j)
{
	uint32_t of8 = l / 4, of4 = l % 4, row, col;

	if (in->type == TY_B8) {
		row = in->op == PTX_ldmatrix ? i / 2 * 16 + of4 * 4 + i % 2 * 2 : i * 8 + of4 * 2;
		return (row + j % 2) * 16 + of8 + j / 2 * 8;
	}
	row = in->flags & PF_WIDE ? of4 * 2 + j / 2 : of8;
	col = in->flags & PF_WIDE ? of8 : of4 * 2 + j / 2;
	return (i * 8 + row) * 16 + col * 2 + j % 2;
}

/* Loads rows into x[], or stores them from it, matrix by matrix. */
static int
move_rows(const struct prog_inst *in, struct warp *w, uint8_t *x, bool store)
{
	uint32_t n = in->vec * 8u, mask = n == WARP_SIZE ? UINT32_MAX : (1u << n) - 1;
	uint64_t at[WARP_SIZE];
	struct mem_span s;

	mem_addresses(in, w, mask, at);
	mem_report(in, w, at, mask);
	for (uint32_t left = mask; left; left &= ~s.lanes) {
		if (mem_span(in, w, at, left, 16, store ? MEM_WRITE : MEM_READ, &s) != 0)
			return EXEC_FAULT;
		for (uint32_t m = s.lanes; m; m &= m - 1) {
			uint32_t l = (uint32_t)__builtin_ctz(m);

			if (store)
				memcpy(s.host + s.off[l], x + l * 16, 16);
			else
				memcpy(x + l * 16, s.host + s.off[l], 16);
		}
	}
	return 0;
}

int
exec_ldmatrix(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint8_t x[4 * 128];

	if (mma_check_lanes(in, w, mask) || move_rows(in, w, x, false))
		return EXEC_FAULT;
	for (uint32_t i = 0; i < in->vec; i++) {
		uint32_t *to = vec(w, in->dst[i]);

		for (uint32_t l = 0; in->dst[i].bytes != OPND_NONE && l < WARP_SIZE; l++)
			to[l] = x[find_row_byte(in, i, l, 0)] |
				(uint32_t)x[find_row_byte(in, i, l, 1)] << 8 |
				(uint32_t)x[find_row_byte(in, i, l, 2)] << 16 |
				(uint32_t)x[find_row_byte(in, i, l, 3)] << 24;
	}
	return EXEC_NEXT;
}

int
exec_stmatrix(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint8_t x[4 * 128];

	if (mma_check_lanes(in, w, mask))
		return EXEC_FAULT;
	for (uint32_t i = 0; i < in->vec; i++) {
		const uint32_t *from = vec32(w, in->src[1 + i]);

		for (uint32_t l = 0; l < WARP_SIZE; l++)
			for (uint32_t j = 0; j < 4; j++)
				x[find_row_byte(in, i, l, j)] = (uint8_t)(from[l] >> 8 * j);
	}
	return move_rows(in, w, x, true) ? EXEC_FAULT : EXEC_NEXT;
}

/* ---------------------------------------------------------------- wmma */

struct walk {
	uint64_t base[WARP_SIZE]; /* address of the matrix, given by each lane */
	uint64_t stride;
	uint32_t rows, cols, size;
	bool by_col;
};

static void
walk_begin(const struct prog_inst *in, const struct warp *w, struct walk *x)
{
	mma_size(mma_shape_of(in), in->sub2, &x->rows, &x->cols);
	mem_addresses(in, w, UINT32_MAX, x->base);
	x->size = mma_elem_bits((enum mma_elem)in->sub) / 8;
	x->by_col = in->flags & PF_WIDE;
	x->stride = in->src[1].bytes != OPND_NONE ? vec32(w, in->src[1])[0]
		    : x->by_col			  ? x->rows
						  : x->cols;
}

/* Bytes from the start of the matrix. */
static uint64_t
walk_at(const struct walk *x, uint32_t row, uint32_t col)
{
	return (x->by_col ? col * x->stride + row : row * x->stride + col) * x->size;
}

/* Computes the addresses of element i of n, for all lanes. */
static void
walk_lanes(const struct walk *x, uint32_t n, uint32_t i, uint64_t *at)
{
	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		uint32_t k = (l * n + i) % (x->rows * x->cols);

		at[l] = x->base[l] + walk_at(x, k / x->cols, k % x->cols);
	}
}

/* Reports the start of each lane's share, in the order of memory. */
static void
walk_report(const struct prog_inst *in, struct warp *w, const struct walk *x)
{
	uint32_t all = x->rows * x->cols, each = MAX(all / WARP_SIZE, 1u);
	uint32_t line = x->by_col ? x->rows : x->cols;
	uint64_t at[WARP_SIZE];

	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		uint32_t k = l * each % all;

		at[l] = x->base[l] + (k / line * x->stride + k % line) * x->size;
	}
	mem_report(in, w, at, UINT32_MAX);
}

int
exec_wmma_load(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct prog_more *m = &w->func->more[in->ext];
	uint32_t regs = m->n[MAT_D], per_reg = mma_per_reg((enum mma_elem)in->sub);
	uint64_t at[WARP_SIZE], got[MAT_REGS][WARP_SIZE] = {{0}};
	struct mem_span s;
	struct walk x;

	if (mma_check_lanes(in, w, mask))
		return EXEC_FAULT;
	walk_begin(in, w, &x);
	walk_report(in, w, &x);
	for (uint32_t i = 0; i < regs * per_reg; i++) {
		walk_lanes(&x, regs * per_reg, i, at);
		for (uint32_t left = mask; left; left &= ~s.lanes) {
			if (mem_span(in, w, at, left, x.size, MEM_READ, &s) != 0)
				return EXEC_FAULT;
			for (uint32_t k = s.lanes; k; k &= k - 1) {
				uint32_t l = (uint32_t)__builtin_ctz(k);

				memcpy((uint8_t *)&got[i / per_reg][l] + i % per_reg * x.size,
				       s.host + s.off[l], x.size);
			}
		}
	}
	for (uint32_t r = 0; r < regs; r++) {
		struct opnd o = m->o[MAT_D][r];

		for (uint32_t l = 0; o.bytes != OPND_NONE && l < WARP_SIZE; l++)
			memcpy((uint8_t *)vec(w, o) + (size_t)l * o.bytes, &got[r][l], o.bytes);
	}
	return EXEC_NEXT;
}

int
exec_wmma_store(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct prog_more *m = &w->func->more[in->ext];
	uint32_t regs = m->n[MAT_C], per_reg = mma_per_reg((enum mma_elem)in->sub);
	uint64_t at[WARP_SIZE];
	struct mem_span s;
	struct walk x;

	if (mma_check_lanes(in, w, mask))
		return EXEC_FAULT;
	walk_begin(in, w, &x);
	walk_report(in, w, &x);
	for (uint32_t i = 0; i < regs * per_reg; i++) {
		struct opnd o = m->o[MAT_C][i / per_reg];
		const uint8_t *from = vec(w, o);

		walk_lanes(&x, regs * per_reg, i, at);
		for (uint32_t left = mask; left; left &= ~s.lanes) {
			if (mem_span(in, w, at, left, x.size, MEM_WRITE, &s) != 0)
				return EXEC_FAULT;
			for (uint32_t k = s.lanes; k; k &= k - 1) {
				uint32_t l = (uint32_t)__builtin_ctz(k);

				memcpy(s.host + s.off[l],
				       from + (size_t)l * o.bytes + i % per_reg * x.size, x.size);
			}
		}
	}
	return EXEC_NEXT;
}
