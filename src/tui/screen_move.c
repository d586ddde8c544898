/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_move.c - the screen commands that move the cursor, scroll and search, and those about keys
 * and the command line.
 */
#include "base/human.h"
#include "base/number.h"
#include "base/words.h"
#include "tui/screen_part.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
move_focus(struct screen *s, int by)
{
	int n = (int)screen_cores(s), c = (int)session_focus_core(s->session) + by;

	session_set_focus_core(s->session, (unsigned)MAX(0, MIN(c, n - 1)));
}

/* Finds the nearest decision about the core, or about the whole GPU, before or after the cursor.
 * *any: there is one of this kind at another time. */
static cycle_t
find_decision(const struct screen *s, enum decisions which, bool forward, bool *any)
{
	const struct event_ring *r = sim_events(screen_sim(s));
	int core = (int)session_focus_core(s->session);
	cycle_t at = axis_cursor(&s->axis), found = CYCLE_NEVER;

	*any = false;
	for (uint64_t seq = r->next; seq > r->first; seq--) {
		const struct event *ev = event_ring_get(r, seq - 1);
		if (!ev)
			break;
		if ((ev->core >= 0 && ev->core != core) || !screen_is_decision(ev, which))
			continue;
		*any = true;
		if (forward && ev->cycle > at)
			found = ev->cycle; /* an older one may be nearer to the cursor */
		else if (forward || ev->cycle < at)
			return forward ? found : ev->cycle;
	}
	return found;
}

/* Moves to the decision before or after the cursor that changed something of the core in focus; in
 * a run whose policy changes nothing, to any decision about it. */
static void
go_to_event(struct screen *s, int by)
{
	struct twin_saved saved = twin_enter(s, s->twin.focus);
	bool forward = by > 0, any;
	cycle_t found = find_decision(s, DECISIONS_CHANGE, forward, &any);

	if (found == CYCLE_NEVER && !any)
		found = find_decision(s, DECISIONS_ALL, forward, &any);
	twin_leave(s, &saved);
	if (found == CYCLE_NEVER)
		screen_notice(s, "no %s decision about core %u %s", forward ? "later" : "earlier",
			      session_focus_core(s->session),
			      forward ? "changes anything" : "that changed something is kept");
	else
		axis_goto(&s->axis, found);
}

static void
go_to_period(struct screen *s, int by)
{
	cycle_t done, p = screen_sim(s) ? sim_period(screen_sim(s), &done) : 0;
	cycle_t period = p ? p : s->axis.base, at = axis_cursor(&s->axis);

	if (by > 0)
		at = (at / period + 1) * period;
	else
		at = at > period ? (at - 1) / period * period : 1;
	if (at > s->axis.now)
		axis_move(&s->axis, s->axis.w); /* move to the newest cycle */
	else
		axis_goto(&s->axis, at);
}

static void
move_by_columns(struct screen *s, int by)
{
	axis_move(&s->axis, by);
}

static void
go_to_end(struct screen *s, int by)
{
	if (by < 0)
		axis_goto(&s->axis, 1);
	else
		axis_follow(&s->axis);
}

#define MOST_TIMES 10000 /* that a move is repeated */

static const struct move {
	const char *word;
	void (*fn)(struct screen *s, int by);
	int by;
	bool in_time; /* needs a run */
} moves[] = {
	{"up", move_focus, -1, false},
	{"down", move_focus, 1, false},
	{"left", move_by_columns, -1, true},
	{"right", move_by_columns, 1, true},
	{"start", go_to_end, -1, true},
	{"end", go_to_end, 1, true},
	{"previous-event", go_to_event, -1, true},
	{"next-event", go_to_event, 1, true},
	{"previous-period", go_to_period, -1, true},
	{"next-period", go_to_period, 1, true},
	{"previous-hit", screen_to_hit, -1, true},
	{"next-hit", screen_to_hit, 1, true},
};

static int
go_to_cycle(struct screen *s, const char *arg, struct err *e)
{
	uint64_t v;
	char now[HUMAN];

	if (number_count(arg, &v) || v > s->axis.now)
		return err_set(e, "cursor: '%s' is not a cycle of this run: 1 to %s", arg,
			       human(now, s->axis.now));
	axis_goto(&s->axis, v);
	return 0;
}

static int
go_to_bookmark(struct screen *s, const char *name, struct err *e)
{
	cycle_t at = *name >= 'a' && *name <= 'z' && !name[1] ? s->bookmark[*name - 'a'] : 0;
	char cycle[HUMAN];

	if (!at)
		return err_set(e, "cursor: no bookmark '%s'; m and a letter sets one", name);
	if (at > s->axis.now)
		return err_set(e, "cursor: bookmark %s is at cycle %s, after the end of the run",
			       name, human(cycle, at));
	axis_goto(&s->axis, at);
	return 0;
}

int
screen_do_cursor(struct screen *s, const char *arg, struct err *e)
{
	const struct move *m = moves;
	const char *rest = arg;
	struct span word = word_next(&rest);
	uint64_t times = 1;

	if (arg[0] == '\'')
		return go_to_bookmark(s, arg + 1, e);
	if (arg[0] >= '0' && arg[0] <= '9')
		return go_to_cycle(s, arg, e);
	while (m < moves + ARRAY_LEN(moves) && !span_is(word, m->word))
		m++;
	if (m == moves + ARRAY_LEN(moves))
		return screen_wrong_word("cursor", arg, e);
	rest = skip_blanks(rest);
	if (*rest && (number_count(rest, &times) || times > MOST_TIMES))
		return err_set(e, "cursor %s: '%.40s' is no number up to %d", m->word, rest,
			       MOST_TIMES);
	if (m->in_time && (!screen_sim(s) || s->axis.now == 0))
		return err_set(e, "nothing has run yet; Space runs the model");
	while (times--)
		m->fn(s, m->by);
	return 0;
}

