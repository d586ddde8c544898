/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.c - resolves the addresses of a memory instruction: the checks that every access passes, the
 * host memory behind it, and the message for an invalid one.
 *
 * The lanes of a warp may point to different places: other allocations and, with generic addresses,
 * shared and local memory. mem_span takes the lowest lane and all lanes in the same place; its
 * callers continue with the rest. Local memory is one piece for the warp, with a stride from lane
 * to lane.
 *
 * Addresses of shared and local memory are offsets; generic addresses are in a window (ptx.h).
 */
#include "record/ptx/mem/mem.h"
#include "record/ptx/exec/sink.h"
#include "record/ptx/mem/claim.h"
#include "record/ptx/mem/global.h"
#include <inttypes.h>
#include <string.h>

void
mem_addresses(const struct prog_inst *in, const struct warp *w, uint32_t mask,
	      uint64_t *restrict at)
{
	const uint64_t *base = vec64(w, in->src[0]);
	const uint32_t *base32 = vec32(w, in->src[0]);
	uint64_t disp = (uint64_t)in->imm, first;
	uint32_t lane = (uint32_t)__builtin_ctz(mask), disp32 = (uint32_t)disp;
	bool wide = in->src[0].bytes == 8;

	if (likely(mask == UINT32_MAX)) {
		for (uint32_t l = 0; wide && l < WARP_SIZE; l++)
			at[l] = base[l] + disp;
		for (uint32_t l = 0; !wide && l < WARP_SIZE; l++)
			at[l] = base32[l] + disp32;
		return;
	}
	first = wide ? base[lane] + disp : base32[lane] + disp32;
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		at[l] = first;
	for (mask &= mask - 1; mask; mask &= mask - 1) {
		lane = (uint32_t)__builtin_ctz(mask);
		at[lane] = wide ? base[lane] + disp : base32[lane] + disp32;
	}
}

void
mem_name(const struct prog_inst *in, char *buf, size_t size)
{
	char space[16] = "", vec[8] = "", type[16] = "";

	if (in->space != SP_NONE)
		snprintf(space, sizeof(space), ".%s", ptx_space_name(in->space));
	if (in->vec > 1)
		snprintf(vec, sizeof(vec), ".v%d", in->vec);
	if (in->type != TY_NONE)
		snprintf(type, sizeof(type), ".%s", ptx_type_name(in->type));
	snprintf(buf, size, "%s%s%s%s", ptx_op_name(in->op), space, vec, type);
}

/* ---- faults ---- */

static enum ptx_space
find_space(const struct prog_inst *in, uint64_t at)
{
	if (in->space != SP_NONE)
		return in->space;
	if (at - PTX_SHARED_BASE < PTX_WINDOW_BYTES)
		return SP_SHARED;
	if (at - PTX_LOCAL_BASE < PTX_WINDOW_BYTES)
		return SP_LOCAL;
	return SP_GLOBAL;
}

static int
fault_outside(const struct prog_inst *in, struct warp *w, int lane, uint64_t at, uint32_t bytes)
{
	char name[48], why[320];

	mem_name(in, name, sizeof(name));
	switch (find_space(in, at)) {
	case SP_SHARED:
		at -= in->space == SP_NONE ? PTX_SHARED_BASE : 0;
		return exec_fault_of(ERR_ADDRESS, w, in, lane,
				     "%s: %" PRIu32 " bytes at shared address 0x%" PRIx64
				     " are outside of the CTA's %" PRIu32 " bytes of shared memory",
				     name, bytes, at, w->cta->shared_bytes);
	case SP_LOCAL:
		at -= in->space == SP_NONE ? PTX_LOCAL_BASE : 0;
		return exec_fault_of(ERR_ADDRESS, w, in, lane,
				     "%s: %" PRIu32 " bytes at local address 0x%" PRIx64
				     " are outside of the thread's %" PRIu32
				     " bytes of local memory and stack",
				     name, bytes, at, w->local_bytes);
	case SP_PARAM:
		return exec_fault_of(ERR_ADDRESS, w, in, lane,
				     "%s: %" PRIu32 " bytes at parameter address 0x%" PRIx64
				     " are outside of the kernel's %" PRIu32 " bytes of parameters",
				     name, bytes, at, w->cta->run->launch->kernel->param_bytes);
	default:
		devmem_explain(w->cta->run->device, at, bytes, why, sizeof(why));
		return exec_fault_of(ERR_ADDRESS, w, in, lane, "%s: %s", name, why);
	}
}

