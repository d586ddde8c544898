/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesh.c - the 2-D mesh driven by hand: positions of the ports, the latency of an empty mesh for
 * every pair of ports compared with its closed form and with a recurrence over places and credits,
 * dimension order, throughput under full load, back pressure. (noc.c has random traffic.)
 */
#include "tests/tap.h"
#include "tests/noc/bench.h"
#include <limits.h>

#define MESH56 \
	"noc.type", "mesh", "gpu.clusters", "56", "gpu.cores_per_cluster", "1", "mem.channels", "8"
static const char *const mesh56[] = {MESH56, NULL};
static const char *const mesh110[] = {
	"noc.type", "mesh",	    "gpu.clusters", "110", "gpu.cores_per_cluster",
	"1",	    "mem.channels", "11",	    NULL};

static unsigned
distance(const struct mesh_map *m, unsigned a, unsigned b)
{
	return (unsigned)(abs(m->x[a] - m->x[b]) + abs(m->y[a] - m->y[b]));
}

static void
place(const char *const *options, unsigned width, unsigned nodes, bool square)
{
	struct bench b = bench_new("kayiran30", options);
	const struct mesh_map *m = b.net->map;
	unsigned at[MESH_NODES] = {0}, row[MESH_NODES] = {0}, column[MESH_NODES] = {0}, bad = 0,
		 n = b.net->n_in + b.net->n_out;

	for (unsigned i = 0; i < b.net->n_in; i++)
		at[m->cluster[i]]++;
	for (unsigned i = 0; i < b.net->n_out; i++) {
		at[m->slice[i]]++;
		row[m->y[m->slice[i]]]++;
		column[m->x[m->slice[i]]]++;
	}
	for (unsigned i = 0; i < MESH_NODES; i++)
		bad += at[i] > (i < nodes); /* n ports, so none is left out */
	is_u64(m->width, width, "%u ports: %u in a row", n, width);
	is_u64(m->nodes, nodes, "%u ports: %u routers", n, nodes);
	is_u64(bad, 0, "%u ports: each has a node of its own", n);
	for (unsigned i = 0; square && i < width; i++)
		bad += row[i] != 1 || column[i] != 1;
	if (square)
		is_u64(bad, 0, "%u ports: one slice in every row and column", n);
	rig_free(&b.r);
}

static void
places(void)
{
	static const char *const plain[] = {"noc.type", "mesh", NULL};
	static const char *const flat[] = {MESH56, "noc.mesh_width", "20", NULL};
	static const char *const most[] = {"noc.type",
					   "mesh",
					   "gpu.clusters",
					   "128",
					   "gpu.cores_per_cluster",
					   "1",
					   "mem.channels",
					   "32",
					   "mem.slices",
					   "2",
					   "noc.mesh_width",
					   "64",
					   NULL};

	place(mesh56, 8, 64, true);
	place(mesh110, 11, 121, true);
	place(plain, 5, 20, false);
	place(flat, 20, 80, false);
	place(most, 64, 192, false);
}

/* Returns when flit i leaves stage k (0: the node, 1 to h + 1: a router). It follows the flit
 * before it and its own arrival, and the flit that had the next place must have given it back. */
static uint64_t
expected(const struct noc_cfg *k, unsigned h, unsigned flits)
{
	uint64_t t[32][32] = {{0}};

	for (unsigned i = 0; i < flits; i++)
		for (unsigned s = 0; s <= h + 1; s++) {
			uint64_t at = i ? t[s][i - 1] + 1 : 0;

			if (s)
				at = MAX(at, t[s - 1][i] + 1 + k->channel_latency +
						     (i ? 0 : k->routing_delay));
			if (s <= h && i >= k->vc_buffer)
				at = MAX(at, t[s + 1][i - k->vc_buffer] + 1 + k->credit_delay);
			t[s][i] = at;
		}
	return t[h + 1][flits - 1] + 1 + k->channel_latency + 1;
}

/* The same if there are always enough places. */
static uint64_t
closed(const struct noc_cfg *k, unsigned h, unsigned flits)
{
	return (h + 1) * (1 + k->channel_latency + k->routing_delay) + 1 + k->channel_latency +
	       flits - 1 + 1;
}

static unsigned
flits_of(const struct noc_cfg *k, unsigned bytes)
{
	return (k->control + bytes + k->flit - 1) / k->flit;
}

