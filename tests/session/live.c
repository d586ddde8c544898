/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live.c - changes while the model runs: `set` at the end of a cycle, `knob` at a period.
 *
 * The front end hands the lines over in a tick, at a cycle that depends on the machine it runs on.
 * Whatever that cycle is, a session that stops there and sets the same must reach the same state.
 */
#include "session/session.h"

#include "tests/small/fault.h"
#include "tests/small/small.h"
#include "tests/tap.h"

#include <string.h>

#define PERIOD 128
#define END 1500

struct front {
	struct session *s;
	const char *line[4]; /* handed over in the first tick */
	unsigned ticks, taken;
	char text[8192];
};

static void
out(void *ctx, enum say kind, const char *line)
{
	struct front *x = ctx;

	(void)kind;
	snprintf(x->text + strlen(x->text), sizeof(x->text) - strlen(x->text), "%s\n", line);
}

static bool
tick(void *ctx)
{
	struct front *x = ctx;

	if (x->ticks++ == 0)
		for (unsigned i = 0; i < ARRAY_LEN(x->line) && x->line[i]; i++)
			x->taken += session_exec_running(x->s, x->line[i]);
	return false;
}

static void
say_line(struct front *x, const char *line)
{
	x->text[0] = '\0';
	is_u64(session_exec(x->s, line), SESSION_OK, "status of '%s'", line);
}

/* A run to END in which the lines come in the first tick. */
static void
run_with(struct front *x, struct config *c, struct trace *t)
{
	struct session_ui ui = {.ctx = x, .out = out, .tick = tick, .interactive = true};
	char line[40];

	fault_set("slow=2000");
	x->s = session_new(c, t, &ui, NULL);
	snprintf(line, sizeof(line), "advance %d", END);
	say_line(x, line);
	fault_set(NULL);
}

/* The digest at END of a run that stops at a cycle and sets the lines there. */
static uint64_t
digest_of(struct trace *t, cycle_t cycle, const char *const *set)
{
	struct front x = {0};
	struct session_ui ui = {.ctx = &x, .out = out};
	struct config *c = small_config("dyncta");
	char line[40];
	uint64_t digest;

	x.s = session_new(c, t, &ui, NULL);
	if (set) {
		snprintf(line, sizeof(line), "advance %llu", (unsigned long long)cycle);
		say_line(&x, line);
	}
	for (; set && *set; set++)
		say_line(&x, *set);
	snprintf(line, sizeof(line), "advance %d", END);
	say_line(&x, line);
	digest = sim_digest(session_sim(x.s));
	session_free(x.s);
	config_free(c);
	return digest;
}

/* The old future is that of a run without the change, on the branch before. */
static void
check_old_future(struct front *x, struct trace *t)
{
	char line[40];
	uint64_t changed = sim_digest(session_sim(x->s));

	say_line(x, "switch main");
	snprintf(line, sizeof(line), "advance %d", END);
	say_line(x, line);
	is_u64(sim_digest(session_sim(x->s)), digest_of(t, 0, NULL),
	       "the branch before has the future without the change");
	say_line(x, "switch b2");
	is_u64(sim_digest(session_sim(x->s)), changed, "and the new one that with it");
	say_line(x, "goto 64");
	snprintf(line, sizeof(line), "goto %d", END);
	say_line(x, line);
	is_u64(sim_digest(session_sim(x->s)), changed, "also when it is replayed");
}

static void
set_in_a_run(struct trace *t)
{
	static const char *const set[] = {"set policy static:n=1", "set static.n 2", NULL};
	struct front x = {.line = {set[0], " set static.n=2", "step"}};
	struct config *c = small_config("dyncta");
	struct session_change change;

	run_with(&x, c, t);
	is_u64(x.taken, 2, "a run takes both lines, and no step");
	is_u64(sim_cycle(session_sim(x.s)), END, "and goes on to its goal");
	ok(session_change(x.s, 0, &change), "something changed");
	ok(change.cycle > 0 && change.cycle < END, "the stack changed on the way, at cycle %llu",
	   (unsigned long long)change.cycle);
	is_str(change.label, "static:n=1", "which the axis names");
	is_u64(sim_digest(session_sim(x.s)), digest_of(t, change.cycle, set),
	       "a run that stops there is the same");
	ok(session_change(x.s, 1, &change), "the option changed, too");
	is_str(change.label, "n 2", "by its last part");
	ok(!session_change(x.s, 2, &change), "nothing else changed");
	ok(strstr(x.text, "main stays at ") != NULL, "the branch before is named: %s", x.text);
	is_str(config_policy_text(session_config(x.s)), "static:n=1", "show policy follows");
	check_old_future(&x, t);
	session_free(x.s);
	config_free(c);
}

