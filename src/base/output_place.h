/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_place.h - private to output.c: resolves a name. */
#ifndef BASE_OUTPUT_PLACE_H
#define BASE_OUTPUT_PLACE_H

#include "base/output.h"

#include <limits.h>
#include <sys/stat.h>

struct place {
	char path[PATH_MAX]; /* behind all links */
	int number;	     /* of an open descriptor that path is another name of; -1: none */
	bool there;	     /* a file is */
	struct stat st;	     /* of it */
};

/* -1 with e. */
int place_find(struct place *p, const char *path, struct err *e);
/* Not replaced but written into: a pipe, a device, a socket, an open descriptor. */
bool place_is_special(const struct place *p);
/* May a file be written there? -1 with e. */
int place_check(const struct place *p, const char *path, unsigned flags, struct err *e);
bool place_is_same_file(const struct stat *a, const struct stat *b);
const char *place_name(const char *path); /* its last part */

#endif
