/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script_collect.c - collects the lines up to `end`: the construct being typed, and what its head
 * needs.
 *
 * A line that is not allowed in the construct is rejected. A person then types another one. In a
 * script the whole construct is skipped, so that its lines are not executed as commands.
 */
#include "session/command.h"
#include "session/session_part.h"

#include <stdlib.h>
#include <string.h>

void
script_drop_open(struct session *s)
{
	block_free(s->script.open);
	s->script.open = NULL;
	free(s->script.asking);
	s->script.asking = NULL;
}

/* Copies the NAME of "define NAME" and "document NAME"; prints an error if it is missing. */
static enum session_status
name_of(struct session *s, const char *head, char name[64])
{
	char verb[16], more[16];

	next_word(&head, verb, sizeof(verb));
	if (!next_word(&head, name, 64))
		return fail(s, "%s: a name is missing; usage: %s NAME", verb, verb);
	if (next_word(&head, more, sizeof(more)))
		return fail(s, "%s: expected nothing after '%s'", verb, name);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- the head */

/* Reports errors in a head before the user types its lines. */
static enum session_status
check_head(struct session *s, const char *verb, const char *head)
{
	char name[64];
	enum session_status status;

	if (strcmp(verb, "commands") == 0)
		return commands_stop(s, head) ? SESSION_OK : SESSION_ERROR;
	if (strcmp(verb, "define") != 0 && strcmp(verb, "document") != 0)
		return SESSION_OK;
	status = name_of(s, head, name);
	if (status == SESSION_OK && *verb == 'd' && verb[1] == 'e')
		status = user_check_name(s, name);
	else if (status == SESSION_OK && !user_find(s, name, true))
		status = fail(s, "document: no command '%s' is defined", name);
	return status;
}

static void
say_begin(struct session *s, const char *verb, const char *head)
{
	char name[64];

	if (strcmp(verb, "commands") == 0)
		say(s, SAY_NOTE, "commands for stop %u, one per line; end with 'end'",
		    commands_stop(s, head));
	else if (strcmp(verb, "define") == 0 && name_of(s, head, name) == SESSION_OK)
		say(s, SAY_NOTE, "commands of '%s', one per line; end with 'end'", name);
	else if (strcmp(verb, "document") == 0 && name_of(s, head, name) == SESSION_OK)
		say(s, SAY_NOTE, "help of '%s', the first line is its summary; end with 'end'",
		    name);
}

/* In a script the lines after a rejected head are skipped, since they are not commands. */
static void
skip_construct(struct session *s, const char *head)
{
	if (s->ui.interactive && !s->script.file)
		return;
	if (!s->script.open)
		s->script.open = block_new(s->script.file);
	if (!s->script.open)
		return;
	s->script.open_nesting = s->script.nesting;
	s->script.open->refused = true;
	s->script.open->refused_at = s->script.line;
	if (block_skip(s->script.open, head))
		script_drop_open(s);
}

static enum session_status
begin_construct(struct session *s, const char *verb, const char *head)
{
	struct err e = {0};

	s->script.open = block_new(s->script.file);
	if (!s->script.open)
		return fail_memory(s);
	s->script.open_nesting = s->script.nesting;
	if (block_add(s->script.open, head, s->script.file ? s->script.line : 1, &e)) {
		script_drop_open(s);
		skip_construct(s, head);
		return say_err(s, &e);
	}
	if (s->ui.interactive && !s->script.file)
		say_begin(s, verb, head);
	return SESSION_OK;
}

enum session_status
cmd_block(struct session *s, struct cmd_args *a)
{
	struct strbuf text = {0};
	enum session_status status;
	char *head, name[64];

	sb_printf(&text, "%s%s%s", a->name, *a->rest ? " " : "", a->rest);
	head = sb_take(&text);
	if (!head)
		return fail_memory(s);
	status = check_head(s, a->name, head);
	if (status == SESSION_OK && strcmp(a->name, "define") == 0 &&
	    name_of(s, head, name) == SESSION_OK && user_find(s, name, true) &&
	    session_ask(s, head, "%.60s exists; replace it? (y or n) ", head)) {
		free(head);
		return SESSION_OK;
	}
	if (status == SESSION_OK)
		status = begin_construct(s, a->name, head);
	else
		skip_construct(s, head);
	free(head);
	return status;
}

/* ---------------------------------------------------------------- the lines */

enum session_status
script_collect(struct session *s, const char *line)
{
	struct block *b = s->script.open;
	struct err e = {0};
	enum session_status status = SESSION_OK;
	bool raw = b->depth && b->open[b->depth - 1].raw;

	line = raw ? line : skip_blanks(line);
	if (!raw && *line == ':')
		line = skip_blanks(line + 1);
	if (b->refused) {
		if (block_skip(b, skip_blanks(line)))
			script_drop_open(s);
		return SESSION_OK;
	}
	if (!raw && (!*line || *line == '#'))
		return SESSION_OK;
	if (block_add(b, line, s->script.file ? s->script.line : b->n + 1, &e)) {
		skip_construct(s, line);
		status = say_err(s, &e);
	} else if (b->depth == 0) {
		s->script.open = NULL;
		status = script_run(s, b, 0, b->n, NULL);
		block_free(b);
	}
	return status;
}

enum session_status
script_end_lines(struct session *s, enum session_status status, bool whole)
{
	const struct block *b = s->script.open;

	if (!b || s->script.open_nesting < s->script.nesting)
		return status;
	if (whole && b->n) {
		char at[32] = "";

		if (b->file)
			snprintf(at, sizeof(at), " at line %u", b->line[0].line);
		fail(s, "'%s'%s has no 'end'", b->line[0].verb, at);
	} else if (whole) { /* its head was rejected */
		fail(s, "the lines after line %u were skipped: they have no 'end'", b->refused_at);
	}
	if (status == SESSION_OK)
		status = SESSION_ERROR;
	script_drop_open(s);
	return status;
}

/* ---------------------------------------------------------------- bodies */

static char *
document_text(const struct block *b, unsigned from, unsigned to)
{
	struct strbuf text = {0};

	sb_str(&text, "");
	for (unsigned i = from; i < to; i++)
		sb_printf(&text, "%s%s", i > from ? "\n" : "", b->line[i].text);
	return sb_take(&text);
}

/* Executes the head at line `at` of b, with its arguments substituted. */
enum session_status
script_do_body(struct session *s, const struct block *b, unsigned at, const char *head,
	       const struct user_call *call)
{
	const struct block_line *l = &b->line[at];
	char name[64];
	enum session_status status = check_head(s, l->verb, head);
	struct block *body;

	if (status != SESSION_OK)
		return status;
	if (strcmp(l->verb, "commands") == 0)
		return commands_set(s, commands_stop(s, head), b, at, call);
	name_of(s, head, name);
	if (strcmp(l->verb, "document") == 0)
		return user_document(s, name, document_text(b, at + 1, l->to));
	body = block_cut(b, at + 1, l->to, b->file ? b->file : name);
	return body ? user_define(s, name, body) : fail_memory(s);
}
