/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wsched.h - the warp schedulers by name, and the walk they share. */
#ifndef WSCHED_H
#define WSCHED_H

#include "ctascope/warp_sched.h"

/* First warp of a non-empty mask in circular id order, starting behind `last`. */
static inline unsigned
wsched_lrr_first(uint64_t mask, unsigned last)
{
	uint64_t after = last >= 63 ? 0 : mask & (~UINT64_C(0) << (last + 1));

	return (unsigned)__builtin_ctzll(after ? after : mask);
}

#endif
