/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * latency.c - uncontended latencies in closed form, as formulas over the parameters
 * (ctascope-model(7) 12).
 *
 * One warp runs a chain: every instruction needs the result of the one before, so the cycles from
 * issue to issue are its latency. All clocks are equal and the network is the simple one; then
 * nothing depends on the phase of two clocks, and the formulas are exact. All numbers are read from
 * the configuration. The formulas are checked on all machines, and again with other values.
 */
#include "tests/tap.h"
#include "ctascope/req.h"
#include "tests/sim/model.h"

#define MAX_CHAIN 64
#define BASE UINT64_C(0x40000000)
#define CODE UINT64_C(0xf0000000)

/* ---------------------------------------------------------------- a chain and its issue times */

struct chain {
	struct tb *b;
	uint32_t n;
};

static struct chain
chain_new(void)
{
	struct chain c = {.b = tb_new()};

	tb_kernel(c.b, "chain", 1, WARP_SIZE, 16, 0, 70);
	return c;
}

/* Adds a link: an instruction that reads R2 and writes R2. All links share one line of code. */
static void
link_add(struct chain *c, const char *op, const char *src, uint64_t addr, int64_t stride)
{
	uint32_t inst = tb_inst(c->b, 16 * (c->n % 2), op, "R2", src);

	tb_emit(c->b, 0, 0, inst, ~0u, addr ? ADDR_STRIDE : ADDR_NONE, addr, stride);
	c->n++;
}

/* Runs the chain; at[i] becomes the issue cycle of link i. */
static void
chain_run(struct chain *c, const struct config *cfg, uint64_t at[MAX_CHAIN])
{
	uint32_t ex = tb_inst(c->b, 0x30, "EXIT", "", "");
	struct err e = {0};
	struct trace *t;
	struct sim *s;
	uint32_t seen = 0;

	tb_emit(c->b, 0, 0, ex, ~0u, ADDR_NONE, 0, 0);
	t = tb_finish(c->b, &e);
	if (!t)
		model_die("chain", &e);
	s = model_sim(cfg, t);
	memset(at, 0, MAX_CHAIN * sizeof(at[0]));
	while (sim_run(s, sim_cycle(s) + 1, &e) == SIM_REACHED && seen <= c->n &&
	       sim_cycle(s) < 100000) {
		struct warp_view v;

		sim_warp_view(s, 0, 0, &v);
		while (v.status != WARP_FREE && seen < v.done)
			at[seen++] = sim_cycle(s);
	}
	sim_free(s);
	trace_close(t);
}

/* ---------------------------------------------------------------- the parameters */

struct param {
	uint64_t lat_sp, lat_int, lat_sfu, lat_dp, l1_latency, smem_latency, smem_banks,
		rop_latency, dram_latency;
	uint64_t tCL, tRCD, tRP, tCCD, tCCDL, atom, l1_line;
};

static struct param
read_params(const struct config *c)
{
	return (struct param){
		.lat_sp = model_get(c, "core.lat_sp"),
		.lat_int = model_get(c, "core.lat_int"),
		.lat_sfu = model_get(c, "core.lat_sfu"),
		.lat_dp = model_get(c, "core.lat_dp"),
		.l1_latency = model_get(c, "ldst.l1_latency"),
		.smem_latency = model_get(c, "ldst.smem_latency"),
		.smem_banks = model_get(c, "ldst.smem_banks"),
		.rop_latency = model_get(c, "mem.rop_latency"),
		.dram_latency = model_get(c, "mem.dram_latency"),
		.tCL = model_get(c, "mem.tCL"),
		.tRCD = model_get(c, "mem.tRCD"),
		.tRP = model_get(c, "mem.tRP"),
		.tCCD = model_get(c, "mem.tCCD"),
		.tCCDL = model_get(c, "mem.tCCDL"),
		.atom = model_get(c, "mem.atom"),
		.l1_line = model_get(c, "l1d.line"),
	};
}

static uint64_t
up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

