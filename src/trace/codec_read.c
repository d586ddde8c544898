/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * codec_read.c - decodes one CTA; the format is described in codec.c.
 *
 * A simulation decodes a CTA each time one starts, so a predicted record takes only a few loads.
 * Still every row, mask, length and count is checked: bytes that cta_encode did not write are an
 * error, never an access outside the arrays.
 */
#include "trace/codec_state.h"

#include <stdlib.h>
#include <string.h>

struct decoder {
	struct codec *c;
	const struct kern *k;
	const uint8_t *p, *end;
	struct winst *rec;
	uint64_t *addr;
	uint64_t n_addr, cap_addr;
	uint8_t *mode;
};

static bool
get_mask(struct decoder *d, uint32_t before, uint32_t last, uint32_t lanes, uint32_t *mask)
{
	uint8_t code;

	if (d->p >= d->end)
		return false;
	code = *d->p++;
	switch (code) {
	case MASK_RAW:
		if (d->end - d->p < 4)
			return false;
		*mask = d->p[0] | (uint32_t)d->p[1] << 8 | (uint32_t)d->p[2] << 16 |
			(uint32_t)d->p[3] << 24;
		d->p += 4;
		return true;
	case MASK_NONE:
		*mask = 0;
		return true;
	case MASK_ALL:
		*mask = UINT32_MAX;
		return true;
	case MASK_REST:
		*mask = ~before & lanes;
		return true;
	case MASK_LAST:
		*mask = last;
		return true;
	}
	if (code < MASK_LANE || code >= MASK_LOW + WARP_SIZE)
		return false;
	*mask = code < MASK_LOW ? 1u << (code - MASK_LANE) : (1u << (code - MASK_LOW)) - 1;
	return true;
}

static bool
get_steps(struct decoder *d, int64_t *step, uint32_t n, int shift)
{
	uint64_t v, count;
	uint32_t i = 0;

	while (i < n) {
		if (likely(d->end - d->p >= 2)) { /* one or two bytes, without a branch */
			uint32_t low = d->p[0], high = d->p[1], two = low >> 7;

			v = (low & 0x7f) | (high << 7 & -two);
			if (likely(v && !(two & high >> 7))) {
				step[i++] = (int64_t)((uint64_t)unzigzag(v - 1) << shift);
				d->p += 1 + two;
				continue;
			}
		}
		if (!get_varint(&d->p, d->end, &v))
			return false;
		if (v) {
			step[i++] = (int64_t)((uint64_t)unzigzag(v - 1) << shift);
			continue;
		}
		if (!get_varint(&d->p, d->end, &count) || count > n - i || (count && i == 0))
			return false;
		if (count == 0)
			step[i++] = INT64_MIN;
		for (; count; count--, i++)
			step[i] = step[i - 1];
	}
	return true;
}

/* Reads a list: one address per active lane, 0 elsewhere; for a single lane base and stride 0. */
static bool
get_list(struct decoder *d, struct access *a, uint32_t mem, uint8_t code, uint32_t mask,
	 uint64_t *to)
{
	uint32_t lanes = mask == UINT32_MAX ? WARP_SIZE : (uint32_t)__builtin_popcount(mask);
	uint32_t left = mask, i = 0;
	int64_t *step = d->c->list[mem];
	uint64_t at = a->base;

	if (lanes < 2) {
		to[0] = a->base;
		to[1] = 0;
		return true;
	}
	if (code & SHAPE_AS_BEFORE) {
		if (a->lanes != lanes)
			return false;
	} else if (!get_steps(d, step, lanes - 1, code >> STEP_SHIFT)) {
		return false;
	}
	a->lanes = lanes;
	if (likely(mask == UINT32_MAX)) {
		for (to[0] = at; i < WARP_SIZE - 1; i++)
			to[i + 1] = at += (uint64_t)step[i];
		return true;
	}
	memset(to, 0, WARP_SIZE * sizeof(*to));
	for (;;) {
		to[__builtin_ctz(left)] = at;
		left &= left - 1;
		if (!left)
			return true;
		at += (uint64_t)step[i++];
	}
}

