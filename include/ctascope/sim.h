/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim.h - the interface of the machine for debugger, prompt, panes, export and tests.
 *
 * Build a configuration, open a trace, make a sim of both, run it to a cycle, read it by path, by
 * struct or as time series, save and restore it. The model prints nothing.
 *
 * Time: sim_cycle() counts completed core cycles of the whole run (all kernels). "Stopped at cycle
 * c" means that c core cycles are done. Between calls the machine is always at a cycle boundary.
 */
#ifndef CTASCOPE_SIM_H
#define CTASCOPE_SIM_H

#include "ctascope/base.h"
#include "ctascope/cta_sched.h"
#include "ctascope/decl.h"
#include "ctascope/err.h"
#include "ctascope/event.h"
#include "ctascope/trace.h"

/* ---------------------------------------------------------------- configuration */

struct config; /* every option of machine, policies and run */

struct config *config_new(void); /* all defaults */
void config_free(struct config *c);
/* Before a policy of a user's own is loaded its file is given to try_load, whose load() loads it
 * and lets it go again: a front may call that where nothing can be lost. -1 refuses the policy.
 * NULL, as at first: it is just loaded. Copies do the same; c may be NULL. */
typedef int config_try_fn(int (*load)(const char *path, struct err *e), const char *path,
			  struct err *e);
void config_set_try(struct config *c, config_try_fn *try_load);
struct optdb *config_db(struct config *c);
const struct optdb *config_db_const(const struct config *c);
int config_machine(struct config *c, const char *name_or_file,
		   struct err *e); /* "gtx480" or a path */
/* Says what the machine is called whose options the caller sets one by one. */
void config_name_machine(struct config *c, const char *name);
/* Calls fn for every machine that is found, by name, until it returns other than 0; returns that.
 * title: what it is, "" when its file does not say. */
int config_each_machine(int (*fn)(void *ctx, const char *name, const char *title), void *ctx);
int config_policy(struct config *c, const char *stack,
		  struct err *e); /* "one:period=4096+./mine.so" */
int config_wsched(struct config *c, const char *name, struct err *e);
const char *config_machine_name(const struct config *c);
#define POLICY_TEXT 1024				/* room for the text of a stack */
const char *config_policy_text(const struct config *c); /* canonical stack text */
/* The policies of the stack in order, and all that the configuration knows. */
const struct cta_sched_ops *const *config_stack(const struct config *c, unsigned *n);
const struct cta_sched_ops *const *config_policies(const struct config *c, unsigned *n);
/* The first of those known that has credit registers; NULL: none. */
const struct cta_sched_ops *config_credit_policy(const struct config *c);
const char *config_wsched_name(const struct config *c);
/* How many CTAs of the kernel fit on a core of the machine; 0: not even one. */
uint32_t config_ctas_per_core(const struct config *c, const struct trace_kernel *k);

/* ---------------------------------------------------------------- life */

struct sim;

struct sim *sim_new(const struct config *c, struct trace *t,
		    struct err *e); /* copies c, borrows t */
void sim_free(struct sim *s);
const struct config *sim_config(const struct sim *s);
const struct trace_info *sim_trace(const struct sim *s);

/* Changes an option or the policy stack at a stop. Only live options; the error says which others
 * are fixed for the run. note (may be NULL) receives one line on what a policy hand-over keeps and
 * loses. At cycle 0 the state becomes that of a machine made with the change, its events too. */
int sim_set(struct sim *s, const char *key, const char *value, struct err *e);
int sim_set_policy(struct sim *s, const char *stack, char *note, size_t size, struct err *e);
/* Does sim_set() of this option make another run of it? Not how it is carried out (run.*), nor what
 * its energy is computed with (power.*). */
bool config_is_choice(const struct config *c, const char *key);
/* The stack and those options of `to` become as `from` has them: a front's copy follows the sim's.
 */
int config_follow(struct config *to, const struct config *from, struct err *e);

/* ---------------------------------------------------------------- forced outcomes */

