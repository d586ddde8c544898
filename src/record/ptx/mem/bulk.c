/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bulk.c - executes cp.async.bulk and cp.reduce.async.bulk without a tensor map: a thread copies a
 * range of memory, or combines it with another one element by element.
 *
 * It is executed immediately, like cp.async (async.c): groups have nothing to wait for, and the
 * bytes are subtracted from those that an mbarrier expects. Every cluster is a single CTA, so
 * shared::cluster is the CTA's own shared memory.
 *
 * A trace contains the accesses that a warp of 32 lanes would make without this instruction: loads
 * and stores of 16 bytes per lane, 512 bytes at a time.
 *
 * Not supported: several CTAs as destination, a mask of bytes.
 */
#include "record/ptx/mem/async.h"

#include <inttypes.h>
#include <string.h>

#include "record/ptx/exec/exec.h"
#include "record/ptx/exec/sink.h"

#define CHUNK 16u /* bytes; sizes and addresses are multiples of it */

struct piece { /* the range that a lane copies */
	enum ptx_space from_space, to_space;
	uint64_t from, to;
	uint32_t bytes;
};

static uint64_t
get_address(const struct warp *w, struct opnd o, uint32_t lane, int64_t disp)
{
	return o.bytes == 8 ? vec64(w, o)[lane] + (uint64_t)disp
			    : (uint32_t)(vec32(w, o)[lane] + (uint32_t)disp);
}

static struct piece
get_piece(const struct prog_inst *in, const struct warp *w, uint32_t lane)
{
	return (struct piece){
		.to_space = (enum ptx_space)in->space,
		.from_space = in->sub == BULK_LOAD ? SP_GLOBAL : SP_SHARED,
		.to = get_address(w, in->src[0], lane, in->imm),
		.from = get_address(w, in->src[1], lane, (int32_t)in->target),
		.bytes = vec32(w, in->src[2])[lane],
	};
}

/* The CHUNK bytes at an address of the lane; NULL after a fault. */
static uint8_t *
find_chunk(const struct prog_inst *in, struct warp *w, uint32_t lane, enum ptx_space space,
	   uint64_t addr, uint32_t mode)
{
	struct prog_inst access = *in;
	uint64_t at[WARP_SIZE];
	struct mem_span s;

	access.space = (uint8_t)space;
	access.vec = 1;
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		at[l] = addr;
	if (mem_span(&access, w, at, 1u << lane, CHUNK, mode, &s) != 0)
		return NULL;
	return s.host + s.off[lane];
}

/* Combines the CHUNK bytes at `to` with those at `from`. */
static void
reduce_chunk(const struct prog_inst *in, uint8_t *to, const uint8_t *from)
{
	uint32_t size = ptx_type_bytes((enum ptx_type)in->type), n = CHUNK / size;
	struct mem_span s = {.host = to, .lanes = (1u << n) - 1, .place = in->space};
	uint64_t wide[WARP_SIZE] = {0}, old[WARP_SIZE];
	uint32_t narrow[WARP_SIZE] = {0};

	for (uint32_t k = 0; k < n; k++) {
		s.off[k] = (uint64_t)k * size;
		memcpy(size == 8 ? (void *)&wide[k] : (void *)&narrow[k], from + s.off[k], size);
	}
	atom_apply(in->sub2, &s, size == 8 ? (void *)wide : (void *)narrow, old);
}

static int
copy_piece(const struct prog_inst *in, struct warp *w, uint32_t lane, const struct piece *p)
{
	if (p->bytes % CHUNK)
		return exec_fault(w, in, (int)lane,
				  "cp.async.bulk: %" PRIu32 " bytes are not a multiple of %u",
				  p->bytes, CHUNK);
	for (uint32_t n = 0; n < p->bytes; n += CHUNK) {
		const uint8_t *from = find_chunk(in, w, lane, p->from_space, p->from + n, MEM_READ);
		uint8_t *to =
			from ? find_chunk(in, w, lane, p->to_space, p->to + n, MEM_WRITE) : NULL;

		if (!to)
			return EXEC_FAULT;
		if (in->type != TY_NONE)
			reduce_chunk(in, to, from);
		else
			memmove(to, from, CHUNK);
	}
	return 0;
}

int
exec_bulk(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	FOR_LANES(l, mask)
	{
		struct piece p = get_piece(in, w, l);

		if (copy_piece(in, w, l, &p) ||
		    (in->sub != BULK_STORE &&
		     mbarrier_complete(in, w, l, get_address(w, in->src[3], l, (int32_t)in->ext),
				       p.bytes)))
			return EXEC_FAULT;
	}
	w->addr_mask = w->cta->run->sink ? mask : 0; /* bulk_report finds the addresses */
	return EXEC_NEXT;
}

int
bulk_report(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	struct run *r = w->cta->run;
	const struct ptx_sink *s = r->sink;
	uint64_t at[2 * WARP_SIZE] = {0};

	FOR_LANES(l, mask)
	{
		struct piece p = get_piece(in, w, l);
		uint64_t from = p.from + (p.from_space == SP_SHARED ? PTX_SHARED_BASE : 0);
		uint64_t to = p.to + (p.to_space == SP_SHARED ? PTX_SHARED_BASE : 0);

		for (uint32_t n = 0; n < p.bytes; n += WARP_SIZE * CHUNK) {
			uint32_t k = MIN((p.bytes - n) / CHUNK, WARP_SIZE);
			uint32_t lanes = k == WARP_SIZE ? UINT32_MAX : (1u << k) - 1;

			for (uint32_t i = 0; i < WARP_SIZE; i++) {
				at[i] = from + n + (uint64_t)i * CHUNK;
				at[WARP_SIZE + i] = to + n + (uint64_t)i * CHUNK;
			}
			if (s->inst(s->ctx, w->id, w->func, in, lanes, at, lanes, r->e))
				return -1;
		}
	}
	return 0;
}
