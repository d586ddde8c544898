/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta.h - the host of the CTA scheduling policies.
 *
 * The host keeps the facts that do not depend on a policy (how many CTAs are left, resident and
 * paused on each core), asks the policies of the stack in order, merges their answers
 * (ctascope-model(7) 16) and publishes each decision as an event. It does not access the cores: the
 * sim reports what happened and carries out the answers.
 *
 *   a free slot asks:  may() of every policy  ->  request() of those that spend something  -> issue
 *   a period ends:     decide() per core      ->  limit = the smallest  ->  pause or resume to fit
 *   then, or when CTAs ended, or when it is due:
 *                      act() per policy       ->  want() a core's state  ->  the most restrictive
 */
#ifndef CTA_H
#define CTA_H

#include "cta/sequence.h"
#include "ctascope/cta_sched.h"
#include "ctascope/sim.h"
#include "ctascope/trace.h"

#define CTA_STACK 4  /* the largest number of stacked policies */
#define CTA_SEEN 128 /* policies an event can name: the shipped ones and the user's own */

/* One policy of a stack: constant. */
struct cta_policy {
	const struct cta_sched_ops *ops;
	const void *opts;
	size_t state; /* offset of its state from the host */
	size_t kept; /* offset of its last gauge readings: struct cta_reading [n_gauges][n_cores] */
	uint8_t id;  /* index in cta_stack.seen, stored in its events */
};

struct cta_limits { /* of one core, for launching CTAs of the running kernel */
	uint32_t threads, registers, shmem,
		hard; /* CTAs that each resource allows; UINT32_MAX: not used by the kernel */
	uint32_t warps;
};

/* Why a policy last refused a core, kept for a later "why not". The policy is an index into the
 * stack, because the state must not depend on which other policies the run has tried. */
struct cta_refused {
	uint8_t policy, rule, pad[6];
	int64_t v[EVENT_VALUES];
};

/* The state a policy asks for, and why. */
struct cta_want {
	uint8_t state; /* enum core_state */
	uint8_t rule;
	uint8_t forced; /* set by the user, not by the policy */
	uint8_t pad[5];
	int64_t v[EVENT_VALUES];
};

/*
 * The questions about a core whose answers the user can force (forced.c). The n-th question of a
 * kind about a core in a cycle is the same question in every run with the same history.
 */
enum cta_question {
	CTA_ASK_LIMIT, /* a period ends: which limit does this core get? */
	CTA_ASK_ISSUE, /* a slot is free, the core is active and a CTA is left: does the core take
			  it? */
	CTA_ASK_STATE, /* the policies change the core's state: does it change? */
	CTA_QUESTIONS
};

enum cta_outcome {
	CTA_LIMIT_DOWN, /* by one; `to` is not used */
	CTA_LIMIT_STAY,
	CTA_LIMIT_UP,
	CTA_LIMIT_TO,  /* to: the new limit */
	CTA_TAKE,      /* whatever the policies say */
	CTA_REFUSE,    /* not now; the core is asked again in the next cycle */
	CTA_ELSEWHERE, /* to: the core that takes the CTA */
	CTA_STATE      /* to: enum core_state, or CTA_STATE_STAY */
};
#define CTA_STATE_STAY 0xff /* keep the current state */

/* An outcome that the user forces, once. */
struct cta_forced {
	cycle_t cycle; /* cycle of the question, as in its events */
	uint16_t core, to;
	uint8_t question, outcome;
	uint8_t ordinal; /* number of the question among those of its kind about the core in the
			    cycle, from 0 */
	uint8_t pad;
};
#define CTA_FORCED 16 /* the largest number of outcomes still to come */

