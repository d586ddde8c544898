/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * in.h - streams the lines of a text file. The file may be compressed with xz, gzip or zstd, which
 * its content tells.
 */
#ifndef TRACE_IN_H
#define TRACE_IN_H

#include "ctascope/err.h"

struct in;

/* Opens a regular file. NULL with e filled (naming the path). */
struct in *in_open(const char *path, struct err *e);
/* The same bytes from memory, borrowed until in_close; name is for messages. */
struct in *in_memory(const char *name, const void *p, size_t n, struct err *e);
void in_close(struct in *in);

struct trace_watch;
/* Reports to w, which is borrowed and may be NULL, how much of the file is read. */
void in_watch(struct in *in, const struct trace_watch *w);
/* Reports to the watch how much is done of what the file's content is needed for. */
void in_report(const struct in *in, const char *what, uint64_t done, uint64_t all);

/* Reads the next line, without its newline, NUL-terminated; *line is valid until the next call. 1:
 * a line; 0: the end; -1 with e filled: truncated or damaged compression, a line that is too long
 * or contains a NUL. */
int in_line(struct in *in, char **line, size_t *n, struct err *e);

/* Points *p at the next bytes, at most n, without consuming them; their number, or -1 on error. */
long in_peek(struct in *in, const char **p, size_t n, struct err *e);

uint64_t in_number(const struct in *in); /* of the line last returned, from 1 */
const char *in_name(const struct in *in);

#endif
