/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * block.c - collects the lines of a construct and computes which line follows each.
 *
 * The kind of a line depends on its command alone, abbreviated or not. Only in the body of
 * `document` every line is text, up to the line `end`. The targets of jumps are set when an `end`
 * arrives. Until then `to` is 0; only the end of a while may jump to line 0, and its head knows it.
 */
#include "session/command.h"
#include "session/block.h"

#include "session/session_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *verb;
	enum block_kind kind;
} verbs[] = {
	{"if", BLOCK_IF},
	{"else", BLOCK_ELSE},
	{"while", BLOCK_WHILE},
	{"loop_break", BLOCK_BREAK},
	{"loop_continue", BLOCK_CONTINUE},
	{"define", BLOCK_BODY},
	{"document", BLOCK_BODY},
	{"commands", BLOCK_BODY},
	{"end", BLOCK_END},
};

/* Returns the kind of the line's command; *rest is the text after it. */
static enum block_kind
kind_of(const char *text, const char **verb, const char **rest)
{
	const char *at = text;
	char name[64];
	const struct cmd_row *r = NULL;

	*verb = NULL;
	if (span_copy(word_until(&at, "/("), name, sizeof(name)) && *name)
		r = cmd_find(name, NULL);
	*rest = skip_blanks(at);
	for (unsigned i = 0; r && r->fn == cmd_block && i < ARRAY_LEN(verbs); i++) {
		if (strcmp(r->name, verbs[i].verb) == 0) {
			*verb = verbs[i].verb;
			return verbs[i].kind;
		}
	}
	return BLOCK_PLAIN;
}

/* Whether the next line is one of a document. */
static bool
is_raw(const struct block *b)
{
	return b->depth && b->open[b->depth - 1].raw;
}

static bool
opens_construct(enum block_kind kind)
{
	return kind == BLOCK_IF || kind == BLOCK_WHILE || kind == BLOCK_BODY;
}

struct block *
block_new(const char *file)
{
	struct block *b = calloc(1, sizeof(*b));

	if (b && file && !(b->file = strdup(file))) {
		free(b);
		return NULL;
	}
	if (b)
		b->refs = 1;
	return b;
}

struct block *
block_hold(struct block *b)
{
	b->refs++;
	return b;
}

void
block_free(struct block *b)
{
	if (!b || --b->refs)
		return;
	for (unsigned i = 0; i < b->n; i++)
		free(b->line[i].text);
	free(b->line);
	free(b->file);
	free(b);
}

/* ---------------------------------------------------------------- which line is allowed where */

/* Whether a line of the present body is inside a while. */
static bool
in_while(const struct block *b)
{
	for (unsigned i = b->depth; i-- > 0 && b->open[i].kind != BLOCK_BODY;)
		if (b->open[i].kind == BLOCK_WHILE)
			return true;
	return false;
}

static int
check_line(const struct block *b, enum block_kind kind, const char *verb, const char *rest,
	   struct err *e)
{
	const struct block_open *o = b->depth ? &b->open[b->depth - 1] : NULL;

	switch (kind) {
	case BLOCK_IF:
	case BLOCK_WHILE:
		if (!*rest)
			return err_set(e, "%s: an expression is missing; usage: %s EXPR", verb,
				       verb);
		break;
	case BLOCK_ELSE:
		if (!o || o->kind != BLOCK_IF)
			return err_set(e, "else without if");
		if (o->has_else)
			return err_set(e, "a second else for the 'if' at line %u",
				       b->line[o->at].line);
		break;
	case BLOCK_BREAK:
	case BLOCK_CONTINUE:
		if (!in_while(b))
			return err_set(e, "%s outside while", verb);
		break;
	case BLOCK_END:
		if (!o)
			return err_set(e, "end without if, while, define, document or commands");
		break;
	case BLOCK_BODY:
	case BLOCK_PLAIN:
		break;
	}
	if (*rest && (kind == BLOCK_ELSE || kind == BLOCK_BREAK || kind == BLOCK_CONTINUE ||
		      kind == BLOCK_END))
		return err_set(e, "%s: unexpected argument '%.80s'", verb, rest);
	if (b->depth == BLOCK_DEPTH && opens_construct(kind))
		return err_set(e, "blocks (if, while, define ...) nest at most %d deep",
			       BLOCK_DEPTH);
	if (b->n == BLOCK_LINES)
		return err_set(e, "a block has at most %d lines", BLOCK_LINES);
	return 0;
}

/* ---------------------------------------------------------------- adding a line */

