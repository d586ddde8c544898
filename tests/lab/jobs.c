/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * jobs.c - every job runs once, at most as many at once as allowed; a crash and an error are
 * failures of one job; no worker outlives an interruption, an error or its parent. Oracle, blame
 * and bottleneck find the same with one worker as with four, to the byte.
 */
#include "lab/jobs.h"
#include "session/experiment.h"

#include "tests/small/small_session.h"
#include "tests/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define JOBS 40
#define BIG (1u << 20) /* bytes, more than a socket holds */
/* Cycles of an interval. With these and a slow network, a candidate that started before the limits
 * of later intervals changed would be kept by mistake if its run were not repeated. */
#define EVERY 192
#define KILLED 7
#define REFUSED 9
#define GONE_WITHIN 240 /* seconds; they only end a hang */

/* ---------------------------------------------------------------- jobs without a machine */

struct toy {
	unsigned next, n;
	unsigned running, most_running; /* jobs that have started and have not ended */
	unsigned good, order[JOBS], n_order;
	char why[JOBS][120];
	bool endless;	   /* jobs run until they are killed */
	unsigned fails_at; /* took() fails for this job */
	volatile unsigned *started;
};

static int
next_toy(void *ctx, unsigned *job, const struct lab_progress *p, struct err *e ATTR_UNUSED)
{
	struct toy *t = ctx;

	*job = t->next < t->n ? t->next++ : JOB_NONE;
	t->running += *job != JOB_NONE;
	t->most_running = MAX(t->most_running, t->running);
	return lab_progress_stop(p, 0);
}

static int
run_toy(void *ctx, unsigned job, const struct lab_progress *p, struct strbuf *result, struct err *e)
{
	const struct toy *t = ctx;
	char *to = sb_reserve(result, BIG);

	t->started[job]++;
	while (t->endless && !lab_progress_stop(p, 0.5))
		usleep(1000);
	if (job == KILLED)
		raise(SIGKILL);
	if (job == REFUSED)
		return err_set(e, "refused");
	if (job % 4 == 0)
		usleep(5000); /* others overtake it */
	memset(to, (int)job, BIG);
	result->n += BIG;
	return 0;
}

static int
take_toy(void *ctx, unsigned job, const struct job_result *r, struct err *e)
{
	struct toy *t = ctx;
	unsigned equal = 0;

	t->running--;
	t->order[t->n_order++] = job;
	if (!r->body)
		snprintf(t->why[job], sizeof(t->why[job]), "%.119s", r->why->msg);
	for (size_t i = 0; r->body && i < r->n; i++)
		equal += r->body[i] == (char)job;
	t->good += equal == BIG;
	return job == t->fails_at ? err_set(e, "took %u", job) : 0;
}

static struct toy
new_toy(unsigned n)
{
	void *p = mmap(NULL, JOBS * sizeof(unsigned), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(99);
	return (struct toy){.n = n, .fails_at = JOBS, .started = p};
}

/* Jobs that have started once. */
static unsigned
started_once(const struct toy *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < JOBS; i++)
		n += t->started[i] == 1;
	return n;
}

static bool
go_on(void *ctx, double share)
{
	double *last = ctx;

	if (last)
		*last = share;
	return false;
}

/* Interrupts when all of these jobs have started. */
static bool
stop_when_started(void *ctx, double share ATTR_UNUSED)
{
	return started_once(ctx) == 3;
}

static int
run_toys(struct toy *t, unsigned workers, const struct lab_progress *p, struct err *e)
{
	const struct jobs j = {t->n, next_toy, run_toy, take_toy, t};

	return jobs_run(&j, &(struct machine){.workers = workers}, p, 0.25, 0.5, e);
}

static void
all_run(unsigned workers)
{
	struct toy t = new_toy(JOBS);
	double last = 0;
	struct err e = {0};
	int rc = run_toys(&t, workers, &(struct lab_progress){go_on, &last}, &e);

	is_u64((uint64_t)rc, 0, "%u workers: done", workers);
	is_u64(started_once(&t), JOBS, "every job ran once");
	is_u64(t.good, JOBS - 2, "the results are complete, but for two");
	is_u64(t.most_running, workers, "never more than %u at once", workers);
	is_str(t.why[KILLED], "its process was ended by signal 9 (Killed)", "a crash is a failure");
	is_str(t.why[REFUSED], "refused", "so is an error");
	ok(last > 0.7 && last <= 0.75, "progress ends at the job's part: %g", last);
}

/* The pipe ends when no worker has it open. */
static bool
all_gone(int fd[2])
{
	bool at_end;
	char c;

	close(fd[1]);
	alarm(GONE_WITHIN);
	at_end = read(fd[0], &c, 1) == 0;
	alarm(0);
	close(fd[0]);
	return at_end;
}

static void
interrupted(void)
{
	struct toy t = new_toy(JOBS);
	struct err e = {0};
	int fd[2];

	if (pipe(fd))
		exit(99);
	t.endless = true;
	is_u64((uint64_t)run_toys(&t, 3, &(struct lab_progress){stop_when_started, &t}, &e), 1,
	       "interrupted");
	ok(all_gone(fd), "no worker is left");
	t = new_toy(JOBS);
	t.fails_at = 2;
	if (pipe(fd))
		exit(99);
	ok(run_toys(&t, 3, &(struct lab_progress){go_on, NULL}, &e) < 0, "an error ends the jobs");
	is_str(e.msg, "took 2", "which one is known");
	ok(t.n_order < JOBS && all_gone(fd), "and no worker is left");
}

