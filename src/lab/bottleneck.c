/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bottleneck.c - see bottleneck.h.
 *
 * The parent finds the options that a part changes. The part's worker (jobs.h) changes them in its
 * own configuration, builds a machine and runs it to the end of the workload.
 */
#include "lab/bottleneck.h"

#include "base/output.h"
#include "export/export.h"
#include "lab/jobs.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVERY_MS 100

enum change_kind { IS_PART, IS_TWICE, IS_HALF };
struct change {
	enum change_kind kind;
	const char *option, *other; /* of IS_PART the name */
};
static const struct change changes[] = {
#define PART(name, help) {IS_PART, name, NULL},
#define TWICE(option) {IS_TWICE, option, NULL},
#define TWICE_ELSE(option, other) {IS_TWICE, option, other},
#define HALF(option) {IS_HALF, option, NULL},
#include "lab/bottleneck.def"
};

/* ---------------------------------------------------------------- options */

struct option_value {
	const char *option;
	char value[40];
};
struct changed {
	struct option_value was[16];
	unsigned n;
};

static bool
has_changed(const struct changed *c, const char *option)
{
	for (unsigned i = 0; i < c->n; i++)
		if (strcmp(c->was[i].option, option) == 0)
			return true;
	return false;
}

static void
change_option(struct optdb *db, const struct change *k, struct changed *c, struct bottleneck_run *r)
{
	struct option_value *was = &c->was[c->n];
	size_t n = strlen(r->changes);
	unsigned long v;
	char now[40];

	if ((k->other && has_changed(c, k->other)) || c->n == ARRAY_LEN(c->was) ||
	    opt_get(db, k->option, was->value, sizeof(was->value), NULL) < 0)
		return;
	v = strtoul(was->value, NULL, 10);
	snprintf(now, sizeof(now), "%lu", k->kind == IS_TWICE ? 2 * v : v / 2);
	if (strcmp(now, was->value) == 0 || opt_set(db, k->option, now, NULL) < 0)
		return; /* at its end */
	was->option = k->option;
	c->n++;
	snprintf(r->changes + n, sizeof(r->changes) - n, "%s%s %s", n ? ", " : "", k->option, now);
}

/* Changes the options of the run's part. */
static void
change_part(struct optdb *db, struct bottleneck_run *r, struct changed *c)
{
	unsigned i = 0;

	c->n = 0;
	while (r->part && i < ARRAY_LEN(changes) &&
	       (changes[i].kind != IS_PART || strcmp(changes[i].option, r->part) != 0))
		i++;
	for (i++; r->part && i < ARRAY_LEN(changes) && changes[i].kind != IS_PART; i++)
		change_option(db, &changes[i], c, r);
}

static void
restore_options(struct optdb *db, const struct changed *c)
{
	for (unsigned i = c->n; i-- > 0;)
		opt_set(db, c->was[i].option, c->was[i].value, NULL);
}

/* ---------------------------------------------------------------- the runs */

struct result {
	bool done;
	cycle_t cycles;
	uint64_t insts;
	char why[200];
};

struct measure {
	const struct machine *machine;
	struct bottleneck *b;
	unsigned next;			     /* the run that starts next */
	struct sim *sim;		     /* in the worker */
	const struct lab_progress *progress; /* of the run */
};

/* Finds the options that the next run changes, and sets them back. */
static int
next_run(void *ctx, unsigned *job, const struct lab_progress *p ATTR_UNUSED,
	 struct err *e ATTR_UNUSED)
{
	struct measure *k = ctx;
	struct optdb *db = config_db(k->machine->config);

	*job = JOB_NONE;
	while (*job == JOB_NONE && k->next < BOTTLENECK_RUNS) {
		struct bottleneck_run *r = &k->b->run[k->next++];
		struct changed c;

		change_part(db, r, &c);
		restore_options(db, &c);
		r->tried = !r->part || c.n;
		if (r->tried)
			*job = k->next - 1;
		else
			snprintf(r->why, sizeof(r->why), "its options are at their ends");
	}
	return 0;
}

static bool
send_share(void *ctx)
{
	const struct measure *k = ctx;
	uint64_t done = 0, all = 0;

	sim_progress(k->sim, &done, &all);
	return lab_progress_stop(k->progress, all ? (double)done / (double)all : 0);
}

