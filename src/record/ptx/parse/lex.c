/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lex.c - divides the PTX text into tokens.
 *
 * A dot begins a dotted word; inside a number it belongs to the number. Words such as
 * "shared::cta" and "L2::128B" are one token. The text ends in '\0', so that looking one or two
 * bytes ahead needs no check; other zero bytes are refused like any stray character.
 */
#include "record/ptx/parse/lex.h"

#include "base/number.h"
#include "record/ptx/parse/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a byte may be part of: a name, its first byte, a number, the space between tokens. */
enum { C_NAME = 1, C_FIRST = 2, C_DIGIT = 4, C_BLANK = 8 };

static inline unsigned
get_byte_class(char c)
{
	unsigned char u = (unsigned char)c;

	if ((u | 32) >= 'a' && (u | 32) <= 'z')
		return C_NAME | C_FIRST;
	if (u >= '0' && u <= '9')
		return C_NAME | C_DIGIT;
	if (u == '_' || u == '$')
		return C_NAME | C_FIRST;
	return u == ' ' || u == '\t' || u == '\r' || u == '\n' ? C_BLANK : 0;
}

/* ---- errors ---- */

int
lex_error(struct lex *l, const struct tok *t, const char *fmt, ...)
{
	const char *end = memchr(l->text + t->at, '\n', l->size - t->at);
	uint32_t from = t->at, to = end ? (uint32_t)(end - l->text) : l->size;
	char msg[sizeof(l->e->msg)];
	char *line;
	va_list ap;

	while (from > 0 && l->text[from - 1] != '\n')
		from--;
	line = malloc((size_t)to - from + 1);
	if (line) {
		memcpy(line, l->text + from, to - from);
		line[to - from] = '\0';
	}
	va_start(ap, fmt);
	vsnprintf(msg, sizeof(msg), fmt, ap);
	va_end(ap);
	err_at(l->e, l->name, t->line, line, (int)(t->at - from), (int)MAX(t->len, 1u), "%s", msg);
	free(line);
	return -1;
}

const char *
lex_show(const struct lex *l, const struct tok *t, char *buf, size_t size)
{
	if (t->kind == TOK_END)
		snprintf(buf, size, "the end of the text");
	else if (t->len > 40)
		snprintf(buf, size, "'%.36s...'", l->text + t->at);
	else
		snprintf(buf, size, "'%.*s'", (int)t->len, l->text + t->at);
	return buf;
}

int
lex_no_memory(struct lex *l)
{
	err_at(l->e, l->name, l->line, NULL, 0, 0, "out of memory");
	return err_as(l->e, ERR_MEMORY);
}

/* Reports an error at n bytes of the text from `at` on, which are no token yet. */
static int
report_stray(struct lex *l, uint32_t at, uint32_t n, const char *what)
{
	struct tok t = {.at = at, .len = n, .line = l->line};

	return lex_error(l, &t, "%s", what);
}

/* ---- atoms ---- */

static uint32_t
hash_name(const char *p, size_t n, bool dot)
{
	uint32_t h = dot ? 0x9747b28cu : 0x811c9dc5u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * 0x01000193u;
	return h ^ h >> 15;
}

static int
grow_table(struct lex *l)
{
	uint32_t cap = l->cap ? 2 * l->cap : 4096;
	struct atom **table = calloc(cap, sizeof(*table));

	if (!table)
		return -1;
	for (uint32_t i = 0; i < l->cap; i++) {
		struct atom *a = l->table[i];
		uint32_t at;

		if (!a)
			continue;
		for (at = a->hash & (cap - 1); table[at]; at = (at + 1) & (cap - 1))
			;
		table[at] = a;
	}
	free(l->table);
	l->table = table;
	l->cap = cap;
	return 0;
}

/* "%r12" is number 12 of "%r": see names.c. */
static int
split_number(struct lex *l, struct atom *a)
{
	uint32_t n = a->len;
	uint64_t v = 0;

	while (n > 0 && get_byte_class(a->text[n - 1]) & C_DIGIT)
		n--;
	if (n == 0 || n == a->len || a->len - n > 9 || (a->text[n] == '0' && a->len - n > 1))
		return 0;
	for (uint32_t i = n; i < a->len; i++)
		v = 10 * v + (uint64_t)(a->text[i] - '0');
	a->number = (uint32_t)v;
	a->base = lex_atom(l, a->text, n, false);
	return a->base ? 0 : -1;
}

