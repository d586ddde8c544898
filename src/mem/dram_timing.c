/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dram_timing.c - the distances between DRAM commands, from the rows of dram_timing.def.
 *
 * Bank, group and channel each keep the cycle from which they permit each command. A command that
 * is issued moves these cycles (dram_record_command()); a command is legal when all three permit
 * it. Distances are constant, so only the last command matters, and several distances between the
 * same two commands at the same place are their maximum. With a single group, the group is the
 * channel.
 */
#include "mem/mem_part.h"

#define LESS(a, b) ((a) > (b) ? (a) - (b) : 0)

void
dram_timing_add(struct dram_timing *t, const struct mem_cfg *k, enum dram_cmd before,
		enum dram_cmd after, enum dram_where where, unsigned nth, uint32_t cycles)
{
	struct dram_rules *of = &t->of[before];
	struct dram_rule r = {(uint16_t)cycles, (uint8_t)after, (uint8_t)nth};

	assert(nth && nth <= DRAM_PAST && (nth == 1 || where == DRAM_CHANNEL));
	assert(cycles <= UINT16_MAX);
	if (!cycles) /* holds always */
		return;
	if (nth > 1) {
		assert(of->n_past < DRAM_RULES);
		of->past[of->n_past++] = r;
		return;
	}
	if (where == DRAM_GROUP && k->bank_groups == 1)
		where = DRAM_CHANNEL;
	t->grouped |= where == DRAM_GROUP;
	for (unsigned i = 0; i < of->n[where]; i++) {
		struct dram_rule *o = &of->rule[where][i];

		if (o->after == after) {
			o->cycles = MAX(o->cycles, r.cycles);
			return;
		}
	}
	of->rule[where][of->n[where]++] = r;
}

void
dram_timing_init(struct dram_timing *t, const struct mem_cfg *k)
{
	*t = (struct dram_timing){0};
#define DISTANCE(before, after, where, nth, cycles) \
	dram_timing_add(t, k, DRAM_##before, DRAM_##after, DRAM_##where, nth, cycles);
#include "mem/dram_timing.def"
}

void
dram_record_past(struct channel_env *e, enum dram_cmd cmd, uint64_t x)
{
	struct channel *c = e->c;
	const struct dram_rules *t = &e->timing->of[cmd];
	uint32_t n = ++c->n_given[cmd];

	c->given[cmd][n % DRAM_PAST] = x;
	for (unsigned i = 0; i < t->n_past; i++) {
		const struct dram_rule *r = &t->past[i];
		uint64_t *at = &c->at[r->after];

		if (n >= r->nth)
			*at = MAX(*at, c->given[cmd][(n - (r->nth - 1u)) % DRAM_PAST] + r->cycles);
	}
}