/*
 * A decision of the future can be given another outcome than the policies', once. It is named by
 * what is decided, the core, the cycle its events have, and, from the second such decision about
 * the core in the cycle on, how many come before:
 *
 *     limit.5@22528      down | stay | up | a number of CTAs     at the end of a period
 *     issue.5@22528      take | refuse | core 3     a free slot: not now; or that core takes it
 *     state.5@22528      stay | active | draining | throttled | paused | off
 *
 * A name means the same in every run that is the same before that cycle. What waits to be decided
 * is part of the state. The machine has its say: a core that has no room takes no CTA. When it has
 * happened, the event `forced` says so.
 */
#define DECISION_TEXT 48
int sim_force(struct sim *s, const char *decision, const char *outcome, struct err *e);

/* The decision that an event tells of; e: why it tells of none. */
struct decision_view {
	char name[DECISION_TEXT]; /* for sim_force(), at an earlier cycle */
	cycle_t cycle;
	unsigned core;
	uint64_t kinds;	   /* of events that tell of it, about that core in that cycle */
	const char *other; /* the outcome it did not have; of several, the nearest */
	char can[120];	   /* all outcomes: "down, stay, up or a number from 1 to 8" */
};
int sim_decision_view(const struct sim *s, const struct event *ev, struct decision_view *v,
		      struct err *e);

/* ---------------------------------------------------------------- running */

enum sim_stop {
	SIM_REACHED,	 /* the cycle asked for */
	SIM_REQUESTED,	 /* a listener called sim_request_stop() */
	SIM_LIMIT,	 /* run.max_thread_insts have been issued */
	SIM_INTERRUPTED, /* *poll became non-zero */
	SIM_DONE,	 /* every kernel has ended */
	SIM_DEADLOCK,	 /* nothing can ever happen again; e names every waiting unit */
	SIM_FAILED	 /* the trace turned out to be damaged, or memory ran out */
};

/* Runs until sim_cycle() == until (CYCLE_NEVER: to the end). Stops only at cycle boundaries. */
enum sim_stop sim_run(struct sim *s, cycle_t until, struct err *e);

/* One listener for the event kinds in mask; fn NULL: none. Called inside a cycle: it may look and
 * may call sim_request_stop(), which ends the run at the end of this cycle. */
void sim_listen(struct sim *s, uint64_t mask, void (*fn)(void *ctx, const struct event *ev),
		void *ctx);
void sim_request_stop(struct sim *s);

/* fn is told of every issue of an instruction that `wanted` says yes to; asked once for each
 * instruction of a kernel, before it runs, and now. Called inside a cycle, as a listener is. fn
 * NULL: none. Those not wanted cost nothing. */
void sim_on_issue(struct sim *s, bool (*wanted)(void *ctx, uint32_t kernel, const struct inst *i),
		  void (*fn)(void *ctx, unsigned core, unsigned warp, const struct inst *i),
		  void *ctx);

/* Called at the end of every core cycle while set (watches); returning true stops the run there. */
void sim_each_cycle(struct sim *s, bool (*fn)(void *ctx), void *ctx);

/* The run loop looks at *poll every few microseconds; non-zero stops it. NULL: none. */
void sim_poll(struct sim *s, const volatile int *poll);

/* Called from the run loop about every `ms` of wall time, at a cycle boundary (drawing, progress).
 * Returning true stops the run (SIM_INTERRUPTED). fn NULL: none. */
void sim_every_ms(struct sim *s, unsigned ms, bool (*fn)(void *ctx), void *ctx);

cycle_t sim_cycle(const struct sim *s);
bool sim_done(const struct sim *s);
uint64_t sim_digest(struct sim *s); /* of the whole model state; the same however one got here */

/* The same of one part: two runs whose digests differ differ in one of these. A core's part is what
 * it has in it but its caches and load/store unit, which are l1. */
