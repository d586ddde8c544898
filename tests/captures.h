/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * captures.h - where captures of real programs may lie, which are others' and not part of the
 * project: the folder CTASCOPE_TRACES. Tests that want one are skipped where it is not.
 */
#ifndef TESTS_CAPTURES_H
#define TESTS_CAPTURES_H

#include <stdlib.h>

static inline const char *
captures_folder(void)
{
	const char *folder = getenv("CTASCOPE_TRACES");

	return folder ? folder : "/work/shared/reference/traces";
}

#endif
