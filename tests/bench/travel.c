/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * travel.c - measures the cost of going back in time: processor time and memory.
 *
 *     travel [TRACE...]
 *
 * Each trace runs to its end under dyncta+claso, as at the prompt, with automatic snapshots. Then,
 * from its end: a step of one cycle back and nine more, at twenty places (median, 99th percentile,
 * maximum); a jump over a million cycles and over ten million; reverse-continue over as many, to a
 * stop at a cycle; who changed the limit of core 0; a fork; a change in the past. "-": the run is
 * shorter than that. Then the snapshots and their memory, and how much they slowed the run. Last
 * the MiB that 20 branches add, from all over the run and each run on by 10,000 cycles: of
 * snapshots, and of the process. Without an argument it uses traces that `make` records: three on
 * the default machine, and one, which is long, on a cluster of it. Nothing is judged here.
 */
#include "tests/bench/measure.h"
#include "tests/sim/model.h"

#include "timeline/timeline.h"

#include <inttypes.h>

#define PLACES 20
#define STEPS 10
#define FORKS 20
#define FORKED 10000 /* cycles that each is run on */

struct bench {
	struct sim *sim;
	struct debug *d;
	struct timeline *tl;
	cycle_t end;
};

/* Runs to the end; returns ms. */
static double
run(struct bench *b, bool keep)
{
	struct debug_goal g = {.until = CYCLE_NEVER};
	struct debug_result r;
	double from = cpu_ms();

	timeline_set_options(b->tl,
			     &(struct timeline_options){.memory = (size_t)1 << 30, .keep = keep});
	debug_run(b->d, &g, &r, NULL);
	b->end = sim_cycle(b->sim);
	return cpu_ms() - from;
}

static void
begin(struct bench *b, const struct config *c, struct trace *t)
{
	b->sim = model_sim(c, t);
	b->d = debug_new();
	debug_attach(b->d, b->sim, NULL);
	b->tl = timeline_new(b->d);
	timeline_begin(b->tl, b->sim, NULL);
}

static void
finish(struct bench *b)
{
	timeline_free(b->tl);
	debug_free(b->d);
	sim_free(b->sim);
}

static double
go(struct bench *b, cycle_t cycle)
{
	double from = cpu_ms();

	timeline_goto(b->tl, (struct place){timeline_here(b->tl).branch, cycle}, NULL);
	return cpu_ms() - from;
}

static void
steps(struct bench *b)
{
	double ms[PLACES * STEPS];
	unsigned n = 0;

	for (unsigned p = 0; p < PLACES; p++) {
		cycle_t at = b->end - b->end / (2 * PLACES) * (p * 7 % PLACES);

		if (p)
			go(b, at);
		for (unsigned k = 0; k < STEPS; k++)
			ms[n++] = go(b, sim_cycle(b->sim) - 1);
	}
	go(b, b->end);
	sort_numbers(ms, n);
	printf(" %6.1f %6.1f %6.1f", ms[n / 2], ms[n * 99 / 100], ms[n - 1]);
}

static double
back(struct bench *b)
{
	struct debug_goal g = {.until = CYCLE_NEVER};
	struct debug_result r;
	double from = cpu_ms();

	timeline_back(b->tl, &g, &r, NULL);
	return cpu_ms() - from;
}

static void
show(bool known, double ms)
{
	if (known)
		printf(" %7.0f", ms);
	else
		printf(" %7s", "-");
}

static void
over(struct bench *b, cycle_t cycles)
{
	bool far = b->end > cycles;
	char stop[40];
	double jump = 0, reverse = 0;

	if (far) {
		jump = go(b, b->end - cycles);
		go(b, b->end);
		snprintf(stop, sizeof(stop), "%" PRIu64, b->end - cycles);
		debug_stop_add(b->d, STOP_EVENT, false, stop, NULL);
		reverse = back(b);
		debug_stop_delete(b->d, 0);
		go(b, b->end);
	}
	show(far, jump);
	show(far, reverse);
}

/* Makes branches from all over the run, each with another value, and runs each on a little:
 * measures the memory of their snapshots, and of the process. */
