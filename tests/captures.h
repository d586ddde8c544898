/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * captures.h - where captures of real programs may lie, which belong to others and are not part of
 * the project: the folder CTASCOPE_TRACES, or else shared/reference/traces beside the source tree.
 * Tests that want a capture are skipped where there is none.
 */
#ifndef TESTS_CAPTURES_H
#define TESTS_CAPTURES_H

#include <stdio.h>
#include <stdlib.h>

/* buf holds the path when it is made here. */
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
