/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_converge.c - shows how a policy converges: the cores stacked by their limit n, with those
 * that a policy throttles, pauses, drains or switches off above them; the IPC; and how many cycles
 * the run is ahead of what `reference` measured.
 *
 * The reference's IPC in a column is that of the same work: the thread instructions that this run
 * executed in the column's cycles, divided by the cycles the reference needed for them. Where this
 * run's line is higher, it is faster there; the lead is the sum of that (work.h). Columns are
 * cached; a frame computes those that got new samples.
 */
#include "base/memory.h"
#include "tui/columns.h"
#include "tui/fmt.h"
#include "tui/lines.h"
#include "tui/panes.h"
#include "tui/settled.h"
#include "tui/stack.h"
#include "tui/work.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFS = 2 };

/* The kinds of cores in the stack, from the bottom up: by limit, then by state. */
#define LIMITS MAX_CTAS
#define NO_CTA 5 /* value of the series of states */
static const uint8_t stacked_states[] = {CORE_THROTTLED, CORE_PAUSED, CORE_DRAINING, NO_CTA,
					 CORE_OFF};
enum { STATES = ARRAY_LEN(stacked_states), KINDS = LIMITS + STATES };

struct converge {
	struct time_columns columns;
	double *count; /* KINDS rows of w columns: cores of that kind */
	double *ipc;   /* w columns */
	size_t size;
	double most_n, least_n, most_ipc;
	bool seen[STATES]; /* any core was in that state */
	struct work work;
};

static const enum reference_kind kinds[REFS] = {REFERENCE_STACK, REFERENCE_BEST};

static int
open_converge(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e ATTR_UNUSED)
{
	v->own = memory_new(1, sizeof(struct converge));
	return 0;
}

static void
close_converge(struct pane_view *v)
{
	struct converge *own = v->own;

	free(own->count);
	free(own->ipc);
	work_free(&own->work);
	free(own);
	v->own = NULL;
}

/* ---------------------------------------------------------------- columns */

/* Computes the limits of the cores with CTAs in a sample; the mean is that of the core in the
 * spotlight, if there is one. */
static void
limits_of_sample(const struct screen *s, unsigned i, double *mean, double *lo, double *hi)
{
	const struct sim *sim = screen_sim(s);
	double sum = 0;
	unsigned n = 0;

	*lo = *hi = NAN;
	for (unsigned core = 0; core < screen_cores(s); core++) {
		double x = limit_of_core(sim, core, i);
		if (isnan(x))
			continue;
		*lo = fmin(*lo, x);
		*hi = fmax(*hi, x);
		if (screen_dims(s, core))
			continue;
		sum += x;
		n++;
	}
	*mean = n ? sum / n : (double)NAN;
}

/* Returns the kind of a core: its limit, or the state in which its limit has no effect. */
static int
kind_of_core(const struct sim *sim, unsigned core, unsigned sample)
{
	double state = series_core(sim, SC_STATE, core, sample),
	       n = series_core(sim, SC_LIMIT, core, sample);

	for (int i = 0; i < STATES; i++)
		if (state == stacked_states[i])
			return LIMITS + i;
	return n >= 1 && n <= LIMITS ? (int)n - 1 : -1;
}

static void
compute_column(const struct screen *s, struct converge *own, const struct time_column *col)
{
	const struct sim *sim = screen_sim(s);
	double ipc = 0, all = 0;
	struct column_sample k = {0};
	size_t w = (size_t)own->columns.w, x = (size_t)col->x;

	stack_count(sim, col, screen_cores(s), kind_of_core, own->count, KINDS, own->columns.w);
	for (unsigned n = 1; n <= LIMITS; n++)
		if (own->count[(n - 1) * w + x] > 0) {
			own->least_n = fmin(own->least_n, n);
			own->most_n = fmax(own->most_n, n);
		}
	for (unsigned i = 0; i < STATES; i++)
		own->seen[i] |= own->count[(LIMITS + i) * w + x] > 0;
	while (column_next_sample(sim, col, false, &k)) {
		ipc += series_gpu(sim, SG_IPC, k.i) * k.weight;
		all += k.weight;
	}
	own->ipc[x] = all > 0 ? ipc / all : (double)NAN;
	own->most_ipc = fmax(own->most_ipc, own->ipc[x]);
}

