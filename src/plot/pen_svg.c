/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pen_svg.c - figures as SVG, and what all pens share.
 *
 * The same figure gives the same bytes: no date, no counting names, numbers with two decimals. All
 * cells of one colour form one path, in which a run of equal neighbours is one rectangle; a strip
 * of 30 cores stays below a few hundred kilobytes. In a file, text is drawn as outlines if cairo is
 * available, so that it looks the same without the font; within a page it is text.
 */
#include "plot/plot_part.h"

#include <math.h>
#include <string.h>

struct svg {
	FILE *to;
	bool inlined;
};

/* ---------------------------------------------------------------- shared */

double
pen_width(const char *text, double size, bool bold)
{
	double em = 0;

	for (const char *p = text; *p; p++) {
		if (((unsigned char)*p & 0xc0) == 0x80)
			continue; /* a continuation byte of a character already counted */
		if (strchr("iljI.,:;'|![]()", *p))
			em += 0.36;
		else if (strchr("mwMW@%", *p))
			em += 0.95;
		else if (*p == ' ' || *p == '-' || *p == '/' || *p == 'f' || *p == 't' || *p == 'r')
			em += 0.38;
		else
			em += *p >= 'A' && *p <= 'Z' ? 0.7 : 0.62;
	}
	return em * size * (bold ? 1.1 : 1);
}

void
pen_rect(struct pen *p, uint32_t color, double x, double y, double w, double h)
{
	const double xy[] = {x, y, x + w, y, x + w, y + h, x, y + h};

	p->area(p, color, xy, 4);
}

void
pen_frame(struct pen *p, const struct pen_line *l, double x, double y, double w, double h)
{
	const double xy[] = {x, y, x + w, y, x + w, y + h, x, y + h, x, y};

	p->line(p, l, xy, 5);
}

/* ---------------------------------------------------------------- text */

/* Up to two decimals, without zeros at the end. */
static const char *
format_num(char buf[32], double v)
{
	size_t n = (size_t)snprintf(buf, 32, "%.2f", v);

	while (buf[n - 1] == '0')
		buf[--n] = '\0';
	if (buf[n - 1] == '.')
		buf[--n] = '\0';
	return strcmp(buf, "-0") == 0 ? "0" : buf;
}

static const char *
format_color(const struct svg *g, char buf[16], uint32_t c)
{
	if (c == PEN_INK)
		return g->inlined ? "currentColor" : "#222222";
	if (c == PEN_FAINT) /* inside its quotes */
		return g->inlined ? "currentColor\" opacity=\".6" : "#767676";
	snprintf(buf, 16, "#%06x", c & 0xffffff);
	return buf;
}

static void
write_escaped(FILE *to, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", to);
		else if (*text == '>')
			fputs("&gt;", to);
		else if (*text == '&')
			fputs("&amp;", to);
		else if (*text == '"')
			fputs("&quot;", to);
		else if ((unsigned char)*text >= ' ')
			putc(*text, to);
	}
}

static void
write_shape(struct svg *g, const struct pen_text *t, const char *text, const char *path)
{
	char x[32], y[32], c[16];

	fprintf(g->to, "<path transform=\"translate(%s %s)%s\" fill=\"%s\" aria-label=\"",
		format_num(x, t->x), format_num(y, t->y), t->upwards ? " rotate(-90)" : "",
		format_color(g, c, t->color));
	write_escaped(g->to, text);
	fprintf(g->to, "\" d=\"%s\"/>\n", path);
}

