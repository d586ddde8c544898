/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * panel.c - one panel of a figure: a strip of cores, lines, or stacked cycle classes.
 *
 * Strips use the colour map cividis, which looks alike with every kind of colour vision and prints
 * in grey (Nunez, Anderton and Renslow, PLoS ONE 13(7), 2018); lines, classes and states use the
 * colours of Okabe and Ito. Lines also differ in their dashes. "Off" and "unknown" are not colours
 * of the map.
 */
#include "plot/plot_part.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS 64
#define CODE_UNKNOWN LEVELS
#define CODE_OFF (LEVELS + 1)
#define COLOR_UNKNOWN 0xcfd4da
#define COLOR_OFF 0xffffff
#define SMALL 7
#define LEGEND_ROW 11

const uint32_t plot_class_colors[CC_CLASSES] = {
	[CC_ACTIVE] = 0x0072b2, [CC_STALL] = 0xe69f00,	    [CC_BLOCKED] = 0xd55e00,
	[CC_MEMORY] = 0xcc79a7, [CC_DEPENDENCE] = 0xf0e442, [CC_IDLE] = 0xb5bac0,
	[CC_GATED] = 0x4d4d4d,
};
/* Indexed like SC_STATE: the states of a core, then "holds no CTA". */
const uint32_t plot_state_colors[] = {0x0072b2, 0xf0e442, 0xe69f00, 0xcc79a7, 0x4d4d4d, 0xd9dde2};
static const char *const state_names[] = {"active", "draining", "throttled",
					  "paused", "off",	"no CTA"};

const uint32_t plot_line_colors[PLOT_LINES] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
					       0xe69f00, 0x56b4e9, 0x8c6d1f, 0x7f7f7f};
const char *const plot_line_dashes[PLOT_LINES] = {"",	 "5 2",	  "1.5 1.5", "6 2 1.5 2",
						  "9 3", "3 1.5", "1 2.5",   "8 2 3 2"};

uint32_t
plot_ramp(double share)
{
	static const uint32_t anchor[] = {0x00224e, 0x1a386f, 0x434e6c, 0x61656f, 0x7d7c78,
					  0x9b9476, 0xbcad6c, 0xdec958, 0xfee838};
	double at = fmin(fmax(share, 0), 1) * (ARRAY_LEN(anchor) - 1);
	unsigned i = (unsigned)MIN(at, (double)(ARRAY_LEN(anchor) - 2));
	uint32_t rgb = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double a = anchor[i] >> shift & 255, b = anchor[i + 1] >> shift & 255;

		rgb = rgb << 8 | (uint32_t)(a + (b - a) * (at - i) + 0.5);
	}
	return rgb;
}

static void
text_at(struct pen *p, double x, double y, enum pen_anchor anchor, const char *text)
{
	p->text(p,
		&(struct pen_text){
			.x = x, .y = y, .size = SMALL, .anchor = anchor, .color = PEN_INK},
		text);
}

/* ---------------------------------------------------------------- legends */

struct key {
	const char *label;
	uint32_t color;
	const char *dash; /* NULL: a filled box */
};

/* Does the state occur in the panel? */
static bool
has_state(const struct figure *f, const struct panel *p, unsigned state)
{
	for (size_t k = 0; k < (size_t)p->curve[0].rows * f->columns; k++)
		if (p->curve[0].v[k] == state)
			return true;
	return false;
}

static bool
has_code(const struct figure *f, const struct panel *p, bool off)
{
	const struct curve *c = &p->curve[0];

	for (size_t k = 0; k < (size_t)c->rows * f->columns; k++)
		if (off ? c->off && c->off[k] : isnan(c->v[k]) && !(c->off && c->off[k]))
			return true;
	return false;
}

static unsigned
keys_of(const struct figure *f, const struct panel *p, struct key key[16])
{
	unsigned n = 0;

	if (p->kind == PANEL_LINES)
		for (; n < p->n && p->n > 1; n++)
			key[n] = (struct key){p->curve[n].label, plot_line_colors[n],
					      plot_line_dashes[n]};
	if (p->kind == PANEL_CLASSES)
		for (; n < CC_CLASSES; n++)
			key[n] = (struct key){p->curve[n].label, plot_class_colors[n], NULL};
	for (unsigned i = 0; p->kind == PANEL_STATES && i < ARRAY_LEN(state_names); i++)
		if (has_state(f, p, i))
			key[n++] = (struct key){state_names[i], plot_state_colors[i], NULL};
	if (p->kind == PANEL_HEAT && has_code(f, p, true))
		key[n++] = (struct key){"off", COLOR_OFF, NULL};
	if ((p->kind == PANEL_HEAT || p->kind == PANEL_STATES) && has_code(f, p, false))
		key[n++] = (struct key){"unknown", COLOR_UNKNOWN, NULL};
	return n;
}

