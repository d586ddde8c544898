/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_big.c - shows a few numbers in large digits, for the last row of a lecture hall: cycle, mean
 * limit n, IPC and RACT at the time cursor; below them the policy and its last decision in words.
 */
#include "tui/fmt.h"
#include "tui/panes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROWS 5

/* Glyphs of three columns and five rows, one bit per cell; the left column is the highest bit. */
static const struct {
	char c;
	uint8_t row[ROWS];
} font[] = {
	{'0', {7, 5, 5, 5, 7}}, {'1', {2, 6, 2, 2, 7}}, {'2', {7, 1, 7, 4, 7}},
	{'3', {7, 1, 7, 1, 7}}, {'4', {5, 5, 7, 1, 1}}, {'5', {7, 4, 7, 1, 7}},
	{'6', {7, 4, 7, 5, 7}}, {'7', {7, 1, 1, 2, 2}}, {'8', {7, 5, 7, 5, 7}},
	{'9', {7, 5, 7, 1, 7}}, {'.', {0, 0, 0, 0, 2}}, {'-', {0, 0, 7, 0, 0}},
	{'k', {4, 5, 6, 5, 5}}, {'M', {5, 7, 7, 5, 5}}, {'x', {0, 5, 2, 5, 0}},
};

static const uint8_t *
find_glyph(char c)
{
	for (size_t i = 0; i < ARRAY_LEN(font); i++)
		if (font[i].c == c)
			return font[i].row;
	return NULL;
}

/* Draws text in large letters, `wide` columns and `tall` rows per dot; returns the columns used. */
static int
draw_large(struct canvas *c, int x, int y, int wide, int tall, enum role role, const char *text)
{
	int from = x;

	for (; *text; text++) {
		const uint8_t *g = find_glyph(*text);
		int dots = *text == '.' ? 1 : 3, skip = *text == '.' ? 1 : 0;

		for (int r = 0; g && r < ROWS; r++)
			for (int d = 0; d < dots; d++)
				if (g[r] >> (2 - d - skip) & 1)
					canvas_fill(c, x + d * wide, y + r * tall, wide, tall, role,
						    0x2588);
		x += (dots + 1) * wide;
	}
	return x - from;
}

static int
large_width(const char *text, int wide)
{
	int n = 0;

	for (; *text; text++)
		n += (*text == '.' ? 2 : 4) * wide;
	return n;
}

struct number {
	const char *name;
	const char *room; /* a number as wide as most: the places do not depend on the values */
	char text[16], of[24];
	unsigned kernel; /* whose N is in `of` */
	enum role role;
};

/* The limit at the time cursor; before the first sample that of the machine. */
static double
limit_of(const struct screen *s, unsigned core)
{
	struct core_view v;

	if (screen_sample(s) >= 0)
		return screen_series(s, SC_LIMIT, core);
	sim_core_view(screen_sim(s), core, &v);
	return v.limit;
}

static double
compute_mean_limit(const struct screen *s)
{
	double sum = 0, n = 0;

	for (unsigned c = 0; c < screen_cores(s); c++) {
		double v = limit_of(s, c);
		if (!isnan(v) && screen_series(s, SC_STATE, c) != CORE_OFF) {
			sum += v;
			n++;
		}
	}
	return n > 0 ? sum / n : (double)NAN;
}

/* Is n of every core that of the same kernel? *v is a view of one of them. */
static bool
cores_show_one_kernel(const struct sim *sim, struct core_view *v)
{
	const unsigned n = sim_runs_together(sim) ? sim_instances(sim, "core") : 1;
	unsigned kernel = 0;

	for (unsigned i = 0; i < n; i++) {
		sim_core_view(sim, i, v);
		if (i && v->kernel != kernel)
			return false;
		kernel = v->kernel;
	}
	return true;
}

