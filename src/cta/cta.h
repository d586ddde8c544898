/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta.h - the host of the CTA scheduling policies.
 *
 * The host keeps what is true whatever the policy (how many CTAs are left, resident, paused on each
 * core), asks the policies of the stack in order, merges their answers (ctascope-model(7) 16)
 * and publishes each decision as an event. It knows no core: the sim tells it what happened and
 * does what it answers.
 *
 *   a free slot asks:  may() of every policy  ->  request() of those that spend something  -> issue
 *   a period ends:     decide() per core      ->  limit = the smallest  ->  pause or resume to fit
 *   then, or when CTAs ended, or when it is due:
 *                      act() per policy       ->  want() a core's state  ->  the most restrictive
 */
#ifndef CTA_H
#define CTA_H

#include "ctascope/cta_sched.h"
#include "ctascope/sim.h"
#include "ctascope/trace.h"

#define CTA_STACK 4 /* policies stacked at most */
#define CTA_SEEN                                                                        \
	32 /* policies an event can name: the shipped ones, and a user's own of one run \
	    */

/* One policy of a stack: constant. */
struct cta_policy {
	const struct cta_sched_ops *ops;
	const void *opts;
	size_t state; /* offset of its state from the host */
	size_t kept;  /* of what its gauges showed last: struct cta_reading [n_gauges][n_cores] */
	uint8_t id;   /* in cta_stack.seen: what its events are marked with */
};

struct cta_limits { /* of one core, for launching CTAs of the running kernel */
	uint32_t threads, registers, shmem,
		hard; /* CTAs each of them allows; UINT32_MAX: not asked for */
	uint32_t warps;
};

/* Why a policy refused a core last: kept so that a later "why not" can tell. The policy is a place
 * in the stack: the state must not hang on which other policies the run has tried. */
struct cta_refused {
	uint8_t policy, rule, pad[6];
	int64_t v[EVENT_VALUES];
};

/* The state a policy asks for, and why. */
struct cta_want {
	uint8_t state; /* enum core_state */
	uint8_t rule;
	uint8_t forced; /* not by the policy, but by the user */
	uint8_t pad[5];
	int64_t v[EVENT_VALUES];
};

/*
 * What is asked about a core, as far as its answer can be forced (forced.c). The n-th question of
 * a kind about a core in a cycle is the same one in every run that is the same up to there.
 */
enum cta_question {
	CTA_ASK_LIMIT, /* a period ends: the limit of this core? */
	CTA_ASK_ISSUE, /* a slot is free, the core active, a CTA left: does the core take it? */
	CTA_ASK_STATE, /* the core's state is to change: does it? */
	CTA_QUESTIONS
};

enum cta_outcome {
	CTA_LIMIT_DOWN, /* by one; to: not used */
	CTA_LIMIT_STAY,
	CTA_LIMIT_UP,
	CTA_LIMIT_TO,  /* to: the limit */
	CTA_TAKE,      /* whatever the policies say */
	CTA_REFUSE,    /* now; the core is asked again in the next cycle */
	CTA_ELSEWHERE, /* to: the core that takes it */
	CTA_STATE      /* to: enum core_state, or CTA_STATE_STAY */
};
#define CTA_STATE_STAY 0xff /* the one it has */

/* An outcome the user wants, once. */
struct cta_forced {
	cycle_t cycle; /* the question's, as its events have it */
	uint16_t core, to;
	uint8_t question, outcome;
	uint8_t ordinal; /* of such questions about the core in the cycle: how many to pass */
	uint8_t pad;
};
#define CTA_FORCED 16 /* still to come, at most */

