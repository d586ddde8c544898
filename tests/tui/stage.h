/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stage.h - a real session to put on a screen: the small machine (tests/small/small.h) with as many
 * cores and CTAs as a picture needs, run for a number of samples.
 *
 * A sample is 64 cycles, a period of dyncta two samples. The workload ends after some hundred
 * samples. Everything is deterministic: expected values come from series.h, not from a list.
 */
#ifndef TESTS_TUI_STAGE_H
#define TESTS_TUI_STAGE_H

#include "ctascope/session.h"

#define STAGE_SAMPLE 64
#define STAGE_PERIOD 128

enum stage_references { STAGE_NONE, STAGE_A_THIRD, STAGE_ALL };

struct stage_options {
	unsigned cores;	    /* 0: 30 */
	unsigned samples;   /* closed samples */
	const char *policy; /* NULL: dyncta */
	bool no_workload;
	const char *file; /* the trace is in this file; NULL: in memory */
	/* The rest is of stage_show() only. */
	bool modern;	  /* the small machine of titanv's kind, which has sub-cores */
	const char *pace; /* a command; NULL: none */
	/* What `reference` measured of rr, or of rr and all limits: a third, or all. */
	enum stage_references references;
	bool running; /* as the screen sees it during a run */
};

struct session *stage_open(const struct stage_options *o);
void stage_close(struct session *s);
/*
 * A session for tests that only look: after the samples it ran on to the next pause of a CTA. The
 * profile and the past of core 5 begin in the middle. It is the session that was shown last, if it
 * is that of `o` (the same pointer) and no pane has ended the past; else a new one. NULL: closes
 * the last one.
 */
struct session *stage_show(const struct stage_options *o);
void stage_more(struct session *s, unsigned samples); /* runs so many samples further */
const char *stage_last_line(void);		      /* what the session said last */
/* Executes a command `reference` and waits until all is measured; false: that kind is not. */
bool stage_measure(struct session *s, const char *command, enum reference_kind kind);

#endif
