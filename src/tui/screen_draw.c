/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_draw.c - draws one frame: the panes, the lines around them (screen_lines.c), and overlays.
 *
 * The place of every number depends only on the size of the screen. What does not fit is left out,
 * the least important first; nothing is squeezed.
 */
#include "session/session.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/screen_part.h"
#include <stdio.h>
#include <string.h>

struct canvas
screen_part(const struct screen *s, struct rect r)
{
	return canvas_sub(s->canvas, r.x, r.y, r.w, r.h);
}

/* ---------------------------------------------------------------- overlays */

/* Returns the place of what lies over the panes: the screen without the text of a lesson. */
static struct canvas
area_of_panes(const struct screen *s)
{
	const struct rect *lesson = &s->layout.lesson;
	bool is_left = lesson->h && lesson->w < s->canvas->w, is_below = lesson->h && !is_left;
	int x = is_left ? lesson->w + 1 : 0;

	return canvas_sub(s->canvas, x, 0, s->canvas->w - x, is_below ? lesson->y : s->canvas->h);
}

/* Draws a frame over rows y..y+h of the canvas. Returns the inside, blank. */
static struct canvas
draw_box(struct canvas *c, int y, int h, const char *title)
{
	int w = c->w;

	canvas_fill(c, 0, y, w, h, ROLE_TEXT, ' ');
	canvas_fill(c, 0, y, w, 1, ROLE_FRAME, 0x2500);
	canvas_fit(c, 2, y, w - 4, ROLE_TITLE, title);
	return canvas_sub(c, 0, y + 1, w, h - 1);
}

/* Draws "show option (line 1 of 300: Up Down PgUp PgDn) - Esc closes". A long command is cut, so
 * that the rest is seen; a narrow screen has the keys only in its line of keys. */
static void
draw_result_title(const struct screen *s, struct canvas *c, int y, const char *more)
{
	enum { SHORTEST = 12 };
	char command[sizeof(s->command) + 1], rest[100];
	int room;

	snprintf(command, sizeof(command), " %s", s->command);
	snprintf(rest, sizeof(rest), " %s%s", more, s->mode == MODE_KEYS ? "- Esc closes " : "");
	if (c->w - 4 - text_width(rest) < MIN(SHORTEST, text_width(command)))
		snprintf(rest, sizeof(rest), " %s", more);
	room = c->w - 4 - text_width(rest);
	canvas_text(c, 2 + canvas_fit(c, 2, y, room, ROLE_TITLE, command), y, ROLE_TITLE, rest);
}

/* Draws the result of the last command over the panes. */
static void
draw_result(struct screen *s)
{
	struct canvas area = area_of_panes(s);
	int bottom = s->layout.keys.h ? MIN(s->layout.keys.y, area.h) : s->canvas->h - 1,
	    w = area.w - 2;
	int most = bottom - s->layout.header.h - 1, need = 0, tail = 0, y = 0;
	/* In other lines that are typed, the arrows go through its history. */
	bool arrows = s->mode == MODE_KEYS || session_lesson_question(s->session);
	unsigned to = MIN(s->log_to, session_log_count(s->session)), last = to, i;
	char more[64] = "";

	s->log_seen = 0;
	for (i = s->log_from; i < to; i++)
		need += log_line_rows(s, i, w);
	if (most < 1 || need < 1)
		return;
	/* Find the first line of the last page, which ends with the last line. */
	while (last > s->log_from && tail + log_line_rows(s, last - 1, w) <= most)
		tail += log_line_rows(s, --last, w);
	s->log_back = MIN(s->log_back, last - s->log_from);
	if (need > most)
		snprintf(more, sizeof(more), "(line %u of %u: %sPgUp PgDn) ", s->log_back + 1,
			 to - s->log_from, arrows ? "Up Down " : "");
	y = bottom - MIN(need, most) - 1;
	struct canvas in = draw_box(&area, y, MIN(need, most) + 1, "");
	draw_result_title(s, &area, y, more);
	y = 0;
	for (i = s->log_from + s->log_back; i < to && y < in.h; i++)
		y += log_draw_line(s, &in, 1, y, w, i);
	s->log_seen = y > in.h ? i - 1 : i; /* of the last one there is only the beginning */
}

