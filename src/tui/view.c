/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.c - opens panes and finds their views; see view.h. */
#include "tui/view.h"
#include "base/words.h"
#include "plot/plot.h"
#include "tui/panes.h"
#include <stdio.h>
#include <string.h>

static int
open_view(struct screen *s, struct pane_view *v, const struct pane_ops *o, const char *arg,
	  struct err *e)
{
	*v = (struct pane_view){.ops = o, .seen = s->frames};
	snprintf(v->arg, sizeof(v->arg), "%s", arg);
	if (o->open && o->open(s, v, e) < 0) {
		v->ops = NULL;
		return -1;
	}
	return 0;
}

static void
close_view(struct pane_view *v)
{
	if (v->ops && v->ops->close)
		v->ops->close(v);
	heat_cache_free(&v->heat);
	v->ops = NULL;
}

void
views_init(struct screen *s)
{
	struct err e;

	for (unsigned i = 0; pane_table[i]; i++)
		if (open_view(s, &s->view[i], pane_table[i], "", &e) < 0)
			s->view[i].ops = pane_table[i]; /* the pane will draw the reason */
}

void
views_free(struct screen *s)
{
	for (unsigned i = 0; i < VIEWS_MAX; i++)
		close_view(&s->view[i]);
}

struct pane_view *
view_of(struct screen *s, const struct pane_ops *pane)
{
	for (unsigned i = 0; pane_table[i]; i++)
		if (pane_table[i] == pane)
			return &s->view[i];
	return NULL;
}

/* Returns a free place, or that of the view that was on the screen longest ago. */
static struct pane_view *
place_for_view(struct screen *s)
{
	struct pane_view *old = NULL;

	for (unsigned i = pane_count(); i < VIEWS_MAX; i++) {
		struct pane_view *v = &s->view[i];
		if (!v->ops)
			return v;
		if (v != s->pane && v != s->front && (!old || v->seen < old->seen))
			old = v;
	}
	close_view(old);
	return old;
}

static const struct pane_ops *
pane_named(const struct screen *s, struct span name, struct err *e)
{
	const char *names[VIEWS_MAX];
	char text[64];
	unsigned n = 0;

	for (unsigned i = 0; pane_table[i]; i++) {
		if (!pane_is_of(pane_table[i], screen_when(s)))
			continue;
		if (span_is(name, pane_table[i]->name))
			return pane_table[i];
		names[n++] = pane_table[i]->name;
	}
	if (!span_copy(name, text, sizeof(text)))
		text[0] = '\0';
	if (plot_pane_series(text)) { /* a picture of `plot` has this name */
		err_set(e, "no pane '%s'; 'pane heat %s' shows it", text, plot_pane_series(text));
		return NULL;
	}
	err_set(e, "no pane '%s'%s", text,
		near_hint(text, names, n, "; 'help pane' lists them").text);
	return NULL;
}

struct pane_view *
view_get(struct screen *s, const char *text, struct err *e)
{
	const struct pane_ops *o = pane_named(s, word_next(&text), e);
	char arg[VIEW_ARG];

	if (!o)
		return NULL;
	if (!span_copy(span_trim(span_of(text)), arg, sizeof(arg)))
		return err_set(e, "pane %s: the argument is too long", o->name), NULL;
	if (!arg[0])
		return view_of(s, o);
	if (!o->arg)
		return err_set(e, "pane %s: takes no argument; found '%s'", o->name, arg), NULL;
	for (unsigned i = pane_count(); i < VIEWS_MAX; i++)
		if (s->view[i].ops == o && strcmp(s->view[i].arg, arg) == 0)
			return &s->view[i];
	/* Open it outside of the table first, so that a wrong argument does not cost an existing
	 * view. */
	struct pane_view new, *v;
	if (open_view(s, &new, o, arg, e) < 0)
		return NULL;
	v = place_for_view(s);
	*v = new;
	return v;
}

bool
view_timed(const struct pane_view *v)
{
	return v->ops->kind == PANE_STRIP || v->ops->kind == PANE_TIME;
}

bool
view_applies(const struct screen *s, const struct pane_view *v)
{
	if (!pane_is_of(v->ops, screen_when(s)))
		return false;
	return !screen_sim(s) || ((!v->ops->applies || v->ops->applies(s)) &&
				  (!v->ops->present || v->ops->present(s, v)));
}
