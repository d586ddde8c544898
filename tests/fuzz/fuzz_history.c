/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_history.c - any bytes as the history file, and its lines typed once more.
 *
 * Promises: no crash; the file that is left holds at most as many lines as are kept, each once as
 * the last, and opening it again and closing it changes nothing.
 */
#define FUZZ_CORPUS "history"
#define FUZZ_COVERS "src/repl/history.c"
#include "tests/fuzz/replay.h"

#include "repl/repl.h"

#include <string.h>
#include <unistd.h>

#define MOST 65536

static char folder[] = "/tmp/fuzz-history-XXXXXX", file[64];

static void
clean(void)
{
	char part[64];

	unlink(file);
	snprintf(part, sizeof(part), "%s/ctascope", folder);
	rmdir(part);
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char first[2 * MOST], second[2 * MOST];
	static bool made;
	char path[4096], *text;
	size_t n;
	FILE *f;

	if (size > MOST / 2)
		return 0;
	if (!made) {
		if (!mkdtemp(folder))
			return 0;
		made = true;
		setenv("XDG_STATE_HOME", folder, 1);
		atexit(clean);
		history_open(file, sizeof(file));
	}
	f = fopen(file, "wb");
	text = calloc(1, size + 1);
	if (!f || !text)
		return 0;
	memcpy(text, data, size);
	fwrite(data, 1, size, f);
	fclose(f);
	history_open(path, sizeof(path));
	fuzz_check(strcmp(path, file) == 0);
	for (char *at = text, *line; (line = strsep(&at, "\n"));)
		history_add_line(path, line);
	history_close(path);
	n = read_back(first);
	history_open(path, sizeof(path));
	history_close(path);
	fuzz_check(read_back(second) == n && memcmp(first, second, n) == 0);
	free(text);
	return 0;
}
