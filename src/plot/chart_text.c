/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart_text.c - a chart as text for a terminal: horizontal bars, or curves on a grid of
 * characters.
 *
 * Curves are marked with letters, one per series; where two meet, the later one stands. No colour:
 * the text can be piped, mailed and put into a test.
 */
#include "plot/chart_part.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 18
#define LEAST_BAR 10
#define NAME_MOST 24
#define TEXT_WIDEST 512 /* columns between the axes of curves */

static const char marks[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*";

struct text_chart {
	const struct chart *c;
	FILE *to;
	unsigned columns;
	bool ascii;
};

static unsigned
longest_name(char *const *name, uint32_t n)
{
	size_t most = 0;

	for (uint32_t i = 0; i < n; i++)
		most = MAX(most, strlen(name[i]));
	return (unsigned)MIN(most, (size_t)NAME_MOST);
}

/* ---------------------------------------------------------------- bars */

/* Prints a bar of eighths of a character (whole ones in ASCII). */
static void
print_bar(const struct text_chart *t, double share, unsigned width)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	unsigned n = (unsigned)(fmin(fmax(share, 0), 1) * width * 8 + 0.5);

	for (unsigned i = 0; i < n / 8; i++)
		fputs(t->ascii ? "#" : "█", t->to);
	if (!t->ascii)
		fputs(eighths[n % 8], t->to);
}

static void
print_row(const struct text_chart *t, const char *place, const char *series, double v,
	  double deviation)
{
	const struct chart *c = t->c;
	unsigned pn = MAX(longest_name(c->place.name, c->n_places), 7u),
		 sn = longest_name(c->series.name, c->n_series);
	unsigned fixed = pn + sn + 4 + 24;
	unsigned width = t->columns > fixed + LEAST_BAR ? t->columns - fixed : LEAST_BAR;

	fprintf(t->to, "%-*.*s  %-*.*s  ", (int)pn, (int)pn, place, (int)sn, (int)sn, series);
	if (isnan(v)) {
		fputs("-\n", t->to);
		return;
	}
	fprintf(t->to, "%10.4g ", v);
	if (!isnan(deviation))
		fprintf(t->to, t->ascii ? "+-%-8.2g " : "±%-8.2g ", deviation);
	print_bar(t, v / c->hi, width);
	putc('\n', t->to);
}

static void
print_bars(const struct text_chart *t)
{
	const struct chart *c = t->c;

	for (uint32_t i = 0; i < c->n_places + c->n_means; i++)
		for (uint32_t s = 0; s < c->n_series; s++) {
			bool is_mean = i >= c->n_places;
			const struct chart_cell *k = is_mean ? NULL : chart_at(c, s, i);

			print_row(t,
				  s	    ? ""
				  : is_mean ? c->mean_name[i - c->n_places]
					    : c->place.name[i],
				  c->series.name[s],
				  is_mean ? c->mean[i - c->n_places][s] : k->mean,
				  is_mean ? (double)NAN : k->deviation);
		}
}

/* ---------------------------------------------------------------- curves */

struct grid {
	char *at; /* ROWS x width */
	unsigned width;
};

static unsigned
column_of_value(const struct chart *c, const struct grid *g, double x)
{
	return (unsigned)((x - c->x_lo) / (c->x_hi - c->x_lo) * (g->width - 1) + 0.5);
}

static unsigned
column_of(const struct chart *c, const struct grid *g, uint32_t place)
{
	if (c->at)
		return column_of_value(c, g, c->at[place]);
	return c->n_places > 1
		       ? (place * (g->width - 1) + (c->n_places - 1) / 2) / (c->n_places - 1)
		       : 0;
}

static unsigned
row_of(const struct chart *c, double v)
{
	double share = fmin(fmax((v - c->lo) / (c->hi - c->lo), 0), 1);

	return (unsigned)((1 - share) * (ROWS - 1) + 0.5);
}

static void
put_mark(const struct chart *c, struct grid *g, unsigned x, double v, char mark)
{
	char *at = &g->at[(size_t)row_of(c, v) * g->width + x];

	if (mark != '.' || *at == ' ')
		*at = mark;
}

