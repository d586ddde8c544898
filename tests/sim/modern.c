/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * modern.c - the machines from Volta on against the reference simulator, cycle by cycle.
 *
 * tests/reference/micro.csv has kernels of a few instructions that show one rule each, without
 * launch latency; where a row names options, the reference ran with the same features changed (one
 * rule less at a time, down to an L1 and an L2 like those of gtx480). modern.csv has kernels and
 * applications on the unchanged machines. Both are of qv100 and rtx3070. own.csv has the same
 * traces on titanv and rtx2060, and seven that fill the queues of writes (micro/wq-*). We measured
 * it in November 2026: the same version of the reference (October 2024), its tested configurations
 * SM7_TITANV and SM75_RTX2060 with their trace options, unchanged but for the launch latency where
 * a row sets it. Its rows of kay30 and gtx480 are of 8 lanes: the reference ran with an interval of
 * 4 cycles for SP and integer instructions (ctascope-model(7) 5.7). Traces that the project does
 * not have are skipped.
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

struct row {
	char machine[16], trace[48], options[256];
	uint64_t cycles;
};

static FILE *
open_table(const char *name)
{
	const char *src = getenv("srcdir");
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/reference/%s", src ? src : ".", name);
	f = fopen(path, "r");
	if (!f)
		model_die(path, NULL);
	return f;
}

