/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replaced.h - a text with one of its parts replaced, for tests of what a parser rejects. */
#ifndef TESTS_TRACE_REPLACED_H
#define TESTS_TRACE_REPLACED_H

#include "base/strbuf.h"

#include <string.h>

/* Replaces the first `from`, which the text has; the caller frees the result. */
static inline char *
replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	struct strbuf s = {0};

	sb_add(&s, text, (size_t)(at - text));
	sb_str(&s, to);
	sb_str(&s, at + strlen(from));
	return sb_take(&s);
}

#endif
