/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * datadir.c - the search path of data files.
 *
 * The user's own folder comes first: $XDG_DATA_HOME/ctascope (or ~/.local/share/ctascope). Then
 * comes the shipped one, the first of these that has a folder for the requested kind:
 *
 *     $CTASCOPE_DATADIR            set by the tests and by users who move things about
 *     EXE/../share/ctascope        an installed program, wherever its prefix was moved to
 *     EXE/source                   a program in its build folder: configure links the source tree
 *     EXE                          a program built in the source tree, or unpacked with its data
 *     PKGDATADIR                   where "make install" put things
 *
 * where EXE is the folder of the program. Files made by the build (recorded workloads) are in
 * EXE/traces, which is searched last.
 *
 * A root contains machines/, themes/, traces/, sweeps/ and lessons/. Only regular files in them
 * count: a pipe or a folder with the right name hides no shipped file. PKGDATADIR comes last so
 * that a fresh build does not use an older installation. No path of the build is compiled in, so
 * that programs built in different folders are the same.
 */
#include "base/datadir.h"
#include "compat/compat.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry {
	char *name;    /* with the suffix */
	unsigned rank; /* 0: user's, 1: shipped, 2: made by the build */
};

struct listing {
	struct entry *entry;
	size_t n, room;
};

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool
is_readable_file(const char *path)
{
	return is_file(path) && access(path, R_OK) == 0;
}

/* Writes "A/B" or fails when it does not fit. */
static bool
join_path(char *buf, size_t size, const char *a, const char *b)
{
	int n = snprintf(buf, size, "%s/%s", a, b);

	return n >= 0 && (size_t)n < size;
}

/* The folder of a kind under a root. */
static bool
kind_under(const char *root, const char *kind, char *buf, size_t size)
{
	return join_path(buf, size, root, kind) && is_folder(buf);
}

static bool
user_folder(const char *kind, char *buf, size_t size)
{
	char root[PATH_MAX];
	const char *xdg = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		return join_path(root, sizeof(root), xdg, "ctascope") &&
		       kind_under(root, kind, buf, size);
	return home && home[0] && join_path(root, sizeof(root), home, ".local/share/ctascope") &&
	       kind_under(root, kind, buf, size);
}

/* The folder of the program (up 1), the one above it (2), and a path from there. */
static bool
beside_program(int ups, const char *path, char *buf, size_t size)
{
	char exe[PATH_MAX];
	ssize_t n = compat_program_path(exe, sizeof(exe)) ? (ssize_t)strlen(exe) : -1;

	for (int up = 0; up < ups; up++) {
		while (n > 0 && exe[n - 1] != '/')
			n--;
		if (n <= 0)
			return false;
		exe[--n] = '\0';
	}
	return join_path(buf, size, exe, path);
}

static bool
made_folder(const char *kind, char *buf, size_t size)
{
	return beside_program(1, kind, buf, size) && is_folder(buf);
}

static bool
shipped_folder(const char *kind, char *buf, size_t size)
{
	char root[PATH_MAX];
	const char *env = getenv("CTASCOPE_DATADIR");

	if (env && env[0] && kind_under(env, kind, buf, size))
		return true;
	if (beside_program(2, "share/ctascope", root, sizeof(root)) &&
	    kind_under(root, kind, buf, size))
		return true;
	if (beside_program(1, "source", root, sizeof(root)) && kind_under(root, kind, buf, size))
		return true;
	if (made_folder(kind, buf, size))
		return true;
#ifdef PKGDATADIR
	if (kind_under(PKGDATADIR, kind, buf, size))
		return true;
#endif
	return false;
}

const char *
datadir_shipped(char *buf, size_t size)
{
	char *real;

	if (!shipped_folder("machines", buf, size))
		return NULL;
	*strrchr(buf, '/') = '\0';
	real = realpath(buf, NULL);
	if (real)
		snprintf(buf, size, "%s", real);
	free(real);
	return buf;
}

