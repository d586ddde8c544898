/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmdline.c - reads a command line according to its rows.
 *
 * getopt_long() splits the command line with a table built from the rows. It prints nothing itself,
 * because its messages do not say what was expected. The value of a row in that table is its index
 * plus FIRST_VALUE.
 */
#include "base/cmdline.h"
#include "base/number.h"
#include "base/report.h"
#include "base/words.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST_ROWS 80
#define FIRST_VALUE 1000 /* above every letter */

const struct cmd_option *
cmdline_row(const struct cmdline *c, unsigned i)
{
	for (const struct cmd_section *s = c->section;
	     s < c->section + CMD_MOST_SECTIONS && s->rows; s++)
		for (const struct cmd_option *o = s->rows; o->name; o++)
			if (i-- == 0)
				return o;
	return NULL;
}

enum cmd_argument
cmd_argument_of(const struct cmd_option *o)
{
	if (!o->arg || o->kind == CMD_K_FLAG)
		return CMD_NO_ARGUMENT;
	return strncmp(o->arg, "[=", 2) == 0 ? CMD_MAY_HAVE_ARGUMENT : CMD_NEEDS_ARGUMENT;
}

/* The option of which o is an alias, or o itself. */
static const struct cmd_option *
resolve_alias(const struct cmd_option *o)
{
	while (o->kind == CMD_K_ALIAS)
		o--;
	return o;
}

const struct cmd_option *
cmdline_find(const struct cmdline *c, const char *word, bool *is_apart)
{
	const struct cmd_option *o, *found = NULL;
	bool is_long = strncmp(word, "--", 2) == 0;
	size_t n = strcspn(word, "=");

	for (unsigned i = 0; !found && (o = cmdline_row(c, i)); i++)
		if (is_long ? strlen(o->name) + 2 == n && strncmp(word + 2, o->name, n - 2) == 0
			    : word[0] == '-' && o->letter && word[1] == o->letter)
			found = o;
	if (!found)
		return NULL;
	*is_apart = cmd_argument_of(resolve_alias(found)) == CMD_NEEDS_ARGUMENT &&
		    !word[is_long ? n : 2];
	return found;
}

/* ---------------------------------------------------------------- mistakes */

static int
print_usage(const struct cmdline *c, const char *fmt, va_list ap)
{
	const char *name = c->help ? c->help->name : c->name;

	fflush(stdout);
	fprintf(stderr, "ctascope: %s%s", c->name, *c->name ? ": " : "");
	vfprintf(stderr, fmt, ap);
	fprintf(stderr, "\nTry 'ctascope %s%s--help' for more information.\n", name,
		*name ? " " : "");
	return 2;
}

int
cmdline_usage(const struct cmdline *c, const char *fmt, ...)
{
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = print_usage(c, fmt, ap);
	va_end(ap);
	return rc;
}

/* Reports a long option that is neither a row's name nor an unambiguous prefix of one. */
static int
unknown_long(const struct cmdline *c, const char *word)
{
	const char *names[MOST_ROWS], *first = NULL, *second = NULL;
	const struct cmd_option *o;
	size_t n = strcspn(word, "=");
	unsigned n_names = 0;
	char typed[80];

	snprintf(typed, sizeof(typed), "%.*s", (int)MIN(n, sizeof(typed) - 1), word);
	while (n_names < MOST_ROWS && (o = cmdline_row(c, n_names))) {
		names[n_names++] = o->name;
		if (n > 2 && strncmp(o->name, word + 2, n - 2) == 0) {
			second = second ? second : first ? o->name : NULL;
			first = first ? first : o->name;
		}
	}
	if (second)
		return cmdline_usage(c, "'%s' is ambiguous: --%s or --%s", typed, first, second);
	if (near_names(typed + 2, names, n_names, &first, 1))
		return cmdline_usage(c, "unknown option '%s'; did you mean --%s?", typed, first);
	return cmdline_usage(c, "unknown option '%s'", typed);
}

/* Reports an option for which getopt_long() returned '?' or ':'; word is the one at which it
 * stopped. */
static int
report_option(const struct cmdline *c, int what, const char *word)
{
	const struct cmd_option *o =
		optopt >= FIRST_VALUE ? cmdline_row(c, (unsigned)(optopt - FIRST_VALUE)) : NULL;
	char letter[3] = {'-', (char)optopt, '\0'};
	bool is_apart;

	if (!o && optopt)
		o = cmdline_find(c, letter, &is_apart);
	if (what == ':' && o)
		return cmdline_usage(c, "%s%s needs an argument: %s",
				     optopt < FIRST_VALUE ? "" : "--",
				     optopt < FIRST_VALUE ? letter : o->name,
				     resolve_alias(o)->arg);
	if (o && optopt >= FIRST_VALUE)
		return cmdline_usage(c, "--%s takes no argument", o->name);
	if (optopt)
		return cmdline_usage(c, "unknown option '%s'", letter);
	return unknown_long(c, word);
}

/* ---------------------------------------------------------------- one option */

