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
#include "noc/noc.h"
#include <limits.h>
#include <string.h>

static unsigned
packet_flits(const struct net_env *e, uint32_t handle)
{
	const struct req *r = &e->req[e->reply ? handle >> 2 : handle];
	bool write = r->kind == REQ_WRITE || r->kind == REQ_WRBK;
	unsigned bytes = e->cfg->control;

	if (e->reply)
		bytes += write ? 0 : SECTOR;
	else if (write || r->kind == REQ_ATOMIC)
		bytes += SECTOR * (unsigned)__builtin_popcount(r->sectors);
	return MAX(1, (bytes + e->cfg->flit - 1) / e->cfg->flit);
}

/* Packets whose last flit has crossed the outgoing channel. */
static void
arrive(struct net_env *e, uint64_t x)
{
	for (unsigned o = 0; o < e->n_out; o++) {
		struct net_output *out = &e->output[o];

		while (out->n && out->arrival[out->head % 64].at <= x) {
			port_push(&e->out[o], out->arrival[out->head++ % 64].packet);
			out->n--;
			out->reserved--;
			e->n->flying--;
			e->n->st.packets++;
		}
	}
}

#define SLOT_WORDS (NOC_PORTS * NOC_VCS / 64)

/* Virtual channels, numbered over all inputs, that want an output. */
struct wants {
	uint64_t outs; /* outputs somebody wants: only their words are set */
	uint64_t slot[NOC_PORTS][SLOT_WORDS];
};

/* A head flit needs room for its whole packet behind the switch. */
static bool
has_room(const struct net_env *e, const struct net_vc *v, unsigned o)
{
	const struct net_output *out = &e->output[o];

	return v->left || (e->out[o].q->n + out->reserved < e->out[o].q->cap && out->reserved < 64);
}

static void
collect_wants(const struct net_env *e, uint64_t x, struct wants *w, unsigned words)
{
	w->outs = 0;
	for (unsigned i = 0; i < e->n_in; i++)
		for (unsigned m = e->input[i].active; m; m &= m - 1) {
			unsigned c = (unsigned)__builtin_ctz(m), s = i * e->cfg->vcs + c;
			const struct net_vc *v = &e->input[i].vc[c];

			if (v->left == v->entered || v->ready[v->left % NOC_VC_FLITS] > x)
				continue;
			if (!(w->outs >> v->dest & 1))
				memset(w->slot[v->dest], 0, words * sizeof(uint64_t));
			w->outs |= UINT64_C(1) << v->dest;
			w->slot[v->dest][s / 64] |= UINT64_C(1) << s % 64;
		}
}

/* The first wanting slot at or behind `from`, going round; UINT_MAX: none. */
static unsigned
first_want(const uint64_t *slot, unsigned words, unsigned from)
{
	for (unsigned k = 0; k <= words; k++) {
		unsigned word = (from / 64 + k) % words;
		uint64_t m = slot[word];

		if (k == 0)
			m &= ~UINT64_C(0) << from % 64;
		if (m)
			return word * 64 + (unsigned)__builtin_ctzll(m);
	}
	return UINT_MAX;
}

static void
cross(struct net_env *e, unsigned i, unsigned c, unsigned o, uint64_t x)
{
	struct net_output *out = &e->output[o];
	struct net_vc *v = &e->input[i].vc[c];

	if (!v->left)
		out->reserved++;
	v->left++;
	e->n->st.flits++;
	if (v->left < v->total)
		return;
	out->arrival[(out->head + out->n++) % 64] =
		(struct net_arrival){.at = x + 1 + e->cfg->channel_latency, .packet = v->packet};
	v->packet = REQ_NONE;
	e->input[i].active &= (uint8_t) ~(1u << c);
}

static void
switch_flits(struct net_env *e, uint64_t x)
{
	unsigned slots = e->n_in * e->cfg->vcs, words = (slots + 63) / 64;
	uint8_t sent[NOC_PORTS] = {0};
	struct wants w;

	collect_wants(e, x, &w, words);
	for (; w.outs; w.outs &= w.outs - 1) {
		unsigned o = (unsigned)__builtin_ctzll(w.outs), s, i, c;

		while ((s = first_want(w.slot[o], words, e->n->next[o])) != UINT_MAX) {
			i = s / e->cfg->vcs;
			c = s % e->cfg->vcs;
			w.slot[o][s / 64] &= ~(UINT64_C(1) << s % 64);
			if (sent[i] >= e->cfg->input_speedup || !has_room(e, &e->input[i].vc[c], o))
				continue;
			cross(e, i, c, o, x);
			sent[i]++;
			e->n->next[o] = s + 1 == slots ? 0 : s + 1;
			break;
		}
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
				v->total = (uint16_t)packet_flits(e, p);
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
	arrive(e, x);
	switch_flits(e, x);
	enter(e, x);
}
