/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * strbuf.h - a growable string, also used for bytes. Zero is the empty value: "struct strbuf s =
 * {0}".
 *
 * s.p is NUL-terminated whenever it is not NULL. When memory runs out the buffer keeps what it has,
 * sets s.failed and ignores what follows, so that a caller checks once, at the end.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include "ctascope/base.h"
#include <stdio.h>

struct strbuf {
	char *p;
	size_t n, cap; /* bytes used without the NUL; bytes allocated */
	bool failed;
};

/* Makes room for n more bytes and a NUL; where they go, or NULL. Account for them in s->n. */
char *sb_reserve(struct strbuf *s, size_t n);

void sb_add(struct strbuf *s, const void *p, size_t n);
void sb_str(struct strbuf *s, const char *text);
void sb_char(struct strbuf *s, char c);
void sb_printf(struct strbuf *s, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* A stream that adds to s, for fclose(). Its end is the time to ask s->failed. NULL: out of memory.
 * open_memstream() is no substitute: what it has no memory for goes, and nothing says so. */
FILE *sb_stream(struct strbuf *s);

void sb_clear(struct strbuf *s); /* empty again, keeps the memory */
void sb_free(struct strbuf *s);	 /* back to zero */
char *sb_take(struct strbuf *s); /* the string, owned by the caller; NULL if anything failed */

#endif