/* Issue to pick-up by a pipe: collected, read, dispatched, picked up. Without sources one less. */
#define PICK_UP 4
/* From leaving the core to the L2 look-up: two hops through the network, the ROP delay, its queue.
 */
#define TO_L2(p) (2 + (p)->rop_latency + 1)
/* From the L2 look-up that hits to the release of the register. */
#define FROM_L2 5
/* From the look-up that misses to the DRAM scheduler's queues: miss queue, channel, latency line.
 */
#define TO_DRAM(p) (2 + (p)->dram_latency)
/* From the column command: data, return queue, fill, reply. */
#define FROM_DRAM(p) ((p)->tCL + 1 + FROM_L2 + 1)
/* Column commands of n sectors one after the other. */
static uint64_t
columns(const struct param *p, uint64_t sectors)
{
	return (sectors * up(SECTOR, p->atom) - 1) * MAX(p->tCCD, p->tCCDL);
}

static uint64_t
alu(uint64_t latency)
{
	return PICK_UP + latency + 2; /* end of pipe, result slot, written back */
}

static uint64_t
l1_hit(const struct param *p, uint64_t accesses)
{
	return PICK_UP + accesses + p->l1_latency;
}

static uint64_t
smem(const struct param *p, uint64_t conflict)
{
	return PICK_UP + conflict + p->smem_latency + 1;
}

static uint64_t
l2_hit_bypass(const struct param *p, uint64_t accesses)
{
	return PICK_UP + accesses + TO_L2(p) + FROM_L2;
}

static uint64_t
l2_hit(const struct param *p)
{
	return l1_hit(p, 1) + 1 + TO_L2(p) + (p->l1_line / SECTOR - 1) + FROM_L2;
}

enum row { ROW_HIT, ROW_CLOSED, ROW_CONFLICT };

static uint64_t
row_cost(const struct param *p, enum row r)
{
	return r == ROW_HIT ? 0 : r == ROW_CLOSED ? p->tRCD : p->tRP + p->tRCD;
}

static uint64_t
dram_bypass(const struct param *p, enum row r)
{
	return PICK_UP + 1 + TO_L2(p) + TO_DRAM(p) + 1 + row_cost(p, r) + columns(p, 1) +
	       FROM_DRAM(p);
}

static uint64_t
dram_line(const struct param *p, enum row r)
{
	return l1_hit(p, 1) + 1 + TO_L2(p) + TO_DRAM(p) + 1 + row_cost(p, r) +
	       columns(p, p->l1_line / SECTOR) + FROM_DRAM(p);
}

/* ---------------------------------------------------------------- measuring */

/* Latency of the last but one link of a chain. */
static uint64_t
last_of(struct chain *c, const struct config *cfg)
{
	uint64_t at[MAX_CHAIN];

	chain_run(c, cfg, at);
	return at[c->n - 1] - at[c->n - 2];
}

/* The latency of an instruction in the middle of a long repetition. */
static uint64_t
repeated(const struct config *cfg, const char *op, const char *src, uint64_t addr, int64_t stride)
{
	struct chain c = chain_new();

	for (unsigned i = 0; i < 8; i++)
		link_add(&c, op, src, addr, stride);
	return last_of(&c, cfg);
}

/* The place of an address, computed independently from the options (ctascope-model(7) 10.1). */
struct place {
	uint64_t channel, bank, row;
};

static uint64_t
gather(uint64_t a, uint64_t mask)
{
	uint64_t v = 0;

	for (unsigned bit = 0, n = 0; bit < 64; bit++)
		if (mask >> bit & 1)
			v |= (a >> bit & 1) << n++;
	return v;
}

static struct place
place_of(const struct config *c, uint64_t addr)
{
	uint64_t chunk = model_get(c, "mem.chunk"), channels = model_get(c, "mem.channels");
	uint64_t local = addr / chunk / channels * chunk + addr % chunk;

	return (struct place){.channel = addr / chunk % channels,
			      .bank = gather(local, model_get(c, "mem.bank_bits")),
			      .row = gather(local, model_get(c, "mem.row_bits"))};
}

