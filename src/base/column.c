/* SPDX-License-Identifier: GPL-3.0-or-later */
/* column.c - the name of a column: what it holds and its unit. See words.h. */
#include "base/ascii.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>

/* Is it one of the words of a name like ctas_running? "w" is none of "power". */
static bool
has_word(const char *name, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = name; p; p = strchr(p, '_')) {
		p += *p == '_';
		if (strncmp(p, word, n) == 0 && (!p[n] || p[n] == '_'))
			return true;
	}
	return false;
}

void
column_name(const char *name, const char *unit, char *buf, size_t size)
{
	char text[64], low[64];
	size_t n = 0, root;

	for (const char *p = unit; *p && n + 6 < sizeof(low); p++) {
		if (*p == '/')
			n += (size_t)snprintf(low + n, sizeof(low) - n, "_per_");
		else
			low[n++] = ascii_is_alnum(*p) ? ascii_lower(*p) : '_';
	}
	low[n] = '\0';
	root = strcspn(low, "_");
	snprintf(text, sizeof(text), "%.*s", (int)root, low);
	/* a rate is a ratio, as its name says */
	if (n == 5 && strcmp(low, "ratio") == 0 && strlen(name) > 5 &&
	    strcmp(name + strlen(name) - 5, "_rate") == 0)
		snprintf(buf, size, "%s", name);
	else if (*unit && !has_word(name, text))
		snprintf(buf, size, "%s_%s", name, low);
	else
		snprintf(buf, size, "%s", name);
}
