/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walks.c - random walks through time, of applications and every policy.
 *
 *     walks [-m MACHINE] [-n WALKS] [-s SEED] [-l CYCLES] [TRACE...]
 *
 * A walk moves forward by cycles and to stops, back, to places of any branch, to marks; it forks,
 * switches and deletes branches; changes options and the stack in the present and in the past;
 * gives decisions another outcome; changes how the run is carried out (run.skip, run.threads); and
 * sometimes continues with another machine that was read from bytes. It notes the digest of every
 * place. That must be the digest of a plain run, a fresh machine that runs forward with the changes
 * of that branch and without time travel. Each branch is run once, over all places of the walk.
 *
 * A walk that changes nothing also has a tracepoint, whose count must be that of the plain run up
 * to the furthest cycle, however often that was replayed.
 *
 * Without a trace it is the quick form of `make check`, on the small machine and two shortened
 * applications. It then adds faults that the walks must find: a part of the state that no snapshot
 * contains (tests/small/fault.h), and a replay that is reported to all listeners.
 */
#include "tests/tap.h"

#include "base/clock.h"
#include "tests/prop/walk.h"
#include "tests/small/fault.h"
#include "tests/small/small.h"

#include <inttypes.h>
#include <unistd.h>

/* ---------------------------------------------------------------- the plain run */

static void
do_choices(struct sim *s, const struct walk *w, unsigned branch, unsigned *k, cycle_t upto)
{
	const struct choice *c;

	for (; (c = timeline_path_choice(w->tl, branch, *k)) && c->cycle <= upto; ++*k) {
		sim_run(s, c->cycle, NULL);
		if (c->kind == CHOICE_POLICY)
			sim_set_policy(s, c->value, NULL, 0, NULL);
		else if (c->kind == CHOICE_OUTCOME)
			sim_force(s, c->key, c->value, NULL);
		else
			sim_set(s, c->key, c->value, NULL);
	}
}

/* An option set at cycle 0 is in effect as if the machine had been made with it. */
static struct sim *
plain_sim(const struct walk *w, unsigned branch, unsigned *k)
{
	struct config *c = config_copy(w->c);
	const struct choice *x;
	struct sim *s;

	for (; (x = timeline_path_choice(w->tl, branch, *k)) && x->cycle == 0 &&
	       x->kind != CHOICE_OUTCOME;
	     ++*k)
		if (x->kind == CHOICE_POLICY)
			config_policy(c, x->value, NULL);
		else
			opt_set(config_db(c), x->key, x->value, NULL);
	s = model_sim(c, w->t);
	config_free(c);
	return s;
}

static int
by_cycle(const void *a, const void *b)
{
	const struct visit *x = a, *y = b;

	return (x->place.cycle > y->place.cycle) - (x->place.cycle < y->place.cycle);
}

static void
check_branch(struct walk *w, unsigned branch)
{
	struct sim *s = NULL;
	unsigned k = 0;

	for (unsigned i = 0; i < w->n_visits && !*w->bad; i++) {
		const struct visit *v = &w->visit[i];

		if (v->place.branch != branch)
			continue;
		if (!s)
			s = plain_sim(w, branch, &k);
		do_choices(s, w, branch, &k, v->place.cycle);
		sim_run(s, v->place.cycle, NULL);
		w->places++;
		if (sim_digest(s) != v->digest || sim_cycle(s) != v->place.cycle)
			snprintf(w->bad, sizeof(w->bad), "cycle %" PRIu64 " of branch %u%.400s",
				 v->place.cycle, branch, w->last);
	}
	sim_free(s);
}

void
walk_check_visits(struct walk *w)
{
	qsort(w->visit, w->n_visits, sizeof(w->visit[0]), by_cycle);
	for (unsigned i = 0; i < timeline_branches(w->tl); i++)
		if (timeline_branch(w->tl, i))
			check_branch(w, i);
	w->n_visits = 0;
}

