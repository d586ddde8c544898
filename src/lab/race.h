/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * race.h - the same workload under several policy stacks at once, or as several branches of a
 * timeline, in lockstep by cycle.
 *
 *     stacks -> race_new() -> race_go(cycle), race_wait() ... -> race_ended() -> table, CSV
 *     branches -> race_of_branches() -> ...
 *
 * Each of them is a lane: a process with its own machine (racer.c). The parent sends all lanes the
 * same cycle; each runs to it and sends its samples and decisions (wire.h). The parent continues
 * when the last lane has arrived; a lane whose workload has ended waits for the others. An error or
 * a crash in a lane ends only that lane, and is reported. No lane outlives its parent.
 *
 * Invariants: the picture, the table and the first difference depend only on what the lanes sent,
 * never on the length of the steps or on which lane was faster.
 */
#ifndef LAB_RACE_H
#define LAB_RACE_H

#include "base/human.h"
#include "base/strbuf.h"
#include "ctascope/event.h"
#include "ctascope/sim.h"
#include "lab/machine_copy.h"

#define RACE_LANES 4

/* ---------------------------------------------------------------- the lanes */

struct race_stacks {
	char text[RACE_LANES][POLICY_TEXT];
	unsigned n;
};

/* Adds the stacks of a list, "one,two:a=2,b=0,three@gpu.warp_sched=gto": a comma before NAME=VALUE
 * belongs to the stack before it; after @ is an option of this lane alone, or machine=NAME. An
 * invalid stack, one that the race has already, and more than RACE_LANES are errors. */
int race_add(struct race_stacks *s, const char *list, struct err *e);
/* The same with a list that may also name stacks that the race has from elsewhere, as that of the
 * run: those are not added again. listed: what the lists before it have named, to which it is
 * added, because there a stack is named once. */
int race_add_list(struct race_stacks *s, struct race_stacks *listed, const char *list,
		  struct err *e);
/* Gives c the stack and the options of a lane. If it names a machine, the options that the user set
 * for the run hold on that one, too. */
int race_configure(struct config *c, const char *lane, struct err *e);
/* Only runs with as many cores can be shown side by side: -1 with e if c has not. */
int race_check_cores(const struct config *c, const struct config *first, const char *lane,
		     struct err *e);
/* The options of a lane, "@gpu.warp_sched=gto"; "" if it has none. */
const char *race_lane_options(const char *lane);

/* A copy of the machine on a branch. All copies of a race are at the same cycle. */
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
	RACE_SERIES,
	/* What the two rates count in a mean, per cycle (series_core_weight()). */
	RACE_RACT_WEIGHT = RACE_SERIES,
	RACE_L1_WEIGHT,
	RACE_FIELDS
};
extern const enum series_core_field race_series[RACE_SERIES]; /* their rows of series.def */

struct race_sample {
	cycle_t end, span; /* core cycles, as in series_end() and series_span() */
	double ipc;	   /* of the GPU, thread instructions per cycle; NaN unknown */
};

/* Samples in order of time. When there are too many, pairs of neighbours are merged. */
struct race_samples {
	struct race_sample *at;
	float *core; /* per sample: cores x RACE_FIELDS */
	unsigned n, cores;
};
float race_value(const struct race_samples *s, unsigned sample, unsigned core, enum race_field f);
/* The sample that contains a cycle, or the newest before it; -1: none. */
int race_sample_at(const struct race_samples *s, cycle_t cycle);
/* The sample whose levels hold at a cycle: the last that ended at or before it; -1: none. */
int race_level_at(const struct race_samples *s, cycle_t cycle);
bool race_is_level(enum race_field f);
/* What the value of a core counts in a mean over samples, per cycle of the sample. */
double race_weight(const struct race_samples *s, unsigned sample, unsigned core, enum race_field f);

