/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mem.c - the options of the memory partitions, and the DRAM schedulers that one of them names.
 */
#include "mem/mem_part.h"

/* In the order in which lists show them: NAME.c defines dram_NAME. */
#define DRAM_SCHEDS(SCHED) \
	SCHED(frfcfs)      \
	SCHED(fcfs)

#define DECLARE(name) extern const struct dram_sched_ops dram_##name;
DRAM_SCHEDS(DECLARE)

#define ADDRESS(name) &dram_##name,
const struct dram_sched_ops *const dram_scheds[] = {DRAM_SCHEDS(ADDRESS)};

#define NAME(name) #name,
static const char *const dram_sched_names[] = {DRAM_SCHEDS(NAME) NULL};

#define OPT(...) DECL_ROW(struct mem_cfg, __VA_ARGS__)
#define OPT_ENUM(...) DECL_ROW_ENUM(struct mem_cfg, __VA_ARGS__)
const struct opt_row mem_opts[] = {
#include "mem/mem.def"
};
const unsigned mem_n_opts = ARRAY_LEN(mem_opts);