enum sim_part {
	PART_CORES,
	PART_L1,
	PART_NOC,
	PART_L2,
	PART_DRAM,
	PART_POLICY,   /* host and states of the policies */
	PART_REQUESTS, /* those in flight, wherever they are */
	PART_CLOCK,    /* clocks, kernels, whose turn it is */
	SIM_PARTS
};
extern const char *const sim_part_names[SIM_PARTS];
uint64_t sim_digest_part(struct sim *s, enum sim_part part);
/* The units that part is made of, 0: it is not made of several; the digest of one. */
unsigned sim_part_units(const struct sim *s, enum sim_part part);
uint64_t sim_digest_unit(struct sim *s, enum sim_part part, unsigned unit);

/* Progress of the whole workload: warp instructions issued and in all. */
void sim_progress(const struct sim *s, uint64_t *done, uint64_t *total);
double sim_wall_seconds(const struct sim *s); /* spent inside sim_run so far */

/* ---------------------------------------------------------------- snapshots */

/* Snapshots of a sim share what is the same in them; each may be freed at any time, also after the
 * sim. The first is whole, one that follows adds mostly what has changed in between. */
struct snapshot;
struct snapshot *sim_save(struct sim *s, struct err *e);
/* The policy stack and the options that were changed meanwhile come back too. k stays valid. */
int sim_restore(struct sim *s, const struct snapshot *k, struct err *e);
void snapshot_free(struct snapshot *k);
cycle_t snapshot_cycle(const struct snapshot *k);
/* Bytes that it is made of, and of these, those that taking it added; it shared the others with
 * snapshots there were, or (samples of the time series) with the run. */
size_t snapshot_bytes(const struct snapshot *k);
size_t snapshot_added(const struct snapshot *k);
size_t snapshot_own(const struct snapshot *k); /* bytes that it shares with no other by now */
const char *snapshot_policy(const struct snapshot *k); /* the stack it was taken under */

/* A snapshot as bytes, added to out (out->failed: out of memory), and read back into a sim just
 * made by a program with the same sim_build_id() and platform, of the same trace and of the same
 * options at its start, to be put back by sim_restore(). Bytes that are cut off or damaged are
 * refused and change nothing. */
struct strbuf;
void snapshot_write(const struct sim *s, const struct snapshot *k, struct strbuf *out);
struct snapshot *snapshot_read(struct sim *s, const void *bytes, size_t n, struct err *e);
/* Names the code of the model and what compiled it: states of other code mean something else. */
const char *sim_build_id(void);
/* Names the kind of machine the program is compiled for: "x86_64, 64-bit, little-endian". */
const char *sim_build_platform(void);

/* ---------------------------------------------------------------- looking, by path */

/*
 * Paths are rows of src/sim/view.def: GROUP.FIELD or GROUP.INDEX.FIELD, INDEX may be * (a vector):
 *     gpu.ipc   core.5.ract   core.*.n   mem.2.row_hit_rate   l2.*.misses   credits.local.5
 *     credits.global   policy.NAME.FIELD.5   kernel.ctas_done
 */
struct view_row {
	const char *group, *field, *unit, *help;
	bool counter; /* grows from 0 over the run; part of `dump csv stats` */
};
extern const struct view_row view_rows[];
extern const unsigned n_view_rows;

/* Resolves a path: elements (1 or the vector's length), or -1 with the nearest names. */
int sim_path(const struct sim *s, const char *path, uint64_t *id, struct err *e);
double sim_value(const struct sim *s, uint64_t id, unsigned element); /* NaN: unknown */
const char *sim_value_name(const struct sim *s, uint64_t id,
			   double v);	   /* its word ("monitor"); NULL: a number says it */
uint64_t sim_periods(const struct sim *s); /* that the policies have decided at, over the run */
unsigned sim_instances(const struct sim *s,
		       const char *group); /* "core": 30; "gpu": 1; 0 unknown */
/* Calls fn with every concrete or starred path, for completion ("core.*.ract"). */
void sim_each_path(const struct sim *s,
		   void (*fn)(void *ctx, const char *path, const char *unit, const char *help),
		   void *ctx);

/* ---------------------------------------------------------------- looking, as structs */

