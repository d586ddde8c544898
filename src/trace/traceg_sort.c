/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traceg_sort.c - reads a .trace, the tracer's own file, in which the records of all warps of all
 * blocks are mixed: in the order in which the GPU executed them.
 *
 *     0 0 0 1 0030 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7fff00000000 4 0
 *     7 0 0 0 0030 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7fff00001000 4 0
 *
 * The result is the kernel that a .traceg gives which the tracer's own tool makes of the file:
 * blocks in the order x, y, z, each with all of its warps, static instructions in the order in
 * which these need them. An LDGSTS is there twice, with the address in shared memory and with that
 * in global memory; the first is left out, as by that tool.
 *
 * A record is kept in a few bytes (put_record) in the pile of its warp until the file ends, since
 * no record says that it is the last of its block.
 */
#include "trace/traceg_read.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_CTAS 4096u

/* The records of a warp, encoded, and what the next one is encoded against. */
struct pile {
	struct strbuf bytes;
	uint32_t n, row, mask;
	uint64_t last;	  /* address */
	uint32_t twin;	  /* row plus 1 of an LDGSTS that awaits its second record; else 0 */
	size_t twin_from; /* where this record begins */
	struct {
		uint32_t n, row, mask;
		uint64_t last;
	} before; /* it */
};

struct block {
	struct pile warp[1]; /* n_warps */
};

struct sorter {
	struct block ***page; /* of PAGE_CTAS blocks each, made when one of its blocks comes */
	uint64_t n_pages, n_blocks;
	uint32_t *order; /* row in the order of the sorted records, plus 1 */
	uint32_t n_rows;
};

static struct block **
slot_of_block(const struct sorter *s, uint64_t cta)
{
	struct block **page = s->page[cta / PAGE_CTAS];

	return page ? &page[cta % PAGE_CTAS] : NULL;
}

static void
free_block(struct sorter *s, uint64_t cta, uint32_t n_warps)
{
	struct block **slot = slot_of_block(s, cta);

	if (!slot || !*slot)
		return;
	for (uint32_t w = 0; w < n_warps; w++)
		sb_free(&(*slot)->warp[w].bytes);
	free(*slot);
	*slot = NULL;
}

static void
sorter_free(struct sorter *s, const struct trace_kernel *k)
{
	for (uint64_t i = 0; s->page && i < s->n_pages; i++) {
		for (uint64_t j = 0; s->page[i] && j < PAGE_CTAS; j++)
			free_block(s, i * PAGE_CTAS + j, k->warps_per_cta);
		free(s->page[i]);
	}
	free(s->page);
	free(s->order);
}

/* The block, which is made when it comes for the first time; NULL when memory runs out. */
static struct block *
make_block(struct reader *r)
{
	struct sorter *s = r->sorter;
	const uint32_t *g = r->k->pub.grid, *at = r->b->xyz;
	uint64_t cta = at[0] + (uint64_t)g[0] * (at[1] + (uint64_t)g[1] * at[2]);
	struct block ***page = &s->page[cta / PAGE_CTAS], **slot;

	if (!*page && !(*page = calloc(PAGE_CTAS, sizeof(**page))))
		return NULL;
	slot = &(*page)[cta % PAGE_CTAS];
	if (!*slot) {
		*slot = calloc(r->k->pub.warps_per_cta, sizeof(struct pile));
		s->n_blocks += *slot != NULL;
	}
	return *slot;
}

/* ---- one record ---- */

static uint32_t
count_addresses(uint32_t mode, uint32_t mask)
{
	return mode == MODE_NONE     ? 0
	       : mode == MODE_STRIDE ? 2
				     : MAX((uint32_t)__builtin_popcount(mask), 1u);
}

/* A record: varint of the step to its row, its mode and whether its mask is new; the mask, if so;
 * each address as the step from the one before, but a stride as it is. */
static int
put_record(struct pile *p, const struct rawrec *rec, const uint64_t *a)
{
	uint32_t n = count_addresses(rec->mode, rec->mask), i;
	uint8_t *to = (uint8_t *)sb_reserve(&p->bytes, 20 + 10 * (size_t)n), *from = to;
	bool masked = rec->mask != p->mask;

	if (!to)
		return -1;
	to = put_varint(to, zigzag((int64_t)rec->inst - p->row) << 3 | rec->mode << 1 | masked);
	if (masked)
		to = put_varint(to, rec->mask);
	for (i = 0; i < n; i++) {
		bool step = rec->mode == MODE_STRIDE && i == 1;

		to = put_varint(to, zigzag((int64_t)(step ? a[i] : a[i] - p->last)));
		p->last = step ? p->last : a[i];
	}
	p->bytes.n += (size_t)(to - from);
	p->row = rec->inst;
	p->mask = rec->mask;
	p->n++;
	return 0;
}

