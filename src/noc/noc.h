/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc.h - the interconnect: one network for requests (clusters to slices), one for replies.
 *
 * Every kind of network carries packets from input ports to output ports. Packets of one input keep
 * their order, except that in xbar and mesh a virtual channel may overtake another.
 *
 * simple: the reference's crossbar, where every packet is one unit and each output takes one per
 * network cycle (ctascope-model(7) 8). xbar: Kayiran Table 1, with flits, virtual channels,
 * credits, and router and channel latency. mesh: the same parameters over routers in two dimensions
 * (Kayiran 5.3).
 */
#ifndef NOC_H
#define NOC_H

#include "base/fifo.h"
#include "ctascope/decl.h"
#include "ctascope/req.h"

enum noc_type { NOC_SIMPLE, NOC_XBAR, NOC_MESH };
enum noc_reply { NOC_REPLY_SECTOR, NOC_REPLY_LINE };
extern const char *const noc_type_names[], *const noc_reply_names[];

#define OPT DECL_FIELD
#define OPT_ENUM DECL_FIELD_ENUM
struct noc_cfg {
#include "noc/noc.def"
};
extern const struct opt_row noc_opts[];
extern const unsigned noc_n_opts;

#define NOC_PORTS MAX_CORES /* ports on each side; there are at most 64 slices */
#define NOC_WORDS (NOC_PORTS / 64)
#define NOC_VCS 8 /* the largest number of virtual channels, and of flits in one */
#define NOC_VC_FLITS 64

struct net_stat {
	uint64_t packets, flits, blocked; /* flits delivered to an output */
	uint64_t hops; /* mesh: flits that crossed a link between routers, counted at every link */
};

/* A tick of an xbar touches one host line of this. */
struct net {
	/* ports with packets in their buffers */
	uint64_t in_mask[NOC_WORDS], out_mask[NOC_WORDS];
	uint64_t flying; /* xbar, mesh: packets between the buffers */
	struct net_stat st;
	uint32_t next[NOC_PORTS]; /* simple: round-robin pointer per output */
};

static_assert(offsetof(struct net, st.hops) == 64, "not on one line");

/* mesh: the node of every port; constant. */
#define MESH_NODES 256

struct mesh_map {
	uint16_t nodes;
	uint8_t width, pad;
	uint8_t x[MESH_NODES], y[MESH_NODES];
	uint8_t cluster[NOC_PORTS], slice[MAX_SLICES];
};

/* Constant wiring of one network. What an xbar needs comes first. */
struct net_env {
	const struct noc_cfg *cfg;
	struct net *net;
	unsigned n_in, n_out;
	const struct req *req;
	const uint8_t *cluster_of; /* per core */
	bool reply;		   /* handles are sector tokens, otherwise requests */

	/* Set by net_init(): the flits of a packet by the sectors it carries; the adjacent
	 * buffers of the ports; and what lies between the buffers, which depends on the kind of
	 * network. */
	uint8_t flits[LINE_SECTORS + 1];
	uint8_t to_switch,
		to_output; /* xbar: cycles to the switch for a head flit, and for any other flit */
	uint8_t most_short,
		last_page; /* xbar: flits of the longest short packet; last page of the calendar */
	bool narrow;	   /* xbar: at most 64 slots and 64 ports */
	uint8_t below;	   /* bits of a handle below the number of its request */
	uint32_t in_bytes, out_bytes;
	char *in_buffer, *out_buffer;
	struct xbar *xbar;
	uint64_t *page;
	struct xbar_output *output;
	struct xbar_vc *vc;
	struct xbar_long *long_vc;
	uint64_t room[NOC_WORDS]; /* inputs that were full and became non-full in this tick */

	const struct mesh_map *map;
	struct port in[NOC_PORTS], out[NOC_PORTS];
	struct net_outputs *outputs;
	struct mesh *mesh;
	struct mesh_vc *mesh_vc;
	unsigned mesh_pages; /* pages of its calendars, each with a mask per node */
	uint64_t *mesh_due, *mesh_free;
	uint32_t *mesh_time;
};

/* Bytes that a network with these ports needs for what lies between its buffers. */
size_t net_bytes(const struct noc_cfg *k, unsigned n_in, unsigned n_out);
void net_init(struct net_env *e, void *room); /* room: zeroed memory of net_bytes() */
/* mesh: assigns clusters and slices to nodes. */
void net_mesh_place(struct mesh_map *m, const struct noc_cfg *k, unsigned clusters,
		    unsigned slices);
/* Runs network cycle x and sets e->room. Need not be called when !net_busy(). */
void net_tick(struct net_env *e, uint64_t x);

/* Network cycles of a packet of `bytes` (without header) through an empty network, from input to
 * output buffer; for a mesh, over its mean distance. */
double net_unloaded(const struct net_env *e, unsigned bytes);

static inline bool
net_busy(const struct net_env *e)
{
	return e->net->in_mask[0] | e->net->in_mask[1] | e->net->flying;
}

#endif
