/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xbar.c - a crossbar of flits (Kayiran Table 1: 16-byte channels, 4 virtual channels of 4 flits,
 * routing delay 2, channel latency 2, input speedup 2).
 *
 *   buffer of packets -> channel, a flit a cycle -> virtual channel -> switch -> channel -> buffer
 *
 * A packet takes an idle virtual channel of its input and keeps it until its last flit has passed
 * the switch (wormhole). Credits prevent a flit from leaving before its virtual channel has room,
 * and a head flit from passing the switch before the output buffer has room for the packet. The
 * switch grants each output one flit per cycle, round robin over inputs and channels, and each
 * input at most `input_speedup` flits.
 *
 * Only what can move is visited. A virtual channel is in the mask of its output while it has a
 * packet for it, and in the mask of ready channels from the cycle in which its next flit reaches
 * the switch; a calendar holds that cycle. A packet that fits into its virtual channel ("short")
 * never waits for a credit and its flits follow the head without gaps, so it is entered at once and
 * only the release of its channel is scheduled. A longer packet enters flit by flit, and an input
 * without a credit is skipped until a flit has moved on.
 *
 * A packet touches eight bytes of its virtual channel and sixteen of its output. With up to 64
 * slots and ports, all masks are in one line of the host's cache, and the calendar is as short as
 * the latencies allow.
 *
 * Not modelled: separate allocation stages, output virtual channels (an output interleaves
 * packets).
 */
#include "noc/noc_flit.h"
#include <string.h>

#define SLOT_WORDS (NOC_PORTS * NOC_VCS / 64)
#define CALENDAR 64 /* most pages of the calendar */

/* A packet in a virtual channel of an input. */
struct xbar_vc {
	uint32_t packet;
	uint8_t dest;
	uint8_t left;  /* flits that have not moved on */
	uint8_t input; /* the input it belongs to */
	uint8_t first; /* the first slot of that input, in networks of up to 64 slots */
};

/* The state of a long packet, which enters flit by flit. */
struct xbar_long {
	uint16_t total, entered;      /* flits: of the packet, arrived */
	uint32_t ready[NOC_VC_FLITS]; /* cycle from which flit k % NOC_VC_FLITS may go on */
};

struct xbar_input {
	uint8_t filling; /* virtual channel that a long packet enters, valid if xbar_word.filling
			    has the input's bit */
	uint8_t next_vc;
	uint8_t active; /* virtual channels that hold a packet, one bit each */
	uint8_t pad;
};

/* Masks over 64 ports or slots. In a network of that size a tick reads only this line. */
struct xbar_word {
	/* inputs: with a packet on their channel; of those, with a long one; of those, without a
	 * credit; inputs without an idle virtual channel */
	uint64_t taken, filling, stuck, full;
	uint64_t wanted; /* outputs with a slot that has a flit for them at the switch */
	uint64_t ready;	 /* slots with a flit at the switch */
	uint64_t head;	 /* slots whose head flit has not moved on */
	uint64_t slow;	 /* slots with a long packet */
};

static_assert(sizeof(struct xbar_word) == 64, "a host line");

struct xbar_output {
	struct net_output out;
	uint64_t slots[]; /* slots with a packet for it */
};

/* A slot is a virtual channel, numbered over all inputs: input * vcs + channel. The calendar,
 * the outputs, the slots and the data of long packets follow this struct. */
struct xbar {
	struct xbar_word word[SLOT_WORDS];
	struct xbar_input input[NOC_PORTS];
};

/* Number of words in masks over slots and ports; constants in the loops of small networks. */
struct width {
	unsigned slots, ports;
};

static struct width
width_of(const struct noc_cfg *k, unsigned n_in, unsigned n_out)
{
	return (struct width){(n_in * k->vcs + 63) / 64, (MAX(n_in, n_out) + 63) / 64};
}

/* A page of the calendar: inputs whose channel a short packet leaves, outputs that a packet
 * reaches, outputs and slots whose next flit reaches the switch. */
static ALWAYS_INLINE unsigned
page_words(struct width n)
{
	return 3 * n.ports + n.slots;
}

