/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_race.c - the command race: races policy stacks, or branches from where they part, at the
 * prompt, in a script or from the command line.
 *
 * The front end shows the race if it can; otherwise it runs to its end, with its progress on
 * standard error. Its result, the table and the first difference, is printed in either case. The
 * machine of the session stays where it is, since every lane has its own.
 */
#include "base/clock.h"
#include "base/progress_line.h"
#include "lab/lab.h"
#include "session/command.h"
#include "session/experiment.h"
#include "session/offer.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct watch {
	struct session *s;
	double began, drawn, end; /* wall-clock times; end 0: no limit */
	bool terminal, shown, late, stopped;
};

#define FIRST_SECONDS 1.0  /* a shorter race shows no progress */
#define PLAIN_SECONDS 30.0 /* time between lines when standard error is a file */

static void
clear_progress(struct watch *w)
{
	if (w->shown)
		fputs(PROGRESS_CLEAR, stderr);
	fflush(stderr);
	w->shown = false;
}

/* The slowest lane that still runs determines the progress. */
static double
share_done(const struct race *r)
{
	double least = 1;

	for (unsigned i = 0; i < r->n; i++)
		if (!lane_ended(&r->lane[i]) && r->work)
			least = fmin(least, r->lane[i].number[RACE_WORK] / (double)r->work);
	return isnan(least) ? 0 : least;
}

static void
draw_progress(struct watch *w, const struct race *r, double now)
{
	char cycle[HUMAN], rate[HUMAN], left[48] = "", line[200];
	double share = share_done(r), seconds = now - w->began;
	cycle_t at = 0;

	for (unsigned i = 0; i < r->n; i++)
		at = MAX(at, r->lane[i].cycle);
	if (share > 0) {
		double more = seconds * (1 - share) / share;

		snprintf(left, sizeof(left), more < 120 ? ", %.0f s left" : ", %.0f min left",
			 more < 120 ? more : more / 60);
	}
	if (!race_stopped_text(r, line, sizeof(line)))
		snprintf(line, sizeof(line), "%.0f %%  %u lanes at cycle %s, %s cycles/s%s",
			 100 * share, r->n, human(cycle, at),
			 human(rate, (uint64_t)((double)at / seconds)), left);
	if (w->terminal)
		fprintf(stderr, PROGRESS_BEGIN "%s" PROGRESS_END, line);
	else
		fprintf(stderr, "ctascope: %s\n", line);
	fflush(stderr);
	w->shown = w->terminal;
	w->drawn = now;
}

static bool
report_progress(void *ctx, const struct race *r)
{
	struct watch *w = ctx;
	double now = clock_seconds();
	char text[200];

	if (!w->terminal && race_stopped_text(r, text, sizeof(text)) != w->stopped) {
		w->stopped = !w->stopped;
		fprintf(stderr, "ctascope: %s\n", w->stopped ? text : "all lanes continue");
	}
	if (w->terminal ? now - w->began > FIRST_SECONDS && now - w->drawn > 0.25
			: now - w->drawn > PLAIN_SECONDS)
		draw_progress(w, r, now);
	if (session_take_want_stats(w->s)) {
		bool terminal = w->terminal;

		clear_progress(w);
		w->terminal = false;
		draw_progress(w, r, now);
		w->terminal = terminal;
	}
	w->late = w->end > 0 && now >= w->end;
	return w->late || w->s->control.poll;
}

/* Returns 0 if the race ended, 1 if it was interrupted, 128 + n after signal n, or -1 with e. */
static int
watch_race(struct session *s, struct race *r, bool *late, struct err *e)
{
	struct watch w = {.s = s, .began = clock_seconds(), .terminal = isatty(STDERR_FILENO)};
	uint64_t seconds = 0;
	char text[64];
	int rc;

	if (s->ui.race)
		return s->ui.race(s->ui.ctx, r, e);
	if (session_get(s, "run.max_seconds", text, sizeof(text)) == 0)
		seconds = strtoull(text, NULL, 10);
	w.drawn = w.began;
	w.end = seconds ? w.began + (double)seconds : 0;
	rc = race_run(r, report_progress, &w);
	clear_progress(&w);
	*late = w.late;
	return s->control.signal ? 128 + s->control.signal : rc;
}

/* ---------------------------------------------------------------- the result */

static cycle_t
cycle_of(const struct race *r)
{
	cycle_t at = 0;

	for (unsigned i = 0; i < r->n; i++)
		at = MAX(at, r->lane[i].cycle);
	return at;
}

static enum session_status
say_race(struct session *s, const struct race *r)
{
	struct strbuf out = {0};
	char name[POLICY_TEXT];

	race_table(r, &out);
	race_difference_lines(r, &out);
	say_text(s, SAY_RESULT, &out);
	for (unsigned i = 0; i < r->n; i++) {
		if (r->lane[i].state == LANE_FAILED)
			fail(s, "%s failed: %s", race_short_name(r, i, 100, "...", name),
			     r->lane[i].error);
		else if (r->lane[i].error[0])
			say(s, SAY_NOTE, "%s: %s", r->lane[i].stack, r->lane[i].error);
	}
	return (enum session_status)race_status(r);
}

