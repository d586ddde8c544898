/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_diverge.c - two branches side by side from where they part: the first thing that differs.
 *
 * Events and decisions are told by both and compared in the order of time. States are compared by
 * digest, at cycles further and further apart; when they differ both go back to the last cycle at
 * which they were equal and halve the distance, down to the cycle.
 */
#include "session/contest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FARTHEST 65536 /* cycles between two looks at the states */
#define SHOWN_UNITS 4

/* A forced outcome is part of the state from the choice on: they are looked at when it has come. */
static cycle_t
outcome_due(const struct timeline *t, unsigned branch, cycle_t at)
{
	const struct choice *c;
	cycle_t due = at;

	for (unsigned k = 0; (c = timeline_path_choice(t, branch, k)); k++) {
		const char *cycle = c->kind == CHOICE_OUTCOME ? strchr(c->key, '@') : NULL;

		if (cycle && c->cycle == at)
			due = MAX(due, strtoull(cycle + 1, NULL, 10));
	}
	return due;
}

/* ---------------------------------------------------------------- events */

static bool
same_event(const struct event *a, const struct event *b)
{
	return a->cycle == b->cycle && a->kind == b->kind && a->kernel == b->kernel &&
	       a->core == b->core && a->cta == b->cta && a->slot == b->slot &&
	       a->policy == b->policy && a->rule == b->rule && a->resident == b->resident &&
	       a->among == b->among && memcmp(a->v, b->v, sizeof(a->v)) == 0;
}

static void
say_event(const struct pair *p, unsigned i, const struct event *ev, cycle_t at)
{
	char text[400] = "nothing in that cycle";

	if (ev && ev->cycle == at)
		sim_event_text(p->lab[i]->sim, ev, text, sizeof(text));
	say(p->s, SAY_RESULT, "  %s: %s", p->b[i]->name, text);
}

/* Printed when it is found. False: there is none so far. */
static bool
find_event(void *ctx)
{
	struct pair *p = ctx;

	for (;;) {
		const struct event *a = lab_event(p->lab[0]), *b = lab_event(p->lab[1]);
		cycle_t at = MIN(a ? a->cycle : CYCLE_NEVER, b ? b->cycle : CYCLE_NEVER);
		char text[HUMAN];

		if (at == CYCLE_NEVER || at >= MIN(lab_told(p->lab[0]), lab_told(p->lab[1])))
			return false;
		if (!a || !b || !same_event(a, b)) {
			say(p->s, SAY_RESULT,
			    "first event that differs, cycle %s:", human(text, at));
			say_event(p, 0, a, at);
			say_event(p, 1, b, at);
			return true;
		}
		lab_next_event(p->lab[0]);
		lab_next_event(p->lab[1]);
	}
}

static bool
both_ended(const struct pair *p)
{
	return lab_ended(p->lab[0]) && lab_ended(p->lab[1]);
}

static double
progress(const struct pair *p)
{
	uint64_t done, all;

	sim_progress(p->lab[0]->sim, &done, &all);
	return all ? (double)done / (double)all : 0;
}

static void
run_both(struct pair *p, cycle_t to)
{
	lab_run(p->lab[0], to);
	lab_run(p->lab[1], to);
}

/* Runs both until something is found. 1: interrupted. */
static int
run_until_found(struct pair *p, bool (*find)(void *ctx), void *ctx, bool *found)
{
	struct lab_watch w;
	bool stop = false;

	lab_watch(&w, p->s, "diverge");
	*found = false;
	while (!*found && !stop && !both_ended(p)) {
		run_both(p, MAX(sim_cycle(p->lab[0]->sim), sim_cycle(p->lab[1]->sim)) + 1024);
		*found = find(ctx);
		stop = lab_going(&w, progress(p));
	}
	lab_watched(&w);
	return stop && !*found;
}

static bool
find_decision(void *ctx)
{
	return first_difference_look(ctx);
}

