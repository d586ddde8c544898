/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.h - makes a test of a fuzz target: main() runs it over stored inputs, with one TAP line
 * each.
 *
 *     #define FUZZ_CORPUS "expr"
 *     #include "tests/fuzz/replay.h"
 *
 *     int
 *     LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
 *     { ... }
 *
 * The arguments are files and folders; the default is $srcdir/tests/fuzz/corpus/FUZZ_CORPUS. With
 * FUZZING defined there is no main, since libFuzzer has its own. A target calls fuzz_check() for
 * each requirement; a failure stops the program either way.
 *
 * A target with its own mutator (LLVMFuzzerCustomMutator) defines FUZZ_MUTATIONS N before: each
 * input is then also changed N times in a row, always in the same way, and fuzz_after() tests with
 * ok() whether the changed ones are still useful.
 */
#ifndef TESTS_FUZZ_REPLAY_H
#define TESTS_FUZZ_REPLAY_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define fuzz_check(promise)                                                                   \
	do {                                                                                  \
		if (!(promise)) {                                                             \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise); \
			abort();                                                              \
		}                                                                             \
	} while (0)

#ifndef FUZZING
#include "tests/tap.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#define REPLAY_MAX (1 << 20) /* most bytes of one input */

#ifdef FUZZ_MUTATIONS
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
static void fuzz_after(void);

/* A simple form of libFuzzer's mutations: changes, adds or removes a byte. */
size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	static uint32_t x = 1;
	size_t at;

	x = x * 1664525 + 1013904223;
	at = size ? x % size : 0;
	if ((x >> 28) < 2 && size > 1) {
		for (; at + 1 < size; at++)
			data[at] = data[at + 1];
		return size - 1;
	}
	if (((x >> 28) < 4 && size < max_size) || !size) {
		data[size] = (uint8_t)(x >> 20);
		return size + 1;
	}
	data[at] = (x >> 28) < 10 ? (uint8_t)(x >> 20) : data[at] ^ (uint8_t)(1u << (x >> 24 & 7));
	return size;
}

static inline void
replay_mutations(const uint8_t *data, size_t size)
{
	static uint8_t now[REPLAY_MAX];
	size_t n = 0;

	for (unsigned i = 0; i < FUZZ_MUTATIONS / (tap_is_fast() ? 4 : 1) && size; i++) {
		uint8_t *exact;

		/* Return to the stored input, so that changes do not accumulate. */
		if (i % 3 == 0 || n == 0) {
			memcpy(now, data, size);
			n = size;
		}
		n = LLVMFuzzerCustomMutator(now, n, sizeof(now), i + 1);
		exact = malloc(n ? n : 1);
		if (!exact)
			return;
		memcpy(exact, now, n);
		LLVMFuzzerTestOneInput(exact, n);
		free(exact);
	}
}
#endif

static inline void
replay_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = f ? malloc(REPLAY_MAX) : NULL;

	if (data) {
		size_t n = fread(data, 1, REPLAY_MAX, f);

		/* an exact block, so that reading past its end is noticed */
		uint8_t *exact = realloc(data, n ? n : 1);

		data = exact ? exact : data;
		LLVMFuzzerTestOneInput(data, n);
#ifdef FUZZ_MUTATIONS
		replay_mutations(data, n);
#endif
	}
	ok(data, "%s", path);
	free(data);
	if (f)
		fclose(f);
}

static inline void
replay_path(const char *path)
{
	struct dirent **list;
	struct stat st;
	char sub[4096];
	int n;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		replay_file(path);
		return;
	}
	n = scandir(path, &list, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		int len = snprintf(sub, sizeof(sub), "%s/%s", path, list[i]->d_name);

		if (list[i]->d_name[0] != '.' && len < (int)sizeof(sub))
			replay_path(sub);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
}

int
main(int argc, char **argv)
{
	const char *top = getenv("srcdir");
	char path[4096];

	for (int i = 1; i < argc; i++)
		replay_path(argv[i]);
	if (argc < 2) {
		snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s", top ? top : ".",
			 FUZZ_CORPUS);
		replay_path(path);
	}
	ok(tap_run > 0, "there were inputs to replay");
#ifdef FUZZ_MUTATIONS
	fuzz_after();
#endif
	return done();
}
#endif

#endif
