/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst.h - the load/store unit of a core: coalescer, shared memory, L1 data cache.
 *
 *   dispatch slot -> access per cycle -> latency queue -> L1 look-up -> miss queue -> interconnect
 *                 \-> shared memory pipe --------------\      |
 *   replies -> response buffer -> L1 fill / bypass -> write-back register -> scoreboard
 *
 * ctascope-model(7) 7 gives every rule. Loads from constant and texture space take the same path
 * through their own caches. Captured traces have no addresses for them (LDC is an arithmetic
 * instruction there); recorded traces may. The caches hold no data, because traces have no values.
 */
#ifndef LDST_H
#define LDST_H

#include "base/fifo.h"
#include "cache/cache.h"
#include "ctascope/addrmap.h"
#include "ctascope/decl.h"
#include "ctascope/req.h"
#include "ctascope/trace.h"
#include "ctascope/warp.h"

#define OPT DECL_FIELD
struct ldst_cfg {
#include "ldst/ldst.def"
};
extern const struct opt_row ldst_opts[];
extern const unsigned ldst_n_opts;

/* The data caches of a core; those for constants and textures are read-only. */
enum l1_kind { L1_DATA, L1_TEX, L1_CONST, L1_KINDS };

struct ldst; /* the state of one unit; ldst_bytes() of the arena */

struct ldst_stat {
	/* Two lines of the host's cache: the first holds what a load counts on its way out and
	 * at its end, the second what its returning line counts. */
#define COUNTER(name, ...) uint64_t name;
#include "ldst/counters.def"
	uint64_t l1_pending, l1_fails; /* data cache */
	uint64_t mem_insts;
	uint64_t sent;			  /* sectors requested */
	uint64_t loads_done, load_cycles; /* AMAT = load_cycles / loads_done */

	uint64_t replies;			 /* sectors answered */
	uint64_t round_trips, round_trip_cycles; /* lat_rt */
	uint64_t overlap_cycles; /* of load_cycles, those with arithmetic in flight on the core */
	uint64_t stores_sent, acks;
	uint64_t write_backs;
	uint64_t ro_accesses, ro_misses; /* constant and texture */
	uint64_t smem_insts, smem_conflict_cycles;
};
_Static_assert(offsetof(struct ldst_stat, replies) == 64, "the two lines");

/* Counts the cycles in which a core had an arithmetic instruction in flight. With `n` among the
 * bytes at the head of struct core, kernels of arithmetic ran 6 % slower. */
struct arith_clock {
	cycle_t since;	 /* CYCLE_NEVER: none is in flight */
	uint64_t cycles; /* before `since` */
	uint32_t n;	 /* instructions between issue and write-back */
};

static inline uint64_t
arith_cycles(const struct arith_clock *k, cycle_t now)
{
	return k->cycles + (now > k->since ? now - k->since : 0);
}

/* The layout of local memory for the running kernel (ctascope-model(7) 7.10). cta_threads 0:
 * addresses are those of the trace. */
struct local_map {
	uint64_t step;	      /* bytes from one word of a thread to its next word */
	uint32_t cta_threads; /* threads of a CTA, rounded up to whole warps */
	uint16_t core, n_cores;
};

/* The owner of a line of the L1 data cache (struct line_owners): a CTA, by its slot and the age of
 * its first warp, which no other CTA of the core has. */
static inline uint32_t
owner_of(unsigned slot, uint32_t first_age)
{
	return first_age * MAX_CTAS + slot;
}

static inline unsigned
owner_slot(uint32_t owner)
{
	return owner % MAX_CTAS;
}

static inline bool
owner_is_present(const struct line_owners *o, uint32_t owner)
{
	return o->present[owner_slot(owner)] == owner;
}

struct inst_profile;

#define LINE_NONE UINT64_MAX /* no line has this address */

/* Who is told what happens in L1; neither is part of the machine. */
struct ldst_listener {
	struct inst_profile *profile; /* of the running kernel; NULL: not profiled */
	/* Called when an access brings a line; NULL: nobody asks. The addresses are those of lines;
	 * `evicted` is LINE_NONE if none leaves. */
	void (*brings)(void *ctx, unsigned core, unsigned warp, uint32_t place, uint64_t line,
		       uint64_t evicted);
	void *ctx;
};

/* The environment of one unit, built once per core and constant except for `local`. The warps
 * belong to the core. It fills two lines of the host's cache; the first holds what every access
 * needs. */
struct ldst_env {
	_Alignas(64) struct ldst *unit;
	const struct ldst_cfg *cfg;
	struct tags *tags;	/* [L1_KINDS] */
	struct mshr *mshr;	/* [L1_KINDS] */
	struct fifo *resp;	/* replies for this core */
	const struct port *out; /* the cluster's input of the network */
	struct warp *warp;	/* [MAX_WARPS] */
	uint64_t *changed;	/* warps that the issue stage must re-examine */
	const struct arith_clock *arith;
	struct req_pool *pool;
	struct req *req;
	const struct addrmap *map;
	const struct ldst_listener *listener; /* NULL: none */
	struct local_map local;
	uint16_t ways; /* sectored L1: of the running kernel */
	uint16_t core;
	uint8_t miss_queue; /* L1 miss queue entries */
	uint8_t reg_banks;  /* of a sub-core, if the core has sub-cores */
	uint8_t sub_last;   /* number of sub-cores minus 1 */
	bool sectored : 1;
	bool whole : 1; /* a reply answers all sectors of its request */
};
_Static_assert(sizeof(struct ldst_env) == 128, "two lines of the host's cache");

