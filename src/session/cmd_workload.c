/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_workload.c - the command `workload`: the session goes on with another workload, policy stack
 * and machine, from cycle 0. Stops, displays and branches are of the old one and are dropped.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/foreign.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

static struct trace *
open_workload(const char *name, struct err *e)
{
	char path[PATH_MAX];

	if (strpbrk(name, "/.") || workload_check(name, "", NULL) < 0)
		snprintf(path, sizeof(path), "%s", name);
	else if (workload_need(name, false, path, sizeof(path), e))
		return NULL;
	return trace_open(path, e);
}

/* Returns a configuration with that stack and machine; NULL with e. */
static struct config *
make_config(const char *stack, const char *machine, struct err *e)
{
	struct config *c = config_new();

	if (!c) {
		err_nomem(e);
		return NULL;
	}
	config_set_try(c, foreign_try);
	if (config_machine(c, machine, e) || config_policy(c, stack, e)) {
		config_free(c);
		return NULL;
	}
	return c;
}

void
session_free_loaded(struct session *s)
{
	trace_close(s->loaded.trace);
	config_free(s->loaded.config);
	s->loaded = (struct session_loaded){.trace = NULL};
}

enum session_status
cmd_workload(struct session *s, struct cmd_args *a)
{
	const char *stack = a->word[1], *machine = a->word[2];
	struct session_loaded fresh = {.trace = NULL};
	char line[600], policy[400];
	struct err e = {0};

	snprintf(line, sizeof(line), "workload %s %s %s", a->word[0], stack ? stack : "",
		 machine ? machine : "");
	if (session_asks_to_lose(s, line, "load another workload anyway"))
		return SESSION_OK;
	snprintf(policy, sizeof(policy), "%s", stack ? stack : config_policy_text(s->config));
	fresh.config = make_config(policy, machine ? machine : config_machine_name(s->config), &e);
	fresh.trace = fresh.config ? open_workload(a->word[0], &e) : NULL;
	if (!fresh.trace || session_restart(s, fresh.config, fresh.trace, &e)) {
		trace_close(fresh.trace);
		config_free(fresh.config);
		return say_err(s, &e);
	}
	session_free_loaded(s);
	s->loaded = fresh;
	say(s, SAY_RESULT, "%s: policy %s, machine %s", a->word[0], config_policy_text(s->config),
	    config_machine_name(s->config));
	return SESSION_OK;
}