/* Lies in the arena, followed by the states of the policies. */
struct cta_host {
	uint32_t n_cores, n_used;
	uint32_t kernel;  /* index in the trace */
	uint32_t ordinal; /* of the launch */
	uint32_t n_max;	  /* N */
	uint64_t n_cta, issued, done;
	uint32_t round_trip;
	cycle_t next_period[CTA_STACK];
	cycle_t next_act[CTA_STACK];
	cycle_t kept_at[CTA_STACK]; /* cycle of the last kept gauges, CYCLE_NEVER: none yet */
	cycle_t period_start; /* start of the cores' period, see leading_policy() in periods.c */
	uint64_t periods;     /* ended periods of the cores in this run */
	uint8_t fresh;	      /* policies that just started, until act() */
	uint8_t period_over;  /* policies whose period ended in this cycle, until act() */
	uint8_t gated_not_announced; /* policies that just started and were not notified of cores
					that are off */
	uint8_t stale;		     /* a want changed, or a draining core became empty */
	uint8_t changed;	     /* an option or the stack changed, until act() */
	uint8_t forget; /* a policy wants to restart the measurement of memory stall runs */
	uint8_t pad[2];
	uint32_t limit[CTA_STACK][MAX_CORES];
	uint32_t asked[MAX_CORES]; /* free slots that were already refused */
	uint64_t base_c_mem[MAX_CORES], base_c_idle[MAX_CORES]; /* at period_start */
	/* For the means of n and of resident CTAs over the cycles in which CTAs are left to
	 * issue. */
	uint64_t n_sum, n_area, n_time; /* sum of n over the used cores; that sum times cycles; used
					   cores times cycles */
	uint64_t ctas_area, ctas_time;	/* resident CTAs times cycles; cores times cycles */
	cycle_t n_since;		/* areas and times are booked up to this cycle */
	uint64_t issued_to[MAX_CORES], done_on[MAX_CORES]; /* CTAs of the whole run */
	struct cta_core core[MAX_CORES];
	struct cta_refused refused[MAX_CORES];
	struct cta_want want[CTA_STACK][MAX_CORES];
	uint8_t moved_by[MAX_CORES]; /* policy whose want for the core changed last, or POLICY_HOST
				      */
	struct cta_forced forced[CTA_FORCED]; /* outcomes still to come; unused entries are zero */
	uint64_t n_forced;
	cycle_t warps_due[MAX_CORES]; /* when policies want to be asked about its warps */
};

/* Which CTAs of the kernel have been issued. Lies in the arena outside the model's state, which
 * implies it. */
struct cta_order {
	uint64_t lowest;   /* not yet issued */
	uint64_t issued[]; /* one bit per CTA */
};

static inline size_t
cta_order_bytes(uint64_t n_cta)
{
	return sizeof(struct cta_order) + (n_cta + 63) / 64 * sizeof(uint64_t);
}

/* How the host looks at the cores for a policy (struct cta_calls); ctx: cta_stack.emit_ctx. */
struct cta_eyes {
	struct cta_look (*core)(void *ctx, unsigned core);
	struct cta_memory (*memory)(void *ctx);
	unsigned (*list_ctas)(void *ctx, unsigned core, struct cta_resident *r);
};

/* A policy's choice between kernels that run together. */
struct cta_choice {
	unsigned by; /* POLICY_HOST: none chooses */
	struct reason why;
};

struct cta_stack {
	struct cta_policy policy[CTA_STACK];
	unsigned n;
	size_t bytes; /* size of the host and all policy states */
	/* Every policy this run may have used, because events outlive the stack of their
	 * decision. The shipped policies come first, then the user's own in order of loading. */
	const struct cta_sched_ops *seen[CTA_SEEN];
	unsigned n_seen;
	struct cta_host *host;
	struct cta_order *order;
	const struct cta_eyes *eyes;
	/* Within an issue: the policy that chose the kernel, and why; NULL: none did. */
	const struct cta_choice *choice;
	bool names_kernels; /* the texts of events name the kernel, as several run at once */
	unsigned elsewhere; /* within a question: the other core that takes the CTA, plus 1 */
	void (*emit)(
		void *ctx,
		struct event *ev); /* fills in cycle and kernel, stores and forwards the event */
	void *emit_ctx;
	cycle_t (*cycle)(void *ctx);
};

/* Computes the offsets and the total size of the stack. */
void cta_stack_layout(struct cta_stack *s, unsigned n_cores);
void cta_stack_start(struct cta_stack *s,
		     unsigned n_cores); /* h points to zeroed memory of s->bytes */

/* How many CTAs of a kernel fit on a core; *out has the number that each resource allows. */
uint32_t cta_occupancy(const struct trace_kernel *k, uint32_t threads, uint32_t registers,
		       uint32_t shmem, uint32_t hard, struct cta_limits *out);

void cta_kernel(struct cta_stack *s, uint32_t kernel, uint32_t ordinal, uint64_t n_cta,
		uint32_t n_max);

