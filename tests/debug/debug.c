/* SPDX-License-Identifier: GPL-3.0-or-later */
/* debug.c - stops, goals and reasons on the small machine, without a session. */
#include "debug/debug.h"

#include "tests/small/small.h"
#include "tests/tap.h"
#include <math.h>

struct bench {
	struct config *c;
	struct trace *t;
	struct sim *sim;
	struct debug *d;
	struct debug_result r;
	struct err e;
};

static struct bench
setup(const char *policy)
{
	struct bench b = {0};

	b.c = small_config(policy);
	b.t = small_trace();
	b.sim = sim_new(b.c, b.t, NULL);
	b.d = debug_new();
	debug_attach(b.d, b.sim, NULL);
	return b;
}

static void
teardown(struct bench *b)
{
	debug_free(b->d);
	sim_free(b->sim);
	trace_close(b->t);
	config_free(b->c);
}

static enum debug_end
go(struct bench *b, struct debug_goal g)
{
	if (!g.until)
		g.until = CYCLE_NEVER;
	err_clear(&b->e);
	return debug_run(b->d, &g, &b->r, &b->e);
}

static void
stops(void)
{
	struct bench b = setup("dyncta");
	const struct stop *p = debug_stop_add(b.d, STOP_EVENT, false, "pause core 3", &b.e);
	char text[200];

	ok(p && p->core == 3 && p->event == EV_PAUSE, "a stop is read");
	is_u64(go(&b, (struct debug_goal){0}), DEBUG_STOP, "and hit");
	is_u64(b.r.hit[0].id, p->id, "by its number");
	ok(b.r.hits == 1 && strncmp(b.r.hit[0].text, "pause, core 3, cycle 5,637: C_mem ", 34) == 0,
	   "in its words: %s", b.r.hit[0].text);
	is_u64(sim_cycle(b.sim), 5637, "the cycle is finished first");
	is_u64(p->hits, 1, "hits are counted");
	debug_stop_ignore(b.d, p->id, 1);
	debug_stop_condition(b.d, p->id, "$core == 3 && $cta >= 0 && $cycle >= $period", &b.e);
	is_u64(go(&b, (struct debug_goal){0}), DEBUG_STOP,
	       "the next is passed, the one after stops");
	is_u64(p->hits, 3, "both counted");
	debug_stop_text(p, text, sizeof(text));
	is_str(text, "break pause core 3 if $core == 3 && $cta >= 0 && $cycle >= $period",
	       "back to text");
	debug_stop_condition(b.d, p->id, "$core == 2", &b.e);
	is_u64(go(&b, (struct debug_goal){0}), DEBUG_DONE, "a condition that never holds");
	teardown(&b);
}

static void
same_cycle(void)
{
	struct bench b = setup("dyncta");
	unsigned id;

	go(&b, (struct debug_goal){.until = 200});
	debug_stop_add(b.d, STOP_EVENT, false, "period", &b.e);
	id = debug_stop_add(b.d, STOP_EVENT, true, "pause", &b.e)->id;
	debug_stop_add(b.d, STOP_CYCLE, false, "256", &b.e);
	is_u64(go(&b, (struct debug_goal){0}), DEBUG_STOP, "several stops in one cycle");
	is_u64(b.r.hits, 6, "are all told");
	ok(debug_stop_find(b.d, id) != NULL,
	   "a temporary one is kept until its commands are taken");
	debug_take_commands(b.d, &(unsigned){0});
	ok(!debug_stop_find(b.d, id), "then it is gone");
	is_u64(go(&b, (struct debug_goal){.until = 300}), DEBUG_GOAL,
	       "the cycle it stands on does not stop it again");
	teardown(&b);
}

/* An event that two stops wait for is one event, and the commands of a stop are found however late
 * in the cycle it is hit. */
static void
same_event(void)
{
	struct bench b = setup("dyncta");
	unsigned first = debug_stop_add(b.d, STOP_EVENT, false, "period", &b.e)->id;
	unsigned second = debug_stop_add(b.d, STOP_EVENT, false, "period", &b.e)->id;
	unsigned last = debug_stop_add(b.d, STOP_EVENT, false, "period core 3", &b.e)->id;
	char **command = malloc(sizeof(*command));
	char **lines;
	unsigned n;

	command[0] = strdup("echo late");
	debug_stop_commands(b.d, last, command, 1);
	is_u64(go(&b, (struct debug_goal){0}), DEBUG_STOP, "three stops at one event");
	is_u64(b.r.hits, 4, "one line for each event, of four cores");
	ok(debug_stop_find(b.d, first)->hits == 4 && debug_stop_find(b.d, second)->hits == 4 &&
		   debug_stop_find(b.d, last)->hits == 1,
	   "each stop counts its own hits");
	lines = debug_take_commands(b.d, &n);
	ok(n == 1 && strcmp(lines[0], "echo late") == 0,
	   "a stop that is no line's has its commands");
	for (unsigned i = 0; i < n; i++)
		free(lines[i]);
	free(lines);
	teardown(&b);
}

