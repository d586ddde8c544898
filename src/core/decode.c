/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * decode.c - pre-decodes a kernel's instructions for a core: pipe, latency, registers and banks
 * (ctascope-model(7) 5 and 6).
 */
#include "core/core_part.h"
#include <stdlib.h>
#include <string.h>

/* Sets pipe, latency and initiation interval of an instruction class (ctascope-model(7) 6). */
static void
set_pipe(const struct core_cfg *k, const struct inst *in, struct dinst *d)
{
	uint32_t lat = k->lat_int, ii = k->ii_int, fu = k->units_int ? FU_INT : FU_SP;
	uint32_t lanes = WARP_SIZE / k->simt_width;

	switch (in->cls) {
	case OP_SP:
		fu = FU_SP, lat = k->lat_sp, ii = k->ii_sp;
		break;
	case OP_HALF:
		fu = FU_SP, lat = k->lat_sp, ii = MAX(1, k->ii_sp / 2);
		break;
	case OP_SFU:
		fu = FU_SFU, lat = k->lat_sfu, ii = k->ii_sfu;
		break;
	case OP_DP:
		fu = k->units_dp ? FU_DP : FU_SFU, lat = k->lat_dp, ii = k->ii_dp;
		break;
	case OP_BRANCH:
		fu = FU_BRANCH, lat = k->lat_branch, ii = k->ii_branch;
		break;
	case OP_TEX:
		fu = FU_TEX, lat = k->lat_tex, ii = k->ii_tex;
		break;
	case OP_TENSOR:
		if (k->units_tensor)
			fu = FU_TENSOR, lat = k->lat_tensor, ii = k->ii_tensor;
		break;
	case OP_UNIFORM:
		if (k->units_uniform)
			fu = FU_UNIFORM, lat = k->lat_uniform, ii = k->ii_uniform;
		break;
	case OP_LOAD:
	case OP_STORE:
	case OP_ATOMIC:
	case OP_MEMBAR:
		fu = FU_MEM, lat = ii = 1;
		break;
	case OP_BARRIER:
	case OP_EXIT:
		lat = k->lat_control, ii = 1, lanes = 1;
		break;
	default:
		break;
	}
	if (fu == FU_SP || fu == FU_SFU) {
		ii = MAX(ii, lanes);
		lat = MAX(lat, ii);
	}
	d->fu = (uint8_t)fu;
	d->lat = (uint8_t)lat;
	d->ii = (uint8_t)MIN(ii, lat);
}

static bool
result_from_memory(const struct dinst *d)
{
	return (d->cls == OP_LOAD && d->space != SPACE_SHARED) || d->cls == OP_ATOMIC ||
	       d->cls == OP_TEX;
}

static bool
uses_high_registers(const struct inst *in)
{
	for (unsigned i = 0; i < in->n_dst; i++)
		if (in->dst[i] >= 64)
			return true;
	for (unsigned i = 0; i < in->n_src; i++)
		if (in->src[i] >= 64)
			return true;
	return false;
}

/* high: zeroed entry for the registers beyond R63. */
static void
set_registers(const struct core_cfg *k, const struct inst *in, struct dinst *d,
	      struct dinst_high *high)
{
	for (unsigned i = 0; i < in->n_dst; i++) {
		uint64_t bit = UINT64_C(1) << (in->dst[i] & 63);

		d->dst[d->n_dst++] = in->dst[i];
		*(in->dst[i] < 64 ? &d->need : &high->need[(in->dst[i] >> 6) - 1]) |= bit;
		*(in->dst[i] < 64 ? &d->gets : &high->gets[(in->dst[i] >> 6) - 1]) |= bit;
	}
	if (result_from_memory(d))
		d->gets_from_mem = d->gets;
	for (unsigned i = 0; i < in->n_src; i++) {
		unsigned j = 0;

		*(in->src[i] < 64 ? &d->need : &high->need[(in->src[i] >> 6) - 1]) |=
			UINT64_C(1) << (in->src[i] & 63);
		while (j < i && in->src[j] != in->src[i])
			j++;
		if (j == i)
			d->src_bank[d->n_src++] = (uint8_t)((in->src[i] + 1u) & (k->reg_banks - 1));
	}
}

struct dinst *
core_decode_kernel(const struct core_cfg *k, const struct trace_kernel *t, bool sectored)
{
	uint32_t n = MAX(1, t->n_inst), high = n;
	struct dinst *out;

	for (uint32_t i = 0; i < t->n_inst; i++)
		n += uses_high_registers(&t->inst[i]);
	out = aligned_alloc(64, n * sizeof(*out));
	if (!out)
		return NULL;
	memset(out, 0, n * sizeof(*out));
	for (uint32_t i = 0; i < t->n_inst; i++) {
		const struct inst *in = &t->inst[i];
		struct dinst *d = &out[i];

		d->pc = in->pc;
		d->cls = in->cls;
		d->space = in->space;
		d->width = in->width ? in->width : 4;
		d->flags = in->flags | (in->cls >= OP_ATOMIC ? DINST_SPECIAL : 0);
		d->imm = in->imm;
		d->sectored = sectored;
		set_pipe(k, in, d);
		if (uses_high_registers(in)) {
			struct dinst_high *h = (void *)&out[high];

			d->high = high++ - i;
			set_registers(k, in, d, h);
			h->from_mem = result_from_memory(d);
		} else {
			set_registers(k, in, d, NULL);
		}
	}
	return out;
}
