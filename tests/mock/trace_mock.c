/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_mock.c - a trace for the toy machine: any file that exists opens, its content is ignored.
 *
 * Only what the front ends call before a sim exists; the toy machine brings its own kernels.
 */
#include "trace/trace.h"

#include <stdlib.h>
#include <unistd.h>

struct trace {
	struct trace_info info;
};

struct trace *
trace_open(const char *path, struct err *e)
{
	struct trace *t;

	if (access(path, R_OK) != 0) {
		err_set(e, "cannot open trace '%s'", path);
		return NULL;
	}
	t = calloc(1, sizeof(*t));
	if (!t)
		err_set(e, "out of memory");
	return t;
}

void
trace_close(struct trace *t)
{
	free(t);
}

const struct trace_info *
trace_info(const struct trace *t)
{
	return &t->info;
}

int
trace_convert(const char *in, const char *out, struct err *e)
{
	return err_set(e, "the toy machine does not convert '%s' to '%s'", in, out);
}

int
trace_check(const char *path, FILE *to, struct err *e)
{
	struct trace *t = trace_open(path, e);

	if (!t)
		return -1;
	trace_close(t);
	fprintf(to, "%s: a toy\n", path);
	return 0;
}

void
trace_print_info(const struct trace *t, FILE *to)
{
	fprintf(to, "%u kernels\n", t->info.n_kernels);
}

int
trace_dump(struct trace *t ATTR_UNUSED, const struct trace_range *range ATTR_UNUSED, FILE *to,
	   struct err *e ATTR_UNUSED)
{
	fprintf(to, "nothing\n");
	return 0;
}

/* The toy machine records nothing: the first of these says so, the others are never reached. */
struct trace_writer *
trace_writer_new(const char *path, struct err *e)
{
	err_set(e, "the toy machine does not record '%s'", path);
	return NULL;
}

void
trace_writer_abort(struct trace_writer *w ATTR_UNUSED)
{
}

int
trace_writer_commit(struct trace_writer *w ATTR_UNUSED, struct err *e)
{
	return err_set(e, "the toy machine does not record");
}

int
trace_writer_kernel(struct trace_writer *w ATTR_UNUSED,
		    const struct trace_kernel_desc *d ATTR_UNUSED, struct err *e)
{
	return trace_writer_commit(NULL, e);
}

int
trace_writer_file(struct trace_writer *w ATTR_UNUSED, const char *name ATTR_UNUSED,
		  uint32_t *file ATTR_UNUSED, struct err *e)
{
	return trace_writer_commit(NULL, e);
}

int
trace_writer_inst(struct trace_writer *w ATTR_UNUSED, const struct trace_inst_desc *d ATTR_UNUSED,
		  uint32_t *inst ATTR_UNUSED, struct err *e)
{
	return trace_writer_commit(NULL, e);
}

int
trace_writer_cta(struct trace_writer *w ATTR_UNUSED, const uint32_t xyz[3] ATTR_UNUSED,
		 struct err *e)
{
	return trace_writer_commit(NULL, e);
}

int
trace_writer_record(struct trace_writer *w ATTR_UNUSED, uint32_t warp ATTR_UNUSED,
		    uint32_t inst ATTR_UNUSED, uint32_t mask ATTR_UNUSED,
		    const uint64_t *lane ATTR_UNUSED, struct err *e)
{
	return trace_writer_commit(NULL, e);
}

int
trace_writer_end_cta(struct trace_writer *w ATTR_UNUSED, struct err *e)
{
	return trace_writer_commit(NULL, e);
}

int
trace_writer_end_kernel(struct trace_writer *w ATTR_UNUSED, struct err *e)
{
	return trace_writer_commit(NULL, e);
}
