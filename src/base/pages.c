/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.c - images of memory, page by page.
 *
 * Each page is compressed independently of other pages and images, so freeing an image frees all
 * pages that only it uses. A page of zeros takes no memory. Equal content usually has equal
 * compressed bytes, so comparing these finds the pages that have not changed since the last image.
 *
 * A page is encoded as differences (exclusive or) of its 8-byte words from zero, or from the word
 * two places before:
 *
 *     64 bytes    one for each line of 8 words; bit i: word i of the line differs
 *     then, for each word that differs, one of
 *     a byte 0    the difference of the last encoded word at an even, or odd, place, once more
 *     a byte > 0  bit i: byte i of the difference is not zero. Then follow, for each half of the
 *                 word, its bytes from the first to the last that is not zero.
 *
 * This suits the state of the model: counters, times, addresses and indices share their high bytes
 * with zero or with their neighbours, and tables often have two words per entry. It takes a fifth
 * of the time of a general compressor, which would halve the size again.
 */
#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

#define LINE_WORDS 8
#define LINES (PAGE_BYTES / 64)
#define MOST_ENCODED (PAGE_BYTES * 3 / 4) /* a page that would need more is stored as it is */
#define LONG (PAGE_BYTES / 4)		  /* above this, the other way is tried as well */

#define OVERRUN 3 /* bytes after the last one that get_half() reads */

enum way { FROM_ZEROS, FROM_NEIGHBOURS, WHOLE };

struct page {
	uint32_t refs;
	uint16_t bytes;
	uint8_t way;
	uint8_t data[];
};

struct image {
	uint32_t refs;
	size_t n, added;
	struct page *page[]; /* NULL: zeros */
};

static const uint8_t zeros[PAGE_BYTES];

/* ---------------------------------------------------------------- differences */

/* Returns a mask of the bytes of x that are not zero. */
static unsigned
mask_bytes(uint64_t x)
{
	const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
	uint64_t t = (((x & low) + low) | x) & ~low;

	return (unsigned)(((t >> 7) * UINT64_C(0x0102040810204080)) >> 56);
}

/* For each mask of four bytes: the bits below the first byte, and the bytes from it to the last
 * one. */
static const uint8_t shift_of[16] = {0, 0, 8, 0, 16, 0, 8, 0, 24, 0, 8, 0, 16, 0, 8, 0};
static const uint8_t length_of[16] = {0, 1, 1, 2, 1, 3, 2, 3, 1, 4, 3, 4, 2, 4, 3, 4};

/* Converts to and from the byte order that the tables above assume. */
static inline uint32_t
little_endian(uint32_t x)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	x = __builtin_bswap32(x);
#endif
	return x;
}

static inline uint8_t *
put_half(uint8_t *p, uint32_t x, unsigned set)
{
	uint32_t bytes = little_endian(x >> shift_of[set]);

	memcpy(p, &bytes, 4);
	return p + length_of[set];
}

static inline const uint8_t *
get_half(const uint8_t *p, uint32_t *x, unsigned set)
{
	uint32_t bytes;

	memcpy(&bytes, p, 4);
	*x = (uint32_t)(little_endian(bytes) & ((UINT64_C(1) << 8 * length_of[set]) - 1))
	     << shift_of[set];
	return p + length_of[set];
}

static inline uint8_t *
put_word(uint8_t *p, uint64_t x, uint64_t *before)
{
	unsigned set;

	if (x == *before) {
		*p = 0;
		return p + 1;
	}
	*before = x;
	set = mask_bytes(x);
	*p++ = (uint8_t)set;
	p = put_half(p, (uint32_t)x, set & 15);
	return put_half(p, (uint32_t)(x >> 32), set >> 4);
}

static inline const uint8_t *
get_word(const uint8_t *p, uint64_t *before)
{
	unsigned set = *p++;
	uint32_t low, high;

	if (!set)
		return p;
	p = get_half(p, &low, set & 15);
	p = get_half(p, &high, set >> 4);
	*before = (uint64_t)high << 32 | low;
	return p;
}

