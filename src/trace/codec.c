/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * codec.c - encodes a CTA as bytes, and defines the format. codec_read.c decodes it.
 *
 * The warps of a CTA execute nearly the same instructions. Encoder and decoder therefore update the
 * same predictors, from warp to warp of a CTA, and the bytes contain only what was not predicted:
 *
 *   next instruction   the one that followed this one the last time; at first the next row
 *   mask               the mask of this instruction the last time, if the previous record has the
 *                      same mask as then; else the mask of the previous record
 *   base address       the last one of this instruction plus its usual step; for a warp's first
 *                      access: the previous warp's first one plus the step from warp to warp
 *   stride, lane list  those of this instruction the last time
 *
 *   cta  = varint linear id; varint bit mask of absent warps; varint words of cta_trace.addr;
 *          varint number of records of each present warp; the records of each, in that order
 *   warp = { varint run << 2 | flags; run predicted records; if flags: one record that was not
 *          predicted: flag 1: zigzag varint, distance of the row from the prediction; flag 2: mask
 * }
 *
 *   A record with a memory operand is followed by a byte: text mode (2 bits); 4: base as predicted;
 *   8: stride or list as the last time; bits 4 and 5: how far the steps of a list are shifted
 * right, as their low bits are all 0. Then follows what was not predicted, as zigzag varints. A
 * list is the steps from lane to lane, each a zigzag varint plus 1; 0 and a count repeats the last
 * step.
 *
 * A run takes one or two bytes, however long it is, and a predicted access one byte. Every CTA
 * begins with empty predictors, so that it can be decoded without the others.
 *
 * A warp is encoded in pieces: those that were spilled (spill.c), then what is still in memory. The
 * bytes do not depend on where the pieces begin.
 */
#include "trace/codec_state.h"
#include "trace/spill.h"

#include <stdlib.h>
#include <string.h>

/* ---- buffers ---- */

void
ctabuf_clear(struct ctabuf *b, uint32_t n_warps)
{
	uint32_t w;

	for (w = 0; w < TRACE_MAX_WARPS; w++) {
		b->warp[w].n = b->warp[w].spilled = 0;
		b->warp[w].present = false;
	}
	b->n_warps = n_warps;
	b->n_addr = 0;
	b->recs = b->words = b->bytes_spilled = 0;
	if (b->spill)
		spill_clear(b->spill);
}

void
ctabuf_free(struct ctabuf *b)
{
	uint32_t w;

	for (w = 0; w < TRACE_MAX_WARPS; w++)
		free(b->warp[w].rec);
	free(b->addr);
	spill_free(b->spill);
	*b = (struct ctabuf){0};
}

int
ctabuf_more_recs(struct warpbuf *w, uint32_t n)
{
	uint32_t cap = MAX(w->cap * 2, w->n + MAX(n, 256u));
	struct rawrec *p = realloc(w->rec, cap * sizeof(*p));

	if (!p)
		return -1;
	w->rec = p;
	w->cap = cap;
	return 0;
}

int
ctabuf_more_addr(struct ctabuf *b)
{
	size_t cap = b->cap_addr ? b->cap_addr * 2 : 4096;
	uint64_t *p = realloc(b->addr, cap * sizeof(*p));

	if (!p)
		return -1;
	b->addr = p;
	b->cap_addr = cap;
	return 0;
}

void
codec_free(struct codec *c)
{
	free(c->flow);
	free(c->access);
	free(c->list);
	sb_free(&c->aside);
	*c = (struct codec){0};
}

int
codec_start(struct codec *c, const struct kern *k)
{
	if (k->n_inst + 1 > c->cap_flow) {
		free(c->flow);
		c->cap_flow = (k->n_inst + 1) * 2;
		c->flow = malloc(c->cap_flow * sizeof(*c->flow));
	}
	if (k->n_mem > c->cap_access) {
		free(c->access);
		free(c->list);
		c->cap_access = k->n_mem * 2;
		c->access = malloc(c->cap_access * sizeof(*c->access));
		c->list = malloc(c->cap_access * sizeof(*c->list));
	}
	if (!c->flow || (c->cap_access && (!c->access || !c->list))) {
		codec_free(c);
		return -1;
	}
	memset(c->flow, 0, (k->n_inst + 1) * sizeof(*c->flow));
	if (k->n_mem)
		memset(c->access, 0, k->n_mem * sizeof(*c->access));
	c->last = 0;
	return 0;
}

/* ---- encoding ---- */

static uint8_t *
put_mask(uint8_t *p, uint32_t mask, uint32_t before, uint32_t last, uint32_t lanes)
{
	int low = mask != UINT32_MAX ? __builtin_ctz(~mask) : 0; /* lanes 0 to low - 1 */

	if (mask == 0) {
		*p++ = MASK_NONE;
	} else if (mask == UINT32_MAX) {
		*p++ = MASK_ALL;
	} else if (mask == (~before & lanes)) {
		*p++ = MASK_REST;
	} else if (mask == last) {
		*p++ = MASK_LAST;
	} else if ((mask & (mask - 1)) == 0) {
		*p++ = (uint8_t)(MASK_LANE + __builtin_ctz(mask));
	} else if (low && mask == (1u << low) - 1) {
		*p++ = (uint8_t)(MASK_LOW + low);
	} else {
		*p++ = MASK_RAW;
		memcpy(p,
		       (uint8_t[]){(uint8_t)mask, (uint8_t)(mask >> 8), (uint8_t)(mask >> 16),
				   (uint8_t)(mask >> 24)},
		       4);
		p += 4;
	}
	return p;
}

