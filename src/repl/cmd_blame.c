/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_blame.c - where a core's cycles went, and what its decisions had to do with it.
 *
 * The range is run once as it was, to know the decisions about the core that changed something;
 * then once more for each of them, from just before it, with that one flipped. What the core and
 * the GPU did by the end of the range tells what the flip gained. Nothing else is changed: whatever
 * the policies decide afterwards is part of the effect, so effects do not add up, and that is said.
 */
#include "repl/contest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8
#define STRETCH 256 /* cycles after which the events of a run are looked at: all are kept so long \
		     */
#define CHANGES                                                                      \
	(EV_BIT(EV_LIMIT) | EV_BIT(EV_GATE) | EV_BIT(EV_UNGATE) | EV_BIT(EV_DRAIN) | \
	 EV_BIT(EV_THROTTLE) | EV_BIT(EV_UNTHROTTLE) | EV_BIT(EV_CORE_PAUSE) |       \
	 EV_BIT(EV_CORE_RESUME) | EV_BIT(EV_CREDIT_EXHAUSTED))

struct suspect {
	struct decision_view v;
	char text[200];
	bool measured;
	struct tally end; /* with this one flipped */
};

struct blame {
	struct session *s;
	unsigned core, most;
	cycle_t from, to;
	char against[64]; /* a branch, "" none */
	struct lab *lab;
	struct suspect *suspect;
	unsigned n, room, found;
	struct tally begin, end;	     /* as it was */
	struct tally other_begin, other_end; /* in the other branch */
	struct lab_watch watch;
};

/* ---------------------------------------------------------------- arguments */

static void
default_range(struct blame *b)
{
	unsigned n = sim_kernels_started(b->s->sim);

	b->from = n ? sim_kernel_start(b->s->sim, n - 1) : 0;
	b->to = sim_cycle(b->s->sim);
	if (n > 1 && b->from == b->to)
		b->from = sim_kernel_start(b->s->sim, n - 2);
}

static int
read_arguments(struct blame *b, const char *at, struct err *e)
{
	char word[64];
	uint64_t n;

	while (next_word(&at, word, sizeof(word))) {
		if (strstr(word, "..") || strcmp(word, "selection") == 0) {
			if (read_cycles(b->s, word, &b->from, &b->to, e) < 0)
				return -1;
		} else if (strcmp(word, "against") == 0) {
			if (!next_word(&at, b->against, sizeof(b->against)))
				return err_set(e, "blame: against: a branch is missing");
			if (!timeline_branch_find(b->s->timeline, b->against, e))
				return -1;
		} else if (strcmp(word, "--most") == 0) {
			if (!next_word(&at, word, sizeof(word)) || number_count(word, &n) || !n ||
			    n > 10000)
				return err_set(e, "blame: --most: expected 1 to 10000");
			b->most = (unsigned)n;
		} else {
			return err_set(e,
				       "blame: expected FROM..TO, 'against BRANCH' or '--most K', "
				       "found '%.40s'",
				       word);
		}
	}
	b->to = MIN(b->to, sim_cycle(b->s->sim));
	if (b->from >= b->to)
		return err_set(e,
			       "blame: there is nothing between cycle %" PRIu64 " and %" PRIu64
			       ", where you are",
			       b->from, b->to);
	return 0;
}

/* ---------------------------------------------------------------- as it was */

static int
suspect_add(struct blame *b, const struct event *ev, struct err *e)
{
	struct decision_view v;
	struct suspect *p;

	if (sim_decision_view(b->lab->sim, ev, &v, NULL) < 0 ||
	    (b->n && strcmp(b->suspect[b->n - 1].v.name, v.name) == 0))
		return 0;
	if (b->n == b->room) {
		unsigned room = b->room ? 2 * b->room : 64;
		struct suspect *grown = realloc(b->suspect, room * sizeof(*grown));

		if (!grown)
			return err_set(e, "out of memory");
		b->suspect = grown;
		b->room = room;
	}
	p = &b->suspect[b->n++];
	*p = (struct suspect){.v = v};
	sim_event_text(b->lab->sim, ev, p->text, sizeof(p->text));
	return 0;
}

