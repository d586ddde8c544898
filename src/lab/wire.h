/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wire.h - private to src/lab: the messages between parent and lane (base/worker.h).
 *
 *     parent  GO cycle                    sent when the lane has answered
 *     lane    HELLO                       once, when its machine is built
 *             SAMPLE* DECISION* HERE      the answer to GO: all samples and decisions since the
 * last FAIL                        the last message; a deadlock sends HERE before it
 */
#ifndef LAB_WIRE_H
#define LAB_WIRE_H

#include "base/worker.h"
#include "lab/race.h"

enum wire_kind { WIRE_GO, WIRE_HELLO, WIRE_SAMPLE, WIRE_DECISION, WIRE_HERE, WIRE_FAIL };

enum wire_decisions { DECISIONS_NONE, DECISIONS_OF_POLICY, DECISIONS_AND_CTAS };
struct wire_go {
	cycle_t until;
	uint64_t decisions; /* which ones to send: enum wire_decisions */
};
struct wire_hello {
	uint64_t cores, kernels, ctas, work;
	cycle_t sample, period;
};
/* WIRE_SAMPLE: a struct race_sample, then cores x RACE_FIELDS floats. */

/* WIRE_DECISION: a struct decision, then its sentence, not terminated. */
struct wire_here {
	cycle_t cycle;
	uint64_t ended; /* enum lane_state: WAITS, DONE, CUT; FAILED: deadlock, FAIL follows */
	uint64_t kernel;
	double number[RACE_NUMBERS];
	char why[200]; /* CUT: which limit */
};
/* WIRE_FAIL: the message. */

#endif
