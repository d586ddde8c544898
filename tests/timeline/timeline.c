/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.c - places, changes, branches and marks on the small machine. */
#include "tests/timeline/travel.h"

#include "tests/small/fault.h"
#include "timeline/timeline_part.h"

#include <unistd.h>

static void
there_and_back(void)
{
	struct travel_bench b = travel_setup("dyncta");
	uint64_t at_300, end;

	travel_run(&b, 300);
	at_300 = sim_digest(b.sim);
	travel_run(&b, CYCLE_NEVER);
	end = sim_digest(b.sim);
	ok(travel_goto(&b, 300) == 0 && sim_digest(b.sim) == at_300, "back to a cycle");
	ok(timeline_here(b.tl).cycle == 300 && timeline_branch(b.tl, 0)->tip > 8000,
	   "the tip stays where it was");
	ok(travel_goto(&b, 0) == 0 && sim_cycle(b.sim) == 0 && travel_same(&b), "to the start");
	ok(travel_goto(&b, timeline_branch(b.tl, 0)->tip) == 0 && sim_digest(b.sim) == end &&
		   sim_done(b.sim),
	   "to the end again");
	ok(travel_goto(&b, 100000) < 0, "further than ever: %s", b.e.msg);
	ok(sim_digest(b.sim) == end, "that moves nothing");
	travel_teardown(&b);
}

static void
choices(void)
{
	struct travel_bench b = travel_setup("dyncta");
	char value[64];
	uint64_t with, end;

	travel_run(&b, 500);
	ok(travel_set(&b, "dyncta.t_mem_h", "24") == 0 && !*b.note, "a choice at the tip");
	with = sim_digest(b.sim);
	travel_run(&b, 1000);
	travel_policy(&b, "rr");
	travel_run(&b, CYCLE_NEVER);
	end = sim_digest(b.sim);
	travel_goto(&b, 499);
	opt_get(config_db_const(sim_config(b.sim)), "dyncta.t_mem_h", value, sizeof(value), NULL);
	is_str(value, "60", "going back before it undoes it");
	is_str(config_policy_text(sim_config(b.sim)), "dyncta", "of the policy stack too");
	travel_goto(&b, 500);
	ok(sim_digest(b.sim) == with, "at its cycle it is done");
	travel_goto(&b, 400);
	is_u64(timeline_next_choice(b.tl), 500, "the next choice is known");
	is_u64(travel_run(&b, CYCLE_NEVER), DEBUG_DONE, "a run goes over both");
	ok(sim_digest(b.sim) == end, "to the same end");
	is_str(config_policy_text(sim_config(b.sim)), "rr", "under the same policy");
	ok(travel_set(&b, "dyncta.nothing", "1") < 0 && timeline_branch(b.tl, 0)->n_choices == 2,
	   "what cannot be set is no choice: %s", b.e.msg);
	travel_teardown(&b);
}

