/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * long.c - a run that passes cycle 2^32: before its first kernel the clocks are advanced, which
 * sleeping units book as idle cycles. Everything then happens as in a normal run, only later, and
 * all output, stops, files and restored states have all their digits.
 */
#include "tests/small/small.h"
#include "tests/tap.h"

#include "ctascope/session.h"
#include "sim/sim_priv.h"

#include <inttypes.h>

#define JUMP ((UINT64_C(1) << 32) - 512 * 8)
#define BEYOND "4294967400" /* 2^32 + 104 */

struct happened {
	struct sim *s;
	uint64_t n, hash, last;
};

static void
happen(void *ctx, const struct event *ev)
{
	struct happened *h = ctx;
	uint64_t at = ev->cycle - (ev->cycle > JUMP ? JUMP : 0);
	const uint64_t what[] = {at, ev->kind, (uint64_t)ev->core, (uint64_t)ev->cta, ev->rule};

	for (unsigned i = 0; i < ARRAY_LEN(what); i++)
		h->hash = (h->hash ^ what[i]) * UINT64_C(0x100000001b3);
	h->n++;
	h->last = ev->cycle;
}

static void
jump(struct sim *s)
{
	s->machine->cycle += JUMP;
	s->machine->clock.noc_ticks += JUMP;
	s->machine->clock.dram_ticks += JUMP;
}

/* Makes a whole run and records what happened in it. */
static struct happened
run(const char *stack, struct trace *t, bool late, uint64_t classes[CC_CLASSES])
{
	struct config *c = small_config("rr");
	struct happened h = {0};
	struct err e = {0};

	h.s = sim_new(c, t, &e);
	if (!h.s)
		small_die(stack, &e);
	if (late)
		jump(h.s);
	if (sim_set_policy(h.s, stack, NULL, 0, &e)) /* whose first period begins now */
		small_die(stack, &e);
	sim_listen(h.s, EV_ALL & ~EV_BIT(EV_SAMPLE), happen, &h);
	is_u64(sim_run(h.s, CYCLE_NEVER, &e), SIM_DONE, "%s ends: %s", stack, e.msg);
	h.last = sim_cycle(h.s);
	for (unsigned k = 0; k < CC_CLASSES; k++)
		classes[k] = 0;
	for (unsigned i = 0; i < SMALL_CORES; i++) {
		struct core_view v;

		sim_core_view(h.s, i, &v);
		for (unsigned k = 0; k < CC_CLASSES; k++)
			classes[k] += v.class_cycles[k];
	}
	sim_free(h.s);
	config_free(c);
	return h;
}

static void
shifted(const char *stack, struct trace *t)
{
	uint64_t a[CC_CLASSES], b[CC_CLASSES];
	struct happened soon = run(stack, t, false, a), late = run(stack, t, true, b);

	is_u64(late.last - JUMP, soon.last, "%s: so many cycles later", stack);
	is_u64(late.n, soon.n, "%s: as many events", stack);
	is_u64(late.hash, soon.hash, "%s: the same", stack);
	for (unsigned k = 0; k < CC_CLASSES; k++)
		is_u64(b[k] - (k == CC_IDLE ? SMALL_CORES * JUMP : 0), a[k], "%s: %s cycles", stack,
		       cycle_class_names[k]);
}

/* ---------------------------------------------------------------- what is said */

static char text[1 << 20];

static void
out(void *ctx, enum say kind, const char *line)
{
	size_t n = strlen(text);

	(void)ctx, (void)kind;
	snprintf(text + n, sizeof(text) - n, "%s\n", line);
}

static const char *
say_to(struct session *s, const char *line)
{
	text[0] = '\0';
	session_exec(s, line);
	return text;
}

static void
has(struct session *s, const char *line, const char *what)
{
	bool found = strstr(say_to(s, line), what) != NULL;

	ok(found, "'%s' says '%s'", line, what);
	if (!found)
		diag("it says: %.*s", (int)MIN(strcspn(text, "\n"), 300), text);
}

static void
said(struct trace *t)
{
	struct session_ui ui = {.out = out};
	struct config *c = small_config("rr");
	struct session *s = session_new(c, t, &ui, NULL);
	char digest[80];

	jump(session_sim(s));
	say_to(s, "set policy dyncta+claso");
	has(s, "advance " BEYOND, "stopped: cycle 4,294,967,400");
	has(s, "print gpu.cycles", "= " BEYOND);
	snprintf(digest, sizeof(digest), "%.79s", say_to(s, "info digest"));
	has(s, "checkpoint here", "cycle 4,294,967,400");
	has(s, "break 4294967500", "4294967500");
	has(s, "continue", "cycle 4,294,967,500");
	say_to(s, "delete");
	has(s, "tbreak cta-done if gpu.cycles > 4294967600", "cta-done");
	has(s, "continue", "cycle 4,294,967,6");
	has(s, "dump csv events -", ",42949676");
	has(s, "dump csv series - 4294967296..4294967600", ",42949673");
	has(s, "dump csv stats -", "gpu.cycles,42949676");
	has(s, "dump csv cores -", ",42949676");
	has(s, "restore here", "-> 4,294,967,400; ");
	is_str(say_to(s, "info digest"), digest, "and the same digest");
	has(s, "until gpu.cycles >= 4294968000", "cycle 4,294,968,000");
	has(s, "continue", "done: cycle 4,294,9");
	session_free(s);
	config_free(c);
}

int
main(void)
{
	struct trace *t = small_trace();

	shifted("rr", t);
	shifted("dyncta+claso", t);
	shifted("dyncore:period=128,off=2,wake=90", t);
	shifted("tcs:mon_cycle=64,monitor=200,thr=1", t);
	shifted("onac:waves=1,loss=0.1", t);
	said(t);
	trace_close(t);
	return done();
}
