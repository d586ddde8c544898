/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_diverge.c - the command diverge: runs two branches side by side from where they part, to the
 * first difference.
 */
#include "session/command.h"
#include "session/comparison_report.h"
#include "session/experiment.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN_UNITS 4

static int
by_events(struct session *s, struct branch_pair *p, const struct lab_progress *w)
{
	struct event_difference d;
	int rc = diverge_by_events(p, &d, w);
	char at[HUMAN];

	if (rc)
		return rc;
	if (!d.known) {
		say(s, SAY_RESULT, "all events are the same to the end of the run");
		return 0;
	}
	say(s, SAY_RESULT, "first event that differs, cycle %s:", human(at, d.cycle));
	for (unsigned i = 0; i < 2; i++)
		say(s, SAY_RESULT, "  %s: %s", p->branch[i]->name, d.text[i]);
	return 0;
}

static int
by_decisions(struct session *s, struct branch_pair *p, const struct lab_progress *w)
{
	const char *const name[2] = {p->branch[0]->name, p->branch[1]->name};
	struct first_difference f = {.flipped.kinds = 0};
	int rc = diverge_by_decisions(p, &f, w);

	if (!rc)
		report_first_difference(s, &f, name,
					"all decisions are the same to the end of the run");
	return rc;
}

static void
say_part(const struct branch_pair *p, unsigned part, struct strbuf *out)
{
	unsigned n = sim_part_units(p->copy[0]->sim, part), shown = 0;

	sb_printf(out, "%s%s", out->n ? "; " : "", sim_part_names[part]);
	for (unsigned i = 0; i < n; i++) {
		if (sim_digest_unit(p->copy[0]->sim, part, i) ==
		    sim_digest_unit(p->copy[1]->sim, part, i))
			continue;
		if (shown++ < SHOWN_UNITS)
			sb_printf(out, "%s%u", shown > 1 ? ", " : " ", i);
	}
	if (shown > SHOWN_UNITS)
		sb_printf(out, " and %u more", shown - SHOWN_UNITS);
}

static void
say_state(struct session *s, const struct branch_pair *p, unsigned part)
{
	struct strbuf out = {0};
	char at[HUMAN];

	for (unsigned i = 0; i < SIM_PARTS; i++)
		if ((part == SIM_PARTS || part == i) &&
		    sim_digest_part(p->copy[0]->sim, i) != sim_digest_part(p->copy[1]->sim, i))
			say_part(p, i, &out);
	say(s, SAY_RESULT, "first state that differs, cycle %s: %s",
	    human(at, MAX(sim_cycle(p->copy[0]->sim), sim_cycle(p->copy[1]->sim))),
	    out.n || out.failed ? text_so_far(s, &out) : "one run has ended");
	sb_free(&out);
}

static int
by_state(struct session *s, struct branch_pair *p, unsigned part, const struct lab_progress *w,
	 struct err *e)
{
	bool found;
	int rc = diverge_by_state(p, part, &found, w, e);

	if (rc)
		return rc;
	if (found)
		say_state(s, p, part);
	else
		say(s, SAY_RESULT, "%s is the same in every compared cycle, to the end",
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
	if (!ascii_same(word, "by") || !next_word(&at, word, sizeof(word)))
		return err_set(e, "diverge: expected 'by' and a thing to compare, found '%.40s'",
			       word);
	*by = pick_name("thing to compare", word, names, ARRAY_LEN(names), e);
	return *by < 0 ? -1 : 0;
}

static int
back_to(struct branch_pair *p, const struct copy_mark *m, struct err *e)
{
	return copy_go_back(p->copy[0], &m[0], e) < 0 || copy_go_back(p->copy[1], &m[1], e) < 0 ? -1
												: 0;
}

/* Finds all three. The state's difference comes first; the decision's is the one to explain. */
static int
by_all(struct session *s, struct branch_pair *p, const struct lab_progress *w, struct err *e)
{
	struct copy_mark m[2] = {{0}};
	int rc = copy_keep_mark(p->copy[0], &m[0], e) | copy_keep_mark(p->copy[1], &m[1], e);

	if (!rc)
		rc = by_state(s, p, SIM_PARTS, w, e);
	if (!rc)
		rc = back_to(p, m, e);
	if (!rc)
		rc = by_events(s, p, w);
	if (!rc)
		rc = back_to(p, m, e);
	if (!rc)
		rc = by_decisions(s, p, w);
	copy_mark_free(&m[0]);
	copy_mark_free(&m[1]);
	return rc;
}

/* Where a run is shown beside this one, that is probably meant. */
static int
refuse_no_branches(const struct session *s, struct err *e)
{
	if (session_twin_name(s))
		return err_set(e,
			       "diverge: it compares branches of this run; 'split first' goes to "
			       "the first decision in which this run and %.100s beside it differ",
			       session_twin_name(s));
	return err_set(e, "diverge: expected two branches ('branches' lists them), as in: diverge "
			  "main b2 by decisions");
}

/* A policy stack is another run, which a race compares with this one. */
static int
refuse_stack(const struct session *s, const char *word, struct err *e)
{
	struct race_stacks stack = {0};

	if (timeline_branch_find(s->timeline, word, NULL) || race_add(&stack, word, NULL))
		return 0;
	if (session_twin_name(s))
		return refuse_no_branches(s, e);
	return err_set(
		e,
		"diverge: %.100s is not a branch, and diverge compares branches of this run; "
		"'race %.100s' finds the first decision that differs from a run of its own",
		word, word);
}

enum session_status
cmd_diverge(struct session *s, struct cmd_args *a)
{
	struct machine m = session_machine(s);
	struct branch_pair p = {0};
	struct progress_line w;
	struct err e = {0};
	char at[HUMAN];
	int by, rc;

	if (!a->word[1]) {
		refuse_no_branches(s, &e);
		return say_err(s, &e);
	}
	rc = read_by(a->word[2] ? a->word[2] : "", &by, &e);

	for (unsigned i = 0; i < 2 && !rc; i++)
		rc = refuse_stack(s, a->word[i], &e);
	if (!rc)
		rc = branch_pair_take(&m, &p, a->word[0], a->word[1], &e);
	if (!rc) {
		say(s, SAY_RESULT, "%s and %s diverge at cycle %s", p.branch[0]->name,
		    p.branch[1]->name, human(at, p.at));
		progress_line_begin(&w, s, "diverge");
		if (by == BY_ALL)
			rc = by_all(s, &p, &w.progress, &e);
		else if (by == BY_DECISIONS)
			rc = by_decisions(s, &p, &w.progress);
		else if (by == BY_EVENTS)
			rc = by_events(s, &p, &w.progress);
		else
			rc = by_state(s, &p, (unsigned)by, &w.progress, &e);
		progress_line_end(&w);
	}
	branch_pair_free(&p);
	return rc < 0 ? say_err(s, &e) : rc ? session_say_interrupted(s, "diverge") : SESSION_OK;
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
