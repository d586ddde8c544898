/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race.h - the same workload under several policy stacks at once, or as several branches of a
 * timeline, in lockstep by cycle.
 *
 *     stacks -> race_new() -> race_go(cycle), race_wait() ... -> race_ended() -> table, CSV
 *     branches -> race_of_branches() -> ...
 *
 * Each of them is a lane: a process with a machine of its own (racer.c), which runs to the cycle it
 * is told and says what it has seen on the way (wire.h). The parent tells all lanes the same cycle
 * and goes on when the last is there; a lane whose workload has ended waits for the others. What
 * goes wrong in a lane, a crash too, ends that lane alone and is said. No lane outlives its parent.
 *
 * Invariants: the picture, the table and the first difference depend on what the lanes sent, never
 * on how long a step was or who was faster.
 */
#ifndef LAB_RACE_H
#define LAB_RACE_H

#include "base/human.h"
#include "base/strbuf.h"
#include "ctascope/event.h"
#include "ctascope/sim.h"
#include "lab/machine_copy.h"

#define RACE_LANES 4

/* ---------------------------------------------------------------- who runs */

struct race_stacks {
	char text[RACE_LANES][POLICY_TEXT];
	unsigned n;
};

/* Adds the stacks of a list, "one,two:a=2,b=0,three": a comma before NAME=VALUE belongs to the
 * stack before it. An error where a stack is none, there are more than RACE_LANES, or one is there
 * already. */
int race_add(struct race_stacks *s, const char *list, struct err *e);

/* A copy of the machine on a branch. All of a race are at the same cycle. */
struct race_branch {
	char name[POLICY_TEXT];
	struct machine_copy *copy;
};

/* ---------------------------------------------------------------- what a lane has sent */

/* Values of a core, sample by sample. */
enum race_field {
	RACE_RUNNING,
	RACE_N,
	RACE_RACT,
	RACE_IPC,
	RACE_L1_MISS,
	RACE_MEMORY,
	RACE_STATE,
	RACE_FIELDS
};
extern const enum series_core_field race_series[RACE_FIELDS]; /* what each is in series.def */

struct race_sample {
	cycle_t end, span; /* core cycles, as in series_end() and series_span() */
	double ipc;	   /* of the GPU, thread instructions per cycle; NaN unknown */
};

/* Samples in order of time. When there are too many, neighbours become one. */
struct race_samples {
	struct race_sample *at;
	float *core; /* per sample: cores x RACE_FIELDS */
	unsigned n, cores;
};
float race_value(const struct race_samples *s, unsigned sample, unsigned core, enum race_field f);
/* The sample that holds a cycle, or the newest before it; -1: none. */
int race_sample_at(const struct race_samples *s, cycle_t cycle);

/* Numbers of a lane at the cycle it stands at: paths of the machine. */
enum race_number {
	RACE_CYCLES,
	RACE_MEAN_IPC,
	RACE_MEAN_N,
	RACE_RUN_RACT,
	RACE_RUN_L1_MISS,
	RACE_ENERGY,
	RACE_CTAS,
	RACE_WORK,
	RACE_NUMBERS
};
#define RACE_FLOATS 99 /* decimals: four digits, wherever the point is */
struct race_number_row {
	const char *path;   /* of the machine, as `print` takes it */
	const char *column; /* of the CSV, NULL: not in it */
	const char *head;   /* of the table, NULL: not in it */
	unsigned decimals;
};
extern const struct race_number_row race_numbers[RACE_NUMBERS];

enum lane_state {
	LANE_STARTS, /* its machine is being built */
	LANE_WAITS,  /* stands at its cycle */
	LANE_RUNS,
	LANE_DONE,  /* the workload has ended */
	LANE_CUT,   /* at a limit of the run: its numbers count, the race's exit status is 4 */
	LANE_FAILED /* error says why */
};

struct lane {
	char stack[POLICY_TEXT]; /* or the name of the branch */
	enum lane_state state;
	char error[400]; /* LANE_FAILED, LANE_CUT */
	cycle_t cycle;	 /* where it stands */
	bool final;	 /* it decides nothing more: done, or deadlocked */
	unsigned kernel; /* started so far */
	double number[RACE_NUMBERS];
	struct race_samples samples;
};

/* ---------------------------------------------------------------- decisions compared */

/* What changes the machine (decision.c): only these events are decisions that can differ. */
#define DECISION_KINDS_POLICY                                                                 \
	(EV_BIT(EV_PAUSE) | EV_BIT(EV_RESUME) | EV_BIT(EV_LIMIT) | EV_BIT(EV_GATE) |          \
	 EV_BIT(EV_UNGATE) | EV_BIT(EV_DRAIN) | EV_BIT(EV_THROTTLE) | EV_BIT(EV_UNTHROTTLE) | \
	 EV_BIT(EV_CORE_PAUSE) | EV_BIT(EV_CORE_RESUME) | EV_BIT(EV_FORCED))
#define DECISION_KINDS (DECISION_KINDS_POLICY | EV_BIT(EV_CTA_ISSUE))

struct decision {
	cycle_t cycle;
	int64_t outcome; /* the new limit or the core that takes the CTA, where the rule names it */
	uint32_t kind;	 /* enum event_kind */
	uint32_t forced; /* the host's rule of an outcome that a branch forced, else 0 */
	uint32_t kernel, cta;
	int32_t core, slot;
};
/* False: the event is not one of these decisions. */
bool decision_read(const struct sim *s, const struct event *ev, struct decision *d);
bool decision_same(const struct decision *a, const struct decision *b);

