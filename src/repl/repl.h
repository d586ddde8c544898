/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * repl.h - the program behind main(): its command line, the plain prompt, scripts.
 *
 * The full screen lies above this folder, so main() hands it in.
 */
#ifndef REPL_REPL_H
#define REPL_REPL_H

#include "ctascope/session.h"

struct cli_screen {
	const char *theme; /* NULL: the default */
	int color;	   /* -1 auto, 0 never, 1 always */
	bool ascii;
};

enum cli_screen_end { SCREEN_QUIT, SCREEN_PROMPT }; /* or 128 + n, or -1 with e: it cannot start */

struct cli_front {
	bool (*possible)(void); /* is there a terminal for it */
	int (*screen)(struct session *s, const struct cli_screen *o, struct err *e);
	/* A race, as session_ui.race. */
	int (*race)(struct session *s, struct race *r, const struct cli_screen *o, struct err *e);
	/* Two finished runs, as session_ui.compare. */
	int (*compare)(struct session *s, const struct compare *c, const char *column,
		       const struct cli_screen *o, struct err *e);
};

/* The whole program: parses arguments, runs what they say, returns the exit status. f may be NULL:
 * no screen is built in. */
int cli_main(int argc, char **argv, const struct cli_front *f);

/* How the program and its subcommands end: cli_error() says e and returns status; cli_flush() makes
 * sure that what was printed arrived, since a full disk is an error like any other. */
int cli_error(const struct err *e, int status);
int cli_flush(int status);

/* Begins a line (line/line.h) of this session, with its completion and history. */
void prompt_enter(struct session *s, bool is_drawn_by_caller);

/*
 * Workloads by name: a trace that is shipped or the user's own, or an application, as NAME (its
 * size default) or NAME:SIZE. An application that is not recorded at a size is recorded when it is
 * needed, into the user's cache. All return -1 with e for names that are none; otherwise ends the
 * error where no other name is near.
 */
int workload_check(const char *name, const char *otherwise, struct err *e);
/* The trace's path: 0 there, 1 not recorded yet. */
int workload_find(const char *name, char *path, size_t size, struct err *e);
/* Records it if that must be, with a line on standard error unless quiet; 0 there. */
int workload_need(const char *name, bool quiet, char *path, size_t size, struct err *e);
/* The number of a size, -1: none of that name; whether the application NAME has that size. */
int workload_size_check(const char *size, struct err *e);
bool workload_has_size(const char *name, const char *size);

/* Tables as manual pages want them: calls fn for every command. */
void repl_each_command(void (*fn)(void *ctx, const char *group, const char *name, const char *usage,
				  const char *help),
		       void *ctx);

#endif