static void
compare(struct row *r, struct trace *t)
{
	struct config *c = model_config(r->machine, "rr");
	char options[256], *save, *key;
	struct sim *s;

	snprintf(options, sizeof(options), "%s", r->options);
	for (key = strtok_r(options, " ", &save); key; key = strtok_r(NULL, " ", &save)) {
		char *value = strchr(key, '=');

		*value++ = '\0';
		model_set(c, key, value);
	}
	s = model_sim(c, t);
	is_u64(model_run(s), r->cycles, "%s on %s%s%s", r->trace, r->machine,
	       r->options[0] ? ", " : "", r->options);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* Columns: machine, trace, options, cycles. */
static unsigned
rows_with_options(const char *table, const char *folder, const char *latency)
{
	FILE *f = open_table(table);
	char line[512], path[4096];
	unsigned n = 0;

	while (fgets(line, sizeof(line), f)) {
		char *p = line, *field[4];
		struct row r = {.cycles = 0};

		for (unsigned k = 0; k < 4; k++)
			field[k] = strsep(&p, ",\n");
		if (!strcmp(field[0], "machine") || (model_fast() && n++ % 4))
			continue;
		snprintf(r.machine, sizeof(r.machine), "%s", field[0]);
		snprintf(r.trace, sizeof(r.trace), "%s%s", folder, field[1]);
		snprintf(r.options, sizeof(r.options), "%s%s", latency, field[2]);
		if (strstr(field[2], "launch_latency"))
			snprintf(r.options, sizeof(r.options), "%s", field[2]);
		r.cycles = strtoull(field[3], NULL, 10);
		if (model_reference_path(r.trace, path, sizeof(path)))
			compare(&r, model_open(path));
		else
			ok(true, "%s on %s # SKIP the trace is not here", r.trace, r.machine);
		n += !model_fast();
	}
	fclose(f);
	return n;
}

static unsigned
whole_rows(void)
{
	static struct model_row row[64];
	unsigned n = model_rows_of("modern.csv", row, 64);
	char path[4096];

	for (unsigned i = 0; i < n; i += model_fast() ? 8 : 1) {
		struct row r = {.cycles = row[i].cycles};

		snprintf(r.trace, sizeof(r.trace), "%.47s", row[i].trace);
		snprintf(r.machine, sizeof(r.machine), "%.15s", row[i].machine);
		if (model_reference_path(r.trace, path, sizeof(path)))
			compare(&r, model_open(path));
		else
			ok(true, "%s on %s # SKIP the trace is not here", r.trace, r.machine);
	}
	return n;
}

/* Warps of the four sub-cores add up to those of the core, of 80 cores; CTAs that fit. */
static void
views(void)
{
	static const char *const field[] = {"warps", "ready", "memory", "barrier", "issued"};
	static const char *const whole[] = {"warps", "warps_ready", "warps_memory", "warps_barrier",
					    "warp_insts"};
	struct config *c = model_config("qv100", "rr");
	struct trace *t = model_reference("mixed-120x256");
	struct sim *s = model_sim(c, t);
	unsigned bad = 0, some = 0;
	char path[64];
	uint64_t id;
	struct err e = {0};

	is_u64(sim_instances(s, "core"), 80, "cores");
	is_u64((uint64_t)model_value(s, "kernel.n_max"), 2, "a small grid: CTAs on a core");
	sim_run(s, 5500, &e);
	for (unsigned core = 0; core < 80; core++)
		for (unsigned k = 0; k < 5; k++) {
			double sum = 0;

			for (unsigned sub = 0; sub < 4; sub++) {
				snprintf(path, sizeof(path), "core.%u.sub.%u.%s", core, sub,
					 field[k]);
				sum += model_value(s, path);
			}
			snprintf(path, sizeof(path), "core.%u.%s", core, whole[k]);
			bad += sum != model_value(s, path);
			some += sum > 0;
		}
	ok(!bad && some,
	   "values of sub-cores add up to those of their core: %u differ, %u are not 0", bad, some);
	is_u64((uint64_t)sim_path(s, "core.5.sub.*.issued", &id, &e), 4, "a star: all of a core");
	ok(sim_value(s, id, 3) == model_value(s, "core.5.sub.3.issued"), "the last of them");
	is_u64((uint64_t)sim_path(s, "core.*.sub.*.issued", &id, &e), 320, "all of all cores");
	ok(sim_value(s, id, 23) == model_value(s, "core.5.sub.3.issued"), "one core after another");
	ok(model_value(s, "core.5.sub.3.issued") + model_value(s, "core.5.sub.3.stalled") ==
		   model_value(s, "core.5.util") * model_value(s, "gpu.cycles"),
	   "a scheduler has issued or stalled in every cycle with a CTA");
	ok(sim_path(s, "core.5.sub.4.ready", &id, &e) < 0, "there are four");
	is_str(e.msg, "scheduler 4 does not exist, expected 0..3 or *", "as the message says");
	sim_free(s);
	trace_close(t);
	t = model_reference("micro/cta32");
	s = model_sim(c, t);
	is_u64((uint64_t)model_value(s, "kernel.n_max"), 32, "CTAs of two warps on a core");
	sim_free(s);
	config_free(c);
	trace_close(t);
}

/* The load/store unit holds back a core that can have four misses, whatever the class of the
 * instruction that waits before the collectors: these cycles are "blocked", not "stall". */
static void
blocked_by_memory(void)
{
	struct config *c = model_config("qv100", "rr");
	struct trace *t = model_reference("stream-120x256");
	struct err e = {0};
	struct sim *s;
	double blocked, stall;

	model_set(c, "l1d.mshr", "4");
	model_set(c, "gpu.clusters", "8");
	s = model_sim(c, t);
	sim_run(s, 100000, &e);
	blocked = model_value(s, "gpu.blocked_cycles");
	stall = model_value(s, "gpu.stall_cycles");
	ok(blocked > 0.9 * (blocked + stall),
	   "four misses at a time: %.0f cycles blocked, %.0f stalled", blocked, stall);
	sim_free(s);
	config_free(c);
	trace_close(t);
}

int
main(void)
{
	views();
	blocked_by_memory();
	is_u64(rows_with_options("micro.csv", "micro/", "gpu.launch_latency=0 "), 352,
	       "rows of small kernels");
	is_u64(rows_with_options("own.csv", "", ""), 231,
	       "rows of titanv and rtx2060, and of 8 lanes");
	is_u64(whole_rows(), 40, "rows of kernels and applications");
	return done();
}
