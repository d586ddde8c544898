/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mma.c - computes D = A B + C on matrices in the registers of a warp: mma.sync, wmma.mma; and
 * movmatrix.
 *
 * The matrices are gathered from the lanes and multiplied, and D is scattered (mma.h defines which
 * lane holds which element). Sums of f8, f16, bf16 and tf32 are computed in double and rounded
 * once, to nearest even; real machines round in between, each kind in its own way, and differ in
 * the last bits. f64 is a chain of fma in the order of k; integers are exact and wrap, or clamp
 * with .satfinite.
 *
 * Products of all types except f64 are exact in double, so fused and separate multiply-adds give
 * the same result, and the loops may use whatever vectors the processor has (alu.h).
 */
#include "record/ptx/alu/mma.h"

#include <math.h>
#include "record/ptx/alu/alu.h"

#define MOST 1024 /* most elements of a matrix: 16 x 64 */
#define SOME 32	  /* the number of elements of every matrix is a multiple of this */
#define INLINE static inline __attribute__((always_inline))

int
mma_check_lanes(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t off = ~mask;

	if (!off)
		return 0;
	return exec_fault(w, in, __builtin_ctz(mask), "%s: lane %d of the warp does not execute it",
			  ptx_op_name((enum ptx_op)in->op), __builtin_ctz(off));
}

/* ---------------------------------------------------------------- fragments */

/* The matrices of a product while it is computed: the elements as doubles, row after row. */
struct product {
	struct mma_shape s;
	uint32_t lanes; /* the lanes that hold it: all, or those of a quarter */
	uint32_t bits[MOST];
	double a[MOST], b[MOST], c[MOST];
};

/* The position of the first element of a register, and the distance to the next one. */
struct spot {
	uint32_t at, step;
};

/* Finds the spot for a product of a quarter of the warp: lanes 4q to 4q + 3 and the same 16 lanes
 * later. */
INLINE struct spot
find_quarter_spot(const struct prog_inst *in, uint32_t mat, uint32_t per_reg, uint32_t l,
		  uint32_t r)
{
	uint32_t t = l % 4, h = l / 16 * 4;

	if (mat == MAT_A)
		return in->flags & PF_WIDE ? (struct spot){(2 * r + h) * 4 + t, 4}
					   : (struct spot){(t + h) * 4 + 2 * r, 1};
	if (mat == MAT_B)
		return in->flags & PF_HI ? (struct spot){2 * r * 8 + t + h, 8}
					 : (struct spot){t * 8 + 2 * r + h, 1};
	if (per_reg == 2)
		return (struct spot){(t + h) * 8 + 2 * r, 1};
	return (struct spot){((t & 1) + (r & 2) + h) * 8 + (r & 4) + (t & 2) + (r & 1), 1};
}

/* Finds the spot of register r, of n, of lane l. */
INLINE struct spot
find_spot(const struct prog_inst *in, struct mma_shape s, uint32_t mat, uint32_t per_reg,
	  uint32_t n, uint32_t l, uint32_t r)
{
	uint32_t g = l / 4, t = l % 4, low, high, rows, cols;

	if (in->op == PTX_wmma) {
		mma_size(s, mat, &rows, &cols); /* powers of two */
		return (struct spot){((l * n + r) * per_reg) & (rows * cols - 1), 1};
	}
	if (in->vec == MMA_QUARTERS)
		return find_quarter_spot(in, mat, per_reg, l, r);
	if (mat == MAT_A) {
		low = s.m == 16 ? r % 2 : 0;
		high = s.m == 16 ? r / 2 : r;
		return (struct spot){(g + 8 * low) * s.k + t * per_reg + 4 * per_reg * high, 1};
	}
	if (mat == MAT_B)
		return (struct spot){(t * per_reg + 4 * per_reg * r) * s.n + g, s.n};
	if (per_reg == 2)
		return (struct spot){(g + 8 * r) * s.n + t * 2, 1};
	return (struct spot){(g + 8 * (r / 2)) * s.n + t * 2 + r % 2, 1};
}

#define WIDEN(expr)                                     \
	for (uint32_t i = 0; i < n; i += SOME)          \
		for (uint32_t j = 0; j < SOME; j++) {   \
			const uint32_t x = bits[i + j]; \
			to[i + j] = (double)(expr);     \
		}                                       \
	break

