/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * heat_draw.c - draws a strip: its title with the legend, the names of the rows, the cells, and
 * numbers where a sample is wide enough.
 */
#include "tui/fmt.h"
#include "tui/heat_part.h"
#include "tui/lines.h"
#include "tui/panes.h"
#include "tui/series_title.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Each of draining, throttled and paused begins with the letter that is its glyph. */
static const char *const state_short[HEAT_STATES] = {"act",   "drain", "throttle",
						     "pause", "off",   "empty"};

static void
draw_state_legend(struct canvas *c, int x, int end)
{
	bool roomy = end - x >= 46;

	for (unsigned i = 0; i < HEAT_STATES; i++) {
		bool letter = state_glyph(i) == (unsigned char)state_short[i][0];
		if (x + !letter + text_width(state_short[i]) > end)
			break;
		canvas_heat(c, x++, 0, HEAT_STATE + i, HEAT_STATE + i, false);
		x += canvas_text(c, x + (roomy && !letter), 0, ROLE_DIM, state_short[i] + letter) +
		     1 + roomy + (roomy && !letter);
	}
}

/* Describes the percentiles of the range, for example "2-98 %", or the numbers it was set to. */
static int
draw_range(struct canvas *c, int x, const struct view_range *r)
{
	char text[32];

	if (r->how == RANGE_AUTO)
		return x;
	if (r->how == RANGE_FIXED)
		snprintf(text, sizeof(text), "(fixed)");
	else
		snprintf(text, sizeof(text), "(%g-%g %%)", r->percent, 100 - r->percent);
	if (x + (int)strlen(text) > c->w)
		return x;
	return x + canvas_text(c, x, 0, ROLE_DIM, text) + 1;
}

/* Draws what a strip counts, in which unit. */
static const char *
unit_text(const struct screen *s, const struct heat_source *src, char *buf, size_t size)
{
	char num[64];

	buf[0] = '\0';
	if (src->unit && src->count)
		snprintf(buf, size, "%s per %s", src->unit, fmt_u64(num, heat_count_cycles(s)));
	else if (src->unit)
		snprintf(buf, size, "%s", src->unit);
	return buf;
}

/* Draws the bands of a gauge: "<cell> below t_mem_l 128 <cell> <cell> from t_mem_h 384". */
static void
draw_cut_legend(const struct screen *s, struct canvas *c, int x, const struct heat_source *src,
		const struct heat_cut *k)
{
	double low = isnan(k->low) ? k->high : k->low, high = isnan(k->high) ? k->low : k->high;
	const char *name[2] = {k->low_name ? k->low_name : k->high_name,
			       k->high_name ? k->high_name : k->low_name};
	char text[HEAT_BANDS][64] = {"", "", ""}, num[FMT_MAX], unit[96];
	bool roomy = c->w - x >= 44 + text_width(unit_text(s, src, unit, sizeof(unit)));

	snprintf(text[0], sizeof(text[0]), "< %.20s%s%s", roomy ? name[0] : "", roomy ? " " : "",
		 fmt_num(num, low, 0));
	snprintf(text[2], sizeof(text[2]), ">= %.20s%s%s", roomy ? name[1] : "", roomy ? " " : "",
		 fmt_num(num, high, 0));
	for (unsigned b = 0; b < HEAT_BANDS; b++) {
		unsigned code = HEAT_BAND + (b + 1) * HEAT_BAND_STEPS - 1;
		int w = text_width(text[b]);

		if ((b == 1 && !(low < high)) || x + 2 + (w ? w + 1 : 0) > c->w)
			continue;
		canvas_heat(c, x, 0, code, code, false);
		canvas_heat(c, x + 1, 0, code, code, false);
		x += 3 + (w ? canvas_text(c, x + 3, 0, ROLE_DIM, text[b]) + 2 : 0);
	}
	if (text_width(unit) <= c->w - x)
		canvas_text(c, x, 0, ROLE_DIM, unit);
	else if (src->unit) /* without the cycles that it is counted over */
		canvas_text(c, x, 0, ROLE_DIM, series_unit(src->unit, c->w - x));
}

unsigned
heat_whole_range(double lo, double hi)
{
	return lo == 0 && hi >= 2 && hi <= 9 && hi == floor(hi) ? (unsigned)hi : 0;
}

