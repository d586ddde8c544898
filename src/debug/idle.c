/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * idle.c - says in one sentence why a core issues nothing: "core 12 issues nothing at cycle 4,096:
 * all 24 warps wait for memory; the oldest of 30 requests was sent 312 cycles ago and is in the
 * reply network".
 *
 * The answer describes the warps at the end of the cycle. What the core did over time is in the
 * classes of cycles. A state that a policy set comes first, with the event that began it.
 */
#include "debug/debug_part.h"

#include <inttypes.h>
#include <stdio.h>

/* "all 24 warps", "the only warp", "3 of 24 warps" */
static void
add_warps(struct strbuf *out, unsigned n, unsigned all)
{
	if (n == all && all == 1)
		sb_str(out, "the only warp");
	else if (n == all)
		sb_printf(out, "all %u warps", all);
	else
		sb_printf(out, "%u of %u warps", n, all);
}

/* Adds where the oldest request is that the warps wait for. */
static void
add_request(const struct sim *s, unsigned core, enum request_kind kind, struct strbuf *out)
{
	static const struct {
		const char *text;
		enum { NOWHERE, SLICE, CHANNEL } which; /* its number follows */
	} place[REQUEST_PLACES] = {
		[REQUEST_TO_SLICE] = {"is in the request network", NOWHERE},
		[REQUEST_IN_SLICE] = {"waits in L2 slice", SLICE},
		[REQUEST_IN_DRAM] = {"waits for DRAM channel", CHANNEL},
		[REQUEST_ANSWERED] = {"waits for the reply network in L2 slice", SLICE},
		[REQUEST_TO_CORE] = {"has its data in the reply network", NOWHERE},
		[REQUEST_ARRIVED] = {"has its data at the core", NOWHERE},
	};
	struct request_view v;
	char age[32];

	if (!sim_oldest_request(s, core, kind, &v)) {
		out->failed |= v.out_of_memory;
		if (kind == REQUEST_DATA)
			sb_str(out,
			       "; no request has left the core: the loads are in its load/store "
			       "unit");
		return;
	}
	if (v.sent == CYCLE_NEVER) {
		sb_str(out, "; their requests wait in the core for room in the network");
		return;
	}
	if (v.n == 1)
		sb_str(out, "; the request ");
	else
		sb_printf(out, "; the oldest of %u requests ", v.n);
	sb_printf(out, "was sent %s cycles ago and %s", debug_number(age, sim_cycle(s) - v.sent),
		  place[v.place].text);
	if (place[v.place].which != NOWHERE)
		sb_printf(out, " %u", place[v.place].which == SLICE ? v.slice : v.channel);
}

static void
add_why_no_cta(const struct sim *s, unsigned core, struct strbuf *out)
{
	struct refusal_view why;

	sb_str(out, "it holds no CTA");
	if (sim_done(s))
		sb_str(out, ", because the program has ended");
	else if (sim_cycle(s) == 0)
		sb_str(out, ", because nothing has run yet");
	else if (sim_why_not(s, core, &why) || why.kind == REFUSE_NONE)
		sb_str(out, ", and takes one when its turn comes");
	else
		sb_printf(out, "; %s", why.text);
}

/* Adds how many warps wait for what. */
static void
add_mixture(const struct core_view *v, struct strbuf *out)
{
	const struct {
		unsigned n;
		const char *what;
	} part[] = {{v->warps_memory, "for memory"},
		    {v->warps_dependence, "for the result of an instruction"},
		    {v->warps_unfetched, "for a fetch"},
		    {v->warps_barrier, "at a barrier"}};
	const char *before = "";

	for (unsigned i = 0; i < ARRAY_LEN(part); i++) {
		if (!part[i].n)
			continue;
		sb_str(out, before);
		if (!*before)
			add_warps(out, part[i].n, v->warps);
		else
			sb_printf(out, "%u", part[i].n);
		sb_printf(out, " wait%s %s", part[i].n == 1 ? "s" : "", part[i].what);
		before = ", ";
	}
	if (v->warps_done)
		sb_printf(out, ", %u ha%s finished", v->warps_done,
			  v->warps_done == 1 ? "s" : "ve");
}

