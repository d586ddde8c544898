/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pace.h - when the next frame is due while the model runs.
 *
 * A frame costs the model processor time, and the line to the terminal bytes. Both have a rate: the
 * next frame comes when the processor has worked, and the clock has run, for as long as the last
 * frames may be spread over. Time in which the process did not work (a slow line, Ctrl-Z) costs
 * nothing and delays nothing.
 */
#ifndef TUI_PACE_H
#define TUI_PACE_H

#include "ctascope/base.h"

/* All in seconds; zero: the first frame is due. */
struct pace {
	double processor; /* due when the process has used that much */
	double clock;	  /* and at that time */
};

static inline bool
pace_due(const struct pace *p, double processor, double clock)
{
	return processor >= p->processor && clock >= p->clock;
}

/* A frame was begun at these times, took cost seconds of the processor and so many bytes. share of
 * the processor and rate in bytes per second are what frames may use. */
static inline void
pace_drew(struct pace *p, double processor, double clock, double cost, double share, uint64_t bytes,
	  double rate)
{
	p->processor = processor + cost / share;
	/* a key's frame is drawn before it is due: what the ones before it used stays used */
	p->clock = MAX(p->clock, clock) + (double)bytes / rate;
}

#endif
