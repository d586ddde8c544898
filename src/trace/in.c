/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * in.c - reads lines from a file that is plain text, xz, gzip or zstd.
 *
 * Two buffers of a fixed size hold compressed bytes and text, so memory does not grow with the
 * file. A file may consist of several compressed streams, as the tools allow. A file that ends in
 * the middle of a stream is an error, never a shorter text. The decoders have a limit of memory
 * (MAX_DICTIONARY, MAX_WINDOW_LOG), so that a header of a few bytes cannot demand gigabytes.
 */
#include "trace/in.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define RAW_SIZE (64u << 10)
#define TEXT_SIZE (256u << 10)
#define MAX_LINE (64u << 10)
#define MAX_DICTIONARY (192u << 20)
#define MAX_WINDOW_LOG 27

enum format { PLAIN, XZ, GZIP, ZSTD };

struct in {
	char *name;
	int fd; /* -1: reads from mem */
	const uint8_t *mem;
	size_t mem_left;

	enum format format;
	bool started;	 /* the decoder exists */
	bool raw_end;	 /* the file was read to its end */
	bool stream_end; /* between two compressed streams */
	uint8_t *raw;
	size_t raw_at, raw_n;
	uint64_t raw_total; /* bytes read from the file, for messages and the watch */
	uint64_t size;	    /* of the file */
	const struct trace_watch *watch;
	lzma_stream lzma;
	z_stream gzip;
	ZSTD_DStream *zstd;

	char *text;
	size_t at, n; /* unread part of text */
	bool text_end;
	uint64_t number;
};

uint64_t
in_number(const struct in *in)
{
	return in->number;
}

const char *
in_name(const struct in *in)
{
	return in->name;
}

void
in_close(struct in *in)
{
	if (!in)
		return;
	if (in->started && in->format == XZ)
		lzma_end(&in->lzma);
	if (in->started && in->format == GZIP)
		inflateEnd(&in->gzip);
	ZSTD_freeDStream(in->zstd);
	if (in->fd >= 0)
		close(in->fd);
	free(in->raw);
	free(in->text);
	free(in->name);
	free(in);
}

static struct in *
in_new(const char *name, struct err *e)
{
	struct in *in = calloc(1, sizeof(*in));

	if (in) {
		in->fd = -1;
		in->lzma = (lzma_stream)LZMA_STREAM_INIT;
		in->name = strdup(name);
		in->raw = malloc(RAW_SIZE);
		in->text = malloc(TEXT_SIZE + 1);
		in->stream_end = true;
		if (in->name && in->raw && in->text)
			return in;
	}
	in_close(in);
	err_nomem(e);
	return NULL;
}

struct in *
in_memory(const char *name, const void *p, size_t n, struct err *e)
{
	struct in *in = in_new(name, e);

	if (in) {
		in->mem = p;
		in->mem_left = n;
	}
	return in;
}

