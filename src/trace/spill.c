/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spill.c - keeps the records of a long CTA in few bytes until it ends.
 *
 * A CTA is encoded warp by warp, but its warps run in turns, so all its records must wait for its
 * end. Each time there are many, the new ones of each warp become a piece, encoded without the
 * other pieces. At the end they are decoded again, piece by piece, for the encoding of the CTA,
 * whose bytes are the same as without pieces. If the pieces also become many, they go to a file.
 */
#include "trace/spill.h"

#include "base/scratch.h"

#include <stdlib.h>
#include <string.h>

#define WHAT "a long thread block"

struct part {
	uint64_t at; /* bytes before it in the file and then in spill.recent */
	size_t bytes;
	uint64_t words; /* of its decoded addresses */
	uint32_t warp, n;
};

struct spill {
	struct codec codec;
	struct scratch file;
	struct strbuf recent; /* pieces after those of the file */
	struct part *part;
	uint32_t n_part, cap_part;
	/* of the piece that was read last */
	struct strbuf bytes, rec, addr, mode;
};

static struct spill *
spill_new(const char *folder)
{
	struct spill *s = calloc(1, sizeof(*s));

	if (s)
		scratch_init(&s->file, folder);
	return s;
}

void
spill_clear(struct spill *s)
{
	s->file.bytes = 0;
	s->n_part = 0;
	sb_clear(&s->recent);
}

void
spill_free(struct spill *s)
{
	if (!s)
		return;
	codec_free(&s->codec);
	scratch_close(&s->file);
	free(s->part);
	sb_free(&s->recent);
	sb_free(&s->bytes);
	sb_free(&s->rec);
	sb_free(&s->addr);
	sb_free(&s->mode);
	free(s);
}

uint64_t
spill_file_bytes(const struct spill *s)
{
	return s->file.bytes;
}

/* ---- writing ---- */

static struct part *
add_part(struct spill *s)
{
	uint32_t cap = MAX(s->cap_part * 2, 64u);
	struct part *p = s->part;

	if (s->n_part == s->cap_part) {
		if (!(p = realloc(p, cap * sizeof(*p))))
			return NULL;
		s->part = p;
		s->cap_part = cap;
	}
	return &p[s->n_part++];
}

static int
spill_warp(struct ctabuf *b, const struct kern *k, uint32_t warp, struct err *e)
{
	struct spill *s = b->spill;
	struct warpbuf *w = &b->warp[warp];
	const struct piece piece = {w->rec, b->addr, w->n};
	size_t before = s->recent.n;
	struct part *p = add_part(s);

	if (!p || piece_encode(&s->codec, k, warp, &piece, &s->recent))
		return err_nomem(e);
	*p = (struct part){s->file.bytes + before, s->recent.n - before, 0, warp, w->n};
	for (uint32_t i = 0; i < w->n; i++)
		p->words += addr_words(w->rec[i].mode, w->rec[i].mask);
	w->spilled += w->n;
	w->n = 0;
	return 0;
}

int
ctabuf_spill(struct ctabuf *b, const struct kern *k, const char *folder, uint64_t most,
	     struct err *e)
{
	struct spill *s = b->spill ? b->spill : spill_new(folder);

	if (!s)
		return err_nomem(e);
	b->spill = s;
	for (uint32_t w = 0; w < b->n_warps; w++)
		if (b->warp[w].n && spill_warp(b, k, w, e))
			return -1;
	b->n_addr = 0;
	b->bytes_spilled = ctabuf_bytes(b);
	if (s->recent.n >= most) {
		if (scratch_add(&s->file, s->recent.p, s->recent.n, WHAT, e))
			return -1;
		sb_clear(&s->recent);
	}
	return 0;
}

/* ---- reading ---- */

/* Returns room for n bytes. */
static void *
get_room(struct strbuf *s, size_t n)
{
	sb_clear(s);
	return sb_reserve(s, n);
}

/* Packs the addresses of a list, which has a word for each lane when decoded, at the front. */
static void
pack_list(uint64_t *addr, uint32_t mask)
{
	uint32_t n = 0;

	for (; mask; mask &= mask - 1)
		addr[n++] = addr[__builtin_ctz(mask)];
}

_Static_assert(sizeof(struct rawrec) == sizeof(struct winst), "one replaces the other in place");

/* Makes records of the form before encoding from decoded ones, in the same place. */
static void
undo_decoding(struct rawrec *to, const struct winst *from, const uint8_t *mode, uint64_t *addr,
	      uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct winst w = from[i];

		if (w.mode == ADDR_LIST && w.mask != UINT32_MAX)
			pack_list(addr + w.at, w.mask);
		to[i] = (struct rawrec){w.inst, w.mask, w.at, mode[i]};
	}
}

int
spill_read(struct spill *s, const struct kern *k, uint32_t warp, uint32_t *next,
	   struct piece *piece, struct err *e)
{
	const struct part *p;
	struct rawrec *raw;
	struct winst *rec;
	const char *from;
	uint64_t *addr;
	uint8_t *mode;

	for (; *next < s->n_part && s->part[*next].warp != warp; ++*next)
		;
	if (*next == s->n_part)
		return 0;
	p = &s->part[(*next)++];
	rec = get_room(&s->rec, p->n * sizeof(*rec));
	addr = get_room(&s->addr, p->words * sizeof(*addr));
	mode = get_room(&s->mode, p->n);
	if (!rec || !addr || !mode)
		return err_nomem(e);
	if (p->at < s->file.bytes) {
		char *to = get_room(&s->bytes, p->bytes);

		if (!to)
			return err_nomem(e);
		if (scratch_read(&s->file, p->at, to, p->bytes, WHAT, e))
			return -1;
		from = to;
	} else {
		from = s->recent.p + (p->at - s->file.bytes);
	}
	if (piece_decode(&s->codec, k, warp, (const uint8_t *)from, p->bytes,
			 &(struct decoded){rec, addr, mode, p->n, p->words}, e))
		return -1;
	raw = (struct rawrec *)(void *)rec;
	undo_decoding(raw, rec, mode, addr, p->n);
	*piece = (struct piece){raw, addr, p->n};
	return 1;
}
