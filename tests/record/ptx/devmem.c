/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * devmem.c - the device's memory without kernels: addresses and contents of allocations, messages
 * about wrong addresses; and loading of modules with their initial values.
 */
#include <stdlib.h>
#include "tests/tap.h"
#include "record/ptx/mem/devmem.h"

static struct err e;

#define BASE PTX_GLOBAL_BASE

static void
is_error(int rc, const char *text)
{
	ok(rc != 0, "refused: %s", text);
	is_str(e.msg, text, "its words");
	err_clear(&e);
}

static void
test_places(void)
{
	struct ptx_device *d = ptx_device_new(1 << 20, &e);
	uint64_t a, b, c, start, bytes;
	uint8_t *p;

	ok(ptx_capacity(d) == 1 << 20 && ptx_used(d) == 0, "1 MiB, none used");
	a = ptx_alloc(d, 100, 0, "a", &e);
	b = ptx_alloc(d, 256, 0, "b", &e);
	c = ptx_alloc(d, 10, 4096, NULL, &e);
	ok(a == BASE && b == BASE + 512 && c == BASE + 4096, "first fit with gaps and alignment");
	is_u64(ptx_used(d), 366, "bytes in use");
	ok(ptx_allocation(d, a + 99, &start, &bytes) && start == a && bytes == 100,
	   "the last byte");
	ok(!ptx_allocation(d, a + 100, &start, &bytes), "the byte after it");
	ok(!ptx_allocation(d, b + 256, NULL, NULL) && !ptx_allocation(d, BASE - 1, NULL, NULL),
	   "gaps are nobody's");
	p = ptx_host(d, a, 100, &e);
	memset(p, 7, 100);
	ok(ptx_release(d, a, &e) == 0, "freed");
	ok(ptx_alloc(d, 257, 0, "x", &e) == b + 512, "too large for the gap");
	ok(ptx_alloc(d, 256, 0, "a", &e) == a, "the lowest place again");
	p = ptx_host(d, a, 256, &e);
	ok(!p[0] && !p[99], "zero again");
	is_u64(ptx_used(d), 256 + 256 + 10 + 257, "bytes in use");
	ptx_device_free(d);
}

static void
test_large(void)
{
	struct ptx_device *d = ptx_device_new(0, &e);
	uint64_t n = 3 << 20, a = ptx_alloc(d, n, 0, "big", &e), sum = 0;
	uint8_t *p = ptx_host(d, a, n, &e);

	ok(ptx_capacity(d) >= 64 << 20 && ptx_capacity(d) <= 16ull << 30, "room by default");
	memset(p, 1, n);
	ptx_release(d, a, &e);
	ok(ptx_alloc(d, 100, 0, "small", &e) == a && ptx_alloc(d, n, 0, "big", &e) == a + 512,
	   "placed again, elsewhere");
	p = ptx_host(d, a + 512, n, &e);
	for (uint64_t i = 0; i < n; i++)
		sum += p[i];
	is_u64(sum, 0, "large blocks are zero when allocated again");
	ptx_device_free(d);
}

