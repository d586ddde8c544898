/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.c - the table of commands: finds rows by prefix, and parses arguments as a row's letters
 * say.
 *
 * An error is one line that names what was wrong and how the command is used. gdb's short forms (s,
 * n, c, b, p ...) are aliases in the rows, so they stay valid however many names begin alike.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/ascii.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMES 192

const char *const cmd_group_names[CMD_GROUPS] = {
	[G_RUN] = "run",       [G_STOP] = "stop",     [G_LOG] = "log",	     [G_LOOK] = "look",
	[G_FOCUS] = "focus",   [G_CHANGE] = "change", [G_TIME] = "time",     [G_BACK] = "back",
	[G_BRANCH] = "branch", [G_OUT] = "out",	      [G_SCRIPT] = "script", [G_TEACH] = "teach",
	[G_SCREEN] = "screen", [G_HELP] = "help"};

#define CMD(name, aliases, group, letters, usage, complete, flags, fn, help, example) \
	{name, aliases, group, letters, usage, complete, fn, help, example, flags},
#define SCREEN(name, flags, usage, complete, words, fn, help, example) \
	{name, "", G_SCREEN, "R", usage, complete, cmd_screen, help, example, flags},
const struct cmd_row cmd_rows[] = {
#include "session/commands.def"
};
const unsigned n_cmd_rows = ARRAY_LEN(cmd_rows);

#define INFO(name, usage, complete, needs, fn, help) {name, usage, complete, needs, fn, help},
const struct info_row info_rows[] = {
#include "session/commands.def"
};
const unsigned n_info_rows = ARRAY_LEN(info_rows);

/* What gdb and cuda-gdb call a topic, or its abbreviation there, and our name. */
static const char *const other_topics[][2] = {
	{"b", "breakpoints"}, {"threads", "warps"},  {"blocks", "ctas"},
	{"sms", "cores"},     {"kernels", "kernel"},
};

/* Replaces the error about an unknown topic of info by one that says what to type, if that is
 * known: another debugger has this topic, or here it is a command. */
static void
refuse_topic(const char *topic, struct err *e)
{
	const char *advice = topic_advice(topic);
	const struct cmd_row *r = cmd_find(topic, NULL);

	if (advice)
		err_set(e, "info has no topic '%.60s': %s", topic, advice);
	else if (r && (cmd_has_name(r, topic) || strlen(topic) > 3)) /* or the start of a name */
		err_set(e, "info has no topic '%.60s'; '%s' is a command: see 'help %s'", topic,
			r->name, r->name);
	else if (e && e->kind == ERR_NAME)
		err_set(e, "info has no topic '%.60s'; 'help info' lists the topics", topic);
}

const struct info_row *
info_find(const char *topic, struct err *e)
{
	const char *names[ARRAY_LEN(info_rows)];
	int i;

	for (unsigned k = 0; k < ARRAY_LEN(other_topics); k++)
		if (ascii_same(topic, other_topics[k][0]))
			topic = other_topics[k][1];
	for (unsigned k = 0; k < n_info_rows; k++)
		names[k] = info_rows[k].name;
	i = pick_name("topic of info", topic, names, n_info_rows, e);
	if (i < 0)
		refuse_topic(topic, e);
	return i < 0 ? NULL : &info_rows[i];
}

int
pick_name(const char *what, const char *word, const char *const *names, unsigned n, struct err *e)
{
	struct hint near;
	char list[200] = "";
	size_t len = strlen(word);
	unsigned matches = 0, found = 0;

	for (unsigned i = 0; i < n; i++)
		if (ascii_same(names[i], word))
			return (int)i;
	for (unsigned i = 0; i < n; i++) {
		if (!ascii_same_start(names[i], word, len))
			continue;
		found = i;
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
			 matches++ ? ", " : "", names[i]);
	}
	if (matches == 1 && len)
		return (int)found;
	if (matches > 1)
		return err_set(e, "ambiguous %s '%s': %s", what, word, list);
	near = near_hint(word, names, n, "");
	list[0] = '\0';
	if (!near.text[0] && n <= 12) { /* few enough to list all */
		for (unsigned i = 0; i < n; i++)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 i == 0	      ? ", expected "
				 : i == n - 1 ? " or "
					      : ", ",
				 names[i]);
		return err_set(e, "unknown %s '%.60s'%s", what, word, list);
	}
	return err_of(e, near.text[0] ? ERR_NEAR : ERR_NAME, "unknown %s '%.60s'%s", what, word,
		      near.text[0] ? near.text : "; see 'help'");
}

