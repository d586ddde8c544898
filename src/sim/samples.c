/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * samples.c - rows in blocks that are shared until a holder would overwrite what another may still
 * read.
 *
 * A block knows how many rows have been added to it by any holder. Whoever holds it may add a row
 * after these in place, because no other holder reads there. A run therefore continues to add rows
 * while its checkpoints hold the same blocks.
 */
#include "sim/samples.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_ROWS 32

struct samples_block {
	uint32_t refs, rows;
	uint64_t row[];
};

int
samples_init(struct samples *s, size_t row_bytes, unsigned rows)
{
	s->row_bytes = row_bytes;
	s->n_blocks = (rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
	s->block = calloc(s->n_blocks, sizeof(struct samples_block *));
	return s->block ? 0 : -1;
}

static void
block_free(struct samples_block *b)
{
	if (b && !--b->refs)
		free(b);
}

void
samples_free(struct samples *s)
{
	for (unsigned i = 0; s->block && i < s->n_blocks; i++)
		block_free(s->block[i]);
	free(s->block);
	s->block = NULL;
}

static void *
row_of(const struct samples *s, struct samples_block *b, unsigned row)
{
	return (char *)b->row + row % BLOCK_ROWS * s->row_bytes;
}

void *
samples_at(const struct samples *s, unsigned row)
{
	return row_of(s, s->block[row / BLOCK_ROWS], row);
}

void *
samples_add(struct samples *s, unsigned row)
{
	struct samples_block **at = &s->block[row / BLOCK_ROWS], *b = *at;
	uint32_t keep = row % BLOCK_ROWS;

	if (!b || (b->refs > 1 && keep < b->rows)) {
		struct samples_block *own = malloc(sizeof(*own) + BLOCK_ROWS * s->row_bytes);

		if (!own)
			return NULL;
		own->refs = 1;
		if (keep)
			memcpy(own->row, b->row, keep * s->row_bytes);
		block_free(b);
		*at = b = own;
	}
	b->rows = keep + 1;
	return row_of(s, b, row);
}

void
samples_share(struct samples *to, const struct samples *from, unsigned rows)
{
	for (unsigned i = 0; i < to->n_blocks; i++) {
		struct samples_block *b = i * BLOCK_ROWS < rows ? from->block[i] : NULL;

		if (b)
			b->refs++;
		block_free(to->block[i]);
		to->block[i] = b;
	}
}
