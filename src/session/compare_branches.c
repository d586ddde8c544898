/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * compare_branches.c - runs two branches from where they part to the end of the workload, or for
 * some cycles, and prints or writes as CSV all that differs there: the run, every statistic,
 * classes of cycles, core by core.
 */
#include "base/output.h"
#include "base/replace.h"
#include "export/compare.h"
#include "lab/lab.h"
#include "session/table.h"
#include "session/branch.h"
#include "session/command.h"
#include "session/comparison_report.h"
#include "session/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CORES_SHOWN 64

/* ---------------------------------------------------------------- as CSV */

struct sheet {
	FILE *to;
	const struct comparison *comparison;
	double *value; /* values of the second branch, in the order of statistics */
	size_t n, room, at;
	bool failed;
};

static void
keep_stat(void *ctx, const char *name ATTR_UNUSED, double value, const char *unit ATTR_UNUSED)
{
	struct sheet *h = ctx;

	if (h->n == h->room) {
		size_t room = h->room ? 2 * h->room : 1024;
		double *grown = realloc(h->value, room * sizeof(*grown));

		if (!grown) {
			h->failed = true;
			return;
		}
		h->value = grown;
		h->room = room;
	}
	h->value[h->n++] = value;
}

static void
write_stat(void *ctx, const char *name, double value, const char *unit)
{
	struct sheet *h = ctx;
	char a[40], b[40] = "";
	const char *field[] = {name, a, b, unit};

	export_number(value, a, sizeof(a));
	if (h->at < h->n)
		export_number(h->value[h->at++], b, sizeof(b));
	if (strcmp(name, "sim.cycles_per_second") != 0)
		export_row(h->to, field, ARRAY_LEN(field));
}

/* Writes "kernel.1.cycles", empty if the kernel has not ended. */
static void
write_kernels(const struct sheet *h)
{
	unsigned n = MAX(sim_kernels_started(h->comparison->copy[0]->sim),
			 sim_kernels_started(h->comparison->copy[1]->sim));
	char name[40], a[40], b[40];
	const char *field[] = {name, a, b, "cycles"};

	for (unsigned k = 0; k < n; k++) {
		snprintf(name, sizeof(name), "kernel.%u.cycles", k + 1);
		export_number(comparison_kernel_cycles(h->comparison, 0, k), a, sizeof(a));
		export_number(comparison_kernel_cycles(h->comparison, 1, k), b, sizeof(b));
		export_row(h->to, field, ARRAY_LEN(field));
	}
}

static int
write_sheet(void *ctx, FILE *to, struct err *e)
{
	static const char *const head[] = {"name", "a", "b", "unit"};
	struct sheet *h = ctx;

	h->to = to;
	export_each_stat(h->comparison->copy[1]->sim, keep_stat, h);
	if (h->failed)
		return err_nomem(e);
	export_row(to, head, ARRAY_LEN(head));
	export_each_stat(h->comparison->copy[0]->sim, write_stat, h);
	write_kernels(h);
	return 0;
}

/* ---------------------------------------------------------------- arguments */

static int
read_rest(const char *rest, cycle_t *cycles, char *file, size_t size, struct err *e)
{
	char text[4200];

	*file = '\0';
	snprintf(text, sizeof(text), "%s", rest ? rest : "");
	if (session_take_for(text, cycles, e) < 0)
		return -1;
	return session_read_csv("compare", text, file, size, e);
}

/* ---------------------------------------------------------------- core by core */

/* Returns how many more cycles of a class a core has in the second branch. */
static double
count_more_cycles(const struct comparison *c, unsigned core, unsigned class)
{
	double n[2];

	for (unsigned i = 0; i < 2; i++)
		n[i] = (double)(c->end[i].class[core][class] - c->from[i].class[core][class]);
	return n[1] - n[0];
}

static bool
core_differs(const struct comparison *c, unsigned core)
{
	bool differs = comparison_core_ipc(c, 0, core) != comparison_core_ipc(c, 1, core);

	for (unsigned k = 0; k < CC_CLASSES; k++)
		differs |= count_more_cycles(c, core, k) != 0;
	return differs;
}

static bool
class_differs(const struct comparison *c, unsigned class)
{
	for (unsigned i = 0; i < c->end[0].n_cores; i++)
		if (count_more_cycles(c, i, class) != 0)
			return true;
	return false;
}

