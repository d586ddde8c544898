/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ring.c - the table of events and the ring of recent events. */
#include "ctascope/event.h"

#include "tests/tap.h"

static void
table(void)
{
	for (int i = 0; i < EV_KINDS; i++) {
		ok(event_rows[i].name && *event_rows[i].name && strlen(event_rows[i].help) > 10,
		   "event %d has a name and a help line", i);
		is_u64((uint64_t)event_find(event_rows[i].name), (uint64_t)i, "%s is found",
		       event_rows[i].name);
	}
	is_u64((uint64_t)event_find("credit-"), EV_CREDIT_EXHAUSTED, "by a unique beginning too");
	is_u64((uint64_t)event_find("credit"), EV_CREDIT, "an exact name wins over a longer one");
	ok(event_find("cta") < 0 && event_find("p") < 0, "ambiguous beginnings are not");
	ok(event_find("") < 0 && event_find("foo") < 0 && event_find("pauses") < 0,
	   "unknown names are not");
}

static void
ring(void)
{
	struct event_ring *r = malloc(event_ring_size(5));
	struct event ev = {.kind = EV_PAUSE, .core = 3};

	event_ring_init(r, 5);
	is_u64(r->mask + 1, 8, "the size is rounded up to a power of two");
	ok(!event_ring_get(r, 0), "an empty ring has no event");
	for (unsigned i = 0; i < 20; i++) {
		ev.cycle = 100 + i;
		ev.kind = i % 2 ? EV_PAUSE : EV_RESUME;
		event_ring_add(r, &ev);
		if (ev.seq != i)
			ok(false, "event %u has position %ju", i, (uintmax_t)ev.seq);
	}
	is_u64(r->next, 20, "positions count on");
	is_u64(r->first, 12, "the oldest give way");
	ok(!event_ring_get(r, 11) && !event_ring_get(r, 20),
	   "dropped and coming ones are not there");
	is_u64(event_ring_get(r, 12)->cycle, 112, "the oldest kept is whole");
	is_u64(event_ring_get(r, 19)->cycle, 119, "and the newest");
	is_u64(r->count[EV_PAUSE], 10, "kinds are counted over the whole run");
	free(r);
	r = malloc(event_ring_size(1));
	event_ring_init(r, 1);
	event_ring_add(r, &ev);
	event_ring_add(r, &ev);
	ok(r->first == 1 && event_ring_get(r, 1) && !event_ring_get(r, 0), "a ring of one");
	free(r);
}

int
main(void)
{
	table();
	ring();
	return done();
}