static void
knob_in_a_run(struct trace *t)
{
	static const char *const set[] = {"set dyncta.t_mem_h 200", NULL};
	struct front x = {.line = {"knob t_mem_h 200"}};
	struct config *c = small_config("dyncta");
	struct session_change change = {0};

	run_with(&x, c, t);
	is_u64(x.taken, 1, "a run takes a knob");
	ok(session_change(x.s, 0, &change), "something changed");
	ok(change.cycle && change.cycle % PERIOD == 0,
	   "which changes when a period ends, at cycle %llu", (unsigned long long)change.cycle);
	is_str(change.label, "t_mem_h 200", "the axis names it");
	is_u64(sim_digest(session_sim(x.s)), digest_of(t, change.cycle, set),
	       "a run that stops there is the same");
	check_old_future(&x, t);
	session_free(x.s);
	config_free(c);
}

static void
wrong_in_a_run(struct trace *t)
{
	struct front x = {.line = {"set dyncta.t_mem_h many", "knob t_mem_h -1", "knob none 2"}};
	struct config *c = small_config("dyncta");
	struct session_change change;

	run_with(&x, c, t);
	ok(strstr(x.text, "'many' is not a number") && strstr(x.text, "-1 is out of range") &&
		   strstr(x.text, "has no parameter 'none'"),
	   "mistakes are told: %s", x.text);
	ok(!session_change(x.s, 0, &change), "and change nothing");
	is_u64(sim_digest(session_sim(x.s)), digest_of(t, 0, NULL), "at all");
	session_free(x.s);
	config_free(c);
}

/* Taken back before its period ends, a knob leaves the run as it is. */
static void
undo_in_a_run(struct trace *t)
{
	struct front x = {.line = {"knob t_mem_h 200", "undo"}};
	struct config *c = small_config("dyncta");
	struct session_change change;

	run_with(&x, c, t);
	is_u64(x.taken, 2, "a run takes a knob and undo");
	ok(strstr(x.text, "dropped the pending change: dyncta.t_mem_h stays 60, not 200"),
	   "undo takes back what waits: %s", x.text);
	ok(!session_change(x.s, 0, &change), "nothing changed");
	is_u64(sim_digest(session_sim(x.s)), digest_of(t, 0, NULL), "at all");
	say_line(&x, "redo");
	is_u64(session_knobs_due(x.s), 1536, "redo lets it wait again");
	session_free(x.s);
	config_free(c);
}

/* At a stop a knob waits for the model to run. */
static void
knob_at_a_stop(struct trace *t)
{
	struct front x = {0};
	struct session_ui ui = {.ctx = &x, .out = out};
	struct config *c = small_config("dyncta");
	struct session_knob k;
	unsigned n = 0;

	x.s = session_new(c, t, &ui, NULL);
	say_line(&x, "advance 300");
	ok(session_knob(x.s, 0, &k) && !k.row, "the first knob is the stack");
	is_str(k.now, "dyncta", "which is dyncta");
	while (session_knob(x.s, n, &k))
		n++;
	ok(n > 4, "its parameters follow: %u knobs", n);
	is_u64(session_knobs_due(x.s), CYCLE_NEVER, "none waits");
	say_line(&x, "knob dyncta.t_mem_h 200");
	is_str(x.text, "dyncta.t_mem_h 60 -> 200 at the next period, cycle 384\n", "one does now");
	is_u64(session_knobs_due(x.s), 384, "for the end of the period");
	say_line(&x, "knob t_mem_h 100");
	say_line(&x, "knob t_mem_h 60");
	is_u64(session_knobs_due(x.s), CYCLE_NEVER, "its old value takes it back");
	say_line(&x, "knob t_mem_h 100");
	say_line(&x, "knob off");
	is_u64(session_knobs_due(x.s), CYCLE_NEVER, "so does off");
	say_line(&x, "knob t_mem_h 100");
	say_line(&x, "knob now");
	ok(strstr(x.text, "branch b2 from main at 300") != NULL, "now sets it at once: %s", x.text);
	say_line(&x, "knob policy rr");
	say_line(&x, "advance 400");
	is_str(config_policy_text(sim_config(session_sim(x.s))), "rr", "another stack at 384");
	say_line(&x, "run");
	say_line(&x, "switch main");
	is_str(config_policy_text(sim_config(session_sim(x.s))), "dyncta", "main has none of it");
	session_free(x.s);
	config_free(c);
}

int
main(void)
{
	struct trace *t = small_trace();

	set_in_a_run(t);
	knob_in_a_run(t);
	wrong_in_a_run(t);
	undo_in_a_run(t);
	knob_at_a_stop(t);
	trace_close(t);
	return done();
}
