/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cvta.c - converts addresses between spaces (cvta, isspacep), and executes instructions that name
 * memory without changing it (prefetch, applypriority, discard).
 *
 * Constants and kernel parameters are in read-only blocks of global memory, so their addresses are
 * already generic; isspacep distinguishes them from global memory by the block.
 *
 * discard leaves memory unchanged, which PTX permits. A prefetch past the end of an allocation is
 * not a fault, as on hardware.
 */
#include "record/ptx/mem/mem.h"
#include <inttypes.h>

static uint64_t
get_window_base(const struct warp *w, enum ptx_space s)
{
	switch (s) {
	case SP_SHARED:
		return PTX_SHARED_BASE;
	case SP_LOCAL:
		return PTX_LOCAL_BASE;
	case SP_PARAM:
		return w->cta->run->param_addr;
	default:
		return 0;
	}
}

static void
add_offset(const struct prog_inst *in, struct warp *w, uint32_t mask, uint64_t by)
{
	uint64_t *to = vec(w, in->dst[0]);
	const uint64_t *from = vec64(w, in->src[0]);

	for (uint32_t l = 0; l < WARP_SIZE; l++)
		to[l] = mask >> l & 1 ? from[l] + by : to[l];
}

int
mem_cvta(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	if (in->dst[0].bytes == 8)
		add_offset(in, w, mask, get_window_base(w, in->sub));
	return EXEC_NEXT;
}

int
mem_cvta_to(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	if (in->dst[0].bytes == 8)
		add_offset(in, w, mask, -get_window_base(w, in->sub));
	return EXEC_NEXT;
}

static enum ptx_space
find_space(const struct prog_inst *in, const struct warp *w, uint64_t at)
{
	struct run *r = w->cta->run;
	const struct mem_block *b;

	if (at - PTX_SHARED_BASE < PTX_WINDOW_BYTES)
		return SP_SHARED;
	if (at - PTX_LOCAL_BASE < PTX_WINDOW_BYTES)
		return SP_LOCAL;
	b = devmem_find(r, in, at, 1);
	if (!b || !b->read_only || b->adopted)
		return SP_GLOBAL;
	return b->addr == r->param_addr ? SP_PARAM : SP_CONST;
}

int
mem_isspacep(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint64_t *at = vec64(w, in->src[0]);
	uint32_t yes = 0;

	for (uint32_t l = 0; l < WARP_SIZE; l++)
		yes |= (uint32_t)(find_space(in, w, at[l]) == in->sub) << l;
	vec_set_pred(w, in->dst[0], yes, mask);
	return EXEC_NEXT;
}

int
mem_touch(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	bool line = in->op == PTX_applypriority || in->op == PTX_discard;
	struct mem_span s;
	uint64_t at[WARP_SIZE];

	mem_addresses(in, w, mask, at);
	mem_report(in, w, at, mask);
	for (uint32_t left = line ? mask : 0; left; left &= ~s.lanes) {
		uint32_t mode = in->op == PTX_discard ? MEM_WRITE : MEM_READ;

		if (mem_span(in, w, at, left, 128, mode, &s) != 0)
			return EXEC_FAULT;
	}
	return EXEC_NEXT;
}