static unsigned
collect_numbers(const struct screen *s, struct number *n)
{
	const struct sim *sim = screen_sim(s);
	int i = screen_sample(s);
	char buf[FMT_MAX];
	struct core_view v;

	n[0] = (struct number){.name = screen_live(s) ? "cycle" : "cycle, then",
			       .room = "888.8k",
			       .role = ROLE_TEXT};
	snprintf(n[0].text, sizeof(n[0].text), "%s", fmt_short(buf, axis_cursor(&s->axis)));
	n[1] = (struct number){.name = "limit n", .room = "8.8", .role = ROLE_FOCUS};
	snprintf(n[1].text, sizeof(n[1].text), "%s", fmt_num(buf, compute_mean_limit(s), 1));
	if (cores_show_one_kernel(sim, &v)) {
		snprintf(n[1].of, sizeof(n[1].of), "of %u", v.n_max);
		n[1].kernel = v.kernel;
	}
	n[2] = (struct number){.name = "IPC", .room = "888", .role = ROLE_VALUE};
	snprintf(n[2].text, sizeof(n[2].text), "%s",
		 fmt_num(buf, i < 0 ? (double)NAN : series_gpu(sim, SG_IPC, (unsigned)i), 0));
	n[3] = (struct number){.name = "RACT", .room = "8.88", .role = ROLE_TEXT};
	snprintf(n[3].text, sizeof(n[3].text), "%s",
		 fmt_num(buf, i < 0 ? (double)NAN : series_gpu(sim, SG_RACT, (unsigned)i), 2));
	return 4;
}

/* Returns the columns that a number takes at `wide` columns per dot. */
static int
number_width(const struct number *n, int wide)
{
	int digits = MAX(large_width(n->text, wide), large_width(n->room, wide));

	return MAX(digits, text_width(n->name)) + (n->of[0] ? 6 : 0);
}

/* Returns those of k numbers, without gaps. */
static int
row_width(const struct number *n, unsigned k, int wide)
{
	int need = 0;

	for (unsigned i = 0; i < k; i++)
		need += number_width(&n[i], wide);
	return need;
}

/* Whether the numbers fit in one row with two columns per dot. */
static bool
fits_wide(const struct canvas *c, const struct number *n, unsigned k)
{
	return row_width(n, k, 2) + 3 * (int)k <= c->w - 4;
}

static void
draw_row(const struct sim *sim, struct canvas *c, int y, const struct number *n, unsigned k,
	 int tall)
{
	int wide = fits_wide(c, n, k) ? 2 : 1, x = 2, end = y + tall * ROWS;
	int gap = k > 1 ? MAX((c->w - 4 - row_width(n, k, wide)) / (int)(k - 1), 2) : 0;

	for (unsigned i = 0; i < k; i++) {
		int used;

		canvas_text(c, x, y, ROLE_TITLE, n[i].name);
		if (strcmp(n[i].text, "-") == 0) /* in large letters it would be a bar */
			used = canvas_text(c, x, (y + end) / 2 + 1, ROLE_DIM, "-");
		else
			used = draw_large(c, x, y + 1, wide, tall, n[i].role, n[i].text);
		if (n[i].of[0]) {
			used += canvas_text(c, x + used, end, ROLE_TITLE, n[i].of);
			/* The words have the lowest row. */
			int room = i + 1 < k ? MAX(used, 18) : c->w - x - 3;
			if (end + 1 < c->h - 1 &&
			    draw_limiters(c, x + 2, end + 1, room, sim, n[i].kernel))
				canvas_put(c, x, end + 1, ROLE_DIM, 'N');
		}
		x += MAX(used, number_width(&n[i], wide)) + MIN(gap, 14);
	}
}

/* "core 5: 7 -> 6, C_mem 844 >= 384": the last decision up to the cursor that changed something, of
 * the core in the spotlight, or else in focus. */
static void
describe_decision(const struct screen *s, char *buf, size_t size)
{
	uint64_t seq = UINT64_MAX;
	int core = s->spotlight >= 0 ? s->spotlight : (int)session_focus_core(s->session);
	const struct event *ev = screen_decision(s, core, DECISIONS_CHANGE, &seq);
	char cause[300];

	if (!ev) {
		snprintf(buf, size, "no limit has changed yet");
		return;
	}
	sim_event_cause(screen_sim(s), ev, cause, sizeof(cause));
	if (ev->core < 0)
		snprintf(buf, size, "%s: %s", event_rows[ev->kind].name, cause);
	else if (ev->limit && ev->limit != ev->limit_before)
		snprintf(buf, size, "core %d: %u -> %u, %s", ev->core, ev->limit_before, ev->limit,
			 cause);
	else
		snprintf(buf, size, "core %d: %s, %s", ev->core, event_rows[ev->kind].name, cause);
}

