/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen_command.c - the commands that change the view only. Keys and the command line come here
 * first; what is not found goes to the session. One row per command, so that help and completion
 * know it.
 */
#include "base/datadir.h"
#include "base/number.h"
#include "tui/panes.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Index of a word in a list, -1 when it is not there. */
static int
choose(const char *word, const char *const *list, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(word, list[i]) == 0)
			return (int)i;
	return -1;
}

static int
wrong(struct err *e, const char *command, const char *word, const char *const *list, unsigned n)
{
	char all[300] = "";

	for (unsigned i = 0; i < n; i++) {
		size_t at = strlen(all);
		snprintf(all + at, sizeof all - at, "%s%s", i ? ", " : "", list[i]);
	}
	return err_set(e, "%s: expected one of %s; found '%s'", command, all, word);
}

static int
do_layout(struct screen *s, const char *arg, struct err *e)
{
	const char *names[LAYOUT_KINDS];
	int i;

	for (i = 0; i < LAYOUT_KINDS; i++)
		names[i] = layout_rows[i].name;
	i = choose(arg, names, LAYOUT_KINDS);
	if (i < 0 && arg[0] >= '1' && arg[0] <= '9' && !arg[1]) {
		i = arg[0] - '1';
		if (i >= LAYOUT_KINDS)
			return err_set(e, "layouts are 1 to %d", LAYOUT_KINDS);
	}
	if (i < 0)
		return wrong(e, "layout", arg, names, LAYOUT_KINDS);
	s->want = (enum layout_kind)i;
	screen_notice(s, "layout %s: %s", layout_rows[i].name, layout_rows[i].help);
	return 0;
}

/* Tab goes through panes that can be active where they stand. */
static const struct pane_ops *
other_pane(const struct screen *s, int by)
{
	int i = 0, n = (int)pane_count();

	while (pane_table[i] != s->pane)
		i++;
	return pane_table[(i + by + n) % n];
}

static int
do_pane(struct screen *s, const char *arg, struct err *e)
{
	const char *names[PANES_MAX + 3];
	unsigned n = 0;

	if (strcmp(arg, "help") == 0) {
		s->help = !s->help;
		s->help_top = 0;
		return 0;
	}
	s->log_open = false;
	s->log_back = 0;
	if (strcmp(arg, "next") == 0) {
		s->pane = other_pane(s, 1);
	} else if (strcmp(arg, "previous") == 0) {
		s->pane = other_pane(s, -1);
	} else {
		for (; pane_table[n]; n++)
			names[n] = pane_table[n]->name;
		int i = choose(arg, names, n);
		names[n++] = "help";
		names[n++] = "next";
		names[n++] = "previous";
		if (i < 0)
			return wrong(e, "pane", arg, names, n);
		s->pane = pane_table[i];
	}
	if (s->pane->heat)
		s->heat = s->pane;
	s->help = false;
	return 0;
}

struct theme_list {
	char name[64][32];
	unsigned n;
};

static int
add_theme(void *ctx, const char *name, const char *path)
{
	struct theme_list *l = ctx;

	(void)path;
	if (l->n < ARRAY_LEN(l->name))
		snprintf(l->name[l->n++], sizeof l->name[0], "%s", name);
	return 0;
}

static int
do_theme(struct screen *s, const char *arg, struct err *e)
{
	struct theme_list l = {.n = 0};
	const char *name = arg;

	if (!*arg || strcmp(arg, "next") == 0) {
		datadir_each("themes", ".theme", add_theme, &l);
		unsigned i = 0;
		while (i < l.n && strcmp(l.name[i], s->theme.name) != 0)
			i++;
		name = l.n ? l.name[i + 1 < l.n ? i + 1 : 0] : "cividis";
	}
	if (theme_load(&s->theme, name, e) < 0)
		return -1;
	screen_painter(s);
	screen_notice(s, "theme %s%s", s->theme.name,
		      s->depth == DEPTH_MONO ? " (colours are off)" : "");
	return 0;
}

