/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen.c - holds the state of the view, answers the questions of panes, and handles keys
 * (screen.h). screen_draw.c draws a frame; screen_command.c finds the screen commands.
 */
#include "tui/screen.h"
#include "session/session.h"
#include "tui/key_count.h"
#include "tui/key_word.h"
#include "tui/panes.h"
#include <math.h>
#include <stdarg.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
screen_init(struct screen *s, struct session *session, const struct theme *t, enum depth depth,
	    bool unicode)
{
	memset(s, 0, sizeof(*s));
	s->session = session;
	s->theme = *t;
	s->depth = depth;
	s->unicode = unicode;
	s->cursor_x = s->cursor_y = -1;
	s->help_hit = s->spotlight = -1;
	s->select_from = CYCLE_NEVER;
	s->budget = 0.05;
	s->replay.slice = s->twin.replay.slice = 0.03;
	axis_init(&s->axis);
	views_init(s);
	s->pane = s->front = &s->view[0];
	screen_painter(s);
	screen_resize(s, 80, 24);
}

void
screen_free(struct screen *s)
{
	views_free(s);
	axis_marks_free(&s->marks);
	lesson_text_free(&s->lesson);
	twin_free_view(s);
	canvas_free(s->canvas);
	s->canvas = NULL;
}

void
screen_resize(struct screen *s, int w, int h)
{
	if (s->canvas && s->canvas->w == w && s->canvas->h == h)
		return;
	canvas_free(s->canvas);
	s->canvas = canvas_new(MIN(MAX(w, 1), 1000), MIN(MAX(h, 1), 1000));
}

void
screen_painter(struct screen *s)
{
	painter_init(&s->painter, &s->theme, s->depth, s->unicode);
}

void
screen_notice(struct screen *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->notice, sizeof(s->notice), fmt, ap);
	va_end(ap);
}

enum key_when
screen_when(const struct screen *s)
{
	if (s->page)
		return s->page->ops->when(s->page);
	return session_running(s->session) ? WHEN_RUNNING : WHEN_STOPPED;
}

/* ---------------------------------------------------------------- for panes */

struct sim *
screen_machine(const struct screen *s)
{
	return s->twin.side == SIDE_TWIN ? session_twin(s->session) : session_sim(s->session);
}

struct sim *
screen_sim(const struct screen *s)
{
	return s->replay.given ? s->replay.given : screen_machine(s);
}

unsigned
screen_cores(const struct screen *s)
{
	const struct sim *sim = screen_sim(s);
	unsigned n = sim ? sim_instances(sim, "core") : 0;

	return n ? n : 30;
}

unsigned
screen_heat_panes(void)
{
	unsigned n = 0;

	for (unsigned i = 0; pane_table[i]; i++)
		n += pane_is_strip(pane_table[i]);
	return n;
}

bool
screen_live(const struct screen *s)
{
	return s->axis.cursor == CYCLE_NEVER;
}

const char *
screen_plain_policy(void)
{
	unsigned n;

	return cta_sched_list(&n)[0]->name;
}

int
screen_sample(const struct screen *s)
{
	return screen_sim(s) ? series_at(screen_sim(s), axis_cursor(&s->axis)) : -1;
}

int
screen_level_sample(const struct screen *s)
{
	return screen_sim(s) ? series_level_at(screen_sim(s), axis_cursor(&s->axis)) : -1;
}

double
screen_series(const struct screen *s, enum series_core_field f, unsigned core)
{
	int i = series_core_rows[f].level ? screen_level_sample(s) : screen_sample(s);

	return i < 0 ? NAN : series_core(screen_sim(s), f, core, (unsigned)i);
}

bool
screen_is_decision(const struct event *ev, enum decisions which)
{
	bool routine = ev->kind == EV_CREDIT || ev->kind == EV_CTA_ISSUE || ev->kind == EV_CTA_DONE;

	return sim_event_is_decision(ev) && !(which >= DECISIONS_POLICY && routine) &&
	       !(which == DECISIONS_CHANGE && ev->kind == EV_PERIOD);
}

