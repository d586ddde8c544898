/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tex.h - private to textures: tex.c has the objects and the instruction, tex_sample.c the filter.
 */
#ifndef PTX_TEX_H
#define PTX_TEX_H

#include "record/ptx/mem/mem.h"

/* Handles: this and the index into ptx_device.tex plus 1, so that no small number or address is
 * one. */
#define TEX_HANDLE 0x7465780000000000ull

struct tex_slot {
	bool used;
	bool bound;
	char *name; /* of a .texref or .surfref; NULL: an object */
	struct ptx_texture t;
};

/* Where a lane asks for: the layer of an array, and what stands in the coordinates. */
struct tex_at {
	bool layered;
	bool texel; /* .s32: i[] are texels, not x[] coordinates */
	uint32_t layer;
	uint32_t dims;
	int32_t i[3];
	float x[3];
};

uint32_t tex_texel_bytes(const struct ptx_texture *t);
/* Bytes from t->addr on that the texture takes. */
uint64_t tex_bytes(const struct ptx_texture *t);
/* The four components, as bits; returns the byte offset of the first texel read. host: of t->addr.
 */
uint64_t tex_sample(const struct ptx_texture *t, const uint8_t *host, const struct tex_at *at,
		    uint32_t out[4]);

/* Component c of the four texels that a linear filter would take, as tld4 orders them. */
uint64_t tex_gather(const struct ptx_texture *t, const uint8_t *host, const struct tex_at *at,
		    uint32_t c, uint32_t out[4]);
/* NULL: there is none of that handle. */
const struct tex_slot *tex_slot_of(const struct ptx_device *d, uint64_t handle);

exec_fn tex_fetch, tex_query, surf_load, surf_store;

/* decode_tex.c: txq, suq */
int decode_query(struct decode *d, struct prog_inst *in);

#endif
