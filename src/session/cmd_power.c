/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_power.c - the topic `info power`: where the energy of the run so far went, and a comparison
 * with another run, whose `dump csv stats` file is the baseline.
 *
 * Ratios divide this run by the baseline. A row that the baseline lacks, or whose value is unknown
 * there, shows "-".
 */
#include "session/table.h"
#include "session/command.h"
#include "session/session_part.h"

#include "export/export.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name, *label;
} parts[] = {
	{"power.e_cores", "cores, static"},
	{"power.e_uncore", "uncore, static"},
	{"power.e_insts", "instructions"},
	{"power.e_l1", "L1, constant, texture"},
	{"power.e_smem", "shared memory"},
	{"power.e_l2", "L2"},
	{"power.e_noc", "network"},
	{"power.e_dram", "DRAM"},
	{"power.energy", "all"},
};

static const struct {
	const char *name, *label;
	double scale; /* factor to the unit shown */
	const char *unit;
} figures[] = {
	{"gpu.cycles", "cycles", 1, ""},
	{"gpu.ipc", "IPC", 1, "thread instructions/cycle"},
	{"power.avg", "average power", 1, "W"},
	{"power.static", "  static", 1, "W"},
	{"power.dynamic", "  dynamic", 1, "W"},
	{"power.edp", "EDP", 1e6, "uJ s"},
	{"power.efficiency", "efficiency", 1e-9, "thread instructions/nJ"},
	{"power.core_rel", "core power", 1, "1: all cores issue"},
	{"power.core_rel_pcpg", "  with gating", 1, "gated cores use no power"},
	{"power.insts_per_watt", "instructions/watt", 1, "IPC / core power"},
	{"power.insts_per_watt_pcpg", "  with gating", 1, "IPC / core power with gating"},
};

struct baseline {
	bool given;
	double part[ARRAY_LEN(parts)], figure[ARRAY_LEN(figures)], insts;
};

static double
read_value(const struct session *s, const char *path)
{
	uint64_t id;

	return sim_path(s->sim, path, &id, NULL) == 1 ? sim_value(s->sim, id, 0) : (double)NAN;
}

static void
keep_value(void *ctx, const char *name, double v, const char *unit ATTR_UNUSED)
{
	struct baseline *b = ctx;

	for (unsigned i = 0; i < ARRAY_LEN(parts); i++)
		if (!strcmp(name, parts[i].name))
			b->part[i] = v;
	for (unsigned i = 0; i < ARRAY_LEN(figures); i++)
		if (!strcmp(name, figures[i].name))
			b->figure[i] = v;
	if (!strcmp(name, "gpu.thread_insts"))
		b->insts = v;
}

static int
read_baseline(const char *path, struct baseline *b, struct err *e)
{
	for (unsigned i = 0; i < ARRAY_LEN(b->part); i++)
		b->part[i] = (double)NAN;
	for (unsigned i = 0; i < ARRAY_LEN(b->figure); i++)
		b->figure[i] = (double)NAN;
	b->insts = (double)NAN;
	b->given = true;
	if (export_read_stats(path, keep_value, b, e) < 0)
		return -1;
	if (isnan(b->part[ARRAY_LEN(parts) - 1]))
		return err_set(e,
			       "'%.200s' has no power.energy: another version wrote it, or the "
			       "value was unknown",
			       path);
	return 0;
}

/* Adds the last columns: baseline, ratio, change. */
static void
add_baseline(struct table *t, const struct baseline *b, double now, double then, double scale)
{
	double ratio = then != 0 ? now / then : (double)NAN;

	if (!b->given)
		return;
	table_num(t, then * scale);
	if (isfinite(ratio)) {
		char num[HUMAN];

		table_text(t, "%.3f", ratio);
		table_text(t, "%s", human_change(num, 100 * (ratio - 1), 1));
	} else {
		table_text(t, "-");
		table_text(t, "-");
	}
}

/* Returns the unit in which the sum has digits before the point. */
static const char *
unit_of(double joules, double *scale)
{
	static const char *const unit[] = {"J", "mJ", "uJ", "nJ", "pJ"};
	unsigned i = 0;

	for (*scale = 1; i + 1 < ARRAY_LEN(unit) && joules * *scale < 1; i++)
		*scale *= 1e3;
	return unit[joules > 0 ? i : 0];
}

static void
say_parts(struct session *s, const struct baseline *b)
{
	double all = read_value(s, "power.energy"), scale;
	const char *unit = unit_of(all, &scale);
	struct table t;
	char spec[80];

	snprintf(spec, sizeof(spec), "<part >energy~%s >share 1>power~W%s", unit,
		 b->given ? " >baseline >ratio >change" : "");
	table_begin(&t, spec);
	for (unsigned i = 0; i < ARRAY_LEN(parts); i++) {
		double v = read_value(s, parts[i].name);

		table_text(&t, "%s", parts[i].label);
		table_num(&t, v * scale);
		if (all > 0)
			table_text(&t, "%.1f %%", 100 * v / all);
		else
			table_text(&t, "-");
		table_num(&t, all > 0 ? v / all * read_value(s, "power.avg") : (double)NAN);
		add_baseline(&t, b, v, b->part[i], scale);
	}
	table_end(s, &t);
}

static void
say_figures(struct session *s, const struct baseline *b)
{
	struct table t;

	table_begin(&t, b->given ? "<figure >value 1<unit >baseline >ratio >change"
				 : "<figure >value 1<unit");
	for (unsigned i = 0; i < ARRAY_LEN(figures); i++) {
		double v = read_value(s, figures[i].name);

		table_text(&t, "%s", figures[i].label);
		table_num(&t, v * figures[i].scale);
		table_text(&t, "%s", figures[i].unit);
		add_baseline(&t, b, v, b->figure[i], figures[i].scale);
	}
	table_end(s, &t);
}

enum session_status
info_power(struct session *s, const char *args)
{
	double insts = read_value(s, "gpu.thread_insts");
	struct baseline b = {0};
	struct err e = {0};
	char path[1024], extra[64], here[HUMAN], there[HUMAN];

	if (next_word(&args, path, sizeof(path))) {
		if (next_word(&args, extra, sizeof(extra)))
			return fail(s, "info power: unexpected argument '%.60s' after the file",
				    extra);
		if (read_baseline(path, &b, &e) < 0)
			return say_err(s, &e);
	}
	say_parts(s, &b);
	say_figures(s, &b);
	if (b.given && b.insts != insts)
		say(s, SAY_NOTE,
		    "(different work: %s thread instructions here, %s in the baseline)",
		    human_num(here, insts), human_num(there, b.insts));
	return SESSION_OK;
}
