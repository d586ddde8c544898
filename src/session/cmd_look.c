/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_look.c - the commands print, display, dump, and those that set the focus.
 */
#include "base/plain_name.h"
#include "base/replace.h"
#include "session/command.h"
#include "session/session_part.h"

#include "export/export.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- print, display */

enum session_status
cmd_print(struct session *s, struct cmd_args *a)
{
	const char *text = *a->word[0] ? a->word[0] : "$_";
	char small[4000], *big = NULL;
	const size_t room = 65536;
	struct value v;
	enum session_status status = session_eval(s, text, &v);

	if (status != SESSION_OK)
		return status;
	if (v.n > 200)
		big = malloc(room);
	value_format(&v, a->fmt, big ? big : small, big ? room : sizeof(small));
	say(s, SAY_RESULT, "%s = %s", text, big ? big : small);
	free(big);
	status = debug_set_last(s->debug, &v) ? fail_memory(s) : SESSION_OK;
	value_free(&v);
	return status;
}

void
session_bind_displays(struct session *s)
{
	for (unsigned i = 0; i < s->view.n_displays; i++) {
		struct display *d = &s->view.display[i];
		bool spoke = d->expr;
		struct err e = {0};

		expr_free(d->expr);
		d->expr = expr_parse(d->text, debug_names(s->debug), &e);
		if (!d->expr && spoke)
			say(s, SAY_NOTE, "display %u has no value: %s", d->id, e.msg);
	}
}

enum session_status
cmd_display(struct session *s, struct cmd_args *a)
{
	struct display *grown;
	struct err e = {0};
	struct expr *x;
	char *text;

	if (!*a->word[0]) {
		session_show_displays(s);
		return SESSION_OK;
	}
	x = expr_parse(a->word[0], debug_names(s->debug), &e);
	if (!x)
		return say_err(s, &e);
	text = strdup(a->word[0]);
	grown = realloc(s->view.display, (s->view.n_displays + 1) * sizeof(*grown));
	if (grown)
		s->view.display = grown;
	if (!text || !grown) {
		free(text);
		expr_free(x);
		return fail_memory(s);
	}
	s->view.display[s->view.n_displays++] = (struct display){.id = s->view.next_display++,
								 .fmt = a->fmt,
								 .text = text,
								 .expr = x};
	if (s->sim && sim_cycle(s->sim) > 0)
		session_show_displays(s);
	return SESSION_OK;
}

enum session_status
cmd_undisplay(struct session *s, struct cmd_args *a)
{
	unsigned kept = 0, before = s->view.n_displays;

	for (unsigned i = 0; i < s->view.n_displays; i++) {
		struct display *d = &s->view.display[i];

		if (a->has_number[0] && d->id != a->number[0]) {
			s->view.display[kept++] = *d;
			continue;
		}
		free(d->text);
		expr_free(d->expr);
	}
	s->view.n_displays = kept;
	if (kept == before && a->has_number[0])
		return fail(s, "no display %" PRIu64, a->number[0]);
	return SESSION_OK;
}

enum session_status
info_display(struct session *s, const char *args ATTR_UNUSED)
{
	if (!s->view.n_displays)
		say(s, SAY_RESULT, "nothing is displayed");
	for (unsigned i = 0; i < s->view.n_displays; i++) {
		const struct display *d = &s->view.display[i];
		char fmt[4] = "";

		if (d->fmt)
			snprintf(fmt, sizeof(fmt), "/%c", d->fmt);
		say(s, SAY_RESULT, "%u: %s%s%s", d->id, fmt, d->fmt ? " " : "", d->text);
	}
	return SESSION_OK;
}

/* ---------------------------------------------------------------- focus */

uint64_t
session_count_ctas(struct session *s, uint64_t kernel, char *grids, size_t size)
{
	unsigned n = sim_kernels_started(s->sim), largest = 0;
	const struct trace_kernel *k;
	char count[HUMAN], name[PLAIN_NAME];

	if (n == 0 || kernel > n) {
		snprintf(grids, size, "%u kernel%s started so far", n, n == 1 ? " has" : "s have");
		return 0;
	}
	for (unsigned i = 1; i < n; i++)
		if (sim_kernel(s->sim, i)->n_cta > sim_kernel(s->sim, largest)->n_cta)
			largest = i;
	k = sim_kernel(s->sim, kernel ? (unsigned)kernel - 1 : largest);
	snprintf(grids, size, "the grid of %.40s has %s CTAs, counted from 0",
		 plain_name_shown(k->name, name, sizeof(name)), human(count, k->n_cta));
	return k->n_cta;
}

