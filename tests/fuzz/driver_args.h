/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * driver_args.h - arguments for calls of the driver, made from the bytes of an input: handles that
 * earlier calls returned, sizes, addresses.
 */
#ifndef TESTS_FUZZ_DRIVER_ARGS_H
#define TESTS_FUZZ_DRIVER_ARGS_H

#include "record/cuda/cuda_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define POOL 16
#define ROOM 65536

/* Results of calls, shared by the threads; a race for a slot only changes the order. */
static struct {
	uint64_t address[POOL], array[POOL], stream[POOL], event[POOL], module[POOL],
		function[POOL], texref[POOL], texture[POOL], context[POOL], library[POOL],
		host[POOL], physical[POOL], range[POOL], link[POOL];
} pool;

struct caller {
	const uint8_t *p, *end;
	uint8_t room[ROOM]; /* host memory */
	CUcontext context;
	bool alone;
};

static inline unsigned
byte(struct caller *c)
{
	return c->p < c->end ? *c->p++ : 0;
}

static inline uint64_t
from(struct caller *c, const uint64_t *of)
{
	unsigned b = byte(c);

	if (b >= 250)
		return (uint64_t)byte(c) << (b % 6 * 8);
	return __atomic_load_n(&of[b % POOL], __ATOMIC_RELAXED);
}

static inline void *
handle(struct caller *c, const uint64_t *of)
{
	return (void *)(uintptr_t)from(c, of);
}

static inline void
keep(struct caller *c, uint64_t *of, uint64_t v)
{
	__atomic_store_n(&of[byte(c) % POOL], v, __ATOMIC_RELAXED);
}

static inline size_t
size_of(struct caller *c)
{
	unsigned b = byte(c);

	return b < 240 ? b * 16 : b < 252 ? (size_t)byte(c) << 8 : SIZE_MAX >> (byte(c) % 24);
}

/* Returns a size that host memory has. */
static inline size_t
host_size(struct caller *c)
{
	size_t n = size_of(c);

	return n < ROOM / 2 ? n : ROOM / 2;
}

static inline uint64_t
address(struct caller *c)
{
	uint64_t a = from(c, pool.address);
	unsigned b = byte(c);

	return b < 200 ? a : a + b - 200;
}

/* Returns an extent of a copy: mostly small, sometimes beyond all memory. */
static inline size_t
extent(struct caller *c)
{
	unsigned b = byte(c);

	return b < 200 ? b % 8 : b < 240 ? size_of(c) : SIZE_MAX - byte(c);
}

/* Returns an address on the device, or the host's. */
static inline CUdeviceptr
anywhere(struct caller *c)
{
	CUdeviceptr a = address(c), base;
	size_t n;

	return cuMemGetAddressRange(&base, &n, a) == CUDA_SUCCESS ? a : (uintptr_t)c->room;
}

#endif