static int
do_zoom(struct screen *s, const char *arg, struct err *e)
{
	static const char *const names[] = {"in", "out", "all"};
	int i = *arg ? choose(arg, names, ARRAY_LEN(names)) : 0;

	if (i < 0)
		return wrong(e, "zoom", arg, names, ARRAY_LEN(names));
	cycle_t per = s->axis.per;
	if (i == 2)
		axis_fit(&s->axis);
	else
		axis_zoom(&s->axis, i == 0 ? 1 : -1);
	if (per == s->axis.per)
		screen_notice(s,
			      i == 0 ? "a column is one sample already: %" PRIu64 " cycles"
				     : "the whole run is in view, %" PRIu64 " cycles in a column",
			      per);
	else
		screen_notice(s, "%" PRIu64 " cycles in a column", s->axis.per);
	return 0;
}

static int
do_follow(struct screen *s, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	axis_follow(&s->axis);
	return 0;
}

static int
do_pan(struct screen *s, const char *arg, struct err *e)
{
	static const char *const names[] = {"left", "right"};
	int i = choose(arg, names, ARRAY_LEN(names));
	cycle_t t0 = s->axis.t0;

	if (i < 0)
		return wrong(e, "pan", arg, names, ARRAY_LEN(names));
	axis_pan(&s->axis, (i ? 1 : -1) * MAX(s->axis.w / 2, 1));
	if (t0 == s->axis.t0)
		screen_notice(s, s->axis.fit ? "the whole run is in view; + zooms in"
					     : "there is nothing further");
	return 0;
}

static void
focus_by(struct screen *s, int by)
{
	int n = (int)screen_cores(s), c = (int)session_focus_core(s->session) + by;

	session_set_focus_core(s->session, (unsigned)MAX(0, MIN(c, n - 1)));
}

/* To the decision before or after the cursor, anywhere on the GPU. */
static void
to_event(struct screen *s, bool forward)
{
	const struct event_ring *r = sim_events(screen_sim(s));
	cycle_t at = axis_cursor(&s->axis), found = CYCLE_NEVER;

	for (uint64_t seq = r->next; seq > r->first; seq--) {
		const struct event *ev = event_ring_get(r, seq - 1);
		if (!ev)
			break;
		if (!sim_event_is_decision(ev))
			continue;
		if (forward && ev->cycle > at) {
			found = ev->cycle; /* the oldest of those later is wanted: go on */
		} else if (ev->cycle < at || forward) {
			found = forward ? found : ev->cycle;
			break;
		}
	}
	if (found == CYCLE_NEVER)
		screen_notice(s, forward ? "no later decision" : "no earlier decision is kept");
	else
		axis_goto(&s->axis, found);
}

static void
to_period(struct screen *s, bool forward)
{
	double p = screen_policy_number(s, "period");
	cycle_t period = p >= 1 ? (cycle_t)p : s->axis.base, at = axis_cursor(&s->axis);

	if (forward)
		at = (at / period + 1) * period;
	else
		at = at > period ? (at - 1) / period * period : 1;
	if (at > s->axis.now)
		axis_move(&s->axis, s->axis.w); /* to the newest */
	else
		axis_goto(&s->axis, at);
}

static int
do_cursor(struct screen *s, const char *arg, struct err *e)
{
	static const char *const names[] = {
		"up",  "down",		 "left",       "right",		  "start",
		"end", "previous-event", "next-event", "previous-period", "next-period"};
	int i = choose(arg, names, ARRAY_LEN(names));
	uint64_t v;

	if (i < 0 && arg[0] >= '0' && arg[0] <= '9') {
		if (number_count(arg, &v) || v > s->axis.now)
			return err_set(e, "cursor: '%s' is no cycle of this run: 1 to %" PRIu64,
				       arg, s->axis.now);
		axis_goto(&s->axis, v);
		return 0;
	}
	if (i < 0)
		return wrong(e, "cursor", arg, names, ARRAY_LEN(names));
	if (i < 2) {
		focus_by(s, i ? 1 : -1);
		return 0;
	}
	if (!screen_sim(s) || s->axis.now == 0)
		return err_set(e, "nothing has run yet; Space runs the model");
	switch (i) {
	case 2:
		axis_move(&s->axis, -1);
		break;
	case 3:
		axis_move(&s->axis, 1);
		break;
	case 4:
		axis_goto(&s->axis, 1);
		break;
	case 5:
		axis_follow(&s->axis);
		break;
	case 6:
	case 7:
		to_event(s, i == 7);
		break;
	default:
		to_period(s, i == 9);
		break;
	}
	return 0;
}

