/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc_part.h - private to src/noc: what the kinds of networks keep between their buffers.
 */
#ifndef NOC_PART_H
#define NOC_PART_H

#include "noc/noc.h"
#include <limits.h>

struct net_arrival {
	uint64_t at;
	uint32_t packet, pad;
};

struct net_output {
	uint32_t reserved; /* packets on their way to the output buffer */
	uint32_t head, n;
	uint32_t pad;
	struct net_arrival arrival[64];
};

size_t net_xbar_bytes(const struct noc_cfg *k, unsigned n_in);
void net_xbar_init(struct net_env *e); /* e->xbar is zeroed memory */
void net_xbar_tick(struct net_env *e, uint64_t x);
size_t net_mesh_bytes(const struct noc_cfg *k, unsigned ports);
void net_mesh_init(struct net_env *e); /* finds the rest in e->mesh */
double net_mesh_unloaded(const struct noc_cfg *k, unsigned clusters, unsigned slices,
			 unsigned flits);
void net_mesh_tick(struct net_env *e, uint64_t x);

/* The first bit of a mask at or behind `from`, going round; UINT_MAX: none. */
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

static inline unsigned
net_dest(const struct net_env *e, uint32_t handle)
{
	return e->reply ? e->cluster_of[e->req[handle >> 2].core] : e->req[handle].slice;
}

#endif
