/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series_title.c - titles of series in words. The names of series.def are what a user types; on the
 * screen they would say little to someone who has not typed them.
 */
#include "tui/series_title.h"

#include "tui/canvas.h"

#include <string.h>

/* A new series without a title here shows its name. */
static const char *const of_core[SC_FIELDS] = {
	[SC_RUNNING] = "CTAs running",
	[SC_RESIDENT] = "CTAs resident",
	[SC_LIMIT] = "limit n",
	[SC_RACT] = "RACT",
	[SC_ACTIVE] = "active cycles",
	[SC_STALL] = "stall cycles",
	[SC_BLOCKED] = "blocked cycles",
	[SC_MEMORY] = "memory cycles",
	[SC_DEPEND] = "dependence cycles",
	[SC_IDLE] = "idle cycles",
	[SC_GATED] = "cycles off",
	[SC_IPC] = "IPC of a core",
	[SC_C_MEM] = "C_mem",
	[SC_C_IDLE] = "C_idle",
	[SC_L1_MISS] = "L1 misses",
	[SC_MSHR] = "MSHR",
	[SC_LAT_RT] = "latency",
	[SC_CREDITS] = "local credits",
	[SC_STATE] = "core state",
	[SC_POWER] = "power of a core",
	[SC_NOC_OUT] = "sent to the network",
	[SC_NOC_IN] = "from the network",
	[SC_AMAT] = "AMAT of a core",
	[SC_OVERLAP] = "AMAT overlapped",
	[SC_CONFLICT] = "scoreboard",
	[SC_SERVED] = "DRAM reads",
	[SC_ISSUED] = "CTAs issued",
	[SC_DONE] = "CTAs done",
};

static const char *const of_channel[SM_FIELDS] = {
	[SM_UTIL] = "DRAM utilization", [SM_EFF] = "DRAM efficiency",
	[SM_ROW_HIT] = "DRAM row hits", [SM_QUEUE] = "DRAM queue",
	[SM_L2_MISS] = "L2 misses",	[SM_SAME_CORE] = "same core",
};

static const char *const of_gpu[SG_FIELDS] = {
	[SG_IPC] = "IPC",
	[SG_CREDITS] = "global credits",
	[SG_ACTIVE] = "cores with CTAs",
	[SG_RACT] = "mean RACT",
	[SG_CTAS] = "CTAs running",
	[SG_POWER] = "power",
	[SG_AMAT] = "AMAT",
	[SG_OVERLAP] = "AMAT overlapped",
	[SG_MEAN_N] = "mean n",
	[SG_MEAN_CTAS] = "mean CTAs",
};

const char *
series_title(const struct overtime *x)
{
	enum overtime_group g;
	unsigned field;
	const char *title = NULL;

	if (overtime_is_series(x, &g, &field))
		title = g == OVERTIME_CORE  ? of_core[field]
			: g == OVERTIME_MEM ? of_channel[field]
			: g == OVERTIME_GPU ? of_gpu[field]
					    : NULL;
	return title ? title : overtime_label(x);
}

const char *
series_unit(const char *unit, int w)
{
	static const char *const shorter[][2] = {{"thread instructions/cycle", "insts/cycle"},
						 {"sectors/cycle", "sectors"}};

	if (text_width(unit) <= w)
		return unit;
	for (size_t i = 0; i < ARRAY_LEN(shorter); i++)
		if (strcmp(unit, shorter[i][0]) == 0 && text_width(shorter[i][1]) <= w)
			return shorter[i][1];
	return "";
}
