/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.c - the tables by name, rows of CSV, and files that are whole or not there.
 *
 * libcsv quotes every field it writes; we hand it only texts that need quotes and write the rest
 * bare, which keeps files a third smaller and numbers numbers.
 */
#include "export/export_part.h"

#include "base/words.h"

#include <csv.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct export_table export_tables[] = {
	{"series", "the time series, one row per sample and core"},
	{"cores", "every core as it is now"},
	{"ctas", "the CTAs seen: resident ones, and those whose events are still kept"},
	{"events", "the events still kept, one row each"},
	{"decisions", "the decisions still kept, one row per number of each rule"},
	{"gauges", "what the policies weigh on every core, now and when the last period ended"},
	{"warps", "every warp in use as it is now"},
	{"mem", "the time series of memory, one row per sample and channel"},
	{"stats", "statistics of the run so far: name,value,unit"},
};
const unsigned n_export_tables = ARRAY_LEN(export_tables);

static void (*const writers[])(const struct export_job *, struct csv_out *) = {
	export_series, export_cores, export_ctas, export_events, export_decisions,
	export_gauges, export_warps, export_mem,  export_stats,
};
_Static_assert(ARRAY_LEN(writers) == ARRAY_LEN(export_tables), "a writer for every table");

/* ---------------------------------------------------------------- a row */

static void
separate(struct csv_out *o)
{
	if (o->column++)
		putc(',', o->to);
}

void
csv_text(struct csv_out *o, const char *text)
{
	size_t n = strlen(text);

	separate(o);
	if (n && (strpbrk(text, ",\"\r\n") || isspace((unsigned char)text[0]) ||
		  isspace((unsigned char)text[n - 1])))
		csv_fwrite2(o->to, text, n, CSV_QUOTE);
	else
		fputs(text, o->to);
}

void
csv_u64(struct csv_out *o, uint64_t v)
{
	separate(o);
	fprintf(o->to, "%" PRIu64, v);
}

void
csv_i64(struct csv_out *o, int64_t v)
{
	separate(o);
	fprintf(o->to, "%" PRId64, v);
}

void
export_number(double v, char *buf, size_t size)
{
	if (!isfinite(v))
		*buf = '\0';
	else if (v == floor(v) && fabs(v) < 1e15)
		snprintf(buf, size, "%.0f", v);
	else
		for (int digits = 6; digits <= 17; digits++) {
			snprintf(buf, size, "%.*g", digits, v);
			if (strtod(buf, NULL) == v)
				break;
		}
}

void
csv_num(struct csv_out *o, double v)
{
	char text[40];

	separate(o);
	export_number(v, text, sizeof(text));
	fputs(text, o->to);
}

void
csv_none(struct csv_out *o)
{
	separate(o);
}

void
csv_end(struct csv_out *o)
{
	fputs(o->eol, o->to);
	o->column = 0;
}

/* Is it one of the words of a name like ctas_running? "w" is none of "power". */
static bool
has_word(const char *name, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = name; p; p = strchr(p, '_')) {
		p += *p == '_';
		if (strncmp(p, word, n) == 0 && (!p[n] || p[n] == '_'))
			return true;
	}
	return false;
}

/* "thread instructions/cycle" becomes "thread_instructions_per_cycle"; a unit the name already says
 * (ctas_running, CTAs) is not said again. */
void
csv_column(struct csv_out *o, const char *name, const char *unit)
{
	char text[96], low[64];
	size_t n = 0, root;

	for (const char *p = unit; *p && n + 6 < sizeof(low); p++) {
		if (*p == '/')
			n += (size_t)snprintf(low + n, sizeof(low) - n, "_per_");
		else
			low[n++] =
				isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '_';
	}
	low[n] = '\0';
	root = strcspn(low, "_");
	snprintf(text, sizeof(text), "%.*s", (int)root, low);
	/* a rate is a ratio, as its name says */
	if (n == 5 && strcmp(low, "ratio") == 0 && strlen(name) > 5 &&
	    strcmp(name + strlen(name) - 5, "_rate") == 0)
		snprintf(text, sizeof(text), "%s", name);
	else if (*unit && !has_word(name, text))
		snprintf(text, sizeof(text), "%s_%s", name, low);
	else
		snprintf(text, sizeof(text), "%s", name);
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

int
export_write(const struct export_job *j, const char *name, FILE *to, struct err *e)
{
	struct csv_out o = {.to = to, .eol = j->crlf ? "\r\n" : "\n"};
	const char *names[ARRAY_LEN(export_tables)];

	for (unsigned i = 0; i < n_export_tables; i++) {
		names[i] = export_tables[i].name;
		if (strcmp(name, names[i]) == 0) {
			writers[i](j, &o);
			return 0;
		}
	}
	return err_set(e, "no table '%s'%s", name,
		       near_hint(name, names, n_export_tables, "; 'help dump' lists them").text);
}

static FILE *
open_beside(const char *path, char *temp, size_t size, struct err *e)
{
	int fd;
	mode_t mask;
	FILE *f;

	if ((size_t)snprintf(temp, size, "%s.XXXXXX", path) >= size) {
		err_set(e, "the name '%.80s...' is too long", path);
		return NULL;
	}
	fd = mkstemp(temp);
	if (fd < 0) {
		err_set(e, "cannot write '%s': %s", path, strerror(errno));
		return NULL;
	}
	/* mkstemp keeps others out; a file the user asked for gets the usual rights */
	mask = umask(0);
	umask(mask);
	f = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
	if (!f) {
		err_set(e, "cannot write '%s': %s", path, strerror(errno));
		close(fd);
		unlink(temp);
	}
	return f;
}

/* Devices and pipes cannot be renamed over: they are written to as they are. */
static int
write_in_place(const char *path, int (*fn)(void *ctx, FILE *to, struct err *e), void *ctx,
	       struct err *e)
{
	FILE *f = fopen(path, "w");
	int rc;

	if (!f)
		return err_set(e, "cannot write '%s': %s", path, strerror(errno));
	rc = fn(ctx, f, e);
	if (rc == 0 && (fflush(f) || ferror(f)))
		rc = err_set(e, "cannot write '%s': %s", path, strerror(errno));
	fclose(f);
	return rc;
}

int
export_replace(const char *path, int (*fn)(void *ctx, FILE *to, struct err *e), void *ctx,
	       struct err *e)
{
	char temp[PATH_MAX], real[PATH_MAX];
	struct stat st;
	FILE *f;
	int rc;

	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return err_set(e, "cannot write '%s': it is a folder", path);
		if (!S_ISREG(st.st_mode))
			return write_in_place(path, fn, ctx, e);
		if (access(path, W_OK))
			return err_set(e, "cannot write '%s': %s", path, strerror(errno));
		if (realpath(path, real))
			path = real; /* a symbolic link stays one */
	}
	f = open_beside(path, temp, sizeof(temp), e);
	if (!f)
		return -1;
	rc = fn(ctx, f, e);
	if (rc == 0 && (fflush(f) || ferror(f)))
		rc = err_set(e, "cannot write '%s': %s", path, strerror(errno));
	if (fclose(f) && rc == 0)
		rc = err_set(e, "cannot write '%s': %s", path, strerror(errno));
	if (rc == 0 && rename(temp, path))
		rc = err_set(e, "cannot write '%s': %s", path, strerror(errno));
	if (rc)
		unlink(temp);
	return rc;
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

	return export_replace(path, write_table, &t, e);
}
