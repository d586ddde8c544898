/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session.c - creates and frees a session, and executes command lines.
 *
 * Lines come from anywhere (prompt, keys, scripts); a script is a loop around the same function. A
 * line that begins a construct (if, while, define ...) takes the lines after it, up to `end`:
 * script_collect.c collects them, script_run.c executes them.
 */
#include "base/clock.h"
#include "export/export.h"
#include "plot/plot.h"
#include "base/output.h"
#include "session/reference.h"
#include "session/command.h"
#include "session/beside.h"
#include "session/session_file.h"
#include "session/session_part.h"
#include "session/things.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* clang-format would write {0} in three lines. */
/* clang-format off */
static const struct opt_row own_rows[] = {
	{"width", OPT_T_u32, offsetof(struct session_opts, width), 0, 0, 10000, NULL, "columns",
	 "width of tables; 0: as wide as the screen", false, {0}},
	{"csv_crlf", OPT_T_bool, offsetof(struct session_opts, csv_crlf), 0, 0, 1, NULL, "",
	 "end the lines of CSV files in CR LF", false, {0}},
	{"follow_stop", OPT_T_bool, offsetof(struct session_opts, follow_stop), 1, 0, 1, NULL, "",
	 "move the focus to the core of a stop; off: the focus stays", false, {0}},
	{"branch_on_change", OPT_T_bool, offsetof(struct session_opts, branch_on_change), 1, 0, 1,
	 NULL, "", "a change in the past begins a branch; off: it drops the future", false, {0}},
	{"mouse", OPT_T_bool, offsetof(struct session_opts, mouse), 1, 0, 1, NULL, "",
	 "the screen takes clicks, drags and the wheel; off: the terminal keeps them", false, {0}},
	{"line_rate", OPT_T_u32, offsetof(struct session_opts, line_rate), 0, 0, 1 << 30, NULL,
	 "bytes/s",
	 "speed of the line to the terminal, which limits frames during a run; 0: measured",
	 false, {0}},
	{"thick_lines", OPT_T_bool, offsetof(struct session_opts, thick_lines), 0, 0, 1, NULL, "",
	 "draw curves with half blocks, so that each keeps its colour; off: with dots", false, {0}},
	{"log_lines", OPT_T_u32, offsetof(struct session_opts, log_lines), LOG_LINES, 1, 1 << 20,
	 NULL, "lines", "lines that the pane log keeps and searches; older ones are dropped",
	 false, {0}},
};

static const struct opt_row plot_rows[] = {
	{"page_width", OPT_T_f64, offsetof(struct session_opts, plot_width), PLOT_WIDTH, 40, 2000,
	 NULL, "mm", "width of a picture", false, {0}},
	{"page_height", OPT_T_f64, offsetof(struct session_opts, plot_height), 0, 0, 2000, NULL,
	 "mm", "height of a picture; 0: as high as it needs", false, {0}},
	{"dpi", OPT_T_u32, offsetof(struct session_opts, plot_dpi), PLOT_DPI, 30, 1200, NULL,
	 "dots/inch", "resolution of a PNG", false, {0}},
};

static const struct opt_row time_rows[] = {
	{"memory", OPT_T_u32, offsetof(struct session_opts, time_memory), 1024, 1, 1 << 20, NULL,
	 "MiB", "memory for automatic snapshots; checkpoints use more", false, {0}},
	{"every", OPT_T_u64, offsetof(struct session_opts, time_every), 0, 0, 1e15, NULL, "cycles",
	 "cycles between automatic snapshots; 0: chosen by the time that going back takes",
	 false, {0}},
	{"autosave", OPT_T_f64, offsetof(struct session_opts, autosave), 60, 0, 1e6, NULL, "s",
	 "seconds of a run between automatic saves, for --resume after a crash; 0: never",
	 false, {0}},
};
/* clang-format on */

/* ---------------------------------------------------------------- life */

struct session *
session_new(struct config *c, struct trace *t, const struct session_ui *ui, struct err *e)
{
	struct session *s = calloc(1, sizeof(*s));
	struct eval_names names;

	if (s)
		s->debug = debug_new();
	if (s && s->debug)
		s->timeline = timeline_new(s->debug);
	if (!s || !s->debug || !s->timeline) {
		err_nomem(e);
		session_free(s);
		return NULL;
	}
	s->config = c;
	if (ui)
		s->ui = *ui;
	s->view.cta = -1;
	s->view.next_display = 1;
	names = script_names(s);
	debug_more_names(s->debug, &names);
	optdb_mount(&s->own, "ui", own_rows, ARRAY_LEN(own_rows), &s->opts, true);
	optdb_mount(&s->own, "plot", plot_rows, ARRAY_LEN(plot_rows), &s->opts, true);
	optdb_mount(&s->own, "time", time_rows, ARRAY_LEN(time_rows), &s->opts, true);
	if (t && session_load(s, t, e)) {
		session_free(s);
		return NULL;
	}
	return s;
}

