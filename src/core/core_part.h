/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core_part.h - private to src/core: the state of a core and the stages of its cycle.
 *
 * Every condition of a warp is a bit mask with one bit per hardware warp.
 */
#ifndef CORE_PART_H
#define CORE_PART_H

#include "core/core.h"

#define CORE_SLOTS 64 /* instructions between issue and pipes */
#define CORE_BANKS 16
#define CORE_WHEEL 256 /* the longest time from dispatch to the end of a pipe, in cycles */
#define CORE_BANK_QUEUE 512
#define CU_FU 16 /* a power of two above the largest number of operands */

enum { SET_GEN, SET_SP, SET_SFU, SET_MEM }; /* sets of collector units */

/* The collector set of an instruction class: its own, or the general set for a class without
 * one. */
static inline unsigned
core_set_of(unsigned fu)
{
	return fu <= FU_MEM ? SET_SP + fu - FU_SP : SET_GEN;
}
_Static_assert(FU_SFU - FU_SP == SET_SFU - SET_SP && FU_MEM - FU_SP == SET_MEM - SET_SP,
	       "classes and their sets are numbered alike");

/* An instruction between issue and its pipe. */
struct flight {
	uint32_t uid;  /* order of issue */
	uint32_t inst; /* index into the kernel's dinst table */
	uint32_t rec;  /* its record in the warp's stream */
	uint8_t warp, fu;
	uint16_t group; /* LDGSTS: the group it joined */
};

/* A short list of flights before or after the collectors. */
struct latch {
	uint8_t n;
	uint8_t flight[4];
};

struct finish { /* an instruction leaving its pipe */
	uint32_t inst;
	uint8_t warp, unit;
	uint8_t n; /* in the first entry of a time slot: entries of the slot; valid only if
		      wheel_some marks it */
	uint8_t pad;
};

/* The state of a core. All other cores are visited between two visits of the same core, so its
 * data has usually left the host's first-level cache. The layout therefore groups what is needed
 * together into cache lines of 64 bytes and puts rarely used data last. */
struct core {
	/* what every visit reads first */
	_Alignas(64) uint64_t changed; /* warps to re-examine */
	cycle_t still_until; /* until then only the load/store unit and write-back can have work,
				unless warps change or something arrives from outside */
	cycle_t booked_to; /* first cycle not yet booked; the cycles from here on are of one kind */
	cycle_t lanes_until; /* the SIMT lanes are busy until then */
	cycle_t unit_at;     /* until then the load/store unit has nothing to do: ldst_due() */
	uint32_t bank_some;  /* banks with reads waiting */
	uint32_t banks_written;
	uint32_t slots_freed; /* in this cycle; the caller takes them after it */
	uint8_t kind; /* of the cycles since booked_to: enum cycle_class and the flags below */
	uint8_t fetch_valid, fetch_warp;
	uint8_t resident; /* CTAs */
	uint8_t state;	  /* enum core_state, plus CORE_ORDERED */
	uint8_t l1i_some; /* instruction cache: L1I_ASKS, L1I_READY */
	uint8_t id_some,
		id_full; /* classes whose id_oc latch is not empty, is full: one bit per class */
	uint8_t ex_some, ex_full; /* the same for oc_ex */

	/* masks over hardware warps */
	_Alignas(64) uint64_t live; /* launched, not retired */
	uint64_t done;		    /* all lanes exited */
	uint64_t valid;		    /* instruction buffer not empty */
	uint64_t imiss;		    /* waits for an instruction line */
	uint64_t barrier, membar, atomic, depbar;

	uint64_t ready;		/* the registers of its next instruction are available */
	uint64_t memwait;	/* its next instruction waits for a register from memory */
	uint64_t no_room;	/* ready, but the latch of its class is full */
	uint64_t by_fu[FU_ALL]; /* ready warps by the class of their next instruction; the classes
				   of sub-cores lie on the next line */

	_Alignas(64) uint64_t paused; /* warps of paused CTAs */
	uint64_t absent;  /* warps of held CTAs, a subset of `paused`: they count as absent */
	uint64_t retire;  /* exited and drained: they leave in the next fetch scan */
	uint64_t flights; /* used entries of flight[] */
	/* operand collector: units, one bit each */
	uint32_t cu_free, cu_ready;
	uint32_t cu_of_fu[FU_CLASSES]; /* units that hold an instruction of that class */
	uint32_t cu_no_room; /* units whose class has no room in the latch before the pipes */

