/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload.h - private to src/repl: the applications of workloads.def, their sizes, and the user's
 * cache of recorded ones. What others need of it is in repl.h.
 */
#ifndef REPL_WORKLOAD_H
#define REPL_WORKLOAD_H

#include "ctascope/err.h"

#include <limits.h>

enum workload_size {
#define WORK_SIZE(name, word, help) SIZE_##name,
#include "traces/src/sizes.def"
	SIZES
};
extern const char *const workload_size_names[SIZES];
extern const char *const workload_size_help[SIZES];

struct workload_app {
	const char *name, *suite, *type;
	unsigned n; /* occupancy on kayiran30 */
	const char *help;
};
extern const struct workload_app workload_apps[];
extern const unsigned n_workload_apps;

const struct workload_app *workload_app(const char *name); /* NULL: none of them */
bool workload_has(const struct workload_app *a, enum workload_size size);

/* One trace of an application: where it is, or would be in the cache. */
struct workload_trace {
	const struct workload_app *app;
	enum workload_size size;
	bool there, cached; /* cached: path is in the cache */
	char path[PATH_MAX];
	char program[PATH_MAX], ptx[PATH_MAX]; /* that it is recorded from; "" when not needed */
};
/* 0, or -1: what it would be recorded from is missing. */
int workload_look(struct workload_trace *t, const struct workload_app *a, enum workload_size size,
		  struct err *e);
/* Makes t->path; 0 when it is there afterwards. A line of progress on standard error. */
int workload_record(const struct workload_trace *t, bool quiet, struct err *e);

/* ---- workload_cached.c ---- */

/* Removes what lies at path: a file of any kind, or a folder with all that is in it. Nothing there
 * is no failure. */
int workload_cached_remove(const char *path, struct err *e);
/* Is it a trace, to the last byte? Otherwise why->msg says what is wrong. */
bool workload_cached_is_whole(const char *path, struct err *why);
/* The same for somebody who is about to use the trace of a workload or program: what is damaged is
 * reported and out of the way of a new recording. */
bool workload_cached_is_usable(const char *path, const char *name);

/* ---- workload.c, workload_record.c ---- */

/* $XDG_CACHE_HOME/ctascope, or below ~/.cache; -1: neither is known. */
int workload_cache_folder(char *buf, size_t size, struct err *e);
int workload_make_folder(const char *path, struct err *e); /* with those above it */
/* The application and the size of a file's name in the cache; false: no file of ours. key is the
 * rest of the name. */
bool workload_cache_name(const char *file, char *name, size_t size, enum workload_size *which);

struct hash;
/* Adds what is in the file. */
int workload_hash_file(struct hash *h, const char *path, struct err *e);

/* How the name of a program's trace in the cache begins: program-NAME-KEY.ctr (cli_app.c). */
#define CACHED_PROGRAM "program-"

#endif
