/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_sweep.c - any bytes as a sweep file: read, checked, multiplied into points, and written back
 * as a table that is read again.
 *
 * Requirements: no crash, an error is always filled in and its caret is on the text; every point of
 * an accepted sweep is found by its key, and no two have the same key; a row with any of its words
 * reads back as it was written.
 */
#define FUZZ_CORPUS "sweep"
#define FUZZ_COVERS "src/batch/spec*.c src/batch/points.c"
#include "tests/fuzz/replay.h"

#include "batch/spec.h"
#include "export/export.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ENOUGH 2000 /* most points to check */

static void
check_error(const struct err *e)
{
	fuzz_check(e->set && e->msg[0]);
	fuzz_check(!e->text[0] ||
		   (e->col >= 0 && (size_t)e->col <= strlen(e->text) && e->len >= 1));
}

/* No real files are opened: names without a digit count as existing. */
static int
some_file(const struct spec *s, const char *name, struct err *e)
{
	(void)s;
	return strpbrk(name, "0123456789") ? err_set(e, "no file '%.60s'", name) : 0;
}

static void
check_points(const struct points *p)
{
	for (unsigned i = 0; i < p->n && i < ENOUGH; i++) {
		fuzz_check(p->p[i].number == i + 1);
		fuzz_check(points_find(p, p->p[i].key) == (int)i);
		for (unsigned k = 0; k < p->n_keys; k++)
			fuzz_check(p->p[i].key[k] != NULL);
	}
}

static void
check_table(const struct points *p)
{
	struct export_rows r;
	struct err e = {0};
	char path[64];
	int fd = memfd_create("table", 0);
	FILE *f = fd < 0 ? NULL : fdopen(dup(fd), "w");
	unsigned n = p->n < ENOUGH ? p->n : ENOUGH;

	if (f) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		for (unsigned i = 0; i < n; i++)
			export_row(f, p->p[i].key, p->n_keys);
		fclose(f);
		fuzz_check(export_rows_read(path, &r, &e) == 0 && !r.cut);
		fuzz_check(n == 0 || (r.n_rows == n - 1 && r.n_columns == p->n_keys));
		for (unsigned i = 0; i < n * p->n_keys; i++)
			fuzz_check(strcmp(r.cell[i], p->p[i / p->n_keys].key[i % p->n_keys]) == 0);
		export_rows_free(&r);
	}
	if (fd >= 0)
		close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct spec_files files = {some_file, some_file};
	struct err e = {0};
	struct spec *s;
	struct points *p;

	if (size >= SPEC_MAX_BYTES)
		return 0;
	s = spec_parse("fuzz.sweep", (const char *)data, size, &e);
	if (!s) {
		check_error(&e);
		return 0;
	}
	if (spec_check(s, &files, &e)) {
		check_error(&e);
	} else if (!(p = points_new(s, &e))) {
		check_error(&e);
	} else {
		check_points(p);
		check_table(p);
		points_free(p);
	}
	spec_free(s);
	return 0;
}
