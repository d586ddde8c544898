/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart_draw.c - a chart on paper: axes, legend, bars or curves with error bars, means.
 *
 * Sizes are those of draw.c. Series beyond the eighth have the colours again, with other dashes as
 * curves and hatched (a white line) as bars.
 */
#include "plot/chart_part.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 8
#define LEFT 46
#define TITLE 9.5
#define SMALL 7
#define LEGEND_ROW 11
#define MARK 1.7   /* half a marker of a curve */
#define COLUMN 0.5 /* curves are not finer than this */
#define PIECE 128  /* points of a curve that are drawn at once */

/* Where the parts of a chart are. */
struct layout {
	const struct chart *c;
	double x, y, w, h; /* of the area between the axes */
	double width, height;
	double label;	/* height of the labels below the x axis */
	bool is_upward; /* these are turned */
	double slot;	/* width of a place of bars */
};

static const struct pen_line thin = {PEN_FAINT, 0.4, ""}, tick = {PEN_INK, 0.6, ""},
			     faint = {PEN_FAINT, 0.25, "1 2"};

static void
draw_text(struct pen *p, double x, double y, enum pen_anchor anchor, const char *text)
{
	p->text(p,
		&(struct pen_text){
			.x = x, .y = y, .size = SMALL, .anchor = anchor, .color = PEN_INK},
		text);
}

static uint32_t
color_of(uint32_t series)
{
	return plot_line_colors[series % PLOT_LINES];
}

static const char *
dash_of(uint32_t series)
{
	return plot_line_dashes[(series + series / PLOT_LINES) % PLOT_LINES];
}

/* A box in the colour of a series; when the colours come again it has a white line. */
static void
draw_box(struct pen *p, uint32_t series, double x, double w, double y, double h)
{
	pen_rect(p, color_of(series), x, y, w, h);
	if (series >= PLOT_LINES) {
		const double xy[] = {x + w / 2, y, x + w / 2, y + h};

		p->line(p, &(struct pen_line){0xffffff, fmin(w / 3, 1), dash_of(series)}, xy, 2);
	}
}

/* ---------------------------------------------------------------- layout */

/* Draws the keys in rows (p NULL: only counts them). Returns the number of rows. */
static unsigned
draw_legend(const struct layout *l, struct pen *p, double y)
{
	const struct chart *c = l->c;
	double x = l->x, box = c->bars ? 8 : 20;
	unsigned rows = 1;

	if (c->n_series < 2)
		return 0;
	for (uint32_t i = 0; i < c->n_series; i++) {
		double w = box + 4 + pen_width(c->series.name[i], SMALL, false) + 10;

		if (x > l->x && x + w > l->width + 2) {
			x = l->x;
			y += LEGEND_ROW;
			rows++;
		}
		if (p && c->bars) {
			draw_box(p, i, x, box, y - 6, 6.5);
			pen_frame(p, &thin, x, y - 6, box, 6.5);
		} else if (p) {
			const double xy[] = {x, y - 2.5, x + box, y - 2.5};

			p->line(p, &(struct pen_line){color_of(i), 1.3, dash_of(i)}, xy, 2);
		}
		if (p)
			draw_text(p, x + box + 4, y, PEN_LEFT, c->series.name[i]);
		x += w;
	}
	return rows;
}

static uint32_t
count_slots(const struct chart *c)
{
	return c->n_places + c->n_means;
}

static const char *
slot_name(const struct chart *c, uint32_t i)
{
	return i < c->n_places ? c->place.name[i] : c->mean_name[i - c->n_places];
}

