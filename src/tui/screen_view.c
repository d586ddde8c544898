/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_view.c - the screen commands that set what is shown and how: panes, layout, colours, the
 * scale of the time axis.
 */
#include "tui/screen_part.h"

#include "base/ascii.h"
#include "base/number.h"
#include "base/human.h"
#include "base/output.h"
#include "base/replace.h"
#include "base/words.h"
#include "plot/plot.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
screen_do_layout(struct screen *s, const char *arg, struct err *e)
{
	unsigned i = 0;

	if (strcmp(arg, "src") == 0) /* as gdb calls it */
		arg = "source";
	if (arg[0] >= '1' && arg[0] <= '9' && !arg[1]) {
		i = (unsigned)(arg[0] - '1');
	} else {
		while (i < n_layout_rows && strcmp(arg, layout_rows[i].name) != 0)
			i++;
		if (i == n_layout_rows)
			return screen_wrong_word("layout", arg, e);
	}
	if (!(layout_rows[i].when & WHEN_ALWAYS))
		return err_set(e, "layout %s: %s", layout_rows[i].name, layout_rows[i].help);
	s->want = i;
	/* the pane in front is replaced by the first one of the new layout */
	const char *first = layout_rows[i].main[0];
	struct err none;
	struct pane_view *v = strcmp(first, "*") == 0 ? NULL : view_get(s, first, &none);
	if (v && (s->pane == s->front || s->pane->ops->kind == PANE_SIDE))
		s->pane = v;
	if (v)
		s->front = v;
	if (s->pane->ops->kind == PANE_SIDE)
		s->pane = s->front;
	s->notice[0] = s->lacking[0] = '\0';
	screen_place(s); /* which tells what it has no room for */
	if (!s->notice[0])
		screen_notice(s, "layout %s: %s", layout_rows[i].name, layout_rows[i].help);
	return 0;
}

/* Tab goes through the panes on the screen. If some have no room, it goes through those that the
 * layout names or, in a layout for general use, through all panes that have something to show. */
static struct pane_view *
other_pane(struct screen *s, int by)
{
	struct pane_view *all[VIEWS_MAX + LAYOUT_MAIN + LAYOUT_SIDE + 1];
	int n = 0, at = -1;

	if (s->lacking[0] ||
	    (screen_lone(s) && s->want && layout_rows[s->want].shape == SHAPE_AUTO)) {
		n = (int)screen_layout_panes(s, all);
		all[n++] = view_of(s, &pane_log);
	} else if (screen_lone(s)) {
		for (unsigned i = 0; i < VIEWS_MAX; i++)
			if (s->view[i].ops && s->view[i].ops->kind != PANE_OVER &&
			    (view_applies(s, &s->view[i]) || &s->view[i] == s->pane))
				all[n++] = &s->view[i];
	} else {
		for (unsigned i = 0; i < s->layout.n_main; i++)
			all[n++] = s->main[i];
		for (unsigned i = 0; i < s->n_side; i++)
			all[n++] = s->side[i];
		all[n++] = view_of(s, &pane_log);
	}
	for (int i = 0; i < n; i++)
		at = all[i] == s->pane ? i : at;
	return all[(at + by + n) % n];
}

void
screen_open_over(struct screen *s, const struct pane_ops *pane)
{
	if (s->pane->ops->kind != PANE_OVER)
		s->under = s->pane;
	s->pane = view_of(s, pane);
}

void
screen_close_over(struct screen *s)
{
	if (s->pane->ops->kind == PANE_OVER)
		s->pane = s->under && s->under->ops ? s->under : s->front;
}

int
screen_do_pane(struct screen *s, const char *arg, struct err *e)
{
	struct pane_view *v, *front = s->front, *was = s->pane;
	bool opens = false;

	if (strcmp(arg, "help") == 0) {
		s->help = !s->help;
		s->help_top = 0;
		s->help_hit = -1;
		return 0;
	}
	s->log_open = false;
	s->log_back = 0;
	if (strcmp(arg, "next") == 0) {
		s->pane = other_pane(s, 1);
	} else if (strcmp(arg, "previous") == 0) {
		s->pane = other_pane(s, -1);
	} else if (strcmp(arg, "back") == 0) {
		if (s->pane->ops->kind == PANE_OVER)
			screen_close_over(s);
		else if (s->before && s->before->ops)
			s->pane = s->before;
		else
			screen_notice(s, "no pane to close: none was opened in place of another");
	} else if ((v = view_get(s, arg, e))) {
		s->pane = v;
		opens = true;
	} else {
		return -1;
	}
	if (s->pane->ops->kind == PANE_OVER && was->ops->kind != PANE_OVER)
		s->under = was;
	if (s->pane->ops->kind <= PANE_PAGE)
		s->front = s->pane;
	if (s->front != front)
		s->before = opens ? front : NULL;
	s->help = false;
	return 0;
}