/* Replaces the last parts of a sentence, each after a comma and a blank, by a mark until it has
 * room in the rows. The commas of 1,952 stay: 1 would be another number. */
static void
drop_parts(struct canvas *c, char *text, size_t size, int w, int rows)
{
	while (canvas_wrap(c, 0, 0, w, 0, ROLE_CAPTION, text) > rows) {
		char *part, *last = NULL;

		for (part = text; (part = strstr(part, ", ")); part++)
			last = part;
		if (!last)
			return;
		snprintf(last, size - (size_t)(last - text), " " CUT_MARK);
	}
}

/* Draws "dyncta" and the decision on a reversed bar, which is as high as the sentence needs. */
static void
draw_words(const struct screen *s, struct canvas *c, int y)
{
	enum { MOST = 3 };
	int x = 2, w, rows = MIN(c->h - y, MOST);
	char text[400];

	if (!screen_sim(s) || rows < 1)
		return;
	describe_decision(s, text, sizeof(text));
	const char *policy = config_policy_text(sim_config(screen_sim(s)));
	x += MIN(text_width(policy), c->w / 3) + 3;
	w = c->w - x - 2;
	drop_parts(c, text, sizeof(text), w, rows);
	rows = MIN(canvas_wrap(c, 0, 0, w, 0, ROLE_CAPTION, text), rows);
	canvas_fill(c, 0, y, c->w, rows, ROLE_CAPTION, ' ');
	canvas_fit(c, 2, y, c->w / 3, ROLE_CAPTION, policy);
	canvas_wrap(c, x, y, w, rows, ROLE_CAPTION, text);
}

/* Draws the numbers in one row, or in two rows of two where that makes them larger, or else they do
 * not fit; in one row of a high pane they are twice as high. A narrow pane that is low drops RACT
 * first. */
static void
draw_pane(struct screen *s, struct pane_view *view, struct canvas *c)
{
	struct number n[4];
	unsigned k = screen_sim(s) ? collect_numbers(s, n) : 0;
	const int low = ROWS + 2; /* rows of a number, with its name and what limits it */
	bool high = c->h >= 2 * low, wide = k == 4 && fits_wide(c, n, k),
	     fits = k == 4 && row_width(n, k, 1) + 2 * 3 <= c->w - 4,
	     two = k == 4 && high && !wide &&
		   (!fits || (fits_wide(c, n, 2) && fits_wide(c, n + 2, 2)));
	int tall = high && wide ? 2 : 1;

	canvas_put(c, 0, 0, ROLE_FOCUS, s->pane == view ? 0x25b8 : ' ');
	draw_words(s, c, MIN(c->h - 1, two ? 2 * low : tall * ROWS + 2));
	if (two) {
		draw_row(screen_sim(s), c, 0, n, 2, 1);
		draw_row(screen_sim(s), c, low, n + 2, 2, 1);
		return;
	}
	while (k > 1 && row_width(n, k, 1) + 2 * ((int)k - 1) > c->w - 4)
		k--;
	draw_row(screen_sim(s), c, 0, n, k, tall);
}

const struct pane_ops pane_big = {
	.name = "big",
	.help = "Cycle, limit n averaged over the cores, IPC and RACT in large digits, for a "
		"lecture, and the policy with its last decision in words.",
	.read = "The cycle, n averaged over the cores that are on, of the most that fit, the IPC "
		"of all cores and RACT, "
		"each in the sample at the time cursor: legible from the last row. Below "
		"the limit it names what limits N. Below them the "
		"policy and "
		"the last decision up to there that changed something, of the core in the "
		"spotlight, or else in focus.",
	.also = "layout lecture, spotlight, note, pace, theme",
	.min_w = 40,
	.min_h = ROWS + 2,
	.best_h = ROWS + 3,
	.kind = PANE_PAGE,
	.draw = draw_pane,
};
