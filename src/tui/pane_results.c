/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane_results.c - shows a row per lane below the strips: during the race its progress, with its
 * CTAs as a bar; at the end the results, with the speedup as a bar if there is room.
 */
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/race_page.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { GAP = 2 };

static int
name_width(const struct race_view *v, int w)
{
	int widest = 6;
	char name[RACE_NAME];

	for (unsigned i = 0; i < v->race->n; i++)
		widest = MAX(widest, text_width(race_view_name(v, i, INT_MAX, name)));
	return MIN(widest, MAX(w / 5, 8));
}

static const char *
state_word(const struct race_view *v, const struct lane *l)
{
	static const char *const ended[] = {
		[LANE_DONE] = "done", [LANE_CUT] = "cut", [LANE_FAILED] = "failed"};

	if (lane_ended(l))
		return ended[l->state];
	return l->state == LANE_STARTS ? "starts" : v->running ? "running" : "stopped";
}

/* Returns the IPC of the last complete sample. */
static double
ipc_now(const struct lane *l)
{
	return l->samples.n ? l->samples.at[l->samples.n - 1].ipc : (double)NAN;
}

/* The columns at the right of the bar during a race. If they do not fit, some are left out, the
 * mean first. */
enum { OF_ALL, IPC_NOW, MEAN, SPEEDUP, STATE, COLUMNS };
static const struct {
	const char *head;
	int w;
	enum role role;
} columns[COLUMNS] = {[OF_ALL] = {"of all", 0, ROLE_VALUE},
		      [IPC_NOW] = {"IPC now", 9, ROLE_VALUE},
		      [MEAN] = {"mean", 9, ROLE_TEXT},
		      [SPEEDUP] = {"speedup", 9, ROLE_VALUE},
		      [STATE] = {"", 9, ROLE_DIM}};

static const char *
running_cell(const struct race_view *v, unsigned lane, unsigned k, char *buf, size_t size)
{
	const struct lane *l = &v->race->lane[lane];
	double ctas = l->number[RACE_CTAS];
	char done[FMT_MAX], all[FMT_MAX];

	switch (k) {
	case OF_ALL:
		snprintf(buf, size, "%s/%s", fmt_num(done, isnan(ctas) ? 0 : ctas, 0),
			 fmt_u64(all, v->race->ctas));
		break;
	case IPC_NOW:
		snprintf(buf, size, "%s", fmt_num(done, ipc_now(l), 0));
		break;
	case MEAN:
		snprintf(buf, size, "%s", fmt_num(done, l->number[RACE_MEAN_IPC], 1));
		break;
	case SPEEDUP:
		snprintf(buf, size, "%s", fmt_num(done, race_speedup(v->race, lane), 3));
		break;
	default:
		snprintf(buf, size, "%s", state_word(v, l));
	}
	return buf;
}

static int
choose_columns(const struct race_view *v, int room, int w[COLUMNS])
{
	static const unsigned leave[] = {MEAN, STATE, IPC_NOW, SPEEDUP};
	char num[FMT_MAX];
	int all = 0;

	for (unsigned k = 0; k < COLUMNS; k++)
		w[k] = columns[k].w;
	w[OF_ALL] = MAX(2 * text_width(fmt_u64(num, v->race->ctas)) + 1, 7);
	for (unsigned k = 0; k < COLUMNS; k++)
		all += w[k] + 1;
	for (unsigned i = 0; i < ARRAY_LEN(leave) && all > room; i++) {
		all -= w[leave[i]] + 1;
		w[leave[i]] = 0;
	}
	return all;
}

/* Draws the share of finished CTAs as a bar, with a mark at the share of executed instructions. */
static void
draw_share(const struct race_view *v, struct canvas *c, int x, int y, int w)
{
	const struct race *r = v->race;
	const struct lane *l = &r->lane[y - 1];
	double ctas = l->number[RACE_CTAS], all = (double)MAX(r->ctas, 1u);

	draw_bar(c, x, y, w, isnan(ctas) ? 0 : ctas, all,
		 r->work ? all * l->number[RACE_WORK] / (double)r->work : (double)NAN, NAN);
}

