/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lex.c - tokens of expressions: numbers, dotted paths, operators.
 *
 * A star is part of a path only as a whole word after a dot (core.*.n); everywhere else it
 * multiplies. A path begins with a letter, '_' or '$'; its other words may begin with a digit.
 */
#include "eval/eval_program.h"

#include "base/ascii.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NUMBER 63 /* characters of a number */

static bool
is_word(char c)
{
	return ascii_is_alnum(c) || c == '_' || c == '$';
}

static int
report_at(const struct lexer *l, const struct token *t, const char *msg)
{
	return err_at(l->e, "", 0, l->text, (int)t->at, (int)MAX(t->len, 1u), "%s", msg);
}

static int
bad_number(const struct lexer *l, const struct token *t)
{
	char msg[96];

	snprintf(msg, sizeof(msg), "'%.*s' is not a number", (int)MIN(t->len, 60u),
		 l->text + t->at);
	return report_at(l, t, msg);
}

/* Zeros that k, M or G add to a number; 0 for any other character. */
static int
suffix_zeros(char c)
{
	return c == 'k' || c == 'K' ? 3 : c == 'M' ? 6 : c == 'G' ? 9 : 0;
}

/* Digits, a point, an exponent; stops at the first character that is none of them. */
static const char *
skip_decimal(const char *s)
{
	while (ascii_is_digit(*s))
		s++;
	if (*s == '.')
		s++;
	while (ascii_is_digit(*s))
		s++;
	if (*s == 'e' || *s == 'E') {
		s++;
		if (*s == '+' || *s == '-')
			s++;
		while (ascii_is_digit(*s))
			s++;
	}
	return s;
}

/* A clean copy (no '_') of a number goes through strtod, with the suffix as an exponent, so that
 * 1.001k is exactly 1001. An exponent with a suffix, 1e3k, is multiplied instead. */
static int
convert_decimal(const char *clean, double *out)
{
	bool hex = clean[0] == '0' && (clean[1] | 32) == 'x';
	const char *digits = hex ? clean + 2 : clean, *end = digits;
	char *stop, buf[MAX_NUMBER + 8];
	int zeros;

	if (hex)
		end += strspn(digits, "0123456789abcdefABCDEF");
	else
		end = skip_decimal(digits);
	zeros = suffix_zeros(*end);
	if (end == digits || end[zeros != 0])
		return -1;
	snprintf(buf, sizeof(buf), "%.*s", (int)(end - clean), clean);
	if (zeros && !hex && !strpbrk(buf, "eE")) {
		size_t n = strlen(buf);

		snprintf(buf + n, sizeof(buf) - n, "e%d", zeros);
		zeros = 0;
	}
	*out = strtod(buf, &stop);
	for (; zeros; zeros -= 3)
		*out *= 1000;
	return *stop ? -1 : 0;
}

static int
lex_number(struct lexer *l, struct token *t)
{
	const char *s = l->text + t->at;
	char clean[MAX_NUMBER + 1];
	unsigned n = 0, len = 0;
	bool exponent_sign;

	/* everything attached to the number belongs to it, so that 12ab is one mistake */
	do {
		exponent_sign = (s[len] == 'e' || s[len] == 'E') && s[1] != 'x' && s[1] != 'X' &&
				(s[len + 1] == '+' || s[len + 1] == '-');
		len += 1 + exponent_sign;
	} while (is_word(s[len]) || s[len] == '.');
	t->len = len;
	l->pos = t->at + len;
	if (len > MAX_NUMBER)
		return bad_number(l, t);
	for (unsigned i = 0; i < len; i++) {
		if (s[i] != '_')
			clean[n++] = s[i];
		else if (i == 0 || !ascii_is_hex(s[i - 1]) || !ascii_is_hex(s[i + 1]))
			return bad_number(l, t);
	}
	clean[n] = '\0';
	if (convert_decimal(clean, &t->number))
		return bad_number(l, t);
	return isfinite(t->number) ? 0 : report_at(l, t, "this number is too large");
}

static int
lex_path(struct lexer *l, struct token *t)
{
	const char *s = l->text + t->at;
	unsigned len = 0;

	while (is_word(s[len]))
		len++;
	while (s[len] == '.') {
		len++;
		if (s[len] == '*' && !is_word(s[len + 1])) {
			len++;
		} else if (s[len] == '*') {
			t->at += len;
			return report_at(l, t, "'*' must be a whole word between dots");
		} else if (is_word(s[len])) {
			while (is_word(s[len]))
				len++;
		} else {
			t->at += len;
			return report_at(l, t, "expected a name, a number or '*' after '.'");
		}
	}
	t->len = len;
	l->pos = t->at + len;
	return len <= EVAL_MAX_PATH ? 0 : report_at(l, t, "this name is too long");
}

static int
lex_operator(struct lexer *l, struct token *t)
{
	static const struct {
		char text[3];
		int kind;
	} two[] = {{"<=", TOK_LE}, {">=", TOK_GE},  {"==", TOK_EQ},
		   {"!=", TOK_NE}, {"&&", TOK_AND}, {"||", TOK_OR}};
	const char *s = l->text + t->at;
	char msg[160];

	for (unsigned i = 0; i < ARRAY_LEN(two); i++) {
		if (s[0] == two[i].text[0] && s[1] == two[i].text[1]) {
			t->kind = two[i].kind;
			t->len = 2;
			l->pos += 2;
			return 0;
		}
	}
	t->kind = *s;
	t->len = 1;
	l->pos++;
	if (strchr("+-*/%<>!?:(),", *s))
		return 0;
	if (strchr("=&|", *s))
		snprintf(msg, sizeof(msg), "'%c' is not an operator; did you mean '%c%c'?", *s, *s,
			 *s);
	else if (*s == '[' && l->pos > 1)
		snprintf(
			msg, sizeof(msg),
			"expected a value or an operator, found '['; a core, a bank or an entry is "
			"written with a dot, as in core.12.n");
	else if (ascii_is_printed(*s))
		snprintf(msg, sizeof(msg), "expected a value or an operator, found '%c'", *s);
	else
		snprintf(msg, sizeof(msg), "expected a value or an operator, found byte 0x%02x",
			 (unsigned char)*s);
	return report_at(l, t, msg);
}

int
eval_lex(struct lexer *l, struct token *t)
{
	const char *s;

	while (ascii_is_space(l->text[l->pos]))
		l->pos++;
	s = l->text + l->pos;
	*t = (struct token){.kind = TOK_END, .at = l->pos};
	if (!*s)
		return 0;
	if (ascii_is_digit(s[0]) || (s[0] == '.' && ascii_is_digit(s[1]))) {
		t->kind = TOK_NUMBER;
		return lex_number(l, t);
	}
	if (is_word(s[0])) {
		t->kind = TOK_PATH;
		return lex_path(l, t);
	}
	return lex_operator(l, t);
}
