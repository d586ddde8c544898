/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.c - writes tables by their names, in rows of CSV, to files that appear only when complete.
 *
 * libcsv quotes every field it writes. It gets only texts that need quotes; everything else is
 * written without, which makes files a third smaller.
 *
 * A table may have millions of rows. Rows are collected in one buffer, which goes to stdio when it
 * is full; at these points the user's request to stop is checked. Numbers are converted without
 * printf, and most numbers of the time series are found in a cache of recent ones.
 */
#include "export/export_part.h"

#include "base/ascii.h"
#include "base/output.h"
#include "base/words.h"

#include <csv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct export_table export_tables[EXPORT_TABLES] = {
	{"series", "the time series, one row per sample and core", true},
	{"cores", "the present state of every core", false},
	{"ctas", "the CTAs seen: resident ones, and those whose events are still kept", true},
	{"events", "the events still kept, one row each", true},
	{"decisions", "the decisions still kept, one row per number of each rule", true},
	{"gauges", "what the policies weigh for every core, now and at the end of the last period",
	 false},
	{"warps", "the present state of every warp in use", false},
	{"lines", "the running kernel by source line: issues and where warps waited (profile on)",
	 false},
	{"mem", "the time series of memory, one row per sample and channel", true},
	{"stats", "statistics of the run so far: name,value,unit", false},
};

static void (*const writers[])(const struct export_job *, struct csv_out *) = {
	export_series, export_cores, export_ctas,  export_events, export_decisions,
	export_gauges, export_warps, export_lines, export_mem,	  export_stats,
};
_Static_assert(ARRAY_LEN(writers) == EXPORT_TABLES, "a writer for every table");

#define BUFFER (64u << 10)

/* ---------------------------------------------------------------- a row */

void
csv_flush(struct csv_out *o)
{
	if (o->job && o->job->stop && *o->job->stop)
		o->closed = o->stopped = true;
	if (o->n && !o->closed && fwrite(o->buf, 1, o->n, o->to) != o->n)
		o->closed = true; /* the stream remembers the error */
	o->n = 0;
}

/* Makes room for n more bytes, n at most o->size. */
static char *
reserve_bytes(struct csv_out *o, size_t n)
{
	if (o->size - o->n < n)
		csv_flush(o);
	return o->buf + o->n;
}

static void
put_comma(struct csv_out *o)
{
	if (o->column++) {
		*reserve_bytes(o, 1) = ',';
		o->n++;
	}
}

static void
put_text(struct csv_out *o, const char *text, size_t n)
{
	while (n) {
		size_t part = MIN(n, o->size);

		memcpy(reserve_bytes(o, part), text, part);
		o->n += part;
		text += part;
		n -= part;
	}
}

/* Does a text of n bytes need quotes? */
static bool
needs_quotes(const char *text, size_t n)
{
	if (n && (ascii_is_space(text[0]) || ascii_is_space(text[n - 1])))
		return true;
	for (size_t i = 0; i < n; i++)
		if (text[i] == ',' || text[i] == CSV_QUOTE || (unsigned char)text[i] < 0x20 ||
		    text[i] == 0x7f)
			return true;
	return false;
}

void
csv_text(struct csv_out *o, const char *text)
{
	size_t n = strlen(text), quoted = 2 * n + 2;
	char *to;

	put_comma(o);
	if (!needs_quotes(text, n)) {
		put_text(o, text, n);
	} else if (quoted <= o->size) {
		to = reserve_bytes(o, quoted);
		o->n += csv_write2(to, quoted, text, n, CSV_QUOTE);
	} else {
		csv_flush(o);
		if (!o->closed)
			csv_fwrite2(o->to, text, n, CSV_QUOTE);
	}
}

void
csv_u64(struct csv_out *o, uint64_t v)
{
	put_comma(o);
	o->n = (size_t)(digits_u64(reserve_bytes(o, DIGITS_MAX), v) - o->buf);
}

void
csv_i64(struct csv_out *o, int64_t v)
{
	put_comma(o);
	o->n = (size_t)(digits_i64(reserve_bytes(o, DIGITS_MAX), v) - o->buf);
}

