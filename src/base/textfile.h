/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * textfile.h - files that a user, or an input of his, names: read in bounds, and never waited for
 * in vain. What is named may be a device without an end, a pipe that nobody writes into, or a file
 * far larger than what was meant.
 */
#ifndef BASE_TEXTFILE_H
#define BASE_TEXTFILE_H

#include "base/strbuf.h"
#include "ctascope/err.h"

#define TEXT_MOST (UINT64_C(16) << 20)	     /* bytes of a text that a person wrote */
#define TEXT_LINE_MOST 65536		     /* characters of one of its lines */
#define TEXT_MOST_MADE (UINT64_C(256) << 20) /* and of one that a program wrote */

/* Asked while nothing comes, and every 64 KiB: true ends the reading. NULL: any signal that is
 * caught ends it. */
typedef bool text_stop(void *ctx);

#define TEXT_PATIENCE 2 /* seconds that a named pipe may be without a writer */

/*
 * The file as a stream, for fclose(); NULL with errno. It reads at most `most` bytes (0: no limit):
 * a longer one gives an error then, EFBIG, as an end asked for gives EINTR. A named pipe that no
 * process opens for writing gives ETIMEDOUT, once: who reads on after clearerr() waits for a writer
 * as long as it takes. text_input(): standard input, which fclose() leaves open. A byte order mark
 * at the beginning is left out.
 */
FILE *text_open(const char *path, uint64_t most, text_stop *stop, void *ctx);
FILE *text_input(text_stop *stop, void *ctx);

/* The same of a regular file only, else NULL: for files that no user named. */
FILE *text_open_regular(const char *path, uint64_t most);

/* Adds the bytes of a whole file to `to`; -1 with e. */
int text_read(const char *path, uint64_t most, struct strbuf *to, struct err *e);

/*
 * The next line without its end, LF or CR LF. 1: there is one; 0: there is none, or ferror(); -1
 * with e: it is no line of a text, or memory ran out, and reading ends there.
 */
int text_line(FILE *f, struct strbuf *line, struct err *e);

/* What such an errno means: "it has more than 16 MiB". buf is for that. */
const char *text_why(int number, uint64_t most, char buf[64]);

#endif