static int
by_events(struct pair *p)
{
	bool found;
	int rc;

	for (unsigned i = 0; i < 2; i++)
		lab_listen(p->lab[i], true);
	rc = run_until_found(p, find_event, p, &found);
	for (unsigned i = 0; i < 2; i++)
		lab_listen(p->lab[i], false);
	if (!found && !rc)
		say(p->s, SAY_RESULT, "every event is the same, to the end of the run");
	return rc;
}

static int
by_decisions(struct pair *p)
{
	const char *const name[2] = {p->b[0]->name, p->b[1]->name};
	struct first_difference f = {.flipped.kinds = 0};
	bool found;
	int rc;

	first_difference_begin(&f, p->lab);
	rc = run_until_found(p, find_decision, &f, &found);
	if (!rc)
		first_difference_say(p->s, &f, name,
				     "every decision is the same, to the end of the run");
	first_difference_end(&f);
	return rc;
}

/* ---------------------------------------------------------------- states */

static bool
same_part(const struct pair *p, unsigned part)
{
	return sim_digest_part(p->lab[0]->sim, part) == sim_digest_part(p->lab[1]->sim, part);
}

/* part SIM_PARTS: all. */
static bool
same_state(const struct pair *p, unsigned part)
{
	if (sim_cycle(p->lab[0]->sim) != sim_cycle(p->lab[1]->sim))
		return false; /* one has ended */
	return part == SIM_PARTS ? sim_digest(p->lab[0]->sim) == sim_digest(p->lab[1]->sim)
				 : same_part(p, part);
}

static void
say_part(const struct pair *p, unsigned part, struct strbuf *out)
{
	unsigned n = sim_part_units(p->lab[0]->sim, part), shown = 0;

	sb_printf(out, "%s%s", out->n ? "; " : "", sim_part_names[part]);
	for (unsigned i = 0; i < n; i++) {
		if (sim_digest_unit(p->lab[0]->sim, part, i) ==
		    sim_digest_unit(p->lab[1]->sim, part, i))
			continue;
		if (shown++ < SHOWN_UNITS)
			sb_printf(out, "%s%u", shown > 1 ? ", " : " ", i);
	}
	if (shown > SHOWN_UNITS)
		sb_printf(out, " and %u more", shown - SHOWN_UNITS);
}

static void
say_state(const struct pair *p, unsigned part)
{
	struct strbuf out = {0};
	char at[HUMAN];

	for (unsigned i = 0; i < SIM_PARTS; i++)
		if ((part == SIM_PARTS || part == i) && !same_part(p, i))
			say_part(p, i, &out);
	say(p->s, SAY_RESULT, "first state that differs, cycle %s: %s",
	    human(at, MAX(sim_cycle(p->lab[0]->sim), sim_cycle(p->lab[1]->sim))),
	    out.n || out.failed ? text_so_far(p->s, &out) : "one run has ended");
	sb_free(&out);
}

/* From equal states: the least number of cycles after which they differ; both stand there then.
 * 0: they are the same to the end. 1 interrupted, -1 with e. */
static int
find_state(struct pair *p, unsigned part, bool *found, struct err *e)
{
	cycle_t at = sim_cycle(p->lab[0]->sim), step = 1;
	struct lab_mark mark[2] = {{0}};
	struct lab_watch w;
	bool narrowing = false;
	int rc = 0;

	lab_watch(&w, p->s, "diverge");
	*found = !same_state(p, part);
	while (!*found && !rc && !both_ended(p)) {
		for (unsigned i = 0; i < 2 && !rc; i++)
			rc = lab_mark(p->lab[i], &mark[i], e);
		if (!rc)
			run_both(p, at + step);
		if (!rc && same_state(p, part)) {
			at += step;
			step = narrowing ? MAX(step / 2, 1) : MIN(step * 2, FARTHEST);
		} else if (!rc && step == 1) {
			*found = true;
		} else {
			narrowing = true;
			step /= 2;
			for (unsigned i = 0; i < 2 && !rc; i++)
				rc = lab_back(p->lab[i], &mark[i], e);
		}
		lab_mark_free(&mark[0]);
		lab_mark_free(&mark[1]);
		if (!rc && lab_going(&w, progress(p)))
			rc = 1;
	}
	lab_watched(&w);
	return rc;
}

