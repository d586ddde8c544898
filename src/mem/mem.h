/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.h - memory partitions: L2 slices and the DRAM channels behind them.
 *
 *   network -> ROP delay -> L2 queue -> look-up -> network        (a hit, or a write: at once)
 *                                          \-> miss queue -> to DRAM -> latency line -> scheduler
 *                                   fill <- from DRAM <- return queue <- data pipe <-/
 *
 * ctascope-model(7) 9 to 11. Left out: refresh, power-down, ECC.
 */
#ifndef MEM_H
#define MEM_H

#include "base/fifo.h"
#include "base/ring.h"
#include "cache/cache.h"
#include "ctascope/addrmap.h"
#include "ctascope/decl.h"
#include "ctascope/req.h"
#include "ctascope/sim.h"

#define OPT DECL_FIELD
#define OPT_ENUM DECL_FIELD_ENUM
struct mem_cfg {
#include "mem/mem.def"
};
extern const struct opt_row mem_opts[];
extern const unsigned mem_n_opts;

/* What a slice passes to its channel: the number of an L2 MSHR entry (a read) or a write-back
 * request. */
#define HANDLE_WRITE 0x80000000u

#define MEM_CREDITS 1024u /* at most, that the slices of a channel share */

struct slice_stat {
	uint64_t writes, write_backs;
#define COUNTER(name, ...) uint64_t name;
#include "mem/l2_counters.def"
};

/* The state of a slice. A visit first reads one line of the host's cache; what a look-up counts
 * is on the next. */
struct slice {
	cycle_t rop_due; /* core cycle in which the head may leave; CYCLE_NEVER: no head */
	struct ring in, miss, from_dram, to_dram, reply;
	uint32_t rop_head, rop_tail; /* requests, linked by next */
	uint32_t last; /* index of the last line looked up; the next sector is usually in the same
			  line */
	uint8_t rop_sectors; /* sectors of the head that have not moved on */
	uint8_t ready;	     /* a miss register has its data */
	uint16_t port_busy;  /* L2 cycles */
	uint64_t lru_offset; /* warm-up advances the slice's clock */
	struct slice_stat st;
};
static_assert(offsetof(struct slice, lru_offset) == 64 && sizeof(struct slice) <= 128,
	      "what a visit reads first and what a look-up counts fill one line each");

/* Constant wiring. The first line holds what most visits follow. */
struct slice_env {
	_Alignas(64) struct slice *slice;		   /* slice_bytes() of the arena */
	uint32_t *in, *miss, *from_dram, *to_dram, *reply; /* the storage of the rings */
	struct req *req;
	struct tags *tags;
	struct mshr *mshr;
	uint64_t *reply_mask; /* bit `id`: this slice has replies for the network */
	/* An entry in to_dram sets bit `channel` here, and asks_bit in the channel's `asks`.
	 * channel_init() sets the latter two. */
	uint64_t *channel_awake;
	uint8_t *asks;
	uint8_t id, channel;
	uint8_t asks_bit;
	bool whole;	     /* a request is answered as a whole, after its last sector */
	struct port request; /* from the network */
	const struct mem_cfg *cfg;
	const struct addrmap *map;
	struct req_pool *pool;	    /* of what it writes back */
	struct req_pool *core_pool; /* [CORE_POOLS], of what the cores write back */
	const uint16_t *pool_from;  /* [CORE_POOLS] */
	/* Called with such a request that is done; NULL: it returns to its pool. */
	void (*give_back)(void *ctx, uint32_t request);
	void *give_back_ctx;
};

size_t slice_bytes(const struct mem_cfg *k, uint32_t miss_queue);
void slice_init(struct slice_env *e, uint32_t miss_queue); /* e->s is zeroed memory */

/* Runs one L2 cycle; the previous one was in core cycle `before`. asks: the network's buffer
 * holds a request. Returns the core cycle of the next visit: `now` or earlier when the slice may do
 * something in the next L2 cycle; otherwise the cycle in which the ROP delay releases something, to
 * be handled in the L2 cycle after the first one from then on; CYCLE_NEVER when something must come
 * from outside (a fill, or room in a queue that was full). The slice also needs a visit when there
 * is a request and slice_has_room(). */
cycle_t slice_tick(const struct slice_env *e, cycle_t now, cycle_t before, bool asks);
/* The same in parts, where the network runs on another thread: a cycle in which the slice takes no
 * request, and *room says whether it could; taking one from the network, which touches no state of
 * the slice; and passing that on to the slice, at the latest before the first cycle whose `before`
 * is the core cycle in which it is due (struct req). Returns whether the ROP delay was empty, so
 * that the slice must be visited when it is due. */
