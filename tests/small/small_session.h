/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * small_session.h - a session of the small machine for tests of commands, the lines that it prints,
 * and the wait for what is measured beside it.
 */
#ifndef TESTS_SMALL_SESSION_H
#define TESTS_SMALL_SESSION_H

#include "base/clock.h"
#include "ctascope/session.h"
#include "tests/small/small.h"

#include <string.h>
#include <unistd.h>

struct small_session {
	struct config *c;
	struct trace *t;
	struct session *s;
};

static char printed[65536]; /* the lines that small_session_keep() received */

/* The `out` of a session_ui: keeps every line. */
static inline void
small_session_keep(void *ctx, enum say kind, const char *line)
{
	size_t n = strlen(printed);

	(void)ctx;
	(void)kind;
	snprintf(printed + n, sizeof(printed) - n, "%s\n", line);
}

static inline struct small_session
small_session_open(const char *policy, const struct session_ui *ui)
{
	struct small_session b = {.c = small_config(policy), .t = small_trace()};
	struct err e = {0};

	b.s = session_new(b.c, b.t, ui, &e);
	if (!b.s)
		small_die("session", &e);
	return b;
}

static inline void
small_session_close(struct small_session *b)
{
	session_free(b->s);
	trace_close(b->t);
	config_free(b->c);
}

/* Seconds. They only end a hang: a worker beside the session has the lowest priority and waits long
 * for its turn on a loaded machine. */
#define MEASURED_WITHIN 240

/* Reads news until no measurement is running. */
static inline bool
wait_measured(struct session *s)
{
	double end = clock_seconds() + MEASURED_WITHIN;
	int fd[SESSION_BESIDE];

	while (session_beside(s, fd) && clock_seconds() < end) {
		session_beside_read(s);
		usleep(2000);
	}
	return session_beside(s, fd) == 0;
}

#endif
