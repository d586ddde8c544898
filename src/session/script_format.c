/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script_format.c - formats "fmt", EXPR... for printf and eval.
 *
 * As in C: %d %i %u %x %X %o print whole numbers (truncated, as by a cast), and there are %f %e %g
 * %s %c %%, with flags, a width and a precision. Sizes (%lu) are accepted and ignored, since every
 * number is a double. %s takes any value, also a vector, formatted as by print, or a text in
 * quotes. The number of arguments must be that of the format. An unknown value prints as "unknown".
 */
#include "session/session_part.h"

#include "base/ascii.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ARGS 64
#define WIDEST 1000
#define FINEST 60

struct format {
	struct session *s;
	const char *verb;
	const char *arg[ARGS]; /* as they were typed */
	size_t len[ARGS];
	unsigned n, used;
	struct strbuf *out;
};

struct spec {
	bool left, plus, blank, zero, hash;
	unsigned width, precision;
	bool has_precision;
	char conv;
};

/* ---------------------------------------------------------------- reading */

/* Skips the text in quotes at *at; escapes stay as they are. */
static enum session_status
skip_quoted(const struct format *f, const char **at)
{
	const char *p = *at + 1;

	while (*p && *p != '"')
		p += *p == '\\' && p[1] ? 2 : 1;
	if (!*p)
		return fail(f->s, "%s: the text has no closing '\"'", f->verb);
	*at = p + 1;
	return SESSION_OK;
}

/* Splits the arguments at commas outside of parentheses and quotes. */
static enum session_status
read_arguments(struct format *f, const char *at)
{
	while (*(at = skip_blanks(at))) {
		const char *from;
		unsigned depth = 0;

		if (*at != ',')
			return fail(f->s, "%s: expected ',', found '%.60s'", f->verb, at);
		from = at = skip_blanks(at + 1);
		while (*at && (*at != ',' || depth)) {
			depth += *at == '(';
			depth -= *at == ')' && depth;
			if (*at == '"') {
				if (skip_quoted(f, &at) != SESSION_OK)
					return SESSION_ERROR;
			} else {
				at++;
			}
		}
		if (at == from)
			return fail(f->s, "%s: an argument is missing after ','", f->verb);
		if (f->n == ARGS)
			return fail(f->s, "%s: more than %d arguments", f->verb, ARGS);
		f->arg[f->n] = from;
		f->len[f->n++] = span_trim((struct span){from, (size_t)(at - from)}).n;
	}
	return SESSION_OK;
}

/* Converts "\n" and the like. *p is at the backslash and moves to the last character. */
static enum session_status
put_escape(const struct format *f, const char **p, struct strbuf *out)
{
	static const char from[] = "nt\\\"'", to[] = "\n\t\\\"'";
	const char *which = strchr(from, *++*p);

	if (!which)
		return fail(f->s,
			    "%s: unknown escape '\\%c'; expected \\n"
			    " \\t \\\\ \\\" \\'",
			    f->verb, **p);
	sb_char(out, to[which - from]);
	return SESSION_OK;
}

static unsigned
read_digits(const char **p)
{
	unsigned n = 0;

	for (; ascii_is_digit(**p); ++*p)
		n = MIN(10 * n + (unsigned)(**p - '0'), 100000u);
	return n;
}

/* Reads what follows a '%', including its letter. */
static enum session_status
read_spec(const struct format *f, const char **p, struct spec *c)
{
	const char *from = *p - 1;

	*c = (struct spec){0};
	for (; **p && strchr("-+ 0#", **p); ++*p) {
		c->left |= **p == '-';
		c->plus |= **p == '+';
		c->blank |= **p == ' ';
		c->zero |= **p == '0';
		c->hash |= **p == '#';
	}
	c->width = read_digits(p);
	c->has_precision = **p == '.';
	if (c->has_precision) {
		++*p;
		c->precision = read_digits(p);
	}
	while (**p && strchr("hlLjzt", **p))
		++*p;
	c->conv = **p;
	if (!c->conv || c->conv == '"' || !strchr("diuxXoeEfFgGsc", c->conv))
		return fail(f->s, "%s: unknown conversion '%.*s'; expected d u x o f e g s c or %%",
			    f->verb, (int)(*p - from) + (c->conv && c->conv != '"'), from);
	if (c->width > WIDEST || c->precision > FINEST)
		return fail(f->s, "%s: '%.*s': the width is at most %d, the precision %d", f->verb,
			    (int)(*p - from) + 1, from, WIDEST, FINEST);
	++*p;
	return SESSION_OK;
}

/* ---------------------------------------------------------------- writing */

/* Writes the sign, zeros or blanks up to the width, and the text. */
static void
put_padded(const struct spec *c, const char *sign, struct span text, bool number,
	   struct strbuf *out)
{
	size_t n = strlen(sign) + text.n, fill = n < c->width ? c->width - n : 0;
	bool zeros = number && c->zero && !c->left;

	if (!c->left && !zeros)
		sb_printf(out, "%*s", (int)fill, "");
	sb_str(out, sign);
	for (size_t i = 0; zeros && i < fill; i++)
		sb_char(out, '0');
	sb_add(out, text.p, text.n);
	if (c->left)
		sb_printf(out, "%*s", (int)fill, "");
}

