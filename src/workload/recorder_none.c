/* SPDX-License-Identifier: GPL-3.0-or-later */
/* recorder_none.c - recorder.h without a recorder: traces run, but no program can be recorded. */
#include "workload/recorder.h"

static int
refuse_recording(struct err *e)
{
	return err_set(e, "this ctascope was built without the recorder; record on Linux with "
			  "'ctascope record -o FILE.ctr -- PROGRAM' and copy FILE.ctr here, or run "
			  "a shipped trace ('ctascope --list-workloads')");
}

bool
recorder_is_built_in(void)
{
	return false;
}

const char *const record_libraries[] = {NULL};

int
record_library(char *folder ATTR_UNUSED, struct err *e)
{
	return refuse_recording(e);
}

int
record_app_run(struct record_app *a ATTR_UNUSED)
{
	struct err e = {0};

	refuse_recording(&e);
	return report_error(&e, 1);
}

int
workload_record(const struct workload_trace *t ATTR_UNUSED, bool quiet ATTR_UNUSED, struct err *e)
{
	return refuse_recording(e);
}
