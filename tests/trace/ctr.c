/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctr.c - files: text to .ctr and back without a changed byte, every compression, damage of every
 * byte is detected, and a file is written completely or not at all.
 */
#include "tests/tap.h"

#include "base/strbuf.h"
#include "trace/ctr.h"
#include "trace/trace.h"
#include "trace/trace_build.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];
static char path_buf[8][4200];

/* A path in the scratch folder; up to 8 at a time. */
static const char *
in_dir(const char *name)
{
	static unsigned turn;
	char *p = path_buf[turn++ % 8];

	snprintf(p, sizeof(path_buf[0]), "%s/%s", dir, name);
	return p;
}

static const char *
data(const char *name)
{
	static unsigned turn;
	static char buf[4][4200];
	const char *top = getenv("srcdir");
	char *p = buf[turn++ % 4];

	snprintf(p, sizeof(buf[0]), "%s/tests/trace/data/%s", top ? top : ".", name);
	return p;
}

static char *
slurp(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	struct strbuf s = {0};
	char buf[4096];
	size_t got;

	*n = 0;
	if (!f)
		return NULL;
	while ((got = fread(buf, 1, sizeof(buf), f)) > 0)
		sb_add(&s, buf, got);
	fclose(f);
	*n = s.n;
	return sb_take(&s);
}

static void
spill(const char *path, const char *p, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (f) {
		fwrite(p, 1, n, f);
		fclose(f);
	}
}

static bool
same_files(const char *a, const char *b)
{
	size_t n, m;
	char *p = slurp(a, &n), *q = slurp(b, &m);
	bool same = p && q && n == m && memcmp(p, q, n) == 0;

	free(p);
	free(q);
	return same;
}

static uint64_t
digest(const char *path)
{
	struct err e = {0};
	struct trace *t = trace_open(path, &e);
	uint64_t d = t ? trace_info(t)->digest : 0;

	if (!t)
		diag("%s: %s", path, e.msg);
	trace_close(t);
	return d;
}

static bool
convert(const char *from, const char *to)
{
	struct err e = {0};
	int r = trace_convert(from, to, &e);

	if (r)
		diag("%s to %s: %s", from, to, e.msg);
	return r == 0;
}

static void
test_round_trips(void)
{
	static const char *const texts[] = {"modes.traceg", "v2.traceg", "v4-lines.traceg",
					    "v5-immediates.traceg"};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *from = data(texts[i]);

		ok(convert(from, in_dir("a.ctr")) && convert(in_dir("a.ctr"), in_dir("a.traceg")) &&
			   same_files(from, in_dir("a.traceg")),
		   "%s to .ctr and back is the same text", texts[i]);
		ok(convert(in_dir("a.traceg"), in_dir("b.ctr")) &&
			   same_files(in_dir("a.ctr"), in_dir("b.ctr")),
		   "and its .ctr the same bytes");
		is_u64(digest(in_dir("a.ctr")), digest(from), "one digest for both");
	}
	ok(convert(data("v1-mixed.traceg"), in_dir("a.ctr")) &&
		   convert(in_dir("a.ctr"), in_dir("a.traceg")) &&
		   digest(in_dir("a.traceg")) == digest(in_dir("a.ctr")),
	   "mixed warps are written in order");
	ok(convert(data("kernelslist.g"), in_dir("l.ctr")) &&
		   convert(in_dir("l.ctr"), in_dir("l/")) &&
		   convert(in_dir("l/kernelslist.g"), in_dir("m.ctr")) &&
		   same_files(in_dir("l.ctr"), in_dir("m.ctr")),
	   "a list with six kernels to .ctr, to a directory, to .ctr");
	ok(same_files(data("modes.traceg"), in_dir("l/modes.traceg")),
	   "kernels keep their file names");
	is_u64(digest(in_dir("l")), digest(data("kernelslist.g")),
	       "a directory is its kernelslist.g");
	ok(convert(in_dir("m.ctr"), in_dir("m.ctr")) &&
		   same_files(in_dir("l.ctr"), in_dir("m.ctr")),
	   "a file converted onto itself");
}

