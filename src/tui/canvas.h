/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * canvas.h - a rectangle of cells that panes draw into, independent of the terminal.
 *
 * A cell holds a character with a role (theme.h defines its look), or two heat codes: one for its
 * upper and one for its lower half. paint.h chooses glyphs and colours later, so the same drawing
 * serves terminals of 256 or 16 colours, monochrome and ASCII terminals, and the tests.
 *
 * A struct canvas is a view: canvas_sub() makes a smaller one over the same cells. Drawing outside
 * of a view has no effect.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include "ctascope/base.h"

/* Heat codes: a level of the ramp, the state of a core, a class of cycles, a difference, or a mark
 * without a colour. */
#define HEAT_LEVELS 32 /* 0..31: levels of the ramp */
#define HEAT_STATE 64  /* 64 + the state of a core, in the order of series.def's STATE */
#define HEAT_STATES 6
#define HEAT_CLASS 80 /* 80 + cycle class, in the order of enum cycle_class */
#define HEAT_CLASSES 7
#define HEAT_DIFF 96   /* 96..128: a difference, from much less to much more */
#define HEAT_DIFFS 33  /* odd, so that the middle one means no difference */
#define HEAT_BAND 0xa0 /* 160..171: a gauge below, between and above its thresholds */
#define HEAT_BANDS 3
#define HEAT_BAND_STEPS 4 /* in each of them, from low to high */
#define HEAT_UNKNOWN 0xf0 /* no value is known */
#define HEAT_GATED 0xf1	  /* the core is switched off */
#define HEAT_LEFT 0xf2	  /* of two compared runs only the first has a value */
#define HEAT_RIGHT 0xf3	  /* only the second has a value */
#define HEAT_DIMMED 0xf4  /* a core that the spotlight is not on */
#define HEAT_NONE 0xff	  /* the cell is empty */

#define ATTR_BOLD 1
#define ATTR_DIM 2
#define ATTR_UNDERLINE 4
#define ATTR_REVERSE 8

enum cell_kind { CELL_TEXT, CELL_HEAT, CELL_RIGHT /* the right half of a wide character */ };

struct cell {
	uint32_t wc; /* Unicode, 0 is a blank; in a heat cell the character drawn over its colour */
	uint32_t mark;	/* one combining character; 0: none */
	uint8_t kind;	/* enum cell_kind */
	uint8_t role;	/* enum role */
	uint8_t attr;	/* added to the attributes of the role */
	uint8_t hi, lo; /* heat codes of the upper and lower half */
	uint8_t cursor; /* the time cursor crosses this heat cell */
	uint8_t most;	/* heat cell of whole numbers 0..most: its highest level is this digit; 0:
			   other */
	uint8_t pad[1]; /* zero, so that rows can be compared as bytes */
};

struct canvas {
	struct cell *cell; /* top left of this view */
	unsigned stride;
	int w, h;
};

/* Returns a canvas that owns its cells. */
struct canvas *canvas_new(int w, int h);
void canvas_free(struct canvas *c); /* accepts NULL; must not be given a view */

struct canvas canvas_sub(const struct canvas *c, int x, int y, int w, int h);
void canvas_clear(struct canvas *c);

/* Draws UTF-8 text and returns its width before clipping. Control characters show as blanks. */
int canvas_text(struct canvas *c, int x, int y, unsigned role, const char *s);
int canvas_printf(struct canvas *c, int x, int y, unsigned role, const char *fmt, ...)
	ATTR_PRINTF(5, 6);
#define CUT_MARK "\u2026" /* where something is left out of a text */
/* Draws at most w columns; text that is cut ends in that mark. Returns the columns used. */
int canvas_fit(struct canvas *c, int x, int y, int w, unsigned role, const char *s);
/* Aligns the text to the right, so that it ends before column x + w. */
int canvas_right(struct canvas *c, int x, int y, int w, unsigned role, const char *s);
/* Breaks the text at blanks into lines of at most w columns and draws at most h of them. Returns
 * how many lines the whole text needs. */
int canvas_wrap(struct canvas *c, int x, int y, int w, int h, unsigned role, const char *s);
/* The same; the second and further rows begin at that column of the first, less than w. */
int canvas_wrap_below(struct canvas *c, int x, int y, int w, int h, unsigned role, const char *s,
		      int column);

void canvas_put(struct canvas *c, int x, int y, unsigned role, uint32_t wc);
void canvas_fill(struct canvas *c, int x, int y, int w, int h, unsigned role, uint32_t wc);
void canvas_attr(struct canvas *c, int x, int y, int w, unsigned attr);
void canvas_heat(struct canvas *c, int x, int y, unsigned hi, unsigned lo, bool cursor);
/* Writes characters over existing heat cells, in a colour that is readable on the cell's. */
void canvas_heat_text(struct canvas *c, int x, int y, const char *ascii);
/* Declares that the existing heat cells show whole numbers from 0 to most (1 to 9). A terminal that
 * draws levels as digits then shows these numbers. */
void canvas_digits(struct canvas *c, unsigned most);
const struct cell *canvas_at(const struct canvas *c, int x, int y); /* NULL outside */

/* Decodes the next character of *s and advances *s. A damaged byte gives U+FFFD, the end 0. */
uint32_t utf8_next(const char **s);
unsigned utf8_put(char to[4], uint32_t wc); /* returns the bytes written */
int text_width(const char *s);		    /* columns of UTF-8 text */
int char_width(uint32_t wc);		    /* 0, 1 or 2 */

#endif
