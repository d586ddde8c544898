/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compat.h - what Linux, macOS and the BSDs each do in their own way, as one function each.
 *
 * The rest of the core uses POSIX and C17 only. A system without one of these facilities gets the
 * same result in a slower way, or the comment says what it lacks. The recorder, which needs Linux,
 * does not use this folder.
 */
#ifndef COMPAT_COMPAT_H
#define COMPAT_COMPAT_H

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#ifdef __APPLE__
#include <xlocale.h>
#endif

#ifndef HOST_NAME_MAX
#define HOST_NAME_MAX 255
#endif

/* A mapping at an address that others may have: without the flag the address is a hint, and the
 * caller looks at the result. */
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

/* ---------------------------------------------------------------- streams */

/* A stream that calls one of read and write; close may be NULL. read returns 0 at the end, -1 with
 * errno; write returns less than n if it fails. */
struct compat_functions {
	ssize_t (*read)(void *cookie, char *p, size_t n);
	ssize_t (*write)(void *cookie, const char *p, size_t n);
	int (*close)(void *cookie);
};
FILE *compat_stream(void *cookie, struct compat_functions f); /* NULL: out of memory */

/* ---------------------------------------------------------------- descriptors */

/* exec() closes them all. -1 with errno. */
int compat_pipe(int fd[2]);
int compat_socketpair(int fd[2]);
int compat_dup_onto(int from, int to);
int compat_memory_file(const char *name); /* a file without a name, for short-lived bytes */

/* As poll(), with a limit in nanoseconds (NULL: none) and, unless mask is NULL, with these signals
 * blocked meanwhile. */
int compat_poll(struct pollfd *p, nfds_t n, const struct timespec *limit, const sigset_t *mask);

/* ---------------------------------------------------------------- files */

static inline struct timespec
compat_mtime(const struct stat *st)
{
#ifdef __APPLE__
	return st->st_mtimespec;
#else
	return st->st_mtim;
#endif
}

/* ---------------------------------------------------------------- the process */

/* The file of this program, without links; false: the system does not tell. */
bool compat_program_path(char *buf, size_t size);
unsigned compat_processors(void); /* that this process may use; 0: unknown */

/* This process gets the signal when its parent ends. macOS has no such request: there, workers
 * notice the end of the parent when they read from it or write to it. */
void compat_end_with_parent(int signo);

/* ---------------------------------------------------------------- code in memory */

struct compat_range {
	uintptr_t from, to;
};
/* The return addresses on the stack, innermost first; their number. The first call may allocate,
 * so a handler of signals must not be the first. */
int compat_backtrace(void **frame, int most);
/* Where the program and its libraries lie; their number, which may exceed most. */
size_t compat_objects(struct compat_range *object, size_t most);

#endif
