/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.c - notes, for the check of races, what orders the accesses of a CTA's warps besides
 * barriers: mbarriers, and atomic or strong accesses with fences (PTX ISA, memory consistency
 * model).
 *
 * A write with .release, or a strong one after a fence, releases what its warp knew at that time; a
 * read with .acquire of that word, or a strong one before a fence, makes that known to its own
 * warp. Every arrival at an mbarrier releases, and a test that finds a phase complete acquires what
 * all arrivals up to that phase released. What was released to a word stays released: a later
 * atomic on it continues the release.
 *
 * The check does not compare scopes, and a whole warp acquires what one of its lanes acquires. Both
 * can hide a race, but never report a false one. A cuda::barrier consists of atomics before sm_80,
 * and is an mbarrier since.
 */
#include "record/ptx/mem/check.h"
#include "record/ptx/mem/global.h"

#include <stdlib.h>
#include <string.h>

void
order_reset(struct shadow *s)
{
	s->n_sync = 0;
	s->has_fenced = s->has_pending = 0;
}

static void
merge_ticks(struct ticks *to, const struct ticks *from)
{
	for (uint32_t v = 0; v < MAX_WARPS; v++)
		to->of[v] = MAX(to->of[v], from->of[v]);
}

static struct sync *
find_sync(const struct shadow *s, uint32_t at)
{
	uint32_t i = at < s->bytes ? s->sync_at[at] : 0;

	return i && i <= s->n_sync && s->sync[i - 1].at == at ? &s->sync[i - 1] : NULL;
}

/* Finds or makes the entry of an offset; NULL when memory runs out. */
static struct sync *
make_sync(struct shadow *s, uint32_t at)
{
	struct sync *found = find_sync(s, at);

	if (found)
		return found;
	if (s->n_sync == s->cap_sync) {
		uint32_t cap = MAX(2 * s->cap_sync, 16u);
		struct sync *more = realloc(s->sync, cap * sizeof(*more));

		if (!more)
			return NULL;
		s->sync = more;
		s->cap_sync = cap;
	}
	s->sync[s->n_sync] = (struct sync){.at = at};
	s->sync_at[at] = ++s->n_sync;
	return &s->sync[s->n_sync - 1];
}

/* Ends the current tick of w, so that its later accesses have a new one. Returns what w knows,
 * which includes its accesses so far. */
static const struct ticks *
close_tick(struct warp *w)
{
	struct shadow *s = w->cta->shadow;

	s->known[w->id].of[w->id] = s->now[w->id]++;
	return &s->known[w->id];
}

static int
report_memory(struct warp *w)
{
	err_of(w->cta->run->e, ERR_MEMORY, "out of memory for the check of shared memory");
	return EXEC_FAULT;
}

int
exec_fence(const struct prog_inst *in ATTR_UNUSED, struct warp *w, uint32_t mask ATTR_UNUSED)
{
	struct shadow *s = w->cta->shadow;

	if (!s)
		return EXEC_NEXT;
	if (w->cta->run->global)
		global_fence(w->cta);
	if (s->has_pending >> w->id & 1)
		merge_ticks(&s->known[w->id], &s->pending[w->id]);
	s->has_pending &= ~(UINT64_C(1) << w->id);
	s->fenced[w->id] = *close_tick(w);
	s->has_fenced |= UINT64_C(1) << w->id;
	return EXEC_NEXT;
}

static void
acquire_word(struct warp *w, const struct sync *y, bool now)
{
	struct shadow *s = w->cta->shadow;

	if (now) {
		merge_ticks(&s->known[w->id], &y->released);
		return;
	}
	if (!(s->has_pending >> w->id & 1))
		s->pending[w->id] = (struct ticks){{0}};
	s->has_pending |= UINT64_C(1) << w->id;
	merge_ticks(&s->pending[w->id], &y->released);
}

int
order_access(struct warp *w, const struct prog_inst *in, uint32_t mask, const uint32_t *offset)
{
	struct shadow *s = w->cta->shadow;
	bool rmw = in->op == PTX_atom || in->op == PTX_red;
	bool releases = (in->sub2 & MEM_RELEASES) != 0;
	const struct ticks *out = NULL;

	if (!rmw && in->op != PTX_ld && in->op != PTX_st)
		return 0;
	for (uint32_t m = mask; m && in->op != PTX_st; m &= m - 1) {
		const struct sync *y = find_sync(s, offset[__builtin_ctz(m)]);

		if (y)
			acquire_word(w, y, (in->sub2 & MEM_ACQUIRES) != 0);
	}
	if (in->op == PTX_ld)
		return 0;
	if (releases)
		out = close_tick(w);
	else if (s->has_fenced >> w->id & 1)
		out = &s->fenced[w->id];
	for (uint32_t m = mask; m && out; m &= m - 1) {
		struct sync *y = make_sync(s, offset[__builtin_ctz(m)]);

		if (!y)
			return report_memory(w);
		merge_ticks(&y->released, out);
	}
	return 0;
}

int
order_arrive(struct warp *w, uint32_t offset, bool complete)
{
	struct shadow *s = w->cta->shadow;
	struct sync *y = s ? make_sync(s, offset) : NULL;

	if (!y)
		return s ? report_memory(w) : 0;
	merge_ticks(&y->arriving, close_tick(w));
	if (complete)
		y->released = y->arriving;
	return 0;
}

void
order_pass(struct warp *w, uint32_t offset)
{
	const struct shadow *s = w->cta->shadow;
	const struct sync *y = s ? find_sync(s, offset) : NULL;

	if (y)
		acquire_word(w, y, true);
}
