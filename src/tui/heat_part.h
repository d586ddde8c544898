/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heat_part.h - the interface between heat.c (values, ranges, codes) and heat_draw.c. */
#ifndef TUI_HEAT_PART_H
#define TUI_HEAT_PART_H

#include "tui/heat.h"

#define HEAT_ROWS_MAX MAX_CORES

/* Returns every row's value in a closed sample, stored in `to` or by the source itself. */
const double *heat_values(const struct screen *s, const struct heat_source *src, unsigned sample,
			  double to[HEAT_ROWS_MAX]);

/* Whether the values hold at the ends of samples, rather than for their length (columns.h). */
bool heat_is_level(const struct heat_source *src);

bool heat_is_cut(const struct heat_cut *c);
/* Whether a gauge of a policy is this row of the time series. */
bool heat_is_gauge(const struct cta_gauge *g, enum series_core_field f);

/* Computes the new columns; returns false if memory runs out. */
bool heat_update(const struct screen *s, struct pane_view *view, const struct heat_source *src);

#endif
