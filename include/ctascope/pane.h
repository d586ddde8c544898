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
	PANE_STRIP, /* a row per core or channel over the shared time axis: Tab goes through these
		     */
	PANE_TIME,  /* lines and areas over the same time axis */
	PANE_PAGE,  /* takes the place of the strips and needs no time axis */
	PANE_SIDE,  /* facts about the core in focus, beside them */
	PANE_LOG
};

struct pane_ops {
	const char *name; /* what `pane NAME` takes */
	const char *help; /* one or two sentences: what it shows, how to read it */
	const char *arg;  /* usage of what may follow the name: "SERIES"; NULL: nothing */
	/* Its page in ctascope-panes(7), and what `?` says while it is the active one, in
	 * sentences. NULL: there is nothing to say, but of read and also. */
	const char *read;  /* what rows, columns, colours, letters and numbers stand for */
	const char *keys;  /* its own keys, and the orders of its rows */
	const char *range; /* from where to where its colours or its axis reach */
	const char *also;  /* related commands, "info core, pane gates"; docgen checks them */
	enum pane_kind kind;
	/* An enum key_when (src/tui/keys.h): the page that it is part of; 0: of a session, in which
	 * `pane` brings it to the front. */
	unsigned when;
	unsigned min_w, min_h; /* below this the layout leaves it out where it has a choice */
	unsigned best_h;       /* rows beyond which it gains nothing; 0: it uses all it gets */
	/* Whether it has anything to show in this run; NULL: always. Layouts leave it out. */
	bool (*applies)(const struct screen *s);
	/* Whether what this view is of is there now; NULL: always. */
	bool (*present)(const struct screen *s, const struct pane_view *view);
	/* Calls fn with words that the argument may be made of; NULL: none. */
	void (*words)(void (*fn)(void *to, const char *word), void *to);
	/* Rows of a strip, of which each takes half a row of the screen or more; NULL: cores. A
	 * pane over time that has rows gets the height of such a strip. */
	unsigned (*rows)(const struct screen *s, const struct pane_view *view);
	/* Rows that a pane of a page takes on this screen, 0: it is left out; NULL: it takes what
	 * the others leave. It gets min_h of them, unless that is 0, where twice as many are not
	 * left. */
	int (*height)(struct screen *s, struct pane_view *view);
	/* Checks view->arg and prepares view->own; -1 with e. close() gives back what open() took.
	 * Both may be NULL. */
	int (*open)(struct screen *s, struct pane_view *view, struct err *e);
	void (*close)(struct pane_view *view);
	void (*draw)(struct screen *s, struct pane_view *view, struct canvas *c);
	/* What it says of the cursor's time, for the line below the panes; "": nothing. */
	void (*at)(struct screen *s, struct pane_view *view, char *buf, size_t size);
	/* What `plot` draws of it, "" for nothing; NULL: the argument, or the name of the pane. */
	void (*picture)(const struct screen *s, const struct pane_view *view, char *buf,
			size_t size);
	/* It was in the last frame and is not in this one; may be NULL. */
	void (*hidden)(struct screen *s, struct pane_view *view);
	/* Lines down, or up; NULL: it does not scroll. */
	void (*scroll)(struct screen *s, struct pane_view *view, int by);
	/* The mouse was clicked there: a column and a row of its place; NULL: a click takes the core
	 * of a strip and the cycle, and does nothing on a pane of a page. */
	void (*click)(struct screen *s, struct pane_view *view, int x, int y);
	/* Another order of its rows: a word, or "next"; NULL: it has but one. */
	int (*sort)(struct screen *s, struct pane_view *view, const char *order, struct err *e);
	/* A command line for this key while the pane is active, constant or in buf, or NULL: the
	 * general key applies. */
	const char *(*key)(struct screen *s, struct pane_view *view, int key, char *buf,
			   size_t size);
};

extern const struct pane_ops *const pane_table[]; /* NULL-terminated, in the order of Tab */

#endif
