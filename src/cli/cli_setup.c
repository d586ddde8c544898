/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_setup.c - applies the command line to the configuration: machine, options and policies in the
 * order given. Then it loads the workload, or the session to resume.
 */
#include "base/datadir.h"
#include "base/human.h"
#include "base/memory.h"
#include "base/textfile.h"
#include "cli/cli_part.h"
#include "session/session.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* races: lanes have stacks of their own, so the option may be meant for one of them. */
static int
set_option(struct session *s, const char *text, bool races, struct err *e)
{
	const char *equal = strchr(text, '=');
	char typed[128], key[128];

	if (!equal || equal == text)
		return err_set(e, "-o %s: expected KEY=VALUE", text);
	snprintf(typed, sizeof(typed), "%.*s", (int)MIN((size_t)(equal - text), sizeof(typed) - 1),
		 text);
	if (session_option(s, typed, key, sizeof(key), e))
		return -1;
	if (!races)
		session_remember_option(s, key);
	return opt_set(session_option_db(s, key), key, equal + 1, e);
}

/* A file that --print-config wrote is a script of `set` commands, because it names machine and
 * policy as well. A plain machine file holds options alone. */
static bool
is_whole_config(const char *text)
{
	static const char *const first[] = {"set machine ", "set policy ", "set warp-sched "};

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		for (unsigned i = 0; i < ARRAY_LEN(first); i++)
			if (strncmp(text, first[i], strlen(first[i])) == 0)
				return true;
	}
	return false;
}

/* The file is read once: it may be a pipe, as in -c <(command). */
static int
take_config_file(struct session *s, struct config *c, const char *name, const char *path,
		 struct err *e)
{
	struct strbuf text = {0};
	int rc = text_read(path, TEXT_MOST, &text, e);
	FILE *f = rc || !text.n ? NULL : memory_kept(fmemopen(text.p, text.n, "r"));

	if (f && is_whole_config(text.p)) {
		if (session_source_stream(s, path, f, false) != SESSION_OK)
			rc = err_set(e, "-c %s: not taken", name);
	} else if (rc == 0) {
		rc = f ? opt_load_stream(config_db(c), path, f, e) : 0;
		config_name_machine(c, path);
	}
	if (f)
		fclose(f);
	sb_free(&text);
	return rc;
}

/* A name means a shipped machine if there is one, else a file. */
static int
take_config(struct session *s, struct config *c, const char *name, struct err *e)
{
	char file[PATH_MAX], path[PATH_MAX];

	snprintf(file, sizeof(file), "%s.machine", name);
	if (datadir_find("machines", file, path, sizeof(path)) || access(name, F_OK) != 0)
		return config_machine(c, name, e);
	snprintf(path, sizeof(path), "%s%s", strchr(name, '/') ? "" : "./", name);
	return take_config_file(s, c, name, path, e);
}

int
cli_apply_options(const struct cli_args *args, struct session *s, struct config *c, struct err *e)
{
	for (unsigned i = 0; i < args->n_args; i++) {
		const struct cli_arg *a = &args->arg[i];
		int rc = 0;

		if (a->kind == ARG_MACHINE)
			rc = take_config(s, c, a->text, e);
		else if (a->kind == ARG_OPTION)
			rc = set_option(s, a->text, cli_races(args), e);
		else if (a->kind == ARG_POLICY && !cli_races(args))
			rc = config_policy(c, a->text, e);
		else if (a->kind == ARG_WSCHED)
			rc = config_wsched(c, a->text, e);
		else if (a->kind == ARG_THREADS)
			rc = opt_set(config_db(c), "run.threads", a->text, e);
		if (rc)
			return -1;
	}
	return 0;
}

int
cli_collect_stacks(const struct cli_args *args, const struct config *c, struct race_stacks *stacks,
		   struct err *e)
{
	struct race_stacks own = {0}, named = {0}; /* given by -p; by --versus */
	bool has_own = false;

	for (unsigned i = 0; i < args->n_args; i++)
		has_own |= args->arg[i].kind == ARG_POLICY;
	if (!has_own && race_add(stacks, config_policy_text(c), e))
		return -1;
	for (unsigned i = 0; i < args->n_args; i++) {
		const struct cli_arg *a = &args->arg[i];

		if ((a->kind == ARG_POLICY && race_add_list(stacks, &own, a->text, e)) ||
		    (a->kind == ARG_VERSUS && race_add_list(stacks, &named, a->text, e)))
			return -1;
	}
	if (stacks->n < 2)
		return err_set(e, "--versus: a race needs two stacks; %s is the only one",
			       stacks->text[0]);
	return 0;
}

/* Loads a session file and its workload. */
static int
resume_session(const struct cli_args *args, struct session *s, struct trace **t, struct err *e)
{
	char found[PATH_MAX], workload[PATH_MAX];
	const char *path = args->workload;
	char cycle[HUMAN];

	if (!path) {
		if (session_autosave_take(s, found, sizeof(found), e))
			return -1;
		path = found;
	}
	if (session_file_workload(s, path, workload, sizeof(workload), e))
		return -1;
	*t = cli_open_trace(workload, e);
	if (!*t)
		return -1;
	session_set_trace(s, *t);
	if (session_read(s, path, true, e))
		return -1;
	say(s, SAY_NOTE, "%s, cycle %s, policy %s", workload,
	    human(cycle, sim_cycle(session_sim(s))),
	    config_policy_text(sim_config(session_sim(s))));
	return 0;
}

int
cli_load_workload(const struct cli_args *args, struct session *s, struct trace **t, struct err *e)
{
	char name[300], path[PATH_MAX];

	if (args->resume)
		return resume_session(args, s, t, e);
	if (!args->workload)
		return 0;
	snprintf(name, sizeof(name), "%s%s%s", args->workload, args->size ? ":" : "",
		 args->size ? args->size : "");
	if (cli_find_workload(args->size ? name : args->workload, path, sizeof(path), e))
		return -1;
	*t = cli_open_trace(path, e);
	return *t ? session_load(s, *t, e) : -1;
}
