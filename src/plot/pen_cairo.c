/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pen_cairo.c - figures as PNG and PDF, and outlines of letters, through cairo. This is the only
 * file that includes cairo.
 *
 * cairo embeds into a PDF the parts of the fonts that are used. Cells are drawn as an image with
 * one pixel each, scaled without smoothing, because adjacent rectangles would show seams in many
 * viewers. If cairo is missing at configure time, this file only reports that.
 */
#include "plot/plot_part.h"

#include "base/memory.h"
#ifdef HAVE_CAIRO
#include <cairo-pdf.h>
#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include <stdlib.h>
#include <string.h>

#define FONT "DejaVu Sans"

/* Frees what both libraries cache for a next picture, which is rare. */
void
pen_forget_fonts(void)
{
	cairo_debug_reset_static_data();
	FcFini();
}

bool
plot_has_cairo(void)
{
	return true;
}

static void
set_color(cairo_t *c, uint32_t color)
{
	if (color == PEN_INK)
		color = 0x222222;
	else if (color == PEN_FAINT)
		color = 0x767676;
	cairo_set_source_rgb(c, (color >> 16 & 255) / 255.0, (color >> 8 & 255) / 255.0,
			     (color & 255) / 255.0);
}

static void
set_font(cairo_t *c, double size, bool bold)
{
	cairo_select_font_face(c, FONT, CAIRO_FONT_SLANT_NORMAL,
			       bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(c, size);
}

/* The start of a text that is anchored at 0. */
static double
text_start(cairo_t *c, enum pen_anchor anchor, const char *text)
{
	cairo_text_extents_t x;

	cairo_text_extents(c, text, &x);
	return anchor == PEN_LEFT ? 0 : anchor == PEN_MIDDLE ? -x.x_advance / 2 : -x.x_advance;
}

static void
draw_text(struct pen *p, const struct pen_text *t, const char *text)
{
	cairo_t *c = p->ctx;

	set_font(c, t->size, t->bold);
	cairo_save(c);
	cairo_translate(c, t->x, t->y);
	if (t->upwards)
		cairo_rotate(c, -1.5707963267948966);
	set_color(c, t->color);
	cairo_move_to(c, text_start(c, t->anchor, text), 0);
	cairo_show_text(c, text);
	cairo_restore(c);
}

static void
trace_points(cairo_t *c, const double *xy, unsigned n)
{
	cairo_new_path(c);
	for (unsigned i = 0; i < n; i++)
		cairo_line_to(c, xy[2 * i], xy[2 * i + 1]);
}

static void
draw_line(struct pen *p, const struct pen_line *l, const double *xy, unsigned n)
{
	cairo_t *c = p->ctx;
	double dash[6];
	int parts = 0;
	char *end;

	for (const char *at = l->dash; *at && parts < 6; at = end) {
		dash[parts++] = strtod(at, &end);
		end += strspn(end, " ");
	}
	trace_points(c, xy, n);
	cairo_set_dash(c, dash, parts, 0);
	cairo_set_line_width(c, l->width);
	cairo_set_line_join(c, CAIRO_LINE_JOIN_ROUND);
	set_color(c, l->color);
	cairo_stroke(c);
}

static void
draw_area(struct pen *p, uint32_t color, const double *xy, unsigned n)
{
	cairo_t *c = p->ctx;

	trace_points(c, xy, n);
	cairo_close_path(c);
	set_color(c, color);
	cairo_fill(c);
}

static void
draw_cells(struct pen *p, const struct pen_cells *g)
{
	cairo_t *c = p->ctx;
	cairo_surface_t *s =
		cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)g->columns, (int)g->rows);
	unsigned char *row = cairo_image_surface_get_data(s);
	int stride = cairo_image_surface_get_stride(s);

	for (unsigned y = 0; row && y < g->rows; y++, row += stride)
		for (unsigned x = 0; x < g->columns; x++) {
			unsigned code = g->code[(size_t)y * g->columns + x];
			uint32_t pixel = code == PEN_NO_CELL ? 0 : 0xff000000 | g->palette[code];

			memcpy(row + 4 * x, &pixel, 4);
		}
	cairo_surface_mark_dirty(s);
	cairo_save(c);
	cairo_translate(c, g->x, g->y);
	cairo_scale(c, g->w / g->columns, g->h / g->rows);
	cairo_set_source_surface(c, s, 0, 0);
	cairo_pattern_set_filter(cairo_get_source(c), CAIRO_FILTER_NEAREST);
	cairo_rectangle(c, 0, 0, g->columns, g->rows);
	cairo_fill(c);
	cairo_restore(c);
	cairo_surface_destroy(s);
}

