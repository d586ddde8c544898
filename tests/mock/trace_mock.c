/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace_mock.c - a trace for the toy machine: any file that exists opens, its content is ignored.
 *
 * Only what the front ends call before a sim exists; the toy machine brings its own kernels.
 */
#include "ctascope/trace.h"

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
