/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page.h - a page takes the whole screen: a race, or the comparison of two finished runs.
 *
 * Its contents are panes, in the layout whose WHEN is the page's (layout.c). Its keys are the rows
 * of keys.def, and its commands the PAGE rows of session/commands.def, with that WHEN. The page
 * itself supplies the header, the text beside the keys, and the work that it does.
 */
#ifndef TUI_PAGE_H
#define TUI_PAGE_H

#include "tui/keys.h"

#include <stddef.h>

struct canvas;
struct page;
struct pollfd;
struct screen;

#define PAGE_DESCRIPTORS 8 /* most descriptors that a page waits for */

struct page_ops {
	const char *name; /* "a race" */
	enum key_when (*when)(const struct page *p);
	void (*header)(const struct page *p, struct canvas *c);
	int (*cursor)(struct page *p, struct screen *s, const char *way, struct err *e);
	/* Adds to the help, below the text of the panes, from row y on; returns the next free row.
	 * NULL: adds nothing. */
	int (*help)(const struct page *p, struct canvas *c, int y);
	/* The rest is NULL for a page on which nothing moves. */
	/* Tells what the page waits for; false: nothing. */
	bool (*stopped)(struct page *p, char *buf, size_t size);
	/* Text at the right of the keys. */
	void (*aside)(const struct page *p, char *buf, size_t size);
	unsigned (*descriptors)(const struct page *p, struct pollfd *fds);
	bool (*moves)(const struct page *p);
	/* Does the work that is due; true: draw a frame at once. */
	bool (*go_on)(struct page *p);
};

/* The first member of each kind of page. */
struct page {
	const struct page_ops *ops;
	bool is_left; /* the user has left the page */
};

#endif
