/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_source.c - shows the source of the running kernel, line by line: how much time warps spent
 * there and what they waited for, what was issued and with how many lanes, and the warps that are
 * there now.
 *
 * The counts are a profile (ctascope/sim.h), which the pane switches on. Without a source file it
 * lists the instructions.
 */
#include "base/memory.h"
#include "base/plain_name.h"
#include "source/source.h"
#include "tui/fmt.h"
#include "tui/panes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct own {
	enum lines_order order;
	const struct trace_kernel *kernel;
	bool counted;  /* counts have been read, and the view has moved to the hottest line */
	uint32_t file; /* file shown in source order; 0: instructions */
	struct source *source; /* NULL: it cannot be read */
	unsigned cursor, top;  /* row indices */
	unsigned n_rows, shown;
	uint32_t line; /* line of the cursor; 0: none */
};

/* A row: a line of the source, with or without counts. */
struct row {
	const struct line_stat *stat;
	unsigned line; /* 0: an instruction */
};

static int
open_pane(struct screen *s ATTR_UNUSED, struct pane_view *v, struct err *e)
{
	struct own *o;
	int order = LINES_SOURCE;

	while (v->arg[0] && order < LINES_ORDERS && strcmp(v->arg, lines_order_names[order]) != 0)
		order++;
	if (order == LINES_ORDERS)
		return err_set(e,
			       "pane source: expected source, cycles, issued, lanes or misses; "
			       "found '%s'",
			       v->arg);
	o = v->own = memory_new(1, sizeof(*o));
	o->order = (enum lines_order)order;
	return 0;
}

static void
close_pane(struct pane_view *v)
{
	struct own *o = v->own;

	if (o)
		source_free(o->source);
	free(o);
}

/* ---------------------------------------------------------------- what is shown */

/* Finds the hottest line and its file: where warps have spent most time so far. */
static const struct line_stat *
find_hottest(const struct line_stat *l, unsigned n)
{
	const struct line_stat *best = NULL;

	for (unsigned i = 0; i < n; i++)
		if (l[i].line && (!best || l[i].all + l[i].issued > best->all + best->issued))
			best = &l[i];
	return best;
}

/* Handles another kernel, or the first look at this one with counts: opens its file and scrolls to
 * its hottest line. */
static void
look_at_kernel(const struct screen *s, struct own *o, const struct trace_kernel *k,
	       const struct line_stat *l, unsigned n, int rows)
{
	const struct line_stat *best = find_hottest(l, n);

	if (o->kernel == k && (o->counted || !best))
		return;
	o->counted = best && best->all + best->issued > 0;
	source_free(o->source);
	o->kernel = k;
	o->file = best ? best->file : 0;
	o->source = best ? source_read(screen_sim(s), k, best->file) : NULL;
	o->cursor = best && o->source ? best->line - 1 : 0;
	o->top = o->cursor > (unsigned)rows / 2 ? o->cursor - (unsigned)rows / 2 : 0;
}

/* Returns all rows in the wanted order; the caller frees them. */
static struct row *
make_rows(const struct own *o, struct line_stat *l, unsigned n, unsigned *n_rows)
{
	unsigned lines = o->order == LINES_SOURCE && o->source ? o->source->n : 0;
	struct row *r = memory_new((size_t)lines + n + 1, sizeof(*r));

	*n_rows = 0;
	if (lines) {
		for (unsigned i = 0; i < lines; i++)
			r[i].line = i + 1;
		for (unsigned i = 0; i < n; i++)
			if (l[i].file == o->file && l[i].line && l[i].line <= lines)
				r[l[i].line - 1].stat = &l[i];
		*n_rows = lines;
		return r;
	}
	lines_sort(l, n, o->order);
	for (unsigned i = 0; i < n; i++)
		if (o->order == LINES_SOURCE || l[i].all || l[i].issued)
			r[(*n_rows)++] = (struct row){&l[i], l[i].line};
	return r;
}

/* ---------------------------------------------------------------- drawing */

enum {
	W_HEAT = 6,
	W_SHARE = 6,
	W_WAITS = 12,
	W_ISSUED = 10,
	W_LANES = 6,
	W_MISS = 7,
	W_WARPS = 6,
	W_LINE = 5,
	LEAST_LINE = 40, /* columns of a line of source */
	LEAST_INST = 24	 /* and of an instruction */
};

