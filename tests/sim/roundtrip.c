/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * roundtrip.c - gpu.round_trip, a sum of parameters, against the measured latency of a load without
 * contention: one warp, each load waits for the one before, every line is new, its row closed or
 * another.
 *
 * Between two clocks a fraction of a period is lost, and an open row costs a precharge first: the
 * measured mean may be longer by these, but never much shorter. In a mesh the warp's core is in a
 * corner, further from the slices than the average core.
 * The simple network has one stage, which a packet passes at its next tick: gpu.round_trip counts a
 * period each way, and a slow network takes half of that on average, or less when the loads fall
 * into step with it.
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
compare_set(const char *machine, const char *key, const char *value)
{
	struct config *c = model_config(machine, "rr");
	struct trace *t = chase();
	struct err e = {0};
	struct sim *s;
	double want, got;

	if (key && opt_set(config_db(c), key, value, &e) < 0)
		model_die(machine, &e);
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

static void
compare(const char *machine, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	compare_set(machine, key, text);
}

/* Flits and sectors that the replies to the same loads and fetches carry. */
static void
count_replies(const char *machine, const char *reply, double *flits, double *sectors)
{
	struct config *c = model_config(machine, "rr");
	struct trace *t = chase();
	struct err e = {0};
	struct sim *s;

	if (opt_set(config_db(c), "noc.reply", reply, &e) < 0)
		model_die(machine, &e);
	s = model_sim(c, t);
	if (sim_run(s, CYCLE_NEVER, &e) != SIM_DONE)
		model_die(machine, &e);
	*flits = model_value(s, "noc.reply_flits");
	*sectors = model_value(s, "noc.replies");
	sim_free(s);
	trace_close(t);
	config_free(c);
}

/* A line and its header of 8 bytes take `line` flits as one packet, and `apart` flits as a packet
 * for each sector. All replies of this trace are whole lines. */
static void
compare_replies(const char *machine, unsigned apart, unsigned line)
{
	double flits[2], sectors[2];

	count_replies(machine, "sector", &flits[0], &sectors[0]);
	count_replies(machine, "line", &flits[1], &sectors[1]);
	ok(sectors[0] == sectors[1] && flits[0] * line == flits[1] * apart,
	   "%s: %.0f sectors come in %.0f flits, in %.0f with noc.reply line, %u for %u", machine,
	   sectors[0], flits[0], flits[1], line, apart);
}

int
main(void)
{
	compare_replies("kayiran30", 2 * 3, 5); /* (8 + 32) / 16 and (8 + 64) / 16 */
	compare_replies("tcs28", 4 * 2, 5);	/* (8 + 32) / 32 and (8 + 128) / 32 */
	compare_set("kayiran30", "noc.reply", "line");
	compare_set("mesh56", "noc.reply", "line");
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
