/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warpops.c - lanes of a warp talk to each other: vote match activemask shfl redux elect.
 *
 * A .sync form names its members. Those of them that have not exited are waited for (strand.c);
 * one that cannot come is a fault, as is a lane that is not among its own members or whose members
 * name others (both undefined in PTX).
 * Lanes here may name different sets of members; each set works by itself. Without .sync the
 * members are the lanes here.
 *
 * shfl from a lane that is not here reads 0. PTX leaves it undefined; machines are seen to give 0,
 * and programs that add up with fewer lanes than they name get right sums that way (NVIDIA's sample
 * reduction, kernels 7 to 9). With CHECK_SHFL it is a fault.
 */
#include "record/ptx/exec/exec.h"

#include <string.h>

/* The members of the lowest lane of rest, or 0 after a fault. o: the member mask operand, or none.
 */
static uint32_t
members(const struct prog_inst *in, struct warp *w, struct opnd o, uint32_t mask, uint32_t rest)
{
	uint32_t first = mask_first(rest), want, group, missing;
	const struct prog_inst *at;
	const uint32_t *m;

	if (o.bytes == OPND_NONE)
		return mask;
	m = vec32(w, o);
	want = m[first];
	group = want & w->live;
	missing = group & ~mask;
	if (!(want >> first & 1)) {
		exec_fault(w, in, (int)first, "lane %u is not in its own member mask 0x%08x", first,
			   want);
		return 0;
	}
	if (missing) {
		at = flow_where(w, mask_first(missing), in);
		exec_fault(w, in, (int)first,
			   "lane %u waits for lane %u of its member mask 0x%08x, which is %s %u",
			   first, mask_first(missing), want,
			   at == in || !at ? "switched off by the guard at line" : "at line",
			   at ? at->line : in->line);
		return 0;
	}
	FOR_LANES(l, group)
	if (m[l] != want) {
		exec_fault(w, in, (int)first,
			   "lane %u has the member mask 0x%08x, but lane %u has 0x%08x", first,
			   want, l, m[l]);
		return 0;
	}
	return group;
}

/* Runs the body for every set of members: uint32_t group. */
#define FOR_GROUPS(group, in, w, o, mask)                       \
	for (uint32_t r_ = (mask), group; r_; r_ &= ~group)     \
		if ((group = members(in, w, o, mask, r_)) == 0) \
			return EXEC_FAULT;                      \
		else

static void
set32(const struct warp *w, struct opnd o, uint32_t mask, uint32_t value)
{
	uint32_t *d = vec(w, o);

	if (o.bytes == OPND_NONE)
		return;
	FOR_LANES(l, mask)
	d[l] = value;
}

static int
sync_bar_warp(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	FOR_GROUPS(group, in, w, in->src[0], mask)
	(void)group;
	return EXEC_NEXT;
}

int
exec_activemask(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	set32(w, in->dst[0], mask, mask);
	return EXEC_NEXT;
}

static int
sync_vote(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t p = vec_pred(w, in->src[0]) ^ (in->sub2 ? UINT32_MAX : 0);

	FOR_GROUPS(group, in, w, in->src[1], mask)
	{
		uint32_t yes = p & group;
		bool r = in->sub == VOTE_ALL   ? yes == group
			 : in->sub == VOTE_ANY ? yes != 0
					       : yes == group || yes == 0;

		if (in->sub == VOTE_BALLOT)
			set32(w, in->dst[0], group, yes);
		else if (in->dst[0].bytes != OPND_NONE)
			vec_set_pred(w, in->dst[0], r ? UINT32_MAX : 0, group);
	}
	return EXEC_NEXT;
}

static uint64_t
lane_bits(const struct warp *w, struct opnd o, uint32_t l)
{
	return o.bytes == 8 ? vec64(w, o)[l] : vec32(w, o)[l];
}

static int
sync_match_any(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t result[WARP_SIZE];

	FOR_GROUPS(group, in, w, in->src[1], mask)
	FOR_LANES(l, group)
	{
		uint64_t v = lane_bits(w, in->src[0], l);

		result[l] = 0;
		FOR_LANES(k, group)
		result[l] |= (uint32_t)(lane_bits(w, in->src[0], k) == v) << k;
	}
	FOR_LANES(l, mask)
	set32(w, in->dst[0], 1u << l, result[l]);
	return EXEC_NEXT;
}

static int
sync_match_all(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	FOR_GROUPS(group, in, w, in->src[1], mask)
	{
		uint64_t v = lane_bits(w, in->src[0], mask_first(group));
		bool same = true;

		FOR_LANES(l, group)
		same &= lane_bits(w, in->src[0], l) == v;
		set32(w, in->dst[0], group, same ? group : 0);
		if (in->dst[1].bytes != OPND_NONE)
			vec_set_pred(w, in->dst[1], same ? UINT32_MAX : 0, group);
	}
	return EXEC_NEXT;
}

