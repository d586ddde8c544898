/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * docgen_cmdline.c - the options of the command lines, for the manual pages and the completion.
 *
 *     @CLI:sweep@
 *     :output
 *     An existing file needs
 *     .BR \-\-resume .
 *     @END@
 *
 * becomes an entry for every row of `ctascope sweep`: its head and its line of help, which are the
 * row's, and what the page says beyond it behind ":NAME". A name that is no row's ends the program.
 */
#include "base/ascii.h"
#include "base/cmdline.h"
#include "batch/batch.h"
#include "cli/cli.h"
#include "tools/docgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DETAILS 64

/* What a page says beyond the rows: name '\0' text; NULL once it is printed. */
struct details {
	char *text[MOST_DETAILS];
	unsigned n;
};

static const struct cmdline *
find_cmdline(const char *name)
{
	if (strcmp(name, batch_cmdline.name) == 0)
		return &batch_cmdline;
	for (const struct cmdline *const *c = cli_cmdlines; *c; c++)
		if (strcmp(name, (*c)->name) == 0)
			return *c;
	fprintf(stderr, "docgen: no command line is called '%s'\n", name);
	exit(1);
}

/* Lines up to @END@. Each ":NAME" begins a text; its name ends in '\0' in place of its newline. */
static void
read_details(struct details *d, FILE *in)
{
	char line[1024], *grown;
	size_t n = 0;

	while (fgets(line, sizeof(line), in) && strcmp(line, "@END@\n") != 0) {
		bool is_name = line[0] == ':';
		size_t more = strlen(line) - is_name;

		if (is_name ? d->n == MOST_DETAILS : d->n == 0) {
			fprintf(stderr, "docgen: expected :NAME, found '%s'", line);
			exit(1);
		}
		if (is_name) {
			d->text[d->n++] = NULL;
			n = 0;
		}
		grown = realloc(d->text[d->n - 1], n + more + 1);
		if (!grown)
			exit(1);
		d->text[d->n - 1] = grown;
		memcpy(grown + n, line + is_name, more + 1);
		n += more;
		if (is_name)
			grown[n - 1] = '\0';
	}
}

/* Prints what the page says of an option, and forgets it: a second option of the name takes the
 * next text. */
static void
print_details(struct details *d, const char *name)
{
	for (unsigned i = 0; i < d->n; i++)
		if (d->text[i] && strcmp(d->text[i], name) == 0) {
			fputs(d->text[i] + strlen(name) + 1, stdout);
			free(d->text[i]);
			d->text[i] = NULL;
			return;
		}
}

/* "\fB-j\fP, \fB--jobs=\fP\fIN\fP" */
static void
print_head(const struct cmd_option *o)
{
	fputs(".TP\n", stdout);
	if (o->letter)
		printf("\\fB\\-%c\\fP, ", o->letter);
	fputs("\\fB", stdout);
	put("--");
	put(o->name);
	if (o->arg && o->arg[0] != '[')
		putchar('=');
	fputs("\\fP", stdout);
	if (o->arg) {
		fputs(cmd_argument_of(o) == CMD_NO_ARGUMENT ? " \\fI" : "\\fI", stdout);
		put(o->arg);
		fputs("\\fP", stdout);
	}
	putchar('\n');
}

static void
print_option(const struct cmdline *c, const struct cmd_option *o, struct details *d)
{
	char help[1000];

	cmdline_help_of(c, o, help, sizeof(help));
	help[0] = ascii_upper(help[0]);
	print_head(o);
	put(help);
	puts(".");
	print_details(d, o->name);
}

void
cmdline_table(const char *name, FILE *in)
{
	const struct cmdline *c = find_cmdline(name);
	struct details d = {.n = 0};

	read_details(&d, in);
	for (const struct cmd_section *s = c->section;
	     s < c->section + CMD_MOST_SECTIONS && s->rows; s++) {
		if (s->title) {
			fputs(".SS ", stdout);
			put(s->title);
			putchar('\n');
		}
		for (const struct cmd_option *o = s->rows; o->name; o++)
			if (o->kind != CMD_K_ALIAS)
				print_option(c, o, &d);
	}
	for (unsigned i = 0; i < d.n; i++)
		if (d.text[i]) {
			fprintf(stderr, "docgen: '%s' has no option --%s\n", c->name, d.text[i]);
			exit(1);
		}
}

