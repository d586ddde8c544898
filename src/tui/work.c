/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work.c - see work.h. */
#include "tui/work.h"

#include "base/memory.h"
#include "tui/panes.h"

#include <math.h>
#include <stdlib.h>

void
work_free(struct work *w)
{
	free(w->done);
	*w = (struct work){0};
}

/* Returns the thread instructions executed up to the present cycle. */
static double
work_total(const struct sim *sim)
{
	uint64_t id;

	return sim_path(sim, "gpu.thread_insts", &id, NULL) == 1 ? sim_value(sim, id, 0) : 0;
}

/* Returns the thread instructions executed before the first sample: a replay's samples begin where
 * the screen does. */
static double
work_before(const struct sim *sim, unsigned n)
{
	double work;

	if (!n || series_end(sim, 0) <= series_span(sim, 0))
		return 0;
	work = work_total(sim);
	for (unsigned i = 0; i < n; i++)
		work -= series_gpu(sim, SG_IPC, i) * (double)series_span(sim, i);
	return fmax(work, 0);
}

void
work_update(struct work *w, const struct sim *sim)
{
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
	w->total = work_total(sim);
}

/* The work of a sample, or of the cycles between the last sample and the present. */
struct stretch {
	double from, to, before, after; /* cycles, and the work done up to them */
};

static struct stretch
find_stretch(const struct work *w, unsigned i)
{
	struct stretch x = {.before = i ? w->done[i - 1] : w->before};

	if (i < w->n) {
		x.to = (double)series_end(w->sim, i);
		x.from = x.to - (double)series_span(w->sim, i);
		x.after = w->done[i];
	} else {
		x.from = i ? (double)series_end(w->sim, i - 1) : 0;
		x.to = (double)sim_cycle(w->sim);
		x.after = fmax(w->total, x.before);
	}
	return x;
}

double
work_at(const struct work *w, cycle_t cycle)
{
	int i = series_at(w->sim, cycle);
	struct stretch x;

	if (cycle == 0)
		return 0;
	if (cycle >= sim_cycle(w->sim))
		return w->total;
	if (i < 0 || cycle > series_end(w->sim, (unsigned)i))
		i++;
	x = find_stretch(w, (unsigned)i);
	return x.before +
	       (x.after - x.before) * fmax((double)cycle - x.from, 0) / fmax(x.to - x.from, 1);
}

double
work_cycle(const struct work *w, double work)
{
	unsigned lo = 0, hi = w->n;
	struct stretch x;

	while (lo < hi) { /* the first sample with at least that work */
		unsigned mid = (lo + hi) / 2;

		if (w->done[mid] < work * (1 - 1e-9))
			lo = mid + 1;
		else
			hi = mid;
	}
	x = find_stretch(w, lo);
	if (x.after < work * (1 - 1e-9))
		return NAN;
	return x.after > x.before
		       ? x.to - (x.to - x.from) * fmax(x.after - work, 0) / (x.after - x.before)
		       : x.to;
}

void
work_reference_ipc(const struct work *w, const struct time_columns *k,
		   const struct reference_view *r, double *to)
{
	cycle_t last = sim_cycle(w->sim);

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
	cycle_t at = MIN(cycle, sim_cycle(w->sim));
	double work = at ? work_at(w, at) : 0;

	return work > 0 ? reference_cycle(r, work) - (double)at : (double)NAN;
}

void
work_lead_line(const struct work *w, const struct time_columns *k, const struct reference_view *r,
	       double *to)
{
	cycle_t last = sim_cycle(w->sim);

	for (int x = 0; x < k->w; x++) {
		cycle_t from = k->t0 + (cycle_t)x * k->per;

		to[x] = from < last ? work_lead(w, r, from + k->per) : (double)NAN;
	}
}

double
work_speedup(const struct work *w, const struct reference_view *r, cycle_t cycle)
{
	cycle_t at = MIN(cycle, sim_cycle(w->sim));

	return at ? 1 + work_lead(w, r, at) / (double)at : (double)NAN;
}
