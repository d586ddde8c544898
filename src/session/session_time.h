/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_time.h - time travel: the places one has been, and moving between them.
 */
#ifndef SESSION_SESSION_TIME_H
#define SESSION_SESSION_TIME_H

#include "ctascope/session.h"
#include "timeline/timeline.h"

struct strbuf;

/* Where one has been, for `back` and `forward`. */
#define VISITS 256
struct visit {
	struct place place;
	char how[64]; /* the command that led there */
};

/* session_time.c */
struct session_time {
	uint64_t changes; /* of the timeline, that the configuration follows */
	struct visit *visit;
	unsigned n_visits, at_visit;
	bool seeking;	 /* the past is being replayed */
	bool quiet_move; /* what a move undoes is not said: it is done again at once */
	double seek_began, seek_done;
	cycle_t seek_to; /* of a look through the past from its start */
};

/* Time travel. Before a run or a move: how it is to be done. After it: the configuration follows.
 */
void session_time_begin(struct session *s);
void session_time_end(struct session *s);
void session_seek(struct session *s, bool on); /* around a move */
/* What options and policies are other than the session's configuration says, "" nothing. */
void session_say_undone(struct session *s, struct strbuf *out);
void session_say_changes(struct session *s, struct strbuf *undone); /* and frees it */
/* To cycle 0; what is set now holds from there on, and nothing is changed on the way. */
enum session_status session_start_again(struct session *s);
enum session_status session_goto(struct session *s, struct place p); /* SESSION_OK: one is there */
void session_visit(struct session *s, const char *how);		     /* a command is over */
void session_visits_forget(struct session *s);
/* Does fn at another cycle of the present branch, and is back afterwards. cmd_when.c */
enum session_status session_at_cycle(struct session *s, cycle_t cycle,
				     enum session_status (*fn)(struct session *s, void *ctx),
				     void *ctx);
void session_say_lost(struct session *s, struct strbuf *lost); /* with this machine */

#endif
