/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_undo.c - the commands undo and redo: an option or the policy stack gets its former value.
 *
 * A knob that waits for its period is taken back: nothing has happened yet. A change in the past
 * has begun a branch, and undo returns to the branch before it. Otherwise the undoing is itself a
 * change, made from here on, so the past stays as it was and nothing is lost.
 * Until the run begins, a setting builds the machine again, and undo builds the one before. Once
 * the run has begun, these settings belong to its start: no state of this run is without them.
 * Limits of a run, how its energy is computed and the screen are no part of its history. `set`
 * gives all these their former values.
 *
 * The stops that `delete` took away come back as well (cmd_delete.c). All changes are numbered in
 * the order in which they are made, undone and redone: undo and redo take the latest one of all
 * kinds.
 *
 * Each choice says what it was meant as. So the changes that still hold are found by reading the
 * choices on the way here backwards: an undo cancels the nearest change before it that is not
 * cancelled yet. This is the same after moves, on any branch and in a session that was saved.
 */
#include "cta/cta.h"
#include "session/command.h"
#include "session/experiment.h"
#include "session/session_file.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static unsigned
count_changes(const struct session *s)
{
	const struct choice *c;
	unsigned n = 0;

	if (timeline_branches(s->timeline))
		while ((c = timeline_path_choice(s->timeline, timeline_here(s->timeline).branch,
						 n)) &&
		       c->cycle <= sim_cycle(s->sim))
			n++;
	return n;
}

/* Returns the change that the next `undo` takes back; NULL: there is none. */
static const struct choice *
find_change_to_undo(const struct session *s)
{
	unsigned cancelled = 0;

	for (unsigned n = count_changes(s); n--;) {
		const struct choice *c =
			timeline_path_choice(s->timeline, timeline_here(s->timeline).branch, n);

		if (c->role == CHOICE_UNDO)
			cancelled++;
		else if (!cancelled--)
			return c;
	}
	return NULL;
}

/* Returns the undoing that the next `redo` takes back; NULL: there is none since the last change.
 */
static const struct choice *
find_undo_to_redo(const struct session *s)
{
	unsigned cancelled = 0;

	for (unsigned n = count_changes(s); n--;) {
		const struct choice *c =
			timeline_path_choice(s->timeline, timeline_here(s->timeline).branch, n);

		if (c->role == CHOICE_CHANGE)
			return NULL;
		if (c->role == CHOICE_REDO)
			cancelled++;
		else if (!cancelled--)
			return c;
	}
	return NULL;
}

/* Writes where the next change after the present cycle is, which `undo` takes back only from there
 * on; or, with only_undone, where the next undo is, which `redo` takes back. "": there is none. */
static const char *
later_change(const struct session *s, bool only_undone, char buf[120])
{
	unsigned branch = timeline_here(s->timeline).branch;
	const struct choice *c = NULL;
	char at[HUMAN];

	for (unsigned n = count_changes(s); timeline_branches(s->timeline); n++) {
		c = timeline_path_choice(s->timeline, branch, n);
		if (!c || !only_undone || c->role == CHOICE_UNDO)
			break;
	}
	buf[0] = '\0';
	if (c)
		snprintf(buf, 120, "; the next %s is at cycle %s, 'goto %" PRIu64 "' goes there",
			 only_undone ? "undo" : "change", human(at, c->cycle), c->cycle);
	return buf;
}

static enum session_status
say_no_change(struct session *s)
{
	char here[HUMAN], later[120];

	human(here, sim_cycle(s->sim));
	later_change(s, false, later);
	if (count_changes(s))
		say(s, SAY_RESULT,
		    "every change up to cycle %s is undone already; 'redo' makes them again%s",
		    here, later);
	else if (later[0])
		say(s, SAY_RESULT, "no change to undo up to cycle %s%s", here, later);
	else
		say(s, SAY_RESULT,
		    "this run has no changes to undo; 'set' restores what was set before it began, "
		    "run.* and ui.*");
	return SESSION_OK;
}

/* ---------------------------------------------------------------- a change in the past */

/* A change in the past has begun a branch. Where the parent knows the present cycle, undo returns
 * to it: there the run is as it was without the change. */
static bool
begins_branch(const struct session *s, const struct choice *c, struct place *parent)
{
	struct place here = timeline_here(s->timeline);
	const struct branch *b = timeline_branch(s->timeline, here.branch), *from;

	if (s->control.running || !b->n_choices || &b->choice[0] != c || b->parent == BRANCH_NONE)
		return false;
	from = timeline_branch(s->timeline, b->parent);
	*parent = (struct place){b->parent, here.cycle};
	return from && from->tip >= here.cycle && from->tip > b->from;
}

