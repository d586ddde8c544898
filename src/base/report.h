/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - how a command of the shell ends: what it prints on standard error, and its status.
 */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include "ctascope/err.h"

/* Prints e on standard error, after everything printed so far; returns status. */
int report_error(const struct err *e, int status);
/* Prints a mistake in the arguments and how to get help; returns 2. A message that begins with
 * "record" points to the help of that subcommand. */
int report_usage(const char *fmt, ...) ATTR_PRINTF(1, 2);
/* Flushes standard output; returns status, or a failure if what was printed did not arrive. */
int report_flushed(int status);

#endif
