/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst.c - ld, ldu and st.
 *
 * Every access can be done by mem_load and mem_store, place after place. Before them come shortcuts
 * for what kernels do most: a full warp on consecutive words of global memory (one copy), all lanes
 * in one piece of memory (one check, one loop), a kernel's parameters (the same word for all
 * lanes).
 *
 * A load checks all lanes before it writes a register; lanes that are off keep theirs.
 */
#include "record/ptx/mem/mem.h"
#include "record/ptx/mem/claim.h"
#include <string.h>

/* ---- elements: memory to register and back ---- */

/* Lane l of dst becomes the element at p + off[l], for the lanes of mask. */
typedef void gather_fn(void *dst, const uint8_t *p, const uint64_t *off, uint32_t mask);

#define ROW(name, memory, width, container)                                                        \
	static void gather_##name(void *dst, const uint8_t *p, const uint64_t *off, uint32_t mask) \
	{                                                                                          \
		container *to = dst;                                                               \
		if (mask == UINT32_MAX) {                                                          \
			for (uint32_t l = 0; l < WARP_SIZE; l++) {                                 \
				memory x;                                                          \
				memcpy(&x, p + off[l], sizeof(x));                                 \
				to[l] = (container)(width)x;                                       \
			}                                                                          \
			return;                                                                    \
		}                                                                                  \
		for (; mask; mask &= mask - 1) {                                                   \
			uint32_t l = (uint32_t)__builtin_ctz(mask);                                \
			memory x;                                                                  \
			memcpy(&x, p + off[l], sizeof(x));                                         \
			to[l] = (container)(width)x;                                               \
		}                                                                                  \
	}
MEM_CONVS(ROW)
#undef ROW

static gather_fn *const gather[MEM_CONV_COUNT] = {
#define ROW(name, memory, width, container) gather_##name,
	MEM_CONVS(ROW)
#undef ROW
};

/* Element l at p + off[l] becomes lane l of src, whose lanes have bytes bytes. */
typedef void scatter_fn(const void *src, uint8_t *p, const uint64_t *off, uint32_t mask);

#define SCATTER(memory, container, name)                                             \
	static void scatter_##name(const void *src, uint8_t *p, const uint64_t *off, \
				   uint32_t mask)                                    \
	{                                                                            \
		const container *from = src;                                         \
		if (mask == UINT32_MAX) {                                            \
			for (uint32_t l = 0; l < WARP_SIZE; l++) {                   \
				memory x = (memory)from[l];                          \
				memcpy(p + off[l], &x, sizeof(x));                   \
			}                                                            \
			return;                                                      \
		}                                                                    \
		for (; mask; mask &= mask - 1) {                                     \
			uint32_t l = (uint32_t)__builtin_ctz(mask);                  \
			memory x = (memory)from[l];                                  \
			memcpy(p + off[l], &x, sizeof(x));                           \
		}                                                                    \
	}
SCATTER(uint8_t, uint32_t, 8_32)
SCATTER(uint16_t, uint32_t, 16_32)
SCATTER(uint32_t, uint32_t, 32_32)
SCATTER(uint8_t, uint64_t, 8_64)
SCATTER(uint16_t, uint64_t, 16_64)
SCATTER(uint32_t, uint64_t, 32_64)
SCATTER(uint64_t, uint64_t, 64_64)

/* By log2 of the bytes in memory, and by whether a lane of the register has 8. */
static scatter_fn *const scatter[4][2] = {
	{scatter_8_32, scatter_8_64},
	{scatter_16_32, scatter_16_64},
	{scatter_32_32, scatter_32_64},
	{NULL, scatter_64_64},
};

/* ---- the general way ---- */

/* What is out of bounds reads 0, in the form gather leaves. */
static void
load_nothing(uint64_t got[4][WARP_SIZE], const struct prog_inst *in, uint32_t lanes)
{
	static const uint64_t zero, off[WARP_SIZE];

	for (uint32_t k = 0; k < in->vec; k++)
		gather[in->sub](got[k], (const uint8_t *)&zero, off, lanes);
}

