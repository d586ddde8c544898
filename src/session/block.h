/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block.h - the constructs of scripts: lines from `if`, `while`, `define`, `document` or `commands`
 * to their `end`, collected as they come and then executed.
 *
 * A block is a list of lines of which each knows where to go on, so it is executed by a counter and
 * without recursion: `if` and `while` jump when they do not hold, `else` and the `end` of a while
 * always do. The bodies of define, document and commands are only carried along: they are taken out
 * as blocks of their own when their head is executed.
 */
#ifndef SESSION_BLOCK_H
#define SESSION_BLOCK_H

#include "ctascope/err.h"

#define BLOCK_DEPTH 64	       /* constructs within each other */
#define BLOCK_LINES 10000      /* of the outermost one */
#define BLOCK_BYTES (1u << 20) /* of its text */

enum block_kind {
	BLOCK_PLAIN, /* a command, or a line of a document */
	BLOCK_IF,
	BLOCK_ELSE,
	BLOCK_WHILE,
	BLOCK_BREAK,
	BLOCK_CONTINUE,
	BLOCK_BODY, /* define, document, commands */
	BLOCK_END
};

struct block_line {
	enum block_kind kind;
	unsigned line; /* in its file, or from its head on when it was typed */
	/* IF, WHILE: where it goes on when it does not hold; ELSE, BREAK, CONTINUE: always; END:
	 * the head of its while, or the next line; BODY: its end. */
	unsigned to;
	const char *verb; /* of the command table; of PLAIN NULL */
	char *text;	  /* without blanks at its end; of all but PLAIN without a comment too */
};

struct block {
	struct block_line *line;
	unsigned n;
	size_t bytes;
	char *file;    /* where it stands, in messages; NULL: typed */
	unsigned refs; /* who keeps it */

	/* while it is collected: the heads that have no end yet */
	unsigned depth;
	struct block_open {
		enum block_kind kind;  /* IF, WHILE, BODY */
		unsigned at, to_patch; /* its head; the if or else that jumps to its end */
		bool has_else;
		bool raw; /* of document: its lines are text */
	} open[BLOCK_DEPTH];
	bool refused; /* a line was not taken: it is collected to its end and not executed */
};

/* file is copied; NULL when memory runs out. */
struct block *block_new(const char *file);
struct block *block_hold(struct block *b); /* one more keeps it */
void block_free(struct block *b);	   /* one less */

/* Adds a line; -1 with e when it cannot stand here, and then the block is as before. */
int block_add(struct block *b, const char *text, unsigned line, struct err *e);
/* Whether the line ends the block, and only keeps count: of one that is refused. */
bool block_skip(struct block *b, const char *text);
/* A body, the lines from..to, as a block of its own; NULL when memory runs out. */
struct block *block_cut(const struct block *b, unsigned from, unsigned to, const char *file);
/* How deep a line stands, for people: as gdb indents it. */
unsigned block_indent(const struct block *b, unsigned at);
unsigned block_prompt_indent(const struct block *b);

#endif
