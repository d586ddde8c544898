/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.c - computes the digest of each part of the machine, which shows where two states differ.
 *
 * build.c records the part and unit of every stretch of the arena.
 */
#include "base/hash.h"
#include "sim/sim_priv.h"

const char *const sim_part_names[SIM_PARTS] = {
	[PART_CORES] = "cores",	      [PART_L1] = "l1",
	[PART_NOC] = "noc",	      [PART_L2] = "l2",
	[PART_DRAM] = "dram",	      [PART_POLICY] = "policy",
	[PART_REQUESTS] = "requests", [PART_CLOCK] = "clock"};

/* The digest of the stretches of a part, or of one of its units; unit -1: all units. */
static uint64_t
hash_extents(struct sim *s, enum sim_part part, int unit)
{
	uint64_t h = 0;

	sim_settle(s);
	for (unsigned i = 0; i < s->n_extents; i++) {
		const struct extent *x = &s->extent[i];
		size_t end = i + 1 < s->n_extents ? x[1].from : s->model_bytes;

		if (x->part == part && (unit < 0 || x->unit == unit))
			h = hash64(s->arena + x->from, end - x->from, h);
	}
	return h;
}

uint64_t
sim_digest_part(struct sim *s, enum sim_part part)
{
	uint64_t h = hash_extents(s, part, -1);

	return part == PART_REQUESTS ? sim_hash_requests(s, h) : h;
}

unsigned
sim_part_units(const struct sim *s, enum sim_part part)
{
	switch (part) {
	case PART_CORES:
	case PART_L1:
		return s->n_cores;
	case PART_L2:
		return s->n_slices;
	case PART_DRAM:
		return s->n_channels;
	default:
		return 0;
	}
}

uint64_t
sim_digest_unit(struct sim *s, enum sim_part part, unsigned unit)
{
	return hash_extents(s, part, (int)unit);
}
