/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ascii.h - character classes and case conversion for ASCII.
 *
 * <ctype.h> and strcasecmp() depend on the user's locale: it may be Turkish, where the lower case
 * of I is not i, or an 8-bit character set with more letters. What ctascope reads and writes must
 * mean the same everywhere; tests/lint/model.t checks that nobody calls them.
 */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>

static inline bool
ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
ascii_is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool
ascii_is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool
ascii_is_letter(char c)
{
	return ascii_is_upper(c) || ascii_is_lower(c);
}

static inline bool
ascii_is_alnum(char c)
{
	return ascii_is_letter(c) || ascii_is_digit(c);
}

static inline bool
ascii_is_hex(char c)
{
	return ascii_is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool
ascii_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool
ascii_is_printed(char c)
{
	return c >= ' ' && c <= '~';
}

static inline char
ascii_lower(char c)
{
	return ascii_is_upper(c) ? (char)(c - 'A' + 'a') : c;
}

static inline char
ascii_upper(char c)
{
	return ascii_is_lower(c) ? (char)(c - 'a' + 'A') : c;
}

/* Are the first n characters (all, if there are fewer) equal apart from their case? */
static inline bool
ascii_same_start(const char *a, const char *b, size_t n)
{
	for (; n && *a && ascii_lower(*a) == ascii_lower(*b); n--)
		a++, b++;
	return !n || ascii_lower(*a) == ascii_lower(*b);
}

static inline bool
ascii_same(const char *a, const char *b)
{
	return ascii_same_start(a, b, (size_t)-1);
}

/* Is part somewhere in text, apart from case? */
static inline bool
ascii_has(const char *text, const char *part)
{
	size_t n = 0;

	while (part[n])
		n++;
	for (; *text; text++)
		if (ascii_same_start(text, part, n))
			return true;
	return n == 0;
}

#endif
