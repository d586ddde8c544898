/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scratch.h - a file without a name for what does not fit into memory: bytes are added to its end
 * and read again. */
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include "ctascope/err.h"

struct scratch {
	const char *folder; /* of output_scratch(); must stay valid */
	int fd;		    /* -1: not needed so far */
	uint64_t bytes;	    /* the end; 0 reuses the file */
};

void scratch_init(struct scratch *s, const char *folder);
void scratch_close(struct scratch *s);
/* Adds n bytes. what: "the CTAs that run at once", for the message. */
int scratch_add(struct scratch *s, const void *p, size_t n, const char *what, struct err *e);
int scratch_read(const struct scratch *s, uint64_t at, void *to, size_t n, const char *what,
		 struct err *e);

#endif
