/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output.h - every file the program writes is written through this.
 *
 * A file appears under its name only when it is complete: until then it has no name, or one next to
 * the target, PATH.tmpXXXXXX. A reader therefore sees the old file or the new one, and a killed
 * program leaves the old one. What cannot be replaced is written into: a pipe, a device, a socket,
 * an open descriptor (/dev/stdout, /dev/fd/N). Symbolic links are followed to their target, even if
 * it does not exist yet. An existing file keeps its mode and, if permitted, its owner. A file that
 * is read-only for all or for us is refused before anything is written.
 *
 * A failure is remembered: the call that meets it and all later ones report it, including the last.
 * It is therefore enough to check the result of output_close().
 *
 * tests/lint/output.t checks that nothing else opens files for writing.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "ctascope/err.h"
#include <stdio.h>

struct output;

enum output_flag {
	OUTPUT_FORCE = 1, /* also replaces a read-only file, if the folder permits it */
	OUTPUT_NEW = 2,	  /* fails if another file has appeared under the name by the end */
	OUTPUT_HELD = 4,  /* the existing file is locked by us (output_lock) */
	/* Lines that are visible while the file grows: it is overwritten from its beginning, not
	 * replaced. After a failure it ends with its last complete line. */
	OUTPUT_LIVE = 8,
	OUTPUT_APPEND = 16, /* a live file keeps what it has, and grows at its end */
};

/* Starts writing a file. NULL with e: it cannot be written, or another program is writing it.
 * The caller must end with output_close() or output_abort(). */
struct output *output_open(const char *path, unsigned flags, struct err *e);

/* Writes n bytes. -1 with e. */
int output_write(struct output *o, const void *data, size_t n, struct err *e);

/* The same file as a stream, for fprintf(). The caller must not close it or mix it with
 * output_write(). Writing to it allocates nothing. */
FILE *output_stream(struct output *o);

/* The caller met an error with this errno: the file accepts nothing more. Returns -1. */
int output_fail(struct output *o, int error, struct err *e);
/* Writes all buffered data to the file. -1 with e: it accepts nothing more. */
int output_flush(struct output *o, struct err *e);

/* For a live file that is not a pipe or device: a descriptor for reading back what was written;
 * otherwise -1. */
int output_descriptor(const struct output *o);
/* Truncates the file, which is not a pipe or device, to n bytes. -1 with e. */
int output_cut(struct output *o, uint64_t n, struct err *e);

/* Completes the file: data goes to the disk, and the file gets its name. -1 with e; then only
 * the old file remains. o is freed in both cases. */
int output_close(struct output *o, struct err *e);
/* The same, but the file stays open at its end and locked. Returns the descriptor for
 * output_more(), or -1 with e. */
int output_close_kept(struct output *o, struct err *e);
/* Gives up; only the old file remains. o may be NULL. */
void output_abort(struct output *o);

/* Lets fn write the whole file; -1 with e from fn or from the writing. */
int output_replace(const char *path, unsigned flags, int (*fn)(void *ctx, FILE *to, struct err *e),
		   void *ctx, struct err *e);
/* Moves a complete file of the same file system to its name; into a pipe or device it is copied.
 * The file always loses its own name, even after a failure. */
int output_move(const char *from, const char *path, struct err *e);
/* Like rename(), inside a folder owned by the program: only one of several programs gets the
 * file. */
int output_rename(const char *from, const char *to);
/* Can path be written? -1 with e: no. The check leaves no trace. */
int output_check(const char *path, unsigned flags, struct err *e);
/* The target of path after following links; the caller frees it. NULL in *target: path is
 * written into as it is. -1 with e. */
int output_target(const char *path, char **target, struct err *e);

/* Opens an empty file without a name, for what does not fit into memory: in wanted, unless that is
 * NULL or impossible, else in /var/tmp or /tmp. Returns its descriptor, which the caller closes, or
 * -1 with e. */
int output_scratch(const char *wanted, struct err *e);

/* Would writing one replace the other? False if one of them cannot be examined. */
bool output_same(const char *a, const char *b);

/* Locks the file at path against other writers. Returns a descriptor that the caller closes; -1
 * with e: another program is writing it; -2: the file does not exist or cannot be locked. */
int output_lock(const char *path, struct err *e);
/* Appends n bytes to a file that output_close_kept() left open: all of them or, with e, none. */
int output_more(int fd, const char *path, const void *data, size_t n, struct err *e);

#endif
