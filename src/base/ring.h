/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ring.h - bounded queues of 32-bit handles whose heads are stored in the state of their unit.
 *
 * Like a fifo (base/fifo.h), but the entries are stored elsewhere: a unit that checks several
 * queues for work finds their heads in one line of the host's cache. An empty ring restarts at its
 * first entry, so mostly the first few entries are touched.
 */
#ifndef BASE_RING_H
#define BASE_RING_H

#include "ctascope/base.h"
#include <assert.h>

#define RING_CAP_MAX 32768 /* entries, at most */

struct ring {
	uint16_t head, n;
	uint16_t cap;  /* entries that fit: the architected capacity */
	uint16_t mask; /* the places of its storage, a power of two, minus 1 */
};

static inline struct ring
ring_of(uint32_t cap)
{
	uint32_t size = 1;

	assert(cap <= RING_CAP_MAX);
	while (size < cap)
		size *= 2;
	return (struct ring){.cap = (uint16_t)cap, .mask = (uint16_t)(size - 1)};
}

/* Returns the number of places in its storage. */
static inline uint32_t
ring_places(const struct ring *r)
{
	return r->mask + 1u;
}

static inline bool
ring_full(const struct ring *r)
{
	return r->n >= r->cap;
}

static inline void
ring_push(struct ring *r, uint32_t *v, uint32_t x)
{
	assert(r->n <= r->mask);
	r->head &= (uint16_t) - (r->n != 0);
	v[(r->head + r->n++) & r->mask] = x;
}

static inline uint32_t
ring_front(const struct ring *r, const uint32_t *v)
{
	return v[r->head & r->mask];
}

static inline uint32_t
ring_pop(struct ring *r, const uint32_t *v)
{
	r->n--;
	return v[r->head++ & r->mask];
}

#endif
