/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series_title.h - words for a series or an expression over time, as titles and legends show them.
 */
#ifndef TUI_SERIES_TITLE_H
#define TUI_SERIES_TITLE_H

#include "export/overtime.h"

/* Returns "L1 misses" for core.l1_miss_rate; of an expression its text. */
const char *series_title(const struct overtime *x);
/* Returns the unit, or a shorter form of it, that fits w columns; "" if none does. */
const char *series_unit(const char *unit, int w);

#endif
