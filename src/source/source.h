/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.h - the source lines of a kernel, and where the time goes among them.
 *
 * A trace names a source file and line for each instruction, a recorded one those of the CUDA or
 * PTX text. The file is looked for under the name the trace has, or under its last part beside the
 * trace, in the folder src there, or among the sources of the shipped workloads.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "ctascope/sim.h"

struct source {
	unsigned n; /* lines */
	const char *
		*line; /* [n], without their ends, tabs as blanks up to the next multiple of 8 */
};

/* File number `file` of a kernel, as in inst.file, read whole; NULL: it cannot be read. The caller
 * frees it. */
struct source *source_read(const struct sim *s, const struct trace_kernel *k, uint32_t file);
void source_free(struct source *f); /* NULL is fine */

const char *source_file(const struct trace_kernel *k, uint32_t file); /* its name, "" for none */
uint32_t source_find(const struct trace_kernel *k,
		     const char *name); /* by its last part; 0: none */
/* "km.cu:34", "" for an instruction without a line. */
void source_place(const struct trace_kernel *k, const struct inst *i, char *buf, size_t size);

/* How many warps of cores from..to-1 stand at each instruction of kernel k: [n_inst]. */
uint32_t *source_warps(const struct sim *s, const struct trace_kernel *k, unsigned from,
		       unsigned to);

/* ---------------------------------------------------------------- time by line (lines.c) */

/* A profile (ctascope/sim.h) added up by line. Instructions without one stand each for themselves.
 */
struct line_stat {
	uint32_t file, line;		 /* as in struct inst; line 0: an instruction without one */
	uint32_t inst;			 /* its first instruction, index into the kernel's */
	uint32_t n_inst;		 /* instructions of the line */
	uint32_t warps;			 /* standing there now */
	uint64_t issued;		 /* warp instructions */
	uint64_t l1_accesses, l1_misses; /* lines its loads looked up */
	double lanes;			 /* mean active lanes of these; NaN: none */
	uint64_t all;			 /* warps there, times cycles: the sum of the two below */
	uint64_t waits[WARP_STATUSES], paused;
};

/* Of a kernel of the trace, in the order of the source: [*n], the caller frees. Warps of cores
 * from..to-1 count as standing there. NULL with e: no profile is on, or there is no memory for it.
 */
struct line_stat *lines_read(struct sim *s, uint32_t kernel, unsigned from, unsigned to,
			     unsigned *n, struct err *e);

/* What the warps there mostly waited for, in a word ("memory"); "" when nothing is known. share: of
 * the cycles there. */
const char *line_waits_for(const struct line_stat *l, double *share);

enum lines_order {
	LINES_SOURCE,
	LINES_CYCLES,
	LINES_ISSUED,
	LINES_LANES,
	LINES_MISSES,
	LINES_ORDERS
};
extern const char *const lines_order_names[LINES_ORDERS];
void lines_sort(struct line_stat *l, unsigned n, enum lines_order order);

#endif