static void
test_errors(void)
{
	struct ptx_device *d = ptx_device_new(1 << 20, &e);
	uint64_t a = ptx_alloc(d, 64, 0, "cuMemAlloc", &e), b = ptx_alloc(d, 64, 0, "b", &e);

	is_error(ptx_release(d, a + 4, &e),
		 "cannot free 0x200000000004: it lies in the allocation at "
		 "0x200000000000, not at its start");
	is_error(ptx_release(d, a + 64, &e),
		 "cannot free 0x200000000040: nothing is allocated there");
	is_error(ptx_host(d, a + 64, 4, &e) == NULL,
		 "4 bytes at 0x200000000040 are outside of every allocation; nearest: 'cuMemAlloc' "
		 "of "
		 "64 bytes at 0x200000000000, 0 bytes past its end");
	is_error(ptx_host(d, b - 4, 4, &e) == NULL, "4 bytes at 0x2000000001fc are outside of "
						    "every allocation; nearest: 'b' of 64 bytes "
						    "at 0x200000000200, 4 bytes before its start");
	is_error(
		ptx_host(d, a + 60, 8, &e) == NULL,
		"8 bytes at 0x20000000003c are partly outside of an allocation: 'cuMemAlloc' of 64 "
		"bytes at 0x200000000000, which ends 4 bytes later");
	is_error(
		ptx_host(d, a, UINT64_MAX, &e) == NULL,
		"18446744073709551615 bytes at 0x200000000000 are partly outside of an allocation: "
		"'cuMemAlloc' of 64 bytes at 0x200000000000, which ends 64 bytes later");
	is_error(ptx_host(d, 16, 1, &e) == NULL, "1 byte at 0x10: a null pointer");
	is_error(ptx_alloc(d, 0, 0, "x", &e) == 0, "cannot allocate 0 bytes aligned to 256");
	is_error(ptx_alloc(d, 4, 3, "x", &e) == 0, "cannot allocate 4 bytes aligned to 3");
	is_error(ptx_alloc(d, 1 << 20, 0, "x", &e) == 0,
		 "no room for 1048576 bytes: 128 of 1048576 bytes of device memory are allocated");
	is_error(
		ptx_alloc(d, UINT64_MAX - 5, 0, "x", &e) == 0,
		"no room for 18446744073709551610 bytes: 128 of 1048576 bytes of device memory are "
		"allocated");
	ptx_release(d, a, &e);
	ptx_release(d, b, &e);
	is_error(ptx_host(d, BASE, 1, &e) == NULL,
		 "1 byte at 0x200000000000 are in memory that was freed by cudaFree: 'cuMemAlloc' "
		 "of 64 bytes at 0x200000000000");
	is_error(ptx_host(d, b - 1, 1, &e) == NULL,
		 "1 byte at 0x2000000001ff: nothing is allocated");
	ok(ptx_host(d, (uintptr_t)d, 4, &e) == NULL &&
		   strstr(e.msg, "are memory of the host program"),
	   "host memory is called so");
	ok(ptx_alloc(d, 1 << 20, 0, "all", &e) == BASE, "all of the memory in one piece");
	ptx_device_free(d);
	ptx_device_free(NULL);
	is_error(ptx_device_new(1ull << 50, &e) == NULL,
		 "device memory of 1125899906842624 bytes, expected at most 2^40");
}

/* Many blocks, freed in another order: the table stays sorted, and no block's bytes change. */
static void
test_many(void)
{
	struct ptx_device *d = ptx_device_new(1 << 24, &e);
	uint64_t at[300], seed = 1;
	uint32_t size[300], bad = 0;

	memset(at, 0, sizeof(at));
	for (uint32_t round = 0; round < 3000; round++) {
		uint32_t i;
		uint8_t *p;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		i = (uint32_t)(seed >> 33) % 300;
		if (at[i]) {
			p = ptx_host(d, at[i], size[i], &e);
			for (uint32_t k = 0; p && k < size[i]; k++)
				bad += p[k] != (uint8_t)(i + k);
			bad += !p || ptx_release(d, at[i], &e) != 0;
			at[i] = 0;
			continue;
		}
		size[i] = 1 + (uint32_t)(seed >> 45) % 3000;
		at[i] = ptx_alloc(d, size[i], 1u << (seed >> 60), "many", &e);
		p = at[i] ? ptx_host(d, at[i], size[i], &e) : NULL;
		bad += !p || at[i] % (1u << (seed >> 60)) != 0;
		for (uint32_t k = 0; p && k < size[i]; k++) {
			bad += p[k] != 0;
			p[k] = (uint8_t)(i + k);
		}
	}
	is_u64(bad, 0, "3000 random allocations and releases");
	bad = 0;
	for (uint32_t i = 1; i < d->n_block; i++)
		bad += d->block[i].addr < d->block[i - 1].addr + d->block[i - 1].bytes + 256;
	is_u64(bad, 0, "sorted, with a gap between any two");
	ptx_device_free(d);
}

static void
test_adopt(void)
{
	struct ptx_device *d = ptx_device_new(0, &e), *other = ptx_device_new(0, &e);
	uint32_t *p = calloc(16, 4);

	ok(other && !ptx_unified(other), "a second device lies elsewhere");
	ok(ptx_alloc(other, 8, 0, "x", &e) == BASE, "with the same addresses");
	is_error(ptx_adopt(other, p, 64, "host", &e),
		 "host memory has no device address in this process: another mapping occupies "
		 "0x200000000000");
	if (ptx_unified(d)) {
		uint64_t a = (uintptr_t)p, n = ptx_alloc(d, 64, 0, "own", &e);

		ok(ptx_host(d, n, 64, &e) == (void *)(uintptr_t)n,
		   "device addresses are host addresses");
		ok(ptx_adopt(d, p, 64, "host", &e) == 0, "the host's memory is adopted");
		p[3] = 77;
		ok(ptx_host(d, a, 64, &e) == p && ptx_used(d) == 64, "where it is, uncounted");
		ok(ptx_adopt(d, p, 4, "host", &e) != 0, "not twice");
		err_clear(&e);
		ok(ptx_alloc(d, 8, 0, "next", &e) == BASE + 512, "allocation goes on");
		ok(ptx_release(d, a, &e) == 0 && p[3] == 77, "released, not cleared");
	} else {
		diag("something else lies at the device's address: no test of adopted memory");
	}
	ptx_device_free(d);
	ptx_device_free(other);
	free(p);
}

