/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - how a command of the shell ends: what it prints on standard error, and its status.
 */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H

#include "ctascope/err.h"

/* Prints e on standard error, after everything printed so far; returns status. */
int report_error(const struct err *e, int status);
/* Flushes standard output; returns status, or a failure if what was printed did not arrive. */
int report_flushed(int status);

#endif
