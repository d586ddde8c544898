/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event.h - what happened, as one plain record.
 *
 * The model emits an event where something a user may want to stop at happens. Every event is kept
 * in a ring of the last ones (part of the snapshot) and handed to the one listener, if its kind is
 * wanted. Records carry numbers, never text; src/cta/text.c makes the sentence.
 */
#ifndef CTASCOPE_EVENT_H
#define CTASCOPE_EVENT_H

#include "ctascope/base.h"

enum event_kind {
#define EVENT(id, name, help) EV_##id,
#include "ctascope/events.def"
	EV_KINDS
};

#define EV_BIT(k) (UINT64_C(1) << (k))
#define EV_ALL (~UINT64_C(0))
#define EVENT_VALUES 6
#define POLICY_HOST 0xff /* event.policy when the host, not a policy, speaks */

/* v holds what the rule that decided names. Of what the host knows it has fields of its own. */
struct event {
	uint64_t seq;  /* 0, 1, 2 ... over the run: the event's position */
	cycle_t cycle; /* core cycles completed when it happened: the cycle it happened in */
	int64_t v[EVENT_VALUES];
	uint32_t cta;	  /* UINT32_MAX: none */
	uint32_t kernel;  /* index into trace_info.kernel */
	int16_t core;	  /* -1: none */
	int8_t slot;	  /* CTA slot on the core, -1: none */
	uint8_t resident; /* CTAs on the core when it had happened */
	uint8_t among; /* pause: running CTAs of which this is the youngest; resume: paused ones of
			  which it is the oldest; else 0 */
	uint8_t limit_before, limit; /* of a decision about a core's limit n: before and after it;
					0: the event is about no limit */
	uint8_t kind;		     /* enum event_kind */
	uint8_t policy;		     /* of the policies there may be in this run, or POLICY_HOST */
	uint8_t rule;		     /* index into that policy's rules, or the host's */
	uint8_t held; /* pause: 1: the warps of the CTA do not issue even when no other warp can */
	uint8_t reserved[5]; /* 0: records are compared as bytes, and these would be unknown */
};

struct event_row {
	const char *name, *help;
};
extern const struct event_row event_rows[EV_KINDS];

int event_find(
	const char *name); /* kind of that exact name or unique prefix, -1: unknown or ambiguous */

/* The last events. Oldest kept is seq `first`; next to come is `next`. Size is a power of two. */
struct event_ring {
	uint64_t first, next;
	uint64_t count[EV_KINDS]; /* over the whole run */
	uint32_t mask;
	uint32_t pad;
	struct event ev[];
};
size_t event_ring_size(uint32_t events); /* bytes for that many (rounded up to a power of two) */
void event_ring_init(struct event_ring *r, uint32_t events);
void event_ring_add(struct event_ring *r, struct event *ev); /* sets ev->seq */
const struct event *event_ring_get(const struct event_ring *r,
				   uint64_t seq); /* NULL: dropped or to come */

#endif
