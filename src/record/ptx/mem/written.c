/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * written.c - checks reads of device memory that was never written (CHECK_INIT): it notes which
 * bytes of an allocation the host (copies, memset) or a kernel has written.
 *
 * Only tracked allocations (ptx_track), those of cudaMalloc, have a map with a byte for each byte.
 * Memory that the host may write without a call (managed and page-locked memory), variables and
 * parameters have none. A finding is an element of a load or an atomic of which no byte was
 * written: a structure that a kernel stored by members has bytes between them that no one writes,
 * and a vector load reads them with its neighbours. Not detected: copies of such memory, by the
 * host or by cp.async, whose destination then counts as written; reads by textures.
 */
#include "record/ptx/mem/devmem.h"
#include "record/ptx/mem/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int
ptx_track(struct ptx_device *d, uint64_t addr, struct err *e)
{
	uint32_t hint = 0;
	struct mem_block *b = (struct mem_block *)(uintptr_t)devmem_search(d, addr, 1, &hint);

	if (!b || b->addr != addr || b->written)
		return 0;
	b->written = calloc(b->bytes, 1); /* pages that are never written take no memory */
	return b->written
		       ? 0
		       : err_of(e, ERR_MEMORY,
				"out of memory for the check of %" PRIu64 " bytes of device memory",
				b->bytes);
}

void
ptx_note_written(struct ptx_device *d, uint64_t addr, uint64_t bytes)
{
	uint32_t hint = 0;
	const struct mem_block *b = bytes ? devmem_search(d, addr, bytes, &hint) : NULL;

	if (b && b->written)
		memset(b->written + (addr - b->addr), 1, bytes);
}

static int
report_unwritten(struct warp *w, const struct prog_inst *in, uint32_t lane,
		 const struct mem_block *b, uint64_t off, uint32_t bytes)
{
	char name[48];

	mem_name(in, name, sizeof(name));
	return exec_fault(w, in, (int)lane,
			  "%s: the %" PRIu32 " byte%s at 0x%" PRIx64 " w%s never written, %" PRIu64
			  " bytes into '%s' of %" PRIu64 " bytes",
			  name, bytes, bytes == 1 ? "" : "s", b->addr + off,
			  bytes == 1 ? "as" : "ere", off, b->what, b->bytes);
}

static int
on_unwritten(struct warp *w, const struct prog_inst *in, uint32_t lane, const struct mem_block *b,
	     uint64_t off, uint32_t bytes)
{
	struct found_pause p;

	if (!(w->cta->run->launch->go_on & CHECK_INIT))
		return report_unwritten(w, in, lane, b, off, bytes);
	if (!found_before(w, in, CHECK_INIT, &p)) {
		report_unwritten(w, in, lane, b, off, bytes);
		found_new(w, in, (int)lane, CHECK_INIT, &p);
	}
	return 0;
}

int
written_access(struct warp *w, const struct prog_inst *in, const struct mem_block *b,
	       const uint64_t *off, uint32_t mask, uint32_t bytes, uint32_t mode)
{
	static const uint8_t none[16];
	bool reads =
		in->op == PTX_ld || in->op == PTX_ldu || in->op == PTX_atom || in->op == PTX_red;
	uint32_t one = in->vec > 1 && bytes % in->vec == 0 ? bytes / in->vec : bytes, l, k;

	for (; mask; mask &= mask - 1) {
		l = (uint32_t)__builtin_ctz(mask);
		for (k = 0; reads && k < bytes; k += one)
			if (one <= sizeof(none) && !memcmp(b->written + off[l] + k, none, one) &&
			    on_unwritten(w, in, l, b, off[l] + k, one))
				return EXEC_FAULT;
		if (mode & (MEM_WRITE | MEM_ATOMIC))
			memset(b->written + off[l], 1, bytes);
	}
	return 0;
}
