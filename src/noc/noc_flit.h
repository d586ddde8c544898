/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc_flit.h - what networks of flits share: how long a packet is, and the channel from the last
 * switch to an output buffer, which takes a packet up when its last flit has come.
 */
#ifndef NOC_FLIT_H
#define NOC_FLIT_H

#include "noc/noc_part.h"

static inline unsigned
flit_count(const struct net_env *e, uint32_t handle)
{
	const struct req *r = &e->req[e->reply ? handle >> 2 : handle];
	bool write = r->kind == REQ_WRITE || r->kind == REQ_WRBK;
	unsigned bytes = e->cfg->control;

	if (e->reply)
		bytes += write ? 0 : SECTOR;
	else if (write || r->kind == REQ_ATOMIC)
		bytes += SECTOR * (unsigned)__builtin_popcount(r->sectors);
	return MAX(1, (bytes + e->cfg->flit - 1) / e->cfg->flit);
}

/* Has the output buffer room for one packet more than have set out for it? */
static inline bool
flit_room(const struct net_env *e, unsigned o)
{
	const struct net_output *out = &e->output[o];

	return e->out[o].q->n + out->reserved < e->out[o].q->cap && out->reserved < 64;
}

/* The last flit of a packet is on the channel to output o. */
static inline void
flit_last(struct net_env *e, unsigned o, uint32_t packet, uint64_t x)
{
	struct net_output *out = &e->output[o];

	out->arrival[(out->head + out->n++) % 64] =
		(struct net_arrival){.at = x + 1 + e->cfg->channel_latency, .packet = packet};
}

/* Packets whose last flit has crossed the channel to output o. */
static inline void
flit_arrive(struct net_env *e, unsigned o, uint64_t x)
{
	struct net_output *out = &e->output[o];

	while (out->n && out->arrival[out->head % 64].at <= x) {
		port_push(&e->out[o], out->arrival[out->head++ % 64].packet);
		out->n--;
		out->reserved--;
		e->n->flying--;
		e->n->st.packets++;
	}
}

#endif
