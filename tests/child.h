/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.h - processes that a test makes, and the only way in which it signals and awaits them.
 *
 *     struct child c;
 *
 *     if (child_fork(&c) == 0)
 *             _exit(7);
 *     child_signal(&c, SIGTERM);
 *     ok(child_wait(&c, 5000), "it ends");
 *     child_kill(&c);
 *
 * A fork that fails ends the test; its -1 reaches nobody who could signal it. A child whose end was
 * seen is not signalled any more: its number may be another's by then. A test that needs a terminal
 * begins with "if (tap_skip(child_no_pty())) return done();". (tests/child.sh is the same for
 * scripts.)
 */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/types.h>

struct child {
	pid_t pid;  /* 0: there is none, or its end was seen */
	int status; /* of waitpid(), when its end was seen */
};

/* NULL, or why no pseudo-terminal can be had here; the text stays. */
const char *child_no_pty(void);

/* 0 in the child, its number in the parent. */
pid_t child_fork(struct child *c);

/* The same on a pseudo-terminal of its own; *fd is our end. */
pid_t child_fork_on_pty(struct child *c, int *fd, struct winsize *size);

/* False, with a note in the log, when the child is not there or does not take it. */
bool child_signal(const struct child *c, int signo);

/* True when it has ended, or never was; does not wait. */
bool child_ended(struct child *c);

/* The same within that time. */
bool child_wait(struct child *c, int ms);

/* Ends it, if that was not seen before. */
void child_kill(struct child *c);

#endif
