/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wsched.h - the warp schedulers by name, and the searches they share. */
#ifndef WSCHED_H
#define WSCHED_H

#include "ctascope/warp_sched.h"

/* All schedulers, and their names; both arrays end with NULL. */
extern const struct warp_sched_ops *const wsched_table[];
extern const char *const wsched_names[];
extern const unsigned wsched_count;

/* The option gpu.warp_sched selects the scheduler of a machine. */
struct wsched_cfg {
	/* Index into wsched_table; from wsched_count on a policy of the user's own. */
	opt_enum warp_sched;
};
extern const struct opt_row wsched_opts[];
extern const unsigned wsched_n_opts;

/* The first warp of a non-empty mask in circular id order, starting after `last`. */
static inline unsigned
wsched_lrr_first(uint64_t mask, unsigned last)
{
	uint64_t after = mask & ~UINT64_C(1) << last;

	return (unsigned)__builtin_ctzll(after ? after : mask);
}

/* The warp launched first among those of a non-empty mask. Warps of one CTA are launched in id
 * order, so this is the lowest one of the oldest CTA that has any. */
static inline unsigned
wsched_oldest(uint64_t mask, const uint64_t *slot_warps, const uint8_t *by_age)
{
	for (unsigned i = 0;; i++) {
		uint64_t m = mask & slot_warps[by_age[i]];

		if (m)
			return (unsigned)__builtin_ctzll(m);
	}
}

/* Round robin inside one group, at least one warp of which can issue: each group continues after
 * the warp that it issued last, which *turn marks. After a change of groups one group may contain
 * several marks; the highest counts. */
static inline unsigned
wsched_lrr_group(uint64_t *turn, uint64_t group, uint64_t can)
{
	uint64_t last = *turn & group;
	unsigned w =
		wsched_lrr_first(can & group, last ? 63 - (unsigned)__builtin_clzll(last) : 63);

	*turn = (*turn & ~group) | UINT64_C(1) << w;
	return w;
}

#endif
