/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output_place.c - resolves the name of an output, and checks whether a file may be written there.
 *
 * Links are followed one by one, because the last one may lead to a file that does not exist yet,
 * and because the apparent target of /proc/self/fd/N is not a name.
 */
#define _GNU_SOURCE 1
#include "base/output_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINKS 40

const char *
place_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The number in "/dev/fd/3"; -1 for any other name. */
static int
find_descriptor(const char *path)
{
	int n = 0, end = 0;

	if ((sscanf(path, "/dev/fd/%7d%n", &n, &end) == 1 ||
	     sscanf(path, "/proc/self/fd/%7d%n", &n, &end) == 1) &&
	    !path[end])
		return n;
	return -1;
}

/* Follows all links. Returns -1 with errno set. */
static int
follow_links(struct place *p)
{
	for (unsigned i = 0; i < MAX_LINKS; i++) {
		char to[PATH_MAX];
		ssize_t n;
		size_t at;

		p->number = find_descriptor(p->path);
		n = p->number < 0 ? readlink(p->path, to, sizeof(to)) : 0;
		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : -1;
		if (n == 0)
			return 0;
		at = to[0] == '/' ? 0 : (size_t)(place_name(p->path) - p->path);
		if (at + (size_t)n >= sizeof(p->path)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(p->path + at, to, (size_t)n);
		p->path[at + (size_t)n] = '\0';
	}
	errno = ELOOP;
	return -1;
}

int
place_find(struct place *p, const char *path, struct err *e)
{
	*p = (struct place){.number = -1};
	errno = *path ? ENAMETOOLONG : ENOENT;
	if (!*path || snprintf(p->path, PATH_MAX, "%s", path) >= PATH_MAX || follow_links(p))
		return err_set(e, "cannot write '%s': %s", path, strerror(errno));
	p->there = p->number < 0 ? stat(p->path, &p->st) == 0 : fstat(p->number, &p->st) == 0;
	return 0;
}

bool
place_is_special(const struct place *p)
{
	return p->number >= 0 || (p->there && !S_ISREG(p->st.st_mode) && !S_ISDIR(p->st.st_mode));
}

bool
place_is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

int
place_check(const struct place *p, const char *path, unsigned flags, struct err *e)
{
	if ((p->there && S_ISDIR(p->st.st_mode)) || !*place_name(path))
		return err_set(e, "cannot write '%s': it is a folder", path);
	if (!p->there || place_is_special(p) || flags & OUTPUT_FORCE)
		return 0;
	/* root could write it anyway, but whoever made the file read-only meant root as well */
	if (!(p->st.st_mode & 0222))
		return err_set(e, "cannot write '%s': the file is read-only", path);
	if (access(p->path, W_OK))
		return err_set(e, "cannot write '%s': %s", path, strerror(errno));
	return 0;
}
