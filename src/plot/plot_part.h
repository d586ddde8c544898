/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot_part.h - private to src/plot: figures, scales, pens.
 *
 * A figure is built from a list of items: panels stacked vertically. A chart is built from a table.
 * Both become a page, which a pen draws. A pen knows paper (points of 1/72 inch, y downwards) and
 * nothing about runs or tables.
 */
#ifndef PLOT_PLOT_PART_H
#define PLOT_PLOT_PART_H

#include "base/strbuf.h"
#include "plot/plot.h"

/* ---------------------------------------------------------------- pens */

/* Colours are 0xrrggbb; these two are the page's text colours, dark on paper. */
#define PEN_INK 0x1000000
#define PEN_FAINT 0x2000000

enum pen_anchor { PEN_LEFT, PEN_MIDDLE, PEN_RIGHT };
struct pen_text {
	double x, y, size; /* of the baseline */
	bool bold, upwards;
	enum pen_anchor anchor;
	uint32_t color;
};
struct pen_line {
	uint32_t color;
	double width;
	const char *dash; /* "4 2" in points; "": solid */
};
/* A grid of colours: code[row * columns + column] indexes the palette; PEN_NO_CELL is left out.
 * */
#define PEN_NO_CELL 255
struct pen_cells {
	double x, y, w, h; /* of the complete columns */
	unsigned columns, rows;
	const uint8_t *code;
	const uint32_t *palette;
	unsigned n_palette;
};

struct pen {
	void (*text)(struct pen *p, const struct pen_text *t, const char *text);
	void (*line)(struct pen *p, const struct pen_line *l, const double *xy, unsigned n);
	void (*area)(struct pen *p, uint32_t color, const double *xy, unsigned n);
	void (*cells)(struct pen *p, const struct pen_cells *c);
	void *ctx;
};

/* The width of a text, the same for every font and pen: approximately that of DejaVu Sans. */
double pen_width(const char *text, double size, bool bold);
void pen_rect(struct pen *p, uint32_t color, double x, double y, double w, double h);
void pen_frame(struct pen *p, const struct pen_line *l, double x, double y, double w, double h);

/* What a pen draws. */
struct page {
	double width, height; /* points */
	const char *title;    /* of a PDF */
	const char *about;    /* of an SVG, for those who cannot see it */
	void (*draw)(const void *ctx, struct pen *p);
	const void *ctx;
};

/* Writes an SVG file. inlined: for an HTML page (struct plot_job). */
int pen_svg(const struct page *page, bool inlined, FILE *to, struct err *e);
/* pen_cairo.c, or its replacement without cairo. */
int pen_cairo(const struct page *page, bool pdf, unsigned dpi, FILE *to, struct err *e);
/* Is path the name of a picture that can be written? -1 with e: unknown suffix, or no cairo. */
int page_check_path(const char *path, struct err *e);
/* Writes a page to a path that page_check_path() accepts, complete or not at all. */
int page_write(const struct page *page, const char *path, unsigned dpi, struct err *e);
/* The outline of a text anchored at the origin, as SVG path data; false: not available. */
bool pen_outline(const struct pen_text *t, const char *text, struct strbuf *path);

/* Called after a figure is drawn. */
void pen_forget_fonts(void);

/* ---------------------------------------------------------------- figures */

#define PLOT_LINES 8 /* lines that differ in colour and dashes */

enum panel_kind { PANEL_LINES, PANEL_HEAT, PANEL_STATES, PANEL_CLASSES };
#define FIGURE_PANELS 8
#define PANEL_CURVES PLOT_LINES

struct curve { /* an expression over time (steps), or cores over time (cells) */
	struct overtime *x;
	unsigned rows; /* 1, or the number of cores or channels */
	double *v;     /* rows x columns; NaN: unknown */
	bool *off;     /* heat of cores: switched off; NULL: unknown */
	char label[80];
};

struct panel {
	enum panel_kind kind;
	char title[160], unit[48];
	const char *row_name; /* heat: "core" */
	struct curve curve[PANEL_CURVES];
	unsigned n;
	double lo, hi; /* of the value axis */
};

struct figure {
	const struct plot_run *run;
	struct panel panel[FIGURE_PANELS];
	unsigned n;
	cycle_t from, to; /* of the time axis */
	cycle_t per;	  /* cycles per column; the last may be shorter */
	unsigned columns;
	double width, height; /* points; set by figure_layout() */
	double plot_x, plot_w;
	double panel_y[FIGURE_PANELS], panel_h[FIGURE_PANELS];
	char note[240]; /* shown below the title */
};

/* The page of a figure. about receives the text for the page and must live as long; the caller
 * frees it. */
struct page figure_page(const struct figure *f, struct strbuf *about);
int figure_make(const struct plot_job *j, struct figure *f, struct err *e);
void figure_free(struct figure *f);
void figure_layout(struct figure *f, double width_mm, double height_mm);
/* Copies as much of a text as fits into a width, with dots if it was cut. */
void figure_fit(char *buf, size_t size, const char *text, double points, double width, bool bold);
void panel_draw(const struct figure *f, unsigned i, struct pen *p);
/* The height of what is above panel i: title and legend. */
double panel_head(const struct figure *f, unsigned i);

/* The colours of cycle classes and core states, and their names. */
extern const uint32_t plot_class_colors[];
extern const uint32_t plot_state_colors[];
/* The colours and dashes of lines; they repeat after PLOT_LINES. */
extern const uint32_t plot_line_colors[PLOT_LINES];
extern const char *const plot_line_dashes[PLOT_LINES];
uint32_t plot_ramp(double share); /* cividis */

/* ---------------------------------------------------------------- scales */

#define TICK_TEXT 32
double scale_step(double lo, double hi, unsigned most); /* between ticks: 1, 2 or 5 times 10^n */
void scale_round(double *lo, double *hi);		/* outwards to the next ticks */
/* "20k", "0.25", "0"; top: the largest number of the axis. */
void scale_text(char buf[TICK_TEXT], double v, double step, double top);
void scale_count(char buf[TICK_TEXT], uint64_t v); /* "1,234,567" */

#endif