/* The first line after `from` on another channel, or in the same bank in the same or another
 * row. */
static uint64_t
line_with(const struct config *c, uint64_t from, bool same_bank, bool same_row)
{
	struct place f = place_of(c, from);
	uint64_t a = from;

	for (unsigned i = 0; i < 1000000; i++) {
		struct place p;

		a += 128;
		p = place_of(c, a);
		if (same_bank ? p.channel == f.channel && p.bank == f.bank &&
					(p.row == f.row) == same_row
			      : p.channel != f.channel)
			return a;
	}
	model_die("no such line", NULL);
	return 0;
}

/* The latency of a load that finds its bank in the given state. */
static uint64_t
dram(const struct config *cfg, const char *op, enum row r)
{
	/* not in the bank of the code, whose row is open */
	uint64_t first = place_of(cfg, BASE).channel == place_of(cfg, CODE).channel
				 ? line_with(cfg, BASE, false, false)
				 : BASE;
	uint64_t second = r == ROW_CLOSED ? first : line_with(cfg, first, true, r == ROW_HIT);
	struct chain c = chain_new();

	if (r != ROW_CLOSED)
		link_add(&c, op, "R2", first, 0);
	for (unsigned i = 0; i < 4; i++)
		link_add(&c, "FFMA", "R2 R8 R9", 0, 0);
	link_add(&c, op, "R2", second, 0);
	link_add(&c, "FFMA", "R2 R8 R9", 0, 0);
	return last_of(&c, cfg);
}

/* Through L1, when L2 has the whole line because loads that bypass L1 fetched it before. */
static uint64_t
l2_hit_measured(const struct config *cfg, const struct param *p)
{
	struct chain c = chain_new();

	for (uint64_t s = 0; s < p->l1_line; s += SECTOR)
		link_add(&c, "LDG.E.STRONG.GPU", "R2", BASE + s, 0);
	link_add(&c, "LDG.E", "R2", BASE, 0);
	link_add(&c, "FFMA", "R2 R8 R9", 0, 0);
	return last_of(&c, cfg);
}

static void
check(const struct config *c, const char *what)
{
	const struct param now = read_params(c), *p = &now;
	static const struct {
		const char *op;
		unsigned width;
	} load[] = {{"LDG.E", 4}, {"LDG.E.64", 8}, {"LDG.E.128", 16}};
	static const unsigned way[] = {1, 2, 8};
	static const char *const state[] = {"row hit", "bank closed", "row conflict"};

	is_u64(repeated(c, "FFMA", "R2 R8 R9", 0, 0), alu(p->lat_sp), "%s: FFMA", what);
	is_u64(repeated(c, "IMAD", "R2 R8 R9", 0, 0), alu(p->lat_int), "%s: IMAD", what);
	is_u64(repeated(c, "MUFU.RCP", "R2", 0, 0), alu(p->lat_sfu), "%s: MUFU", what);
	is_u64(repeated(c, "DFMA", "R2 R8 R9", 0, 0), alu(p->lat_dp), "%s: DFMA", what);
	for (unsigned i = 0; i < 3; i++) {
		uint64_t segment = MIN(128, p->l1_line);

		is_u64(repeated(c, load[i].op, "R2", BASE, load[i].width),
		       l1_hit(p, WARP_SIZE * load[i].width / segment),
		       "%s: L1 hit, %u bytes per lane", what, load[i].width);
	}
	for (unsigned i = 0; i < 3; i++)
		is_u64(repeated(c, "LDS", "R2", UINT64_C(0x7f0000000080), 4 * way[i]),
		       smem(p, way[i] * WARP_SIZE / p->smem_banks), "%s: shared memory, %u-way",
		       what, way[i]);
	is_u64(repeated(c, "LDG.E.STRONG.GPU", "R2", BASE, 0), l2_hit_bypass(p, 1),
	       "%s: L2 hit, past L1", what);
	is_u64(repeated(c, "ATOMG.ADD", "R2", BASE, 0), l2_hit_bypass(p, WARP_SIZE),
	       "%s: atomic on one word", what);
	is_u64(l2_hit_measured(c, p), l2_hit(p), "%s: L2 hit, through L1", what);
	for (enum row r = ROW_HIT; r <= ROW_CONFLICT; r++) {
		is_u64(dram(c, "LDG.E.STRONG.GPU", r), dram_bypass(p, r), "%s: %s, one sector",
		       what, state[r]);
		is_u64(dram(c, "LDG.E", r), dram_line(p, r), "%s: %s, a line", what, state[r]);
	}
}

