/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload.h - workloads by name: a trace that is shipped or the user's own, or an application of
 * workloads.def, as NAME (its size default) or NAME:SIZE. An application that is not recorded at a
 * size is recorded when it is first needed, into the user's cache.
 */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "base/cmdline.h"
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
/* What a shipped trace or an application shows; NULL: it is neither. */
const char *workload_shows(const char *name);
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

/* ---- workload_cached.c ---- */

/* Removes what lies at path: a file of any kind, or a folder with all that is in it. Nothing there
 * is no failure. */
int workload_cached_remove(const char *path, struct err *e);
/* Is it a trace, to the last byte? Otherwise why->msg says what is wrong. */
bool workload_cached_is_whole(const char *path, struct err *why);
/* The same for somebody who is about to use the trace of a workload or program: what is damaged is
 * reported and out of the way of a new recording. */
bool workload_cached_is_usable(const char *path, const char *name);

int workload_make_folder(const char *path, struct err *e); /* with those above it */

/* ---- workload.c ---- */

/* $XDG_CACHE_HOME/ctascope, or below ~/.cache; -1: neither is known. */
int workload_cache_folder(char *buf, size_t size, struct err *e);
/* The application and the size of a file's name in the cache; false: no file of ours. key is the
 * rest of the name. */
bool workload_cache_name(const char *file, char *name, size_t size, enum workload_size *which);

/* All return -1 with e for unknown names; `otherwise` ends the error where no other name is near.
 */
int workload_check(const char *name, const char *otherwise, struct err *e);
/* The trace's path: 0 there, 1 not recorded yet. */
int workload_find(const char *name, char *path, size_t size, struct err *e);
/* Records it if that must be, with a line on standard error unless quiet; 0 there. */
int workload_need(const char *name, bool quiet, char *path, size_t size, struct err *e);
/* The number of a size, -1: none of that name; whether the application NAME has that size. */
int workload_size_check(const char *size, struct err *e);
bool workload_has_size(const char *name, const char *size);

/* Whether programs and applications can be recorded (recorder.h); traces and PTX always can. */
bool recorder_is_built_in(void);
/* ctascope record ... -- PROGRAM: argv[0] is the subcommand; the exit status. record_app_args.c */
int record_app_main(int argc, char **argv);
/* Its options: what every recording has, which fill a struct that begins with record_common, and
 * those of a program. */
struct record_common {
	const char *out;
	bool force;	     /* replace files that are no trace */
	unsigned regs, jobs; /* 0: not given */
	unsigned checks;     /* enum ptx_check */
	uint64_t max_insns;  /* 0: not given */
	unsigned max_cta;    /* MiB; 0: not given */
	int arch;	     /* enum ptx_arch */
};
extern const struct cmd_option record_output_options[], record_common_options[],
	record_program_options[];
/* The file that argv[0] of a program is, found as execvp does; false: there is none. */
bool record_app_file(const char *name, char *path, size_t size);
/* The folder of libcuda.so.1, PATH_MAX bytes; -1: it is missing, or there is no recorder. */
int record_library(char *folder, struct err *e);
/* All of them, with NULL behind the last. */
extern const char *const record_libraries[];

/* How the name of a program's trace in the cache begins: program-NAME-KEY.ctr (cli_app.c). */
#define CACHED_PROGRAM "program-"

#endif
