/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_change.c - the commands set and show.
 *
 * Options are in three places: the machine's (config), the session's (ui.*), and the colours of the
 * screen (color.*), which only the front end knows. At cycle 0 every option may change, and the
 * machine is built again. Later only live options may change; the machine names the fixed ones. The
 * limits of a run (run.max_* that are not fixed) are checked by the session alone and may change at
 * any time.
 */
#include "session/table.h"
#include "session/command.h"
#include "ctascope/policy_file.h"
#include "session/session_file.h"
#include "session/session_part.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct optdb *
session_option_db(struct session *s, const char *key)
{
	return opt_find(&s->own, key, NULL) ? &s->own : config_db(s->config);
}

int
session_get(const struct session *s, const char *key, char *buf, size_t size)
{
	const struct optdb *db = config_db_const(s->config);

	if (opt_find(&s->own, key, NULL))
		db = &s->own;
	return opt_get(db, key, buf, size, NULL);
}

struct last_part {
	const struct config *config;
	const char *typed;
	char *key; /* key of the first one found, or of one of a policy that runs */
	size_t size;
	char list[200];	   /* names of all that were found */
	unsigned n, n_run; /* n_run: of policies that run */
};

bool
session_is_of_stack(const struct config *c, const char *key)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(c, &n);

	for (unsigned i = 0; i < n; i++)
		if (span_is((struct span){key, strcspn(key, ".")}, ops[i]->name))
			return true;
	return false;
}

static void
match_last(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED,
	   const struct opt_row *r ATTR_UNUSED)
{
	struct last_part *m = ctx;
	const char *dot = strrchr(key, '.');
	bool runs;

	if (!dot || strcmp(dot + 1, m->typed) != 0)
		return;
	runs = session_is_of_stack(m->config, key);
	if (m->n++ == 0 || (runs && !m->n_run))
		snprintf(m->key, m->size, "%s", key);
	m->n_run += runs;
	snprintf(m->list + strlen(m->list), sizeof(m->list) - strlen(m->list), "%s%s",
		 *m->list ? ", " : "", key);
}

int
session_option(struct session *s, const char *typed, char *key, size_t size, struct err *e)
{
	char value[64], plain[128];
	struct last_part m = {.config = s->config, .typed = plain, .key = key, .size = size};

	snprintf(plain, sizeof(plain), "%s", typed);
	for (char *p = plain; (p = strchr(p, '-'));)
		*p = '_'; /* follow-stop means follow_stop */
	typed = plain;

	if (opt_find(&s->own, typed, NULL) || opt_find(config_db(s->config), typed, NULL)) {
		snprintf(key, size, "%s", typed);
		return 0;
	}
	opt_each(config_db(s->config), match_last, &m);
	opt_each(&s->own, match_last, &m);
	if (m.n == 1 || m.n_run == 1)
		return 0;
	if (m.n > 1)
		return err_set(e,
			       "'%.60s' means several options: %s; write one in full, and 'set "
			       "policy STACK' to run its policy",
			       typed, m.list);
	/* opt_get knows the nearest names */
	return opt_get(config_db(s->config), typed, value, sizeof(value), e);
}

/* ---------------------------------------------------------------- set */

/* Whether it is a limit that the session checks. The model checks that of instructions itself. */
bool
session_is_limit(const struct optdb *db, const char *key)
{
	const struct opt_row *r = opt_find(db, key, NULL);

	return r && !r->fixed && strncmp(key, "run.max_", 8) == 0 &&
	       strcmp(key, "run.max_thread_insts") != 0;
}

/* At cycle 0 of a run that has not moved, the machine is built again with the new settings. Once it
 * has run, fixed options are refused. Branches count as well, since a new machine has none: a
 * change at cycle 0 belongs to the present branch. */
bool
session_has_run(const struct session *s)
{
	cycle_t tip;

	return sim_cycle(s->sim) > 0 || session_behind(s, &tip) ||
	       timeline_branches(s->timeline) > 1;
}

static int
record_choice(struct session *s, enum choice_kind kind, const char *key, const char *value,
	      struct err *e)
{
	bool first =
		s->time.role == CHOICE_CHANGE && sim_done(s->sim) && !session_changed_after_end(s);
	char note[2048];