static cairo_status_t
write_bytes(void *ctx, const unsigned char *data, unsigned n)
{
	return fwrite(data, 1, n, ctx) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

int
pen_cairo(const struct page *page, bool pdf, unsigned dpi, FILE *to, struct err *e)
{
	double scale = pdf ? 1 : dpi / 72.0;
	cairo_surface_t *s = pdf ? cairo_pdf_surface_create_for_stream(write_bytes, to, page->width,
								       page->height)
				 : cairo_image_surface_create(CAIRO_FORMAT_RGB24,
							      (int)(page->width * scale + 0.5),
							      (int)(page->height * scale + 0.5));
	cairo_t *c = cairo_create(s);
	struct pen p = {draw_text, draw_line, draw_area, draw_cells, c};
	cairo_status_t status;

	if (pdf) {
		cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_TITLE, page->title);
		cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATOR, "ctascope");
	}
	cairo_scale(c, scale, scale);
	set_color(c, 0xffffff);
	cairo_paint(c);
	page->draw(page->ctx, &p);
	cairo_show_page(c);
	status = cairo_status(c);
	if (status == CAIRO_STATUS_SUCCESS && !pdf)
		status = cairo_surface_write_to_png_stream(s, write_bytes, to);
	cairo_destroy(c);
	cairo_surface_finish(s);
	if (status == CAIRO_STATUS_SUCCESS)
		status = cairo_surface_status(s);
	cairo_surface_destroy(s);
	/* the writer of the file reports write errors */
	if (status == CAIRO_STATUS_SUCCESS || ferror(to))
		return 0;
	return err_set(e, "plot: cairo: %s", cairo_status_to_string(status));
}

/* ---------------------------------------------------------------- letters */

static void
add_path(struct strbuf *out, const cairo_path_t *path)
{
	static const char *const verb[] = {"M", "L", "C", "Z"};
	static const int n_points[] = {1, 1, 3, 0};

	for (int i = 0; i < path->num_data; i += path->data[i].header.length) {
		const cairo_path_data_t *d = &path->data[i];

		sb_str(out, verb[d->header.type]);
		for (int k = 1; k <= n_points[d->header.type]; k++)
			sb_printf(out, "%s%.5g %.5g", k > 1 ? " " : "", d[k].point.x, d[k].point.y);
	}
}

bool
pen_outline(const struct pen_text *t, const char *text, struct strbuf *out)
{
	/* without bounds, because letters outside a surface have no path */
	cairo_surface_t *s = cairo_recording_surface_create(CAIRO_CONTENT_ALPHA, NULL);
	cairo_t *c = cairo_create(s);
	cairo_font_options_t *o = cairo_font_options_create();
	cairo_path_t *path;
	bool good;

	/* not for a particular screen */
	cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(c, o);
	cairo_font_options_destroy(o);
	set_font(c, t->size, t->bold);
	cairo_move_to(c, text_start(c, t->anchor, text), 0);
	cairo_text_path(c, text);
	path = cairo_copy_path(c);
	good = path->status == CAIRO_STATUS_SUCCESS && path->num_data > 0;
	if (good)
		add_path(out, path);
	cairo_path_destroy(path);
	cairo_destroy(c);
	cairo_surface_destroy(s);
	if (out->failed) /* plain text would result in a different picture */
		memory_end();
	return good;
}

#else

bool
plot_has_cairo(void)
{
	return false;
}

int
pen_cairo(const struct page *page ATTR_UNUSED, bool pdf, unsigned dpi ATTR_UNUSED,
	  FILE *to ATTR_UNUSED, struct err *e)
{
	return err_set(e,
		       "plot: this ctascope was built without cairo, which writes %s; name an .svg "
		       "file, or rebuild with libcairo2-dev",
		       pdf ? ".pdf" : ".png");
}

void
pen_forget_fonts(void)
{
}

bool
pen_outline(const struct pen_text *t ATTR_UNUSED, const char *text ATTR_UNUSED,
	    struct strbuf *out ATTR_UNUSED)
{
	return false;
}
#endif