/* Draws "policy  CTAs done [bar]  128/494  IPC now  mean  speedup  state". */
static void
draw_running(const struct race_view *v, struct canvas *c)
{
	int w[COLUMNS], name = name_width(v, c->w), x0 = 1 + name + GAP,
			all = choose_columns(v, c->w - x0 - 1, w), bar = c->w - x0 - all - 1 - GAP;
	char text[80], label[RACE_NAME];

	for (int y = 0; y <= (int)v->race->n && y < c->h; y++) {
		const struct lane *l = y ? &v->race->lane[y - 1] : NULL;
		int x = x0;

		canvas_fit(c, 1, y, name, l ? ROLE_FOCUS : ROLE_DIM,
			   l ? race_view_name(v, (unsigned)y - 1, name, label)
			     : race_head(v->race, 0));
		if (bar >= 4 && l)
			draw_share(v, c, x, y, bar);
		else if (bar >= 4)
			canvas_fit(c, x, y, bar, ROLE_DIM,
				   bar >= 36  ? "CTAs done; the mark is the instructions done"
				   : bar >= 9 ? "CTAs done"
					      : "CTAs");
		x += bar >= 4 ? bar + GAP : 0;
		for (unsigned k = 0; k < COLUMNS; k++) {
			if (!w[k])
				continue;
			canvas_right(c, x, y, w[k],
				     !l			       ? ROLE_DIM
				     : k == STATE && *l->error ? ROLE_ERROR
							       : columns[k].role,
				     l ? running_cell(v, (unsigned)y - 1, k, text, sizeof(text))
				       : columns[k].head);
			x += w[k] + 1;
		}
	}
}

static void
draw_speedups(const struct race_view *v, struct canvas *c, int x)
{
	double most = 1;

	for (unsigned i = 0; i < v->race->n; i++)
		most = fmax(most, race_speedup(v->race, i));
	if (c->w - x - 2 < 12)
		return;
	canvas_text(c, x, 0, ROLE_DIM, c->w - x >= 24 ? "speedup, the mark is 1" : "1 at the mark");
	for (unsigned i = 0; i < v->race->n && (int)i + 1 < c->h; i++)
		if (!isnan(race_speedup(v->race, i)))
			draw_bar(c, x, (int)i + 1, MIN(c->w - x - 2, 40), race_speedup(v->race, i),
				 most, 1, NAN);
}

static void
draw_ended(const struct race_view *v, struct canvas *c)
{
	const struct race *r = v->race;
	int name = name_width(v, c->w), x = 1 + name;
	char cell[RACE_CELL], label[RACE_NAME];

	for (unsigned k = 0; k < RACE_COLUMNS; k++) {
		int w = text_width(race_head(r, k));

		for (unsigned i = 0; i < r->n; i++)
			w = MAX(w, text_width(race_cell(r, i, k, cell)));
		if (k == 0) {
			canvas_text(c, 1, 0, ROLE_DIM, race_head(r, k));
			for (unsigned i = 0; i < r->n; i++)
				canvas_fit(c, 1, (int)i + 1, name, ROLE_FOCUS,
					   race_view_name(v, i, name, label));
			continue;
		}
		if (x + GAP + w > c->w)
			break;
		canvas_right(c, x + GAP, 0, w, ROLE_DIM, race_head(r, k));
		for (unsigned i = 0; i < r->n; i++)
			canvas_right(c, x + GAP, (int)i + 1, w,
				     race_numbers[RACE_CYCLES].head == race_head(r, k) ? ROLE_VALUE
										       : ROLE_TEXT,
				     race_cell(r, i, k, cell));
		x += GAP + w;
	}
	draw_speedups(v, c, x + 2 * GAP);
}

static int
wanted_height(struct screen *s, struct pane_view *pane ATTR_UNUSED)
{
	return (int)MAX(race_view_of(s)->race->n, 1u) + 1;
}

static void
draw_pane(struct screen *s, struct pane_view *pane ATTR_UNUSED, struct canvas *c)
{
	const struct race_view *v = race_view_of(s);

	if (race_ended(v->race))
		draw_ended(v, c);
	else
		draw_running(v, c);
}

const struct pane_ops pane_results = {
	.name = "results",
	.help = "The speedup is the work per cycle divided by that of the first lane; at the end, "
		"the ratio of their cycles. A lane that ends early waits.",
	.kind = PANE_PAGE,
	.when = WHEN_RACE,
	.height = wanted_height,
	.draw = draw_pane,
};