static void
branches(void)
{
	struct travel_bench b = travel_setup("dyncta");
	const struct branch *x;
	uint64_t end;

	travel_run(&b, 6000);
	end = sim_digest(b.sim);
	travel_goto(&b, 2000);
	ok(travel_set(&b, "dyncta.t_mem_h", "x") < 0 && timeline_branches(b.tl) == 1 &&
		   timeline_here(b.tl).branch == 0,
	   "a mistake in the past changes nothing: %s", b.e.msg);
	travel_set(&b, "dyncta.t_mem_h", "24");
	is_str(b.note,
	       "branch b2 from main at 2,000: dyncta.t_mem_h 60 -> 24; main keeps its future up to "
	       "6,000, 'switch main'",
	       "a change in the past says what becomes of the future");
	x = timeline_branch_find(b.tl, "b2", &b.e);
	ok(x && x->from == 2000 && x->tip == 2000 && x->parent == 0 &&
		   timeline_here(b.tl).branch == x->id,
	   "the present is a branch");
	travel_run(&b, 3000);
	ok(travel_same(&b), "it goes on with the change");
	travel_goto(&b, 1000);
	ok(timeline_here(b.tl).branch == x->id && travel_same(&b),
	   "back before it left its parent");
	travel_run(&b, 2500);
	ok(travel_same(&b), "and forward: the branch's choice is done again");
	ok(timeline_delete(b.tl, 0, &b.e) < 0, "what one comes from cannot be deleted: %s",
	   b.e.msg);
	ok(timeline_switch(b.tl, 0, &b.e) == 0 && sim_cycle(b.sim) == 2000, "back on main");
	travel_goto(&b, 6000);
	ok(sim_digest(b.sim) == end, "whose future is what it was");
	ok(timeline_fork(b.tl, "b2", &b.e) < 0, "names are not taken twice: %s", b.e.msg);
	err_clear(&b.e);
	ok(timeline_fork(b.tl, "why", &b.e) == 0 && timeline_branch_find(b.tl, "why", NULL),
	   "fork");
	travel_set(&b, "dyncta.t_mem_h", "90");
	ok(!*b.note && timeline_branch_find(b.tl, "why", NULL)->n_choices == 1,
	   "a change at its tip is its own");
	timeline_switch(b.tl, 0, &b.e);
	travel_goto(&b, 6000);
	ok(sim_digest(b.sim) == end && travel_same(&b), "not that of its parent at the same cycle");
	ok(timeline_delete(b.tl, x->id, &b.e) == 0 && !timeline_branch_find(b.tl, "b2", &b.e),
	   "deleted: %s", b.e.msg);
	travel_teardown(&b);
}

static void
dropped(void)
{
	struct travel_bench b = travel_setup("dyncta");

	timeline_set_options(b.tl, &(struct timeline_options){.memory = 1u << 30, .drop = true});
	travel_run(&b, 3000);
	timeline_mark(b.tl, "late", NULL);
	timeline_fork(b.tl, "", NULL);
	timeline_switch(b.tl, 0, NULL);
	travel_goto(&b, 1000);
	travel_set(&b, "dyncta.t_mem_h", "24");
	is_str(b.note,
	       "dropped cycles 1,000 to 3,000 of main\ndropped branch b2\ndropped checkpoint late",
	       "without branches the future is dropped, and it is said");
	ok(timeline_branch(b.tl, 0)->tip == 1000 && !timeline_branch(b.tl, 1) &&
		   !timeline_marks(b.tl) && travel_same(&b),
	   "and gone");
	travel_teardown(&b);
}

static unsigned
limit_of_first(const struct travel_bench *b)
{
	struct core_view v;

	sim_core_view(b->sim, 0, &v);
	return v.limit;
}

/* Sets an option with only that many allocations left. */
static int
set_with(struct travel_bench *b, unsigned allocations)
{
	int rc;

	fault_allocations(allocations);
	rc = travel_set(b, "dyncta.n0", "1");
	fault_set(NULL);
	return rc;
}

/* An option set at cycle 0 is in effect as if the machine had been made with it: for what a policy
 * reads once at a kernel's start, for the cores that it switches off there, for the first events.
 */
static void
from_the_start(void)
{
	static const char *const stacks[] = {"rr",	    "cores:n=3", "dyncore:period=256,off=2",
					     "dyncta:n0=1", "htcs",	 "onac:waves=1"};
	struct travel_bench b = travel_setup("dyncta");
	struct trace *t = small_trace();
	unsigned same = 0, told = 0;
	unsigned refused, bad = 0;
	uint64_t digest;

	travel_run(&b, 3000);
	for (unsigned i = 0; i < ARRAY_LEN(stacks); i++) {
		struct config *c = small_config(stacks[i]);
		struct sim *s = sim_new(c, t, NULL);

		travel_goto(&b, 0);
		travel_policy(&b, stacks[i]);
		told += sim_events(b.sim)->next == sim_events(s)->next;
		sim_run(s, 900, NULL);
		travel_run(&b, 900);
		same += sim_digest(s) == sim_digest(b.sim) && travel_same(&b);
		sim_free(s);
		config_free(c);
	}
	is_u64(same, ARRAY_LEN(stacks), "a stack set at cycle 0 is that of a fresh machine");
	is_u64(told, ARRAY_LEN(stacks), "whose events are all there are");
	travel_goto(&b, 0);
	travel_policy(&b, "dyncta");
	travel_run(&b, 500);
	digest = sim_digest(b.sim);
	travel_goto(&b, 0);
	travel_set(&b, "dyncta.n0", "2");
	ok(limit_of_first(&b) == 2, "an option for the start of a kernel holds from there: %s",
	   b.note);
	travel_run(&b, 500);
	ok(sim_digest(b.sim) != digest && travel_same(&b), "and makes another run");
	travel_goto(&b, 0);
	digest = sim_digest(b.sim);
	for (refused = 0; set_with(&b, refused) < 0; refused++)
		bad += sim_digest(b.sim) != digest || sim_cycle(b.sim) > 0;
	ok(refused > 10 && !bad, "without memory nothing changes, %u times", refused);
	ok(limit_of_first(&b) == 1, "with it, it does");
	trace_close(t);
	travel_teardown(&b);
}

