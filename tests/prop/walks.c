/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * walks.c - random walks through time, of applications and every policy.
 *
 *     walks [-m MACHINE] [-n WALKS] [-s SEED] [-l CYCLES] [TRACE...]
 *
 * A walk moves forward by cycles and to stops, back, to places of any branch, to marks; it forks,
 * switches and deletes branches; changes options and the stack in the present and in the past;
 * gives decisions another outcome; changes how the run is carried out (run.skip); and sometimes
 * continues with another machine that was read from bytes. It notes the digest of every place. That
 * must be the digest of a plain run, a fresh machine that runs forward with the changes of that
 * branch and without time travel. Each branch is run once, over all places of the walk.
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
#include "sim/config.h"
#include "tests/sim/model.h"
#include "tests/small/fault.h"
#include "tests/small/small.h"
#include "timeline/timeline.h"

#include <inttypes.h>
#include <unistd.h>

#define MOST_VISITS 400
#define TRACED EV_CTA_ISSUE

/* Stacks in which every policy decides something within a few thousand cycles. */
static const char *const stacks[] = {
	"rr",
	"static:n=2",
	"cores:n=3",
	"dyncta:period=256",
	"dyncore:period=256,off=2,wake=75",
	"tcs:mon_cycle=128,monitor=300,thr=1",
	"htcs:mon_cycle=64,monitor=300,thr=1",
	"onac:waves=1,loss=0.3",
	"seqdet:waves=1,loss=0.3",
	"claso",
	"dyncta:period=512+claso",
};

struct visit {
	struct place place;
	uint64_t digest;
};

struct walk {
	struct config *c;
	struct trace *t;
	struct sim *sim;
	struct debug *d;
	struct timeline *tl;
	uint64_t random;
	cycle_t far;	  /* it goes no further */
	bool quiet;	  /* changes nothing, and checks the tracepoint */
	uint64_t traced0; /* events counted before it */
	struct visit visit[MOST_VISITS];
	unsigned n_visits;
	unsigned places; /* places compared in all */
	char last[400];	 /* its last actions */
	char bad[600];	 /* the first wrong place; "": none */
};

static uint64_t
below(struct walk *w, uint64_t n)
{
	w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return n ? (w->random >> 33) % n : 0;
}

static void
did(struct walk *w, const char *what)
{
	size_t n = strlen(w->last), m = strlen(what) + 2;

	if (n + m >= sizeof(w->last)) {
		memmove(w->last, w->last + m, n - m + 1);
		n -= m;
	}
	snprintf(w->last + n, sizeof(w->last) - n, ", %s", what);
}

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

static void
check_visits(struct walk *w)
{
	qsort(w->visit, w->n_visits, sizeof(w->visit[0]), by_cycle);
	for (unsigned i = 0; i < timeline_branches(w->tl); i++)
		if (timeline_branch(w->tl, i))
			check_branch(w, i);
	w->n_visits = 0;
}

static void
visit(struct walk *w)
{
	if (w->n_visits == MOST_VISITS)
		check_visits(w);
	w->visit[w->n_visits++] = (struct visit){timeline_here(w->tl), sim_digest(w->sim)};
}

/* A change replaces the state of this cycle of the branch, so the visits before it are dropped. */
static void
forget_here(struct walk *w, struct place p)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < w->n_visits; i++)
		if (w->visit[i].place.branch != p.branch || w->visit[i].place.cycle != p.cycle)
			w->visit[kept++] = w->visit[i];
	w->n_visits = kept;
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

/* ---------------------------------------------------------------- steps */

static void
forward(struct walk *w)
{
	struct place here = timeline_here(w->tl);
	struct debug_goal g = {.until = here.cycle + 1 + below(w, below(w, 4) ? 300 : 3000)};
	struct debug_result r;
	struct err e = {0};

	if (here.cycle >= w->far || sim_done(w->sim))
		return;
	if (below(w, 4) == 0) {
		g.events = EV_BIT(below(w, EV_KINDS));
		g.count = 1 + below(w, 3);
	}
	debug_run(w->d, &g, &r, &e);
	did(w, "forward");
}

static void
back(struct walk *w)
{
	struct debug_goal g = {.until = CYCLE_NEVER};
	struct debug_result r;
	struct err e = {0};

	if (below(w, 2)) {
		g.events = EV_BIT(below(w, EV_KINDS));
		g.count = 1 + below(w, 3);
	}
	timeline_back(w->tl, &g, &r, &e);
	did(w, "back");
}

