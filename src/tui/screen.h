/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * screen.h - the full screen without a terminal: what it shows, and what keys and screen commands
 * do.
 *
 * A struct screen holds the state of the view (panes, time axis, cursor, theme, scroll positions)
 * and draws it into a canvas. It uses neither curses nor readline: the driver (tui.c) passes it key
 * codes and the text of the command line, and so do the tests. Each key stands for a command line
 * (keys.def): one of the screen commands below or a command of the session.
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
#include "tui/lesson_text.h"
#include "tui/mouse.h"
#include "tui/page.h"
#include "tui/paint.h"
#include "tui/replay.h"
#include "tui/theme.h"
#include "tui/time_axis.h"
#include "tui/twin_view.h"
#include "tui/view.h"

enum screen_mode {
	MODE_KEYS,   /* single keys */
	MODE_PROMPT, /* the command line */
	MODE_SEARCH  /* the command line reads a text to find in the log */
};

/* The command line as the line editor has it, measured in columns, not bytes. */
struct screen_line {
	char prompt[128];
	char text[4096];    /* UTF-8; control characters are already visible (^J) */
	int cursor;	    /* columns of text before the cursor */
	char *const *popup; /* completions, borrowed; NULL: none */
	unsigned n_popup;
};

#define BOOKMARKS 26

/* What a cell of a strip shows if it stands for several cores; with FOLD_OFF there is none, and the
 * strip scrolls. */
enum screen_fold { FOLD_MEAN, FOLD_MAX, FOLD_OFF /* nothing: the strip scrolls */ };

/* The columns of the time axis between where the button was pressed and the pointer. */
struct screen_drag {
	bool down, moved;
	int from, to;
	int x;		/* left edge of the pane in which it began */
	cycle_t cursor; /* the cursor before the drag */
};

/* The number typed before a key. A first digit chose a layout; here is what was shown before. */
struct key_count {
	unsigned n; /* 0: none */
	bool shown; /* it has several digits: it waits for its key */
	double typed_at;
	unsigned want;
	struct pane_view *pane, *front;
};

/* The letters typed as keys that may be a command (key_word.c), and what was shown before them. */
struct key_word {
	char text[32];
	unsigned n; /* 0: none */
	double typed_at;
	bool was_running, had_stop; /* had_stop: on the core in focus */
	const void *machine;	    /* the place before its first letter (session_place()), */
	unsigned branch, changes;   /* and the number of changes of the branch */
	cycle_t at;
	bool waits; /* what its letters did to the run is taken back when that has stopped */
	unsigned want, core;
	struct pane_view *pane, *front;
	struct view_range range;
	struct theme theme;
	uint64_t mark_kinds;
	cycle_t cursor, select_from;
};

struct screen {
	struct session *session;
	struct theme theme;
	enum depth depth;
	bool unicode, no_braille;
	struct painter painter;
	struct canvas *canvas;
	struct layout layout;
	unsigned want;	   /* index into layout_rows */
	char lacking[100]; /* panes of the layout that this size has no room for; "": none */
	struct keymap keymap;

	struct pane_view view[VIEWS_MAX]; /* the views of pane_table, in its order, then others */
	struct pane_view *pane;		  /* active */
	struct pane_view *front;	  /* the last active view of the main area */
	struct pane_view *before;	  /* the view in front before it; NULL: none */
	struct pane_view *under;	  /* active before a PANE_OVER opened; NULL: none */
	bool was_done;			  /* the run had ended before the present command */
	/* The views in the places of the layout. */
	struct pane_view *main[LAYOUT_MAIN], *side[LAYOUT_SIDE];
	unsigned n_side;
	struct page *page; /* the page that has the whole screen; NULL: the session has it */
	uint64_t frames;   /* frames drawn so far */
	bool help;
	int help_top, help_rows;
	int help_hit; /* the line that a search found; -1: none */
	struct axis axis;
	struct replay replay;
	struct twin_view twin;
	unsigned top_core;
	enum screen_fold fold;
	struct axis_marks marks;
	int spotlight;		     /* the only core that panes do not dim; -1: none */
	cycle_t bookmark[BOOKMARKS]; /* of the letters a to z; 0: not set */

	struct screen_drag drag;
	cycle_t select_from; /* a selection begins here and follows the cursor; CYCLE_NEVER: none */
	bool searched_time;  /* the last search was one in time */
	struct lesson_text lesson;

	char command[200]; /* the last command, which is the title of its result */
	unsigned log_from,
		log_to; /* lines of the last command's result, shown large while log_open is set */
	unsigned said;	/* lines printed since screen_before(); the driver counts them here */
	bool log_open;
	unsigned log_back; /* lines that the log is scrolled back from the newest */
	unsigned log_seen; /* the first line below those of the result that the last frame shows */
	char search[128];

