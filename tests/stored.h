/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stored.h - compares text that a test makes with a stored file, or writes that file (--update). */
#ifndef TESTS_STORED_H
#define TESTS_STORED_H

#include "tests/tap.h"

#include <sys/stat.h>

/* Returns the text of a file, which the caller frees; NULL: it cannot be read. */
static inline char *
stored_read(const char *path)
{
	FILE *f = fopen(path, "r");
	struct stat st;
	char *text = NULL;

	if (f && fstat(fileno(f), &st) == 0 && (text = calloc(1, (size_t)st.st_size + 1)))
		text[fread(text, 1, (size_t)st.st_size, f)] = '\0';
	if (f)
		fclose(f);
	return text;
}

static inline void
stored_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ok(f && fputs(text, f) >= 0 && fclose(f) == 0, "wrote %s", path);
}

/* Prints the lines that differ, and no more than a large screen has. */
static inline void
stored_show_difference(const char *got, const char *want)
{
	unsigned shown = 0;

	for (unsigned line = 1; *got || *want; line++) {
		size_t n = strcspn(got, "\n"), m = strcspn(want, "\n");

		if ((n != m || strncmp(got, want, n) != 0) && shown++ < 60) {
			diag("line %u", line);
			diag("   got: %.*s", (int)n, got);
			diag("wanted: %.*s", (int)m, want);
		}
		got += n + (got[n] != '\0');
		want += m + (want[m] != '\0');
	}
}

/* Checks that the text is what the file has; with update, writes it to the file. */
static inline void
is_stored(const char *path, const char *got, bool update)
{
	char *want;

	if (update) {
		stored_write(path, got);
		return;
	}
	want = stored_read(path);
	if (!ok(want && strcmp(got, want) == 0, "as in %s", path) && want)
		stored_show_difference(got, want);
	free(want);
}

#endif
