/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot.h - pictures of a run's time series, to keep: SVG, PNG, PDF.
 *
 * What is drawn is a list, items between commas:
 *     a pane (ctas, ract, credits, gates, ipc, classes, cmem, lat, dram, power)
 *     a time series of all cores or channels (core.l1_miss_rate, mem.queue): a strip for each over
 * time an expression (gpu.ipc, sum(core.*.n); export/overtime.h): a line; lines of one unit share a
 * panel All panels have one time axis. SVG is written here; PNG and PDF need cairo, which may be
 * missing.
 */
#ifndef PLOT_PLOT_H
#define PLOT_PLOT_H

#include "export/overtime.h"
#include <stdio.h>

/* A run as pictures need it. */
struct plot_run {
	struct overtime_source from;
	const char *title;	     /* workload, policy and machine; "": said elsewhere */
	const cycle_t *kernel_start; /* of each kernel so far, in order */
	unsigned n_kernels;
};

struct plot_job {
	const struct plot_run *run;
	const char *what;
	cycle_t from, to;     /* 0 and CYCLE_NEVER: all there is */
	double width, height; /* millimetres; height 0: as high as it needs */
	unsigned dpi;	      /* of a PNG */
	bool inlined;	      /* SVG for a page of HTML: its colours, text as text, no background */
};
#define PLOT_WIDTH 170
#define PLOT_DPI 200

/* Draws into the file at path, whose suffix says how; an old file stays until the new one is whole.
 * -1 with e: the list means nothing, there is nothing to draw, no such suffix, no cairo. */
int plot_file(const struct plot_job *j, const char *path, struct err *e);
int plot_svg(const struct plot_job *j, FILE *to, struct err *e);

/* Whether a name ends in a suffix of plot_file(). */
bool plot_is_file(const char *path);
bool plot_has_cairo(void);

/* The panes that can be drawn, by name; NULL ends the list. */
const char *plot_pane(unsigned i);
/* Workload, policy and machine of a run in one line. */
void plot_title(const struct sim *s, char *buf, size_t size);
/* The run of a sim. kernel: room for n_kernels of sim_kernels_started(). */
struct plot_run plot_run_sim(const struct sim *s, const char *title, cycle_t *kernel);

/*
 * A report: one page of HTML with pictures, headline numbers and decisions, which needs nothing
 * from elsewhere, for a light or a dark window and for paper.
 */
int plot_report_sim(struct sim *s, const char *path, struct err *e);
/* The same from tables that were dumped: `series`, and as far as given `mem`, `stats`, `events` or
 * `decisions`, in any order; each is known by its header. title: NULL, the first file's name. */
int plot_report_tables(const char *const *csv, unsigned n, const char *title, const char *path,
		       struct err *e);

#endif