	session_time_begin(s);
	if (timeline_choose(s->timeline, kind, key, value, note, sizeof(note), e))
		return -1;
	/* The configuration has it already. */
	s->time.changes = timeline_changes(s->timeline);
	if (s->time.role == CHOICE_CHANGE) {
		live_forget_undone(s);
		session_forget_undeletions(s);
	}
	if (kind == CHOICE_POLICY)
		session_rebind(s);
	say_chatter(s, note);
	if (first)
		say(s, SAY_NOTE, "the program has ended, so the change is for the next 'run'");
	return 0;
}

static int
record_option(struct session *s, const char *key, const char *value, struct err *e)
{
	if (config_is_choice(sim_config(s->sim), key))
		return record_choice(s, CHOICE_OPTION, key, value, e);
	return sim_set(s->sim, key, value, e);
}

/* On a screen the line that was typed is gone, so the change is confirmed. */
static enum session_status
confirm_option(struct session *s, const char *key, const char *old, const char *now)
{
	if (s->ui.draws)
		say(s, SAY_NOTE, strcmp(old, now) == 0 ? "%s is already %s" : "%s %s -> %s", key,
		    old, now);
	return SESSION_OK;
}

/* A change of the run to the value that it has already is none: in the commands of a stop it would
 * begin a branch each time the run passes there again. An undo or redo is always remembered. */
static bool
changes_nothing(const struct session *s, const char *old, const char *now)
{
	return session_has_run(s) && s->time.role == CHOICE_CHANGE && old && now &&
	       strcmp(old, now) == 0;
}

/* A machine that is built again has none of the branches and changes: asks a person who has not
 * saved them. */
static bool
asks_to_build(struct session *s, const char *name, const char *value)
{
	char line[2 * POLICY_TEXT + 140];

	snprintf(line, sizeof(line), "set %s %s", name, value);
	return session_has_run(s) && session_asks_to_lose(s, line, "begin a new run without them");
}

static enum session_status
set_option(struct session *s, const char *typed, const char *value)
{
	struct optdb *db;
	char key[128], old[OPT_VALUE], now[OPT_VALUE];
	struct err e = {0};

	if (session_option(s, typed, key, sizeof(key), &e))
		return say_err(s, &e);
	db = session_option_db(s, key);
	if (opt_get(db, key, old, sizeof(old), &e) || opt_set(db, key, value, &e))
		return say_err(s, &e);
	/* before a workload is loaded, a file sets what holds for all runs */
	if (s->sim && !session_is_of_stack(s->config, key))
		session_remember_option(s, key);
	opt_get(db, key, now, sizeof(now), NULL);
	if (!s->sim || db == &s->own || session_is_limit(db, key) ||
	    (config_is_choice(sim_config(s->sim), key) && changes_nothing(s, old, now)))
		return confirm_option(s, key, old, now);
	if (sim_cycle(s->sim) > 0 ||
	    (session_has_run(s) && config_is_choice(sim_config(s->sim), key))) {
		if (record_option(s, key, now, &e) == 0) {
			session_say_hints(s);
			return confirm_option(s, key, old, now);
		}
		opt_set(db, key, old, NULL);
		return say_err(s, &e);
	}
	if (strcmp(old, now) == 0)
		return confirm_option(s, key, old, now);
	say_unused_options(s, s->config); /* before the question */
	if (!asks_to_build(s, key, value)) {
		if (session_build(s) == SESSION_OK)
			return confirm_option(s, key, old, now);
		opt_set(db, key, old, NULL);
		return SESSION_ERROR;
	}
	opt_set(db, key, old, NULL);
	return SESSION_OK;
}

/* Paths policy.* may now have another meaning, or none. */
void
session_rebind(struct session *s)
{
	struct strbuf lost = {0};

	debug_silent(s->debug, &lost);
	session_bind_displays(s);
	say_text(s, SAY_NOTE, &lost);
}

/* A file that was read again has more than one version; one that was not keeps its code. */
static void
note_outdated_files(struct session *s)
{
	unsigned n;
	const struct cta_sched_ops *const *o = config_stack(s->config, &n);

	for (unsigned i = 0; i < n; i++) {
		const char *path = config_file(s->config, o[i]);
		const char *newest = path ? config_newest_path(s->config, path) : path;

		if (path && strcmp(path, newest) != 0)
			say(s, SAY_NOTE,
			    "%s is an older version of the policy; the newest one is %s", path,
			    newest);
		else if (path && plugin_digest(path) != config_file_digest(s->config, path))
			say(s, SAY_NOTE,
			    "%s has changed since it was loaded; 'policy reload' loads it again",
			    path);
	}
}

