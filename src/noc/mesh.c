/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesh.c - a 2-D mesh (Kayiran 5.3: 8x8 with 8 controllers, 11x11 with 11; the parameters of Table
 * 1). One mesh of routers carries requests, another one replies.
 *
 *   buffer -> channel -> router -> channel -> router ... -> channel -> buffer
 *
 * Nodes are numbered row by row from the top left. Each has one router and one cluster or slice
 * (mesh_place.c); nodes at the end of the last row may be empty. A router has five inputs (its
 * node, north, east, south, west), each with virtual channels, and five outputs. Packets travel
 * along their row first, then along the column (dimension order). The turns that would close a
 * cycle never happen, so the mesh cannot deadlock while its outputs are drained; replies never wait
 * for requests.
 *
 * A head flit requests the switch routing_delay cycles after it has crossed the channel. It passes
 * the switch when the next router has an idle virtual channel or, at its last router, when the
 * output buffer has room for the whole packet. The packet holds both virtual channels until its
 * last flit has passed (wormhole). Every flit needs a credit: a place in the next virtual channel.
 * That place is returned 1 + credit_delay cycles after its flit has moved on. Routers therefore see
 * only the state of each other before this cycle, and the order of visits does not matter. Each
 * output passes one flit per cycle, round robin over inputs and virtual channels, and each input
 * sends at most input_speedup flits. A packet crosses h hops of an empty mesh in (h + 1) (1 +
 * channel_latency + routing_delay) + 1 + channel_latency + flits - 1 cycles, provided that a
 * virtual channel holds the whole packet.
 *
 * Only what can move is visited. Two calendars (a mask of virtual channels per router and cycle)
 * record when the next flit of a packet may go and when a place is returned. A router keeps, per
 * output, the channels that may send; of these, the ones without a credit; and, per input, its idle
 * channels. A router in which nothing can move sleeps until a flit or a credit arrives or an input
 * of a neighbour has an idle channel again. A router with a packet for its own node stays awake.
 *
 * A virtual channel is a ring of times from which each of its flits may go. Not modelled: separate
 * stages for virtual channel and switch allocation, adaptive routes, priority by age (far nodes get
 * less of a saturated column, as in real meshes), order between packets on the same route in
 * different virtual channels, several packets in one virtual channel (so short packets fill a link
 * only to vcs / (2 + channel_latency + routing_delay)).
 */
#include "noc/noc_flit.h"
#include <string.h>

#define CALENDAR 64 /* above the cycles that a flit or a credit takes */
#define MESH_WORDS (MESH_NODES / 64)

enum { NODE, NORTH, EAST, SOUTH, WEST, SIDES };

struct mesh_vc {
	uint32_t packet;	       /* REQ_NONE: none */
	uint16_t total, entered, left; /* flits: of the packet, arrived, sent on */
	uint16_t next;		       /* the next channel, valid once the head flit has moved on */
	uint8_t dest, side; /* output port; side by which the packet leaves this router */
	uint8_t from;	    /* the sender: a channel of the previous router, or the input port */
	uint8_t free; /* free places; the channel is idle when all are free and it has no packet */
	uint8_t in_place, out_place; /* places of the next flit to arrive and to leave */
	uint8_t pad[2];
};

/* Masks cover the virtual channels of the router: bit side * vcs + channel. */
struct mesh_router {
	uint64_t want[SIDES];	/* per output side: channels whose next flit may go */
	uint64_t head;		/* those whose next flit is a head flit */
	uint64_t stuck;		/* those whose next flit is not a head flit and lacks a credit */
	uint8_t idle[SIDES];	/* channels per input, one bit each */
	uint8_t next_vc[SIDES]; /* round-robin pointer per input */
	uint8_t next[SIDES];	/* round-robin pointer per output, over all channels */
	uint8_t filling; /* the channel that the node's packet enters, valid if mesh.filling has the
			    input's bit */
};