int
heat_draw_ramp(const struct painter *p, struct canvas *c, int x, int w, unsigned most,
	       const char *lo, const char *hi)
{
	bool values = p->digits && most;
	unsigned n = !p->digits ? (unsigned)w : most ? most + 1 : 10;
	int from = x;

	x += values ? 0 : canvas_text(c, x, 0, ROLE_DIM, lo) + 1;
	for (unsigned i = 0; i < n; i++) {
		unsigned k = (HEAT_LEVELS - 1) * i / (n - 1);

		if (values)
			k = heat_level(i, 0, most);
		else if (p->digits) /* the lowest level with this digit */
			k = (HEAT_LEVELS * i + 9) / 10;
		canvas_heat(c, x++, 0, k, k, false);
	}
	x += values ? 0 : 1 + canvas_text(c, x + 1, 0, ROLE_DIM, hi);
	return x - from;
}

/* Draws the legend, for example "0 <ramp> 8 CTAs". It always shows the range. */
static void
draw_ramp_legend(const struct screen *s, struct canvas *c, int x, const struct heat_source *src,
		 struct heat_range r, const struct view_range *how)
{
	char lo[64], hi[64], unit[96] = "";
	int w = c->w - x >= 50 ? 16 : 8;

	lines_number(lo, sizeof(lo), r.lo, 6);
	lines_number(hi, sizeof(hi), r.hi, 6);
	x += heat_draw_ramp(&s->painter, c, x, w, heat_whole_range(r.lo, r.hi), lo, hi) + 1;
	unit_text(s, src, unit, sizeof(unit));
	x = draw_range(c, x, how);
	const char *fits = series_unit(unit, c->w - x);
	if (fits[0])
		x += canvas_text(c, x, 0, ROLE_DIM, fits) + 1;
	if (src->rows == HEAT_CORES && c->w - x >= 6) {
		canvas_heat(c, x + 1, 0, HEAT_GATED, HEAT_GATED, false);
		x += 2 + canvas_text(c, x + 2, 0, ROLE_DIM, " off");
	}
	if (c->w - x >= 13) {
		canvas_heat(c, x + 2, 0, HEAT_UNKNOWN, HEAT_UNKNOWN, false);
		canvas_text(c, x + 3, 0, ROLE_DIM, " no sample");
	}
}

/* Returns the view's number among the strips of the pane table, from 1; 0 for a view with an
 * argument. */
static unsigned
number_of(const struct pane_view *v)
{
	unsigned n = 1;

	if (v->arg[0])
		return 0;
	for (unsigned i = 0; pane_table[i] != v->ops; i++)
		n += pane_is_strip(pane_table[i]);
	return n;
}

/* Draws the title and the legend; at the right, which rows are visible and the number of this pane.
 */
static void
draw_title(const struct screen *s, struct canvas *c, const struct heat_source *src,
	   struct heat_range r, const struct pane_view *view, const char *shown)
{
	bool active = s->pane == view;
	char text[64];
	int end = c->w, x, n = snprintf(text, sizeof(text), "%s", shown);

	if (screen_lone(s) && number_of(view) && c->w >= 60)
		snprintf(text + n, sizeof(text) - (size_t)n, "%sTab %u/%u", n ? "  " : "",
			 number_of(view), screen_heat_panes());
	/* the legend comes first: without its numbers the colours mean nothing */
	int left = c->w - text_width(src->title), legend = 18 + 2 * s->painter.digits;
	if (heat_is_cut(&view->heat.cut))
		legend = 26;
	if (left - (int)strlen(text) < legend)
		text[n] = '\0';
	if (left - (int)strlen(text) < legend)
		text[0] = '\0';
	if (text[0] && c->w > (int)strlen(text) + 20) {
		end -= (int)strlen(text) + 1;
		canvas_text(c, end, 0, ROLE_DIM, text);
	}
	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	x = 1 + canvas_fit(c, 1, 0, end - 2, active ? ROLE_FOCUS : ROLE_TITLE, src->title) + 2;
	if (src->rows == HEAT_CHANNELS && end - x >= 36)
		x += canvas_text(c, x - 1, 0, ROLE_DIM, "by channel") + 1;
	struct canvas rest = canvas_sub(c, 0, 0, end - 1, 1);
	if (src->kind == HEAT_CATEGORY)
		draw_state_legend(&rest, x - 1, end - 1);
	else if (heat_is_cut(&view->heat.cut))
		draw_cut_legend(s, &rest, x - 1, src, &view->heat.cut);
	else if (x + 14 <= end)
		draw_ramp_legend(s, &rest, x, src, r, &view->range);
}

