/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * virtual.c - manages virtual memory: reserves address ranges, creates physical memory, maps parts
 * of ranges to it and makes them accessible.
 *
 * Physical memory is memory of the process that may have several addresses. Mapping uses the host's
 * virtual memory (mremap of a shared mapping), so that a value written under one address is read
 * under the other. Physical memory lives as long as it has a handle or a mapping. For kernels and
 * copies, each run of adjacent mapped pieces with the same access rights is one allocation
 * (ptx_adopt), created again whenever rights change; everything else in a range is outside all
 * allocations. The place of a mapping depends only on the previous calls.
 *
 * Not supported: other devices, host memory, handles for other processes.
 */
#include "record/cuda/driver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GRANULE (2ull << 20)
#define LOWEST 0x240000000000ull /* above the device's memory of any size (devmem.c) */
#define HIGHEST 0x280000000000ull

struct physical {
	struct object o;
	uint64_t bytes;
	void *host;
	unsigned handles, pieces;
	CUmemAllocationProp prop;
};

/* The mapped pieces of a range, in the order of their addresses. */
struct piece {
	struct piece *next;
	uint64_t addr, bytes;
	struct physical *of;
	unsigned access;
	bool begins_allocation; /* an allocation of the device begins here */
};

struct range { /* in the order of their addresses */
	struct range *next;
	uint64_t addr, bytes;
	struct piece *piece;
};

/* ---- physical memory ---- */

static struct physical *
find_handle(struct driver *d, CUmemGenericAllocationHandle handle)
{
	struct physical *p = object_find(d, OBJ_PHYSICAL, handle);

	return p && p->handles ? p : NULL;
}

static void
free_if_unused(struct driver *d, struct physical *p)
{
	if (p->handles || p->pieces)
		return;
	munmap(p->host, p->bytes);
	d->physical -= p->bytes;
	object_remove(d, &p->o);
	free(p);
}

static CUresult
check_place(const struct driver *d, const CUmemLocation *l)
{
	if (!d->machine.unified || l->type != CU_MEM_LOCATION_TYPE_DEVICE)
		return CUDA_ERROR_NOT_SUPPORTED;
	return l->id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

static CUresult
check_prop(const struct driver *d, const CUmemAllocationProp *p)
{
	if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED)
		return CUDA_ERROR_INVALID_VALUE;
	return p->requestedHandleTypes ? CUDA_ERROR_NOT_SUPPORTED : check_place(d, &p->location);
}

EXPORT
cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
			      CUmemAllocationGranularity_flags option)
{
	ENTER(NEED_INIT);
	CUresult r = check_prop(d, prop);

	if (!bytes || (unsigned)option > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
		return CUDA_ERROR_INVALID_VALUE;
	*bytes = GRANULE;
	return r;
}

EXPORT
cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
	    unsigned long long flags)
{
	ENTER(NEED_INIT);
	CUresult r = check_prop(d, prop);
	struct physical *p;

	if (r != CUDA_SUCCESS)
		return r;
	if (!handle || flags || !bytes || bytes % GRANULE)
		return CUDA_ERROR_INVALID_VALUE;
	if (bytes > UINT64_MAX / 2 ||
	    ptx_used(d->device) + d->physical + bytes > ptx_capacity(d->device))
		return CUDA_ERROR_OUT_OF_MEMORY;
	p = calloc(1, sizeof(*p));
	if (!p)
		return CUDA_ERROR_OUT_OF_MEMORY;
	p->host = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p->host == MAP_FAILED) {
		free(p);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	p->bytes = bytes;
	p->handles = 1;
	p->prop = *prop;
	d->physical += bytes;
	object_add(d, &p->o, OBJ_PHYSICAL, (uintptr_t)p);
	*handle = (uintptr_t)p;
	return CUDA_SUCCESS;
}

EXPORT
cuMemRelease(CUmemGenericAllocationHandle handle)
{
	ENTER(NEED_INIT);
	struct physical *p = find_handle(d, handle);

	if (!p)
		return CUDA_ERROR_INVALID_VALUE;
	p->handles--;
	free_if_unused(d, p);
	return CUDA_SUCCESS;
}

EXPORT
cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop,
				       CUmemGenericAllocationHandle handle)
{
	ENTER(NEED_INIT);
	struct physical *p = find_handle(d, handle);

	if (!prop || !p)
		return CUDA_ERROR_INVALID_VALUE;
	*prop = p->prop;
	return CUDA_SUCCESS;
}

