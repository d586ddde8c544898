/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.c - every CSV table of the small machine, read back with libcsv in strict mode. */
#include "export/export.h"
#include "export/export_part.h"

#include "tests/small/small.h"
#include "tests/tap.h"

#include <csv.h>
#include <math.h>
#include <unistd.h>

struct grid {
	unsigned rows, columns, column; /* columns in the header */
	bool ragged;
	char head[64][64];
	char cell[4000][64]; /* the cells of all rows but the header */
	unsigned n;
};

static void
field(void *text, size_t n, void *ctx)
{
	struct grid *g = ctx;
	char *to = NULL;

	if (g->rows == 0 && g->column < 64)
		to = g->head[g->column];
	else if (g->rows && g->n < 4000)
		to = g->cell[g->n++];
	if (to)
		snprintf(to, 64, "%.*s", (int)n, (char *)text);
	g->column++;
}

static void
row(int c, void *ctx)
{
	struct grid *g = ctx;

	(void)c;
	if (g->rows == 0)
		g->columns = g->column;
	g->ragged |= g->column != g->columns;
	g->column = 0;
	g->rows++;
}

static struct grid *
read_back(const char *text, size_t n)
{
	struct grid *g = calloc(1, sizeof(*g));
	struct csv_parser p;

	csv_init(&p, CSV_STRICT | CSV_STRICT_FINI);
	ok(csv_parse(&p, text, n, field, row, g) == n && csv_fini(&p, field, row, g) == 0,
	   "libcsv reads it strictly");
	csv_free(&p);
	return g;
}

static struct grid *
table(const struct export_job *j, const char *name, char **text)
{
	size_t n = 0;
	FILE *f;
	struct grid *g;
	struct err e = {0};

	*text = NULL;
	f = open_memstream(text, &n);
	ok(export_write(j, name, f, &e) == 0, "%s is written", name);
	fclose(f);
	ok(n > 0 && (*text)[n - 1] == '\n', "%s ends its last line", name);
	g = read_back(*text, n);
	ok(!g->ragged && g->rows > 1, "%s: %u rows of %u columns each", name, g->rows - 1,
	   g->columns);
	return g;
}

static bool
is_number(const char *text)
{
	char *end;

	strtod(text, &end);
	return end != text && *end == '\0';
}

static void
tables(struct export_job *j)
{
	for (unsigned t = 0; t < EXPORT_TABLES; t++) {
		char *text;
		struct grid *g = table(j, export_tables[t].name, &text);

		ok(strlen(export_tables[t].help) > 10, "%s has help", export_tables[t].name);
		if (strcmp(export_tables[t].name, "stats") != 0) {
			ok(strcmp(g->head[0], "run") == 0 && strcmp(g->head[1], "cycle") == 0 &&
				   strcmp(g->head[2], "kernel") == 0,
			   "%s begins with run,cycle,kernel", export_tables[t].name);
			ok(strcmp(g->cell[0], "7") == 0 && is_number(g->cell[1]),
			   "and their values");
		}
		ok(!strstr(text, "nan") && !strstr(text, "inf"), "%s: unknown is empty",
		   export_tables[t].name);
		free(g);
		free(text);
	}
}

static int
column(const struct grid *g, const char *name)
{
	for (unsigned i = 0; i < g->columns; i++)
		if (strcmp(g->head[i], name) == 0)
			return (int)i;
	return -1;
}