struct in *
in_open(const char *path, struct err *e)
{
	struct in *in = in_new(path, e);
	struct stat st;

	if (!in)
		return NULL;
	/* O_NONBLOCK: opening a pipe without a writer must not hang. */
	in->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (in->fd < 0 || fstat(in->fd, &st) < 0) {
		err_set(e, "cannot open '%s': %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		err_set(e, "cannot read '%s': it is not a regular file", path);
	} else {
		in->size = (uint64_t)st.st_size;
		return in;
	}
	in_close(in);
	return NULL;
}

void
in_watch(struct in *in, const struct trace_watch *w)
{
	in->watch = w;
}

void
in_report(const struct in *in, const char *what, uint64_t done, uint64_t all)
{
	if (in->watch)
		in->watch->on_progress(in->watch->ctx, what, in->name, done, all);
}

/* ---- compressed bytes ---- */

static int
fill_raw(struct in *in, struct err *e)
{
	ssize_t got;

	memmove(in->raw, in->raw + in->raw_at, in->raw_n - in->raw_at);
	in->raw_n -= in->raw_at;
	in->raw_at = 0;
	while (!in->raw_end && in->raw_n < RAW_SIZE) {
		if (in->fd < 0) {
			got = (ssize_t)MIN(RAW_SIZE - in->raw_n, in->mem_left);
			if (got) {
				memcpy(in->raw + in->raw_n, in->mem, (size_t)got);
				in->mem += got;
				in->mem_left -= (size_t)got;
			}
		} else {
			got = read(in->fd, in->raw + in->raw_n, RAW_SIZE - in->raw_n);
			if (got < 0 && errno == EINTR)
				continue;
			if (got < 0)
				return err_set(e, "cannot read '%s': %s", in->name,
					       strerror(errno));
		}
		in->raw_n += (size_t)got;
		in->raw_total += (uint64_t)got;
		in->raw_end = got == 0;
	}
	in_report(in, "reading", in->raw_total, in->size);
	return 0;
}

static int
bad_stream(struct in *in, struct err *e, const char *kind, const char *what)
{
	return err_at_byte(e, in->name, in->raw_total - (in->raw_n - in->raw_at), "the %s data %s",
			   kind, what);
}

static int
start_decoder(struct in *in, struct err *e)
{
	static const uint8_t xz[] = {0xfd, '7', 'z', 'X', 'Z', 0};
	static const uint8_t gz[] = {0x1f, 0x8b};
	static const uint8_t zst[] = {0x28, 0xb5, 0x2f, 0xfd};
	bool good = true;

	if (fill_raw(in, e))
		return -1;
	if (in->raw_n >= sizeof(xz) && memcmp(in->raw, xz, sizeof(xz)) == 0) {
		in->format = XZ;
		good = lzma_stream_decoder(&in->lzma, MAX_DICTIONARY, LZMA_CONCATENATED) == LZMA_OK;
	} else if (in->raw_n >= sizeof(gz) && memcmp(in->raw, gz, sizeof(gz)) == 0) {
		in->format = GZIP;
		good = inflateInit2(&in->gzip, 16 + MAX_WBITS) == Z_OK;
	} else if (in->raw_n >= sizeof(zst) && memcmp(in->raw, zst, sizeof(zst)) == 0) {
		in->format = ZSTD;
		in->zstd = ZSTD_createDStream();
		good = in->zstd &&
		       !ZSTD_isError(ZSTD_DCtx_setParameter(in->zstd, ZSTD_d_windowLogMax,
							    MAX_WINDOW_LOG));
	}
	in->started = good;
	return good ? 0 : err_nomem(e);
}

static int
read_xz(struct in *in, char *to, size_t room, size_t *got, struct err *e)
{
	lzma_ret r;

	in->lzma.next_in = in->raw + in->raw_at;
	in->lzma.avail_in = in->raw_n - in->raw_at;
	in->lzma.next_out = (uint8_t *)to;
	in->lzma.avail_out = room;
	r = lzma_code(&in->lzma, in->raw_end ? LZMA_FINISH : LZMA_RUN);
	in->raw_at = in->raw_n - in->lzma.avail_in;
	*got = room - in->lzma.avail_out;
	switch (r) {
	case LZMA_OK:
		/* A call that neither reads nor writes needs more input. */
		if (*got == 0 && in->raw_end && in->raw_at == in->raw_n)
			return bad_stream(in, e, "xz", "ends too early: the file is truncated");
		return 0;
	case LZMA_STREAM_END:
		in->text_end = true;
		return 0;
	case LZMA_BUF_ERROR:
		return bad_stream(in, e, "xz", "ends too early: the file is truncated");
	case LZMA_MEMLIMIT_ERROR:
		return bad_stream(in, e, "xz", "needs a dictionary larger than 192 MiB");
	case LZMA_MEM_ERROR:
		return err_nomem(e);
	default:
		return bad_stream(in, e, "xz", "is damaged");
	}
}

static int
read_gzip(struct in *in, char *to, size_t room, size_t *got, struct err *e)
{
	int r;

	if (in->stream_end && in->raw_at == in->raw_n && in->raw_end) {
		in->text_end = true;
		return 0;
	}
	in->stream_end = false;
	in->gzip.next_in = in->raw + in->raw_at;
	in->gzip.avail_in = (uInt)(in->raw_n - in->raw_at);
	in->gzip.next_out = (Bytef *)to;
	in->gzip.avail_out = (uInt)room;
	r = inflate(&in->gzip, Z_NO_FLUSH);
	in->raw_at = in->raw_n - in->gzip.avail_in;
	*got = room - in->gzip.avail_out;
	if (r == Z_STREAM_END) {
		in->stream_end = true;
		inflateReset(&in->gzip);
		return 0;
	}
	if (r == Z_MEM_ERROR)
		return err_nomem(e);
	if (r != Z_OK && r != Z_BUF_ERROR)
		return bad_stream(in, e, "gzip", "is damaged");
	if (*got == 0 && in->raw_end && in->raw_at == in->raw_n)
		return bad_stream(in, e, "gzip", "ends too early: the file is truncated");
	return 0;
}

static int
read_zstd(struct in *in, char *to, size_t room, size_t *got, struct err *e)
{
	ZSTD_inBuffer from = {in->raw, in->raw_n, in->raw_at};
	ZSTD_outBuffer out = {to, room, 0};
	size_t r;

	if (in->stream_end && in->raw_at == in->raw_n && in->raw_end) {
		in->text_end = true;
		return 0;
	}
	r = ZSTD_decompressStream(in->zstd, &out, &from);
	in->raw_at = from.pos;
	*got = out.pos;
	if (ZSTD_isError(r) && ZSTD_getErrorCode(r) == ZSTD_error_memory_allocation)
		return err_nomem(e);
	if (ZSTD_isError(r))
		return bad_stream(in, e, "zstd",
				  "is damaged, or needs a window larger than 128 MiB");
	in->stream_end = r == 0;
	if (*got == 0 && !in->stream_end && in->raw_end && in->raw_at == in->raw_n)
		return bad_stream(in, e, "zstd", "ends too early: the file is truncated");
	return 0;
}

/* ---- text ---- */

/* Moves the unread text to the front of the buffer and fills the rest of it. */
static int
fill_text(struct in *in, struct err *e)
{
	size_t got, take;
	int r = 0;

	if (!in->started && start_decoder(in, e))
		return -1;
	memmove(in->text, in->text + in->at, in->n - in->at);
	in->n -= in->at;
	in->at = 0;
	while (!in->text_end && in->n < TEXT_SIZE) {
		size_t room = TEXT_SIZE - in->n;
		char *to = in->text + in->n;

		if (in->raw_at == in->raw_n && !in->raw_end && fill_raw(in, e))
			return -1;
		got = 0;
		switch (in->format) {
		case PLAIN:
			take = MIN(room, in->raw_n - in->raw_at);
			memcpy(to, in->raw + in->raw_at, take);
			in->raw_at += take;
			got = take;
			in->text_end = take == 0 && in->raw_end;
			break;
		case XZ:
			r = read_xz(in, to, room, &got, e);
			break;
		case GZIP:
			r = read_gzip(in, to, room, &got, e);
			break;
		case ZSTD:
			r = read_zstd(in, to, room, &got, e);
			break;
		}
		if (r)
			return -1;
		in->n += got;
	}
	return 0;
}

long
in_peek(struct in *in, const char **p, size_t n, struct err *e)
{
	if (in->n - in->at < n && fill_text(in, e))
		return -1;
	*p = in->text + in->at;
	return (long)MIN(n, in->n - in->at);
}

int
in_line(struct in *in, char **line, size_t *n, struct err *e)
{
	char *from = in->text + in->at, *end = NULL;

	if (in->n > in->at)
		end = memchr(from, '\n', in->n - in->at);
	if (!end && !in->text_end) {
		if (fill_text(in, e))
			return -1;
		from = in->text;
		end = in->n ? memchr(from, '\n', in->n) : NULL;
	}
	if (!end) {
		if (in->at == in->n)
			return 0;
		end = in->text +
		      in->n; /* the last line has no newline; there is room for the NUL */
	}
	in->number++;
	*end = '\0';
	*line = from;
	*n = (size_t)(end - from);
	in->at = MIN((size_t)(end - in->text) + 1, in->n);
	if (*n > MAX_LINE || (*n >= TEXT_SIZE - 1 && !in->text_end)) {
		from[200] = '\0';
		return err_at(e, in->name, in->number, from, 0, 1,
			      "the line is longer than %u bytes", MAX_LINE);
	}
	if (strlen(from) != *n)
		return err_at(e, in->name, in->number, from, (int)strlen(from), 1,
			      "unexpected zero byte in the text");
	return 1;
}
