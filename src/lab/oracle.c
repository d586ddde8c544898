/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oracle.c - see oracle.h.
 *
 * All runs share the configuration and so the sequence, which is changed between them and, during
 * the search, at a snapshot. A policy looks for its next step only when one is reached; therefore
 * the sequence has a step for every interval while it is searched. The first step of a kernel is
 * asked for at its launch, where no snapshot can be; the first interval begins one cycle later,
 * before its first CTA.
 */
#include "lab/oracle.h"

#include "base/output.h"
#include "cta/cta.h"

#include <stdlib.h>
#include <string.h>

#define SLICE 65536   /* cycles between two looks at the user */
#define INTERVALS 16  /* of the whole run, by default */
#define SHORTEST 1024 /* cycles of such an interval */

struct search {
	const struct machine *m;
	const struct lab_progress *progress;
	struct config *cfg;
	struct sequence *q;
	struct oracle *o;
	cycle_t every;	  /* cycles of an interval */
	double done, all; /* whole runs */
	bool searching;	  /* then the share that is done is `share`, not where the copy is */
	double share;
	unsigned most; /* the largest N of a kernel */
};

/* ---------------------------------------------------------------- running */

/* Runs to a cycle or to where a kernel begins or ends. 0, 1 interrupted, -1 with e. */
static int
run_copy(const struct search *k, struct machine_copy *c, cycle_t until, struct err *e)
{
	enum sim_stop how = SIM_REACHED;

	while (how == SIM_REACHED && sim_cycle(c->sim) < until) {
		double share = k->share * (k->all - k->done - 1);
		uint64_t done, all;

		sim_progress(c->sim, &done, &all);
		if (!k->searching)
			share = (double)done / (double)MAX(all, 1);
		if (lab_progress_stop(k->progress, (k->done + share) / k->all))
			return 1;
		how = copy_run(c, MIN(until, sim_cycle(c->sim) + SLICE));
	}
	if (how == SIM_DEADLOCK || how == SIM_FAILED) {
		*e = c->why;
		return -1;
	}
	return 0;
}

/* Runs the whole workload with the present steps; at_end() looks at it. */
static int
run_whole(struct search *k, void (*at_end)(struct search *k, const struct sim *s, uint32_t n),
	  uint32_t n, cycle_t *cycles, struct err *e)
{
	struct machine_copy *c = copy_new(k->cfg, k->m->trace, e);
	int rc = c ? run_copy(k, c, CYCLE_NEVER, e) : -1;

	if (!rc) {
		*cycles = sim_cycle(c->sim);
		k->done++;
		if (at_end)
			at_end(k, c->sim, n);
	}
	copy_free(c);
	return rc;
}

/* ---------------------------------------------------------------- one n for a kernel */

static cycle_t
kernel_cycles(const struct sim *s, unsigned i)
{
	return MIN(sim_kernel_end(s, i), sim_cycle(s)) - sim_kernel_start(s, i);
}

/* After the run without limits. */
static void
begin_kernels(struct search *k, const struct sim *s, uint32_t n ATTR_UNUSED)
{
	struct oracle *o = k->o;

	o->kernel = calloc(MAX(sim_kernels_started(s), 1), sizeof(*o->kernel));
	if (!o->kernel)
		return;
	o->n_kernels = sim_kernels_started(s);
	for (unsigned i = 0; i < o->n_kernels; i++) {
		uint32_t most =
			sim_most_ctas(s, (uint32_t)(sim_kernel(s, i) - sim_trace(s)->kernel));

		o->kernel[i].n_max = o->kernel[i].n = most;
		o->kernel[i].at_most = o->kernel[i].best = kernel_cycles(s, i);
		k->most = MAX(k->most, most);
	}
}

static void
compare_kernels(struct search *k, const struct sim *s, uint32_t n)
{
	for (unsigned i = 0; i < MIN(k->o->n_kernels, sim_kernels_started(s)); i++) {
		struct oracle_kernel *v = &k->o->kernel[i];
		cycle_t cycles = kernel_cycles(s, i);

		if (n < v->n_max && cycles < v->best) {
			v->best = cycles;
			v->n = n;
		}
	}
}

/* Gives every kernel one limit: n, or with 0 its own best. */
static int
set_limits(struct search *k, uint32_t n, struct err *e)
{
	for (unsigned i = 0; i < k->o->n_kernels; i++)
		if (sequence_set(k->q, i + 1, 0, n ? n : k->o->kernel[i].n) < 0)
			return err_nomem(e);
	return 0;
}