/* In the arena; policy states follow it. */
struct cta_host {
	uint32_t n_cores, n_used;
	uint32_t kernel;  /* index in the trace */
	uint32_t ordinal; /* of the launch */
	uint32_t n_max;	  /* N */
	uint64_t n_cta, issued, done;
	uint32_t round_trip;
	cycle_t next_period[CTA_STACK];
	cycle_t next_act[CTA_STACK];
	cycle_t kept_at[CTA_STACK]; /* cycle in which gauges were kept last, CYCLE_NEVER: not yet */
	cycle_t period_start;	    /* of the cores' period, see leading() in host.c */
	uint64_t periods;	    /* of those, ended in this run */
	uint8_t fresh;		    /* policies that just began, until act() */
	uint8_t period_over;	    /* policies whose period ended in this cycle, until act() */
	uint8_t untold;		    /* policies that just began: not told of cores that are off */
	uint8_t stale;		    /* a want changed, or a core that is to go off is empty */
	uint8_t changed;	    /* an option or the stack changed, until act() */
	uint8_t forget;		    /* a policy wants runs of memory stalls to start anew */
	uint8_t pad[2];
	uint32_t limit[CTA_STACK][MAX_CORES];
	uint32_t asked[MAX_CORES]; /* free slots that were refused already */
	uint64_t base_c_mem[MAX_CORES], base_c_idle[MAX_CORES]; /* at period_start */
	/* For the means of n and of resident CTAs over the cycles in which CTAs are left to issue.
	 */
	uint64_t n_sum, n_area, n_time; /* of the used cores: now; times cycles; core cycles */
	uint64_t ctas_area, ctas_time;	/* resident CTAs times cycles; core cycles of all cores */
	cycle_t n_since;		/* areas and times are as of then */
	struct cta_core core[MAX_CORES];
	struct cta_refused refused[MAX_CORES];
	struct cta_want want[CTA_STACK][MAX_CORES];
	uint8_t moved_by[MAX_CORES]; /* policy whose want for the core changed last, or POLICY_HOST
				      */
	struct cta_forced forced[CTA_FORCED]; /* not asked yet; zeroed behind the last */
	uint64_t n_forced;
};

struct cta_stack {
	struct cta_policy p[CTA_STACK];
	unsigned n;
	size_t bytes; /* host and all states */
	/* Every policy there may have been in this run: events outlive the stack that took the
	 * decision. First the shipped ones, then those of the user's own in order of loading. */
	const struct cta_sched_ops *seen[CTA_SEEN];
	unsigned n_seen;
	struct cta_host *h;
	unsigned elsewhere; /* within a question: the core that takes the CTA instead, plus 1 */
	void (*emit)(void *ctx, struct event *ev); /* fills cycle and kernel, keeps and hands on */
	void *emit_ctx;
	cycle_t (*cycle)(void *ctx);
};

/* Lays the stack out (offsets, bytes) from its names. */
void cta_stack_layout(struct cta_stack *s, unsigned n_cores);
void cta_stack_start(struct cta_stack *s, unsigned n_cores); /* h is zeroed memory of s->bytes */

/* How many CTAs of a kernel fit on a core, and which resource says so. */
uint32_t cta_occupancy(const struct trace_kernel *k, uint32_t threads, uint32_t registers,
		       uint32_t shmem, uint32_t hard, struct cta_limits *out);

void cta_kernel(struct cta_stack *s, uint32_t kernel, uint32_t ordinal, uint64_t n_cta,
		uint32_t n_max);

/* Would core take a CTA? consume: ask for real, spending what the policies spend. */
bool cta_may_issue(struct cta_stack *s, unsigned core, bool consume, struct refusal_view *why);
void cta_issued(struct cta_stack *s, unsigned core, unsigned slot, uint32_t cta);
void cta_done(struct cta_stack *s, unsigned core, unsigned slot, uint32_t cta);

/* The core that takes the CTA just refused to the one asked: the user says so. -1: none does. */
int cta_take_elsewhere(struct cta_stack *s);

/* ---- forced outcomes (forced.c) */

/* The question's outcome will be this; one forced before for the same question is replaced. -1
 * with e: too many wait. */
int cta_force(struct cta_stack *s, const struct cta_forced *f, struct err *e);

/* CTAs that must be paused on the core now, and how many of them are to be held. */
uint32_t cta_to_pause(const struct cta_stack *s, unsigned core, uint32_t *held);
void cta_paused(struct cta_stack *s, unsigned core,
		uint32_t paused); /* after the sim has done so */