/* The lane that lane l reads; *good: it lies in the segment. */
static uint32_t
shfl_source(enum shfl_mode mode, uint32_t l, uint32_t b, uint32_t c, bool *good)
{
	uint32_t seg = c >> 8 & 31, clamp = c & 31, low = l & seg, high = low | (clamp & ~seg);
	uint32_t by = b & 31;
	int j = (int)l;

	switch (mode) {
	case SHFL_UP:
		j -= (int)by;
		*good = j >= (int)high;
		break;
	case SHFL_DOWN:
		j += (int)by;
		*good = j <= (int)high;
		break;
	case SHFL_BFLY:
		j ^= (int)by;
		*good = j <= (int)high;
		break;
	case SHFL_IDX:
		j = (int)(low | (by & ~seg));
		*good = j <= (int)high;
		break;
	}
	return *good ? (uint32_t)j : l;
}

static int
fault_absent(const struct prog_inst *in, struct warp *w, uint32_t lane, uint32_t from)
{
	const struct prog_inst *at = flow_where(w, from, in);
	char where[48] = "has ended or does not exist";

	if (at == in)
		snprintf(where, sizeof(where), "is switched off");
	else if (at)
		snprintf(where, sizeof(where), "is at line %u", at->line);
	return exec_fault(w, in, (int)lane, "shfl: lane %u reads lane %u, which %s", lane, from,
			  where);
}

/* EXEC_FAULT, or 0: the launch goes on. */
static int
shfl_absent(const struct prog_inst *in, struct warp *w, uint32_t lane, uint32_t from)
{
	struct found_pause p;

	if (!(w->cta->run->launch->go_on & CHECK_SHFL))
		return fault_absent(in, w, lane, from);
	if (!found_before(w, in, CHECK_SHFL, &p)) {
		fault_absent(in, w, lane, from);
		found_new(w, in, (int)lane, CHECK_SHFL, &p);
	}
	return 0;
}

static int
sync_shfl(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *b = vec32(w, in->src[1]), *c = vec32(w, in->src[2]);
	uint32_t a[WARP_SIZE], result[WARP_SIZE], p = 0;

	FOR_GROUPS(group, in, w, in->src[3], mask)
	(void)group;
	memcpy(a, vec32(w, in->src[0]), sizeof(a)); /* d may be a, b or c */
	FOR_LANES(l, mask)
	{
		bool good = false;
		uint32_t from = shfl_source((enum shfl_mode)in->sub, l, b[l], c[l], &good);

		result[l] = mask >> from & 1 ? a[from] : 0;
		p |= (uint32_t)good << l;
		if (unlikely(!(mask >> from & 1)) && (w->cta->run->launch->checks & CHECK_SHFL) &&
		    shfl_absent(in, w, l, from))
			return EXEC_FAULT;
	}
	if (in->dst[0].bytes != OPND_NONE) {
		uint32_t *d = vec(w, in->dst[0]);

		FOR_LANES(l, mask)
		d[l] = result[l];
	}
	if (in->dst[1].bytes != OPND_NONE)
		vec_set_pred(w, in->dst[1], p, mask);
	return EXEC_NEXT;
}

static uint32_t
redux_step(const struct prog_inst *in, uint32_t a, uint32_t b)
{
	bool less = in->type == TY_S32 ? (a ^ 0x80000000u) < (b ^ 0x80000000u) : a < b;

	switch ((enum redux_op)in->sub) {
	case REDUX_ADD:
		return a + b;
	case REDUX_MIN:
		return less ? a : b;
	case REDUX_MAX:
		return less ? b : a;
	case REDUX_AND:
		return a & b;
	case REDUX_OR:
		return a | b;
	case REDUX_XOR:
		return a ^ b;
	}
	return 0;
}

static int
sync_redux(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t a[WARP_SIZE];

	memcpy(a, vec32(w, in->src[0]), sizeof(a));
	FOR_GROUPS(group, in, w, in->src[1], mask)
	{
		uint32_t first = mask_first(group), r = a[first];

		FOR_LANES(l, group & (group - 1))
		r = redux_step(in, r, a[l]);
		set32(w, in->dst[0], group, r);
	}
	return EXEC_NEXT;
}

static int
sync_elect(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	FOR_GROUPS(group, in, w, in->src[0], mask)
	{
		set32(w, in->dst[0], group, mask_first(group));
		if (in->dst[1].bytes != OPND_NONE)
			vec_set_pred(w, in->dst[1], 1u << mask_first(group), group);
	}
	return EXEC_NEXT;
}

/* The instructions: they wait for their members. */
#define SYNC(name, k)                                                              \
	int exec_##name(const struct prog_inst *in, struct warp *w, uint32_t mask) \
	{                                                                          \
		return strand_sync(in, w, mask, in->src[k], sync_##name);          \
	}
SYNC(bar_warp, 0)
SYNC(vote, 1)
SYNC(match_any, 1)
SYNC(match_all, 1)
SYNC(shfl, 3)
SYNC(redux, 1)
SYNC(elect, 0)
