/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lifetimes.c - reads the lifetimes of CTAs from the events (lifetimes.h).
 *
 * One pass over the events in their order. `open` has the CTA that is in each slot of each core, so
 * an event finds its CTA without a search. After the last event, the resident CTAs are read from
 * the slots of the machine, and those without an event are added.
 */
#include "export/lifetimes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define EMPTY UINT32_MAX

const char *const cta_state_names[] = {"absent", "running", "paused", "held"};

struct reader {
	struct cta_lifetimes *l;
	unsigned cores;
	uint32_t *open; /* [cores][MAX_CTAS]: index into l->cta, or EMPTY */
};

static uint32_t *
find_slot(const struct reader *r, int core, int slot)
{
	return &r->open[(unsigned)core * MAX_CTAS + (unsigned)slot];
}

/* Adds a CTA of which only the place is known. NULL: out of memory. */
static struct cta_lifetime *
add_cta(const struct reader *r, uint32_t kernel, uint32_t cta, int core, int slot)
{
	struct cta_lifetimes *l = r->l;
	struct cta_lifetime *grown = array_try_grow(l->cta, l->n, sizeof(*grown));

	l->no_memory |= !grown;
	if (!grown)
		return NULL;
	l->cta = grown;
	l->cta[l->n] = (struct cta_lifetime){.kernel = kernel,
					     .cta = cta,
					     .core = core,
					     .slot = slot,
					     .issued = CYCLE_NEVER,
					     .done = CYCLE_NEVER,
					     .first_pause = NO_PAUSE,
					     .last_pause = NO_PAUSE};
	*find_slot(r, core, slot) = (uint32_t)l->n;
	return &l->cta[l->n++];
}

static void
add_pause(struct cta_lifetimes *l, struct cta_lifetime *c, cycle_t from, bool held)
{
	struct cta_pause *grown = array_try_grow(l->pause, l->n_pauses, sizeof(*grown));

	l->no_memory |= !grown;
	if (!grown)
		return;
	l->pause = grown;
	l->pause[l->n_pauses] =
		(struct cta_pause){.from = from, .to = CYCLE_NEVER, .next = NO_PAUSE, .held = held};
	if (c->last_pause == NO_PAUSE)
		c->first_pause = (uint32_t)l->n_pauses;
	else
		l->pause[c->last_pause].next = (uint32_t)l->n_pauses;
	c->last_pause = (uint32_t)l->n_pauses++;
}

/* Finds the CTA of an event, or adds it. */
static struct cta_lifetime *
find_or_add_cta(const struct reader *r, const struct event *ev)
{
	uint32_t i = *find_slot(r, ev->core, ev->slot);
	struct cta_lifetime *c = i == EMPTY ? NULL : &r->l->cta[i];

	if (c && c->cta == ev->cta && c->kernel == ev->kernel)
		return c;
	return add_cta(r, ev->kernel, ev->cta, ev->core, ev->slot);
}

static void
read_event(const struct reader *r, const struct event *ev)
{
	bool wanted = ev->kind == EV_CTA_ISSUE || ev->kind == EV_CTA_DONE || ev->kind == EV_PAUSE ||
		      ev->kind == EV_RESUME;
	struct cta_lifetime *c;

	if (!wanted || ev->cta == UINT32_MAX || ev->core < 0 || ev->slot < 0 ||
	    (unsigned)ev->core >= r->cores || ev->slot >= MAX_CTAS || !(c = find_or_add_cta(r, ev)))
		return;
	if (ev->kind == EV_CTA_ISSUE) {
		c->issued = ev->cycle;
	} else if (ev->kind == EV_PAUSE) {
		c->pauses++;
		add_pause(r->l, c, ev->cycle, ev->held);
	} else {
		if (ev->kind == EV_RESUME && c->last_pause == NO_PAUSE)
			add_pause(r->l, c, 0, false);
		if (c->last_pause != NO_PAUSE && r->l->pause[c->last_pause].to == CYCLE_NEVER)
			r->l->pause[c->last_pause].to = ev->cycle;
	}
	if (ev->kind == EV_CTA_DONE) {
		c->done = ev->cycle;
		*find_slot(r, ev->core, ev->slot) = EMPTY;
	}
}

