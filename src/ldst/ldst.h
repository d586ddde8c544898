/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst.h - the load/store unit of a core: coalescer, shared memory, L1 data cache.
 *
 *   dispatch slot -> access per cycle -> latency queue -> L1 look-up -> miss queue -> interconnect
 *                 \-> shared memory pipe --------------\      |
 *   replies -> response buffer -> L1 fill / bypass -> write-back register -> scoreboard
 *
 * ctascope-model(7) 7 gives every rule. Loads from constant and texture space take the same way
 * through caches of their own; captured traces have no addresses for them (LDC is an arithmetic
 * instruction there), recorded ones may. The caches hold no data: the trace has no values.
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

/* The caches of a core that data goes through; constant and texture are read only. */
enum l1_kind { L1_DATA, L1_TEX, L1_CONST, L1_KINDS };

struct ldst; /* the state of one: ldst_bytes() of the arena */

struct ldst_stat {
	/* a line of the host's cache with what is counted of a load on its way out and when it is
	 * done, one with what is counted when its line comes */
#define COUNTER(name, ...) uint64_t name;
#include "ldst/counters.def"
	uint64_t l1_pending, l1_fails; /* data cache */
	uint64_t mem_insts;
	uint64_t sent;			  /* sectors asked for */
	uint64_t loads_done, load_cycles; /* AMAT = load_cycles / loads_done */

	uint64_t replies;			 /* sectors answered */
	uint64_t round_trips, round_trip_cycles; /* lat_rt */
	uint64_t stores_sent, acks;
	uint64_t write_backs;
	uint64_t ro_accesses, ro_misses; /* constant and texture */
	uint64_t smem_insts, smem_conflict_cycles;
};
_Static_assert(offsetof(struct ldst_stat, replies) == 64, "the two lines");

/* How local memory is laid out for the running kernel (ctascope-model(7) 7.10); cta_threads 0: the
 * addresses are those of the trace. */
struct local_map {
	uint64_t step;	      /* bytes from a word of a thread to its next one */
	uint32_t cta_threads; /* of a CTA, whole warps */
	uint16_t core, n_cores;
};

struct inst_profile;

/* Everything around one unit; built once per core, constant but for `local`. The core lends it its
 * warps. Two lines of the host's cache: what every access needs in the first. */
struct ldst_env {
	_Alignas(64) struct ldst *unit;
	const struct ldst_cfg *cfg;
	struct tags *tags;	/* [L1_KINDS] */
	struct mshr *mshr;	/* [L1_KINDS] */
	struct fifo *resp;	/* replies for this core */
	const struct port *out; /* the cluster's input of the network */
	struct warp *warp;	/* [MAX_WARPS] */
	uint64_t *changed;	/* warps that the issue stage is to look at again */
	struct req_pool *pool;
	struct req *req;
	const struct addrmap *map;
	struct inst_profile *profile; /* of the running kernel; NULL: nobody counts */
	struct local_map local;
	uint32_t miss_queue; /* L1 miss queue entries */
	uint16_t core;
	uint16_t reg_banks; /* of a sub-core, where there are some */
	uint16_t ways;	    /* sectored L1: of the running kernel */
	uint8_t sub_last;   /* sub-cores but one */
	bool sectored;
};
_Static_assert(sizeof(struct ldst_env) == 128, "two lines of the host's cache");

size_t ldst_bytes(const struct ldst_cfg *k);
void ldst_init(const struct ldst_env *e); /* zeroed memory */
/* A kernel begins, or a run that was put back goes on in one: CTAs of so many threads, up to n_max
 * of them on each of n_cores cores. */
void ldst_set_kernel(struct ldst_env *e, uint32_t cta_threads, uint32_t n_max, uint32_t n_cores);
/* The same of a sectored L1: it has as many ways as fit beside this many bytes of shared memory. */
void ldst_set_ways(struct ldst_env *e, uint64_t shared);

/* A kernel begins, whose first warp will be of this age. */
void ldst_begin_kernel(const struct ldst_env *e, uint32_t age);

/* One core cycle. banks: register banks written this cycle, added to. next: lowered to the cycle
 * something falls due. Returns true when the unit did something or may do something next cycle. */
bool ldst_tick(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t *banks,
	       cycle_t *next);

/* A sector of a line, at the start of cycle `now`, taken without a tick where one would do nothing
 * else: what is still missing of the line is counted down, and the last sector fills it when no
 * look-up waits for that. */
enum ldst_reply {
	LDST_NOT_TAKEN,
	LDST_COUNTED,	/* nothing comes of it */
	LDST_FILLS_LINE /* there is something to do in the next cycle */
};
enum ldst_reply ldst_take_sector(const struct ldst_env *e, cycle_t now, uint32_t token);
/* One that is not taken, whatever it is: it goes into the response buffer in this cycle. */
enum ldst_reply ldst_leave_reply(const struct ldst_env *e);

/* Before this cycle a tick would change nothing: CYCLE_NEVER when the unit is empty. It changes in
 * ticks, and when a reply comes, an instruction is taken or L1 is emptied. */
cycle_t ldst_due(const struct ldst_env *e);
bool ldst_is_free(const struct ldst_env *e); /* the dispatch slot takes an instruction */
/* For what is better fetched a cycle before it is used: the warp that may have a register written
 * in the next cycle, MAX_WARPS: none; may the slot come free in it? */
unsigned ldst_next_release(const struct ldst_env *e);
bool ldst_nearly_free(const struct ldst_env *e);
/* Takes an instruction into the (free) dispatch slot; group: the one that a copy joined when it was
 * issued. False: no load record is left, try again. */
bool ldst_accept(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t inst,
		 unsigned warp, uint16_t group, const struct cta_trace *c, const struct winst *r);

/* Memory blocks it: the look-up at the head of the latency queue cannot pass, as no way, miss
 * register or queue entry is free, or an access past L1 waits for the network. */
bool ldst_is_blocked(const struct ldst_env *e);
/* Books the cycles before `now`: a blocked look-up failed in each. */
void ldst_settle(const struct ldst_env *e, cycle_t now);

/* The core's instruction lines take the same way: a request goes out, a sector has come. */
void ldst_send(const struct ldst_env *e, cycle_t now, uint32_t req);
void ldst_count_reply(const struct ldst_env *e);

void ldst_invalidate_l1(const struct ldst_env *e);
/* The same as a fence and an empty cluster do it, if they do. */
void ldst_flush_l1(const struct ldst_env *e);

const struct ldst_stat *ldst_stat(const struct ldst_env *e);

/* Longest unbroken run of cycles in which the look-up failed, up to `now`, since forgotten. */
uint64_t ldst_stall_run(const struct ldst_env *e, cycle_t now);
void ldst_forget_runs(const struct ldst_env *e, cycle_t now);

#endif
