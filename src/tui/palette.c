/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * palette.c - the 256 colours of a terminal, and the nearest of them to a given colour.
 *
 * ctascope never redefines the palette: it belongs to the user's terminal and would stay changed
 * afterwards. Colours 0..15 differ between terminals, so output in 256 colours uses only 16..255.
 *
 * The colours of a ramp cannot be chosen one by one: the nearest palette entries jump between greys
 * and the corners of the colour cube, and a larger value may look darker than a smaller one. So
 * palette_ramp() chooses a whole ramp at once. Each step is as near to the wanted colour as
 * possible while the lightness changes in the same direction as in the wanted ramp.
 */
#include "tui/theme.h"
#include <math.h>

static const uint32_t base16[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
				    0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00,
				    0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff};

uint32_t
palette_rgb(unsigned i)
{
	static const uint8_t step[6] = {0, 95, 135, 175, 215, 255};

	if (i < 16)
		return base16[i];
	if (i < 232) {
		i -= 16;
		return (uint32_t)step[i / 36] << 16 | (uint32_t)step[i / 6 % 6] << 8 | step[i % 6];
	}
	return (8 + 10 * (MIN(i, 255u) - 232)) * 0x010101u;
}

/* Returns the "redmean" distance of two colours, a cheap approximation of perceived distance. */
static unsigned
measure_distance(uint32_t a, uint32_t b)
{
	int ar = (int)(a >> 16), ag = (int)(a >> 8 & 255), ab = (int)(a & 255);
	int br = (int)(b >> 16), bg = (int)(b >> 8 & 255), bb = (int)(b & 255);
	int m = (ar + br) / 2, r = ar - br, g = ag - bg, d = ab - bb;

	return (unsigned)((((512 + m) * r * r) >> 8) + 4 * g * g + (((767 - m) * d * d) >> 8));
}

static unsigned
find_nearest(uint32_t rgb, unsigned from, unsigned to, uint32_t without)
{
	unsigned best = from, best_d = ~0u;

	for (unsigned i = from; i < to; i++) {
		unsigned d = measure_distance(rgb, palette_rgb(i));
		if (d < best_d && !(i < 16 && without >> i & 1)) {
			best = i;
			best_d = d;
		}
	}
	return best;
}

unsigned
palette_nearest(uint32_t rgb)
{
	return find_nearest(rgb, 16, 256, 0);
}

/* A saturated colour never becomes a grey: the nearest of 16 colours to a muted blue would be one.
 */
unsigned
palette_nearest16(uint32_t rgb, unsigned n)
{
	static const uint32_t grey = 1u << 0 | 1u << 7 | 1u << 8 | 1u << 15;
	uint32_t r = rgb >> 16, g = rgb >> 8 & 255, b = rgb & 255;
	bool colorful = MAX(MAX(r, g), b) - MIN(MIN(r, g), b) > 64;

	return find_nearest(rgb, 0, MIN(n, 16u), colorful ? grey : 0);
}

/* ---------------------------------------------------------------- ramps */

#define CANDIDATES 24 /* palette_ramp() considers this many nearest colours per level */

/* A colour in Oklab: lightness and two opponent colours. Distances there match perceived ones. */
struct lab {
	float l, a, b;
};

static double
linearize_channel(unsigned v)
{
	double x = v / 255.0;

	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static struct lab
convert_to_lab(uint32_t rgb)
{
	double r = linearize_channel(rgb >> 16), g = linearize_channel(rgb >> 8 & 255),
	       b = linearize_channel(rgb & 255);
	double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

	return (struct lab){(float)(0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s),
			    (float)(1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s),
			    (float)(0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)};
}

double
color_lightness(uint32_t rgb)
{
	return (double)convert_to_lab(rgb).l;
}

/* Returns the squared distance of two colours. Hue counts double: the palette has many greys, and a
 * blue that turned grey would be worse than one that is too light. */
static float
measure_lab_distance(struct lab x, struct lab y)
{
	float l = x.l - y.l, a = x.a - y.a, b = x.b - y.b;

	return l * l + 2 * (a * a + b * b);
}

/* The best ramp that ends in `color` at some level: the sum of its distances, and the index of its
 * colour at the level before. */
struct step {
	float cost;
	uint8_t color, from;
};

/* Fills c with the palette entries nearest to `want`, nearest first. */
static void
find_candidates(struct step *c, struct lab want, const struct lab *palette)
{
	unsigned n = 0;

	for (unsigned i = 16; i < 256; i++) {
		struct step k = {measure_lab_distance(palette[i], want), (uint8_t)i, 0};
		unsigned at = n < CANDIDATES ? n++ : n;

		for (; at > 0 && c[at - 1].cost > k.cost; at--)
			if (at < CANDIDATES)
				c[at] = c[at - 1];
		if (at < CANDIDATES)
			c[at] = k;
	}
}

/* Whether color b can follow color a where the wanted ramp gets lighter (up) or darker. */
static bool
can_follow(const struct lab *palette, const struct step *a, const struct step *b, bool up)
{
	float x = palette[a->color].l, y = palette[b->color].l;

	return a->color == b->color || (up ? y > x : y < x);
}

void
palette_ramp(const uint32_t *rgb, unsigned n, int32_t *out)
{
	struct step way[RAMP_LEVELS_MAX][CANDIDATES];
	struct lab palette[256], before = convert_to_lab(rgb[0]);
	unsigned best = 0;

	n = MIN(n, RAMP_LEVELS_MAX);
	for (unsigned i = 16; i < 256; i++)
		palette[i] = convert_to_lab(palette_rgb(i));
	for (unsigned i = 0; i < n; i++) {
		struct lab want = convert_to_lab(rgb[i]);

		find_candidates(way[i], want, palette);
		for (unsigned k = 0; i > 0 && k < CANDIDATES; k++) {
			float least = INFINITY;

			for (unsigned j = 0; j < CANDIDATES; j++)
				if (way[i - 1][j].cost < least &&
				    can_follow(palette, &way[i - 1][j], &way[i][k],
					       want.l >= before.l)) {
					least = way[i - 1][j].cost;
					way[i][k].from = (uint8_t)j;
				}
			way[i][k].cost += least;
		}
		before = want;
	}
	for (unsigned k = 1; k < CANDIDATES; k++)
		if (way[n - 1][k].cost < way[n - 1][best].cost)
			best = k;
	for (unsigned i = n; i-- > 0; best = way[i][best].from)
		out[i] = way[i][best].color;
}

uint32_t
color_rgb(int32_t color, uint32_t otherwise)
{
	if (color < 0)
		return otherwise;
	return color & COLOR_RGB ? (uint32_t)color & 0xffffff : palette_rgb((unsigned)color);
}
