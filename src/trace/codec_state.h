/* SPDX-License-Identifier: GPL-3.0-or-later */
/* codec_state.h - the predictors that encoding and decoding must keep alike; see codec.c. */
#ifndef TRACE_CODEC_STATE_H
#define TRACE_CODEC_STATE_H

#include "trace/codec.h"

/* Predictors of one static instruction; [0] stands for "before the first", row i is at i + 1.
 * All zero is the start: the next row follows, the mask stays. */
struct flow {
	uint32_t in, out; /* mask before, mask at this instruction */
	int32_t skip;	  /* successor, relative to the next row */
	uint32_t n;	  /* records of this CTA, when encoding */
};

/* The same for a row with a memory operand. */
struct access {
	uint64_t base, first; /* last base; first base of the warp */
	int64_t step, warp_step;
	int64_t maybe; /* a step seen once: believed when seen again */
	int64_t stride;
	uint32_t warp;	/* warp of base, plus 1; 0: never */
	uint32_t lanes; /* lanes of the list in codec.list; 0: none yet */
	bool steady;	/* step was learnt */
};

#define BASE_AS_PREDICTED 4
#define SHAPE_AS_BEFORE 8
#define STEP_SHIFT 4 /* two bits: low bits that all steps of a list lack */

enum mask_code {
	MASK_RAW,
	MASK_NONE,
	MASK_ALL,
	MASK_REST,
	MASK_LAST,
	MASK_LANE = 32,
	MASK_LOW = 64
};

/* Empty predictors for a kernel's rows; -1 when memory runs out. */
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
			if (!a->steady || step == a->maybe)
				a->step = step;
			a->maybe = step;
			a->steady = true;
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