static void
marks(void)
{
	struct travel_bench b = travel_setup("dyncta+claso");
	const struct mark *m;

	travel_run(&b, 200);
	ok(timeline_mark(b.tl, "", &b.e) && timeline_mark(b.tl, "c2", &b.e), "two checkpoints");
	is_str(timeline_mark(b.tl, "", &b.e)->name, "c3", "names that are taken are skipped");
	ok(!timeline_mark(b.tl, "c1", &b.e) && strstr(b.e.msg, "exists"), "none is overwritten");
	err_clear(&b.e);
	ok(!timeline_mark(b.tl, "a b", &b.e), "one word: %s", b.e.msg);
	travel_run(&b, 2000);
	m = timeline_mark_find(b.tl, "c1", NULL);
	err_clear(&b.e);
	ok(timeline_goto(b.tl, m->place, &b.e) == 0 && sim_cycle(b.sim) == 200, "back to one");
	ok(!timeline_mark_find(b.tl, "c9", &b.e), "one that is not there: %s", b.e.msg);
	ok(travel_set(&b, "dyncta.t_mem_h", "24") == 0 && timeline_branches(b.tl) == 2,
	   "a change where a mark lies begins a branch: %s", b.note);
	ok(timeline_goto(b.tl, m->place, &b.e) == 0 && !timeline_here(b.tl).branch &&
		   travel_same(&b),
	   "and the mark stays what it is");
	ok(timeline_mark_delete(b.tl, "c2", NULL) == 0 && timeline_marks(b.tl) == 2, "deleted");
	travel_teardown(&b);
}

/* ---------------------------------------------------------------- backwards */

#define MANY 400
struct found {
	cycle_t cycle;
	uint64_t digest;
	char text[200];
};

static unsigned
forwards(struct travel_bench *b, struct found *f)
{
	unsigned n = 0;

	while (n < MANY && travel_run(b, CYCLE_NEVER) == DEBUG_STOP) {
		f[n] = (struct found){sim_cycle(b->sim), sim_digest(b->sim), ""};
		snprintf(f[n++].text, sizeof(f->text), "%.199s", b->r.hit[0].text);
	}
	return n;
}

/* Moves backwards over all of them, from the end of the run; returns how many are equal. */
static unsigned
backwards(struct travel_bench *b, const struct found *f, unsigned n)
{
	struct debug_goal g = {.until = CYCLE_NEVER};
	unsigned same = 0;

	while (timeline_back(b->tl, &g, &b->r, &b->e) == DEBUG_STOP && same < n) {
		const struct found *want = &f[n - 1 - same];

		if (sim_cycle(b->sim) != want->cycle || sim_digest(b->sim) != want->digest ||
		    strcmp(b->r.hit[0].text, want->text) != 0) {
			diag("cycle %" PRIu64 ", not %" PRIu64 ": %s, not %s", sim_cycle(b->sim),
			     want->cycle, b->r.hit[0].text, want->text);
			break;
		}
		same++;
	}
	return same;
}

