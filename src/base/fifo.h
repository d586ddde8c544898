/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fifo.h - bounded queues of 32-bit handles, and ports.
 *
 * A fifo is a ring in the arena; its capacity is the architected one, its storage the next power of
 * two. A port is how one unit hands work to another: a fifo plus one bit in a mask that the
 * receiver scans instead of polling every queue. Full is checked by the sender before it pushes.
 */
#ifndef BASE_FIFO_H
#define BASE_FIFO_H

#include "ctascope/base.h"
#include <assert.h>

struct fifo {
	uint32_t head, n;
	uint16_t cap, mask;
	uint16_t held; /* entries before the head that are the next queue's: fifo_hold() */
	uint16_t pad;
	uint32_t v[];
};

static inline uint32_t
fifo_size(uint32_t entries)
{
	uint32_t size = 1;

	while (size < entries)
		size *= 2;
	return size;
}

/* Of a queue and as many entries as the next one may have that lie in it. */
static inline size_t
fifo_bytes(uint32_t cap, uint32_t held)
{
	return sizeof(struct fifo) + fifo_size(cap + held) * sizeof(uint32_t);
}

static inline void
fifo_init(struct fifo *f, uint32_t cap, uint32_t held)
{
	assert(cap + held <= UINT16_MAX);
	f->head = f->n = f->held = 0;
	f->cap = (uint16_t)cap;
	f->mask = (uint16_t)(fifo_size(cap + held) - 1);
}

static inline bool
fifo_full(const struct fifo *f)
{
	return f->n >= f->cap;
}

static inline void
fifo_push(struct fifo *f, uint32_t v)
{
	assert(f->n <= f->mask);
	f->v[(f->head + f->n++) & f->mask] = v;
}

static inline uint32_t
fifo_front(const struct fifo *f)
{
	return f->v[f->head & f->mask];
}

static inline uint32_t
fifo_pop(struct fifo *f)
{
	uint32_t v = f->v[f->head++ & f->mask];

	f->n--;
	return v;
}

/* The entry in front leaves for the next queue, where it lies already: that one is what is held.
 * Not with `when` 0. */
static inline void
fifo_hold(struct fifo *f, bool when)
{
	f->head += when;
	f->n -= when;
	f->held = (uint16_t)(f->held + when);
}

/* The first of what is held; there is one. */
static inline uint32_t
fifo_held(const struct fifo *f)
{
	return f->v[(f->head - f->held) & f->mask];
}

/* Entry i from the front. */
static inline uint32_t
fifo_at(const struct fifo *f, uint32_t i)
{
	return f->v[(f->head + i) & f->mask];
}

/* Constant wiring, built once; the queue and the mask live in the arena. */
struct port {
	struct fifo *q;
	uint64_t *mask;
	uint64_t bit;
};

/* An empty queue begins anew: large ones that are seldom full stay in the host's cache. */
static inline void
port_push(const struct port *p, uint32_t v)
{
	p->q->head &= -(uint32_t)((p->q->n | p->q->held) != 0);
	fifo_push(p->q, v);
	*p->mask |= p->bit;
}

static inline uint32_t
port_pop(const struct port *p)
{
	uint32_t v = fifo_pop(p->q);

	*p->mask &= ~(p->bit & -(uint64_t)!p->q->n);
	return v;
}

#endif