/* ---------------------------------------------------------------- modules */

static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			   ".global .u32 count = 5;\n"
			   ".const .align 16 .b8 bytes[6] = {1, 2, 3};\n"
			   ".shared .align 4 .b32 sh;\n"
			   ".global .u64 ptrs[4] = {count, generic(bytes) + 4, f};\n"
			   ".func f() { ret; }\n"
			   ".visible .entry k() { .reg .b64 %r1; mov.u64 %r1, count; st.global.u64 "
			   "[ptrs], %r1; ret; }\n";

static struct ptx_module *
parse(const char *t)
{
	struct ptx_module *m = ptx_parse("m.ptx", t, strlen(t), &e);

	if (!m)
		diag("%s", e.msg);
	return m;
}

static void
test_load(void)
{
	struct ptx_device *d = ptx_device_new(0, &e);
	struct ptx_module *m = parse(text);
	uint64_t count, bytes, ptrs, n;
	const uint8_t *b;
	const uint64_t *p;

	is_error(ptx_symbol(d, m, "count", &count, &n, &e), "module 'm.ptx' is not loaded");
	is_error(ptx_unload(d, m, &e), "module 'm.ptx' is not loaded");
	ok(ptx_load(d, m, &e) == 0, "loaded");
	is_error(ptx_load(d, m, &e), "module 'm.ptx' is already loaded");
	ok(ptx_symbol(d, m, "count", &count, &n, &e) == 0 && n == 4, "count: 4 bytes");
	ok(*(uint32_t *)ptx_host(d, count, 4, &e) == 5, "with its initial value");
	ok(ptx_symbol(d, m, "bytes", &bytes, &n, &e) == 0 && n == 6, "bytes: 6");
	b = ptx_host(d, bytes, 6, &e);
	ok(b[0] == 1 && b[2] == 3 && b[5] == 0, "the rest is 0");
	ok(ptx_symbol(d, m, "ptrs", &ptrs, NULL, &e) == 0, "ptrs");
	p = ptx_host(d, ptrs, 32, &e);
	ok(p[0] == count && p[1] == bytes + 4, "addresses of variables");
	ok(p[2] == PTX_CODE_BASE, "address of a function");
	is_error(ptx_symbol(d, m, "sh", &n, &n, &e),
		 "module 'm.ptx' has no .global or .const variable 'sh'");
	ok(ptx_unload(d, m, &e) == 0 && ptx_used(d) == 0, "unloaded: nothing is left");
	ok(ptx_load(d, m, &e) == 0, "and loaded again");
	ptx_device_free(d);
	ok(m->device == NULL, "a device that ends unloads its modules");
	ptx_module_free(m);

	d = ptx_device_new(1 << 20, &e);
	m = parse(".version 7.0\n.target sm_70\n.address_size 64\n"
		  ".global .b8 a[1000]; .global .b8 b[2000000]; .visible .entry k() { ret; }\n");
	is_error(ptx_load(d, m, &e),
		 "no room for 2000000 bytes: 1000 of 1048576 bytes of device memory are allocated");
	ok(ptx_used(d) == 0 && !m->device, "a module that does not fit leaves nothing behind");
	ptx_module_free(m);
	m = parse(".version 7.0\n.target sm_70\n.address_size 64\n.extern .global .u32 far;\n"
		  ".visible .entry k() { ret; }\n");
	is_error(m ? ptx_load(d, m, &e) : -1,
		 "variable 'far' is .extern: linking modules is not supported");
	ptx_module_free(m);
	m = parse(".version 7.0\n.target sm_70\n.address_size 64\n.shared .u32 sh;\n"
		  ".global .u64 p[1] = {generic(sh)};\n.visible .entry k() { ret; }\n");
	is_error(m ? ptx_load(d, m, &e) : -1,
		 "initial value of 'p': 'sh' is in .shared and has no address yet");
	ptx_module_free(m);
	ptx_device_free(d);
}

int
main(void)
{
	test_places();
	test_large();
	test_errors();
	test_many();
	test_adopt();
	test_load();
	return done();
}
