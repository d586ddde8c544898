/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warp.c - says in one sentence what a warp waits for: "warp 1.12 waits for R4 at cycle 60,000,
 * 0000 FFMA R4, R4, R8, R9, which writes it, has read its registers and waits in an operand
 * collector until the slot before the SP pipe is free".
 *
 * An instruction can wait there for long although it is the oldest, because some collectors go
 * after others (ctascope-model(7) 5.7, 5.8). How long is told by the instructions that the core has
 * issued after it: the model does not keep when an instruction was issued.
 */
#include "debug/debug_part.h"

#include <stdio.h>

static void
add_instruction(struct strbuf *out, const struct inst *d)
{
	sb_printf(out, "%04x %s", d->pc, d->text ? d->text : "");
}

/* Adds where the instruction is, as the end of a sentence about it. */
static void
add_place(struct strbuf *out, const struct warp_hold *h)
{
	switch (h->place) {
	case HOLD_ISSUED:
		sb_str(out, "waits for a free operand collector, which will read its registers");
		break;
	case HOLD_READING:
		sb_str(out, "is in an operand collector, which still reads its registers");
		break;
	case HOLD_COLLECTED:
		sb_printf(out,
			  "has read its registers and waits in an operand collector until the slot "
			  "before the %s pipe is free",
			  h->pipe);
		break;
	case HOLD_BEFORE_PIPE:
		if (h->cycles)
			sb_printf(out, "waits for the %s pipe, which is free in %u cycle%s",
				  h->pipe, h->cycles, h->cycles == 1 ? "" : "s");
		else
			sb_printf(out, "waits until the %s pipe takes it", h->pipe);
		break;
	case HOLD_IN_PIPE:
		sb_printf(out, "is in the %s pipe; its result is written back in %u cycle%s",
			  h->pipe, h->cycles, h->cycles == 1 ? "" : "s");
		break;
	case HOLD_NOWHERE:
		break;
	}
}

/* Adds how many instructions went before, and why they could. */
static void
add_overtaking(struct strbuf *out, const struct sim *s, unsigned core, const struct warp_hold *h)
{
	char number[32];

	if (h->place == HOLD_IN_PIPE || h->place == HOLD_NOWHERE || !h->younger)
		return;
	sb_printf(out, "; core %u has issued %s instruction%s after it", core,
		  debug_number(number, h->younger), h->younger == 1 ? "" : "s");
	if (h->place != HOLD_COLLECTED || !h->comes_last)
		return;
	if (sim_sub_cores(s))
		sb_str(out, ", because the other operand collector of its sub-core has priority "
			    "(ctascope-model(7) 5.8)");
	else
		sb_printf(out, ", because the general operand collectors have priority over those "
			       "of its class (ctascope-model(7) 5.7)");
}

/* Warps of the same CTA that neither have ended nor are at the barrier. */
static unsigned
count_missing_at_barrier(const struct sim *s, unsigned core, const struct warp_view *v)
{
	unsigned n = 0;

	for (unsigned w = 0; w < sim_warps(s); w++) {
		struct warp_view o;

		sim_warp_view(s, core, w, &o);
		n += o.status != WARP_FREE && o.status != WARP_DRAINING &&
		     o.status != WARP_BARRIER && o.cta == v->cta && o.kernel == v->kernel;
	}
	return n;
}

static void
add_instruction_waited_for(const struct sim *s, unsigned core, unsigned warp,
			   const struct warp_view *v, struct strbuf *out)
{
	struct warp_hold h;

	sim_warp_hold(s, core, warp, &h);
	if (v->status == WARP_DRAINING) {
		char number[32];

		sb_str(out, " has issued its last instruction");
		if (h.place != HOLD_NOWHERE) {
			sb_str(out, "; ");
			add_instruction(out, h.inst);
			sb_str(out, " ");
		} else if (v->stores) {
			sb_printf(out, " and waits until %s sector%s of its stores %s acknowledged",
				  debug_number(number, v->stores), v->stores == 1 ? "" : "s",
				  v->stores == 1 ? "is" : "are");
		} else {
			sb_str(out, " and leaves when its accesses to memory have ended and the "
				    "fetch scan comes to it");
		}
	} else {
		sb_printf(out, " waits for R%u", v->wait_reg);
		if (h.place != HOLD_NOWHERE) {
			sb_str(out, ": ");
			add_instruction(out, h.inst);
			sb_str(out, ", which writes it, ");
		} else {
			sb_printf(out, ", whose load is in the load/store unit%s",
				  v->status == WARP_MEMORY ? " or in memory" : "");
		}
	}
	add_place(out, &h);
	add_overtaking(out, s, core, &h);
}

static void
add_readiness(const struct sim *s, unsigned core, unsigned warp, const struct warp_view *v,
	      struct strbuf *out)
{
	struct warp_hold h;

	sim_warp_hold(s, core, warp, &h);
	sb_str(out, " is ready to issue ");
	add_instruction(out, v->next);
	if (h.held_back)
		sb_str(out, ", but the policy holds it back");
	else if (h.no_slot)
		sb_printf(out,
			  ", but the %s instructions before it fill the slots of their class "
			  "(ctascope-model(7) 4.5)",
			  h.pipe);
	else
		sb_str(out, " when the scheduler comes to it");
}

void
debug_why_warp(const struct sim *s, unsigned core, unsigned warp, struct strbuf *out)
{
	struct warp_view v;
	char cycle[32], number[32];
	unsigned n;

	sim_warp_view(s, core, warp, &v);
	sb_printf(out, "warp %u.%u at cycle %s", core, warp, debug_number(cycle, sim_cycle(s)));
	switch (v.status) {
	case WARP_FREE:
	case WARP_STATUSES:
		sb_str(out, " is free: no CTA on this core uses it");
		break;
	case WARP_READY:
		add_readiness(s, core, warp, &v, out);
		break;
	case WARP_MEMORY:
	case WARP_DEPENDENCE:
	case WARP_DRAINING:
		add_instruction_waited_for(s, core, warp, &v, out);
		break;
	case WARP_BARRIER:
		n = count_missing_at_barrier(s, core, &v);
		sb_printf(out, " is at a barrier, to which %u other warp%s of CTA %u %s not come",
			  n, n == 1 ? "" : "s", v.cta, n == 1 ? "has" : "have");
		break;
	case WARP_MEMBAR:
		sb_printf(out,
			  " is at a fence until its accesses to memory have ended; %s sector%s of "
			  "its stores %s not acknowledged",
			  debug_number(number, v.stores), v.stores == 1 ? "" : "s",
			  v.stores == 1 ? "is" : "are");
		break;
	case WARP_ATOMIC:
		sb_str(out,
		       " waits for its atomics to be answered, or for its asynchronous copies");
		break;
	case WARP_UNFETCHED:
		sb_str(out, " waits for the fetch of its next instruction");
		break;
	}
	if (v.held || v.paused)
		sb_printf(out, "; its CTA is %s", v.held ? "held" : "paused");
	sb_str(out, "\n");
}
