/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.h - what a run is compared with, measured beside it: the same machine, options and
 * workload under another policy stack, and under a policy whose only parameter is n with every n.
 *
 * A worker measures one run after the other. It waits for a reader only at the end of a run: what
 * does not fit goes with the next message.
 */
#ifndef LAB_REFERENCE_H
#define LAB_REFERENCE_H

#include "base/worker.h"
#include "ctascope/session.h"
#include "lab/machine_copy.h"

#define REFERENCE_RUNS 192

enum reference_state { REF_WAITS, REF_RUNS, REF_DONE, REF_CUT, REF_FAILED };

struct reference_run {
	char name[128];			   /* the policy stack */
	const struct cta_sched_ops *sweep; /* one of those that try every n; NULL: a stack alone */
	unsigned value;			   /* of its n */
	enum reference_state state;
	cycle_t cycles; /* so far */
	uint64_t insts; /* thread instructions */
	double share;	/* of the workload that is done */
	double began;	/* on the clock */
	char why[200];	/* of a failure */
	struct reference_point *point;
	unsigned n, room;
};

struct reference {
	struct reference_run run[REFERENCE_RUNS];
	unsigned n;
	unsigned stack;			   /* the one asked for last, if there is any */
	const struct cta_sched_ops *sweep; /* the same; NULL: none */
	uint64_t of;	/* what they were measured for: the fingerprint of the configuration */
	uint64_t build; /* of this program; 0: not known, and nothing is kept */
	struct worker worker; /* that measures, if it runs */
	unsigned at;	      /* the run under way */
	char note[300];	      /* to be said when there is an occasion, "" nothing */
};

/* One message of the worker: this, then n points. */
struct reference_message {
	unsigned run;
	enum reference_state state;
	bool anew; /* the points take the place of those before; else they follow them */
	unsigned n;
	cycle_t cycles;
	uint64_t insts;
	double share;
	char why[200];
};

/* In the worker: measures the runs that wait. A run that takes longer than the best so far cannot
 * win and is cut. */
void reference_measure(struct reference *r, const struct machine *m, struct channel *c);

int reference_start(const struct machine *m, struct reference *r, struct err *e);
/* Takes what has come: each run that a message is about is handed to `took`. True: something came
 * to an end, be it the worker. */
bool reference_receive(struct reference *r, void (*took)(void *ctx, const struct reference_run *k),
		       void *ctx);
bool reference_waits(const struct reference *r); /* some run is still to be measured */
/* The fastest of those that try every n, of those that came to their end; NULL: none. */
const struct reference_run *reference_best(const struct reference *r);
void reference_delete(struct reference *r); /* ends the worker; NULL is fine */

#endif
