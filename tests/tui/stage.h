/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stage.h - a real session to put on a screen: the small machine (tests/small/small.h) with as many
 * cores as a picture needs, run for a number of samples.
 *
 * A sample is 64 cycles, a period of dyncta two samples. The workload ends after some hundred
 * samples. Everything is deterministic: expected values come from series.h, not from a list.
 */
#ifndef TESTS_TUI_STAGE_H
#define TESTS_TUI_STAGE_H

#include "ctascope/session.h"

#define STAGE_SAMPLE 64
#define STAGE_PERIOD 128

struct stage_options {
	unsigned cores;	    /* 0: 30 */
	unsigned samples;   /* closed samples */
	const char *policy; /* NULL: dyncta */
	bool no_workload;
};

struct session *stage_open(const struct stage_options *o);
void stage_close(struct session *s);
void stage_more(struct session *s, unsigned samples); /* runs so many samples further */
const char *stage_last_line(void);		      /* what the session said last */

#endif
