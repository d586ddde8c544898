/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_line.h - copies the line being edited (line/line.h) for the screen. */
#ifndef TUI_PROMPT_LINE_H
#define TUI_PROMPT_LINE_H

#include "tui/screen.h"

void prompt_line_copy(struct screen_line *to);

#endif
