/* SPDX-License-Identifier: GPL-3.0-or-later */
/* codec_state.h - the predictors, which encoder and decoder update in the same way; see codec.c. */
#ifndef TRACE_CODEC_STATE_H
#define TRACE_CODEC_STATE_H

#include "trace/codec.h"

/* Predictors of one static instruction. Row i has index i + 1; index 0 is the place before the
 * first instruction. All zero predicts the next row and an unchanged mask. */
struct flow {
	uint32_t in, out; /* mask of the previous record, mask of this one */
	int32_t skip;	  /* successor, relative to the next row */
	uint32_t n;	  /* when encoding: records of this CTA */
};

/* Predictors of the addresses of one row with a memory operand. */
struct access {
	uint64_t base, first; /* last base; first base of the warp */
	int64_t step, warp_step;
	int64_t seen_once; /* a new step; it becomes step when it is seen again */
	int64_t stride;
	uint32_t warp;	/* warp of base, plus 1; 0: no record yet */
	uint32_t lanes; /* lanes of the list in codec.list; 0: no list yet */
	bool has_step;	/* step was learnt */
};

#define BASE_AS_PREDICTED 4
#define SHAPE_AS_BEFORE 8
#define STEP_SHIFT 4 /* two bits: how many low bits are 0 in all steps of a list */

enum mask_code {
	MASK_RAW,
	MASK_NONE,
	MASK_ALL,
	MASK_REST,
	MASK_LAST,
	MASK_LANE = 32,
	MASK_LOW = 64
};

/* Resets the predictors for a kernel's rows; -1 when memory runs out. */
int codec_start(struct codec *c, const struct kern *k);

static inline uint64_t
base_predict(const struct codec *c, const struct access *a, uint32_t warp)
{
	if (likely(a->warp == warp + 1))
		return a->base + (uint64_t)a->step;
	return a->warp ? a->first + (uint64_t)a->warp_step : c->last;
}

static inline void
base_learn(struct codec *c, struct access *a, uint32_t warp, uint64_t base)
{
	if (likely(a->warp == warp + 1)) {
		int64_t step = (int64_t)(base - a->base);

		if (unlikely(step != a->step)) {
			if (!a->has_step || step == a->seen_once)
				a->step = step;
			a->seen_once = step;
			a->has_step = true;
		}
	} else {
		if (a->warp)
			a->warp_step = (int64_t)(base - a->first);
		a->first = base;
		a->warp = warp + 1;
	}
	a->base = base;
	c->last = base;
}

#endif
