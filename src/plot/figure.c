/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figure.c - turns a list of items into panels with values in columns.
 *
 * Columns have equal length, a whole number of samples if samples have equal length. A value is the
 * mean of its samples weighted by time; for a state it is the last one. A long run gets at most
 * COLUMNS columns, which is more than a page can show.
 */
#include "plot/plot_part.h"

#include "base/human.h"
#include "base/memory.h"
#include "base/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 480

/* Pictures that have a name: panes of the screen, and what its pane heat shows of a series. */
static const struct pane {
	const char *name, *text, *title;
	enum panel_kind kind;
} panes[] = {
	{"ctas", "core.ctas_running", "Running CTAs of each core", PANEL_HEAT},
	{"ract", "core.ract", "RACT of each core: share of active cycles", PANEL_HEAT},
	{"credits", "core.credits_local", "Local credits of each core", PANEL_HEAT},
	{"gates", "core.state", "State of each core", PANEL_STATES},
	{"ipc", "core.ipc", "IPC of each core", PANEL_HEAT},
	{"classes", NULL, "Cycles by class, mean over cores", PANEL_CLASSES},
	{"cmem", "core.c_mem", "C_mem of each core, per sample", PANEL_HEAT},
	{"lat", "core.lat_rt", "Round trip of memory requests, of each core", PANEL_HEAT},
	{"dram", "mem.dram_util", "Share of DRAM cycles with data on the bus", PANEL_HEAT},
	{"power", "core.power", "Power of each core", PANEL_HEAT},
};

const char *
plot_pane(unsigned i)
{
	return i < ARRAY_LEN(panes) ? panes[i].name : NULL;
}

const char *
plot_pane_list(char buf[PLOT_PANE_LIST])
{
	size_t n = 0;

	for (unsigned i = 0; i < ARRAY_LEN(panes) && n < PLOT_PANE_LIST; i++)
		n += (size_t)snprintf(buf + n, PLOT_PANE_LIST - n, "%s%s", i ? ", " : "",
				      panes[i].name);
	return buf;
}

bool
plot_has_pane(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(panes); i++)
		if (strcmp(panes[i].name, name) == 0)
			return true;
	return false;
}

const char *
plot_pane_series(const char *name)
{
	for (unsigned i = 0; i < ARRAY_LEN(panes); i++)
		if (strcmp(panes[i].name, name) == 0)
			return panes[i].text;
	return NULL;
}

/* ---------------------------------------------------------------- items */

static struct panel *
add_panel(struct figure *f, enum panel_kind kind, const char *title, struct err *e)
{
	struct panel *p = &f->panel[f->n];

	if (f->n == FIGURE_PANELS) {
		err_set(e, "plot: a picture has at most %d panels", FIGURE_PANELS);
		return NULL;
	}
	f->n++;
	p->kind = kind;
	snprintf(p->title, sizeof(p->title), "%s", title);
	return p;
}

/* Takes ownership of x. */
static int
add_curve(struct panel *p, struct overtime *x, const char *label, struct err *e)
{
	struct curve *c = &p->curve[p->n];

	if (!x)
		return -1;
	if (p->n == PANEL_CURVES) {
		overtime_free(x);
		return err_set(e, "plot: a panel has at most %d lines", PANEL_CURVES);
	}
	p->n++;
	c->x = x;
	c->rows = overtime_size(x);
	snprintf(c->label, sizeof(c->label), "%s", label);
	return 0;
}

/* Adds the shares of the cycle classes of one core, or their mean over all cores. */
static int
add_classes(struct figure *f, const char *core, const char *title, struct err *e)
{
	struct panel *p = add_panel(f, PANEL_CLASSES, title, e);

	if (!p)
		return -1;
	snprintf(p->unit, sizeof(p->unit), "share of cycles");
	p->hi = 1;
	for (unsigned i = 0; i < CC_CLASSES; i++) {
		const char *name = series_core_rows[SC_ACTIVE + i].name;
		char text[160];

		if (core)
			snprintf(text, sizeof(text), "core.%s.%s", core, name);
		else
			snprintf(text, sizeof(text), "mean(core.*.%s)", name);
		if (add_curve(p, overtime_new_from(&f->run->from, text, e), name, e) < 0)
			return -1;
	}
	return 0;
}

static int
add_heat(struct figure *f, enum panel_kind kind, struct overtime *x, const char *title,
	 struct err *e)
{
	struct panel *p = add_panel(f, kind, title, e);
	enum overtime_group g = OVERTIME_CORE;
	unsigned field;

