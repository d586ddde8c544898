/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * noc.c - networks driven by hand: simple (ctascope-model(7) 8) and xbar (Kayiran Table 1), and the
 * same traffic over the mesh; mesh.c has its other tests.
 *
 * The request network of a built machine: clusters in, slices out. simple: one packet per output
 * and cycle, round robin, head of line. xbar: latency of an empty network from its parameters, one
 * flit per cycle and output, nothing lost, order kept per input and output with one virtual
 * channel, buffers respected.
 */
#include "tests/tap.h"
#include "tests/noc/bench.h"

static void
simple(void)
{
	static const char *const small[] = {"noc.out_buffer", "2", NULL};
	struct bench b = bench_new("gtx480", NULL);
	uint32_t a[4], c, d;

	a[0] = send(&b, 3, 5, REQ_LINE, 0xf);
	tick(&b);
	is_u64(take(&b, 5), a[0], "simple: a packet crosses in one cycle");
	for (unsigned i = 0; i < 4; i++)
		a[i] = send(&b, i * 2, 1, REQ_LINE, 1);
	for (unsigned i = 0; i < 4; i++) {
		tick(&b);
		is_u64(take(&b, 1), a[i], "simple: one per output and cycle, round robin: %u", i);
		is_u64(take(&b, 1), REQ_NONE, "simple: not two");
	}
	a[0] = send(&b, 0, 1, REQ_LINE, 1);
	a[1] = send(&b, 7, 1, REQ_LINE, 1);
	tick(&b);
	is_u64(take(&b, 1), a[1], "simple: the pointer stands behind the input served last");
	tick(&b);
	is_u64(take(&b, 1), a[0], "simple: then it wraps");
	a[0] = send(&b, 2, 4, REQ_LINE,
		    1); /* after it in the same input: one to a lower, one to a higher output */
	c = send(&b, 2, 6, REQ_LINE, 1);
	d = send(&b, 2, 3, REQ_LINE, 1);
	tick(&b);
	is_u64(take(&b, 4), a[0], "simple: the head goes");
	is_u64(take(&b, 6), c,
	       "simple: what it uncovers may go to a higher output in the same cycle");
	is_u64(take(&b, 3), REQ_NONE, "simple: to a lower one only in the next");
	tick(&b);
	is_u64(take(&b, 3), d, "simple: there");
	rig_free(&b.r);

	b = bench_new("gtx480", small);
	for (unsigned i = 0; i < 3; i++)
		send(&b, 0, 1, REQ_LINE, 1);
	c = send(&b, 0, 2, REQ_LINE, 1);
	for (unsigned i = 0; i < 5; i++)
		tick(&b);
	is_u64(b.net->out[1].q->n, 2, "simple: a full output takes no more");
	is_u64(take(&b, 2), REQ_NONE, "simple: and blocks what is behind the head");
	take(&b, 1);
	tick(&b);
	tick(&b);
	is_u64(take(&b, 2), c, "simple: until there is room");
	rig_free(&b.r);
}

/* With more clusters than a word has bits, both words of the masks are used, and the round robin
 * goes from one to the other. */
static void
wide(const char *type)
{
	const char *const options[] = {
		"noc.type", type, "gpu.clusters", "110", "gpu.cores_per_cluster", "1", NULL};
	static const unsigned from[] = {5, 63, 64, 109, 5, 64};
	struct bench b = bench_new("kayiran30", options);
	struct net_env *reply = &b.r.s->reply;
	uint32_t sent[6], q, x = 0;

	for (unsigned i = 0; i < 6; i++) {
		for (unsigned k = i; i % 4 == 0 && k < (i ? 6 : 4); k++) /* 0 to 3, then 4 and 5 */
			sent[k] = send(&b, from[k], 1, REQ_LINE, 1);
		for (q = REQ_NONE; q == REQ_NONE && b.x < 100;) {
			tick(&b);
			q = take(&b, 1);
		}
		is_u64(q, sent[i], "%s, 110 clusters: round robin, then from cluster %u", type,
		       from[i]);
	}
	ok(!net_busy(b.net), "%s, 110 clusters: nothing is left", type);
	for (unsigned i = 0; i < 4; i++) {
		b.r.s->req[sent[i]].core = (uint16_t)from[i];
		port_push(&reply->in[i == 3], req_token(sent[i], 0));
	}
	for (unsigned i = 0; i < 40; i++)
		net_tick(reply, x++);
	for (unsigned i = 0; i < 4; i++) {
		const struct port *o = &reply->out[from[i]];

		ok(reply->net->out_mask[from[i] / 64] >> from[i] % 64 & 1 &&
			   port_pop(o) == req_token(sent[i], 0),
		   "%s: its reply is at cluster %u", type, from[i]);
	}
	ok(!(reply->net->out_mask[0] | reply->net->out_mask[1]) && !net_busy(reply),
	   "%s: and none elsewhere", type);
	rig_free(&b.r);
}

