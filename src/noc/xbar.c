/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xbar.c - a crossbar of flits (Kayiran Table 1: 16-byte channels, 4 virtual channels of 4 flits,
 * routing delay 2, channel latency 2, input speedup 2).
 *
 *   buffer of packets -> channel, a flit a cycle -> virtual channel -> switch -> channel -> buffer
 *
 * A packet takes an idle virtual channel of its input and keeps it until its last flit has gone
 * through the switch (wormhole). Credits keep a flit from leaving before its virtual channel has
 * room, and a head flit from passing the switch before the output buffer has room for the packet.
 * The switch grants each output one flit a cycle, round robin over inputs and channels, and each
 * input up to `input_speedup` flits.
 *
 * Nothing is looked at that cannot move. A virtual channel stands in the mask of its output from
 * the cycle its next flit is at the switch; a calendar knows which that is. A packet that fits into
 * its virtual channel ("short") never waits for a credit, and behind its head no flit of it ever
 * comes late, so it is entered at once: what is left to know is when its channel is free. Longer
 * ones enter flit by flit, and an input without a credit is left alone until a flit has gone on.
 *
 * Left out: separate allocation stages, output virtual channels (an output interleaves packets).
 */
#include "noc/noc_flit.h"
#include <string.h>

#define SLOT_WORDS (NOC_PORTS * NOC_VCS / 64)
#define CALENDAR 64 /* more cycles than a flit takes to the switch, or a short packet to enter */

/* A packet in a virtual channel of an input. */
struct xbar_vc {
	uint32_t packet;
	uint16_t total, entered, left; /* flits: of the packet, come in, gone on */
	uint8_t dest;
	uint8_t input; /* whose it is */
	uint8_t is_long;
	uint8_t pad[3];
};

struct xbar_input {
	uint8_t filling; /* virtual channel that a long packet enters, where `filling` says so */
	uint8_t next_vc;
	uint8_t active; /* virtual channels that hold a packet, one bit each */
	uint8_t pad;
};

/* Virtual channels are numbered over all inputs: input * vcs + channel is a slot. */
struct xbar {
	/* inputs: whose channel a packet is on; of those, with a long one; of those, without a
	 * credit; inputs without an idle virtual channel */
	uint64_t taken[NOC_WORDS], filling[NOC_WORDS], stuck[NOC_WORDS], full[NOC_WORDS];
	uint64_t wanted[NOC_WORDS]; /* outputs with slots in `go` */
	uint64_t head[SLOT_WORDS];  /* slots in `go` with a head flit */
	struct xbar_input input[NOC_PORTS];
	uint64_t go[NOC_PORTS * SLOT_WORDS]; /* per output, slots with a flit at the switch */
	/* per cycle: inputs that a short packet leaves; slots whose next flit comes to the switch
	 */
	uint64_t freed[CALENDAR * NOC_WORDS], due[CALENDAR * SLOT_WORDS];
	struct xbar_vc vc[NOC_PORTS * NOC_VCS];
	/* per slot, of a long packet: cycle from which flit k % NOC_VC_FLITS may go on */
	uint32_t ready[][NOC_VC_FLITS];
};

/* How many words the masks over slots and ports have: constants in the loops of small networks. */
struct width {
	unsigned slots, ports;
};

size_t
net_xbar_bytes(const struct noc_cfg *k, unsigned n_in)
{
	return sizeof(struct xbar) + (size_t)n_in * k->vcs * sizeof(uint32_t[NOC_VC_FLITS]);
}

/* Enters flit by flit. */
static inline bool
is_long(const struct net_env *e, unsigned flits)
{
	return flits > MIN(e->cfg->vc_buffer, CALENDAR - 1u);
}

static inline uint64_t
bit_of(unsigned i)
{
	return UINT64_C(1) << i % 64;
}

/* ---------------------------------------------------------------- the calendar */

/* Packets that come to their output, channels that become free, flits that come to the switch. */
static ALWAYS_INLINE void
turn_page(struct net_env *e, struct width n, uint64_t x)
{
	struct xbar *b = e->xbar;
	uint64_t *freed = &b->freed[x % CALENDAR * n.ports];
	uint64_t *due = &b->due[x % CALENDAR * n.slots];

	flit_arrive(e, n.ports, x);
	for (unsigned k = 0; k < n.ports; k++) {
		b->taken[k] &= ~freed[k];
		freed[k] = 0;
	}
	for (unsigned k = 0; k < n.slots; k++) {
		for (uint64_t m = due[k]; m; m &= m - 1) {
			const struct xbar_vc *v = &b->vc[k * 64 + (unsigned)__builtin_ctzll(m)];

			b->go[v->dest * n.slots + k] |= m & -m;
			b->wanted[v->dest / 64] |= bit_of(v->dest);
			if (!v->left)
				b->head[k] |= m & -m;
		}
		due[k] = 0;
	}
}