	_Alignas(64) uint32_t uid;
	struct latch id_oc[FU_CLASSES], oc_ex[FU_CLASSES];
	uint8_t last_fetched;
	uint8_t prio;		      /* scheduler that came first in cycle booked_to */
	uint8_t last[CORE_MAX_SCHED]; /* warp that issued last, per scheduler */

	_Alignas(64) uint8_t cu_flight[CORE_COLLECTORS];
	uint8_t cu_wait[CORE_COLLECTORS]; /* operands still to be read; the bits from CU_FU up hold
					     the class */

	/* pipes; the first units are those of SP and SFU */
	uint64_t wheel_some[CORE_WHEEL / 64]; /* finish times with entries */
	cycle_t unit_free[CORE_MAX_UNITS];

	uint8_t du_last[16];	  /* last pick of each dispatcher */
	uint8_t by_age[MAX_CTAS]; /* resident slots in launch order */

	uint32_t bank[CORE_BANKS]; /* read queues, partly: bank_push() */

	/* CTA slots; slot_warps is read to find the oldest warp */
	_Alignas(64) uint64_t slot_warps[MAX_CTAS];
	struct core_stat st;
	struct flight flight[CORE_SLOTS];
	struct warp warp[MAX_WARPS];
	uint8_t bank_q[CORE_BANKS][CORE_BANK_QUEUE];
	uint16_t bank_head[CORE_BANKS];

	uint64_t slot_exited[MAX_CTAS];
	uint32_t slot_cta[MAX_CTAS];
	cycle_t slot_issued[MAX_CTAS];
	uint32_t slot_used, slot_paused, slot_held, slot_deferred; /* masks over slots */
	uint32_t age;
	uint64_t bar_arrived; /* warps that have arrived at a barrier without waiting there */
	uint64_t passed;      /* ready warps of paused CTAs that were passed over */
	cycle_t starve_at;    /* when the first warp in `passed` will have starved */
	uint64_t deferred;    /* warps of CTAs that defer, a subset of `paused` */
	struct core_order order;
	struct arith_clock arith;
};
_Static_assert(offsetof(struct core, live) == 64 && offsetof(struct core, ready) == 128 &&
		       offsetof(struct core, by_fu[FU_CLASSES]) == 192 &&
		       offsetof(struct core, paused) == 256 && offsetof(struct core, uid) == 320 &&
		       offsetof(struct core, cu_flight) == 384 &&
		       offsetof(struct core, wheel_some) == 448,
	       "one line each");

/* In core.state: a policy orders warps, core.order is not empty. So one comparison finds every core
 * whose issue is restricted. */
#define CORE_ORDERED 0x80

static inline enum core_state
core_state_of(const struct core *c)
{
	return (enum core_state)(c->state & ~CORE_ORDERED);
}

/* Instructions other than accesses to memory count as arithmetic (ctascope-model(7) 14.12). */
static inline bool
core_is_arithmetic(const struct dinst *d)
{
	return d->fu != FU_MEM && d->fu != FU_TEX;
}

static inline void
core_begin_arithmetic(struct core *c, cycle_t now)
{
	if (!c->arith.n++)
		c->arith.since = now;
}

static inline void
core_end_arithmetic(struct core *c, cycle_t now)
{
	if (--c->arith.n)
		return;
	c->arith.cycles += now - c->arith.since;
	c->arith.since = CYCLE_NEVER;
}

/* After struct core: the instructions leaving its pipes, [CORE_WHEEL][result buses]. */
static inline struct finish *
core_wheel(struct core *c)
{
	return (struct finish *)(c + 1);
}

/* After the wheel, on a core with sub-cores: for each sub-core, one slot per class between issue
 * and collectors and one between collectors and pipes, two collectors, and the pipes. */
#define SUB_COLLECTORS (2 * CORE_SUBS)

struct subs {
	uint16_t id_some, ex_some; /* classes with an occupied slot */
	uint8_t id_taken[FU_ALL],
		ex_taken[FU_ALL];   /* sub-cores whose slot is occupied, one bit each */
	uint8_t cu_taken, cu_ready; /* collectors in use; collectors with all operands */
	uint8_t cu_fu[SUB_COLLECTORS];
	uint8_t cu_left[SUB_COLLECTORS]; /* operands still to be read */
	uint8_t last[SUB_COLLECTORS];	 /* last pick of each dispatcher */
	struct flight id[FU_ALL][CORE_SUBS], ex[FU_ALL][CORE_SUBS], cu[SUB_COLLECTORS];
	cycle_t unit_free[FU_ALL][CORE_SUBS];
};

