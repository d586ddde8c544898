/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tl.c - the two-level warp scheduler (Narasiman et al., MICRO 2011, whose text is not at hand: as
 * told by Yu et al. 5 and Kayiran et al. 5.2, and decided in ctascope-model(7) 15.2).
 *
 * A scheduler's warps in id order form fetch groups of core.tl_group. One group is active; its
 * warps take turns. When every warp of it is stalled on something long the turn goes to the next
 * group, in circular order, that has a warp which is not; when there is none the active group
 * stays. So the groups reach their long operations one after the other, and one computes while
 * others wait.
 *
 * Long is: a register from memory, a fence, atomics, LDGDEPBAR, a barrier, an instruction line; a
 * warp that has finished, or is held back because its CTA is paused while a running one can issue,
 * counts as stalled too. Anything else, such as an arithmetic result, an empty instruction buffer
 * or a full pipe, is short: the group stays active and nothing is issued, even when a warp of
 * another group could. Such a cycle is booked as that of any held ready warp: stall, or active
 * while the SIMT lanes are busy.
 *
 * Invariant: whether to switch depends on masks that change only when the core is visited, and a
 * group that was switched to has a warp that is not stalled, so asking twice is the same as once.
 *
 * Left out: groups of the fetch stage. Fetch serves every warp in turn, as under the other
 * schedulers; the groups are those of issue.
 */
#include "wsched/wsched.h"

struct tl_opts {
	opt_u32 tl_group;
};
static const struct opt_row tl_opts[] = {
	DECL_PARAM(struct tl_opts, tl_group, u32, 8, 1, 64, "warps",
		   "warp scheduler tl: size of a fetch group"),
};

struct tl {
	uint64_t turn;	/* the warp of each group that issued last */
	uint64_t front; /* number of the active group */
};

/* Warp ids from the first of a group to the first of the next, those of other schedulers too. */
static uint64_t
width(const struct wsched_view *v)
{
	return (uint64_t)((const struct tl_opts *)v->opts)->tl_group * v->n_sched;
}

/* Ids of a group; only this scheduler's are looked at. */
static uint64_t
warps_of(const struct wsched_view *v, uint64_t number)
{
	uint64_t wide = width(v), from = number * wide;
	uint64_t m = from < 64 ? ~UINT64_C(0) << from : 0;

	if (from + wide < 64)
		m &= (UINT64_C(1) << (from + wide)) - 1;
	return m;
}

static unsigned
tl_pick(const struct wsched_view *v, void *state)
{
	struct tl *st = state;
	uint64_t up = v->mine & ~v->stalled, group = warps_of(v, st->front);

	if (up && !(up & group)) {
		uint64_t wide = width(v), end = (st->front + 1) * wide;

		st->front = wsched_lrr_first(up, (unsigned)MIN(end - 1, 63)) / wide;
		group = warps_of(v, st->front);
	}
	return v->can & group ? wsched_lrr_group(&st->turn, group, v->can) : WSCHED_NONE;
}

const struct warp_sched_ops wsched_tl = {
	.name = "tl",
	.help = "two-level: fetch groups of core.tl_group warps; the next one when all wait for "
		"something long (Narasiman et al.)",
	.opts = tl_opts,
	.n_opts = ARRAY_LEN(tl_opts),
	.opts_size = sizeof(struct tl_opts),
	.state_size = sizeof(struct tl),
	.holds = true,
	.pick = tl_pick};
