/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_heat.c - shows any time series as a strip: `pane heat core.ipc`, `pane heat mem.queue`, or
 * any expression with a value per core or channel.
 *
 * A row of ctascope/series.def gives its unit, and thereby its range: a ratio is from 0 to 1. A
 * counter (C_mem) is shown as a rate, so that samples of any length can be compared. "gauge" means
 * the series that the policy compares with its thresholds, if it is one.
 */
#include "base/memory.h"
#include "tui/fmt.h"

#include "base/ascii.h"
#include "tui/heat_part.h"
#include "tui/panes.h"
#include "tui/run_expr.h"
#include "tui/series_title.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIRST_CHOICE "core.ipc"

struct heat_own {
	struct run_expr expr;
	struct heat_source source;
	struct err wrong; /* why it is invalid on this machine */
};

static const double *
read_values(void *ctx, unsigned sample)
{
	return overtime_vector(((struct heat_own *)ctx)->expr.x, sample);
}

static double
read_weight(void *ctx, unsigned sample, unsigned row)
{
	return overtime_weight(((struct heat_own *)ctx)->expr.x, sample, row);
}

/* Finds whether the expression has a value per core or per channel; returns -1 with e if its length
 * is neither. */
static int
rows_of(const struct overtime *x, const struct screen *s, struct err *e)
{
	unsigned n = overtime_size(x), cores = heat_rows_of(s, HEAT_CORES),
		 channels = heat_rows_of(s, HEAT_CHANNELS);
	enum overtime_group g;
	unsigned field;

	if (n > 1 && overtime_is_series(x, &g, &field) && g == OVERTIME_MEM)
		return HEAT_CHANNELS;
	if (n > 1 && n == cores)
		return HEAT_CORES;
	if (n > 1 && n == channels)
		return HEAT_CHANNELS;
	if (n == 1 && cores > 1)
		return err_set(e,
			       "pane heat: '%s' is one value, not one of each core or channel; "
			       "`pane plot %s` draws it over time",
			       overtime_label(x), overtime_label(x));
	return n == 1 ? HEAT_CORES
		      : err_set(e,
				"pane heat: '%s' has %u values; there are %u cores and %u channels",
				overtime_label(x), n, cores, channels);
}

static int
fill_source(struct heat_own *own, const struct screen *s, struct err *e)
{
	struct heat_source *src = &own->source;
	const struct overtime *x = own->expr.x;
	enum overtime_group g;
	unsigned field;
	int rows = rows_of(x, s, e);

	if (rows < 0)
		return -1;
	*src = (struct heat_source){.title = series_title(x),
				    .unit = overtime_unit(x),
				    .rows = (enum heat_rows)rows,
				    .kind = HEAT_MEAN,
				    .decimals = 1};
	if (overtime_is_series(x, &g, &field)) {
		const struct series_row *row = overtime_row(g, field);
		src->field = field;
		src->count = row->count;
		if (rows == HEAT_CORES && field == SC_STATE)
			src->kind = HEAT_CATEGORY, src->hi = HEAT_STATES;
	} else {
		src->values = read_values;
		src->weight = read_weight;
		src->ctx = own;
		src->level = overtime_has_level(x);
	}
	if (strcmp(src->unit, "ratio") == 0)
		src->hi = src->values ? 0 : 1, src->decimals = 2;
	else if (src->count || (src->unit[0] && !strchr(src->unit, '/') && *src->unit != 'W'))
		src->decimals = 0;
	if (!src->unit[0])
		src->unit = NULL;
	return 0;
}

/* Returns the series whose name is that of a gauge of the policy, the first if there are several;
 * NULL if there is none. */
static const char *
gauge_series(const struct screen *s)
{
	unsigned n = screen_sim(s) ? sim_gauges(screen_sim(s)) : 0;
	struct gauge_view v;

	for (unsigned i = 0; i < n; i++) {
		sim_gauge_view(screen_sim(s), i, 0, &v);
		for (unsigned f = 0; f < SC_FIELDS; f++)
			if (heat_is_gauge(v.gauge, (enum series_core_field)f))
				return series_core_rows[f].name;
	}
	return NULL;
}

/* Returns NULL if the policy of this run has no such series. */
static const char *
text_of(const struct screen *s, const struct pane_view *v)
{
	return strcmp(v->arg, "gauge") == 0 ? gauge_series(s) : v->arg[0] ? v->arg : FIRST_CHOICE;
}

static int
compile_source(const struct screen *s, struct pane_view *v, struct err *e)
{
	struct heat_own *own = v->own;
	const char *text = text_of(s, v);

	if (!text)
		return err_set(
			e, "pane heat: no policy of this run weighs a value with a time series");
	if (run_expr_open(&own->expr, s, text, e) < 0 || fill_source(own, s, e) < 0)
		return -1;
	heat_cache_free(&v->heat);
	return 0;
}