/* Values of a lane at its present cycle, each a path of the machine. */
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
	LANE_WAITS,  /* it has reached the last cycle that the parent sent */
	LANE_RUNS,
	LANE_DONE,  /* the workload has ended */
	LANE_CUT,   /* a limit of the run ended it: its numbers are valid, the exit status is 4 */
	LANE_FAILED /* with the reason in error */
};

struct lane {
	char stack[POLICY_TEXT]; /* or the name of the branch */
	enum lane_state state;
	char error[400]; /* LANE_FAILED, LANE_CUT */
	cycle_t cycle;	 /* its present cycle */
	bool final;	 /* it makes no more decisions: done, or deadlocked */
	unsigned kernel; /* started so far */
	double number[RACE_NUMBERS];
	struct race_samples samples;
};

/* ---------------------------------------------------------------- decisions compared */

/* The events that are decisions, since they change the machine (decision.c). */
#define DECISION_KINDS_POLICY                                                                 \
	(EV_BIT(EV_PAUSE) | EV_BIT(EV_RESUME) | EV_BIT(EV_LIMIT) | EV_BIT(EV_GATE) |          \
	 EV_BIT(EV_UNGATE) | EV_BIT(EV_DRAIN) | EV_BIT(EV_THROTTLE) | EV_BIT(EV_UNTHROTTLE) | \
	 EV_BIT(EV_CORE_PAUSE) | EV_BIT(EV_CORE_RESUME) | EV_BIT(EV_FORCED))
#define DECISION_KINDS (DECISION_KINDS_POLICY | EV_BIT(EV_CTA_ISSUE))

struct decision {
	cycle_t cycle;
	int64_t outcome; /* the new limit, or the core that takes the CTA if the rule names it */
	uint32_t kind;	 /* enum event_kind */
	uint32_t forced; /* the host's rule if a branch forced the outcome, else 0 */
	uint32_t kernel, cta;
	int32_t core, slot;
};
/* Makes a decision of an event; false: the event is not a decision. */
bool decision_read(const struct sim *s, const struct event *ev, struct decision *d);
bool decision_same(const struct decision *a, const struct decision *b);

/* The first decision in which two lanes differ. All their decisions before it are the same. */
struct race_difference {
	bool known;
	unsigned lane[2]; /* the second is compared with the first */
	cycle_t cycle;
	int core;		 /* of the earlier decision, -1: none */
	uint32_t kind;		 /* enum event_kind of the earlier decision */
	struct decision came[2]; /* the decision of each, if says is not "" */
	char says[2][400];	 /* its sentence; "": no decision so far, or to its end */
};

/* A decision that was received, with its sentence. */
struct received_decision {
	struct decision d;
	char *says; /* owned */
};

/* The decisions of each lane that are still needed. Each lane is compared with the first one. */
struct differ {
	struct {
		struct received_decision *d;
		unsigned n, cap;
		uint64_t base; /* position of d[0] among all decisions of the lane */
	} lane[RACE_LANES];
	struct {
		uint64_t at; /* all decisions before this position are the same */
		struct race_difference first;
	} pair[RACE_LANES];
};
/* Adds a decision with its sentence, n bytes, which are copied; -1: out of memory. */
int differ_take(struct differ *d, unsigned lane, const struct decision *what, const char *says,
		size_t n);
/* Compares the decisions so far. Those of lane i before cycle to[i] are complete; CYCLE_NEVER: all
 * are. */
void differ_compare(struct differ *d, unsigned lanes, const cycle_t *to);
/* The earliest difference of any pair, NULL: none yet. */
const struct race_difference *differ_first(const struct differ *d, unsigned lanes);
/* Can later decisions complete the result? */
bool differ_open(const struct differ *d, unsigned lanes, const cycle_t *to);
void differ_free(struct differ *d);

/* ---------------------------------------------------------------- the race */

