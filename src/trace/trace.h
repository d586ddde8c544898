/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h - facade of src/trace: traces as files (convert, check, show) and the recording of new
 * ones. The in-memory form that the timing model runs is ctascope/trace.h; small traces made by C
 * calls or from a string are in trace_build.h.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "ctascope/trace.h"
#include <stdio.h>

/* The budget in bytes: unpinned CTAs stay decoded while all decoded CTAs fit into it (default 16
 * MiB; a run uses run.trace_cache). */
void trace_set_cache(struct trace *t, uint64_t bytes);
/* A CTA with more decoded bytes is an error (default and maximum 1 GiB). */
void trace_set_cta_limit(struct trace *t, uint64_t bytes);

/* ---- files ---- */

/* Is told how far the reading of a text is, which can take minutes: what ("reading", "sorting") is
 * done with the file name, and how much of it, in bytes or CTAs. ctx is the caller's. */
struct trace_watch {
	void (*on_progress)(void *ctx, const char *what, const char *name, uint64_t done,
			    uint64_t all);
	void *ctx;
};

/* trace_open with a watch, which is borrowed for the call; NULL: none. */
struct trace *trace_open_watched(const char *path, const struct trace_watch *w, struct err *e);
/* -1 with e: trace_write() to out would replace a file that is no trace. */
int trace_write_check(struct trace *t, const char *out, struct err *e);
/* Writes the trace to out. */
int trace_write(struct trace *t, const char *out, struct err *e);
/* Reads the trace in and writes it to out. The name of out selects the format: .ctr; .traceg,
 * .traceg.xz, .gz, .zst (one kernel, no copies); a directory or a kernelslist.g in one. No file is
 * left incomplete. */
int trace_convert(const char *in, const char *out, struct err *e);
/* Checks what trace_open checks, decodes every CTA and compares every checksum; prints one line per
 * kernel. */
int trace_check(const char *path, FILE *to, struct err *e);
/* Checks what trace_open checks and compares the checksums of the rest of the file. It decodes no
 * CTA, and so takes as long as reading the file. */
int trace_check_sums(const char *path, struct err *e);
void trace_print_info(const struct trace *t, FILE *to);

struct trace_range {
	uint32_t kernel, n_kernels; /* the first one; n_kernels 0: it and all after it */
	uint64_t cta, n_ctas;	    /* of each kernel, in trace order; n_ctas 0: as above */
	int warp;		    /* -1: all */
};
/* Prints one line per record, with the addresses of all lanes. range NULL: everything. */
int trace_dump(struct trace *t, const struct trace_range *range, FILE *to, struct err *e);

/* ---- recording ---- */

struct trace_kernel_desc {
	const char *name;
	uint32_t id;		    /* 0: the kernel's position in the trace, from 1 */
	uint32_t grid[3], block[3]; /* a 0 counts as 1 */
	uint32_t shmem, regs;
	uint32_t binary_version; /* selects the valid opcodes; 0: 70 */
	uint64_t shmem_base, local_base, stream;
};

struct trace_inst_desc {
	uint32_t pc;
	const char *opcode; /* with suffixes; the width of an access is read from them */
	uint8_t n_dst, n_src;
	uint8_t dst[INST_MAX_DST], src[INST_MAX_SRC];
	int64_t imm;
	uint32_t file, line; /* file from trace_writer_file; 0: unknown */
};

/* Streams CTAs into a .ctr; with path NULL into memory. The calls nest:
 *
 *     kernel { file, inst, cta { record } end_cta } end_kernel
 *
 * Each returns 0, or -1 with e filled; after a failure only trace_writer_abort is allowed. */
struct trace_writer *trace_writer_new(const char *path, struct err *e);
/* Sets how many bytes a decoded CTA may have: 16 GiB without it, and at most. */
#define TRACE_MOST_CTA_MIB (16u << 10)
void trace_writer_set_cta_limit(struct trace_writer *w, uint64_t bytes);
/* The size of the largest decoded CTA of the last kernel. */
uint64_t trace_writer_largest_cta(const struct trace_writer *w);
/* Sets how many bytes of a long CTA are kept in memory until it ends (0: 16 MiB): so many as
 * records, and so many encoded. The rest is in a file without a name in folder, which must stay
 * valid (NULL: /var/tmp or /tmp). */
void trace_writer_set_spill(struct trace_writer *w, const char *folder, uint64_t bytes);
int trace_writer_copy(struct trace_writer *w, uint64_t addr, uint64_t bytes, struct err *e);
/* The number of a stream for trace_kernel_desc; key is the caller's name for it. */
int trace_writer_stream(struct trace_writer *w, uint64_t key, enum trace_stream_kind kind,
			uint64_t *number, struct err *e);
/* Adds a command of order, which has a stream, a number of a record of an event, both or none.
 * TRACE_EVENT_RECORD sets *event; others without an event have NULL. */
int trace_writer_order(struct trace_writer *w, enum trace_cmd_kind what, uint64_t key,
		       enum trace_stream_kind kind, uint64_t *event, struct err *e);
int trace_writer_kernel(struct trace_writer *w, const struct trace_kernel_desc *d, struct err *e);
int trace_writer_file(struct trace_writer *w, const char *name, uint32_t *file, struct err *e);
int trace_writer_inst(struct trace_writer *w, const struct trace_inst_desc *d, uint32_t *inst,
		      struct err *e);
int trace_writer_cta(struct trace_writer *w, const uint32_t xyz[3], struct err *e);
/* lane: 32 addresses, of which only those of active lanes are read; NULL for an instruction without
 * memory. */
int trace_writer_record(struct trace_writer *w, uint32_t warp, uint32_t inst, uint32_t mask,
			const uint64_t *lane, struct err *e);
/* The same for n successive instructions without memory. */
int trace_writer_plain(struct trace_writer *w, uint32_t warp, const uint32_t *inst, uint32_t n,
		       uint32_t mask, struct err *e);
int trace_writer_stride(struct trace_writer *w, uint32_t warp, uint32_t inst, uint32_t mask,
			uint64_t base, int64_t stride, struct err *e);
int trace_writer_end_cta(struct trace_writer *w, struct err *e);
int trace_writer_end_kernel(struct trace_writer *w, struct err *e); /* requires all CTAs */
/* Removes the open kernel, if any, from the trace. Those before it stay, and others may follow. */
int trace_writer_drop_kernel(struct trace_writer *w, struct err *e);
/* Several threads can collect the CTAs of a kernel. trace_writer_beside makes a writer for one
 * thread, which makes the calls from cta to end_cta there, one CTA at a time, while w's kernel is
 * open and gets no instruction. trace_writer_pack takes the CTA that this writer ended last;
 * trace_writer_put adds it to w, in the order of the CTAs, and frees the pack, also on failure.
 * They return NULL or -1 with e filled. trace_writer_abort must free a writer beside before the
 * kernel ends. */
struct trace_pack;
struct trace_writer *trace_writer_beside(const struct trace_writer *w, struct err *e);
struct trace_pack *trace_writer_pack(struct trace_writer *beside, struct err *e);
int trace_writer_put(struct trace_writer *w, struct trace_pack *p, struct err *e);
void trace_pack_free(struct trace_pack *p); /* NULL is fine */
/* Completes the file and moves it to its path; frees w, also on failure. */
int trace_writer_commit(struct trace_writer *w, struct err *e);
/* The same for path NULL; the caller owns the trace. */
struct trace *trace_writer_trace(struct trace_writer *w, struct err *e);
void trace_writer_abort(struct trace_writer *w); /* leaves nothing; NULL is fine */

#endif
