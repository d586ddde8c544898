/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * process.h - processes of our own making: start, signal, wait. Nothing in the model uses it.
 *
 * What fork() answers when it fails, -1, is "every process of this user" to kill(), and 0 and 1 are
 * no better. So a process number below 2 is refused here, and nobody else calls fork, kill and wait
 * (tests/lint/process.t). A signal to oneself is raise().
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

/* As fork(): 0 in the child, its number in the parent, -1 with errno. What is buffered is written
 * first, or both would write it. */
static inline pid_t
process_fork(void)
{
	fflush(NULL);
	return fork();
}

/* True for the number of one process that is not the system's first. */
static inline bool
process_is_one(pid_t pid)
{
	return pid >= 2;
}

/* As kill(), for one process: 0, or -1 with errno. */
static inline int
process_signal(pid_t pid, int signo)
{
	if (process_is_one(pid))
		return kill(pid, signo);
	errno = ESRCH;
	return -1;
}

/* As waitpid(), for one child; goes on waiting after a signal. flags may be WNOHANG, status NULL.
 * The number of the child when it has ended, 0 when it has not, -1 with errno. */
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

/* Whether a child is stopped, as SIGSTOP and SIGTSTP do. */
static inline bool
process_is_stopped(pid_t pid)
{
	siginfo_t seen = {.si_pid = 0};

	return process_is_one(pid) &&
	       waitid(P_PID, (id_t)pid, &seen, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
	       seen.si_pid == pid;
}

static inline void
process_pass(int signo)
{
	(void)signo;
}

/* What no longer ends the program: SIGXFSZ, so that a file beyond the limit of sizes (ulimit -f) is
 * an error of writing; and SIGUSR1, which asks how far a run is, where nobody answers. They are not
 * ignored, since exec would hand that on. */
static inline void
process_signals_begin(void)
{
	struct sigaction a = {.sa_handler = process_pass, .sa_flags = SA_RESTART}, old;

	sigemptyset(&a.sa_mask);
	sigaction(SIGXFSZ, &a, NULL);
	if (sigaction(SIGUSR1, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(SIGUSR1, &a, NULL);
}

/* The processors this process may use, which a batch system may have narrowed; at least 1. */
static inline unsigned
process_processors(void)
{
	unsigned n = compat_processors();

	return n ? n : 1;
}

#endif
