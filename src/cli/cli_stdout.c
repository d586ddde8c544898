/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_stdout.c - finds out whether the commands of -e and -x write a table to standard output.
 *
 * A program that reads the table wants nothing else, but the line of a stop or of the end of a run
 * comes before it. So the commands are looked at before any is executed, also those of the scripts
 * that they source. Standard input is not.
 */
#include "base/ascii.h"
#include "base/textfile.h"
#include "base/words.h"
#include "cli/cli_part.h"

#include <limits.h>
#include <string.h>

#define MOST_SCRIPTS 64 /* a script may source itself, and then ends by an error */

static bool file_writes_table(const char *path, unsigned *scripts);

/* "dump csv stats -", "export events /dev/stdout", or "source FILE" with such a line in FILE */
static bool
line_writes_table(const char *line, unsigned *scripts)
{
	bool names_table = false, sources = false;
	char word[PATH_MAX];

	while (word_unquote(&line, word, sizeof(word))) {
		if (sources && file_writes_table(word, scripts))
			return true;
		sources = ascii_same(word, "source");
		if (strcmp(word, "/dev/stdout") == 0 || (names_table && strcmp(word, "-") == 0))
			return true;
		names_table |= ascii_same(word, "csv") || ascii_same(word, "events");
	}
	return false;
}

static bool
lines_write_table(const char *text, unsigned *scripts)
{
	struct span rest = span_of(text), line;
	char copy[PATH_MAX];

	while (span_part(&rest, '\n', &line))
		if (span_copy(line, copy, sizeof(copy)) && line_writes_table(copy, scripts))
			return true;
	return false;
}

/* Errors are left to the command that executes the file. */
static bool
file_writes_table(const char *path, unsigned *scripts)
{
	FILE *f = (*scripts)++ < MOST_SCRIPTS ? text_open_regular(path, TEXT_MOST) : NULL;
	struct strbuf line = {0};
	struct err e = {0};
	bool writes = false;

	while (f && !writes && text_line(f, &line, &e) > 0)
		writes = line_writes_table(line.n ? line.p : "", scripts);
	sb_free(&line);
	if (f)
		fclose(f);
	return writes;
}

bool
cli_writes_table(const struct cli_args *args)
{
	unsigned scripts = 0;

	for (unsigned i = 0; i < args->n_args; i++) {
		const struct cli_arg *a = &args->arg[i];

		if ((a->kind == ARG_EVAL && lines_write_table(a->text, &scripts)) ||
		    (a->kind == ARG_SCRIPT && file_writes_table(a->text, &scripts)))
			return true;
	}
	return false;
}
