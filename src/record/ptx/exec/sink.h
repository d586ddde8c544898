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
	/* func, in: what was executed, for the lanes of mask (0 lanes: not told). lane: generic
	 * addresses of the lanes that accessed memory, those of lane_mask; NULL when the
	 * instruction accesses none. */
	int (*inst)(void *ctx, uint32_t warp, const struct prog_func *func,
		    const struct prog_inst *in, uint32_t mask, const uint64_t *lane,
		    uint32_t lane_mask, struct err *e);
	int (*cta_end)(void *ctx, struct err *e);
	int (*end)(void *ctx, struct err *e);
	/* Instead of inst, n times: in and the n - 1 behind it, none of which accessed memory, all
	 * for the lanes of mask. NULL: inst is called for each. */
	int (*line)(void *ctx, uint32_t warp, const struct prog_func *func,
		    const struct prog_inst *in, uint32_t n, uint32_t mask, struct err *e);
	/* Instead of inst for all 32 lanes, whose addresses are first, first + step, ... NULL: inst
	 * is called. */
	int (*even)(void *ctx, uint32_t warp, const struct prog_func *func,
		    const struct prog_inst *in, uint64_t first, int32_t step, struct err *e);
	/* NULL: CTAs run one after the other. Else, after the first cta_end: a sink for another
	 * thread, told of whole CTAs; what it heard of the last one is packed there and put here in
	 * the order of the CTAs. It may refuse (-1) what has to be heard in order: then the CTAs
	 * run one after the other. NULL with e filled when memory runs out. put takes the pack,
	 * also on failure; drop is for packs that are not put. */
	const struct ptx_sink *(*beside)(void *ctx, struct err *e);
	void (*beside_free)(const struct ptx_sink *s);
	void *(*pack)(void *ctx, struct err *e);
	int (*put)(void *ctx, void *pack, struct err *e);
	void (*drop)(void *pack);
};

#endif