static int
fault_misaligned(const struct prog_inst *in, struct warp *w, int lane, uint64_t at, uint32_t bytes)
{
	char name[48];

	mem_name(in, name, sizeof(name));
	return exec_fault_of(ERR_MISALIGNED, w, in, lane,
			     "%s: address 0x%" PRIx64 " is misaligned: not a multiple of %" PRIu32,
			     name, at, bytes);
}

static int
fault_constant(const struct prog_inst *in, struct warp *w, int lane, uint64_t at,
	       const struct mem_block *b)
{
	char name[48];

	mem_name(in, name, sizeof(name));
	return exec_fault_of(ERR_ADDRESS, w, in, lane,
			     "%s: write to %s memory at 0x%" PRIx64 ": '%s' of %" PRIu64
			     " bytes at 0x%" PRIx64,
			     name, b->adopted ? "read-only" : "constant", at, b->what, b->bytes,
			     b->addr);
}

static int
fault_atomic(const struct prog_inst *in, struct warp *w, int lane, uint64_t at)
{
	char name[48];

	mem_name(in, name, sizeof(name));
	return exec_fault_of(ERR_SPACE, w, in, lane,
			     "%s: atomic operation on local memory at 0x%" PRIx64, name, at);
}

/* Reports that a lane is out of bounds, which ends the launch or, with MEM_DROP, only drops this
 * lane's access. */
static int
report_outside(const struct prog_inst *in, struct warp *w, int lane, uint64_t at, uint32_t bytes,
	       uint32_t mode, struct mem_span *s)
{
	struct found_pause p;

	if (!(mode & MEM_DROP) || !(w->cta->run->launch->go_on & CHECK_BOUNDS))
		return fault_outside(in, w, lane, at, bytes);
	if (!found_before(w, in, CHECK_BOUNDS, &p)) {
		fault_outside(in, w, lane, at, bytes);
		found_new(w, in, lane, CHECK_BOUNDS, &p);
	}
	s->lanes = 1u << lane;
	return MEM_DROPPED;
}

/* ---- places ---- */

/* The lanes of mask whose bytes are inside start .. start + size. */
static uint32_t
find_lanes_inside(const uint64_t *at, uint32_t mask, uint64_t start, uint64_t size, uint32_t bytes)
{
	uint32_t in = 0;

	if (size < bytes)
		return 0;
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		in |= (uint32_t)(at[l] - start <= size - bytes) << l;
	return in & mask;
}

static int
span_global(const struct prog_inst *in, struct warp *w, const uint64_t *at, uint32_t mask,
	    uint32_t bytes, uint32_t mode, struct mem_span *s)
{
	struct run *r = w->cta->run;
	int lane = __builtin_ctz(mask);
	const struct mem_block *b = devmem_find(r, in, at[lane], bytes);

	if (!b)
		return report_outside(in, w, lane, at[lane], bytes, mode, s);
	if (b->read_only && (mode & (MEM_WRITE | MEM_ATOMIC)))
		return fault_constant(in, w, lane, at[lane], b);
	s->lanes = find_lanes_inside(at, mask, b->addr, b->bytes, bytes);
	s->host = devmem_host(r->device, b->addr);
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		s->off[l] = at[l] - b->addr;
	if (unlikely(b->written) && written_access(w, in, b, s->off, s->lanes, bytes, mode))
		return EXEC_FAULT;
	if (unlikely(r->global))
		return global_access(w, in, b, s->off, s->lanes, bytes, mode);
	return r->claim ? claim_lanes(r, b, s->off, s->lanes, bytes,
				      (mode & (MEM_WRITE | MEM_ATOMIC)) != 0)
			: 0;
}

static int
span_shared(const struct prog_inst *in, struct warp *w, const uint64_t *at, uint32_t mask,
	    uint32_t bytes, uint32_t mode, struct mem_span *s)
{
	uint64_t base = in->space == SP_NONE ? PTX_SHARED_BASE : 0;
	uint32_t off[WARP_SIZE];
	int lane = __builtin_ctz(mask);
	bool strong;

	s->lanes = find_lanes_inside(at, mask, base, w->cta->shared_bytes, bytes);
	if (!(s->lanes >> lane & 1))
		return report_outside(in, w, lane, at[lane], bytes, mode, s);
	s->host = w->cta->shared;
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		s->off[l] = at[l] - base;
	if (!w->cta->shadow)
		return 0;
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		off[l] = (uint32_t)s->off[l];
	strong = (mode & MEM_ATOMIC) || ((in->op == PTX_ld || in->op == PTX_st) && in->sub2);
	if (check_shared(w, in, s->lanes, off, bytes, (mode & (MEM_WRITE | MEM_ATOMIC)) != 0,
			 strong))
		return EXEC_FAULT;
	return strong ? order_access(w, in, s->lanes, off) : 0;
}

