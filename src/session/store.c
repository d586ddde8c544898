/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.c - reads and writes a store, named byte strings in one file.
 *
 *     head    48 bytes: magic, u32 version, u32 0, u64 bytes unpacked, u64 bytes packed, u64 hash
 *             of the head before it and of what follows
 *     packed  one zstd frame of { name, 80 bytes; u64 bytes; the bytes; a NUL }
 *
 * All numbers are little-endian. The magic contains both kinds of line end, so that a copy that
 * converted them is recognized. While a frame is unpacked, its bytes are counted: the memory
 * depends on the content of the file, not on what its head claims.
 */
#include "session/store.h"

#include "base/hash.h"
#include "base/output.h"
#include "base/textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#define MAGIC "ctascope state\r\n"
#define MAGIC_SIZE 16
#define HEAD 48
#define HASHED 40 /* bytes of the head that are hashed */
#define FORMAT 1
#define ZSTD_LEVEL 3
#define MOST (UINT64_C(4) << 30)	/* most bytes unpacked */
#define MOST_PACKED (UINT64_C(1) << 30) /* most bytes of the file */
#define PIECE ((size_t)1 << 17)
#define PART_HEAD (STORE_NAME + 8)

static void
put_le(uint8_t *p, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static uint64_t
get_le(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << 8 * i;
	return v;
}

void
store_free(struct store *s)
{
	sb_free(&s->memory);
	s->n_parts = 0;
}

int
store_add(struct store *s, const char *name, const char *bytes, size_t n, struct err *e)
{
	struct store_part *p = &s->part[s->n_parts];

	if (s->n_parts == STORE_PARTS)
		return err_set(e, "a file has at most %d parts", STORE_PARTS);
	memset(p->name, 0, sizeof(p->name));
	snprintf(p->name, sizeof(p->name), "%s", name);
	p->bytes = bytes;
	p->n = n;
	s->n_parts++;
	return 0;
}

const struct store_part *
store_find(const struct store *s, const char *name)
{
	for (unsigned i = 0; i < s->n_parts; i++)
		if (strcmp(s->part[i].name, name) == 0)
			return &s->part[i];
	return NULL;
}

/* ---------------------------------------------------------------- writing */

static uint64_t
hash_of(const uint8_t *head, const void *packed, size_t n)
{
	struct hash h;

	hash_init(&h, 0);
	hash_add(&h, head, HASHED);
	hash_add(&h, packed, n);
	return hash_end(&h);
}

static void
write_parts(const struct store *s, struct strbuf *raw)
{
	for (unsigned i = 0; i < s->n_parts; i++) {
		uint8_t size[8];

		put_le(size, s->part[i].n, 8);
		sb_add(raw, s->part[i].name, STORE_NAME);
		sb_add(raw, size, 8);
		sb_add(raw, s->part[i].bytes, s->part[i].n);
		sb_char(raw, '\0');
	}
}

int
store_pack(const struct store *s, struct strbuf *out, struct err *e)
{
	struct strbuf raw = {0};
	uint8_t head[HEAD] = {0};
	size_t at = out->n, packed = 0;
	char *room;

	write_parts(s, &raw);
	sb_add(out, head, HEAD);
	room = raw.failed ? NULL : sb_reserve(out, ZSTD_compressBound(raw.n));
	if (room)
		packed = ZSTD_compress(room, ZSTD_compressBound(raw.n), raw.p, raw.n, ZSTD_LEVEL);
	if (!room || ZSTD_isError(packed)) {
		sb_free(&raw);
		return err_of(e, ERR_MEMORY, "out of memory for %zu bytes", raw.n);
	}
	memcpy(head, MAGIC, MAGIC_SIZE);
	put_le(head + 16, FORMAT, 4);
	put_le(head + 24, raw.n, 8);
	put_le(head + 32, packed, 8);
	put_le(head + HASHED, hash_of(head, room, packed), 8);
	out->n += packed;
	memcpy(out->p + at, head, HEAD);
	sb_free(&raw);
	return 0;
}

/* ---------------------------------------------------------------- reading */

static int
check_head(const uint8_t *head, size_t n, struct err *e)
{
	if (n < MAGIC_SIZE || memcmp(head, MAGIC, MAGIC_SIZE) != 0)
		return err_set(e, "this is not a saved session");
	if (n < HEAD)
		return err_set(e, "the file is damaged: it is cut off");
	if (get_le(head + 16, 4) != FORMAT)
		return err_set(e,
			       "it has the format %u, which is newer than this program: "
			       "expected %d",
			       (unsigned)get_le(head + 16, 4), FORMAT);
	if (n - HEAD > get_le(head + 32, 8))
		return err_set(e, "the file is damaged: it is longer than its header says");
	if (n - HEAD < get_le(head + 32, 8))
		return err_set(e, "the file is damaged: it is cut off");
	if (get_le(head + HASHED, 8) != hash_of(head, head + HEAD, n - HEAD))
		return err_set(e, "the file is damaged: its checksum is wrong");
	if (get_le(head + 24, 8) > MOST)
		return err_set(e, "the file is damaged: it would unpack to more than %u GiB",
			       (unsigned)(MOST >> 30));
	return 0;
}

static int
unpack_frame(struct strbuf *raw, const uint8_t *packed, size_t n, uint64_t size, struct err *e)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer in = {packed, n, 0};
	size_t r = 1;
	bool memory = z;

	while (memory && raw->n <= size && r && !ZSTD_isError(r)) {
		ZSTD_outBuffer out = {sb_reserve(raw, PIECE), PIECE, 0};
		size_t before = in.pos;

		memory = out.dst;
		if (!memory)
			break;
		r = ZSTD_decompressStream(z, &out, &in);
		raw->n += out.pos;
		if (in.pos == before && !out.pos)
			break;
	}
	ZSTD_freeDStream(z);
	if (!memory)
		return err_of(e, ERR_MEMORY, "out of memory for %llu bytes",
			      (unsigned long long)size);
	if (r || in.pos != n || raw->n != size)
		return err_set(e, "the file is damaged: it cannot be unpacked");
	return 0;
}

