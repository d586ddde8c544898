/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_csv.c - any bytes as two tables of finished runs with a line "--" between them: compared,
 * drawn over time, and read as the statistics of another run.
 *
 * Requirements: no crash, no unlimited memory, an error with a message for rejected tables; a table
 * does not differ from itself.
 */
#define FUZZ_CORPUS "csv"
#define FUZZ_COVERS "src/export/compare.c src/export/export_read.c src/export/export_rows.c"
#include "tests/fuzz/replay.h"

#include "export/export.h"
#include "export/compare.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void
memory_file(int *fd, const void *data, size_t size, char path[64])
{
	if (*fd < 0)
		*fd = memfd_create("csv", 0);
	fuzz_check(*fd >= 0 && pwrite(*fd, data, size, 0) == (ssize_t)size &&
		   ftruncate(*fd, (off_t)size) == 0);
	snprintf(path, 64, "/proc/self/fd/%d", *fd);
}

static void
count(void *ctx, const char *name, double value, const char *unit)
{
	(void)value;
	fuzz_check(strlen(name) < 128 && strlen(unit) < 128);
	++*(unsigned *)ctx;
}

static void
compare_two(const char *a, const char *b)
{
	static const char *const columns[] = {NULL, "ctas", "ipc", "row_hit_rate"};
	struct compare c = {0};
	struct err e = {0};

	if (compare_read(&c, a, b, &e)) {
		fuzz_check(e.set && e.msg[0]);
		compare_free(&c);
		return;
	}
	if (strcmp(a, b) == 0)
		fuzz_check(c.differ == 0);
	for (unsigned i = 0; c.kind == COMPARE_SERIES && i < ARRAY_LEN(columns); i++) {
		struct compare_map m = {0};

		err_clear(&e);
		if (compare_map(&c, columns[i], 60, &m, &e))
			fuzz_check(e.set && e.msg[0]);
		else
			compare_map_free(&m);
	}
	compare_free(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int first = -1, second = -1;
	const uint8_t *cut = memmem(data, size, "\n--\n", 4);
	size_t n = cut ? (size_t)(cut - data) + 1 : size;
	char a[64], b[64];
	struct err e = {0};
	unsigned rows = 0;

	memory_file(&first, data, n, a);
	memory_file(&second, cut ? cut + 4 : data, cut ? size - n - 3 : size, b);
	compare_two(a, b);
	compare_two(a, a);
	if (export_read_stats(a, count, &rows, &e))
		fuzz_check(e.set && e.msg[0]);
	return 0;
}