/* Draws the keys from left to right in as many rows as needed (p NULL: only counts them).
 * Returns the number of rows. */
static unsigned
draw_legend(const struct figure *f, const struct panel *of, struct pen *p, double y)
{
	static const struct pen_line thin = {PEN_FAINT, 0.4, ""};
	struct key key[16];
	unsigned n = keys_of(f, of, key), rows = n > 0;
	double x = f->plot_x;

	for (unsigned i = 0; i < n; i++) {
		double box = key[i].dash ? 20 : 8,
		       w = box + 4 + pen_width(key[i].label, SMALL, false) + 10;

		if (x > f->plot_x && x + w > f->width + 2) {
			x = f->plot_x;
			y += LEGEND_ROW;
			rows++;
		}
		if (p && key[i].dash) {
			const double xy[] = {x, y - 2.5, x + box, y - 2.5};

			p->line(p, &(struct pen_line){key[i].color, 1.3, key[i].dash}, xy, 2);
		} else if (p) {
			pen_rect(p, key[i].color, x, y - 6, box, 6.5);
			pen_frame(p, &thin, x, y - 6, box, 6.5);
		}
		if (p)
			text_at(p, x + box + 4, y, PEN_LEFT, key[i].label);
		x += w;
	}
	return rows;
}

double
panel_head(const struct figure *f, unsigned i)
{
	const struct panel *p = &f->panel[i];

	return 4 + (*p->title ? 10 : 0) + LEGEND_ROW * draw_legend(f, p, NULL, 0);
}

/* ---------------------------------------------------------------- axes */

/* Draws the value axis of lines and classes, with its grid. */
static void
draw_values(const struct figure *f, unsigned i, struct pen *p, bool grid)
{
	static const struct pen_line tick = {PEN_INK, 0.6, ""}, faint = {PEN_FAINT, 0.25, "1 2"};
	const struct panel *of = &f->panel[i];
	double y = f->panel_y[i], h = f->panel_h[i];
	double step = scale_step(of->lo, of->hi, (unsigned)fmax(h / 16, 2));

	for (double v = ceil(of->lo / step - 1e-9) * step; v <= of->hi + step * 1e-6; v += step) {
		double at = y + h * (1 - (v - of->lo) / (of->hi - of->lo));
		const double line[] = {f->plot_x, at, f->plot_x + f->plot_w, at};
		const double mark[] = {f->plot_x - 3, at, f->plot_x, at};
		char text[TICK_TEXT];

		if (grid)
			p->line(p, &faint, line, 2);
		p->line(p, &tick, mark, 2);
		scale_text(text, v, step, of->hi);
		text_at(p, f->plot_x - 5, at + 2.5, PEN_RIGHT, text);
	}
}

static void
draw_axis_title(const struct figure *f, unsigned i, struct pen *p, const char *text)
{
	double size = 7.5;

	while (size > 5 && pen_width(text, size, false) > f->panel_h[i] + 14)
		size -= 0.5;
	p->text(p,
		&(struct pen_text){.x = 13,
				   .y = f->panel_y[i] + f->panel_h[i] / 2,
				   .size = size,
				   .anchor = PEN_MIDDLE,
				   .upwards = true,
				   .color = PEN_INK},
		text);
}

/* ---------------------------------------------------------------- strips */

/* The x position at which a column begins. */
static double
x_of(const struct figure *f, unsigned column)
{
	double c = fmin((double)column * (double)f->per, (double)(f->to - f->from));

	return f->plot_x + f->plot_w * c / (double)(f->to - f->from);
}

static void
draw_rows(const struct figure *f, unsigned i, struct pen *p)
{
	static const struct pen_line tick = {PEN_INK, 0.6, ""};
	unsigned rows = f->panel[i].curve[0].rows;
	double per = f->panel_h[i] / rows;
	unsigned step = 1;

	while (step * per < 9)
		step = step == 1 ? 2 : step == 2 ? 5 : step == 5 ? 10 : step * 2;
	for (unsigned r = 0; r < rows; r += step) {
		double y = f->panel_y[i] + (r + 0.5) * per;
		const double mark[] = {f->plot_x - 3, y, f->plot_x, y};
		char text[TICK_TEXT];

		snprintf(text, sizeof(text), "%u", r);
		p->line(p, &tick, mark, 2);
		text_at(p, f->plot_x - 5, y + 2.5, PEN_RIGHT, text);
	}
	draw_axis_title(f, i, p, f->panel[i].row_name);
}

