/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * twin_strip.c - the lines that compare two runs on one screen: the title of each, and the strip of
 * their difference.
 *
 * One run leads by the number of cycles by which it had done earlier what the other one has done at
 * the cursor, counted in thread instructions as in `reference`. The first row of the strip shows
 * that over the time axis, above or beside the panes; it is relative to the cycle, and full at a
 * third.
 */
#include "base/memory.h"
#include "lab/lab.h"
#include "tui/columns.h"
#include "tui/fmt.h"
#include "tui/panes.h"
#include "tui/twin_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAD_FULL (1.0 / 3) /* of the cycle: the strongest colour */

/* ---------------------------------------------------------------- work */

static struct sim *
machine_of(const struct screen *s, enum session_side side)
{
	return side == SIDE_TWIN ? session_twin(s->session) : session_sim(s->session);
}

void
twin_measure(struct screen *s)
{
	for (unsigned side = 0; side < SIDES; side++) {
		const struct sim *sim = machine_of(s, side);

		if (sim)
			work_update(&s->twin.work[side], sim);
		else
			work_free(&s->twin.work[side]);
	}
}

double
twin_lead(const struct screen *s, cycle_t cycle)
{
	const struct sim *sim[SIDES] = {machine_of(s, 0), machine_of(s, 1)};
	cycle_t at[SIDES];
	double work[SIDES], other;
	unsigned ahead;

	if (!sim[0] || !sim[1] || !s->twin.work[0].n || !s->twin.work[1].n)
		return NAN;
	for (unsigned i = 0; i < SIDES; i++) {
		if (cycle > sim_cycle(sim[i]) && !sim_done(sim[i]))
			return NAN;
		at[i] = MIN(cycle, sim_cycle(sim[i]));
		work[i] = work_at(&s->twin.work[i], at[i]);
	}
	if (at[0] != at[1] && fabs(work[0] - work[1]) <= 1e-6 * work[0]) /* both are done */
		return (double)at[1] - (double)at[0];
	ahead = work[1] > work[0];
	other = work_cycle(&s->twin.work[ahead], work[!ahead]);
	return isnan(other) ? (double)NAN : (ahead ? -1 : 1) * ((double)at[!ahead] - other);
}

/* ---------------------------------------------------------------- titles */

/* Writes the name of a run with at most so many columns; what it differs in from the other one
 * stays visible. */
static const char *
name_of(const struct screen *s, enum session_side side, int room, char buf[POLICY_TEXT])
{
	const char *name[SIDES] = {[SIDE_SESSION] =
					   config_policy_text(sim_config(session_sim(s->session))),
				   [SIDE_TWIN] = session_twin_name(s->session)};

	lane_name_shorten(name, SIDES, side, (unsigned)MAX(room, 1), CUT_MARK, buf);
	return buf;
}

static double
mean_ipc(const struct screen *s, enum session_side side, cycle_t cycle)
{
	cycle = MIN(cycle, sim_cycle(machine_of(s, side)));
	return cycle ? work_at(&s->twin.work[side], cycle) / (double)cycle : (double)NAN;
}

void
twin_draw_title(struct screen *s, enum session_side side, struct canvas *c)
{
	const struct sim *sim = machine_of(s, side);
	bool focus = s->twin.focus == side, moves = side == SIDE_TWIN && s->twin.on_way;
	enum role role = focus ? ROLE_HEADER : ROLE_TITLE;
	char num[FMT_MAX], text[120] = "", state[48] = "", name[POLICY_TEXT];
	int i = screen_sample(s), w, x = 1, room;

	canvas_fill(c, 0, 0, c->w, 1, role, ' ');
	if (focus)
		canvas_put(c, 0, 0, role, 0x25b8);
	if (!sim)
		return;
	if (sim_done(sim))
		snprintf(state, sizeof(state), "  done at %s", fmt_u64(num, sim_cycle(sim)));
	else if (moves)
		snprintf(state, sizeof(state), "  has come to %s", fmt_u64(num, sim_cycle(sim)));
	if (!series_count(sim))
		snprintf(state, sizeof(state), "  no sample yet");
	else if (c->w >= 56)
		snprintf(text, sizeof(text), "%s %s  RACT %s ", screen_ipc_label(s),
			 fmt_num(num, mean_ipc(s, side, axis_cursor(&s->axis)), 1),
			 screen_live(s) ? "now" : "then");
	if (*text)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s",
			 fmt_num(num, i < 0 ? NAN : series_gpu(sim, SG_RACT, (unsigned)i), 2));
	w = text_width(text);
	room = MAX(c->w - w - 3 - text_width(state), 8);
	x += canvas_fit(c, x, 0, room, role, name_of(s, side, room, name));
	canvas_attr(c, 1, 0, x - 1, ATTR_BOLD);
	canvas_fit(c, x, 0, c->w - x - w - 1, role, state);
	canvas_right(c, c->w - w - 1, 0, w, role, text);
}