size_t ldst_bytes(const struct ldst_cfg *k);
/* Places for lines in the L1 data cache, gaps included: the length of struct line_owners. */
size_t ldst_places(const struct ldst_cfg *k, const struct cache_cfg *l1d);
void ldst_init(const struct ldst_env *e); /* needs zeroed memory */
/* At the start of a kernel, or after a restore into one: CTAs of cta_threads threads, up to
 * n_max of them on each of n_cores cores. */
void ldst_set_kernel(struct ldst_env *e, uint32_t cta_threads, uint32_t n_max, uint32_t n_cores);
/* The same for a sectored L1: it gets the ways that fit beside `shared` bytes of shared memory.
 * */
void ldst_set_ways(struct ldst_env *e, uint64_t shared);

/* A kernel begins; its first warp will have this age. */
void ldst_begin_kernel(const struct ldst_env *e, uint32_t age);

/* Runs one core cycle. banks: the register banks written in this cycle; the unit adds its own.
 * next: lowered to the next cycle in which something falls due. Returns true when the unit did
 * something or may do something in the next cycle. */
bool ldst_tick(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t *banks,
	       cycle_t *next);

/* Delivers a sector of a line at the start of cycle `now`, without a tick if a tick would do
 * nothing else: the sectors still missing are counted down, and the last one fills the line if no
 * look-up waits for it. */
enum ldst_reply {
	LDST_NOT_TAKEN,
	LDST_COUNTED,	/* nothing else to do */
	LDST_FILLS_LINE /* the unit has work in the next cycle */
};
enum ldst_reply ldst_take_sector(const struct ldst_env *e, cycle_t now, uint32_t token);
/* Leaves a reply for the response buffer, whatever it is. */
enum ldst_reply ldst_leave_reply(const struct ldst_env *e);

/* The first cycle in which a tick would change something; CYCLE_NEVER when the unit is empty. It
 * changes in ticks, and when a reply arrives, an instruction is taken or L1 is invalidated. */
cycle_t ldst_due(const struct ldst_env *e);
bool ldst_is_free(const struct ldst_env *e); /* the dispatch slot can take an instruction */
/* Hints for prefetching one cycle ahead: the warp that may have a register written in the next
 * cycle (MAX_WARPS: none), and whether the slot may become free in it. */
unsigned ldst_next_release(const struct ldst_env *e);
bool ldst_nearly_free(const struct ldst_env *e);
/* Takes an instruction into the free dispatch slot. group: the LDGSTS group that a copy joined
 * when it was issued. Returns false when no load record is free; the caller tries again. */
bool ldst_accept(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t inst,
		 unsigned warp, uint16_t group, const struct cta_trace *c, const struct winst *r);

/* Is the unit blocked by memory? The look-up at the head of the latency queue finds no free way,
 * miss register or queue entry, or an access that bypasses L1 waits for the network. */
bool ldst_is_blocked(const struct ldst_env *e);
/* Books the cycles before `now`; a blocked look-up failed in each of them. */
void ldst_settle(const struct ldst_env *e, cycle_t now);

/* The sectors that one reply to a request answers. */
static inline unsigned
ldst_sectors_answered(const struct ldst_env *e, const struct req *r)
{
	return e->whole ? sector_count(r->sectors) : 1;
}

/* For the core's instruction lines, which use the same network port: sends a request, counts a
 * reply that arrived. */
void ldst_send(const struct ldst_env *e, cycle_t now, uint32_t req);
void ldst_count_reply(const struct ldst_env *e, const struct req *r);

void ldst_invalidate_l1(const struct ldst_env *e);
/* Invalidates L1 at a fence and when a cluster becomes empty, if the options say so. */
void ldst_flush_l1(const struct ldst_env *e);

const struct ldst_stat *ldst_stat(const struct ldst_env *e);

/* A line of the L1 data cache. */
struct ldst_line {
	uint64_t addr;	/* meaningless unless used */
	uint32_t owner; /* owner_of() the CTA that loaded it */
	bool used;	/* some sector is there or on its way */
	bool pending;	/* no sector is there yet */
};
unsigned ldst_ways(const struct ldst_env *e); /* of the running kernel */
struct ldst_line ldst_line(const struct ldst_env *e, unsigned set, unsigned way);

/* The longest unbroken run of cycles with a failing look-up, up to `now` and since
 * ldst_forget_runs(). */
uint64_t ldst_stall_run(const struct ldst_env *e, cycle_t now);
void ldst_forget_runs(const struct ldst_env *e, cycle_t now);
/* The measurement, and a former one that continues as if nothing had been forgotten since. */
struct ldst_runs {
	uint64_t from, longest;
};
struct ldst_runs ldst_runs(const struct ldst_env *e);
void ldst_put_runs(const struct ldst_env *e, struct ldst_runs r);

#endif
