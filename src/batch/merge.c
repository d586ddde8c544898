/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * merge.c - joins the tables of shards into the one that a single sweep would have written.
 *
 * Rows are identified by their key and sorted in the order of the sweep. A run that is in several
 * tables counts once, and a good row has precedence over a failed one. Two good rows that differ
 * are reported, since equal runs give equal numbers, and the first is kept. Missing runs are
 * reported, too.
 */
#include "batch/batch_part.h"

#include "base/memory.h"
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

#define SAID 20 /* most differences to print */

struct merge {
	struct sheet sheet;
	const char *file; /* the file being read */
	unsigned n_differ;
};

static int
take_row(void *ctx, unsigned point, const char *const *field, uint64_t line, struct err *e)
{
	struct merge *m = ctx;
	struct sheet *t = &m->sheet;
	bool ok = run_name_is_good(field[SHEET_STATUS]), was_ok = t->ok[point];
	char *was = t->row[point];
	int rc;

	t->row[point] = NULL; /* `was` is now ours */
	rc = sheet_keep(t, point, field, e);
	if (rc == 0 && was && was_ok && ok && strcmp(was, t->row[point]) != 0 &&
	    m->n_differ++ < SAID)
		fprintf(stderr,
			"ctascope: %s:%llu: run %u differs from the same run in an earlier file\n",
			m->file, (unsigned long long)line, t->points->p[point].number);
	if (was && was_ok) { /* the first stays */
		free(t->row[point]);
		t->row[point] = was;
		t->ok[point] = true;
	} else {
		free(was);
	}
	return rc;
}

/* Prints a list such as "3, 5-9, 12". */
static void
say_runs(const struct sheet *t, bool failed, const char *what)
{
	char first[COUNT], second[COUNT];
	unsigned n = 0, said = 0;

	for (unsigned i = 0; i < t->points->n; i++)
		n += failed ? t->row[i] && !t->ok[i] : !t->row[i];
	if (!n)
		return;
	fprintf(stderr, "ctascope: %s of %s %s:", count_text(first, n),
		count_runs(second, t->points->n), what);
	for (unsigned i = 0; i < t->points->n;) {
		unsigned from = i;

		while (i < t->points->n && (failed ? t->row[i] && !t->ok[i] : !t->row[i]))
			i++;
		if (i == from) {
			i++;
			continue;
		}
		if (said++ == SAID) {
			fputs(", ...", stderr);
			break;
		}
		fprintf(stderr, "%s %u", said == 1 ? "" : ",", t->points->p[from].number);
		if (i - from > 1)
			fprintf(stderr, "-%u", t->points->p[i - 1].number);
	}
	fputc('\n', stderr);
}

static int
read_files(struct merge *m, char **file, unsigned n, struct err *e)
{
	for (unsigned i = 0; i < n; i++) {
		struct export_rows r;
		int rc;

		m->file = file[i];
		if (export_rows_read(file[i], &r, e))
			return -1;
		if (r.cut)
			fprintf(stderr,
				"ctascope: %s: its last line is incomplete and was skipped\n",
				file[i]);
		rc = r.line ? sheet_match(&m->sheet, file[i], &r, take_row, m, e)
			    : err_set(e, "'%.200s' is empty", file[i]);
		export_rows_free(&r);
		if (rc)
			return -1;
	}
	return 0;
}

int
merge_main(const struct points *p, const struct columns *k, char **file, unsigned n,
	   const char *out, unsigned flags)
{
	struct merge m = {.file = ""};
	char text[COUNT];
	struct err e = {0};
	bool *mine = memory_new(p->n, sizeof(*mine));
	int rc;

	memset(mine, 1, p->n);
	rc = sheet_new(&m.sheet, p, k, out, mine, flags, &e);
	if (rc == 0) {
		rc = read_files(&m, file, n, &e) || sheet_start(&m.sheet, &e) ||
		     sheet_end(&m.sheet, &e);
		if (rc == 0) {
			say_runs(&m.sheet, false, "are missing");
			say_runs(&m.sheet, true, "failed");
			if (m.n_differ > SAID)
				fprintf(stderr, "ctascope: %s in all differ\n",
					count_runs(text, m.n_differ));
			for (unsigned i = 0; i < p->n; i++)
				rc |= !m.sheet.ok[i];
			rc |= m.n_differ > 0;
		} else {
			err_print(&e, "ctascope", stderr);
		}
		sheet_free(&m.sheet);
	} else {
		err_print(&e, "ctascope", stderr);
	}
	free(mine);
	return rc ? 1 : 0;
}
