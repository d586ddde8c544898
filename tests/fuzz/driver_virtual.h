/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * driver_virtual.h - calls of virtual memory and of the linker, made from the bytes of an input,
 * and a function that frees all that they created.
 */
#ifndef TESTS_FUZZ_DRIVER_VIRTUAL_H
#define TESTS_FUZZ_DRIVER_VIRTUAL_H

#include "tests/fuzz/driver_args.h"

#include <string.h>

#define GRANULE ((size_t)2 << 20)
#define MADE 64
#define MAX_GRANULES 8u

/* Everything that was created, by all threads. */
static struct {
	uint64_t range[MADE], physical[MADE], link[MADE];
	size_t bytes[MADE];
	unsigned n_range, n_physical, n_link;
} all_made;

/* Returns whole granules, and sometimes another size. */
static inline size_t
granules(struct caller *c)
{
	unsigned b = byte(c);

	return b < 240	 ? (b % MAX_GRANULES + 1) * GRANULE
	       : b < 248 ? size_of(c)
			 : SIZE_MAX - b * GRANULE;
}

static inline CUmemAllocationProp
allocation_prop(struct caller *c)
{
	unsigned b = byte(c);
	CUmemAllocationProp p = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
				 .location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}};

	if (b >= 240)
		memset(&p, (int)byte(c), sizeof(p));
	return p;
}

static inline CUresult
call_physical(struct caller *c)
{
	CUmemAllocationProp prop = allocation_prop(c);
	size_t bytes = granules(c);
	CUmemGenericAllocationHandle h = 0;
	CUresult r;
	size_t n;

	switch (byte(c) % 6) {
	case 0:
	case 1:
		n = __atomic_fetch_add(&all_made.n_physical, 1, __ATOMIC_RELAXED);
		if (n >= MADE)
			return CUDA_SUCCESS;
		r = cuMemCreate(&h, bytes, bytes % 7 ? &prop : NULL, 0);
		if (r == CUDA_SUCCESS)
			all_made.physical[n] = h;
		keep(c, pool.physical, h);
		return r;
	case 2:
		return cuMemRelease(from(c, pool.physical));
	case 3:
		return cuMemGetAllocationPropertiesFromHandle(&prop, from(c, pool.physical));
	case 4:
		r = cuMemRetainAllocationHandle(&h, (void *)(uintptr_t)address(c));
		return r == CUDA_SUCCESS ? cuMemRelease(h) : r;
	default:
		return cuMemGetAllocationGranularity(&n, &prop,
						     (CUmemAllocationGranularity_flags)(byte(c) %
											3));
	}
}

static inline CUresult
call_range(struct caller *c)
{
	CUmemAccessDesc how[2] = {{.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}},
				  {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE}}};
	uint64_t at = from(c, pool.range) + (byte(c) < 128 ? 0 : byte(c) % MAX_GRANULES * GRANULE);
	size_t bytes = granules(c);
	unsigned long long flags;
	CUdeviceptr p = 0;
	CUresult r;
	unsigned n;

	switch (byte(c) % 10) {
	case 0:
		n = __atomic_fetch_add(&all_made.n_range, 1, __ATOMIC_RELAXED);
		if (n >= MADE)
			return CUDA_SUCCESS;
		all_made.bytes[n] = bytes;
		r = cuMemAddressReserve(&p, bytes, byte(c) < 200 ? 0 : GRANULE << byte(c) % 40, at,
					bytes % 7 == 0);
		all_made.range[n] = p;
		keep(c, pool.range, p);
		return r;
	case 1:
		return cuMemAddressFree(at, bytes);
	case 2:
	case 3:
	case 4:
		keep(c, pool.address, at);
		return cuMemMap(at, bytes, bytes % 7 ? 0 : GRANULE, from(c, pool.physical), 0);
	case 5:
		return cuMemUnmap(at, bytes);
	case 6:
		return cuMemGetAccess(&flags, &how[0].location, at);
	case 7:
		return cuMemsetD8(at, byte(c) & 255, bytes);
	default:
		how[0].flags = (CUmemAccess_flags)(byte(c) % 5);
		how[1].flags = (CUmemAccess_flags)(byte(c) % 5);
		how[1].location.id = byte(c) % 7 == 6;
		return cuMemSetAccess(at, bytes, how, 1 + byte(c) % 3 % 2);
	}
}

/* text: a valid module. The program must keep a linker's options and their values as long as the
 * linker exists. */
static inline CUresult
call_link(struct caller *c, const char *text)
{
	static char log[64];
	static CUjit_option option[] = {CU_JIT_ERROR_LOG_BUFFER,
					CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	static void *value[] = {log, (void *)sizeof(log)};
	void *image = NULL;
	CUlinkState s = NULL;
	CUmodule m = NULL;
	CUresult r;
	size_t n;

	switch (byte(c) % 7) {
	case 0:
		n = __atomic_fetch_add(&all_made.n_link, 1, __ATOMIC_RELAXED);
		if (n >= MADE)
			return CUDA_SUCCESS;
		r = cuLinkCreate(byte(c) % 2 * 2, option, value, &s);
		all_made.link[n] = (uintptr_t)s;
		keep(c, pool.link, (uintptr_t)s);
		return r;
	case 1:
	case 2:
		s = handle(c, pool.link);
		n = strlen(text) + 1 - byte(c) % 200;
		return cuLinkAddData(s, (CUjitInputType)(byte(c) % 8), (void *)(uintptr_t)text, n,
				     "data", 0, NULL, NULL);
	case 3:
		n = host_size(c);
		memset(c->room, (int)byte(c), n);
		return cuLinkAddData(handle(c, pool.link), (CUjitInputType)(byte(c) % 8), c->room,
				     n, byte(c) < 200 ? "room" : NULL, 0, option, value);
	case 4:
		return cuLinkAddFile(handle(c, pool.link), (CUjitInputType)(byte(c) % 8),
				     byte(c) < 128 ? "/nowhere" : "/", 0, NULL, NULL);
	case 5:
		r = cuLinkComplete(handle(c, pool.link), &image, &n);
		if (r != CUDA_SUCCESS || !c->alone) /* another thread could destroy it meanwhile */
			return r;
		r = cuModuleLoadData(&m, image);
		keep(c, pool.module, (uintptr_t)m);
		return r;
	default:
		return cuLinkDestroy(handle(c, pool.link));
	}
}

static inline void
virtual_put_away(void)
{
	for (unsigned i = 0; i < MADE; i++) {
		cuLinkDestroy((CUlinkState)(uintptr_t)all_made.link[i]);
		for (size_t at = 0; all_made.range[i] && at < all_made.bytes[i]; at += GRANULE)
			for (size_t n = 1; n <= MAX_GRANULES; n++)
				cuMemUnmap(all_made.range[i] + at, n * GRANULE);
		if (all_made.range[i])
			cuMemAddressFree(all_made.range[i], all_made.bytes[i]);
		while (all_made.physical[i] && cuMemRelease(all_made.physical[i]) == CUDA_SUCCESS)
			;
	}
	memset(&all_made, 0, sizeof(all_made));
}

#endif
