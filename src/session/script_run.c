/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script_run.c - executes the lines of a construct, and the commands of stops.
 *
 * session_do() executes a line, as if it were typed. Conditions are expressions, which are compiled
 * each time, since a variable may have become a vector. Ctrl-C, and whatever else ends a run, ends
 * all loops at once. A loop that runs nothing still lets the front end draw and read keys.
 *
 * The commands of a stop are executed after the command that hit it, never inside. If one of them
 * continues and hits a stop with commands, those are executed instead, and the remaining ones are
 * dropped, as in gdb. So a stop whose commands say `continue` works for ever without recursion.
 */
#include "base/ascii.h"
#include "base/clock.h"
#include "session/command.h"
#include "session/session_part.h"

#include <stdlib.h>
#include <string.h>

#define TICK 0.033 /* seconds, as during a run */

/* ---------------------------------------------------------------- arguments */

static bool
in_name(char c)
{
	return ascii_is_alnum(c) || c == '_' || c == '$';
}

/* Replaces "$arg0" and "$argc" by the arguments of the call, also within words and quotes. */
enum session_status
script_substitute(struct session *s, const char *text, const struct user_call *call,
		  struct strbuf *out)
{
	for (const char *p = text; *p; p++) {
		unsigned which = (unsigned)(p[0] && strncmp(p, "$arg", 4) == 0 ? p[4] - '0' : 10);

		if (strncmp(p, "$argc", 5) == 0 && !in_name(p[5])) {
			sb_printf(out, "%u", call->argc);
			p += 4;
		} else if (which < USER_ARGS && !in_name(p[5])) {
			if (which >= call->argc)
				return fail(s, "$arg%u: the command was given %u argument%s", which,
					    call->argc, PLURAL(call->argc));
			sb_add(out, call->arg[which].p, call->arg[which].n);
			p += 4;
		} else {
			sb_char(out, *p);
		}
	}
	return out->failed ? fail_memory(s) : SESSION_OK;
}

/* ---------------------------------------------------------------- lines */

/* Whether Ctrl-C, a signal or the front end asks to end. */
static bool
asked_to_end(struct session *s)
{
	double now = clock_seconds();
	bool end = s->control.poll;

	if (!end && now - s->script.ticked > TICK) {
		end = session_tick(s);
		s->script.ticked = clock_seconds();
	}
	return end;
}

static enum session_status
say_ended(struct session *s)
{
	session_say_stop(s, "interrupted");
	return session_end_interrupted(s);
}

static enum session_status
evaluate_condition(struct session *s, const char *text, bool *holds)
{
	struct value v;
	enum session_status status = session_eval(s, text, &v);

	if (status != SESSION_OK)
		return status;
	*holds = session_holds(&v);
	value_free(&v);
	return SESSION_OK;
}

static enum session_status
do_line(struct session *s, const struct block *b, const struct user_call *call, unsigned *at)
{
	const struct block_line *l = &b->line[*at];
	struct strbuf replaced = {0};
	const char *text = l->text;
	enum session_status status = SESSION_OK;
	bool holds = false;

	if (call && strstr(text, "$arg")) {
		status = script_substitute(s, text, call, &replaced);
		text = replaced.p;
	}
	++*at;
	if (status != SESSION_OK) {
		/* the error has been printed */
	} else if (l->kind == BLOCK_PLAIN) {
		status = session_do(s, text, false);
	} else if (l->kind == BLOCK_IF || l->kind == BLOCK_WHILE) {
		status = evaluate_condition(s, skip_blanks(text + strcspn(text, " \t(")), &holds);
		*at = holds ? *at : l->to;
	} else if (l->kind == BLOCK_BODY) {
		status = script_do_body(s, b, *at - 1, text, call);
		*at = l->to + 1;
	} else {
		*at = l->to;
	}
	sb_free(&replaced);
	return status;
}

bool
script_gives_way(const struct session *s)
{
	return s->script.in_commands && s->script.pending;
}

enum session_status
script_run(struct session *s, const struct block *b, unsigned from, unsigned to,
	   const struct user_call *call)
{
	const char *file = s->script.file;
	unsigned line = s->script.line;
	enum session_status status = SESSION_OK;

	while (from < to && status == SESSION_OK && !s->control.interrupted &&
	       !script_gives_way(s)) {
		if (b->file) {
			s->script.file = b->file;
			s->script.line = b->line[from].line;
		}
		status = asked_to_end(s) ? say_ended(s) : do_line(s, b, call, &from);
	}
	s->script.file = file;
	s->script.line = line;
	return status;
}

/* ---------------------------------------------------------------- commands of stops */

void
script_drop_pending(struct session *s)
{
	block_free(s->script.pending);
	s->script.pending = NULL;
}

enum session_status
script_do_pending(struct session *s)
{
	enum session_status status = SESSION_OK;

	while (s->script.pending && status == SESSION_OK && !s->control.interrupted) {
		struct block *b = s->script.pending;

		s->script.pending = NULL;
		s->script.in_commands = true;
		status = script_run(s, b, 0, b->n, NULL);
		s->script.in_commands = false;
		block_free(b);
	}
	script_drop_pending(s);
	return status;
}

/* ---------------------------------------------------------------- commands */

enum session_status
cmd_printf(struct session *s, struct cmd_args *a)
{
	struct strbuf text = {0};
	enum session_status status = script_format(s, a->name, a->word[0], &text);
	char *from = text.p, *end;

	for (; status == SESSION_OK && from && (end = strchr(from, '\n')); from = end + 1) {
		sb_add(&s->script.partial, from, (size_t)(end - from));
		if (s->script.partial.n)
			session_say_partial(s);
		else
			say(s, SAY_RESULT, "%s", "");
	}
	if (status == SESSION_OK && from)
		sb_str(&s->script.partial, from);
	if (s->script.partial.n > MAX_PARTIAL)
		session_say_partial(s);
	sb_free(&text);
	return status;
}

/* Executes one command, or several lines, which may form a construct. */
enum session_status
cmd_eval(struct session *s, struct cmd_args *a)
{
	struct strbuf text = {0};
	enum session_status status = script_format(s, a->name, a->word[0], &text);

	if (status == SESSION_OK && s->script.evals == MAX_NESTING)
		status = fail(s, "eval: commands nest at most %d deep", MAX_NESTING);
	s->script.evals++;
	for (char *at = text.p, *next; status == SESSION_OK && at; at = next) {
		next = strchr(at, '\n');
		if (next)
			*next++ = '\0';
		status = session_do(s, at, false);
		if (s->control.interrupted || script_gives_way(s))
			break;
	}
	s->script.evals--;
	sb_free(&text);
	return script_end_lines(s, status, status == SESSION_OK && !s->control.interrupted);
}