/* Which columns fit. The text has its room first. */
struct columns {
	bool warps, heat, waits, miss, lanes, issued;
	int text;
};

static struct columns
columns_of(int w, int least_text)
{
	struct columns c = {.text = 1 + W_SHARE + W_LINE + 1};
	const struct {
		bool *shown;
		int w;
	} wish[] = {{&c.warps, W_WARPS}, {&c.heat, W_HEAT},   {&c.waits, W_WAITS},
		    {&c.miss, W_MISS},	 {&c.lanes, W_LANES}, {&c.issued, W_ISSUED}};

	for (size_t i = 0; i < ARRAY_LEN(wish); i++) {
		if (c.text + wish[i].w + least_text + 1 > w)
			break;
		*wish[i].shown = true;
		c.text += wish[i].w;
	}
	return c;
}

static void
draw_heads(struct canvas *c, const struct columns *k)
{
	int x = 1;

	if (k->heat) {
		canvas_text(c, x, 1, ROLE_DIM, "time");
		x += W_HEAT;
	}
	canvas_right(c, x, 1, W_SHARE - 1, ROLE_DIM, "%");
	x += W_SHARE;
	if (k->waits) {
		canvas_text(c, x, 1, ROLE_DIM, "mostly");
		x += W_WAITS;
	}
	if (k->issued) {
		canvas_right(c, x, 1, W_ISSUED - 1, ROLE_DIM, "issued");
		x += W_ISSUED;
	}
	if (k->lanes) {
		canvas_right(c, x, 1, W_LANES - 1, ROLE_DIM, "lanes");
		x += W_LANES;
	}
	if (k->miss) {
		canvas_right(c, x, 1, W_MISS - 1, ROLE_DIM, "L1miss");
		x += W_MISS;
	}
	if (k->warps) {
		canvas_right(c, x, 1, W_WARPS - 1, ROLE_DIM, "warps");
		x += W_WARPS;
	}
	canvas_right(c, x, 1, W_LINE - 1, ROLE_DIM, "line");
}

static void
draw_stat(struct canvas *c, const struct columns *k, int y, const struct line_stat *l, uint64_t all,
	  bool bars)
{
	double share = all ? (double)l->all / (double)all : 0, of;
	unsigned level = heat_level(sqrt(share), 0, 1);
	char num[FMT_MAX], text[24];
	int x = 1, fill = (int)(share * (W_HEAT - 1) + 0.999);

	for (int i = 0; k->heat && i < W_HEAT - 1; i++)
		if (i < fill && bars) /* a digit over the bar would look like the share */
			canvas_put(c, x + i, y, ROLE_BAR, 0x2587);
		else if (i < fill)
			canvas_heat(c, x + i, y, level, level, false);
	x += k->heat ? W_HEAT : 0;
	canvas_right(c, x, y, W_SHARE - 1, share >= 0.1 ? ROLE_VALUE : ROLE_TEXT,
		     fmt_num(num, 100 * share, 1));
	x += W_SHARE;
	if (k->waits) {
		canvas_fit(c, x, y, W_WAITS - 1, ROLE_TEXT, line_waits_for(l, &of));
		x += W_WAITS;
	}
	if (k->issued) {
		canvas_right(c, x, y, W_ISSUED - 1, ROLE_TEXT, fmt_short(num, l->issued));
		x += W_ISSUED;
	}
	if (k->lanes) {
		bool few = l->lanes < WARP_SIZE / 2;
		if (!isnan(l->lanes))
			canvas_right(c, x, y, W_LANES - 1, few ? ROLE_THRESHOLD : ROLE_TEXT,
				     fmt_num(num, l->lanes, 1));
		x += W_LANES;
	}
	if (k->miss) {
		if (l->l1_accesses) {
			snprintf(text, sizeof(text), "%.0f%%",
				 100 * (double)l->l1_misses / (double)l->l1_accesses);
			canvas_right(c, x, y, W_MISS - 1, ROLE_TEXT, text);
		}
		x += W_MISS;
	}
	snprintf(text, sizeof(text), "%u", l->warps);
	if (k->warps && l->warps)
		canvas_right(c, x, y, W_WARPS - 1, ROLE_VALUE, text);
}

