/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * signals.c - the table of signals that end a program is complete: a child raises each signal
 * without handling it. Then a child catches them, and its own child does not.
 */
#include "base/signals.h"
#include "tests/child.h"
#include "tests/tap.h"

#include <string.h>
#include <sys/resource.h>

static volatile sig_atomic_t seen;

static void
note(int signo)
{
	seen = signo;
}

/* Signals that stop a program, and those for which no handler is allowed. */
static bool
is_not_asked(int n)
{
	return n == SIGKILL || n == SIGSTOP || n == SIGTSTP || n == SIGTTIN || n == SIGTTOU ||
	       (n >= 32 && n < SIGRTMIN);
}

/* Whether the system ends a program by this signal. */
static bool
system_ends(int n)
{
	struct child c;

	if (child_fork(&c) == 0) {
		signal(n, SIG_DFL);
		raise(n);
		_exit(0);
	}
	child_wait(&c, 60000);
	child_kill(&c);
	return WIFSIGNALED(c.status) && WTERMSIG(c.status) == n;
}

static void
table(void)
{
	for (int n = 1; n < SIGNALS; n++) {
		bool own = n == SIGINT || n == SIGUSR1 || n == SIGXFSZ || n == SIGPIPE;

		if (is_not_asked(n))
			continue;
		if (system_ends(n) != (own || signal_kind(n) != SIGNAL_OTHER))
			ok(false, "signal %d, %s, is in the table", n, strsignal(n));
	}
	ok(true, "the table has every signal that ends a program");
}

/* Runs in a child; returns 0 if its handlers catch the right signals. */
static int
catches(void)
{
	struct sigaction act = {.sa_handler = note}, old[SIGNALS];
	struct child c;

	sigemptyset(&act.sa_mask);
	signal(SIGHUP, SIG_IGN);
	for (int n = 1; n < SIGNALS; n++)
		if (signal_kind(n) == SIGNAL_ENDS)
			signal_catch(n, &act, &old[n]);
	if (raise(SIGHUP) || seen || old[SIGHUP].sa_handler != SIG_IGN)
		return 1;
	if (raise(SIGQUIT) || seen != SIGQUIT || raise(SIGRTMAX) || seen != SIGRTMAX)
		return 2;
	if (child_fork(&c) == 0) {
		signals_reset();
		raise(SIGQUIT);
		_exit(0);
	}
	child_wait(&c, 60000);
	return WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGQUIT ? 0 : 3;
}

static void
handlers(void)
{
	struct child c;

	if (child_fork(&c) == 0)
		_exit(catches());
	child_wait(&c, 60000);
	child_kill(&c);
	is_u64((uint64_t)WEXITSTATUS(c.status), 0,
	       "they are caught but for those ignored, and a child of one's own dies again");
}

/* Recurses until the stack overflows. */
static int
overflow(int depth)
{
	volatile char frame[4096];

	frame[0] = (char)depth;
	return depth < 0 ? 0 : overflow(depth + 1) + frame[0];
}

static struct sigaction former[SIGNALS];

static void
on_fault(int n)
{
	if (write(STDOUT_FILENO, "# caught\n", 9) != 9)
		_exit(2);
	for (int i = 1; i < SIGNALS; i++)
		former[i].sa_handler = SIG_DFL; /* without a sanitizer's handler */
	signal_pass_on(n, former);
}

static void
faults(void)
{
	struct child c;

	if (child_fork(&c) == 0) {
		setrlimit(RLIMIT_STACK, &(struct rlimit){1 << 20, 1 << 20});
		signals_catch_faults(on_fault, former);
		_exit(overflow(0) & 1);
	}
	child_wait(&c, 60000);
	child_kill(&c);
	ok(WIFSIGNALED(c.status) && WTERMSIG(c.status) == SIGSEGV,
	   "an overflow of the stack is caught, and passed on");
}

int
main(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	table();
	handlers();
	faults();
	return done();
}
