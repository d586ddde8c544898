/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * link.c - combines the PTX of several objects of a program (-rdc=true), or of several inputs of a
 * linker (linker.c), into one text.
 *
 * What an object declares outside functions without .visible, .extern, .weak or .common is local to
 * it, and two objects may use the same local name, such as $str and $str$1 for their strings.
 * Therefore, in all objects except the first, $$ and the number of the object are appended to each
 * local name. Only the first object keeps .version, .target and .address_size. As compilers write
 * it, a declaration starts a line.
 */
#include "record/cuda/driver.h"

#include "base/strbuf.h"

#include <string.h>

#define OF_NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%"

struct own { /* a name that is local to an object, in its text */
	const char *name;
	size_t n;
};

/* Blanks the lines that only the first of several texts may have. */
static void
blank_head(char *text)
{
	static const char *const head[] = {".version", ".target", ".address_size"};

	for (size_t i = 0; i < ARRAY_LEN(head); i++) {
		char *at = strstr(text, head[i]);

		if (at)
			memset(at, ' ', strcspn(at, "\n"));
	}
}

static bool
starts_with(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) == 0 && strchr(" \t(", line[n]);
}

static struct own
declared_function(const char *p)
{
	p += strspn(p, " \t");
	if (*p == '(') /* the result */
		p += strcspn(p, ")") + (strchr(p, ')') != NULL);
	p += strspn(p, " \t\n");
	return (struct own){p, strspn(p, OF_NAME)};
}

/* The name of a variable: the last word before the size, the value or the end. */
static struct own
declared_variable(const char *p)
{
	struct own own = {0};

	while (*p && !strchr("\n;=[", *p)) {
		size_t word = strcspn(p, " \t\n;=[");

		if (word && strspn(p, OF_NAME) == word)
			own = (struct own){p, word};
		p += MAX(word, 1u);
	}
	return own;
}

/* The local name that this line declares; n 0: none. */
static struct own
declared_name(const char *line)
{
	if (starts_with(line, ".func"))
		return declared_function(line + strlen(".func"));
	if (starts_with(line, ".global") || starts_with(line, ".const") ||
	    starts_with(line, ".shared"))
		return declared_variable(line);
	return (struct own){0};
}

static bool
is_own_name(const struct strbuf *owns, const char *name, size_t n)
{
	const struct own *own = (const struct own *)(const void *)owns->p;

	for (size_t i = 0; n && i < owns->n / sizeof(*own); i++)
		if (own[i].n == n && memcmp(own[i].name, name, n) == 0)
			return true;
	return false;
}

static void
add_renamed(struct strbuf *all, const char *text, unsigned object)
{
	struct strbuf owns = {0};
	size_t n;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		struct own own = declared_name(line += *line == '\n');

		if (own.n)
			sb_add(&owns, &own, sizeof(own));
	}
	for (const char *p = text; *p; p += n) {
		size_t name = strspn(p, OF_NAME);

		n = name ? name : strcspn(p, OF_NAME);
		sb_add(all, p, n);
		if (is_own_name(&owns, p, name))
			sb_printf(all, "$$%u", object);
	}
	all->failed |= owns.failed;
	sb_free(&owns);
}

void
link_add(struct strbuf *all, char *text, unsigned object)
{
	if (object == 0) {
		sb_str(all, text);
		return;
	}
	blank_head(text);
	add_renamed(all, text, object);
}
