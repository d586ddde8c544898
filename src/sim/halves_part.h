/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * halves_part.h - private to halves.c, second_team.c and memory_half.c: what the two threads of a
 * stretch share. halves.c says who may do what when.
 */
#ifndef SIM_HALVES_PART_H
#define SIM_HALVES_PART_H

#include "base/partner.h"
#include "sim/halves.h"
#include "sim/visits.h"

#include <stdatomic.h>

enum {
	LEAD_MOST = 256,  /* cycles by which the memory half is ahead */
	LEAD_LEAST = 8,	  /* with less, one thread is faster */
	TEAM_LEAD = 64,	  /* cycles by which the second team is ahead */
	TICKS_KEPT = 1024 /* L2 cycles: at most two in a core cycle, and a few more */
};

/* The most packets that a core sends in a cycle, and more. */
#define MOST_SENT 4

/* A packet that leaves the reply network for a cluster, or a cluster for the request network. */
struct sent {
	uint32_t cycle, cluster, packet;
};

struct accepted {
	uint64_t due;
	uint32_t request, slice;
};

struct returned {
	uint32_t tick, request;
};

/* What goes to one team of cores. The memory half writes it; the team takes what is due. */
struct to_team {
	struct sent *replies;
	struct returned *returned;
};

enum { FIRST, SECOND, TEAMS };

/* The cores that the partner visits, beside the memory half. Its sim is a copy that has its own
 * machine (clocks, ejection masks) and sleepers (which cores are awake). */
struct second_team {
	struct sim s;
	struct machine machine;
	struct sleepers sleep;
	cycle_t until; /* it may run the cycles before it, as last read */
	cycle_t acted; /* as last read */
	cycle_t ejected;
	uint64_t tick;
	uint32_t reply, returned; /* taken so far */
	uint32_t n_sent;
	unsigned pending; /* clocks of a tick that had to wait */
	bool core_ticks;  /* in that tick */
	bool begun;	  /* the cycle */
	bool waits;	  /* a CTA has ended: until the host has acted */

	/* Instead of its ports to the request network: queues that hold what it sends in a cycle.
	 */
	struct fifo *port[NOC_PORTS], *real[NOC_PORTS];
	uint64_t port_mask[NOC_WORDS];
	uint64_t tight[NOC_WORDS], full[NOC_WORDS]; /* ports with little room, and with none */
	uint32_t sent[NOC_PORTS],
		left[NOC_PORTS]; /* left: packets that left the port, as last read */
};

/* Counters of a stretch are reset at its start. What a thread writes in it is not in a line that
 * the other one reads for something else. */
struct halves {
	struct sim *s;
	cycle_t lead;
	uint32_t replies_mask, accepted_mask, sent_mask;
	struct to_team to[TEAMS]; /* rings */
	struct accepted *accepted;
	struct sent *sent; /* by the second team */
	struct second_team *team;
	unsigned first_clusters;	/* of the first team now; the others are the second one's */
	uint64_t first_mask[NOC_WORDS]; /* the same, one bit each */
	uint64_t team_cores[2];		/* of the second team, one bit each */
	bool parted;			/* the halves are on two threads now */
	bool teams;			/* and the partner has the second team, too */

	/* written by the cores' half */
	_Alignas(64) _Atomic cycle_t limit; /* the memory half may run the cycles before it */
	_Atomic cycle_t last;		    /* where the stretch ends; it may come nearer */
	_Alignas(64) _Atomic cycle_t
		ejected; /* the ejection buffers were served in the cycles before it */
	_Atomic uint32_t n_accepted;
	_Alignas(64) _Atomic cycle_t acted;  /* the host has acted after the cycles before it */
	_Atomic cycle_t team_limit;	     /* the second team may run the cycles before it */
	_Alignas(64) _Atomic cycle_t netted; /* the request network has run the cycles before it */
	_Atomic uint32_t left[NOC_PORTS];    /* packets that left the ports of the second team */

	/* written by each team: replies that left its ejection buffers */
	_Alignas(64) _Atomic uint32_t given[TEAMS][NOC_PORTS];

