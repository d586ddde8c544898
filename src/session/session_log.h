/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_log.h - what the session says: lines, errors, and the files that keep them.
 */
#ifndef SESSION_SESSION_LOG_H
#define SESSION_SESSION_LOG_H

#include "ctascope/session.h"
#include "base/output.h"
#include "base/strbuf.h"

#define LOG_LINES 4096 /* kept for the panes, unless ui.log_lines says otherwise */

struct said {
	enum say kind;
	char *line;
};

struct session_log {
	struct output *output; /* of `log on`, NULL: none */
	char *name;
	bool lost;		  /* memory ran out for something that was to be said */
	struct cast *cast;	  /* of `record session`, NULL: none */
	struct event_log *events; /* of `log events`, NULL: none */
	struct said *said;	  /* ring of said_room lines, from said_first to n_said */
	unsigned said_room;
	uint64_t said_first;
	uint64_t n_said;
	unsigned mutes; /* errors only are printed */
};

void say_lines(struct session *s, enum say kind, const char *text); /* several lines */
/* A note about branches and policies, which a lesson leaves out; "" is none. */
void say_chatter(struct session *s, const char *text);
/* What was made of a text, never NULL. If memory ran out for the rest, the command fails at its
 * end, and says so. say_text() prints it as lines and frees it. */
const char *text_so_far(struct session *s, const struct strbuf *text);
void say_text(struct session *s, enum say kind, struct strbuf *text);
void session_record_line(struct session *s, const char *prompt,
			 const char *line); /* into the log file */
enum session_status fail(struct session *s, const char *fmt, ...) ATTR_PRINTF(2, 3);
enum session_status fail_memory(struct session *s);
void session_log_free(struct session *s);
/* What was said that did not reach the user or the file of `log on`: said now, once. Returns the
 * status, or an error instead of SESSION_OK. */
enum session_status session_check_said(struct session *s, enum session_status status);
/* The front end has changed during a recording, or its size has. */
void session_record_front(struct session *s, bool drew);
/* `log events` has what happened so far; else it is said, once, and ended. */
enum session_status session_log_events(struct session *s);
void session_say_partial(struct session *s); /* what printf began is a line now */

#endif
