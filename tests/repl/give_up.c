/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * give_up.c - Ctrl-C while the past is looked through: one is back where one stood, at once, with
 * the stops as they were; and the next command goes on.
 */
#include "tests/tap.h"

#include "repl/session_part.h"
#include "tests/small/fault.h"
#include "tests/small/small.h"

struct person {
	struct session *s;
	bool impatient;
	unsigned ticks, said;
};

static bool
tick(void *ctx)
{
	struct person *p = ctx;

	p->ticks++;
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

int
main(void)
{
	static const char *const asked[] = {"who changed gpu.ctas_done > 1000",
					    "last-change gpu.ctas_done > 2000",
					    "first core.1.n > 1000"};
	struct person p = {0};
	struct session_ui ui = {.ctx = &p, .out = out, .tick = tick, .interactive = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();
	uint64_t digest;

	p.s = session_new(c, t, &ui, NULL);
	session_exec(p.s, "set time.autosave 0");
	session_exec(p.s, "set time.every 100000"); /* the past is far away */
	session_exec(p.s, "advance 3000");
	session_exec(p.s, "break pause core 1");
	session_exec(p.s, "goto 2990");
	digest = sim_digest(session_sim(p.s));
	for (unsigned i = 0; i < ARRAY_LEN(asked); i++) {
		fault_set("slow=100");
		p.impatient = true;
		p.said = p.ticks = 0;
		ok(session_exec(p.s, asked[i]) == SESSION_OK, "%s: Ctrl-C is no error", asked[i]);
		p.impatient = false;
		fault_set(NULL);
		ok(p.said == 1 && p.ticks > 0, "it is said, once, after %u ticks", p.ticks);
		ok(sim_cycle(session_sim(p.s)) == 2990 && sim_digest(session_sim(p.s)) == digest,
		   "and one is where one was");
		ok(debug_stop_count(p.s->debug) == 1 && debug_stop_at(p.s->debug, 0)->id == 1,
		   "with the stops that were there");
		ok(session_exec(p.s, "step 10") == SESSION_OK &&
			   session_exec(p.s, "goto 2990") == SESSION_OK,
		   "the next commands are done");
	}
	session_free(p.s);
	trace_close(t);
	config_free(c);
	return done();
}