void
session_free(struct session *s)
{
	if (!s)
		return;
	session_files_end(s, NULL);
	script_drop_pending(s);
	script_drop_open(s);
	reference_free(s);
	session_forget_blame(s);
	session_forget_replicas(s);
	timeline_free(s->timeline);
	debug_free(s->debug);
	free(s->time.visit);
	session_forget_start_changes(s);
	live_forget(s);
	sim_free(s->sim);
	free(s->start_options);
	for (unsigned i = 0; i < s->view.n_displays; i++) {
		free(s->view.display[i].text);
		expr_free(s->view.display[i].expr);
	}
	free(s->view.display);
	session_forget_find(s);
	session_log_free(s);
	user_free(s);
	script_free_variables(s);
	session_drop_kept(s);
	sb_free(&s->script.partial);
	free(s->script.repeat);
	if (s->script.input)
		fclose(s->script.input);
	session_free_loaded(s);
	session_forget_deletions(s);
	lesson_stops_forget(s);
	free(s);
}

void
session_set_ui(struct session *s, const struct session_ui *ui)
{
	bool drew = s->ui.draws;

	s->ui = *ui;
	if (s->log.cast)
		session_record_front(s, drew);
	if (s->sim)
		session_say_hints(s);
}

int
session_adopt(struct session *s, struct sim *fresh, const char *options, struct strbuf *lost,
	      struct err *e)
{
	char *kept = options ? strdup(options) : NULL;
	int rc;

	if (!kept) { /* a session without them could not be saved */
		sim_free(fresh);
		return err_nomem(e);
	}
	free(s->start_options);
	s->start_options = kept;
	s->time.builds++;
	session_say_lost(s, lost);
	debug_attach(s->debug, fresh, lost);
	rc = timeline_begin(s->timeline, fresh, e);
	session_forget_replicas(s);
	sim_free(s->sim);
	s->sim = fresh;
	if (rc)
		return rc;
	session_visits_forget(s);
	session_forget_blame(s); /* it belongs to another machine */
	live_forget(s);
	session_forget_find(s);
	s->view.list_at = 0;
	s->view.core = MIN(s->view.core, MAX(sim_instances(fresh, "core"), 1u) - 1);
	s->view.mem = MIN(s->view.mem, MAX(sim_channels(fresh), 1u) - 1);
	s->view.cta = -1;
	s->last_stop[0] = '\0'; /* it belongs to the previous run */
	session_bind_displays(s);
	return 0;
}

/* Replaces the sim, if there is one, by one of the present configuration. */
enum session_status
session_build(struct session *s)
{
	struct err e = {0};
	struct sim *fresh = sim_new(s->config, s->trace, &e);
	char *options = session_options_text(s->config);
	struct strbuf lost = {0};
	bool good = fresh && session_adopt(s, fresh, options, &lost, &e) == 0;

	if (good) {
		say_text(s, SAY_NOTE, &lost);
		session_say_hints(s);
	}
	sb_free(&lost);
	free(options);
	return good ? SESSION_OK : say_err(s, &e);
}

int
session_load(struct session *s, struct trace *t, struct err *e)
{
	struct sim *fresh = sim_new(s->config, t, e);

	if (!fresh)
		return -1;
	/* It was only a trial; now build it with everything around it. */
	sim_free(fresh);
	s->trace = t;
	s->run = 1;
	return session_build(s) == SESSION_OK ? 0 : err_set(e, "the machine cannot be built");
}

void
session_set_trace(struct session *s, struct trace *t)
{
	s->trace = t;
}

void
session_keep_references(struct session *s)
{
	s->workers.keeps_references = true;
}

struct sim *
session_sim(struct session *s)
{
	return s->sim;
}

struct config *
session_config(struct session *s)
{
	return s->config;
}

bool
session_running(const struct session *s)
{
	return s->control.running;
}

void
session_interrupt(struct session *s)
{
	s->control.poll = 1;
}

void
session_want_stats(struct session *s)
{
	s->control.want_stats = 1;
}

bool
session_take_interrupt(struct session *s)
{
	bool was = s->control.poll && !s->control.signal;

	if (was)
		s->control.poll = 0;
	return was;
}

bool
session_take_want_stats(struct session *s)
{
	bool was = s->control.want_stats;

	s->control.want_stats = 0;
	return was;
}

bool
session_has_request(const struct session *s)
{
	return s->control.poll || s->control.signal ||
	       (s->control.want_stats && !session_collects(s));
}

