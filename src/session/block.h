/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block.h - the constructs of scripts: lines from `if`, `while`, `define`, `document` or `commands`
 * to their `end`, collected as they arrive and then executed.
 *
 * A block is a list of lines, and each line knows which one follows it. So a counter executes the
 * block, without recursion: `if` and `while` jump if their condition is false; `else` and the `end`
 * of a while always jump. The bodies of define, document and commands are not executed in place:
 * when their head is executed, the body is copied into its own block.
 */
#ifndef SESSION_BLOCK_H
#define SESSION_BLOCK_H

#include "ctascope/err.h"

#define BLOCK_DEPTH 64	       /* most constructs within each other */
#define BLOCK_LINES 10000      /* most lines of the outermost construct */
#define BLOCK_BYTES (1u << 20) /* most bytes of its text */

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
	unsigned line; /* line number in its file, or counted from the head if it was typed */
	/* Where to continue. IF, WHILE: if the condition is false; ELSE, BREAK, CONTINUE: always;
	 * END: the head of its while, or the next line; BODY: its end. */
	unsigned to;
	const char *verb; /* a name of the command table; NULL for PLAIN */
	char *text;	  /* without trailing blanks; without a comment, unless it is PLAIN */
};

struct block {
	struct block_line *line;
	unsigned n;
	size_t bytes;
	char *file;    /* the file it comes from, for messages; NULL: it was typed */
	unsigned refs; /* number of references */

	/* While it is being collected: the heads whose end has not come yet. */
	unsigned depth;
	struct block_open {
		enum block_kind kind;  /* IF, WHILE, BODY */
		unsigned at, to_patch; /* its head; the if or else that must jump to its end */
		bool has_else;
		bool raw; /* the body of document: its lines are text */
	} open[BLOCK_DEPTH];
	/* A line was rejected: the block is collected up to its end and not executed. Of the
	 * constructs that are too deep only the number is known. */
	bool refused;
	unsigned refused_at; /* the line in its file */
	unsigned too_deep;
};

/* Copies `file`; returns NULL if memory runs out. */
struct block *block_new(const char *file);
struct block *block_hold(struct block *b); /* adds a reference */
void block_free(struct block *b);	   /* removes a reference */

/* Adds a line. Returns -1 with e if it is not allowed here; the block is then unchanged. */
int block_add(struct block *b, const char *text, unsigned line, struct err *e);
/* Counts the constructs of a block that was rejected; returns true if the line ends it. */
bool block_skip(struct block *b, const char *text);
/* Copies a body, the lines from..to, into its own block; returns NULL if memory runs out. */
struct block *block_cut(const struct block *b, unsigned from, unsigned to, const char *file);
/* Returns the depth of a line, for indenting it as gdb does. */
unsigned block_indent(const struct block *b, unsigned at);
unsigned block_prompt_indent(const struct block *b);

#endif