static void
add_core_row(struct table *t, const struct comparison *c, unsigned core)
{
	double a = comparison_core_ipc(c, 0, core), b = comparison_core_ipc(c, 1, core),
	       change = 100 * (b / a - 1);
	char num[HUMAN];

	table_text(t, "%u", core);
	table_text(t, "%.2f", a);
	table_text(t, "%.2f", b);
	table_text(t, "%s", human_change(num, change, 1));
	for (unsigned k = 0; k < CC_CLASSES; k++)
		if (class_differs(c, k))
			table_text(t, "%s%s", count_more_cycles(c, core, k) > 0 ? "+" : "",
				   human_num(num, count_more_cycles(c, core, k)));
}

/* Prints the cores that differ, as many as a screen may hold; the file has all of them. */
static void
say_cores(struct session *s, const struct comparison *c)
{
	unsigned differ = 0;
	struct table t;
	char spec[200] = "<core >A >B >change";

	for (unsigned k = 0; k < CC_CLASSES; k++)
		if (class_differs(c, k))
			snprintf(spec + strlen(spec), sizeof(spec) - strlen(spec), " %u>%s", k + 1,
				 cycle_class_names[k]);
	for (unsigned i = 0; i < c->end[0].n_cores; i++)
		differ += core_differs(c, i);
	if (!differ)
		return;
	say(s, SAY_RESULT, "%s", "");
	say(s, SAY_RESULT, "IPC of each core, and the extra cycles of each class in B");
	table_begin(&t, spec);
	for (unsigned i = 0, shown = 0; i < c->end[0].n_cores && shown < CORES_SHOWN; i++)
		if (core_differs(c, i)) {
			add_core_row(&t, c, i);
			shown++;
		}
	table_end(s, &t);
	if (differ > CORES_SHOWN)
		say(s, SAY_RESULT, "and %u more cores; 'csv FILE' writes all",
		    differ - CORES_SHOWN);
}

/* ---------------------------------------------------------------- compare */

static int
say_branches(struct session *s, const struct comparison *c, const struct compare *earlier,
	     const char *file, struct err *e)
{
	struct sheet h = {.comparison = c};
	struct compare k;
	char at[HUMAN];
	int rc = 0;

	compare_sims(&k, c->copy[0]->sim, c->copy[1]->sim);
	if (k.failed) {
		compare_free(&k);
		return err_nomem(e);
	}
	if (c->from[0].cycle)
		compare_count_from(&k, earlier);
	say(s, SAY_RESULT, "A: %s", c->name[0]);
	say(s, SAY_RESULT, "B: %s", c->name[1]);
	report_comparison(s, c);
	if (c->from[0].cycle)
		say(s, SAY_RESULT,
		    "counted from cycle %s, where the branches part (*: from cycle 0):",
		    human(at, c->from[0].cycle));
	session_print_compare(s, &k);
	say_cores(s, c);
	if (*file && !comparison_is_complete(c))
		say(s, SAY_NOTE, "%s was not written: the comparison has not ended", file);
	else if (*file)
		rc = output_replace(file, 0, write_sheet, &h, e);
	free(h.value);
	compare_free(&k);
	return rc;
}

enum session_status
session_compare_branches(struct session *s, const char *a, const char *b, const char *rest)
{
	struct comparison c = {.name = {a, b}};
	struct err e = {0};
	struct machine m = session_machine(s);
	struct branch_pair p = {0};
	struct compare earlier;
	struct progress_line w;
	char file[4096];
	cycle_t cycles;
	bool stopped;
	enum session_status status = SESSION_OK;
	int rc = read_rest(rest, &cycles, file, sizeof(file), &e);

	if (!rc)
		rc = branch_pair_take(&m, &p, a, b, &e);
	if (!rc) {
		c.copy[0] = p.copy[0];
		c.copy[1] = p.copy[1];
		horizon_set_workload(&c.to, p.copy[0]->sim, cycles);
		progress_line_begin(&w, s, "compare");
		compare_sims(&earlier, c.copy[0]->sim, c.copy[1]->sim);
		stopped = comparison_run(&c, &w.progress);
		progress_line_end(&w);
		if (stopped)
			say(s, SAY_NOTE, "compare: interrupted; the results so far:");
		rc = earlier.failed ? err_nomem(&e) : say_branches(s, &c, &earlier, file, &e);
		status = stopped		      ? session_end_interrupted(s)
			 : comparison_is_complete(&c) ? SESSION_OK
						      : SESSION_ERROR;
		compare_free(&earlier);
	}
	branch_pair_free(&p);
	if (rc)
		return rc < 0 ? say_err(s, &e) : session_say_interrupted(s, "compare");
	return status;
}