/* Draws the colour bar with its numbers to the right of the strip. */
static void
draw_bar(const struct figure *f, unsigned i, struct pen *p)
{
	static const struct pen_line tick = {PEN_INK, 0.6, ""};
	const struct panel *of = &f->panel[i];
	double x = f->plot_x + f->plot_w + 8, y = f->panel_y[i], h = f->panel_h[i], size = SMALL;
	double step = scale_step(of->lo, of->hi, (unsigned)fmax(h / 20, 2));
	uint32_t color[LEVELS];
	uint8_t code[LEVELS];

	for (unsigned k = 0; k < LEVELS; k++) {
		color[k] = plot_ramp((double)k / (LEVELS - 1));
		code[k] = (uint8_t)(LEVELS - 1 - k);
	}
	p->cells(p, &(struct pen_cells){x, y, 8, h, 1, LEVELS, code, color, LEVELS});
	pen_frame(p, &(struct pen_line){PEN_INK, 0.5, ""}, x, y, 8, h);
	for (double v = ceil(of->lo / step - 1e-9) * step; v <= of->hi + step * 1e-6; v += step) {
		double at = y + h * (1 - (v - of->lo) / (of->hi - of->lo));
		const double mark[] = {x + 8, at, x + 10, at};
		char text[TICK_TEXT];

		p->line(p, &tick, mark, 2);
		scale_text(text, v, step, of->hi);
		text_at(p, x + 12, at + 2.5, PEN_LEFT, text);
	}
	while (size > 4.5 && pen_width(of->unit, size, false) > h + 10)
		size -= 0.5;
	p->text(p,
		&(struct pen_text){.x = x + 38,
				   .y = y + h / 2,
				   .size = size,
				   .anchor = PEN_MIDDLE,
				   .upwards = true,
				   .color = PEN_INK},
		of->unit);
}

static uint8_t
code_of(const struct panel *of, const struct curve *c, size_t k)
{
	double share = (c->v[k] - of->lo) / (of->hi - of->lo);

	if (c->off && c->off[k])
		return CODE_OFF;
	if (isnan(c->v[k]))
		return CODE_UNKNOWN;
	if (of->kind == PANEL_STATES)
		return c->v[k] >= 0 && c->v[k] < ARRAY_LEN(state_names) ? (uint8_t)c->v[k]
									: CODE_UNKNOWN;
	return (uint8_t)MIN(fmax(share, 0) * (LEVELS - 1) + 0.5, LEVELS - 1.0);
}

/* Draws columns from..to-1 of a strip; the left one is extended by `further`. */
static void
draw_columns(const struct figure *f, unsigned i, unsigned from, unsigned to, double further,
	     struct pen *p)
{
	const struct panel *of = &f->panel[i];
	const struct curve *c = &of->curve[0];
	unsigned w = to - from;
	double left = x_of(f, from) - further;
	uint32_t color[LEVELS + 2];
	uint8_t *code = memory_new((size_t)c->rows * w, sizeof(*code));

	for (unsigned k = 0; k < LEVELS; k++)
		color[k] = of->kind == PANEL_STATES && k < ARRAY_LEN(state_names)
				   ? plot_state_colors[k]
				   : plot_ramp((double)k / (LEVELS - 1));
	color[CODE_UNKNOWN] = COLOR_UNKNOWN;
	color[CODE_OFF] = COLOR_OFF;
	for (unsigned r = 0; r < c->rows; r++)
		for (unsigned x = 0; x < w; x++)
			code[(size_t)r * w + x] = code_of(of, c, (size_t)r * f->columns + from + x);
	p->cells(p, &(struct pen_cells){left, f->panel_y[i], x_of(f, to) - left, f->panel_h[i], w,
					c->rows, code, color, LEVELS + 2});
	free(code);
}

