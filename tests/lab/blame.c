/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.c - blame's prediction for a decision equals a plain run with that decision forced, up to a
 * cycle and to the end of a kernel. A worker beside the session finds the same as the session
 * itself and changes nothing in it; it can be ended, and it ends by itself.
 */
#include "base/process.h"
#include "lab/lab.h"
#include "session/session_part.h"

#include "tests/small/fault.h"
#include "tests/small/small_session.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *
type(struct session *s, const char *line)
{
	printed[0] = '\0';
	session_exec(s, line);
	return printed;
}

static struct small_session
open_session(bool interactive)
{
	return small_session_open("dyncta", &(struct session_ui){.out = small_session_keep,
								 .interactive = interactive});
}

/* Makes a plain run with that decision forced (NULL: none), up to a cycle. */
static struct sim *
plain(const struct small_session *b, const struct suspect *p, cycle_t until)
{
	struct sim *s = sim_new(b->c, b->t, NULL);

	if (p) {
		sim_run(s, p->cycle - 1, NULL);
		sim_force(s, p->name, p->other, NULL);
	}
	sim_run(s, until, NULL);
	return s;
}

static uint64_t
done_by(const struct sim *s, unsigned core)
{
	struct core_view v;

	sim_core_view(s, core, &v);
	return v.thread_insts;
}

static void
as_plain_runs(void)
{
	struct small_session b = open_session(false);
	const struct blame *k;
	struct sim *was;
	unsigned equal = 0, moved = 0;

	type(b.s, "advance 900");
	type(b.s, "blame 2");
	k = b.s->workers.blame;
	ok(k && k->n == 3 && k->state == BLAME_DONE, "three decisions");
	for (unsigned i = 0; k && i < k->n; i++) {
		struct sim *s = plain(&b, &k->suspect[i], 900);

		equal += k->suspect[i].end.core == done_by(s, 2);
		sim_free(s);
	}
	is_u64(equal, 3, "by a cycle the core has done as much as in a plain run");
	type(b.s, "continue");
	type(b.s, "blame 1 --most 20");
	k = b.s->workers.blame;
	ok(k && k->n > 3 && k->state == BLAME_DONE && k->to.until == CYCLE_NEVER,
	   "at the end of the program: %u decisions", k ? k->n : 0);
	was = plain(&b, NULL, CYCLE_NEVER);
	equal = 0;
	for (unsigned i = 0; k && i < k->n; i++) {
		struct sim *s = plain(&b, &k->suspect[i], CYCLE_NEVER);

		equal += k->suspect[i].end.cycle - k->end.cycle ==
			 sim_kernel_end(s, 1) - sim_kernel_end(was, 1);
		moved += k->suspect[i].end.cycle != k->end.cycle;
		sim_free(s);
	}
	is_u64(equal, k ? k->n : 1, "the cycles to the end are those of plain runs");
	ok(moved > 0, "and %u of them are others", moved);
	ok(strstr(printed, "the end of kernel 2") &&
		   strstr(printed, "cycles to the end of kernel 2 and thread instructions, more (+) or fewer (-)"),
	   "which is said");
	sim_free(was);
	small_session_close(&b);
}

static void
beside(void)
{
	struct small_session a = open_session(false), b = open_session(true);
	struct session *s = b.s;
	uint64_t digest;
	char *first;

	type(a.s, "advance 900");
	type(a.s, "blame 2 100..800");
	ok(strstr(type(s, "info blame"), "no results yet"), "nothing at first");
	type(s, "advance 900");
	type(s, "blame 2 100..800");
	ok(strstr(printed, "in the background"), "for a user it is measured beside: %s", printed);
	type(s, "advance 1200");
	digest = sim_digest(s->sim);
	ok(wait_measured(s), "and comes to its end");
	ok(sim_digest(s->sim) == digest && sim_cycle(s->sim) == 1200, "the session has gone on");
	ok(strstr(type(s, "print 1"), "blame: core 2, 3 of 3 decisions measured"),
	   "the next command says it: %s", printed);
	ok(!strstr(type(s, "print 1"), "blame"), "once");
	ok(a.s->workers.blame->n == s->workers.blame->n &&
		   memcmp(a.s->workers.blame->suspect, s->workers.blame->suspect,
			  s->workers.blame->n * sizeof(struct suspect)) == 0 &&
		   memcmp(&a.s->workers.blame->end, &s->workers.blame->end,
			  sizeof(s->workers.blame->end)) == 0,
	   "it is what the session finds itself");
	first = strdup(type(a.s, "info blame"));
	is_str(type(s, "info blame"), first, "and says the same");
	free(first);
	small_session_close(&a);
	small_session_close(&b);
}

static void
ends(void)
{
	struct small_session b = open_session(true);
	struct session *s = b.s;
	double until = clock_seconds() + MEASURED_WITHIN;

	ok(strstr(type(s, "blame stop"), "nothing is being measured"), "nothing to end");
	type(s, "advance 900");
	fault_set("slow=1000");
	type(s, "blame 2");
	/* until the decisions are known; some progress may be reported before */
	while (!s->workers.blame->has_range && clock_seconds() < until) {
		session_beside_read(s);
		usleep(2000);
	}
	ok(strstr(type(s, "info blame"), "measuring: "), "under way: %s", printed);
	ok(strstr(type(s, "blame 1"), "blame: already measuring core 2"), "one at a time: %s",
	   printed);
	ok(strstr(type(s, "blame stop"), "stopped early") && strstr(printed, "of 3 decisions"),
	   "ended, and what is known stays");
	type(s, "blame 2");
	process_signal(s->workers.blame->worker.pid, SIGTERM);
	ok(wait_measured(s), "a process that is killed");
	ok(strstr(type(s, "info blame"), "its process was ended by signal"), "is told: %s",
	   printed);
	type(s, "blame 2");
	fault_set(NULL);
	type(s, "set gpu.clusters 1");
	type(s, "run");
	small_session_close(&b);
}

int
main(void)
{
	as_plain_runs();
	beside();
	ends();
	return done();
}
