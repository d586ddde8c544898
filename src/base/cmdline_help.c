/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmdline_help.c - --help, made of the rows: the options left in a column, their help right of it,
 * wrapped.
 */
#include "base/cmdline.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 80
#define MOST_LEFT 27 /* a longer option has its help on the next line */

static void
append_text(char *buf, size_t size, const char *text, size_t n)
{
	size_t used = strlen(buf);

	snprintf(buf + used, size - used, "%.*s", (int)n, text);
}

/* Appends text with its @WORDs@ filled in. */
static void
append_filled(const struct cmdline *c, const char *text, char *buf, size_t size)
{
	char name[32], word[300];

	while (*text) {
		size_t n = strcspn(text, "@"), k = text[n] ? strcspn(text + n + 1, "@") : 0;
		const char *filled = NULL;

		append_text(buf, size, text, n);
		text += n;
		if (!*text)
			return;
		if (k && k + 3 < sizeof(name) && c->word) {
			snprintf(name, sizeof(name), "%.*s", (int)k + 2, text);
			filled = c->word(name, word, sizeof(word));
		}
		if (filled)
			append_text(buf, size, filled, strlen(filled));
		else
			append_text(buf, size, text, 1);
		text += filled ? k + 2 : 1;
	}
}

void
cmdline_help_of(const struct cmdline *c, const struct cmd_option *o, char *buf, size_t size)
{
	const char *before = "; also ";
	char names[80];

	buf[0] = '\0';
	append_filled(c, o->help, buf, size);
	for (const struct cmd_option *also = o + 1; also->name && also->kind == CMD_K_ALIAS;
	     also++) {
		snprintf(names, sizeof(names), "%s-%c, --%s", before, also->letter, also->name);
		if (!also->letter)
			snprintf(names, sizeof(names), "%s--%s", before, also->name);
		append_text(buf, size, names, strlen(names));
		before = ", ";
	}
}

/* "  -j, --jobs=N" */
static void
make_left(const struct cmd_option *o, char *buf, size_t size)
{
	char letter[5] = "    ";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	snprintf(buf, size, "  %s--%s%s%s", letter, o->name,
		 !o->arg	    ? ""
		 : o->arg[0] != '[' ? "="
		 : o->arg[1] == '=' ? ""
				    : " ",
		 o->arg ? o->arg : "");
}

/* Text from column `at` on; the first line is at `at` already. */
static void
print_wrapped(const char *text, int at)
{
	int column = at;

	while (*text) {
		int n = (int)strcspn(text, " ");

		if (column > at && column + 1 + n > WIDTH - 1) {
			printf("\n%*s", at, "");
			column = at;
		} else if (column > at) {
			putchar(' ');
			column++;
		}
		printf("%.*s", n, text);
		column += n;
		text += n;
		text += strspn(text, " ");
	}
	putchar('\n');
}

static int
left_column(const struct cmdline *c)
{
	const struct cmd_option *o;
	char left[120];
	int most = 0;

	for (unsigned i = 0; (o = cmdline_row(c, i)); i++)
		if (o->kind != CMD_K_ALIAS) {
			make_left(o, left, sizeof(left));
			most = MAX(most, MIN((int)strlen(left), MOST_LEFT));
		}
	return most + 2;
}

static void
print_text(const struct cmdline *c, const char *text)
{
	char filled[4000] = "";

	append_filled(c, text, filled, sizeof(filled));
	fputs(filled, stdout);
}

void
cmdline_print_help(const struct cmdline *c)
{
	const char *before = "Usage: ctascope";
	int column = left_column(c);
	char left[120], help[1000];

	for (const char *form = c->usage; *form;) {
		int n = (int)strcspn(form, "\n");

		printf("%s%s%.*s\n", before, n ? " " : "", n, form);
		before = "   or: ctascope";
		form += n;
		form += *form == '\n';
	}
	print_text(c, c->about);
	putchar('\n');
	for (const struct cmd_section *s = c->section;
	     s < c->section + CMD_MOST_SECTIONS && s->rows; s++) {
		if (s->title)
			printf("%s:\n", s->title);
		for (const struct cmd_option *o = s->rows; o->name; o++) {
			if (o->kind == CMD_K_ALIAS)
				continue;
			make_left(o, left, sizeof(left));
			cmdline_help_of(c, o, help, sizeof(help));
			if ((int)strlen(left) > column - 2)
				printf("%s\n%*s", left, column, "");
			else
				printf("%-*s", column, left);
			print_wrapped(help, column);
		}
	}
	if (c->tail) {
		putchar('\n');
		print_text(c, c->tail);
	}
}
