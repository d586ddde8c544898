/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - errors of the command line on standard error; a full disk is an error like any other.
 */
#include "base/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int
report_error(const struct err *e, int status)
{
	fflush(stdout);
	err_print(e, "ctascope", stderr);
	return status;
}

int
report_flushed(int status)
{
	bool full = fflush(stdout) != 0;
	int why = errno;

	if (!full && !ferror(stdout))
		return status;
	/* of a failure before this one the errno is gone */
	fprintf(stderr, "ctascope: standard output: %s\n",
		full ? strerror(why) : "some of it could not be written");
	return status ? status : 1;
}
