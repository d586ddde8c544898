/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rig.h - a normally built machine of which a test drives one unit by hand.
 *
 * The sim is never stepped: it only provides memory and wiring. The test puts requests where the
 * unit takes them, and takes its output from where its neighbour would.
 */
#ifndef TESTS_UNIT_RIG_H
#define TESTS_UNIT_RIG_H

#include "sim/sim_priv.h"
#include "tests/sim/model.h"

struct rig {
	struct config *cfg;
	struct trace *t;
	struct sim *s;
};

static inline struct rig
rig_new(const char *machine, const char *const *options) /* "key", "value", ..., NULL */
{
	struct rig r = {.cfg = model_config(machine, "rr")};
	struct tb *b = tb_new();
	struct err e = {0};

	for (; options && *options; options += 2)
		model_set(r.cfg, options[0], options[1]);
	tb_kernel(b, "exit", 1, 32, 16, 0, 70);
	tb_emit(b, 0, 0, tb_inst(b, 0, "EXIT", "", ""), ~0u, ADDR_NONE, 0, 0);
	r.t = tb_finish(b, &e);
	if (!r.t)
		model_die("rig", &e);
	r.s = model_sim(r.cfg, r.t);
	return r;
}

static inline void
rig_free(struct rig *r)
{
	sim_free(r->s);
	config_free(r->cfg);
	trace_close(r->t);
}

/* A request as a core would send it. */
static inline uint32_t
rig_request(struct rig *r, enum req_kind kind, uint64_t line, unsigned sectors, uint32_t bytes)
{
	uint32_t i = req_take(r->s->pool, r->s->req);
	struct req *q = &r->s->req[i];

	*q = (struct req){.addr = line,
			  .kind = (uint8_t)kind,
			  .sectors = (uint8_t)sectors,
			  .left = (uint8_t)__builtin_popcount(sectors)};
	q->slice = (uint8_t)addr_route(&r->s->map, line, &q->local);
	for (unsigned k = 0; k < LINE_SECTORS; k++)
		q->bytes[k] = sectors >> k & 1 ? bytes : 0;
	return i;
}

/* An address on channel 0, slice 0 of it, in a bank and row, at a column. */
static inline uint64_t
rig_address(const struct rig *r, unsigned bank, unsigned row, unsigned column)
{
	const struct addrmap *m = &r->s->map;
	uint64_t local = 0, rest = ~(m->bank_bits | m->row_bits),
		 chunk = UINT64_C(1) << m->chunk_shift;

	for (uint64_t k = m->bank_bits; k; k &= k - 1, bank >>= 1)
		local |= bank & 1 ? k & -k : 0;
	for (uint64_t k = m->row_bits; k; k &= k - 1, row >>= 1)
		local |= row & 1 ? k & -k : 0;
	for (uint64_t k = rest; k && column; k &= k - 1, column >>= 1)
		local |= column & 1 ? k & -k : 0;
	return local / chunk * m->channels * chunk + local % chunk;
}

#endif
