/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traceg_read.h - the state of reading one .traceg, shared by traceg.c, traceg_rec.c and
 * traceg_sort.c. */
#ifndef TRACE_TRACEG_READ_H
#define TRACE_TRACEG_READ_H

#include "trace/traceg.h"

#define OP_CACHE 64
#define PREFIX_WARP 4	  /* block x, y, z and warp */
#define PREFIX_CLUSTER 11 /* the same, cluster x, y, z, block of the cluster x, y, z, rank */

struct op_cache {
	char op[TRACE_MAX_OPCODE];
	uint32_t len;
	uint8_t cls, space, flags;
};

struct reader {
	struct in *in;
	struct kern *k;
	struct codec *codec;
	struct ctabuf *b;
	struct strbuf out;
	struct err *e;
	const char *line;
	enum isa isa;
	uint32_t version;      /* of the tracer, before kern.tracer_version becomes what is kept */
	uint32_t prefix;       /* numbers before a record: block, warp and, in version 6, cluster */
	struct sorter *sorter; /* NULL: the records are in the order of the blocks and warps */
	bool styled;	       /* STYLE_BLANK_END was taken from the first record */
	bool list_styled;      /* STYLE_LIST_16 was taken from the first list */
	bool in_tb, has_id;
	int warp;			   /* of the last "warp =", -1 before */
	int64_t declared[TRACE_MAX_WARPS]; /* of "insts =", -1 before */
	struct op_cache cache[OP_CACHE];
};

/* Reports an error at a place in the line. */
#define BAD(r, at, len, ...)                                                                     \
	err_at((r)->e, in_name((r)->in), in_number((r)->in), (r)->line, (int)((at) - (r)->line), \
	       (int)(len), __VA_ARGS__)

/* Reports "expected X, found 'Y'" at p. */
int traceg_expected(struct reader *r, const char *p, const char *what);

/* ---- traceg_sort.c ---- */

/* Reads the records of a .trace up to the end of the file and adds the blocks to the kernel. */
int traceg_sort(struct reader *r);
/* Moves the record that traceg_record has read from r->b to the others of its warp. */
int traceg_sort_record(struct reader *r);

/* Encodes the block in r->b and appends it to the kernel. */
int traceg_end_block(struct reader *r);

/* Reads one record: a line of n bytes, whose first nonblank character is at p. */
int traceg_record(struct reader *r, const char *p, size_t n);

#endif
