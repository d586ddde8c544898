/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload.c - from the name of a workload to its trace.
 *
 *     NAME              a trace that is shipped or the user's own, else the application NAME at its
 *                       size default
 *     NAME:SIZE         an application of workloads.def at a size of sizes.def
 *
 * A recorded application is traces/SIZE/NAME.ctr where traces are looked for (make records short
 * there), else NAME-SIZE-KEY.ctr in the user's cache. KEY is a checksum of all that the trace
 * follows from: the host program, its PTX and the emulator. So a file of that name is never stale,
 * and two who record it write the same. Files by their path are not looked at here.
 */
#include "workload/recorder.h"

#include "base/ascii.h"
#include "base/datadir.h"
#include "base/hash.h"
#include "base/textfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY_DIGITS 16

const char *const workload_size_names[SIZES] = {
#define WORK_SIZE(name, word, help) #word,
#include "traces/src/sizes.def"
};

const char *const workload_size_help[SIZES] = {
#define WORK_SIZE(name, word, help) help,
#include "traces/src/sizes.def"
};

const struct workload_app workload_apps[] = {
#define WORKLOAD(name, suite, type, n, help) {#name, suite, #type, n, help},
#define WORKLOAD2 WORKLOAD
#include "traces/src/workloads.def"
#undef WORKLOAD
};
const unsigned n_workload_apps = ARRAY_LEN(workload_apps);

static const struct {
	const char *app, *size;
} paper_sizes[] = {
#define WORKLOAD(name, suite, type, n, help)
#define PAPER_SIZE(name, size, grid) {#name, #size},
#include "traces/src/workloads.def"
#undef WORKLOAD
};

/* ---------------------------------------------------------------- names and sizes */

const struct workload_app *
workload_app(const char *name)
{
	for (unsigned i = 0; i < n_workload_apps; i++)
		if (strcmp(workload_apps[i].name, name) == 0)
			return &workload_apps[i];
	return NULL;
}

const char *
workload_shows(const char *name)
{
	static const char *const traces[][2] = {
		{"phase", "compute and memory phases, so the best CTA limit changes; begin here"},
		{"l1reuse",
		 "L1 holds the lines of one CTA but not of three: fewer CTAs are faster"},
		{"uneven", "CTAs of very different lengths: which core gets the long ones?"},
		{"pair", "kernels of two streams: many short CTAs, and few long ones "
			 "(gpu.concurrent_kernels)"},
		{"mixed", "loads, shared memory, barriers and arithmetic in one loop"},
	};
	const struct workload_app *a = workload_app(name);

	for (size_t i = 0; i < ARRAY_LEN(traces); i++)
		if (strcmp(name, traces[i][0]) == 0)
			return traces[i][1];
	return a ? a->help : NULL;
}

bool
workload_has(const struct workload_app *a, enum workload_size size)
{
	if (size == SIZE_SMALL || size == SIZE_DEFAULT || size == SIZE_LARGE || size == SIZE_SHORT)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(paper_sizes); i++)
		if (strcmp(paper_sizes[i].app, a->name) == 0 &&
		    strcmp(paper_sizes[i].size, workload_size_names[size]) == 0)
			return true;
	return false;
}

static void
list_sizes(const struct workload_app *a, char *buf, size_t size)
{
	const char *between = "";

	buf[0] = '\0';
	for (unsigned i = 0; i < SIZES; i++)
		if (!a || workload_has(a, (enum workload_size)i)) {
			snprintf(buf + strlen(buf), size - strlen(buf), "%s%s", between,
				 workload_size_names[i]);
			between = ", ";
		}
}

/* -1: no application has that size. */
static int
find_size(const char *size)
{
	for (unsigned i = 0; i < SIZES; i++)
		if (strcmp(workload_size_names[i], size) == 0)
			return (int)i;
	return -1;
}

int
workload_size_check(const char *size, struct err *e)
{
	int i = find_size(size);
	char all[200];

	list_sizes(NULL, all, sizeof(all));
	return i < 0 ? err_set(e, "no size '%.40s'; there are %s", size, all) : i;
}

bool
workload_has_size(const char *name, const char *size)
{
	const struct workload_app *a = workload_app(name);
	int i = find_size(size);

	return a && i >= 0 && workload_has(a, (enum workload_size)i);
}

/* A trace that is shipped or the user's own. */
static bool
find_trace(const char *name, char *path, size_t size)
{
	char file[256];

	return (size_t)snprintf(file, sizeof(file), "%s.ctr", name) < sizeof(file) &&
	       datadir_find("traces", file, path, size);
}

/* Of a name that is none: the nearest of applications and traces, or otherwise. */
static int
no_such(const char *text, const char *name, const char *otherwise, struct err *e)
{
	const char *also[64];
	unsigned n = 0;

	for (unsigned i = 0; i < n_workload_apps && n < ARRAY_LEN(also); i++)
		also[n++] = workload_apps[i].name;
	err_set(e, "no workload '%.60s'%s", text,
		datadir_hint_also("traces", ".ctr", name, also, n, otherwise).text);
	return -1;
}

/* NAME[:SIZE] as one of the applications. */
static int
parse_name(const char *text, const char *otherwise, const struct workload_app **app,
	   enum workload_size *size, struct err *e)
{
	char name[64], path[PATH_MAX], all[200];
	const char *colon = strchr(text, ':');
	int i;

	snprintf(name, sizeof(name), "%.*s", colon ? (int)MIN(colon - text, 63) : 63, text);
	*app = workload_app(name);
	*size = SIZE_DEFAULT;
	if (!*app)
		return colon && find_trace(name, path, sizeof(path))
			       ? err_set(e, "%s is a trace, which has no sizes", name)
			       : no_such(text, name, otherwise, e);
	if (!colon)
		return 0;
	i = find_size(colon + 1);
	if (i >= 0 && workload_has(*app, (enum workload_size)i)) {
		*size = (enum workload_size)i;
		return 0;
	}
	list_sizes(*app, all, sizeof(all));
	return err_set(e, "%s has no size '%.40s'; it has %s", name, colon + 1, all);
}

