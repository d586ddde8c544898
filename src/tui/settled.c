/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settled.c - finds the cores that have settled (settled.h): their limit did not change in four
 * periods, neither from sample to sample nor by an event, as far as both are kept. During the first
 * four periods no core counts as settled.
 */
#include "tui/settled.h"
#include "tui/screen.h"
#include <math.h>
#include <stdio.h>

#define EVENTS 8192 /* most events examined for one frame */
#define CORES 256
#define NO_CTA 5 /* value of the series of states */

double
limit_of_core(const struct sim *sim, unsigned core, unsigned sample)
{
	double state = series_core(sim, SC_STATE, core, sample);

	return state == CORE_OFF || state == NO_CTA ? (double)NAN
						    : series_core(sim, SC_LIMIT, core, sample);
}

/* Marks the cores whose limit was changed by an event in (from, to]. */
static void
changed_by_event(const struct screen *s, cycle_t from, cycle_t to, bool changed[CORES])
{
	const struct event_ring *r = sim_events(screen_sim(s));

	for (uint64_t seq = r->next, n = 0; seq > r->first && n < EVENTS; seq--, n++) {
		const struct event *ev = event_ring_get(r, seq - 1);
		if (!ev || ev->cycle <= from)
			break;
		if (ev->kind == EV_LIMIT && ev->cycle <= to && ev->core >= 0 && ev->core < CORES)
			changed[ev->core] = true;
	}
}

/* Whether the limit was the same at the end of every sample since the one at or before that cycle.
 */
static bool
same_since(const struct sim *sim, unsigned core, unsigned last, cycle_t from)
{
	double n = series_core(sim, SC_LIMIT, core, last);

	for (unsigned i = last; i > 0 && series_end(sim, i) > from; i--)
		if (series_core(sim, SC_LIMIT, core, i - 1) != n)
			return false;
	return true;
}

static void
widen_range(struct settled *r, double n)
{
	r->lo = fmin(r->lo, n);
	r->hi = fmax(r->hi, n);
}

bool
settled_at_cursor(const struct screen *s, struct settled *r)
{
	const struct sim *sim = screen_sim(s);
	cycle_t done, p = sim ? sim_period(sim, &done) : 0, to = axis_cursor(&s->axis);
	cycle_t from = to > SETTLED_PERIODS * p ? to - SETTLED_PERIODS * p : 0;
	struct settled all = {.lo = (double)NAN, .hi = (double)NAN};
	bool changed[CORES] = {false};
	int last = screen_level_sample(s);

	*r = all;
	if (last < 0)
		return false;
	changed_by_event(s, from, to, changed);
	for (unsigned core = 0; core < screen_cores(s); core++) {
		double n = limit_of_core(sim, core, (unsigned)last);
		if (isnan(n))
			continue;
		all.cores++;
		widen_range(&all, n);
		if (!p || from == 0 || changed[core % CORES] ||
		    !same_since(sim, core, (unsigned)last, from))
			continue;
		r->settled++;
		widen_range(r, n);
	}
	r->cores = all.cores;
	if (r->settled == 0) {
		r->lo = all.lo;
		r->hi = all.hi;
	}
	return p != 0;
}

bool
settled_phase(const struct screen *s, char *buf, size_t size)
{
	const struct sim *sim = screen_sim(s);
	const struct cta_field *f = NULL;
	unsigned n, by = 0;
	const struct cta_sched_ops *const *o = config_stack(sim_config(sim), &n);
	char path[128];
	uint64_t id;

	for (unsigned i = 0; i < n; i++) {
		if (!(o[i]->role & CTA_ROLE_CORES) && (o[i]->decide || o[i]->done || o[i]->limit))
			return false;
		for (unsigned j = 0; j < o[i]->n_fields && !f; j++)
			if (o[i]->fields[j].type == OPT_T_enum && !o[i]->fields[j].per_core) {
				f = &o[i]->fields[j];
				by = i;
			}
	}
	if (!f)
		return false;
	snprintf(path, sizeof(path), "policy.%s.%s", o[by]->name, f->name);
	if (screen_live(s) && sim_path(sim, path, &id, NULL) == 1)
		snprintf(buf, size, "%s: %s %s", o[by]->name, f->name,
			 f->names[(unsigned)sim_value(sim, id, 0)]);
	else
		snprintf(buf, size, "%s decides in phases", o[by]->name);
	return true;
}