/* Reads one back; p counts on from the record before. The bytes are our own, so they are right. */
static int
get_record(struct reader *r, const uint8_t **at, const uint8_t *end, struct pile *p, uint32_t warp)
{
	uint64_t v = 0, *a = NULL;
	struct rawrec rec = {0}, *to;
	uint32_t n, i;

	get_varint(at, end, &v);
	p->row = (uint32_t)(p->row + (uint32_t)unzigzag(v >> 3));
	rec.inst = r->sorter->order[p->row] - 1;
	rec.mode = v >> 1 & 3;
	if (v & 1) {
		get_varint(at, end, &v);
		p->mask = (uint32_t)v;
	}
	rec.mask = p->mask;
	rec.at = (uint32_t)r->b->n_addr;
	n = count_addresses(rec.mode, rec.mask);
	if (n && !(a = ctabuf_addr(r->b, n)))
		return err_nomem(r->e);
	for (i = 0; i < n; i++) {
		bool step = rec.mode == MODE_STRIDE && i == 1;

		get_varint(at, end, &v);
		a[i] = (uint64_t)unzigzag(v) + (step ? 0 : p->last);
		p->last = step ? p->last : a[i];
	}
	if (!(to = ctabuf_recs(r->b, warp, 1)))
		return err_nomem(r->e);
	*to = rec;
	r->b->words += addr_words(rec.mode, rec.mask);
	return 0;
}

int
traceg_sort_record(struct reader *r)
{
	struct warpbuf *w = &r->b->warp[r->warp];
	const struct rawrec *rec = &w->rec[0];
	struct block *block = make_block(r);
	struct pile *p = block ? &block->warp[r->warp] : NULL;
	bool copies;

	if (!p)
		return err_nomem(r->e);
	copies = r->k->inst[rec->inst].flags & INST_LDGSTS;
	if (copies && p->twin == rec->inst + 1) {
		p->bytes.n = p->twin_from;
		p->n = p->before.n;
		p->row = p->before.row;
		p->mask = p->before.mask;
		p->last = p->before.last;
		copies = false;
	}
	p->twin = copies ? rec->inst + 1 : 0;
	p->twin_from = p->bytes.n;
	p->before.n = p->n;
	p->before.row = p->row;
	p->before.mask = p->mask;
	p->before.last = p->last;
	if (put_record(p, rec, r->b->addr ? r->b->addr + rec->at : NULL))
		return err_nomem(r->e);
	w->n = 0;
	r->b->n_addr = 0;
	r->b->recs = r->b->words = 0;
	return 0;
}

/* ---- the sorted records ---- */

/* Numbers the rows as they come in the sorted records. */
static int
order_rows(struct reader *r)
{
	struct sorter *s = r->sorter;
	const struct trace_kernel *k = &r->k->pub;

	s->order = calloc((size_t)r->k->n_inst + 1, sizeof(*s->order));
	if (!s->order)
		return err_nomem(r->e);
	for (uint64_t cta = 0; cta < k->n_cta && s->n_rows < r->k->n_inst; cta++) {
		struct block *block = *slot_of_block(s, cta);

		for (uint32_t w = 0; w < k->warps_per_cta; w++) {
			const uint8_t *at = (const uint8_t *)block->warp[w].bytes.p;
			const uint8_t *end = at ? at + block->warp[w].bytes.n : NULL;
			uint32_t row = 0, mask = 0;
			uint64_t v = 0;

			while (at < end && get_varint(&at, end, &v)) {
				uint32_t mode = v >> 1 & 3, n;

				row += (uint32_t)unzigzag(v >> 3);
				if (!s->order[row])
					s->order[row] = ++s->n_rows;
				if (v & 1) {
					get_varint(&at, end, &v);
					mask = (uint32_t)v;
				}
				for (n = count_addresses(mode, mask); n; n--)
					get_varint(&at, end, &v);
			}
		}
	}
	return kern_order_rows(r->k, s->order) ? err_nomem(r->e) : 0;
}