static void
test_compressions(void)
{
	static const char *const end[] = {"xz", "gz", "zst"};
	char name[40], cut[40];
	struct err e = {0};
	size_t i, n, m;

	for (i = 0; i < 3; i++) {
		const char *path;
		unsigned bad = 0;
		char *p;

		snprintf(name, sizeof(name), "c.traceg.%s", end[i]);
		snprintf(cut, sizeof(cut), "cut.%s", end[i]);
		ok(convert(data("modes.traceg"), in_dir(name)), "written as .%s", end[i]);
		path = in_dir(name);
		is_u64(digest(path), digest(data("modes.traceg")), ".%s reads the same", end[i]);
		p = slurp(path, &n);
		for (m = 1; m < n; m++) {
			struct trace *t;

			e = (struct err){0};
			spill(in_dir(cut), p, m);
			t = trace_open(in_dir(cut), &e);
			bad += t || !e.set;
			trace_close(t);
		}
		is_u64(bad, 0, "a truncated .%s is refused wherever it ends", end[i]);
		spill(in_dir("two"), p, n); /* twice the stream: twice the kernel's text */
		{
			FILE *f = fopen(in_dir("two"), "ab");
			struct trace *t;

			if (f) {
				fwrite(p, 1, n, f);
				fclose(f);
			}
			e = (struct err){0};
			t = trace_open(in_dir("two"), &e);
			ok(!t && strstr(e.msg, "expected #BEGIN_TB"),
			   "two .%s streams are one text", end[i]);
			trace_close(t);
		}
		free(p);
	}
	spill(in_dir("list.g"), "k.traceg\n", 9);
	ok(convert(data("modes.traceg"), in_dir("k.traceg.zst")) && digest(in_dir("list.g")) != 0,
	   "a list finds a kernel that was compressed since");
}

/* Any single changed byte is noticed, at the latest by a check; nothing crashes on the way. */
static void
test_damage(void)
{
	const char *path = in_dir("d.ctr"), *bad = in_dir("bad.ctr");
	FILE *null = fopen("/dev/null", "w");
	unsigned missed = 0, mute = 0;
	struct err e = {0};
	size_t n, i;
	char *p;

	ok(convert(data("modes.traceg"), path), "a .ctr to damage");
	p = slurp(path, &n);
	for (i = 0; i < n; i++) {
		p[i] ^= (char)(1 << i % 8);
		e = (struct err){0};
		spill(bad, p, n);
		missed += trace_check(bad, null, &e) == 0;
		mute += !e.set || !e.file[0];
		p[i] ^= (char)(1 << i % 8);
	}
	is_u64(missed, 0, "a flipped bit in any of %zu bytes is found", n);
	diag("%u errors name no file", mute);
	missed = 0;
	for (i = 0; i < n; i++) {
		spill(bad, p, i);
		e = (struct err){0};
		missed += trace_check(bad, null, &e) == 0;
	}
	is_u64(missed, 0, "so is every truncation");
	put_le((uint8_t *)p + 8, 2, 4);
	put_le((uint8_t *)p + 24, hash64(p, 24, CTR_HASH_SEED), 8);
	spill(bad, p, n);
	e = (struct err){0};
	ok(trace_check(bad, null, &e) && strstr(e.msg, "version 2 with feature flags 0x0 is newer"),
	   "a later version is refused by name");
	if (null)
		fclose(null);
	free(p);
}

/* A damaged block is reported only when it is pinned. */
static void
test_late_damage(void)
{
	const char *path = in_dir("late.ctr");
	struct err e = {0};
	struct trace *t;
	size_t n;
	char *p;

	ok(convert(data("modes.traceg"), path), "one block");
	p = slurp(path, &n);
	p[CTR_HEAD + 12] ^= 1;
	spill(path, p, n);
	t = trace_open(path, &e);
	ok(t, "opens: only the tables are read");
	if (t) {
		ok(!trace_pin(t, 0, 0, &e) && strstr(e.msg, "the block is damaged") &&
			   e.offset == CTR_HEAD,
		   "the pin says where: %s", e.msg);
	}
	trace_close(t);
	free(p);
}

