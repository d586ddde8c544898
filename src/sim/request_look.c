/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * request_look.c - finds the oldest request of a core, and where it is.
 *
 * No unit keeps a list of what is on the way. So the requests in the pool are examined, and the
 * place of one is found by looking for it in the queues that it passes, in their order. This takes
 * as long as a cycle or two of the machine and is done only when somebody asks.
 */
#include "sim/sim_priv.h"
#include <stdlib.h>

static bool
is_of_kind(const struct req *r, enum request_kind kind)
{
	switch ((enum req_kind)r->kind) {
	case REQ_LINE:
	case REQ_SECTOR:
	case REQ_BYPASS:
	case REQ_ATOMIC:
		return kind == REQUEST_DATA;
	case REQ_WRITE:
		return kind == REQUEST_STORE;
	case REQ_INST:
		return kind == REQUEST_INST;
	default:
		return false;
	}
}

static bool
ring_has(const struct ring *r, const uint32_t *v, uint32_t req)
{
	for (unsigned i = 0; i < r->n; i++)
		if (v[(r->head + i) & r->mask] >> 2 == req)
			return true;
	return false;
}

static bool
in_rop_delay(const struct sim *s, const struct slice *l, uint32_t req)
{
	for (uint32_t i = l->rop_head; i != REQ_NONE; i = s->req[i].next)
		if (i == req)
			return true;
	return false;
}

/* Whether a miss register of the slice waits for data of the request; *arrived: it has them. */
static bool
in_miss_register(const struct sim *s, const struct slice_env *e, uint32_t req, bool *arrived)
{
	const struct mshr *m = e->mshr;
	bool found = false;

	*arrived = true;
	for (unsigned sector = 0; sector < LINE_SECTORS; sector++) {
		unsigned i = mshr_find(m, s->req[req].addr + sector * SECTOR);
		bool waits = i != MSHR_NONE && m->entry[i].handle >> 2 == req;

		for (unsigned k = 0; i != MSHR_NONE && !waits && k + 1u < m->entry[i].n; k++)
			waits = m->list[i * m->merge + mshr_place(m, m->entry[i].first + k)] >> 2 ==
				req;
		found |= waits;
		if (waits && !m->entry[i].ready)
			*arrived = false;
	}
	return found;
}

static bool
in_response_buffer(const struct sim *s, unsigned core, uint32_t req)
{
	const struct fifo *q = s->resp[core];

	for (unsigned i = 0; i < q->n; i++)
		if (fifo_at(q, i) >> 2 == req)
			return true;
	return false;
}

static enum request_place
find_place(const struct sim *s, uint32_t req)
{
	const struct req *r = &s->req[req];
	const struct slice_env *e = &s->slice[r->slice];
	bool arrived;

	if (!r->born)
		return REQUEST_IN_CORE;
	if (r->due <= r->born) /* set when the slice takes it */
		return REQUEST_TO_SLICE;
	if (in_rop_delay(s, e->slice, req) || ring_has(&e->slice->in, e->in, req))
		return REQUEST_IN_SLICE;
	if (in_miss_register(s, e, req, &arrived))
		return arrived ? REQUEST_ANSWERED : REQUEST_IN_DRAM;
	if (ring_has(&e->slice->reply, e->reply, req))
		return REQUEST_ANSWERED;
	return in_response_buffer(s, r->core, req) ? REQUEST_ARRIVED : REQUEST_TO_CORE;
}

bool
sim_oldest_request(const struct sim *s, unsigned core, enum request_kind kind,
		   struct request_view *v)
{
	const struct req_pool *p = sim_pool_of(s, core);
	uint8_t *free_one = calloc(p->high / 8 + 1, 1);
	uint32_t oldest = REQ_NONE;
	cycle_t sent = CYCLE_NEVER;

	*v = (struct request_view){.sent = CYCLE_NEVER, .out_of_memory = !free_one};
	for (uint32_t i = p->free; free_one && i != REQ_NONE; i = s->req[i].next)
		free_one[i / 8] |= (uint8_t)(1u << i % 8);
	for (uint32_t i = p->first; free_one && i < p->high; i++) {
		const struct req *r = &s->req[i];
		cycle_t born = r->born ? r->born : CYCLE_NEVER;

		if (free_one[i / 8] >> i % 8 & 1 || r->core != core || !is_of_kind(r, kind))
			continue;
		v->n++;
		if (oldest != REQ_NONE && born >= sent)
			continue;
		oldest = i;
		sent = born;
	}
	free(free_one);
	if (oldest == REQ_NONE)
		return false;
	v->sent = sent;
	v->slice = s->req[oldest].slice;
	v->channel = s->slice[v->slice].channel;
	v->place = find_place(s, oldest);
	return true;
}

bool
sim_unit_blocked(const struct sim *s, unsigned core)
{
	return ldst_is_blocked(&s->core[core].ldst);
}
