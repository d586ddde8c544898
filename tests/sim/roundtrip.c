/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * roundtrip.c - gpu.round_trip, a sum of parameters, against the measured latency of a load without
 * contention: one warp, each load waits for the one before, every line is new, its row closed or
 * another.
 *
 * Between two clocks a fraction of a period is lost, and an open row costs a precharge first: the
 * measured mean may be longer by these, but never much shorter. In a mesh the warp's core is in a
 * corner, further from the slices than the average core.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

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
	ok(got > want * 0.96 && got < want * (strstr(machine, "mesh") ? 1.25 : 1.10),
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
