/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_map.c - shows the whole GPU at one moment: a cell per core, in the shape of the mesh if
 * there is one, else in rows ordered by number or by value. `pane map core.ract` shows another
 * series.
 *
 * All cores are always on the screen: cells shrink, and if even cells of one column are too many,
 * neighbours by number share one. It shows their mean, or after `fold max` the largest value.
 */
#include "base/memory.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/run_expr.h"
#include "tui/series_title.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHOICE "core.ctas_running"

struct own {
	struct run_expr expr;
	bool by_value;
	double hi; /* upper end of the ramp; it grows with the values and never shrinks */
	struct err wrong;
};

/* A cell: one core, or several that are folded together. */
struct place {
	unsigned core, n; /* the first core, and how many */
	unsigned x, y;	  /* position in cells */
	double value;	  /* NaN: unknown */
	bool off;	  /* all of its cores are off */
};

struct map {
	struct place at[MAX_CORES];
	unsigned n, columns, rows, fold;
	bool mesh;
	int cw, ch; /* columns and rows of the screen per cell */
};

/* ---------------------------------------------------------------- opening */

static void
close_map(struct pane_view *v)
{
	struct own *o = v->own;

	if (o)
		run_expr_close(&o->expr);
	free(o);
	v->own = NULL;
}

static int
open_map(struct screen *s, struct pane_view *v, struct err *e)
{
	struct own *o = v->own = memory_new(1, sizeof(*o));
	unsigned cores = screen_cores(s);

	if (run_expr_open(&o->expr, s, v->arg[0] ? v->arg : FIRST_CHOICE, e) == 0 &&
	    overtime_size(o->expr.x) == cores)
		return 0;
	if (o->expr.x)
		err_set(e, "pane map: '%s' has %u values; there are %u cores", v->arg,
			overtime_size(o->expr.x), cores);
	close_map(v);
	return -1;
}

static void
each_word(void (*fn)(void *to, const char *word), void *to)
{
	run_expr_words(false, fn, to);
}

static int
set_order(struct screen *s, struct pane_view *v, const char *order, struct err *e)
{
	struct own *o = v->own;

	if (*order && strcmp(order, "value") != 0 && strcmp(order, "core") != 0)
		return err_set(e, "sort: expected value or core; found '%s'", order);
	o->by_value = *order ? *order == 'v' : !o->by_value;
	screen_notice(s, "cores by %s", o->by_value ? "value" : "place or number");
	return 0;
}

static const char *
key_command(struct screen *s, struct pane_view *v ATTR_UNUSED, int k, char *buf ATTR_UNUSED,
	    size_t size ATTR_UNUSED)
{
	return k == 'o' ? "sort" : k == '\r' && !s->log_open ? "pane slots" : NULL;
}

/* ---------------------------------------------------------------- places */

static int
by_value(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	double p = x->off || isnan(x->value) ? -INFINITY : x->value,
	       q = y->off || isnan(y->value) ? -INFINITY : y->value;

	return p != q ? (p < q ? 1 : -1) : (x->core > y->core) - (x->core < y->core);
}

static struct place
place_of(const struct screen *s, const double *v, unsigned core, unsigned n)
{
	struct place p = {.core = core, .n = n, .off = true};
	double sum = 0, known = 0, most = -INFINITY;

	for (unsigned c = core; c < core + n; c++) {
		p.off &= screen_series(s, SC_STATE, c) == CORE_OFF;
		if (isnan(v[c]))
			continue;
		sum += v[c];
		most = fmax(most, v[c]);
		known++;
	}
	p.value = !known ? (double)NAN : s->fold == FOLD_MAX ? most : sum / known;
	return p;
}

/* Places cores in the shape of the mesh. Returns false if there is none or it does not fit. */
static bool
mesh_places(const struct screen *s, struct map *m, int w, int h)
{
	for (unsigned i = 0; i < m->n; i++)
		if (!sim_place(screen_sim(s), m->at[i].core, &m->at[i].x, &m->at[i].y, &m->columns,
			       &m->rows))
			return false;
	for (unsigned i = 1; i < m->n; i++) /* cores of one cluster share a node */
		if (m->at[i].x == m->at[i - 1].x && m->at[i].y == m->at[i - 1].y)
			return false;
	return (int)m->columns <= w && (int)m->rows <= h;
}