int
mem_load(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type), bytes = size * in->vec;
	uint64_t at[WARP_SIZE], got[4][WARP_SIZE];
	struct mem_span s;

	mem_addresses(in, w, mask, at);
	mem_tell(in, w, at, mask);
	/* Into registers only at the end: the first may be the address, and a fault leaves them. */
	for (uint32_t left = mask; left; left &= ~s.lanes) {
		int rc = mem_span(in, w, at, left, bytes, MEM_READ | MEM_DROP, &s);

		if (rc == EXEC_FAULT)
			return rc;
		if (unlikely(rc == MEM_DROPPED))
			load_nothing(got, in, s.lanes);
		for (uint32_t k = 0; k < in->vec && rc == 0; k++)
			gather[in->sub](got[k], s.host + k * size, s.off, s.lanes);
	}
	for (uint32_t k = 0; k < in->vec; k++) {
		if (in->dst[k].bytes == 8) {
			uint64_t *to = vec(w, in->dst[k]);

			for (uint32_t l = 0; l < WARP_SIZE; l++)
				to[l] = mask >> l & 1 ? got[k][l] : to[l];
		} else if (in->dst[k].bytes == 4) {
			uint32_t *to = vec(w, in->dst[k]);
			const uint32_t *from = (const uint32_t *)(const void *)got[k];

			for (uint32_t l = 0; l < WARP_SIZE; l++)
				to[l] = mask >> l & 1 ? from[l] : to[l];
		}
	}
	return EXEC_NEXT;
}

int
mem_store(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type), bytes = size * in->vec;
	uint64_t at[WARP_SIZE];
	struct mem_span s;

	mem_addresses(in, w, mask, at);
	mem_tell(in, w, at, mask);
	for (uint32_t left = mask; left; left &= ~s.lanes) {
		int rc = mem_span(in, w, at, left, bytes, MEM_WRITE | MEM_DROP, &s);

		if (rc == EXEC_FAULT)
			return rc;
		for (uint32_t k = 0; k < in->vec && rc == 0; k++) {
			struct opnd o = in->src[1 + k];

			scatter[__builtin_ctz(size)][o.bytes == 8](vec(w, o), s.host + k * size,
								   s.off, s.lanes);
		}
	}
	return EXEC_NEXT;
}

/* ---- shortcuts ---- */

/* A full warp on consecutive words from base[0] on; bytes is 4 or 8. */
static inline bool
consecutive(const uint64_t *base, uint32_t bytes)
{
	uint64_t differ = 0;

	if (bytes == 4) {
		for (uint64_t l = 0; l < WARP_SIZE; l++)
			differ |= (base[l] - base[0]) ^ 4 * l;
	} else {
		for (uint64_t l = 0; l < WARP_SIZE; l++)
			differ |= (base[l] - base[0]) ^ 8 * l;
	}
	return differ == 0;
}

/* The host memory of a full warp that accesses consecutive words of global memory as wide as the
 * register o, else NULL. Nobody may want to know the addresses. */
static inline uint8_t *
one_copy(const struct prog_inst *in, const struct warp *w, uint32_t mask, struct opnd o, bool write)
{
	struct run *r = w->cta->run;
	const uint64_t *base = vec64(w, in->src[0]);
	uint32_t bytes = ptx_type_bytes((enum ptx_type)in->type);
	const struct mem_block *b;
	uint64_t at;

	if (mask != UINT32_MAX || in->vec != 1 || o.bytes != bytes || in->src[0].bytes != 8 ||
	    r->sink || !consecutive(base, bytes))
		return NULL;
	at = base[0] + (uint64_t)in->imm;
	b = devmem_find(r, in, at, (uint64_t)WARP_SIZE * bytes);
	if (!b || at % bytes != 0 || (write && b->read_only) ||
	    (unlikely(r->claim) && claim_range(r, b, at, WARP_SIZE * bytes, write)))
		return NULL;
	return devmem_host(r->device, at);
}

/* Where offsets of a whole warp count from, and what bounds them. block: of global memory, when it
 * has to be claimed. */
struct piece {
	const struct mem_block *block;
	uint8_t *host;
	uint64_t start, bytes, stride;
};

static inline bool
piece_of(const struct prog_inst *in, const struct warp *w, uint64_t at, uint32_t bytes, bool write,
	 struct piece *p)
{
	struct run *r = w->cta->run;
	const struct mem_block *b;

