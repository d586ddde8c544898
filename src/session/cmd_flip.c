/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_flip.c - the commands flip and try: give a decision another outcome, or make a change here,
 * on a new branch; run it and the present branch to a horizon, and print the difference.
 *
 * The branch remains and can be switched to; the session stays where it was. Both runs are copies,
 * so no stop, log, trace or CSV sees them.
 */
#include "lab/lab.h"
#include "session/branch.h"
#include "session/command.h"
#include "session/comparison_report.h"
#include "session/experiment.h"
#include "session/offer.h"

#include "base/ascii.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define FORESIGHT 100000 /* cycles in which the next decision is searched */

/* ---------------------------------------------------------------- arguments */

/* "for 1000" at the end is meant as --for. */
static int
refuse_bare_for(const char *text, struct err *e)
{
	const char *at = NULL, *rest = text;
	char word[PATH_MAX];
	uint64_t n;

	while (next_word(&rest, word, sizeof(word)) && strcmp(word, "for") != 0)
		;
	at = rest;
	if (strcmp(word, "for") == 0 && next_word(&at, word, sizeof(word)) &&
	    number_count(word, &n) == 0 && !*skip_blanks(at))
		return err_set(e, "'for %.40s' is written --for %.40s", word, word);
	return 0;
}

int
session_take_for(char *text, cycle_t *cycles, struct err *e)
{
	const char *rest = text;
	char word[PATH_MAX], *at = text;
	uint64_t n;

	*cycles = 0;
	/* a whole word, since --force begins with --for */
	while (next_word(&rest, word, sizeof(word)) && strcmp(word, "--for") != 0)
		at = text + (rest - text);
	if (strcmp(word, "--for") != 0)
		return refuse_bare_for(text, e);
	if (!next_word(&rest, word, sizeof(word)) || number_count(word, &n) || n == 0)
		return err_set(e, "--for: expected a number of cycles, found '%.40s'", word);
	if (at == text)
		rest = skip_blanks(rest);
	memmove(at, rest, strlen(rest) + 1);
	trim_end(text);
	*cycles = n;
	return 0;
}

int
session_take_kernel(const struct session *s, const char *command, char *text, unsigned *kernel,
		    struct err *e)
{
	const char *rest = text;
	char word[NAME_TYPED], *at = text;
	struct err why = {0};

	*kernel = 0;
	while (next_word(&rest, word, sizeof(word)) && !ascii_same(word, "kernel"))
		at = text + (rest - text);
	if (!ascii_same(word, "kernel"))
		return 0;
	if (!next_word(&rest, word, sizeof(word)))
		return err_set(e, "%s: 'kernel' needs a number or a name", command);
	if (debug_kernel_number(s->debug, word, kernel, &why))
		return err_set(e, "%s: %s", command, why.msg);
	if (at == text)
		rest = skip_blanks(rest);
	memmove(at, rest, strlen(rest) + 1);
	trim_end(text);
	return 0;
}

/* ---------------------------------------------------------------- a branch */

/* Finds the first free name of flip1, flip2 ... */
static void
free_name(const struct session *s, const char *what, char *buf, size_t size)
{
	unsigned n = 1;

	do
		snprintf(buf, size, "%s%u", what, n++);
	while (timeline_branch_find(s->timeline, buf, NULL));
}

struct trial {
	const char *what; /* "flip" */
	struct choice choice;
	cycle_t cycle; /* the cycle at which the branch begins */
	cycle_t for_cycles;
	struct flipped flipped;
};

/* Says why another limit made no difference, as far as the present tells: the session is at the
 * decision. */
