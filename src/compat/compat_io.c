/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compat_io.c - streams over functions, descriptors, waiting for them (compat.h). */
#define _GNU_SOURCE 1
#include "compat/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#if !defined __linux__ && !defined __FreeBSD__
#define NO_PIPE2
#endif

/* ---------------------------------------------------------------- streams */

#ifdef __linux__

FILE *
compat_stream(void *cookie, struct compat_functions f)
{
	cookie_io_functions_t functions = {.read = f.read, .write = f.write, .close = f.close};

	return fopencookie(cookie, f.write ? "w" : "r", functions);
}

#else

/* funopen() has other types, and -1 for a failed write. */
struct cookie {
	void *own;
	struct compat_functions f;
};

static int
read_cookie(void *cookie, char *p, int n)
{
	const struct cookie *c = cookie;

	return (int)c->f.read(c->own, p, (size_t)n);
}

static int
write_cookie(void *cookie, const char *p, int n)
{
	const struct cookie *c = cookie;
	ssize_t got = c->f.write(c->own, p, (size_t)n);

	return got > 0 || n == 0 ? (int)got : -1;
}

static int
close_cookie(void *cookie)
{
	struct cookie *c = cookie;
	int rc = c->f.close ? c->f.close(c->own) : 0;

	free(c);
	return rc;
}

FILE *
compat_stream(void *cookie, struct compat_functions f)
{
	struct cookie *c = malloc(sizeof(*c));
	FILE *stream = NULL;

	if (!c)
		return NULL;
	*c = (struct cookie){cookie, f};
	stream = funopen(c, f.read ? read_cookie : NULL, f.write ? write_cookie : NULL, NULL,
			 close_cookie);
	if (!stream)
		free(c);
	return stream;
}

#endif

/* ---------------------------------------------------------------- descriptors */

#ifdef NO_PIPE2

static int
close_at_exec(int fd[2])
{
	if (fcntl(fd[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd[1], F_SETFD, FD_CLOEXEC) == 0)
		return 0;
	close(fd[0]);
	close(fd[1]);
	return -1;
}

int
compat_pipe(int fd[2])
{
	return pipe(fd) ? -1 : close_at_exec(fd);
}

int
compat_socketpair(int fd[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, fd) ? -1 : close_at_exec(fd);
}

int
compat_dup_onto(int from, int to)
{
	return dup2(from, to) < 0 ? -1 : fcntl(to, F_SETFD, FD_CLOEXEC);
}

#else

int
compat_pipe(int fd[2])
{
	return pipe2(fd, O_CLOEXEC);
}

int
compat_socketpair(int fd[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd);
}

int
compat_dup_onto(int from, int to)
{
	return dup3(from, to, O_CLOEXEC) < 0 ? -1 : 0;
}

#endif

int
compat_memory_file(const char *name)
{
#ifdef MFD_CLOEXEC
	return memfd_create(name, MFD_CLOEXEC);
#else
	char path[] = "/tmp/ctascope.XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);

	(void)name;
	if (fd >= 0)
		unlink(path);
	return fd;
#endif
}

#if defined __linux__ || defined __FreeBSD__

int
compat_poll(struct pollfd *p, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
	return ppoll(p, n, limit, mask);
}

#else

/* pselect() changes the mask and waits in one step, as ppoll() does. */
int
compat_poll(struct pollfd *p, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
	fd_set in, out;
	int most = -1, ready;

	FD_ZERO(&in);
	FD_ZERO(&out);
	for (nfds_t i = 0; i < n; i++) {
		p[i].revents = 0;
		if (p[i].fd < 0)
			continue;
		if (p[i].fd >= FD_SETSIZE) {
			errno = EINVAL;
			return -1;
		}
		if (p[i].events & POLLIN)
			FD_SET(p[i].fd, &in);
		if (p[i].events & POLLOUT)
			FD_SET(p[i].fd, &out);
		most = p[i].fd > most ? p[i].fd : most;
	}
	ready = pselect(most + 1, &in, &out, NULL, limit, mask);
	for (nfds_t i = 0; ready > 0 && i < n; i++)
		if (p[i].fd >= 0)
			p[i].revents = (short)((FD_ISSET(p[i].fd, &in) ? POLLIN : 0) |
					       (FD_ISSET(p[i].fd, &out) ? POLLOUT : 0));
	return ready;
}

#endif