static inline struct subs *
core_subs(const struct core_env *e)
{
	return (struct subs *)(core_wheel(e->core) + CORE_WHEEL * e->shape->cfg->result_buses);
}

static inline unsigned
core_sub_of(unsigned warp)
{
	return warp % CORE_SUBS;
}

_Static_assert(INST_MAX_SRC < CU_FU && FU_CLASSES * CU_FU <= 256, "one byte holds class and count");

/* The kind of a cycle without an issue: its class in the low bits, and these flags. */
enum {
	KIND_CLASS = 7,
	WAITS_RAW = 8, /* every warp waits for a register */
	MAY_BLOCK =
		16, /* class "blocked" while memory blocks the load/store unit, otherwise "stall" */
	NO_WARP = 32 /* the core has no unfinished warp */
};
_Static_assert(CC_CLASSES <= KIND_CLASS + 1, "the low bits hold every class");

/* Flags of core.l1i_some. */
enum {
	L1I_ASKS = 1,
	L1I_READY = 2
}; /* a request to send; a line that has arrived for some warps */

/* Sets the kind of the cycles of a core that is not on, beginning with the first unbooked one.
 * */
static inline void
core_set_rest_kind(struct core *c, enum cycle_class cls)
{
	c->kind = (uint8_t)(cls == CC_IDLE ? CC_IDLE | NO_WARP : cls);
}

/* Prefetches the addresses of a record, which are not yet in the host's cache. Must be inlined:
 * gcc removes calls of a function whose only effect is a prefetch. */
static inline __attribute__((always_inline)) void
core_prefetch_addresses(const struct cta_trace *t, const struct winst *r)
{
	const uint64_t *at = t->addr + r->at;

	__builtin_prefetch(at);
	for (unsigned i = 8; r->mode == ADDR_LIST && i < WARP_SIZE; i += 8)
		__builtin_prefetch(at + i);
}

/* ---- The stages of a cycle in the order in which they run. X_has_work() is true when X would
 * do something in the next cycle. */
bool exec_write_back(struct core_env *e, cycle_t now);
bool exec_pipes(struct core_env *e, cycle_t now, cycle_t *next);
/* The load/store unit. `did` is a mask of what it did; `next` is the next cycle in which it
 * needs a visit if it did nothing. */
enum { LS_BUSY = 1, LS_ACCEPTED = 2 }; /* took an instruction */
struct unit_visit {
	cycle_t next;
	unsigned did;
};
struct unit_visit exec_load_store(struct core_env *e, cycle_t now);
void exec_load_store_without_cta(struct core_env *e, cycle_t now);
/* The same stages for sub-cores. */
bool sub_write_back(struct core_env *e, cycle_t now);
bool sub_pipes(struct core_env *e, cycle_t now, cycle_t *next);
struct unit_visit sub_load_store(struct core_env *e, cycle_t now);
bool sub_mem_waits(const struct core_env *e); /* an instruction waits for the load/store unit */
bool sub_collect(struct core_env *e);
uint64_t sub_behind_unit(const struct core_env *e); /* warps that the load/store unit holds back */
void sub_issued(struct core_env *e, unsigned warp,
		const struct dinst *d); /* the instruction moves into its slot */
unsigned sub_issue(struct core_env *e, cycle_t now);
void sub_look_at(struct core_env *e, uint64_t warps);
bool sub_fetch(struct core_env *e, cycle_t now); /* and decode, fetch_rounds times per cycle */
cycle_t exec_next_take(const struct core_env *e, cycle_t now);
cycle_t exec_next_write_back(const struct core *c, cycle_t now);
bool collector_step(struct core_env *e);
bool collector_has_work(const struct core_env *e);
unsigned issue_step(struct core_env *e,
		    cycle_t now); /* returns the number of instructions issued */
/* The next cycle in which a ready warp of a held CTA starves, CYCLE_NEVER if none does. */
cycle_t issue_next_starved(const struct core_env *e, cycle_t now);
bool decode_step(struct core_env *e);
bool fetch_step(struct core_env *e, cycle_t now);
bool fetch_has_work(const struct core_env *e); /* or decode */
void issue_look_at(struct core_env *e, uint64_t warps);
void issue_look_at_ends(struct core *c, uint64_t warps);
/* The ready warps whose access to memory waits until no running warp waits for memory. */
uint64_t issue_deferred(const struct core_env *e);
/* The warps in m that a policy holds back: by throttling the core or by its order of warps. */
uint64_t issue_held_back(const struct core_env *e, uint64_t m);
/* May it hold any back? */
static inline bool
issue_holds_back(const struct core *c)
{
	return c->state >= CORE_THROTTLED;
}

