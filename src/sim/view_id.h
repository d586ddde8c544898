/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_id.h - what a path is resolved to (paths.c), and values are read by (view.c). */
#ifndef SIM_VIEW_ID_H
#define SIM_VIEW_ID_H

#include "sim/sim_priv.h"

/* An id contains the kind, the row or field, and the first instance; element e is instance first
 * + e. */
enum { ID_ROW, ID_FIELD, ID_FOUND, ID_OPTION, ID_CORE_SERIES, ID_MEM_SERIES, ID_GPU_SERIES };
enum { ID_SUBS = ID_GPU_SERIES + 1 }; /* a row of all schedulers, one core after the other */
#define ID(kind, row, sub, first) \
	((uint64_t)(kind) << 56 | (uint64_t)(row) << 32 | (uint64_t)(sub) << 16 | (uint64_t)(first))

/* A path with the index of a kernel, from 1. */
#define GROUP_KERNELS "kernels"

#endif
