/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tempo.h - how fast the model may go while a person watches: the command `pace`.
 *
 * A run is held back in wall time only: between two cycles the program waits until the next ones
 * are due, and looks at keys and signals meanwhile. What the model does, cycle by cycle, is the
 * same at any pace. Runs of a script are never held back.
 */
#ifndef SESSION_TEMPO_H
#define SESSION_TEMPO_H

#include "ctascope/base.h"
#include "ctascope/err.h"

struct session;

enum tempo_kind { TEMPO_MAX, TEMPO_CYCLES, TEMPO_PERIODS, TEMPO_AUTO };

struct tempo {
	enum tempo_kind kind;
	double rate;  /* of cycles or periods in a second */
	double speed; /* cycles per second in force; infinite: as fast as the model can */

	/* of the run under way */
	double clock; /* when the numbers below held */
	cycle_t at;
	double owed; /* cycles the model is ahead of its pace; negative: behind */
	double told; /* when keys were looked at last */
	bool ahead;  /* the model waits: what is done meanwhile costs it nothing */
};

/* Around a run of this session (session_run.c). */
void tempo_begin(struct session *s);
void tempo_end(struct session *s);

/* Waits until the cycles after this one are due. The cycles to run until the next call,
 * CYCLE_NEVER: all; 0: the run shall stop. */
cycle_t tempo_wait(void *session);

#endif
