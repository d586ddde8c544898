/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * orders.c - tl and owl in a whole core: which warp issues while others could, and the classes of
 * the cycles; also the cycles of a few reference traces, which change only when a scheduler does.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

enum what { CHAIN, FREE, LOADS, BARRIERS };

/* CTAs of warps that repeat 200 times: a dependent addition (CHAIN); a load of a separate line
 * and its use (LOADS); a barrier (BARRIERS). FREE is 3,000 independent additions. */
static struct trace *
kernel(enum what what, unsigned ctas, unsigned warps)
{
	struct tb *b = tb_new();
	struct err e = {0};
	uint32_t add[4], load, bar, ex;
	struct trace *t;

	tb_kernel(b, "wsched", ctas, warps * WARP_SIZE, 16, 0, 70);
	for (unsigned i = 0; i < 4; i++) {
		char dst[8];

		snprintf(dst, sizeof(dst), "R%u", 4 + i);
		add[i] = tb_inst(b, 16 * i, "FFMA", dst, what == FREE ? "R1 R2 R3" : "R4 R8 R9");
	}
	load = tb_inst(b, 0x40, "LDG.E", "R4", "R2");
	bar = tb_inst(b, 0x50, "BAR.SYNC", "", "");
	ex = tb_inst(b, 0x60, "EXIT", "", "");
	for (unsigned c = 0; c < ctas; c++)
		for (unsigned w = 0; w < warps; w++) {
			for (uint64_t i = 0; i < (what == FREE ? 3000 : 200); i++) {
				if (what == LOADS)
					tb_emit(b, c, w, load, ~0u, ADDR_STRIDE,
						0x100000 + ((c * warps + w) * 200 + i) * 128, 4);
				if (what == BARRIERS)
					tb_emit(b, c, w, bar, ~0u, ADDR_NONE, 0, 0);
				tb_emit(b, c, w, add[what == FREE ? i % 4 : 0], ~0u, ADDR_NONE, 0,
					0);
			}
			tb_emit(b, c, w, ex, ~0u, ADDR_NONE, 0, 0);
		}
	t = tb_finish(b, &e);
	if (!t)
		model_die("wsched", &e);
	return t;
}

/* One core; options are pairs. */
static struct sim *
start(struct trace *t, const char *policy, const char *wsched, const char *const *options)
{
	struct config *c = model_config("kayiran30", policy);
	struct err e = {0};
	struct sim *s;

	model_set(c, "gpu.clusters", "1");
	model_set(c, "gpu.cores_per_cluster", "1");
	model_set(c, "gpu.balance", "off");
	model_set(c, "core.simt_width", "32"); /* the pipes are never full */
	if (config_wsched(c, wsched, &e) < 0)
		model_die(wsched, &e);
	for (; options && *options; options += 2)
		model_set(c, options[0], options[1]);
	s = model_sim(c, t);
	config_free(c);
	return s;
}

/* Records that warps first..last of the core have issued. */
static unsigned
issued(const struct sim *s, unsigned first, unsigned last)
{
	unsigned n = 0;

	for (unsigned w = first; w <= last; w++) {
		struct warp_view v;

		sim_warp_view(s, 0, w, &v);
		n += v.done;
	}
	return n;
}

/* The number of records that the other warps have issued when the first warps have issued n. */
static unsigned
others_at(struct sim *s, unsigned first, unsigned last, unsigned n)
{
	while (issued(s, first, last) < n && sim_run(s, sim_cycle(s) + 1, NULL) == SIM_REACHED)
		;
	return issued(s, 0, 15) - issued(s, first, last);
}

