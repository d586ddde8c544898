/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_time.h - private to src/session: moves through the timeline, and the places visited.
 */
#ifndef SESSION_SESSION_TIME_H
#define SESSION_SESSION_TIME_H

#include "ctascope/session.h"
#include "timeline/timeline.h"

struct strbuf;

/* A place that was visited, for `back` and `forward`. */
#define VISITS 256
struct visit {
	struct place place;
	char how[64]; /* the command that led there */
};

/* session_time.c */
/* A setting made before the run began: all options before and after it, as text, and its words. */
struct start_change {
	char *before, *after, *words;
	uint64_t made; /* session_time.made by then, or when it was undone */
};
#define START_CHANGES 32 /* most that are kept */

struct session_time {
	uint64_t changes; /* the version of the timeline's changes that the configuration has */
	struct visit *visit;
	unsigned n_visits, at_visit;
	bool seeking;	       /* the past is being replayed */
	enum choice_role role; /* of the changes that are being made */
	uint64_t made;	       /* numbers all changes in the order in which they are made */
	/* undo left the branch that the change had begun, at left.cycle, for its parent; redo from
	 * there returns to it */
	struct place left;
	unsigned left_for;
	bool has_left;
	uint64_t left_made; /* the number of that undo */
	struct start_change start[START_CHANGES];
	unsigned n_start, n_start_undone; /* those that hold, and after them those undone */
	uint64_t builds, start_build;	  /* machines built; the one to which start[] leads */
	bool quiet_move; /* do not report what a move undoes, because it is done again at once */
	double seek_began, seek_done;
	const char *seek_what; /* the command whose work it is; NULL: a move through time */
	cycle_t seek_to;       /* the end of a search through the past that begins at its start */
};

/* Call session_time_begin() before a run or a move, and session_time_end() after it, which updates
 * the configuration. */
void session_time_begin(struct session *s);
void session_time_end(struct session *s);
void session_seek(struct session *s, bool on); /* call it before and after a move */
/* Writes which options and policies differ from the session's configuration; "" if none do. */
void session_say_undone(struct session *s, struct strbuf *out);
/* Prints and frees it. */
void session_say_changes(struct session *s, struct strbuf *undone);
/* Remembers a setting made before the run began, for undo: the options and the number of the
 * machine before it, and its words. cmd_undo.c */
void session_keep_start_change(struct session *s, const char *before, uint64_t build_before,
			       const char *words);
void session_forget_start_changes(struct session *s);
/* Goes to cycle 0. The present settings hold from there on, and no change of the old run is
 * repeated. */
enum session_status session_start_again(struct session *s);
/* SESSION_OK: the session is at p. */
enum session_status session_goto(struct session *s, struct place p);
/* Records the place after a command. */
void session_visit(struct session *s, const char *how);
void session_visits_forget(struct session *s);
/* Calls fn at another cycle of the present branch, and returns to where the session was. cmd_when.c
 */
enum session_status session_at_cycle(struct session *s, cycle_t cycle,
				     enum session_status (*fn)(struct session *s, void *ctx),
				     void *ctx);
/* Names stops and displays that are invalid on this machine. */
void session_say_lost(struct session *s, struct strbuf *lost);

#endif