/* Re-examines the warps marked changed. A ready warp stays ready until it issues. A warp without
 * a fetched instruction has nothing to wait for, except its end once it has exited. */
static inline void
issue_look_again(struct core_env *e)
{
	struct core *c = e->core;
	uint64_t changed = c->changed, m;

	c->changed = 0;
	if (unlikely(changed & (c->done | c->atomic | c->depbar)))
		issue_look_at_ends(c, changed & (c->done | c->atomic | c->depbar));
	m = changed & c->valid & ~c->ready;
	if (m)
		issue_look_at(e, m);
}

/* Warps that could issue if the core were not throttled and no fence held them. */
static inline uint64_t
issue_candidates(const struct core *c)
{
	return c->ready & ~(c->no_room | c->barrier | c->atomic | c->depbar);
}

/* Can a warp issue? Always true with a group scheduler or a fence, because groups can change and
 * fences can end in any cycle. */
static inline bool
issue_has_work(const struct core_env *e)
{
	const struct core *c = e->core;
	uint64_t can = issue_candidates(c);

	if (unlikely(e->shape->wsched == WSCHED_ASKED || c->membar))
		return true;
	return can && (likely(!issue_holds_back(c)) || can & ~issue_held_back(e, can));
}

/* The queue of reads waiting for a bank, first come first served. One word holds the length in
 * its low bits and the units of the first four reads; the remaining ones, which are rare, are in a
 * ring. */
enum { BANK_COUNT = 9, BANK_UNIT = 5, BANK_FIRST = 4 }; /* widths in bits; reads kept in the word */

_Static_assert(CORE_COLLECTORS <= 1 << BANK_UNIT && BANK_COUNT + BANK_FIRST * BANK_UNIT <= 32,
	       "one word holds length and units");
_Static_assert(CORE_COLLECTORS *INST_MAX_SRC < 1 << BANK_COUNT &&
		       CORE_BANK_QUEUE == 1 << BANK_COUNT,
	       "all reads of all units may wait for one bank");

static inline void
bank_push(struct core *c, unsigned b, unsigned cu)
{
	uint32_t q = c->bank[b], n = q & (CORE_BANK_QUEUE - 1);

	if (likely(n < BANK_FIRST))
		q |= cu << (BANK_COUNT + BANK_UNIT * n);
	else
		c->bank_q[b][(c->bank_head[b] + n - BANK_FIRST) % CORE_BANK_QUEUE] = (uint8_t)cu;
	c->bank[b] = q + 1;
	c->bank_some |= 1u << b;
}

static inline unsigned
bank_pop(struct core *c, unsigned b)
{
	uint32_t q = c->bank[b], n = (q & (CORE_BANK_QUEUE - 1)) - 1, units = q >> BANK_COUNT;
	unsigned cu = units & (CORE_COLLECTORS - 1);

	units >>= BANK_UNIT;
	if (unlikely(n >= BANK_FIRST))
		units |= (uint32_t)c->bank_q[b][c->bank_head[b]++ % CORE_BANK_QUEUE]
			 << (BANK_FIRST - 1) * BANK_UNIT;
	c->bank[b] = units << BANK_COUNT | n;
	c->bank_some &= ~((uint32_t)!n << b);
	return cu;
}

/* Puts a flight into a latch and updates the masks of its side (id or ex). */
static inline void
latch_put(struct latch *l, unsigned fu, uint8_t flight, uint8_t room, uint8_t *some, uint8_t *full)
{
	l->flight[l->n++] = flight;
	*some |= (uint8_t)(1u << fu);
	if (l->n == room)
		*full |= (uint8_t)(1u << fu);
}

/* Removes entry i; the others keep their order. */
static inline uint8_t
latch_take(struct latch *l, unsigned fu, unsigned i, uint8_t *some, uint8_t *full)
{
	uint8_t flight = l->flight[i];

	*full &= (uint8_t) ~(1u << fu);
	l->n--;
	if (likely(!l->n))
		*some &= (uint8_t) ~(1u << fu);
	for (; i < l->n; i++)
		l->flight[i] = l->flight[i + 1];
	return flight;
}

#endif
