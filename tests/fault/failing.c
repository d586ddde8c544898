/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failing.c - the calls of failing.h. */
#define _GNU_SOURCE 1
#include "tests/fault/failing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct shared *shared;

#if FAILING_POSSIBLE

static bool
fails(enum kind kind)
{
	if (!shared || !shared->armed)
		return false;
	if (__atomic_add_fetch(&shared->n[kind], 1, __ATOMIC_RELAXED) != shared->at ||
	    shared->kind != kind)
		return false;
	errno = kind == ALLOCATION ? ENOMEM : shared->error;
	return true;
}

#pragma GCC visibility push(default) /* otherwise other libraries use those of the C library */

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t m);
void *__libc_realloc(void *p, size_t n);

/* Set by the linker: the program's own code is between them. */
extern char __executable_start, etext;

static bool
allocation_fails(const char *caller)
{
	bool ours = caller >= &__executable_start && caller < &etext;

	return (ours || !shared || !shared->only_ours) && fails(ALLOCATION);
}

void *
malloc(size_t n)
{
	return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *
calloc(size_t n, size_t m)
{
	return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, m);
}

void *
realloc(void *p, size_t n)
{
	return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}

/* Only writes to files on a disk fail, not those to pipes and terminals. */
static bool
write_fails(int fd)
{
	struct stat st;

	return shared && shared->armed && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       fails(WRITING);
}

ssize_t
write(int fd, const void *p, size_t n)
{
	return write_fails(fd) ? -1 : syscall(SYS_write, fd, p, n);
}

int
fsync(int fd)
{
	return write_fails(fd) ? -1 : (int)syscall(SYS_fsync, fd);
}

int
linkat(int from, const char *name, int to, const char *as, int flags)
{
	return fails(WRITING) ? -1 : (int)syscall(SYS_linkat, from, name, to, as, flags);
}

/* Simulates a file system without unnamed files. */
int
open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (shared && shared->armed && shared->named && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int
rename(const char *from, const char *to)
{
	return fails(WRITING) ? -1 : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

#pragma GCC visibility pop
#endif