/* ---- ranges ---- */

static struct range *
find_range(const struct driver *d, uint64_t addr)
{
	for (struct range *r = d->range; r && r->addr <= addr; r = r->next)
		if (addr - r->addr < r->bytes)
			return r;
	return NULL;
}

bool
virtual_reserved(const struct driver *d, uint64_t addr)
{
	return find_range(d, addr) != NULL;
}

/* Makes bytes inaccessible. If fresh, fails when the process uses some of them; otherwise their
 * mappings are replaced. */
static bool
make_inaccessible(uint64_t addr, uint64_t bytes, bool fresh)
{
	void *at = (void *)(uintptr_t)addr;
	void *p = mmap(at, bytes, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
			       (fresh ? MAP_FIXED_NOREPLACE : MAP_FIXED),
		       -1, 0);

	if (p != MAP_FAILED && p != at)
		munmap(p, bytes); /* a kernel before 4.17 takes the address as a hint */
	return p == at;
}

static uint64_t
round_up(uint64_t x, uint64_t to)
{
	return (x + to - 1) / to * to;
}

/* Reserves the lowest address between the ranges that the system grants; 0: there is none. *before:
 * the position of the range in the list. */
static uint64_t
reserve_range(struct driver *d, uint64_t bytes, uint64_t align, struct range ***before)
{
	uint64_t at = round_up(LOWEST, align);

	for (*before = &d->range;; *before = &(**before)->next) {
		const struct range *next = **before;
		uint64_t end = next ? next->addr : HIGHEST;

		for (; at <= end && bytes <= end - at; at = round_up(at + GRANULE, align))
			if (make_inaccessible(at, bytes, true))
				return at;
		if (!next)
			return 0;
		at = round_up(next->addr + next->bytes, align);
	}
}

