/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export_now.c - writes the tables of time series, and those of the present state: cores, warps,
 * source lines and gauges.
 */
#include "export/export_part.h"
#include "source/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char *const first_columns[] = {"run", "cycle", "kernel"};

static void
begin_header(struct csv_out *o)
{
	for (unsigned i = 0; i < ARRAY_LEN(first_columns); i++)
		csv_text(o, first_columns[i]);
}

/* A series of cores or channels: one row per instance and sample. */
struct series_table {
	const char *what;   /* "core" */
	const char *prefix; /* prefix of the GPU's own series, repeated on every row; NULL: none */
	unsigned n;
	const struct series_row *field;
	unsigned n_fields, n_first; /* the fields after n_first come after the GPU's */
	double (*value)(const struct sim *s, unsigned field, unsigned k, unsigned i);
};

static double
core_value(const struct sim *s, unsigned field, unsigned core, unsigned i)
{
	return series_core(s, (enum series_core_field)field, core, i);
}

static double
mem_value(const struct sim *s, unsigned field, unsigned channel, unsigned i)
{
	return series_mem(s, (enum series_mem_field)field, channel, i);
}

/* Columns never move, because scripts may count them: rows added to series.def later come after
 * these. */
enum { CORE_FIRST = SC_NOC_IN + 1, GPU_FIRST = SG_POWER + 1 };

static void
write_gpu_column(const struct series_table *t, struct csv_out *o, unsigned f)
{
	char name[64];

	snprintf(name, sizeof(name), "%s%s", t->prefix, series_gpu_rows[f].name);
	csv_column(o, name, series_gpu_rows[f].unit);
}

static void
write_series_header(const struct series_table *t, struct csv_out *o)
{
	begin_header(o);
	csv_text(o, "span_cycles");
	csv_text(o, t->what);
	for (unsigned f = 0; f < t->n_first; f++)
		csv_column(o, t->field[f].name, t->field[f].unit);
	for (unsigned f = 0; t->prefix && f < GPU_FIRST; f++)
		write_gpu_column(t, o, f);
	for (unsigned f = t->n_first; f < t->n_fields; f++)
		csv_column(o, t->field[f].name, t->field[f].unit);
	for (unsigned f = GPU_FIRST; t->prefix && f < SG_FIELDS; f++)
		write_gpu_column(t, o, f);
	csv_end(o);
}

/* Formats some of the GPU's values of sample i, which are the same on all of its rows. */
static size_t
format_gpu_cells(const struct export_job *j, struct csv_out *o, unsigned i, unsigned first,
		 unsigned end, char *cells)
{
	char *to = cells;

	for (unsigned f = first; f < end; f++) {
		if (f > first)
			*to++ = ',';
		to = csv_put_num(o, to, series_gpu(j->sim, (enum series_gpu_field)f, i));
	}
	return (size_t)(to - cells);
}

static void
write_series(const struct export_job *j, struct csv_out *o, const struct series_table *t)
{
	char gpu[2][SG_FIELDS * (DIGITS_MAX + 1)];

	write_series_header(t, o);
	for (unsigned i = 0; i < series_count(j->sim) && !o->closed; i++) {
		size_t n_gpu[2] = {0};

		if (t->prefix) {
			n_gpu[0] = format_gpu_cells(j, o, i, 0, GPU_FIRST, gpu[0]);
			n_gpu[1] = format_gpu_cells(j, o, i, GPU_FIRST, SG_FIELDS, gpu[1]);
		}

		if (!csv_wanted(j, series_end(j->sim, i)))
			continue;
		for (unsigned k = 0; k < t->n; k++) {
			csv_begin(o, j, series_end(j->sim, i), series_kernel(j->sim, i) + 1);
			csv_u64(o, series_span(j->sim, i));
			csv_u64(o, k);
			for (unsigned f = 0; f < t->n_first; f++)
				csv_num(o, t->value(j->sim, f, k, i));
			if (t->prefix)
				csv_cells(o, gpu[0], n_gpu[0]);
			for (unsigned f = t->n_first; f < t->n_fields; f++)
				csv_num(o, t->value(j->sim, f, k, i));
			if (t->prefix)
				csv_cells(o, gpu[1], n_gpu[1]);
			csv_end(o);
		}
	}
}

