/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sha256.c - SHA-256 and HMAC (sha256.h).
 *
 * A message is padded to whole blocks of 64 bytes: a bit 1, zeros, and its length in bits.
 */
#include "base/sha256.h"

#include <string.h>

#define BLOCK 64u

struct sha256 {
	uint32_t h[8];
	uint8_t block[BLOCK];
	uint64_t n; /* bytes so far */
};

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constant[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
	0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
	0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
	0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
	0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
	0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
	0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2};

static uint32_t
rotate_right(uint32_t x, unsigned n)
{
	return x >> n | x << (32 - n);
}

/* The first 16 words are the block, most significant byte first; each other follows from four
 * before it. */
static void
expand_block(const uint8_t *block, uint32_t w[64])
{
	for (unsigned i = 0; i < 16; i++)
		w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
		       (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
	for (unsigned i = 16; i < 64; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + (rotate_right(a, 7) ^ rotate_right(a, 18) ^ a >> 3) + w[i - 7] +
		       (rotate_right(b, 17) ^ rotate_right(b, 19) ^ b >> 10);
	}
}

static void
add_block(struct sha256 *s)
{
	uint32_t w[64], v[8];

	expand_block(s->block, w);
	memcpy(v, s->h, sizeof(v));
	for (unsigned i = 0; i < 64; i++) {
		uint32_t a = v[0], e = v[4];
		uint32_t t1 = v[7] +
			      (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25)) +
			      ((e & v[5]) ^ (~e & v[6])) + round_constant[i] + w[i];
		uint32_t t2 = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22)) +
			      ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));

		memmove(v + 1, v, 7 * sizeof(v[0]));
		v[4] += t1;
		v[0] = t1 + t2;
	}
	for (unsigned i = 0; i < 8; i++)
		s->h[i] += v[i];
}

static void
add_bytes(struct sha256 *s, const void *p, size_t n)
{
	const uint8_t *from = p;

	for (size_t i = 0; i < n; i++) {
		s->block[s->n++ % BLOCK] = from[i];
		if (s->n % BLOCK == 0)
			add_block(s);
	}
}

/* The square roots of the first eight primes begin the state. */
static struct sha256
begin_hash(void)
{
	return (struct sha256){.h = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
				     0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

static void
end_hash(struct sha256 *s, uint8_t out[SHA256_BYTES])
{
	static const uint8_t one = 0x80, zero = 0;
	uint64_t bits = 8 * s->n;
	uint8_t length[8];

	for (unsigned i = 0; i < 8; i++)
		length[i] = (uint8_t)(bits >> (56 - 8 * i));
	add_bytes(s, &one, 1);
	while (s->n % BLOCK != BLOCK - 8)
		add_bytes(s, &zero, 1);
	add_bytes(s, length, sizeof(length));
	for (unsigned i = 0; i < SHA256_BYTES; i++)
		out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

void
sha256(const void *p, size_t n, uint8_t out[SHA256_BYTES])
{
	struct sha256 s = begin_hash();

	add_bytes(&s, p, n);
	end_hash(&s, out);
}

void
hmac_sha256(const void *key, size_t n_key, const void *p, size_t n, uint8_t out[SHA256_BYTES])
{
	uint8_t pad[BLOCK] = {0}, inner[SHA256_BYTES];
	struct sha256 s;

	if (n_key > BLOCK)
		sha256(key, n_key, pad);
	else if (n_key)
		memcpy(pad, key, n_key);
	for (unsigned i = 0; i < BLOCK; i++)
		pad[i] ^= 0x36;
	s = begin_hash();
	add_bytes(&s, pad, BLOCK);
	add_bytes(&s, p, n);
	end_hash(&s, inner);
	for (unsigned i = 0; i < BLOCK; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	s = begin_hash();
	add_bytes(&s, pad, BLOCK);
	add_bytes(&s, inner, sizeof(inner));
	end_hash(&s, out);
}
