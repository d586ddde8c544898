/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem_part.h - private to src/mem: the state of a DRAM channel, and the functions that its files
 * share: dram.c, its timing (dram_timing.c) and its schedulers (frfcfs.c, fcfs.c).
 */
#ifndef MEM_PART_H
#define MEM_PART_H

#include "mem/mem.h"

#define DRAM_BANKS 64
#define DRAM_GROUPS 16
#define DRAM_PAST 4		      /* commands of each kind that are remembered */
#define DRAM_INSIDE (MEM_CREDITS + 2) /* most credits, with those of two slices */
#define DRAM_NONE 0xffffu

/* A request is in one place at a time: the latency line, its bank's queue, its bank (which serves
 * it), the data pipe, or the list of returns. */
struct dram_req {
	uint32_t handle;
	uint32_t row;
	uint32_t
		due; /* low bits: core cycle the latency is over, then pipe time of the last data */
	uint16_t next; /* in its list */
	unsigned bank : 6;
	unsigned slice : 2;   /* of the channel */
	unsigned columns : 8; /* column commands that it still needs */
};
static_assert(sizeof(struct dram_req) == 16, "four to a host line");

struct dram_list {
	uint16_t head, tail; /* oldest first; head DRAM_NONE: empty */
};

/* Where requests wait for their banks. Without a write queue all are in the first. */
enum dram_queue { DRAM_READS, DRAM_WRITES };

/* A bank: one line of the host's cache, which every command reads. */
struct dram_bank {
	uint64_t at[DRAM_CMDS]; /* DRAM cycle from which the bank permits each command */
	uint32_t row;		/* the row that is open, or was opened last */
	uint16_t cur;		/* request being served, DRAM_NONE */
	uint16_t n;		/* waiting requests */
	struct dram_list queue; /* frfcfs: the waiting requests; with a write queue the reads */
	uint8_t open;
	uint8_t need; /* enum dram_cmd: the command that the current request needs next */
	struct dram_list writes; /* write_queue.c: the waiting writes, and by queue the row that */
	uint32_t kept_row[2];	 /* the bank stays with */
	uint8_t keeps[2];
	uint8_t prefetched; /* further lines of the open row have been fetched */
	uint8_t pad;
};
static_assert(sizeof(struct dram_bank) == 64, "a bank is a host line");

/* The first line of the host's cache has what a visit reads to find whether there is work. */
struct channel {
	uint64_t row_at;     /* no row command is legal before this DRAM cycle; CYCLE_NEVER: none */
	uint64_t column_at;  /* the same for column commands */
	uint64_t out_at;     /* cycle in which the pipe's next data leaves; for a read the cycle
				after it; CYCLE_NEVER: the pipe is empty */
	cycle_t late_due;    /* core cycle in which the first request may leave the latency line */
	uint64_t queued;     /* banks for which the scheduler has a request */
	uint64_t serving;    /* banks with a current request */
	uint16_t in_channel; /* requests from acceptance to return */
	uint16_t n_returns;  /* requests that wait for room in their slice */
	uint16_t free;	     /* first free dram_req */
	uint8_t prio, last_slice;
	uint8_t asks;		 /* slices with requests for this channel */
	uint8_t uses_own_credit; /* slices that use their own credit */
	uint8_t out_read;	 /* the pipe's next data, or its last, belongs to a read */
	uint8_t full;		 /* by enum dram_queue, a bit: no more requests may wait there */
	uint8_t late_for;	 /* the queue that the first of the latency line goes to */
	uint8_t pad[3];

	uint64_t slip;		/* cycles in which the data pipe was stalled */
	uint64_t last_out;	/* pipe time (DRAM cycle less slip) of the newest data */
	uint64_t columns;	/* serving banks whose row is open: they need a column command, the
				   others a row command */
	uint64_t at[DRAM_CMDS]; /* DRAM cycle from which the channel permits each command */
	struct dram_list late, out;

	struct dram_list returns;
	struct dram_list arrivals; /* fcfs: the waiting requests of all banks */
	uint16_t waiting[2];	   /* requests in bank queues, by enum dram_queue */
	uint8_t draining;	   /* write_queue.c: it serves the queue of writes */
	uint64_t queued_in[2];	   /* write_queue.c: banks that have requests in each queue */
	uint64_t pending_from;	   /* first cycle not yet counted in st.pending */
	struct dram_stat st;
	uint64_t group_at[DRAM_GROUPS][DRAM_CMDS];
	uint64_t given[DRAM_CMDS][DRAM_PAST]; /* cycles of the last commands of each kind, a ring */
	uint32_t n_given[DRAM_CMDS];
	_Alignas(64) struct dram_bank bank[DRAM_BANKS];
	struct dram_req r[DRAM_INSIDE];
	uint64_t served[MAX_CORES]; /* reads, by the core that asked first */
	uint8_t last_core;	    /* of the last of them; MAX_CORES: none yet */
};
static_assert(offsetof(struct channel, slip) == 64 && offsetof(struct channel, returns) == 128,
	      "what a visit asks, what a command needs: a host line each");

/* ---- distances between commands (dram_timing.c) */

/* Adds a distance; of two between the same commands and places the longer one holds. */
void dram_timing_add(struct dram_timing *t, const struct mem_cfg *k, enum dram_cmd before,
		     enum dram_cmd after, enum dram_where where, unsigned nth, uint32_t cycles);
