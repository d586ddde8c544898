/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race_lead.c - draws the cumulative lead of a lane over the first lane of a race. Both are walked
 * through once, sample by sample: to the end of each column in this lane, and to the same work in
 * the first.
 */
#include "base/memory.h"
#include "tui/fmt.h"
#include "tui/lines.h"
#include "tui/race_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A place in the samples of a lane, and the thread instructions executed up to there. */
struct lane_place {
	const struct race_samples *s;
	unsigned i; /* the sample that contains the cycle */
	double cycle, work;
};

static struct lane_place
place_begin(const struct race_samples *s)
{
	return (struct lane_place){.s = s, .cycle = (double)(s->at[0].end - s->at[0].span)};
}

static double
ipc_of(const struct lane_place *p)
{
	double ipc = p->s->at[p->i].ipc;

	return isnan(ipc) ? 0 : ipc;
}

/* Moves to a cycle at or after the place, or to the end of the samples. */
static void
move_to_cycle(struct lane_place *p, double cycle)
{
	for (; p->i < p->s->n && p->cycle < cycle; p->i += p->cycle >= (double)p->s->at[p->i].end) {
		double to = fmin((double)p->s->at[p->i].end, cycle);

		p->work += (to - p->cycle) * ipc_of(p);
		p->cycle = to;
	}
}

/* The samples' IPC is rounded, so the sums of two lanes differ a little when all is done. */
#define ROUNDING 1e-4

/* Moves to where that much work has been done. Returns false if the samples end before. */
static bool
move_to_work(struct lane_place *p, double work)
{
	while (p->i < p->s->n) {
		double end = (double)p->s->at[p->i].end, left = (end - p->cycle) * ipc_of(p);

		if (p->work + left >= work) {
			p->cycle += ipc_of(p) > 0 ? (work - p->work) / ipc_of(p) : 0;
			p->work = work;
			return true;
		}
		p->work += left;
		p->cycle = end;
		p->i++;
	}
	return p->work >= work * (1 - ROUNDING);
}

/* Fills in the lead at the end of each column; returns the last one that is known, else NaN. */
static double
fill_leads(const struct race_view *v, unsigned lane, double *to, int w)
{
	const struct race_samples *s = &v->race->lane[lane].samples,
				  *first = &v->race->lane[0].samples;
	struct lane_place own = place_begin(s), other = place_begin(first);
	double last = NAN;

	for (int x = 0; x < w; x++) {
		cycle_t from = v->axis.t0 + (cycle_t)x * v->axis.per;

		to[x] = NAN;
		if (from >= s->at[s->n - 1].end)
			continue;
		move_to_cycle(&own, (double)(from + v->axis.per));
		if (move_to_work(&other, own.work))
			last = to[x] = other.cycle - own.cycle;
	}
	return last;
}

void
race_strip_lead(const struct race_view *v, const struct painter *p, struct canvas *c, unsigned lane)
{
	const struct race *r = v->race;
	struct canvas area = canvas_sub(c, 0, 1, c->w, c->h - 1);
	double *lead, lo = NAN, hi = NAN, last;
	char num[FMT_MAX], a[32], b[32], name[POLICY_TEXT];
	struct lines l;

	if (c->h < RACE_LEAD_ROWS || lane == 0 || c->w < 1 || !r->lane[lane].samples.n ||
	    !r->lane[0].samples.n)
		return;
	lead = memory_new((size_t)c->w, sizeof(*lead));
	last = fill_leads(v, lane, lead, c->w);
	for (int x = 0; x < c->w; x++) {
		lo = fmin(lo, lead[x]);
		hi = fmax(hi, lead[x]);
	}
	lines_round(&lo, &hi);
	lines_init(&l, &area, p, lo, hi);
	lines_level(&l, 0, ROLE_FRAME, true);
	lines_line(&l, lead, c->w, &lines_style[0]);
	free(lead);
	canvas_printf(c, 1, 0, ROLE_DIM, "lead over %s %s%s cycles, %s to %s",
		      race_short_name(r, 0, 20, CUT_MARK, name), last > 0 ? "+" : "",
		      fmt_num(num, last, 0), lines_number(a, sizeof(a), lo, 5),
		      lines_number(b, sizeof(b), hi, 5));
}
