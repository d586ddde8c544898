/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_place.c - turns the row of a layout into panes in places: which panes its words name,
 * which of them have something to show in this run, and what replaces the others.
 *
 * The pane in front always has a place: if the layout names other panes, it takes the last one's.
 */
#include "session/session.h"
#include "tui/panes.h"
#include "tui/screen_part.h"
#include <stdio.h>
#include <string.h>

static const struct layout_row *
layout_now(const struct screen *s)
{
	return s->page ? layout_of_page(screen_when(s)) : &layout_rows[s->want];
}

/* The text of a presentation is below the panes, where an audience expects captions. */
static bool
has_captions(const struct screen *s)
{
	return session_has_lesson(s->session) && session_presents(s->session);
}

static bool
is_large(const struct screen *s)
{
	bool beside = session_has_lesson(s->session) && !has_captions(s);
	int lesson = beside ? LESSON_W + 1 : 0;
	int parts = twin_is_on(s) ? 2 : 1;

	return (s->canvas->w - lesson) / parts >= LAYOUT_GRID_W && s->canvas->h >= LAYOUT_GRID_H;
}

bool
screen_lone(const struct screen *s)
{
	const struct layout_row *row = &layout_rows[s->want];

	return strcmp(row->main[0], "*") == 0 || (row->shape == SHAPE_AUTO && !is_large(s));
}

static bool
has_view(struct pane_view *const *v, unsigned n, const struct pane_view *x)
{
	for (unsigned i = 0; i < n; i++)
		if (v[i] == x)
			return true;
	return false;
}

/* Adds the panes that the words name, if they apply to this run. Returns the new number of panes.
 */
static unsigned
add_named(struct screen *s, const char *const *word, unsigned max, struct pane_view **to,
	  unsigned n)
{
	struct pane_view *v;
	struct err none;

	for (unsigned i = 0; i < max && word[i]; i++) {
		v = strcmp(word[i], "*") == 0 ? s->front : view_get(s, word[i], &none);
		if (v && view_applies(s, v) && !has_view(to, n, v))
			to[n++] = v;
	}
	return n;
}

/* Returns what a pane of a page asks for. */
static struct layout_pane
wanted_of_page(struct screen *s, struct pane_view *v)
{
	int best = v->ops->height ? v->ops->height(s, v) : 0, least = (int)v->ops->min_h;

	return (struct layout_pane){.best = best,
				    .min = least ? MIN(least, best) : best,
				    .rest = !v->ops->height};
}

/* Places the panes of a page, all of which its layout names. */
static void
place_page(struct screen *s)
{
	const struct layout_row *row = layout_now(s);
	struct layout_want want = {.shape = row->shape,
				   .gap_from = row->gap_from,
				   .beside_from = row->beside_from,
				   .banner = screen_banner_rows(s),
				   .typing = s->mode != MODE_KEYS};

	s->n_side = 0;
	want.n_main = add_named(s, row->main, LAYOUT_MAIN, s->main, 0);
	for (unsigned i = 0; i < want.n_main; i++)
		want.main[i] = wanted_of_page(s, s->main[i]);
	layout_compute(&s->layout, &want, s->canvas->w, s->canvas->h);
}

static struct layout_pane
wanted_of_session(const struct screen *s, const struct pane_view *v, bool spare)
{
	return (struct layout_pane){.min = (int)v->ops->min_h,
				    .best = (int)v->ops->best_h,
				    .strip = v->ops->kind == PANE_STRIP ||
					     (v->ops->kind == PANE_TIME && v->ops->rows),
				    .rows = v->ops->rows ? v->ops->rows(s, v) : 0,
				    .timed = view_timed(v),
				    .spare = spare};
}

/* Fills gaps in a grid with panes that every run has. */
static unsigned
fill_grid(struct screen *s, unsigned n)
{
	static const char *const fill[] = {"heat", "heat mem.dram_util", "heat core.l1_miss_rate",
					   "heat core.lat_rt"};
	struct pane_view *v[ARRAY_LEN(fill)];
	unsigned k = add_named(s, fill, ARRAY_LEN(fill), v, 0);

	for (unsigned i = 0; i < k && n < LAYOUT_MAIN; i++)
		if (!has_view(s->main, n, v[i]))
			s->main[n++] = v[i];
	return n;
}

static bool
runs_together(const struct screen *s)
{
	return screen_sim(s) && sim_runs_together(screen_sim(s));
}

/* Adds panes for the rows below a lone pane over time. */
static unsigned
add_spare(struct screen *s, unsigned n)
{
	static const char *const spare[] = {"plot", "classes"}, *const together[] = {"kernels",
										     "plot"};

	return view_timed(s->front)
		       ? add_named(s, runs_together(s) ? together : spare, 2, s->main, n)
		       : n;
}

#define GRID_UPPER 4 /* panes of a grid above its third row */

/* The pane of the kernels, where several run together and the layout is a general one, which begins
 * with the CTAs; otherwise NULL. */
static struct pane_view *
kernels_pane(struct screen *s, const struct layout_row *row)
{
	struct err none;
	bool general = (row->shape == SHAPE_AUTO || row->shape == SHAPE_GRID) &&
		       strcmp(row->main[0], "ctas") == 0;

	return general && runs_together(s) ? view_get(s, "kernels", &none) : NULL;
}