static void
close_heat(struct pane_view *v)
{
	struct heat_own *own = v->own;

	if (own)
		run_expr_close(&own->expr);
	free(own);
	v->own = NULL;
}

static int
open_heat(struct screen *s, struct pane_view *v, struct err *e)
{
	struct heat_own *own = v->own = memory_new(1, sizeof(*own));

	if (compile_source(s, v, e) < 0) {
		close_heat(v);
		return -1;
	}
	return 0;
}

/* Returns the source for this frame, or NULL with the reason in own->wrong if it is no longer
 * valid. */
static const struct heat_source *
source_now(const struct screen *s, struct pane_view *v)
{
	struct heat_own *own = v->own;
	const struct run_expr *x = &own->expr;
	const char *text = text_of(s, v);
	bool same = x->x && text && strcmp(x->text, text) == 0 &&
		    x->cores == heat_rows_of(s, HEAT_CORES) &&
		    x->channels == heat_rows_of(s, HEAT_CHANNELS);

	if (same)
		return &own->source;
	run_expr_close(&own->expr);
	return compile_source(s, v, &own->wrong) < 0 ? NULL : &own->source;
}

static void
each_word(void (*fn)(void *to, const char *word), void *to)
{
	fn(to, "gauge");
	run_expr_words(false, fn, to);
}

static void
name_plot(const struct screen *s, const struct pane_view *v, char *buf, size_t size)
{
	const char *text = text_of(s, v);

	snprintf(buf, size, "%s", text ? text : FIRST_CHOICE);
}

static bool
is_present(const struct screen *s, const struct pane_view *v)
{
	return text_of(s, v) != NULL;
}

static unsigned
count_rows(const struct screen *s, const struct pane_view *v)
{
	const struct heat_own *own = v->own;

	return heat_rows_of(s, own ? own->source.rows : HEAT_CORES);
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	struct heat_own *own = v->own;
	const struct heat_source *src = own ? source_now(s, v) : NULL;

	if (src)
		heat_draw(s, v, c, src);
	else if (own)
		canvas_wrap(c, 1, 0, c->w - 2, c->h, ROLE_DIM, own->wrong.msg);
}

/* Writes "IPC of a core 212.4" for the core in focus, or for the GPU, at the cursor; "" if nothing
 * is known. */
static void
describe_cursor(struct screen *s, struct pane_view *v, char *buf, size_t size)
{
	const struct heat_source *src = v->own ? source_now(s, v) : NULL;
	unsigned core = session_focus_core(s->session);
	double to[HEAT_ROWS_MAX];
	char num[FMT_MAX];
	int i = src && heat_is_level(src) ? screen_level_sample(s) : screen_sample(s);

	buf[0] = '\0';
	if (src && i >= 0 && src->rows == HEAT_CORES && src->kind != HEAT_CATEGORY)
		snprintf(buf, size, "%s %s", src->title,
			 fmt_num(num, heat_values(s, src, (unsigned)i, to)[core], src->decimals));
}

const struct pane_ops pane_heat = {
	.name = "heat",
	.help = "Any time series of every core or memory channel: pane heat core.ipc, mem.queue, "
		"or an "
		"expression. Without a name the IPC of the cores. `range` and the keys r ( ) "
		"change "
		"what the colours stand for.",
	.read = "Any series as colours, by its name or that of its column (lat_rt_cycles). Rows "
		"are cores, or memory channels (the title says by channel); an expression has one "
		"value for each, core.*.ctas_resident - core.*.n. `pane heat gauge` is the first "
		"series that the policy weighs, such as C_mem. What counts over a sample "
		"(c_mem, c_idle) is so many per period of the policy, which its thresholds are "
		"for; without a period, per 1,000 cycles.",
	.range = "A ratio is from 0 to 1, anything else from 0 to the largest value so far on a "
		 "round number, and grows. What the policy compares with thresholds (C_mem with "
		 "t_mem_l and t_mem_h) has three hues instead, below, between and above them, "
		 "brighter towards the upper end; with no colours a light, a middle and a full "
		 "shade, in ASCII . + #. A range that is chosen shows the ramp." HEAT_RANGE,
	.also = "range, info stats, plot, dump csv series, explain lat_rt",
	.arg = "SERIES",
	.min_w = 20,
	.min_h = 3,
	.kind = PANE_STRIP,
	.open = open_heat,
	.close = close_heat,
	.present = is_present,
	.words = each_word,
	.rows = count_rows,
	.draw = draw_pane,
	.at = describe_cursor,
	.picture = name_plot,
};
