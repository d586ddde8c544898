/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tty_output.c - output to a terminal that takes none, when a signal ends the program.
 *
 * A write blocks in the kernel while the terminal takes no output. The handler of a signal that
 * ends the program therefore makes the terminal non-blocking: the blocked write fails, and later
 * writes do not block. It also undoes Ctrl-S, which would block the change of modes and the user's
 * shell. The flag is shared with that shell, so it is restored at the end.
 *
 * A signal handler has no context, hence the static variable.
 */
#include "line/line.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

#define LAST_WORDS_MS 500 /* time for the last output before the terminal counts as stuck */

static struct {
	int flags[3]; /* original flags of descriptors 0 to 2, -1: not to be restored */
	volatile sig_atomic_t waits_ended;
} out = {.flags = {-1, -1, -1}};

void
tty_begin(void)
{
	for (int fd = 0; fd < 3; fd++)
		out.flags[fd] = isatty(fd) ? fcntl(fd, F_GETFL) : -1;
}

void
tty_end_waits(int fd)
{
	int saved = errno, flags;
	sigset_t background, now;
	struct termios m;

	out.waits_ended = 1;
	if (tcgetattr(fd, &m) == 0 && (flags = fcntl(fd, F_GETFL)) >= 0) {
		fcntl(fd, F_SETFL, flags | O_NONBLOCK);
		/* without this, the kernel would stop a background job for the next call */
		sigemptyset(&background);
		sigaddset(&background, SIGTTOU);
		sigprocmask(SIG_BLOCK, &background, &now);
		tcflow(fd, TCOON);
		sigprocmask(SIG_SETMASK, &now, NULL);
	}
	errno = saved;
}

bool
tty_waits_ended(void)
{
	return out.waits_ended != 0;
}

void
tty_end(void)
{
	for (int fd = 0; fd < 3 && out.waits_ended; fd++)
		if (out.flags[fd] >= 0)
			fcntl(fd, F_SETFL, out.flags[fd]);
}

/* Writes sequences that reset a terminal's modes, which should reach even a slow one. */
void
tty_write(const char *text)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};

	if (out.waits_ended) {
		fflush(stdout);
		poll(&p, 1, LAST_WORDS_MS);
	}
	fputs(text, stdout);
	fflush(stdout);
}
