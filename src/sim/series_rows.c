/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_rows.c - the tables of ctascope/series.def: what each value is and how it may be averaged.
 */
#include "ctascope/sim.h"

#define COUNTS_LEVEL(...) false
#define COUNTS_COUNT(...) true
#define COUNTS_RATE(...) false
#define COUNTS_PER_CYCLE(...) false
#define COUNTS_MEAN(...) false
#define COUNTS_OF_CORES(...) false
#define IS_LEVEL_LEVEL(...) true
#define IS_LEVEL_COUNT(...) false
#define IS_LEVEL_RATE(...) false
#define IS_LEVEL_PER_CYCLE(...) false
#define IS_LEVEL_MEAN(...) false
#define IS_LEVEL_OF_CORES(...) false
#define HAS_MEAN_LEVEL(...) true
#define HAS_MEAN_COUNT(...) true
#define HAS_MEAN_RATE(...) false
#define HAS_MEAN_PER_CYCLE(...) true
#define HAS_MEAN_MEAN(...) true
#define HAS_MEAN_OF_CORES(...) false
#define IS_RATE_LEVEL(...) false
#define IS_RATE_COUNT(...) false
#define IS_RATE_RATE(...) true
#define IS_RATE_PER_CYCLE(...) false
#define IS_RATE_MEAN(...) false
#define IS_RATE_OF_CORES(...) false

#define SERIES_CORE(id, name, unit, help, how) \
	[SC_##id] = {name, unit, help, COUNTS_##how, IS_LEVEL_##how, HAS_MEAN_##how, IS_RATE_##how},
const struct series_row series_core_rows[SC_FIELDS] = {
#include "ctascope/series.def"
};
#define SERIES_MEM(id, name, unit, help, how) \
	[SM_##id] = {name, unit, help, COUNTS_##how, IS_LEVEL_##how, HAS_MEAN_##how, IS_RATE_##how},
const struct series_row series_mem_rows[SM_FIELDS] = {
#include "ctascope/series.def"
};
#define SERIES_GPU(id, name, unit, help, how) \
	[SG_##id] = {name, unit, help, COUNTS_##how, IS_LEVEL_##how, HAS_MEAN_##how, IS_RATE_##how},
const struct series_row series_gpu_rows[SG_FIELDS] = {
#include "ctascope/series.def"
};
