/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tempo.h - private to src/session: limits the speed of the model while a person watches (the
 * command `pace`).
 *
 * A run is delayed in wall time only: between two cycles the program waits until the next ones are
 * due, and handles keys and signals meanwhile. The model does the same at any pace, cycle by cycle.
 * Runs of a script are never delayed.
 */
#ifndef SESSION_TEMPO_H
#define SESSION_TEMPO_H

#include "ctascope/base.h"
#include "ctascope/err.h"

struct session;

enum tempo_kind { TEMPO_MAX, TEMPO_CYCLES, TEMPO_PERIODS, TEMPO_AUTO };

struct tempo {
	enum tempo_kind kind;
	double rate; /* cycles or periods per second */
	/* The present limit in cycles per second; infinite: as fast as the model can. */
	double speed;

	/* For the current run: */
	double clock; /* the time to which the numbers below refer */
	cycle_t at;
	double owed; /* cycles by which the model is ahead of its pace; negative: it is late */
	double told; /* when keys were last read */
	bool ahead;  /* the model waits, so other work costs it nothing */

	bool hurries; /* no run is delayed for now, whatever the pace */
};

/* Called at the start and the end of a run of this session (session_run.c). */
void tempo_begin(struct session *s);
void tempo_end(struct session *s);

/* Waits until the cycles after the present one are due. Returns the cycles to run until the next
 * call; CYCLE_NEVER: no limit; 0: the run should stop. */
cycle_t tempo_wait(void *session);

#endif
