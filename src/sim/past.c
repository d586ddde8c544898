/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * past.c - records what each warp of one core did in the last cycles, while a view shows it.
 *
 * The record is a ring with one byte per warp and cycle outside the arena, because it is not part
 * of the machine's state. It restarts after a restore or for another core.
 */
#include "sim/sim_priv.h"
#include <stdlib.h>
#include <string.h>

struct past {
	unsigned core;
	cycle_t first;		  /* cycles after this one are recorded */
	cycle_t last;		  /* the newest cycle */
	uint32_t head[MAX_WARPS]; /* head of each warp in the previous cycle */
	uint8_t what[PAST_CYCLES][MAX_WARPS];
};

void
past_restart(struct sim *s)
{
	struct past *p = s->past;

	p->first = p->last = s->machine->cycle;
	for (unsigned w = 0; w < sim_warps(s); w++)
		p->head[w] = core_warp(s->core[p->core].core, w)->head;
}

void
past_add(struct sim *s)
{
	struct past *p = s->past;
	const struct core *c = s->core[p->core].core;
	const struct core_masks m = core_masks(c);
	const uint32_t paused = core_paused(c);
	uint8_t *to = p->what[(s->machine->cycle - 1) % PAST_CYCLES]; /* here cycles count from 1 */

	for (unsigned w = 0; w < sim_warps(s); w++) {
		const struct warp *q = core_warp(c, w);

		to[w] = (uint8_t)warp_status_of(&m, w);
		if (to[w] == WARP_FREE) {
			p->head[w] = 0;
			continue;
		}
		if (q->head > p->head[w])
			to[w] |= PAST_ISSUED;
		if (paused >> q->slot & 1)
			to[w] |= PAST_PAUSED;
		p->head[w] = q->head;
	}
	p->last = s->machine->cycle;
	if (p->last - p->first > PAST_CYCLES)
		p->first = p->last - PAST_CYCLES;
}

int
sim_past_on(struct sim *s, unsigned core, struct err *e)
{
	if (s->past && s->past->core == core)
		return 0;
	if (!s->past && !(s->past = calloc(1, sizeof(*s->past))))
		return err_nomem(e);
	s->past->core = core;
	past_restart(s);
	return 0;
}

void
sim_past_off(struct sim *s)
{
	free(s->past);
	s->past = NULL;
}

void
sim_past_give(struct sim *from, struct sim *to)
{
	sim_past_off(to);
	to->past = from->past;
	from->past = NULL;
}

const uint8_t *
sim_past(const struct sim *s, cycle_t cycle)
{
	const struct past *p = s->past;

	return p && cycle > p->first && cycle <= p->last ? p->what[(cycle - 1) % PAST_CYCLES]
							 : NULL;
}