static void
draw_help(struct screen *s)
{
	static const char title[] = " help: j k PgUp PgDn scroll, / searches, q leaves ";
	int y = s->layout.header.h, bottom = s->layout.keys.h ? s->layout.keys.y : s->canvas->h - 1;
	struct canvas in;

	if (bottom - y < 2)
		return;
	in = draw_box(s->canvas, y, bottom - y, title);
	s->help_rows = help_page(s, &in, s->help_top);
	if (s->help_top > MAX(s->help_rows - in.h, 0)) {
		s->help_top = MAX(s->help_rows - in.h, 0);
		in = draw_box(s->canvas, y, bottom - y, title);
		help_page(s, &in, s->help_top);
	}
	if (s->help_hit >= 0)
		canvas_attr(&in, 0, s->help_hit - s->help_top, in.w, ATTR_REVERSE);
	if (s->help_top + in.h < s->help_rows)
		canvas_right(s->canvas, s->canvas->w - 12, y, 10, ROLE_TITLE, " more ");
}

/* Draws completions in columns over the panes. The text of a lesson stays in view. */
static void
draw_popup(struct screen *s)
{
	struct canvas area = area_of_panes(s);
	int bottom = s->layout.keys.h ? MIN(s->layout.keys.y, area.h) : s->canvas->h - 1, w = 1,
	    cols, rows, shown;
	char title[64];

	if (s->mode != MODE_PROMPT || s->line.n_popup == 0)
		return;
	for (unsigned i = 0; i < s->line.n_popup; i++)
		w = MAX(w, text_width(s->line.popup[i]) + 2);
	cols = MAX((area.w - 2) / w, 1);
	rows = ((int)s->line.n_popup + cols - 1) / cols;
	shown = MIN(rows, MAX(bottom - s->layout.header.h - 1, 0));
	if (shown < 1)
		return;
	snprintf(title, sizeof(title),
		 shown < rows ? " %u completions, the first of them " : " %u completions ",
		 s->line.n_popup);
	struct canvas in = draw_box(&area, bottom - shown - 1, shown + 1, title);
	for (unsigned i = 0; i < s->line.n_popup; i++) {
		int row = (int)i % rows, col = (int)i / rows;
		if (row < shown)
			canvas_fit(&in, 1 + col * w, row, w - 1, ROLE_TEXT, s->line.popup[i]);
	}
}

/* ---------------------------------------------------------------- the frame */

/* Returns the whole main area, which holds the welcome text before the first sample. */
static struct canvas
main_area(const struct screen *s)
{
	const struct layout *l = &s->layout;
	int w = 0, h = 0;

	for (unsigned i = 0; i < l->n_main; i++) {
		w = MAX(w, l->main[i].x + l->main[i].w - l->main[0].x);
		h = MAX(h, l->main[i].y + l->main[i].h - l->main[0].y);
	}
	return screen_part(s, (struct rect){l->main[0].x, l->main[0].y, w, h});
}

static void
draw_panes(struct screen *s, struct pane_view *const *view, const struct rect *place, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct canvas c = screen_part(s, place[i]);
		if (!c.w || !c.h)
			continue;
		replay_draw(s, view[i], &c);
		if (view[i]->ops->kind == PANE_TIME && !s->page && s->twin.side == SIDE_SESSION)
			time_axis_draw_changes(s, &c);
	}
}

/* Draws the line between panes that are side by side. */
static void
draw_separator(const struct screen *s)
{
	const struct layout *l = &s->layout;

	if (l->sep_x >= 0)
		canvas_fill(s->canvas, l->sep_x, l->sep_y0, 1, l->sep_y1 - l->sep_y0, ROLE_FRAME,
			    0x2502);
}

/* Draws a message if the layout has panes that are of no use on so small a screen. The rows of a
 * caption count as the layout's: one that comes and goes does not change the answer. */
static bool
is_too_small(struct screen *s)
{
	const struct layout_row *row = &layout_rows[s->want];
	struct canvas c = main_area(s);
	int h = c.h + s->layout.axis[0].h + s->layout.banner.h, more = row->least_h - h,
	    wider = row->least_w - c.w;
	char text[200];

	if (s->pane->ops->kind == PANE_SIDE || (more <= 0 && wider <= 0))
		return false;
	snprintf(text, sizeof(text),
		 "layout %s needs %d columns and %d rows; this screen has %d and %d. Make the "
		 "letters "
		 "smaller, or choose another layout: 'help layout' names them.",
		 row->name, MAX(s->canvas->w, s->canvas->w + wider),
		 MAX(s->canvas->h, s->canvas->h + more), s->canvas->w, s->canvas->h);
	canvas_clear(&c);
	canvas_put(&c, 0, 0, ROLE_FOCUS, 0x25b8);
	canvas_wrap(&c, 1, c.h / 3, c.w - 2, c.h - c.h / 3, ROLE_FOCUS, text);
	return true;
}