bool
cmd_name(const struct cmd_row *r, unsigned n, char name[CMD_NAME])
{
	const char *at = r->aliases;
	struct span word = span_of(r->name);

	for (; n && word.n; n--)
		word = word_next(&at);
	span_copy(word, name, CMD_NAME);
	return word.n > 0;
}

bool
cmd_next_word(const struct cmd_row *r, unsigned *n, char name[CMD_NAME])
{
	while (cmd_name(r, *n, name))
		if ((*n)++ == 0 || strlen(name) > CMD_SHORT)
			return true;
	return false;
}

bool
cmd_has_name(const struct cmd_row *r, const char *name)
{
	char own[CMD_NAME];

	for (unsigned i = 0; cmd_name(r, i, own); i++)
		if (strcmp(own, name) == 0)
			return true;
	return false;
}

const struct cmd_row *
cmd_find(const char *name, struct err *e)
{
	char text[MAX_NAMES][CMD_NAME];
	const char *names[MAX_NAMES];
	const struct cmd_row *rows[MAX_NAMES];
	const struct cmd_row *own = NULL;
	unsigned n = 0, n_own = 0;
	int i;

	for (const struct cmd_row *r = cmd_rows; r < cmd_rows + n_cmd_rows; r++)
		if (cmd_has_name(r, name))
			return r;
	for (const struct cmd_row *r = cmd_rows; r < cmd_rows + n_cmd_rows; r++) {
		for (unsigned k = 0; !(r->flags & F_FULL) && cmd_next_word(r, &k, text[n]);) {
			names[n] = text[n];
			rows[n++] = r;
			assert(n < MAX_NAMES);
		}
	}
	/* No abbreviation of a name becomes that of an alias: `st` is step, not start. */
	for (const struct cmd_row *r = cmd_rows; r < cmd_rows + n_cmd_rows; r++) {
		if ((r->flags & F_FULL) || !ascii_same_start(r->name, name, strlen(name)))
			continue;
		own = r;
		n_own++;
	}
	if (n_own == 1 && *name)
		return own;
	i = pick_name("command", name, names, n, e);
	return i < 0 ? NULL : rows[i];
}

enum session_word
session_match_command(const char *word)
{
	enum session_word found = SESSION_WORD_UNKNOWN;
	char name[CMD_NAME];

	for (const struct cmd_row *r = cmd_rows; r < cmd_rows + n_cmd_rows; r++) {
		if (cmd_has_name(r, word))
			return SESSION_WORD_IS_COMMAND;
		for (unsigned k = 0; cmd_next_word(r, &k, name);)
			if (strncmp(name, word, strlen(word)) == 0)
				found = SESSION_WORD_BEGINS_COMMAND;
	}
	return found;
}

/* ---------------------------------------------------------------- arguments */

bool
next_word(const char **at, char *buf, size_t size)
{
	const char *home = getenv("HOME");
	size_t n = home ? strlen(home) : 0;

	if (!word_unquote(at, buf, size))
		return false;
	if (n && n + strlen(buf) < size && buf[0] == '~' && (buf[1] == '/' || !buf[1])) {
		memmove(buf + n, buf + 1, strlen(buf));
		memcpy(buf, home, n);
	}
	return true;
}

static int
set_usage_error(const struct cmd_row *r, struct err *e, const char *what, const char *word)
{
	return err_set(e, "%s: %s%s%.80s%s; usage: %s%s%s", r->name, what, *word ? " '" : "", word,
		       *word ? "'" : "", r->name, *r->usage ? " " : "", r->usage);
}

