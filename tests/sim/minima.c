/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * minima.c - every option of the machine at its minimum, one at a time: either the machine is
 * rejected with a reason, possibly only when a kernel does not fit, or the small workload runs to
 * its end. None may hang.
 */
#include "tests/small/small.h"
#include "tests/tap.h"

#define LONG 3000000 /* cycles: the workload takes 9,000 */

struct tried {
	struct trace *t;
	unsigned ran, refused;
};

static void
try_least(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct tried *x = ctx;
	struct config *c;
	struct sim *s;
	struct err e = {0};
	enum sim_stop stop;
	char least[32];

	if (r->type != OPT_T_u32 || strcmp(g->prefix, "run") == 0 || g->live)
		return;
	c = small_config("dyncta");
	snprintf(least, sizeof(least), "%.0f", r->min);
	s = opt_set(config_db(c), key, least, &e) ? NULL : sim_new(c, x->t, &e);
	if (!s) {
		ok(e.set && e.msg[0], "%s %s is refused: %s", key, least, e.msg);
		x->refused++;
	} else {
		stop = sim_run(s, LONG, &e);
		x->ran++;
		ok(stop == SIM_DONE || (stop == SIM_FAILED && strstr(e.msg, "does not fit")),
		   "%s %s: it runs (%d %s)", key, least, (int)stop, e.msg);
		sim_free(s);
	}
	config_free(c);
}

int
main(void)
{
	struct config *c = small_config("dyncta");
	struct tried x = {.t = small_trace()};

	opt_each(config_db(c), try_least, &x);
	ok(x.ran > 50 && x.refused > 0, "%u ran, %u were refused", x.ran, x.refused);
	trace_close(x.t);
	config_free(c);
	return done();
}
