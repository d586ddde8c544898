/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim.h - the interface of the machine for debugger, prompt, panes, export and tests.
 *
 * A caller builds a configuration, opens a trace, makes a sim of both, runs it to a cycle, reads it
 * by path, by struct or as time series, and saves and restores it. The model prints nothing.
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
#include "ctascope/kernels.h"
#include "ctascope/trace.h"
#include "ctascope/warp_look.h"

/* ---------------------------------------------------------------- configuration */

struct config; /* every option of machine, policies and run */

struct config *config_new(void); /* with the default of every option */
void config_free(struct config *c);
/* Sets the function that tries a user's policy before the configuration loads it. It gets the
 * policy's file and load(), which loads and unloads the file; a front end may call load() in a
 * process that may crash. It returns -1 to refuse the policy. NULL (the default): policies are
 * loaded untried. Copies of c use the same function; c may be NULL. */
typedef int config_try_fn(int (*load)(const char *path, struct err *e), const char *path,
			  struct err *e);
void config_set_try(struct config *c, config_try_fn *try_load);
struct optdb *config_db(struct config *c);
const struct optdb *config_db_const(const struct config *c);
/* Takes the options of a machine: "gtx480" or a path. */
int config_machine(struct config *c, const char *name_or_file, struct err *e);
/* Names the machine whose options the caller sets one by one. */
void config_name_machine(struct config *c, const char *name);
/* Calls fn for every known machine in the order of names until fn returns other than 0; returns
 * that value. title: a description, "" if the machine's file has none. */
int config_each_machine(int (*fn)(void *ctx, const char *name, const char *title), void *ctx);
/* Sets the policy stack: "one:period=4096+./mine.so". */
int config_policy(struct config *c, const char *stack, struct err *e);
/* Makes a sequence (src/cta/sequence.h) without steps the policy, under the name of a file that
 * need not exist. It belongs to the configuration and its copies. NULL with e. */
struct sequence;
struct sequence *config_new_sequence(struct config *c, const char *path, const char *help,
				     struct err *e);
/* Whether no lower threshold of a gauge is above the upper one, in the policies of the stack; -1: e
 * names both options. A machine, sim_set() and sim_set_policy() demand it. */
int config_check_thresholds(const struct config *c, struct err *e);
int config_wsched(struct config *c, const char *name, struct err *e);
const char *config_machine_name(const struct config *c);
#define POLICY_TEXT 1024				/* room for the text of a stack */
const char *config_policy_text(const struct config *c); /* canonical stack text */
/* The same with every parameter that has another value than on the machine as it comes, so that two
 * runs with different parameters have different names. Without memory it is the plain text. */
void config_stack_text(const struct config *c, char text[POLICY_TEXT]);
struct strbuf;
/* Writes the parameters that the text of the stack does not name and that have another value than
 * on the plain machine, because they were set before: "dyncta.t_mem_l 32, t_mem_h 96". Returns how
 * many there are. */
unsigned config_kept_values(const struct config *c, struct strbuf *out);
/* The policies of the stack in order, and all policies that the configuration knows. */
const struct cta_sched_ops *const *config_stack(const struct config *c, unsigned *n);
const struct cta_sched_ops *const *config_policies(const struct config *c, unsigned *n);
/* The first known policy that has credit registers; NULL: none. */
const struct cta_sched_ops *config_credit_policy(const struct config *c);
const char *config_wsched_name(const struct config *c);
/* How many CTAs of the kernel fit on a core of the machine; 0: not even one. */
uint32_t config_ctas_per_core(const struct config *c, const struct trace_kernel *k);

/* ---------------------------------------------------------------- making a sim, changing it */

struct sim;

/* Copies c and borrows t. */
struct sim *sim_new(const struct config *c, struct trace *t, struct err *e);
void sim_free(struct sim *s);
const struct config *sim_config(const struct sim *s);
const struct trace_info *sim_trace(const struct sim *s);