static void
goals(void)
{
	struct bench b = setup("dyncta");

	is_u64(go(&b, (struct debug_goal){.until = 10}), DEBUG_GOAL, "a cycle");
	is_u64(sim_cycle(b.sim), 10, "exactly");
	is_u64(go(&b, (struct debug_goal){.events = EV_BIT(EV_CTA_ISSUE), .count = 3}), DEBUG_GOAL,
	       "the third CTA");
	is_u64(sim_cycle(b.sim), 129, "is there");
	is_u64(go(&b, (struct debug_goal){.expr = "$cycle == 777"}), DEBUG_GOAL, "an expression");
	is_u64(sim_cycle(b.sim), 777, "at its cycle");
	is_u64(go(&b, (struct debug_goal){.until = 5}), DEBUG_DONE,
	       "a cycle that has passed never comes");
	teardown(&b);

	b = setup("dyncta:t_mem_l=0,t_idle=1000,t_mem_h=1000");
	is_u64(go(&b, (struct debug_goal){.converged = true}), DEBUG_GOAL,
	       "a policy that changes nothing");
	is_u64(sim_cycle(b.sim), 512, "has converged after four periods");
	teardown(&b);
}

static void
watches(void)
{
	struct bench b = setup("dyncta");
	const struct stop *p = debug_stop_add(b.d, STOP_WATCH, false, "core.*.n", &b.e);

	is_u64(go(&b, (struct debug_goal){0}), DEBUG_STOP, "a watch on a vector");
	is_str(b.r.hit[0].text, "watch core.*.n, all 4 cores, cycle 128: 3 -> 4",
	       "says old and new");
	go(&b, (struct debug_goal){0});
	is_str(b.r.hit[0].text, "watch core.*.n, cycle 256: core 0: 4 -> 3; cores 1-3: 4 -> 5",
	       "each core with its change");
	debug_stop_enable(b.d, p->id, false);
	go(&b, (struct debug_goal){.until = 600});
	debug_stop_enable(b.d, p->id, true);
	go(&b, (struct debug_goal){.until = 601});
	is_u64(b.r.hits, 0, "what changed while it was off does not count");
	debug_stop_delete(b.d, 0);
	is_u64(debug_stop_count(b.d), 0, "delete all");
	teardown(&b);
}

/* `watch n` is short for `watch core.*.n`, and has the same cause. */
static void
watch_of_column(void)
{
	struct bench b = setup("dyncta");
	struct strbuf text = {0};

	go(&b, (struct debug_goal){.until = 300});
	debug_stop_add(b.d, STOP_WATCH, false, "n", &b.e);
	go(&b, (struct debug_goal){0});
	is_str(b.r.hit[0].text, "watch n, cycle 384: core 0: 3 -> 2; cores 2-3: 5 -> 6",
	       "the cores that changed");
	is_u64(debug_why(b.d, 0, -1, 0, &text, &b.e), 0, "and why says what changed the first");
	ok(text.p && strstr(text.p, "limit"), "which is a decision: %s", text.p ? text.p : "");
	sb_free(&text);
	teardown(&b);
}

