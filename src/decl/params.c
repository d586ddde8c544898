/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * params.c - parses "one:period=4096+another:n=2" into parts and pairs.
 *
 * One cursor walks over the text and knows the start of each word, so that every error message can
 * point at its place. The words go straight into the caller's fixed buffers; a word that does not
 * fit is an error, never truncated.
 */
#include "decl/params.h"

#include "base/ascii.h"
#include "base/words.h"

#include <string.h>

struct cursor {
	const char *text;
	const char *at;
	struct err *e;
};

static int
report_at(const struct cursor *c, struct span where, const char *msg)
{
	return err_at(c->e, "", 0, c->text, (int)(where.p - c->text), (int)MAX(where.n, 1u), "%s",
		      msg);
}

/* "expected X, found 'rest'" at the cursor. */
static int
report_expected(const struct cursor *c, const char *what)
{
	char msg[160];
	const char *end = c->at;
	struct span rest = {c->at, word_until(&end, ":=,+").n};

	if (!*c->at)
		snprintf(msg, sizeof(msg), "expected %s, found the end", what);
	else
		snprintf(msg, sizeof(msg), "expected %s, found '%.*s'", what,
			 (int)MIN(MAX(rest.n, 1u), 60u), c->at);
	return report_at(c, rest, msg);
}

static bool
take_char(struct cursor *c, char wanted)
{
	c->at = skip_blanks(c->at);
	if (*c->at != wanted)
		return false;
	c->at++;
	return true;
}

static struct span
take_name(struct cursor *c)
{
	struct span s;

	c->at = skip_blanks(c->at);
	s.p = c->at;
	while (ascii_is_alnum(*c->at) || (*c->at && strchr("_-.", *c->at)))
		c->at++;
	s.n = (size_t)(c->at - s.p);
	return s;
}

#define ENDS_PATH ":+, \t\r\n\v\f"

static bool
ends_in_so(const char *text, size_t n)
{
	return n > 3 && strncmp(text + n - 3, ".so", 3) == 0;
}

/* Takes a path at the cursor. Returns false if there is something else. */
static bool
take_path(struct cursor *c, struct span *s)
{
	size_t n, first;

	c->at = skip_blanks(c->at);
	n = first = strcspn(c->at, ENDS_PATH);
	if (!memchr(c->at, '/', n) && !ends_in_so(c->at, n))
		return false;
	while (!ends_in_so(c->at, n) && c->at[n])
		n += 1 + strcspn(c->at + n + 1, ENDS_PATH);
	if (!ends_in_so(c->at, n))
		n = first;
	*s = (struct span){c->at, n};
	c->at += n;
	return true;
}

static int
take_pair(struct cursor *c, struct span *key, struct span *value)
{
	*key = take_name(c);
	if (!key->n)
		return report_expected(c, "a parameter such as period=4096");
	if (!take_char(c, '='))
		return report_expected(c, "'=' and a value");
	*value = word_until(&c->at, ",+");
	return value->n ? 0 : report_expected(c, "a value");
}

static bool
has_param(const struct stack_part *part, struct span key)
{
	const char *at = part->params;

	for (; *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, "=") == key.n && strncmp(at, key.p, key.n) == 0)
			return true;
	return false;
}

static int
parse_pairs(struct cursor *c, struct stack_part *part)
{
	struct span key, value;
	size_t used = 0;
	char msg[STACK_NAME + 80];

	do {
		if (take_pair(c, &key, &value))
			return -1;
		if (has_param(part, key)) {
			snprintf(msg, sizeof(msg),
				 "%.*s is given twice; a parameter of a policy has one value",
				 (int)MIN(key.n, STACK_NAME), key.p);
			return report_at(c, key, msg);
		}
		if (used + key.n + value.n + 3 > sizeof(part->params))
			return report_at(c, key, "too many parameters for one policy");
		used += (size_t)snprintf(part->params + used, sizeof(part->params) - used,
					 "%s%.*s=%.*s", used ? "," : "", (int)key.n, key.p,
					 (int)value.n, value.p);
	} while (take_char(c, ','));
	return 0;
}

static int
parse_part(struct cursor *c, struct stack_part *part)
{
	struct span name;

	*part = (struct stack_part){.is_path = take_path(c, &name)};
	if (!part->is_path)
		name = take_name(c);
	if (!name.n)
		return report_expected(c, "the name of a policy");
	if (part->is_path && name.n >= sizeof(part->name))
		return report_at(c, name, "the path of the policy is too long");
	if (!part->is_path && name.n > STACK_NAME)
		return report_at(c, name, "the name of the policy is too long");
	memcpy(part->name, name.p, name.n);
	return take_char(c, ':') ? parse_pairs(c, part) : 0;
}

int
stack_parse(const char *text, struct stack_part *part, unsigned max, struct err *e)
{
	struct cursor c = {text, text, e};
	unsigned n = 0;

	do {
		char msg[64];

		c.at = skip_blanks(c.at);
		if (n == max) {
			snprintf(msg, sizeof(msg), "more than %u policies in a stack", max);
			return report_at(&c, span_of(c.at), msg);
		}
		if (parse_part(&c, &part[n++]))
			return -1;
	} while (take_char(&c, '+'));
	c.at = skip_blanks(c.at);
	if (*c.at)
		return report_expected(&c, part[n - 1].params[0] ? "',' or '+'" : "':' or '+'");
	return (int)n;
}

/* Applies one "prefix.key = value", and adds the position in the text to the error of opt_set().
 * */
static int
apply_pair(struct cursor *c, const char *prefix, struct span key, struct span value,
	   struct optdb *db)
{
	struct err inner = {0};
	char full[160], text[96];

	int need = snprintf(full, sizeof(full), "%s%s%.*s", prefix, *prefix ? "." : "", (int)key.n,
			    key.p);

	if (need < 0 || (size_t)need >= sizeof(full))
		return report_at(c, key, "the name of the parameter is too long");
	if (value.n >= sizeof(text))
		return report_at(c, value, "the value is too long");
	snprintf(text, sizeof(text), "%.*s", (int)value.n, value.p);
	if (opt_set(db, full, text, &inner) == 0)
		return 0;
	report_at(c, opt_find(db, full, NULL) ? value : key, inner.msg);
	return err_as(c->e, inner.kind);
}

int
params_apply(const char *prefix, const char *params, struct optdb *db, struct err *e)
{
	struct cursor c = {params, params, e};
	struct span key, value;

	c.at = skip_blanks(c.at);
	if (!*c.at)
		return 0;
	do {
		if (take_pair(&c, &key, &value) || apply_pair(&c, prefix, key, value, db))
			return -1;
	} while (take_char(&c, ','));
	c.at = skip_blanks(c.at);
	return *c.at ? report_expected(&c, "',' and another parameter") : 0;
}