/* Sends every request of 0 or more written sectors, from every cluster to every slice, alone. */
static void
requests(const char *const *options, const char *what, bool short_of_places)
{
	struct bench b = bench_new("kayiran30", options);
	const struct noc_cfg *k = b.net->cfg;
	unsigned wrong = 0, unlike = 0, n = 0, longer = 0;
	uint64_t hops = 0, flits = 0;

	for (unsigned in = 0; in < b.net->n_in; in++)
		for (unsigned j = 0; j < 3 * b.net->n_out; j++, n++) {
			unsigned out = j / 3, sectors = (1u << j % 3) - 1,
				 f = flits_of(k, j % 3 * SECTOR),
				 h = distance(b.net->map, b.net->map->cluster[in],
					      b.net->map->slice[out]);
			uint64_t from = b.x;

			send(&b, in, out, sectors ? REQ_WRITE : REQ_LINE, sectors ? sectors : 0xf);
			while (!b.net->out[out].q->n && b.x < from + 1000)
				tick(&b);
			take(&b, out);
			wrong += b.x - from != expected(k, h, f);
			unlike += expected(k, h, f) != closed(k, h, f);
			longer += expected(k, h, f) > closed(k, h, f);
			hops += (uint64_t)h * f;
			flits += f;
			while (net_busy(b.net))
				tick(&b);
			b.x += k->credit_delay;
		}
	is_u64(wrong, 0, "%s: a packet alone takes hops and flits, %u pairs and lengths", what, n);
	if (short_of_places)
		ok(longer && longer == unlike, "%s: long ones wait for places, %u", what, longer);
	else
		is_u64(unlike, 0, "%s: (hops + 1) x (router + channel) + channel + flits - 1",
		       what);
	is_u64(b.net->net->st.hops, hops, "%s: hops are flits x distance", what);
	is_u64(b.net->net->st.flits, flits, "%s: flits are counted once", what);
	rig_free(&b.r);
}

static void
replies(const char *const *options, const char *what)
{
	struct bench b = bench_new("kayiran30", options);
	struct net_env *e = &b.r.s->reply;
	const struct noc_cfg *k = e->cfg;
	unsigned wrong = 0, n = 0;
	uint32_t q = rig_request(&b.r, REQ_LINE, 0, 1, UINT32_MAX);
	uint64_t x = 0;

	for (unsigned in = 0; in < e->n_in; in++)
		for (unsigned out = 0; out < e->n_out; out++, n++) {
			uint64_t from = x;
			unsigned h = distance(e->map, e->map->slice[in], e->map->cluster[out]);

			b.r.s->req[q].core = (uint16_t)out;
			port_push(&e->in[in], req_token(q, 2));
			while (!e->out[out].q->n && x < from + 1000)
				net_tick(e, x++);
			wrong += x - from != expected(k, h, flits_of(k, SECTOR)) ||
				 port_pop(&e->out[out]) != req_token(q, 2);
		}
	is_u64(wrong, 0, "%s: replies too, %u pairs", what, n);
	ok(!net_busy(e), "%s: none is left", what);
	rig_free(&b.r);
}

/* Keeps inputs full, all of them at random or n flows; returns the flits per cycle after a while.
 */
static double
full(const enum req_kind kind, const unsigned *in, const unsigned *out, unsigned n)
{
	struct bench b = bench_new("kayiran30", mesh56);
	unsigned f = flits_of(b.net->cfg, kind == REQ_WRITE ? 2 * SECTOR : 0), got = 0;
	uint32_t seed = 3;

	for (unsigned i = 0; i < 6000; i++) {
		for (unsigned c = 0; c < (in ? n : b.net->n_in); c++) {
			unsigned from = in ? in[c] : c;
			unsigned to = in ? out[c] : (seed = seed * 1664525 + 1013904223) >> 12;

			if (b.net->in[from].q->n < 4)
				send(&b, from, to % b.net->n_out, kind, 3);
		}
		tick(&b);
		for (unsigned o = 0; o < b.net->n_out; o++)
			for (uint32_t q; (q = take(&b, o)) != REQ_NONE;) {
				got += i >= 2000 ? f : 0;
				req_give(b.r.s->pool, b.r.s->req, q);
			}
	}
	rig_free(&b.r);
	return got / 4000.0;
}

static unsigned
cluster_at(const struct mesh_map *m, unsigned x, unsigned y)
{
	for (unsigned i = 0; i < NOC_PORTS; i++)
		if (m->x[m->cluster[i]] == x && m->y[m->cluster[i]] == y)
			return i;
	return UINT_MAX;
}

