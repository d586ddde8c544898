/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * err.h - how a user's mistake travels.
 *
 * A function that can fail because of its input takes a struct err * last and returns -1 or NULL
 * with the error filled in. The message is lower case and says what was wrong, the 'value', and
 * what was expected. For parsed text the place is kept too, so that the front end can print
 *
 *     kernel-1.traceg:12: expected a register such as R4, found 'Q4'
 *         0000 ffffffff 1 Q4 S2R 0 0 0
 *                         ^~
 */
#ifndef CTASCOPE_ERR_H
#define CTASCOPE_ERR_H

#include "ctascope/base.h"
#include <stdio.h>

struct err {
	bool set;
	char msg[480];	 /* one line, no trailing newline */
	char file[256];	 /* "" when the error has no place */
	uint64_t line;	 /* 1-based; 0: use offset instead */
	uint64_t offset; /* byte offset, for binary files */
	char text[240];	 /* the offending line, shortened; "" when unknown */
	int col;	 /* 0-based column in text, for the caret */
	int len;	 /* columns underlined, at least 1 */
};

/* Fills e (which may be NULL) and returns -1, so that "return err_set(e, ...)" reads well. */
int err_set(struct err *e, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* The same for parsed text; text may be NULL. */
int err_at(struct err *e, const char *file, uint64_t line, const char *text, int col, int len,
	   const char *fmt, ...) ATTR_PRINTF(7, 8);

/* The same for a binary file. */
int err_at_byte(struct err *e, const char *file, uint64_t offset, const char *fmt, ...)
	ATTR_PRINTF(4, 5);

void err_clear(struct err *e);

/* Writes "PREFIX: file:line: message" and, when known, the text with its caret (2 more lines). */
void err_print(const struct err *e, const char *prefix, FILE *to);

/* The same into buf, lines separated by '\n', no trailing newline. */
void err_format(const struct err *e, const char *prefix, char *buf, size_t size);

#endif