struct race {
	unsigned n, cores;
	bool branches; /* the lanes are branches, not policy stacks */
	cycle_t from;  /* the cycle where the branches part; 0 for stacks */
	struct lane lane[RACE_LANES];
	cycle_t sample,
		period;	     /* of the machine; the period of the first lane that has one, or 0 */
	uint64_t ctas, work; /* of the whole workload; work is in warp instructions, 0: unknown */
	unsigned kernels;    /* in all */
	cycle_t goal;	     /* the cycle that was sent to the lanes last */
	struct race_difference difference; /* among all decisions */
	struct race_difference of_policy;  /* without those on which core takes a CTA */
	struct race_private *own;
};

/* Starts a process per stack, each with the configuration c under its own stack, on the trace t. If
 * a lane's machine cannot be built, only that lane fails. NULL with e: a process could not be
 * started. */
struct race *race_new(const struct race_stacks *s, struct config *c, const struct trace_info *t,
		      struct err *e);
/* The same for branches, whose copies may be freed afterwards. */
struct race *race_of_branches(const struct race_branch *b, unsigned n, struct err *e);
/* Ends every process at once. NULL is fine. */
void race_free(struct race *r);

/* Makes every lane that has not ended run to the cycle. Only while race_still(). */
void race_go(struct race *r, cycle_t until);
/* Waits for messages for at most ms milliseconds, and handles those that came. */
void race_wait(struct race *r, int ms);
/* Fills p with the descriptors of the lanes, for a caller that polls others as well; returns their
 * number, at most RACE_LANES. */
struct pollfd;
unsigned race_descriptors(const struct race *r, struct pollfd *p);
bool race_still(const struct race *r); /* no lane runs at present */
bool race_ended(const struct race *r); /* every lane has ended */
/* The length of the next step of a race that runs continuously: whole samples, which take some
 * hundredths of a second. */
cycle_t race_step(struct race *r);
/* Runs the race to its end: 0. stop may be NULL; when it returns true, the race ends there: 1. */
int race_run(struct race *r, bool (*stop)(void *ctx, const struct race *r), void *ctx);
/* Writes a sentence about a lane that has not answered for two seconds because its process is
 * stopped (SIGSTOP); false, and "", when there is none. */
bool race_stopped_text(const struct race *r, char *buf, size_t size);
/* The process id of a lane, for tests that stop and end it. */
int race_process(const struct race *r, unsigned lane);

/* ---------------------------------------------------------------- results */

bool lane_ended(const struct lane *l);
bool lane_good(const struct lane *l);
/* The speedup of a lane over the first: its work per cycle over that of the first, each up to its
 * present cycle. NaN: not known yet. */
double race_speedup(const struct race *r, unsigned lane);
/* The exit status: 0 all done, 1 a lane failed, 4 a lane was cut. */
int race_status(const struct race *r);
/* Writes one of the names of n lanes with at most `room` columns, so that what differs stays
 * visible; the mark stands where a name is cut. */
void lane_name_shorten(const char *const *name, unsigned n, unsigned which, unsigned room,
		       const char *mark, char buf[POLICY_TEXT]);
const char *race_short_name(const struct race *r, unsigned lane, unsigned room, const char *mark,
			    char buf[POLICY_TEXT]);
/* The head and the cells of race_table(), for the screen. */
#define RACE_COLUMNS 7
#define RACE_CELL HUMAN
const char *race_head(const struct race *r, unsigned column);
const char *race_cell(const struct race *r, unsigned lane, unsigned column, char buf[RACE_CELL]);
/* Append the table and the first difference as lines. The errors of lanes are not part of them. */
void race_table(const struct race *r, struct strbuf *out);
void race_difference_lines(const struct race *r, struct strbuf *out);
/* The same in three lines, for a screen: the difference of policies, if there is one. Names have at
 * most `room` columns. */
void race_difference_brief(const struct race *r, unsigned room, struct strbuf *out);
/* Writes CSV: run,policy (or branch),status,cycles,... ; path "-" is standard output. */
int race_csv(const struct race *r, const char *path, struct err *e);

#endif