/* Parameters outlive the stack for which they were set, so a run may differ from the one before by
 * more than the stack that was typed. */
static void
note_kept_parameters(struct session *s)
{
	struct strbuf text = {0};
	unsigned n = s->time.role == CHOICE_CHANGE ? config_kept_values(s->config, &text) : 0;

	if (n && !text.failed)
		say(s, SAY_NOTE, n == 1 ? "%s stays as it was set" : "%s stay as they were set",
		    text.p);
	s->log.lost |= text.failed;
	sb_free(&text);
}

static enum session_status
set_policy(struct session *s, const char *stack)
{
	char *old, *now;
	struct err e = {0};
	bool same;

	if (!*stack)
		return fail(s, "set policy: a stack is missing, as in: set policy %s",
			    cta_sched_example);
	old = session_options_text(s->config);
	if (config_policy(s->config, stack, &e)) {
		free(old);
		return say_err(s, &e);
	}
	note_outdated_files(s);
	note_kept_parameters(s);
	now = session_options_text(s->config);
	same = s->sim && changes_nothing(s, old, now);
	free(old);
	free(now);
	if (!s->sim || same)
		return SESSION_OK;
	if (!session_has_run(s)) {
		if (session_build(s) == SESSION_OK)
			return SESSION_OK;
	} else if (record_choice(s, CHOICE_POLICY, NULL, config_policy_text(s->config), &e) == 0) {
		say_scheduler_hint(s, s->config);
		return SESSION_OK;
	} else {
		say_err(s, &e);
	}
	config_put_back(s->config, sim_config(s->sim));
	return SESSION_ERROR;
}

/* The machine and the warp scheduler are fixed after the first cycle. */
static enum session_status
set_fixed(struct session *s, const char *what, const char *name, const char *value,
	  int (*set)(struct config *c, const char *name, struct err *e))
{
	struct config *trial;
	struct err e = {0};
	int rc;

	if (!*value)
		return fail(s, "set %s: a name is missing", what);
	if (s->sim && sim_cycle(s->sim) > 0)
		return fail(s,
			    "the %s is fixed for the run; 'start' begins a new run, in which 'set "
			    "%s %s' is possible",
			    what, name, value);
	trial = config_copy(s->config); /* an invalid name is no reason to ask */
	rc = trial ? set(trial, value, &e) : err_nomem(&e);
	if (!rc && s->sim)
		say_unused_options(s, trial);
	config_free(trial);
	if (!rc && s->sim && asks_to_build(s, name, value))
		return SESSION_OK;
	if (rc || set(s->config, value, &e))
		return say_err(s, &e);
	return s->sim ? session_build(s) : SESSION_OK;
}

static enum session_status
set_by_name(struct session *s, struct cmd_args *a)
{
	const char *at = a->word[0];
	char name[POLICY_TEXT], value[2 * POLICY_TEXT];
	struct err e = {0};
	size_t n;

	if (*at == '$')
		return script_set(s, at);
	if (!next_word(&at, name, sizeof(name)))
		return fail(s, "set: a name and a value are missing");
	if (strcmp(name, "option") == 0 && !next_word(&at, name, sizeof(name)))
		return fail(s, "set option: a name is missing");
	/* "name=value" and "name = value" are allowed too */
	n = strcspn(name, "=");
	snprintf(value, sizeof(value), "%s%s%s", name[n] ? name + n + 1 : "",
		 name[n] && *at ? " " : "", skip_blanks(at));
	name[n] = '\0';
	at = skip_blanks(value);
	if (*at == '=')
		at = skip_blanks(at + 1);
	if (strncmp(name, "color.", 6) == 0) {
		if (!s->ui.screen)
			return SESSION_OK; /* a config file may hold colours; without a screen they
					      rest */
		return s->ui.screen(s->ui.ctx, "set", a->word[0], &e) ? say_err(s, &e) : SESSION_OK;
	}
	if (strcmp(name, "policy") == 0)
		return set_policy(s, at);
	if (strcmp(name, "machine") == 0)
		return set_fixed(s, "machine", name, at, config_machine);
	if (strcmp(name, "warp-sched") == 0)
		return set_fixed(s, "warp scheduler", name, at, config_wsched);
	if (!*at)
		return fail(s, "set %s: a value is missing", name);
	return set_option(s, name, at);
}

