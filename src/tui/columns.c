/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c - tracks the valid columns of a pane over the time axis; see columns.h. */
#include "tui/columns.h"
#include "tui/screen.h"

bool
columns_begin(struct time_columns *k, const struct screen *s, bool again)
{
	const struct sim *sim = screen_sim(s);
	const struct axis *a = &s->axis;

	if (k->ready && !again && k->sim == sim && k->w == a->w && k->t0 == a->t0 &&
	    k->per == a->per && k->generation == series_generation(sim) &&
	    k->count <= series_count(sim))
		return false;
	*k = (struct time_columns){.sim = sim,
				   .w = a->w,
				   .t0 = a->t0,
				   .per = a->per,
				   .generation = series_generation(sim),
				   .ready = true};
	return true;
}

bool
columns_next(struct time_columns *k, const struct screen *s, struct time_column *c)
{
	const struct sim *sim = screen_sim(s);
	unsigned n = series_count(sim);
	cycle_t last = n ? series_end(sim, n - 1) : 0;
	int x = c->x = c->to ? c->x + 1 : k->done; /* to 0: the first call of the frame */

	c->from = k->t0 + (cycle_t)x * k->per;
	c->to = c->from + k->per;
	if (n == k->count || x >= k->w || c->from >= last) {
		k->count = n;
		return false;
	}
	c->first = (unsigned)series_at(sim, c->from + 1);
	if (last >= c->to)
		k->done = x + 1;
	return true;
}

/* The samples that reach into the column; c->first is the first of them. */
static bool
next_of_rate(const struct sim *sim, const struct time_column *c, struct column_sample *at)
{
	bool past;

	at->i = at->begun ? at->i + 1 : c->first;
	at->begun = true;
	at->weight = column_part(sim, c, at->i, &past);
	return !past;
}

/* The samples that end in the column, of which c->first is the first; else the one before that. */
static bool
next_of_level(const struct sim *sim, const struct time_column *c, struct column_sample *at)
{
	at->i = at->begun ? at->i + 1 : c->first;
	at->begun = true;
	if (at->i < series_count(sim) && series_end(sim, at->i) <= c->to) {
		at->any = true;
		at->weight = (double)series_span(sim, at->i);
		return true;
	}
	if (at->any || at->i == 0)
		return false;
	at->any = true;
	at->weight = 1;
	at->i--;
	return true;
}

bool
column_next_sample(const struct sim *sim, const struct time_column *c, bool level,
		   struct column_sample *at)
{
	return level ? next_of_level(sim, c, at) : next_of_rate(sim, c, at);
}

double
column_part(const struct sim *sim, const struct time_column *c, unsigned i, bool *past)
{
	cycle_t end, start;

	*past = i >= series_count(sim);
	if (*past)
		return 0;
	end = series_end(sim, i);
	start = end - series_span(sim, i);
	*past = start >= c->to;
	return *past ? 0 : (double)(MIN(end, c->to) - MAX(start, c->from));
}

int
series_at(const struct sim *sim, cycle_t cycle)
{
	unsigned lo = 0, hi = series_count(sim);

	if (hi == 0)
		return -1;
	if (cycle > series_end(sim, hi - 1))
		return (int)hi - 1;
	while (lo < hi) { /* first sample whose end is at or after the cycle */
		unsigned mid = (lo + hi) / 2;
		if (series_end(sim, mid) < cycle)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (int)lo;
}

int
series_level_at(const struct sim *sim, cycle_t cycle)
{
	int i = series_at(sim, cycle);

	return i >= 0 && series_end(sim, (unsigned)i) > cycle ? i - 1 : i;
}
