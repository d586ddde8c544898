/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replace.h - which files a command replaces without being asked to. */
#ifndef BASE_REPLACE_H
#define BASE_REPLACE_H

#include "ctascope/err.h"

#include <stdbool.h>
#include <stdint.h>

enum own_file {
	OWN_TABLE,
	OWN_LOG,
	OWN_TRACE_EVENTS,
	OWN_STOPS,
	OWN_SEQUENCE,
	OWN_PAGE,
	OWN_PICTURE,
	OWN_RECORDING,
	OWN_TRACE,
	OWN_TRACE_LIST,
	OWN_FINDINGS,
	OWN_SCREEN
};

bool replace_is_forced(const char *word); /* "--force"; NULL is not */
/* -1 with e: a file of another program is at path, and would be lost. command: for e, such as "log
 * on". Pipes, devices and empty files lose nothing. */
int replace_check(const char *command, const char *path, enum own_file kind, struct err *e);
/* The same for raw bytes, which have no beginning of their own: an earlier file has as many. */
int replace_check_bytes(const char *command, const char *path, uint64_t bytes, struct err *e);
/* For a command that first works and then writes what the user named, "-" included: -1 with e if
 * the file cannot be written or, unless forced, replace_check() refuses it. */
int replace_check_before(const char *command, const char *path, enum own_file kind, bool forced,
			 struct err *e);

#endif