/* Reads the state of a resident CTA from the machine. */
static void
read_slot(const struct reader *r, unsigned core, unsigned slot, const struct cta_slot_view *v)
{
	struct cta_lifetimes *l = r->l;
	uint32_t i = *find_slot(r, (int)core, (int)slot);
	struct cta_lifetime *c = i == EMPTY ? NULL : &l->cta[i];

	if (!c || c->cta != v->cta || c->kernel != v->kernel)
		c = add_cta(r, v->kernel, v->cta, (int)core, (int)slot);
	if (!c)
		return;
	c->issued = v->issued;
	c->now = v->held ? CTA_STATE_HELD : v->paused ? CTA_STATE_PAUSED : CTA_STATE_RUNNING;
	if (c->now == CTA_STATE_RUNNING)
		return;
	if (c->last_pause == NO_PAUSE || l->pause[c->last_pause].to != CYCLE_NEVER)
		add_pause(l, c, 0, v->held);
	if (c->last_pause != NO_PAUSE)
		l->pause[c->last_pause].held = v->held;
}

static void
read_slots(const struct reader *r, const struct sim *sim)
{
	uint32_t kernels = sim_kernels_started(sim);
	struct core_view v;

	for (unsigned core = 0; kernels && core < r->cores; core++) {
		sim_core_view(sim, core, &v);
		for (unsigned i = 0; i < v.n_slots && i < MAX_CTAS; i++)
			if (v.slot[i].used)
				read_slot(r, core, i, &v.slot[i]);
	}
}

bool
lifetimes_read(struct cta_lifetimes *l, const struct sim *sim)
{
	const struct event_ring *ring = sim_events(sim);
	struct reader r = {.l = l, .cores = sim_instances(sim, "core")};
	const struct event *oldest = event_ring_get(ring, ring->first);

	if (l->sim == sim && l->first == ring->first && l->next == ring->next &&
	    l->generation == series_generation(sim) && l->cycle == sim_cycle(sim))
		return false;
	lifetimes_free(l);
	l->sim = sim;
	l->first = ring->first;
	l->next = ring->next;
	l->generation = series_generation(sim);
	l->cycle = sim_cycle(sim);
	l->kept_from = ring->first && oldest ? oldest->cycle : 0;
	r.open = malloc(sizeof(*r.open) * MAX_CTAS * r.cores);
	l->no_memory = !r.open;
	if (!r.open)
		return true;
	memset(r.open, 0xff, sizeof(*r.open) * MAX_CTAS * r.cores);
	for (uint64_t seq = ring->first; seq < ring->next; seq++)
		read_event(&r, event_ring_get(ring, seq));
	read_slots(&r, sim);
	free(r.open);
	return true;
}

void
lifetimes_free(struct cta_lifetimes *l)
{
	free(l->cta);
	free(l->pause);
	*l = (struct cta_lifetimes){0};
}

cycle_t
lifetime_begin(const struct cta_lifetimes *l, const struct cta_lifetime *c)
{
	return c->issued == CYCLE_NEVER ? l->kept_from : c->issued;
}

cycle_t
lifetime_end(const struct cta_lifetimes *l, const struct cta_lifetime *c)
{
	return c->done == CYCLE_NEVER ? l->cycle : c->done;
}

enum cta_state
lifetime_state(const struct cta_lifetimes *l, const struct cta_lifetime *c, cycle_t cycle)
{
	enum cta_state state = CTA_STATE_RUNNING;

	if (cycle < lifetime_begin(l, c) || cycle >= c->done)
		return CTA_STATE_ABSENT;
	for (uint32_t i = c->first_pause; i != NO_PAUSE; i = l->pause[i].next)
		if (cycle >= l->pause[i].from && cycle < l->pause[i].to)
			state = l->pause[i].held ? CTA_STATE_HELD : CTA_STATE_PAUSED;
	return state;
}