static void
add_waits(const struct sim *s, const struct core_view *v, struct strbuf *out)
{
	unsigned core = v->core;

	switch (core_wait_of(v)) {
	case WAIT_NOTHING:
	case WAIT_POLICY:
		add_warps(out, v->warps_ready, v->warps);
		sb_printf(out, " %s ready%s", v->warps_ready == 1 ? "is" : "are",
			  v->warps_held_back && v->state == CORE_ACTIVE
				  ? ", but the policy holds them back"
				  : "");
		if (v->warps_memory) {
			sb_printf(out, ", %u wait%s for memory", v->warps_memory,
				  v->warps_memory == 1 ? "s" : "");
			add_request(s, core, REQUEST_DATA, out);
		}
		break;
	case WAIT_CTA:
		add_why_no_cta(s, core, out);
		break;
	case WAIT_MEMORY:
		add_warps(out, v->warps_memory, v->warps);
		sb_printf(out, " wait%s for memory", v->warps == 1 ? "s" : "");
		if (v->warps_barrier)
			sb_printf(out, ", %u at a barrier for them", v->warps_barrier);
		add_request(s, core, REQUEST_DATA, out);
		break;
	case WAIT_RESULT:
		add_mixture(v, out);
		if (v->warps_memory)
			add_request(s, core, REQUEST_DATA, out);
		break;
	case WAIT_FETCH:
		add_warps(out, v->warps_unfetched, v->warps);
		sb_printf(out, " wait%s for the fetch of an instruction", v->warps == 1 ? "s" : "");
		add_request(s, core, REQUEST_INST, out);
		break;
	case WAIT_BARRIER:
		add_warps(out, v->warps_barrier, v->warps);
		sb_str(out, " are at a barrier");
		break;
	case WAIT_HELD:
		sb_str(out, "the policy holds its CTAs");
		break;
	case WAIT_END:
	case CORE_WAITS:
		sb_str(out, "its warps have finished");
		add_request(s, core, REQUEST_STORE, out);
	}
}

/* The event that began the present state of a core; NULL: it is no longer kept. */
static const struct event *
find_state_event(const struct sim *s, unsigned core)
{
	const struct event_ring *ring = sim_events(s);
	const uint64_t states =
		EV_BIT(EV_DRAIN) | EV_BIT(EV_THROTTLE) | EV_BIT(EV_CORE_PAUSE) | EV_BIT(EV_GATE);

	for (uint64_t seq = ring->next; seq > ring->first; seq--) {
		const struct event *ev = event_ring_get(ring, seq - 1);

		if (ev && ev->core == (int)core && states & EV_BIT(ev->kind))
			return ev;
	}
	return NULL;
}

static void
add_state(const struct sim *s, const struct core_view *v, struct strbuf *out)
{
	const struct event *ev = find_state_event(s, v->core);
	char text[400], cycle[32];

	sb_printf(out, "it is %s", core_state_names[v->state]);
	if (!ev)
		return;
	sim_event_cause(s, ev, text, sizeof(text));
	sb_printf(out, " since cycle %s (%s%s%s)", debug_number(cycle, ev->cycle),
		  sim_event_policy(s, ev), *text ? ": " : "", text);
}

void
debug_why_idle(const struct sim *s, unsigned core, struct strbuf *out)
{
	struct core_view v;
	char cycle[32];
	bool ready;

	sim_core_view(s, core, &v);
	ready = core_wait_of(&v) == WAIT_NOTHING && v.state != CORE_OFF && v.state != CORE_PAUSED;
	debug_number(cycle, sim_cycle(s));
	if (ready && sim_unit_blocked(s, core)) {
		sb_printf(out, "core %u at cycle %s: ", core, cycle);
		add_warps(out, v.warps_ready, v.warps);
		sb_printf(out,
			  " %s ready, but memory blocks the load/store unit (%u of %u miss "
			  "registers in use)",
			  v.warps_ready == 1 ? "is" : "are", v.mshr_used, v.mshr_max);
		add_request(s, core, REQUEST_DATA, out);
	} else if (ready) {
		sb_printf(out, "core %u is not idle at cycle %s: ", core, cycle);
		add_warps(out, v.warps_ready - v.warps_held_back, v.warps);
		sb_printf(out, " %s ready to issue",
			  v.warps_ready - v.warps_held_back == 1 ? "is" : "are");
		if (v.warps_held_back)
			sb_printf(out, ", %u more %s held back by the policy", v.warps_held_back,
				  v.warps_held_back == 1 ? "is" : "are");
	} else {
		sb_printf(out, "core %u issues nothing at cycle %s: ", core, cycle);
	}
	if (v.state != CORE_ACTIVE) {
		sb_str(out, ready ? "; " : "");
		add_state(s, &v, out);
	}
	if (!ready && v.state != CORE_OFF) {
		sb_str(out, v.state != CORE_ACTIVE ? "; " : "");
		add_waits(s, &v, out);
	}
	sb_str(out, "\n");
}
