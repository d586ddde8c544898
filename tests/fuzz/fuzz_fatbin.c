/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_fatbin.c - any bytes as the image of a module: PTX, a fat binary, a cubin. The first byte
 * says how it is passed: 'W' by a wrapper; 'L' as the two objects of a linked program, the next
 * byte saying where the second begins; 'S' from a variable of the program; any other byte directly.
 *
 * The API is not told how long an image is, so the size in its head is corrected before it is
 * passed; the sizes in its entries are not.
 *
 * Requirements: no crash; what is loaded can be unloaded, and what is rejected has an error.
 */
#define FUZZ_CORPUS "fatbin"
#define FUZZ_COVERS "src/record/cuda/*bin.c src/record/cuda/link.c"
#define FUZZ_LINKS "src/record/cuda/libcuda_so_1-*.o"
#define FUZZ_OPTIONS "-close_fd_mask=2" /* what the driver says of each mistake */
#include "tests/fuzz/replay.h"

#include "ctascope/base.h"
#include "record/cuda/cuda_api.h"

#include <string.h>

#define MOST 4096
#define BEHIND \
	4096 /* zeros behind an image: a text ends there, and what a header says is believed */

/* What a program passes in place of the image; nvcc writes it next to it. */
struct wrapper {
	uint32_t magic, version;
	const void *data;
	const void *more;
};

static void
make_true(uint8_t *head, size_t size)
{
	static const uint8_t magic[] = {0x50, 0xed, 0x55, 0xba},
			     wrapper[] = {0xb1, 0x43, 0x62, 0x46};
	uint64_t left = size - 16;
	uint16_t bytes;

	if (memcmp(head, wrapper, sizeof(wrapper)) == 0) /* a pointer follows */
		memcpy(head, magic, sizeof(magic));
	if (memcmp(head, magic, sizeof(magic)))
		return;
	memcpy(&bytes, head + 6, sizeof(bytes));
	if (bytes > 64)
		head[6] = 16, head[7] = 0;
	left -= bytes > 16 && bytes <= 64 ? MIN(left, bytes - 16u) : 0;
	memcpy(head + 8, &left, sizeof(left));
}

static uint8_t *
copy_of(const uint8_t *data, size_t size)
{
	uint8_t *copy = calloc(1, size + BEHIND);

	fuzz_check(copy);
	memcpy(copy, data, size);
	make_true(copy, MAX(size, 64u));
	return copy;
}

static void
load(const void *image)
{
	CUmodule m = NULL;
	CUresult r = cuModuleLoadData(&m, image);
	const char *name;

	fuzz_check(cuGetErrorName(r, &name) == CUDA_SUCCESS && name[0]);
	fuzz_check((r == CUDA_SUCCESS) == (m != NULL));
	if (m)
		fuzz_check(cuModuleUnload(m) == CUDA_SUCCESS);
}

static void
load_linked(const uint8_t *data, size_t size, uint8_t where)
{
	size_t cut = size * where / 256;
	uint8_t *one = copy_of(data, cut), *two = copy_of(data + cut, size - cut);
	const void *part[] = {one, where % 16 ? two : NULL, NULL};

	load(&(struct wrapper){0x466243b1, 2, one, where % 32 == 31 ? part + 2 : part});
	free(one);
	free(two);
}

/* The image ends with its segment, which other variables follow, so the size in the head must be
 * right here, too. */
static void
load_static(const uint8_t *data, size_t size)
{
	static uint8_t image[MOST + BEHIND];

	memset(image, 0, sizeof(image));
	memcpy(image, data, size);
	make_true(image, MAX(size, 64u));
	load(image);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static CUcontext context;
	uint8_t *copy;

	if (!context) {
		fuzz_check(cuInit(0) == CUDA_SUCCESS);
		fuzz_check(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
		fuzz_check(cuCtxSetCurrent(context) == CUDA_SUCCESS);
	}
	if (size < 3 || size > MOST)
		return 0;
	switch (data[0]) {
	case 'L':
		load_linked(data + 2, size - 2, data[1]);
		return 0;
	case 'S':
		load_static(data + 1, size - 1);
		return 0;
	default:
		copy = copy_of(data + 1, size - 1);
		load(data[0] == 'W' ? (void *)&(struct wrapper){0x466243b1, 1, copy, NULL} : copy);
		free(copy);
		return 0;
	}
}
