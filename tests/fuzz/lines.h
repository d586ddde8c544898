/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lines.h - lines of the prompt for fuzz targets: tells which of them stay inside of the program,
 * and has a mutator that knows the structure of lines.
 *
 * The mutator changes whole lines and words: a line is doubled, moved, removed, or becomes a
 * command of the table with words of its usage; a word is replaced by another typical one. One
 * change in three is a change of bytes, as libFuzzer makes them.
 */
#ifndef TESTS_FUZZ_LINES_H
#define TESTS_FUZZ_LINES_H

#include "ctascope/session.h"
#include "session/command.h"
#include "session/session_part.h"

#include <string.h>

/* Whether `set` asks for another size of something: running out of memory is not an error of the
 * prompt. */
static inline bool
line_resizes(struct session *s, const char *args)
{
	const struct opt_group *g;
	const struct opt_row *r;
	char key[64];

	args = skip_blanks(args);
	if (strncmp(args, "option ", 7) == 0)
		args = skip_blanks(args + 7);
	snprintf(key, sizeof(key), "%.*s", (int)MIN(strcspn(args, " \t="), sizeof(key) - 1), args);
	r = opt_find(session_option_db(s, key), key, &g);
	return r && !g->live && (strcmp(g->prefix, "run") || strcmp(r->name, "max_requests") == 0);
}

static inline bool line_harmless(struct session *s, const char *line);

/* Whether the lines that `eval` makes are harmless: it may insert numbers, but no other text. */
static inline bool
line_harmless_eval(struct session *s, const char *line)
{
	char text[256];
	size_t n = 0;

	line = strchr(line, '"');
	if (!line)
		return true;
	for (line++; *line && *line != '"' && n + 1 < sizeof(text); line++) {
		if (*line == '%' && line[1] != 'd' && line[1] != '%')
			return false;
		if (*line == '\\' && *++line != 'n')
			return false;
		text[n++] = *line == 'n' && line[-1] == '\\' ? '\n' : *line;
	}
	text[n] = '\0';
	for (char *at = text, *one; (one = strsep(&at, "\n"));)
		if (strncmp(skip_blanks(one), "eval", 2) == 0 || !line_harmless(s, one))
			return false;
	return n + 1 < sizeof(text);
}

/* Whether a line stays inside of the program: no shell, no files, no limit of time, no huge
 * machine. */
static inline bool
line_harmless(struct session *s, const char *line)
{
	static const char *const leaves[] = {"shell",	 "source", "save",	"load",
					     "workload", "log",	   "report",	"plot",
					     "compare",	 "race",   "reference", "pace"};
	char name[64];
	const struct cmd_row *r;

	line = skip_blanks(line + (*skip_blanks(line) == ':' ? strcspn(line, ":") + 1 : 0));
	snprintf(name, sizeof(name), "%.*s", (int)MIN(strcspn(line, " \t/"), sizeof(name) - 1),
		 line);
	r = cmd_find(name, NULL);
	if (strstr(name, "$arg")) /* whatever it becomes */
		return false;
	if (!r)
		return true;
	if (r->fn == cmd_eval) /* the result is a line as well */
		return line_harmless_eval(s, line);
	for (unsigned i = 0; i < ARRAY_LEN(leaves); i++)
		if (strcmp(r->name, leaves[i]) == 0)
			return false;
	if (r->fn == cmd_dump)
		return strstr(line, " - ") ||
		       (strlen(line) > 2 && strcmp(line + strlen(line) - 2, " -") == 0);
	if (r->fn == cmd_set && line_resizes(s, line + strcspn(line, " \t")))
		return false;
	return !strstr(line, "max_seconds");
}

/* ---------------------------------------------------------------- mutator */

#ifdef FUZZING
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static const char *const line_words[] = {
	"$x",	       "$v",	      "$arg0",
	"$argc",       "$cycle",      "core.*.n",
	"core.1.ract", "gpu.ipc",     "%d",
	"%s",	       "%5.2f",	      "%-8s",
	"\"a\\tb\"",   "(",	      ")",
	"+",	       "==",	      "<",
	"&&",	       "!",	      "?",
	":",	       "count(",      "max(",
	"0",	       "1",	      "-1",
	"7.5e3",       "1000",	      "nan",
	"if",	       "else",	      "while 1",
	"end",	       "define f",    "commands 1",
	"silent",      "loop_break",  "loop_continue",
	"document f",  "set $x =",    "printf",
	"echo",	       "eval",	      "f 1 2",
	"tbreak",      "break limit", "dyncta",
	"claso",       "--for",	      "core",
	"all",	       "-",	      "csv",
	"stats",
};

/* Returns the start of the n-th line of text, and its length with the newline. */
static size_t
line_at(const char *text, size_t size, size_t n, size_t *len)
{
	size_t at = 0;

	for (;; n--) {
		const char *end = memchr(text + at, '\n', size - at);

		*len = end ? (size_t)(end - text) - at + 1 : size - at;
		if (!n || at + *len >= size)
			return at;
		at += *len;
	}
}

static size_t
line_put(char *data, size_t size, size_t max, size_t at, size_t drop, const char *new)
{
	size_t n = strlen(new);

	if (size - drop + n > max)
		return size;
	memmove(data + at + n, data + at + drop, size - at - drop);
	memcpy(data + at, new, n);
	return size - drop + n;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max, unsigned seed)
{
	char *data = (char *)bytes, made[512];
	size_t lines = 1, at, len;
	unsigned n;

	if (seed % 3 == 0 || !size)
		return LLVMFuzzerMutate(bytes, size, max);
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	at = line_at(data, size, seed / 16 % lines, &len);
	switch (seed / 3 % 4) {
	case 0: /* another command, with the words of its usage */
		snprintf(made, sizeof(made), "%s %s\n", cmd_rows[seed / 64 % n_cmd_rows].name,
			 cmd_rows[seed / 64 % n_cmd_rows].usage);
		for (char *c = made; *c; c++)
			*c = strchr("[]|", *c) ? ' ' : *c;
		return line_put(data, size, max, at, seed & 1024 ? len : 0, made);
	case 1: /* removes or doubles a line */
		if (seed & 1024)
			return line_put(data, size, max, at, len, "");
		snprintf(made, sizeof(made), "%.*s", (int)MIN(len, sizeof(made) - 1), data + at);
		return line_put(data, size, max, line_at(data, size, seed / 2048 % lines, &len), 0,
				made);
	default: /* replaces a word, or adds one */
		for (size_t skip = seed / 2048 % 6; skip && len > 1; skip--) {
			const char *blank = memchr(data + at, ' ', len - 1);

			if (!blank)
				break;
			len -= (size_t)(blank - data) + 1 - at;
			at = (size_t)(blank - data) + 1;
		}
		snprintf(made, sizeof(made), "%s ", line_words[seed / 64 % ARRAY_LEN(line_words)]);
		for (n = 0; n < len && !strchr(" \n", data[at + n]);)
			n++;
		return line_put(data, size, max, at, seed & 1024 ? n : 0, made);
	}
}
#endif
#endif