static void
test_refusals(void)
{
	struct err e = {0};
	struct dirent *d;
	unsigned left = 0;
	DIR *list;

	ok(trace_convert(data("kernelslist.g"), in_dir("x.traceg"), &e) &&
		   strstr(e.msg, "holds only one kernel"),
	   "six kernels do not fit a .traceg");
	ok(trace_convert(data("modes.traceg"), in_dir("x.txt"), &e) &&
		   strstr(e.msg, "cannot tell what to write"),
	   "an unknown kind of file");
	ok(trace_convert(data("modes.traceg"), in_dir("no/such/x.ctr"), &e) &&
		   strstr(e.msg, "cannot write"),
	   "a folder that is not there");
	list = opendir(dir);
	while (list && (d = readdir(list)) != NULL)
		left += strstr(d->d_name, ".tmp") != NULL;
	if (list)
		closedir(list);
	is_u64(left, 0, "no temporary file is left");
}

/* Printed to a file that is read back. */
static char *
printed(const char *path, const struct trace_range *range, bool info, struct err *e)
{
	struct trace *t = trace_open(path, e);
	FILE *f = fopen(in_dir("printed"), "w");
	int r = t && f ? 0 : -1;
	size_t n;

	if (r == 0 && info)
		trace_print_info(t, f);
	else if (r == 0)
		r = trace_dump(t, range, f, e);
	if (f)
		fclose(f);
	trace_close(t);
	return r ? NULL : slurp(in_dir("printed"), &n);
}

static void
test_printing(void)
{
	static const struct {
		struct trace_range range;
		const char *msg;
	} beyond[] = {
		{{.kernel = 1, .warp = -1}, "the trace has only 1 kernel"},
		{{.cta = 2, .warp = -1}, "kernel 1 has only 2 thread blocks"},
		{{.warp = 2}, "kernel 1 has only 2 warps"},
	};
	struct trace_range one = {.n_kernels = 1, .cta = 1, .n_ctas = 1, .warp = 1};
	const char *path = data("modes.traceg");
	struct err e = {0};
	char *s = printed(path, &one, false, &e);
	size_t i;

	is_str(s,
	       "kernel 1 block 1,0,0 warp 1: 2 instructions\n"
	       "     0  0010  ffffffff  load    LDG.E.SYS R4, [R2]  0x7fff00009000 +4\n"
	       "     1  0080  ffffffff  exit    EXIT\n",
	       "one warp as text");
	free(s);
	s = printed(path, NULL, false, &e);
	ok(s && strstr(s, "0x7fff00001000 0x7fff00002000 0x7fff00001000 0x7fff00000100\n"),
	   "all of it, with lists of addresses");
	free(s);
	for (i = 0; i < sizeof(beyond) / sizeof(beyond[0]); i++) {
		s = printed(path, &beyond[i].range, false, &e);
		ok(!s && strstr(e.msg, beyond[i].msg), "beyond the trace: %s", e.msg);
		free(s);
	}
	s = printed(path, NULL, true, &e);
	ok(s && strstr(s, "1 kernel, 0 copies to the device") && strstr(s, "version 70 (Volta)") &&
		   strstr(s, "2 x 1 x 1 = 2 thread blocks of 64 x 1 x 1 = 64 threads") &&
		   strstr(s, "11 warp instructions (9 different)"),
	   "what a trace holds");
	free(s);
}

/* ---- recording ---- */

static int
collect(struct trace_writer *w, uint32_t cta, uint32_t ld, uint32_t ex, struct err *e)
{
	uint64_t lane[WARP_SIZE];

	if (trace_writer_cta(w, (uint32_t[]){cta, 0, 0}, e))
		return -1;
	for (uint32_t warp = 0; warp < 2; warp++) {
		for (uint32_t i = 0; i < 32; i++)
			lane[i] = 0x1000 + cta * 128 + (i * 37 + warp * 11) % 32 * 4;
		if (trace_writer_record(w, warp, ld, UINT32_MAX, lane, e) ||
		    trace_writer_record(w, warp, ex, UINT32_MAX, NULL, e))
			return -1;
	}
	return trace_writer_end_cta(w, e);
}

/* Collects two at a time, the later one first. */
static int
collect_pairs(struct trace_writer *w, uint32_t n, uint32_t ld, uint32_t ex, struct err *e)
{
	struct trace_writer *a = trace_writer_beside(w, e), *b = trace_writer_beside(w, e);
	struct trace_pack *first, *second;
	int rc = a && b ? 0 : -1;

	for (uint32_t cta = 0; cta < n && !rc; cta += 2) {
		rc = collect(b, cta + 1, ld, ex, e) || collect(a, cta, ld, ex, e);
		second = trace_writer_pack(b, e);
		first = trace_writer_pack(a, e);
		rc = rc || trace_writer_put(w, first, e) || trace_writer_put(w, second, e);
	}
	trace_writer_abort(a);
	trace_writer_abort(b);
	return rc ? -1 : 0;
}

