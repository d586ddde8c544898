/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * roundtrip.c - gpu.round_trip, a sum of parameters, against what a load takes that is alone in the
 * machine: one warp, each load waits for the one before, every line new, its row closed or another.
 *
 * Where two clocks meet a fraction of a period is lost, and a row that is open costs a precharge
 * first: the measured mean may be longer by those, never much shorter. In a mesh the warp's core is
 * in a corner, further from the slices than the mean core. The simple network has one stage, which
 * a packet passes at its next tick: gpu.round_trip counts a period each way, and a slow network
 * takes half of that on average, or less when the loads fall into step with it.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"
#include <stdlib.h>
#include <string.h>

#define LOADS 60

static struct trace *
chase(void)
{
	struct tb *b = tb_new();
	struct err e = {0};
	struct trace *t;

	tb_kernel(b, "chase", 1, WARP_SIZE, 16, 0, 70);
	for (unsigned i = 0; i < LOADS; i++)
		tb_emit(b, 0, 0, tb_inst(b, 16 * (i % 2), "LD.E", "R2", "R2"), 1u, ADDR_STRIDE,
			UINT64_C(0x40000000) + i * UINT64_C(0x313100), 0);
	tb_emit(b, 0, 0, tb_inst(b, 0x30, "EXIT", "", ""), ~0u, ADDR_NONE, 0, 0);
	t = tb_finish(b, &e);
	if (!t)
		model_die("chase", &e);
	return t;
}

/* Core cycles that the simple network may take less than a period each way. */
static double
half_periods(struct config *c)
{
	char type[16], core[32], noc[32];

	opt_get(config_db(c), "noc.type", type, sizeof(type), NULL);
	opt_get(config_db(c), "gpu.clock_core", core, sizeof(core), NULL);
	opt_get(config_db(c), "gpu.clock_noc", noc, sizeof(noc), NULL);
	return strcmp(type, "simple") == 0 ? atof(core) / atof(noc) - 1 : 0;
}

static void
compare(const char *machine, const char *key, uint64_t value)
{
	struct config *c = model_config(machine, "rr");
	struct trace *t = chase();
	struct err e = {0};
	struct sim *s;
	double want, got;

	if (key)
		model_set_u(c, key, value);
	s = model_sim(c, t);
	if (sim_run(s, CYCLE_NEVER, &e) != SIM_DONE)
		model_die(machine, &e);
	want = model_value(s, "gpu.round_trip");
	got = model_value(s, "gpu.amat");
	ok(got > want * 0.97 - half_periods(c) &&
		   got < want * (strstr(machine, "mesh") ? 1.25 : 1.10),
	   "%s%s%s: a lone miss takes %.1f cycles, gpu.round_trip says %.0f", machine,
	   key ? ", " : "", key ? key : "", got, want);
	sim_free(s);
	trace_close(t);
	config_free(c);
}

int
main(void)
{
	for (unsigned i = 0; i < N_MODEL_MACHINES; i++) {
		compare(model_machines[i], NULL, 0);
		compare(model_machines[i], "mem.rop_latency", 10);
		compare(model_machines[i], "mem.dram_latency", 500);
		compare(model_machines[i], "mem.tRCD", 40);
		compare(model_machines[i], "gpu.clock_dram", 300);
		compare(model_machines[i], "gpu.clock_noc", 200);
	}
	compare("kayiran30", "noc.routing_delay", 12);
	compare("kayiran30", "noc.channel_latency", 10);
	done();
}
