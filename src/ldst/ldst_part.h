/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ldst_part.h - private to src/ldst: the state of a load/store unit, and the coalescer.
 */
#ifndef LDST_PART_H
#define LDST_PART_H

#include "ldst/ldst.h"

#define LDST_MAX_ACCESSES 128 /* of one instruction: 32 lanes of 16 bytes each, as words */
#define LDST_LOADS 2048	      /* loads in flight per core */
#define LOAD_NONE 0xffffu
#define LOCAL_BASE 0x1f880000u /* the start of local memory */

/* One coalesced access: part of one line. */
struct access {
	uint64_t line;
	uint32_t bytes[LINE_SECTORS]; /* stores and atomics */
	uint8_t sectors, lanes;
	uint8_t pad[6];
};

/* Coalesces one warp instruction into accesses in ascending address order and returns their
 * number. lane[i] == 0: no access. The sizes are given in ctascope-model(7) 7.2. */
unsigned coalesce(const struct dinst *d, const uint64_t lane[WARP_SIZE], uint32_t mask,
		  uint32_t line, struct access *out);
/* The same directly from a record, without expanding the lanes if their addresses are regular.
 * */
unsigned coalesce_record(const struct dinst *d, const struct cta_trace *c, const struct winst *r,
			 uint32_t line, struct access *out);
/* The same for a local memory record of a hardware warp, with the layout of ctascope-model(7)
 * 7.10. */
unsigned coalesce_local(const struct dinst *d, const struct cta_trace *c, const struct winst *r,
			const struct local_map *m, unsigned warp, uint32_t line,
			struct access *out);
/* Cycles that shared memory needs: the highest number of distinct words in one bank, at least 1.
 * */
unsigned smem_conflicts(const struct cta_trace *c, const struct winst *r, unsigned banks);

struct load {
	uint64_t born;	/* core cycle in which it was accepted */
	uint64_t arith; /* arith_cycles() at that time */
	uint32_t inst;
	uint16_t left; /* accesses outstanding */
	uint16_t next; /* free list */
	uint8_t warp;
	uint8_t copies; /* it is an LDGSTS that joined a group of its warp */
	uint16_t group; /* that group */
	uint32_t age;	/* age of its warp, which may have ended since */
};

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
	uint8_t warp, sectors, pad;
	uint16_t set; /* of that cache */
	uint8_t pad2[2];
};
_Static_assert(sizeof(struct lq_entry) == 32, "two in a line of the host's cache");

struct smem_entry {
	uint64_t ready;
	uint32_t inst;
	uint8_t warp, lanes;
	uint8_t has_regs; /* it writes registers */
	uint8_t pad;
};

#define LQ_SIZE 64
#define MISSQ_SIZE 64

/* Events after which a failed look-up may succeed. */
enum ldst_event {
	LDST_SENT = 1,	 /* a request left the miss queue */
	LDST_TAKEN = 2,	 /* a load was taken from a miss register */
	LDST_FREED = 4,	 /* a miss register became free */
	LDST_FILLED = 8, /* a line of the set it looked up has arrived */
	LDST_FLUSHED = 16
};

/* The fields of most cycles come first and fill a line of the host's cache. Ring positions count
 * up; those of an empty miss queue restart at 0. */
