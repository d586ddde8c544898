/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp_sched.h - the contract of a warp scheduler.
 *
 * The core hands over masks, one bit per hardware warp of this scheduler; the scheduler picks one
 * bit. The core has already left out warps that cannot issue and, when a running warp can, the
 * warps of paused CTAs (Kayiran 4.1). lrr and gto are compiled into the issue stage; others go
 * through pick().
 */
#ifndef CTASCOPE_WARP_SCHED_H
#define CTASCOPE_WARP_SCHED_H

#include "ctascope/base.h"

enum wsched_kind { WSCHED_LRR, WSCHED_GTO, WSCHED_KINDS };

struct wsched_view {
	uint64_t can;	     /* warps that could issue now; never zero */
	uint64_t mine;	     /* warps this scheduler supervises */
	const uint32_t *age; /* per warp: launch order on this core, smaller is older */
	unsigned last;	     /* warp that issued last here */
};

struct warp_sched_ops {
	const char *name, *help;
	unsigned (*pick)(const struct wsched_view *v);
};

extern const struct warp_sched_ops wsched_table[WSCHED_KINDS];
extern const char *const wsched_names[WSCHED_KINDS + 1];

#endif
