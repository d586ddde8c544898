/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wsched.c - the warp schedulers by name, and the two simple ones.
 *
 * lrr, loose round robin: the first warp that can issue, in id order, starting behind the one that
 * issued last; if nothing issues the start does not move (timing facts 4.3). gto, greedy then
 * oldest: the warp that issued last, else the one launched first (4.4). The issue stage has both
 * compiled in; the functions here say the same and are what a test or a view asks.
 */
#include "wsched/wsched.h"

static unsigned
lrr_pick(const struct wsched_view *v, struct wsched_state *st)
{
	(void)st;
	return v->can ? wsched_lrr_first(v->can, v->last) : WSCHED_NONE;
}

static unsigned
gto_pick(const struct wsched_view *v, struct wsched_state *st)
{
	(void)st;
	if (!v->can)
		return WSCHED_NONE;
	if (v->can >> v->last & 1)
		return v->last;
	return wsched_oldest(v->can, v->slot_warps, v->by_age);
}

static const struct warp_sched_ops wsched_lrr = {.name = "lrr",
						 .help = "loose round robin over ready warps",
						 .pick = lrr_pick};
static const struct warp_sched_ops wsched_gto = {.name = "gto",
						 .help = "greedy, then the oldest ready warp",
						 .pick = gto_pick};

const struct warp_sched_ops *const wsched_table[WSCHED_KINDS] = {[WSCHED_LRR] = &wsched_lrr,
								 [WSCHED_GTO] = &wsched_gto,
								 [WSCHED_TL] = &wsched_tl,
								 [WSCHED_OWL] = &wsched_owl};

const char *const wsched_names[WSCHED_KINDS + 1] = {"lrr", "gto", "tl", "owl", NULL};