static void
draw_main(struct screen *s)
{
	struct layout *l = &s->layout;
	struct canvas c;

	if (screen_sim(s) && is_too_small(s))
		return;

	if (screen_welcomes(s)) {
		c = main_area(s);
		draw_welcome(s, &c);
		return;
	}
	draw_panes(s, s->main, l->main, l->n_main);
	struct replay_saved saved = replay_give_look(s, LOOK_SAMPLES);
	for (int i = 0; i < 2; i++) {
		c = screen_part(s, l->axis[i]);
		if (c.w && c.h)
			time_axis_draw(s, &c);
		screen_draw_selection(s, &c);
	}
	replay_return(s, &saved);
}

static void
draw_side(struct screen *s)
{
	struct layout *l = &s->layout;
	struct canvas c;

	if (l->sep_x < 0) {
		/* there is no room for the inspector, so its active pane takes the first place */
		if (s->pane->ops->kind == PANE_SIDE) {
			c = screen_part(s, l->main[0]);
			canvas_clear(&c);
			replay_draw(s, s->pane, &c);
		}
		return;
	}
	draw_separator(s);
	draw_panes(s, s->side, l->side, s->n_side);
}

/* Draws the text of the open lesson, and at the left the line beside it. */
static void
draw_lesson(struct screen *s)
{
	struct rect r = s->layout.lesson;
	struct canvas c = screen_part(s, r);

	lesson_text_draw(s, &c);
	if (r.h && r.w < s->canvas->w)
		canvas_fill(s->canvas, r.w, r.y, 1, r.h, ROLE_FRAME, 0x2502);
}

/* Draws the log in its place, or larger while it is the active pane. */
static void
draw_log(struct screen *s)
{
	struct pane_view *log = view_of(s, &pane_log);
	struct canvas area = area_of_panes(s);
	struct rect r = s->layout.log;
	int bottom = r.y + r.h, want = MAX(r.h, s->canvas->h / 2);

	if (s->pane == log && !s->log_open && want > r.h && s->canvas->h >= 8) {
		struct canvas in = draw_box(&area, bottom - want, want, "");
		pane_log.draw(s, log, &in);
		return;
	}
	struct canvas c = screen_part(s, r);
	if (c.h)
		pane_log.draw(s, log, &c);
}

/* A pane that stands over the others. */
static void
draw_over(struct screen *s)
{
	struct canvas area = area_of_panes(s);
	int bottom = s->layout.keys.h ? MIN(s->layout.keys.y, area.h) : s->canvas->h - 1;
	int most = MIN(bottom - s->layout.header.h - 1, MAX(s->canvas->h / 2, 6)), h;
	struct rect axis = s->layout.axis[0];

	if (s->pane->ops->kind != PANE_OVER || most < 1)
		return;
	h = MIN(MAX(s->pane->ops->height(s, s->pane), 1), most);
	struct canvas in = draw_box(&area, bottom - h - 1, h + 1, s->pane->ops->title);
	canvas_put(&area, 0, bottom - h - 1, ROLE_FOCUS, 0x25b8);
	s->pane->ops->draw(s, s->pane, &in);
	/* What the user changes here is marked on the axis, which the box may cover. */
	if (axis.h && axis.y + axis.h > bottom - h - 1 && screen_sim(s) && !s->pane->ops->types) {
		axis.y = bottom - h - 1 - axis.h;
		struct canvas line = screen_part(s, axis);
		canvas_fill(&line, 0, 0, line.w, line.h, ROLE_TEXT, ' ');
		time_axis_draw(s, &line);
	}
}

/* Returns the length of a sample. The last one of a run may be shorter. */
static cycle_t
sample_span(const struct sim *sim, unsigned n)
{
	cycle_t last = series_span(sim, n - 1);

	return n > 1 ? MAX(last, series_span(sim, n - 2)) : last;
}

/* Draws a page, or its help over it. The command line takes the last row; the row above it tells
 * how to leave it, and the outcome of the last command. */
static void
draw_page(struct screen *s)
{
	struct canvas *c = s->canvas, in = canvas_sub(c, 0, 1, c->w, MAX(c->h - 2, 0)),
		      header = screen_part(s, s->layout.header);

	draw_panes(s, s->main, s->layout.main, s->layout.n_main);
	draw_separator(s);
	s->page->ops->header(s->page, &header);
	if (s->help)
		page_help(s, &in);
	if (s->mode != MODE_KEYS && c->h > 1)
		canvas_fill(c, 0, s->layout.keys.y, c->w, 1, ROLE_TEXT, ' ');
}

static bool
has_ended(const struct sim *sim)
{
	return !sim || sim_done(sim);
}

