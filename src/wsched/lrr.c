/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lrr.c - loose round robin: picks the first warp that can issue, in id order, starting after the
 * one that issued last (ctascope-model(7) 4.3).
 *
 * When nothing issues, the start does not move. The issue stage has this rule compiled in. The
 * function here gives the same answer, for tests and for displays.
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