enum session_status
cmd_set(struct session *s, struct cmd_args *a)
{
	char *before = s->sim && !session_has_run(s) ? strdup(s->start_options) : NULL;
	uint64_t build_before = s->time.builds;
	enum session_status status = set_by_name(s, a);

	if (status == SESSION_OK && before)
		session_keep_start_change(s, before, build_before, a->word[0]);
	free(before);
	return status;
}

/* ---------------------------------------------------------------- show */

struct shown {
	struct session *s;
	const struct optdb *db;
	struct table *table;
	const char *prefix;
	unsigned n;
};

static void
show_row(void *ctx, const char *key, const struct opt_group *g ATTR_UNUSED, const struct opt_row *r)
{
	struct shown *w = ctx;
	size_t n = strlen(w->prefix);
	char value[OPT_VALUE];

	if (strncmp(key, w->prefix, n) != 0 || opt_get(w->db, key, value, sizeof(value), NULL))
		return;
	table_text(w->table, "%s", key);
	table_text(w->table, "%s", value);
	table_text(w->table, "%s", r->unit);
	table_text(w->table, "%s", r->help);
	w->n++;
}

static enum session_status
show_options(struct session *s, const char *prefix)
{
	struct table t;
	struct shown w = {s, config_db(s->config), &t, prefix, 0};

	table_begin(&t, "<option >value 2<unit 1<meaning");
	opt_each(w.db, show_row, &w);
	w.db = &s->own;
	opt_each(w.db, show_row, &w);
	table_end(s, &t);
	return SESSION_OK;
}

static bool
any_option(struct session *s, const char *prefix)
{
	const struct optdb *dbs[] = {config_db(s->config), &s->own};

	for (unsigned d = 0; d < ARRAY_LEN(dbs); d++)
		for (unsigned g = 0; g < dbs[d]->n_groups; g++)
			for (unsigned r = 0; r < dbs[d]->group[g].n_rows; r++) {
				char key[128];

				snprintf(key, sizeof(key), "%s.%s", dbs[d]->group[g].prefix,
					 dbs[d]->group[g].rows[r].name);
				if (strncmp(key, prefix, strlen(prefix)) == 0)
					return true;
			}
	return false;
}

static enum session_status
show_choices(struct session *s)
{
	say(s, SAY_RESULT, "machine     %s", config_machine_name(s->config));
	say(s, SAY_RESULT, "policy      %s", config_policy_text(s->config));
	say(s, SAY_RESULT, "warp-sched  %s", config_wsched_name(s->config));
	say(s, SAY_RESULT,
	    "'show option' lists all options, 'show option NAME' those that begin with NAME");
	return SESSION_OK;
}

enum session_status
cmd_show(struct session *s, struct cmd_args *a)
{
	const char *at = a->word[0];
	char name[128], key[128], value[128];
	struct err e = {0};
	bool given = next_word(&at, name, sizeof(name));

	if (!given)
		return show_choices(s);
	if (strcmp(name, "option") == 0 && !next_word(&at, name, sizeof(name)))
		return show_options(s, "");
	if (strcmp(name, "user") == 0)
		return user_show(s, next_word(&at, key, sizeof(key)) ? key : NULL);
	if (*skip_blanks(at))
		return fail(s, "show: unexpected argument '%.60s'", skip_blanks(at));
	if (strcmp(name, "convenience") == 0)
		return script_show_variables(s);
	if (strcmp(name, "policy") == 0)
		say(s, SAY_RESULT, "%s", config_policy_text(s->config));
	else if (strcmp(name, "machine") == 0)
		say(s, SAY_RESULT, "%s", config_machine_name(s->config));
	else if (strcmp(name, "warp-sched") == 0)
		say(s, SAY_RESULT, "%s", config_wsched_name(s->config));
	else if (session_option(s, name, key, sizeof(key), &e) == 0 &&
		 session_get(s, key, value, sizeof(value)) == 0)
		say(s, SAY_RESULT, "%s = %s", key, value);
	else if (any_option(s, name))
		return show_options(s, name);
	else
		return say_err(s, &e);
	return SESSION_OK;
}
