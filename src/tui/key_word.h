/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key_word.h - a command that is typed without ':' (key_word.c). */
#ifndef TUI_KEY_WORD_H
#define TUI_KEY_WORD_H

#include "tui/screen.h"

/* Reads the next key. Returns "prompt" if it and the letters before it are a command: the command
 * line then begins with them (prefill), and what the letters changed on the screen is put back.
 * NULL: the key has its own meaning. */
const char *key_word_take(struct screen *s, int key);

/* Takes back what the letters of a command did to the run, once that is stopped: call it after each
 * command. */
void key_word_take_back(struct screen *s);

#endif
