/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - private to check.c and order.c: the shadow of a CTA's shared memory, and the order
 * among its warps. */
#ifndef PTX_CHECK_H
#define PTX_CHECK_H

#include "record/ptx/mem/mem.h"

struct touch {
	const struct prog_inst *in;
	uint32_t clock; /* of the warp; below shadow.start: no access */
	uint8_t warp, lane;
	bool atomic;
};

struct cell { /* a byte */
	struct touch write, read[2];
};

/* The last tick of each warp that is ordered before something. */
struct ticks {
	uint32_t of[MAX_WARPS];
};

/* A word through which warps synchronize. */
struct sync {
	uint32_t at;	       /* its offset */
	struct ticks released; /* what an acquiring read makes known; of an mbarrier: up to the last
				  complete phase */
	struct ticks arriving; /* mbarrier: of the arrivals in the current phase */
};

struct shadow {
	uint32_t checks;
	uint32_t bytes;
	uint32_t start;			  /* the least clock of this CTA */
	uint32_t now[MAX_WARPS];	  /* clock of each warp */
	struct ticks known[MAX_WARPS];	  /* what is ordered before the warp's next access */
	struct ticks fenced[MAX_WARPS];	  /* what was known at the warp's last fence */
	struct ticks pending[MAX_WARPS];  /* what the warp's next fence makes known */
	uint64_t has_fenced, has_pending; /* warps for which these are valid */
	struct cell *cell;
	uint32_t
		*sync_at; /* by offset: an index of sync, plus 1; valid if sync names that offset */
	struct sync *sync;
	uint32_t n_sync, cap_sync;
};

/* Forgets the order among warps, at the beginning of a CTA. */
void order_reset(struct shadow *s);

#endif