static void
make_map(const struct screen *s, struct own *o, unsigned sample, int w, int h, struct map *m)
{
	const double *v = overtime_vector(o->expr.x, sample);
	unsigned cores = screen_cores(s);

	*m = (struct map){.fold = 1};
	while ((cores + m->fold - 1) / m->fold > (unsigned)(w * h))
		m->fold *= 2;
	for (unsigned c = 0; c < cores; c += m->fold)
		m->at[m->n++] = place_of(s, v, c, MIN(m->fold, cores - c));
	for (unsigned i = 0; i < m->n; i++)
		o->hi = fmax(o->hi, isnan(m->at[i].value) ? 0 : m->at[i].value);
	m->mesh = m->fold == 1 && !o->by_value && mesh_places(s, m, w, h);
	if (!m->mesh) {
		if (o->by_value)
			qsort(m->at, m->n, sizeof(m->at[0]), by_value);
		/* Make cells about three times as wide as they are high. */
		m->columns = (unsigned)ceil(sqrt((double)m->n * w / (3.0 * h)));
		m->columns =
			MIN(MAX(m->columns, (m->n + (unsigned)h - 1) / (unsigned)h), (unsigned)w);
		m->rows = (m->n + m->columns - 1) / m->columns;
		for (unsigned i = 0; i < m->n; i++) {
			m->at[i].x = i % m->columns;
			m->at[i].y = i / m->columns;
		}
	}
	m->cw = MIN(w / (int)m->columns, 24);
	m->ch = MAX(MIN(h / (int)m->rows, 8), 1);
}

/* ---------------------------------------------------------------- drawing */

/* Draws a cell of two or more rows without colours: the core's number and value with a bar below,
 * or the value below the number. Filling the cell with digits would hide both. Returns false if
 * there is no room. */
static bool
draw_plain(struct screen *s, struct canvas *c, const struct map *m, const struct place *p,
	   double hi, const char *num)
{
	int w = m->cw - 2, x = (int)p->x * m->cw + 1, y = (int)p->y * m->ch;
	unsigned focus = session_focus_core(s->session);
	bool in_focus = focus >= p->core && focus < p->core + p->n, beside;
	const char *value = p->off ? "off" : isnan(p->value) ? "?" : num;
	char text[16];

	snprintf(text, sizeof(text), "#%u", p->core);
	beside = (int)(strlen(text) + strlen(value)) < w;
	if (m->ch < 2 || (int)MAX(strlen(text), strlen(value)) > w)
		return false;
	canvas_put(c, x - 1, y, ROLE_FOCUS, in_focus ? 0x25b8 : ' ');
	canvas_text(c, x, y, in_focus ? ROLE_FOCUS : ROLE_DIM, text);
	canvas_right(c, x, y + !beside, w, p->off ? ROLE_DIM : ROLE_VALUE, value);
	if (beside && !p->off && !isnan(p->value))
		draw_bar(c, x, y + 1, w, p->value, hi, NAN, NAN);
	for (int i = 0; beside && p->off && i < w; i++)
		canvas_heat(c, x + i, y + 1, HEAT_GATED, HEAT_GATED, false);
	return true;
}

/* The spotlight is on a core of another cell. */
static bool
is_dimmed(const struct screen *s, const struct place *p)
{
	return s->spotlight >= 0 &&
	       ((unsigned)s->spotlight < p->core || (unsigned)s->spotlight >= p->core + p->n);
}

/* Fills the cell except for a blank column at its right and, if there is room, a blank row below,
 * then prints the value and the core's number. */
static void
draw_place(struct screen *s, struct canvas *c, const struct map *m, const struct place *p,
	   double hi)
{
	unsigned focus = session_focus_core(s->session);
	bool dim = is_dimmed(s, p);
	unsigned code = dim		  ? HEAT_DIMMED
			: p->off	  ? HEAT_GATED
			: isnan(p->value) ? HEAT_UNKNOWN
					  : heat_level(p->value, 0, hi);
	int w = m->cw > 2 ? m->cw - 1 : m->cw, h = m->ch > 2 ? m->ch - 1 : m->ch;
	int x0 = (int)p->x * m->cw, y0 = (int)p->y * m->ch;
	bool in_focus = focus >= p->core && focus < p->core + p->n;
	char num[FMT_MAX], text[FMT_MAX + 8];

	fmt_num(num, p->value, p->value >= 10 || p->value == floor(p->value) ? 0 : w >= 5 ? 2 : 1);
	snprintf(text, sizeof(text), "#%u", p->core);
	if (s->painter.shades && !dim && draw_plain(s, c, m, p, hi, num))
		return;
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			canvas_heat(c, x0 + x, y0 + y, code, code, false);
	if (!dim && !p->off && !isnan(p->value) && (int)strlen(num) <= w)
		canvas_heat_text(c, x0 + (w - (int)strlen(num)) / 2, y0 + h / 2, num);
	if (h > 1 && (int)strlen(text) < w) /* the core's number is in the upper left corner */
		canvas_heat_text(c, x0, y0, text);
	if (in_focus) {
		canvas_put(c, x0, y0, ROLE_FOCUS, 0x25b8);
		if (h > 1 && (int)strlen(text) + 1 < w)
			canvas_text(c, x0 + 1, y0, ROLE_FOCUS, text);
	}
}

