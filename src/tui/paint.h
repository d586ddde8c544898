/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paint.h - turns a cell into what a terminal shows: a glyph, its colours and attributes.
 *
 * A heat cell shows two values, one in each half. How it is drawn depends on the terminal:
 *     256 and more colours  half blocks, the upper core in the foreground, the lower in the
 *                           background; without Unicode a coloured blank shows the mean of both
 *     8 and 16 colours      the mean of both in two hues, each from sparse to dense glyphs; states
 *                           are still half blocks
 *     no colours            the mean of both as a digit 0 to 9, or with a theme of shades as one of
 *                           " ░▒▓█" or " .:-=+*#%@"
 * Differences use another ramp, of two hues that meet in a neutral colour. With 8 and 16 colours
 * the glyphs of each hue get denser; without colours a sign shows the difference: = - . + #. A
 * gauge that is cut at its thresholds has three hues, in each from dark to bright (on white
 * terminals from bright to dark) or, with 8 and 16 colours, from sparse to dense glyphs; without
 * colours a glyph shows the band: "░▒█" or ".+#". A core that is off and an unknown value have
 * glyphs of their own and never a colour of the ramp. A half cell that is off has the background
 * colour of the role "off". If it is merged with a half that is on, the cell is underlined.
 */
#ifndef TUI_PAINT_H
#define TUI_PAINT_H

#include "tui/canvas.h"
#include "tui/theme.h"
#include <stdio.h>

enum depth { DEPTH_MONO, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_RGB };

struct painter {
	enum depth depth;
	bool unicode;
	bool braille;		 /* the terminal's font has Braille characters, which draw lines */
	bool half;		 /* half blocks are used: a cell shows both values */
	bool shades;		 /* the ramp is drawn with glyphs */
	bool digits;		 /* these glyphs are digits */
	bool hues;		 /* the ramp is drawn in two hues */
	int32_t hue[2];		 /* of the low and the high levels */
	int32_t less, more;	 /* hues of differences, where there are 8 or 16 colours */
	int32_t off;		 /* the background of a core that is off */
	struct look role[ROLES]; /* in colours that the terminal has */
	struct look text[ROLES]; /* of letters and lines: unreadable colours are removed */
	int32_t ramp[HEAT_LEVELS];		   /* likewise */
	int32_t diff[HEAT_DIFFS];		   /* likewise */
	int32_t band[HEAT_BANDS][HEAT_BAND_STEPS]; /* likewise */
	int32_t on_state[HEAT_STATES]; /* text colour that is readable on a state's colour */
};

struct glyph {
	uint32_t wc, mark;
	int32_t fg, bg;
	uint8_t attr;
};

uint32_t painter_sum(const struct painter *p); /* a checksum that changes with the theme */
void painter_init(struct painter *p, const struct theme *t, enum depth depth, bool unicode);
struct glyph paint_cell(const struct painter *p, const struct cell *c);

/* Returns the level of v in lo..hi, clamped; HEAT_UNKNOWN for NaN. */
unsigned heat_level(double v, double lo, double hi);

/* Returns the code of a gauge in 0..most that is cut at its thresholds: below `low`, between, at
 * `high` or above. With one threshold (the other NaN) there is nothing between. */
unsigned heat_band(double v, double low, double high, double most);
enum role band_role(unsigned band);

/* Returns the code of a difference in -most..most, clamped; HEAT_UNKNOWN for NaN. */
unsigned heat_diff(double v, double most);

/* The letter and the look of a cycle class (0..6). */
uint32_t class_glyph(unsigned cls);
enum role class_role(unsigned cls);

/* The letter of a core state (0..5), the same in every pane. */
uint32_t state_glyph(unsigned state);
enum role state_role(unsigned state);

/* Writes the canvas as plain text (heat cells become shades, blanks at line ends are cut), or as
 * text with SGR colours. */
void canvas_dump_text(const struct canvas *c, bool unicode, FILE *to);
void canvas_dump_ansi(const struct canvas *c, const struct painter *p, FILE *to);

#endif
