/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.c - runs points in processes of their own, some at a time.
 *
 * A process is a fork of this one that runs its point and writes the result into a pipe: nothing
 * has to be said on a command line or read twice, and whatever happens in it, a crash or the
 * kernel's killer of big processes, is one point's failure. The parent holds no threads and has
 * built no machine that is still there, so the fork is cheap and safe.
 *
 * A signal that ends the program is noted by the handler and seen by the loop, which lets signals
 * in while it waits and at no other time; SIGUSR1 asks how far it is. The mutable variables of the
 * file are these two notes. A
 * process does not outlive its parent, not even one that was killed without a word.
 */
#define _GNU_SOURCE 1
#include "batch/batch_part.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/signals.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define GRACE 10.0 /* seconds beyond its limit that a run may take to notice it */

static volatile sig_atomic_t noted, asked;

struct child {
	pid_t pid;
	int fd;
	unsigned point;
	double began;
	char *got; /* what has come through the pipe */
	size_t n_got;
};

struct pool {
	const struct pool_job *job;
	struct child *child;
	struct pollfd *poll;
	unsigned n_children, next; /* of job->todo */
	size_t message;		   /* bytes of a result */
	struct result result;
	sigset_t outside; /* the signal mask while waiting */
};

/* What goes through the pipe: how far the run is, any number of times, then the result, and behind
 * that its values. */
struct message {
	bool is_result;
	double share;
	enum run_status status;
	char error[sizeof(((struct result *)0)->error)];
};

static void
note(int signo)
{
	noted = signo;
}

static void
ask(int signo ATTR_UNUSED)
{
	asked = 1;
}

static bool
is_taken(int signo)
{
	return signo == SIGINT || signo == SIGUSR1 || signal_kind(signo) == SIGNAL_ENDS;
}

/* Blocks the signals that end the program; they come through while the loop waits. */
static void
take_signals(struct pool *p, struct sigaction *old)
{
	sigset_t block;

	sigemptyset(&block);
	for (int n = 1; n < SIGNALS; n++) {
		struct sigaction act = {.sa_handler = n == SIGUSR1 ? ask : note};

		if (!is_taken(n))
			continue;
		sigemptyset(&act.sa_mask);
		signal_catch(n, &act, &old[n]);
		sigaddset(&block, n);
	}
	noted = asked = 0;
	sigprocmask(SIG_BLOCK, &block, &p->outside);
}

static void
give_signals_back(struct pool *p, const struct sigaction *old)
{
	for (int n = 1; n < SIGNALS; n++)
		if (is_taken(n))
			sigaction(n, &old[n], NULL);
	sigprocmask(SIG_SETMASK, &p->outside, NULL);
}

/* ---------------------------------------------------------------- a process */

static int
write_all(int fd, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		ssize_t k = write(fd, p, n);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return -1;
		p += k;
		n -= (size_t)k;
	}
	return 0;
}

static void
tell(void *ctx, double share)
{
	struct message m = {.share = share};

	write_all(*(int *)ctx, &m, sizeof(m)); /* nobody there: the result will say so */
}

/* In the child. The terminal's Ctrl-C is for the parent, who ends the children. */
static void
be_child(struct pool *p, unsigned point, int fd, pid_t parent)
{
	const struct pool_job *j = p->job;
	struct run_teller teller = {tell, &fd};
	struct message m = {.is_result = true};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		exit(1);
	signals_reset();
	signal(SIGINT, SIG_IGN);
	sigprocmask(SIG_SETMASK, &p->outside, NULL);
	for (unsigned i = 0; i < p->n_children; i++)
		close(p->child[i].fd);
	if (j->forked)
		j->forked(j->ctx);
	run_point(j->points->spec, &j->points->p[point], j->columns, &teller, &p->result);
	m.status = p->result.status;
	memcpy(m.error, p->result.error, sizeof(m.error));
	exit(write_all(fd, &m, sizeof(m)) ||
	     write_all(fd, p->result.value, p->result.n * sizeof(double)));
}

static int
begin(struct pool *p, struct err *e)
{
	unsigned point = p->job->todo[p->next];
	struct child *c = &p->child[p->n_children];
	pid_t parent = getpid();
	int fd[2];

	c->got = malloc(p->message + 1);
	if (!c->got)
		return err_nomem(e);
	if (pipe(fd)) {
		free(c->got);
		return err_set(e, "cannot make a pipe: %s", strerror(errno));
	}
	c->pid = process_fork();
	if (c->pid == 0) {
		close(fd[0]);
		be_child(p, point, fd[1], parent);
	}
	close(fd[1]);
	if (c->pid < 0) {
		close(fd[0]);
		free(c->got);
		return err_set(e, "cannot start a process: %s", strerror(errno));
	}
	c->fd = fd[0];
	c->point = point;
	c->began = clock_seconds();
	c->n_got = 0;
	p->n_children++;
	p->next++;
	if (p->job->began)
		p->job->began(p->job->ctx, point);
	return 0;
}

