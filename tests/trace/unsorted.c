/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unsorted.c - the tracer's own files: records of all warps mixed, each with its block and warp, in
 * version 6 with its cluster too. They give the kernel that the sorted text gives.
 */
#include "tests/tap.h"
#include "tests/trace/replaced.h"

#include "trace/trace.h"
#include "trace/trace_build.h"

#include <sys/stat.h>
#include <unistd.h>

#define HEAD(version)                                                                          \
	"-kernel name = k\n-kernel id = 7\n-grid dim = (2,1,1)\n-block dim = (40,1,1)\n"       \
	"-shmem = 256\n-nregs = 16\n-binary version = 80\n-accelsim tracer version = " version \
	"\n-enable lineinfo = 0\n\n#traces format = x\n\n"

static const char sorted[] =
	HEAD("5") "\n"
		  "\n#BEGIN_TB\n\nthread block = 0,0,0\n"
		  "\nwarp = 0\ninsts = 4\n"
		  "0000 ffffffff 1 R2 S2R 0 0 0\n"
		  "0010 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R2 16 1 0x7f0000001000 16 0\n"
		  "0010 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R2 16 1 0x7f0000002000 16 0\n"
		  "0030 ffffffff 0 EXIT 0 0 0\n"
		  "\nwarp = 1\ninsts = 2\n"
		  "0020 000000ff 1 R3 LDG.E 1 R2 4 2 0x7f0000003000 4 4 8 -4 4 4 4 0\n"
		  "0030 000000ff 0 EXIT 0 0 0\n"
		  "\n#END_TB\n"
		  "\n#BEGIN_TB\n\nthread block = 1,0,0\n"
		  "\nwarp = 0\ninsts = 1\n"
		  "0030 ffffffff 0 EXIT 0 0 0\n"
		  "\nwarp = 1\ninsts = 0\n"
		  "\n#END_TB\n";

static const char mixed5[] =
	HEAD("5") "1 0 0 0 0030 ffffffff 0 EXIT 0 0 0\n"
		  "0 0 0 1 0020 000000ff 1 R3 LDG.E 1 R2 4 2 0x7f0000003000 4 4 8 -4 4 4 4 0\n"
		  "0 0 0 0 0000 ffffffff 1 R2 S2R 0 0 0\n"
		  "0 0 0 0 0010 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R2 16 1 0x7f8000000000 16 0\n"
		  "0 0 0 1 0030 000000ff 0 EXIT 0 0 0\n"
		  "0 0 0 0 0010 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R2 16 1 0x7f0000001000 16 0\n"
		  "0 0 0 0 0010 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R2 16 1 0x7f8000000100 16 0\n"
		  "0 0 0 0 0010 ffffffff 0 LDGSTS.E.BYPASS.128 2 R4 R2 16 1 0x7f0000002000 16 0\n"
		  "0 0 0 0 0030 ffffffff 0 EXIT 0 0 0\n";

static const char mixed6[] = HEAD("6") "1 0 0 0 0 0 0 1 0 0 1 0030 ffffffff 0 EXIT 0 0 0 0 NoVal\n"
				       "0 0 0 1 0 0 0 0 0 0 0 0020 000000ff 2 R3 P0 LDG.E 2 R2 UR4 "
				       "4 2 0x7f0000003000 4 4 8 -4 4 4 4 "
				       "0 0 Val 1 0x3f800000 1 1 1 2\n"
				       "0 0 0 0 0 0 0 0 0 0 0 0000 ffffffff 1 R2 S2R 0 0 0 NoVal\n"
				       "0 0 0 0 0 0 0 0 0 0 0 0010 ffffffff 0 LDGSTS.E.BYPASS.128 "
				       "3 R4 R2 URZ 16 1 0x7f8000000000 16 0 0 "
				       "NoVal\n"
				       "0 0 0 0 0 0 0 0 0 0 0 0010 ffffffff 0 LDGSTS.E.BYPASS.128 "
				       "3 R4 R2 URZ 16 1 0x7f0000001000 16 0 0 "
				       "NoVal\n"
				       "0 0 0 0 0 0 0 0 0 0 0 0010 ffffffff 0 LDGSTS.E.BYPASS.128 "
				       "3 R4 R2 URZ 16 1 0x7f8000000100 16 0 0 "
				       "NoVal\n"
				       "0 0 0 0 0 0 0 0 0 0 0 0010 ffffffff 0 LDGSTS.E.BYPASS.128 "
				       "3 R4 R2 URZ 16 1 0x7f0000002000 16 0 0 "
				       "NoVal\n"
				       "0 0 0 1 0 0 0 0 0 0 0 0030 000000ff 0 EXIT 0 0 0 0 NoVal\n"
				       "0 0 0 0 0 0 0 0 0 0 0 0030 ffffffff 0 EXIT 0 0 0 0 NoVal\n";

