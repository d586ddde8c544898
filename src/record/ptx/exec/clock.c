/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clock.c - computes the clock of a launch, and shortens loops that wait for it.
 *
 * The clock counts the warp instructions of the launch so far instead of time, so that differences
 * are positive and runs repeatable; a nanosecond is one instruction.
 *
 * A loop that only waits for the clock (spin.c) would add records to the trace for every tick that
 * it waits. From round SPIN_ROUNDS on, the clock therefore runs ahead in each round, by an eighth
 * of the time waited so far: a wait of 10^9 ticks takes 200 rounds, and lasts at most an eighth too
 * long. The clock never goes back, and it runs ahead for other warps, too.
 */
#include "record/ptx/exec/exec.h"

#define SPIN_ROUNDS 64u

uint64_t
clock_now(const struct run *r)
{
	return r->n.warp_insts + r->clock.ahead;
}

uint64_t
clock_read(struct warp *w, const struct prog_inst *in)
{
	struct run *r = w->cta->run;
	struct clock *c = &r->clock;
	uint64_t now = clock_now(r);

	if (in->sub2 != CLOCK_OF_SPIN)
		return now;
	if (c->in != in || c->warp != w || r->n.warp_insts - c->last > 2 * SPIN_BODY) {
		*c = (struct clock){.ahead = c->ahead, .in = in, .warp = w, .began = now};
	} else if (++c->rounds > SPIN_ROUNDS) {
		c->ahead += (now - c->began) / 8;
		now = clock_now(r);
	}
	c->last = r->n.warp_insts;
	return now;
}
