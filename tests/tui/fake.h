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
	bool no_workload;
	const char *path; /* of the trace; NULL: /traces/bfs.ctr */
	unsigned references; /* 1: rr is measured to a third, 2: rr and the fixed limits are */
	const char *pace; /* as the header has it; NULL: none */
	cycle_t tip;	  /* the furthest cycle, ahead of the present; 0: the present */
};

struct session *fake_session(const struct fake_options *o);
void fake_free(struct session *s);
void fake_more(struct session *s, unsigned samples); /* time goes on */
void fake_say(struct session *s, enum say kind, const char *line);
unsigned fake_executed(const struct session *s); /* lines given to session_exec() */
const char *fake_last_line(const struct session *s);

#endif