/* The sorted text of version 6: clusters of two blocks. */
static const char sorted6[] = HEAD("6") "\n"
					"\n#BEGIN_TB\n\nthread block = 0,0,0\ncluster id = "
					"0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n"
					"\nwarp = 0\ninsts = 1\n"
					"0030 ffffffff 0 EXIT 0 0 0 0 NoVal\n"
					"\nwarp = 1\ninsts = 1\n"
					"0030 000000ff 1 UP2 EXIT 2 PT R3 0 0 0 Val 1 1 1 1\n"
					"\n#END_TB\n"
					"\n#BEGIN_TB\n\nthread block = 1,0,0\ncluster id = "
					"0,0,0\ncluster cta = 1,0,0\ncluster rank = 1\n"
					"\nwarp = 0\ninsts = 1\n"
					"0030 ffffffff 0 EXIT 0 0 0 0 NoVal\n"
					"\n#END_TB\n";

/* What is wrong with mixed5 after one replacement. */
static const struct {
	const char *from, *to, *msg;
	uint64_t line;
} wrongs[] = {
	{"1 0 0 0 0030", "2 0 0 0 0030", "thread block number 2 is outside the grid (2,1,1)", 13},
	{"1 0 0 0 0030", "1 0 0 2 0030", "invalid warp '2': expected 0 to 1", 13},
	{"1 0 0 0 0030", "0 0 0 0 0030",
	 "the file has records of 1 thread blocks, but the grid (2,1,1) has 2", 21},
	{"0 0 0 1 0030", "0 0 x 1 0030", "expected the number of the thread block, which", 17},
	{"S2R", "S3R", "unknown opcode 'S3R' for binary version 80; did you mean SHR?", 15},
	{"S2R 0 0 0", "S2R 0 0 0 NoVal", "expected the end of the record, found 'NoVal'", 15},
	{"R2 S2R", "UR2 S2R", "expected a register such as R4, found 'UR2'", 15},
};

static uint64_t
digest_of(const char *text)
{
	struct err e = {0};
	struct trace *t = trace_from_text(text, &e);
	uint64_t digest = t ? trace_info(t)->digest : 0;

	if (!ok(t, "the text is a trace"))
		err_print(&e, "#", stdout);
	trace_close(t);
	return digest;
}

static void
test_same(void)
{
	struct err e = {0};
	struct trace *t = trace_from_text(sorted6, &e);

	is_u64(digest_of(mixed5), digest_of(sorted), "mixed records give the sorted kernel");
	is_u64(digest_of(mixed6), digest_of(sorted), "those of version 6, too");
	if (!ok(t, "the sorted text of version 6 is a trace"))
		err_print(&e, "#", stdout);
	else
		is_str(trace_info(t)->kernel[0].inst[1].text, "EXIT R3",
		       "registers that are not of a thread are left out");
	trace_close(t);
}

static void
test_wrong(void)
{
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		char *text = replaced(mixed5, wrongs[i].from, wrongs[i].to);
		struct err e = {0};
		struct trace *t = trace_from_text(text, &e);

		if (!ok(!t && strstr(e.msg, wrongs[i].msg), "refused: %s", wrongs[i].msg))
			diag("got: %s", e.msg);
		is_u64(e.line, wrongs[i].line, "at its line");
		trace_close(t);
		free(text);
	}
}

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ok(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s is written", path);
}

