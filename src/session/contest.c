/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contest.c - two labs side by side (contest.h).
 *
 * Both are run in short stretches in turn, and after each their decisions are set against each
 * other in the order of time, until the first that differs is known. A decision is the same when
 * the same rule had the same outcome about the same core in the same cycle: the counters it
 * compared hardly ever are, once anything is different.
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

/* ---------------------------------------------------------------- decisions */

bool
contest_same_decision(const struct event *a, const struct event *b)
{
	return a->cycle == b->cycle && a->kind == b->kind && a->core == b->core &&
	       a->cta == b->cta && a->policy == b->policy && a->rule == b->rule;
}

/* The next decision of a lab that is of interest; NULL: none so far. */
static const struct event *
next_decision(const struct contest *c, struct lab *l)
{
	const struct event *ev;

	while ((ev = lab_event(l)) != NULL) {
		bool own = ev->cycle == c->flipped && ev->core == c->flipped_core;

		if (sim_event_is_decision(ev) && !own)
			return ev;
		lab_next_event(l);
	}
	return NULL;
}

static void
note_difference(struct contest *c, const struct event *a, const struct event *b)
{
	const struct event *ev[2] = {a, b};

	c->decided = MIN(a ? a->cycle : CYCLE_NEVER, b ? b->cycle : CYCLE_NEVER);
	for (unsigned i = 0; i < 2; i++) {
		if (ev[i] && ev[i]->cycle == c->decided)
			sim_event_text(c->lab[i]->sim, ev[i], c->decision[i],
				       sizeof(c->decision[i]));
		else
			snprintf(c->decision[i], sizeof(c->decision[i]), "nothing in that cycle");
		lab_listen(c->lab[i], false);
	}
}

/* What both have done up to where they stand. One that has stopped earlier tells nothing of what
 * came later. */
static void
compare_decisions(struct contest *c)
{
	while (!c->decision[0][0]) {
		const struct event *a = next_decision(c, c->lab[0]),
				   *b = next_decision(c, c->lab[1]);
		cycle_t at = MIN(a ? a->cycle : CYCLE_NEVER, b ? b->cycle : CYCLE_NEVER);

		if (at > sim_cycle(c->lab[0]->sim) || at > sim_cycle(c->lab[1]->sim))
			return;
		if (!a || !b || !contest_same_decision(a, b)) {
			note_difference(c, a, b);
			return;
		}
		lab_next_event(c->lab[0]);
		lab_next_event(c->lab[1]);
	}
}

int
contest_run(struct session *s, struct contest *c, const char *what)
{
	struct lab_watch w;
	bool going = true, stop = false;

	lab_watch(&w, s, what);
	for (unsigned i = 0; i < 2; i++) {
		tally_take(c->lab[i]->sim, &c->from[i]);
		lab_listen(c->lab[i], true);
	}
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
		compare_decisions(c);
		stop = lab_going(&w, share);
	}
	lab_watched(&w);
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

static void
say_numbers(struct session *s, const struct contest *c)
{
	struct table t;
	char name[64];

	table_begin(&t, "< > > >change");
	snprintf(t.column[1].head, sizeof(t.column[1].head), "%.20s", c->name[0]);
	snprintf(t.column[2].head, sizeof(t.column[2].head), "%.20s", c->name[1]);
	if (c->to.until == CYCLE_NEVER)
		snprintf(name, sizeof(name), "cycles to the end of kernel %u%s", c->to.kernel + 1,
			 c->lab[0]->how == SIM_DEADLOCK || c->lab[1]->how == SIM_DEADLOCK
				 ? " or a deadlock"
				 : "");
	else
		snprintf(name, sizeof(name), "cycles");
	row(&t, name, (double)(c->end[0].cycle - c->from[0].cycle),
	    (double)(c->end[1].cycle - c->from[1].cycle));
	row(&t, "thread instructions", (double)(c->end[0].insts - c->from[0].insts),
	    (double)(c->end[1].insts - c->from[1].insts));
	row(&t, "IPC", ipc_of(c, 0), ipc_of(c, 1));
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
		say(s, SAY_RESULT, "%u core%s gained IPC: %s", n_up, PLURAL(n_up), up.p);
	if (n_down)
		say(s, SAY_RESULT, "%u core%s lost IPC: %s", n_down, PLURAL(n_down), down.p);
	if (!n_up && !n_down)
		say(s, SAY_RESULT, "no core gained or lost IPC");
	sb_free(&up);
	sb_free(&down);
}

void
contest_say(struct session *s, const struct contest *c)
{
	char at[HUMAN];

	say_numbers(s, c);
	say_cores(s, c);
	if (c->decision[0][0]) {
		say(s, SAY_RESULT, "first decision that differs, cycle %s:", human(at, c->decided));
		for (unsigned i = 0; i < 2; i++)
			say(s, SAY_RESULT, "  %s: %s", c->name[i], c->decision[i]);
	} else {
		say(s, SAY_RESULT, "every decision after it is the same");
	}
	for (unsigned i = 0; i < 2; i++)
		if (c->lab[i]->why.msg[0])
			say(s, SAY_NOTE, "%s: %s", c->name[i], c->lab[i]->why.msg);
}