/* Draws dots between two points, then the letter of the series at the points. */
static void
put_curve(const struct chart *c, struct grid *g, uint32_t s)
{
	bool any = false;
	unsigned last_x = 0;
	double last = 0;

	for (uint32_t i = 0; i < c->n_places; i++) {
		double v = chart_at(c, s, i)->mean;
		unsigned x = column_of(c, g, i);

		if (isnan(v))
			continue;
		for (unsigned k = last_x + 1; any && k < x; k++)
			put_mark(c, g, k, last + (v - last) * (k - last_x) / (x - last_x), '.');
		put_mark(c, g, x, v, marks[s % (sizeof(marks) - 1)]);
		any = true;
		last_x = x;
		last = v;
	}
}

/* Prints the rows, those of a tick with its number. */
static void
print_grid(const struct text_chart *t, const struct grid *g)
{
	const struct chart *c = t->c;
	double step = scale_step(c->lo, c->hi, 5);
	int first = (int)ceil(c->lo / step - 1e-9), last = (int)floor(c->hi / step + 1e-9);
	char text[ROWS][TICK_TEXT] = {{0}};

	for (int i = first; i <= last; i++)
		scale_text(text[row_of(c, i * step)], i * step, step, c->hi);
	for (unsigned r = 0; r < ROWS; r++) {
		const char *line = t->ascii ? "|" : "│", *tick = t->ascii ? "+" : "┤";

		fprintf(t->to, "%9s %s%.*s\n", text[r], *text[r] ? tick : line, (int)g->width,
			g->at + (size_t)r * g->width);
	}
}

/* The row below the x axis: labels that do not touch, each below its tick. */
struct tick_row {
	char text[TEXT_WIDEST];
	bool tick[TEXT_WIDEST];
	unsigned width, used;
};

/* A label begins at its tick unless it would end beyond the axis. */
static void
put_label(struct tick_row *k, unsigned x, const char *label)
{
	unsigned n = (unsigned)strlen(label), from = n < k->width ? MIN(x, k->width - n) : 0;

	if (n >= k->width || (k->used && from < k->used + 1))
		return;
	k->tick[x] = true;
	memcpy(k->text + from, label, n);
	k->used = from + n;
}

static void
put_labels(const struct chart *c, const struct grid *g, struct tick_row *k)
{
	double step = scale_step(c->x_lo, c->x_hi, g->width / 10);
	char text[TICK_TEXT];

	for (uint32_t i = 0; !c->at && i < c->n_places; i++)
		put_label(k, column_of(c, g, i), c->place.name[i]);
	if (!c->at)
		return;
	for (double i = ceil(c->x_lo / step - 1e-9); i * step <= c->x_hi + 1e-9 * step; i++) {
		scale_text(text, i * step, step, c->x_hi);
		put_label(k, column_of_value(c, g, i * step), text);
	}
}

static void
print_x_axis(const struct text_chart *t, const struct grid *g)
{
	struct tick_row k = {.width = g->width};

	memset(k.text, ' ', sizeof(k.text));
	put_labels(t->c, g, &k);
	fprintf(t->to, "%10s%s", "", t->ascii ? "+" : "└");
	for (unsigned i = 0; i < g->width; i++)
		fputs(k.tick[i] ? (t->ascii ? "+" : "┬") : t->ascii ? "-" : "─", t->to);
	fprintf(t->to, "\n%11s%.*s\n%11s%s\n", "", (int)k.used, k.text, "", t->c->x_title);
}

static void
print_curves(const struct text_chart *t)
{
	const struct chart *c = t->c;
	struct grid g = {.width = t->columns > 40 ? MIN(t->columns - 12, TEXT_WIDEST) : 28};

	g.at = memory_new((size_t)ROWS * g.width, 1);
	memset(g.at, ' ', (size_t)ROWS * g.width);
	for (uint32_t s = 0; s < c->n_series; s++)
		put_curve(c, &g, s);
	print_grid(t, &g);
	free(g.at);
	print_x_axis(t, &g);
	for (uint32_t s = 0; s < c->n_series; s++)
		fprintf(t->to, "  %c  %s\n", marks[s % (sizeof(marks) - 1)], c->series.name[s]);
}

int
plot_chart_text(const struct chart_job *j, FILE *to, unsigned columns, bool ascii, struct err *e)
{
	struct chart c;
	struct text_chart t = {&c, to, columns, ascii};

	if (chart_make(j, &c, e) < 0)
		return -1;
	fprintf(to, "%s\n%s\n", c.title, c.y_title);
	if (c.bars)
		print_bars(&t);
	else
		print_curves(&t);
	if (*c.note)
		fprintf(to, "(%s)\n", c.note);
	chart_free(&c);
	return 0;
}
