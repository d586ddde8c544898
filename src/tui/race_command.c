/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_command.c - the command line of a race, and where its reader looks: what keys, the mouse and
 * words after ':' do to the view. What moves the lanes is asked of the loop (struct race_order).
 *
 * The line is short and has no history: a race has few commands, and none that is worth keeping.
 */
#include "base/ascii.h"
#include "base/number.h"
#include "base/words.h"
#include "tui/fmt.h"
#include "tui/keys.h"
#include "tui/race_view.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PACE_MOST 1024 /* samples per second; faster is as fast as it goes */
#define PACE_FIRST 64

/* ---------------------------------------------------------------- pace, series, theme */

static int
say_pace(struct race_view *v)
{
	snprintf(v->notice, sizeof(v->notice), v->pace ? "pace %u samples/s" : "pace max", v->pace);
	return 0;
}

void
race_view_pace(struct race_view *v, int by)
{
	if (by < 0)
		v->pace = !v->pace ? PACE_FIRST : MAX(v->pace / 2, 1u);
	else if (v->pace)
		v->pace = v->pace * 2 > PACE_MOST ? 0 : v->pace * 2;
	say_pace(v);
}

static int
set_pace(struct race_view *v, struct span word, struct err *e)
{
	char text[32];
	struct number n;

	if (span_is(word, "slower") || span_is(word, "faster")) {
		race_view_pace(v, span_is(word, "slower") ? -1 : 1);
		return 0;
	}
	if (span_is(word, "max")) {
		v->pace = 0;
		return say_pace(v);
	}
	if (!span_copy(word, text, sizeof(text)) || number_parse(text, 1000, &n) || !(n.f >= 1))
		return err_set(e, "pace: expected a number of samples per second, max, slower or "
				  "faster");
	v->pace = n.f > PACE_MOST ? 0 : (unsigned)n.f;
	return say_pace(v);
}

/* By the begin of its title, "IPC", or its number from 1. */
static int
set_series(struct race_view *v, struct span word, struct err *e)
{
	if (!word.n)
		v->series = (v->series + 1) % n_race_shown;
	for (unsigned i = 0; word.n && i < n_race_shown; i++)
		if (ascii_same_start(race_shown[i].title, word.p, word.n) ||
		    (word.n == 1 && word.p[0] == (char)('1' + i))) {
			v->series = i;
			return 0;
		}
	return word.n ? err_set(e, "series: expected CTAs, n, RACT, IPC, L1 or waiting") : 0;
}

static int
set_theme(struct race_view *v, struct span word, struct err *e)
{
	char text[64];
	int rc = !word.n || !span_copy(word, text, sizeof(text)) ? theme_next(&v->theme, e)
								 : theme_load(&v->theme, text, e);

	race_view_painter(v);
	return rc;
}

/* ---------------------------------------------------------------- commands */

static int
go_to(struct race_order *o, struct span word, struct err *e)
{
	char text[32];
	struct number n;

	if (!span_copy(word, text, sizeof(text)) || number_parse(text, 1000, &n) || n.f < 1 ||
	    n.f > 1e15)
		return err_set(e, "advance: expected a cycle");
	*o = (struct race_order){RACE_DO_ADVANCE, (cycle_t)n.f};
	return 0;
}

enum { RUN, PAUSE, SAMPLE, PERIOD, ADVANCE, PACE, SERIES, THEME, HELP, QUIT, WORDS };
static const char *const words[WORDS] = {"run",	 "pause",  "sample", "period", "advance",
					 "pace", "series", "theme",  "help",   "quit"};

/* The command that a word, or the begin of one alone, means; -1 with e. */
static int
find_word(struct span word, struct err *e)
{
	int found = -1;

	for (int i = 0; i < WORDS; i++) {
		if (strncmp(words[i], word.p, word.n) != 0)
			continue;
		if (words[i][word.n] == '\0')
			return i;
		found = found < 0 ? i : WORDS;
	}
	if (found >= 0 && found < WORDS)
		return found;
	return err_set(e,
		       "'%.*s' is no command of a race; there are run, pause, sample, period, "
		       "advance, pace, series, theme, help, quit",
		       (int)MIN(word.n, 20u), word.p);
}