/* Returns the text with a quarter of its indentation, since tabs were expanded to 8 blanks. */
static const char *
less_indented(const char *text)
{
	size_t n = strspn(text, " ");

	return text + n - n / 4;
}

static void
draw_row(const struct screen *s, struct canvas *c, const struct columns *k, int y,
	 const struct own *o, const struct row *r, uint64_t all, bool cursor)
{
	const struct inst *in = r->stat ? &o->kernel->inst[r->stat->inst] : NULL;
	const char *text = in && in->text ? in->text : "";
	char num[16] = "";

	if (r->stat)
		draw_stat(c, k, y, r->stat, all, s->painter.depth <= DEPTH_16);
	if (r->line)
		snprintf(num, sizeof(num), "%u", r->line);
	canvas_right(c, k->text - W_LINE - 1, y, W_LINE - 1, cursor ? ROLE_FOCUS : ROLE_DIM, num);
	canvas_put(c, k->text - 1, y, ROLE_FOCUS, cursor ? 0x25b8 : ' ');
	if (r->line && o->source && r->line <= o->source->n &&
	    (!r->stat || r->stat->file == o->file))
		text = less_indented(o->source->line[r->line - 1]);
	canvas_fit(c, k->text, y, c->w - k->text - 1, r->stat ? ROLE_TEXT : ROLE_DIM, text);
	if (cursor && s->painter.depth == DEPTH_MONO)
		canvas_attr(c, k->text, y, c->w - k->text - 1, ATTR_BOLD);
}

static void
draw_title(const struct screen *s, const struct pane_view *v, struct canvas *c, const struct own *o,
	   cycle_t since)
{
	bool active = s->pane == v;
	char num[FMT_MAX], text[160], name[PLAIN_NAME];
	int x, n;

	canvas_put(c, 0, 0, ROLE_FOCUS, active ? 0x25b8 : ' ');
	x = 1 + canvas_text(c, 1, 0, active ? ROLE_FOCUS : ROLE_TITLE, "source") + 1;
	n = snprintf(text, sizeof(text), "%.60s  by %s",
		     o->source ? source_file(o->kernel, o->file)
			       : plain_name(o->kernel->name, name, sizeof(name)),
		     lines_order_names[o->order]);
	if (c->w - x >= n + 24)
		n += snprintf(text + n, sizeof(text) - (size_t)n, ", since cycle %s",
			      fmt_u64(num, since));
	if (c->w - x >= n + 34)
		snprintf(text + n, sizeof(text) - (size_t)n, "   o order  b stop here  j k line");
	canvas_fit(c, x, 0, c->w - x - 1, ROLE_DIM, text);
}

static void
draw_rows(struct screen *s, struct pane_view *v, struct canvas *c, struct line_stat *l, unsigned n)
{
	struct own *o = v->own;
	struct columns k = columns_of(c->w, o->source ? LEAST_LINE : LEAST_INST);
	uint64_t all = 0;
	struct row *r;

	for (unsigned i = 0; i < n; i++)
		all += l[i].all;
	r = make_rows(o, l, n, &o->n_rows);
	if (o->n_rows == 0) {
		free(r);
		return;
	}
	o->shown = (unsigned)MAX(c->h - 2, 1);
	o->cursor = MIN(o->cursor, o->n_rows - 1);
	if (o->cursor < o->top)
		o->top = o->cursor;
	if (o->cursor >= o->top + o->shown)
		o->top = o->cursor - o->shown + 1;
	o->line = r[o->cursor].line;
	draw_heads(c, &k);
	for (unsigned i = 0; i < o->shown && o->top + i < o->n_rows; i++)
		draw_row(s, c, &k, 2 + (int)i, o, &r[o->top + i], all, o->top + i == o->cursor);
	free(r);
}

/* The number of the kernel that the core in focus is shown with, from 1. */
static unsigned
find_kernel_in_focus(const struct screen *s)
{
	struct core_view v;

	if (!sim_runs_together(screen_sim(s)))
		return sim_kernel_shown(screen_sim(s));
	sim_core_view(screen_sim(s), session_focus_core(s->session), &v);
	return v.kernel;
}

