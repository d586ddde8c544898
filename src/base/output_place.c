/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output_place.c - where the name of an output leads, who holds the file there, what others left.
 *
 * Links are followed by hand, since the last one may lead to where no file is yet, and since what
 * /proc/self/fd/N seems to lead to is not a name.
 *
 * A file that is being written is locked (flock), under its name or under the one it has until it
 * is whole. So a file with such a name that nobody has locked is of a program that was killed
 * between its last two calls, and is removed by the next that writes to the same name. The kernel
 * knows who holds a lock; it tells in /proc/locks.
 */
#define _GNU_SOURCE 1
#include "base/ascii.h"
#include "base/output_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define MAX_LINKS 40

/* ---------------------------------------------------------------- names */

char *
place_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? strndup(path, MAX((size_t)(slash - path), (size_t)1)) : strdup(".");
}

/* The number in "/dev/fd/3"; -1: it is another name. */
static int
descriptor_in(const char *path)
{
	static const char *const folder[] = {"/dev/fd/", "/proc/self/fd/"};

	for (unsigned i = 0; i < ARRAY_LEN(folder); i++) {
		size_t n = strlen(folder[i]),
		       digits = strspn(path + MIN(n, strlen(path)), "0123456789");

		if (strncmp(path, folder[i], n) == 0 && digits && digits < 8 && !path[n + digits])
			return atoi(path + n);
	}
	return -1;
}

/* What the link at path leads to; NULL with errno: EINVAL, it is none. */
static char *
link_target(const char *path)
{
	char *to = malloc(PATH_MAX), *whole = NULL;
	const char *slash = strrchr(path, '/');
	ssize_t n = to ? readlink(path, to, PATH_MAX) : -1;

	if (n == PATH_MAX)
		errno = ENAMETOOLONG;
	if (n > 0 && n < PATH_MAX) {
		to[n] = '\0';
		if (to[0] == '/' || !slash)
			return to;
		if (asprintf(&whole, "%.*s/%s", (int)(slash - path), path, to) < 0)
			whole = NULL;
	}
	free(to);
	return whole;
}

/* Through all links. -1 with errno. */
static int
follow(struct place *p)
{
	for (unsigned i = 0; i < MAX_LINKS; i++) {
		char *next;

		p->number = descriptor_in(p->path);
		if (p->number >= 0)
			return 0;
		next = link_target(p->path);
		if (!next)
			return errno == EINVAL || errno == ENOENT ? 0 : -1;
		free(p->path);
		p->path = next;
	}
	errno = ELOOP;
	return -1;
}

int
place_find(struct place *p, const char *path, struct err *e)
{
	*p = (struct place){.number = -1, .path = strdup(path)};
	if (!p->path)
		return err_nomem(e);
	if (!*path)
		errno = ENOENT;
	if (!*path || follow(p)) {
		err_set(e, "cannot write '%s': %s", path, strerror(errno));
		place_free(p);
		return -1;
	}
	p->there = p->number < 0 ? stat(p->path, &p->st) == 0 : fstat(p->number, &p->st) == 0;
	return 0;
}

void
place_free(struct place *p)
{
	free(p->path);
	*p = (struct place){.number = -1};
}

bool
place_is_special(const struct place *p)
{
	return p->number >= 0 || (p->there && !S_ISREG(p->st.st_mode) && !S_ISDIR(p->st.st_mode));
}

/* Of files that are not there yet it is the folder and the name that count. */
bool
place_is_same(const struct place *a, const struct place *b)
{
	const char *name[2] = {strrchr(a->path, '/'), strrchr(b->path, '/')};
	char *folder[2];
	struct stat st[2];
	bool same;

	if (place_is_special(a) || place_is_special(b) || a->there != b->there)
		return false;
	if (a->there)
		return a->st.st_dev == b->st.st_dev && a->st.st_ino == b->st.st_ino;
	folder[0] = place_folder(a->path);
	folder[1] = place_folder(b->path);
	same = folder[0] && folder[1] && stat(folder[0], &st[0]) == 0 &&
	       stat(folder[1], &st[1]) == 0 && st[0].st_dev == st[1].st_dev &&
	       st[0].st_ino == st[1].st_ino &&
	       strcmp(name[0] ? name[0] + 1 : a->path, name[1] ? name[1] + 1 : b->path) == 0;
	free(folder[0]);
	free(folder[1]);
	return same;
}

