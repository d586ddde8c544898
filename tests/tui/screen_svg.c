/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_svg.c - draws the screen of a terminal program as SVG.
 *
 *     screen_svg COLUMNSxROWS [-k KEYS | -w TEXT]... -- PROGRAM [ARGUMENT...] >FILE.svg
 *
 * It starts the program on a terminal with 24-bit colours. -k types KEYS ("\r" is Enter) and waits
 * until the program has drawn the outcome. -w waits until TEXT is on the screen, -g until it is
 * gone. Blocks, shades and Braille are drawn as shapes, so that no viewer needs a font that has
 * them. `make readme-pictures` makes the pictures of README.md with this.
 */
#include "ctascope/base.h"
#include "tests/vth.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define CELL_W 8.0
#define CELL_H 17.0
#define MARGIN 8.0
#define FONT 13.5
#define PAPER "#14161a"
#define INK "#d8dbe2"
#define PATIENT 120000 /* ms until a text must be there */

struct cell {
	uint32_t glyph; /* 0: the right half of a wide character */
	char ink[8], paper[8];
	bool bold;
};

/* ---------------------------------------------------------------- the cells */

static void
name_color(struct vth *h, VTermColor c, bool is_ink, char to[8])
{
	if (is_ink ? VTERM_COLOR_IS_DEFAULT_FG(&c) : VTERM_COLOR_IS_DEFAULT_BG(&c)) {
		snprintf(to, 8, "%s", is_ink ? INK : PAPER);
		return;
	}
	vterm_screen_convert_color_to_rgb(h->screen, &c);
	snprintf(to, 8, "#%02x%02x%02x", c.rgb.red, c.rgb.green, c.rgb.blue);
}

static struct cell
read_cell(struct vth *h, int row, int column)
{
	struct cell cell = {.glyph = ' ', .ink = INK, .paper = PAPER};
	VTermScreenCell c;

	if (!vterm_screen_get_cell(h->screen, (VTermPos){row, column}, &c))
		return cell;
	cell.glyph = c.chars[0] == (uint32_t)-1 ? 0 : c.chars[0] ? c.chars[0] : ' ';
	cell.bold = c.attrs.bold;
	name_color(h, c.fg, true, c.attrs.reverse ? cell.paper : cell.ink);
	name_color(h, c.bg, false, c.attrs.reverse ? cell.ink : cell.paper);
	return cell;
}

/* ---------------------------------------------------------------- shapes */

static void
draw_box(double x, double y, double w, double h, const char *color, double opacity)
{
	printf("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\"", x, y, w, h, color);
	if (opacity < 1)
		printf(" fill-opacity=\"%g\"", opacity);
	printf("/>\n");
}

/* Draws U+2580 to U+259F: halves, eighths, shades and quarters of a cell. */
static void
draw_block(uint32_t glyph, double x, double y, const char *ink)
{
	static const unsigned char quarters[] = {4, 8, 1, 13, 9, 7, 11, 2, 6, 14};
	static const double shades[] = {0.25, 0.5, 0.75};
	double eighths = (double)(glyph - 0x2580);

	if (glyph == 0x2580) {
		draw_box(x, y, CELL_W, CELL_H / 2, ink, 1);
	} else if (glyph <= 0x2588) {
		draw_box(x, y + CELL_H * (8 - eighths) / 8, CELL_W, CELL_H * eighths / 8, ink, 1);
	} else if (glyph <= 0x258f) {
		draw_box(x, y, CELL_W * (16 - eighths) / 8, CELL_H, ink, 1);
	} else if (glyph == 0x2590) {
		draw_box(x + CELL_W / 2, y, CELL_W / 2, CELL_H, ink, 1);
	} else if (glyph <= 0x2593) {
		draw_box(x, y, CELL_W, CELL_H, ink, shades[glyph - 0x2591]);
	} else if (glyph >= 0x2596) {
		for (unsigned i = 0; i < 4; i++)
			if (quarters[glyph - 0x2596] >> i & 1)
				draw_box(x + CELL_W / 2 * (i % 2), y + CELL_H / 2 * (i / 2),
					 CELL_W / 2, CELL_H / 2, ink, 1);
	}
}

/* Draws U+2800 to U+28FF: up to eight dots. */
static void
draw_braille(uint32_t glyph, double x, double y, const char *ink)
{
	static const unsigned char column[] = {0, 0, 0, 1, 1, 1, 0, 1},
				   row[] = {0, 1, 2, 0, 1, 2, 3, 3};

	for (unsigned i = 0; i < 8; i++)
		if (glyph >> i & 1)
			printf("<circle cx=\"%g\" cy=\"%g\" r=\"1.3\" fill=\"%s\"/>\n",
			       x + CELL_W * (0.25 + 0.5 * column[i]),
			       y + CELL_H * (0.125 + 0.25 * row[i]), ink);
}

static bool
is_shape(uint32_t glyph)
{
	return (glyph >= 0x2580 && glyph <= 0x259f) || (glyph >= 0x2800 && glyph <= 0x28ff) ||
	       glyph == 0x2502;
}

static void
draw_shape(const struct cell *c, double x, double y)
{
	if (c->glyph == 0x2502)
		draw_box(x + CELL_W / 2 - 0.5, y, 1, CELL_H, c->ink, 1);
	else if (c->glyph >= 0x2800)
		draw_braille(c->glyph, x, y, c->ink);
	else
		draw_block(c->glyph, x, y, c->ink);
}

/* ---------------------------------------------------------------- text */