static void
mirror(const char *what, enum stop_kind kind, const char *text, cycle_t every)
{
	static struct found f[MANY];
	struct travel_bench b = travel_setup("dyncta");
	unsigned n, same;

	timeline_set_options(b.tl, &(struct timeline_options){.memory = 1u << 30,
							      .every = every,
							      .keep = true});
	travel_run(&b, 300);
	travel_set(&b, "dyncta.t_mem_h", "40"); /* done again by every run that comes by */
	travel_run(&b, 2500);
	travel_policy(&b, "rr");
	travel_run(&b, 3000);
	travel_policy(&b, "claso+dyncta");
	travel_goto(&b, 0);
	debug_stop_add(b.d, kind, false, text, &b.e);
	n = forwards(&b, f);
	same = backwards(&b, f, n);
	ok(n > 0 && same == n, "%s, every %" PRIu64 ": %u stops, backwards as forwards", what,
	   every, n);
	is_u64(sim_cycle(b.sim), 0, "then the oldest place");
	travel_teardown(&b);
}

static void
mirrors(void)
{
	static const cycle_t every[] = {0, 97, 1000};

	for (unsigned i = 0; i < ARRAY_LEN(every); i++) {
		mirror("pause", STOP_EVENT, "pause", every[i]);
		mirror("a condition", STOP_EVENT, "limit core 1 if core.1.n > 2", every[i]);
		mirror("a watch", STOP_WATCH, "core.2.n", every[i]);
		mirror("a line", STOP_LINE, "line 14 core 2 if $cycle % 8 == 1", every[i]);
		mirror("a policy's", STOP_WATCH, "policy.dyncta.changes.0", every[i]);
		mirror("if a policy's", STOP_EVENT, "cta-done if policy.dyncta.limit.1 == 1",
		       every[i]);
		mirror("a cycle", STOP_CYCLE, "4321", every[i]);
	}
}

/* A watch that is evaluated only where an event may have changed it stops in the same cycles as one
 * that is evaluated in every cycle, under any policy, forwards and backwards. */
static void
watches(void)
{
	static const char *const stacks[] = {"cores:n=3", "dyncta:period=256+claso",
					     "dyncore:period=256,off=2,wake=75",
					     "htcs:mon_cycle=64,monitor=300,thr=1",
					     "onac:waves=1,loss=0.3"};
	static const char *const what[] = {"core.*.n",
					   "core.*.running",
					   "core.1.paused",
					   "core.*.ctas",
					   "core.*.state",
					   "kernel.ctas_done",
					   "sum(core.*.n) - 1.5 * core.0.running",
					   "gpu.ctas_issued"};
	static struct found f[MANY], g[MANY];
	char each[200];

	for (unsigned i = 0; i < ARRAY_LEN(stacks); i++) {
		unsigned good = 0, stops = 0;

		for (unsigned k = 0; k < ARRAY_LEN(what); k++) {
			struct travel_bench a = travel_setup(stacks[i]),
					    b = travel_setup(stacks[i]);
			unsigned n, m, same = 0;

			snprintf(each, sizeof(each), "%s + 0 * $cycle", what[k]);
			debug_stop_add(a.d, STOP_WATCH, false, what[k], &a.e);
			debug_stop_add(b.d, STOP_WATCH, false, each, &b.e);
			n = forwards(&a, f);
			m = forwards(&b, g);
			for (unsigned x = 0; x < n && x < m; x++)
				same += f[x].cycle == g[x].cycle;
			stops += n;
			good += n == m && same == n;
			if (n && f[n - 1].cycle == sim_cycle(a.sim)) /* the run is at that cycle */
				n--;
			good -= k % 3 == 0 && backwards(&a, f, n) != n;
			travel_teardown(&a);
			travel_teardown(&b);
		}
		ok(good == ARRAY_LEN(what) && stops > 100, "watches of %s: %u stops", stacks[i],
		   stops);
	}
}

