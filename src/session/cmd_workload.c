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
#include <unistd.h>

static struct trace *
open_workload(const char *name, struct err *e)
{
	char path[PATH_MAX];

	if (strpbrk(name, "/.") || access(name, F_OK) == 0)
		snprintf(path, sizeof(path), "%s", name);
	else if (workload_check(name, "; 'load' on the screen and --list-workloads name them", e))
		return NULL;
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

/* Options that the user has set, with -o, a file of -c or `set`, and the configuration that takes
 * them over. */
struct kept_options {
	const struct config *now, *usual; /* usual: the same machine and stack without them */
	struct config *to;
	struct err *e;
	int rc;
};

static void
keep_option(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	    const struct opt_row *r ATTR_UNUSED)
{
	struct kept_options *k = ctx;
	char now[OPT_VALUE], usual[OPT_VALUE];

	if (k->rc || opt_get(config_db_const(k->now), key, now, sizeof(now), NULL) ||
	    (!opt_get(config_db_const(k->usual), key, usual, sizeof(usual), NULL) &&
	     strcmp(now, usual) == 0))
		return;
	k->rc = opt_set(config_db(k->to), key, now, k->e);
}

/* Returns a configuration with that stack and machine (NULL: those of now) and the options that the
 * user has set; NULL with e. */
static struct config *
change_config(const struct config *now, const char *stack, const char *machine, struct err *e)
{
	const char *old_stack = config_policy_text(now), *old = config_machine_name(now);
	struct kept_options k = {.now = now, .e = e};
	struct config *usual = make_config(old_stack, old, e);

	k.usual = usual;
	k.to = usual ? make_config(stack ? stack : old_stack, machine ? machine : old, e) : NULL;
	if (k.to)
		opt_each(config_db(k.to), keep_option, &k);
	config_free(usual);
	if (!k.rc)
		return k.to;
	config_free(k.to);
	return NULL;
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
	char line[600];
	struct err e = {0};

	snprintf(line, sizeof(line), "workload %s %s %s", a->word[0], stack ? stack : "",
		 machine ? machine : "");
	if (session_asks_to_lose(s, line, "load another workload anyway"))
		return SESSION_OK;
	fresh.config = change_config(s->config, stack, machine, &e);
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
