/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dram_look.c - what others may see of a DRAM channel: its counters, its requests, its banks.
 */
#include "mem/mem_part.h"

const struct dram_stat *
channel_stat(const struct channel_env *e)
{
	return &e->c->st;
}

uint64_t
channel_served(const struct channel_env *e, unsigned core)
{
	return e->c->served[core];
}

unsigned
channel_waiting(const struct channel_env *e)
{
	return e->c->waiting[DRAM_READS] + e->c->waiting[DRAM_WRITES];
}

unsigned
channel_inside(const struct channel_env *e)
{
	return e->c->in_channel;
}

void
channel_look(const struct channel_env *e, struct mem_view *v)
{
	const struct channel *c = e->c;

	*v = (struct mem_view){.queue = channel_waiting(e),
			       .queue_max = e->cfg->sched_queue + e->cfg->write_queue,
			       .banks = e->cfg->banks,
			       .reads = c->st.reads,
			       .writes = c->st.writes,
			       .row_hits = c->st.row_hits,
			       .row_misses = c->st.row_misses,
			       .row_conflicts = c->st.row_conflicts,
			       .activates = c->st.activates,
			       .busy = c->st.busy};
	for (unsigned b = 0; b < v->banks; b++) {
		v->bank[b].open = c->bank[b].open;
		v->bank[b].busy = c->serving >> b & 1;
		v->bank[b].row = c->bank[b].row;
		v->bank[b].queued = c->bank[b].n;
	}
}