/* The next flit of a slot comes to the switch at a later cycle. */
static inline void
set_due(struct xbar *b, struct width n, unsigned slot, uint64_t at)
{
	b->due[at % CALENDAR * n.slots + slot / 64] |= bit_of(slot);
}

/* ---------------------------------------------------------------- the switch */

/* A flit of a long packet has gone on: false when the next one is not here yet. */
static NOINLINE bool
next_flit(struct xbar *b, struct width n, unsigned s, uint64_t x)
{
	const struct xbar_vc *v = &b->vc[s];
	uint32_t at = b->ready[s][v->left % NOC_VC_FLITS];

	b->stuck[v->input / 64] &=
		~bit_of(v->input); /* if the credit is not its own, it waits on */
	if (v->left < v->entered && (int32_t)(at - (uint32_t)x) <= 1)
		return true;
	if (v->left < v->entered)
		set_due(b, n, s, at);
	return false;
}

/* The flit of slot s at the switch goes to output o. Is the next one there? */
static ALWAYS_INLINE bool
cross(struct net_env *e, struct width n, unsigned s, unsigned o, uint64_t x)
{
	struct xbar *b = e->xbar;
	struct xbar_vc *v = &b->vc[s];
	unsigned i = v->input;
	bool first = !v->left; /* no branch: it is anybody's guess */

	e->outputs->reserved[o] = (uint16_t)(e->outputs->reserved[o] + first);
	b->head[s / 64] &= ~((uint64_t)first << s % 64);
	if (++v->left < v->total)
		return likely(!v->is_long) || next_flit(b, n, s, x);
	flit_last(e, o, v->packet, x);
	b->input[i].active &= (uint8_t) ~(1u << (s - i * e->cfg->vcs));
	b->full[i / 64] &= ~bit_of(i);
	return false;
}

/* The slot that output o serves: the first one at or behind its pointer, going round, that may send
 * and whose head flit, if it is one, finds room for the packet. UINT_MAX: none. */
static ALWAYS_INLINE unsigned
choose_slot(const struct net_env *e, struct width n, unsigned o, const uint64_t *spent)
{
	const struct xbar *b = e->xbar;
	uint64_t can[SLOT_WORDS];

	for (unsigned w = 0; w < n.slots; w++)
		can[w] = b->go[o * n.slots + w] & ~spent[w];
	if (unlikely(!flit_room(e, o)))
		for (unsigned w = 0; w < n.slots; w++)
			can[w] &= ~b->head[w];
	if (n.slots == 1) {
		uint64_t behind = can[0] & ~UINT64_C(0) << e->n->next[o];

		return can[0] ? (unsigned)__builtin_ctzll(behind ? behind : can[0]) : UINT_MAX;
	}
	return net_first(can, n.slots, e->n->next[o]);
}

/* Each wanted output takes one flit. */
static ALWAYS_INLINE void
switch_flits(struct net_env *e, struct width n, uint64_t x)
{
	struct xbar *b = e->xbar;
	const unsigned vcs = e->cfg->vcs, slots = e->n_in * vcs, most = e->cfg->input_speedup;
	uint64_t spent[SLOT_WORDS]; /* slots of inputs that have sent all they may */
	uint8_t sent[NOC_PORTS];    /* flits per input */
	unsigned flits = 0;

	memset(spent, 0, n.slots * sizeof(*spent));
	memset(sent, 0, n.ports * 64);
	for (unsigned k = 0; k < n.ports; k++)
		for (uint64_t m = b->wanted[k]; m; m &= m - 1) {
			unsigned o = k * 64 + (unsigned)__builtin_ctzll(m);
			unsigned s = choose_slot(e, n, o, spent), i;
			uint64_t left = 0;

			if (unlikely(s == UINT_MAX))
				continue;
			flits++;
			i = b->vc[s].input;
			if (unlikely(++sent[i] == most))
				for (unsigned c = i * vcs; c < (i + 1) * vcs; c++)
					spent[c / 64] |= bit_of(c);
			e->n->next[o] = s + 1 == slots ? 0 : s + 1;
			if (cross(e, n, s, o, x))
				continue;
			b->go[o * n.slots + s / 64] &= ~bit_of(s);
			for (unsigned w = 0; w < n.slots; w++)
				left |= b->go[o * n.slots + w];
			b->wanted[k] &= ~((uint64_t)!left << o % 64);
		}
	e->n->st.flits += flits;
}

