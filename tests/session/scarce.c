/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scarce.c - time travel while memory runs out: for every n (later for every few) the n-th
 * allocation of a command and all after it fail. The session survives: it is where it was or where
 * the command leads, with exactly the right state, and with memory again every place can be
 * reached. A load that fails halfway leaves the machine of the file, which runs.
 */
#include "session/session_part.h"

#include "tests/small/fault.h"
#include "tests/small/small.h"
#include "tests/tap.h"

#include <inttypes.h>
#include <unistd.h>

#define MOST 4000 /* most allocations of a command */

struct person {
	struct session *s;
	unsigned errors, notes;
	char last[400];
};

static void
out(void *ctx, enum say kind, const char *line)
{
	struct person *p = ctx;

	p->errors += kind == SAY_ERROR;
	p->notes += strstr(line, "automatic snapshots were dropped") != NULL;
	snprintf(p->last, sizeof(p->last), "%s", line);
}

/* Returns the place as a number. */
static uint64_t
place(const struct session *s)
{
	return sim_digest(s->sim) + timeline_here(s->timeline).branch;
}

static void
home(struct session *s)
{
	session_exec(s, "delete");
	session_exec(s, "switch main");
	session_exec(s, "goto 1500");
	session_exec(s, "break limit core 1");
}

static void
scarce(struct person *p, const char *line)
{
	unsigned failed = 0, wrong = 0, lost = 0, stopped = 0, step = 1;
	uint64_t before, after;

	home(p->s);
	before = place(p->s);
	session_exec(p->s, line);
	after = place(p->s);
	for (unsigned n = 0; n < MOST; n += step) {
		uint64_t now;

		home(p->s);
		p->errors = 0;
		fault_allocations(n);
		session_exec(p->s, line);
		fault_set(NULL);
		now = place(p->s);
		failed += p->errors > 0;
		stopped += p->errors > 0 && now == before;
		if (now != before && now != after && !wrong++)
			diag("%u: cycle %" PRIu64 ": %s", n, sim_cycle(p->s->sim), p->last);
		home(p->s);
		lost += place(p->s) != before;
		step += n > 60 ? n / 8 : 0;
	}
	ok(!wrong && !lost, "%s: %u failed, %u stayed; %u wrong, %u lost", line, failed, stopped,
	   wrong, lost);
}

static void
load_scarce(struct person *p, const char *load)
{
	unsigned failed = 0, wrong = 0;
	uint64_t there;

	session_exec(p->s, load);
	there = place(p->s);
	for (unsigned n = 0, step = 1; n < MOST; n += step) {
		p->errors = 0;
		fault_allocations(n);
		session_exec(p->s, load);
		fault_set(NULL);
		failed += p->errors > 0;
		session_exec(p->s, "goto 0");
		session_exec(p->s, "advance 20");
		wrong += sim_cycle(p->s->sim) != 20;
		p->errors = 0;
		session_exec(p->s, load);
		wrong += p->errors || place(p->s) != there;
		step += n > 60 ? n / 8 : 0;
	}
	ok(failed > 0 && !wrong, "%s: %u failed; %u wrong", load, failed, wrong);
}

int
main(void)
{
	static const char *const lines[] = {"goto 400",
					    "reverse-step 30",
					    "reverse-continue",
					    "reverse-finish",
					    "goto 1900",
					    "switch hot",
					    "who changed core.1.n",
					    "first core.1.n > 4",
					    "reverse-until core.1.n > 4"};
	char folder[] = "/tmp/ctascope-scarce-XXXXXX", save[100], load[100];
	struct person p = {0};
	struct session_ui ui = {.ctx = &p, .out = out, .interactive = true};
	struct config *c = small_config("dyncta");
	struct trace *t = small_trace();

	snprintf(save, sizeof(save), "save %s/a.state", mkdtemp(folder) ? folder : ".");
	snprintf(load, sizeof(load), "load %s/a.state", folder);
	p.s = session_new(c, t, &ui, NULL);
	session_exec(p.s, "set time.autosave 0");
	session_exec(p.s, "advance 1000");
	session_exec(p.s, "fork hot");
	session_exec(p.s, "set dyncta.t_mem_h 30");
	session_exec(p.s, "advance 1700");
	session_exec(p.s, "switch main");
	session_exec(p.s, "advance 2000");
	for (unsigned i = 0; i < ARRAY_LEN(lines); i++)
		scarce(&p, lines[i]);
	home(p.s);
	session_exec(p.s, "goto 700");
	session_exec(p.s, save);
	scarce(&p, save);
	load_scarce(&p, load);
	session_free(p.s);
	trace_close(t);
	config_free(c);
	unlink(load + 5);
	rmdir(folder);
	return done();
}
