/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sad.c - host of sad.cu. The frame is the reference moved by a few pixels, with noise. Checked:
 * the sums of all partitions at all positions, exactly, each computed from pixels.
 */
#include "workload.h"

#define RANGE 16
#define SIDE (2 * RANGE + 1)
#define POSITIONS (SIDE * SIDE)
#define PADDED 1096

struct frames {
	int width, height;
	uint8_t *frame, *ref;
};

/* Sums of the w x h block at x, y for all positions. */
static void
reference(const struct frames *f, int x, int y, int w, int h, uint16_t *out)
{
	int pos, i, j, d, sum, ref_width = f->width + 2 * RANGE;

	for (pos = 0; pos < POSITIONS; pos++) {
		sum = 0;
		for (j = y; j < y + h; j++)
			for (i = x; i < x + w; i++) {
				d = f->frame[j * f->width + i] -
				    f->ref[(j + pos / SIDE) * ref_width + i + pos % SIDE];
				sum += d < 0 ? -d : d;
			}
		out[pos] = (uint16_t)sum;
	}
}

static void
reference_five(const struct frames *f, int x, int y, int side, uint16_t *out)
{
	int half = side / 2;

	reference(f, x, y, side, half, out);
	reference(f, x, y + half, side, half, out + PADDED);
	reference(f, x, y, half, side, out + 2 * PADDED);
	reference(f, x + half, y, half, side, out + 3 * PADDED);
	reference(f, x, y, side, side, out + 4 * PADDED);
}

static void
make_frames(struct work *w, struct frames *f)
{
	int x, y, rw = f->width + 2 * RANGE, rh = f->height + 2 * RANGE;

	f->ref = work_host(w, (size_t)(rw * rh));
	f->frame = work_host(w, (size_t)(f->width * f->height));
	for (y = 0; y < rh; y++)
		for (x = 0; x < rw; x++)
			f->ref[y * rw + x] =
				(uint8_t)(x * 3 + y * 2 + x * y / 32 + (int)work_below(w, 16));
	for (y = 0; y < f->height; y++)
		for (x = 0; x < f->width; x++)
			f->frame[y * f->width + x] =
				(uint8_t)(f->ref[(y + RANGE + 3) * rw + x + RANGE - 5] +
					  (int)work_below(w, 4));
}

int
main(int argc, char **argv)
{
	struct work w;
	struct frames f;
	int bx, by, mx, my, i, k;
	uint16_t *got, *want;
	size_t n4, n8, n16;
	CUdeviceptr d_frame, d_ref, d_4, d_8, d_16;

	work_open(&w, argc, argv, "sad");
	f.width = work_size(&w, 64, 192, 640, [WORK_SHORT] = 96);
	f.height = work_size(&w, 48, 160, 480, [WORK_SHORT] = 80);
	make_frames(&w, &f);
	bx = f.width / 4;
	by = f.height / 4;
	mx = f.width / 16;
	my = f.height / 16;
	n4 = (size_t)(bx * by) * PADDED * 2;
	n8 = (size_t)(mx * my) * 20 * PADDED * 2;
	n16 = (size_t)(mx * my) * 5 * PADDED * 2;
	got = work_host(&w, n8);
	want = work_host(&w, n8);
	d_frame = work_put(&w, f.frame, (size_t)(f.width * f.height));
	d_ref = work_put(&w, f.ref, (size_t)((f.width + 2 * RANGE) * (f.height + 2 * RANGE)));
	d_4 = work_new(&w, n4);
	d_8 = work_new(&w, n8);
	d_16 = work_new(&w, n16);
	work_launch(&w, "sad_4", DIM((unsigned)bx, (unsigned)by), DIM(61, 1), &d_4, &d_frame,
		    &d_ref, &f.width);
	work_launch(&w, "sad_8", DIM((unsigned)mx, (unsigned)my), DIM(32, 4), &d_8, &d_4, &bx);
	work_launch(&w, "sad_16", DIM((unsigned)mx, (unsigned)my), DIM(32, 1), &d_16, &d_8);

	for (i = 0; i < bx * by; i++)
		reference(&f, i % bx * 4, i / bx * 4, 4, 4, want + i * PADDED);
	work_get(&w, got, d_4, n4);
	work_check_bytes(&w, "sad_4", got, want, n4);
	for (i = 0; i < mx * my; i++)
		for (k = 0; k < 4; k++)
			reference_five(&f, i % mx * 16 + k % 2 * 8, i / mx * 16 + k / 2 * 8, 8,
				       want + (i * 4 + k) * 5 * PADDED);
	work_get(&w, got, d_8, n8);
	work_check_bytes(&w, "sad_8", got, want, n8);
	for (i = 0; i < mx * my; i++)
		reference_five(&f, i % mx * 16, i / mx * 16, 16, want + i * 5 * PADDED);
	work_get(&w, got, d_16, n16);
	work_check_bytes(&w, "sad_16", got, want, n16);
	return work_close(&w);
}