/* Scrolls the help, the large result or the log, whichever is on top. */
static int
do_scroll(struct screen *s, const char *arg, struct err *e)
{
	static const char *const names[] = {"up", "down", "page-up", "page-down", "start", "end"};
	int i = choose(arg, names, ARRAY_LEN(names)), page = MAX(s->canvas->h / 2, 1);
	int by[] = {-1, 1, -page, page, -1000000, 1000000};
	unsigned n = session_log_count(s->session);

	if (i < 0)
		return wrong(e, "scroll", arg, names, ARRAY_LEN(names));
	if (s->help) {
		s->help_top = MAX(0, MIN(s->help_top + by[i], s->help_rows));
		return 0;
	}
	/* The large result counts lines from its first, the log back from its last. */
	int64_t at = (int64_t)s->log_back + (s->log_open ? by[i] : -by[i]);
	int64_t most = s->log_open ? (int64_t)(s->log_to - s->log_from) - 1 : (int64_t)n - 1;
	s->log_back = (unsigned)MAX(0, MIN(at, most));
	return 0;
}

static int
do_search(struct screen *s, const char *arg, struct err *e)
{
	unsigned n = session_log_count(s->session);

	if (*arg && strcmp(arg, s->search) != 0) {
		snprintf(s->search, sizeof s->search, "%s", arg);
		s->log_back = 0;
	} else if (!*arg && s->mode == MODE_KEYS) {
		s->mode = MODE_SEARCH;
		return 0;
	}
	if (!s->search[0])
		return err_set(e, "search: for which text?");
	for (unsigned back = s->log_back; back < n; back++) {
		enum say kind;
		const char *text = session_log_line(s->session, n - 1 - back, &kind);
		if (text && strstr(text, s->search) && (back > s->log_back || s->log_back == 0)) {
			s->pane = &pane_log;
			s->log_open = false;
			s->log_back = back;
			screen_notice(s, "'%s', %u lines back", s->search, back);
			return 0;
		}
	}
	s->log_back = 0;
	return err_set(e, "'%s' is not in the log before here", s->search);
}

static int
do_bind(struct screen *s, const char *arg, struct err *e)
{
	char key[32];
	int n = (int)strcspn(arg, " \t");
	const char *command = arg + n + strspn(arg + n, " \t");

	if (n == 0 || !*command || n >= (int)sizeof key)
		return err_set(e, "expected: bind KEY COMMAND, for example  bind x why not");
	snprintf(key, sizeof key, "%.*s", n, arg);
	return keymap_bind(&s->keymap, key, command, e);
}

static int
do_save(struct screen *s, const char *arg, struct err *e)
{
	size_t n = strlen(arg);
	FILE *f;

	if (!n)
		return err_set(e, "expected: save-display FILE (.ans keeps the colours)");
	screen_draw(s);
	if (!(f = fopen(arg, "we")))
		return err_set(e, "cannot write '%s': %s", arg, strerror(errno));
	if (n > 4 && strcmp(arg + n - 4, ".ans") == 0)
		canvas_dump_ansi(s->canvas, &s->painter, f);
	else
		canvas_dump_text(s->canvas, s->unicode, f);
	bool bad = ferror(f);
	if (fclose(f) != 0 || bad)
		return err_set(e, "cannot write '%s': %s", arg, strerror(errno));
	screen_notice(s, "saved to %s", arg);
	return 0;
}

static int
do_prompt(struct screen *s, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	s->mode = MODE_PROMPT;
	return 0;
}

static int
do_pause(struct screen *s, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	s->want_pause = true;
	return 0;
}

static int
do_redraw(struct screen *s, const char *arg, struct err *e)
{
	(void)arg;
	(void)e;
	s->want_redraw = true;
	return 0;
}

static int
do_tui(struct screen *s, const char *arg, struct err *e)
{
	static const char *const names[] = {"off", "on"};
	int i = *arg ? choose(arg, names, 2) : 0;

	if (i < 0)
		return wrong(e, "tui", arg, names, 2);
	s->want_leave = i == 0;
	return 0;
}

