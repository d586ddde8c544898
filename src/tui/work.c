/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.c - see work.h. */
#include "tui/work.h"

#include "base/memory.h"
#include "tui/screen.h"

#include <math.h>
#include <stdlib.h>

void
work_free(struct work *w)
{
	free(w->done);
	*w = (struct work){0};
}

/* Returns the thread instructions executed before the first sample: a replay's samples begin where
 * the screen does. */
static double
work_before(const struct sim *sim, unsigned n)
{
	double work = 0;
	uint64_t id;

	if (!n || series_end(sim, 0) <= series_span(sim, 0) ||
	    sim_path(sim, "gpu.thread_insts", &id, NULL) != 1)
		return 0;
	work = sim_value(sim, id, 0);
	for (unsigned i = 0; i < n; i++)
		work -= series_gpu(sim, SG_IPC, i) * (double)series_span(sim, i);
	return fmax(work, 0);
}

void
work_update(struct work *w, const struct screen *s)
{
	const struct sim *sim = screen_sim(s);
	unsigned n = series_count(sim);

	if (w->sim != sim || w->generation != series_generation(sim) || n < w->n)
		w->n = 0;
	w->sim = sim;
	w->generation = series_generation(sim);
	if (n > w->room) {
		w->room = n + 256;
		w->done = memory_resize(w->done, w->room, sizeof(*w->done));
	}
	if (w->n == 0)
		w->before = work_before(sim, n);
	for (unsigned i = w->n; i < n; i++)
		w->done[i] = (i ? w->done[i - 1] : w->before) +
			     series_gpu(sim, SG_IPC, i) * (double)series_span(sim, i);
	w->n = n;
}

/* Returns the thread instructions executed up to a cycle, interpolated between the ends of two
 * samples. */
static double
work_at(const struct work *w, cycle_t cycle)
{
	int i = series_at(w->sim, cycle);
	cycle_t end, span;

	if (i < 0 || cycle == 0)
		return 0;
	end = series_end(w->sim, (unsigned)i);
	span = series_span(w->sim, (unsigned)i);
	double before = i ? w->done[i - 1] : w->before;
	if (cycle >= end)
		return w->done[i];
	return before + (w->done[i] - before) * (1 - (double)(end - cycle) / (double)span);
}

/* The cycle in which the last sample ended. */
static cycle_t
last_cycle(const struct work *w)
{
	unsigned n = series_count(w->sim);

	return n ? series_end(w->sim, n - 1) : 0;
}

void
work_reference_ipc(const struct work *w, const struct time_columns *k,
		   const struct reference_view *r, double *to)
{
	cycle_t last = last_cycle(w);

	for (int x = 0; x < k->w; x++) {
		cycle_t from = k->t0 + (cycle_t)x * k->per, end = MIN(from + k->per, last);
		to[x] = NAN;
		if (from >= end)
			continue;
		double w0 = work_at(w, from), w1 = work_at(w, end);
		double c0 = reference_cycle(r, w0), c1 = reference_cycle(r, w1);
		if (c1 > c0 && w1 > w0)
			to[x] = (w1 - w0) / (c1 - c0);
	}
}

double
work_lead(const struct work *w, const struct reference_view *r, cycle_t cycle)
{
	cycle_t at = MIN(cycle, last_cycle(w));
	double work = at ? work_at(w, at) : 0;

	return work > 0 ? reference_cycle(r, work) - (double)at : (double)NAN;
}

void
work_lead_line(const struct work *w, const struct time_columns *k, const struct reference_view *r,
	       double *to)
{
	cycle_t last = last_cycle(w);

	for (int x = 0; x < k->w; x++) {
		cycle_t from = k->t0 + (cycle_t)x * k->per;

		to[x] = from < last ? work_lead(w, r, from + k->per) : (double)NAN;
	}
}

double
work_speedup(const struct work *w, const struct reference_view *r, cycle_t cycle)
{
	cycle_t at = MIN(cycle, last_cycle(w));

	return at ? 1 + work_lead(w, r, at) / (double)at : (double)NAN;
}
