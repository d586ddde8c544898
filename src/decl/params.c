/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * params.c - cuts "dyncta:period=4096+claso:pa=2" into parts and pairs.
 *
 * One cursor walks over the text and knows where each word began, so that every mistake can be
 * pointed at. The words go straight into the caller's fixed buffers; one that does not fit is an
 * error, never cut.
 */
#include "decl/params.h"

#include <ctype.h>
#include <string.h>

struct cursor {
	const char *text;
	const char *at;
	struct err *e;
};

struct span {
	const char *start;
	unsigned len;
};

static int
fail(const struct cursor *c, struct span where, const char *msg)
{
	return err_at(c->e, "", 0, c->text, (int)(where.start - c->text), (int)MAX(where.len, 1u),
		      "%s", msg);
}

/* "expected X, found 'rest'" at the cursor. */
static int
expected(const struct cursor *c, const char *what)
{
	char msg[160];
	struct span rest = {c->at, (unsigned)strcspn(c->at, ":=,+ \t")};

	if (!*c->at)
		snprintf(msg, sizeof(msg), "expected %s, found the end", what);
	else
		snprintf(msg, sizeof(msg), "expected %s, found '%.*s'", what,
			 (int)MIN(MAX(rest.len, 1u), 60u), c->at);
	return fail(c, rest, msg);
}

static void
skip_blanks(struct cursor *c)
{
	while (isspace((unsigned char)*c->at))
		c->at++;
}

static bool
take(struct cursor *c, char wanted)
{
	skip_blanks(c);
	if (*c->at != wanted)
		return false;
	c->at++;
	return true;
}

static struct span
take_name(struct cursor *c)
{
	struct span s;

	skip_blanks(c);
	s.start = c->at;
	while (isalnum((unsigned char)*c->at) || (*c->at && strchr("_-.", *c->at)))
		c->at++;
	s.len = (unsigned)(c->at - s.start);
	return s;
}

#define ENDS_PATH ":+, \t\r\n\v\f"

static bool
ends_in_so(const char *text, size_t n)
{
	return n > 3 && strncmp(text + n - 3, ".so", 3) == 0;
}

/* A path at the cursor, taken; false: something else is there. */
static bool
take_path(struct cursor *c, struct span *s)
{
	size_t n, first;

	skip_blanks(c);
	n = first = strcspn(c->at, ENDS_PATH);
	if (!memchr(c->at, '/', n) && !ends_in_so(c->at, n))
		return false;
	while (!ends_in_so(c->at, n) && c->at[n])
		n += 1 + strcspn(c->at + n + 1, ENDS_PATH);
	if (!ends_in_so(c->at, n))
		n = first;
	*s = (struct span){c->at, (unsigned)n};
	c->at += n;
	return true;
}

static struct span
take_value(struct cursor *c)
{
	struct span s;

	skip_blanks(c);
	s.start = c->at;
	c->at += strcspn(c->at, ",+ \t\r\n\v\f");
	s.len = (unsigned)(c->at - s.start);
	return s;
}

static int
take_pair(struct cursor *c, struct span *key, struct span *value)
{
	*key = take_name(c);
	if (!key->len)
		return expected(c, "a parameter such as period=4096");
	if (!take(c, '='))
		return expected(c, "'=' and a value");
	*value = take_value(c);
	return value->len ? 0 : expected(c, "a value");
}

static int
parse_pairs(struct cursor *c, struct stack_part *part)
{
	struct span key, value;
	size_t used = 0;

	do {
		if (take_pair(c, &key, &value))
			return -1;
		if (used + key.len + value.len + 3 > sizeof(part->params))
			return fail(c, key, "too many parameters for one policy");
		used += (size_t)snprintf(part->params + used, sizeof(part->params) - used,
					 "%s%.*s=%.*s", used ? "," : "", (int)key.len, key.start,
					 (int)value.len, value.start);
	} while (take(c, ','));
	return 0;
}

static int
parse_part(struct cursor *c, struct stack_part *part)
{
	struct span name;

	*part = (struct stack_part){.is_path = take_path(c, &name)};
	if (!part->is_path)
		name = take_name(c);
	if (!name.len)
		return expected(c, "the name of a policy");
	if (part->is_path && name.len >= sizeof(part->name))
		return fail(c, name, "the path of the policy is too long");
	if (!part->is_path && name.len > STACK_NAME)
		return fail(c, name, "the name of the policy is too long");
	memcpy(part->name, name.start, name.len);
	return take(c, ':') ? parse_pairs(c, part) : 0;
}

int
stack_parse(const char *text, struct stack_part *part, unsigned max, struct err *e)
{
	struct cursor c = {text, text, e};
	unsigned n = 0;

	do {
		char msg[64];

		skip_blanks(&c);
		if (n == max) {
			snprintf(msg, sizeof(msg), "more than %u policies in a stack", max);
			return fail(&c, (struct span){c.at, (unsigned)strlen(c.at)}, msg);
		}
		if (parse_part(&c, &part[n++]))
			return -1;
	} while (take(&c, '+'));
	skip_blanks(&c);
	if (*c.at)
		return expected(&c, part[n - 1].params[0] ? "',' or '+'" : "':' or '+'");
	return (int)n;
}

/* One "prefix.key = value"; the error of opt_set gets its place in the text here. */
static int
apply_pair(struct cursor *c, const char *prefix, struct span key, struct span value,
	   struct optdb *db)
{
	struct err inner = {0};
	char full[160], text[96];

	int need = snprintf(full, sizeof(full), "%s%s%.*s", prefix, *prefix ? "." : "",
			    (int)key.len, key.start);

	if (need < 0 || (size_t)need >= sizeof(full))
		return fail(c, key, "the name of the parameter is too long");
	if (value.len >= sizeof(text))
		return fail(c, value, "the value is too long");
	snprintf(text, sizeof(text), "%.*s", (int)value.len, value.start);
	if (opt_set(db, full, text, &inner) == 0)
		return 0;
	return fail(c, opt_find(db, full, NULL) ? value : key, inner.msg);
}

int
params_apply(const char *prefix, const char *params, struct optdb *db, struct err *e)
{
	struct cursor c = {params, params, e};
	struct span key, value;

	skip_blanks(&c);
	if (!*c.at)
		return 0;
	do {
		if (take_pair(&c, &key, &value) || apply_pair(&c, prefix, key, value, db))
			return -1;
	} while (take(&c, ','));
	skip_blanks(&c);
	return *c.at ? expected(&c, "',' and another parameter") : 0;
}
