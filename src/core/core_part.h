/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * core_part.h - private to src/core: a core's state and the parts of its cycle.
 *
 * All conditions of warps are masks, one bit per hardware warp.
 */
#ifndef CORE_PART_H
#define CORE_PART_H

#include "core/core.h"

#define CORE_SLOTS 64 /* instructions between issue and pipes */
#define CORE_BANKS 16
#define CORE_WHEEL 256 /* cycles ahead a pipe can finish */
#define CORE_BANK_QUEUE 512
#define CU_FU 16 /* more than the operands of an instruction */

enum { SET_GEN, SET_SP, SET_SFU, SET_MEM }; /* of collector units */

/* The set of a class of instructions beside the general one, which is that of classes without. */
static inline unsigned
core_set_of(unsigned fu)
{
	return fu <= FU_MEM ? SET_SP + fu - FU_SP : SET_GEN;
}
_Static_assert(FU_SFU - FU_SP == SET_SFU - SET_SP && FU_MEM - FU_SP == SET_MEM - SET_SP,
	       "classes are numbered as their sets");

/* An instruction between issue and its pipe. */
struct flight {
	uint32_t uid;  /* order of issue */
	uint32_t inst; /* index into the kernel's dinst table */
	uint32_t rec;  /* its record in the warp's stream */
	uint8_t warp, fu;
	uint16_t group; /* of LDGSTS, that its warp was filling */
};

/* A short list of flights waiting in front of or behind the collectors. */
struct latch {
	uint8_t n;
	uint8_t f[4];
};

struct finish { /* an instruction that leaves its pipe */
	uint32_t inst;
	uint8_t warp, unit;
	uint8_t n; /* first of its time slot: how many there are, when wheel_some says there are any
		    */
	uint8_t pad;
};

/* The state of a core. Every core is visited once before one is visited again, so what a visit
 * touches is seldom still in the host's first cache; it is laid out in lines of that, 64 bytes
 * each, by what is needed together. What few visits need comes last. */
struct core {
	/* what every visit asks first */
	_Alignas(64) uint64_t changed; /* warps to look at again */
	cycle_t still_until; /* before it only the load/store unit and write-back can have something
				to do, unless warps have changed or something comes from outside */
	cycle_t booked_to;   /* first cycle not yet booked: it and those since are of one kind */
	cycle_t lanes_until; /* the SIMT lanes are busy until then */
	cycle_t unit_at;     /* before it the load/store unit has nothing to do: ldst_due() */
	uint32_t bank_some;  /* banks with reads waiting */
	uint32_t banks_written;
	uint32_t slots_freed; /* in this cycle: the host is told after it */
	uint8_t kind; /* of the cycles since booked_to: enum cycle_class and what is beside it */
	uint8_t fetch_valid, fetch_warp;
	uint8_t resident; /* CTAs */
	uint8_t state;	  /* enum core_state: what of it the issue stage must know */
	uint8_t l1i_some; /* instruction cache: what is there for the fetch stage */
	uint8_t id_some,
		id_full; /* id_oc latches with something in them, without room: one bit per class */
	uint8_t ex_some, ex_full; /* the same for oc_ex */

	/* masks over hardware warps */
	_Alignas(64) uint64_t live; /* launched, not retired */
	uint64_t done;		    /* all lanes exited */
	uint64_t valid;		    /* instruction buffer not empty */
	uint64_t imiss;		    /* waits for an instruction line */
	uint64_t barrier, membar, atomic, depbar;

	uint64_t ready;		/* next instruction has its registers */
	uint64_t memwait;	/* it needs a register that comes from memory */
	uint64_t no_room;	/* ready, and the latch of its class is full */
	uint64_t by_fu[FU_ALL]; /* ready warps by the class of that instruction; those of sub-cores
				   are on the next line */

	_Alignas(64) uint64_t paused; /* warps of paused CTAs */
	uint64_t absent;  /* of those, the ones of held CTAs: as if they were not there */
	uint64_t retire;  /* exited and drained: leave in the next fetch scan */
	uint64_t flights; /* used entries of flight[] */
	/* operand collector: units, one bit each */
	uint32_t cu_free, cu_ready;
	uint32_t cu_of_fu[FU_CLASSES]; /* units holding an instruction of that class */
	uint32_t cu_no_room;	       /* of those, the classes whose latch behind them is full */

	_Alignas(64) uint32_t uid;
	struct latch id_oc[FU_CLASSES], oc_ex[FU_CLASSES];
	uint8_t last_fetched;
	uint8_t prio;		      /* scheduler that was first in cycle booked_to */
	uint8_t last[CORE_MAX_SCHED]; /* warp that issued last */