/* Writes the words of an argument as a sentence: "auto", "always" or "never". */
static void
list_words(const char *arg, char *buf, size_t size)
{
	struct span rest, word;
	size_t at = 0;
	char copy[200];

	snprintf(copy, sizeof(copy), "%s", strncmp(arg, "[=", 2) == 0 ? arg + 2 : arg);
	copy[strcspn(copy, "]")] = '\0';
	rest = span_of(copy);
	buf[0] = '\0';
	while (span_part(&rest, '|', &word) && at < size)
		at += (size_t)snprintf(buf + at, size - at, "%s%.*s",
				       at == 0	? ""
				       : rest.p ? ", "
						: " or ",
				       (int)word.n, word.p);
}

static int
find_word(const char *arg, const char *text)
{
	struct span rest, word;
	char copy[200];

	snprintf(copy, sizeof(copy), "%s", strncmp(arg, "[=", 2) == 0 ? arg + 2 : arg);
	copy[strcspn(copy, "]")] = '\0';
	rest = span_of(copy);
	for (int i = 0; span_part(&rest, '|', &word); i++)
		if (span_is(word, text))
			return i;
	return -1;
}

static int
take_choice(void *field, const struct cmd_option *o, const char *text, struct err *e)
{
	int place = text ? find_word(o->arg, text) : (int)o->value;
	char words[200];

	if (place < 0) {
		list_words(o->arg, words, sizeof(words));
		return err_set(e, "expected %s", words);
	}
	memcpy(field, &place, sizeof(place));
	return 0;
}

static int
take_count(void *field, const struct cmd_option *o, const char *text, struct err *e)
{
	uint64_t n;
	uint32_t small;

	if (number_count(text, &n) || n < o->min || n > o->max)
		return err_set(e, "expected a number from %" PRIu64 " to %" PRIu64, o->min, o->max);
	small = (uint32_t)n;
	memcpy(field, o->size == sizeof(n) ? (void *)&n : (void *)&small, o->size);
	return 0;
}

static int
take_option(const struct cmdline *c, void *args, const struct cmd_option *o, const char *text,
	    struct err *e)
{
	void *field =
		args ? (char *)args + o->field : NULL; /* without fields, --help is the only row */
	int value = (int)o->value;

	switch (o->kind) {
	case CMD_K_FLAG:
		*(bool *)field = true;
		return 0;
	case CMD_K_SET:
		memcpy(field, &value, sizeof(value));
		return 0;
	case CMD_K_TEXT:
		*(const char **)field = text;
		return 0;
	case CMD_K_COUNT:
		return take_count(field, o, text, e);
	case CMD_K_CHOICE:
		return take_choice(field, o, text, e);
	case CMD_K_TAKE:
		return o->take(args, o, text, e);
	case CMD_K_HELP:
		cmdline_print_help(c->help ? c->help : c);
		return 1;
	default:
		return 0;
	}
}

/* ---------------------------------------------------------------- the whole line */

/* Builds the table of getopt_long(), which ends in zeros, and its letters, at most 3 characters
 * per row. */
static void
make_table(const struct cmdline *c, struct option table[MOST_ROWS + 1],
	   char letters[3 * MOST_ROWS + 3])
{
	const struct cmd_option *o;
	char *p = letters;

	if (c->stops)
		*p++ = '+';
	*p++ = ':';
	for (unsigned i = 0; i < MOST_ROWS && (o = cmdline_row(c, i)); i++) {
		int argument = (int)cmd_argument_of(resolve_alias(o));

		table[i] = (struct option){o->name, argument, NULL, FIRST_VALUE + (int)i};
		if (!o->letter)
			continue;
		*p++ = o->letter;
		for (int k = 0; k < argument; k++)
			*p++ = ':';
	}
	*p = '\0';
}

int
cmdline_read(const struct cmdline *c, int argc, char **argv, void *args, int *first)
{
	struct option table[MOST_ROWS + 1] = {{0}};
	char letters[3 * MOST_ROWS + 3], letter[3] = "-";
	int what, rc;

	make_table(c, table, letters);
	opterr = 0;
	optind = 0; /* restart: this may be the program's second command line */
	while ((what = getopt_long(argc, argv, letters, table, NULL)) != -1) {
		const struct cmd_option *o;
		struct err e = {0};
		bool is_apart;

		if (what == '?' || what == ':')
			return report_option(c, what, argv[optind - 1]);
		letter[1] = (char)what;
		o = what >= FIRST_VALUE ? cmdline_row(c, (unsigned)(what - FIRST_VALUE))
					: cmdline_find(c, letter, &is_apart);
		rc = take_option(c, args, resolve_alias(o), optarg, &e);
		if (rc > 0)
			return 0;
		if (rc < 0)
			return cmdline_usage(c, "%s%s%s%s: %s", what < FIRST_VALUE ? "" : "--",
					     what < FIRST_VALUE ? letter : o->name,
					     optarg ? " " : "", optarg ? optarg : "", e.msg);
	}
	*first = optind;
	return -1;
}
