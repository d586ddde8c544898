/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.c - images of memory: all contents are restored, equal pages are shared, and each image can
 * be freed.
 */
#include "base/pages.h"

#include "tests/tap.h"

#define PAGES 24
#define BYTES (PAGES * PAGE_BYTES)

static uint64_t seed = 88172645463325252u;

static uint64_t
roll(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static struct image *
take(const struct image *like, char *mem, size_t bytes)
{
	struct memory_range p = {mem, bytes};

	return image_take(like, &p, 1);
}

static bool
comes_back(const struct image *m, char *mem, const char *was, size_t bytes)
{
	struct memory_range p = {mem, bytes};

	image_put(m, &p, 1);
	return memcmp(mem, was, bytes) == 0;
}

/* Fills memory with contents that are easy or hard to compress: words of any length at any place,
 * tables, noise. */
static void
scribble(uint64_t *w, unsigned kind)
{
	uint64_t base = roll();

	for (unsigned i = 0; i < PAGE_BYTES / 8; i++) {
		unsigned shift = (unsigned)roll() % 64, keep = (unsigned)roll() % 64;

		switch (kind) {
		case 0: /* sparse */
			w[i] = roll() % 16 ? 0 : roll() >> shift;
			break;
		case 1: /* any byte may be zero */
			w[i] = roll() & (UINT64_C(0xff) << shift / 8 * 8 | roll());
			break;
		case 2: /* addresses */
			w[i] = base + roll() % 4096 * 32;
			break;
		case 3: /* entries of two words, and now and then none */
			w[i] = roll() % 9 == 0 ? 0 : i & 1 ? roll() >> 40 : 0x01010101;
			break;
		case 4: /* entries of two words, with gaps */
			w[i] = roll();
			break;
		case 5: /* slightly changed */
			w[i] ^= roll() % 64 ? 0 : roll() >> keep;
			break;
		case 6:
			w[i] = UINT64_MAX;
			break;
		default:
			w[i] = 0;
		}
	}
}

static void
every_content(void)
{
	static uint64_t mem[BYTES / 8], was[40][BYTES / 8];
	struct image *m[40] = {NULL};
	unsigned bad = 0;
	bool more = true;

	for (unsigned i = 0; i < 40; i++) {
		for (unsigned p = 0; p < PAGES; p++)
			if (i == 0 || roll() % 3 == 0)
				scribble(mem + p * PAGE_BYTES / 8, (unsigned)(roll() % 8));
		memcpy(was[i], mem, BYTES);
		m[i] = take(i ? m[i - 1] : NULL, (char *)mem, BYTES);
		more &= m[i] != NULL;
	}
	ok(more, "forty images");
	for (unsigned i = 0; more && i < 400; i++) {
		unsigned k = (unsigned)(roll() % 40);

		if (!m[k])
			continue;
		bad += !comes_back(m[k], (char *)mem, (char *)was[k], BYTES);
		if (roll() % 8 == 0) {
			image_free(m[k]);
			m[k] = NULL;
		}
	}
	ok(!bad, "each comes back as it was, whatever is freed");
	for (unsigned i = 0; i < 40; i++)
		image_free(m[i]);
}

static void
shared(void)
{
	static uint64_t mem[BYTES / 8], was[BYTES / 8];
	struct image *a, *b, *c;
	size_t table;

	for (unsigned p = 0; p < PAGES; p++)
		scribble(mem + p * PAGE_BYTES / 8, 4);
	a = take(NULL, (char *)mem, BYTES);
	ok(image_added(a) == image_bytes(a) && image_added(a) > BYTES &&
		   image_added(a) < BYTES + BYTES / 50,
	   "noise is kept whole");
	b = take(a, (char *)mem, BYTES);
	table = image_added(b);
	ok(table < PAGES * 9 + 64 && image_bytes(b) == image_bytes(a), "the same is shared");
	mem[5 * PAGE_BYTES / 8] ^= 1;
	memcpy(was, mem, BYTES);
	c = take(b, (char *)mem, BYTES);
	ok(image_added(c) > PAGE_BYTES && image_added(c) < table + PAGE_BYTES + 32,
	   "but for the page that changed");
	image_free(b);
	image_free(a);
	memset(mem, 0, BYTES);
	b = take(c, (char *)mem, BYTES);
	is_u64(image_bytes(b), table, "zeros are not kept");
	ok(comes_back(c, (char *)mem, (char *)was, BYTES), "nor in the way of what was there");
	image_free(image_share(b));
	memset(was, 0, BYTES);
	ok(comes_back(b, (char *)mem, (char *)was, BYTES), "held twice, freed once");
	image_free(b);
	image_free(c);
}

/* The last range may grow and shrink. */
static void
ranges(void)
{
	static uint64_t mem[2][BYTES / 8], was[2][BYTES / 8];
	struct memory_range p[2] = {{(char *)mem[0], BYTES}, {(char *)mem[1], 3 * PAGE_BYTES}};
	struct image *a, *b, *c;

	for (unsigned i = 0; i < 2 * PAGES; i++)
		scribble(mem[i / PAGES] + i % PAGES * PAGE_BYTES / 8, i % 4);
	memcpy(was, mem, sizeof(was));
	a = image_take(NULL, p, 2);
	p[1].bytes = 9 * PAGE_BYTES - 100; /* the whole last page */
	b = image_take(a, p, 2);
	p[1].bytes = 1;
	c = image_take(b, p, 2);
	ok(image_added(c) < 64 + (PAGES + 1) * 9, "a shorter one has nothing new");
	memset(mem, 1, sizeof(mem));
	image_put(c, p, 2);
	ok(!memcmp(mem[0], was[0], BYTES) && !memcmp(mem[1], was[1], PAGE_BYTES) &&
		   mem[1][PAGE_BYTES / 8] == UINT64_C(0x0101010101010101),
	   "and puts only its own back");
	p[1].bytes = 9 * PAGE_BYTES - 100;
	image_put(b, p, 2);
	ok(!memcmp(mem[1], was[1], 9 * PAGE_BYTES), "the longer one as well");
	image_free(b);
	image_free(c);
	image_free(a);
}

int
main(void)
{
	every_content();
	shared();
	ranges();
	return done();
}