static int
record(struct trace_writer *w, bool beside, struct err *e)
{
	struct trace_kernel_desc k = {.name = "scale", .grid = {200}, .block = {64}, .regs = 16};
	struct trace_inst_desc load = {
		.opcode = "LDG.E", .n_dst = 1, .dst = {4}, .n_src = 1, .src = {2}};
	struct trace_inst_desc end = {.pc = 16, .opcode = "EXIT", .line = 9};
	uint32_t ld, ex, cta;

	if (trace_writer_copy(w, 0x1000, 25600, e) || trace_writer_kernel(w, &k, e) ||
	    trace_writer_file(w, "scale.cu", &load.file, e))
		return -1;
	load.line = 7;
	end.file = load.file;
	if (trace_writer_inst(w, &load, &ld, e) || trace_writer_inst(w, &end, &ex, e))
		return -1;
	if (beside && collect_pairs(w, 200, ld, ex, e))
		return -1;
	for (cta = 0; cta < 200 && !beside; cta++)
		if (collect(w, cta, ld, ex, e))
			return -1;
	return trace_writer_end_kernel(w, e);
}

/* Records a kernel with one of its blocks, large enough for a block of the file. */
static int
record_part(struct trace_writer *w, struct err *e)
{
	struct trace_kernel_desc k = {.name = "part", .grid = {4}, .block = {32}};
	struct trace_inst_desc load = {
		.opcode = "LDG.E", .n_dst = 1, .dst = {4}, .n_src = 1, .src = {2}};
	uint64_t lane[WARP_SIZE], x = 1;
	uint32_t ld;

	if (trace_writer_kernel(w, &k, e) || trace_writer_inst(w, &load, &ld, e) ||
	    trace_writer_cta(w, (uint32_t[]){0, 0, 0}, e))
		return -1;
	for (unsigned n = 0; n < 20000; n++) {
		for (unsigned i = 0; i < WARP_SIZE; i++)
			lane[i] = (x = x * 6364136223846793005u + 1) >> 20;
		if (trace_writer_record(w, 0, ld, UINT32_MAX, lane, e))
			return -1;
	}
	if (trace_writer_end_cta(w, e))
		return -1;
	return trace_writer_cta(w, (uint32_t[]){1, 0, 0}, e);
}

static void
test_dropped(void)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(in_dir("drop.ctr"), &e);
	FILE *null = fopen("/dev/null", "w");
	struct trace *t;

	ok(w && record(w, false, &e) == 0 && record_part(w, &e) == 0,
	   "a kernel and part of another");
	ok(trace_writer_drop_kernel(w, &e) == 0 && record(w, false, &e) == 0 &&
		   trace_writer_commit(w, &e) == 0,
	   "the part is dropped, another follows");
	ok(trace_check(in_dir("drop.ctr"), null, &e) == 0, "the file is sound: %s", e.msg);
	t = trace_open(in_dir("drop.ctr"), &e);
	ok(t && trace_info(t)->n_kernels == 2 && trace_info(t)->kernel[1].n_cta == 200 &&
		   trace_pin(t, 1, 199, &e),
	   "with the whole ones");
	trace_close(t);
	w = trace_writer_new(in_dir("drop.ctr"), &e);
	ok(w && record(w, false, &e) == 0, "with none open");
	ok(trace_writer_drop_kernel(w, &e) == 0 && trace_writer_commit(w, &e) == 0,
	   "nothing is dropped");
	if (null)
		fclose(null);
}

/* Several threads collect, and the result is the same trace. A generic access that needs another
 * row than the kernel has is rejected there. */
