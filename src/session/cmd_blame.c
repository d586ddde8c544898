/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_blame.c - the commands blame and info blame: where a core's cycles went, and how its
 * decisions contributed (blame.h). The output includes what the result proves.
 *
 * In a script the command ends when everything is measured. For a person, a worker measures while
 * the session goes on.
 */
#include "base/clock.h"
#include "lab/lab.h"
#include "session/table.h"
#include "session/command.h"
#include "session/beside.h"
#include "session/experiment.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

static bool
to_the_end(const struct blame *b)
{
	return b->to.until == CYCLE_NEVER;
}

/* ---------------------------------------------------------------- arguments */

static void
default_range(const struct session *s, cycle_t *from, cycle_t *to)
{
	unsigned n = sim_kernels_started(s->sim);

	*from = n ? sim_kernel_start(s->sim, n - 1) : 0;
	*to = sim_cycle(s->sim);
	if (n > 1 && *from == *to)
		*from = sim_kernel_start(s->sim, n - 2);
}

/* A range that ends with a kernel becomes a run to the end of that kernel, whenever that is: then
 * the work is the same, and the number of cycles differs. */
static void
set_horizon(struct blame *b, const struct session *s, cycle_t to)
{
	unsigned n = sim_kernels_started(s->sim);

	b->to = (struct horizon){.until = to, .cycles = to - b->from};
	for (unsigned k = 0; k < n; k++)
		if (sim_kernel_end(s->sim, k) == to ||
		    (k + 1 == n && sim_done(s->sim) && to == sim_cycle(s->sim)))
			b->to = (struct horizon){.until = CYCLE_NEVER, .kernel = k};
}

static int
read_words(struct session *s, struct blame *b, const char *at, cycle_t *to, struct err *e)
{
	char word[64];
	uint64_t n;

	while (next_word(&at, word, sizeof(word))) {
		if (strstr(word, "..") || ascii_same(word, "selection")) {
			if (read_cycles(s, word, &b->from, to, e) < 0)
				return -1;
		} else if (ascii_same(word, "against")) {
			if (!next_word(&at, b->against, sizeof(b->against)))
				return err_set(e, "blame: against: a branch is missing");
			if (!timeline_branch_find(s->timeline, b->against, e))
				return -1;
		} else if (strcmp(word, "--most") == 0) {
			if (!next_word(&at, word, sizeof(word)) || number_count(word, &n) || !n ||
			    n > 10000)
				return err_set(e, "blame: --most: expected 1 to 10000");
			b->most = (unsigned)n;
		} else {
			return err_set(e,
				       "blame: expected CORE, FROM..TO, 'against BRANCH' or "
				       "'--most K', found '%.40s'",
				       word);
		}
	}
	return 0;
}

/* Without a number the core in focus is meant, as in why and flip. */
static int
read_core(const struct session *s, const char **at, unsigned *core, struct err *e)
{
	unsigned cores = sim_instances(s->sim, "core");
	const char *after = *at;
	char word[64];
	uint64_t n = s->view.core;
	bool named = next_word(&after, word, sizeof(word));
	bool spelt = named && ascii_same(word, "core"); /* "core 5" says the same */

	if (spelt && !next_word(&after, word, sizeof(word)))
		return err_set(e, "blame: core: a number is missing");
	if (named && number_count(word, &n) == 0)
		*at = after;
	else if (spelt)
		return err_set(e, "blame: '%.40s' is not the number of a core", word);
	if (n >= cores)
		return err_set(e, "blame: no core %" PRIu64 ": this machine has cores 0..%u", n,
			       cores - 1);
	*core = (unsigned)n;
	return 0;
}