/* Brings the axis up to date: with two runs, to the one that has come furthest. */
static void
update_axis(struct screen *s)
{
	const struct sim *sim = session_sim(s->session), *twin = session_twin(s->session);
	const struct layout *l = &s->layout;
	unsigned n = sim ? series_count(sim) : 0;
	int w = l->main[0].w;

	for (unsigned i = 1; i < l->n_main; i++)
		w = MIN(w, l->main[i].w);
	axis_update(&s->axis,
		    sim ? MAX(sim_cycle(sim), twin && twin_is_on(s) ? sim_cycle(twin) : 0) : 0,
		    sim && sim_done(sim) && has_ended(twin), n ? sample_span(sim, n) : 512,
		    w - heat_label_width(screen_cores(s)) - (l->sep_x >= 0));
}

/* Draws what the screen says about the cell under the cursor, unless a selection is measured. */
static void
draw_cursor_lines(struct screen *s)
{
	struct canvas at = screen_part(s, s->layout.at), last = screen_part(s, s->layout.last);
	struct replay_saved saved;

	if (screen_draw_measured(s, &at, &last))
		return;
	saved = replay_give_look(s, LOOK_SAMPLES);
	screen_draw_at(s);
	replay_return(s, &saved);
	if (!screen_live(s))
		replay_give_look(s, LOOK_STATE);
	screen_draw_last(s);
	replay_return(s, &saved);
}

/* Draws the half of a run: its title, and the panes below it. */
static void
draw_half(struct screen *s, enum session_side side)
{
	struct layout *l = &s->layout;
	struct rect r = l->half[side];
	struct twin_saved saved = twin_enter(s, side);
	int dx = r.x - l->half[0].x, dy = r.y - l->half[0].y;
	struct canvas half = screen_part(s, r), title;

	canvas_clear(&half);
	layout_move(l, dx, dy);
	if (r.h > 1)
		draw_main(s);
	if (r.h > 1)
		draw_side(s);
	layout_move(l, -dx, -dy);
	title = canvas_sub(&half, 0, 0, half.w, 1);
	twin_draw_title(s, side, &title);
	twin_leave(s, &saved);
}

/* Both halves use one range of colours, which a side may widen: then they are drawn again. */
static void
draw_halves(struct screen *s)
{
	const struct layout *l = &s->layout;
	bool both = memcmp(&l->half[0], &l->half[1], sizeof(l->half[0])) != 0, again = false;
	struct heat_range shown[LAYOUT_MAIN];

	if (!both) {
		draw_half(s, s->twin.focus);
		return;
	}
	for (unsigned pass = 0; pass < 2 && (pass == 0 || again); pass++) {
		draw_half(s, SIDE_SESSION);
		for (unsigned i = 0; i < l->n_main; i++)
			shown[i] = s->main[i]->shown;
		draw_half(s, SIDE_TWIN);
		for (unsigned i = 0; i < l->n_main; i++)
			again |= memcmp(&shown[i], &s->main[i]->shown, sizeof(shown[i])) != 0;
	}
	if (l->half[1].y == l->half[0].y)
		canvas_fill(s->canvas, l->half[1].x - 1, l->half[0].y, 1, l->half[0].h, ROLE_FRAME,
			    0x2502);
}

/* Draws both runs, and the strip of their difference. */
static void
draw_twin(struct screen *s)
{
	struct canvas strip = screen_part(s, s->layout.strip);
	struct twin_saved saved;

	for (unsigned side = 0; side < SIDES; side++) {
		saved = twin_enter(s, side);
		replay_update(s, s->replay.slice / 2);
		twin_leave(s, &saved);
	}
	twin_measure(s);
	draw_halves(s);
	twin_draw_strip(s, &strip);
	saved = twin_enter(s, s->twin.focus);
	screen_draw_header(s);
	draw_cursor_lines(s);
	twin_leave(s, &saved);
}

/* Draws the only run. */
static void
draw_alone(struct screen *s)
{
	replay_update(s, s->replay.slice);
	screen_draw_header(s);
	draw_main(s);
	draw_side(s);
	draw_cursor_lines(s);
}

static void
draw_session(struct screen *s)
{
	if (!session_running(s->session))
		twin_follow(s, s->replay.slice);
	update_axis(s);
	if (session_twin(s->session) && twin_is_on(s))
		draw_twin(s);
	else
		draw_alone(s);
	draw_lesson(s);
	draw_log(s);
	draw_over(s);
	if (s->log_open)
		draw_result(s);
	if (s->help)
		draw_help(s);
	draw_popup(s);
}

void
screen_draw(struct screen *s)
{
	s->frames++;
	s->painter.braille = s->unicode && !s->no_braille && !session_thick_lines(s->session);
	canvas_clear(s->canvas);
	screen_place(s);
	if (s->page)
		draw_page(s);
	else
		draw_session(s);
	screen_draw_banner(s);
	screen_draw_keys(s);
	screen_draw_prompt(s);
}
