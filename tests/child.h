/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.h - child processes of a test, and the only way in which it signals and awaits them.
 *
 *     struct child c;
 *
 *     if (child_fork(&c) == 0)
 *             _exit(7);
 *     child_signal(&c, SIGTERM);
 *     ok(child_wait(&c, 5000), "it ends");
 *     child_kill(&c);
 *
 * A fork that fails ends the test, so that no caller can send signals to process -1. A child that
 * has ended is not signalled any more, because another process may have its number by then. A test
 * that needs a terminal begins with "if (tap_skip(child_no_pty())) return done();". (tests/child.sh
 * is the same for scripts.)
 */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/types.h>

struct child {
	pid_t pid;  /* 0: there is none, or it is known to have ended */
	int status; /* of waitpid(), after its end */
};

/* Returns NULL, or why no pseudo-terminal is available here; the text stays valid. */
const char *child_no_pty(void);

/* Returns 0 in the child, its number in the parent. */
pid_t child_fork(struct child *c);

/* The same on a new pseudo-terminal; *fd is our end. */
pid_t child_fork_on_pty(struct child *c, int *fd, struct winsize *size);

/* Returns false, with a note in the log, if the child does not exist or the signal cannot be sent.
 */
bool child_signal(const struct child *c, int signo);

/* Whether it has ended, or never existed; does not wait. */
bool child_ended(struct child *c);

/* Waits at most that long; returns true if it has ended. */
bool child_wait(struct child *c, int ms);

/* Kills it if it has not ended. */
void child_kill(struct child *c);

#endif
