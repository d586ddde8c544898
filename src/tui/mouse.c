/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mouse.c - decodes mouse reports (mouse.h). A report may be truncated or forged, so every field is
 * checked. */
#include "tui/mouse.h"

#include <stdlib.h>

enum { SHIFT = 4, MOVES = 32, WHEEL = 64, MORE = 128, SENT_AT_MOST = 9999 };

static struct mouse
make_event(unsigned long b, unsigned long x, unsigned long y, bool release)
{
	struct mouse m = {.button = b & 3, .x = (int)x - 1, .y = (int)y - 1};

	if (b >= MORE || x < 1 || y < 1 || x > SENT_AT_MOST || y > SENT_AT_MOST)
		return (struct mouse){.kind = MOUSE_NONE};
	if (b & WHEEL) {
		m.kind = release ? MOUSE_NONE : MOUSE_WHEEL;
		m.by = b & 1 ? 1 : -1;
		m.sideways = b & (2 | SHIFT);
	} else if (b & MOVES) {
		m.kind = m.button == 3 ? MOUSE_NONE : MOUSE_DRAG;
	} else {
		m.kind = release || m.button == 3 ? MOUSE_RELEASE : MOUSE_PRESS;
	}
	return m;
}

struct mouse
mouse_sgr(const char *text, char last)
{
	unsigned long v[3];
	char *end = (char *)(uintptr_t)text;

	for (unsigned i = 0; i < 3; i++) {
		const char *at = i ? end + 1 : text;

		if (*at < '0' || *at > '9')
			return (struct mouse){.kind = MOUSE_NONE};
		v[i] = strtoul(at, &end, 10);
		if (*end != (i < 2 ? ';' : '\0'))
			return (struct mouse){.kind = MOUSE_NONE};
	}
	if (last != 'M' && last != 'm')
		return (struct mouse){.kind = MOUSE_NONE};
	return make_event(v[0], v[1], v[2], last == 'm');
}

struct mouse
mouse_x10(const unsigned char b[3])
{
	if (b[0] < 32 || b[1] < 32 || b[2] < 32)
		return (struct mouse){.kind = MOUSE_NONE};
	return make_event(b[0] - 32u, b[1] - 32u, b[2] - 32u, false);
}
