/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_arg.h - private to src/cli: the arguments of a kernel as given on the command line. */
#ifndef CLI_RECORD_ARG_H
#define CLI_RECORD_ARG_H

#include "record/ptx/ptx.h"

/* One --arg: a number, some bytes, or memory for the kernel to work on. */
struct record_arg {
	const char *text;
	uint64_t addr, bytes; /* the buffer once allocated; bytes 0: not a buffer */
	const char *dump;     /* file to write the buffer to after the run, or NULL */
};

/* Writes argument number (from 1) for parameter p into value, p->size bytes; allocates a buffer on
 * d and fills it. */
int record_arg_make(struct record_arg *a, unsigned number, const struct ptx_param *p,
		    struct ptx_device *d, uint8_t *value, struct err *e);
/* Writes the buffer to its file, if it has one. */
int record_arg_dump(const struct record_arg *a, struct ptx_device *d, struct err *e);

#endif
