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

void say(struct session *s, enum say kind, const char *fmt, ...) ATTR_PRINTF(3, 4);

/* The trace of the session in a file, which session_read() builds the machine around; borrowed. */
void session_set_trace(struct session *s, struct trace *t);
/* A person is at the front end (session_ui.interactive). */
bool session_is_interactive(const struct session *s);
/* References go to the user's cache and come from there. */
void session_keep_references(struct session *s);

/* The session becomes that of the file; its trace is that of the file. all: the machine, too,
 * which else has to be the same. -1 with e: nothing changed. */
int session_read(struct session *s, const char *path, bool all, struct err *e);
/* The path of the trace that a session in a file runs. s reads it, and may be asked to stop. */
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

/* Tables as manual pages want them: calls fn for every command. */
void session_each_command(void (*fn)(void *ctx, const char *group, const char *name,
				     const char *usage, const char *help),
			  void *ctx);

#endif
