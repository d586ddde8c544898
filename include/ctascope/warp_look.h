/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp_look.h - a warp as seen from outside: its status, and what holds it. Part of sim.h.
 */
#ifndef CTASCOPE_WARP_LOOK_H
#define CTASCOPE_WARP_LOOK_H

#include "ctascope/base.h"
#include "ctascope/trace.h"

struct sim;

enum warp_status {
	WARP_FREE,
	WARP_READY,
	WARP_MEMORY,
	WARP_DEPENDENCE,
	WARP_BARRIER,
	WARP_MEMBAR,
	WARP_ATOMIC,
	WARP_UNFETCHED,
	WARP_DRAINING, /* all lanes exited, waiting for acks or the pipeline */
	WARP_STATUSES
};
extern const char *const warp_status_names[];

struct warp_view {
	enum warp_status status;
	bool paused, held;
	uint32_t cta, warp_in_cta;
	uint32_t kernel;	  /* of the CTA: index in the trace */
	uint32_t done, total;	  /* issued trace records, and all of them */
	const struct inst *next;  /* next instruction to issue, NULL: none; borrowed */
	uint32_t mask;		  /* active lanes of next */
	const struct inst *waits; /* always NULL: the model does not keep it */
	uint8_t wait_reg;	  /* first register that it waits for; 255: none */
	unsigned stores;	  /* outstanding store acks */
};
unsigned sim_warps(const struct sim *s); /* hardware warps per core */
void sim_warp_view(const struct sim *s, unsigned core, unsigned warp, struct warp_view *v);

/* Where an instruction is between its issue and its write-back. */
enum hold_place {
	HOLD_NOWHERE,	/* in none of these places */
	HOLD_ISSUED,	/* waits for a free collector */
	HOLD_READING,	/* in a collector, which reads its registers */
	HOLD_COLLECTED, /* in a collector, with all operands: waits for the slot before the pipes */
	HOLD_BEFORE_PIPE, /* in that slot: waits for a pipe and for a result bus */
	HOLD_IN_PIPE
};

/* What holds a warp. The instruction is the one that writes the register of struct warp_view, or of
 * a warp that has issued all, its oldest one. */
struct warp_hold {
	enum hold_place place;
	const struct inst *inst; /* NULL: HOLD_NOWHERE; borrowed */
	const char *pipe;	 /* "SP" */
	bool comes_last;  /* its collector goes after others of the core, or of the sub-core */
	uint32_t younger; /* instructions that the core issued after it; not known in a pipe */
	uint32_t cycles;  /* in a pipe: until the write-back; before one: until the pipe is free */
	/* of a ready warp: a policy holds it back; the slot of its class (`pipe`) is full */
	bool held_back, no_slot;
};
void sim_warp_hold(const struct sim *s, unsigned core, unsigned warp, struct warp_hold *h);

#endif