/* A chart's height follows from its labels unless it is given. */
static void
make_layout(const struct chart *c, const struct chart_job *j, struct layout *l)
{
	double widest = 0, head;

	*l = (struct layout){.c = c, .x = LEFT};
	l->width = (j->width > 0 ? j->width : PLOT_WIDTH) * 72 / 25.4;
	l->w = l->width - LEFT - MARGIN - 4;
	l->slot = l->w / (count_slots(c) + (c->n_means ? 0.5 : 0));
	for (uint32_t i = 0; !c->at && i < count_slots(c); i++)
		widest = fmax(widest, pen_width(slot_name(c, i), SMALL, false));
	l->is_upward = widest > l->slot - 2;
	l->label = c->at ? 8 : l->is_upward ? fmin(widest, 120) : 8;
	head = (*c->note ? 34 : 22) + LEGEND_ROW * draw_legend(l, NULL, 0);
	l->y = head;
	l->h = j->height > 0 ? fmax(j->height * 72 / 25.4 - head - l->label - 22, 20)
			     : (c->bars ? 130 : 170);
	l->height = l->y + l->h + l->label + 22;
}

/* ---------------------------------------------------------------- axes */

static double
y_of(const struct layout *l, double v)
{
	double share = (v - l->c->lo) / (l->c->hi - l->c->lo);

	return l->y + l->h * (1 - fmin(fmax(share, 0), 1));
}

/* The left edge of a slot of bars; the means stand apart. */
static double
slot_x(const struct layout *l, uint32_t i)
{
	return l->x + l->slot * (i + (i >= l->c->n_places ? 0.5 : 0));
}

/* Where the points of a place are. */
static double
point_x(const struct layout *l, uint32_t place)
{
	const struct chart *c = l->c;

	if (!c->at)
		return slot_x(l, place) + l->slot / 2;
	return l->x + 4 + (l->w - 8) * (c->at[place] - c->x_lo) / (c->x_hi - c->x_lo);
}

static void
draw_value_axis(const struct layout *l, struct pen *p)
{
	const struct chart *c = l->c;
	double step = scale_step(c->lo, c->hi, (unsigned)fmax(l->h / 16, 2)), size = 7.5;

	for (double v = ceil(c->lo / step - 1e-9) * step; v <= c->hi + step * 1e-6; v += step) {
		double y = y_of(l, v);
		const double mark[] = {l->x - 3, y, l->x, y}, grid[] = {l->x, y, l->x + l->w, y};
		char text[TICK_TEXT];

		p->line(p, &faint, grid, 2);
		p->line(p, &tick, mark, 2);
		scale_text(text, v, step, c->hi);
		draw_text(p, l->x - 5, y + 2.5, PEN_RIGHT, text);
	}
	while (size > 5 && pen_width(c->y_title, size, false) > l->h + 14)
		size -= 0.5;
	p->text(p,
		&(struct pen_text){.x = 13,
				   .y = l->y + l->h / 2,
				   .size = size,
				   .anchor = PEN_MIDDLE,
				   .upwards = true,
				   .color = PEN_INK},
		c->y_title);
}

static void
draw_numbers(const struct layout *l, struct pen *p)
{
	const struct chart *c = l->c;
	double step = scale_step(c->x_lo, c->x_hi, (unsigned)(l->w / 38));
	bool whole = true;

	for (uint32_t i = 0; i < c->n_places; i++)
		whole &= c->at[i] == floor(c->at[i]);
	if (whole && step < 1)
		step = 1;
	for (double v = ceil(c->x_lo / step - 1e-9) * step; v <= c->x_hi + step * 1e-6; v += step) {
		double x = l->x + 4 + (l->w - 8) * (v - c->x_lo) / (c->x_hi - c->x_lo);
		double y = l->y + l->h;
		const double mark[] = {x, y, x, y + 3};
		char text[TICK_TEXT];

		p->line(p, &tick, mark, 2);
		scale_text(text, v, step, c->x_hi);
		draw_text(p, x, y + 11, PEN_MIDDLE, text);
	}
}