static void
draw_title(const struct screen *s, const struct pane_view *v, struct canvas *c, const struct map *m,
	   double hi)
{
	const struct own *o = v->own;
	bool active = s->pane == v;
	char num[FMT_MAX], text[120];
	int x;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	x = 1 +
	    canvas_fit(c, 1, 0, c->w / 2, active ? ROLE_FOCUS : ROLE_TITLE,
		       series_title(o->expr.x)) +
	    2;
	fmt_num(num, hi, hi < 10 && hi != floor(hi) ? 1 : 0);
	x += heat_draw_ramp(&s->painter, c, x, 8, heat_whole_range(0, hi), "0", num);
	canvas_heat(c, x + 2, 0, HEAT_GATED, HEAT_GATED, false);
	x += 3 + canvas_text(c, x + 3, 0, ROLE_DIM, " off");
	if (m->fold > 1)
		snprintf(text, sizeof(text), "a cell is the %s of %u cores",
			 s->fold == FOLD_MAX ? "largest" : "mean", m->fold);
	else
		snprintf(text, sizeof(text), "%s",
			 m->mesh       ? "as in the mesh"
			 : o->by_value ? "highest first"
				       : "by number");
	if (text_width(text) < c->w - x)
		canvas_right(c, x + 1, 0, MIN(text_width(text) + 1, c->w - x - 1), ROLE_DIM, text);
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	struct own *o = v->own;
	int sample;
	struct core_view core;
	struct map m;
	double hi;

	if (!o || !screen_sim(s) || c->w < 2 || c->h < 2)
		return;
	if (run_expr_check(&o->expr, s, &o->wrong) < 0) {
		canvas_wrap(c, 1, 0, c->w - 2, c->h, ROLE_DIM, o->wrong.msg);
		return;
	}
	sample = overtime_has_level(o->expr.x) ? screen_level_sample(s) : screen_sample(s);
	if (sample < 0)
		return;
	make_map(s, o, (unsigned)sample, c->w - 1, c->h - 1, &m);
	sim_core_view(screen_sim(s), 0, &core);
	hi = strcmp(overtime_unit(o->expr.x), "ratio") == 0  ? 1
	     : strcmp(overtime_unit(o->expr.x), "CTAs") == 0 ? fmax(core.n_max, o->hi)
							     : o->hi;
	struct canvas body = canvas_sub(c, 1, 1, c->w - 1, c->h - 1);
	for (unsigned i = 0; i < m.n; i++)
		draw_place(s, &body, &m, &m.at[i], hi > 0 ? hi : 1);
	draw_title(s, v, c, &m, hi > 0 ? hi : 1);
	canvas_digits(c, heat_whole_range(0, hi));
}

const struct pane_ops pane_map = {
	.name = "map",
	.help = "Every core at the cursor's time, in the places of the mesh where there is one: "
		"its CTAs, "
		"or pane map SERIES. As the active pane: o sorts by value.",
	.read = "A cell is a core at the cursor's time: its number in the corner, as #5, its value "
		"in the middle, its value as a colour, or without colours as a bar. Cores are "
		"placed as in the mesh of the network if the machine has one, else by number. If "
		"there are too many, a cell is the mean of 2, 4 or more neighbours, as the title "
		"says.",
	.keys = "o, or `sort value` and `sort core`, changes the order: highest first, or by place "
		"or number. Enter shows the CTA slots of the core in focus.",
	.range = "From 0 to the largest value so far; a ratio to 1.",
	.also = "sort, pane heat, info cores, info noc",
	.arg = "SERIES",
	.min_w = 16,
	.min_h = 4,
	.kind = PANE_PAGE,
	.words = each_word,
	.open = open_map,
	.close = close_map,
	.draw = draw_pane,
	.sort = set_order,
	.key = key_command,
};
