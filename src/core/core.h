/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core.h - a SIMT core: warp table, fetch, issue, operand collector, pipes, write-back.
 *
 * One core cycle runs the stages from the back (timing facts 1.7): write-back, pipes and
 * load/store unit, operand collector, issue, decode, fetch; so a result written in a cycle can be
 * used by an issue in the same one. All conditions are masks, one bit per warp. A core that did
 * nothing says when it next can; until then it is not visited and core_settle() books the cycles it
 * slept.
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
#undef OPT
extern const struct opt_row core_opts[];
extern const unsigned core_n_opts;

#define CORE_MAX_SCHED 4
#define CORE_SLOTS 64 /* instructions between issue and pipes */
#define CORE_COLLECTORS 32
#define CORE_BANKS 16
#define CORE_WHEEL 256 /* cycles ahead a pipe can finish */
#define CORE_MAX_BUSES 4
#define CORE_BANK_QUEUE 256
#define CORE_MAX_UNITS 16
#define L1I_MERGE 64

/* An instruction between issue and its pipe. */
struct flight {
	uint32_t uid;  /* order of issue */
	uint32_t inst; /* index into the kernel's dinst table */
	uint32_t rec;  /* its record in the warp's stream */
	uint8_t warp, fu;
	uint8_t wait; /* operands to be read */
	uint8_t pad;
};

/* A short list of flights waiting in front of or behind the collectors. */
struct latch {
	uint8_t n;
	uint8_t f[4];
	uint8_t pad[3];
};

struct finish { /* an instruction that leaves its pipe */
	uint32_t inst;
	uint8_t warp, unit;
	uint8_t pad[2];
};

struct core_stat {
	uint64_t cls[CC_CLASSES]; /* cycles by class; they sum to the cycles simulated */
	uint64_t c_mem, c_idle;
	uint64_t c_raw;	 /* every warp blocked by some register, memory or not */
	uint64_t c_unit; /* stalls with the load/store unit blocked: no warp waits for else */
	uint64_t warp_insts, thread_insts;
	uint64_t insts_of[OP_CLASSES]; /* thread instructions by class, for src/power */
	uint64_t fetches, fetch_misses;
	uint64_t occupied; /* cycles with at least one CTA */
};

struct core {
	/* masks over hardware warps */
	uint64_t live;	/* launched, not retired */
	uint64_t done;	/* all lanes exited */
	uint64_t valid; /* instruction buffer not empty */
	uint64_t imiss; /* waits for an instruction line */
	uint64_t barrier, membar, atomic, depbar;
	uint64_t ready;		    /* next instruction has its registers */
	uint64_t memwait;	    /* it needs a register that comes from memory */
	uint64_t by_fu[FU_CLASSES]; /* ready warps by the class of that instruction */
	uint64_t paused;	    /* warps of paused CTAs */
	uint64_t passed;	    /* of those, ready but passed over */
	uint64_t retire;	    /* exited and drained: leave in the next fetch scan */
	cycle_t starve_at;	    /* when the first of `passed` has starved */

	cycle_t slept_from;  /* first cycle not yet booked */
	cycle_t lanes_until; /* the SIMT lanes are busy until then */
	uint8_t sleep_class, sleep_waits, prio, fetch_valid;
	uint8_t state; /* enum core_state: what of it the issue stage must know */
	uint8_t fetch_warp, last_fetched;
	uint8_t last[CORE_MAX_SCHED]; /* warp that issued last */
	uint8_t resident;	      /* CTAs */
	uint8_t n_units;
	uint32_t uid, age;
	uint32_t not_completed; /* warps not retired */

	/* CTA slots */
	uint64_t slot_warps[MAX_CTAS];
	uint64_t slot_exited[MAX_CTAS];
	uint32_t slot_cta[MAX_CTAS];
	cycle_t slot_issued[MAX_CTAS];
	uint32_t slot_used, slot_paused; /* masks over slots */
	uint32_t slots_freed;		 /* in this cycle: the host is told after it */
	uint8_t by_age[MAX_CTAS];	 /* resident slots, launched first to last */

	/* operand collector */
	uint64_t flights; /* used entries of flight[] */
	uint32_t cu_free, cu_ready;
	uint32_t cu_of_fu[FU_CLASSES]; /* units holding an instruction of that class */
	uint32_t bank_some;	       /* banks with reads waiting */
	uint32_t banks_written;
	uint8_t du_last[16]; /* last pick of each dispatcher */
	uint8_t cu_flight[CORE_COLLECTORS];
	struct latch id_oc[FU_CLASSES], oc_ex[FU_CLASSES];
	uint8_t id_some,
		id_full; /* id_oc latches with something in them, without room: one bit per class */
	uint8_t ex_some, ex_full; /* the same for oc_ex */
	uint8_t bank_head[CORE_BANKS], bank_n[CORE_BANKS];

	/* pipes */
	cycle_t unit_free[CORE_MAX_UNITS];
	uint64_t wheel_some[CORE_WHEEL / 64]; /* finish times with entries */
	uint8_t wheel_n[CORE_WHEEL];

