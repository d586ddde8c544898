/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_list.c - the commands `list`, `info line` and `profile`: show the kernel with its warps, as
 * source lines or as instructions.
 *
 * The source is read on demand (source/source.h). If it cannot be read, instructions are listed.
 */
#include "session/table.h"
#include "session/command.h"
#include "session/session_part.h"

#include "base/ascii.h"
#include "base/plain_name.h"
#include "source/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_ROWS 20

struct listing {
	const struct trace_kernel *kernel;
	uint32_t *count; /* warps at each instruction */
	bool all;	 /* warps of all cores */
	bool insns;	 /* list instructions */
	uint32_t file;	 /* the file that was named, as in inst.file */
	bool has_range;
	uint64_t from, to;
};

/* ---------------------------------------------------------------- arguments */

/* Parses "FROM" or "FROM,TO". */
static int
read_numbers(char *word, struct listing *l)
{
	char *comma = strchr(word, ',');

	if (comma)
		*comma++ = '\0';
	if (number_count(word, &l->from) || (comma && number_count(comma, &l->to)))
		return -1;
	if (!comma)
		l->to = l->from + LIST_ROWS - 1;
	l->has_range = true;
	return 0;
}

/* Parses all, insns, FROM[,TO], FILE:FROM[,TO] or FILE. */
static int
read_list(struct session *s, const char *args, struct listing *l)
{
	char word[512], shown[512], *colon;

	while (next_word(&args, word, sizeof(word))) {
		snprintf(shown, sizeof(shown), "%.60s", word);
		colon = strrchr(word, ':');
		if (ascii_same(word, "all")) {
			l->all = true;
		} else if (ascii_same(word, "insns")) {
			l->insns = true;
		} else if (colon) {
			*colon++ = '\0';
			l->file = source_find(l->kernel, word);
			if (!l->file || read_numbers(colon, l)) {
				if (l->file)
					fail(s,
					     "list: expected a line number after the file in '%s'",
					     shown);
				else
					fail(s, "list: no file '%s' in this kernel%s", word,
					     source_is_ptx(l->kernel) ? SOURCE_NEEDS_LINEINFO : "");
				return -1;
			}
		} else if (read_numbers(word, l)) {
			l->file = source_find(l->kernel, shown);
			if (!l->file) {
				fail(s, "list: expected all, FROM or FROM,TO, found '%s'", shown);
				return -1;
			}
		}
	}
	return 0;
}

/* ---------------------------------------------------------------- instructions */

static enum session_status
list_insns(struct session *s, const struct listing *l)
{
	const struct trace_kernel *k = l->kernel;
	uint64_t from = s->view.list_file ? 0 : s->view.list_at, to;
	char name[PLAIN_NAME];
	struct table t;

	if (from >= k->n_inst)
		from = 0;
	to = from + LIST_ROWS - 1;
	if (l->has_range) {
		from = l->from;
		to = l->to;
	}
	if (from >= k->n_inst || from > to)
		return fail(s, "list: kernel %s has instructions 0..%u",
			    plain_name(k->name, name, sizeof(name)), k->n_inst - 1);
	to = MIN(to, (uint64_t)k->n_inst - 1);
	table_begin(&t, ">num >warps >pc <instruction 1<source");
	for (uint64_t i = from; i <= to; i++) {
		char place[80];

		source_place(k, &k->inst[i], place, sizeof(place));
		table_u64(&t, i);
		table_text(&t, "%.0u", l->count[i]);
		table_text(&t, "%04x", k->inst[i].pc);
		table_text(&t, "%s", k->inst[i].text ? k->inst[i].text : "");
		table_text(&t, "%s", place);
	}
	table_end(s, &t);
	s->view.list_at = to + 1 < k->n_inst ? (uint32_t)to + 1 : 0;
	s->view.list_file = 0;
	return SESSION_OK;
}

/* ---------------------------------------------------------------- lines */

static uint64_t
warps_at_line(const struct listing *l, uint32_t file, uint64_t line)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < l->kernel->n_inst; i++)
		if (l->kernel->inst[i].line == line && l->kernel->inst[i].file == file)
			n += l->count[i];
	return n;
}

/* Finds the instruction to list around: that of the warp in focus, else the one with the most warps
 * among those that have a line, else the first that has a line. If a file was named, it is in that
 * file. NULL if there is none. */
static const struct inst *
place_now(struct session *s, const struct listing *l)
{
	const struct trace_kernel *k = l->kernel;
	const struct inst *best = NULL;
	struct warp_view v = {.next = NULL};

	if (s->view.warp < sim_warps(s->sim))
		sim_warp_view(s->sim, s->view.core, s->view.warp, &v);
	if (v.status != WARP_FREE && v.next >= k->inst && v.next < k->inst + k->n_inst &&
	    v.next->line && (!l->file || v.next->file == l->file))
		return v.next;
	for (uint32_t i = 0; i < k->n_inst; i++) {
		const struct inst *in = &k->inst[i];

		if (in->line && in->file && (!l->file || in->file == l->file) &&
		    (!best || l->count[i] > l->count[best - k->inst]))
			best = in;
	}
	return best;
}

