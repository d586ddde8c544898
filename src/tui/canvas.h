/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * canvas.h - a rectangle of cells that panes draw into, apart from any terminal.
 *
 * A cell is text in a role (theme.h says how a role looks) or a pair of heat codes, one for its
 * upper and one for its lower half. Which glyph and colour that becomes is decided later
 * (paint.h), so one drawing serves 256 colours, 16, monochrome, ASCII and the tests.
 *
 * A struct canvas is a view: canvas_sub() makes a smaller one over the same cells. Everything drawn
 * outside of a view is cut off.
 */
#ifndef TUI_CANVAS_H
#define TUI_CANVAS_H

#include "ctascope/base.h"

/* Heat codes: a level of the ramp, a state of a core, or one of the marks that are no colour. */
#define HEAT_LEVELS 32 /* 0..31: levels of the ramp */
#define HEAT_STATE 64  /* 64 + state: categories, in the order of series.def's STATE */
#define HEAT_STATES 6
#define HEAT_CLASS 80 /* 80 + cycle class, in the order of enum cycle_class */
#define HEAT_CLASSES 7
#define HEAT_DIFF 96	  /* 96..128: a difference, from much less over none to much more */
#define HEAT_DIFFS 33	  /* odd: that in the middle is none */
#define HEAT_UNKNOWN 0xf0 /* no value is known */
#define HEAT_GATED 0xf1	  /* the core is switched off */
#define HEAT_LEFT 0xf2	  /* of two, only the first has a value */
#define HEAT_RIGHT 0xf3	  /* only the second */
#define HEAT_NONE 0xff	  /* nothing is there (yet) */

#define ATTR_BOLD 1
#define ATTR_DIM 2
#define ATTR_UNDERLINE 4
#define ATTR_REVERSE 8

enum cell_kind { CELL_TEXT, CELL_HEAT, CELL_RIGHT /* the right half of a wide character */ };

struct cell {
	uint32_t wc;	/* Unicode; 0 is a blank; of a heat cell: what stands on its colour */
	uint32_t mark;	/* one combining character, 0 none */
	uint8_t kind;	/* enum cell_kind */
	uint8_t role;	/* enum role */
	uint8_t attr;	/* added to the role's */
	uint8_t hi, lo; /* heat codes of the upper and lower half */
	uint8_t cursor; /* the time cursor crosses this heat cell */
	uint8_t most;	/* of a heat cell: what its highest level is as one digit; 0: no such */
	uint8_t pad[1]; /* zero, so that rows can be compared as bytes */
};

struct canvas {
	struct cell *cell; /* top left of this view */
	unsigned stride;
	int w, h;
};

/* A canvas that owns its cells; NULL when memory runs out. */
struct canvas *canvas_new(int w, int h);
void canvas_free(struct canvas *c); /* NULL is fine; never of a view */

struct canvas canvas_sub(const struct canvas *c, int x, int y, int w, int h);
void canvas_clear(struct canvas *c);

/* UTF-8 text; returns the columns it would take uncut. Control characters show as a blank. */
int canvas_text(struct canvas *c, int x, int y, unsigned role, const char *s);
int canvas_printf(struct canvas *c, int x, int y, unsigned role, const char *fmt, ...)
	ATTR_PRINTF(5, 6);
/* At most w columns, "..." (one cell) at the end when cut. Returns the columns used. */
int canvas_fit(struct canvas *c, int x, int y, int w, unsigned role, const char *s);
/* Ends at column x + w. */
int canvas_right(struct canvas *c, int x, int y, int w, unsigned role, const char *s);
/* Breaks at blanks into lines of at most w columns; returns the lines needed, draws at most h. */
int canvas_wrap(struct canvas *c, int x, int y, int w, int h, unsigned role, const char *s);

void canvas_put(struct canvas *c, int x, int y, unsigned role, uint32_t wc);
void canvas_fill(struct canvas *c, int x, int y, int w, int h, unsigned role, uint32_t wc);
void canvas_attr(struct canvas *c, int x, int y, int w, unsigned attr);
void canvas_heat(struct canvas *c, int x, int y, unsigned hi, unsigned lo, bool cursor);
/* Characters over heat cells that are there, in a colour that can be read on theirs. */
void canvas_heat_text(struct canvas *c, int x, int y, const char *ascii);
/* Heat cells that are there are of whole numbers from 0 to most, 1 to 9: where a level is a digit,
 * it is the number. */
void canvas_digits(struct canvas *c, unsigned most);
const struct cell *canvas_at(const struct canvas *c, int x, int y); /* NULL outside */

/* Decodes one character of *s and moves on; a damaged byte gives U+FFFD. 0 at the end. */
uint32_t utf8_next(const char **s);
unsigned utf8_put(char to[4], uint32_t wc); /* bytes written */
int text_width(const char *s);		    /* columns of UTF-8 text */
int char_width(uint32_t wc);		    /* 0, 1 or 2 */

#endif