int
place_check(const struct place *p, const char *path, unsigned flags, struct err *e)
{
	size_t n = strlen(path);

	if ((p->there && S_ISDIR(p->st.st_mode)) || path[n - 1] == '/')
		return err_set(e, "cannot write '%s': it is a folder", path);
	if (!p->there || place_is_special(p) || flags & OUTPUT_FORCE)
		return 0;
	/* root may write everywhere, and who made a file read-only meant root as well */
	if (!(p->st.st_mode & 0222))
		return err_set(e, "cannot write '%s': the file is read-only", path);
	if (access(p->path, W_OK))
		return err_set(e, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}

/* ---------------------------------------------------------------- locks */

#define LOCK_TRIES 100 /* every 20 ms */

static bool
is_running(long pid)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/%ld", pid);
	return access(path, F_OK) == 0;
}

/* The process that holds a lock on the file; 0: not known, as when it is in another container. A
 * process that has ended holds none: the lock is its children's, who end as well. */
static long
holder(int fd)
{
	FILE *f = fopen("/proc/locks", "re");
	char line[200];
	struct stat st;
	long found = 0;

	if (f && fstat(fd, &st) == 0)
		while (!found && fgets(line, sizeof(line), f)) {
			uint64_t inode;
			long pid;

			/* "1: FLOCK  ADVISORY  WRITE 812 fe:00:4711 0 EOF" */
			if (sscanf(line, "%*d: FLOCK ADVISORY WRITE %ld %*x:%*x:%" SCNu64, &pid,
				   &inode) == 2 &&
			    inode == (uint64_t)st.st_ino && pid > 0 && is_running(pid))
				found = pid;
		}
	if (f)
		fclose(f);
	return found;
}

int
place_lock(int fd, const char *path, struct err *e)
{
	const struct timespec pause = {.tv_nsec = 20000000};
	long pid = 0;

	/* the lock of a process that was killed lasts until its children have ended, too */
	for (unsigned i = 0; i < LOCK_TRIES && !pid; i++) {
		if (i)
			nanosleep(&pause, NULL);
		/* a file system without locks has none to respect */
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			return 0;
		pid = holder(fd);
	}
	if (pid)
		return err_set(e, "cannot write '%s': process %ld is writing it", path, pid);
	return err_set(e, "cannot write '%s': another program is writing it", path);
}

/* ---------------------------------------------------------------- what others left */

/* Is name that of an unfinished file, to be called base? */
static bool
is_unfinished(const char *name, const char *base)
{
	size_t n = strlen(base), dots = strlen(PLACE_TEMP) - 6;

	if (strncmp(name, base, n) != 0 || strncmp(name + n, PLACE_TEMP, dots) != 0 ||
	    strlen(name + n + dots) != 6)
		return false;
	for (const char *p = name + n + dots; *p; p++)
		if (!ascii_is_alnum(*p))
			return false;
	return true;
}

void
place_clean(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	char *folder = place_folder(path);
	DIR *d = folder ? opendir(folder) : NULL;

	for (struct dirent *f; d && (f = readdir(d));) {
		struct stat st;
		int fd;

		if (!is_unfinished(f->d_name, base))
			continue;
		fd = openat(dirfd(d), f->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
		if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		    flock(fd, LOCK_EX | LOCK_NB) == 0)
			unlinkat(dirfd(d), f->d_name, 0);
		if (fd >= 0)
			close(fd);
	}
	if (d)
		closedir(d);
	free(folder);
}
