/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * devmem.c - allocates and finds the device's global memory.
 *
 * Global memory is one reservation of host address space without access rights. The part below
 * d->open is readable and writable; it grows with the highest allocation, so the host provides only
 * what is in use. If the host does not grant 16 GiB of address space (ulimit -v), half of it is
 * tried, and so on.
 *
 * Allocation is first fit from the lowest address, so that a program gets the same addresses in
 * every run. The GAP bytes after an allocation belong to no block, so that an access past the end
 * finds none, however small the overrun. Memory outside all blocks is zero: a released block is
 * given back to the host, or cleared if it is small, and nothing can write between blocks.
 *
 * Not supported: more than one device, page tables.
 */
#include "record/ptx/mem/devmem.h"
#include "record/ptx/mem/mem.h"
#include "compat/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define GAP 256u
#define ALIGN_DEFAULT 256u
#define OPEN_STEP (2ull << 20) /* d->open grows by multiples of this */
#define PAGE 4096u /* a multiple of it is correct, too, where pages of the host are larger */
#define GIVE_BACK (64u << 10) /* released blocks below this are cleared instead */

static uint64_t
round_up(uint64_t x, uint64_t to)
{
	return (x + to - 1) / to * to;
}

/* Reserves address space at PTX_GLOBAL_BASE, or anywhere. *bytes is reduced if less is available.
 */
static uint8_t *
reserve_space(bool anywhere, uint64_t *bytes)
{
	uint64_t least = MIN(*bytes, anywhere ? 64ull << 20 : 1ull << 30);
	int flags =
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (anywhere ? 0 : MAP_FIXED_NOREPLACE);
	void *at = anywhere ? NULL : (void *)(uintptr_t)PTX_GLOBAL_BASE;

#ifdef __SANITIZE_THREAD__ /* replaces an address that it does not support by 0, even a fixed one \
			    */
	if (!anywhere)
		return NULL;
#endif
	for (uint64_t n = *bytes; n >= least; n = round_up(n / 2, OPEN_STEP)) {
		void *p = mmap(at, n, PROT_NONE, flags, -1, 0);

		if (p == MAP_FAILED)
			continue;
		if (anywhere || p == at) {
			*bytes = n;
			return p;
		}
		munmap(p, n); /* a kernel before 4.17 takes the address as a hint */
	}
	return NULL;
}

struct ptx_device *
ptx_device_new(uint64_t bytes, struct err *e)
{
	struct ptx_device *d = calloc(1, sizeof(*d));

	if (!d) {
		err_nomem(e);
		return NULL;
	}
	bytes = bytes ? bytes : 16ull << 30;
	if (bytes > 1ull << 40) {
		err_set(e, "device memory of %" PRIu64 " bytes, expected at most 2^40", bytes);
		free(d);
		return NULL;
	}
	d->mapped = round_up(MAX(bytes, 64ull << 20), OPEN_STEP);
	d->host = reserve_space(false, &d->mapped);
	if (!d->host)
		d->host = reserve_space(true, &d->mapped);
	d->bytes = MIN(bytes, d->mapped);
	if (!d->host) {
		err_set(e, "no %" PRIu64 " MiB of address space are free for the device's memory",
			bytes >> 20);
		free(d);
		return NULL;
	}
	return d;
}

void
ptx_device_free(struct ptx_device *d)
{
	if (!d)
		return;
	while (d->n_module)
		ptx_unload(d, d->module[d->n_module - 1], NULL);
	for (uint32_t i = 0; i < d->n_block; i++) {
		free((char *)(uintptr_t)d->block[i].what);
		free(d->block[i].written);
	}
	tex_free(d);
	munmap(d->host, d->mapped);
	free(d->block);
	free(d->module);
	free(d);
}

uint64_t
ptx_used(const struct ptx_device *d)
{
	return d->used;
}

uint64_t
ptx_capacity(const struct ptx_device *d)
{
	return d->bytes;
}

/* ---- looking up ---- */

