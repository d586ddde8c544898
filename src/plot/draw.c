/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * draw.c - the page of a figure: positions of the panels, title, time axis, kernel boundaries.
 *
 * Sizes are in points, chosen for a column of a paper: text of 7 to 9 points, hair lines of 0.4.
 */
#include "plot/plot_part.h"

#include <math.h>

#define MARGIN 8
#define LEFT 46	 /* of a panel: numbers and title of the value axis */
#define RIGHT 62 /* if a panel has a colour bar */
#define HEAD 34	 /* title and note */
#define NOTE 20	 /* note only */
#define AXIS 28	 /* below the last panel */
#define GAP 8
#define TITLE 9.5
#define SMALL 7

static double
own_height(const struct figure *f, const struct panel *p)
{
	double per = p->curve[0].rows <= 8 ? 10 : p->curve[0].rows <= 40 ? 4.5 : 2.6;

	(void)f;
	if (p->kind == PANEL_HEAT || p->kind == PANEL_STATES)
		return fmin(fmax(p->curve[0].rows * per, 60), 330);
	return p->kind == PANEL_CLASSES ? 120 : 100;
}

void
figure_layout(struct figure *f, double width_mm, double height_mm)
{
	double head = *f->run->title ? HEAD : NOTE, fixed = head + AXIS, free_height = 0, scale = 1,
	       y = head;
	bool bar = false;

	f->width = width_mm * 72 / 25.4;
	for (unsigned i = 0; i < f->n; i++)
		bar |= f->panel[i].kind == PANEL_HEAT;
	f->plot_x = LEFT;
	f->plot_w = f->width - LEFT - (bar ? RIGHT : MARGIN + 4);
	for (unsigned i = 0; i < f->n; i++) {
		fixed += panel_head(f, i) + GAP;
		free_height += own_height(f, &f->panel[i]);
	}
	if (height_mm > 0)
		scale = fmax((height_mm * 72 / 25.4 - fixed) / free_height, 0.1);
	for (unsigned i = 0; i < f->n; i++) {
		y += panel_head(f, i);
		f->panel_y[i] = y;
		f->panel_h[i] = own_height(f, &f->panel[i]) * scale;
		y += f->panel_h[i] + GAP;
	}
	f->height = y + AXIS;
}

/* Copies as much of a text as fits, with dots if it was cut. */
void
figure_fit(char *buf, size_t size, const char *text, double points, double width, bool bold)
{
	size_t n = (size_t)snprintf(buf, size, "%s", text);

	n = n < size ? n : size - 1;
	while (n > 3 && pen_width(buf, points, bold) > width) {
		n--;
		while (n > 3 && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;
		snprintf(buf + n - 3, 4, "...");
	}
}

static void
draw_head(const struct figure *f, struct pen *p)
{
	double size = TITLE, room = f->width - 2 * MARGIN;
	char text[400];

	while (size > 7 && pen_width(f->run->title, size, true) > room)
		size -= 0.5;
	figure_fit(text, sizeof(text), f->run->title, size, room, true);
	p->text(p,
		&(struct pen_text){
			.x = MARGIN, .y = 15, .size = size, .bold = true, .color = PEN_INK},
		text);
	figure_fit(text, sizeof(text), f->note, SMALL, room, false);
	p->text(p,
		&(struct pen_text){.x = MARGIN,
				   .y = *f->run->title ? 26 : 12,
				   .size = SMALL,
				   .color = PEN_FAINT},
		text);
}

static double
at_cycle(const struct figure *f, double cycle)
{
	return f->plot_x + f->plot_w * (cycle - (double)f->from) / (double)(f->to - f->from);
}

/* Draws kernel boundaries: dashed through all panels, alternating dark and light on a strip so
 * that they are visible on any colour; numbers at the axis where there is room. */
static void
draw_kernels(const struct figure *f, struct pen *p)
{
	static const struct pen_line dark = {0x222222, 0.6, "2 2"}, light = {0xffffff, 0.6, ""},
				     line = {PEN_INK, 0.6, "2 2"};
	double bottom = f->panel_y[f->n - 1] + f->panel_h[f->n - 1], last = -100;

	for (unsigned k = 1; k < f->run->n_kernels; k++) {
		cycle_t start = f->run->kernel_start[k];
		double x = at_cycle(f, (double)start);
		char text[24];

		if (start <= f->from || start >= f->to)
			continue;
		for (unsigned i = 0; i < f->n && x - last > 1.5; i++) {
			const double xy[] = {x, f->panel_y[i], x, f->panel_y[i] + f->panel_h[i]};

			if (f->panel[i].kind != PANEL_LINES)
				p->line(p, &light, xy, 2);
			p->line(p, f->panel[i].kind != PANEL_LINES ? &dark : &line, xy, 2);
		}
		snprintf(text, sizeof(text), "k%u", k + 1);
		if (x - last < 1.5)
			continue;
		if (x - last > 16)
			p->text(p,
				&(struct pen_text){.x = x,
						   .y = bottom + 7.2,
						   .size = 6,
						   .anchor = PEN_MIDDLE,
						   .color = PEN_FAINT},
				text);
		last = x;
	}
}

static void
draw_time(const struct figure *f, struct pen *p)
{
	static const struct pen_line tick = {PEN_INK, 0.6, ""};
	double step = scale_step((double)f->from, (double)f->to, (unsigned)(f->plot_w / 38));
	double bottom = f->panel_y[f->n - 1] + f->panel_h[f->n - 1];

	for (double c = ceil((double)f->from / step) * step; c <= (double)f->to; c += step) {
		double x = at_cycle(f, c);
		char text[TICK_TEXT];

		for (unsigned i = 0; i < f->n; i++) {
			double y = f->panel_y[i] + f->panel_h[i];
			const double xy[] = {x, y, x, y + (i + 1 == f->n ? 3 : 2)};

			p->line(p, &tick, xy, 2);
		}
		scale_text(text, c, step, (double)f->to);
		p->text(p,
			&(struct pen_text){.x = x,
					   .y = bottom + 16,
					   .size = SMALL,
					   .anchor = PEN_MIDDLE,
					   .color = PEN_INK},
			text);
	}
	p->text(p,
		&(struct pen_text){.x = f->plot_x + f->plot_w / 2,
				   .y = bottom + 27,
				   .size = 8,
				   .anchor = PEN_MIDDLE,
				   .color = PEN_INK},
		"time (core cycles)");
}

static void
draw_figure(const void *ctx, struct pen *p)
{
	const struct figure *f = ctx;

	draw_head(f, p);
	for (unsigned i = 0; i < f->n; i++)
		panel_draw(f, i, p);
	draw_kernels(f, p);
	draw_time(f, p);
}

struct page
figure_page(const struct figure *f, struct strbuf *about)
{
	sb_str(about, f->run->title);
	for (unsigned i = 0; i < f->n; i++)
		sb_printf(about, "%s%s", i ? ", " : *f->run->title ? ": " : "", f->panel[i].title);
	return (struct page){.width = f->width,
			     .height = f->height,
			     .title = f->run->title,
			     .about = about->p ? about->p : "",
			     .draw = draw_figure,
			     .ctx = f};
}
