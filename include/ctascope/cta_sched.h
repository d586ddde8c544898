/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cta_sched.h - the contract of a CTA scheduling policy.
 *
 * A policy is one file with a const struct cta_sched_ops. It reads a const view of the GPU, keeps
 * its state in memory that the host provides (so that a snapshot is a copy), and returns decisions;
 * it changes nothing itself. The host (src/cta) applies the decisions, publishes each as an event
 * with its rule and numbers, and calls the policies of a stack (one+another) in order.
 *
 * A policy works on five levels and uses the hooks of those it needs:
 *   a free slot   may(), request()   does this core take a CTA now? next_cta(): which one?
 *   a core        limit(), decide()  how many CTAs run on it, decided again every period(),
 *                                    or when a CTA ends: done()
 *   the GPU       act()              which cores work at all: want() asks for a core's state
 *   a kernel      next_kernel()      of several that run together: which gives a core its next CTA?
 *   a warp        warps(), l1_miss() which warps of a core issue, and in which order
 *
 * The program knows no policy by name. Everything that it shows comes from the policy's tables, in
 * the same way for its own policies and for those of users:
 *   rules    every way in which it decides, with the sentence that a stop, `why` and the log print
 *   gauges   its measurements and thresholds: panes, `info policy`, `why`
 *   fields   its state, as paths; those that are credit registers have a pane
 *   opts     its parameters, as options
 *
 * A user's policy is a shared object that exports one symbol,
 *     const struct cta_sched_ops ctascope_policy = {.abi = CTA_SCHED_ABI, ...};
 * and is named by its path in a stack: --policy ./mine.so:n=3+another (see ctascope-policy(7)). One
 * that only orders warps may also be named as the warp scheduler: --warp-sched ./mine.so.
 *
 * To add a policy to the program itself:
 *   1. Write src/cta/sched_NAME.c with const struct cta_sched_ops cta_sched_NAME. Cite paper and
 *      section. Parameters are a struct and CTA_PARAM rows. The smallest example is
 *      src/cta/sched_static.c.
 *   2. Add the file to the list in src/cta/module.am, whose order all lists of policies have. No
 *      other code names a policy (tests/lint/policies.t).
 *   3. Write its exact rule into man/ctascope-model.7.in, section 17, with @POLICY:NAME@ for its
 *      tables.
 *   4. Add tests: its decisions on a simulated GPU (tests/cta/numbers.h), a row for a golden
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

/* Version of this contract, which increases whenever a struct or the meaning of a hook changes. A
 * shared object of another version is rejected. */
#define CTA_SCHED_ABI 8
#define CTA_SCHED_SYMBOL ctascope_policy

/* The reason that a core takes no CTA. A rule may have one of the first three; the others belong to
 * the host. */
enum refusal {
	REFUSE_POLICY,	      /* a rule of a policy */
	REFUSE_LOCAL_CREDIT,  /* the core's own credits are spent */
	REFUSE_GLOBAL_CREDIT, /* the credits that all cores share are spent */
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
	REFUSE_PAUSED,	    /* a paused CTA waits and runs first */
	REFUSE_STATE,	    /* a policy keeps the core draining, throttled, paused or off */
	REFUSE_ORDER,	    /* not its turn: a cluster takes one CTA per cycle */
	REFUSE_OTHER_KERNEL /* CTAs of other kernels hold what it needs */
};

/*
 * One way to decide, with the sentence that explains it:
 *
 *     {"mem-high", "C_mem {c_mem} >= t_mem_h {t_mem_h}, {outcome}",
 *      .value = {"c_mem", "t_mem_h", "old", "new"}}
 *
 * A name in braces is a value of the decision, or a value that the host knows: the event's {core},
 * {cta} and {slot}, and the number of CTAs {resident} on the core. {outcome} is the effect of
 * decide() on the limit, "limit 7 -> 6" or "limit stays 6"; where cause and outcome are shown
 * separately, as in the pane policy, ", {outcome}" is omitted. The host appends the effect on CTAs:
 * "..., paused CTA 51, the youngest of 6 running".
 */
struct rule {
	const char *name; /* "mem-high" */
	const char *says;
	const char *value[EVENT_VALUES]; /* names of the numbers of a decision, NULL after the
					    last; they are CSV columns, and usable in conditions */
	enum refusal refuses; /* the reason that `why not` shows when the rule refuses a CTA */
};

/* A rule that applied, with the values of its names, in their order. */
struct reason {
	uint8_t rule; /* index into the policy's rules */
	int64_t v[EVENT_VALUES];
};

#define RULE_NONE 0xff

/* From least to most restrictive. The core state of a stack is the most restrictive one that its
 * policies want. Only an active core takes CTAs. */
