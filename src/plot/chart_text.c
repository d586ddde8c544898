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

static const char marks[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*";

struct text_chart {
	const struct chart *c;
	FILE *to;
	unsigned columns;
	bool ascii;
};

static unsigned
longest(char *const *name, uint32_t n)
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
	unsigned pn = MAX(longest(c->place.name, c->n_places), 7u),
		 sn = longest(c->series.name, c->n_series);
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
column_of(const struct chart *c, const struct grid *g, uint32_t place)
{
	double share = c->at		 ? (c->at[place] - c->x_lo) / (c->x_hi - c->x_lo)
		       : c->n_places > 1 ? (double)place / (c->n_places - 1)
					 : 0;

	return (unsigned)(share * (g->width - 1) + 0.5);
}

static void
put_mark(const struct chart *c, struct grid *g, unsigned x, double v, char mark)
{
	double share = fmin(fmax((v - c->lo) / (c->hi - c->lo), 0), 1);
	unsigned row = (unsigned)((1 - share) * (ROWS - 1) + 0.5);
	char *at = &g->at[(size_t)row * g->width + x];

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

static void
print_curves(const struct text_chart *t)
{
	const struct chart *c = t->c;
	struct grid g = {.width = t->columns > 40 ? t->columns - 12 : 28};
	double step = scale_step(c->lo, c->hi, 5);
	char from[TICK_TEXT], to[TICK_TEXT];

	g.at = memory_new((size_t)ROWS * g.width, 1);
	memset(g.at, ' ', (size_t)ROWS * g.width);
	for (uint32_t s = 0; s < c->n_series; s++)
		put_curve(c, &g, s);
	for (unsigned r = 0; r < ROWS; r++) {
		char text[TICK_TEXT] = "";

		if (r == 0 || r == ROWS - 1)
			scale_text(text, r ? c->lo : c->hi, step, c->hi);
		fprintf(t->to, "%9s %s%.*s\n", text, t->ascii ? "|" : "│", (int)g.width,
			g.at + (size_t)r * g.width);
	}
	free(g.at);
	fprintf(t->to, "%10s%s", "", t->ascii ? "+" : "└");
	for (unsigned i = 0; i < g.width; i++)
		fputs(t->ascii ? "-" : "─", t->to);
	scale_text(from, c->x_lo, 1, c->x_hi);
	scale_text(to, c->x_hi, 1, c->x_hi);
	fprintf(t->to, "\n%11s%s%*s\n", "", c->at ? from : c->place.name[0],
		(int)(g.width - strlen(c->at ? from : c->place.name[0])),
		c->at ? to : c->place.name[c->n_places - 1]);
	fprintf(t->to, "%11s%s\n", "", c->x_title);
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