static enum session_status
say_unfinished(struct session *s, const struct race *r, bool late)
{
	char at[HUMAN];

	if (late) {
		fail(s, "limit: run.max_seconds reached; the race stopped at cycle %s",
		     human(at, cycle_of(r)));
		return SESSION_LIMIT;
	}
	say(s, SAY_NOTE, "left the race at cycle %s", human(at, cycle_of(r)));
	return SESSION_OK;
}

/* Runs the race to its end, or until the user leaves it, and frees it. */
static enum session_status
hold_race(struct session *s, struct race *r, const char *csv)
{
	struct err e = {0};
	enum session_status status = SESSION_OK, left = SESSION_OK;
	bool late = false, table_too = !csv || strcmp(csv, "-") != 0;
	int rc = watch_race(s, r, &late, &e);

	if (rc < 0) {
		race_free(r);
		return say_err(s, &e);
	}
	if (!race_ended(r))
		left = say_unfinished(s, r, late);
	if (table_too && cycle_of(r) > r->from)
		status = say_race(s, r);
	else
		status = (enum session_status)race_status(r);
	if (csv && !race_ended(r))
		say(s, SAY_NOTE, "%s was not written: the race has not ended", csv);
	else if (csv && race_csv(r, csv, &e))
		status = say_err(s, &e);
	race_free(r);
	if (rc == 1 && !late)
		return session_end_interrupted(s);
	return left ? left : status;
}

void
session_say_lane_hints(struct session *s, const char *lane)
{
	struct config *c = config_copy(s->config);

	s->log.lost |= !c;
	if (c && race_configure(c, lane, NULL) == 0) {
		say_scheduler_hint(s, c);
		say_unused_of_lane(s, c, lane);
	}
	config_free(c);
}

/* On machines of different clocks a cycle is not the same time. */
static void
note_different_clocks(struct session *s, const struct race_stacks *stacks)
{
	char first[40] = "", clock[40];

	for (unsigned i = 0; i < stacks->n; i++) {
		struct config *c = config_copy(s->config);
		bool known =
			c && race_configure(c, stacks->text[i], NULL) == 0 &&
			opt_get(config_db(c), "gpu.clock_core", clock, sizeof(clock), NULL) == 0;

		config_free(c);
		if (known && *first && strcmp(clock, first) != 0) {
			say(s, SAY_NOTE,
			    "the cores of these lanes run at different clocks (%s and %s MHz): the "
			    "race compares cycles, not times",
			    first, clock);
			return;
		}
		if (known)
			strcpy(first, clock);
	}
}

enum session_status
session_race(struct session *s, const struct race_stacks *stacks, const char *csv)
{
	struct err e = {0};
	struct race *r = race_new(stacks, s->config, sim_trace(s->sim), &e);

	if (!r)
		return say_err(s, &e);
	for (unsigned i = 0; i < stacks->n; i++)
		session_say_lane_hints(s, stacks->text[i]);
	note_different_clocks(s, stacks);
	return hold_race(s, r, csv);
}

static bool
is_policy(const struct session *s, const char *name)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_policies(s->config, &n);

	for (unsigned i = 0; i < n; i++)
		if (strcmp(ops[i]->name, name) == 0)
			return true;
	return false;
}

/* The stack of this run is the first lane, whether the list names it or not. */
static int
collect_stacks(const struct session *s, const char *list, struct race_stacks *stacks, struct err *e)
{
	struct race_stacks named = {0};

	if (race_add(stacks, config_policy_text(s->config), e) ||
	    race_add_list(stacks, &named, list, e))
		return -1;
	return stacks->n > 1
		       ? 0
		       : err_set(e, "race: %.100s is the policy of this run; name another one",
				 stacks->text[0]);
}

/* Is the next word a policy, so that a comma is missing before it? */
static bool
is_next_stack(const struct session *s, const char *at)
{
	char word[POLICY_TEXT];

	if (!next_word(&at, word, sizeof(word)))
		return false;
	word[strcspn(word, ":+@,")] = '\0';
	return is_policy(s, word);
}

static enum session_status
race_against(struct session *s, const char *at)
{
	struct race_stacks stacks = {0};
	char list[1024], csv[PATH_MAX] = "";
	struct err e = {0};

	if (!next_word(&at, list, sizeof(list)))
		return fail(s, "race: expected policy stacks; usage: race "
			       "STACK[@OPTION=VALUE...][,...] [csv FILE]");
	if (is_next_stack(s, at))
		return fail(s,
			    "race: expected csv FILE, found '%.60s'; stacks have commas between "
			    "them, as in: race %.100s,%.100s",
			    skip_blanks(at), list, skip_blanks(at));
	if (session_read_csv("race", at, csv, sizeof(csv), &e) ||
	    collect_stacks(s, list, &stacks, &e))
		return say_err(s, &e);
	return session_race(s, &stacks, *csv ? csv : NULL);
}

