/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sad - Parboil: sums of absolute differences for H.264 motion estimation. Kernel sad_4: a CTA per
 * 4 x 4 block of the frame compares it with the 33 x 33 positions of the search window, 18
 * positions per thread; kernels sad_8 and sad_16 add these up for the larger partitions of each
 * macroblock.
 *
 * Type M. sad_4 has CTAs of 61 threads as the benchmark: N = 8 (the limit of CTAs), as in Kayiran
 * et al.; sad_8 32 x 4, sad_16 32 threads.
 *
 * Sizes: default a frame of 192 x 160, 1920 CTAs (8 waves; QCIF, the benchmark's small frame, has
 * 1584); small 64 x 48, large 640 x 480, short 96 x 80.
 */
#include "device.h"

#define RANGE 16
#define SIDE (2 * RANGE + 1)
#define POSITIONS (SIDE * SIDE)
#define PADDED 1096
#define PER_THREAD 18

/* The reference has a border of RANGE pixels around it. */
KERNEL(61) void
sad_4(u16 *sad, const u8 *frame, const u8 *ref, int width)
{
	SHARED u8 block[16];
	int bx = cta_x, by = cta_y, i, x, y, pos, diff;
	int ref_width = width + 2 * RANGE;
	u16 *out = sad + (by * grid_x + bx) * PADDED;
	const u8 *from;

	if (tid_x < 16)
		block[tid_x] = frame[(by * 4 + tid_x / 4) * width + bx * 4 + tid_x % 4];
	barrier();
	NO_UNROLL
	for (i = 0; i < PER_THREAD; i++) {
		pos = tid_x * PER_THREAD + i;
		if (pos >= POSITIONS)
			break;
		from = ref + (by * 4 + pos / SIDE) * ref_width + bx * 4 + pos % SIDE;
		diff = 0;
		UNROLL
		for (y = 0; y < 4; y++)
			UNROLL
		for (x = 0; x < 4; x++) {
			int d = block[y * 4 + x] - from[y * ref_width + x];

			diff += d < 0 ? -d : d;
		}
		out[pos] = (u16)diff;
	}
}

/* A CTA per macroblock, a row of threads per quarter of it; for each: two of 8x4, two of 4x8, one
 * of 8x8. */
KERNEL(128) void
sad_8(u16 *sad8, const u16 *sad, int blocks_x)
{
	int quarter = tid_y, pos;
	int x = cta_x * 4 + quarter % 2 * 2, y = cta_y * 4 + quarter / 2 * 2;
	const u16 *upper = sad + (y * blocks_x + x) * PADDED, *lower = upper + blocks_x * PADDED;
	u16 *out = sad8 + ((cta_y * grid_x + cta_x) * 4 + quarter) * 5 * PADDED;

	NO_UNROLL
	for (pos = tid_x; pos < POSITIONS; pos += 32) {
		int a = upper[pos], b = upper[pos + PADDED], c = lower[pos],
		    d = lower[pos + PADDED];

		out[pos] = (u16)(a + b);
		out[pos + PADDED] = (u16)(c + d);
		out[pos + 2 * PADDED] = (u16)(a + c);
		out[pos + 3 * PADDED] = (u16)(b + d);
		out[pos + 4 * PADDED] = (u16)(a + b + c + d);
	}
}

/* From the 8x8 of each quarter: two of 16x8, two of 8x16, one of 16x16. */
KERNEL(32) void
sad_16(u16 *sad16, const u16 *sad8)
{
	int block = cta_y * grid_x + cta_x, pos;
	const u16 *in = sad8 + (block * 20 + 4) * PADDED;
	u16 *out = sad16 + block * 5 * PADDED;

	NO_UNROLL
	for (pos = tid_x; pos < POSITIONS; pos += 32) {
		int a = in[pos], b = in[pos + 5 * PADDED], c = in[pos + 10 * PADDED];
		int d = in[pos + 15 * PADDED];

		out[pos] = (u16)(a + b);
		out[pos + PADDED] = (u16)(c + d);
		out[pos + 2 * PADDED] = (u16)(a + c);
		out[pos + 3 * PADDED] = (u16)(b + d);
		out[pos + 4 * PADDED] = (u16)(a + b + c + d);
	}
}