static int
do_budget(struct screen *s, const char *arg, struct err *e)
{
	char *end;
	double v = strtod(arg, &end);

	if (!*arg || *end || !(v >= 1 && v <= 100))
		return err_set(e, "budget: expected a percentage from 1 to 100; found '%s'", arg);
	s->budget = v / 100;
	return 0;
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct command {
	const char *name, *args, *help;
	int (*fn)(struct screen *s, const char *arg, struct err *e);
	const char *const *words; /* for completion, NULL: none or made below */
} commands[] = {
	{"layout", "NAME|1..4", "arrange the panes: auto, single, grid, log", do_layout, NULL},
	{"pane", "NAME|next|previous|help", "make a pane the active one", do_pane, NULL},
	{"theme", "NAME|next", "change the colours", do_theme, NULL},
	{"zoom", "[in|out|all]", "fewer or more cycles per column", do_zoom,
	 WORDS("in", "out", "all")},
	{"follow", "", "cursor to the newest, and stay there", do_follow, NULL},
	{"pan", "left|right", "move the time axis by half a screen", do_pan,
	 WORDS("left", "right")},
	{"cursor", "WHERE|CYCLE",
	 "move the cursor: up down left right start end next-event next-period", do_cursor,
	 WORDS("up", "down", "left", "right", "start", "end", "previous-event", "next-event",
	       "previous-period", "next-period")},
	{"scroll", "WHERE", "scroll help or log: up down page-up page-down start end", do_scroll,
	 WORDS("up", "down", "page-up", "page-down", "start", "end")},
	{"search", "[TEXT]", "find a text in the log, newest first", do_search, NULL},
	{"bind", "KEY COMMAND", "let a key do a command; %c in it is the core in focus", do_bind,
	 NULL},
	{"save-display", "FILE", "write what the screen shows as text, with colours to FILE.ans",
	 do_save, NULL},
	{"budget", "PERCENT", "time that drawing may take while the model runs (5)", do_budget,
	 NULL},
	{"prompt", "", "the command line", do_prompt, NULL},
	{"pause", "", "pause the running model", do_pause, NULL},
	{"redraw", "", "draw everything again", do_redraw, NULL},
	{"tui", "[on|off]", "off: back to the plain prompt", do_tui, WORDS("on", "off")},
};

int
screen_command(struct screen *s, const char *line, struct err *e)
{
	char word[32], arg[512];
	size_t n, end;

	line += strspn(line, " \t");
	n = strcspn(line, " \t");
	if (n >= sizeof word)
		return 0;
	memcpy(word, line, n);
	word[n] = '\0';
	line += n + strspn(line + n, " \t");
	end = strlen(line);
	while (end && (line[end - 1] == ' ' || line[end - 1] == '\t'))
		end--;
	for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
		if (strcmp(commands[i].name, word) != 0)
			continue;
		if (end >= sizeof arg)
			return err_set(e, "%s: the argument is too long", word);
		memcpy(arg, line, end);
		arg[end] = '\0';
		return commands[i].fn(s, arg, e) < 0 ? -1 : 1;
	}
	return 0;
}

void
screen_each_command(void (*fn)(void *ctx, const char *name, const char *args, const char *help),
		    void *ctx)
{
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		fn(ctx, commands[i].name, commands[i].args, commands[i].help);
}

struct word_list {
	void (*fn)(void *ctx, const char *word);
	void *ctx;
};

static int
theme_word(void *ctx, const char *name, const char *path)
{
	struct word_list *l = ctx;

	(void)path;
	l->fn(l->ctx, name);
	return 0;
}

void
screen_each_word(const char *command, void (*fn)(void *ctx, const char *word), void *ctx)
{
	struct word_list l = {fn, ctx};

	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		for (const char *const *w = commands[i].words; w && *w; w++)
			if (strcmp(commands[i].name, command) == 0)
				fn(ctx, *w);
	if (strcmp(command, "theme") == 0)
		datadir_each("themes", ".theme", theme_word, &l);
	for (int i = 0; strcmp(command, "layout") == 0 && i < LAYOUT_KINDS; i++)
		fn(ctx, layout_rows[i].name);
	for (int i = 0; strcmp(command, "pane") == 0 && pane_table[i]; i++)
		fn(ctx, pane_table[i]->name);
	for (unsigned i = 0; strcmp(command, "bind") == 0 && i < n_key_rows; i++)
		fn(ctx, key_rows[i].name);
}
