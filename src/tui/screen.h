/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen.h - the full screen without a terminal: what is shown, and what keys and screen commands
 * do.
 *
 * A struct screen holds the state of the view (panes, time axis, cursor, theme, scroll positions)
 * and draws it into a canvas. It knows nothing of curses and nothing of readline: the driver
 * (tui.c) hands it key codes and the text of the command line, tests do the same. Whatever a key
 * does is a command line (keys.def), either one of the screen commands below or one of the
 * session's.
 */
#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "ctascope/pane.h"
#include "ctascope/session.h"
#include "tui/axis.h"
#include "tui/canvas.h"
#include "tui/heat.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/mouse.h"
#include "tui/page.h"
#include "tui/paint.h"
#include "tui/theme.h"
#include "tui/time_axis.h"
#include "tui/view.h"

enum screen_mode {
	MODE_KEYS,   /* single keys */
	MODE_PROMPT, /* the command line */
	MODE_SEARCH  /* the command line, for a text to find in the log */
};

/* The command line as the line editor has it: columns, not bytes. */
struct screen_line {
	char prompt[128];
	char text[4096];    /* UTF-8, control characters already visible (^J) */
	int cursor;	    /* columns of text before the cursor */
	char *const *popup; /* completions, borrowed; NULL none */
	unsigned n_popup;
};

#define BOOKMARKS 26

/* What is in a cell of a strip that stands for several cores. */
enum screen_fold { FOLD_MEAN, FOLD_MAX, FOLD_OFF /* nothing: the strip scrolls */ };

/* Columns of the time axis between where the mouse was pressed and where it is. */
struct screen_drag {
	bool down, moved;
	int from, to;
	int x;		/* where the pane it began in stands */
	cycle_t cursor; /* as it was before */
};

struct screen {
	struct session *session;
	struct theme theme;
	enum depth depth;
	bool unicode, no_braille;
	struct painter painter;
	struct canvas *canvas;
	struct layout layout;
	unsigned want; /* the row of layout_rows */
	struct keymap keymap;

	struct pane_view view[VIEWS_MAX]; /* first those of pane_table, in its order */
	struct pane_view *pane;		  /* active */
	struct pane_view *front;	  /* the last active one of the main area */
	struct pane_view *before;	  /* was in front before it; NULL: none */
	struct pane_view *main[LAYOUT_MAIN], *side[LAYOUT_SIDE]; /* in the places of the layout */
	unsigned n_side;
	struct page *page; /* has the screen to itself; NULL: the session has it */
	uint64_t frames;   /* drawn so far */
	bool help;
	int help_top, help_rows;
	struct axis axis;
	unsigned top_core;
	enum screen_fold fold;
	struct axis_marks marks;
	cycle_t bookmark[BOOKMARKS]; /* of a to z; 0: none */

	struct screen_drag drag;

	char command[64]; /* the last one, the title of its result */
	unsigned log_from,
		log_to; /* lines of the last command's result: shown large while log_open */
	unsigned said;	/* lines said since screen_before(); the driver counts them here */
	bool log_open;
	unsigned log_back; /* lines scrolled back from the newest */
	char search[128];

	enum screen_mode mode;
	bool keeps_prompt; /* a command does not leave the command line: it was opened by "::" */
	struct screen_line line;
	char notice[200]; /* one message in the line of keys, until the next key */
	int prefix;	  /* g, m or ' waiting for another key */

	double budget; /* share of the processor time for frames while the model runs */

	/* What a screen command asks the driver to do; the driver clears them. */
	bool want_redraw, want_leave, want_pause;
	int cursor_x, cursor_y; /* of the command line, -1: hidden */
};

/* Everything at its start. Borrows the session. */
void screen_init(struct screen *s, struct session *session, const struct theme *t, enum depth depth,
		 bool unicode);
void screen_free(struct screen *s);
void screen_resize(struct screen *s, int w, int h);
void screen_draw(struct screen *s);

/* The command line bound to a key now, "" for none yet (the first g of gg), NULL for unknown. */
const char *screen_key(struct screen *s, int key, char *buf, size_t size);

void screen_mouse(struct screen *s, const struct mouse *m);

/* Does a screen command: 1 done, 0 not a screen command, -1 wrong (e says why). */
int screen_command(struct screen *s, const char *line, struct err *e);
/* The i-th command of the screen that is valid then and has help, NULL behind the last. */
struct screen_row {
	const char *name, *usage, *help;
};
const struct screen_row *screen_row(unsigned i, enum key_when when);

enum key_when screen_when(const struct screen *s); /* now: one bit */

/* The words that can follow a screen command beside those of its usage: names of panes, or, after
 * "pane heat", of what that pane can be shown. */
void screen_each_word(const char *command, void (*fn)(void *to, const char *word), void *to);

/* Around a session command: what it says is shown large when it is longer than the log. */
void screen_before(struct screen *s, const char *command);
void screen_after(struct screen *s);

void screen_notice(struct screen *s, const char *fmt, ...) ATTR_PRINTF(2, 3);
void screen_painter(struct screen *s); /* after a change of theme, depth or unicode */

/* ---- for panes ---- */

struct sim *screen_sim(const struct screen *s); /* NULL: no workload */
unsigned screen_cores(const struct screen *s);
bool screen_live(const struct screen *s);  /* the cursor is at the newest */
int screen_sample(const struct screen *s); /* the closed sample looked at, -1 none */
unsigned screen_heat_panes(void);
/* The panes of the layout and their places on a screen of this size. */
void screen_place(struct screen *s);
/* All that the layout names, in its order, whether or not there is place for it. */
unsigned screen_layout_panes(struct screen *s, struct pane_view *to[LAYOUT_MAIN + LAYOUT_SIDE]);
bool screen_lone(const struct screen *s); /* one pane at a time: Tab brings the next in front */
/* Decisions at or before the cursor, newest first: call with *seq = UINT64_MAX, then again for the
 * one before. One per core and cycle: the last, which says the outcome. core -1: any. NULL: no more
 * are kept. */
enum decisions {
	DECISIONS_ALL,
	DECISIONS_POLICY /* no CTAs coming and going */,
	DECISIONS_CHANGE /* and changed something */
};
const struct event *screen_decision(const struct screen *s, int core, enum decisions which,
				    uint64_t *seq);
double screen_series(const struct screen *s, enum series_core_field f,
		     unsigned core); /* at the cursor */

#endif
