/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cast.h - a recording of a terminal, as asciicast version 2: a header, then a line for all that
 * was shown at one time. asciinema and its player for web pages show it.
 *
 * It is written beside the file and takes its place when it ends.
 */
#ifndef SESSION_CAST_H
#define SESSION_CAST_H

#include "ctascope/err.h"

struct cast;

struct cast *cast_open(const char *path, unsigned columns, unsigned rows, const char *title,
		       struct err *e);
/* What the terminal gets; a character may come in pieces. A '\n' is not a line end: that is "\r\n".
 */
void cast_add(struct cast *c, const char *bytes, size_t n);
void cast_size(struct cast *c, unsigned columns, unsigned rows); /* from now on */
const char *cast_path(const struct cast *c);
/* Frees it. -1 with e: it could not be written, an old file is as it was. NULL is fine. */
int cast_close(struct cast *c, struct err *e);

#endif
