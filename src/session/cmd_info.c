/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_info.c - the topics of `info` about the GPU as a whole, its policy, memory and events.
 */
#include "session/table.h"
#include "session/command.h"
#include "session/session_part.h"

#include "base/plain_name.h"
#include "export/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns what follows the words that a topic takes; a file's name may have blanks. */
static const char *
skip_words_of(const struct info_row *row, const char *at)
{
	char word[256];

	if (strstr(row->usage, "FILE"))
		return "";
	for (const char *p = row->usage; *p; p++)
		if (p == row->usage || p[-1] == ' ')
			next_word(&at, word, sizeof(word));
	return skip_blanks(at);
}

enum session_status
cmd_info(struct session *s, struct cmd_args *a)
{
	const char *at = a->word[0], *rest;
	const struct info_row *row;
	char word[64];
	struct err e = {0};

	if (!next_word(&at, word, sizeof(word)))
		return session_exec(s, "help info");
	row = info_find(word, &e);
	if (!row)
		return say_err(s, &e);
	at = skip_blanks(at);
	if (row->needs_sim && !s->sim)
		return fail(s, "info %s: no workload is loaded; name one on the command line",
			    row->name);
	rest = skip_words_of(row, at);
	if (*rest)
		return fail(s, "info %s: unexpected argument '%.60s'", row->name, rest);
	return row->fn(s, at);
}

/* Returns a number of the machine by its path; NaN if there is no such path. */
static double
read_number(const struct session *s, const char *path)
{
	uint64_t id;

	return sim_path(s->sim, path, &id, NULL) == 1 ? sim_value(s->sim, id, 0) : NAN;
}

static void
say_schedulers(struct session *s)
{
	unsigned n = sim_instances(s->sim, "sub"), warps = sim_warps(s->sim) / n;

	if (sim_sub_cores(s->sim))
		say(s, SAY_RESULT,
		    "core      %u sub-cores of %u warps, each with a scheduler, collectors, "
		    "register "
		    "banks and pipes",
		    n, warps);
	else if (n > 1)
		say(s, SAY_RESULT, "core      %u schedulers of %u warps", n, warps);
}

/* Of all kernels of the program. */
static uint64_t
count_all_ctas(const struct session *s)
{
	const struct trace_info *info = sim_trace(s->sim);
	uint64_t n = 0;

	for (uint32_t i = 0; i < info->n_cmds; i++)
		if (info->cmd[i].kind == TRACE_KERNEL)
			n += info->kernel[info->cmd[i].kernel].n_cta;
	return n;
}

enum session_status
info_gpu(struct session *s, const char *args ATTR_UNUSED)
{
	const struct config *c = sim_config(s->sim);
	unsigned k = sim_kernel_shown(s->sim);
	char a[HUMAN], b[HUMAN], d[HUMAN], name[PLAIN_NAME];
	uint64_t done, all;

	sim_progress(s->sim, &done, &all);
	say(s, SAY_RESULT, "machine   %s, %u cores, %u memory channels", config_machine_name(c),
	    sim_instances(s->sim, "core"), sim_channels(s->sim));
	say_schedulers(s);
	say(s, SAY_RESULT, "policy    %s, warp scheduler %s", config_policy_text(c),
	    config_wsched_name(c));
	say(s, SAY_RESULT, "workload  %s, %u kernel%s",
	    sim_trace(s->sim)->path ? sim_trace(s->sim)->path : "-", sim_trace(s->sim)->n_kernels,
	    PLURAL(sim_trace(s->sim)->n_kernels));
	for (unsigned i = 0; i < sim_kernels_started(s->sim); i++)
		if (i + 1 == k || sim_kernel_runs(s->sim, i, sim_cycle(s->sim) + 1))
			say(s, SAY_RESULT, "kernel    %u %s", i + 1,
			    plain_name(sim_kernel(s->sim, i)->name, name, sizeof(name)));
	say(s, SAY_RESULT, "cycle     %s%s", human(a, sim_cycle(s->sim)),
	    sim_done(s->sim) ? ", the program has ended" : "");
	say(s, SAY_RESULT, "done      %s of %s warp instructions", human(a, done), human(b, all));
	say(s, SAY_RESULT, "CTAs      %s issued, %s done, of %s",
	    human_num(a, read_number(s, "gpu.ctas_issued")),
	    human_num(b, read_number(s, "gpu.ctas_done")), human(d, count_all_ctas(s)));
	say(s, SAY_RESULT, "run       IPC %s, RACT %s, utilization %s; all cores, since cycle 0",
	    human_num(a, read_number(s, "gpu.ipc")), human_ratio(b, read_number(s, "gpu.ract")),
	    human_ratio(d, read_number(s, "gpu.util")));
	return SESSION_OK;
}