static bool
get_access(struct decoder *d, uint32_t mem, uint32_t warp, struct winst *r, uint8_t *mode_out)
{
	struct access *a = &d->c->access[mem];
	uint64_t base, v;
	uint32_t words;
	uint8_t code, mode;

	if (unlikely(d->p >= d->end))
		return false;
	code = *d->p++;
	mode = code & 3;
	if (unlikely(code >= 4u << STEP_SHIFT || mode == MODE_NONE))
		return false;
	*mode_out = mode;
	if (unlikely(!has_base(mode, r->mask)))
		return true;
	base = base_predict(d->c, a, warp);
	if (!(code & BASE_AS_PREDICTED)) {
		if (!get_varint(&d->p, d->end, &v))
			return false;
		base += (uint64_t)unzigzag(v);
	}
	base_learn(d->c, a, warp, base);
	words = addr_words(mode, r->mask);
	if (unlikely(words > d->cap_addr - d->n_addr))
		return false;
	if (likely(mode == MODE_STRIDE)) {
		if (!(code & SHAPE_AS_BEFORE)) {
			if (!get_varint(&d->p, d->end, &v))
				return false;
			a->stride = unzigzag(v);
		}
		d->addr[d->n_addr] = base;
		d->addr[d->n_addr + 1] = (uint64_t)a->stride;
	} else if (!get_list(d, a, mem, code, r->mask, d->addr + d->n_addr)) {
		return false;
	}
	r->at = (uint32_t)d->n_addr;
	r->mode = words == 2 ? ADDR_STRIDE : ADDR_LIST;
	d->n_addr += words;
	return true;
}

/* Reads the rest of a record whose row and mask are known. */
static inline bool
get_record(struct decoder *d, uint32_t row, uint32_t mask, uint32_t warp)
{
	struct winst *r = d->rec++;
	uint32_t mem = d->k->text[row].mem_index;
	uint8_t mode = MODE_NONE;
	bool good = true;

	*r = (struct winst){.inst = row, .mask = mask, .mode = ADDR_NONE};
	if (mem != NO_MEM)
		good = get_access(d, mem, warp, r, &mode);
	if (d->mode)
		*d->mode++ = mode;
	return good;
}

static bool
decode_warp(struct decoder *d, uint32_t warp, uint64_t n)
{
	struct flow *flow = d->c->flow, *f;
	uint32_t lanes = kern_lanes(d->k, warp), mask = lanes, at = 0, next;
	uint64_t v, run;
	int64_t row;

	while (n) {
		if (!get_varint(&d->p, d->end, &v) || (run = v >> 2) > n)
			return false;
		for (n -= run; run; run--) {
			next = at + (uint32_t)flow[at].skip;
			if (unlikely(next >= d->k->n_inst))
				return false;
			at = next + 1;
			f = &flow[at];
			if (likely(f->in == mask))
				mask = f->out;
			else
				f->in = f->out = mask;
			if (unlikely(!get_record(d, next, mask, warp)))
				return false;
		}
		if (!(v & 3))
			continue;
		if (n-- == 0)
			return false;
		row = (int64_t)at + flow[at].skip;
		if (v & 1) {
			uint64_t zz;

			if (!get_varint(&d->p, d->end, &zz) || zz > 4ull * TRACE_MAX_STATIC)
				return false;
			row += unzigzag(zz);
		}
		if (row < 0 || row >= (int64_t)d->k->n_inst)
			return false;
		flow[at].skip = (int32_t)(row - at);
		f = &flow[row + 1];
		next = f->in == mask ? f->out : mask;
		if ((v & 2) && (!get_mask(d, mask, f->out, lanes, &next) || (next & ~lanes)))
			return false;
		f->in = mask;
		f->out = mask = next;
		at = (uint32_t)row + 1;
		if (!get_record(d, (uint32_t)row, mask, warp))
			return false;
	}
	return true;
}

/* Reads the counts at the front: linear id, present warps, records of each. Returns the total
 * number of records, or UINT64_MAX when the counts are invalid. */
