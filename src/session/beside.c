/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * beside.c - processes that measure something beside the session: how they begin (beside.h), and
 * their news for a front end that waits.
 */
#define _GNU_SOURCE 1
#include "base/signals.h"
#include "session/beside.h"
#include "session/blame.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* The terminal's signals are for the parent; nothing may be said to anybody. */
void
beside_begin(pid_t parent)
{
	static const int others[] = {SIGTSTP, SIGCONT, SIGWINCH, SIGUSR1};
	sigset_t none;
	int null;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	signals_reset();
	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		signal(others[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int i = 0; i < 3 && null >= 0; i++)
		dup2(null, i);
	setpriority(PRIO_PROCESS, 0, 19);
}

unsigned
session_beside(const struct session *s, int fd[SESSION_BESIDE])
{
	unsigned n = 0;

	if (s->reference && s->reference->pid)
		fd[n++] = s->reference->fd;
	if (s->blame && s->blame->pid)
		fd[n++] = s->blame->fd;
	return n;
}

bool
session_beside_read(struct session *s)
{
	reference_read(s);
	blame_read(s->blame);
	return (s->reference && s->reference->note[0]) || (s->blame && s->blame->news);
}

void
session_beside_say(struct session *s)
{
	reference_say(s);
	blame_say_news(s);
}
