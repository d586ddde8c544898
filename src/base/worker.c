/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * worker.c - see worker.h.
 *
 * Both ends of the socket pair stay blocking; calls that must not wait pass MSG_DONTWAIT. Sending
 * to a reader that has gone is an error instead of a signal (MSG_NOSIGNAL).
 */
#define _GNU_SOURCE 1 /* MSG_NOSIGNAL, strsignal */
#include "base/worker.h"
#include "base/partner.h"

#include "base/process.h"
#include "compat/compat.h"
#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#define MAGIC 0x434c4157u /* "WALC" */
#define READ_AT_ONCE (1u << 16)

struct head {
	uint32_t magic, kind, bytes; /* of the body */
	uint32_t sum;		     /* checksum of kind and bytes */
};

/* ---------------------------------------------------------------- messages */

static uint32_t
checksum_head(const struct head *h)
{
	return (h->kind * 2654435761u) ^ (h->bytes * 40503u) ^ MAGIC;
}

void
channel_add(struct channel *c, uint32_t kind, const struct frame_part *part, unsigned n)
{
	struct head h = {.magic = MAGIC, .kind = kind};

	for (unsigned i = 0; i < n; i++)
		h.bytes += (uint32_t)part[i].n;
	h.sum = checksum_head(&h);
	sb_add(&c->out, &h, sizeof(h));
	for (unsigned i = 0; i < n; i++)
		sb_add(&c->out, part[i].p, part[i].n);
}

int
channel_flush(struct channel *c, bool wait)
{
	int flags = MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT), rc = c->out.failed ? -1 : 1;

	while (rc > 0 && c->sent < c->out.n) {
		ssize_t k = send(c->fd, c->out.p + c->sent, c->out.n - c->sent, flags);

		if (k > 0)
			c->sent += (size_t)k;
		else if (k < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return 0;
		else if (k == 0 || errno != EINTR)
			rc = -1;
	}
	c->sent = 0;
	sb_clear(&c->out);
	return rc;
}

bool
channel_read(struct channel *c, bool wait)
{
	char *to;
	ssize_t n;

	if (c->taken) {
		memmove(c->in.p, c->in.p + c->taken, c->in.n - c->taken);
		c->in.n -= c->taken;
		c->taken = 0;
	}
	to = sb_reserve(&c->in, READ_AT_ONCE);
	if (!to)
		return false;
	do
		n = recv(c->fd, to, READ_AT_ONCE, wait ? 0 : MSG_DONTWAIT);
	while (n < 0 && errno == EINTR && wait);
	if (n > 0)
		c->in.n += (size_t)n;
	return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK));
}

int
channel_next(struct channel *c, struct frame *f)
{
	size_t left = c->in.n - c->taken;
	struct head h;

	if (left < sizeof(h))
		return 0;
	memcpy(&h, c->in.p + c->taken, sizeof(h));
	if (h.magic != MAGIC || h.bytes > CHANNEL_MOST || h.sum != checksum_head(&h))
		return -1;
	if (left < sizeof(h) + h.bytes)
		return 0;
	*f = (struct frame){h.kind, h.bytes, c->in.p + c->taken + sizeof(h)};
	c->taken += sizeof(h) + h.bytes;
	return 1;
}

int
channel_wait(struct channel *c, struct frame *f)
{
	int rc;

	while ((rc = channel_next(c, f)) == 0)
		if (!channel_read(c, true))
			return -1;
	return rc > 0 ? 0 : -1;
}

bool
channel_has_more(const struct channel *c)
{
	return poll(&(struct pollfd){.fd = c->fd, .events = POLLIN}, 1, 0) > 0;
}

bool
channel_is_alone(const struct channel *c)
{
	struct pollfd p = {.fd = c->fd, .events = POLLIN};

	return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR));
}

void
channel_free(struct channel *c)
{
	if (c->fd >= 0)
		close(c->fd);
	sb_free(&c->in);
	sb_free(&c->out);
	*c = (struct channel){.fd = -1};
}

/* ---------------------------------------------------------------- in the worker */

/* Signals have been blocked since before the fork, see worker_start(). */
static void
reset_signals(void)
{
	sigset_t none;

	for (int n = 1; n < SIGNALS; n++) {
		bool ignored = n == SIGINT || n == SIGUSR1 || n == SIGPIPE;

		/* nohup protects the worker as well as its parent */
		if (n != SIGKILL && n != SIGSTOP &&
		    signal(n, ignored ? SIG_IGN : SIG_DFL) == SIG_IGN && n == SIGHUP)
			signal(n, SIG_IGN);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void
become_quiet(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = 0; i < 3 && null >= 0; i++)
		dup2(null, i);
	setpriority(PRIO_PROCESS, 0, 19);
}

/* The parent may have ended before the worker asked to be killed with it; then its parent is
 * another process now. */
static void
prepare_worker(enum worker_kind kind, pid_t parent)
{
	partner_forbid(); /* workers are parallel already */
	compat_end_with_parent(SIGKILL);
	if (getppid() != parent)
		_exit(1);
	reset_signals();
	if (kind == WORKER_QUIET)
		become_quiet();
}

/* ---------------------------------------------------------------- in the parent */

int
worker_start(struct worker *w, enum worker_kind kind, int (*work)(struct channel *c, void *ctx),
	     void *ctx, struct err *e)
{
	pid_t parent = getpid();
	sigset_t all, before;
	int fd[2], error;

	*w = (struct worker){.channel.fd = -1};
	if (compat_socketpair(fd))
		return err_set(e, "cannot make a pair of sockets: %s", strerror(errno));
	/* no handler of the parent may run in the worker */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	w->pid = process_fork();
	if (w->pid == 0) {
		struct channel own = {.fd = fd[1]};

		close(fd[0]);
		prepare_worker(kind, parent);
		_exit(work(&own, ctx));
	}
	error = errno;
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(fd[1]);
	if (w->pid < 0) {
		close(fd[0]);
		w->pid = 0;
		return err_set(e, "cannot start a process: %s", strerror(error));
	}
	w->channel.fd = fd[0];
	return 0;
}

bool
worker_runs(const struct worker *w)
{
	return w->pid > 0;
}

bool
worker_read(struct worker *w)
{
	return channel_read(&w->channel, false);
}

bool
worker_reap(struct worker *w, char *why, size_t size)
{
	int status = 0;

	channel_free(&w->channel);
	process_wait(w->pid, &status, 0);
	w->pid = 0;
	if (WIFSIGNALED(status))
		snprintf(why, size, "was ended by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(why, size, "ended with status %d", WEXITSTATUS(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void
worker_stop(struct worker *w)
{
	if (w->pid > 0)
		process_signal(w->pid, SIGKILL);
}

void
worker_end(struct worker *w)
{
	char why[120];

	if (w->pid > 0) {
		worker_stop(w);
		worker_reap(w, why, sizeof(why));
	}
}