static int
run_as_it_was(struct blame *b, struct err *e)
{
	struct lab *l = b->lab;
	const struct event *ev;

	tally_take(l->sim, &b->begin);
	lab_listen(l, true);
	while (sim_cycle(l->sim) < b->to && !lab_ended(l)) {
		lab_run(l, MIN(b->to, sim_cycle(l->sim) + STRETCH));
		for (; (ev = lab_event(l)) != NULL; lab_next_event(l))
			if (ev->core == (int)b->core && CHANGES & EV_BIT(ev->kind) &&
			    suspect_add(b, ev, e) < 0)
				return -1;
		if (lab_going(&b->watch, 0))
			return 1;
	}
	lab_listen(l, false);
	tally_take(l->sim, &b->end);
	return 0;
}

/* Of more than can be measured those are kept that are spread evenly. */
static void
choose(struct blame *b)
{
	b->found = b->n;
	if (b->n <= b->most)
		return;
	for (unsigned i = 0; i < b->most; i++)
		b->suspect[i] = b->suspect[(uint64_t)i * b->n / b->most];
	b->n = b->most;
}

/* ---------------------------------------------------------------- flipped, one by one */

static int
run_to(struct blame *b, cycle_t to, double share)
{
	while (sim_cycle(b->lab->sim) < to && !lab_ended(b->lab)) {
		lab_run(b->lab, MIN(to, sim_cycle(b->lab->sim) + 4096));
		if (lab_going(&b->watch, share))
			return 1;
	}
	return 0;
}

/* From a mark before it, which moves up to it: the next one is later. */
static int
flip_one(struct blame *b, struct suspect *p, struct lab_mark *m, double share, struct err *e)
{
	int rc = lab_back(b->lab, m, e) < 0 ? -1 : run_to(b, p->v.cycle - 1, share);

	if (rc)
		return rc;
	lab_mark_free(m);
	if (lab_mark(b->lab, m, e) < 0 || sim_force(b->lab->sim, p->v.name, p->v.other, e) < 0)
		return -1;
	rc = run_to(b, b->to, share);
	if (rc)
		return rc;
	tally_take(b->lab->sim, &p->end);
	p->measured = true;
	return 0;
}

static int
flip_all(struct blame *b, struct lab_mark *m, struct err *e)
{
	int rc = 0;

	for (unsigned i = 0; i < b->n && !rc; i++)
		rc = flip_one(b, &b->suspect[i], m, (i + 1.0) / (b->n + 1.0), e);
	return rc;
}

/* ---------------------------------------------------------------- the other branch */

static int
run_other(struct blame *b, struct err *e)
{
	const struct branch *x = timeline_branch_find(b->s->timeline, b->against, e);
	struct lab *l;
	int rc;

	if (!x)
		return -1;
	rc = lab_take(b->s, (struct place){x->id, MIN(b->from, x->tip)}, &l, 1, e);
	if (rc)
		return rc;
	lab_run(l, b->from);
	tally_take(l->sim, &b->other_begin);
	while (sim_cycle(l->sim) < b->to && !lab_ended(l) && !rc) {
		lab_run(l, MIN(b->to, sim_cycle(l->sim) + 4096));
		rc = lab_going(&b->watch, 0);
	}
	tally_take(l->sim, &b->other_end);
	lab_free(l);
	return rc;
}

/* ---------------------------------------------------------------- saying it */

static double
cycles_of(const struct tally *a, const struct tally *b, unsigned core, unsigned class)
{
	return (double)(b->class[core][class] - a->class[core][class]);
}

static void
say_classes(const struct blame *b)
{
	double all = (double)(b->end.cycle - b->begin.cycle);
	struct table t;

	table_begin(&t, *b->against ? "<core~cycles >here >share >there >more"
				    : "<core~cycles >here >share");
	if (*b->against)
		snprintf(t.column[3].head, sizeof(t.column[3].head), "%.20s", b->against);
	for (unsigned k = 0; k < CC_CLASSES; k++) {
		double here = cycles_of(&b->begin, &b->end, b->core, k);
		double there = cycles_of(&b->other_begin, &b->other_end, b->core, k);
		char num[HUMAN];

		if (here == 0 && (!*b->against || there == 0))
			continue;
		table_text(&t, "%s", cycle_class_names[k]);
		table_num(&t, here);
		table_text(&t, "%.1f %%", 100 * here / all);
		if (!*b->against)
			continue;
		table_num(&t, there);
		table_text(&t, "%s%s", here > there ? "+" : "", human_num(num, here - there));
	}
	table_end(b->s, &t);
}