const struct event *
screen_decision(const struct screen *s, int core, enum decisions which, uint64_t *seq)
{
	const struct event_ring *r = screen_sim(s) ? sim_events(screen_sim(s)) : NULL;
	const struct event *before = r && *seq != UINT64_MAX ? event_ring_get(r, *seq) : NULL;
	cycle_t until = axis_cursor(&s->axis);

	if (!r)
		return NULL;
	/* Bounded, so that a frame stays cheap however many events there are. */
	for (uint64_t i = MIN(*seq, r->next), n = 0; i > r->first && n < 4096; i--, n++) {
		const struct event *ev = event_ring_get(r, i - 1);
		if (!ev)
			return NULL;
		if ((ev->cycle > until && !screen_live(s)) || (core >= 0 && ev->core != core) ||
		    !screen_is_decision(ev, which) ||
		    (before && before->cycle == ev->cycle && before->core == ev->core &&
		     before->kernel == ev->kernel))
			continue;
		*seq = i - 1;
		return ev;
	}
	return NULL;
}

/* ---------------------------------------------------------------- session commands */

void
screen_before(struct screen *s, const char *command)
{
	replay_forget(s);
	snprintf(s->command, sizeof(s->command), "%s", command);
	s->said = 0;
	s->log_open = false;
	s->log_back = 0;
	if (s->pane->ops == &pane_summary) /* what the command prints would stand below it */
		screen_close_over(s);
	s->was_done = screen_sim(s) && sim_done(screen_sim(s));
}

void
screen_after(struct screen *s)
{
	/* In a presentation the panes are what the audience should see. */
	if (!s->was_done && screen_sim(s) && sim_done(screen_sim(s)) &&
	    !session_presents(s->session))
		screen_open_over(s, &pane_summary);
	/* Counted from the end, because the log may have dropped its oldest lines. */
	s->log_to = session_log_count(s->session);
	s->log_from = s->log_to - MIN(s->said, s->log_to);
	int rows = 0;
	for (unsigned i = s->log_from; i < s->log_to && rows < 1000; i++)
		rows += log_line_rows(s, i, s->layout.log.w - 7);
	s->log_open = rows > s->layout.log.h;
	if (s->layout.log.h == 0 && s->said == 1) { /* a small screen has no log */
		enum say kind;
		const char *text = session_log_line(s->session, s->log_from, &kind);
		if (!text || text_width(text) > s->canvas->w - 2)
			return;
		screen_notice(s, "%s", text);
		s->log_open = false;
	}
}

/* ---------------------------------------------------------------- keys */

/* Returns the command of a key while the help is shown, or NULL for keys that mean the same
 * everywhere. No key acts on what the help covers. */
static const char *
help_key(struct screen *s, int key)
{
	const char *scroll = s->page ? NULL : keys_scroll(key);

	if (key == ':' || key == K_CTRL('l'))
		return NULL;
	if (key == 'q' || key == '?' || key == K_F1 || key == K_ESCAPE)
		return s->page ? "help" : "pane help";
	if (key == ' ' && !s->page)
		return "scroll page-down";
	if (key == '/' && !s->page)
		return "search";
	if (!scroll)
		screen_notice(s, "the help is open; q or Escape closes it");
	return scroll ? scroll : "";
}

/* Replaces "%c" in a binding by the core in focus, "%t" by the cycle at the time cursor, "%r" by
 * the policy that others are compared with, and "%@" by core and cycle as arguments,
 * " core 5 at 22528", or by nothing while the cursor is at the newest. */
static const char *
expand_command(const struct screen *s, const char *command, char *buf, size_t size)
{
	const char *p = strchr(command, '%');
	char text[64] = "";

	if (command == buf)
		return buf;
	while (p && !strchr("ctr@", p[1] ? p[1] : '%'))
		p = strchr(p + 1, '%');
	if (!p) {
		snprintf(buf, size, "%s", command);
		return buf;
	}
	if (p[1] == 'r')
		snprintf(text, sizeof(text), "%s", screen_plain_policy());
	else if (p[1] != '@')
		snprintf(text, sizeof(text), "%" PRIu64,
			 p[1] == 'c' ? session_focus_core(s->session) : axis_cursor(&s->axis));
	else if (!screen_live(s))
		snprintf(text, sizeof(text), " core %u at %" PRIu64, session_focus_core(s->session),
			 axis_cursor(&s->axis));
	snprintf(buf, size, "%.*s%s%s", (int)(p - command), command, text, p + 2);
	return buf;
}