enum session_status
cmd_core(struct session *s, struct cmd_args *a)
{
	unsigned n = sim_instances(s->sim, "core");

	if (a->number[0] >= n)
		return fail(s, "no core %" PRIu64 ": this machine has cores 0..%u", a->number[0],
			    n - 1);
	s->view.core = (unsigned)a->number[0];
	return SESSION_OK;
}

enum session_status
cmd_cta(struct session *s, struct cmd_args *a)
{
	char grids[100], of[32] = "";

	if (a->number[0] >= session_count_ctas(s, 0, grids, sizeof(grids)))
		return fail(s, "no CTA %" PRIu64 ": %s", a->number[0], grids);
	for (unsigned c = 0; c < sim_instances(s->sim, "core"); c++) {
		struct core_view v;

		sim_core_view(s->sim, c, &v);
		for (unsigned i = 0; i < v.n_slots; i++) {
			if (!v.slot[i].used || v.slot[i].cta != a->number[0])
				continue;
			s->view.core = c;
			s->view.cta = (int64_t)a->number[0];
			if (sim_runs_together(s->sim))
				snprintf(of, sizeof(of), " of kernel %u", v.slot[i].kernel + 1);
			say(s, SAY_NOTE, "CTA %" PRIu64 "%s is in slot %u of core %u", a->number[0],
			    of, i, c);
			return SESSION_OK;
		}
	}
	return fail(s, "no core holds CTA %" PRIu64 " now", a->number[0]);
}

enum session_status
cmd_warp(struct session *s, struct cmd_args *a)
{
	if (a->number[0] >= sim_warps(s->sim))
		return fail(s, "no warp %" PRIu64 ": a core has warps 0..%u", a->number[0],
			    sim_warps(s->sim) - 1);
	s->view.warp = (unsigned)a->number[0];
	return SESSION_OK;
}

enum session_status
cmd_cuda(struct session *s, struct cmd_args *a)
{
	static const char *const names[] = {"block", "sm", "warp"};
	enum session_status (*const fn[])(struct session *, struct cmd_args *) = {cmd_cta, cmd_core,
										  cmd_warp};
	struct err e = {0};
	int i = pick_name("word of cuda", a->word[0], names, ARRAY_LEN(names), &e);

	if (i < 0)
		return say_err(s, &e);
	a->number[0] = a->number[1];
	return fn[i](s, a);
}

enum session_status
cmd_mem(struct session *s, struct cmd_args *a)
{
	if (a->number[0] >= sim_channels(s->sim))
		return fail(s, "no memory channel %" PRIu64 ": this machine has channels 0..%u",
			    a->number[0], sim_channels(s->sim) - 1);
	s->view.mem = (unsigned)a->number[0];
	return SESSION_OK;
}

/* ---------------------------------------------------------------- dump csv */

/* Parses "from..to", either end of which may be missing, or the selection of the screen. */
int
read_cycles(struct session *s, const char *word, cycle_t *from, cycle_t *to, struct err *e)
{
	int bad;

	if (ascii_same(word, "selection")) {
		if (!session_selection(s, from, to))
			return err_set(e,
				       "nothing is selected; select FROM..TO, or drag over a pane "
				       "of the screen");
		++*from; /* the range includes FROM, but a stretch of cycles excludes its first */
		return 0;
	}
	bad = number_range(word, from, to);
	if (bad)
		return err_set(e,
			       bad == -2 ? "the range '%.60s' is empty"
					 : "expected a range such as 1000..2000, or 'selection', "
					   "found '%.60s'",
			       word);
	return 0;
}

int
read_past_cycles(struct session *s, const char *word, cycle_t *from, cycle_t *to, struct err *e)
{
	char first[HUMAN], now[HUMAN];

	if (read_cycles(s, word, from, to, e))
		return -1;
	if (*from > sim_cycle(s->sim))
		return err_set(e, "the range begins at cycle %s, the run is at cycle %s",
			       human(first, *from), human(now, sim_cycle(s->sim)));
	return 0;
}

