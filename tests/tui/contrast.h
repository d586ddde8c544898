/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contrast.h - the contrast of two colours (WCAG 2): 1 for none, 21 for black on white. */
#ifndef TESTS_TUI_CONTRAST_H
#define TESTS_TUI_CONTRAST_H

#include <math.h>
#include <stdint.h>

static inline double
relative_luminance(uint32_t rgb)
{
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double v = (rgb >> (16 - 8 * i) & 255) / 255.0;
		v = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
		sum += v * (double[]){0.2126, 0.7152, 0.0722}[i];
	}
	return sum;
}

static inline double
contrast(uint32_t a, uint32_t b)
{
	double x = relative_luminance(a) + 0.05, y = relative_luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

#endif
