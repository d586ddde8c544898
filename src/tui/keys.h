/* SPDX-License-Identifier: GPL-3.0-or-later */
/* keys.h - which command line a key stands for. Rows in keys.def; `bind` changes them. */
#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "ctascope/err.h"

#define K_CTRL(c) ((c)&31)
#define K_ESCAPE 27

/* Keys that are no character, above Unicode. */
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
	K_GG, /* g typed twice */
	K_GH  /* g, then h */
};

/* Where a key or a command means something: in a session whose model stands or runs, in a race that
 * stands, runs or is over, in a comparison of two runs by time or by their totals. */
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

#define KEYMAP_OWN 64 /* bindings a user may add */

struct keymap {
	struct {
		int code;
		char command[120];
	} own[KEYMAP_OWN];
	unsigned n_own;
};

/* The command of a key, NULL when it has none that is valid now; then *row (may be NULL) is its row
 * for another time, NULL when it has none. A user's bindings are for the session. */
const char *keymap_find(const struct keymap *m, int code, enum key_when now,
			const struct key_row **row);
int keymap_bind(struct keymap *m, const char *key, const char *command, struct err *e);
bool keymap_is_own(const struct keymap *m, int code); /* bound by the user */
int key_by_name(const char *name);		      /* K_NONE: no such key */
/* What a key means to anything that scrolls: log, help; NULL: nothing. */
const char *keys_scroll(int code);

#endif
