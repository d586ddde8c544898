/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmdline.h - a command line as rows: one row is one option, with its name, its letter, its
 * argument, its line of help, and the field of the caller's struct that it fills.
 *
 * The table of getopt_long, the reading, --help, the options in the manual page and the completion
 * of the shells (tools/docgen.c) follow from the rows. To add an option, add a row to those of its
 * subcommand (src/cli/cli_args.c has the program's own) and the code that uses its field. What the
 * manual says beyond the row's help stands in the page after a line ":NAME".
 *
 *     static const struct cmd_option options[] = {
 *             CMD_COUNT("jobs", 'j', "N", struct args, jobs, 1, 4096, "run N in parallel"),
 *             CMD_FLAG("force", 'f', struct args, force, "replace FILE"),
 *             CMD_HELP,
 *             CMD_END,
 *     };
 *
 * What an argument is called says what it is: one of lower-case words separated by '|' is one of
 * these words, MACHINE, STACK, SIZE, THEME, ..., FILE and NAME.csv are completed as such.
 */
#ifndef BASE_CMDLINE_H
#define BASE_CMDLINE_H

#include "ctascope/base.h"
#include "ctascope/err.h"

enum cmd_kind {
	CMD_K_FLAG,   /* the bool becomes true */
	CMD_K_SET,    /* the enum becomes `value` */
	CMD_K_TEXT,   /* the const char * becomes the argument */
	CMD_K_COUNT,  /* the unsigned or uint64_t becomes the argument, from min to max */
	CMD_K_CHOICE, /* the enum becomes the index of the argument among the words of `arg`, or
			 `value` when an optional argument is missing */
	CMD_K_TAKE,   /* take() is called */
	CMD_K_ALIAS,  /* another name of the option in the row above */
	CMD_K_HELP,   /* prints the help and ends */
};

struct cmd_option {
	const char *name; /* without "--"; NULL ends the rows */
	char letter;	  /* 0: none */
	enum cmd_kind kind;
	const char *arg;  /* as shown in the help; NULL: none; "[=N]": optional; for a flag: the
			     argument of the command to which it gives a meaning */
	const char *help; /* @WORD@ in it is filled by cmdline.word */
	size_t field, size;
	uint64_t value, min, max;
	/* text is NULL where an optional argument is missing. 0; 1: leave with status 0; -1 with e,
	 * which says what was expected. */
	int (*take)(void *args, const struct cmd_option *o, const char *text, struct err *e);
};

#define CMD_FIELD(struct_, member) \
	.field = offsetof(struct_, member), .size = sizeof(((struct_ *)0)->member)
#define CMD_FLAG(name_, letter_, struct_, member, help_)                                   \
	{                                                                                  \
		.name = (name_), .letter = (letter_), .kind = CMD_K_FLAG, .help = (help_), \
		CMD_FIELD(struct_, member)                                                 \
	}
/* A flag that gives a meaning to an argument of the command; the help shows that argument. */
#define CMD_FLAG_OF(name_, letter_, arg_, struct_, member, help_)                        \
	{                                                                                \
		.name = (name_), .letter = (letter_), .kind = CMD_K_FLAG, .arg = (arg_), \
		.help = (help_), CMD_FIELD(struct_, member)                              \
	}
#define CMD_SET(name_, letter_, struct_, member, value_, help_)                           \
	{                                                                                 \
		.name = (name_), .letter = (letter_), .kind = CMD_K_SET, .help = (help_), \
		.value = (value_), CMD_FIELD(struct_, member)                             \
	}
#define CMD_TEXT(name_, letter_, arg_, struct_, member, help_)                           \
	{                                                                                \
		.name = (name_), .letter = (letter_), .kind = CMD_K_TEXT, .arg = (arg_), \
		.help = (help_), CMD_FIELD(struct_, member)                              \
	}
#define CMD_COUNT(name_, letter_, arg_, struct_, member, min_, max_, help_)               \
	{                                                                                 \
		.name = (name_), .letter = (letter_), .kind = CMD_K_COUNT, .arg = (arg_), \
		.help = (help_), .min = (min_), .max = (max_), CMD_FIELD(struct_, member) \
	}
#define CMD_CHOICE(name_, letter_, arg_, struct_, member, value_, help_)                   \
	{                                                                                  \
		.name = (name_), .letter = (letter_), .kind = CMD_K_CHOICE, .arg = (arg_), \
		.help = (help_), .value = (value_), CMD_FIELD(struct_, member)             \
	}
#define CMD_TAKE(name_, letter_, arg_, take_, value_, help_)                             \
	{                                                                                \
		.name = (name_), .letter = (letter_), .kind = CMD_K_TAKE, .arg = (arg_), \
		.help = (help_), .take = (take_), .value = (value_)                      \
	}
/* Another name of the option in the row above it. */
#define CMD_ALIAS(name_, letter_)                                         \
	{                                                                 \
		.name = (name_), .letter = (letter_), .kind = CMD_K_ALIAS \
	}
#define CMD_HELP                                                                             \
	{                                                                                    \
		.name = "help", .letter = 'h', .kind = CMD_K_HELP, .help = "print this help" \
	}
#define CMD_END              \
	{                    \
		.name = NULL \
	}

struct cmd_section {
	const char *title; /* of its part of the help; NULL: none */
	const struct cmd_option *rows;
};

#define CMD_MOST_SECTIONS 6

struct cmdline {
	const char *name;  /* of the subcommand; "": the program's own command line */
	const char *usage; /* a line for each form, without the name of the program */
	const char *about; /* text of the help before the options */
	struct cmd_section section[CMD_MOST_SECTIONS]; /* ends where rows is NULL */
	const char *tail;			       /* text of the help after them, or NULL */
	bool stops; /* the first word that is not an option ends the options; the rest belongs to
		       another program */
	const struct cmdline *help; /* whose help is printed; NULL: this one's */
	/* The text for @NAME@ in help texts; NULL: it stays unchanged. May be NULL. */
	const char *(*word)(const char *name, char *buf, size_t size);
};

/* Reads the options into args, the caller's struct. Returns -1 to continue with argv[*first],
 * where the words that are not options are; otherwise the exit status, after printing everything.
 * argv[0] is the name of the subcommand or the program. */
int cmdline_read(const struct cmdline *c, int argc, char **argv, void *args, int *first);

/* Prints a mistake in the command line and how to get help; returns 2, the exit status. */
int cmdline_usage(const struct cmdline *c, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* Finds the option of a word such as -o, -oX, --output or --output=X, including aliases; NULL:
 * none. *is_apart: the next word is its argument. */
const struct cmd_option *cmdline_find(const struct cmdline *c, const char *word, bool *is_apart);

/* The i-th row of all sections; NULL after the last one. */
const struct cmd_option *cmdline_row(const struct cmdline *c, unsigned i);

/* The help of a row with its @WORD@s filled in, followed by its other names: "...; also -s,
 * --set". */
void cmdline_help_of(const struct cmdline *c, const struct cmd_option *o, char *buf, size_t size);

/* How an option takes its argument, in getopt's terms. */
enum cmd_argument { CMD_NO_ARGUMENT, CMD_NEEDS_ARGUMENT, CMD_MAY_HAVE_ARGUMENT };
enum cmd_argument cmd_argument_of(const struct cmd_option *o);

void cmdline_print_help(const struct cmdline *c);

#endif
