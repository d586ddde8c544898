/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core.h - a SIMT core: warp table, fetch, issue, operand collector, pipes, write-back.
 *
 * One core cycle runs the stages from back to front (ctascope-model(7) 1.7): write-back, pipes and
 * load/store unit, operand collector, issue, decode, fetch. A result written in a cycle can
 * therefore be used by an issue in the same cycle. A core that did nothing returns the next cycle
 * in which it may have work; until then it is not visited, and core_settle() books the cycles it
 * slept.
 *
 * Other folders launch CTAs into slots, run cycles and query the state; only src/core changes it.
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
#define CORE_SUBS 4 /* sub-cores of a core that has them: one per scheduler */
#define CORE_COLLECTORS 32
#define CORE_MAX_UNITS 16

struct core; /* the state of one core; core_bytes() of the arena */

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

/* The records of a warp. They belong to the trace and lie outside the arena. */
struct warp_stream {
	const struct winst *rec;
	const struct cta_trace *cta;
};

/* What all cores of a machine share; one copy keeps it in the host's cache. The caller fills the
 * first part before core_shape_init(). */
struct core_shape {
	const struct core_cfg *cfg;
	const struct warp_sched_ops *sched;
	const void *sched_opts;

	enum wsched_inlined wsched;
	uint8_t n_warps, n_sched;
	uint64_t sched_warps[CORE_MAX_SCHED];
	uint8_t slots[FU_CLASSES], units[FU_CLASSES], first_unit[FU_CLASSES];
	uint8_t lanes_cycles; /* cycles for which one warp instruction occupies the SIMT lanes */
	uint8_t fetch_width;
	bool fetch_fallthrough;
	bool sub_cores;
	uint8_t fetch_rounds, reg_steps,
		sub_banks;	       /* of sub-cores; sub_banks: register banks of each */
	uint8_t set_first[4];	       /* collector sets: gen, sp, sfu, mem */
	uint32_t set_mask[4];	       /* the collector units of each set */
	uint8_t ports[4], first_du[4]; /* of each set; first_du: its first dispatcher */
	uint8_t set_of[CORE_COLLECTORS];
	uint32_t
		units_for[FU_CLASSES]; /* units that accept a class: the general ones and its own */
	uint8_t gen_only;	       /* mask of the classes that only the general set accepts */
};

/* The constant environment of one core. The caller fills everything except the warps in ldst,
 * which core_init() sets. A visit reads the first cache line, and those of ldst when its unit has
 * work. */
struct core_env {
	_Alignas(64) struct core *core;
	const struct core_shape *shape;
	const struct dinst *di;	    /* of the running kernels: see warp.inst_base */
	struct warp_stream *stream; /* [MAX_WARPS] */
	struct tags *l1i;
	struct mshr *l1i_mshr;
	struct fifo *l1i_missq;
	uint16_t id;
	struct ldst_env ldst;
	char *sched_state; /* sched->state_size bytes for each scheduler */
	/* Called at every issue of an instruction marked DINST_TOLD. */
	void (*issued)(void *ctx, unsigned core, unsigned warp, uint32_t inst);
	void *issued_ctx;
	/* Called when a warp exits or comes to a barrier; NULL: nobody asks. */
	void (*warps_changed)(void *ctx, unsigned core);
	void *warps_ctx;
};
_Static_assert(offsetof(struct core_env, ldst) == 64, "the first line is the core's own");

void core_shape_init(struct core_shape *k);
size_t core_bytes(const struct core_cfg *k);
void core_init(struct core_env *e); /* e->c points to zeroed memory */

/* Pre-decodes the instructions of one kernel for this configuration. sectored: memory accesses
 * are sectors. The caller frees the table. */
struct dinst *core_decode_kernel(const struct core_cfg *cfg, const struct trace_kernel *k,
				 bool sectored);

/* ---------------------------------------------------------------- CTA slots (slots.c) */

/* A kernel begins; no CTA is resident. */
void core_begin_kernel(struct core_env *e);
/* Does the core have a slot, and consecutive hardware warps, for a CTA of `warps` warps? */
bool core_has_warps_for(const struct core_env *e, unsigned warps);
/* Launches a CTA, for which the core has warps, into the lowest free slot, and returns the slot.
 * inst_base: where the instructions of its kernel begin in e->di. The caller keeps t until the slot
 * is free. Here and below, the core's past cycles must be settled. */
unsigned core_launch(struct core_env *e, cycle_t now, uint32_t cta, const struct cta_trace *t,
		     unsigned warps_per_cta, uint32_t inst_base);
/* The issue state of a resident CTA. */
enum cta_pause {
	CTA_RUNS,
	CTA_YIELDS, /* paused: its warps issue only when no running warp can */
	/* paused: as CTA_YIELDS, but its warps access memory only while no running warp waits for
	 * memory, except through the starvation guard */
	CTA_DEFERS,
	CTA_HELD /* paused: its warps never issue, except through the starvation guard */
};
void core_pause(struct core_env *e, unsigned slot, enum cta_pause how);
/* The warps of paused CTAs that are being passed over, which a resume forgets. */
/* What a policy says about the warps of a core; all masks 0: nothing. */
struct core_order {
	uint64_t stopped;   /* issue nothing */
	uint64_t no_memory; /* issue no access to global, local or texture memory */
	uint64_t first;	    /* go before all others */
};
/* Sets it from the next cycle on. Returns true if it differs from the present one; the core then
 * needs a visit in the next cycle. */