int
screen_do_theme(struct screen *s, const char *arg, struct err *e)
{
	if ((!*arg || strcmp(arg, "next") == 0 ? theme_next(&s->theme, e)
					       : theme_load(&s->theme, arg, e)) < 0)
		return -1;
	screen_painter(s);
	screen_notice(s, "theme %s%s", s->theme.name,
		      s->depth == DEPTH_MONO ? " (colours are off)" : "");
	return 0;
}

int
screen_do_fold(struct screen *s, const char *arg, struct err *e)
{
	static const char *const words[] = {
		[FOLD_MEAN] = "mean", [FOLD_MAX] = "max", [FOLD_OFF] = "off"};
	static const char *const help[] = {
		[FOLD_MEAN] = "cores that share a cell of a strip show their mean",
		[FOLD_MAX] = "cores that share a cell of a strip show the largest value",
		[FOLD_OFF] = "each core has its own cells, and strips scroll"};
	size_t i = 0;

	while (i < ARRAY_LEN(words) && strcmp(arg, words[i]) != 0)
		i++;
	if (i == ARRAY_LEN(words) && *arg && strcmp(arg, "next") != 0)
		return screen_wrong_word("fold", arg, e);
	s->fold = i < ARRAY_LEN(words) ? (enum screen_fold)i : (s->fold + 1) % ARRAY_LEN(words);
	screen_notice(s, "fold %s: %s", words[s->fold], help[s->fold]);
	return 0;
}

bool
screen_dims(const struct screen *s, unsigned core)
{
	return s->spotlight >= 0 && (unsigned)s->spotlight != core;
}

int
screen_do_spotlight(struct screen *s, const char *arg, struct err *e)
{
	unsigned cores = screen_cores(s);
	uint64_t core = session_focus_core(s->session);
	char word[32];

	span_copy(word_next(&arg), word, sizeof(word));
	if (strcmp(word, "core") == 0)
		span_copy(word_next(&arg), word, sizeof(word));
	if (strcmp(word, "off") == 0) {
		s->spotlight = -1;
		return 0;
	}
	if (*word && number_count(word, &core))
		return err_set(e, "spotlight: expected core N or off; found '%s'", word);
	if (core >= cores)
		return err_set(e, "spotlight: no core %" PRIu64 ": this machine has cores 0..%u",
			       core, cores ? cores - 1 : 0);
	s->spotlight = (int)core;
	session_set_focus_core(s->session, (unsigned)core); /* for the inspector and the keys */
	screen_notice(s, "only core %u is shown; 'spotlight off' ends it", (unsigned)core);
	return 0;
}

int
screen_do_zoom(struct screen *s, const char *arg, struct err *e)
{
	cycle_t per = s->axis.per;
	char cycles[HUMAN];
	bool in = !*arg || strcmp(arg, "in") == 0;

	if (strcmp(arg, "all") == 0)
		axis_fit(&s->axis);
	else if (in || strcmp(arg, "out") == 0)
		axis_zoom(&s->axis, in ? 1 : -1);
	else
		return screen_wrong_word("zoom", arg, e);
	if (per == s->axis.per)
		screen_notice(s,
			      in ? "a column is one cycle, the finest scale"
				 : "the whole run is in view, %s cycles in a column",
			      human(cycles, per));
	else
		screen_notice(s, "%s cycle%s in a column", human(cycles, s->axis.per),
			      PLURAL(s->axis.per));
	return 0;
}

int
screen_do_follow(struct screen *s, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	axis_follow(&s->axis);
	return 0;
}

int
screen_do_pan(struct screen *s, const char *arg, struct err *e)
{
	cycle_t t0 = s->axis.t0;
	bool right = strcmp(arg, "right") == 0;

	if (!right && strcmp(arg, "left") != 0)
		return screen_wrong_word("pan", arg, e);
	axis_pan(&s->axis, (right ? 1 : -1) * MAX(s->axis.w / 2, 1));
	if (t0 == s->axis.t0)
		screen_notice(s, s->axis.fit ? "the whole run is in view; + zooms in"
					     : "no more cycles in this direction");
	return 0;
}

