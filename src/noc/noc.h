/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc.h - the interconnect: one network for requests (clusters to slices), one for replies.
 *
 * Every kind carries packets from input ports to output ports, those of one input in order of
 * arrival; but in xbar and mesh one virtual channel may overtake another.
 *
 * simple: the reference's crossbar, where every packet is one unit, one per output and network
 * cycle (ctascope-model(7) 8). xbar: Kayiran Table 1, flits, virtual channels with credits, router
 * and channel latency. mesh: the same parameters over routers in two dimensions (Kayiran 5.3).
 */
#ifndef NOC_H
#define NOC_H

#include "base/fifo.h"
#include "ctascope/decl.h"
#include "ctascope/req.h"

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
#define NOC_VCS 8 /* most virtual channels, and flits in one, that can be set */
#define NOC_VC_FLITS 64

struct net_stat {
	uint64_t packets, flits, blocked; /* flits: brought to an output */
	uint64_t hops; /* mesh: flits over a link between routers, counted at every link */
};

/* What every tick of an xbar touches is one host line. */
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

/* Constant wiring of one network; what an xbar needs comes first. */
struct net_env {
	const struct noc_cfg *cfg;
	struct net *net;
	unsigned n_in, n_out;
	const struct req *req;
	const uint8_t *cluster_of; /* per core */
	bool reply;		   /* handles are tokens of sectors, else requests */

	/* set by net_init(): flits of a packet by the sectors it carries; the ports' buffers, which
	 * lie behind each other; what is between them, by kind of network */
	uint8_t flits[LINE_SECTORS + 1];
	uint8_t to_switch, to_output;  /* xbar: cycles a head flit takes there, and any other one */
	uint8_t most_short, last_page; /* xbar: flits; of its calendar */
	bool narrow;		       /* xbar: at most 64 slots and 64 ports */
	uint8_t below;		       /* bits of a handle below its request's number */
	uint32_t in_bytes, out_bytes;
	char *in_buffer, *out_buffer;
	struct xbar *xbar;
	uint64_t *page;
	struct xbar_output *output;
	struct xbar_vc *vc;
	struct xbar_long *long_vc;
	uint64_t room[NOC_WORDS]; /* inputs that were full and are no longer, in this tick */

	const struct mesh_map *map;
	struct port in[NOC_PORTS], out[NOC_PORTS];
	struct net_outputs *outputs;
	struct mesh *mesh;
	struct mesh_vc *mesh_vc;
	unsigned mesh_pages; /* of its calendars, each with a mask per node */
	uint64_t *mesh_due, *mesh_free;
	uint32_t *mesh_time;
};

/* Bytes a network of so many ports needs for what is between its buffers. */
size_t net_bytes(const struct noc_cfg *k, unsigned n_in, unsigned n_out);
void net_init(struct net_env *e, void *room); /* zeroed, of that size */
/* mesh: where what stands. */
void net_mesh_place(struct mesh_map *m, const struct noc_cfg *k, unsigned clusters,
		    unsigned slices);
/* One network cycle, number x; e->room is of it. Nothing to do when !net_busy(). */
void net_tick(struct net_env *e, uint64_t x);

/* Network cycles of a packet of so many bytes (without the header) through an empty network, from
 * input to output buffer; of a mesh over its mean distance. */
double net_unloaded(const struct net_env *e, unsigned bytes);

static inline bool
net_busy(const struct net_env *e)
{
	return e->net->in_mask[0] | e->net->in_mask[1] | e->net->flying;
}

#endif