bool core_set_order(struct core_env *e, struct core_order o);
struct core_order core_order(const struct core *c);
uint64_t core_passed(const struct core *c);
void core_set_passed(struct core *c, uint64_t passed);
/* Slots whose last warp has retired since the last call, one bit each. Such a slot stays used,
 * and core_slot() still describes its CTA, until core_free(). */
uint32_t core_take_freed(struct core_env *e);
void core_free(struct core_env *e, unsigned slot);
/* Copies that the warps of a slot leave behind belong to no warp from now on: their instructions
 * may go before they arrive. The slot is about to be freed. */
void core_forget_warps(struct core_env *e, unsigned slot);
/* After a restore: gives the CTA in a used slot its trace at the new address. */
void core_attach(struct core_env *e, unsigned slot, const struct cta_trace *t);

/* Masks over slots. */
uint32_t core_used(const struct core *c);
uint32_t core_paused(const struct core *c);   /* yielding, deferred or held */
uint32_t core_deferred(const struct core *c); /* CTA_DEFERS */
uint32_t core_held(const struct core *c);
/* The n slots of the mask that were launched last, or all. */
uint32_t core_youngest(const struct core *c, uint32_t among, unsigned n);

struct core_slot {
	uint32_t cta;
	uint32_t order; /* resident CTAs launched before it */
	cycle_t issued;
	uint64_t all_warps; /* one bit per hardware warp */
	uint64_t warps;	    /* those of them that have not retired */
};
/* The slot must be used. */
struct core_slot core_slot(const struct core *c, unsigned slot);

/* ---------------------------------------------------------------- states set by a policy */

/* Sets the state that the CTA policies ask for, beginning with the next cycle; the past cycles
 * must be settled. With CORE_OFF no CTA may be resident, and the caches lose their contents. */
void core_set_state(struct core_env *e, enum core_state state);
/* True when nothing is between issue and completion: no register pending, no store
 * unacknowledged. */
bool core_drained(const struct core *c);

/* ---------------------------------------------------------------- cycles */

/* Runs cycle `now`. Returns the cycle of the next visit: now + 1 when the core may have work
 * then, CYCLE_NEVER when something must arrive from outside first. A core that is off does nothing.
 * */
cycle_t core_tick(struct core_env *e, cycle_t now);

/* Books the cycles before `now` that the core slept through. */
void core_settle(struct core_env *e, cycle_t now);

/* Delivers a reply at the start of cycle `now` if the core need not be visited for it; otherwise
 * returns LDST_NOT_TAKEN. */
enum ldst_reply core_take_sector(struct core_env *e, cycle_t now, uint32_t token);
/* A sector of an instruction line arrived. */
void core_fill_inst(struct core_env *e, cycle_t now, uint32_t token);

/* ---------------------------------------------------------------- queries */

bool
core_is_on(const struct core *c); /* it has CTAs or warps; the reference visits only such cores */
bool core_has_warps(const struct core *c);		 /* warps that have not retired */
bool core_has_freed(const struct core *c);		 /* core_take_freed() would return a slot */
const struct core_stat *core_stat(const struct core *c); /* counted up to the last settled cycle */

/* Conditions, one bit per hardware warp. Bits of warps that are not live are undefined. */
struct core_masks {
	uint64_t live;	  /* launched, not retired */
	uint64_t done;	  /* all lanes exited */
	uint64_t fetched; /* instruction buffer not empty */
	uint64_t ready;	  /* the registers of its next instruction are available */
	uint64_t memwait; /* its next instruction waits for a register from memory */
	uint64_t barrier, membar, atomic; /* waits at a barrier, a fence, or for atomics */
	uint64_t depbar;
	uint64_t absent; /* its CTA is held */
};
struct core_masks core_masks(const struct core *c);
/* The ready warps that a policy holds back: by throttling the core or by its order of warps. */
uint64_t core_ready_but_held_back(const struct core_env *e);
/* Those whose class of instructions has no free slot after issue. */
uint64_t core_ready_without_slot(const struct core *c);
/* Of the ready warps, those whose next instruction is one of the load/store unit. */
uint64_t core_ready_for_memory(const struct core *c);
const struct warp *core_warp(const struct core *c, unsigned w);
/* The oldest instruction of a warp between issue and write-back that writes this register (255: any
 * instruction); HOLD_NOWHERE: it is not there, but may be in the load/store unit or in memory. now:
 * the next cycle. */
struct core_hold {
	enum hold_place place;
	bool comes_last;  /* collectors: others of the core, or of the sub-core, go first */
	uint8_t fu;	  /* enum fu */
	uint32_t inst;	  /* index into e->di */
	uint32_t younger; /* instructions that the core issued after it; not known in a pipe */
	uint32_t cycles;  /* in a pipe: until the write-back; before one: until the pipe is free */
};
struct core_hold core_find_hold(const struct core_env *e, unsigned warp, unsigned reg, cycle_t now);
/* The cycles that its warps need at least until they have issued what they have left, two
 * instructions of a scheduler per cycle. */
uint64_t core_cycles_left(const struct core_env *e);

#endif
