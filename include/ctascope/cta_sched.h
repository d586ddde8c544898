/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta_sched.h - the contract of a CTA scheduling policy.
 *
 * A policy is one file with a const struct cta_sched_ops. It sees a const view of the GPU, keeps
 * its state in memory the host gives it (so that a snapshot is a copy), and answers questions; it
 * changes nothing itself. The host (src/cta) applies the answers, publishes each as an event with
 * its rule and numbers, and asks several policies in order when they are stacked (one+another).
 *
 * A policy works on three levels and uses the hooks of those it needs:
 *   a free slot   may(), request()   does this core take a CTA now?
 *   a core        limit(), decide()  how many CTAs run on it, looked at again every period()
 *   the GPU       act()              which cores work at all: want() asks for a core's state
 *
 * A policy speaks for itself. The program knows none by name; what it shows of one stands in the
 * policy's tables, and is the same for those that come with the program and for a user's own:
 *   rules    every way it can decide, with the sentence that a stop, `why` and the log print
 *   gauges   what it weighs against which thresholds: panes, `info policy`, `why`
 *   fields   its state, as paths; those that are credit registers have a pane
 *   opts     its parameters, as options
 *
 * A policy of a user's own is a shared object that exports one symbol,
 *     const struct cta_sched_ops ctascope_policy = {.abi = CTA_SCHED_ABI, ...};
 * and is named by its path in a stack: --policy ./mine.so:n=3+another (see ctascope-policy(7)).
 *
 * To add a policy to the program itself:
 *   1. Write src/cta/sched_NAME.c with const struct cta_sched_ops cta_sched_NAME. Cite paper and
 *      section. Parameters are a struct and CTA_PARAM rows. The smallest example is
 *      src/cta/sched_static.c.
 *   2. Add the file to the list in src/cta/module.am, whose order is that of all lists. No other
 *      code names a policy (tests/lint/policies.t).
 *   3. Write its exact rule into man/ctascope-model.7.in, section 17, with @POLICY:NAME@ for its
 *      tables.
 *   4. Add tests: its decisions on a GPU made of numbers (tests/cta/numbers.h), a row for a golden
 *      log in tests/cta/decisions.c, its stacks in tests/sim/stacks.c or, if it switches cores
 *      off, tests/sim/states.c.
 *
 * A change of this contract raises CTA_SCHED_ABI by one. A user's policy includes installed headers
 * only (policy_headers in include/module.am), so it must need no other part of the program.
 */
#ifndef CTASCOPE_CTA_SCHED_H
#define CTASCOPE_CTA_SCHED_H

#include "ctascope/base.h"
#include "ctascope/decl.h"
#include "ctascope/event.h"

/* Version of this contract. It grows whenever a struct or the meaning of a hook changes; a shared
 * object of another version is refused. */
#define CTA_SCHED_ABI 5
#define CTA_SCHED_SYMBOL ctascope_policy

/* Why a core takes no CTA. A rule may have one of the first three, the others are the host's. */
enum refusal {
	REFUSE_POLICY,	      /* a rule of a policy */
	REFUSE_LOCAL_CREDIT,  /* the core's own credits are spent */
	REFUSE_GLOBAL_CREDIT, /* those all cores share are */
	REFUSE_NONE,	      /* it would take one this cycle */
	REFUSE_NO_CTA,	      /* no CTA left in the kernel */
	REFUSE_NO_KERNEL,
	REFUSE_THREADS,
	REFUSE_WARPS,
	REFUSE_REGISTERS,
	REFUSE_SHMEM,
	REFUSE_HARD_LIMIT,
	REFUSE_BALANCE,	    /* N lowered because the grid is small */
	REFUSE_LIMIT,	    /* a policy's limit */
	REFUSE_PAUSED,	    /* a paused CTA waits and comes first */
	REFUSE_STATE,	    /* a policy keeps the core draining, throttled, paused or off */
	REFUSE_ORDER,	    /* its turn has not come: one CTA per cluster and cycle */
	REFUSE_OTHER_KERNEL /* still runs warps of the previous kernel */
};