static enum session_status
return_to_parent(struct session *s, const struct choice *c, struct place parent)
{
	struct place here = timeline_here(s->timeline);
	char was[2 * POLICY_TEXT], at[HUMAN];
	enum session_status status;

	snprintf(was, sizeof(was), "%s is %s again", c->kind == CHOICE_POLICY ? "policy" : c->key,
		 c->before);
	s->time.quiet_move = true;
	status = session_goto(s, parent); /* c is not valid any more */
	s->time.quiet_move = false;
	if (status != SESSION_OK)
		return status;
	s->time.left = here;
	s->time.left_for = parent.branch;
	s->time.has_left = true;
	s->time.left_made = ++s->time.made;
	say(s, SAY_RESULT, "%s: you are back on branch %s, at cycle %s; %s keeps the change", was,
	    timeline_branch(s->timeline, parent.branch)->name, human(at, parent.cycle),
	    timeline_branch(s->timeline, here.branch)->name);
	return SESSION_OK;
}

/* Whether undo has left a branch here. */
static bool
has_left_branch(const struct session *s)
{
	struct place here = timeline_here(s->timeline), to = s->time.left;

	return s->time.has_left && timeline_branch(s->timeline, to.branch) && !s->control.running &&
	       here.branch == s->time.left_for && here.cycle == to.cycle;
}

static enum session_status
return_to_change(struct session *s)
{
	struct place to = s->time.left;
	enum session_status status = session_goto(s, to);
	char at[HUMAN];

	s->time.has_left = false;
	if (status == SESSION_OK)
		say(s, SAY_RESULT, "you are on branch %s again, at cycle %s",
		    timeline_branch(s->timeline, to.branch)->name, human(at, to.cycle));
	return status;
}

/* ---------------------------------------------------------------- other changes */

/* The policies that run at a time. */
struct stack_copy {
	const struct cta_sched_ops *policy[CTA_STACK];
	unsigned n;
};

static struct stack_copy
copy_stack(const struct session *s)
{
	struct stack_copy copy = {.n = 0};
	const struct cta_sched_ops *const *now = config_stack(s->config, &copy.n);

	for (unsigned i = 0; i < copy.n; i++)
		copy.policy[i] = now[i];
	return copy;
}

static bool
is_in_stack(const struct stack_copy *stack, const struct cta_sched_ops *policy)
{
	for (unsigned i = 0; i < stack->n; i++)
		if (stack->policy[i] == policy)
			return true;
	return false;
}

/* Writes which policies begin without the state that they had before the change at that cycle: the
 * cycles since then ran without them. It can be had only where the change was made. */
static void
write_lost_state(const struct session *s, const struct stack_copy *was, cycle_t cycle, char *out,
		 size_t size)
{
	struct stack_copy now = copy_stack(s);
	char names[200] = "";

	*out = '\0';
	if (cycle == sim_cycle(s->sim))
		return;
	for (unsigned i = 0; i < now.n; i++) {
		size_t n = strlen(names);

		if (is_in_stack(was, now.policy[i]) ||
		    now.policy[i]->state_size + now.policy[i]->core_size == 0)
			continue;
		snprintf(names + n, sizeof(names) - n, "%s%s", n ? ", " : "", now.policy[i]->name);
	}
	if (*names)
		snprintf(out, size,
			 ", but not the state that %s had there; 'goto %" PRIu64
			 "' and 'undo' bring it back, too",
			 names, cycle);
}

/* Sets what the choice set to what it was before. */
static enum session_status
set_former_value(struct session *s, const struct choice *c, enum choice_role role)
{
	char line[2 * POLICY_TEXT], now[2 * POLICY_TEXT], at[HUMAN], lost[300];
	const char *key = c->kind == CHOICE_POLICY ? "policy" : c->key;
	struct stack_copy was = copy_stack(s);
	cycle_t cycle = c->cycle;
	enum session_status status;

	snprintf(line, sizeof(line), "set %s %s", key, c->before);
	snprintf(now, sizeof(now), "%s is %s again", key, c->before);
	human(at, c->cycle);
	s->time.role = role;
	status = session_exec(s, line); /* c is not valid any more */
	s->time.role = CHOICE_CHANGE;
	if (status != SESSION_OK)
		return status;
	write_lost_state(s, &was, cycle, lost, sizeof(lost));
	if (role == CHOICE_UNDO)
		say(s, SAY_RESULT, "%s: undid the change at cycle %s%s", now, at, lost);
	else
		say(s, SAY_RESULT, "%s: redid the change at cycle %s", now, at);
	return status;
}

/* ---------------------------------------------------------------- before the run began */

static void
free_start_change(struct start_change *c)
{
	free(c->before);
	free(c->after);
	free(c->words);
	*c = (struct start_change){0};
}

static void
forget_from(struct session_time *t, unsigned first)
{
	for (unsigned i = first; i < t->n_start + t->n_start_undone; i++)
		free_start_change(&t->start[i]);
	t->n_start = first;
	t->n_start_undone = 0;
}

void
session_forget_start_changes(struct session *s)
{
	forget_from(&s->time, 0);
}