/* ---------------------------------------------------------------- rows */

/* A strip while it is drawn: what its rows are, and which of them are visible. */
struct strip {
	struct screen *s;
	const struct heat_source *src;
	const struct heat_cache *h;
	unsigned rows, half, top;
	/* When folded, the number of bands and of parts of a cell that show one each; 0: every row
	 * is shown. */
	unsigned bands, parts;
	int label;
	bool cores;
};

static bool
has_stop(const struct strip *t, unsigned row)
{
	return t->cores && session_core_has_stop(t->s->session, row);
}

static void
draw_label(const struct strip *t, struct canvas *c, int y, unsigned row, bool focus)
{
	char num[16];

	canvas_put(c, 0, y, ROLE_STOP, has_stop(t, row) ? 0x25cf : ' ');
	snprintf(num, sizeof(num), "%u", row);
	canvas_right(c, 1, y, t->label - 2, focus ? ROLE_FOCUS : ROLE_DIM, num);
	canvas_put(c, t->label - 1, y, ROLE_FOCUS, focus ? 0x25b8 : ' ');
}

/* Scrolls by whole rows until the core in focus is visible. */
static void
scroll_to_focus(struct screen *s, unsigned visible, unsigned cores)
{
	unsigned focus = session_focus_core(s->session);

	if (focus < s->top_core)
		s->top_core = focus & ~1u;
	if (focus >= s->top_core + visible)
		s->top_core = (focus - visible + 2) & ~1u;
	if (s->top_core + visible > cores)
		s->top_core = cores > visible ? (cores - visible + 1) & ~1u : 0;
}

/* ---------------------------------------------------------------- several rows in a cell */

/* Folds rows if there are more than fit. A terminal that cannot show the halves of a cell
 * separately shows their mean, so for the largest value a whole cell is one band. */
static void
fold_rows(struct strip *t, int h)
{
	const struct painter *p = &t->s->painter;
	bool halves = p->half && !p->hues, fits = t->rows <= 2 * (unsigned)h;

	if (t->half > 1 || t->s->fold == FOLD_OFF || h < 1 ||
	    (fits && (halves || t->s->fold == FOLD_MEAN)))
		return;
	t->parts = halves ? 2 : 1;
	t->bands = MIN(t->parts * (unsigned)h, t->rows);
}

/* Returns the first row of a band. The sizes of bands differ by one row at most. */
static unsigned
band_first(const struct strip *t, unsigned band)
{
	return band * t->rows / t->bands;
}

/* Combines the codes of the rows that share a part of a cell. */
struct band {
	unsigned base; /* of the codes that are summed up: 0, or HEAT_BAND */
	unsigned n, levels, sum, most, off, unknown, state[HEAT_STATES];
};

/* Whether the code stands for a number: a level of the ramp, or of a band between thresholds. */
static bool
is_value(unsigned code)
{
	return code < HEAT_LEVELS ||
	       (code >= HEAT_BAND && code < HEAT_BAND + HEAT_BANDS * HEAT_BAND_STEPS);
}

static void
add_code(struct band *b, unsigned code)
{
	b->n += code != HEAT_NONE;
	if (is_value(code)) {
		b->base = code < HEAT_LEVELS ? 0 : HEAT_BAND;
		b->levels++;
		b->sum += code - b->base;
		b->most = MAX(b->most, code - b->base);
	} else if (code >= HEAT_STATE && code < HEAT_STATE + HEAT_STATES) {
		b->state[code - HEAT_STATE]++;
	} else if (code == HEAT_GATED) {
		b->off++;
	} else if (code == HEAT_UNKNOWN) {
		b->unknown++;
	}
}

static unsigned
band_code(const struct band *b, bool largest, bool category)
{
	unsigned best = 0;

	if (!b->n)
		return HEAT_NONE;
	for (unsigned i = 0; i < HEAT_STATES; i++)
		if (b->state[i] > b->state[best])
			best = i;
	if (category)
		return b->state[best] >= b->unknown ? HEAT_STATE + best : HEAT_UNKNOWN;
	if (b->off && (!b->levels || (!largest && 2 * b->off > b->n)))
		return HEAT_GATED;
	if (!b->levels)
		return HEAT_UNKNOWN;
	return b->base + (largest ? b->most : (b->sum + b->levels / 2) / b->levels);
}

