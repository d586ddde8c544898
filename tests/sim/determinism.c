/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * determinism.c - runs the model on the small machine and prints the results as text: for each
 * stack of policies the cycles, the digest at some cycles on the way and at the end, and a hash of
 * all values and samples. determinism.t compares the text over many builds and environments.
 */
#include "base/hash.h"
#include "tests/small/small.h"

#include <inttypes.h>
#include <locale.h>
#include <string.h>

static const char *const stacks[] = {
	"rr",
	"static:n=2",
	"dyncta+claso",
	"dyncta:pause=hold,cmem=raw",
	"dyncta:pause=mem",
	"dyncore:period=128,off=2,wake=90",
	"tcs:mon_cycle=64,monitor=200,thr=1",
	"htcs:mon_cycle=64,monitor=200,thr=1+claso:pa=2",
	"onac:waves=1,loss=0.1",
	"seqdet:waves=1,loss=0.3",
	"claso:pa=2,pl=1",
};

/* Those of them that are run with several kernels at once. */
static const char *const concurrent_stacks[] = {"rr", "dyncta+claso"};

struct sums {
	const struct sim *s;
	uint64_t h;
};

static void
add(struct sums *x, double v)
{
	char text[40];

	snprintf(text, sizeof(text), "%.17g", v);
	x->h = hash64(text, strlen(text), x->h);
}

static void
add_path(void *ctx, const char *path, const char *unit, const char *help)
{
	struct sums *x = ctx;
	uint64_t id;
	int n = sim_path(x->s, path, &id, NULL);

	(void)unit, (void)help;
	if (strncmp(path, "sim.", 4) == 0) /* by the clock on the wall */
		return;
	for (int i = 0; i < n; i++)
		add(x, sim_value(x->s, id, (unsigned)i));
}

static uint64_t
all_values(const struct sim *s)
{
	struct sums x = {s, 0};

	sim_each_path(s, add_path, &x);
	for (unsigned i = 0; i < series_count(s); i++) {
		for (unsigned f = 0; f < SC_FIELDS; f++)
			for (unsigned c = 0; c < SMALL_CORES; c++)
				add(&x, series_core(s, (enum series_core_field)f, c, i));
		for (unsigned f = 0; f < SG_FIELDS; f++)
			add(&x, series_gpu(s, (enum series_gpu_field)f, i));
	}
	return x.h;
}

/* kernels: how many run at once */
static void
run(const char *stack, struct trace *t, const char *kernels)
{
	struct config *c = small_config(stack);
	struct err e = {0};
	struct sim *s;

	if (opt_set(config_db(c), "gpu.concurrent_kernels", kernels, &e) < 0 ||
	    !(s = sim_new(c, t, &e)))
		small_die(stack, &e);
	printf("%s, %s at once:", stack, kernels);
	for (cycle_t at = 500; at <= 2000; at += 500) {
		sim_run(s, at, &e);
		printf(" %016" PRIx64, sim_digest(s));
	}
	if (sim_run(s, CYCLE_NEVER, &e) != SIM_DONE)
		small_die(stack, &e);
	printf(" end %" PRIu64 " %016" PRIx64 " values %016" PRIx64 "\n", sim_cycle(s),
	       sim_digest(s), all_values(s));
	sim_free(s);
	config_free(c);
}

int
main(void)
{
	struct trace *t;

	setlocale(LC_ALL, ""); /* as src/main.c */
	setlocale(LC_NUMERIC, "C");
	t = small_trace();
	for (unsigned i = 0; i < ARRAY_LEN(stacks); i++)
		run(stacks[i], t, "1");
	trace_close(t);
	t = small_streams();
	for (unsigned i = 0; i < ARRAY_LEN(concurrent_stacks); i++)
		run(concurrent_stacks[i], t, "3");
	trace_close(t);
	return 0;
}
