/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp_sched.h - the contract of a warp scheduler.
 *
 * The core passes masks, one bit per hardware warp of this scheduler; the scheduler picks one bit,
 * or none. The core has already removed warps that cannot issue and, when a running warp can, the
 * warps of paused CTAs (Kayiran 4.1); it issues a warp of a paused CTA that has starved without
 * calling the scheduler. lrr and gto are compiled into the issue stage; for others, the core calls
 * pick() once in every cycle in which it is visited. The core provides the memory of the
 * scheduler's state.
 *
 * A core skips cycles in which none of its masks changes, and calls pick() again when it wakes. So
 * after WSCHED_NONE, a second call with the same view must return the same and leave the state
 * unchanged.
 *
 * A user's own warp scheduler is no file of this kind, but a policy with warps()
 * (ctascope/cta_sched.h).
 *
 * To add a warp scheduler, write src/wsched/NAME.c with const struct warp_sched_ops wsched_NAME and
 * add it to the list in src/wsched/module.am. Parameters are DECL_PARAM rows in that file, named
 * NAME_..., and become options core.NAME_...; its state is a struct of state_size bytes. See
 * src/wsched/tl.c. Its rule goes into man/ctascope-model.7.in, section 15.
 */
#ifndef CTASCOPE_WARP_SCHED_H
#define CTASCOPE_WARP_SCHED_H

#include "ctascope/base.h"
#include "ctascope/decl.h"

#define WSCHED_NONE 64u /* pick(): nothing is issued in this cycle */

struct wsched_view {
	uint64_t can;	  /* warps that could issue now; may be none */
	uint64_t mine;	  /* warps this scheduler supervises */
	uint64_t stalled; /* waiting for a long operation, finished, or absent; never in can */
	const uint64_t *slot_warps; /* per CTA slot: its warps, also those of other schedulers */
	const uint8_t *by_age;	    /* resident CTA slots, launched first to last */
	unsigned n_slots;	    /* entries of by_age */
	unsigned n_sched;	    /* mine is every n_sched-th warp */
	unsigned last;		    /* warp that issued last here */
	unsigned core;		    /* number of the core */
	const void *opts;	    /* the scheduler's parameters */
};

/* Schedulers that are compiled into the issue stage. */
enum wsched_inlined { WSCHED_ASKED, WSCHED_LRR, WSCHED_GTO };

struct warp_sched_ops {
	const char *name, *help;
	const struct opt_row *opts; /* parameters: options core.PARAM, named after the scheduler */
	unsigned n_opts;
	size_t opts_size;
	size_t state_size; /* bytes of one scheduler of a core; zero at the start */
	enum wsched_inlined inlined;
	bool holds; /* pick() may return WSCHED_NONE although a warp can issue */
	unsigned (*pick)(const struct wsched_view *v, void *state);
};

#endif
