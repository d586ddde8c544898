/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paint_dump.c - writes a canvas as text: plain, for tests and files, or with terminal colours. */
#include "tui/paint.h"
#include <string.h>

static void
put_wc(uint32_t wc, FILE *to)
{
	char buf[4];

	fwrite(buf, 1, utf8_put(buf, wc), to);
}

void
canvas_dump_text(const struct canvas *c, bool unicode, FILE *to)
{
	struct theme t;
	struct painter p;

	theme_default(&t);
	t.shades = true;
	painter_init(&p, &t, DEPTH_MONO, unicode);
	for (int y = 0; y < c->h; y++) {
		int blanks = 0;
		for (int x = 0; x < c->w; x++) {
			const struct cell *k = canvas_at(c, x, y);
			if (k->kind == CELL_RIGHT)
				continue;
			struct glyph g = paint_cell(&p, k);
			if (k->cursor)
				g.wc = unicode ? 0x2502 : '|';
			if (g.wc == ' ' && !g.mark) {
				blanks++;
				continue;
			}
			for (; blanks; blanks--)
				fputc(' ', to);
			put_wc(g.wc, to);
			if (g.mark)
				put_wc(g.mark, to);
		}
		fputc('\n', to);
	}
}

static void
put_color(int32_t color, bool back, FILE *to)
{
	int base = back ? 48 : 38;

	if (color < 0)
		return;
	if (color & COLOR_RGB)
		fprintf(to, ";%d;2;%d;%d;%d", base, color >> 16 & 255, color >> 8 & 255,
			color & 255);
	else
		fprintf(to, ";%d;5;%d", base, color);
}

void
canvas_dump_ansi(const struct canvas *c, const struct painter *p, FILE *to)
{
	static const struct {
		uint8_t attr;
		const char *sgr;
	} attrs[] = {{ATTR_BOLD, ";1"},
		     {ATTR_DIM, ";2"},
		     {ATTR_UNDERLINE, ";4"},
		     {ATTR_REVERSE, ";7"}};

	for (int y = 0; y < c->h; y++) {
		for (int x = 0; x < c->w; x++) {
			const struct cell *k = canvas_at(c, x, y);
			if (k->kind == CELL_RIGHT)
				continue;
			struct glyph g = paint_cell(p, k);
			fputs("\033[0", to);
			for (size_t i = 0; i < ARRAY_LEN(attrs); i++)
				if (g.attr & attrs[i].attr)
					fputs(attrs[i].sgr, to);
			put_color(g.fg, false, to);
			put_color(g.bg, true, to);
			fputc('m', to);
			put_wc(g.wc, to);
			if (g.mark)
				put_wc(g.mark, to);
		}
		fputs("\033[0m\n", to);
	}
}