struct mesh {
	uint64_t last;			  /* cycle of the latest tick */
	uint64_t awake[MESH_WORDS];	  /* routers in which something may move */
	uint64_t filling[NOC_WORDS];	  /* inputs with a packet on their channel */
	uint64_t stuck[NOC_WORDS];	  /* of those, the inputs without a credit */
	uint64_t full[NOC_WORDS];	  /* inputs without an idle channel */
	uint8_t side_of[SIDES * NOC_VCS]; /* the side of each channel of a router; constant */
	/* per page of the calendars: routers with an entry */
	uint64_t due_at[CALENDAR][MESH_WORDS], free_at[CALENDAR][MESH_WORDS];
	struct mesh_router router[];
};

/* Pages of a calendar: a power of two above the longest delay. */
static unsigned
mesh_pages(const struct noc_cfg *k)
{
	unsigned n = 2;

	while (n <= 1 + MAX(k->channel_latency + k->routing_delay, k->credit_delay))
		n *= 2;
	assert(n <= CALENDAR);
	return n;
}

size_t
net_mesh_bytes(const struct noc_cfg *k, unsigned ports)
{
	unsigned nodes = net_mesh_nodes(k, ports);
	size_t vcs = (size_t)nodes * SIDES * k->vcs;

	return sizeof(struct mesh) + nodes * sizeof(struct mesh_router) +
	       2 * sizeof(uint64_t) * mesh_pages(k) * nodes + vcs * sizeof(struct mesh_vc) +
	       vcs * k->vc_buffer * sizeof(uint32_t);
}

void
net_mesh_init(struct net_env *e)
{
	struct mesh_router *r = e->mesh->router;
	unsigned vcs = e->cfg->vcs, nodes = e->map->nodes;
	size_t n = (size_t)nodes * SIDES * vcs;

	e->mesh_pages = mesh_pages(e->cfg);
	e->mesh_due = (uint64_t *)(r + nodes);
	e->mesh_free = e->mesh_due + (size_t)e->mesh_pages * nodes;
	e->mesh_vc = (struct mesh_vc *)(e->mesh_free + (size_t)e->mesh_pages * nodes);
	e->mesh_time = (uint32_t *)(e->mesh_vc + n);
	for (unsigned i = 0; i < nodes; i++)
		memset(r[i].idle, (int)((1u << vcs) - 1), SIDES);
	for (unsigned i = 0; i < SIDES * vcs; i++)
		e->mesh->side_of[i] = (uint8_t)(i / vcs);
	for (size_t i = 0; i < n; i++) {
		e->mesh_vc[i].packet = REQ_NONE;
		e->mesh_vc[i].free = (uint8_t)e->cfg->vc_buffer;
	}
}

static inline uint64_t
bit_of(unsigned i)
{
	return UINT64_C(1) << i % 64;
}