static unsigned
any_branch(struct walk *w)
{
	unsigned id;

	do
		id = (unsigned)below(w, timeline_branches(w->tl));
	while (!timeline_branch(w->tl, id));
	return id;
}

static void
go(struct walk *w)
{
	struct place p = {any_branch(w), 0};

	if (below(w, 3))
		p.branch = timeline_here(w->tl).branch;
	if (below(w, 5)) /* otherwise to the start */
		p.cycle = below(w, timeline_branch(w->tl, p.branch)->tip + 1);
	timeline_goto(w->tl, p, NULL);
	did(w, "goto");
}

static void
change_branch(struct walk *w)
{
	timeline_switch(w->tl, any_branch(w), NULL);
	did(w, "switch");
}

static void
fork_here(struct walk *w)
{
	timeline_fork(w->tl, "", NULL);
	did(w, "fork");
}

static void
delete_branch(struct walk *w)
{
	check_visits(w);
	timeline_delete(w->tl, any_branch(w), NULL);
	did(w, "delete");
}

static void
mark(struct walk *w)
{
	const struct mark *m;

	if (timeline_marks(w->tl) < 5 && below(w, 2)) {
		timeline_mark(w->tl, "", NULL);
		did(w, "mark");
	} else if (timeline_marks(w->tl)) {
		m = timeline_mark_at(w->tl, (unsigned)below(w, timeline_marks(w->tl)));
		if (below(w, 4) == 0) {
			timeline_mark_delete(w->tl, m->name, NULL);
			return;
		}
		timeline_goto(w->tl, m->place, NULL);
		did(w, "to a mark");
	}
}

static void
skip(struct walk *w)
{
	sim_set(w->sim, "run.skip", below(w, 2) ? "on" : "off", NULL);
	did(w, "skip");
}

/* Chooses one of the options that may change, all equally likely. */
struct some_option {
	struct walk *w;
	unsigned n;
	char key[128], value[64];
};

static void
maybe_option(void *ctx, const char *key, const struct opt_group *g, const struct opt_row *r)
{
	struct some_option *o = ctx;
	bool used = false;
	unsigned n_stack;
	const struct cta_sched_ops *const *stack = config_stack(sim_config(o->w->sim), &n_stack);
	double to;

	for (unsigned i = 0; i < n_stack; i++)
		used |= strcmp(stack[i]->name, g->prefix) == 0;
	if (!config_is_choice(sim_config(o->w->sim), key) || !used || below(o->w, ++o->n))
		return;
	snprintf(o->key, sizeof(o->key), "%s", key);
	to = MIN(MAX(r->def * 3, r->min + 4), r->max);
	if (r->type == OPT_T_enum)
		snprintf(o->value, sizeof(o->value), "%s",
			 r->names[below(o->w, (uint64_t)r->max + 1)]);
	else if (r->type == OPT_T_bool)
		snprintf(o->value, sizeof(o->value), "%s", below(o->w, 2) ? "on" : "off");
	else if (r->type == OPT_T_f64)
		snprintf(o->value, sizeof(o->value), "%g",
			 r->min + (to - r->min) * (double)below(o->w, 1000) / 1000);
	else
		snprintf(o->value, sizeof(o->value), "%.0f",
			 r->min + (double)below(o->w, (uint64_t)(to - r->min) + 1));
}

static void
choose(struct walk *w)
{
	struct place here = timeline_here(w->tl);
	struct some_option o = {.w = w};
	bool policy = below(w, 3) == 0;
	struct err e = {0};
	int rc;

	if (!policy)
		opt_each(config_db_const(sim_config(w->sim)), maybe_option, &o);
	if (!policy && !o.n)
		return;
	rc = timeline_choose(w->tl, policy ? CHOICE_POLICY : CHOICE_OPTION, policy ? NULL : o.key,
			     policy ? stacks[below(w, ARRAY_LEN(stacks))] : o.value, NULL, 0, &e);
	if (rc == 0 && timeline_here(w->tl).branch == here.branch)
		forget_here(w, here);
	did(w, policy ? "policy" : o.key);
}

