/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stage.h - a terminal that a page has to itself (a race, two runs): opened for it or borrowed from
 * the screen of a session, its size, what signals brought, and waiting.
 *
 * The page's loop: draw while stage_ready(), stage_wait(), stage_events(), keys.
 */
#ifndef TUI_STAGE_H
#define TUI_STAGE_H

#include "tui/term.h"
#include "tui/theme.h"
#include "tui/tui.h"

struct stage {
	struct session *session;
	struct term *term;
	struct theme theme;
	struct canvas *canvas; /* as large as the terminal */
	bool want_frame, leave, interrupted;
	bool own; /* the terminal was opened for it */
};

/* A terminal of its own. what, for an error: "the screen of a race". */
int stage_open(struct stage *g, struct session *s, const struct tui_options *o, const char *what,
	       struct err *e);
/* That of a screen, which goes on when the page is left. */
void stage_borrow(struct stage *g, struct session *s, struct term *t, const struct theme *theme);
/* 0, 1 for Ctrl-C, 128 + n for a signal: how the page was left. */
int stage_close(struct stage *g);

/* Can a frame be drawn: the line has taken the last one, and there is a canvas. */
bool stage_ready(struct stage *g);
/* Signals: suspend and go on, another size, the end. */
void stage_events(struct stage *g);
struct pollfd;
/* Waits for a key, a signal, or one of n more descriptors at p + 2; p[0] and p[1] are filled in. */
void stage_wait(struct stage *g, struct pollfd *p, unsigned n, int ms);

/* A command, or a shell, on a terminal that is given up for it; then Enter is waited for, unless it
 * was a shell. As system() returns. */
int stage_shell(const char *command);

#endif
