/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fatbin.c - finds the PTX in a fat binary, the container into which nvcc and clang put device
 * code.
 *
 * A header (magic 0xBA55ED50) is followed by entries, each with PTX or machine code for one
 * architecture. A program may also pass the wrapper that points to the header. Of the entries with
 * PTX, the one for the newest architecture that the machine supports is chosen, otherwise the
 * oldest. Compressed entries use LZ4 (flag 0x2000) or Zstandard (0x8000). The format is not
 * documented; this follows what `cuobjdump` shows. Machine code cannot be run, but its register
 * counts are used (cubin.c) and chosen in the same way.
 *
 * For a program linked with -rdc=true, the wrapper (version 2) also names the fat binaries of its
 * objects, each with PTX that refers to functions and variables of the others. Their texts are
 * concatenated without the directives at the beginning of each.
 *
 * The size of a fat binary is known only from its header. One inside a program or a shared object
 * ends at the latest with its segment, whatever the header states.
 */
#include "record/cuda/driver.h"

#include "base/strbuf.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define LINKED 2 /* version of a wrapper */
#define WRAPPER_MAGIC 0x466243b1u
#define HEADER_MAGIC 0xba55ed50u
#define FLAG_LZ4 0x2000u
#define FLAG_ZSTD 0x8000u
#define TEXT_MAX (256u << 20)
#define PTX 1 /* kinds of an entry */
#define CUBIN 2

struct wrapper {
	uint32_t magic, version;
	const void *data;
	const void *more;
};

struct header {
	uint32_t magic;
	uint16_t version, bytes;
	uint64_t size; /* of the entries */
};

struct entry {
	uint16_t kind; /* PTX, CUBIN */
	uint16_t unknown;
	uint32_t bytes; /* of this header */
	uint64_t size;	/* of what follows it */
	uint32_t packed, unknown2;
	uint16_t minor, major;
	uint32_t arch;
	uint32_t name_at, name_bytes;
	uint64_t flags, zero, unpacked;
};

static uint32_t
read_magic(const void *p)
{
	uint32_t magic;

	memcpy(&magic, p, sizeof(magic));
	return magic;
}

bool
image_is_fatbin(const void *image)
{
	return read_magic(image) == WRAPPER_MAGIC || read_magic(image) == HEADER_MAGIC;
}

/* Unpacks an LZ4 block: literals, and copies of earlier output, until `to` is full. */
static bool
lz4_unpack(const uint8_t *from, size_t n, uint8_t *to, size_t room)
{
	const uint8_t *end = from + n;
	size_t at = 0;

	while (from < end) {
		unsigned token = *from++;
		size_t literals = token >> 4, copy = token & 15, back;

		if (literals == 15)
			do {
				if (from >= end)
					return false;
				literals += *from;
			} while (*from++ == 255);
		if (literals > (size_t)(end - from) || literals > room - at)
			return false;
		memcpy(to + at, from, literals);
		from += literals;
		at += literals;
		if (from >= end || at == room)
			break;
		if (end - from < 2)
			return false;
		back = from[0] | (size_t)from[1] << 8;
		from += 2;
		if (copy == 15)
			do {
				if (from >= end)
					return false;
				copy += *from;
			} while (*from++ == 255);
		copy += 4;
		if (!back || back > at || copy > room - at)
			return false;
		for (; copy; copy--, at++)
			to[at] = to[at - back];
	}
	return at == room;
}

static char *
unpack_entry(const struct entry *t, const uint8_t *data, size_t *n, struct err *e)
{
	bool packed = t->flags & (FLAG_LZ4 | FLAG_ZSTD);
	size_t bytes = packed ? t->unpacked : t->size;
	char *text;
	bool good = true;

	if (bytes > TEXT_MAX || (packed && t->packed > t->size)) {
		err_set(e, "fat binary: damaged entry");
		return NULL;
	}
	text = malloc(bytes + 1);
	if (!text) {
		err_nomem(e);
		return NULL;
	}
	if (t->flags & FLAG_LZ4)
		good = lz4_unpack(data, t->packed, (uint8_t *)text, bytes);
	else if (t->flags & FLAG_ZSTD)
		good = ZSTD_decompress(text, bytes, data, t->packed) == bytes;
	else
		memcpy(text, data, bytes);
	if (!good) {
		free(text);
		err_set(e, "fat binary: its compressed data cannot be unpacked");
		return NULL;
	}
	text[bytes] = '\0';
	*n = bytes;
	return text;
}

/* Is an entry for arch better than one for had? */
static bool
is_better(uint32_t arch, uint32_t had, unsigned cc)
{
	if ((arch <= cc) != (had <= cc))
		return arch <= cc;
	return arch <= cc ? arch > had : arch < had;
}

