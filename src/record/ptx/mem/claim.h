/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * claim.h - private to a launch whose CTAs run in parallel: the CTA to which each word of global
 * memory belongs.
 *
 * The threads of a launch may access memory freely as long as every word is either only read, by
 * any CTA, or touched by one CTA alone. Then no CTA can observe the order in which they run, and
 * the result is that of running them one after the other. A CTA claims a word here before it
 * touches it; a claim that breaks the rule stops all threads before the access. The old value of a
 * written word is kept, so that memory can be restored and the launch run again in order.
 *
 * Blocks that the launch probably does not write need no claims: the first CTA, which runs alone,
 * shows which ones are written. A write to another block stops the threads as well, and is expected
 * the next time. Words are 4 bytes: CTAs that write different bytes of one word count as a
 * collision.
 */
#ifndef PTX_CLAIM_H
#define PTX_CLAIM_H

#include "record/ptx/mem/devmem.h"

struct claims { /* of a launch */
	const struct ptx_device *device;
	struct claim_block {
		bool expect_write; /* a launch is expected to write it */
		uint32_t *owner;   /* of each word; NULL: no CTA may write */
		uint32_t *old;	   /* the value before the owner's first write */
	} * block;		   /* as device->block */
	uint32_t n_block;
	uint32_t stop; /* atomic: a claim was refused, or something else went wrong */
};

struct claim { /* of a thread */
	struct claims *all;
	uint32_t me; /* the CTA it runs, from 1; 0: it runs alone, and the blocks it writes are
			noted */
};

#define CLAIM_MAX_CTAS (1u << 30)

/* Initializes the claims; no block is expected to be written. -1: out of memory. */
int claims_new(struct claims *c, const struct ptx_device *d);
/* Allocates the owners of the blocks that are expected to be written. -1: out of memory. */
int claims_begin(struct claims *c);
/* The number of blocks that are expected to be written. */
uint32_t claims_written(const struct claims *c);
/* Frees all owners; if back, memory is restored to its state at claims_begin. */
void claims_end(struct claims *c, bool back);
void claims_free(struct claims *c);

/* Claims bytes at b's start + off[l] for the lanes l of mask. 0, or EXEC_FAULT when all threads
 * must stop; then no error is set. Called only if r->claim. */
int claim_lanes(struct run *r, const struct mem_block *b, const uint64_t *off, uint32_t mask,
		uint32_t bytes, bool write);
/* The same for bytes at addr. */
int claim_range(struct run *r, const struct mem_block *b, uint64_t addr, uint32_t bytes,
		bool write);
/* Claims all of b for reading. */
int claim_read_all(struct run *r, const struct mem_block *b);

static inline bool
claims_stopped(const struct claims *c)
{
	return __atomic_load_n(&c->stop, __ATOMIC_RELAXED);
}

static inline void
claims_stop(struct claims *c)
{
	__atomic_store_n(&c->stop, 1, __ATOMIC_RELAXED);
}

#endif
