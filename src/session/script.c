/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script.c - the commands source, log and shell, and the execution of files of commands.
 *
 * A script is executed line by line, as if it were typed. Its first error ends it, unless the
 * caller asked to keep going; Ctrl-C ends it too. Scripts may source scripts, up to a limit.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/output.h"
#include "base/replace.h"
#include "base/textfile.h"
#include "export/export.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const char *
session_file_name(const char *word, char *buf, size_t size)
{
	const char *home = getenv("HOME");

	if (word[0] == '~' && (word[1] == '/' || !word[1]) && home)
		snprintf(buf, size, "%s%s", home, word + 1);
	else
		snprintf(buf, size, "%s", word);
	return buf;
}

static enum session_status
run_lines(struct session *s, FILE *f, bool keep_going)
{
	enum session_status status = SESSION_OK, first = SESSION_OK;
	struct strbuf line = {0};
	struct err e = {0};
	int there;

	while ((there = text_line(f, &line, &e)) != 0) {
		s->script.line++;
		status = there < 0 ? say_err(s, &e) : session_exec(s, line.p);
		if (status != SESSION_OK && first == SESSION_OK)
			first = status;
		if (status == SESSION_QUIT || s->control.signal || there < 0)
			break;
		/* Ctrl-C came between two commands. */
		if (s->control.poll && !s->control.interrupted) {
			s->control.interrupted = true;
			first = s->ui.interactive ? first : SESSION_INTERRUPTED;
		}
		if (s->control.interrupted || script_gives_way(s) ||
		    (status != SESSION_OK && !keep_going))
			break;
	}
	/* Ctrl-C came while waiting for the next line. */
	if (there == 0 && s->control.poll && ferror(f)) {
		s->control.interrupted = true;
		first = s->ui.interactive ? first : SESSION_INTERRUPTED;
	}
	sb_free(&line);
	first = script_end_lines(s, first, there == 0 && !s->control.interrupted);
	return status == SESSION_QUIT ? status : first;
}

bool
session_is_asked_to_stop(void *session)
{
	const struct session *s = session;

	return s->control.poll;
}

FILE *
session_input(struct session *s)
{
	if (!s->script.input)
		s->script.input = text_input(session_is_asked_to_stop, s);
	return s->script.input;
}

/* The writer of a pipe may open it later, since another program may send commands one by one. */
static void
await_writer(struct session *s, FILE *f, const char *name)
{
	int c = getc(f);

	if (c != EOF) {
		ungetc(c, f);
	} else if (ferror(f) && errno == ETIMEDOUT) {
		say(s, SAY_NOTE,
		    "'%s': waiting for a process that writes commands into this pipe; "
		    "Ctrl-C ends the wait",
		    name);
		clearerr(f);
	}
}

enum session_status
session_source_stream(struct session *s, const char *name, FILE *f, bool keep_going)
{
	const char *outer_file = s->script.file;
	unsigned outer_line = s->script.line;
	enum session_status status;

	if (s->script.nesting == MAX_NESTING)
		return fail(s, "scripts nest at most %d deep: '%s' was not read", MAX_NESTING,
			    name);
	s->script.nesting++;
	s->script.file = name;
	s->script.line = 0;
	if (!s->script.input || f != s->script.input)
		await_writer(s, f, name);
	status = run_lines(s, f, keep_going);
	if (ferror(f) && status == SESSION_OK && !s->control.poll)
		status = fail(s, "cannot read '%s': %s", name, strerror(errno));
	s->script.file = outer_file;
	s->script.line = outer_line;
	if (--s->script.nesting == 0 && !s->ui.interactive)
		session_say_partial(s);
	return status;
}

enum session_status
session_source(struct session *s, const char *path, bool keep_going)
{
	enum session_status status;
	FILE *f;

	if (strcmp(path, "-") == 0) {
		f = session_input(s);
		return f ? session_source_stream(s, "stdin", f, keep_going) : fail_memory(s);
	}
	f = text_open(path, 0, session_is_asked_to_stop, s);
	if (!f)
		return fail(s, "cannot read '%s': %s", path, strerror(errno));
	status = session_source_stream(s, path, f, keep_going);
	fclose(f);
	return status;
}

enum session_status
cmd_source(struct session *s, struct cmd_args *a)
{
	char path[PATH_MAX];

	return session_source(s, session_file_name(a->word[0], path, sizeof(path)), false);
}

/* ---------------------------------------------------------------- files written */

static void
on_event(void *ctx, const struct event *ev)
{
	struct session *s = ctx;

	if (!s->log.events) /* set aside while another branch is tried (experiment.c) */
		return;
	/* Otherwise the file has it already. */
	if (ev->seq >= event_log_next(s->log.events, s->run))
		event_log_add(s->log.events, s->sim, s->run, ev->seq);
}

static int
end_events(struct session *s, struct err *e)
{
	int rc = event_log_close(s->log.events, e);

	debug_each_event(s->debug, NULL, NULL);
	s->log.events = NULL;
	return rc;
}

enum session_status
session_log_events(struct session *s)
{
	struct err e = {0};

	if (!s->log.events)
		return SESSION_OK;
	if (s->sim && sim_events(s->sim)->next >= event_log_next(s->log.events, s->run))
		event_log_add(s->log.events, s->sim, s->run, UINT64_MAX);
	if (event_log_flush(s->log.events, &e) == 0)
		return SESSION_OK;
	end_events(s, NULL);
	return say_err(s, &e);
}