/* n, averaged over used cores and the cycles of the run in which CTAs were left to issue, as in
 * Kayiran et al., Figs. 8 and 9. NaN while there is none. */
double cta_mean_limit(const struct cta_stack *s);

/* CTAs resident on a core, running or paused, averaged over all cores and the same cycles. NaN
 * while there is none. */
double cta_mean_resident(const struct cta_stack *s);

/* The next cycle at which a period ends, and at which that or anything else is to be done. */
cycle_t cta_next_period(const struct cta_stack *s);
cycle_t cta_next_due(const struct cta_stack *s);
cycle_t cta_next_act(const struct cta_stack *s); /* the cycle a policy asked act() for */
/* Length of the period the cores' counters are shown for, and how much of it is done; 0: none. */
cycle_t cta_period(const struct cta_stack *s, cycle_t *done);
/* Calls decide() of every policy whose period ends now, for one core; the core's counters in
 * h->core are current. Returns true when its limit changed; ev is the decision, for the pause
 * events that follow. */
bool cta_decide(struct cta_stack *s, unsigned core, struct event *ev);
void cta_period_over(struct cta_stack *s); /* after the last core */

/* ---- states of cores (states.c) */

/* Does some policy act on the whole GPU? Then counters must be current when CTAs ended. */
bool cta_acts(const struct cta_stack *s);
/* Calls act() of the policies that have a reason to: see enum cta_act. */
void cta_act(struct cta_stack *s, bool ended);
/* Does a policy want the runs of memory stalls to start anew? Asked once. */
bool cta_take_forget(struct cta_stack *s);
/* Merges what the policies want into h->core[].state and publishes changes. True: some changed. */
bool cta_merge_states(struct cta_stack *s);
/* Which policy keeps the core from being active, POLICY_HOST: none. */
unsigned cta_state_policy(const struct cta_stack *s, unsigned core);

/* The stack `s` takes over in mid-kernel from `old`, whose host (with states) is a copy outside: a
 * policy in both keeps its state, another starts as at a launch. note: what is kept and lost. */
void cta_hand_over(struct cta_stack *s, const struct cta_stack *old, char *note, size_t size);

/* ---- gauges (gauges.c) */

/* What policy i's gauges show now, as core sees them; r has CTA_GAUGES places. cores: all of them
 * with current counters. */
void cta_read_gauges(const struct cta_stack *s, unsigned i, unsigned core,
		     const struct cta_core *cores, struct cta_reading *r);
/* What a gauge of policy i showed last. */
struct cta_reading *cta_kept(const struct cta_stack *s, unsigned i, unsigned gauge, unsigned core);

/* ---- rules and what they say (rules.c, text.c) */

/* Rules of the host itself; those from HR_NO_KERNEL on refuse. */
enum host_rule {
	HR_KERNEL_START,
	HR_KERNEL_END,
	HR_ISSUE,
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
	HR_FORCED_STATE, /* one rule per enum core_state */
	HR_FORCED_OFF = HR_FORCED_STATE + CORE_OFF,
	HR_RULES
};
extern const struct rule host_rules[HR_RULES];

/* Of an event: policy is event.policy. */
const struct rule *cta_rule(const struct cta_stack *s, unsigned policy, unsigned rule);
/* Copies the numbers the rule names, and zeroes the others. */
void cta_take_values(const struct rule *r, const int64_t *from, int64_t *to);

void cta_event_text(const struct cta_stack *s, const struct event *ev, char *buf, size_t size);
/* What the rule says and what the host did; outcome: with what became of the limit. */
size_t cta_event_sentence(const struct cta_stack *s, const struct event *ev, bool outcome,
			  char *buf, size_t size);
/* Why core takes no CTA: by a rule of the host, by one of policy `by` (as in an event), or by the
 * host's HR_LIMIT, which tells of a policy. */
void cta_refuse(const struct cta_stack *s, unsigned core, unsigned by, bool host,
		const struct reason *why, struct refusal_view *v);

#endif
