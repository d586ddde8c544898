/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oom.c - for every n, the n-th allocation of reading a PTX text fails: the result is an error, and
 * no memory is lost (leaks show in sanitizer and valgrind builds).
 *
 * The linker redirects the library's calls to those below (--wrap).
 */
#include "tests/tap.h"

#include "record/ptx/parse/ast.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_realloc(void *p, size_t n);

static long countdown = -1; /* allocations until one fails; negative: none does */

static bool
fails(void)
{
	return countdown >= 0 && countdown-- == 0;
}

void *
__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t m)
{
	return fails() ? NULL : __real_calloc(n, m);
}

void *
__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

static void
test_file(const char *name)
{
	const char *top = getenv("srcdir");
	char path[4096];
	static char text[1 << 16];
	unsigned wrong = 0;
	bool read = false;
	long n;
	size_t size;
	FILE *f;

	snprintf(path, sizeof(path), "%s/tests/record/ptx/data/%s", top ? top : ".", name);
	f = fopen(path, "rb");
	size = f ? fread(text, 1, sizeof(text), f) : 0;
	if (f)
		fclose(f);
	for (n = 0; n < 100000 && !read; n++) {
		struct err e = {0};
		struct ast_module *m;

		countdown = n;
		m = ast_parse(name, text, size, &e);
		read = countdown >= 0; /* it needed fewer than n */
		countdown = -1;
		wrong += read ? !m : m || strcmp(e.msg, "out of memory") != 0;
		ast_free(m);
	}
	ok(read && n > 10 && wrong == 0, "%s: %ld allocations, each may fail", name, n - 1);
}

int
main(void)
{
	test_file("hand-rare.ptx");
	test_file("hand-init.ptx");
	test_file("hand-scopes.ptx");
	return done();
}
