/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * palette.c - what the 256 colours look like, and the nearest one to a wanted colour.
 *
 * The palette is never redefined: it belongs to the user's terminal and would stay changed. Colours
 * 0..15 differ between terminals, so 256-colour output uses 16..255 only.
 */
#include "tui/theme.h"

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

/* A cheap perceptual distance ("redmean"): good enough to keep a ramp in order. */
static unsigned
distance(uint32_t a, uint32_t b)
{
	int ar = (int)(a >> 16), ag = (int)(a >> 8 & 255), ab = (int)(a & 255);
	int br = (int)(b >> 16), bg = (int)(b >> 8 & 255), bb = (int)(b & 255);
	int m = (ar + br) / 2, r = ar - br, g = ag - bg, d = ab - bb;

	return (unsigned)((((512 + m) * r * r) >> 8) + 4 * g * g + (((767 - m) * d * d) >> 8));
}

static unsigned
nearest(uint32_t rgb, unsigned from, unsigned to)
{
	unsigned best = from, best_d = ~0u;

	for (unsigned i = from; i < to; i++) {
		unsigned d = distance(rgb, palette_rgb(i));
		if (d < best_d) {
			best = i;
			best_d = d;
		}
	}
	return best;
}

unsigned
palette_nearest(uint32_t rgb)
{
	return nearest(rgb, 16, 256);
}

unsigned
palette_nearest16(uint32_t rgb, unsigned n)
{
	return nearest(rgb, 0, MIN(n, 16u));
}

uint32_t
color_rgb(int32_t color, uint32_t otherwise)
{
	if (color < 0)
		return otherwise;
	return color & COLOR_RGB ? (uint32_t)color & 0xffffff : palette_rgb((unsigned)color);
}
