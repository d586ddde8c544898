/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * claim.c - keeps the owner of each word of global memory while CTAs run in parallel (claim.h).
 *
 * The owner of a word is 0 (no CTA); twice the number of the only CTA that has touched it, plus 1
 * if that CTA wrote it; or MANY, several CTAs that only read. A thread that finds its own number
 * continues, because no other thread changes it. All other changes are one compare-and-swap.
 */
#include "record/ptx/mem/claim.h"

#include <stdlib.h>
#include <string.h>

#define MANY (UINT32_MAX - 1)
#define WORD 4u

int
claims_new(struct claims *c, const struct ptx_device *d)
{
	*c = (struct claims){.device = d, .n_block = d->n_block};
	c->block = calloc(MAX(c->n_block, 1u), sizeof(*c->block));
	return c->block ? 0 : -1;
}

uint32_t
claims_written(const struct claims *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_block; i++)
		n += c->block[i].expect_write;
	return n;
}

static uint64_t
count_words(const struct mem_block *b)
{
	return (b->addr % WORD + b->bytes + WORD - 1) / WORD;
}

int
claims_begin(struct claims *c)
{
	c->stop = 0;
	for (uint32_t i = 0; i < c->n_block; i++) {
		struct claim_block *b = &c->block[i];
		uint64_t n = count_words(&c->device->block[i]);

		if (!b->expect_write)
			continue;
		b->owner = calloc(n, sizeof(*b->owner)); /* unused pages take no memory */
		b->old = calloc(n, sizeof(*b->old));
		if (!b->owner || !b->old)
			return -1;
	}
	return 0;
}

/* Returns the host address of word k, and sets *bytes to those of its bytes that belong to the
 * block. */
static uint8_t *
find_word(const struct claims *c, const struct mem_block *b, uint64_t k, uint32_t *bytes)
{
	uint64_t lead = b->addr % WORD, from = MAX(k * WORD, lead);

	*bytes = (uint32_t)(MIN((k + 1) * WORD, lead + b->bytes) - from);
	return devmem_host(c->device, b->addr - lead + from);
}

static void
restore_block(const struct claims *c, uint32_t i)
{
	const struct mem_block *b = &c->device->block[i];
	const struct claim_block *o = &c->block[i];
	uint64_t n = count_words(b);
	uint32_t bytes;

	for (uint64_t k = 0; k < n; k++)
		if (o->owner[k] & 1) {
			uint8_t *to = find_word(c, b, k, &bytes);

			memcpy(to, &o->old[k], bytes);
		}
}

void
claims_end(struct claims *c, bool back)
{
	for (uint32_t i = 0; i < c->n_block; i++) {
		struct claim_block *b = &c->block[i];

		if (back && b->owner && b->old)
			restore_block(c, i);
		free(b->owner);
		free(b->old);
		b->owner = b->old = NULL;
	}
}

void
claims_free(struct claims *c)
{
	free(c->block);
	c->block = NULL;
}

/* ---- claims ---- */

static int
refuse_claim(struct claims *c)
{
	claims_stop(c);
	return EXEC_FAULT;
}

/* Claims word k, which this CTA does not own yet. */
static bool
claim_word(const struct claim *m, const struct mem_block *b, const struct claim_block *o,
	   uint64_t k, bool write)
{
	uint32_t mine = m->me << 1, was = __atomic_load_n(&o->owner[k], __ATOMIC_RELAXED), now;
	uint32_t bytes;
	uint8_t *host;

	do {
		if (was == 0 || was == mine)
			now = mine | write;
		else if (write || (was & 1))
			return false;
		else
			now = MANY;
	} while (was != now && !__atomic_compare_exchange_n(&o->owner[k], &was, now, false,
							    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	if (!write)
		return true;
	host = find_word(m->all, b, k, &bytes);
	memcpy(&o->old[k], host, bytes);
	return true;
}

/* Handles claims that need no owners: those of the CTA that runs alone, and those of blocks without
 * owners. *rc is the result. */
static bool
claim_without_owners(struct claim *m, struct claim_block *o, bool write, int *rc)
{
	*rc = 0;
	if (!m->me)
		o->expect_write |= write;
	else if (!o->owner && write) {
		__atomic_store_n(&o->expect_write, true, __ATOMIC_RELAXED);
		*rc = refuse_claim(m->all);
	}
	return !m->me || !o->owner;
}

static inline bool
claim_words(const struct claim *m, const struct mem_block *b, const struct claim_block *o,
	    uint64_t at, uint32_t bytes, bool write)
{
	uint64_t end = (at + bytes - 1) / WORD;
	uint32_t mine = m->me << 1 | 1;

	for (uint64_t k = at / WORD; k <= end; k++) {
		uint32_t was = __atomic_load_n(&o->owner[k], __ATOMIC_RELAXED);

		if ((was | !write) != mine && (write || was != MANY) &&
		    !claim_word(m, b, o, k, write))
			return false;
	}
	return true;
}

int
claim_lanes(struct run *r, const struct mem_block *b, const uint64_t *off, uint32_t mask,
	    uint32_t bytes, bool write)
{
	struct claim *m = r->claim;
	struct claim_block *o = &m->all->block[b - m->all->device->block];
	uint64_t lead = b->addr % WORD;
	int rc;

	if (claim_without_owners(m, o, write, &rc))
		return rc;
	for (; mask; mask &= mask - 1)
		if (!claim_words(m, b, o, off[__builtin_ctz(mask)] + lead, bytes, write))
			return refuse_claim(m->all);
	return 0;
}

int
claim_range(struct run *r, const struct mem_block *b, uint64_t addr, uint32_t bytes, bool write)
{
	struct claim *m = r->claim;
	struct claim_block *o = &m->all->block[b - m->all->device->block];
	int rc;

	if (claim_without_owners(m, o, write, &rc))
		return rc;
	return claim_words(m, b, o, addr - b->addr + b->addr % WORD, bytes, write)
		       ? 0
		       : refuse_claim(m->all);
}

int
claim_read_all(struct run *r, const struct mem_block *b)
{
	struct claim *m = r->claim;

	if (!m->me || !m->all->block[b - m->all->device->block].owner)
		return 0;
	return refuse_claim(m->all);
}
