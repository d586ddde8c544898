/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oom.c - the n-th allocation fails, for every n: opening, pinning, converting and recording then
 * give an error and leak no memory (leaks show in sanitizer and valgrind builds).
 *
 * The linker redirects the calls of the library to those below (--wrap); the compression libraries
 * keep their own.
 */
#include "tests/tap.h"

#include "trace/trace.h"
#include "trace/trace_build.h"

#include <unistd.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t m);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *s);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t m);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);

static long countdown = -1; /* allocations until one fails; negative: none does */
static bool failed;

static bool
fails(void)
{
	if (countdown < 0 || countdown-- > 0)
		return false;
	failed = true;
	return true;
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

char *
__wrap_strdup(const char *s)
{
	return fails() ? NULL : __real_strdup(s);
}

static char source[4096], ctr[64], out[64];

static bool
open_and_pin(const char *path, struct err *e)
{
	struct trace *t = trace_open(path, e);
	const struct cta_trace *a = t ? trace_pin(t, 0, 0, e) : NULL;
	const struct cta_trace *b = a ? trace_pin(t, 0, 1, e) : NULL;
	bool good = b != NULL;

	trace_close(t);
	return good;
}

static bool
open_text(struct err *e)
{
	return open_and_pin(source, e);
}

/* Records that are not sorted. */
static bool
open_unsorted(struct err *e)
{
	struct trace *t =
		trace_from_text("-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n"
				"-shmem = 0\n-nregs = 8\n-binary version = 80\n"
				"-accelsim tracer version = 5\n"
				"1 0 0 0 0000 00000007 1 R1 LDG.E 1 R2 4 2 0x100 8 4\n"
				"0 0 0 0 0010 ffffffff 0 EXIT 0 0\n"
				"1 0 0 0 0010 ffffffff 0 EXIT 0 0\n",
				e);

	trace_close(t);
	return t != NULL;
}

static bool
open_ctr(struct err *e)
{
	return open_and_pin(ctr, e);
}

static bool
convert_ctr(struct err *e)
{
	return trace_convert(source, out, e) == 0;
}

static bool
check_ctr(struct err *e)
{
	FILE *null = fopen("/dev/null", "w");
	bool good = null && trace_check(ctr, null, e) == 0;

	if (null)
		fclose(null);
	else
		err_set(e, "no /dev/null");
	return good;
}

static bool
build(struct err *e)
{
	struct tb *b = tb_new();
	struct trace *t;
	uint32_t ld;

	tb_kernel(b, "k", 2, 32, 8, 0, 70);
	ld = tb_inst(b, 0, "LDG.E", "R4", "R2");
	tb_emit(b, 0, 0, ld, 7, ADDR_STRIDE, 64, 4);
	tb_emit_lanes(b, 1, 0, ld, 5, (uint64_t[32]){1, 2, 3});
	t = tb_finish(b, e);
	trace_close(t);
	return t != NULL;
}

/* Records a thread block that is spilled, in memory and then in a file. */
static bool
spill(struct err *e)
{
	const struct trace_kernel_desc k = {.name = "k", .grid = {1}, .block = {64}};
	const struct trace_inst_desc load = {
		.opcode = "LDG.E", .n_dst = 1, .dst = {4}, .n_src = 1, .src = {2}};
	struct trace_writer *w = trace_writer_new(NULL, e);
	uint64_t lane[32];
	struct trace *t;
	uint32_t ld = 0;
	bool good;

	if (w)
		trace_writer_set_spill(w, NULL, 256);
	good = w && !trace_writer_kernel(w, &k, e) && !trace_writer_inst(w, &load, &ld, e) &&
	       !trace_writer_cta(w, (uint32_t[]){0, 0, 0}, e);
	for (uint64_t i = 0; i < 64 && good; i++) {
		for (uint64_t l = 0; l < 32; l++)
			lane[l] = i * 4096 + l * l * 4;
		good = !trace_writer_record(w, i % 2, ld, 0xf0f0, lane, e);
	}
	good = good && !trace_writer_end_cta(w, e) && !trace_writer_end_kernel(w, e);
	if (!good) {
		trace_writer_abort(w);
		return false;
	}
	t = trace_writer_trace(w, e);
	trace_close(t);
	return t != NULL;
}

static void
try_all(const char *what, bool (*work)(struct err *e))
{
	struct err e = {0};
	unsigned mute = 0, ignored = 0;
	long n;

	for (n = 0; n < 5000; n++) {
		bool good;

		e = (struct err){0};
		failed = false;
		countdown = n;
		good = work(&e);
		countdown = -1;
		if (!failed)
			break;
		mute += !good && !e.msg[0];
		ignored += good; /* possible: a cache that does not grow */
	}
	ok(n > 5 && n < 5000 && work(&e), "%s works when %ld allocations do", what, n);
	is_u64(mute, 0, "%s never fails without a message", what);
	diag("%s: %u failures did not matter", what, ignored);
}

int
main(void)
{
	const char *top = getenv("srcdir");
	struct err e = {0};
	int fd;

	snprintf(source, sizeof(source), "%s/tests/trace/data/modes.traceg", top ? top : ".");
	strcpy(ctr, "/tmp/trace-oom-XXXXXX");
	fd = mkstemp(ctr);
	if (fd < 0)
		return 99;
	close(fd);
	unlink(ctr);
	strcpy(out, ctr);
	strcat(out, ".out.ctr");
	strcat(ctr, ".ctr");
	ok(trace_convert(source, ctr, &e) == 0, "a .ctr to work with");
	try_all("opening text", open_text);
	try_all("sorting", open_unsorted);
	try_all("opening .ctr", open_ctr);
	try_all("converting", convert_ctr);
	try_all("checking", check_ctr);
	try_all("building", build);
	try_all("spilling", spill);
	unlink(ctr);
	unlink(out);
	return done();
}
