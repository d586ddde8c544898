/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guard.c - handles signals and stray output (guard.h).
 *
 * The handlers set a flag and write to a pipe that the event loop polls. After a fault (a failed
 * assertion, a wild pointer) the handler restores the terminal with system calls only, and then
 * lets the signal end the program. Signal handlers have no context argument, hence the static
 * variable here.
 *
 * A file in memory replaces standard output and error, because a message of a library or of
 * assert() would otherwise be drawn over the screen and be lost. The program prints it after the
 * screen has closed, even if something called exit() meanwhile, as happens when memory runs out.
 */
#include "tui/guard.h"
#include "base/signals.h"
#include "line/line.h"
#include "tui/term.h"
#include "compat/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
	struct session *session;
	/* The process that owns the screen, as opposed to its children; 0: no screen so far. */
	pid_t pid;
	volatile sig_atomic_t flags[GUARD_END + 1]; /* one per event: an |= would not be atomic */
	volatile sig_atomic_t signal;
	int pipe[2];
	int out, err; /* the real standard output and error */
	int memory;   /* the file that replaces them */
	off_t seen;   /* how far guard_kept() has read */
	struct sigaction old[SIGNALS];
	pid_t owner; /* 0: the screen is closed */
} guard;

static bool is_registered; /* on_exit_of_program() is registered with atexit() */

static void
on_signal(int n)
{
	int saved = errno, event = n == SIGINT	   ? GUARD_INT
				   : n == SIGWINCH ? GUARD_WINCH
				   : n == SIGTSTP  ? GUARD_STOP
				   : n == SIGCONT  ? GUARD_CONT
						   : GUARD_END;

	guard.flags[event] = 1;
	if (event == GUARD_STOP || event == GUARD_CONT) /* the later one cancels the earlier one */
		guard.flags[event == GUARD_STOP ? GUARD_CONT : GUARD_STOP] = 0;
	if (event == GUARD_END)
		guard.signal = n;
	if (event == GUARD_INT)
		session_interrupt(guard.session);
	else if (event == GUARD_END) {
		session_note_signal(guard.session, n);
		tty_end_waits(guard.out);
	}
	if (write(guard.pipe[1], "", 1) < 0)
		errno = saved; /* the pipe is full, so the loop wakes up anyway */
	errno = saved;
}

/* Writes all captured output to the real standard error. on_fault() calls it too, so it uses system
 * calls only. */
static void
replay_output(void)
{
	char buf[4096];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(guard.memory, buf, sizeof(buf), at)) > 0) {
		at += n;
		if (write(guard.err, buf, (size_t)n) < 0)
			return;
	}
}

/* Closes the screen when something else, such as a user's policy or a library, has called exit().
 */
static void
on_exit_called(void)
{
	if (guard.pid != getpid() || guard.memory < 0)
		return;
	term_emergency();
	guard_leave();
}

static void
on_fault(int n)
{
	term_emergency();
	replay_output();
	signal_pass_on(n, guard.old);
}

static void
on_exit_of_program(void)
{
	if (guard.owner != getpid())
		return;
	term_emergency();
	replay_output();
}

static bool
ends_program(int n)
{
	return n == SIGPIPE || signal_kind(n) == SIGNAL_ENDS;
}

static bool
is_caught(int n)
{
	return n == SIGINT || n == SIGWINCH || n == SIGTSTP || n == SIGCONT || ends_program(n);
}

static bool
redirect_output(void)
{
	guard.out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	guard.err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	guard.memory = compat_memory_file("ctascope-output");
	if (guard.out < 0 || guard.err < 0 || guard.memory < 0)
		return false;
	guard_release(false);
	return true;
}

bool
guard_enter(struct session *s)
{
	struct sigaction sa = {.sa_handler = on_signal};

	if (!guard.pid)
		atexit(on_exit_called);
	memset(&guard, 0, sizeof(guard));
	guard.pid = getpid();
	guard.session = s;
	guard.out = guard.err = guard.memory = -1;
	if (compat_pipe(guard.pipe))
		return false;
	for (int i = 0; i < 2; i++)
		fcntl(guard.pipe[i], F_SETFL, fcntl(guard.pipe[i], F_GETFL) | O_NONBLOCK);
	fflush(NULL);
	if (!redirect_output()) {
		guard_leave();
		return false;
	}
	sigfillset(&sa.sa_mask);
	sa.sa_flags = SA_RESTART;
	for (int n = 1; n < SIGNALS; n++)
		if (ends_program(n))
			signal_catch(n, &sa, &guard.old[n]);
		else if (is_caught(n))
			sigaction(n, &sa, &guard.old[n]);
	signals_catch_faults(on_fault, guard.old);
	if (!is_registered)
		is_registered = atexit(on_exit_of_program) == 0;
	guard.owner = getpid();
	return true;
}

void
guard_leave(void)
{
	if (guard.memory >= 0) {
		for (int n = 1; n < SIGNALS; n++)
			if (is_caught(n))
				sigaction(n, &guard.old[n], NULL);
		signals_catch_faults(NULL, guard.old);
		guard_release(true);
		replay_output();
		close(guard.memory);
	}
	if (guard.out >= 0)
		close(guard.out);
	if (guard.err >= 0)
		close(guard.err);
	close(guard.pipe[0]);
	close(guard.pipe[1]);
	guard.memory = guard.out = guard.err = -1;
	guard.owner = 0;
}

void
guard_release(bool release)
{
	fflush(stdout);
	fflush(stderr);
	dup2(release ? guard.out : guard.memory, STDOUT_FILENO);
	dup2(release ? guard.err : guard.memory, STDERR_FILENO);
}

unsigned
guard_take(void)
{
	unsigned events = 0;
	char junk[64];

	while (read(guard.pipe[0], junk, sizeof(junk)) > 0)
		;
	for (unsigned e = 1; e <= GUARD_END; e *= 2) {
		if (!guard.flags[e])
			continue;
		guard.flags[e] = 0;
		events |= e;
	}
	return events;
}

int
guard_signal(void)
{
	return guard.signal;
}

int
guard_fd(void)
{
	return guard.pipe[0];
}

int
guard_terminal(void)
{
	return guard.out;
}

void
guard_stop_self(void)
{
	struct sigaction dfl = {.sa_handler = SIG_DFL}, ours;

	if (guard.flags[GUARD_CONT]) /* since guard_take() */
		return;
	sigaction(SIGTSTP, &dfl, &ours);
	raise(SIGTSTP); /* returns when another process sends SIGCONT */
	sigaction(SIGTSTP, &ours, NULL);
}

bool
guard_kept(char *buf, size_t size)
{
	fflush(stdout);
	fflush(stderr);
	ssize_t n = pread(guard.memory, buf, size - 1, guard.seen);

	if (n <= 0)
		return false;
	buf[n] = '\0';
	char *end = strchr(buf, '\n');
	guard.seen += end ? end - buf + 1 : n;
	if (end)
		*end = '\0';
	return true;
}
