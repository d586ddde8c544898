/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc_flit.h - what networks of flits share: how long a packet is, and the channel from the last
 * switch to an output buffer, which takes a packet up when its last flit has come.
 */
#ifndef NOC_FLIT_H
#define NOC_FLIT_H

#include "noc/noc_part.h"

/* Of a packet that carries so many sectors. */
static inline unsigned
flits_of(const struct noc_cfg *k, unsigned sectors)
{
	return MAX(1, (k->control + SECTOR * sectors + k->flit - 1) / k->flit);
}

static inline unsigned
flit_count(const struct net_env *e, uint32_t handle)
{
	const struct req *r = &e->req[e->reply ? handle >> 2 : handle];
	bool write = r->kind == REQ_WRITE || r->kind == REQ_WRBK;

	if (e->reply)
		return e->flits[!write];
	if (write || r->kind == REQ_ATOMIC)
		return e->flits[sector_count(r->sectors)];
	return e->flits[0];
}

/* Has the output buffer room for one packet more than have set out for it? */
static inline bool
flit_room(const struct net_env *e, unsigned o)
{
	const struct fifo *q = e->out[o].q;
	unsigned reserved = e->outputs->reserved[o];

	return q->n + reserved < q->cap && reserved < 64;
}

/* The last flit of a packet is on the channel to output o; at most one a cycle. */
static inline void
flit_last(struct net_env *e, unsigned o, uint32_t packet, uint64_t x)
{
	struct net_outputs *out = e->outputs;
	struct fifo *q = e->out[o].q;
	uint64_t at = x + 1 + e->cfg->channel_latency;
	uint32_t before = q->n + out->coming[o]++;

	q->head &= -(uint32_t)(before != 0); /* as in port_push() */
	q->v[(q->head + before) & q->mask] = packet;
	out->arriving[at % NET_ARRIVALS][o / 64] |= UINT64_C(1) << o % 64;
}

/* Packets whose last flit has crossed the channel to their output. */
static ALWAYS_INLINE void
flit_arrive(struct net_env *e, unsigned words, uint64_t x)
{
	struct net_outputs *out = e->outputs;
	uint64_t *arriving = out->arriving[x % NET_ARRIVALS];

	for (unsigned k = 0; k < words; k++) {
		unsigned came = 0;

		for (uint64_t m = arriving[k]; m; m &= m - 1, came++) {
			unsigned o = k * 64 + (unsigned)__builtin_ctzll(m);
			struct fifo *q = e->out[o].q;

			net_prefetch(e, fifo_at(q, q->n++));
			out->coming[o]--;
			out->reserved[o]--;
			*e->out[o].mask |= e->out[o].bit;
		}
		arriving[k] = 0;
		e->n->flying -= came;
		e->n->st.packets += came;
	}
}

#endif
