/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.h - what a run is compared with, measured beside it by `reference`: the same machine,
 * options and workload under another policy stack, and under a policy whose only parameter is n
 * with every n. Private to src/repl; what the panes see of it is in ctascope/session.h.
 *
 * A worker measures one run after the other. It waits for a reader only at the end of a run: what
 * does not fit goes with the next message.
 */
#ifndef REPL_REFERENCE_H
#define REPL_REFERENCE_H

#include "base/worker.h"
#include "ctascope/session.h"

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
void reference_measure(struct reference *r, struct session *s, struct channel *c);

/* In the user's cache (reference_cache.c). load: true when the run is there, and then it has ended.
 */
uint64_t reference_build(void);
bool reference_cache_load(const struct session *s, struct reference_run *k);
void reference_cache_store(const struct session *s, const struct reference_run *k);
/* The begin of a kept file, for who lists them. */
struct reference_kept {
	char magic[8];
	uint64_t build;
	char stack[128], workload[64];
};
bool reference_cache_read(const char *path, struct reference_kept *to); /* false: none of ours */

/* What was measured for one is of no use for another: of the options, but for those of policies. */
uint64_t reference_fingerprint(const struct session *s);
bool reference_waits(const struct reference *r); /* some run is still to be measured */
int reference_start(struct session *s, struct err *e);
/* The fastest of those that try every n, of those that came to their end; NULL: none. */
const struct reference_run *reference_best(const struct reference *r);
void reference_free(struct session *s); /* ends the child; forgets everything */
/* Takes what has come; true when something came to an end. */
bool reference_read(struct session *s);
void reference_check(struct session *s); /* forgets what was measured for another configuration */
void reference_say(struct session *s);	 /* the note that waits */

#endif