static void
say_why_same(struct session *s, const struct flipped *f)
{
	struct kernel_on_core v;
	struct kernel_view k;
	char at[HUMAN];

	if (!(f->kinds & EV_BIT(EV_LIMIT)) || sim_cycle(s->sim) != f->cycle ||
	    !sim_kernel_on_core(s->sim, f->kernel - 1, f->core, &v))
		return;
	sim_kernel_view(s->sim, f->kernel - 1, &k);
	if (k.issued == k.ctas)
		say(s, SAY_RESULT,
		    "no CTA of kernel %u was left to issue at cycle %s, and core %u had %u "
		    "running, "
		    "so no limit held one back",
		    f->kernel, human(at, f->cycle), f->core, v.running);
	else
		say(s, SAY_RESULT,
		    "core %u had %u CTA%s running at cycle %s, and neither limit held one back "
		    "after it",
		    f->core, v.running, PLURAL(v.running), human(at, f->cycle));
}

static enum session_status
compare_runs(struct session *s, const struct trial *t, unsigned id, const char *name)
{
	struct comparison c = {.name = {"as it was", name}, .first.flipped = t->flipped};
	struct machine m = session_machine(s);
	struct progress_line w;
	struct err e = {0};
	bool stopped = false, complete;
	int rc;

	progress_line_begin(&w, s, t->what);
	rc = branch_compare(&m, id, t->cycle, t->for_cycles, &c, &w.progress, &stopped, &e);
	progress_line_end(&w);
	if (stopped)
		say(s, SAY_NOTE, "%s: interrupted; the results so far:", t->what);
	if (!rc)
		report_comparison(s, &c);
	complete = !rc && comparison_is_complete(&c);
	if (complete && !c.first.known && !c.first.lost && t->flipped.kinds)
		say_why_same(s, &t->flipped);
	copy_free(c.copy[0]);
	copy_free(c.copy[1]);
	if (rc)
		return rc < 0 ? say_err(s, &e) : session_say_interrupted(s, t->what);
	if (stopped)
		return session_end_interrupted(s);
	return complete ? SESSION_OK : SESSION_ERROR;
}

static enum session_status
run_trial(struct session *s, const struct trial *t)
{
	struct place here = timeline_here(s->timeline);
	struct machine m = session_machine(s);
	char name[64], note[POLICY_TEXT + 400] = "", text[2 * POLICY_TEXT], at[HUMAN];
	const struct choice *left_out;
	struct err e = {0};
	unsigned id = 0;
	int rc;

	free_name(s, t->what, name, sizeof(name));
	rc = branch_with_choice(&m, name, t->cycle, &t->choice, note, sizeof(note), &id, &e);
	if (rc < 0)
		return say_err(s, &e);
	if (rc)
		return session_say_interrupted(s, t->what);
	session_choice_text(&timeline_branch(s->timeline, id)->choice[0], text, sizeof(text));
	say(s, SAY_RESULT, "branch %s from %s at %s: %s; 'switch %s' goes there", name,
	    timeline_branch(s->timeline, here.branch)->name, human(at, t->cycle), text, name);
	if (*note)
		say_lines(s, SAY_NOTE, note);
	left_out = branch_left_out(&m, t->cycle);
	if (left_out) {
		session_choice_text(left_out, text, sizeof(text));
		say(s, SAY_NOTE, "both runs are without the change at cycle %s: %s",
		    human(at, left_out->cycle), text);
	}
	return compare_runs(s, t, id, name);
}

/* ---------------------------------------------------------------- if there is no decision */

/* Returns the last decision before the present that is still kept; NULL: none. */
static const struct event *
find_before(const struct session *s, unsigned kernel)
{
	const struct event_ring *ring = sim_events(s->sim);

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (ev->cycle >= sim_cycle(s->sim) ||
		    !flip_is_possible(s->sim, ev, s->view.core, kernel))
			continue;
		return ev;
	}
	return NULL;
}

static void
say_before(struct session *s, unsigned kernel)
{
	const struct event_ring *ring = sim_events(s->sim);
	const struct event *ev = find_before(s, kernel);
	char text[400], at[HUMAN];

	if (!ev) {
		say(s, SAY_ERROR, "  before: none%s%s", ring->first ? " since cycle " : "",
		    ring->first ? human(at, event_ring_get(ring, ring->first)->cycle) : "");
		return;
	}
	sim_event_text(s->sim, ev, text, sizeof(text));
	say(s, SAY_ERROR, "  before, 'goto %" PRIu64 "': %s", ev->cycle, text);
}