static void
forks(struct bench *b)
{
	struct timeline_state was, is;
	double resident = resident_mib();
	unsigned root = timeline_branch_find(b->tl, "main", NULL)->id;
	char value[16];

	timeline_state(b->tl, &was);
	for (unsigned i = 1; i <= FORKS; i++) {
		struct debug_goal g = {.until = b->end * i / (FORKS + 1)};
		struct debug_result r;

		timeline_goto(b->tl, (struct place){root, g.until}, NULL);
		timeline_fork(b->tl, "", NULL);
		snprintf(value, sizeof(value), "%u", 100 + i);
		timeline_choose(b->tl, CHOICE_OPTION, "dyncta.t_mem_h", value, NULL, 0, NULL);
		g.until += FORKED;
		debug_run(b->d, &g, &r, NULL);
	}
	timeline_state(b->tl, &is);
	printf(" %6.1f %6.1f", ((double)is.bytes - (double)was.bytes) / 1048576,
	       resident_mib() - resident);
}

static void
measure(const char *path, const char *clusters)
{
	struct config *c = model_config("kayiran30", "dyncta+claso");
	struct trace *t = model_open(path);
	const char *name = strrchr(path, '/');
	struct timeline_state v;
	struct bench b;
	double plain, kept, ms, looked;
	cycle_t changed;

	if (clusters)
		model_set(c, "gpu.clusters", clusters);
	begin(&b, c, t);
	plain = run(&b, false);
	finish(&b);
	begin(&b, c, t);
	kept = run(&b, true);
	printf("%-9.9s %10" PRIu64, name ? name + 1 : path, b.end);
	steps(&b);
	over(&b, 1000000);
	over(&b, 10000000);
	debug_stop_add(b.d, STOP_WATCH, false, "core.0.n", NULL);
	looked = back(&b);
	changed = b.end - sim_cycle(b.sim);
	debug_stop_delete(b.d, 0);
	ms = cpu_ms();
	timeline_fork(b.tl, "", NULL);
	printf(" %7.0f %9" PRIu64 " %6.2f", looked, changed, cpu_ms() - ms);
	go(&b, b.end / 3);
	ms = cpu_ms();
	timeline_choose(b.tl, CHOICE_OPTION, "dyncta.t_mem_h", "300", NULL, 0, NULL);
	timeline_state(b.tl, &v);
	printf(" %6.2f %5u %5zu %5.1f", cpu_ms() - ms, v.snapshots, v.bytes >> 20,
	       100 * (kept / plain - 1));
	forks(&b);
	putchar('\n');
	fflush(stdout);
	finish(&b);
	trace_close(t);
	config_free(c);
}

int
main(int argc, char **argv)
{
	static const char *const apps[] = {"km", "bfs", "mum", "pvc"};
	const char *build = getenv("builddir");
	char path[4096];

	printf("time travel, ms of processor time; over: a jump, then reverse-continue; who: "
	       "changed "
	       "core.0.n, and how many cycles back that was\n"
	       "%-9s %10s %6s %6s %6s %15s %15s %17s %6s %6s %5s %5s %5s %13s\n"
	       "%-9s %10s %6s %6s %6s %7s %7s %7s %7s %7s %9s %6s %6s %5s %5s %5s %6s %6s\n",
	       "", "", "step", "back", "", "over 1 M cycles", "over 10 M", "who changed", "", "",
	       "snap-", "", "run +", "20 forks, MiB", "trace", "cycles", "p50", "p99", "most",
	       "jump", "reverse", "jump", "reverse", "ms", "cycles", "fork", "change", "shots",
	       "MiB", "%", "kept", "all");
	for (int i = 1; i < argc; i++)
		measure(argv[i], NULL);
	for (unsigned i = 0; argc < 2 && i < ARRAY_LEN(apps); i++) {
		snprintf(path, sizeof(path), "%s/traces/short/%s.ctr", build ? build : ".",
			 apps[i]);
		measure(path, i + 1 < ARRAY_LEN(apps) ? NULL : "1");
	}
	return 0;
}