/* Moves over events of the goal, one by one and several at once; over an expression; to a cycle. */
static void
goals(void)
{
	struct travel_bench b = travel_setup("dyncta");
	struct debug_goal three = {.until = CYCLE_NEVER,
				   .events = EV_BIT(EV_CTA_ISSUE),
				   .count = 3};
	struct debug_goal one = three, expr = {.until = CYCLE_NEVER};
	cycle_t at;

	one.count = 1;
	travel_run(&b, 3000);
	timeline_back(b.tl, &three, &b.r, &b.e);
	at = sim_cycle(b.sim);
	travel_goto(&b, 3000);
	for (unsigned i = 0; i < 3; i++)
		timeline_back(b.tl, &one, &b.r, &b.e);
	ok(at < 3000 && sim_cycle(b.sim) <= at,
	   "the third last event is no later than three steps");
	travel_goto(&b, 3000);
	expr.expr = "$cycle % 1000 == 7";
	is_u64(timeline_back(b.tl, &expr, &b.r, &b.e), DEBUG_GOAL, "to where an expression held");
	is_u64(sim_cycle(b.sim), 2007, "the latest such cycle");
	timeline_back(b.tl, &expr, &b.r, &b.e);
	is_u64(sim_cycle(b.sim), 1007, "and the one before");
	debug_stop_add(b.d, STOP_CYCLE, false, "900", &b.e);
	is_u64(timeline_back(b.tl, &(struct debug_goal){.until = 800}, &b.r, &b.e), DEBUG_STOP,
	       "a stop comes before the cycle that was wanted");
	is_u64(timeline_back(b.tl, &(struct debug_goal){.until = 800}, &b.r, &b.e), DEBUG_GOAL,
	       "which is reached from there");
	is_u64(sim_cycle(b.sim), 800, "exactly");
	travel_teardown(&b);
}

static void
count_events(void *ctx, const struct event *ev ATTR_UNUSED)
{
	++*(unsigned *)ctx;
}

/* Expressions that are invalid under the present policy are found where they are valid, and vice
 * versa. */
static void
meanings(void)
{
	struct travel_bench b = travel_setup("dyncta");
	struct debug_goal g = {.until = CYCLE_NEVER, .expr = "policy.dyncta.changes.0 > 0"};
	const struct stop *p;
	cycle_t first;

	debug_run(b.d, &g, &b.r, &b.e);
	first = sim_cycle(b.sim);
	p = debug_stop_add(b.d, STOP_WATCH, false, "policy.dyncta.changes.0", &b.e);
	debug_stop_enable(b.d, p->id, false);
	travel_run(&b, first + 100);
	travel_policy(&b, "rr");
	ok(p->watch == NULL, "a watch has no meaning under another policy");
	travel_run(&b, first + 900);
	travel_policy(&b, "claso+dyncta");
	ok(p->watch != NULL, "it has one again where it is back");
	travel_run(&b, first + 950);
	travel_goto(&b, first + 800);
	is_u64(timeline_back(b.tl, &g, &b.r, &b.e), DEBUG_GOAL, "to where an expression held");
	is_u64(sim_cycle(b.sim), first + 100, "the end of the time that it meant something");
	travel_goto(&b, 0);
	is_u64(debug_run(b.d, &g, &b.r, &b.e), DEBUG_GOAL, "and forward");
	is_u64(sim_cycle(b.sim), first, "to the first cycle at which it holds");
	travel_goto(&b, first + 500);
	g.expr = "policy.claso.pa > 0";
	is_u64(debug_run(b.d, &g, &b.r, &b.e), DEBUG_GOAL, "over a change to come");
	ok(sim_cycle(b.sim) > first + 900, "it holds behind it: %" PRIu64, sim_cycle(b.sim));
	travel_teardown(&b);
}

/* Nothing is reported twice, whatever is replayed. */
static void
silence(void)
{
	struct travel_bench b = travel_setup("dyncta");
	struct debug_goal g = {.until = CYCLE_NEVER};
	const struct stop *trace, *p;
	unsigned told = 0, before;
	uint64_t hits;

	trace = debug_stop_add(b.d, STOP_TRACE, false, "cta-done", &b.e);
	travel_run(&b, 5000);
	hits = trace->hits;
	debug_each_event(b.d, count_events, &told);
	p = debug_stop_add(b.d, STOP_EVENT, false, "limit core 1", &b.e);
	debug_stop_ignore(b.d, p->id, 2);
	is_u64(timeline_back(b.tl, &g, &b.r, &b.e), DEBUG_STOP, "back over two stops to ignore");
	ok(p->hits == 3 && p->ignore == 0, "both are counted, once");
	before = told; /* the run of the last cycle, up to the stop */
	debug_stop_delete(b.d, p->id);
	travel_goto(&b, 100);
	travel_goto(&b, 4000);
	is_u64(told, before, "moves are silent");
	travel_run(&b, 5000);
	is_u64(trace->hits, hits, "a tracepoint counts an event once");
	travel_run(&b, 6000);
	ok(trace->hits > hits, "and goes on behind the tip");
	hits = trace->hits;
	travel_goto(&b, 5500);
	travel_set(&b, "dyncta.t_mem_h", "24");
	travel_run(&b, 6000);
	ok(trace->hits > hits, "on a new branch, too");
	travel_teardown(&b);
}

