/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc_part.h - private to src/noc: what the kinds of network share.
 */
#ifndef NOC_PART_H
#define NOC_PART_H

#include "noc/noc.h"
#include <limits.h>

/* The packets under way to an output buffer. A packet whose last flit is on the channel is in
 * the buffer already, after those that have arrived. */
struct net_output {
	/* packets sent and packets arrived, modulo 256; the value of `left` at which the buffer
	 * must be read again */
	uint8_t left, arrived, left_limit;
	uint8_t coming; /* packets whose last flit is on the channel */
	uint16_t next;	/* xbar: round robin */
	uint8_t pad[2];
};

#define NET_ARRIVALS 32 /* above the cycles that a channel takes */

/* mesh */
struct net_outputs {
	uint64_t arriving[NET_ARRIVALS][NOC_WORDS]; /* per cycle: outputs that a packet reaches */
	struct net_output output[NOC_PORTS];
};

size_t net_xbar_bytes(const struct noc_cfg *k, unsigned n_in, unsigned n_out);
void net_xbar_init(struct net_env *e,
		   void *room); /* room: memory for everything that an xbar keeps */
void net_xbar_tick(struct net_env *e, uint64_t x);
unsigned net_mesh_nodes(const struct noc_cfg *k, unsigned ports);
size_t net_mesh_bytes(const struct noc_cfg *k, unsigned ports);
void net_mesh_init(struct net_env *e); /* finds its memory in e->mesh */
double net_mesh_unloaded(const struct noc_cfg *k, unsigned clusters, unsigned slices,
			 unsigned flits);
void net_mesh_tick(struct net_env *e, uint64_t x);

/* The first bit of a mask at or after `from`, wrapping around; UINT_MAX if there is none. */
static inline unsigned
net_first(const uint64_t *mask, unsigned words, unsigned from)
{
	for (unsigned k = 0, word = from / 64; k <= words; k++) {
		uint64_t m = mask[word];

		if (k == 0)
			m &= ~UINT64_C(0) << from % 64;
		if (m)
			return word * 64 + (unsigned)__builtin_ctzll(m);
		word = word + 1 == words ? 0 : word + 1;
	}
	return UINT_MAX;
}

static inline const struct req *
net_request(const struct net_env *e, uint32_t handle)
{
	return &e->req[handle >> e->below];
}

/* Prefetches the request of a packet. */
static inline void
net_prefetch(const struct net_env *e, uint32_t handle)
{
	__builtin_prefetch(net_request(e, handle));
}

/* The buffer of an input and of an output, computed without reading its port. */
static inline struct fifo *
net_in_buffer(const struct net_env *e, unsigned i)
{
	return (struct fifo *)(e->in_buffer + (size_t)i * e->in_bytes);
}

static inline struct fifo *
net_out_buffer(const struct net_env *e, unsigned o)
{
	return (struct fifo *)(e->out_buffer + (size_t)o * e->out_bytes);
}

/* Takes the next packet of input i, which must exist. */
static inline uint32_t
net_take(struct net_env *e, unsigned i)
{
	struct fifo *q = net_in_buffer(e, i);
	uint32_t packet;

	e->room[i / 64] |= (uint64_t)fifo_full(q) << i % 64;
	packet = fifo_pop(q);
	e->net->in_mask[i / 64] &= ~((uint64_t)!q->n << i % 64);
	return packet;
}

static inline unsigned
net_dest(const struct net_env *e, uint32_t handle)
{
	return e->reply ? e->cluster_of[e->req[handle >> 2].core] : e->req[handle].slice;
}

#endif
