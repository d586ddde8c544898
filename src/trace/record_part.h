/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_part.h - private to record.c and record_beside.c: a trace being written. */
#ifndef TRACE_RECORD_PART_H
#define TRACE_RECORD_PART_H

#include "trace/codec.h"
#include "trace/ctr.h"
#include "trace/trace.h"

enum row_kind { ROW_UNKNOWN, ROW_PLAIN, ROW_MEMORY, ROW_GENERIC };

struct record_stream {
	uint64_t key; /* the caller's */
	enum trace_stream_kind kind;
	uint64_t number; /* in the trace */
};

struct record_order { /* record_order.c */
	struct record_stream *stream;
	uint32_t n, cap;
	uint64_t numbered, events;
};

struct trace_writer {
	struct trace *t;	 /* NULL: a writer beside another one, which owns k and kind */
	struct ctr_writer *file; /* NULL: in memory */
	struct kern *k;		 /* the open kernel */
	bool in_cta;
	uint64_t max_cta_bytes; /* decoded */
	const char *folder;	/* of what is spilled */
	uint64_t memory;	/* a CTA is spilled from so many bytes in memory on */
	uint64_t next_check;	/* size of the CTA at which check_size is called */
	enum isa isa;
	struct ctabuf b;
	struct codec codec;
	struct strbuf enc;	   /* the CTA that was ended last */
	struct kern_counts counts; /* of that CTA */
	uint64_t largest;	   /* bytes of the largest decoded CTA of the kernel */
	uint32_t cap_files;
	struct record_order order;
	uint8_t *kind; /* of each row of the open kernel, enum row_kind */
	uint32_t n_kind;
	uint32_t lanes[TRACE_MAX_WARPS]; /* mask of the threads of each warp */
};

/* Note the position of a CTA of the open kernel, and append the encoded CTA to the trace. bytes: of
 * the decoded one. */
int record_mark_cta(struct trace_writer *w, const uint32_t xyz[3], struct err *e);
int record_push_cta(struct trace_writer *w, const struct strbuf *enc, uint64_t bytes,
		    const struct kern_counts *n, struct err *e);

/* Completes the commands of a complete trace: record_order.c. */
int record_order_finish(struct trace_writer *w, struct err *e);

#endif