	enum screen_mode mode;
	char prefill[160]; /* what the command line begins with; "": nothing */
	bool keeps_prompt; /* commands do not close the command line, because "::" opened it */
	struct screen_line line;
	char notice[320]; /* one message in place of the keys, until the next key */
	int prefix;	  /* g, m or ', waiting for another key */
	double key_at;	  /* when the present key was typed, in seconds; 0: unknown */
	struct key_count count;
	struct key_word word;

	double budget; /* share of the processor time that frames may use while the model runs */

	/* Requests of a screen command to the driver, which clears them. */
	bool want_redraw, want_leave, want_pause;
	int cursor_x, cursor_y; /* position in the command line; -1: hidden */
};

/* Sets everything to its initial state. Borrows the session. */
void screen_init(struct screen *s, struct session *session, const struct theme *t, enum depth depth,
		 bool unicode);
void screen_free(struct screen *s);
void screen_resize(struct screen *s, int w, int h);
void screen_draw(struct screen *s);

/* Returns the command line bound to a key now, "" if another key must follow (the first g of gg),
 * or NULL for an unknown key. */
const char *screen_key(struct screen *s, int key, char *buf, size_t size);

void screen_mouse(struct screen *s, const struct mouse *m);

/* Executes a screen command: 1 done, 0 not a screen command, -1 an error (e says which). */
int screen_command(struct screen *s, const char *line, struct err *e);
/* Returns the i-th screen command that is valid in that situation and has help, NULL after the
 * last. */
struct screen_row {
	const char *name, *usage, *help;
};
const struct screen_row *screen_row(unsigned i, enum key_when when);

enum key_when screen_when(const struct screen *s); /* the situation now: one bit */

/* Lists the words that can follow a screen command besides those of its usage: names of panes, or
 * after "pane heat" what that pane can show. */
void screen_each_word(const char *command, void (*fn)(void *to, const char *word), void *to);

/* Call these around a session command. Its output is shown large if it is longer than the log. */
void screen_before(struct screen *s, const char *command);
void screen_after(struct screen *s);

/* Opens a PANE_OVER over the others, and closes whichever is open. */
void screen_open_over(struct screen *s, const struct pane_ops *pane);
void screen_close_over(struct screen *s);

void screen_notice(struct screen *s, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* Call it after a change of theme, depth or unicode. */
void screen_painter(struct screen *s);

/* ---- for panes ---- */

/* The machine to read: the session's, or the one of another cycle that a pane is given (replay.h).
 * NULL: no workload. */
struct sim *screen_sim(const struct screen *s);
/* Writes "k1 left, k2 right", the kernels that run in a cycle, and returns their number. */
unsigned screen_kernels_text(const struct sim *sim, cycle_t at, char *buf, size_t size);
/* The machine at the newest cycle: the session's or, while that side is drawn, its twin's. */
struct sim *screen_machine(const struct screen *s);
unsigned screen_cores(const struct screen *s);
/* Panes draw this core as dots, because the spotlight is on another one. */
bool screen_dims(const struct screen *s, unsigned core);
bool screen_welcomes(const struct screen *s);	      /* the welcome text stands for the panes */
const char *screen_plain_policy(void);		      /* the one that others are compared with */
bool screen_live(const struct screen *s);	      /* the cursor is at the newest cycle */
const char *screen_ipc_label(const struct screen *s); /* of the IPC from the start to the cursor */
/* The closed sample that contains the cursor's cycle, and the one whose levels hold there
 * (columns.h), -1: none. */
int screen_sample(const struct screen *s);
int screen_level_sample(const struct screen *s);
unsigned screen_heat_panes(void);
/* Chooses the panes of the layout and their places on a screen of this size. */
void screen_place(struct screen *s);
/* Returns all panes that the layout names, in its order, whether or not they have a place. */
unsigned screen_layout_panes(struct screen *s, struct pane_view *to[LAYOUT_MAIN + LAYOUT_SIDE]);
/* One pane at a time is shown: Tab brings the next one to the front. */
bool screen_lone(const struct screen *s);
/* Returns decisions at or before the cursor, newest first: call it with *seq = UINT64_MAX, then
 * again for the one before. It returns one per core and cycle: the last, which tells the outcome.
 * core -1: any core. NULL: no more are kept. */
enum decisions {
	DECISIONS_ALL,
	DECISIONS_POLICY /* without CTAs being issued and finishing */,
	DECISIONS_CHANGE /* and only those that changed something */
};
bool screen_is_decision(const struct event *ev, enum decisions which);
const struct event *screen_decision(const struct screen *s, int core, enum decisions which,
				    uint64_t *seq);
double screen_series(const struct screen *s, enum series_core_field f,
		     unsigned core); /* the value at the cursor */

#endif