static void
update_columns(struct screen *s, struct converge *own)
{
	struct time_columns *k = &own->columns;
	struct time_column col = {0};

	work_update(&own->work, screen_sim(s));
	if (columns_begin(k, s, false)) {
		size_t w = (size_t)k->w;

		if (w > own->size) {
			own->count = memory_resize(own->count, KINDS * w, sizeof(*own->count));
			own->ipc = memory_resize(own->ipc, w, sizeof(*own->ipc));
			own->size = w;
		}
		for (size_t i = 0; i < KINDS * w; i++)
			own->count[i] = NAN;
		for (size_t i = 0; i < w; i++)
			own->ipc[i] = NAN;
		own->least_n = own->most_n = own->most_ipc = NAN;
		memset(own->seen, 0, sizeof(own->seen));
	}
	while (columns_next(k, s, &col))
		compute_column(s, own, &col);
}

/* ---------------------------------------------------------------- drawing */

/* Draws the reference's progress at the right end of a row whose columns before x are taken. It
 * draws as many parts as fit; with room for fewer than `least` it draws nothing. Returns false if
 * there is no room. */
static bool
draw_progress(const struct screen *s, struct canvas *c, int x, int least)
{
	char text[80], *comma;
	int parts = 1;

	session_reference_progress(s->session, text, sizeof(text));
	for (const char *p = text; *p; p++)
		parts += *p == ',';
	for (; c->w - x < text_width(text) + 1; parts--) {
		comma = strrchr(text, ',');
		if (!comma || parts <= least)
			return false;
		*comma = '\0';
	}
	canvas_right(c, x, 0, c->w - x - 1, ROLE_DIM, text);
	return true;
}

/* "28 of 30 cores settled, n = 1, period 9" */
static bool
draw_title(const struct screen *s, struct canvas *c, const struct pane_view *view)
{
	struct settled r;
	bool periods = settled_at_cursor(s, &r);
	char n[32] = "", when[48] = "", text[160], phase[100];
	int x = 1;

	canvas_put(c, 0, 0, ROLE_FOCUS, s->pane == view ? 0x25b8 : ' ');
	if (c->w >= 64)
		x += 1 +
		     canvas_text(c, 1, 0, s->pane == view ? ROLE_FOCUS : ROLE_TITLE, "converge");
	if (r.cores && r.lo == r.hi)
		snprintf(n, sizeof(n), ", n = %.0f", r.lo);
	else if (r.cores)
		snprintf(n, sizeof(n), ", n = %.0f to %.0f", r.lo, r.hi);
	if (screen_live(s) && periods)
		snprintf(when, sizeof(when), ", period %llu",
			 (unsigned long long)sim_periods(screen_sim(s)));
	if (!r.cores)
		snprintf(text, sizeof(text), "limits over time: %s",
			 screen_sample(s) < 0	      ? "no sample yet"
			 : screen_level_sample(s) < 0 ? "unknown until the end of the sample"
						      : "no core holds a CTA here");
	else if (settled_phase(s, phase, sizeof(phase)))
		snprintf(text, sizeof(text), "%s%s", phase, n);
	else if (periods)
		snprintf(text, sizeof(text), "%u of %u cores settled%s%s", r.settled, r.cores, n,
			 when);
	else
		snprintf(text, sizeof(text), "no policy decides at periods%s", n);
	x += canvas_fit(c, x, 0, c->w - x - 1, ROLE_TITLE, text);
	return draw_progress(s, c, x, 3);
}

/* The place of a plot: its row of keys, the numbers at the left, the area above the time axis.
 * Numbers of four characters end at the area; in the last gutter those of five, such as -120k, end
 * in its first column. */
struct part {
	struct canvas keys, gutter, wide_gutter, widest_gutter, area;
};

static struct part
part_of(const struct screen *s, struct canvas *c, int y, int h, int w)
{
	int label = heat_label_width(screen_cores(s));

	return (struct part){canvas_sub(c, 1, y, c->w - 2, 1),
			     canvas_sub(c, 0, y + 1, label, h - 1),
			     canvas_sub(c, 0, y + 1, label + 1, h - 1),
			     canvas_sub(c, 0, y + 1, label + 2, h - 1),
			     canvas_sub(c, label, y + 1, w, h - 1)};
}

/* Returns the policy's parameters, such as "n=2", or its name if it has none. */
static const char *
short_name(const struct reference_view *r)
{
	const char *colon = strchr(r->name, ':');

	return colon ? colon + 1 : r->name;
}

static int
draw_key(const struct screen *s, struct canvas *c, int x, unsigned style, const char *text)
{
	int w = text_width(text) + 4;

	return c->w - x < w
		       ? 0
		       : 2 + lines_key(c, x, 0, c->w - x, &s->painter, &lines_style[style], text);
}

