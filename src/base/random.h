/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random.h - numbers that look random and follow from a seed: the same on every machine. Not for
 * secrets, and not for the model, which has no random source.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include "ctascope/base.h"

/* splitmix64 (Steele, Lea, Flood 2014). *state begins as the seed, which may be any number. */
static inline uint64_t
random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* A number below n, which is at least 1 and far below 2^32. */
static inline unsigned
random_below(uint64_t *state, unsigned n)
{
	return (unsigned)((random_next(state) >> 32) * n >> 32);
}

#endif
