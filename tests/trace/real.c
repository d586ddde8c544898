/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * real.c - every trace of a folder of reference traces, if there is one (captures.h): it loads,
 * decodes, and survives conversion to .ctr and back unchanged. Captures with damaged headers (a
 * name with "corrupt") must be rejected.
 */
#include "base/clock.h"
#include "tests/captures.h"
#include "tests/tap.h"

#include "trace/trace.h"
#include "trace/trace_obj.h"

#include <dirent.h>
#include <unistd.h>

/* Decodes everything; returns the number of records. */
static uint64_t
decode_all(struct trace *t)
{
	uint64_t n = 0, cta;
	uint32_t k, w;

	trace_set_cache(t, 0);
	for (k = 0; k < trace_info(t)->n_kernels; k++)
		for (cta = 0; cta < trace_info(t)->kernel[k].n_cta; cta++) {
			const struct cta_trace *c = trace_pin(t, k, cta, NULL);

			for (w = 0; c && w < c->n_warps; w++)
				n += c->warp[w].n;
			trace_unpin(t, k, c);
		}
	return n;
}

static uint64_t
work(const struct trace *t)
{
	uint64_t n = 0;
	uint32_t k;

	for (k = 0; k < trace_info(t)->n_kernels; k++)
		n += trace_info(t)->kernel[k].warp_insts;
	return n;
}

static void
one(const char *dir, const char *name, const char *ctr)
{
	double start = clock_seconds(), opened, decoded;
	struct err e = {0};
	char path[8192];
	struct trace *t, *u;
	uint64_t n;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	t = trace_open(path, &e);
	opened = clock_seconds();
	if (strstr(name, "corrupt")) {
		ok(!t && e.file[0] && e.line, "%s is refused", name);
		err_print(&e, "#", stdout);
		trace_close(t);
		return;
	}
	if (!ok(t, "%s loads", name)) {
		err_print(&e, "#", stdout);
		return;
	}
	n = decode_all(t);
	decoded = clock_seconds();
	is_u64(n, work(t), "%s decodes to all its instructions", name);
	ok(trace_convert(path, ctr, &e) == 0, "%s as .ctr", name);
	u = trace_open(ctr, &e);
	ok(u && trace_info(u)->digest == trace_info(t)->digest && decode_all(u) == n,
	   "%s is the same there", name);
	diag("%s: opened in %.3f s, %.1f ns per record decoded, %.3f bytes per record encoded",
	     name, opened - start, (decoded - opened) * 1e9 / (double)(n + 1),
	     (double)t->kern[0]->off[t->kern[0]->n_cta] / (double)t->kern[0]->pub.warp_insts);
	trace_close(u);
	trace_close(t);
}

int
main(void)
{
	char folder[4096];
	const char *dir = captures_folder(folder, sizeof(folder));
	char ctr[64] = "/tmp/trace-real-XXXXXX";
	struct dirent **list;
	int n, i, fd;

	n = scandir(dir, &list, NULL, alphasort);
	if (n < 0) {
		printf("1..0 # SKIP no folder of reference traces\n");
		return 0;
	}
	fd = mkstemp(ctr);
	if (fd < 0)
		return 99;
	close(fd);
	unlink(ctr);
	strcat(ctr, ".ctr");
	for (i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.')
			one(dir, list[i]->d_name, ctr);
		free(list[i]);
	}
	free(list);
	unlink(ctr);
	ok(true, "the folder was read");
	return done();
}
