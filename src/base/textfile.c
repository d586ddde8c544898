/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * textfile.c - a stream over a non-blocking descriptor, which waits for data in turns of 100 ms.
 *
 * A named pipe is opened although no process writes into it yet, since open() itself would wait for
 * a writer without a way to end it. poll() does not tell a writer that is slow from none, but
 * read() does: it reports the end of the file if there is none. A signal always ends poll(), so
 * read() is called only when poll() has returned.
 */
#define _GNU_SOURCE 1
#include "base/textfile.h"
#include "compat/compat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TURN_MS 100
#define TURNS (TEXT_PATIENCE * 1000 / TURN_MS)
#define CHUNK 65536u /* bytes between two calls of stop() */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define MARK_BYTES 3

struct text {
	int fd;
	bool owned, limited;
	bool begun;	   /* the first bytes have been read */
	bool needs_writer; /* a named pipe that may have no writer */
	uint64_t left;	   /* bytes until the limit */
	uint64_t unasked;  /* bytes until stop() is called again */
	text_stop *stop;
	void *ctx;
};

/* Waits for data. Returns 1 if read() would not block, 0 if a pipe may have no writer, -1 with
 * errno. */
static int
wait_for_bytes(const struct text *t)
{
	struct pollfd p = {.fd = t->fd, .events = POLLIN};

	for (unsigned turn = 1;; turn++) {
		int n = poll(&p, 1, TURN_MS);

		if (n > 0)
			return 1;
		if (n < 0 && errno != EINTR)
			return -1;
		if (t->stop ? t->stop(t->ctx) : n < 0) {
			errno = EINTR;
			return -1;
		}
		if (t->needs_writer && turn >= TURNS)
			return 0;
	}
}

static ssize_t
read_some(struct text *t, char *buf, size_t size)
{
	size_t want = t->limited ? (size_t)MIN((uint64_t)size, t->left + 1) : size;
	ssize_t n;
	int ready;

	if (!t->unasked && t->stop && t->stop(t->ctx)) {
		errno = EINTR;
		return -1;
	}
	t->unasked = t->unasked ? t->unasked : CHUNK;
	do {
		ready = wait_for_bytes(t);
		if (ready < 0)
			return -1;
		n = read(t->fd, buf, want);
	} while (n < 0 && (errno == EAGAIN || errno == EINTR));
	if (n == 0 && ready == 0) {
		t->needs_writer = false;
		errno = ETIMEDOUT;
		return -1;
	}
	if (n <= 0)
		return n;
	if (t->limited && (uint64_t)n > t->left) {
		errno = EFBIG;
		return -1;
	}
	t->left -= t->limited ? (uint64_t)n : 0;
	t->unasked -= MIN(t->unasked, (uint64_t)n);
	return n;
}

/* Skips the byte order mark with which some editors begin a file. */
static ssize_t
read_bytes(void *cookie, char *buf, size_t size)
{
	struct text *t = cookie;
	ssize_t n = read_some(t, buf, size);

	if (!t->begun && n >= MARK_BYTES && memcmp(buf, BYTE_ORDER_MARK, MARK_BYTES) == 0) {
		n -= MARK_BYTES;
		memmove(buf, buf + MARK_BYTES, (size_t)n);
		n = n ? n : read_some(t, buf, size);
	}
	t->begun |= n > 0;
	return n;
}

static int
close_file(void *cookie)
{
	struct text *t = cookie;
	int rc = t->owned ? close(t->fd) : 0;

	free(t);
	return rc;
}

static FILE *
open_stream(int fd, bool owned, uint64_t most, text_stop *stop, void *ctx)
{
	struct text *t = malloc(sizeof(*t));
	struct stat st;
	FILE *f = NULL;

	if (t) {
		*t = (struct text){.fd = fd,
				   .owned = owned,
				   .limited = most > 0,
				   .left = most,
				   .unasked = CHUNK,
				   .stop = stop,
				   .ctx = ctx};
		t->needs_writer = owned && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
		f = compat_stream(t, (struct compat_functions){.read = read_bytes,
							       .close = close_file});
	}
	if (!f) {
		free(t);
		if (owned)
			close(fd);
		errno = ENOMEM;
	}
	return f;
}

FILE *
text_open(const char *path, uint64_t most, text_stop *stop, void *ctx)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	return fd < 0 ? NULL : open_stream(fd, true, most, stop, ctx);
}

FILE *
text_input(text_stop *stop, void *ctx)
{
	return open_stream(STDIN_FILENO, false, 0, stop, ctx);
}

int
text_cannot_open(const char *path, struct err *e)
{
	return err_of(e, errno == ENOMEM ? ERR_MEMORY : ERR_OTHER, "cannot open '%.200s': %s", path,
		      strerror(errno));
}

FILE *
text_open_regular(const char *path, uint64_t most)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	return text_open(path, most, NULL, NULL);
}

int
text_read(const char *path, uint64_t most, struct strbuf *to, struct err *e)
{
	FILE *f = text_open(path, most, NULL, NULL);
	char *room, why[64];
	size_t n = 1;
	int rc = 0;

	if (!f)
		return text_cannot_open(path, e);
	while (n && (room = sb_reserve(to, CHUNK))) {
		n = fread(room, 1, CHUNK, f);
		to->n += n;
	}
	if (ferror(f))
		rc = err_set(e, "cannot read '%.200s': %s", path, text_why(errno, most, why));
	else if (to->failed)
		rc = err_of(e, ERR_MEMORY, "out of memory for '%.200s'", path);
	else
		sb_add(to, "", 0);
	fclose(f);
	return rc;
}

int
text_line(FILE *f, struct strbuf *line, struct err *e)
{
	int c;

	sb_clear(line);
	sb_str(line, "");
	while ((c = getc(f)) != EOF && c != '\n') {
		if (line->n == TEXT_LINE_MOST)
			return err_set(e, "the line is longer than %d characters", TEXT_LINE_MOST);
		sb_char(line, (char)c);
	}
	if (line->failed)
		return err_nomem(e);
	if (strlen(line->p) != line->n)
		return err_set(e, "expected text, found a zero byte");
	while (line->n && line->p[line->n - 1] == '\r')
		line->p[--line->n] = '\0';
	return c != EOF || (line->n > 0 && !ferror(f));
}

const char *
text_why(int number, uint64_t most, char buf[64])
{
	if (number == EFBIG)
		snprintf(buf, 64, "it is larger than %u MiB", (unsigned)(most >> 20));
	else if (number == EINTR)
		snprintf(buf, 64, "interrupted");
	else if (number == ETIMEDOUT)
		snprintf(buf, 64, "no process writes into this pipe");
	else
		return strerror(number);
	return buf;
}

int
text_hash(struct hash *h, const char *path, uint64_t most, struct err *e)
{
	char buf[65536], why[64];
	size_t n;
	FILE *f;
	int rc = 0;

	errno = 0;
	f = text_open_regular(path, most);
	if (!f)
		return err_set(e, "%s: %s", path,
			       errno ? strerror(errno) : "it is not a regular file");
	while ((n = fread(buf, 1, sizeof(buf), f)) > 0)
		hash_add(h, buf, n);
	if (ferror(f))
		rc = err_set(e, "cannot read '%s': %s", path, text_why(errno, most, why));
	fclose(f);
	return rc;
}
