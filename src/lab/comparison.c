/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comparison.c - runs two copies side by side (comparison.h).
 *
 * Both run in turn for short stretches. After each their decisions are compared, until the first
 * difference is known (first_difference.c).
 */
#include "lab/comparison.h"

#include <math.h>
#include <string.h>

#define STRETCH 2048 /* cycles that one copy may be ahead of the other */

void
counts_take(const struct sim *s, struct counts *t)
{
	*t = (struct counts){.cycle = sim_cycle(s), .n_cores = sim_instances(s, "core")};
	for (unsigned i = 0; i < t->n_cores; i++) {
		struct core_view v;

		sim_core_view(s, i, &v);
		t->core[i] = v.thread_insts;
		t->insts += v.thread_insts;
		memcpy(t->class[i], v.class_cycles, sizeof(t->class[i]));
	}
}

/* ---------------------------------------------------------------- two branches */

int
branch_pair_take(const struct machine *m, struct branch_pair *p, const char *a, const char *b,
		 struct err *e)
{
	const char *name[2] = {a, b};

	*p = (struct branch_pair){.timeline = m->timeline};
	for (unsigned i = 0; i < 2; i++)
		if (!(p->branch[i] = timeline_branch_find(m->timeline, name[i], e)))
			return -1;
	if (p->branch[0] == p->branch[1])
		return err_set(e, "both are the same branch, %s", a);
	p->at = branches_part_at(m->timeline, p->branch[0]->id, p->branch[1]->id);
	for (unsigned i = 0; i < 2; i++) {
		int rc = copy_take(m, (struct place){p->branch[i]->id, p->at}, &p->copy[i], 1, e);

		if (rc)
			return rc;
	}
	return 0;
}

void
branch_pair_free(struct branch_pair *p)
{
	copy_free(p->copy[0]);
	copy_free(p->copy[1]);
}

/* ---------------------------------------------------------------- the horizon */

void
horizon_set(struct horizon *h, const struct sim *s, cycle_t for_cycles)
{
	unsigned n = sim_kernels_started(s);
	cycle_t now = sim_cycle(s);

	/* between two kernels it is the next one */
	*h = (struct horizon){.cycles = for_cycles,
			      .until = CYCLE_NEVER,
			      .kernel = n && sim_kernel_end(s, n - 1) == CYCLE_NEVER ? n - 1 : n};
	if (for_cycles)
		h->until = for_cycles < CYCLE_NEVER - now ? now + for_cycles : CYCLE_NEVER;
}

void
horizon_set_workload(struct horizon *h, const struct sim *s, cycle_t for_cycles)
{
	horizon_set(h, s, for_cycles);
	h->kernel = HORIZON_WORKLOAD;
}

/* Does the run end with one kernel? */
static bool
ends_with_kernel(const struct horizon *h)
{
	return h->until == CYCLE_NEVER && h->kernel != HORIZON_WORKLOAD;
}

bool
horizon_reached(const struct horizon *h, const struct machine_copy *copy)
{
	if (copy_ended(copy) || sim_cycle(copy->sim) >= h->until)
		return true;
	return ends_with_kernel(h) && sim_kernels_started(copy->sim) > h->kernel &&
	       sim_kernel_end(copy->sim, h->kernel) != CYCLE_NEVER;
}

/* The part of a run that is done, from 0 to 1. It is that of the kernel's CTAs, or of the
 * workload's instructions, if no cycle ends the run. */
static double
share_of(const struct horizon *h, const struct sim *s)
{
	uint64_t id, done, all;

	if (h->until != CYCLE_NEVER && h->cycles)
		return 1 - (double)(h->until - MIN(sim_cycle(s), h->until)) / (double)h->cycles;
	if (!ends_with_kernel(h)) {
		sim_progress(s, &done, &all);
		return all ? (double)done / (double)all : 0;
	}
	if (sim_path(s, "kernel.ctas_done", &id, NULL) != 1)
		return 0;
	done = (uint64_t)sim_value(s, id, 0);
	all = sim_kernels_started(s) ? sim_kernel(s, sim_kernels_started(s) - 1)->n_cta : 0;
	return all ? (double)done / (double)all : 0;
}

void
horizon_stretch(const struct horizon *h, struct machine_copy *copy, cycle_t cycles)
{
	cycle_t now = sim_cycle(copy->sim);

	copy->stops_at_kernels = ends_with_kernel(h);
	copy_run(copy, MIN(h->until, now + cycles));
	copy->stops_at_kernels = false;
}

int
horizon_run(const struct horizon *h, struct machine_copy *copy, const struct lab_progress *p,
	    double from, double share)
{
	while (!horizon_reached(h, copy)) {
		horizon_stretch(h, copy, STRETCH);
		if (lab_progress_stop(p, from + share * share_of(h, copy->sim)))
			return 1;
	}
	return 0;
}

int
comparison_run(struct comparison *c, const struct lab_progress *p)
{
	bool going = true, stop = false;

	first_difference_begin(&c->first, c->copy);
	for (unsigned i = 0; i < 2; i++)
		counts_take(c->copy[i]->sim, &c->from[i]);
	while (going && !stop) {
		double share = 0;

		going = false;
		for (unsigned i = 0; i < 2; i++) {
			struct machine_copy *copy = c->copy[i], *other = c->copy[!i];
			bool wait = sim_cycle(copy->sim) > sim_cycle(other->sim) &&
				    !horizon_reached(&c->to, other);

			if (!horizon_reached(&c->to, copy)) {
				going = true;
				if (!wait)
					horizon_stretch(&c->to, copy, STRETCH);
			}
			share += share_of(&c->to, copy->sim) / 2;
		}
		first_difference_look(&c->first);
		stop = lab_progress_stop(p, share);
	}
	first_difference_end(&c->first);
	for (unsigned i = 0; i < 2; i++)
		counts_take(c->copy[i]->sim, &c->end[i]);
	return stop &&
	       !(horizon_reached(&c->to, c->copy[0]) && horizon_reached(&c->to, c->copy[1]));
}

bool
comparison_is_complete(const struct comparison *c)
{
	bool complete = true;

	for (unsigned i = 0; i < 2; i++)
		complete &= horizon_reached(&c->to, c->copy[i]) && c->copy[i]->how != SIM_FAILED;
	return complete;
}

double
comparison_core_ipc(const struct comparison *c, unsigned i, unsigned core)
{
	double cycles = (double)(c->end[i].cycle - c->from[i].cycle);

	return cycles > 0 ? (double)(c->end[i].core[core] - c->from[i].core[core]) / cycles
			  : (double)NAN;
}

double
comparison_kernel_cycles(const struct comparison *c, unsigned i, unsigned kernel)
{
	const struct sim *s = c->copy[i]->sim;
	cycle_t end = kernel < sim_kernels_started(s) ? sim_kernel_end(s, kernel) : CYCLE_NEVER;

	return end == CYCLE_NEVER ? (double)NAN : (double)(end - sim_kernel_start(s, kernel));
}