/* Whether a policy of the run decides how many cores work. */
static bool
decides_cores(const struct screen *s)
{
	unsigned n;
	const struct cta_sched_ops *const *o = config_stack(sim_config(screen_sim(s)), &n);

	for (unsigned i = 0; i < n; i++)
		if (o[i]->role & CTA_ROLE_CORES)
			return true;
	return false;
}

/* Where a policy only switches cores on and off, their limits say nothing. */
static bool
shows_limits(const struct screen *s, const struct converge *own)
{
	return !decides_cores(s) || own->least_n < own->most_n;
}

/* Returns the number of cores of some kinds at the cursor. */
static unsigned
count_at_cursor(const struct screen *s, int first, int last)
{
	int sample = screen_level_sample(s);
	unsigned n = 0;

	for (unsigned core = 0; sample >= 0 && core < screen_cores(s); core++) {
		int kind = kind_of_core(screen_sim(s), core, (unsigned)sample);

		n += kind >= first && kind <= last;
	}
	return n;
}

/* Draws a cell of the code and a text behind it, if both fit; returns the next column. */
static int
draw_cell(struct canvas *c, int x, unsigned code, const char *text)
{
	if (x + 1 + text_width(text) > c->w)
		return x;
	canvas_heat(c, x, 0, code, code, false);
	return x + 1 + canvas_text(c, x + 1, 0, ROLE_DIM, text);
}

/* The states that occur have a key, and those that a policy of this kind has. */
static bool
shows_state(const struct screen *s, const struct converge *own, int i)
{
	bool usual = stacked_states[i] != CORE_PAUSED && stacked_states[i] != NO_CTA;

	return own->seen[i] || (usual && decides_cores(s));
}

/* "act 12 throttle 1 drain 2 x off 15". A letter that is the glyph of the state begins its name. */
static int
draw_states_key(const struct screen *s, const struct converge *own, struct canvas *c, int x)
{
	static const char *const name[STATES] = {"hrottle %u", "ause %u", "rain %u", " empty %u",
						 " off %u"};
	char text[32];

	for (int i = 0; i < STATES; i++) {
		if (!shows_state(s, own, i))
			continue;
		snprintf(text, sizeof(text), name[i], count_at_cursor(s, LIMITS + i, LIMITS + i));
		x = draw_cell(c, x, HEAT_STATE + stacked_states[i], text) + 1;
	}
	return x;
}

/* What the cells of the key stand for, in as many words as the rest of the row leaves room for. */
static const char *
describe_stack(const struct screen *s, const struct converge *own, int w, int cells)
{
	static const char *const words[] = {"cores by limit n", "cores by n", "n"};
	int rest = cells + 12; /* the mean */
	size_t i = 0;

	for (int k = 0; k < STATES; k++)
		rest += shows_state(s, own, k) ? 11 : 0;
	while (i + 1 < ARRAY_LEN(words) && text_width(words[i]) + 1 + rest > w)
		i++;
	return words[i];
}

/* A cell for each limit up to the most, beside its number where the cell is not that number. */
static int
draw_limits_key(const struct screen *s, const struct converge *own, struct canvas *c, unsigned most)
{
	bool digits = s->painter.digits && most <= 9, roomy = 3 * (int)most + 2 <= c->w / 2;
	int cell = digits ? 1 : roomy ? 3 : 2, x;
	char num[16] = "";

	x = 1 + canvas_text(c, 0, 0, ROLE_DIM, describe_stack(s, own, c->w, (int)most * cell));
	for (unsigned n = 1; n <= most; n++) {
		if (!digits)
			snprintf(num, sizeof(num), "%u%s", n, roomy ? " " : "");
		x = draw_cell(c, x, heat_level(n, 0, most), num);
	}
	return x + 1;
}

/* Draws the keys of the stack, then the mean limit and the best fixed one as far as they fit. */
static int
draw_stack_key(const struct screen *s, const struct converge *own, struct canvas *c, unsigned most,
	       const struct reference_view *fixed)
{
	bool limits = shows_limits(s, own);
	int i = screen_level_sample(s), x = 0;
	double mean = NAN, lo, hi;
	char num[FMT_MAX], text[80];

	if (limits) {
		x = draw_limits_key(s, own, c, most);
	} else {
		snprintf(text, sizeof(text), " act %u", count_at_cursor(s, 0, LIMITS - 1));
		x = draw_cell(c, 0, HEAT_STATE + CORE_ACTIVE, text) + 1;
	}
	if (most <= 9)
		canvas_digits(c, most);
	x = draw_states_key(s, own, c, x);
	if (i >= 0)
		limits_of_sample(s, (unsigned)i, &mean, &lo, &hi);
	if (s->spotlight >= 0)
		snprintf(text, sizeof(text), "n of core %d: %s", s->spotlight,
			 fmt_num(num, mean, 2));
	else
		snprintf(text, sizeof(text), "mean n %s", fmt_num(num, mean, 2));
	if (limits && c->w - x >= text_width(text))
		x += 2 + canvas_text(c, x, 0, ROLE_VALUE, text);
	if (limits && fixed) {
		snprintf(text, sizeof(text), "best: %s", short_name(fixed));
		if (c->w - x >= text_width(text))
			x += 2 + canvas_text(c, x, 0, lines_style[2].role, text);
	}
	return x;
}