/* Each core cycle is exactly one of these (ctascope-model(7) 14). */
enum cycle_class {
	CC_ACTIVE,
	CC_STALL,
	CC_BLOCKED,
	CC_MEMORY,
	CC_DEPENDENCE,
	CC_IDLE,
	CC_GATED,
	CC_CLASSES
};
extern const char *const cycle_class_names[CC_CLASSES];
extern const char *const core_state_names[];

struct cta_slot_view {
	bool used, paused, held;
	uint32_t cta;	     /* id */
	uint32_t order;	     /* 0 = assigned first among those resident */
	uint32_t warps_left; /* not yet retired */
	uint32_t warps;
	cycle_t issued;
};

struct core_view {
	unsigned core, cluster;
	enum core_state state;
	uint32_t n_max, limit, resident, running, paused;
	uint32_t warps, warps_ready, warps_memory, warps_dependence, warps_barrier, warps_unfetched,
		warps_done;
	uint32_t warps_held; /* not done, of held CTAs: in none of the counts before but warps */
	uint64_t class_cycles[CC_CLASSES]; /* over the run */
	/* C_mem and C_idle as the policy weighs them, so far; in the cycle in which a period ended,
	 * of the whole of it. */
	uint64_t period_c_mem, period_c_idle;
	bool period_over;    /* that is so now */
	cycle_t period_left; /* CYCLE_NEVER: no policy with a period */
	double ract;	     /* over the run; NaN before the first cycle */
	double ract_now;     /* in the last closed sample; NaN when none */
	uint64_t warp_insts, thread_insts;
	unsigned mshr_used, mshr_max;
	unsigned n_slots;
	struct cta_slot_view slot[MAX_CTAS];
	bool has_credits;
	int64_t credits_local;
};
void sim_core_view(const struct sim *s, unsigned core, struct core_view *v);

/* A scheduler of a core, or its sub-core where it has them (core.sub_cores): its warps, counted as
 * those of a core are. There are sim_instances(s, "sub"); warp w belongs to w mod that number. */
struct sub_view {
	uint32_t warps, ready, memory, dependence, barrier, unfetched, done, held;
	uint64_t issued;  /* warp instructions */
	uint64_t stalled; /* cycles in which the core held a CTA and the scheduler issued nothing */
};
void sim_sub_view(const struct sim *s, unsigned core, unsigned sub, struct sub_view *v);
bool sim_sub_cores(const struct sim *s); /* that is what they are */

/* How many CTAs of the running kernel a core has room for, and why. */
struct occupancy_view {
	uint32_t threads, registers, shmem,
		slots;	/* CTAs that each allows; UINT32_MAX: any number */
	uint32_t fit;	/* the least of them */
	uint32_t n_max; /* N, which the balancing rule may have made less */
	/* Machines that divide one memory into L1 and shared memory for every kernel: its size, the
	 * part that is shared memory, and the ways of L1; 0: the others. */
	uint32_t unified_bytes, shared_bytes, l1_ways;
};
/* False: no kernel is running. */
bool sim_occupancy(const struct sim *s, struct occupancy_view *v);

enum warp_status {
	WARP_FREE,
	WARP_READY,
	WARP_MEMORY,
	WARP_DEPENDENCE,
	WARP_BARRIER,
	WARP_MEMBAR,
	WARP_ATOMIC,
	WARP_UNFETCHED,
	WARP_DRAINING, /* all lanes exited, waiting for acks or the pipeline */
	WARP_STATUSES
};
extern const char *const warp_status_names[];

struct warp_view {
	enum warp_status status;
	bool paused, held;
	uint32_t cta, warp_in_cta;
	uint32_t done, total;	  /* records issued and in all */
	const struct inst *next;  /* next instruction to issue, NULL when none; borrowed */
	uint32_t mask;		  /* its active lanes */
	const struct inst *waits; /* memory/dependence: not kept, NULL */
	uint8_t wait_reg; /* first register it waits for; 255 with status ready means none */
	unsigned stores;  /* store acks outstanding */
};
unsigned sim_warps(const struct sim *s); /* hardware warps per core */
void sim_warp_view(const struct sim *s, unsigned core, unsigned warp, struct warp_view *v);

