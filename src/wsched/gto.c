/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gto.c - greedy then oldest: picks the warp that issued last, otherwise the one launched first
 * (ctascope-model(7) 4.4).
 *
 * The issue stage has this rule compiled in. The function here gives the same answer, for tests and
 * for displays.
 */
#include "wsched/wsched.h"

static unsigned
gto_pick(const struct wsched_view *v, void *state)
{
	(void)state;
	if (!v->can)
		return WSCHED_NONE;
	if (v->can >> v->last & 1)
		return v->last;
	return wsched_oldest(v->can, v->slot_warps, v->by_age);
}

const struct warp_sched_ops wsched_gto = {.name = "gto",
					  .help = "greedy, then the oldest ready warp",
					  .inlined = WSCHED_GTO,
					  .pick = gto_pick};
