/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event.h - events: records of what happened in the model.
 *
 * The model emits an event wherever a user may want to stop. Each is kept in a ring of the last
 * events (part of the snapshot) and passed to the only listener, if that requested its kind.
 * Records contain numbers, never text; src/cta/text.c makes the sentence.
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
#define POLICY_HOST 0xff /* event.policy of events that the host, not a policy, emits */

/* v holds the values that the deciding rule names. The host's values have their own fields. */
struct event {
	uint64_t seq;  /* 0, 1, 2 ... over the run: the event's position */
	cycle_t cycle; /* the cycle in which it happened: core cycles completed by then */
	int64_t v[EVENT_VALUES];
	uint32_t cta;	  /* UINT32_MAX: none */
	uint32_t kernel;  /* index into trace_info.kernel */
	int16_t core;	  /* -1: none */
	int8_t slot;	  /* CTA slot on the core, -1: none */
	uint8_t resident; /* CTAs on the core after the event */
	uint8_t among;	  /* pause: the number of running CTAs, of which this is the youngest;
			     resume: of paused CTAs, of which this is the oldest; else 0 */
	uint8_t limit_before, limit; /* a core's limit n before and after the decision; 0: the
					event is not about a limit */
	uint8_t kind;		     /* enum event_kind */
	uint8_t policy;		     /* index among the policies of the run, or POLICY_HOST */
	uint8_t rule;		     /* index into that policy's rules, or the host's */
	uint8_t held; /* pause: 1: the warps of the CTA do not issue even when no other warp can */
	uint8_t reserved[5]; /* always 0, because records are compared as bytes and padding is not
				initialized */
};

struct event_row {
	const char *name, *help;
};
extern const struct event_row event_rows[EV_KINDS];

/* Returns the kind with that exact name or unique prefix; -1: unknown or ambiguous. */
int event_find(const char *name);

/* A ring of the last events, from seq `first` up to but not including `next`. Its size is a power
 * of two. */
struct event_ring {
	uint64_t first, next;
	uint64_t count[EV_KINDS]; /* events of each kind over the whole run */
	uint32_t mask;
	uint32_t pad;
	struct event ev[];
};
/* Returns the bytes of a ring for that many events, rounded up to a power of two. */
size_t event_ring_size(uint32_t events);
void event_ring_init(struct event_ring *r, uint32_t events);
void event_ring_add(struct event_ring *r, struct event *ev); /* sets ev->seq */
/* NULL: the event was dropped, or has not happened yet. */
const struct event *event_ring_get(const struct event_ring *r, uint64_t seq);

#endif