enum core_state {
	CORE_ACTIVE,
	CORE_DRAINING,	/* takes no new CTA */
	CORE_THROTTLED, /* and its warps issue no global, local or texture access */
	CORE_PAUSED,	/* and nothing is issued; what is in flight completes */
	CORE_OFF	/* without power; a core with resident CTAs drains until they end */
};

/* A policy's view of a core. Counters run from the start of the simulation: use differences. */
struct cta_core {
	uint32_t n_max;			    /* N: CTAs of this kernel that fit */
	uint32_t limit;			    /* n: the most running CTAs */
	uint32_t resident, running, paused; /* CTAs: resident = running + paused */
	enum core_state state;
	bool unused;  /* some policy's unused() says it takes no CTA of this kernel */
	bool drained; /* of a paused core: no instruction is between issue and completion */
	uint64_t c_mem, c_idle, n_act, n_inact; /* core cycles, ctascope-model(7) 14.8, 14.9 */
	uint64_t blocked, idle; /* cycles of these classes: blocked is part of c_mem, c_idle of
				   idle */
	uint64_t c_raw;		/* cycles in which every warp waited for some register */
	uint64_t thread_insts;
	uint64_t loads, load_cycles; /* loads done and the sum of their latencies: AMAT */
	uint64_t mem_stall;	/* cycles in which the head of the load/store unit's queue waited
				   for a cache way, miss register or miss queue entry */
	uint64_t mem_stall_run; /* longest run of such cycles since the last forget_runs() */
};

struct cta_gpu {
	cycle_t cycle;
	uint32_t n_cores, n_used; /* n_used: those that may take CTAs of this kernel */
	uint32_t kernel;	  /* ordinal of the kernel in the run */
	uint32_t n_max;		  /* N after load balancing */
	uint64_t n_cta;		  /* of the kernel */
	uint64_t issued, done;	  /* not 0 at kernel() if the policy takes over during a kernel */
	uint32_t round_trip; /* core cycles of a load through NoC, L2 and DRAM without contention */
	const struct cta_core *core;
};

/* A CTA on a core. */
struct cta_resident {
	uint32_t cta;
	bool paused;
	cycle_t issued;	     /* the cycle in which it came */
	uint64_t warp_insts; /* warp instructions it has issued */
};

/* What the unfinished warps of a core's running CTAs wait for at this moment, and counters from
 * the start of the simulation. */
struct cta_look {
	uint32_t warps;	       /* the sum of those below */
	uint32_t ready_memory; /* could issue an instruction of the load/store unit */
	uint32_t ready_other;  /* could issue another instruction */
	uint32_t wait_memory;  /* for data, a fence, an atomic */
	uint32_t wait_other;   /* for a short result, or unfetched */
	uint32_t at_barrier;
	uint32_t warps_per_cta;		 /* of the kernel */
	uint64_t l1_accesses, l1_misses; /* L1 data cache: look-ups, and those that missed */
};

/* Counters from the start of the simulation. */
struct cta_memory {
	uint64_t dram_busy, dram_cycles;     /* command cycles with data on the bus, and all; of all
						channels */
	uint64_t request_flits, reply_flits; /* carried by the two networks */
};

/* The warps of a core, one bit per hardware warp. Scheduler i of the core has every n_sched-th
 * warp, beginning with warp i. */
struct cta_warps {
	uint64_t unfinished; /* of the resident CTAs; the other masks are parts of it */
	uint64_t at_barrier;
	uint64_t wait_memory; /* for data, a fence, an atomic */
	uint64_t ready;	      /* the registers of the next instruction are available */
	uint64_t loads;	      /* of those, it is one of the load/store unit */
	uint64_t warp_insts;  /* issued by the core since the start of the simulation */
	unsigned n_sched;
	unsigned n;		   /* unfinished warps: */
	uint8_t oldest[MAX_WARPS]; /* in the order in which they were launched */
};

/* What warps() decides, in force from the next cycle on. The host passes it with empty masks and
 * RULE_NONE, and combines the stack: a warp that one policy holds back is held back, and `first` is
 * that of the first policy which names any warp. */
struct cta_warp_order {
	uint64_t stopped;   /* issue nothing */
	uint64_t no_memory; /* issue no access to global, local or texture memory */
	uint64_t first;	    /* go before all others; among them the warp scheduler chooses */
	struct reason why;  /* RULE_NONE: no event is published */
};

/* A warp's access brings a line into the L1 data cache. */
struct cta_l1_miss {
	uint64_t line;	  /* its address */
	uint64_t evicted; /* address of the line that leaves, CTA_NO_LINE: none */
	uint16_t place;	  /* of both in the cache, below CTA_L1_PLACES */
	uint8_t warp;
};
#define CTA_NO_LINE UINT64_MAX
#define CTA_L1_PLACES 1024 /* misses in places beyond are not reported */

