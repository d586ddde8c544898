/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame_child.c - the process that measures a blame beside the session (blame.h), and what the
 * session takes from it.
 *
 * It is a fork of the program, so it has machine, timeline and trace as they were at that moment,
 * and what the session does meanwhile is nothing to it. Messages are of one size and small enough
 * that a pipe takes or refuses them whole: how far it is may get lost, what was found waits for a
 * reader.
 */
#define _GNU_SOURCE 1 /* pipe2, strsignal */
#include "base/clock.h"
#include "base/process.h"
#include "session/beside.h"
#include "session/blame.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#define TELL_SECONDS 0.2

struct message {
	enum { PROGRESS, RANGE, SUSPECT, END } kind;
	double share;
	unsigned at, n, found;
	struct blame_sums begin, end, other_begin, other_end;
	struct suspect suspect;
	enum blame_state state;
	char why[200];
};
_Static_assert(sizeof(struct message) <= PIPE_BUF, "a message is written whole");

/* ---------------------------------------------------------------- in the process */

struct teller {
	int fd;
	double told;
};

static void
send_message(int fd, const struct message *m, bool wait)
{
	while (write(fd, m, sizeof(*m)) < 0) {
		if (errno == EAGAIN && !wait)
			return;
		if (errno == EAGAIN)
			poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
		else if (errno != EINTR)
			_exit(1); /* nobody is there any more */
	}
}

static void
found(void *ctx, const struct blame *b, int suspect)
{
	struct message m = {.kind = suspect < 0 ? RANGE : SUSPECT,
			    .share = (suspect + 2.0) / (b->n + 1.0),
			    .n = b->n,
			    .found = b->found};

	if (suspect < 0) {
		m.begin = b->begin;
		m.end = b->end;
		m.other_begin = b->other_begin;
		m.other_end = b->other_end;
	} else {
		m.at = (unsigned)suspect;
		m.suspect = b->suspect[suspect];
	}
	send_message(((struct teller *)ctx)->fd, &m, true);
}

static void
going(void *ctx, double share)
{
	struct teller *t = ctx;
	struct message m = {.kind = PROGRESS, .share = share};

	if (clock_seconds() - t->told < TELL_SECONDS)
		return;
	t->told = clock_seconds();
	send_message(t->fd, &m, false);
}

static void
nobody(void *ctx ATTR_UNUSED, enum say kind ATTR_UNUSED, const char *line ATTR_UNUSED)
{
}

static void measure(struct session *s, struct blame *b, int fd) __attribute__((noreturn));
static void
measure(struct session *s, struct blame *b, int fd)
{
	struct teller t = {.fd = fd};
	struct lab_watch w;
	struct message m = {.kind = END};
	struct err e = {0};

	beside_begin(b->parent);
	s->ui = (struct session_ui){.out = nobody};
	s->log = NULL;
	s->events = NULL;
	s->cast = NULL;
	s->poll = 0;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	lab_watch(&w, s, "blame");
	w.tell = going;
	w.ctx = &t;
	b->told = found;
	b->ctx = &t;
	blame_measure(s, b, &w, &e);
	m.state = b->state;
	snprintf(m.why, sizeof(m.why), "%s", b->why);
	send_message(fd, &m, true);
	_exit(0);
}

/* ---------------------------------------------------------------- beside it */

static void
forget_child(struct blame *b)
{
	close(b->fd);
	b->pid = 0;
	b->fd = -1;
}

static int
make_room(struct blame *b, unsigned n)
{
	struct suspect *grown;

	if (n <= b->room)
		return 0;
	grown = realloc(b->suspect, n * sizeof(*grown));
	if (!grown)
		return -1;
	memset(grown + b->room, 0, (n - b->room) * sizeof(*grown));
	b->suspect = grown;
	b->room = n;
	return 0;
}

static void
fail_for(struct blame *b, const char *why)
{
	b->state = BLAME_FAILED;
	snprintf(b->why, sizeof(b->why), "%s", why);
}

static void
understand(struct blame *b, const struct message *m)
{
	switch (m->kind) {
	case RANGE:
		if (make_room(b, m->n)) {
			fail_for(b, "out of memory");
			return;
		}
		b->n = m->n;
		b->found = m->found;
		b->begin = m->begin;
		b->end = m->end;
		b->other_begin = m->other_begin;
		b->other_end = m->other_end;
		b->has_range = true;
		break;
	case SUSPECT:
		if (m->at < b->n)
			b->suspect[m->at] = m->suspect;
		break;
	case END:
		b->state = m->state;
		snprintf(b->why, sizeof(b->why), "%s", m->why);
		return;
	default:
		break;
	}
	b->share = m->share;
}

/* It is gone: what it left undone has failed. */
static void
reap(struct blame *b)
{
	char why[120];
	int status = 0;

	process_wait(b->pid, &status, 0);
	forget_child(b);
	if (b->state != BLAME_RUNS)
		return;
	if (WIFSIGNALED(status))
		snprintf(why, sizeof(why), "its process was ended by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(why, sizeof(why), "its process ended with status %d", WEXITSTATUS(status));
	fail_for(b, why);
}

bool
blame_read(struct blame *b)
{
	struct message m;
	ssize_t n = 0;

	if (!b || !b->pid)
		return false;
	while (b->state == BLAME_RUNS && (n = read(b->fd, &m, sizeof(m))) == (ssize_t)sizeof(m))
		understand(b, &m);
	if (b->state == BLAME_RUNS && n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (b->state == BLAME_FAILED)
		process_signal(b->pid, SIGKILL);
	reap(b);
	b->news = true;
	return true;
}

void
blame_stop(struct blame *b)
{
	if (!b->pid)
		return;
	process_signal(b->pid, SIGKILL);
	process_wait(b->pid, NULL, 0);
	forget_child(b);
	b->state = BLAME_STOPPED;
}

void
blame_free(struct session *s)
{
	if (!s->blame)
		return;
	blame_stop(s->blame);
	free(s->blame->suspect);
	free(s->blame);
	s->blame = NULL;
}

int
blame_start(struct session *s, struct blame *b, struct err *e)
{
	int fd[2];

	if (pipe2(fd, O_CLOEXEC))
		return err_set(e, "cannot make a pipe: %s", strerror(errno));
	b->parent = getpid();
	b->began = clock_seconds();
	b->pid = process_fork();
	if (b->pid == 0) {
		close(fd[0]);
		measure(s, b, fd[1]);
	}
	close(fd[1]);
	if (b->pid < 0) {
		close(fd[0]);
		b->pid = 0;
		return err_set(e, "cannot start a process: %s", strerror(errno));
	}
	b->fd = fd[0];
	fcntl(b->fd, F_SETFL, fcntl(b->fd, F_GETFL) | O_NONBLOCK);
	return 0;
}
