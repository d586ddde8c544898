/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frfcfs.c - first ready, first come first served: the requests that wait for each bank, and which
 * of them it serves next (ctascope-model(7) 11).
 *
 * Ready is a request to the row the bank has open, or opened last. Which bank's turn it is, and
 * what commands the request needs, is dram.c.
 */
#include "mem/mem_part.h"

void
frfcfs_add(struct channel *c, unsigned id)
{
	unsigned bank = c->r[id].bank;
	struct dram_bank *b = &c->bank[bank];

	dram_append(c, &b->queue, id);
	b->n++;
	c->queued |= UINT64_C(1) << bank;
	c->waiting++;
}

/* The oldest ready one, else the oldest. */
unsigned
frfcfs_take(struct channel *c, unsigned bank)
{
	struct dram_bank *b = &c->bank[bank];
	uint16_t *link = &b->queue.head, before = DRAM_NONE;
	unsigned id;

	while (*link != DRAM_NONE && c->r[*link].row != b->row) {
		before = *link;
		link = &c->r[*link].next;
	}
	if (*link == DRAM_NONE) {
		link = &b->queue.head;
		before = DRAM_NONE;
	}
	id = *link;
	*link = c->r[id].next;
	if (b->queue.tail == id)
		b->queue.tail = before;
	c->queued &= ~((uint64_t) !--b->n << bank);
	c->waiting--;
	return id;
}
