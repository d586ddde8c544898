/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * codec.c - one CTA as bytes: the format, and writing it. codec_read.c is the way back.
 *
 * Warps of a CTA do nearly the same, so both sides keep the same predictors for the CTA, from warp
 * to warp, and the bytes only say where a prediction fails:
 *
 *   next instruction   the one that followed this one last time; at first the next row
 *   mask               if it was this mask before this instruction last time: what it became then;
 *                      else unchanged
 *   base address       the last one of this instruction plus its usual step; for a warp's first
 *                      access: the previous warp's first one plus the step from warp to warp
 *   stride, lane list  as last time at this instruction
 *
 *   cta  = varint linear id; varint warps left out (bit set); varint words of cta_trace.addr;
 *          varint records of each warp that is there; the records of each, in that order
 *   warp = { varint run << 2 | flags; run records as predicted; if flags: one record that is not:
 *          flag 1: zigzag varint, how far the row is from the prediction; flag 2: the mask }
 *   A record with a memory operand is followed by a byte: text mode (2 bits), 4: base as predicted,
 *   8: stride or list as last time; then what was not predicted, as zigzag varints. A list is the
 *   steps from lane to lane, each as zigzag varint plus 1; 0 and a count repeats the step before.
 * Bits 4 and 5 say how far the steps are shifted right, as their low bits are all 0.
 *
 * A run costs a byte or two however long it is, a predicted access one byte. Every CTA begins with
 * empty predictors: it can be decoded without any other.
 */
#include "trace/codec_state.h"

#include <stdlib.h>
#include <string.h>

/* ---- buffers ---- */

void
ctabuf_clear(struct ctabuf *b, uint32_t n_warps)
{
	uint32_t w;

	for (w = 0; w < TRACE_MAX_WARPS; w++) {
		b->warp[w].n = 0;
		b->warp[w].present = false;
	}
	b->n_warps = n_warps;
	b->n_addr = 0;
	b->bytes = 0;
}

void
ctabuf_free(struct ctabuf *b)
{
	uint32_t w;

	for (w = 0; w < TRACE_MAX_WARPS; w++)
		free(b->warp[w].rec);
	free(b->addr);
	*b = (struct ctabuf){0};
}

struct rawrec *
ctabuf_rec(struct ctabuf *b, uint32_t warp)
{
	struct warpbuf *w = &b->warp[warp];

	if (w->n == w->cap) {
		uint32_t cap = w->cap ? w->cap * 2 : 256;
		struct rawrec *p = realloc(w->rec, cap * sizeof(*p));

		if (!p)
			return NULL;
		w->rec = p;
		w->cap = cap;
	}
	b->bytes += sizeof(struct winst);
	return &w->rec[w->n++];
}

uint64_t *
ctabuf_addr(struct ctabuf *b, uint32_t n)
{
	if (b->n_addr + n > b->cap_addr) {
		size_t cap = b->cap_addr ? b->cap_addr * 2 : 4096;
		uint64_t *p = realloc(b->addr, cap * sizeof(*p));

		if (!p)
			return NULL;
		b->addr = p;
		b->cap_addr = cap;
	}
	b->n_addr += n;
	return b->addr + b->n_addr - n;
}

