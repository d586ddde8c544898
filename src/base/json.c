/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c - strings of JSON (json.h). What is no character of UTF-8 becomes U+FFFD. */
#include "base/json.h"

#include <string.h>

/* One character at p, n bytes of them there: its length; 0: it goes on behind them; -1: it is none.
 */
static int
character(const unsigned char *p, size_t n)
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
		int len = character(p, n - at);

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