void
export_series(const struct export_job *j, struct csv_out *o)
{
	write_series(j, o,
		     &(struct series_table){.what = "core",
					    .prefix = "gpu_",
					    .n = sim_instances(j->sim, "core"),
					    .field = series_core_rows,
					    .n_fields = SC_FIELDS,
					    .n_first = CORE_FIRST,
					    .value = core_value});
}

void
export_mem(const struct export_job *j, struct csv_out *o)
{
	write_series(j, o,
		     &(struct series_table){.what = "channel",
					    .n = sim_channels(j->sim),
					    .field = series_mem_rows,
					    .n_fields = SM_FIELDS,
					    .n_first = SM_FIELDS,
					    .value = mem_value});
}

static void
write_core_row(const struct export_job *j, struct csv_out *o, unsigned core)
{
	struct core_view v;

	sim_core_view(j->sim, core, &v);
	csv_begin(o, j, sim_cycle(j->sim), v.kernel);
	csv_u64(o, v.core);
	csv_u64(o, v.cluster);
	csv_text(o, core_state_names[v.state]);
	csv_u64(o, v.n_max);
	csv_u64(o, v.limit);
	csv_u64(o, v.resident);
	csv_u64(o, v.running);
	csv_u64(o, v.paused);
	csv_u64(o, v.warps);
	csv_u64(o, v.warps_ready);
	csv_u64(o, v.warps_memory);
	csv_u64(o, v.warps_dependence);
	csv_u64(o, v.warps_barrier);
	csv_u64(o, v.warps_unfetched);
	for (unsigned i = 0; i < CC_CLASSES; i++)
		csv_u64(o, v.class_cycles[i]);
	csv_num(o, v.ract);
	csv_u64(o, v.period_c_mem);
	csv_u64(o, v.period_c_idle);
	csv_u64(o, v.warp_insts);
	csv_u64(o, v.thread_insts);
	csv_u64(o, v.mshr_used);
	if (v.has_credits)
		csv_i64(o, v.credits_local);
	else
		csv_none(o);
	csv_end(o);
}

void
export_cores(const struct export_job *j, struct csv_out *o)
{
	static const char *const columns[] = {"core",	       "cluster",	 "state",
					      "n_max_ctas",    "limit_ctas",	 "resident_ctas",
					      "running_ctas",  "paused_ctas",	 "warps",
					      "warps_ready",   "warps_memory",	 "warps_dependence",
					      "warps_barrier", "warps_unfetched"};
	static const char *const rest[] = {"ract_ratio",	   "period_c_mem_cycles",
					   "period_c_idle_cycles", "warp_instructions",
					   "thread_instructions",  "mshr_entries",
					   "credits_local"};

	begin_header(o);
	for (unsigned i = 0; i < ARRAY_LEN(columns); i++)
		csv_text(o, columns[i]);
	for (unsigned i = 0; i < CC_CLASSES; i++)
		csv_column(o, cycle_class_names[i], "cycles");
	csv_header(o, rest, ARRAY_LEN(rest));
	for (unsigned c = 0; c < sim_instances(j->sim, "core"); c++)
		write_core_row(j, o, c);
}

void
export_warps(const struct export_job *j, struct csv_out *o)
{
	static const char *const columns[] = {"core",
					      "warp",
					      "cta",
					      "warp_in_cta",
					      "status",
					      "paused",
					      "issued_instructions",
					      "all_instructions",
					      "next_pc",
					      "next",
					      "active_lanes"};

	begin_header(o);
	csv_header(o, columns, ARRAY_LEN(columns));
	for (unsigned c = 0; c < sim_instances(j->sim, "core"); c++) {
		for (unsigned w = 0; w < sim_warps(j->sim); w++) {
			struct warp_view v;

			sim_warp_view(j->sim, c, w, &v);
			if (v.status == WARP_FREE)
				continue;
			csv_begin(o, j, sim_cycle(j->sim), v.kernel + 1);
			csv_u64(o, c);
			csv_u64(o, w);
			csv_u64(o, v.cta);
			csv_u64(o, v.warp_in_cta);
			csv_text(o, warp_status_names[v.status]);
			csv_u64(o, v.paused);
			csv_u64(o, v.done);
			csv_u64(o, v.total);
			if (v.next)
				csv_u64(o, v.next->pc);
			else
				csv_none(o);
			csv_text(o, v.next && v.next->text ? v.next->text : "");
			csv_u64(o, (unsigned)__builtin_popcount(v.mask));
			csv_end(o);
		}
	}
}