/* Gets the words from which those of a line are encoded as differences. */
static void
get_base_words(uint64_t k[LINE_WORDS], const uint8_t *mem, unsigned line, enum way way)
{
	k[0] = k[1] = 0;
	if (way == FROM_ZEROS)
		memset(k, 0, 64);
	else if (line)
		memcpy(k, mem + 64 * line - 16, 64);
	else
		memcpy(k + 2, mem, 48);
}

/* Returns a mask of the words of a line that are not zero. Unrolled, because every line needs it.
 */
static inline unsigned
mask_words(const uint64_t x[LINE_WORDS])
{
	return (unsigned)(x[0] != 0) | (unsigned)(x[1] != 0) << 1 | (unsigned)(x[2] != 0) << 2 |
	       (unsigned)(x[3] != 0) << 3 | (unsigned)(x[4] != 0) << 4 |
	       (unsigned)(x[5] != 0) << 5 | (unsigned)(x[6] != 0) << 6 | (unsigned)(x[7] != 0) << 7;
}

/* encode_differences() gives up after the line that exceeds MOST_ENCODED. */
#define DIFFERENCE_ROOM (MOST_ENCODED + LINE_WORDS * 9 + 8)

/* Returns the bytes of the encoded page, or PAGE_BYTES if it is too long. */
static inline __attribute__((always_inline)) unsigned
encode_differences(uint8_t *out, const uint8_t *mem, enum way way)
{
	uint8_t *p = out + LINES;
	uint64_t before[2] = {0};

	for (unsigned line = 0; line < LINES; line++) {
		uint64_t x[LINE_WORDS], k[LINE_WORDS];
		unsigned set;

		memcpy(x, mem + 64 * line, 64);
		get_base_words(k, mem, line, way);
		for (unsigned i = 0; i < LINE_WORDS; i++)
			x[i] ^= k[i];
		set = mask_words(x);
		out[line] = (uint8_t)set;
		if (p > out + MOST_ENCODED)
			return PAGE_BYTES;
		for (; set; set &= set - 1) {
			unsigned i = (unsigned)__builtin_ctz(set);

			p = put_word(p, x[i], &before[i & 1]);
		}
	}
	return (unsigned)(p - out);
}

/* A constant argument lets the compiler make a loop of its own for each way. */
static unsigned
encode_page(uint8_t *out, const uint8_t *mem, enum way way)
{
	return way == FROM_NEIGHBOURS ? encode_differences(out, mem, FROM_NEIGHBOURS)
				      : encode_differences(out, mem, FROM_ZEROS);
}

static void
decode_page(uint8_t *page, const uint8_t *d, enum way way)
{
	const uint8_t *p = d + LINES;
	uint64_t x[2] = {0}, w[2] = {0};

	for (unsigned i = 0; i < PAGE_BYTES / 8; i++) {
		uint64_t *v = &w[i & 1];

		if (way == FROM_ZEROS)
			*v = 0;
		if (d[i / 8] >> i % 8 & 1) {
			p = get_word(p, &x[i & 1]);
			*v ^= x[i & 1];
		}
		memcpy(page + 8 * i, v, 8);
	}
}

/* ---------------------------------------------------------------- pages */

static struct page *
page_new(enum way way, const uint8_t *data, unsigned bytes)
{
	struct page *p = malloc(sizeof(*p) + bytes + OVERRUN);

	if (p) {
		*p = (struct page){.refs = 1, .bytes = (uint16_t)bytes, .way = (uint8_t)way};
		memcpy(p->data, data, bytes);
	}
	return p;
}

static void
page_free(struct page *p)
{
	if (p && !--p->refs)
		free(p);
}

/* Sets *to to the page for the content of mem, which was `last` in the image before. Returns false
 * when memory runs out. It keeps the way of `last` until the page becomes long. */