static int
draw_limits(struct screen *s, struct converge *own, struct part *p,
	    const struct reference_view *fixed)
{
	uint8_t code[KINDS];
	struct core_view v;
	struct lines l;

	sim_core_view(screen_sim(s), 0, &v);
	unsigned most = (unsigned)fmax(fmax(v.n_max, own->most_n), 1);
	struct stack k = {.count = own->count,
			  .code = code,
			  .kinds = KINDS,
			  .w = own->columns.w,
			  .cores = screen_cores(s),
			  .most = most <= 9 ? most : 0};

	for (unsigned i = 0; i < KINDS; i++)
		code[i] =
			(uint8_t)(i < LIMITS && !shows_limits(s, own) ? HEAT_STATE + CORE_ACTIVE
				  : i < LIMITS			      ? heat_level(i + 1, 0, most)
					       : HEAT_STATE + (unsigned)stacked_states[i - LIMITS]);
	stack_draw(&k, &p->area, &s->painter, axis_cursor_column(&s->axis));
	lines_init(&l, &p->area, &s->painter, 0, k.cores);
	lines_numbers(&l, &p->gutter);
	return draw_stack_key(s, own, &p->keys, most, fixed);
}

static int
draw_ipc(struct screen *s, struct converge *own, struct part *p,
	 struct reference_view *const ref[REFS])
{
	int i = screen_sample(s), x = 0, w = own->columns.w;
	bool ends = s->axis.ended && axis_cursor(&s->axis) >= s->axis.now;
	bool roomy = p->keys.w >= (ref[0] && ref[1] ? 70 : 46);
	double *line = memory_new(REFS * (size_t)w, sizeof(*line)), lo = 0, hi = own->most_ipc;
	char num[FMT_MAX], text[80];
	struct lines l;

	for (int k = 0; k < REFS; k++) {
		if (!ref[k])
			continue;
		work_reference_ipc(&own->work, &own->columns, ref[k], line + k * w);
		/* The range ignores the reference's peaks: they would flatten everything else. */
		if (ref[k]->cycles)
			hi = fmax(hi, 1.5 * (double)ref[k]->insts / (double)ref[k]->cycles);
	}
	lines_round(&lo, &hi);
	lines_init(&l, &p->area, &s->painter, lo, hi);
	for (int k = REFS - 1; k >= 0; k--)
		if (ref[k])
			lines_line(&l, line + k * w, w, &lines_style[k + 1]);
	lines_line(&l, own->ipc, w, &lines_style[0]);
	lines_numbers(&l, &p->gutter);
	lines_cursor(&l, axis_cursor_column(&s->axis));
	free(line);
	snprintf(text, sizeof(text), "IPC %s",
		 fmt_num(num, i < 0 ? (double)NAN : series_gpu(screen_sim(s), SG_IPC, (unsigned)i),
			 0));
	x += draw_key(s, &p->keys, x, 0, text);
	for (int k = 0; k < REFS; k++) {
		if (!ref[k])
			continue;
		double times = work_speedup(&own->work, ref[k], axis_cursor(&s->axis));
		if (isnan(times)) /* the reference has not got this far */
			snprintf(text, sizeof(text), "%s", short_name(ref[k]));
		else
			snprintf(text, sizeof(text), "%.2fx %s%s%s", times,
				 roomy ? "as fast as " : "", short_name(ref[k]),
				 ends || (k == 0 && ref[1]) ? "" : " so far");
		x += draw_key(s, &p->keys, x, (unsigned)k + 1, text);
	}
	return x;
}

/* Draws how many cycles the run is ahead of each reference; the line at 0 is being equal. */
static int
draw_lead(struct screen *s, struct converge *own, struct part *p,
	  struct reference_view *const ref[REFS])
{
	int x = 0, w = own->columns.w;
	double *line = memory_new(REFS * (size_t)w, sizeof(*line)), lo = NAN, hi = NAN;
	char num[FMT_MAX], text[80];
	struct lines l;

