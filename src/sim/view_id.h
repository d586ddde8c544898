/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_id.h - what a path is resolved to (paths.c), and values are read by (view.c). */
#ifndef SIM_VIEW_ID_H
#define SIM_VIEW_ID_H

#include "sim/sim_priv.h"

/* An id contains the kind, the row or field, and the first instance; element e is instance first
 * + e. */
enum { ID_ROW, ID_FIELD, ID_FOUND, ID_OPTION, ID_CORE_SERIES, ID_MEM_SERIES, ID_GPU_SERIES };
enum {
	ID_SUBS = ID_GPU_SERIES + 1, /* a row of all schedulers, one core after the other */
	ID_KERNEL_ROW,		     /* of GROUP_CORE_KERNEL: sub is the index of the kernel */
	ID_KERNEL_FIELD,	     /* ID_FIELD for a kernel: row is ROW_OF_KERNEL() */
};
#define ID(kind, row, sub, first) \
	((uint64_t)(kind) << 56 | (uint64_t)(row) << 32 | (uint64_t)(sub) << 16 | (uint64_t)(first))

/* A path with the index of a kernel, from 1. */
#define GROUP_KERNELS "kernels"
/* Values of a kernel on a core: core.5.kernel.2.n. */
#define GROUP_CORE_KERNEL "core_kernel"
/* The row of ID_KERNEL_FIELD holds a policy and the index of a kernel. */
#define ROW_OF_KERNEL(policy, kernel) ((uint64_t)(kernel) << 8 | (uint64_t)(policy))
#define POLICY_OF_ROW(row) ((row)&0xff)
#define KERNEL_OF_ROW(row) ((row) >> 8)

#endif