static void
svg_text(struct pen *p, const struct pen_text *t, const char *text)
{
	static const char *const anchor[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
	struct svg *g = p->ctx;
	struct strbuf path = {0};
	char x[32], y[32], size[32], c[16];

	if (!g->inlined && pen_outline(t, text, &path) && path.p) {
		write_shape(g, t, text, path.p);
	} else {
		format_num(x, t->x);
		format_num(y, t->y);
		fprintf(g->to, "<text ");
		if (t->upwards)
			fprintf(g->to, "transform=\"translate(%s %s) rotate(-90)\"", x, y);
		else
			fprintf(g->to, "x=\"%s\" y=\"%s\"", x, y);
		fprintf(g->to, " font-size=\"%s\"%s%s fill=\"%s\">", format_num(size, t->size),
			t->bold ? " font-weight=\"bold\"" : "", anchor[t->anchor],
			format_color(g, c, t->color));
		write_escaped(g->to, text);
		fputs("</text>\n", g->to);
	}
	sb_free(&path);
}

/* ---------------------------------------------------------------- lines and areas */

static void
write_points(FILE *to, const double *xy, unsigned n)
{
	char x[32], y[32];

	for (unsigned i = 0; i < n; i++)
		fprintf(to, "%s%s,%s", i ? " " : "", format_num(x, xy[2 * i]),
			format_num(y, xy[2 * i + 1]));
}

static void
svg_line(struct pen *p, const struct pen_line *l, const double *xy, unsigned n)
{
	struct svg *g = p->ctx;
	char w[32], c[16];

	fprintf(g->to, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s%s%s points=\"",
		format_color(g, c, l->color), format_num(w, l->width),
		*l->dash ? " stroke-dasharray=\"" : "", l->dash, *l->dash ? "\"" : "");
	write_points(g->to, xy, n);
	fputs("\"/>\n", g->to);
}

static void
svg_area(struct pen *p, uint32_t of, const double *xy, unsigned n)
{
	struct svg *g = p->ctx;
	char c[16];

	fprintf(g->to, "<polygon fill=\"%s\" points=\"", format_color(g, c, of));
	write_points(g->to, xy, n);
	fputs("\"/>\n", g->to);
}

/* Writes all cells of one colour, in units of a cell. */
static void
cells_of(struct svg *g, const struct pen_cells *c, unsigned code)
{
	bool any = false;

	for (unsigned y = 0; y < c->rows; y++) {
		const uint8_t *row = c->code + (size_t)y * c->columns;

		for (unsigned x = 0, n; x < c->columns; x += n) {
			for (n = 1; x + n < c->columns && row[x + n] == row[x]; n++)
				;
			if (row[x] != code)
				continue;
			if (!any)
				fprintf(g->to, "<path fill=\"#%06x\" d=\"", c->palette[code]);
			any = true;
			fprintf(g->to, "M%u %uh%uv1h-%uz", x, y, n, n);
		}
	}
	if (any)
		fputs("\"/>\n", g->to);
}

static void
svg_cells(struct pen *p, const struct pen_cells *c)
{
	struct svg *g = p->ctx;
	char x[32], y[32];

	fprintf(g->to,
		"<g shape-rendering=\"crispEdges\" transform=\"translate(%s %s) scale(%.5g "
		"%.5g)\">\n",
		format_num(x, c->x), format_num(y, c->y), c->w / c->columns, c->h / c->rows);
	for (unsigned i = 0; i < c->n_palette; i++)
		cells_of(g, c, i);
	fputs("</g>\n", g->to);
}

/* ---------------------------------------------------------------- the file */

int
pen_svg(const struct page *page, bool inlined, FILE *to, struct err *e ATTR_UNUSED)
{
	struct svg g = {to, inlined};
	struct pen p = {svg_text, svg_line, svg_area, svg_cells, &g};
	char w[32], h[32];

	format_num(w, page->width);
	format_num(h, page->height);
	if (!inlined)
		fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", to);
	fprintf(to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" %s%s%s%s%s viewBox=\"0 0 %s %s\" "
		"font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" "
		"role=\"img\">\n",
		inlined ? "class=\"plot\"" : "width=\"", inlined ? "" : w,
		inlined ? "" : "pt\" height=\"", inlined ? "" : h, inlined ? "" : "pt\"", w, h);
	fputs("<title>", to);
	write_escaped(to, page->about);
	fputs("</title>\n", to);
	if (!inlined)
		pen_rect(&p, 0xffffff, 0, 0, page->width, page->height);
	page->draw(page->ctx, &p);
	fputs("</svg>\n", to);
	return 0;
}