/* Prints the first decision after the present. */
static void
say_after(struct session *s, unsigned kernel)
{
	struct machine m = session_machine(s);
	char text[400], at[HUMAN];
	struct progress_line w;
	cycle_t cycle;
	bool ended;
	int rc;

	progress_line_begin(&w, s, "flip");
	rc = flip_find_next(&m, s->view.core, kernel, FORESIGHT, &w.progress, &cycle, &ended, text,
			    sizeof(text));
	progress_line_end(&w);
	if (rc > 0)
		say(s, SAY_ERROR, "  after, 'advance %" PRIu64 "': %s", cycle, text);
	else if (!rc)
		say(s, SAY_ERROR, "  after: none up to %s%s", ended ? "the end, " : "cycle ",
		    human(at, cycle));
}

static enum session_status
say_no_decision(struct session *s, unsigned kernel)
{
	const struct event *other = debug_decision(s->debug, -1, kernel, false);
	char at[HUMAN], text[400], of[32] = "";
	enum session_status status;

	if (kernel)
		snprintf(of, sizeof(of), " for kernel %u", kernel);
	if (!other && sim_done(s->sim) && !find_before(s, kernel))
		return fail(s,
			    "flip: the program has ended, and the events kept hold no decision "
			    "about core %u%s to flip; 'core N' chooses another core",
			    s->view.core, of);
	status = fail(s,
		      "flip: no decision about core %u%s in cycle %s; the nearest ones that can "
		      "be flipped:",
		      s->view.core, of, human(at, sim_cycle(s->sim)));

	if (other) {
		sim_event_text(s->sim, other, text, sizeof(text));
		say(s, SAY_ERROR, "  in this cycle, 'core %d': %s", other->core, text);
	}
	say_before(s, kernel);
	if (sim_done(s->sim))
		say(s, SAY_ERROR, "  after: none, the program has ended");
	else
		say_after(s, kernel);
	return status;
}

/* ---------------------------------------------------------------- flip, try */

/* If the policy and the issue of CTAs decide in the same cycle, the outcome tells which one is
 * meant. */