/* Change an option or the policy stack at a stop. Options that are fixed for the run cannot change;
 * the error names them. note (may be NULL) receives one line about the state that the new policies
 * keep and lose. At cycle 0 the state, with its events, becomes that of a machine made with the
 * change. */
int sim_set(struct sim *s, const char *key, const char *value, struct err *e);
/* -1 with e: the option does not exist, or is fixed for the run. */
int sim_check_set(const struct sim *s, const char *key, const char *value, struct err *e);
int sim_set_policy(struct sim *s, const char *stack, char *note, size_t size, struct err *e);
/* True if changing the option can change the run. False for options of the simulation itself
 * (run.*) and of the computation of energy (power.*). */
bool config_is_choice(const struct config *c, const char *key);
struct config *config_copy(const struct config *c); /* NULL: out of memory */
/* Restores the stack and the live options from `from`, a copy of an earlier time. */
void config_put_back(struct config *to, const struct config *from);
/* Copies the stack and the options for which config_is_choice() is true, so that a front end's
 * configuration follows that of the sim. */
int config_follow(struct config *to, const struct config *from, struct err *e);

/* ---------------------------------------------------------------- forced outcomes */

/*
 * A caller can force another outcome of one future decision than the policies choose. The name of a
 * decision consists of its kind, the core and the cycle of its events. If the core has several
 * decisions of a kind in the cycle, the second and later names end in the number of earlier ones.
 *
 *     limit.5@22528      at the end of a period: down | stay | up | a number of CTAs
 *     issue.5@22528      a free slot: take | refuse | core 3 (that core takes the CTA)
 *     state.5@22528      stay | active | draining | throttled | paused | off
 *
 * Where kernels run together, /k2 follows: it is a decision about kernel 2, which must run.
 *
 * A name means the same decision in all runs that are equal before that cycle. Forced outcomes that
 * are still in the future are part of the state. The limits of the machine hold: a core without
 * room takes no CTA. The event `forced` reports a forced outcome when it happens.
 */
#define DECISION_TEXT 48
int sim_force(struct sim *s, const char *decision, const char *outcome, struct err *e);

/* The decision that an event reports. */
struct decision_view {
	char name[DECISION_TEXT]; /* for sim_force(), at an earlier cycle */
	cycle_t cycle;
	unsigned core, kernel; /* kernel: its number from 1 */
	uint64_t kinds;	       /* kinds of events that report it, about that core in that cycle */
	const char *other;     /* the outcome nearest to the actual one */
	unsigned n_max;	       /* of a limit: the highest that the kernel allows; else 0 */
	char can[120];	       /* all outcomes: "down, stay, up or a number from 1 to 8" */
};
/* -1: the event reports no decision, and e says why. */
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

/* Sets the only listener, for the event kinds in mask; fn NULL: none. It is called inside a cycle:
 * it may read the machine and may call sim_request_stop(), which ends the run at the end of this
 * cycle. */
void sim_listen(struct sim *s, uint64_t mask, void (*fn)(void *ctx, const struct event *ev),
		void *ctx);
void sim_request_stop(struct sim *s);

/* Calls fn, inside a cycle as a listener, for every issue of an instruction for which `wanted`
 * returns true. `wanted` is called now for each instruction of the prepared kernels, and for those
 * of a later kernel before it runs. Other instructions cost no time. fn NULL: none. */
void sim_on_issue(struct sim *s, bool (*wanted)(void *ctx, uint32_t kernel, const struct inst *i),
		  void (*fn)(void *ctx, unsigned core, unsigned warp, const struct inst *i),
		  void *ctx);

/* Called at the end of every core cycle while set (watches); returning true stops the run there. */
void sim_each_cycle(struct sim *s, bool (*fn)(void *ctx), void *ctx);

/* The run loop reads *poll every few microseconds and stops if it is not 0. NULL: none. */
void sim_poll(struct sim *s, const volatile int *poll);

/* Called from the run loop about every `ms` of wall time, at a cycle boundary (drawing, progress).
 * Returning true stops the run (SIM_INTERRUPTED). fn NULL: none. */
