/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * conservation.c - nothing is lost: everything that entered a unit has left it when a run ends.
 *
 * Runs the reference trace on every machine (a third of its CTAs; fewer with FAST=1), under rr and
 * dyncta+claso, with the machine's warp scheduler, and with tl and owl.
 */
#include "core/core_part.h"
#include "sim/sim_priv.h"
#include "tests/tap.h"
#include "tests/sim/model.h"

/* Returns the kinds of the requests still in flight, one bit each: all that are not on the free
 * list. */
static unsigned
kinds_in_flight(const struct sim *s, unsigned *n)
{
	unsigned kinds = 0;

	*n = 0;
	for (const struct req_pool *p = s->pool; p < s->pool + POOL_L2; p++) {
		bool *is_free = calloc(p->high + 1, 1);

		for (uint32_t i = p->free; i != REQ_NONE; i = s->req[i].next)
			is_free[i] = true;
		for (uint32_t i = p->first; i < p->high; i++)
			if (!is_free[i]) {
				kinds |= 1u << s->req[i].kind;
				++*n;
			}
		free(is_free);
	}
	return kinds;
}

static bool
classes_sum_up(const struct sim *s)
{
	for (unsigned c = 0; c < sim_instances(s, "core"); c++) {
		struct core_view v;
		uint64_t sum = 0;

		sim_core_view(s, c, &v);
		for (unsigned k = 0; k < CC_CLASSES; k++)
			sum += v.class_cycles[k];
		if (sum != sim_cycle(s)) {
			diag("core %u: %" PRIu64 " of %" PRIu64 " cycles are of some class", c, sum,
			     sim_cycle(s));
			return false;
		}
	}
	return true;
}

static double
all(const struct sim *s, const char *format, const char *group)
{
	double sum = 0;

	for (unsigned i = 0; i < sim_instances(s, group); i++) {
		char path[64];

		snprintf(path, sizeof(path), format, i);
		sum += model_value(s, path);
	}
	return sum;
}

static bool
queues_are_empty(const struct sim *s)
{
	for (unsigned i = 0; i < s->n_cores; i++) {
		for (unsigned k = 0; k < L1_KINDS; k++)
			if (s->core[i].ldst.mshr[k].state->used)
				return false;
		if (s->core[i].l1i_mshr->state->used || s->core[i].core->flights ||
		    s->core[i].core->live || s->resp[i]->n)
			return false;
	}
	return !s->request.net->out_mask[0] && !s->reply.net->out_mask[0] &&
	       !s->reply.net->out_mask[1] && !net_busy(&s->reply) && !net_busy(&s->request);
}

/* reply: the value of noc.reply; NULL: the machine's. */
static void
check(struct trace *t, const char *trace, const char *machine, const char *policy,
      const char *wsched, const char *reply)
{
	struct config *c = model_config(machine, policy);
	const struct trace_kernel *k;
	struct err e = {0};
	struct sim *s;
	char what[128];
	unsigned n, kinds;
	double atoms;

	if (wsched)
		config_wsched(c, wsched, NULL);
	if (reply && opt_set(config_db(c), "noc.reply", reply, &e) < 0)
		model_die(reply, &e);
	s = model_sim(c, t);
	k = &sim_trace(s)->kernel[0];
	snprintf(what, sizeof(what), "%s on %s, %s, %s%s%s", trace, machine, policy,
		 config_wsched_name(c), reply ? ", noc.reply " : "", reply ? reply : "");
	ok(model_run(s), "%s: ends", what);
	ok(model_value(s, "gpu.ctas_issued") == (double)k->n_cta &&
		   model_value(s, "gpu.ctas_done") == (double)k->n_cta,
	   "%s: CTAs issued = done = %" PRIu64, what, k->n_cta);
	ok(model_value(s, "gpu.warp_insts") == (double)k->warp_insts &&
		   model_value(s, "gpu.thread_insts") == (double)k->thread_insts,
	   "%s: every instruction was issued once", what);
	ok(model_value(s, "noc.sent") == model_value(s, "noc.replies"),
	   "%s: sectors asked for = answered, %.0f", what, model_value(s, "noc.sent"));
	ok(model_value(s, "noc.stores") == model_value(s, "noc.acks"),
	   "%s: sectors stored = acknowledged, %.0f", what, model_value(s, "noc.stores"));
	ok(classes_sum_up(s), "%s: the cycle classes of every core sum to all cycles", what);
	kinds = kinds_in_flight(s, &n);
	ok(!(kinds & ~(1u << REQ_WRBK)) && n == model_value(s, "gpu.requests"),
	   "%s: %u requests in flight, all of them write-backs", what, n);
	ok(queues_are_empty(s), "%s: miss registers, pipes and networks are empty", what);
	ok(all(s, "core.%u.l1_accesses", "core") == model_value(s, "l1.accesses") &&
		   all(s, "l2.%u.accesses", "l2") == model_value(s, "l2.accesses") &&
		   all(s, "mem.%u.reads", "mem") == model_value(s, "dram.reads"),
	   "%s: parts sum to totals", what);
	/* every sector that was looked up came over the network */
	ok(model_value(s, "l2.accesses") ==
		   model_value(s, "noc.sent") + model_value(s, "noc.stores"),
	   "%s: L2 looked up what the cores sent, %.0f sectors", what,
	   model_value(s, "l2.accesses"));
	atoms = (double)((SECTOR + model_get(c, "mem.atom") - 1) / model_get(c, "mem.atom"));
	ok(fmod(model_value(s, "dram.reads"), atoms) == 0 &&
		   model_value(s, "dram.reads") / atoms <= model_value(s, "l2.misses"),
	   "%s: DRAM read whole sectors, none without an L2 miss", what);
	sim_free(s);
	config_free(c);
}

int
main(void)
{
	for (unsigned i = 0; i < N_MODEL_TRACES; i++) {
		struct trace *whole = model_reference(model_traces[i]);
		struct trace *t = model_shorter(whole, model_fast() ? 8 : 40, UINT32_MAX);

		for (unsigned m = 0; m < N_MODEL_MACHINES; m++) {
			/* a CTA for each of its cores */
			bool big = !strcmp(model_machines[m], "mesh110");

			if (!model_runs(i, m))
				continue;
			check(big ? whole : t, model_traces[i], model_machines[m], "rr", NULL,
			      NULL);
			check(big ? whole : t, model_traces[i], model_machines[m], "dyncta+claso",
			      NULL, NULL);
			check(t, model_traces[i], model_machines[m], "rr", "tl", NULL);
			check(t, model_traces[i], model_machines[m], "dyncta:period=512", "owl",
			      NULL);
		}
		check(t, model_traces[i], "kayiran30", "dyncta", NULL, "line");
		check(t, model_traces[i], "tcs28", "rr", NULL, "line");
		trace_close(whole);
		trace_close(t);
	}
	return done();
}