static bool
page_take(struct page **to, struct page *last, const uint8_t *mem)
{
	uint8_t one[DIFFERENCE_ROOM], other[DIFFERENCE_ROOM];
	const uint8_t *d = one;
	enum way way = last && last->way == FROM_NEIGHBOURS ? FROM_NEIGHBOURS : FROM_ZEROS;
	unsigned n, m;

	*to = NULL;
	if (memcmp(mem, zeros, PAGE_BYTES) == 0)
		return true;
	n = encode_page(one, mem, way);
	if (n > LONG && (!last || last->bytes <= LONG)) {
		m = encode_page(other, mem, FROM_NEIGHBOURS - way);
		if (m < n) {
			d = other;
			n = m;
			way = FROM_NEIGHBOURS - way;
		}
	}
	if (n == PAGE_BYTES) {
		d = mem;
		way = WHOLE;
	}
	if (last && last->bytes == n && last->way == way && memcmp(last->data, d, n) == 0) {
		*to = last;
		last->refs++;
	} else {
		*to = page_new(way, d, n);
	}
	return *to != NULL;
}

/* Returns the content of a page, which may be in scratch. */
static const uint8_t *
page_content(const struct page *p, uint8_t scratch[PAGE_BYTES])
{
	if (!p)
		return zeros;
	if (p->way == WHOLE)
		return p->data;
	decode_page(scratch, p->data, p->way);
	return scratch;
}

/* ---------------------------------------------------------------- images */

static size_t
pages_of(const struct memory_range *p)
{
	return (p->bytes + PAGE_BYTES - 1) / PAGE_BYTES;
}

static size_t
page_bytes(const struct page *p)
{
	return p ? sizeof(*p) + p->bytes : 0;
}

struct image *
image_take(const struct image *like, const struct memory_range *range, unsigned n_ranges)
{
	struct image *m;
	size_t n = 0;

	for (unsigned i = 0; i < n_ranges; i++)
		n += pages_of(&range[i]);
	m = malloc(sizeof(*m) + n * sizeof(m->page[0]));
	if (!m)
		return NULL;
	*m = (struct image){.refs = 1, .added = sizeof(*m) + n * sizeof(m->page[0])};
	for (unsigned i = 0; i < n_ranges; i++)
		for (size_t k = 0; k < pages_of(&range[i]); k++) {
			const uint8_t *mem = (const uint8_t *)range[i].mem + k * PAGE_BYTES;
			struct page *last = like && m->n < like->n ? like->page[m->n] : NULL;
			struct page **to = &m->page[m->n];

			if (!page_take(to, last, mem)) {
				image_free(m);
				return NULL;
			}
			m->n++;
			if (*to && (*to)->refs == 1)
				m->added += page_bytes(*to);
		}
	return m;
}

void
image_put(const struct image *m, const struct memory_range *range, unsigned n_ranges)
{
	uint8_t scratch[PAGE_BYTES];
	size_t at = 0;

	for (unsigned i = 0; i < n_ranges; i++)
		for (size_t k = 0; k < pages_of(&range[i]); k++) {
			char *mem = range[i].mem + k * PAGE_BYTES;
			const uint8_t *is = page_content(m->page[at++], scratch);

			/* memory that was never written must stay untouched */
			if (memcmp(mem, is, PAGE_BYTES))
				memcpy(mem, is, PAGE_BYTES);
		}
}

struct image *
image_share(struct image *m)
{
	m->refs++;
	return m;
}

void
image_free(struct image *m)
{
	if (!m || --m->refs)
		return;
	for (size_t i = 0; i < m->n; i++)
		page_free(m->page[i]);
	free(m);
}

size_t
image_bytes(const struct image *m)
{
	size_t n = sizeof(*m) + m->n * sizeof(m->page[0]);

	for (size_t i = 0; i < m->n; i++)
		n += page_bytes(m->page[i]);
	return n;
}

size_t
image_added(const struct image *m)
{
	return m->added;
}

size_t
image_own(const struct image *m)
{
	size_t n = sizeof(*m) + m->n * sizeof(m->page[0]);

	for (size_t i = 0; i < m->n; i++)
		if (m->page[i] && m->page[i]->refs == 1)
			n += page_bytes(m->page[i]);
	return n;
}