void sim_every_ms(struct sim *s, unsigned ms, bool (*fn)(void *ctx), void *ctx);

cycle_t sim_cycle(const struct sim *s);
bool sim_done(const struct sim *s);
/* The digest of the whole model state. It does not depend on the path to this state. */
uint64_t sim_digest(struct sim *s);

/* The parts of the state that have digests; two runs with different digests differ in one of them.
 * PART_CORES leaves out the caches and load/store units of the cores, which are PART_L1. */
enum sim_part {
	PART_CORES,
	PART_L1,
	PART_NOC,
	PART_L2,
	PART_DRAM,
	PART_POLICY,   /* host and states of the policies */
	PART_REQUESTS, /* all requests in flight */
	PART_CLOCK,    /* clocks, kernels and the order of turns */
	SIM_PARTS
};
extern const char *const sim_part_names[SIM_PARTS];
uint64_t sim_digest_part(struct sim *s, enum sim_part part);
/* The number of units of the part; 0: it has no units. */
unsigned sim_part_units(const struct sim *s, enum sim_part part);
/* The digest of one unit. */
uint64_t sim_digest_unit(struct sim *s, enum sim_part part, unsigned unit);

/* Progress of the whole workload: warp instructions issued, and their total. */
void sim_progress(const struct sim *s, uint64_t *done, uint64_t *total);
/* Why the run goes on on one thread, such as "several kernels run at once"; NULL: it may use two.
 */
const char *sim_one_thread_reason(const struct sim *s);
double sim_wall_seconds(const struct sim *s); /* spent inside sim_run so far */

/* ---------------------------------------------------------------- snapshots */

/* Snapshots of a sim share their equal parts. Each may be freed at any time, also after the sim.
 * The first one is complete; a later one mostly adds the parts that have changed since. */
struct snapshot;
struct snapshot *sim_save(struct sim *s, struct err *e);
/* Restores the policy stack and the changed options, too. k stays valid. */
int sim_restore(struct sim *s, const struct snapshot *k, struct err *e);
void snapshot_free(struct snapshot *k);
/* A second machine with the same options and workload at cycle 0, which can restore the snapshots
 * of s besides its own. The limits of a run do not apply to it. s must outlive it. */
struct sim *sim_twin(struct sim *s, struct err *e);
/* Forgets the samples of the time series, and takes one per so many cycles from here on, until the
 * next restore. The model is not affected. */
void sim_resample(struct sim *s, uint32_t cycles);
cycle_t snapshot_cycle(const struct snapshot *k);
/* All bytes of a snapshot. */
size_t snapshot_bytes(const struct snapshot *k);
/* The bytes that taking it added. It shared the others with earlier snapshots or, for samples of
 * the time series, with the run. */
size_t snapshot_added(const struct snapshot *k);
size_t snapshot_own(const struct snapshot *k);	       /* bytes that no other snapshot shares now */
const char *snapshot_policy(const struct snapshot *k); /* the policy stack when it was taken */

/* Appends a snapshot to out as bytes (out->failed: out of memory). snapshot_read() turns the bytes
 * back into a snapshot for sim_restore(). It needs a newly made sim with the same trace, the same
 * options at the start, the same sim_build_id() and the same platform. It refuses truncated or
 * damaged bytes and then changes nothing. */
void snapshot_write(const struct sim *s, const struct snapshot *k, struct strbuf *out);
struct snapshot *snapshot_read(struct sim *s, const void *bytes, size_t n, struct err *e);
/* Names the code of the model and its compiler; the states of other code are not comparable. */
const char *sim_build_id(void);
/* Names the kind of machine the program is compiled for: "x86_64, 64-bit, little-endian". */
const char *sim_build_platform(void);

/* ---------------------------------------------------------------- reading, by path */