/* Gives one of the last decisions another outcome, from the cycle before it on. */
static void
flip(struct walk *w)
{
	const struct event_ring *r = sim_events(w->sim);
	struct place here = timeline_here(w->tl);
	uint64_t back = below(w, MIN(r->next - r->first, 300));
	struct decision_view v = {.name = ""};

	while (back < r->next - r->first && back < 600 &&
	       sim_decision_view(w->sim, event_ring_get(r, r->next - 1 - back), &v, NULL))
		back++;
	if (!*v.name || v.cycle == 0 || !v.other || v.cycle > here.cycle)
		return;
	here.cycle = v.cycle - 1;
	if (timeline_goto(w->tl, here, NULL))
		return;
	if (timeline_choose(w->tl, CHOICE_OUTCOME, v.name, v.other, NULL, 0, NULL) == 0 &&
	    timeline_here(w->tl).branch == here.branch)
		forget_here(w, here);
	did(w, v.name);
}

static struct snapshot *
as_bytes(struct sim *from, const struct snapshot *k, struct sim *to, struct err *e)
{
	struct strbuf b = {0};
	struct snapshot *read;

	snapshot_write(from, k, &b);
	read = snapshot_read(to, b.p, b.n, e);
	sb_free(&b);
	return read;
}

struct carried {
	struct walk *w;
	struct sim *to;
};

static struct snapshot *
carry_state(void *ctx, const char *name, struct err *e)
{
	const struct carried *x = ctx;
	struct snapshot *k = name ? NULL : sim_save(x->w->sim, e), *read;
	const struct mark *m = name ? timeline_mark_find(x->w->tl, name, e) : NULL;

	read = as_bytes(x->w->sim, m ? m->snap : k, x->to, e);
	snapshot_free(k);
	return read;
}

/* Continues with another machine, as after save and load. */
static void
carry(struct walk *w)
{
	struct carried x = {w, model_sim(w->c, w->t)};
	struct strbuf tree = {0}, stops = {0}, lost = {0};
	struct debug *d = debug_new();
	struct timeline *tl = timeline_new(d);
	struct err e = {0};

	debug_attach(d, x.to, NULL);
	timeline_begin(tl, x.to, NULL);
	timeline_write(w->tl, &tree);
	debug_stops_write(w->d, &stops);
	if (timeline_read(tl, tree.p, carry_state, &x, &e) ||
	    debug_stops_read(d, stops.p, &lost, &e))
		snprintf(w->bad, sizeof(w->bad), "read again: %.300s%.200s", e.msg, w->last);
	timeline_free(w->tl);
	debug_free(w->d);
	sim_free(w->sim);
	w->tl = tl;
	w->d = d;
	w->sim = x.to;
	sb_free(&tree);
	sb_free(&stops);
	sb_free(&lost);
	did(w, "carried");
}

static void
step(struct walk *w)
{
	static const struct {
		void (*fn)(struct walk *w);
		unsigned weight;
		bool chooses;
	} steps[] = {{forward, 10, false}, {back, 4, false},	    {go, 5, false},
		     {mark, 2, false},	   {skip, 1, false},	    {carry, 1, false},
		     {choose, 4, true},	   {flip, 2, true},	    {change_branch, 2, true},
		     {fork_here, 2, true}, {delete_branch, 1, true}};
	unsigned sum = 0, pick;

	for (unsigned i = 0; i < ARRAY_LEN(steps); i++)
		sum += steps[i].chooses && w->quiet ? 0 : steps[i].weight;
	pick = (unsigned)below(w, sum);
	for (unsigned i = 0; i < ARRAY_LEN(steps); i++) {
		unsigned weight = steps[i].chooses && w->quiet ? 0 : steps[i].weight;

		if (pick < weight) {
			steps[i].fn(w);
			break;
		}
		pick -= weight;
	}
	visit(w);
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
	for (unsigned n = 20 + (unsigned)below(w, 30); n && !*w->bad; n--)
		step(w);
	check_visits(w);
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
};

/* Runs every policy, each for a number of walks. */
static void
walk_trace(const struct plan *p, const char *name, const char *machine, struct trace *t)
{
	for (unsigned i = 0; i < ARRAY_LEN(stacks); i++) {
		struct config *c =
			machine ? model_config(machine, stacks[i]) : small_config(stacks[i]);
		double began = clock_processor();
		unsigned bad = 0, places = 0;

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
					stacks[i], k + 1, p->walks, clock_processor() - began);
		}
		if (p->progress)
			fputs("\r\033[K", stderr);
		ok(bad == 0, "%s, %s: %u walks, %u places, %.1f s", name, stacks[i], p->walks,
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

	walk_trace(p, "small", NULL, t);
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
	struct plan p = {.walks = 12, .length = 8000, .progress = isatty(STDERR_FILENO)};
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