	_Alignas(64) uint8_t cu_flight[CORE_COLLECTORS];
	uint8_t cu_wait[CORE_COLLECTORS]; /* operands to be read; from CU_FU on its class */

	/* pipes; the first units are those of SP and SFU */
	uint64_t wheel_some[CORE_WHEEL / 64]; /* finish times with entries */
	cycle_t unit_free[CORE_MAX_UNITS];

	uint8_t du_last[16];	  /* last pick of each dispatcher */
	uint8_t by_age[MAX_CTAS]; /* resident slots, launched first to last */

	uint32_t bank[CORE_BANKS]; /* queues of reads, in part: bank_push() */

	/* CTA slots; their warps are asked for the oldest one */
	_Alignas(64) uint64_t slot_warps[MAX_CTAS];
	struct core_stat st;
	struct flight flight[CORE_SLOTS];
	struct warp warp[MAX_WARPS];
	uint8_t bank_q[CORE_BANKS][CORE_BANK_QUEUE];
	uint16_t bank_head[CORE_BANKS];

	uint64_t slot_exited[MAX_CTAS];
	uint32_t slot_cta[MAX_CTAS];
	cycle_t slot_issued[MAX_CTAS];
	uint32_t slot_used, slot_paused, slot_held; /* masks over slots */
	uint32_t age;
	uint64_t arrived;  /* warps at a barrier for which they do not wait */
	uint64_t passed;   /* of paused CTAs, ready but passed over */
	cycle_t starve_at; /* when the first of `passed` has starved */
};
_Static_assert(offsetof(struct core, live) == 64 && offsetof(struct core, ready) == 128 &&
		       offsetof(struct core, by_fu[FU_CLASSES]) == 192 &&
		       offsetof(struct core, paused) == 256 && offsetof(struct core, uid) == 320 &&
		       offsetof(struct core, cu_flight) == 384 &&
		       offsetof(struct core, wheel_some) == 448,
	       "one line each");

/* Behind a core: what leaves its pipes, [CORE_WHEEL][result buses]. */
static inline struct finish *
core_wheel(struct core *c)
{
	return (struct finish *)(c + 1);
}

/* Behind that, where the core has sub-cores: the slots of each between issue and collectors and
 * between collectors and pipes, one of each class; its collectors, two each; its pipes. */
#define SUB_COLLECTORS (2 * CORE_SUBS)

struct subs {
	uint16_t id_some, ex_some;		    /* classes with a slot taken */
	uint8_t id_taken[FU_ALL], ex_taken[FU_ALL]; /* sub-cores whose slot is, one bit each */
	uint8_t cu_taken, cu_ready;		    /* collectors; with all operands */
	uint8_t cu_fu[SUB_COLLECTORS];
	uint8_t cu_left[SUB_COLLECTORS]; /* operands to be read */
	uint8_t last[SUB_COLLECTORS];	 /* pick of each dispatcher */
	struct flight id[FU_ALL][CORE_SUBS], ex[FU_ALL][CORE_SUBS], cu[SUB_COLLECTORS];
	cycle_t unit_free[FU_ALL][CORE_SUBS];
};

static inline struct subs *
core_subs(const struct core_env *e)
{
	return (struct subs *)(core_wheel(e->c) + CORE_WHEEL * e->k->cfg->result_buses);
}

static inline unsigned
core_sub_of(unsigned warp)
{
	return warp % CORE_SUBS;
}

_Static_assert(INST_MAX_SRC < CU_FU && FU_CLASSES * CU_FU <= 256, "a byte holds both");

/* What a cycle without an issue is besides its class, which stands in the low bits. */
enum {
	KIND_CLASS = 7,
	WAITS_RAW = 8, /* every warp waits for a register */
	MAY_BLOCK =
		16,  /* of class blocked if the load/store unit is blocked by memory, else stall */
	NO_WARP = 32 /* no unfinished warp is on the core */
};
_Static_assert(CC_CLASSES <= KIND_CLASS + 1, "a class has room");

/* In core.l1i_some. */
enum {
	L1I_ASKS = 1,
	L1I_READY = 2
}; /* a request to be sent, a line for some warps that has come */

/* What the cycles of a core that is not on are, from the first one that is not booked yet. */
static inline void
core_rest(struct core *c, enum cycle_class cls)
{
	c->kind = (uint8_t)(cls == CC_IDLE ? CC_IDLE | NO_WARP : cls);
}

/* The addresses of a record come from the trace, and are not in the host's cache. gcc drops a call
 * of a function that it finds to do no more than this, unless it inlines it before it looks. */
