/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record_app.h - private to src/workload: a program that is recorded. record_app_args.c reads the
 * options, recorder.h runs it, record_app_why.c explains why there is no trace.
 */
#ifndef WORKLOAD_RECORD_APP_H
#define WORKLOAD_RECORD_APP_H

#include "base/report.h"
#include "workload/workload.h"

#include <limits.h>

enum record_env {
#define RECORD_ENV(name, variable) ENV_##name,
#include "record/cuda/record_env.def"
#undef RECORD_ENV
#define MACHINE(field, variable, value, min, max) ENV_machine_##field,
#include "record/cuda/machine.def"
#undef MACHINE
	ENVS
};

enum record_notice {
#define RECORD_NOTICE(name, value) RECORD_##name = (value),
#include "record/cuda/record_notice.def"
#undef RECORD_NOTICE
};

struct record_app {
	char **argv;				    /* the program and its arguments */
	char out[PATH_MAX], private[PATH_MAX + 32]; /* out "": only a list, to standard output */
	char libdir[PATH_MAX];
	bool started, list;
	bool beside;		       /* private lies where out will, and is renamed */
	int notice_fd;		       /* an eventfd (record_notice.def); -1: none */
	int alive;		       /* a file that a recording process locks; -1: none */
	char env[ENVS][PATH_MAX + 32]; /* "": not set */
};

/* Reads the options in argv, in which the program follows "--". -1: continue; otherwise the status
 * with which ctascope ends. */
int record_app_read(struct record_app *a, int argc, char **argv);
/* Explains why nothing was recorded, when the library has reported no reason. rc: the program's
 * status; notices: the sum of record_notice.def. */
void record_app_why(const struct record_app *a, uint64_t notices, int rc);

#endif
