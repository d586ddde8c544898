/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pace.h - decides when the next frame is due while the model runs.
 *
 * A frame costs processor time, which the model needs, and bytes on the line to the terminal. Both
 * have a limit: the next frame is due when the thread that runs the model and draws has used enough
 * processor time, and enough time has passed, that the last frames stayed below both rates. Time in
 * which it did not run (a slow line, Ctrl-Z) costs nothing and delays nothing.
 */
#ifndef TUI_PACE_H
#define TUI_PACE_H

#include "ctascope/base.h"

/* Seconds; while both are zero, the first frame is due. */
struct pace {
	double processor; /* due when the thread has used this much processor time */
	double clock;	  /* and when the clock shows this time */
};

static inline bool
pace_due(const struct pace *p, double processor, double clock)
{
	return processor >= p->processor && clock >= p->clock;
}

/* Records a frame that began at these times and cost `cost` seconds of processor time and so many
 * bytes. Frames may use `share` of the processor and `rate` bytes per second. */
static inline void
pace_drew(struct pace *p, double processor, double clock, double cost, double share, uint64_t bytes,
	  double rate)
{
	p->processor = processor + cost / share;
	/* a frame for a key is drawn early, so add to what earlier frames still owe */
	p->clock = MAX(p->clock, clock) + (double)bytes / rate;
}

#endif
