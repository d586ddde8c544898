/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tex_sample.c - samples a texture as the CUDA C++ Programming Guide specifies ("Texture
 * Fetching"): the nearest texel, or the weighted sum of 2, 4 or 8 texels, with weights of 8
 * fractional bits.
 *
 *     nearest  T[floor(x)]
 *     linear   (1 - a) T[i] + a T[i + 1],  i = floor(x - 0.5),  a = frac(x - 0.5) rounded to 1/256
 *
 * x is in texels: a normalized coordinate is first wrapped, then multiplied by the size. Texel
 * coordinates (.s32) are never filtered. Outside the texture they give the border in one dimension
 * (as tex1Dfetch does) and are clamped in more. Repeat and mirror need normalized coordinates;
 * without them, coordinates are clamped.
 *
 * Weights and sums are doubles, where products are exact, so the result does not depend on whether
 * the compiler fuses operations. A texel of weight 0 is not read, so its NaN has no effect.
 * Components that a texture does not have are 0, the fourth 1.
 */
#include "record/ptx/alu/half.h"
#include "record/ptx/mem/tex.h"
#include <math.h>
#include <string.h>

uint32_t
tex_texel_bytes(const struct ptx_texture *t)
{
	static const uint8_t bytes[] = {1, 1, 2, 2, 4, 4, 2, 4};

	return bytes[t->texel] * t->channels;
}

uint64_t
tex_bytes(const struct ptx_texture *t)
{
	uint64_t rows = (uint64_t)t->height * t->depth;

	return (rows - 1) * t->pitch + (uint64_t)t->width * tex_texel_bytes(t);
}

/* ---- texels ---- */

static bool
reads_as_float(const struct ptx_texture *t)
{
	bool wide = t->texel == TEXEL_U32 || t->texel == TEXEL_S32;

	return t->texel >= TEXEL_F16 || (!t->as_integer && !wide);
}

/* Reads component c at p: the bits of a float, or of an integer extended to 32 bits. */
static uint32_t
read_component(const struct ptx_texture *t, const uint8_t *p, uint32_t c)
{
	uint16_t half;
	uint32_t word;
	int32_t s;

	switch (t->texel) {
	case TEXEL_U8:
		return reads_as_float(t) ? f32_bits((float)p[c] / 255.0f) : p[c];
	case TEXEL_S8:
		s = (int8_t)p[c];
		return reads_as_float(t) ? f32_bits(fmaxf((float)s / 127.0f, -1.0f)) : (uint32_t)s;
	case TEXEL_U16:
	case TEXEL_S16:
	case TEXEL_F16:
		memcpy(&half, p + 2 * c, 2);
		if (t->texel == TEXEL_F16)
			return f32_bits(half_to_float(half));
		if (t->texel == TEXEL_U16)
			return reads_as_float(t) ? f32_bits((float)half / 65535.0f) : half;
		s = (int16_t)half;
		return reads_as_float(t) ? f32_bits(fmaxf((float)s / 32767.0f, -1.0f))
					 : (uint32_t)s;
	default:
		memcpy(&word, p + 4 * c, 4);
		return word;
	}
}

/* Wraps texel i of n in dimension k to a valid index, or -1: the border. */
static int64_t
wrap_index(const struct ptx_texture *t, const struct tex_at *at, uint32_t k, int64_t i, int64_t n)
{
	enum ptx_wrap mode = t->wrap[k];

	if (i >= 0 && i < n)
		return i;
	if (at->texel)
		mode = at->dims == 1 || mode == WRAP_BORDER ? WRAP_BORDER : WRAP_CLAMP;
	else if (!t->normalized && mode != WRAP_BORDER)
		mode = WRAP_CLAMP;
	switch (mode) {
	case WRAP_REPEAT:
		return (i % n + n) % n;
	case WRAP_MIRROR:
		i = (i % (2 * n) + 2 * n) % (2 * n);
		return i < n ? i : 2 * n - 1 - i;
	case WRAP_CLAMP:
		return i < 0 ? 0 : n - 1;
	default:
		return -1;
	}
}

static uint64_t
compute_texel_offset(const struct ptx_texture *t, const int64_t i[3])
{
	return ((uint64_t)i[2] * t->height + (uint64_t)i[1]) * t->pitch +
	       (uint64_t)i[0] * tex_texel_bytes(t);
}

/* ---- places ---- */

/* Converts coordinate x to texels. */
static double
convert_to_texels(const struct ptx_texture *t, uint32_t k, float x, uint32_t n)
{
	double v = isnan(x) ? 0 : (double)x;

	if (t->normalized) {
		if (t->wrap[k] == WRAP_REPEAT)
			v = isinf(v) ? 0 : v - floor(v);
		else if (t->wrap[k] == WRAP_MIRROR)
			v = isinf(v) ? 0 : fabs(v - 2 * floor(v / 2 + 0.5));
		v *= n;
	}
	return fmin(fmax(v, -0x1p31), 0x1p31);
}

/* The one or two texels of a dimension, and the weight of the second in 1/256. */
struct pick {
	int64_t i[2];
	uint32_t a;
};

static struct pick
pick_texels(const struct ptx_texture *t, const struct tex_at *at, uint32_t k, uint32_t n)
{
	struct pick p = {{0, 0}, 0};
	double x;

	if (at->texel) {
		p.i[0] = wrap_index(t, at, k, at->i[k], n);
		return p;
	}
	x = convert_to_texels(t, k, at->x[k], n);
	if (!t->linear) {
		p.i[0] = wrap_index(t, at, k, (int64_t)floor(x), n);
		return p;
	}
	x -= 0.5;
	p.i[0] = wrap_index(t, at, k, (int64_t)floor(x), n);
	p.i[1] = wrap_index(t, at, k, (int64_t)floor(x) + 1, n);
	p.a = (uint32_t)floor((x - floor(x)) * 256 + 0.5);
	return p;
}

/* Reads the components of texel i[]; if an index is -1, those of the border, which are 0. */
static void
read_texel(const struct ptx_texture *t, const uint8_t *host, const int64_t i[3], uint32_t out[4])
{
	if (i[0] < 0 || i[1] < 0 || i[2] < 0) {
		memset(out, 0, 4 * sizeof(out[0]));
		return;
	}
	for (uint32_t c = 0; c < t->channels; c++)
		out[c] = read_component(t, host + compute_texel_offset(t, i), c);
}

/* Computes the weighted sum of the up to 2 * 2 * 2 texels. */
static void
blend_texels(const struct ptx_texture *t, const uint8_t *host, const struct pick p[3],
	     uint32_t out[4])
{
	double sum[4] = {0};

	for (uint32_t m = 0; m < 8; m++) {
		int64_t i[3];
		uint32_t weight = 1, got[4];

		for (uint32_t k = 0; k < 3; k++) {
			bool second = m >> k & 1;

			i[k] = p[k].i[second];
			weight *= second ? p[k].a : 256 - p[k].a;
		}
		if (!weight)
			continue;
		read_texel(t, host, i, got);
		for (uint32_t c = 0; c < t->channels; c++)
			sum[c] += weight * 0x1p-24 * (double)bits_f32(got[c]);
	}
	for (uint32_t c = 0; c < t->channels; c++)
		out[c] = isnan(sum[c]) ? F32_NAN : f32_bits((float)sum[c]);
}

uint64_t
tex_sample(const struct ptx_texture *t, const uint8_t *host, const struct tex_at *at,
	   uint32_t out[4])
{
	const uint32_t size[3] = {t->width, t->height, t->depth};
	struct pick p[3] = {0};
	int64_t first[3];

	for (uint32_t k = 0; k < at->dims; k++)
		p[k] = pick_texels(t, at, k, size[k]);
	if (at->layered)
		p[2].i[0] = MIN(at->layer, t->depth - 1);
	for (uint32_t c = 0; c < 4; c++)
		out[c] = c < 3 ? 0 : reads_as_float(t) ? f32_bits(1.0f) : 1;
	for (uint32_t k = 0; k < 3; k++)
		first[k] = p[k].i[0];
	if (t->linear && !at->texel)
		blend_texels(t, host, p, out);
	else
		read_texel(t, host, first, out);
	for (uint32_t k = 0; k < 3; k++)
		first[k] = MAX(p[k].i[0] < 0 ? p[k].i[1] : p[k].i[0], 0);
	return compute_texel_offset(t, first);
}

uint64_t
tex_gather(const struct ptx_texture *t, const uint8_t *host, const struct tex_at *at, uint32_t c,
	   uint32_t out[4])
{
	static const uint8_t second[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	struct ptx_texture linear = *t;
	struct pick p[2];
	int64_t first[3];

	linear.linear = true;
	p[0] = pick_texels(&linear, at, 0, t->width);
	p[1] = pick_texels(&linear, at, 1, t->height);
	first[2] = at->layered ? MIN(at->layer, t->depth - 1) : 0;
	for (uint32_t k = 0; k < 4; k++) {
		uint32_t got[4] = {0, 0, 0, reads_as_float(t) ? f32_bits(1.0f) : 1};

		first[0] = p[0].i[second[k][0]];
		first[1] = p[1].i[second[k][1]];
		read_texel(t, host, first, got);
		out[k] = got[c];
	}
	first[0] = MAX(first[0], 0);
	first[1] = MAX(first[1], 0);
	return compute_texel_offset(t, first);
}
