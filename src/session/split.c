/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * split.c - the run beside the session's (lab/twin.h), for a front end that shows both in step.
 *
 * The twin follows the session in slices. It is freed with the machine of the session, and built
 * again from the name of its stack or branch.
 */
#include "lab/lab.h"
#include "session/experiment.h"
#include "session/session_part.h"

#include "base/clock.h"

#include <string.h>

/* Whether the run has had no other stack and no other option since its start, and the stack is its
 * own: the twin would be the same run. */
static bool
is_own_run(const struct session *s, const char *stack)
{
	return strcmp(stack, config_policy_text(sim_config(s->sim))) == 0 &&
	       !timeline_path_choice(s->timeline, timeline_here(s->timeline).branch, 0);
}

/* Finds the branch that is shown, or else reads the stack; -1 with e. */
static int
read_twin(const struct session *s, const char *what, const struct branch **b,
	  struct race_stacks *stack, struct err *e)
{
	*b = s->sim ? timeline_branch_find(s->timeline, what, NULL) : NULL;
	if (*b && s->control.running)
		return err_set(
			e, "split: to show the branch %s, first stop the model; Space pauses it",
			(*b)->name);
	if (*b)
		return 0;
	if (race_add(stack, what, e))
		return -1;
	if (stack->n > 1)
		return err_set(e, "split: expected one policy stack or branch, found '%.100s'",
			       what);
	if (s->sim && is_own_run(s, stack->text[0]))
		return err_set(e,
			       "split: %.100s is the policy of this run; 'split STACK' shows "
			       "another",
			       stack->text[0]);
	return 0;
}

int
session_check_split(const struct session *s, const char *what, struct err *e)
{
	const struct branch *b;
	struct race_stacks stack = {0};

	return read_twin(s, what, &b, &stack, e);
}

/* Builds the twin; NULL with e. */
static struct twin *
build_twin(struct session *s, const char *what, struct err *e)
{
	const struct branch *b;
	size_t memory = (size_t)s->opts.time_memory << 20;
	struct machine m = session_machine(s);
	struct race_stacks stack = {0};
	struct twin *t;

	if (read_twin(s, what, &b, &stack, e))
		return NULL;
	t = b ? twin_of_branch(&m, b, memory, e) : twin_of_stack(&m, stack.text[0], memory, e);
	if (!t && !e->set)
		err_set(e, "split: interrupted");
	return t;
}

int
session_split(struct session *s, const char *what, struct err *e)
{
	struct session_twin *k = &s->workers.split;
	struct twin *t = NULL;

	if (*what && !s->sim)
		return err_set(e, "split: no workload is loaded");
	if (*what && strlen(what) >= sizeof(k->what))
		return err_set(e, "split: '%.60s...' is too long", what);
	if (*what && !(t = build_twin(s, what, e)))
		return -1;
	if (*what && !timeline_branch_find(s->timeline, what, NULL))
		session_say_lane_hints(s, what);
	session_forget_twin(s);
	snprintf(k->what, sizeof(k->what), "%s", what);
	k->twin = t;
	return 0;
}

bool
session_is_own_run(const struct session *s, const char *what)
{
	const struct branch *b = s->sim ? timeline_branch_find(s->timeline, what, NULL) : NULL;

	return b ? b->id == timeline_here(s->timeline).branch
		 : strcmp(what, config_policy_text(s->config)) == 0;
}

const char *
session_twin_name(const struct session *s)
{
	const struct session_twin *k = &s->workers.split;

	return !k->what[0] ? NULL : k->twin ? twin_name(k->twin) : k->what;
}

struct sim *
session_twin(const struct session *s)
{
	return s->workers.split.twin ? twin_sim(s->workers.split.twin) : NULL;
}

/* Ends the twin after an error. */
static int
give_up(struct session *s)
{
	session_forget_twin(s);
	s->workers.split.what[0] = '\0';
	return -1;
}

int
session_twin_follow(struct session *s, double seconds, struct err *e)
{
	struct session_twin *k = &s->workers.split;
	double until = clock_seconds() + seconds;
	struct machine m = session_machine(s);
	int rc;

	if (!k->what[0] || !s->sim)
		return 1;
	if (!k->twin && !(k->twin = build_twin(s, k->what, e)))
		return give_up(s);
	rc = twin_reach(k->twin, sim_done(s->sim) ? CYCLE_NEVER : sim_cycle(s->sim), seconds, e);
	if (rc > 0 && !s->control.running && clock_seconds() < until)
		rc = twin_compare(k->twin, &m, until - clock_seconds(), e);
	else if (rc > 0 && !s->control.running)
		rc = 0;
	return rc < 0 ? give_up(s) : rc;
}

bool
session_twin_difference(const struct session *s, struct session_difference *d)
{
	struct twin_difference k;

	if (!s->workers.split.twin)
		return false;
	twin_difference(s->workers.split.twin, &k);
	*d = (struct session_difference){.known = k.known,
					 .cycle = k.cycle,
					 .text = {k.text[0], k.text[1]}};
	return true;
}

void
session_twin_why(struct session *s, unsigned core, cycle_t cycle)
{
	struct strbuf text = {0};
	struct err e = {0};

	if (!s->workers.split.twin)
		return;
	if (debug_why_at(twin_debug(s->workers.split.twin), (int)core, cycle, &text, &e))
		say_err(s, &e);
	else
		say_text(s, SAY_RESULT, &text);
}
