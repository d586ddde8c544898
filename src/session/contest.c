/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contest.c - two labs side by side (contest.h).
 *
 * Both are run in short stretches in turn, and after each their decisions are compared, until the
 * first that differs is known (first_difference.c).
 */
#include "session/contest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRETCH 2048 /* cycles one is ahead of the other */
#define SHOWN 4	     /* cores named of those that gained, and lost */
#define SAME 0.001   /* a core that gains less than that share is the same */

void
tally_take(const struct sim *s, struct tally *t)
{
	*t = (struct tally){.cycle = sim_cycle(s), .n_cores = sim_instances(s, "core")};
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
pair_take(struct session *s, struct pair *p, const char *a, const char *b, struct err *e)
{
	const char *name[2] = {a, b};

	*p = (struct pair){.s = s};
	for (unsigned i = 0; i < 2; i++)
		if (!(p->b[i] = timeline_branch_find(s->timeline, name[i], e)))
			return -1;
	if (p->b[0] == p->b[1])
		return err_set(e, "this is twice the same branch, %s", a);
	p->at = lab_parting(s->timeline, p->b[0]->id, p->b[1]->id);
	for (unsigned i = 0; i < 2; i++) {
		int rc = lab_take(s, (struct place){p->b[i]->id, p->at}, &p->lab[i], 1, e);

		if (rc > 0)
			return err_set(e, "interrupted");
		if (rc < 0)
			return -1;
	}
	return 0;
}

void
pair_free(struct pair *p)
{
	lab_free(p->lab[0]);
	lab_free(p->lab[1]);
}

/* ---------------------------------------------------------------- the horizon */

void
horizon_set(struct horizon *h, const struct sim *s, cycle_t for_cycles)
{
	unsigned n = sim_kernels_started(s);
	cycle_t now = sim_cycle(s);

	/* between two kernels the next one is meant */
	*h = (struct horizon){.cycles = for_cycles,
			      .until = CYCLE_NEVER,
			      .kernel = n && sim_kernel_end(s, n - 1) == CYCLE_NEVER ? n - 1 : n};
	if (for_cycles)
		h->until = for_cycles < CYCLE_NEVER - now ? now + for_cycles : CYCLE_NEVER;
}

bool
horizon_reached(const struct horizon *h, const struct lab *l)
{
	if (lab_ended(l) || sim_cycle(l->sim) >= h->until)
		return true;
	return h->until == CYCLE_NEVER && sim_kernels_started(l->sim) > h->kernel &&
	       sim_kernel_end(l->sim, h->kernel) != CYCLE_NEVER;
}

/* How far a run is, from 0 to 1; by the CTAs of the kernel when no cycle says so. */
static double
share_of(const struct horizon *h, const struct sim *s)
{
	uint64_t id, done, all;

	if (h->until != CYCLE_NEVER && h->cycles)
		return 1 - (double)(h->until - MIN(sim_cycle(s), h->until)) / (double)h->cycles;
	if (sim_path(s, "kernel.ctas_done", &id, NULL) != 1)
		return 0;
	done = (uint64_t)sim_value(s, id, 0);
	all = sim_kernels_started(s) ? sim_kernel(s, sim_kernels_started(s) - 1)->n_cta : 0;
	return all ? (double)done / (double)all : 0;
}

void
horizon_stretch(const struct horizon *h, struct lab *l, cycle_t cycles)
{
	cycle_t now = sim_cycle(l->sim);

	l->halt = h->until == CYCLE_NEVER;
	lab_run(l, MIN(h->until, now + cycles));
	l->halt = false;
}

int
horizon_run(const struct horizon *h, struct lab *l, struct lab_watch *w, double from, double share)
{
	while (!horizon_reached(h, l)) {
		horizon_stretch(h, l, STRETCH);
		if (lab_going(w, from + share * share_of(h, l->sim)))
			return 1;
	}
	return 0;
}

int
contest_run(struct session *s, struct contest *c, const char *what)
{
	struct lab_watch w;
	bool going = true, stop = false;

	lab_watch(&w, s, what);
	first_difference_begin(&c->first, c->lab);
	for (unsigned i = 0; i < 2; i++)
		tally_take(c->lab[i]->sim, &c->from[i]);
	while (going && !stop) {
		double share = 0;

		going = false;
		for (unsigned i = 0; i < 2; i++) {
			struct lab *l = c->lab[i], *other = c->lab[!i];
			bool wait = sim_cycle(l->sim) > sim_cycle(other->sim) &&
				    !horizon_reached(&c->to, other);

			if (!horizon_reached(&c->to, l)) {
				going = true;
				if (!wait)
					horizon_stretch(&c->to, l, STRETCH);
			}
			share += share_of(&c->to, l->sim) / 2;
		}
		first_difference_look(&c->first);
		stop = lab_going(&w, share);
	}
	lab_watched(&w);
	first_difference_end(&c->first);
	for (unsigned i = 0; i < 2; i++)
		tally_take(c->lab[i]->sim, &c->end[i]);
	return stop;
}

/* ---------------------------------------------------------------- saying it */

static double
ratio(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

static void
row(struct table *t, const char *name, double a, double b)
{
	double change = 100 * (b / a - 1);

	table_text(t, "%s", name);
	table_num(t, a);
	table_num(t, b);
	if (a == b)
		table_text(t, "same");
	else if (isfinite(change))
		table_text(t, "%+.2f %%", change);
	else
		table_text(t, "-");
}

static double
ipc_of(const struct contest *c, unsigned i)
{
	return ratio((double)(c->end[i].insts - c->from[i].insts),
		     (double)(c->end[i].cycle - c->from[i].cycle));
}

static double
core_ipc(const struct contest *c, unsigned i, unsigned core)
{
	return ratio((double)(c->end[i].core[core] - c->from[i].core[core]),
		     (double)(c->end[i].cycle - c->from[i].cycle));
}

/* NaN: it has not ended. */
static double
kernel_cycles(const struct sim *s, unsigned k)
{
	cycle_t end = sim_kernel_end(s, k);

	return end == CYCLE_NEVER ? (double)NAN : (double)(end - sim_kernel_start(s, k));
}

/* Up to a kernel's end the cycles are the run's own; what was done is counted from where both were
 * the same, as the IPC of each core is. */
static void
say_numbers(struct session *s, const struct contest *c)
{
	bool to_end = c->to.until == CYCLE_NEVER;
	char name[64], since[32] = "", at[HUMAN];
	struct table t;

	table_begin(&t, "< > > >change");
	snprintf(t.column[1].head, sizeof(t.column[1].head), "%.20s", c->name[0]);
	snprintf(t.column[2].head, sizeof(t.column[2].head), "%.20s", c->name[1]);
	if (to_end) {
		snprintf(name, sizeof(name), "cycles to the end of kernel %u%s", c->to.kernel + 1,
			 c->lab[0]->how == SIM_DEADLOCK || c->lab[1]->how == SIM_DEADLOCK
				 ? " or a deadlock"
				 : "");
		row(&t, name, (double)c->end[0].cycle, (double)c->end[1].cycle);
		if (c->from[0].cycle)
			snprintf(since, sizeof(since), " after cycle %s",
				 human(at, c->from[0].cycle));
	} else {
		row(&t, "cycles", (double)(c->end[0].cycle - c->from[0].cycle),
		    (double)(c->end[1].cycle - c->from[1].cycle));
	}
	snprintf(name, sizeof(name), "thread instructions%s", since);
	row(&t, name, (double)(c->end[0].insts - c->from[0].insts),
	    (double)(c->end[1].insts - c->from[1].insts));
	snprintf(name, sizeof(name), "IPC%s", since);
	row(&t, name, ipc_of(c, 0), ipc_of(c, 1));
	for (unsigned k = 0;
	     k < sim_kernels_started(c->lab[0]->sim) && k < sim_kernels_started(c->lab[1]->sim);
	     k++) {
		cycle_t a = sim_kernel_end(c->lab[0]->sim, k),
			b = sim_kernel_end(c->lab[1]->sim, k);

		if (a <= c->from[0].cycle || (a == CYCLE_NEVER && b == CYCLE_NEVER) ||
		    (c->to.until == CYCLE_NEVER && k == c->to.kernel))
			continue;
		snprintf(name, sizeof(name), "cycles of kernel %u", k + 1);
		row(&t, name, kernel_cycles(c->lab[0]->sim, k), kernel_cycles(c->lab[1]->sim, k));
	}
	table_end(s, &t);
}

/* The cores that gained most, or lost most; returns how many did. */
static unsigned
name_cores(const struct contest *c, int sign, struct strbuf *out)
{
	bool named[MAX_CORES] = {false};
	unsigned n = 0;

	for (unsigned i = 0; i < c->end[0].n_cores; i++) {
		double change = core_ipc(c, 1, i) - core_ipc(c, 0, i);

		n += sign * change > SAME * core_ipc(c, 0, i) && change != 0;
	}
	for (unsigned shown = 0; shown < MIN(n, SHOWN); shown++) {
		double most = 0;
		unsigned best = 0;

		for (unsigned i = 0; i < c->end[0].n_cores; i++) {
			double change = sign * (core_ipc(c, 1, i) - core_ipc(c, 0, i));

			if (!named[i] && change > most) {
				most = change;
				best = i;
			}
		}
		named[best] = true;
		sb_printf(out, "%s%u (%+.1f %%)", shown ? ", " : "", best,
			  100 * (ratio(core_ipc(c, 1, best), core_ipc(c, 0, best)) - 1));
	}
	if (n > SHOWN)
		sb_str(out, " ...");
	return n;
}

static void
say_cores(struct session *s, const struct contest *c)
{
	struct strbuf up = {0}, down = {0};
	unsigned n_up = name_cores(c, 1, &up), n_down = name_cores(c, -1, &down);

	if (n_up)
		say(s, SAY_RESULT, "%u core%s gained IPC: %s", n_up, PLURAL(n_up),
		    text_so_far(s, &up));
	if (n_down)
		say(s, SAY_RESULT, "%u core%s lost IPC: %s", n_down, PLURAL(n_down),
		    text_so_far(s, &down));
	if (!n_up && !n_down)
		say(s, SAY_RESULT, "no core gained or lost IPC");
	sb_free(&up);
	sb_free(&down);
}

void
contest_say(struct session *s, const struct contest *c)
{
	say_numbers(s, c);
	say_cores(s, c);
	first_difference_say(s, &c->first, c->name, "every decision after it is the same");
	for (unsigned i = 0; i < 2; i++)
		if (c->lab[i]->why.msg[0])
			say(s, SAY_NOTE, "%s: %s", c->name[i], c->lab[i]->why.msg);
}
