/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.h - private to src/session: the rows of commands and of the topics of `info`, their
 * arguments, and their completion.
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

/* The candidates that Tab offers for a word. A completer offers everything that is allowed there;
 * offer() keeps the candidates that begin like the word. */
struct offer {
	struct session *s;
	const char *verb, *usage; /* of the command */
	char prefix[256];
	/* The part of the word before the name, repeated in every candidate: "core.0.n<". */
	char head[256];
	char **list;
	size_t n, room;
	bool is_path; /* the caller completes file names */
};
struct before {
	unsigned n; /* words between the command and the one being typed */
	char first[64], second[64], last[64];
	bool has_if; /* one of them is "if" */
};
void offer(struct offer *o, const char *text);
void offer_commands(struct offer *o);
/* Completes names of values, options and events. */
void complete_name(struct offer *o, const struct before *b);

enum cmd_flag {
	F_SIM = 1,	/* needs a workload */
	F_REPEAT = 2,	/* Enter repeats it */
	F_FULL = 4,	/* its name cannot be abbreviated */
	F_FORMAT = 8,	/* may have a format: print/x */
	F_TEXT = 16,	/* its text may contain '#', which begins no comment */
	F_LIVE = 32,	/* allowed while the model runs */
	F_CYCLE = 64,	/* typed while the model runs, it is executed at the end of the cycle */
	F_SCREEN = 128, /* from a script, it waits for the screen if one comes */
	F_OUTSIDE = 256 /* reads or writes files, or starts a program or worker */
};

#define CMD_WORDS 4
#define CMD_NAME 32 /* most bytes of a name */
#define CMD_SHORT 2 /* aliases of at most this many letters are abbreviations */
struct cmd_args {
	const char *name;  /* full name of the command */
	const char *typed; /* the name as it was typed: an alias or an abbreviation */
	char fmt;	   /* the 'x' of print/x; 0: none */
	const char *rest;  /* everything after the command */
	bool has_number[CMD_WORDS];
	uint64_t number[CMD_WORDS];
	const char *word[CMD_WORDS]; /* NULL: not given */
};

struct cmd_row {
	const char *name, *aliases; /* aliases, separated by blanks; "": none */
	enum cmd_group group;
	/* One letter per argument, a capital if it is optional: n number, w word, f file name, r
	 * rest. */
	const char *letters;
	const char *usage;
	void (*complete)(struct offer *o, const struct before *b);
	enum session_status (*fn)(struct session *s, struct cmd_args *a);
	const char *help;
	const char *example; /* a line that is typed; the name alone: there is nothing to show */
	unsigned flags;
};
extern const struct cmd_row cmd_rows[];
extern const unsigned n_cmd_rows;

/* Finds a row by name, alias or unique prefix; returns NULL with e, whose kind is ERR_NAME or
 * ERR_NEAR unless the prefix is ambiguous. */
const struct cmd_row *cmd_find(const char *name, struct err *e);
/* Whether `name` is the name or an alias of the command, not abbreviated. */
bool cmd_has_name(const struct cmd_row *r, const char *name);
/* Copies the n-th name of a command (0: its own, then its aliases) and returns false if there are
 * fewer. cmd_next_word() also advances *n and leaves out abbreviations. */
bool cmd_name(const struct cmd_row *r, unsigned n, char name[CMD_NAME]);
bool cmd_next_word(const struct cmd_row *r, unsigned *n, char name[CMD_NAME]);
int cmd_parse(const struct cmd_row *r, char *rest, struct cmd_args *a,
	      struct err *e); /* modifies rest */

/* ---- advice.c: what to type instead of a word of another debugger; NULL: it is not known. */
const char *command_advice(const char *word);
const char *topic_advice(const char *topic);

struct info_row {
	const char *name, *usage;
	void (*complete)(struct offer *o, const struct before *b);
	bool needs_sim;
	enum session_status (*fn)(struct session *s, const char *args);
	const char *help;
};
extern const struct info_row info_rows[];
extern const unsigned n_info_rows;
/* Finds a topic by name or unique prefix; returns NULL with e. */
const struct info_row *info_find(const char *topic, struct err *e);

#define CMD(name, aliases, group, letters, usage, complete, flags, fn, help, example) \
	void complete(struct offer *o, const struct before *b);                       \
	enum session_status fn(struct session *s, struct cmd_args *a);
#define SCREEN(name, flags, usage, complete, words, fn, help, example) \
	void complete(struct offer *o, const struct before *b);
#define INFO(name, usage, complete, needs, fn, help)            \
	void complete(struct offer *o, const struct before *b); \
	enum session_status fn(struct session *s, const char *args);
#include "session/commands.def"
/* Runs every SCREEN row. */
enum session_status cmd_screen(struct session *s, struct cmd_args *a);

/* Removes a comment: '#' at the start of a word, outside of quotes. */
void cut_comment(char *line);
/* Copies the next word of *at into buf, expanding quotes and ~; returns false at the end. */
bool next_word(const char **at, char *buf, size_t size);
#define NAME_TYPED 1024 /* room for arguments with the name of a kernel, even as a signature */
/* Explains what limits N for the running kernel: "limited by threads". cmd_kernels.c */
const char *session_occupancy_limiter(const struct session *s, unsigned kernel, char *buf,
				      size_t size);
/* Expands "~/x" in a file name as the shell would; returns buf. */
const char *session_file_name(const char *word, char *buf, size_t size);

#endif
