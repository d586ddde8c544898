/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parse_util.c - shared by all files of the parser: the current token, errors, growing arrays. What
 * is missing at the end of a line is reported there and not at the token that follows.
 */
#include "record/ptx/parse/parse.h"

#include "base/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
parse_next(struct parser *p)
{
	p->last = p->t;
	return lex_next(&p->lex, &p->t);
}

bool
parse_is(const struct parser *p, int kind)
{
	return p->t.kind == kind;
}

bool
parse_is_dir(const struct parser *p, enum parse_dir dir)
{
	return p->t.kind == TOK_DOT && p->t.atom->dir == dir;
}

int
parse_skip(struct parser *p, int kind, bool *there)
{
	*there = parse_is(p, kind);
	return *there ? parse_next(p) : 0;
}

int
parse_error(struct parser *p, const struct tok *t, const char *fmt, ...)
{
	char msg[sizeof(p->lex.e->msg)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	return lex_error(&p->lex, t, "%s", msg);
}

/* after_last: something is missing after the previous token, so the error points there. */
static int
report_expected(struct parser *p, const char *what, bool after_last)
{
	struct tok at = p->t;
	char found[64];

	if (after_last || at.kind == TOK_END) {
		at.at = p->last.at + p->last.len;
		at.len = 1;
		at.line = MAX(p->last.line, 1u);
	}
	return lex_error(&p->lex, &at, "expected %s, found %s", what,
			 lex_show(&p->lex, &p->t, found, sizeof(found)));
}

int
parse_expected(struct parser *p, const char *what)
{
	return report_expected(p, what, false);
}

int
parse_expect(struct parser *p, char c, const char *after)
{
	char what[100];

	if (parse_is(p, TOK(c)))
		return parse_next(p);
	snprintf(what, sizeof(what), "'%c' after %s", c, after);
	return report_expected(p, what, p->t.line != p->last.line);
}

int
parse_unknown(struct parser *p, const struct tok *t, const char *what, const char *typed,
	      const char *const *names, uint32_t n)
{
	return lex_error(&p->lex, t, "%s%s", what, near_hint(typed, names, n, "").text);
}

int
parse_number(struct parser *p, uint64_t max, const char *what, uint64_t *v)
{
	if (!parse_is(p, TOK_INT))
		return parse_expected(p, what);
	if (p->t.bits > max)
		return parse_error(p, &p->t, "%s is at most %llu", what, (unsigned long long)max);
	*v = p->t.bits;
	return parse_next(p);
}

int
list_reserve(struct parser *p, struct list *l, uint32_t n, size_t size)
{
	uint32_t cap = l->cap ? l->cap : 16;
	void *to;

	if (n <= l->cap)
		return 0;
	while (cap < n && cap <= UINT32_MAX / 2)
		cap *= 2;
	to = cap < n || cap > SIZE_MAX / size ? NULL : realloc(l->p, cap * size);
	if (!to)
		return lex_no_memory(&p->lex);
	l->p = to;
	l->cap = cap;
	return 0;
}

void *
list_add(struct parser *p, struct list *l, size_t size)
{
	if (l->n == l->cap && list_reserve(p, l, l->n + 1, size))
		return NULL;
	return memset((char *)l->p + size * l->n++, 0, size);
}

int
list_keep(struct parser *p, struct list *l, uint32_t from, size_t size, void *to)
{
	size_t bytes = size * (l->n - from);
	void *copy = ast_mem_alloc(p->mem, MAX(bytes, 1u));

	if (!copy)
		return lex_no_memory(&p->lex);
	if (bytes)
		memcpy(copy, (char *)l->p + size * from, bytes);
	memcpy(to, &copy, sizeof(copy)); /* to is the address of a pointer of any type */
	l->n = from;
	return 0;
}
