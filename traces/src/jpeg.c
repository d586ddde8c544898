/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jpeg.c - host of jpeg.cu: draws three planes, transforms and quantizes them (tables of ITU-T
 * T.81, annex K). Checked: planes and colours against the decoding in doubles, within 1 of 255 for
 * the planes (rounding) and 3 for the colours.
 */
#include "workload.h"

#include <math.h>

/* clang-format off */
static const uint8_t luma_quant[64] = {
	16,  11,  10,  16,  24,  40,  51,  61,  12,  12,  14,  19,  26,  58,  60,  55,
	14,  13,  16,  24,  40,  57,  69,  56,  14,  17,  22,  29,  51,  87,  80,  62,
	18,  22,  37,  56,  68, 109, 103,  77,  24,  35,  55,  64,  81, 104, 113,  92,
	49,  64,  78,  87, 103, 121, 120, 101,  72,  92,  95,  98, 112, 100, 103,  99,
};
/* clang-format on */

static const uint8_t colour_quant[16] = {17, 18, 24, 47, 18, 21, 26, 66,
					 24, 26, 56, 99, 47, 66, 99, 99};

struct tables {
	uint8_t zigzag[64];
	uint16_t quant[128];
	float basis[64]; /* [frequency][place] */
};

static void
make_tables(struct tables *t)
{
	int i, x = 0, y = 0, u, dir = 1;

	for (i = 0; i < 64; i++) { /* along the anti-diagonals, back and forth */
		t->zigzag[y * 8 + x] = (uint8_t)i;
		if (dir > 0 ? (x == 7 || y == 0) : (y == 7 || x == 0)) {
			if (dir > 0 ? x < 7 : y == 7)
				x++;
			else
				y++;
			dir = -dir;
		} else {
			x += dir;
			y -= dir;
		}
	}
	for (i = 0; i < 64; i++) {
		u = i / 8 < 4 && i % 8 < 4 ? colour_quant[i / 8 * 4 + i % 8] : 99;
		t->quant[i] = luma_quant[i];
		t->quant[64 + i] = (uint16_t)u;
		t->basis[i] =
			(float)(cos((2 * (i % 8) + 1) * (i / 8) * 3.14159265358979323846 / 16) *
				(i / 8 ? 0.5 : sqrt(0.125)));
	}
}

/* Forward transform of a block: quantized coefficients in zigzag order. */
static void
encode(const struct tables *t, int table, const double *pixel, int16_t *stream)
{
	int u, v, x, y;

	for (v = 0; v < 8; v++)
		for (u = 0; u < 8; u++) {
			double sum = 0;

			for (y = 0; y < 8; y++)
				for (x = 0; x < 8; x++)
					sum += pixel[y * 8 + x] * (double)t->basis[u * 8 + x] *
					       (double)t->basis[v * 8 + y];
			stream[t->zigzag[v * 8 + u]] =
				(int16_t)lrint(sum / t->quant[table * 64 + v * 8 + u]);
		}
}

static void
decode(const struct tables *t, int table, const int16_t *stream, uint8_t *plane, int width)
{
	double coef[64], half[64], sum;
	int i, k;

	for (i = 0; i < 64; i++)
		coef[i] = stream[t->zigzag[i]] * t->quant[table * 64 + i];
	for (i = 0; i < 64; i++)
		for (k = 0, half[i] = 0; k < 8; k++)
			half[i] += coef[i / 8 * 8 + k] * (double)t->basis[k * 8 + i % 8];
	for (i = 0; i < 64; i++) {
		for (k = 0, sum = 128.5; k < 8; k++)
			sum += half[k * 8 + i % 8] * (double)t->basis[k * 8 + i / 8];
		plane[i / 8 * width + i % 8] = (uint8_t)fmin(fmax(sum, 0), 255);
	}
}