/* ---------------------------------------------------------------- the inputs */

/* The next packet of input i takes an idle virtual channel; there is one. */
static ALWAYS_INLINE void
begin_packet(struct net_env *e, struct width n, unsigned i, uint64_t x)
{
	struct xbar *b = e->xbar;
	struct xbar_input *in = &b->input[i];
	const struct noc_cfg *k = e->cfg;
	const unsigned vcs = k->vcs, all = (1u << vcs) - 1, idle = all & ~in->active;
	unsigned behind = idle & (all << in->next_vc);
	unsigned c = (unsigned)__builtin_ctz(behind ? behind : idle), s = i * vcs + c;
	struct xbar_vc *v = &b->vc[s];
	uint32_t p = net_take(e, i);
	const unsigned flits = flit_count(e, p);
	const bool is_short = !is_long(e, flits);

	if (e->in[i].q->n)
		net_prefetch(e, fifo_front(e->in[i].q));

	*v = (struct xbar_vc){.packet = p,
			      .total = (uint16_t)flits,
			      .entered = (uint16_t)(is_short ? flits : 0),
			      .dest = (uint8_t)net_dest(e, p),
			      .input = (uint8_t)i,
			      .is_long = !is_short};
	in->active |= (uint8_t)(1u << c);
	in->next_vc = (uint8_t)(c + 1 == vcs ? 0 : c + 1);
	if (idle == 1u << c)
		b->full[i / 64] |= bit_of(i);
	b->taken[i / 64] |= bit_of(i);
	if (likely(is_short)) {
		set_due(b, n, s, x + 1 + k->channel_latency + k->routing_delay);
		b->freed[(x + flits) % CALENDAR * n.ports + i / 64] |= bit_of(i);
	} else {
		in->filling = (uint8_t)c;
		b->filling[i / 64] |= bit_of(i);
	}
}

/* One flit of a long packet comes over the channel of input i. */
static void
enter_flit(struct net_env *e, struct width n, unsigned i, uint64_t x)
{
	struct xbar *b = e->xbar;
	unsigned s = i * e->cfg->vcs + b->input[i].filling;
	struct xbar_vc *v = &b->vc[s];
	uint64_t at = x + 1 + e->cfg->channel_latency + (v->entered ? 0 : e->cfg->routing_delay);

	if (v->entered - v->left >= (int)e->cfg->vc_buffer) {
		b->stuck[i / 64] |= bit_of(i);
		e->n->st.blocked++;
		return;
	}
	b->ready[s][v->entered % NOC_VC_FLITS] = (uint32_t)at;
	if (v->entered == v->left)
		set_due(b, n, s, at);
	if (++v->entered == v->total) {
		b->filling[i / 64] &= ~bit_of(i);
		b->taken[i / 64] &= ~bit_of(i);
	}
}

static ALWAYS_INLINE void
enter(struct net_env *e, struct width n, uint64_t x)
{
	struct xbar *b = e->xbar;
	unsigned flying = 0;

	for (unsigned k = 0; k < n.ports; k++) {
		uint64_t new = e->n->in_mask[k] & ~(b->full[k] | b->taken[k]);

		for (; new; new &= new - 1, flying++)
			begin_packet(e, n, k * 64 + (unsigned)__builtin_ctzll(new), x);
		if (likely(!b->filling[k]))
			continue;
		e->n->st.blocked += (unsigned)__builtin_popcountll(b->stuck[k]);
		for (uint64_t m = b->filling[k] & ~b->stuck[k]; m; m &= m - 1)
			enter_flit(e, n, k * 64 + (unsigned)__builtin_ctzll(m), x);
	}
	e->n->flying += flying;
}

static ALWAYS_INLINE void
tick(struct net_env *e, struct width n, uint64_t x)
{
	turn_page(e, n, x);
	switch_flits(e, n, x);
	enter(e, n, x);
}

void
net_xbar_tick(struct net_env *e, uint64_t x)
{
	unsigned slots = e->n_in * e->cfg->vcs, ports = MAX(e->n_in, e->n_out);

	if (slots <= 64 && ports <= 64)
		tick(e, (struct width){1, 1}, x);
	else
		tick(e, (struct width){(slots + 63) / 64, (ports + 63) / 64}, x);
}