static inline __attribute__((always_inline)) void
core_prefetch_addresses(const struct cta_trace *t, const struct winst *r)
{
	const uint64_t *at = t->addr + r->at;

	__builtin_prefetch(at);
	for (unsigned i = 8; r->mode == ADDR_LIST && i < WARP_SIZE; i += 8)
		__builtin_prefetch(at + i);
}

/* ---- parts of a cycle, in the order they run; what has work would do something in the next cycle
 */
bool exec_write_back(struct core_env *e, cycle_t now);
bool exec_pipes(struct core_env *e, cycle_t now, cycle_t *next);
/* The load/store unit: what it did, a mask; when it next wants to be visited, if it did nothing. */
enum { LS_BUSY = 1, LS_ACCEPTED = 2 }; /* took an instruction */
struct unit_visit {
	cycle_t next;
	unsigned did;
};
struct unit_visit exec_load_store(struct core_env *e, cycle_t now);
/* The same of sub-cores. */
bool sub_write_back(struct core_env *e, cycle_t now);
bool sub_pipes(struct core_env *e, cycle_t now, cycle_t *next);
struct unit_visit sub_load_store(struct core_env *e, cycle_t now);
bool sub_mem_waits(const struct core_env *e); /* for the load/store unit */
bool sub_collect(struct core_env *e);
void sub_issued(struct core_env *e, unsigned warp, const struct dinst *d); /* goes to its slot */
unsigned sub_issue(struct core_env *e, cycle_t now);
void sub_look_at(struct core_env *e, uint64_t warps);
bool sub_fetch(struct core_env *e, cycle_t now); /* and decode, as often as it does in a cycle */
cycle_t exec_next_take(const struct core_env *e, cycle_t now);
cycle_t exec_next_write_back(const struct core *c, cycle_t now);
bool collector_step(struct core_env *e);
bool collector_has_work(const struct core_env *e);
unsigned issue_step(struct core_env *e, cycle_t now); /* instructions issued */
/* The next cycle in which a ready warp of a held CTA has starved, CYCLE_NEVER: none. */
cycle_t issue_next_starved(const struct core_env *e, cycle_t now);
bool decode_step(struct core_env *e);
bool fetch_step(struct core_env *e, cycle_t now);
bool fetch_has_work(const struct core_env *e); /* or decode */
void issue_look_at(struct core_env *e, uint64_t warps);
void issue_look_at_ends(struct core *c, uint64_t warps);
/* Of the warps in m, those a throttled core holds back. */
uint64_t issue_throttled(const struct core_env *e, uint64_t m);
void core_release_barrier(struct core *c, unsigned slot);

/* Looks at the warps marked changed. One that is ready stays so until it issues, whatever is
 * released; one without a fetched instruction has nothing to wait for but, when it has exited, its
 * end. */
static inline void
issue_look_again(struct core_env *e)
{
	struct core *c = e->c;
	uint64_t changed = c->changed, m;

	c->changed = 0;
	if (unlikely(changed & (c->done | c->atomic | c->depbar)))
		issue_look_at_ends(c, changed & (c->done | c->atomic | c->depbar));
	m = changed & c->valid & ~c->ready;
	if (m)
		issue_look_at(e, m);
}

/* Warps that could issue, if the core is not throttled and they do not wait at a fence. */
static inline uint64_t
issue_free(const struct core *c)
{
	return c->ready & ~(c->no_room | c->barrier | c->atomic | c->depbar);
}

/* Could a warp issue? Not asked of a core are a group scheduler and fences: groups may change, and
 * a fence end, in any cycle. */
static inline bool
issue_has_work(const struct core_env *e)
{
	const struct core *c = e->c;
	uint64_t can = issue_free(c);

	if (unlikely(e->k->wsched == WSCHED_ASKED || c->membar))
		return true;
	return can && (likely(c->state != CORE_THROTTLED) || can & ~issue_throttled(e, can));
}

/* The reads that wait for a bank, first come first served: how many in the low bits, then the units
 * of the first four. The others, which are rare, stand in a ring. */
enum { BANK_COUNT = 9, BANK_UNIT = 5, BANK_FIRST = 4 }; /* bits; units that are not in the ring */

_Static_assert(CORE_COLLECTORS <= 1 << BANK_UNIT && BANK_COUNT + BANK_FIRST * BANK_UNIT <= 32,
	       "a word holds them");
_Static_assert(CORE_COLLECTORS *INST_MAX_SRC < 1 << BANK_COUNT &&
		       CORE_BANK_QUEUE == 1 << BANK_COUNT,
	       "all units may wait for one bank with all they read");

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

	*full &= (uint8_t) ~(1u << fu);
	l->n--;
	if (likely(!l->n))
		*some &= (uint8_t) ~(1u << fu);
	for (; i < l->n; i++)
		l->f[i] = l->f[i + 1];
	return flight;
}

#endif
