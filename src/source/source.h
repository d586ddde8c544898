/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * source.h - the source lines of a kernel, and the time spent on each.
 *
 * A trace names a source file and line for each instruction; a recorded trace refers to the CUDA or
 * PTX source. The file is searched under the name in the trace, then by its last component next to
 * the trace, in the folder src there, and among the sources of the shipped workloads.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "ctascope/sim.h"

struct source {
	unsigned n;	   /* lines */
	const char **line; /* [n], without line ends; tabs expanded to multiples of 8 */
};

/* Reads file number `file` of a kernel (as in inst.file); NULL: it cannot be read. The caller
 * frees it. */
struct source *source_read(const struct sim *s, const struct trace_kernel *k, uint32_t file);
void source_free(struct source *f); /* f may be NULL */

const char *source_file(const struct trace_kernel *k, uint32_t file); /* its name, "" if unknown */
uint32_t source_find(const struct trace_kernel *k,
		     const char *name); /* by its last component; 0: none */
/* Do all lines of the kernel come from PTX? Then the program was compiled without -lineinfo. */
bool source_is_ptx(const struct trace_kernel *k);
#define SOURCE_NEEDS_LINEINFO "; compile with -lineinfo to have lines of the source"
/* "km.cu:34", or "" for an instruction without a line. */
void source_place(const struct trace_kernel *k, const struct inst *i, char *buf, size_t size);

/* The number of warps of cores from..to-1 at each instruction of kernel k: [n_inst]. */
uint32_t *source_warps(const struct sim *s, const struct trace_kernel *k, unsigned from,
		       unsigned to);

/* ---------------------------------------------------------------- time by line (lines.c) */

/* A profile (ctascope/sim.h) summed by line. Instructions without a line are separate entries.
 * */
struct line_stat {
	uint32_t file, line; /* as in struct inst; line 0: an instruction without a line */
	uint32_t inst;	     /* its first instruction, an index into the kernel's instructions */
	uint32_t n_inst;     /* instructions of the line */
	uint32_t warps;	     /* present there now */
	uint64_t issued;     /* warp instructions */
	uint64_t l1_accesses, l1_misses; /* L1 lines that its loads looked up */
	double lanes; /* mean active lanes of the issued instructions; NaN: none */
	uint64_t all; /* warps there times cycles: the sum of the two below */
	uint64_t waits[WARP_STATUSES], paused;
};

/* The lines of a kernel of the trace in source order: [*n]; the caller frees them. warps counts
 * those of cores from..to-1. NULL with e: no profile is on, or out of memory. */
struct line_stat *lines_read(struct sim *s, uint32_t kernel, unsigned from, unsigned to,
			     unsigned *n, struct err *e);

/* The most frequent wait of the warps there as a word ("memory"); "" if unknown. share: its
 * share of the cycles there. */
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