/* Prints "3 warps elsewhere: math.h:12, ...". */
static void
say_elsewhere(struct session *s, const struct listing *l, uint32_t file, uint64_t from, uint64_t to)
{
	uint64_t n = 0, all = 0;
	char list[160] = "";

	for (uint32_t i = 0; i < l->kernel->n_inst; i++) {
		const struct inst *in = &l->kernel->inst[i];
		char place[80];

		if (!l->count[i] || (in->file == file && in->line >= from && in->line <= to))
			continue;
		all += l->count[i];
		source_place(l->kernel, in, place, sizeof(place));
		if (*place && !strstr(list, place) && n++ < 4)
			snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
				 *list ? ", " : ": ", place);
	}
	if (all)
		say(s, SAY_RESULT, "%" PRIu64 " warp%s elsewhere%s%s", all, PLURAL(all), list,
		    n > 4 ? ", ..." : "");
}

static enum session_status
show_lines(struct session *s, const struct listing *l, const struct source *f, uint32_t file,
	   uint64_t from, uint64_t to, const struct inst *here)
{
	uint64_t last = MIN(to, (uint64_t)f->n);
	struct table t;

	if (f->n < from)
		return fail(s, "list: %s has %u lines", source_file(l->kernel, file), f->n);
	table_begin(&t, "<  >line >warps <source");
	for (uint64_t n = from; n <= last; n++) {
		table_text(&t, "%s", here && here->file == file && here->line == n ? "=>" : "");
		table_u64(&t, n);
		table_text(&t, "%.0u", (unsigned)warps_at_line(l, file, n));
		table_text(&t, "%s", f->line[n - 1]);
	}
	s->view.list_at = last == to ? (uint32_t)to + 1 : 0;
	s->view.list_file = file;
	say(s, SAY_RESULT, "%s", source_file(l->kernel, file));
	table_end(s, &t);
	say_elsewhere(s, l, file, from, to);
	return SESSION_OK;
}

static enum session_status
list_lines(struct session *s, struct listing *l)
{
	const struct inst *here = place_now(s, l);
	bool go_on = !l->has_range && !l->file && s->view.list_at && s->view.list_file;
	uint32_t file = l->file ? l->file : go_on ? s->view.list_file : here ? here->file : 0;
	enum session_status status;
	uint64_t from, to;
	struct source *f = source_read(s->sim, l->kernel, file);

	if (!f && l->file)
		return fail(s, "list: cannot read %s", source_file(l->kernel, file));
	if (!f)
		return list_insns(s, l);
	from = l->has_range			    ? MAX(l->from, 1u)
	       : go_on				    ? s->view.list_at
	       : here && here->line > LIST_ROWS / 2 ? here->line - LIST_ROWS / 2
						    : 1;
	to = l->has_range ? l->to : from + LIST_ROWS - 1;
	status = from <= to && to < UINT32_MAX ? show_lines(s, l, f, file, from, to, here)
					       : fail(s, "list: expected FROM,TO with FROM <= TO");
	source_free(f);
	return status;
}

/* ---------------------------------------------------------------- commands */

/* Where several kernels run together, what is listed is the one that the core in focus is shown
 * with. Returns its number, from 1. */
static unsigned
find_kernel_in_focus(const struct session *s)
{
	struct core_view v;

	if (!sim_runs_together(s->sim))
		return sim_kernel_shown(s->sim);
	sim_core_view(s->sim, s->view.core, &v);
	return v.kernel;
}

static void
say_kernel_of_list(struct session *s, unsigned number, const struct trace_kernel *k)
{
	char name[PLAIN_NAME];

	if (sim_runs_together(s->sim))
		say(s, SAY_RESULT, "kernel %u, %s:", number,
		    plain_name(k->name, name, sizeof(name)));
}

enum session_status
cmd_list(struct session *s, struct cmd_args *a)
{
	unsigned started = find_kernel_in_focus(s), cores = sim_instances(s->sim, "core");
	struct listing l = {0};
	enum session_status status;

	if (s->view.list_kernel != started)
		s->view.list_at = 0;
	s->view.list_kernel = started;
	l.kernel = sim_kernel(s->sim, started - 1);
	if (read_list(s, a->word[0], &l))
		return SESSION_ERROR;
	l.count = source_warps(s->sim, l.kernel, l.all ? 0 : s->view.core,
			       l.all ? cores : s->view.core + 1);
	say_kernel_of_list(s, started, l.kernel);
	status = l.insns ? list_insns(s, &l) : list_lines(s, &l);
	free(l.count);
	return status;
}