static void
say_other(const struct blame *b)
{
	double here = (double)(b->end.core[b->core] - b->begin.core[b->core]),
	       there = (double)(b->other_end.core[b->core] - b->other_begin.core[b->core]),
	       cycles = (double)(b->end.cycle - b->begin.cycle);
	char a[HUMAN], c[HUMAN], lost[HUMAN];

	say(b->s, SAY_RESULT,
	    "core %u issued %s thread instructions, on %s %s: %s cycles %s at that rate", b->core,
	    human_num(a, here), b->against, human_num(c, there),
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
say_suspects(const struct blame *b)
{
	unsigned measured = 0;
	char head[HUMAN];
	struct table t;

	table_begin(&t, "<decision <flipped~to >core >GPU 1<was");
	snprintf(t.column[2].head, sizeof(t.column[2].head), "core %u", b->core);
	for (unsigned i = 0; i < b->n; i++) {
		const struct suspect *p = &b->suspect[i];

		if (!p->measured)
			continue;
		measured++;
		table_text(&t, "%s", p->v.name);
		table_text(&t, "%s", p->v.other);
		table_gain(&t, (double)(b->end.core[b->core] - b->begin.core[b->core]),
			   (double)(p->end.core[b->core] - b->begin.core[b->core]));
		table_gain(&t, (double)(b->end.insts - b->begin.insts),
			   (double)(p->end.insts - b->begin.insts));
		table_text(&t, "%s", strstr(p->text, ": ") ? strstr(p->text, ": ") + 2 : p->text);
	}
	say(b->s, SAY_RESULT,
	    "%u of %u decision%s about core %u that changed something, each "
	    "flipped by itself: thread instructions more by cycle %s",
	    measured, b->found, PLURAL(b->found), b->core, human(head, b->to));
	table_end(b->s, &t);
	say(b->s, SAY_RESULT,
	    "This proves what each single flip does up to that cycle, with all that the policies "
	    "decide after it.");
	say(b->s, SAY_RESULT,
	    "It does not prove that a decision was wrong: effects do not add up, and what comes "
	    "later may pay them back.");
}

static void
say_blame(const struct blame *b)
{
	char from[HUMAN], to[HUMAN];

	say(b->s, SAY_RESULT, "core %u, cycles %s to %s", b->core, human(from, b->from),
	    human(to, b->to));
	say_classes(b);
	if (*b->against)
		say_other(b);
	if (b->n)
		say_suspects(b);
	else
		say(b->s, SAY_RESULT, "no decision about core %u changed anything in that time",
		    b->core);
}

/* ---------------------------------------------------------------- blame */

/* 1: interrupted; `complete` says whether the range itself was run. */
static int
investigate(struct blame *b, bool *complete, struct err *e)
{
	struct lab_mark m = {0};
	struct place here = timeline_here(b->s->timeline);
	int rc = lab_take(b->s, (struct place){here.branch, b->from}, &b->lab, 1, e);

	if (rc)
		return rc;
	rc = lab_mark(b->lab, &m, e);
	if (!rc)
		rc = run_as_it_was(b, e);
	choose(b);
	if (!rc && *b->against)
		rc = run_other(b, e);
	*complete = !rc;
	if (!rc)
		rc = flip_all(b, &m, e);
	lab_mark_free(&m);
	return rc;
}

enum session_status
cmd_blame(struct session *s, struct cmd_args *a)
{
	struct blame b = {.s = s, .core = (unsigned)MIN(a->number[0], UINT32_MAX), .most = MOST};
	struct err e = {0};
	bool complete = false;
	int rc;

	if (a->number[0] >= sim_instances(s->sim, "core"))
		return fail(s, "blame: there is no core %" PRIu64 ", the last is %u", a->number[0],
			    sim_instances(s->sim, "core") - 1);
	default_range(&b);
	if (read_arguments(&b, a->word[1] ? a->word[1] : "", &e) < 0)
		return say_err(s, &e);
	lab_watch(&b.watch, s, "blame");
	rc = investigate(&b, &complete, &e);
	lab_watched(&b.watch);
	if (rc > 0)
		say(s, SAY_NOTE, "interrupted%s", complete ? ": what was measured so far" : "");
	if (complete && rc >= 0)
		say_blame(&b);
	lab_free(b.lab);
	free(b.suspect);
	return rc < 0 ? say_err(s, &e) : rc && !complete ? SESSION_ERROR : SESSION_OK;
}

void
complete_blame(struct offer *o, const struct before *b)
{
	if (b->n && strcmp(b->last, "against") == 0) {
		complete_branch(o, b);
	} else if (b->n) {
		offer(o, "against");
		offer(o, "--most");
	}
}
