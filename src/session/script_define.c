/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script_define.c - user-defined commands: define, document, and calling them.
 *
 * Names of ctascope's commands, abbreviated or not, cannot be redefined, so that a definition does
 * not change the meaning of other scripts. A command may redefine itself while it runs: its lines
 * are kept until it ends.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

#define USER_COMMANDS 1000
#define USER_DEPTH 100 /* most nested calls */

struct user_command {
	char name[64];
	struct block *body;
	char *help; /* NULL: it has none */
};

static const char no_help[] = "user-defined";

struct user_command *
user_find(const struct session *s, const char *name, bool whole)
{
	struct user_command *found = NULL;
	unsigned matches = 0;

	for (unsigned i = 0; i < s->script.n_user; i++) {
		struct user_command *u = s->script.user[i];

		if (strcmp(u->name, name) == 0)
			return u;
		if (!whole && *name && strncmp(u->name, name, strlen(name)) == 0) {
			found = u;
			matches++;
		}
	}
	return matches == 1 ? found : NULL;
}

/* ---------------------------------------------------------------- define, document */

int
user_name_ok(const char *name, struct err *e)
{
	const char *p = name;
	const struct cmd_row *r;

	while (ascii_is_alnum(*p) || (p > name && strchr("_-.", *p) && *p) || *p == '_')
		p++;
	if (*p || p - name > 60 || !ascii_is_letter(*name))
		return err_set(e,
			       "'%.60s' cannot name a command: expected a letter, then at most 59 "
			       "letters, digits, '_', '-' or '.'",
			       name);
	r = cmd_find(name, NULL);
	if (r && cmd_has_name(r, name))
		return err_set(e, "'%s' is a command of ctascope; choose another name", name);
	return 0;
}

enum session_status
user_check_name(struct session *s, const char *name)
{
	struct err e = {0};

	return user_name_ok(name, &e) ? fail(s, "define: %s", e.msg) : SESSION_OK;
}

enum session_status
user_define(struct session *s, const char *name, struct block *body)
{
	struct user_command *u = user_find(s, name, true), **grown;

	if (u) {
		block_free(u->body);
		u->body = body;
		return SESSION_OK;
	}
	if (s->script.n_user == USER_COMMANDS) {
		block_free(body);
		return fail(s, "define %s: at most %d commands can be defined", name,
			    USER_COMMANDS);
	}
	u = calloc(1, sizeof(*u));
	grown = realloc(s->script.user, (s->script.n_user + 1) * sizeof(struct user_command *));
	if (grown)
		s->script.user = grown;
	if (!u || !grown) {
		free(u);
		block_free(body);
		return fail_memory(s);
	}
	snprintf(u->name, sizeof(u->name), "%s", name);
	u->body = body;
	s->script.user[s->script.n_user++] = u;
	return SESSION_OK;
}

enum session_status
user_document(struct session *s, const char *name, char *text)
{
	struct user_command *u = user_find(s, name, true);

	if (!text)
		return fail_memory(s);
	free(u->help);
	u->help = text;
	return SESSION_OK;
}

void
user_free(struct session *s)
{
	for (unsigned i = 0; i < s->script.n_user; i++) {
		block_free(s->script.user[i]->body);
		free(s->script.user[i]->help);
		free(s->script.user[i]);
	}
	free(s->script.user);
}

const char *
user_at(const struct session *s, unsigned i, const struct block **body, const char **help)
{
	if (i >= s->script.n_user)
		return NULL;
	*body = s->script.user[i]->body;
	*help = s->script.user[i]->help;
	return s->script.user[i]->name;
}

/* ---------------------------------------------------------------- calling */

/* Finds the next argument: it ends at a blank outside of quotes and parentheses, and keeps its
 * quotes. */
static struct span
next_argument(const char **at)
{
	struct span arg = {skip_blanks(*at), 0};
	unsigned depth = 0;
	char quote = 0;

	for (const char *p = arg.p; *p && (quote || depth || !is_blank(*p)); p++) {
		arg.n++;
		if (quote)
			quote = *p == quote ? 0 : quote;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '(')
			depth++;
		else if (*p == ')')
			depth -= depth > 0;
	}
	*at = arg.p + arg.n;
	return arg;
}

enum session_status
user_call(struct session *s, const struct user_command *u, const char *args)
{
	struct user_call call = {0};
	struct block *body;
	enum session_status status;

	if (s->script.user_depth == USER_DEPTH)
		return fail(s, "%s: commands nest at most %d deep", u->name, USER_DEPTH);
	while (*skip_blanks(args)) {
		if (call.argc == USER_ARGS)
			return fail(s, "%s: more than %d arguments", u->name, USER_ARGS);
		call.arg[call.argc++] = next_argument(&args);
	}
	body = block_hold(u->body);
	s->script.user_depth++;
	status = script_run(s, body, 0, body->n, &call);
	s->script.user_depth--;
	block_free(body);
	return status;
}

/* ---------------------------------------------------------------- show and help */

static void
show_command(struct session *s, const struct user_command *u)
{
	const struct block *b = u->body;

	say(s, SAY_RESULT, "define %s", u->name);
	for (unsigned i = 0; i < b->n; i++)
		say(s, SAY_RESULT, "  %*s%s", (int)(2 * block_indent(b, i)), "", b->line[i].text);
	say(s, SAY_RESULT, "end");
}

enum session_status
user_show(struct session *s, const char *name)
{
	const struct user_command *u = name ? user_find(s, name, false) : NULL;

	if (name && !u)
		return fail(s, "show user: no command '%.60s' is defined", name);
	if (u)
		show_command(s, u);
	for (unsigned i = 0; !name && i < s->script.n_user; i++)
		show_command(s, s->script.user[i]);
	if (!name && s->script.n_user == 0)
		say(s, SAY_RESULT, "no commands are defined; 'define NAME' makes one");
	return SESSION_OK;
}

void
user_help(struct session *s, const struct user_command *u)
{
	if (u) {
		say(s, SAY_RESULT, "%s", u->name);
		say_lines(s, SAY_RESULT, u->help ? u->help : no_help);
		return;
	}
	for (unsigned i = 0; i < s->script.n_user; i++) {
		const char *help = s->script.user[i]->help ? s->script.user[i]->help : no_help;

		say(s, SAY_RESULT, "%-18s%.*s", s->script.user[i]->name, (int)strcspn(help, "\n"),
		    help);
	}
	if (s->script.n_user == 0)
		say(s, SAY_RESULT, "no commands are defined; 'define NAME' makes one");
}

void
user_offer(struct offer *o)
{
	for (unsigned i = 0; i < o->s->script.n_user; i++)
		offer(o, o->s->script.user[i]->name);
}
