/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shown.c - escapes control characters and invalid UTF-8 (shown.h). */
#include "base/shown.h"

#include <string.h>

/* Returns the length of a UTF-8 sequence by its first byte, 0 if that begins none. */
static size_t
sequence_length(unsigned char c)
{
	return c < 0x80		       ? 1
	       : c >= 0xc2 && c < 0xe0 ? 2
	       : c >= 0xe0 && c < 0xf0 ? 3
	       : c >= 0xf0 && c < 0xf5 ? 4
				       : 0;
}

size_t
shown_as_is(const char *text, size_t n)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t len = sequence_length(p[0]);

	if (len == 0 || len > n || p[0] < 0x20 || p[0] == 0x7f)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return p[0] == 0xc2 && p[1] < 0xa0 ? 0 : len; /* C1 controls */
}

const char *
text_shown(const char *text, char *buf, size_t size)
{
	size_t n = strlen(text), used = 0;

	for (size_t i = 0, len; i < n; i += len) {
		char one[5];

		len = shown_as_is(text + i, n - i);
		if (len)
			snprintf(one, sizeof(one), "%.*s", (int)len, text + i);
		else
			snprintf(one, sizeof(one), "\\x%02x", (unsigned char)text[i]);
		len = MAX(len, (size_t)1);
		if (used + strlen(one) + 1 > size)
			break;
		memcpy(buf + used, one, strlen(one));
		used += strlen(one);
	}
	if (size)
		buf[used] = '\0';
	return buf;
}

void
text_print(FILE *to, const char *text)
{
	size_t n = strlen(text);

	for (size_t i = 0, len; i < n; i += MAX(len, (size_t)1)) {
		len = shown_as_is(text + i, n - i);
		if (len)
			fwrite(text + i, 1, len, to);
		else
			fprintf(to, "\\x%02x", (unsigned char)text[i]);
	}
}
