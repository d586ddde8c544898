/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fifo.h - bounded queues of 32-bit handles, and ports.
 *
 * A fifo is a ring in the arena; its capacity is the architected one, its storage the next power of
 * two. Units pass work through ports. A port is a fifo plus one bit in a mask, which the receiver
 * scans instead of polling every queue. The sender must check for room before it pushes.
 */
#ifndef BASE_FIFO_H
#define BASE_FIFO_H

#include "ctascope/base.h"
#include <assert.h>

struct fifo {
	uint32_t head, n;
	uint16_t cap, mask;
	uint32_t pad;
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

static inline size_t
fifo_bytes(uint32_t cap)
{
	return sizeof(struct fifo) + fifo_size(cap) * sizeof(uint32_t);
}

static inline void
fifo_init(struct fifo *f, uint32_t cap)
{
	assert(cap <= UINT16_MAX);
	f->head = f->n = 0;
	f->cap = (uint16_t)cap;
	f->mask = (uint16_t)(fifo_size(cap) - 1);
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

/* The same; an empty queue restarts at 0, so that a large but seldom full queue stays in the host's
 * cache. */
static inline void
fifo_restart_push(struct fifo *f, uint32_t v)
{
	f->head &= -(uint32_t)(f->n != 0);
	fifo_push(f, v);
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

/* Entry i from the front. */
static inline uint32_t
fifo_at(const struct fifo *f, uint32_t i)
{
	return f->v[(f->head + i) & f->mask];
}

/* Constant wiring, built once; queue and mask lie in the arena. */
struct port {
	struct fifo *q;
	uint64_t *mask;
	uint64_t bit;
};

static inline void
port_push(const struct port *p, uint32_t v)
{
	fifo_restart_push(p->q, v);
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