/* Names the fold in the title; "" if rows are not folded. */
static void
fold_text(const struct strip *t, char *buf, size_t size)
{
	const char *how = t->src->kind == HEAT_CATEGORY ? "most"
			  : t->s->fold == FOLD_MAX	? "max"
							: "mean";
	unsigned least = t->bands ? t->rows / t->bands : 0;

	if (t->bands && t->rows % t->bands)
		snprintf(buf, size, "%s of %u-%u", how, least, least + 1);
	else if (t->bands)
		snprintf(buf, size, "%s of %u", how, least);
}

/* ---------------------------------------------------------------- cells */

/* Returns the code of one row; a row that the spotlight dims is dots. */
static unsigned
row_code(const struct strip *t, unsigned row, int x)
{
	unsigned code = t->h->code[(size_t)row * (size_t)t->h->columns.w + (size_t)x];

	return code != HEAT_NONE && t->cores && screen_dims(t->s, row) ? HEAT_DIMMED : code;
}

/* Returns the code of a row, or of a band if rows are folded. The band with the core in the
 * spotlight shows only that one. */
static unsigned
code_at(const struct strip *t, unsigned row, int x)
{
	struct band b = {0};
	int lit = t->cores ? t->s->spotlight : -1;

	if (!t->bands)
		return row < t->rows ? row_code(t, row, x) : HEAT_NONE;
	if (lit >= (int)band_first(t, row) && lit < (int)band_first(t, row + 1))
		return row_code(t, (unsigned)lit, x);
	if (lit >= 0)
		return row_code(t, band_first(t, row), x);
	for (unsigned i = band_first(t, row); i < band_first(t, row + 1); i++)
		add_code(&b, row_code(t, i, x));
	return band_code(&b, t->s->fold == FOLD_MAX, t->src->kind == HEAT_CATEGORY);
}

static void
draw_cells(const struct strip *t, struct canvas *c, int y, unsigned up, unsigned low)
{
	int cursor = axis_cursor_column(&t->s->axis);

	for (int x = 0; x < t->h->columns.w; x++) {
		unsigned a = code_at(t, up, x), b = code_at(t, low, x);
		if (!t->s->painter.half && low >= t->rows)
			b = a;
		if (a != HEAT_NONE || b != HEAT_NONE || x == cursor)
			canvas_heat(c, t->label + x, y, a, b, x == cursor);
	}
}

/* Returns which of n rows, starting at `first`, the label names: the row in focus, else one with a
 * breakpoint. */
static unsigned
named_row(const struct strip *t, unsigned first, unsigned n, unsigned focus)
{
	if (focus >= first && focus < first + n)
		return focus;
	for (unsigned i = first; i < first + n && i < t->rows; i++)
		if (has_stop(t, i))
			return i;
	return first;
}

static void
draw_rows(const struct strip *t, struct canvas *c)
{
	unsigned focus = t->cores ? session_focus_core(t->s->session) : t->rows;

	for (int y = 0; y < c->h; y++) {
		unsigned up = t->top + 2 * (unsigned)y / t->half,
			 low = t->top + (2 * (unsigned)y + 1) / t->half, first = up, n, named;
		n = t->half == 1 ? 2 : 1;
		if (t->bands) {
			up = (unsigned)y * t->parts;
			low = up + t->parts - 1;
			first = band_first(t, up);
			n = band_first(t, low + 1) - first;
		}
		if (first >= t->rows || (t->bands && low >= t->bands))
			break;
		named = named_row(t, first, n, focus);
		if (t->half < 4 || y % ((int)t->half / 2) == 0) /* a tall row gets one label */
			draw_label(t, c, y, named, named == focus);
		draw_cells(t, c, y, up, low);
	}
}

/* ---------------------------------------------------------------- numbers in cells */

/* Formats a sample's value, without decimals if it is a whole number. */
static const char *
format_value(char buf[FMT_MAX], const struct strip *t, double v)
{
	return fmt_num(buf, v, v == floor(v) ? 0 : t->src->decimals);
}

/* Returns the columns of a sample if its numbers fit there with a blank between them, else 0. */
static int
wide_sample(const struct strip *t)
{
	const struct axis *a = &t->s->axis;
	double most = fmax(fabs(t->h->range.hi), fabs(t->h->range.lo));
	int cps = a->per < a->base ? (int)(a->base / a->per) : 0;
	char num[FMT_MAX];

	if (t->half < 2 || t->src->kind == HEAT_CATEGORY)
		return 0;
	return text_width(format_value(num, t, most)) < cps ? cps : 0;
}

