/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * beside.c - collects the news of workers that measure while the session goes on, for a front end
 * that waits.
 */
#include "session/beside.h"

#include "lab/lab.h"
#include "session/reference.h"

#include <assert.h>

static_assert(SESSION_BESIDE == REFERENCE_LANES + 1, "the workers of reference, and that of blame");

unsigned
session_beside(const struct session *s, int fd[SESSION_BESIDE])
{
	unsigned n = s->workers.reference ? reference_descriptors(s->workers.reference, fd) : 0;

	if (s->workers.blame && worker_runs(&s->workers.blame->worker))
		fd[n++] = s->workers.blame->worker.channel.fd;
	return n;
}

bool
session_beside_read(struct session *s)
{
	reference_read(s);
	blame_read(s->workers.blame);
	return (s->workers.reference && s->workers.reference->note[0]) ||
	       (s->workers.blame && s->workers.blame->news);
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
	blame_free(s->workers.blame);
	s->workers.blame = NULL;
}