/* The first decision in which two lanes differ: their decisions agree up to there. */
struct race_difference {
	bool known;
	unsigned lane[2]; /* the second against the first */
	cycle_t cycle;
	int core;		 /* of the decision that came, -1: none */
	uint32_t kind;		 /* enum event_kind, of that one */
	struct decision came[2]; /* of each, where says has one */
	char says[2][400];	 /* the decision of each; "": none so far, or until its end */
};

/* A decision that was received, with its sentence. */
struct told_decision {
	struct decision d;
	char *says; /* owned */
};

/* Decisions of each lane not compared yet: from `at` on. Each lane is compared with the first. */
struct differ {
	struct {
		struct told_decision *d;
		unsigned n, cap;
		uint64_t base; /* place of d[0] in all that came */
	} lane[RACE_LANES];
	struct {
		uint64_t at; /* equal before this place */
		struct race_difference first;
	} pair[RACE_LANES];
};
/* Copies what it takes; -1: out of memory. */
int differ_take(struct differ *d, unsigned lane, const struct decision *what, const char *says,
		size_t n);
/* Compares what is there. Lane i has said all before cycle to[i]; CYCLE_NEVER: all it ever will. */
void differ_compare(struct differ *d, unsigned lanes, const cycle_t *to);
/* The earliest difference of any pair, NULL: none yet. */
const struct race_difference *differ_first(const struct differ *d, unsigned lanes);
/* Could more decisions say more? */
bool differ_open(const struct differ *d, unsigned lanes, const cycle_t *to);
void differ_free(struct differ *d);

/* ---------------------------------------------------------------- the race */

struct race {
	unsigned n, cores;
	bool branches; /* the lanes are; else policy stacks */
	cycle_t from;  /* where they part; 0 for stacks */
	struct lane lane[RACE_LANES];
	cycle_t sample,
		period;	     /* of the machine; the period of the first lane that has one, or 0 */
	uint64_t ctas, work; /* of the whole workload; work is in warp instructions, 0: unknown */
	unsigned kernels;    /* in all */
	cycle_t goal;	     /* all lanes that still run were told */
	struct race_difference difference; /* of all decisions */
	struct race_difference of_policy;  /* of those but which core takes a CTA */
	struct race_private *own;
};

/* Starts a process per stack. c as it is in the parent, but for the policies; path: the trace. A
 * lane that cannot be built fails alone; NULL with e only when no process could be started. */
struct race *race_new(const struct race_stacks *s, struct config *c, const struct trace_info *t,
		      struct err *e);
/* The same of branches. They may be freed when this returns. */
struct race *race_of_branches(const struct race_branch *b, unsigned n, struct err *e);
/* Ends every process, at once. NULL is fine. */
void race_free(struct race *r);

/* Tells every lane that has not ended to run to the cycle. Only while race_still(). */
void race_go(struct race *r, cycle_t until);
/* Takes in what has come within ms milliseconds, 0: what is there. */
void race_wait(struct race *r, int ms);
/* Fills in what to wait for, where there are other things to wait for as well, up to RACE_LANES;
 * returns how many. */
struct pollfd;
unsigned race_descriptors(const struct race *r, struct pollfd *p);
bool race_still(const struct race *r); /* no lane runs */
bool race_ended(const struct race *r); /* nor will any */
/* A length for the next step of a race that runs by itself: as long as takes some hundredths of a
 * second, in whole samples. */
cycle_t race_step(struct race *r);
/* To the end. stop may be NULL; true ends the race there: 1. 0: it has ended. */
int race_run(struct race *r, bool (*stop)(void *ctx, const struct race *r), void *ctx);
/* A sentence about a lane that has been awaited for two seconds because its process is stopped
 * (SIGSTOP); false, and "", when there is none. */
bool race_stopped_text(const struct race *r, char *buf, size_t size);
/* The process numbers of the lanes; for tests, which stop and end them. */
int race_process(const struct race *r, unsigned lane);

/* ---------------------------------------------------------------- what comes of it */

bool lane_ended(const struct lane *l);
bool lane_good(const struct lane *l);
/* How much faster a lane is than the first: work per cycle over that of the first, each up to where
 * it stands. NaN: not known yet. */
double race_speedup(const struct race *r, unsigned lane);
/* 0 all done, 1 a lane failed, 4 one was cut. */
int race_status(const struct race *r);
/* What race_table() has in a cell, for the screen; head NULL: there is no such column. */
#define RACE_COLUMNS 7
#define RACE_CELL HUMAN
const char *race_head(const struct race *r, unsigned column);
const char *race_cell(const struct race *r, unsigned lane, unsigned column, char buf[RACE_CELL]);
/* The table and the first difference, as lines. What went wrong in a lane is in its error. */
void race_table(const struct race *r, struct strbuf *out);
void race_difference_lines(const struct race *r, struct strbuf *out);
/* In three lines for a screen: of policies, once they have decided something. */
void race_difference_brief(const struct race *r, struct strbuf *out);
/* run,policy (or branch),status,cycles,... ; path "-" is standard output. */
int race_csv(const struct race *r, const char *path, struct err *e);

#endif