void
session_note_signal(struct session *s, int signo)
{
	s->control.signal = signo;
	s->control.poll = 1;
}

int
session_signal(const struct session *s)
{
	return s->control.signal;
}

int
session_exit_code(const struct session *s)
{
	return s->script.unexpected && !s->quit_status ? SESSION_ASSERT : s->exit_code;
}

unsigned
session_unexpected(const struct session *s, unsigned *of)
{
	*of = s->script.expected;
	return s->script.unexpected;
}

unsigned
session_width(const struct session *s)
{
	return s->opts.width ? s->opts.width : s->ui.width;
}

/* ---------------------------------------------------------------- one line */

void
cut_comment(char *line)
{
	char quote = 0;

	for (char *p = line; *p; p++) {
		if (quote)
			quote = *p == quote ? 0 : quote;
		else if ((*p == '"' || *p == '\'') && (p == line || p[-1] == ' '))
			quote = *p;
		else if (*p == '#' && (p == line || p[-1] == ' ' || p[-1] == '\t')) {
			*p = '\0';
			return;
		}
	}
}

/* Reads the format of print/x; a blank may precede it. */
static enum session_status
take_format(struct session *s, const struct cmd_row *r, char **rest, char *fmt)
{
	char *at = *rest + (skip_blanks(*rest) - *rest);

	if (**rest == '/' && !(r->flags & F_FORMAT))
		return fail(s, "%s takes no format", r->name);
	if (*at != '/' || !(r->flags & F_FORMAT))
		return SESSION_OK;
	if (!at[1] || !strchr("dxtf%", at[1]) || (at[2] && !strchr(" \t", at[2])))
		return fail(s, "%s: unknown format '%.20s', expected /d, /x, /t, /f or /%%",
			    r->name, at);
	*fmt = at[1];
	*rest = at + 2;
	return SESSION_OK;
}

/* Returns the name of the command at the start of a line; in print/x a format follows it. */
static struct span
verb_of(const char *line)
{
	return word_until(&line, "/(");
}

/* Whether a command of this row, with its arguments, moves the machine through time, replaces it,
 * or shows what another run, or another part of this one, came to. Only `pace` of G_RUN does
 * nothing of this. */
static bool
reveals_outcome(const struct cmd_row *r, const char *args)
{
	static const char *const others[] = {"restore",	   "load",    "workload", "switch",
					     "flip",	   "try",     "race",	  "blame",
					     "compare",	   "diverge", "find",	  "reference",
					     "bottleneck", "oracle"};
	char topic[32];
	const struct info_row *info;

	if (strcmp(r->name, "info") == 0) {
		span_copy(word_next(&args), topic, sizeof(topic));
		info = *topic ? info_find(topic, NULL) : NULL;
		return info &&
		       (strcmp(info->name, "reference") == 0 || strcmp(info->name, "blame") == 0);
	}
	for (unsigned i = 0; i < ARRAY_LEN(others); i++)
		if (strcmp(r->name, others[i]) == 0)
			return true;
	return (r->group == G_RUN || r->group == G_BACK) && !(r->flags & F_LIVE);
}

static enum session_status
execute_command(struct session *s, char *line)
{
	struct cmd_args a = {0};
	struct err e = {0};
	char name[64], *rest = line;
	const struct cmd_row *r;
	const struct user_command *u;
	struct span verb = verb_of(line);

	span_copy(verb, name, sizeof(name));
	rest += verb.n;
	r = cmd_find(name, NULL);
	u = user_find(s, name, r != NULL);
	if (u)
		return user_call(s, u, rest);
	if (!r && !cmd_find(name, &e))
		return session_unknown_command(s, name, &e);
	if (take_format(s, r, &rest, &a.fmt) != SESSION_OK)
		return SESSION_ERROR;
	rest += skip_blanks(rest) - rest;
	if (!(r->flags & F_TEXT))
		cut_comment(rest);
	trim_end(rest);
	if (session_keeps(s, r, rest))
		return session_ignore(s, r, rest);
	a.name = r->name;
	a.typed = name;
	a.rest = rest;
	if (cmd_parse(r, rest, &a, &e))
		return say_err(s, &e);
	if ((r->flags & F_SIM) && !s->sim)
		return fail(s, "%s: no workload is loaded; name one on the command line", r->name);
	if (s->confined && (r->flags & F_OUTSIDE))
		return fail(s, "%s: not allowed in %s, because it uses files or programs", r->name,
			    s->confined);
	if (s->teacher.allows && reveals_outcome(r, rest) && s->teacher.allows(s->teacher.ctx, &e))
		return say_err(s, &e);
	return r->fn(s, &a);
}

