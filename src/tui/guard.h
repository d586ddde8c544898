/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guard.h - protects the terminal while the screen is shown: handles signals and captures the
 * output of libraries.
 */
#ifndef TUI_GUARD_H
#define TUI_GUARD_H

#include "ctascope/session.h"

enum guard_event {
	GUARD_INT = 1,	 /* Ctrl-C */
	GUARD_WINCH = 2, /* the terminal's size changed */
	GUARD_STOP = 4,	 /* Ctrl-Z */
	GUARD_CONT = 8,	 /* continued after Ctrl-Z */
	GUARD_END = 16	 /* a signal asked the program to end; guard_signal() returns it */
};

/* Installs the handlers; Ctrl-C and the signals that end the program also stop the session's run.
 * From here on a file in memory receives standard output and error. Returns false if no descriptors
 * are left. */
bool guard_enter(struct session *s);
/* Restores handlers and descriptors, then prints the captured output to stderr. */
void guard_leave(void);

unsigned guard_take(void); /* the events since the last call */
int guard_signal(void);	   /* the signal of GUARD_END, 0 if none */
int guard_fd(void);	   /* readable when there are events */
/* Stops the process after Ctrl-Z; the caller has restored the terminal. */
void guard_stop_self(void);
int guard_terminal(void);		 /* the terminal's descriptor, for output */
bool guard_kept(char *buf, size_t size); /* reads the next captured line */
void guard_release(
	bool release); /* true: standard output and error are the terminal again, for a child */

#endif
