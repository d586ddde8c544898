/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lrr.c - loose round robin: the first warp that can issue, in id order, starting behind the one
 * that issued last; if nothing issues the start does not move (ctascope-model(7) 4.3). The issue
 * stage has it compiled in; the function here says the same and is what a test or a view asks.
 */
#include "wsched/wsched.h"

static unsigned
lrr_pick(const struct wsched_view *v, void *state)
{
	(void)state;
	return v->can ? wsched_lrr_first(v->can, v->last) : WSCHED_NONE;
}

const struct warp_sched_ops wsched_lrr = {.name = "lrr",
					  .help = "loose round robin over ready warps",
					  .inlined = WSCHED_LRR,
					  .pick = lrr_pick};
