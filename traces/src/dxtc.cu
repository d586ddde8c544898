/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dxtc - SDK dxtc: DXT1 compression of a picture by cluster fit. A CTA of 64 threads takes a block
 * of 4 x 4 pixels: it sorts the colours along their principal axis, then its threads share all 992
 * ways to divide the sorted colours among the four points of a line, or (the first 160 of them) the
 * three; each is a least squares fit of the two end points, rounded to 5:6:5 bits. The best wins.
 *
 * Type B of Zhu et al. 64 threads, 2 KiB of shared memory, and 63 registers, the most that Fermi
 * has: N = 8, the limit of CTAs. Default: 1920 blocks. onac: 8192, half of the 16 384 that 512 x
 * 512 pixels make; tcs: 4096 in each of two launches, the sample's first being to warm up.
 *
 * Not as in the sample: two pixels look up their weights at once, and the sums of products of the
 * weights are counts of bits.
 */
#include "device.h"

#define THREADS 64
#define ALL 992	  /* ways */
#define THREE 160 /* of them, three points */

/* The weights of the first end point in two pixels by the four bits of both, times the square of
 * the number of steps between the points. */
CONSTANT struct float2 four_points[16] = {
	{9, 9}, {0, 9}, {6, 9}, {3, 9}, {9, 0}, {0, 0}, {6, 0}, {3, 0},
	{9, 6}, {0, 6}, {6, 6}, {3, 6}, {9, 3}, {0, 3}, {6, 3}, {3, 3},
};
CONSTANT struct float2 three_points[16] = {
	{4, 4}, {0, 4}, {2, 4}, {2, 4}, {4, 0}, {0, 0}, {2, 0}, {2, 0},
	{4, 2}, {0, 2}, {2, 2}, {2, 2}, {4, 2}, {0, 2}, {2, 2}, {2, 2},
};

struct colour {
	float r, g, b;
};

struct fit {
	float error;
	u32 start, end, way;
};

DEVICE float
dot(struct colour a, struct colour b)
{
	return a.r * b.r + a.g * b.g + a.b * b.b;
}

DEVICE struct colour
minus(struct colour a, struct colour b, float times)
{
	return (struct colour){a.r - times * b.r, a.g - times * b.g, a.b - times * b.b};
}

/* To the nearest of 5, 6 and 5 bits, returned; c, of 0 to 1, becomes what these bits mean. */
DEVICE u32
round_565(struct colour *c)
{
	c->r = __builtin_rintf(c->r * 31);
	c->g = __builtin_rintf(c->g * 63);
	c->b = __builtin_rintf(c->b * 31);
	u32 bits = (u32)(int)c->r << 11 | (u32)(int)c->g << 5 | (u32)(int)c->b;
	c->r *= 1.0f / 31;
	c->g *= 1.0f / 63;
	c->b *= 1.0f / 31;
	return bits;
}

/* table[i]: its address by one multiplication and addition, as the machine's compiler makes it. */
DEVICE struct float2
pick(const struct float2 *table, u32 i)
{
	typedef const __attribute__((address_space(4))) struct float2 *constant;
	u64 at;

	asm("mad.wide.u32 %0, %1, 8, %2;" : "=l"(at) : "r"(i), "l"((u64)(constant)table));
	return (struct float2){((constant)at)->x, ((constant)at)->y};
}

DEVICE float
rcp_flush(float x)
{
	float y;

	asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}

DEVICE float
mul_saturate(float a, float b)
{
	float y;

	asm("mul.sat.f32 %0, %1, %2;" : "=f"(y) : "f"(a), "f"(b));
	return y;
}

/* The fit for one way, with steps between the points. The error leaves out the sum of the squares
 * of the colours, which is the same for all, and is steps * steps times what it should be. */
DEVICE struct fit
evaluate(const struct float4 *colour, u32 way, struct colour sum, const struct float2 *table,
	 int steps)
{
	struct colour ax = {0, 0, 0}, bx, a, b;
	float unit = (float)(steps * steps), aa, bb, ab, factor, inner;
	int i, n1, n2, n3, inside;
	u32 high = way >> 1 & 0x55555555, low = way & 0x55555555;
	struct fit f;

	UNROLL
	for (i = 0; i < 16; i += 2) {
		struct float2 w = pick(table, way >> (2 * i) & 15);

		ax.r += w.x * colour[i].x;
		ax.g += w.x * colour[i].y;
		ax.b += w.x * colour[i].z;
		ax.r += w.y * colour[i + 1].x;
		ax.g += w.y * colour[i + 1].y;
		ax.b += w.y * colour[i + 1].z;
	}
	/* How many pixels have which bits gives the sums of the products of the weights. */
	n3 = __builtin_popcount(high & low);
	n2 = __builtin_popcount(high) - n3;
	n1 = __builtin_popcount(low) - n3;
	inside = n2 + n3;
	if (steps == 3) {
		aa = (float)(144 - 9 * n1 - 5 * n2 - 8 * n3);
		bb = (float)(9 * n1 + n2 + 4 * n3);
		ab = (float)(-2 * inside);
	} else {
		aa = (float)(64 - 4 * n1 - 3 * inside);
		bb = (float)(4 * n1 + inside);
		ab = (float)-inside;
	}
	bx = (struct colour){unit * sum.r - ax.r, unit * sum.g - ax.g, unit * sum.b - ax.b};
	factor = rcp_flush(aa * bb - ab * ab);
	a = (struct colour){mul_saturate(ax.r * bb + bx.r * ab, factor),
			    mul_saturate(ax.g * bb + bx.g * ab, factor),
			    mul_saturate(ax.b * bb + bx.b * ab, factor)};
	b = (struct colour){mul_saturate(bx.r * aa + ax.r * ab, factor),
			    mul_saturate(bx.g * aa + ax.g * ab, factor),
			    mul_saturate(bx.b * aa + ax.b * ab, factor)};
	f.way = way;
	f.start = round_565(&a);
	f.end = round_565(&b);
	inner = dot(b, bx) + (dot(a, ax) + dot(a, b) * ab);
	f.error = dot(a, a) * aa + (dot(b, b) * bb + -2 * inner);
	return f;
}