/* Scrolls the overlay or pane on top: the help, the large result, the active pane or the log. */
int
screen_do_scroll(struct screen *s, const char *arg, struct err *e)
{
	static const struct {
		const char *word;
		int lines, pages;
	} steps[] = {{"up", -1, 0},	  {"down", 1, 0},	  {"page-up", 0, -1},
		     {"page-down", 0, 1}, {"start", -1000000, 0}, {"end", 1000000, 0}};
	size_t i = 0;

	while (i < ARRAY_LEN(steps) && strcmp(arg, steps[i].word) != 0)
		i++;
	if (i == ARRAY_LEN(steps))
		return screen_wrong_word("scroll", arg, e);
	int by = steps[i].lines + steps[i].pages * MAX(s->canvas->h / 2, 1);
	if (s->help) {
		s->help_top = MAX(0, MIN(s->help_top + by, s->help_rows));
		return 0;
	}
	if (!s->log_open && s->pane->ops->scroll) {
		s->pane->ops->scroll(s, s->pane, by);
		return 0;
	}
	/* The large result counts lines from its first, the log backwards from its last. */
	int64_t at = (int64_t)s->log_back + (s->log_open ? by : -by);
	int64_t most = s->log_open ? (int64_t)(s->log_to - s->log_from) - 1
				   : (int64_t)session_log_count(s->session) - 1;
	s->log_back = (unsigned)MAX(0, MIN(at, most));
	return 0;
}

int
screen_do_sort(struct screen *s, const char *arg, struct err *e)
{
	if (!s->pane->ops->sort)
		return err_set(e, "sort: the pane %s has only one order", s->pane->ops->name);
	return s->pane->ops->sort(s, s->pane, arg, e);
}

/* Searches in the open help, from the line shown first on or after the last line found. */
static int
search_help(struct screen *s, const char *arg, struct err *e)
{
	bool again = !*arg || strcmp(arg, s->search) == 0;
	int from = again && s->help_hit >= 0 ? s->help_hit + 1 : s->help_top, hit;

	if (!again)
		snprintf(s->search, sizeof(s->search), "%s", arg);
	if (!s->search[0])
		return err_set(e, "search: expected a text");
	hit = help_find(s, s->search, from);
	if (hit < 0)
		return err_set(e, "'%s' is not in the help", s->search);
	screen_notice(s, "'%s', line %d of %d; / and Enter: the next", s->search, hit + 1,
		      s->help_rows);
	s->help_hit = s->help_top = hit;
	return 0;
}

int
screen_do_search(struct screen *s, const char *arg, struct err *e)
{
	unsigned n = session_log_count(s->session);

	if (s->help && !s->page && (*arg || s->mode != MODE_KEYS))
		return search_help(s, arg, e);
	if (*arg && strcmp(arg, s->search) != 0) {
		snprintf(s->search, sizeof(s->search), "%s", arg);
		s->log_back = 0;
	} else if (!*arg && s->mode == MODE_KEYS) {
		s->mode = MODE_SEARCH;
		return 0;
	}
	if (!s->search[0])
		return err_set(e, "search: expected a text");
	for (unsigned back = s->log_back; back < n; back++) {
		enum say kind;
		const char *text = session_log_line(s->session, n - 1 - back, &kind);
		if (text && strstr(text, s->search) && (back > s->log_back || s->log_back == 0)) {
			s->pane = view_of(s, &pane_log);
			s->log_open = false;
			s->log_back = back;
			screen_notice(s, "'%s', %u lines back", s->search, back);
			return 0;
		}
	}
	s->log_back = 0;
	return err_set(e, "'%s' is not in the log before here", s->search);
}

int
screen_do_bind(struct screen *s, const char *arg, struct err *e)
{
	struct span word = word_next(&arg);
	char key[32];

	arg = skip_blanks(arg);
	if (!word.n || !*arg || !span_copy(word, key, sizeof(key)))
		return err_set(e, "expected: bind KEY COMMAND, for example  bind x why not");
	return keymap_bind(&s->keymap, key, arg, e);
}

int
screen_do_prompt(struct screen *s, const char *arg, struct err *e)
{
	bool history = strcmp(arg, "history") == 0, keep = strcmp(arg, "keep") == 0;

	if (*arg && !keep && !history)
		return screen_wrong_word("prompt", arg, e);
	s->mode = MODE_PROMPT;
	s->keeps_prompt = keep;
	if (history) /* readline's key for it */
		snprintf(s->prefill, sizeof(s->prefill), "%c", K_CTRL('r'));
	return 0;
}

int
screen_do_pause(struct screen *s, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	s->want_pause = true;
	return 0;
}

int
page_do_help(struct screen *s, const char *arg ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	s->help = !s->help;
	return 0;
}

int
page_do_cursor(struct screen *s, const char *arg, struct err *e)
{
	return s->page->ops->cursor(s->page, s, arg, e);
}

int
page_do_quit(struct screen *s, const char *arg ATTR_UNUSED, struct err *e ATTR_UNUSED)
{
	s->page->is_left = true;
	return 0;
}
