/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * saturation.c - the crossbar alone, with every input always full: how many flits cross, beside
 * what is published for crossbars (ctascope-model(7) 8.7).
 *
 * Without latencies, with one virtual channel and packets of one flit, xbar is the switch with a
 * queue per input of Karol, Hluchyj and Morgan (IEEE Trans. Communications 35(12), 1987), whose
 * saturation is known exactly for small switches. iSLIP (McKeown, IEEE/ACM Trans. Networking 7(2),
 * 1999) with a queue per input and output reaches 1 under uniform traffic. The paper's router lies
 * between: 4 virtual channels hold the next 4 packets of an input, of any outputs.
 */
#include "tests/tap.h"
#include "tests/noc/bench.h"

#define WARM_UP 2000
#define MEASURED 40000
#define WAITING 8 /* packets in the buffer of every input, at the most */

/* Where packets go: to every output alike, or to the first `few` with a share of `hot` in 256. */
struct traffic {
	unsigned few, hot;
};

struct source {
	struct bench b;
	struct net_env *net;
	struct traffic traffic;
	enum req_kind kind;
	unsigned sectors;
	uint32_t seed;
};

static unsigned
draw_random(struct source *s, unsigned below)
{
	s->seed = s->seed * 1664525u + 1013904223u;
	return (unsigned)((uint64_t)(s->seed >> 8) * below >> 24);
}

static unsigned
draw_output(struct source *s)
{
	if (s->traffic.few && draw_random(s, 256) < s->traffic.hot)
		return draw_random(s, s->traffic.few);
	return draw_random(s, s->net->n_out);
}

/* Fills the buffers of all inputs. A reply is addressed by the core of its request. */
static void
fill_inputs(struct source *s)
{
	const struct sim *sim = s->b.r.s;

	for (unsigned i = 0; i < s->net->n_in; i++)
		while (s->net->in[i].q->n < WAITING) {
			uint32_t r = rig_request(&s->b.r, s->kind, 0, s->sectors, UINT32_MAX);
			unsigned to = draw_output(s);

			sim->req[r].slice = (uint8_t)to;
			sim->req[r].core = (uint16_t)(to * sim->cfg->gpu.cores_per_cluster);
			port_push(&s->net->in[i], s->net->reply ? req_token(r, 0) : r);
		}
}

/* Empties the buffers of all outputs: nothing behind the network is slow. */
static void
empty_outputs(struct source *s)
{
	struct sim *sim = s->b.r.s;

	for (unsigned o = 0; o < s->net->n_out; o++)
		while (s->net->out[o].q->n) {
			uint32_t h = port_pop(&s->net->out[o]);

			req_give(sim->pool, sim->req, s->net->reply ? h >> 2 : h);
		}
}

/* Returns the flits per network cycle that cross the request or the reply network. */
static double
measure_flits(const char *machine, const char *const *options, bool reply, enum req_kind kind,
	      unsigned sectors, struct traffic traffic)
{
	struct source s = {.b = bench_new(machine, options),
			   .traffic = traffic,
			   .kind = kind,
			   .sectors = sectors,
			   .seed = 1};
	uint64_t before = 0;
	double flits;

	s.net = reply ? &s.b.r.s->reply : &s.b.r.s->request;
	for (unsigned x = 0; x < WARM_UP + MEASURED; x++) {
		if (x == WARM_UP)
			before = s.net->net->st.flits;
		fill_inputs(&s);
		net_tick(s.net, x);
		empty_outputs(&s);
	}
	flits = (double)(s.net->net->st.flits - before) / MEASURED;
	rig_free(&s.b.r);
	return flits;
}

/* The switch of the literature: n inputs and outputs, packets of one flit, no latency. */
static double
measure_square(const char *n, const char *vcs, const char *speedup)
{
	const char *const options[] = {"gpu.clusters",
				       n,
				       "gpu.cores_per_cluster",
				       "1",
				       "mem.channels",
				       n,
				       "noc.routing_delay",
				       "0",
				       "noc.channel_latency",
				       "0",
				       "noc.vcs",
				       vcs,
				       "noc.input_speedup",
				       speedup,
				       NULL};

	return measure_flits("kayiran30", options, false, REQ_LINE, 1, (struct traffic){0}) /
	       strtod(n, NULL);
}

static void
check_published(void)
{
	/* Karol et al., Table I */
	static const struct {
		const char *n;
		double published;
	} row[] = {{"2", 0.75}, {"4", 0.6553}, {"8", 0.6184}};
	static const char *const vcs[] = {"1", "2", "4", "8"};
	double last = 0;

	for (unsigned i = 0; i < 3; i++) {
		double got = measure_square(row[i].n, "1", "1");

		ok(got > row[i].published - 0.01 && got < row[i].published + 0.01,
		   "%s x %s, one queue per input: %.3f of capacity, published %.4f", row[i].n,
		   row[i].n, got, row[i].published);
	}
	for (unsigned v = 0; v < 4; v++) {
		double one = measure_square("8", vcs[v], "1"),
		       two = measure_square("8", vcs[v], "2");

		ok(one > last && two >= one && two <= 1,
		   "8 x 8, %s virtual channels: %.3f of capacity, %.3f with input speedup 2",
		   vcs[v], one, two);
		last = one;
	}
}

/* The two networks of kayiran30. `most` is what inputs, outputs or, with uneven traffic, the two
 * hot outputs let through; the share of it that crosses is in the manual (8.7). */
static void
check_machine(void)
{
	static const char *const sector[] = {"noc.reply", "sector", NULL};
	static const char *const line[] = {"noc.reply", "line", NULL};
	static const char *const single[] = {"noc.reply", "sector", "noc.input_speedup", "1", NULL};
	static const char *const deep[] = {"noc.reply", "line", "noc.vc_buffer", "8", NULL};
	static const struct {
		const char *what;
		const char *const *options;
		bool reply;
		enum req_kind kind;
		unsigned sectors; /* a mask */
		struct traffic traffic;
		double most, share;
	} row[] = {
		{"loads up, 1 flit", sector, false, REQ_LINE, 1, {0, 0}, 8, 0.76},
		{"stores up, 5 flits", sector, false, REQ_WRITE, 3, {0, 0}, 8, 0.80},
		{"half of the stores up to 2 of 8",
		 sector,
		 false,
		 REQ_WRITE,
		 3,
		 {2, 128},
		 3.2,
		 0.96},
		{"all stores up to 1 of 8", sector, false, REQ_WRITE, 3, {1, 256}, 1, 1},
		{"sectors down, 3 flits", sector, true, REQ_LINE, 1, {0, 0}, 8, 0.86},
		{"the same, input speedup 1", single, true, REQ_LINE, 1, {0, 0}, 8, 0.83},
		{"lines down, 5 flits", line, true, REQ_LINE, 3, {0, 0}, 8, 0.77},
		{"the same, channels of 8 flits", deep, true, REQ_LINE, 3, {0, 0}, 8, 0.89},
		{"half of the lines down to 2 of 10",
		 line,
		 true,
		 REQ_LINE,
		 3,
		 {2, 128},
		 10 / 3.0,
		 0.96},
	};

	for (unsigned i = 0; i < sizeof(row) / sizeof(*row); i++) {
		double got = measure_flits("kayiran30", row[i].options, row[i].reply, row[i].kind,
					   row[i].sectors, row[i].traffic) /
			     row[i].most;

		ok(got > row[i].share - 0.01 && got < row[i].share + 0.01,
		   "%s: %.3f of %.2f flits a cycle", row[i].what, got, row[i].most);
	}
}

int
main(void)
{
	check_published();
	check_machine();
	return done();
}