void
export_lines(const struct export_job *j, struct csv_out *o)
{
	static const char *const columns[] = {"file",
					      "line",
					      "pc",
					      "instruction",
					      "warps",
					      "issued_instructions",
					      "active_lanes",
					      "l1_accesses",
					      "l1_misses",
					      "warp_cycles",
					      "paused_warp_cycles"};
	unsigned started = sim_kernel_shown(j->sim), n = 0;
	const struct trace_kernel *k = started ? sim_kernel(j->sim, started - 1) : NULL;
	struct line_stat *l = NULL;
	struct err e;

	begin_header(o);
	for (unsigned i = 0; i < ARRAY_LEN(columns); i++)
		csv_text(o, columns[i]);
	for (unsigned i = WARP_READY; i < WARP_STATUSES; i++) {
		char name[48];

		snprintf(name, sizeof(name), "%s_warp_cycles", warp_status_names[i]);
		for (char *p = name; *p; p++)
			*p = *p == ' ' ? '_' : *p;
		csv_text(o, name);
	}
	csv_end(o);
	if (k)
		l = lines_read(j->sim, (uint32_t)(k - sim_trace(j->sim)->kernel), 0,
			       sim_instances(j->sim, "core"), &n, &e);
	for (unsigned i = 0; i < n; i++) {
		const struct inst *in = &k->inst[l[i].inst];

		csv_begin(o, j, sim_cycle(j->sim), started);
		csv_text(o, l[i].line ? source_file(k, l[i].file) : "");
		if (l[i].line)
			csv_u64(o, l[i].line);
		else
			csv_none(o);
		csv_u64(o, in->pc);
		csv_text(o, in->text ? in->text : "");
		csv_u64(o, l[i].warps);
		csv_u64(o, l[i].issued);
		csv_num(o, l[i].lanes);
		csv_u64(o, l[i].l1_accesses);
		csv_u64(o, l[i].l1_misses);
		csv_u64(o, l[i].all);
		csv_u64(o, l[i].paused);
		for (unsigned w = WARP_READY; w < WARP_STATUSES; w++)
			csv_u64(o, l[i].waits[w]);
		csv_end(o);
	}
	free(l);
}

static void
write_gauge_row(const struct export_job *j, struct csv_out *o, unsigned i, unsigned core)
{
	struct gauge_view v;

	sim_gauge_view(j->sim, i, core, &v);
	csv_begin(o, j, sim_cycle(j->sim), v.kernel);
	csv_text(o, v.policy->name);
	csv_text(o, v.gauge->name);
	csv_text(o, v.gauge->unit);
	if (v.gauge->per_core)
		csv_u64(o, core);
	else
		csv_none(o);
	csv_num(o, v.now.value);
	csv_num(o, v.now.low);
	csv_num(o, v.now.high);
	if (v.last_end == CYCLE_NEVER)
		csv_none(o);
	else
		csv_u64(o, v.last_end);
	csv_num(o, v.last.value);
	csv_num(o, v.last.low);
	csv_num(o, v.last.high);
	csv_end(o);
}

void
export_gauges(const struct export_job *j, struct csv_out *o)
{
	static const char *const columns[] = {"policy", "gauge",    "unit",	"core",
					      "value",	"low",	    "high",	"last_end_cycle",
					      "last",	"last_low", "last_high"};
	unsigned cores = sim_instances(j->sim, "core");

	begin_header(o);
	for (unsigned i = 0; i < ARRAY_LEN(columns); i++)
		csv_text(o, columns[i]);
	csv_end(o);
	for (unsigned i = 0; i < sim_gauges(j->sim); i++) {
		struct gauge_view v;

		sim_gauge_view(j->sim, i, 0, &v);
		for (unsigned c = 0; c < (v.gauge->per_core ? cores : 1); c++)
			write_gauge_row(j, o, i, c);
	}
}
