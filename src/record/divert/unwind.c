/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unwind.c - reads where functions begin from the unwinder's table of a loaded file.
 *
 * Only the form that today's linkers and compilers write is read; any other form confirms no
 * function.
 */
#include "record/divert/unwind.h"

#include <string.h>

/* .eh_frame_hdr in its usual form: the begins of functions, sorted, as 32-bit distances from this
 * struct. */
struct unwind {
	uint8_t version, frame, count, table;
	int32_t eh_frame;
	uint32_t n;
	struct {
		int32_t begin, fde;
	} row[];
};

const struct unwind *
unwind_find(const struct dl_phdr_info *o)
{
	for (unsigned i = 0; i < o->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &o->dlpi_phdr[i];
		const struct unwind *u = (const void *)(o->dlpi_addr + h->p_vaddr);

		if (h->p_type != PT_GNU_EH_FRAME || h->p_memsz < sizeof(*u))
			continue;
		if (u->version == 1 && u->count == 0x03 && u->table == 0x3b &&
		    u->n <= (h->p_memsz - sizeof(*u)) / sizeof(u->row[0]))
			return u;
	}
	return NULL;
}

/* The size in bytes that a row's description gives its function; 0: the description has not the
 * form that compilers write. That is 32-bit words: length, parent, begin (from itself), bytes. */
static uint64_t
read_described_bytes(const struct unwind *u, uint32_t i)
{
	const uint8_t *fde = (const uint8_t *)u + u->row[i].fde;
	int32_t word[4];

	memcpy(word, fde, sizeof(word));
	if (word[0] < 12 ||
	    (uintptr_t)(fde + 8 + word[2]) != (uintptr_t)u + (uintptr_t)u->row[i].begin)
		return 0;
	return (uint32_t)word[3];
}

bool
unwind_confirms(const struct unwind *u, uintptr_t at, uint64_t bytes, unsigned room)
{
	int64_t wanted = (int64_t)(at - (uintptr_t)u);
	uint32_t lo = 0, hi = u->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (u->row[mid].begin < wanted)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < u->n && u->row[lo].begin == wanted && read_described_bytes(u, lo) == bytes &&
	       (lo + 1 == u->n || u->row[lo + 1].begin - wanted >= room);
}
