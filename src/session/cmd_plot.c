/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_plot.c - the command `plot`: writes pictures of the run to files.
 *
 * The expression may contain blanks and commas, so the line is parsed from its end: a range if
 * there is one, the file, and the rest.
 */
#include "session/command.h"
#include "session/session_part.h"

#include "base/strbuf.h"
#include "plot/plot.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "usage: plot PANE|SERIES|EXPR[, ...] FILE.svg|png|pdf [from..to|selection]"

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
	struct err e = {0};
	cycle_t *kernel;
	int rc;

	if (ascii_same(word, "selection") ||
	    (strstr(word, "..") && word[strspn(word, "0123456789_,.kMGx")] == '\0')) {
		if (read_cycles(s, word, &j.from, &j.to, &e))
			return say_err(s, &e);
		n = find_last_word(line, n, word, sizeof(word));
	}
	if (!span_copy(span_trim((struct span){line, n}), what, sizeof(what)))
		return fail(s, "plot: the line is too long");
	if (!*what)
		return fail(s, "plot: what to draw and a file are needed; " USAGE);
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

enum session_status
cmd_report(struct session *s, struct cmd_args *a)
{
	const char *at = a->word[0];
	char path[PATH_MAX];
	struct err e = {0};

	next_word(&at, path, sizeof(path));
	if (plot_report_sim(s->sim, path, &e))
		return say_err(s, &e);
	say(s, SAY_NOTE, "reported to %s", path);
	return SESSION_OK;
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
