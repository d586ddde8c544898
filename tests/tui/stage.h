/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stage.h - a real session to show on a screen: the small machine (tests/small/small.h) with as
 * many cores and CTAs as a picture needs, run for a number of samples.
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
	bool small;	    /* the small machine and its workload as they are: 4 cores */
	bool no_workload;
	const char *file; /* the file of the trace; NULL: it is in memory */
	/* The rest is only for stage_show(). */
	bool modern;	  /* the small machine of titanv's kind, which has sub-cores */
	const char *pace; /* a command; NULL: none */
	/* What `reference` has measured of rr, or of rr and all limits: a third, or everything. */
	enum stage_references references;
	bool running; /* as the screen sees it during a run */
};

struct session *stage_open(const struct stage_options *o);
void stage_close(struct session *s);
/*
 * A session for tests that only look: after the samples it ran on to the next pause of a CTA. The
 * profile and the past of core 5 begin in the middle. It is the last session that was shown if that
 * was made for `o` (the same pointer) and no pane has ended the past; otherwise a new one. NULL:
 * closes the last one.
 */
struct session *stage_show(const struct stage_options *o);
/* Runs that many samples further. */
void stage_more(struct session *s, unsigned samples);
const char *stage_last_line(void); /* the last line that the session printed */
/* Executes a command `reference` and waits until everything is measured; returns false if that kind
 * is not. */
bool stage_measure(struct session *s, const char *command, enum reference_kind kind);

#endif
