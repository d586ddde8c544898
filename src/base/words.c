/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.c - cuts text into words.
 *
 * A null byte ends every text. What a word means, and which ones a caller wants, is not known here;
 * numbers are read by number.c. Left out: escapes within quotes, which nothing here needs.
 */
#include "base/ascii.h"
#include "base/words.h"

#include <string.h>

struct span
word_next(const char **at)
{
	return word_until(at, "");
}

struct span
word_until(const char **at, const char *stops)
{
	const char *s = skip_blanks(*at), *end = s;

	while (*end && !is_blank(*end) && !strchr(stops, *end))
		end++;
	*at = end;
	return (struct span){s, (size_t)(end - s)};
}

unsigned
words_of_line(const char *line, struct span *word, unsigned max)
{
	unsigned n = 0;

	for (;;) {
		struct span w = word_next(&line);

		if (!w.n || *w.p == '#')
			return n;
		if (n < max)
			word[n] = w;
		n++;
	}
}

struct span
word_of_usage(const char **at)
{
	for (const char *s = *at; *s;) {
		const char *from = s;
		bool literal = ascii_is_lower(*s);

		while (ascii_is_alnum(*s) || *s == '-') {
			literal = literal && (ascii_is_lower(*s) || *s == '-');
			s++;
		}
		*at = s;
		if (literal)
			return (struct span){from, (size_t)(s - from)};
		s += s == from;
	}
	*at += strlen(*at);
	return (struct span){*at, 0};
}

/* Copies the word at s without its quotes; what follows the blank behind it. The copy is never
 * ahead of what is read, so that it may be made in place. */
static const char *
remove_quotes(const char *s, char *to, size_t size)
{
	char quote = 0;
	size_t n = 0;

	for (; *s && (quote || !is_blank(*s)); s++) {
		if (quote ? *s == quote : *s == '"' || *s == '\'')
			quote = quote ? 0 : *s;
		else if (n + 1 < size)
			to[n++] = *s;
	}
	s += *s != '\0';
	to[n] = '\0';
	return s;
}

char *
word_cut(char **at)
{
	char *s = *at + (skip_blanks(*at) - *at);

	*at = s;
	if (!*s)
		return NULL;
	*at = s + (remove_quotes(s, s, SIZE_MAX) - s);
	return s;
}

bool
word_unquote(const char **at, char *buf, size_t size)
{
	const char *s = skip_blanks(*at);

	*at = remove_quotes(s, buf, size);
	return *s != '\0';
}

const char *
find_open_quote(const char *text)
{
	const char *open = NULL;

	for (; *text; text++) {
		if (open ? *text == *open : *text == '"' || *text == '\'')
			open = open ? NULL : text;
	}
	return open;
}

bool
span_part(struct span *rest, char sep, struct span *part)
{
	const char *end;

	if (!rest->p)
		return false;
	end = memchr(rest->p, sep, rest->n);
	*part = (struct span){rest->p, end ? (size_t)(end - rest->p) : rest->n};
	if (end)
		*rest = (struct span){end + 1, rest->n - part->n - 1};
	else
		*rest = (struct span){NULL, 0};
	return true;
}

struct span
span_of(const char *text)
{
	return (struct span){text, strlen(text)};
}

bool
span_is(struct span w, const char *text)
{
	return strlen(text) == w.n && memcmp(w.p, text, w.n) == 0;
}

bool
span_copy(struct span w, char *buf, size_t size)
{
	size_t n = MIN(w.n, size - 1);

	memcpy(buf, w.p, n);
	buf[n] = '\0';
	return n == w.n;
}

struct span
span_trim(struct span w)
{
	for (; w.n && is_blank(*w.p); w.n--)
		w.p++;
	while (w.n && is_blank(w.p[w.n - 1]))
		w.n--;
	return w;
}

struct span
span_list_item(const char **at, bool *more)
{
	const char *from = *at, *p = from;
	int depth = 0;

	for (; *p && (*p != ',' || depth > 0); p++)
		depth += (*p == '(') - (*p == ')');
	*more = *p == ',';
	*at = *more ? p + 1 : p;
	return span_trim((struct span){from, (size_t)(p - from)});
}

void
trim_end(char *text)
{
	size_t n = strlen(text);

	while (n && is_blank(text[n - 1]))
		text[--n] = '\0';
}
