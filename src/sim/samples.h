/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples.h - private to src/sim: rows of the time series, in blocks that checkpoints share.
 *
 * Rows are of one size and only ever added behind the others. A block belongs to all that hold it;
 * who adds a row where another row has been gets a block of its own first.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "ctascope/base.h"

struct samples_block;

struct samples {
	size_t row_bytes; /* a multiple of 8 */
	unsigned n_blocks;
	struct samples_block **block; /* NULL: not used yet */
};

int samples_init(struct samples *s, size_t row_bytes, unsigned rows); /* -1: out of memory */
void samples_free(struct samples *s);
void *samples_at(const struct samples *s, unsigned row); /* one that was added */
/* Row number `row`, behind those before it; those after it are given up. NULL: out of memory. */
void *samples_add(struct samples *s, unsigned row);
/* `to`, of the same shape, holds the first rows of `from` instead of what it held. */
void samples_share(struct samples *to, const struct samples *from, unsigned rows);

#endif
