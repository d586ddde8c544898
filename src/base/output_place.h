/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_place.h - private to output.c: where a name leads, who holds a file, what others left. */
#ifndef BASE_OUTPUT_PLACE_H
#define BASE_OUTPUT_PLACE_H

#include "base/output.h"
#include <sys/stat.h>

struct place {
	char *path;	/* behind all links; owned */
	int number;	/* of an open descriptor that path is another name of; -1: none */
	bool there;	/* a file is */
	struct stat st; /* of it */
};

/* -1 with e. */
int place_find(struct place *p, const char *path, struct err *e);
/* Not replaced but written into: a pipe, a device, a socket, an open descriptor. */
bool place_is_special(const struct place *p);
/* May a file be written there? -1 with e. */
int place_check(const struct place *p, const char *path, unsigned flags, struct err *e);
bool place_is_same(const struct place *a, const struct place *b);
void place_free(struct place *p);

/* The folder that path lies in; NULL: no memory. Owned by the caller. */
char *place_folder(const char *path);
#define PLACE_TEMP ".tmpXXXXXX"
/* Removes what others, who were killed, left of files to be named path. */
void place_clean(const char *path);

/* Locks the file of fd, or says in e who has it. */
int place_lock(int fd, const char *path, struct err *e);

#endif
