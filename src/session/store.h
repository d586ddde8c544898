/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.h - private to src/session: a store is a set of named byte strings, its parts, kept in one
 * file. A file is written completely or not at all.
 *
 * A store that is being written borrows its parts. One that was read owns them, and store_free()
 * frees them. A part that was read ends in an additional NUL, so that it can be used as text.
 */
#ifndef SESSION_STORE_H
#define SESSION_STORE_H

#include "base/strbuf.h"
#include "base/textfile.h"
#include "ctascope/err.h"

#define STORE_PARTS 64
#define STORE_NAME 80 /* bytes for the name of a part, with its NUL */

struct store {
	struct store_part {
		char name[STORE_NAME];
		const char *bytes;
		size_t n;
	} part[STORE_PARTS];
	unsigned n_parts;
	struct strbuf memory; /* holds the parts that were read */
};

void store_free(struct store *s);
int store_add(struct store *s, const char *name, const char *bytes, size_t n, struct err *e);
/* NULL: there is none. */
const struct store_part *store_find(const struct store *s, const char *name);

/* Convert a store to the bytes of a file and back. Return -1 with e if memory ran out, or if the
 * bytes are no such file, are damaged, or come from a newer program. */
int store_pack(const struct store *s, struct strbuf *out, struct err *e);
int store_unpack(struct store *s, const void *bytes, size_t n, struct err *e);
/* Errors name the path. flags: enum output_flag. */
int store_write(const struct store *s, const char *path, unsigned flags, struct err *e);
/* Whether the path is that of a non-empty file that is not a store. */
bool store_would_destroy(const char *path);
/* stop is that of text_open(). */
int store_read(struct store *s, const char *path, text_stop *stop, void *ctx, struct err *e);

#endif
