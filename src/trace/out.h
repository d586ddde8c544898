/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out.h - writes a file that appears only when it is complete, compressed if its name says so.
 */
#ifndef TRACE_OUT_H
#define TRACE_OUT_H

#include "ctascope/err.h"

struct out;

/* Opens a temporary file next to path. If by_name, a file whose name ends in .xz, .gz or .zst is
 * compressed. NULL with e filled. */
struct out *out_open(const char *path, bool by_name, struct err *e);
int out_write(struct out *o, const void *p, size_t n, struct err *e);
/* Truncates a file that is not compressed to its first n bytes. */
int out_cut(struct out *o, uint64_t n, struct err *e);
uint64_t out_offset(const struct out *o); /* bytes given to out_write so far */
/* Finishes the compression, writes everything to the disk and moves the file to its name. Frees o,
 * and on failure removes the temporary file. */
int out_commit(struct out *o, struct err *e);
void out_abort(struct out *o); /* leaves no file; NULL is fine */

#endif