struct room {
	uintptr_t at;
	size_t bytes;
};

static int
find_room(struct dl_phdr_info *o, size_t size ATTR_UNUSED, void *found)
{
	struct room *r = found;

	for (unsigned i = 0; i < o->dlpi_phnum; i++) {
		uintptr_t begin = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;

		if (o->dlpi_phdr[i].p_type == PT_LOAD && r->at >= begin &&
		    r->at - begin < o->dlpi_phdr[i].p_memsz) {
			r->bytes = o->dlpi_phdr[i].p_memsz - (r->at - begin);
			return 1;
		}
	}
	return 0;
}

/* Returns the bytes from p to the end of its segment; SIZE_MAX: p is not in a loaded file. */
static size_t
find_room_at(const void *p)
{
	struct room r = {(uintptr_t)p, SIZE_MAX};

	dl_iterate_phdr(find_room, &r);
	return p ? r.bytes : 0;
}

/* Unpacks the best entry of a kind, and adds a '\0'. NULL with e; its message for a missing entry
 * is that for PTX. */
static char *
unpack_best_entry(const void *image, size_t room, uint16_t kind, unsigned cc, size_t *n,
		  struct err *e)
{
	struct wrapper w = {.data = image};
	struct header h;
	struct entry best = {0}, t;
	const uint8_t *p, *data = NULL;
	uint64_t left;

	if (read_magic(image) == WRAPPER_MAGIC && room == SIZE_MAX)
		memcpy(&w, image, sizeof(w));
	if (room == SIZE_MAX)
		room = find_room_at(w.data);
	memset(&h, 0, sizeof(h));
	if (room >= sizeof(h))
		memcpy(&h, w.data, sizeof(h));
	if (h.magic != HEADER_MAGIC || h.bytes < sizeof(h) || h.bytes > room) {
		err_set(e, "fat binary: unknown header");
		return NULL;
	}
	p = (const uint8_t *)w.data + h.bytes;
	for (left = MIN(h.size, room - h.bytes); left >= sizeof(t);
	     left -= t.bytes + t.size, p += t.bytes + t.size) {
		memcpy(&t, p, sizeof(t));
		if (t.bytes < sizeof(t) || t.bytes > left || t.size > left - t.bytes) {
			err_set(e, "fat binary: damaged entry");
			return NULL;
		}
		if (t.kind == kind && (!data || is_better(t.arch, best.arch, cc))) {
			best = t;
			data = p + t.bytes;
		}
	}
	if (data)
		return unpack_entry(&best, data, n, e);
	err_set(e, "fat binary without PTX: ctascope cannot run machine code; compile with PTX "
		   "(nvcc -gencode arch=compute_75,code=compute_75)");
	return NULL;
}

static char *
unpack_ptx(const void *image, size_t room, size_t *n, unsigned cc, struct err *e)
{
	char *text = unpack_best_entry(image, room, PTX, cc, n, e);

	if (text)
		*n = strlen(text); /* padded with zeros */
	return text;
}

static char *
link_ptx(const void *const *part, size_t *n, unsigned cc, struct err *e)
{
	size_t most = find_room_at(part) / sizeof(*part), more;
	struct strbuf all = {0};

	for (size_t i = 0; i < most && part[i]; i++) {
		char *text = unpack_ptx(part[i], SIZE_MAX, &more, cc, e);

		if (text)
			link_add(&all, text, (unsigned)i);
		free(text);
		if (!text || all.n >= TEXT_MAX) {
			if (text)
				err_set(e, "fat binary: more than %u MiB of PTX", TEXT_MAX >> 20);
			sb_free(&all);
			return NULL;
		}
	}
	if (all.failed || !all.n)
		err_of(e, all.failed ? ERR_MEMORY : ERR_OTHER, "fat binary: %s",
		       all.failed ? "out of memory" : "linked from no objects");
	*n = all.n;
	return sb_take(&all);
}

char *
fatbin_ptx(const void *image, size_t room, size_t *n, unsigned cc, struct err *e)
{
	struct wrapper w = {0};

	if (read_magic(image) == WRAPPER_MAGIC && room == SIZE_MAX)
		memcpy(&w, image, sizeof(w));
	if (w.version == LINKED && w.more)
		return link_ptx(w.more, n, cc, e);
	return unpack_ptx(image, room, n, cc, e);
}

void *
fatbin_cubin(const void *image, size_t room, size_t *n, unsigned cc)
{
	struct err e = {0};

	return unpack_best_entry(image, room, CUBIN, cc, n, &e);
}
