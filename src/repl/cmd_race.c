/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_race.c - a race of policy stacks from the prompt, a script or the command line.
 *
 * The front end shows it where it can; elsewhere it is run to its end, and how far it is stands on
 * standard error. What comes of it, the table and the first difference, is a result in either case.
 * The machine of the session stays where it is: the lanes have machines of their own.
 */
#include "repl/session_part.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct watch {
	struct session *s;
	double began, drawn, end; /* wall clock; end 0: no limit */
	bool terminal, shown, late;
};

#define FIRST_SECONDS 1.0  /* a short race shows nothing */
#define PLAIN_SECONDS 30.0 /* between lines of a log */

static void
clear(struct watch *w)
{
	if (w->shown)
		fputs("\r\033[K", stderr);
	fflush(stderr);
	w->shown = false;
}

/* The slowest lane of those that run says how far the race is. */
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
draw(struct watch *w, const struct race *r, double now)
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
	snprintf(line, sizeof(line), "%.0f %%  %u lanes at cycle %s, %s cycles/s%s", 100 * share,
		 r->n, human(cycle, at), human(rate, (uint64_t)((double)at / seconds)), left);
	if (w->terminal)
		fprintf(stderr, "\r%s\033[K", line);
	else
		fprintf(stderr, "ctascope: %s\n", line);
	fflush(stderr);
	w->shown = w->terminal;
	w->drawn = now;
}

static bool
tick(void *ctx, const struct race *r)
{
	struct watch *w = ctx;
	double now = clock_seconds();

	if (w->terminal ? now - w->began > FIRST_SECONDS && now - w->drawn > 0.25
			: now - w->drawn > PLAIN_SECONDS)
		draw(w, r, now);
	if (session_take_want_stats(w->s)) {
		bool terminal = w->terminal;

		clear(w);
		w->terminal = false;
		draw(w, r, now);
		w->terminal = terminal;
	}
	w->late = w->end > 0 && now >= w->end;
	return w->late || w->s->poll;
}

/* 0: ended; 1: interrupted; 128 + n; -1 with e. */
static int
watch(struct session *s, struct race *r, bool *late, struct err *e)
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
	rc = race_run(r, tick, &w);
	clear(&w);
	*late = w.late;
	return s->signal ? 128 + s->signal : rc;
}

/* ---------------------------------------------------------------- what came of it */

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

	race_table(r, &out);
	race_difference_lines(r, &out);
	if (out.failed)
		return fail_memory(s);
	trim_end(out.p);
	say_lines(s, SAY_RESULT, out.p);
	sb_free(&out);
	for (unsigned i = 0; i < r->n; i++) {
		if (r->lane[i].state == LANE_FAILED)
			fail(s, "%.100s failed: %s", r->lane[i].stack, r->lane[i].error);
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
		fail(s, "limit: run.max_seconds reached, the race stood at cycle %s",
		     human(at, cycle_of(r)));
		return SESSION_LIMIT;
	}
	say(s, SAY_NOTE, "the race was left at cycle %s", human(at, cycle_of(r)));
	return SESSION_OK;
}

enum session_status
session_race(struct session *s, const struct race_stacks *stacks, const char *csv)
{
	struct err e = {0};
	struct race *r = race_new(stacks, s->config, sim_trace(s->sim), &e);
	enum session_status status = SESSION_OK, left = SESSION_OK;
	bool late = false, table_too = !csv || strcmp(csv, "-") != 0;
	int rc;

	if (!r)
		return say_err(s, &e);
	rc = watch(s, r, &late, &e);
	if (rc < 0) {
		race_free(r);
		return say_err(s, &e);
	}
	if (!race_ended(r))
		left = say_unfinished(s, r, late);
	if (table_too && cycle_of(r))
		status = say_race(s, r);
	else
		status = (enum session_status)race_status(r);
	if (csv && !race_ended(r))
		say(s, SAY_NOTE, "%s is not written: the race has not ended", csv);
	else if (csv && race_csv(r, csv, &e))
		status = say_err(s, &e);
	race_free(r);
	if (rc == 1 && !late) {
		s->interrupted = true;
		return s->ui.interactive ? SESSION_OK : SESSION_INTERRUPTED;
	}
	return left ? left : status;
}

enum session_status
cmd_versus(struct session *s, struct cmd_args *a)
{
	struct race_stacks stacks = {0};
	struct err e = {0};

	if (a->word[1] && strcmp(a->word[1], "csv") != 0)
		return fail(s, "versus: expected csv FILE, found '%.60s'", a->word[1]);
	if (a->word[1] && !a->word[2])
		return fail(s, "versus: csv needs a file");
	if (race_add(&stacks, config_policy_text(s->config), &e) ||
	    race_add(&stacks, a->word[0], &e))
		return say_err(s, &e);
	return session_race(s, &stacks, a->word[2]);
}
