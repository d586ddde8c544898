/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tl.c - the two-level warp scheduler (Narasiman et al., MICRO 2011). The text of that paper was
 * not available: this follows the descriptions in Yu et al. 5 and Kayiran et al. 5.2, with the
 * decisions of ctascope-model(7) 15.2.
 *
 * The warps of a scheduler, in id order, form fetch groups of core.tl_group. One group is active;
 * its warps take turns. When every warp of the active group is stalled by a long operation, the
 * turn goes to the next group, in circular order, that has a warp which is not; if there is none,
 * the active group stays. The groups therefore reach their long operations one after the other, and
 * one computes while the others wait.
 *
 * Long operations are: a register from memory, a fence, atomics, LDGDEPBAR, a barrier, an
 * instruction line. A warp that has finished, or is held back because its CTA is paused while a
 * running one can issue, counts as stalled too. Every other wait, such as an arithmetic result, an
 * empty instruction buffer or a full pipe, is short: the group stays active and nothing is issued,
 * even when a warp of another group could. Such a cycle is booked like that of any held ready warp:
 * stall, or active while the SIMT lanes are busy.
 *
 * Invariant: the decision to switch depends on masks that change only when the core is visited, and
 * a group that was switched to has a warp that is not stalled, so asking twice is the same as once.
 *
 * Left out: groups in the fetch stage. Fetch serves every warp in turn, as under the other
 * schedulers; the groups exist in the issue stage only.
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

/* Warp ids from the first of a group to the first of the next, including those of other
 * schedulers. */
static uint64_t
ids_per_group(const struct wsched_view *v)
{
	return (uint64_t)((const struct tl_opts *)v->opts)->tl_group * v->n_sched;
}

/* The ids of a group as a mask. It also covers warps of other schedulers; the caller masks them
 * out. */
static uint64_t
group_warps(const struct wsched_view *v, uint64_t number)
{
	uint64_t wide = ids_per_group(v), from = number * wide;
	uint64_t m = from < 64 ? ~UINT64_C(0) << from : 0;

	if (from + wide < 64)
		m &= (UINT64_C(1) << (from + wide)) - 1;
	return m;
}

static unsigned
tl_pick(const struct wsched_view *v, void *state)
{
	struct tl *st = state;
	uint64_t up = v->mine & ~v->stalled, group = group_warps(v, st->front);

	if (up && !(up & group)) {
		uint64_t wide = ids_per_group(v), end = (st->front + 1) * wide;

		st->front = wsched_lrr_first(up, (unsigned)MIN(end - 1, 63)) / wide;
		group = group_warps(v, st->front);
	}
	return v->can & group ? wsched_lrr_group(&st->turn, group, v->can) : WSCHED_NONE;
}

const struct warp_sched_ops wsched_tl = {
	.name = "tl",
	.help = "two-level: groups of core.tl_group warps; the next group when all warps of one "
		"wait long (Narasiman et al.)",
	.opts = tl_opts,
	.n_opts = ARRAY_LEN(tl_opts),
	.opts_size = sizeof(struct tl_opts),
	.state_size = sizeof(struct tl),
	.holds = true,
	.pick = tl_pick};
