/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prompt_line.h - the open line (line/line.h), as the screen shows it. */
#ifndef TUI_PROMPT_LINE_H
#define TUI_PROMPT_LINE_H

#include "tui/screen.h"

void prompt_line_copy(struct screen_line *to);

#endif