static int
read_arguments(struct session *s, struct blame *b, const char *at, struct err *e)
{
	char from[HUMAN], here[HUMAN];
	cycle_t to;

	if (read_core(s, &at, &b->core, e) < 0)
		return -1;
	default_range(s, &b->from, &to);
	if (read_words(s, b, at, &to, e) < 0)
		return -1;
	to = MIN(to, sim_cycle(s->sim));
	if (b->from >= to)
		return err_set(e,
			       "blame: there is nothing between cycle %s and %s, where you are; "
			       "run on first",
			       human(from, b->from), human(here, to));
	if (*b->against) {
		unsigned other = timeline_branch_find(s->timeline, b->against, NULL)->id,
			 own = timeline_here(s->timeline).branch;
		cycle_t part = branches_part_at(s->timeline, own, other);

		if (other != own && to <= part)
			return err_set(e,
				       "blame: %s is the same up to cycle %s, where it parts from "
				       "this branch; run on first",
				       b->against, human(here, part));
	}
	set_horizon(b, s, to);
	return 0;
}

/* ---------------------------------------------------------------- output */

static double
class_cycles(const struct blame_sums *a, const struct blame_sums *b, unsigned class)
{
	return (double)(b->class[class] - a->class[class]);
}

static void
say_classes(struct session *s, const struct blame *b)
{
	double all = (double)(b->end.cycle - b->begin.cycle);
	struct table t;

	table_begin(&t, *b->against ? "<core~cycles >here >share >there >there-here"
				    : "<core~cycles >here >share");
	if (*b->against)
		snprintf(t.column[3].head, sizeof(t.column[3].head), "%.20s", b->against);
	if (*b->against)
		snprintf(t.column[4].head, sizeof(t.column[4].head), "%.12s-here", b->against);
	for (unsigned k = 0; k < CC_CLASSES; k++) {
		double here = class_cycles(&b->begin, &b->end, k);
		double there = class_cycles(&b->other_begin, &b->other_end, k);
		char num[HUMAN];

		if (here == 0 && (!*b->against || there == 0))
			continue;
		table_text(&t, "%s", cycle_class_names[k]);
		table_num(&t, here);
		table_text(&t, "%.1f %%", 100 * here / all);
		if (!*b->against)
			continue;
		table_num(&t, there);
		table_text(&t, "%s%s", there > here ? "+" : "", human_num(num, there - here));
	}
	table_end(s, &t);
}

/* Compares with the other branch: the same work in other cycles, or other work in the same cycles.
 */
static void
say_other(struct session *s, const struct blame *b)
{
	double cycles = (double)(b->end.cycle - b->begin.cycle),
	       others = (double)(b->other_end.cycle - b->other_begin.cycle),
	       here = (double)(b->end.core - b->begin.core),
	       there = (double)(b->other_end.core - b->other_begin.core);
	char x[HUMAN], y[HUMAN], lost[HUMAN];

	if (to_the_end(b))
		say(s, SAY_RESULT, "kernel %u ends at cycle %s, on %s at cycle %s: %s cycles %s",
		    b->to.kernel + 1, human(x, b->end.cycle), b->against,
		    human(y, b->other_end.cycle), human_num(lost, fabs(cycles - others)),
		    cycles >= others ? "lost" : "gained");
	else
		say(s, SAY_RESULT,
		    "core %u issued %s thread instructions, on %s %s: %s cycles %s at that rate",
		    b->core, human_num(x, here), b->against, human_num(y, there),
		    human_num(lost, round(there > 0 ? fabs(there - here) / there * cycles : 0)),
		    there >= here ? "lost" : "gained");
}

static void
table_gain(struct table *t, double was, double is)
{
	char num[HUMAN];

	if (is == was)
		table_text(t, "0");
	else if (was > 0)
		table_text(t, "%s%s (%+.2f %%)", is > was ? "+" : "", human_num(num, is - was),
			   100 * (is / was - 1));
	else
		table_text(t, "%s%s", is > was ? "+" : "", human_num(num, is - was));
}

static void
add_suspect_row(struct table *t, const struct blame *b, const struct suspect *p)
{
	table_text(t, "%s", p->name);
	table_text(t, "%s", p->other);
	if (p->stuck)
		table_text(t, "deadlock");
	else if (to_the_end(b))
		table_gain(t, (double)(b->end.cycle - b->begin.cycle),
			   (double)(p->end.cycle - b->begin.cycle));
	table_gain(t, (double)(b->end.core - b->begin.core), (double)(p->end.core - b->begin.core));
	if (!to_the_end(b) && !p->stuck)
		table_gain(t, (double)(b->end.insts - b->begin.insts),
			   (double)(p->end.insts - b->begin.insts));
	table_text(t, "%s", p->text);
}