static size_t
output_bytes(struct width n)
{
	return sizeof(struct xbar_output) + n.slots * sizeof(uint64_t);
}

/* The number of flits up to which a packet is short. */
static unsigned
most_short(const struct noc_cfg *k)
{
	return MIN(k->vc_buffer, CALENDAR - 1);
}

/* Above the cycles that a flit takes to the switch or to the output, or a short packet to enter.
 * */
static unsigned
n_pages(const struct noc_cfg *k)
{
	unsigned n = 2;

	while (n <= MAX(1 + k->channel_latency + k->routing_delay, most_short(k)))
		n *= 2;
	assert(n <= CALENDAR);
	return n;
}

size_t
net_xbar_bytes(const struct noc_cfg *k, unsigned n_in, unsigned n_out)
{
	struct width n = width_of(k, n_in, n_out);
	size_t slots = (size_t)n_in * k->vcs;

	return sizeof(struct xbar) + n_pages(k) * page_words(n) * sizeof(uint64_t) +
	       n_out * output_bytes(n) +
	       slots * (sizeof(struct xbar_vc) + sizeof(struct xbar_long));
}

void
net_xbar_init(struct net_env *e, void *room)
{
	const struct noc_cfg *k = e->cfg;
	struct width n = width_of(k, e->n_in, e->n_out);

	e->to_output = (uint8_t)(1 + k->channel_latency);
	e->to_switch = (uint8_t)(e->to_output + k->routing_delay);
	e->most_short = (uint8_t)most_short(k);
	e->last_page = (uint8_t)(n_pages(k) - 1);
	e->narrow = n.slots == 1 && n.ports == 1;
	e->xbar = room;
	e->page = (uint64_t *)(e->xbar + 1);
	e->output = (struct xbar_output *)(e->page + n_pages(k) * page_words(n));
	e->vc = (struct xbar_vc *)((char *)e->output + e->n_out * output_bytes(n));
	e->long_vc = (struct xbar_long *)(e->vc + (size_t)e->n_in * k->vcs);
}

static inline uint64_t
bit_of(unsigned i)
{
	return UINT64_C(1) << i % 64;
}

static ALWAYS_INLINE struct xbar_output *
output_of(const struct net_env *e, struct width n, unsigned o)
{
	return (struct xbar_output *)((uint64_t *)e->output + (size_t)o * (1 + n.slots));
}

/* The word of a mask that holds a slot, and the one that holds a port. */
static ALWAYS_INLINE unsigned
slot_word(struct width n, unsigned s)
{
	return n.slots == 1 ? 0 : s / 64;
}

static ALWAYS_INLINE unsigned
port_word(struct width n, unsigned port)
{
	return n.ports == 1 ? 0 : port / 64;
}

/* ---------------------------------------------------------------- the calendar */

static ALWAYS_INLINE uint64_t *
freed_at(const struct net_env *e, struct width n, uint64_t x)
{
	return &e->page[(x & e->last_page) * page_words(n)];
}

static ALWAYS_INLINE uint64_t *
coming_at(const struct net_env *e, struct width n, uint64_t x)
{
	return freed_at(e, n, x) + n.ports;
}

static ALWAYS_INLINE uint64_t *
wanted_at(const struct net_env *e, struct width n, uint64_t x)
{
	return freed_at(e, n, x) + 2 * n.ports;
}

static ALWAYS_INLINE uint64_t *
ready_at(const struct net_env *e, struct width n, uint64_t x)
{
	return freed_at(e, n, x) + 3 * n.ports;
}

/* The next flit of slot s, for output o, reaches the switch in cycle `at`. */
static ALWAYS_INLINE void
set_due(const struct net_env *e, struct width n, unsigned s, unsigned o, uint64_t at)
{
	wanted_at(e, n, at)[port_word(n, o)] |= bit_of(o);
	ready_at(e, n, at)[slot_word(n, s)] |= bit_of(s);
}

/* Handles the page of cycle x: packets that reach their outputs, channels that become free,
 * flits that reach the switch. */