/* Index of the first block that starts above addr. */
static uint32_t
find_first_above(const struct ptx_device *d, uint64_t addr)
{
	uint32_t lo = 0, hi = d->n_block;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (d->block[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct mem_block *
devmem_near(const struct ptx_device *d, uint64_t addr)
{
	uint32_t i = find_first_above(d, addr);

	if (!d->n_block)
		return NULL;
	if (!i)
		return &d->block[0];
	/* Between two blocks, take the one whose edge is closer. */
	if (i < d->n_block && addr > d->block[i - 1].addr + d->block[i - 1].bytes &&
	    d->block[i].addr - addr < addr - (d->block[i - 1].addr + d->block[i - 1].bytes))
		return &d->block[i];
	return &d->block[i - 1];
}

const struct mem_block *
devmem_search(const struct ptx_device *d, uint64_t addr, uint64_t bytes, uint32_t *hint)
{
	uint32_t i = find_first_above(d, addr);

	if (!i || !mem_block_holds(&d->block[i - 1], addr, bytes))
		return NULL;
	*hint = i - 1;
	return &d->block[i - 1];
}

/* ---- freed memory ---- */

static bool
ranges_overlap(uint64_t a, uint64_t n, uint64_t b, uint64_t m)
{
	return a < b + m && b < a + n;
}

static void
remember_freed(struct ptx_device *d, const struct mem_block *b)
{
	struct mem_freed *f = &d->freed[d->n_freed++ % MEM_FREED];

	f->addr = b->addr;
	f->bytes = b->bytes;
	snprintf(f->what, sizeof(f->what), "%s", b->what);
}

/* Forgets the freed blocks in whose place something was allocated. */
static void
forget_freed(struct ptx_device *d, uint64_t addr, uint64_t bytes)
{
	for (uint32_t i = 0; i < MIN(d->n_freed, MEM_FREED); i++)
		if (ranges_overlap(addr, bytes, d->freed[i].addr, d->freed[i].bytes))
			d->freed[i].bytes = 0;
}

/* A freed block that overlaps the bytes at addr, or NULL. */
static const struct mem_freed *
find_freed(const struct ptx_device *d, uint64_t addr, uint64_t bytes)
{
	for (uint32_t i = 0; i < MIN(d->n_freed, MEM_FREED); i++)
		if (d->freed[i].bytes &&
		    ranges_overlap(addr, bytes, d->freed[i].addr, d->freed[i].bytes))
			return &d->freed[i];
	return NULL;
}

/* Is addr mapped in this process, and no address of the device? */
static bool
is_host_memory(const struct ptx_device *d, uint64_t addr)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	unsigned char resident;

	if (addr - (uintptr_t)d->host < d->mapped || addr - PTX_GLOBAL_BASE < d->mapped)
		return false;
	return mincore((void *)(uintptr_t)(addr / page * page), 1, &resident) == 0;
}

void
devmem_explain(const struct ptx_device *d, uint64_t addr, uint64_t bytes, char *buf, size_t size)
{
	const struct mem_block *b = devmem_near(d, addr);
	const struct mem_freed *f = find_freed(d, addr, 1);
	uint64_t end = b ? b->addr + b->bytes : 0;
	int n = snprintf(buf, size, "%" PRIu64 " byte%s at 0x%" PRIx64, bytes,
			 bytes == 1 ? "" : "s", addr);

	if (n < 0 || (size_t)n >= size)
		return;
	buf += n;
	size -= (size_t)n;
	if (addr < 1u << 16) {
		snprintf(buf, size, ": a null pointer");
	} else if (f) {
		snprintf(buf, size,
			 " are in memory that was freed%s: '%s' of %" PRIu64 " bytes at 0x%" PRIx64,
			 strncmp(f->what, "cuMem", 5) == 0 ? " by cudaFree" : "", f->what, f->bytes,
			 f->addr);
	} else if (is_host_memory(d, addr)) {
		snprintf(buf, size,
			 " are memory of the host program (a variable or malloc), not of the "
			 "device; copy the data with cudaMemcpy");
	} else if (!b) {
		snprintf(buf, size, ": nothing is allocated");
	} else if (addr >= b->addr && addr < end) {
		snprintf(buf, size,
			 " are partly outside of an allocation: '%s' of %" PRIu64
			 " bytes at 0x%" PRIx64 ", which ends %" PRIu64 " bytes later",
			 b->what, b->bytes, b->addr, end - addr);
	} else {
		snprintf(buf, size,
			 " are outside of every allocation; nearest: '%s' of %" PRIu64
			 " bytes at 0x%" PRIx64 ", %" PRIu64 " bytes %s",
			 b->what, b->bytes, b->addr, addr < b->addr ? b->addr - addr : addr - end,
			 addr < b->addr ? "before its start" : "past its end");
	}
}

bool
ptx_allocation(const struct ptx_device *d, uint64_t addr, uint64_t *start, uint64_t *bytes)
{
	uint32_t i = find_first_above(d, addr);

	if (!i || !mem_block_holds(&d->block[i - 1], addr, 1))
		return false;
	if (start)
		*start = d->block[i - 1].addr;
	if (bytes)
		*bytes = d->block[i - 1].bytes;
	return true;
}

void *
ptx_host(struct ptx_device *d, uint64_t addr, uint64_t bytes, struct err *e)
{
	char why[320];
	uint32_t hint = 0;

	if (devmem_search(d, addr, bytes, &hint))
		return devmem_host(d, addr);
	devmem_explain(d, addr, bytes, why, sizeof(why));
	err_set(e, "%s", why);
	return NULL;
}

/* ---- allocating ---- */

/* Makes everything below end (an offset) accessible. */
static int
make_accessible(struct ptx_device *d, uint64_t end, struct err *e)
{
	uint64_t to = MIN(round_up(end, OPEN_STEP), d->mapped);

	if (to <= d->open)
		return 0;
	if (mprotect(d->host + d->open, to - d->open, PROT_READ | PROT_WRITE) != 0)
		return err_set(e,
			       "the host has no memory for %" PRIu64 " more MiB of device memory",
			       (to - d->open) >> 20);
	d->open = to;
	return 0;
}

/* The first aligned address from at on whose bytes overlap no freed block. */
static uint64_t
skip_freed(const struct ptx_device *d, uint64_t at, uint64_t bytes, uint32_t align)
{
	const struct mem_freed *f;

	while ((f = find_freed(d, at, bytes)))
		at = round_up(f->addr + f->bytes + GAP, align);
	return at;
}

/* Finds the first fit: the index to insert at, and the address; UINT32_MAX: no room. unused: only
 * where nothing was freed. */
static uint32_t
find_fit(const struct ptx_device *d, uint64_t bytes, uint32_t align, bool unused, uint64_t *addr)
{
	uint64_t at = PTX_GLOBAL_BASE, end = PTX_GLOBAL_BASE + d->bytes;

	for (uint32_t i = find_first_above(d, PTX_GLOBAL_BASE - 1); i <= d->n_block; i++) {
		uint64_t limit = i < d->n_block ? MIN(d->block[i].addr - GAP, end) : end;

		at = round_up(at, align);
		if (unused)
			at = skip_freed(d, at, bytes, align);
		if (at <= limit && bytes <= limit - at) {
			*addr = at;
			return i;
		}
		if (i < d->n_block)
			at = MAX(at, d->block[i].addr + d->block[i].bytes + GAP);
	}
	return UINT32_MAX;
}

static int
report_no_room(const struct ptx_device *d, uint64_t bytes, struct err *e)
{
	return err_set(e,
		       "no room for %" PRIu64 " bytes: %" PRIu64 " of %" PRIu64
		       " bytes of device memory are allocated",
		       bytes, d->used, d->bytes);
}

/* Inserts the block as the i-th of the table. */
static int
insert_block(struct ptx_device *d, uint32_t i, struct mem_block b, struct err *e)
{
	if (d->n_block == d->cap_block) {
		uint32_t cap = d->cap_block ? 2 * d->cap_block : 64;
		struct mem_block *more = realloc(d->block, cap * sizeof(*more));

		if (!more)
			return err_nomem(e);
		d->block = more;
		d->cap_block = cap;
	}
	b.what = strdup(b.what ? b.what : "allocation");
	if (!b.what)
		return err_nomem(e);
	memmove(&d->block[i + 1], &d->block[i], (d->n_block - i) * sizeof(b));
	d->block[i] = b;
	d->n_block++;
	if (!b.adopted)
		d->used += b.bytes;
	return 0;
}

static uint64_t
alloc_block(struct ptx_device *d, uint64_t bytes, uint32_t align, const char *what, bool read_only,
	    bool unused, struct err *e)
{
	uint64_t addr = 0;
	uint32_t i;

	align = align ? align : ALIGN_DEFAULT;
	if (!bytes || (align & (align - 1)) != 0) {
		err_set(e, "cannot allocate %" PRIu64 " bytes aligned to %" PRIu32, bytes, align);
		return 0;
	}
	i = bytes > d->bytes ? UINT32_MAX : find_fit(d, bytes, align, unused, &addr);
	if (i == UINT32_MAX && unused)
		i = find_fit(d, bytes, align, false, &addr);
	if (i == UINT32_MAX) {
		report_no_room(d, bytes, e);
		return 0;
	}
	if (make_accessible(d, addr - PTX_GLOBAL_BASE + bytes, e) != 0)
		return 0;
	if (insert_block(d, i, (struct mem_block){addr, bytes, what, read_only, false, false, NULL},
			 e))
		return 0;
	forget_freed(d, addr, bytes);
	return addr;
}

uint64_t
devmem_alloc(struct ptx_device *d, uint64_t bytes, uint32_t align, const char *what, bool read_only,
	     struct err *e)
{
	return alloc_block(d, bytes, align, what, read_only, false, e);
}

uint64_t
devmem_alloc_params(struct ptx_device *d, uint64_t bytes, struct err *e)
{
	return alloc_block(d, bytes, 0, "kernel parameters", true, true, e);
}

uint64_t
ptx_alloc(struct ptx_device *d, uint64_t bytes, uint32_t align, const char *what, struct err *e)
{
	return devmem_alloc(d, bytes, align, what, false, e);
}

bool
ptx_unified(const struct ptx_device *d)
{
	return (uintptr_t)d->host == PTX_GLOBAL_BASE;
}

int
ptx_adopt(struct ptx_device *d, void *p, uint64_t bytes, const char *what, struct err *e)
{
	uint64_t addr = (uintptr_t)p;
	uint32_t i = find_first_above(d, addr);

	if (!ptx_unified(d))
		return err_set(e,
			       "host memory has no device address in this process: another mapping "
			       "occupies 0x%" PRIx64,
			       (uint64_t)PTX_GLOBAL_BASE);
	if (!bytes || addr < 1u << 16 || bytes > UINT64_MAX / 2 - addr)
		return err_set(e, "cannot adopt %" PRIu64 " bytes at 0x%" PRIx64, bytes, addr);
	if (ranges_overlap(addr, bytes, PTX_GLOBAL_BASE, d->mapped) ||
	    ranges_overlap(addr, bytes, PTX_SHARED_BASE, PTX_WINDOW_BYTES) ||
	    ranges_overlap(addr, bytes, PTX_LOCAL_BASE, PTX_WINDOW_BYTES) ||
	    (i && ranges_overlap(addr, bytes, d->block[i - 1].addr, d->block[i - 1].bytes)) ||
	    (i < d->n_block && ranges_overlap(addr, bytes, d->block[i].addr, d->block[i].bytes)))
		return err_set(e, "%" PRIu64 " bytes at 0x%" PRIx64 " are already device memory",
			       bytes, addr);
	return insert_block(d, i, (struct mem_block){addr, bytes, what, false, true, false, NULL},
			    e);
}

void
ptx_protect(struct ptx_device *d, uint64_t addr)
{
	uint32_t i = find_first_above(d, addr);

	if (i && d->block[i - 1].addr == addr)
		d->block[i - 1].read_only = true;
}

void
ptx_share(struct ptx_device *d, uint64_t addr)
{
	uint32_t i = find_first_above(d, addr);

	if (i && d->block[i - 1].addr == addr)
		d->block[i - 1].host_writes = true;
}

/* Zeroes bytes at p. Whole pages of a large block are returned to the host. */
static void
clear_bytes(uint8_t *p, uint64_t bytes)
{
	uint64_t head = (PAGE - (uintptr_t)p % PAGE) % PAGE, body;

	if (bytes >= GIVE_BACK) {
		body = (bytes - head) / PAGE * PAGE;
		if (madvise(p + head, body, MADV_DONTNEED) == 0) {
			memset(p, 0, head);
			memset(p + head + body, 0, bytes - head - body);
			return;
		}
	}
	memset(p, 0, bytes);
}

int
ptx_release(struct ptx_device *d, uint64_t addr, struct err *e)
{
	uint32_t i = find_first_above(d, addr);
	struct mem_block *b = i ? &d->block[i - 1] : NULL;
	uint64_t start;

	if (!b || b->addr != addr) {
		if (ptx_allocation(d, addr, &start, NULL))
			return err_set(e,
				       "cannot free 0x%" PRIx64
				       ": it lies in the allocation at 0x%" PRIx64
				       ", not at its start",
				       addr, start);
		return err_set(e, "cannot free 0x%" PRIx64 ": nothing is allocated there", addr);
	}
	if (!b->adopted && !b->read_only)
		remember_freed(d, b);
	if (!b->adopted) {
		clear_bytes(devmem_host(d, addr), b->bytes);
		d->used -= b->bytes;
	}
	free((char *)(uintptr_t)b->what);
	free(b->written);
	memmove(b, b + 1, (d->n_block - i) * sizeof(*b));
	d->n_block--;
	return 0;
}