static int
by_state(struct pair *p, unsigned part, struct err *e)
{
	cycle_t due = p->at;
	bool found;
	int rc;

	for (unsigned i = 0; i < 2; i++)
		due = MAX(due, outcome_due(p->s->timeline, p->b[i]->id, p->at));
	run_both(p, due);
	rc = find_state(p, part, &found, e);
	if (rc)
		return rc;
	if (found)
		say_state(p, part);
	else
		say(p->s, SAY_RESULT, "%s is the same in every cycle looked at, to the end",
		    part == SIM_PARTS ? "the state" : sim_part_names[part]);
	return 0;
}

/* ---------------------------------------------------------------- diverge */

enum { BY_ALL = -1, BY_DECISIONS = SIM_PARTS, BY_EVENTS };

static int
read_by(const char *at, int *by, struct err *e)
{
	const char *names[SIM_PARTS + 2];
	char word[64];

	memcpy(names, sim_part_names, SIM_PARTS * sizeof(names[0]));
	names[BY_DECISIONS] = "decisions";
	names[BY_EVENTS] = "events";
	*by = BY_ALL;
	if (!next_word(&at, word, sizeof(word)))
		return 0;
	if (strcmp(word, "by") != 0 || !next_word(&at, word, sizeof(word)))
		return err_set(e, "diverge: expected 'by' and what, found '%.40s'", word);
	*by = pick_name("thing to compare", word, names, ARRAY_LEN(names), e);
	return *by < 0 ? -1 : 0;
}

static int
back_to(struct pair *p, const struct lab_mark *m, struct err *e)
{
	return lab_back(p->lab[0], &m[0], e) < 0 || lab_back(p->lab[1], &m[1], e) < 0 ? -1 : 0;
}

/* All three: the state's is the first there can be, the decision's the one to think about. */
static int
by_all(struct pair *p, struct err *e)
{
	struct lab_mark m[2] = {{0}};
	int rc = lab_mark(p->lab[0], &m[0], e) | lab_mark(p->lab[1], &m[1], e);

	if (!rc)
		rc = by_state(p, SIM_PARTS, e);
	if (!rc)
		rc = back_to(p, m, e);
	if (!rc)
		rc = by_events(p);
	if (!rc)
		rc = back_to(p, m, e);
	if (!rc)
		rc = by_decisions(p);
	lab_mark_free(&m[0]);
	lab_mark_free(&m[1]);
	return rc;
}

enum session_status
cmd_diverge(struct session *s, struct cmd_args *a)
{
	struct err e = {0};
	struct pair p = {0};
	char at[HUMAN];
	int by, rc = read_by(a->word[2] ? a->word[2] : "", &by, &e);

	if (!rc)
		rc = pair_take(s, &p, a->word[0], a->word[1], &e);
	if (!rc) {
		say(s, SAY_RESULT, "%s and %s part at cycle %s", p.b[0]->name, p.b[1]->name,
		    human(at, p.at));
		if (by == BY_ALL)
			rc = by_all(&p, &e);
		else if (by == BY_DECISIONS)
			rc = by_decisions(&p);
		else if (by == BY_EVENTS)
			rc = by_events(&p);
		else
			rc = by_state(&p, (unsigned)by, &e);
	}
	pair_free(&p);
	return rc < 0 ? say_err(s, &e) : rc ? fail(s, "diverge: interrupted") : SESSION_OK;
}

void
complete_diverge(struct offer *o, const struct before *b)
{
	if (b->n < 2)
		complete_branch(o, b);
	else if (b->n == 2)
		offer(o, "by");
	for (unsigned i = 0; b->n == 3 && i < SIM_PARTS; i++)
		offer(o, sim_part_names[i]);
	if (b->n == 3) {
		offer(o, "decisions");
		offer(o, "events");
	}
}
