/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvt_mov.c - executes mov in all its forms, selp and slct. Values are moved as bits. The values of
 * %clock and related registers come from clock.c.
 */
#include "record/ptx/alu/cvt.h"

int
cvt_mov_16(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = a[l] & 0xffff; /* a special register may have more bits */
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_mov_32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint32_t r[WARP_SIZE], *to = alu_to_32(w, in->dst[0], r, mask);

	ALU_APART
	ALU_LOOP(l)
	{
		to[l] = a[l];
	}
	return alu_done_32(w, in->dst[0], to, r, mask);
}

int
cvt_mov_64(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint64_t *a = vec64(w, in->src[0]);
	uint64_t r[WARP_SIZE], *to = alu_to_64(w, in->dst[0], r, mask);

	ALU_APART
	ALU_LOOP(l)
	{
		to[l] = a[l];
	}
	return alu_done_64(w, in->dst[0], to, r, mask);
}

int
cvt_mov_64_32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint64_t *a = vec64(w, in->src[0]);
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = (uint32_t)a[l];
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_mov_pred(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return alu_put_pred(w, in->dst[0], vec_pred(w, in->src[0]), mask);
}

int
cvt_mov_not_pred(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return alu_put_pred(w, in->dst[0], ~vec_pred(w, in->src[0]), mask);
}

int
cvt_mov_add_32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]), imm = (uint32_t)in->imm;
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = a[l] + imm;
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_mov_add_64(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint64_t *a = vec64(w, in->src[0]), imm = (uint64_t)in->imm;
	uint64_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = a[l] + imm;
	}
	return alu_put_64(w, in->dst[0], r, mask);
}

/* sub: enum ptx_sreg */
int
cvt_mov_clock(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	bool hi = in->sub == SREG_CLOCK_HI || in->sub == SREG_GLOBALTIMER_HI;
	uint64_t now = clock_read(w, in), r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = hi ? now >> 32 : now;
	}
	return cvt_put(w, in->dst[0], r, mask);
}

/* Moves element by element through copies, since {a, b} = {b, a} is possible. */
int
cvt_mov_vec(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint64_t r[4][WARP_SIZE];

	for (uint32_t k = 0; k < in->n_src; k++)
		for (uint32_t l = 0; l < WARP_SIZE; l++)
			r[k][l] = cvt_read(w, in->src[k], l);
	for (uint32_t k = 0; k < in->n_dst; k++)
		if (in->dst[k].bytes != OPND_NONE)
			cvt_put(w, in->dst[k], r[k], mask);
	return EXEC_NEXT;
}

/* ---- {a, b} to one register and back; the first element is the lowest ---- */

int
cvt_pack_2x16(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]), *b = vec32(w, in->src[1]);
	uint32_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = (a[l] & 0xffff) | b[l] << 16;
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_pack_2x32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]), *b = vec32(w, in->src[1]);
	uint64_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = a[l] | (uint64_t)b[l] << 32;
	}
	return alu_put_64(w, in->dst[0], r, mask);
}

int
cvt_pack(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t bits = ptx_type_bytes((enum ptx_type)in->type) * 8 / in->n_src;
	uint64_t r[WARP_SIZE] = {0}, low = ((uint64_t)1 << bits) - 1;

	for (uint32_t k = 0; k < in->n_src; k++)
		for (uint32_t l = 0; l < WARP_SIZE; l++)
			r[l] |= (cvt_read(w, in->src[k], l) & low) << (k * bits);
	return cvt_put(w, in->dst[0], r, mask);
}

int
cvt_unpack_2x16(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]);
	uint32_t lo[WARP_SIZE], hi[WARP_SIZE];

	ALU_LOOP(l)
	{
		lo[l] = a[l] & 0xffff;
		hi[l] = a[l] >> 16;
	}
	alu_put_32(w, in->dst[0], lo, mask);
	return alu_put_32(w, in->dst[1], hi, mask);
}

int
cvt_unpack_2x32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint64_t *a = vec64(w, in->src[0]);
	uint32_t lo[WARP_SIZE], hi[WARP_SIZE];

	ALU_LOOP(l)
	{
		lo[l] = (uint32_t)a[l];
		hi[l] = (uint32_t)(a[l] >> 32);
	}
	alu_put_32(w, in->dst[0], lo, mask);
	return alu_put_32(w, in->dst[1], hi, mask);
}

int
cvt_unpack(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t bits = ptx_type_bytes((enum ptx_type)in->type) * 8 / in->n_dst;
	uint64_t a[WARP_SIZE], r[WARP_SIZE], low = ((uint64_t)1 << bits) - 1;

	for (uint32_t l = 0; l < WARP_SIZE; l++)
		a[l] = cvt_read(w, in->src[0], l);
	for (uint32_t k = 0; k < in->n_dst; k++) {
		for (uint32_t l = 0; l < WARP_SIZE; l++)
			r[l] = a[l] >> (k * bits) & low;
		if (in->dst[k].bytes != OPND_NONE)
			cvt_put(w, in->dst[k], r, mask);
	}
	return EXEC_NEXT;
}

/* ---- selection ---- */

int
cvt_selp_32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *a = vec32(w, in->src[0]), *b = vec32(w, in->src[1]);
	uint32_t p = vec_pred(w, in->src[2]), r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = p & alu_lane_bit[l] ? a[l] : b[l];
	}
	return alu_put_32(w, in->dst[0], r, mask);
}

int
cvt_selp_64(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint64_t *a = vec64(w, in->src[0]), *b = vec64(w, in->src[1]);
	uint32_t p = vec_pred(w, in->src[2]);
	uint64_t r[WARP_SIZE];

	ALU_LOOP(l)
	{
		r[l] = p & alu_lane_bit[l] ? a[l] : b[l];
	}
	return alu_put_64(w, in->dst[0], r, mask);
}

/* Selects a if c >= 0, else b. A NaN is not >= 0, but -0 is. */
int
cvt_slct(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *c = vec32(w, in->src[2]);
	uint64_t r[WARP_SIZE];

	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		bool take = in->type2 == TY_F32 ? f32_read(c[l], in->flags & PF_FTZ) >= 0.0f
						: (int32_t)c[l] >= 0;

		r[l] = cvt_read(w, in->src[take ? 0 : 1], l);
	}
	return cvt_put(w, in->dst[0], r, mask);
}