struct ldst {
	_Alignas(64) uint64_t
		quiet_until; /* until then nothing moves unless a reply or an instruction arrives */
	uint32_t bypass;     /* token in the holding register, REQ_NONE: empty */
	uint16_t n_acc;	     /* accesses left in the slot; the next one is acc[n_acc - 1] */
	uint8_t what;	     /* content of the dispatch slot: enum ldst_what */
	uint8_t blocked_on; /* the enum ldst_event mask that the head of the latency queue waits for
			     */
	uint8_t happened;   /* events since the last look-up */
	uint8_t has_data;   /* caches with lines that have arrived, one bit each */
	uint8_t replied;    /* a reply is in the response buffer or arrives in this cycle */
	uint8_t wb_valid;   /* write-back register */
	uint8_t wb_warp, wb_arb, wb_smem;
	uint8_t wb_claimed;    /* registers whose bank it claimed in earlier cycles */
	uint8_t blocked_probe; /* result (enum probe) of a load's failed look-up */
	uint8_t lq_head, lq_n, sm_head, sm_n, mq_head, mq_n;
	uint8_t local;		       /* dispatch slot, like the next line */
	uint8_t warp, conflict, cache; /* enum l1_kind of its instruction */
	uint8_t atomic;
	uint32_t inst;
	uint16_t load;
	uint16_t free_load;
	uint16_t wb_load, blocked_set; /* of the cache */
	uint32_t blocked_index;
	uint32_t wb_inst; /* shared memory: its instruction */
	uint8_t is_store, lanes;
	uint8_t l1_used; /* by a load, or by a local store that hit, since the last invalidation */
	uint8_t pad;
	uint32_t kernel_age; /* age of the first warp of the running kernel */

	uint64_t fails_from;   /* first cycle of the failures that is not booked yet */
	uint64_t blocked_from; /* first cycle of the current run of failures */
	uint64_t longest_run;  /* of the runs that ended since ldst_forget_runs() */
	uint32_t missq[MISSQ_SIZE];
	_Alignas(64) struct ldst_stat st;
	_Alignas(64) struct lq_entry lq[LQ_SIZE];
	struct smem_entry smem[LQ_SIZE];
	struct access acc[LDST_MAX_ACCESSES];
	struct load loads[LDST_LOADS];
};
_Static_assert(offsetof(struct ldst, fails_from) == 64, "what most cycles touch fills a line");

/* Does a load belong to a kernel that has ended? This happens because a warp may exit before its
 * copies are written. The instructions of that kernel are gone, and the load has no registers to
 * write. Where kernels run together, the warp of such a load is forgotten or has another age. */
static inline bool
load_outlives(const struct ldst_env *e, const struct load *l)
{
	return unlikely(l->copies) &&
	       ((int32_t)(l->age - e->unit->kernel_age) < 0 || e->warp[l->warp].age != l->age);
}

#define SECTOR_LINES 1024 /* most lines of a sectored L1 */
#define SECTOR_SETS 64
#define SECTOR_BANKS 4
#define PLACE_NONE 0xffffu

/* A line of a sectored L1. Its place is set * ways + way. Places are linked by bucket, and
 * within a set by their last use. */
struct sector_line {
	uint64_t tag, used;	      /* line address; core cycle of the last use */
	uint32_t bytes[LINE_SECTORS]; /* written since it was allocated */
	uint32_t state;		      /* as cache_line.state */
	uint16_t flags;		      /* as cache_line.flags */
	uint16_t chain, older, newer;
};
_Static_assert(sizeof(struct sector_line) == 48, "no gaps: it is hashed");

/* Follows struct ldst when L1 is sectored: latency queues and lines. */
struct sector_l1 {
	_Alignas(64) uint8_t head[SECTOR_BANKS], n[SECTOR_BANKS]; /* of the queues */
	uint32_t n_dirty;					  /* lines with a modified sector */
	uint32_t pad;
	uint16_t oldest[SECTOR_SETS], newest[SECTOR_SETS];
	uint64_t valid[SECTOR_LINES / 64]; /* places with at least one sector that is not invalid */
	uint16_t bucket[SECTOR_LINES];
	struct lq_entry lq[SECTOR_BANKS][LQ_SIZE];
	struct sector_line line[SECTOR_LINES];
};

static inline struct sector_l1 *
ldst_sectors(const struct ldst_env *e)
{
	return (struct sector_l1 *)(e->unit + 1);
}

