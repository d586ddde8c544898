/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples.h - private to src/sim: rows of the time series, in blocks that checkpoints share.
 *
 * All rows have the same size and are only added at the end. A block belongs to all its holders; a
 * holder that adds a row where another row has been first gets its own copy of the block.
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
void *samples_at(const struct samples *s, unsigned row); /* a row that was added */
/* Adds row number `row` after those before it; later rows are dropped. NULL: out of memory. */
void *samples_add(struct samples *s, unsigned row);
/* Replaces the contents of `to`, which has the same shape, by the first rows of `from`. */
void samples_share(struct samples *to, const struct samples *from, unsigned rows);

#endif
