/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * on_terminal.h - the terminal `h` of a test, and frequent steps of such tests: type, wait for a
 * text, show the screen of a failure, end the program.
 */
#ifndef TESTS_TUI_ON_TERMINAL_H
#define TESTS_TUI_ON_TERMINAL_H

#include "tests/tap.h"
#include "tests/vth.h"

#include <sys/wait.h>

static struct vth h;

static inline bool
seen(bool good, const char *what)
{
	if (!ok(good, "%s", what))
		vth_show(&h, stdout);
	return good;
}

static inline bool
text(const char *t, int ms)
{
	return vth_wait_text(&h, t, ms);
}

/* Sends keys and waits for a text. */
static inline void
keys(const char *bytes, const char *wanted, const char *what)
{
	vth_send(&h, bytes);
	bool found = text(wanted, 20000);
	vth_settle(&h);
	seen(found, what);
}

/* Sends the last keys: the program ends, and the terminal is restored. */
static inline void
ends_with(const char *bytes, int status, const char *what)
{
	if (*bytes)
		vth_send(&h, bytes);
	bool ended = vth_wait_exit(&h, 20000);
	seen(ended && WIFEXITED(h.child.status) && WEXITSTATUS(h.child.status) == status, what);
	ok(!h.alternate && h.cursor, "the screen is left, the cursor visible");
	ok(vth_modes_restored(&h), "the terminal's modes are as before");
}

static inline void
leave_with(const char *bytes)
{
	ends_with(bytes, 0, "it ends with status 0");
	vth_close(&h);
}

#endif