static void
say_proof(struct session *s, const struct blame *b)
{
	if (to_the_end(b)) {
		say(s, SAY_RESULT,
		    "This proves what each single flip does to the cycles up to the end of the "
		    "kernel, with all that the");
		say(s, SAY_RESULT,
		    "policies decide after it. It does not prove that a decision was wrong: "
		    "effects do not add up, and no policy");
		say(s, SAY_RESULT, "could know what came after it.");
		return;
	}
	say(s, SAY_RESULT,
	    "This proves what each single flip does up to that cycle, with all that the policies "
	    "decide after it.");
	say(s, SAY_RESULT,
	    "It does not prove that a decision was wrong: effects do not add up, and what comes "
	    "later may pay them back.");
}

static unsigned
count_measured(const struct blame *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->n; i++)
		n += b->suspect[i].measured;
	return n;
}

static void
say_suspects(struct session *s, const struct blame *b)
{
	char at[HUMAN], what[160], spread[80] = "";
	struct table t;

	if (to_the_end(b))
		snprintf(what, sizeof(what),
			 "cycles to the end of kernel %u and thread instructions, more (+) or "
			 "fewer (-)",
			 b->to.kernel + 1);
	else
		snprintf(what, sizeof(what),
			 "thread instructions by cycle %s, more (+) or fewer (-)",
			 human(at, b->end.cycle));
	if (b->n < b->found)
		snprintf(spread, sizeof(spread), ", spread evenly (--most %u takes all)", b->found);
	say(s, SAY_RESULT,
	    "%u of %u decision%s about core %u that changed something%s, each flipped by itself: "
	    "%s",
	    count_measured(b), b->found, PLURAL(b->found), b->core, spread, what);
	if (!count_measured(b))
		return;
	table_begin(&t, to_the_end(b) ? "<decision <flipped~to >cycles >core 1<was"
				      : "<decision <flipped~to >core >GPU 1<was");
	snprintf(t.column[to_the_end(b) ? 3 : 2].head, sizeof(t.column[3].head), "core %u",
		 b->core);
	for (unsigned i = 0; i < b->n; i++)
		if (b->suspect[i].measured)
			add_suspect_row(&t, b, &b->suspect[i]);
	table_end(s, &t);
	say_proof(s, b);
}

static void
say_state(struct session *s, const struct blame *b)
{
	double took = clock_seconds() - b->began;
	char left[48] = "";

	if (b->state == BLAME_RUNS && b->share > 0.02 && took > 0.5)
		snprintf(left, sizeof(left), ", %.0f s left", took * (1 - b->share) / b->share);
	if (b->state == BLAME_RUNS)
		say(s, SAY_RESULT, "measuring: %.0f %%%s; 'blame stop' ends it", 100 * b->share,
		    left);
	else if (b->state == BLAME_FAILED)
		say(s, SAY_RESULT, "the measurement failed: %s", b->why);
	else if (b->state == BLAME_STOPPED)
		say(s, SAY_RESULT, "stopped early; the results are incomplete");
}

static void
say_blame(struct session *s, const struct blame *b)
{
	char from[HUMAN], to[HUMAN], end[40] = "";

	if (!b->has_range)
		return;
	if (to_the_end(b))
		snprintf(end, sizeof(end), ", the end of kernel %u", b->to.kernel + 1);
	say(s, SAY_RESULT, "core %u on %s, cycles %s to %s%s", b->core, b->branch_name,
	    human(from, b->from), human(to, b->end.cycle), end);
	say_classes(s, b);
	if (*b->against)
		say_other(s, b);
	if (b->n)
		say_suspects(s, b);
	else
		say(s, SAY_RESULT, "no decision about core %u changed anything in these cycles",
		    b->core);
}

