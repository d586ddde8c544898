/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests.c - the oldest request of each core (src/sim/request_look.c), cycle by cycle: it only
 * moves forward through the machine, each place is seen, and the next oldest one was sent later. At
 * the end none is left. The sum over the cores is what the pool has in use.
 */
#include "sim/sim_priv.h"
#include "tests/small/small.h"
#include "tests/tap.h"

#define KINDS 3

struct followed {
	struct request_view last[SMALL_CORES][KINDS];
	bool there[SMALL_CORES][KINDS];
	unsigned seen[REQUEST_PLACES], backwards, younger, nowhere, too_many, kinds[KINDS];
};

/* Is any packet in the network, or in the buffers behind it? */
static bool
holds_packets(const struct sim *s, const struct net_env *e)
{
	const struct net *n = e->net;

	return n->in_mask[0] | n->out_mask[0] | n->flying ||
	       (e->reply && s->machine->eject_mask[0]);
}

static uint32_t
used_by_cores(const struct sim *s)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < CORE_POOLS; i++)
		n += s->pool[i].used;
	return n;
}

static void
follow(const struct sim *s, struct followed *f)
{
	uint32_t n = 0;

	for (unsigned c = 0; c < SMALL_CORES; c++)
		for (unsigned k = 0; k < KINDS; k++) {
			struct request_view *old = &f->last[c][k], v;
			bool there = sim_oldest_request(s, c, (enum request_kind)k, &v);

			n += v.n;
			if (there) {
				f->seen[v.place]++;
				f->kinds[k]++;
				f->nowhere += (v.place == REQUEST_TO_SLICE &&
					       !holds_packets(s, &s->request)) ||
					      (v.place == REQUEST_TO_CORE &&
					       !holds_packets(s, &s->reply));
			}
			if (there && f->there[c][k] && old->sent != CYCLE_NEVER) {
				f->backwards += v.sent == old->sent && v.place < old->place;
				f->younger += v.sent < old->sent;
			}
			f->there[c][k] = there;
			*old = v;
		}
	f->too_many += n > used_by_cores(s);
}

static void
test_machine(struct config *k, const char *name, bool fetches)
{
	struct trace *t = small_trace();
	struct err e = {0};
	struct sim *s = sim_new(k, t, &e);
	struct followed f = {0};

	if (!s)
		small_die(name, &e);
	while (!sim_done(s)) {
		sim_run(s, sim_cycle(s) + 1, &e);
		follow(s, &f);
	}
	is_u64(f.backwards, 0, "%s: no request moves back", name);
	is_u64(f.younger, 0, "%s: the oldest one was sent first", name);
	is_u64(f.too_many, 0, "%s: no more of them than the pool has in use", name);
	is_u64(f.nowhere, 0, "%s: none is in a network that is empty", name);
	ok(f.kinds[REQUEST_DATA] && f.kinds[REQUEST_STORE] && (!fetches || f.kinds[REQUEST_INST]),
	   "%s: of each kind: %u %u %u", name, f.kinds[0], f.kinds[1], f.kinds[2]);
	ok(f.seen[REQUEST_IN_CORE] && f.seen[REQUEST_TO_SLICE] && f.seen[REQUEST_IN_SLICE] &&
		   f.seen[REQUEST_IN_DRAM] && f.seen[REQUEST_TO_CORE],
	   "%s: seen on the way: core %u, to L2 %u, L2 %u, DRAM %u, answered %u, to the core %u, "
	   "there %u",
	   name, f.seen[0], f.seen[1], f.seen[2], f.seen[3], f.seen[4], f.seen[5], f.seen[6]);
	for (unsigned c = 0; c < SMALL_CORES; c++)
		ok(!f.there[c][REQUEST_DATA], "%s: none of core %u is left at the end", name, c);
	sim_free(s);
	trace_close(t);
	config_free(k);
}

int
main(void)
{
	test_machine(small_config("rr"), "small", true);
	test_machine(small_modern_config("rr"), "modern", false); /* its fetches always hit */
	return done();
}
