/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * write_queue.c - FR-FCFS with a queue of its own for writes (ctascope-model(7) 11.9).
 *
 * Only reads are served until mem.write_high writes wait, then only writes until fewer than
 * mem.write_low do. The channel decides between the two only in a cycle in which a bank is idle, so
 * a write that comes in the cycle after can still keep it at the writes. Until that cycle every
 * bank counts as one with a request (offer_banks()): so the channel asks when the first one is
 * idle, whatever waits for it.
 *
 * In each queue a bank stays with a row, whatever it has open by now, until it has served all
 * requests to it.
 */
#include "mem/mem_part.h"

static bool
should_drain(const struct channel_env *e, unsigned writes)
{
	return e->c->draining ? writes >= e->cfg->write_low : writes >= e->cfg->write_high;
}

/* The banks that can be given a request; all of them if the other queue has its turn now. */
static void
offer_banks(const struct channel_env *e, unsigned writes)
{
	struct channel *c = e->c;

	if (should_drain(e, writes) == c->draining)
		c->queued = c->queued_in[c->draining];
	else
		c->queued = ~UINT64_C(0) >> (64 - e->cfg->banks);
}

static inline struct dram_list *
queue_of_bank(struct dram_bank *b, unsigned queue)
{
	return queue == DRAM_WRITES ? &b->writes : &b->queue;
}

static void
write_queue_add(const struct channel_env *e, unsigned id)
{
	struct channel *c = e->c;
	unsigned bank = c->r[id].bank, queue = dram_queue_of(e, c->r[id].handle);

	dram_append(c, queue_of_bank(&c->bank[bank], queue), id);
	c->queued_in[queue] |= UINT64_C(1) << bank;
	offer_banks(e, c->waiting[DRAM_WRITES]);
}

/* Takes the oldest request of a row out of a queue; DRAM_NONE: it has none. */
static unsigned
take_of_row(struct channel *c, struct dram_list *l, uint32_t row)
{
	unsigned before = DRAM_NONE, id = l->head;

	while (id != DRAM_NONE && c->r[id].row != row) {
		before = id;
		id = c->r[id].next;
	}
	if (id == DRAM_NONE)
		return DRAM_NONE;
	if (before == DRAM_NONE)
		l->head = c->r[id].next;
	else
		c->r[before].next = c->r[id].next;
	if (l->tail == id)
		l->tail = (uint16_t)before;
	return id;
}

static unsigned
take_from_bank(struct channel *c, unsigned bank, unsigned queue)
{
	struct dram_bank *b = &c->bank[bank];
	struct dram_list *l = queue_of_bank(b, queue);
	uint32_t row = b->keeps[queue] ? b->kept_row[queue] : b->row;
	unsigned id = take_of_row(c, l, row);

	if (id == DRAM_NONE)
		id = take_of_row(c, l, c->r[l->head].row);
	b->kept_row[queue] = c->r[id].row;
	b->keeps[queue] = dram_has_row(c, l, c->r[id].row);
	c->queued_in[queue] &= ~((uint64_t)(l->head == DRAM_NONE) << bank);
	return id;
}

static unsigned
write_queue_take(const struct channel_env *e, uint64_t banks)
{
	struct channel *c = e->c;
	unsigned writes = c->waiting[DRAM_WRITES], id = DRAM_NONE;

	c->draining = should_drain(e, writes);
	banks &= c->queued_in[c->draining];
	if (banks) {
		id = take_from_bank(c, dram_first_bank(c, banks), c->draining);
		c->prio = (uint8_t)(c->prio + 1u == e->cfg->banks ? 0 : c->prio + 1);
		writes -= c->draining;
	}
	offer_banks(e, writes);
	return id;
}

const struct dram_sched_ops dram_write_queue = {.add = write_queue_add, .take = write_queue_take};