/* Returns the cycles from a push before cycle 0 until the packet is in the output buffer. */
static uint64_t
alone(const char *const *options, enum req_kind kind, unsigned sectors)
{
	struct bench b = bench_new("kayiran30", options);
	uint64_t at = 0;

	send(&b, 4, 3, kind, sectors);
	for (unsigned i = 0; i < 200 && !at; i++) {
		tick(&b);
		if (take(&b, 3) != REQ_NONE)
			at = b.x;
	}
	rig_free(&b.r);
	return at;
}

/* An empty network: enter, channel, routing, switch, channel; further flits follow one a cycle. */
static uint64_t
formula(const struct noc_cfg *k, unsigned bytes)
{
	uint64_t flits = MAX(1, (bytes + k->flit - 1) / k->flit);
	uint64_t head =
		1 + k->channel_latency + k->routing_delay; /* entered in cycle 0, may cross then */

	return head + (flits - 1 > k->routing_delay ? flits - 1 - k->routing_delay : 0) +
	       (flits - 1 > k->routing_delay ? k->routing_delay : flits - 1) + 1 +
	       k->channel_latency + 1;
}

static void
latency(void)
{
	static const char *const slow[] = {
		"noc.routing_delay", "5", "noc.channel_latency", "3", "noc.vc_buffer", "16", NULL};
	static const char *const wide[] = {
		"noc.flit", "32", "noc.routing_delay", "0", "noc.channel_latency", "1", NULL};
	static const char *const *const options[] = {NULL, slow, wide};

	for (unsigned i = 0; i < ARRAY_LEN(options); i++) {
		struct bench b = bench_new("kayiran30", options[i]);
		struct noc_cfg k = b.r.s->cfg->noc;

		rig_free(&b.r);
		is_u64(alone(options[i], REQ_LINE, 0x3), formula(&k, k.control),
		       "xbar: a request alone takes channel_latency %u + routing_delay %u + "
		       "channel_latency, and 3 cycles to enter, "
		       "cross and leave",
		       k.channel_latency, k.routing_delay);
		if (k.vc_buffer >= 16 || k.flit >= 32)
			is_u64(alone(options[i], REQ_WRITE, 0x3), formula(&k, k.control + 64),
			       "xbar: a write of 64 bytes as many more as it has further flits");
	}
}

/* Every packet arrives once, at its output, after those that were sent before it on the same way.
 */
static unsigned
flits_of(const struct noc_cfg *k, const struct req *r)
{
	unsigned bytes =
		k->control +
		(r->kind == REQ_WRITE ? SECTOR * (unsigned)__builtin_popcount(r->sectors) : 0);

	return k->type == NOC_SIMPLE ? 1 : MAX(1, (bytes + k->flit - 1) / k->flit);
}

