/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plain_name.c - finds the last identifier in a mangled name (plain_name.h).
 *
 * Of the grammar of the Itanium C++ ABI (5.1, Mangling) it knows source names, nested names, and as
 * much of template arguments as is needed to skip them:
 *
 *     _Z [L] SOURCE ...                 SOURCE: a length, then so many characters
 *     _Z N [rVK] [R|O] {SUBSTITUTION | [L] SOURCE [I ARGUMENT... E]}... E ...
 *
 * What follows the name, the types of the parameters, is not read. A signature as a demangler
 * writes it, [TYPE] [SCOPE::]NAME[<ARGUMENTS>](PARAMETERS), is read from its parameters backwards.
 */
#include "base/plain_name.h"

#include "base/ascii.h"
#include "base/shown.h"
#include "base/words.h"

#include <stdlib.h>
#include <string.h>

/* Reads a length and the identifier of that length; NULL if there is none. */
static const char *
skip_source(const char *at, struct span *name)
{
	size_t n = 0, left;

	if (!ascii_is_digit(*at) || *at == '0')
		return NULL;
	while (ascii_is_digit(*at) && n < PLAIN_NAME)
		n = 10 * n + (size_t)(*at++ - '0');
	left = strlen(at);
	if (n > left)
		return NULL;
	*name = (struct span){at, n};
	return at + n;
}

/* Skips S_, S1_, T_, T0_, or St, Sa ... */
static const char *
skip_substitution(const char *at)
{
	bool has_number = at[1] == '_' || ascii_is_digit(at[1]) || ascii_is_upper(at[1]);

	if (!has_number)
		return *at == 'S' && ascii_is_lower(at[1]) ? at + 2 : NULL;
	for (at++; ascii_is_digit(*at) || ascii_is_upper(*at); at++)
		;
	return *at == '_' ? at + 1 : NULL;
}

/* Skips a literal of a plain type: Li4E, Lb1E, Lin2E, LN3lib4kindE2E. */
static const char *
skip_literal(const char *at)
{
	const char *nested = at[1] == 'N' ? strchr(at, 'E') : NULL;
	struct span name;

	if (at[1] == '_')
		return NULL; /* the name of a function */
	at = at[1] == 'N' ? nested : ascii_is_digit(at[1]) ? skip_source(at + 1, &name) : at + 1;
	if (!at || !*at)
		return NULL;
	at += at == nested || ascii_is_lower(*at);
	at += *at == 'n';
	while (ascii_is_digit(*at))
		at++;
	return *at == 'E' ? at + 1 : NULL;
}

/* Skips the arguments of a template, from its I to behind its E; NULL: they hold more than types
 * and plain literals. */
static const char *
skip_arguments(const char *at)
{
	unsigned depth = 0;
	struct span name;

	do {
		if (ascii_is_digit(*at)) {
			at = skip_source(at, &name);
		} else if (*at == 'L') {
			at = skip_literal(at);
		} else if (*at == 'S' || *at == 'T') {
			at = skip_substitution(at);
		} else if (*at == 'I' || *at == 'N' || *at == 'J' || *at == 'F') {
			depth++;
			at++;
		} else if (*at == 'E') {
			depth--;
			at++;
		} else if (ascii_is_lower(*at) || (*at && strchr("PROKV", *at))) {
			at++;
		} else if (*at == 'D' && at[1] && strchr("phniasudfeF", at[1])) {
			at += 2;
		} else {
			at = NULL;
		}
	} while (at && depth);
	return at;
}

/* Finds the last identifier after N; false: it has none, as that of a lambda. */
static bool
find_nested(const char *at, struct span *name)
{
	at += strspn(at, "rVK");
	at += *at == 'R' || *at == 'O';
	name->n = 0;
	while (at && *at != 'E') {
		if (*at == 'I') {
			at = name->n ? skip_arguments(at) : NULL;
		} else if (*at == 'S') {
			at = skip_substitution(at);
			name->n = 0;
		} else {
			at = skip_source(at + (*at == 'L'), name);
		}
	}
	return at && name->n;
}

/* Finds the ( of the parameters: the first one outside of <>, since a name that is neither
 * "operator()" nor in "(anonymous namespace)::" has none before it. NULL: there is none. */
static const char *
find_parameters(const char *signature)
{
	int depth = 0;

	for (const char *p = signature; *p; p++) {
		depth += (*p == '<') - (*p == '>');
		if (*p != '(' || depth)
			continue;
		if (strncmp(p, "(anonymous namespace)", strlen("(anonymous namespace)")) != 0)
			return p;
		p += strlen("(anonymous namespace)") - 1;
	}
	return NULL;
}

/* Finds the last identifier before the parameters of a signature; false: it is no signature, or of
 * an operator. */
static bool
find_in_signature(const char *text, struct span *name)
{
	const char *end = find_parameters(text), *from;
	int depth = 0;

	while (end && end > text && (depth || end[-1] == '>')) {
		end--;
		depth += (*end == '>') - (*end == '<');
	}
	for (from = end; from && from > text && (ascii_is_alnum(from[-1]) || from[-1] == '_');)
		from--;
	if (!end || from == end || ascii_is_digit(*from) ||
	    span_is((struct span){from, (size_t)(end - from)}, "operator"))
		return false;
	*name = (struct span){from, (size_t)(end - from)};
	return true;
}

static bool
find_identifier(const char *mangled, struct span *name)
{
	const char *at = mangled + 2;

	if (strncmp(mangled, "_Z", 2) != 0)
		return find_in_signature(mangled, name);
	return *at == 'N' ? find_nested(at + 1, name)
			  : skip_source(at + (*at == 'L'), name) != NULL;
}

const char *
plain_name(const char *name, char *buf, size_t size)
{
	struct span found;

	if (!find_identifier(name, &found))
		found = span_of(name);
	span_copy(found, buf, size);
	return buf;
}

const char *
plain_name_shown(const char *name, char *buf, size_t size)
{
	char plain[PLAIN_NAME];

	return text_shown(plain_name(name, plain, sizeof(plain)), buf, size);
}

bool
is_plain_name(const char *word, const char *name)
{
	struct span found, wanted = span_of(word);

	if (strcmp(word, name) == 0)
		return true;
	find_in_signature(word, &wanted);
	if (!find_identifier(name, &found))
		found = span_of(name);
	return found.n == wanted.n && memcmp(found.p, wanted.p, wanted.n) == 0;
}