/* A kernel that runs, with CTAs left to issue, as next_kernel() sees it for one core. */
struct cta_running {
	uint32_t kernel; /* number of its launch, from 0; `info kernel` counts from 1 */
	uint64_t n_cta, issued, done;
	cycle_t launched;
	uint32_t n_max;		    /* N */
	uint32_t limit;		    /* n of this core for it */
	uint32_t resident, running; /* its CTAs on this core */
	uint32_t share; /* the largest part that they take of the core's slots, threads, registers
			   or shared memory, in units of CTA_SHARE */
	bool fits;	/* the core has room for another CTA of it, and its limit is not reached */
};
#define CTA_SHARE (1u << 20)
#define CTA_NO_KERNEL UINT32_MAX

struct cta_ctx;

/* Functions of the host. Those without const are for hooks whose cta_ctx is not const. */
struct cta_calls {
	/* Look further than the view does; they cost time only when called. list_ctas() fills r,
	 * which has MAX_CTAS entries, oldest CTA first, and returns their number. */
	struct cta_look (*look_at_core)(const struct cta_ctx *x, unsigned core);
	struct cta_memory (*look_at_memory)(const struct cta_ctx *x);
	unsigned (*list_ctas)(const struct cta_ctx *x, unsigned core, struct cta_resident *r);
	/* Was this CTA issued? When a policy takes over in a kernel, any may have been. */
	bool (*was_issued)(const struct cta_ctx *x, uint32_t cta);
	/* Sets the state that this policy wants for a core (at kernel(): all active). The host
	 * combines the wants of the stack, and publishes a resulting change (gate, drain, throttle,
	 * ...) with this reason; NULL: unknown. Repeating a want has no effect. */
	void (*want)(struct cta_ctx *x, unsigned core, enum core_state state,
		     const struct reason *why);
	/* Publishes a decision; core -1: about the whole GPU, why NULL: as above. Not allowed in
	 * kernel(): use act(ACT_LAUNCH). */
	void (*publish)(struct cta_ctx *x, enum event_kind kind, int core,
			const struct reason *why);
	void (*forget_runs)(struct cta_ctx *x); /* resets mem_stall_run of every core to 0 */
	/* Stores the present readings of the gauges as the last ones, as a measurement is complete.
	 * The host does this at the end of each period(). */
	void (*keep_gauges)(struct cta_ctx *x);
};

/* The argument of all hooks. state: state_size + n_cores * core_size bytes, zeroed before
 * kernel(). */
struct cta_ctx {
	void *state;
	const void *opts;
	const struct cta_gpu *gpu;
	const struct cta_calls *call;
	void *host; /* used by the host, as is index */
	unsigned index;
};

/* The answer to "does this core take a CTA now?". Hooks get it filled with yes, without an event.
 */
struct verdict {
	bool allow;
	uint8_t event;	   /* enum event_kind to publish with the reason, EV_KINDS: none */
	struct reason why; /* of a refusal, and of the published event */
};

/* A decision about one core. Hooks get it filled with "no change" and RULE_NONE. */
struct cta_decision {
	uint32_t limit;	   /* new limit n; the host clamps to 1..N and pauses or resumes to fit */
	struct reason why; /* rule RULE_NONE: there was no decision, and no event is published */
};

/* A measurement of a policy and its thresholds, such as the cycles that a core waited in this
 * period. It is drawn, printed and tabulated as declared; read() returns its values. */
struct cta_gauge {
	const char *name, *unit, *help; /* "C_mem", "cycles", ...; a name of 7 characters fits */
	const char *low, *high;		/* names of its thresholds, NULL: there is none */
	bool per_core; /* each core has one, computed from its own counters; else the GPU has one */
	bool above;    /* the rule is value > high; else it is value >= high */
};
#define CTA_GAUGES 4 /* most gauges of a policy */

/* The value of a gauge, and its present thresholds. NaN: unknown. */
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

/* Decisions that only one policy of a stack may make. */
enum cta_role {
	CTA_ROLE_CORES = 1, /* how many cores work */
	CTA_ROLE_ORDER = 2, /* which CTA comes next: required by next_cta() */
	CTA_ROLE_KERNEL = 4 /* of which kernel it is: required by next_kernel() */
};

