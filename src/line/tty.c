/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tty.c - the terminal of the plain prompt: waiting for keys and signals.
 *
 * While readline works, signals are delivered. They only set flags, and restart an interrupted
 * write. They are blocked from the moment at which the prompt reads those flags until ppoll()
 * unblocks them and sleeps, so that none is missed. All are blocked except those that report a
 * fault or stop a background job, since this file does not know which of them the program catches.
 *
 * A signal handler has no context, hence the static variable.
 */
#define _GNU_SOURCE 1
#include "line/line.h"
#include "compat/compat.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const int caught[] = {SIGWINCH, SIGTSTP, SIGCONT};

static struct {
	volatile sig_atomic_t resized, stop, continued;
	bool is_caught;
	struct sigaction old[ARRAY_LEN(caught)];
	struct winsize size; /* the size reported last */
} tty;

/* ---------------------------------------------------------------- signals */

/* As in the kernel, SIGCONT cancels a stop that has not been carried out. Otherwise the program
 * would stop when nobody is left who continues it. */
static void
on_signal(int signo)
{
	if (signo == SIGWINCH) {
		tty.resized = 1;
		return;
	}
	tty.stop = signo == SIGTSTP;
	tty.continued = signo == SIGCONT;
}

static bool
size_changed(void)
{
	struct winsize now;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) != 0 ||
	    (now.ws_row == tty.size.ws_row && now.ws_col == tty.size.ws_col))
		return false;
	tty.size = now;
	return true;
}

void
tty_catch(void)
{
	struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(caught); i++)
		sigaction(caught[i], &act, &tty.old[i]);
	tty.is_caught = true;
	if (!tty.size.ws_col) /* the first time: note the size */
		size_changed();
	tty.resized = 1; /* it may have changed before the signal was caught */
}

void
tty_release(void)
{
	for (size_t i = 0; tty.is_caught && i < ARRAY_LEN(caught); i++)
		sigaction(caught[i], &tty.old[i], NULL);
	tty.is_caught = false;
}

unsigned
tty_take(void)
{
	unsigned news = 0;

	if (tty.resized) {
		tty.resized = 0;
		news |= size_changed() ? TTY_RESIZED : 0;
	}
	if (tty.stop)
		news |= TTY_STOP;
	if (tty.continued)
		news |= TTY_CONTINUED;
	tty.stop = tty.continued = 0;
	return news;
}

void
tty_stop_self(void)
{
	if (tty.continued) /* since tty_take() */
		return;
	tty_release();
	raise(SIGTSTP); /* returns when the program is continued */
	tty_catch();
}

/* ---------------------------------------------------------------- waiting */

static void
hold_signals(sigset_t *open)
{
	static const int never[] = {SIGABRT, SIGBUS,  SIGFPE,  SIGILL, SIGSEGV,
				    SIGSYS,  SIGTRAP, SIGTTIN, SIGTTOU};
	sigset_t held;

	sigfillset(&held);
	for (size_t i = 0; i < ARRAY_LEN(never); i++)
		sigdelset(&held, never[i]);
	sigprocmask(SIG_SETMASK, &held, open);
}

enum tty_news
tty_wait(struct pollfd *fds, unsigned n, int ms, bool (*is_due)(void *ctx), void *ctx, char *byte)
{
	struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
	sigset_t open;
	ssize_t got;
	int ready = -1;

	fds[0] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
	hold_signals(&open);
	if (!tty.resized && !tty.stop && !tty.continued && !is_due(ctx))
		ready = compat_poll(fds, 1 + n, ms < 0 ? NULL : &limit, &open);
	sigprocmask(SIG_SETMASK, &open, NULL);
	if (ready <= 0)
		return ready == 0 ? TTY_QUIET : TTY_OTHER;
	if (!fds[0].revents)
		return TTY_OTHER;
	got = read(STDIN_FILENO, byte, 1);
	if (got == 1)
		return TTY_BYTE;
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		return TTY_GONE;
	return got < 0 && errno != EAGAIN && errno != EINTR ? TTY_GONE : TTY_OTHER;
}