/* Would the core take a CTA? consume: a real request, which spends the credits of the policies.
 * */
bool cta_may_issue(struct cta_stack *s, unsigned core, bool consume, struct refusal_view *why);
/* The number of the CTA that the core takes next; one must be left. */
uint32_t cta_next(const struct cta_stack *s, unsigned core);
/* Does a policy choose between kernels that run together? */
bool cta_chooses_kernel(const struct cta_stack *s);
/* Asks it about a core; returns an index of k, or n: none now. The stack's host is that of the
 * oldest kernel. */
unsigned cta_next_kernel(const struct cta_stack *s, unsigned core, const struct cta_running *k,
			 unsigned n, struct cta_choice *choice);
void cta_issued(struct cta_stack *s, unsigned core, unsigned slot, uint32_t cta);
/* Returns true when a policy changed the core's limit; *ev then holds the decision, for the pause
 * events that follow. */
bool cta_done(struct cta_stack *s, unsigned core, unsigned slot, const struct cta_resident *cta,
	      struct event *ev);

/* The core that the user has chosen to take the CTA just refused to the core asked; -1: none. */
int cta_take_elsewhere(struct cta_stack *s);

/* ---- forced outcomes (forced.c) */

/* Forces the outcome of a question, replacing an earlier one for the same question. Returns -1
 * with e set when too many are waiting. */
int cta_force(struct cta_stack *s, const struct cta_forced *f, struct err *e);

/* How many CTAs must be paused on the core now, and how many of them, the youngest, are to be held
 * or to defer their accesses to memory. */
struct cta_pauses {
	uint32_t all, held, deferred;
};
struct cta_pauses cta_to_pause(const struct cta_stack *s, unsigned core);
void cta_paused(struct cta_stack *s, unsigned core,
		uint32_t paused); /* called after the sim has done so */

/* The sums of which the two means below are quotients, up to now. */
struct cta_means {
	uint64_t n_area, n_time, ctas_area, ctas_time;
};
struct cta_means cta_means(const struct cta_stack *s);

/* n averaged over the used cores and the cycles in which CTAs were left to issue, as in Kayiran
 * et al., Figs. 8 and 9. NaN before the first such cycle. */
double cta_mean_limit(struct cta_means m);

/* Resident CTAs, running or paused, averaged over all cores and the same cycles. NaN before the
 * first such cycle. */
double cta_mean_resident(struct cta_means m);

/* The next cycle in which a period ends, and the next one in which that or anything else is due.
 * */
cycle_t cta_next_period(const struct cta_stack *s);
cycle_t cta_next_due(const struct cta_stack *s);
cycle_t
cta_next_act(const struct cta_stack *s); /* the next cycle for which a policy requested act() */
/* Length of the period to which the cores' counters refer, and how much of it has passed; 0: no
 * period. */
cycle_t cta_period(const struct cta_stack *s, cycle_t *done);
/* Calls decide() of every policy whose period ends now, for one core; the core's counters in
 * h->core must be current. Returns true when its limit changed; *ev then holds the decision, for
 * the pause events that follow. */
bool cta_decide(struct cta_stack *s, unsigned core, struct event *ev);
void cta_period_over(struct cta_stack *s); /* after the last core */
/* After a change of an option or of the stack: periods of which no cycle has passed yet get the
 * length that holds now. */
void cta_refresh_periods(struct cta_stack *s);

/* ---- states of cores (states.c) */

/* Does a policy act on the whole GPU? Then the counters must be current when CTAs have ended. */
bool cta_acts(const struct cta_stack *s);
/* Between periods, does nothing that happens on a core change what the policies say about another
 * one? So it is if no policy has a hook that could tell it. */
bool cta_decides_by_core(const struct cta_stack *s);
/* Calls act() of the policies that have a reason: see enum cta_act. */
void cta_act(struct cta_stack *s, bool ended);
/* Returns and clears the request of a policy to restart the measurement of memory stall runs. */
bool cta_take_forget(struct cta_stack *s);
/* Merges the policies' wants into h->core[].state and publishes the changes. Returns true if a
 * state changed. */
bool cta_merge_states(struct cta_stack *s);
/* The policy that keeps the core from being active, POLICY_HOST: none. */
unsigned cta_state_policy(const struct cta_stack *s, unsigned core);