/* m and a letter set a bookmark, ' and a letter go to one. Returns NULL for other keys. */
static const char *
bookmark_key(struct screen *s, int key, char *buf, size_t size)
{
	int prefix = s->prefix;

	if (prefix == 'm' || prefix == '\'') {
		s->prefix = 0;
		if (key < 'a' || key > 'z')
			return "bookmark";
		snprintf(buf, size, prefix == 'm' ? "bookmark %c" : "cursor '%c", key);
		return buf;
	}
	if ((key != 'm' && key != '\'') || keymap_is_own(&s->keymap, key) || s->help)
		return NULL;
	s->prefix = key;
	return "";
}

bool
screen_welcomes(const struct screen *s)
{
	return !screen_sim(s) ||
	       (series_count(screen_sim(s)) == 0 && s->main[0]->ops->kind == PANE_STRIP);
}

/* Whether the key shows the CTA slots of a core: Enter on a core does. A strip has no rows of cores
 * while the welcome text, which promises the same, takes its place. */
static bool
shows_slots(const struct screen *s, int key)
{
	const struct pane_view *v = s->pane;
	bool rows = v->rows.half || (screen_sim(s) && screen_welcomes(s));
	bool of_cores = (v->ops->kind == PANE_STRIP && rows) || v->ops == &pane_core;

	return key == '\r' && of_cores && !s->log_open && !keymap_is_own(&s->keymap, key);
}

/* The active pane's own meaning of a key, which it reads from the machine that it shows. */
static const char *
pane_key(struct screen *s, int key, char *buf, size_t size)
{
	struct replay_saved saved;
	const char *command;

	if (!s->pane->ops->key)
		return NULL;
	saved = replay_give_look(s, LOOKS);
	if (view_timed(s->pane))
		replay_give(s, s->pane);
	command = s->pane->ops->key(s, s->pane, key, buf, size);
	replay_return(s, &saved);
	return command;
}

/* Returns the command of `i`: of a CTA or a decision what Enter explains, else what the pane shows.
 * The inspector is the only place that shows a core as it was. */
static const char *
info_key(struct screen *s, char *buf, size_t size)
{
	static const struct {
		const char *pane, *command;
	} other[] = {{"policy", "info policy"},	 {"knobs", "info policy"},
		     {"warps", "info warps"},	 {"source", "info lines"},
		     {"log", "info stats"},	 {"plot", "info gpu"},
		     {"converge", "info gpu"},	 {"gates", "info gates"},
		     {"credits", "info credits"}};
	const struct pane_view *v = s->pane;
	const char *enter = v->ops->kind == PANE_OVER ? NULL : pane_key(s, '\r', buf, size);

	if (enter && strncmp(enter, "pane ", 5) != 0)
		return enter;
	if (v->ops->kind == PANE_STRIP && strncmp(v->arg, "mem.", 4) == 0)
		return "info mem";
	for (size_t i = 0; i < ARRAY_LEN(other); i++)
		if (strcmp(v->ops->name, other[i].pane) == 0)
			return other[i].command;
	return screen_live(s) ? NULL : "pane core";
}

/* Escape drops a selection, unless it closes what stands over the panes. */
static bool
clears_selection(const struct screen *s)
{
	cycle_t from, to;

	return !s->log_open && s->pane->ops->kind != PANE_OVER &&
	       (s->select_from != CYCLE_NEVER || session_selection(s->session, &from, &to));
}

/* Keys that mean something else while two runs are shown. */
static const char *
twin_key(const struct screen *s, int key)
{
	if (!twin_is_on(s) || keymap_is_own(&s->keymap, key))
		return NULL;
	if (key == 'w' && s->twin.focus == SIDE_TWIN)
		return "split why";
	return key == '\t' ? "split swap" : key == 'x' ? "split off" : NULL;
}

