/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text_twin.h - the same text as an editor of another system saves it: a byte order mark in front,
 * lines that end in CR LF. Whoever reads it has to come to the same.
 */
#ifndef TESTS_FUZZ_TEXT_TWIN_H
#define TESTS_FUZZ_TEXT_TWIN_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TWIN_MOST 60000 /* bytes: what is added makes no line too long */

/* NULL: the text is too long, is one already, or has other ends of lines. Else n bytes to free. */
static uint8_t *
text_twin(const uint8_t *data, size_t size, size_t *n)
{
	uint8_t *twin;

	if (size > TWIN_MOST || memchr(data, '\r', size) || (size && data[0] == 0xef))
		return NULL;
	twin = malloc(3 + 2 * size);
	fuzz_check(twin);
	memcpy(twin, "\xef\xbb\xbf", 3);
	*n = 3;
	for (size_t i = 0; i < size; i++) {
		if (data[i] == '\n')
			twin[(*n)++] = '\r';
		twin[(*n)++] = data[i];
	}
	return twin;
}

#endif
