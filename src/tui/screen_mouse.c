/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_mouse.c - handles the mouse, and the part of the run that the user selects with it.
 *
 *     click     activates the pane, puts the core of the row in focus, and moves the time
 *               cursor there; if two cores share a row, a second click chooses the lower one
 *     wheel     zooms around the pointer, or with Shift moves in time; scrolls the log and
 *               long answers
 *     drag      selects the columns it crosses; after the release the panes show only these,
 *               and `dump csv TABLE FILE selection` writes them
 *
 * Beside another run a click acts on the half under the pointer and puts it in focus.
 * Everything can be done without a mouse: with keys, `cursor`, `zoom` and `select`.
 */
#include "base/human.h"
#include "base/number.h"
#include "tui/screen_part.h"
#include <inttypes.h>
#include <string.h>

static bool
is_inside(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}

/* Returns the view under the pointer and its place, NULL if there is none. */
static struct pane_view *
view_at(struct screen *s, int x, int y, const struct rect **r)
{
	const struct layout *l = &s->layout;

	for (unsigned i = 0; i < l->n_main; i++)
		if (is_inside(*r = &l->main[i], x, y))
			return s->main[i];
	for (unsigned i = 0; i < s->n_side; i++)
		if (is_inside(*r = &l->side[i], x, y))
			return s->side[i];
	return is_inside(*r = &l->log, x, y) ? view_of(s, &pane_log) : NULL;
}

/* Returns the column of the time axis under x in a pane at r, -1 outside. */
static int
column_at(const struct screen *s, const struct rect *r, int x)
{
	int col = x - r->x - heat_label_width(screen_cores(s));

	return col >= 0 && col < s->axis.w ? col : -1;
}

/* Whether the pointer is over the panes that share the time axis, or over the axis itself. */
static bool
over_time(struct screen *s, int x, int y, const struct rect **r, struct pane_view **view)
{
	*view = view_at(s, x, y, r);
	for (int i = 0; !*view && i < 2; i++)
		if (is_inside(*r = &s->layout.axis[i], x, y))
			return true;
	return *view && view_timed(*view);
}

static cycle_t
column_end(const struct axis *a, int col)
{
	return a->t0 + (cycle_t)(col + 1) * a->per;
}

/* Puts the core of a strip's row in focus. If several cores share the row, it is the first of them,
 * or the one after the core in focus. */
static void
focus_row(struct screen *s, const struct pane_view *v, int row)
{
	unsigned focus = session_focus_core(s->session), core, end;

	if (row < 0 || !v->rows.half)
		return;
	core = v->rows.top + 2 * (unsigned)row / v->rows.half;
	end = v->rows.half == 1 ? core + 2 : core + 1;
	if (v->rows.folded) {
		core = (unsigned)row * v->rows.n / v->rows.folded;
		end = ((unsigned)row + 1) * v->rows.n / v->rows.folded;
	}
	if (focus >= core && focus + 1 < MIN(end, v->rows.n))
		core = focus + 1;
	if (core < v->rows.n)
		session_set_focus_core(s->session, core);
}

static void
press_button(struct screen *s, const struct mouse *m)
{
	const struct rect *r;
	struct pane_view *v;
	bool timed = over_time(s, m->x, m->y, &r, &v);
	int col = timed ? column_at(s, r, m->x) : -1;

	s->drag.down = false;
	if (v) {
		s->pane = v;
		if (v->ops->kind != PANE_SIDE && v->ops->kind != PANE_LOG)
			s->front = v;
		focus_row(s, v, m->y - r->y - 1);
		if (v->ops->click)
			v->ops->click(s, v, m->x - r->x, m->y - r->y);
	}
	if (col < 0 || s->axis.now == 0)
		return;
	s->drag = (struct screen_drag){
		.down = true, .from = col, .to = col, .x = r->x, .cursor = s->axis.cursor};
	if (column_end(&s->axis, col) - s->axis.per >= s->axis.now)
		axis_follow(&s->axis);
	else
		axis_goto(&s->axis, column_end(&s->axis, col));
}

/* Selects the columns between press and pointer; they stay within one pane wherever the pointer
 * goes. */