/* A bare number is a cycle, which the stop's text names. */
static void
words_of_break(void)
{
	static const struct {
		const char *text, *says;
	} row[] = {
		{"700", "break cycle 700"},
		{"cycle 700", "break cycle 700"},
		{"cycle", "as in: break cycle 20000"},
		{"core 2", "as in: break cta-issue core 2"},
		{"core.2.n < 3", "'until EXPR' runs until an expression holds"},
		{"pause if core == 2",
		 "unknown name 'core'; did you mean $core, or a value of a core, as in core.5.n?"},
		{"pause if $core == 2", "break pause if $core == 2"},
	};
	struct bench b = setup("dyncta");

	for (size_t i = 0; i < ARRAY_LEN(row); i++) {
		char text[600] = "";
		const struct stop *p;

		err_clear(&b.e);
		p = debug_stop_add(b.d, STOP_EVENT, false, row[i].text, &b.e);
		if (p)
			debug_stop_text(p, text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%s", b.e.msg);
		ok(strstr(text, row[i].says), "break %s: %s", row[i].text, text);
	}
	teardown(&b);
}

/* A stop that was set for one machine is bound again to the next, or reports that it cannot be. */
static void
binding(void)
{
	struct bench b = setup("dyncta");
	struct strbuf lost = {0};
	struct sim *other = sim_new(b.c, b.t, NULL);

	debug_stop_add(b.d, STOP_EVENT, false, "cta-done if core.1.n > 100", &b.e);
	debug_stop_add(b.d, STOP_WATCH, false, "core.0.paused", &b.e);
	debug_attach(b.d, other, &lost);
	ok(lost.n == 0, "everything still means something");
	sim_free(b.sim);
	b.sim = other;
	is_u64(go(&b, (struct debug_goal){0}), DEBUG_STOP, "and works there");
	is_str(b.r.hit[0].text, "watch core.0.paused, cycle 256: 0 -> 1", "as before");
	sb_free(&lost);
	teardown(&b);
}

static void
reasons(void)
{
	struct bench b = setup("dyncta");
	struct strbuf out = {0};

	ok(debug_why(b.d, 1, -1, 0, &out, &b.e) < 0, "nothing decided yet: %s", b.e.msg);
	go(&b, (struct debug_goal){.events = EV_BIT(EV_PAUSE), .count = 1});
	ok(debug_why(b.d, 0, -1, 0, &out, &b.e) == 0 && strncmp(out.p, "pause, core 0", 13) == 0,
	   "the decision stopped at");
	ok(strstr(out.p, "with c_mem <= 59 (40 less), or t_mem_h >= 100"),
	   "what would have kept it away");
	sb_clear(&out);
	ok(debug_why(b.d, 1, -1, 0, &out, &b.e) == 0 &&
		   strncmp(out.p, "cta-issue, core 2", 17) == 0,
	   "the last");
	sb_clear(&out);
	ok(debug_why(b.d, 1, 3, 0, &out, &b.e) == 0 && strncmp(out.p, "limit, core 3", 13) == 0,
	   "the last of a core");
	ok(debug_why(b.d, 9999, -1, 0, &out, &b.e) < 0, "too far back: %s", b.e.msg);
	for (unsigned i = REFUSE_POLICY; i <= REFUSE_OTHER_KERNEL; i++)
		ok(strlen(debug_refusal_name(i)) > 4, "refusal %u is called %s", i,
		   debug_refusal_name(i));
	sb_free(&out);
	teardown(&b);
}

static double
value(struct bench *b, const char *text)
{
	struct expr *x = expr_parse(text, debug_names(b->d), &b->e);
	double v = x ? *expr_run(x) : -1;

	if (!x)
		diag("%s: %s", text, b->e.msg);
	expr_free(x);
	return v;
}

/* Reaches the same cycle without that stop, one cycle at a time. */
static void
however_reached(cycle_t at, uint64_t digest, const char *path, double decided)
{
	struct bench b = setup("dyncta");

	while (sim_cycle(b.sim) < at)
		go(&b, (struct debug_goal){.until = sim_cycle(b.sim) + 1});
	ok(value(&b, path) == decided && sim_digest(b.sim) == digest,
	   "%s and the digest do not hang on how one got there", path);
	teardown(&b);
}

/* At a stop on a decision all values are those that led to it, although the policy has restarted
 * its counters. */
static void
what_decided(const char *stop, const char *number, const char *path)
{
	struct bench b = setup("dyncta");
	struct gauge_view v;
	struct core_view core;
	uint64_t digest;
	double decided;

	ok(isnan(value(&b, "$c_mem")) && isnan(value(&b, "$core")), "no event, no numbers");
	debug_stop_add(b.d, STOP_EVENT, false, stop, &b.e);
	is_u64(go(&b, (struct debug_goal){0}), DEBUG_STOP, "break %s", stop);
	decided = value(&b, number);
	ok(decided > 0, "%s is known at the stop: %g", number, decided);
	ok(value(&b, path) == decided, "%s is the same: %g", path, value(&b, path));
	is_u64((uint64_t)value(&b, "$core"), strstr(stop, "core 3") ? 3 : 2, "$core is the core");
	sim_gauge_view(b.sim, strstr(number, "idle") ? 1 : 0, (unsigned)value(&b, "$core"), &v);
	ok(v.shown.value == decided && v.now.value == 0 && v.last.value == decided,
	   "the gauge shows it, though the period that runs has counted nothing");
	sim_core_view(b.sim, (unsigned)value(&b, "$core"), &core);
	ok(core.period_over && (double)(strstr(number, "idle") ? core.period_c_idle
							       : core.period_c_mem) == decided,
	   "and so do the core's numbers");
	digest = sim_digest(b.sim);
	however_reached(sim_cycle(b.sim), digest, path, decided);
	debug_stop_add(b.d, STOP_WATCH, false, number, &b.e);
	debug_stop_delete(b.d, 1);
	go(&b, (struct debug_goal){.until = sim_cycle(b.sim) + 1});
	ok(!b.r.hits, "a watch does not stop for a number that is gone");
	ok(sim_digest(b.sim) != digest && isnan(value(&b, number)), "it is gone a cycle later");
	ok(value(&b, path) <= 1, "%s counts the period that runs: %g", path, value(&b, path));
	teardown(&b);
}

static void
saved(void)
{
	struct bench b = setup("dyncta");
	struct strbuf out = {0};
	char **lines = malloc(sizeof(*lines));

	debug_stop_add(b.d, STOP_CYCLE, false, "5k if core.0.n > 1", &b.e);
	debug_stop_add(b.d, STOP_TRACE, false, "cta-issue core 1", &b.e);
	debug_stop_add(b.d, STOP_WATCH, false, "core.0.n if $cycle > 3", &b.e);
	debug_stop_add(b.d, STOP_EVENT, true, "cta-done cta 1,000", &b.e);
	lines[0] = strdup("print 1");
	debug_stop_commands(b.d, 4, lines, 1);
	debug_stop_ignore(b.d, 4, 7);
	debug_stop_enable(b.d, 2, false);
	debug_stops_save(b.d, &out);
	is_str(out.p,
	       "break cycle 5000 if core.0.n > 1\n"
	       "trace cta-issue core 1\n"
	       "disable $\n"
	       "watch core.0.n if $cycle > 3\n"
	       "tbreak cta-done cta 1000\n"
	       "ignore $ 7\n"
	       "commands $\n"
	       "  print 1\n"
	       "end\n",
	       "stops as commands");
	sb_free(&out);
	teardown(&b);
}

struct beat {
	struct bench *b;
	unsigned calls;
	cycle_t last, next;
	bool wrong;
};

static cycle_t
beat(void *ctx)
{
	struct beat *x = ctx;
	cycle_t now = sim_cycle(x->b->sim);

	x->wrong |= x->calls && now != x->last + x->next;
	x->last = now;
	return ++x->calls == 4 ? CYCLE_NEVER : (x->next = 30 + x->calls);
}

static cycle_t
beat_ends(void *ctx)
{
	struct beat *x = ctx;

	return x->calls++ ? 0 : 50;
}

static cycle_t
beat_again(void *ctx)
{
	++((struct beat *)ctx)->calls;
	return CYCLE_NEVER;
}

static bool
ask_again(void *ctx)
{
	struct beat *x = ctx;

	debug_between_now(x->b->d);
	return false;
}

/* Hooks called between cycles see the cycles that they asked for, and change none of them. */
static void
between(void)
{
	struct bench a = setup("dyncta"), b = setup("dyncta");
	struct beat x = {.b = &b};

	debug_between(b.d, beat, &x);
	is_u64(go(&b, (struct debug_goal){.until = 2000}), DEBUG_GOAL, "a run in slices");
	ok(x.calls == 4 && !x.wrong, "called where it said, until it wants no more");
	debug_stop_add(b.d, STOP_CYCLE, false, "2050", &b.e);
	x = (struct beat){.b = &b};
	is_u64(go(&b, (struct debug_goal){.until = 2100}), DEBUG_STOP, "a stop between two slices");
	is_u64(sim_cycle(b.sim), 2050, "is where it is set");
	x = (struct beat){.b = &b};
	debug_between(b.d, beat_ends, &x);
	is_u64(go(&b, (struct debug_goal){0}), DEBUG_INTERRUPTED, "it may end the run");
	is_u64(sim_cycle(b.sim), 2100, "where it stands");
	debug_between(b.d, NULL, NULL);
	go(&a, (struct debug_goal){.until = 2100});
	is_u64(sim_digest(b.sim), sim_digest(a.sim), "the model knows nothing of it");
	teardown(&b);
	b = setup("dyncta");
	x = (struct beat){.b = &b};
	debug_between(b.d, beat_again, &x);
	sim_every_ms(b.sim, 0, ask_again, &x); /* at cycles 1024 and 2048 */
	is_u64(go(&b, (struct debug_goal){.until = 2100}), DEBUG_GOAL, "it may be asked for");
	is_u64(x.calls, 3, "and is called then");
	teardown(&a);
	teardown(&b);
}

int
main(void)
{
	stops();
	between();
	same_cycle();
	same_event();
	goals();
	watches();
	watch_of_column();
	words_of_break();
	binding();
	reasons();
	what_decided("pause core 3", "$c_mem", "core.3.c_mem");
	what_decided("period core 2 if $c_idle > 20", "$c_idle", "core.2.c_idle");
	saved();
	return done();
}