/*
 * Paths are rows of src/sim/view.def: GROUP.FIELD or GROUP.INDEX.FIELD, INDEX may be * (a vector):
 *     gpu.ipc   core.5.ract   core.*.n   mem.2.row_hit_rate   l2.*.misses   credits.local.5
 *     credits.global   policy.NAME.FIELD.5   kernel.ctas_done
 *     core.5.kernel.2.n   policy.NAME.FIELD.5.kernel.2   of a kernel that is named
 */
struct view_row {
	const char *group, *field, *unit, *help;
	bool counter; /* grows from 0 over the run; `dump csv stats` writes it */
};
extern const struct view_row view_rows[];
extern const unsigned n_view_rows;
/* The path of a row for all instances. kernel: the number of one, or "K", for what each kernel has.
 */
void view_row_path(const struct view_row *r, const char *kernel, char *buf, size_t size);

/* Resolves a path. Returns the number of its elements (1 or the vector's length), or -1 and an
 * error with the nearest names. */
int sim_path(const struct sim *s, const char *path, uint64_t *id, struct err *e);
double sim_value(const struct sim *s, uint64_t id, unsigned element); /* NaN: unknown */
/* The name of a value, such as "monitor"; NULL: the value is a plain number. */
const char *sim_value_name(const struct sim *s, uint64_t id, double v);
/* The number of periods over the run at whose end the policies have decided. */
uint64_t sim_periods(const struct sim *s);
/* The number of instances of a group: "core": 30; "gpu": 1; 0: unknown group. */
unsigned sim_instances(const struct sim *s, const char *group);
/* Calls fn with every path, concrete or with a star ("core.*.ract"), for completion. */
void sim_each_path(const struct sim *s,
		   void (*fn)(void *ctx, const char *path, const char *unit, const char *help),
		   void *ctx);

/* ---------------------------------------------------------------- reading, as structs */

/* Each core cycle is in exactly one of these classes (ctascope-model(7) 14). */
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
	uint32_t kernel;     /* of the CTA: index in the trace */
	uint32_t order;	     /* 0: assigned first among the resident CTAs */
	uint32_t warps_left; /* not yet retired */
	uint32_t warps;
	cycle_t issued;
};