static void
drag_to(struct screen *s, const struct mouse *m)
{
	int col = m->x - s->drag.x - heat_label_width(screen_cores(s));

	char from[HUMAN], to[HUMAN];

	if (!s->drag.down)
		return;
	s->drag.to = MAX(0, MIN(col, s->axis.w - 1));
	if (s->drag.to == s->drag.from)
		return;
	s->drag.moved = true;
	screen_notice(s, "cycles %s to %s: let go to zoom to them",
		      human(from,
			    s->axis.t0 + (cycle_t)MIN(s->drag.from, s->drag.to) * s->axis.per),
		      human(to, column_end(&s->axis, MAX(s->drag.from, s->drag.to))));
}

static void
select_part(struct screen *s, cycle_t from, cycle_t to)
{
	char first[HUMAN], last[HUMAN];

	session_select(s->session, from, to);
	axis_show_range(&s->axis, from, to);
	screen_notice(s, "selected %s..%s: dump csv series FILE selection; 0 shows all",
		      human(first, from), human(last, to));
}

static void
release_button(struct screen *s)
{
	struct screen_drag d = s->drag;
	cycle_t from = s->axis.t0 + (cycle_t)MIN(d.from, d.to) * s->axis.per;
	cycle_t to = MIN(column_end(&s->axis, MAX(d.from, d.to)), s->axis.now);

	s->drag.down = false;
	if (!d.down || !d.moved || d.from == d.to || from >= to)
		return;
	s->axis.cursor = d.cursor; /* a selection does not move the cursor */
	select_part(s, from, to);
}

static void
turn_wheel(struct screen *s, const struct mouse *m)
{
	const struct rect *r;
	struct pane_view *v;
	struct err e;

	if (s->help || s->log_open) {
		for (int i = 0; i < 3; i++)
			screen_do_scroll(s, m->by < 0 ? "up" : "down", &e);
	} else if (over_time(s, m->x, m->y, &r, &v)) {
		int col = column_at(s, r, m->x);

		if (m->sideways)
			axis_pan(&s->axis, m->by * MAX(s->axis.w / 8, 1));
		else
			axis_zoom_at(&s->axis, -m->by, col < 0 ? s->axis.w / 2 : col);
	} else if (v && v->ops->kind == PANE_LOG) {
		for (int i = 0; i < 3; i++)
			screen_do_scroll(s, m->by < 0 ? "up" : "down", &e);
	}
}

static void
click_page(struct screen *s, const struct mouse *m)
{
	const struct rect *r;
	struct pane_view *v = view_at(s, m->x, m->y, &r);

	if (v && v->ops->click && m->kind == MOUSE_PRESS && m->button == 0)
		v->ops->click(s, v, m->x - r->x, m->y - r->y);
}

/* Acts on the only run, or on the side that twin_enter() has chosen. */
static void
act_on_panes(struct screen *s, const struct mouse *m)
{
	if (m->kind == MOUSE_WHEEL) {
		turn_wheel(s, m);
	} else if (m->kind == MOUSE_PRESS && (s->help || s->log_open)) {
		s->help = s->log_open = false; /* a click beside an overlay closes it */
	} else if (m->kind == MOUSE_PRESS && m->button == 0) {
		press_button(s, m);
	} else if (m->kind == MOUSE_DRAG && m->button == 0) {
		drag_to(s, m);
	} else if (m->kind == MOUSE_RELEASE) {
		release_button(s);
	}
}

/* Which of two runs the pointer is over; outside the halves it is the one in focus. */
static enum session_side
side_at(const struct screen *s, int x, int y)
{
	const struct rect *half = s->layout.half;

	if (memcmp(&half[0], &half[1], sizeof(half[0])) == 0)
		return s->twin.focus;
	return is_inside(&half[SIDE_TWIN], x, y)      ? SIDE_TWIN
	       : is_inside(&half[SIDE_SESSION], x, y) ? SIDE_SESSION
						      : s->twin.focus;
}

/* With two runs the mouse acts on the half under it, which a click puts in focus. Panes have their
 * places in the first half; the cursor of the time axis is that of both. */