const char *
datadir_find(const char *kind, const char *name, char *buf, size_t size)
{
	char folder[PATH_MAX];

	if (!name[0] || strchr(name, '/'))
		return NULL;
	if (user_folder(kind, folder, sizeof(folder)) && join_path(buf, size, folder, name) &&
	    is_readable_file(buf))
		return buf;
	if (shipped_folder(kind, folder, sizeof(folder)) && join_path(buf, size, folder, name) &&
	    is_readable_file(buf))
		return buf;
	if (made_folder(kind, folder, sizeof(folder)) && join_path(buf, size, folder, name) &&
	    is_readable_file(buf))
		return buf;
	return NULL;
}

static bool
ends_in(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);

	return n > s && strcmp(name + n - s, suffix) == 0;
}

static int
listing_add(struct listing *l, const char *name, unsigned rank)
{
	if (l->n == l->room) {
		size_t room = l->room ? 2 * l->room : 32;
		struct entry *grown = realloc(l->entry, room * sizeof(*grown));

		if (!grown)
			return -1;
		l->entry = grown;
		l->room = room;
	}
	l->entry[l->n].name = strdup(name);
	l->entry[l->n].rank = rank;
	return l->entry[l->n].name ? (l->n++, 0) : -1;
}

static int
listing_read(struct listing *l, const char *folder, const char *suffix, unsigned rank)
{
	DIR *dir = opendir(folder);
	struct dirent *d;
	char path[PATH_MAX];
	int rc = 0;

	if (!dir)
		return 0; /* removed meanwhile, or not readable: nothing to list */
	while (rc == 0 && (d = readdir(dir)))
		if (d->d_name[0] != '.' && ends_in(d->d_name, suffix) &&
		    join_path(path, sizeof(path), folder, d->d_name) && is_file(path))
			rc = listing_add(l, d->d_name, rank);
	closedir(dir);
	return rc;
}

static int
entry_order(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

int
datadir_each(const char *kind, const char *suffix,
	     int (*fn)(void *ctx, const char *name, const char *path), void *ctx)
{
	struct listing l = {0};
	char folder[3][PATH_MAX], path[PATH_MAX];
	int rc = 0;

	if (user_folder(kind, folder[0], sizeof(folder[0])))
		rc = listing_read(&l, folder[0], suffix, 0);
	if (rc == 0 && shipped_folder(kind, folder[1], sizeof(folder[1])))
		rc = listing_read(&l, folder[1], suffix, 1);
	if (rc == 0 && made_folder(kind, folder[2], sizeof(folder[2])))
		rc = listing_read(&l, folder[2], suffix, 2);
	if (rc == 0 && l.n)
		qsort(l.entry, l.n, sizeof(l.entry[0]), entry_order);
	for (size_t i = 0; rc == 0 && i < l.n; i++) {
		struct entry *e = &l.entry[i];

		if (i && strcmp(e->name, l.entry[i - 1].name) == 0)
			continue;
		if (!join_path(path, sizeof(path), folder[e->rank], e->name))
			continue;
		/* remove the suffix in a copy, because the next entry is compared with the whole
		 * name */
		char *name = strndup(e->name, strlen(e->name) - strlen(suffix));
		rc = name ? fn(ctx, name, path) : -1;
		free(name);
	}
	for (size_t i = 0; i < l.n; i++)
		free(l.entry[i].name);
	free(l.entry);
	return rc;
}

struct names {
	const char *name[512];
	unsigned n;
};

static int
keep_name(void *ctx, const char *name, const char *path ATTR_UNUSED)
{
	struct names *l = ctx;

	if (l->n < ARRAY_LEN(l->name) && (l->name[l->n] = strdup(name)))
		l->n++;
	return 0;
}

struct hint
datadir_hint(const char *kind, const char *suffix, const char *name, const char *otherwise)
{
	return datadir_hint_also(kind, suffix, name, NULL, 0, otherwise);
}

struct hint
datadir_hint_also(const char *kind, const char *suffix, const char *name, const char *const *also,
		  unsigned n_also, const char *otherwise)
{
	struct names l = {.n = 0};
	struct hint h;

	for (unsigned i = 0; i < n_also; i++)
		keep_name(&l, also[i], NULL);
	datadir_each(kind, suffix, keep_name, &l);
	h = near_hint(name, l.name, l.n, otherwise);
	for (unsigned i = 0; i < l.n; i++)
		free((void *)(uintptr_t)l.name[i]);
	return h;
}
