/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cli_reading.c - opens a trace for a command. Text of a gigabyte takes a minute to read, and
 * longer to sort, so a line on the terminal shows how much is done.
 */
#include "cli/cli_part.h"

#include "base/clock.h"
#include "base/progress_line.h"
#include "trace/trace.h"

#include <string.h>
#include <unistd.h>

struct reading {
	double began, drawn;
	bool shown;
};

static void
draw_reading(void *ctx, const char *what, const char *name, uint64_t done, uint64_t all)
{
	struct reading *r = ctx;
	double now = clock_seconds();
	const char *slash = strrchr(name, '/');

	if (now - r->began < 1 || now - r->drawn < 0.25 || all == 0)
		return;
	r->drawn = now;
	r->shown = true;
	fprintf(stderr, PROGRESS_BEGIN "%s %s: %.0f %%" PROGRESS_END, what,
		slash ? slash + 1 : name, 100.0 * (double)MIN(done, all) / (double)all);
	fflush(stderr);
}

struct trace *
cli_open_trace(const char *path, struct err *e)
{
	struct reading r = {.began = clock_seconds()};
	struct trace_watch watch = {.on_progress = draw_reading, .ctx = &r};
	struct trace *t = trace_open_watched(path, isatty(STDERR_FILENO) ? &watch : NULL, e);

	if (r.shown)
		fputs(PROGRESS_CLEAR, stderr);
	return t;
}