	if (!p) {
		overtime_free(x);
		return -1;
	}
	if (!overtime_is_series(x, &g, &field) &&
	    overtime_size(x) == f->run->from.instances[OVERTIME_MEM] &&
	    overtime_size(x) != f->run->from.instances[OVERTIME_CORE])
		g = OVERTIME_MEM;
	if (kind == PANEL_HEAT && overtime_is_series(x, &g, &field) && g == OVERTIME_CORE &&
	    field == SC_STATE)
		p->kind = PANEL_STATES;
	p->row_name = g == OVERTIME_MEM ? "memory channel" : "core";
	snprintf(p->unit, sizeof(p->unit), "%s", overtime_unit(x));
	return add_curve(p, x, overtime_label(x), e);
}

/* "gpu.ipc: thread instructions per cycle, all cores" for a series, otherwise the text. */
static void
title_of(const struct overtime *x, char *buf, size_t size)
{
	enum overtime_group g;
	unsigned field;

	if (overtime_is_series(x, &g, &field))
		snprintf(buf, size, "%s: %s", overtime_label(x), overtime_row(g, field)->help);
	else
		snprintf(buf, size, "%s", overtime_label(x));
}

/* Reports a word that is neither a pane nor a series; it may be a mistyped one, for which e has the
 * nearest series, or a pane of the screen that has no picture. */
