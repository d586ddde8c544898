/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot.h - pictures of a run's time series as files: SVG, PNG, PDF.
 *
 * The content is a list of items separated by commas:
 *     a pane (ctas, ract, credits, gates, ipc, classes, cmem, lat, dram, power)
 *     a time series of all cores or channels (core.l1_miss_rate, mem.queue): a strip for each
 *     an expression over time (gpu.ipc, sum(core.*.n); export/overtime.h): a line; lines with the
 *     same unit share a panel
 * All panels have one time axis. SVG is written here; PNG and PDF need cairo, which may be missing.
 */
#ifndef PLOT_PLOT_H
#define PLOT_PLOT_H

#include "export/overtime.h"
#include <stdio.h>

/* A run in the form that pictures need. */
struct plot_run {
	struct overtime_source from;
	const char *title;	     /* workload, policy and machine; "": shown elsewhere */
	const cycle_t *kernel_start; /* of each kernel so far, in order */
	unsigned n_kernels;
};

struct plot_job {
	const struct plot_run *run;
	/* Its picture will be beside this one, so both get the same axes; NULL: none. */
	const struct plot_run *beside;
	const char *what;
	cycle_t from, to;     /* 0 and CYCLE_NEVER: the whole run */
	double width, height; /* millimetres; height 0: as high as needed */
	unsigned dpi;	      /* for PNG */
	bool inlined; /* SVG for an HTML page: the page's colours, text as text, no background */
};
#define PLOT_WIDTH 170
#define PLOT_DPI 200

/* Draws to the file at path, whose suffix selects the format; an old file stays until the new
 * one is complete. -1 with e: invalid list, nothing to draw, unknown suffix, or no cairo. */
int plot_file(const struct plot_job *j, const char *path, struct err *e);
int plot_svg(const struct plot_job *j, FILE *to, struct err *e);

/* Does the name end in a suffix of plot_file()? */
bool plot_is_file(const char *path);
bool plot_has_cairo(void);

/* The names of the available panes; NULL ends the list. */
const char *plot_pane(unsigned i);
bool plot_has_pane(const char *name);
/* Writes "ctas, ract, ..." and returns it. */
#define PLOT_PANE_LIST 200
const char *plot_pane_list(char buf[PLOT_PANE_LIST]);
/* The series of the picture of that name; NULL: there is none. */
const char *plot_pane_series(const char *name);
/* Workload, policy and machine of a run in one line. */
void plot_title(const struct sim *s, char *buf, size_t size);
/* The name of its workload, valid until the next call. */
const char *plot_workload(const struct sim *s);
/* Describes the run of a sim. kernel: array for sim_kernels_started() entries. */
struct plot_run plot_run_sim(const struct sim *s, const char *title, cycle_t *kernel);

/*
 * A report: a self-contained HTML page with pictures, headline numbers and decisions, for light and
 * dark windows and for paper.
 */
int plot_report_sim(struct sim *s, const char *path, struct err *e);
/* The same of n runs of a workload, at most REPORT_RUNS; of two the page compares the numbers, and
 * their pictures have the same axes. */
#define REPORT_RUNS 2
struct report_difference {
	bool known; /* false: every decision is the same */
	cycle_t cycle;
	const char *text[2]; /* what each run did then */
};
/* difference: their first one, for the page; NULL: it was not looked for. */
int plot_report_sims(struct sim *const *s, const char *const *name, unsigned n,
		     const struct report_difference *difference, const char *path, struct err *e);
/* The same from dumped tables: `series` and, if given, `mem`, `stats`, `events` or `decisions`,
 * each recognized by its header. A second `series` begins a second run, to which the tables after
 * it belong; otherwise the order is free. title: NULL means the names of the files. */
int plot_report_tables(const char *const *csv, unsigned n, const char *title, const char *path,
		       struct err *e);

/*
 * A chart: bars or curves of any table with a header. Rows with the same x and group are averaged;
 * error bars then show one standard deviation.
 */
enum chart_mean { CHART_MEAN_AUTO, CHART_MEAN_BOTH, CHART_ARITHMETIC, CHART_GEOMETRIC, CHART_NONE };
enum chart_kind { CHART_AUTO, CHART_BARS_ALWAYS, CHART_LINES_ALWAYS };

struct chart_job {
	const char *path;	   /* of the table */
	const char *x, *y, *group; /* columns, parameters or (y) expressions; NULL: chosen */
	const char *const *where;  /* conditions COLUMN=VALUE or COLUMN!=VALUE; all must hold */
	unsigned n_where;
	const char *normalize; /* VALUE or COLUMN=VALUE of the baseline; NULL: values as they are */
	enum chart_mean mean;  /* over the places of bars; auto: both, if there are several */
	enum chart_kind kind;  /* auto: curves over numbers, bars over texts */
	const char *title;     /* NULL: made of the columns */
	double width, height;  /* millimetres; 0: PLOT_WIDTH, or as high as needed */
	unsigned dpi;
};
/* Writes a picture, as plot_file(). -1 with e: no such column, no numbers, ... */
int plot_chart_file(const struct chart_job *j, const char *path, struct err *e);
/* Writes SVG for an HTML page, with text as text. */
int plot_chart_svg(const struct chart_job *j, FILE *to, struct err *e);
/* Prints it as text, `columns` wide. ascii: without Unicode. */
int plot_chart_text(const struct chart_job *j, FILE *to, unsigned columns, bool ascii,
		    struct err *e);

#endif
