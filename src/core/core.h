/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core.h - a SIMT core: warp table, fetch, issue, operand collector, pipes, write-back.
 *
 * One core cycle runs the stages from the back (ctascope-model(7) 1.7): write-back, pipes and
 * load/store unit, operand collector, issue, decode, fetch; so a result written in a cycle can be
 * used by an issue in the same one. A core that did nothing says when it next can; until then it is
 * not visited and core_settle() books the cycles it slept.
 *
 * Others launch CTAs into slots, visit the core, and look: only src/core writes what is in it.
 */
#ifndef CORE_H
#define CORE_H

#include "cache/cache.h"
#include "ctascope/decl.h"
#include "ctascope/sim.h"
#include "ctascope/warp.h"
#include "ctascope/warp_sched.h"
#include "ldst/ldst.h"

#define OPT DECL_FIELD
struct core_cfg {
#include "core/core.def"
};
extern const struct opt_row core_opts[];
extern const unsigned core_n_opts;

#define CORE_MAX_SCHED 4
#define CORE_SUBS 4 /* sub-cores, where there are any: one per scheduler */
#define CORE_COLLECTORS 32
#define CORE_MAX_UNITS 16

struct core; /* the state of one: core_bytes() of the arena */

struct core_stat {
	_Alignas(64) uint64_t occupied; /* cycles with at least one CTA */
	uint64_t c_mem, c_raw;
	uint64_t cls[CC_CLASSES]; /* cycles by class; they sum to the cycles simulated */
#define COUNTER(name, ...) uint64_t name;
#define COUNTER_AT(...)
#include "core/counters.def"
	uint64_t fetches;
	uint64_t insts_of[OP_CLASSES]; /* thread instructions by class, for src/power */
	uint64_t c_idle;
	uint64_t fetch_misses;
	uint64_t issued_by[CORE_MAX_SCHED]; /* warp instructions of each of several schedulers */
};
_Static_assert(offsetof(struct core_stat, cls[CC_IDLE]) == 64,
	       "one line of the host's cache for cycles, the next for instructions");

/* Where a warp's records are: derived from the trace, kept outside the arena. */
struct warp_stream {
	const struct winst *rec;
	const struct cta_trace *cta;
};

/* What is the same for every core of a machine, and so is in the host's cache once. Whoever builds
 * it fills the first part for core_shape_init(). */
struct core_shape {
	const struct core_cfg *cfg;
	const struct warp_sched_ops *sched;
	const void *sched_opts;

	enum wsched_inlined wsched;
	uint8_t n_warps, n_sched;
	uint64_t sched_warps[CORE_MAX_SCHED];
	uint8_t slots[FU_CLASSES], units[FU_CLASSES], first_unit[FU_CLASSES];
	uint8_t lanes_cycles; /* a warp keeps the SIMT lanes busy this long */
	uint8_t fetch_width;
	bool fetch_fallthrough;
	bool sub_cores;
	uint8_t fetch_rounds, reg_steps, sub_banks; /* sub-cores; register banks of each */
	uint8_t set_first[4];			    /* collector sets: gen, sp, sfu, mem */
	uint32_t set_mask[4];			    /* their units */
	uint8_t ports[4], first_du[4];		    /* of each set; its first dispatcher */
	uint8_t set_of[CORE_COLLECTORS];
	uint32_t
		units_for[FU_CLASSES]; /* those that take an instruction of a class: gen, its own */
	uint8_t gen_only;	       /* classes that have no other set than gen, a mask */
};

/* Constant surroundings of one core. Whoever builds it fills them, but of ldst the warps, for
 * core_init(). A visit reads the first line, and those of ldst when its unit has something to do.
 */
struct core_env {
	_Alignas(64) struct core *c;
	const struct core_shape *k;
	const struct dinst *di;	    /* of the running kernel */
	struct warp_stream *stream; /* [MAX_WARPS] */
	struct tags *l1i;
	struct mshr *l1i_mshr;
	struct fifo *l1i_missq;
	uint16_t id;
	struct ldst_env ldst;
	char *sched_state; /* sched->state_size bytes for each scheduler */
	/* Told of every issue of an instruction marked DINST_TOLD. */
	void (*issued)(void *ctx, unsigned core, unsigned warp, uint32_t inst);
	void *issued_ctx;
};
_Static_assert(offsetof(struct core_env, ldst) == 64, "the first line is the core's own");