/* Takes over the text, also on failure. */
static struct block_line *
append_line(struct block *b, char *text, unsigned line, struct err *e)
{
	struct block_line *grown;
	size_t n = strlen(text);

	if (b->bytes + n > BLOCK_BYTES) {
		free(text);
		err_set(e, "a block has at most %u characters", BLOCK_BYTES);
		return NULL;
	}
	grown = realloc(b->line, (b->n + 1) * sizeof(*grown));
	if (!grown) {
		free(text);
		err_nomem(e);
		return NULL;
	}
	b->line = grown;
	b->bytes += n;
	grown[b->n] = (struct block_line){.line = line, .text = text};
	return &grown[b->n++];
}

static void
close_construct(struct block *b)
{
	const struct block_open *o = &b->open[--b->depth];
	unsigned end = b->n - 1;

	b->line[end].to = end + 1;
	b->line[o->to_patch].to = end + (b->line[o->to_patch].kind != BLOCK_BODY);
	if (b->line[o->at].kind != BLOCK_WHILE)
		return;
	b->line[end].to = o->at;
	for (unsigned i = o->at; i < end; i++) { /* constructs inside have set theirs */
		struct block_line *l = &b->line[i];

		if (l->kind == BLOCK_BREAK && !l->to)
			l->to = end + 1;
		else if (l->kind == BLOCK_CONTINUE && l->to == 0)
			l->to = end; /* which jumps to the head, perhaps line 0 */
	}
}

int
block_add(struct block *b, const char *text, unsigned line, struct err *e)
{
	const char *verb, *rest;
	enum block_kind kind = kind_of(text, &verb, &rest);
	char *copy = strdup(text);
	struct block_line *l;

	if (!copy)
		return err_nomem(e);
	if (kind != BLOCK_PLAIN && (!is_raw(b) || kind == BLOCK_END)) {
		cut_comment(copy);
		kind_of(copy, &verb, &rest);
	}
	trim_end(copy);
	if (is_raw(b) && (kind != BLOCK_END || *rest)) {
		kind = BLOCK_PLAIN;
		verb = NULL;
	}
	if (check_line(b, kind, verb, rest, e)) {
		free(copy);
		return -1;
	}
	l = append_line(b, copy, line, e);
	if (!l)
		return -1;
	l->kind = kind;
	l->verb = verb;
	if (opens_construct(kind)) {
		b->open[b->depth++] = (struct block_open){.kind = kind,
							  .at = b->n - 1,
							  .to_patch = b->n - 1,
							  .raw = strcmp(verb, "document") == 0};
	} else if (kind == BLOCK_ELSE) {
		struct block_open *o = &b->open[b->depth - 1];

		b->line[o->to_patch].to = b->n;
		o->to_patch = b->n - 1;
		o->has_else = true;
	} else if (kind == BLOCK_END) {
		close_construct(b);
	}
	return 0;
}

bool
block_skip(struct block *b, const char *text)
{
	const char *verb, *rest;
	enum block_kind kind = kind_of(text, &verb, &rest);

	if (kind == BLOCK_END && (!*rest || *rest == '#')) { /* the comment is no argument */
		if (b->too_deep)
			b->too_deep--;
		else
			b->depth -= b->depth > 0;
	} else if (opens_construct(kind) && !is_raw(b)) {
		if (b->depth < BLOCK_DEPTH)
			b->open[b->depth++] =
				(struct block_open){.kind = kind,
						    .raw = strcmp(verb, "document") == 0};
		else
			b->too_deep++;
	}
	return b->depth == 0;
}

struct block *
block_cut(const struct block *b, unsigned from, unsigned to, const char *file)
{
	struct block *cut = block_new(file);

	for (unsigned i = from; cut && i < to; i++) {
		if (block_add(cut, b->line[i].text, b->line[i].line, NULL)) {
			block_free(cut);
			return NULL;
		}
	}
	return cut;
}

/* ---------------------------------------------------------------- indentation */

unsigned
block_indent(const struct block *b, unsigned at)
{
	unsigned level = 0;

	for (unsigned i = 0; i < at; i++) {
		enum block_kind kind = b->line[i].kind;

		level += opens_construct(kind);
		level -= kind == BLOCK_END;
	}
	return level - (b->line[at].kind == BLOCK_END || b->line[at].kind == BLOCK_ELSE);
}

unsigned
block_prompt_indent(const struct block *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->depth; i++)
		n += b->open[i].kind != BLOCK_BODY;
	return n;
}