/* The keys of a long answer: arrows and page keys scroll it, also where all of it is in view; q and
 * Enter close it; other keys, which the table has, close it first. */
static const char *
answer_key(struct screen *s, int key)
{
	bool is_letter = key > ' ' && key < K_NONE;

	if (!is_letter && keys_scroll(key) && key != K_GG)
		return keys_scroll(key);
	s->log_open = false;
	return key == 'q' || key == '\r' ? "" : NULL;
}

/* Handles a session's keys that come before the table: bookmarks, the two keys that begin with g,
 * the help, the active pane, a long answer. Returns NULL if the table decides; *key may have
 * changed. */
static const char *
session_key(struct screen *s, int *key, char *buf, size_t size)
{
	const char *command;

	if ((command = bookmark_key(s, *key, buf, size)))
		return command;
	if (s->prefix == 'g' && (*key == 'g' || *key == 'h')) {
		*key = *key == 'g' ? K_GG : K_GH;
	} else if (*key == 'g') {
		s->prefix = 'g';
		return "";
	}
	s->prefix = 0;
	if (s->help && (command = help_key(s, *key)))
		return command;
	if (*key == K_ESCAPE && replay_give_up(s))
		return "";
	if (*key == K_ESCAPE && clears_selection(s))
		return "select none";
	if ((command = pane_key(s, *key, buf, size)))
		return expand_command(s, command, buf, size);
	if ((command = twin_key(s, *key)))
		return command;
	if (*key == 'i' && !session_running(s->session) && !s->log_open &&
	    !keymap_is_own(&s->keymap, *key) && (command = info_key(s, buf, size)))
		return expand_command(s, command, buf, size);
	if ((*key == '[' || *key == ']') && session_has_lesson(s->session) &&
	    !keymap_is_own(&s->keymap, *key))
		return *key == ']' ? "turn next" : "turn previous";
	if (shows_slots(s, *key))
		return "pane slots";
	return s->log_open ? answer_key(s, *key) : NULL;
}

/* Explains that a key has a meaning, but not now. */
static void
refuse_key(struct screen *s, const struct key_row *row, enum key_when now)
{
	const char *why = now == WHEN_RUNNING	     ? "the model is running; Space pauses it"
			  : now == WHEN_RACE_OVER    ? "the race has ended; q leaves it"
			  : now == WHEN_RACE_RUNNING ? "the race is running; Space pauses it"
			  : s->page		     ? "not here"
						     : "only while the model runs";

	screen_notice(s, "%s: %s", row->name, why);
}

const char *
screen_key(struct screen *s, int key, char *buf, size_t size)
{
	enum key_when now = screen_when(s);
	const struct key_row *row;
	const char *command;

	s->notice[0] = '\0';
	if (!s->page && s->pane->ops->types && !s->help && key != K_CTRL('l'))
		return s->pane->ops->key(s, s->pane, key, buf, size);
	if (!s->page && !s->help && (command = key_word_take(s, key)))
		return command;
	if (!s->page && !s->help && !s->log_open && !s->prefix && s->pane->ops->kind != PANE_OVER &&
	    (command = key_count_take(s, key, buf, size)))
		return command;
	if (!s->page && (command = session_key(s, &key, buf, size)))
		return command;
	if (s->page && s->help && (command = help_key(s, key)))
		return command;
	command = keymap_find(&s->keymap, key, now, &row);
	if (command)
		return s->page ? command : expand_command(s, command, buf, size);
	if (!s->page && key_hint(key))
		screen_notice(s, "%s", key_hint(key));
	else if (row)
		refuse_key(s, row, now);
	else if (key >= ' ' && key < K_NONE)
		screen_notice(s, "this key has no meaning %s",
			      now & (WHEN_RACE_STOPPED)
				      ? "in a race; Space runs it, ? lists the keys"
				      : "here; ? lists the keys, : begins a command");
	return NULL;
}
