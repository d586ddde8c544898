/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run_expr.h - evaluates an expression over the time series of the run that is on the screen.
 *
 * Panes live longer than runs: `restart` and `load` create another machine. So an expression reads
 * its values through the screen, and is compiled again if the new machine has another number of
 * cores or channels.
 */
#ifndef TUI_RUN_EXPR_H
#define TUI_RUN_EXPR_H

#include "export/overtime.h"

#define RUN_EXPR_TEXT 256

struct screen;

struct run_expr {
	struct overtime *x;
	unsigned cores, channels; /* those of the machine that it was compiled for */
	char text[RUN_EXPR_TEXT];
};

/* Returns -1 with e if the text is not an expression over time series. Without a run the names are
 * checked all the same. */
int run_expr_open(struct run_expr *r, const struct screen *s, const char *text, struct err *e);
void run_expr_close(struct run_expr *r);
/* Lists the names of the series for completion: with a star "core.*.n", without "core.n". */
void run_expr_words(bool star, void (*fn)(void *to, const char *word), void *to);
/* Call it before a frame uses x. Returns -1 with e if the expression is invalid on this machine. */
int run_expr_check(struct run_expr *r, const struct screen *s, struct err *e);

#endif
