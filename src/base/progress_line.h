/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress_line.h - the line on a terminal that shows progress and is redrawn in place. The
 * terminal cuts it at its right edge, since a line that wraps cannot be redrawn and repeats. These
 * are string literals, so that a line is one format.
 */
#ifndef BASE_PROGRESS_LINE_H
#define BASE_PROGRESS_LINE_H

#define PROGRESS_BEGIN "\r\033[?7l"
#define PROGRESS_END "\033[K\033[?7h"
#define PROGRESS_CLEAR "\r\033[K"

#endif
