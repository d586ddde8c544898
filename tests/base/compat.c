/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compat.c - tests src/compat: the functions that depend on the system do what compat.h promises.
 */
#include "compat/compat.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct text {
	char got[64];
	size_t n;
	bool is_closed;
};

static ssize_t
add(void *cookie, const char *p, size_t n)
{
	struct text *t = cookie;

	if (t->n + n >= sizeof(t->got))
		return 0;
	memcpy(t->got + t->n, p, n);
	t->n += n;
	return (ssize_t)n;
}

static ssize_t
give(void *cookie, char *p, size_t n)
{
	struct text *t = cookie;
	size_t some = t->n < n ? t->n : n;

	memcpy(p, t->got, some);
	t->n -= some;
	return (ssize_t)some;
}

static int
note_end(void *cookie)
{
	((struct text *)cookie)->is_closed = true;
	return 0;
}

static void
test_streams(void)
{
	struct text t = {.n = 0};
	FILE *f = compat_stream(&t, (struct compat_functions){.write = add, .close = note_end});
	char line[16] = "";

	ok(f && fputs("three words here", f) >= 0 && fclose(f) == 0, "a stream is written");
	ok(t.n == 16 && memcmp(t.got, "three words here", 16) == 0 && t.is_closed,
	   "its function gets the bytes, and the end");
	f = compat_stream(&t, (struct compat_functions){.write = add});
	for (int i = 0; f && i < 8; i++)
		fputs("more than there is room for", f);
	ok(f && fflush(f) == EOF, "a failure is an error of the stream");
	if (f)
		fclose(f);
	t = (struct text){.got = "a line\n", .n = 7};
	f = compat_stream(&t, (struct compat_functions){.read = give, .close = note_end});
	ok(f && fgets(line, sizeof(line), f) && strcmp(line, "a line\n") == 0 && getc(f) == EOF,
	   "a stream is read to its end");
	ok(f && fclose(f) == 0 && t.is_closed, "and closed");
}

static bool
closes_at_exec(int fd)
{
	return fcntl(fd, F_GETFD) == FD_CLOEXEC;
}

static void
test_descriptors(void)
{
	struct timespec soon = {.tv_nsec = 1000000};
	int fd[2] = {-1, -1}, pair[2] = {-1, -1}, memory = compat_memory_file("test");
	struct pollfd p = {.events = POLLIN};
	char c = 0;

	ok(compat_pipe(fd) == 0 && closes_at_exec(fd[0]) && closes_at_exec(fd[1]), "a pipe");
	ok(compat_socketpair(pair) == 0 && closes_at_exec(pair[0]) && closes_at_exec(pair[1]),
	   "a pair of sockets");
	p.fd = fd[0];
	ok(compat_poll(&p, 1, &soon, NULL) == 0, "waiting has an end");
	ok(write(fd[1], "x", 1) == 1 && compat_poll(&p, 1, NULL, NULL) == 1 && p.revents == POLLIN,
	   "a byte ends it");
	ok(compat_poll(NULL, 0, &soon, NULL) == 0, "waiting for nothing");
	ok(compat_dup_onto(fd[0], pair[0]) == 0 && closes_at_exec(pair[0]) &&
		   read(pair[0], &c, 1) == 1 && c == 'x',
	   "a descriptor takes the place of another");
	ok(memory >= 0 && closes_at_exec(memory) && write(memory, "y", 1) == 1 &&
		   pread(memory, &c, 1, 0) == 1 && c == 'y',
	   "a file without a name");
}

static void
test_process(const char *self)
{
	struct compat_range object[256];
	char path[PATH_MAX] = "", *real = realpath(self, NULL);
	size_t n = compat_objects(object, 256), found = 0;
	uintptr_t here = (uintptr_t)test_process;
	void *frame[32];

	ok(compat_program_path(path, sizeof(path)), "the path of the program is known");
	ok(real && strcmp(path, real) == 0, "%s is %s", path, self);
	ok(!compat_program_path(path, 2), "no part of it is taken for all");
	free(real);
	ok(compat_processors() > 0, "there are processors");
	for (size_t i = 0; i < n && i < 256; i++)
		found += here >= object[i].from && here < object[i].to;
	ok(found == 1, "this code lies in one object");
	ok(compat_backtrace(frame, 32) > 0, "the stack has frames");
}

int
main(int argc, char **argv)
{
	(void)argc;
	test_streams();
	test_descriptors();
	test_process(argv[0]);
	return done();
}
