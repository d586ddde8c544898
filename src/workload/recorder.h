/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recorder.h - private to src/workload: what the front needs of the recorder. record_app.c and
 * workload_record.c run programs with our libcuda.so.1, which takes Linux; recorder_none.c takes
 * their place where ctascope is configured with --disable-recorder, and says what to do instead.
 * recorder_is_built_in() and record_library() (workload.h) belong to it, too.
 */
#ifndef WORKLOAD_RECORDER_H
#define WORKLOAD_RECORDER_H

#include "workload/record_app.h"

/* Runs a program that is recorded; the exit status. */
int record_app_run(struct record_app *a);
/* Makes t->path; 0 when it is there afterwards. A line of progress on standard error. */
int workload_record(const struct workload_trace *t, bool quiet, struct err *e);

#endif
