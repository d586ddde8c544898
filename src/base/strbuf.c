/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strbuf.c - a growable string: doubles when full, remembers that memory ran out. */
#define _GNU_SOURCE 1
#include "base/strbuf.h"
#include "compat/compat.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *
sb_reserve(struct strbuf *s, size_t n)
{
	size_t cap = s->cap ? s->cap : 64;
	char *p;

	if (s->failed || n >= SIZE_MAX / 4 || s->n >= SIZE_MAX / 4) {
		s->failed = true;
		return NULL;
	}
	if (s->n + n + 1 > s->cap) {
		while (cap < s->n + n + 1)
			cap *= 2;
		p = realloc(s->p, cap);
		if (!p) {
			s->failed = true;
			return NULL;
		}
		s->p = p;
		s->cap = cap;
	}
	return s->p + s->n;
}

void
sb_add(struct strbuf *s, const void *p, size_t n)
{
	char *to = sb_reserve(s, n);

	if (!to)
		return;
	if (n)
		memcpy(to, p, n);
	s->n += n;
	s->p[s->n] = '\0';
}

void
sb_str(struct strbuf *s, const char *text)
{
	sb_add(s, text, strlen(text));
}

void
sb_char(struct strbuf *s, char c)
{
	sb_add(s, &c, 1);
}

void
sb_printf(struct strbuf *s, const char *fmt, ...)
{
	va_list ap, again;
	int n;
	char *to;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	to = n < 0 ? NULL : sb_reserve(s, (size_t)n);
	if (to) {
		vsnprintf(to, (size_t)n + 1, fmt, again);
		s->n += (size_t)n;
	} else {
		s->failed = true;
	}
	va_end(again);
}

static ssize_t
add_bytes(void *cookie, const char *p, size_t n)
{
	struct strbuf *s = cookie;

	sb_add(s, p, n);
	return s->failed ? 0 : (ssize_t)n;
}

FILE *
sb_stream(struct strbuf *s)
{
	FILE *f = compat_stream(s, (struct compat_functions){.write = add_bytes});

	s->failed |= !f;
	return f;
}

void
sb_clear(struct strbuf *s)
{
	s->n = 0;
	s->failed = false;
	if (s->p)
		s->p[0] = '\0';
}

void
sb_free(struct strbuf *s)
{
	free(s->p);
	*s = (struct strbuf){0};
}

char *
sb_take(struct strbuf *s)
{
	char *p;

	sb_reserve(s, 0);
	if (s->failed) {
		sb_free(s);
		return NULL;
	}
	s->p[s->n] = '\0';
	p = s->p;
	*s = (struct strbuf){0};
	return p;
}
