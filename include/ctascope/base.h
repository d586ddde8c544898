/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base.h - the names that every part of ctascope shares. It includes no header of ctascope. */
#ifndef CTASCOPE_BASE_H
#define CTASCOPE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t cycle_t; /* core clock cycles unless a name says otherwise */

#define CYCLE_NEVER UINT64_MAX

#define WARP_SIZE 32	/* lanes of a warp on every GPU of the papers */
#define MAX_WARPS 64	/* warps per core: one bit each in a uint64_t */
#define MAX_CTAS 32	/* CTAs resident on a core */
#define MAX_CORES 128	/* cores of a GPU */
#define CORE_NONE MAX_CORES
#define MAX_CHANNELS 32 /* DRAM channels */
#define MAX_SLICES 64	/* L2 slices */

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
/* For a function that is copied for constant arguments, or into the one hot loop that calls it. */
#define ALWAYS_INLINE inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))
/* For the functions of the model that run in nearly every cycle. The linker places them next to
 * each other, so that they fit into the host's instruction cache. They have no arrays, so they need
 * no stack protector. */
#if __has_attribute(no_stack_protector)
#define HOT __attribute__((hot, no_stack_protector))
#else
#define HOT __attribute__((hot))
#endif
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define ATTR_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define ATTR_UNUSED __attribute__((unused))

#endif