/* ---------------------------------------------------------------- the strip */

static void
draw_label(struct canvas *c, int y, const char *label)
{
	canvas_fit(c, 1, y, 6, ROLE_TITLE, label);
}

/* A lead, from -1 to 1 where it is strongest: a colour, or a sign that every terminal can show. */
static void
put_code(const struct screen *s, struct canvas *c, int x, int y, double lead, bool cursor)
{
	unsigned code = heat_diff(lead, 1);
	uint32_t sign = isnan(lead)	   ? '?'
			: lead < -0.5	   ? '='
			: lead < -1.0 / 32 ? '-'
			: lead < 1.0 / 32  ? '.'
			: lead < 0.5	   ? '+'
					   : '#';

	if (s->unicode || s->depth > DEPTH_16)
		canvas_heat(c, x, y, code, code, cursor);
	else
		canvas_put(c, x, y, cursor ? ROLE_CURSOR : ROLE_TEXT, sign);
}

/* Which run leads, column by column. */
static void
draw_leads(const struct screen *s, struct canvas *c, int y)
{
	const struct axis *a = &s->axis;
	int label = heat_label_width(screen_cores(s));

	for (int x = 0; x < a->w && label + x < c->w; x++) {
		cycle_t from = a->t0 + (cycle_t)x * a->per, at = MIN(from + a->per, a->now);
		double lead;

		if (from >= a->now)
			break;
		lead = twin_lead(s, at);
		put_code(s, c, label + x, y, lead / ((double)at * LEAD_FULL),
			 x == axis_cursor_column(a));
	}
}

/* Whether both runs have a sample, without which the strip has no values. */
static bool
has_samples(const struct screen *s)
{
	return s->twin.work[0].n && s->twin.work[1].n;
}

static cycle_t
first_sample_end(const struct screen *s)
{
	char text[32] = "";

	opt_get(config_db_const(sim_config(session_sim(s->session))), "run.sample", text,
		sizeof(text), NULL);
	return strtoull(text, NULL, 10);
}

static void
put_lead(const struct screen *s, cycle_t at, int w, char *buf, size_t size)
{
	enum { NUMBERS = 36 }; /* columns of the text after the name */
	double lead = twin_lead(s, at), of;
	const struct sim *sim[SIDES] = {machine_of(s, 0), machine_of(s, 1)};
	bool over = sim[0] && sim[1] && sim_done(sim[0]) && sim_done(sim[1]) &&
		    at >= MAX(sim_cycle(sim[0]), sim_cycle(sim[1]));
	char num[FMT_MAX], name[POLICY_TEXT];

	if (isnan(lead)) {
		snprintf(buf, size, "not known yet");
		if (!has_samples(s))
			snprintf(buf, size, "known from the first sample on, at cycle %s",
				 fmt_u64(num, first_sample_end(s)));
		return;
	}
	if (fabs(lead) < 0.5) {
		snprintf(buf, size, over ? "both needed the same number of cycles" : "none so far");
		return;
	}
	of = (double)at;
	snprintf(buf, size, over ? "%s won by %s cycles (%.2fx)" : "%s by %s cycles (%.2fx)",
		 name_of(s, lead < 0, MAX(w - NUMBERS, 8), name),
		 fmt_u64(num, (uint64_t)(fabs(lead) + 0.5)), of / fmax(of - fabs(lead), 1));
}

/* Explains the row of colours, where there is room at the right. */
static void
draw_legend(const struct screen *s, struct canvas *c, int x, int y)
{
	static const int most[] = {30, 16, 8}; /* letters of a name */
	char text[240], name[SIDES][POLICY_TEXT];
	size_t i = 0;
	int w;

	do {
		for (unsigned side = 0; side < SIDES; side++)
			name_of(s, side, most[i], name[side]);
		snprintf(text, sizeof(text), "  %.100s ahead    %.100s ahead", name[0], name[1]);
		w = text_width(text);
	} while (x + w + 2 > c->w && ++i < ARRAY_LEN(most));
	if (i == ARRAY_LEN(most))
		return;
	x = c->w - w - 1;
	canvas_text(c, x, y, ROLE_DIM, text);
	put_code(s, c, x, y, 1, false);
	x += 2 + text_width(name[0]) + 1 + text_width("ahead") + 2;
	put_code(s, c, x, y, -1, false);
}

