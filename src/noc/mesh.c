/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesh.c - a 2-D mesh (Kayiran 5.3: 8x8 with 8 controllers, 11x11 with 11; the parameters of Table
 * 1). One mesh of routers for requests, one for replies.
 *
 *   buffer -> channel -> router -> channel -> router ... -> channel -> buffer
 *
 * Nodes are numbered row by row from the top left; each has one router and one cluster or slice, or
 * nothing in what is left of the last row. A router has five inputs (its node, north, east, south,
 * west), each with virtual channels, and as many outputs. Packets go along their row first, then
 * along the column (dimension order): the turns that close a cycle never happen, so the mesh cannot
 * deadlock while its outputs are drained, and replies, which drain for themselves, never wait
 * behind requests.
 *
 * A head flit is looked at routing_delay after it has come over the channel. It passes the switch
 * when an idle virtual channel waits behind it, or, at its last router, when the output buffer has
 * room for the whole packet; the packet holds both virtual channels until its last flit is through
 * (wormhole). A flit needs a credit: a place in the virtual channel behind. That place is given
 * back one cycle and credit_delay after its flit has gone on, so routers see of each other only
 * what was so before this cycle, and the order in which they are visited does not matter. Each
 * output passes one flit a cycle, round robin over inputs and virtual channels, each input up to
 * input_speedup. An empty mesh of h hops takes (h + 1) (1 + channel_latency + routing_delay) + 1 +
 * channel_latency + flits - 1 cycles from entering to leaving, where virtual channels hold a
 * packet.
 *
 * Where the slices are the paper does not say. Here slice j of n stands in row j * height / n, and
 * from row to row 3/8 of the width further on: in a square mesh with as many slices as rows (both
 * of the paper's) there is one in every row and every column, no two of them neighbours, so no line
 * of links carries more memory traffic than another. Clusters take the other nodes in order.
 *
 * A virtual channel is two counters and a ring of times, one per place: while it holds a flit, from
 * when the flit may go on; afterwards, from when the place may be used again. Routers without
 * packets are not visited. Left out: separate stages for virtual channels and switch, adaptive
 * routes, priority by age (far nodes get less of a saturated column, as in real meshes), order
 * between packets of one way in different virtual channels, several packets in one virtual channel
 * (so short ones fill a link only to vcs in 2 + channel_latency + routing_delay cycles).
 */
#include "noc/noc_flit.h"
#include <string.h>

enum { NODE, NORTH, EAST, SOUTH, WEST, SIDES };

struct mesh_vc {
	uint32_t packet;	       /* REQ_NONE: idle */
	uint16_t total, entered, left; /* flits: of the packet, come in, gone on */
	uint8_t dest, side;	       /* output port; where to from here */
	uint8_t next_vc;	       /* behind that side, from the first flit on */
	uint8_t in_place, out_place;   /* of the next flit to come, to go */
	uint8_t pad;
	uint64_t idle_from; /* may take a packet */
};

struct mesh_router {
	uint8_t active[SIDES];	/* virtual channels that hold a packet, one bit each */
	uint8_t next_vc[SIDES]; /* round robin, per input */
	uint8_t next[SIDES];	/* the same per output: input * vcs + channel */
	uint8_t filling;	/* virtual channel that takes flits of the node, NOC_VCS: none */
};

struct mesh {
	uint64_t busy[MESH_NODES / 64]; /* routers with packets */
	uint64_t filling[NOC_WORDS];	/* inputs with a packet on their channel */
	struct mesh_router router[];
};

static unsigned
mesh_width(const struct noc_cfg *k, unsigned ports)
{
	unsigned w = k->mesh_width;

	if (!w)
		while (w * w < ports)
			w++;
	return w;
}

static unsigned
mesh_nodes(const struct noc_cfg *k, unsigned ports)
{
	unsigned w = mesh_width(k, ports);

	return (ports + w - 1) / w * w;
}

size_t
net_mesh_bytes(const struct noc_cfg *k, unsigned ports)
{
	unsigned nodes = mesh_nodes(k, ports);
	size_t vcs = (size_t)nodes * SIDES * k->vcs;

	return sizeof(struct mesh) + nodes * sizeof(struct mesh_router) +
	       vcs * sizeof(struct mesh_vc) + vcs * k->vc_buffer * sizeof(uint64_t);
}

static unsigned
gcd(unsigned a, unsigned b)
{
	return b ? gcd(b, a % b) : a;
}

void
net_mesh_place(struct mesh_map *m, const struct noc_cfg *k, unsigned clusters, unsigned slices)
{
	unsigned nodes = mesh_nodes(k, clusters + slices), w = mesh_width(k, clusters + slices);
	unsigned h = nodes / w, step = MAX(1, w * 3 / 8), at = 0;
	bool taken[MESH_NODES] = {false};

	assert(nodes <= MESH_NODES);
	while (gcd(step, w) > 1)
		step++;
	m->width = (uint8_t)w;
	m->nodes = (uint16_t)nodes;
	for (unsigned i = 0; i < nodes; i++) {
		m->x[i] = (uint8_t)(i % w);
		m->y[i] = (uint8_t)(i / w);
	}
	for (unsigned j = 0; j < slices; j++) {
		unsigned node = j * h / slices * w + (step / 2 + j * step) % w;

		while (taken[node])
			node = (node + 1) % nodes;
		taken[node] = true;
		m->slice[j] = (uint8_t)node;
	}
	for (unsigned i = 0; i < clusters; i++) {
		while (taken[at])
			at++;
		m->cluster[i] = (uint8_t)at++;
	}
}

/* The formula of the head comment over the mean way from a cluster to a slice. */
double
net_mesh_unloaded(const struct noc_cfg *k, unsigned clusters, unsigned slices, unsigned flits)
{
	struct mesh_map m = {0};
	unsigned hops = 0;

	net_mesh_place(&m, k, clusters, slices);
	for (unsigned i = 0; i < clusters; i++)
		for (unsigned j = 0; j < slices; j++) {
			unsigned a = m.cluster[i], b = m.slice[j];

			hops += MAX(m.x[a], m.x[b]) - MIN(m.x[a], m.x[b]);
			hops += MAX(m.y[a], m.y[b]) - MIN(m.y[a], m.y[b]);
		}
	return ((double)hops / (clusters * slices) + 1) *
		       (1 + k->channel_latency + k->routing_delay) +
	       1 + k->channel_latency + flits - 1;
}

void
net_mesh_init(struct net_env *e)
{
	struct mesh_router *r = e->mesh->router;
	size_t vcs = (size_t)e->map->nodes * SIDES * e->cfg->vcs;

	e->mesh_vc = (struct mesh_vc *)(r + e->map->nodes);
	e->mesh_time = (uint64_t *)(e->mesh_vc + vcs);
	for (unsigned i = 0; i < e->map->nodes; i++)
		r[i].filling = NOC_VCS;
	for (size_t i = 0; i < vcs; i++)
		e->mesh_vc[i].packet = REQ_NONE;
}

/* Number of the first virtual channel of an input. */
static inline unsigned
first_vc(const struct net_env *e, unsigned node, unsigned side)
{
	return (node * SIDES + side) * e->cfg->vcs;
}

static unsigned
side_to(const struct net_env *e, unsigned node, unsigned dest)
{
	const struct mesh_map *m = e->map;
	unsigned to = e->reply ? m->cluster[dest] : m->slice[dest];

	if (m->x[to] != m->x[node])
		return m->x[to] > m->x[node] ? EAST : WEST;
	if (m->y[to] != m->y[node])
		return m->y[to] > m->y[node] ? SOUTH : NORTH;
	return NODE;
}

static inline unsigned
neighbour(const struct net_env *e, unsigned node, unsigned side)
{
	switch (side) {
	case NORTH:
		return node - e->map->width;
	case SOUTH:
		return node + e->map->width;
	default:
		return side == EAST ? node + 1 : node - 1;
	}
}

static inline unsigned
opposite(unsigned side)
{
	return ((side + 1) & 3) + 1;
}

/* Gives a packet an idle virtual channel of an input; NOC_VCS: there is none. */
static unsigned
take_vc(struct net_env *e, unsigned node, unsigned side, uint32_t packet, unsigned total,
	unsigned dest, uint64_t x)
{
	struct mesh_router *r = &e->mesh->router[node];
	unsigned vcs = e->cfg->vcs, c = r->next_vc[side];
	struct mesh_vc *first = &e->mesh_vc[first_vc(e, node, side)];

	for (unsigned k = 0; k < vcs; k++, c = c + 1 == vcs ? 0 : c + 1) {
		if (r->active[side] >> c & 1 || first[c].idle_from > x)
			continue;
		first[c] = (struct mesh_vc){.packet = packet,
					    .total = (uint16_t)total,
					    .dest = (uint8_t)dest,
					    .side = (uint8_t)side_to(e, node, dest)};
		r->active[side] |= (uint8_t)(1u << c);
		r->next_vc[side] = (uint8_t)(c + 1 == vcs ? 0 : c + 1);
		e->mesh->busy[node / 64] |= UINT64_C(1) << node % 64;
		return c;
	}
	return NOC_VCS;
}

static inline bool
has_credit(const struct net_env *e, unsigned vc, uint64_t x)
{
	const struct mesh_vc *v = &e->mesh_vc[vc];

	return v->entered - v->left < (int)e->cfg->vc_buffer &&
	       e->mesh_time[vc * e->cfg->vc_buffer + v->in_place] <= x;
}

/* The next flit of its packet sets out for a virtual channel. */
static inline void
put_flit(struct net_env *e, unsigned vc, uint64_t x)
{
	struct mesh_vc *v = &e->mesh_vc[vc];
	const struct noc_cfg *k = e->cfg;

	e->mesh_time[vc * k->vc_buffer + v->in_place] =
		x + 1 + k->channel_latency + (v->entered ? 0 : k->routing_delay);
	v->in_place = (uint8_t)(v->in_place + 1u == k->vc_buffer ? 0 : v->in_place + 1);
	v->entered++;
}

/* To the buffer of the node. */
static bool
pass_out(struct net_env *e, const struct mesh_vc *v, uint64_t x)
{
	unsigned o = v->dest;

	if (!v->left) {
		if (!flit_room(e, o))
			return false;
		e->outputs->reserved[o]++;
	}
	if (v->left + 1 == v->total)
		flit_last(e, o, v->packet, x);
	e->n->st.flits++;
	return true;
}

/* To the next router. */
static bool
pass_on(struct net_env *e, struct mesh_vc *v, unsigned node, uint64_t x)
{
	unsigned to = neighbour(e, node, v->side), in = opposite(v->side), vc;

	if (!v->left) {
		vc = take_vc(e, to, in, v->packet, v->total, v->dest, x);
		if (vc == NOC_VCS)
			return false;
		v->next_vc = (uint8_t)vc;
	}
	vc = first_vc(e, to, in) + v->next_vc;
	if (v->left && !has_credit(e, vc, x))
		return false;
	put_flit(e, vc, x);
	e->n->st.hops++;
	return true;
}

/* A flit of virtual channel c of an input passes the switch, if what is behind lets it. */
static bool
pass(struct net_env *e, unsigned node, unsigned side, unsigned c, uint64_t x)
{
	const struct noc_cfg *k = e->cfg;
	unsigned vc = first_vc(e, node, side) + c;
	struct mesh_vc *v = &e->mesh_vc[vc];

	if (v->side == NODE ? !pass_out(e, v, x) : !pass_on(e, v, node, x))
		return false;
	e->mesh_time[vc * k->vc_buffer + v->out_place] = x + 1 + k->credit_delay;
	v->out_place = (uint8_t)(v->out_place + 1u == k->vc_buffer ? 0 : v->out_place + 1);
	if (++v->left == v->total) {
		v->packet = REQ_NONE;
		v->idle_from = x + 1 + k->credit_delay;
		e->mesh->router[node].active[side] &= (uint8_t) ~(1u << c);
	}
	return true;
}

static void
visit(struct net_env *e, unsigned node, uint64_t x)
{
	struct mesh_router *r = &e->mesh->router[node];
	unsigned vcs = e->cfg->vcs, first = first_vc(e, node, 0), left = 0;
	uint64_t want[SIDES] = {0};
	uint8_t sent[SIDES] = {0};

	for (unsigned i = 0; i < SIDES; i++)
		for (unsigned m = r->active[i]; m; m &= m - 1) {
			unsigned s = i * vcs + (unsigned)__builtin_ctz(m);
			const struct mesh_vc *v = &e->mesh_vc[first + s];

			if (v->left < v->entered &&
			    e->mesh_time[(first + s) * e->cfg->vc_buffer + v->out_place] <= x)
				want[v->side] |= UINT64_C(1) << s;
		}
	for (unsigned o = 0; o < SIDES; o++)
		while (want[o]) {
			unsigned s = net_first(&want[o], 1, r->next[o]), i = s / vcs;

			want[o] &= ~(UINT64_C(1) << s);
			if (sent[i] >= e->cfg->input_speedup || !pass(e, node, i, s % vcs, x))
				continue;
			sent[i]++;
			r->next[o] = (uint8_t)(s + 1 == SIDES * vcs ? 0 : s + 1);
			break;
		}
	for (unsigned i = 0; i < SIDES; i++)
		left |= r->active[i];
	if (!left) /* the last packet has gone */
		e->mesh->busy[node / 64] &= ~(UINT64_C(1) << node % 64);
}

/* The channel from a node to its router carries one flit a cycle. */
static void
enter(struct net_env *e, unsigned i, uint64_t x)
{
	unsigned node = e->reply ? e->map->slice[i] : e->map->cluster[i], vc;
	struct mesh_router *r = &e->mesh->router[node];
	uint64_t bit = UINT64_C(1) << i % 64;

	if (r->filling == NOC_VCS) {
		uint32_t p = fifo_front(e->in[i].q);

		r->filling =
			(uint8_t)take_vc(e, node, NODE, p, flit_count(e, p), net_dest(e, p), x);
		if (r->filling == NOC_VCS) {
			e->n->st.blocked++;
			return;
		}
		net_take(e, i);
		e->n->flying++;
		e->mesh->filling[i / 64] |= bit;
	}
	vc = first_vc(e, node, NODE) + r->filling;
	if (!has_credit(e, vc, x)) {
		e->n->st.blocked++;
		return;
	}
	put_flit(e, vc, x);
	if (e->mesh_vc[vc].entered == e->mesh_vc[vc].total) {
		r->filling = NOC_VCS;
		e->mesh->filling[i / 64] &= ~bit;
	}
}

void
net_mesh_tick(struct net_env *e, uint64_t x)
{
	struct mesh *n = e->mesh;

	flit_arrive(e, NOC_WORDS, x);
	for (unsigned word = 0; word < MESH_NODES / 64; word++)
		for (uint64_t m = n->busy[word]; m; m &= m - 1)
			visit(e, word * 64 + (unsigned)__builtin_ctzll(m), x);
	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t m = e->n->in_mask[word] | n->filling[word]; m; m &= m - 1)
			enter(e, word * 64 + (unsigned)__builtin_ctzll(m), x);
}