/*
 * One way to decide, and the whole sentence that says so:
 *
 *     {"mem-high", "C_mem {c_mem} >= t_mem_h {t_mem_h}, {outcome}",
 *      .value = {"c_mem", "t_mem_h", "old", "new"}}
 *
 * A name in braces is that of a value of the decision, or of what the host knows of the event: its
 * {core}, {cta} and {slot}, and how many CTAs are {resident} on the core. {outcome} is what became
 * of the limit after decide(), "limit 7 -> 6" or "limit stays 6"; where the host shows cause and
 * outcome apart, as in the pane policy, it leaves ", {outcome}" out of the sentence. What becomes
 * of the CTAs the host adds itself: "..., paused CTA 51, the youngest of 6 running".
 */
struct rule {
	const char *name; /* "mem-high" */
	const char *says;
	const char *value[EVENT_VALUES]; /* names, NULL behind the last: a decision has as many
					    numbers. They are CSV columns and stand in conditions */
	enum refusal refuses; /* what `why not` calls it when the rule keeps a CTA from a core */
};

/* A rule that applied, with the numbers it names, in that order. */
struct reason {
	uint8_t rule; /* index into the policy's rules */
	int64_t v[EVENT_VALUES];
};

#define RULE_NONE 0xff

/* From least to most restrictive; a stack's core state is the most restrictive one asked for. Only
 * an active core takes CTAs. */
enum core_state {
	CORE_ACTIVE,
	CORE_DRAINING,	/* takes no new CTA */
	CORE_THROTTLED, /* and its warps issue no global, local or texture access */
	CORE_PAUSED,	/* and nothing is issued; what is in flight completes */
	CORE_OFF /* without power. Asked for while CTAs are resident: draining until they end */
};

/* One core as a policy sees it. Counters run from the start of the simulation: take differences. */
struct cta_core {
	uint32_t n_max;			    /* N: CTAs of this kernel that fit */
	uint32_t limit;			    /* n in force: most running CTAs */
	uint32_t resident, running, paused; /* CTAs: resident = running + paused */
	enum core_state state;
	bool unused;  /* some policy's unused() says it takes no CTA of this kernel */
	bool drained; /* of a paused core: nothing is between issue and completion any more */
	uint64_t c_mem, c_idle, n_act, n_inact; /* core cycles, ctascope-model(7) 14.8, 14.9 */
	uint64_t blocked, idle; /* cycles of these classes: blocked is part of c_mem, c_idle of
				   idle */
	uint64_t c_raw;		/* cycles in which every warp waited for some register */
	uint64_t thread_insts;
	uint64_t loads, load_cycles; /* loads done and the sum of their latencies: AMAT */
	uint64_t mem_stall;	/* cycles the head of the load/store unit's queue found no way, miss
				   register or miss queue entry: no memory instruction went on */
	uint64_t mem_stall_run; /* longest unbroken run of those since the last forget_runs() */
};

struct cta_gpu {
	cycle_t cycle;
	uint32_t n_cores, n_used; /* n_used: those that may take CTAs of this kernel */
	uint32_t kernel;	  /* ordinal of the kernel in the run */
	uint32_t n_max;		  /* N after load balancing */
	uint64_t n_cta;		  /* of the kernel */
	uint64_t issued, done;	  /* at kernel() not 0 when the policy takes over in mid-kernel */
	uint32_t round_trip; /* core cycles of a load through NoC, L2 and DRAM without contention */
	const struct cta_core *core;
};

struct cta_ctx;