/* The kernels, which need few rows, get a place in the third row of a grid. */
static unsigned
add_kernels(struct screen *s, const struct layout_row *row, unsigned n)
{
	struct pane_view *kernels = kernels_pane(s, row);

	if (!kernels || has_view(s->main, n, kernels))
		return n;
	n = MIN(n, LAYOUT_MAIN - 1);
	for (unsigned i = n; i > GRID_UPPER; i--)
		s->main[i] = s->main[i - 1];
	s->main[MIN(GRID_UPPER, n)] = kernels;
	return n + 1;
}

/* *firm is the number of panes that are shown even without spare rows. */
static unsigned
choose_main(struct screen *s, const struct layout_row *row, enum layout_shape shape, unsigned *firm)
{
	unsigned n = 0;

	if (!screen_lone(s))
		n = add_named(s, row->main, LAYOUT_MAIN, s->main, 0);
	if (shape == SHAPE_GRID)
		n = add_kernels(s, row, fill_grid(s, n));
	if (!has_view(s->main, n, s->front))
		s->main[n ? n - 1 : n++] = s->front;
	*firm = n;
	return screen_lone(s) && !row->bare ? add_spare(s, n) : n;
}

static void
add_lacking(struct screen *s, const struct pane_view *v)
{
	size_t n = strlen(s->lacking);

	snprintf(s->lacking + n, sizeof(s->lacking) - n, "%s%s%s%s", n ? ", " : "", v->ops->name,
		 v->arg[0] ? " " : "", v->arg);
}

/* Tells once, after a change of the layout or the size, which of the n wanted panes got no place.
 * In the general layouts Tab leads to every pane anyway. */
static void
note_lacking(struct screen *s, const struct layout_row *row, struct pane_view *const *wanted,
	     unsigned n)
{
	char before[sizeof(s->lacking)];

	snprintf(before, sizeof(before), "%s", s->lacking);
	s->lacking[0] = '\0';
	if (row->shape == SHAPE_AUTO || row->bare || screen_lone(s))
		return;
	for (unsigned i = 0; i < n; i++)
		if (!has_view(s->main, s->layout.n_main, wanted[i]))
			add_lacking(s, wanted[i]);
	for (unsigned i = 0; s->layout.sep_x < 0 && i < s->n_side; i++)
		add_lacking(s, s->side[i]);
	if (s->lacking[0] && !s->notice[0] && strcmp(before, s->lacking) != 0)
		screen_notice(s, "layout %s: no room here for %s: Tab shows %s", row->name,
			      s->lacking, strchr(s->lacking, ',') ? "them" : "it");
}

/* Gives a pane the last place if it has none. */
static void
place_last(struct screen *s, struct layout_want *want, struct pane_view *v)
{
	unsigned n = s->layout.n_main;

	if (!v || !n || has_view(s->main, n, v))
		return;
	want->n_main = n;
	s->main[n - 1] = v;
	want->main[n - 1] = wanted_of_session(s, v, false);
	layout_compute(&s->layout, want, s->canvas->w, s->canvas->h);
	s->main[s->layout.n_main - 1] = v;
}

void
screen_place(struct screen *s)
{
	const struct layout_row *row = &layout_rows[s->want];
	struct layout_want want = {.shape = row->shape,
				   .tall_log = row->tall_log,
				   .bare = row->bare,
				   .side_from = row->side_from,
				   .lesson = session_has_lesson(s->session),
				   .twin = twin_is_on(s),
				   .below = has_captions(s),
				   .banner = screen_banner_rows(s),
				   .marks = s->marks.kinds != 0,
				   .cores = screen_cores(s)};
	struct pane_view *wanted[LAYOUT_MAIN];
	unsigned firm;

	if (s->page) {
		place_page(s);
		return;
	}
	if (want.shape == SHAPE_AUTO)
		want.shape = is_large(s) ? SHAPE_GRID : SHAPE_STACK;
	want.n_main = choose_main(s, row, want.shape, &firm);
	want.n_side = s->n_side = add_named(s, row->side, LAYOUT_SIDE, s->side, 0);
	/* The active pane takes the last place beside the strips if the layout has none for it. */
	if (s->pane->ops->kind == PANE_SIDE && s->n_side && !has_view(s->side, s->n_side, s->pane))
		s->side[s->n_side - 1] = s->pane;
	for (unsigned i = 0; i < want.n_main; i++) {
		want.main[i] = wanted_of_session(s, s->main[i], i >= firm);
		want.side_from = MAX(want.side_from, (int)s->main[i]->ops->side_from);
	}
	for (unsigned i = 0; i < want.n_side; i++)
		want.side[i] = wanted_of_session(s, s->side[i], false);
	layout_compute(&s->layout, &want, s->canvas->w, s->canvas->h);
	memcpy(wanted, s->main, sizeof(wanted));
	if (want.shape == SHAPE_GRID)
		place_last(s, &want, kernels_pane(s, row));
	place_last(s, &want, s->front);
	note_lacking(s, row, wanted, firm);
	for (unsigned i = 0; i < s->layout.n_main; i++) {
		s->main[i]->seen = s->frames;
		s->main[i]->in_frame = true;
	}
	for (unsigned i = 0; i < VIEWS_MAX; i++) {
		struct pane_view *v = &s->view[i];

		if (!v->ops || !v->in_frame || v->seen == s->frames)
			continue;
		v->in_frame = false;
		if (v->ops->hidden)
			v->ops->hidden(s, v);
	}
}

unsigned
screen_layout_panes(struct screen *s, struct pane_view *to[LAYOUT_MAIN + LAYOUT_SIDE])
{
	const struct layout_row *row = &layout_rows[s->want];

	return add_named(s, row->side, LAYOUT_SIDE, to,
			 add_named(s, row->main, LAYOUT_MAIN, to, 0));
}
