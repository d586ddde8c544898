/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export_stats.c - reports every statistic of a run under a name on which scripts can rely.
 *
 * First come the fixed names of the GPU as a whole: read from the machine's path of that name, or
 * summed over its instances where the machine keeps one per instance (l1.*.misses for l1.misses).
 * Then come all counters of the machine. A name appears once; unknown values are empty.
 */
#include "export/export_part.h"

#include <math.h>
#include <string.h>

struct fixed {
	const char *name, *unit;
	const char *path[3]; /* the first one that the machine knows; a vector is summed */
};

static const struct fixed fixed_names[] = {
	{"gpu.cycles", "cycles", {"gpu.cycles"}},
	{"gpu.thread_insts", "instructions", {"gpu.thread_insts"}},
	{"gpu.warp_insts", "instructions", {"gpu.warp_insts"}},
	{"gpu.ipc", "thread instructions/cycle", {"gpu.ipc"}},
	{"gpu.ract", "ratio", {"gpu.ract"}},
	{"gpu.util", "ratio", {"gpu.util"}},
	{"gpu.lat_rt", "cycles", {"gpu.lat_rt"}},
	{"gpu.ctas_issued", "CTAs", {"gpu.ctas_issued"}},
	{"gpu.ctas_done", "CTAs", {"gpu.ctas_done"}},
	{"gpu.idle_cycles", "cycles", {"gpu.idle_cycles"}},
	{"l1.accesses", "accesses", {"l1.accesses", "l1.*.accesses", "core.*.l1_accesses"}},
	{"l1.misses", "accesses", {"l1.misses", "l1.*.misses", "core.*.l1_misses"}},
	{"l2.accesses", "accesses", {"l2.accesses", "l2.*.accesses"}},
	{"l2.misses", "accesses", {"l2.misses", "l2.*.misses"}},
	{"dram.reads", "commands", {"dram.reads", "mem.*.reads", "dram.*.reads"}},
	{"dram.writes", "commands", {"dram.writes", "mem.*.writes", "dram.*.writes"}},
	{"power.avg", "W", {"power.avg"}},
	{"power.energy", "J", {"power.energy"}},
	{"power.edp", "J s", {"power.edp"}},
	{"power.static", "W", {"power.static"}},
	{"power.dynamic", "W", {"power.dynamic"}},
	{"power.efficiency", "thread instructions/J", {"power.efficiency"}},
	{"power.core_rel", "ratio", {"power.core_rel"}},
	{"power.core_rel_pcpg", "ratio", {"power.core_rel_pcpg"}},
	{"power.insts_per_watt", "thread instructions/cycle", {"power.insts_per_watt"}},
	{"power.insts_per_watt_pcpg", "thread instructions/cycle", {"power.insts_per_watt_pcpg"}},
	{"gpu.mean_n", "CTAs", {"gpu.mean_n"}},
	{"gpu.mean_ctas", "CTAs", {"gpu.mean_ctas"}},
	{"gpu.amat", "cycles", {"gpu.amat"}},
	{"gpu.amat_overlapped", "cycles", {"gpu.amat_overlapped"}},
	{"gpu.scoreboard_conflicts", "core cycles", {"gpu.scoreboard_conflicts"}},
};

static bool
read_fixed_value(const struct sim *s, const struct fixed *f, double *out)
{
	for (unsigned i = 0; i < ARRAY_LEN(f->path) && f->path[i]; i++) {
		uint64_t id;
		int n = sim_path(s, f->path[i], &id, NULL);

		if (n < 1)
			continue;
		*out = 0;
		for (int k = 0; k < n; k++)
			*out += sim_value(s, id, (unsigned)k);
		return true;
	}
	return false;
}

/* Ids of fixed names have this bit, ids of the machine do not. */
#define FIXED_ID (UINT64_C(1) << 63)

int
export_resolve(void *sim, const char *name, uint64_t *id, struct err *e)
{
	double value;

	for (unsigned i = 0; i < ARRAY_LEN(fixed_names); i++)
		if (strcmp(fixed_names[i].name, name) == 0 &&
		    read_fixed_value(sim, &fixed_names[i], &value)) {
			*id = FIXED_ID | i;
			return 1;
		}
	return sim_path(sim, name, id, e);
}

double
export_get(void *sim, uint64_t id, unsigned element)
{
	double value = NAN;

	if (!(id & FIXED_ID))
		return sim_value(sim, id, element);
	read_fixed_value(sim, &fixed_names[id & ~FIXED_ID], &value);
	return value;
}

static bool
is_fixed(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(fixed_names); i++)
		if (strcmp(fixed_names[i].name, name) == 0)
			return true;
	return false;
}

static void
report_counters(const struct sim *s, const struct view_row *r,
		void (*fn)(void *ctx, const char *name, double value, const char *unit), void *ctx)
{
	unsigned n = sim_instances(s, r->group), cores = sim_instances(s, "core");
	char name[128];
	uint64_t id;

	if (strcmp(r->group, "sub") ==
	    0) { /* the core's counters equal those of an only scheduler */
		for (unsigned i = 0; n > 1 && i < n * cores; i++) {
			snprintf(name, sizeof(name), "core.%u.sub.%u.%s", i / n, i % n, r->field);
			if (sim_path(s, name, &id, NULL) == 1)
				fn(ctx, name, sim_value(s, id, 0), r->unit);
		}
		return;
	}
	if (strcmp(r->group, "kernels") ==
	    0) { /* kernels that ran one after the other have these numbers in their events */
		for (unsigned k = 1; sim_runs_together(s) && k <= sim_kernels_started(s); k++) {
			snprintf(name, sizeof(name), "kernel.%u.%s", k, r->field);
			if (sim_path(s, name, &id, NULL) == 1)
				fn(ctx, name, sim_value(s, id, 0), r->unit);
		}
		return;
	}
	snprintf(name, sizeof(name), "%s.%s", r->group, r->field);
	if (sim_path(s, name, &id, NULL) == 1) {
		if (!is_fixed(name))
			fn(ctx, name, sim_value(s, id, 0), r->unit);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%s.%u.%s", r->group, i, r->field);
		if (sim_path(s, name, &id, NULL) == 1)
			fn(ctx, name, sim_value(s, id, 0), r->unit);
	}
}

void
export_each_stat(const struct sim *s,
		 void (*fn)(void *ctx, const char *name, double value, const char *unit), void *ctx)
{
	double wall = sim_wall_seconds(s), value;

	for (unsigned i = 0; i < ARRAY_LEN(fixed_names); i++)
		if (read_fixed_value(s, &fixed_names[i], &value))
			fn(ctx, fixed_names[i].name, value, fixed_names[i].unit);
	fn(ctx, "sim.cycles_per_second", wall > 0 ? (double)sim_cycle(s) / wall : NAN,
	   "cycles/second");
	for (unsigned i = 0; i < n_view_rows; i++)
		if (view_rows[i].counter)
			report_counters(s, &view_rows[i], fn, ctx);
}

static void
write_stat_row(void *ctx, const char *name, double value, const char *unit)
{
	struct csv_out *o = ctx;

	csv_text(o, name);
	csv_num(o, value);
	csv_text(o, unit);
	csv_end(o);
}

void
export_stats(const struct export_job *j, struct csv_out *o)
{
	static const char *const columns[] = {"name", "value", "unit"};

	csv_header(o, columns, ARRAY_LEN(columns));
	export_each_stat(j->sim, write_stat_row, o);
}
