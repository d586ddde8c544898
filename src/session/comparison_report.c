/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comparison_report.c - what flip, try, compare and diverge print of a comparison
 * (comparison_report.h).
 */
#include "session/table.h"
#include "session/comparison_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 4 /* cores to name among those that gained, and among those that lost */
#define KERNELS_SHOWN 16
#define SAME 0.001 /* a core whose gain is a smaller share counts as unchanged */

void
report_first_difference(struct session *s, const struct first_difference *f,
			const char *const name[2], const char *all)
{
	char at[HUMAN];

	if (f->known) {
		say(s, SAY_RESULT,
		    "first %sdecision that differs, cycle %s:", f->flipped.kinds ? "other " : "",
		    human(at, f->cycle));
		for (unsigned i = 0; i < 2; i++)
			say(s, SAY_RESULT, "  %s: %s", name[i], f->text[i]);
	} else if (f->lost) {
		say(s, SAY_RESULT, "decisions were not compared: out of memory");
	} else {
		say(s, SAY_RESULT, "%s", all);
	}
}

static double
divide_known(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

static void
add_row(struct table *t, const char *name, double a, double b)
{
	char num[HUMAN];

	table_text(t, "%s", name);
	table_pair(t, a, b);
	table_text(t, "%s", a == b ? "same" : human_change(num, 100 * (b / a - 1), 2));
}

static double
ipc_of(const struct comparison *c, unsigned i)
{
	return divide_known((double)(c->end[i].insts - c->from[i].insts),
			    (double)(c->end[i].cycle - c->from[i].cycle));
}

/* Has the kernel a row of its own? Not if it ended before the branches part, runs on in both, or
 * ends what is compared and began with the run, so that its end is its number of cycles. */
static bool
has_kernel_row(const struct comparison *c, unsigned k)
{
	cycle_t a = sim_kernel_end(c->copy[0]->sim, k), b = sim_kernel_end(c->copy[1]->sim, k);
	bool last = c->to.until == CYCLE_NEVER && !sim_kernel_start(c->copy[0]->sim, k) &&
		    (k == c->to.kernel || sim_trace(c->copy[0]->sim)->n_kernels == 1);

	return a > c->from[0].cycle && (a != CYCLE_NEVER || b != CYCLE_NEVER) && !last;
}

static double
kernel_change(const struct comparison *c, unsigned k)
{
	double change = comparison_kernel_cycles(c, 1, k) - comparison_kernel_cycles(c, 0, k);

	return isnan(change) ? INFINITY : fabs(change);
}

/* The change that the kernels shown have at least; -1: all are shown. */
static double
find_least_change(const struct comparison *c, unsigned n)
{
	double top[KERNELS_SHOWN]; /* the largest changes so far, falling */
	unsigned all = 0;

	for (unsigned k = 0; k < n; k++) {
		double change = has_kernel_row(c, k) ? kernel_change(c, k) : -1;
		unsigned at = MIN(all, KERNELS_SHOWN);

		if (change < 0)
			continue;
		for (; at > 0 && top[at - 1] < change; at--)
			if (at < KERNELS_SHOWN)
				top[at] = top[at - 1];
		if (at < KERNELS_SHOWN)
			top[at] = change;
		all++;
	}
	return all > KERNELS_SHOWN ? top[KERNELS_SHOWN - 1] : -1;
}

/* Adds the cycles of each kernel; of many, those that differ most. Returns how many are left out.
 */
static unsigned
add_kernels(const struct comparison *c, struct table *t)
{
	unsigned ties = KERNELS_SHOWN, hidden = 0,
		 n = MIN(sim_kernels_started(c->copy[0]->sim),
			 sim_kernels_started(c->copy[1]->sim));
	double least = find_least_change(c, n);
	char name[64];

	for (unsigned k = 0; k < n; k++)
		ties -= least >= 0 && has_kernel_row(c, k) && kernel_change(c, k) > least;
	for (unsigned k = 0; k < n; k++) {
		bool tie = has_kernel_row(c, k) && kernel_change(c, k) <= least;

		if (!has_kernel_row(c, k))
			continue;
		if (tie && (kernel_change(c, k) < least || !ties)) {
			hidden++;
			continue;
		}
		ties -= tie;
		snprintf(name, sizeof(name), "cycles of kernel %u", k + 1);
		add_row(t, name, comparison_kernel_cycles(c, 0, k),
			comparison_kernel_cycles(c, 1, k));
	}
	return hidden;
}

/* The cycle in which it ends, or in which it was cut. The cycles of cut runs are not a result, so
 * their change is left out. That of a later kernel holds the cycles of those before it, so that
 * the row gives the difference, and "cycles of kernel N" gives the percentage. */
static void
add_end(struct table *t, const char *name, const struct comparison *c)
{
	double a = (double)c->end[0].cycle, b = (double)c->end[1].cycle;
	const struct sim *s = c->copy[0]->sim;
	bool complete = comparison_is_complete(c);
	char num[HUMAN];

	if (complete && (a == b || c->to.kernel >= sim_kernels_started(s) ||
			 !sim_kernel_start(s, c->to.kernel))) {
		add_row(t, name, a, b);
		return;
	}
	table_text(t, "%s", name);
	table_pair(t, a, b);
	if (complete)
		table_text(t, "%s%s", b > a ? "+" : "", human_num(num, b - a));
	else
		table_text(t, "%s", "");
}

/* At the end of a kernel or of the workload its cycle is shown, counted from the start of the run.
 * Work is counted from where the branches part, as the IPC of each core is. */
static void
say_numbers(struct session *s, const struct comparison *c)
{
	bool to_end = c->to.until == CYCLE_NEVER, whole = c->to.kernel == HORIZON_WORKLOAD;
	char name[64], of[32], since[32] = "", at[HUMAN];
	unsigned more;
	struct table t;

	table_begin(&t, "< > > >change");
	snprintf(t.column[1].head, sizeof(t.column[1].head), "%.20s", c->name[0]);
	snprintf(t.column[2].head, sizeof(t.column[2].head), "%.20s", c->name[1]);
	if (to_end) {
		snprintf(of, sizeof(of), whole ? "the workload" : "kernel %u", c->to.kernel + 1);
		snprintf(name, sizeof(name), "end of %s%s, cycle", of,
			 c->copy[0]->how == SIM_DEADLOCK || c->copy[1]->how == SIM_DEADLOCK
				 ? " or deadlock"
				 : "");
		if (!comparison_is_complete(c))
			snprintf(name, sizeof(name), "cut at cycle");
		add_end(&t, name, c);
		if (c->from[0].cycle)
			snprintf(since, sizeof(since), " after cycle %s",
				 human(at, c->from[0].cycle));
	} else {
		add_row(&t, "cycles", (double)(c->end[0].cycle - c->from[0].cycle),
			(double)(c->end[1].cycle - c->from[1].cycle));
	}
	snprintf(name, sizeof(name), "thread instructions%s", since);
	add_row(&t, name, (double)(c->end[0].insts - c->from[0].insts),
		(double)(c->end[1].insts - c->from[1].insts));
	snprintf(name, sizeof(name), "IPC%s", since);
	add_row(&t, name, ipc_of(c, 0), ipc_of(c, 1));
	more = add_kernels(c, &t);
	table_end(s, &t);
	if (more)
		say(s, SAY_RESULT, "and %u more kernels, whose cycles differ less", more);
}

/* The gain of a core in its IPC, as a share; infinite where it had none. */
static double
gain_of_core(const struct comparison *c, unsigned core)
{
	double a = comparison_core_ipc(c, 0, core), b = comparison_core_ipc(c, 1, core);

	return a > 0 ? b / a - 1 : b > 0 ? (double)INFINITY : 0;
}

/* Names the cores that gained the largest shares, or lost them; returns how many did. */
static unsigned
name_cores(const struct comparison *c, int sign, struct strbuf *out)
{
	bool named[MAX_CORES] = {false};
	char change[HUMAN];
	unsigned n = 0;

	for (unsigned i = 0; i < c->end[0].n_cores; i++)
		n += sign * gain_of_core(c, i) > SAME;
	for (unsigned shown = 0; shown < MIN(n, SHOWN); shown++) {
		double most = 0;
		unsigned best = 0;

		for (unsigned i = 0; i < c->end[0].n_cores; i++)
			if (!named[i] && sign * gain_of_core(c, i) > most) {
				most = sign * gain_of_core(c, i);
				best = i;
			}
		named[best] = true;
		if (isfinite(most))
			sb_printf(out, "%s%u (%s)", shown ? ", " : "", best,
				  human_change(change, 100 * sign * most, 1));
		else
			sb_printf(out, "%s%u (had none)", shown ? ", " : "", best);
	}
	if (n > SHOWN)
		sb_str(out, " ...");
	return n;
}

static void
say_cores(struct session *s, const struct comparison *c)
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
report_comparison(struct session *s, const struct comparison *c)
{
	say_numbers(s, c);
	say_cores(s, c);
	report_first_difference(s, &c->first, c->name,
				comparison_is_complete(c) ? "all decisions after it are the same"
							  : "all decisions so far are the same");
	for (unsigned i = 0; i < 2; i++)
		if (c->copy[i]->how == SIM_FAILED)
			fail(s, "the run of %s failed: %s", c->name[i], c->copy[i]->why.msg);
		else if (c->copy[i]->why.msg[0])
			say(s, SAY_NOTE, "%s: %s", c->name[i], c->copy[i]->why.msg);
}
