/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * side.c - runs the CTAs of a launch in several threads with the same output as one after the
 * other: memory, trace, counts, faults.
 *
 * The first CTA runs alone and shows which blocks of memory are written. Then every thread takes
 * the next CTA, runs it from beginning to end and hands over what its sink has received, and the
 * parts are put together in the order of the CTAs. Threads claim the words they touch (claim.h),
 * which ensures that no CTA sees what another CTA of the launch does. If a claim fails, a CTA
 * faults or has a divergent barrier, the instruction limit is reached or the sink needs something
 * in order, everything is undone and the CTAs run again one after the other: the fault is then that
 * of the first CTA in order, and memory has the contents that this order gives. If the caller's
 * progress function stops the launch, all threads are joined before ptx_run returns, because the
 * caller may then free what they share.
 *
 * CTAs run in parallel only when: every instruction is parallel-safe (inst.def), no atomic touches
 * global memory, none reads the clock (it counts the instructions of all CTAs), none calls a
 * function without a body (it may print), no findings are kept, there is enough work, and the CTAs
 * of the kernel have not collided in memory twice.
 */
#include "record/ptx/exec/exec.h"

#include "record/ptx/alu/cvt.h"
#include "record/ptx/mem/claim.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define WORTH 100000u /* least warp instructions of a launch that runs in parallel */
#define WINDOW 8u     /* CTAs per thread that may wait to be put */
#define TRIES 4	      /* attempts, each with more blocks known to be written */
#define GIVE_UP 2     /* launches of a kernel whose CTAs collided, before it runs in order */

struct ended_cta {	/* a slot for a CTA that has ended and is to be put */
	bool is_filled; /* the slot holds a CTA */
	struct ptx_counts n;
	void *pack;
};

struct side {
	struct run *r;
	const struct ptx_sink *sink;
	struct claims claims;
	struct claim first; /* of the CTA that runs alone */
	uint64_t n, next;   /* CTAs; the next one to run (atomic) */
	uint32_t jobs;
	pthread_mutex_t lock;
	pthread_cond_t room;
	/* under the lock */
	uint64_t put; /* the CTA to be put next */
	struct ended_cta *done;
	uint32_t window;
	struct ptx_counts sum; /* of the CTAs that were put */
	bool sink_failed;      /* with r->e filled; r->stopped is under the lock too */
};

struct worker {
	pthread_t thread;
	bool started;
	struct side *s;
	struct ptx_launch launch; /* reports to on_worker_tick */
	struct run run;
	struct cta cta;
	struct claim claim;
	struct err e;
};

/* ---------------------------------------------------------------- parallel safety */

enum parallel { PARALLEL_no, PARALLEL_shared, PARALLEL_yes };

static const uint8_t op_parallel[] = {
#define OP(name, group, parallel, memory) PARALLEL_##parallel,
#include "record/ptx/inst/inst.def"
};

static bool
is_inst_parallel_safe(const struct ptx_module *m, const struct prog_inst *in)
{
	enum parallel parallel = (enum parallel)op_parallel[in->op];

	if ((in->slow & SLOW_CLOCK) || in->fn == cvt_mov_clock)
		return false;
	if (in->op == PTX_call && in->target != PROG_NONE && !m->func[in->target].ast->defined)
		return false;
	return parallel == PARALLEL_yes || (parallel == PARALLEL_shared && in->space == SP_SHARED);
}

/* Checks the kernel and all functions of the module that it could call. */
static bool
is_kernel_parallel_safe(const struct run *r)
{
	const struct ptx_module *m = r->module;

	for (uint32_t f = 0; f < m->ast->n_func; f++) {
		const struct prog_func *p = &m->func[f];

		if (p != r->entry && (p->ast->entry || !r->entry->n_call))
			continue;
		for (uint32_t i = 0; i < p->n_inst; i++)
			if (!is_inst_parallel_safe(m, &p->inst[i]))
				return false;
	}
	return true;
}

