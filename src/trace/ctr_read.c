/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ctr_read.c - the native format; not read yet by this revision, which says so. */
#include "trace/trace_obj.h"

struct trace *
ctr_open(const char *path, struct err *e)
{
	err_set(e, "'%s' is a .ctr file, which this revision does not read", path);
	return NULL;
}

void
ctr_close(struct ctr *c)
{
	(void)c;
}

const uint8_t *
ctr_bytes(struct ctr *c, const struct kern *k, uint64_t cta, size_t *n, struct err *e)
{
	(void)c, (void)k, (void)cta, (void)n;
	err_set(e, "no .ctr file is open");
	return NULL;
}
