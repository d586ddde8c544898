/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bench.h - the request network of a built machine, driven by hand: clusters in, slices out. */
#ifndef TESTS_UNIT_NOC_BENCH_H
#define TESTS_UNIT_NOC_BENCH_H

#include "tests/mem/rig.h"

struct bench {
	struct rig r;
	struct net_env *net;
	uint64_t x;
};

static inline struct bench
bench_new(const char *machine, const char *const *options)
{
	struct bench b = {.r = rig_new(machine, options)};

	b.net = &b.r.s->request;
	return b;
}

/* Sends a packet from cluster in to slice out; returns its request. */
static inline uint32_t
send(struct bench *b, unsigned in, unsigned out, enum req_kind kind, unsigned sectors)
{
	uint32_t i = rig_request(&b->r, kind, 0, sectors, UINT32_MAX);

	b->r.s->req[i].slice = (uint8_t)out;
	port_push(&b->net->in[in], i);
	return i;
}

static inline void
tick(struct bench *b)
{
	if (net_busy(b->net))
		net_tick(b->net, b->x);
	b->x++;
}

static inline uint32_t
take(struct bench *b, unsigned out)
{
	return b->net->out[out].q->n ? port_pop(&b->net->out[out]) : REQ_NONE;
}

#endif
