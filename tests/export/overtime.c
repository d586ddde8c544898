/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overtime.c - expressions over the time series of the small machine, compared with the series. */
#include "export/export.h"
#include "export/overtime.h"

#include "tests/small/small.h"
#include "tests/tap.h"

#include <math.h>
#include <unistd.h>

static struct overtime *
made(const struct sim *s, const char *text)
{
	struct err e = {0};
	struct overtime *o = overtime_new(s, text, &e);

	ok(o != NULL, "%s is one%s%s", text, e.set ? ": " : "", e.msg);
	return o;
}

static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* Checks a text that is one series of the GPU, core 2 or channel 0. */
static void
number(const struct sim *s, const char *text, enum overtime_group g, unsigned field)
{
	struct overtime_source from = overtime_source_sim(s);
	struct overtime *o = made(s, text);
	enum overtime_group is_g = OVERTIME_GROUPS;
	unsigned k = g == OVERTIME_CORE ? 2 : 0, is_field = 0, bad = 0;

	if (!o)
		return;
	for (unsigned i = 0; i < series_count(s); i++)
		bad += !same(overtime_value(o, i), from.value(s, g, field, k, i));
	is_u64(bad, 0, "%s is the series, in each of %u samples", text, series_count(s));
	is_u64(overtime_size(o), 1, "a number");
	is_str(overtime_unit(o), overtime_row(g, field)->unit, "in its unit");
	ok(overtime_is_series(o, &is_g, &is_field) && is_g == g && is_field == field,
	   "and known as that");
	overtime_free(o);
}

static void
vector(const struct sim *s, const char *text, enum overtime_group g, unsigned field)
{
	struct overtime_source from = overtime_source_sim(s);
	struct overtime *o = made(s, text);
	unsigned bad = 0;

	if (!o)
		return;
	is_u64(overtime_size(o), from.instances[g], "%s has all of them", text);
	for (unsigned i = 0; i < series_count(s); i++) {
		const double *v = overtime_vector(o, i);

		for (unsigned k = 0; k < from.instances[g]; k++)
			bad += !same(v[k], from.value(s, g, field, k, i));
	}
	is_u64(bad, 0, "%s is the series of each", text);
	ok(isnan(overtime_value(o, 0)), "a vector is no number");
	overtime_free(o);
}

static void
names(const struct sim *s)
{
	number(s, "gpu.ipc", OVERTIME_GPU, SG_IPC);
	number(s, " gpu.ctas_running\t", OVERTIME_GPU, SG_CTAS);
	number(s, "GPU.RACT", OVERTIME_GPU, SG_RACT);
	number(s, "gpu_ract_ratio", OVERTIME_GPU, SG_RACT);
	number(s, "core.2.ract", OVERTIME_CORE, SC_RACT);
	number(s, "core.2.ract_ratio", OVERTIME_CORE, SC_RACT);
	number(s, "core.2.C_mem", OVERTIME_CORE, SC_C_MEM);
	number(s, "core.2.lat_rt_cycles", OVERTIME_CORE, SC_LAT_RT);
	number(s, "mem.0.dram_util", OVERTIME_MEM, SM_UTIL);
	number(s, "credits.local.2", OVERTIME_CORE, SC_CREDITS);
	number(s, "credits.global", OVERTIME_GPU, SG_CREDITS);
	vector(s, "core.*.n", OVERTIME_CORE, SC_LIMIT);
	vector(s, "core.ipc", OVERTIME_CORE, SC_IPC);
	vector(s, "ract", OVERTIME_CORE, SC_RACT);
	vector(s, "credits.local.*", OVERTIME_CORE, SC_CREDITS);
	for (enum overtime_group g = 0; g < OVERTIME_GROUPS; g++)
		for (unsigned f = 0; f < overtime_fields(g); f++) {
			char text[80];

			snprintf(text, sizeof(text), "%s.%s%s", overtime_group_names[g],
				 g == OVERTIME_CORE  ? "2."
				 : g == OVERTIME_MEM ? "0."
						     : "",
				 overtime_row(g, f)->name);
			number(s, text, g, f);
		}
}

