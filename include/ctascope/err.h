/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * err.h - errors: how a function reports a user's mistake.
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
#include <stdarg.h>
#include <stdio.h>

/* The kind of an error, for code that must distinguish them. Messages are only for people. */
enum err_kind {
	ERR_OTHER,  /* a mistake in an input, a file, ... */
	ERR_MEMORY, /* out of memory */
	ERR_NAME,   /* an unknown name, with none near */
	ERR_NEAR,   /* an unknown name; the message has those that are near */
	/* faults of a kernel that the recorder executes: */
	ERR_ADDRESS,	/* an access outside of all memory, or a write to constants */
	ERR_MISALIGNED, /* an address that is not a multiple of its size */
	ERR_SPACE,	/* an atomic operation on local memory */
	ERR_ASSERT,	/* a failed assert() */
	ERR_ENDLESS,	/* a loop without an end */
	ERR_TOO_LONG,	/* more than a trace can hold of a thread block */
};

struct err {
	bool set;
	enum err_kind kind;
	char msg[480];	 /* one line, no trailing newline; the middle of a longer one is cut */
	int n_what;	 /* bytes of msg that say what happened, before the place; 0: all */
	char file[256];	 /* "" when the error has no place */
	uint64_t line;	 /* 1-based; 0: use offset instead */
	uint64_t offset; /* byte offset, for binary files */
	char text[240];	 /* the offending line, shortened; "" when unknown */
	int col;	 /* 0-based column in text, for the caret */
	int len;	 /* columns underlined, at least 1 */
};

/* Fills e (which may be NULL) and returns -1, so that "return err_set(e, ...)" reads well. */
int err_set(struct err *e, const char *fmt, ...) ATTR_PRINTF(2, 3);
int err_vset(struct err *e, const char *fmt, va_list ap) ATTR_PRINTF(2, 0);

/* The same with a kind. */
int err_of(struct err *e, enum err_kind kind, const char *fmt, ...) ATTR_PRINTF(3, 4);

/* "out of memory", of that kind. */
int err_nomem(struct err *e);

/* Sets the kind of e, which was made of another error's message; returns -1. */
int err_as(struct err *e, enum err_kind kind);

/* err_set() for parsed text; text may be NULL. */
int err_at(struct err *e, const char *file, uint64_t line, const char *text, int col, int len,
	   const char *fmt, ...) ATTR_PRINTF(7, 8);

/* The same for a binary file. */
int err_at_byte(struct err *e, const char *file, uint64_t offset, const char *fmt, ...)
	ATTR_PRINTF(4, 5);

/* Cuts the offending line further, around its caret, so that it has at most so many columns. */
void err_fit(struct err *e, int columns);

void err_clear(struct err *e);

/* Writes "PREFIX: file:line: message" and, when known, the text with its caret (2 more lines). */
void err_print(const struct err *e, const char *prefix, FILE *to);

#define ERR_INDENT 4 /* columns before the text and the caret */

/* The same into buf, lines separated by '\n', no trailing newline. */
void err_format(const struct err *e, const char *prefix, char *buf, size_t size);

#endif
