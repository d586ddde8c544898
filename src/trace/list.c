/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list.c - kernelslist.g: the program's actions, one per line.
 *
 *     MemcpyHtoD,0x00007fff00000000,65536
 *     kernel-1.traceg.xz
 *
 * The tracer's own list, kernelslist, names kernel-1.trace instead.
 *
 * Some tracers also write copies in other directions, which do not affect a replay: other lines
 * that begin with Memcpy are skipped, as in the reference simulator. Empty lines and '#' comments
 * are allowed. order.c reads the lines of streams, events and waits. Any other line must name a
 * kernel.
 */
#include "trace/trace_obj.h"
#include "trace/traceg.h"

#include <stdlib.h>
#include <string.h>

void
list_free(struct list *l)
{
	uint32_t i;

	for (i = 0; i < l->n; i++)
		free(l->entry[i].name);
	free(l->entry);
	*l = (struct list){0};
}

static struct list_entry *
add_entry(struct list *l)
{
	if (l->n == l->cap) {
		uint32_t cap = l->cap ? l->cap * 2 : 16;
		struct list_entry *p = realloc(l->entry, cap * sizeof(*p));

		if (!p)
			return NULL;
		l->entry = p;
		l->cap = cap;
	}
	l->entry[l->n] = (struct list_entry){0};
	return &l->entry[l->n++];
}

static int
report_expected(struct in *in, const char *line, const char *at, const char *what, struct err *e)
{
	int len = (int)strlen(at);

	return err_at(e, in_name(in), in_number(in), line, (int)(at - line), len,
		      "expected %s, found '%.*s%s'", what, MIN(len, 40), at, len > 40 ? "..." : "");
}

/* "MemcpyHtoD,0xADDRESS,BYTES" */
static int
parse_copy(struct in *in, const char *line, const char *p, struct list_entry *to, struct err *e)
{
	const char *at = p + strlen("MemcpyHtoD");

	if (*at != ',')
		return report_expected(in, line, p, "'MemcpyHtoD,0xADDRESS,BYTES'", e);
	p = at + 1;
	at = scan_hex(p[0] == '0' && p[1] == 'x' ? p + 2 : p, 16, &to->cmd.addr);
	if (!at || *at != ',')
		return report_expected(in, line, p, "an address such as 0x7fff00000000 and a comma",
				       e);
	p = at + 1;
	at = scan_dec(p, UINT64_MAX, &to->cmd.bytes);
	if (!at || *skip_blanks(at))
		return report_expected(in, line, p, "a number of bytes", e);
	to->cmd.kind = TRACE_MEMCPY_H2D;
	return 0;
}

static bool
names_kernel(const char *p, size_t n)
{
	static const char *const end[] = {".traceg", ".traceg.xz", ".traceg.gz", ".traceg.zst",
					  ".trace",  ".trace.xz",  ".trace.gz",	 ".trace.zst"};
	size_t i;

	if (strncmp(p, "kernel", 6) == 0)
		return true;
	for (i = 0; i < ARRAY_LEN(end); i++)
		if (n > strlen(end[i]) && strcmp(p + n - strlen(end[i]), end[i]) == 0)
			return true;
	return false;
}

int
list_read(struct in *in, struct list *l, struct err *e)
{
	struct list_entry *to;
	char *line;
	const char *expected;
	size_t n, len;
	int r, order;

	while ((r = in_line(in, &line, &n, e)) == 1) {
		const char *p = skip_blanks(line);

		trim_end(line);
		len = strlen(p);
		if (in_number(in) > TRACE_MAX_COMMANDS)
			return err_at(e, in_name(in), in_number(in), line, 0, 1,
				      "the list has more than %u lines", TRACE_MAX_COMMANDS);
		if (!*p || *p == '#')
			continue;
		if (strncmp(p, "Memcpy", 6) == 0 && strncmp(p, "MemcpyHtoD", 10) != 0)
			continue;
		to = add_entry(l);
		if (!to)
			return err_nomem(e);
		to->line = in_number(in);
		if (strncmp(p, "MemcpyHtoD", 10) == 0) {
			if (parse_copy(in, line, p, to, e))
				return -1;
			continue;
		}
		order = order_parse(p, &to->cmd, &expected);
		if (order < 0)
			return report_expected(in, line, p, expected, e);
		if (order)
			continue;
		if (len > 7 && strcmp(p + len - 7, ".tracez") == 0)
			return err_at(e, in_name(in), in_number(in), line, (int)(p - line),
				      (int)len, TRACEZ_REFUSED);
		if (!names_kernel(p, len))
			return report_expected(in, line, p,
					       "'MemcpyHtoD,...' or a kernel's file name such as "
					       "kernel-1.traceg",
					       e);
		to->cmd.kind = TRACE_KERNEL;
		to->name = strdup(p);
		if (!to->name)
			return err_nomem(e);
	}
	return r;
}
