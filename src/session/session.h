/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session.h - what the command line and the prompt need of a session beyond the contract
 * ctascope/session.h: files of sessions, options by name, races and comparisons.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "ctascope/session.h"

struct optdb;
struct race_stacks;
struct value;

void say(struct session *s, enum say kind, const char *fmt, ...) ATTR_PRINTF(3, 4);
/* Prints an error, in a script with its place; returns SESSION_ERROR. */
enum session_status say_err(struct session *s, const struct err *e);

/* The trace of the session in a file, which session_read() builds the machine around; borrowed. */
void session_set_trace(struct session *s, struct trace *t);
/* A person is at the front end (session_ui.interactive). */
bool session_is_interactive(const struct session *s);
/* References go to the user's cache and come from there. */
void session_keep_references(struct session *s);

/* The session becomes that of the file; its trace is that of the file. all: the machine, too,
 * which else has to be the same. -1 with e: nothing changed. */
int session_read(struct session *s, const char *path, bool all, struct err *e);
/* The path of the trace that a session in a file runs. s reads it, and may be asked to stop. -1
 * with e: the file is damaged, or another build wrote it. */
int session_file_workload(struct session *s, const char *path, char *workload, size_t size,
			  struct err *e);
/* The program ends in the middle of a command: writes the session if it can be, and says where. */
void session_autosave_now(struct session *s);
/* The session ends: writes it once more if a signal ends it; removes the file, but never after a
 * signal. */
void session_autosave_end(struct session *s);
void session_autosave_drop(struct session *s);
/* Takes the newest file of a process that is gone: from now on it is this session's own, at path.
 * -1 with e: there is none, or other processes have them. */
int session_autosave_take(struct session *s, char *path, size_t size, struct err *e);
/* Where the program keeps NAME between runs, in a folder that is made; -1: no place is known. */
int session_state_path(const char *name, char *path, size_t size);

/* The full name of an option given in full or by its unique last part ("skip"); e when unknown. */
int session_option(struct session *s, const char *typed, char *key, size_t size, struct err *e);
struct optdb *session_option_db(struct session *s, const char *key);

/* Races on the workload of the session, with its options: shown by the front end, or run to the end
 * with a line of progress; then its table. csv NULL: no file. cmd_race.c */
enum session_status session_race(struct session *s, const struct race_stacks *stacks,
				 const char *csv);

/* Says what differs in two tables of finished runs, and whether anything does; column NULL: the
 * usual. cmd_compare.c */
enum session_status session_compare(struct session *s, const char *a, const char *b,
				    const char *column, bool *differ);

/* Any one of names that word is or uniquely begins; -1 with e naming the nearest. what: "table". */
int pick_name(const char *what, const char *word, const char *const *names, unsigned n,
	      struct err *e);

/* ---------------------------------------------------------------- a teacher (src/teach) */

/* Kinds of lines of a lesson's text. */
enum lesson_line {
	LESSON_TITLE, /* the first one: the lesson, and how many tasks are done */
	LESSON_HEADING,
	LESSON_TEXT,
	LESSON_DONE,  /* a task or question that was passed */
	LESSON_WRONG, /* or not */
	LESSON_OPEN,  /* the one that waits for the student */
	LESSON_NOTE   /* a hint, a comment on an answer, an explanation */
};
typedef void lesson_line_fn(void *to, enum lesson_line kind, const char *line);

/* What gives lessons in a session; every hook is called with ctx, none while another runs. */
struct session_teacher {
	void *ctx;
	/* `lesson ARGS` was typed. */
	enum session_status (*command)(void *ctx, const char *args);
	/* A line was typed: true: it was the answer to a question, and is no command. */
	bool (*takes)(void *ctx, const char *line, enum session_status *status);
	/* A command is about to move the machine through time; -1 with e: it may not now. */
	int (*allows)(void *ctx, struct err *e);
	/* A command was executed, also one of a script; and a typed line with all that it did. */
	void (*after_command)(void *ctx, const char *line, enum session_status status);
	void (*after_line)(void *ctx);
	/* Calls fn for the words that may follow `lesson`. */
	void (*words)(void *ctx, void (*fn)(void *to, const char *word), void *to);
	/* Calls fn for each line of the open lesson down to its open task, at that width. */
	void (*text)(void *ctx, unsigned width, lesson_line_fn *fn, void *to);
	/* Returns a number of the question that waits for an answer, 0 if there is none. */
	unsigned (*question)(void *ctx);
	/* A lesson is open: messages about branches and policies are left out. */
	bool hides_chatter;
};
void session_set_teacher(struct session *s, const struct session_teacher *t); /* copied */

/* For the screen: what the hooks above say, nothing if no lesson is open. */
bool session_has_lesson(const struct session *s);
void session_lesson_text(struct session *s, unsigned width, lesson_line_fn *fn, void *to);
unsigned session_lesson_question(struct session *s);

/* The session restarts with another machine and workload, both borrowed; stops, displays, branches,
 * marks and the focus are gone, variables stay. -1 with e: nothing has changed. */
int session_restart(struct session *s, struct config *c, struct trace *t, struct err *e);
/* The value of an expression, without a message; -1 with e: it is none, or it names something that
 * does not exist now. The caller frees v. */
int session_evaluate(struct session *s, const char *text, struct value *v, struct err *e);
/* While muted, the session prints errors only. Mutes nest. */
void session_mute(struct session *s);
void session_unmute(struct session *s);
/* Does the line begin with a command of the screen? And is there a screen that draws? */
bool session_is_screen_command(const char *line);
bool session_has_screen(const struct session *s);
/* Is `line` the command `wanted` with, perhaps, more words? Names in full or as they may be
 * shortened: "i po" is "info power". */
bool session_same_command(const char *line, const char *wanted);

/* Tables as manual pages want them: calls fn for every command. */
void session_each_command(void (*fn)(void *ctx, const char *group, const char *name,
				     const char *usage, const char *help),
			  void *ctx);

#endif