/* The cycles of a lone miss in which n additions, each of which needs the one before, and the exit
 * are in flight. */
static double
overlap(const struct config *c, unsigned n)
{
	struct tb *b = tb_new();
	struct err e = {0};
	struct trace *t;
	struct sim *s;
	double cycles;

	tb_kernel(b, "overlap", 1, WARP_SIZE, 16, 0, 70);
	tb_emit(b, 0, 0, tb_inst(b, 0, "LDG.E", "R3", "R6"), ~0u, ADDR_STRIDE, BASE, 4);
	for (unsigned i = 0; i < n; i++)
		tb_emit(b, 0, 0, tb_inst(b, 0x10, "FADD", "R2", "R2"), ~0u, ADDR_NONE, 0, 0);
	tb_emit(b, 0, 0, tb_inst(b, 0x20, "EXIT", "", ""), ~0u, ADDR_NONE, 0, 0);
	t = tb_finish(b, &e);
	if (!t)
		model_die("overlap", &e);
	s = model_sim(c, t);
	model_run(s);
	cycles = model_value(s, "gpu.amat_overlapped");
	ok(cycles <= model_value(s, "gpu.amat"), "%u additions overlap %.0f of %.0f cycles", n,
	   cycles, model_value(s, "gpu.amat"));
	sim_free(s);
	trace_close(t);
	return cycles;
}

/* Each addition in the shadow of a miss overlaps its own latency more of it (14.12). */
static void
check_overlap(const struct config *c, const char *what)
{
	struct param p = read_params(c);

	double more = overlap(c, 9) - overlap(c, 4), want = 5 * (double)alu(p.lat_sp);

	ok(fabs(more - want) <= 1, "%s: five more additions overlap %.0f cycles more, want %.0f",
	   what, more, want);
	ok(overlap(c, 99) == overlap(c, 98), "%s: what outlasts the load does not count", what);
}

int
main(void)
{
	static const struct {
		const char *key;
		unsigned value;
	} other[] = {
		{"core.lat_sp", 7},	 {"core.lat_int", 5},	   {"core.lat_sfu", 24},
		{"core.lat_dp", 11},	 {"ldst.l1_latency", 21},  {"ldst.smem_latency", 13},
		{"mem.rop_latency", 57}, {"mem.dram_latency", 23}, {"mem.tCL", 15},
		{"mem.tRCD", 9},	 {"mem.tRP", 17},	   {"mem.tCCD", 3},
		{"mem.tCCDL", 5},	 {"mem.atom", 32},
	};

	for (unsigned m = 0; m < N_MODEL_FIRST; m++) {
		struct config *c = model_config(model_machines[m], "rr");
		char what[160];

		model_set(c, "gpu.clock_float", "off");
		model_set(c, "gpu.clock_core", "1000");
		model_set(c, "gpu.clock_noc", "1000");
		model_set(c, "gpu.clock_l2", "1000");
		model_set(c, "gpu.clock_dram", "1000");
		model_set(c, "noc.type", "simple");
		check(c, model_machines[m]);
		check_overlap(c, model_machines[m]);
		for (unsigned i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
			model_set_u(c, other[i].key, other[i].value);
			if (i % 5 && i + 1 < sizeof(other) / sizeof(other[0]))
				continue; /* only a few at a time */
			snprintf(what, sizeof(what), "%s with %s = %u", model_machines[m],
				 other[i].key, other[i].value);
			check(c, what);
		}
		config_free(c);
	}
	return done();
}
