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
	struct dram_bank *b = &c->bank[c->r[id].bank];

	c->r[id].next = DRAM_NONE;
	if (b->n++)
		c->r[b->tail].next = (uint16_t)id;
	else
		b->head = (uint16_t)id;
	b->tail = (uint16_t)id;
	c->queued |= UINT64_C(1) << c->r[id].bank;
	c->waiting++;
}

/* The oldest ready one, else the oldest. */
unsigned
frfcfs_take(struct channel *c, unsigned bank)
{
	struct dram_bank *b = &c->bank[bank];
	uint16_t *link = &b->head, before = DRAM_NONE;
	unsigned id;

	while (*link != DRAM_NONE && c->r[*link].row != b->row) {
		before = *link;
		link = &c->r[*link].next;
	}
	if (*link == DRAM_NONE) {
		link = &b->head;
		before = DRAM_NONE;
	}
	id = *link;
	*link = c->r[id].next;
	if (b->tail == id)
		b->tail = before;
	if (!--b->n)
		c->queued &= ~(UINT64_C(1) << bank);
	c->waiting--;
	return id;
}