void
export_number(double v, char *buf, size_t size)
{
	char text[DIGITS_MAX];

	snprintf(buf, size, "%.*s", isfinite(v) ? (int)(digits_double(text, v) - text) : 0, text);
}

char *
csv_put_num(struct csv_out *o, char *to, double v)
{
	struct csv_known *k;
	uint64_t bits;

	if (!isfinite(v))
		return to;
	if (v >= 0 && v < 1e9 && (double)(uint32_t)v == v && !signbit(v))
		return digits_u64(to, (uint64_t)v);
	if (!o->known)
		return digits_double(to, v);
	memcpy(&bits, &v, sizeof(bits));
	/* the upper bits of the product depend on all bits of the number */
	k = &o->known[bits * UINT64_C(0x9e3779b97f4a7c15) >> 54];
	if (!k->n || k->v != v) {
		k->v = v;
		k->n = (unsigned)(digits_double(k->text, v) - k->text);
	}
	memcpy(to, k->text,
	       sizeof(k->text)); /* copying the whole array is faster than n bytes of it */
	return to + k->n;
}

void
csv_num(struct csv_out *o, double v)
{
	put_comma(o);
	o->n = (size_t)(csv_put_num(o, reserve_bytes(o, DIGITS_MAX), v) - o->buf);
}

void
csv_none(struct csv_out *o)
{
	put_comma(o);
}

void
csv_cells(struct csv_out *o, const char *cells, size_t n)
{
	put_comma(o);
	put_text(o, cells, n);
}

void
csv_end(struct csv_out *o)
{
	put_text(o, o->eol, strlen(o->eol));
	o->column = 0;
}

void
export_column_name(const char *name, const char *unit, char *buf, size_t size)
{
	column_name(name, unit, buf, size);
}

void
csv_column(struct csv_out *o, const char *name, const char *unit)
{
	char text[COLUMN_NAME];

	export_column_name(name, unit, text, sizeof(text));
	csv_text(o, text);
}

void
csv_header(struct csv_out *o, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		csv_text(o, names[i]);
	csv_end(o);
}

void
csv_begin(struct csv_out *o, const struct export_job *j, cycle_t cycle, unsigned kernel)
{
	csv_u64(o, j->run);
	csv_u64(o, cycle);
	if (kernel)
		csv_u64(o, kernel);
	else
		csv_none(o);
}

/* ---------------------------------------------------------------- tables and files */

static int
write_whole(const struct export_job *j, void (*writer)(const struct export_job *, struct csv_out *),
	    FILE *to, struct err *e)
{
	struct csv_out o = {.to = to, .eol = j->crlf ? "\r\n" : "\n", .job = j, .size = BUFFER};

	o.buf = malloc(o.size);
	o.known = calloc(CSV_KNOWN, sizeof(*o.known));
	o.no_memory = !o.buf || !o.known;
	if (!o.no_memory) {
		writer(j, &o);
		csv_flush(&o);
	}
	free(o.known);
	free(o.buf);
	if (o.no_memory)
		return err_nomem(e);
	return o.stopped ? err_set(e, "dump csv: interrupted; no table was written") : 0;
}

int
export_write(const struct export_job *j, const char *name, FILE *to, struct err *e)
{
	const char *names[EXPORT_TABLES];

	for (unsigned i = 0; i < EXPORT_TABLES; i++) {
		names[i] = export_tables[i].name;
		if (strcmp(name, names[i]) == 0 && writers[i] == export_lines &&
		    !sim_profile_since(j->sim, NULL))
			return err_set(e,
				       "lines are not counted yet; 'profile on' starts counting");
		if (strcmp(name, names[i]) == 0)
			return write_whole(j, writers[i], to, e);
	}
	return err_set(e, "no table '%s'%s", name,
		       near_hint(name, names, EXPORT_TABLES, "; 'help dump' lists them").text);
}

struct named_table {
	const struct export_job *job;
	const char *name;
};

static int
write_table(void *ctx, FILE *to, struct err *e)
{
	const struct named_table *t = ctx;

	return export_write(t->job, t->name, to, e);
}

int
export_file(const struct export_job *j, const char *name, const char *path, struct err *e)
{
	struct named_table t = {j, name};

	return output_replace(path, 0, write_table, &t, e);
}