/* Prefetches for the look-up of an access in the next cycle. */
static inline void
ldst_prefetch_look_up(const struct ldst_env *e, const struct lq_entry *q)
{
	tags_prefetch(&e->tags[q->cache], q->set);
	if (!q->store)
		mshr_prefetch(&e->mshr[q->cache], q->line);
}

/* ---- L1 (l1.c) */

/* The owner of the line that a load or store of this warp brings is its CTA on this core. */
static inline uint32_t
ldst_owner(const struct ldst_env *e, unsigned warp)
{
	const struct warp *w = &e->warp[warp];

	return owner_of(w->slot, w->age - w->warp_in_cta);
}

/* The line `old` at this index, LINE_NONE: an unused one, is about to be replaced by one that this
 * warp brings. */
static inline void
ldst_note_owner(const struct ldst_env *e, uint32_t index, uint64_t old, uint64_t line,
		unsigned warp)
{
	struct line_owners *o = e->tags[L1_DATA].owners;
	uint32_t owner = ldst_owner(e, warp);

	if (unlikely(e->listener != NULL) && e->listener->brings)
		e->listener->brings(e->listener->ctx, e->core, warp, index, line, old);
	o->evicted_by_others +=
		old != LINE_NONE && o->of[index] != owner && owner_is_present(o, o->of[index]);
	o->of[index] = owner;
}

uint32_t ldst_new_request(const struct ldst_env *e, enum req_kind kind, uint64_t line,
			  unsigned sectors, unsigned warp);
/* Sends the head of the miss queue to the network. Returns false when there is no room. */
bool ldst_send_miss(const struct ldst_env *e, cycle_t now);
/* Looks up the head of the latency queue. Returns false when the look-up fails; it is tried
 * again. */
bool ldst_look_up(const struct ldst_env *e, const struct dinst *di, cycle_t now);

void ldst_count_load(const struct ldst_env *e, const struct lq_entry *q, bool miss, bool pending);
void ldst_missq_push(struct ldst *u, uint32_t req);

/* ---- sectored L1: its array (sectors.c), its queues and look-ups (banks.c) */

void sectors_init(struct sector_l1 *a);
/* sectors_probe() is tags_probe() with a place. sectors_use() then allocates (PROBE_MISS:
 * another line) or reserves (one more sector) that place. sectors_fill() delivers a sector to its
 * place, whatever line is there by then. */
enum probe sectors_probe(const struct ldst_env *e, uint64_t line, unsigned sector, bool write,
			 unsigned *place);
void sectors_use(const struct ldst_env *e, enum probe p, unsigned place, uint64_t line,
		 unsigned sector, unsigned warp, cycle_t now);
void sectors_write(const struct ldst_env *e, enum probe p, unsigned place, unsigned sector,
		   const uint32_t bytes[LINE_SECTORS]);
void sectors_fill(const struct ldst_env *e, unsigned place, unsigned sector);
void sectors_invalidate(struct sector_l1 *a);

/* Does one look-up in each bank whose head is due. Returns false when nothing moved. */
bool banks_look_up(const struct ldst_env *e, const struct dinst *di, cycle_t now);
/* Places accesses of the slot in order, at most one per bank. */
bool banks_place(const struct ldst_env *e, cycle_t now);
cycle_t banks_due(const struct ldst_env *e,
		  cycle_t now); /* the next cycle after `now` in which something moves by itself */

/* ---- results (write_back.c) */

/* One access of a load has its data; the last one releases the registers. */
void ldst_access_done(const struct ldst_env *e, const struct dinst *di, cycle_t now, unsigned load);
/* Writes the result in the write-back register to its banks, or keeps it when a bank is taken.
 * banks: the banks written in this cycle; the result adds its own. */
void ldst_write_back(const struct ldst_env *e, const struct dinst *di, cycle_t now,
		     uint32_t *banks);
/* Moves the next result into the write-back register, which must be free. Returns false when
 * there is none. */
bool ldst_choose_result(const struct ldst_env *e, cycle_t now);

#endif