static ALWAYS_INLINE void
turn_page(struct net_env *e, struct width n, uint64_t x)
{
	struct xbar_word *b = e->xbar->word;
	uint64_t *freed = freed_at(e, n, x), *coming = coming_at(e, n, x);
	uint64_t *wanted = wanted_at(e, n, x), *ready = ready_at(e, n, x);

	for (unsigned k = 0; k < n.ports; k++) {
		unsigned packets = 0;

		b[k].taken &= ~freed[k];
		b[k].wanted |= wanted[k];
		for (uint64_t m = coming[k]; m; m &= m - 1, packets++) {
			unsigned o = k * 64 + (unsigned)__builtin_ctzll(m);

			flit_arrive(e, &output_of(e, n, o)->out, o);
		}
		flit_count_in(e->net, k, coming[k], packets);
		coming[k] = freed[k] = wanted[k] = 0;
	}
	for (unsigned w = 0; w < n.slots; w++) {
		b[w].ready |= ready[w];
		ready[w] = 0;
	}
}

/* ---------------------------------------------------------------- the switch */

/* What may be sent in one tick. */
struct turn {
	uint64_t can[SLOT_WORDS];  /* slots with a flit, of inputs that may still send */
	uint64_t head[SLOT_WORDS]; /* slots whose head flit has not moved on */
	uint64_t remaining[3]; /* up to 64 slots: those of inputs with one, two, three flits left */
	uint8_t sent[NOC_PORTS + 1]; /* more than 64 slots: flits sent per input */
};

static ALWAYS_INLINE void
begin_turn(struct turn *t, const struct xbar_word *b, struct width n, unsigned most)
{
	for (unsigned w = 0; w < n.slots; w++) {
		t->can[w] = b[w].ready;
		t->head[w] = b[w].head;
	}
	for (unsigned k = 0; k < 3; k++)
		t->remaining[k] = most < k + 2 ? ~UINT64_C(0) : 0;
	if (n.slots > 1)
		memset(t->sent, 0, n.ports * 64);
}

/* Accounts for a flit sent by the input of a slot. */
static ALWAYS_INLINE void
count_sent(struct turn *t, struct width n, const struct xbar_vc *v, unsigned vcs, unsigned most)
{
	uint64_t all = ((UINT64_C(1) << vcs) - 1) << v->first % 64;

	if (n.slots == 1) {
		t->can[0] &= ~(t->remaining[0] & all);
		t->remaining[0] |= t->remaining[1] & all;
		t->remaining[1] |= t->remaining[2] & all;
		t->remaining[2] |= all;
	} else if (++t->sent[v->input] == most) {
		for (unsigned s = v->input * vcs; s < (v->input + 1) * vcs; s++)
			t->can[s / 64] &= ~bit_of(s);
	}
}

/* The slot that output o serves: the first at or after its pointer, wrapping around, that may
 * send and whose head flit, if any, finds room for the packet. UINT_MAX: none. */
static ALWAYS_INLINE unsigned
choose_slot(const struct net_env *e, struct width n, struct xbar_output *to, unsigned o,
	    const struct turn *t)
{
	uint64_t can[SLOT_WORDS];

	for (unsigned w = 0; w < n.slots; w++)
		can[w] = to->slots[w] & t->can[w];
	if (unlikely(!flit_has_room(e, &to->out, o)))
		for (unsigned w = 0; w < n.slots; w++)
			can[w] &= ~t->head[w];
	if (n.slots == 1) {
		uint64_t behind = can[0] & ~UINT64_C(0) << to->out.next % 64;

		return likely(can[0]) ? (unsigned)__builtin_ctzll(behind ? behind : can[0])
				      : UINT_MAX;
	}
	return net_first(can, n.slots, to->out.next == n.slots * 64 ? 0 : to->out.next);
}

/* Clears the bit of output o if no flit is left for it at the switch. */
static ALWAYS_INLINE void
update_wanted(struct net_env *e, struct width n, const struct xbar_output *to, unsigned o)
{
	struct xbar_word *b = e->xbar->word;
	uint64_t left = 0;

	for (unsigned w = 0; w < n.slots; w++)
		left |= to->slots[w] & b[w].ready;
	b[port_word(n, o)].wanted &= ~((uint64_t)!left << o % 64);
}