static int
find_parts(struct store *s, struct err *e)
{
	const char *at = s->memory.p, *end = at + s->memory.n;

	while (at < end) {
		uint64_t n;

		if (end - at < PART_HEAD + 1 || !memchr(at, 0, STORE_NAME))
			return err_set(e, "the file is damaged: a part has no name");
		n = get_le((const uint8_t *)at + STORE_NAME, 8);
		if (n > (size_t)(end - at) - PART_HEAD - 1 || at[PART_HEAD + n])
			return err_set(e, "the file is damaged: its part '%s' has no end", at);
		if (store_add(s, at, at + PART_HEAD, n, e))
			return -1;
		at += PART_HEAD + n + 1;
	}
	return 0;
}

int
store_unpack(struct store *s, const void *bytes, size_t n, struct err *e)
{
	const uint8_t *head = bytes;

	*s = (struct store){0};
	if (check_head(head, n, e) == 0 &&
	    unpack_frame(&s->memory, head + HEAD, n - HEAD, get_le(head + 24, 8), e) == 0 &&
	    find_parts(s, e) == 0)
		return 0;
	store_free(s);
	return -1;
}

/* ---------------------------------------------------------------- files */

int
store_write(const struct store *s, const char *path, unsigned flags, struct err *e)
{
	struct strbuf bytes = {0};
	struct output *o = NULL;
	int rc = store_pack(s, &bytes, e);

	if (rc == 0 && !(o = output_open(path, flags, e)))
		rc = -1;
	if (rc == 0)
		rc = output_write(o, bytes.p, bytes.n, e);
	if (rc == 0)
		rc = output_close(o, e);
	else
		output_abort(o);
	sb_free(&bytes);
	return rc;
}

/* Whether the bytes read so far already show that the file is not a complete session, so that
 * reading an endless device stops. */
static bool
is_refused_already(const struct strbuf *bytes)
{
	const uint8_t *head = (const uint8_t *)bytes->p;

	return (bytes->n >= MAGIC_SIZE && memcmp(head, MAGIC, MAGIC_SIZE) != 0) ||
	       (bytes->n >= HEAD && bytes->n - HEAD > get_le(head + 32, 8));
}

int
store_read(struct store *s, const char *path, text_stop *stop, void *ctx, struct err *e)
{
	FILE *f = text_open(path, MOST_PACKED, stop, ctx);
	struct strbuf bytes = {0};
	struct err why = {0};
	char *room, buf[64];
	size_t n = 1;
	int rc;

	*s = (struct store){0};
	if (!f)
		return err_set(e, "cannot read '%s': %s", path, strerror(errno));
	while (n && (room = sb_reserve(&bytes, PIECE))) {
		n = fread(room, 1, PIECE, f);
		bytes.n += n;
		if (is_refused_already(&bytes))
			break;
	}
	if (ferror(f))
		rc = err_set(e, "cannot read '%s': %s", path, text_why(errno, MOST_PACKED, buf));
	else if (bytes.failed)
		rc = err_of(e, ERR_MEMORY, "out of memory for '%s'", path);
	else if ((rc = store_unpack(s, bytes.n ? bytes.p : "", bytes.n, &why)))
		rc = err_of(e, why.kind, "%s: %s", path, why.msg);
	fclose(f);
	sb_free(&bytes);
	return rc;
}

bool
store_would_destroy(const char *path)
{
	char head[MAGIC_SIZE];
	struct stat st;
	bool is_ours;
	FILE *f;

	/* nothing is lost in a pipe or a device */
	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size == 0)
		return false;
	f = text_open_regular(path, 0);
	is_ours = f && fread(head, 1, sizeof(head), f) == sizeof(head) &&
		  memcmp(head, MAGIC, sizeof(head)) == 0;
	if (f)
		fclose(f);
	return !is_ours;
}