	struct core_stat st;
	struct flight flight[CORE_SLOTS];
	struct finish wheel[CORE_WHEEL][CORE_MAX_BUSES];
	uint8_t bank_q[CORE_BANKS][CORE_BANK_QUEUE];
	struct wsched_state sched_state[CORE_MAX_SCHED];
	struct warp_table warps;
};

/* Where a warp's records are: derived from the trace, kept outside the arena. */
struct warp_stream {
	const struct winst *rec;
	const struct cta_trace *cta;
};

/* Constant surroundings of one core. */
struct core_env {
	const struct core_cfg *cfg;
	struct core *c;
	const struct dinst *di;	    /* of the running kernel */
	struct warp_stream *stream; /* [MAX_WARPS] */
	struct ldst_env ldst;
	struct tags *l1i;
	struct mshr *l1i_mshr;
	struct fifo *l1i_missq;
	uint16_t id;
	uint8_t n_warps, n_sched;
	enum wsched_kind wsched;
	uint64_t sched_warps[CORE_MAX_SCHED];
	uint8_t slots[FU_CLASSES], units[FU_CLASSES], first_unit[FU_CLASSES];
	uint8_t lanes_cycles; /* a warp keeps the SIMT lanes busy this long */
	uint8_t set_first[4]; /* collector sets: gen, sp, sfu, mem */
	uint32_t set_mask[4]; /* their units */
	uint8_t ports[4];
};

void core_init(struct core_env *e);

/* Kernel tables: pre-decodes one kernel's instructions for this configuration. Caller frees. */
struct dinst *core_decode_kernel(const struct core_cfg *cfg, const struct trace_kernel *k);

/* ---------------------------------------------------------------- CTA slots (slots.c) */

/* Launches a CTA into the lowest free slot; the caller has checked that there is one, and keeps t
 * until the slot is free. Returns the slot. The core's past cycles are settled, here and below. */
unsigned core_launch(struct core_env *e, cycle_t now, uint32_t cta, const struct cta_trace *t,
		     unsigned warps_per_cta);
/* Pauses a CTA (its warps issue when no running warp can) or resumes it. */
void core_pause(struct core_env *e, unsigned slot, bool paused);
/* Slots whose last warp has retired since they were last taken, one bit each. They are used, and
 * their CTA can be asked for, until core_free(). */
uint32_t core_take_freed(struct core_env *e);
void core_free(struct core_env *e, unsigned slot);
/* After a restore: the CTA in a used slot has its trace here now. */
void core_attach(struct core_env *e, unsigned slot, const struct cta_trace *t,
		 unsigned warps_per_cta);

/* Masks over slots. */
uint32_t core_used(const struct core *c);
uint32_t core_paused(const struct core *c);
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

/* Runs cycle `now`. Returns the cycle it wants to be visited next (now + 1 when it may have work
 * then). */
cycle_t core_tick(struct core_env *e, cycle_t now);

/* Books the cycles before `now` that were slept through. */
void core_settle(struct core_env *e, cycle_t now);

/* An instruction line's sector came back. */
void core_fill_inst(struct core_env *e, cycle_t now, uint32_t token);

static inline bool
core_is_on(const struct core *c) /* the reference visits it */
{
	return c->resident || c->not_completed;
}

static inline bool
core_has_freed(const struct core *c) /* core_take_freed() has something to give */
{
	return c->slots_freed;
}

/* ---- parts of a cycle, in the order they run (private to src/core) */
bool exec_write_back(struct core_env *e, cycle_t now);
bool exec_pipes(struct core_env *e, cycle_t now, cycle_t *next);
cycle_t exec_next_write_back(const struct core *c, cycle_t now);
bool collector_step(struct core_env *e);
unsigned issue_step(struct core_env *e, cycle_t now); /* instructions issued */
bool decode_step(struct core_env *e);
bool fetch_step(struct core_env *e, cycle_t now);
void issue_look_again(struct core_env *e); /* warps marked changed */
void core_release_barrier(struct core *c, unsigned slot);

/* Puts a flight into a latch, keeping the masks of one side (id or ex) right. */
static inline void
latch_put(struct latch *l, unsigned fu, uint8_t flight, uint8_t room, uint8_t *some, uint8_t *full)
{
	l->f[l->n++] = flight;
	*some |= (uint8_t)(1u << fu);
	if (l->n == room)
		*full |= (uint8_t)(1u << fu);
}

/* Takes entry i out; the others keep their order. */
static inline uint8_t
latch_take(struct latch *l, unsigned fu, unsigned i, uint8_t *some, uint8_t *full)
{
	uint8_t flight = l->f[i];

	for (l->n--; i < l->n; i++)
		l->f[i] = l->f[i + 1];
	*full &= (uint8_t) ~(1u << fu);
	if (!l->n)
		*some &= (uint8_t) ~(1u << fu);
	return flight;
}

#endif