static void
traffic(const char *const *options, const char *what)
{
	struct bench b = bench_new("kayiran30", options);
	unsigned n_in = b.net->n_in, n_out = b.net->n_out, sent = 0, got = 0, wrong = 0, late = 0,
		 over = 0, asked = 0;
	static uint32_t order[NOC_PORTS][MAX_SLICES]; /* number of the last packet that came from an
							 input to an output */
	static uint32_t number[100000], from[100000];
	uint32_t seed = 5;

	memset(order, 0, sizeof(order));
	for (unsigned i = 0; i < 6000 || (got < sent && i < 60000); i++) {
		for (unsigned c = 0; c < n_in && i < 6000; c++) {
			unsigned v = (seed = seed * 1664525 + 1013904223) >> 10;
			bool hot = i > 3000; /* all to two outputs: contention */
			uint32_t q;

			if (v % 3 || fifo_full(b.net->in[c].q))
				continue;
			q = send(&b, c, hot ? v / 16 % 2 : v / 16 % n_out,
				 v & 512 ? REQ_LINE : REQ_WRITE, 1 + (v >> 12 & 2));
			number[q] = ++sent;
			from[q] = c;
			asked += flits_of(b.net->cfg, &b.r.s->req[q]);
		}
		tick(&b);
		for (unsigned o = 0; o < n_out; o++) {
			uint32_t q;

			over += b.net->out[o].q->n > b.net->out[o].q->cap;
			if (i % 7 < 3 && i < 6000)
				continue; /* the slice is slow at times */
			q = take(&b, o);
			if (q == REQ_NONE)
				continue;
			got++;
			wrong += b.r.s->req[q].slice != o;
			late += number[q] <= order[from[q]][o];
			order[from[q]][o] = number[q];
			req_give(b.r.s->pool, b.r.s->req, q);
		}
	}
	ok(sent == got && sent > 1000 && !b.r.s->pool->used && !net_busy(b.net),
	   "%s: %u packets sent, %u arrived", what, sent, got);
	is_u64(wrong, 0, "%s: each at its output", what);
	if (b.net->cfg->type == NOC_SIMPLE ||
	    b.net->cfg->vcs == 1) /* packets in different channels may overtake */
		is_u64(late, 0, "%s: in order per input and output", what);
	is_u64(over, 0, "%s: no output buffer holds more than it can", what);
	is_u64(b.net->net->st.flits, asked, "%s: as many flits as their bytes need", what);
	rig_free(&b.r);
}

/* Two inputs of long packets to one output: one flit per cycle goes through. */
static void
throughput(void)
{
	struct bench b = bench_new("kayiran30", NULL);
	unsigned flits = (b.r.s->cfg->noc.control + 64 + b.r.s->cfg->noc.flit - 1) /
			 b.r.s->cfg->noc.flit,
		 n[2] = {0};
	uint64_t before = 0;

	for (unsigned i = 0; i < 3000; i++) {
		for (unsigned c = 0; c < 2; c++)
			if (!fifo_full(b.net->in[c].q))
				send(&b, c, 1, REQ_WRITE, 3);
		if (i == 1000)
			before = b.net->net->st.flits;
		tick(&b);
		for (uint32_t q; (q = take(&b, 1)) != REQ_NONE;)
			n[b.r.s->req[q].core == 0]++;
	}
	ok(b.net->net->st.flits - before >= 1990 && b.net->net->st.flits - before <= 2000,
	   "xbar: a busy output passes one flit a cycle: %" PRIu64 " in 2000",
	   b.net->net->st.flits - before);
	ok(n[0] + n[1] >= 2900 / flits, "xbar: %u packets of %u flits arrived", n[0] + n[1], flits);
	rig_free(&b.r);
}

int
main(void)
{
	static const char *const narrow[] = {
		"noc.vcs", "1", "noc.vc_buffer", "1", "noc.out_buffer", "1", "noc.in_buffer",
		"2",	   NULL};
	static const char *const plain[] = {"noc.type", "simple", "noc.out_buffer", "3", NULL};

	static const char *const clusters[] = {"gpu.clusters", "110", "gpu.cores_per_cluster", "1",
					       NULL};
	static const char *const clusters_plain[] = {
		"noc.type", "simple", "gpu.clusters", "110", "gpu.cores_per_cluster", "1", NULL};

	static const char *const mesh[] = {"noc.type", "mesh", NULL};
	static const char *const mesh_narrow[] = {"noc.type",
						  "mesh",
						  "noc.vcs",
						  "1",
						  "noc.vc_buffer",
						  "1",
						  "noc.out_buffer",
						  "1",
						  "noc.in_buffer",
						  "2",
						  "noc.credit_delay",
						  "2",
						  NULL};
	static const char *const mesh110[] = {
		"noc.type", "mesh",	    "gpu.clusters", "110", "gpu.cores_per_cluster",
		"1",	    "mem.channels", "11",	    NULL};

	simple();
	wide("simple");
	wide("xbar");
	latency();
	throughput();
	traffic(NULL, "xbar");
	traffic(narrow, "xbar with one channel of one flit");
	traffic(plain, "simple with three places per output");
	traffic(mesh, "mesh");
	traffic(mesh_narrow, "mesh with one channel of one flit");
	traffic(mesh110, "mesh, 110 clusters");
	traffic(clusters, "xbar, 110 clusters");
	traffic(clusters_plain, "simple, 110 clusters");
	return done();
}
