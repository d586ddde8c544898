/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sd2 - Rodinia SRAD version 2: the diffusion of sd1 on 16 x 16 tiles in shared memory. Kernel
 * coefficient computes the differences to the neighbours and the coefficient, kernel update applies
 * them; the statistics between the iterations are the host's.
 *
 * Type M. CTAs of 16 x 16 threads: N = 4 on kayiran30 by its 1024 threads; 6 and 4 KiB of shared
 * memory.
 *
 * Sizes: default 512 x 512 pixels (1024 CTAs, 8 waves), 2 iterations; small 160 x 160, large 1616 x
 * 1616, short 384 x 384. onac: one iteration of 2896 x 2896, 32,761 CTAs for the paper's 32,768.
 */
#include "device.h"

#define TILE 16

KERNEL(256) void
coefficient(float *east_c, float *west_c, float *north_c, float *south_c, const float *image,
	    float *c, int cols, int rows, float q0)
{
	SHARED float tile[TILE][TILE], result[TILE][TILE];
	SHARED float north[TILE][TILE], south[TILE][TILE], east[TILE][TILE], west[TILE][TILE];
	int tx = tid_x, ty = tid_y, x = cta_x * TILE + tx, y = cta_y * TILE + ty;
	int at = cols * y + x;
	float here, n, s, w, e, g2, l, num, den, q;

	north[ty][tx] = image[cols * max_i(cta_y * TILE - 1, 0) + x];
	south[ty][tx] = image[cols * min_i(cta_y * TILE + TILE, rows - 1) + x];
	west[ty][tx] = image[cols * y + max_i(cta_x * TILE - 1, 0)];
	east[ty][tx] = image[cols * y + min_i(cta_x * TILE + TILE, cols - 1)];
	tile[ty][tx] = image[at];
	barrier();
	here = tile[ty][tx];
	n = (ty == 0 ? north[ty][tx] : tile[ty - 1][tx]) - here;
	s = (ty == TILE - 1 ? south[ty][tx] : tile[ty + 1][tx]) - here;
	w = (tx == 0 ? west[ty][tx] : tile[ty][tx - 1]) - here;
	e = (tx == TILE - 1 ? east[ty][tx] : tile[ty][tx + 1]) - here;
	g2 = div_approx(n * n + s * s + w * w + e * e, here * here);
	l = div_approx(n + s + w + e, here);
	num = 0.5f * g2 - 0.0625f * (l * l);
	den = 1 + 0.25f * l;
	q = div_approx(num, den * den);
	den = div_approx(q - q0, q0 * (1 + q0));
	result[ty][tx] = min_f(max_f(rcp_approx(1 + den), 0), 1);
	barrier();
	c[at] = result[ty][tx];
	east_c[at] = e;
	west_c[at] = w;
	south_c[at] = s;
	north_c[at] = n;
}

KERNEL(256) void
update(const float *east_c, const float *west_c, const float *north_c, const float *south_c,
       float *image, const float *c, int cols, int rows, float lambda)
{
	SHARED float tile[TILE][TILE], south[TILE][TILE], east[TILE][TILE], result[TILE][TILE];
	int tx = tid_x, ty = tid_y, x = cta_x * TILE + tx, y = cta_y * TILE + ty;
	int at = cols * y + x;
	float here, cs, ce;

	south[ty][tx] = c[cols * min_i(cta_y * TILE + TILE, rows - 1) + x];
	east[ty][tx] = c[cols * y + min_i(cta_x * TILE + TILE, cols - 1)];
	tile[ty][tx] = c[at];
	barrier();
	here = tile[ty][tx];
	cs = ty == TILE - 1 ? south[ty][tx] : tile[ty + 1][tx];
	ce = tx == TILE - 1 ? east[ty][tx] : tile[ty][tx + 1];
	result[ty][tx] = image[at] + 0.25f * lambda *
					     (here * north_c[at] + cs * south_c[at] +
					      here * west_c[at] + ce * east_c[at]);
	barrier();
	image[at] = result[ty][tx];
}
