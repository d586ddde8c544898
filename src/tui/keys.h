/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h - maps keys to command lines. The rows are in keys.def; `bind` adds the user's own. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "ctascope/err.h"

#define K_CTRL(c) ((c)&31)
#define K_ESCAPE 27

/* Keys that are not characters; their codes are above Unicode. */
enum key_code {
	K_NONE = 0x110000,
	K_UP,
	K_DOWN,
	K_LEFT,
	K_RIGHT,
	K_HOME,
	K_END,
	K_PGUP,
	K_PGDN,
	K_BACKTAB,
	K_F1,
	K_BACKSPACE,
	K_GG, /* g typed twice */
	K_GH  /* g, then h */
};

/* When a key or a command is valid: in a session whose model is stopped or runs; in a race that is
 * paused, runs or has ended; in a comparison of two runs over time or of their totals. */
enum key_when {
	WHEN_STOPPED = 1,
	WHEN_RUNNING = 2,
	WHEN_ALWAYS = WHEN_STOPPED | WHEN_RUNNING,
	WHEN_RACE_STOPPED = 4,
	WHEN_RACE_RUNNING = 8,
	WHEN_RACE_OPEN = WHEN_RACE_STOPPED | WHEN_RACE_RUNNING,
	WHEN_RACE_OVER = 16,
	WHEN_RACE = WHEN_RACE_OPEN | WHEN_RACE_OVER,
	WHEN_COMPARE_SERIES = 32,
	WHEN_COMPARE_TABLE = 64,
	WHEN_COMPARE = WHEN_COMPARE_SERIES | WHEN_COMPARE_TABLE,
	WHEN_PAGE = WHEN_RACE | WHEN_COMPARE
};

struct key_row {
	int code;
	const char *name, *command;
	enum key_when when;
	const char *label, *help;
};
extern const struct key_row key_rows[];
extern const unsigned n_key_rows;

#define KEYMAP_OWN 64 /* most bindings that a user may add */

struct keymap {
	struct {
		int code;
		char command[120];
	} own[KEYMAP_OWN];
	unsigned n_own;
};

/* Returns the command of a key, or NULL if none is valid now. *row (which may be NULL) is then the
 * key's row for another time, or NULL. A user's bindings are valid in a session only. */
const char *keymap_find(const struct keymap *m, int code, enum key_when now,
			const struct key_row **row);
int keymap_bind(struct keymap *m, const char *key, const char *command, struct err *e);
bool keymap_is_own(const struct keymap *m, int code); /* bound by the user */
int key_by_name(const char *name);		      /* K_NONE: there is no such key */
/* Returns what to tell who presses a key that has no meaning now, NULL: nothing. */
const char *key_hint(int code);
/* Returns the scrolling command of a key in every view that scrolls (log, help), or NULL. */
const char *keys_scroll(int code);

#endif
