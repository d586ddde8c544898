/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * on_terminal.h - the terminal `h` of a test, and frequent steps of such tests: start the program
 * on the small machine, type, wait for a text, show the screen of a failure, end the program.
 */
#ifndef TESTS_TUI_ON_TERMINAL_H
#define TESTS_TUI_ON_TERMINAL_H

#include "tests/tap.h"
#include "tests/vth.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define MOST_WORDS 32 /* of a command line, and of an environment */

static struct vth h;
static char program[4096]; /* with the fault switch (tests/small/fault.h) */
static char machine[4200]; /* tests/small/small.machine */
static char env_home[4200], env_data[4200], env_leaks[4200]; /* settings of the environment */
static char header[4096]; /* the first row of the screen when the test called remember_header() */

/* Sets the paths above. Call it at the beginning of main(). */
static inline void
find_program(void)
{
	const char *build = getenv("builddir"), *src = getenv("srcdir");

	snprintf(program, sizeof(program), "%s/tests/small/ctascope-fault", build ? build : ".");
	snprintf(machine, sizeof(machine), "%s/tests/small/small.machine", src ? src : ".");
	snprintf(env_home, sizeof(env_home), "HOME=%s/tests/home", build ? build : ".");
	snprintf(env_data, sizeof(env_data), "CTASCOPE_DATADIR=%s", src ? src : ".");
	/* readline leaks, which a leak checker would report */
	snprintf(env_leaks, sizeof(env_leaks),
		 "LSAN_OPTIONS=suppressions=%s/tests/lsan.supp:print_suppressions=0",
		 src ? src : ".");
}

/* Writes the path of a shipped trace to buf, which is returned. */
static inline const char *
find_trace(const char *name, char buf[4200])
{
	const char *src = getenv("srcdir");

	snprintf(buf, 4200, "%s/traces/%s.ctr", src ? src : ".", name);
	return buf;
}

/* Appends words to a list of at most MOST_WORDS, which NULL ends; more may be NULL. */
static inline void
add_words(char **list, const char *const *more)
{
	unsigned n = 0;

	while (list[n])
		n++;
	for (; more && *more && n + 1 < MOST_WORDS; more++)
		list[n++] = (char *)(uintptr_t)*more;
	list[n] = NULL;
}

/* Starts a command line with these settings, or NULL, and the usual environment. Returns true when
 * the screen shows the text and has settled. */
static inline bool
start_command(int rows, int cols, const char *const *words, const char *const *settings,
	      const char *wanted)
{
	static const char *const usual[] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8",
					    "INPUTRC=/dev/null", NULL};
	char *argv[MOST_WORDS] = {NULL}, *env[MOST_WORDS] = {env_home, env_data, env_leaks};
	bool up;

	add_words(argv, words);
	add_words(env, settings); /* the first setting of a variable counts */
	add_words(env, usual);
	up = vth_start(&h, rows, cols, argv, env) && vth_wait_text(&h, wanted, 20000);
	vth_settle(&h);
	return up;
}

/* Likewise the program, with these words after its name. */
static inline bool
start_program(int rows, int cols, const char *const *words, const char *const *settings,
	      const char *wanted)
{
	char *argv[MOST_WORDS] = {program};

	add_words(argv, words);
	return start_command(rows, cols, (const char *const *)argv, settings, wanted);
}

/* Likewise a script of a shell that has job control. */
static inline bool
start_shell(const char *script, const char *wanted)
{
	return start_command(24, 80, (const char *const[]){"/bin/sh", "-c", script, NULL},
			     (const char *const[]){"PATH=/usr/bin:/bin", NULL}, wanted);
}

/* Starts the program at the keys of its screen: a shipped trace on the small machine, slowed down
 * by the fault switch where fault is not "". */
static inline bool
start_screen(const char *trace, const char *policy, const char *fault)
{
	char path[4200], env_fault[80];
	const char *const words[] = {
		"--tui", "-n", "-c", machine, "-p", policy, find_trace(trace, path), NULL};

	snprintf(env_fault, sizeof(env_fault), "CTASCOPE_FAULT=%s", fault);
	return start_program(24, 80, words, (const char *const[]){env_fault, NULL}, "q quit");
}

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
static inline bool
keys(const char *bytes, const char *wanted, const char *what)
{
	vth_send(&h, bytes);
	bool found = text(wanted, 20000);
	vth_settle(&h);
	return seen(found, what);
}

static inline void
remember_header(void)
{
	vth_row(&h, 0, header, sizeof(header));
}

static inline bool
header_moved(struct vth *v)
{
	char now[sizeof(header)];

	return strcmp(vth_row(v, 0, now, sizeof(now)), header) != 0;
}

static inline bool
mouse_is_on(struct vth *v)
{
	return v->mouse == VTERM_PROP_MOUSE_DRAG;
}

static inline bool
mouse_is_off(struct vth *v)
{
	return v->mouse == VTERM_PROP_MOUSE_NONE;
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
