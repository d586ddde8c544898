/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sink.h - the receiver of what a launch executes. Calls nest: begin { cta { inst } cta_end } end.
 * Warps of a CTA are interleaved; the instructions of one warp come in order. Each call returns 0,
 * or -1 with e filled, which ends the launch. Executed instructions may be reported with a delay,
 * but before another warp runs.
 */
#ifndef PTX_SINK_H
#define PTX_SINK_H

#include "record/ptx/decode/prog.h"

struct ptx_sink {
	void *ctx;
	int (*begin)(void *ctx, const struct run *r, struct err *e);
	int (*cta)(void *ctx, const uint32_t xyz[3], struct err *e);
	/* The lanes of mask, at least one, executed in of func. lane: generic addresses of the
	 * lanes that accessed memory, which are those of lane_mask; NULL when the instruction
	 * accesses none. */
	int (*inst)(void *ctx, uint32_t warp, const struct prog_func *func,
		    const struct prog_inst *in, uint32_t mask, const uint64_t *lane,
		    uint32_t lane_mask, struct err *e);
	int (*cta_end)(void *ctx, struct err *e);
	int (*end)(void *ctx, struct err *e);
	/* Replaces n calls of inst: for in and the n - 1 instructions after it, none of which
	 * accessed memory, all for the lanes of mask. NULL: inst is called for each. */
	int (*line)(void *ctx, uint32_t warp, const struct prog_func *func,
		    const struct prog_inst *in, uint32_t n, uint32_t mask, struct err *e);
	/* Replaces inst for all 32 lanes with the addresses first, first + step, ... NULL: inst is
	 * called. */
	int (*even)(void *ctx, uint32_t warp, const struct prog_func *func,
		    const struct prog_inst *in, uint64_t first, int32_t step, struct err *e);
	/* beside makes, after the first cta_end, a sink for another thread, which receives whole
	 * CTAs. pack takes the last CTA from that sink, and put adds it to this one, in the order
	 * of the CTAs. A sink may refuse (-1) an instruction that it must receive in order: then
	 * the CTAs run one after the other. beside and pack return NULL with e filled when memory
	 * runs out; put frees the pack, also on failure; drop frees packs that are not put. All
	 * NULL: CTAs never run in parallel. */
	const struct ptx_sink *(*beside)(void *ctx, struct err *e);
	void (*beside_free)(const struct ptx_sink *s);
	void *(*pack)(void *ctx, struct err *e);
	int (*put)(void *ctx, void *pack, struct err *e);
	void (*drop)(void *pack);
};

#endif