void core_shape_init(struct core_shape *k);
size_t core_bytes(const struct core_cfg *k);
void core_init(struct core_env *e); /* e->c is zeroed memory */

/* Kernel tables: pre-decodes one kernel's instructions for this configuration; sectored: its
 * accesses to memory are sectors. Caller frees. */
struct dinst *core_decode_kernel(const struct core_cfg *cfg, const struct trace_kernel *k,
				 bool sectored);

/* ---------------------------------------------------------------- CTA slots (slots.c) */

/* A kernel begins; no CTA is resident. */
void core_begin_kernel(struct core_env *e);
/* Launches a CTA into the lowest free slot; the caller has checked that there is one, and keeps t
 * until the slot is free. Returns the slot. The core's past cycles are settled, here and below. */
unsigned core_launch(struct core_env *e, cycle_t now, uint32_t cta, const struct cta_trace *t,
		     unsigned warps_per_cta);
/* What a resident CTA does. */
enum cta_pause {
	CTA_RUNS,
	CTA_YIELDS, /* paused: its warps issue when no running warp can */
	CTA_HELD    /* paused: its warps are as if absent, but for the starvation guard */
};
void core_pause(struct core_env *e, unsigned slot, enum cta_pause how);
/* Slots whose last warp has retired since they were last taken, one bit each. They are used, and
 * their CTA can be asked for, until core_free(). */
uint32_t core_take_freed(struct core_env *e);
void core_free(struct core_env *e, unsigned slot);
/* After a restore: the CTA in a used slot has its trace here now. */
void core_attach(struct core_env *e, unsigned slot, const struct cta_trace *t,
		 unsigned warps_per_cta);

/* Masks over slots. */
uint32_t core_used(const struct core *c);
uint32_t core_paused(const struct core *c); /* and held, or not */
uint32_t core_held(const struct core *c);
uint32_t core_youngest(const struct core *c, unsigned n); /* the n launched last, or all */

struct core_slot {
	uint32_t cta;
	uint32_t order; /* resident CTAs launched before it */
	cycle_t issued;
	uint64_t warps; /* its warps that have not retired, one bit per hardware warp */
};
/* Of a used slot. */
struct core_slot core_slot(const struct core *c, unsigned slot);

/* ---------------------------------------------------------------- held by a policy */

/* The state the CTA policies want, for the cycles to come; the past ones are settled. CORE_OFF: no
 * CTA is resident; the caches lose what they hold. */
void core_set_state(struct core_env *e, enum core_state state);
/* Nothing is between issue and completion: no register outstanding, no store unacknowledged. */
bool core_drained(const struct core *c);

/* ---------------------------------------------------------------- cycles */

/* Runs cycle `now`. Returns the cycle it wants to be visited next: now + 1 when it may have work
 * then, CYCLE_NEVER when something from outside must come first. A core that is not on does
 * nothing. */
cycle_t core_tick(struct core_env *e, cycle_t now);

/* Books the cycles before `now` that were slept through. */
void core_settle(struct core_env *e, cycle_t now);

/* A reply that the core need not be visited for in cycle `now`, which begins; or not taken. */
enum ldst_reply core_take_sector(struct core_env *e, cycle_t now, uint32_t token);
/* An instruction line's sector came back. */
void core_fill_inst(struct core_env *e, cycle_t now, uint32_t token);

/* ---------------------------------------------------------------- questions */

bool core_is_on(const struct core *c);	   /* it has CTAs or warps: the reference visits it */
bool core_has_warps(const struct core *c); /* some have not retired */
bool core_has_freed(const struct core *c); /* core_take_freed() has something to give */
const struct core_stat *core_stat(const struct core *c); /* up to the last settled cycle */

/* Conditions, one bit per hardware warp; of warps that are not live they say nothing. */
struct core_masks {
	uint64_t live;			  /* launched, not retired */
	uint64_t done;			  /* all lanes exited */
	uint64_t fetched;		  /* instruction buffer not empty */
	uint64_t ready;			  /* next instruction has its registers */
	uint64_t memwait;		  /* it needs one that comes from memory */
	uint64_t barrier, membar, atomic; /* it waits at, or for, one */
	uint64_t depbar;
	uint64_t absent; /* its CTA is held */
};
struct core_masks core_masks(const struct core *c);
const struct warp *core_warp(const struct core *c, unsigned w);

#endif
