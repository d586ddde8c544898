/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bottleneck.c - see bottleneck.h.
 *
 * The parent changes the options of a part, starts a worker, which inherits them, and sets them
 * back. A worker builds its machine, runs to the end of the workload and sends its share of
 * progress now and then, and one result.
 */
#include "lab/bottleneck.h"

#include "base/output.h"
#include "base/worker.h"
#include "compat/compat.h"
#include "export/export.h"

#include <assert.h>
#include <math.h>
#include <poll.h>
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

/* ---------------------------------------------------------------- the worker */

enum { SHARE, RESULT };
struct result {
	bool done;
	cycle_t cycles;
	uint64_t insts;
	char why[200];
};

struct job {
	const struct machine *machine;
	struct channel *channel;
	struct sim *sim;
};

static void
send_message(struct channel *c, uint32_t kind, const void *p, size_t n, bool wait)
{
	channel_add(c, kind, &(struct frame_part){p, n}, 1);
	if (channel_flush(c, wait) < 0)
		_exit(1); /* the session is gone */
}

static bool
send_share(void *ctx)
{
	struct job *j = ctx;
	uint64_t done = 0, all = 0;
	double share;

	sim_progress(j->sim, &done, &all);
	share = all ? (double)done / (double)all : 0;
	send_message(j->channel, SHARE, &share, sizeof(share), false);
	return false;
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
run_worker(struct channel *c, void *ctx)
{
	struct job j = {.machine = ctx, .channel = c};
	const char *path = sim_trace(j.machine->sim)->path;
	struct result r = {.done = false};
	struct err e = {0};
	/* opened again, as the parent's trace shares its file position with the parent */
	struct trace *own = path && access(path, R_OK) == 0 ? trace_open(path, &e) : NULL;

	j.sim = sim_new(j.machine->config, own ? own : j.machine->trace, &e);
	if (j.sim) {
		sim_every_ms(j.sim, EVERY_MS, send_share, &j);
		read_result(j.sim, sim_run(j.sim, CYCLE_NEVER, &e), &r);
	}
	if (!r.done)
		snprintf(r.why, sizeof(r.why), "%.199s", e.msg);
	r.why[strcspn(r.why, "\n")] = '\0';
	send_message(c, RESULT, &r, sizeof(r), true);
	sim_free(j.sim);
	trace_close(own);
	return 0;
}

/* ---------------------------------------------------------------- the parent */

struct child {
	struct worker worker;
	struct bottleneck_run *run;
	double share;
};

static int
start_run(const struct machine *m, struct child *k, struct err *e)
{
	struct optdb *db = config_db(m->config);
	struct changed c;
	int rc = 0;

	change_part(db, k->run, &c);
	k->run->tried = !k->run->part || c.n;
	if (!k->run->tried) {
		snprintf(k->run->why, sizeof(k->run->why), "its options are at their ends");
		k->share = 1;
	} else {
		rc = worker_start(&k->worker, WORKER_QUIET, run_worker, (void *)m, e);
	}
	restore_options(db, &c);
	return rc;
}

/* Takes in what a worker has sent, and its end. */
static void
read_child(struct child *k)
{
	bool open = worker_read(&k->worker);
	struct frame f;
	struct result r;

	while (channel_next(&k->worker.channel, &f) > 0) {
		if (f.kind == SHARE && f.bytes == sizeof(k->share)) {
			memcpy(&k->share, f.body, sizeof(k->share));
		} else if (f.kind == RESULT && f.bytes == sizeof(r)) {
			memcpy(&r, f.body, sizeof(r));
			k->run->done = r.done;
			k->run->cycles = r.cycles;
			k->run->insts = r.insts;
			memcpy(k->run->why, r.why, sizeof(r.why));
		}
	}
	if (open)
		return;
	k->share = 1;
	if (!worker_reap(&k->worker, k->run->why, sizeof(k->run->why)))
		k->run->done = false;
}

static void
wait_for_children(struct child *k, unsigned n)
{
	struct pollfd p[BOTTLENECK_RUNS];
	unsigned open = 0;

	for (unsigned i = 0; i < n; i++)
		if (worker_runs(&k[i].worker))
			p[open++] = (struct pollfd){k[i].worker.channel.fd, POLLIN, 0};
	if (open)
		poll(p, open, EVERY_MS);
	for (unsigned i = 0; i < n; i++)
		if (worker_runs(&k[i].worker) && channel_has_more(&k[i].worker.channel))
			read_child(&k[i]);
}

static double
share_of_all(const struct child *k)
{
	double sum = 0;

	for (unsigned i = 0; i < BOTTLENECK_RUNS; i++)
		sum += k[i].share;
	return sum / BOTTLENECK_RUNS;
}

static unsigned
count_running(const struct child *k)
{
	unsigned n = 0;

	for (unsigned i = 0; i < BOTTLENECK_RUNS; i++)
		n += worker_runs(&k[i].worker);
	return n;
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
	const unsigned most = MAX(compat_processors(), 1);
	struct child k[BOTTLENECK_RUNS] = {{.share = 0}};
	unsigned next = 0;
	int rc = 0;

	name_runs(b);
	for (unsigned i = 0; i < BOTTLENECK_RUNS; i++) {
		k[i].run = &b->run[i];
		k[i].worker.channel.fd = -1;
	}
	while (!rc && (next < BOTTLENECK_RUNS || count_running(k))) {
		while (!rc && next < BOTTLENECK_RUNS && count_running(k) < most)
			rc = start_run(m, &k[next++], e);
		if (!rc)
			wait_for_children(k, next);
		if (!rc && lab_progress_stop(p, share_of_all(k)))
			rc = 1;
	}
	for (unsigned i = 0; i < BOTTLENECK_RUNS; i++)
		worker_end(&k[i].worker);
	return rc;
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
