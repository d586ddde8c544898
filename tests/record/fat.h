/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fat.h - the fat binary that nvcc and clang put device code into, for tests that make one: a
 * header, then entries, each with its own header before the PTX or the machine code. Programs pass
 * a wrapper that points to it. src/record/cuda/fatbin.c describes the format; this file has
 * separate declarations, so that a mistake in one of the two is found.
 */
#ifndef TESTS_RECORD_FAT_H
#define TESTS_RECORD_FAT_H

#include <stdint.h>
#include <string.h>

#define FAT_PTX 1 /* kinds */
#define FAT_CUBIN 2
#define FAT_PLAIN 0x11 /* flags: 64 bits, Linux; compressed with LZ4, with Zstandard */
#define FAT_LZ4 0x2011
#define FAT_ZSTD 0x8011

struct fat_header {
	uint32_t magic;
	uint16_t version, bytes; /* of this header */
	uint64_t size;		 /* of the entries */
};

struct fat_entry {
	uint16_t kind, unknown;
	uint32_t bytes;	  /* of this header */
	uint64_t payload; /* bytes that follow it */
	uint32_t packed, unknown2;
	uint16_t minor, major;
	uint32_t arch, name_at, name_bytes;
	uint64_t flags, zero, unpacked;
};

struct fat_wrapper {
	uint32_t magic, version;
	const void *data;
	const void *more;
};

struct fat {
	struct fat_header head;
	uint8_t data[8192];
};

static inline struct fat_header
fat_header(uint64_t size)
{
	return (struct fat_header){0xba55ed50, 1, sizeof(struct fat_header), size};
}

static inline struct fat_entry
fat_entry(uint16_t kind, uint32_t arch, uint64_t flags, uint64_t bytes, uint64_t unpacked)
{
	return (struct fat_entry){.kind = kind,
				  .bytes = sizeof(struct fat_entry),
				  .payload = bytes,
				  .packed = (uint32_t)bytes,
				  .arch = arch,
				  .flags = flags,
				  .unpacked = unpacked};
}

static inline struct fat_wrapper
fat_wrapper(const struct fat *f)
{
	return (struct fat_wrapper){0x466243b1, 1, f, NULL};
}

/* Adds an entry; there must be room. Its header may be longer: nvcc's have up to 88 bytes. */
static inline void
fat_add(struct fat *f, struct fat_entry e, const void *p)
{
	if (!f->head.magic)
		f->head = fat_header(0);
	memcpy(f->data + f->head.size, &e, sizeof(e));
	memcpy(f->data + f->head.size + e.bytes, p, e.payload);
	f->head.size += e.bytes + e.payload;
}

#endif