/* Stack `s` replaces `old` in the middle of a kernel; the host of `old`, with its states, is a
 * copy outside the arena. A policy in both stacks keeps its state, any other starts as at a launch.
 * note: what is kept and lost. */
void cta_hand_over(struct cta_stack *s, const struct cta_stack *old, char *note, size_t size);

/* ---- warps (warps.c) */

/* Does a policy order warps; does one watch L1? */
bool cta_orders_warps(const struct cta_stack *s);
bool cta_watches_l1(const struct cta_stack *s);
/* The next cycle in which a policy wants to be asked about a core. */
cycle_t cta_next_order(const struct cta_stack *s);
/* Tells the policies that watch L1; returns true if one wants to be asked about the core. */
bool cta_l1_miss(struct cta_stack *s, unsigned core, const struct cta_l1_miss *m);
/* Asks the policies about the warps of a core, and merges their answers into *all. */
void cta_order_warps(struct cta_stack *s, unsigned core, const struct cta_warps *w,
		     struct cta_warp_order *all);

/* ---- gauges (gauges.c) */

/* Reads the gauges of policy i now, for one core, into r, which has CTA_GAUGES entries. cores:
 * all cores with current counters. */
void cta_read_gauges(const struct cta_stack *s, unsigned i, unsigned core,
		     const struct cta_core *cores, struct cta_reading *r);
/* The last kept reading of a gauge of policy i. */
struct cta_reading *cta_kept(const struct cta_stack *s, unsigned i, unsigned gauge, unsigned core);

/* ---- rules and their text (rules.c, text.c) */

/* The rules of the host itself; those from HR_NO_KERNEL on are refusals. */
enum host_rule {
	HR_KERNEL_START,
	HR_KERNEL_END,
	HR_ISSUE,
	HR_CHOSEN, /* next_cta() named another CTA than the lowest one left */
	HR_DONE,
	HR_RESUME_DONE,
	HR_SAMPLE,
	HR_POLICY,
	HR_NEW_KERNEL,
	HR_NEW_STACK,
	HR_FORCED_LIMIT,
	HR_FORCED_TAKE,
	HR_FORCED_REFUSE,
	HR_FORCED_ELSEWHERE,
	HR_FORCED_NO_ROOM,
	HR_NO_KERNEL,
	HR_NO_CTA,
	HR_BALANCE,
	HR_HARD_LIMIT,
	HR_REGISTERS,
	HR_SHMEM,
	HR_WARPS,
	HR_THREADS,
	HR_LIMIT,
	HR_PAUSED,
	HR_ORDER,
	HR_LAUNCH,
	HR_OTHERS_SLOTS, /* CTAs of other kernels on the core leave no room */
	HR_OTHERS_THREADS,
	HR_OTHERS_REGISTERS,
	HR_OTHERS_SHMEM,
	HR_OTHERS_WARPS,
	HR_OTHERS_CORE,
	HR_NO_CTAS,	 /* no kernel has a CTA left */
	HR_NO_CHOICE,	 /* next_kernel() named none, without a rule */
	HR_FORCED_STATE, /* one rule per enum core_state */
	HR_FORCED_OFF = HR_FORCED_STATE + CORE_OFF,
	HR_RULES
};
extern const struct rule host_rules[HR_RULES];

/* The rule of an event; policy is event.policy. */
const struct rule *cta_rule(const struct cta_stack *s, unsigned policy, unsigned rule);
/* Copies the values that the rule names and zeroes the others. */
void cta_take_values(const struct rule *r, const int64_t *from, int64_t *to);

void cta_event_text(const struct cta_stack *s, const struct event *ev, char *buf, size_t size);
/* Writes the number that a rule calls `name` as its sentence does, with separators unless it is the
 * number of something. Thousandths (x_milli) stay so, as their name says. */
void cta_value_text(const char *name, int64_t v, char *buf, size_t size);
/* Writes the sentence of the rule and what the host did; outcome: with the change of the limit. */
size_t cta_event_sentence(const struct cta_stack *s, const struct event *ev, bool outcome,
			  char *buf, size_t size);
/* Describes why a core takes no CTA: by a rule of the host, by a rule of policy `by` (an id as
 * in events), or by the host's HR_LIMIT, whose text names a policy. */
void cta_refuse(const struct cta_stack *s, unsigned core, unsigned by, bool host,
		const struct reason *why, struct refusal_view *v);

#endif
