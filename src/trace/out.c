/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out.c - compresses what base/output.h writes. The levels are fixed, so the same input gives the
 * same file.
 */
#include "trace/out.h"

#include "base/output.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define BUF_SIZE (128u << 10)
#define XZ_LEVEL 6
#define GZIP_LEVEL 6
#define ZSTD_LEVEL 9

enum format { PLAIN, XZ, GZIP, ZSTD };

struct out {
	char *path;
	struct output *file;
	enum format format;
	bool started;
	uint64_t offset;
	uint8_t *buf;
	size_t n; /* bytes in buf, plain only */
	lzma_stream lzma;
	z_stream gzip;
	ZSTD_CStream *zstd;
};

static bool
ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

void
out_abort(struct out *o)
{
	if (!o)
		return;
	if (o->started && o->format == XZ)
		lzma_end(&o->lzma);
	if (o->started && o->format == GZIP)
		deflateEnd(&o->gzip);
	ZSTD_freeCStream(o->zstd);
	output_abort(o->file);
	free(o->buf);
	free(o->path);
	free(o);
}

static bool
start_encoder(struct out *o)
{
	switch (o->format) {
	case PLAIN:
		break;
	case XZ:
		o->lzma = (lzma_stream)LZMA_STREAM_INIT;
		if (lzma_easy_encoder(&o->lzma, XZ_LEVEL, LZMA_CHECK_CRC64) != LZMA_OK)
			return false;
		break;
	case GZIP:
		if (deflateInit2(&o->gzip, GZIP_LEVEL, Z_DEFLATED, 16 + MAX_WBITS, 8,
				 Z_DEFAULT_STRATEGY) != Z_OK)
			return false;
		break;
	case ZSTD:
		o->zstd = ZSTD_createCStream();
		if (!o->zstd)
			return false;
		ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
		ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_checksumFlag, 1);
		break;
	}
	o->started = true;
	return true;
}

struct out *
out_open(const char *path, bool by_name, struct err *e)
{
	struct out *o = calloc(1, sizeof(*o));

	if (!o) {
		err_nomem(e);
		return NULL;
	}
	if (by_name)
		o->format = ends_in(path, ".xz")    ? XZ
			    : ends_in(path, ".gz")  ? GZIP
			    : ends_in(path, ".zst") ? ZSTD
						    : PLAIN;
	o->path = strdup(path);
	o->buf = malloc(BUF_SIZE);
	if (!o->path || !o->buf || !start_encoder(o)) {
		err_nomem(e);
		out_abort(o);
		return NULL;
	}
	o->file = output_open(path, 0, e);
	if (!o->file) {
		out_abort(o);
		return NULL;
	}
	return o;
}

uint64_t
out_offset(const struct out *o)
{
	return o->offset;
}

static int
flush_buffer(struct out *o, struct err *e)
{
	size_t n = o->n;

	o->n = 0;
	return output_write(o->file, o->buf, n, e);
}

static int
put_xz(struct out *o, const void *p, size_t n, bool last, struct err *e)
{
	lzma_ret r = LZMA_OK;

	o->lzma.next_in = p;
	o->lzma.avail_in = n;
	while (o->lzma.avail_in || (last && r != LZMA_STREAM_END)) {
		o->lzma.next_out = o->buf;
		o->lzma.avail_out = BUF_SIZE;
		r = lzma_code(&o->lzma, last ? LZMA_FINISH : LZMA_RUN);
		if (r != LZMA_OK && r != LZMA_STREAM_END)
			return err_set(e, "cannot compress '%s'", o->path);
		o->n = BUF_SIZE - o->lzma.avail_out;
		if (flush_buffer(o, e))
			return -1;
	}
	return 0;
}

static int
put_gzip(struct out *o, const void *p, size_t n, bool last, struct err *e)
{
	int r = Z_OK;

	o->gzip.next_in = (Bytef *)(uintptr_t)p;
	o->gzip.avail_in = (uInt)n;
	while (o->gzip.avail_in || (last && r != Z_STREAM_END)) {
		o->gzip.next_out = o->buf;
		o->gzip.avail_out = BUF_SIZE;
		r = deflate(&o->gzip, last ? Z_FINISH : Z_NO_FLUSH);
		if (r == Z_STREAM_ERROR)
			return err_set(e, "cannot compress '%s'", o->path);
		o->n = BUF_SIZE - o->gzip.avail_out;
		if (flush_buffer(o, e))
			return -1;
	}
	return 0;
}

static int
put_zstd(struct out *o, const void *p, size_t n, bool last, struct err *e)
{
	ZSTD_inBuffer in = {p, n, 0};
	size_t left = 1;

	while (in.pos < in.size || (last && left)) {
		ZSTD_outBuffer to = {o->buf, BUF_SIZE, 0};

		left = ZSTD_compressStream2(o->zstd, &to, &in, last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return err_set(e, "cannot compress '%s'", o->path);
		o->n = to.pos;
		if (flush_buffer(o, e))
			return -1;
	}
	return 0;
}

static int
put_bytes(struct out *o, const void *p, size_t n, bool last, struct err *e)
{
	switch (o->format) {
	case XZ:
		return put_xz(o, p, n, last, e);
	case GZIP:
		return put_gzip(o, p, n, last, e);
	case ZSTD:
		return put_zstd(o, p, n, last, e);
	case PLAIN:
		break;
	}
	while (n) {
		size_t take = MIN(n, BUF_SIZE - o->n);

		memcpy(o->buf + o->n, p, take);
		o->n += take;
		p = (const char *)p + take;
		n -= take;
		if (o->n == BUF_SIZE && flush_buffer(o, e))
			return -1;
	}
	return last ? flush_buffer(o, e) : 0;
}

int
out_write(struct out *o, const void *p, size_t n, struct err *e)
{
	while (n) { /* zlib counts in 32 bits */
		size_t take = MIN(n, (size_t)1 << 30);

		if (put_bytes(o, p, take, false, e))
			return -1;
		o->offset += take;
		p = (const char *)p + take;
		n -= take;
	}
	return 0;
}

int
out_cut(struct out *o, uint64_t n, struct err *e)
{
	if (flush_buffer(o, e) || output_cut(o->file, n, e))
		return -1;
	o->offset = n;
	return 0;
}

int
out_commit(struct out *o, struct err *e)
{
	int r = put_bytes(o, "", 0, true, e);

	if (r == 0) {
		r = output_close(o->file, e);
		o->file = NULL;
	}
	out_abort(o);
	return r;
}
