/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_plot.c - the command `plot`: writes pictures of the run to files.
 *
 * The expression may contain blanks and commas, so the line is parsed from its end: a range if
 * there is one, the file, and the rest.
 */
#include "lab/lab.h"
#include "session/command.h"
#include "session/experiment.h"
#include "session/session_part.h"

#include "base/replace.h"
#include "base/strbuf.h"
#include "plot/plot.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "usage: plot PANE|SERIES|EXPR[, ...] FILE.svg|png|pdf [from..to|selection] [--force]"

/* Finds where the last word of a line begins, with the quotes that next_word() removes, and returns
 * how many words there are. */
static size_t
find_last_word(const char *line, size_t n, char *buf, size_t size)
{
	char *copy = strndup(line, n);
	const char *at = copy, *begin = at;

	*buf = '\0';
	for (; copy && *skip_blanks(at); begin = skip_blanks(begin)) {
		begin = skip_blanks(at);
		if (!next_word(&at, buf, size))
			break;
	}
	n = (size_t)(begin - copy);
	free(copy);
	return n;
}

enum session_status
cmd_plot(struct session *s, struct cmd_args *a)
{
	char word[PATH_MAX], what[1024], title[300];
	struct plot_job j = {.to = CYCLE_NEVER,
			     .what = what,
			     .width = s->opts.plot_width,
			     .height = s->opts.plot_height,
			     .dpi = s->opts.plot_dpi};
	const char *line = a->word[0];
	size_t n = find_last_word(line, strlen(line), word, sizeof(word));
	struct plot_run run;
	bool forced = replace_is_forced(word);
	struct err e = {0};
	cycle_t *kernel;
	int rc;

	if (forced)
		n = find_last_word(line, n, word, sizeof(word));
	if (ascii_same(word, "selection") ||
	    (strstr(word, "..") && word[strspn(word, "0123456789_,.kMGx")] == '\0')) {
		if (read_cycles(s, word, &j.from, &j.to, &e))
			return say_err(s, &e);
		n = find_last_word(line, n, word, sizeof(word));
	}
	if (strstr(word, "..") && ascii_is_digit(*word) && !plot_is_file(word))
		return fail(s, "plot: '%.60s' is no range of cycles, as 20k..40k is", word);
	if (!span_copy(span_trim((struct span){line, n}), what, sizeof(what)))
		return fail(s, "plot: the line is too long");
	if (!*what)
		return fail(s, "plot: expected %s '%.100s'; " USAGE,
			    plot_is_file(word) ? "something to draw before" : "a file after", word);
	if (!forced && replace_check("plot", word, OWN_PICTURE, &e))
		return say_err(s, &e);
	kernel = calloc(sim_kernels_started(s->sim) + 1, sizeof(*kernel));
	if (!kernel)
		return fail_memory(s);
	plot_title(s->sim, title, sizeof(title));
	run = plot_run_sim(s->sim, title, kernel);
	j.run = &run;
	rc = plot_file(&j, word, &e);
	free(kernel);
	if (rc)
		return say_err(s, &e);
	say(s, SAY_NOTE, "plotted %s to %s", what, word);
	return SESSION_OK;
}

/* Runs both branches from where they part to the end of the workload, and reports on both. 0; 1:
 * interrupted; -1 with e. */
static int
report_branches(struct session *s, const char *const name[2], const char *path, struct err *e)
{
	struct comparison c = {.name = {name[0], name[1]}};
	struct machine m = session_machine(s);
	struct branch_pair p = {0};
	struct report_difference d;
	struct progress_line w;
	int rc = branch_pair_take(&m, &p, name[0], name[1], e);

	if (!rc) {
		c.copy[0] = p.copy[0];
		c.copy[1] = p.copy[1];
		horizon_set_workload(&c.to, p.copy[0]->sim, 0);
		progress_line_begin(&w, s, "report");
		rc = comparison_run(&c, &w.progress);
		progress_line_end(&w);
		for (unsigned i = 0; i < 2 && !rc; i++)
			if (c.copy[i]->how == SIM_FAILED)
				rc = err_set(e, "report: the run of %.60s failed: %s", name[i],
					     c.copy[i]->why.msg);
	}
	if (!rc) {
		d = (struct report_difference){c.first.known,
					       c.first.cycle,
					       {c.first.text[0], c.first.text[1]}};
		rc = plot_report_sims((struct sim *[2]){p.copy[0]->sim, p.copy[1]->sim}, name, 2,
				      c.first.lost ? NULL : &d, path, e);
	}
	branch_pair_free(&p);
	return rc;
}

