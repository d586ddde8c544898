/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page.h - what has the screen to itself: a race, two finished runs.
 *
 * What it shows is panes, in the layout whose WHEN is the page's (layout.c). Its keys are rows of
 * keys.def and its commands PAGE rows of session/commands.def, those of that WHEN. The page itself
 * says what the header says, what goes on beside the keys, and what is peculiar to it.
 */
#ifndef TUI_PAGE_H
#define TUI_PAGE_H

#include "tui/keys.h"

#include <stddef.h>

struct canvas;
struct page;
struct pollfd;
struct screen;

#define PAGE_DESCRIPTORS 8 /* that a page waits for, at most */

struct page_ops {
	const char *name; /* "a race" */
	enum key_when (*when)(const struct page *p);
	void (*header)(const struct page *p, struct canvas *c);
	int (*cursor)(struct page *p, struct screen *s, const char *way, struct err *e);
	/* Below what its panes say in the help, from row y on: the next free row. NULL: nothing. */
	int (*help)(const struct page *p, struct canvas *c, int y);
	/* All NULL: a page that nothing moves. */
	bool (*stopped)(struct page *p, char *buf,
			size_t size); /* what holds it up; false: nothing */
	void (*aside)(const struct page *p, char *buf, size_t size); /* at the right of the keys */
	unsigned (*descriptors)(const struct page *p, struct pollfd *fds);
	bool (*moves)(const struct page *p);
	bool (*go_on)(struct page *p); /* does what is due; true: it shall be seen at once */
};

/* The first member of what a page is. */
struct page {
	const struct page_ops *ops;
	bool is_left; /* its user is through with it */
};

#endif