static uint64_t
decode_counts(struct decoder *d, uint64_t max_bytes, uint64_t *linear, uint64_t *present,
	      uint64_t n[TRACE_MAX_WARPS])
{
	const struct trace_kernel *k = &d->k->pub;
	uint64_t all = k->warps_per_cta == 64 ? UINT64_MAX : (1ull << k->warps_per_cta) - 1;
	uint64_t absent, total = 0;
	uint32_t w;

	if (!get_varint(&d->p, d->end, linear) || !get_varint(&d->p, d->end, &absent) ||
	    !get_varint(&d->p, d->end, &d->cap_addr) || *linear >= k->n_cta || (absent & ~all))
		return UINT64_MAX;
	*present = all & ~absent;
	for (w = 0; w < k->warps_per_cta; w++) {
		n[w] = 0;
		if (*present >> w & 1 && !get_varint(&d->p, d->end, &n[w]))
			return UINT64_MAX;
		if (n[w] > max_bytes / sizeof(struct winst))
			return UINT64_MAX;
		total += n[w];
	}
	if (d->cap_addr > total * WARP_SIZE || d->cap_addr > UINT32_MAX ||
	    total * sizeof(struct winst) + d->cap_addr * sizeof(uint64_t) > max_bytes)
		return UINT64_MAX;
	return total;
}

struct cta_trace *
cta_decode(struct codec *c, const struct kern *k, const uint8_t *p, size_t n, uint64_t max_bytes,
	   uint8_t **mode, uint64_t *present, size_t *size, struct err *e)
{
	struct decoder d = {.c = c, .k = k, .p = p, .end = p + n};
	uint64_t counts[TRACE_MAX_WARPS], there, linear, total;
	uint32_t w, n_warps = k->pub.warps_per_cta;
	struct cta_trace *cta;
	struct wstream *stream;
	bool good = true;

	total = decode_counts(&d, max_bytes, &linear, &there, counts);
	if (total == UINT64_MAX) {
		err_set(e, "the encoded thread block is damaged, or larger than %llu bytes decoded",
			(unsigned long long)max_bytes);
		return NULL;
	}
	*size = sizeof(*cta) + n_warps * sizeof(*stream) + total * sizeof(struct winst) +
		d.cap_addr * sizeof(uint64_t);
	cta = malloc(*size);
	if (mode)
		*mode = malloc(total + 1);
	if (!cta || (mode && !*mode) || codec_start(c, k)) {
		err_nomem(e);
		goto bad;
	}
	stream = (struct wstream *)(cta + 1);
	d.addr = (uint64_t *)(stream + n_warps);
	d.rec = (struct winst *)(d.addr + d.cap_addr);
	*cta = (struct cta_trace){.n_warps = n_warps,
				  .warp = stream,
				  .addr = d.addr,
				  .xyz = {(uint32_t)(linear % k->pub.grid[0]),
					  (uint32_t)(linear / k->pub.grid[0] % k->pub.grid[1]),
					  (uint32_t)(linear / k->pub.grid[0] / k->pub.grid[1])}};
	if (mode)
		d.mode = *mode;
	for (w = 0; w < n_warps && good; w++) {
		stream[w] = (struct wstream){.rec = d.rec, .n = (uint32_t)counts[w]};
		good = decode_warp(&d, w, counts[w]);
	}
	if (good && d.p == d.end && d.n_addr == d.cap_addr) {
		if (present)
			*present = there;
		return cta;
	}
	err_set(e, "the encoded thread block is damaged at byte %zu of %zu", (size_t)(d.p - p), n);
bad:
	free(cta);
	if (mode) {
		free(*mode);
		*mode = NULL;
	}
	return NULL;
}

int
piece_decode(struct codec *c, const struct kern *k, uint32_t warp, const uint8_t *p, size_t n,
	     const struct decoded *to, struct err *e)
{
	struct decoder d = {.c = c,
			    .k = k,
			    .p = p,
			    .end = p + n,
			    .rec = to->rec,
			    .addr = to->addr,
			    .cap_addr = to->words,
			    .mode = to->mode};

	if (codec_start(c, k))
		return err_nomem(e);
	if (!decode_warp(&d, warp, to->n) || d.p != d.end || d.n_addr != to->words)
		return err_set(e, "a part of an encoded thread block is damaged");
	return 0;
}