static void
tl(void)
{
	static const char *const two[] = {"core.tl_group", "2", NULL};
	struct trace *t = kernel(CHAIN, 1, 8);
	struct sim *s = start(t, "rr", "tl", two);
	struct core_view v;

	is_u64(others_at(s, 0, 1, 390), 0, "tl: arithmetic does not switch: warps 0 and 1 alone");
	sim_core_view(s, 0, &v);
	ok(v.class_cycles[CC_STALL] > 300, "tl: ready warps held back are stall, %" PRIu64,
	   v.class_cycles[CC_STALL]);
	others_at(s, 2, 3, 390);
	is_u64(issued(s, 4, 7), 0, "tl: then 2 and 3 alone");
	ok(model_run(s), "tl: all finish");
	sim_free(s);
	s = start(t, "rr", "lrr", two);
	sim_run(s, 1000, NULL);
	sim_core_view(s, 0, &v);
	is_u64(v.class_cycles[CC_STALL], 0, "lrr: nothing of that kind");
	sim_free(s);
	trace_close(t);

	t = kernel(LOADS, 1, 8);
	s = start(t, "rr", "tl", two);
	ok(others_at(s, 0, 1, 20) > 20, "tl: loads do");
	sim_free(s);
	trace_close(t);

	t = kernel(BARRIERS, 1, 8);
	s = start(t, "rr", "tl", two);
	ok(model_run(s), "tl: so do barriers, or the CTA would wait for ever");
	sim_free(s);
	trace_close(t);
}

static void
owl(void)
{
	static const char *const four[] = {"core.owl_group", "4", NULL};
	struct trace *t = kernel(CHAIN, 2, 8);
	struct sim *s = start(t, "rr", "owl", NULL);
	unsigned one, both;

	one = others_at(s, 0, 7, 1000);
	ok(one > 0 && one < 500, "owl: of two CTAs the older one has the core: 1,000 to %u", one);
	ok(model_run(s), "owl: both finish");
	sim_free(s);
	s = start(t, "rr", "owl", four);
	both = others_at(s, 0, 7, 1000);
	ok(both > 900, "owl: in one group they share it: 1,000 to %u", both);
	sim_free(s);
	trace_close(t);
}

/* Four CTAs of 8 warps that can always issue, under DYNCTA, which pauses all but the oldest: the
 * oldest owns the core, and a warp of the others issues once per `starve` cycles, whatever its
 * group. */
static void
paused(const char *wsched)
{
	static const char *const base[] = {"dyncta.period",
					   "500",
					   "dyncta.n0",
					   "4",
					   "dyncta.t_idle",
					   "16M",
					   "dyncta.t_mem_l",
					   "0",
					   "dyncta.t_mem_h",
					   "0",
					   "core.max_ctas",
					   "4",
					   "core.starve",
					   NULL,
					   NULL};
	const char *options[sizeof(base) / sizeof(base[0])];
	struct trace *t = kernel(FREE, 4, 8);
	unsigned before, n[2];

	memcpy(options, base, sizeof(base));
	for (unsigned i = 0; i < 2; i++) {
		struct sim *s;

		options[13] = i ? "100" : "1M";
		s = start(t, "dyncta", wsched, options);
		sim_run(s, 1501, NULL); /* three periods: one CTA runs */
		before = issued(s, 8, 31);
		sim_run(s, 2501, NULL);
		n[i] = issued(s, 8, 31) - before;
		ok(model_run(s), "%s, starve %s: all finish", wsched, options[13]);
		sim_free(s);
	}
	ok(n[1] >= n[0] + 100,
	   "%s: starved warps of paused CTAs issue: %u in 1,000 cycles, %u without", wsched, n[1],
	   n[0]);
	trace_close(t);
}

static void
cycles(void)
{
	static const struct {
		const char *trace, *machine, *wsched;
		uint64_t cycles;
	} row[] = {
		{"mixed-120x256", "gtx480", "tl", 22393},
		{"mixed-120x256", "gtx480", "owl", 21839},
		{"smem-120x256", "kay30", "tl", 7090},
		{"smem-120x256", "kay30", "owl", 5298},
		{"l2reuse-120x256", "kayiran30", "tl", 171110},
		{"l2reuse-120x256", "kayiran30", "owl", 176352},
	};

	for (unsigned i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct trace *t = model_reference(row[i].trace);
		struct config *c = model_config(row[i].machine, "rr");
		struct sim *s;

		config_wsched(c, row[i].wsched, NULL);
		s = model_sim(c, t);
		is_u64(model_run(s), row[i].cycles, "%s on %s, %s", row[i].trace, row[i].machine,
		       row[i].wsched);
		sim_free(s);
		config_free(c);
		trace_close(t);
	}
}

int
main(void)
{
	tl();
	owl();
	paused("tl");
	paused("owl");
	cycles();
	return done();
}
