/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * textfile.h - reads files that a user or an input file names. Reading is bounded in size and never
 * waits forever, because the name may belong to an endless device, to a pipe without a writer, or
 * to a file far larger than intended.
 */
#ifndef BASE_TEXTFILE_H
#define BASE_TEXTFILE_H

#include "base/hash.h"
#include "base/strbuf.h"
#include "ctascope/err.h"

#define TEXT_MOST (UINT64_C(16) << 20)	     /* bytes of a file that a person wrote */
#define TEXT_MOST_MADE (UINT64_C(256) << 20) /* bytes of a file that a program wrote */
#define TEXT_LINE_MOST 65536		     /* characters of a line of either */

/* Called while no data arrives, and every 64 KiB; returning true ends the reading. If it is NULL,
 * any caught signal ends it. */
typedef bool text_stop(void *ctx);

#define TEXT_PATIENCE 2 /* seconds to wait for a writer of a named pipe */

/*
 * Opens a file as a stream, which the caller closes with fclose(). Returns NULL with errno set. A
 * byte order mark at the beginning is skipped. Reading fails with
 *
 *     EFBIG      after `most` bytes, if the file is longer (most = 0: no limit)
 *     EINTR      when stop() or a signal ends it
 *     ETIMEDOUT  if no process opens a named pipe for writing; only once, since after clearerr()
 *                reading waits for a writer without a limit
 *
 * text_input() opens standard input in the same way; fclose() leaves the descriptor open.
 */
FILE *text_open(const char *path, uint64_t most, text_stop *stop, void *ctx);
FILE *text_input(text_stop *stop, void *ctx);

/* Says after one of these why a file could not be opened; out of memory is ERR_MEMORY. Returns -1.
 */
int text_cannot_open(const char *path, struct err *e);

/* Opens only a regular file, otherwise returns NULL: for files that no user named. */
FILE *text_open_regular(const char *path, uint64_t most);

/* Appends the whole file to `to`. Returns 0, or -1 with e. */
int text_read(const char *path, uint64_t most, struct strbuf *to, struct err *e);

/*
 * Reads the next line without its end (LF or CR LF). Returns 1 with a line, 0 at the end of the
 * file or after a read error (see ferror()), -1 with e if the line is not text or memory ran out;
 * the caller then stops reading.
 */
int text_line(FILE *f, struct strbuf *line, struct err *e);

/* Adds the bytes of a regular file to a hash. Returns 0, or -1 with e. */
int text_hash(struct hash *h, const char *path, uint64_t most, struct err *e);

/* Returns what an errno of reading means, such as "it has more than 16 MiB"; the text may be in
 * buf. */
const char *text_why(int number, uint64_t most, char buf[64]);

#endif