static int
put_block(struct reader *r, uint64_t cta)
{
	const struct trace_kernel *k = &r->k->pub;
	struct block *block = *slot_of_block(r->sorter, cta);

	ctabuf_clear(r->b, k->warps_per_cta);
	r->b->xyz[0] = (uint32_t)(cta % k->grid[0]);
	r->b->xyz[1] = (uint32_t)(cta / k->grid[0] % k->grid[1]);
	r->b->xyz[2] = (uint32_t)(cta / k->grid[0] / k->grid[1]);
	for (uint32_t w = 0; w < k->warps_per_cta; w++) {
		const uint8_t *at = (const uint8_t *)block->warp[w].bytes.p;
		const uint8_t *end = at ? at + block->warp[w].bytes.n : NULL;
		struct pile from = {0};

		r->b->warp[w].present = true;
		for (uint32_t i = 0; i < block->warp[w].n; i++)
			if (get_record(r, &at, end, &from, w))
				return -1;
		if (ctabuf_bytes(r->b) > TRACE_CTA_BYTES)
			return err_at(r->e, in_name(r->in), in_number(r->in), NULL, 0, 1,
				      "thread block %u,%u,%u is larger than %llu MiB decoded, the "
				      "maximum: trace a smaller input, or leave this kernel out of "
				      "kernelslist",
				      r->b->xyz[0], r->b->xyz[1], r->b->xyz[2],
				      TRACE_CTA_BYTES >> 20);
	}
	free_block(r->sorter, cta, k->warps_per_cta);
	return traceg_end_block(r);
}

/* The numbers before a record: 4, or 11 with those of its cluster. The mask, which has 8 digits,
 * tells. */
static uint32_t
find_prefix(const struct reader *r, const char *p)
{
	for (uint32_t i = 0; *p; i++) {
		struct span word = word_next(&p);

		if (i > PREFIX_WARP && word.n == 8)
			return i >= PREFIX_CLUSTER + 1u + r->k->lineinfo ? PREFIX_CLUSTER
									 : PREFIX_WARP;
		p = skip_blanks(p);
	}
	return r->version >= 6 ? PREFIX_CLUSTER : PREFIX_WARP;
}

static int
read_records(struct reader *r)
{
	size_t n;
	char *line;
	int got;

	while ((got = in_line(r->in, &line, &n, r->e)) == 1) {
		const char *p = skip_blanks(line);

		r->line = line;
		if (!*p || *p == '#')
			continue;
		if (!r->prefix || r->sorter->n_blocks == 0)
			r->prefix = find_prefix(r, p);
		if (traceg_record(r, p, n) || traceg_sort_record(r))
			return -1;
	}
	return got;
}

static int
sort_blocks(struct reader *r)
{
	const struct trace_kernel *k = &r->k->pub;
	uint64_t cta;

	r->sorter->n_pages = (k->n_cta + PAGE_CTAS - 1) / PAGE_CTAS;
	r->sorter->page = calloc(r->sorter->n_pages, sizeof(*r->sorter->page));
	if (!r->sorter->page)
		return err_nomem(r->e);
	ctabuf_clear(r->b, k->warps_per_cta);
	if (read_records(r))
		return -1;
	if (r->sorter->n_blocks != k->n_cta)
		return err_at(
			r->e, in_name(r->in), in_number(r->in), NULL, 0, 1,
			"the file has records of %llu thread blocks, but the grid (%u,%u,%u) has "
			"%llu",
			(unsigned long long)r->sorter->n_blocks, k->grid[0], k->grid[1], k->grid[2],
			(unsigned long long)k->n_cta);
	if (order_rows(r))
		return -1;
	for (cta = 0; cta < k->n_cta; cta++) {
		in_report(r->in, "sorting", cta, k->n_cta);
		if (put_block(r, cta))
			return -1;
	}
	return 0;
}

int
traceg_sort(struct reader *r)
{
	struct sorter s = {0};
	int failed;

	r->sorter = &s;
	failed = sort_blocks(r);
	r->sorter = NULL;
	sorter_free(&s, &r->k->pub);
	/* The tool ends the header with these two lines. */
	sb_str(&r->k->head, "\n\n");
	return failed || !r->k->head.failed ? failed : err_nomem(r->e);
}
