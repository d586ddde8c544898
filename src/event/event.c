/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event.c - the table of events, and the ring that keeps the most recent ones.
 *
 * The ring is one block of memory (part of the snapshot): adding never allocates; the newest event
 * replaces the oldest. Positions (seq) count over the whole run, so a reader that remembers one can
 * distinguish "dropped" from "not yet happened". The rule of an event, defined elsewhere, gives its
 * numbers their meaning.
 */
#include "base/ascii.h"
#include "ctascope/event.h"

#include <string.h>

const struct event_row event_rows[EV_KINDS] = {
#define EVENT(id, name, help) {name, help},
#include "ctascope/events.def"
};

int
event_find(const char *name)
{
	size_t n = strlen(name);
	int found = -1;

	for (int k = 0; k < EV_KINDS; k++) {
		if (!ascii_same_start(event_rows[k].name, name, n))
			continue;
		if (event_rows[k].name[n] == '\0')
			return k; /* exact: "credit" is also a prefix of "credit-exhausted" */
		found = found < 0 && n ? k : EV_KINDS;
	}
	return found < EV_KINDS ? found : -1;
}

static uint32_t
ring_slots(uint32_t events)
{
	uint32_t n = 1;

	while (n < events && n < UINT32_C(1) << 31)
		n <<= 1;
	return n;
}

size_t
event_ring_size(uint32_t events)
{
	return sizeof(struct event_ring) + (size_t)ring_slots(events) * sizeof(struct event);
}

void
event_ring_init(struct event_ring *r, uint32_t events)
{
	memset(r, 0, sizeof(*r));
	r->mask = ring_slots(events) - 1;
}

void
event_ring_add(struct event_ring *r, struct event *ev)
{
	ev->seq = r->next++;
	r->ev[ev->seq & r->mask] = *ev;
	if (r->next - r->first > (uint64_t)r->mask + 1)
		r->first = r->next - r->mask - 1;
	r->count[ev->kind]++;
}

const struct event *
event_ring_get(const struct event_ring *r, uint64_t seq)
{
	return seq >= r->first && seq < r->next ? &r->ev[seq & r->mask] : NULL;
}