static void
series(struct export_job *j)
{
	char *text;
	struct grid *g = table(j, "series", &text);
	int lat = column(g, "lat_rt_cycles"), ract = column(g, "ract_ratio"),
	    core = column(g, "core");

	ok(lat >= 0 && ract >= 0 && core == 4 && column(g, "ctas_running") > 0 &&
		   column(g, "l1_miss_rate") > 0 && column(g, "power_w") > 0 &&
		   column(g, "gpu_power_w") > 0 &&
		   column(g, "ipc_thread_instructions_per_cycle") > 0,
	   "units are in the names, once");
	is_u64(g->rows - 1, (uint64_t)series_count(j->sim) * SMALL_CORES,
	       "a row per sample and core");
	for (unsigned s = 0; s < 3; s++)
		for (unsigned c = 0; c < SMALL_CORES; c++) {
			const char *cell =
				g->cell[(s * SMALL_CORES + c) * g->columns + (unsigned)ract];

			ok(strtod(cell, NULL) == series_core(j->sim, SC_RACT, c, s),
			   "sample %u core %u reads back exactly", s, c);
		}
	free(g);
	free(text);
	j->from = 128;
	j->to = 192;
	g = table(j, "series", &text);
	is_u64(g->rows - 1, 2 * SMALL_CORES, "a range of cycles, both ends included");
	free(g);
	free(text);
	j->from = 0;
	j->to = CYCLE_NEVER;
}

static void
ctas(struct export_job *j)
{
	char *text;
	struct grid *g = table(j, "ctas", &text);
	unsigned running = 0, n = g->columns;
	uint32_t resident = 0;

	for (unsigned i = 0; i + n <= g->n; i += n) {
		running += strcmp(g->cell[i + 6], "running") == 0 ||
			   strcmp(g->cell[i + 6], "paused") == 0;
		if (strcmp(g->cell[i + 6], "done") == 0 && !is_number(g->cell[i + 8]))
			ok(false, "a CTA that is done has no time");
	}
	for (unsigned c = 0; c < SMALL_CORES; c++) {
		struct core_view v;

		sim_core_view(j->sim, c, &v);
		resident += v.resident;
	}
	is_u64(running, resident, "resident CTAs are there");
	free(g);
	free(text);
}

static void
files(struct export_job *j)
{
	char folder[] = "/tmp/ctascope-export.XXXXXX", path[100], line[64] = "";
	struct err e = {0};
	FILE *f;

	ok(mkdtemp(folder) != NULL, "a folder");
	snprintf(path, sizeof(path), "%s/x.csv", folder);
	ok(export_file(j, "stats", path, &e) == 0, "a file");
	f = fopen(path, "r");
	ok(f && fgets(line, sizeof(line), f), "is there");
	is_str(line, "name,value,unit\n", "with its header");
	if (f)
		fclose(f);
	j->crlf = true;
	ok(export_file(j, "stats", path, &e) == 0, "again, with CR LF");
	f = fopen(path, "r");
	ok(f && fgets(line, sizeof(line), f), "is there");
	is_str(line, "name,value,unit\r\n", "in its place");
	if (f)
		fclose(f);
	j->crlf = false;
	ok(export_file(j, "nothing", path, &e) < 0, "an unknown table: %s", e.msg);
	f = fopen(path, "r");
	ok(f && fgets(line, sizeof(line), f), "leaves the old file");
	if (f)
		fclose(f);
	ok(export_file(j, "stats", folder, &e) < 0, "a folder: %s", e.msg);
	snprintf(path, sizeof(path), "%s/no/x.csv", folder);
	ok(export_file(j, "stats", path, &e) < 0, "no folder: %s", e.msg);
	ok(export_file(j, "stats", "/dev/null", &e) == 0, "a device is written to as it is");
	snprintf(path, sizeof(path), "%s/x.csv", folder);
	remove(path);
	ok(remove(folder) == 0, "nothing is left beside");
}

/* A file during whose writing a Ctrl-C arrives. */
static volatile int stop;

static ssize_t
stop_there(void *written, const char *text ATTR_UNUSED, size_t n)
{
	stop = 1;
	*(size_t *)written += n;
	return (ssize_t)n;
}

