/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ctr.h - the format of the native trace file. All numbers are little-endian; "varint" is defined
 * in codec.h; "text" is a varint length and that many bytes.
 *
 *     head    32 bytes: magic, u32 version, u32 feature flags, u64 0, u64 hash of these 24 bytes
 *     blocks  successive zstd frames, each of a few encoded CTAs of one kernel (codec.c)
 *     tables  one zstd frame: commands, kernels, static instructions, index of blocks and CTAs
 *     foot    56 bytes: u64 offset, u64 bytes and u64 unpacked bytes of the tables, u64 hash of the
 *             packed tables, u64 file size, u64 hash of head and the 40 bytes of foot before, magic
 *
 *     tables  = varint commands; { varint kind; but of kernels: varint address, varint bytes }
 *               varint kernels; { kernel }
 *     kernel  = text file name ("" for the usual one), text header, text name, varint id,
 *               grid x y z, block x y z, shmem, regs, binary version, shmem base, local base,
 *               stream, tracer version, line info, style; warp instructions, thread instructions;
 *               varint classes, { varint count }; u64 hash of the CTAs;
 *               varint files, { text }; varint rows, { row }; varint CTAs;
 *               varint blocks, { varint CTAs, varint packed bytes, u64 hash of the packed bytes };
 *               varint length of each encoded CTA
 *     row     = zigzag pc minus pc of the row before, line, file, class, space, flags, width,
 *               n_dst, dst.., n_src, src.., mem width, imm kind, zigzag imm, text opcode
 *
 * Address and bytes of a command other than a copy are event (or kind of stream) and stream, 0
 * where it has none. The k-th command TRACE_KERNEL runs the k-th kernel. Blocks are in the order of
 * the index, without gaps, so offsets are sums. The hash of the tables covers the hashes of all
 * blocks, and so is a checksum of the whole file that can be compared without reading the blocks.
 * An unknown version or feature flag is an error.
 */
#ifndef TRACE_CTR_H
#define TRACE_CTR_H

#include "trace/trace_obj.h"

#define CTR_VERSION 1u
#define CTR_HEAD 32
#define CTR_FOOT 56
#define CTR_FOOT_MAGIC "CTR-END\n"
#define CTR_HASH_SEED 4
#define CTR_MAX_TABLES (512ull << 20) /* unpacked */
#define CTR_BLOCK (64u << 10)	      /* a block is closed when it holds this much, unpacked */
#define CTR_MAX_BLOCK (3ull << 29)    /* unpacked; one CTA of the largest size fits */
#define CTR_ZSTD_LEVEL 9

/* Where the encoded CTAs of a kernel are in the file. */
struct ctr_block {
	uint64_t first;	     /* CTA */
	uint64_t at, packed; /* in the file */
	uint64_t hash;
};

struct ctr_blocks {
	uint64_t n;
	struct ctr_block block[]; /* n + 1: the last one ends the list */
};

static inline void
put_le(uint8_t *p, uint64_t v, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static inline uint64_t
get_le(const uint8_t *p, int bytes)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < bytes; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

/* ---- writing: ctr_write.c ---- */

struct out;
struct ctr_writer;

struct ctr_writer *ctr_create(const char *path, struct err *e);
/* Appends an encoded CTA to the kernel; k->off and k->content are kept by kern_append_cta. */
int ctr_put(struct ctr_writer *w, struct kern *k, const void *p, size_t n, struct err *e);
int ctr_end_kernel(struct ctr_writer *w, struct kern *k, struct err *e);
int ctr_drop_kernel(struct ctr_writer *w, const struct kern *k, struct err *e); /* the open one */
/* Writes the tables of all kernels and commands, and completes the file; frees w. */
int ctr_commit(struct ctr_writer *w, const struct trace *t, struct err *e);
void ctr_abort(struct ctr_writer *w);

#endif