static bool
is_repeatable(const struct session *s, const char *line)
{
	char name[64];
	const struct cmd_row *r;

	span_copy(verb_of(line), name, sizeof(name));
	r = cmd_find(name, NULL);
	return r ? r->flags & F_REPEAT : user_find(s, name, false) != NULL;
}

enum session_status
session_do(struct session *s, const char *text, bool typed)
{
	enum session_status status;
	char *line;

	if (s->script.open)
		return script_collect(s, text);
	text = skip_blanks(text);
	if (!*text && s->ui.interactive && typed && s->script.repeat)
		text = s->script.repeat;
	if (*text == ':') /* as on the screen, where it opens the command line */
		text = skip_blanks(text + 1);
	if (!*text || *text == '#')
		return SESSION_OK;
	s->script.is_typed = typed;
	line = strdup(text);
	if (!line)
		return fail_memory(s);
	trim_end(line);
	if (text != s->script.repeat && typed) {
		free(s->script.repeat);
		s->script.repeat = is_repeatable(s, line) ? strdup(line) : NULL;
	}
	status = execute_command(s, line);
	free(line);
	if (s->teacher.after_command)
		s->teacher.after_command(s->teacher.ctx, text, status);
	if (s->script.in_commands)
		return status;
	if (status == SESSION_OK)
		return script_do_pending(s);
	script_drop_pending(s);
	return status;
}

static void
log_command(struct session *s, const char *line)
{
	char prompt[64];

	if (!*skip_blanks(line))
		return;
	session_prompt(s, prompt, sizeof(prompt));
	if (s->log.output)
		fprintf(output_stream(s->log.output), "%s%s\n", prompt, skip_blanks(line));
	if (!s->ui.draws && s->script.depth == 1)
		session_record_line(s, prompt, skip_blanks(line));
}

void
session_exec_between(struct session *s, const char *text)
{
	char *copy = strdup(text);

	if (!copy) {
		fail_memory(s);
		return;
	}
	log_command(s, text);
	trim_end(copy);
	execute_command(s, copy);
	free(copy);
}

bool
session_exec_running(struct session *s, const char *line)
{
	const char *text = skip_blanks(line);
	const struct cmd_row *r;
	char name[64];

	span_copy(verb_of(text), name, sizeof(name));
	r = cmd_find(name, NULL);
	if (r && r->flags & F_CYCLE)
		return live_take(s, text);
	if (!r || !(r->flags & F_LIVE))
		return false;
	session_exec_between(s, text);
	return true;
}

enum session_status
session_exec(struct session *s, const char *line)
{
	enum session_status status;

	if (s->script.depth == 0 && s->ui.interactive) {
		s->control.interrupted = false;
		if (!s->control.signal)
			s->control.poll = 0;
	}
	if (s->script.depth++ == 0)
		session_beside_say(s);
	log_command(s, line);
	if (s->teacher.typed)
		s->teacher.typed(s->teacher.ctx, line);
	if (s->script.asking)
		status = session_answer(s, line);
	else if (s->script.open || !s->teacher.takes ||
		 !s->teacher.takes(s->teacher.ctx, line, &status))
		status = session_do(s, line, s->script.depth == 1);
	if (--s->script.depth == 0) {
		if (s->teacher.after_line && status != SESSION_QUIT)
			s->teacher.after_line(s->teacher.ctx);
		session_visit(s, line);
		reference_check(s);
		if (s->ui.interactive)
			session_say_partial(s);
	}
	return session_check_said(s, status);
}

bool
session_collects(const struct session *s)
{
	return s->script.open || s->script.asking;
}

void
session_give_up(struct session *s)
{
	const struct block *b = s->script.open;

	if (s->script.asking)
		say(s, SAY_NOTE, "nothing changed");
	else if (b && b->n)
		say(s, SAY_NOTE, "'%s' was cancelled; its lines were not executed",
		    b->line[0].verb);
	script_drop_open(s);
}

enum session_status
session_end_lines(struct session *s)
{
	enum session_status status = script_end_lines(s, SESSION_OK, true);

	session_say_partial(s);
	return status;
}

enum session_status
cmd_quit(struct session *s, struct cmd_args *a)
{
	char line[32];

	if (a->has_number[0] && a->number[0] > 255)
		return fail(s, "quit: an exit status is 0..255");
	snprintf(line, sizeof(line), a->has_number[0] ? "quit %" PRIu64 : "quit", a->number[0]);
	if (session_asks_to_lose(s, line, "leave"))
		return SESSION_OK;
	s->quit = true;
	s->quit_status = a->has_number[0];
	s->exit_code = a->has_number[0] ? (int)a->number[0] : s->exit_code;
	return SESSION_QUIT;
}