static void
act_on_half(struct screen *s, const struct mouse *m)
{
	enum session_side side = side_at(s, m->x, m->y);
	const struct rect *half = s->layout.half;
	int dx = half[side].x - half[0].x, dy = half[side].y - half[0].y;
	bool over = is_inside(&half[side], m->x, m->y), starts = m->kind == MOUSE_PRESS;
	struct mouse there = *m;
	struct twin_saved saved;
	cycle_t before, after;

	if (over && (starts || m->kind == MOUSE_WHEEL)) {
		there.x -= dx;
		there.y -= dy;
	}
	if (over && starts && m->button == 0)
		s->twin.focus = side;
	saved = twin_enter(s, side);
	before = s->axis.cursor;
	act_on_panes(s, &there);
	after = s->axis.cursor;
	twin_leave(s, &saved);
	s->axis.cursor = after != before ? after : s->axis.cursor;
	s->drag.x += over && starts ? dx : 0;
}

void
screen_mouse(struct screen *s, const struct mouse *m)
{
	if (s->page) {
		click_page(s, m);
		return;
	}
	s->notice[0] = '\0';
	s->prefix = 0;
	if (twin_is_on(s) && session_twin(s->session))
		act_on_half(s, m);
	else
		act_on_panes(s, m);
}

void
screen_draw_selection(const struct screen *s, struct canvas *c)
{
	const struct axis *a = &s->axis;
	int label = heat_label_width(screen_cores(s)), from = 0, to = -1;
	cycle_t begin, end;

	if (s->drag.down && s->drag.moved) {
		from = MIN(s->drag.from, s->drag.to);
		to = MAX(s->drag.from, s->drag.to);
	} else if (s->select_from != CYCLE_NEVER) {
		from = axis_column(a, MAX(MIN(s->select_from, axis_cursor(a)), a->t0 + 1));
		to = axis_column(a, MAX(s->select_from, axis_cursor(a)));
		from = MAX(from, 0);
		to = to < 0 ? a->w - 1 : to;
	} else if (session_selection(s->session, &begin, &end) && end > a->t0 &&
		   begin < column_end(a, a->w - 1)) {
		from = begin > a->t0 ? (int)((begin - a->t0) / a->per) : 0;
		to = (int)MIN((end - a->t0 - 1) / a->per, (cycle_t)(a->w - 1));
		/* A selection that fills the view needs no mark. */
		if (to - from + 1 >= a->w * 9 / 10)
			return;
	}
	canvas_attr(c, label + from, 0, to - from + 1, ATTR_REVERSE);
}

/* ---------------------------------------------------------------- commands */

int
screen_do_mouse(struct screen *s, const char *arg, struct err *e)
{
	bool on = *arg ? strcmp(arg, "on") == 0 : !session_mouse(s->session);

	if (*arg && !on && strcmp(arg, "off") != 0)
		return screen_wrong_word("mouse", arg, e);
	session_set_mouse(s->session, on);
	screen_notice(s, on ? "the mouse clicks, drags and zooms; hold Shift to select text"
			    : "the mouse belongs to the terminal");
	return 0;
}

int
screen_do_select(struct screen *s, const char *arg, struct err *e)
{
	cycle_t from = 0, to = CYCLE_NEVER;
	char cycle[HUMAN], now[HUMAN];

	if (strcmp(arg, "none") == 0) {
		session_select(s->session, 0, 0);
		s->select_from = CYCLE_NEVER;
		return 0;
	}
	if (!screen_sim(s) || s->axis.now == 0)
		return err_set(e, "nothing has run yet; Space runs the model");
	if (strcmp(arg, "here") == 0) {
		screen_select_here(s);
		return 0;
	}
	if (number_range(arg, &from, &to))
		return err_set(
			e,
			"select: expected a range such as 1000..2000, here or none; found '%.60s'",
			arg);
	if (from >= s->axis.now)
		return err_set(e, "select: cycle %s has not run yet; the run is at %s",
			       human(cycle, from), human(now, s->axis.now));
	select_part(s, from, MIN(to, s->axis.now));
	return 0;
}