/* The result of a process that has closed its pipe. */
static void
understand(struct pool *p, const struct child *c, int status)
{
	struct result *r = &p->result;
	struct message m;

	for (unsigned i = 0; i < r->n; i++)
		r->value[i] = NAN;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && c->n_got == p->message) {
		memcpy(&m, c->got, sizeof(m));
		r->status = m.status;
		memcpy(r->error, m.error, sizeof(r->error));
		memcpy(r->value, c->got + sizeof(m), r->n * sizeof(double));
		return;
	}
	r->status = RUN_CRASH;
	if (WIFSIGNALED(status))
		snprintf(r->error, sizeof(r->error), "the process was ended by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(r->error, sizeof(r->error),
			 "the process ended with status %d and no result",
			 WIFEXITED(status) ? WEXITSTATUS(status) : 0);
}

static void
remove_child(struct pool *p, unsigned i)
{
	close(p->child[i].fd);
	free(p->child[i].got);
	p->child[i] = p->child[--p->n_children];
}

static int
reap(struct pool *p, unsigned i, struct err *e)
{
	struct child c = p->child[i];
	int status = 0;

	process_wait(c.pid, &status, 0);
	understand(p, &c, status);
	remove_child(p, i);
	return p->job->done(p->job->ctx, c.point, &p->result, e);
}

/* True when the pipe has ended. */
static bool
receive(struct pool *p, struct child *c)
{
	ssize_t n = read(c->fd, c->got + c->n_got, p->message + 1 - c->n_got);
	struct message m;

	if (n > 0)
		c->n_got += (size_t)n;
	while (c->n_got >= sizeof(m)) {
		memcpy(&m, c->got, sizeof(m));
		if (m.is_result)
			break;
		if (p->job->share)
			p->job->share(p->job->ctx, c->point, m.share);
		c->n_got -= sizeof(m);
		memmove(c->got, c->got + sizeof(m), c->n_got);
	}
	return n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN) || c->n_got > p->message;
}

/* A run that does not notice its limit, since it is stuck where nobody looks at the clock. */
static int
kill_late(struct pool *p, struct err *e)
{
	double seconds = (double)p->job->points->spec->max_seconds, now = clock_seconds();

	for (unsigned i = 0; seconds > 0 && i < p->n_children;) {
		struct child c = p->child[i];

		if (now - c.began < 1.5 * seconds + GRACE) {
			i++;
			continue;
		}
		process_signal(c.pid, SIGKILL);
		process_wait(c.pid, NULL, 0);
		remove_child(p, i);
		for (unsigned k = 0; k < p->result.n; k++)
			p->result.value[k] = NAN;
		p->result.status = RUN_LIMIT;
		snprintf(p->result.error, sizeof(p->result.error),
			 "limit of %.0f s reached, and the process did not answer", seconds);
		if (p->job->done(p->job->ctx, c.point, &p->result, e))
			return -1;
	}
	return 0;
}

static void
kill_all(struct pool *p)
{
	for (unsigned i = 0; i < p->n_children; i++)
		process_signal(p->child[i].pid, SIGKILL);
	while (p->n_children) {
		process_wait(p->child[0].pid, NULL, 0);
		remove_child(p, 0);
	}
}

/* ---------------------------------------------------------------- all of them */

static int
wait_a_bit(struct pool *p, struct err *e)
{
	struct timespec quarter = {.tv_nsec = 250000000};
	int n;

	for (unsigned i = 0; i < p->n_children; i++)
		p->poll[i] = (struct pollfd){.fd = p->child[i].fd, .events = POLLIN};
	n = ppoll(p->poll, p->n_children, &quarter, &p->outside);
	if (noted || n <= 0)
		return 0;
	/* from behind, since removing one puts the last in its place */
	for (unsigned i = p->n_children; i-- > 0;)
		if (p->poll[i].revents && receive(p, &p->child[i]) && reap(p, i, e))
			return -1;
	return 0;
}

static int
loop(struct pool *p, struct err *e)
{
	const struct pool_job *j = p->job;

	while (p->next < j->n_todo || p->n_children) {
		while (p->n_children < j->processes && p->next < j->n_todo)
			if (begin(p, e)) {
				if (!p->n_children)
					return -1;
				break; /* those that run will make room */
			}
		if (wait_a_bit(p, e))
			return -1;
		if (noted)
			return noted;
		if (asked && j->asked)
			j->asked(j->ctx);
		asked = 0;
		if (kill_late(p, e))
			return -1;
		if (j->tick)
			j->tick(j->ctx);
	}
	return 0;
}

int
pool_run(const struct pool_job *j, struct err *e)
{
	struct pool p = {.job = j};
	struct sigaction old[SIGNALS];
	int rc;

	p.result.n = j->columns->n;
	p.result.value = calloc(p.result.n + 1, sizeof(double));
	p.message = sizeof(struct message) + p.result.n * sizeof(double);
	p.child = calloc(j->processes, sizeof(*p.child));
	p.poll = calloc(j->processes, sizeof(*p.poll));
	if (!p.result.value || !p.child || !p.poll) {
		rc = err_nomem(e);
	} else {
		take_signals(&p, old);
		rc = loop(&p, e);
		kill_all(&p);
		give_signals_back(&p, old);
	}
	free(p.result.value);
	free(p.child);
	free(p.poll);
	return rc;
}
