/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tex.h - private to textures: tex.c has objects and instructions, tex_sample.c the filter. */
#ifndef PTX_TEX_H
#define PTX_TEX_H

#include "record/ptx/mem/mem.h"

/* A handle is this number plus the index into ptx_device.tex plus 1, so that no small number or
 * address is a handle. */
#define TEX_HANDLE 0x7465780000000000ull

struct tex_slot {
	bool used;
	bool bound;
	char *name; /* of a .texref or .surfref; NULL: an object */
	struct ptx_texture t;
};

/* The place that a lane samples: the layer of an array, and the coordinates. */
struct tex_at {
	bool layered;
	bool texel; /* .s32: i[] are texels, not x[] coordinates */
	uint32_t layer;
	uint32_t dims;
	int32_t i[3];
	float x[3];
};

uint32_t tex_texel_bytes(const struct ptx_texture *t);
/* The size of the texture in bytes, from t->addr on. */
uint64_t tex_bytes(const struct ptx_texture *t);
/* Reads the four components, as bits; returns the byte offset of the first texel read. host: the
 * host address of t->addr. */
uint64_t tex_sample(const struct ptx_texture *t, const uint8_t *host, const struct tex_at *at,
		    uint32_t out[4]);

/* Reads component c of the four texels that a linear filter would use, in the order of tld4. */
uint64_t tex_gather(const struct ptx_texture *t, const uint8_t *host, const struct tex_at *at,
		    uint32_t c, uint32_t out[4]);
/* NULL: no texture has that handle. */
const struct tex_slot *tex_slot_of(const struct ptx_device *d, uint64_t handle);

exec_fn tex_fetch, tex_query, surf_load, surf_store, surf_store_texel;

/* decode_tex.c: txq, suq */
int decode_query(struct decode *d, struct prog_inst *in);

#endif