/* N times 16 numbers become N sums: work[0], work[16] and so on. All threads call it. */
DEVICE void
add_up(float *work, int n)
{
	int i = tid_x, half, k;

	UNROLL
	for (half = 8; half > 0; half /= 2) {
		barrier();
		if (i < half)
			UNROLL
		for (k = 0; k < n; k++)
			work[16 * k + i] += work[16 * k + i + half];
	}
	barrier();
}

/* The principal axis: eight steps of the power method on the covariances xx xy xz yy yz zz. */
DEVICE struct colour
principal_axis(const float *cov)
{
	struct colour v = {1, 1, 1}, u;
	float scale;
	int i;

	NO_UNROLL
	for (i = 0; i < 8; i++) {
		u.r = v.r * cov[0] + v.g * cov[16] + v.b * cov[32];
		u.g = v.r * cov[16] + v.g * cov[48] + v.b * cov[64];
		u.b = v.r * cov[32] + v.g * cov[64] + v.b * cov[80];
		scale = max_f(max_f(abs_f(u.r), abs_f(u.g)), abs_f(u.b));
		scale = scale > 0 ? rcp_approx(scale) : 0;
		v = (struct colour){u.r * scale, u.g * scale, u.b * scale};
	}
	return v;
}

/* Reads the block and sorts its colours along their axis; place[i] is where pixel i has gone. */
DEVICE struct colour
load_sorted(const u32 *image, struct float4 *colour, int *place)
{
	SHARED float work[6 * 16], along[16];
	int i = tid_x, k, rank = 0;
	struct colour c = {0, 0, 0}, sum, d;

	if (i < 16) {
		u32 texel = image[i];

		c.r = (float)(texel & 255) * (1.0f / 255);
		c.g = (float)(texel >> 8 & 255) * (1.0f / 255);
		c.b = (float)(texel >> 16 & 255) * (1.0f / 255);
		work[i] = c.r;
		work[16 + i] = c.g;
		work[32 + i] = c.b;
	}
	add_up(work, 3);
	sum = (struct colour){work[0], work[16], work[32]};
	barrier();
	d = minus(c, sum, 1.0f / 16);
	if (i < 16) {
		work[i] = d.r * d.r;
		work[16 + i] = d.r * d.g;
		work[32 + i] = d.r * d.b;
		work[48 + i] = d.g * d.g;
		work[64 + i] = d.g * d.b;
		work[80 + i] = d.b * d.b;
	}
	add_up(work, 6);
	if (i < 16)
		along[i] = dot(c, principal_axis(work));
	barrier();
	if (i < 16) {
		UNROLL
		for (k = 0; k < 16; k++)
			rank += along[k] < along[i] || (along[k] == along[i] && k < i);
		place[i] = rank;
		colour[rank] = (struct float4){c.r, c.g, c.b, 0};
	}
	barrier();
	return sum;
}

/* This thread's best of all ways. Equal bits cannot mean three points with start above end, nor
 * four with end above start: the ends change places then, and so do their bits. */
DEVICE struct fit
best_fit(const struct float4 *colour, const u32 *ways, struct colour sum)
{
	SHARED u32 three[THREE];
	struct fit best = {3.40282347e38f, 0, 0, 0}, f;
	int at;
	u32 swap;

	NO_UNROLL
	for (at = tid_x; at < ALL; at += THREADS) {
		u32 way = ways[at];

		if (at < THREE)
			three[at] = way;
		f = evaluate(colour, way, sum, four_points, 3);
		if (f.error < best.error)
			best = f;
	}
	best.error *= 4.0f / 9; /* as those of three points are */
	if (best.start < best.end) {
		swap = best.start;
		best.start = best.end;
		best.end = swap;
		best.way ^= 0x55555555;
	}
	NO_UNROLL
	for (at = tid_x; at < THREE; at += THREADS) {
		f = evaluate(colour, three[at], sum, three_points, 2);
		if (f.error < best.error) {
			best = f;
			if (best.start > best.end) {
				swap = best.start;
				best.start = best.end;
				best.end = swap;
				best.way ^= ~best.way >> 1 & 0x55555555;
			}
		}
	}
	return best;
}

MAXNREG(compress, 63)
KERNEL(THREADS) void
compress(const u32 *ways, const u32 *image, struct uint2 *out)
{
	SHARED struct float4 colour[16];
	SHARED int place[16], winner[THREADS];
	SHARED float error[THREADS];
	int i = tid_x, half, block = cta_x;
	struct colour sum = load_sorted(image + 16 * block, colour, place);
	struct fit f = best_fit(colour, ways, sum);
	u32 bits = 0;

	error[i] = f.error;
	winner[i] = i;
	for (half = THREADS / 2; half > 0; half /= 2) {
		barrier();
		if (i < half && error[i + half] < error[i]) {
			error[i] = error[i + half];
			winner[i] = winner[i + half];
		}
	}
	barrier();
	if (i != winner[0])
		return;
	if (f.start == f.end)
		f.way = 0;
	UNROLL
	for (i = 0; i < 16; i++)
		bits |= (f.way >> (2 * place[i]) & 3) << (2 * i);
	out[block] = (struct uint2){f.end << 16 | f.start, bits};
}