static void
expressions(const struct sim *s)
{
	struct overtime *o = made(s, "sum(core.*.n)"), *time = made(s, "$cycle - $span");
	enum overtime_group g;
	unsigned field, bad = 0;

	for (unsigned i = 0; i < series_count(s); i++) {
		double n = 0;

		for (unsigned k = 0; k < SMALL_CORES; k++)
			n += series_core(s, SC_LIMIT, k, i);
		bad += overtime_value(o, i) != n;
		bad += overtime_value(time, i) != (i ? (double)series_end(s, i - 1) : 0);
	}
	is_u64(bad, 0, "a sum over cores in each sample, and where it began");
	is_str(overtime_unit(o), "CTAs", "in CTAs");
	is_str(overtime_unit(time), "cycles", "in cycles");
	is_str(overtime_label(o), "sum(core.*.n)", "called by its text");
	ok(!overtime_is_series(o, &g, &field), "which is no series of its own");
	overtime_free(o);
	overtime_free(time);
}

/* Checks the unit of an expression, and that it has one. */
static void
unit(const struct sim *s, const char *text, const char *expected)
{
	struct overtime *o = made(s, text);

	is_str(o ? overtime_unit(o) : "?", expected, "the unit of %s", text);
	overtime_free(o);
}

static void
refused(const struct sim *s, const char *text, const char *why)
{
	struct err e = {0};
	struct overtime *o = overtime_new(s, text, &e);

	ok(!o && strstr(e.msg, why), "'%s' is refused: %s", text, e.msg);
	overtime_free(o);
}

/* ---------------------------------------------------------------- read back */

static char table_path[] = "/tmp/ctascope-overtime.XXXXXX";

static int
add_file(struct overtime_table *t, struct err *e)
{
	struct export_rows r;
	int rc;

	if (export_rows_read(table_path, &r, e) < 0)
		return -1;
	rc = overtime_table_add(t, &r, table_path, e);
	export_rows_free(&r);
	return rc;
}

static void
read_back(struct sim *s)
{
	struct export_job j = {.sim = s, .run = 1, .to = CYCLE_NEVER};
	struct overtime_table *t = overtime_table_new();
	struct overtime_source was = overtime_source_sim(s), is;
	struct err e = {0};
	unsigned bad = 0;

	ok(export_file(&j, "series", table_path, &e) == 0 && add_file(t, &e) == 0,
	   "series are read back");
	ok(export_file(&j, "mem", table_path, &e) == 0 && add_file(t, &e) == 0,
	   "and those of memory");
	is = overtime_table_source(t);
	ok(is.instances[OVERTIME_CORE] == SMALL_CORES &&
		   is.instances[OVERTIME_MEM] == was.instances[OVERTIME_MEM],
	   "of as many cores and channels");
	is_u64(is.count(is.ctx), was.count(was.ctx), "and samples");
	for (unsigned i = 0; i < is.count(is.ctx); i++) {
		bad += is.end(is.ctx, i) != was.end(was.ctx, i) ||
		       is.span(is.ctx, i) != was.span(was.ctx, i) ||
		       is.kernel(is.ctx, i) != was.kernel(was.ctx, i);
		for (enum overtime_group g = 0; g < OVERTIME_GROUPS; g++)
			for (unsigned f = 0; f < overtime_fields(g); f++)
				for (unsigned k = 0; k < is.instances[g]; k++)
					bad += !same(is.value(is.ctx, g, f, k, i),
						     was.value(was.ctx, g, f, k, i));
	}
	is_u64(bad, 0, "to the last bit");
	j.from = 200;
	ok(export_file(&j, "series", table_path, &e) == 0 && add_file(t, &e) < 0 &&
		   strstr(e.msg, "samples, the table before it"),
	   "a table of other samples does not go with it: %s", e.msg);
	overtime_table_free(t);
}

/* Damages a table with a command of sed. */
static void
damaged(struct sim *s, const char *how, const char *why)
{
	struct export_job j = {.sim = s, .run = 1, .to = CYCLE_NEVER};
	struct overtime_table *t = overtime_table_new();
	char command[200];
	struct err e = {0};
	bool refused_it;

	ok(export_file(&j, "series", table_path, NULL) == 0, "a table");
	snprintf(command, sizeof(command), "sed -i '%s' %s", how, table_path);
	refused_it = system(command) == 0 && add_file(t, &e) < 0 && strstr(e.msg, why);
	ok(refused_it, "after %s it is refused: line %u, %s", how, (unsigned)e.line, e.msg);
	overtime_table_free(t);
}

