/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst32.c - executes ld and st of 32 bytes per lane: .v8 of 32 bits, .v4 of 64 bits. Their
 * registers are a matrix of prog_func.more, as an instruction itself has room for four.
 *
 * Trace: two accesses of 16 bytes, as the machines of arch.def have no wider ones.
 */
#include "record/ptx/mem/mem.h"

#include <string.h>

#define BYTES 32u

/* Reports both halves: the second begins at warp.addr[WARP_SIZE]. */
static void
report_halves(const struct prog_inst *in, struct warp *w, const uint64_t *at, uint32_t mask)
{
	mem_report(in, w, at, mask);
	for (uint32_t l = 0; w->addr_mask && l < WARP_SIZE; l++)
		w->addr[WARP_SIZE + l] = w->addr[l] + BYTES / 2;
}

static void
move_lane(struct warp *w, const struct opnd *o, uint32_t n, uint32_t l, uint8_t *p, bool load)
{
	for (uint32_t k = 0; k < n; k++) {
		uint8_t *reg = (uint8_t *)vec(w, o[k]) + (size_t)l * o[k].bytes;

		if (o[k].bytes == OPND_NONE)
			continue;
		if (load)
			memcpy(reg, p + (size_t)k * (BYTES / n), o[k].bytes);
		else
			memcpy(p + (size_t)k * (BYTES / n), reg, BYTES / n);
	}
}

static int
move_all(const struct prog_inst *in, struct warp *w, uint32_t mask, bool load)
{
	static const uint8_t nothing[BYTES];
	const struct opnd *o = w->func->more[in->ext].o[load ? MAT_D : MAT_C];
	uint8_t got[WARP_SIZE][BYTES];
	uint64_t at[WARP_SIZE];
	struct mem_span s;

	mem_addresses(in, w, mask, at);
	report_halves(in, w, at, mask);
	for (uint32_t left = mask; left; left &= ~s.lanes) {
		int rc = mem_span(in, w, at, left, BYTES, (load ? MEM_READ : MEM_WRITE) | MEM_DROP,
				  &s);

		if (rc == EXEC_FAULT)
			return rc;
		for (uint32_t m = s.lanes; m; m &= m - 1) {
			uint32_t l = (uint32_t)__builtin_ctz(m);

			if (load)
				memcpy(got[l], rc ? nothing : s.host + s.off[l], BYTES);
			else if (rc == 0)
				move_lane(w, o, in->vec, l, s.host + s.off[l], false);
		}
	}
	/* Registers are written at the end: one may be the address. */
	for (uint32_t m = load ? mask : 0; m; m &= m - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(m);

		move_lane(w, o, in->vec, l, got[l], true);
	}
	return EXEC_NEXT;
}

int
mem_load_32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return move_all(in, w, mask, true);
}

int
mem_store_32(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	return move_all(in, w, mask, false);
}
