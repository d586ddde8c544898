/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script.h - private to src/session: scripts: blocks, user-defined commands, variables, printf.
 */
#ifndef SESSION_SCRIPT_H
#define SESSION_SCRIPT_H

#include "ctascope/session.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "eval/eval.h"
#include "session/block.h"

/* Most scripts that source scripts, and commands that eval runs, within each other. */
#define MAX_NESTING 16
#define MAX_PARTIAL 65536 /* most characters of an unfinished line of printf */

struct offer;
struct user_command;
struct variable;

struct session_script {
	unsigned depth;	       /* nested calls of session_exec() */
	unsigned nesting;      /* nested scripts */
	FILE *input;	       /* standard input; NULL: not read yet */
	const char *file;      /* the running script; NULL: none */
	unsigned line;	       /* its current line */
	char *repeat;	       /* the line that Enter repeats; NULL: none */
	struct block *pending; /* the commands of the stop just hit; NULL: none */
	bool in_commands;      /* the commands of a stop are running */
	struct block *open;    /* the construct being typed; NULL: none */
	unsigned open_nesting; /* the nesting at which it began */
	char *asking; /* the line that the open question is about; NULL: none is open (ask.c) */
	char question[120]; /* the question */
	bool is_typed;	    /* a person typed the current line, and it is in no block */
	bool is_confirmed;  /* that person answered its question with yes */
	double ticked;	    /* wall clock of the last tick of a loop */
	struct user_command **user;
	unsigned n_user, user_depth, evals;
	struct variable *variable;
	unsigned n_variables;
	struct strbuf partial;	       /* the unfinished line of printf */
	unsigned expected, unexpected; /* how many times `expect` was executed, and failed */
};

/* The arguments of the user-defined command that is running. */
#define USER_ARGS 10
struct user_call {
	unsigned argc;
	struct span arg[USER_ARGS];
};

/* Executes one command, or takes the next line of a construct. typed: Enter may repeat it. */
enum session_status session_do(struct session *s, const char *text, bool typed);
/* Executes the lines from..to of a block; call NULL: without arguments. */
enum session_status script_run(struct session *s, const struct block *b, unsigned from, unsigned to,
			       const struct user_call *call);
/* Whether the current script or commands must end because the commands of another stop are to run.
 */
bool script_gives_way(const struct session *s);
void script_drop_pending(struct session *s);
/* Runs the commands of the stop just hit. */
enum session_status script_do_pending(struct session *s);

/* Takes the next line of the construct being collected. script_collect.c */
enum session_status script_collect(struct session *s, const char *line);
/* Ends the lines of a script, or those that eval made. An open construct is dropped, which is an
 * error; it is printed unless the lines ended early. */
enum session_status script_end_lines(struct session *s, enum session_status status, bool whole);
void script_drop_open(struct session *s);
/* Stores the lines of the body whose head is line `at` of b, with its arguments substituted. */
enum session_status script_do_body(struct session *s, const struct block *b, unsigned at,
				   const char *head, const struct user_call *call);
/* Copies the line and replaces "$arg0" and "$argc". */
enum session_status script_substitute(struct session *s, const char *text,
				      const struct user_call *call, struct strbuf *out);
/* commands_stop() returns the stop that "commands [N]" names, or 0 after printing an error;
 * commands_set() sets its lines. cmd_stop.c */
unsigned commands_stop(struct session *s, const char *head);
enum session_status commands_set(struct session *s, unsigned stop, const struct block *b,
				 unsigned at, const struct user_call *call);

/* User-defined commands. script_define.c */
struct user_command *user_find(const struct session *s, const char *name, bool whole);
enum session_status user_call(struct session *s, const struct user_command *u, const char *args);
/* Prints an error if the name cannot be defined. */
enum session_status user_check_name(struct session *s, const char *name);
int user_name_ok(const char *name, struct err *e); /* the same with an error in e */
/* Returns the name, body and help of the i-th command; NULL if there are fewer. */
const char *user_at(const struct session *s, unsigned i, const struct block **body,
		    const char **help);
enum session_status user_define(struct session *s, const char *name, struct block *body);
enum session_status user_document(struct session *s, const char *name, char *text);
enum session_status user_show(struct session *s, const char *name); /* NULL: all */
/* NULL: all, one line each. */
void user_help(struct session *s, const struct user_command *u);
void user_offer(struct offer *o);
void user_free(struct session *s);

/* Variables, whose names begin with '$'. script_vars.c */
struct eval_names script_names(struct session *s);
/* Executes "$x = EXPR". */
enum session_status script_set(struct session *s, const char *text);
bool script_is_name(const char *name); /* whether a variable may have this name */
/* Creates the variable or changes its value, and takes over the value's memory. Returns -1 if there
 * is no room or no memory. */
int script_put(struct session *s, const char *name, struct value *v);
/* Returns the name and value of the i-th variable, NULL if there are fewer. */
const char *script_variable_at(const struct session *s, unsigned i, const struct value **v);
enum session_status script_show_variables(struct session *s);
/* Calls fn for the names in expressions that are neither paths of the machine nor the user's
 * variables. A word in capitals stands for what the user fills in: "stop.is(EVENT)". */
void session_each_variable(struct session *s,
			   void (*fn)(void *ctx, const char *name, const char *help), void *ctx);
void script_offer_variables(struct offer *o);
void script_free_variables(struct session *s);

/* Writes variables and commands as text, and reads them; s NULL: only checks the text.
 * script_file.c */
void script_write(const struct session *s, struct strbuf *out);
int script_read(struct session *s, const char *text, struct err *e);

/* Formats "fmt", EXPR... as printf does. script_format.c */
enum session_status script_format(struct session *s, const char *verb, const char *text,
				  struct strbuf *out);

#endif