cycle_t slice_tick_alone(const struct slice_env *e, cycle_t now, cycle_t before, bool *room);
uint32_t slice_take_request(const struct slice_env *e, cycle_t now);
bool slice_enter_request(const struct slice_env *e, uint32_t request);
/* Can it take the next request from the network? Only its own cycles change this. */
static inline bool
slice_has_room(const struct slice_env *e)
{
	return e->slice->in.n + LINE_SECTORS <= e->slice->in.cap;
}
/* Queues a handle for DRAM; the queue must have room. */
static inline void
slice_push_to_dram(const struct slice_env *e, uint32_t handle)
{
	ring_push(&e->slice->to_dram, e->to_dram, handle);
	*e->channel_awake |= UINT64_C(1) << e->channel;
	*e->asks |= e->asks_bit;
}

/* Takes the next reply for the network; there must be one. */
static inline uint32_t
slice_pop_reply(const struct slice_env *e)
{
	uint32_t token = ring_pop(&e->slice->reply, e->reply);

	*e->reply_mask &= ~((uint64_t)!e->slice->reply.n << e->id);
	return token;
}

/* Reserves a sector for a fetch that no core has asked for. Returns the MSHR entry that the data
 * comes for; MSHR_NONE: the sector is in L2 or on its way, or the slice has no room. */
unsigned slice_reserve(const struct slice_env *e, uint64_t line, unsigned sector, cycle_t now);
/* Makes a sector valid at no cost (MemcpyHtoD). */
void slice_warm(const struct slice_env *e, uint64_t addr, cycle_t now);
/* Accounts for sectors whose lines later sectors will displace: only the clock of the slice
 * advances. */
void slice_warm_past(const struct slice_env *e, uint64_t sectors);

const struct slice_stat *slice_stat(const struct slice_env *e);
bool slice_has_requests(const struct slice_env *e); /* not yet looked up */
/* Sectors in the L2 queue, given that the last L2 cycle was in core cycle `before`. */
unsigned slice_waiting(const struct slice_env *e, cycle_t before);

/* ---------------------------------------------------------------- DRAM */

struct dram_stat {
	uint64_t pending; /* command cycles with requests in the channel */
#define COUNTER(name, ...) uint64_t name;
#include "mem/dram_counters.def"
};

struct channel; /* the state of one: channel_bytes() of the arena */
struct dram_sched_ops;

/* What must pass between two commands: the rows of dram_timing.def, the same for all channels. */
enum dram_cmd { DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE, DRAM_CMDS };
enum dram_where { DRAM_BANK, DRAM_GROUP, DRAM_CHANNEL, DRAM_PLACES }; /* both go to the same one */

/* The command `after` may come `cycles` behind the nth last of another. */
struct dram_rule {
	uint16_t cycles;
	uint8_t after;
	uint8_t nth; /* 1: the last */
};

#define DRAM_RULES 8

/* By the command before: what counts from its last one, by place, and what from one before that. */
struct dram_timing {
	struct dram_rules {
		uint8_t n[DRAM_PLACES], n_past;
		struct dram_rule rule[DRAM_PLACES][DRAM_CMDS];
		struct dram_rule past[DRAM_RULES]; /* on the channel */
	} of[DRAM_CMDS];
	bool grouped; /* there is some of a group of banks */
};

void dram_timing_init(struct dram_timing *t, const struct mem_cfg *k); /* for these options */

/* Constant wiring. */
struct channel_env {
	_Alignas(64) struct channel *c;
	struct slice_env *slice; /* the first slice of this channel; they lie side by side */
	uint64_t *slice_awake;
	uint64_t slice_bit; /* of the first one */
	const struct mem_cfg *cfg;
	struct dram_timing *timing;
	const struct addrmap *map;

	/* set by channel_init() */
	const struct dram_sched_ops *sched;
	uint32_t credits;   /* shared among slices */
	uint16_t queues[2]; /* requests that may wait: of DRAM_READS, DRAM_WRITES */
	uint16_t return_queue;
	bool split;	    /* writes have a queue of their own */
	uint8_t full;	    /* c->full when no request can come */
	uint32_t bank_rows; /* numbers of the bank bits that share a bank: rows apart */
	uint32_t bank_xor;  /* bits of the row that are exclusive-ored into the bank */
	uint8_t columns[LINE_SECTORS + 1]; /* commands that move so many sectors */
};

size_t channel_bytes(void);
void channel_init(struct channel_env *e); /* e->c is zeroed memory */
/* One DRAM command cycle, number x; the one before was in core cycle `before`. Returns the DRAM
 * cycle it next wants (x + 1 when busy); if the core cycle *core_due is still to come, it wants the
 * DRAM cycle behind the first one from then on as well. */
uint64_t channel_tick(struct channel_env *e, uint64_t x, cycle_t now, cycle_t before,
		      cycle_t *core_due);
void channel_settle(struct channel_env *e, uint64_t x); /* books cycles before x */

const struct dram_stat *channel_stat(const struct channel_env *e);
uint64_t channel_served(const struct channel_env *e, unsigned core); /* reads of that core */
unsigned channel_waiting(const struct channel_env *e);		     /* requests in the scheduler */
unsigned channel_inside(const struct channel_env *e);		     /* from acceptance to return */
void channel_look(const struct channel_env *e, struct mem_view *v);

#endif