static void
check_traced(struct walk *w)
{
	const struct stop *p = debug_stop_at(w->d, 0);
	cycle_t tip = timeline_branch(w->tl, 0)->tip;
	struct sim *s = model_sim(w->c, w->t);
	uint64_t n;

	sim_run(s, tip, NULL);
	n = sim_events(s)->count[TRACED] - w->traced0;
	if (p->hits != n && !*w->bad)
		snprintf(w->bad, sizeof(w->bad),
			 "a tracepoint counted %" PRIu64 ", a plain run to %" PRIu64 " %" PRIu64
			 "%.300s",
			 p->hits, tip, n, w->last);
	sim_free(s);
}

/* ---------------------------------------------------------------- walks */

static void
begin(struct walk *w)
{
	uint64_t seed = w->random;

	w->sim = model_sim(w->c, w->t);
	w->traced0 = sim_events(w->sim)->count[TRACED];
	w->d = debug_new();
	debug_attach(w->d, w->sim, NULL);
	w->tl = timeline_new(w->d);
	timeline_begin(w->tl, w->sim, NULL);
	timeline_set_options(w->tl,
			     &(struct timeline_options){.memory = seed % 3 ? (size_t)1 << 30
									   : (size_t)1 << 21,
							.every = seed % 2 ? 0 : 97 + seed % 500,
							.keep = seed % 5 != 0});
	debug_stop_add(w->d, STOP_TRACE, false, event_rows[TRACED].name, NULL);
	debug_stop_add(w->d, STOP_WATCH, false, "core.1.n", NULL);
	debug_stop_add(w->d, STOP_EVENT, false, "cta-done core 0", NULL);
}

static bool
walk(struct config *c, struct trace *t, uint64_t seed, cycle_t far, unsigned *places, bool say)
{
	struct walk *w = calloc(1, sizeof(*w));
	bool good;

	*w = (struct walk){.c = c, .t = t, .random = seed, .far = far, .quiet = seed % 4 == 0};
	begin(w);
	for (unsigned n = 20 + (unsigned)walk_below(w, 30); n && !*w->bad; n--)
		walk_step(w);
	walk_check_visits(w);
	if (w->quiet)
		check_traced(w);
	good = !*w->bad;
	if (!good && say)
		diag("walk %" PRIu64 ": %s", seed, w->bad);
	*places += w->places;
	timeline_free(w->tl);
	debug_free(w->d);
	sim_free(w->sim);
	free(w);
	return good;
}

struct plan {
	unsigned walks;
	uint64_t seed;
	cycle_t length;
	bool progress;
	const char *kernels; /* gpu.concurrent_kernels; NULL: 1 */
	const char *share;   /* gpu.kernel_share of these */
};

/* Runs every policy that can, each for a number of walks. */
static void
walk_trace(const struct plan *p, const char *name, const char *machine, struct trace *t)
{
	for (unsigned i = 0; walk_stacks[i]; i++) {
		struct config *c = machine ? model_config(machine, walk_stacks[i])
					   : small_config(walk_stacks[i]);
		double began = clock_processor();
		unsigned bad = 0, places = 0;

		if (p->kernels)
			model_set(c, "gpu.concurrent_kernels", p->kernels);
		if (p->kernels)
			model_set(c, "gpu.kernel_share", p->share);
		if (config_check_concurrent(c, NULL) < 0) {
			config_free(c);
			continue;
		}
		/* A walk costs the time to copy and hash states rather than to simulate. */
		if (machine) {
			model_set(c, "gpu.clusters", "4");
			model_set(c, "mem.memcpy_warms_l2", "off");
			if (strcmp(machine, "kayiran30") !=
			    0) /* 5,000: otherwise a walk would cover little */
				model_set(c, "gpu.launch_latency", "100");
		}

		for (unsigned k = 0; k < p->walks; k++) {
			bad += !walk(c, t, p->seed + k, p->length, &places, bad < 3);
			if (p->progress && k % 10 == 9)
				fprintf(stderr, "\r%s %s: walk %u of %u, %.0f s\033[K", name,
					walk_stacks[i], k + 1, p->walks, clock_processor() - began);
		}
		if (p->progress)
			fputs("\r\033[K", stderr);
		ok(bad == 0, "%s, %s: %u walks, %u places, %.1f s", name, walk_stacks[i], p->walks,
		   places, clock_processor() - began);
		config_free(c);
	}
}