static void
put_whole(const struct spec *c, double v, struct strbuf *out)
{
	bool negative = v < 0 && strchr("di", c->conv);
	double size = trunc(negative ? -v : v) + 0.0; /* no "-0" */
	uint64_t bits = size < 0 ? (uint64_t)(int64_t)MAX(size, -0x1p63) : (uint64_t)size;
	char text[400], sign[4] = "";

	if (c->conv == 'x')
		snprintf(text, sizeof(text), "%" PRIx64, bits);
	else if (c->conv == 'X')
		snprintf(text, sizeof(text), "%" PRIX64, bits);
	else if (c->conv == 'o')
		snprintf(text, sizeof(text), "%" PRIo64, bits);
	else if (size >= 0)
		snprintf(text, sizeof(text), "%.0f", size);
	else
		snprintf(text, sizeof(text), "%" PRIu64, bits);
	if (strchr("di", c->conv))
		strcpy(sign, negative ? "-" : c->plus ? "+" : c->blank ? " " : "");
	else if (c->hash && bits && c->conv != 'u')
		strcpy(sign, c->conv == 'o' ? "0" : c->conv == 'x' ? "0x" : "0X");
	put_padded(c, sign, span_of(text), true, out);
}

static void
put_float(const struct spec *c, double v, struct strbuf *out)
{
	int precision = c->has_precision ? (int)c->precision : 6;
	double size = fabs(v);
	char text[500];

	switch (c->conv) {
	case 'e':
		snprintf(text, sizeof(text), "%.*e", precision, size);
		break;
	case 'E':
		snprintf(text, sizeof(text), "%.*E", precision, size);
		break;
	case 'g':
		snprintf(text, sizeof(text), "%.*g", precision, size);
		break;
	case 'G':
		snprintf(text, sizeof(text), "%.*G", precision, size);
		break;
	default:
		snprintf(text, sizeof(text), "%.*f", precision, size);
	}
	put_padded(c,
		   signbit(v) ? "-"
		   : c->plus  ? "+"
		   : c->blank ? " "
			      : "",
		   span_of(text), true, out);
}

static void
put_text(const struct spec *c, const char *text, struct strbuf *out)
{
	size_t n = c->has_precision ? strnlen(text, c->precision) : strlen(text);

	put_padded(c, "", (struct span){text, n}, false, out);
}

static enum session_status
put_literal(const struct format *f, const struct spec *c, const char *arg, size_t n)
{
	struct strbuf text = {0};
	enum session_status status = SESSION_OK;

	if (c->conv != 's')
		return fail(f->s, "%s: argument %u is a text, but %%%c needs a number", f->verb,
			    f->used, c->conv);
	sb_str(&text, "");
	for (const char *p = arg + 1; p < arg + n - 1 && status == SESSION_OK; p++) {
		if (*p == '\\')
			status = put_escape(f, &p, &text);
		else
			sb_char(&text, *p);
	}
	f->out->failed |= text.failed;
	if (status == SESSION_OK && !text.failed)
		put_text(c, text.p, f->out);
	sb_free(&text);
	return status;
}

static enum session_status
put_value(const struct format *f, const struct spec *c, const struct value *v)
{
	char text[4096];

	if (c->conv == 's') {
		value_format(v, 0, text, sizeof(text));
		put_text(c, text, f->out);
	} else if (v->n) {
		return fail(f->s, "%s: argument %u is a vector of %u; %%s prints vectors", f->verb,
			    f->used, v->n);
	} else if (isnan(v->x)) {
		put_padded(c, "", span_of("unknown"), false, f->out);
	} else if (c->conv == 'c') {
		if (!(v->x >= ' ' && v->x < 0x7f))
			return fail(f->s, "%s: argument %u, %g, is not the code of a character",
				    f->verb, f->used, v->x);
		put_text(c, (char[]){(char)v->x, '\0'}, f->out);
	} else if (strchr("diuxXo", c->conv)) {
		if (fabs(v->x) >= 0x1p64)
			return fail(f->s, "%s: argument %u, %g, is too large for %%%c", f->verb,
				    f->used, v->x, c->conv);
		put_whole(c, v->x, f->out);
	} else {
		put_float(c, v->x, f->out);
	}
	return SESSION_OK;
}

static enum session_status
put_argument(struct format *f, const struct spec *c)
{
	unsigned i = f->used++;
	enum session_status status;
	struct value v;
	char *text;

	if (i >= f->n)
		return fail(f->s, "%s: the format needs more than the %u argument%s given", f->verb,
			    f->n, PLURAL(f->n));
	if (*f->arg[i] == '"' && f->len[i] > 1)
		return put_literal(f, c, f->arg[i], f->len[i]);
	text = strndup(f->arg[i], f->len[i]);
	if (!text)
		return fail_memory(f->s);
	status = session_eval(f->s, text, &v);
	free(text);
	if (status != SESSION_OK)
		return status;
	status = put_value(f, c, &v);
	value_free(&v);
	return status;
}

enum session_status
script_format(struct session *s, const char *verb, const char *text, struct strbuf *out)
{
	struct format f = {.s = s, .verb = verb, .out = out};
	const char *p = skip_blanks(text), *end = p;
	enum session_status status;
	struct spec c;

	if (*p != '"')
		return fail(s, "%s: expected a format in quotes; usage: %s \"FORMAT\", EXPR...",
			    verb, verb);
	status = skip_quoted(&f, &end);
	if (status == SESSION_OK)
		status = read_arguments(&f, end);
	sb_str(out, "");
	for (p++; status == SESSION_OK && p < end - 1;) {
		if (*p == '\\') {
			status = put_escape(&f, &p, out);
			p++;
		} else if (*p != '%') {
			sb_char(out, *p++);
		} else if (p[1] == '%') {
			sb_char(out, '%');
			p += 2;
		} else {
			p++;
			status = read_spec(&f, &p, &c);
			if (status == SESSION_OK)
				status = put_argument(&f, &c);
		}
	}
	if (status == SESSION_OK && f.used < f.n)
		status = fail(s, "%s: %u arguments, but the format needs %u", verb, f.n, f.used);
	return status == SESSION_OK && out->failed ? fail_memory(s) : status;
}