struct atom *
lex_atom(struct lex *l, const char *text, size_t n, bool dot)
{
	uint32_t h = hash_name(text, n, dot), at = h & (l->cap - 1);
	struct atom *a;
	char *copy;

	for (; (a = l->table[at]); at = (at + 1) & (l->cap - 1))
		if (a->hash == h && a->len == n && a->dot == dot && !memcmp(a->text, text, n))
			return a;
	a = ast_mem_alloc(&l->tmp, sizeof(*a));
	copy = ast_mem_alloc(l->mem, n + 1);
	if (!a || !copy)
		return NULL;
	memcpy(copy, text, n);
	*a = (struct atom){.text = copy, .len = (uint32_t)n, .hash = h, .dot = dot};
	l->table[at] = a;
	if (++l->n_atom > l->cap / 2 && grow_table(l))
		return NULL;
	if (!dot && split_number(l, a))
		return NULL;
	return a;
}

int
lex_init(struct lex *l, struct ast_mem *mem, const char *name, const char *text, uint32_t size,
	 struct err *e)
{
	*l = (struct lex){.name = name, .text = text, .size = size, .line = 1, .mem = mem, .e = e};
	return grow_table(l) ? lex_no_memory(l) : 0;
}

void
lex_free(struct lex *l)
{
	free(l->table);
	l->table = NULL;
	ast_mem_free(&l->tmp);
}

/* ---- tokens ---- */

/* Moves to the next token. */
static int
skip_blanks(struct lex *l)
{
	const char *p = l->text + l->at;

	for (;;) {
		if (*p == '\n') {
			l->line++;
			p++;
		} else if (get_byte_class(*p) & C_BLANK) {
			p++;
		} else if (*p == '/' && p[1] == '/') {
			p = memchr(p, '\n', (size_t)(l->text + l->size - p));
		} else if (*p == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");

			if (!end)
				return report_stray(l, (uint32_t)(p - l->text), 2,
						    "this comment has no end");
			for (; p < end; p++)
				l->line += *p == '\n';
			p = end + 2;
		} else {
			break;
		}
	}
	l->at = (uint32_t)(p - l->text);
	return 0;
}

