/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fake.h - a session and a machine that stand still, for pictures of the screen that never change.
 *
 * Thirty cores (or as many as asked for) and a history written by formulas: limits that sink and
 * recover, cores that are gated late, credits that run out. The real session and machine are not
 * linked.
 */
#ifndef TESTS_TUI_FAKE_H
#define TESTS_TUI_FAKE_H

#include "ctascope/session.h"

struct fake_options {
	unsigned cores;	  /* 0: 30 */
	unsigned samples; /* closed samples of 512 cycles */
	bool credits;
	bool gating;
	bool running;
	const char *path;    /* of the trace; NULL: /traces/bfs.ctr */
	unsigned references; /* 1: rr is measured to a third, 2: rr and the fixed limits are */
	const char *pace;    /* as the header has it; NULL: none */
};

struct session *fake_session(const struct fake_options *o);
void fake_free(struct session *s);
void fake_say(struct session *s, enum say kind, const char *line);

#endif