/* ---------------------------------------------------------------- planted faults */

/* During a replay, listeners that have forgotten what they were told are called. */
static bool mute_is_nothing;
void __real_debug_mute(struct debug *d);
void __wrap_debug_mute(struct debug *d);
void __real_debug_unmute(struct debug *d);
void __wrap_debug_unmute(struct debug *d);

void
__wrap_debug_mute(struct debug *d)
{
	if (mute_is_nothing)
		debug_told(d, 0);
	else
		__real_debug_mute(d);
}

void
__wrap_debug_unmute(struct debug *d)
{
	if (mute_is_nothing)
		debug_told(d, 0);
	else
		__real_debug_unmute(d);
}

static void
faults(void)
{
	struct config *c = small_config("dyncta:period=256");
	struct trace *t = small_trace();
	unsigned hidden = 0, listening = 0, places = 0;

	fault_set("hidden=61");
	for (unsigned k = 1; k <= 8; k++)
		hidden += !walk(c, t, k, 4000, &places, false);
	fault_set(NULL);
	ok(hidden >= 4, "a part of the state that is not in the arena: %u of 8 walks find it",
	   hidden);
	mute_is_nothing = true;
	for (unsigned k = 0; k < 8; k++)
		listening += !walk(c, t, 4 * k, 4000, &places, false);
	mute_is_nothing = false;
	ok(listening >= 4, "a counter that counts replays: %u of 8 walks find it", listening);
	trace_close(t);
	config_free(c);
}

static void
quick(struct plan *p)
{
	static const char *const apps[] = {"app-km", "app-bfs"};
	static const char *const modern[] = {"qv100", "titanv", "rtx3070", "rtx2060"};
	struct trace *t = small_trace();
	unsigned walks = p->walks;

	walk_trace(p, "small", NULL, t);
	trace_close(t);
	t = small_streams();
	p->kernels = "3";
	for (unsigned i = 0; kernel_share_names[i]; i++) {
		p->share = kernel_share_names[i];
		walk_trace(p, p->share, NULL, t);
		p->walks = MIN(p->walks, 4);
	}
	p->kernels = NULL;
	p->walks = walks;
	trace_close(t);
	p->walks = MIN(p->walks, 2);
	p->length = 2500;
	for (unsigned i = 0; i < ARRAY_LEN(apps) && !model_fast(); i++) {
		t = model_reference(apps[i]);
		walk_trace(p, apps[i], "kayiran30", t);
		trace_close(t);
	}
	/* These have sub-cores and a sectored L1. */
	for (unsigned i = 0; i < ARRAY_LEN(modern); i++) {
		t = model_reference("rule-ldgsts-fill40");
		walk_trace(p, modern[i], modern[i], t);
		trace_close(t);
	}
	faults();
}

int
main(int argc, char **argv)
{
	struct plan p = {.walks = tap_is_fast() ? 2 : 12, .length = 8000, .progress = isatty(STDERR_FILENO)};
	const char *machine = "kayiran30";
	int option;

	while ((option = getopt(argc, argv, "m:n:s:l:")) != -1) {
		if (option == 'n')
			p.walks = (unsigned)atoi(optarg);
		else if (option == 's')
			p.seed = strtoull(optarg, NULL, 10);
		else if (option == 'm')
			machine = optarg;
		else if (option == 'l')
			p.length = strtoull(optarg, NULL, 10);
		else
			return 2;
	}
	if (optind == argc)
		quick(&p);
	for (int i = optind; i < argc; i++) {
		struct trace *t = model_open(argv[i]);
		const char *name = strrchr(argv[i], '/');

		walk_trace(&p, name ? name + 1 : argv[i], machine, t);
		trace_close(t);
	}
	return done();
}
