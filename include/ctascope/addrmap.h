/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * addrmap.h - maps an address to its slice, bank and row.
 *
 * Chunks of `chunk` bytes rotate over the channels, whose number need not be a power of two. The
 * address without its channel is the channel-local address; bank and row are bit fields of it, the
 * rest is the column. With two slices per channel the lowest bank bit selects the slice; the L2
 * index is read from the local address without that bit. Bits above the row do not reach DRAM.
 */
#ifndef CTASCOPE_ADDRMAP_H
#define CTASCOPE_ADDRMAP_H

#include "ctascope/base.h"

#define CHANNELS_ODD UINT32_MAX

struct addrmap {
	uint64_t bank_bits, row_bits;
	uint32_t chunk_shift;
	uint32_t channels, slices; /* slices per channel */
	uint32_t slice_bit;	   /* of the local address */
	uint32_t hash_n;	   /* the slice is hashed as a number below it; 0: it is not */
	uint32_t hash_shift;	   /* bits of the chunk's local number that the slice has */
	uint32_t
		channel_shift; /* channels = 1 << channel_shift; CHANNELS_ODD: not a power of two */
};

/* The polynomial hash of i, of log2(n) bits, with the bits of h; n is 16, 32 or 64. */
static inline uint32_t
addr_hash(uint64_t h, uint32_t i, unsigned n)
{
	static const uint32_t masks[3][6] = {
		{0xf59, 0x11eb, 0x3d6, 0x7ac},
		{0x3e69, 0x7cd2, 0x47cd, 0xf9a, 0x1f34},
		{0x79461, 0xbca3, 0x17946, 0x2f28c, 0x5e518, 0x3ca30},
	};
	const uint32_t *m = masks[n == 64 ? 2 : n == 32];
	uint32_t x = 0;

	for (unsigned k = 0; n >> k > 1; k++)
		x |= (uint32_t)__builtin_parity((uint32_t)h & m[k]) << k;
	return x ^ i;
}

/* The slice of an address; *local is its channel-local address. */
static inline uint32_t
addr_route(const struct addrmap *m, uint64_t addr, uint64_t *local)
{
	uint64_t q = addr >> m->chunk_shift, channel, rest;

	if (m->channel_shift != CHANNELS_ODD) {
		rest = q >> m->channel_shift;
		channel = q & (m->channels - 1);
	} else {
		rest = q / m->channels;
		channel = q - rest * m->channels;
	}
	*local = rest << m->chunk_shift | (addr & ((UINT64_C(1) << m->chunk_shift) - 1));
	if (m->slices > 1)
		channel = channel * m->slices + (*local >> m->slice_bit & (m->slices - 1));
	if (unlikely(m->hash_n)) {
		channel = addr_hash(rest >> m->hash_shift, (uint32_t)channel, m->hash_n);
		if (channel >= m->channels * m->slices) /* only if not a power of two */
			channel -= m->channels * m->slices;
	}
	return (uint32_t)channel;
}

/* The address the L2 set index is read from. */
static inline uint64_t
addr_l2_index(const struct addrmap *m, uint64_t local)
{
	uint64_t low = local & ((UINT64_C(1) << m->slice_bit) - 1);

	return m->slices == 1 ? local : (local >> (m->slice_bit + 1)) << m->slice_bit | low;
}

/* Gathers the bits of a that mask selects, low to high. */
static inline uint32_t
addr_gather(uint64_t a, uint64_t mask)
{
	uint32_t v = 0;

	for (unsigned n = 0; mask;) { /* a run of them at a time */
		unsigned first = (unsigned)__builtin_ctzll(mask);
		unsigned bits = (unsigned)__builtin_ctzll(~(mask >> first));
		uint64_t run = (UINT64_C(1) << bits) - 1;

		v |= (uint32_t)(a >> first & run) << n;
		n += bits;
		mask &= ~(run << first);
	}
	return v;
}

#endif
