/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference_worker.c - the worker that measures a reference run (reference.h).
 */
#include "lab/reference.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EVERY_MS 100

struct measure {
	struct reference *reference;
	const struct machine *machine;
	struct channel *channel;
	unsigned at;
	struct sim *sim;
	/* of this run: samples that were sent, and instructions done at the last of them */
	unsigned sent;
	uint64_t generation;
	double insts;
};

/* ---------------------------------------------------------------- messages */

/* True: everything was sent. */
static bool
flush_messages(struct measure *m, bool wait)
{
	int rc = channel_flush(m->channel, wait);

	if (rc < 0)
		_exit(1); /* the session is gone */
	return rc > 0;
}

static uint64_t
insts_done(const struct sim *sim)
{
	uint64_t id;

	return sim_path(sim, "gpu.thread_insts", &id, NULL) == 1 ? (uint64_t)sim_value(sim, id, 0)
								 : 0;
}

/* Collects the samples closed since the last message, or all when samples were merged meanwhile. */
static unsigned
collect_points(struct measure *m, struct reference_message *msg, struct reference_point *to)
{
	unsigned n = series_count(m->sim), k = 0;

	msg->anew = m->generation != series_generation(m->sim) || n < m->sent;
	if (msg->anew) {
		m->sent = 0;
		m->insts = 0;
	}
	m->generation = series_generation(m->sim);
	for (; m->sent < n; m->sent++) {
		m->insts +=
			series_gpu(m->sim, SG_IPC, m->sent) * (double)series_span(m->sim, m->sent);
		to[k++] = (struct reference_point){series_end(m->sim, m->sent),
						   (uint64_t)(m->insts + 0.5)};
	}
	return k;
}

static void
send_state(struct measure *m, enum reference_state state, const char *why)
{
	struct reference_message msg = {.state = state};
	unsigned most = m->sim ? series_count(m->sim) : 0;
	struct reference_point *to;
	uint64_t done = 0, all = 0;

	if (!flush_messages(m, state != REF_RUNS))
		return;
	to = malloc((most + 1) * sizeof(*to));
	if (!to)
		_exit(1);
	if (m->sim) {
		msg.n = collect_points(m, &msg, to);
		sim_progress(m->sim, &done, &all);
		msg.cycles = sim_cycle(m->sim);
		msg.insts = insts_done(m->sim);
	}
	msg.share = all ? (double)done / (double)all : 0;
	snprintf(msg.why, sizeof(msg.why), "%s", why);
	channel_add(m->channel, 0,
		    (struct frame_part[]){{&msg, sizeof(msg)}, {to, msg.n * sizeof(*to)}}, 2);
	free(to);
	flush_messages(m, state != REF_RUNS);
}

static bool
send_progress(void *ctx)
{
	send_state(ctx, REF_RUNS, "");
	return false;
}

/* ---------------------------------------------------------------- measuring */

static struct sim *
build_machine(struct measure *m, struct trace **own, struct err *e)
{
	const struct machine *of = m->machine;
	const char *path = sim_trace(of->sim)->path;

	/* Open the trace again, as the parent's shares its file position with the parent. */
	*own = path && access(path, R_OK) == 0 ? trace_open(path, e) : NULL;
	if (config_policy(of->config, m->reference->run[m->at].name, e))
		return NULL;
	return sim_new(of->config, *own ? *own : of->trace, e);
}

void
reference_measure(struct reference *r, unsigned run, cycle_t most, const struct machine *machine,
		  struct channel *c)
{
	struct measure m = {.reference = r,
			    .machine = machine,
			    .channel = c,
			    .at = run,
			    .generation = UINT64_MAX};
	char why[sizeof(((struct reference_message *)0)->why)] = "";
	enum reference_state state = REF_FAILED;
	struct trace *own = NULL;
	struct err e = {0};

	m.sim = build_machine(&m, &own, &e);
	if (m.sim) {
		send_state(&m, REF_RUNS, "");
		sim_every_ms(m.sim, EVERY_MS, send_progress, &m);
		switch (sim_run(m.sim, most, &e)) {
		case SIM_DONE:
		case SIM_LIMIT: /* of instructions: the same work for all runs */
			state = REF_DONE;
			break;
		case SIM_REACHED:
			state = REF_CUT;
			break;
		default:
			break;
		}
	}
	if (state == REF_FAILED) {
		snprintf(why, sizeof(why), "%.199s", e.msg);
		why[strcspn(why, "\n")] = '\0';
	}
	send_state(&m, state, why);
	sim_free(m.sim);
	trace_close(own);
}