static void
throughput(void)
{
	struct bench b = bench_new("kayiran30", mesh56);
	const struct mesh_map m = *b.net->map;
	const struct noc_cfg k = *b.net->cfg;
	unsigned in[2], out[2], all_in[56], all_out[56] = {0};
	double r, turn = 2 + k.channel_latency + k.routing_delay + k.credit_delay;

	rig_free(&b.r);
	r = full(REQ_WRITE, NULL, NULL, 0);
	ok(r <= 8 && r > 6.4,
	   "writes of 56 clusters to 8 slices at random: %.2f flits a cycle of 8", r);
	r = full(REQ_LINE, NULL, NULL, 0);
	ok(r <= 8 && r > 4.8, "reads: %.2f flits a cycle", r);
	for (unsigned i = 0; i < 56; i++)
		all_in[i] = i;
	r = full(REQ_WRITE, all_in, all_out, 56);
	ok(r <= 1 && r > 0.99, "all to one slice: %.3f flits a cycle", r);

	/* one flow from each of two neighbours in a row to two slices further on: along the row
	 * they share links, along their columns they would not */
	in[0] = cluster_at(&m, 0, 1);
	in[1] = cluster_at(&m, 1, 1);
	out[0] = out[1] = UINT_MAX;
	for (unsigned o = 0; o < 8; o++)
		if (m.x[m.slice[o]] > 2 && m.y[m.slice[o]] > 3)
			out[out[0] != UINT_MAX] = o;
	if (!ok(in[0] != UINT_MAX && in[1] != UINT_MAX && out[1] != UINT_MAX, "two flows"))
		return;
	r = full(REQ_LINE, in, out, 1);
	ok(fabs(r - k.vcs / turn) < 0.002,
	   "short packets: a virtual channel takes one every %.0f cycles, %.3f flits a cycle", turn,
	   r);
	r = full(REQ_WRITE, in, out, 1);
	ok(fabs(r - 5 / 7.) < 0.002, "long ones: the fifth flit waits for a place, %.3f", r);
	r = full(REQ_WRITE, in, out, 2);
	ok(r <= 1 && r > 0.99, "two flows, along the row first: they share its links, %.3f", r);
	in[1] = cluster_at(&m, 1, 2);
	r = full(REQ_WRITE, in, out, 2);
	ok(fabs(r - 10 / 7.) < 0.004, "two flows from different rows do not, %.3f", r);
}

static void
back_pressure(void)
{
	static const char *const small[] = {MESH56, "noc.out_buffer", "2", NULL};
	struct bench b = bench_new("kayiran30", small);
	unsigned sent = 0, got = 0, over = 0, waiting;

	for (unsigned i = 0; i < 4000; i++) {
		for (unsigned c = 0; c < 56; c++)
			if (b.net->in[c].q->n < 4) {
				send(&b, c, 3, REQ_WRITE, 3);
				sent++;
			}
		tick(&b);
		over += b.net->out[3].q->n > 2;
	}
	waiting = (unsigned)b.net->net->flying;
	is_u64(over, 0, "an output nobody takes from holds what it can, 2 packets");
	is_u64(b.net->net->st.packets, 2, "only they came through");
	ok(waiting >= 56 && waiting <= 64 * 5 * 4, "%u of %u packets wait in the mesh", waiting,
	   sent);
	is_u64(sent, waiting + 2 + 56 * 4, "the others have not entered");
	for (unsigned i = 0; i < 20000 && got < sent; i++) {
		tick(&b);
		got += take(&b, 3) != REQ_NONE;
	}
	ok(got == sent && !net_busy(b.net), "taken from, it passes them all: %u", got);
	rig_free(&b.r);
}

int
main(void)
{
	static const char *const slow[] = {MESH56, "noc.routing_delay",
					   "5",	   "noc.channel_latency",
					   "3",	   "noc.vc_buffer",
					   "16",   "noc.credit_delay",
					   "2",	   NULL};
	static const char *const quick[] = {MESH56, "noc.routing_delay", "0", "noc.channel_latency",
					    "0",    "noc.vc_buffer",	 "4", NULL};
	static const char *const tight[] = {MESH56, "noc.vc_buffer",
					    "2",    "noc.vcs",
					    "1",    "noc.flit",
					    "8",    "noc.credit_delay",
					    "3",    NULL};

	places();
	requests(slow, "slow routers, 16 places", false);
	requests(quick, "routers without delay", false);
	requests(mesh56, "mesh56", false);
	requests(tight, "2 places", true);
	requests(mesh110, "mesh110", false);
	replies(mesh56, "mesh56");
	replies(mesh110, "mesh110");
	throughput();
	back_pressure();
	return done();
}