/* Values and results are those of one thread; the number only matters for speed. */
enum session_status
info_run(struct session *s, const char *args ATTR_UNUSED)
{
	const char *one = sim_one_thread_reason(s->sim);
	char threads[16] = "";

	session_get(s, "run.threads", threads, sizeof(threads));
	if (one)
		say(s, SAY_RESULT, "threads   one: %s", one);
	else
		say(s, SAY_RESULT,
		    "threads   %s, for %.0f %% of the cycles so far (run.threads %s)",
		    strcmp(threads, "2") == 0 ? "two" : "two where that is faster",
		    100 * read_number(s, "sim.two_threads"), threads);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- statistics */

struct stat_table {
	struct table *table;
	bool per_unit; /* includes counters of single cores, slices and channels */
};

/* Names like "core.3.warp_insts" have a number in the middle. */
static bool
is_per_unit(const char *name)
{
	const char *dot = strchr(name, '.');

	return dot && dot[1] >= '0' && dot[1] <= '9';
}

static void
stat_row(void *ctx, const char *name, double value, const char *unit)
{
	struct stat_table *st = ctx;

	if (!st->per_unit && is_per_unit(name))
		return;
	table_text(st->table, "%s", name);
	table_num(st->table, value);
	table_text(st->table, "%s", unit);
}

void
session_say_stats(struct session *s, enum say kind ATTR_UNUSED)
{
	struct table t;
	struct stat_table st = {&t, false};

	table_begin(&t, "<name >value 1<unit");
	export_each_stat(s->sim, stat_row, &st);
	table_end(s, &t);
}

enum session_status
info_stats(struct session *s, const char *args ATTR_UNUSED)
{
	session_say_stats(s, SAY_RESULT);
	return SESSION_OK;
}

enum session_status
info_digest(struct session *s, const char *args)
{
	static const char *const words[] = {"parts"};
	struct err e = {0};
	struct table t;
	char word[64];

	if (!next_word(&args, word, sizeof(word))) {
		say(s, SAY_RESULT, "%016" PRIx64, sim_digest(s->sim));
		return SESSION_OK;
	}
	if (pick_name("word of info digest", word, words, 1, &e) < 0)
		return say_err(s, &e);
	table_begin(&t, "<part <digest >units");
	for (unsigned i = 0; i < SIM_PARTS; i++) {
		unsigned n = sim_part_units(s->sim, i);

		table_text(&t, "%s", sim_part_names[i]);
		table_text(&t, "%016" PRIx64, sim_digest_part(s->sim, i));
		if (n)
			table_u64(&t, n);
		else
			table_text(&t, "-");
	}
	table_end(s, &t);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- values by group */

static void
say_group(struct session *s, const char *group, const char *instance)
{
	struct table t;

	table_begin(&t, "<name <value 2<unit 1<meaning");
	for (unsigned i = 0; i < n_view_rows; i++) {
		const struct view_row *r = &view_rows[i];
		const char *forms[] = {"%s.%s", "%s.*.%s", "%s.%s.*"};
		char path[128], text[400];
		struct value v = {0};
		struct expr *x = NULL;

		if (strcmp(r->group, group) != 0)
			continue;
		for (unsigned f = 0; f < ARRAY_LEN(forms) && !x; f++) {
			if (f == 1 && instance)
				snprintf(path, sizeof(path), "%s.%s.%s", group, instance, r->field);
			else
				snprintf(path, sizeof(path), forms[f], group, r->field);
			x = parse_known(s, path);
		}
		if (!value_of_expr(s, x, &v)) {
			expr_free(x);
			continue;
		}
		value_format(&v, 0, text, 60);
		table_text(&t, "%s", path);
		table_text(&t, "%s", text);
		table_text(&t, "%s", r->unit);
		table_text(&t, "%s", r->help);
		value_free(&v);
		expr_free(x);
	}
	table_end(s, &t);
}

enum session_status
info_noc(struct session *s, const char *args ATTR_UNUSED)
{
	say_group(s, "noc", NULL);
	return SESSION_OK;
}

struct params {
	struct session *s;
	struct table *table;
	unsigned n;
};

static bool
in_stack(const struct config *c, const char *name)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(c, &n);

	for (unsigned i = 0; i < n; i++)
		if (strcmp(ops[i]->name, name) == 0)
			return true;
	return false;
}

static void
param_row(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct params *p = ctx;
	char value[64];

	if (!in_stack(sim_config(p->s->sim), g->prefix) ||
	    opt_get(config_db_const(sim_config(p->s->sim)), key, value, sizeof(value), NULL))
		return;
	table_text(p->table, "%s", key);
	table_text(p->table, "%s", value);
	table_text(p->table, "%s", r->unit);
	table_text(p->table, "%s", r->help);
	p->n++;
}

/* Prints one field of a policy's state: "  policy.NAME.phase = monitor". */
static void
say_field(struct session *s, const struct cta_sched_ops *o, const struct cta_field *f)
{
	char path[128], text[200];
	struct value v = {0};
	const char *word = NULL;
	struct expr *x;
	uint64_t id;

	snprintf(path, sizeof(path), "policy.%s.%s%s", o->name, f->name, f->per_core ? ".*" : "");
	x = parse_known(s, path);
	if (value_of_expr(s, x, &v)) {
		if (!v.n && sim_path(s->sim, path, &id, NULL) == 1)
			word = sim_value_name(s->sim, id, v.x);
		value_format(&v, 0, text, sizeof(text));
		say(s, SAY_RESULT, "  %s = %s%s%s", path, word ? word : text, *f->unit ? " " : "",
		    f->unit);
		value_free(&v);
	}
	expr_free(x);
}

static void
say_policy_state(struct session *s)
{
	unsigned n;
	const struct cta_sched_ops *const *ops = config_stack(sim_config(s->sim), &n);

	for (unsigned i = 0; i < n; i++) {
		say(s, SAY_RESULT, "%-9s %s", ops[i]->name, ops[i]->help);
		for (unsigned f = 0; f < ops[i]->n_fields; f++)
			say_field(s, ops[i], &ops[i]->fields[f]);
	}
}

static void
gauge_number(struct table *t, double v)
{
	if (isnan(v))
		table_text(t, "-");
	else
		table_text(t, "%.10g", v);
}

/* Prints what the policies compare on the core in focus, now and at the end of the last period. */
static void
say_gauges(struct session *s)
{
	unsigned n = sim_gauges(s->sim);
	struct gauge_view v;
	struct table t;

	if (!n)
		return;
	table_begin(&t, "<gauge >now >last >low >high 1<unit 2<meaning");
	for (unsigned i = 0; i < n; i++) {
		sim_gauge_view(s->sim, i, s->view.core, &v);
		table_text(&t, "%s", v.gauge->name);
		gauge_number(&t, v.now.value);
		gauge_number(&t, v.last.value);
		gauge_number(&t, v.now.low);
		gauge_number(&t, v.now.high);
		table_text(&t, "%s", v.gauge->unit);
		table_text(&t, "%s", v.gauge->help);
	}
	table_end(s, &t);
}

enum session_status
info_policy(struct session *s, const char *args ATTR_UNUSED)
{
	struct table t;
	struct params p = {s, &t, 0};

	say(s, SAY_RESULT, "stack     %s", config_policy_text(sim_config(s->sim)));
	if (sim_runs_together(s->sim))
		say(s, SAY_RESULT,
		    "about     kernel %u, the oldest; values of a core are of the oldest kernel "
		    "with CTAs on it",
		    sim_kernel_shown(s->sim));
	say_policy_state(s);
	say_gauges(s);
	table_begin(&t, "<parameter >value 2<unit 1<meaning");
	opt_each(config_db_const(sim_config(s->sim)), param_row, &p);
	if (!p.n)
		say(s, SAY_RESULT, "no parameters");
	table_end(s, &t);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- memory */

static enum session_status
info_banks(struct session *s, unsigned channel)
{
	struct mem_view v;
	struct table t;

	sim_mem_view(s->sim, channel, &v);
	say(s, SAY_RESULT, "channel %u: %u of %u requests queued", channel, v.queue, v.queue_max);
	table_begin(&t, ">bank <state >row >queued");
	for (unsigned b = 0; b < v.banks && b < ARRAY_LEN(v.bank); b++) {
		table_u64(&t, b);
		table_text(&t, "%s", v.bank[b].busy ? "busy" : v.bank[b].open ? "open" : "closed");
		if (v.bank[b].open)
			table_u64(&t, v.bank[b].row);
		else
			table_text(&t, "-");
		table_u64(&t, v.bank[b].queued);
	}
	table_end(s, &t);
	return SESSION_OK;
}

enum session_status
info_mem(struct session *s, const char *args)
{
	char word[64];
	struct table t;
	uint64_t n;

	if (next_word(&args, word, sizeof(word))) {
		if (number_count(word, &n) || n >= sim_channels(s->sim))
			return fail(s, "no memory channel '%s': this machine has channels 0..%u",
				    word, sim_channels(s->sim) - 1);
		return info_banks(s, (unsigned)n);
	}
	table_begin(&t,
		    ">channel >queue >reads >writes 1>row~hits 2>misses 3>conflicts 4>activates "
		    "5>hit~rate");
	for (unsigned c = 0; c < sim_channels(s->sim); c++) {
		struct mem_view v;
		char rate[HUMAN];

		sim_mem_view(s->sim, c, &v);
		table_u64(&t, c);
		table_text(&t, "%u/%u", v.queue, v.queue_max);
		table_u64(&t, v.reads);
		table_u64(&t, v.writes);
		table_u64(&t, v.row_hits);
		table_u64(&t, v.row_misses);
		table_u64(&t, v.row_conflicts);
		table_u64(&t, v.activates);
		table_text(&t, "%s",
			   human_ratio(rate,
				       (double)v.row_hits / (double)(v.row_hits + v.row_misses +
								     v.row_conflicts)));
	}
	table_end(s, &t);
	return SESSION_OK;
}

/* ---------------------------------------------------------------- events */

static void
say_last_events(struct session *s, uint64_t n, int kind)
{
	const struct event_ring *ring = sim_events(s->sim);
	uint64_t from = ring->next, left = n;

	while (left && from > ring->first) {
		from--;
		if (kind < 0 || event_ring_get(ring, from)->kind == kind)
			left--;
	}
	for (uint64_t seq = from; seq < ring->next; seq++) {
		const struct event *ev = event_ring_get(ring, seq);
		char text[400];

		if (kind >= 0 && ev->kind != kind)
			continue;
		sim_event_text(s->sim, ev, text, sizeof(text));
		say(s, SAY_RESULT, "%s", text);
	}
}

enum session_status
info_events(struct session *s, const char *args)
{
	const struct event_ring *ring = sim_events(s->sim);
	uint64_t n = 10;
	int kind = -1;
	char word[64];
	struct table t;

	while (next_word(&args, word, sizeof(word))) {
		const char *names[EV_KINDS];
		struct err e = {0};

		if (number_count(word, &n) == 0)
			continue;
		for (unsigned i = 0; i < EV_KINDS; i++)
			names[i] = event_rows[i].name;
		kind = pick_name("event", word, names, EV_KINDS, &e);
		if (kind < 0)
			return say_err(s, &e);
	}
	say_last_events(s, n, kind);
	if (kind >= 0)
		return SESSION_OK;
	table_begin(&t, "<event >count 1<meaning");
	for (unsigned i = 0; i < EV_KINDS; i++) {
		table_text(&t, "%s", event_rows[i].name);
		table_u64(&t, ring->count[i]);
		table_text(&t, "%s", event_rows[i].help);
	}
	table_end(s, &t);
	return SESSION_OK;
}