enum session_status
info_line(struct session *s, const char *args ATTR_UNUSED)
{
	unsigned started = find_kernel_in_focus(s), shown = 0;
	const struct trace_kernel *k;
	uint32_t *count;
	struct table t;

	k = sim_kernel(s->sim, started - 1);
	say_kernel_of_list(s, started, k);
	count = source_warps(s->sim, k, s->view.core, s->view.core + 1);
	table_begin(&t, "<source >warps");
	for (uint32_t i = 0; i < k->n_inst; i++) {
		char place[80];
		uint32_t sum = 0;

		if (!count[i])
			continue;
		source_place(k, &k->inst[i], place, sizeof(place));
		/* the first instruction of a line counts for all its others */
		for (uint32_t j = i; j < k->n_inst; j++) {
			if (k->inst[j].line != k->inst[i].line ||
			    k->inst[j].file != k->inst[i].file)
				continue;
			sum += count[j];
			count[j] = 0;
		}
		table_text(&t, "%s", *place ? place : "(line unknown)");
		table_u64(&t, sum);
		shown++;
	}
	free(count);
	if (!shown)
		say(s, SAY_RESULT, "no warp of core %u has an instruction%s", s->view.core,
		    sim_cycle(s->sim) ? " left" : ", because nothing has run yet");
	table_end(s, &t);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- profile */

enum session_status
cmd_profile(struct session *s, struct cmd_args *a)
{
	static const char *const words[] = {"on", "off"};
	char n[HUMAN];
	struct err e = {0};
	cycle_t since;
	int w = a->word[0] ? pick_name("choice", a->word[0], words, ARRAY_LEN(words), &e) : -1;

	if (a->word[0] && w < 0)
		return say_err(s, &e);
	if (w == 0 && sim_profile_on(s->sim, &e) < 0)
		return say_err(s, &e);
	if (w == 1)
		sim_profile_off(s->sim);
	if (!sim_profile_since(s->sim, &since))
		say(s, SAY_RESULT, "profile off");
	else
		say(s, SAY_RESULT,
		    "profile on since cycle %s; waiting warps are sampled with the time series",
		    human(n, since));
	return SESSION_OK;
}

static void
say_line_rows(struct session *s, const struct trace_kernel *k, const struct line_stat *l,
	      unsigned n, unsigned most, uint64_t all)
{
	struct table t;

	table_begin(&t, ">cycles <mostly >issued >lanes >L1~miss >warps <source 1<instruction");
	for (unsigned i = 0; i < n && i < most; i++) {
		const struct inst *in = &k->inst[l[i].inst];
		char place[80];
		double share;

		if (!l[i].all && !l[i].issued)
			continue;
		source_place(k, in, place, sizeof(place));
		table_text(&t, "%.1f%%", all ? 100 * (double)l[i].all / (double)all : 0);
		const char *word = line_waits_for(&l[i], &share);

		table_text(&t, *word ? "%s %.0f%%" : "%s", word, 100 * share);
		table_u64(&t, l[i].issued);
		table_text(&t, isnan(l[i].lanes) ? "-" : "%.1f", l[i].lanes);
		if (l[i].l1_accesses)
			table_text(&t, "%.0f%%",
				   100 * (double)l[i].l1_misses / (double)l[i].l1_accesses);
		else
			table_text(&t, "%s", "");
		table_text(&t, "%.0u", l[i].warps);
		table_text(&t, "%s", place);
		table_text(&t, "%s", in->text ? in->text : "");
	}
	table_end(s, &t);
}

enum session_status
info_lines(struct session *s, const char *args)
{
	unsigned started = find_kernel_in_focus(s), n;
	const struct trace_kernel *k = sim_kernel(s->sim, started - 1);
	enum lines_order order = LINES_CYCLES;
	uint64_t most = LIST_ROWS, all = 0;
	struct line_stat *l;
	struct err e = {0};
	char word[64];

	while (next_word(&args, word, sizeof(word))) {
		int w;

		if (ascii_is_digit(*word) && number_count(word, &most) == 0)
			continue;
		w = pick_name("order", word, lines_order_names, LINES_ORDERS, &e);
		if (w < 0)
			return say_err(s, &e);
		order = (enum lines_order)w;
	}
	l = lines_read(s->sim, (uint32_t)(k - sim_trace(s->sim)->kernel), 0,
		       sim_instances(s->sim, "core"), &n, &e);
	if (!l)
		return say_err(s, &e);
	for (unsigned i = 0; i < n; i++)
		all += l[i].all;
	lines_sort(l, n, order);
	say(s, SAY_RESULT, "%s: cycles are the time that warps spend at a line, sampled", k->name);
	say_line_rows(s, k, l, n, (unsigned)MIN(most, (uint64_t)n), all);
	free(l);
	return SESSION_OK;
}
