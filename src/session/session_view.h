/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_view.h - private to src/session: the focus, the selection and the displays of a session.
 */
#ifndef SESSION_SESSION_VIEW_H
#define SESSION_SESSION_VIEW_H

#include "ctascope/session.h"

struct expr;
struct value;

struct display {
	unsigned id;
	char fmt;
	char *text;
	struct expr *expr; /* NULL: it is invalid on this machine */
};

/* What `find` found on a branch, as cycles in order. */
#define HITS_MOST 65536
struct session_find {
	char text[256]; /* "": nothing was looked for */
	cycle_t *hit;
	unsigned n, room, branch;
};

struct session_view {
	unsigned core, warp, mem; /* the core, warp and memory channel in focus */
	int64_t cta;		  /* the CTA in focus; -1: none */
	cycle_t from, to;	  /* the selected cycles; to 0: none */
	/* Where `list` continues: an instruction or a line; 0: at the warp in focus. */
	uint32_t list_at;
	uint32_t list_file; /* the file of that line, as in inst.file; 0: it is an instruction */
	unsigned list_kernel;

	struct session_find find;
	struct display *display;
	unsigned n_displays, next_display;
};

/* The CTAs of kernel K from 1, or of the largest grid so far where it is 0; grids says so in words.
 */
uint64_t session_count_ctas(struct session *s, uint64_t kernel, char *grids, size_t size);
/* Parses "from..to" or the word `selection`. An end that is missing keeps its value. */
int read_cycles(struct session *s, const char *word, cycle_t *from, cycle_t *to, struct err *e);
/* The same; a range of which no cycle has been run is an error. */
int read_past_cycles(struct session *s, const char *word, cycle_t *from, cycle_t *to,
		     struct err *e);
void session_show_displays(struct session *s);
void session_say_stats(struct session *s, enum say kind);
void session_bind_displays(struct session *s);
/* -1 with e: the expression is invalid. */
int session_check_expr(struct session *s, const char *text, struct err *e);
/* Text names an event or a rule of a policy, as after `break`, so it is no expression. */
bool session_is_event(struct session *s, const char *text);
/* Forgets what `find` found. */
void session_forget_find(struct session *s);
/* Binds stops and displays to the machine again after a change of the policy stack. */
void session_rebind(struct session *s);
/* Evaluates text and stores its value. SESSION_ERROR: the error has been printed. */
enum session_status session_eval(struct session *s, const char *text, struct value *v);
/* Whether a condition with this value is true. */
bool session_holds(const struct value *v);

#endif
