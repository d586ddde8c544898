/* SPDX-License-Identifier: GPL-3.0-or-later */
/* column.c - names the columns of tables (words.h). */
#include "base/ascii.h"
#include "base/words.h"

#include <stdio.h>
#include <string.h>

/* Whether a name such as ctas_running contains the whole word; "power" does not contain "w". */
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
	char suffix[64], first_word[64]; /* of the unit */
	size_t n = 0;

	for (const char *p = unit; *p && n + 6 < sizeof(suffix); p++) {
		if (*p == '/')
			n += (size_t)snprintf(suffix + n, sizeof(suffix) - n, "_per_");
		else
			suffix[n++] = ascii_is_alnum(*p) ? ascii_lower(*p) : '_';
	}
	suffix[n] = '\0';
	snprintf(first_word, sizeof(first_word), "%.*s", (int)strcspn(suffix, "_"), suffix);
	/* "hit_rate" already says that it is a ratio */
	if (n == 5 && strcmp(suffix, "ratio") == 0 && strlen(name) > 5 &&
	    strcmp(name + strlen(name) - 5, "_rate") == 0)
		snprintf(buf, size, "%s", name);
	else if (*unit && !has_word(name, first_word))
		snprintf(buf, size, "%s_%s", name, suffix);
	else
		snprintf(buf, size, "%s", name);
}