/* Where the time goes, by instruction. Counted only while it is on, for all kernels of the same
 * code together; no part of the machine's state. After a restore it begins anew. */
struct inst_profile {
	uint64_t issued;		 /* warp instructions */
	uint64_t lanes;			 /* active lanes of these */
	uint64_t l1_accesses, l1_misses; /* of its loads, in lines */
	/* Warps that stood at it, times cycles, by what they waited for, sampled at the end of each
	 * sample of the time series; paused: those of paused CTAs, whatever else they waited for.
	 */
	uint64_t waits[WARP_STATUSES], paused;
};
int sim_profile_on(struct sim *s, struct err *e); /* from this cycle on; when it is on: nothing */
void sim_profile_off(struct sim *s);
/* While the machine is taken elsewhere and brought back to the same place: what was counted so far.
 * NULL: it is off. */
struct profile *sim_profile_lay_aside(struct sim *s);
void sim_profile_take_up(struct sim *s, struct profile *p);
bool sim_profile_since(const struct sim *s, cycle_t *since); /* false: it is off */
/* Of each instruction of a kernel, up to now; valid until the machine runs. NULL: it is off, or
 * memory ran out. */
const struct inst_profile *sim_profile(struct sim *s, uint32_t kernel);

/* What the warps of one core did in each of the last cycles; kept only while it is on, no part of
 * the machine's state. For another core, and after a restore, it begins anew. */
#define PAST_CYCLES 1024 /* are kept */
#define PAST_STATUS 15	 /* enum warp_status at the end of the cycle, and beside it */
#define PAST_PAUSED 64	 /* its CTA is paused */
#define PAST_ISSUED 128	 /* it issued in that cycle */
int sim_past_on(struct sim *s, unsigned core, struct err *e);
void sim_past_off(struct sim *s);
/* Of each hardware warp in a cycle, counted from 1 as sim_cycle() does; NULL: not kept. */
const uint8_t *sim_past(const struct sim *s, cycle_t cycle);

/* Where a core, or a cluster of several, stands in a mesh of *w by *h nodes; false: there is none.
 */
bool sim_place(const struct sim *s, unsigned core, unsigned *x, unsigned *y, unsigned *w,
	       unsigned *h);

struct mem_view { /* one DRAM channel */
	unsigned queue, queue_max, banks;
	uint64_t reads, writes, row_hits, row_misses, row_conflicts, activates, busy;
	struct {
		bool open, busy;
		uint32_t row;
		unsigned queued;
	} bank[64];
};
unsigned sim_channels(const struct sim *s);
void sim_mem_view(const struct sim *s, unsigned channel, struct mem_view *v);

/* Why does core c not take a CTA now? One constraint, with its numbers. */
struct refusal_view {
	enum refusal kind;
	char text[200]; /* one sentence with numbers */
	unsigned cause; /* where in it the policy's own sentence begins, behind the core's state */
};
/* -1: memory ran out, and v does not say. */
int sim_why_not(const struct sim *s, unsigned core, struct refusal_view *v);

/* ---------------------------------------------------------------- events and decisions */

const struct event_ring *sim_events(const struct sim *s);
/* "pause, core 5, cycle 22528: C_mem 812 >= t_mem_h 384, limit 6 -> 5, paused CTA 41, the youngest
 * of 6 running" */
void sim_event_text(const struct sim *s, const struct event *ev, char *buf, size_t size);
/* The same without what and where: "C_mem 812 >= t_mem_h 384, limit 6 -> 5, paused CTA 41 ..." */
void sim_event_sentence(const struct sim *s, const struct event *ev, char *buf, size_t size);
/* And without what became of the limit, which is event.limit: "C_mem 812 >= t_mem_h 384, paused CTA
 * 41 ..." */
void sim_event_cause(const struct sim *s, const struct event *ev, char *buf, size_t size);
const struct rule *sim_event_rule(const struct sim *s, const struct event *ev); /* never NULL */
const char *sim_event_policy(const struct sim *s, const struct event *ev); /* its name, or "host" */
bool
sim_event_is_decision(const struct event *ev); /* a policy or the issue logic chose something */

