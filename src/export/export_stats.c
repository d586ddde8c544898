/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export_stats.c - reports every statistic of a run under a name on which scripts can rely.
 *
 * First come the fixed names of the GPU as a whole, which are paths of the machine, then all of its
 * counters. A name appears once; unknown values are empty. Units are those of src/sim/view.def.
 */
#include "export/export_part.h"

#include <math.h>
#include <string.h>

static const char *const fixed_names[] = {
	"gpu.cycles",
	"gpu.thread_insts",
	"gpu.warp_insts",
	"gpu.ipc",
	"gpu.ract",
	"gpu.util",
	"gpu.lat_rt",
	"gpu.ctas_issued",
	"gpu.ctas_done",
	"gpu.idle_cycles",
	"l1.accesses",
	"l1.misses",
	"l2.accesses",
	"l2.misses",
	"dram.reads",
	"dram.writes",
	"power.avg",
	"power.energy",
	"power.edp",
	"power.static",
	"power.dynamic",
	"power.efficiency",
	"power.core_rel",
	"power.core_rel_pcpg",
	"power.insts_per_watt",
	"power.insts_per_watt_pcpg",
	"gpu.mean_n",
	"gpu.mean_ctas",
	"gpu.amat",
	"gpu.amat_overlapped",
	"gpu.scoreboard_conflicts",
};

int
export_resolve(void *sim, const char *name, uint64_t *id, struct err *e)
{
	return sim_path(sim, name, id, e);
}

double
export_get(void *sim, uint64_t id, unsigned element)
{
	return sim_value(sim, id, element);
}

static bool
is_fixed(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(fixed_names); i++)
		if (strcmp(fixed_names[i], name) == 0)
			return true;
	return false;
}

/* The row of a path without an index; NULL: none. */
static const struct view_row *
row_of(const char *path)
{
	char name[128];

	for (unsigned i = 0; i < n_view_rows; i++) {
		const char *group = view_rows[i].group;

		if (strcmp(group, "l2") == 0)
			continue; /* those of one slice; l2.misses is in group l2sum */
		snprintf(name, sizeof(name), "%s.%s", strcmp(group, "l2sum") ? group : "l2",
			 view_rows[i].field);
		if (strcmp(name, path) == 0)
			return &view_rows[i];
	}
	return NULL;
}

static const char *
unit_of(const char *path)
{
	const struct view_row *r = row_of(path);

	return r ? r->unit : "";
}

bool
export_stat_is_count(const char *name)
{
	const struct view_row *r = is_fixed(name) ? row_of(name) : NULL;

	return is_fixed(name) ? r && r->counter : strcmp(name, "sim.cycles_per_second") != 0;
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
	double wall = sim_wall_seconds(s);
	uint64_t id;

	for (unsigned i = 0; i < ARRAY_LEN(fixed_names); i++)
		if (sim_path(s, fixed_names[i], &id, NULL) == 1)
			fn(ctx, fixed_names[i], sim_value(s, id, 0), unit_of(fixed_names[i]));
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