/* The last flit of slot s has moved on. */
static ALWAYS_INLINE void
end_packet(struct net_env *e, struct width n, unsigned s, uint64_t x)
{
	const struct xbar_vc *v = &e->vc[s];
	const unsigned i = v->input, o = v->dest;
	struct xbar_output *to = output_of(e, n, o);

	e->xbar->input[i].active &= (uint8_t) ~(1u << (s - i * e->cfg->vcs));
	e->xbar->word[port_word(n, i)].full &= ~bit_of(i);
	to->slots[slot_word(n, s)] &= ~bit_of(s);
	update_wanted(e, n, to, o);
	coming_at(e, n, x + e->to_output)[port_word(n, o)] |= bit_of(o);
	flit_send_last(e, &to->out, o, v->packet);
}

/* A flit of a long packet has moved on; the next one may not have arrived yet. */
static NOINLINE void
schedule_next_flit(struct net_env *e, struct width n, unsigned s, uint64_t x)
{
	struct xbar_word *b = e->xbar->word;
	const struct xbar_vc *v = &e->vc[s];
	const struct xbar_long *l = &e->long_vc[s];
	unsigned gone = l->total - v->left;
	uint32_t at = l->ready[gone % NOC_VC_FLITS];

	/* if the credit was for another slot, the input keeps waiting */
	b[v->input / 64].stuck &= ~bit_of(v->input);
	if (gone < l->entered && (int32_t)(at - (uint32_t)x) <= 1)
		return;
	if (gone < l->entered)
		set_due(e, n, s, v->dest, at);
	b[slot_word(n, s)].ready &= ~bit_of(s);
	update_wanted(e, n, output_of(e, n, v->dest), v->dest);
}

/* Each wanted output takes one flit. Whether a flit is the first or last of its packet is
 * unpredictable, so the loop has no branch on it; ends of packets are handled after the loop. */
static ALWAYS_INLINE void
switch_flits(struct net_env *e, struct width n, uint64_t x)
{
	struct xbar_word *b = e->xbar->word;
	struct xbar_vc *vc = e->vc;
	const unsigned vcs = e->cfg->vcs, most = e->cfg->input_speedup;
	uint64_t crossed[SLOT_WORDS],
		last[SLOT_WORDS]; /* slots whose flit has crossed, whose last flit has crossed */
	unsigned flits = 0;
	struct turn t;

	begin_turn(&t, b, n, most);
	memset(crossed, 0, n.slots * sizeof(*crossed));
	memset(last, 0, n.slots * sizeof(*last));
	for (unsigned k = 0; k < n.ports; k++)
		for (uint64_t m = b[k].wanted; m; m &= m - 1) {
			unsigned o = k * 64 + (unsigned)__builtin_ctzll(m);
			struct xbar_output *to = output_of(e, n, o);
			unsigned s = choose_slot(e, n, to, o, &t), w = slot_word(n, s);

			if (unlikely(s == UINT_MAX))
				continue;
			flits++;
			to->out.next = (uint16_t)(s + 1);
			to->out.left = (uint8_t)(to->out.left + (t.head[w] >> s % 64 & 1));
			crossed[w] |= bit_of(s);
			last[w] |= (uint64_t) !--vc[s].left << s % 64;
			count_sent(&t, n, &vc[s], vcs, most);
		}
	e->net->st.flits += flits;
	for (unsigned w = 0; w < n.slots; w++) {
		b[w].head &= ~crossed[w];
		b[w].ready &= ~last[w];
		for (uint64_t m = crossed[w] & b[w].slow & ~last[w]; unlikely(m); m &= m - 1)
			schedule_next_flit(e, n, w * 64 + (unsigned)__builtin_ctzll(m), x);
		for (uint64_t m = last[w]; m; m &= m - 1)
			end_packet(e, n, w * 64 + (unsigned)__builtin_ctzll(m), x);
	}
}

/* ---------------------------------------------------------------- the inputs */