/* `run until 5000` is meant as the second command alone. */
static int
set_unexpected_error(const struct cmd_row *r, struct err *e, const char *rest)
{
	const char *at = rest;
	char word[CMD_NAME];

	if (span_copy(word_next(&at), word, sizeof(word)))
		for (unsigned i = 0; i < n_cmd_rows; i++)
			if (strcmp(cmd_rows[i].name, word) == 0)
				return err_set(e,
					       "%s: unexpected argument '%.80s'; '%.80s' is a "
					       "command of its own",
					       r->name, rest, rest);
	return set_usage_error(r, e, "unexpected argument", rest);
}

/* `step -1` means the command that mirrors it. */
static int
set_number_error(const struct cmd_row *r, struct err *e, const char *word)
{
	const char *fault = number_count_fault(word);
	char mirror[CMD_NAME + 8];

	if (*word != '-' && fault)
		return err_set(e, "%s: '%.60s' %s", r->name, word, fault);
	if (*word != '-')
		return set_usage_error(r, e, "expected a number, found", word);
	snprintf(mirror, sizeof(mirror), "reverse-%s", r->name);
	for (unsigned i = 0; i < n_cmd_rows; i++)
		if (strcmp(cmd_rows[i].name, mirror) == 0)
			return err_set(e,
				       "%s: expected a positive number, found '%.40s'; '%s %.40s' "
				       "goes back",
				       r->name, word, mirror, word + 1);
	return set_usage_error(r, e, "expected a number that is not negative, found", word);
}

/* Whether the command takes words or a file, which may be quoted; the others take their text
 * unchanged. */
static bool
has_quoted_words(const struct cmd_row *r)
{
	return strpbrk(r->letters, "nwfNWF") || strstr(r->usage, "FILE");
}

int
cmd_parse(const struct cmd_row *r, char *rest, struct cmd_args *a, struct err *e)
{
	const char *open = has_quoted_words(r) ? find_open_quote(rest) : NULL;
	char *at = rest;
	unsigned i = 0;

	if (open)
		return err_set(e, "%s: the quote in '%.60s' is not closed", r->name, open);

	for (const char *l = r->letters; *l; l++, i++) {
		bool optional = ascii_is_upper(*l);
		char kind = ascii_lower(*l), *before = at + (skip_blanks(at) - at), *word;

		if (kind == 'r') {
			at = before;
			if (!*at && !optional)
				return set_usage_error(r, e, "an argument is missing", "");
			a->word[i] = at;
			return 0;
		}
		if (!*before) {
			if (!optional)
				return set_usage_error(r, e,
						       kind == 'n'   ? "a number is missing"
						       : kind == 'f' ? "a file name is missing"
								     : "an argument is missing",
						       "");
			continue;
		}
		if (kind == 'n' && optional && l[1] && !ascii_is_digit(*before) &&
		    (*before != '-' || before[1] == '-'))
			continue; /* in "step event" the number is missing, but the word is not */
		word = word_cut(&at);
		if (kind == 'n' && number_count(word, &a->number[i]))
			return set_number_error(r, e, word);
		a->has_number[i] = kind == 'n';
		a->word[i] = word;
	}
	at += skip_blanks(at) - at;
	return *at ? set_unexpected_error(r, e, at) : 0;
}

void
session_each_command(void (*fn)(void *ctx, const char *group, const char *name, const char *usage,
				const char *help),
		     void *ctx)
{
	char name[64];

	for (unsigned g = 0; g < CMD_GROUPS; g++) {
		for (unsigned i = 0; i < n_cmd_rows; i++)
			if (cmd_rows[i].group == g)
				fn(ctx, cmd_group_names[g], cmd_rows[i].name, cmd_rows[i].usage,
				   cmd_rows[i].help);
		for (unsigned i = 0; g == G_LOOK && i < n_info_rows; i++) {
			snprintf(name, sizeof(name), "info %s", info_rows[i].name);
			fn(ctx, "info", name, info_rows[i].usage, info_rows[i].help);
		}
	}
}