static int
no_item(const char *text, struct err *e)
{
	const char *names[ARRAY_LEN(panes)], *near;
	char list[PLOT_PANE_LIST], unknown[200];

	for (unsigned i = 0; i < ARRAY_LEN(panes); i++)
		names[i] = panes[i].name;
	if (text[strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789")] != '\0')
		return -1;
	if (near_names(text, names, ARRAY_LEN(panes), &near, 1)) {
		err_clear(e);
		return err_set(e, "plot: no pane or series '%s'; did you mean %s?", text, near);
	}
	if (e->kind == ERR_NEAR)
		return -1;
	snprintf(unknown, sizeof(unknown), "%.199s", e->msg);
	err_clear(e);
	return err_set(e, "plot: %s; the panes that have a picture are %s", unknown,
		       plot_pane_list(list));
}

static int
add_expression(struct figure *f, const char *text, struct err *e)
{
	struct overtime *x = overtime_new_from(&f->run->from, text, e);
	struct panel *p = NULL;
	char title[160];

	if (!x)
		return no_item(text, e);
	title_of(x, title, sizeof(title));
	if (overtime_size(x) > 1)
		return add_heat(f, PANEL_HEAT, x, title, e);
	for (unsigned i = 0; i < f->n; i++)
		if (f->panel[i].kind == PANEL_LINES &&
		    strcmp(f->panel[i].unit, overtime_unit(x)) == 0)
			p = &f->panel[i];
	if (p)
		p->title[0] = '\0'; /* the legend shows it */
	else
		p = add_panel(f, PANEL_LINES, title, e);
	if (!p) {
		overtime_free(x);
		return -1;
	}
	snprintf(p->unit, sizeof(p->unit), "%s", overtime_unit(x));
	return add_curve(p, x, overtime_label(x), e);
}

static int
add_item(struct figure *f, const char *text, struct err *e)
{
	char core[16];
	int end = 0;

	for (unsigned i = 0; i < ARRAY_LEN(panes); i++) {
		const struct pane *of = &panes[i];
		struct overtime *x;

		if (strcmp(text, of->name) != 0)
			continue;
		if (of->kind == PANEL_CLASSES)
			return add_classes(f, NULL, of->title, e);
		x = overtime_new_from(&f->run->from, of->text, e);
		return x ? add_heat(f, of->kind, x, of->title, e) : -1;
	}
	if (sscanf(text, "core.%15[0-9].classes%n", core, &end) == 1 && end && !text[end]) {
		char title[80];

		snprintf(title, sizeof(title), "Cycles of core %s by class", core);
		return add_classes(f, core, title, e);
	}
	return add_expression(f, text, e);
}

/* Splits the list at commas outside parentheses. */
static int
add_items(struct figure *f, const char *what, struct err *e)
{
	const char *at = what;

	for (bool more = true; more;) {
		struct span part = span_list_item(&at, &more);
		char item[512];

		if (!span_copy(part, item, sizeof(item)))
			return err_set(e, "plot: an expression is too long");
		if (!*item)
			return err_set(e, "plot: expected something to draw%s",
				       strchr(what, ',') ? " beside a comma" : "");
		if (add_item(f, item, e) < 0)
			return -1;
	}
	return 0;
}

/* ---------------------------------------------------------------- time */

/* The cycle at which the samples of a run end; 0: there is none. */
static cycle_t
end_of(const struct plot_run *run)
{
	unsigned n = run ? run->from.count(run->from.ctx) : 0;

	return n ? run->from.end(run->from.ctx, n - 1) : 0;
}

/* Finds the samples that overlap from..to: the first, and the one after the last. */
static int
set_range(struct figure *f, const struct plot_job *j, unsigned *first, unsigned *end, struct err *e)
{
	const struct overtime_source *s = &f->run->from;
	unsigned n = s->count(s->ctx);
	char from[HUMAN], to[HUMAN], ended[HUMAN];
	cycle_t span = CYCLE_NEVER, last = n ? s->end(s->ctx, n - 1) : 0;

	if (!n)
		return err_set(e, "plot: no sample yet; run the model first");
	if (j->from >= j->to)
		return err_set(e, "plot: the range %s..%s is empty", human(from, j->from),
			       human(to, j->to));
	for (*first = 0; *first < n && s->end(s->ctx, *first) <= j->from;)
		++*first;
	for (*end = *first; *end < n && s->end(s->ctx, *end) - s->span(s->ctx, *end) < j->to;
	     ++*end)
		span = MIN(span, s->span(s->ctx, *end));
	if (*first == *end && j->to == CYCLE_NEVER)
		return err_set(e, "plot: no sample after cycle %s; the last one ends at %s",
			       human(from, j->from), human(ended, last));
	if (*first == *end)
		return err_set(e, "plot: no sample in cycles %s..%s; the last one ends at %s",
			       human(from, j->from), human(to, j->to), human(ended, last));
	/* the last sample of a run may be short; columns are as long as the others */
	if (*end - *first > 1)
		span = s->span(s->ctx, *first);
	f->from = MAX(j->from, s->end(s->ctx, *first) - s->span(s->ctx, *first));
	f->to = MIN(j->to, MAX(s->end(s->ctx, *end - 1), end_of(j->beside)));
	f->per = MAX(span, 1u);
	f->per *= (f->to - f->from + f->per * COLUMNS - 1) / (f->per * COLUMNS);
	f->columns = (unsigned)((f->to - f->from + f->per - 1) / f->per);
	return 0;
}

static void
note_range(struct figure *f, unsigned first)
{
	const struct overtime_source *s = &f->run->from;
	char from[TICK_TEXT], to[TICK_TEXT], span[TICK_TEXT], per[TICK_TEXT];
	cycle_t of = s->span(s->ctx, first);

	scale_count(from, f->from);
	scale_count(to, f->to);
	scale_count(span, of);
	scale_count(per, f->per);
	snprintf(f->note, sizeof(f->note), "cycles %s to %s; samples of %s cycles%s%s%s", from, to,
		 span, f->per > of ? ", means of " : "", f->per > of ? per : "",
		 f->per > of ? " cycles" : "");
}

/* ---------------------------------------------------------------- values */

struct bins {
	double *weight, *off, *all;
};

/* Was the core switched off? Beside a rate it counts only if it was when the sample began, too. */
static bool
is_off(const struct figure *f, unsigned core, unsigned i, bool level)
{
	const struct overtime_source *s = &f->run->from;
	unsigned before = level || i == 0 ? i : i - 1;

	return s->value(s->ctx, OVERTIME_CORE, SC_STATE, core, i) == CORE_OFF &&
	       s->value(s->ctx, OVERTIME_CORE, SC_STATE, core, before) == CORE_OFF;
}

/* Adds the values of sample i to column x. only: the last value counts, there is no mean. */
static void
add_values(const struct figure *f, struct curve *c, struct bins *b, unsigned i, unsigned x,
	   double w, bool only)
{
	const double *v = overtime_vector(c->x, i);

	for (unsigned r = 0; r < c->rows; r++) {
		size_t k = (size_t)r * f->columns + x;
		double counts = w * overtime_weight(c->x, i, r);

		b->all[k] += w;
		if (c->off && is_off(f, r, i, overtime_has_level(c->x)))
			b->off[k] += w;
		if (isnan(v[r]))
			continue;
		if (only)
			c->v[k] = v[r];
		else
			c->v[k] += v[r] * counts;
		b->weight[k] += counts;
	}
}

/* Adds what sample i says of the cycles from..end to the columns that they overlap. */
static void
add_cycles(const struct figure *f, struct curve *c, struct bins *b, unsigned i, cycle_t from,
	   cycle_t end, bool only)
{
	end = MIN(end, f->to);
	for (cycle_t at = MAX(from, f->from); at < end;) {
		unsigned x = (unsigned)((at - f->from) / f->per);
		cycle_t until = MIN(end, f->from + (x + 1) * f->per);

		add_values(f, c, b, i, x, (double)(until - at), only);
		at = until;
	}
}

/* A rate belongs to the cycles of its sample. A level was read at the end of the sample and holds
 * until it is read again, so that no change is drawn before its cycle. A level that was read only
 * once has no cycles after it, and is drawn over its sample. */
static void
add_samples(const struct figure *f, struct curve *c, struct bins *b, unsigned first, unsigned end,
	    bool only)
{
	const struct overtime_source *s = &f->run->from;
	bool holds = overtime_has_level(c->x) && end > 1;

	if (!holds)
		for (unsigned i = first; i < end; i++)
			add_cycles(f, c, b, i, s->end(s->ctx, i) - s->span(s->ctx, i),
				   s->end(s->ctx, i), only);
	else
		for (unsigned i = first ? first - 1 : 0; i + 1 < end; i++)
			add_cycles(f, c, b, i, s->end(s->ctx, i), s->end(s->ctx, i + 1), only);
}

static void
fill_curve(const struct figure *f, struct panel *p, struct curve *c, unsigned first, unsigned end)
{
	size_t n = (size_t)c->rows * f->columns;
	struct bins b = {memory_new(n, sizeof(double)), memory_new(n, sizeof(double)),
			 memory_new(n, sizeof(double))};
	bool only = p->kind == PANEL_STATES;

	c->v = memory_new(n, sizeof(*c->v));
	if (p->kind == PANEL_HEAT && c->rows == f->run->from.instances[OVERTIME_CORE] &&
	    strcmp(p->row_name, "core") == 0)
		c->off = memory_new(n, sizeof(*c->off));
	add_samples(f, c, &b, first, end, only);
	for (size_t k = 0; k < n; k++) {
		if (!(b.weight[k] > 0))
			c->v[k] = NAN;
		else if (!only)
			c->v[k] /= b.weight[k];
		if (c->off)
			c->off[k] = b.off[k] > 0 && 2 * b.off[k] > b.all[k];
	}
	free(b.weight);
	free(b.all);
	free(b.off);
}

/* Sets the value axis of a panel; -1: no value is known. */
static int
set_scale(const struct figure *f, struct panel *p)
{
	double lo = INFINITY, hi = -INFINITY;

	for (unsigned i = 0; i < p->n; i++)
		for (size_t k = 0; k < (size_t)p->curve[i].rows * f->columns; k++)
			if (!isnan(p->curve[i].v[k])) {
				lo = fmin(lo, p->curve[i].v[k]);
				hi = fmax(hi, p->curve[i].v[k]);
			}
	if (!(lo <= hi))
		return -1;
	if (p->kind == PANEL_CLASSES || p->kind == PANEL_STATES)
		return 0;
	p->lo = fmin(lo, 0);
	p->hi = fmax(hi, 0);
	if (strcmp(p->unit, "ratio") == 0 && p->lo >= 0 && p->hi <= 1)
		p->hi = 1;
	scale_round(&p->lo, &p->hi);
	return 0;
}

static int
no_value(const struct panel *p, struct err *e)
{
	return err_set(e, "plot: '%s' has no value in these cycles%s", p->curve[0].label,
		       strstr(p->curve[0].label, "credits") ? "; no policy of the run has credits"
							    : "");
}

/* Widens the value axes to those of the run beside it, so that both pictures have the same. */
static int
share_scales(const struct plot_job *j, struct figure *f, struct err *e)
{
	struct plot_job k = *j;
	struct figure other;
	struct err why = {0};

	if (!j->beside)
		return 0;
	k.run = j->beside;
	k.beside = NULL;
	if (figure_make(&k, &other, &why) < 0) /* that run has no values for it */
		return why.kind == ERR_MEMORY ? err_nomem(e) : 0;
	for (unsigned i = 0; i < MIN(f->n, other.n); i++) {
		f->panel[i].lo = fmin(f->panel[i].lo, other.panel[i].lo);
		f->panel[i].hi = fmax(f->panel[i].hi, other.panel[i].hi);
	}
	figure_free(&other);
	return 0;
}

int
figure_make(const struct plot_job *j, struct figure *f, struct err *e)
{
	unsigned first = 0, end = 0;

	*f = (struct figure){.run = j->run};
	if (add_items(f, j->what, e) < 0 || set_range(f, j, &first, &end, e) < 0)
		goto fail;
	for (unsigned i = 0; i < f->n; i++) {
		struct panel *p = &f->panel[i];

		for (unsigned k = 0; k < p->n; k++)
			fill_curve(f, p, &p->curve[k], first, end);
		if (set_scale(f, p) < 0) {
			no_value(p, e);
			goto fail;
		}
	}
	if (share_scales(j, f, e) < 0)
		goto fail;
	note_range(f, first);
	return 0;
fail:
	figure_free(f);
	return -1;
}

void
figure_free(struct figure *f)
{
	for (unsigned i = 0; i < f->n; i++)
		for (unsigned k = 0; k < f->panel[i].n; k++) {
			struct curve *c = &f->panel[i].curve[k];

			overtime_free(c->x);
			free(c->v);
			free(c->off);
		}
	f->n = 0;
}
