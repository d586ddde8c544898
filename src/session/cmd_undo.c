/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_undo.c - the command undo: sets an option or the policy stack back to its former value.
 *
 * The undoing is itself a change, made from here on. So the past stays as it was, nothing is lost,
 * and a second `undo` takes back the first.
 */
#include "session/command.h"
#include "session/experiment.h"

#include <inttypes.h>

/* Returns the last change on the way here; NULL: there is none. */
static const struct choice *
find_last_change(const struct session *s)
{
	const struct choice *c, *last = NULL;

	if (!timeline_branches(s->timeline))
		return NULL;
	for (unsigned k = 0;
	     (c = timeline_path_choice(s->timeline, timeline_here(s->timeline).branch, k)); k++)
		if (c->cycle <= sim_cycle(s->sim))
			last = c;
	return last;
}

enum session_status
cmd_undo(struct session *s, struct cmd_args *a ATTR_UNUSED)
{
	const struct choice *c = find_last_change(s);
	char line[2 * POLICY_TEXT], at[HUMAN];
	enum session_status status;

	if (!c) {
		say(s, SAY_RESULT, "nothing was changed in this run");
		return SESSION_OK;
	}
	if (c->kind == CHOICE_OUTCOME) {
		say(s, SAY_RESULT,
		    "the last change, at cycle %s, forced a decision; 'switch main' leaves its "
		    "branch",
		    human(at, c->cycle));
		return SESSION_OK;
	}
	snprintf(line, sizeof(line), "set %s %s", c->kind == CHOICE_POLICY ? "policy" : c->key,
		 c->before);
	human(at, c->cycle);
	status = session_exec(s, line); /* c is not valid any more */
	if (status == SESSION_OK)
		say(s, SAY_RESULT, "took back the change at cycle %s: %s", at, line);
	return status;
}