static void
read_result(const struct sim *s, enum sim_stop how, struct result *r)
{
	uint64_t id;

	r->done = how == SIM_DONE || how == SIM_LIMIT; /* a limit of instructions: the same work */
	r->cycles = sim_cycle(s);
	if (sim_path(s, "gpu.thread_insts", &id, NULL) == 1)
		r->insts = (uint64_t)sim_value(s, id, 0);
}

static int
run_part(void *ctx, unsigned job, const struct lab_progress *p, struct strbuf *result,
	 struct err *e ATTR_UNUSED)
{
	struct measure *k = ctx;
	const struct machine *m = k->machine;
	const char *path = sim_trace(m->sim)->path;
	struct err why = {0};
	/* opened again, as the parent's trace shares its file position with the parent */
	struct trace *own = path && access(path, R_OK) == 0 ? trace_open(path, &why) : NULL;
	struct bottleneck_run changes_of = {.part = k->b->run[job].part};
	struct changed c;
	struct result r;

	memset(&r, 0, sizeof(r));
	k->progress = p;
	change_part(config_db(m->config), &changes_of, &c);
	k->sim = sim_new(m->config, own ? own : m->trace, &why);
	if (k->sim) {
		sim_every_ms(k->sim, EVERY_MS, send_share, k);
		read_result(k->sim, sim_run(k->sim, CYCLE_NEVER, &why), &r);
	}
	if (!r.done)
		snprintf(r.why, sizeof(r.why), "%.199s", why.msg);
	sb_add(result, &r, sizeof(r));
	sim_free(k->sim);
	trace_close(own);
	return 0;
}

static int
take_result(void *ctx, unsigned job, const struct job_result *from, struct err *e ATTR_UNUSED)
{
	struct bottleneck_run *run = &((struct measure *)ctx)->b->run[job];
	struct result r = {.done = false};

	assert(!from->body || from->n == sizeof(r));
	if (from->body)
		memcpy(&r, from->body, sizeof(r));
	else
		snprintf(r.why, sizeof(r.why), "%.199s", from->why->msg);
	run->done = r.done;
	run->cycles = r.cycles;
	run->insts = r.insts;
	memcpy(run->why, r.why, sizeof(r.why));
	run->why[strcspn(run->why, "\n")] = '\0';
	return 0;
}

static void
name_runs(struct bottleneck *b)
{
	unsigned n = 1;

	*b = (struct bottleneck){.run = {{.part = NULL}}};
	for (unsigned i = 0; i < ARRAY_LEN(changes); i++)
		if (changes[i].kind == IS_PART) {
			assert(n < BOTTLENECK_RUNS);
			b->run[n++].part = changes[i].option;
		}
	assert(n == BOTTLENECK_RUNS);
}

int
bottleneck_measure(const struct machine *m, struct bottleneck *b, const struct lab_progress *p,
		   struct err *e)
{
	struct measure k = {.machine = m, .b = b};
	const struct jobs j = {BOTTLENECK_RUNS, next_run, run_part, take_result, &k};

	name_runs(b);
	return jobs_run(&j, m, p, 0, 1, e);
}

double
bottleneck_gain(const struct bottleneck *b, const struct bottleneck_run *r)
{
	return b->run[0].done && r->done && r->cycles ? (double)b->run[0].cycles / (double)r->cycles
						      : NAN;
}

static int
write_rows(void *ctx, FILE *to, struct err *e ATTR_UNUSED)
{
	static const char *const head[] = {"part", "cycles",  "thread_insts",
					   "gain", "changes", "error"};
	const struct bottleneck *b = ctx;

	export_row(to, head, ARRAY_LEN(head));
	for (unsigned i = 0; i < BOTTLENECK_RUNS; i++) {
		const struct bottleneck_run *r = &b->run[i];
		char cycles[40], insts[40], gain[40];
		const char *field[] = {
			r->part ? r->part : "as it is", cycles, insts, gain, r->changes,
			r->done ? "" : r->why};

		export_number(r->done ? (double)r->cycles : (double)NAN, cycles, sizeof(cycles));
		export_number(r->done ? (double)r->insts : (double)NAN, insts, sizeof(insts));
		export_number(bottleneck_gain(b, r), gain, sizeof(gain));
		export_row(to, field, ARRAY_LEN(field));
	}
	return 0;
}

int
bottleneck_csv(const struct bottleneck *b, const char *path, struct err *e)
{
	if (strcmp(path, "-") == 0)
		return write_rows((void *)b, stdout, e);
	return output_replace(path, 0, write_rows, (void *)b, e);
}