/* Gives the next packet of input i an idle virtual channel, which must exist. */
static ALWAYS_INLINE void
begin_packet(struct net_env *e, struct width n, unsigned i, uint64_t x)
{
	struct xbar_input *in = &e->xbar->input[i];
	const unsigned vcs = e->cfg->vcs, all = (1u << vcs) - 1, idle = all & ~in->active;
	unsigned behind = idle & (all << in->next_vc);
	unsigned c = (unsigned)__builtin_ctz(behind ? behind : idle), s = i * vcs + c;
	struct xbar_word *of = &e->xbar->word[port_word(n, i)],
			 *at = &e->xbar->word[slot_word(n, s)];
	const uint32_t p = net_take(e, i);
	const unsigned flits = flit_count(e, p), o = net_dest(e, p);

	net_prefetch(e, fifo_front(net_in_buffer(e, i))); /* harmless if there is none */
	e->vc[s] = (struct xbar_vc){.packet = p,
				    .dest = (uint8_t)o,
				    .left = (uint8_t)flits,
				    .input = (uint8_t)i,
				    .first = (uint8_t)(i * vcs)};
	output_of(e, n, o)->slots[slot_word(n, s)] |= bit_of(s);
	in->active |= (uint8_t)(1u << c);
	in->next_vc = (uint8_t)(c + 1 == vcs ? 0 : c + 1);
	of->full |= (uint64_t)(idle == 1u << c) << i % 64;
	of->taken |= bit_of(i);
	at->head |= bit_of(s);
	if (likely(flits <= e->most_short)) {
		at->slow &= ~bit_of(s);
		set_due(e, n, s, o, x + e->to_switch);
		freed_at(e, n, x + flits)[port_word(n, i)] |= bit_of(i);
	} else {
		at->slow |= bit_of(s);
		e->long_vc[s].total = (uint16_t)flits;
		e->long_vc[s].entered = 0;
		in->filling = (uint8_t)c;
		of->filling |= bit_of(i);
	}
}

/* Moves one flit of a long packet over the channel of input i. */
static void
enter_flit(struct net_env *e, struct width n, unsigned i, uint64_t x)
{
	struct xbar_word *b = &e->xbar->word[i / 64];
	unsigned s = i * e->cfg->vcs + e->xbar->input[i].filling;
	struct xbar_long *l = &e->long_vc[s];
	unsigned gone = l->total - e->vc[s].left;
	uint64_t at = x + (l->entered ? e->to_output : e->to_switch);

	if (l->entered - gone >= e->cfg->vc_buffer) {
		b->stuck |= bit_of(i);
		e->net->st.blocked++;
		return;
	}
	l->ready[l->entered % NOC_VC_FLITS] = (uint32_t)at;
	if (l->entered == gone)
		set_due(e, n, s, e->vc[s].dest, at);
	if (++l->entered == l->total) {
		b->filling &= ~bit_of(i);
		b->taken &= ~bit_of(i);
	}
}

static ALWAYS_INLINE void
enter_flits(struct net_env *e, struct width n, uint64_t x)
{
	struct xbar_word *b = e->xbar->word;
	unsigned flying = 0;

	for (unsigned k = 0; k < n.ports; k++) {
		uint64_t new = e->net->in_mask[k] & ~(b[k].full | b[k].taken);

		for (; new; new &= new - 1, flying++)
			begin_packet(e, n, k * 64 + (unsigned)__builtin_ctzll(new), x);
		if (likely(!b[k].filling))
			continue;
		e->net->st.blocked += (unsigned)__builtin_popcountll(b[k].stuck);
		for (uint64_t m = b[k].filling & ~b[k].stuck; m; m &= m - 1)
			enter_flit(e, n, k * 64 + (unsigned)__builtin_ctzll(m), x);
	}
	e->net->flying += flying;
}

static ALWAYS_INLINE void
run_cycle(struct net_env *e, struct width n, uint64_t x)
{
	turn_page(e, n, x);
	switch_flits(e, n, x);
	enter_flits(e, n, x);
}

HOT void
net_xbar_tick(struct net_env *e, uint64_t x)
{
	if (likely(e->narrow))
		run_cycle(e, (struct width){1, 1}, x);
	else
		run_cycle(e, width_of(e->cfg, e->n_in, e->n_out), x);
}
