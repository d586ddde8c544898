/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run_expr.h - an expression over the time series of the run on the screen, whichever it is.
 *
 * Panes live longer than runs: `restart` and `load` make another machine. So an expression reads
 * through the screen, and is compiled again when the machine has another number of cores or
 * channels.
 */
#ifndef TUI_RUN_EXPR_H
#define TUI_RUN_EXPR_H

#include "export/overtime.h"

#define RUN_EXPR_TEXT 256

struct screen;

struct run_expr {
	struct overtime *x;
	unsigned cores, channels; /* that it was compiled for */
	char text[RUN_EXPR_TEXT];
};

/* -1 with e: it is no expression over time series. Without a run names are checked all the same. */
int run_expr_open(struct run_expr *r, const struct screen *s, const char *text, struct err *e);
void run_expr_close(struct run_expr *r);
/* Names of the series, for completion: with a star, "core.*.n", or without, "core.n". */
void run_expr_words(bool star, void (*fn)(void *to, const char *word), void *to);
/* To be called before a frame uses x; -1 with e when the text says nothing about this machine. */
int run_expr_check(struct run_expr *r, const struct screen *s, struct err *e);

#endif