/* What a policy may ask the host for, in every hook that has a cta_ctx it may change. */
struct cta_calls {
	/* The state this policy wants core to be in from now on (at kernel(): all active). The host
	 * merges the stack's wants and publishes what comes of it (gate, drain, throttle, ...) with
	 * this reason; NULL: an unknown one. Wanting what is wanted already changes nothing. */
	void (*want)(struct cta_ctx *x, unsigned core, enum core_state state,
		     const struct reason *why);
	/* Publishes a decision; core -1: of the whole GPU, why NULL: as above. Not in
	 * kernel(): act(ACT_LAUNCH) is there for what is to be said first. */
	void (*publish)(struct cta_ctx *x, enum event_kind kind, int core,
			const struct reason *why);
	void (*forget_runs)(struct cta_ctx *x); /* mem_stall_run of every core starts at 0 again */
	/* What the gauges show now is kept as what they showed last: a measurement is over. Done by
	 * the host at the end of each period(). */
	void (*keep_gauges)(struct cta_ctx *x);
};

/* What a policy is called with. state: state_size + n_cores * core_size bytes, zeroed before
 * kernel(). */
struct cta_ctx {
	void *state;
	const void *opts;
	const struct cta_gpu *gpu;
	const struct cta_calls *call;
	void *host; /* of the host: which one, which policy of its stack */
	unsigned index;
};

/* An answer to "does this core take a CTA now?". Comes filled: yes, and nothing to publish. */
struct verdict {
	bool allow;
	uint8_t event;	   /* enum event_kind to publish with the reason, EV_KINDS: none */
	struct reason why; /* of a refusal, and of what is published */
};

/* A decision about one core at the end of a period. */
struct cta_decision {
	uint32_t limit;	   /* new limit n; the host clamps to 1..N and pauses or resumes to fit */
	struct reason why; /* rule RULE_NONE: nothing was decided, nothing is published */
};

/* What a policy weighs against which thresholds, such as the cycles a core waited in this period.
 * Drawn, printed and tabulated as declared; read() says what it shows. */
struct cta_gauge {
	const char *name, *unit, *help; /* "C_mem", "cycles", ...; a name of 7 characters fits */
	const char *low, *high;		/* names of its thresholds, NULL: there is none */
	bool per_core; /* each core has one, read from its counters alone; else the GPU has one */
};
#define CTA_GAUGES 4 /* of one policy, at most */

/* What a gauge shows, and its thresholds in force. NaN: not known. */
struct cta_reading {
	double value, low, high;
};

/* One visible field of a policy's state: path policy.NAME.FIELD (or policy.NAME.FIELD.CORE). */
struct cta_field {
	const char *name, *unit, *help;
	size_t offset; /* in state, or in the per-core part */
	bool per_core;
	bool credits; /* a credit register: also credits.local.CORE, or credits.global */
	bool found;   /* what was found out about the kernel, a u32 of all cores, 0: nothing. The
		       * first   such field of a stack is kept for every kernel
		       * (ctascope-model(7) 16.10) */
	enum opt_type type;
	const char *const *names; /* of the values of an OPT_T_enum, NULL at the end */
};

/* Fields by the name of the struct's member: CTA_FIELD(struct mine, limit, u32, "CTAs", "...").
 * CTA_CREDITS: a register that all cores share, CTA_CREDITS_CORE: one of each core. */
#define CTA_FIELD(s, member, t, u, h)                                                 \
	{                                                                             \
		.name = #member, .unit = u, .help = h, .offset = offsetof(s, member), \
		.type = OPT_T_##t                                                     \
	}
#define CTA_FIELD_FOUND(s, member, u, h)                                              \
	{                                                                             \
		.name = #member, .unit = u, .help = h, .offset = offsetof(s, member), \
		.found = true, .type = OPT_T_u32                                      \
	}
#define CTA_FIELD_CORE(s, member, t, u, h)                                            \
	{                                                                             \
		.name = #member, .unit = u, .help = h, .offset = offsetof(s, member), \
		.per_core = true, .type = OPT_T_##t                                   \
	}
#define CTA_CREDITS(s, member, t, h)                                                          \
	{                                                                                     \
		.name = #member, .unit = "credits", .help = h, .offset = offsetof(s, member), \
		.credits = true, .type = OPT_T_##t                                            \
	}
#define CTA_CREDITS_CORE(s, member, t, h)                                                     \
	{                                                                                     \
		.name = #member, .unit = "credits", .help = h, .offset = offsetof(s, member), \
		.per_core = true, .credits = true, .type = OPT_T_##t                          \
	}
