/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem_part.h - private to src/mem: what is in an L2 slice and in a DRAM channel, and what the files
 * of the channel use of each other: its timing (dram_timing.c) and its scheduler (frfcfs.c).
 */
#ifndef MEM_PART_H
#define MEM_PART_H

#include "mem/mem.h"

/* ---------------------------------------------------------------- DRAM */

#define DRAM_BANKS 64
#define DRAM_GROUPS 16
#define DRAM_PAST 4 /* commands of a kind remembered */

/* Timers: of every bank, of every group of banks and of the channel, one per command. */
#define DRAM_AT_BANK 0
#define DRAM_AT_GROUP (DRAM_BANKS * DRAM_CMDS)
#define DRAM_AT_CHANNEL (DRAM_AT_GROUP + DRAM_GROUPS * DRAM_CMDS)
#define DRAM_TIMER(of, i) ((of) + (i)*DRAM_CMDS) /* the first one of the i-th */
#define DRAM_TIMERS (DRAM_AT_CHANNEL + DRAM_CMDS)
#define DRAM_QUEUE 1024

struct dram_req {
	uint32_t handle;
	uint32_t row;
	uint16_t next; /* in the bank's queue */
	uint8_t slice; /* of the channel */
	uint8_t bank;
	uint16_t bytes; /* still to be commanded */
	uint8_t write, pad;
};

struct dram_bank {
	uint32_t row;	     /* open, or opened last */
	uint16_t cur;	     /* request being served, DRAM_NONE */
	uint16_t head, tail; /* waiting, oldest first */
	uint16_t n;
	uint8_t open;
	uint8_t need;	/* enum dram_cmd, of the current request */
	uint16_t group; /* first timer of its group */
};
#define DRAM_NONE 0xffffu

struct dram_late {    /* waits for the fixed latency */
	uint64_t due; /* core cycle */
	uint32_t handle;
	uint32_t slice;
};

struct dram_out {    /* a request whose last data is on its way */
	uint64_t at; /* DRAM cycle, shifted by `slip` */
	uint32_t id; /* dram_req */
	uint32_t pad;
};

struct channel {
	uint64_t at[DRAM_TIMERS];	      /* DRAM cycle from which each permits its command */
	uint64_t given[DRAM_CMDS][DRAM_PAST]; /* cycles of the last ones of each, a ring */
	uint32_t n_given[DRAM_CMDS];
	uint64_t slip;	       /* cycles the data pipe stood still */
	uint64_t last_out;     /* pipe time of the newest data */
	uint64_t pending_from; /* first cycle not yet booked in st.pending */
	uint64_t cmd_at;       /* no command is legal before this DRAM cycle */
	uint64_t queued;       /* banks with waiting requests */
	uint64_t serving;      /* banks with a current request */
	uint64_t columns;      /* of those, the ones whose row is open: they need a column */
	uint32_t waiting;      /* requests in bank queues */
	uint32_t in_channel;   /* requests from acceptance to return */
	uint16_t intake;       /* arrived last cycle, DRAM_NONE */
	uint16_t free;	       /* free dram_req */
	uint8_t prio, last_slice, pad[2];
	uint32_t shared_credit;
	uint8_t private_credit[4];
	uint32_t late_head, late_n, late_mask; /* the ring is as long as credits need it */
	uint32_t out_head, out_n;
	struct dram_stat st;
	struct dram_bank bank[DRAM_BANKS];
	struct dram_late late[DRAM_QUEUE];
	struct dram_out out[64];
	struct dram_req r[DRAM_QUEUE];
};

/* ---- distances between commands (dram_timing.c) */

enum dram_where { DRAM_BANK, DRAM_GROUP, DRAM_CHANNEL }; /* both commands go to the same one */

/* Adds a distance; two between the same commands and places become the longer one. */
void dram_timing_add(struct dram_timing *t, const struct mem_cfg *k, enum dram_cmd before,
		     enum dram_cmd after, enum dram_where where, unsigned nth, uint32_t cycles);
/* The rows of dram_timing.def, for these options. */
void dram_timing_init(struct dram_timing *t, const struct mem_cfg *k);
/* What counts from an earlier command than the last. */
void dram_given_past(struct channel_env *e, unsigned bank, enum dram_cmd cmd, uint64_t x);

/* The cycle from which the bank's current request may have the command it needs. */
static inline uint64_t
dram_legal_at(const struct channel_env *e, unsigned bank)
{
	const struct dram_bank *b = &e->c->bank[bank];
	const uint64_t *at = &e->c->at[b->need];

	return MAX(MAX(at[DRAM_TIMER(DRAM_AT_BANK, bank)], at[DRAM_AT_CHANNEL]), at[b->group]);
}

static inline void
dram_keep_from(struct channel *c, unsigned bank, const struct dram_rule *r, uint64_t from)
{
	uint64_t *t = &c->at[DRAM_TIMER(r->first, bank & r->mask)];

	*t = MAX(*t, from + r->cycles);
}

/* A command has been given in cycle x: what may follow when. */
static inline void
dram_given(struct channel_env *e, unsigned bank, enum dram_cmd cmd, uint64_t x)
{
	const struct dram_rules *t = &e->timing.of[cmd];

	for (unsigned i = 0; i < t->n; i++)
		dram_keep_from(e->c, bank, &t->rule[i], x);
	if (unlikely(t->n_past))
		dram_given_past(e, bank, cmd, x);
}

/* ---- which request a bank serves next (frfcfs.c) */

void frfcfs_add(struct channel *c, unsigned id);	/* a request has come for its bank */
unsigned frfcfs_take(struct channel *c, unsigned bank); /* of a bank with some waiting */

#endif
