/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dram_timing.c - the distances between DRAM commands, from the rows of dram_timing.def.
 *
 * Bank, group and channel each keep the cycle from which they permit each command. Giving a command
 * moves them on, one step per rule (dram_given); a command is legal when all three permit it. As a
 * rule's distance is constant, its last command counts, and rules to the same timer are one
 * maximum.
 */
#include "mem/mem_part.h"

#define LESS(a, b) ((a) > (b) ? (a) - (b) : 0)

void
dram_timing_add(struct dram_timing *t, const struct mem_cfg *k, enum dram_cmd before,
		enum dram_cmd after, enum dram_where where, unsigned nth, uint32_t cycles)
{
	const struct {
		uint16_t first;
		uint8_t mask;
	} place[] = {[DRAM_BANK] = {DRAM_AT_BANK, DRAM_BANKS - 1},
		     [DRAM_GROUP] = {DRAM_AT_GROUP, (uint8_t)(k->bank_groups - 1)},
		     [DRAM_CHANNEL] = {DRAM_AT_CHANNEL, 0}};
	struct dram_rule r = {.cycles = cycles,
			      .first = (uint16_t)(place[where].first + after),
			      .mask = place[where].mask,
			      .nth = (uint8_t)nth};
	struct dram_rules *of = &t->of[before];
	struct dram_rule *list = nth == 1 ? of->rule : of->past;
	uint8_t *n = nth == 1 ? &of->n : &of->n_past;

	assert(nth && nth <= DRAM_PAST && (nth == 1 || where == DRAM_CHANNEL));
	if (!cycles) /* always kept */
		return;
	for (unsigned i = 0; i < *n; i++)
		if (list[i].first == r.first && list[i].nth == nth) {
			list[i].cycles = MAX(list[i].cycles, cycles);
			return;
		}
	assert(*n < DRAM_RULES);
	list[(*n)++] = r;
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
dram_given_past(struct channel_env *e, unsigned bank, enum dram_cmd cmd, uint64_t x)
{
	struct channel *c = e->c;
	const struct dram_rules *t = &e->timing.of[cmd];
	uint32_t n = ++c->n_given[cmd];

	c->given[cmd][n % DRAM_PAST] = x;
	for (unsigned i = 0; i < t->n_past; i++)
		if (n >= t->past[i].nth)
			dram_keep_from(c, bank, &t->past[i],
				       c->given[cmd][(n - (t->past[i].nth - 1u)) % DRAM_PAST]);
}