static int
get_digit_value(char c)
{
	if (get_byte_class(c) & C_DIGIT)
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* "0f3F800000", "0d3FF0000000000000": the bits of the number. */
static int
read_float_bits(struct lex *l, struct tok *t)
{
	const char *p = l->text + t->at;
	uint32_t n = (p[1] | 32) == 'f' ? 8 : 16, i;

	for (i = 0; get_byte_class(p[2 + i]) & C_NAME; i++)
		if (i < n && get_digit_value(p[2 + i]) < 16)
			t->bits = 16 * t->bits + (unsigned)get_digit_value(p[2 + i]);
		else
			break;
	if (i != n || get_byte_class(p[2 + i]) & C_NAME)
		return report_stray(l, t->at, i + 2,
				    n == 8 ? "expected 8 hexadecimal digits after 0f"
					   : "expected 16 hexadecimal digits after 0d");
	t->kind = TOK_FLOAT;
	t->is_f32 = n == 8;
	l->at += n + 2;
	return 0;
}

/* 1.5, 1e6, 1.5e-3 */
static int
read_decimal_float(struct lex *l, struct tok *t)
{
	const char *p = l->text + t->at, *q = p;
	struct number number;
	char buf[64];

	while (get_byte_class(*q) & C_DIGIT || *q == '.')
		q++;
	if ((*q | 32) == 'e') {
		q += q[1] == '+' || q[1] == '-' ? 2 : 1;
		while (get_byte_class(*q) & C_DIGIT)
			q++;
	}
	if (get_byte_class(*q) & C_NAME || (size_t)(q - p) >= sizeof(buf) - 1)
		return report_stray(l, t->at, (uint32_t)(q - p) + 1, "not a number");
	memcpy(buf, p, (size_t)(q - p));
	buf[q - p] = '\0';
	if (q > p && q[-1] == '.')
		buf[q - p - 1] = '\0';
	if (number_parse(buf, 1000, &number))
		return report_stray(l, t->at, (uint32_t)(q - p), "not a number");
	memcpy(&t->bits, &number.f, sizeof(t->bits));
	t->kind = TOK_FLOAT;
	l->at += (uint32_t)(q - p);
	return 0;
}

static int
read_number(struct lex *l, struct tok *t)
{
	const char *p = l->text + t->at, *q = p;
	unsigned base = 10;
	bool over = false;

	if (*p == '0' && ((p[1] | 32) == 'f' || (p[1] | 32) == 'd'))
		return read_float_bits(l, t);
	if (*p == '0' && (p[1] | 32) == 'x')
		base = 16, q += 2;
	else if (*p == '0' && (p[1] | 32) == 'b')
		base = 2, q += 2;
	else if (*p == '0' && get_byte_class(p[1]) & C_DIGIT)
		base = 8;
	for (; get_digit_value(*q) < (int)base; q++) {
		unsigned v = (unsigned)get_digit_value(*q);

		over |= t->bits > (UINT64_MAX - v) / base;
		t->bits = base * t->bits + v;
	}
	if (base != 16 &&
	    (*q == '.' || (*q | 32) == 'e' || (base == 8 && get_byte_class(*q) & C_DIGIT))) {
		t->bits = 0;
		return read_decimal_float(l, t);
	}
	t->kind = TOK_INT;
	t->is_unsigned = (*q | 32) == 'u';
	q += t->is_unsigned;
	if (get_byte_class(*q) & C_NAME || q == p + (base == 16 || base == 2 ? 2 : 0))
		return report_stray(l, t->at, (uint32_t)(q - p) + 1, "not a number");
	if (over)
		return report_stray(l, t->at, (uint32_t)(q - p), "a number of more than 64 bits");
	l->at += (uint32_t)(q - p);
	return 0;
}

static int
read_name(struct lex *l, struct tok *t)
{
	const char *p = l->text + t->at, *q = p + 1;

	while (get_byte_class(*q) & C_NAME)
		q++;
	l->at += (uint32_t)(q - p);
	t->kind = TOK_NAME;
	t->atom = lex_atom(l, p, (size_t)(q - p), false);
	return t->atom ? 0 : lex_no_memory(l);
}

static int
read_dotted(struct lex *l, struct tok *t)
{
	const char *p = l->text + t->at, *q = p + 1;

	while (get_byte_class(*q) & C_NAME ||
	       (*q == ':' && q[1] == ':' && get_byte_class(q[2]) & C_NAME))
		q += *q == ':' ? 2 : 1;
	if (q == p + 1)
		return report_stray(l, t->at, 1, "expected a word after the dot");
	l->at += (uint32_t)(q - p);
	t->kind = TOK_DOT;
	t->atom = lex_atom(l, p + 1, (size_t)(q - p - 1), true);
	return t->atom ? 0 : lex_no_memory(l);
}

static int
read_string(struct lex *l, struct tok *t)
{
	const char *p = l->text + t->at + 1;

	while (*p != '"' && *p != '\n')
		p += *p == '\\' && p[1] != '\n' ? 2 : 1;
	if (*p != '"')
		return report_stray(l, t->at, 1, "this string has no end");
	t->kind = TOK_STRING;
	l->at = (uint32_t)(p + 1 - l->text);
	return 0;
}

static int
read_punctuation(struct lex *l, struct tok *t)
{
	static const struct {
		char text[3];
		uint8_t kind;
	} two[] = {{"<<", TOK_SHL}, {">>", TOK_SHR}, {"<=", TOK_LE},  {">=", TOK_GE},
		   {"==", TOK_EQ},  {"!=", TOK_NE},  {"&&", TOK_AND}, {"||", TOK_OR}};
	const char *p = l->text + t->at;

	for (unsigned i = 0; i < ARRAY_LEN(two); i++)
		if (p[0] == two[i].text[0] && p[1] == two[i].text[1]) {
			t->kind = two[i].kind;
			l->at += 2;
			return 0;
		}
	if (!*p || !strchr("(){}[],;:=+-*/%~!?<>&|^@", *p))
		return report_stray(l, t->at, 1, "this character has no meaning here");
	t->kind = TOK(*p);
	l->at++;
	return 0;
}

int
lex_next(struct lex *l, struct tok *t)
{
	char c, next;
	int rc;

	if (skip_blanks(l))
		return -1;
	*t = (struct tok){.at = l->at, .line = l->line};
	if (l->at >= l->size)
		return 0; /* TOK_END */
	c = l->text[l->at];
	next = l->text[l->at + 1];
	if (get_byte_class(c) & C_FIRST || (c == '%' && get_byte_class(next) & C_FIRST))
		rc = read_name(l, t);
	else if (get_byte_class(c) & C_DIGIT)
		rc = read_number(l, t);
	else if (c == '.' && get_byte_class(next) & C_DIGIT &&
		 !(l->at > 0 && get_byte_class(l->text[l->at - 1]) & C_NAME))
		rc = read_decimal_float(l, t);
	else if (c == '.')
		rc = read_dotted(l, t);
	else if (c == '"')
		rc = read_string(l, t);
	else
		rc = read_punctuation(l, t);
	t->len = l->at - t->at;
	return rc;
}