static void
draw_names(const struct layout *l, struct pen *p)
{
	double per = fmax(l->slot, 1e-6);
	uint32_t step = l->is_upward ? (uint32_t)ceil(7.5 / per) : 1;

	for (uint32_t i = 0; i < count_slots(l->c); i++) {
		double x = slot_x(l, i) + l->slot / 2, y = l->y + l->h;
		char text[200];

		if (i < l->c->n_places && i % step)
			continue;
		figure_fit(text, sizeof(text), slot_name(l->c, i), SMALL,
			   l->is_upward ? l->label : l->slot, false);
		p->text(p,
			&(struct pen_text){.x = l->is_upward ? x + 2.5 : x,
					   .y = l->is_upward ? y + 4 : y + 10,
					   .size = SMALL,
					   .bold = i >= l->c->n_places,
					   .upwards = l->is_upward,
					   .anchor = l->is_upward ? PEN_RIGHT : PEN_MIDDLE,
					   .color = PEN_INK},
			text);
	}
}

/* ---------------------------------------------------------------- bars and curves */

/* Draws one standard deviation to both sides of a value. */
static void
draw_error(const struct layout *l, struct pen *p, double x, double mean, double deviation)
{
	double lo = y_of(l, mean - deviation), hi = y_of(l, mean + deviation);
	const double stem[] = {x, lo, x, hi}, top[] = {x - 1.5, hi, x + 1.5, hi},
		     foot[] = {x - 1.5, lo, x + 1.5, lo};

	if (isnan(deviation))
		return;
	p->line(p, &tick, stem, 2);
	p->line(p, &tick, top, 2);
	p->line(p, &tick, foot, 2);
}

static void
draw_bar(const struct layout *l, struct pen *p, uint32_t series, double x, double w, double v)
{
	double zero = y_of(l, 0), y = y_of(l, v);

	if (isnan(v))
		return;
	draw_box(p, series, x, w, fmin(y, zero), fabs(zero - y));
}

static void
draw_bars(const struct layout *l, struct pen *p)
{
	const struct chart *c = l->c;
	double gap = fmin(l->slot * 0.2, 6), w = (l->slot - gap) / c->n_series;

	for (uint32_t i = 0; i < count_slots(c); i++)
		for (uint32_t s = 0; s < c->n_series; s++) {
			double x = slot_x(l, i) + gap / 2 + w * s;

			if (i < c->n_places) {
				const struct chart_cell *k = chart_at(c, s, i);

				draw_bar(l, p, s, x, w, k->mean);
				draw_error(l, p, x + w / 2, k->mean, k->deviation);
			} else {
				draw_bar(l, p, s, x, w, c->mean[i - c->n_places][s]);
			}
		}
}

/* A polyline that is drawn in pieces: a single one with many thousand points that cross each other
 * takes cairo minutes. */
struct path {
	double xy[2 * PIECE];
	unsigned n;
	struct pen *p;
	struct pen_line line;
};

static void
path_add(struct path *a, double x, double y)
{
	if (a->n == PIECE) {
		a->p->line(a->p, &a->line, a->xy, a->n);
		a->xy[0] = a->xy[2 * PIECE - 2];
		a->xy[1] = a->xy[2 * PIECE - 1];
		a->n = 1;
	}
	a->xy[2 * a->n] = x;
	a->xy[2 * a->n + 1] = y;
	a->n++;
}

static void
path_end(struct path *a)
{
	if (a->n > 1)
		a->p->line(a->p, &a->line, a->xy, a->n);
}

static uint32_t
count_points(const struct chart *c, uint32_t s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_places; i++)
		n += !isnan(chart_at(c, s, i)->mean);
	return n;
}

/* Points closer than COLUMN are drawn as one stroke from the least to the greatest of them. */
static void
draw_dense(const struct layout *l, struct pen *p, uint32_t s)
{
	struct path a = {.p = p, .line = {color_of(s), 0.5, ""}};
	double left = -1, lo = 0, hi = 0;

	for (uint32_t i = 0; i < l->c->n_places; i++) {
		double v = chart_at(l->c, s, i)->mean, x = point_x(l, i);

		if (isnan(v))
			continue;
		if (left < 0 || x >= left + COLUMN) {
			if (left >= 0) {
				path_add(&a, left, y_of(l, lo));
				path_add(&a, left, y_of(l, hi));
			}
			left = x;
			lo = hi = v;
		}
		lo = fmin(lo, v);
		hi = fmax(hi, v);
	}
	path_add(&a, left, y_of(l, lo));
	path_add(&a, left, y_of(l, hi));
	path_end(&a);
}

