/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output.h - every file the program writes is written through this.
 *
 * A file appears under its name when it is whole: until then it has no name, or one beside the
 * target, PATH.tmpXXXXXX. So a reader sees the old file or the new one, and a program that is
 * killed leaves the old one. What cannot be replaced is written into as it is: a pipe, a device, a
 * socket, an open descriptor (/dev/stdout, /dev/fd/N). A symbolic link is followed to its target,
 * also to one that is not there yet. A file that is there keeps its mode and, as far as one may,
 * its owner; one that is read-only for all, or for us, is refused before anything is written.
 *
 * A failure is remembered. The first call that meets it says so, and so does every one after it,
 * the last included: it is enough to look at what output_close() returns.
 *
 * tests/lint/output.t holds that nobody else opens files for writing.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "ctascope/err.h"
#include <stdio.h>

struct output;

enum output_flag {
	OUTPUT_FORCE = 1, /* a read-only file is replaced as well, if the folder allows it */
	OUTPUT_NEW = 2,	  /* somebody else's file that has come there by the end is an error */
	OUTPUT_HELD = 4,  /* the file there is locked by us (output_lock) */
	/* Lines that are seen while the file grows: written into, from its beginning, not replaced.
	 * After a failure it ends with its last whole line. */
	OUTPUT_LIVE = 8,
};

/* Begins to write a file. NULL with e: it cannot be, or somebody else is writing it. The caller
 * ends with output_close() or output_abort(). */
struct output *output_open(const char *path, unsigned flags, struct err *e);

/* Writes n bytes. -1 with e. */
int output_write(struct output *o, const void *data, size_t n, struct err *e);

/* The same file as a stream, for fprintf(); not to be closed, and not to be mixed with
 * output_write(). Nothing is allocated while it is written to. */
FILE *output_stream(struct output *o);

/* Something failed that the caller has met, errno error: the file takes no more. Returns -1. */
int output_fail(struct output *o, int error, struct err *e);
/* All that was written so far goes to the file. -1 with e: it takes no more. */
int output_flush(struct output *o, struct err *e);

/* Only of a live file, which is not a pipe or device: the descriptor, to read what was written;
 * -1: there is none. */
int output_descriptor(const struct output *o);
/* Of what is no pipe or device: what is behind the first n bytes is given up. -1 with e. */
int output_cut(struct output *o, uint64_t n, struct err *e);

/* Ends it: all goes to the disk and the file to its name. -1 with e, and then no file is left but
 * the one that was there. o is gone in both cases. */
int output_close(struct output *o, struct err *e);
/* The same, but the file stays open behind its last byte and locked: the descriptor, for
 * output_more(), or -1 with e. */
int output_close_kept(struct output *o, struct err *e);
/* Gives up: leaves no file but the one that was there. NULL is fine. */
void output_abort(struct output *o);

/* Has fn write the whole file; -1 with e as fn, or as the writing. */
int output_replace(const char *path, unsigned flags, int (*fn)(void *ctx, FILE *to, struct err *e),
		   void *ctx, struct err *e);
/* Puts a file that is whole and in the same file system to its name; into a pipe or device it is
 * copied. It has lost its own name then, also after a failure. */
int output_move(const char *from, const char *path, struct err *e);
/* As rename(), within a folder that is the program's own: one of several programs gets the file. */
int output_rename(const char *from, const char *to);
/* Could path be written? -1 with e: no. Nothing is left of the trial. */
int output_check(const char *path, unsigned flags, struct err *e);
/* Where path leads once links are followed, owned by the caller; NULL there: to what is written
 * into as it is. -1 with e. */
int output_target(const char *path, char **target, struct err *e);

/* Would one replace what the other writes? False when one cannot be looked at. */
bool output_same(const char *a, const char *b);

/* Locks the file at path against other writers: its descriptor, to be closed in the end; -1 with e:
 * another program is writing it. -2: there is no file yet, or nothing to lock. */
int output_lock(const char *path, struct err *e);
/* Appends n bytes to a file that output_close_kept() has left: all of them or, with e, none. */
int output_more(int fd, const char *path, const void *data, size_t n, struct err *e);

#endif
