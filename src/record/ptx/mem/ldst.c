/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst.c - executes ld, ldu and st.
 *
 * mem_load and mem_store can do every access, piece by piece. Fast paths come first, for the most
 * frequent cases: all lanes in one piece of memory (one pass that checks them, one loop), a full
 * warp on consecutive words (one copy) or on one word, and kernel parameters (the same word for all
 * lanes).
 *
 * A load checks all lanes before it writes a register; inactive lanes keep their values.
 */
#include "record/ptx/mem/mem.h"

#include "record/ptx/alu/alu.h"
#include "record/ptx/mem/claim.h"

#include <string.h>

/* ---- elements: memory to register and back ---- */

/* Loads the element at p + off[l] into lane l of dst, for the lanes of mask. */
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

/* Stores lane l of src to the element at p + off[l], for the lanes of mask. */
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

/* ---- a full warp on consecutive words, or on one ---- */

/* 32 unaligned bytes. memcpy would copy parts of 16 bytes, or use an instruction that is as slow as
 * all of them. */
typedef uint64_t chunk __attribute__((vector_size(32), aligned(1), may_alias));

/* Copies a word of 4 or 8 bytes for each lane of a warp: 4 or 8 chunks. */
static inline __attribute__((always_inline)) void
copy_run(void *to, const void *from, uint32_t size)
{
	chunk *d = to;
	const chunk *s = from;

	d[0] = s[0];
	d[1] = s[1];
	d[2] = s[2];
	d[3] = s[3];
	if (size == 4)
		return;
	d[4] = s[4];
	d[5] = s[5];
	d[6] = s[6];
	d[7] = s[7];
}

static inline __attribute__((always_inline)) void
copy_word(uint32_t *to, const void *from)
{
	uint32_t x;

	memcpy(&x, from, sizeof(x));
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		to[l] = x;
}

/* ---- the general way ---- */

/* Makes lanes that are out of bounds read 0, converted as by gather. */
static void
load_zeros(uint64_t got[4][WARP_SIZE], const struct prog_inst *in, uint32_t lanes)
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
	mem_report(in, w, at, mask);
	/* Registers are written at the end: the first may be the address, and a fault must not
	 * change them. */
	for (uint32_t left = mask; left; left &= ~s.lanes) {
		int rc = mem_span(in, w, at, left, bytes, MEM_READ | MEM_DROP, &s);

		if (rc == EXEC_FAULT)
			return rc;
		if (unlikely(rc == MEM_DROPPED))
			load_zeros(got, in, s.lanes);
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
	mem_report(in, w, at, mask);
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

/* The piece of memory of a whole warp: the start and bounds of its offsets. block: a block of
 * global memory that must be claimed. */
struct piece {
	const struct mem_block *block;
	uint8_t *host;
	uint64_t start, bytes, stride;
};

static inline bool
find_piece(const struct prog_inst *in, const struct warp *w, uint64_t at, uint32_t bytes,
	   bool write, struct piece *p)
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
	if (!b || (write && b->read_only) || unlikely(r->global || b->written))
		return false;
	p->host = devmem_host(r->device, b->addr);
	p->start = b->addr;
	p->bytes = b->bytes;
	p->block = r->claim ? b : NULL;
	return true;
}

/* The lanes of an access that has a shortcut. */
struct aim {
	uint8_t *host; /* even: of lane 0; the others follow at distances of step */
	bool even;
	uint64_t step;
	uint64_t off[WARP_SIZE]; /* not even: offsets from host */
};

/* Resolves the lanes of mask if all are aligned and in one piece of memory, and reports the
 * addresses as mem_report does. False: there is no shortcut, and mem_load or mem_store report
 * again. It tests signs, as comparisons do not vectorize; no piece has 2^63 bytes. */
static inline __attribute__((always_inline)) bool
aim_lanes(const struct prog_inst *in, struct warp *w, uint32_t mask, const uint64_t *at,
	  uint32_t bytes, bool write, struct aim *to)
{
	uint64_t outside = 0, low = 0, limit, to_generic = 0, start;
	bool is_reported = mem_report_base(in, w, &to_generic);
	struct piece p;

	if (!find_piece(in, w, at[0], bytes, write, &p))
		return false;
	limit = p.bytes - bytes;
	start = p.start;
	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		uint64_t off = at[l] - start;

		low |= at[l];
		outside |= off | (limit - off);
		to->off[l] = off;
	}
	for (uint32_t l = 0; is_reported && l < WARP_SIZE; l++)
		w->addr[l] = at[l] + to_generic;
	w->addr_mask = is_reported ? mask : 0;
	if (outside >> 63 || (low & (bytes - 1)))
		return false;
	to->even = false;
	to->host = p.host;
	if (unlikely(p.block) && claim_lanes(w->cta->run, p.block, to->off, mask, bytes, write))
		return false;
	for (uint64_t l = 0; p.stride && l < WARP_SIZE; l++)
		to->off[l] += l * p.stride;
	return true;
}

static bool
claim_even(struct run *r, const struct mem_block *b, uint64_t off, uint64_t step, uint32_t bytes,
	   bool write)
{
	uint64_t offs[WARP_SIZE];

	if (step == 0 || step == bytes)
		return claim_range(r, b, b->addr + off, step ? WARP_SIZE * bytes : bytes, write) ==
		       0;
	for (uint64_t l = 0; l < WARP_SIZE; l++)
		offs[l] = off + l * step;
	return claim_lanes(r, b, offs, UINT32_MAX, bytes, write) == 0;
}