struct core_view {
	unsigned core, cluster;
	enum core_state state;
	/* The kernel, from 1, of which n_max, limit, periods, gauges and credits are: of several
	 * the oldest with CTAs on the core, else the oldest. */
	unsigned kernel;
	uint32_t n_max, limit, resident, running, paused;
	uint32_t warps, warps_ready, warps_memory, warps_dependence, warps_barrier, warps_unfetched,
		warps_done;
	uint32_t warps_held_back; /* of the ready ones, those that a policy does not let issue */
	uint32_t warps_held;	  /* unfinished warps of held CTAs; of the counts above, only warps
				     includes them */
	uint64_t class_cycles[CC_CLASSES]; /* over the run */
	/* C_mem and C_idle, as the policy weighs them, of the current period so far. In the cycle
	 * in which a period ended: of that whole period, and period_over is true. */
	uint64_t period_c_mem, period_c_idle;
	bool period_over;
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

/* What keeps a core from issuing, by the states of its warps at the end of the cycle; the classes
 * of cycles (ctascope-model(7) 14) count what it did instead. */
enum core_wait {
	WAIT_NOTHING, /* a warp is ready, and no policy holds it back */
	WAIT_POLICY,  /* a policy holds all ready warps back */
	WAIT_CTA,     /* no CTA is on the core */
	WAIT_MEMORY,  /* every warp that is not at a barrier waits for memory */
	WAIT_RESULT,  /* some wait for the result of an instruction */
	WAIT_FETCH,   /* none has fetched its next instruction */
	WAIT_BARRIER, /* all are at barriers */
	WAIT_HELD,    /* only warps of held CTAs are left */
	WAIT_END,     /* all warps have finished */
	CORE_WAITS
};
enum core_wait core_wait_of(const struct core_view *v);
/* The state of a core for a reader: "waits for memory", where the policies' state is "active". */
const char *core_state_text(const struct core_view *v);

/* Where a request is; of its sectors the one that is least far counts. */
enum request_place {
	REQUEST_IN_CORE,  /* waits in the core for room in the network */
	REQUEST_TO_SLICE, /* in the request network */
	REQUEST_IN_SLICE, /* waits for the look-up in L2 */
	REQUEST_IN_DRAM,  /* missed L2: the data come from DRAM */
	REQUEST_ANSWERED, /* the data wait in L2 for room in the reply network */
	REQUEST_TO_CORE,  /* in the reply network */
	REQUEST_ARRIVED,  /* in the core's response buffer */
	REQUEST_PLACES
};
enum request_kind { REQUEST_DATA, REQUEST_STORE, REQUEST_INST };
struct request_view {
	enum request_place place;
	cycle_t sent; /* CYCLE_NEVER: not yet */
	unsigned slice, channel;
	unsigned n; /* requests of this kind that the core has on the way */
	bool out_of_memory; /* nothing else is known */
};
/* The oldest request of a core; false: none is on the way, or there was no memory to look. */
bool sim_oldest_request(const struct sim *s, unsigned core, enum request_kind kind,
			struct request_view *v);
/* Memory blocks the load/store unit: the look-up in L1 fails, or the network has no room. */
bool sim_unit_blocked(const struct sim *s, unsigned core);

/* A warp scheduler of a core, or a sub-core if the machine has sub-cores (core.sub_cores), with the
 * counts of its warps as in struct core_view. A core has sim_instances(s, "sub") of them; warp w
 * belongs to number w mod sim_instances(s, "sub"). */
struct sub_view {
	uint32_t warps, ready, memory, dependence, barrier, unfetched, done, held;
	uint64_t issued;  /* warp instructions */
	uint64_t stalled; /* cycles in which the core held a CTA and the scheduler issued nothing */
};
void sim_sub_view(const struct sim *s, unsigned core, unsigned sub, struct sub_view *v);
bool sim_sub_cores(const struct sim *s); /* true: they are sub-cores, not plain schedulers */

/* The L1 data cache of a core: its lines, and whose they are. */
struct l1_view {
	unsigned sets, ways; /* ways: of the running kernel */
	/* Lines of resident CTAs that another CTA replaced, as core.N.l1_evicted_by_others. */
	uint64_t evicted_by_others;
};
struct l1_line_view {
	bool used;
	bool pending;  /* used, but none of its data has arrived */
	bool resident; /* the CTA that brought it is still in its slot */
	uint8_t slot;  /* of that CTA */
	uint64_t addr;
};
void sim_l1_view(const struct sim *s, unsigned core, struct l1_view *v);
void sim_l1_line(const struct sim *s, unsigned core, unsigned set, unsigned way,
		 struct l1_line_view *v);

/* How many CTAs of a running kernel a core has room for, and why. */
struct occupancy_view {
	/* The number of CTAs that each resource allows; UINT32_MAX: any number. */
	uint32_t threads, registers, shmem, slots;
	uint32_t fit;	/* the smallest of these numbers */
	uint32_t n_max; /* N, which the balancing rule may have reduced */
	/* On a machine that divides one memory into L1 and shared memory for every kernel: the size
	 * of this memory, the size of shared memory, and the ways of L1. 0 on other machines. */
	uint32_t unified_bytes, shared_bytes, l1_ways;
};
/* Of the kernel of this number, from 1; false: it is not running. */
bool sim_occupancy(const struct sim *s, unsigned kernel, struct occupancy_view *v);

#define OCCUPANCY_LIMITERS 4
/* Stores the names of what keeps N from being larger, "threads" and "slots" or "gpu.balance", and
 * returns how many they are; 0 without a kernel. */
unsigned sim_occupancy_limiters(const struct sim *s, unsigned kernel,
				const char *name[OCCUPANCY_LIMITERS]);

/* The profile of an instruction. The model counts only while the profile is on, and counts all
 * kernels with the same code together. The profile is not part of the machine's state; a restore
 * resets it. */
struct inst_profile {
	uint64_t issued;		 /* warp instructions */
	uint64_t lanes;			 /* active lanes of these */
	uint64_t l1_accesses, l1_misses; /* of its loads, in lines */
	/* Warps whose next instruction this was, times cycles, by warp status, sampled at the end
	 * of each sample of the time series. paused: warps of paused CTAs, whatever their status.
	 */
	uint64_t waits[WARP_STATUSES], paused;
};
/* Counts from this cycle on; no effect if the profile is on. */
int sim_profile_on(struct sim *s, struct err *e);
void sim_profile_off(struct sim *s);
/* A caller that moves the machine to another cycle and back takes the counts away before and puts
 * them back after. NULL: the profile is off. */
struct profile *sim_profile_lay_aside(struct sim *s);
void sim_profile_take_up(struct sim *s, struct profile *p);
bool sim_profile_since(const struct sim *s, cycle_t *since); /* false: the profile is off */
/* The profiles of all instructions of a kernel up to now; valid until the machine runs. NULL: the
 * profile is off, or memory ran out. */
const struct inst_profile *sim_profile(struct sim *s, uint32_t kernel);

/* The status of the warps of one core in each of the last cycles. The model keeps it only while it
 * is on. It is not part of the machine's state; another core or a restore clears it. */
#define PAST_CYCLES 1024 /* cycles that are kept */
#define PAST_STATUS 15	 /* these bits are enum warp_status at the end of the cycle */
#define PAST_PAUSED 64	 /* the CTA of the warp is paused */
#define PAST_ISSUED 128	 /* the warp issued in that cycle */
int sim_past_on(struct sim *s, unsigned core, struct err *e);
void sim_past_off(struct sim *s);
/* Moves the record to a machine of the same configuration that is in the same state; `to` loses its
 * own. */
void sim_past_give(struct sim *from, struct sim *to);
/* A byte of PAST_ bits for each hardware warp in a cycle, numbered from 1 as by sim_cycle(). NULL:
 * the cycle is not kept. */
const uint8_t *sim_past(const struct sim *s, cycle_t cycle);

/* The place of a core, or of its cluster, in a mesh of *w by *h nodes; false: there is no mesh. */
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

/* The one constraint for which a core does not take a CTA now. */
struct refusal_view {
	enum refusal kind;
	char text[200]; /* one sentence with numbers: the core's state, then the policy's reason */
	unsigned cause; /* offset in text at which the policy's reason begins */
	unsigned kernel; /* its number from 1, which the text names; 0: only one can run */
};
/* -1: memory ran out, and v is not valid. */
int sim_why_not(const struct sim *s, unsigned core, struct refusal_view *v);
/* The same for one kernel, by its number from 1, whether or not it is its turn on this core. 1: it
 * does not run. */
int sim_why_not_kernel(const struct sim *s, unsigned core, unsigned kernel, struct refusal_view *v);

/* ---------------------------------------------------------------- events and decisions */

const struct event_ring *sim_events(const struct sim *s);
/* Writes an event: "pause, core 5, cycle 22528: C_mem 812 >= t_mem_h 384, limit 6 -> 5, paused CTA
 * 41, the youngest of 6 running". */
void sim_event_text(const struct sim *s, const struct event *ev, char *buf, size_t size);
/* Writes it without kind, core and cycle: "C_mem 812 >= t_mem_h 384, limit 6 -> 5, paused CTA 41,
 * ...". */
void sim_event_sentence(const struct sim *s, const struct event *ev, char *buf, size_t size);
/* Writes the sentence without the limit, which is event.limit: "C_mem 812 >= t_mem_h 384, paused
 * CTA 41, ...". */
void sim_event_cause(const struct sim *s, const struct event *ev, char *buf, size_t size);
const struct rule *sim_event_rule(const struct sim *s, const struct event *ev); /* never NULL */
const char *sim_event_policy(const struct sim *s, const struct event *ev); /* its name, or "host" */
/* True if a policy or the issue logic chose something. */
bool sim_event_is_decision(const struct event *ev);

/* The index of the rule's value with that name; -1: none. */
int rule_find(const struct rule *r, const char *name, size_t length);
/* True if the rule's sentence may contain the name: a value of the rule or of the host. */
bool rule_knows(const struct rule *r, const char *name, size_t length);
/* Write a sentence with the values of an event in place of names; return its length.
 * rule_fill_cause() omits {outcome} and the comma before it. */
size_t rule_fill(const char *says, const struct rule *r, const struct event *ev, char *buf,
		 size_t size);
size_t rule_fill_cause(const char *says, const struct rule *r, const struct event *ev, char *buf,
		       size_t size);

/* The built-in policies; a new configuration has the first one. */
const struct cta_sched_ops *const *cta_sched_list(unsigned *n);
extern const char cta_sched_example[]; /* a stack of them with parameters, for help texts */

/* A gauge of a policy: a value that it weighs (struct cta_gauge). Gauges are numbered through the
 * stack. */
struct gauge_view {
	const struct cta_sched_ops *policy;
	const struct cta_gauge *gauge;
	unsigned kernel;	 /* whose, from 1 */
	struct cta_reading now;	 /* in the current period */
	struct cta_reading last; /* at the end of the last period */
	cycle_t last_end;	 /* the cycle in which that period ended, CYCLE_NEVER: none has */
	/* The reading to display: `last` in the cycle in which a period ends, because the policy
	 * decided with it and `now` has been reset; else `now`. */
	struct cta_reading shown;
};
unsigned sim_gauges(const struct sim *s);
void sim_gauge_view(const struct sim *s, unsigned i, unsigned core, struct gauge_view *v);
/* The same for a kernel, counted from 0, where several run together; false: it does not run. */
bool sim_gauge_of_kernel(const struct sim *s, unsigned ordinal, unsigned i, unsigned core,
			 struct gauge_view *v);
/* Core cycles of the current period, and how many of them are done; 0: no policy has a period. */
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
	bool count;    /* grows with the length of the sample, so only values per cycle compare */
	bool level;    /* read at the end of the sample; all others belong to its whole length */
	bool has_mean; /* a mean weighted by the lengths of the samples is right: not for a rate per
			  access */
	bool is_rate;  /* a rate per access: a mean is weighted by the accesses */
};
extern const struct series_row series_core_rows[SC_FIELDS], series_mem_rows[SM_FIELDS],
	series_gpu_rows[SG_FIELDS];

