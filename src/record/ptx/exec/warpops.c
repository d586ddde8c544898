/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * warpops.c - exchanges values between the lanes of a warp: vote match activemask shfl redux elect.
 *
 * A .sync form names its members. The instruction waits for members that can still arrive
 * (strand.c) and is then executed by the lanes that are present. PTX leaves undefined what a lane
 * gets that does not name itself, and what happens if members name different masks. Here a lane
 * gets the result over those lanes that it names and that are present, whether or not it is one of
 * them: their vote, their sum. Without .sync, all present lanes take part.
 *
 * shfl reads any present lane, named or not, and reads 0 from an absent lane. Machines have been
 * observed to do so, and programs that add up with fewer lanes than they name get correct sums that
 * way (NVIDIA's sample reduction, kernels 7 to 9).
 *
 * CHECK_SHFL reports all of these: a lane outside its own mask, differing masks, a live member that
 * is absent, shfl of an absent lane. Lanes that have exited may be named.
 */
#include "record/ptx/exec/exec.h"

#include <string.h>

/* The lanes of rest that name the same present lanes (those of mask) as the lowest lane of rest
 * does. *group: the lanes that they name. o: the member mask operand, or none. */
static uint32_t
find_lanes_with_same_mask(const struct warp *w, struct opnd o, uint32_t mask, uint32_t rest,
			  uint32_t *group)
{
	uint32_t who = 0;
	const uint32_t *m;

	*group = mask;
	if (o.bytes == OPND_NONE)
		return rest;
	m = vec32(w, o);
	*group = m[mask_first(rest)] & mask;
	FOR_LANES(l, rest)
	who |= (uint32_t)((m[l] & mask) == *group) << l;
	return who;
}

/* For all lanes of mask: the lanes `who` get the result over the lanes `group`. */
#define FOR_PARTIES(who, group, w, o, mask)    \
	for (uint32_t r_ = (mask), who, group; \
	     r_ && ((who = find_lanes_with_same_mask(w, o, mask, r_, &group)), true); r_ &= ~who)

/* Reports a finding by `report`, which makes it a fault. Returns EXEC_FAULT, or 0: the launch
 * continues. */
static int
report_finding(const struct prog_inst *in, struct warp *w, uint32_t lane, uint32_t other,
	       int (*report)(const struct prog_inst *in, struct warp *w, uint32_t lane,
			     uint32_t other))
{
	struct found_pause p;

	if (!(w->cta->run->launch->go_on & CHECK_SHFL))
		return report(in, w, lane, other);
	if (!found_before(w, in, CHECK_SHFL, &p)) {
		report(in, w, lane, other);
		found_new(w, in, (int)lane, CHECK_SHFL, &p);
	}
	return 0;
}

/* Describes where an absent lane is, for messages. */
static void
describe_absent_lane(const struct prog_inst *in, const struct warp *w, uint32_t lane, char *to,
		     size_t size)
{
	const struct prog_inst *at = flow_where(w, lane, in);

	if (at == in)
		snprintf(to, size, "is switched off");
	else if (at)
		snprintf(to, size, "is at line %u", at->line);
	else
		snprintf(to, size, "has ended or does not exist");
}

/* ---------------------------------------------------------------- member masks */

static const uint32_t *
get_member_masks(const struct prog_inst *in, const struct warp *w)
{
	return vec32(w, in->src[in->n_src - 1]);
}

static int
report_outside_mask(const struct prog_inst *in, struct warp *w, uint32_t lane,
		    uint32_t other ATTR_UNUSED)
{
	return exec_fault(w, in, (int)lane, "lane %u is not in its own member mask 0x%08x", lane,
			  get_member_masks(in, w)[lane]);
}

static int
report_missing_member(const struct prog_inst *in, struct warp *w, uint32_t lane, uint32_t other)
{
	char where[48];

	describe_absent_lane(in, w, other, where, sizeof(where));
	return exec_fault(w, in, (int)lane,
			  "lane %u names lane %u in its member mask 0x%08x, which %s", lane, other,
			  get_member_masks(in, w)[lane], where);
}

static int
report_different_mask(const struct prog_inst *in, struct warp *w, uint32_t lane, uint32_t other)
{
	const uint32_t *m = get_member_masks(in, w);

	return exec_fault(w, in, (int)lane,
			  "lane %u has the member mask 0x%08x, but lane %u has 0x%08x", lane,
			  m[lane], other, m[other]);
}

/* CHECK_SHFL: finds uses that PTX leaves undefined. The member mask is the last operand. */
static int
members_check(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *m = get_member_masks(in, w);

	FOR_LANES(l, mask)
	{
		uint32_t missing = m[l] & w->live & ~mask;

		if (!(m[l] >> l & 1))
			return report_finding(in, w, l, l, report_outside_mask);
		if (missing)
			return report_finding(in, w, l, mask_first(missing), report_missing_member);
		FOR_LANES(k, m[l] & mask)
		if (m[k] != m[l])
			return report_finding(in, w, k, l, report_different_mask);
	}
	return 0;
}

static void
set_lanes(const struct warp *w, struct opnd o, uint32_t mask, uint32_t value)
{
	uint32_t *d = vec(w, o);

	if (o.bytes == OPND_NONE)
		return;
	FOR_LANES(l, mask)
	d[l] = value;
}

static int
sync_bar_warp(const struct prog_inst *in ATTR_UNUSED, struct warp *w ATTR_UNUSED,
	      uint32_t mask ATTR_UNUSED)
{
	return EXEC_NEXT;
}

int
exec_activemask(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	set_lanes(w, in->dst[0], mask, mask);
	return EXEC_NEXT;
}

static int
sync_vote(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t p = vec_pred(w, in->src[0]) ^ (in->sub2 ? UINT32_MAX : 0);

	FOR_PARTIES(who, group, w, in->src[1], mask)
	{
		uint32_t yes = p & group;
		bool r = in->sub == VOTE_ALL   ? yes == group
			 : in->sub == VOTE_ANY ? yes != 0
					       : yes == group || yes == 0;

		if (in->sub == VOTE_BALLOT)
			set_lanes(w, in->dst[0], who, yes);
		else if (in->dst[0].bytes != OPND_NONE)
			vec_set_pred(w, in->dst[0], r ? UINT32_MAX : 0, who);
	}
	return EXEC_NEXT;
}

static uint64_t
get_lane_bits(const struct warp *w, struct opnd o, uint32_t l)
{
	return o.bytes == 8 ? vec64(w, o)[l] : vec32(w, o)[l];
}

static int
sync_match_any(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t result[WARP_SIZE];

	FOR_PARTIES(who, group, w, in->src[1], mask)
	FOR_LANES(l, who)
	{
		uint64_t v = get_lane_bits(w, in->src[0], l);

		result[l] = 0;
		FOR_LANES(k, group)
		result[l] |= (uint32_t)(get_lane_bits(w, in->src[0], k) == v) << k;
	}
	FOR_LANES(l, mask)
	set_lanes(w, in->dst[0], 1u << l, result[l]);
	return EXEC_NEXT;
}

static int
sync_match_all(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	uint32_t result[WARP_SIZE], p = 0;

	FOR_PARTIES(who, group, w, in->src[1], mask)
	{
		bool same = group != 0;

		FOR_LANES(l, group)
		same &= get_lane_bits(w, in->src[0], l) ==
			get_lane_bits(w, in->src[0], mask_first(group));
		FOR_LANES(l, who)
		result[l] = same ? group : 0;
		p |= same ? who : 0;
	}
	FOR_LANES(l, mask)
	set_lanes(w, in->dst[0], 1u << l, result[l]);
	if (in->dst[1].bytes != OPND_NONE)
		vec_set_pred(w, in->dst[1], p, mask);
	return EXEC_NEXT;
}

/* The lane that lane l reads; *good: it is in the segment. */
static uint32_t
find_shfl_source(enum shfl_mode mode, uint32_t l, uint32_t b, uint32_t c, bool *good)
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
report_absent_source(const struct prog_inst *in, struct warp *w, uint32_t lane, uint32_t from)
{
	char where[48];

	describe_absent_lane(in, w, from, where, sizeof(where));
	return exec_fault(w, in, (int)lane, "shfl: lane %u reads lane %u, which %s", lane, from,
			  where);
}

static int
sync_shfl(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	const uint32_t *b = vec32(w, in->src[1]), *c = vec32(w, in->src[2]);
	uint32_t a[WARP_SIZE], result[WARP_SIZE], p = 0;

	memcpy(a, vec32(w, in->src[0]), sizeof(a)); /* d may be a, b or c */
	FOR_LANES(l, mask)
	{
		bool good = false;
		uint32_t from = find_shfl_source((enum shfl_mode)in->sub, l, b[l], c[l], &good);

		result[l] = mask >> from & 1 ? a[from] : 0;
		p |= (uint32_t)good << l;
		if (unlikely(!(mask >> from & 1)) && (w->cta->run->launch->checks & CHECK_SHFL) &&
		    report_finding(in, w, l, from, report_absent_source))
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
	FOR_PARTIES(who, group, w, in->src[1], mask)
	{
		uint32_t r = group ? a[mask_first(group)] : 0;

		FOR_LANES(l, group & (group - 1))
		r = redux_step(in, r, a[l]);
		set_lanes(w, in->dst[0], who, r);
	}
	return EXEC_NEXT;
}

static int
sync_elect(const struct prog_inst *in, struct warp *w, uint32_t mask)
{
	FOR_PARTIES(who, group, w, in->src[0], mask)
	{
		set_lanes(w, in->dst[0], who, group ? mask_first(group) : 0);
		if (in->dst[1].bytes != OPND_NONE)
			vec_set_pred(w, in->dst[1], group & (0 - group), who);
	}
	return EXEC_NEXT;
}

/* The functions of the instructions, which wait for their members. */
#define SYNC(name, k)                                                                     \
	static int meet_##name(const struct prog_inst *in, struct warp *w, uint32_t mask) \
	{                                                                                 \
		if (unlikely(w->cta->run->launch->checks & CHECK_SHFL) &&                 \
		    in->src[k].bytes != OPND_NONE && members_check(in, w, mask))          \
			return EXEC_FAULT;                                                \
		return sync_##name(in, w, mask);                                          \
	}                                                                                 \
	int exec_##name(const struct prog_inst *in, struct warp *w, uint32_t mask)        \
	{                                                                                 \
		return strand_sync(in, w, mask, in->src[k], meet_##name);                 \
	}
SYNC(bar_warp, 0)
SYNC(vote, 1)
SYNC(match_any, 1)
SYNC(match_all, 1)
SYNC(shfl, 3)
SYNC(redux, 1)
SYNC(elect, 0)