void
session_keep_start_change(struct session *s, const char *before, uint64_t build_before,
			  const char *words)
{
	struct session_time *t = &s->time;
	struct start_change c;
	bool leads_on = t->start_build == build_before;

	if (t->builds == build_before)
		return; /* it concerns no machine, as the colours do */
	t->start_build = t->builds;
	if (leads_on && strcmp(before, s->start_options) == 0)
		return;
	session_forget_undeletions(s);
	c = (struct start_change){strdup(before), strdup(s->start_options), strdup(words),
				  ++t->made};
	forget_from(t, leads_on ? t->n_start : 0);
	if (!c.before || !c.after || !c.words) { /* undo cannot go past it */
		free_start_change(&c);
		forget_from(t, 0);
		return;
	}
	if (t->n_start == START_CHANGES) {
		free_start_change(&t->start[0]);
		memmove(&t->start[0], &t->start[1], --t->n_start * sizeof(t->start[0]));
	}
	t->start[t->n_start++] = c;
}

/* Whether the machine has not moved since the last of these settings built it. */
static bool
settings_hold(const struct session *s)
{
	return !session_has_run(s) && s->time.start_build == s->time.builds;
}

static enum session_status
build_with(struct session *s, const char *options)
{
	struct err e = {0};
	enum session_status status =
		session_apply_options(s->config, options, &e) ? say_err(s, &e) : session_build(s);

	s->time.start_build = s->time.builds;
	return status;
}

/* The setting that the next `undo` takes back; NULL: none. */
static struct start_change *
find_setting_to_undo(struct session *s)
{
	struct session_time *t = &s->time;

	return t->n_start && settings_hold(s) ? &t->start[t->n_start - 1] : NULL;
}

static struct start_change *
find_setting_to_redo(struct session *s)
{
	struct session_time *t = &s->time;

	return t->n_start_undone && settings_hold(s) ? &t->start[t->n_start] : NULL;
}

static enum session_status
undo_setting(struct session *s, struct start_change *c)
{
	struct session_time *t = &s->time;
	enum session_status status = build_with(s, c->before);

	if (status != SESSION_OK)
		return status;
	c->made = ++t->made;
	t->n_start--;
	t->n_start_undone++;
	say(s, SAY_RESULT, "undid 'set %s'", c->words);
	return status;
}

static enum session_status
redo_setting(struct session *s, struct start_change *c)
{
	struct session_time *t = &s->time;
	enum session_status status = build_with(s, c->after);

	if (status != SESSION_OK)
		return status;
	c->made = ++t->made;
	t->n_start++;
	t->n_start_undone--;
	say(s, SAY_RESULT, "redid 'set %s'", c->words);
	return status;
}

/* ---------------------------------------------------------------- the commands */

/* A change of the model, made at the present cycle or before. */
static enum session_status
undo_choice(struct session *s, const struct choice *c)
{
	struct place parent;
	char at[HUMAN];

	if (c->kind == CHOICE_OUTCOME) {
		say(s, SAY_RESULT,
		    "the last change, at cycle %s, forced a decision and cannot be undone; 'switch "
		    "main' leaves its branch",
		    human(at, c->cycle));
		return SESSION_OK;
	}
	if (begins_branch(s, c, &parent))
		return return_to_parent(s, c, parent);
	return set_former_value(s, c, CHOICE_UNDO);
}

/* The latest of what holds. A knob that waits was changed after everything that was set. */
enum session_status
cmd_undo(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	const struct session_live *l = &s->control.live;
	struct start_change *setting = find_setting_to_undo(s);
	const struct choice *c = setting ? NULL : find_change_to_undo(s);
	uint64_t deleted = session_last_deletion(s);

	if (deleted && deleted > (l->n_knobs ? l->knob[l->n_knobs - 1].made
				  : setting  ? setting->made
				  : c	     ? c->made
					     : 0))
		return session_undo_deletion(s);
	if (live_undo_knob(s))
		return SESSION_OK;
	if (setting)
		return undo_setting(s, setting);
	return c ? undo_choice(s, c) : say_no_change(s);
}

/* The latest of what was undone. */
enum session_status
cmd_redo(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	const struct session_live *l = &s->control.live;
	struct start_change *setting = find_setting_to_redo(s);
	bool left = !setting && has_left_branch(s);
	const struct choice *c = setting || left ? NULL : find_undo_to_redo(s);
	uint64_t undeleted = session_last_undeletion(s);
	enum session_status status;
	char later[120];

	if (undeleted && undeleted > (l->n_undone ? l->undone[l->n_undone - 1].made
				      : setting	  ? setting->made
				      : left	  ? s->time.left_made
				      : c	  ? c->made
						  : 0))
		return session_redo_deletion(s);
	if (live_redo_knob(s, &status))
		return status;
	if (setting)
		return redo_setting(s, setting);
	if (left)
		return return_to_change(s);
	if (c)
		return set_former_value(s, c, CHOICE_REDO);
	say(s, SAY_RESULT, "nothing to redo: nothing was undone since the last change%s",
	    later_change(s, true, later));
	return SESSION_OK;
}