/* Writes the steps of a list, and into *code their common factor of 2, 4 or 8. */
static uint8_t *
put_steps(uint8_t *p, const int64_t *step, uint32_t n, uint8_t *code)
{
	uint32_t i, same;
	uint64_t all = 8;
	int shift;

	for (i = 0; i < n; i++)
		all |= (uint64_t)step[i];
	shift = __builtin_ctzll(all);
	*code |= (uint8_t)(shift << STEP_SHIFT);
	for (i = 0; i < n; i += same) {
		int64_t v = step[i] >> shift;

		for (same = 1; i + same < n && step[i + same] == step[i]; same++)
			;
		if (v == INT64_MIN) { /* its zigzag plus 1 does not fit into 64 bits */
			p = put_varint(put_varint(p, 0), 0);
			same = 1;
			continue;
		}
		p = put_varint(p, zigzag(v) + 1);
		if (same > 2)
			p = put_varint(put_varint(p, 0), same - 1);
		else
			same = 1;
	}
	return p;
}

/* Writes the address part of one record. */
static uint8_t *
put_access(struct codec *c, uint8_t *p, uint32_t mem, uint32_t warp, const struct rawrec *r,
	   const uint64_t *addr)
{
	struct access *a = &c->access[mem];
	uint32_t lanes = (uint32_t)__builtin_popcount(r->mask), i;
	int64_t step[WARP_SIZE];
	uint8_t *code = p++;
	uint64_t guess;

	*code = (uint8_t)r->mode;
	if (!has_base(r->mode, r->mask))
		return p;
	guess = base_predict(c, a, warp);
	if (guess == addr[0])
		*code |= BASE_AS_PREDICTED;
	else
		p = put_varint(p, zigzag((int64_t)(addr[0] - guess)));
	base_learn(c, a, warp, addr[0]);
	if (r->mode == MODE_STRIDE) {
		if (a->stride == (int64_t)addr[1])
			*code |= SHAPE_AS_BEFORE;
		else
			p = put_varint(p, zigzag((int64_t)addr[1]));
		a->stride = (int64_t)addr[1];
		return p;
	}
	if (lanes < 2)
		return p;
	for (i = 0; i + 1 < lanes; i++)
		step[i] = (int64_t)(addr[i + 1] - addr[i]);
	if (a->lanes == lanes && memcmp(step, c->list[mem], (lanes - 1) * sizeof(*step)) == 0) {
		*code |= SHAPE_AS_BEFORE;
		return p;
	}
	a->lanes = lanes;
	memcpy(c->list[mem], step, (lanes - 1) * sizeof(*step));
	return put_steps(p, step, lanes - 1, code);
}

/* The most bytes one record can take: run, row, mask, and an address part with 31 steps. */
#define ACCESS_MAX (1 + 10 + (WARP_SIZE - 1) * 12)
#define REC_MAX (10 + 10 + 5 + ACCESS_MAX)

/* Writes the length of a run of predicted records, the flags of the record after it, and the
 * address parts of the run, which were put aside until its length was known. Returns the end of the
 * output, with room for the largest record; NULL when memory runs out. */
static uint8_t *
end_run(struct codec *c, uint64_t run, uint32_t flags, struct strbuf *out)
{
	uint8_t *p = (uint8_t *)sb_reserve(out, REC_MAX + c->aside.n);

	if (!p)
		return NULL;
	p = put_varint(p, run << 2 | flags);
	if (c->aside.n)
		memcpy(p, c->aside.p, c->aside.n);
	p += c->aside.n;
	c->aside.n = 0;
	return p;
}

static inline int
put_aside(struct codec *c, uint32_t mem, uint32_t warp, const struct rawrec *r,
	  const uint64_t *addr)
{
	struct access *a = &c->access[mem];
	uint8_t *p;

	if (unlikely(c->aside.cap - c->aside.n <= ACCESS_MAX) && !sb_reserve(&c->aside, ACCESS_MAX))
		return -1;
	p = (uint8_t *)c->aside.p + c->aside.n;
	if (likely(r->mode == MODE_STRIDE && a->stride == (int64_t)addr[1] &&
		   base_predict(c, a, warp) == addr[0])) { /* the usual case takes one byte */
		*p = MODE_STRIDE | BASE_AS_PREDICTED | SHAPE_AS_BEFORE;
		base_learn(c, a, warp, addr[0]);
		c->aside.n++;
		return 0;
	}
	c->aside.n += (size_t)(put_access(c, p, mem, warp, r, addr) - p);
	return 0;
}

struct warp_place { /* where the encoding of a warp is */
	uint32_t warp;
	uint32_t at, mask; /* of the record before: its row + 1, and its mask */
	uint32_t run;	   /* predicted records that are not written yet */
};

