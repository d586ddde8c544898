/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * classes.c - waiting told apart (ctascope-model(7) 14): kernels of one instruction that can wait
 * for one thing only, and what their cycles are then called.
 *
 * One CTA on the first core of two. A case says which class has most of the cycles without an
 * issue, and whether any may be of class blocked.
 */
#include "sim/sim_priv.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

#define GLOBAL UINT64_C(0x7fff00000000)
#define SHARED UINT64_C(0x7f0000000080)

static const struct {
	const char *name;
	const char *op, *src;
	bool branch; /* behind each record a branch */
	unsigned warps, n;
	uint64_t base, step; /* between records, and between the first ones of two warps n times */
	int64_t stride;	     /* between lanes */
	const char *options;
	enum cycle_class most;
	bool blocked;
} row[] = {
	{"new lines, 2 miss registers", "LDG.E", "R2", false, 8, 24, GLOBAL, 128, 4, "l1d.mshr=2",
	 CC_BLOCKED, true},
	{"new lines, a miss queue of 2", "LDG.E", "R2", false, 16, 24, GLOBAL, 128, 4,
	 "l1d.mshr=64 l1d.miss_queue=2 noc.in_buffer=1 gpu.clock_noc=100", CC_BLOCKED, true},
	{"stores, a slow port", "STG.E", "R2 R4", false, 16, 24, GLOBAL, 128, 4,
	 "l1d.miss_queue=2 noc.in_buffer=1 gpu.clock_noc=100", CC_BLOCKED, true},
	{"past L1, a slow port", "LDG.E.STRONG.GPU", "R2", false, 8, 8, GLOBAL, 4096, 128,
	 "noc.in_buffer=1 gpu.clock_noc=100", CC_BLOCKED, true},
	{"branches among loads that hold every collector", "LDG.E", "R2", true, 8, 24, GLOBAL, 128,
	 4, "l1d.mshr=2 core.collectors_mem=1 core.collectors_gen=1", CC_BLOCKED, true},
	{"one load after the other", "LDG.E", "R4", false, 1, 24, GLOBAL, 128, 4, "", CC_MEMORY,
	 false},
	{"conflicts in shared memory", "LDS", "R2", false, 8, 24, SHARED, 0, 128, "", CC_STALL,
	 false},
	{"a busy pipe", "MUFU.RCP", "R2", false, 8, 24, 0, 0, 0, "core.simt_width=32", CC_STALL,
	 false},
	{"a chain", "FFMA", "R4 R8 R9", false, 1, 100, 0, 0, 0, "core.simt_width=32", CC_DEPENDENCE,
	 false},
};

static struct trace *
make(unsigned k)
{
	struct tb *t = tb_new();
	bool chain = strstr(row[k].src, "R4") && strcmp(row[k].op, "STG.E");
	uint32_t inst[16], bra, ex;
	struct err e = {0};
	struct trace *out;

	tb_kernel(t, row[k].name, 1, row[k].warps * WARP_SIZE, 32, 0, 70);
	for (unsigned i = 0; i < 16; i++) {
		char dst[8];

		snprintf(dst, sizeof(dst), "R%u", chain ? 4 : 10 + i);
		inst[i] = tb_inst(t, 32 * (i % 2), row[k].op, strcmp(row[k].op, "STG.E") ? dst : "",
				  row[k].src);
	}
	bra = tb_inst(t, 0x10, "BRA", "", "");
	ex = tb_inst(t, 0x40, "EXIT", "", "");
	for (unsigned w = 0; w < row[k].warps; w++) {
		for (unsigned i = 0; i < row[k].n; i++) {
			tb_emit(t, 0, w, inst[i % 16], ~0u, row[k].base ? ADDR_STRIDE : ADDR_NONE,
				row[k].base + (w * row[k].n + i) * row[k].step, row[k].stride);
			if (row[k].branch)
				tb_emit(t, 0, w, bra, ~0u, ADDR_NONE, 0, 0);
		}
		tb_emit(t, 0, w, ex, ~0u, ADDR_NONE, 0, 0);
	}
	out = tb_finish(t, &e);
	if (!out)
		model_die(row[k].name, &e);
	return out;
}

static void
set_options(struct config *c, const char *options)
{
	char text[128], *save, *key;

	snprintf(text, sizeof(text), "%s", options);
	for (key = strtok_r(text, " ", &save); key; key = strtok_r(NULL, " ", &save)) {
		char *value = strchr(key, '=');

		*value++ = '\0';
		model_set(c, key, value);
	}
}

static void
check(unsigned k, const char *machine)
{
	struct config *c = model_config(machine, "rr");
	struct trace *t = make(k);
	struct sim *s;
	const struct core_stat *st;
	uint64_t sum = 0, most = 0;

	model_set(c, "gpu.clusters", "2");
	model_set(c, "gpu.cores_per_cluster", "1");
	set_options(c, row[k].options);
	s = model_sim(c, t);
	ok(model_run(s), "%s on %s: ends", row[k].name, machine);
	st = core_stat(s->core[0].core)->occupied ? core_stat(s->core[0].core)
						  : core_stat(s->core[1].core);
	for (unsigned i = 0; i < CC_CLASSES; i++) {
		sum += st->cls[i];
		if (i != CC_ACTIVE && i != CC_IDLE)
			most = MAX(most, st->cls[i]);
	}
	is_u64(sum, sim_cycle(s), "%s on %s: every cycle is of one class", row[k].name, machine);
	is_u64(st->cls[row[k].most], most, "%s on %s: mostly %s", row[k].name, machine,
	       cycle_class_names[row[k].most]);
	ok(row[k].blocked == (st->cls[CC_BLOCKED] > 0),
	   "%s on %s: %" PRIu64 " cycles blocked, %" PRIu64 " stall", row[k].name, machine,
	   st->cls[CC_BLOCKED], st->cls[CC_STALL]);
	is_u64(st->c_mem, st->cls[CC_MEMORY] + st->cls[CC_BLOCKED],
	       "%s on %s: C_mem is memory and blocked", row[k].name, machine);
	ok(st->c_idle < st->cls[CC_IDLE], "%s on %s: a fetch is idle, and not C_idle", row[k].name,
	   machine);
	st = st == core_stat(s->core[0].core) ? core_stat(s->core[1].core)
					      : core_stat(s->core[0].core);
	ok(st->c_idle == sim_cycle(s) && st->cls[CC_IDLE] == sim_cycle(s),
	   "%s on %s: the core without a CTA is idle, and all of it C_idle", row[k].name, machine);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	for (unsigned k = 0; k < ARRAY_LEN(row); k++) {
		check(k, "kayiran30");
		check(k, "gtx480");
	}
	return done();
}