	*p = (struct piece){0};
	if (in->space == SP_SHARED) {
		p->host = w->cta->shared;
		p->bytes = w->cta->shared_bytes;
		return !w->cta->shadow && p->bytes >= bytes;
	}
	if (in->space == SP_LOCAL) {
		p->host = w->local;
		p->bytes = w->local_top;
		p->stride = w->local_bytes;
		return p->bytes >= bytes;
	}
	b = devmem_find(r, in, at, bytes);
	if (!b || (write && b->read_only))
		return false;
	p->host = devmem_host(r->device, b->addr);
	p->start = b->addr;
	p->bytes = b->bytes;
	p->block = r->claim ? b : NULL;
	return true;
}

/* All lanes aligned and in one piece: its host memory, and at[] made offsets there. Else NULL, and
 * at[] is spoilt. Signs instead of comparisons, for these do not vectorize: no piece has 2^63
 * bytes. */
static inline uint8_t *
one_piece(const struct prog_inst *in, const struct warp *w, uint32_t mask, uint64_t *at,
	  uint32_t bytes, bool write)
{
	uint64_t outside = 0, low = 0, limit, start;
	struct piece p;

	if (!piece_of(in, w, at[0], bytes, write, &p))
		return NULL;
	limit = p.bytes - bytes;
	start = p.start;
	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		uint64_t off = at[l] - start;

		low |= at[l];
		outside |= off | (limit - off);
		at[l] = off;
	}
	if (outside >> 63 || (low & (bytes - 1)))
		return NULL;
	if (unlikely(p.block) && claim_lanes(w->cta->run, p.block, at, mask, bytes, write))
		return NULL;
	for (uint64_t l = 0; p.stride && l < WARP_SIZE; l++)
		at[l] += l * p.stride;
	return p.host;
}

int
mem_load_fast(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type);
	uint8_t *p = one_copy(in, w, mask, in->dst[0], false);
	uint64_t at[WARP_SIZE];

	if (p) {
		memcpy(vec(w, in->dst[0]), p, (size_t)WARP_SIZE * size);
		return EXEC_NEXT;
	}
	mem_addresses(in, w, mask, at);
	mem_tell(in, w, at, mask);
	p = one_piece(in, w, mask, at, size * in->vec, false);
	if (!p)
		return mem_load(in, w, mask);
	for (uint32_t k = 0; k < in->vec; k++)
		if (in->dst[k].bytes != OPND_NONE)
			gather[in->sub](vec(w, in->dst[k]), p + k * size, at, mask);
	return EXEC_NEXT;
}

int
mem_store_fast(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type);
	uint8_t *p = one_copy(in, w, mask, in->src[1], true);
	uint64_t at[WARP_SIZE];

	if (p) {
		memcpy(p, vec(w, in->src[1]), (size_t)WARP_SIZE * size);
		return EXEC_NEXT;
	}
	mem_addresses(in, w, mask, at);
	mem_tell(in, w, at, mask);
	p = one_piece(in, w, mask, at, size * in->vec, true);
	if (!p)
		return mem_store(in, w, mask);
	for (uint32_t k = 0; k < in->vec; k++) {
		struct opnd o = in->src[1 + k];

		scatter[__builtin_ctz(size)][o.bytes == 8](vec(w, o), p + k * size, at, mask);
	}
	return EXEC_NEXT;
}

/* A kernel's parameter at a constant address: one value for all lanes. */
int
mem_load_param(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	static const uint64_t zero[WARP_SIZE];
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type), bytes = size * in->vec;
	const struct run *r = w->cta->run;
	uint64_t at[WARP_SIZE];

	mem_addresses(in, w, mask, at);
	if (at[0] % bytes != 0 || bytes > r->launch->kernel->param_bytes ||
	    at[0] > r->launch->kernel->param_bytes - bytes)
		return mem_load(in, w, mask);
	w->addr_mask = 0;
	for (uint32_t k = 0; k < in->vec; k++)
		if (in->dst[k].bytes != OPND_NONE)
			gather[in->sub](vec(w, in->dst[k]),
					devmem_host(r->device, r->param_addr) + at[0] + k * size,
					zero, mask);
	return EXEC_NEXT;
}