	for (int k = 0; k < REFS; k++) {
		if (!ref[k])
			continue;
		work_lead_line(&own->work, &own->columns, ref[k], line + k * w);
		for (int i = 0; i < w; i++) {
			lo = fmin(lo, line[k * w + i]);
			hi = fmax(hi, line[k * w + i]);
		}
	}
	lines_round(&lo, &hi);
	lines_init(&l, &p->area, &s->painter, lo, hi);
	lines_level(&l, 0, ROLE_FRAME, true);
	for (int k = REFS - 1; k >= 0; k--)
		if (ref[k])
			lines_line(&l, line + k * w, w, &lines_style[k + 1]);
	lines_numbers(&l, lo <= -1e5 ? &p->widest_gutter : &p->wide_gutter);
	lines_cursor(&l, axis_cursor_column(&s->axis));
	free(line);
	const char *unit = p->keys.w >= (ref[0] && ref[1] ? 60 : 40) ? " cycles" : "";
	canvas_text(&p->keys, x, 0, ROLE_DIM, "lead");
	x += 6;
	for (int k = 0; k < REFS; k++) {
		if (!ref[k])
			continue;
		double lead = work_lead(&own->work, ref[k], axis_cursor(&s->axis));

		if (isnan(lead))
			snprintf(text, sizeof(text), "%s", short_name(ref[k]));
		else
			snprintf(text, sizeof(text), "%s%s %s %s", fmt_num(num, fabs(lead), 0),
				 k == 0 || !ref[0] ? unit : "", lead < 0 ? "behind" : "ahead of",
				 short_name(ref[k]));
		x += draw_key(s, &p->keys, x, (unsigned)k + 1, text);
	}
	return x;
}

/* Rows of a part with its key. */
#define PART_MIN 4

static void
draw_pane(struct screen *s, struct pane_view *view, struct canvas *c)
{
	struct converge *own = view->own;
	struct reference_view kept[REFS], *ref[REFS] = {NULL, NULL};
	int h = c->h - 1;
	bool told;
	struct part p;

	if (!screen_sim(s) || c->h < 1)
		return;
	told = draw_title(s, c, view);
	if (h < 2)
		return;
	update_columns(s, own);
	for (int k = 0; k < REFS; k++)
		if (session_reference(s->session, kinds[k], &kept[k]))
			ref[k] = &kept[k];
	int lead = (ref[0] || ref[1]) && h >= 3 * PART_MIN ? MAX(PART_MIN, h / 4) : 0;
	int upper = h >= 6 ? (h - lead) / 2 : h, ipc = h - lead - upper;
	p = part_of(s, c, 1, upper, own->columns.w);
	int x = draw_limits(s, own, &p, ref[1]);
	told = told || draw_progress(s, &p.keys, x, 2);
	if (ipc) {
		p = part_of(s, c, 1 + upper, ipc, own->columns.w);
		x = draw_ipc(s, own, &p, ref);
		if (!told)
			draw_progress(s, &p.keys, x, 1);
	}
	if (lead) {
		p = part_of(s, c, 1 + upper + ipc, lead, own->columns.w);
		draw_lead(s, own, &p, ref);
	}
}

const struct pane_ops pane_converge = {
	.name = "converge",
	.help = "A policy converging: how many cores have settled (no change of the limit in 4 "
		"periods), the cores stacked by their limit n, the IPC, and the cycles by which "
		"the run is ahead of what `reference` measured.",
	.read = "The title says how many of the cores with CTAs have kept their limit for 4 "
		"periods, and which limit. At the top, each column shows the cores of the GPU, "
		"from the bottom those with the limit n = 1, then 2, 3 and so on, in the colours "
		"of the strip of CTAs (without colours a digit is n); when one colour is left, all "
		"cores agree. Above them are the cores whose limit has no effect, in the colour "
		"and with the letter of their state: throttled, paused, draining, empty, off. The "
		"row of keys counts them at the time cursor. In the middle is the IPC, with the "
		"IPC that `reference` measured for the same work as a dashed line: where the solid "
		"line is above it, this run is faster, and a factor such as 1.53x says how much so "
		"far. At the bottom is the lead: how many cycles earlier than the reference this "
		"run had done the same work. Where the line rises the run gains, above 0 it is "
		"ahead.",
	.range = "The cores from 0 to all, IPC and lead to a round number.",
	.also = "layout watch, reference, info reference, pace, until converged",
	.min_w = 24,
	.min_h = 14,
	.best_h = 26,
	.kind = PANE_TIME,
	.open = open_converge,
	.close = close_converge,
	.draw = draw_pane,
};
