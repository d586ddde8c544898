/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * codec.h - encodes one CTA as bytes, the form in which a .ctr and the memory keep CTAs. See
 * codec.c.
 */
#ifndef TRACE_CODEC_H
#define TRACE_CODEC_H

#include "trace/trace_priv.h"

/* One record before encoding. at is the index of its addresses in ctabuf.addr: base and stride for
 * MODE_STRIDE; one per active lane for MODE_LIST; the same for MODE_DELTA, which has a base even
 * without an active lane. */
struct rawrec {
	uint32_t inst, mask, at;
	uint32_t mode; /* enum text_mode */
};

struct warpbuf {
	struct rawrec *rec;
	uint32_t n, cap;
	uint32_t spilled; /* records before them, in ctabuf.spill */
	bool present;	  /* the trace mentions this warp, even if it has no instructions */
};

/* One CTA before encoding; reused for the next one. */
struct ctabuf {
	uint32_t xyz[3];
	uint32_t n_warps;
	struct warpbuf warp[TRACE_MAX_WARPS];
	uint64_t *addr;
	size_t n_addr, cap_addr;
	uint64_t recs;		/* of all warps */
	uint64_t words;		/* of cta_trace.addr; whoever adds a record adds its addr_words */
	struct spill *spill;	/* NULL: nothing was spilled so far */
	uint64_t bytes_spilled; /* of ctabuf_bytes */
};

void ctabuf_clear(struct ctabuf *b, uint32_t n_warps);
void ctabuf_free(struct ctabuf *b);
/* ctabuf_more_recs makes room for n more records of a warp, ctabuf_more_addr doubles the room for
 * addresses; -1 when memory runs out. */
int ctabuf_more_recs(struct warpbuf *w, uint32_t n);
int ctabuf_more_addr(struct ctabuf *b);

/* Adds n records to a warp and returns the first, or NULL. */
static inline struct rawrec *
ctabuf_recs(struct ctabuf *b, uint32_t warp, uint32_t n)
{
	struct warpbuf *w = &b->warp[warp];

	if (unlikely(w->cap - w->n < n) && ctabuf_more_recs(w, n))
		return NULL;
	b->recs += n;
	w->n += n;
	return &w->rec[w->n - n];
}

/* Adds n addresses, at most 4096, and returns the first, or NULL. */
static inline uint64_t *
ctabuf_addr(struct ctabuf *b, uint32_t n)
{
	if (unlikely(b->n_addr + n > b->cap_addr) && ctabuf_more_addr(b))
		return NULL;
	b->n_addr += n;
	return b->addr + b->n_addr - n;
}

/* The size of the decoded CTA, at most TRACE_MAX_CTA_BYTES. */
static inline uint64_t
ctabuf_bytes(const struct ctabuf *b)
{
	return b->recs * sizeof(struct winst) + b->words * sizeof(uint64_t);
}

/* Predictors, whose memory all CTAs use in turn. All zero is a codec without memory. */
struct codec {
	struct flow *flow;
	struct access *access;
	int64_t (*list)[WARP_SIZE];
	uint32_t cap_flow, cap_access;
	uint64_t last;	     /* base of the previous memory record */
	struct strbuf aside; /* when encoding: address parts of the current run */
};

void codec_free(struct codec *c);

/* Appends the CTA to out and adds its records to *n; -1 with e filled. */
int cta_encode(struct codec *c, const struct kern *k, const struct ctabuf *b, struct strbuf *out,
	       struct kern_counts *n, struct err *e);

/* Successive records of a warp. */
struct piece {
	const struct rawrec *rec;
	const uint64_t *addr; /* rawrec.at counts from here */
	uint32_t n;
};

/* Appends a piece to out, encoded without what is before it in its CTA; -1 when memory runs out. */
int piece_encode(struct codec *c, const struct kern *k, uint32_t warp, const struct piece *piece,
		 struct strbuf *out);

struct decoded { /* room for a decoded piece */
	struct winst *rec;
	uint64_t *addr;
	uint8_t *mode; /* enum text_mode of each record */
	uint32_t n;
	uint64_t words; /* of addr */
};

/* Decodes a piece; -1 with e when the bytes are not one, or memory runs out. */
int piece_decode(struct codec *c, const struct kern *k, uint32_t warp, const uint8_t *p, size_t n,
		 const struct decoded *to, struct err *e);

/* Decodes a CTA into one allocation, which ends with its records, warp by warp; the caller frees
 * it. Unless mode is NULL, *mode is an allocated enum text_mode per record, in the order of the
 * warps, and *present has a bit per warp that the trace mentions. NULL with e filled (a message
 * without a place) when the bytes are not a CTA of this kernel. */
struct cta_trace *cta_decode(struct codec *c, const struct kern *k, const uint8_t *p, size_t n,
			     uint64_t max_bytes, uint8_t **mode, uint64_t *present, size_t *size,
			     struct err *e);

/* Does the record have a base address? Every memory record has one, except a list without lanes. */
static inline bool
has_base(uint32_t mode, uint32_t mask)
{
	return mode != MODE_NONE && (mode != MODE_LIST || mask != 0);
}

/* Words of a record in cta_trace.addr. A list of one lane is kept as base and stride 0. */
static inline uint32_t
addr_words(uint32_t mode, uint32_t mask)
{
	if (!has_base(mode, mask))
		return 0;
	return mode == MODE_STRIDE || (mask & (mask - 1)) == 0 ? 2 : WARP_SIZE;
}

/* Variable-length integers: 7 bits per byte, low bits first; the top bit means that more follow. */
static inline uint8_t *
put_varint(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

/* Reads one from [*p, end); false when the bytes end inside it or it exceeds 64 bits. */
static inline bool
get_varint(const uint8_t **p, const uint8_t *end, uint64_t *v)
{
	const uint8_t *s = *p;
	uint64_t x;
	int shift = 7;

	if (unlikely(s >= end))
		return false;
	x = *s++;
	if (unlikely(x & 0x80)) {
		x &= 0x7f;
		for (;; shift += 7) {
			if (s >= end || shift > 63 || (shift == 63 && *s > 1))
				return false;
			x |= (uint64_t)(*s & 0x7f) << shift;
			if (!(*s++ & 0x80))
				break;
		}
	}
	*p = s;
	*v = x;
	return true;
}

static inline uint64_t
zigzag(int64_t v)
{
	return (uint64_t)v << 1 ^ (uint64_t)(v >> 63);
}

static inline int64_t
unzigzag(uint64_t v)
{
	return (int64_t)(v >> 1 ^ -(v & 1));
}

#endif
