/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * process.h - starts, signals and awaits child processes. Nothing in the model uses it.
 *
 * A failed fork() returns -1, and kill(-1) signals every process of the user; 0 and 1 do similar
 * harm. These functions therefore refuse process numbers below 2, and nothing else calls fork, kill
 * and wait (tests/lint/process.t). A program signals itself with raise().
 */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include "compat/compat.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* Like fork(): returns 0 in the child, its number in the parent, or -1 with errno. It flushes all
 * streams first, because otherwise both processes would write their buffers. */
static inline pid_t
process_fork(void)
{
	fflush(NULL);
	return fork();
}

/* Whether the number stands for a single process other than the system's first. */
static inline bool
process_is_one(pid_t pid)
{
	return pid >= 2;
}

/* Like kill(), for a single process: returns 0, or -1 with errno. */
static inline int
process_signal(pid_t pid, int signo)
{
	if (process_is_one(pid))
		return kill(pid, signo);
	errno = ESRCH;
	return -1;
}

/* Like waitpid(), for a single child; a signal does not end the wait. flags may be WNOHANG, and
 * status may be NULL. Returns the number of the child if it has ended, 0 if it still runs, -1 with
 * errno. */
static inline pid_t
process_wait(pid_t pid, int *status, int flags)
{
	pid_t got = -1;

	errno = ECHILD;
	if (process_is_one(pid))
		while ((got = waitpid(pid, status, flags)) < 0 && errno == EINTR)
			;
	return got;
}

/* Whether SIGSTOP or SIGTSTP has stopped a child. */
static inline bool
process_is_stopped(pid_t pid)
{
	siginfo_t seen = {.si_pid = 0};

	return process_is_one(pid) &&
	       waitid(P_PID, (id_t)pid, &seen, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
	       seen.si_pid == pid;
}

static inline void
process_ignore_signal(int signo)
{
	(void)signo;
}

/* Keeps two signals from ending the program: SIGXFSZ, so that writing a file beyond the size limit
 * (ulimit -f) fails with an error; and SIGUSR1, which requests progress, where no handler is
 * installed. They get an empty handler, because programs started by exec inherit ignored signals.
 */
static inline void
process_signals_begin(void)
{
	struct sigaction a = {.sa_handler = process_ignore_signal, .sa_flags = SA_RESTART}, old;

	sigemptyset(&a.sa_mask);
	sigaction(SIGXFSZ, &a, NULL);
	if (sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGUSR1, &a, NULL);
}

/* Returns the number of processors that this process may use, at least 1. A batch system may grant
 * fewer than the machine has. */
static inline unsigned
process_processors(void)
{
	unsigned n = compat_processors();

	return n ? n : 1;
}

#endif
