/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst.h - the load/store unit of a core: coalescer, shared memory, L1 data cache.
 *
 *   dispatch slot -> access per cycle -> latency queue -> L1 look-up -> miss queue -> interconnect
 *                 \-> shared memory pipe --------------\      |
 *   replies -> response buffer -> L1 fill / bypass -> write-back register -> scoreboard
 *
 * timing facts 7 gives every rule. Loads from constant and texture space take the same way
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

#define LDST_MAX_ACCESSES 128 /* of one instruction: 32 lanes, 16 bytes each, in words */
#define LDST_LOADS 2048	      /* loads in flight per core */
#define LOAD_NONE 0xffffu

/* One coalesced access: part of one line. */
struct access {
	uint64_t line;
	uint32_t bytes[LINE_SECTORS]; /* stores and atomics */
	uint8_t sectors, lanes;
	uint8_t pad[6];
};

/* Coalesces one warp instruction into accesses in ascending address order; returns how many.
 * lane[i] == 0: no access. Sizes: timing facts 7.2. */
unsigned coalesce(const struct dinst *d, const uint64_t lane[WARP_SIZE], uint32_t mask,
		  uint32_t line, struct access *out);
/* The same straight from a record, without expanding lanes where its addresses are regular. */
unsigned coalesce_record(const struct dinst *d, const struct cta_trace *c, const struct winst *r,
			 uint32_t line, struct access *out);
/* Cycles the shared memory needs: most distinct words any bank is asked for, at least 1. */
unsigned smem_conflicts(const struct cta_trace *c, const struct winst *r, unsigned banks);

struct load {
	uint64_t born; /* core cycle it was picked up */
	uint32_t inst;
	uint16_t left; /* accesses outstanding */
	uint16_t next; /* free list */
	uint8_t warp, group;
	uint8_t pad[6];
};

/* The caches of a core that data goes through; constant and texture are read only. */
enum l1_kind { L1_DATA, L1_TEX, L1_CONST, L1_KINDS };

enum ldst_what {
	LDST_IDLE,
	LDST_LOAD,
	LDST_STORE,
	LDST_BYPASS,
	LDST_SMEM_LOAD,
	LDST_SMEM_STORE,
	LDST_FENCE
};

struct lq_entry { /* an access on its way to the L1 look-up */
	uint64_t ready;
	uint64_t line;
	uint32_t req;  /* stores */
	uint16_t load; /* loads */
	uint8_t store, local;
	uint8_t cache; /* enum l1_kind */
	uint8_t warp, sectors;
	uint8_t pad[6];
};

struct smem_entry {
	uint64_t ready;
	uint32_t inst;
	uint8_t warp, lanes;
	uint8_t pad[2];
};

#define LQ_SIZE 64
#define MISSQ_SIZE 64

struct ldst_stat {
	uint64_t l1_pending, l1_fails;	 /* data cache */
	uint64_t ro_accesses, ro_misses; /* constant and texture */
	uint64_t mem_insts, smem_insts, smem_conflict_cycles;
	uint64_t loads_done, load_cycles;	 /* AMAT = load_cycles / loads_done */
	uint64_t round_trips, round_trip_cycles; /* lat_rt */
	uint64_t sent, replies;			 /* sectors asked for, sectors answered */
	uint64_t stores_sent, acks;
	uint64_t write_backs;
#define COUNTER(name, ...) uint64_t name;
#include "ldst/counters.def"
};

struct ldst {
	/* dispatch slot */
	uint8_t what;
	uint8_t warp, conflict, local;
	uint8_t cache; /* enum l1_kind of the instruction in the slot */
	uint16_t load;
	uint16_t n_acc; /* accesses left; the next one is acc[n_acc - 1] */
	uint32_t inst;
	uint8_t atomic, is_store, lanes;
	uint8_t wb_valid; /* write-back register */
	uint8_t wb_warp, wb_arb;
	uint16_t wb_load;
	uint32_t wb_inst; /* shared memory: its instruction */
	uint8_t wb_smem;
	uint8_t lq_blocked;  /* head of the latency queue failed in the last tick */
	uint32_t l1_version; /* counts what could let it pass: fills, drained misses and entries */
	uint32_t blocked_version; /* at the failure */
	uint64_t blocked_from;	  /* first cycle of the present run of failures */
	uint64_t longest_run;	  /* of those that ended since they were forgotten */
	uint16_t free_load;
	uint32_t bypass; /* token in the holding register, REQ_NONE: empty */
	uint32_t lq_head, lq_n;
	uint32_t sm_head, sm_n;
	uint32_t mq_head, mq_n;
	uint32_t missq[MISSQ_SIZE];
	struct ldst_stat st;
	struct lq_entry lq[LQ_SIZE];
	struct smem_entry smem[LQ_SIZE];
	struct access acc[LDST_MAX_ACCESSES];
	struct load loads[LDST_LOADS];
};

/* Everything around one unit; built once per core, constant. */
struct ldst_env {
	const struct ldst_cfg *cfg;
	const struct addrmap *map;
	struct ldst *u;
	struct tags *tags[L1_KINDS];
	struct mshr *mshr[L1_KINDS];
	uint32_t miss_queue;	/* L1 miss queue entries */
	struct fifo *resp;	/* replies for this core */
	const struct port *out; /* the cluster's input of the network */
	struct req_pool *pool;
	struct req *req;
	struct warp_table *warps;
	uint16_t core;
	uint16_t reg_banks;
};

void ldst_init(struct ldst *u);

/* Lines have come back whose loads wait to be written back. */
static inline bool
ldst_has_data(const struct ldst_env *e)
{
	return mshr_has_ready(e->mshr[L1_DATA]) || mshr_has_ready(e->mshr[L1_TEX]) ||
	       mshr_has_ready(e->mshr[L1_CONST]);
}

/* One core cycle. banks: register banks written this cycle, added to. next: lowered to the cycle
 * something falls due. Returns true when the unit did something or may do something next cycle. */
bool ldst_tick(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t *banks,
	       cycle_t *next);

/* Takes an instruction into the (free) dispatch slot. False: no load record is left, try again. */
bool ldst_accept(const struct ldst_env *e, const struct dinst *di, cycle_t now, uint32_t inst,
		 unsigned warp, const struct cta_trace *c, const struct winst *r);

void ldst_invalidate_l1(const struct ldst_env *e);

/* Longest unbroken run of cycles in which the look-up failed, up to `now`, since forgotten. */
uint64_t ldst_stall_run(const struct ldst_env *e, cycle_t now);
void ldst_forget_runs(const struct ldst_env *e, cycle_t now);

#endif