static void
stopping(struct export_job *j)
{
	char path[] = "/tmp/ctascope-stop.XXXXXX", line[8] = "";
	struct err e = {0};
	size_t all = 0, some = 0;
	FILE *f;

	f = fopencookie(&all, "w", (cookie_io_functions_t){.write = stop_there});
	ok(f && export_write(j, "events", f, &e) == 0 && fclose(f) == 0 && all > 100000,
	   "a table of many rows");
	j->stop = &stop;
	stop = 0;
	f = fopencookie(&some, "w", (cookie_io_functions_t){.write = stop_there});
	ok(f && export_write(j, "events", f, &e) < 0 && strstr(e.msg, "interrupted") != NULL,
	   "a Ctrl-C ends it: %s", e.msg);
	fclose(f);
	ok(some < all / 2, "soon, after %zu of %zu bytes", some, all);
	ok(close(mkstemp(path)) == 0 && (f = fopen(path, "w")) && fputs("old", f) >= 0 &&
		   fclose(f) == 0,
	   "a file");
	ok(export_file(j, "events", path, &e) < 0, "is not written");
	f = fopen(path, "r");
	ok(f && fgets(line, sizeof(line), f) && strcmp(line, "old") == 0, "and has what it had");
	if (f)
		fclose(f);
	remove(path);
	j->stop = NULL;
}

struct found {
	unsigned n;
	double cycles;
	bool speed;
};

static void
stat(void *ctx, const char *name, double value, const char *unit)
{
	struct found *f = ctx;

	f->n++;
	if (strcmp(name, "gpu.cycles") == 0)
		f->cycles += value;
	f->speed |= strcmp(name, "sim.cycles_per_second") == 0;
	if (!unit || !*name)
		ok(false, "a statistic without name or unit");
}

/* ---------------------------------------------------------------- units */

struct unit {
	const char *name, *unit;
	bool found, same;
};

static void
compare_unit(void *ctx, const char *path, const char *unit, const char *help ATTR_UNUSED)
{
	struct unit *u = ctx;

	if (strcmp(path, u->name) != 0)
		return;
	u->found = true;
	u->same = strcmp(unit, u->unit) == 0;
}

static void
unit_of_stat(void *ctx, const char *name, double value ATTR_UNUSED, const char *unit)
{
	struct unit u = {.name = name, .unit = unit};

	sim_each_path(ctx, compare_unit, &u);
	if (u.found)
		ok(u.same, "%s has one unit, %s", name, unit);
}

/* A value over time has the unit of the value of that name, unless it is a share of it. */
static void
unit_of_series(struct sim *s, const char *group, const struct series_row *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char name[80];
		struct unit u = {.name = name, .unit = r[i].unit};

		snprintf(name, sizeof(name), "%s.%s%s", group, strcmp(group, "gpu") ? "*." : "",
			 r[i].name);
		sim_each_path(s, compare_unit, &u);
		if (u.found && strcmp(r[i].unit, "ratio") != 0)
			ok(u.same, "%s has one unit, %s", name, r[i].unit);
	}
}

static void
units(struct sim *s)
{
	export_each_stat(s, unit_of_stat, s);
	unit_of_series(s, "core", series_core_rows, SC_FIELDS);
	unit_of_series(s, "mem", series_mem_rows, SM_FIELDS);
	unit_of_series(s, "gpu", series_gpu_rows, SG_FIELDS);
}

/* ---------------------------------------------------------------- reading back */

struct pairs {
	unsigned n, bad, unknown;
	char name[400][64];
	double value[400];
};

static void
keep(void *ctx, const char *name, double value, const char *unit ATTR_UNUSED)
{
	struct pairs *p = ctx;

	snprintf(p->name[p->n], sizeof(p->name[0]), "%s", name);
	p->value[p->n++] = value;
	p->unknown += isnan(value);
}

static void
check(void *ctx, const char *name, double value, const char *unit ATTR_UNUSED)
{
	struct pairs *p = ctx;

	p->bad += strcmp(name, p->name[p->n]) != 0 ||
		  (value != p->value[p->n] && !(isnan(value) && isnan(p->value[p->n])));
	p->n++;
}

static void
refused(const char *path, const char *text, const char *why)
{
	struct pairs p = {0};
	struct err e = {0};
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
	ok(export_read_stats(path, keep, &p, &e) < 0 && strstr(e.msg, why) != NULL,
	   "refused for '%s': %s", why, e.msg);
}