/* Arguments: FILE or off. */
static enum session_status
log_events(struct session *s, const char *word, bool forced)
{
	char path[PATH_MAX], n[HUMAN];
	struct err e = {0};
	uint64_t missed;

	if (!word)
		return fail(s, "log: a file name is missing; usage: log events FILE|off");
	if (ascii_same(word, "off")) {
		enum session_status status = session_log_events(s);

		return s->log.events && end_events(s, &e) ? say_err(s, &e) : status;
	}
	if (!s->sim)
		return fail(s, "log events: no workload is loaded; name one on the command line");
	session_file_name(word, path, sizeof(path));
	if (!forced && replace_check("log events", path, OWN_TABLE, &e))
		return say_err(s, &e);
	if (s->log.events && end_events(s, &e))
		return say_err(s, &e);
	s->log.events = event_log_open(path, s->opts.csv_crlf, &e);
	if (!s->log.events)
		return say_err(s, &e);
	missed = event_log_add(s->log.events, s->sim, s->run, UINT64_MAX);
	if (missed)
		say(s, SAY_NOTE,
		    "log events: the first %s events of this run are no longer kept; 'run' "
		    "restarts it",
		    human(n, missed));
	debug_each_event(s->debug, on_event, s);
	return session_log_events(s);
}

/* Closes the file of `log on`. */
static int
end_log(struct session *s, struct err *e)
{
	int rc = s->log.output ? output_close(s->log.output, e) : 0;

	s->log.output = NULL;
	free(s->log.name);
	s->log.name = NULL;
	return rc;
}

int
session_files_end(struct session *s, struct err *e)
{
	int rc = end_log(s, e);

	if (event_log_close(s->log.events, rc ? NULL : e))
		rc = -1;
	s->log.events = NULL;
	if (session_record_end(s, rc ? NULL : e))
		rc = -1;
	return rc;
}

static enum session_status
show_logs(struct session *s)
{
	if (s->log.output)
		say(s, SAY_RESULT, "log: copying all output to %s", s->log.name);
	if (s->log.events)
		say(s, SAY_RESULT, "log: writing every event to %s", event_log_path(s->log.events));
	if (!s->log.output && !s->log.events)
		say(s, SAY_RESULT, "log: off");
	return SESSION_OK;
}

/* Adds to an earlier log, unless it is forced to replace it. Its first line shows who wrote it. */
static enum session_status
begin_log(struct session *s, const char *word, bool forced)
{
	char path[PATH_MAX], prompt[64];
	struct err e = {0};
	struct output *to;
	struct stat st;
	bool adds;

	session_file_name(word, path, sizeof(path));
	adds = !forced && stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size;
	to = output_open(path, OUTPUT_LIVE | (forced ? 0 : OUTPUT_APPEND), &e);
	if (!to)
		return say_err(s, &e);
	s->log.name = strdup(path);
	if (!s->log.name) {
		output_abort(to);
		return fail_memory(s);
	}
	if (adds)
		say(s, SAY_NOTE, "log on: added at the end of the log in %s; --force replaces it",
		    path);
	s->log.output = to;
	session_prompt(s, prompt, sizeof(prompt));
	fprintf(output_stream(to), "%slog on %s\n", prompt, word);
	output_flush(to, NULL); /* session_check_said() checks for errors */
	return SESSION_OK;
}

enum session_status
cmd_log(struct session *s, struct cmd_args *a)
{
	static const char *const what[] = {"on", "off", "events"};
	char path[PATH_MAX];
	struct err e = {0};
	int which;
	bool forced = replace_is_forced(a->word[2]);

	if (!a->word[0])
		return show_logs(s);
	if (a->word[2] && !forced)
		return fail(s, "log: expected nothing after the file but --force, found '%.60s'",
			    a->word[2]);
	which = pick_name("word after log", a->word[0], what, ARRAY_LEN(what), &e);
	if (which < 0)
		return say_err(s, &e);
	if (which == 2)
		return log_events(s, a->word[1], forced);
	if (which == 0 && !a->word[1])
		return fail(s, "log: a file name is missing; usage: log on FILE");
	if (which == 1 && a->word[1])
		return fail(s, "log: expected nothing after off");
	if (which == 0 && !forced &&
	    replace_check("log on", session_file_name(a->word[1], path, sizeof(path)), OWN_LOG, &e))
		return say_err(s, &e);
	/* close the old file first, since the new one may be the same */
	if (end_log(s, &e))
		return say_err(s, &e);
	return which == 1 ? SESSION_OK : begin_log(s, a->word[1], forced);
}

/* ---------------------------------------------------------------- the shell */

enum session_status
cmd_shell(struct session *s, struct cmd_args *a)
{
	const char *shell = getenv("SHELL");
	const char *command = *a->word[0] ? a->word[0] : shell && *shell ? shell : "/bin/sh";
	int status;

	if (s->ui.screen) /* the screen must be left first */
		return cmd_screen(s, a);
	fflush(stdout);
	status = system(command);
	if (status == -1)
		return fail(s, "shell: %s", strerror(errno));
	if (WIFSIGNALED(status))
		return fail(s, "shell: ended by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status))
		return fail(s, "shell: exit status %d", WEXITSTATUS(status));
	return SESSION_OK;
}

enum session_status
cmd_echo(struct session *s, struct cmd_args *a)
{
	say(s, SAY_RESULT, "%s", a->word[0]);
	return SESSION_OK;
}

enum session_status
cmd_screen(struct session *s, struct cmd_args *a)
{
	struct err e = {0};

	if (!s->ui.screen)
		return fail(s, "%s: no screen is open; start ctascope with --tui on a terminal",
			    a->name);
	if (s->ui.screen(s->ui.ctx, a->name, a->word[0], &e))
		return e.set ? say_err(s, &e) : SESSION_ERROR;
	return SESSION_OK;
}