static int
span_local(const struct prog_inst *in, struct warp *w, const uint64_t *at, uint32_t mask,
	   uint32_t bytes, uint32_t mode, struct mem_span *s)
{
	uint64_t base = in->space == SP_NONE ? PTX_LOCAL_BASE : 0;
	int lane = __builtin_ctz(mask);

	s->lanes = find_lanes_inside(at, mask, base, w->local_bytes, bytes);
	if (!(s->lanes >> lane & 1))
		return report_outside(in, w, lane, at[lane], bytes, mode, s);
	s->host = w->local;
	for (uint32_t l = 0; l < WARP_SIZE; l++) {
		if (mode & (MEM_WRITE | MEM_ATOMIC) && s->lanes >> l & 1)
			w->local_top = MAX(w->local_top, (uint32_t)(at[l] - base) + bytes);
		s->off[l] = at[l] - base + (uint64_t)l * w->local_bytes;
	}
	return 0;
}

static int
span_param(const struct prog_inst *in, struct warp *w, const uint64_t *at, uint32_t mask,
	   uint32_t bytes, uint32_t mode, struct mem_span *s)
{
	const struct run *r = w->cta->run;
	int lane = __builtin_ctz(mask);

	s->lanes = find_lanes_inside(at, mask, 0, r->launch->kernel->param_bytes, bytes);
	if (!(s->lanes >> lane & 1))
		return report_outside(in, w, lane, at[lane], bytes, mode, s);
	s->host = devmem_host(r->device, r->param_addr);
	memcpy(s->off, at, sizeof(s->off));
	return 0;
}

int
mem_span(const struct prog_inst *in, struct warp *w, const uint64_t *at, uint32_t mask,
	 uint32_t bytes, uint32_t mode, struct mem_span *s)
{
	int lane = __builtin_ctz(mask), rc;
	uint64_t low = 0;

	s->place = (uint8_t)find_space(in, at[lane]);
	switch (s->place) {
	case SP_SHARED:
		rc = span_shared(in, w, at, mask, bytes, mode, s);
		break;
	case SP_LOCAL:
		if (mode & MEM_ATOMIC)
			return fault_atomic(in, w, lane, at[lane]);
		rc = span_local(in, w, at, mask, bytes, mode, s);
		break;
	case SP_PARAM:
		rc = span_param(in, w, at, mask, bytes, mode, s);
		break;
	default:
		s->place = SP_GLOBAL; /* also .const */
		rc = span_global(in, w, at, mask, bytes, mode, s);
	}
	if (rc != 0)
		return rc;
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		low |= at[l];
	if (unlikely(low & (bytes - 1))) {
		for (uint32_t l = 0; l < WARP_SIZE; l++)
			if ((mask >> l & 1) && (at[l] & (bytes - 1)))
				return fault_misaligned(in, w, (int)l, at[l], bytes);
	}
	return 0;
}

const uint8_t *
mem_peek(const struct prog_inst *in, const struct warp *w, uint32_t l, uint64_t at, uint32_t bytes)
{
	const struct run *r = w->cta->run;
	const struct mem_block *b;
	uint32_t hint = 0;

	switch (find_space(in, at)) {
	case SP_SHARED:
		at -= in->space == SP_NONE ? PTX_SHARED_BASE : 0;
		return at <= w->cta->shared_bytes && bytes <= w->cta->shared_bytes - at
			       ? w->cta->shared + at
			       : NULL;
	case SP_LOCAL:
		at -= in->space == SP_NONE ? PTX_LOCAL_BASE : 0;
		return at <= w->local_bytes && bytes <= w->local_bytes - at
			       ? w->local + at + (size_t)l * w->local_bytes
			       : NULL;
	case SP_PARAM:
		b = devmem_search(r->device, r->param_addr + at, bytes, &hint);
		return b ? devmem_host(r->device, r->param_addr + at) : NULL;
	default:
		b = devmem_search(r->device, at, bytes, &hint);
		return b && !b->adopted && !b->host_writes ? devmem_host(r->device, at) : NULL;
	}
}

void
mem_report(const struct prog_inst *in, struct warp *restrict w, const uint64_t *restrict at,
	   uint32_t mask)
{
	uint64_t base;

	w->addr_mask = 0;
	if (!mem_report_base(in, w, &base))
		return;
	for (uint32_t l = 0; l < WARP_SIZE; l++)
		w->addr[l] = at[l] + base;
	w->addr_mask = mask;
}
