/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * owl.c - the CTA-aware warp scheduler OWL (Jog et al., ASPLOS 2013). The text of that paper was
 * not available: this follows the description in Yu et al. 4.1 and 5, with the decisions of
 * ctascope-model(7) 15.4.
 *
 * The resident CTAs, in launch order, form groups of core.owl_group CTAs. The first group owns the
 * core: a later group issues only in cycles in which no warp of an earlier group can, and loses the
 * core as soon as one can again (preemption). A few CTAs therefore finish early and keep their
 * lines in L1. Inside a group, warps take turns regardless of their CTA.
 *
 * Decision: later groups also use the cycles that the first group leaves unused in a short wait.
 * Otherwise a group of one CTA with few warps would leave the pipes idle; tl is the scheduler that
 * keeps the core through short waits. When a CTA ends the younger ones move up, so a group of
 * several CTAs is refilled with the next oldest.
 *
 * Left out: the parts of the paper that act on memory instead of issue (bank-aware order of the
 * groups on different cores, opportunistic prefetching), and the limited duration of a priority.
 */
#include "wsched/wsched.h"

struct owl_opts {
	opt_u32 owl_group;
};
static const struct opt_row owl_opts[] = {
	DECL_PARAM(struct owl_opts, owl_group, u32, 1, 1, 16, "CTAs",
		   "warp scheduler owl: size of a group"),
};

struct owl {
	uint64_t turn; /* the warp of each group that issued last */
};

static unsigned
owl_pick(const struct wsched_view *v, void *state)
{
	unsigned size = ((const struct owl_opts *)v->opts)->owl_group;
	struct owl *st = state;

	for (unsigned i = 0; v->can && i < v->n_slots; i += size) {
		uint64_t group = 0;

		for (unsigned k = i; k < v->n_slots && k < i + size; k++)
			group |= v->slot_warps[v->by_age[k]];
		if (v->can & group)
			return wsched_lrr_group(&st->turn, group, v->can);
	}
	return WSCHED_NONE;
}

const struct warp_sched_ops wsched_owl = {
	.name = "owl",
	.help = "CTA-aware: core.owl_group CTAs, the oldest first, have the core whenever they can "
		"issue (Jog et al.)",
	.opts = owl_opts,
	.n_opts = ARRAY_LEN(owl_opts),
	.opts_size = sizeof(struct owl_opts),
	.state_size = sizeof(struct owl),
	.pick = owl_pick};
