/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * theme.h - the look of each role, and the colour ramps of the heat panes.
 *
 * A theme is a text file; '#' begins a comment:
 *
 *     set color.focus #ffd75f bold
 *     set color.header black on 110
 *     set color.ramp #00224e #35456c #666970 #948e77 #c8b866 #fee838
 *     set color.ramp8 blue yellow
 *
 *     set color.diff #67b1ff #3d3d3d #ffb14e
 *     set color.diff8 12 11
 *
 * A colour is default, 0..255, #rrggbb or a name; attributes are bold, dim, underline and reverse.
 * color.ramp lists 2 to 16 colours from the lowest value to the highest; "shades" draws the ramp
 * with glyphs instead. With 256 colours palette_ramp() chooses the steps, unless color.ramp256
 * lists them. "set color.paper white" declares a theme for white terminals; the default is black.
 * color.ramp8 serves terminals of 8 and 16 colours: two colours are two hues, each drawn from
 * sparse to dense glyphs, and more colours are plain steps. color.diff is the ramp of differences,
 * from less through none in its middle to more; color.diff8 is its two hues for 8 and 16 colours.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "ctascope/err.h"

enum role {
#define ROLE(id, name, look, help) ROLE_##id,
#include "tui/roles.def"
	ROLES
};

#define COLOR_NONE (-1)	    /* the terminal's default colour */
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
	bool white; /* the theme is for white terminals */
};

struct role_row {
	const char *name, *look, *help;
};
extern const struct role_row role_rows[ROLES];

/* Chooses a theme by the environment: "light" if COLORFGBG names a white background, else
 * "cividis", which is readable on both. */
const char *theme_for_terminal(void);
void theme_default(struct theme *t); /* cividis, which needs no file */
/* A name finds themes/NAME.theme; a name with a '/' or a suffix is a path. On error t is
 * unchanged. */
int theme_load(struct theme *t, const char *name_or_file, struct err *e);
/* Loads the theme after t in the list of installed themes, or the first after the last. */
int theme_next(struct theme *t, struct err *e);
/* Parses one line of a theme file. An error shows the line with a caret. */
int theme_line(struct theme *t, const char *file, unsigned line, const char *text, struct err *e);

/* The palette of 256 colours: xterm's 0..15, then a colour cube, then greys. */
uint32_t palette_rgb(unsigned index);
unsigned palette_nearest(uint32_t rgb);		      /* among 16..255 */
unsigned palette_nearest16(uint32_t rgb, unsigned n); /* among 0..n-1, n 8 or 16 */
/* Chooses the n colours of a ramp (at most RAMP_LEVELS_MAX) among 16..255, as near as possible
 * while each step gets lighter or darker as in the given ramp. */
#define RAMP_LEVELS_MAX 64
void palette_ramp(const uint32_t *rgb, unsigned n, int32_t *out);
uint32_t color_rgb(int32_t color, uint32_t otherwise);
double color_lightness(uint32_t rgb); /* perceived lightness: 0 black, 1 white */

#endif
