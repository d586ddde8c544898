/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_history.c - any bytes as the history file, whose lines are then typed again. A first line
 * FOLDER, DANGLING or NOWHERE says what is in the place of the file instead.
 *
 * Requirements: no crash; the resulting file has at most as many lines as are kept, each only once,
 * at its last place; opening and closing it again changes nothing; if there can be no file, the
 * lines are kept for this session only.
 */
#define FUZZ_CORPUS "history"
#define FUZZ_COVERS "src/line/history.c"
#include "tests/fuzz/replay.h"

#include "line/line.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 65536

static char folder[] = "/tmp/fuzz-history-XXXXXX", file[64];

static void
clean(void)
{
	unlink(file);
	rmdir(folder);
}

static size_t
read_back(char *to)
{
	FILE *f = fopen(file, "rb");
	size_t n = f ? fread(to, 1, 2 * MOST, f) : 0;

	if (f)
		fclose(f);
	return n;
}

static void
type(char *text)
{
	for (char *at = text, *line; (line = strsep(&at, "\n"));)
		history_add_line(line);
}

/* Anything that is not a plain file is left unchanged. */
static bool
try_without(char *text)
{
	bool is_folder = strncmp(text, "FOLDER\n", 7) == 0,
	     is_link = strncmp(text, "DANGLING\n", 9) == 0;

	if (!is_folder && !is_link && strncmp(text, "NOWHERE\n", 8) != 0)
		return false;
	unlink(file);
	if (is_folder)
		fuzz_check(mkdir(file, 0700) == 0);
	else if (is_link)
		fuzz_check(symlink("/nowhere/history", file) == 0);
	history_open(is_folder || is_link ? file : NULL);
	fuzz_check(!history_is_kept());
	type(text);
	history_close();
	if (is_folder)
		fuzz_check(rmdir(file) == 0);
	unlink(file);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char first[2 * MOST], second[2 * MOST];
	static bool made;
	char *text;
	size_t n;
	FILE *f;

	if (size > MOST / 2)
		return 0;
	if (!made) {
		if (!mkdtemp(folder))
			return 0;
		made = true;
		snprintf(file, sizeof(file), "%s/history", folder);
		atexit(clean);
	}
	text = calloc(1, size + 1);
	fuzz_check(text);
	memcpy(text, data, size);
	if (try_without(text)) {
		free(text);
		return 0;
	}
	f = fopen(file, "wb");
	fuzz_check(f);
	fwrite(data, 1, size, f);
	fclose(f);
	history_open(file);
	fuzz_check(history_is_kept());
	type(text);
	history_close();
	n = read_back(first);
	history_open(file);
	history_close();
	fuzz_check(read_back(second) == n && memcmp(first, second, n) == 0);
	free(text);
	return 0;
}
