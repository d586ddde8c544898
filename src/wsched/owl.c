/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owl.c - the CTA-aware warp scheduler OWL (Jog et al., ASPLOS 2013). The text of that paper was
 * not available: this follows its abstract, Yu et al. 4.1 and 5, and a reader's notes, with the
 * decisions of ctascope-model(7) 15.4.
 *
 * The resident CTAs, in launch order, form groups of core.owl_group CTAs. The first group owns the
 * core: a later group issues only in cycles in which no warp of an earlier group can, and loses the
 * core as soon as one can again (preemption). A few CTAs therefore finish early and keep their
 * lines in L1. Inside a group, warps take turns regardless of their CTA.
 *
 * With core.owl_spread, each core puts another one of its groups first, because neighbouring CTAs,
 * which run on neighbouring cores, often use the same rows of DRAM: the cores then address more of
 * its banks at a time (bank-level parallelism: the CTAs that cores put first are not consecutive).
 * Core c begins with group c modulo the number of its groups, and goes round from there. Decision:
 * the group keeps its place until the CTA that was its first has ended, or the core has more groups
 * than when it was chosen, as while the first CTAs arrive; then the core begins anew.
 *
 * Decision: later groups also use the cycles that the first group leaves unused in a short wait.
 * Otherwise a group of one CTA with few warps would leave the pipes idle; tl is the scheduler that
 * keeps the core through short waits. When a CTA ends the younger ones move up, so a group of
 * several CTAs is refilled with the next oldest.
 *
 * The fourth part of the paper, opportunistic prefetching, takes place at the memory:
 * mem/row_prefetch.c. Left out: the smallest number of warps in a group.
 */
#include "wsched/wsched.h"

struct owl_opts {
	opt_u32 owl_group;
	opt_bool owl_spread;
};
static const struct opt_row owl_opts[] = {
	DECL_PARAM(struct owl_opts, owl_group, u32, 1, 1, 16, "CTAs",
		   "warp scheduler owl: size of a group"),
	DECL_PARAM(struct owl_opts, owl_spread, bool, 0, 0, 1, "",
		   "warp scheduler owl: neighbouring cores put other groups first, for more banks "
		   "of DRAM at a time"),
};

struct owl {
	uint64_t turn;	 /* the warp of each group that issued last */
	uint32_t front;	 /* with owl_spread: slot of the first CTA of the group that is first, */
	uint16_t place;	 /* and its position by age, plus 1; 0: none yet */
	uint16_t groups; /* of the core when it was chosen */
};

/* The position by age of the CTA with which the first group begins. */
static unsigned
first_position(const struct wsched_view *v, struct owl *st)
{
	const struct owl_opts *o = v->opts;
	unsigned groups = (v->n_slots + o->owl_group - 1) / o->owl_group, at = 0;

	if (!o->owl_spread || !v->n_slots)
		return 0;
	while (at < v->n_slots && v->by_age[at] != st->front)
		at++;
	/* at >= place: the CTA has ended, and a younger one is in its slot */
	if (at == v->n_slots || at >= st->place || groups > st->groups) {
		at = v->core % groups * o->owl_group;
		st->groups = (uint16_t)groups;
	}
	st->front = v->by_age[at];
	st->place = (uint16_t)(at + 1);
	return at;
}

static unsigned
owl_pick(const struct wsched_view *v, void *state)
{
	unsigned size = ((const struct owl_opts *)v->opts)->owl_group;
	struct owl *st = state;
	unsigned first = first_position(v, st);

	for (unsigned i = 0; v->can && i < v->n_slots; i += size) {
		uint64_t group = 0;

		for (unsigned k = i; k < v->n_slots && k < i + size; k++)
			group |= v->slot_warps[v->by_age[(first + k) % v->n_slots]];
		if (v->can & group)
			return wsched_lrr_group(&st->turn, group, v->can);
	}
	return WSCHED_NONE;
}

const struct warp_sched_ops wsched_owl = {
	.name = "owl",
	.help = "CTA-aware: groups of core.owl_group CTAs; the oldest group that can issue does "
		"(Jog et al.)",
	.opts = owl_opts,
	.n_opts = ARRAY_LEN(owl_opts),
	.opts_size = sizeof(struct owl_opts),
	.state_size = sizeof(struct owl),
	.pick = owl_pick};
