/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image.c - what an ELF file tells of its CUDA runtime, for programs made for this test (static.c),
 * and for the same files damaged in every way: nothing is trusted, nothing crashes.
 */
#include "record/divert/image.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t state = 1;

static uint32_t
random_below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

struct seen {
	unsigned n, mallocs;
	uint64_t sum; /* of the names, so that they are read */
};

static void
on_function(void *ctx, const struct image_symbol *s)
{
	struct seen *seen = ctx;

	seen->n++;
	seen->mallocs += strcmp(s->name, "cudaMalloc") == 0;
	seen->sum += strlen(s->name) + s->value;
}

static const char *
program(const char *name)
{
	static char path[4096];
	const char *dir = getenv("builddir");

	snprintf(path, sizeof(path), "%s/tests/record/divert/%s", dir ? dir : ".", name);
	return path;
}

static void
test_versions(void)
{
	static const char *const name[] = {"static11", "static12", "static13"};
	const char *why;

	for (int i = 0; i < 3; i++) {
		struct image *m = image_open(program(name[i]), &why);
		struct seen s = {0};

		if (!ok(m, "%s opens", name[i]))
			continue;
		ok((int)image_cudart(m) == 11 + i, "its runtime is of %d", 11 + i);
		image_functions(m, on_function, &s);
		ok(s.n > 8 && s.mallocs == 1, "its functions are found");
		image_close(m);
	}
}

static void
test_others(void)
{
	const char *why;
	struct image *m = image_open("/bin/sh", &why);
	char needs[80];

	ok(m && image_cudart(m) == CUDART_NONE, "a shell has none");
	ok(!m || !image_needs(m, "libcuda", needs, sizeof(needs)), "nor does it need one");
	ok(!m || !image_code(m, UINT64_MAX - 2, 8), "there is no code at the end of memory");
	image_close(m);
	ok(!image_open("/nowhere", &why) && strstr(why, "read"), "no file: %s", why);
	ok(!image_open("/", &why) && strstr(why, "not a program"), "a folder: %s", why);
	ok(!image_open("/dev/null", &why), "a device: %s", why);
}

/* Calls all functions on a file. */
static uint64_t
use(const char *path)
{
	const char *why;
	struct image *m = image_open(path, &why);
	struct seen s = {0};
	char name[40];

	if (!m)
		return strlen(why);
	image_functions(m, on_function, &s);
	s.sum += (uint64_t)image_cudart(m) + image_needs(m, "libc", name, sizeof(name));
	s.sum += image_code(m, state % 65536, 64) != NULL;
	image_close(m);
	return s.sum;
}

static bool
put(const char *path, const char *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	bool good = f && fwrite(bytes, 1, n, f) == n;

	return f && fclose(f) == 0 && good;
}

static void
test_damaged(void)
{
	FILE *f = fopen(program("static13"), "rb");
	char *good = malloc(4u << 20), *bad = malloc(4u << 20), path[] = "/tmp/divert-image-XXXXXX";
	size_t n = f && good ? fread(good, 1, 4u << 20, f) : 0;
	int fd = mkstemp(path), done = 0;
	uint64_t sum = 0;

	if (f)
		fclose(f);
	ok(n > 1000 && bad && fd >= 0, "a program to damage");
	for (int i = 0; n > 1000 && bad && i < 400; i++) {
		/* the head, the tables at the end, anywhere; or the end is missing */
		size_t cut = i % 4 == 3 ? random_below((uint32_t)n) : n;

		memcpy(bad, good, n);
		for (unsigned k = 0; k < 8; k++) {
			size_t at = i % 4 == 0	 ? random_below(64)
				    : i % 4 == 1 ? n - 1 - random_below(5000)
						 : random_below((uint32_t)n);

			bad[at] = (char)random_below(256);
		}
		if (!put(path, bad, cut))
			break;
		sum += use(path);
		done++;
	}
	is_u64((uint64_t)done, 400, "400 damaged ones, none of which crashes");
	diag("sum %llu", (unsigned long long)sum);
	free(good);
	free(bad);
	if (fd >= 0)
		close(fd);
	unlink(path);
}

int
main(void)
{
	test_versions();
	test_others();
	test_damaged();
	return done();
}
