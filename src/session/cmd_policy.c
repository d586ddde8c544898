/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_policy.c - the command `policy reload`: reads policy files again during a session.
 *
 * The new version is a policy beside the old one, and the session changes to it as `set policy`
 * does: from here on, or on a branch if this is the past. So undo, other branches and going back
 * find the code that was there before. Before the change a child process loads the file and runs
 * ahead with it; a version that crashes there is refused.
 */
#include "base/foreign.h"
#include "session/command.h"
#include "ctascope/policy_file.h"
#include "session/session_part.h"

#include <string.h>

#define TRIAL_CYCLES 20000
#define TRIAL_SECONDS 20 /* after which a hook that does not return is given up */

struct trial_run {
	struct session *s;
	const char *stack;
};

/* Called in a child, whose machine is a copy. */
static void
run_ahead(void *ctx)
{
	struct trial_run *t = ctx;
	struct sim *sim = t->s->sim;
	struct err e = {0};

	debug_mute(t->s->debug);
	if (sim_set_policy(sim, t->stack, NULL, 0, &e) == 0)
		sim_run(sim, sim_cycle(sim) + TRIAL_CYCLES, &e);
}

static enum session_status
reload_policies(struct session *s, const char *file)
{
	char stack[POLICY_TEXT], line[POLICY_TEXT + 16];
	struct trial_run t = {s, stack};
	struct err e = {0};
	int newer = config_reload(s->config, file, stack, &e);

	if (newer < 0)
		return say_err(s, &e);
	if (!newer) {
		say(s, SAY_RESULT,
		    file ? "%s has not changed since it was read"
			 : "the policy files of the stack %s have not changed",
		    file ? file : config_policy_text(s->config));
		return SESSION_OK;
	}
	if (s->sim && sim_learn(s->sim, s->config, &e) < 0)
		return say_err(s, &e);
	if (s->sim && foreign_run(run_ahead, &t, TRIAL_SECONDS, stack,
				  "in a trial run of the next 20,000 cycles", &e)) {
		say_err(s, &e);
		return fail(s, "the run keeps %s", config_policy_text(s->config));
	}
	snprintf(line, sizeof(line), "set policy %s", stack);
	return session_exec(s, line);
}

enum session_status
cmd_policy(struct session *s, struct cmd_args *a)
{
	const char *at = a->word[0];
	char word[64], file[POLICY_TEXT];

	if (!next_word(&at, word, sizeof(word)) || !ascii_same(word, "reload"))
		return fail(s,
			    "policy: expected reload, found '%.60s'; 'set policy STACK' chooses a "
			    "policy, 'info policy' shows the present one",
			    word);
	if (!*skip_blanks(at))
		return reload_policies(s, NULL);
	return reload_policies(s, session_file_name(skip_blanks(at), file, sizeof(file)));
}