/* A value of the core in focus, on both sides. */
static int
draw_pair(struct screen *s, struct canvas *c, int x, int y, const char *name,
	  enum series_core_field f, unsigned decimals)
{
	unsigned core = session_focus_core(s->session);
	char num[SIDES][FMT_MAX], text[80];
	double v[SIDES];

	for (unsigned side = 0; side < SIDES; side++) {
		struct twin_saved saved = twin_enter(s, side);

		v[side] = screen_sim(s) ? screen_series(s, f, core) : (double)NAN;
		fmt_num(num[side], v[side], decimals);
		twin_leave(s, &saved);
	}
	snprintf(text, sizeof(text), "%s | %s", num[0], num[1]);
	if (x + text_width(name) + 1 + text_width(text) > c->w)
		return x;
	x += canvas_text(c, x, y, ROLE_TEXT, name) + 1;
	x += canvas_text(c, x, y, v[0] == v[1] ? ROLE_TEXT : ROLE_VALUE, text);
	return x + 3;
}

static void
draw_core(struct screen *s, struct canvas *c, int y)
{
	unsigned core = session_focus_core(s->session);
	int x = 8;

	draw_label(c, y, "core");
	x += canvas_printf(c, x, y, ROLE_VALUE, "%u", core) + 2;
	if (!has_samples(s)) {
		canvas_fit(c, x, y, c->w - x - 1, ROLE_DIM, "no sample yet");
		return;
	}
	x = draw_pair(s, c, x, y, "limit", SC_LIMIT, 0);
	x = draw_pair(s, c, x, y, "CTAs", SC_RUNNING, 0);
	x = draw_pair(s, c, x, y, "RACT", SC_RACT, 2);
	x = draw_pair(s, c, x, y, "IPC", SC_IPC, 1);
	draw_pair(s, c, x, y, "L1 misses", SC_L1_MISS, 2);
}

/* The first decision in which both runs differ, in one row or two. */
static void
draw_difference(struct screen *s, struct canvas *c, int y)
{
	struct session_difference d;
	char num[FMT_MAX], text[500], name[POLICY_TEXT];
	int x = 8, half;

	draw_label(c, y, "differ");
	if (!session_twin_difference(s->session, &d))
		return;
	if (!d.known) {
		snprintf(text, sizeof(text), "all decisions are the same up to %s",
			 fmt_u64(num, d.cycle));
		canvas_fit(c, x, y, c->w - x, d.cycle ? ROLE_TEXT : ROLE_DIM,
			   d.cycle ? text : "not known yet");
		return;
	}
	x += canvas_printf(c, x, y, ROLE_VALUE, "%s", fmt_u64(num, d.cycle)) + 1;
	if (y + 1 < c->h) {
		snprintf(text, sizeof(text), "%s: %s", name_of(s, 0, c->w / 4, name), d.text[0]);
		canvas_fit(c, x, y, c->w - x - 1, ROLE_TEXT, text);
		snprintf(text, sizeof(text), "%s: %s", name_of(s, 1, c->w / 4, name), d.text[1]);
		canvas_fit(c, x, y + 1, c->w - x - 1, ROLE_TEXT, text);
		return;
	}
	half = (c->w - x - 4) / 2;
	x += canvas_fit(c, x, y, half, ROLE_TEXT, d.text[0]);
	x += canvas_text(c, x, y, ROLE_FRAME, " | ");
	canvas_fit(c, x, y, c->w - x - 1, ROLE_TEXT, d.text[1]);
}

void
twin_draw_strip(struct screen *s, struct canvas *c)
{
	bool has_map = c->h >= 4;
	cycle_t at = axis_cursor(&s->axis);
	char text[200];
	int x, y = 0;

	if (c->h == 0)
		return;
	if (has_map)
		draw_leads(s, c, y++);
	draw_label(c, y, "lead");
	put_lead(s, at, c->w - 9, text, sizeof(text));
	x = 8 + canvas_fit(c, 8, y, c->w - 9, ROLE_TEXT, text);
	if (has_map)
		draw_legend(s, c, x, y);
	y++;
	if (y < c->h)
		draw_core(s, c, y++);
	if (y < c->h)
		draw_difference(s, c, y);
}
