/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sequence.h - policies that are files: the limits of every kernel over time, as the command oracle
 * writes them.
 *
 *     # ctascope sequence - what it is for
 *     kernel 1
 *     0 6
 *     8192 2
 *     kernel 3
 *     0 4
 *
 * A line has a cycle since the launch of the kernel (the first one is 0, the others increase) and
 * the limit n of all cores from then on. Kernels are counted as they are launched, from 1. A kernel
 * that the file does not have runs without a limit. Empty lines and those that begin with # do not
 * count.
 */
#ifndef CTA_SEQUENCE_H
#define CTA_SEQUENCE_H

#include "base/strbuf.h"
#include "ctascope/cta_sched.h"
#include "ctascope/err.h"

#define SEQUENCE_HEAD "# ctascope sequence" /* the file begins with it */

struct sequence_step {
	uint32_t kernel, n;
	cycle_t at;
};

struct sequence {
	struct cta_sched_ops ops; /* the policy; its hooks find the sequence around it */
	char name[32], help[200];
	struct sequence_step *step; /* by kernel and cycle */
	unsigned n_steps, room;
};

/* A policy of that name without steps; NULL: out of memory. */
struct sequence *sequence_new(const char *name, const char *help);
/* Reads the text of a file, after its name in `what`; -1 with e. */
int sequence_parse(struct sequence *q, const char *text, const char *what, struct err *e);
void sequence_write(const struct sequence *q, struct strbuf *out);
void sequence_free(struct sequence *q); /* may be NULL */

/* The sequence of a policy; NULL: it is another one. */
struct sequence *sequence_of(const struct cta_sched_ops *o);
/* Sets the limit of a kernel from a cycle on, and drops its later steps; n 0: only drops them. -1:
 * out of memory. */
int sequence_set(struct sequence *q, uint32_t kernel, cycle_t at, uint32_t n);
/* Copies the steps. -1: out of memory. */
int sequence_copy(struct sequence *to, const struct sequence *from);

#endif