static void
print_glyph(uint32_t glyph)
{
	char text[5] = "";

	if (glyph == '&' || glyph == '<') {
		printf("%s", glyph == '&' ? "&amp;" : "&lt;");
	} else if (glyph < 0x80) {
		putchar((int)glyph);
	} else {
		int n = glyph < 0x800 ? 2 : glyph < 0x10000 ? 3 : 4;

		for (int i = n - 1; i > 0; i--, glyph >>= 6)
			text[i] = (char)(0x80 | (glyph & 0x3f));
		text[0] = (char)((0xf0 << (4 - n) & 0xff) | glyph);
		printf("%s", text);
	}
}

static bool
looks_like(const struct cell *a, const struct cell *b)
{
	return !is_shape(b->glyph) && b->glyph && a->bold == b->bold && strcmp(a->ink, b->ink) == 0;
}

/* Draws the text that begins at a cell, as far as it looks the same. Returns how many cells. */
static int
draw_text(const struct cell *c, int n, double x, double y)
{
	int length = 1, shown = 0;

	while (length < n && looks_like(c, &c[length]))
		length++;
	for (int i = 0; i < length; i++)
		shown = c[i].glyph != ' ' ? i + 1 : shown;
	if (!shown)
		return length;
	printf("<text x=\"%g\" y=\"%g\" fill=\"%s\" textLength=\"%g\"%s>", x, y + CELL_H * 0.76,
	       c->ink, shown * CELL_W, c->bold ? " font-weight=\"bold\"" : "");
	for (int i = 0; i < shown; i++)
		print_glyph(c[i].glyph);
	printf("</text>\n");
	return length;
}

/* ---------------------------------------------------------------- the picture */

static void
draw_row(const struct cell *c, int n, double y)
{
	for (int i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && strcmp(c[i].paper, c[end].paper) == 0; end++)
			;
		if (strcmp(c[i].paper, PAPER) != 0)
			draw_box(MARGIN + i * CELL_W, y, (end - i) * CELL_W, CELL_H, c[i].paper, 1);
	}
	for (int i = 0; i < n;) {
		double x = MARGIN + i * CELL_W;

		if (is_shape(c[i].glyph))
			draw_shape(&c[i], x, y);
		i += is_shape(c[i].glyph) || !c[i].glyph ? 1 : draw_text(&c[i], n - i, x, y);
	}
}

static void
draw_screen(struct vth *h)
{
	double w = h->cols * CELL_W + 2 * MARGIN, height = h->rows * CELL_H + 2 * MARGIN;
	struct cell row[512];

	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" viewBox=\"0 0 "
	       "%g %g\" "
	       "font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"%g\" "
	       "xml:space=\"preserve\" shape-rendering=\"crispEdges\">\n",
	       w, height, w, height, FONT);
	printf("<rect width=\"%g\" height=\"%g\" rx=\"6\" fill=\"%s\"/>\n", w, height, PAPER);
	for (int y = 0; y < h->rows; y++) {
		for (int x = 0; x < h->cols; x++)
			row[x] = read_cell(h, y, x);
		draw_row(row, h->cols, MARGIN + y * CELL_H);
	}
	printf("</svg>\n");
}

/* ---------------------------------------------------------------- the program */

/* Replaces "\r" and "\e" in keys by the bytes. */
static void
send_keys(struct vth *h, const char *keys)
{
	char bytes[1000];
	size_t n = 0;

	for (const char *p = keys; *p && n + 1 < sizeof(bytes); p++) {
		if (*p == '\\' && (p[1] == 'r' || p[1] == 'e'))
			bytes[n++] = *++p == 'r' ? '\r' : '\033';
		else
			bytes[n++] = *p;
	}
	bytes[n] = '\0';
	vth_send(h, bytes);
}

/* Does one of -k and -w; false when what it waits for does not come. */
static bool
do_step(struct vth *h, const char *option, const char *text)
{
	if (strcmp(option, "-k") == 0)
		send_keys(h, text);
	else if (!vth_wait_text(h, text, PATIENT))
		return false;
	return vth_settle(h);
}

static int
complain(const char *what, const char *about)
{
	fprintf(stderr, "screen_svg: %s: %s\n", what, about);
	return 2;
}

int
main(int argc, char **argv)
{
	static char term[] = "TERM=xterm-256color", depth[] = "COLORTERM=truecolor",
		    locale[] = "LC_ALL=C.UTF-8", keys[] = "INPUTRC=/dev/null";
	char *const env[] = {term, depth, locale, keys, NULL};
	int columns, rows, status = 0, end = 2;
	struct vth h;

	setlocale(LC_CTYPE, "C.UTF-8");
	while (end < argc && strcmp(argv[end], "--") != 0)
		end++;
	if (end + 1 >= argc || end % 2 || sscanf(argv[1], "%dx%d", &columns, &rows) != 2 ||
	    columns < 1 || columns > 512 || rows < 1 || rows > 512)
		return complain("usage", "COLUMNSxROWS [-k KEYS | -w TEXT]... -- PROGRAM...");
	if (!vth_start(&h, rows, columns, argv + end + 1, env))
		return complain("cannot start", argv[end + 1]);
	vth_settle(&h);
	for (int i = 2; i < end && !status; i += 2)
		if (!do_step(&h, argv[i], argv[i + 1]))
			status = complain("waited in vain", argv[i + 1]);
	if (!status)
		draw_screen(&h);
	vth_close(&h);
	return status;
}
