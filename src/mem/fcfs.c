/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fcfs.c - first come, first served: requests go to their banks in the order in which the channel
 * accepted them (ctascope-model(7) 11.4).
 *
 * While its bank serves another request, the oldest request waits, and with it all others, even
 * those for idle banks. So the scheduler offers a request for one bank at a time.
 */
#include "mem/mem_part.h"

static void
offer_oldest(struct channel *c)
{
	unsigned id = c->arrivals.head;

	c->queued = id == DRAM_NONE ? 0 : UINT64_C(1) << c->r[id].bank;
}

static void
fcfs_add(const struct channel_env *e, unsigned id)
{
	struct channel *c = e->c;

	dram_append(c, &c->arrivals, id);
	offer_oldest(c);
}

static unsigned
fcfs_take(const struct channel_env *e, uint64_t banks)
{
	unsigned id = dram_take_first(e->c, &e->c->arrivals);

	assert(banks == UINT64_C(1) << e->c->r[id].bank);
	offer_oldest(e->c);
	return id;
}

const struct dram_sched_ops dram_fcfs = {.add = fcfs_add, .take = fcfs_take};