/* Which of its values a rule calls by the name of that length, -1: none; and does the name mean
 * something in its sentence, as a value or as what the host knows? */
int rule_find(const struct rule *r, const char *name, size_t length);
bool rule_knows(const struct rule *r, const char *name, size_t length);
/* A sentence with its names filled in from an event; returns its length. rule_fill_cause() leaves
 * {outcome} out, and the comma before it. */
size_t rule_fill(const char *says, const struct rule *r, const struct event *ev, char *buf,
		 size_t size);
size_t rule_fill_cause(const char *says, const struct rule *r, const struct event *ev, char *buf,
		       size_t size);

/* The policies that come with the program; the first is the one of a new configuration. */
const struct cta_sched_ops *const *cta_sched_list(unsigned *n);
extern const char cta_sched_example[]; /* a stack of them with parameters, for help texts */

/* What the policies weigh, one gauge after the other through the stack (struct cta_gauge). */
struct gauge_view {
	const struct cta_sched_ops *policy;
	const struct cta_gauge *gauge;
	struct cta_reading now;	 /* in the period that runs */
	struct cta_reading last; /* when the last one ended */
	cycle_t last_end;	 /* in this cycle, CYCLE_NEVER: none has */
	/* What is to be shown: `last` in the very cycle in which it was kept, for that is what
	 * decided while `now` begins anew; else `now`. */
	struct cta_reading shown;
};
unsigned sim_gauges(const struct sim *s);
void sim_gauge_view(const struct sim *s, unsigned i, unsigned core, struct gauge_view *v);
/* Core cycles of the period that runs, and how many of them are done; 0: no policy has one. */
cycle_t sim_period(const struct sim *s, cycle_t *done);

/* ---------------------------------------------------------------- time series */

enum series_core_field {
#define SERIES_CORE(id, ...) SC_##id,
#include "ctascope/series.def"
	SC_FIELDS
};
enum series_mem_field {
#define SERIES_MEM(id, ...) SM_##id,
#include "ctascope/series.def"
	SM_FIELDS
};
enum series_gpu_field {
#define SERIES_GPU(id, ...) SG_##id,
#include "ctascope/series.def"
	SG_FIELDS
};
struct series_row {
	const char *name, *unit, *help;
	bool count; /* grows with the length of the sample: compare it per cycle */
};
extern const struct series_row series_core_rows[SC_FIELDS], series_mem_rows[SM_FIELDS],
	series_gpu_rows[SG_FIELDS];

/* Closed samples, 0 is the oldest. When the budget is full neighbours are merged pairwise, so spans
 * differ by powers of two; each sample says where it ends and how long it is. */
unsigned series_count(const struct sim *s);
cycle_t series_end(const struct sim *s, unsigned i);  /* core cycle at which sample i ended */
cycle_t series_span(const struct sim *s, unsigned i); /* its length in core cycles */
uint32_t series_kernel(const struct sim *s,
		       unsigned i);		 /* ordinal of the kernel running at its end */
uint64_t series_generation(const struct sim *s); /* changes when samples were merged or restored */
double series_core(const struct sim *s, enum series_core_field f, unsigned core,
		   unsigned i); /* NaN unknown */
double series_mem(const struct sim *s, enum series_mem_field f, unsigned channel, unsigned i);
double series_gpu(const struct sim *s, enum series_gpu_field f, unsigned i);

/* Where each kernel began, for the time axis. The first starts when the sim is made. */
unsigned sim_kernels_started(const struct sim *s);
cycle_t sim_kernel_start(const struct sim *s, unsigned ordinal);
cycle_t sim_kernel_end(const struct sim *s, unsigned ordinal); /* CYCLE_NEVER while it runs */
const struct trace_kernel *sim_kernel(const struct sim *s, unsigned ordinal);

/* What the stack's policy found out about each kernel, as the number of cores it needs: the name of
 * the policy's field (NULL: none finds out anything), and the value; NaN: nothing was found. */
const char *sim_found_name(const struct sim *s);
double sim_found(const struct sim *s, unsigned ordinal);

#endif
