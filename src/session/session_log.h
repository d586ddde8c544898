/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_log.h - private to src/session: prints lines and errors, and keeps them in the log and in
 * files.
 */
#ifndef SESSION_SESSION_LOG_H
#define SESSION_SESSION_LOG_H

#include "ctascope/session.h"
#include "base/output.h"
#include "base/strbuf.h"

#define LOG_LINES 4096 /* lines kept for the panes if ui.log_lines does not set another number */

struct said {
	enum say kind;
	char *line;
};

struct session_log {
	struct output *output; /* the file of `log on`; NULL: none */
	char *name;
	bool lost;		  /* memory ran out for something that was to be printed */
	struct cast *cast;	  /* the recording of `record session`; NULL: none */
	struct event_log *events; /* the file of `log events`; NULL: none */
	struct said *said; /* a ring of said_room lines; it holds the lines said_first to n_said */
	unsigned said_room;
	uint64_t said_first;
	uint64_t n_said;
	unsigned mutes;	      /* while not 0, only errors are printed */
	char hinted[96];      /* policies of the last hint about a warp scheduler */
	bool hinted_streams;  /* the trace has one stream, for which several kernels at once do
				 nothing */
	bool hinted_threads;  /* the run uses one thread, although two were asked for */
	char *noted_options;  /* those without effect (unused_options.c); NULL: none */
	char *policy_options; /* those of policies that the user set by name; NULL: none */
};

/* Text may have several lines. */
void say_lines(struct session *s, enum say kind, const char *text);
/* Prints a note about branches and policies, which a lesson leaves out. "": prints nothing. */
void say_chatter(struct session *s, const char *text);
/* Notes that a policy of the stack assumes another warp scheduler, once for the same policies. */
void say_scheduler_hint(struct session *s, const struct config *c);
/* Notes which options of c, the configuration of the run, have no effect, as others lack the value
 * that they need (unused_options.c); and which ones of a lane that c is configured for. */
void say_unused_options(struct session *s, const struct config *c);
void say_unused_of_lane(struct session *s, const struct config *c, const char *lane);
/* Whether the option belongs to a policy of the stack. */
bool session_is_of_stack(const struct config *c, const char *key);
/* All of these, and that several kernels at once need a trace of several streams. */
void session_say_hints(struct session *s);
/* Returns what there is of a text, never NULL. If memory ran out for the rest, the command fails at
 * its end. say_text() prints the text as lines and frees it. */
const char *text_so_far(struct session *s, const struct strbuf *text);
void say_text(struct session *s, enum say kind, struct strbuf *text);
void session_record_line(struct session *s, const char *prompt, const char *line);
enum session_status fail(struct session *s, const char *fmt, ...) ATTR_PRINTF(2, 3);
enum session_status fail_memory(struct session *s);
void session_log_free(struct session *s);
/* Reports, once, that output did not reach the user or the file of `log on`. Returns the status, or
 * an error instead of SESSION_OK. */
enum session_status session_check_said(struct session *s, enum session_status status);
/* Called when the front end or its size has changed during a recording. */
void session_record_front(struct session *s, bool drew);
/* Checks that `log events` has written everything so far; otherwise reports it and closes the file.
 */
enum session_status session_log_events(struct session *s);
void session_say_partial(struct session *s); /* ends the line that printf began */

#endif