void
session_say_blame(struct session *s)
{
	const struct blame *b = s->workers.blame;

	blame_read(s->workers.blame);
	if (!b || !b->news)
		return;
	s->workers.blame->news = false;
	if (b->state == BLAME_FAILED)
		say(s, SAY_NOTE, "blame: measuring core %u failed: %s", b->core, b->why);
	else
		say(s, SAY_NOTE,
		    "blame: core %u, %u of %u decision%s measured; 'info blame' shows them",
		    b->core, count_measured(b), b->found, PLURAL(b->found));
}

enum session_status
info_blame(struct session *s, const char *args ATTR_UNUSED)
{
	if (s->workers.blame) {
		blame_read(s->workers.blame);
		s->workers.blame->news = false;
		say_state(s, s->workers.blame);
		say_blame(s, s->workers.blame);
		return SESSION_OK;
	}
	say(s, SAY_RESULT,
	    "no results yet; 'blame' measures the core in focus, 'blame CORE' another one");
	return SESSION_OK;
}

/* ---------------------------------------------------------------- blame */

/* Measures in this process; Ctrl-C ends it. */
static enum session_status
measure_here(struct session *s, struct blame *b)
{
	struct machine m = session_machine(s);
	struct progress_line w;
	struct err e = {0};
	int rc;

	progress_line_begin(&w, s, "blame");
	rc = blame_measure(&m, b, &w.progress, &e);
	progress_line_end(&w);
	if (rc > 0 && b->has_range)
		say(s, SAY_NOTE, "the results so far:");
	if (rc >= 0)
		say_blame(s, b);
	return rc < 0 ? say_err(s, &e) : rc ? session_say_interrupted(s, "blame") : SESSION_OK;
}

static enum session_status
measure_beside(struct session *s, struct blame *b)
{
	struct machine m = session_machine(s);
	struct err e = {0};

	if (blame_start(&m, b, &e) < 0) {
		b->state = BLAME_FAILED;
		snprintf(b->why, sizeof(b->why), "%.199s", e.msg);
		return say_err(s, &e);
	}
	say(s, SAY_RESULT,
	    "blame: measuring core %u in the background, at most %u decisions; 'info blame' shows "
	    "results, 'blame stop' ends it",
	    b->core, b->most);
	return SESSION_OK;
}

static enum session_status
stop_blame(struct session *s)
{
	blame_read(s->workers.blame);
	if (!s->workers.blame || !worker_runs(&s->workers.blame->worker))
		return fail(s, "blame stop: nothing is being measured");
	blame_stop(s->workers.blame);
	return info_blame(s, "");
}

enum session_status
cmd_blame(struct session *s, struct cmd_args *a)
{
	const char *at = a->word[0] ? a->word[0] : "";
	struct blame asked = {.most = MOST, .worker.channel.fd = -1};
	struct err e = {0};

	if (strcmp(at, "stop") == 0)
		return stop_blame(s);
	blame_read(s->workers.blame);
	if (!*at && s->workers.blame && worker_runs(&s->workers.blame->worker))
		return info_blame(s, "");
	if (read_arguments(s, &asked, at, &e) < 0)
		return say_err(s, &e);
	if (s->workers.blame && worker_runs(&s->workers.blame->worker))
		return fail(s, "blame: already measuring core %u (%.0f %%); 'blame stop' ends it",
			    s->workers.blame->core, 100 * s->workers.blame->share);
	blame_free(s->workers.blame);
	s->workers.blame = malloc(sizeof(*s->workers.blame));
	if (!s->workers.blame)
		return fail_memory(s);
	*s->workers.blame = asked;
	s->workers.blame->branch = timeline_here(s->timeline).branch;
	snprintf(s->workers.blame->branch_name, sizeof(s->workers.blame->branch_name), "%s",
		 timeline_branch(s->timeline, s->workers.blame->branch)->name);
	return s->ui.interactive ? measure_beside(s, s->workers.blame)
				 : measure_here(s, s->workers.blame);
}

void
complete_blame(struct offer *o, const struct before *b)
{
	if (b->n == 0) {
		offer(o, "stop");
	} else if (strcmp(b->last, "against") == 0) {
		complete_branch(o, b);
	} else {
		offer(o, "against");
		offer(o, "--most");
	}
}
