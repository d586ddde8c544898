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
 * input up to `input_speedup` flits. Left out: separate allocation stages, output virtual channels
 * (an output interleaves packets).
 */
#include "noc/noc_flit.h"
#include <string.h>

#define SLOT_WORDS (NOC_PORTS * NOC_VCS / 64)

/* Virtual channels, numbered over all inputs, that want an output. */
struct wants {
	unsigned slots, words;	  /* numbers in use */
	uint8_t sent[NOC_PORTS];  /* flits per input */
	uint64_t outs[NOC_WORDS]; /* outputs somebody wants: only their words are set */
	uint64_t slot[NOC_PORTS][SLOT_WORDS];
};

/* A head flit needs room for its whole packet behind the switch. */
static bool
has_room(const struct net_env *e, const struct net_vc *v, unsigned o)
{
	return v->left || flit_room(e, o);
}

static void
collect_wants(const struct net_env *e, uint64_t x, struct wants *w)
{
	w->slots = e->n_in * e->cfg->vcs;
	w->words = (w->slots + 63) / 64;
	memset(w->sent, 0, e->n_in);
	memset(w->outs, 0, sizeof(w->outs));
	for (unsigned i = 0; i < e->n_in; i++)
		for (unsigned m = e->input[i].active; m; m &= m - 1) {
			unsigned c = (unsigned)__builtin_ctz(m), s = i * e->cfg->vcs + c;
			const struct net_vc *v = &e->input[i].vc[c];
			uint64_t *outs, *slot, out;

			if (v->left == v->entered || v->ready[v->left % NOC_VC_FLITS] > x)
				continue;
			outs = &w->outs[v->dest / 64];
			slot = w->slot[v->dest];
			out = UINT64_C(1) << v->dest % 64;
			if (!(*outs & out))
				memset(slot, 0, w->words * sizeof(uint64_t));
			*outs |= out;
			slot[s / 64] |= UINT64_C(1) << s % 64;
		}
}

static void
cross(struct net_env *e, unsigned i, unsigned c, unsigned o, uint64_t x)
{
	struct net_vc *v = &e->input[i].vc[c];

	if (!v->left)
		e->output[o].reserved++;
	v->left++;
	e->n->st.flits++;
	if (v->left < v->total)
		return;
	flit_last(e, o, v->packet, x);
	v->packet = REQ_NONE;
	e->input[i].active &= (uint8_t) ~(1u << c);
}

/* One flit through output o, from the first that may go. */
static void
serve(struct net_env *e, unsigned o, struct wants *w, uint64_t x)
{
	uint64_t *slot = w->slot[o];
	unsigned s, i, c;

	while ((s = net_first(slot, w->words, e->n->next[o])) != UINT_MAX) {
		i = s / e->cfg->vcs;
		c = s % e->cfg->vcs;
		slot[s / 64] &= ~(UINT64_C(1) << s % 64);
		if (w->sent[i] >= e->cfg->input_speedup || !has_room(e, &e->input[i].vc[c], o))
			continue;
		cross(e, i, c, o, x);
		w->sent[i]++;
		e->n->next[o] = s + 1 == w->slots ? 0 : s + 1;
		break;
	}
}

static void
switch_flits(struct net_env *e, uint64_t x)
{
	struct wants w;

	collect_wants(e, x, &w);
	for (unsigned word = 0; word < NOC_WORDS; word++)
		for (uint64_t m = w.outs[word]; m; m &= m - 1) {
			unsigned o = word * 64 + (unsigned)__builtin_ctzll(m);

			serve(e, o, &w, x);
		}
}

/* The incoming channel of each input carries one flit a cycle. */
static void
enter(struct net_env *e, uint64_t x)
{
	for (unsigned i = 0; i < e->n_in; i++) {
		struct net_input *in = &e->input[i];
		struct net_vc *v;

		if (in->filling == NOC_VCS && e->in[i].q->n) {
			for (unsigned k = 0; k < e->cfg->vcs && in->filling == NOC_VCS; k++) {
				unsigned c = (in->next_vc + k) % e->cfg->vcs;
				uint32_t p;

				v = &in->vc[c];
				if (v->packet != REQ_NONE)
					continue;
				p = port_pop(&e->in[i]);
				v->packet = p;
				v->total = (uint16_t)flit_count(e, p);
				v->entered = v->left = 0;
				v->dest = (uint8_t)net_dest(e, p);
				in->filling = (uint8_t)c;
				in->active |= (uint8_t)(1u << c);
				in->next_vc = (uint8_t)((c + 1) % e->cfg->vcs);
				e->n->flying++;
			}
		}
		if (in->filling == NOC_VCS)
			continue;
		v = &in->vc[in->filling];
		if (v->entered - v->left >= (int)e->cfg->vc_buffer) {
			e->n->st.blocked++;
			continue;
		}
		v->ready[v->entered % NOC_VC_FLITS] =
			x + 1 + e->cfg->channel_latency + (v->entered ? 0 : e->cfg->routing_delay);
		if (++v->entered == v->total)
			in->filling = NOC_VCS;
	}
}

void
net_xbar_tick(struct net_env *e, uint64_t x)
{
	for (unsigned o = 0; o < e->n_out; o++)
		flit_arrive(e, o, x);
	switch_flits(e, x);
	enter(e, x);
}