static int
encode_records(struct codec *c, const struct kern *k, const struct piece *piece,
	       struct warp_place *place, struct strbuf *out, struct kern_counts *n)
{
	/* The array of a warp without records is NULL. */
	const struct rawrec *r = piece->rec, *end = r ? r + piece->n : NULL;
	uint32_t warp = place->warp, lanes = kern_lanes(k, warp);
	uint32_t mask = place->mask, at = place->at, run = place->run;
	uint32_t count = (uint32_t)__builtin_popcount(mask);
	uint8_t *p;

	for (; r < end; r++) {
		struct flow *f = &c->flow[r->inst + 1], *before = &c->flow[at];
		int64_t step = (int64_t)r->inst - at, miss = step - before->skip;
		uint32_t guess = f->in == mask ? f->out : mask;

		f->n++;
		if (unlikely(mask != r->mask))
			count = (uint32_t)__builtin_popcount(r->mask);
		n->thread_insts += count;
		if (likely(!miss && guess == r->mask)) {
			run++;
			if (r->mode != MODE_NONE &&
			    put_aside(c, k->text[r->inst].mem_index, warp, r, piece->addr + r->at))
				return -1;
		} else {
			p = end_run(c, run, (miss ? 1u : 0u) | (guess != r->mask ? 2u : 0u), out);
			if (!p)
				return -1;
			if (miss)
				p = put_varint(p, zigzag(miss));
			if (guess != r->mask)
				p = put_mask(p, r->mask, mask, f->out, lanes);
			if (r->mode != MODE_NONE)
				p = put_access(c, p, k->text[r->inst].mem_index, warp, r,
					       piece->addr + r->at);
			out->n = (size_t)(p - (uint8_t *)out->p);
			before->skip = (int32_t)step;
			run = 0;
		}
		f->in = mask;
		f->out = mask = r->mask;
		at = r->inst + 1;
	}
	place->mask = mask;
	place->at = at;
	place->run = run;
	return 0;
}

static int
encode_last_run(struct codec *c, const struct warp_place *place, struct strbuf *out)
{
	uint8_t *p;

	if (!place->run)
		return 0;
	p = end_run(c, place->run, 0, out);
	if (!p)
		return -1;
	out->n = (size_t)(p - (uint8_t *)out->p);
	return 0;
}

static int
encode_warp(struct codec *c, const struct kern *k, const struct ctabuf *b, uint32_t warp,
	    struct strbuf *out, struct kern_counts *n, struct err *e)
{
	const struct warpbuf *w = &b->warp[warp];
	const struct piece last = {w->rec, b->addr, w->n};
	struct warp_place place = {.warp = warp, .mask = kern_lanes(k, warp)};
	struct piece piece;
	uint32_t next = 0;
	int more;

	while (w->spilled && (more = spill_read(b->spill, k, warp, &next, &piece, e)) != 0)
		if (more < 0 || encode_records(c, k, &piece, &place, out, n))
			return more < 0 ? -1 : err_nomem(e);
	if (encode_records(c, k, &last, &place, out, n) || encode_last_run(c, &place, out))
		return err_nomem(e);
	return 0;
}

int
piece_encode(struct codec *c, const struct kern *k, uint32_t warp, const struct piece *piece,
	     struct strbuf *out)
{
	struct warp_place place = {.warp = warp, .mask = kern_lanes(k, warp)};
	struct kern_counts n = {0};

	sb_clear(&c->aside);
	return codec_start(c, k) || encode_records(c, k, piece, &place, out, &n) ||
			       encode_last_run(c, &place, out) || out->failed
		       ? -1
		       : 0;
}

int
cta_encode(struct codec *c, const struct kern *k, const struct ctabuf *b, struct strbuf *out,
	   struct kern_counts *n, struct err *e)
{
	const uint32_t *g = k->pub.grid;
	uint64_t linear = b->xyz[0] + (uint64_t)g[0] * (b->xyz[1] + (uint64_t)g[1] * b->xyz[2]);
	uint64_t absent = 0;
	uint8_t *p, *from;
	uint32_t w, i;

	for (w = 0; w < b->n_warps; w++)
		absent |= b->warp[w].present ? 0 : 1ull << w;
	from = (uint8_t *)sb_reserve(out, 10 * (3 + TRACE_MAX_WARPS));
	if (!from || codec_start(c, k))
		return err_nomem(e);
	sb_clear(&c->aside);
	p = put_varint(put_varint(put_varint(from, linear), absent), b->words);
	for (w = 0; w < b->n_warps; w++)
		if (b->warp[w].present)
			p = put_varint(p, b->warp[w].spilled + b->warp[w].n);
	out->n += (size_t)(p - from);
	for (w = 0; w < b->n_warps; w++)
		if (encode_warp(c, k, b, w, out, n, e))
			return -1;
	for (i = 0; i < k->n_inst; i++)
		n->class_warp_insts[k->inst[i].cls] += c->flow[i + 1].n;
	n->warp_insts += b->recs;
	return out->failed ? err_nomem(e) : 0;
}