static void
tables(struct sim *s)
{
	ok(close(mkstemp(table_path)) == 0, "a file");
	read_back(s);
	damaged(s, "3d", "expected every core or channel in each sample");
	damaged(s, "$d", "expected every core or channel in each sample");
	damaged(s, "4s/,32,/,x,/", "expected a number, found 'x'");
	damaged(s, "5s/^1,/2,/", "expected one run, found '2'");
	damaged(s, "6,9s/^1,[0-9]*,/1,32,/", "expected a later cycle, found '32'");
	damaged(s, "1s/span_cycles/span/", "is not a table of time series");
	damaged(s, "2,$d", "has no rows");
	damaged(s, "6s/[^,]*$/none/", "expected a number, found");
	remove(table_path);
}

/* A source by hand: core k missed in k+1 of 10 accesses per cycle in sample 0, in all of 30 in
 * sample 1. */
static double
hand_value(const void *ctx, enum overtime_group g, unsigned field, unsigned k, unsigned sample)
{
	(void)ctx, (void)g, (void)field;
	return sample ? 1 : (k + 1) / 10.0;
}

static double
hand_weight(const void *ctx, enum overtime_group g, unsigned field, unsigned k, unsigned sample)
{
	(void)ctx, (void)g, (void)field;
	return sample ? 30 : 10 + k;
}

static void
weight_is(const char *text, unsigned element, double first, double second)
{
	struct overtime_source from = {.instances = {2, 2, 1},
				       .value = hand_value,
				       .weight = hand_weight};
	struct overtime *o = overtime_new_from(&from, text, NULL);

	ok(o && overtime_weight(o, 0, element) == first && overtime_weight(o, 1, element) == second,
	   "%s, element %u, counts %g and %g per cycle", text, element, first, second);
	overtime_free(o);
}

static void
weights(void)
{
	weight_is("core.0.l1_miss_rate", 0, 10, 30);
	weight_is("core.*.l1_miss_rate", 1, 11, 30);
	weight_is("mean(core.*.l1_miss_rate)", 0, 21, 60);
	weight_is("1 - core.1.l1_miss_rate", 0, 11, 30);
	weight_is("core.0.ipc", 0, 1, 1);
	weight_is("core.0.l1_miss_rate * core.0.ipc", 0, 1, 1);
	weight_is("$span", 0, 1, 1);
}

static void
count_name(void *ctx, const char *path, const char *text, const char *help)
{
	struct overtime *o;
	unsigned *n = ctx;

	(void)path;
	ok(text && *help, "%s has help", path);
	o = overtime_new_from(&(struct overtime_source){.instances = {2, 2, 1}}, path, NULL);
	*n += o != NULL;
	overtime_free(o);
}

int
main(void)
{
	struct config *c = small_config("dyncta+claso");
	struct trace *t = small_trace();
	struct sim *s;
	unsigned n = 0;

	opt_set(config_db(c), "run.sample", "32", NULL);
	s = sim_new(c, t, NULL);
	sim_run(s, 900, NULL);
	names(s);
	expressions(s);
	weights();
	unit(s, "mean(core.*.ract) - gpu.ract", "ratio");
	unit(s, "core.0.n + 1", "CTAs");
	unit(s, "gpu.ipc / gpu.power", "");
	unit(s, "gpu.ipc - gpu.power", "");
	unit(s, "core.0.n > 2", "");
	unit(s, "count(core.*.n)", "");
	refused(s, "", "expected a value");
	refused(s, "core.5.ract", "core 5 does not exist, expected 0..3");
	refused(s, "core.x.ract", "'x' is not the number of a core");
	refused(s, "core.2.rat", "did you mean core.2.ract");
	refused(s, "gpu.icp", "did you mean gpu.ipc");
	refused(s, "core.2.warps",
		"'core.2.warps' is not a time series; those of core are ctas_running");
	refused(s, "l2.*.misses", "only a present value");
	refused(s, "policy.dyncta.t_mem_h", "only a present value");
	refused(s, "gpu.3.ipc", "no time series 'gpu.3.ipc'");
	refused(s, "a.b.c.d.e", "no time series");
	refused(s, "core.*.n + mem.*.queue", "vectors of different length");
	tables(s);
	overtime_each_name(count_name, &n);
	is_u64(n, SC_FIELDS + SM_FIELDS + SG_FIELDS, "every name that is listed is known");
	sim_free(s);
	trace_close(t);
	config_free(c);
	return done();
}