static bool
is_of_issue(const char *outcome)
{
	static const char *const words[] = {"take", "refuse", "core"};

	for (unsigned i = 0; i < ARRAY_LEN(words); i++)
		if (strncmp(outcome, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

/* Names the other kernels for which the core had a decision that could be flipped instead. */
static void
say_other_kernels(struct session *s, const struct decision_view *flipped, bool issues)
{
	const unsigned n = sim_runs_together(s->sim) ? sim_kernels_started(s->sim) : 0;
	char at[HUMAN], text[400];
	struct decision_view v;

	for (unsigned k = 1; k <= n; k++) {
		const struct event *ev =
			k == flipped->kernel
				? NULL
				: debug_decision(s->debug, (int)flipped->core, k, issues);

		if (!ev || sim_decision_view(s->sim, ev, &v, NULL) < 0)
			continue;
		sim_event_cause(s->sim, ev, text, sizeof(text));
		say(s, SAY_NOTE,
		    "this flips the decision for kernel %u; in cycle %s core %u also has one for "
		    "kernel %u (%s), which 'flip kernel %u' flips",
		    flipped->kernel, human(at, flipped->cycle), flipped->core, k, text, k);
	}
}

enum session_status
cmd_flip(struct session *s, struct cmd_args *a)
{
	struct trial t = {.what = "flip"};
	bool issues;
	unsigned kernel;
	struct machine m = session_machine(s);
	char outcome[NAME_TYPED], can[160];
	struct decision_view v;
	const struct event *ev;
	struct err e = {0};
	int rc;

	snprintf(outcome, sizeof(outcome), "%s", a->word[0] ? a->word[0] : "");
	if (session_take_for(outcome, &t.for_cycles, &e) < 0 ||
	    session_take_kernel(s, "flip", outcome, &kernel, &e) < 0)
		return say_err(s, &e);
	issues = is_of_issue(outcome);
	ev = debug_decision(s->debug, (int)s->view.core, kernel, issues);
	if (!ev)
		return say_no_decision(s, kernel);
	if (sim_decision_view(s->sim, ev, &v, &e) < 0)
		return say_err(s, &e);
	snprintf(can, sizeof(can), "%.*s", (int)sizeof(can) - 1, *outcome ? outcome : v.other);
	rc = flip_check(&m, &v, can, &e);
	if (rc < 0)
		return say_err(s, &e);
	if (rc)
		return session_say_interrupted(s, t.what);
	t.choice = (struct choice){.kind = CHOICE_OUTCOME, .key = v.name, .value = can};
	t.cycle = v.cycle - 1;
	t.flipped = (struct flipped){v.cycle, v.core, v.kernel, v.kinds};
	if (!kernel)
		say_other_kernels(s, &v, issues);
	return run_trial(s, &t);
}

enum session_status
cmd_try(struct session *s, struct cmd_args *a)
{
	struct trial t = {.what = "try"};
	char text[2 * POLICY_TEXT], verb[64], key[128], cycle[HUMAN];
	const char *at = text;
	struct err e = {0};

	snprintf(text, sizeof(text), "%s", a->word[0] ? a->word[0] : "");
	if (session_take_for(text, &t.for_cycles, &e) < 0)
		return say_err(s, &e);
	if (!next_word(&at, verb, sizeof(verb)) ||
	    (strcmp(verb, "set") != 0 && strcmp(verb, "policy") != 0))
		return fail(s, "try: expected 'set NAME VALUE' or 'policy STACK'");
	if (strcmp(verb, "set") == 0) {
		char typed[128];

		if (!next_word(&at, typed, sizeof(typed)))
			return fail(s, "try set: a name is missing");
		if (strcmp(typed, "policy") == 0) {
			snprintf(verb, sizeof(verb), "policy");
		} else if (session_option(s, typed, key, sizeof(key), &e) < 0) {
			return say_err(s, &e);
		}
	}
	at = skip_blanks(at);
	if (!*at)
		return fail(s, "try %s: a value is missing", verb);
	if (strcmp(verb, "set") == 0 && !config_is_choice(s->config, key)) {
		if (session_option_db(s, key) != &s->own && sim_check_set(s->sim, key, at, &e) < 0)
			return say_err(s, &e);
		return fail(s,
			    "try set: %s does not affect the run; expected an option that may "
			    "change while the model runs",
			    key);
	}
	t.choice = (struct choice){.kind = strcmp(verb, "policy") ? CHOICE_OPTION : CHOICE_POLICY,
				   .key = strcmp(verb, "policy") ? key : NULL,
				   .value = (char *)(uintptr_t)at};
	t.cycle = sim_cycle(s->sim);
	if (sim_done(s->sim))
		return fail(s,
			    "try: the program has ended at cycle %s, so a change has no effect; go "
			    "back first: 'goto CYCLE', "
			    "'reverse-continue', 'reverse-finish'",
			    human(cycle, t.cycle));
	return run_trial(s, &t);
}

void
complete_flip(struct offer *o, const struct before *b)
{
	if (b->n == 0)
		offer_words(o, "stay up down take refuse core active draining throttled paused "
			       "off");
	if (strcmp(b->last, "--for") != 0)
		offer_words(o, "kernel --for");
}

void
complete_try(struct offer *o, const struct before *b)
{
	if (b->n == 0) {
		offer(o, "set");
		offer(o, "policy");
	} else if (b->n == 1 && strcmp(b->first, "set") == 0) {
		complete_name(o, b);
	}
}
