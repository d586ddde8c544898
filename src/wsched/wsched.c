/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wsched.c - the warp schedulers.
 *
 * lrr, loose round robin: the first warp that can issue, in id order, starting behind the one that
 * issued last; if nothing issues the start does not move (timing facts 4.3). gto, greedy then
 * oldest: the warp that issued last, else the one launched first (4.4). The issue stage has both
 * compiled in; the functions here say the same and are what a test or a view asks.
 */
#include "wsched/wsched.h"

static unsigned
lrr_pick(const struct wsched_view *v)
{
	return wsched_lrr_first(v->can, v->last);
}

static unsigned
gto_pick(const struct wsched_view *v)
{
	unsigned best = (unsigned)__builtin_ctzll(v->can);

	if (v->can >> v->last & 1)
		return v->last;
	for (uint64_t m = v->can; m; m &= m - 1) {
		unsigned w = (unsigned)__builtin_ctzll(m);

		if (v->age[w] < v->age[best])
			best = w;
	}
	return best;
}

const struct warp_sched_ops wsched_table[WSCHED_KINDS] = {
	[WSCHED_LRR] = {.name = "lrr",
			.help = "loose round robin over ready warps",
			.pick = lrr_pick},
	[WSCHED_GTO] = {.name = "gto",
			.help = "greedy, then the oldest ready warp",
			.pick = gto_pick},
};

const char *const wsched_names[WSCHED_KINDS + 1] = {"lrr", "gto", NULL};
