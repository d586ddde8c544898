/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * frfcfs.c - first ready, first come first served: each bank has a queue, and serves the oldest
 * request to the row that it opened last; without such a request, the oldest (ctascope-model(7)
 * 11.4).
 */
#include "mem/mem_part.h"

HOT static void
frfcfs_add(const struct channel_env *e, unsigned id)
{
	struct channel *c = e->c;
	unsigned bank = c->r[id].bank;

	dram_append(c, &c->bank[bank].queue, id);
	c->queued |= UINT64_C(1) << bank;
}

/* Takes the oldest request of a bank to its row, else the oldest. */
static unsigned
take_from_bank(struct channel *c, unsigned bank)
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
	c->queued &= ~((uint64_t)(b->queue.head == DRAM_NONE) << bank);
	return id;
}

/* Takes a request for the first bank from the priority pointer on, and advances the pointer by one.
 */
HOT static unsigned
frfcfs_take(const struct channel_env *e, uint64_t banks)
{
	struct channel *c = e->c;
	unsigned bank = dram_first_bank(c, banks);

	c->prio = (uint8_t)(c->prio + 1u == e->cfg->banks ? 0 : c->prio + 1);
	return take_from_bank(c, bank);
}

const struct dram_sched_ops dram_frfcfs = {.add = frfcfs_add, .take = frfcfs_take};