/* Converts the bits of n elements to numbers. */
INLINE void
widen(enum mma_elem e, const uint32_t *restrict bits, uint32_t n, double *restrict to)
{
	switch (e) {
	case EL_F16:
		WIDEN(half_to_float((uint16_t)x));
	case EL_BF16:
		WIDEN(bf16_to_float((uint16_t)x));
	case EL_TF32:
		WIDEN(bits_f32(x & 0xffffe000u));
	case EL_F32:
		WIDEN(bits_f32(x));
	case EL_E4M3:
		WIDEN(f8_e4m3_to_float(x));
	case EL_E5M2:
		WIDEN(half_to_float((uint16_t)(x << 8)));
	case EL_S8:
		WIDEN((int8_t)x);
	case EL_S4:
		WIDEN((int32_t)((x ^ 8) - 8));
	case EL_U8:
	case EL_U4:
		WIDEN((int32_t)x);
	default:
		WIDEN((int32_t)x);
	}
}

INLINE void
gather(const struct prog_inst *in, const struct warp *w, uint32_t mat, enum mma_elem e,
       struct product *p, double *to)
{
	const struct prog_more *m = &w->func->more[in->ext];
	uint32_t per_reg = mma_per_reg(e), width = mma_elem_bits(e), rows, cols, all = p->lanes;
	uint32_t low = width < 32 ? (1u << width) - 1 : UINT32_MAX;

	mma_size(p->s, mat, &rows, &cols);
	if (in->op == PTX_wmma && m->n[mat] * per_reg * WARP_SIZE > rows * cols)
		/* The other lanes hold copies. */
		all = (1u << rows * cols / (m->n[mat] * per_reg)) - 1;
	for (uint32_t r = 0; r < m->n[mat]; r++) {
		for (uint32_t left = all; left; left &= left - 1) {
			uint32_t l = (uint32_t)__builtin_ctz(left), x;
			struct spot o = find_spot(in, p->s, mat, per_reg, m->n[mat], l, r);

			if (e == EL_F64) {
				to[o.at] = bits_f64(vec64(w, m->o[mat][r])[l]);
				continue;
			}
			x = vec32(w, m->o[mat][r])[l];
			for (uint32_t j = 0; j < per_reg; j++)
				p->bits[o.at + j * o.step] = x >> j * width & low;
		}
	}
	if (e != EL_F64)
		widen(e, p->bits, rows * cols, to);
}

/* Rounds x to an f32 by rounding to odd; rounding that to f16 gives the same as rounding x, since
 * 24 digits are two more than twice 11. */
INLINE float
to_odd(double x)
{
	float f = (float)x;
	double low = x - (double)f;
	uint32_t u = f32_bits(f), even = ~u & 1;
	uint32_t away = (uint32_t)(f64_bits(low) >> 63) ^ u >> 31;

	even &= (uint32_t)(low > 0.0) | (uint32_t)(low < 0.0);
	return bits_f32(u + even - (away & even) * 2);
}

#define ROUND(expr)                                     \
	for (uint32_t i = 0; i < n; i += SOME)          \
		for (uint32_t j = 0; j < SOME; j++) {   \
			const double x = from[i + j];   \
			bits[i + j] = (uint32_t)(expr); \
		}                                       \
	break

INLINE void
narrow(enum mma_elem e, const double *restrict from, uint32_t n, uint32_t *restrict bits)
{
	switch (e) {
	case EL_F16:
		ROUND(float_to_half_rn(to_odd(x)));
	case EL_F32:
		ROUND(f32_canon(f32_bits((float)x)));
	default:
		ROUND((int32_t)x);
	}
}

INLINE void
scatter(const struct prog_inst *in, struct warp *w, enum mma_elem e, struct product *p)
{
	const struct prog_more *m = &w->func->more[in->ext];
	uint32_t per_reg = mma_per_reg(e), n = m->n[MAT_D];

	if (e != EL_F64)
		narrow(e, p->c, (uint32_t)p->s.m * p->s.n, p->bits);
	for (uint32_t r = 0; r < n; r++) {
		struct opnd o = m->o[MAT_D][r];

		for (uint32_t left = p->lanes; o.bytes != OPND_NONE && left; left &= left - 1) {
			uint32_t l = (uint32_t)__builtin_ctz(left);
			struct spot at = find_spot(in, p->s, MAT_D, per_reg, n, l, r);

			if (e == EL_F64)
				((uint64_t *)vec(w, o))[l] = f64_bits(p->c[at.at]);
			else
				((uint32_t *)vec(w, o))[l] =
					per_reg == 2 ? p->bits[at.at] | p->bits[at.at + 1] << 16
						     : p->bits[at.at];
		}
	}
}

/* ---------------------------------------------------------------- the product */

/* Returns an integer sum, which a double holds exactly, as 32 bits. */
INLINE double
wrap_sum(bool clamp, double sum)
{
	if (clamp)
		return fmin(fmax(sum, -2147483648.0), 2147483647.0);
	return (double)(int32_t)(uint32_t)(int64_t)sum;
}

