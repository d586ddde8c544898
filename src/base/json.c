/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - writes strings of JSON (json.h). A byte that is not part of a UTF-8 character becomes
 * U+FFFD. */
#include "base/json.h"

#include <string.h>

/* Returns the bytes of the UTF-8 character at p, 0 if it continues after the n bytes that are
 * there, or -1 if no character begins at p. */
static int
measure_character(const unsigned char *p, size_t n)
{
	unsigned need = p[0] < 0x80   ? 1
			: p[0] < 0xc2 ? 0
			: p[0] < 0xe0 ? 2
			: p[0] < 0xf0 ? 3
			: p[0] < 0xf5 ? 4
				      : 0;

	if (!need)
		return -1;
	for (unsigned i = 1; i < need; i++) {
		if (i >= n)
			return 0;
		if ((p[i] & 0xc0) != 0x80)
			return -1;
	}
	return (int)need;
}

size_t
json_put_text(FILE *to, const char *text, size_t n)
{
	size_t at = 0;

	while (at < n) {
		const unsigned char *p = (const unsigned char *)text + at;
		int len = measure_character(p, n - at);

		if (len == 0)
			break;
		if (len < 0)
			fputs("\\ufffd", to);
		else if (*p == '"' || *p == '\\')
			fprintf(to, "\\%c", *p);
		else if (*p < ' ' || *p == 0x7f)
			fprintf(to, "\\u%04x", *p);
		else
			fwrite(p, 1, (size_t)len, to);
		at += len < 0 ? 1 : (size_t)len;
	}
	return at;
}

void
json_put_string(FILE *to, const char *text)
{
	size_t n = strlen(text);

	putc('"', to);
	if (json_put_text(to, text, n) < n)
		fputs("\\ufffd", to);
	putc('"', to);
}
