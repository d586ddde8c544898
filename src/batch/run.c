/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.c - one run of a sweep: builds the machine of a point, runs the workload to its end or to a
 * limit, and stores the values of the columns. It prints nothing; errors are in the result.
 *
 * An option is decided, in this order, by the machine, by `set` and `vary`, and by the warp
 * scheduler and the parameters of the policy stack.
 */
#include "batch/batch_part.h"

#include "ctascope/trace.h"
#include "base/clock.h"
#include "base/human.h"
#include "workload/workload.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const run_status_names[RUN_STATUSES] = {"ok",	"cut",	 "limit",
						    "deadlock", "error", "crash"};

bool
run_is_good(enum run_status s)
{
	return s == RUN_OK || s == RUN_CUT;
}

bool
run_name_is_good(const char *status)
{
	return strcmp(status, run_status_names[RUN_OK]) == 0 ||
	       strcmp(status, run_status_names[RUN_CUT]) == 0;
}

struct config *
run_config(const struct spec *s, const struct point *p, struct err *e)
{
	struct config *c = config_new();
	char path[PATH_MAX];
	int rc;

	if (!c) {
		err_nomem(e);
		return NULL;
	}
	spec_file(s, p->key[DIM_MACHINE], path, sizeof(path));
	rc = config_machine(c, path, e);
	for (unsigned i = 0; rc == 0 && i < s->options.n; i++)
		if (p->key[DIMS + i][0])
			rc = opt_set(config_db(c), s->options.w[i].text, p->key[DIMS + i], e);
	if (rc == 0)
		rc = config_wsched(c, p->key[DIM_WSCHED], e);
	if (rc == 0)
		rc = config_policy(c, p->key[DIM_POLICY], e);
	if (rc) {
		config_free(c);
		return NULL;
	}
	return c;
}

struct trace *
run_trace(const struct spec *s, const struct point *p, struct err *e)
{
	const char *name = p->key[DIM_WORKLOAD];
	char path[PATH_MAX];
	int rc = 0;

	if (strchr(name, '/'))
		spec_file(s, name, path, sizeof(path));
	else
		rc = workload_find(name, path, sizeof(path), e);
	if (rc > 0)
		err_set(e, "%.60s is not recorded", name);
	if (rc)
		return NULL;
	return trace_open(path, e);
}

struct watch {
	const struct run_teller *tell;
	struct sim *sim;
	double end, told; /* end 0: no limit */
};

static bool
now_and_then(void *ctx)
{
	struct watch *w = ctx;
	double now = clock_seconds();
	uint64_t done, all;

	if (w->tell->fn && now - w->told >= 0.5) {
		sim_progress(w->sim, &done, &all);
		w->tell->fn(w->tell->ctx, all ? (double)done / (double)all : 0);
		w->told = now;
	}
	return w->end > 0 && now >= w->end;
}

static void
run_sim(const struct spec *s, struct sim *sim, const struct run_teller *tell, struct result *r)
{
	struct watch w = {.tell = tell, .sim = sim, .told = clock_seconds()};
	struct err e = {0};
	enum sim_stop why;
	char at[HUMAN], limit[HUMAN];

	if (s->max_seconds)
		w.end = w.told + (double)s->max_seconds;
	sim_every_ms(sim, 100, now_and_then, &w);
	why = sim_run(sim, s->max_cycles ? s->max_cycles : CYCLE_NEVER, &e);
	if (why == SIM_DONE)
		return;
	if (why == SIM_LIMIT) {
		char value[64] = "";

		opt_get(config_db_const(sim_config(sim)), "run.max_thread_insts", value,
			sizeof(value), NULL);
		r->status = RUN_CUT;
		snprintf(r->error, sizeof(r->error), "run.max_thread_insts %s reached at cycle %s",
			 value, human(at, sim_cycle(sim)));
		return;
	}
	r->status = why == SIM_DEADLOCK ? RUN_DEADLOCK : why == SIM_FAILED ? RUN_ERROR : RUN_LIMIT;
	if (why == SIM_DEADLOCK || why == SIM_FAILED)
		err_format(&e, "", r->error, sizeof(r->error));
	else if (why == SIM_REACHED)
		snprintf(r->error, sizeof(r->error), "limit of %s cycles reached",
			 human(limit, s->max_cycles));
	else
		snprintf(r->error, sizeof(r->error), "limit of %s s reached at cycle %s",
			 human(limit, s->max_seconds), human(at, sim_cycle(sim)));
}

void
run_point(const struct spec *s, const struct point *p, const struct columns *k,
	  const struct run_teller *tell, struct result *r)
{
	struct err e = {0};
	struct config *c = run_config(s, p, &e);
	struct trace *t = c ? run_trace(s, p, &e) : NULL;
	struct sim *sim = t ? sim_new(c, t, &e) : NULL;

	r->status = RUN_OK;
	r->error[0] = '\0';
	for (unsigned i = 0; i < k->n; i++)
		r->value[i] = NAN;
	if (sim) {
		run_sim(s, sim, tell, r);
		if (run_is_good(r->status) && columns_values(k, sim, r->value, &e))
			r->status = RUN_ERROR;
	} else {
		r->status = RUN_ERROR;
	}
	if (e.set)
		err_format(&e, "", r->error, sizeof(r->error));
	/* further lines, such as a caret, are useless in a table */
	r->error[strcspn(r->error, "\n")] = '\0';
	sim_free(sim);
	trace_close(t);
	config_free(c);
}