void
codec_free(struct codec *c)
{
	free(c->flow);
	free(c->access);
	free(c->list);
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

/* The steps of a list that differs from the last one; their common factor of 2, 4 or 8 into *code.
 */
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
		if (v == INT64_MIN) { /* its zigzag plus 1 has no room */
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

/* The address part of one record. */
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

/* The most bytes one record can take: flags, row, mask, and an address part with 31 steps. */
#define REC_MAX (10 + 10 + 5 + 1 + 10 + (WARP_SIZE - 1) * 12)

static int
encode_warp(struct codec *c, const struct kern *k, const struct ctabuf *b, uint32_t warp,
	    struct strbuf *out)
{
	const struct warpbuf *w = &b->warp[warp];
	uint32_t lanes = kern_lanes(k, warp), mask = lanes, at = 0, i = 0;

	while (i < w->n) {
		uint32_t run = i, flags = 0, guess = 0;
		struct flow *f = NULL;
		uint8_t *p;

		/* How far do the predictions hold? Nothing is written before that is known, but the
		 * accesses of the run need the records again, so the walk is repeated below. */
		uint32_t walk_at = at, walk_mask = mask;

		for (; run < w->n; run++) {
			const struct rawrec *r = &w->rec[run];
			uint32_t next = (uint32_t)((int64_t)walk_at + c->flow[walk_at].skip);

			f = &c->flow[r->inst + 1];
			guess = f->in == walk_mask ? f->out : walk_mask;
			flags = (next != r->inst ? 1u : 0u) | (guess != r->mask ? 2u : 0u);
			if (flags)
				break;
			if (f->in != walk_mask)
				f->in = f->out = walk_mask;
			walk_mask = r->mask;
			walk_at = r->inst + 1;
		}
		p = (uint8_t *)sb_reserve(out, 10);
		if (!p)
			return -1;
		out->n += (size_t)(put_varint(p, (uint64_t)(run - i) << 2 | flags) - p);
		for (; i < run + (flags != 0); i++) {
			const struct rawrec *r = &w->rec[i];
			uint8_t *from = (uint8_t *)sb_reserve(out, REC_MAX);

			if (!from)
				return -1;
			p = from;
			if (i == run) {
				if (flags & 1) {
					p = put_varint(p, zigzag((int64_t)r->inst - walk_at -
								 c->flow[walk_at].skip));
					c->flow[walk_at].skip =
						(int32_t)((int64_t)r->inst - walk_at);
				}
				if (flags & 2)
					p = put_mask(p, r->mask, walk_mask, f->out, lanes);
				f->in = walk_mask;
				f->out = r->mask;
			}
			if (k->text[r->inst].mem_index != NO_MEM)
				p = put_access(c, p, k->text[r->inst].mem_index, warp, r,
					       b->addr + r->at);
			mask = r->mask;
			at = r->inst + 1;
			out->n += (size_t)(p - from);
		}
	}
	return 0;
}

static void
count_cta(struct kern *k, const struct ctabuf *b)
{
	uint32_t w, i;

	for (w = 0; w < b->n_warps; w++) {
		for (i = 0; i < b->warp[w].n; i++) {
			const struct rawrec *r = &b->warp[w].rec[i];

			k->pub.class_warp_insts[k->inst[r->inst].cls]++;
			k->pub.thread_insts += (uint64_t)__builtin_popcount(r->mask);
		}
		k->pub.warp_insts += b->warp[w].n;
	}
}

int
cta_encode(struct codec *c, struct kern *k, const struct ctabuf *b, struct strbuf *out)
{
	const uint32_t *g = k->pub.grid;
	uint64_t linear = b->xyz[0] + (uint64_t)g[0] * (b->xyz[1] + (uint64_t)g[1] * b->xyz[2]);
	uint64_t absent = 0, words = 0;
	uint8_t *p, *from;
	uint32_t w, i;

	for (w = 0; w < b->n_warps; w++) {
		absent |= b->warp[w].present ? 0 : 1ull << w;
		for (i = 0; i < b->warp[w].n; i++)
			words += addr_words(b->warp[w].rec[i].mode, b->warp[w].rec[i].mask);
	}
	from = (uint8_t *)sb_reserve(out, 10 * (3 + TRACE_MAX_WARPS));
	if (!from || codec_start(c, k))
		return -1;
	p = put_varint(put_varint(put_varint(from, linear), absent), words);
	for (w = 0; w < b->n_warps; w++)
		if (b->warp[w].present)
			p = put_varint(p, b->warp[w].n);
	out->n += (size_t)(p - from);
	for (w = 0; w < b->n_warps; w++)
		if (encode_warp(c, k, b, w, out))
			return -1;
	count_cta(k, b);
	return 0;
}
