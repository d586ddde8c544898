/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wire.h - private to src/race: what parent and lane say to each other, through a pair of sockets.
 *
 *     parent  GO cycle                    when the lane has answered
 *     lane    HELLO                       once, when its machine stands
 *             SAMPLE* DECISION* HERE      the answer to GO: all of both since the last one
 *             FAIL                        the last it says, after HERE when it is a deadlock
 *
 * A frame is a head and a body of plain structs, since both sides are the same program (a fork).
 * The version is in every head all the same: what is not a frame is an error, never a guess.
 */
#ifndef RACE_WIRE_H
#define RACE_WIRE_H

#include "race/race.h"

#define WIRE_VERSION 3u
#define WIRE_MAGIC (0x52414345u ^ WIRE_VERSION) /* "RACE" */
#define WIRE_MOST (1u << 20)			/* bytes of a body */

enum wire_kind {
	WIRE_GO,
	WIRE_HELLO,
	WIRE_SAMPLE,
	WIRE_DECISION,
	WIRE_HERE,
	WIRE_FAIL,
	WIRE_KINDS
};

struct wire_head {
	uint32_t magic, kind, bytes; /* of the body */
	uint32_t sum;		     /* of kind and bytes: a head out of place is found */
};

enum wire_decisions { DECISIONS_NONE, DECISIONS_OF_POLICY, DECISIONS_AND_CTAS };
struct wire_go {
	cycle_t until;
	uint64_t decisions; /* which are wanted: enum wire_decisions */
};
struct wire_hello {
	uint64_t cores, kernels, ctas, work;
	cycle_t sample, period;
};
/* WIRE_SAMPLE: a struct race_sample, then cores x RACE_FIELDS floats. */

/* WIRE_DECISION: a struct decision, then its sentence, not terminated. */
struct wire_here {
	cycle_t cycle;
	uint64_t ended; /* enum lane_state: WAITS, DONE, CUT; FAILED: deadlocked, FAIL follows */
	uint64_t kernel;
	double number[RACE_NUMBERS];
	char why[200]; /* CUT: which limit */
};
/* WIRE_FAIL: the message. */

/* Adds a frame to what is to be sent; several parts make one body. */
struct wire_part {
	const void *p;
	size_t n;
};
void wire_add(struct strbuf *out, enum wire_kind kind, const struct wire_part *part, unsigned n);
/* Sends it all, and empties it. -1: nobody reads, or memory ran out. */
int wire_send(int fd, struct strbuf *out);
/* The first frame of n bytes. 1: *h is it, the body follows it; 0: it is not whole yet; -1: that is
 * no frame. */
int wire_first(const char *bytes, size_t n, struct wire_head *h);
/* Waits for a GO. -1: the parent is gone, or said something else. */
int wire_read_go(int fd, struct wire_go *go);

#endif