/* Ctrl-C ends a move at once, and the run stays where it was. */
static void
interrupted(void)
{
	struct travel_bench b = travel_setup("dyncta");
	struct debug_goal g = {.until = CYCLE_NEVER};
	volatile int poll = 0;
	uint64_t digest;

	timeline_set_options(b.tl, &(struct timeline_options){.memory = 1u << 30, .poll = &poll});
	travel_run(&b, 6000);
	digest = sim_digest(b.sim);
	poll = 1;
	is_u64((uint64_t)travel_goto(&b, 4000), 1, "a move that is interrupted");
	ok(sim_digest(b.sim) == digest && !b.e.set, "leaves one where one was");
	debug_stop_add(b.d, STOP_CYCLE, false, "100", &b.e);
	is_u64(timeline_back(b.tl, &g, &b.r, &b.e), DEBUG_INTERRUPTED, "so does a way back");
	ok(sim_digest(b.sim) == digest, "to the bit");
	poll = 0;
	is_u64(timeline_back(b.tl, &g, &b.r, &b.e), DEBUG_STOP, "the next one arrives");
	travel_teardown(&b);
}

static void
memory(void)
{
	struct travel_bench b = travel_setup("dyncta");
	struct timeline_state v;
	const char *news;
	uint64_t digest;

	timeline_set_options(b.tl, &(struct timeline_options){.memory = 1u << 19,
							      .every = 50,
							      .keep = true});
	travel_run(&b, 3000);
	timeline_mark(b.tl, "mine", &b.e);
	digest = sim_digest(b.sim);
	travel_run(&b, 8000);
	timeline_state(b.tl, &v);
	ok(v.dropped > 0 && v.bytes <= 1u << 19, "memory is bounded: %zu bytes, %u dropped",
	   v.bytes, v.dropped);
	ok(travel_goto(&b, 3000) == 0 && sim_digest(b.sim) == digest && travel_goto(&b, 1) == 0 &&
		   travel_same(&b),
	   "what is left leads everywhere");
	travel_goto(&b, 8000);
	fault_set("memory=8100");
	travel_run(&b, 8300);
	fault_set(NULL);
	timeline_state(b.tl, &v);
	news = timeline_news(b.tl);
	ok(news && !timeline_news(b.tl), "no memory left: it is said once: %s", news ? news : "");
	ok(timeline_mark_find(b.tl, "mine", NULL) && travel_goto(&b, 3000) == 0 &&
		   sim_digest(b.sim) == digest,
	   "marks are kept");
	travel_teardown(&b);
}

/* On a very slow machine (a cycle per minute) the snapshots on the way to a near goal are never at
 * the present place. */
static void
slow_machine(void)
{
	struct travel_bench b = travel_setup("rr");

	alarm(120);
	travel_run(&b, 300);
	ok(travel_goto(&b, 0) == 0, "back to the start: %s", b.e.msg);
	b.tl->speed = 1e-3;
	ok(travel_goto(&b, 1) == 0 && sim_cycle(b.sim) == 1, "a single cycle arrives");
	alarm(0);
	travel_teardown(&b);
}

int
main(void)
{
	there_and_back();
	slow_machine();
	choices();
	branches();
	dropped();
	from_the_start();
	marks();
	mirrors();
	watches();
	goals();
	meanings();
	silence();
	interrupted();
	memory();
	return done();
}
