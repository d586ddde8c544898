/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * simple.c - the reference's crossbar (ctascope-model(7) 8.3), and the functions common to all
 * networks.
 *
 * Outputs are served in index order. Each takes the head packet of the first input, round robin
 * from its own pointer, whose head is for this output. A later output may take the next packet of
 * the same input in the same cycle: head-of-line order is the only limit per input.
 */
#include "noc/noc_flit.h"
#include <string.h>

const char *const noc_type_names[] = {"simple", "xbar", "mesh", NULL};
const char *const noc_reply_names[] = {"sector", "line", NULL};

#define OPT(...) DECL_ROW(struct noc_cfg, __VA_ARGS__)
#define OPT_ENUM(...) DECL_ROW_ENUM(struct noc_cfg, __VA_ARGS__)
const struct opt_row noc_opts[] = {
#include "noc/noc.def"
};
const unsigned noc_n_opts = ARRAY_LEN(noc_opts);

/* Rounds up, so that what follows begins at a new cache line. */
static size_t
whole_lines(size_t bytes)
{
	return (bytes + 63) & ~(size_t)63;
}

size_t
net_bytes(const struct noc_cfg *k, unsigned n_in, unsigned n_out)
{
	if (k->type == NOC_XBAR)
		return net_xbar_bytes(k, n_in, n_out);
	if (k->type == NOC_MESH)
		return whole_lines(sizeof(struct net_outputs)) + net_mesh_bytes(k, n_in + n_out);
	return 0;
}

static uint32_t
buffer_distance(const struct port *p, unsigned n)
{
	return n > 1 ? (uint32_t)((char *)p[1].q - (char *)p[0].q) : 0;
}

void
net_init(struct net_env *e, void *room)
{
	e->in_buffer = (char *)e->in[0].q;
	e->out_buffer = (char *)e->out[0].q;
	e->in_bytes = buffer_distance(e->in, e->n_in);
	e->out_bytes = buffer_distance(e->out, e->n_out);
	assert(net_in_buffer(e, e->n_in - 1) == e->in[e->n_in - 1].q);
	assert(net_out_buffer(e, e->n_out - 1) == e->out[e->n_out - 1].q);
	e->below = e->reply ? 2 : 0;
	for (unsigned n = 0; n <= LINE_SECTORS; n++)
		e->flits[n] = (uint8_t)flits_of(e->cfg, n);
	if (e->cfg->type == NOC_MESH) {
		e->outputs = room;
		e->mesh = (void *)((char *)room + whole_lines(sizeof(struct net_outputs)));
		net_mesh_init(e);
	}
	if (e->cfg->type == NOC_XBAR)
		net_xbar_init(e, room);
}

double
net_unloaded(const struct net_env *e, unsigned bytes)
{
	const struct noc_cfg *k = e->cfg;
	unsigned flits = MAX(1, (k->control + bytes + k->flit - 1) / k->flit);

	if (k->type == NOC_SIMPLE)
		return 1;
	if (k->type == NOC_MESH)
		return net_mesh_unloaded(k, e->n_in, e->n_out, flits);
	/* channel, router, switch, channel; the other flits follow one a cycle */
	return 1 + k->channel_latency + k->routing_delay + 1 + k->channel_latency + (flits - 1);
}

/* Up to 64 ports on both sides, so that each mask is a single word. */
static void
tick_simple(struct net_env *e)
{
	struct net *n = e->net;
	uint64_t want[64], outs = 0;

	for (uint64_t m = n->in_mask[0]; m; m &= m - 1) {
		unsigned i = (unsigned)__builtin_ctzll(m),
			 d = net_dest(e, fifo_front(net_in_buffer(e, i)));

		if (!(outs >> d & 1))
			want[d] = 0;
		outs |= UINT64_C(1) << d;
		want[d] |= UINT64_C(1) << i;
	}
	for (; outs; outs &= outs - 1) {
		unsigned o = (unsigned)__builtin_ctzll(outs), i, d;
		uint64_t from;

		if (fifo_full(e->out[o].q)) {
			n->st.blocked++;
			continue;
		}
		from = want[o] & (~UINT64_C(0) << n->next[o]);
		i = (unsigned)__builtin_ctzll(from ? from : want[o]);
		port_push(&e->out[o], net_take(e, i));
		n->next[o] = (i + 1) % e->n_in;
		n->st.packets++;
		n->st.flits++;
		if (!net_in_buffer(e, i)->n)
			continue;
		d = net_dest(e, fifo_front(net_in_buffer(e, i)));
		if (d <= o)
			continue;
		if (!(outs >> d & 1))
			want[d] = 0;
		outs |= UINT64_C(1) << d;
		want[d] |= UINT64_C(1) << i;
	}
}

/* Inputs that want an output, of more than 64 of both; of outputs that nobody wants it says
 * nothing.
 */
struct wants {
	uint64_t outs[NOC_WORDS];
	uint64_t of[NOC_PORTS][NOC_WORDS];
};

static inline void
add_want(struct wants *w, unsigned i, unsigned d)
{
	uint64_t bit = UINT64_C(1) << d % 64;

	if (!(w->outs[d / 64] & bit))
		memset(w->of[d], 0, sizeof(w->of[d]));
	w->outs[d / 64] |= bit;
	w->of[d][i / 64] |= UINT64_C(1) << i % 64;
}

/* The same for more than 64 ports on a side. */
static void
tick_simple_wide(struct net_env *e)
{
	struct net *n = e->net;
	struct wants w;

	memset(w.outs, 0, sizeof(w.outs));
	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t m = n->in_mask[word]; m; m &= m - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(m);

			add_want(&w, i, net_dest(e, fifo_front(net_in_buffer(e, i))));
		}
	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (; w.outs[word]; w.outs[word] &= w.outs[word] - 1) {
			unsigned o = word * 64 + (unsigned)__builtin_ctzll(w.outs[word]), i, d;

			if (fifo_full(e->out[o].q)) {
				n->st.blocked++;
				continue;
			}
			i = net_first(w.of[o], NOC_WORDS, n->next[o]);
			port_push(&e->out[o], net_take(e, i));
			n->next[o] = (i + 1) % e->n_in;
			n->st.packets++;
			n->st.flits++;
			if (!net_in_buffer(e, i)->n)
				continue;
			d = net_dest(e, fifo_front(net_in_buffer(e, i)));
			if (d > o)
				add_want(&w, i, d);
		}
}

HOT void
net_tick(struct net_env *e, uint64_t x)
{
	memset(e->room, 0, sizeof(e->room));
	if (e->cfg->type == NOC_XBAR)
		net_xbar_tick(e, x);
	else if (e->cfg->type == NOC_MESH)
		net_mesh_tick(e, x);
	else if (MAX(e->n_in, e->n_out) <= 64)
		tick_simple(e);
	else
		tick_simple_wide(e);
}
