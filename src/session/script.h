/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script.h - scripts: blocks, the user's own commands, variables, printf.
 */
#ifndef SESSION_SCRIPT_H
#define SESSION_SCRIPT_H

#include "ctascope/session.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "eval/eval.h"
#include "session/block.h"

#define MAX_NESTING 16	  /* scripts that source scripts, commands made by eval within each other */
#define MAX_PARTIAL 65536 /* characters of a line that printf has begun */

struct offer;
struct user_command;
struct variable;

struct session_script {
	unsigned depth;	       /* of session_exec */
	unsigned nesting;      /* of scripts */
	FILE *input;	       /* standard input, NULL: not read yet */
	const char *file;      /* script under way, NULL: none */
	unsigned line;	       /* in it */
	char *repeat;	       /* what Enter does again, NULL: nothing */
	struct block *pending; /* commands of the stop just hit, NULL: none */
	bool in_commands;      /* of a stop */
	struct block *open;    /* the construct whose lines are being typed, NULL: none */
	unsigned open_nesting; /* the script it began in */
	char *asking;	       /* the line that a question is about, NULL: none is asked (ask.c) */
	char question[120];    /* the question */
	bool is_typed;	       /* a person typed the present line, and it is in no block */
	bool is_confirmed;     /* that person answered its question with yes */
	double ticked;	       /* wall clock of the last tick of a loop */
	struct user_command **user;
	unsigned n_user, user_depth, evals;
	struct variable *variable;
	unsigned n_variables;
	struct strbuf partial;	       /* of printf: the line it has begun */
	unsigned expected, unexpected; /* how often `expect` was asked, and failed */
};

/* The arguments of the user's command under way. */
#define USER_ARGS 10
struct user_call {
	unsigned argc;
	struct span arg[USER_ARGS];
};

/* One command, or the next line of a construct; typed: Enter may repeat it. */
enum session_status session_do(struct session *s, const char *text, bool typed);
/* The lines from..to of a block; call NULL: no arguments. */
enum session_status script_run(struct session *s, const struct block *b, unsigned from, unsigned to,
			       const struct user_call *call);
/* Whatever a stop's commands, or a script, was doing gives way to the commands of another stop. */
bool script_gives_way(const struct session *s);
void script_drop_pending(struct session *s);
enum session_status script_do_pending(struct session *s); /* the commands of the stop just hit */

/* Collecting: the next line of the construct under way. script_collect.c */
enum session_status script_collect(struct session *s, const char *line);
/* The lines of a script, or those that eval made, end: an open construct is given up. That is an
 * error, said unless they ended early. */
enum session_status script_end_lines(struct session *s, enum session_status status, bool whole);
void script_drop_open(struct session *s);
/* Keeps the lines of the body whose head, with its arguments filled in, is line `at` of b. */
enum session_status script_do_body(struct session *s, const struct block *b, unsigned at,
				   const char *head, const struct user_call *call);
/* The line with "$arg0" and "$argc" filled in. */
enum session_status script_substitute(struct session *s, const char *text,
				      const struct user_call *call, struct strbuf *out);
/* The stop that "commands [N]" names, 0: none, which has been said; and its lines. cmd_stop.c */
unsigned commands_stop(struct session *s, const char *head);
enum session_status commands_set(struct session *s, unsigned stop, const struct block *b,
				 unsigned at, const struct user_call *call);

/* Commands of the user's own. script_define.c */
struct user_command *user_find(const struct session *s, const char *name, bool whole);
enum session_status user_call(struct session *s, const struct user_command *u, const char *args);
enum session_status user_check_name(struct session *s, const char *name); /* may be defined */
int user_name_ok(const char *name, struct err *e);			  /* the same, -1: not */
/* The i-th and what it is; NULL: there are fewer. */
const char *user_at(const struct session *s, unsigned i, const struct block **body,
		    const char **help);
enum session_status user_define(struct session *s, const char *name, struct block *body);
enum session_status user_document(struct session *s, const char *name, char *text);
enum session_status user_show(struct session *s, const char *name); /* NULL: all */
void user_help(struct session *s, const struct user_command *u); /* NULL: of all, one line each */
void user_offer(struct offer *o);
void user_free(struct session *s);

/* Variables: names that begin with '$'. script_vars.c */
struct eval_names script_names(struct session *s);
enum session_status script_set(struct session *s, const char *text); /* "$x = EXPR" */
bool script_is_name(const char *name); /* could a variable be called so? */
/* Makes it, or gives it another value, which is taken over. -1: no room, or no memory. */
int script_put(struct session *s, const char *name, struct value *v);
/* The i-th and its value; NULL: there are fewer. */
const char *script_variable_at(const struct session *s, unsigned i, const struct value **v);
enum session_status script_show_variables(struct session *s);
/* The names of expressions that are not paths of the machine, except the user's variables. A word
 * in capitals stands for what the user fills in: "stop.is(EVENT)". */
void session_each_variable(struct session *s,
			   void (*fn)(void *ctx, const char *name, const char *help), void *ctx);
void script_offer_variables(struct offer *o);
void script_free_variables(struct session *s);

/* Variables and commands as text, and back (s NULL: only checks it). script_file.c */
void script_write(const struct session *s, struct strbuf *out);
int script_read(struct session *s, const char *text, struct err *e);

/* "fmt", EXPR... as printf would print it. script_format.c */
enum session_status script_format(struct session *s, const char *verb, const char *text,
				  struct strbuf *out);

#endif