typedef double quad __attribute__((vector_size(32), aligned(8), may_alias));

/* Computes eight columns at a time: n is a multiple of eight. */
INLINE void
multiply_rows(struct product *p)
{
	uint32_t n = p->s.n, depth = p->s.k;

	for (uint32_t i = 0; i < p->s.m; i++) {
		for (uint32_t j = 0; j < n; j += 8) {
			quad *c = (quad *)&p->c[i * n + j], lo = c[0], hi = c[1];

			for (uint32_t k = 0; k < depth; k++) {
				const quad *b = (const quad *)&p->b[k * n + j];
				double x = p->a[i * depth + k];
				quad a = {x, x, x, x};

				lo += a * b[0];
				hi += a * b[1];
			}
			c[0] = lo;
			c[1] = hi;
		}
	}
}

INLINE void
multiply_f64(struct product *p)
{
	uint32_t n = p->s.n, depth = p->s.k;

	for (uint32_t i = 0; i < p->s.m; i++)
		for (uint32_t j = 0; j < n; j++)
			for (uint32_t k = 0; k < depth; k++)
				p->c[i * n + j] =
					fma(p->a[i * depth + k], p->b[k * n + j], p->c[i * n + j]);
}

INLINE void
multiply(const struct prog_inst *in, struct warp *w, uint32_t lanes)
{
	enum mma_elem d = (enum mma_elem)in->type;
	struct product p;

	p.s = mma_shape_of(in);
	p.lanes = lanes;
	gather(in, w, MAT_A, (enum mma_elem)in->sub, &p, p.a);
	gather(in, w, MAT_B, (enum mma_elem)in->sub2, &p, p.b);
	gather(in, w, MAT_C, (enum mma_elem)in->type2, &p, p.c);
	if (d == EL_F64)
		multiply_f64(&p);
	else
		multiply_rows(&p);
	for (uint32_t i = 0; d == EL_S32 && i < (uint32_t)p.s.m * p.s.n; i++)
		p.c[i] = wrap_sum(in->flags & PF_SAT, p.c[i]);
	scatter(in, w, d, &p);
}

INLINE int
mma_body(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	if (mma_check_lanes(in, w, mask))
		return EXEC_FAULT;
	if (in->vec != MMA_QUARTERS)
		multiply(in, w, UINT32_MAX);
	for (uint32_t q = 0; in->vec == MMA_QUARTERS && q < 4; q++)
		multiply(in, w, 0x000f000fu << 4 * q);
	return EXEC_NEXT;
}

int
exec_mma(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return mma_body(in, w, mask);
}

ALU_WIDE int
exec_mma_wide(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return mma_body(in, w, mask);
}

/* Multiplies matrices of bits: a row of A and a column of B are words, t + 4 * i of lane 4g + t. */
int
exec_mma_bits(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const struct prog_more *m = &w->func->more[in->ext];
	struct mma_shape s = mma_shape_of(in);
	uint32_t words = s.k / 32u, a[16][8], b[8][8], d[4][WARP_SIZE];

	if (mma_check_lanes(in, w, mask))
		return EXEC_FAULT;
	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		for (uint32_t r = 0; r < m->n[MAT_A]; r++)
			a[s.m == 16 ? l / 4 + r % 2 * 8 : l / 4]
			 [l % 4 + 4 * (s.m == 16 ? r / 2 : r)] = vec32(w, m->o[MAT_A][r])[l];
		for (uint32_t r = 0; r < m->n[MAT_B]; r++)
			b[l / 4][l % 4 + 4 * r] = vec32(w, m->o[MAT_B][r])[l];
	}
	for (uint32_t r = 0; r < m->n[MAT_C]; r++) {
		for (uint32_t l = 0; l < WARP_SIZE; l++) {
			const uint32_t *x = a[l / 4 + r / 2 * 8], *y = b[l % 4 * 2 + r % 2];

			d[r][l] = vec32(w, m->o[MAT_C][r])[l];
			for (uint32_t k = 0; k < words; k++)
				d[r][l] += (uint32_t)__builtin_popcount(
					in->flags & PF_XORSIGN ? x[k] ^ y[k] : x[k] & y[k]);
		}
	}
	for (uint32_t r = 0; r < m->n[MAT_D]; r++)
		if (m->o[MAT_D][r].bytes != OPND_NONE)
			memcpy(vec(w, m->o[MAT_D][r]), d[r], sizeof(d[r]));
	return EXEC_NEXT;
}

/* Transposes the 8 x 8 matrix of 16-bit elements; each lane holds two elements of a row. */
int
exec_movmatrix(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *from = vec32(w, in->src[0]);
	uint16_t x[64];
	uint32_t *to;

	if (mma_check_lanes(in, w, mask))
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