static void
draw_strip(const struct figure *f, unsigned i, struct pen *p)
{
	unsigned whole = (unsigned)((f->to - f->from) / f->per);

	/* the last column may be shorter: drawn first and below the others, so that no seam is
	 * left */
	if (whole < f->columns)
		draw_columns(f, i, whole, f->columns, whole ? 0.5 : 0, p);
	if (whole)
		draw_columns(f, i, 0, whole, 0, p);
	draw_rows(f, i, p);
	if (f->panel[i].kind == PANEL_HEAT)
		draw_bar(f, i, p);
}

/* ---------------------------------------------------------------- lines and classes */

/* Draws steps: a value holds for its column. Unknown values are gaps. */
static void
draw_curve(const struct figure *f, unsigned i, unsigned k, struct pen *p)
{
	const struct panel *of = &f->panel[i];
	const double *v = of->curve[k].v;
	const struct pen_line line = {plot_line_colors[k], 1.1, plot_line_dashes[k]};
	double *xy = memory_new(4 * (size_t)f->columns, sizeof(*xy));
	unsigned n = 0;

	for (unsigned c = 0; c <= f->columns; c++) {
		if (c < f->columns && !isnan(v[c])) {
			double y = f->panel_y[i] +
				   f->panel_h[i] * (1 - (v[c] - of->lo) / (of->hi - of->lo));

			xy[2 * n] = x_of(f, c);
			xy[2 * n + 1] = y;
			xy[2 * n + 2] = x_of(f, c + 1);
			xy[2 * n + 3] = y;
			n += 2;
			continue;
		}
		if (n)
			p->line(p, &line, xy, n);
		n = 0;
	}
	free(xy);
}

/* Draws one class on top of those before it; `low` is their upper edge and is raised. */
static void
draw_class(const struct figure *f, unsigned i, unsigned k, double *low, struct pen *p)
{
	const double *v = f->panel[i].curve[k].v;
	double y = f->panel_y[i], h = f->panel_h[i];
	double *xy = memory_new(8 * (size_t)f->columns, sizeof(*xy));
	unsigned n = 0;
	bool any = false;

	for (unsigned c = 0; c < f->columns; c++, n += 2) {
		double top = fmin(low[c] + (isnan(v[c]) ? 0 : v[c]), 1);

		xy[2 * n] = x_of(f, c);
		xy[2 * n + 2] = x_of(f, c + 1);
		xy[2 * n + 1] = xy[2 * n + 3] = y + h * (1 - top);
		any |= top > low[c];
	}
	for (unsigned c = f->columns; c--; n += 2) {
		xy[2 * n] = x_of(f, c + 1);
		xy[2 * n + 2] = x_of(f, c);
		xy[2 * n + 1] = xy[2 * n + 3] = y + h * (1 - low[c]);
	}
	if (any)
		p->area(p, plot_class_colors[k], xy, n);
	for (unsigned c = 0; c < f->columns; c++)
		low[c] = fmin(low[c] + (isnan(v[c]) ? 0 : v[c]), 1);
	free(xy);
}

static void
draw_classes(const struct figure *f, unsigned i, struct pen *p)
{
	double *low = memory_new(f->columns, sizeof(*low));

	for (unsigned k = 0; k < f->panel[i].n; k++)
		draw_class(f, i, k, low, p);
	free(low);
	draw_values(f, i, p, false);
}

void
panel_draw(const struct figure *f, unsigned i, struct pen *p)
{
	const struct panel *of = &f->panel[i];
	double y = f->panel_y[i] - panel_head(f, i);
	char title[160];

	figure_fit(title, sizeof(title), of->title, 8, f->width - f->plot_x - 4, true);
	if (*of->title)
		p->text(p,
			&(struct pen_text){.x = f->plot_x,
					   .y = y + 10,
					   .size = 8,
					   .bold = true,
					   .color = PEN_INK},
			title);
	draw_legend(f, of, p, y + (*of->title ? 21 : 11));
	if (of->kind == PANEL_HEAT || of->kind == PANEL_STATES) {
		draw_strip(f, i, p);
	} else if (of->kind == PANEL_CLASSES) {
		draw_classes(f, i, p);
		draw_axis_title(f, i, p, of->unit);
	} else {
		draw_values(f, i, p, true);
		for (unsigned k = 0; k < of->n; k++)
			draw_curve(f, i, k, p);
		draw_axis_title(f, i, p, of->unit);
	}
	pen_frame(p, &(struct pen_line){PEN_INK, 0.6, ""}, f->plot_x, f->panel_y[i], f->plot_w,
		  f->panel_h[i]);
}