/* ---------------------------------------------------------------- bash, zsh */

static void
complete_options(const struct cmdline *c)
{
	const struct cmd_option *o;

	printf("\t%s) echo '", *c->name ? c->name : "''");
	for (unsigned i = 0; (o = cmdline_row(c, i)); i++)
		printf("%s--%s", i ? " " : "", o->name);
	puts("' ;;");
}

static void
complete_arguments(const struct cmdline *c)
{
	const struct cmd_option *o, *of = NULL;

	for (unsigned i = 0; (o = cmdline_row(c, i)); i++) {
		of = o->kind == CMD_K_ALIAS ? of : o;
		if (cmd_argument_of(of) == CMD_NO_ARGUMENT)
			continue;
		printf("\t%s:--%s", c->name, o->name);
		if (o->letter)
			printf(" | %s:-%c", c->name, o->letter);
		printf(") echo '%s' ;;\n", of->arg);
	}
}

void
completion_table(void)
{
	static void (*const print[])(const struct cmdline *) = {complete_options,
								complete_arguments};
	static const char *const head[] = {
		"_ctascope_options() { # SUBCOMMAND: its options\n\tcase $1 in",
		"_ctascope_argument() { # SUBCOMMAND OPTION: what its argument is, if it has one\n"
		"\tcase $1:$2 in"};

	fputs("_ctascope_subcommands='", stdout);
	for (const struct cmdline *const *c = cli_cmdlines + 1; *c; c++)
		printf("%s ", (*c)->name);
	printf("%s'\n", batch_cmdline.name);
	for (unsigned i = 0; i < 2; i++) {
		puts(head[i]);
		for (const struct cmdline *const *c = cli_cmdlines; *c; c++)
			print[i](*c);
		print[i](&batch_cmdline);
		puts("\tesac\n}");
	}
}

/* ---------------------------------------------------------------- fish */

static void
put_fish_string(const char *text)
{
	putchar('\'');
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			putchar('\\');
		putchar(*text);
	}
	putchar('\'');
}

static bool
is_file_argument(const char *arg)
{
	return strncmp(arg, "FILE", 4) == 0 || strstr(arg, ".ctr") || strstr(arg, ".csv") ||
	       strncmp(arg, "STACK", 5) == 0 || strcmp(arg, "MACHINE") == 0;
}

/* of: the row that o is, or is another name of. */
static void
complete_fish_option(const struct cmdline *c, const struct cmd_option *o,
		     const struct cmd_option *of)
{
	char help[1000];

	printf("complete -c ctascope -n '__ctascope_in \"%s\"' -l %s", c->name, o->name);
	if (o->letter)
		printf(" -s %c", o->letter);
	if (cmd_argument_of(of) != CMD_NO_ARGUMENT) {
		if (of->arg[0] != '[')
			fputs(is_file_argument(of->arg) ? " -r" : " -x", stdout);
		printf(" -a '(__ctascope_values \"%s\")'", of->arg);
	}
	cmdline_help_of(c, of, help, sizeof(help));
	fputs(" -d ", stdout);
	put_fish_string(help);
	putchar('\n');
}

void
fish_table(void)
{
	fputs("set -g __ctascope_subcommands", stdout);
	for (const struct cmdline *const *c = cli_cmdlines + 1; *c; c++)
		printf(" %s", (*c)->name);
	printf(" %s\n", batch_cmdline.name);
	for (const struct cmdline *const *p = cli_cmdlines;; p++) {
		const struct cmdline *c = *p ? *p : &batch_cmdline;
		const struct cmd_option *o, *of = NULL;

		for (unsigned i = 0; (o = cmdline_row(c, i)); i++) {
			of = o->kind == CMD_K_ALIAS ? of : o;
			complete_fish_option(c, o, of);
		}
		if (!*p)
			break;
	}
}
