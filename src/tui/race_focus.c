/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_focus.c - keeps what the user of a race chooses: the pace, the series, and the core and
 * cycle to look at in all lanes.
 */
#include "base/ascii.h"
#include "base/number.h"
#include "tui/fmt.h"
#include "tui/race_page.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PACE_MOST 1024 /* samples per second; a larger pace means as fast as possible */
#define PACE_FIRST 64

/* ---------------------------------------------------------------- pace, series */

void
race_view_pace_text(const struct race_view *v, char *buf, size_t size)
{
	snprintf(buf, size, v->pace ? "pace %u samples/s" : "pace max", v->pace);
}

int
race_view_set_pace(struct race_view *v, const char *word, struct err *e)
{
	struct number n;

	if (strcmp(word, "slower") == 0) {
		v->pace = !v->pace ? PACE_FIRST : MAX(v->pace / 2, 1u);
		return 0;
	}
	if (strcmp(word, "faster") == 0) {
		v->pace = v->pace * 2 > PACE_MOST ? 0 : v->pace * 2;
		return 0;
	}
	if (strcmp(word, "max") == 0) {
		v->pace = 0;
		return 0;
	}
	if (number_parse(word, 1000, &n) || !(n.f >= 1))
		return err_set(e, "pace: expected a number of samples per second, max, slower or "
				  "faster");
	v->pace = n.f > PACE_MOST ? 0 : (unsigned)n.f;
	return 0;
}

/* Accepts the beginning of a title ("IPC"), or its number from 1. */
int
race_view_set_series(struct race_view *v, const char *word, struct err *e)
{
	size_t n = strlen(word);

	if (!n || strcmp(word, "next") == 0 || strcmp(word, "previous") == 0) {
		v->series = (v->series + (*word == 'p' ? n_race_shown - 1 : 1)) % n_race_shown;
		return 0;
	}
	for (unsigned i = 0; i < n_race_shown; i++)
		if (ascii_same_start(race_shown[i].title, word, n) ||
		    (n == 1 && word[0] == (char)('1' + i))) {
			v->series = i;
			return 0;
		}
	return err_set(e, "series: expected CTAs, n, RACT, IPC, L1 or waiting");
}

int
race_view_set_lane(struct race_view *v, const char *word, struct err *e)
{
	unsigned n = v->race->n;

	if (strcmp(word, "next") == 0)
		v->lane = (v->lane + 1) % MAX(n, 1u);
	else if (word[0] >= '1' && word[0] <= '9' && !word[1] && (unsigned)(word[0] - '0') <= n)
		v->lane = (unsigned)(word[0] - '1');
	else
		return err_set(e, "lane: expected next or a number from 1 to %u; found '%.40s'", n,
			       word);
	return 0;
}

const char *
race_view_name(const struct race_view *v, unsigned lane, int w, char buf[RACE_NAME])
{
	char name[POLICY_TEXT];

	snprintf(buf, RACE_NAME, "%u %s", lane + 1,
		 race_short_name(v->race, lane, (unsigned)MAX(w - 2, 1), CUT_MARK, name));
	return buf;
}

/* ---------------------------------------------------------------- the core and cycle in focus */

/* Writes "core 7, cycle 12,288: A 8, B 5 (CTAs running)". */
void
race_view_focus_text(const struct race_view *v, char *buf, size_t size)
{
	const struct race *r = v->race;
	char num[FMT_MAX], name[POLICY_TEXT];
	size_t n;

	n = (size_t)snprintf(buf, size, "core %u, cycle %s:", v->core, fmt_u64(num, v->cycle));
	for (unsigned i = 0; i < r->n && n < size; i++) {
		const struct race_samples *s = &r->lane[i].samples;
		enum race_field f = race_shown[v->series].field;
		int at =
			race_is_level(f) ? race_level_at(s, v->cycle) : race_sample_at(s, v->cycle);
		double x = at < 0 || s->at[s->n - 1].end < v->cycle
				   ? (double)NAN
				   : (double)race_value(s, (unsigned)at, v->core, f);
		bool off = at >= 0 &&
			   race_value(s, (unsigned)at, v->core, RACE_STATE) == (float)CORE_OFF;

		n += (size_t)snprintf(buf + n, size - n, "%s %s %s", i ? "," : "",
				      race_short_name(r, i, 24, CUT_MARK, name),
				      off ? "off" : fmt_num(num, x, x == floor(x) ? 0 : 2));
	}
	if (n < size)
		snprintf(buf + n, size - n, "  (%s)", race_shown[v->series].title);
}

bool
race_view_move(struct race_view *v, int cores, int columns)
{
	const struct race *r = v->race;
	cycle_t now = race_view_now(r),
		by = (cycle_t)(columns < 0 ? -columns : columns) * MAX(v->axis.per, (cycle_t)1);

	if (r->cores == 0 || now == 0)
		return false;
	if (!v->focus)
		v->cycle = now;
	else if (columns < 0)
		v->cycle = v->cycle > by + r->from ? v->cycle - by : r->from + 1;
	else
		v->cycle = MIN(v->cycle + by, now);
	if (v->focus)
		v->core = (unsigned)MAX(0, MIN((int)v->core + cores, (int)r->cores - 1));
	v->focus = true;
	return true;
}
