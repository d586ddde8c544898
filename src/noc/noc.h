/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc.h - the interconnect: one network for requests (clusters to slices), one for replies.
 *
 * Every kind carries packets from input ports to output ports, those of one input in order of
 * arrival; but in xbar and mesh one virtual channel may overtake another.
 *
 * simple: the reference's crossbar, where every packet is one unit, one per output and network
 * cycle (timing facts 8). xbar: Kayiran Table 1, flits, virtual channels with credits, router and
 * channel latency. mesh: the same parameters over routers in two dimensions (Kayiran 5.3).
 */
#ifndef NOC_H
#define NOC_H

#include "base/fifo.h"
#include "ctascope/decl.h"
#include "ctascope/req.h"
#include <limits.h>

enum noc_type { NOC_SIMPLE, NOC_XBAR, NOC_MESH };
extern const char *const noc_type_names[];

#define OPT DECL_FIELD
#define OPT_ENUM DECL_FIELD_ENUM
struct noc_cfg {
#include "noc/noc.def"
};
extern const struct opt_row noc_opts[];
extern const unsigned noc_n_opts;

#define NOC_PORTS MAX_CORES /* a side; that of the slices has at most 64 */
#define NOC_WORDS (NOC_PORTS / 64)
#define NOC_VCS 8
#define NOC_VC_FLITS 64

struct net_stat {
	uint64_t packets, flits, ticks, blocked; /* flits: brought to an output */
	uint64_t hops; /* mesh: flits over a link between routers, counted at every link */
};

/* xbar: a packet in a virtual channel of an input. */
struct net_vc {
	uint32_t packet;	       /* REQ_NONE: idle */
	uint16_t total, entered, left; /* flits: of the packet, come in, gone on */
	uint8_t dest, pad;
	uint64_t ready[NOC_VC_FLITS]; /* network cycle from which flit (left + i) may go on */
};

struct net_input {
	uint8_t filling; /* virtual channel that takes flits, NOC_VCS: none */
	uint8_t next_vc;
	uint8_t active; /* virtual channels that hold a packet, one bit each */
	uint8_t pad[5];
	struct net_vc vc[NOC_VCS];
};

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

struct net {
	/* ports with packets in their buffers */
	uint64_t in_mask[NOC_WORDS], out_mask[NOC_WORDS];
	uint64_t flying;	  /* xbar: packets between the buffers */
	uint32_t next[NOC_PORTS]; /* round-robin pointer per output */
	struct net_stat st;
};

/* Constant wiring of one network. */
/* mesh: the node of every port; constant. */
#define MESH_NODES 256

struct mesh_map {
	uint16_t nodes;
	uint8_t width, pad;
	uint8_t x[MESH_NODES], y[MESH_NODES];
	uint8_t cluster[NOC_PORTS], slice[MAX_SLICES];
};

struct net_env {
	const struct noc_cfg *cfg;
	struct net *n;
	struct net_input *input; /* xbar only */
	struct net_output *output;
	struct mesh *mesh; /* mesh only, as what follows; net_init() finds the rest in it */
	const struct mesh_map *map;
	struct mesh_vc *mesh_vc;
	uint64_t *mesh_time;
	unsigned n_in, n_out;
	struct port in[NOC_PORTS], out[NOC_PORTS];
	const struct req *req;
	bool reply;		   /* handles are tokens of sectors, else requests */
	const uint8_t *cluster_of; /* per core */
};

void net_init(struct net_env *e);
/* mesh: where what stands, and the bytes one network needs in the arena. */
void net_mesh_place(struct mesh_map *m, const struct noc_cfg *k, unsigned clusters,
		    unsigned slices);
size_t net_mesh_bytes(const struct noc_cfg *k, unsigned ports);
/* One network cycle, number x. Nothing to do when !net_busy(). */
void net_tick(struct net_env *e, uint64_t x);

/* Network cycles of a packet of so many bytes (without the header) through an empty network, from
 * input to output buffer; of a mesh over its mean distance. */
double net_unloaded(const struct net_env *e, unsigned bytes);

static inline bool
net_busy(const struct net_env *e)
{
	return e->n->in_mask[0] | e->n->in_mask[1] | e->n->flying;
}

/* private */
void net_xbar_tick(struct net_env *e, uint64_t x);
void net_mesh_init(struct net_env *e);
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
