/* SPDX-License-Identifier: GPL-3.0-or-later */
/* docgen_panes.c - the pages of ctascope-panes(7), from the rows that `?` on the screen shows, too.
 */
#include "ctascope/pane.h"
#include "tools/docgen.h"
#include "tui/layout.h"
#include "tui/panes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const commands[] = {
#define CMD(name, ...) name,
#define SCREEN(name, ...) name,
#include "session/commands.def"
};

static const char *const topics[] = {
#define INFO(name, ...) name,
#include "session/commands.def"
};

static bool
is_pane(const char *name)
{
	for (unsigned i = 0; pane_table[i]; i++)
		if (strcmp(pane_table[i]->name, name) == 0)
			return true;
	return false;
}

static bool
is_layout(const char *name)
{
	for (unsigned i = 0; i < n_layout_rows; i++)
		if (strcmp(layout_rows[i].name, name) == 0)
			return true;
	return false;
}

static bool
is_in(const char *const *list, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

/* "info core": a command, and where it takes the name of a topic, a pane or a layout, one of those.
 */
static bool
is_known(const char *text)
{
	char word[2][32] = {"", ""};

	if (sscanf(text, "%31s %31s", word[0], word[1]) < 1 ||
	    !is_in(commands, ARRAY_LEN(commands), word[0]))
		return false;
	if (!word[1][0])
		return true;
	return strcmp(word[0], "info") == 0	? is_in(topics, ARRAY_LEN(topics), word[1])
	       : strcmp(word[0], "pane") == 0	? is_pane(word[1])
	       : strcmp(word[0], "layout") == 0 ? is_layout(word[1])
						: true;
}

static void
related(const struct pane_ops *o)
{
	char one[80];

	if (o->also)
		puts(".TP\n.B See also");
	for (const char *p = o->also; p && *p; p += strspn(p, ", ")) {
		size_t n = strcspn(p, ",");

		snprintf(one, sizeof(one), "%.*s", (int)n, p);
		if (!is_known(one)) {
			fprintf(stderr, "docgen: pane %s: there is no '%s'\n", o->name, one);
			exit(1);
		}
		p += n;
		fputs(".BR \"", stdout);
		put(one);
		puts(*p ? "\" ," : "\"");
	}
}

static void
example(const char *manual, const char *name)
{
	const char *slash = strrchr(manual, '/');
	char path[4096], line[256];
	FILE *in;

	snprintf(path, sizeof(path), "%.*spanes/%s.txt", slash ? (int)(slash + 1 - manual) : 0,
		 manual, name);
	in = fopen(path, "r");
	if (!in)
		return; /* tests/tui/pages misses it */
	puts(".PP\n.EX");
	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		put(line);
		putchar('\n');
	}
	puts(".EE");
	fclose(in);
}

void
pane_pages(const char *manual)
{
	for (unsigned i = 0; pane_table[i]; i++) {
		const struct pane_ops *o = pane_table[i];

		if (!pane_is_of(o, WHEN_ALWAYS))
			continue; /* pages say at `?` what they show */
		printf(".SH pane %s%s%s\n", o->name, o->arg ? " " : "", o->arg ? o->arg : "");
		put(o->help);
		puts("\n.PP");
		put(o->read ? o->read : "");
		putchar('\n');
		if (o->keys)
			entry("Keys and orders", "", o->keys);
		if (o->range)
			entry("Range", "", o->range);
		related(o);
		example(manual, o->name);
	}
}