/* Does the name end like one of a page? Devices and pipes need not. */
static bool
is_page(const char *path)
{
	const char *name = strrchr(path, '/'), *dot = strrchr(name ? name + 1 : path, '.');

	return strncmp(path, "/dev/", 5) == 0 ||
	       (dot && (ascii_same(dot, ".html") || ascii_same(dot, ".htm")));
}

#define REPORT_WORDS 3 /* two runs and the page */
#define REPORT_USAGE "usage: report [BRANCH BRANCH|A.csv [B.csv]] FILE.html [--force]"

/* The page of the run so far; or with names before it that of two branches, or of one or two tables
 * of `dump csv series`. 0; 1: interrupted; -1 with e. */
static int
write_report(struct session *s, char (*word)[PATH_MAX], unsigned n, struct err *e)
{
	const char *name[2] = {word[0], word[1]}, *page = word[n - 1];
	unsigned branches = 0;

	for (unsigned i = 0; i < 2 && n == REPORT_WORDS && s->sim; i++)
		branches += timeline_branch_find(s->timeline, name[i], NULL) != NULL;
	if (branches == 2)
		return report_branches(s, name, page, e);
	for (unsigned i = 0; i < 2 && branches; i++) /* the other one is meant as a branch, too */
		if (!timeline_branch_find(s->timeline, name[i], e))
			return -1;
	if (n > 1)
		return plot_report_tables(name, n - 1, NULL, page, e);
	if (!s->sim)
		return err_set(e, "report: no workload is loaded");
	return plot_report_sim(s->sim, page, e);
}

enum session_status
cmd_report(struct session *s, struct cmd_args *a)
{
	char(*word)[PATH_MAX] = calloc(REPORT_WORDS, sizeof(*word));
	const char *at = a->word[0];
	struct err e = {0};
	bool forced = false;
	unsigned n = 0;
	int rc = 0;

	if (!word)
		return fail_memory(s);
	while (n < REPORT_WORDS && !forced && next_word(&at, word[n], sizeof(*word)))
		if (!(forced = replace_is_forced(word[n])))
			n++;
	at = skip_blanks(at);
	if (!forced && replace_is_forced(at)) {
		forced = true;
		at = "";
	}
	if (!n || *at)
		rc = err_set(&e, "report: expected FILE.html after at most two branches or tables "
				 "of 'dump csv series'; " REPORT_USAGE);
	else if (!forced)
		rc = replace_check("report", word[n - 1], OWN_PAGE, &e);
	if (!rc && !is_page(word[n - 1]))
		rc = err_set(&e, "report: expected a file .html at the end, found '%.100s'; %s",
			     word[n - 1],
			     plot_is_file(word[n - 1]) ? "'plot' writes .svg, .png and .pdf"
						       : REPORT_USAGE);
	if (!rc)
		rc = write_report(s, word, n, &e);
	if (!rc)
		say(s, SAY_NOTE, "wrote the report to %s", word[n - 1]);
	else if (rc > 0)
		say(s, SAY_NOTE, "%s was not written: the runs have not ended", word[n - 1]);
	free(word);
	if (rc > 0)
		return session_say_interrupted(s, "report");
	return rc ? say_err(s, &e) : SESSION_OK;
}

static void
offer_name(void *ctx, const char *path, const char *unit ATTR_UNUSED, const char *help ATTR_UNUSED)
{
	offer(ctx, path);
}

void
complete_plot(struct offer *o, const struct before *b)
{
	size_t n = strlen(b->last);

	if (b->n && b->last[n ? n - 1 : 0] != ',') {
		o->is_path = true;
		return;
	}
	for (unsigned i = 0; plot_pane(i); i++)
		offer(o, plot_pane(i));
	overtime_each_name(offer_name, o);
}