/* Applies the distances that count from earlier commands than the last. */
void dram_record_past(struct channel_env *e, enum dram_cmd cmd, uint64_t x);

static inline uint64_t *
dram_group(const struct channel_env *e, unsigned bank)
{
	return e->c->group_at[bank & (e->cfg->bank_groups - 1)];
}

/* The cycle from which the command that the bank's current request needs is legal. */
static inline uint64_t
dram_legal_at(const struct channel_env *e, unsigned bank)
{
	const struct dram_bank *b = &e->c->bank[bank];
	uint64_t at = MAX(b->at[b->need], e->c->at[b->need]);

	if (e->timing->grouped)
		at = MAX(at, dram_group(e, bank)[b->need]);
	return at;
}

static inline void
dram_delay_until(uint64_t at[DRAM_CMDS], uint64_t x, const struct dram_rules *t, enum dram_where w)
{
	const struct dram_rule *r = t->rule[w], *end = r + t->n[w];

	for (; r < end; r++)
		at[r->after] = MAX(at[r->after], x + r->cycles);
}

/* Records that a command was issued in cycle x: later ones are legal only after their distances. */
static inline void
dram_record_command(struct channel_env *e, unsigned bank, enum dram_cmd cmd, uint64_t x)
{
	const struct dram_rules *t = &e->timing->of[cmd];

	dram_delay_until(e->c->bank[bank].at, x, t, DRAM_BANK);
	dram_delay_until(e->c->at, x, t, DRAM_CHANNEL);
	if (e->timing->grouped)
		dram_delay_until(dram_group(e, bank), x, t, DRAM_GROUP);
	if (unlikely(t->n_past))
		dram_record_past(e, cmd, x);
}

/* ---- lists of requests */

/* The queue in which a request waits for its bank. */
static inline unsigned
dram_queue_of(const struct channel_env *e, uint32_t handle)
{
	return handle / HANDLE_WRITE & e->split;
}

static inline void
dram_append(struct channel *c, struct dram_list *l, unsigned id)
{
	c->r[id].next = DRAM_NONE;
	if (l->head == DRAM_NONE)
		l->head = (uint16_t)id;
	else
		c->r[l->tail].next = (uint16_t)id;
	l->tail = (uint16_t)id;
}

static inline unsigned
dram_take_first(struct channel *c, struct dram_list *l)
{
	unsigned id = l->head;

	l->head = c->r[id].next;
	return id;
}

/* A request that takes a credit enters the channel: the credit of its slice, or a shared one. */
static inline void
dram_borrow_credit(struct channel *c, unsigned slice, uint64_t x)
{
	if (!c->in_channel)
		c->pending_from = x;
	c->uses_own_credit |= (uint8_t)(1u << slice);
	c->in_channel++;
}

/* The number of requests in a queue has changed by n. */
static inline void
dram_count_waiting(const struct channel_env *e, unsigned queue, int n)
{
	struct channel *c = e->c;

	c->waiting[queue] = (uint16_t)(c->waiting[queue] + n);
	c->full &= (uint8_t) ~(1u << queue);
	c->full |= (uint8_t)((unsigned)(c->waiting[queue] >= e->queues[queue]) << queue);
}

static inline bool
dram_has_row(const struct channel *c, const struct dram_list *l, uint32_t row)
{
	for (unsigned id = l->head; id != DRAM_NONE; id = c->r[id].next)
		if (c->r[id].row == row)
			return true;
	return false;
}

/* Adds the further lines of an open row, if no request for it waits, behind read r, whose last
 * command was given (row_prefetch.c). */
void dram_prefetch_row(struct channel_env *e, const struct dram_req *r, uint64_t x, cycle_t now);

/* ---- schedulers: choose the request that is served next */

/* The first of some banks from the priority pointer on. */
static inline unsigned
dram_first_bank(const struct channel *c, uint64_t banks)
{
	uint64_t on = banks & ~UINT64_C(0) << c->prio;

	return (unsigned)__builtin_ctzll(on ? on : banks);
}

/* A scheduler keeps the waiting requests, and the mask c->queued of the banks for which it has one;
 * the channel counts the requests. The channel calls it once per request, not once per cycle, so
 * calls through this table take no measurable time.
 *
 * To add one: a file src/mem/NAME.c with const struct dram_sched_ops dram_NAME, a line in
 * src/mem/module.am, its name in the list of src/mem/mem.c, and its exact rule in
 * man/ctascope-model.7.in, 11.4. It is then a value of mem.dram_sched. fcfs.c is the smallest. */
struct dram_sched_ops {
	void (*add)(const struct channel_env *e, unsigned id); /* a request left the latency line */
	/* Takes out a request for one of `banks`, which are some of c->queued and serve none.
	 * DRAM_NONE: there is none after all; then it has changed c->queued. */
	unsigned (*take)(const struct channel_env *e, uint64_t banks);
};
/* Hands a request to the scheduler. */
static inline void
dram_wait_for_bank(const struct channel_env *e, unsigned id)
{
	e->c->bank[e->c->r[id].bank].n++;
	dram_count_waiting(e, dram_queue_of(e, e->c->r[id].handle), 1);
	e->sched->add(e, id);
}

extern const struct dram_sched_ops *const dram_scheds[]; /* by the option mem.dram_sched */
extern const struct dram_sched_ops dram_write_queue;	 /* frfcfs with mem.write_queue */

#endif
