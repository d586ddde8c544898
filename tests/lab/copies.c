/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * copies.c - a copy of the machine at any place of the timeline continues like the machine itself,
 * whatever changes follow; the session stays where it was; and a lack of memory anywhere causes
 * only an error.
 */
#include "session/experiment.h"
#include "prompt/prompt.h"

#include "tests/small/fault.h"
#include "tests/small/small_session.h"
#include "tests/tap.h"

#include <string.h>

static unsigned errors;
static char last[400];

static void
out(void *ctx, enum say kind, const char *line)
{
	(void)ctx;
	errors += kind == SAY_ERROR;
	if (kind == SAY_ERROR)
		snprintf(last, sizeof(last), "%s", line);
}

static struct small_session
open_session(void)
{
	return small_session_open("dyncta", &(struct session_ui){.out = out});
}

static void
play(struct session *s, const char *const *line, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (session_exec(s, line[i]) != SESSION_OK)
			diag("%s: %s", line[i], last);
}
#define PLAY(s, ...)                                \
	play(s, (const char *const[]){__VA_ARGS__}, \
	     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static unsigned
branch(const struct session *s, const char *name)
{
	const struct branch *b = timeline_branch_find(s->timeline, name, NULL);

	return b ? b->id : BRANCH_NONE;
}

/* Returns the digest at a cycle of a branch, of a copy taken at an earlier one; 0 if there is none.
 */
static uint64_t
copy_digest(struct session *s, const char *name, cycle_t from, cycle_t to)
{
	struct machine m = session_machine(s);
	struct machine_copy *copy;
	struct err e = {0};
	uint64_t digest;

	if (copy_take(&m, (struct place){branch(s, name), from}, &copy, 1, &e)) {
		diag("%s at %" PRIu64 ": %s", name, from, e.msg);
		return 0;
	}
	copy_run(copy, to);
	digest = sim_digest(copy->sim);
	copy_free(copy);
	return digest;
}

static void
same_runs(void)
{
	static const struct {
		const char *branch;
		cycle_t from, to;
	} row[] = {{"main", 0, 1500},  {"main", 300, 1500}, {"main", 1000, 1500},
		   {"hot", 0, 1500},   {"hot", 700, 1500},  {"hot", 1400, 1500},
		   {"flip1", 0, 1500}, {"flip1", 127, 1500}};
	struct small_session b = open_session();
	struct session *s = b.s;
	uint64_t here;
	const struct event *at;

	PLAY(s, "tbreak limit", "continue", "flip", "advance 600", "set dyncta.t_mem_h 100",
	     "advance 800", "fork hot", "set policy dyncta+claso", "advance 1200", "set claso.pa 2",
	     "advance 1500", "switch flip1", "advance 1500", "switch main", "advance 1500",
	     "tbreak limit", "continue");
	here = sim_digest(s->sim);
	at = debug_decision(s->debug, -1, 0, false);
	for (unsigned i = 0; i < ARRAY_LEN(row); i++) {
		struct machine m = session_machine(s);
		struct machine_origin o;
		uint64_t want;

		machine_leave(&m, &o, NULL);
		machine_move(&m, (struct place){branch(s, row[i].branch), row[i].to}, NULL);
		want = sim_digest(s->sim);
		machine_return(&m, &o);
		ok(copy_digest(s, row[i].branch, row[i].from, row[i].to) == want,
		   "%s from %" PRIu64 " to %" PRIu64 " is as the machine has it", row[i].branch,
		   row[i].from, row[i].to);
	}
	ok(sim_digest(s->sim) == here && debug_decision(s->debug, -1, 0, false) == at && at,
	   "the session stands where it stood, at the same decision");
	ok(copy_digest(s, "main", 0, 1500) != copy_digest(s, "hot", 0, 1500) &&
		   copy_digest(s, "main", 0, 1500) != copy_digest(s, "flip1", 0, 1500),
	   "and the branches differ");
	small_session_close(&b);
}

/* A forced outcome is a change like others: moving back undoes it, and moving forward repeats it.
 */
static void
outcome_again(void)
{
	struct small_session b = open_session();
	struct session *s = b.s;
	struct trace *t = small_trace();
	struct sim *plain = sim_new(b.c, t, NULL);
	unsigned same = 0;

	PLAY(s, "tbreak limit", "continue", "flip stay", "switch flip1", "advance 900");
	sim_force(plain, "limit.0@128", "stay", NULL);
	for (cycle_t at = 100; at <= 900; at += 100) {
		struct sim *fresh = sim_new(b.c, t, NULL);
		struct machine m = session_machine(s);

		machine_move(&m, (struct place){branch(s, "flip1"), at}, NULL);
		if (at >= 127)
			sim_force(fresh, "limit.0@128", "stay", NULL);
		sim_run(fresh, at, NULL);
		same += sim_digest(fresh) == sim_digest(s->sim);
		sim_free(fresh);
	}
	is_u64(same, 9, "at nine places the state is that of a plain run with the outcome forced");
	sim_free(plain);
	trace_close(t);
	small_session_close(&b);
}

static uint64_t
profiled(struct session *s)
{
	const struct inst_profile *p = sim_profile(s->sim, 0);
	uint64_t sum = 0;

	for (unsigned i = 0; p && i < sim_kernel(s->sim, 0)->n_inst; i++)
		sum += p[i].issued + p[i].lanes + p[i].l1_accesses + p[i].waits[WARP_MEMORY];
	return sum;
}

/* A profile counts nothing twice and loses nothing. */
static void
profile(void)
{
	struct small_session a = open_session(), b = open_session();
	uint64_t here;

	PLAY(a.s, "advance 300", "profile on", "advance 900");
	PLAY(b.s, "advance 300", "profile on", "advance 600");
	here = profiled(b.s);
	PLAY(b.s, "try set t_mem_h 99 --for 300", "try policy rr --for 300", "branches");
	ok(here > 0 && profiled(b.s) == here, "a profile stays as it was");
	PLAY(b.s, "advance 900");
	is_u64(profiled(b.s), profiled(a.s), "and goes on as if nothing had been");
	small_session_close(&a);
	small_session_close(&b);
}

/* The n-th allocation of each command fails. The command reports it or manages without, and the
 * machine does not move. */
static void
no_memory(void)
{
	static const char *const line[] = {"flip --for 50",
					   "try set t_mem_h 99 --for 50",
					   "branches",
					   "diverge main hot by decisions",
					   "compare main hot --for 50",
					   "blame 1 500..560",
					   "fork"};
	struct small_session b = open_session();
	struct session *s = b.s;

	PLAY(s, "advance 300", "fork hot", "set t_mem_h 100", "advance 400", "switch main",
	     "tbreak limit", "continue");
	for (unsigned i = 0; i < ARRAY_LEN(line); i++) {
		uint64_t digest = sim_digest(s->sim);
		unsigned moved = 0, failed = 0;

		for (unsigned n = 0; n < 30000; n += n / 6 + 1) {
			errors = 0;
			fault_allocations(n);
			session_exec(s, line[i]);
			fault_set(NULL);
			failed += errors > 0;
			if (sim_digest(s->sim) != digest) {
				diag("%s, %u: %s", line[i], n, last);
				moved++;
			}
		}
		ok(!moved, "%s: the machine stands where it stood (%u failed)", line[i], failed);
	}
	small_session_close(&b);
}

int
main(void)
{
	same_runs();
	outcome_again();
	profile();
	no_memory();
	return done();
}