/* ---------------------------------------------------------------- the cache */

int
workload_cache_folder(char *buf, size_t size, struct err *e)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n;

	if (xdg && xdg[0] == '/')
		n = snprintf(buf, size, "%s/ctascope", xdg);
	else if (home && home[0] == '/')
		n = snprintf(buf, size, "%s/.cache/ctascope", home);
	else
		return err_set(e, "no folder for recorded workloads: set HOME or XDG_CACHE_HOME");
	return n >= 0 && (size_t)n < size ? 0 : err_set(e, "the cache's path is too long");
}

bool
workload_cache_name(const char *file, char *name, size_t size, enum workload_size *which)
{
	size_t n = strcspn(file, "-"), digits = 0;
	const char *p = file + n;

	if (!n || n >= size || *p != '-')
		return false;
	snprintf(name, size, "%.*s", (int)n, file);
	p++;
	for (unsigned i = 0; i < SIZES; i++) {
		size_t k = strlen(workload_size_names[i]);

		if (strncmp(p, workload_size_names[i], k) != 0 || p[k] != '-')
			continue;
		*which = (enum workload_size)i;
		for (p += k + 1; ascii_is_hex(*p); p++)
			digits++;
		return digits == KEY_DIGITS && strncmp(p, ".ctr", 4) == 0;
	}
	return false;
}

/* The host program lies beside the emulator: in its folder of the build, or as it is installed. */
static int
find_sources(struct workload_trace *t, char *libdir, struct err *e)
{
	static const char *const folder[] = {"traces/src", "workloads"};
	char file[80];

	if (record_library(libdir, e))
		return -1;
	for (unsigned i = 0; i < ARRAY_LEN(folder); i++)
		if ((size_t)snprintf(t->program, sizeof(t->program), "%s/%s/%s", libdir, folder[i],
				     t->app->name) < sizeof(t->program) &&
		    access(t->program, X_OK) == 0)
			break;
		else
			t->program[0] = '\0';
	snprintf(file, sizeof(file), "%s.ptx", t->app->name);
	if (!t->program[0])
		return err_set(e, "the program that %s is recorded from is neither in %s/%s nor %s",
			       t->app->name, libdir, folder[0], folder[1]);
	if (!datadir_find("traces/src", file, t->ptx, sizeof(t->ptx)))
		return err_set(e, "%s, which %s is recorded from, is not installed", file,
			       t->app->name);
	return 0;
}

int
workload_look(struct workload_trace *t, const struct workload_app *a, enum workload_size size,
	      struct err *e)
{
	char kind[80], file[80], libdir[PATH_MAX], library[PATH_MAX + 16], folder[PATH_MAX];
	struct hash h;

	*t = (struct workload_trace){.app = a, .size = size};
	snprintf(kind, sizeof(kind), "traces/%s", workload_size_names[size]);
	snprintf(file, sizeof(file), "%s.ctr", a->name);
	t->there = datadir_find(kind, file, t->path, sizeof(t->path)) != NULL;
	if (t->there)
		return 0;
	if (find_sources(t, libdir, e) || workload_cache_folder(folder, sizeof(folder), e))
		return -1;
	snprintf(library, sizeof(library), "%s/libcuda.so.1", libdir);
	hash_init(&h, 0);
	if (text_hash(&h, t->program, 0, e) || text_hash(&h, t->ptx, 0, e) ||
	    text_hash(&h, library, 0, e))
		return -1;
	if ((size_t)snprintf(t->path, sizeof(t->path), "%s/%s-%s-%016" PRIx64 ".ctr", folder,
			     a->name, workload_size_names[size], hash_end(&h)) >= sizeof(t->path))
		return err_set(e, "the cache's path is too long");
	t->cached = true;
	t->there = access(t->path, R_OK) == 0;
	return 0;
}

/* ---------------------------------------------------------------- for the command lines */

int
workload_check(const char *name, const char *otherwise, struct err *e)
{
	const struct workload_app *app;
	enum workload_size which;
	char path[PATH_MAX];

	return find_trace(name, path, sizeof(path)) ? 0
						    : parse_name(name, otherwise, &app, &which, e);
}

/* 0, 1 (not recorded; t says what would be), or -1. t->path is the trace's. */
static int
find_workload(const char *name, struct workload_trace *t, struct err *e)
{
	const struct workload_app *app;
	enum workload_size which;

	*t = (struct workload_trace){.app = NULL};
	t->there = find_trace(name, t->path, sizeof(t->path));
	if (t->there)
		return 0;
	if (parse_name(name, " (--list-workloads)", &app, &which, e) ||
	    workload_look(t, app, which, e))
		return -1;
	return t->there ? 0 : 1;
}

int
workload_find(const char *name, char *path, size_t size, struct err *e)
{
	struct workload_trace t;
	int rc = find_workload(name, &t, e);

	snprintf(path, size, "%s", rc < 0 ? "" : t.path);
	return rc;
}

int
workload_need(const char *name, bool quiet, char *path, size_t size, struct err *e)
{
	struct workload_trace t;
	int rc = find_workload(name, &t, e);

	if (rc >= 0 && t.cached)
		rc = workload_cached_is_usable(t.path, name) ? 0 : 1;
	if (rc > 0)
		rc = workload_record(&t, quiet, e);
	snprintf(path, size, "%s", rc < 0 ? "" : t.path);
	return rc;
}
