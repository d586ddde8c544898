/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * racer.c - the process of a lane: a machine that runs to the cycles that the parent sends.
 *
 * A lane is a machine copy. That of a stack begins at cycle 0 and opens the trace itself; that of a
 * branch is inherited from the parent by fork, and reports only what happens after the branches
 * part. The process writes only to its parent, and ends when the parent ends, even during a run.
 */
#include "lab/race_part.h"

#include "base/signals.h"
#include "export/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SENT_AT (32u << 10) /* bytes: an answer is sent in pieces of this size */

struct racer {
	struct channel *channel;
	struct machine_copy *copy;
	struct sim *sim;    /* the copy's */
	cycle_t sent_until; /* end of the last sample that was sent */
	cycle_t max_cycles; /* run.max_cycles of a stack, or CYCLE_NEVER */
	float *core;	    /* of one sample */
	uint64_t path[RACE_NUMBERS];
	bool has[RACE_NUMBERS];
};

/* Errors are ignored: when the parent is gone, read_go() fails. */
static void
send_some(struct racer *c, bool all)
{
	if (all || c->channel->out.n >= SENT_AT)
		channel_flush(c->channel, true);
}

static void
send_failure(struct racer *c, const struct err *e)
{
	char text[400];

	err_format(e, "", text, sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	channel_add(c->channel, WIRE_FAIL, &(struct frame_part){text, strlen(text)}, 1);
	send_some(c, true);
}

/* ---------------------------------------------------------------- messages */

static void
on_event(void *ctx, const struct event *ev)
{
	struct racer *c = ctx;
	struct decision d;
	char text[400];

	if (!decision_read(c->sim, ev, &d))
		return;
	sim_event_text(c->sim, ev, text, sizeof(text));
	channel_add(c->channel, WIRE_DECISION,
		    (struct frame_part[]){{&d, sizeof(d)}, {text, strlen(text)}}, 2);
	send_some(c, false);
}

/* Writes the values of a core in a sample; returns the end. */
static float *
read_core(const struct sim *s, unsigned core, unsigned sample, float *to)
{
	for (unsigned f = 0; f < RACE_SERIES; f++)
		to[f] = (float)series_core(s, race_series[f], core, sample);
	to[RACE_RACT_WEIGHT] = (float)series_core_weight(s, SC_RACT, core, sample);
	to[RACE_L1_WEIGHT] = (float)series_core_weight(s, SC_L1_MISS, core, sample);
	return to + RACE_FIELDS;
}

/* Sends the samples that ended since the last answer. The machine merges neighbours when it has
 * many, so a sample may have been sent in part; then the rest of it is sent. */
static void
send_samples(struct racer *c)
{
	const struct sim *s = c->sim;
	unsigned n = series_count(s), cores = sim_instances(s, "core"), i = n;

	while (i > 0 && series_end(s, i - 1) > c->sent_until)
		i--;
	for (; i < n; i++) {
		struct race_sample at = {.end = series_end(s, i),
					 .span = MIN(series_span(s, i),
						     series_end(s, i) - c->sent_until),
					 .ipc = series_gpu(s, SG_IPC, i)};
		float *to = c->core;

		for (unsigned k = 0; k < cores; k++)
			to = read_core(s, k, i, to);
		channel_add(c->channel, WIRE_SAMPLE,
			    (struct frame_part[]){{&at, sizeof(at)},
						  {c->core, cores * RACE_FIELDS * sizeof(float)}},
			    2);
		send_some(c, false);
		c->sent_until = at.end;
	}
}

static void
send_here(struct racer *c, enum lane_state ended, const char *why)
{
	struct wire_here h = {.cycle = sim_cycle(c->sim),
			      .ended = ended,
			      .kernel = sim_kernels_started(c->sim)};

	for (unsigned i = 0; i < RACE_NUMBERS; i++)
		h.number[i] = c->has[i] ? export_get(c->sim, c->path[i], 0) : (double)NAN;
	snprintf(h.why, sizeof(h.why), "%s", why);
	channel_add(c->channel, WIRE_HERE, &(struct frame_part){&h, sizeof(h)}, 1);
}

static void
send_hello(struct racer *c)
{
	const struct trace_info *t = sim_trace(c->sim);
	struct wire_hello h = {.cores = sim_instances(c->sim, "core")};
	uint64_t done;
	cycle_t passed;
	char text[64] = "";

	for (uint32_t i = 0; i < t->n_cmds; i++) {
		const struct trace_kernel *k = &t->kernel[t->cmd[i].kernel];

		if (t->cmd[i].kind != TRACE_KERNEL)
			continue;
		h.kernels++;
		h.ctas += (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
	}
	sim_progress(c->sim, &done, &h.work);
	h.period = sim_period(c->sim, &passed);
	opt_get(config_db_const(sim_config(c->sim)), "run.sample", text, sizeof(text), NULL);
	h.sample = strtoull(text, NULL, 10);
	channel_add(c->channel, WIRE_HELLO, &(struct frame_part){&h, sizeof(h)}, 1);
}

/* ---------------------------------------------------------------- running */

/* The parent closed its end: it has ended, or it ended the race. */
static bool
parent_is_gone(void *ctx)
{
	return channel_is_alone(((struct racer *)ctx)->channel);
}

static int
format_limit(const struct racer *c, const char *key, char *buf, size_t size)
{
	char value[64] = "", cycle[HUMAN];

	opt_get(config_db_const(sim_config(c->sim)), key, value, sizeof(value), NULL);
	return snprintf(buf, size, "%s %s reached, cycle %s", key, value,
			human(cycle, sim_cycle(c->sim)));
}

/* Runs to the cycle of a GO and answers. -1: the lane ends. */
static int
answer_go(struct racer *c, const struct wire_go *go)
{
	cycle_t until = MIN(go->until, c->max_cycles);
	uint64_t listen = go->decisions == DECISIONS_AND_CTAS	 ? DECISION_KINDS
			  : go->decisions == DECISIONS_OF_POLICY ? DECISION_KINDS_POLICY
								 : 0;
	char why[200] = "";
	enum lane_state ended = LANE_WAITS;
	enum sim_stop stop;

	sim_listen(c->sim, listen, listen ? on_event : NULL, c);
	stop = copy_run(c->copy, until);
	if (stop == SIM_INTERRUPTED)
		return -1;
	if (stop == SIM_DEADLOCK || stop == SIM_FAILED) {
		send_samples(c);
		if (stop == SIM_DEADLOCK)
			send_here(c, LANE_FAILED, "");
		send_failure(c, &c->copy->why);
		return -1;
	}
	if (stop == SIM_DONE) {
		ended = LANE_DONE;
	} else if (stop == SIM_LIMIT || sim_cycle(c->sim) >= c->max_cycles) {
		ended = LANE_CUT;
		format_limit(c, stop == SIM_LIMIT ? "run.max_thread_insts" : "run.max_cycles", why,
			     sizeof(why));
	}
	send_samples(c);
	send_here(c, ended, why);
	return channel_flush(c->channel, true) > 0 ? 0 : -1;
}

static int
build_stack(struct racer *c, const struct racer_job *job, struct err *e)
{
	struct trace *t;
	char text[64] = "";
	uint64_t most;

	if (race_configure(job->config, job->stack, e))
		return -1;
	t = trace_open(job->path, e);
	c->copy = t ? copy_new(job->config, t, e) : NULL;
	if (!c->copy)
		return -1;
	opt_get(config_db(job->config), "run.max_cycles", text, sizeof(text), NULL);
	most = strtoull(text, NULL, 10);
	c->max_cycles = most ? most : CYCLE_NEVER;
	return 0;
}

static int
prepare_lane(struct racer *c, const struct racer_job *job, struct err *e)
{
	c->copy = job->copy;
	c->max_cycles = CYCLE_NEVER;
	if (!c->copy && build_stack(c, job, e))
		return -1;
	c->sim = c->copy->sim;
	c->sent_until = sim_cycle(c->sim);
	c->core = calloc(sim_instances(c->sim, "core") * RACE_FIELDS + 1, sizeof(float));
	if (!c->core)
		return err_nomem(e);
	for (unsigned i = 0; i < RACE_NUMBERS; i++)
		c->has[i] = export_resolve(c->sim, race_numbers[i].path, &c->path[i], NULL) == 1;
	return 0;
}

/* Waits for a GO. -1: the parent is gone, or sent something else. */
static int
read_go(struct racer *c, struct wire_go *go)
{
	struct frame f;

	if (channel_wait(c->channel, &f) || f.kind != WIRE_GO || f.bytes != sizeof(*go))
		return -1;
	memcpy(go, f.body, sizeof(*go));
	return 0;
}

int
racer_main(struct channel *channel, const struct racer_job *job)
{
	struct racer c = {.channel = channel};
	struct wire_go go;
	struct err e = {0};

	if (prepare_lane(&c, job, &e)) {
		send_failure(&c, &e);
		return 1;
	}
	sim_every_ms(c.sim, 100, parent_is_gone, &c);
	send_hello(&c);
	if (channel_flush(channel, true) < 0)
		return 1;
	while (read_go(&c, &go) == 0 && answer_go(&c, &go) == 0)
		;
	return 0;
}
