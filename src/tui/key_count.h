/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key_count.h - the number that is typed before a key (key_count.c). */
#ifndef TUI_KEY_COUNT_H
#define TUI_KEY_COUNT_H

#include "tui/screen.h"

/* Returns the command of a key behind a number, such as "cursor down 5"; "" if the key belongs to a
 * number that is still being typed; NULL if the key has its own meaning. */
const char *key_count_take(struct screen *s, int key, char *buf, size_t size);

#endif