static int
dump_ansi(void *screen, FILE *to, struct err *e ATTR_UNUSED)
{
	struct screen *s = screen;

	canvas_dump_ansi(s->canvas, &s->painter, to);
	return 0;
}

static int
dump_text(void *screen, FILE *to, struct err *e ATTR_UNUSED)
{
	const struct screen *s = screen;

	canvas_dump_text(s->canvas, s->unicode, to);
	return 0;
}

int
screen_do_save(struct screen *s, const char *arg, struct err *e)
{
	static const char force[] = " --force";
	char path[PATH_MAX];
	size_t n = (size_t)snprintf(path, sizeof(path), "%s", arg);
	bool forced, ansi;

	if (!*arg || n >= sizeof(path))
		return err_set(e, "expected: save-display FILE (.ans keeps the colours)");
	forced = n > strlen(force) && strcmp(path + n - strlen(force), force) == 0;
	if (forced)
		path[n -= strlen(force)] = '\0';
	if (!forced && replace_check("save-display", path, OWN_SCREEN, e))
		return -1;
	ansi = n > 4 && strcmp(path + n - 4, ".ans") == 0;
	screen_draw(s);
	if (output_replace(path, 0, ansi ? dump_ansi : dump_text, s, e))
		return -1;
	screen_notice(s, "saved to %s", path);
	return 0;
}

/* Makes a name that no file has yet, such as "ctas-22528.svg". */
static void
picture_name(const struct screen *s, const char *what, char *buf, size_t size)
{
	uint64_t cycle = screen_sim(s) ? sim_cycle(screen_sim(s)) : 0;
	char name[40];
	size_t n = 0;

	for (const char *p = what; *p && n + 1 < sizeof(name); p++)
		if (ascii_is_alnum(*p) || (n && name[n - 1] != '_'))
			name[n++] = ascii_is_alnum(*p) ? *p : '_';
	while (n && name[n - 1] == '_')
		n--;
	name[n] = '\0';
	snprintf(buf, size, "%s-%" PRIu64 ".svg", name, cycle);
	for (unsigned i = 2; access(buf, F_OK) == 0 && i < 1000; i++)
		snprintf(buf, size, "%s-%" PRIu64 "-%u.svg", name, cycle, i);
}

static bool
has_picture(const struct pane_ops *pane)
{
	return pane->picture || plot_has_pane(pane->name);
}

static int
no_picture(struct err *e)
{
	char list[200];
	size_t n = 0;

	for (unsigned i = 0; pane_table[i] && n < sizeof(list); i++)
		if (has_picture(pane_table[i]))
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "",
					      pane_table[i]->name);
	return err_set(e, "only panes %s have a picture", list);
}

/* Plots the active pane, or the one in front if the active one has no picture, over the visible
 * cycles. */
int
screen_do_picture(struct screen *s, const char *arg, struct err *e)
{
	const struct pane_view *v = has_picture(s->pane->ops) ? s->pane : s->front;
	char what[VIEW_ARG], name[80], line[900], range[64] = "";

	if (!has_picture(v->ops))
		return no_picture(e);
	if (v->ops->picture)
		v->ops->picture(s, v, what, sizeof(what));
	else
		snprintf(what, sizeof(what), "%s", v->arg[0] ? v->arg : v->ops->name);
	if (!*arg) {
		picture_name(s, what, name, sizeof(name));
		arg = name;
	}
	if (!s->axis.fit)
		snprintf(range, sizeof(range), " %" PRIu64 "..%" PRIu64, s->axis.t0,
			 s->axis.t0 + s->axis.per * (cycle_t)s->axis.w);
	snprintf(line, sizeof(line), "plot %s \"%s\"%s", what, arg, range);
	if (session_exec(s->session, line) ==
	    SESSION_OK) /* on failure the session has printed the reason */
		screen_notice(s, "plotted to %s", arg);
	return 0;
}

int
screen_do_redraw(struct screen *s, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	s->want_redraw = true;
	return 0;
}

int
screen_do_tui(struct screen *s, const char *arg, struct err *e)
{
	bool off = !*arg || strcmp(arg, "off") == 0;

	if (!off && strcmp(arg, "on") != 0)
		return screen_wrong_word("tui", arg, e);
	s->want_leave = off;
	return 0;
}

int
screen_do_budget(struct screen *s, const char *arg, struct err *e)
{
	char *end;
	double v = strtod(arg, &end);

	if (!*arg || *end || !(v >= 1 && v <= 100))
		return err_set(e, "budget: expected a percentage from 1 to 100; found '%s'", arg);
	s->budget = v / 100;
	return 0;
}
