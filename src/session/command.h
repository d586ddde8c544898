/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.h - the rows of commands and of topics of `info`, their arguments, and their completion.
 */
#ifndef SESSION_COMMAND_H
#define SESSION_COMMAND_H

#include "ctascope/session.h"

enum cmd_group {
	G_RUN,
	G_STOP,
	G_LOG,
	G_LOOK,
	G_FOCUS,
	G_CHANGE,
	G_TIME,
	G_BACK,
	G_BRANCH,
	G_OUT,
	G_SCRIPT,
	G_TEACH,
	G_SCREEN,
	G_HELP,
	CMD_GROUPS
};
extern const char *const cmd_group_names[CMD_GROUPS];

/* What Tab offers for a word: candidates being gathered, and what stands before it. A completer
 * offers whatever may stand there; offer() keeps what begins as the word does. */
struct offer {
	struct session *s;
	const char *verb, *usage; /* of the command */
	char prefix[256];
	char head[256]; /* of the word, put in front of every candidate: "core.0.n<" */
	char **list;
	size_t n, room;
	bool is_path; /* file names, which the caller completes */
};
struct before {
	unsigned n; /* words between the command and the one being typed */
	char first[64], second[64], last[64];
	bool has_if; /* one of them is "if" */
};
void offer(struct offer *o, const char *text);
void offer_commands(struct offer *o);
void complete_name(struct offer *o, const struct before *b); /* values, options and events */

enum cmd_flag {
	F_SIM = 1,	/* needs a workload */
	F_REPEAT = 2,	/* Enter does it again */
	F_FULL = 4,	/* is not found by its beginning */
	F_FORMAT = 8,	/* may have a format: print/x */
	F_TEXT = 16,	/* a '#' begins no comment */
	F_LIVE = 32,	/* may be done while the model runs */
	F_CYCLE = 64,	/* typed while the model runs, it is done at the end of the cycle */
	F_OUTSIDE = 128 /* reads or writes files, or starts a program or worker */
};

#define CMD_WORDS 4
#define CMD_NAME 32 /* bytes of the longest name */
#define CMD_SHORT 2 /* letters of an alias that is no word */
struct cmd_args {
	const char *name;  /* of the command, in full */
	const char *typed; /* the name as it was typed: an alias, or a part of one */
	char fmt;	   /* print/x: 'x', 0: none */
	const char *rest;  /* everything after the command */
	bool has_number[CMD_WORDS];
	uint64_t number[CMD_WORDS];
	const char *word[CMD_WORDS]; /* NULL: not given */
};

struct cmd_row {
	const char *name, *aliases; /* aliases: with blanks between, "" none */
	enum cmd_group group;
	/* One letter per argument, capitals are optional: n number, w word, f file name, r the
	 * rest. */
	const char *letters;
	const char *usage;
	void (*complete)(struct offer *o, const struct before *b);
	enum session_status (*fn)(struct session *s, struct cmd_args *a);
	const char *help;
	unsigned flags;
};
extern const struct cmd_row cmd_rows[];
extern const unsigned n_cmd_rows;

/* The row of a name, an alias or a unique prefix of one; NULL with e. */
const struct cmd_row *cmd_find(const char *name, struct err *e);
bool cmd_has_name(const struct cmd_row *r, const char *name); /* or alias, in full */
/* Copies the n-th name of a command, 0 the row's own, then its aliases; false: there are fewer.
 * cmd_next_word() moves *n behind that and leaves out short forms. */
bool cmd_name(const struct cmd_row *r, unsigned n, char name[CMD_NAME]);
bool cmd_next_word(const struct cmd_row *r, unsigned *n, char name[CMD_NAME]);
int cmd_parse(const struct cmd_row *r, char *rest, struct cmd_args *a,
	      struct err *e); /* cuts rest up */

struct info_row {
	const char *name, *usage;
	void (*complete)(struct offer *o, const struct before *b);
	bool needs_sim;
	enum session_status (*fn)(struct session *s, const char *args);
	const char *help;
};
extern const struct info_row info_rows[];
extern const unsigned n_info_rows;
/* The row of a topic or a unique prefix; NULL with e. */
const struct info_row *info_find(const char *topic, struct err *e);

#define CMD(name, aliases, group, letters, usage, complete, flags, fn, help) \
	void complete(struct offer *o, const struct before *b);              \
	enum session_status fn(struct session *s, struct cmd_args *a);
#define SCREEN(name, flags, usage, complete, words, fn, help) \
	void complete(struct offer *o, const struct before *b);
#define INFO(name, usage, complete, needs, fn, help)            \
	void complete(struct offer *o, const struct before *b); \
	enum session_status fn(struct session *s, const char *args);
#include "session/commands.def"
enum session_status cmd_screen(struct session *s, struct cmd_args *a); /* every SCREEN row */

void cut_comment(char *line); /* '#' at the start of a word, outside of quotes */
/* The next word of *at (quotes and ~ honoured) into buf; false at the end. */
bool next_word(const char **at, char *buf, size_t size);
/* What makes N of the running kernel what it is: "limited by threads". cmd_info.c */
const char *session_occupancy_limiter(const struct session *s, char *buf, size_t size);
/* A file as it was typed: "~/x" as the shell would read it, into buf, which is returned. */
const char *session_file_name(const char *word, char *buf, size_t size);

#endif
