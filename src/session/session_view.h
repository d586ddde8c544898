/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_view.h - what the user looks at: core, warp, CTA, cycles, displays; values as text.
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
	struct expr *expr; /* NULL: means nothing with this machine */
};

/* What `find` found on a branch, as cycles in order. */
#define HITS_MOST 65536
struct session_find {
	char text[256]; /* "": nothing was looked for */
	cycle_t *hit;
	unsigned n, room, branch;
};

struct session_view {
	unsigned core, warp, mem; /* focus */
	int64_t cta;		  /* -1: none */
	cycle_t from, to;	  /* selected; to 0: nothing */
	uint32_t list_at;	  /* where `list` goes on: an instruction or a line; 0: anew */
	uint32_t list_file;	  /* the file of the line, as in inst.file; 0: instructions */
	unsigned list_kernel;

	struct session_find find;
	struct display *display;
	unsigned n_displays, next_display;
};

/* "from..to", either end may be missing: then it stays; or the word selection. */
int read_cycles(struct session *s, const char *word, cycle_t *from, cycle_t *to, struct err *e);
void session_show_displays(struct session *s);
void session_say_stats(struct session *s, enum say kind);
void session_bind_displays(struct session *s);
int session_check_expr(struct session *s, const char *text, struct err *e); /* -1: it is none */
bool session_is_event(const char *text);				    /* not an expression */
void session_forget_find(struct session *s);
void session_rebind(struct session *s); /* stops and displays, after a change of the policy stack */
/* Evaluates text and writes its value; SESSION_ERROR said already. */
enum session_status session_eval(struct session *s, const char *text, struct value *v);
bool session_holds(const struct value *v); /* as a condition */

#endif
