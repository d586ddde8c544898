/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hash.c - four independent multiply-rotate lanes over 32-byte stripes, which the processor
 * computes in parallel (several GB/s); the tail, the length and the lanes are mixed at the end.
 */
#include "base/hash.h"

#include <string.h>

#define K1 0x9e3779b97f4a7c15u /* odd constants with well spread bits */
#define K2 0xc2b2ae3d27d4eb4fu
#define K3 0x165667b19e3779f9u

static inline uint64_t
rotate_left(uint64_t x, int r)
{
	return x << r | x >> (64 - r);
}

static inline uint64_t
read_u64(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static inline uint64_t
lane_add(uint64_t lane, uint64_t word)
{
	return rotate_left(lane + word * K2, 31) * K1;
}

static void
hash_stripes(uint64_t lane[4], const uint8_t *p, size_t n_stripes)
{
	uint64_t a = lane[0], b = lane[1], c = lane[2], d = lane[3];

	for (; n_stripes; n_stripes--, p += 32) {
		a = lane_add(a, read_u64(p));
		b = lane_add(b, read_u64(p + 8));
		c = lane_add(c, read_u64(p + 16));
		d = lane_add(d, read_u64(p + 24));
	}
	lane[0] = a;
	lane[1] = b;
	lane[2] = c;
	lane[3] = d;
}

void
hash_init(struct hash *h, uint64_t seed)
{
	*h = (struct hash){.seed = seed, .lane = {seed + K1 + K2, seed + K2, seed, seed - K1}};
}

void
hash_add(struct hash *h, const void *from, size_t n)
{
	const uint8_t *p = from;

	h->total += n;
	if (h->n_tail || n < 32) {
		size_t take = MIN(n, sizeof(h->tail) - h->n_tail);

		if (take)
			memcpy(h->tail + h->n_tail, p, take);
		h->n_tail += (uint32_t)take;
		p += take;
		n -= take;
		if (h->n_tail < 32)
			return;
		hash_stripes(h->lane, h->tail, 1);
		h->n_tail = 0;
	}
	hash_stripes(h->lane, p, n / 32);
	p += n / 32 * 32;
	n %= 32;
	if (n)
		memcpy(h->tail, p, n);
	h->n_tail = (uint32_t)n;
}

uint64_t
hash_end(const struct hash *h)
{
	uint64_t x = h->seed + K3, word;
	uint32_t i;

	for (i = 0; i < 4; i++)
		x = rotate_left(x ^ h->lane[i] * K2, 27) * K1 + K3;
	x += h->total * K2;
	for (i = 0; i + 8 <= h->n_tail; i += 8)
		x = rotate_left(x ^ read_u64(h->tail + i) * K2, 27) * K1 + K3;
	word = 0;
	for (; i < h->n_tail; i++)
		word = word << 8 | h->tail[i];
	x = rotate_left(x ^ (word + h->n_tail) * K3, 23) * K2;
	x ^= x >> 33;
	x *= K2;
	x ^= x >> 29;
	x *= K3;
	return x ^ x >> 32;
}

uint64_t
hash64(const void *p, size_t n, uint64_t seed)
{
	struct hash h;

	hash_init(&h, seed);
	hash_add(&h, p, n);
	return hash_end(&h);
}