static bool
has_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "r");
	char buf[4096] = "";
	size_t n = f ? fread(buf, 1, sizeof(buf) - 1, f) : 0;

	if (f)
		fclose(f);
	buf[n] = '\0';
	return strcmp(buf, text) == 0;
}

/* What the watch was told. */
struct told {
	uint64_t read, sorted, wrong;
};

static void
on_progress(void *ctx, const char *what, const char *name, uint64_t done, uint64_t all)
{
	struct told *t = ctx;

	t->read += strcmp(what, "reading") == 0;
	t->sorted += strcmp(what, "sorting") == 0 && done < all && all == 2;
	t->wrong += done > all || !strstr(name, "/kernel-7");
}

/* A directory as the tracer leaves it: kernelslist and kernel-7.trace. It is written as the
 * tracer's tool would write it. */
static void
test_directory(void)
{
	char dir[] = "unsorted-XXXXXX", path[100], out[100];
	struct told told = {0};
	struct trace_watch watch = {.on_progress = on_progress, .ctx = &told};
	struct trace *t;
	struct err e = {0};

	if (!ok(mkdtemp(dir), "a directory"))
		return;
	snprintf(path, sizeof(path), "%s/kernelslist", dir);
	write_file(path, "MemcpyHtoD,0x00007f0000000000,64\nkernel-7-ctx_0x55.trace\n");
	snprintf(path, sizeof(path), "%s/kernel-7-ctx_0x55.trace", dir);
	write_file(path, mixed6);
	snprintf(out, sizeof(out), "%s/out", dir);
	mkdir(out, 0777);
	t = trace_open_watched(dir, &watch, &e);
	if (!ok(t && trace_write(t, out, &e) == 0, "the directory is converted"))
		err_print(&e, "#", stdout);
	trace_close(t);
	ok(told.read > 0 && told.wrong == 0, "the watch is told how much is read");
	is_u64(told.sorted, 2, "and how many blocks are sorted");
	snprintf(path, sizeof(path), "%s/out/kernel-7-ctx_0x55.traceg", dir);
	ok(has_text(path, sorted), "to the sorted text");
	unlink(path);
	snprintf(path, sizeof(path), "%s/out/kernelslist.g", dir);
	ok(has_text(path, "MemcpyHtoD,0x00007f0000000000,64\nkernel-7-ctx_0x55.traceg\n"),
	   "and its list");
	unlink(path);
	rmdir(out);
	snprintf(path, sizeof(path), "%s/kernelslist", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/kernel-7-ctx_0x55.trace", dir);
	unlink(path);
	rmdir(dir);
}

/* Newer tracers: a list for each context. */
static void
test_contexts(void)
{
	char dir[] = "contexts-XXXXXX", kernel[100], list[3][100];
	struct trace *t;
	struct err e = {0};

	if (!ok(mkdtemp(dir), "a directory"))
		return;
	snprintf(kernel, sizeof(kernel), "%s/kernel-7-ctx_0x55.trace", dir);
	write_file(kernel, mixed6);
	for (unsigned i = 0; i < 3; i++)
		snprintf(list[i], sizeof(list[i]), "%s/kernelslist_ctx_0x%u", dir, 55 + i);
	write_file(list[0], "");
	write_file(list[1], "kernel-7-ctx_0x55.trace\n");
	t = trace_open(dir, &e);
	ok(t && trace_info(t)->n_kernels == 1, "the only list with kernels: %s", e.msg);
	trace_close(t);
	write_file(list[2], "kernel-7-ctx_0x55.trace\n");
	ok(!trace_open(dir, &e) &&
		   strstr(e.msg, "has kernels of 2 contexts, a list for each; name "
				 "one of them, such as ") &&
		   strstr(e.msg, list[1]),
	   "two of them: %s", e.msg);
	t = trace_open(list[2], &e);
	ok(t, "one is named");
	trace_close(t);
	for (unsigned i = 0; i < 3; i++)
		unlink(list[i]);
	unlink(kernel);
	ok(!trace_open(dir, &e) && strstr(e.msg, "is a folder without a kernelslist.g"), "none: %s",
	   e.msg);
	rmdir(dir);
}

int
main(void)
{
	test_same();
	test_wrong();
	test_directory();
	test_contexts();
	return done();
}