#define CTA_FIELD_ENUM(s, member, list, h)                                             \
	{                                                                              \
		.name = #member, .unit = "", .help = h, .offset = offsetof(s, member), \
		.type = OPT_T_enum, .names = list                                      \
	}

/* A parameter by the name of the member of the struct of opts_size: CTA_PARAM(struct half_opts,
 * high, u32, 40, 1, 100, "%", "..."); see DECL_PARAM. */
#define CTA_PARAM DECL_PARAM
#define CTA_PARAM_ENUM DECL_PARAM_ENUM

/* Why act() is called. */
enum cta_act {
	ACT_LAUNCH = 1,	 /* the kernel was launched, nothing issued yet */
	ACT_PERIOD = 2,	 /* this policy's period ended; decide() was called for every core */
	ACT_DUE = 4,	 /* the cycle it asked for has come */
	ACT_ENDED = 8,	 /* CTAs ended in this cycle; their slots are still free */
	ACT_CHANGED = 16 /* the user changed an option or the stack at a stop */
};

/* What a policy decides, as far as two in one stack would contradict each other. */
enum cta_role {
	CTA_ROLE_CORES = 1 /* how many cores work */
};

struct cta_sched_ops {
	uint32_t abi;		 /* CTA_SCHED_ABI; stays the first field in every version */
	uint32_t role;		 /* bits of enum cta_role */
	const char *name, *help; /* help: one line with the paper and section */
	const char *with;	 /* policy it builds on, put in front of it; NULL: none */
	const struct rule *rules;
	unsigned n_rules;
	const struct opt_row *opts; /* parameters: option NAME.PARAM, stack text NAME:PARAM=VALUE */
	unsigned n_opts;
	size_t opts_size;
	size_t state_size, core_size;
	const struct cta_field *fields;
	unsigned n_fields;
	const struct cta_gauge *gauges;
	unsigned n_gauges;
	bool pauses; /* limits below the resident count pause CTAs (else they only stop issue) */

	/* All hooks may be NULL. */
	/* Of a policy that pauses: are its paused CTAs held, so that none of their warps issues but
	 * one that has starved? NULL: they issue when no running warp can. */
	bool (*holds)(const struct cta_ctx *x);
	void (*kernel)(
		struct cta_ctx *x); /* a kernel is launched, or the policy takes over in one */
	/* Takes core no CTA of this kernel? Asked before any kernel(), without state. */
	bool (*unused)(const struct cta_ctx *x, unsigned core);
	uint32_t (*limit)(const struct cta_ctx *x, unsigned core); /* initial limit, N if NULL */
	cycle_t (*period)(const struct cta_ctx *x); /* core cycles between decide() calls; 0 none */
	void (*decide)(struct cta_ctx *x, unsigned core,
		       struct cta_decision *d); /* d comes filled "no change", RULE_NONE */
	/* The GPU-wide part, called with all counters current for one or more of the reasons in
	 * `why`. Returns the core cycle it wants to be called at next, CYCLE_NEVER: none. */
	cycle_t (*act)(struct cta_ctx *x, unsigned why);
	/* May core take a CTA now? Asked often; must not change anything. */
	void (*may)(const struct cta_ctx *x, unsigned core, struct verdict *v);
	/* Asked once per free slot after every may() agreed; may spend something. */
	void (*request)(struct cta_ctx *x, unsigned core, struct verdict *v);
	void (*issued)(struct cta_ctx *x, unsigned core, uint32_t cta);
	void (*done)(struct cta_ctx *x, unsigned core, uint32_t cta);
	void (*gated)(struct cta_ctx *x, unsigned core); /* core was switched off, or is off when
							    the policy begins: it takes no CTA until
							    it is on again */
	/* What the gauges show now, in the period that runs: r[i] is for gauges[i] and comes filled
	 * with NaN. core: whose, of those per core. All counters are current. */
	void (*read)(const struct cta_ctx *x, unsigned core, struct cta_reading *r);
};

#endif
