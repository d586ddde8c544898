/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pane.h - the contract of a pane of the full screen.
 *
 * A pane is one file with a const struct pane_ops. It draws data of the session and its machine
 * into a canvas (src/tui/canvas.h). State that outlives a frame (caches, a compiled expression,
 * scroll) belongs to its view (struct pane_view, src/tui/view.h), as a pane may be shown several
 * times with different arguments (`pane heat core.ipc`). A pane uses neither curses nor colours,
 * knows only its own keys, and must work at any size, even one cell.
 *
 * To add a pane:
 *   1. Write src/tui/pane_NAME.c with const struct pane_ops pane_NAME, and add it to the list of
 *      panes in src/tui/module.am. src/tui/pane_ract.c is an example of 30 lines. Colours are roles
 *      (src/tui/roles.def).
 *   2. Fill in read, keys, range and also. They are its page in ctascope-panes(7) and the answer
 *      to `?`.
 *   3. Run tests/tui/pages --update for its example and tests/tui/gallery --update for its
 *      pictures, in three sizes and in 256 colours, 8, none and ASCII. Examine them (--ansi DIR
 *      writes them with colours): they must be readable from a distance.
 */
#ifndef CTASCOPE_PANE_H
#define CTASCOPE_PANE_H

#include "ctascope/base.h"
#include "ctascope/err.h"

struct canvas;
struct pane_view;
struct screen;

/* Where a pane can be. */
enum pane_kind {
	/* A row per core or channel over the shared time axis; Tab selects the next of these. */
	PANE_STRIP,
	PANE_TIME, /* lines and areas over the same time axis */
	PANE_PAGE, /* replaces the strips and needs no time axis */
	PANE_SIDE, /* facts about the core in focus, beside the strips */
	PANE_LOG,
	PANE_OVER /* over the others while it is active; `pane back` closes it */
};

/* What a pane reads of one cycle, which is the cursor's: while that is in the past, the screen
 * gives the pane a machine of that cycle, and the pane draws it as it draws the present. */
enum pane_looks {
	PANE_LOOKS_STATE = 1,	/* the state of the machine */
	PANE_LOOKS_PAST = 2,	/* and what the warps of the core in focus did before: sim_past() */
	PANE_LOOKS_PROFILE = 4, /* sim_profile() */
	/* A pane over time that reads events: another machine only where the events at the cursor
	 * are no longer kept. */
	PANE_LOOKS_EVENTS = 8,
	PANE_LOOKS_TIME = 16 /* set by the screen for every pane over time */
};

struct pane_ops {
	const char *name;  /* the word after `pane` that selects it */
	const char *help;  /* one or two sentences: what it shows and how to read it */
	const char *title; /* of a PANE_OVER: its name and its keys, in one line */
	const char *arg;   /* usage of the argument after the name, such as "SERIES"; NULL: none */
	/* Sentences for its page in ctascope-panes(7), which `?` also prints while the pane is
	 * active. keys and range may be NULL; read and also must not. */
	const char *read;  /* the meaning of rows, columns, colours, letters and numbers */
	const char *keys;  /* its own keys, and the orders of its rows */
	const char *range; /* the range of its colours or its axis */
	const char *also;  /* related commands, "info core, pane gates"; docgen checks them */
	enum pane_kind kind;
	unsigned looks; /* enum pane_looks */
	bool types; /* while it is active it takes every key, letters included */
	/* An enum key_when (src/tui/keys.h): the page that has this pane; 0: the page of a session,
	 * where `pane` brings it to the front. */
	unsigned when;
	unsigned min_w, min_h; /* on less space the layout omits it if it has a choice */
	unsigned best_h;       /* more rows than this are of no use; 0: it uses all it gets */
	unsigned side_from; /* on a narrower screen it has the inspector's columns, too; 0: none */
	/* True if it has something to show in this run; layouts omit it otherwise. NULL: always. */
	bool (*applies)(const struct screen *s);
	/* True if the object that this view shows exists now; NULL: always. */
	bool (*present)(const struct screen *s, const struct pane_view *view);
	/* Calls fn with each word that the argument may contain; NULL: none. */
	void (*words)(void (*fn)(void *to, const char *word), void *to);
	/* Returns the rows of a strip, each of which takes half a row of the screen or more; NULL:
	 * one per core. A PANE_TIME with this function gets the height of such a strip. */
	unsigned (*rows)(const struct screen *s, const struct pane_view *view);
	/* Returns the rows that a PANE_PAGE or PANE_OVER takes on this screen, 0 to omit it; NULL:
	 * it takes the rows that the other panes leave. If fewer than twice as many rows are left,
	 * it gets min_h rows, unless min_h is 0. */
	int (*height)(struct screen *s, struct pane_view *view);
	/* Checks view->arg and prepares view->own; -1 with e. close() frees what open() allocated.
	 * Both may be NULL. */
	int (*open)(struct screen *s, struct pane_view *view, struct err *e);
	void (*close)(struct pane_view *view);
	void (*draw)(struct screen *s, struct pane_view *view, struct canvas *c);
	/* Writes its values at the cursor's time, for the line below the panes; "": none. */
	void (*at)(struct screen *s, struct pane_view *view, char *buf, size_t size);
	/* Writes what `plot` draws for this pane. NULL: its argument or its name, if `plot` draws a
	 * pane of this name; otherwise it has no picture. */
	void (*picture)(const struct screen *s, const struct pane_view *view, char *buf,
			size_t size);
	/* Called when the pane was in the last frame and is not in this one; may be NULL. */
	void (*hidden)(struct screen *s, struct pane_view *view);
	/* Scrolls by lines, down if positive; NULL: it does not scroll. */
	void (*scroll)(struct screen *s, struct pane_view *view, int by);
	/* Handles a click at column x and row y of the pane. NULL: a click on a strip selects its
	 * core and the cycle, and a click on a PANE_PAGE does nothing. */
	void (*click)(struct screen *s, struct pane_view *view, int x, int y);
	/* Changes the order of its rows to the named one, or to the "next"; NULL: it has only one
	 * order. */
	int (*sort)(struct screen *s, struct pane_view *view, const char *order, struct err *e);
	/* Returns a command line for this key while the pane is active, constant or in buf. NULL:
	 * the general key applies. */
	const char *(*key)(struct screen *s, struct pane_view *view, int key, char *buf,
			   size_t size);
};

extern const struct pane_ops *const pane_table[]; /* NULL-terminated, in the order of Tab */

#endif