/* ---------------------------------------------------------------- branches */

struct entries {
	const struct branch *branch[RACE_LANES];
	unsigned n;
	char csv[4096]; /* "": no file */
};

static int
add_entry(struct entries *k, const struct branch *b, struct err *e)
{
	for (unsigned i = 0; i < k->n; i++)
		if (k->branch[i] == b)
			return err_set(e, "race: %s is in the race already; a branch runs once",
				       b->name);
	if (k->n == RACE_LANES)
		return err_set(
			e, "race: no lane for %s: at most %d branches race; name the ones to race",
			b->name, RACE_LANES);
	k->branch[k->n++] = b;
	return 0;
}

/* Parses "A B C csv FILE", separated by blanks or commas. Without a branch it takes all. */
static int
read_entries(const struct session *s, const char *at, struct entries *k, struct err *e)
{
	char word[128];

	for (;;) {
		at += strspn(at, " ,");
		if (!*at)
			break;
		if (strncmp(at, "csv", 3) == 0 && (at[3] == ' ' || !at[3])) {
			if (session_read_csv("race", at, k->csv, sizeof(k->csv), e))
				return -1;
			break;
		}
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(at, " ,"), at);
		at += strcspn(at, " ,");
		if (!timeline_branch_find(s->timeline, word, e) ||
		    add_entry(k, timeline_branch_find(s->timeline, word, NULL), e))
			return -1;
	}
	for (unsigned i = 0, all = !k->n; all && i < timeline_branches(s->timeline); i++)
		if (timeline_branch(s->timeline, i) &&
		    add_entry(k, timeline_branch(s->timeline, i), e))
			return -1;
	if (k->n < 2)
		return err_set(e,
			       "race: %s is the only branch; 'fork', 'flip' and 'try' make another "
			       "one, 'versus STACK' races policies",
			       k->branch[0]->name);
	return 0;
}

/* Each lane is a copy at the cycle where the branches part. Returns NULL with e, or NULL with
 * *stopped set if interrupted. */
static struct race *
begin_race(struct session *s, const struct entries *k, bool *stopped, struct err *e)
{
	struct machine m = session_machine(s);
	struct race_branch lane[RACE_LANES];
	struct machine_copy *copy[RACE_LANES] = {NULL};
	struct race *r = NULL;
	cycle_t at = CYCLE_NEVER;
	int rc = 0;

	for (unsigned i = 1; i < k->n; i++)
		at = MIN(at, branches_part_at(s->timeline, k->branch[0]->id, k->branch[i]->id));
	for (unsigned i = 0; i < k->n && !rc; i++) {
		rc = copy_take(&m, (struct place){k->branch[i]->id, at}, &copy[i], 1, e);
		if (rc)
			break;
		lane[i] = (struct race_branch){.copy = copy[i]};
		snprintf(lane[i].name, sizeof(lane[i].name), "%s", k->branch[i]->name);
	}
	*stopped = rc > 0;
	if (!rc)
		r = race_of_branches(lane, k->n, e);
	for (unsigned i = 0; i < k->n; i++)
		copy_free(copy[i]);
	return r;
}

/* Whether the words after `race` are policy stacks: the alias `versus` says so, or the first name
 * is that of a policy or has an option, and is not that of a branch. */
static bool
names_stacks(const struct session *s, const struct cmd_args *a)
{
	const char *text = a->word[0] ? a->word[0] : "";
	char first[128], policy[128];

	if (strncmp("versus", a->typed, strlen(a->typed)) == 0)
		return true;
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(text, " ,"), text);
	if (timeline_branch_find(s->timeline, first, NULL))
		return false;
	snprintf(policy, sizeof(policy), "%.*s", (int)strcspn(text, " ,+:@"), text);
	return is_policy(s, policy) || strpbrk(first, "/@") != NULL;
}

enum session_status
cmd_race(struct session *s, struct cmd_args *a)
{
	struct entries k = {.n = 0};
	struct err e = {0};
	struct race *r = NULL;
	bool stopped = false;

	if (names_stacks(s, a))
		return race_against(s, a->word[0] ? a->word[0] : "");
	if (read_entries(s, a->word[0] ? a->word[0] : "", &k, &e) == 0)
		r = begin_race(s, &k, &stopped, &e);
	if (stopped)
		return session_say_interrupted(s, "race");
	return r ? hold_race(s, r, k.csv[0] ? k.csv : NULL) : say_err(s, &e);
}

void
complete_race(struct offer *o, const struct before *b)
{
	o->is_path = b->n && strcmp(b->last, "csv") == 0;
	if (o->is_path)
		return;
	complete_branch(o, b);
	if (b->n)
		offer(o, "csv");
	else
		offer_policies(o);
}

void
complete_split(struct offer *o, const struct before *b)
{
	if (b->n)
		return;
	complete_screen(o, b);
	complete_branch(o, b);
	offer_policies(o);
}