static void
draw_curve(const struct layout *l, struct pen *p, uint32_t s)
{
	const struct chart *c = l->c;
	struct path a = {.p = p, .line = {color_of(s), 1.1, dash_of(s)}};

	if (count_points(c, s) > l->w / COLUMN / 2) {
		draw_dense(l, p, s);
		return;
	}
	for (uint32_t i = 0; i < c->n_places; i++) {
		const struct chart_cell *k = chart_at(c, s, i);
		double x = point_x(l, i), y = y_of(l, k->mean);

		if (isnan(k->mean))
			continue;
		path_add(&a, x, y);
		draw_error(l, p, x, k->mean, k->deviation);
		if (c->n_places <= 100)
			pen_rect(p, a.line.color, x - MARK, y - MARK, 2 * MARK, 2 * MARK);
	}
	path_end(&a);
}

/* ---------------------------------------------------------------- the page */

static void
draw_heading(const struct layout *l, struct pen *p)
{
	char text[sizeof(l->c->note)];

	figure_fit(text, sizeof(text), l->c->title, TITLE, l->width - 2 * MARGIN, true);
	p->text(p,
		&(struct pen_text){
			.x = MARGIN, .y = 15, .size = TITLE, .bold = true, .color = PEN_INK},
		text);
	figure_fit(text, sizeof(text), l->c->note, SMALL, l->width - 2 * MARGIN, false);
	if (*text)
		p->text(p,
			&(struct pen_text){.x = MARGIN, .y = 26, .size = SMALL, .color = PEN_FAINT},
			text);
	draw_legend(l, p, (*l->c->note ? 26 : 14) + 12);
}

static void
draw_chart(const void *ctx, struct pen *p)
{
	const struct layout *l = ctx;
	const struct chart *c = l->c;

	draw_heading(l, p);
	draw_value_axis(l, p);
	if (c->at)
		draw_numbers(l, p);
	else
		draw_names(l, p);
	if (c->bars)
		draw_bars(l, p);
	for (uint32_t s = 0; !c->bars && s < c->n_series; s++)
		draw_curve(l, p, s);
	if (c->baseline) {
		const double xy[] = {l->x, y_of(l, 1), l->x + l->w, y_of(l, 1)};

		p->line(p, &(struct pen_line){PEN_INK, 0.6, "3 2"}, xy, 2);
	}
	pen_frame(p, &tick, l->x, l->y, l->w, l->h);
	p->text(p,
		&(struct pen_text){.x = l->x + l->w / 2,
				   .y = l->y + l->h + l->label + 15,
				   .size = 7.5,
				   .anchor = PEN_MIDDLE,
				   .color = PEN_INK},
		c->x_title);
}

int
plot_chart_file(const struct chart_job *j, const char *path, struct err *e)
{
	struct layout l;
	struct chart c;
	struct page page;
	int rc;

	if (page_check_path(path, e) < 0 || chart_make(j, &c, e) < 0)
		return -1;
	make_layout(&c, j, &l);
	page = (struct page){l.width, l.height, c.title, c.title, draw_chart, &l};
	rc = page_write(&page, path, j->dpi, e);
	chart_free(&c);
	return rc;
}

int
plot_chart_svg(const struct chart_job *j, FILE *to, struct err *e)
{
	struct layout l;
	struct chart c;
	struct page page;
	int rc;

	if (chart_make(j, &c, e) < 0)
		return -1;
	make_layout(&c, j, &l);
	page = (struct page){l.width, l.height, c.title, c.title, draw_chart, &l};
	rc = pen_svg(&page, true, to, e);
	chart_free(&c);
	return rc;
}
