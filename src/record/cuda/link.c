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

struct local_name { /* in the text of its object */
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

static struct local_name
find_declared_function(const char *p)
{
	p += strspn(p, " \t");
	if (*p == '(') /* the result */
		p += strcspn(p, ")") + (strchr(p, ')') != NULL);
	p += strspn(p, " \t\n");
	return (struct local_name){p, strspn(p, OF_NAME)};
}

/* The name of a variable: the last word before the size, the value or the end. */
static struct local_name
find_declared_variable(const char *p)
{
	struct local_name found = {0};

	while (*p && !strchr("\n;=[", *p)) {
		size_t word = strcspn(p, " \t\n;=[");

		if (word && strspn(p, OF_NAME) == word)
			found = (struct local_name){p, word};
		p += MAX(word, 1u);
	}
	return found;
}

/* The local name that this line declares; n 0: none. */
static struct local_name
find_declared_name(const char *line)
{
	if (starts_with(line, ".func"))
		return find_declared_function(line + strlen(".func"));
	if (starts_with(line, ".global") || starts_with(line, ".const") ||
	    starts_with(line, ".shared"))
		return find_declared_variable(line);
	return (struct local_name){0};
}

static bool
is_local_name(const struct strbuf *local_names, const char *name, size_t n)
{
	const struct local_name *found = (const struct local_name *)(const void *)local_names->p;

	for (size_t i = 0; n && i < local_names->n / sizeof(*found); i++)
		if (found[i].n == n && memcmp(found[i].name, name, n) == 0)
			return true;
	return false;
}

static void
add_renamed(struct strbuf *all, const char *text, unsigned object)
{
	struct strbuf local_names = {0};
	size_t n;

	for (const char *line = text; line; line = strchr(line, '\n')) {
		struct local_name found = find_declared_name(line += *line == '\n');

		if (found.n)
			sb_add(&local_names, &found, sizeof(found));
	}
	for (const char *p = text; *p; p += n) {
		size_t name = strspn(p, OF_NAME);

		n = name ? name : strcspn(p, OF_NAME);
		sb_add(all, p, n);
		if (is_local_name(&local_names, p, name))
			sb_printf(all, "$$%u", object);
	}
	all->failed |= local_names.failed;
	sb_free(&local_names);
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
