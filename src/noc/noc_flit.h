/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc_flit.h - what the networks of flits share: the length of a packet, and the channel from the
 * last switch to an output buffer, which accepts a packet when its last flit arrives.
 */
#ifndef NOC_FLIT_H
#define NOC_FLIT_H

#include "noc/noc_part.h"

/* The flits of a packet that carries this many sectors. */
static inline unsigned
flits_of(const struct noc_cfg *k, unsigned sectors)
{
	return MAX(1, (k->control + SECTOR * sectors + k->flit - 1) / k->flit);
}

static inline unsigned
flit_count(const struct net_env *e, uint32_t handle)
{
	const struct req *r = net_request(e, handle);
	bool write = r->kind == REQ_WRITE || r->kind == REQ_WRBK;

	if (e->reply && e->cfg->reply == NOC_REPLY_SECTOR)
		return e->flits[!write];
	if (e->reply)
		return e->flits[write ? 0 : sector_count(r->sectors)];
	if (write || r->kind == REQ_ATOMIC)
		return e->flits[sector_count(r->sectors)];
	return e->flits[0];
}

static NOINLINE bool
flit_update_room(const struct net_env *e, struct net_output *out, unsigned o)
{
	const struct fifo *q = net_out_buffer(e, o);
	uint32_t under_way = (uint8_t)(out->left - out->arrived), filled = q->n + under_way;

	out->left_limit = out->left;
	if (filled < q->cap)
		out->left_limit = (uint8_t)(out->left + MIN(q->cap - filled, 64 - under_way));
	return out->left_limit != out->left;
}

/* Does the buffer of output o have room for one packet more than are under way to it? Packets
 * that leave the buffer only add room, so the buffer is not read again until the room last seen is
 * used up. */
static inline bool
flit_has_room(const struct net_env *e, struct net_output *out, unsigned o)
{
	return likely(out->left_limit != out->left) || flit_update_room(e, out, o);
}

/* The last flit of a packet enters the channel to output o; at most one per cycle. */
static inline void
flit_send_last(const struct net_env *e, struct net_output *out, unsigned o, uint32_t packet)
{
	struct fifo *q = net_out_buffer(e, o);
	uint32_t before = q->n + out->coming++;

	q->head &= -(uint32_t)(before != 0); /* as in port_push() */
	q->v[(q->head + before) & q->mask] = packet;
}

/* The last flit of a packet has crossed the channel to output o. The caller sets the output's
 * bit. */
static inline void
flit_arrive(const struct net_env *e, struct net_output *out, unsigned o)
{
	struct fifo *q = net_out_buffer(e, o);

	net_prefetch(e, fifo_at(q, q->n++));
	out->coming--;
	out->arrived++;
}

/* Counts packets that have arrived at the outputs of one mask word. */
static inline void
flit_count_in(struct net *n, unsigned word, uint64_t outputs, unsigned packets)
{
	n->out_mask[word] |= outputs;
	n->flying -= packets;
	n->st.packets += packets;
}

#endif
