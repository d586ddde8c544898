/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload_cached.c - what lies in the user's cache under the name of a trace: the trace, a damaged
 * one, or something that is none.
 *
 * A trace is in the cache only because ctascope put it there and can make it again, so a damaged
 * one is no error: it is reported and recorded again. A file that can be written stays until the
 * new recording takes its place, so that two who find the damage at the same time do not remove
 * each other's recording.
 */
#define _GNU_SOURCE 1
#include "workload/workload.h"

#include "trace/trace.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FOLDERS 16

static int
remove_entry(const char *path, const struct stat *st ATTR_UNUSED, int type ATTR_UNUSED,
	     struct FTW *at ATTR_UNUSED)
{
	return remove(path);
}

int
workload_cached_remove(const char *path, struct err *e)
{
	if (nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
		return 0;
	return err_set(e, "%.300s: %s", path, strerror(errno));
}

bool
workload_cached_is_whole(const char *path, struct err *why)
{
	struct stat st;

	if (stat(path, &st)) {
		err_set(why, "%s", strerror(errno));
		return false;
	}
	if (!S_ISREG(st.st_mode)) {
		err_set(why, "it is a %s", S_ISDIR(st.st_mode) ? "folder" : "special file");
		return false;
	}
	/* what cannot be checked for want of memory is not damaged */
	return trace_check_sums(path, why) == 0 || why->kind == ERR_MEMORY;
}

bool
workload_cached_is_usable(const char *path, const char *name)
{
	struct err why = {0}, e = {0};
	struct stat st;

	if (lstat(path, &st))
		return false;
	if (workload_cached_is_whole(path, &why))
		return true;
	fprintf(stderr, "ctascope: the cached trace of %s is damaged (%s); recording it again\n",
		name, why.msg);
	if ((!S_ISREG(st.st_mode) || access(path, W_OK) != 0) && workload_cached_remove(path, &e))
		err_print(&e, "ctascope", stderr);
	return false;
}

int
workload_make_folder(const char *path, struct err *e)
{
	char part[PATH_MAX];

	for (const char *p = strchr(path + 1, '/');; p = strchr(p + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", p ? (int)(p - path) : PATH_MAX - 1, path);
		if (mkdir(part, p ? 0777 : 0700) && errno != EEXIST)
			return err_set(
				e,
				"cannot make the folder '%.300s' for recorded workloads: %s; "
				"XDG_CACHE_HOME names another place",
				part, strerror(errno));
		if (!p)
			return 0;
	}
}
