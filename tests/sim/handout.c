/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * handout.c - the order in which cores get their first CTAs, with and without GPCs, against orders
 * worked out by hand (ctascope-model(7) 2.4).
 */
#include "tests/tap.h"
#include "tests/sim/model.h"

struct log {
	char cores[200];
	unsigned n, most;
	struct sim *s;
};

static void
note_core(void *ctx, const struct event *ev)
{
	struct log *l = ctx;
	size_t n = strlen(l->cores);

	if (l->n == l->most)
		return;
	snprintf(l->cores + n, sizeof(l->cores) - n, "%s%d", l->n ? " " : "", ev->core);
	if (++l->n == l->most)
		sim_request_stop(l->s);
}

/* The cores that take the first CTAs: as many as there are cores, and one more. */
static void
takes(struct trace *t, unsigned clusters, unsigned per_cluster, unsigned gpcs, const char *order)
{
	struct config *c = model_config("kayiran30", "rr");
	struct log l = {.most = clusters * per_cluster + 1};
	struct err e = {0};

	model_set_u(c, "gpu.clusters", clusters);
	model_set_u(c, "gpu.cores_per_cluster", per_cluster);
	model_set_u(c, "gpu.gpcs", gpcs);
	l.s = model_sim(c, t);
	sim_listen(l.s, EV_BIT(EV_CTA_ISSUE), note_core, &l);
	sim_run(l.s, 1000, &e);
	is_str(l.cores, order, "%u clusters of %u cores, %u GPCs", clusters, per_cluster, gpcs);
	sim_free(l.s);
	config_free(c);
}

int
main(void)
{
	struct trace *t = model_reference("alu1-120x256");

	takes(t, 8, 1, 1, "0 1 2 3 4 5 6 7 0");
	takes(t, 8, 1, 2, "0 4 2 6 1 5 3 7 0");	  /* TPCs 0 1, 2 3 and 4 5, 6 7 */
	takes(t, 8, 1, 4, "0 2 4 6 1 3 5 7 0");	  /* a TPC each */
	takes(t, 5, 1, 2, "0 2 4 1 3 0");	  /* TPC 0 1 and 2 3, 4 */
	takes(t, 7, 1, 3, "0 2 4 6 1 3 5 0");	  /* 0 1 and 2 3 and 4 5, 6 */
	takes(t, 4, 2, 1, "0 2 4 6 1 3 5 7 0");	  /* clusters in turn */
	takes(t, 4, 2, 2, "0 4 2 6 1 5 3 7 0");	  /* a cluster is a TPC */
	takes(t, 3, 3, 2, "0 3 6 1 4 7 2 5 8 0"); /* cluster 0 and 1, 2 */
	takes(t, 4, 1, 100, "0 2 1 3 0");	  /* most GPCs are empty */
	trace_close(t);
	return done();
}