/* Number of the first virtual channel of a router. */
static inline unsigned
first_vc(const struct net_env *e, unsigned node)
{
	return node * SIDES * e->cfg->vcs;
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
find_neighbour(const struct net_env *e, unsigned node, unsigned side)
{
	const int w = e->map->width,
		  way[SIDES] = {[NORTH] = -w, [EAST] = 1, [SOUTH] = w, [WEST] = -1};

	return (unsigned)((int)node + way[side]);
}

static inline unsigned
opposite_side(unsigned side)
{
	return ((side + 1) & 3) + 1;
}

static inline void
wake_node(struct net_env *e, unsigned node)
{
	e->mesh->awake[node / 64] |= bit_of(node);
}

/* ---------------------------------------------------------------- the calendars */

/* Delivers the packets that reach their outputs in cycle x. */
static void
deliver_packets(struct net_env *e, uint64_t x)
{
	uint64_t *at = e->outputs->arriving[x % NET_ARRIVALS];

	for (unsigned k = 0; k < NOC_WORDS; k++) {
		unsigned packets = 0;

		for (uint64_t m = at[k]; m; m &= m - 1, packets++) {
			unsigned o = k * 64 + (unsigned)__builtin_ctzll(m);

			flit_arrive(e, &e->outputs->output[o], o);
		}
		flit_count_in(e->net, k, at[k], packets);
		at[k] = 0;
	}
}

/* The next flit of channel s may go from cycle `at` on. */
static inline void
set_due(struct net_env *e, unsigned node, unsigned s, uint64_t at)
{
	unsigned page = at & (e->mesh_pages - 1);

	e->mesh_due[page * e->map->nodes + node] |= bit_of(s);
	e->mesh->due_at[page][node / 64] |= bit_of(node);
}

/* A place of channel s becomes free in cycle `at`. */
static inline void
set_free(struct net_env *e, unsigned node, unsigned s, uint64_t at)
{
	unsigned page = at & (e->mesh_pages - 1);

	e->mesh_free[page * e->map->nodes + node] |= bit_of(s);
	e->mesh->free_at[page][node / 64] |= bit_of(node);
}

static inline void
make_due(struct net_env *e, unsigned node, uint64_t due)
{
	struct mesh_router *r = &e->mesh->router[node];
	const struct mesh_vc *first = &e->mesh_vc[first_vc(e, node)];

	for (; due; due &= due - 1) {
		const struct mesh_vc *v = &first[__builtin_ctzll(due)];

		r->want[v->side] |= due & -due;
		r->head |= v->left ? 0 : due & -due;
	}
	wake_node(e, node);
}

/* Returns places of a router; their senders may have waited for them. */
static inline void
return_places(struct net_env *e, unsigned node, uint64_t free)
{
	struct mesh *n = e->mesh;
	struct mesh_router *r = &n->router[node];
	struct mesh_vc *first = &e->mesh_vc[first_vc(e, node)];

	for (; free; free &= free - 1) {
		unsigned s = (unsigned)__builtin_ctzll(free), side = n->side_of[s];
		struct mesh_vc *v = &first[s];

		v->free++;
		if (v->packet == REQ_NONE) {
			if (v->free < e->cfg->vc_buffer)
				continue;
			r->idle[side] |= (uint8_t)(1u << (s - side * e->cfg->vcs));
			if (side == NODE)
				n->full[v->from / 64] &= ~bit_of(v->from);
			else
				wake_node(e, find_neighbour(e, node, side));
		} else if (side == NODE) {
			n->stuck[v->from / 64] &= ~bit_of(v->from);
		} else {
			unsigned from = find_neighbour(e, node, side);

			n->router[from].stuck &= ~bit_of(v->from);
			wake_node(e, from);
		}
	}
}

/* Handles all pages up to cycle x. Cycles without packets have no tick, but places become free
 * in them too. */
static void
turn_pages(struct net_env *e, uint64_t x)
{
	struct mesh *n = e->mesh;
	unsigned nodes = e->map->nodes, words = (nodes + 63) / 64;

	for (uint64_t y = MAX(n->last + 1, x < e->mesh_pages ? 0 : x - e->mesh_pages + 1); y <= x;
	     y++) {
		unsigned page = y & (e->mesh_pages - 1);
		uint64_t *due = &e->mesh_due[page * nodes], *free = &e->mesh_free[page * nodes];

		for (unsigned word = 0; word < words; word++) {
			for (uint64_t m = n->free_at[page][word]; m; m &= m - 1) {
				unsigned node = word * 64 + (unsigned)__builtin_ctzll(m);

				return_places(e, node, free[node]);
				free[node] = 0;
			}
			for (uint64_t m = n->due_at[page][word]; m; m &= m - 1) {
				unsigned node = word * 64 + (unsigned)__builtin_ctzll(m);

				make_due(e, node, due[node]);
				due[node] = 0;
			}
			n->free_at[page][word] = n->due_at[page][word] = 0;
		}
	}
	n->last = x;
}

/* ---------------------------------------------------------------- the switch */

/* Gives a packet an idle virtual channel of an input, which must exist, and returns its number
 * in the router. */
static inline unsigned
take_vc(struct net_env *e, unsigned node, unsigned side, const struct mesh_vc *packet)
{
	struct mesh_router *r = &e->mesh->router[node];
	unsigned vcs = e->cfg->vcs, behind = r->idle[side] & (~0u << r->next_vc[side]);
	unsigned c = (unsigned)__builtin_ctz(behind ? behind : r->idle[side]), s = side * vcs + c;
	struct mesh_vc *v = &e->mesh_vc[first_vc(e, node) + s];

	*v = *packet;
	v->side = (uint8_t)side_to(e, node, v->dest);
	v->free = (uint8_t)e->cfg->vc_buffer;
	r->idle[side] &= (uint8_t) ~(1u << c);
	r->next_vc[side] = (uint8_t)(c + 1 == vcs ? 0 : c + 1);
	return s;
}

/* Sends the next flit of a packet to a virtual channel, which must have a place. */
static inline void
put_flit(struct net_env *e, unsigned node, unsigned s, struct mesh_vc *v, uint64_t x)
{
	const struct noc_cfg *k = e->cfg;
	uint64_t at = x + 1 + k->channel_latency + (v->entered ? 0 : k->routing_delay);

	e->mesh_time[(size_t)(v - e->mesh_vc) * k->vc_buffer + v->in_place] = (uint32_t)at;
	v->in_place = (uint8_t)(v->in_place + 1u == k->vc_buffer ? 0 : v->in_place + 1);
	v->free--;
	if (v->entered++ == v->left)
		set_due(e, node, s, at);
}

/* Sends a flit to the next router, where the head flit has found an idle channel. */
static inline bool
pass_on(struct net_env *e, struct mesh_vc *v, unsigned node, unsigned s, uint64_t x)
{
	unsigned to = find_neighbour(e, node, v->side), first = first_vc(e, to);
	struct mesh_vc *next;

	if (!v->left) {
		const struct mesh_vc packet = {.packet = v->packet,
					       .total = v->total,
					       .dest = v->dest,
					       .from = (uint8_t)s};

		v->next = (uint16_t)(first + take_vc(e, to, opposite_side(v->side), &packet));
	}
	next = &e->mesh_vc[v->next];
	if (!next->free) {
		e->mesh->router[node].stuck |= bit_of(s);
		return false;
	}
	put_flit(e, to, v->next - first, next, x);
	e->net->st.hops++;
	return true;
}

/* Sends a flit to the buffer of the node, which has room. */
static inline void
pass_out(struct net_env *e, const struct mesh_vc *v, uint64_t x)
{
	struct net_output *out = &e->outputs->output[v->dest];
	uint64_t there = x + 1 + e->cfg->channel_latency;

	out->left = (uint8_t)(out->left + !v->left);
	if (v->left + 1 == v->total) {
		flit_send_last(e, out, v->dest, v->packet);
		e->outputs->arriving[there % NET_ARRIVALS][v->dest / 64] |= bit_of(v->dest);
	}
	e->net->st.flits++;
}

/* Updates channel s after one of its flits has passed the switch. */
static inline void
leave_channel(struct net_env *e, struct mesh_router *r, struct mesh_vc *v, unsigned node,
	      unsigned s, uint64_t x)
{
	const struct noc_cfg *k = e->cfg;
	uint32_t at;

	set_free(e, node, s, x + 1 + k->credit_delay);
	v->out_place = (uint8_t)(v->out_place + 1u == k->vc_buffer ? 0 : v->out_place + 1);
	r->head &= ~bit_of(s);
	if (++v->left < v->entered) {
		at = e->mesh_time[(size_t)(v - e->mesh_vc) * k->vc_buffer + v->out_place];
		if ((int32_t)(at - (uint32_t)x) <= 1)
			return;
		set_due(e, node, s, x + (uint32_t)(at - (uint32_t)x));
	}
	r->want[v->side] &= ~bit_of(s);
	if (v->left == v->total)
		v->packet = REQ_NONE;
}

/* Is there room for a new packet behind output o? */
static inline bool
has_room(const struct net_env *e, const struct mesh_router *r, unsigned node, unsigned o)
{
	unsigned any, dest;

	if (o)
		return e->mesh->router[find_neighbour(e, node, o)].idle[opposite_side(o)];
	any = first_vc(e, node) + (unsigned)__builtin_ctzll(r->want[o]);
	dest = e->mesh_vc[any].dest;
	return flit_has_room(e, &e->outputs->output[dest], dest);
}

/* Passes one flit through output o if a candidate can go. Returns its channel, or UINT_MAX. */
static inline unsigned
pass_flit(struct net_env *e, unsigned node, unsigned o, uint64_t can, uint64_t x)
{
	struct mesh_router *r = &e->mesh->router[node];
	struct mesh_vc *first = &e->mesh_vc[first_vc(e, node)];

	while (can) {
		uint64_t behind = can & ~UINT64_C(0) << r->next[o];
		unsigned s = (unsigned)__builtin_ctzll(behind ? behind : can);

		can &= ~bit_of(s);
		if (o == NODE)
			pass_out(e, &first[s], x);
		else if (!pass_on(e, &first[s], node, s, x))
			continue;
		leave_channel(e, r, &first[s], node, s, x);
		return s;
	}
	return UINT_MAX;
}

static void
visit_router(struct net_env *e, unsigned node, uint64_t x)
{
	struct mesh_router *r = &e->mesh->router[node];
	unsigned vcs = e->cfg->vcs, passed = 0;
	uint64_t spent = 0, one = ((UINT64_C(1) << vcs) - 1);
	uint8_t sent[SIDES] = {0};

	for (unsigned o = 0; o < SIDES; o++) {
		uint64_t can = r->want[o] & ~(r->stuck | spent);
		unsigned s, i;

		if (can & r->head && !has_room(e, r, node, o))
			can &= ~r->head;
		s = pass_flit(e, node, o, can, x);
		if (s == UINT_MAX)
			continue;
		i = e->mesh->side_of[s];
		r->next[o] = (uint8_t)(s + 1 == SIDES * vcs ? 0 : s + 1);
		if (++sent[i] == e->cfg->input_speedup)
			spent |= one << i * vcs;
		passed++;
	}
	if (!passed && !r->want[NODE])
		e->mesh->awake[node / 64] &= ~bit_of(node);
}

/* ---------------------------------------------------------------- the inputs */

/* Gives the next packet of input i an idle channel of its router, which must exist. */
static void
begin_packet(struct net_env *e, unsigned i, uint64_t x)
{
	unsigned node = e->reply ? e->map->slice[i] : e->map->cluster[i];
	struct mesh_router *r = &e->mesh->router[node];
	uint32_t p = net_take(e, i);
	const struct mesh_vc packet = {.packet = p,
				       .total = (uint16_t)flit_count(e, p),
				       .dest = (uint8_t)net_dest(e, p),
				       .from = (uint8_t)i};
	unsigned s = take_vc(e, node, NODE, &packet);

	e->net->flying++;
	put_flit(e, node, s, &e->mesh_vc[first_vc(e, node) + s], x);
	r->filling = (uint8_t)s;
	if (packet.total > 1)
		e->mesh->filling[i / 64] |= bit_of(i);
	if (!r->idle[NODE])
		e->mesh->full[i / 64] |= bit_of(i);
}

/* Moves one more flit over the channel of input i. */
static void
enter_flit(struct net_env *e, unsigned i, uint64_t x)
{
	unsigned node = e->reply ? e->map->slice[i] : e->map->cluster[i];
	unsigned s = e->mesh->router[node].filling;
	struct mesh_vc *v = &e->mesh_vc[first_vc(e, node) + s];

	if (!v->free) {
		e->mesh->stuck[i / 64] |= bit_of(i);
		e->net->st.blocked++;
		return;
	}
	put_flit(e, node, s, v, x);
	if (v->entered == v->total)
		e->mesh->filling[i / 64] &= ~bit_of(i);
}

/* The channel from a node to its router carries one flit per cycle. */
static void
enter_flits(struct net_env *e, unsigned word, uint64_t x)
{
	const struct mesh *n = e->mesh;
	uint64_t old = n->filling[word], stuck = n->stuck[word];
	uint64_t new = e->net->in_mask[word] & ~old, full = new & n->full[word];

	e->net->st.blocked += (unsigned)__builtin_popcountll(full | (old & stuck));
	for (uint64_t m = new & ~full; m; m &= m - 1)
		begin_packet(e, word * 64 + (unsigned)__builtin_ctzll(m), x);
	for (uint64_t m = old & ~stuck; m; m &= m - 1)
		enter_flit(e, word * 64 + (unsigned)__builtin_ctzll(m), x);
}

void
net_mesh_tick(struct net_env *e, uint64_t x)
{
	struct mesh *n = e->mesh;

	deliver_packets(e, x);
	turn_pages(e, x);
	for (unsigned word = 0; word < MESH_WORDS; word++)
		for (uint64_t m = n->awake[word]; m; m &= m - 1)
			visit_router(e, word * 64 + (unsigned)__builtin_ctzll(m), x);
	for (unsigned word = 0; word < NOC_WORDS; word++)
		enter_flits(e, word, x);
}