static int
try_constants(struct search *k, struct err *e)
{
	struct oracle *o = k->o;
	int rc;

	o->same = o->at_most;
	o->same_n = k->most;
	for (uint32_t n = 1; n < k->most; n++) {
		cycle_t cycles = 0;

		rc = set_limits(k, n, e);
		if (!rc)
			rc = run_whole(k, compare_kernels, n, &cycles, e);
		if (rc)
			return rc;
		if (cycles < o->same) {
			o->same = cycles;
			o->same_n = n;
		}
	}
	rc = set_limits(k, 0, e);
	return rc ? rc : run_whole(k, NULL, 0, &o->kernels, e);
}

/* ---------------------------------------------------------------- a sequence */

/* A kernel of the search: its limit in each interval. */
struct point {
	struct machine_copy *copy;
	struct copy_mark mark; /* one cycle before an interval */
	unsigned kernel;
	cycle_t launch, end; /* end: with the present limits */
	uint32_t *n, *trial; /* [intervals] */
	unsigned intervals;
};

/* The first cycle of an interval after the launch. */
static cycle_t
interval_start(const struct search *k, unsigned i)
{
	return i ? i * k->every : 1;
}

/* Writes the limits of the kernel into the sequence. */
static int
set_intervals(struct search *k, const struct point *p, const uint32_t *n, struct err *e)
{
	int rc = sequence_set(k->q, p->kernel + 1, 0, k->o->kernel[p->kernel].n);

	for (unsigned i = 0; !rc && i < p->intervals; i++)
		rc = sequence_set(k->q, p->kernel + 1, interval_start(k, i), n[i]);
	return rc ? err_nomem(e) : 0;
}

/* Runs the rest of the kernel with the limits n, unless it takes longer than the best so far, which
 * it replaces if it is shorter. */
static int
try_intervals(struct search *k, struct point *p, uint32_t *n, struct err *e)
{
	cycle_t end;
	int rc;

	if (copy_go_back(p->copy, &p->mark, e) < 0 || set_intervals(k, p, n, e) < 0)
		return -1;
	rc = run_copy(k, p->copy, p->end, e);
	end = sim_kernel_end(p->copy->sim, p->kernel);
	if (rc || end >= p->end)
		return rc;
	p->end = end;
	memcpy(p->n, n, p->intervals * sizeof(*n));
	return 0;
}

/* Chooses the limit of an interval, for itself and for all after it. */
static int
choose_limit(struct search *k, struct point *p, unsigned at, struct err *e)
{
	const uint32_t most = k->o->kernel[p->kernel].n_max;
	uint32_t before[2] = {p->n[at], at + 1 < p->intervals ? p->n[at + 1] : p->n[at]};
	int rc = 0;

	for (uint32_t n = 1; !rc && n <= most; n++) {
		if (n != before[0]) {
			memcpy(p->trial, p->n, p->intervals * sizeof(*p->n));
			p->trial[at] = n;
			rc = try_intervals(k, p, p->trial, e);
		}
		if (rc || at + 1 == p->intervals || (n == before[0] && n == before[1]))
			continue;
		memcpy(p->trial, p->n, p->intervals * sizeof(*p->n));
		for (unsigned i = at; i < p->intervals; i++)
			p->trial[i] = n;
		rc = try_intervals(k, p, p->trial, e);
	}
	return rc;
}

/* Searches the limits of the kernel that was launched last, and runs it to its end. */
static int
search_kernel(struct search *k, struct point *p, struct err *e)
{
	int rc = 0;

	p->launch = sim_kernel_start(p->copy->sim, p->kernel);
	for (unsigned at = 0; !rc && at < p->intervals; at++) {
		uint64_t done, all;

		rc = run_copy(k, p->copy, p->launch + interval_start(k, at) - 1, e);
		if (rc || sim_kernel_end(p->copy->sim, p->kernel) != CYCLE_NEVER)
			return rc;
		sim_progress(p->copy->sim, &done, &all);
		k->share = (double)done / (double)MAX(all, 1);
		rc = copy_keep_mark(p->copy, &p->mark, e);
		p->end = CYCLE_NEVER;
		if (!rc)
			rc = try_intervals(k, p, p->n, e);
		if (!rc)
			rc = choose_limit(k, p, at, e);
		if (!rc &&
		    (copy_go_back(p->copy, &p->mark, e) < 0 || set_intervals(k, p, p->n, e) < 0))
			rc = -1;
		copy_mark_free(&p->mark);
	}
	while (!rc && !copy_ended(p->copy) &&
	       sim_kernel_end(p->copy->sim, p->kernel) == CYCLE_NEVER)
		rc = run_copy(k, p->copy, CYCLE_NEVER, e);
	return rc;
}