static void
draw_pane(struct screen *s, struct pane_view *v, struct canvas *c)
{
	struct sim *sim = screen_sim(s);
	unsigned started = sim ? find_kernel_in_focus(s) : 0, n;
	const struct trace_kernel *k = started ? sim_kernel(sim, started - 1) : NULL;
	struct own *o = v->own;
	struct line_stat *l;
	cycle_t since = 0;
	struct err e = {0};

	if (!k)
		return;
	if (sim_profile_on(sim, &e) < 0) {
		canvas_fit(c, 0, 1, c->w, ROLE_TEXT, e.msg);
		return;
	}
	l = lines_read(sim, (uint32_t)(k - sim_trace(sim)->kernel), 0, screen_cores(s), &n, &e);
	if (!l)
		return;
	look_at_kernel(s, o, k, l, n, c->h - 2);
	sim_profile_since(sim, &since);
	draw_title(s, v, c, o, since);
	draw_rows(s, v, c, l, n);
	free(l);
}

/* ---------------------------------------------------------------- keys */

static void
scroll_rows(struct screen *s ATTR_UNUSED, struct pane_view *v, int by)
{
	struct own *o = v->own;
	int64_t at = (int64_t)o->cursor + by;

	o->cursor = (unsigned)MAX(0, MIN(at, (int64_t)o->n_rows - 1));
}

static int
set_order(struct screen *s, struct pane_view *v, const char *order, struct err *e)
{
	struct own *o = v->own;
	unsigned i = 0;

	if (!*order || strcmp(order, "next") == 0) {
		i = (o->order + 1) % LINES_ORDERS;
	} else {
		while (i < LINES_ORDERS && strcmp(order, lines_order_names[i]) != 0)
			i++;
		if (i == LINES_ORDERS)
			return err_set(e,
				       "sort: expected source, cycles, issued, lanes or misses; "
				       "found '%s'",
				       order);
	}
	o->order = (enum lines_order)i;
	o->kernel = i == LINES_SOURCE ? NULL : o->kernel; /* look for the hottest line again */
	o->cursor = o->top = 0;
	screen_notice(s, "source lines by %s", lines_order_names[i]);
	return 0;
}

static const char *
key_command(struct screen *s, struct pane_view *v, int k, char *buf, size_t size)
{
	const struct own *o = v->own;

	if (k == 'o')
		return "sort";
	if (k != 'b' || session_running(s->session))
		return keys_scroll(k);
	if (!o->line)
		return NULL;
	snprintf(buf, size, o->file ? "break %s:%u" : "break line %.0s%u",
		 source_file(o->kernel, o->file), o->line);
	return buf;
}

const struct pane_ops pane_source = {
	.name = "source",
	.help = "The running kernel's lines: share of the warps' time and what they mostly waited "
		"for, instructions issued, mean active lanes, L1 misses, warps there now. As the "
		"active pane: "
		"j k move, o sorts, b stops at the line.",
	.read = "Each line of the kernel has the share of the warps' time spent there, as a bar "
		"and in percent; what they mostly waited for; instructions issued; the mean of "
		"active lanes (few mean divergence); the L1 misses of its accesses; and the warps "
		"that are there now. It counts since the cycle in the title, when the pane was "
		"first shown, or over the 8,192 cycles before the cursor. For a kernel without "
		"source it lists the instructions. Where columns are few, the text has its room "
		"first, and the pane that of the inspector.",
	.keys = "j and k move the line, o or `sort` goes through the orders source, cycles, "
		"issued, lanes and misses, b stops "
		"where the line is executed.",
	.also = "break, list, info line, sort, layout source",
	.arg = "[source|cycles|issued|lanes|misses]",
	.min_w = 30,
	.min_h = 5,
	.side_from = 132,
	.kind = PANE_PAGE,
	.looks = PANE_LOOKS_PROFILE,
	.open = open_pane,
	.close = close_pane,
	.draw = draw_pane,
	.scroll = scroll_rows,
	.sort = set_order,
	.key = key_command,
};
