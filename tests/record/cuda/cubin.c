/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cubin.c - registers from the machine code in a fat binary: of the nearest architecture, and none
 * if the cubin contradicts itself. The cubins are the smallest that contain registers.
 */
#include "ctascope/base.h"
#include "record/cuda/cuda_api.h"
#include "tests/record/fat.h"
#include "tests/tap.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define GOOD(call) is_u64(call, CUDA_SUCCESS, #call)

static const char ptx[] =
	".version 6.0\n.target sm_70\n.address_size 64\n"
	".visible .entry k()\n{\n\tret;\n}\n.visible .entry other()\n{\n\tret;\n}\n";

/* ---- a cubin ---- */

static const char strings[] = "\0k\0.nv.info\0.strtab\0.symtab";

struct cubin {
	Elf64_Ehdr head;
	Elf64_Shdr section[4]; /* none, .strtab, .symtab, .nv.info */
	Elf64_Sym symbol[2];
	struct {
		uint8_t form, attribute;
		uint16_t bytes;
		uint32_t symbol, value;
	} info[2];
	char string[sizeof(strings)];
};

static struct cubin
cubin(uint32_t regs)
{
	struct cubin c = {
		.head = {.e_ident = ELFMAG,
			 .e_shoff = offsetof(struct cubin, section),
			 .e_shentsize = sizeof(Elf64_Shdr),
			 .e_shnum = 4,
			 .e_shstrndx = 1},
		.section = {{0},
			    {.sh_name = 12,
			     .sh_type = SHT_STRTAB,
			     .sh_offset = offsetof(struct cubin, string),
			     .sh_size = sizeof(strings)},
			    {.sh_name = 20,
			     .sh_type = SHT_SYMTAB,
			     .sh_offset = offsetof(struct cubin, symbol),
			     .sh_size = sizeof(c.symbol),
			     .sh_link = 1},
			    {.sh_name = 3,
			     .sh_type = SHT_LOPROC,
			     .sh_offset = offsetof(struct cubin, info),
			     .sh_size = sizeof(c.info),
			     .sh_link = 2}},
		.symbol = {{0}, {.st_name = 1}},
		.info = {{4, 0x11, 8, 1, 99}, {4, 0x2f, 8, 1, regs}}, /* frame size, registers */
	};

	c.head.e_ident[EI_CLASS] = ELFCLASS64;
	memcpy(c.string, strings, sizeof(strings));
	return c;
}

/* ---- a fat binary ---- */

/* Returns the kernel's registers, -1 if the fat binary cannot be loaded. */
static int
loaded(const struct fat *f, const char *name)
{
	CUmodule m;
	CUfunction k;
	int regs = -1;

	if (cuModuleLoadFatBinary(&m, f) != CUDA_SUCCESS)
		return -1;
	if (cuModuleGetFunction(&k, m, name) == CUDA_SUCCESS)
		cuFuncGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, k);
	cuModuleUnload(m);
	return regs;
}

static struct fat
fat(const struct cubin *c, size_t bytes)
{
	struct fat f = {0};

	fat_add(&f, fat_entry(FAT_PTX, 70, FAT_PLAIN, sizeof(ptx), 0), ptx);
	if (c)
		fat_add(&f, fat_entry(FAT_CUBIN, 70, FAT_PLAIN, bytes, 0), c);
	return f;
}

/* ---- tests ---- */

static void
test_registers(void)
{
	struct cubin c = cubin(77), newer = cubin(88), newest = cubin(99);
	struct fat f = fat(NULL, 0);
	int estimate = loaded(&f, "k");

	ok(estimate > 0 && estimate < 77, "an estimate where there is no machine code");
	f = fat(&c, sizeof(c));
	is_u64((unsigned)loaded(&f, "k"), 77, "what ptxas has given it");
	is_u64((unsigned)loaded(&f, "other"), (unsigned)estimate, "another kernel");
	fat_add(&f, fat_entry(FAT_CUBIN, 75, FAT_PLAIN, sizeof(newer), 0), &newer);
	fat_add(&f, fat_entry(FAT_CUBIN, 90, FAT_PLAIN, sizeof(newest), 0), &newest);
	is_u64((unsigned)loaded(&f, "k"), 88, "of the newest architecture that the machine has");
	c = cubin(0);
	f = fat(&c, sizeof(c));
	is_u64((unsigned)loaded(&f, "k"), (unsigned)estimate, "no kernel has 0");
	c = cubin(256);
	f = fat(&c, sizeof(c));
	is_u64((unsigned)loaded(&f, "k"), (unsigned)estimate, "or 256");
}

/* Every byte is wrong once, and the file ends at every place: the module is loaded, with the
 * registers, without them, or with others. */
static void
test_hostile(void)
{
	static const uint8_t wrong[] = {0x01, 0x7f, 0x80, 0xff};
	size_t refused = 0, odd = 0;
	struct cubin c;

	for (size_t i = 0; i < sizeof(c); i++)
		for (size_t j = 0; j < ARRAY_LEN(wrong); j++) {
			struct fat f;
			int regs;

			c = cubin(77);
			((uint8_t *)&c)[i] ^= wrong[j];
			f = fat(&c, sizeof(c));
			regs = loaded(&f, "k");
			refused += regs < 0;
			odd += regs > 255;
		}
	is_u64(refused, 0, "a damaged cubin is no reason to refuse the PTX");
	is_u64(odd, 0, "and no thread has more than 255");
	refused = odd = 0;
	c = cubin(77);
	for (size_t n = 0; n < sizeof(c); n++) {
		/* An exact copy, so that a sanitizer notices a read beyond its end. */
		struct cubin *copy = malloc(MAX(n, 1));
		struct fat f;

		memcpy(copy, &c, n);
		f = fat(copy, n);
		refused += loaded(&f, "k") < 0;
		odd += n < offsetof(struct cubin, string) + 3 && loaded(&f, "k") == 77;
		free(copy);
	}
	is_u64(refused, 0, "a cubin cut short, neither");
	is_u64(odd, 0, "it has no registers");
}

/* The device has 32,768 registers, a GPU 65,536. */
static void
test_launch(void)
{
	static const struct {
		uint32_t regs, threads;
		CUresult result;
		int blocks; /* on an SM */
		const char *what;
	} row[] = {
		{40, 512, CUDA_SUCCESS, 1, "a block that fits"},
		{64, 1024, CUDA_SUCCESS, 1, "one that fits a GPU"},
		{65, 1024, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 0, "one that fits none"},
	};

	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		struct cubin c = cubin(row[i].regs);
		struct fat f = fat(&c, sizeof(c));
		int blocks, most;
		CUmodule m;
		CUfunction k;

		GOOD(cuModuleLoadFatBinary(&m, &f));
		GOOD(cuModuleGetFunction(&k, m, "k"));
		is_u64(cuLaunchKernel(k, 1, 1, 1, row[i].threads, 1, 1, 0, NULL, NULL, NULL),
		       row[i].result, "%s", row[i].what);
		GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, (int)row[i].threads,
								 0));
		is_u64((unsigned)blocks, (unsigned)row[i].blocks, "as occupancy says");
		GOOD(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, k));
		ok((most >= (int)row[i].threads) == (row[i].result == CUDA_SUCCESS),
		   "and the most threads");
		cuModuleUnload(m);
	}
}

int
main(void)
{
	CUcontext context;

	GOOD(cuInit(0));
	GOOD(cuDevicePrimaryCtxRetain(&context, 0));
	GOOD(cuCtxSetCurrent(context));
	test_registers();
	test_hostile();
	test_launch();
	return done();
}