static int
begin_kernel(struct search *k, struct point *p, unsigned kernel, struct err *e)
{
	const struct oracle_kernel *v = &k->o->kernel[kernel];

	free(p->n);
	free(p->trial);
	p->kernel = kernel;
	p->intervals = (unsigned)(v->best / k->every) + 1;
	p->n = calloc(p->intervals, sizeof(*p->n));
	p->trial = calloc(p->intervals, sizeof(*p->trial));
	if (!p->n || !p->trial)
		return err_nomem(e);
	for (unsigned i = 0; i < p->intervals; i++)
		p->n[i] = v->n;
	return set_intervals(k, p, p->n, e);
}

static int
search_sequence(struct search *k, struct err *e)
{
	struct point p = {.copy = NULL};
	int rc = 0;

	for (unsigned i = 0; !rc && i < k->o->n_kernels; i++)
		rc = begin_kernel(k, &p, i, e);
	if (!rc && !(p.copy = copy_new(k->cfg, k->m->trace, e)))
		rc = -1;
	if (!rc) {
		p.copy->stops_at_kernels = true;
		copy_listen(p.copy, false);
		k->searching = true;
	}
	for (unsigned i = 0; !rc && i < k->o->n_kernels && !copy_ended(p.copy); i++) {
		while (!rc && !copy_ended(p.copy) && sim_kernels_started(p.copy->sim) <= i)
			rc = run_copy(k, p.copy, CYCLE_NEVER, e);
		if (!rc && sim_kernels_started(p.copy->sim) > i)
			rc = begin_kernel(k, &p, i, e);
		if (!rc && sim_kernels_started(p.copy->sim) > i)
			rc = search_kernel(k, &p, e);
	}
	k->searching = false;
	copy_free(p.copy);
	free(p.n);
	free(p.trial);
	return rc;
}

/* Removes the steps that change nothing. */
static int
drop_repeated_steps(struct sequence *q)
{
	struct sequence *all = sequence_new("all", "");
	const struct sequence_step *last = NULL;
	int rc = all ? sequence_copy(all, q) : -1;

	if (!rc)
		q->n_steps = 0;
	for (unsigned i = 0; !rc && i < all->n_steps; i++) {
		const struct sequence_step *t = &all->step[i];

		if (last && last->kernel == t->kernel && last->n == t->n)
			continue;
		rc = sequence_set(q, t->kernel, t->at, t->n);
		last = t;
	}
	sequence_free(all);
	return rc;
}

/* ---------------------------------------------------------------- all of it */

static int
write_text(void *ctx, FILE *to, struct err *e ATTR_UNUSED)
{
	const struct strbuf *text = ctx;

	fwrite(text->p, 1, text->n, to);
	return 0;
}

/* Writes the best of what was measured. */
static int
write_best(struct search *k, const char *path, struct err *e)
{
	struct oracle *o = k->o;
	struct strbuf text = {0};
	int rc = 0;

	o->best = "the sequence within the kernels";
	if (o->sequence > MIN(o->kernels, o->same)) {
		o->best = o->same < o->kernels ? "one n for all kernels"
					       : "the best n of each kernel";
		k->q->n_steps = 0;
		rc = set_limits(k, o->same < o->kernels ? o->same_n : 0, e);
	}
	o->n_steps = k->q->n_steps;
	if (!rc)
		sequence_write(k->q, &text);
	if (!rc && text.failed)
		rc = err_nomem(e);
	if (!rc)
		rc = output_replace(path, 0, write_text, &text, e);
	sb_free(&text);
	return rc;
}

int
oracle_search(const struct machine *m, cycle_t every, const char *path, struct oracle *o,
	      const struct lab_progress *p, struct err *e)
{
	struct search k = {.m = m, .progress = p, .o = o, .all = 10};
	char help[200];
	int rc;

	*o = (struct oracle){0};
	snprintf(help, sizeof(help), "limits of CTAs found by oracle for %.100s on %.40s",
		 sim_trace(m->sim)->path ? sim_trace(m->sim)->path : "a workload",
		 config_machine_name(m->config));
	k.cfg = config_copy(m->config);
	if (!k.cfg)
		return err_nomem(e);
	k.q = config_new_sequence(k.cfg, "./oracle_search", help, e);
	rc = k.q ? run_whole(&k, begin_kernels, 0, &o->at_most, e) : -1;
	if (!rc && !o->kernel)
		rc = err_nomem(e);
	k.all = 3 + (1 + INTERVALS) * (double)k.most;
	if (!rc)
		rc = try_constants(&k, e);
	k.every = every ? every : MAX(o->kernels / INTERVALS, SHORTEST);
	o->every = k.every;
	if (!rc)
		rc = search_sequence(&k, e);
	k.done = k.all - 1;
	if (!rc && drop_repeated_steps(k.q) < 0)
		rc = err_nomem(e);
	if (!rc)
		rc = run_whole(&k, NULL, 0, &o->sequence, e);
	if (!rc)
		rc = write_best(&k, path, e);
	config_free(k.cfg);
	return rc;
}
