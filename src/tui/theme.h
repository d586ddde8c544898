/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * theme.h - how each role looks, and the ramp of the heat panes.
 *
 * A theme is a file of lines, '#' begins a comment:
 *
 *     set color.focus #ffd75f bold
 *     set color.header black on 110
 *     set color.ramp #00224e #35456c #666970 #948e77 #c8b866 #fee838
 *     set color.ramp8 blue yellow
 *
 *     set color.diff #67b1ff #3d3d3d #ffb14e
 *     set color.diff8 12 11
 *
 * A colour is default, 0..255, #rrggbb or a name; attributes are bold dim underline reverse. The
 * ramp runs from its lowest to its highest value through 2 to 16 anchors; "shades" draws it with
 * glyphs. With 256 colours its steps are chosen by palette_ramp(), or are those of color.ramp256.
 * "set color.paper white" says that the theme is for white terminals; they are black else.
 * ramp8 serves terminals of 8 and 16 colours: with two colours as two hues, each from sparse to
 * dense glyphs, with more as steps of plain colour. diff is the ramp of differences, from less over
 * none, its middle, to more; diff8 its two hues where there are 8 or 16 colours.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "ctascope/err.h"

enum role {
#define ROLE(id, name, look, help) ROLE_##id,
#include "tui/roles.def"
	ROLES
};

#define COLOR_NONE (-1)	    /* the terminal's own */
#define COLOR_RGB 0x1000000 /* COLOR_RGB | 0xrrggbb, else a palette index 0..255 */
#define RAMP_MAX 16

struct look {
	int32_t fg, bg;
	uint8_t attr; /* ATTR_... of canvas.h */
};

struct theme {
	char name[32];
	struct look role[ROLES];
	int32_t ramp[RAMP_MAX], ramp256[RAMP_MAX], ramp8[RAMP_MAX], diff[RAMP_MAX], diff8[RAMP_MAX];
	unsigned n_ramp, n_ramp256, n_ramp8, n_diff, n_diff8;
	bool shades;
	bool white; /* for white terminals */
};

struct role_row {
	const char *name, *look, *help;
};
extern const struct role_row role_rows[ROLES];

/* The theme for the terminal the environment tells of: "light" where COLORFGBG ends in a white
 * background, else "cividis", which can be read on both. */
const char *theme_for_terminal(void);
void theme_default(struct theme *t); /* cividis, whether or not its file is found */
/* A name finds themes/NAME.theme; anything with a '/' or a suffix is a file. t is unchanged on
 * error. */
int theme_load(struct theme *t, const char *name_or_file, struct err *e);
/* The one behind it in the list of those that are found. */
int theme_next(struct theme *t, struct err *e);
/* One line of a theme file; text is shown with a caret. */
int theme_line(struct theme *t, const char *file, unsigned line, const char *text, struct err *e);

/* The palette of 256 colours: 0..15 as xterm has them, a cube, greys. */
uint32_t palette_rgb(unsigned index);
unsigned palette_nearest(uint32_t rgb);		      /* among 16..255 */
unsigned palette_nearest16(uint32_t rgb, unsigned n); /* among 0..n-1, n 8 or 16 */
/* The n colours of a ramp (at most RAMP_LEVELS_MAX) among 16..255: as near as they can be while
 * each step goes the way the ramp's does, lighter or darker. */
#define RAMP_LEVELS_MAX 64
void palette_ramp(const uint32_t *rgb, unsigned n, int32_t *out);
uint32_t color_rgb(int32_t color, uint32_t otherwise);
double color_lightness(uint32_t rgb); /* as the eye sees it: 0 black, 1 white */

#endif
