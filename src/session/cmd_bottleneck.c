/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_bottleneck.c - the command bottleneck: the workload again with each part of the machine twice
 * as fast, ranked by what it gains. The session stays where it is.
 */
#include "lab/lab.h"
#include "session/command.h"
#include "session/experiment.h"
#include "session/table.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define LITTLE 1.02 /* a gain below this is too small to name a part */

/* Sorts by gain, the largest first, runs without one last. Equal gains keep the order of the
 * parts. */
static void
sort_by_gain(const struct bottleneck *b, const struct bottleneck_run **r, unsigned n)
{
	for (unsigned i = 1; i < n; i++)
		for (unsigned k = i; k > 0; k--) {
			const struct bottleneck_run *t = r[k];
			double left = bottleneck_gain(b, r[k - 1]), right = bottleneck_gain(b, t);

			if (isnan(right) || left >= right)
				break;
			r[k] = r[k - 1];
			r[k - 1] = t;
		}
}

/* Whether the workload took longer with a part that is twice as fast, as the table shows it. */
static bool
any_slower(const struct bottleneck *b)
{
	for (unsigned i = 1; i < BOTTLENECK_RUNS; i++)
		if (bottleneck_gain(b, &b->run[i]) < 0.995)
			return true;
	return false;
}

static void
print_bottleneck(struct session *s, const struct bottleneck *b)
{
	const struct bottleneck_run *sorted[BOTTLENECK_RUNS - 1], *first;
	struct table t;

	for (unsigned i = 1; i < BOTTLENECK_RUNS; i++)
		sorted[i - 1] = &b->run[i];
	sort_by_gain(b, sorted, BOTTLENECK_RUNS - 1);
	first = sorted[0];
	table_begin(&t, "<part >cycles >gain 1<changes");
	table_text(&t, "as it is");
	table_u64(&t, b->run[0].cycles);
	table_text(&t, "1.00x");
	table_text(&t, "%s", "");
	for (unsigned i = 0; i < BOTTLENECK_RUNS - 1; i++) {
		const struct bottleneck_run *r = sorted[i];

		table_text(&t, "%s", r->part);
		table_num(&t, r->done ? (double)r->cycles : NAN);
		if (r->done)
			table_text(&t, "%.2fx", bottleneck_gain(b, r));
		else
			table_text(&t, "%s", "unknown");
		table_text(&t, "%s", r->done ? r->changes : r->why);
	}
	table_end(s, &t);
	if (any_slower(b))
		say(s, SAY_RESULT,
		    "gain below 1.00x: the faster part changes the order of requests and CTAs, "
		    "which costs more than it saves");
	if (bottleneck_gain(b, first) < LITTLE)
		say(s, SAY_RESULT,
		    "no single part gains 2 %% when doubled: dependences limit the run, or several "
		    "parts do together");
	else
		say(s, SAY_RESULT, "largest gain: %s, %.2fx with that part twice as %s",
		    first->part, bottleneck_gain(b, first),
		    strstr(first->part, "size") ? "large" : "fast");
}

/* An error if a run failed: a table with holes is not written. */
static enum session_status
status_of_runs(struct session *s, const struct bottleneck *b)
{
	for (unsigned i = 0; i < BOTTLENECK_RUNS; i++) {
		const struct bottleneck_run *r = &b->run[i];

		if (r->tried && !r->done)
			return fail(s, "bottleneck: the run with another %s failed: %s", r->part,
				    r->why);
	}
	return SESSION_OK;
}

enum session_status
cmd_bottleneck(struct session *s, struct cmd_args *a)
{
	struct machine m = session_machine(s);
	struct bottleneck b;
	struct progress_line w;
	char csv[PATH_MAX] = "";
	struct err e = {0};
	int rc;

	if (session_read_csv("bottleneck", a->rest ? a->rest : "", csv, sizeof(csv), &e))
		return say_err(s, &e);
	progress_line_begin(&w, s, "bottleneck");
	rc = bottleneck_measure(&m, &b, &w.progress, &e);
	progress_line_end(&w);
	if (rc < 0)
		return say_err(s, &e);
	if (rc > 0)
		return session_say_interrupted(s, "bottleneck");
	if (!b.run[0].done)
		return fail(s, "bottleneck: the run without a change failed: %s", b.run[0].why);
	if (strcmp(csv, "-") != 0)
		print_bottleneck(s, &b);
	if (status_of_runs(s, &b) != SESSION_OK)
		return SESSION_ERROR;
	return *csv && bottleneck_csv(&b, csv, &e) ? say_err(s, &e) : SESSION_OK;
}

void
complete_csv(struct offer *o, const struct before *b)
{
	o->is_path = b->n && strcmp(b->last, "csv") == 0;
	if (!b->n)
		offer(o, "csv");
}