struct cta_sched_ops {
	uint32_t abi;		 /* CTA_SCHED_ABI; stays the first field in every version */
	uint32_t role;		 /* bits of enum cta_role */
	const char *name, *help; /* help: one line with the paper and section */
	const char *with;	 /* policy that it requires, added before it; NULL: none */
	/* Warp scheduler that its method assumes; NULL: any. With another one it runs, and a note
	 * says so. */
	const char *warp_sched;
	const struct rule *rules;
	unsigned n_rules;
	const struct opt_row *opts; /* parameters: option NAME.PARAM, stack text NAME:PARAM=VALUE */
	unsigned n_opts;
	size_t opts_size;
	size_t state_size, core_size; /* state_size: a multiple of 8 if there is a core_size */
	const struct cta_field *fields;
	unsigned n_fields;
	const struct cta_gauge *gauges;
	unsigned n_gauges;
	bool pauses; /* limits below the resident count pause CTAs (else they only stop issue) */

	/* All hooks may be NULL. */
	/* For a policy that pauses: are its paused CTAs held, so that only a starved warp of them
	 * issues? NULL: their warps issue when no running warp can. */
	bool (*holds)(const struct cta_ctx *x);
	/* For the same: do its paused CTAs, if they are not held, access memory only while no warp
	 * of a running CTA waits for memory? NULL: no. */
	bool (*defers)(const struct cta_ctx *x);
	void (*kernel)(
		struct cta_ctx *x); /* a kernel is launched, or the policy takes over in one */
	/* Does core take no CTA of this kernel? Called before any kernel(), without state. */
	bool (*unused)(const struct cta_ctx *x, unsigned core);
	uint32_t (*limit)(const struct cta_ctx *x, unsigned core); /* initial limit, N if NULL */
	cycle_t (*period)(const struct cta_ctx *x); /* core cycles between decide() calls; 0 none */
	void (*decide)(struct cta_ctx *x, unsigned core, struct cta_decision *d);
	/* The GPU-wide part, called with all counters current for one or more of the reasons in
	 * `why`. Returns the core cycle it wants to be called at next, CYCLE_NEVER: none. */
	cycle_t (*act)(struct cta_ctx *x, unsigned why);
	/* May core take a CTA now? Called often; must not change anything. */
	void (*may)(const struct cta_ctx *x, unsigned core, struct verdict *v);
	/* Called once per free slot after every may() agreed; may spend credits. */
	void (*request)(struct cta_ctx *x, unsigned core, struct verdict *v);
	/* The CTA that this core takes next, below gpu->n_cta; called often, must not change
	 * anything. Without this hook, and where the answer was issued before, it is the lowest
	 * number not yet issued. *why comes filled with RULE_NONE; the rule and numbers set there
	 * are those of the issue. */
	uint32_t (*next_cta)(const struct cta_ctx *x, unsigned core, struct reason *why);
	/* Several kernels run (gpu.concurrent_kernels above 1): which one gives this core its next
	 * CTA? k[0] to k[n - 1] have CTAs left, the oldest first. Returns an index of k; an index
	 * of n or above, such as CTA_NO_KERNEL: the core takes none now. If the chosen one does not
	 * fit, the core takes none either. The state and gpu are those for the oldest running
	 * kernel. Called often, must not change anything. *why comes filled with RULE_NONE; the
	 * rule set there is that of the issue, or of the refusal. Without this hook
	 * gpu.kernel_share decides. */
	uint32_t (*next_kernel)(const struct cta_ctx *x, unsigned core, const struct cta_running *k,
				unsigned n, struct reason *why);
	void (*issued)(struct cta_ctx *x, unsigned core, uint32_t cta);
	/* A CTA has left the core; may decide about the limit, which is then published as the
	 * decision of a period is. */
	void (*done)(struct cta_ctx *x, unsigned core, const struct cta_resident *cta,
		     struct cta_decision *d);
	void (*gated)(struct cta_ctx *x, unsigned core); /* core was switched off, or is off when
							    the policy begins: it takes no CTA until
							    it is on again */
	/* Which warps of the core issue? Asked at the end of a cycle in which a warp came, ended,
	 * or reached or left a barrier, in which l1_miss() returned true or an option changed, and
	 * in the cycle that the last answer asked for. Returns that cycle, CYCLE_NEVER: none. An
	 * answer depends on the state, the cycle and the warps only: asked twice it is the same. */
	cycle_t (*warps)(struct cta_ctx *x, unsigned core, const struct cta_warps *w,
			 struct cta_warp_order *o);
	/* An access missed. Returns true if warps() is to be asked. Called within a cycle: the
	 * counters in gpu->core are older. */
	bool (*l1_miss)(struct cta_ctx *x, unsigned core, const struct cta_l1_miss *m);
	/* Reads the gauges in the present period: r[i] is for gauges[i] and comes filled with NaN.
	 * core: for gauges per core. All counters are current. */
	void (*read)(const struct cta_ctx *x, unsigned core, struct cta_reading *r);
};

#endif