/* A Ctrl-C that ended the writing is reported like one that ends a run. */
static enum session_status
dump_failed(struct session *s, const struct err *e)
{
	say_err(s, e);
	return s->control.poll ? session_end_interrupted(s) : SESSION_ERROR;
}

static enum session_status
dump_here(struct session *s, const struct export_job *j, const char *table)
{
	struct strbuf text = {0};
	struct err e = {0};
	FILE *f = sb_stream(&text);
	int rc;

	if (!f)
		return fail_memory(s);
	rc = export_write(j, table, f, &e);
	fclose(f);
	if (text.failed)
		rc = err_nomem(&e);
	if (rc == 0 && text.p)
		say_lines(s, SAY_RESULT, text.p);
	sb_free(&text);
	return rc ? dump_failed(s, &e) : SESSION_OK;
}

static bool
reads_events(const char *table)
{
	return !strcmp(table, "events") || !strcmp(table, "decisions") || !strcmp(table, "ctas");
}

/* A table made from the kept events lacks those that were dropped; tells which value of run.events
 * would have kept all. */
static void
note_dropped(struct session *s, const char *table)
{
	const struct event_ring *ring = sim_events(s->sim);
	uint64_t need = 1, most = (uint64_t)opt_find(config_db(s->config), "run.events", NULL)->max;
	char dropped[HUMAN], all[HUMAN], option[80] = "";

	if (!ring->first)
		return;
	while (need < ring->next)
		need <<= 1;
	if (need <= most)
		snprintf(option, sizeof(option), "-o run.events=%" PRIu64 " keeps them, ", need);
	say(s, SAY_NOTE,
	    "dump csv %s: the first %s of %s events are no longer kept; %s'log events FILE' at the "
	    "start writes all",
	    table, human(dropped, ring->first), human(all, ring->next), option);
}

enum session_status
cmd_dump(struct session *s, struct cmd_args *a)
{
	static const char *const formats[] = {"csv"};
	const char *at = a->word[0], *names[EXPORT_TABLES];
	char format[16], table[32], word[80], path[PATH_MAX];
	bool forced = false, ranged = false;
	struct export_job j = {.sim = s->sim,
			       .run = s->run,
			       .to = CYCLE_NEVER,
			       .crlf = s->opts.csv_crlf,
			       .stop = &s->control.poll};
	enum session_status status = SESSION_OK;
	struct err e = {0};
	int which;

	next_word(&at, format, sizeof(format));
	if (pick_name("format", format, formats, 1, &e) < 0)
		return say_err(s, &e);
	for (unsigned i = 0; i < EXPORT_TABLES; i++)
		names[i] = export_tables[i].name;
	if (!next_word(&at, table, sizeof(table)) || !next_word(&at, path, sizeof(path)))
		return fail(s, "dump: expected a table and a file; usage: dump csv TABLE FILE "
			       "[from..to|selection] [--force]");
	which = pick_name("table", table, names, EXPORT_TABLES, &e);
	if (which < 0)
		return say_err(s, &e);
	while (next_word(&at, word, sizeof(word))) {
		if (replace_is_forced(word))
			forced = true;
		else if (ranged)
			return fail(s, "dump: unexpected argument '%.60s'", word);
		else if (!export_tables[which].ranged)
			return fail(
				s,
				"dump: the table %s is of the present cycle and takes no range, "
				"found '%.60s'",
				names[which], word);
		else if (read_past_cycles(s, word, &j.from, &j.to, &e))
			return say_err(s, &e);
		ranged |= !replace_is_forced(word);
	}
	if (strcmp(path, "-") && !forced && replace_check("dump", path, OWN_TABLE, &e))
		return say_err(s, &e);
	if (strcmp(path, "-") == 0)
		status = dump_here(s, &j, names[which]);
	else if (export_file(&j, names[which], path, &e))
		status = dump_failed(s, &e);
	else if (s->ui.interactive)
		say(s, SAY_NOTE, "wrote the table %s to %s", names[which], path);
	if (status == SESSION_OK && reads_events(names[which]))
		note_dropped(s, names[which]);
	return status;
}