/* Does the same for a full warp whose addresses are first, first + step, ... The step fits into a
 * trace, so nothing overflows. It is enough to check the first and the last lane. */
static inline __attribute__((always_inline)) bool
aim_even(const struct prog_inst *in, struct warp *w, uint64_t first, uint64_t step, uint32_t bytes,
	 bool write, struct aim *to)
{
	uint64_t last = first + (WARP_SIZE - 1) * step, to_generic = 0, off, limit;
	struct piece p;

	if (!find_piece(in, w, first, bytes, write, &p))
		return false;
	off = first - p.start;
	limit = p.bytes - bytes;
	if (((first | step) & (bytes - 1)) || off > limit || last - p.start > limit)
		return false;
	if (unlikely(p.block) && !claim_even(w->cta->run, p.block, off, step, bytes, write))
		return false;
	to->host = p.host + off;
	to->even = true;
	to->step = step + p.stride;
	if (mem_report_base(in, w, &to_generic)) {
		w->addr[0] = first + to_generic;
		w->addr_step = (int32_t)step;
		w->addr_even = true;
		w->addr_mask = UINT32_MAX;
	}
	return true;
}

static inline __attribute__((always_inline)) bool
aim_access(const struct prog_inst *in, struct warp *w, uint32_t mask, uint32_t bytes, bool write,
	   struct aim *to)
{
	const uint64_t *base = vec64(w, in->src[0]);
	const uint32_t *base32 = vec32(w, in->src[0]);
	uint64_t disp = (uint64_t)in->imm, some[WARP_SIZE], want, step, differ = 0;
	uint64_t at[WARP_SIZE]; /* a local array: the compiler knows that nothing aliases it */
	uint32_t disp32 = (uint32_t)disp;

	if (unlikely(mask != UINT32_MAX)) {
		mem_addresses(in, w, mask, some);
		return aim_lanes(in, w, mask, some, bytes, write, to);
	}
	if (in->src[0].bytes == 8)
		for (uint32_t l = 0; l < WARP_SIZE; l++)
			at[l] = base[l] + disp;
	else
		for (uint32_t l = 0; l < WARP_SIZE; l++)
			at[l] = base32[l] + disp32;
	step = at[1] - at[0];
	want = at[0];
	for (uint32_t l = 0; l < WARP_SIZE; l++, want += step)
		differ |= at[l] ^ want;
	if (!differ && (int64_t)step == (int32_t)step)
		return aim_even(in, w, at[0], step, bytes, write, to);
	return aim_lanes(in, w, mask, at, bytes, write, to);
}

/* Computes the offsets of an even access, from the lowest address, which is that of the last lane
 * if the step is negative. */
static inline __attribute__((always_inline)) const uint64_t *
aim_offsets(struct aim *a)
{
	uint64_t first = a->step >> 63 ? (WARP_SIZE - 1) * (0 - a->step) : 0;

	if (!a->even)
		return a->off;
	a->host -= first;
	for (uint64_t l = 0; l < WARP_SIZE; l++)
		a->off[l] = first + l * a->step;
	return a->off;
}

static inline __attribute__((always_inline)) int
load_body(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type);
	struct aim a;

	if (!aim_access(in, w, mask, size * in->vec, false, &a))
		return mem_load(in, w, mask);
	if (in->vec == 1 && a.even && a.step == size && in->dst[0].bytes == size) {
		copy_run(vec(w, in->dst[0]), a.host, size);
		return EXEC_NEXT;
	}
	if (a.even && a.step == 0 && in->sub == CONV_u32_32) {
		for (uint32_t k = 0; k < in->vec; k++)
			if (in->dst[k].bytes != OPND_NONE)
				copy_word(vec(w, in->dst[k]), a.host + k * size);
		return EXEC_NEXT;
	}
	aim_offsets(&a);
	for (uint32_t k = 0; k < in->vec; k++)
		if (in->dst[k].bytes != OPND_NONE)
			gather[in->sub](vec(w, in->dst[k]), a.host + k * size, a.off, mask);
	return EXEC_NEXT;
}

static inline __attribute__((always_inline)) int
store_body(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type);
	struct aim a;

	if (!aim_access(in, w, mask, size * in->vec, true, &a))
		return mem_store(in, w, mask);
	if (in->vec == 1 && a.even && a.step == size && in->src[1].bytes == size) {
		copy_run(a.host, vec(w, in->src[1]), size);
		return EXEC_NEXT;
	}
	aim_offsets(&a);
	for (uint32_t k = 0; k < in->vec; k++) {
		struct opnd o = in->src[1 + k];

		scatter[__builtin_ctz(size)][o.bytes == 8](vec(w, o), a.host + k * size, a.off,
							   mask);
	}
	return EXEC_NEXT;
}

/* The bodies are compiled twice, as for arithmetic (alu.h). */
int
mem_load_fast(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return load_body(in, w, mask);
}

int
mem_store_fast(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return store_body(in, w, mask);
}

ALU_WIDE int
mem_load_wide(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return load_body(in, w, mask);
}

ALU_WIDE int
mem_store_wide(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return store_body(in, w, mask);
}

/* Loads a kernel's parameter at a constant address: one value for all lanes. */
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