static void
test_beside(void)
{
	struct trace_kernel_desc k = {.grid = {2}, .block = {32}, .shmem_base = 1ull << 40};
	struct trace_inst_desc load = {.opcode = "LD.E", .n_dst = 1, .n_src = 1};
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(in_dir("b.ctr"), &e), *b = NULL;
	size_t n = 0, m = 0;
	char *one, *other;
	uint32_t row = 0;

	ok(w && record(w, true, &e) == 0 && trace_writer_commit(w, &e) == 0,
	   "blocks collected beside each other: %s", e.msg);
	one = slurp(in_dir("r.ctr"), &n);
	other = slurp(in_dir("b.ctr"), &m);
	ok(one && other && n == m && memcmp(one, other, n) == 0, "the same bytes");
	free(one);
	free(other);
	w = trace_writer_new(NULL, &e);
	ok(trace_writer_beside(w, &e) == NULL && strstr(e.msg, "no kernel"), "only in a kernel");
	err_clear(&e);
	ok(trace_writer_kernel(w, &k, &e) == 0 && trace_writer_inst(w, &load, &row, &e) == 0 &&
		   (b = trace_writer_beside(w, &e)) &&
		   trace_writer_cta(b, (uint32_t[]){0, 0, 0}, &e) == 0,
	   "a generic load: %s", e.msg);
	ok(trace_writer_stride(b, 0, row, 1, 64, 0, &e) == 0, "to global memory");
	ok(trace_writer_stride(b, 0, row, 1, 1ull << 40, 0, &e) && strstr(e.msg, "no row yet"),
	   "to shared memory: %s", e.msg);
	trace_writer_abort(b);
	trace_writer_abort(w);
}

static void
test_recording(void)
{
	struct err e = {0};
	struct trace_writer *w = trace_writer_new(in_dir("r.ctr"), &e);
	FILE *null = fopen("/dev/null", "w");
	struct trace *t;
	int r;

	ok(w && record(w, false, &e) == 0, "two hundred blocks recorded");
	ok(access(in_dir("r.ctr"), F_OK) != 0, "no file before the commit");
	r = trace_writer_commit(w, &e);
	ok(r == 0 && trace_check(in_dir("r.ctr"), null, &e) == 0, "the file is sound");
	t = trace_open(in_dir("r.ctr"), &e);
	if (ok(t, "and opens")) {
		const struct trace_kernel *k = &trace_info(t)->kernel[0];
		const struct cta_trace *c = trace_pin(t, 0, 150, &e);
		uint64_t lane[WARP_SIZE];

		ok(k->n_files == 1 && strcmp(k->files[k->inst[0].file - 1], "scale.cu") == 0 &&
			   k->inst[0].line == 7,
		   "source lines are there");
		ok(c && trace_lanes(c, &c->warp[1].rec[0], lane) == UINT32_MAX &&
			   lane[3] == 0x1000 + 150 * 128 + (3 * 37 + 11) % 32 * 4,
		   "so are the addresses");
		is_u64(k->class_warp_insts[OP_LOAD], 400, "loads are counted");
	}
	trace_close(t);
	ok(convert(in_dir("r.ctr"), in_dir("r/")) && digest(in_dir("r/")) != 0, "as text too");
	w = trace_writer_new(in_dir("never.ctr"), &e);
	ok(w && record(w, false, &e) == 0, "recorded again");
	trace_writer_abort(w);
	ok(access(in_dir("never.ctr"), F_OK) != 0, "an aborted recording leaves nothing");
	w = trace_writer_new(in_dir("never.ctr"), &e);
	trace_writer_kernel(w, &(struct trace_kernel_desc){.grid = {2}, .block = {32}}, &e);
	ok(trace_writer_end_kernel(w, &e) && strstr(e.msg, "0 of the 2 thread blocks"),
	   "a kernel without its blocks is refused");
	ok(trace_writer_commit(w, &e) && access(in_dir("never.ctr"), F_OK) != 0,
	   "and so is its file");
	if (null)
		fclose(null);
}

static void
remove_all(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *f;
	char sub[4096];

	while (d && (f = readdir(d)) != NULL)
		if (strcmp(f->d_name, ".") != 0 && strcmp(f->d_name, "..") != 0 &&
		    snprintf(sub, sizeof(sub), "%s/%s", path, f->d_name) < (int)sizeof(sub) &&
		    unlink(sub) != 0)
			remove_all(sub);
	if (d)
		closedir(d);
	rmdir(path);
}

int
main(void)
{
	strcpy(dir, "/tmp/trace-test-XXXXXX");
	if (!mkdtemp(dir))
		return 99;
	test_round_trips();
	test_compressions();
	test_damage();
	test_late_damage();
	test_refusals();
	test_printing();
	test_recording();
	test_dropped();
	test_beside();
	remove_all(dir);
	return done();
}
