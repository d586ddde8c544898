/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * beside.c - what workers measure beside the session: their news for a front end that waits.
 */
#include "session/beside.h"

#include "lab/lab.h"
#include "session/reference.h"

unsigned
session_beside(const struct session *s, int fd[SESSION_BESIDE])
{
	unsigned n = 0;

	if (s->reference && worker_runs(&s->reference->worker))
		fd[n++] = s->reference->worker.channel.fd;
	if (s->blame && worker_runs(&s->blame->worker))
		fd[n++] = s->blame->worker.channel.fd;
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
	session_say_blame(s);
}

void
session_forget_blame(struct session *s)
{
	blame_free(s->blame);
	s->blame = NULL;
}
