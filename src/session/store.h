/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.h - private to src/session: named pieces of bytes as one file, which is there whole or not
 * at all.
 *
 * A store that is written borrows its parts. One that was read owns them: store_free() gives them
 * back. A part that was read has a NUL behind it, so that text can be read as it is.
 */
#ifndef SESSION_STORE_H
#define SESSION_STORE_H

#include "base/strbuf.h"
#include "base/textfile.h"
#include "ctascope/err.h"

#define STORE_PARTS 64
#define STORE_NAME 80 /* room for the name of a part */

struct store {
	struct store_part {
		char name[STORE_NAME];
		const char *bytes;
		size_t n;
	} part[STORE_PARTS];
	unsigned n_parts;
	struct strbuf memory; /* what parts that were read lie in */
};

void store_free(struct store *s);
int store_add(struct store *s, const char *name, const char *bytes, size_t n, struct err *e);
const struct store_part *store_find(const struct store *s, const char *name); /* NULL: none */

/* The file as bytes, and back. -1 with e: memory ran out, or the bytes are no such file, are
 * damaged, or a newer program wrote them. */
int store_pack(const struct store *s, struct strbuf *out, struct err *e);
int store_unpack(struct store *s, const void *bytes, size_t n, struct err *e);
/* Errors name the path. flags: enum output_flag. */
int store_write(const struct store *s, const char *path, unsigned flags, struct err *e);
/* The path is of a file that has something in it and does not begin as a store does. */
bool store_would_destroy(const char *path);
/* stop: as of text_open(). */
int store_read(struct store *s, const char *path, text_stop *stop, void *ctx, struct err *e);

#endif