static void
check_near(struct work *w, const char *what, const uint8_t *got, const uint8_t *want, size_t n,
	   int most)
{
	float *a = work_host(w, n * 4), *b = work_host(w, n * 4);
	size_t i;

	for (i = 0; i < n; i++) {
		a[i] = got[i];
		b[i] = want[i];
	}
	work_check_f32(w, what, a, b, n, most / 255.0, 255);
}

static void
reference_colour(uint8_t *const *plane, int width, int i, uint8_t *rgb)
{
	int at = i / width / 2 * (width / 2) + i % width / 2;
	double y = plane[0][i] + 0.5, cb = plane[1][at] - 128.0, cr = plane[2][at] - 128.0;

	rgb[0] = (uint8_t)fmin(fmax(y + 1.402 * cr, 0), 255);
	rgb[1] = (uint8_t)fmin(fmax(y - 0.344136 * cb - 0.714136 * cr, 0), 255);
	rgb[2] = (uint8_t)fmin(fmax(y + 1.772 * cb, 0), 255);
	rgb[3] = 0;
}

/* One plane: drawn, encoded, decoded on both sides, compared. */
static CUdeviceptr
do_plane(struct work *w, const struct tables *t, int p, int width, int height, uint8_t *want)
{
	int bx = width / 8, by = height / 8, b, i, table = p > 0;
	size_t n = (size_t)(width * height);
	int16_t *stream = work_host(w, n * 2);
	uint8_t *got = work_host(w, n);
	CUdeviceptr d_plane = work_new(w, n), d_stream;
	double pixel[64];

	for (b = 0; b < bx * by; b++) {
		for (i = 0; i < 64; i++) {
			int x = b % bx * 8 + i % 8, y = b / bx * 8 + i / 8;

			pixel[i] = 70 * sin((x + 3 * p) * 0.11 + y * 0.03 * (p + 1)) +
				   (x / 24 + y / 16) % 2 * 40 - 20 + (double)work_randf(w, -9, 9);
		}
		encode(t, table, pixel, stream + b * 64);
		decode(t, table, stream + b * 64, want + b / bx * 8 * width + b % bx * 8, width);
	}
	d_stream = work_put(w, stream, n * 2);
	work_launch(w, "idct", DIM((unsigned)bx, (unsigned)by), DIM(64, 1), &d_plane, &d_stream,
		    &bx, &table);
	work_get(w, got, d_plane, n);
	check_near(w, "plane", got, want, n, 1);
	return d_plane;
}

int
main(int argc, char **argv)
{
	struct work w;
	struct tables t;
	int width, height, n, i, p;
	uint8_t *plane[3], *got, *want;
	CUdeviceptr d_plane[3], d_rgb;

	work_open(&w, argc, argv, "jpeg");
	width = work_size(&w, 320, 1024, 3200, [WORK_SHORT] = 512);
	height = work_size(&w, 160, 512, 1600, [WORK_SHORT] = 256);
	n = width * height;
	make_tables(&t);
	work_const(&w, "zigzag", t.zigzag, sizeof(t.zigzag));
	work_const(&w, "quant", t.quant, sizeof(t.quant));
	work_const(&w, "basis", t.basis, sizeof(t.basis));
	for (p = 0; p < 3; p++) {
		plane[p] = work_host(&w, (size_t)n);
		d_plane[p] = do_plane(&w, &t, p, p ? width / 2 : width, p ? height / 2 : height,
				      plane[p]);
	}
	got = work_host(&w, (size_t)n * 4);
	want = work_host(&w, (size_t)n * 4);
	d_rgb = work_new(&w, (size_t)n * 4);
	work_launch(&w, "colour", DIM((unsigned)work_div_up(n, 256), 1), DIM(256, 1), &d_rgb,
		    &d_plane[0], &d_plane[1], &d_plane[2], &width, &n);
	for (i = 0; i < n; i++)
		reference_colour(plane, width, i, want + 4 * i);
	work_get(&w, got, d_rgb, (size_t)n * 4);
	check_near(&w, "rgb", got, want, (size_t)n * 4, 3);
	return work_close(&w);
}
