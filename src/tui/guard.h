/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guard.h - keeps the terminal right while the screen is up: signals, and output that is not ours.
 */
#ifndef TUI_GUARD_H
#define TUI_GUARD_H

#include "ctascope/session.h"

enum guard_event {
	GUARD_INT = 1,	 /* Ctrl-C */
	GUARD_WINCH = 2, /* the terminal changed its size */
	GUARD_STOP = 4,	 /* Ctrl-Z */
	GUARD_CONT = 8,	 /* continued after Ctrl-Z */
	GUARD_END = 16	 /* asked to end: guard_signal() says by which signal */
};

/* Catches the signals; Ctrl-C and those that end the program also stop the session's run. Standard
 * output and error go to a file in memory from here on. False when descriptors run out. */
bool guard_enter(struct session *s);
void guard_leave(void); /* the former handlers and descriptors; what was kept back goes to stderr */

unsigned guard_take(void);		 /* events since the last call */
int guard_signal(void);			 /* the signal of GUARD_END, 0 none */
int guard_fd(void);			 /* readable when there are events */
void guard_stop_self(void);		 /* Ctrl-Z, after the terminal was given back */
int guard_terminal(void);		 /* descriptor of the terminal, for output */
bool guard_kept(char *buf, size_t size); /* the next line that was kept back */
void guard_release(
	bool release); /* true: standard output and error are the terminal again, for a child */

#endif
