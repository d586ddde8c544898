/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hash.h - 64-bit content hash: checksums, digests, hash tables. Not for secrets.
 *
 * The value depends on the bytes and the seed only, not on the machine (bytes are read as
 * little-endian words) nor on how a stream was cut into pieces.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "ctascope/base.h"

uint64_t hash64(const void *p, size_t n, uint64_t seed);

/* The same in pieces: hash_init, any number of hash_add, hash_end. */
struct hash {
	uint64_t lane[4];
	uint64_t seed, total;
	uint8_t tail[32];
	uint32_t n_tail;
};

void hash_init(struct hash *h, uint64_t seed);
void hash_add(struct hash *h, const void *p, size_t n);
uint64_t hash_end(const struct hash *h); /* may be called at any time; h can be continued */

/* Mixes one integer: a good table index for keys that are integers. */
static inline uint64_t
hash_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

#endif
