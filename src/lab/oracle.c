/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * oracle.c - see oracle.h.
 *
 * Runs that do not need each other's results run in workers (jobs.h). Each worker changes its own
 * sequence. A policy looks for its next step only when one is reached; therefore the sequence has a
 * step for every interval while it is searched. The first step of a kernel is asked for at its
 * launch, where a machine cannot pause; the first interval begins one cycle later, before its first
 * CTA.
 */
#include "lab/oracle.h"

#include "base/output.h"
#include "cta/cta.h"
#include "lab/jobs.h"

#include <assert.h>
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
	cycle_t every;	       /* cycles of an interval */
	double done, all;      /* whole runs, as the time that they take */
	double parallel;       /* the time of a run in a worker: others run beside it */
	struct strbuf kernels; /* in a worker, the result for each kernel */
	bool searching;	       /* then the share that is done is `share`, not where the copy is */
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
run_whole(struct search *k, void (*at_end)(struct search *k, const struct sim *s), cycle_t *cycles,
	  struct err *e)
{
	struct machine_copy *c = copy_new(k->cfg, k->m->trace, e);
	int rc = c ? run_copy(k, c, CYCLE_NEVER, e) : -1;

	if (!rc) {
		*cycles = sim_cycle(c->sim);
		k->done++;
		if (at_end)
			at_end(k, c->sim);
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
begin_kernels(struct search *k, const struct sim *s)
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

/* Gives every kernel one limit: n, or with 0 its own best. */
static int
set_limits(struct search *k, uint32_t n, struct err *e)
{
	for (unsigned i = 0; i < k->o->n_kernels; i++)
		if (sequence_set(k->q, i + 1, 0, n ? n : k->o->kernel[i].n) < 0)
			return err_nomem(e);
	return 0;
}

/* The runs with the same n for all kernels; job i has n = i + 1. */
struct constants {
	struct search *search;
	unsigned next, n;
	cycle_t *cycles; /* [n][1 + kernels]: of the whole run, then of each kernel */
};

static int
next_constant(void *ctx, unsigned *job, const struct lab_progress *p ATTR_UNUSED,
	      struct err *e ATTR_UNUSED)
{
	struct constants *c = ctx;

	*job = c->next < c->n ? c->next++ : JOB_NONE;
	return 0;
}

/* In the worker, to which the search belongs: the run is all that it does. */
static void
begin_work(struct search *k, const struct lab_progress *p)
{
	k->progress = p;
	k->done = 0;
	k->all = 1;
}

/* Adds the cycles of each kernel to the result. */
static void
add_kernels(struct search *k, const struct sim *s)
{
	for (unsigned i = 0; i < k->o->n_kernels; i++) {
		cycle_t cycles = i < sim_kernels_started(s) ? kernel_cycles(s, i) : CYCLE_NEVER;

		sb_add(&k->kernels, &cycles, sizeof(cycles));
	}
}

static int
run_constant(void *ctx, unsigned job, const struct lab_progress *p, struct strbuf *result,
	     struct err *e)
{
	struct search *k = ((struct constants *)ctx)->search;
	cycle_t cycles = 0;

	begin_work(k, p);
	if (set_limits(k, job + 1, e) < 0 || run_whole(k, add_kernels, &cycles, e) < 0)
		return -1;
	sb_add(result, &cycles, sizeof(cycles));
	sb_add(result, k->kernels.p, k->kernels.n);
	return k->kernels.failed ? err_nomem(e) : 0;
}

static int
take_constant(void *ctx, unsigned job, const struct job_result *r, struct err *e)
{
	struct constants *c = ctx;
	size_t size = (1 + c->search->o->n_kernels) * sizeof(cycle_t);

	if (!r->body)
		return err_of(e, r->why->kind, "the run with n = %u failed: %.300s", job + 1,
			      r->why->msg);
	assert(r->n == size);
	memcpy(c->cycles + job * (1 + c->search->o->n_kernels), r->body, size);
	return 0;
}

/* Keeps what is shorter with n than with every smaller one. */
static void
compare_constant(struct oracle *o, uint32_t n, const cycle_t *cycles)
{
	if (cycles[0] < o->same) {
		o->same = cycles[0];
		o->same_n = n;
	}
	for (unsigned i = 0; i < o->n_kernels; i++) {
		struct oracle_kernel *v = &o->kernel[i];

		if (n < v->n_max && cycles[1 + i] < v->best) {
			v->best = cycles[1 + i];
			v->n = n;
		}
	}
}

static int
try_constants(struct search *k, struct err *e)
{
	struct oracle *o = k->o;
	struct constants c = {.search = k, .n = MAX(k->most, 1) - 1};
	const struct jobs j = {c.n, next_constant, run_constant, take_constant, &c};
	double share = c.n * k->parallel / k->all;
	int rc;

	o->same = o->at_most;
	o->same_n = k->most;
	c.cycles = calloc(MAX(c.n, 1), (1 + o->n_kernels) * sizeof(*c.cycles));
	rc = c.cycles ? jobs_run(&j, k->m, k->progress, k->done / k->all, share, e) : err_nomem(e);
	for (unsigned i = 0; !rc && i < c.n; i++)
		compare_constant(o, i + 1, c.cycles + i * (1 + o->n_kernels));
	free(c.cycles);
	k->done += c.n * k->parallel;
	if (!rc)
		rc = set_limits(k, 0, e);
	return rc ? rc : run_whole(k, NULL, &o->kernels, e);
}

/* ---------------------------------------------------------------- a sequence */

/* The run of a candidate. */
struct trial {
	cycle_t end;	   /* of the kernel; CYCLE_NEVER: no earlier than with the best so far */
	cycle_t failed_at; /* CYCLE_NEVER: it has not failed */
	struct err why;
};

/* A limit that is tried at an interval. */
struct candidate {
	uint32_t n;
	bool onward; /* for the intervals after it, too */
	enum { WAITS, RUNS, ENDED } state;
	unsigned kept; /* point.kept when it started */
	struct trial trial;
};

/* A kernel of the search: its limit in each interval. */
struct point {
	struct search *search;
	struct machine_copy *copy; /* one cycle before an interval, while candidates run */
	unsigned kernel;
	cycle_t launch, end; /* end: with the present limits; CYCLE_NEVER: not yet known */
	uint32_t *n;	     /* [intervals] */
	unsigned intervals;

	unsigned at; /* the interval whose limit is searched */
	struct candidate *candidate;
	unsigned n_candidates, settled; /* settled: the first ones, whose results have counted */
	unsigned kept; /* candidates kept that changed the limits of later intervals */
};

/* The first cycle of an interval after the launch. */
static cycle_t
interval_start(const struct search *k, unsigned i)
{
	return i ? i * k->every : 1;
}

/* Writes the limits of the kernel into the sequence. */
static int
set_intervals(struct search *k, const struct point *p, struct err *e)
{
	int rc = sequence_set(k->q, p->kernel + 1, 0, k->o->kernel[p->kernel].n);

	for (unsigned i = 0; !rc && i < p->intervals; i++)
		rc = sequence_set(k->q, p->kernel + 1, interval_start(k, i), p->n[i]);
	return rc ? err_nomem(e) : 0;
}

/* The first candidate is the present limit if no run has shown yet when the kernel ends with it. */
static int
list_candidates(const struct search *k, struct point *p, struct err *e)
{
	const uint32_t most = k->o->kernel[p->kernel].n_max;
	const bool last = p->at + 1 == p->intervals;
	const uint32_t here = p->n[p->at], next = last ? here : p->n[p->at + 1];

	free(p->candidate);
	p->candidate = calloc(1 + 2 * (size_t)most, sizeof(*p->candidate));
	if (!p->candidate)
		return err_nomem(e);
	p->n_candidates = p->settled = p->kept = 0;
	if (p->end == CYCLE_NEVER)
		p->candidate[p->n_candidates++] = (struct candidate){.n = here};
	for (uint32_t n = 1; n <= most; n++) {
		if (n != here)
			p->candidate[p->n_candidates++] = (struct candidate){.n = n};
		if (!last && (n != here || n != next))
			p->candidate[p->n_candidates++] =
				(struct candidate){.n = n, .onward = true};
	}
	return 0;
}

static int
next_candidate(void *ctx, unsigned *job, const struct lab_progress *progress ATTR_UNUSED,
	       struct err *e ATTR_UNUSED)
{
	struct point *p = ctx;
	/* the first one runs alone if it bounds the others */
	unsigned end = p->end == CYCLE_NEVER ? 1 : p->n_candidates, i = p->settled;

	while (i < end && p->candidate[i].state != WAITS)
		i++;
	*job = i < end ? i : JOB_NONE;
	if (i < end) {
		p->candidate[i].state = RUNS;
		p->candidate[i].kept = p->kept;
	}
	return 0;
}

static void
set_candidate(struct point *p, const struct candidate *c)
{
	p->n[p->at] = c->n;
	for (unsigned i = p->at + 1; c->onward && i < p->intervals; i++)
		p->n[i] = c->n;
}

/* In a worker: runs the rest of the kernel, unless it takes longer than with the best limits so
 * far.
 */
static int
run_candidate(void *ctx, unsigned job, const struct lab_progress *progress, struct strbuf *result,
	      struct err *e)
{
	struct point *p = ctx;
	struct search *k = p->search;
	struct trial t;

	memset(&t, 0, sizeof(t));
	begin_work(k, progress);
	set_candidate(p, &p->candidate[job]);
	if (set_intervals(k, p, e) < 0)
		return -1;
	t.failed_at = CYCLE_NEVER;
	if (run_copy(k, p->copy, p->end, &t.why) < 0)
		t.failed_at = sim_cycle(p->copy->sim);
	t.end = sim_kernel_end(p->copy->sim, p->kernel);
	sb_add(result, &t, sizeof(t));
	return 0;
}

/* Lets the results count in the order of the candidates, as if each had run when those before it
 * had ended. A run that began before the limits of later intervals changed is repeated, unless it
 * replaces these limits itself. */
static int
settle_candidates(struct point *p, struct err *e)
{
	while (p->settled < p->n_candidates && p->candidate[p->settled].state == ENDED) {
		struct candidate *c = &p->candidate[p->settled];

		if (!c->onward && c->kept != p->kept) {
			c->state = WAITS;
			return 0;
		}
		if (c->trial.failed_at < p->end) {
			*e = c->trial.why;
			return -1;
		}
		if (c->trial.end < p->end) {
			p->end = c->trial.end;
			set_candidate(p, c);
			p->kept += c->onward;
		}
		p->settled++;
	}
	return 0;
}

static int
take_candidate(void *ctx, unsigned job, const struct job_result *r, struct err *e)
{
	struct point *p = ctx;
	struct candidate *c = &p->candidate[job];

	if (!r->body)
		return err_of(e, r->why->kind,
			      "the run with n = %u in interval %u of kernel %u failed: %.300s",
			      c->n, p->at + 1, p->kernel + 1, r->why->msg);
	assert(r->n == sizeof(c->trial));
	memcpy(&c->trial, r->body, sizeof(c->trial));
	c->state = ENDED;
	return settle_candidates(p, e);
}

/* Chooses the limit of an interval, for itself and for all after it. */
static int
choose_limit(struct search *k, struct point *p, struct err *e)
{
	const struct jobs j = {2 * k->most, next_candidate, run_candidate, take_candidate, p};
	double share = k->share * (k->all - k->done - 1);
	int rc = list_candidates(k, p, e);

	if (!rc)
		rc = jobs_run(&j, k->m, k->progress, (k->done + share) / k->all, 0, e);
	return rc ? rc : set_intervals(k, p, e);
}

/* Searches the limits of the kernel that was launched last, and runs it to its end. */
static int
search_kernel(struct search *k, struct point *p, struct err *e)
{
	int rc = 0;

	p->launch = sim_kernel_start(p->copy->sim, p->kernel);
	p->end = CYCLE_NEVER;
	for (p->at = 0; !rc && p->at < p->intervals; p->at++) {
		uint64_t done, all;

		rc = run_copy(k, p->copy, p->launch + interval_start(k, p->at) - 1, e);
		if (rc || sim_kernel_end(p->copy->sim, p->kernel) != CYCLE_NEVER)
			return rc;
		sim_progress(p->copy->sim, &done, &all);
		k->share = (double)done / (double)MAX(all, 1);
		rc = choose_limit(k, p, e);
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
	p->kernel = kernel;
	p->intervals = (unsigned)(v->best / k->every) + 1;
	p->n = calloc(p->intervals, sizeof(*p->n));
	if (!p->n)
		return err_nomem(e);
	for (unsigned i = 0; i < p->intervals; i++)
		p->n[i] = v->n;
	return set_intervals(k, p, e);
}

static int
search_sequence(struct search *k, struct err *e)
{
	struct point p = {.search = k};
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
	free(p.candidate);
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
	struct search k = {
		.m = m, .progress = p, .o = o, .all = 10, .parallel = 1.0 / jobs_at_once(m)};
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
	rc = k.q ? run_whole(&k, begin_kernels, &o->at_most, e) : -1;
	if (!rc && !o->kernel)
		rc = err_nomem(e);
	k.all = 3 + (1 + INTERVALS) * k.most * k.parallel;
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
		rc = run_whole(&k, NULL, &o->sequence, e);
	if (!rc)
		rc = write_best(&k, path, e);
	config_free(k.cfg);
	return rc;
}