/* The number of closed samples; sample 0 is the oldest. When their memory is full, neighbours are
 * merged in pairs, so that the lengths of samples differ by powers of two. */
unsigned series_count(const struct sim *s);
cycle_t series_end(const struct sim *s, unsigned i);  /* core cycle at which sample i ended */
cycle_t series_span(const struct sim *s, unsigned i); /* its length in core cycles */
/* The ordinal of the kernel that runs at the end of sample i. */
uint32_t series_kernel(const struct sim *s, unsigned i);
uint64_t series_generation(const struct sim *s); /* changes when samples are merged or restored */
/* The value of a field in sample i; NaN: unknown. */
double series_core(const struct sim *s, enum series_core_field f, unsigned core, unsigned i);
double series_mem(const struct sim *s, enum series_mem_field f, unsigned channel, unsigned i);
double series_gpu(const struct sim *s, enum series_gpu_field f, unsigned i);
/* What the value counts in a mean over samples, per cycle of the sample: of a rate per access
 * (series_row.is_rate) its accesses per cycle, of any other value 1. */
double series_core_weight(const struct sim *s, enum series_core_field f, unsigned core, unsigned i);
double series_mem_weight(const struct sim *s, enum series_mem_field f, unsigned channel,
			 unsigned i);
double series_gpu_weight(const struct sim *s, enum series_gpu_field f, unsigned i);

#endif