struct side *
side_new(struct run *r, uint64_t n)
{
	const struct ptx_sink *sink = r->launch->sink;
	struct side *s;

	if (r->launch->jobs < 2 || r->launch->go_on || r->global ||
	    (r->launch->checks & CHECK_INIT) || n < 2 || n >= CLAIM_MAX_CTAS ||
	    (sink && !sink->beside) || r->entry->collisions >= GIVE_UP ||
	    !is_kernel_parallel_safe(r))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s || claims_new(&s->claims, r->device)) {
		free(s);
		return NULL;
	}
	s->r = r;
	s->sink = sink;
	s->n = n;
	s->jobs = (uint32_t)MIN(MIN(r->launch->jobs, PTX_MAX_JOBS), n - 1);
	s->window = s->jobs * WINDOW;
	s->first.all = &s->claims;
	r->claim = &s->first;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->room, NULL);
	return s;
}

void
side_free(struct side *s)
{
	if (!s)
		return;
	s->r->claim = NULL;
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->room);
	claims_free(&s->claims);
	free(s->done);
	free(s);
}

/* ---------------------------------------------------------------- handing over */

static void
stop_workers(struct side *s)
{
	claims_stop(&s->claims);
	pthread_mutex_lock(&s->lock);
	pthread_cond_broadcast(&s->room);
	pthread_mutex_unlock(&s->lock);
}

/* Puts the CTAs that are next in order. Called under the lock. */
static void
put_done(struct side *s)
{
	const struct ptx_launch *l = s->r->launch;
	struct ended_cta *d;

	while ((d = &s->done[s->put % s->window])->is_filled && !claims_stopped(&s->claims)) {
		uint64_t all = s->r->n.warp_insts + s->sum.warp_insts + d->n.warp_insts;

		if (all > l->max_insns) {
			claims_stop(&s->claims);
			return;
		}
		s->sum.warp_insts += d->n.warp_insts;
		s->sum.thread_insts += d->n.thread_insts;
		d->is_filled = false;
		s->put++;
		if (s->sink && s->sink->put(s->sink->ctx, d->pack, s->r->e)) {
			s->sink_failed = true;
			claims_stop(&s->claims);
			return;
		}
		if (run_report(s->r, s->put, s->r->n.warp_insts + s->sum.warp_insts))
			claims_stop(&s->claims);
	}
}

/* Hands over CTA i, which has ended; waits while it is too far ahead of the next one to put. */
static void
hand_over(struct side *s, uint64_t i, struct ended_cta d)
{
	pthread_mutex_lock(&s->lock);
	while (i >= s->put + s->window && !claims_stopped(&s->claims))
		pthread_cond_wait(&s->room, &s->lock);
	if (!claims_stopped(&s->claims)) {
		s->done[i % s->window] = d;
		put_done(s);
	} else if (d.pack) {
		s->sink->drop(d.pack);
	}
	pthread_cond_broadcast(&s->room);
	pthread_mutex_unlock(&s->lock);
}

/* ---------------------------------------------------------------- threads */

/* Reports progress during a long CTA. The progress of the launch is that of the CTAs put. */
static bool
on_worker_tick(void *ctx, uint64_t done ATTR_UNUSED, uint64_t all ATTR_UNUSED,
	       uint64_t insts ATTR_UNUSED)
{
	struct worker *w = ctx;
	struct side *s = w->s;
	bool stop;

	pthread_mutex_lock(&s->lock);
	stop = run_report(s->r, s->put, s->r->n.warp_insts + s->sum.warp_insts);
	pthread_mutex_unlock(&s->lock);
	if (stop)
		claims_stop(&s->claims);
	return stop || claims_stopped(&s->claims);
}

