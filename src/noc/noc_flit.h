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
	const struct req *r = net_request(e, handle);
	bool write = r->kind == REQ_WRITE || r->kind == REQ_WRBK;

	if (e->reply)
		return e->flits[!write];
	if (write || r->kind == REQ_ATOMIC)
		return e->flits[sector_count(r->sectors)];
	return e->flits[0];
}

static NOINLINE bool
flit_look(const struct net_env *e, struct net_output *out, unsigned o)
{
	const struct fifo *q = net_out_buffer(e, o);
	uint32_t under_way = (uint8_t)(out->left - out->arrived), filled = q->n + under_way;

	out->surely = out->left;
	if (filled < q->cap)
		out->surely = (uint8_t)(out->left + MIN(q->cap - filled, 64 - under_way));
	return out->surely != out->left;
}

/* Has the buffer of output o room for one packet more than have set out for it? Packets that leave
 * it only make room, so that it need not be looked at while it had enough the last time. */
static inline bool
flit_room(const struct net_env *e, struct net_output *out, unsigned o)
{
	return likely(out->surely != out->left) || flit_look(e, out, o);
}

/* The last flit of a packet is on the channel to output o; at most one a cycle. */
static inline void
flit_last(const struct net_env *e, struct net_output *out, unsigned o, uint32_t packet)
{
	struct fifo *q = net_out_buffer(e, o);
	uint32_t before = q->n + out->coming++;

	q->head &= -(uint32_t)((before | q->held) != 0); /* as in port_push() */
	q->v[(q->head + before) & q->mask] = packet;
}

/* A packet's last flit has crossed the channel to output o; its bit is set by who calls. */
static inline void
flit_arrive(const struct net_env *e, struct net_output *out, unsigned o)
{
	struct fifo *q = net_out_buffer(e, o);

	net_prefetch(e, fifo_at(q, q->n++));
	out->coming--;
	out->arrived++;
}

/* So many packets have arrived, at the outputs of a word. */
static inline void
flit_count_in(struct net *n, unsigned word, uint64_t outputs, unsigned packets)
{
	n->out_mask[word] |= outputs;
	n->flying -= packets;
	n->st.packets += packets;
}

#endif
