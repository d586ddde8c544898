/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * captures.h - finds captures of real programs, which belong to others and are not part of the
 * project: in the folder CTASCOPE_TRACES, or else in shared/reference/traces beside the source
 * tree. Tests that need a capture are skipped if it is missing.
 */
#ifndef TESTS_CAPTURES_H
#define TESTS_CAPTURES_H

#include <stdio.h>
#include <stdlib.h>

/* buf holds the path if it is composed here. */
static inline const char *
captures_folder(char *buf, size_t size)
{
	const char *folder = getenv("CTASCOPE_TRACES"), *source = getenv("srcdir");

	if (folder)
		return folder;
	snprintf(buf, size, "%s/../shared/reference/traces", source ? source : ".");
	return buf;
}

#endif
