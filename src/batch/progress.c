/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress.c - prints the progress of a sweep on standard error: on a terminal one line that is
 * rewritten, elsewhere a line from time to time.
 *
 * The lengths of workloads differ by a factor of a thousand, so the share that is done and the
 * remaining time are computed from warp instructions, which a native trace knows beforehand, and
 * not from the number of runs.
 */
#include "batch/batch_part.h"

#include "ctascope/trace.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/progress_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLAIN_SECONDS 30.0

const char *
count_text(char buf[COUNT], unsigned n)
{
	if (n < 1000)
		snprintf(buf, COUNT, "%u", n);
	else
		snprintf(buf, COUNT, "%u,%03u", n / 1000,
			 n % 1000); /* a sweep has at most 100,000 */
	return buf;
}

const char *
count_runs(char buf[COUNT], unsigned n)
{
	char plain[COUNT];

	snprintf(buf, COUNT, "%.20s run%s", count_text(plain, n), n == 1 ? "" : "s");
	return buf;
}

static double
work_of(const struct trace *t)
{
	const struct trace_info *info = trace_info(t);
	double sum = 1;

	for (unsigned i = 0; i < info->n_cmds; i++)
		if (info->cmd[i].kind == TRACE_KERNEL)
			sum += (double)info->kernel[info->cmd[i].kernel].warp_insts;
	return sum;
}

/* Returns the work of a workload, 0 if that would require reading a whole text. */
static double
find_work(const struct spec *s, const struct point *p)
{
	const char *name = p->key[DIM_WORKLOAD];
	size_t n = strlen(name);
	struct trace *t = NULL;
	double sum = 0;

	if (!strchr(name, '/') || (n > 4 && strcmp(name + n - 4, ".ctr") == 0))
		t = run_trace(s, p, NULL);
	if (t)
		sum = work_of(t);
	trace_close(t);
	return sum;
}

void
progress_new(struct progress *g, const struct points *p, const unsigned *todo, unsigned n,
	     bool quiet)
{
	const char *last = NULL;
	double weight = 0, known = 0;
	unsigned n_known = 0;

	*g = (struct progress){.points = p, .n = n, .quiet = quiet};
	g->terminal = isatty(STDERR_FILENO);
	g->weight = memory_new(p->n, sizeof(*g->weight));
	g->share = memory_new(p->n, sizeof(*g->share));
	for (unsigned i = 0; i < n; i++) {
		const struct point *at = &p->p[todo[i]];

		/* the words of a point belong to the spec: the same workload is the same pointer */
		if (at->key[DIM_WORKLOAD] != last)
			weight = find_work(p->spec, at);
		last = at->key[DIM_WORKLOAD];
		g->weight[todo[i]] = weight;
		known += weight;
		n_known += weight > 0;
	}
	for (unsigned i = 0; i < n; i++) {
		if (g->weight[todo[i]] <= 0)
			g->weight[todo[i]] = n_known ? known / n_known : 1;
		g->all += g->weight[todo[i]];
	}
	g->began = g->drawn = clock_seconds();
}

void
progress_free(struct progress *g)
{
	free(g->weight);
	free(g->share);
	g->weight = g->share = NULL;
}

void
progress_clear(struct progress *g)
{
	if (!g->shown)
		return;
	fputs(PROGRESS_CLEAR, stderr);
	fflush(stderr);
	g->shown = false;
}

/* "12 s", "4:07 min", "3:20 h". */
static void
format_duration(double seconds, char *buf, size_t size)
{
	unsigned long s = (unsigned long)(seconds + 0.5);

	if (s < 60)
		snprintf(buf, size, "%lu s", s);
	else if (s < 3600)
		snprintf(buf, size, "%lu:%02lu min", s / 60, s % 60);
	else
		snprintf(buf, size, "%lu:%02lu h", s / 3600, s % 3600 / 60);
}

static void
draw_progress(struct progress *g, double now)
{
	char left[80] = "", failed[48] = "", span[40], line[240], count[3][COUNT];
	const struct point *p = &g->points->p[g->last];

	if (g->done > 0 && g->n_done < g->n) {
		format_duration((now - g->began) * (g->all - g->done) / g->done, span,
				sizeof(span));
		snprintf(left, sizeof(left), ", %s left", span);
	}
	if (g->n_failed)
		snprintf(failed, sizeof(failed), ", %s failed", count_text(count[0], g->n_failed));
	snprintf(line, sizeof(line), "%3.0f %%  %s of %s%s%s", 100 * g->done / g->all,
		 count_text(count[1], g->n_done), count_runs(count[2], g->n), failed, left);
	if (g->terminal) {
		fprintf(stderr, PROGRESS_BEGIN "%s  %.20s %.24s" PROGRESS_END, line,
			p->key[DIM_WORKLOAD], p->key[DIM_POLICY]);
		fflush(stderr);
		g->shown = true;
	} else {
		fprintf(stderr, "ctascope: %s\n", line + strspn(line, " "));
	}
	g->drawn = now;
}

void
progress_began(struct progress *g, unsigned point)
{
	g->last = point;
}

void
progress_tick(struct progress *g)
{
	double now = clock_seconds();

	if (!g->quiet && now - g->drawn >= (g->terminal ? 0.25 : PLAIN_SECONDS))
		draw_progress(g, now);
}

void
progress_say(struct progress *g)
{
	bool terminal = g->terminal;

	progress_clear(g);
	g->terminal = false;
	draw_progress(g, clock_seconds());
	g->terminal = terminal;
}

void
progress_share(struct progress *g, unsigned point, double share)
{
	g->done += (share - g->share[point]) * g->weight[point];
	g->share[point] = share;
}

/* A failed run is reported at once, also with --quiet, since it is not progress. */
void
progress_done(struct progress *g, unsigned point, const struct result *r)
{
	const struct point *p = &g->points->p[point];

	g->n_done++;
	progress_share(g, point, 1);
	if (run_is_good(r->status))
		return;
	g->n_failed++;
	progress_clear(g);
	fprintf(stderr, "ctascope: run %u (%s, %s, %s): %s: %s\n", p->number, p->key[DIM_WORKLOAD],
		p->key[DIM_MACHINE], p->key[DIM_POLICY], run_status_names[r->status], r->error);
}
