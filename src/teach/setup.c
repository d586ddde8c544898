/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * setup.c - creates the session of a lesson: its machine and workload, from arguments like those of
 * `ctascope`.
 *
 * Only the options that choose the machine are allowed (-c -m, -o -s, -p and -w), and the workload.
 * The machine is complete before the session changes to it.
 */
#include "teach/teach_part.h"

#include "base/foreign.h"
#include "base/words.h"
#include "ctascope/sim.h"
#include "ctascope/trace.h"
#include "workload/workload.h"

#include <limits.h>
#include <string.h>

static int
set_option(struct config *c, const char *text, struct err *e)
{
	const char *equal = strchr(text, '=');
	char key[128];

	if (!equal || !span_copy((struct span){text, (size_t)(equal - text)}, key, sizeof(key)))
		return err_set(e, "-o %.80s: expected KEY=VALUE", text);
	return opt_set(config_db(c), key, equal + 1, e);
}

/* Applies one option of the command line, with its argument. */
static int
take_option(struct config *c, const char *option, const char *text, struct err *e)
{
	switch (option[1]) {
	case 'c':
	case 'm':
		return config_machine(c, text, e);
	case 'o':
	case 's':
		return set_option(c, text, e);
	case 'p':
		return config_policy(c, text, e);
	default:
		return config_wsched(c, text, e);
	}
}

static int
read_arguments(struct config *c, const char *arguments, char *workload, size_t size, struct err *e)
{
	char word[PATH_MAX], text[PATH_MAX];

	workload[0] = '\0';
	while (word_unquote(&arguments, word, sizeof(word))) {
		if (word[0] != '-') {
			if (*workload)
				return err_set(e, "unexpected argument '%.80s' after the workload",
					       word);
			snprintf(workload, size, "%s", word);
			continue;
		}
		if (!word[1] || !strchr("cmospw", word[1]) || word[2])
			return err_set(e, "expected -c, -o, -p, -w or a workload, found '%.80s'",
				       word);
		if (!word_unquote(&arguments, text, sizeof(text)))
			return err_set(e, "%s needs an argument", word);
		if (take_option(c, word, text, e))
			return -1;
	}
	return *workload ? 0 : err_set(e, "a workload is missing");
}

static struct trace *
open_workload(const char *name, struct err *e)
{
	char path[PATH_MAX];

	if (strchr(name, '/') || strstr(name, ".ctr"))
		snprintf(path, sizeof(path), "%s", name);
	else if (workload_need(name, false, path, sizeof(path), e))
		return NULL;
	return trace_open(path, e);
}

int
teacher_setup(struct teacher *t, const char *arguments, struct err *e)
{
	char workload[PATH_MAX];
	struct config *c = config_new();
	struct trace *trace = NULL;

	if (!c)
		return err_nomem(e);
	config_set_try(c, t->plugin_try ? t->plugin_try : foreign_try);
	if (read_arguments(c, arguments, workload, sizeof(workload), e) == 0)
		trace = open_workload(workload, e);
	if (!trace || session_restart(t->s, c, trace, e)) {
		trace_close(trace);
		config_free(c);
		return -1;
	}
	trace_close(t->trace);
	config_free(t->config);
	t->config = c;
	t->trace = trace;
	return 0;
}