static bool
run_one_cta(struct worker *w, uint64_t i)
{
	struct ended_cta d = {.is_filled = true};
	const struct ptx_sink *sink = w->run.sink;

	w->claim.me = (uint32_t)i + 1;
	w->run.n = (struct ptx_counts){0};
	w->run.tick = TICK;
	if (cta_run(&w->cta, i) || claims_stopped(&w->s->claims))
		return false;
	d.n = w->run.n;
	if (sink && !(d.pack = sink->pack(sink->ctx, &w->e)))
		return false;
	hand_over(w->s, i, d);
	return true;
}

static void *
run_worker(void *ctx)
{
	struct worker *w = ctx;
	struct side *s = w->s;

	while (!claims_stopped(&s->claims)) {
		uint64_t i = __atomic_fetch_add(&s->next, 1, __ATOMIC_RELAXED);

		if (i >= s->n)
			return NULL;
		if (!run_one_cta(w, i))
			break;
	}
	stop_workers(s);
	return NULL;
}

static int
worker_new(struct worker *w, struct side *s)
{
	w->s = s;
	w->launch = *s->r->launch;
	w->launch.progress = on_worker_tick;
	w->launch.progress_ctx = w;
	w->run = *s->r;
	w->run.launch = &w->launch;
	w->run.e = &w->e;
	w->run.beside = true;
	w->run.claim = &w->claim;
	w->claim.all = &s->claims;
	if (s->sink && !(w->run.sink = s->sink->beside(s->sink->ctx, &w->e))) {
		w->run.sink = NULL;
		return -1;
	}
	return cta_new(&w->cta, &w->run);
}

static void
worker_free(struct worker *w)
{
	cta_free(&w->cta);
	if (w->s && w->run.sink)
		w->run.sink->beside_free(w->run.sink);
}

/* Runs the workers: the first in this thread, the others in threads that block all signals, since
 * signals belong to the program. */
static void
run_workers(struct worker *w, uint32_t n)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (uint32_t i = 1; i < n; i++)
		w[i].started = pthread_create(&w[i].thread, NULL, run_worker, &w[i]) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	run_worker(&w[0]);
	for (uint32_t i = 1; i < n; i++)
		if (w[i].started)
			pthread_join(w[i].thread, NULL);
}

/* Makes one attempt. 0: all CTAs were run and put. */
static int
side_try(struct side *s)
{
	struct worker *w = calloc(s->jobs, sizeof(*w));
	uint32_t n = 0;
	bool good = w && claims_begin(&s->claims) == 0;

	s->next = 1;
	while (good && n < s->jobs && worker_new(&w[n], s) == 0)
		n++;
	good = good && n;
	if (good)
		run_workers(w, n);
	for (uint32_t i = 0; w && i < MIN(n + 1, s->jobs); i++)
		worker_free(&w[i]);
	free(w);
	good = good && s->put == s->n && !s->sink_failed;
	for (uint32_t i = 0; i < s->window; i++) {
		if (s->done[i].is_filled && s->done[i].pack)
			s->sink->drop(s->done[i].pack);
		s->done[i] = (struct ended_cta){0};
	}
	claims_end(&s->claims, !good);
	return good ? 0 : -1;
}

int
side_run(struct side *s, uint64_t *received)
{
	struct run *r = s->r;
	bool enough = r->n.warp_insts * (double)(s->n - 1) >= WORTH;
	uint32_t known = claims_written(&s->claims), before;
	int rc = SIDE_IN_ORDER;

	s->put = 1;
	s->done = calloc(s->window, sizeof(*s->done));
	r->claim = NULL;
	for (int i = 0; i < TRIES && enough && s->done && rc == SIDE_IN_ORDER; i++) {
		before = known;
		if (side_try(s) == 0)
			rc = SIDE_DONE;
		else if (s->sink_failed || r->stopped)
			rc = SIDE_ENDED;
		known = claims_written(&s->claims);
		if (known == before || s->put > 1)
			break;
	}
	*received = s->put;
	if (rc == SIDE_DONE) {
		r->n.warp_insts += s->sum.warp_insts;
		r->n.thread_insts += s->sum.thread_insts;
	} else if (enough) {
		r->entry->collisions++;
	}
	return rc;
}