static int
run_endless(struct channel *c, void *ctx)
{
	struct err e = {0};

	channel_free(c);
	return run_toys(ctx, 3, &(struct lab_progress){go_on, NULL}, &e);
}

static void
parent_ends(void)
{
	struct toy t = new_toy(JOBS);
	struct worker w;
	struct err e = {0};
	int fd[2];

	t.endless = true;
	if (pipe(fd) || worker_start(&w, WORKER_LANE, run_endless, &t, &e))
		exit(99);
	while (started_once(&t) < 3)
		usleep(1000);
	worker_end(&w);
	ok(all_gone(fd), "workers end with their parent");
}

static void
bounded(void)
{
	struct machine m = {.workers = 1000};

	is_u64(jobs_at_once(&m), JOBS_AT_ONCE, "there is a most");
	m.workers = 0;
	ok(jobs_at_once(&m) >= 1, "one per processor: %u", jobs_at_once(&m));
}

/* ---------------------------------------------------------------- experiments */

struct found {
	struct oracle oracle;
	char sequence[2000]; /* the file that oracle wrote */
	struct blame blame[2];
	struct bottleneck bottleneck;
};

static void
measure_blame(const struct machine *m, struct blame *b, const char *against)
{
	struct err e = {0};

	*b = (struct blame){.core = 1,
			    .most = 20,
			    .from = 100,
			    .to = {.until = CYCLE_NEVER, .kernel = 1},
			    .worker.channel.fd = -1};
	snprintf(b->against, sizeof(b->against), "%s", against);
	if (blame_measure(m, b, &(struct lab_progress){go_on, NULL}, &e))
		small_die("blame", &e);
}

static void
find_all(struct session *s, unsigned workers, struct found *f)
{
	struct machine m = session_machine(s);
	struct lab_progress go = {go_on, NULL};
	struct err e = {0};
	FILE *file;

	m.workers = workers;
	if (oracle_search(&m, EVERY, "jobs.sequence", &f->oracle, &go, &e))
		small_die("oracle", &e);
	file = fopen("jobs.sequence", "re");
	f->sequence[file ? fread(f->sequence, 1, sizeof(f->sequence) - 1, file) : 0] = '\0';
	if (file)
		fclose(file);
	unlink("jobs.sequence");
	measure_blame(&m, &f->blame[0], "");
	measure_blame(&m, &f->blame[1], "flip1");
	if (bottleneck_measure(&m, &f->bottleneck, &go, &e))
		small_die("bottleneck", &e);
}

static bool
same_blame(const struct blame *a, const struct blame *b)
{
	return a->n == b->n && a->has_range && b->has_range &&
	       memcmp(a->suspect, b->suspect, a->n * sizeof(*a->suspect)) == 0 &&
	       memcmp(&a->begin, &b->begin, sizeof(a->begin)) == 0 &&
	       memcmp(&a->end, &b->end, sizeof(a->end)) == 0 &&
	       memcmp(&a->other_begin, &b->other_begin, sizeof(a->begin)) == 0 &&
	       memcmp(&a->other_end, &b->other_end, sizeof(a->end)) == 0;
}

static void
free_found(struct found *f)
{
	free(f->oracle.kernel);
	free(f->blame[0].suspect);
	free(f->blame[1].suspect);
}

static struct small_session
open_slow_network(void)
{
	struct small_session b = {.c = small_config("dyncta"), .t = small_trace()};
	struct session_ui ui = {.out = small_session_keep};
	struct err e = {0};

	if (opt_set(config_db(b.c), "gpu.clock_noc", "200", &e) < 0 ||
	    !(b.s = session_new(b.c, b.t, &ui, &e)))
		small_die("session", &e);
	return b;
}

static void
equal_results(void)
{
	struct small_session b = open_slow_network();
	struct found one = {0}, four = {0};
	const struct oracle *o = &one.oracle, *p = &four.oracle;
	uint64_t digest;

	session_exec(b.s, "tbreak limit");
	session_exec(b.s, "continue");
	session_exec(b.s, "flip");
	session_exec(b.s, "switch flip1");
	session_exec(b.s, "advance 600");
	session_exec(b.s, "switch main");
	session_exec(b.s, "run");
	digest = sim_digest(b.s->sim);
	find_all(b.s, 1, &one);
	find_all(b.s, 4, &four);
	ok(one.sequence[0] && strcmp(four.sequence, one.sequence) == 0,
	   "oracle writes the same file");
	ok(o->sequence == p->sequence && o->same == p->same && o->same_n == p->same_n &&
		   o->kernels == p->kernels && o->every == p->every && o->best == p->best &&
		   o->n_kernels == p->n_kernels &&
		   memcmp(o->kernel, p->kernel, o->n_kernels * sizeof(*o->kernel)) == 0,
	   "and finds the same");
	ok(o->n_steps > o->n_kernels && o->sequence < o->kernels, "a sequence of %u steps",
	   o->n_steps);
	ok(one.blame[0].n > 3 && same_blame(&one.blame[0], &four.blame[0]),
	   "blame finds the same about %u decisions", one.blame[0].n);
	ok(one.blame[1].other_end.cycle != one.blame[1].end.cycle &&
		   same_blame(&one.blame[1], &four.blame[1]),
	   "also against a branch");
	ok(memcmp(&one.bottleneck, &four.bottleneck, sizeof(one.bottleneck)) == 0,
	   "bottleneck finds the same");
	ok(sim_digest(b.s->sim) == digest, "the machine stays");
	free_found(&one);
	free_found(&four);
	small_session_close(&b);
}

int
main(void)
{
	bounded();
	all_run(1);
	all_run(4);
	interrupted();
	parent_ends();
	equal_results();
	return done();
}
