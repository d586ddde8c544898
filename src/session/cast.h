/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cast.h - records a terminal as asciicast version 2: a header, then a line for each piece of
 * output. asciinema and its player for web pages show such files.
 *
 * The recording goes to a temporary file, which replaces the named one when the recording ends.
 */
#ifndef SESSION_CAST_H
#define SESSION_CAST_H

#include "ctascope/err.h"

struct cast;

struct cast *cast_open(const char *path, unsigned columns, unsigned rows, const char *title,
		       struct err *e);
/*
 * Adds output of the terminal. A character may arrive in pieces. A line must end in "\r
 * ", since '
 * ' alone does not return to the first column.
 */
void cast_add(struct cast *c, const char *bytes, size_t n);
/* Changes the size from now on. */
void cast_size(struct cast *c, unsigned columns, unsigned rows);
const char *cast_path(const struct cast *c);
/* Frees the recording; accepts NULL. Returns -1 with e if it could not be written; an old file is
 * then unchanged. */
int cast_close(struct cast *c, struct err *e);

#endif
