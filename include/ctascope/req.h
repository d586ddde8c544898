/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * req.h - memory requests, which a user can follow through the machine.
 *
 * A request leaves a core as one packet and is split into 32-byte sectors at its L2 slice; each
 * sector is answered separately, or all of them together after the last one (noc.reply line). A
 * sector in flight is a token, (request << 2) | sector, so splitting and answering copy no memory.
 * The request is freed with its last sector.
 */
#ifndef CTASCOPE_REQ_H
#define CTASCOPE_REQ_H

#include "ctascope/base.h"

#define SECTOR 32      /* bytes */
#define LINE_SECTORS 4 /* sectors of the longest cache line */

enum req_kind {
	REQ_LINE,   /* L1 data cache line fill: every sector of the line */
	REQ_SECTOR, /* L1 fill of one sector, in a cache that fetches sectors */
	REQ_INST,   /* instruction cache line fill */
	REQ_BYPASS, /* load past L1, one sector */
	REQ_ATOMIC, /* performed at L2, one sector */
	REQ_WRITE,  /* store; every sector is acknowledged */
	REQ_WRBK    /* dirty line evicted from a cache: it has no reply */
};

struct req {
	uint64_t addr;		      /* of the line */
	uint64_t local;		      /* channel-local address (addrmap.h) */
	uint64_t born;		      /* core cycle it left the core */
	uint64_t due;		      /* core cycle it leaves the ROP delay */
	uint32_t bytes[LINE_SECTORS]; /* writes: bytes written, one bit each, per sector */
	uint32_t next;		      /* free list or the queue it waits in */
	uint16_t core;
	uint16_t id; /* of the sender: L1 MSHR entry, load record */
	uint8_t kind;
	uint8_t warp;
	uint8_t sectors; /* which sectors, one bit each */
	uint8_t left;	 /* sectors not yet completed */
	uint8_t lanes;	 /* atomics: number of lanes */
	uint8_t slice;
	uint8_t cache; /* line fills: which cache of the core */
	uint8_t pad;
};

#define REQ_NONE UINT32_MAX

static inline uint32_t
req_token(uint32_t req, unsigned sector)
{
	return req << 2 | sector;
}

/* The number of sectors in a mask, by a table, as not every processor has an instruction for it. */
static inline unsigned
sector_count(unsigned sectors)
{
	return UINT64_C(0x4332322132212110) >> sectors * 4 & 15;
}

/* The pools of requests: those of the cores in the first half of the clusters, in the third quarter
 * and in the last one (sim/halves.c), and the lines that the L2 slices write back. A pool numbers
 * its requests in the order in which its part of the machine takes them, whatever the other parts
 * do meanwhile. */
enum { POOL_FIRST_HALF, POOL_THIRD_QUARTER, POOL_LAST_QUARTER, POOL_L2, POOLS };
#define CORE_POOLS POOL_L2

/* from: the first core of each. */
static inline unsigned
req_pool_of(const uint16_t from[CORE_POOLS], unsigned core)
{
	return (unsigned)(core >= from[POOL_THIRD_QUARTER]) + (core >= from[POOL_LAST_QUARTER]);
}

/* All lie in one table, whose storage is reserved at the start (unused pages take no memory), and
 * are recycled by free lists. */
struct req_pool {
	uint32_t free;	/* first free, REQ_NONE: none recycled */
	uint32_t first; /* its place in the table */
	uint32_t high;	/* after the last one ever in use; a snapshot saves those before it */
	uint32_t end;	/* after its last place */
	uint32_t used;
	uint32_t pad;
	uint64_t taken; /* over the run */
};

static inline uint32_t
req_take(struct req_pool *p, struct req *r)
{
	uint32_t i = p->free;

	p->used++;
	p->taken++;
	if (i != REQ_NONE) {
		p->free = r[i].next;
		return i;
	}
	return p->high++; /* the step loop stops the run before high reaches the end */
}

static inline void
req_give(struct req_pool *p, struct req *r, uint32_t i)
{
	r[i].next = p->free;
	p->free = i;
	p->used--;
}

/* Those that were ever in use. */
static inline uint32_t
req_count(const struct req_pool *p)
{
	return p->high - p->first;
}

/* Completes one sector of request i. */
static inline void
req_sector_done(struct req_pool *p, struct req *r, uint32_t i)
{
	if (!--r[i].left)
		req_give(p, r, i);
}

#endif
