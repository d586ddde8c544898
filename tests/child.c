/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child.c - see child.h. */
#include "tests/child.h"
#include "base/clock.h"
#include "base/process.h"
#include <pty.h>
#include <stdlib.h>
#include <string.h>

const char *
child_no_pty(void)
{
	static char why[200];
	int ours, theirs;

	if (openpty(&ours, &theirs, NULL, NULL, NULL) < 0) {
		snprintf(why, sizeof(why), "no pseudo-terminal can be had here: %s",
			 strerror(errno));
		return why;
	}
	close(ours);
	close(theirs);
	return NULL;
}

static pid_t
made(struct child *c, pid_t pid, const char *what)
{
	if (pid < 0) {
		printf("Bail out! %s: %s\n", what, strerror(errno));
		fflush(stdout);
		exit(99);
	}
	*c = (struct child){.pid = pid};
	return pid;
}

pid_t
child_fork(struct child *c)
{
	return made(c, process_fork(), "fork");
}

pid_t
child_fork_on_pty(struct child *c, int *fd, struct winsize *size)
{
	fflush(NULL);
	return made(c, forkpty(fd, NULL, NULL, size), "forkpty");
}

bool
child_signal(const struct child *c, int signo)
{
	if (process_signal(c->pid, signo) == 0)
		return true;
	printf("# signal %d is not sent to process %ld: %s\n", signo, (long)c->pid,
	       strerror(errno));
	return false;
}

static bool
see_end(struct child *c, int flags)
{
	if (process_is_one(c->pid)) {
		if (process_wait(c->pid, &c->status, flags) == 0)
			return false;
		c->pid = 0;
	}
	return true;
}

bool
child_ended(struct child *c)
{
	return see_end(c, WNOHANG);
}

bool
child_wait(struct child *c, int ms)
{
	for (double end = clock_seconds() + ms / 1000.0; !child_ended(c); usleep(5000))
		if (clock_seconds() > end)
			return false;
	return true;
}

void
child_kill(struct child *c)
{
	if (!child_ended(c) && child_signal(c, SIGKILL))
		see_end(c, 0);
}
