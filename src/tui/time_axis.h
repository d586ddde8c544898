/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_axis.h - the line below the panes over time. */
#ifndef TUI_TIME_AXIS_H
#define TUI_TIME_AXIS_H

#include "tui/canvas.h"

struct screen;

/* Labels, kernel boundaries, period ticks, marks, bookmarks, cursor. */
void time_axis_draw(const struct screen *s, struct canvas *c);

#endif