static void
reading(struct export_job *j)
{
	char path[] = "/tmp/ctascope-stats.XXXXXX";
	static struct pairs p;
	struct err e = {0};
	unsigned n;

	ok(close(mkstemp(path)) == 0, "a file");
	for (unsigned crlf = 0; crlf < 2; crlf++) {
		p = (struct pairs){0};
		j->crlf = crlf;
		ok(export_file(j, "stats", path, &e) == 0 &&
			   export_read_stats(path, keep, &p, &e) == 0,
		   "statistics are read back");
		n = p.n;
		p.n = 0;
		export_each_stat(j->sim, check, &p);
		ok(p.n == n && n > 20 && p.bad == 0, "all %u, to the last bit", n);
	}
	j->crlf = false;
	ok(export_file(j, "cores", path, &e) == 0 &&
		   export_read_stats(path, keep, &(struct pairs){0}, &e) < 0,
	   "another table is refused: %s", e.msg);
	refused(path, "", "no rows");
	refused(path, "name,value,unit\n", "no rows");
	refused(path, "name,value,what\na,1,b\n", "line 1: the header is not name,value,unit");
	refused(path, "name,value,unit\na,1,b\nb,1\n", "line 3: not three fields");
	refused(path, "name,value,unit\na,1,b\nb,1,c,d\n", "line 3: not three fields");
	refused(path, "name,value,unit\na,1x,b\n", "line 2: the value is not a number, found '1x'");
	refused(path, "name,value,unit\n\"a", "line 2");
	refused(path, "name,value,unit\n\"a\"b,1,c\n", "line 2");
	remove(path);
	ok(export_read_stats(path, keep, &p, &e) < 0, "no file: %s", e.msg);
	ok(export_read_stats("/tmp", keep, &p, &e) < 0, "a folder: %s", e.msg);
}

static void
without_profile(const struct export_job *j)
{
	struct err e = {0};
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	ok(export_write(j, "lines", f, &e) < 0 && strstr(e.msg, "profile on"),
	   "lines without a profile: %s", e.msg);
	fclose(f);
	free(text);
}

/* Names of an input appear unchanged in a row. */
static void
names(void)
{
	char buf[256] = "", *text = NULL;
	size_t n = 0;
	struct csv_out o = {.to = open_memstream(&text, &n), .eol = "\n", .buf = buf, .size = 256};

	csv_text(&o, "plain");
	csv_text(&o, "red\033[1m");
	csv_text(&o, "two\nlines");
	csv_text(&o, "=1+1");
	csv_end(&o);
	csv_flush(&o);
	fclose(o.to);
	is_str(text, "plain,\"red\033[1m\",\"two\nlines\",=1+1\n",
	       "control characters are kept, in quotes, and '=' in front is nothing special");
	free(text);
}

int
main(void)
{
	struct config *c = small_config("dyncta+claso");
	struct trace *t = small_trace();
	struct export_job j = {.run = 7, .to = CYCLE_NEVER};
	struct found f = {0};

	j.sim = sim_new(c, t, NULL);
	without_profile(&j);
	sim_profile_on(j.sim, NULL);
	sim_run(j.sim, 500, NULL);
	tables(&j);
	series(&j);
	names();
	ctas(&j);
	files(&j);
	reading(&j);
	export_each_stat(j.sim, stat, &f);
	ok(f.n > 20 && f.cycles == 500 && f.speed, "statistics, each once");
	units(j.sim);
	sim_free(j.sim);
	opt_set(config_db(c), "run.sample", "16", NULL);
	opt_set(config_db(c), "run.events", "1048576", NULL);
	j.sim = sim_new(c, t, NULL);
	sim_run(j.sim, CYCLE_NEVER, NULL);
	stopping(&j);
	sim_free(j.sim);
	trace_close(t);
	config_free(c);
	return done();
}
