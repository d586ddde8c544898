/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_line.c - the command line of the screen as its last row draws it. */
#include "tui/prompt_line.h"

#include "line/line.h"

/* Copies n bytes with control characters as ^X; returns the bytes written. */
static size_t
copy_visible(char *to, size_t size, const char *from, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; i < n && k + 3 < size; i++) {
		unsigned char c = (unsigned char)from[i];

		if (c < ' ' || c == 0x7f) {
			to[k++] = '^';
			to[k++] = (char)(c ^ 0x40);
		} else {
			to[k++] = (char)c;
		}
	}
	to[k] = '\0';
	return k;
}

void
prompt_line_copy(struct screen_line *to)
{
	struct line_look look;
	size_t k;

	line_look(&look);
	snprintf(to->prompt, sizeof(to->prompt), "%s", look.prompt);
	k = copy_visible(to->text, sizeof(to->text), look.text, look.point);
	to->cursor = text_width(to->text);
	copy_visible(to->text + k, sizeof(to->text) - k, look.text + look.point,
		     look.n - look.point);
	to->popup = look.popup;
	to->n_popup = look.n_popup;
}
