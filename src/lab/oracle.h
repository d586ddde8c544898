/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oracle.h - the limits of CTAs with which the workload ends earliest, searched by running it again
 * and again: the same n for all kernels, the best n of each kernel, and a sequence of n within the
 * kernels. The best of them is a sequence (cta/sequence.h), a policy that can be run.
 *
 * The sequence is searched from branch to branch, beginning with the best n of each kernel: where
 * an interval begins, each n runs as two branches to the end of the kernel, for this interval and
 * from here on, with the limits found so far elsewhere. A branch that ends the kernel earlier is
 * kept. That is no proof: another sequence may be better, so the result is a lower bound of the
 * best speedup.
 */
#ifndef LAB_ORACLE_H
#define LAB_ORACLE_H

#include "lab/machine_copy.h"

struct oracle_kernel {
	uint32_t n_max, n;     /* N, and the n with which it is shortest */
	cycle_t at_most, best; /* its cycles with both */
};

struct oracle {
	cycle_t at_most, same, kernels, sequence; /* cycles of the whole run */
	uint32_t same_n;
	cycle_t every; /* cycles of an interval */
	struct oracle_kernel *kernel;
	unsigned n_kernels, n_steps; /* n_steps: of the sequence that was written */
	const char *best;	     /* which of them was written, in words */
};

/* Searches under intervals of `every` cycles, 0: as many as make 16 in the run, under the machine's
 * settings but its policy, and writes the best sequence to a file. 0; 1: interrupted; -1 with e.
 * The caller frees o->kernel in all cases. */
int oracle_search(const struct machine *m, cycle_t every, const char *path, struct oracle *o,
		  const struct lab_progress *p, struct err *e);

#endif