EXPORT
cuMemAddressReserve(CUdeviceptr *addr, size_t bytes, size_t align, CUdeviceptr wish ATTR_UNUSED,
		    unsigned long long flags)
{
	ENTER(NEED_INIT);
	struct range **before, *r;
	uint64_t at;

	if (!d->machine.unified)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (!addr || !bytes || bytes % GRANULE || (align & (align - 1)) || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (bytes > HIGHEST - LOWEST || align > HIGHEST - LOWEST)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = calloc(1, sizeof(*r));
	at = r ? reserve_range(d, bytes, MAX(align, GRANULE), &before) : 0;
	if (!at) {
		free(r);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*r = (struct range){.next = *before, .addr = at, .bytes = bytes};
	*before = r;
	*addr = at;
	return CUDA_SUCCESS;
}

EXPORT
cuMemAddressFree(CUdeviceptr addr, size_t bytes)
{
	ENTER(NEED_INIT);

	for (struct range **p = &d->range; *p; p = &(*p)->next) {
		struct range *r = *p;

		if (r->addr != addr || r->bytes != bytes || r->piece)
			continue;
		munmap((void *)(uintptr_t)addr, bytes);
		*p = r->next;
		free(r);
		return CUDA_SUCCESS;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

/* ---- pieces ---- */

/* The first of the pieces that together are exactly these bytes; NULL: there are no such pieces. */
static struct piece **
find_pieces(const struct driver *d, uint64_t addr, uint64_t bytes)
{
	struct range *r = find_range(d, addr);
	struct piece **first = r ? &r->piece : NULL;
	uint64_t at = addr;

	while (first && *first && (*first)->addr < addr)
		first = &(*first)->next;
	for (struct piece *p = first ? *first : NULL; p && at - addr < bytes; p = p->next) {
		if (p->addr != at)
			return NULL;
		at += p->bytes;
	}
	return bytes && at - addr == bytes ? first : NULL;
}

/* Removes the allocations of a range from the device. */
static void
hide_range(struct driver *d, struct range *r)
{
	for (struct piece *p = r->piece; p; p = p->next) {
		if (p->begins_allocation)
			ptx_release(d->device, p->addr, NULL);
		p->begins_allocation = false;
	}
}

/* Makes an allocation of each run of neighbours with the same rights. */
static CUresult
show_range(struct driver *d, struct range *r)
{
	struct err e = {0};
	struct piece *next;

	for (struct piece *p = r->piece; p; p = next) {
		uint64_t end = p->addr + p->bytes;

		for (next = p->next; next && next->addr == end && next->access == p->access;
		     next = next->next)
			end += next->bytes;
		if (!p->access)
			continue;
		if (ptx_adopt(d->device, (void *)(uintptr_t)p->addr, end - p->addr, "cuMemMap", &e))
			return driver_error(&e, CUDA_ERROR_OUT_OF_MEMORY);
		p->begins_allocation = true;
		if (p->access == CU_MEM_ACCESS_FLAGS_PROT_READ)
			ptx_protect(d->device, p->addr);
	}
	return CUDA_SUCCESS;
}

EXPORT
cuMemMap(CUdeviceptr addr, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
	 unsigned long long flags)
{
	ENTER(NEED_INIT);
	struct physical *of = find_handle(d, handle);
	struct range *r = find_range(d, addr);
	struct piece **at, *p;

	if (!of || !r || !bytes || (addr | bytes) % GRANULE || offset || flags ||
	    bytes > of->bytes || bytes > r->bytes - (addr - r->addr))
		return CUDA_ERROR_INVALID_VALUE;
	for (at = &r->piece; *at && (*at)->addr < addr + bytes; at = &(*at)->next)
		if ((*at)->addr + (*at)->bytes > addr)
			return CUDA_ERROR_INVALID_VALUE; /* something is mapped there */
	p = calloc(1, sizeof(*p));
	if (!p || mremap(of->host, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
			 (void *)(uintptr_t)addr) == MAP_FAILED) {
		if (p)
			make_inaccessible(addr, bytes, false);
		free(p);
		return CUDA_ERROR_OUT_OF_MEMORY;
	}
	*p = (struct piece){.next = *at, .addr = addr, .bytes = bytes, .of = of};
	*at = p;
	d->aliases |= of->pieces++ > 0;
	return CUDA_SUCCESS;
}

EXPORT
cuMemUnmap(CUdeviceptr addr, size_t bytes)
{
	ENTER(NEED_INIT);
	struct piece **first = find_pieces(d, addr, bytes), *p;
	struct range *r = find_range(d, addr);

	if (!first)
		return CUDA_ERROR_INVALID_VALUE;
	hide_range(d, r);
	while ((p = *first) && p->addr - addr < bytes) {
		*first = p->next;
		make_inaccessible(p->addr, p->bytes, false);
		p->of->pieces--;
		free_if_unused(d, p->of);
		free(p);
	}
	return show_range(d, r);
}

EXPORT
cuMemSetAccess(CUdeviceptr addr, size_t bytes, const CUmemAccessDesc *desc, size_t n)
{
	ENTER(NEED_INIT);
	struct piece **first = find_pieces(d, addr, bytes);
	struct range *r = find_range(d, addr);
	unsigned access = 0;
	CUresult bad;

	if (!first || !desc || !n)
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < n; i++) {
		bad = check_place(d, &desc[i].location);
		access = (unsigned)desc[i].flags;
		if (bad != CUDA_SUCCESS)
			return bad;
		if (access && access != CU_MEM_ACCESS_FLAGS_PROT_READ &&
		    access != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
			return CUDA_ERROR_INVALID_VALUE;
	}
	hide_range(d, r);
	for (struct piece *p = *first; p && p->addr - addr < bytes; p = p->next)
		p->access = access;
	return show_range(d, r);
}

static struct piece *
find_piece(const struct driver *d, uint64_t addr)
{
	struct range *r = find_range(d, addr);

	for (struct piece *p = r ? r->piece : NULL; p; p = p->next)
		if (addr >= p->addr && addr - p->addr < p->bytes)
			return p;
	return NULL;
}

EXPORT
cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr addr)
{
	ENTER(NEED_INIT);
	struct piece *p = find_piece(d, addr);

	if (!flags || !location || !p)
		return CUDA_ERROR_INVALID_VALUE;
	*flags = p->access;
	return check_place(d, location);
}

EXPORT
cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *addr)
{
	ENTER(NEED_INIT);
	struct piece *p = find_piece(d, (uintptr_t)addr);

	if (!handle || !p)
		return CUDA_ERROR_INVALID_VALUE;
	p->of->handles++;
	*handle = (uintptr_t)p->of;
	return CUDA_SUCCESS;
}
