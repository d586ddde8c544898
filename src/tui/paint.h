/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * paint.h - from a cell to what a terminal shows: glyph, colours, attributes.
 *
 * The ladder, from the most to the least able terminal:
 *     256 and more colours  half blocks, upper core in the foreground, lower in the background;
 *                           without Unicode coloured blanks, the mean of both
 *     8 and 16 colours      two hues, each from sparse to dense glyphs: the mean of both; states
 *                           still in half blocks
 *     no colours            a digit 0 to 9, or with a theme of shades " ░▒▓█" or " .:-=+*#%@": the
 *                           mean of both
 * A difference has a ramp of its own, of two hues that meet in a colour that is neither; with 8 and
 * 16 colours they get denser, without colours a sign says which it is: = - . + #. A core that is
 * off and a value that is unknown have their own glyph and never a colour of the ramp. Where half a
 * cell is off it has a colour of its own (of the role: "on"); where it is merged with one that is
 * on, the cell is underlined.
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
	bool braille;		 /* its characters are in the terminal's font: lines of dots */
	bool half;		 /* half blocks are in use: two values per cell can be told apart */
	bool shades;		 /* the ramp is drawn with glyphs, */
	bool digits;		 /* that are digits, */
	bool hues;		 /* or in two hues */
	int32_t hue[2];		 /* of low and high levels */
	int32_t less, more;	 /* hues of differences, where there are 8 or 16 colours */
	int32_t off;		 /* of a core that is off, in half a cell or behind its glyph */
	struct look role[ROLES]; /* colours the terminal has */
	struct look text[ROLES]; /* of letters and lines: what could not be read goes without */
	int32_t ramp[HEAT_LEVELS];     /* likewise */
	int32_t diff[HEAT_DIFFS];      /* likewise */
	int32_t on_state[HEAT_STATES]; /* text colour that can be read on a state's colour */
};

struct glyph {
	uint32_t wc, mark;
	int32_t fg, bg;
	uint8_t attr;
};

uint32_t painter_sum(const struct painter *p); /* another one after a change of theme */
void painter_init(struct painter *p, const struct theme *t, enum depth depth, bool unicode);
struct glyph paint_cell(const struct painter *p, const struct cell *c);

/* The level of v in lo..hi, clamped; HEAT_UNKNOWN for NaN. */
unsigned heat_level(double v, double lo, double hi);

/* The code of a difference in -most..most, clamped; HEAT_UNKNOWN for NaN. */
unsigned heat_diff(double v, double most);

/* The letter and the look of a cycle class (0..6). */
uint32_t class_glyph(unsigned cls);
enum role class_role(unsigned cls);

/* The letter of a core state (0..5), the same in every pane. */
uint32_t state_glyph(unsigned state);
enum role state_role(unsigned state);

/* As plain text (heat cells as shades, blanks at line ends cut), or as text with SGR colours. */
void canvas_dump_text(const struct canvas *c, bool unicode, FILE *to);
void canvas_dump_ansi(const struct canvas *c, const struct painter *p, FILE *to);

#endif