/* Draws the numbers of one sample, each in the row that names its core. On a terminal without
 * colours the cells beside a number are blank, because shades there would make it hard to read. */
static void
draw_sample_numbers(const struct strip *t, struct canvas *c, unsigned sample, int x, int w)
{
	double buf[HEAT_ROWS_MAX];
	const double *v = heat_values(t->s, t->src, sample, buf);
	char num[FMT_MAX], text[FMT_MAX + AXIS_FINEST + 2];

	for (unsigned row = t->top; row < t->rows; row++) {
		int y = (int)((row - t->top) * t->half / 2);
		if (y >= c->h)
			break;
		if (isnan(v[row]) || !is_value(code_at(t, row, x)))
			continue;
		format_value(num, t, v[row]);
		if (text_width(num) >= w || w > AXIS_FINEST)
			continue;
		snprintf(text, sizeof(text), "%*s ", w - 1, num);
		canvas_heat_text(c, t->label + x, y, text);
	}
}

static void
draw_numbers(const struct strip *t, struct canvas *c)
{
	const struct sim *sim = screen_sim(t->s);
	const struct axis *a = &t->s->axis;
	int cps = wide_sample(t), first = cps ? series_at(sim, a->t0 + 1) : -1;
	unsigned n = series_count(sim);
	bool level = heat_is_level(t->src);

	for (unsigned i = (unsigned)first; first >= 0 && i < n; i++) {
		cycle_t end = series_end(sim, i), start = end - series_span(sim, i);
		int x = axis_column(a, start + 1), last = axis_column(a, end);
		if (start >= a->t0 + a->per * (cycle_t)a->w)
			break;
		if (level) { /* it holds from here to the next */
			x = last;
			last = i + 1 < n ? axis_column(a, series_end(sim, i + 1)) - 1 : x;
		}
		if (x >= 0 && last >= x)
			draw_sample_numbers(t, c, i, x, last - x + 1);
	}
}

/* ---------------------------------------------------------------- the pane */

static void
draw_strip(struct screen *s, struct canvas *c, const struct heat_source *src,
	   struct pane_view *view, char shown[static 40])
{
	const struct heat_cache *h = &view->heat;
	struct strip t = {.s = s,
			  .src = src,
			  .h = h,
			  .rows = h->rows,
			  .half = heat_half_rows(h->rows, c->h),
			  .label = heat_label_width(screen_cores(s)),
			  .cores = src->rows == HEAT_CORES};
	unsigned visible;

	fold_rows(&t, c->h);
	visible = t.bands ? t.rows : (unsigned)c->h * 2 / t.half;
	if (t.cores) {
		scroll_to_focus(s, visible, t.rows);
		t.top = s->top_core;
		view->rows =
			(struct view_rows){t.top, t.half, t.bands ? t.bands / t.parts : 0, t.rows};
	}
	if (visible < t.rows)
		snprintf(shown, 40, "%u-%u of %u", t.top, MIN(t.top + visible, t.rows) - 1, t.rows);
	fold_text(&t, shown, 40);
	if (t.cores && s->spotlight >= 0)
		snprintf(shown, 40, "only core %d", s->spotlight);
	draw_rows(&t, c);
	draw_numbers(&t, c);
}

void
heat_draw(struct screen *s, struct pane_view *view, struct canvas *c, const struct heat_source *src)
{
	const struct sim *sim = screen_sim(s);
	char why[200], shown[40] = "";
	bool missing = sim && src->missing && src->missing(s, why, sizeof(why));
	struct canvas body = canvas_sub(c, 0, 1, c->w, c->h - 1);
	bool ready = sim && heat_update(s, view, src);

	view->rows = (struct view_rows){0};
	if (missing)
		canvas_wrap(&body, 5, body.h / 3, body.w - 8, body.h, ROLE_DIM, why);
	else if (ready)
		draw_strip(s, &body, src, view, shown);
	if (ready && src->kind != HEAT_CATEGORY)
		view->shown = view->heat.range;
	struct heat_range r = ready ? view->heat.range : (struct heat_range){0, MAX(src->hi, 8)};
	draw_title(s, c, src, r, view, shown);
	canvas_digits(c, heat_whole_range(r.lo, r.hi));
}