	/* written by the partner */
	_Alignas(64) _Atomic cycle_t done;	/* cycles before it, by the memory half */
	_Atomic uint64_t ticks;			/* L2 cycles done */
	_Atomic uint32_t n_replies, n_returned; /* for the first team */
	_Alignas(64) _Atomic cycle_t team_done; /* cycles before it, by the second team */
	_Atomic uint32_t n_sent;
	_Atomic cycle_t freed_in; /* the last cycle in which a CTA ended, plus 1 */
	uint64_t freed[2]; /* cores on which one did; the team waits until the host has acted */
	_Alignas(64) atomic_bool asks; /* it wants to know netted and left */
	_Alignas(64) uint64_t room[TICKS_KEPT];

	_Alignas(64) struct {
		cycle_t limit, last;	      /* its own copies */
		cycle_t done, safe, check_at; /* done, ticks: as last read */
		cycle_t kernel_end;	      /* no kernel ends before it */
		cycle_t team_done;	      /* as last read */
		cycle_t team_limit;	      /* its own copy */
		uint64_t ticks, tick;
		uint32_t n_replies, n_returned, n_sent; /* as last read */
		uint32_t reply, returned, sent;		/* taken so far */
		uint32_t n_accepted;
		uint32_t entered[NOC_PORTS]; /* packets that entered the second team's ports */
		bool ends;
		bool local; /* the policies decide by core, and nothing is forced */
		bool alone; /* what the host does next concerns the first team only */
	} cores;

	_Alignas(64) struct {
		struct clocks clock;
		cycle_t cycle, limit;
		uint64_t tick, room;
		uint32_t accepted;
		uint32_t n_replies[TEAMS], n_returned[TEAMS]; /* handed over */
		uint32_t moved[NOC_PORTS], given[NOC_PORTS];  /* given: as last read */
		unsigned pending; /* clocks of a tick that had to wait */
	} memory;
};

static inline bool
halves_is_behind(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

/* Replies that entered the ejection buffers of a team before this cycle. Returns how many are taken
 * now. */
static inline uint32_t
halves_take_replies(const struct halves *h, unsigned team, struct sim *s, uint32_t taken,
		    uint32_t n, cycle_t now)
{
	for (; taken != n; taken++) {
		const struct sent *r = &h->to[team].replies[taken & h->replies_mask];

		if (!halves_is_behind(r->cycle, (uint32_t)now))
			break;
		fifo_restart_push(s->eject[r->cluster], r->packet);
		s->machine->eject_mask[r->cluster / 64] |= UINT64_C(1) << r->cluster % 64;
	}
	return taken;
}

/* Requests of a team's pool that are done by this L2 cycle, likewise. */
static inline uint32_t
halves_take_returned(const struct halves *h, unsigned team, struct sim *s, uint32_t taken,
		     uint32_t n, uint64_t tick)
{
	for (; taken != n; taken++) {
		const struct returned *r = &h->to[team].returned[taken & h->accepted_mask];

		if (halves_is_behind((uint32_t)tick, r->tick))
			break;
		req_sector_done(sim_pool_of(s, s->req[r->request].core), s->req, r->request);
	}
	return taken;
}

/* Moves the head reply of each cluster's ejection buffer to its core. */
static inline void
halves_serve_ejection(struct halves *h, unsigned team, struct sim *s)
{
	uint64_t *mask = s->machine->eject_mask;

	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t k = mask[word]; k; k &= k - 1) {
			unsigned i = word * 64 + (unsigned)__builtin_ctzll(k);
			struct fifo *q = s->eject[i];
			_Atomic uint32_t *given = &h->given[team][i];

			if (!give_reply(s, fifo_front(q)))
				continue;
			fifo_pop(q);
			atomic_store_explicit(given,
					      atomic_load_explicit(given, memory_order_relaxed) + 1,
					      memory_order_release);
			mask[word] &= ~((uint64_t)!q->n << i % 64);
		}
}

/* memory_half.c */
void halves_enter_accepted(struct halves *h); /* passes accepted requests on to their slices */
void halves_give_back(void *ctx, uint32_t request); /* a core's write-back is done */
void halves_run_partner(void *ctx);

/* second_team.c: the team is in what the caller of halves_run() allocated. */
struct second_team *second_team_new(const struct sim *s);
void second_team_free(struct second_team *t);
void second_team_part(struct halves *h); /* takes its cores out of h->s */
void second_team_join(struct halves *h); /* gives them back */
/* Runs a cycle, or the part of one that can be run. Returns whether it did anything. */
bool second_team_step(struct halves *h);

#endif