int
race_view_command(struct race_view *v, const char *line, struct race_order *o, struct err *e)
{
	static const enum race_do what[WORDS] = {[RUN] = RACE_DO_RUN,
						 [PAUSE] = RACE_DO_PAUSE,
						 [SAMPLE] = RACE_DO_SAMPLE,
						 [PERIOD] = RACE_DO_PERIOD,
						 [QUIT] = RACE_DO_QUIT};
	const char *at = line;
	struct span word = word_next(&at), arg = word_next(&at);
	int i;

	*o = (struct race_order){RACE_DO_NOTHING, 0};
	if (!word.n)
		return 0;
	i = find_word(word, e);
	switch (i) {
	case -1:
		return -1;
	case ADVANCE:
		return go_to(o, arg, e);
	case PACE:
		return set_pace(v, arg, e);
	case SERIES:
		return set_series(v, arg, e);
	case THEME:
		return set_theme(v, arg, e);
	case HELP:
		v->help = true;
		return 0;
	default:
		o->what = what[i];
		return 0;
	}
}

/* ---------------------------------------------------------------- the line */

bool
race_view_type(struct race_view *v, int key, char done[RACE_LINE])
{
	size_t n = strlen(v->line);

	done[0] = '\0';
	if (key == '\r' || key == '\n') {
		snprintf(done, RACE_LINE, "%s", v->line);
		v->typing = false;
		return true;
	}
	if (key == K_CTRL('g') || ((key == 127 || key == K_CTRL('h')) && n == 0))
		v->typing = false;
	else if (key == 127 || key == K_CTRL('h'))
		v->line[n - 1] = '\0';
	else if (key == K_CTRL('u'))
		v->line[0] = '\0';
	else if (key >= ' ' && key < 127 && n + 1 < RACE_LINE)
		v->line[n] = (char)key, v->line[n + 1] = '\0';
	return false;
}

/* ---------------------------------------------------------------- where one looks */

/* "core 7, cycle 12,288: A 8, B 5 (CTAs running)" */
static void
say_focus(struct race_view *v)
{
	const struct race *r = v->race;
	char num[FMT_MAX];
	size_t n;

	n = (size_t)snprintf(v->notice, sizeof(v->notice), "core %u, cycle %s:", v->core,
			     fmt_u64(num, v->cycle));
	for (unsigned i = 0; i < r->n && n < sizeof(v->notice); i++) {
		const struct race_samples *s = &r->lane[i].samples;
		int at = race_sample_at(s, v->cycle);
		double x = at < 0 || s->at[s->n - 1].end < v->cycle
				   ? (double)NAN
				   : (double)race_value(s, (unsigned)at, v->core,
							race_shown[v->series].field);
		bool off = at >= 0 &&
			   race_value(s, (unsigned)at, v->core, RACE_STATE) == (float)CORE_OFF;

		n += (size_t)snprintf(v->notice + n, sizeof(v->notice) - n, "%s %.24s %s",
				      i ? "," : "", r->lane[i].stack,
				      off ? "off" : fmt_num(num, x, x == floor(x) ? 0 : 2));
	}
	if (n < sizeof(v->notice))
		snprintf(v->notice + n, sizeof(v->notice) - n, "  (%s)",
			 race_shown[v->series].title);
}

void
race_view_click(struct race_view *v, int x, int y, int w, int h)
{
	struct race_layout l;
	unsigned lane, first, n;
	int row;

	race_layout_compute(&l, v, w, h);
	if (y < l.lanes_y || y >= l.lanes_y + l.lanes_h || l.lane_h < 1 || l.strip_h < 1)
		return;
	lane = (unsigned)(l.side ? x / (l.lane_w + 1) : (y - l.lanes_y) / l.lane_h);
	row = l.side ? y - l.lanes_y - 1 : (y - l.lanes_y) % l.lane_h;
	x = (l.side ? x % (l.lane_w + 1) : x) - l.label;
	n = row < 0 || row >= l.strip_h ? 0 : race_strip_cores(v->race, l.strip_h, row, &first);
	if (lane >= v->race->n || x < 0 || x >= l.strip_w || !n)
		return;
	/* the second click on a row goes to the next of its cores */
	v->core = v->focus && v->core >= first && v->core + 1 < first + n ? v->core + 1 : first;
	v->focus = true;
	v->cycle = v->axis.t0 + (cycle_t)(x + 1) * v->axis.per;
	say_focus(v);
}

void
race_view_move(struct race_view *v, int cores, int columns)
{
	const struct race *r = v->race;
	cycle_t now = race_view_now(r),
		by = (cycle_t)(columns < 0 ? -columns : columns) * MAX(v->axis.per, (cycle_t)1);

	if (r->cores == 0 || now == 0)
		return;
	if (!v->focus)
		v->cycle = now;
	else if (columns < 0)
		v->cycle = v->cycle > by + r->from ? v->cycle - by : r->from + 1;
	else
		v->cycle = MIN(v->cycle + by, now);
	if (v->focus)
		v->core = (unsigned)MAX(0, MIN((int)v->core + cores, (int)r->cores - 1));
	v->focus = true;
	say_focus(v);
}
