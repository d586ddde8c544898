/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.h - measures in the background what a run is compared with: the same machine, options
 * and workload under another policy stack, and with every n of a policy whose only parameter is n.
 *
 * Every run has a worker of its own, and as many of them work at once as there are processors. A
 * worker waits for the session to read only at the end of the run; until then, data that cannot be
 * sent at once is sent with the next message.
 *
 * A run of a sweep is cut when it takes longer than the best of the runs before it. Which of these
 * have ended when it starts depends on the host. So its result counts only once they all have, and
 * a run that would have been cut by then is: the results are those of one run after the other.
 */
#ifndef LAB_REFERENCE_H
#define LAB_REFERENCE_H

#include "base/worker.h"
#include "ctascope/session.h"
#include "lab/machine_copy.h"

#define REFERENCE_RUNS 192
#define REFERENCE_LANES 16 /* workers at once */

enum reference_state { REF_WAITS, REF_RUNS, REF_DONE, REF_CUT, REF_FAILED };

struct reference_run {
	char name[128];			   /* the policy stack */
	const struct cta_sched_ops *sweep; /* the policy whose every n is tried; NULL: one stack */
	unsigned value;			   /* the n of this run */
	enum reference_state state;
	enum reference_state result; /* of a run that waits for those before it; else REF_WAITS */
	cycle_t cycles;		     /* so far */
	uint64_t insts;		     /* thread instructions */
	double share;		     /* part of the workload that is done */
	double began;		     /* wall clock of the start */
	char why[200];		     /* of a failure */
	bool reported;		     /* the user has been told of its end */
	struct reference_point *point;
	unsigned n, room;
};

struct reference {
	struct reference_run run[REFERENCE_RUNS];
	unsigned n;
	unsigned stack;			   /* index of the run of the stack requested last */
	const struct cta_sched_ops *sweep; /* the policy requested last; NULL: none */
	uint64_t of;	/* fingerprint of the configuration that the runs were measured for */
	uint64_t build; /* id of this program; 0: unknown, and results are not cached */
	struct reference_lane {
		struct worker worker;
		unsigned run; /* that it measures */
	} lane[REFERENCE_LANES];
	char note[300]; /* a message that waits to be printed, "" none */
};

/* One message of the worker: this, then n points. */
struct reference_message {
	enum reference_state state;
	bool anew; /* the points replace the earlier ones; else they follow them */
	unsigned n;
	cycle_t cycles;
	uint64_t insts;
	double share;
	char why[200];
};

/* In the worker: measures a run up to cycle `most`. */
void reference_measure(struct reference *r, unsigned run, cycle_t most, const struct machine *m,
		       struct channel *c);

/* Starts workers for runs that wait, up to the number of processors. -1 with e. */
int reference_start(const struct machine *m, struct reference *r, struct err *e);
bool reference_is_measuring(const struct reference *r); /* NULL is fine */
/* The descriptors of the workers, and their number. */
unsigned reference_descriptors(const struct reference *r, int fd[REFERENCE_LANES]);
/* Handles the messages that came, and calls `took` with each run whose result counts now. True: a
 * run or a worker has ended. */
bool reference_receive(struct reference *r, void (*took)(void *ctx, const struct reference_run *k),
		       void *ctx);
bool reference_waits(const struct reference *r); /* some run has not been started */
/* The fastest of the sweep's runs that are done; NULL: none. */
const struct reference_run *reference_best(const struct reference *r);
void reference_delete(struct reference *r); /* ends the workers; NULL is fine */

#endif
