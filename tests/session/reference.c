/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.c - references measured beside a run on the small machine, through the contract of the
 * session.
 */
#include "base/process.h"
#include "tests/small/fault.h"
#include "tests/small/small_session.h"
#include "tests/tap.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

static const char *
type(struct session *s, const char *line, enum session_status want)
{
	printed[0] = '\0';
	is_u64(session_exec(s, line), want, "status of '%s'", line);
	return printed;
}

/* Returns the numbers of our children, "" if there are none; NULL if the system does not tell. */
static const char *
children(void)
{
	static char text[200];
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	if (!(f = fopen(path, "r")))
		return NULL;
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static struct small_session
open_session(void)
{
	return small_session_open("dyncta", &(struct session_ui){.out = small_session_keep,
								 .interactive = true});
}

static cycle_t
cycles_of(const char *policy, cycle_t stop_at, uint64_t *insts)
{
	struct config *c = small_config(policy);
	struct trace *t = small_trace();
	struct sim *sim = sim_new(c, t, NULL);
	uint64_t id;
	cycle_t n;

	sim_run(sim, stop_at, NULL);
	n = sim_cycle(sim);
	if (insts && sim_path(sim, "gpu.thread_insts", &id, NULL) == 1)
		*insts = (uint64_t)sim_value(sim, id, 0);
	sim_free(sim);
	trace_close(t);
	config_free(c);
	return n;
}

static void
beside(void)
{
	struct small_session b = open_session();
	struct reference_view v;
	uint64_t half = 0, all = 0, digest, id;
	cycle_t rr = cycles_of("rr", CYCLE_NEVER, &all), best = rr;
	char text[100];
	int fd[SESSION_BESIDE];
	double at;

	cycles_of("rr", rr / 2, &half);
	ok(!session_reference(b.s, REFERENCE_STACK, &v), "a new session compares with nothing");
	type(b.s, "step 500", SESSION_OK);
	digest = sim_digest(session_sim(b.s));
	type(b.s, "reference rr", SESSION_OK);
	ok(session_beside(b.s, fd) == 1, "it is measured while the session goes on");
	ok(wait_measured(b.s), "and comes to its end");
	ok(session_reference(b.s, REFERENCE_STACK, &v) && v.measured, "then it is known");
	is_u64(v.cycles, rr, "rr needs the cycles of a run under rr");
	is_u64(v.insts, all, "for the same work");
	ok(v.n > 50 && v.point[v.n - 1].cycle <= rr, "%u points over time", v.n);
	at = reference_cycle(&v, (double)half);
	ok(fabs(at - (double)(rr / 2)) < 64, "where it was with a part of the work: %.0f of %llu",
	   at, (unsigned long long)rr / 2);
	ok(reference_cycle(&v, 0) == 0 && reference_cycle(&v, (double)all) == (double)rr &&
		   isnan(reference_cycle(&v, 2 * (double)all)),
	   "from nothing to all, and not beyond");
	ok(sim_digest(session_sim(b.s)) == digest, "the run knows nothing of it");
	ok(strstr(type(b.s, "step 10", SESSION_OK), "reference rr: "),
	   "the next command says it: %s", printed);
	ok(!strstr(type(b.s, "step 10", SESSION_OK), "reference"), "once");
	type(b.s, "reference static", SESSION_OK);
	is_u64(session_beside(b.s, fd), MIN(process_processors(), 6),
	       "six limits, one on each processor");
	ok(wait_measured(b.s), "all fixed limits");
	for (int n = 1; n <= 6; n++) {
		snprintf(text, sizeof(text), "static:n=%d", n);
		best = MIN(best, cycles_of(text, CYCLE_NEVER, NULL));
	}
	ok(session_reference(b.s, REFERENCE_BEST, &v) && v.cycles == best,
	   "the best of them is found: %s", v.name);
	type(b.s, "run", SESSION_OK);
	sim_path(session_sim(b.s), "gpu.thread_insts", &id, NULL);
	snprintf(text, sizeof(text),
		 "%.2fx as fast as rr so far: ", (double)rr / (double)sim_cycle(session_sim(b.s)));
	ok(strstr(type(b.s, "info reference", SESSION_OK), text),
	   "the speedup at the end: %s in %s", text, printed);
	small_session_close(&b);
}

static void
ends(void)
{
	struct small_session b = open_session();
	struct reference_view v;
	unsigned percent;
	char text[100], unit;
	double began;

	fault_set("slow=3000");
	type(b.s, "reference rr", SESSION_OK);
	type(b.s, "reference static", SESSION_OK);
	began = clock_seconds();
	while (!session_reference(b.s, REFERENCE_STACK, &v) &&
	       clock_seconds() < began + MEASURED_WITHIN) {
		session_beside_read(b.s);
		usleep(2000);
	}
	session_reference_progress(b.s, text, sizeof(text));
	ok(sscanf(text, "rr %u %c", &percent, &unit) == 2 && percent < 100 && unit == '%' &&
		   strstr(text, " more"),
	   "how far it is: %s", text);
	ok(!v.measured, "not at its end");
	fault_set(NULL);
	type(b.s, "step 100", SESSION_OK);
	ok(strstr(type(b.s, "info reference", SESSION_OK), "is measured") || strstr(printed, "0 %"),
	   "the run goes on meanwhile: %s", printed);
	if (children())
		ok(children()[0] != '\0', "in a process of its own: %s", children());
	type(b.s, "reference off", SESSION_OK);
	if (children())
		is_str(children(), "", "'off' ends it");
	ok(!session_reference(b.s, REFERENCE_STACK, &v), "and forgets it");
	fault_set("slow=3000");
	type(b.s, "reference rr", SESSION_OK);
	fault_set(NULL);
	small_session_close(&b);
	if (children())
		is_str(children(), "", "so does the end of the session");
}

static void
failures(void)
{
	struct small_session b = open_session();
	struct reference_view v;

	fault_set("deadlock=400");
	type(b.s, "reference rr", SESSION_OK);
	fault_set(NULL);
	ok(wait_measured(b.s), "a run that hangs ends");
	ok(!session_reference(b.s, REFERENCE_STACK, &v), "there is nothing to compare with");
	type(b.s, "print 1", SESSION_OK);
	ok(strstr(printed, "reference rr: deadlock at cycle "), "one line says why: %s", printed);
	type(b.s, "step 100", SESSION_OK);
	type(b.s, "reference rr", SESSION_OK);
	ok(wait_measured(b.s) && session_reference(b.s, REFERENCE_STACK, &v) && v.measured,
	   "asked for again, it is measured again");
	type(b.s, "set run.max_cycles 4000", SESSION_OK);
	type(b.s, "set dyncta.t_mem_h 70", SESSION_OK);
	ok(session_reference(b.s, REFERENCE_STACK, &v),
	   "a limit or a policy's option does not matter");
	type(b.s, "run", SESSION_LIMIT);
	ok(session_reference(b.s, REFERENCE_STACK, &v), "nor does the start of the run");
	small_session_close(&b);
	b = open_session();
	type(b.s, "reference rr", SESSION_OK);
	ok(wait_measured(b.s), "measured once more");
	type(b.s, "set mem.dram_latency 30", SESSION_OK);
	ok(!session_reference(b.s, REFERENCE_STACK, &v) && strstr(printed, "dropped"),
	   "another machine: %s", printed);
	small_session_close(&b);
}

/* A front end that shows news as they come: the result and the end of the process are two. */
static void
said_once(void)
{
	static const char wanted[] = "reference rr: ";
	struct small_session b = open_session();
	double end = clock_seconds() + MEASURED_WITHIN;
	int fd[SESSION_BESIDE];
	unsigned n = 0;

	type(b.s, "reference rr", SESSION_OK);
	printed[0] = '\0';
	while (session_beside(b.s, fd) && clock_seconds() < end) {
		poll(&(struct pollfd){.fd = fd[0], .events = POLLIN}, 1, 100);
		if (session_beside_read(b.s))
			session_beside_say(b.s);
	}
	session_beside_say(b.s);
	for (const char *p = printed; (p = strstr(p, wanted)); p += strlen(wanted))
		n++;
	is_u64(n, 1, "a result is told once: %s", printed);
	small_session_close(&b);
}

int
main(void)
{
	beside();
	said_once();
	ends();
	failures();
	return done();
}
