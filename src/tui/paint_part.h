/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paint_part.h - the interface between painter.c (colours of a terminal) and paint.c (cells). */
#ifndef TUI_PAINT_PART_H
#define TUI_PAINT_PART_H

#include "tui/paint.h"

/* Converts a theme's colour to one that the terminal has. */
int32_t paint_depth_color(int32_t color, enum depth depth);
/* Returns 0 for black to 255 for white. */
unsigned paint_brightness(uint32_t rgb);
/* Returns a text colour that is readable on bg. */
int32_t paint_text_color(const struct painter *p, int32_t bg);

#endif
