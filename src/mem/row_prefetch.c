/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * row_prefetch.c - brings further lines of an open row of DRAM into L2: the opportunistic
 * memory-side prefetching of OWL (Jog et al., ASPLOS 2013; ctascope-model(7) 11.10).
 *
 * When a bank has served a read and no further request for its open row waits, the bank is about
 * to leave the row, or will be idle. Then, once for each time the row is opened, the channel itself
 * asks for the lines that follow in the row and are neither in L2 nor on their way. These requests
 * join the queue of the bank at once; FR-FCFS serves them while the row is open.
 *
 * Only the abstract of the paper was at hand, which says that the prefetching takes place at the
 * memory and takes advantage of open rows. Everything else is a decision of ours: the moment, the
 * lines and their number, and that a prefetch takes only what is free.
 */
#include "mem/mem_part.h"

/* The bits of a channel-local address that number a line in its row. */
static uint64_t
line_bits(const struct channel_env *e, uint64_t line_size)
{
	const struct addrmap *m = e->map;
	unsigned top = 63 - (unsigned)__builtin_clzll(m->row_bits | 1);

	return ~(m->bank_bits | m->row_bits) & ((UINT64_C(1) << top) - 1) & ~(line_size - 1);
}

/* The line of the row behind this one, and the first one behind the last. */
static uint64_t
next_line(uint64_t local, uint64_t bits)
{
	return (((local | ~bits) + 1) & bits) | (local & ~bits);
}

/* Finds the address whose channel-local address in this slice is `local`. */
static bool
find_address(const struct addrmap *m, unsigned slice, uint64_t local, uint64_t *addr)
{
	uint64_t low = local & ((UINT64_C(1) << m->chunk_shift) - 1), found;

	for (unsigned i = 0; i < m->channels; i++) {
		unsigned channel =
			(slice / m->slices + i) % m->channels; /* the first, unless hashed */

		*addr = ((local >> m->chunk_shift) * m->channels + channel) << m->chunk_shift | low;
		if (addr_route(m, *addr, &found) == slice && found == local)
			return true;
	}
	return false;
}

static bool
has_room(const struct channel_env *e)
{
	const struct channel *c = e->c;

	return c->free != DRAM_NONE && c->in_channel < e->credits && !(c->full >> DRAM_READS & 1);
}

/* Asks for the sectors of a line that L2 lacks, while there is room. Returns whether it asked for
 * any. */
static bool
prefetch_line(struct channel_env *e, const struct dram_req *like, uint64_t line, uint64_t x,
	      cycle_t now)
{
	struct channel *c = e->c;
	const struct slice_env *s = &e->slice[like->slice];
	bool asked = false;

	for (unsigned sector = 0; sector < s->tags->line / SECTOR && has_room(e); sector++) {
		unsigned entry = slice_reserve(s, line, sector, now), id = c->free;

		if (entry == MSHR_NONE)
			continue;
		c->free = c->r[id].next;
		c->r[id] = (struct dram_req){.handle = entry,
					     .row = like->row,
					     .bank = like->bank,
					     .slice = like->slice,
					     .columns = e->columns[1]};
		dram_borrow_credit(c, like->slice, x);
		dram_wait_for_bank(e, id);
		c->st.prefetches++;
		asked = true;
	}
	return asked;
}

void
dram_prefetch_row(struct channel_env *e, const struct dram_req *r, uint64_t x, cycle_t now)
{
	struct dram_bank *b = &e->c->bank[r->bank];
	const struct dram_req like = *r;
	const struct slice_env *s = &e->slice[r->slice];
	uint64_t size = s->tags->line, bits = line_bits(e, size), first, local, line;
	unsigned left = e->cfg->row_prefetch;

	if (dram_has_row(e->c, &b->queue, b->row))
		return;
	b->prefetched = 1;
	addr_route(e->map, s->mshr->entry[r->handle].addr & ~(size - 1), &first);
	for (local = next_line(first, bits); local != first && left; local = next_line(local, bits))
		if (find_address(e->map, s->id, local, &line) &&
		    prefetch_line(e, &like, line, x, now))
			left--;
	*e->slice_awake |= e->slice_bit << like.slice; /* it may have a line to write back */
}
