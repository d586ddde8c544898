/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * give_up.c - Ctrl-C during a search of the past: the session returns at once to where it was, with
 * its stops, and the next command works. A loop that moves back and forth ends at a place whose
 * state is that of a plain run.
 */
#include "tests/tap.h"

#include "base/clock.h"
#include "session/session_part.h"
#include "tests/small/fault.h"
#include "tests/small/small.h"

#include <inttypes.h>

struct person {
	struct session *s;
	bool impatient;
	unsigned ticks, said;
	double asked; /* seconds_worked() at the first Ctrl-C; 0: not yet */
};

/* Processor time plus the sleeps of the slow machine. Unlike the clock, this does not include the
 * time that a loaded machine gives to other processes. */
static double
seconds_worked(void)
{
	return clock_processor() + fault_slept();
}

static bool
tick(void *ctx)
{
	struct person *p = ctx;

	p->ticks++;
	if (p->impatient && !p->asked)
		p->asked = seconds_worked();
	if (p->impatient)
		session_interrupt(p->s);
	return false;
}

static void
out(void *ctx, enum say kind, const char *line)
{
	struct person *p = ctx;

	p->said += strstr(line, "interrupted") != NULL;
	diag("%d %s", kind, line);
}

static void
in_a_loop(struct person *p, const struct config *c, struct trace *t)
{
	static const char *const lines[] = {"while 1", "goto 700", "goto 1400", "reverse-step 90",
					    "end"};
	struct sim *plain = sim_new(c, t, NULL);

	session_exec(p->s, "delete");
	fault_set("slow=100");
	p->impatient = true;
	p->asked = 0;
	for (unsigned i = 0; i < ARRAY_LEN(lines); i++)
		session_exec(p->s, lines[i]);
	p->impatient = false;
	fault_set(NULL);
	ok(p->asked > 0 && seconds_worked() - p->asked < 1, "Ctrl-C ends a loop of a script");
	sim_run(plain, sim_cycle(session_sim(p->s)), NULL);
	ok(sim_digest(plain) == sim_digest(session_sim(p->s)), "at a place as any, cycle %llu",
	   (unsigned long long)sim_cycle(plain));
	sim_free(plain);
}

int
main(void)
{
	/* Commands that do more than look go no further: for a script that is an error. */
	static const struct {
		const char *line;
		enum session_status status;
	} asked[] = {{"who changed gpu.ctas_done > 1000", SESSION_OK},
		     {"last-change gpu.ctas_done > 2000", SESSION_OK},
		     {"first core.1.n > 1000", SESSION_OK},
		     {"goto 2500", SESSION_ERROR},
		     {"reverse-step 400", SESSION_OK},
		     {"reverse-until core.1.n > 1000", SESSION_OK},
		     {"reverse-continue", SESSION_OK},
		     {"flip --for 20000", SESSION_OK},
		     {"try set dyncta.t_mem_h 20 --for 20000", SESSION_OK}};
	struct person p = {0};
	struct session_ui ui = {
		.ctx = &p, .out = out, .tick = tick, .interactive = true, .draws = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	char back[40];
	uint64_t digest;
	cycle_t home;
	unsigned id;

	p.s = session_new(c, t, &ui, NULL);
	session_exec(p.s, "set time.autosave 0");
	session_exec(p.s, "set time.every 100000"); /* the past is far away */
	session_exec(p.s, "advance 2900");
	session_exec(p.s, "until limit");
	home = sim_cycle(session_sim(p.s));
	snprintf(back, sizeof(back), "goto %" PRIu64, home);
	session_exec(p.s, "step 100");
	session_exec(p.s, "watch mem.0.queue if $cycle < 0");
	id = debug_stop_at(p.s->debug, 0)->id;
	session_exec(p.s, back);
	digest = sim_digest(session_sim(p.s));
	for (unsigned i = 0; i < ARRAY_LEN(asked); i++) {
		fault_set("slow=100");
		p.impatient = true;
		p.said = p.ticks = 0;
		p.asked = 0;
		is_u64(session_exec(p.s, asked[i].line), asked[i].status, "%s", asked[i].line);
		p.impatient = false;
		fault_set(NULL);
		ok(p.asked > 0 && seconds_worked() - p.asked < 1, "it answers within a second");
		ok(p.said == 1 && p.ticks > 0, "it is said, once, after %u ticks", p.ticks);
		ok(sim_cycle(session_sim(p.s)) == home && sim_digest(session_sim(p.s)) == digest,
		   "and one is where one was");
		ok(debug_stop_count(p.s->debug) == 1 && debug_stop_at(p.s->debug, 0)->id == id,
		   "with the stops that were there");
		ok(session_exec(p.s, "step 10") == SESSION_OK &&
			   session_exec(p.s, back) == SESSION_OK,
		   "the next commands are done");
	}
	in_a_loop(&p, c, t);
	session_free(p.s);
	trace_close(t);
	config_free(c);
	return done();
}
